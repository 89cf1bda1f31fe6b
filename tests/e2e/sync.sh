#!/bin/sh
# sync.sh - sources read side by side: one summary, a bar on a terminal, an
# interrupt that loses nothing
set -u
. tests/e2e/lib.sh

conf=$work/c.conf
db=$work/c.db
mkdir -p "$work/md/cur" "$work/md/new" "$work/md/tmp"
LC_ALL=C awk -v n=3000 -v form=rd -f tests/e2e/mails.awk >"$work/box"
for n in 1 2 3; do
	mail "$work/md/new/$n" "md$n@example.org" "zebra $n" <<END
Text $n
END
done
cat >"$conf" <<END
[store]
path = $db
[source box]
type = mbox
path = $work/box
list = box
[source drop]
type = maildir
path = $work/md
[source again]
type = maildir
path = $work/md
END

t 0 --config "$conf" sync
want_error 'culprit: sync: 3 sources: 3006 messages read: '
want_err ' 3 known'
want_no_out
t 0 --config "$conf" doctor --offline
want_out 'index     complete'
t 0 --config "$conf" search --format tsv zebra
[ "$(wc -l <"$work/out")" -eq 3 ] || fail 'not found in full'
t 0 --config "$conf" -q sync drop
want_no_err
t 0 --config "$conf" sync drop
want_error '1 source: 3 messages read: 0 new, 3 known'
t 0 --config "$conf" dump threads
cp "$work/out" "$work/threads"

# On a terminal a line a source, and nothing of it is left at the end.
if command -v script >/dev/null; then
	rm -f "$db"*
	command_line='culprit sync on a terminal'
	script -qec "'$CULPRIT' --config '$conf' sync" "$work/typescript" \
		>/dev/null 2>&1 || fail 'did not end well'
	tr '\r' '\n' <"$work/typescript" >"$work/out"
	want_out ' messages'
	want_out '3 sources: 3006 messages read'
fi

# Interrupted at any moment: told by its exit code, gone on with by the next.
rm -f "$db"*
for ms in 050 100 150 200 300; do
	command_line="culprit sync, interrupted after $ms ms"
	code=0
	timeout --preserve-status -s INT "0.$ms" "$CULPRIT" --config "$conf" \
		-q sync 2>"$work/err" || code=$?
	case $code in
	0 | 130) ;;
	*) fail "exit code $code" ;;
	esac
	want_no_err
done
t 0 --config "$conf" -q sync
t 0 --config "$conf" dump threads
same "$work/threads" "$work/out"

# What can't be had is a problem until it can.
mv "$work/box" "$work/away"
t 4 --config "$conf" sync
want_err "culprit: source box: $work/box: No such file"
want_err '3 sources: 1 failed, 6 messages read'
t 0 --config "$conf" problems
want_out '[source box]'
sed 's/\[source box\]/[source other]/' "$conf" >"$work/renamed"
t 0 --config "$work/renamed" -q sync drop
t 0 --config "$conf" problems
! grep -qF '[source box]' "$work/out" || fail 'a source that is no more'
t 4 --config "$conf" -q sync box
mv "$work/away" "$work/box"
t 0 --config "$conf" -q sync box
t 0 --config "$conf" problems
! grep -qF '[source box]' "$work/out" || fail 'still a problem'
done_
