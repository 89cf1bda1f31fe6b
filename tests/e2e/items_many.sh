#!/bin/sh
# items_many.sh - many reports and fixes of one commit or thread: what an item
# keeps is bounded, it says so, and no order of arrival changes it
set -u
. tests/e2e/lib.sh

# fill SHAPE COUNT: into $db, and into $db-2 the other way round; what items
# there are is the same
fill() {
	db=$work/$1.db
	python3 tests/bench/items_mail.py "$1" "$2" >"$work/mbox"
	t 0 --db "$db" -q import --no-index "$work/mbox"
	python3 tests/bench/items_mail.py "$1" "$2" reversed >"$work/mbox"
	t 0 --db "$db-2" -q import --no-index "$work/mbox"
	t 0 --db "$db-2" dump items
	cp "$work/out" "$work/items"
	t 0 --db "$db" dump items
	same "$work/items" "$work/out"
}

# look WHAT EXPECTED: fixes, events, people, state and cut of an item, in both
look() {
	t 0 --db "$db-2" --now 2000-01-01T00:00:00Z show --json "$1"
	cp "$work/out" "$work/other"
	t 0 --db "$db" --now 2000-01-01T00:00:00Z show --json "$1"
	same "$work/other" "$work/out"
	got=$(python3 -c '
import json, sys
i = json.load(sys.stdin)
print(*[len(i[k]) for k in ("fixes", "events", "people")], i["state"],
      *i["cut"])' <"$work/out")
	[ "$got" = "$2" ] || fail "$got, expected: $2"
}

# Reports and patches take turns: the first report has the most to choose of.
fill commit 120
[ "$(grep -c 'fix-posted' "$work/out")" -eq 120 ] || fail "states"
look report0@example.org '100 102 101 fix-posted fixes'
look report19@example.org '100 102 101 fix-posted fixes'
look report20@example.org '100 102 101 fix-posted'
look report119@example.org '1 3 2 fix-posted'
t 0 --db "$db" show report0@example.org
want_out 'there are more fixes than are kept'
t 0 --db "$db" show report20@example.org
! grep -q '^cut' "$work/out" || fail "nothing was cut"
t 0 --db "$db" why report0@example.org
want_out 'only the earliest are kept: fixes'
t 0 --db "$db" pages "$work/site"
t 0 --db "$db" dump items
id=$(sed -n 's/^report0@example.org\t\([^\t]*\)\t.*/\1/p' "$work/out")
cp "$work/site/r/$id/index.html" "$work/out"
want_out '<p>Only the earliest are kept: fixes.</p>'
want_out '>50 more</a>'

# Seven digits name each of these commits.
fill prefix 110
look report0@example.org '100 102 101 fix-posted fixes'
look report109@example.org '1 3 2 fix-posted'

fill tested 130
look report0@example.org '1 103 102 fix-tested tags'
# one test behind many reviews counts
fill reviewed 130
look report0@example.org '1 103 102 fix-tested tags'
t 0 --db "$db" show --json report0@example.org
want_out '"status":"tested","evidence":"thread","message_id":"tag129@'

fill fixes 130
look report0@example.org '100 102 101 fix-posted fixes'
# patch0 to patch99, the earliest
t 0 --db "$db" show --json report0@example.org
want_out '"patch_message_id":"patch99@'
! grep -q '"patch_message_id":"patch100@' "$work/out" || fail "not the earliest"

# 100 patches of a series, each tested by the same 100: an event a test
fill series 130
look report0@example.org '100 202 102 fix-tested fixes tags'

fill thread 130
look report7@example.org '0 2 1 bisected'
fill chain 110
look report0@example.org '100 102 101 fix-posted fixes'
look report109@example.org '100 102 101 fix-posted fixes'
fill titles 60
look report0@example.org '1 31 2 fix-posted'

done_
