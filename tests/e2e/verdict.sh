#!/bin/sh
# verdict.sh - a report and its reruns as files, judged without a database
set -u
. tests/e2e/lib.sh

thread=$data/rerun

# For people: what is said, and what was assumed.
t 0 verdict "$thread"/*.eml
want_out 'not-recovered, high confidence: aim7.jobs-per-min with c81f3a5e0d79'
want_out '4 % of the change is gone (95 %: -3 to 11)'
want_out '    recovered, high confidence: aim7.jobs-per-min with 7b24e9d1c06f'
want_out '100 % of the change is gone'
want_out 'base from the report'
want_out 'contradicts the Tested-by in <dev-3@example.org>'

# For programs, and whatever the order or the form of the files.
t 0 verdict --json "$thread"/*.eml
cp "$work/out" "$work/first"
t 0 verdict --json "$thread/5-thanks.eml" "$thread/4-second.eml" \
	"$thread/3-first.eml" "$thread/2-patch.eml" "$thread/1-report.eml"
cmp -s "$work/out" "$work/first" || fail "another order, another verdict"
mbox "$work/box" "$thread/4-second.eml" "$thread/1-report.eml" \
	"$thread/2-patch.eml" "$thread/5-thanks.eml" "$thread/3-first.eml"
t 0 verdict --json "$work/box"
cmp -s "$work/out" "$work/first" || fail "an mbox, another verdict"
t 0 verdict --json "$thread"/*.eml "$work/box"
cmp -s "$work/out" "$work/first" || fail "a mail twice, another verdict"
python3 - "$work/first" <<'EOF' || fail "the JSON is not as expected"
import json, sys
report = json.loads(open(sys.argv[1]).read())
assert report['schema'] == 'culprit/verdict/1'
assert report['report_message_id'] == '201703081105.5d0e7b93-lkp@intel.com'
assert report['metric'] == 'aim7.jobs-per-min'
assert report['direction'] == 'regression'
bad, good = report['reruns']
assert bad['verdict'] == 'not-recovered' and good['verdict'] == 'recovered'
assert good['message_id'] == 'eva-2@example.com'
assert good['candidate'].startswith('7b24e9d1c0')
assert good['candidate_subject'] == 'smallfs: set and clear bits ' \
    'without a barrier'
assert abs(good['ratio'] - 39541 / 39556) < 1e-9
assert abs(bad['ratio'] - 1622 / 39556) < 1e-9
assert good['runs'] == [3, 4, 5] and good['confidence'] == 'high'
assert good['ci95'][0] < good['ci95_best'][0] < good['ratio']
assert good['ratio'] < good['ci95_best'][1] < good['ci95'][1]
assert good['headline'] is True and good['other_setup'] is False
EOF

# A report alone has no rerun; a rerun alone is judged against nothing.
t 0 verdict --json "$thread/1-report.eml"
want_out '"reruns":[]'
t 1 verdict "$thread/3-first.eml"
want_error 'no report'
t 4 verdict "$work/absent.eml"
want_error 'absent.eml'
t 2 verdict

# The same verdicts from a database, whichever mail came first.
t 0 -q --db "$work/db" import "$thread/5-thanks.eml" "$thread/4-second.eml" \
	"$thread/1-report.eml" "$thread/3-first.eml" "$thread/2-patch.eml"
t 0 --db "$work/db" show --json 201703081105.5d0e7b93-lkp@intel.com
python3 - "$work/first" "$work/out" <<'EOF' || fail "other verdicts from a database"
import json, sys
told, item = [json.load(open(f)) for f in sys.argv[1:]]
keys = 'message_id', 'candidate', 'verdict', 'ratio', 'confidence', 'notes'
assert [[r[k] for k in keys] for r in told['reruns']] == \
    [[r[k] for k in keys] for r in item['reruns']]
assert item['state'] == 'fix-tested'
EOF

done_
