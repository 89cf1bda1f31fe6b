#!/bin/sh
# cli.sh - options, exit codes, errors in one line, help
set -u
. tests/e2e/lib.sh

t 0 --version
want_out 'culprit '
t 0 --help
want_out 'usage: culprit'
want_out '--config FILE'
t 0 config --help
want_out 'usage: culprit config'
t 0 help config
want_out 'usage: culprit config'
t 0 -q help
want_out 'Verbs:'

t 2
want_error 'no verb given'
want_no_out
t 2 confg
want_error 'did you mean config?'
t 2 xyzzy
want_error 'xyzzy: no such verb'
t 2 --frobnicate
want_error 'unknown option --frobnicate'
t 2 config --frobnicate
want_error 'config: unknown option --frobnicate'
t 2 status -is:open
want_error 'NOT TERM, or -TERM behind --'
t 2 config --db
want_error 'config: missing argument for --db'
t 2 config --config /dev/zero
want_error '/dev/zero: larger than 1024 KiB, no settings file'
t 2 config one
want_error 'one is one argument too many'
t 2 backup
want_error 'usage: culprit backup FILE'
t 2 help nothing
want_error 'nothing is no verb'
t 2 --now yesterday config
want_error '--now yesterday: not a time like'
t 2 "$(printf 'two\nlines\033[31m')"
want_error 'two lines [31m: no such verb'

# Global options stand before or after the verb.
echo '[pages]' >"$work/a.conf"
echo 'title=Here' >>"$work/a.conf"
for line in "--config $work/a.conf config" "config --config $work/a.conf" \
	"--now 2024-01-31T12:00:00Z config --show --config=$work/a.conf"; do
	# shellcheck disable=SC2086
	t 0 $line
	want_out 'title=Here'
done

# No database yet: nothing is found, and none is made.
t 1 --db "$work/none.db" backup "$work/copy"
want_error "none.db: no database yet"
[ ! -e "$work/none.db" ] || fail "made a database"

# What cannot be written is an error; a reader that leaves is not worth a word.
command_line='culprit config > /dev/full'
code=0
"$CULPRIT" config >/dev/full 2>"$work/err" || code=$?
[ "$code" -eq 4 ] || fail "exit code $code, expected 4"
want_error 'stdout: No space left on device'
command_line='culprit config >&-'
code=0
"$CULPRIT" config >&- 2>"$work/err" || code=$?
[ "$code" -eq 4 ] || fail "exit code $code, expected 4"
want_error 'stdout: '
command_line='culprit config | a reader that has left'
mkfifo "$work/gate"
{
	read -r _ <"$work/gate"
	code=0
	"$CULPRIT" config 2>"$work/err" || code=$?
	echo "$code" >"$work/code"
} | {
	exec <&-
	echo >"$work/gate"
}
[ "$(cat "$work/code")" -eq 141 ] || fail "exit code $(cat "$work/code")"
want_no_err
command_line='culprit config 2>&-'
"$CULPRIT" config 2>&- >"$work/out" || fail "stderr is needed"
want_out '[store]'

done_
