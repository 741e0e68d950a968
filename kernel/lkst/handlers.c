// SPDX-License-Identifier: GPL-2.0
/*
 * The event handlers that LKST brings (specification 4.2.1, 4.2.2). The default one,
 * LKST_EVHANDLER_ID_ENTRY_LOG, is part of the record path and stands in event.c.
 */
#include <linux/export.h>

#include "evhandler.h"
#include "context.h"
#include "event.h"
#include "reader.h"
#include "shift.h"
#include "static_buffer.h"

/**
 * lkst_evhandlerprim_static_log() - record an event in the static buffer (4.2.2)
 * @phookrec: not used
 * @event_type: event type
 * @log_arg1: argument
 * @log_arg2: argument
 * @log_arg3: argument
 * @log_arg4: argument
 *
 * The static buffer is small, and all CPUs share it: it is for the few events that must be
 * there when nothing else is.
 *
 * Context: any, NMI included; in an event handler or not.
 */
notrace void lkst_evhandlerprim_static_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					   lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					   lkst_arg_t log_arg4)
{
	unsigned int count = lkst_context_count();

	preempt_disable_notrace();
	lkst_static_buffer_write(lkst_event_outer(count) + 1, event_type, log_arg1, log_arg2,
				 log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_evhandlerprim_static_log);

/*
 * A new buffer begins with the event. If there is none to shift to, the event is recorded all
 * the same.
 */
static notrace void lkst_evhandler_shift(void *phookrec, int event_type, lkst_arg_t log_arg1,
					 lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					 lkst_arg_t log_arg4)
{
	lkst_shift_next();
	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3,
				     log_arg4);
}

/* Not for events that waking causes: lkst_maskset_write() refuses that. */
static notrace void lkst_evhandler_shift_dw(void *phookrec, int event_type, lkst_arg_t log_arg1,
					    lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					    lkst_arg_t log_arg4)
{
	lkst_evhandler_shift(phookrec, event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	lkst_reader_wake();
}

#define LKST_OWN_EVHANDLER(_name, _func) \
	(&(const struct lkst_evhandler) { .name = (_name), .func = (_func) })

const struct lkst_evhandler *lkst_evhandlers[LKST_EVHANDLER_ID_MAX + 1] = {
	[LKST_EVHANDLER_ID_NONE] = LKST_OWN_EVHANDLER("none", NULL),
	[LKST_EVHANDLER_ID_ENTRY_LOG] =
		LKST_OWN_EVHANDLER("entry_log", lkst_evhandlerprim_entry_log),
	[LKST_EVHANDLER_ID_BUFFER_SHIFT] =
		LKST_OWN_EVHANDLER("buffer_shift", lkst_evhandler_shift),
	[LKST_EVHANDLER_ID_BUFFER_SHIFT_DW] =
		LKST_OWN_EVHANDLER("buffer_shift_dw", lkst_evhandler_shift_dw),
	[LKST_EVHANDLER_ID_STATIC_LOG] =
		LKST_OWN_EVHANDLER("static_log", lkst_evhandlerprim_static_log),
};
