#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as oracle.t, with emulated CPUs that run in parallel. This test is not run by default:
# QEMU 7.2 sometimes hangs with parallel CPUs, most often while LKST turns many event sources on or
# off.
# take-turns: no
# suite: all
# kernel: base
# append: lkst.buffer_size=64M tsc=nowatchdog
# mem: 1536
# timeout: 600
# log-allow: Call [Tt]race

exec ./oracle.t
