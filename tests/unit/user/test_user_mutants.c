// SPDX-License-Identifier: GPL-2.0
/*
 * Each mutant of the code for user events lacks one rule, so test_user_format or test_user_enabler
 * must fail for it. The folder mutants lists the mutants.
 */
#include "mutants.h"

int main(void)
{
	return run_mutants("user");
}
