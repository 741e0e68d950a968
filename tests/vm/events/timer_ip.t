#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The instruction pointer in int_timer_entry is the address of the interrupted instruction.
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"

if ! grep -q '^0x019 .* present ' /proc/lkst_etypes; then
	echo '1..0 # SKIP this kernel does not record interrupts of the local timer'
	exit 0
fi

# addresses PROCESS: print the addresses or symbols at which the timer interrupted the process
addresses() { lkstbuf print -r -e int_timer_entry -p "$1" --only | sed -n 's/.* ip=\([^ ]*\).*/\1/p'; }

# in_range BEGIN END: print how many of the addresses on standard input are in a range, and how many
# are not
in_range() {
	inside=0 outside=0
	while read -r address; do
		case $address in
		0x*) [ $((address)) -ge $(($1)) ] && [ $((address)) -lt $(($2)) ] ;;
		*) false ;;
		esac && inside=$((inside + 1)) || outside=$((outside + 1))
	done
	echo "$inside $outside"
}

lkstm set -n default
range=$(spin 1000)
# shellcheck disable=SC2086 # two words
set -- $(addresses spin | in_range $range)
note="in the loop: $1, elsewhere: $2"
ok "a program is interrupted at least 20 times in 1 s of CPU time ($note)" test "$1" -ge 20
ok "at most a tenth of the addresses are outside of its loop ($note)" test $(($2 * 10)) -le "$1"

dd if=/dev/zero of=/dev/null bs=1M count=4000 2>/dev/null
contains 'in the kernel, the address has a symbol' "$(addresses dd | grep -v ^0x | sort | uniq -c | sort -rn)" '[0-9] [a-z_]*(clear|zero|rep_stos)[a-z_]*'
done_testing
