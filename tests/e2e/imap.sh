#!/bin/sh
# imap.sh - mail from real IMAP servers: public-inbox's, where it is the mail of
# the git archive, and Dovecot's, where it is that of the Maildir; whatever the
# line does to it, the next run has every message once
# IMAP_MAILS real mails (120); IMAP_KILLS moments at which it is killed (6).
set -u
. tests/e2e/lib.sh
. tests/e2e/lib_servers.inc

servers_need public-inbox-netd dovecot doveadm
[ "$(id -u)" = 0 ] || {
	echo "skipped: dovecot must be started by root"
	exit 77
}
mails=${IMAP_MAILS:-120}
real_mail "$mails" >"$work/mbox"
{
	cat "$work/mbox"
	printf '%b' 'a\0000b\n\0000\n.\n..\nFrom x\n \0377\0376\none\rtwo\r\r\n' |
		mail "$work/one" odd@example.org odd "X-Odd: $(printf '\374')"
	echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
	sed 's/^>*From />&/' "$work/one"
	echo
} >"$work/odd.mbox"
LORE_LEVEL=basic
export LORE_LEVEL
servers_up lore lore-up.sh "$work/odd.mbox"
MAILBOX_TLS=required
export MAILBOX_TLS
servers_up box mailbox-up.sh bot:sesame
box=$MAILBOX_DIR/bot/Maildir
umask 077
echo sesame >"$work/password"
echo wrong-one >"$work/wrong"
port=$(free_port)
cat >"$work/conf" <<END
[source lore]
type=imap
server=imap://127.0.0.1:$LORE_IMAP_PORT
mailboxes=$LORE_GROUP.0
[source tls]
type=imap
server=localhost:$LORE_IMAPS_PORT
ca-file=$LORE_CA
mailboxes=org.example.*
[source group]
type=imap
server=imap://127.0.0.1:$LORE_IMAP_PORT
mailboxes=$LORE_GROUP
[source stranger]
type=imap
server=localhost:$LORE_IMAPS_PORT
mailboxes=org.example.*
END
# source NAME PORT [LINE...]
source_() {
	printf '[source %s]\ntype=imap\nserver=%s\nuser=bot\ntimeout=2s\n' \
		"$1" "$2"
	shift 2
	case $* in
	*password*) ;;
	*) echo "password-file=$work/password" ;;
	esac
	for line; do echo "$line"; done
}
{
	tls="localhost:$MAILBOX_IMAPS_PORT"
	ca="ca-file=$MAILBOX_CA"
	source_ box "$tls" "$ca"
	source_ wrong "$tls" "$ca" "password-file=$work/wrong"
	source_ absent "$tls" "$ca" 'mailboxes=INBX'
	source_ seen "$tls" "$ca" 'after=seen'
	source_ move "$tls" "$ca" 'after=move' 'move-to=Grün'
	source_ moved "$tls" "$ca" 'mailboxes=Gr*n INBOX'
	source_ remote "imap://127.0.0.2:$MAILBOX_IMAP_PORT"
	source_ faulty "imap://127.0.0.1:$port"
} >>"$work/conf"

sync() { # CODE DB SOURCE
	t "$1" --config "$work/conf" --db "$work/$2" sync "$3"
	! grep -qE 'sesame|wrong-one' "$work/err" || fail "a password is shown"
}
doveadm_() {
	doveadm -c "$MAILBOX_CONF" "$@" </dev/null
}

# ---- a public archive: the same mail by both ways, and nothing new after it
t 0 -q --db "$work/git.db" import "$LORE_DIR/git/0.git"
dump "$work/git.db" "$work/whole"
sync 0 lore.db lore
want_err "$((mails + 1)) messages read"
dump "$work/lore.db" "$work/got"
same "$work/whole" "$work/got"
sync 0 lore.db lore
want_err '0 messages read'
sync 0 git.db tls
want_err ' 0 new'
dump "$work/git.db" "$work/got"
same "$work/whole" "$work/got"
sync 4 lore.db group
want_err "in parts; use $LORE_GROUP.0"
sync 4 lore.db stranger
want_err 'certificate'
t 0 --db "$work/lore.db" problems
want_out 'in parts'

