#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla noise finds what the kernel's osnoise tracer finds. The tracer's thread osnoise/1 executes a
# loop on CPU 1, and its events show each interrupt, softirq and thread that took the CPU away.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=measure.sh
. "$(dirname "$0")/measure.sh"

tracefs=/sys/kernel/tracing
[ -e $tracefs/current_tracer ] || mount -t tracefs tracefs $tracefs
if ! grep -qw osnoise $tracefs/available_tracers; then
	echo '1..0 # SKIP this kernel has no osnoise tracer'
	exit 0
fi
trap 'echo nop >$tracefs/current_tracer; echo 0 >$tracefs/events/osnoise/enable' EXIT

echo 1 >$tracefs/osnoise/cpus
# The tracer does not see what happens between two samples, so let one sample last for the whole test.
echo 60000000 >$tracefs/osnoise/period_us
echo 60000000 >$tracefs/osnoise/runtime_us
echo 16384 >$tracefs/buffer_size_kb
lkstm set -n default
echo 1 >$tracefs/events/osnoise/enable
echo osnoise >$tracefs/current_tracer
ok 'another thread takes CPU 1' taskset 2 spin 500
echo 0 >$tracefs/events/osnoise/enable
# Save the events, because changing the tracer deletes them. Lines of the file: cause, number of the
# thread or interrupt, start in seconds, duration in nanoseconds
sed -n 's/.* \(irq\|softirq\|thread\)_noise: .*:\([0-9]*\) start \([0-9.]*\) duration \([0-9]*\) ns$/\1 \2 \3 \4/p' \
	$tracefs/trace >kernel
pid=$(sed -n 's/.* thread_noise: *spin:\([0-9]*\) .*/\1/p' $tracefs/trace | head -n 1)
echo nop >$tracefs/current_tracer
lkst stop
read_trace

# Compare the time from the first to the last switch of the process spin, which both traces contain.
switches=$(lkstbuf print -f trace -r --time raw -c 1 -e process_contextswitch)
# switch_times SIDE: print the times of the switches to ("next") or from ("prev") this process, as
# --since and --until accept them
switch_times() { echo "$switches" | sed -n "s/^\([0-9]*\)\([0-9]\{9\}\) .* $1=[^ ]*-$pid .*/@\1.\2/p"; }
lkstla noise -f trace -c 1 -p osnoise/1 --since "$(switch_times next | head -n 1)" \
	--until "$(switch_times prev | tail -n 1)" --csv 2>header >csv
is 'lkstla noise' $? 0
cat header csv
awk -v pid="$pid" '$1 == "thread" && $2 == pid { first = first ? first : $3; last = $3 + $4 / 1e9 }
	END { printf "%.9f %.9f\n", first, last }' kernel >window
# Lines of the file "noise": a cause, how many times it took the CPU, and for how many nanoseconds
# in total
awk 'NR == FNR { first = $1; last = $2 + 1e-9; next }
	$3 >= first && $3 + $4 / 1e9 <= last { count[$1]++; total[$1] += $4 }
	END { for (cause in count) printf "%s %d %.0f\n", cause, count[cause], total[cause] }' window kernel >noise
cat noise

# kernel_sum CAUSE FIELD: print from "noise" how many times (2) or how long (3) a cause took the CPU
# lkstla_sum CAUSE COLUMN: print the same according to lkstla noise (columns 3 and 4)
kernel_sum() { awk -v cause="$1" -v field="$2" '$1 == cause { sum = $field } END { printf "%.0f\n", sum }' noise; }
lkstla_sum() { awk -F , -v cause="$1" -v column="$2" '$1 == cause { sum += $column } END { printf "%.0f\n", sum }' csv; }

is 'number of times that a thread took the CPU' "$(lkstla_sum thread 3)" "$(kernel_sum thread 2)"
ours=$(lkstla_sum thread 4) kernel=$(kernel_sum thread 3)
ok "the time of threads ($ours ns, $kernel ns) differs by at most 5 %" \
	test $((ours * 20)) -ge $((kernel * 19)) -a $((ours * 19)) -le $((kernel * 20))
for cause in irq softirq; do
	ours=$(lkstla_sum $cause 3) kernel=$(kernel_sum $cause 2)
	ok "there are such events: $cause" test "$kernel" -gt 0
	# An interrupt may come between LKST's event of a switch and the tracer's.
	ok "$cause: the numbers ($ours, $kernel) differ by at most 1" \
		test "$ours" -ge $((kernel - 1)) -a "$ours" -le $((kernel + 1))
done
lkst start
done_testing
