# SPDX-License-Identifier: GPL-2.0
src-test_trace_files += log_case.c
