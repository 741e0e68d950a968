#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The functions that LKST offers to kernel code (specification 4.7.2) work in each context that may
# call them, and return the errors that programs cannot cause.
# kernel: base debug
# append: lkst.memory=64M
# timeout: 600

exec ./functions
