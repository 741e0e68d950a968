// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla lock: which kernel locks threads wait for, and for how long.
 *
 * A wait begins with the first lock_contention_begin of a thread for a lock, and ends with its
 * lock_contention_end. In between, a mutex records another begin each time that the thread starts
 * to spin or to sleep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "dist.h"
#include "hash.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lock.h"
#include "tally.h"
#include "value.h"

#define LOCKS_MAX	65536
#define KIND_SIZE	LOCK_KIND_SIZE
#define KIND_UNKNOWN	"?"

/* A wait in progress. The key is the lock and the thread or, for an idle thread, the CPU. */
struct lock_wait {
	struct hash_head head;
	const struct lkst_thread *thread;
	const struct lkst_thread *owner;	/* thread that had the lock; NULL: unknown */
	int32_t cpu;
	int64_t begin_ns;
	uint64_t flags;
};

/* A lock. The key is its address and the first 16 bytes of its kind. */
struct lock_row {
	struct hash_head head;
	char kind[KIND_SIZE];
	uint64_t waits;
	uint64_t failed;	/* waits that ended without the lock, for example because of a signal */
	uint64_t cut;		/* waits whose start is unknown */
	struct dist dist;	/* durations of the waits that are not cut */
	const struct lkst_thread *worst;
	const struct lkst_thread *holder;	/* thread that had the lock when the longest wait began */
	char call[32];		/* system call of the longest wait */
	uint64_t caller;	/* code that took the lock after the longest wait; 0: unknown */
};

/*
 * For each CPU, the last wait that was longer than all earlier waits for the same lock. If a
 * spin_lock event of the same lock and thread follows, it supplies the caller in struct lock_row.
 */
struct lock_last {
	uint32_t tid;
	uint64_t lock;
	uint64_t key[HASH_WORDS];
};

#define LOCK_CPUS 8192

struct locks {
	const struct run *run;
	struct hash waits;
	struct hash rows;
	int64_t lost_ns;	/* the latest time up to which records are missing */
	bool callers;		/* at least one caller is known */
	bool holders;		/* at least one thread that had a lock is known */
	lock_observer *observer; /* called for each wait; NULL: none */
	void *observer_ctx;
	struct lock_last last[LOCK_CPUS];
};

/**
 * lock_observe() - pass each wait to a function
 * @locks: what start() of the analysis returned
 * @observer: function, called for each wait when it ends, or by lock_finish() if it does not
 * @ctx: argument of @observer
 */
void lock_observe(void *locks, lock_observer *observer, void *ctx)
{
	struct locks *to = locks;

	to->observer = observer;
	to->observer_ctx = ctx;
}

static void *locks_start(const struct run *run, struct lkst_error *err)
{
	struct locks *locks = calloc(1, sizeof(*locks));

	if (!locks) {
		lkst_error_memory(err, "locks");
		return NULL;
	}
	locks->run = run;
	locks->lost_ns = INT64_MIN;
	locks->waits = (struct hash){ .size = sizeof(struct lock_wait), .max = LOCKS_MAX };
	locks->rows = (struct hash){ .size = sizeof(struct lock_row), .max = LOCKS_MAX };
	return locks;
}

/* ---- kinds of locks ---- */

/* Return whether a flag is among those in a text such as "SPIN|MUTEX". */
static bool lock_has_flag(const char *flags, const char *flag)
{
	size_t len = strlen(flag);

	for (; flags; flags = strchr(flags, '|')) {
		flags += *flags == '|';
		if (!strncmp(flags, flag, len) && (!flags[len] || flags[len] == '|'))
			return true;
	}
	return false;
}

/**
 * lock_name_kind() - name the kind of a lock, which the kernel describes with flags
 * @run: run, whose trace contains the names of the flags
 * @of: flags, as in lock_contention_begin
 * @kind: result
 */
