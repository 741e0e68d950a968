#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Without lkst.history_size, there is no history, no thread, and no memory for it.
# kernel: base
# kernel-all: debug base

exec ./history off
