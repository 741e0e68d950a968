// SPDX-License-Identifier: GPL-2.0
/*
 * Print results in TAP, and compare states of LKST: a call that fails must not change the state.
 */
#include <linux/jhash.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/lkst.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>
#include "functions.h"

/* --- Results */

DEFINE_MUTEX(run_mutex);		/* serializes the tests; protects all variables below */
struct seq_file *out;
const char *function;			/* name of the function that is being tested */
static unsigned int result_count;

void __printf(2, 3) report(bool good, const char *what, ...)
{
	struct va_format text = { .fmt = what };
	va_list args;

	va_start(args, what);
	text.va = &args;
	seq_printf(out, "%sok %u - %pV\n", good ? "" : "not ", ++result_count, &text);
	va_end(args);
}

void skip(const char *what, const char *why)
{
	report(true, "%s: %s # SKIP %s", function, what, why);
}

/* --- The state of LKST, which a failing call must not change */

struct lkst_maskset_body *body;
struct lkst_maskset_listent *masksets;
struct lkst_evhandler_listent *evhandlers;

u64 address(const void *p)
{
	return (unsigned long)p;
}

int read_maskset(int id, u64 size, void *area)
{
	struct lkst_maskset_param param = { id, 0, size, address(area) };

	return lkst_maskset_read(&param);
}

int list_masksets(u64 size, void *area)
{
	struct lkst_maskset_listparam param = { .listent_size = size, .listent = address(area) };

	return lkst_maskset_list(&param);
}

int list_evhandlers(u64 size, void *area)
{
	struct lkst_evhandler_listparam param = { size, address(area) };

	return lkst_evhandler_list(&param);
}

static u32 sum_of_masksets(int num)
{
	u32 sum = 0;

	memset(masksets, 0, MASKSETS_SIZE);
	list_masksets(MASKSETS_SIZE, masksets);
	for (int i = 0; i < num; i++) {
		read_maskset(masksets[i].id, LKST_MASKSET_SIZE_MAX, body);
		sum = jhash(body, LKST_MASKSET_SIZE(body->len), sum + masksets[i].id);
	}
	return sum;
}

static u32 sum_of_evhandlers(int num)
{
	list_evhandlers(EVHANDLERS_SIZE, evhandlers);
	return jhash(evhandlers, LKST_EVHANDLER_LISTENT_SIZE(num), 0);
}

struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	lkst_trc_status(&status);
	return status;
}

void take_snapshot(struct snapshot *snapshot)
{
	struct lkst_trc_status *status = &snapshot->status;

	memset(snapshot, 0, sizeof(*snapshot));
	status->write_buf = address(snapshot->write_buf);
	status->cpu_num = CPU_MAX;
	lkst_trc_status(status);
	/* Clear the values that change even if no function is called. */
	status->write_buf = 0;
	status->static_buffer_recid = 0;
	status->lost = 0;
	snapshot->masksets = sum_of_masksets(status->maskset_num);
	snapshot->evhandlers = sum_of_evhandlers(status->evhandler_num);
}

const char *difference(const struct snapshot *a, const struct snapshot *b)
{
	if (a->status.memory != b->status.memory)
		return "memory";
	if (memcmp(&a->status, &b->status, sizeof(a->status)))
		return "status";
	if (memcmp(a->write_buf, b->write_buf, sizeof(a->write_buf)))
		return "the buffer that is written";
	if (a->masksets != b->masksets)
		return "masksets";
	if (a->evhandlers != b->evhandlers)
		return "event handlers";
	return NULL;
}

/* --- Results of a call */

struct snapshot before, after;

void finish_row(const char *what, int got, int want)
{
	const char *changed;

	take_snapshot(&after);
	changed = want < 0 ? difference(&before, &after) : NULL;
	ok(got == want && !changed, what);
	if (got != want)
		seq_printf(out, "# got %d, wanted %d\n", got, want);
	if (changed)
		seq_printf(out, "# changed: %s\n", changed);
}

#ifdef CONFIG_FAULT_INJECTION
void finish_nomem(const char *what, int failed, int other)
{
	const char *changed;

	take_snapshot(&after);
	changed = difference(&before, &after);
	ok(failed && !other && !changed, what);
	if (!failed || other || changed)
		seq_printf(out, "# failed %d times; another error: %d; changed: %s\n", failed,
			   other, changed ?: "nothing");
}
#endif
