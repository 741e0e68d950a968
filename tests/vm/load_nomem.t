#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module is loaded while memory runs out. The kernel warns that trace points in it cannot be turned on then.
# Where it has functions probed, 6.1 asks for each record of a return probe by itself: a thousand allocations, and a load
# takes a second.
# kernel: debug
# form: module headers
# append: lkst.buffer_size=512K
# log-allow: kernel/jump_label\.c|Call Trace
# timeout: 3600

# From memory: reading it from the host takes memory, too, and 6.12 does not bear that it fails.
cp /share/lkst.ko /tmp/
exec ./load_nomem
