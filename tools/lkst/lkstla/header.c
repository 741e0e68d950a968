// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the header of a report: the window, and what makes the result incomplete, such as lost
 * records, begins without ends, ends without begins, and events that the trace does not contain.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/trace.h"
#include "mask.h"
#include "messages.h"
#include "missing.h"
#include "run.h"

#define LOSSES_SHOWN 3 /* number of CPUs whose losses the header lists */

/* Format a number with "," for each thousand. */
static const char *header_number(uint64_t number, char text[32])
{
	char digits[24], *to = text;
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = 0;
	return text;
}

static const char *header_plural(uint64_t number)
{
	return number == 1 ? "" : "s";
}

/* Describe the events that the analysis needs and that the trace lacks. */
static bool header_lacks_needs(const struct runner *runner, char text[MISSING_SIZE])
{
	const struct analysis *analysis = runner->analysis;

	if (analysis->needs_any && missing_has_any(runner, analysis->needs))
		*text = 0;
	else
		missing_text(runner, analysis->needs, true, text);
	return *text;
}

/**
 * header_check_needs() - check that the trace has the events that the analysis needs
 * @runner: run
 * @err: set if events are missing
 */
int header_check_needs(const struct runner *runner, struct lkst_error *err)
{
	char text[MISSING_SIZE];

	if (!header_lacks_needs(runner, text))
		return 0;
	if (missing_is_unsure(runner, runner->analysis->needs))
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NEEDED_UNSURE, runner->analysis->name,
			       text);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NEEDED, runner->analysis->name, text);
	return -1;
}

/*
 * Return the length of the word at the start of @text, without the blanks after it. A command
 * counts as one word, because a line break would make it harder to copy.
 */
static size_t header_word(const char *text)
{
	const char *end = strncmp(text, "lkstm config ", 13) ? NULL : strstr(text, "entry_log");

	return end ? (size_t)(end - text) + strcspn(end, " ") : strcspn(text, " ");
}

/**
 * header_print_wrapped() - print a line of the header, wrapped at blanks
 * @text: line
 * @width: maximum number of characters in a line, which only a longer word can exceed; 0: unlimited
 * @to: output
 */
void header_print_wrapped(const char *text, unsigned int width, FILE *to)
{
	size_t column = 0;

	while (*text) {
		size_t len = header_word(text);

		if (width && column && column + 1 + len > width) {
			fputs("\n  ", to);
			column = 2;
		} else if (column) {
			putc(' ', to);
			column++;
		}
		fwrite(text, 1, len, to);
		column += len;
		text += len;
		text += strspn(text, " ");
	}
	putc('\n', to);
}

/*
 * If the file contains only a selection of the events of a trace, return how many events the whole
 * trace has lost. Otherwise, return 0. In a file with a selection, gaps in the recids are not
 * losses, so the model does not count losses.
 */
static uint64_t header_lost_in_trace(const struct runner *runner)
{
	size_t len;

	return runner->run.trace && lkst_trace_system(runner->run.trace, "selected", &len) ?
		       lkst_trace_lost(runner->run.trace) :
		       0;
}

/*
 * Return why the records are incomplete; NULL if they are complete. A memory image may also lack
 * records that the model does not count: the model only counts records that are missing between
 * other records.
 */
static const char *header_incomplete(const struct runner *runner)
{
	const struct lkst_trace *trace = runner->run.trace;

	if (!trace)
		return NULL;
	if (lkst_trace_damaged(trace))
		return MSG_INCOMPLETE;
	return lkst_trace_image_lacks(trace) ? MSG_IMAGE_LACKS : NULL;
}

/* Return whether the last records of a CPU may be missing. */
static bool header_lacks_end(const struct runner *runner)
{
	const struct lkst_trace *trace = runner->run.trace;
	struct lkst_trace_ends ends = {};

	if (trace)
		lkst_trace_ends(trace, lkst_trace_boot(trace, runner->source), &ends);
	return ends.lacks;
}

/* Get a number that was saved together with files of kmemtrace. Returns false if it is unknown. */
static bool header_kmemtrace_number(const struct runner *runner, const char *key, uint64_t *number)
{
	size_t len;
	const char *value = lkst_trace_system(runner->run.trace, key, &len);

	if (value)
		*number = strtoull(value, NULL, 10);
	return value;
}

/* Return whether the trace does not show whether events are missing. */
static bool header_hides_losses(const struct runner *runner)
{
	uint64_t bytes;

	return run_is_kmemtrace(&runner->run) &&
	       (!header_kmemtrace_number(runner, KMEMTRACE_SYSTEM_OVERRUNS, &bytes) || bytes);
}

