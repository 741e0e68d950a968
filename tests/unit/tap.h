/* SPDX-License-Identifier: GPL-2.0 */
/* Running a suite of Check with its results as TAP on standard output. */
#ifndef _TAP_H
#define _TAP_H

#include <check.h>

int run_suite(Suite *suite);

#endif
