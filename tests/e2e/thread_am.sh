#!/bin/sh
# thread_am.sh - a thread printed in its forms, a series applied with git
set -u
. tests/e2e/lib.sh

db=$work/a.db
t 0 -q --db "$db" import "$data/am/cover.mbox"

# ---- thread: whatever a person pastes
for id in 'p2@x' '<p2@x>' 'id:p2@x' 'mid:p2@x' 'P2@X' \
	https://lore.kernel.org/all/p2@x/ \
	https://lore.kernel.org/r/p2%40x \
	https://patch.msgid.link/p2@x; do
	t 0 --db "$db" thread --overview "$id"
	want_out '` [PATCH 1/3] tree: mend one Ann Author'
	want_out '` Ann Author [this message]'
done
t 0 --db "$db" thread c@x
want_out '8 messages by 5 people'
want_out 'series v1: 3 of 3 patches'
t 0 --db "$db" thread --json c@x
want_out '{"schema":"culprit/thread/1","root":"c@x","count":8,'
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than one line"
t 1 --db "$db" thread nobody@x
want_error 'nobody@x'
want_no_out
t 2 --db "$db" thread --json --mbox c@x
want_error 'one of them'

# the mbox holds the same mails: taken in again, nothing is new
t 0 --db "$db" thread --mbox c@x
cp "$work/out" "$work/again.mbox"
t 0 -q --db "$work/b.db" import "$work/again.mbox"
t 0 --db "$work/b.db" dump threads
cp "$work/out" "$work/threads"
t 0 --db "$db" dump threads
same "$work/threads" "$work/out"

# ---- am: files as b4 names them, or standard output
cd "$work" || exit 1
t 0 --db "$db" am p1@x
want_out 20200302_ann_tree_three_lines.mbx
want_out 20200302_ann_tree_three_lines.cover
want_err 'v1, 3 patches, 9 trailers from replies'
t 0 -q --db "$db" am --stdout r3@x
want_no_err
same "$work/out" 20200302_ann_tree_three_lines.mbx
t 2 --db "$db" am --signoff nobody p1@x
want_error 'Name <address>'
t 1 --db "$db" am nobody@x
want_error 'nobody@x'
want_no_out
t 0 -q --db "$work/c.db" import "$data/am/incomplete.mbox"
t 1 --db "$work/c.db" am c@x
want_error '2 of 3 patches'
want_no_out

# a title of a hundred letters that take three bytes each is cut in time
long=$(printf '%0100d' 0 | sed 's/0/\xe6\xb5\x8b/g')
{
	printf 'From: Ann <ann@example.org>\nSubject: [PATCH] %s\n' "$long"
	printf 'Date: Mon, 6 Jan 2020 10:00:00 +0000\n'
	printf 'Message-ID: <long@x>\n'
	printf 'Content-Type: text/plain; charset=utf-8\n\nWhy.\n---\n'
	printf 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n'
} >long.eml
t 0 -q --db "$work/l.db" import long.eml
t 0 -q --db "$work/l.db" am long@x
want_out 20200106_ann_
[ -s "$(cat "$work/out")" ] || fail 'the file is not there'

# ---- git takes it
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org
export GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.org
command_line='git am'
git init -q repo && mkdir repo/tree
for f in 1 2 3; do
	printf 'line one\nline two\nline three\n' >"repo/tree/f$f"
done
git -C repo add . && git -C repo commit -q -m base
git -C repo am -q "$work/20200302_ann_tree_three_lines.mbx" ||
	fail 'does not apply'
git -C repo log --format='%s|%an|%(trailers:key=Reviewed-by,valueonly)' \
	>"$work/log"
[ "$(grep -c 'Ann Author|Bob Review <bob@example.org>' "$work/log")" -eq 3 ] ||
	fail 'a trailer is missing'
printf 'line one\nline 3\nline three\n' | cmp -s - repo/tree/f3 ||
	fail 'the last patch is not applied'

t 0 -q --db "$work/d.db" import "$data/am/binary.mbox"
t 0 -q --db "$work/d.db" am --stdout --signoff 'Zoe <zoe@example.org>' p@x
git -C repo am -q "$work/out" || fail 'a binary patch does not apply'
git -C repo log -1 --format=%B | grep -q '^Signed-off-by: Zoe ' ||
	fail 'not signed off'

done_
