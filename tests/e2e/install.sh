#!/bin/sh
# install.sh - install, uninstall and dist, and what deps would do
set -u
. tests/e2e/lib.sh
case $CULPRIT in
*/build/release/culprit) ;;
*)
	echo "only of the release build"
	exit 77
	;;
esac
unset MAKEFLAGS MFLAGS MAKELEVEL
root=$work/root

command_line='make install'
make -s install "DESTDIR=$root" PREFIX=/usr >"$work/out" 2>&1 || {
	fail "does not work"
	tail -n 5 "$work/out"
}
for file in bin/culprit share/man/man1/culprit.1 share/doc/culprit/README.md \
	share/doc/culprit/LICENSE share/doc/culprit/culprit.conf \
	share/bash-completion/completions/culprit \
	lib/systemd/system/culprit.service \
	lib/systemd/system/culprit-sync.timer lib/sysusers.d/culprit.conf; do
	[ -s "$root/usr/$file" ] || fail "no $file"
done
[ "$("$root/usr/bin/culprit" --version)" = "$("$CULPRIT" --version)" ] ||
	fail "another program"
units=$root/usr/lib/systemd/system
grep -q '^ExecStart=/usr/bin/culprit run$' "$units/culprit.service" ||
	fail "the unit runs something else"
! grep -q '@bindir@' "$units/culprit-sync.service" || fail "a path was left out"
if command -v systemd-analyze >/dev/null; then
	command_line='systemd-analyze verify'
	systemd-analyze verify --root="$root" "$units/culprit.service" \
		>"$work/out" 2>&1
	! grep -i 'unknown\|invalid\|failed to parse' "$work/out" ||
		fail "it does not understand the unit"
fi
command_line='make uninstall'
make -s uninstall "DESTDIR=$root" PREFIX=/usr >"$work/out" 2>&1 ||
	fail "does not work"
[ -z "$(find "$root" -type f)" ] || fail "files are left"

# tools/deps with a machine of our own making: "one" is installed.
mkdir "$work/bin"
cat >"$work/bin/dpkg-query" <<'EOF'
#!/bin/sh
for package; do :; done
[ "$package" = one ] || exit 1
printf installed
EOF
cat >"$work/bin/apt-get" <<'EOF'
#!/bin/sh
echo "$*" >>"$APT_LOG"
case $* in *impossible*) exit 100 ;; esac
EOF
printf '#!/bin/sh\n"$@"\n' >"$work/bin/sudo"
chmod +x "$work/bin/"*
APT_LOG=$work/apt.log
export APT_LOG
deps() {
	command_line="tools/deps $*"
	: >"$APT_LOG"
	code=0
	PATH=$work/bin:$PATH tools/deps "$@" >"$work/out" 2>"$work/err" ||
		code=$?
}
deps one
[ "$code" -eq 0 ] || fail "exit code $code"
want_no_out
[ ! -s "$APT_LOG" ] || fail "asked apt-get for what is there"
deps one two three
[ "$code" -eq 0 ] || fail "exit code $code"
want_out 'installing two three'
grep -q 'install two three$' "$APT_LOG" || fail "did not install"
deps one impossible
[ "$code" -ne 0 ] || fail "passed over a failure"
done_
