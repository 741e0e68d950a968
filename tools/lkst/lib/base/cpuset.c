// SPDX-License-Identifier: LGPL-2.1
/* Formats sets of CPUs. */
#include <stdio.h>

#include "cpuset.h"

static bool cpuset_is_set(const uint64_t *set, size_t bits, size_t i)
{
	return i < bits && (set[i / 64] >> i % 64 & 1);
}

/**
 * lkst_cpu_set_text() - format a set of CPUs, such as "CPUs 0-3,6"
 * @set: bitmap
 * @bits: size of @set in bits
 * @text: result
 * @size: size of @text in bytes, at least 16
 */
void lkst_cpu_set_text(const uint64_t *set, size_t bits, char *text, size_t size)
{
	size_t len = 0, members = 0;
	const char *comma = "";

	for (size_t i = 0; i < bits; i++)
		members += cpuset_is_set(set, bits, i);
	if (!members) {
		snprintf(text, size, "no CPU");
		return;
	}
	len = (size_t)snprintf(text, size, members == 1 ? "CPU " : "CPUs ");
	for (size_t i = 0; i < bits && len < size; i++) {
		size_t last = i;

		if (!cpuset_is_set(set, bits, i))
			continue;
		while (cpuset_is_set(set, bits, last + 1))
			last++;
		if (last == i)
			len += (size_t)snprintf(text + len, size - len, "%s%zu", comma, i);
		else
			len += (size_t)snprintf(text + len, size - len, "%s%zu-%zu", comma, i,
						last);
		comma = ",";
		i = last;
	}
}
