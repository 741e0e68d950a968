# SPDX-License-Identifier: GPL-2.0
src-test_follow += fake_kernel.c
