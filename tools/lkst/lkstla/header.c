// SPDX-License-Identifier: GPL-2.0
/*
 * The header of a report: the window, and what limits the result. These are lost records, begins
 * without ends and the reverse, and events that the trace does not contain.
 */
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "lib/trace/trace.h"
#include "mask.h"
#include "messages.h"
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

static const struct lkst_etype *header_etype(const struct lkst_etypes *types, const char *word)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		if (type && (!strcmp(type->mnemonic, word) || !strcmp(type->name, word)))
			return type;
	}
	return NULL;
}

#define NAMES_SIZE   512 /* of a list of event names, in bytes; a longer list is cut */
#define MISSING_SIZE (5 * NAMES_SIZE)

/**
 * struct missing_events - events that the trace does not contain, as lists of their names
 * @masked: those that are not recorded
 * @unknown: those of which it is not known whether they were masked or did not happen
 * @quiet: those that are recorded, but did not happen
 * @absent: those that the kernel cannot record
 */
struct missing_events {
	char masked[NAMES_SIZE];
	char unknown[NAMES_SIZE];
	char quiet[NAMES_SIZE];
	char absent[NAMES_SIZE];
};

static void header_add_name(char text[NAMES_SIZE], const char *name)
{
	size_t len = strlen(text);

	snprintf(text + len, NAMES_SIZE - len, "%s%s", len ? "," : "", name);
}

/*
 * Collect the event types that have no record in the whole trace. A type that has records, but none
 * in the window, was recorded.
 */
static void header_find_missing(const struct runner *runner, const char *const *words,
				struct missing_events *missing)
{
	*missing = (struct missing_events){ 0 };
	for (; words && *words; words++) {
		const struct lkst_etype *type = header_etype(runner->run.types, *words);

		if (!type)
			header_add_name(missing->absent, *words);
		else if (lkst_trace_has_type(runner->run.trace, type->number))
			continue;
		else if (!type->present)
			header_add_name(missing->absent, type->name);
		else if (!runner->mask)
			header_add_name(missing->unknown, type->name);
		else if (mask_hides(runner->mask, type->number))
			header_add_name(missing->masked, type->name);
		else
			header_add_name(missing->quiet, type->name);
	}
}

static void header_add_part(char text[MISSING_SIZE], const char *format, const char *names)
{
	size_t len = strlen(text);

	if (*names && len && len + 2 < MISSING_SIZE)
		strcpy(text + len, "; ");
	len = strlen(text);
	if (*names)
		snprintf(text + len, MISSING_SIZE - len, format, names, names);
}

/* Say what is missing and how to record it. @text is empty if nothing is missing. */
static void header_missing_text(const struct missing_events *missing, char text[MISSING_SIZE])
{
	*text = 0;
	header_add_part(text, "%s not recorded: lkstm config %s entry_log", missing->masked);
	header_add_part(text, "no %s in the trace; if masked: lkstm config %s entry_log",
			missing->unknown);
	header_add_part(text, "that kernel cannot record %s", missing->absent);
}

/* Return whether the trace has at least one of these event types. */
static bool header_has_any(const struct runner *runner, const char *const *words)
{
	for (; *words; words++) {
		const struct lkst_etype *type = header_etype(runner->run.types, *words);

		if (type && lkst_trace_has_type(runner->run.trace, type->number))
			return true;
	}
	return false;
}

/**
 * header_check_needs() - check that the trace has the events that the analysis needs
 * @runner: run
 * @err: set if events are missing
 */
int header_check_needs(const struct runner *runner, struct lkst_error *err)
{
	const struct analysis *analysis = runner->analysis;
	struct missing_events missing;
	char text[MISSING_SIZE];

	if (analysis->needs_any && header_has_any(runner, analysis->needs))
		return 0;
	header_find_missing(runner, analysis->needs, &missing);
	header_missing_text(&missing, text);
	header_add_part(text, "no %s happened", missing.quiet);
	if (!*text)
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NEEDED, analysis->name, text);
	return -1;
}

static void header_print_window(const struct runner *runner, FILE *to)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	char span[WINDOW_TEXT], events[32], lost[32];

	window_text(&runner->window, span);
	fprintf(to, "window %s, %zu CPU%s, %s event%s, %s lost)\n", span, runner->run.cpus,
		header_plural(runner->run.cpus), header_number(counts->events, events),
		header_plural(counts->events),
		counts->lost ? header_number(counts->lost, lost) : "nothing");
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

static void header_print_unmatched(const struct runner *runner, FILE *to)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	char begins[32], ends[32], reordered[32];

	if (counts->begins || counts->ends)
		fprintf(to, "unmatched: %s begin%s without an end, %s end%s without a begin\n",
			header_number(counts->begins, begins), header_plural(counts->begins),
			header_number(counts->ends, ends), header_plural(counts->ends));
	if (counts->reordered)
		fprintf(to, "inconsistent: %s event%s that contradict%s earlier ones\n",
			header_number(counts->reordered, reordered),
			header_plural(counts->reordered), counts->reordered == 1 ? "s" : "");
}

/**
 * header_print() - print the header as text
 * @runner: run, after the last event
 * @to: output
 */
void header_print(const struct runner *runner, FILE *to)
{
	struct missing_events missing;
	char text[MISSING_SIZE];

	header_print_window(runner, to);
	header_print_losses(runner, to);
	header_print_unmatched(runner, to);
	header_find_missing(runner, runner->analysis->helps, &missing);
	header_missing_text(&missing, text);
	if (*text)
		fprintf(to, "less detail: %s\n", text);
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
		const struct lkst_etype *type = header_etype(runner->run.types, *words);
		struct json_object *entry;

		if (type && lkst_trace_has_type(runner->run.trace, type->number))
			continue;
		entry = json_new();
		json_text(entry, "event_name", type ? type->name : *words);
		json_flag(entry, "present", type && type->present);
		if (runner->mask && type && type->present)
			json_flag(entry, "masked", mask_hides(runner->mask, type->number));
		else
			json_put(entry, "masked", NULL);
		json_flag(entry, "needed", needed);
		json_add(list, entry);
	}
}

/**
 * header_json() - make the header as a JSON object
 * @runner: run, after the last event
 */
struct json_object *header_json(const struct runner *runner)
{
	const struct lkst_model_counts *counts = lkst_model_counts(runner->run.model);
	struct json_object *header = json_new(), *missing = json_list();

	json_int(header, "begin_ns", runner->window.begin_ns);
	json_int(header, "end_ns", runner->window.end_ns);
	json_uint(header, "cpus", runner->run.cpus);
	json_uint(header, "events", counts->events);
	json_uint(header, "lost", counts->lost);
	json_put(header, "losses", header_losses_json(runner));
	json_uint(header, "begins_without_end", counts->begins);
	json_uint(header, "ends_without_begin", counts->ends);
	json_uint(header, "inconsistent", counts->reordered);
	if (!runner->analysis->needs_any || !header_has_any(runner, runner->analysis->needs))
		header_add_missing(missing, runner, runner->analysis->needs, true);
	header_add_missing(missing, runner, runner->analysis->helps, false);
	json_put(header, "missing_events", missing);
	return header;
}
