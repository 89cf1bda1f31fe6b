#!/bin/sh
# http_inbox.sh - an archive of public-inbox, read over the web and followed by
# its git repositories: what is in the database is what importing it gives,
# also after deliveries, a stop of the server, a new epoch and a purge
# INBOX_MAILS real mails (80); INBOX_KILLS moments at which it is killed (3).
set -u
. tests/e2e/lib.sh
# shellcheck disable=SC1091
. tests/e2e/lib_servers.inc
servers_need public-inbox-netd public-inbox-purge git

real_mail "${INBOX_MAILS:-80}" >"$work/box.mbox"
servers_up lore lore-up.sh "$work/box.mbox"
ports="$LORE_NNTP_PORT $LORE_NNTPS_PORT $LORE_IMAP_PORT $LORE_IMAPS_PORT"
ports="$ports $LORE_POP3_PORT $LORE_HTTP_PORT"
again() {
	LORE_PORTS=$ports servers_up lore lore-up.sh "$work/box.mbox"
}

for type in http inbox; do
	cat >"$work/$type.conf" <<END
[store]
path=$work/$type.db
[source lore]
type=$type
url=$LORE_URL
timeout=20s
END
done

# sync_both CODE: and the same number of new mails from both
sync_both() {
	for type in http inbox; do
		t "$1" --config "$work/$type.conf" sync
	done
}

deliver() { # ID SUBJECT [HEADER...]
	echo "Text of $2." | mail "$work/one" "$1" "$2" "To: $LORE_ADDR"
	"$servers/lore-deliver.sh" "$work/lore" <"$work/one" || fail "deliver"
}

# all_same: both databases are as if the archive had been imported
all_same() {
	rm -rf "$work"/import.db*
	t 0 -q --db "$work/import.db" import "$LORE_DIR"
	dump "$work/import.db" "$work/want"
	for type in "$@"; do
		dump "$work/$type.db" "$work/got.$type"
		same "$work/want" "$work/got.$type"
	done
}

# a mail without a line end, with others behind it
printf 'From: A <a@example.org>\nTo: %s\nDate: %s\nMessage-ID: %s\n\nno end' \
	"$LORE_ADDR" 'Mon, 2 Mar 2020 10:00:00 +0100' '<bare@example.org>' \
	>"$work/one"
"$servers/lore-deliver.sh" "$work/lore" <"$work/one" || fail "deliver"
deliver zero@example.org "behind it"
sync_both 0
all_same http inbox
sync_both 0
want_err " 0 messages read"

# live deliveries: the next run has them, once
deliver one@example.org "one more"
deliver two@example.org "Re: one more"
sync_both 0
want_err "2 messages read: 2 new"
all_same http inbox
for type in http inbox; do
	t 0 --config "$work/$type.conf" thread one@example.org
done

# a thread by one of its mails, from who has none yet
sed "s,http.db,asked.db," "$work/http.conf" >"$work/asked.conf"
t 1 --config "$work/asked.conf" thread two@example.org
t 0 --config "$work/asked.conf" thread --fetch two@example.org
want_out "Re: one more"
t 1 --config "$work/asked.conf" thread --fetch nowhere@example.org
want_error "no such message"
t 2 --db "$work/asked.db" thread --fetch two@example.org
want_error "no [source]"

# the server is down: said in one line, and nothing is lost by it
"$servers/lore-down.sh" "$work/lore"
deliver three@example.org "while it was down"
for type in http inbox; do
	t 4 -q --config "$work/$type.conf" sync
	want_error "lore"
done
t 4 --config "$work/asked.conf" thread --fetch two@example.org
want_error "lore"
want_out "Re: one more"
again
sync_both 0
want_err "1 messages read: 1 new"
all_same http inbox
for type in http inbox; do
	t 0 --config "$work/$type.conf" doctor
	want_out "lore: answers"
done

# a slip in the year is not silent
for type in http inbox; do
	sed '$a since=2999-01-01' "$work/$type.conf" >"$work/future.conf"
	t 0 --config "$work/future.conf" doctor
	want_out "since= is in the future"
done

# over TLS: the certificate counts, also for git
tests/certs.sh "$work/certs"
for cert in good expired wronghost alien; do
	rm -f "$work/tls"
	mkfifo "$work/hold.$cert"
	/usr/bin/python3 tests/tls_front.py "$LORE_HTTP_PORT" \
		"$work/certs/$cert.pem" <"$work/hold.$cert" >"$work/tls" &
	exec 9>"$work/hold.$cert"
	until [ -s "$work/tls" ]; do sleep 0.02; done
	for type in http inbox; do
		sed "s,$type.db,tls-$type.db,
			s,url=.*,url=https://localhost:$(cat "$work/tls")/list,
			\$a ca-file=$work/certs/ca.crt" "$work/$type.conf" \
			>"$work/tls.conf"
		rm -rf "$work/tls-$type".db*
		if [ "$cert" = good ]; then
			t 0 -q --config "$work/tls.conf" sync
		else
			t 4 -q --config "$work/tls.conf" sync
			want_error "identity can't be verified"
		fi
	done
	[ "$cert" != good ] || all_same tls-http tls-inbox
	exec 9>&-
	wait $!
