// SPDX-License-Identifier: GPL-2.0
/* Prints the last minute of a dead machine. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "death.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/printable.h"
#include "lib/text/timestamp.h"
#include "lkstla/lock.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "lkstla/wrap.h"

#define DEATH_INDENT 4

/* The output; @failed is set if an allocation has failed */
struct death_page {
	struct death *death;
	unsigned int width;
	FILE *to;
	bool failed;
};

/* Print a paragraph, with line breaks. */
static void __attribute__((format(printf, 3, 4)))
death_put(struct death_page *page, int indent, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		page->failed = true;
		return;
	}
	fprintf(page->to, "%*s", indent, "");
	wrap_text(text, (size_t)indent + 2, page->width, page->to);
	putc('\n', page->to);
	free(text);
}

static const char *death_for(const struct death *death, int64_t since_ns, char text[32])
{
	return death_span(tally_length(since_ns, death->run->end_ns), text);
}

/* ---- how it died ---- */

static void death_put_cause(struct death_page *page)
{
	const struct death *death = page->death;
	const struct death_message *panic = death_panic(death);
	char text[4 * DEATH_TEXT], time[LKST_TIMESTAMP_SIZE], name[DEATH_NAME];
	size_t len;
	const char *image = death_image(death, &len);

	if (panic) {
		death_message_text(death, panic, text, sizeof(text));
		death_put(page, DEATH_INDENT, "%s (at %s, CPU %d, %s)", text,
			  lkst_timestamp_text(panic->event.time_ns, time), panic->event.cpu,
			  death_name(death, panic->event.tid, name));
	} else if (image && len == strlen("previous boot") &&
		   !memcmp(image, "previous boot", len)) {
		death_put(page, DEATH_INDENT,
			  "No panic was recorded: the machine was rebooted or reset, or hung.");
	} else {
		death_put(
			page, DEATH_INDENT,
			"No panic was recorded: the machine hung, was reset, or was still running "
			"when its memory was read.");
	}
	if (image)
		death_put(page, DEATH_INDENT, "Read from: %s",
			  lkst_printable(image, len, text, sizeof(text)));
	death_put(page, DEATH_INDENT, "The last event was at %s.",
		  lkst_timestamp_text(death->run->end_ns, time));
}

static void death_put_messages(struct death_page *page)
{
	const struct death *death = page->death;
	const struct death_message *list[DEATH_LISTED];
	size_t num = death_messages(death, list);

	fputs("\nLAST MESSAGES\n", page->to);
	for (size_t i = 0; i < num; i++) {
		const struct lkst_event *event = &list[i]->event;
		char text[4 * DEATH_TEXT], time[LKST_TIMESTAMP_SIZE], name[DEATH_NAME];

		death_message_text(death, list[i], text, sizeof(text));
		death_put(page, DEATH_INDENT, "%s CPU %d %s: %s",
			  lkst_timestamp_text(event->time_ns, time), event->cpu,
			  death_name(death, event->tid, name), text);
	}
	if (!death->lines.num && !death->heads.num)
		death_put(page, DEATH_INDENT,
			  "%sernel messages: none, or not recorded (oops_printk, oops_message)",
			  num ? "Other k" : "K");
}

/* ---- CPUs ---- */

static void death_put_cpu(struct death_page *page, int32_t number)
{
	const struct death *death = page->death;
	const struct death_cpu *cpu = &death->cpu[number];
	char span[32], *text = NULL;
	size_t len;
	FILE *line = open_memstream(&text, &len);

	if (!line) {
		page->failed = true;
		return;
	}
	fprintf(line, "CPU %d: ", number);
	death_doing(death, number, line);
	fprintf(line, "; last event %s before the end", death_for(death, cpu->last_ns, span));
	if (fclose(line))
		page->failed = true;
	else
		death_put(page, DEATH_INDENT, "%s", text);
	free(text);
}

static void death_put_cpus(struct death_page *page)
{
	fputs("\nWHAT EACH CPU WAS DOING\n", page->to);
	for (int32_t i = 0; i < page->death->cpus; i++)
		if (page->death->cpu[i].seen)
			death_put_cpu(page, i);
}

/* ---- who waited for whom ---- */

/*
 * Return ", which" and what the holder of a lock was doing. Return "" if this is unknown, or if the
 * holder waited for a lock itself.
 */
