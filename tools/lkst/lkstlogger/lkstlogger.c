// SPDX-License-Identifier: GPL-2.0
/* lkstlogger: records an event (specification 4.7.3.5.1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/entry.h"
#include "lib/text/etypes.h"
#include "lib/text/messages.h"
#include "lib/text/parse.h"
#include "messages.h"

enum {
	ARGS = 4,
};

/**
 * struct logger_args - the command line
 * @type: name or number of the event type; NULL: user_text
 * @data: arguments of -a1 to -a4; NULL: not given
 * @texts: arguments of -s, one for each text field of the event, in order
 * @version: print the version
 */
struct logger_args {
	const char *type;
	const char *data[ARGS];
	struct option_words texts;
	bool version;
};

static lkst_arg_t *logger_arg_of(struct lkst_entry_args *entry, unsigned int i)
{
	lkst_arg_t *const arg[ARGS] = { &entry->log_arg1, &entry->log_arg2, &entry->log_arg3,
					&entry->log_arg4 };

	return arg[i];
}

/*
 * Find the event type, and check that it can be recorded. Returns its number, or -1 on error. @type
 * is set to NULL if the number has no name.
 */
static int logger_find_type(const struct logger_args *args, const struct lkst_etypes *types,
			    const struct lkst_etype **type, struct lkst_error *err)
{
	int number = args->type ? lkst_etypes_find(types, args->type, err) : LKST_ETYPE_USER_TEXT;

	if (number < 0)
		return -1;
	*type = lkst_etype(types, (uint32_t)number);
	if (*type && !(*type)->present) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ABSENT, (*type)->name, (*type)->number);
		return -1;
	}
	return number;
}

static int logger_put_numbers(const struct logger_args *args, struct lkst_entry_args *entry,
			      struct lkst_error *err)
{
	static const char *const option[ARGS] = { "-a1", "-a2", "-a3", "-a4" };
	struct lkst_error inner;
	uint64_t value;

	for (unsigned int i = 0; i < ARGS; i++) {
		if (!args->data[i])
			continue;
		if (lkst_parse_u64(option[i], args->data[i], &value, &inner)) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ENTRY_DATA, inner.text);
			return -1;
		}
		*logger_arg_of(entry, i) = value;
	}
	return 0;
}

static const struct lkst_field *logger_text_field(const struct lkst_etype *type, unsigned int nth,
						  const char *name, const char *text,
						  struct lkst_error *err)
{
	const struct lkst_field *field = type ? lkst_etype_text(type, nth) : NULL;

	if (!field)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ENTRY_NO_TEXT, name, text, nth);
	return field;
}

static int logger_check_free(const struct logger_args *args, const struct lkst_etype *type,
			     const struct lkst_field *field, const char *text,
			     struct lkst_error *err)
{
	/* The kernel sets the first argument of a chain. */
	for (unsigned int i = type->chain ? 0 : field->arg; i < field->arg + field->args; i++)
		if (args->data[i]) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ENTRY_TEXT_AND_ARG, i + 1, text,
				       type->name);
			return -1;
		}
	return 0;
}

/**
 * struct entry - what to record
 * @args: an event, unless @text is set
 * @text: text of a user_long_text event, or of several if it is too long for one; else NULL
 */
struct entry {
	struct lkst_entry_args args;
	const char *text;
};

static int logger_put_text(const struct lkst_etype *type, const struct lkst_field *field,
			   const char *text, struct entry *to, struct lkst_error *err)
{
	size_t len = strlen(text), done;

	if (type->number != LKST_ETYPE_USER_LONG_TEXT) {
		done = lkst_entry_put_text(&to->args, field, text);
		if (done == len)
			return 0;
		if (type->number != LKST_ETYPE_USER_TEXT) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ENTRY_TEXT_LONG, text, len,
				       type->name, done);
			return -1;
		}
	}
	to->text = text;
	return 0;
}

static int lkstlogger_put_texts(const struct logger_args *args, const struct lkst_etype *type,
				struct entry *to, struct lkst_error *err)
{
	for (unsigned int i = 0; i < args->texts.num; i++) {
		const char *text = args->texts.word[i];
		const char *name = type ? type->name : args->type ? args->type : "user_text";
		const struct lkst_field *field = logger_text_field(type, i, name, text, err);

		if (!field || logger_check_free(args, type, field, text, err) ||
		    logger_put_text(type, field, text, to, err))
			return -1;
	}
	return 0;
}

static int logger_make_entry(const struct logger_args *args, const struct lkst_etypes *types,
			     struct entry *to, struct lkst_error *err)
{
	const struct lkst_etype *type;
	int number = logger_find_type(args, types, &type, err);

