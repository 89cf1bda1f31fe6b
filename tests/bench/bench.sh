#!/bin/sh
# bench.sh [CULPRIT] - processor seconds and peak memory of the main verbs
# Real mail comes from TEST_CORPUS: linux-btrfs-2019-2020.bundle (a git
# archive of a list) and robot-threads-2019-2023.mboxrd.gz. Wall clock says
# little on a busy machine, so what is printed is user + system time.
set -eu
culprit=${1:-build/release/culprit}
bundle=${TEST_CORPUS:-}/linux-btrfs-2019-2020.bundle
robots=${TEST_CORPUS:-}/robot-threads-2019-2023.mboxrd.gz

if [ ! -e "$bundle" ] || [ ! -e "$robots" ]; then
	echo "bench: no mail to measure with; set TEST_CORPUS to its folder"
	exit 0
fi
if [ ! -x /usr/bin/time ]; then
	echo "bench: /usr/bin/time is missing (Debian: time)" >&2
	exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work
export HOME LC_ALL=C.UTF-8
unset CULPRIT_CONFIG XDG_CONFIG_HOME XDG_DATA_HOME
db=$work/bench.db

# measure NAME MESSAGES COMMAND...: one line of figures; with MESSAGES, the
# time for each.
measure() {
	name=$1 messages=$2
	shift 2
	code=0
	/usr/bin/time -o "$work/time" -f '%U %S %M' "$@" \
		>"$work/out" 2>"$work/err" || code=$?
	tail -n 1 "$work/time" | awk -v name="$name" -v n="$messages" \
		-v code="$code" '{
		printf "%-24s %8.2f s %8.1f MB", name, $1 + $2, $3 / 1024
		if (n > 0)
			printf " %8.1f us/message", ($1 + $2) * 1e6 / n
		if (code > 0)
			printf "  (exit code %d)", code
		printf "\n"
	}'
}

# compare NAME MESSAGES COMMAND...: another program on the same mail, with
# the ratio of its processor time to that of our import
compare() {
	measure "$@"
	awk -v ours="$ours" '{
		printf "%-24s %8.1f times our import\n", "", ($1 + $2) / ours
	}' "$work/time"
}

git clone -q --bare "$bundle" "$work/0.git"
mails=$(git -C "$work/0.git" rev-list --count HEAD)
gzip -dc "$robots" >"$work/robots.mbox"
robot_mails=$(grep -c '^From mboxrd@z ' "$work/robots.mbox")

echo "$mails messages in the git archive, $robot_mails in the mbox"
measure 'import --no-index' "$mails" "$culprit" --db "$db" -q import \
	--no-index "$work/0.git"
ours=$(awk 'END { print $1 + $2 }' "$work/time")
stat -c %s "$db" | awk -v n="$mails" '{
	printf "%-24s %8.1f MB %8.1f bytes/message\n", "state database",
		$1 / 1048576, $1 / n }'
rm -f "$db"*
measure 'import' "$mails" "$culprit" --db "$db" -q import "$work/0.git"
measure 'import again' "$mails" "$culprit" --db "$db" -q import \
	"$work/0.git"
measure 'import mbox.gz' "$robot_mails" "$culprit" --db "$db" -q import \
	"$robots"
measure 'import mbox.gz again' "$robot_mails" "$culprit" --db "$db" -q \
	import "$robots"
"$(dirname "$0")/nntp_line.py" "$culprit" "$work/robots.mbox"
measure 'parse --json mbox' "$robot_mails" "$culprit" parse --json \
	"$work/robots.mbox"
measure 'dump threads' 0 "$culprit" --db "$db" dump threads
measure 'dump series' 0 "$culprit" --db "$db" dump series
measure 'search' 0 "$culprit" --db "$db" search 's:regression d:2020-01-01..'
tree=${TEST_CORPUS:-}/btrfs-progs-2021.git.tar
if [ -e "$tree" ]; then
	tar -x -f "$tree" -C "$work"
	printf '[tree mainline]\npath = %s\n' "$work"/btrfs-progs*.git \
		>"$work/conf"
	measure 'sync of a git tree' 0 "$culprit" --config "$work/conf" \
		--db "$db" -q sync
	measure 'sync of it again' 0 "$culprit" --config "$work/conf" \
		--db "$db" -q sync
