#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Recording an event takes no more instructions than record_cost.txt allows. The counts are exact:
# the same kernel takes the same number of instructions each time, however busy the host is. The
# counts depend on the compiler, so record_cost.txt has lines for each compiler.
# timeout: 180
# kernel: base

. "$(dirname "$0")/host.sh"

. "$(dirname "$0")/kernel.sh"
# shellcheck source=../../bench/common.sh
. "$top/bench/common.sh"
# shellcheck source=../../bench/record.sh
. "$top/bench/record.sh"
table=$(dirname "$0")/record_cost.txt

kernel_of base
record_programs "$kernel_build" || bail_out "record-guest does not compile"
count_in_vm "$image" "$work/counts" \
	'cd /share; cat /proc/version >version; insmod record-hook.ko; ./record-guest lkst' lkst.maskset=nothing

# The compiler and the series of the kernel, such as "gcc-12.2.0 6.1".
built=$(sed -nE 's/^Linux version ([0-9]+\.[0-9]+)[^ ]*/\1/
	s/^([^ ]+).*[( ]clang version ([0-9.]+).*/clang-\2 \1/p
	s/^([^ ]+).*gcc[^ ]* \([^)]*\) ([0-9.]+),.*/gcc-\2 \1/p' "$work/version")
if [ -z "$built" ]; then
	skip 'what a record takes' "which compiler is that? $(cat "$work/version")"
	done_testing
fi

# cost WHAT MEASURED: test that WHAT, which took MEASURED instructions, takes no more than the table
# allows
cost() {
	local budget name="$1: $2 instructions"
	[ -n "$2" ] || bail_out "nothing was measured of $1: $(cat "$work/counts")"
	budget=$(awk -v built="$built" -v what="$1" '$1 " " $2 == built && $3 == what { print $4 }' "$table")
	case $(awk -v is="$2" -v budget="$budget" 'BEGIN { print (budget == "" ? "none" : is > +budget ? "more" : is < +budget ? "less" : "same") }') in
	none) skip "$name" "no budget for this compiler and kernel; it would be this line of record_cost.txt: $built $1 $2" ;;
	more) fail "$name" "record_cost.txt allows $budget with $built: the record path has become dearer" ;;
	less) pass "$name" && diag "record_cost.txt allows $budget with $built: it can be lowered" ;;
	same) pass "$name" ;;
	esac
}

cost LKST_HOOK "$(of_hook)"
cost rule "$(of_rule)"
cost comparison "$(of_comparison)"
cost watch-pair "$(of_watch)"
cost system-call "$(more getppid getppid lkst 2)"
cost context-switch "$(more pingpong switch lkst 2)"
done_testing
