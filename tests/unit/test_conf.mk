# SPDX-License-Identifier: GPL-2.0
# The configuration is the commands', not the library's.
vpath %.c $(top)/tools/lkst
src-test_conf += conf.c conf_maskset.c logd_options.c options.c
