#!/bin/sh
# import_errors.sh - what can't be read: one line each, exit code 4 (5 for a
# damaged database), and everything else is imported
set -u
. tests/e2e/lib.sh

mkdir "$work/eml" "$work/empty"
LC_ALL=C awk -v n=8 -v form=eml -v dir="$work/eml" -f tests/e2e/mails.awk
LC_ALL=C awk -v n=4000 -v form=rd -f tests/e2e/mails.awk >"$work/box"
good=$work/eml/000000.eml

# bad PATH TEXT: refused with TEXT, and the path after it is imported; what
# is there but can't be read is a problem from then on
bad() {
	rm -f "$work"/x.db*
	t 4 --db "$work/x.db" -q import "$1" "$good"
	want_error "$2"
	t 0 --db "$work/x.db" why m0@example.org
	want_out 'topic 0'
	if [ -e "$1" ]; then
		t 0 --db "$work/x.db" problems
		want_out "$2"
		[ "$(wc -l <"$work/out")" -eq 1 ] || fail 'told twice'
	fi
}

mkfifo "$work/fifo"
ln -s loop "$work/loop"
ln -s nowhere "$work/dangling"
: >"$work/none"
echo 'a text' >"$work/text"
gzip -c "$work/box" | head -c 20000 >"$work/cut.gz"
bad "$work/missing" 'missing: No such file or directory'
bad "$work/dangling" 'dangling: No such file or directory'
bad "$work/loop" 'loop: Too many levels of symbolic links'
bad "$work/fifo" 'fifo: is a FIFO, not a file'
bad /dev/zero '/dev/zero: is a device, not a file'
bad "$work/empty" 'empty: holds no mail'
bad "$work/none" 'none: is empty'
bad "$work/text" 'text: is no mail'
if [ "$(id -u)" -ne 0 ]; then
	cp "$good" "$work/closed"
	chmod 0 "$work/closed"
	bad "$work/closed" 'closed: Permission denied'
fi

# It is over when the path can be read.
cp "$work/text" "$work/later"
t 4 --db "$work/later.db" import "$work/later"
t 4 --db "$work/later.db" import "$work/later"
t 0 --db "$work/later.db" problems
want_out 'later: is no mail'
[ "$(wc -l <"$work/out")" -eq 1 ] || fail 'told twice'
cp "$good" "$work/later"
t 0 --db "$work/later.db" import "$work/later"
t 1 --db "$work/later.db" problems

# A file that has nothing to read now and does not say when.
if [ "$(id -u)" -eq 0 ] && [ -r /proc/kmsg ] &&
	command -v timeout >/dev/null; then
	for _ in 1 2; do
		timeout 20 "$CULPRIT" --db "$work/k.db" -q import /proc/kmsg \
			2>"$work/err" >"$work/out"
		[ $? -eq 4 ] || fail 'exit code of /proc/kmsg'
	done
fi

# Truncated: what came before is kept.
t 4 --db "$work/cut.db" -q import "$work/cut.gz"
want_error 'cut.gz: is truncated'
t 0 --db "$work/cut.db" dump threads
[ "$(grep -c . "$work/out")" -ge 50 ] || fail 'too little is kept'
gzip -c "$work/box" >"$work/cut.gz"
t 0 --db "$work/cut.db" -q import "$work/cut.gz"
t 0 --db "$work/whole.db" -q import "$work/box"
t 0 --db "$work/whole.db" dump threads
cp "$work/out" "$work/whole"
t 0 --db "$work/cut.db" dump threads
same "$work/out" "$work/whole"

# Bytes behind the packed ones: a complaint, but nothing is lost.
{
	cat "$work/cut.gz"
	echo 'other bytes'
} >"$work/more.gz"
for _ in 1 2; do
	t 4 --db "$work/more.db" -q import "$work/more.gz"
	want_error 'more.gz: other bytes follow the packed ones'
	t 0 --db "$work/more.db" dump threads
	same "$work/out" "$work/whole"
	t 0 --db "$work/more.db" problems
	want_out 'other bytes follow'
done

