#!/bin/sh
# check_series.sh - may numbers be trusted, and what they were before
set -u
. tests/e2e/lib.sh

db=$work/db
thread=$data/rerun

t 1 --db "$db" check 5d0e7b9
want_error 'no database yet'
t 1 --db "$db" series aim7
want_error 'no database yet'
t 0 -q --db "$db" import "$thread"/*.eml "$data/demo/examplefs.mbox"

# check: runs, noise, verdicts, history, in words.
t 0 --db "$db" check 5d0e7b93a2
want_out 'no contradiction'
want_out '1a6c0f4e8b21 (base): 3 runs, by the rows of failures; 117419 ± 1%'
want_out 'rerun <eva-2@example.com>'
want_out 'recovered, high confidence'
want_out 'the first report of this test'
t 0 --db "$db" check --json 201703081105.5d0e7b93-lkp@intel.com
python3 - "$work/out" <<'EOP' || fail "the JSON is not as expected"
import json, sys
c = json.load(open(sys.argv[1]))
assert c['schema'] == 'culprit/check/1' and c['findings'] == 0
assert [m['role'] for m in c['mails']] == ['report', 'rerun', 'rerun']
table = c['mails'][0]['tables'][0]
assert table['headline']['metric'] == c['metric'] == 'aim7.jobs-per-min'
assert [k['runs'] for k in table['columns']] == [3, 4]
assert [k['role'] for k in table['columns']] == ['base', 'culprit']
assert table['row_count'] == 4 and 'rows' not in table
assert c['history']['count'] == 1 and len(c['reruns']) == 2
EOP
t 1 --db "$db" check 1234567
want_error 'no tracked item'
t 2 --db "$db" check
want_error 'arguments missing'

# A number that was made up.
sed -e 's/^Message-ID: .*/Message-ID: <forged@example.org>/' \
	-e 's/^    117419/    517419/' "$thread/1-report.eml" >"$work/forged"
t 0 -q --db "$work/db2" import "$work/forged"
t 0 --db "$work/db2" check forged@example.org
want_out '1 contradiction in 1 table'
want_out 'change-mismatch: '

# series: by query or id, whole; formats.
t 0 --db "$db" series metric:aim7 param.fs:f2fs
want_out 'aim7.jobs-per-min on aim7/lkp-ivb-ep9'
want_out '  2017-03-08  -33.7% regression, 5d0e7b93a2c4, fix-tested, '
want_out '117404 ± 0%  7b24e9d1c06f, 5 runs, <eva-2@example.com>'
t 0 --db "$db" status --format tsv culprit:5d0e7b93a2
id=$(cut -f 1 "$work/out")
t 0 --db "$db" series --format json "$id"
python3 - "$work/out" <<'EOP' || fail "the JSON is not as expected"
import json, sys
l = json.load(open(sys.argv[1]))
assert l['schema'] == 'culprit/series-list/1'
s, = l['series']
assert s['schema'] == 'culprit/series/1' and s['machine'] == 'lkp-ivb-ep9'
assert [o['mean'] for o in s['observations']] == [117419, 77863, 79485, 117404]
assert [r['change_percent'] for r in s['reports']] == [-33.7]
EOP
cp "$work/out" "$work/list"
t 0 --db "$db" series --format ndjson "$id"
python3 - "$work/list" "$work/out" <<'EOP' || fail "ndjson tells other things"
import json, sys
assert json.load(open(sys.argv[1]))['series'] == \
    [json.loads(l) for l in open(sys.argv[2])]
EOP
t 0 --db "$db" series --format tsv "$id"
[ "$(cut -f 6 "$work/out" | tr '\n' ' ')" = '117419 77863 79485 117404 ' ] ||
	fail "columns of tsv"
t 1 --db "$db" series metric:nothing
want_no_out
t 2 --db "$db" series 'metric:aim7 b:x'
want_error 'column 13'
t 2 --db "$db" series --format xml aim7
want_error '--format xml'
t 2 --db "$db" series

done_
