// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "command.h"
#include "lib/messages.h"
#include "print.h"

static const char help[] =
	"Usage: lkstbuf print [-f FILE] [-c CPU] [-e EVENTS] [-n NUMBER] [-r] [-V]\n"
	"                     [-C [-S]] [-E FILE] [--summary]\n\n"
	"Print a trace, newest event first.\n\n"
	"  -f FILE     trace file, \"-\" for standard input; default: the kernel's buffers\n"
	"  -c CPU      events of this CPU only\n"
	"  -e EVENTS   words, separated by commas: names and numbers of events, 'int_*',\n"
	"              class:memory, 0x010-0x01f, all; \"!\" before one leaves its events\n"
	"              out; the last word for an event counts\n"
	"  -n NUMBER   so many events\n"
	"  -r          oldest event first\n"
	"  -V          all arguments, also those that have no description\n"
	"  -C          CSV; with -S seconds and microseconds in place of the date\n"
	"  -E FILE     event types from FILE, in the format of /proc/lkst_etypes\n"
	"  --summary   numbers in place of events: time, rate, classes, CPUs, losses\n"
	"  -h          this help, and the names of all classes and events\n";

enum {
	OPTION_SUMMARY = OPTION_LONG
};

#define WORDS_MAX 64

struct arguments {
	struct print_options print;
	const char *file;
	const char *etypes;
	const char *words[WORDS_MAX];
	size_t words_num;
	bool summary;
	bool names;
};

/* Returns OPTION_END, or OPTION_STOP with option_status. */
static int parse(int argc, char **argv, struct arguments *args)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ "summary", no_argument, NULL, OPTION_SUMMARY },
		{ NULL, 0, NULL, 0 },
	};
	struct lkst_error err;
	long number;
	int c;

	while ((c = option_next(argc, argv, ":f:c:e:hn:rCSVE:", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return c;
		case 'f':
			args->file = optarg;
			break;
		case 'c':
			if (lkst_parse_range("CPU", optarg, 0, INT32_MAX, &number, &err))
				goto bad;
			args->print.cpu = (int32_t)number;
			break;
		case 'e':
			if (args->words_num == WORDS_MAX) {
				option_status = usage("-e may be given %d times", WORDS_MAX);
				return OPTION_STOP;
			}
			args->words[args->words_num++] = optarg;
			break;
		case 'n':
			if (lkst_parse_range("number of events", optarg, 1, LONG_MAX, &number,
					     &err))
				goto bad;
			args->print.max = (uint64_t)number;
			break;
		case 'r':
			args->print.order = LKST_OLDEST_FIRST;
			break;
		case 'C':
			args->print.csv = true;
			break;
		case 'S':
			args->print.format.epoch = true;
			break;
		case 'V':
			args->print.format.verbose = true;
			break;
		case 'E':
			args->etypes = optarg;
			break;
		case 'h':
			args->names = true;
			break;
		case OPTION_SUMMARY:
			args->summary = true;
			break;
		}
	}
	if (args->print.format.epoch && !args->print.csv) {
		option_status = usage("-S is for CSV: it goes with -C");
		return OPTION_STOP;
	}
	if (args->summary && (args->print.max || args->print.order != LKST_NEWEST_FIRST ||
			      args->print.format.verbose || args->print.csv)) {
		option_status = usage("--summary prints no events: "
				      "-n, -r, -V, -C and -S do not go with it");
		return OPTION_STOP;
	}
	return OPTION_END;

bad:
	option_status = usage("%s", err.text);
	return OPTION_STOP;
}

/* Of a trace file: the kernel's CPUs were checked when they were read. */
static int check_cpu(const struct lkst_trace *trace, const char *file, int32_t cpu,
		     struct lkst_error *err)
{
	char cpus[256];

	if (!file || cpu < 0 || lkst_trace_has_cpu(trace, cpu))
		return 0;
	lkst_trace_cpu_text(trace, cpus, sizeof(cpus));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU_IN,
		       strcmp(file, "-") ? file : "standard input", (long)cpu, cpus);
	return -1;
}

