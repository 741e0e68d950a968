# shellcheck shell=bash disable=SC2016
# SPDX-License-Identifier: GPL-2.0
# Sourced by tests/host/death*.t. Runs a machine that records on all CPUs until it dies, and
# compares the counts of the module "death" with the records that are found afterwards.

# $work must be in a file system that supports holes in files, because the memory of the VM is a
# file in $work.
# shellcheck source=../host.sh
. "$(dirname "$0")/host.sh"
# shellcheck source=../kernel.sh
. "$(dirname "$0")/kernel.sh"
memory=$work/memory
lkstbuf=$top/build/bin/lkstbuf

# The physical address of the counts of the module "death". Each boot has a page there.
readonly counts_at=$((0x18000000)) counts_append='memmap=64K$0x18000000'

# The size of each CPU's ring, and the number of records of 64 bytes in it.
ring_size=256K slots=4096

"$top/scripts/deps" vm tests || bail_out 'packages are missing'
modules_of base
make_share "$modules/death.ko" "$top/tests/host/death/guest.sh"
cp "$image" "$work/kernel"

# guest: make the VM run the script on standard input, which can use the functions of guest.sh
guest() {
	{ printf '#!/bin/sh\n. /share/guest.sh\n'; cat; } >"$share/guest"
	chmod +x "$share/guest"
}

# vm STATUS OPTION...: run the script of guest() in a VM. lkst-vm must exit with STATUS
vm() {
	local want=$1 status=0
	shift
	run_vm --kernel "$work/kernel" --take-turns --memory "$memory" --share "$share" --log "$work/log" \
		"$@" -- /share/guest >"$work/out" 2>&1 || status=$?
	[ "$status" -eq "$want" ] || bail_out "the VM ended with status $status, not $want: $(cat "$work/out")"
}

# append [PARAMETER...]: print the kernel parameters that all tests need, and each PARAMETER
append() { echo "$counts_append lkst.buffer_size=$ring_size $*"; }

# records FILE OPTION...: write all records, oldest first, to FILE, and messages to FILE.errors.
# Each OPTION is an option of lkstbuf print.
records() {
	local to=$1
	shift
	"$lkstbuf" print --parts -r --json "$@" >"$to" 2>"$to.errors" || echo "lkstbuf: status $?" >>"$to.errors"
}

# all_there NAME RECORDS [BOOT [LOST]]: test that the file RECORDS has the newest records that each
# CPU recorded in boot number BOOT (default: 1), as many as the ring of the CPU holds. Up to LOST
# records may be missing (default: 0).
all_there() {
	local out
	if out=$("$top/tests/host/death/log.py" "$memory" $((counts_at + 4096 * ${3:-1})) $slots "${4:-0}" <"$2" 2>&1); then
		pass "$1"
		diag "$out"
	else
		fail "$1" "$out
$(cat "$2.errors")"
	fi
}

# The next two functions look for symbols of code that takes spin locks. A kernel without LKST's
# patches cannot record spin locks. For such a kernel they look for symbols of timer functions.

# kernel_symbols NAME TEXT: test that addresses in the kernel are printed as symbols
kernel_symbols() {
	local shows=' timer_hr_add +timer=.* function=[a-z_]+ '
	! has_points || shows=' spin_lock +lock=.* caller=[a-z]\w+\+0x[0-9a-f]+$'
	contains "$1: symbols of the kernel" "$2" "$shows"
}

# module_symbols NAME TEXT: test that addresses in modules are printed as symbols
module_symbols() {
	local shows=' timer_add +timer=.* function=do_nothing\[death\] '
	! has_points || shows=' spin_lock +lock=.* caller=record_in_thread\+0x[0-9a-f]+\[death\]'
	contains "$1: symbols of modules" "$2" "$shows"
}

# no_complaint NAME: test that the last call to records() printed no message. Ignores the message
# about checksums, which every image causes. Also ignores the message about records that a CPU was
# writing when it stopped: all_there() allows a few of them.
no_complaint() {
	is "$1: no error messages" "$(grep -vE 'argument bytes carry no checksum$|[0-9]+ records had not been finished' "$work/records.errors")" ''
}

# image_is_whole NAME FILE OPTION...: test that lkstbuf prints all records of the image, and that
# lkstla why agrees with lkstla sched
image_is_whole() {
	local name=$1 file=$2
	shift 2
	records "$work/records" -f "$file" "$@"
	all_there "$name" "$work/records"
	no_complaint "$name"
	image_agrees "$name" "$file"
}

# image_agrees NAME IMAGE: save the image as a trace, and call why_agrees_if_any for it. A ring
# often holds the records of only a few ms, and may then contain no complete wait.
image_agrees() {
	ok "$1: a trace of it" "$lkstbuf" read --image "$2" -f "$work/why.trace"
	why_agrees_if_any "$1" "$work/why.trace"
}
