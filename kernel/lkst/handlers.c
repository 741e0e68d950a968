// SPDX-License-Identifier: GPL-2.0
/*
 * The event handlers that LKST brings. The default one, LKST_EVHANDLER_ID_ENTRY_LOG, is
 * part of the record path and stands in event.c.
 */
#include "evhandler.h"
#include "event.h"
#include "static_buffer.h"

/* For the events of LKST itself that must be there when nothing else is. */
static void lkst_evhandler_static_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
				      lkst_arg_t log_arg2, lkst_arg_t log_arg3,
				      lkst_arg_t log_arg4)
{
	/* By the tracepoint, and by lkst_event(). */
	lkst_static_buffer_write(2, event_type, log_arg1, log_arg2, log_arg3, log_arg4);
}

const struct lkst_evhandler lkst_evhandlers[LKST_EVHANDLER_ID_USER_MIN] = {
	[LKST_EVHANDLER_ID_NONE] = { "none", NULL },
	[LKST_EVHANDLER_ID_ENTRY_LOG] = { "entry_log", lkst_evhandlerprim_entry_log },
	[LKST_EVHANDLER_ID_STATIC_LOG] = { "static_log", lkst_evhandler_static_log },
};
