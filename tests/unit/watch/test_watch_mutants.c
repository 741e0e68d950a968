// SPDX-License-Identifier: GPL-2.0
/*
 * Each mutant of the table of spans or of the fast path lacks one step, so its test must fail. The
 * folder mutants lists the mutants.
 */
#include "mutants.h"

int main(void)
{
	return run_mutants("watch");
}
