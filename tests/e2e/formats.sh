#!/bin/sh
# formats.sh - does docs/formats.md name every key that is printed?
set -u
. tests/e2e/lib.sh
command -v python3 >/dev/null || {
	echo "no python3"
	exit 77
}
db=$work/c.db
t 0 --db "$db" -q import tests/data/demo
{
	"$CULPRIT" parse --json --body tests/data/demo/*
	"$CULPRIT" --db "$db" problems --json
	"$CULPRIT" --db "$db" status --format json
	"$CULPRIT" --db "$db" status --format tsv | while read -r item _; do
		"$CULPRIT" --db "$db" show --json "$item"
		"$CULPRIT" --db "$db" thread --json "$(
			"$CULPRIT" --db "$db" show --json "$item" |
				sed 's/.*"report_message_id":"\([^"]*\)".*/\1/'
		)"
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
done_