done

# a connection cut in the middle of anything
at=$(free_port)
for type in http inbox; do
	sed "s,:$LORE_HTTP_PORT/,:$at/," "$work/$type.conf" >"$work/cut.conf"
	sed -i "s,$type.db,cut-$type.db," "$work/cut.conf"
	for bytes in 0 100 5000 60000; do
		start_proxy "$at" "$LORE_HTTP_PORT" "cut=$bytes"
		t 4 -q --config "$work/cut.conf" sync
		stop_proxy
	done
	start_proxy "$at" "$LORE_HTTP_PORT" pass
	t 0 -q --config "$work/cut.conf" sync
	stop_proxy
done
all_same cut-http cut-inbox

# killed at some moments, each time from where it stood
seed=${INBOX_SEED:-$(date +%s)} kills=0
for type in http inbox; do
	sed "s,$type.db,killed-$type.db," "$work/$type.conf" >"$work/killed.conf"
	from=$(date +%s%N)
	t 0 -q --config "$work/killed.conf" sync
	long=$((($(date +%s%N) - from) / 1000000))
	rm -rf "$work/killed-$type".db*
	moments=$(awk -v seed="$seed" -v n="${INBOX_KILLS:-3}" -v long="$long" \
		'BEGIN { srand(seed); while (n--) print int(1 + rand() * long) }')
	for ms in $moments; do
		code=0
		timeout -s KILL "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))" \
			"$CULPRIT" --config "$work/killed.conf" -q sync \
			>"$work/out" 2>"$work/err" || code=$?
		case $code in
		0 | 4) ;;
		137) kills=$((kills + 1)) ;;
		*) fail "exit code $code" ;;
		esac
	done 2>/dev/null
	t 0 -q --config "$work/killed.conf" sync
done
command_line="after $kills kills, seed $seed"
all_same killed-http killed-inbox
echo "killed $kills times, seed $seed"

# a second epoch: some of the mails once more, and a new one, in a repository
# of its own
"$servers/lore-down.sh" "$work/lore"
one=$LORE_DIR/git/1.git
git init -q --bare "$one"
git --git-dir="$one" fetch -q "$LORE_DIR/git/0.git" master
echo "In the second epoch." | mail "$work/one" epoch@example.org "epoch two"
blob=$(git --git-dir="$one" hash-object -w "$work/one")
tree=$(printf '100644 blob %s\tm\n' "$blob" | git --git-dir="$one" mktree)
commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.org \
	GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@example.org \
	git --git-dir="$one" commit-tree -m epoch "$tree")
git --git-dir="$one" update-ref refs/heads/master "$commit"
git --git-dir="$one" symbolic-ref HEAD refs/heads/master
again
t 0 --config "$work/inbox.conf" sync
want_err "1 messages read: 1 new"
all_same inbox

# what is purged there is gone here: the history was written anew
"$servers/lore-down.sh" "$work/lore"
printf 'Message-ID: <one@example.org>\n\n' >"$work/purge"
git --git-dir="$LORE_DIR/git/0.git" log --format=%H -- m >"$work/commits"
while read -r c; do
	git --git-dir="$LORE_DIR/git/0.git" show "$c:m" >"$work/purge" 2>&1
	! grep -q '^Message-ID: <one@example.org>' "$work/purge" || break
done <"$work/commits"
PI_CONFIG=$LORE_PI_CONFIG PI_DIR=$work/lore/pi HOME=$work/lore \
	public-inbox-purge "$LORE_DIR" <"$work/purge" >"$work/purge.log" 2>&1 ||
	fail "purge: $(tail -n 1 "$work/purge.log")"
again
t 0 --config "$work/inbox.conf" sync
t 1 --db "$work/inbox.db" thread one@example.org
all_same inbox

# from a date on: younger mail only
sed "s,inbox.db,young.db,; \$a since=2022-01-01" "$work/inbox.conf" \
	>"$work/young.conf"
t 0 --config "$work/young.conf" sync
dump "$work/young.db" "$work/young"
[ "$(wc -l <"$work/young")" -lt "$(wc -l <"$work/want")" ] ||
	fail "since: nothing was left out"
t 0 --config "$work/young.conf" thread epoch@example.org
done_
