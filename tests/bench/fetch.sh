#!/bin/sh
# fetch.sh [CULPRIT] - what fetching costs beyond importing the same mail
# 3,000 real messages from public-inbox on loopback, by each protocol, against
# an import of their mbox: processor time of culprit alone, the least of three.
set -eu
CULPRIT=${1:-build/release/culprit}
export CULPRIT
. tests/e2e/lib.sh
set -eu
. tests/e2e/lib_servers.inc

servers_need public-inbox-netd
count=${2:-3000}
real_mail "$count" >"$work/mbox"
LORE_LEVEL=basic
export LORE_LEVEL
servers_up lore lore-up.sh "$work/mbox"
source_() {
	printf '[source %s]\nrate=0\n' "$1"
	shift
	printf '%s\n' "$@"
}
{
	source_ nntp type=nntp "server=nntp://127.0.0.1:$LORE_NNTP_PORT" \
		"groups=$LORE_GROUP"
	source_ nntps type=nntp "server=localhost:$LORE_NNTPS_PORT" \
		"groups=$LORE_GROUP" "ca-file=$LORE_CA"
	source_ imap type=imap "server=imap://127.0.0.1:$LORE_IMAP_PORT" \
		"mailboxes=$LORE_GROUP.0"
	source_ imaps type=imap "server=localhost:$LORE_IMAPS_PORT" \
		"mailboxes=$LORE_GROUP.0" "ca-file=$LORE_CA"
} >"$work/conf"

# least COMMAND...: into an empty database; user and system seconds
least() {
	for _ in 1 2 3; do
		rm -f "$work/x.db"*
		/usr/bin/time -a -o "$work/times" -f '%U %S' "$CULPRIT" -q \
			--config "$work/conf" --db "$work/x.db" "$@"
	done
	awk '{ t = $1 + $2; if (NR == 1 || t < best) best = t }
		END { print best }' "$work/times"
	rm -f "$work/times"
}

base=$(least import "$work/mbox")
echo "$count messages of an mbox: $base s"
for name in nntp nntps imap imaps; do
	cost=$(least sync "$name")
	awk -v name="$name" -v cost="$cost" -v base="$base" 'BEGIN {
		printf "%-8s %6.2f s, %+.1f %%\n", name, cost,
			100 * (cost - base) / base }'
done
