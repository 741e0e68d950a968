#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# While a CPU is recording, no other CPU writes to the cache lines that the first CPU writes, even
# if the other CPU is also recording, or is reading the first CPU's buffers. A plugin of QEMU,
# tests/qemu/together.c, sees every store of the kernel's code.
# timeout: 200
# kernel: base
# modules: yes

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
modules_of base
readonly rounds=4 slots=16384 # number of records in a buffer of 1 MB
make_share "$modules/together.ko"
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -o "$work/together.so" "$top/tests/qemu/together.c" ||
	bail_out 'the plugin does not compile'
compile "$share/together_read" "$top/tests/qemu/together_read.c" -I"$top/include/uapi" -Wno-missing-field-initializers

# CPUs 0 and 1 record four times as much as a buffer holds. Meanwhile CPUs 2 and 3 read, list and
# link the buffers of CPUs 0 and 1.
# shellcheck disable=SC2016 # the shell in the VM expands it
"$top/scripts/lkst-vm" --take-turns --cpus 4 --timeout 900 --kernel "$image" --share "$share" \
	--plugin "$work/together.so,out=$work/seen,lines=on" --append 'lkst.maskset=nothing lkst.buffer_size=1M' -- sh -ec '
	insmod /share/together.ko
	echo 0x1f1 0x001 | lkstm write -n together
	lkstm set -n together
	/share/together_read 2 0 &
	readers=$!
	/share/together_read 3 1 &
	readers="$readers $!"
	record() { echo 2 >/sys/module/together/parameters/cpus; }
	for round in $(seq '$rounds'); do record; done
	echo 1 >/sys/module/together/parameters/shared
	record
	kill $readers' >"$work/out" 2>&1
is 'CPUs record' $? 0
[ -f "$work/seen" ] || bail_out "the plugin has seen nothing: $(cat "$work/out")"

alone=$(awk -v rounds=$rounds '$1 == "lines" { n++ } n < rounds' "$work/seen")
shared=$(awk -v rounds=$rounds '$1 == "lines" { n++; next } n == rounds' "$work/seen")
is 'the plugin has seen each round' "$(grep -c '^count [0-9]* [0-9]*$' "$work/seen")" $((rounds + 1))
is 'each record is a separate cache line, and few other lines are written' "$(awk -v slots=$slots '
	$1 == "lines" && ($2 < 2 * slots || $2 > 2 * slots + 100) { print $2 }' "$work/seen")" ''
is 'CPUs that do not record write meanwhile' "$(awk '$1 == "lines" { n += $3 } END { print (n > 0) }' "$work/seen")" 1
is 'no cache line of a CPU that records is written by another CPU' "$(grep '^shared' <<<"$alone")" ''
is 'a cache line that two CPUs write is detected' "$(grep -c '^shared' <<<"$shared")" 1
done_testing
