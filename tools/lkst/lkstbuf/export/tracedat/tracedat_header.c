// SPDX-License-Identifier: GPL-2.0
/* Writes the header of a trace.dat file. */
#include <stdio.h>
#include <string.h>

#include "lib/base/printable.h"
#include "lib/base/version.h"
#include "lib/trace/trace.h"
#include "tracedat.h"

#define HEADER_SYSTEMS 32

/* Numbers of options. */
enum {
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
};

/*
 * The output, and the position in it.
 *
 * @dat: writer
 * @out: output; NULL: only determine the length
 * @at: number of bytes that have been written
 */
struct header {
	struct tracedat *dat;
	struct lkst_out *out;
	uint64_t at;
};

static void header_put(struct header *to, const void *bytes, size_t len)
{
	if (to->out)
		out_end(to->out, put_bytes(out_room(to->out), bytes, len));
	to->at += len;
}

static void header_put_16(struct header *to, uint16_t value)
{
	header_put(to, &value, sizeof(value));
}

static void header_put_32(struct header *to, uint32_t value)
{
	header_put(to, &value, sizeof(value));
}

static void header_put_64(struct header *to, uint64_t value)
{
	header_put(to, &value, sizeof(value));
}

/* Write a string with its terminating zero. */
static void header_put_string(struct header *to, const char *text)
{
	header_put(to, text, strlen(text) + 1);
}

/* Write a text after its length. */
static void header_put_text(struct header *to, const char *text, size_t len)
{
	header_put_64(to, len);
	header_put(to, text, len);
}

static void header_put_begin(struct header *to)
{
	header_put(to, "\027\010\104tracing", 10);
	header_put_string(to, "6");
	header_put(to, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "\1" : "\0", 1);
	header_put(to, "\10", 1); /* bytes of a long */
	header_put_32(to, DAT_PAGE);
}

/* Describe the pages, and the entries in them. */
static void header_put_pages(struct header *to)
{
	static const char entry[] = "# compressed entry header\n"
				    "\ttype_len    :    5 bits\n"
				    "\ttime_delta  :   27 bits\n"
				    "\tarray       :   32 bits\n"
				    "\n"
				    "\tpadding     : type == 29\n"
				    "\ttime_extend : type == 30\n"
				    "\ttime_stamp : type == 31\n"
				    "\tdata max type_len  == 28\n";
	char page[512];
	int len;

	len = snprintf(page, sizeof(page),
		       "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		       "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		       "\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n",
		       DAT_PAGE_HEAD, DAT_PAGE - DAT_PAGE_HEAD);
	header_put_string(to, "header_page");
	header_put_text(to, page, (size_t)len);
	header_put_string(to, "header_event");
	header_put_text(to, entry, sizeof(entry) - 1);
}

/* ---- event types ---- */

/* The groups of event types. */
struct header_systems {
	size_t num;
	const char *name[HEADER_SYSTEMS];
	uint32_t events[HEADER_SYSTEMS];
	bool described[UINT16_MAX + 1];
};

/*
 * Return whether to describe an event type. It is described only once, even if it corresponds to
 * several event types of LKST.
 */
static bool header_describes(struct header_systems *systems, const struct dat_plan *plan)
{
	if (!plan->used || systems->described[plan->id])
		return false;
	systems->described[plan->id] = true;
	return true;
}

static void header_count(struct header_systems *systems, const struct dat_plan *plan)
{
	size_t i = 0;

	if (!header_describes(systems, plan))
		return;
	while (i < systems->num && strcmp(systems->name[i], plan->system))
		i++;
	if (i == systems->num) {
		systems->name[i] = plan->system;
		systems->num++;
	}
	systems->events[i]++;
}

static void header_find_systems(const struct dat_plans *plans, struct header_systems *systems)
{
	for (size_t i = 0; i < LKST_ETYPE_NUM; i++)
		for (const struct dat_plan *plan = plans->of[i]; plan; plan = plan->next)
			header_count(systems, plan);
	memset(systems->described, 0, sizeof(systems->described));
}

