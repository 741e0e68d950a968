#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd keeps up with two busy CPUs, for half a minute.
# kernel: base
# mem: 2048
# append: lkst.buffer_size=4M
# suite: all
# timeout: 900

exec "$(dirname "$0")/lkstlogd_keeps_up.sh" 30
