// SPDX-License-Identifier: GPL-2.0
/*
 * lkst config: checks the configuration, and shows the settings in effect and where each was set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/conf.h"
#include "cli/json.h"
#include "cli/logd_options.h"
#include "cli/logd_status.h"
#include "cli/options.h"
#include "control.h"
#include "lib/base/printable.h"
#include "lib/text/parse.h"
#include "lib/text/text.h"

struct config_args {
	bool check;
	bool json;
};

/**
 * struct config - the configuration and the state of the daemon
 * @opt: settings from the configuration files
 * @conf: the parsed files, with the file and line of each setting
 * @running: status of the daemon; its pid is 0 if the daemon is not running
 * @command_line: command line of the daemon; @over may point into it; NULL: not known
 * @over: @opt, overridden by the daemon's command line
 */
struct config {
	struct logd_options opt;
	struct conf conf;
	struct lkst_logd_status running;
	char *command_line;
	struct logd_options over;
};

/* ---- settings in effect ---- */

#define WORDS_MAX 256

/* Read the command line of the running daemon. Returns the number of words, or 0 if unknown. */
static int config_get_command_line(struct config *config, char **argv)
{
	char path[64];
	size_t len, at = 0;
	int argc = 0;

	if (lkst_logd_status_read(LKST_LOGD_STATUS_FILE, &config->running, NULL) ||
	    !config->running.pid)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", config->running.pid);
	config->command_line = text_read(path, &len, NULL);
	for (; config->command_line && at < len && argc < WORDS_MAX; argc++) {
		argv[argc] = config->command_line + at;
		at += strlen(argv[argc]) + 1;
	}
	argv[argc] = NULL;
	return argc;
}

/*
 * Apply the daemon's command line to the settings in @config->over. They remain unchanged if the
 * command line is invalid.
 */
static void config_apply_command_line(struct config *config, int argc, char **argv)
{
	struct logd_options before = config->over;

	if (argc && options_read(&logd_syntax, argc, argv, &config->over, NULL) != OPTIONS_READ)
		config->over = before;
}

/*
 * Read and check the configuration that the daemon uses or, if @file is set, only that file. The
 * daemon's command line is ignored if @file is set, because the daemon does not use @file.
 */
static int read_config(struct config *config, const char *file, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(NULL);
	char *argv[WORDS_MAX + 1];
	int argc = file ? 0 : config_get_command_line(config, argv), ret;

	logd_options_init(&config->over);
	config_apply_command_line(config, argc, argv);
	if (config->over.config && *config->over.config == '/')
		file = config->over.config;
	else if (config->over.config)
		print_note("lkstlogd reads another configuration: it was started with -c");
	ret = logd_options_read(&config->opt, &config->conf, file, err);
	if (!ret)
		ret = conf_masksets_check(&config->conf, dev, err);
	config->over = config->opt;
	config_apply_command_line(config, argc, argv);
	lkst_device_close(dev);
	return ret;
}

static void free_config(struct config *config)
{
	lkst_logd_status_free(&config->running);
	conf_free(&config->conf);
	free(config->command_line);
}

/**
 * struct setting - the value of a key
 * @value: value as text; "": none
 * @at: file and line that set the value; @at.file is NULL if the value is not from a file
 * @origin: origin of a value that is not from a file; NULL: the value is the default
 */
struct setting {
	char value[1024];
	struct conf_location at;
	const char *origin;
};

static void config_get_setting(const struct config *config, size_t i, struct setting *setting)
{
	const struct option_row *row = &config->conf.row[i];
	char configured[sizeof(setting->value)];

	*setting = (struct setting){ .at = config->conf.key[i] };
	option_text(row, &config->opt, configured, sizeof(configured));
	option_text(row, &config->over, setting->value, sizeof(setting->value));
	if (strcmp(configured, setting->value) != 0) {
		setting->at.file = NULL;
		setting->origin = "command line of lkstlogd";
	}
	/* A size of 0 means that the user gave no limit: show the limit that the daemon uses. */
	if (row->kind != OPTION_SIZE || strcmp(setting->value, "0") != 0)
		return;
	setting->value[0] = 0;
	setting->origin = "depends on the file system";
	if (row->offset == offsetof(struct logd_options, total) && config->over.limit)
		setting->origin = "10 files for each CPU";
	if (config->running.limit)
		lkst_size_text(row->offset == offsetof(struct logd_options, limit) ?
				       config->running.limit :
				       config->running.total,
			       setting->value, sizeof(setting->value));
}

/* ---- output as text, in the format of the configuration file ---- */

enum {
	COLUMN = 40, /* column in which the comment with the origin of a setting begins */
};

static void config_put_line(const char *line, const struct conf_location *at, const char *origin)
{
	char text[4096];

	lkst_printable(line, strlen(line), text, sizeof(text));
	printf("%-*s # ", COLUMN, text);
	if (!at->file) {
		puts(origin ? origin : "default");
		return;
	}
	lkst_printable(at->file, strlen(at->file), text, sizeof(text));
	printf("%s:%u\n", text, at->line);
}

static void config_put_pair(const char *key, const char *value, const struct conf_location *at,
			    const char *origin)
{
	char line[2048];

	snprintf(line, sizeof(line), "%s = %s", key, value);
	config_put_line(line, at, origin);
}

