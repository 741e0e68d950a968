#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The state model of the installed liblkst: on valid and damaged traces, the spans of threads and
# CPUs tile the time, and a history returns the spans that the model reports. The example doing.c
# prints what a thread was doing.

. "$(dirname "$0")/host.sh"
use_tools mktrace

make -s -C "$top/tools/lkst" install-lib DESTDIR="$work/dest" prefix=/usr >make.log 2>&1 ||
	bail_out "make install: $(tail make.log)"
include=(-I "$work/dest/usr/include" -I "$work/dest/usr/include/lkst" -iquote "$top/tests/unit/common"
	-iquote "$top/tests/unit/model" -iquote "$top/tools/lkst")
export LD_LIBRARY_PATH=$work/dest/usr/lib
ok 'model_trace builds with the exported functions' gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror \
	-fsanitize=address,undefined -fno-sanitize-recover=undefined "${include[@]}" -o model_trace \
	"$top/tests/host/model_trace.c" "$top/tests/unit/model/history_check.c" -L dest/usr/lib -llkst
ok 'doing.c builds' gcc -std=c11 -O2 -Wall -Wextra -Werror "${include[@]:0:4}" -o doing \
	"$top/samples/liblkst/doing.c" -L dest/usr/lib -llkst

# --- the spans

# make_trace TRACE [ARG...]: write a trace
make_trace() { mktrace "$@" || bail_out "no trace $1"; }
make_trace sample
make_trace late late
make_trace hostile hostile
make_trace busy 3 4000
for trace in sample late hostile busy; do
	ok "$trace" ./model_trace "$trace"
done
for seed in 0 1 2 3 4 5 6 7; do
	make_trace "random$seed" random "$seed"
	make_trace "system$seed" system "$seed"
	ok "random events $seed" ./model_trace "random$seed"
	ok "a system $seed" ./model_trace "system$seed"
	contains "a system $seed has spans" "$(./model_trace "system$seed")" '^[0-9]{2} threads, [0-9]{4,} spans, [0-9]{4,} in'
done

# damage FILE PART: overwrite 64 bytes in each quarter of the file, about PART tenths into the
# quarter
damage() {
	local size i
	size=$(stat -c %s "$1")
	for i in 0 1 2 3; do
		head -c 64 /dev/zero | tr '\0' '\377' |
			dd of="$1" bs=1 seek=$(((size - 64) * (i * 10 + $2) / 40)) conv=notrunc status=none
	done
}
# Each CPU has ten chunks of records. Damaged chunks are left out.
make_trace many 4 40000
for part in 1 4 8; do
	cp many damaged && damage damaged $part
	ok "a damaged file: $part" ./model_trace damaged
	contains "a damaged file has spans: $part" "$(./model_trace damaged)" ' [0-9]{5,} spans,'
	head -c $((400000 * part)) many >truncated
	ok "a truncated file: $part" ./model_trace truncated
done

# --- the example. bash-101 makes the system call clone (56) at 2.1 us, and forks cat-201 at 3.1 us.

is 'a thread that runs' "$(./doing sample 201 0.000006)" \
	'cat-201 at 0.000006000:
  running from 0.000004100 to 0.000011100 on CPU 1
longest wait:
  blocked from 0.000003100 to 0.000004100'
is 'a thread that does not exist yet' "$(./doing sample 201 0.000003)" \
	'no thread 201 is known at that time'
is 'a thread that sleeps' "$(./doing sample 101 0.000005 | head -n 2)" \
	'bash-101 at 0.000005000:
  blocked from 0.000004100 to 0.000011100 in system call 56'
wait=$(./doing system3 103 0.06)
is 'a thread that waits for a CPU, as in the manual page' "$wait" \
	"$(sed -n '/^\$ doing/,/^\.Ed/p' "$top/Documentation/man/lkst_model.3" | sed '1d; $d')"
max=$(lkstla sched -f system3 --any --csv 2>/dev/null | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	/^thread-103/ { print $(column["max_ns"]) }')
is 'the longest wait is that of lkstla sched' \
	"$(awk '/^longest wait/ { getline; printf "%.0f", ($8 - $6) * 1e9 }' <<<"$wait")" "$max"
fails 'wrong usage' 2 ./doing sample 100
refused 'a file that does not exist' 1 'none' ./doing none 100 0
done_testing