static const char *death_which(const struct death *death, const struct death_wait *wait,
			       char text[DEATH_STATE + 16])
{
	char state[DEATH_STATE] = "";

	if (wait->holder && !wait->next)
		death_state(death, wait->holder, state);
	snprintf(text, DEATH_STATE + 16, "%s%s", *state ? ", which " : "", state);
	return text;
}

static void death_put_wait(struct death_page *page, const struct death_wait *wait, int indent)
{
	const struct death *death = page->death;
	char name[DEATH_NAME], holder[DEATH_NAME], kind[LOCK_KIND_SIZE], span[32];
	char which[DEATH_STATE + 16];

	lock_name_kind(death->run, wait->flags, kind);
	death_put(page, indent, "%s has waited for %s for the %s 0x%llx, %s%s%s",
		  death_name(death, wait->thread->tid, name),
		  death_for(death, wait->begin_ns, span), kind, (unsigned long long)wait->lock,
		  wait->holder ? "held by " : "whose holder is unknown",
		  wait->holder ? death_name(death, wait->holder->tid, holder) : "",
		  death_which(death, wait, which));
}

/* Print a cycle in the order in which its threads wait for each other. */
static void death_put_cycle(struct death_page *page, const struct death_wait *first)
{
	const struct death_wait *wait = first;
	size_t num = 0;

	do {
		num++;
		wait = wait->next;
	} while (wait != first);
	if (num == 1)
		death_put(page, DEATH_INDENT, "DEADLOCK: a thread waits for a lock that it holds:");
	else
		death_put(page, DEATH_INDENT, "DEADLOCK: %zu threads wait for each other:", num);
	for (size_t i = 0; i < num && i < DEATH_WAITS; i++, wait = wait->next)
		death_put_wait(page, wait, 2 * DEATH_INDENT);
	if (num > DEATH_WAITS)
		death_put(page, 2 * DEATH_INDENT, "and %zu more", num - DEATH_WAITS);
}

static void death_put_sleepers(struct death_page *page)
{
	const struct death *death = page->death;
	const struct lkst_thread *list[DEATH_SLEEPERS];
	size_t num = death_sleepers(death, list);

	for (size_t i = 0; i < num && i < DEATH_SLEEPERS; i++) {
		char name[DEATH_NAME], state[DEATH_STATE];

		death_put(page, DEATH_INDENT, "%s %s", death_name(death, list[i]->tid, name),
			  death_state(death, list[i], state));
	}
	if (num > DEATH_SLEEPERS)
		death_put(page, DEATH_INDENT, "%zu more threads have slept uninterruptibly",
			  num - DEATH_SLEEPERS);
}

static void death_put_waits(struct death_page *page)
{
	const struct death *death = page->death;
	size_t i = 0, listed = 0;

	fputs("\nWHO WAITED FOR WHOM\n", page->to);
	while (i < death->num_waits && death->wait[i]->cycle) {
		const struct death_wait *wait = death->wait[i];

		if (wait->cycle <= DEATH_WAITS)
			death_put_cycle(page, wait);
		while (i < death->num_waits && death->wait[i]->cycle == wait->cycle)
			i++;
	}
	if (death->cycles > DEATH_WAITS)
		death_put(page, DEATH_INDENT, "%u more deadlocks", death->cycles - DEATH_WAITS);
	for (; i < death->num_waits; i++)
		if (listed++ < DEATH_WAITS)
			death_put_wait(page, death->wait[i], DEATH_INDENT);
	if (listed > DEATH_WAITS)
		death_put(page, DEATH_INDENT, "%zu more threads waited for locks",
			  listed - DEATH_WAITS);
	if (!death->saw_locks)
		death_put(page, DEATH_INDENT,
			  "Waits for locks: none, or not recorded. 'lkstm config "
			  "lock_contention_begin,lock_contention_end on' records them, except "
			  "while lkstlogd is running.");
	else if (!death->num_waits)
		death_put(page, DEATH_INDENT, "No thread waited for a lock.");
	death_put_sleepers(page);
}

/* ---- interrupts, requests, memory ---- */

static void death_put_off(struct death_page *page)
{
	const struct death *death = page->death;
	const struct death_off *off = &death->off;
	char name[DEATH_NAME], begin[LKST_TIMESTAMP_SIZE], end[LKST_TIMESTAMP_SIZE], span[32];

	fputs("\nINTERRUPTS OFF\n", page->to);
	if (!death->saw_interrupts || !off->found) {
		death_put(page, DEATH_INDENT, "Unknown: %s",
			  death->saw_interrupts ? "no CPU was busy" :
						  "int_timer_entry was not recorded");
		return;
	}
	death_put(page, DEATH_INDENT,
		  "At most %s: CPU %d took no interrupt, switched no threads and made no system "
		  "call from %s to %s%s, while %s ran.",
		  death_span(tally_length(off->begin_ns, off->end_ns), span), off->cpu,
		  lkst_timestamp_text(off->begin_ns, begin), lkst_timestamp_text(off->end_ns, end),
		  off->ended ? "" : ", the end", death_name(death, off->tid, name));
}

