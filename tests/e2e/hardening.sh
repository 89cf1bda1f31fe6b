#!/bin/sh
# hardening.sh - is the program position independent, with full RELRO, without
# an executable stack, and built with stack protector and fortified calls?
set -u
. tests/e2e/lib.sh
command -v readelf >/dev/null || {
	echo "no readelf"
	exit 77
}
command_line=readelf
readelf -hldW "$CULPRIT" >"$work/elf"
readelf --dyn-syms -W "$CULPRIT" >"$work/symbols"
grep -q 'Type: *DYN' "$work/elf" || fail "not position independent"
grep -q 'Flags:.*PIE' "$work/elf" || fail "not a PIE"
grep -q GNU_RELRO "$work/elf" || fail "no RELRO"
grep -qE 'BIND_NOW|FLAGS.*NOW' "$work/elf" || fail "RELRO is not full"
grep GNU_STACK "$work/elf" | grep -q 'RW ' || fail "executable stack"
grep -q __stack_chk_fail "$work/symbols" || fail "no stack protector"
case $CULPRIT in
*/release/*)
	grep -q '_chk@' "$work/symbols" || fail "no fortified calls"
	;;
esac
! grep -qE '(RPATH|RUNPATH)' "$work/elf" || fail "has a library path"
done_
