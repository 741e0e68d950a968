#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module is loaded while allocations fail. The kernel then warns that tracepoints in the module
# cannot be enabled. The test takes long if LKST needs kprobes: Linux 6.1 allocates each instance of
# a return probe separately, so a load makes a thousand allocations and takes a second.
# kernel: debug
# form: module headers
# append: lkst.buffer_size=512K
# log-allow: kernel/jump_label\.c|Call Trace
# timeout: 3600

# Copy the module to a file in memory. Reading a file from the host allocates memory, and Linux 6.12
# does not handle a failure of this allocation.
cp /share/lkst.ko /tmp/
exec ./load_nomem
