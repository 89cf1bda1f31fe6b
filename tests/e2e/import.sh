#!/bin/sh
# import.sh - every form of mail files gives the same database; importing
# again, in pieces or under another name changes nothing
set -u
. tests/e2e/lib.sh

make_mails() { # FORM [N]
	LC_ALL=C awk -v n="${2-60}" -v form="$1" -v dir="$work/eml" \
		-f tests/e2e/mails.awk
}

dump() { # DB FILE
	for what in threads links series; do
		t 0 --db "$1" dump $what
		cat "$work/out"
	done >"$2"
}

# same_as_reference NAME: what was imported into $work/NAME.db
same_as_reference() {
	dump "$work/$1.db" "$work/$1.dump"
	command_line="import of $1"
	same "$work/reference.dump" "$work/$1.dump"
}

mkdir "$work/eml" "$work/mh" "$work/md" "$work/md/cur" "$work/md/new" \
	"$work/md/tmp" "$work/folder" "$work/folder/sub"
make_mails eml
for form in o rd cl2; do
	make_mails $form >"$work/$form.mbox"
done
i=0
for file in "$work"/eml/*.eml; do
	i=$((i + 1))
	cp "$file" "$work/mh/$i"
	if [ $((i % 3)) -eq 0 ]; then
		cp "$file" "$work/md/new/$i.host"
		cp "$file" "$work/folder"
	else
		cp "$file" "$work/md/cur/$i.host:2,S"
		cp "$file" "$work/folder/sub"
	fi
done
gzip -c "$work/rd.mbox" >"$work/packed"
zstd -q -c "$work/o.mbox" >"$work/packed.too"
head -c 4000 "$work/rd.mbox" | gzip >"$work/two.gz"
tail -c +4001 "$work/rd.mbox" | gzip >>"$work/two.gz"

# The reference: each message by itself.
t 0 --db "$work/reference.db" import "$work"/eml/*.eml
want_err '60 messages read: 59 new, 1 others under a known Message-ID'
want_no_out
dump "$work/reference.db" "$work/reference.dump"
[ "$(grep -c '@example.org' "$work/reference.dump")" -ge 60 ] ||
	fail 'the reference is too small'

for name in o.mbox rd.mbox cl2.mbox packed packed.too two.gz mh md folder \
	eml; do
	t 0 --db "$work/$name.db" import "$work/$name"
	want_err '60 messages read: 59 new, 1 others'
	same_as_reference "$name"
done

# stdin, packed or not, an mbox or a message
for name in rd.mbox packed packed.too; do
	command_line="import - <$name"
	"$CULPRIT" --db "$work/stdin-$name.db" -q import - <"$work/$name" \
		2>"$work/err" || fail "exit code $?"
	want_no_err
	same_as_reference "stdin-$name"
done
command_line='import - <mail'
"$CULPRIT" --db "$work/mail.db" import - <"$work/eml/000000.eml" \
	2>"$work/err" || fail "exit code $?"
want_err '1 messages read: 1 new'

# All of them into one database: one copy of each.
t 0 --db "$work/all.db" -q import "$work/rd.mbox" "$work/md" "$work/mh" \
	"$work/packed.too" "$work/folder" "$work/cl2.mbox" "$work"/eml/*
want_no_err
same_as_reference all

# Again: nothing is new.
for name in rd.mbox packed mh md folder; do
	t 0 --db "$work/$name.db" import "$work/$name"
	want_err ' 0 new'
	same_as_reference "$name"
	t 0 --db "$work/$name.db" import --again "$work/$name"
	want_err '60 messages read: 0 new, 60 known'
	same_as_reference "$name"
done

# An mbox that grows.
for bytes in 1 100 5000 20000; do
	head -c $bytes "$work/rd.mbox" >"$work/growing"
	code=0
	"$CULPRIT" --db "$work/growing.db" -q import "$work/growing" \
		2>/dev/null || code=$?
	[ $code -eq 0 ] || [ $code -eq 4 ] || fail "exit code $code"
done
cp "$work/rd.mbox" "$work/growing"
t 0 --db "$work/growing.db" -q import "$work/growing"
t 0 --db "$work/growing.db" dump threads
cut -f 1 "$work/out" >"$work/ids"
grep -h '@example.org' "$work/reference.dump" | cut -f 1 | sort -u \
	>"$work/ids.all"
command_line='import of a growing mbox'
[ "$(grep -c . "$work/ids")" -ge 60 ] || fail 'messages are missing'

# The name of the list counts, also for mail that was imported before.
t 0 --db "$work/list.db" import "$work/rd.mbox"
t 0 --db "$work/list.db" import --list other "$work/rd.mbox"
want_err '60 messages read: 0 new, 60 known'
t 0 --db "$work/list.db" why m0@example.org
want_out other

done_
