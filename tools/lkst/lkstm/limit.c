// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm limit: limit a maskset to processes, CPUs, users or cgroups, or list its limit. The kernel
 * takes a limit as words: "pid 812,900 children cpu 0-3 uid 1000 cgroup /path".
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
#include "lib/device/limits.h"
#include "maskset.h"

/**
 * struct limit_options - command line of lkstm limit
 * @choice: maskset, as named on the command line
 * @pids: IDs of processes
 * @children: also the children of the processes
 * @cpus: list of CPUs
 * @uids: IDs of users
 * @cgroups: paths of cgroups
 * @clear: remove the limit
 * @list: print the limit
 * @json: print the limit as JSON
 */
struct limit_options {
	struct maskset_choice choice;
	const char *pids;
	bool children;
	const char *cpus;
	const char *uids;
	struct option_words cgroups;
	bool clear;
	bool list;
	bool json;
};

/* ---- writing ---- */

static void limit_add_word(FILE *to, const char *word, const char *value)
{
	if (value)
		fprintf(to, "%s %s ", word, value);
}

/*
 * Convert a path to the form that the kernel uses: relative to the mount point of the cgroup file
 * system, which is nearly always /sys/fs/cgroup.
 */
static const char *limit_cgroup(const char *path)
{
	static const char mount[] = "/sys/fs/cgroup";
	size_t len = sizeof(mount) - 1;

	if (strncmp(path, mount, len) || (path[len] && path[len] != '/'))
		return path;
	return path[len] ? path + len : "/";
}

/* Return the limit as a text, which the caller must free; NULL if an allocation fails. */
static char *limit_text(const struct limit_options *opt)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	limit_add_word(to, "pid", opt->pids);
	if (opt->children)
		fputs("children ", to);
	limit_add_word(to, "cpu", opt->cpus);
	limit_add_word(to, "uid", opt->uids);
	for (size_t i = 0; i < opt->cgroups.num; i++)
		limit_add_word(to, "cgroup", limit_cgroup(opt->cgroups.word[i]));
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	if (size)
		text[size - 1] = 0;
	return text;
}

static int limit_write(const struct limit_options *opt, struct lkst_device *dev,
		       lkst_maskset_id id, struct lkst_error *err)
{
	char *text = limit_text(opt);
	int ret = -1;

	if (!text)
		lkst_error_memory(err, "the limit");
	else if (!maskset_check_writable(id, err) && !lkst_masksets_lock(dev, err))
		ret = lkst_limit_write(dev, id, text, err);
	free(text);
	return ret;
}

/* ---- listing ---- */

/*
 * Return a limit as JSON, with a member for each word of the text. The text is modified. If another
 * program has written the limit, several blanks may separate its words.
 */
static struct json_object *limit_json(char *text)
{
	struct json_object *limit = json_new(), *cgroups = NULL;
	char *next = NULL, *value;

	for (char *word = strtok_r(text, " \t\n", &next); word; word = strtok_r(NULL, " \t\n", &next)) {
		if (!strcmp(word, "children")) {
			json_flag(limit, "children", true);
			continue;
		}
		value = strtok_r(NULL, " \t\n", &next);
		if (!value)
			break;
		if (strcmp(word, "cgroup")) {
			json_text(limit, word, value);
			continue;
		}
		if (!cgroups)
			cgroups = json_list();
		json_add_text(cgroups, value);
	}
	if (cgroups)
		json_put(limit, "cgroup", cgroups);
	return limit;
}

static int limit_print_json(lkst_maskset_id id, char *text, struct lkst_error *err)
{
	struct json_object *value = json_new();

	json_int(value, "id", id);
	json_put(value, "limit", *text ? limit_json(text) : NULL);
	return json_print(value, err);
}

static int limit_list(const struct limit_options *opt, struct lkst_device *dev, lkst_maskset_id id,
		      struct lkst_error *err)
{
	static char shown[4 * LKST_LIMIT_TEXT_MAX + 1];
	char *text = lkst_limit_read(dev, id, err);
	int ret = 0;

	if (!text)
		return -1;
	if (opt->json)
		ret = limit_print_json(id, text, err);
	else if (*text)
		printf("%s\n", lkst_printable(text, strlen(text), shown, sizeof(shown)));
	free(text);
	return ret;
}

/* ---- the command line ---- */

static int limit_run(const struct limit_options *opt, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	lkst_maskset_id id = dev ? maskset_chosen(dev, &opt->choice, err) : -1;
	int ret = -1;

	if (id >= 0)
		ret = opt->list ? limit_list(opt, dev, id, err) : limit_write(opt, dev, id, err);
	lkst_device_close(dev);
	return ret;
}

/* Check which options were given together. Returns 0 or the exit status of an error. */
static int limit_check(const struct limit_options *opt)
{
	bool limits = opt->pids || opt->children || opt->cpus || opt->uids || opt->cgroups.num;

	if (opt->choice.id >= 0 && opt->choice.name)
		return usage("only one of -m and -n can be given");
	if (limits + opt->clear + opt->list != 1)
		return usage("want one of a limit, --clear and --list");
	if (opt->json && !opt->list)
		return usage("--json needs --list");
	if (opt->children && !opt->pids)
		return usage("--children needs --pid");
	return 0;
}

int maskset_limit(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct limit_options,
			       "maskset with this id; default: the selected one"),
		OPT_MASKSET_NAME(struct limit_options, "maskset with this name"),
		OPT_TEXT('p', "pid", "PIDS", struct limit_options, pids,
			 "processes, with all of their threads: 812,900"),
		OPT_FLAG(0, "children", struct limit_options, children,
			 "also the children of these processes, their children and so on"),
		OPT_TEXT('c', "cpu", "CPUS", struct limit_options, cpus, "CPUs: 0-3,7"),
		OPT_TEXT('u', "uid", "UIDS", struct limit_options, uids,
			 "threads with these effective user IDs: 1000,1001"),
		OPT_WORDS(0, "cgroup", "PATH", struct limit_options, cgroups,
			  "threads in this cgroup, or below; can be given repeatedly"),
		OPT_FLAG(0, "clear", struct limit_options, clear, "end the limit"),
		OPT_FLAG('l', "list", struct limit_options, list, "print the limit"),
		OPT_JSON(struct limit_options, json),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID | -n NAME] OPTION...\n"
			 "[-m ID | -n NAME] --clear\n"
			 "[-m ID | -n NAME] --list [--json]",
		.about = "Limit a maskset to events of processes, CPUs, users or cgroups.\n",
		SYNTAX_ROWS(rows),
	};
	struct limit_options opt = { .choice.id = -1 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	ret = limit_check(&opt);
	if (ret)
		return ret;
	return limit_run(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}
