#!/bin/sh
# ops.sh - problems, why, dump, backup, rebuild, doctor on a small database
set -u
. tests/e2e/lib.sh
db=$work/c.db
c() {
	want_code=$1
	shift
	t "$want_code" --db "$db" "$@"
}

mail "$work/a.eml" a@example.org 'slow: a report' \
	'List-Id: <dev.lists.example.org>' \
	'In-Reply-To: <gone@example.org>' <<'EOF'
It is slow.
EOF
mail "$work/b.eml" b@example.org 'Re: slow: a report' \
	'In-Reply-To: <a@example.org>' \
	'References: <gone@example.org> <a@example.org>' <<'EOF'
> It is slow.
Yes.
EOF
mail "$work/c.eml" c@example.org 'odd' 'Date: yesterday' <<'EOF'
text
EOF
sed -i '/^Date: Tue/d' "$work/c.eml"

# Nothing there yet: every question has the same answer.
for line in problems 'why a@example.org' 'dump threads' doctor rebuild index; do
	# shellcheck disable=SC2086
	c 1 $line
	want_error 'no database yet'
done
c 0 -q import --list dev "$work/a.eml" "$work/b.eml" "$work/c.eml"
want_no_err
want_no_out

# dump: sorted, one line a message, ghosts marked.
c 0 dump threads
printf '%s\t%s\t%s\t%s\n' \
	a@example.org gone@example.org gone@example.org 0 \
	b@example.org gone@example.org a@example.org 0 \
	c@example.org c@example.org - 0 \
	gone@example.org gone@example.org - 1 >"$work/want"
same "$work/want" "$work/out"
c 0 dump series
want_no_out
c 2 dump everything
want_error 'there are threads, series, items, links'

# why: by id in any form.
for id in a@example.org '<a@example.org>' \
	https://lore.kernel.org/r/a@example.org/; do
	c 0 why "$id"
	want_out '<a@example.org>'
	want_out 'slow: a report'
	want_out 'dev'
done
c 0 why b@example.org
want_out 'parent    <a@example.org>'
want_out 'thread    <gone@example.org>'
c 0 why gone@example.org
want_out 'ghost'
c 1 why nobody@example.org
want_error 'nobody@example.org: no such message'

# problems: the date of the third mail cannot be read.
c 0 problems
want_out '<c@example.org>'
c 0 problems --json
want_out '{"schema":"culprit/problem/1"'
want_out '"message_id":"c@example.org"'

# doctor: all is well; then a backup is as good as the original.
c 0 doctor
want_out 'sound'
want_no_err
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "not four lines"
c 0 backup "$work/copy.db"
want_no_out
c 0 dump threads
cp "$work/out" "$work/threads"
t 0 --db "$work/copy.db" dump threads
same "$work/threads" "$work/out"
t 0 --db "$work/copy.db" doctor
want_no_err

# rebuild gives the same again.
for what in threads series items links; do
	c 0 dump "$what"
	mv "$work/out" "$work/before.$what"
done
c 0 rebuild
want_err '3 messages derived again'
c 0 -q rebuild
want_no_err
for what in threads series items links; do
	c 0 dump "$what"
	same "$work/before.$what" "$work/out"
done
c 0 doctor
want_out 'index     complete'

# One that was stopped half-way is told by every answer, makes no pages, and
# goes on with the next.
if command -v python3 >/dev/null; then
	c 0 pages "$work/site"
	find "$work/site" -type f | sort >"$work/files"
	python3 - "$db" <<'EOF'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("INSERT INTO meta VALUES ('rebuilding', 1)")
EOF
	c 0 dump threads
	want_error 'a rebuild has not ended'
	c 4 pages "$work/site"
	want_error 'a rebuild has not ended'
	find "$work/site" -type f | sort >"$work/left"
	same "$work/files" "$work/left"
	c 0 doctor
	want_out 'rebuild   not complete'
	c 0 -q rebuild
	c 0 dump threads
	want_no_err
fi

# What is damaged or newer is said, with its own exit code.
echo 'not a database, but long enough to be taken for one' >"$work/bad.db"
t 5 --db "$work/bad.db" dump threads
want_error 'bad.db'
t 5 --db "$work/bad.db" doctor
want_error 'bad.db'
t 4 --db "$work/home" dump threads
want_error 'home'

# The spool is gone: mail that cannot be had is told, not lost in silence.
rm -f "$work/copy.db-spool"
t 4 --db "$work/copy.db" doctor
want_out 'UNREADABLE'
want_err 'copy.db-spool'

# So is a git archive that has moved away.
git init -q -b master "$work/inbox"
cp "$work/a.eml" "$work/inbox/m"
git -C "$work/inbox" add m
git -C "$work/inbox" -c user.name=x -c user.email=x@example.org commit -q -m x
git clone -q --bare "$work/inbox" "$work/0.git"
t 0 --db "$work/git.db" -q import "$work/0.git"
t 0 --db "$work/git.db" doctor
want_out "git       readable: $work/0.git, 1 mail"
mv "$work/0.git" "$work/1.git"
t 4 --db "$work/git.db" doctor
want_out "git       UNREADABLE: $work/0.git"
want_error "$work/0.git"

# A name that is not UTF-8 can be told, too.
odd=$work/$(printf 'odd\377').git
cp -r "$work/1.git" "$odd"
t 0 --db "$work/odd.db" -q import "$odd"
rm -rf "$odd"
t 4 --db "$work/odd.db" rebuild
want_error "1 of 1 mails can't be had"
t 0 --db "$work/odd.db" problems --json
want_out '"code":"bytes-gone"'
t 0 --db "$work/odd.db" problems
want_out 'bytes-gone'

# Full text that was left out is late, no fault.
t 0 --db "$work/late.db" -q import --no-index "$work/a.eml"
t 0 --db "$work/late.db" doctor
want_out '1 message behind: culprit index catches up'
t 0 --db "$work/late.db" -q index
t 0 --db "$work/late.db" doctor
want_out 'index     complete'
t 2 config --check --show
want_error 'exclude each other'
t 0 config --check
want_out 'no settings file'
done_
