#!/bin/sh
# outbox.sh - mail that waits: looked at, decided on, sent
set -u
. tests/e2e/lib.sh

db=$work/c.db
conf=$work/c.conf
settings() { # MODE TRANSPORT [LINE...]
	{
		echo "[bot]"
		echo "address=bot@bot.example.org"
		echo "[send]"
		echo "mode=$1"
		echo "transport=$2"
		echo "allow-lists=fs@lists.example.org"
		shift 2
		for line; do echo "$line"; done
		echo "[list fs]"
		echo "address=fs@lists.example.org"
		echo "reply-list=yes"
	} >"$conf"
}
o() {
	code_wanted=$1
	shift
	t "$code_wanted" --config "$conf" --db "$db" \
		--now "${now:-2026-11-30T12:00:00Z}" outbox "$@"
}

# Drafts as a dry run leaves them: NUMBER LIST? ... straight into the tables.
draft() {
	python3 - "$db" "$@" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
number, public = int(sys.argv[2]), sys.argv[3] == "list"
db.execute("""INSERT INTO outbox (id, mid, state, why, kind, rule, public,
    created, digest, from_name, from_address, subject, refs, extra, body)
    VALUES (?, ?, 0, '', 1, 'a command', ?, 1795953600, x'00', 'culprit',
    'bot@bot.example.org', 'Re: slow fsync', '',
    'Auto-Submitted: auto-replied', ?)""",
           (number, "culprit.1.%d.x@bot.example.org" % number, public,
            "On Monday, Ann wrote:\n> how is it?\n\nIt is slow.\n.\n..\n"
            "From here on.\nGrüße\n"))
people = [("ann@example.org", 0)] + ([("fs@lists.example.org", 1)]
                                     if public else [])
for n, (address, is_list) in enumerate(people):
    db.execute("INSERT INTO outbox_rcpt VALUES (?, ?, ?, '', ?, ?, 0, 0, 0, "
               "'')", (number, n + 1, n > 0, address, is_list))
db.commit()
PY
}
state() { # NUMBER STATE
	o 0 show --json "$1"
	want_out "\"state\":\"$2\""
}

command -v python3 >/dev/null || {
	echo "skipped: no python3"
	exit 77
}
settings dry-run null
t 1 --config "$conf" --db "$db" outbox list
want_error 'no database yet'
t 0 --db "$db" -q import tests/data/demo
o 1 list
want_no_out
draft 1 person
draft 2 list
o 0 list
want_out '1 draft'
want_out 'Cc fs@lists.example.org (list)'
want_out '| It is slow.'
grep -q 'how is it' "$work/out" && fail "quotes are no lines of ours"
o 0 show 2
want_out 'Subject: Re: slow fsync'
o 0 list --json
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "not one object a mail"
python3 tests/e2e/json_types.py culprit/outbox/1 <"$work/out" \
	>"$work/types" || fail "$(cat "$work/types")"

# Wrong usage.
o 2 frobnicate
want_error 'say what'
o 2 approve
want_error 'say which'
o 1 approve 17
want_error '17: there is none'
o 2 list --state nosuch
want_error '--state'
o 2 list --redirect-to a@example.org
want_error 'redirect-to'

# A dry run writes files, whatever is approved.
o 0 approve 1
o 0 send
want_out 'not sent'
want_err 'mode=dry-run'
[ -s "$db-outbox/1.eml" ] || fail "no file of the draft"
state 1 approved

# Nor does the null transport send.
settings auto null
o 1 send
want_error 'transport=null'

# To a list only after the time to take it back.
settings approve file "folder=$work/sent"
o 0 approve 2
o 0 send
want_out '1 sent'
o 1 diff 2
o 1 send
state 2 approved
o 0 drop --reason 'not so' 2
want_out 'cancelled: not so'
o 2 approve 2
want_error 'it is cancelled'
o 2 drop 1
want_error "can't be taken back"
draft 3 list
o 0 approve 3
touch "$work/STOP"
now=2026-11-30T12:20:00Z
o 1 send
want_error "STOP"
rm "$work/STOP"
o 0 stop --reason 'lunch'
o 1 send
want_error 'lunch'
o 0 resume
o 0 send
want_out '3 sent'
[ "$(find "$work/sent" -name '*.eml' | wc -l)" -eq 2 ] ||
	fail "not two mails in the folder"
o 1 list
o 0 list --all
want_out '2 cancelled: not so'
o 1 send

# What was changed behind its back is not what was approved.
draft 4 person
o 0 approve 4
python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE outbox SET body = body || char(120, 10) WHERE id = 4")
db.commit()' "$db"
o 0 diff 4
want_out '+x'
o 1 send
state 4 held
want_out 'not what was approved'

# Bad settings.
settings auto smtp
o 2 send
want_error 'needs a server'
settings auto smtp server=smtp.example.org user=bot
o 2 send
want_error 'password'
settings auto smtp server=smtp://127.0.0.1:1
o 0 approve 4
o 4 send
want_out '4 retry'
state 4 retry

# No socket is opened in a dry run, and no program is run.
if command -v strace >/dev/null; then
	settings dry-run smtp server=smtp://127.0.0.1:1
	strace -f -e trace=network,process -o "$work/trace" "$CULPRIT" \
		--config "$conf" --db "$db" outbox send >/dev/null 2>&1
	grep -E 'socket\(|connect\(' "$work/trace" &&
		fail "a socket in a dry run"
	[ "$(grep -c execve "$work/trace")" -eq 1 ] ||
		fail "a program in a dry run"
fi
done_
