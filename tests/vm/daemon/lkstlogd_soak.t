#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd keeps up with two busy CPUs, for ten minutes.
# suite: all
# kernel: base
# mem: 2048
# append: lkst.buffer_size=4M
# timeout: 1200

exec "$(dirname "$0")/lkstlogd_keeps_up.sh" 600
