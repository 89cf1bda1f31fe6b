#!/usr/bin/env python3
"""items_mail.py SHAPE COUNT [reversed] - an mbox of many reports and fixes

What tracked items must bear without getting slow. SHAPE:

commit   COUNT reports of one commit, and COUNT patches that name it
prefix   as many reports, each of another commit of the same 7 digits
thread   COUNT reports that answer one patch
chain    COUNT reports, each the answer to the one before, then COUNT patches
tested   one report, a fix of it, and COUNT mails that tested that fix
reviewed as tested, but only the last mail is a test
fixes    one report, and COUNT patches that answer it
series   one report, a series of COUNT patches that close it, its cover tested
         COUNT times
titles   COUNT answers to one patch, in turn a report and the patch once more
"""
import sys
import time

CULPRIT = "882f9ba557eb0a056e529b6326e2739bc930d18a"
ROBOT = "kernel test robot <lkp@intel.com>"
FIRST = 1577836800  # 2020-01-01

REPORT = """Hello,

kernel test robot noticed a -33.7%% regression of aim7.jobs-per-min on:


commit: %s ("fs: write it twice")
https://git.example.org/linux.git master

testcase: aim7
test machine: 48 threads (Old Bridge) with 64G memory
parameters:

\tdisk: 1BRD_48G
\tfs: examplefs


Details are as below:
"""
PATCH = """Repairs it.

%sSigned-off-by: %s
---
 fs/x.c | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/fs/x.c b/fs/x.c
index 1111111..2222222 100644
--- a/fs/x.c
+++ b/fs/x.c
@@ -1,3 +1,3 @@ int x(void)
 a
-b
+c%d
 d
"""
SUBJECT = "[fs] 882f9ba557: aim7.jobs-per-min -33.7% regression"


MAILS = []


def mail(minute, mid, sender, subject, body, parent=None):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000",
                         time.gmtime(FIRST + 60 * minute))
    out = ["From mboxrd@z Thu Jan  1 00:00:00 1970", "From: " + sender,
           "Message-ID: <%s@example.org>" % mid, "Date: " + date,
           "Subject: " + subject]
    if parent:
        out.append("In-Reply-To: <%s@example.org>" % parent)
        out.append("References: <%s@example.org>" % parent)
    MAILS.append("\n".join(out) + "\n\n" + body + "\n")


def person(n):
    return "Person %d <person%d@example.org>" % (n, n)


def report(minute, n, parent=None, commit=CULPRIT):
    subject = "Re: [PATCH] fs: write it twice" if parent else SUBJECT
    mail(minute, "report%d" % n, ROBOT, subject, REPORT % commit, parent)


def patch(minute, n, tag="", parent=None, subject=None, who=None):
    who = who or person(n % 300)
    mail(minute, "patch%d" % n, who,
         subject or "[PATCH] fs: write it once, %d" % n,
         PATCH % (tag and tag + "\n", who, n), parent)


def tag(minute, n, parent, key):
    mail(minute, "tag%d" % n, person(n), "Re: [PATCH] fs: write it once",
         "Fine.\n\n%s: %s\n" % (key, person(n)), parent)


def commit(count):
    for n in range(count):
        report(n, n)
        patch(n, n, "Fixes: %s (\"fs: write it twice\")" % CULPRIT[:12])


def prefix(count):
    for n in range(count):
        report(n, n, commit=CULPRIT[:7] + "%033x" % n)
        patch(n, n, "Fixes: %s (\"fs: write it twice\")" % CULPRIT[:7])


def thread(count):
    patch(0, 0, subject="[PATCH] fs: write it twice", who=person(1000))
    for n in range(count):
        report(n + 1, n, "patch0", "%040x" % (n + 0x1234567 * 4096))


def chain(count):
    for n in range(count):
        report(n, n, "report%d" % (n - 1) if n else None)
    for n in range(count):
        patch(count + n, n, parent="report%d" % (count - 1))


def tested(count, other="Tested-by"):
    report(0, 0)
    patch(1, 0, parent="report0", who=person(count))
    for n in range(count):
        tag(2 + n, n, "patch0", "Tested-by" if n == count - 1 else other)


def reviewed(count):
    tested(count, "Reviewed-by")


def fixes(count):
    report(0, 0)
    for n in range(count):
        patch(1 + n, n, parent="report0")


def series(count):
    report(0, 0)
    mail(1, "cover", person(count), "[PATCH 0/%d] fs: repair" % count,
         "All of it.\n\n 1 file changed, 1 insertion(+), 1 deletion(-)\n")
    for n in range(count):
        patch(1, n, "Closes: https://lore.kernel.org/r/report0@example.org",
              "cover", "[PATCH %d/%d] fs: part %d" % (n + 1, count, n),
              person(count))
        tag(2 + n, n, "cover", "Tested-by")


def titles(count):
    patch(0, 0, subject="[PATCH] fs: write it twice", who=person(1000))
    for n in range(1, count):
        if n % 2:
            report(n, n // 2, "patch0", "%040x" % (n + 0x1234567 * 4096))
        else:
            patch(n, n, subject="[PATCH v%d] fs: write it twice" % n,
                  parent="patch0", who=person(1000))


SHAPES = {f.__name__: f for f in (commit, prefix, thread, chain, tested,
                                  reviewed, fixes, series, titles)}
SHAPES[sys.argv[1]](int(sys.argv[2]))
sys.stdout.writelines(MAILS[::-1] if "reversed" in sys.argv else MAILS)
