#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# samples/lkst: its event and its handler do what they are for, and come and go while programs cause events on
# both CPUs.
# kernel: base debug
# append: lkst.buffer_size=8M
# timeout: 240

exec ./sample
