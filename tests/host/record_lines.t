#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# No cache line that a CPU writes while it records is written by another CPU, be it that it records, too, or reads the
# first one's buffers: QEMU tells each store that the kernel's code makes (tests/qemu/together.c).
# timeout: 200
# kernel: base
# modules: yes

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/kernel.sh"
modules_of base
readonly rounds=4 slots=16384 # records of a buffer of 1 MB
mkdir "$work/share"
cp "$modules/together.ko" "$work/share/"
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC -o "$work/together.so" "$top/tests/qemu/together.c" ||
	bail_out 'the plugin does not compile'

gcc -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-missing-field-initializers -D_GNU_SOURCE -I"$top/include/uapi" -static \
	-o "$work/share/together-read" "$top/tests/qemu/together-read.c" || bail_out 'the reader does not compile'

# CPUs 0 and 1 record, each a buffer four times over; CPUs 2 and 3 read, list and link these buffers meanwhile.
# shellcheck disable=SC2016 # what is in quotes is for the shell inside
"$top/scripts/lkst-vm" --take-turns --cpus 4 --timeout 900 --kernel "$image" --share "$work/share" \
	--plugin "$work/together.so,out=$work/seen,lines=on" --append 'lkst.maskset=nothing lkst.buffer_size=1M' -- sh -ec '
	insmod /share/together.ko
	echo 0x1f1 0x001 | lkstm write -n together
	lkstm set -n together
	/share/together-read 2 0 &
	readers=$!
	/share/together-read 3 1 &
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
is 'each round is watched' "$(grep -c '^count [0-9]* [0-9]*$' "$work/seen")" $((rounds + 1))
is 'each record is a line of its own, and little is written beside' "$(awk -v slots=$slots '
	$1 == "lines" && ($2 < 2 * slots || $2 > 2 * slots + 100) { print $2 }' "$work/seen")" ''
is 'CPUs that do not record write meanwhile' "$(awk '$1 == "lines" { n += $3 } END { print (n > 0) }' "$work/seen")" 1
is 'no line of a CPU that records is written by another one' "$(grep '^shared' <<<"$alone")" ''
is 'a line that is would be seen' "$(grep -c '^shared' <<<"$shared")" 1
done_testing