fi
measure 'status' 0 "$culprit" --db "$db" status
measure 'pages' 0 "$culprit" --db "$db" pages "$work/pages"
measure 'pages again' 0 "$culprit" --db "$db" pages "$work/pages"
"$(dirname "$culprit")/tests/bench/query_latency" "$db"
measure 'rebuild' $((mails + robot_mails)) "$culprit" --db "$db" -q rebuild
for file in "$db" "$db-spool" "$db-fts"; do
	[ ! -e "$file" ] ||
		echo "$(basename "$file"): $(($(stat -c %s "$file") / 1048576)) MB"
done

echo
echo "Other programs on the same git archive:"
git -C "$work/0.git" rev-list --reverse HEAD | sed 's/$/:m/' >"$work/revs"
compare 'git cat-file --batch' "$mails" sh -c \
	"git -C '$work/0.git' cat-file --batch --buffer <'$work/revs'"
if command -v public-inbox-index >/dev/null; then
	PI_CONFIG=$work/pi-config
	export PI_CONFIG
	public-inbox-init -V2 -L basic t "$work/inbox" http://127.0.0.1/t \
		t@example.org >/dev/null 2>&1
	rm -rf "$work/inbox/git/0.git"
	cp -a "$work/0.git" "$work/inbox/git/0.git"
	compare 'public-inbox-index basic' "$mails" public-inbox-index \
		-L basic -j0 --no-fsync "$work/inbox"
fi
if command -v mairix >/dev/null || command -v notmuch >/dev/null; then
	mkdir -p "$work/md/cur" "$work/md/new" "$work/md/tmp"
	git -C "$work/0.git" cat-file --batch --buffer <"$work/revs" |
		python3 tests/bench/batch_to_maildir.py "$work/md"
fi
if command -v mairix >/dev/null; then
	printf 'base=%s\nmaildir=md\ndatabase=%s/mairix.db\nmfolder=found\n' \
		"$work" "$work" >"$work/mairixrc"
	compare 'mairix' "$mails" mairix -f "$work/mairixrc"
fi
if command -v notmuch >/dev/null; then
	printf '[database]\npath=%s/md\n[new]\ntags=new\n' "$work" \
		>"$work/notmuchrc"
	compare 'notmuch new' "$mails" env \
		NOTMUCH_CONFIG="$work/notmuchrc" notmuch new --quiet
fi

echo
echo "Git trees, the stable branches of which contain what they began with:"
for count in 30000 300000; do
	large=$work/large.git
	rm -rf "$large" "$work/large.db"*
	git init -q --bare "$large"
	python3 tests/bench/tree_stream.py "$count" |
		git -C "$large" fast-import --quiet
	git -C "$large" update-ref -d refs/heads/topic
	printf '[tree linux]\npath = %s\nrole = mainline\nbranches = *\n' \
		"$large" >"$work/large.conf"
	measure "sync, $count commits" 0 "$culprit" --config \
		"$work/large.conf" --db "$work/large.db" -q sync
	stat -c %s "$work/large.db" | awk -v n="$(git -C "$large" rev-list \
		--count --all)" '{
		printf "%-24s %8.1f MB %8.1f bytes/commit (%d)\n", "database",
			$1 / 1048576, $1 / n, n }'
	measure 'sync again' 0 "$culprit" --config "$work/large.conf" \
		--db "$work/large.db" -q sync
done

echo
echo "Tracked items, where many concern one commit or one thread:"
for shape in commit:2500 prefix:2500 thread:5000 chain:5000 tested:5000 \
	reviewed:5000 fixes:5000 series:2500 titles:5000; do
	count=${shape#*:} shape=${shape%:*} many=$work/many.db
	rm -f "$many"*
	python3 tests/bench/items_mail.py "$shape" "$count" >"$work/many.mbox"
	"$culprit" --db "$many" -q import --no-index "$work/many.mbox"
	measure "$shape: dump items" 0 "$culprit" --db "$many" dump items
	measure "$shape: status --json" 0 "$culprit" --db "$many" status \
		--format json
	measure "$shape: show" 0 "$culprit" --db "$many" show \
		report0@example.org
	measure "$shape: why" 0 "$culprit" --db "$many" why patch0@example.org
done

echo
echo "Fetched from servers on loopback:"
"$(dirname "$0")/fetch.sh" "$culprit" || [ $? -eq 77 ]
