/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUTANTS_H
#define _MUTANTS_H

/*
 * For each line "RESULT NAME" in SUBJECT/mutants.list, run the program SUBJECT/NAME, and check that
 * it fails if RESULT is "fails", and that it hangs if RESULT is "hangs". The path SUBJECT is
 * relative to the directory of the running program. Returns the exit status.
 */
int run_mutants(const char *subject);

#endif
