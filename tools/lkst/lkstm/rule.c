// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm rule: write, delete and list the rules of a maskset. A rule is a condition for an event
 * type, and actions. Only events of this type that meet the condition are recorded and cause the
 * actions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/base/printable.h"
#include "lib/device/rules.h"
#include "lib/live/rule_text.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "lib/text/messages.h"
#include "lib/text/words.h"
#include "maskset.h"

/**
 * struct rule_options - command line of lkstm rule
 * @choice: maskset, as named on the command line
 * @list: list the rules
 * @delete: delete rules
 * @json: list the rules as JSON
 * @events: operand that names the event types
 * @text: the condition and the actions, to be freed; NULL: none
 */
struct rule_options {
	struct maskset_choice choice;
	bool list;
	bool delete;
	bool json;
	const char *events;
	char *text;
};

/**
 * struct rule_change - state while rules are written or deleted
 * @opt: command line
 * @system: data of the running kernel
 * @change: event types whose rules are changed
 */
struct rule_change {
	const struct rule_options *opt;
	struct lkst_rule_system system;
	struct lkst_maskset_change change;
};

/* ---- writing ---- */

static int rule_add_words(struct rule_change *change, struct lkst_error *err)
{
	char *copy = strdup(change->opt->events), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the event types");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL) {
		if (*word) {
			ret = lkst_maskset_select(change->system.types, word, LKST_EVHANDLER_ID_ENTRY_LOG,
						  &change->change, err);
		} else {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EMPTY_EVENT,
				       change->opt->events);
			ret = -1;
		}
	}
	free(copy);
	return ret;
}

/*
 * Return the number after the last event type whose rule is changed. LKST's own events, which have
 * the highest numbers, have no rules. So they are left out if @set contains other events as well,
 * for example if the user selects "all". If @set contains only LKST's own events, they are not left
 * out, so that the attempt to write their rules fails with an error.
 */
static unsigned int rule_end(const struct lkst_etype_set *set)
{
	for (unsigned int i = 0; i < LKST_ETYPE_LKST_MIN; i++)
		if (lkst_etype_set_has(set, i))
			return LKST_ETYPE_LKST_MIN;
	return LKST_ETYPE_NUM;
}

/* Change the rules of all event types, in the order of their numbers, up to the first error. */
static int rule_change_all(struct lkst_device *dev, const struct rule_change *change,
			   struct lkst_error *err)
{
	lkst_maskset_id id = maskset_chosen(dev, &change->opt->choice, err);
	int ret = id < 0 || maskset_check_writable(id, err) ? -1 : 0;

	for (unsigned int i = 0; !ret && i < rule_end(&change->change.set); i++)
		if (lkst_etype_set_has(&change->change.set, i))
			ret = lkst_rule_write_text(dev, &change->system, id, i, change->opt->text, err);
	return ret;
}

static int rule_change_with(struct rule_change *change, struct lkst_error *err)
{
	struct lkst_device *dev;
	int ret;

	if (lkst_rule_system_load(&change->system, err) || rule_add_words(change, err))
		return -1;
	dev = lkst_device_open(err);
	if (!dev)
		return -1;
	ret = lkst_masksets_lock(dev, err) || rule_change_all(dev, change, err) ? -1 : 0;
	lkst_device_close(dev);
	if (!ret)
		maskset_print_left_out(change->system.types, &change->change.left_out);
	return ret;
}

static int rule_change(const struct rule_options *opt, struct lkst_error *err)
{
	struct rule_change change = { .opt = opt };
	int ret = rule_change_with(&change, err);

	lkst_rule_system_free(&change.system);
	return ret;
}

/* ---- listing ---- */

static bool rule_is_word(const char *at, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(at, word, len) && (!at[len] || strchr(" \t\n", at[len]));
}

/* Return the position of the first word "do" outside of quotes; NULL if it does not occur. */
static const char *rule_actions(const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '"' || *at == '\'') {
			at = strchr(at + 1, *at);
			if (!at)
				return NULL;
		} else if ((at == text || strchr(" \t\n)\"'", at[-1])) && rule_is_word(at, "do")) {
			return at;
		}
	}
	return NULL;
}

static void rule_put_text(struct json_object *rule, const char *name, const char *text)
{
	if (text)
		json_text(rule, name, text);
	else
		json_put(rule, name, NULL);
}

/* Add the condition and the actions of a rule to a JSON object. */
static void rule_put(struct json_object *rule, const char *text)
{
	const char *actions = rule_actions(text);
	size_t len = actions ? (size_t)(actions - text) : strlen(text);
	char *condition = strndup(text, len);

	while (actions && condition && len && strchr(" \t\n", condition[len - 1]))
		condition[--len] = 0;
	rule_put_text(rule, "condition", condition && *condition ? condition : NULL);
	rule_put_text(rule, "actions", actions ? actions + strlen("do ") : NULL);
	free(condition);
}

static void rule_print(const struct lkst_etypes *types, unsigned int etype, const char *text,
		       struct json_object *list)
{
	static char shown[4 * LKST_RULE_TEXT_MAX + 1];
	struct json_object *rule;

