// SPDX-License-Identifier: GPL-2.0
/*
 * LKST's own event handlers (specification 4.2.1, 4.2.2). The default handler,
 * LKST_EVHANDLER_ID_ENTRY_LOG, is part of the record path in event.c.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

#include "evhandler.h"
#include "../ring/context.h"
#include "event.h"
#include "../buffer/jump.h"
#include "../buffer/queue.h"
#include "../buffer/shift.h"
#include "../memory/static_buffer.h"
#include "maskset_select.h"

/**
 * lkst_evhandlerprim_static_log() - record in the static buffer (4.2.2)
 * @phookrec: not used
 * @event_type: event type
 * @log_arg1: first argument of the event
 * @log_arg2: second argument
 * @log_arg3: third argument
 * @log_arg4: fourth argument
 *
 * The static buffer is small and shared by all CPUs. It is for the few events
 * that must be kept even if everything else is lost.
 *
 * Context: any, NMI included, within an event handler or not.
 */
notrace void lkst_evhandlerprim_static_log(void *phookrec, int event_type, lkst_arg_t log_arg1,
					   lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					   lkst_arg_t log_arg4)
{
	unsigned int count = lkst_context_count();

	preempt_disable_notrace();
	lkst_static_buffer_write(lkst_event_depth(count) + 1, event_type, log_arg1, log_arg2,
				 log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_evhandlerprim_static_log);

/*
 * Shift to the next buffer, and record the event there, after the records that
 * report the shift. If the shift fails, for example because there is no next
 * buffer, record the event in the current one.
 */
static notrace void lkst_evhandler_shift(void *phookrec, int event_type, lkst_arg_t log_arg1,
					 lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					 lkst_arg_t log_arg4)
{
	lkst_shift_next();
	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3,
				     log_arg4);
}

/*
 * Like lkst_evhandler_shift(), but also wake the readers of this CPU's records,
 * such as the daemon lkstlogd. lkst_maskset_write() refuses this handler for
 * the events that the wakeup itself causes.
 */
static notrace void lkst_evhandler_shift_dw(void *phookrec, int event_type, lkst_arg_t log_arg1,
					    lkst_arg_t log_arg2, lkst_arg_t log_arg3,
					    lkst_arg_t log_arg4)
{
	lkst_evhandler_shift(phookrec, event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	lkst_queue_wake();
}

/*
 * Set or get the value of an event handler, on behalf of its control function.
 * Return 0 or -EINVAL.
 */
static int lkst_evhandler_value(unsigned int *value, unsigned int max, void *buf, size_t bufsize)
{
	struct lkst_evhandler_value *area = buf;

	if (bufsize != sizeof(*area) || area->set > 1 || (area->set && area->value > max))
		return -EINVAL;
	if (area->set)
		WRITE_ONCE(*value, area->value);
	area->value = READ_ONCE(*value);
	return 0;
}

static unsigned int lkst_stop_after = LKST_STOP_AFTER_DEFAULT;

/*
 * Record the event, and stop LKST after lkst_stop_after further events, so that
 * later events do not overwrite the events that led to this event. If the event
 * occurs again during the countdown, the countdown is not restarted.
 *
 * Stopping cannot cause an endless series of events, because nothing is
 * recorded afterwards. So this handler may be used for any event.
 */
static notrace void lkst_evhandler_stop_after(void *phookrec, int event_type,
					      lkst_arg_t log_arg1, lkst_arg_t log_arg2,
					      lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	unsigned int events = READ_ONCE(lkst_stop_after);

	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3,
				     log_arg4);
	if (events)
		lkst_select_countdown(events);
	else
		lkst_trc_stop();
}

static int lkst_evhandler_stop_after_ctrl(void *buf, size_t bufsize)
{
	return lkst_evhandler_value(&lkst_stop_after, LKST_STOP_AFTER_MAX, buf, bufsize);
}

static unsigned int lkst_jump_buffer = LKST_BUFFER_ID_VOID;

/*
 * Record the event, and make every CPU switch to another buffer. The events
 * that led to this one stay in the previous buffers. lkst_maskset_write()
 * refuses this handler for events that the handler causes itself.
 */
static notrace void lkst_evhandler_buffer_jump(void *phookrec, int event_type,
					       lkst_arg_t log_arg1, lkst_arg_t log_arg2,
					       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3,
				     log_arg4);
	lkst_jump_all(READ_ONCE(lkst_jump_buffer));
}

static int lkst_evhandler_buffer_jump_ctrl(void *buf, size_t bufsize)
{
	return lkst_evhandler_value(&lkst_jump_buffer, LKST_BUFFER_ID_VOID, buf, bufsize);
}

#define LKST_OWN_EVHANDLER(_name, _func, ...) \
	(&(const struct lkst_evhandler) { .name = (_name), .func = (_func), ##__VA_ARGS__ })

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
	[LKST_EVHANDLER_ID_STOP_AFTER] =
		LKST_OWN_EVHANDLER("stop_after", lkst_evhandler_stop_after,
				   .ctrl = lkst_evhandler_stop_after_ctrl),
	[LKST_EVHANDLER_ID_BUFFER_JUMP] =
		LKST_OWN_EVHANDLER("buffer_jump", lkst_evhandler_buffer_jump,
				   .ctrl = lkst_evhandler_buffer_jump_ctrl),
};
