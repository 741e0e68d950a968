// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the sentences and the commands of the findings from the templates in the table of rules.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/timestamp.h"
#include "lkstla/tally.h"
#include "report.h"

/* If a trace is longer than this, a time of day may be ambiguous. */
#define DAY_MAX_NS (12LL * 3600 * 1000000000)

static bool report_put_text(const char *text, FILE *to)
{
	char printable[4 * REPORT_NAME_SIZE];

	fputs(lkst_printable(text, strlen(text), printable, sizeof(printable)), to);
	return *text;
}

static bool report_put_thread(const struct report *report, const struct lkst_thread *thread,
			      FILE *to)
{
	char name[40];

	report_put_text(thread ? run_thread_name(report->run, thread, name) : "a thread", to);
	return thread;
}

/*
 * Write a thread as an operand of lkstla: its name and ID, or only its ID if the name has
 * characters that a shell would interpret.
 */
static bool report_put_operand(const struct report *report, const struct lkst_thread *thread,
			       FILE *to)
{
	const char *p;
	char name[40];

	if (!thread)
		return false;
	p = run_thread_name(report->run, thread, name);
	while (isalnum((unsigned char)*p) || (p != name && strchr("-_./:+@", *p) && *p))
		p++;
	if (*p)
		fprintf(to, "%u", thread->tid);
	else
		fputs(name, to);
	return true;
}

/* Write a time in a form that options accept. */
static bool report_put_time(const struct report *report, int64_t time_ns, FILE *to)
{
	char text[LKST_TIMESTAMP_SIZE];

	if (!time_ns)
		return false;
	if (tally_length(report->run->oldest_ns, report->run->newest_ns) < DAY_MAX_NS)
		fputs(lkst_timestamp_text(time_ns, text), to);
	else
		fprintf(to, "@%lld.%06lld", (long long)(time_ns / 1000000000),
			(long long)(time_ns % 1000000000 / 1000));
	return true;
}

static bool report_put_cpu(int32_t cpu, FILE *to)
{
	fprintf(to, "%d", cpu);
	return cpu >= 0;
}

/*
 * Write a value of a case. The letters are
 *	t	thread			T	the same, as an operand
 *	N	number of the thread	s	how often it happened
 *	o	other thread		c	CPU
 *	i	other idle CPU		j	how long it was idle
 *	n	name			d	detail
 *	v	value			b	begin
 *	a	end			e	end, rounded up
 *	u	threshold, as an argument of --over
 * Returns whether the value is known.
 */
static bool report_put(const struct report *report, enum report_rule_id id, char letter, FILE *to)
{
	const struct report_finding *finding = &report->finding[id];
	const struct report_case *worst = &finding->worst;
	char text[32];

	switch (letter) {
	case 't':
		return report_put_thread(report, worst->thread, to);
	case 'T':
		return report_put_operand(report, worst->thread, to);
	case 'N':
		fprintf(to, "%u", worst->thread ? worst->thread->tid : 0);
		return worst->thread;
	case 's':
		fprintf(to, "%lld",
			(long long)(report_rules[id].unit == UNIT_COUNT ? finding->total :
									  worst->number));
		return true;
	case 'o':
		return report_put_thread(report, worst->other, to);
	case 'c':
		return report_put_cpu(worst->cpu, to);
	case 'i':
		return report_put_cpu(worst->idle_cpu, to);
	case 'j':
		fputs(report_value(UNIT_TIME, worst->idle_ns, text), to);
		return true;
	case 'n':
		return report_put_text(worst->name, to);
	case 'd':
		return report_put_text(worst->detail, to);
	case 'v':
		fputs(report_value(report_rules[id].unit, worst->value, text), to);
		return true;
	case 'b':
		return report_put_time(report, worst->begin_ns, to);
	case 'a':
		return report_put_time(report, worst->at_ns, to);
	case 'e':
		return report_put_time(report, worst->at_ns ? worst->at_ns + 1000 : 0, to);
	case 'u':
		fprintf(to, "%lldus", (long long)(finding->threshold / 1000));
		return true;
	default:
		putc(letter, to);
		return true;
	}
}

/* Write a template up to @end. Returns whether all values in it are known. */
static bool report_put_form(const struct report *report, enum report_rule_id id, const char *form,
			    const char *end, FILE *to)
{
	bool known = true;

	for (; form < end; form++) {
		if (*form == '%' && form + 1 < end)
			known &= report_put(report, id, *++form, to);
		else
			putc(*form, to);
	}
	return known;
}

/*
 * Write a part of a template that is in brackets, unless a value in it is unknown. Returns false if
 * an allocation failed.
 */
static bool report_put_part(const struct report *report, enum report_rule_id id, const char *form,
			    const char *end, FILE *to)
{
	char *text = NULL;
	size_t len;
	FILE *part = open_memstream(&text, &len);
	bool known;

	if (!part)
		return false;
	known = report_put_form(report, id, form, end, part);
	if (!fclose(part) && known)
		fputs(text, to);
	free(text);
	return text;
}

static bool report_put_all(const struct report *report, enum report_rule_id id, const char *form,
			   FILE *to)
{
	while (*form) {
		size_t len = strcspn(form, "[]");
		bool part = form[len] == ']';

		if (!part)
			report_put_form(report, id, form, form + len, to);
		else if (!report_put_part(report, id, form, form + len, to))
			return false;
		form += len + (form[len] != 0);
	}
	return true;
}

/* Close a stream. Returns 0; -1 if a write failed, or if @written is false. */
static int report_close(FILE *to, bool written, struct lkst_error *err)
{
	bool failed = ferror(to);

	if (!fclose(to) && !failed && written)
		return 0;
	lkst_error_memory(err, "the report");
	return -1;
}

/**
 * report_expand() - write a sentence about the worst occurrence of a rule
 * @report: report
 * @id: rule
 * @form: template of the sentence. "%" and a letter is replaced with a value, see report_put(). A
 *	part in brackets is left out if one of its values is unknown
 * @text: result, to be freed
 * @err: set if an allocation fails
 */
int report_expand(const struct report *report, enum report_rule_id id, const char *form,
		  char **text, struct lkst_error *err)
{
	size_t len;
	FILE *to;

	*text = NULL;
	to = open_memstream(text, &len);
	if (to)
		return report_close(to, report_put_all(report, id, form, to), err);
	lkst_error_memory(err, "the report");
	return -1;
}

/**
 * report_more() - write the command that shows more about the worst occurrence of a rule
 * @report: report
 * @id: rule
 * @text: result, to be freed
 * @err: set if an allocation fails
 */
int report_more(const struct report *report, enum report_rule_id id, char **text,
		struct lkst_error *err)
{
	const char *form = report_rules[id].more;
	bool written;
	size_t len;
	FILE *to;

	*text = NULL;
	to = open_memstream(text, &len);
	if (!to) {
		lkst_error_memory(err, "the report");
		return -1;
	}
	fputs(strncmp(form, "print ", 6) ? "lkstla " : "lkstbuf ", to);
	written = report_put_all(report, id, form, to);
	run_put_input(report->run, to);
	return report_close(to, written, err);
}
