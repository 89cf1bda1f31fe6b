#!/bin/sh
# manual.sh - do manual, sample settings and completion fit the program?
set -u
. tests/e2e/lib.sh

command_line='tools/manual --check'
tools/manual --check "$CULPRIT" docs/culprit.1 || fail "see above"
if command -v mandoc >/dev/null; then
	command_line='mandoc -Tlint'
	mandoc -Tlint -W warning docs/culprit.1 >"$work/lint" 2>&1 ||
		{ cat "$work/lint"; fail "see above"; }
fi

t 0 --config config/culprit.conf config --check
want_out 'config/culprit.conf: right'

# Every verb has help, and stands in the manual and in the completion.
t 0 help --completion
cp "$work/out" "$work/completion"
t 0 --help
verbs=$(sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$work/out")
[ -n "$verbs" ] || fail "no verbs"
for verb in $verbs; do
	t 0 help "$verb"
	want_out "usage: culprit $verb"
	grep -q "^\.It Cm $verb" docs/culprit.1 || fail "not in the manual"
done

# What bash would offer.
if command -v bash >/dev/null; then
	offers() {
		bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
			_culprit; printf "%s\n" "${COMPREPLY[@]}"' \
			"$work/completion" culprit "$@"
	}
	command_line='completion'
	offers conf | grep -qx config || fail "conf: no config"
	offers config --ch | grep -qx -- --check || fail "no --check"
	offers --db x config --sh | grep -qx -- --show || fail "no --show"
	offers config --qu | grep -qx -- --quiet || fail "no --quiet"
	! offers config conf | grep -q . || fail "a verb after a verb"
fi
done_
