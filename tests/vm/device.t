#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The device interface (specification 4.3, 4.7.1), call by call.
# kernel: base debug
# append: lkst.buffer_size=16M

exec ./device tsc
