#!/bin/sh
# outbox_smtp.sh - mail through real SMTP servers: whole, once, or told
set -u
. tests/e2e/lib.sh
. tests/e2e/lib_servers.inc
PATH=$PATH:/usr/sbin
servers_need openssl # the rest is asked for where it is used
/usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null || {
	echo "skipped: no aiosmtpd"
	exit 77
}

db=$work/c.db
conf=$work/c.conf
sink=
# shellcheck disable=SC2317
end() {
	[ -z "$sink" ] || kill "$sink" 2>/dev/null
	servers_end
}
trap end EXIT

settings() { # LINE...
	{
		echo "[bot]"
		echo "address=bot@bot.example"
		echo "[send]"
		echo "mode=auto"
		echo "transport=smtp"
		for line; do echo "$line"; done
	} >"$conf"
}
# approved NUMBER ADDRESS...
approved() {
	number=$1
	python3 - "$db" "$@" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
number = int(sys.argv[2])
db.execute("""INSERT INTO outbox (id, mid, state, why, kind, rule, public,
    created, digest, from_name, from_address, subject, refs, extra, body)
    VALUES (?, ?, 0, '', 0, 'a command', 0, 1795953600, x'00', 'culprit',
    'bot@bot.example', 'Re: slow fsync', '', 'Auto-Submitted: auto-replied',
    ?)""", (number, "culprit.1.%d.x@bot.example" % number,
            ".\n..\n.x\nFrom here\nGrüße\n\n.\n"))
for n, address in enumerate(sys.argv[3:]):
    db.execute("INSERT INTO outbox_rcpt VALUES (?, ?, 0, '', ?, ?, 0, 0, 0, "
               "'')", (number, n + 1, address, "@lists." in address))
db.commit()
PY
	o 0 approve "$number"
}
o() {
	code_wanted=$1
	shift
	t "$code_wanted" --config "$conf" --db "$db" outbox "$@"
}
state() { # NUMBER STATE
	o 0 show --json "$1"
	want_out "\"state\":\"$2\""
}
all_seen() { # was all mail looked at for answers?
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
sys.exit(db.execute("""SELECT (SELECT value FROM meta WHERE key = "answered")
    < (SELECT max(seq) FROM change)""").fetchone()[0])' "$db"
}
copies() { # NUMBER: how many the sink has
	grep -l "^Message-ID: <culprit.1.$1.x@" "$work"/sink/*.eml 2>/dev/null |
		wc -l
}
body_is_whole() { # FILE
	python3 - "$1" <<'PY' || fail "the body of $1 is another one"
import email, email.policy, sys
m = email.message_from_bytes(open(sys.argv[1], "rb").read(),
                             policy=email.policy.default)
text = m.get_content().replace("\r\n", "\n")
if text != ".\n..\n.x\nFrom here\nGrüße\n\n.\n":
    sys.exit(repr(text))
PY
}

t 0 --db "$db" -q import tests/data/demo

# ---- a sink that fails as it is told
/usr/bin/python3 "$servers/smtp-sink.py" "$work/sink" >/dev/null 2>&1 &
sink=$!
until [ -s "$work/sink/port" ] || ! kill -0 "$sink" 2>/dev/null; do
	sleep 0.05
done
port=$(cat "$work/sink/port")
settings "server=smtp://127.0.0.1:$port"
t 0 --config "$conf" --db "$db" doctor
want_out '127.0.0.1 answers'
t 0 --config "$conf" --db "$db" doctor --offline
approved 1 ann@example.org
o 0 send
[ "$(copies 1)" -eq 1 ] || fail "not one copy"
body_is_whole "$work/sink/0001.eml"
grep -q '^from bot+b-1-1@bot.example' "$work/sink/0001.env" ||
	fail "another envelope sender"
cat >"$work/sink/rules" <<'RULES'
rcpt bob@ 1 451 4.2.1 later
rcpt eve@ * 550 5.1.1 who
data culprit.1.3.x 1 lose
data culprit.1.4.x 1 451 4.3.0 not now
RULES
approved 2 ann@example.org bob@example.org eve@example.org
o 4 send
state 2 retry
want_out '"code":550'
t 4 --config "$conf" --db "$db" --now 2099-01-01T00:00:00Z outbox send
state 2 partial
[ "$(copies 2)" -eq 2 ] || fail "not one try for bob"
grep -l '^to ann@' "$work"/sink/*.env | wc -l | grep -q '^2$' ||
	fail "ann got it twice"

# Behind the dot: nobody knows; a person gets it once more, as it was.
approved 3 ann@example.org
o 4 send
state 3 uncertain
o 1 send
t 0 --config "$conf" --db "$db" --now 2098-01-01T00:00:00Z outbox send
state 3 sent
[ "$(copies 3)" -eq 2 ] || fail "not once more"
approved 4 ann@example.org
o 4 send
state 4 retry

# ---- killed at any moment: a person gets it, a list at most once
settings "server=smtp://127.0.0.1:$port" hold=0s \
	allow-lists=fs@lists.example.org '[list fs]' \
	address=fs@lists.example.org reply-list=yes approve=no max-per-day=99
n=10
while [ $n -lt 20 ]; do
	approved $n ann@example.org
	approved $((n + 30)) fs@lists.example.org
	n=$((n + 1))
done
: >"$work/sink/rules"
turn=0
while [ $turn -lt 12 ]; do
	"$CULPRIT" --config "$conf" --db "$db" outbox send >/dev/null 2>&1 &
	victim=$!
	perl -e "select undef, undef, undef, $turn / 250"
	kill -9 "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
	turn=$((turn + 1))
done
for year in 2100 2101 2102; do
	"$CULPRIT" --config "$conf" --db "$db" --now "$year-01-01T00:00:00Z" \
		outbox send >/dev/null 2>&1
done
n=10
while [ $n -lt 20 ]; do
	state $n sent
	[ "$(copies $n)" -ge 1 ] || fail "mail $n was lost"
	[ "$(copies $((n + 30)))" -le 1 ] || fail "a list got it twice"
	o 0 show --json $((n + 30))
	grep -qE '"state":"(sent|held)"' "$work/out" ||
		fail "mail $((n + 30)) is neither sent nor held"
	n=$((n + 1))
done
o 1 list --state sending

# ---- the daemon sends what is due, and hears of what came back
mkdir -p "$work/inbox/new" "$work/inbox/cur" "$work/inbox/tmp"
settings "server=smtp://127.0.0.1:$port" '[source box]' type=maildir \
	"path=$work/inbox" poll=1s
approved 26 ann@example.org
"$CULPRIT" --config "$conf" --db "$db" run --no-pages >"$work/log" 2>&1 &
daemon=$!
tries=0
until [ "$(copies 26)" -ge 1 ] || [ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
state 26 sent
cat >"$work/inbox/new/1" <<'MAIL'
From: Mail Delivery System <mailer-daemon@mx.example.org>
To: bot+b-26-1@bot.example
Subject: Mail delivery failed
Message-ID: <E1@mx.example.org>
Date: Mon, 30 Nov 2026 12:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Action: failed
Final-Recipient: rfc822; ann@example.org
Status: 5.1.1

--b--
MAIL
tries=0
until grep -q 'bounce of ann@example.org' "$work/log" ||
	[ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done

# Who asks gets an answer, one, in the thread; who was answered is told no more.
cat >"$work/asked" <<MAIL
From: Ann Other <ann@example.org>
To: bot@bot.example
Subject: what can you do?
Message-ID: <ask1@example.org>
Date: $(date -R)

#culprit help
MAIL
cp "$work/asked" "$work/inbox/new/2"
tries=0
until grep -l '^In-Reply-To: <ask1@example.org>' "$work"/sink/*.eml \
	>/dev/null 2>&1 || [ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill "$daemon"
wait "$daemon"
answer=$(grep -l '^In-Reply-To: <ask1@example.org>' "$work"/sink/*.eml)
[ "$(echo "$answer" | wc -l)" -eq 1 ] || fail "not one answer: $answer"
grep -q '^To: Ann Other <ann@example.org>' "$answer" || fail "not to Ann"
grep -q '^Auto-Submitted: auto-replied' "$answer" || fail "no Auto-Submitted"
# Two bots: what we sent comes back from somebody who answers all there is.
{
	sed -e 's/^From: .*/From: Rob Bot <rob@example.net>/' \
		-e 's/^To: .*/To: bot@bot.example/' \
		-e 's/^Message-ID: .*/Message-ID: <rob1@example.net>/' "$answer"
} >"$work/inbox/new/3"
"$CULPRIT" --config "$conf" --db "$db" run --no-pages >"$work/log" 2>&1 &
daemon=$!
tries=0
until { grep -q 'new <rob1@example.net>' "$work/log" && all_seen; } ||
	[ $tries -ge 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill "$daemon"
wait "$daemon"
grep -l '^In-Reply-To: <rob1' "$work"/sink/*.eml && fail "a bot was answered"
state 26 failed
t 0 --db "$db" problems --json
want_out '"kind":"delivery"'
[ "$(copies 26)" -eq 1 ] || fail "the daemon sent it more than once"

for need in dovecot exim4; do
	command -v $need >/dev/null || {
		echo "the rest is skipped: no $need"
		done_
	}
done

# ---- a real server: STARTTLS that is verified, a login, a mailbox
servers_up box mailbox-up.sh ann:secret
MTA_AUTH=bot:hush7231 MTA_LIST='' "$servers/mta-up.sh" "$work/box" \
	>"$work/mta.log" 2>&1 || {
	cat "$work/mta.log"
	exit 1
}
# shellcheck disable=SC1091
. "$work/box/mta.env"
printf 'hush7231\n' >"$work/word"
chmod 600 "$work/word"
settings "server=smtp://127.0.0.1:$MTA_SMTP_PORT" "ca-file=$MTA_CA" \
	user=bot "password-file=$work/word"
approved 150 ann@bot.example nobody@outside.example
o 0 send
state 150 sent
tries=0
until [ -n "$(find "$work/box/mail/ann/Maildir/new" -type f 2>/dev/null)" ] ||
	[ $tries -ge 200 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
found=$(find "$work/box/mail/ann/Maildir/new" -type f)
[ "$(echo "$found" | wc -l)" -eq 1 ] || fail "not one mail: $found"
body_is_whole "$found"
grep -qi '^Return-path: <bot+b-150-0@bot.example>' "$found" ||
	fail "another return path"

# The server refuses one, and asks to come back for another.
approved 151 refuse@bot.example defer@bot.example ann@bot.example
o 4 send
state 151 retry
want_out '"state":"perm"'
want_out '"state":"temp"'
want_out '"state":"ok"'

# Who it is can't be verified, or the password is wrong: nothing is said.
settings "server=smtp://localhost:$MTA_SMTP_PORT" "plain-host=elsewhere" \
	"ca-file=/etc/hostname"
approved 152 ann@bot.example
o 4 send
state 152 retry
printf 'loud7231\n' >"$work/word"
settings "server=smtps://127.0.0.1:$MTA_SMTPS_PORT" "ca-file=$MTA_CA" \
	user=bot "password-file=$work/word"
approved 153 ann@bot.example
t 4 --config "$conf" --db "$db" doctor
want_out 'FAILED'
t 4 --config "$conf" --db "$db" --now 2105-01-01T00:00:00Z outbox send
want_out '535'
grep -q 7231 "$work/out" "$work/err" && fail "the password is told"
grep -aq 7231 "$db" "$db-wal" 2>/dev/null &&
	fail "the password is in the database"
done_
