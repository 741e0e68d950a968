// SPDX-License-Identifier: GPL-2.0
/* The tables sched, state and wake, which show what threads do. */
#include "lkstla/wakers.h"
#include "sql.h"

static const char *const thread_states[LKST_STATE_NUM] = {
	[LKST_STATE_UNKNOWN] = "unknown",
	[LKST_STATE_RUNNING] = "running",
	[LKST_STATE_RUNNABLE] = "runnable",
	[LKST_STATE_BLOCKED] = "blocked",
};

static const char *const thread_ends[] = {
	[LKST_END_CUT] = "cut",
	[LKST_END_STATE] = "state",
	[LKST_END_PREEMPTED] = "preempted",
	[LKST_END_EXIT] = "exit",
};

static int64_t thread_length(const struct lkst_thread_span *span)
{
	return span->end_ns - span->begin_ns;
}

static void thread_add(void *ctx, const struct lkst_thread_span *span)
{
	union sql_row *row =
		sql_feed_add(ctx, span->begin_ns, span->end_ns, span->cpu, span->thread);

	if (row)
		row->thread = *span;
}

static void thread_put_letter(const struct lkst_thread_span *span, sqlite3_context *to)
{
	const char text[2] = { span->letter };

	if (span->state == LKST_STATE_BLOCKED && span->letter)
		sql_put_text(to, text);
}

static void thread_put_waker(const struct sql_cursor *cursor, const struct lkst_thread_span *span,
			     sqlite3_context *to)
{
	struct waker waker = waker_of(&span->wake);
	char text[WAKER_NAME_SIZE];

	if (waker.thread)
		waker.thread = sql_known(cursor, waker.thread);
	sql_put_text(to, waker_name(cursor->sql->run, &waker, span->thread->source, text));
}

/* ---- sched ---- */

enum {
	SCHED_CPU,
	SCHED_THREAD,
	SCHED_TID,
	SCHED_PID,
	SCHED_BEGIN,
	SCHED_END,
	SCHED_RUN,
	SCHED_WAIT,
	SCHED_BEGIN_KNOWN,
	SCHED_ENDED,
	SCHED_BEHIND,
	SCHED_USER,
	SCHED_KERNEL,
	SCHED_SOFTIRQ,
	SCHED_HARDIRQ,
};