static bool trace_has_any(const struct lkst_trace *trace, const struct lkst_numbers *numbers)
{
	for (unsigned int i = 0; i < numbers->num; i++)
		if (lkst_trace_has_type(trace, numbers->first + i))
			return true;
	return false;
}

/* A number that nothing has is a mistake; a module's event may have no name any more. */
static int check_numbers(const struct lkst_trace *trace, const struct lkst_filter *filter,
			 struct lkst_error *err)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_numbers *numbers = &filter->unknown[i];
		unsigned int last = numbers->first + numbers->num - 1u;

		if (!numbers->num || trace_has_any(trace, numbers))
			continue;
		if (numbers->num == 1)
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT_TYPE, i);
		else
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENT_TYPES, numbers->first,
				       last);
		return -1;
	}
	return 0;
}

static int print_with(struct lkst_trace *trace, const struct arguments *args,
		      struct lkst_error *err)
{
	struct lkst_etypes *types;
	struct lkst_filter *filter = malloc(sizeof(*filter));
	int ret = -1;

	types = args->etypes ? lkst_etypes_load(args->etypes, err) : lkst_trace_etypes(trace, err);
	if (!types || !filter) {
		if (!filter)
			lkst_error_memory(err, "the event filter");
		goto out;
	}
	lkst_filter_init(filter);
	for (size_t i = 0; i < args->words_num; i++)
		if (lkst_filter_add(filter, types, args->words[i], err))
			goto out;
	if (check_numbers(trace, filter, err) || check_cpu(trace, args->file, args->print.cpu, err))
		goto out;
	progress_clear();
	if (args->summary)
		ret = lkst_summary(trace, types, args->print.cpu, filter, stdout, err);
	else
		ret = print_trace(trace, types, filter, &args->print, err);
out:
	lkst_etypes_free(types);
	free(filter);
	return ret;
}

static struct lkst_etypes *etypes_for_help(const struct arguments *args, struct lkst_error *err)
{
	struct lkst_etypes *types;
	struct lkst_trace *trace;

	if (args->etypes)
		return lkst_etypes_load(args->etypes, err);
	if (!args->file)
		return lkst_etypes_system(err);
	trace = lkst_trace_open(args->file, &print_hooks, err);
	types = trace ? lkst_trace_etypes(trace, err) : NULL;
	lkst_trace_close(trace);
	return types;
}

static int print_names(const struct arguments *args)
{
	struct lkst_error err;
	struct lkst_etypes *types = etypes_for_help(args, &err);

	if (!types)
		return fail(&err);
	fputs(help, stdout);
	puts("\nClasses:");
	for (size_t i = 0; i < lkst_classes_num; i++)
		printf("  class:%-12s 0x%03x-0x%03x  %s\n", lkst_classes[i].name,
		       lkst_classes[i].first, lkst_classes[i].last, lkst_classes[i].title);
	puts("\nEvents:");
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (types->type[i])
			printf("  0x%03x  %s%s\n", i, types->type[i]->name,
			       types->type[i]->present ? "" : "  (absent in that kernel)");
	lkst_etypes_free(types);
	return EXIT_SUCCESS;
}

int buffer_print(int argc, char **argv)
{
	struct arguments args = {
		.print = { .cpu = -1, .order = LKST_NEWEST_FIRST },
	};
	struct lkst_capture what = {
		.id = -1,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = -1, ret, status;

	if (parse(argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (args.names)
		return print_names(&args);
	args.print.format.color = !args.print.csv && color_wanted();
	what.cpu = args.print.cpu;
	what.etypes_path = args.etypes;
	trace = args.file ? lkst_trace_open(args.file, &print_hooks, &err) :
			    print_capture(&what, &fd, &err);
	if (!trace)
		return fail(&err);
	ret = print_with(trace, &args, &err);
	/* A script must not take a part for the whole. */
	status = lkst_trace_incomplete(trace) ? EXIT_FAILURE : EXIT_SUCCESS;
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
	return ret ? fail(&err) : status;
}
