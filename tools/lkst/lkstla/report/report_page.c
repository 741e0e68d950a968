// SPDX-License-Identifier: GPL-2.0
/* Prints the page of lkstla report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "lkstla/cpu.h"
#include "lkstla/modes.h"
#include "lkstla/wrap.h"
#include "report.h"

#define PAGE_CPUS    8
#define PAGE_THREADS 5
#define PAGE_INDENT  4
#define PAGE_WORDS   64

struct page {
	struct report *report;
	unsigned int width;
	FILE *to;
};

/* ---- findings ---- */

/*
 * Print how often a finding occurred, the time of the worst occurrence, and the name of the
 * finding.
 */
static void page_print_times(const struct page *page, enum report_rule_id id)
{
	const struct report_finding *finding = &page->report->finding[id];
	const struct report_rule *rule = &report_rules[id];
	char time[LKST_TIMESTAMP_SIZE], total[32];

	fprintf(page->to, "%*s", PAGE_INDENT, "");
	if (finding->worst.at_ns)
		fprintf(page->to, "%s%s, ", finding->count > 1 ? "worst at " : "at ",
			lkst_timestamp_text(finding->worst.at_ns, time));
	if (finding->count > 1)
		fprintf(page->to, "%llu times", (unsigned long long)finding->count);
	if (finding->count > 1 && rule->unit == UNIT_TIME)
		fprintf(page->to, ", in total %s", report_value(UNIT_TIME, finding->total, total));
	fprintf(page->to, "%s%s\n", finding->count > 1 ? ", " : "", rule->name);
}

static int page_print_finding(const struct page *page, size_t i, struct lkst_error *err)
{
	enum report_rule_id id = page->report->order[i];
	char *text, *more = NULL;
	int ret = -1;

	if (!report_expand(page->report, id, report_rules[id].text, &text, err) &&
	    !report_more(page->report, id, &more, err)) {
		fprintf(page->to, "%2zu  ", i + 1);
		wrap_text(text, PAGE_INDENT, page->width, page->to);
		putc('\n', page->to);
		page_print_times(page, id);
		fprintf(page->to, "%*s%s\n", PAGE_INDENT, "", more);
		ret = 0;
	}
	free(text);
	free(more);
	return ret;
}

/**
 * report_none_text() - format the message that nothing was found, with the rules and their
 * thresholds
 * @report: report without findings
 * @text: result
 * @size: size of @text: REPORT_NONE_SIZE
 */
void report_none_text(const struct report *report, char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, "No findings.");
	const char *separator = " Nothing reached a threshold: ";
	char value[32];

	for (int i = 0; i < REPORT_RULES; i++) {
		const struct report_rule *rule = &report_rules[i];

		if (report_is_off(report, (enum report_rule_id)i))
			continue;
		report_value(rule->unit, report->finding[i].threshold, value);
		len += (size_t)snprintf(text + len, size - len, "%s%s %s", separator, rule->name,
					value);
		separator = ", ";
	}
}

static void page_print_none(const struct page *page)
{
	char text[REPORT_NONE_SIZE];

	report_none_text(page->report, text, sizeof(text));
	fprintf(page->to, "%*s", PAGE_INDENT, "");
	wrap_text(text, PAGE_INDENT, page->width, page->to);
	putc('\n', page->to);
}

static int page_print_findings(const struct page *page, struct lkst_error *err)
{
	fputs("FINDINGS\n", page->to);
	if (!page->report->findings)
		page_print_none(page);
	for (size_t i = 0; i < page->report->findings; i++)
		if (page_print_finding(page, i, err))
			return -1;
	return 0;
}

/* ---- what was not looked for ---- */

/*
 * Add the events that a rule needs to a list without duplicates. Returns the new length of the
 * list.
 */
static size_t page_add_words(const struct report_rule *rule, const char **words, size_t num)
{
	for (const char *const *word = rule->needs; *word; word++) {
		size_t i = 0;

		while (i < num && strcmp(words[i], *word) != 0)
			i++;
		if (i == num && num < PAGE_WORDS)
			words[num++] = *word;
	}
	return num;
}