static const struct sql_column sched_columns[] = {
	[SCHED_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU" },
	SQL_THREAD_COLUMNS(SCHED_THREAD, "thread: name-number"),
	[SCHED_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time at which it began" },
	[SCHED_END] = { "end_ns", "INTEGER", SQL_END, "time at which it ended" },
	[SCHED_RUN] = { "run_ns", "INTEGER", SQL_PLAIN, "how long it ran; NULL: it waited" },
	[SCHED_WAIT] = { "wait_ns", "INTEGER", SQL_PLAIN, "how long it waited; NULL: it ran" },
	[SCHED_BEGIN_KNOWN] = { "begin_known", "INTEGER", SQL_PLAIN,
				"0: it may have begun earlier" },
	[SCHED_ENDED] = { "ended", "TEXT", SQL_PLAIN, "state, preempted, exit; cut: unknown" },
	[SCHED_BEHIND] = { "behind", "TEXT", SQL_PLAIN, "wait: thread that ran when it began" },
	[SCHED_USER] = { "user_ns", "INTEGER", SQL_PLAIN, "run: time in user mode" },
	[SCHED_KERNEL] = { "kernel_ns", "INTEGER", SQL_PLAIN, "run: time in the kernel" },
	[SCHED_SOFTIRQ] = { "softirq_ns", "INTEGER", SQL_PLAIN, "run: time in softirqs" },
	[SCHED_HARDIRQ] = { "hardirq_ns", "INTEGER", SQL_PLAIN, "run: time in hard interrupts" },
};

static void sched_span(void *ctx, const struct lkst_thread_span *span)
{
	const struct sql_cursor *cursor = ctx;
	/*
	 * An empty span means that records were lost before the window opened, so the wait may have
	 * ended before the window.
	 */
	bool doubtful = span->begin_ns == span->end_ns && !span->begin_known &&
			span->end == LKST_END_CUT && span->begin_ns == cursor->sql->run->begin_ns;

	if (span->state == LKST_STATE_RUNNING || (span->state == LKST_STATE_RUNNABLE && !doubtful))
		thread_add(ctx, span);
}

static void sched_put_mode(const struct lkst_thread_span *span, enum lkst_mode mode,
			   sqlite3_context *to)
{
	bool known = !span->mode_ns[LKST_MODE_THREAD] || mode == LKST_MODE_SOFTIRQ ||
		     mode == LKST_MODE_HARDIRQ;

	sql_put_time(to, span->mode_ns[mode], span->state == LKST_STATE_RUNNING && known);
}

static void sched_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
			sqlite3_context *to)
{
	const struct lkst_thread_span *span = &row->thread;

	switch (column) {
	case SCHED_CPU:
		sql_put_id(to, span->cpu);
		break;
	case SCHED_THREAD:
	case SCHED_TID:
	case SCHED_PID:
		sql_put_thread_column(cursor, span->thread, column - SCHED_THREAD, to);
		break;
	case SCHED_BEGIN:
		sql_put_time(to, span->begin_ns, true);
		break;
	case SCHED_END:
		sql_put_time(to, span->end_ns, true);
		break;
	case SCHED_RUN:
		sql_put_time(to, thread_length(span), span->state == LKST_STATE_RUNNING);
		break;
	case SCHED_WAIT:
		sql_put_time(to, thread_length(span), span->state == LKST_STATE_RUNNABLE);
		break;
	case SCHED_BEGIN_KNOWN:
		sqlite3_result_int(to, span->begin_known);
		break;
	case SCHED_ENDED:
		sql_put_text(to, thread_ends[span->end]);
		break;
	case SCHED_BEHIND:
		if (span->state == LKST_STATE_RUNNABLE)
			sql_put_thread(cursor, span->behind, to);
		break;
	case SCHED_USER:
		sched_put_mode(span, LKST_MODE_USER, to);
		break;
	case SCHED_KERNEL:
		sched_put_mode(span, LKST_MODE_KERNEL, to);
		break;
	case SCHED_SOFTIRQ:
		sched_put_mode(span, LKST_MODE_SOFTIRQ, to);
		break;
	case SCHED_HARDIRQ:
		sched_put_mode(span, LKST_MODE_HARDIRQ, to);
		break;
	}
}

const struct sql_table sql_sched = {
	.name = "sched",
	.about = "a thread ran, or waited for a CPU",
	SQL_COLUMNS(sched_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_sched,
	.ops = { .thread = sched_span },
	.value = sched_value,
};

/* ---- state ---- */

enum {
	STATE_THREAD,
	STATE_TID,
	STATE_PID,
	STATE_STATE,
	STATE_CPU,
	STATE_BEGIN,
	STATE_END,
	STATE_DURATION,
	STATE_BEGIN_KNOWN,
	STATE_ENDED,
	STATE_LETTER,
	STATE_CALL,
	STATE_WAKER,
};

static const struct sql_column state_columns[] = {
	SQL_THREAD_COLUMNS(STATE_THREAD, "thread: name-number"),
	[STATE_STATE] = { "state", "TEXT", SQL_PLAIN, "running, runnable, blocked, unknown" },
	[STATE_CPU] = { "cpu", "INTEGER", SQL_CPU, "running, runnable: CPU" },
	[STATE_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time at which it began" },
	[STATE_END] = { "end_ns", "INTEGER", SQL_END, "time at which it ended" },
	[STATE_DURATION] = { "duration_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
	[STATE_BEGIN_KNOWN] = { "begin_known", "INTEGER", SQL_PLAIN,
				"0: it may have begun earlier" },
	[STATE_ENDED] = { "ended", "TEXT", SQL_PLAIN, "state, preempted, exit; cut: unknown" },
	[STATE_LETTER] = { "letter", "TEXT", SQL_PLAIN, "blocked: S, D, T ... as in ps" },
	[STATE_CALL] = { "call", "TEXT", SQL_PLAIN, "system call in which the thread was" },
	[STATE_WAKER] = { "waker", "TEXT", SQL_PLAIN, "runnable: what woke up the thread" },
};

static void state_put_call(const struct lkst_thread_span *span, sqlite3_context *to)
{
	char text[32];

	if (span->syscall != LKST_SYSCALL_NONE)
		sql_put_text(to, run_syscall_name(span->thread, span->syscall, span->thread->abi,
						  text));
}

static void state_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
			sqlite3_context *to)
{
	const struct lkst_thread_span *span = &row->thread;

	switch (column) {
	case STATE_THREAD:
	case STATE_TID:
	case STATE_PID:
		sql_put_thread_column(cursor, span->thread, column - STATE_THREAD, to);
		break;
	case STATE_STATE:
		sql_put_text(to, thread_states[span->state]);
		break;
	case STATE_CPU:
		if (span->state == LKST_STATE_RUNNING || span->state == LKST_STATE_RUNNABLE)
			sql_put_id(to, span->cpu);
		break;
	case STATE_BEGIN:
		sql_put_time(to, span->begin_ns, true);
		break;
	case STATE_END:
		sql_put_time(to, span->end_ns, true);
		break;
	case STATE_DURATION:
		sql_put_time(to, thread_length(span), true);
		break;
	case STATE_BEGIN_KNOWN:
		sqlite3_result_int(to, span->begin_known);
		break;
	case STATE_ENDED:
		sql_put_text(to, thread_ends[span->end]);
		break;
	case STATE_LETTER:
		thread_put_letter(span, to);
		break;
	case STATE_CALL:
		state_put_call(span, to);
		break;
	case STATE_WAKER:
		if (span->state == LKST_STATE_RUNNABLE && !span->preempted)
			thread_put_waker(cursor, span, to);
		break;
	}
}

const struct sql_table sql_state = {
	.name = "state",
	.about = "a thread was in a state",
	SQL_COLUMNS(state_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_offcpu,
	.ops = { .thread = thread_add },
	.value = state_value,
};

/* ---- wake ---- */

enum {
	WAKE_TIME,
	WAKE_THREAD,
	WAKE_TID,
	WAKE_PID,
	WAKE_WAKER,
	WAKE_WAKER_TID,
	WAKE_CPU,
	WAKE_RAN,
	WAKE_WAIT,
};

static const struct sql_column wake_columns[] = {
	[WAKE_TIME] = { "time_ns", "INTEGER", SQL_BEGIN, "time of the wake-up" },
	SQL_THREAD_COLUMNS(WAKE_THREAD, "thread that was woken up"),
	[WAKE_WAKER] = { "waker", "TEXT", SQL_PLAIN, "thread or interrupt that woke it up" },
	[WAKE_WAKER_TID] = { "waker_tid", "INTEGER", SQL_PLAIN, "thread ID of the waker" },
	[WAKE_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU of the waker" },
	[WAKE_RAN] = { "ran_ns", "INTEGER", SQL_PLAIN, "time at which the thread ran" },
	[WAKE_WAIT] = { "wait_ns", "INTEGER", SQL_PLAIN, "how long it had waited for a CPU" },
};

/*
 * Begin the row at the wake-up, as lkstla wake does. The span may begin earlier, because the model
 * does not know at that time that a wake-up will follow.
 */
static void wake_span(void *ctx, const struct lkst_thread_span *span)
{
	union sql_row *row;

	if (span->state != LKST_STATE_RUNNABLE || span->preempted || !span->wake.time_ns ||
	    span->wake.time_ns < span->begin_ns)
		return;
	row = sql_feed_add(ctx, span->wake.time_ns, span->end_ns,
			   span->wake.known ? span->wake.cpu : -1, span->thread);
	if (row)
		row->thread = *span;
}

static void wake_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		       sqlite3_context *to)
{
	const struct lkst_thread_span *span = &row->thread;
	struct waker waker;

	switch (column) {
	case WAKE_TIME:
		sql_put_time(to, span->wake.time_ns, true);
		break;
	case WAKE_THREAD:
	case WAKE_TID:
	case WAKE_PID:
		sql_put_thread_column(cursor, span->thread, column - WAKE_THREAD, to);
		break;
	case WAKE_WAKER:
		thread_put_waker(cursor, span, to);
		break;
	case WAKE_WAKER_TID:
		waker = waker_of(&span->wake);
		sql_put_tid(waker.thread, to);
		break;
	case WAKE_CPU:
		if (span->wake.known)
			sql_put_id(to, span->wake.cpu);
		break;
	case WAKE_RAN:
		sql_put_time(to, span->end_ns, span->end == LKST_END_STATE);
		break;
	case WAKE_WAIT:
		sql_put_time(to, thread_length(span), span->end == LKST_END_STATE);
		break;
	}
}

const struct sql_table sql_wake = {
	.name = "wake",
	.about = "a thread was woken up",
	SQL_COLUMNS(wake_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_wake,
	.ops = { .thread = wake_span },
	.value = wake_value,
};
