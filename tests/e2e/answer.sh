#!/bin/sh
# answer.sh - what mails with commands are answered, and which are not
set -u
. tests/e2e/lib.sh

db=$work/c.db
now=2026-11-30T12:00:00Z
cat >"$work/c.conf" <<'EOF'
[bot]
name=Culprit
address=bot@bot.example.org
host=bot.example.org
url=https://bot.example.org
authserv=mx.bot.example.org

[list fs]
address=fs@lists.example.org
EOF
cat >"$work/report.eml" <<'EOF'
From: Ida Brandt <ida@example.org>
To: fs@lists.example.org
Subject: fs: fsync got slow
Date: Sun, 29 Nov 2026 10:00:00 +0000
Message-ID: <rep@example.org>

Since v6.2 it is slow.

#regzbot introduced: v6.1..v6.2
EOF
t 0 --config "$work/c.conf" --db "$db" --now "$now" -q import --list fs \
	"$work/report.eml"

# mail WHO TEXT [HEADERS [ABOVE]]: $work/mail, an answer to the report
mail() {
	{
		printf '%b' "${4-}"
		printf 'From: %s\nSubject: Re: fs: fsync got slow\n' "$1"
		printf 'Date: Mon, 30 Nov 2026 10:00:00 +0000\n'
		printf 'Message-ID: <m@example.org>\n'
		printf 'In-Reply-To: <rep@example.org>\n'
		printf '%b' "${3-To: bot@bot.example.org\n}"
		printf '\n%b' "$2"
	} >"$work/mail"
}
ida='Ida Brandt <ida@example.org>'
jo='Jo Wu <jo@wu.example>'

# answer CODE: $work/out as text, $work/body from the attribution to the
# signature
answer() {
	t "$1" --config "$work/c.conf" --db "$db" --now "$now" \
		answer "$work/mail"
	sed -n '/ wrote:$/,/^-- $/p' "$work/out" | sed '1d;$d' >"$work/body"
}

want_body() {
	cat >"$work/want"
	echo >>"$work/want"
	diff -u "$work/want" "$work/body" >"$work/diff" || {
		fail "another text"
		cat "$work/diff"
	}
}

# silent REASON WHO TEXT [HEADERS [ABOVE]]
silent() {
	reason=$1
	shift
	mail "$@"
	answer 1
	want_out "reason    $reason"
}

# ---- texts

mail "$ida" 'Hi,\nsome words\n#culprit fixd: fs: combine nat_bits\nthanks\n'
answer 0
want_out 'To: Ida Brandt <ida@example.org>'
want_out 'In-Reply-To: <m@example.org>'
want_out 'Auto-Submitted: auto-replied'
want_out 'X-Culprit-Bot: bot@bot.example.org'
want_body <<'EOF'
> #culprit fixd: fs: combine nat_bits

Not executed: no command "fixd". If you meant "fix", send back:

  #culprit fix: fs: combine nat_bits

Commands: https://bot.example.org/help
EOF
cp "$work/out" "$work/first"

mail "$ida" '#culprit introduced: v6.8..v6.9-rc1
#culprit dup-of: https://lore.kernel.org/r/nosuch@x
#culprit prio: high
'
answer 0
item=$(sed -n 's/^X-Culprit-Regression: //p' "$work/out")
[ -n "$item" ] || fail "no item"
want_body <<EOF
> #culprit introduced: v6.8..v6.9-rc1

Done, now $item.

> #culprit dup-of: https://lore.kernel.org/r/nosuch@x

Not executed: that mail is in none of the lists I read.

Commands: https://bot.example.org/help

> #culprit prio: high

Done (was: normal).
EOF

long='pm: boot problems when hibernate is configured and kernel'
mail "$ida" "#culprit title $long\nlocked down\n"
answer 0
want_out "title $long locked down"
want_out '          done: title'
mail "$ida" '#culprit title short one\nSee you\n'
answer 0
want_out 'commands  title short one'
mail "$ida" '#culprit monitor:\nhttps://lore.kernel.org/all/a@b/\nthanks\n'
answer 0
want_out 'commands  monitor https://lore.kernel.org/all/a@b/'
grep -q 'monitor.*thanks' "$work/out" && fail "thanks was taken"

