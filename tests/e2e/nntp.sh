#!/bin/sh
# nntp.sh - mail from a real news server, public-inbox's, is the mail of its git
# archive; whatever the line does to it, the next run has every message once
# NNTP_MAILS real mails (120); NNTP_KILLS moments at which it is killed (6).
set -u
. tests/e2e/lib.sh
. tests/e2e/lib_servers.inc

servers_need public-inbox-netd

# real mails, and some that are hard to carry
real_mail "${NNTP_MAILS:-120}" >"$work/mbox"
odd() { # NAME TEXT [HEADER...]
	name=$1 text=$2
	shift 2
	printf '%b' "$text" | mail "$work/one" "$name@example.org" "$name" "$@"
	{
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
		sed 's/^>*From />&/' "$work/one"
		echo
	} >>"$work/mbox"
}
odd dots '.\n..\n...\n.x\n'
odd eight 'gr\0303\0274n \0377\0376\n' "X-Odd: $(printf '\374')"
odd nul 'a\0000b\n\0000\n'
odd crlf 'one\r\ntwo\r\nthree\n'
odd cr 'one\rtwo\r\r\n'
odd long "$(head -c 300000 /dev/zero | tr '\0' x)\n"
odd own 'text\n' 'Path: a!b!c' 'Newsgroups: other.group' \
	'Xref: news.example.org other.group:7'
odd two 'text\n' 'Message-ID: <second@example.org>'
odd folded 'text\n' "$(printf 'References:\n <dots@example.org>\n\t<nul@example.org>')"
odd bare ''

LORE_LEVEL=basic
export LORE_LEVEL
servers_up lore lore-up.sh "$work/mbox"
port=$(free_port)

cat >"$work/conf" <<EOF
[source plain]
type=nntp
server=nntp://127.0.0.1:$LORE_NNTP_PORT
groups=$LORE_GROUP
[source tls]
type=nntp
server=localhost:$LORE_NNTPS_PORT
ca-file=$LORE_CA
groups=org.example.*
[source stranger]
type=nntp
server=localhost:$LORE_NNTPS_PORT
groups=org.example.*
[source none]
type=nntp
server=nntp://127.0.0.1:$LORE_NNTP_PORT
groups=org.example.absent
[source faulty]
type=nntp
server=nntp://127.0.0.1:$port
groups=$LORE_GROUP
timeout=3s
EOF

sync() { # CODE DB SOURCE
	t "$1" --config "$work/conf" --db "$work/$2" sync "$3"
}
count() { # DB: messages
	t 0 --db "$work/$1" dump threads
	awk -F '\t' '$4 == 0' "$work/out" | wc -l
}

# the same mail by both ways, and nothing new when asked again
t 0 -q --db "$work/git.db" import "$LORE_DIR/git/0.git"
dump "$work/git.db" "$work/whole"
all=$(count git.db)
sync 0 plain.db plain
want_err "$all new"
dump "$work/plain.db" "$work/got"
same "$work/whole" "$work/got"
sync 0 plain.db plain
want_err '0 messages read'
sync 0 plain.db tls
want_err ' 0 new'
dump "$work/plain.db" "$work/got"
same "$work/whole" "$work/got"
sync 0 git.db tls
want_err ' 0 new'
dump "$work/git.db" "$work/got"
same "$work/whole" "$work/got"

# one more arrives
printf 'hello\n' | mail "$work/one" late@example.org late
sed -i "s/^To: .*/To: $LORE_ADDR/" "$work/one"
"$servers/lore-deliver.sh" "$work/lore" <"$work/one" 2>>"$work/lore.log" ||
	fail "not delivered"
sync 0 plain.db plain
want_err '1 new'
t 0 -q --db "$work/git.db" import "$LORE_DIR/git/0.git"
dump "$work/git.db" "$work/whole"
dump "$work/plain.db" "$work/got"
same "$work/whole" "$work/got"

# what is wrong is told in one line, and kept
sync 4 plain.db stranger
want_err 'certificate'
sync 4 plain.db none
want_err 'there is no such group'
t 0 --db "$work/plain.db" problems
want_out 'no such group'

via() { # FAULT...
	start_proxy "$port" "$LORE_NNTP_PORT" "$@"
}

# faulty CODE TEXT FAULT...: a line that spoils what the server says; then a
# good one, and everything is there
faulty() {
	code=$1 text=$2
	shift 2
	rm -f "$work"/x.db*
	via "$@"
	sync "$code" x.db faulty
	command_line="under $*"
	[ -z "$text" ] || want_err "$text"
	stop_proxy
	via pass
	sync 0 x.db faulty
	stop_proxy
	dump "$work/x.db" "$work/got"
	command_line="after $*"
	same "$work/whole" "$work/got"
}
plain='nofeature=COMPRESS DEFLATE'
faulty 0 '' split=499 "$plain"
faulty 0 '' delay=12 # far enough for COMPRESS
faulty 0 '' --times 1 cut=200000
faulty 4 'hung up' cut=50
faulty 4 'hung up' 'cuton=224 ' "$plain"
faulty 4 'hung up' 'cuton=\r\n.\r\n220' "$plain"
faulty 4 '' reset=200000
faulty 4 'silent' stall=200000
faulty 4 'silent' mute
faulty 4 "can't serve now" 'banner=400 load\r\n'
faulty 4 'no news server says' longline=10
faulty 4 'no news server says' garbage=0

# killed at some moments while it reads, each time from where it stood; a third
# of the time that a whole run takes, on the average
check_killed() {
	dump "$work/x.db" "$work/got"
	command_line="after $kills kills, seed $seed"
	same "$work/whole" "$work/got"
	rm -f "$work"/x.db*
}
sync_once() { # COMMAND...: runs it
	code=0
	"$@" "$CULPRIT" --config "$work/conf" --db "$work/x.db" -q \
		sync faulty >"$work/out" 2>"$work/err" || code=$?
}
seed=${NNTP_SEED:-$(date +%s)} kills=0
via pass
from=$(date +%s%N)
sync 0 x.db faulty
long=$((($(date +%s%N) - from) / 1000000))
moments=$(awk -v seed="$seed" -v n="${NNTP_KILLS:-6}" -v long="$long" \
	'BEGIN { srand(seed); while (n--) print int(1 + rand() * long) }')
for ms in $moments; do
	sync_once timeout -s KILL \
		"$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
	case $code in
	0) check_killed ;;
	137) kills=$((kills + 1)) ;;
	4) ;; # the server died of the last one
	*) fail "exit code $code" ;;
	esac
done 2>/dev/null
# a worker of the server may have died of the last kill, and one more of that
for try in 1 2 3; do
	sync_once
	[ $code -ne 0 ] || break
done
[ $code -eq 0 ] || fail "exit code $code at try $try"
stop_proxy
check_killed
echo "killed $kills times, seed $seed"

done_
