#!/bin/sh
# rebuild_kill.sh - killed at any moment, a rebuild is completed by whatever
# writes next: an import, the index, or another rebuild
set -u
. tests/e2e/lib.sh

LC_ALL=C awk -v n=3500 -v form=rd -f tests/e2e/mails.awk >"$work/box"
mail "$work/new.eml" new@example.org 'topic: one more' \
	'In-Reply-To: <m0@example.org>' <<'EOF'
It came after the power was back.
EOF

dump() { # DB FILE
	for what in threads links series items; do
		t 0 --db "$1" dump $what
		want_no_err
		cat "$work/out"
	done >"$2"
	t 0 --db "$1" search topic
	want_no_err
	cat "$work/out" >>"$2"
}

t 0 --db "$work/base.db" -q import "$work/box"
dump "$work/base.db" "$work/old"
for file in "$work"/base.db*; do
	cp "$file" "$work/whole.db${file##*/base.db}"
done
t 0 --db "$work/whole.db" -q import "$work/new.eml"
dump "$work/whole.db" "$work/new"
! cmp -s "$work/old" "$work/new" || fail 'nothing new'

# What completes it, the result, and what is said.
round() {
	case $((rounds % 3)) in
	0)
		t 0 --db "$work/x.db" import "$work/new.eml"
		want_err 'a rebuild has not ended; it is completed first'
		want_err '1 messages read: 1 new'
		[ "$(wc -l <"$work/err")" -eq 2 ] || fail 'more is said'
		dump "$work/x.db" "$work/got"
		same "$work/new" "$work/got"
		;;
	1)
		t 0 --db "$work/x.db" -q index
		want_no_err
		dump "$work/x.db" "$work/got"
		same "$work/old" "$work/got"
		;;
	2)
		t 0 --db "$work/x.db" -q rebuild
		want_no_err
		dump "$work/x.db" "$work/got"
		same "$work/old" "$work/got"
		;;
	esac
	t 0 --db "$work/x.db" doctor
	want_no_err
	want_out 'index     complete'
	! grep -q '^rebuild' "$work/out" || fail 'a rebuild is left'
}

rounds=0
ms=20
while :; do
	rm -f "$work"/x.db*
	for file in "$work"/base.db*; do
		cp "$file" "$work/x.db${file##*/base.db}"
	done
	code=0
	timeout --preserve-status -s KILL "$(printf '%d.%03d' $((ms / 1000)) \
		$((ms % 1000)))" sh -c 'exec "$@" 2>"$0"' "$work/err" \
		"$CULPRIT" --db "$work/x.db" -q rebuild 2>/dev/null || code=$?
	[ $code -ne 0 ] || break
	command_line="rebuild killed after $ms ms"
	[ $code -eq 137 ] || fail "exit code $code"
	ms=$((ms + 1 + ms / 3))
	t 0 --db "$work/x.db" doctor
	grep -q '^rebuild   not complete' "$work/out" || continue
	round
	rounds=$((rounds + 1))
	[ "$rounds" -lt 6 ] || break
done
command_line='rebuilds that were killed'
[ "$rounds" -ge 3 ] || fail "only $rounds were cut short"
done_