# ---- a mailbox: what its Maildir holds
fill() { # PREFIX <MBOX: its mails, delivered
	awk -v to="$box/new/$1." '/^From mboxrd@z / { close(f)
		f = sprintf("%s%04d.x", to, ++n); next }
		{ sub(/^>From /, "From "); print >f }'
	chown -R "$MAILBOX_OWNER" "$MAILBOX_DIR/bot"
}
doveadm_ mailbox create -u bot Grün
fill 1 <"$work/mbox"
t 0 -q --db "$work/maildir.db" import "$box"
dump "$work/maildir.db" "$work/whole"
sync 0 box.db box
want_err "$mails messages read"
dump "$work/box.db" "$work/got"
same "$work/whole" "$work/got"
sync 0 box.db box
want_err '0 messages read'
doveadm_ search -u bot mailbox INBOX seen >"$work/seen"
[ ! -s "$work/seen" ] || fail "mail was marked as seen"

sync 4 box.db absent
want_err 'there is Grün, INBOX'
sync 4 box.db remote
want_err 'takes no password here (LOGINDISABLED'
! grep -q 'password was exposed\|127.0.0.2.*user=<bot>' "$work/box/log/"* ||
	fail "the password left for a server that must not have it"

# begun anew, with and without a change: nothing is lost or doubled
doveadm_ mailbox update -u bot --uid-validity 12345 INBOX
sync 0 box.db box
want_err "$mails messages read: 0 new"
dump "$work/box.db" "$work/got"
same "$work/whole" "$work/got"
doveadm_ expunge -u bot mailbox INBOX uid 1:20
sync 0 box.db box
want_err '0 messages read'

# ---- marked and moved, once it is kept
sync 0 seen.db seen
want_err "$((mails - 20)) messages read"
[ "$(doveadm_ search -u bot mailbox INBOX unseen | wc -l)" -eq 0 ] ||
	fail "not all are marked"
sync 0 move.db move
want_err "$((mails - 20)) messages read"
[ "$(doveadm_ search -u bot mailbox INBOX all | wc -l)" -eq 0 ] ||
	fail "not all were moved"
sync 0 move.db moved
want_err "$((mails - 20)) messages read: 0 new"

# ---- spoiled lines
fill 2 <"$work/mbox"
sync 0 again.db box
dump "$work/again.db" "$work/whole"
bytes=$(cat "$box"/*/* | wc -c)
# faulty CODE TEXT FAULT...: then a good line, and everything is there
faulty() {
	code=$1 text=$2
	shift 2
	rm -f "$work"/x.db*
	start_proxy "$port" "$MAILBOX_IMAP_PORT" "$@"
	sync "$code" x.db faulty; command_line="$command_line: $*"
	[ -z "$text" ] || want_err "$text"
	stop_proxy
	start_proxy "$port" "$MAILBOX_IMAP_PORT" pass
	sync 0 x.db faulty
	stop_proxy
	dump "$work/x.db" "$work/got"
	command_line="after $*"
	same "$work/whole" "$work/got"
}
faulty 0 '' split=7
faulty 4 'hung up' cut=50
faulty 4 'hung up' --times 1 cut=20000
faulty 0 '' --times 1 cut=$((bytes * 2 / 3))
faulty 4 '' reset=20000
faulty 4 'silent' stall=20000
faulty 4 'silent' mute
faulty 4 'goodbye: busy' 'banner=* BYE busy'
faulty 4 '' longline=20
faulty 4 '' garbage=20000
faulty 0 '' nofeature=AUTH=PLAIN

# killed at some moments of a whole run, each time from where it stood
check_killed() {
	dump "$work/x.db" "$work/got"
	command_line="after $kills kills, seed $seed"
	same "$work/whole" "$work/got"
	rm -f "$work"/x.db*
}
seed=${IMAP_SEED:-$(date +%s)} kills=0
rm -f "$work"/x.db*
from=$(date +%s%N)
sync 0 x.db box
long=$((($(date +%s%N) - from) / 1000000))
check_killed
moments=$(awk -v seed="$seed" -v n="${IMAP_KILLS:-6}" -v long="$long" \
	'BEGIN { srand(seed); while (n--) print int(1 + rand() * long) }')
for ms in $moments; do
	code=0
	timeout -s KILL "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))" \
		"$CULPRIT" --config "$work/conf" --db "$work/x.db" -q \
		sync box >"$work/out" 2>"$work/err" || code=$?
	case $code in
	0) check_killed ;;
	137) kills=$((kills + 1)) ;;
	*) fail "exit code $code" ;;
	esac
done 2>/dev/null
sync 0 x.db box
check_killed
echo "killed $kills times, seed $seed"

# last, since Dovecot makes whoever was wrong once wait
sync 4 box.db wrong
want_err 'the login was refused: NO [AUTHENTICATIONFAILED]'
done_
