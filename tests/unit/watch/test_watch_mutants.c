// SPDX-License-Identifier: GPL-2.0
/*
 * Each mutant of the table of spans lacks one step, so test_watch_table must fail for it. The folder
 * mutants lists the mutants.
 */
#include "mutants.h"

int main(void)
{
	return run_mutants("watch");
}
