# SPDX-License-Identifier: GPL-2.0
# JSON is the commands', not the library's.
vpath json.c $(top)/tools/lkst
src-test_json += json.c
cflags-test_json += $(shell pkg-config --cflags json-c)
libs-test_json += $(shell pkg-config --libs json-c)
