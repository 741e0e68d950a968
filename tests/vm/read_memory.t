#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# read() allocates nothing.
# kernel: base

exec ./read_memory
