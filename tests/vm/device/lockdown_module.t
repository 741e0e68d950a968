#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The same as lockdown.t, with LKST as a module that is loaded before lockdown is enabled.
# form: module headers stock
# append: lkst.buffer_size=2560K

exec "$(dirname "$0")/lockdown.t"
