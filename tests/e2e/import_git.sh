#!/bin/sh
# import_git.sh - public-inbox archives made with git: both versions, epochs,
# deletions, purges; always the same as importing what is left
set -u
. tests/e2e/lib.sh

. tests/e2e/lib_git.inc

# ---- version 2
v2 "$work/in/git/0.git" m 0 1 2 3 4 5 6 7 8 9
t 0 --db "$work/a.db" import "$work/in/git/0.git"
want_err '10 messages read: 10 new'
# shellcheck disable=SC2046
same_as "$work/a.db" $(files 0 1 2 3 4 5 6 7 8 9)
t 0 --db "$work/a.db" import "$work/in"
want_err '0 messages read: 0 new'

v2 "$work/in/git/1.git" m 10 11 12
v2 "$work/in/git/1.git" d 11 4
t 0 --db "$work/a.db" import "$work/in"
want_err '3 messages read: 3 new, 2 deleted'
# shellcheck disable=SC2046
same_as "$work/a.db" $(files 0 1 2 3 5 6 7 8 9 10 12)
git clone -q "$work/in/git/1.git" "$work/clone" 2>/dev/null
t 0 --db "$work/clone.db" import "$work/clone"
want_err '3 messages read: 3 new, 1 deleted'

# A purge rewrites the epoch; what was deleted elsewhere stays deleted.
rm -r "$work/in/git/0.git"
v2 "$work/in/git/0.git" m 0 1 2 4 5 6 8 9 20
t 0 --db "$work/a.db" import "$work/in"
want_err ' deleted'
# shellcheck disable=SC2046
same_as "$work/a.db" $(files 0 1 2 5 6 8 9 10 12 20)
t 0 --db "$work/a.db" import "$work/in"
want_err '0 messages read: 0 new'

# What another source has, too, is not lost with the epoch's copy.
t 0 --db "$work/both.db" -q import "$(file 30)"
v2 "$work/solo.git" m 29 30 31
t 0 --db "$work/both.db" -q import "$work/solo.git"
v2 "$work/solo.git" d 29 30
t 0 --db "$work/both.db" import "$work/solo.git"
want_err ' 1 deleted'
# shellcheck disable=SC2046
same_as "$work/both.db" $(files 30 31)

# ---- version 1: a file a message, named after its id
v1_path() { # NUMBER
	sed -n 's/^Message-ID: <\(.*\)>/\1/p' "$(file "$1")" | tr -d '\n' |
		sha1sum | sed 's,^\(..\)\(.\{38\}\).*,\1/\2,'
}
git init -q -b master "$work/v1"
for number in 0 1 2 3 4 5; do
	path=$(v1_path $number)
	mkdir -p "$work/v1/${path%/*}"
	cp "$(file $number)" "$work/v1/$path"
	git -C "$work/v1" add .
	git -C "$work/v1" commit -q -m add
done
git -C "$work/v1" rm -q "$(v1_path 2)"
git -C "$work/v1" commit -q -m rm
git clone -q --bare "$work/v1" "$work/v1.git"
for archive in v1 v1.git; do
	t 0 --db "$work/$archive.db" import "$work/$archive"
	want_err '6 messages read: 6 new, 1 deleted'
	# shellcheck disable=SC2046
	same_as "$work/$archive.db" $(files 0 1 3 4 5)
done
git -C "$work/v1" rm -q "$(v1_path 4)"
git -C "$work/v1" commit -q -m rm
t 0 --db "$work/v1.db" import "$work/v1"
want_err '0 messages read: 0 new, 1 deleted'
# shellcheck disable=SC2046
same_as "$work/v1.db" $(files 0 1 3 5)

# ---- what is no archive, and an archive with a gap
git -C "$work/v1" bundle create -q "$work/bundle" master
t 4 --db "$work/none.db" import "$work/bundle"
want_error 'bundle: is a git bundle; git clone --bare'
git init -q --bare "$work/empty.git"
t 4 --db "$work/none.db" import "$work/empty.git"
want_error 'empty.git: has no commit'

v2 "$work/gap.git" m 0 1 2
blob=$(git -C "$work/gap.git" hash-object "$(file 1)")
object=$work/gap.git/objects/$(echo "$blob" | sed 's,^..,&/,')
mv "$object" "$work/kept"
t 4 --db "$work/gap.db" import "$work/gap.git"
want_err "object $blob is missing"
want_err '3 messages read: 2 new, 1 unreadable'
t 0 --db "$work/gap.db" problems
want_out "object $blob is missing"
# Once the object is there, it can be had.
mv "$work/kept" "$object"
t 0 --db "$work/gap.db" import --again "$work/gap.git"
want_err '3 messages read: 1 new, 2 known'
t 1 --db "$work/gap.db" problems

done_
