#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The parameter lkst.buffer_size requests more memory than is available. LKST takes less, and leaves
# enough for the rest of the system, even when the clock falls back and each CPU gets a second
# buffer.
# kernel: base
# form: builtin
# arch: x86_64
# mem: 512
# cpus: 2,sockets=2
# cpu-model: qemu64
# append: lkst.buffer_size=128M

. "$(dirname "$0")/../tap.sh"

contains "the clock has fallen back" "$(lkst status)" '^clock +.*(ns|monotonic)'
is "each CPU has two buffers" "$(lkstbuf list | sed '/^$/,$d' | awk 'NR > 1 { print $1 }' | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" '2 2 '
contains "the kernel log says that memory is short" "$(dmesg)" 'lkst: memory is short: CPU [01] gets a buffer of [0-9]+ KB instead of 131072'
ok "an eighth of the memory is available" test "$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)" -gt 40000
contains "no event was lost" "$(lkst status)" '^lost +0$'
ok "events are recorded" test "$(lkstbuf read -c 1 -b 1 | grep -vc '^#')" -gt 10
done_testing