static void config_put_key(const struct config *config, size_t i)
{
	struct setting setting;
	char key[64];

	config_get_setting(config, i, &setting);
	snprintf(key, sizeof(key), "%s%s", *setting.value ? "" : "#", config->conf.row[i].name);
	config_put_pair(key, setting.value, &setting.at, setting.origin);
}

static void config_put_maskset(const struct conf_maskset *maskset)
{
	char line[128];

	snprintf(line, sizeof(line), "[maskset %s]", maskset->name);
	putchar('\n');
	config_put_line(line, &maskset->at, NULL);
	if (maskset->from)
		config_put_pair("from", maskset->from, &maskset->from_at, NULL);
	for (size_t i = 0; i < maskset->rules; i++)
		config_put_pair(maskset->rule[i].events, maskset->rule[i].handler,
				&maskset->rule[i].at, NULL);
}

static void put_config(const struct config *config)
{
	puts("[lkstlogd]");
	for (size_t i = 0; i < config->conf.rows; i++)
		config_put_key(config, i);
	for (size_t i = 0; i < config->conf.masksets; i++)
		config_put_maskset(&config->conf.maskset[i]);
}

/* ---- output as JSON ---- */

static void config_json_location(struct json_object *to, const struct conf_location *at)
{
	if (at->file) {
		json_text(to, "file", at->file);
		json_uint(to, "line", at->line);
	} else {
		json_put(to, "file", NULL);
		json_put(to, "line", NULL);
	}
}

static void config_json_value(struct json_object *to, const struct option_row *row,
			      const char *value)
{
	uint64_t number;

	if (!*value)
		json_put(to, "value", NULL);
	else if (row->kind == OPTION_SWITCH)
		json_flag(to, "value", !strcmp(value, "yes"));
	else if (row->kind == OPTION_SIZE &&
		 !lkst_parse_size("", value, 0, UINT64_MAX, &number, NULL))
		json_uint(to, "value", number);
	else if (row->kind == OPTION_NUMBER && !lkst_parse_u64("", value, &number, NULL))
		json_uint(to, "value", number);
	else
		json_text(to, "value", value);
}

static struct json_object *config_json_key(const struct config *config, size_t i)
{
	const struct option_row *row = &config->conf.row[i];
	struct json_object *to = json_new();
	struct setting setting;

	config_get_setting(config, i, &setting);
	json_text(to, "key", row->name);
	config_json_value(to, row, setting.value);
	config_json_location(to, &setting.at);
	json_text(to, "from",
		  setting.at.file ? "file" :
		  setting.origin  ? setting.origin :
				    "default");
	return to;
}

static struct json_object *config_json_maskset(const struct conf_maskset *maskset)
{
	struct json_object *to = json_new(), *rules = json_list(), *rule;

	json_text(to, "name", maskset->name);
	config_json_location(to, &maskset->at);
	if (maskset->from)
		json_text(to, "from", maskset->from);
	else
		json_put(to, "from", NULL);
	for (size_t i = 0; i < maskset->rules; i++) {
		rule = json_new();
		json_text(rule, "events", maskset->rule[i].events);
		json_text(rule, "evhandler", maskset->rule[i].handler);
		config_json_location(rule, &maskset->rule[i].at);
		json_add(rules, rule);
	}
	json_put(to, "rules", rules);
	return to;
}

static struct json_object *json_config(const struct config *config)
{
	struct json_object *to = json_new(), *files = json_list(), *keys = json_list(),
			   *masksets = json_list(), *errors = json_list();

	for (size_t i = 0; i < config->conf.files; i++)
		json_add_text(files, config->conf.file[i]);
	for (size_t i = 0; i < config->conf.rows; i++)
		json_add(keys, config_json_key(config, i));
	for (size_t i = 0; i < config->conf.masksets; i++)
		json_add(masksets, config_json_maskset(&config->conf.maskset[i]));
	for (size_t i = 0; i < config->conf.errors; i++)
		json_add_text(errors, config->conf.error[i]);
	json_put(to, "files", files);
	json_put(to, "lkstlogd", keys);
	json_put(to, "masksets", masksets);
	json_put(to, "errors", errors);
	return to;
}

/* ---- the command ---- */

static int show_config(const struct config *config, const struct config_args *args,
		       struct lkst_error *err)
{
	if (args->json && json_print(json_config(config), err))
		return -1;
	if (!args->json && !args->check)
		put_config(config);
	fflush(stdout);
	for (size_t i = 0; i < config->conf.errors; i++)
		print_note(config->conf.error[i]);
	return 0;
}

int trc_config(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_FLAG(0, "check", struct config_args, check, "only print errors"),
		OPT_JSON(struct config_args, json),
	};
	static const struct syntax syntax = {
		.usage = "[--check] [--json] [FILE]",
		.about =
			"Check the configuration (/etc/lkst.conf and /etc/lkst.d/*.conf, or FILE before\n"
			"you install it), and show the settings of lkstlogd and where each of them is\n"
			"set. The exit status is 1 if the configuration has errors.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
	};
	struct config_args args = { 0 };
	struct config config = { 0 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (argc - optind > 1)
		return usage("unexpected argument \"%s\"", argv[optind + 1]);
	ret = read_config(&config, argv[optind], &err);
	if (!ret)
		ret = show_config(&config, &args, &err);
	if (ret)
		fail(&err);
	else
		ret = config.conf.errors > 0;
	free_config(&config);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
