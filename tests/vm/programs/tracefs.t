#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs find the files of user_events in tracefs, if the kernel itself has no user_events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=12M

[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
exec ./tracefs
