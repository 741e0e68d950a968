# SPDX-License-Identifier: GPL-2.0
# The daemon is the commands', not the library's; what logd_space.c asks of it, the test answers.
vpath %.c $(top)/tools/lkst
src-test_logd_space += logd_space.c
