// SPDX-License-Identifier: GPL-2.0
/*
 * Print results in TAP, and compare states of LKST: a call that fails must not change the state.
 */
#include <linux/jhash.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "functions.h"

struct seq_file *out;
struct snapshot before, after;
static unsigned int result_count;

void __printf(2, 3) report(bool good, const char *format, ...)
{
	struct va_format text = { .fmt = format };
	va_list args;

	va_start(args, format);
	text.va = &args;
	seq_printf(out, "%sok %u - %pV\n", good ? "" : "not ", ++result_count, &text);
	va_end(args);
}

/* --- The state of LKST */

#define MASKSETS_SIZE	LKST_MASKSET_LISTENT_SIZE(LKST_MASKSET_ID_MAX + 1)
#define EVHANDLERS_SIZE	LKST_EVHANDLER_LISTENT_SIZE(LKST_EVHANDLER_ID_MAX + 1)

static void *masksets, *evhandlers;

int alloc_lists(void)
{
	masksets = vmalloc(MASKSETS_SIZE);
	evhandlers = vmalloc(EVHANDLERS_SIZE);
	return masksets && evhandlers ? 0 : -ENOMEM;
}

void free_lists(void)
{
	vfree(masksets);
	vfree(evhandlers);
}

struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	lkst_trc_status(&status);
	return status;
}

void take_snapshot(struct snapshot *snapshot)
{
	struct lkst_maskset_listparam maskset_list = { 0, 0, MASKSETS_SIZE, address(masksets) };
	struct lkst_evhandler_listparam evhandler_list = { EVHANDLERS_SIZE, address(evhandlers) };
	struct lkst_trc_status *status = &snapshot->status;

	memset(snapshot, 0, sizeof(*snapshot));
	status->write_buf = address(snapshot->write_buf);
	status->cpu_num = NR_CPUS;
	lkst_trc_status(status);
	/* Clear the values that change even if no function is called. */
	status->write_buf = 0;
	status->static_buffer_recid = 0;
	status->lost = 0;
	lkst_maskset_list(&maskset_list);
	lkst_evhandler_list(&evhandler_list);
	snapshot->masksets = jhash(masksets, LKST_MASKSET_LISTENT_SIZE(status->maskset_num), 0);
	snapshot->evhandlers =
		jhash(evhandlers, LKST_EVHANDLER_LISTENT_SIZE(status->evhandler_num), 0);
}

bool has_changed(const struct snapshot *a, const struct snapshot *b)
{
	return memcmp(a, b, sizeof(*a));
}
