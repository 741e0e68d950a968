#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Event handlers of the module tests/modules/handlers.c: their directories, one that causes events itself, and
# waiting for slow ones.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M

exec ./handlers
