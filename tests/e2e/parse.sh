#!/bin/sh
# parse.sh - what parse reads, prints, and says of what is no mail
set -u
. tests/e2e/lib.sh

mail "$work/a.eml" a@example.org '[PATCH v2 1/2] fs: mend it' <<'EOF'
The reason.

Signed-off-by: A Person <person@example.org>
---
 f | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/f b/f
index 1111111..2222222 100644
--- a/f
+++ b/f
@@ -1,1 +1,1 @@
-a
+b
-- 
2.40.0
EOF
mail "$work/b.eml" b@example.org 'Re: [PATCH v2 1/2] fs: mend it' \
	'In-Reply-To: <a@example.org>' <<'EOF'
On Tue, A Person wrote:
> The reason.

Tested-by: B Person <other@example.org>
EOF
mbox "$work/box" "$work/a.eml" "$work/b.eml"

# For people.
t 0 parse "$work/a.eml"
want_out '<a@example.org>'
want_out 'fs: mend it'
want_out 'A Person <person@example.org>'
want_out '2020-03-03T09:00:00Z'
want_out '1 of 2'
want_out '+1 -1'
want_out 'Signed-off-by: A Person <person@example.org>'
want_no_err
t 0 parse "$work/box"
want_out 'Tested-by: B Person <other@example.org>'
[ "$(grep -c '^message ' "$work/out")" -eq 2 ] || fail "not two messages"
t 0 parse --body "$work/b.eml"
want_out '> The reason.'

# For programs: one object a line, in any packing the same.
t 0 parse --json "$work/box"
want_out '{"schema":"culprit/message/1","message_id":"a@example.org"'
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "not two lines"
! grep -q '"body"' "$work/out" || fail "body without --body"
cp "$work/out" "$work/plain"
gzip -k "$work/box"
t 0 parse --json "$work/box.gz"
same "$work/plain" "$work/out"
if command -v zstd >/dev/null; then
	zstd -q "$work/box"
	t 0 parse --json "$work/box.zst"
	same "$work/plain" "$work/out"
fi
t 0 parse --json "$work/a.eml" "$work/b.eml"
same "$work/plain" "$work/out"
command_line='culprit parse --json - < box'
"$CULPRIT" parse --json - <"$work/box" >"$work/out" || fail "exit code"
same "$work/plain" "$work/out"
t 0 parse --json --body "$work/b.eml"
want_out '"body":"On Tue, A Person wrote:\n> The reason.'
if command -v python3 >/dev/null; then
	command_line='culprit parse --json | python3'
	python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' <"$work/plain" || fail "no JSON"
fi

# What is no mail: a reason and exit code 4, and the rest is done.
printf 'Just some text.\nMore of it.\n' >"$work/text"
: >"$work/empty"
head -c 3000 /dev/zero >"$work/zeros"
for name in text empty zeros missing; do
	t 4 parse "$work/$name"
	want_error "$name"
	want_no_out
done
t 4 parse "$work/missing" "$work/b.eml"
want_error missing
want_out '<b@example.org>'
head -c 60 "$work/box.gz" >"$work/cut.gz"
t 4 parse "$work/cut.gz"
want_err cut.gz

# A page of a web archive is the mail that it shows, wherever it is read.
cat >"$work/page" <<'EOF'
[fs] 0123456789: unixbench.score -12.5% regression

From: kernel test robot
Date: Wed Jan 31 2024 - 09:09:33 EST

Messages sorted by: [ date ] [ thread ] [ subject ] [ author ]

kernel test robot noticed a -12.5% regression of unixbench.score on:

commit: 0123456789abcdef0123456789abcdef01234567 ("fs: do less")

aaaaaaaaaaaaaaaa 0123456789abcdef0123456789a
---------------- ---------------------------
%stddev %change %stddev
\ | \
4177 ± 2% -12.5% 3655 ± 3% unixbench.score

Messages sorted by: [ date ] [ thread ] [ subject ] [ author ]
EOF
t 0 parse "$work/page"
want_out 'kernel test robot'
want_out 'unixbench.score -12.5%'
want_out '2024-01-31T14:09:33Z'
t 0 table "$work/page"
want_out '3655'
t 0 --db "$work/page.db" -q import "$work/page"
t 0 --db "$work/page.db" status
want_out 'unixbench.score'

# What is in a mail must not reach a terminal as a command.
printf 'look:\033[2J\r\302\233\342\200\256\n' |
	mail "$work/c.eml" c@example.org "$(printf 'clear \033[2J')"
t 0 parse --body "$work/c.eml"
! LC_ALL=C grep -q "$(printf '\033\\|\302\233\\|\342\200\256')" "$work/out" ||
	fail "escape sequences on stdout"

# Asked to stop while it waits for input.
command_line='culprit parse - and SIGTERM'
mkfifo "$work/fifo"
"$CULPRIT" parse - <"$work/fifo" >"$work/out" 2>&1 &
child=$!
exec 9>"$work/fifo"
kill -TERM $child
code=0
wait $child || code=$?
exec 9>&-
[ "$code" -eq 143 ] || fail "exit code $code, expected 143"
done_
