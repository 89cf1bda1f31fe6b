#!/bin/sh
# subsystems.sh - whose files an item is about, by MAINTAINERS of a tree
set -u
. tests/e2e/lib.sh

db=$work/db
tree=$work/tree
export GIT_AUTHOR_NAME='Dev Eloper' GIT_AUTHOR_EMAIL=dev@example.org
export GIT_COMMITTER_NAME=Linda GIT_COMMITTER_EMAIL=linda@example.org

git init -q -b master "$tree"
mkdir -p "$tree/fs/smallfs" "$tree/lib"
cp "$data/maintainers/sample" "$tree/MAINTAINERS"
cat >>"$tree/MAINTAINERS" <<'EOT'

SMALL FILE SYSTEM
M:	Smilla Small <smilla@old.example.org>
L:	linux-small@lists.example.org
S:	Maintained
F:	fs/smallfs/

BITMAPS
M:	Bea Bit <bea@example.org>
S:	Maintained
N:	bitmap
EOT
printf '%s\n' 'Smilla Small <smilla@example.org> <smilla@old.example.org>' \
	'Deva Eloper <dev@example.org>' >"$tree/.mailmap"
echo 1 >"$tree/fs/smallfs/bitmap.c"
git -C "$tree" add -A
git -C "$tree" commit -q -m 'smallfs: keep the free list sorted'
echo 2 >"$tree/fs/smallfs/bitmap.c"
echo 2 >"$tree/fs/smallfs/inode.c"
git -C "$tree" add -A
git -C "$tree" commit -q -m 'smallfs: use word operations for the bitmap'
id=$(git -C "$tree" rev-parse HEAD)

cat >"$work/conf" <<EOT
[store]
path=$db
[tree linux]
path=$tree
role=mainline
branches=master
EOT
short=$(printf %.10s "$id")
# The mails of that thread, about the commit that is there.
for n in 1-report 2-patch 3-first 4-second 5-thanks; do
	cp "$data/rerun/$n.eml" "$work/$n"
	for id_len in 40 27 16 10; do
		from=$(printf "%.${id_len}s" \
			5d0e7b93a2c41f686be0d7195a3c0f2e84b7d961)
		sed -i "s/$from/$(printf "%.${id_len}s" "$id")/" "$work/$n"
	done
done

# Without a tree nothing is known of files.
t 0 -q --config "$work/conf" import "$work/1-report"
t 0 --config "$work/conf" show --json "$short"
want_out '"subsystems":[]'

t 0 -q --config "$work/conf" sync linux
t 0 --config "$work/conf" show --json "$short"
want_out '"subsystems":["SMALL FILE SYSTEM","BITMAPS"]'
t 0 --config "$work/conf" status --format tsv sub:small
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "not one item"
t 0 --config "$work/conf" status 'sub:"bitmaps"'
t 1 --config "$work/conf" status sub:alpha

# What could not be used of it is told once.
t 0 --config "$work/conf" problems
want_out 'line 68: N: missing terminating )'
[ "$(grep -c 'line 68' "$work/out")" -eq 1 ] || fail "told more than once"

# The file changes, and so does the answer.
sed -i 's/^N:	bitmap/N:	nothing/' "$tree/MAINTAINERS"
git -C "$tree" commit -q -a -m 'MAINTAINERS: no bitmaps'
t 0 -q --config "$work/conf" sync linux
t 0 --config "$work/conf" show --json "$short"
want_out '"subsystems":["SMALL FILE SYSTEM"]'
cp "$work/out" "$work/before"
t 0 -q --config "$work/conf" rebuild
t 0 --config "$work/conf" show --json "$short"
same "$work/before" "$work/out"

# A directory without its slash, which only the tree knows to be one.
sed -i 's|^F:	fs/smallfs/|F:	fs/smallfs|' "$tree/MAINTAINERS"
git -C "$tree" commit -q -a -m 'MAINTAINERS: no slash'
t 0 -q --config "$work/conf" sync linux
t 0 --config "$work/conf" show --json "$short"
want_out '"subsystems":["SMALL FILE SYSTEM"],"subsystems_guessed":false'

# Who keeps it is waited for, under the name of .mailmap.
t 0 -q --config "$work/conf" import "$work"/[2-5]-*
t 0 --config "$work/conf" next --format tsv "$short"
[ "$(cut -f 2,3 "$work/out")" = "$(printf 'maintainer\tSmilla Small <smilla@example.org>')" ] ||
	fail "another one is waited for: $(cat "$work/out")"
t 0 --config "$work/conf" show --json "$short"
want_out '"author":"Deva Eloper <dev@example.org>"'
want_out '"name":"Deva Eloper","address":"dev@example.org","role":"fix-author"'
t 0 --config "$work/conf" --now 2017-03-14T00:00:00Z report
want_out 'Subsystem: SMALL FILE SYSTEM.'
want_out 'Waiting for: maintainer (Smilla Small <smilla@example.org>)'

# No file is known: the title is a hint.
mail "$work/lonely" lonely@example.org 'small: it is slow' <<EOT
#regzbot introduced: v6.1..v6.2
EOT
t 0 -q --config "$work/conf" import "$work/lonely"
t 0 --config "$work/conf" show --json lonely@example.org
want_out '"subsystems":["SMALL FILE SYSTEM"],"subsystems_guessed":true'

done_
