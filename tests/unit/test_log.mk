# SPDX-License-Identifier: GPL-2.0
src-test_log += log_case.c
# Writes that fail, and minutes that pass.
libs-test_log += -Wl,--wrap=pwrite64,--wrap=clock_gettime
