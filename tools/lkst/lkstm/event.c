// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm event: add events to the kernel, remove them and list them. An added event is a tracepoint,
 * or the entry or return of a function, with fields that are fetched when it occurs.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/btf/definition.h"
#include "lib/btf/messages.h"
#include "lib/btf/source.h"
#include "lib/btf/tracefs.h"
#include "lib/btf/types.h"
#include "lib/device/added.h"
#include "lib/text/etypes.h"
#include "maskset.h"
#include "messages.h"

/**
 * struct event_options - command line of lkstm event
 * @available: list the tracepoints of the kernel
 * @json: list as JSON
 * @num: number of operands after "add", "remove" or "list"
 * @operand: these operands
 */
struct event_options {
	bool available;
	bool json;
	int num;
	char **operand;
};

/* Join the operands with blanks. */
static char *event_join(const struct event_options *opt, struct lkst_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (int i = 0; to && i < opt->num; i++)
		fprintf(to, "%s%s", i ? " " : "", opt->operand[i]);
	if (to && !fclose(to))
		return text;
	free(text);
	lkst_error_memory(err, "the definition of an event");
	return NULL;
}

static const char *event_name(const struct lkst_etypes *types, unsigned int etype)
{
	const struct lkst_etype *type = lkst_etype(types, etype);

	return type ? type->name : "-";
}

/* ---- adding ---- */

/* Print the number and the name of an event that has been added. */
static int event_print_added(unsigned int etype, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_system(err);

	if (types)
		printf("0x%03x  %s\n", etype, event_name(types, etype));
	lkst_etypes_free(types);
	return types ? 0 : -1;
}

static void event_note_missing(const struct definition *definition)
{
	char note[2048];

	if (!definition->missing || !*definition->missing)
		return;
	snprintf(note, sizeof(note), MSG_EVENT_MISSING, definition->missing);
	print_note(note);
}

static int event_add_definition(const char *words, const struct definition *definition,
				struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	struct lkst_added_result result;
	int ret;

	if (!dev)
		return -1;
	ret = lkst_added_control(dev, definition->text, &result, err);
	lkst_device_close(dev);
	if (ret && *result.wrong)
		definition_wrong(definition, words, result.at, result.wrong, err);
	if (ret || event_print_added(result.etype, err))
		return -1;
	event_note_missing(definition);
	return 0;
}

static int event_add_words(const char *words, struct lkst_error *err)
{
	struct btf_source *source = btf_source_new(BTF_DIRECTORY, err);
	struct tracefs *tracefs = source ? tracefs_open(TRACEFS_EVENTS, err) : NULL;
	struct definition definition;
	int ret = -1;

	if (tracefs && !definition_translate(source, tracefs, words, &definition, err)) {
		ret = event_add_definition(words, &definition, err);
		definition_free(&definition);
	}
	tracefs_close(tracefs);
	btf_source_free(source);
	return ret;
}

static int event_add(const struct event_options *opt, struct lkst_error *err)
{
	char *words = event_join(opt, err);
	int ret = words ? event_add_words(words, err) : -1;

	free(words);
	return ret;
}

/* ---- removing ---- */

/* Remove an event. @name is NAME, GROUP/NAME or GROUP:NAME. */
static int event_remove_one(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	struct lkst_added_result result;
	struct lkst_error wrong;
	char *text, *colon;
	int ret;

	if (asprintf(&text, "-:%s", name) < 0) {
		lkst_error_memory(err, "the name of an event");
		return -1;
	}
	colon = strchr(text + 2, ':');
	if (colon)
		*colon = '/';
	ret = lkst_added_control(dev, text, &result, &wrong);
	free(text);
	if (ret)
		lkst_error_set(err, *result.wrong ? LKST_ERR_ARGUMENT : wrong.code,
			       MSG_EVENT_REMOVE, name, *result.wrong ? result.wrong : wrong.text);
	return ret;
}

static int event_remove(const struct event_options *opt, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	int ret = dev ? 0 : -1;

	for (int i = 0; !ret && i < opt->num; i++)
		ret = event_remove_one(dev, opt->operand[i], err);
	lkst_device_close(dev);
	return ret;
}

/* ---- listing added events ---- */

static const char *event_state(const struct lkst_added *event)
{
	if (event->flags & LKST_EVENT_GONE)
		return "gone";
	return event->flags & LKST_EVENT_ON ? "on" : "off";
}

