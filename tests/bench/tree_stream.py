#!/usr/bin/env python3
"""tree_stream.py COUNT - a large git tree, as a stream for git fast-import

About COUNT commits on master: topics of 5 to 30 commits, merged one after
another, 240 tags; and a stable branch of 1,200 commits and ten tags for every
fifth release. The same COUNT gives the same tree.
"""
import random
import sys

FOLDERS = ("mm", "net", "fs/alpha", "fs/beta", "drivers/net", "kernel/sched",
           "block", "arch/one", "sound/pci", "tools/perf", "lib")
WORDS = ("fix race leak in the path of pages when a device is reset add support"
         " for new queue remove unused helper convert to folio avoid missing"
         " check of return value cleanup counters simplify locking").split()
PEOPLE = [("Person %d" % n, "p%d@example.org" % n) for n in range(3000)]
FIRST = 1100000000  # 2004-11-09

out = sys.stdout.buffer
rand = random.Random(7)


class Stream:
    def __init__(self):
        self.marks = self.commits = 0
        self.time = FIRST
        self.blobs = [self.blob(n) for n in range(500)]

    def put(self, kind, head, text):
        data = text.encode()
        out.write(b"%s\n%sdata %d\n%s\n"
                  % (kind.encode(), head.encode(), len(data), data))

    def blob(self, n):
        self.marks += 1
        self.put("blob", "mark :%d\n" % self.marks,
                 "".join("line %d of %d\n" % (i * 31 % 97, n)
                         for i in range(12)))
        return self.marks

    def title(self, folder):
        return "%s: %s" % (folder.split("/")[-1],
                           " ".join(rand.choices(WORDS, k=rand.randint(4, 9))))

    def message(self, folder, author, taker):
        lines = [self.title(folder), ""]
        lines += [" ".join(rand.choices(WORDS, k=10))
                  for _ in range(rand.randint(3, 14))] + [""]
        if rand.random() < .2:
            lines.append('Fixes: %012x ("%s")'
                         % (rand.getrandbits(48), self.title(folder)))
        if rand.random() < .2:
            lines.append("Reported-by: %s <%s>" % rand.choice(PEOPLE))
        lines.append("Signed-off-by: %s <%s>" % author)
        if rand.random() < .5:
            lines.append("Reviewed-by: %s <%s>" % rand.choice(PEOPLE))
        if rand.random() < .6:
            lines.append("Link: https://lore.kernel.org/r/%d.%d@example.org"
                         % (rand.getrandbits(33), self.commits))
        lines.append("Signed-off-by: %s <%s>" % taker)
        return "\n".join(lines) + "\n"

    def commit(self, branch, parents, folder, merge=False):
        self.marks += 1
        self.commits += 1
        self.time += rand.randint(100, 1500)
        author, taker = rand.choice(PEOPLE), rand.choice(PEOPLE[:200])
        text = ("Merge tag '%s-%d' of git://git.example.org/linux\n\nThings.\n"
                % (folder.replace("/", "-"), self.commits) if merge
                else self.message(folder, author, taker))
        self.put("commit refs/heads/" + branch,
                 "mark :%d\nauthor %s <%s> %d +0200\ncommitter %s <%s> %d"
                 " +0000\n" % (self.marks, *author,
                               self.time - rand.randint(0, 2000000), *taker,
                               self.time), text)
        for n, parent in enumerate(parents):
            out.write(b"%s :%d\n" % (b"merge" if n else b"from", parent))
        for _ in range(0 if merge else rand.choice((1, 1, 1, 2, 3))):
            out.write(b"M 100644 :%d %s/file%d.c\n"
                      % (rand.choice(self.blobs), folder.encode(),
                         rand.randint(0, 59)))
        return self.marks

    def tag(self, name, mark):
        self.put("tag " + name, "from :%d\ntagger T <t@example.org> %d +0000\n"
                 % (mark, self.time), "release")


def main(count):
    s = Stream()
    master = s.commit("master", (), "mm")
    tips = dict.fromkeys(FOLDERS, master)
    tags, releases = 0, []
    while s.commits < count:
        folder = rand.choice(FOLDERS)
        tip = rand.choice((tips[folder], master))
        for _ in range(rand.randint(5, 30)):
            tip = s.commit("topic", (tip,), folder)
        master = s.commit("master", (master, tip), folder, merge=True)
        tips[folder] = tip
        if s.commits * 240 >= (tags + 1) * count and tags < 240:
            tags += 1
            rc = tags % 8
            s.tag("v5.%d%s" % (tags // 8, "-rc%d" % rc if rc else ""), master)
            if tags % 40 == 0:
                releases.append((tags // 8, master))
    for version, tip in releases:
        for n in range(1, 11):
            for _ in range(120):
                tip = s.commit("linux-5.%d.y" % version, (tip,),
                               rand.choice(FOLDERS))
            s.tag("v5.%d.%d" % (version, n), tip)


if len(sys.argv) != 2 or not sys.argv[1].isdigit():
    sys.exit(__doc__)
main(int(sys.argv[1]))