void lock_name_kind(const struct run *run, uint64_t of, char kind[KIND_SIZE])
{
	const struct lkst_event event = { .type = LKST_ETYPE_LOCK_CONTENTION_BEGIN,
					  .arg[1] = of };
	char flags[VALUE_SIZE];
	const char *name = NULL, *use = "";

	value_text(run, &event, "flags", flags, sizeof(flags));
	if (lock_has_flag(flags, "READ"))
		use = " read";
	else if (lock_has_flag(flags, "WRITE"))
		use = " write";
	if (lock_has_flag(flags, "MUTEX"))
		name = "mutex";
	else if (lock_has_flag(flags, "PERCPU"))
		name = "percpu-rwsem";
	else if (lock_has_flag(flags, "RT"))
		name = *use ? "rt-rwlock" : "rt-mutex";
	else if (lock_has_flag(flags, "SPIN"))
		name = *use ? "rwlock" : "spinlock";
	else if (*use)
		name = "rwsem";
	else if (!strcmp(flags, "0x0"))
		name = "semaphore";
	snprintf(kind, KIND_SIZE, "%.12s%s", name ? name : flags, use);
}

/* ---- waits ---- */

static void lock_wait_key(const struct lkst_event *event, uint64_t key[HASH_WORDS])
{
	key[0] = event->tid ? event->tid : 1ull << 32 | (uint32_t)event->cpu;
	key[1] = event->arg[0];
	key[2] = 0;
}

/*
 * Return the wait in progress that an event belongs to; NULL if it is unknown. Forget a wait whose
 * end may be among lost records, or that is from an earlier thread with the same thread ID.
 */
static struct lock_wait *locks_find_wait(struct locks *locks, const struct lkst_event *event,
					 const struct lkst_thread *thread)
{
	uint64_t key[HASH_WORDS];
	struct lock_wait *wait;

	lock_wait_key(event, key);
	wait = hash_find(&locks->waits, key);
	if (!wait || (wait->thread == thread && wait->begin_ns >= locks->lost_ns))
		return wait;
	hash_remove(&locks->waits, wait);
	return NULL;
}

static int locks_begin(struct locks *locks, const struct lkst_event *event)
{
	const struct lkst_thread *thread = value_thread(locks->run, event);
	enum hash_result result;
	uint64_t key[HASH_WORDS];
	struct lock_wait *wait;

	if (locks_find_wait(locks, event, thread))
		return 0;
	lock_wait_key(event, key);
	result = hash_add(&locks->waits, key, &wait);
	if (result == HASH_FULL) {
		/*
		 * That many threads never wait at the same time, so most of these waits must have
		 * ended without a record.
		 */
		hash_clear(&locks->waits);
		result = hash_add(&locks->waits, key, &wait);
	}
	if (!wait)
		return -1;
	wait->thread = thread;
	wait->cpu = event->cpu;
	wait->begin_ns = event->time_ns;
	wait->flags = event->arg[1];
	wait->owner = event->arg[2] ? lkst_model_find(locks->run->model, event->source,
						      (uint32_t)event->arg[2]) :
				      NULL;
	locks->holders |= wait->owner != NULL;
	return 0;
}

static int locks_row(struct locks *locks, const struct lkst_event *event,
		     const struct lock_wait *wait, struct lock_row **row)
{
	char kind[KIND_SIZE] = KIND_UNKNOWN;
	uint64_t key[HASH_WORDS] = { event->arg[0] };
	enum hash_result result;

	/* The flags of a mutex depend on whether the thread spins, but its kind does not. */
	if (wait)
		lock_name_kind(locks->run, wait->flags, kind);
	memcpy(&key[1], kind, 2 * sizeof(*key));
	result = hash_add_row(&locks->rows, key, row);
	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED)
		memcpy((*row)->kind, kind, KIND_SIZE);
	return 0;
}

static void lock_note_worst(struct lock_row *row, const struct lock_wait *wait)
{
	const struct lkst_thread *thread = wait->thread;

	row->worst = thread;
	row->holder = wait->owner;
	row->caller = 0;
	*row->call = 0;
	if (thread && thread->syscall != LKST_SYSCALL_NONE)
		run_syscall_name(thread, thread->syscall, thread->abi, row->call);
}