static void event_print(const struct lkst_etypes *types, const struct lkst_added *event,
			struct json_object *list)
{
	static char shown[4 * LKST_EVENT_TEXT_MAX + 1];
	struct json_object *value;

	if (!list) {
		printf("0x%03x  %-32s  %-5s  %10llu  %10llu  %s\n", event->etype,
		       event_name(types, event->etype), event_state(event),
		       (unsigned long long)event->missed, (unsigned long long)event->faults,
		       lkst_printable(event->text, strlen(event->text), shown, sizeof(shown)));
		return;
	}
	value = json_new();
	json_etype(value, types, event->etype);
	json_text(value, "definition", event->text);
	json_text(value, "state", event_state(event));
	json_uint(value, "missed", event->missed);
	json_uint(value, "faults", event->faults);
	json_add(list, value);
}

/* Print the added events or, if @list is not NULL, add them to it. */
static int event_list_all(struct json_object *list, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_system(err);
	struct lkst_device *dev = types ? lkst_device_open(err) : NULL;
	static struct lkst_added event;
	int ret = dev ? 1 : -1;

	if (dev && !list)
		printf("%5s  %-32s  %-5s  %10s  %10s  %s\n", "type", "name", "state", "missed",
		       "faults", "definition");
	for (unsigned int etype = 0; ret > 0; etype = event.etype + 1) {
		ret = lkst_added_next(dev, etype, &event, err);
		if (ret > 0)
			event_print(types, &event, list);
	}
	lkst_device_close(dev);
	lkst_etypes_free(types);
	return ret;
}

/* ---- listing tracepoints ---- */

/**
 * struct event_tracepoints - state while tracepoints are listed
 * @pattern: pattern of their names; NULL: all
 * @tracefs: systems of the tracepoints
 * @line: lines of the list; NULL if it is printed as JSON
 * @lines: number of lines
 * @list: list for JSON; NULL: @line is used
 */
struct event_tracepoints {
	const char *pattern;
	struct tracefs *tracefs;
	char **line;
	size_t lines;
	struct json_object *list;
};

static char *event_argument(const struct btf_prototype *prototype, unsigned int i, bool named)
{
	const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;

	return btf_declaration(prototype->btf, param->type,
			       named ? btf__name_by_offset(prototype->btf, param->name_off) : "");
}

static int event_tracepoint_line(struct event_tracepoints *all, const char *name,
				 const struct btf_prototype *prototype)
{
	char **grown = reallocarray(all->line, all->lines + 1, sizeof(*grown)), *text = NULL;
	size_t size;
	FILE *to = grown ? open_memstream(&text, &size) : NULL;

	if (grown)
		all->line = grown;
	if (!to)
		return -1;
	fprintf(to, "%s(", name);
	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		char *argument = event_argument(prototype, i, true);

		fprintf(to, "%s%s", i ? ", " : "", argument ? argument : "?");
		free(argument);
	}
	fputs(")", to);
	if (fclose(to)) {
		free(text);
		return -1;
	}
	all->line[all->lines++] = text;
	return 0;
}

static void event_tracepoint_json(struct event_tracepoints *all, const char *system,
				  const char *module, const struct btf_prototype *prototype)
{
	struct json_object *value = json_new(), *arguments = json_list();

	if (system)
		json_text(value, "system", system);
	json_text(value, "name", prototype->name);
	if (module)
		json_text(value, "module", module);
	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;
		struct json_object *argument = json_new();
		char *type = event_argument(prototype, i, false);

		json_text(argument, "name", btf__name_by_offset(prototype->btf, param->name_off));
		json_text(argument, "type", type ? type : "?");
		json_add(arguments, argument);
		free(type);
	}
	json_put(value, "arguments", arguments);
	json_add(all->list, value);
}

static int event_tracepoint(void *ctx, const char *module, const struct btf_prototype *prototype)
{
	struct event_tracepoints *all = ctx;
	const char *system = tracefs_system(all->tracefs, prototype->name);
	char name[512];

	snprintf(name, sizeof(name), "%s%s%s", system ? system : "", system ? ":" : "",
		 prototype->name);
	if (all->pattern && fnmatch(all->pattern, name, 0) &&
	    fnmatch(all->pattern, prototype->name, 0))
		return 0;
	if (!all->list)
		return event_tracepoint_line(all, name, prototype);
	event_tracepoint_json(all, system, module, prototype);
	return 0;
}

