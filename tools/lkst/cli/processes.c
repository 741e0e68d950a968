// SPDX-License-Identifier: GPL-2.0
#include "lib/trace/select.h"
#include "options.h"
#include "processes.h"

/**
 * processes_take() - convert the arguments of -p
 * @words: arguments of -p
 * @err: set on failure; names the invalid word
 */
struct lkst_processes *processes_take(const struct option_words *words, struct lkst_error *err)
{
	struct lkst_processes *processes = lkst_processes_new(err);

	for (size_t i = 0; processes && i < words->num; i++)
		if (lkst_processes_add(processes, words->word[i], err)) {
			lkst_processes_free(processes);
			return NULL;
		}
	return processes;
}