/* Pass a wait to the observer. The caller has set the other members of @done. */
static void locks_show(const struct locks *locks, const struct lkst_thread *thread,
		       const struct lock_wait *wait, struct lock_done *done)
{
	strcpy(done->kind, KIND_UNKNOWN);
	done->thread = thread;
	if (wait) {
		lock_name_kind(locks->run, wait->flags, done->kind);
		done->begin_ns = wait->begin_ns;
		done->begin_known = true;
		done->cpu = wait->cpu;
		done->owner = wait->owner;
	}
	if (thread && thread->syscall != LKST_SYSCALL_NONE)
		run_syscall_name(thread, thread->syscall, thread->abi, done->call);
	locks->observer(locks->observer_ctx, done);
}

static void locks_show_end(const struct locks *locks, const struct lkst_event *event,
			   const struct lock_wait *wait)
{
	struct lock_done done = {
		.lock = event->arg[0],
		.end_ns = event->time_ns,
		.end_known = true,
		.error = (int64_t)event->arg[1],
		.cpu = event->cpu,
	};

	if (locks->observer)
		locks_show(locks, value_thread(locks->run, event), wait, &done);
}

/* Count a wait that has ended. */
static int locks_count(struct locks *locks, const struct lkst_event *event,
		       const struct lock_wait *wait)
{
	struct lock_last *last = (uint32_t)event->cpu < LOCK_CPUS ? &locks->last[event->cpu] : NULL;
	int64_t ns = wait ? tally_length(wait->begin_ns, event->time_ns) : 0;
	struct lock_row *row;
	bool worst;

	if (ns < locks->run->args->over_ns)
		return 0;
	locks_show_end(locks, event, wait);
	if (locks_row(locks, event, wait, &row))
		return -1;
	row->waits++;
	row->failed += (int64_t)event->arg[1] < 0;
	if (!wait) {
		row->cut++;
		return 0;
	}
	worst = !row->dist.count || (uint64_t)ns > row->dist.max;
	if (dist_add(&row->dist, ns, event->time_ns))
		return -1;
	if (!worst)
		return 0;
	lock_note_worst(row, wait);
	if (last) {
		last->tid = event->tid;
		last->lock = event->arg[0];
		memcpy(last->key, row->head.key, sizeof(last->key));
	}
	return 0;
}

static int locks_end(struct locks *locks, const struct lkst_event *event)
{
	const struct lkst_thread *thread = value_thread(locks->run, event);
	struct lock_wait *wait = locks_find_wait(locks, event, thread);
	int ret = 0;

	if (run_selects_cpu(locks->run, wait ? wait->cpu : event->cpu) &&
	    run_selects(locks->run, thread))
		ret = locks_count(locks, event, wait);
	if (wait)
		hash_remove(&locks->waits, wait);
	return ret;
}

/*
 * Handle the event of a lock that was taken. If this ended the longest wait for the lock, note the
 * caller.
 */
static void locks_taken(struct locks *locks, const struct lkst_event *event)
{
	struct lock_last *last = (uint32_t)event->cpu < LOCK_CPUS ? &locks->last[event->cpu] : NULL;
	struct lock_row *row;

	if (!last || !last->lock || last->lock != event->arg[0] || last->tid != event->tid)
		return;
	row = hash_find(&locks->rows, last->key);
	last->lock = 0;
	if (!row)
		return;
	row->caller = event->arg[1];
	locks->callers = true;
}

static void locks_event(void *ctx, const struct lkst_event *event)
{
	struct locks *locks = ctx;
	int ret = 0;

	if (!value_in_window(locks->run, event->time_ns))
		return;
	switch (event->type) {
	case LKST_ETYPE_LOCK_CONTENTION_BEGIN:
		ret = locks_begin(locks, event);
		break;
	case LKST_ETYPE_LOCK_CONTENTION_END:
		ret = locks_end(locks, event);
		break;
	case LKST_ETYPE_LOCK_SPIN_LOCK:
	case LKST_ETYPE_LOCK_READ_LOCK:
	case LKST_ETYPE_LOCK_WRITE_LOCK:
		locks_taken(locks, event);
		break;
	}
	if (ret)
		run_out_of_memory(locks->run);
}

static void locks_loss(void *ctx, const struct lkst_loss *loss)
{
	struct locks *locks = ctx;

	if (loss->end_ns > locks->lost_ns)
		locks->lost_ns = loss->end_ns;
}