static int event_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void event_print_lines(struct event_tracepoints *all)
{
	if (all->lines)
		qsort(all->line, all->lines, sizeof(*all->line), event_compare);
	for (size_t i = 0; i < all->lines; i++) {
		puts(all->line[i]);
		free(all->line[i]);
	}
	free(all->line);
}

static int event_list_from(struct btf_source *source, struct event_tracepoints *all,
			   struct lkst_error *err)
{
	if (btf_source_open(source, err)) {
		if (!*err->text)
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BTF_NO_LIST,
				       btf_source_kernel(source));
		return -1;
	}
	if (!btf_source_each(source, event_tracepoint, all))
		return 0;
	lkst_error_memory(err, "the list of tracepoints");
	return -1;
}

static int event_list_available(const struct event_options *opt, struct json_object *list,
				struct lkst_error *err)
{
	struct event_tracepoints all = {
		.pattern = opt->num ? opt->operand[0] : NULL,
		.list = list,
	};
	struct btf_source *source = btf_source_new(BTF_DIRECTORY, err);
	int ret = -1;

	all.tracefs = source ? tracefs_open(TRACEFS_EVENTS, err) : NULL;
	if (all.tracefs)
		ret = event_list_from(source, &all, err);
	event_print_lines(&all);
	tracefs_close(all.tracefs);
	btf_source_free(source);
	return ret;
}

static int event_list(const struct event_options *opt, struct lkst_error *err)
{
	struct json_object *list = opt->json ? json_list() : NULL;
	int ret = opt->available ? event_list_available(opt, list, err) : event_list_all(list, err);

	if (!list)
		return ret;
	if (!ret)
		return json_print(list, err);
	json_free(list);
	return ret;
}

/* ---- the command line ---- */

static const struct event_action {
	const char *name;
	int (*run)(const struct event_options *opt, struct lkst_error *err);
	const char *missing;
} actions[] = {
	{ "add", event_add, "want a tracepoint or a function after \"add\"" },
	{ "remove", event_remove, "want the name of an event after \"remove\"" },
	{ "list", event_list, NULL },
};

static const struct event_action *event_find_action(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

/* Check the options and operands. Returns 0 or the exit status of an error. */
static int event_check(const struct event_action *action, const struct event_options *opt)
{
	if (action->missing) {
		if (opt->available || opt->json)
			return usage("--%s needs \"list\"", opt->json ? "json" : "available");
		return opt->num ? 0 : usage("%s", action->missing);
	}
	if (opt->num > opt->available)
		return usage("unexpected argument \"%s\"%s", opt->operand[opt->available],
			     opt->available ? "" : "; --available takes a pattern");
	return 0;
}

int maskset_event(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_FLAG('a', "available", struct event_options, available,
			 "list tracepoints of the kernel, with their arguments"),
		OPT_JSON(struct event_options, json),
	};
	static const struct syntax syntax = {
		.usage = "add SYSTEM:TRACEPOINT [FIELD...]\n"
			 "add {p | r | t}[:NAME] SYMBOL [FIELD...]\n"
			 "add 's:NAME TYPE FIELD; ...'\n"
			 "remove NAME...\n"
			 "list [--json]\n"
			 "list --available [PATTERN] [--json]",
		.about = "Add tracepoints and functions of the kernel as events.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "  FIELD  [NAME=]EXPRESSION[:TYPE], as in \"from=prev->comm\", or in the syntax\n"
			"         of the kernel's dynamic_events; default: the tracepoint's own fields\n\n"
			"Example: lkstm event add 'p vfs_read inode=file->f_inode->i_ino count'\n",
	};
	const struct event_action *action;
	struct event_options opt = { 0 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if (optind == argc)
		return usage("want \"add\", \"remove\" or \"list\"");
	action = event_find_action(argv[optind]);
	if (!action)
		return usage("unknown word \"%s\" (want \"add\", \"remove\" or \"list\")",
			     argv[optind]);
	opt.num = argc - optind - 1;
	opt.operand = argv + optind + 1;
	ret = event_check(action, &opt);
	if (ret)
		return ret;
	return action->run(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}