mail "$ida" '#culprit statsu\n#culprit list\n#culprit help fix\n'
answer 0
want_out 'No command "statsu"; taken as "status":'
want_out "  item      $item"
want_out "  $item  "
want_out '  #culprit fix COMMIT'

eleven=$(seq -f '#culprit title t%.0f\n' 11 | tr -d '\n')
mail "$ida" "$eleven"
answer 0
[ "$(grep -c '^> ' "$work/body")" -eq 1 ] || fail "more than one is quoted"
grep -q '^          done' "$work/out" && fail "something is done"

mail "$ida" '#culprit atomic\n#culprit title x\n#culprit resolve\n'
answer 0
grep -q '^          done: title' "$work/out" && fail "half of it is done"

# ---- what is ours sent back: nothing, however it is indented

sed -n '/ wrote:$/,$p' "$work/first" >"$work/own"
silent inert "$ida" "$(sed 's/$/\\n/' "$work/own" | tr -d '\n')"
silent inert "$ida" "$(sed 's/^-- $//; s/^  *//; s/$/\\n/' "$work/own" |
	tr -d '\n')"

# ---- who is not answered

to='To: bot@bot.example.org\n'
silent own 'Bot <bot+b-1-2@bot.example.org>' '#culprit x\n'
silent bounce "$jo" '#culprit x\n' "${to}Return-Path: <>\n"
silent vacation "$jo" '#culprit x\n' "${to}Auto-Submitted: auto-replied\n"
silent loop "$jo" '#culprit x\n' "${to}X-Loop: bot@bot.example.org\n"
silent robot 'kernel test robot <lkp@intel.com>' '#culprit x\n'
silent 'no command' "$jo" 'Hello\n'
silent quoted "$jo" '> #culprit resolve: x\n\nNo.\n'
silent 'not ours' "$jo" '#syz fix: x\n\n#kernelci issue 1\n'
silent 'too old' "$jo" '#culprit x\n' \
	"${to}" 'Received: by mx.bot.example.org; 1 Nov 2026 10:00:00 +0000\n'
cp "$work/report.eml" "$work/mail"
sed -i 's/^#regzbot.*/#culprit status/' "$work/mail"
answer 1
want_out 'reason    seen before'
mail "$jo" '#culprit resolve: x\n' 'To: other@lists.example.org\n'
sed -i '/^In-Reply-To/d' "$work/mail"
answer 1
want_out 'reason    not for us'
mail 'L <fs@lists.example.org>' '#culprit x\n'
answer 1
want_out 'reason    nobody to answer'
mail "$jo" '#culprit status\n' "${to}Reply-To: fs@lists.example.org\n"
answer 0
want_out 'To: Jo Wu <jo@wu.example>'

# ---- who may

false='Authentication-Results: mx.bot.example.org; dkim=fail header.d=%s\n'
good='Authentication-Results: mx.bot.example.org; dkim=pass header.d=%s\n'
border='Received: from x by mx.bot.example.org; 30 Nov 2026 10:00:01 +0000\n'
# shellcheck disable=SC2059
forged=$(printf "$false" wu.example | sed 's/$/\\n/')$border
# shellcheck disable=SC2059
proven=$(printf "$good" wu.example | sed 's/$/\\n/')$border
silent forged "$jo" '#culprit title x\n' "$to" "$forged"
cat >"$work/word.eml" <<'EOF'
From: Jo Wu <jo@wu.example>
To: fs@lists.example.org
Subject: Re: fs: fsync got slow
Date: Sun, 29 Nov 2026 11:00:00 +0000
Message-ID: <word@example.org>
In-Reply-To: <rep@example.org>

Here, too.
EOF
t 0 --config "$work/c.conf" --db "$db" --now "$now" -q import --list fs \
	"$work/word.eml"
mail "$jo" '#culprit title x\n'
answer 0
want_out '          held: '
want_out 'Subject: Confirm: Re: fs: fsync got slow'
mail "$jo" '#culprit title x\n' "$to" "$proven"
answer 0
want_out '          done: title'
mail "$jo" '#culprit title x\n' "$to" "$border$proven"
answer 0
want_out '          held: '

