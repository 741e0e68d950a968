#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests the event handlers of tests/modules/handlers.c: their sysfs directories, a handler that
# generates events itself, and unloading the module while slow handlers are running.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M

exec ./handlers
