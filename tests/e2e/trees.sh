#!/bin/sh
# trees.sh - sync, commit and trees, as their users meet them
set -u
. tests/e2e/lib.sh

db=$work/c.db
conf=$work/c.conf
GIT_AUTHOR_NAME='Ann Other' GIT_AUTHOR_EMAIL=ann@example.org
GIT_COMMITTER_NAME='Max Taker' GIT_COMMITTER_EMAIL=max@example.org
GIT_AUTHOR_DATE='1583000000 +0000' GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME
export GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_DATE
export GIT_CONFIG_GLOBAL

# add TITLE [BODY]: a commit
add() {
	echo "$1" >>"$work/a/f"
	git -C "$work/a" add f
	git -C "$work/a" commit -qm "$1" -m "${2:-Text.}"
}

git init -q -b master "$work/a"
add 'fs: be faster'
bad=$(git -C "$work/a" rev-parse HEAD)
git -C "$work/a" tag v1.0
cat >"$conf" <<END
[store]
path = $db
[tree mainline]
path = $work/a
weburl = https://git.example.org/c/
[tree stable]
url = $work/nowhere
END

# What can't be had is told, the rest is read.
t 4 --config "$conf" sync
want_err 'culprit: tree stable: git: '
want_err '1 tree read: 1 new commit'
want_no_out
t 0 --config "$conf" -q sync mainline
want_no_err
t 2 --config "$conf" sync mainlin
want_error 'there is neither [tree mainlin] nor'
t 0 --config "$conf" problems
want_out 'stable'

# A report of it, by command.
mail "$work/report" report@example.org 'fs is slow' <<END
It takes twice as long.

#regzbot introduced: $bad
END
t 0 --config "$conf" -q import "$work/report"
t 0 --config "$conf" commit "$bad"
want_out 'fs: be faster'
want_out 'regressed    yes, 1 report'
want_out '  mainline     yes, in master since 2020-02-29, first in v1.0'
want_out "               https://git.example.org/c/$bad"
want_out '  stable       not looked'
t 0 --config "$conf" commit --json "$bad"
want_out "\"url\":\"https://git.example.org/c/$bad\""
t 0 --config "$conf" show "$bad"
want_out "             https://git.example.org/c/$bad"
t 0 --config "$conf" show --json "$bad"
want_out "\"url\":\"https://git.example.org/c/$bad\"}"
t 0 --config "$conf" trees report@example.org
want_out 'culprit '
want_out 'first in v1.0'

# A commit that repairs it.
add 'fs: be fast again' "Fixes: $(echo "$bad" | cut -c1-12) (\"fs: be faster\")
Link: https://lore.kernel.org/r/report@example.org"
fix=$(git -C "$work/a" rev-parse HEAD)
t 0 --config "$conf" -q sync mainline
t 0 --config "$conf" trees report@example.org
want_out 'fs: be fast again'
want_out 'in no tag yet'
t 0 --config "$conf" commit --json "$bad"
want_out '"regressed":true'
want_out "\"says\":\"fixes\",\"id\":\"$fix\""
want_out '"name":"stable","present":null'
t 0 --config "$conf" trees --json report@example.org
want_out '{"schema":"culprit/trees/1"'
t 0 --config "$conf" commit "$(echo "$fix" | cut -c1-7)"
want_out '  repairs'

# Rewritten, and told.
git -C "$work/a" reset -q --hard HEAD~1
t 0 --config "$conf" sync mainline
want_err '1 gone from a branch, 1 branch rewritten'
t 0 --config "$conf" commit "$fix"
want_out 'was in master until'

# What no tree has: where it was looked for is told.
mail "$work/other" other@example.org 'fs crashes' <<END
It crashes.

#regzbot introduced: 00112233445566778899aabbccddeeff00112233
#regzbot fix: fs: do not crash
END
t 0 --config "$conf" -q import "$work/other"
t 0 --config "$conf" trees other@example.org
want_out '  mainline     no (looked '
want_out '  stable       not looked'
want_out 'fix (no commit of it is known) fs: do not crash'
t 0 --config "$conf" commit 00112233445566
want_out '  mainline     no (looked '

t 1 --config "$conf" commit 1234567
want_error 'no such commit is known'
t 2 --config "$conf" commit 123456
want_error 'must be the id of a commit'
t 1 --config "$conf" trees nothing@example.org
want_error 'no tracked item'
done_
