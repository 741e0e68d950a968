/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUTANTS_H
#define _MUTANTS_H

/*
 * Run each program SUBJECT/NAME in the directory of this program whose NAME is in
 * SUBJECT/mutants.list, and check that it fails. Returns the exit status.
 */
int run_mutants(const char *subject);

#endif
