#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Users without privileges cannot fill the buffers, or use up the numbers of events.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=12M

exec ./budget
