#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstla timer and cyclictest agree within 2 us on how late each sleep of cyclictest ends. The clock
# of the VM counts instructions. If it followed the time of the host, the emulation could pause
# between the switch to cyclictest and the moment when cyclictest reads the clock, and the results
# would differ. An interrupt from the device behind /share would have the same effect at that
# moment. So the programs write to memory, and the files are copied to /share at the end.
# kernel: base

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
readonly sleeps=200 precision=2000	# ns

"$top/scripts/lkst-vm" --icount --kernel "$image" --programs cyclictest --share "$work" \
	--append lkst.buffer_size=16M -- sh -ec '
	cd /tmp
	printf "%s entry_log\n" class:interrupt class:timer class:process class:cpu |
		lkstm write -n timer -S >/dev/null
	lkstm set -n timer
	cyclictest -m -t 1 -p 50 -i 2000 -l '$sleeps' -h 1000 -v >printed
	lkst stop
	lkstbuf read -f trace
	cp printed trace /share' >"$work/log" 2>&1 || bail_out "recording in a VM: $(cat "$work/log")"
export TZ=UTC
"$top/build/bin/lkstla" timer -f "$work/trace" --any -p cyclictest --csv >"$work/csv" 2>"$work/header"
contains 'nothing was lost' "$(cat "$work/header")" 'nothing lost'
why_agrees 'the trace' "$work/trace"

# cyclictest prints a line "thread: number: microseconds" for each sleep, rounded down. The other thread
# of cyclictest sleeps less often.
sed -n 's/^ *0: *[0-9]*: *\([0-9]*\)$/\1/p' "$work/printed" >"$work/samples"
is 'cyclictest prints each sleep' "$(wc -l <"$work/samples")" $sleeps
row=$(awk -F , -v count=$sleeps '
	$1 == "thread" { until_run = $4 == "late_p50_ns" }
	until_run && $2 == "hrtimer_wakeup" && $3 == count' "$work/csv")
IFS=, read -r thread _ _ p50 p99 max at _ <<<"$row"
contains 'lkstla timer has each sleep' "$row" '^cyclicte(st)?-[0-9]+,'

# rank PERCENT: print that percentile of the samples in ns
rank() { sort -n "$work/samples" | awk -v rank=$(((sleeps * $1 + 99) / 100)) 'NR == rank { print $1 * 1000 }'; }
# cyclictest reads the clock after the switch to it. A percentile of lkstla may be up to 1.6 % too
# high.
while read -r name got program; do
	ok "$name: $got ns, cyclictest $program" \
		test "$got" -ge $((program - precision)) -a "$got" -le $(((program + 1000) * 1016 / 1000))
done <<-END
	median $p50 $(rank 50)
	p99 $p99 $(rank 99)
	maximum $max $(rank 100)
END

# cyclictest reads the clock later than LKST. For each sleep, print a lower bound of the time
# between the two readings, in ns. The times of records are times of the wall clock, and timers
# expire at times of the monotonic clock. The difference between the clocks follows from the expiry
# time of one timer: for the sleep that ended latest, lkstla has converted this time to the wall
# clock ($at). To find the timer of this sleep, try each timer. With the right one, the first timer
# expires within 2 ms after the record that adds it. Timers are 2 ms apart, so no other timer fits.
# awk has 53 bits for a number, so leave out the first digits of each time.
"$top/build/bin/lkstbuf" print -f "$work/trace" -r --time raw -e timer_hr_add,process_contextswitch \
	-p "${thread##*-}" | awk -v thread="cyclictest-${thread##*-}" -v at="${at:6}" '
	/ timer_hr_add .* function=hrtimer_wakeup / && index($0, " " thread) {
		expires = $0
		sub(/.*expires_ns=/, "", expires)
		set[++sleeps] = expires + 0
		added[sleeps] = substr($1, 7)
		waits = 1
	}
	waits && index($0, " next=" thread " ") { ran[sleeps] = substr($1, 7); waits = 0 }
	END {
		for (i = 1; i <= sleeps; i++) {
			ahead = at - set[i] + set[1] - added[1]
			if (ahead > 0 && ahead < 2000000) distance = at - set[i]
		}
		for (i = 1; i <= sleeps; i++) printf "%.0f\n", ran[i] - distance - set[i]
	}' >"$work/late"
paste "$work/samples" "$work/late" | awk '{ print $1 * 1000 - $2 }' | sort -n >"$work/more"
is 'each sleep is in the records' "$(wc -l <"$work/late")" $sleeps
least=$(head -n 1 "$work/more") most=$(tail -n 1 "$work/more")
ok "each sleep: cyclictest is $least to $most ns later, and rounds down to 1000 ns" \
	test "$least" -gt -1000 -a "$most" -le $precision
done_testing