static void page_print_missing(const struct page *page)
{
	const char *words[PAGE_WORDS + 1];
	char names[32 * REPORT_RULES] = "not looked for:", missing[4096], *text = NULL;
	size_t num = 0, len = strlen(names), size;
	FILE *line;

	for (int i = 0; i < REPORT_RULES; i++) {
		if (!report_lacks(page->report->run, &report_rules[i]))
			continue;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s %s", num ? "," : "",
					report_rules[i].name);
		num = page_add_words(&report_rules[i], words, num);
	}
	if (!num)
		return;
	words[num] = NULL;
	report_missing_text(page->report->run, words, missing, sizeof(missing));
	line = open_memstream(&text, &size);
	if (!line)
		return;
	fprintf(line, "%s: %s", names, missing);
	if (!fclose(line)) {
		fprintf(page->to, "%*s", PAGE_INDENT, "");
		wrap_text(text, PAGE_INDENT, page->width, page->to);
		putc('\n', page->to);
	}
	free(text);
}

/* ---- CPUs ---- */

static void page_print_cpu(const struct page *page, const char *name, const struct cpu_figures *cpu)
{
	fprintf(page->to, "%*s%-8s", PAGE_INDENT, "", name);
	modes_print(cpu->mode_ns, "  ", "  ", page->to);
}

static void page_print_cpus(const struct page *page)
{
	void *part = page->report->part[PART_CPU];
	struct cpu_figures cpu, total = { 0 };
	int32_t cpus = 0;
	char name[16];

	fputs("\nWHERE THE CPUS WERE\n", page->to);
	for (int32_t i = 0; i < page->report->cpus; i++) {
		if (!cpu_get(part, i, &cpu))
			continue;
		cpus++;
		for (int mode = 0; mode < LKST_MODE_NUM; mode++)
			total.mode_ns[mode] += cpu.mode_ns[mode];
	}
	if (cpus != 1)
		page_print_cpu(page, "all", &total);
	for (int32_t i = 0; i < page->report->cpus && cpus <= PAGE_CPUS; i++) {
		snprintf(name, sizeof(name), "CPU %d", i);
		if (cpu_get(part, i, &cpu))
			page_print_cpu(page, name, &cpu);
	}
}

/* ---- the page ---- */

static struct table *page_table(const struct tables *tables, const char *name)
{
	for (size_t i = 0; i < tables->num; i++)
		if (!strcmp(table_name(tables->table[i]), name))
			return tables->table[i];
	return NULL;
}

static int page_print_tables(const struct page *page, const struct tables *tables,
			     struct lkst_error *err)
{
	struct table *threads = page_table(tables, "sched");
	struct table *worst = page_table(tables, "worst");
	bool color = color_enabled();

	if (table_sort(threads, "run-ms", err))
		return -1;
	table_limit(threads, PAGE_THREADS);
	if (table_rows(threads)) {
		fputs("\nTOP THREADS\n", page->to);
		table_print_text(threads, page->width, color, page->to);
	}
	if (table_rows(worst)) {
		fputs("\nWORST OF EACH KIND\n", page->to);
		table_print_text(worst, page->width, color, page->to);
	}
	return 0;
}

/**
 * report_print_page() - print everything as text
 * @report: report
 * @to: tables of the report, to which the text is added
 * @err: set if an allocation fails
 */
int report_print_page(struct report *report, struct tables *to, struct lkst_error *err)
{
	struct page page = { .report = report, .width = terminal_width() };
	bool failed;
	size_t len;
	int ret;

	page.to = open_memstream(&to->text, &len);
	if (!page.to) {
		lkst_error_memory(err, "the report");
		return -1;
	}
	ret = report_death.text(report->death, page.width, page.to, err);
	history_text(report->past, page.to);
	if (!ret)
		ret = page_print_findings(&page, err);
	if (!ret) {
		page_print_missing(&page);
		page_print_cpus(&page);
		ret = page_print_tables(&page, to, err);
	}
	failed = ferror(page.to);
	if (!fclose(page.to) && !failed)
		return ret;
	lkst_error_memory(err, "the report");
	return -1;
}
