// SPDX-License-Identifier: GPL-2.0
/*
 * lkst watch: measures the time between two events, and acts when it is too long. The kernel does
 * both. This command creates the watch in the kernel, and adds the action watch(NAME) to the rules
 * of the two events in a maskset, so that these events start and end the measurement.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "control.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/device/rules.h"
#include "lib/live/rule_text.h"
#include "lib/text/etypes.h"
#include "lib/text/timestamp.h"
#include "messages.h"
#include "watch.h"

/**
 * struct watch_options - command line of lkst watch
 * @list: list the watches
 * @json: list the watches as JSON
 * @delete: watch to delete; NULL: none
 * @reset: watch to reset; NULL: none
 * @name: name of the new watch; NULL: the name of the event that begins a span
 * @maskset: name of the maskset; NULL: the selected one
 * @over: limit on the length of a span, as given on the command line
 * @longest: only spans that are longer than all earlier ones are late
 * @actions: actions, as given on the command line
 * @count: how many times each action takes place; 0: without limit
 * @spans: number of spans that can be open; 0: the default
 * @event: operands that name the events
 * @condition: conditions in these operands; NULL: none
 * @key: operand after "by"
 */
struct watch_options {
	bool list;
	bool json;
	const char *delete;
	const char *reset;
	const char *name;
	const char *maskset;
	const char *over;
	bool longest;
	const char *actions;
	int64_t count;
	int64_t spans;
	char *event[2];
	const char *condition[2];
	const char *key;
};

/**
 * struct watch_change - state while a watch is created or deleted
 * @dev: device
 * @system: data of the running kernel
 */
struct watch_change {
	struct lkst_device *dev;
	struct lkst_rule_system system;
};

/* ---- rules ---- */

static int watch_start(struct watch_change *change, struct lkst_error *err)
{
	if (lkst_rule_system_load(&change->system, err))
		return -1;
	change->dev = lkst_device_open(err);
	return change->dev ? 0 : -1;
}

static void watch_stop(struct watch_change *change)
{
	lkst_device_close(change->dev);
	lkst_rule_system_free(&change->system);
}

/* Read the rule of an event type. @text receives NULL if none exists. */
static int watch_get_rule(const struct watch_change *change, lkst_maskset_id maskset,
			  unsigned int etype, char **text, struct lkst_error *err)
{
	unsigned int found = etype;

	if (lkst_rule_next(change->dev, maskset, &found, text, err))
		return -1;
	if (*text && found != etype) {
		free(*text);
		*text = NULL;
	}
	return 0;
}

/*
 * Return 1 if a maskset masks an event type, 0 if not, -1 on error. If @mask is true, first mask
 * the event type, which also deletes its rule in that maskset.
 */
static int watch_masked(const struct watch_change *change, lkst_maskset_id maskset,
			unsigned int etype, bool mask, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_entry *entry;
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (lkst_maskset_read(change->dev, maskset, body, err))
		goto out;
	for (entry = body->entry; entry < body->entry + body->len; entry++)
		if (entry->event_type == (int)etype)
			break;
	ret = entry == body->entry + body->len || entry->id == LKST_EVHANDLER_ID_NONE;
	if (!mask || ret)
		goto out;
	entry->id = LKST_EVHANDLER_ID_NONE;
	*body->name = 0;
	ret = lkst_maskset_write(change->dev, &maskset, body, err) ? -1 : 1;
out:
	free(body);
	return ret;
}

/*
 * Add the action watch(NAME) to the rule of an event type. If the event type has no rule, write
 * one. If the event type was masked, the new rule begins with WATCH_TEXT_MASKED, so that
 * watch_put_back() can mask the event type again.
 */
static int watch_add_to_rule(const struct watch_change *change, lkst_maskset_id maskset,
			     unsigned int etype, const char *name, const char *condition,
			     struct lkst_error *err)
{
	char *before, *text;
	int ret = 0;

	if (watch_get_rule(change, maskset, etype, &before, err))
		return -1;
	if (!before)
		ret = watch_masked(change, maskset, etype, false, err);
	if (ret < 0)
		return -1;
	text = watch_text_add(ret ? WATCH_TEXT_MASKED : before, name, condition);
	free(before);
	if (!text) {
		lkst_error_memory(err, "a rule");
		return -1;
	}
	ret = lkst_rule_write_text(change->dev, &change->system, maskset, etype, text, err);
	free(text);
	return ret;
}

/*
 * Write what remains of a rule. If the event type was masked before the rule was written for a
 * watch, mask the event type again.
 */
static int watch_put_back(const struct watch_change *change, lkst_maskset_id maskset,
			  unsigned int etype, const char *left, struct lkst_error *err)
{
	if (!left || strcmp(left, WATCH_TEXT_MASKED) != 0)
		return lkst_rule_write_text(change->dev, &change->system, maskset, etype, left,
					    err);
	return watch_masked(change, maskset, etype, true, err) < 0 ? -1 : 0;
}

