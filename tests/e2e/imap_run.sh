#!/bin/sh
# imap_run.sh - the daemon and an IMAP mailbox: told of new mail at once,
# through a mailbox begun anew, a server that goes away, and kills
set -u
. tests/e2e/lib.sh
. tests/e2e/lib_servers.inc

servers_need dovecot doveadm
[ "$(id -u)" = 0 ] || {
	echo "skipped: dovecot must be started by root"
	exit 77
}
servers_up box mailbox-up.sh bot:sesame
umask 077
echo sesame >"$work/password"
cat >"$work/conf" <<END
[store]
path=$work/db
[source box]
type=imap
server=localhost:$MAILBOX_IMAPS_PORT
ca-file=$MAILBOX_CA
user=bot
password-file=$work/password
mailboxes=INBOX Second Absent
timeout=5s
poll=1h
END
daemon=
start() {
	"$CULPRIT" --config "$work/conf" -v run 2>>"$work/log" &
	daemon=$!
}

# await WHAT COMMAND...: the limit is only against a hang
await() {
	what=$1
	shift
	tries=0
	until "$@" >"$work/awaited" 2>&1; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! kill -0 "$daemon" 2>/dev/null; then
			command_line='culprit run'
			fail "waited in vain for $what"
			tail -n 5 "$work/log"
			return
		fi
		sleep 0.1
	done
}

stop() { # SIGNAL
	kill "-$1" "$daemon"
	wait "$daemon" 2>/dev/null
	daemon=
}

# drop MAILBOX N: as a delivery agent does
drop() {
	to=$MAILBOX_DIR/bot/Maildir/$1
	mail "$to/tmp/$2" "m$2@example.org" "mail $2" <<END
Text of $2.
END
	chown "$MAILBOX_OWNER" "$to/tmp/$2"
	mv "$to/tmp/$2" "$to/new/$2"
}

# shellcheck disable=SC2317
# taken N: its Message-ID is in the log, so it is kept
taken() {
	grep -q "source box: new <m$1@example.org>" "$work/log"
}

# shellcheck disable=SC2317
# has COUNT: so many messages are kept
has() {
	[ "$("$CULPRIT" --config "$work/conf" dump threads | wc -l)" -eq "$1" ]
}

doveadm -c "$MAILBOX_CONF" mailbox create -u bot Second </dev/null
for n in 1 2 3; do drop . $n; done
drop .Second 4
start
for n in 1 2 3 4; do await "mail $n" taken $n; done
await 'word of the third' grep -q 'Absent' "$work/log"
drop . 5
await 'mail that comes' taken 5
drop .Second 6
await 'mail in the second' taken 6

# The server says nothing of that to whoever listens.
doveadm -c "$MAILBOX_CONF" mailbox update -u bot --uid-validity 4242 INBOX \
	</dev/null
drop . 7
await 'mail behind a new UIDVALIDITY' taken 7

# It goes away, and comes again.
"$servers/lore-down.sh" "$work/box" dovecot
await 'word of it' grep -q 'source box: .*; next try in' "$work/log"
drop . 8
MAILBOX_PORTS="$MAILBOX_IMAP_PORT $MAILBOX_IMAPS_PORT $MAILBOX_LMTP_PORT"
export MAILBOX_PORTS
servers_up box mailbox-up.sh bot:sesame
await 'mail after it' taken 8

# Killed at some moments, with much to read.
drop_many() { # FROM TO
	n=$1
	while [ "$n" -le "$2" ]; do
		drop . "$n"
		n=$((n + 1))
	done
}
stop KILL
drop_many 100 250
for ms in 05 10 15 20 30; do
	start
	sleep 0.$ms
	stop KILL
done 2>/dev/null
start
drop . 9
await 'the last mail' taken 9
await 'its rest' has 160
stop TERM
! grep -q sesame "$work/log" || fail 'the password is in the log'
t 0 --config "$work/conf" problems
want_out 'Absent'
t 0 --config "$work/conf" dump threads
cp "$work/out" "$work/got"
t 0 --db "$work/whole.db" -q import "$MAILBOX_DIR/bot/Maildir" \
	"$MAILBOX_DIR/bot/Maildir/.Second"
t 0 --db "$work/whole.db" dump threads
same "$work/out" "$work/got"
[ "$(wc -l <"$work/got")" -eq 160 ] || fail "not 160 messages"
done_
