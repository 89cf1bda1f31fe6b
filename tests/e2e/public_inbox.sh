#!/bin/sh
# public_inbox.sh - the threads of a whole archive are those of public-inbox
# Indexes the archive with public-inbox itself and compares the partition:
# none of its threads may be split, and two may be joined only by a message
# that came twice with other References (public-inbox drops the second one).
# Also: reversed and shuffled arrival give the same dump, byte for byte.
set -u
. tests/e2e/lib.sh

case $CULPRIT in
*/build/release/culprit) ;;
*)
	echo "only of the release build"
	exit 77
	;;
esac
bundle=${TEST_CORPUS:-}/linux-btrfs-2019-2020.bundle
[ -e "$bundle" ] || {
	echo "skipped: no archive (TEST_CORPUS)"
	exit 77
}
for need in public-inbox-index sqlite3 shuf python3; do
	command -v "$need" >/dev/null || {
		echo "skipped: $need is not installed"
		exit 77
	}
done

git clone -q --bare "$bundle" "$work/epoch.git"
PI_CONFIG=$work/pi-config
export PI_CONFIG
public-inbox-init -V2 -L basic t "$work/inbox" http://127.0.0.1/t \
	t@example.org >/dev/null 2>&1
rm -rf "$work/inbox/git/0.git"
cp -a "$work/epoch.git" "$work/inbox/git/0.git"
public-inbox-index -L basic -j0 --no-fsync "$work/inbox" 2>"$work/pi.log"
sqlite3 -separator '	' "$work/inbox/xap15/over.sqlite3" \
	'SELECT m.mid, o.tid FROM over o JOIN id2num i USING (num)
	 JOIN msgid m ON m.id = i.id WHERE o.num > 0' >"$work/theirs"

t 0 -q --db "$work/a.db" import --no-index "$work/epoch.git"
t 0 --db "$work/a.db" dump threads
cp "$work/out" "$work/ours"

# tid -> roots, root -> tids; ids of theirs that we do not know
awk -F '\t' '
NR == FNR { root[$1] = $2; next }
!($1 in root) { unknown++; if (unknown < 5) print "unknown: " $1; next }
{
	r = root[$1]
	if (!(($2, r) in seen)) {
		seen[$2, r] = 1
		if (++roots[$2] == 2) { splits++; print "split: " $1 " " r }
		if (++tids[r] == 2) { joins++; print "join: " r }
	}
}
END {
	printf "messages %d, unknown %d, splits %d, joins %d\n",
		FNR, unknown, splits, joins
	exit splits > 0 || joins > 2
}' "$work/ours" "$work/theirs" >"$work/compared" ||
	fail "other threads than public-inbox"
cat "$work/compared"

# the same mail by other ways and in other orders
git -C "$work/epoch.git" rev-list HEAD | sed 's/$/:m/' >"$work/revs"
for order in reversed shuffled; do
	case $order in
	reversed) cat "$work/revs" ;;
	shuffled) shuf --random-source="$bundle" "$work/revs" ;;
	esac | git -C "$work/epoch.git" cat-file --batch --buffer |
		python3 tests/e2e/batch_to_mbox.py >"$work/$order.mbox"
	t 0 -q --db "$work/$order.db" import --no-index "$work/$order.mbox"
	t 0 --db "$work/$order.db" dump threads
	same "$work/ours" "$work/out"
	rm -f "$work/$order".*
done
done_
