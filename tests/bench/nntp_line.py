#!/usr/bin/env python3
"""nntp_line.py CULPRIT MBOX [COUNT] - fetching from a news server, measured

The first COUNT mails of an mboxrd from a server in this process, over a line
that holds every answer back 50 ms (but not those behind it), as culprit reads
them and as one ARTICLE a round trip; then without that delay, the processor
time against importing the same mails from the file.
"""
import asyncio, os, re, resource, socket, subprocess, sys, tempfile, threading, time

DELAY = 0.05
culprit, box = sys.argv[1], sys.argv[2]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 3000


def mails():
    text = open(box, "rb").read()
    starts = [m.start() for m in re.finditer(rb"^From mboxrd@z .*\n", text, re.M)]
    for at, end in zip(starts[:count], starts[1:] + [len(text)]):
        body = text[at:end].split(b"\n", 1)[1].removesuffix(b"\n")
        yield re.sub(rb"^>(>*From )", rb"\1", body, flags=re.M)


def wire(text):
    return re.sub(rb"^\.", b"..", text, flags=re.M).replace(b"\n", b"\r\n")


texts = list(mails())
answers = [wire(t) for t in texts]
ids = [(re.search(rb"^message-id:\s*(<\S+>)", t, re.M | re.I) or [0, b"<x@x>"])[1] for t in texts]
delay = 0


def answer(line):
    word, _, rest = line.partition(b" ")
    if word == b"CAPABILITIES":
        return b"101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n"
    if word == b"GROUP":
        return b"211 %d 1 %d g\r\n" % (len(texts), len(texts))
    if word == b"OVER":
        first, last = (int(n) for n in rest.split(b"-"))
        lines = [b"%d\ts\tf\t\t%s\t\t%d\t1\r\n" % (n, ids[n - 1], len(answers[n - 1]))
                 for n in range(first, min(last, len(texts)) + 1)]
        return b"224 follows\r\n" + b"".join(lines) + b".\r\n"
    if word == b"ARTICLE":
        n = int(rest)
        return b"220 %d %s\r\n%s.\r\n" % (n, ids[n - 1], answers[n - 1])
    return b"500 what?\r\n"


async def serve(reader, writer):
    loop = asyncio.get_running_loop()
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wait = delay

    def say(out):
        if wait:
            loop.call_later(wait, writer.write, out)
        else:
            writer.write(out)
    say(b"200 hi\r\n")
    while line := await reader.readline():
        say(answer(line.rstrip(b"\r\n")))
        if not wait:
            await writer.drain()
    writer.close()


def start():
    ready, port = threading.Event(), []

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()
    threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()
    ready.wait()
    return port[0]


def one_by_one(port, n):
    """Seconds for an article."""
    s = socket.create_connection(("127.0.0.1", port))
    f = s.makefile("rwb")
    f.readline()
    then = time.monotonic()
    for i in range(1, n + 1):
        f.write(b"ARTICLE %d\r\n" % i)
        f.flush()
        while f.readline() != b".\r\n":
            pass
    return (time.monotonic() - then) / n


def run(db, *args):
    """Seconds, processor seconds."""
    before, then = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([culprit, "--db", db, "-q", *args], check=True)
    after, now = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    return now - then, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


port = start()
with tempfile.TemporaryDirectory() as work:
    conf, part = work + "/conf", work + "/box"
    with open(conf, "w") as f:
        f.write(f"[source s]\ntype=nntp\nserver=nntp://127.0.0.1:{port}\ngroups=g\n")
    with open(part, "wb") as f:
        for t in texts:
            f.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n"
                    + re.sub(rb"^(>*From )", rb">\1", t, flags=re.M) + b"\n")
    delay = DELAY
    single = one_by_one(port, 20)
    took, _ = run(work + "/far.db", "--config", conf, "sync", "s")
    print(f"{'nntp, 50 ms line':24} {len(texts) / took:8.0f} messages/s, one by one "
          f"{1 / single:.1f}: {single * len(texts) / took:.1f} times as fast")
    delay = 0
    cpu = {"near": [], "file": []}
    for i in range(3):
        cpu["near"].append(run(f"{work}/near{i}.db", "--config", conf, "sync", "s")[1])
        cpu["file"].append(run(f"{work}/file{i}.db", "import", part)[1])
    near, file = min(cpu["near"]), min(cpu["file"])
    print(f"{'nntp, near':24} {near:8.2f} s, from a file {file:.2f} s: "
          f"{(near / file - 1) * 100:+.0f} % CPU")