static void header_print_window(const struct runner *runner, FILE *to)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	uint64_t in_trace = header_lost_in_trace(runner);
	char span[WINDOW_TEXT], events[32], lost[32];

	window_text(&runner->window, span);
	fprintf(to, "window %s, %zu CPU%s, %s event%s, ", span, runner->run.cpus,
		header_plural(runner->run.cpus), header_number(counts->events, events),
		header_plural(counts->events));
	if (!counts->lost && header_hides_losses(runner))
		fputs("losses unknown)\n", to);
	else
		fprintf(to, "%s lost%s)\n",
			counts->lost ? header_number(counts->lost, lost) :
			in_trace     ? header_number(in_trace, lost) :
				       "nothing",
			in_trace && !counts->lost ? " in the whole trace" : "");
}

/* Print what the reader of a report must know about files of kmemtrace. */
static void header_print_kmemtrace(const struct runner *runner, unsigned int width, FILE *to)
{
	char text[512], bytes[32];
	uint64_t lost;

	if (!run_is_kmemtrace(&runner->run))
		return;
	header_print_wrapped(MSG_KMEMTRACE, width, to);
	if (!header_kmemtrace_number(runner, KMEMTRACE_SYSTEM_OVERRUNS, &lost) || !lost)
		return;
	snprintf(text, sizeof(text), MSG_KMEMTRACE_OVERRUNS, header_number(lost, bytes));
	header_print_wrapped(text, width, to);
}

static void header_print_losses(const struct runner *runner, FILE *to)
{
	char number[32], begin[48], end[48];
	size_t i;

	for (i = 0; i < runner->losses && i < LOSSES_SHOWN; i++) {
		const struct lost_records *loss = &runner->loss[i];

		window_time_text(&runner->window, loss->begin_ns, begin);
		window_time_text(&runner->window, loss->end_ns, end);
		fprintf(to, "%s CPU %d %s (%s .. %s)", i ? "," : "lost:", loss->cpu,
			header_number(loss->number, number), begin, end);
	}
	if (runner->losses > i)
		fprintf(to, ", and on %zu more CPU%s", runner->losses - i,
			header_plural(runner->losses - i));
	if (runner->losses)
		putc('\n', to);
}

static void header_print_stops(const struct runner *runner, FILE *to)
{
	char begin[48], end[48], length[32];

	if (!runner->stops)
		return;
	window_time_text(&runner->window, runner->off_begin_ns, begin);
	window_time_text(&runner->window, runner->off_end_ns, end);
	window_length_text(runner->off_ns, length, sizeof(length));
	if (runner->stops == 1)
		fprintf(to, "stopped: recording was off for %s (%s .. %s)\n", length, begin, end);
	else
		fprintf(to, "stopped: recording was off %llu times, %s in total (last: %s .. %s)\n",
			(unsigned long long)runner->stops, length, begin, end);
}

static void header_print_unmatched(const struct runner *runner, FILE *to)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	char begins[32], ends[32], reordered[32], nested[32];

	if (counts->begins || counts->ends)
		fprintf(to, "unmatched: %s begin%s without an end, %s end%s without a begin\n",
			header_number(counts->begins, begins), header_plural(counts->begins),
			header_number(counts->ends, ends), header_plural(counts->ends));
	if (counts->reordered)
		fprintf(to, "inconsistent: %s event%s that contradict%s earlier ones\n",
			header_number(counts->reordered, reordered),
			header_plural(counts->reordered), counts->reordered == 1 ? "s" : "");
	/* Round the time up. */
	if (counts->nested)
		fprintf(to, "nested: %s event%s of interrupts while another event was being "
			"recorded, counted up to %.1f us late\n",
			header_number(counts->nested, nested), header_plural(counts->nested),
			(double)((counts->nested_ns + 99) / 100) / 10);
}

/*
 * Print which missing events would have added details. If events that the analysis needs are
 * missing, header_check_needs() reports an error instead.
 */
static void header_print_missing(const struct runner *runner, unsigned int width, FILE *to)
{
	static const char before[] = "less detail: ";
	char text[sizeof(before) + MISSING_SIZE], *missing = text + strlen(before);

	if (header_lacks_needs(runner, missing))
		return;
	missing_text(runner, runner->analysis->helps, false, missing);
	if (!*missing)
		return;
	memcpy(text, before, strlen(before));
	header_print_wrapped(text, width, to);
}

/*
 * If the trace is incomplete, print why. If its last records may be missing, also print which
 * states at its end are unknown.
 */
