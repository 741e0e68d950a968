#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Masksets are switched correctly while two CPUs record as fast as they can, by ioctls and in all
# contexts by the event handlers of tests/modules/switching.c.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M
# timeout: 500

exec ./masksets