/**
 * lock_finish() - pass the waits that have not ended to the observer
 * @locks: what start() of the analysis returned. Call this after the last event
 */
void lock_finish(void *locks)
{
	const struct locks *from = locks;
	const struct lock_wait *wait;
	size_t at = 0;

	while ((wait = hash_next(&from->waits, &at)) != NULL) {
		struct lock_done done = {
			.lock = wait->head.key[1],
			.end_ns = from->run->end_ns,
		};

		if (wait->begin_ns >= from->lost_ns)
			locks_show(from, wait->thread, wait, &done);
	}
}

/* ---- tables ---- */

/* The columns. The last two are left out if none of their values is known. */
static const struct column lock_columns[] = {
	{ "lock", "lock", COLUMN_TEXT },
	{ "kind", "kind", COLUMN_TEXT },
	{ "waits", "waits", COLUMN_COUNT },
	{ "failed", "failed", COLUMN_COUNT },
	{ "cut", "cut", COLUMN_COUNT },
	{ "wait ms", "wait_ns", COLUMN_MS },
	VALUE_DIST_COLUMNS,
	{ "worst", "worst", COLUMN_TEXT },
	{ "in call", "in", COLUMN_TEXT },
	{ "held by", "held_by", COLUMN_TEXT },
	{ "caller", "caller", COLUMN_TEXT },
};

static const struct column wait_columns[] = {
	{ "lock", "lock", COLUMN_TEXT },      { "kind", "kind", COLUMN_TEXT },
	{ "waiting", "thread", COLUMN_TEXT }, { "since", "since_ns", COLUMN_TIME },
	{ "for ms", "for_ns", COLUMN_MS },    { "in call", "in", COLUMN_TEXT },
	{ "held by", "held_by", COLUMN_TEXT },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))
#define LOCK_FIXED_COLUMNS (NUM(lock_columns) - 2)

