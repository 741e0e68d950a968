// SPDX-License-Identifier: GPL-2.0
/* Suggests -f if an operand that should be a thread or a query is the name of a file. */
#include <sys/stat.h>

#include "arguments.h"
#include "cli/no_match.h"
#include "lib/base/error.h"
#include "messages.h"

/**
 * operand_is_file() - find out whether an operand is the name of a regular file
 * @operand: operand
 */
bool operand_is_file(const char *operand)
{
	struct stat st;

	return !stat(operand, &st) && S_ISREG(st.st_mode);
}

/**
 * operands_hint() - suggest -f in an error, if operands that should be threads or processes are
 * files
 * @analysis: analysis
 * @operands: operands, ending with NULL; NULL: none
 * @err: error of the run, to which the hint is added
 */
void operands_hint(const struct analysis *analysis, char **operands, struct lkst_error *err)
{
	struct lkst_error line;

	if (!analysis->operands_select)
		return;
	for (; operands && *operands; operands++) {
		if (!operand_is_file(*operands))
			continue;
		lkst_error_set(&line, err->code, MSG_OPERAND_FILE, *operands, *operands);
		no_match_add(err, &line);
	}
}
