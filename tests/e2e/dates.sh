#!/bin/sh
# dates.sh - mail dated far ahead is not the newest for ever
set -u
. tests/e2e/lib.sh
db=$work/a.db
report=202401171609.2c8c0628-lkp@intel.com

ahead() { # NAME [HEADER...]: an answer to the report from the far future
	name=$1
	shift
	mail "$work/$name.eml" "$name@example.org" "Re: ahead $name" \
		"In-Reply-To: <$report>" "$@" <<'EOF'
A clock that is wrong.
EOF
	sed -i 's/^Date: Tue, 3 Mar 2020/Date: Tue, 19 Jan 2038/' \
		"$work/$name.eml"
}

ahead plain
ahead hop 'Received: from x by y; Sun, 1 Mar 2099 10:00:00 +0000'
t 0 --db "$db" -q --now 2024-02-01T00:00:00Z import "$data/demo" \
	"$work/plain.eml" "$work/hop.eml"
mail "$work/later.eml" later@example.org 'after all of them' <<'EOF'
It is March.
EOF
sed -i 's/^Date: Tue, 3 Mar 2020/Date: Sun, 3 Mar 2024/' "$work/later.eml"
t 0 --db "$db" -q --now 2024-03-04T00:00:00Z import "$work/later.eml"

facts() { # FILE: all that is said of time
	for line in 'search --format tsv d:2000-01-01..' \
		'status --format json is:open OR is:closed' \
		"thread --json $report" problems; do
		# shellcheck disable=SC2086
		t 0 --db "$db" $line
		! grep -q '2038-\|2099-' "$work/out" || fail 'a date ahead'
		cat "$work/out"
	done >"$1"
}

t 0 --db "$db" search --limit 1 --format mids d:2000-01-01..
want_out later@example.org
t 0 --db "$db" search --format tsv s:ahead
[ "$(cut -f 1 "$work/out" | sort -u)" = 2024-02-01T00:00:00Z ] ||
	fail "not the time of the import"
t 0 --db "$db" status --format tsv culprit:882f9ba
[ "$(cut -f 9 "$work/out")" = 2024-02-01T00:00:00Z ] || fail "last activity"
t 0 --db "$db" problems
want_out '<plain@example.org>  future-date'
want_out '<hop@example.org>  future-date'
t 0 --db "$db" -q pages "$work/site"
! grep -rl '2038-\|2099-' "$work/site" || fail 'pages: a date ahead'
facts "$work/facts"
t 0 --db "$db" -q rebuild
facts "$work/again"
same "$work/facts" "$work/again"

# An archive knows better when it came, whichever is imported first.
git init -q -b master "$work/inbox"
export GIT_COMMITTER_DATE='2024-01-20T00:00:00Z'
for name in plain hop; do
	cp "$work/$name.eml" "$work/inbox/m"
	git -C "$work/inbox" add m
	git -C "$work/inbox" -c user.name=x -c user.email=x@example.org \
		commit -q -m x
done
git clone -q --bare "$work/inbox" "$work/0.git"
t 0 --db "$db" -q import "$work/0.git"
db=$work/b.db
t 0 --db "$db" -q --now 2024-02-01T00:00:00Z import "$work/0.git"
t 0 --db "$db" -q --now 2024-02-01T00:00:00Z import "$data/demo" \
	"$work/plain.eml" "$work/hop.eml"
t 0 --db "$db" -q --now 2024-03-04T00:00:00Z import "$work/later.eml"
facts "$work/first"
db=$work/a.db
facts "$work/second"
same "$work/first" "$work/second"
t 0 --db "$db" search --format tsv s:ahead
[ "$(cut -f 1 "$work/out" | sort -u)" = 2024-01-20T00:00:00Z ] ||
	fail "not the time of the archive"
done_
