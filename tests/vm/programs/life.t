#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events of programs begin and end with their references, keep their numbers, and are in masksets.
# kernel: base debug
# append: lkst.buffer_size=12M

exec ./life