static int locks_by_wait(const void *a, const void *b)
{
	const struct lock_row *const *pa = a, *const *pb = b;

	if ((*pa)->dist.sum != (*pb)->dist.sum)
		return (*pa)->dist.sum > (*pb)->dist.sum ? -1 : 1;
	if ((*pa)->waits != (*pb)->waits)
		return (*pa)->waits > (*pb)->waits ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int locks_by_begin(const void *a, const void *b)
{
	const struct lock_wait *const *pa = a, *const *pb = b;

	if ((*pa)->begin_ns != (*pb)->begin_ns)
		return (*pa)->begin_ns < (*pb)->begin_ns ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int locks_report_row(const struct locks *locks, const struct lock_row *row,
			    struct table *table, struct lkst_error *err)
{
	const struct run *run = locks->run;
	char lock[VALUE_SIZE], thread[40], holder[40], caller[VALUE_SIZE];
	size_t columns = LOCK_FIXED_COLUMNS;
	struct cell cell[NUM(lock_columns)] = {
		CELL_TEXT("(others)"), CELL_TEXT(row->kind), CELL(row->waits), CELL(row->failed),
		CELL(row->cut),
		CELL(row->dist.sum < INT64_MAX ? (int64_t)row->dist.sum : INT64_MAX),
		CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE,
		value_thread_cell(run, row->worst, thread),
		*row->call ? CELL_TEXT(row->call) : CELL_NONE,
	};

	if (hash_is_rest(row))
		cell[1] = CELL_NONE;
	else
		cell[0] = CELL_TEXT(run_symbol(run, 0, row->head.key[0], lock, sizeof(lock)));
	value_dist(&row->dist, cell + 6);
	if (locks->holders)
		cell[columns++] = value_thread_cell(run, row->holder, holder);
	if (locks->callers)
		cell[columns++] = row->caller ? CELL_TEXT(run_symbol(run, 0, row->caller, caller,
								     sizeof(caller))) :
						CELL_NONE;
	return table_add(table, cell, err);
}

static int locks_report_rows(const struct locks *locks, struct tables *to, struct lkst_error *err)
{
	struct column column[NUM(lock_columns)];
	size_t columns = LOCK_FIXED_COLUMNS;
	struct table *table;
	void **row;
	int ret = 0;

	memcpy(column, lock_columns, sizeof(column));
	if (locks->holders)
		column[columns++] = lock_columns[LOCK_FIXED_COLUMNS];
	if (locks->callers)
		column[columns++] = lock_columns[LOCK_FIXED_COLUMNS + 1];
	table = value_table(to, "locks", "Waits that ended, by lock", column, columns, err);
	row = table ? hash_sorted(&locks->rows, locks_by_wait) : NULL;
	if (table && !row)
		lkst_error_memory(err, "locks");
	if (!row)
		return -1;
	for (size_t i = 0; i < locks->rows.num && !ret; i++)
		ret = locks_report_row(locks, row[i], table, err);
	free(row);
	return ret;
}

static int locks_report_wait(const struct run *run, const struct lock_wait *wait,
			     struct table *table, struct lkst_error *err)
{
	const struct lkst_thread *thread = wait->thread;
	char lock[VALUE_SIZE], kind[KIND_SIZE], name[40], call[32], holder[40];
	bool in_call = thread && thread->syscall != LKST_SYSCALL_NONE;

	lock_name_kind(run, wait->flags, kind);
	return table_add(table,
			 (struct cell[]){
				 CELL_TEXT(run_symbol(run, 0, wait->head.key[1], lock, sizeof(lock))),
				 CELL_TEXT(kind), value_thread_cell(run, thread, name),
				 CELL(wait->begin_ns),
				 CELL(tally_length(wait->begin_ns, run->end_ns)),
				 in_call ? CELL_TEXT(run_syscall_name(thread, thread->syscall,
								      thread->abi, call)) :
					   CELL_NONE,
				 value_thread_cell(run, wait->owner, holder) },
			 err);
}

/* List the waits that have not ended: in the trace of a dead machine, they may show a deadlock. */
static int locks_report_waits(const struct locks *locks, struct tables *to, struct lkst_error *err)
{
	const struct run *run = locks->run;
	struct table *table = value_table(to, "waiting", "Waits that had not ended", wait_columns,
					  NUM(wait_columns) - !locks->holders, err);
	void **list = table ? hash_sorted(&locks->waits, locks_by_begin) : NULL;
	int ret = 0;

	if (table && !list)
		lkst_error_memory(err, "locks");
	if (!list)
		return -1;
	for (size_t i = 0; i < locks->waits.num && !ret; i++) {
		const struct lock_wait *wait = list[i];

		if (wait->begin_ns >= locks->lost_ns && run_selects_cpu(run, wait->cpu) &&
		    tally_length(wait->begin_ns, run->end_ns) >= run->args->over_ns &&
		    run_selects(run, wait->thread))
			ret = locks_report_wait(run, wait, table, err);
	}
	free(list);
	return ret;
}

static int locks_report(void *ctx, const struct run *run, struct tables *to,
			struct lkst_error *err)
{
	(void)run;
	return locks_report_rows(ctx, to, err) || locks_report_waits(ctx, to, err) ? -1 : 0;
}

static void locks_free(void *ctx)
{
	struct locks *locks = ctx;
	struct lock_row *row;
	size_t at = 0;

	while ((row = hash_next(&locks->rows, &at)) != NULL)
		dist_free(&row->dist);
	hash_free(&locks->rows);
	hash_free(&locks->waits);
	free(locks);
}

const struct analysis analysis_lock = {
	.name = "lock",
	.summary = "waits for kernel locks: which lock, how long, and who waited",
	.about =
		"For each kernel lock that threads waited for: waits that ended, those that ended\n"
		"without the lock (failed), those with an unknown begin (cut), and how long the\n"
		"others were. \"at\" is the end of the longest one, \"worst\" the thread that waited,\n"
		"\"in call\" its system call, and \"held by\" the thread that had the lock when this\n"
		"wait began. The second table lists the waits that had not ended.\n",
	.needs = (const char *const[]){ "LOCK_CONTENTION_BEGIN", "LOCK_CONTENTION_END", NULL },
	.helps = (const char *const[]){ "SYSCALL_ENTRY", "SYSCALL_EXIT", NULL },
	.ops = { .event = locks_event, .loss = locks_loss },
	.start = locks_start,
	.report = locks_report,
	.free = locks_free,
};
