#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Thousands of spans are open at the same time. Each begin has ended, is open, or has been
# abandoned: because its key began again, or because the table was full. The table does not grow.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.memory=64M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

selected=$(field maskset | cut -d ' ' -f 1)
trap 'lkst watch --delete many 2>/dev/null; lkstm set -m "$selected"; lkstm delete -n spans' EXIT
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n spans -S >/dev/null || bail_out 'lkstm write'
# new [OPTION...]: delete the watch and create it again. No process has an ID above a million.
new() {
	lkst watch --delete many 2>/dev/null
	lkst watch -n spans 'system_call_entry if number == getsid && arg1 > 1000000' \
		'user_mark if arg1 > 1000000' by arg1 --name many "$@" >/dev/null
}
begin() { spans begin $((1000000 + $1)) $((1000000 + $2)); }
end() { spans end $((1000000 + $1)) $((1000000 + $2)); }
# figures: print "SPANS OPEN ABANDONED UNMATCHED MISSED"
figures() {
	lkst watch --list --json many >listed
	echo "$(json 0.count <listed) $(json 0.open <listed) $(json 0.abandoned <listed) $(json 0.unmatched <listed) $(json 0.missed <listed)"
}
# read_figures: set $count, $open, $abandoned, $unmatched and $missed
read_figures() {
	read -r count open abandoned unmatched missed <<-END
		$(figures)
	END
	diag "$count spans, $open open, $abandoned abandoned, $unmatched unmatched, $missed missed"
}
charged() { lkst status | sed -n 's/^memory  *\([0-9]*\) .*/\1/p'; }
# kernel_kb: print the size of the kernel's own memory in KB
kernel_kb() { awk '$1 ~ /^(SUnreclaim|VmallocUsed|Percpu|KernelStack):/ { sum += $2 } END { print sum }' /proc/meminfo; }

# --- room for all of them

new
begin 1 20000
read_figures
is '20000 begins: each is open or abandoned' "$((open + abandoned)) $count $missed" '20000 0 0'
ok 'nearly all of them are open' [ "$open" -ge 19000 ]
# Other keys end no span.
end 20001 20100
is 'ends of other keys' "$(figures)" "0 $open $abandoned 100 0"
end 1 20000
is 'each open span ends' "$(figures)" "$open 0 $abandoned $((100 + abandoned)) 0"

# --- a table that is full

new --spans 4096
begin 1 4096
used=$(charged) kb=$(kernel_kb)
begin 4097 80000
read_figures
is '80000 begins: each is open or abandoned' "$((open + abandoned)) $count $missed" '80000 0 0'
ok 'no more than fit into the table are open' [ "$open" -le 4096 -a "$open" -gt 2000 ]
is 'LKST uses no more memory' "$(charged)" "$used"
ok "nor does the kernel: $kb KB before, $(kernel_kb) KB afterwards" [ "$(kernel_kb)" -le $((kb + 2048)) ]
end 79001 80000
read_figures
is '1000 ends: each has ended a span or is unmatched' "$((count + unmatched)) $missed" '1000 0'
ok 'the oldest spans have made room for the newest' [ "$count" -gt 900 ]
is 'the begins still add up' "$((count + open + abandoned))" 80000

# --- a key that begins again before it has ended

new --spans 64
begin 7 7
sleep 0.5
for _ in 1 2 3; do begin 7 7; done
is 'the span is replaced, and counted' "$(figures)" '0 1 3 0 0'
sleep 0.1
end 7 7
is 'the end ends the last one' "$(figures)" '1 0 3 0 0'
sleep 0.3
end 7 7
is 'another end has no begin' "$(figures)" '1 0 3 1 0'
ok 'the length is that of the last one' [ "$(lkst watch --list --json many | json 0.max)" -ge 100000000 ]
# A span that never ends stays open while there is room. It is abandoned when it is the oldest in a
# full bucket.
begin 1 1
is 'it stays open' "$(figures)" '1 1 3 1 0'
for round in $(seq 2 20); do begin $((round * 100)) $((round * 100 + 99)); done
read_figures
is 'the begins add up' "$((count + open + abandoned))" 1905
ok 'the table is full' [ "$open" -le 64 -a "$open" -gt 40 ]
end 1 1
is 'the span has made room for another one' "$(figures)" "1 $open $abandoned 2 0"
done_testing