static void header_put_system(struct header *to, struct header_systems *systems, const char *name)
{
	const struct dat_plans *plans = to->dat->plans;
	char text[DAT_DESCRIPTION];

	for (size_t i = 0; i < LKST_ETYPE_NUM; i++)
		for (const struct dat_plan *plan = plans->of[i]; plan; plan = plan->next)
			if (!strcmp(plan->system, name) && header_describes(systems, plan))
				header_put_text(to, text,
						(size_t)(dat_describe(text, plan) - text));
}

static void header_put_events(struct header *to)
{
	struct header_systems systems = { 0 };

	header_find_systems(to->dat->plans, &systems);
	header_put_32(to, 0); /* events of ftrace itself */
	header_put_32(to, (uint32_t)systems.num);
	for (size_t i = 0; i < systems.num; i++) {
		header_put_string(to, systems.name[i]);
		header_put_32(to, systems.events[i]);
		header_put_system(to, &systems, systems.name[i]);
	}
	header_put_32(to, 0); /* symbols */
	header_put_32(to, 0); /* formats of trace_printk() */
}

static void header_put_threads(struct header *to)
{
	uint64_t len = dat_threads_write(to->dat, NULL);

	header_put_64(to, len);
	to->at += len;
	if (to->out)
		dat_threads_write(to->dat, to->out);
}

/* ---- options ---- */

static void header_put_option(struct header *to, uint16_t number, const void *data, size_t len)
{
	header_put_16(to, number);
	header_put_32(to, (uint32_t)len);
	header_put(to, data, len);
}

static void header_put_option_text(struct header *to, uint16_t number, const char *text)
{
	header_put_option(to, number, text, strlen(text) + 1);
}

/*
 * If the times are from the kernel's monotonic clock, write its name, and the difference to the
 * wall clock.
 */
static void header_put_clock(struct header *to)
{
	char offset[32];

	if (!to->dat->clock.monotonic)
		return;
	header_put_option_text(to, OPTION_TRACECLOCK, "[mono]");
	snprintf(offset, sizeof(offset), "%lld", (long long)to->dat->offset_ns);
	header_put_option_text(to, OPTION_OFFSET, offset);
}

static void header_put_options(struct header *to)
{
	const char *text;
	char kernel[256];
	size_t len;

	header_put(to, "options  ", 10);
	header_put_option(to, OPTION_CPUCOUNT, &to->dat->cpus, sizeof(to->dat->cpus));
	header_put_clock(to);
	text = lkst_trace_system(to->dat->export->trace, "kernel", &len);
	if (text) {
		lkst_printable(text, len, kernel, sizeof(kernel));
		header_put_option_text(to, OPTION_UNAME, kernel);
	}
	header_put_option_text(to, OPTION_VERSION, "lkstbuf " LKST_TOOLS_VERSION);
	header_put_16(to, 0);
}

/* ---- pages ---- */

/* Write the positions of the pages of each CPU. They begin at @first, one CPU after the other. */
static void header_put_places(struct header *to, uint64_t first)
{
	header_put(to, "flyrecord", 10);
	for (uint32_t cpu = 0; cpu < to->dat->cpus; cpu++) {
		uint64_t len = dat_pages_of(to->dat, cpu)->num * DAT_PAGE;

		header_put_64(to, first);
		header_put_64(to, len);
		first += len;
	}
}

static void header_put_all(struct header *to, uint64_t first)
{
	header_put_begin(to);
	header_put_pages(to);
	header_put_events(to);
	header_put_threads(to);
	header_put_32(to, to->dat->cpus);
	header_put_options(to);
	header_put_places(to, first);
}

/**
 * dat_header_write() - write the header
 * @dat: writer, after dat_pages_end() and dat_threads_end()
 *
 * The pages must follow.
 */
void dat_header_write(struct tracedat *dat)
{
	static const char zeros[DAT_PAGE];
	struct header to = { .dat = dat };
	uint64_t first;

	header_put_all(&to, 0);
	first = (to.at + DAT_PAGE - 1) / DAT_PAGE * DAT_PAGE;
	to = (struct header){ .dat = dat, .out = &dat->export->out };
	header_put_all(&to, first);
	header_put(&to, zeros, (size_t)(first - to.at));
}
