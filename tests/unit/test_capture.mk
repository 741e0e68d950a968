# SPDX-License-Identifier: GPL-2.0
src-test_capture += fake_kernel.c
