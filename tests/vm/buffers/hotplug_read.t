#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The buffers of a CPU that is offline can be read and managed, and its readers miss no record.
# kernel: base debug
# append: lkst.buffer_size=64K

exec ./buffers hotplug