# What is shown is what happens, and nothing happened by showing it.
"$CULPRIT" --config "$work/c.conf" --db "$db" --now "$now" \
	show --json "$item" >"$work/json"
grep -q '"title":"fs: fsync got slow"' "$work/json" || fail "a title stayed"
t 0 --config "$work/c.conf" --db "$db" --now "$now" -q import "$work/mail"
t 0 --config "$work/c.conf" --db "$db" --now "$now" why '<m@example.org>'
want_out '          held: '
want_out 'answer    '

# ---- without a database, and without an address

mail "$jo" '#culprit help\n'
t 0 --config "$work/c.conf" --db "$work/none" --now "$now" answer --json \
	"$work/mail"
want_out '"answer":"private"'
want_out '"recipients":["jo@wu.example"]'
[ -e "$work/none" ] && fail "a database was made"
t 2 --db "$work/none" answer "$work/mail"
want_error 'who answers'
printf 'no mail\n' >"$work/bad"
t 4 --config "$work/c.conf" --db "$work/none" answer "$work/bad"

# ---- mail of lists, as if it were new: no list is ever answered, and without
# our marker nobody is. The demo's, and some of $TEST_CORPUS.

mkdir "$work/real"
python3 - "$work/real" "$data"/demo/*.mbox <<'EOF' || fail "no mail"
import glob, gzip, os, re, sys

mails = [open(name, "rb").read() for name in sys.argv[2:]]
for name in glob.glob(os.environ.get("TEST_CORPUS", "/-") + "/*.mboxrd.gz"):
    mails.append(gzip.open(name).read())
count = 0
for text in mails:
    parts = re.split(rb"^From .*\n", text, flags=re.M)[1:]
    for part in parts[:: max(1, len(parts) // 100)]:
        with open("%s/%d" % (sys.argv[1], count), "wb") as file:
            file.write(part)
        count += 1
sys.exit(count < 5)
EOF
for one in "$work"/real/*; do
	sed 's/^#\(regzbot\|syz\)/#culprit/' "$one" >"$work/mail"
	day=$(sed -n 's/^Date: *//p' "$one" | head -n 1)
	when=$(date -u -d "$day" +%Y-%m-%dT%H:%M:%SZ 2>"$work/err") ||
		when=$now
	for mail in "$one" "$work/mail"; do
		"$CULPRIT" --config "$work/c.conf" --db "$work/none" \
			--now "$when" answer --json "$mail" >"$work/out"
		grep -q '"schema":"culprit/answer/1"' "$work/out" ||
			fail "$one: nothing is told"
		grep -q '"recipients":\[[^]]*@[^]"]*\(list\|vger\)' \
			"$work/out" && fail "$one: a list is answered"
		[ "$mail" != "$one" ] ||
			grep -q '"answer":"none"' "$work/out" ||
			fail "$one: it is answered"
	done
done

# ---- all JSON keys are in the document

mail "$ida" '#culprit prio: high\n#culprit x\n'
"$CULPRIT" --config "$work/c.conf" --db "$db" --now "$now" answer --json \
	"$work/mail" >"$work/json"
for key in $(grep -o '"[a-z_]*":' "$work/json" | tr -d '":' | sort -u); do
	grep -q "\`$key\`" docs/formats.md || fail "docs/formats.md lacks $key"
done
# Who wants no mail gets none, until he wants some again.
said() { # ID WHEN TEXT
	mail "$jo" "$3\n"
	sed -i "s/<m@example.org>/<$1@example.org>/; s/^Date: .*/Date: $2/" \
		"$work/mail"
}
for step in 'mute 1' 'unmute 0'; do
	verb=${step% *}
	said "$verb" "Mon, 30 Nov 2026 0$((9 - ${step#* })):00:00 +0000" \
		"#culprit $verb all"
	t 0 --config "$work/c.conf" --db "$db" --now "$now" -q import \
		--list fs "$work/mail"
	said "ask-$verb" 'Mon, 30 Nov 2026 10:00:00 +0000' '#culprit status'
	answer "${step#* }"
	[ "$verb" = unmute ] || want_out 'wants no mail from here'
done

done_
