#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST records the same system calls as ftrace, whichever path they take in the kernel: the fast one
# or, because of seccomp, ptrace, system call user dispatch or ftrace, the slow one.
# kernel: base debug
# arch: x86_64

. "$(dirname "$0")/../tap.sh"
tracefs=/sys/kernel/tracing
dir=$(mktemp -d) || exit
trap 'echo 0 >$tracefs/events/raw_syscalls/enable; rm -rf "$dir"' EXIT

# between_marks: print the lines between the first and the last call of mark()
between_marks() { awk '/ 24301$/ { on = !on; next } on && !/^exit (146|159) -22/'; }

# The events of the thread $1, one per line: "enter NUMBER ARGUMENT" or "exit NUMBER RESULT"
of_lkst() {
	lkstbuf print --json -r -p "$1" -e system_call_entry,system_call_exit | sed -E \
		's/.*"event_type":([0-9]+).*"arg":\[([0-9]+),(-?[0-9]+),.*/\1 \2 \3/' | awk '
		function signed(text) { return length(text) == 20 ? substr(text, 16) - 51616 : text }
		{
			number = int($2 / 4294967296)
			if (number >= 2147483648) number -= 4294967296
			print ($1 == 48 ? "enter" : "exit"), number, signed($3)
		}' | between_marks
}
of_ftrace() {
	sed -nE -e "s/^ *[^ ]*-$1 .* sys_enter: NR (-?[0-9]+) \(([0-9a-f]+),.*/enter \1 \2/p" \
		-e "s/^ *[^ ]*-$1 .* sys_exit: NR (-?[0-9]+) = (-?[0-9]+)/exit \1 \2/p" $tracefs/trace |
		while read -r what number value; do
			[ "$what" = exit ] || value=$((0x$value))
			echo "$what $number $value"
		done | between_marks
}

for program in call_paths call_paths-32; do
	for case in plain filtered dispatched signalled traced; do
		fast=$(./$program $case) || fail "$program $case runs"
		of_lkst "$fast" >"$dir/fast"
		echo >$tracefs/trace
		echo 1 >$tracefs/events/raw_syscalls/enable
		slow=$(./$program $case)
		echo 0 >$tracefs/events/raw_syscalls/enable
		of_lkst "$slow" >"$dir/slow"
		of_ftrace "$slow" >"$dir/ftrace"
		calls=$(grep -c ^exit "$dir/ftrace")
		is "$program $case: ftrace has seen the calls" "$([ "$calls" -ge 4 ] || cat "$dir/ftrace")" ''
		is "$program $case: the same on the path of ftrace" "$(diff "$dir/ftrace" "$dir/slow")" ''
		is "$program $case: the same without ftrace" "$(diff "$dir/ftrace" "$dir/fast")" ''
	done
done
done_testing
