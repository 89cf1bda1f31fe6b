#!/bin/sh
# run.sh - the daemon: from a mail dropped to its page; one instance; signals;
# others at work beside it; killed and started again
set -u
. tests/e2e/lib.sh

conf=$work/c.conf
db=$work/c.db
md=$work/md
site=$work/site
daemon=
trap '[ -z "$daemon" ] || kill -KILL "$daemon"; rm -rf "$work"' EXIT
mkdir -p "$md/cur" "$md/new" "$md/tmp"
git init -q -b master "$work/tree"

cat >"$conf" <<END
[store]
path = $db
[pages]
output = $site
[source drop]
type = maildir
path = $md
poll = 1s
[source gone]
type = mbox
path = $work/nowhere
[tree mainline]
path = $work/tree
poll = 1s
END

# Its shell ignores SIGINT and still has to become culprit: what is awaited is
# said by the new one.
start() {
	rm -f "$work/log"
	"$CULPRIT" --config "$conf" -v run 2>"$work/log" &
	daemon=$!
	await 'its start' grep -q ' running: ' "$work/log"
}

# await WHAT COMMAND...: until it is true; the limit is only against a hang
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

# stop SIGNAL CODE: and what the shell says of it
stop() {
	command_line="culprit run, ended by $1"
	kill "-$1" "$daemon"
	code=0
	wait "$daemon" 2>/dev/null || code=$?
	daemon=
	[ "$code" -eq "$2" ] || fail "exit code $code, expected $2"
}

# drop N: a report of a regression, as a delivery agent writes it
drop() {
	mail "$md/tmp/$1" "report$1@example.org" "fs: $1 is slow" <<END
It takes twice as long.

#regzbot introduced: 12345678$1
END
	mv "$md/tmp/$1" "$md/new/$1"
}

# shellcheck disable=SC2317 # await calls it
has_page() {
	grep -rqF "$1" "$site" --include=index.html
}

start
await 'the site' test -e "$site/index.html"
drop 1
await 'the page of a mail' has_page 'fs: 1 is slow'
await 'its Message-ID in the log' \
	grep -q 'source drop: new <report1@example.org>' "$work/log"
await 'a failure' grep -q 'source gone: .*nowhere.*; next try in' "$work/log"

# Others may ask and write meanwhile, but for a second daemon.
t 4 --config "$conf" run
want_error 'locked by another process'
t 4 --config "$conf" rebuild
want_error 'locked by another process'
t 0 --config "$conf" status
want_out 'fs: 1 is slow'
t 4 --config "$conf" sync
want_err 'source gone: '
want_err 'culprit: sync: 2 sources: 1 failed, '
t 0 --config "$conf" problems
want_out '[source gone]'
mkdir "$work/eml"
LC_ALL=C awk -v n=3000 -v form=rd -f tests/e2e/mails.awk >"$work/box"
t 0 --config "$conf" -q import "$work/box" &
importer=$!
drop 2
await 'a mail beside an import' has_page 'fs: 2 is slow'
wait $importer || fail 'the import did not end well'
t 0 --config "$conf" status
want_out 'fs: 2 is slow'

# A source that works again is no problem any more.
mbox "$work/nowhere" "$md/new/1"
kill -HUP "$daemon"
await 'the settings' grep -q 'settings read again' "$work/log"
await 'the source' grep -q 'source gone: 1 messages read' "$work/log"
t 0 --config "$conf" problems
! grep -qF '[source gone]' "$work/out" || fail 'still a problem'

# Wrong settings leave the old ones in force.
cp "$conf" "$work/good"
echo 'nonsense = 1' >>"$conf"
kill -HUP "$daemon"
await 'a complaint' grep -q 'the old settings stay in force' "$work/log"
cp "$work/good" "$conf"
drop 3
await 'a mail after that' has_page 'fs: 3 is slow'

# A commit is seen, too.
echo 1 >"$work/tree/f"
git -C "$work/tree" add f
git -C "$work/tree" -c user.name=x -c user.email=x@example.org commit -qm x
await 'the commit' grep -q 'tree mainline: .*1 new commit' "$work/log"
stop TERM 0
grep -q ' stopped$' "$work/log" || fail 'did not say that it stopped'

# Nothing it was killed in the middle of is lost or doubled.
start
LC_ALL=C awk -v n=400 -v form=eml -v dir="$work/eml" -f tests/e2e/mails.awk
for file in "$work"/eml/*; do mv "$file" "$md/new/"; done
drop 4
await 'some mail' grep -q 'messages read: [1-9][0-9]* new\|: new <' "$work/log"
stop KILL 137
start
await 'the rest' has_page 'fs: 4 is slow'
stop INT 0
t 0 --db "$work/whole.db" -q import "$md" "$work/box"
t 0 --db "$work/whole.db" dump threads
cp "$work/out" "$work/whole"
t 0 --config "$conf" dump threads
same "$work/whole" "$work/out"

# What the service manager hears.
if command -v python3 >/dev/null; then
	command_line='culprit run under a manager'
	python3 - "$CULPRIT" "$conf" "$work/notify" <<'END' || fail 'see above'
import os, signal, socket, subprocess, sys

culprit, conf, path = sys.argv[1:]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(path)
manager.settimeout(120)
daemon = subprocess.Popen(
    [culprit, "--config", conf, "-q", "run"], stderr=subprocess.DEVNULL,
    env=dict(os.environ, NOTIFY_SOCKET=path, WATCHDOG_USEC="600000"))


def hear(word):
    while not manager.recv(4096).decode().startswith(word):
        pass


try:
    for word in "READY=1", "WATCHDOG=1", "WATCHDOG=1":
        hear(word)
    daemon.send_signal(signal.SIGHUP)
    for word in "RELOADING=1\nMONOTONIC_USEC=", "READY=1", "WATCHDOG=1":
        hear(word)
    daemon.terminate()
    hear("STOPPING=1")
    sys.exit(daemon.wait())
finally:
    daemon.kill()
END
fi

printf '[store]\npath = %s\n' "$db" >"$conf"
t 2 --config "$conf" run
want_error 'nothing to do'
done_