	if (!list) {
		printf("%s %s%s\n", lkst_etype(types, etype)->name,
		       rule_is_word(text, "do") ? "" : "if ",
		       lkst_printable(text, strlen(text), shown, sizeof(shown)));
		return;
	}
	rule = json_new();
	json_etype(rule, types, etype);
	rule_put(rule, text);
	json_add(list, rule);
}

/* Print the rules of a maskset or, if @list is not NULL, add them to it. */
static int rule_list_maskset(struct lkst_device *dev, const struct lkst_etypes *types,
			     lkst_maskset_id id, struct json_object *list, struct lkst_error *err)
{
	char *text;

	for (unsigned int etype = 0;; etype++) {
		if (lkst_rule_next(dev, id, &etype, &text, err))
			return -1;
		if (!text)
			return 0;
		if (lkst_etype(types, etype))
			rule_print(types, etype, text, list);
		free(text);
	}
}

static int rule_list_json(struct lkst_device *dev, const struct lkst_etypes *types,
			  lkst_maskset_id id, struct lkst_error *err)
{
	struct json_object *value = json_new(), *list = json_list();

	if (rule_list_maskset(dev, types, id, list, err)) {
		json_free(list);
		json_free(value);
		return -1;
	}
	json_int(value, "id", id);
	json_put(value, "rules", list);
	return json_print(value, err);
}

static int rule_list(const struct rule_options *opt, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_system(err);
	struct lkst_device *dev = types ? lkst_device_open(err) : NULL;
	lkst_maskset_id id = dev ? maskset_chosen(dev, &opt->choice, err) : -1;
	struct lkst_maskset_body *body = id < 0 ? NULL : malloc(LKST_MASKSET_SIZE_MAX);
	int ret = -1;

	if (id >= 0 && !body)
		lkst_error_memory(err, "a maskset");
	/* This fails if there is no such maskset. */
	else if (id >= 0 && !lkst_maskset_read(dev, id, body, err))
		ret = opt->json ? rule_list_json(dev, types, id, err) :
				  rule_list_maskset(dev, types, id, NULL, err);
	free(body);
	lkst_device_close(dev);
	lkst_etypes_free(types);
	return ret;
}

/* ---- the command line ---- */

/* Join the operands from @from on with blanks. */
static char *rule_join(int argc, char **argv, int from)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (int i = from; i < argc; i++)
		fprintf(to, "%s%s", i > from ? " " : "", argv[i]);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/*
 * Take the condition and the actions from the operands. Returns 0 or the exit status of an error.
 */
static int rule_take_text(struct rule_options *opt, int argc, char **argv)
{
	int from = optind + 1;

	if (from < argc && !strcmp(argv[from], "if"))
		from++;
	else if (from == argc || !rule_is_word(argv[from], "do"))
		return usage("want \"if\" and a condition, or \"do\" and actions, after the event types");
	if (from == argc)
		return usage("want a condition after \"if\"");
	opt->text = rule_join(argc, argv, from);
	return opt->text ? 0 : usage("no memory for the rule");
}

/* Take the operands. Returns 0 or the exit status of an error. */
static int rule_operands(struct rule_options *opt, int argc, char **argv)
{
	int num = argc - optind;

	if (opt->list)
		return num ? usage("unexpected argument \"%s\"", argv[optind]) : 0;
	if (opt->json)
		return usage("--json needs --list");
	if (!num)
		return usage("want event types and a condition or actions; or --list");
	opt->events = argv[optind];
	if (*opt->events == '!') {
		opt->events++;
		opt->delete = true;
	}
	if (opt->delete)
		return num > 1 ? usage("unexpected argument \"%s\"", argv[optind + 1]) : 0;
	return rule_take_text(opt, argc, argv);
}

int maskset_rule(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct rule_options,
			       "maskset with this id; default: the selected one"),
		OPT_MASKSET_NAME(struct rule_options, "maskset with this name"),
		OPT_FLAG('d', "delete", struct rule_options, delete,
			 "delete the rules of EVENTS; so does a \"!\" before EVENTS"),
		OPT_FLAG('l', "list", struct rule_options, list, "list the rules"),
		OPT_JSON(struct rule_options, json),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID | -n NAME] EVENTS [if CONDITION] [do ACTIONS]\n"
			 "[-m ID | -n NAME] --delete EVENTS\n"
			 "[-m ID | -n NAME] --list [--json]",
		.about = "Record events only if they meet a condition, and let events cause actions.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "  EVENTS     words, separated by commas, as in \"lkstm config\"\n"
			"  CONDITION  for example 'result < 0 && comm ~ \"mysq*\"'\n"
			"  ACTIONS    such as 'record:5, off if result == -5'; see lkstm(8)\n\n"
			"Fields of events: \"lkstbuf print -h\", and pid, tid, comm, uid, gid, cpu, flags.\n",
	};
	struct rule_options opt = { .choice.id = -1 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if (opt.choice.id >= 0 && opt.choice.name)
		return usage("only one of -m and -n can be given");
	ret = rule_operands(&opt, argc, argv);
	if (ret)
		return ret;
	ret = opt.list ? rule_list(&opt, &err) : rule_change(&opt, &err);
	free(opt.text);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