/* Remove a watch from the rules of a maskset. Rules of which nothing remains are deleted. */
static int watch_remove_from(const struct watch_change *change, lkst_maskset_id maskset,
			     const char *name, struct lkst_error *err)
{
	char *text, *left;
	int ret = 0;

	for (unsigned int etype = 0; !ret; etype++) {
		if (lkst_rule_next(change->dev, maskset, &etype, &text, err))
			return -1;
		if (!text)
			return 0;
		ret = watch_text_remove(text, name, &left);
		if (ret < 0)
			lkst_error_memory(err, "a rule");
		if (ret > 0)
			ret = watch_put_back(change, maskset, etype, left, err);
		free(left);
		free(text);
	}
	return ret;
}

/* Remove a watch from the rules of all masksets. */
static int watch_remove(const struct watch_change *change, const char *name,
			struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret = lkst_maskset_list_get(change->dev, &list, err);

	if (ret)
		return -1;
	for (size_t i = 0; !ret && i < list.num; i++)
		ret = watch_remove_from(change, list.ent[i].id, name, err);
	lkst_maskset_list_free(&list);
	return ret;
}

/* ---- creating and deleting ---- */

/* Find the maskset whose rules are changed. */
static lkst_maskset_id watch_maskset(struct lkst_device *dev, const char *name,
				     struct lkst_error *err)
{
	struct lkst_maskset_list list;
	lkst_maskset_id id = -1;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	if (!name)
		id = list.current;
	for (size_t i = 0; name && i < list.num; i++)
		if (!strcmp(list.ent[i].name, name))
			id = list.ent[i].id;
	lkst_maskset_list_free(&list);
	if (id < 0)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WATCH_MASKSET, name);
	if (id != LKST_MASKSET_ID_RNOTHING && id != LKST_MASKSET_ID_RALL)
		return id;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WATCH_FIXED, id);
	return -1;
}

static int watch_fill(struct lkst_watch *watch, const struct watch_options *opt,
		      const struct watch_change *change, struct lkst_error *err)
{
	int begin = lkst_etypes_find(change->system.types, opt->event[0], err);
	int end = begin < 0 ? -1 : lkst_etypes_find(change->system.types, opt->event[1], err);
	char *counted = NULL;
	const char *actions;
	int64_t over_ns = -1;
	int len;

	if (end < 0 || (opt->over && lkst_span_parse("--over", opt->over, &over_ns, err)))
		return -1;
	watch->begin = (unsigned int)begin;
	watch->end = (unsigned int)end;
	watch->over_ns = (uint64_t)over_ns;
	watch->spans = (unsigned int)opt->spans;
	snprintf(watch->name, sizeof(watch->name), "%s",
		 opt->name ? opt->name : lkst_etype(change->system.types, watch->begin)->name);
	if (opt->actions && opt->count)
		counted = watch_text_count(opt->actions, (unsigned int)opt->count);
	actions = counted ? counted : opt->actions;
	len = snprintf(watch->text, sizeof(watch->text), "%s%s%s%s", opt->key,
		       opt->longest ? " longest" : "", actions ? " do " : "",
		       actions ? actions : "");
	free(counted);
	if (len < (int)sizeof(watch->text))
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WATCH_LONG, LKST_WATCH_TEXT_MAX);
	return -1;
}

/* Add a new watch to the rules of its events. If that fails, delete the watch. */
static int watch_feed(const struct watch_change *change, const struct watch_options *opt,
		      const struct lkst_watch *watch, lkst_maskset_id maskset,
		      struct lkst_error *err)
{
	struct lkst_error ignored;
	int ret = watch_add_to_rule(change, maskset, watch->begin, watch->name,
				    opt->condition[0], err);

	if (!ret && watch->end != watch->begin)
		ret = watch_add_to_rule(change, maskset, watch->end, watch->name,
					opt->condition[1], err);
	if (ret) {
		watch_remove(change, watch->name, &ignored);
		lkst_watch_delete(change->dev, watch->name, &ignored);
	}
	return ret;
}

static int watch_create(const struct watch_change *change, const struct watch_options *opt,
			struct lkst_error *err)
{
	struct lkst_watch *watch = calloc(1, sizeof(*watch));
	lkst_maskset_id maskset;
	int ret = -1;

	if (!watch) {
		lkst_error_memory(err, "a watch");
		return -1;
	}
	if (watch_fill(watch, opt, change, err) || lkst_masksets_lock(change->dev, err))
		goto out;
	maskset = watch_maskset(change->dev, opt->maskset, err);
	if (maskset >= 0 && !lkst_watch_write(change->dev, watch, err))
		ret = watch_feed(change, opt, watch, maskset, err);
	if (!ret)
		printf("watch %s\n", watch->name);
out:
	free(watch);
	return ret;
}

