#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own selftests of ftrace, with LKST's files in place of the files in tracefs: each test
# has the result that the table in Documentation/lkst/tree.rst gives. The selftests are those of the
# newest kernel source in the cache.
# kernel: base
# form: builtin module headers stock
# timeout: 900

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"

for series in $(known_series | tr ' ' '\n' | sort -rV); do
	source=$(source_of "$series")
	[ ! -f "${source:-none}/tools/testing/selftests/ftrace/ftracetest" ] || break
	source=
done
if [ -z "$source" ]; then
	echo '1..0 # SKIP no kernel source in the cache'
	exit
fi

kernel_of base
make_share
cp -r "$source/tools/testing/selftests/ftrace" "$share/"
read -ra folders <<<"${FTRACE_TESTS:-event filter trigger trigger/inter-event dynevent kprobe}"
# LKST's tree of files has no "instances", so do not repeat any test in an instance.
find "$share/ftrace/test.d" -name '*.tc' -exec sed -i '/^# flags:.*instance/d' {} +

# Each test sees LKST's files in its own mount namespace. Prints "result: TEST RESULT" for each.
cat >"$share/guest" <<'END'
. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit
cp -r /share/ftrace /tmp/ftrace
cd /tmp/ftrace || exit
grep -q ' /sys/kernel/tracing tracefs ' /proc/mounts || mount -t tracefs nodev /sys/kernel/tracing
for folder; do
	for test in $(cd test.d && find "$folder" -maxdepth 1 -name '*.tc' | sort); do
		unshare -m sh -c 'mount --bind /sys/kernel/debug/lkst /sys/kernel/tracing && exec "$@"' sh \
			timeout 60 sh ./ftracetest -k -l /tmp/log "test.d/$test" >/tmp/out 2>&1
		result=$(sed -n 's/^\[1\].*\[\([A-Z]*\)\].*/\1/p' /tmp/out)
		echo "result: $test ${result:-timeout}"
		[ "$result" = PASS ] || tail -n 30 /tmp/out /tmp/log/*log.*
		rm -rf /tmp/log
	done
done
echo 'result: end end'
END
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append lkst.user_events_tree=1 --share "$share" \
	-- sh /share/guest "${folders[@]}" >"$work/out" 2>&1
cp "$work/out" "${RESULTS:-$work}/ftrace_selftests.out"

# Rows of the tables: "TEST RESULT [or *RESULT*] [REASON]", behind "Folder ``FOLDER``:". Print
# "FOLDER/TEST RESULT[|RESULT]".
table=$(sed -n '/^\.\. ftrace-selftests/,/^\.\. end/p' "$top/Documentation/lkst/tree.rst" |
	awk '{ gsub(/[`:*]/, "") }
		$1 == "Folder" { folder = $2 }
		$1 ~ /\.tc$/ { print folder "/" $1, $2 ($3 == "or" ? "|" $4 : "") }')
results=$(tr -d '\r' <"$work/out" | sed -n 's/^result: //p' | tr '[:upper:]' '[:lower:]')
contains 'all tests were run' "$results" '^end end$'
for folder in "${folders[@]}"; do
	while read -r test result; do
		contains "$test" "$result" "^($(sed -n "s#^$test ##p" <<<"$table"))$"
	done < <(grep "^$folder/[^/]*$" <<<"$results")
	is "$folder: the table lists all tests" "$(grep -c "^$folder/[^/]*$" <<<"$table")" \
		"$(grep -c "^$folder/[^/]*$" <<<"$results")"
done
done_testing
