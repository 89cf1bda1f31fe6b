#!/bin/sh
# formats.sh - does docs/formats.md name every key that is printed, and is each
# there in its type?
set -u
. tests/e2e/lib.sh
command -v python3 >/dev/null || {
	echo "no python3"
	exit 77
}
db=$work/c.db
t 0 --db "$db" -q import tests/data/demo
every='is:open OR is:closed'
{
	"$CULPRIT" parse --json --body tests/data/demo/*
	"$CULPRIT" --db "$db" problems --json
	"$CULPRIT" --db "$db" status --format json "$every"
	# A line of these has the keys of the list's items.
	"$CULPRIT" --db "$db" status --format ndjson "$every" |
		sed 's|.*|{"schema":"culprit/list/1","items":[&]}|'
	"$CULPRIT" --db "$db" status --format tsv "$every" | cut -f 1 |
		while read -r item; do
			"$CULPRIT" --db "$db" show --json "$item"
		done
	"$CULPRIT" --db "$db" dump threads | cut -f 2 | sort -u |
		while read -r root; do
			"$CULPRIT" --db "$db" thread --json "$root"
		done
} >"$work/json"
command_line='all JSON of the demo archive'
python3 - "$work/json" docs/formats.md >"$work/out" <<'EOF' || fail "see above"
import json, re, sys

with open(sys.argv[2], encoding="utf-8") as file:
    named = set(re.findall(r"`([a-z_0-9]+)`", file.read()))
used = set()


def walk(value, free):
    if isinstance(value, dict):
        for key, inner in value.items():
            if not free:
                used.add(key)
            walk(inner, key in ("parameters", "params"))
    elif isinstance(value, list):
        for inner in value:
            walk(inner, False)


with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        walk(json.loads(line), False)
missing = sorted(used - named)
print("%d keys; not in the document: %s" % (len(used), " ".join(missing)))
sys.exit(1 if missing or len(used) < 100 else 0)
EOF
cat "$work/out"
python3 tests/e2e/json_types.py culprit/message/1 culprit/thread/1 \
	culprit/item/1 culprit/list/1 culprit/problem/1 <"$work/json" \
	>"$work/out" || fail "see above"
cat "$work/out"

# The same of real mail, where there is some.
corpus=${TEST_CORPUS:-}/robot-threads-2019-2023.mboxrd.gz
if [ -e "$corpus" ]; then
	command_line="JSON of $corpus"
	"$CULPRIT" parse --json "$corpus" | python3 tests/e2e/json_types.py \
		culprit/message/1 >"$work/out" || fail "see above"
	cat "$work/out"
fi

# Lines with tabs have their columns, whatever is unknown.
for line in 'status --format tsv:12' 'dump threads:4' 'dump series:10' \
	'dump items:5' 'dump links:3' 'search --format tsv x:5'; do
	# shellcheck disable=SC2086
	t 0 --db "$db" ${line%:*}
	awk -F '\t' -v n="${line##*:}" 'NF != n { print; bad = 1 }
		END { exit bad || !NR }' "$work/out" || fail "other columns"
done
done_
