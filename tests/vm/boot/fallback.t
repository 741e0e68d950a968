#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If the kernel does not trust the time stamp counters of the CPUs, LKST takes timestamps from
# CLOCK_MONOTONIC, and each CPU records to a new buffer. The device works as usual.
# arch: x86_64
# kernel: base
# form: builtin
# cpus: 2,sockets=2
# cpu-model: qemu64
# append: lkst.buffer_size=16M

exec ./device ns