	if (number < 0)
		return -1;
	memset(to, 0, sizeof(*to));
	to->args.event_type = number;
	if (logger_put_numbers(args, &to->args, err))
		return -1;
	return lkstlogger_put_texts(args, type, to, err);
}

/*
 * Record a text as a chain, which is an event of several records. A text that is too long for one
 * chain is recorded as several chains.
 */
static int logger_log_text(struct lkst_device *dev, const char *text, struct lkst_error *err)
{
	size_t now;

	do {
		now = lkst_entry_cut(text, LKST_CHAIN_BYTES_MAX);
		if (lkst_entry_text(dev, text, now, err))
			return -1;
		text += now;
	} while (*text);
	return 0;
}

static int logger_log_entry(const struct entry *entry, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	int ret;

	if (!dev)
		return -1;
	ret = entry->text ? logger_log_text(dev, entry->text, err) :
			    lkst_entry_log(dev, &entry->args, err);
	lkst_device_close(dev);
	return ret;
}

static int logger_log_event(const struct logger_args *args)
{
	struct lkst_etypes *types;
	struct entry entry;
	struct lkst_error err;
	int ret;

	types = lkst_etypes_system(&err);
	if (!types)
		return fail(&err);
	ret = logger_make_entry(args, types, &entry, &err);
	lkst_etypes_free(types);
	return ret || logger_log_entry(&entry, &err) ? fail(&err) : EXIT_SUCCESS;
}

static const struct option_row rows[] = {
	OPT_TEXT(0, "ev", "TYPE", struct logger_args, type,
		 "event type, name or number; 0x100 to 0x1ff are for users"),
	OPT_TEXT(0, "a1", "DATA", struct logger_args, data[0],
		 "argument 1, 64 bits: decimal, negative or hexadecimal with 0x;\n"
		 "default: 0"),
	OPT_TEXT(0, "a2", "DATA", struct logger_args, data[1], "argument 2"),
	OPT_TEXT(0, "a3", "DATA", struct logger_args, data[2], "argument 3"),
	OPT_TEXT(0, "a4", "DATA", struct logger_args, data[3], "argument 4"),
	OPT_WORDS('s', NULL, "TEXT", struct logger_args, texts,
		  "string to record in a user_text event (user_long_text if it has\n"
		  "more than 32 bytes) or, with -ev, in the first text argument of\n"
		  "that event; repeat -s for the next ones"),
	OPT_FLAG('v', "version", struct logger_args, version, "print version information"),
};

static const struct syntax syntax = {
	.usage = "-ev TYPE [-a1 DATA] [-a2 DATA] [-a3 DATA] [-a4 DATA] [-s TEXT]\n"
		 "-s TEXT\n"
		 "version/ver | help",
	.about = "Record an event with the Linux Kernel State Tracer.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
	.single_dash = true,
	.more = "An event that the selected maskset masks is not recorded; this is not an error.\n"
		"Manual: lkstlogger(8).\n",
};

static const char *lkstlogger_word_at(void *ctx, size_t i)
{
	return ((const char *const *)ctx)[i];
}

/* Handle an operand. If it is the only argument, the operand may be a command such as "help". */
static int lkstlogger_operand(int argc, char **argv)
{
	static const char *const commands[] = { "help", "version", "ver" };
	const char *suggestions[LKST_SUGGESTIONS_MAX], *word = argv[optind];
	char text[256];

	if (argc == 2 && !strcmp(word, "help")) {
		options_help(&syntax, program_name(), stdout);
		return EXIT_SUCCESS;
	}
	if (argc == 2 && (!strcmp(word, "version") || !strcmp(word, "ver")))
		return program_version();
	lkst_suggestions_text(suggestions,
			      lkst_suggest(word, lkstlogger_word_at, (void *)commands,
					   sizeof(commands) / sizeof(*commands), suggestions),
			      text, sizeof(text));
	return usage("unexpected argument \"%s\" (use -s for text)%s", word, text);
}

static int lkstlogger_run(int argc, char **argv)
{
	struct logger_args args = { 0 };

	if (argc < 2) {
		options_help(&syntax, program_name(), stderr);
		return EXIT_USAGE;
	}
	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (optind < argc)
		return lkstlogger_operand(argc, argv);
	if (args.version)
		return program_version();
	if (!args.type && !args.texts.num)
		return usage("-ev TYPE or -s TEXT is missing");
	return logger_log_event(&args);
}

int main(int argc, char **argv)
{
	program_begin("lkstlogger");
	return program_end(lkstlogger_run(argc, argv));
}
