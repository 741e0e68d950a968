// SPDX-License-Identifier: GPL-2.0
/*
 * lkstbuf link, shift, jump, delete: change the buffers of one CPU or of all CPUs. If a change
 * fails on one CPU, it is still made on the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/options.h"
#include "lib/base/cpuset.h"
#include "lib/base/error.h"
#include "lib/device/messages.h"

#define VOID LKST_BUFFER_ID_VOID

struct change_arguments {
	int64_t cpu;
	int64_t id;
	int64_t next;
};

/**
 * struct change - a subcommand that changes the buffers of a CPU
 * @syntax: syntax of its command line
 * @needs_id: error message if -b is missing; NULL: -b is optional
 * @all_online: without -c, the change applies to all online CPUs. In either case, it also applies
 *	to each CPU that has the buffer given with -b or, without -b, whose current buffer has a
 *	next buffer
 * @act: makes the change on a CPU
 * @report: describes the outcome as text; its argument @list is read after the change
 */
struct change {
	const struct syntax *syntax;
	const char *needs_id;
	bool all_online;
	int (*act)(struct lkst_device *dev, int32_t cpu, const struct change_arguments *args,
		   struct lkst_error *err);
	void (*report)(const struct change_arguments *args, const struct lkst_buffer_list *list,
		       char *text, size_t size);
};

/* ---- CPUs with the same outcome share a line ---- */

#define OUTCOME_MAX 96

struct outcome {
	char text[OUTCOME_MAX];
	uint64_t *cpus; /* bitmap of the CPUs with this outcome */
	struct outcome *next;
};

struct outcomes {
	struct outcome *first;
	uint32_t cpus; /* size of each bitmap, in bits */
};

static int change_outcome_add(struct outcomes *outcomes, int32_t cpu, const char *text,
			      struct lkst_error *err)
{
	struct outcome **p = &outcomes->first;

	while (*p && strcmp((*p)->text, text))
		p = &(*p)->next;
	if (!*p) {
		struct outcome *outcome = calloc(1, sizeof(*outcome));

		if (outcome)
			outcome->cpus = calloc(outcomes->cpus / 64 + 1, sizeof(uint64_t));
		if (!outcome || !outcome->cpus) {
			free(outcome);
			lkst_error_memory(err, "the list of CPUs");
			return -1;
		}
		snprintf(outcome->text, sizeof(outcome->text), "%s", text);
		*p = outcome;
	}
	(*p)->cpus[cpu / 64] |= 1ull << cpu % 64;
	return 0;
}

static void change_outcomes_print(struct outcomes *outcomes)
{
	struct outcome *outcome;

	while ((outcome = outcomes->first) != NULL) {
		char where[256];

		lkst_cpu_set_text(outcome->cpus, outcomes->cpus, where, sizeof(where));
		printf("%s: %s\n", where, outcome->text);
		outcomes->first = outcome->next;
		free(outcome->cpus);
		free(outcome);
	}
}

/* ---- applying the change CPU by CPU ---- */

struct link_run {
	const struct change *change;
	const struct change_arguments *args;
	struct lkst_device *dev;
	struct lkst_status status;
	struct outcomes outcomes;
	uint32_t done; /* number of CPUs changed */
	uint32_t failed; /* number of CPUs on which the change failed */
};