# Texts with colons in them, as a file and as a stream; a mail whose fields
# come late and in pieces is one all the same.
printf 'root:x:0:0:root:/root:/bin/sh\nbin:x:1:1::/:/bin/sh\n' >"$work/passwd"
printf 'int f(void)\n{\nout:\n\treturn 0;\n}\n' >"$work/f.c"
printf 'diff --git a/f.c b/f.c\n--- a/f.c\n+++ b/f.c\n' >"$work/f.diff"
bad "$work/passwd" 'passwd: is no mail'
bad "$work/f.c" 'f.c: is no mail'
bad "$work/f.diff" 'f.diff: is no mail'
command_line='culprit import - <passwd'
code=0
"$CULPRIT" --db "$work/in.db" import - <"$work/passwd" 2>"$work/err" || code=$?
[ "$code" -eq 4 ] || fail "exit code $code, expected 4"
want_error 'stdin: is no mail'
command_line='culprit import - <late'
{
	i=0
	while [ $i -lt 300 ]; do
		echo "X-Hop-$i: $(printf %060d $i)"
		i=$((i + 1))
	done
	cat "$good"
} >"$work/late.eml"
dd if="$work/late.eml" bs=100 2>/dev/null |
	"$CULPRIT" --db "$work/in.db" -q import - || fail 'exit code'
t 0 --db "$work/in.db" why m0@example.org

# A folder with all sorts of things in it.
mkfifo "$work/eml/fifo"
ln -s . "$work/eml/here"
ln -s x "$work/eml/x"
echo 'a note' >"$work/eml/README"
printf 'no mail' >"$work/eml/bad.eml"
t 4 --db "$work/f.db" import "$work/eml"
want_err 'eml/fifo: is a FIFO'
want_err 'eml/x: Too many levels'
want_err 'eml/bad.eml: is no mail'
want_err '8 messages read: 8 new, 3 unreadable'
want_err '1 files that are no mail'
[ "$(wc -l <"$work/err")" -eq 4 ] || fail 'not one line each'

# Once it is mended, nothing is told of it any more.
rm "$work/eml/bad.eml" "$work/eml/fifo" "$work/eml/x"
t 0 --db "$work/f.db" -q import "$work/eml"
t 1 --db "$work/f.db" problems
odd=$(printf 'odd-\377.eml')
printf 'no mail' >"$work/eml/$odd"
t 4 --db "$work/f.db" -q import "$work/eml"
t 0 --db "$work/f.db" problems --json
want_out odd-
rm "$work/eml/$odd"

# What is no message, among others.
{
	cat "$work/box"
	printf 'From x@example.org Mon Jan  1 00:00:00 2024\nA: b\n\nx\n\n'
} >"$work/odd"
t 0 --db "$work/odd.db" import "$work/odd"
mkdir "$work/mh"
cp "$good" "$work/mh/1"
echo 'nothing of mail here' >"$work/mh/2"
cp "$work/eml/000001.eml" "$work/mh/3"
t 4 --db "$work/mh.db" import "$work/mh"
want_err '3 messages read: 2 new, 1 unreadable'
t 0 --db "$work/mh.db" problems
want_out 'mh/2'

# Databases that can't be used.
head -c 100000 /dev/urandom >"$work/damaged.db"
t 5 --db "$work/damaged.db" -q import "$good"
want_error 'damaged.db'
t 4 --db "$work/box/x.db" -q import "$good"
want_error 'box'
t 4 --db /proc/nowhere/x.db -q import "$good"
want_error '/proc/nowhere'
t 2 import
want_error 'usage: culprit import'

# A full disk: nothing of the open batch is kept, the rest is.
if [ "$(id -u)" -eq 0 ] && mkdir "$work/small" &&
	mount -t tmpfs -o size=1500k none "$work/small" 2>/dev/null; then
	trap 'umount "$work/small"; rm -rf "$work"' EXIT
	t 4 --db "$work/small/x.db" -q import "$work/box"
	want_error 'small/x.db'
	mount -o remount,size=64m "$work/small"
	t 0 --db "$work/small/x.db" -q import "$work/box"
	t 0 --db "$work/small/x.db" dump threads
	same "$work/out" "$work/whole"
fi

# So it is where files may not grow, for users of any kind: 800 blocks of 512.
code=0
command_line='import under ulimit -f'
(ulimit -f 800 && exec "$CULPRIT" --db "$work/limit.db" -q import "$work/box") \
	</dev/null >"$work/out" 2>"$work/err" || code=$?
[ "$code" -eq 4 ] || fail "exit code $code"
want_error 'limit.db'
t 0 --db "$work/limit.db" -q import "$work/box"
t 0 --db "$work/limit.db" dump threads
same "$work/out" "$work/whole"

done_
