#!/bin/sh
# reply.sh - answers as files that other programs send
set -u
. tests/e2e/lib.sh

conf=$work/c.conf
cat >"$conf" <<'EOF'
[bot]
name=Culprit
address=bot@bot.example.org
url=https://bot.example.org
EOF
cat >"$work/parent.eml" <<'EOF'
From: Jörg Müller <jm@example.org>
To: Ann <ann@example.org>
Cc: list@lists.example.org, bot+x@bot.example.org
Subject: AW: slow fsync
Message-ID: <p1@example.org>
Date: Tue, 08 Sep 2026 09:05:07 +0200
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Hello,

is it slow on rc3, too? Größe 4k.

Bye
EOF
cat >"$work/anchors.json" <<'EOF'
[{"lines": [3, 3], "text": "Yes.\n\nFrom the second run on it is 7 % slower, too, measured with three disks and the newest kernel of last night."}]
EOF

answer() {
	t 0 --config "$conf" --db "$work/none" --now 2026-11-30T12:00:00Z \
		reply --parent "$work/parent.eml" "$@"
}

answer --anchors "$work/anchors.json" --output eml
cp "$work/out" "$work/eml"
want_out 'To: =?utf-8?q?J=C3=B6rg_M=C3=BCller?= <jm@example.org>'
want_out 'Cc: Ann <ann@example.org>, list@lists.example.org'
want_out 'Subject: Re: slow fsync'
want_out 'In-Reply-To: <p1@example.org>'
want_out 'On Tue, Sep 08, 2026 at 09:05:07AM +0200, Jörg Müller wrote:'
want_out '> is it slow on rc3, too? Größe 4k.'
want_out 'Culprit, https://bot.example.org'
answer --anchors "$work/anchors.json" --output eml
same "$work/eml" "$work/out"

# Both forms are one mail for git and for Python.
answer --anchors "$work/anchors.json"
cp "$work/out" "$work/mbox"
for form in eml mbox; do
	git mailinfo "$work/msg.$form" "$work/patch.$form" \
		<"$work/$form" >"$work/info.$form" ||
		fail "git mailinfo does not take the $form"
done
same "$work/info.eml" "$work/info.mbox"
grep -q '^Author: Culprit' "$work/info.eml" || fail "git sees another author"
python3 - "$work/eml" "$work/mbox" <<'EOF' || fail "Python reads it otherwise"
import email, email.policy, mailbox, sys
one = email.message_from_bytes(open(sys.argv[1], 'rb').read(),
                               policy=email.policy.default)
box = mailbox.mbox(sys.argv[2], create=False)
assert len(box) == 1
two = box[0].get_payload(decode=True).decode()
assert one.get_content().rstrip() == \
    two.replace('\n>From ', '\nFrom ').rstrip()
assert '\nFrom the second run' in one.get_content()
EOF

# Without anchors: all of it, to write into; in private to the author alone.
answer --private --output eml
want_out '> Hello,'
want_out '> Bye'
grep -q '^Cc:' "$work/out" && fail "a private answer has copies"

# For who writes it elsewhere: the same recipients.
answer --output howto
want_out '    --in-reply-to=p1@example.org'
want_out '    --to=jm@example.org'
want_out '    --cc=list@lists.example.org'
want_out 'mailto:jm@example.org?In-Reply-To=%3Cp1@example.org%3E&Cc=ann@'
grep -q 'bot' "$work/out" && fail "the bot is among them"

# A mail of the database, by id or link.
t 0 --config "$conf" --db "$work/db" import "$work/parent.eml"
for name in p1@example.org '<p1@example.org>' \
	https://lore.kernel.org/r/p1@example.org; do
	t 0 --config "$conf" --db "$work/db" --now 2026-11-30T12:00:00Z \
		reply --parent "$name" --anchors "$work/anchors.json" \
		--output eml
	same "$work/eml" "$work/out"
done
t 1 --config "$conf" --db "$work/db" reply --parent nosuch@example.org
want_error 'nosuch@example.org: no file, and no mail of that id is known'
want_no_out

# Wrong usage: one line, nothing printed.
t 2 --config "$conf" reply
want_error '--parent'
t 2 --db "$work/none" reply --parent "$work/parent.eml"
want_error 'address='
t 2 --config "$conf" reply --parent "$work/parent.eml" --public --private
want_error 'exclude each other'
t 2 --config "$conf" reply --parent "$work/parent.eml" --output html
want_error 'mbox, eml or howto'
for bad in '{}' '[1]' '[{"lines":[1],"text":"x"}]' '[{"lines":[1,2]}]' \
	'[{"lines":[0,1],"text":"x"}]' '[{"lines":[1,99],"text":"x"}]' '[' \
	'[{"lines":[1,1],"text":""}]'; do
	printf '%s' "$bad" >"$work/bad.json"
	t 2 --config "$conf" reply --parent "$work/parent.eml" \
		--anchors "$work/bad.json"
	want_error 'reply: '
	want_no_out
done
t 4 --config "$conf" reply --parent "$work/parent.eml" \
	--anchors "$work/none.json"
want_error 'none.json'
t 2 --config "$conf" reply --parent "$work/parent.eml" --template nosuch
want_error 'nosuch'

done_
