#!/bin/sh
# doctor.sh - are sources and trees asked, each told in one line; and what
# "config --check" finds in them
set -u
. tests/e2e/lib.sh

conf=$work/c.conf
mkdir -p "$work/md/cur" "$work/md/new" "$work/md/tmp"
git init -q -b master "$work/tree"
cat >"$conf" <<END
[store]
path = $work/c.db
[source drop]
type = maildir
path = $work/md
[source gone]
type = mbox
path = $work/nowhere
[source far]
type = nntp
server = nntp://127.0.0.1:1
groups = org.example.list
[tree here]
path = $work/tree
[tree there]
url = file://$work/tree
[tree lost]
url = file://$work/nowhere
END

# Before there is a database the settings can be tested all the same.
t 4 --config "$conf" doctor
want_out 'database  none yet'
want_out "source    drop: readable: $work/md/"
want_out "source    gone: FAILED: $work/nowhere: No such file"
want_out 'check the path'
want_out 'source    far: FAILED: '
want_out "tree      here: readable: $work/tree"
want_out 'tree      there: answers'
want_out 'tree      lost: FAILED: git: '
[ "$(wc -l <"$work/out")" -eq 8 ] || fail 'not a line each'
want_no_err

t 4 --config "$conf" doctor --offline
! grep -q 'far\|there\|lost' "$work/out" || fail 'asked a server'
mbox "$work/nowhere"
t 0 --config "$conf" doctor --offline
want_out 'source    gone: readable'

t 4 --config "$conf" -q sync drop gone here
t 0 --config "$conf" doctor --offline
want_out 'database  sound'
t 0 --config "$conf" config --check
want_out 'right'

# What does not fit together is found before anything is done.
for wrong in 'path=/tmp' 'groups=x' 'user=me' 'since=yesterday'; do
	{
		cat "$conf"
		printf '[source wrong]\ntype=imap\nserver=example.org\n%s\n' \
			"$wrong"
	} >"$work/wrong"
	for verb in 'config --check' sync run doctor; do
		# shellcheck disable=SC2086
		t 2 --config "$work/wrong" $verb
		want_error '[source wrong]'
	done
done
printf '[tree wrong]\n' >"$work/wrong"
t 2 --config "$work/wrong" config --check
want_error '[tree wrong] needs a path or a url'
done_