static const struct lkst_buffer_listent *buffer_change_find(const struct lkst_buffer_list *list,
							    lkst_buffer_id id)
{
	for (int32_t i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

/*
 * Return whether a change without -c applies to a CPU. If @all_online is set, the change applies to
 * each online CPU. It also applies to each CPU that has the buffer given with -b or, without -b, to
 * each CPU whose current buffer has a next buffer.
 */
static bool change_is_applicable(const struct link_run *run, uint32_t cpu,
				 const struct lkst_buffer_list *list)
{
	const struct lkst_buffer_listent *now = buffer_change_find(list, list->param.write_buf);

	if (run->change->all_online && lkst_status_online(&run->status, cpu))
		return true;
	if (run->args->id >= 0)
		return buffer_change_find(list, (lkst_buffer_id)run->args->id);
	return now && buffer_change_find(list, now->next);
}

static int change_do_on(struct link_run *run, int32_t cpu, struct lkst_error *err)
{
	const struct change *change = run->change;
	struct lkst_buffer_list list;
	char text[OUTCOME_MAX];
	int ret;

	if (change->act(run->dev, cpu, run->args, err) ||
	    lkst_buffer_list_get(run->dev, cpu, &list, err))
		return -1;
	change->report(run->args, &list, text, sizeof(text));
	lkst_buffer_list_free(&list);
	ret = change_outcome_add(&run->outcomes, cpu, text, err);
	run->done += !ret;
	return ret;
}

static int change_if_applicable(struct link_run *run, uint32_t cpu, struct lkst_error *err)
{
	struct lkst_buffer_list list;
	bool applicable;

	if (lkst_buffer_list_get(run->dev, (int32_t)cpu, &list, err))
		return -1;
	applicable = change_is_applicable(run, cpu, &list);
	lkst_buffer_list_free(&list);
	return applicable ? change_do_on(run, (int32_t)cpu, err) : 0;
}

/* Return whether any CPU has the buffer given with -b; true if -b is not given. */
static bool change_any_cpu_has_buffer(const struct link_run *run)
{
	bool found = run->args->id < 0;

	for (uint32_t cpu = 0; !found && cpu < run->status.trc.cpu_num; cpu++) {
		struct lkst_buffer_list list;

		if (lkst_buffer_list_get(run->dev, (int32_t)cpu, &list, NULL))
			continue;
		found = buffer_change_find(&list, (lkst_buffer_id)run->args->id);
		lkst_buffer_list_free(&list);
	}
	return found;
}

static int change_do_on_all(struct link_run *run, struct lkst_error *err)
{
	struct lkst_error why;

	if (!change_any_cpu_has_buffer(run)) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BUFFER, (long)run->args->id,
			       "any CPU");
		return -1;
	}
	for (uint32_t cpu = 0; cpu < run->status.trc.cpu_num; cpu++) {
		if (!change_if_applicable(run, cpu, &why))
			continue;
		fail(&why);
		run->failed++;
	}
	return 0;
}

