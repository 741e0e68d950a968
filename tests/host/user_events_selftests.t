#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own selftests of user_events pass, unchanged, with LKST's files in place of the files
# in tracefs. These selftests are in the sources of Linux 6.4 and later.
# kernel: base
# form: builtin module headers stock

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"

for series in $(known_series | tr ' ' '\n' | sort -rV); do
	source=$(source_of "$series")
	[ ! -f "${source:-none}/tools/testing/selftests/user_events/abi_test.c" ] || break
	source=
done
if [ -z "$source" ]; then
	echo '1..0 # SKIP no source of a kernel that has these tests in the cache'
	exit
fi

kernel_of base
make_share
selftests=$source/tools/testing/selftests
mkdir -p "$work/include/linux"
cp "$source/include/uapi/linux/user_events.h" "$work/include/linux/"
tests=(abi_test dyn_test ftrace_test)
for test in "${tests[@]}"; do
	${CC:-cc} -O1 -static -I "$work/include" -I "$selftests" -o "$share/$test" "$selftests/user_events/$test.c" \
		-pthread >"$work/cc.log" 2>&1 || bail_out "$test does not compile: $(tail -n 5 "$work/cc.log")"
done

# Each test sees LKST's files in its own mount namespace.
cat >"$share/guest" <<'END'
. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit
for test; do
	unshare -m sh -c 'mount --bind /sys/kernel/debug/lkst /sys/kernel/tracing && exec "/share/$0"' "$test"
	echo "$test: status $?"
done
END
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append "lkst.user_events_tree=1 lkst.maskset=nothing" --share "$share" \
	-- sh /share/guest "${tests[@]}" >"$work/out" 2>&1

for test in "${tests[@]}"; do
	result=$(sed "1,/^$test: /!d" "$work/out" | sed -n '/^TAP version/h; /^TAP version/!H; ${ x; p }')
	contains "$test passes" "$result" "^$test: status 0$"
	contains "$test: all tests are run" "$result" '^# PASSED: ([0-9]+) / \1 tests passed'
	lacks "$test: no test is skipped" "$result" SKIP
done
done_testing
