#!/bin/sh
# search.sh - searching the demo archive from the command line
set -u
. tests/e2e/lib.sh

t 0 -q --db "$work/a.db" import "$data/demo"
t 0 --db "$work/a.db" search --format mids 's:"jobs-per-min -33.7%"' is:report
want_out '202401171609.2c8c0628-lkp@intel.com'
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than the report"
t 0 --db "$work/a.db" search --format tsv trailer:\"tested-by kernel test\"
want_out 'ZahR1Xw2Fz@wen-desk'
t 0 --db "$work/a.db" search --format ndjson dfn:fs/examplefs/super.c is:patch
want_out '"message_id":"20240112101112.1-1-ida@example.org"'
t 0 --db "$work/a.db" search --limit 1 --format json l:examplefs
want_out '"schema":"culprit/messages/1"'
t 0 --db "$work/a.db" search q:surprise OR nq:surprise
want_out 'Re: [examplefs] 882f9ba557'
for id in 20240112101112.1-1-ida@example.org \
	'<20240112101112.1-1-ida@example.org>' \
	https://lore.kernel.org/examplefs/20240112101112.1-1-ida@example.org/ \
	https://lore.kernel.org/r/20240112101112.1-1-ida%40example.org/t/; do
	t 0 --db "$work/a.db" search --format mids "$id"
	want_out 20240112101112.1-1-ida@example.org
	[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than that message"
done
t 1 --db "$work/a.db" search nosuchwordanywhere
want_no_out
want_no_err
t 2 --db "$work/a.db" search 's:"open'
want_error 'query: column 3: expected a closing quotation mark'
t 2 --db "$work/a.db" search xyz:1
want_error 'column 1: unknown prefix'
t 2 --db "$work/a.db" search --format xml a
want_error '--format xml'
t 1 --db "$work/none.db" search a

# a mail without a date is of no year
mail "$work/undated.eml" undated@example.org 'no date at all' <<'EOF'
text
EOF
mail "$work/reply.eml" reply@example.org 'Re: no date at all' \
	'In-Reply-To: <undated@example.org>' <<'EOF'
text
EOF
sed -i '/^Date:/d' "$work/undated.eml" "$work/reply.eml"
t 0 -q --db "$work/u.db" import "$work/undated.eml" "$work/reply.eml"
t 0 --db "$work/u.db" search date
want_out 'unknown date      no date at all'
for line in 'search date' 'search --format tsv date' \
	'search --format json date' 'search --format ndjson date' \
	'why undated@example.org' 'thread undated@example.org' \
	'thread --json undated@example.org' problems 'problems --json' \
	'thread --overview undated@example.org'; do
	# shellcheck disable=SC2086
	t 0 --db "$work/u.db" $line
	! grep -q '1970\|null)' "$work/out" || fail "a date of 1970"
done
want_out 'unknown date     '
t 0 --db "$work/u.db" search --format tsv date
want_out "$(printf -- '-\tundated@example.org\t')"

# an import without the full text says so, and `index` catches up
t 0 -q --db "$work/b.db" import --no-index "$data/demo"
t 1 --db "$work/b.db" search surprise
want_error "not in the full text yet: run 'culprit index'"
t 0 --db "$work/b.db" index
want_err 'messages added'
t 0 --db "$work/b.db" search surprise
want_no_err
done_
