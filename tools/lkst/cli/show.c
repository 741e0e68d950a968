// SPDX-License-Identifier: GPL-2.0
/* Runs a subcommand that prints a list, and formats clocks, times and ids for all lists. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "command.h"
#include "json.h"
#include "options.h"
#include "show.h"

struct listing_args {
	bool json;
};

static const struct option_row listing_rows[] = {
	OPT_JSON(struct listing_args, json),
};

/**
 * show_listing() - run a subcommand that prints a list and takes only --json
 * @about: description for --help
 * @argc: number of entries in @argv
 * @argv: command line of the subcommand
 * @text: prints the list as text
 * @json: returns the list as a JSON value
 *
 * Return: exit status.
 */
int show_listing(const char *about, int argc, char **argv,
		 int (*text)(struct lkst_device *dev, struct lkst_error *err),
		 int (*json)(struct lkst_device *dev, struct json_object **value,
			     struct lkst_error *err))
{
	const struct syntax syntax = {
		.usage = "[--json]",
		.about = about,
		SYNTAX_ROWS(listing_rows),
	};
	struct listing_args args = { 0 };
	struct json_object *value;
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (!args.json)
		return with_device(text);
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = json(dev, &value, &err) || json_print(value, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

/**
 * clock_name() - get the name of a clock
 * @clock: a value of enum lkst_clock
 */
const char *clock_name(uint32_t clock)
{
	switch (clock) {
	case LKST_CLOCK_NS:
		return "ns";
	case LKST_CLOCK_TSC:
		return "tsc";
	}
	return "unknown";
}

/**
 * since_text() - format a time as local date and time
 * @seconds: CLOCK_REALTIME
 * @text: memory for the result
 *
 * Return: @text, or "?" if the time cannot be represented.
 */
const char *since_text(int64_t seconds, char text[32])
{
	time_t time = (time_t)seconds;
	struct tm tm;

	if (!localtime_r(&time, &tm) || !strftime(text, 32, "%Y-%m-%d %H:%M:%S", &tm))
		return "?";
	return text;
}

/**
 * id_text() - format the id of a buffer, or "-" for none
 * @id: id or LKST_BUFFER_ID_VOID
 * @text: memory for the result
 */
const char *id_text(lkst_buffer_id id, char text[16])
{
	if (id == LKST_BUFFER_ID_VOID)
		return "-";
	snprintf(text, 16, "%d", id);
	return text;
}
