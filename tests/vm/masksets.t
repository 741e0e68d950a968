#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Switching and writing masksets while two CPUs record as fast as they can, by ioctl and by event handlers (of
# tests/modules/switching.c) in all contexts.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M
# timeout: 500

exec ./masksets
