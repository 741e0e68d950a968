# SPDX-License-Identifier: GPL-2.0
src-test_log += log_case.c
# Writes that fail, minutes that pass, and looks at all threads.
libs-test_log += -Wl,--wrap=pwrite64,--wrap=clock_gettime,--wrap=opendir
