#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The functions that LKST offers to kernel code (specification 4.7.2) work in each context from
# which they may be called, and return the errors that cannot be provoked from user space.
# kernel: base
# kernel-all: base debug
# append: lkst.memory=64M
# timeout: 600

exec ./functions
