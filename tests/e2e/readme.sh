#!/bin/sh
# readme.sh - is what README.md shows what one sees?
set -u
. tests/e2e/lib.sh
command -v python3 >/dev/null || {
	echo "no python3"
	exit 77
}
command_line='tools/readme'
tools/readme "$CULPRIT" README.md || fail "\"make golden\" mends most"
done_
