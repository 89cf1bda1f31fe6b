#!/bin/sh
# coverage.sh - the summary of "make cov" names each file once
set -u
. tests/e2e/lib.sh

for tool in gcc gcov; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
mkdir -p "$work/some" "$work/b/some"
cat >"$work/some/half.c" <<'EOF'
int half(int x)
{
	if (x)
		return 1;
	return 2;
}
EOF
cat >"$work/some/whole.c" <<'EOF'
int half(int x);

int main(void)
{
	return half(1) - 1;
}
EOF
tool=$PWD/tools/coverage
cd "$work" || exit 1
for name in half whole; do
	gcc --coverage -O0 -c -o "b/some/$name.o" "some/$name.c" || exit 1
done
gcc --coverage -o b/run b/some/half.o b/some/whole.o || exit 1
b/run || fail 'did not run'
"$tool" b some/half.c some/whole.c >out || fail 'did not end well'
for line in '%.*some/half\.c' '100\.00%.*some/whole\.c' '%.*some/$' '%.*all$'
do
	[ "$(grep -c "$line" out)" -eq 1 ] || fail "not once: $line"
done
[ "$(wc -l <out)" -eq 4 ] || fail 'more than that'
! grep '100\.00%.*half' out || fail 'what was not run counts'
done_
