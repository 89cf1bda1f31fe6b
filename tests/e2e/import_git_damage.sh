#!/bin/sh
# import_git_damage.sh - git archives with holes in them: what can be had is
# kept, and as soon as they are whole again so is the database
# Lists of words are split on purpose.
# shellcheck disable=SC2086
set -u
. tests/e2e/lib.sh
. tests/e2e/lib_git.inc

# loose REPO: one file an object
loose() {
	for pack in "$1"/objects/pack/*.pack; do
		[ -e "$pack" ] || continue
		mv "$pack" "$work/pack"
		rm -f "$1"/objects/pack/*
		git -C "$1" unpack-objects -q <"$work/pack"
	done
}

# object REPO NAME: the file of an object
object() {
	id=$(git -C "$1" rev-parse "$2")
	printf '%s/objects/%.2s/%s' "$1" "$id" "${id#??}"
}

# limited CODE ARGUMENTS...: t, but it has to come to an end
limited() {
	want=$1
	shift
	command_line="culprit $*"
	code=0
	timeout 60 "$CULPRIT" "$@" </dev/null >"$work/out" 2>"$work/err" ||
		code=$?
	[ "$code" -eq "$want" ] || fail "exit code $code, expected $want"
}

whole=$(seq 0 19)

# A commit, a tree, a mail: gone, cut short, empty, or something else; a copy
# that is whole takes the place of the archive.
v2 "$work/whole.git" m $whole
loose "$work/whole.git"
for what in master~7 master~7: master~7:m; do
	for how in gone short empty other; do
		repo=$work/a.git
		rm -rf "$repo" "$work"/a.db*
		cp -R "$work/whole.git" "$repo"
		at=$(object "$repo" "$what")
		chmod u+w "$at"
		case $how in
		gone) rm "$at" ;;
		short) truncate -s 30 "$at" ;;
		empty) : >"$at" ;;
		other) echo 'something else' >"$at" ;;
		esac
		limited 4 --db "$work/a.db" -q import "$repo"
		want_error "$repo"
		limited 0 --db "$work/a.db" problems
		limited 0 --db "$work/a.db" dump threads
		[ "$(grep -c '0$' "$work/out")" -ge 7 ] ||
			fail "$what $how: too little is kept"
		limited 4 --db "$work/a.db" -q import "$repo"
		cp -f "$(object "$work/whole.git" "$what")" "$work/object"
		rm -f "$at"
		cp "$work/object" "$at"
		limited 0 --db "$work/a.db" -q import "$repo"
		limited 1 --db "$work/a.db" problems
		# shellcheck disable=SC2046
		same_as "$work/a.db" $(files $whole)
	done
done

# A mail that is larger than any may be does not stop those behind it.
v2 "$work/large.git" m 0 1
truncate -s 140M "$work/large"
blob=$(git -C "$work/large.git" hash-object -w "$work/large")
tree=$(printf '100644 blob %s\tm\n' "$blob" | git -C "$work/large.git" mktree)
git -C "$work/large.git" update-ref refs/heads/master \
	"$(git -C "$work/large.git" commit-tree -p master -m m "$tree")"
rm "$work/large"
v2 "$work/large.git" m 2
t 4 --db "$work/large.db" -q import "$work/large.git"
want_error 'is larger than a message may be'
t 0 --db "$work/large.db" -q import "$work/large.git"
# shellcheck disable=SC2046
same_as "$work/large.db" $(files 0 1 2)

# The archive is away while all is derived again.
v2 "$work/b.git" m $whole
t 0 --db "$work/b.db" -q import "$work/b.git"
mv "$work/b.git" "$work/away"
t 4 --db "$work/b.db" rebuild
want_error '20 of 20 mails'
t 4 --db "$work/b.db" doctor
want_out 'could not get at 20 mails'
t 0 --db "$work/b.db" problems
t 4 --db "$work/b.db" -q import "$work/b.git"
mv "$work/away" "$work/b.git"
t 0 --db "$work/b.db" import "$work/b.git"
want_err '20 new'
t 1 --db "$work/b.db" problems
t 0 --db "$work/b.db" doctor
# shellcheck disable=SC2046
same_as "$work/b.db" $(files $whole)

# The newest epoch is written anew and takes back what it had deleted.
v2 "$work/in/git/0.git" m 0 1 2 3 4
v2 "$work/in/git/1.git" m 5 6 7
cp -R "$work/in/git/1.git" "$work/first"
v2 "$work/in/git/1.git" d 2 6
t 0 --db "$work/in.db" -q import "$work/in"
# shellcheck disable=SC2046
same_as "$work/in.db" $(files 0 1 3 4 5 7)
rm -rf "$work/in/git/1.git"
mv "$work/first" "$work/in/git/1.git"
v2 "$work/in/git/1.git" m 8
v2 "$work/in/git/1.git" d 4
t 0 --db "$work/in.db" -q import "$work/in"
# shellcheck disable=SC2046
same_as "$work/in.db" $(files 0 1 2 3 5 6 7 8)
done_
