# lib.sh - for the scripts of tests/e2e, which run the built program
# A script sources it, calls `t` and the `want_*` below, and ends with `done_`.
# $CULPRIT is the program; $work an empty folder with HOME in it.

CULPRIT=${CULPRIT:-build/release/culprit}
case $CULPRIT in
/*) ;;
*) CULPRIT=$PWD/$CULPRIT ;;
esac
[ -x "$CULPRIT" ] || {
	echo "no program $CULPRIT"
	exit 1
}
data=${TEST_DATA:-$PWD/tests/data}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export HOME="$work/home"
unset CULPRIT_CONFIG XDG_CONFIG_HOME XDG_DATA_HOME
failures=0
command_line=

fail() {
	echo "$command_line: $*"
	failures=$((failures + 1))
}

# t CODE ARGUMENTS...: run culprit, keep $work/out and $work/err
t() {
	want=$1
	shift
	command_line="culprit $*"
	code=0
	"$CULPRIT" "$@" </dev/null >"$work/out" 2>"$work/err" || code=$?
	[ "$code" -eq "$want" ] || {
		fail "exit code $code, expected $want"
		head -n 5 "$work/err"
	}
}

# want_out TEXT, want_err TEXT: a line that contains TEXT
want_out() {
	grep -qF -- "$1" "$work/out" || {
		fail "stdout lacks: $1"
		head -n 5 "$work/out"
	}
}
want_err() {
	grep -qF -- "$1" "$work/err" || {
		fail "stderr lacks: $1"
		head -n 5 "$work/err"
	}
}

# want_error TEXT: exactly one line on stderr, "culprit: ...TEXT..."
want_error() {
	want_err "$1"
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line on stderr"
	grep -q '^culprit: ' "$work/err" || fail "stderr not by culprit"
}

want_no_out() {
	[ ! -s "$work/out" ] || fail "stdout is not empty"
}

want_no_err() {
	[ ! -s "$work/err" ] || {
		fail "stderr is not empty"
		head -n 5 "$work/err"
	}
}

# same FILE FILE
same() {
	cmp -s "$1" "$2" || {
		fail "differs"
		diff "$1" "$2" | head -n 10
	}
}

# mail FILE ID SUBJECT [HEADER...]: a mail; the text is stdin
mail() {
	file=$1
	{
		echo "From: A Person <person@example.org>"
		echo "To: dev@lists.example.org"
		echo "Date: Tue, 3 Mar 2020 10:00:00 +0100"
		echo "Message-ID: <$2>"
		echo "Subject: $3"
		shift 3
		for header; do echo "$header"; done
		echo
		cat
	} >"$file"
}

# mbox FILE MAIL...: an mbox of these mails
mbox() {
	box=$1
	shift
	for one; do
		echo "From mboxrd@z Thu Jan  1 00:00:00 1970"
		cat "$one"
		echo
	done >"$box"
}

done_() {
	[ "$failures" -eq 0 ]
	exit $?
}