static void death_put_request(struct death_page *page, const struct block_done *request)
{
	const struct death *death = page->death;
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.arg = { request->device, request->sector,
			 request->bytes << 32 | (uint32_t)request->operation },
	};
	char device[VALUE_SIZE], operation[VALUE_SIZE], name[DEATH_NAME], span[32];

	death_put(page, DEATH_INDENT,
		  "%s %s of %llu bytes at sector %llu, issued %s before the end by %s",
		  value_text(death->run, &event, "device", device, sizeof(device)),
		  value_text(death->run, &event, "operation", operation, sizeof(operation)),
		  (unsigned long long)request->bytes, (unsigned long long)request->sector,
		  death_for(death, request->begin_ns, span),
		  request->thread ? death_name(death, request->thread->tid, name) :
				    "an idle or unknown thread");
}

static void death_put_requests(struct death_page *page)
{
	const struct death *death = page->death;

	fputs("\nREQUESTS THAT NEVER CAME BACK\n", page->to);
	if (!death->saw_requests)
		death_put(page, DEATH_INDENT,
			  "None, or not recorded (block_issue, block_complete)");
	else if (!death->requests)
		death_put(page, DEATH_INDENT, "None");
	for (size_t i = 0; i < death->requests && i < DEATH_REQUESTS; i++)
		death_put_request(page, &death->request[i]);
	if (death->requests > DEATH_REQUESTS)
		death_put(page, DEATH_INDENT, "and %zu more", death->requests - DEATH_REQUESTS);
}

/* Return whether the kernel panicked because memory ran out. */
static bool death_panic_names_memory(const struct death *death)
{
	const struct death_message *panic = death_panic(death);
	char text[4 * DEATH_TEXT];

	if (!panic)
		return false;
	death_message_text(death, panic, text, sizeof(text));
	return strcasestr(text, "out of memory");
}

static void death_put_memory(struct death_page *page)
{
	const struct death *death = page->death;
	const struct death_reclaim *longest = death_longest_reclaim(death);
	char name[DEATH_NAME], time[LKST_TIMESTAMP_SIZE], span[32];

	fputs("\nMEMORY\n", page->to);
	if (death->oom_kills)
		death_put(page, DEATH_INDENT,
			  "Processes killed because memory ran out: %llu, the last one %s at %s",
			  (unsigned long long)death->oom_kills,
			  death_name(death, death->oom_tid, name),
			  lkst_timestamp_text(death->oom_ns, time));
	if (longest)
		death_put(page, DEATH_INDENT,
			  "Threads that were reclaiming memory: %zu, the longest %s, for %s",
			  death->reclaims.num,
			  death_name(death, (uint32_t)longest->head.key[0], name),
			  death_for(death, longest->begin_ns, span));
	if (death->oom_kills || longest)
		return;
	if (death_panic_names_memory(death))
		death_put(page, DEATH_INDENT,
			  "The panic says that memory ran out. Details were not recorded "
			  "(mem_reclaim_entry, mem_oomkill)");
	else
		death_put(page, DEATH_INDENT,
			  "No sign of a shortage at the end, or not recorded (mem_reclaim_entry, "
			  "mem_oomkill)");
}

/**
 * death_print() - print the last minute, if the machine may have died
 * @ctx: what was seen, after death_finish()
 * @width: width of the terminal; 0: no line breaks
 * @to: stream
 * @err: set if an allocation fails
 */
int death_print(void *ctx, unsigned int width, FILE *to, struct lkst_error *err)
{
	struct death_page page = { .death = ctx, .width = width, .to = to };

	if (!death_applies(page.death))
		return 0;
	fputs("HOW THE MACHINE DIED\n", to);
	death_put_cause(&page);
	death_put_messages(&page);
	death_put_cpus(&page);
	death_put_waits(&page);
	death_put_off(&page);
	death_put_requests(&page);
	death_put_memory(&page);
	putc('\n', to);
	if (!page.failed)
		return 0;
	lkst_error_memory(err, "the report");
	return -1;
}
