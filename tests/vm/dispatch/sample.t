#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The event and the handler of the module in samples/lkst work, and the module can be loaded and
# unloaded while both CPUs generate events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M
# timeout: 240

exec ./sample
