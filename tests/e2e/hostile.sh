#!/bin/sh
# hostile.sh - mail and names that want to do harm: what is printed of them
set -u
. tests/e2e/lib.sh

# Escape sequences (7 and 8 bit), a turned reading direction, in every place.
evil=$(printf 'x\033[2J\302\233\342\200\256\001y')
unsafe=$(printf '[\001-\010\013-\037\177]\\|\302\233\\|\342\200\256')
{
	echo "From: kernel test robot <lkp@intel.com>"
	echo "To: $evil <$evil@example.org>"
	echo "Date: Tue, 3 Mar 2020 10:00:00 +0100 $evil"
	echo "Message-ID: <${evil}report@example.org>"
	echo "List-Id: $evil <$evil.example.org>"
	echo "Subject: [mm]  deadbeef01:  $evil.ops -20.5% regression"
	echo
	echo "FYI, we noticed a -20.5% regression of $evil.ops due to commit:"
	echo
	echo "commit: deadbeef01deadbeef01deadbeef01deadbeef01 (\"$evil\")"
	echo "https://example.org/$evil master"
	echo
	echo "in testcase: $evil"
	echo "on test machine: 4 threads $evil"
	echo "Fixes: deadbeef01 (\"$evil\")"
	echo "Link: https://lore.kernel.org/r/$evil@example.org"
} >"$work/a.eml"
{
	echo "From: $evil <person@example.org>"
	echo "Date: $evil"
	echo "Message-ID: <patch@example.org>"
	echo "In-Reply-To: <gone${evil}@example.org>"
	echo "Content-Type: text/plain; charset=$evil"
	echo "Subject: [PATCH $evil 1/1] $evil: mend"
	echo
	echo "Why: $evil"
	echo
	echo "Fixes: deadbeef01 (\"$evil\")"
	echo "Reviewed-by: $evil <r@example.org> # $evil"
	echo "---"
	echo "diff --git a/$evil b/$evil"
	echo "--- a/$evil"
	echo "+++ b/$evil"
	echo "@@ -1 +1 @@"
	echo "-a"
	echo "+b $evil"
} >"$work/b.eml"
echo "no mail" >"$work/$evil"

safe() {
	! LC_ALL=C grep -q "$unsafe" "$work/out" "$work/err" || {
		fail "control bytes on a terminal"
		LC_ALL=C grep -h "$unsafe" "$work/out" "$work/err" |
			head -n 3 | cat -v
	}
}

db=$work/x.db
t 4 --db "$db" import "$work/a.eml" "$work/b.eml" "$work/$evil"
safe
for what in threads series items links; do
	t 0 --db "$db" dump $what
	safe
done
t 0 --db "$db" dump threads
ids=$(awk -F'\t' '$4 == 0 { print $1 }' "$work/out")
[ "$(echo "$ids" | wc -l)" -eq 2 ] || fail "not two messages"
for id in $ids; do
	for verb in thread 'thread --overview' why; do
		# shellcheck disable=SC2086
		t 0 --db "$db" $verb "$id"
		safe
	done
done
t 0 --db "$db" am --stdout patch@example.org
! LC_ALL=C grep -q "$unsafe" "$work/err" || fail "control bytes in a note"
t 0 --db "$db" status is:open
safe
for item in $(cut -d' ' -f1 "$work/out" | head -n 1); do
	t 0 --db "$db" show "$item"
	safe
done
t 0 --db "$db" search mend OR regression
safe
t 0 --db "$db" problems
safe
t 2 --db "$db" search "s:/($evil"
safe
t 1 --db "$db" thread "$evil"
safe
t 1 --db "$db" show "$evil"
safe
t 4 parse "$work/a.eml" "$work/b.eml" "$work/$evil"
safe
t 2 "$evil"
safe
t 2 --now "$evil" status
safe
t 2 --config "$work/a.eml" status
safe
done_
