#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Reading records with read() allocates no memory.
# kernel: base

exec ./buffers memory
