// SPDX-License-Identifier: GPL-2.0
/* What the lists have in common. */
#include "show.h"

/**
 * clock_name() - one word for a clock
 * @clock: enum lkst_clock
 */
const char *clock_name(uint32_t clock)
{
	switch (clock) {
	case LKST_CLOCK_NS:
		return "ns";
	case LKST_CLOCK_TSC:
		return "tsc";
	}
	return "unknown";
}

/**
 * id_text() - the id of a buffer, or "-" for none
 * @id: of a buffer
 * @text: room for it
 */
const char *id_text(lkst_buffer_id id, char text[16])
{
	if (id == LKST_BUFFER_ID_VOID)
		return "-";
	snprintf(text, 16, "%d", id);
	return text;
}