static int watch_delete(const struct watch_change *change, const char *name,
			struct lkst_error *err)
{
	if (lkst_masksets_lock(change->dev, err) || watch_remove(change, name, err))
		return -1;
	return lkst_watch_delete(change->dev, name, err);
}

/* ---- the command line ---- */

/* Split "EVENT if CONDITION". Returns 0 or the exit status of an error. */
static int watch_split(char *operand, char **event, const char **condition)
{
	char *end = operand + strcspn(operand, " \t");

	*event = operand;
	if (!*end)
		return 0;
	*end++ = 0;
	end += strspn(end, " \t");
	if (strncmp(end, "if ", 3))
		return usage("unexpected \"%s\" after the event %s (want if)", end, operand);
	*condition = end + 3;
	return 0;
}

static int watch_operands(struct watch_options *opt, int argc, char **argv)
{
	int num = argc - optind, ret;
	bool others = opt->list || opt->delete || opt->reset;

	if (opt->list + !!opt->delete + !!opt->reset > 1)
		return usage("only one of --list, --delete and --reset can be given");
	if (opt->json && !opt->list)
		return usage("--json needs --list");
	if (opt->list && num == 1) {
		opt->name = argv[optind];
		return 0;
	}
	if (others && num)
		return usage("unexpected argument \"%s\"", argv[optind]);
	if (others)
		return 0;
	if (num != 4 || strcmp(argv[optind + 2], "by"))
		return usage("want two events, \"by\" and a key; or --list, --delete or --reset");
	opt->key = argv[optind + 3];
	if (opt->spans & (opt->spans - 1))
		return usage("--spans: %" PRId64 " is not a power of two", opt->spans);
	if (opt->count && !opt->actions)
		return usage("--count needs --do");
	ret = watch_split(argv[optind], &opt->event[0], &opt->condition[0]);
	return ret ? ret : watch_split(argv[optind + 1], &opt->event[1], &opt->condition[1]);
}

static int watch_run(const struct watch_options *opt, struct lkst_error *err)
{
	struct watch_change change = { 0 };
	int ret = watch_start(&change, err);

	if (!ret && opt->list)
		ret = opt->json ? watch_list_json(change.dev, change.system.types, opt->name, err) :
				  watch_list(change.dev, change.system.types, opt->name, err);
	else if (!ret && opt->delete)
		ret = watch_delete(&change, opt->delete, err);
	else if (!ret && opt->reset)
		ret = lkst_watch_reset(change.dev, opt->reset, err);
	else if (!ret)
		ret = watch_create(&change, opt, err);
	watch_stop(&change);
	return ret;
}

int trc_watch(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_TEXT(0, "over", "SPAN", struct watch_options, over,
			 "a span that is longer is late: 5ms, 250us"),
		OPT_FLAG(0, "longest", struct watch_options, longest,
			 "only a span that is longer than all before it is late"),
		OPT_TEXT(0, "do", "ACTIONS", struct watch_options, actions,
			 "what to do after a late span, or each one; see \"lkstm rule\""),
		OPT_NUMBER(0, "count", "N", struct watch_options, count, 1, INT32_MAX, NULL,
			   "do each of the actions at most N times"),
		OPT_TEXT(0, "name", "NAME", struct watch_options, name,
			 "name of the watch; default: that of BEGIN"),
		OPT_TEXT('n', NULL, "MASKSET", struct watch_options, maskset,
			 "name of the maskset; default: the selected one"),
		OPT_NUMBER(0, "spans", "N", struct watch_options, spans, LKST_WATCH_SPANS_MIN,
			   LKST_WATCH_SPANS_MAX, NULL,
			   "spans that can be open at once, a power of two (32768)"),
		OPT_FLAG('l', "list", struct watch_options, list, "show what watches measured"),
		OPT_JSON(struct watch_options, json),
		OPT_TEXT('d', "delete", "NAME", struct watch_options, delete, "delete a watch"),
		OPT_TEXT(0, "reset", "NAME", struct watch_options, reset, "measure again from 0 on"),
	};
	static const struct syntax syntax = {
		.usage = "[OPTION...] BEGIN END by KEY\n"
			 "--list [--json] [NAME]\n"
			 "--delete NAME | --reset NAME",
		.about = "Measure the time from BEGIN to the next END with the same KEY, and act if it\n"
			 "is too long. BEGIN and END are EVENT or 'EVENT if CONDITION'.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "KEY is up to four fields, as in device,sector or thread=next: \"thread\" of\n"
			"BEGIN and \"next\" of END. Fields: \"lkstbuf print -h\", and tid, cpu, pid.\n",
	};
	struct watch_options opt = { 0 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	ret = watch_operands(&opt, argc, argv);
	if (ret)
		return ret;
	return watch_run(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}