static void header_print_incomplete(const struct runner *runner, unsigned int width, FILE *to)
{
	const char *why = header_incomplete(runner);

	if (header_lacks_end(runner))
		header_print_wrapped(MSG_INCOMPLETE MSG_LACKS_END, width, to);
	else if (why)
		header_print_wrapped(why, width, to);
}

/**
 * header_print() - print the header as text
 * @runner: run, after the last event
 * @width: width of the terminal in characters; 0: unlimited
 * @to: output
 */
void header_print(const struct runner *runner, unsigned int width, FILE *to)
{
	header_print_window(runner, to);
	header_print_kmemtrace(runner, width, to);
	header_print_losses(runner, to);
	header_print_stops(runner, to);
	header_print_incomplete(runner, width, to);
	header_print_unmatched(runner, to);
	header_print_missing(runner, width, to);
}

static struct json_object *header_losses_json(const struct runner *runner)
{
	struct json_object *list = json_list();

	for (size_t i = 0; i < runner->losses; i++) {
		const struct lost_records *loss = &runner->loss[i];
		struct json_object *entry = json_new();

		json_int(entry, "cpu", loss->cpu);
		json_uint(entry, "lost", loss->number);
		json_int(entry, "begin_ns", loss->begin_ns);
		json_int(entry, "end_ns", loss->end_ns);
		json_add(list, entry);
	}
	return list;
}

static void header_add_missing(struct json_object *list, const struct runner *runner,
			       const char *const *words, bool needed)
{
	for (; words && *words; words++) {
		const struct lkst_etype *type = missing_etype(runner->run.types, *words);
		struct json_object *entry;
		char name[64];

		if (type && missing_has_type(runner, type->number))
			continue;
		entry = json_new();
		missing_name(type, *words, name);
		json_text(entry, "event_name", name);
		json_flag(entry, "present", type && type->present);
		if (runner->mask && type && type->present)
			json_flag(entry, "masked", mask_hides(runner->mask, type->number));
		else
			json_put(entry, "masked", NULL);
		json_flag(entry, "needed", needed);
		json_add(list, entry);
	}
}

/* Make an object about files of kmemtrace. Numbers that were not saved with them are null. */
static struct json_object *header_kmemtrace_json(const struct runner *runner)
{
	static const struct {
		const char *name;
		const char *key;
	} numbers[] = {
		{ "abi_version", KMEMTRACE_SYSTEM_ABI },
		{ "total_overruns", KMEMTRACE_SYSTEM_OVERRUNS },
	};
	struct json_object *object = json_new();
	uint64_t number;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (header_kmemtrace_number(runner, numbers[i].key, &number))
			json_uint(object, numbers[i].name, number);
		else
			json_put(object, numbers[i].name, NULL);
	return object;
}

/**
 * header_json() - make the header as a JSON object
 * @runner: run, after the last event
 */
struct json_object *header_json(const struct runner *runner)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	struct json_object *header = json_new(), *missing = json_list();
	bool incomplete = header_incomplete(runner);

	json_int(header, "begin_ns", runner->window.begin_ns);
	json_int(header, "end_ns", runner->window.end_ns);
	json_uint(header, "cpus", runner->run.cpus);
	json_uint(header, "events", counts->events);
	json_uint(header, "lost", counts->lost);
	if (header_lost_in_trace(runner))
		json_uint(header, "lost_in_trace", header_lost_in_trace(runner));
	json_put(header, "losses", header_losses_json(runner));
	if (run_is_kmemtrace(&runner->run))
		json_put(header, "kmemtrace", header_kmemtrace_json(runner));
	json_uint(header, "stops", runner->stops);
	json_uint(header, "stopped_ns", runner->off_ns);
	if (incomplete)
		json_flag(header, "incomplete", true);
	if (header_lacks_end(runner))
		json_flag(header, "lacks_end", true);
	else if (incomplete && lkst_trace_image_lacks(runner->run.trace))
		json_put(header, "lacks_end", NULL);
	else if (incomplete)
		json_flag(header, "lacks_end", false);
	json_uint(header, "begins_without_end", counts->begins);
	json_uint(header, "ends_without_begin", counts->ends);
	json_uint(header, "inconsistent", counts->reordered);
	json_uint(header, "nested", counts->nested);
	json_int(header, "nested_ns", counts->nested_ns);
	if (!runner->analysis->needs_any || !missing_has_any(runner, runner->analysis->needs))
		header_add_missing(missing, runner, runner->analysis->needs, true);
	header_add_missing(missing, runner, runner->analysis->helps, false);
	json_put(header, "missing_events", missing);
	return header;
}
