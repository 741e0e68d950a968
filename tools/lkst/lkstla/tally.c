// SPDX-License-Identifier: GPL-2.0
/* Arrays that are indexed by thread, and grow by doubling. */
#include <stdlib.h>
#include <string.h>

#include "tally.h"

#define TALLY_FIRST 16 /* initial number of members */

/**
 * tally_cover() - grow an array until it has a member with a given index
 * @array: array from this function; NULL: empty
 * @room: number of members, which is updated
 * @index: index of the member
 * @size: size of a member in bytes
 *
 * Return: the array, whose new members are zero. NULL if an allocation failed; @array is unchanged
 * then.
 */
void *tally_cover(void *array, size_t *room, size_t index, size_t size)
{
	size_t grown = *room ? *room : TALLY_FIRST;
	char *to;

	if (index < *room)
		return array;
	while (grown <= index)
		if (__builtin_mul_overflow(grown, 2, &grown))
			return NULL;
	to = reallocarray(array, grown, size);
	if (!to)
		return NULL;
	memset(to + *room * size, 0, (grown - *room) * size);
	*room = grown;
	return to;
}
