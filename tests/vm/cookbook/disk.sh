#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# disk.sh: on a loop device, "cat" reads 4 MB while "dd" writes 32 MB with direct I/O
set -e
truncate -s 64M disk.image
device=$(losetup -f)
losetup "$device" disk.image
dd if=/dev/zero of="$device" bs=16M count=2 oflag=direct 2>/dev/null &
dd if="$device" bs=1M skip=40 count=4 2>/dev/null | cat >/dev/null
wait
losetup -d "$device"
