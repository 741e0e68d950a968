#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A process reads into memory that does not come: a page of a file whose file system is frozen. Nobody waits for it.
# kernel: base debug
# append: lkst.buffer_size=64K

dir=$(mktemp -d)
dd if=/dev/zero of="$dir/image" bs=1024 count=1024 2>/dev/null
mke2fs "$dir/image" >/dev/null 2>&1
mkdir "$dir/mnt"
mount -t ext4 -o loop "$dir/image" "$dir/mnt" || exit
"$(dirname "$0")/stalled" "$dir/mnt"
status=$?
umount "$dir/mnt"
rm -rf "$dir"
exit $status
