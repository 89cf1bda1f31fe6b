#!/bin/sh
# items.sh - tracked items and the site, as their users meet them
set -u
. tests/e2e/lib.sh

db=$work/c.db
report=202401171609.2c8c0628-lkp@intel.com

t 1 --db "$db" status
want_error 'no database yet'
t 3 --db "$work/none.db" status --max-age 7d
want_error 'no database yet'
t 0 --db "$db" -q import "$data/demo/examplefs.mbox"

# status: open ones, newest activity first; formats; ages.
t 0 --db "$db" status
want_out 'examplefs: aim7 sync_disk_rw slower by a third'
want_no_err
t 0 --db "$db" q is:improvement
want_out '+17.0%'
t 0 --db "$db" status --format json
want_out '{"schema":"culprit/list/1","items":[{"schema":"culprit/item/1","id":"'
t 0 --db "$db" status --format ndjson is:open OR is:closed
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "not four items"
t 0 --db "$db" status --format tsv state:applied metric:aim7
[ "$(cut -f 2,3,4 "$work/out")" = "$(printf 'applied\topen\tregression')" ] ||
	fail "columns of tsv"
id=$(cut -f 1 "$work/out")
# Words of somebody are told apart from what a tree shows.
t 0 --db "$db" status state:applied
want_out '  says applied  '
t 0 --db "$db" fix "$id"
want_out 'said to be applied: '
want_out ' says-applied by '
t 0 --db "$db" show --json "$id"
want_out '"state_basis":"notice"'
notice=$(sed 's/.*"type":"says-applied"[^}]*"message_id":"\([^"]*\)".*/\1/' "$work/out")
t 0 --db "$db" why "$notice"
want_out 'says      applied'
want_out 'event     says-applied: '
t 1 --db "$db" status metric:nothing
want_no_out
t 1 --db "$db" status --format json metric:nothing
want_out '{"schema":"culprit/list/1","items":[]}'
t 2 --db "$db" status 'is:open b:words'
want_error 'column 9'
t 1 --db "$db" status wait:assignee
t 2 --db "$db" status tree:linus=yes
want_error 'column 1: tree: no git tree "linus" is known; there is none'
t 2 --db "$db" status --format xml
want_error '--format xml'
t 2 --db "$db" status --max-age long
want_error '--max-age long'
t 0 --db "$db" --now 2024-02-01T00:00:00Z status --max-age 30d
t 3 --db "$db" --now 2025-02-01T00:00:00Z status --max-age 30d
want_out 'aim7'
want_error 'the newest mail is of 2024-'

# show: every way to name an item.
t 0 --db "$db" show --json "$id"
cp "$work/out" "$work/item.json"
want_out '"state":"applied"'
for what in "$report" "<$report>" "https://lore.kernel.org/r/$report" \
	882f9ba 882f9ba557eb0a056e529b6326e2739bc930d18a \
	"https://example.org/r/$id/"; do
	t 0 --db "$db" show --json "$what"
	same "$work/item.json" "$work/out"
done
t 0 --db "$db" show "$id"
want_out 'applied, regression, open'
want_out 'Tomas Okafor'
t 1 --db "$db" show 1234567
want_error 'no tracked item'
t 2 --db "$db" show
want_error 'arguments missing'

# The same items from the same mail, however often they are derived.
t 0 --db "$db" -q rebuild
t 0 --db "$db" show --json "$id"
same "$work/item.json" "$work/out"

# pages: written once, then nothing; one page an item with its JSON.
t 0 --db "$db" pages "$work/site"
want_out '17 written, 0 unchanged, 0 removed'
same "$work/item.json" "$work/site/r/$id/data.json"
(cd "$work/site" && find . -type f -exec cksum {} +) | sort >"$work/sums"
t 0 --db "$db" pages "$work/site"
want_out '0 written, 17 unchanged, 0 removed'
t 0 --db "$db" --now 2031-01-01T00:00:00Z pages --force "$work/site"
want_out '17 written, 0 unchanged, 0 removed'
(cd "$work/site" && find . -type f -exec cksum {} +) | sort >"$work/again"
same "$work/sums" "$work/again"
! grep -rq '<script' "$work/site" || fail "a script in a page"
if command -v w3m >/dev/null; then
	command_line="w3m -dump"
	w3m -dump -cols 200 "$work/site/r/$id/index.html" >"$work/out"
	want_out 'Regression of 33.7'
	want_out 'it was tested by kernel test robot.'
	want_out '4. Fix tested 2024-01-19 kernel test robot'
fi
touch "$work/file"
t 4 --db "$db" pages "$work/file/site"
want_error "$work/file/site"

# templates: the built-in ones, and mistakes of one's own.
t 0 templates --check
want_out 'right'
mkdir "$work/own"
echo '<p {{x}}>' >"$work/own/mine.html"
t 2 templates --check --dir "$work/own"
want_error 'mine.html:1: '
rm "$work/own/mine.html"
echo '{{> _head.html}}mine{{> _foot.html}}' >"$work/own/about.html"
t 0 --db "$db" pages --templates "$work/own" "$work/site"
want_out '1 written, 16 unchanged, 0 removed'

done_
