// SPDX-License-Identifier: LGPL-2.1
/* Parses the sets of CPUs that a condition can contain. */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "where_binding.h"

/* Parse one number, or "FIRST-LAST". Returns the end; NULL if it is invalid. */
static const char *where_cpu_range(const char *p, unsigned int *first, unsigned int *last)
{
	unsigned long number[2];

	for (int i = 0; i < 2; i++) {
		char *end;

		if (*p < '0' || *p > '9')
			return NULL;
		number[i] = number[1] = strtoul(p, &end, 10);
		p = end;
		if (i || *p != '-')
			break;
		p++;
	}
	if (number[0] > number[1])
		return NULL;
	*first = number[0] < WHERE_CPUS_MAX ? (unsigned int)number[0] : WHERE_CPUS_MAX;
	*last = number[1] < WHERE_CPUS_MAX ? (unsigned int)number[1] : WHERE_CPUS_MAX;
	return p;
}

/**
 * where_take_cpus() - parse "CPUS{LIST}"
 * @word: the word
 * @cpus: result, initially empty
 * @err: set if the word is invalid
 */
int where_take_cpus(const struct where_word *word, struct where_cpus *cpus, struct lkst_error *err)
{
	const char *p = word->text + strlen(WHERE_CPUS_PREFIX) - 1;
	unsigned int first, last;

	do {
		p = where_cpu_range(p + 1, &first, &last);
		if (!p)
			break;
		if (last == WHERE_CPUS_MAX) {
			where_error(err, word->at, MSG_WHERE_CPUS_MAX, word->text,
				    WHERE_CPUS_MAX - 1);
			return -1;
		}
		for (; first <= last; first++) {
			cpus->num += !(cpus->bits[first / 64] >> first % 64 & 1);
			cpus->bits[first / 64] |= 1ull << first % 64;
		}
	} while (*p == ',');
	if (p && !strcmp(p, "}"))
		return 0;
	where_error(err, word->at, MSG_WHERE_CPUS, word->text);
	return -1;
}
