#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU goes offline and comes back: what can be done with its buffers meanwhile, and what its reader
# gets.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./hotplug
