#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# While two CPUs record as fast as they can, masksets are switched correctly, both by ioctls and by
# the event handlers of tests/modules/switching.c, which do this in all contexts.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M
# timeout: 500

exec ./masksets
