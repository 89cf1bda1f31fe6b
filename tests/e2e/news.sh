#!/bin/sh
# news.sh - what changed: digest, who is next, the weekly report
set -u
. tests/e2e/lib.sh

db=$work/db
now=2024-01-25T00:00:00Z
for verb in digest next report; do
	t 1 --db "$db" "$verb"
	want_error 'no database yet'
done
t 0 -q --db "$db" import "$data/demo/examplefs.mbox"

# digest: new, changed, of that time alone.
t 0 --db "$db" --now $now digest
want_out 'new: 1'
want_out 'fsmark.files_per_sec -28.8% on fsmark'
want_out 'changed: 1'
want_out '2024-01-19 rerun-recovered, Wen Tangaro'
t 0 --db "$db" --now $now digest --since 2024-01-20 --format tsv is:regression
[ "$(cut -f 1,3 "$work/out" | head -n 1)" = "$(printf 'new\trerun-failed')" ] ||
	fail "columns of tsv"
t 0 --db "$db" --now $now digest --since 100d --format json
python3 - "$work/out" <<'EOP' || fail "the JSON is not as expected"
import json, sys
d = json.load(open(sys.argv[1]))
assert d['schema'] == 'culprit/digest/1' and len(d['new']) == 3
assert d['until'] == '2024-01-25T00:00:00Z'
assert all(i['events'] for i in d['new']) and d['changed'] == []
EOP
t 0 --db "$db" --now $now digest --since 100d --format ndjson s:fsmark
want_out '"news":"new"'
t 1 --db "$db" --now 2023-01-01T00:00:00Z digest
t 2 --db "$db" digest --since soon
want_error '--since soon'
t 2 --db "$db" digest b:x
want_error 'column 1'

# report: a mail, and the same one again.
t 0 --db "$db" --now $now report
cp "$work/out" "$work/first"
t 0 --db "$db" --now $now report
same "$work/first" "$work/out"
want_out 'Subject: Linux regressions report [2024-01-25]'
want_out '[ *NEW* ] fsmark.files_per_sec -28.8% on fsmark'
want_out 'https://lore.kernel.org/all/202401171609.2c8c0628-lkp@intel.com/'
want_out 'State: rerun-failed.'
python3 - "$work/out" <<'EOP' || fail "the mail is not as expected"
import email, email.policy, sys
m = email.message_from_binary_file(open(sys.argv[1], 'rb'),
                                   policy=email.policy.default)
assert not m.defects and m['Auto-Submitted'] == 'auto-generated'
assert m['Date'].datetime.isoformat() == '2024-01-25T00:00:00+00:00'
assert m['From'].addresses[0].addr_spec and m['Message-ID'].endswith('>')
for line in m.get_content().splitlines():
    assert len(line) <= 72 or line.strip().startswith('https://'), line
    assert line == line.rstrip() or line == '-- ', line
EOP
cat >"$work/conf" <<EOT
[store]
path=$db
[bot]
name=Reg Bot (invented)
address=bot@example.org
host=example.org
url=https://example.org/tracker
EOT
t 0 --config "$work/conf" --now $now report is:regression
want_out 'From: "Reg Bot (invented)" <bot@example.org>'
want_out 'https://example.org/tracker/r/202401-'
t 1 --db "$db" --now $now report s:nothing
t 2 --db "$db" report --since soon
want_error '--since soon'

# To whom, and the report before.
cat >>"$work/conf" <<EOT
[list fs]
address=fs@lists.example.org
[list other]
address=other@lists.example.org
EOT
t 0 -q --config "$work/conf" import --list fs "$data/demo/examplefs.mbox"
mail "$work/last" regressions-2024-01-18-0123456789abcdef@example.org \
	'Linux regressions report [2024-01-18]' <<EOT
Nothing.
EOT
t 0 -q --config "$work/conf" import "$work/last"
t 0 --config "$work/conf" --now $now report
want_out 'To: fs@lists.example.org'
! grep -q 'previous report' "$work/out" || fail 'not its own mail'
sed -e 's/^From: .*/From: Reg Bot <Bot@example.org>/' \
	-e 's/^Date: .*/Date: Thu, 18 Jan 2024 12:00:00 +0000/' \
	-e 's/0123456789abcdef/1123456789abcdef/' "$work/last" >"$work/own"
t 0 -q --config "$work/conf" import "$work/own"
t 0 --config "$work/conf" --now $now report
want_out 'https://lore.kernel.org/all/regressions-2024-01-18-1123456789abcdef@example.org/'
want_out 'new since 2024-01-18'
t 0 --config "$work/conf" --now $now report --since 2024-01-10 --to a@example.org
want_out 'To: a@example.org'
want_out 'new since 2024-01-10'
t 2 --config "$work/conf" report --to nobody
want_error '--to nobody'

# Whoever "me" is.
t 0 --config "$work/conf" --now $now status 'person:lkp@intel.com'
GIT_AUTHOR_EMAIL=LKP@intel.com
export GIT_AUTHOR_EMAIL
t 0 --config "$work/conf" --now $now status person:me
unset GIT_AUTHOR_EMAIL EMAIL GIT_CONFIG_GLOBAL
t 2 --config "$work/conf" --now $now status person:me
want_error 'column 1: person: who "me" is'
mkdir -p "$HOME"
printf '[user]\nemail = lkp@intel.com\n' >"$HOME/.gitconfig"
t 0 --config "$work/conf" --now $now status person:me

# next: whoever is waited for.
t 2 --db "$db" next --format xml
want_error '--format xml'
t 1 --db "$db" --now $now next is:improvement
want_no_out

done_
