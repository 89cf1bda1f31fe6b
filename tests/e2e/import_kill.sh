#!/bin/sh
# import_kill.sh - killed or interrupted at any moment, an import loses and
# doubles nothing: the next one completes it
set -u
. tests/e2e/lib.sh

LC_ALL=C awk -v n=3000 -v form=rd -f tests/e2e/mails.awk >"$work/box"
git init -q --bare -b master "$work/epoch.git"
mkdir "$work/eml"
LC_ALL=C awk -v n=1500 -v form=eml -v dir="$work/eml" -f tests/e2e/mails.awk
for file in "$work"/eml/*; do
	printf 'blob\nmark :1\ndata %s\n' "$(wc -c <"$file")"
	cat "$file"
	printf '\ncommit refs/heads/master\n'
	printf 'committer A <a@example.org> 1704067200 +0000\ndata 1\nx\n'
	printf 'deleteall\nM 100644 :1 m\n\n'
done | git -C "$work/epoch.git" fast-import --quiet

dump() { # DB FILE
	for what in threads links series; do
		t 0 --db "$1" dump $what
		cat "$work/out"
	done >"$2"
	t 0 --db "$1" search topic
	cat "$work/out" >>"$2"
}

t 0 --db "$work/whole.db" -q import "$work/box" "$work/epoch.git"
dump "$work/whole.db" "$work/whole"

# killed SIGNAL CODE: import again and again, each time a little longer
killed() {
	rm -f "$work"/x.db*
	ms=20
	while :; do
		code=0
		command_line="import killed with $1 after $ms ms"
		timeout --preserve-status -s "$1" "$(printf '%d.%03d' $((ms / 1000)) \
			$((ms % 1000)))" sh -c 'exec "$@" 2>"$0"' \
			"$work/err" "$CULPRIT" --db "$work/x.db" -q \
			import "$work/box" "$work/epoch.git" \
			2>/dev/null || code=$?
		[ $code -ne 0 ] || break
		[ $code -eq "$2" ] || fail "exit code $code"
		[ ! -s "$work/err" ] || fail "$(head -n 1 "$work/err")"
		ms=$((ms + 1 + ms / 5))
		rounds=$((rounds + 1))
	done
	dump "$work/x.db" "$work/got"
	command_line="imports killed with $1"
	same "$work/whole" "$work/got"
}

rounds=0
killed KILL 137
[ "$rounds" -ge 3 ] || fail "only $rounds imports were cut short"
killed INT 130
killed TERM 143

done_