static int change(const struct change *change, int argc, char **argv)
{
	struct change_arguments args = { .cpu = -1, .id = -1, .next = -1 };
	struct link_run run = { .change = change, .args = &args };
	struct lkst_error err;
	int ret;

	if (arguments(change->syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (change->needs_id && args.id < 0)
		return usage("%s", change->needs_id);
	if (args.id >= 0 && args.id == args.next)
		return usage(MSG_BUFFER_ITSELF, (long)args.id);
	run.dev = lkst_device_open(&err);
	if (!run.dev)
		return fail(&err);
	ret = lkst_status_get(run.dev, &run.status, &err);
	if (!ret) {
		run.outcomes.cpus = run.status.trc.cpu_num;
		ret = args.cpu < 0 ? change_do_on_all(&run, &err) :
				     change_do_on(&run, (int32_t)args.cpu, &err);
		change_outcomes_print(&run.outcomes);
		lkst_status_free(&run.status);
	}
	lkst_device_close(run.dev);
	if (ret)
		return fail(&err);
	return run.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- the commands ---- */

#define OPT_CPU(help) \
	OPT_NUMBER('c', "cpu", "CPU", struct change_arguments, cpu, 0, INT32_MAX, "CPU", help)
#define OPT_BUFFER(help)                                                                    \
	OPT_NUMBER('b', "buffer", "ID", struct change_arguments, id, 0, LKST_BUFFER_ID_MAX, \
		   "buffer id", help)

static int change_do_link(struct lkst_device *dev, int32_t cpu, const struct change_arguments *args,
			  struct lkst_error *err)
{
	return lkst_buffer_link(dev, cpu, (lkst_buffer_id)args->id,
				args->next < 0 ? VOID : (lkst_buffer_id)args->next, err);
}

static void change_report_link(const struct change_arguments *args,
			       const struct lkst_buffer_list *list, char *text, size_t size)
{
	int id = (int)args->id, next = (int)args->next;

	if (next < 0)
		snprintf(text, size, "buffer %d has no next buffer", id);
	else
		snprintf(text, size, "buffer %d is followed by buffer %d%s", id, next,
			 buffer_change_find(list, next) ? "" : ", which does not exist yet");
}

int buffer_link(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_BUFFER("the buffer"),
		OPT_NUMBER('n', "next", "ID", struct change_arguments, next, 0, LKST_BUFFER_ID_MAX,
			   "next buffer id",
			   "the buffer that a shift continues in; need not exist yet;\n"
			   "default: none"),
		OPT_CPU("on this CPU; default: on all that have the buffer"),
	};
	static const struct syntax syntax = {
		.usage = "-b ID [-n ID] [-c CPU]",
		.about = "Set the buffer that follows a kernel event buffer.\n",
		SYNTAX_ROWS(rows),
	};
	static const struct change link = {
		.syntax = &syntax,
		.needs_id = "-b is missing (the buffer to link)",
		.act = change_do_link,
		.report = change_report_link,
	};

	return change(&link, argc, argv);
}

static int change_do_shift(struct lkst_device *dev, int32_t cpu,
			   const struct change_arguments *args, struct lkst_error *err)
{
	(void)args;
	return lkst_buffer_shift(dev, cpu, err);
}

static void change_report_written(const struct change_arguments *args,
				  const struct lkst_buffer_list *list, char *text, size_t size)
{
	(void)args;
	snprintf(text, size, "now recording to buffer %d", list->param.write_buf);
}

int buffer_shift(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_CPU("on this CPU; default: on all"),
	};
	static const struct syntax syntax = {
		.usage = "[-c CPU]",
		.about = "Continue recording in the next kernel event buffer.\n",
		SYNTAX_ROWS(rows),
	};
	static const struct change shift = {
		.syntax = &syntax,
		.all_online = true,
		.act = change_do_shift,
		.report = change_report_written,
	};

	return change(&shift, argc, argv);
}

static int change_do_jump(struct lkst_device *dev, int32_t cpu, const struct change_arguments *args,
			  struct lkst_error *err)
{
	return lkst_buffer_jump(dev, cpu, (lkst_buffer_id)args->id, err);
}

int buffer_jump(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_BUFFER("the buffer"),
		OPT_CPU("on this CPU; default: on all"),
	};
	static const struct syntax syntax = {
		.usage = "-b ID [-c CPU]",
		.about = "Continue recording in another kernel event buffer.\n",
		SYNTAX_ROWS(rows),
	};
	static const struct change jump = {
		.syntax = &syntax,
		.needs_id = "-b is missing (the buffer to record in)",
		.all_online = true,
		.act = change_do_jump,
		.report = change_report_written,
	};

	return change(&jump, argc, argv);
}

static int change_do_delete(struct lkst_device *dev, int32_t cpu,
			    const struct change_arguments *args, struct lkst_error *err)
{
	return lkst_buffer_delete(dev, cpu, (lkst_buffer_id)args->id, err);
}

static void change_report_delete(const struct change_arguments *args,
				 const struct lkst_buffer_list *list, char *text, size_t size)
{
	(void)list;
	snprintf(text, size, "buffer %d deleted", (int)args->id);
}

int buffer_delete(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_BUFFER("the buffer"),
		OPT_CPU("of this CPU; default: of all that have one"),
	};
	static const struct syntax syntax = {
		.usage = "-b ID [-c CPU]",
		.about = "Delete a kernel event buffer. Records that were not read are lost.\n",
		SYNTAX_ROWS(rows),
	};
	static const struct change delete = {
		.syntax = &syntax,
		.needs_id = "-b is missing (the buffer to delete)",
		.act = change_do_delete,
		.report = change_report_delete,
	};

	return change(&delete, argc, argv);
}
