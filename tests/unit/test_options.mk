# SPDX-License-Identifier: GPL-2.0
# The option parser is the commands', not the library's.
vpath options.c $(top)/tools/lkst
src-test_options += options.c
