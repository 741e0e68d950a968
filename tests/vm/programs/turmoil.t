#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events of programs are recorded correctly while events and masksets change.
# kernel: base debug
# append: lkst.buffer_size=12M

exec ./turmoil
