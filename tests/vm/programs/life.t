#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events of programs exist while a file or a bit has a reference to them. They keep their numbers,
# and have entries in masksets.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=12M

exec ./life
