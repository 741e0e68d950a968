# shellcheck shell=bash disable=SC2016
# SPDX-License-Identifier: GPL-2.0
# For tests/host/death*.t, which source it: a machine that records on all CPUs until it dies, and the
# comparison of what is found afterwards with what the module death has counted.

# shellcheck source=../../tap.sh
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
# A file system for files with holes in them: the machine's memory is one.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=../kernel.sh
. "$(dirname "$0")/kernel.sh"
share=$work/share memory=$work/memory
lkstbuf=$top/tools/lkst/lkstbuf

# Each boot has a page of its own there for the module's counts.
readonly counts_at=$((0x18000000)) counts_append='memmap=64K$0x18000000'

# A ring of so many bytes per CPU, one record in 64.
ring_size=256K slots=4096

prepare() {
	"$top/scripts/deps" vm tests || bail_out 'packages are missing'
	modules_of base
	mkdir "$share"
	cp "$modules/death.ko" "$share/"
	share_lkst "$share"
	cp "$top/tests/vm/form.sh" "$share/"
	cp "$image" "$work/kernel"
	cp "$(dirname "${BASH_SOURCE[0]}")/guest.sh" "$share/"
}

# guest: its input is what runs in the VM, with the functions of guest.sh
guest() {
	{ printf '#!/bin/sh\n. /share/guest.sh\n'; cat; } >"$share/guest"
	chmod +x "$share/guest"
}

# vm STATUS OPTION...: runs the guest in a VM that ends with STATUS, of lkst-vm
vm() {
	local want=$1 status=0
	shift
	run_vm --kernel "$work/kernel" --take-turns --memory "$memory" --share "$share" --log "$work/log" \
		"$@" -- /share/guest >"$work/out" 2>&1 || status=$?
	[ "$status" -eq "$want" ] || bail_out "the VM ended with status $status, not $want: $(cat "$work/out")"
}

# append [PARAMETER...]: of the kernel
append() { echo "$counts_append lkst.buffer_size=$ring_size $*"; }

# records TEXT-FILE LKSTBUF-OPTION...: all there is, oldest first
records() {
	local to=$1
	shift
	"$lkstbuf" print -r --json "$@" >"$to" 2>"$to.errors" || echo "lkstbuf: status $?" >>"$to.errors"
}

# all_there NAME RECORDS [BOOT [LOST]]: all that the rings held is there, up to the last record
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

# A kernel without LKST's trace points has no locks that are taken at once. But it has timers.

# kernel_symbols NAME TEXT: what was recorded has the kernel's symbols
kernel_symbols() {
	local shows=' timer_hr_add +timer=.* function=[a-z_]+ '
	! has_points || shows=' spin_lock +lock=.* caller=[a-z]\w+\+0x[0-9a-f]+$'
	contains "$1: symbols of the kernel" "$2" "$shows"
}

# module_symbols NAME TEXT: likewise those of modules
module_symbols() {
	local shows=' timer_add +timer=.* function=do_nothing\[death\] '
	! has_points || shows=' spin_lock +lock=.* caller=record_in_thread\+0x[0-9a-f]+\[death\]'
	contains "$1: symbols of modules" "$2" "$shows"
}

# What lkstbuf said about the records that it showed last, but for what it says of each image, and of a record
# that a CPU was writing when it was stopped: all_there allows few of them.
no_complaint() {
	is "$1: no complaint" "$(grep -vE 'argument bytes carry no checksum$|[0-9]+ records had not been finished' "$work/records.errors")" ''
}

# image_is_whole NAME FILE OPTION...: what print shows of an image is all
image_is_whole() {
	local name=$1 file=$2
	shift 2
	records "$work/records" -f "$file" "$@"
	all_there "$name" "$work/records"
	no_complaint "$name"
}
