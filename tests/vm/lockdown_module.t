#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# As lockdown.t, with a module that was there before.
# form: module headers stock
# append: lkst.buffer_size=2560K

exec "$(dirname "$0")/lockdown.t"
