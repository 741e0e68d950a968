#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# When all event type numbers for events of programs are in use, a new event replaces an event that
# has ended. The test needs a boot in which no other test has registered events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=11M

exec ./numbers
