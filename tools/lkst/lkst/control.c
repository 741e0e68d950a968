// SPDX-License-Identifier: GPL-2.0
/* The commands lkst all, status, start, stop and dump. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/show.h"
#include "control.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "messages.h"

int trc_status(int argc, char **argv)
{
	return show_listing(
		"Show whether LKST records, with which maskset and clock, what each CPU writes\n"
		"to and reads from, how many events were lost, and what lkstlogd does.\n",
		argc, argv, show_status, json_status);
}

static int lkst_show_all(struct lkst_device *dev, struct lkst_error *err)
{
	if (show_status(dev, err))
		return -1;
	printf("\nBuffers:\n");
	if (show_buffers(dev, -1, false, err))
		return -1;
	printf("\nMasksets:\n");
	if (show_masksets(dev, err))
		return -1;
	printf("\nEvent handlers:\n");
	return show_evhandlers(dev, err);
}

static int lkst_json_all_buffers(struct lkst_device *dev, struct json_object **value,
				 struct lkst_error *err)
{
	return json_buffers(dev, -1, value, err);
}

static int lkst_json_all(struct lkst_device *dev, struct json_object **all, struct lkst_error *err)
{
	static const struct {
		const char *name;
		int (*get)(struct lkst_device *dev, struct json_object **value,
			   struct lkst_error *err);
	} part[] = {
		{ "status", json_status },
		{ "buffers", lkst_json_all_buffers },
		{ "masksets", json_masksets },
		{ "evhandlers", json_evhandlers },
	};
	struct json_object *value;

	*all = json_new();
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		if (part[i].get(dev, &value, err)) {
			json_free(*all);
			return -1;
		}
		json_put(*all, part[i].name, value);
	}
	return 0;
}

int trc_all(int argc, char **argv)
{
	return show_listing(
		"Show the status and the lists of buffers, masksets and event handlers.\n", argc,
		argv, lkst_show_all, lkst_json_all);
}

/*
 * Make a state dump, and print a note if threads were left out: their names may be missing in a
 * trace.
 */
static int lkst_dump(struct lkst_device *dev, struct lkst_error *err)
{
	int left_out = lkst_state_dump(dev, err);
	char text[256];

	if (left_out > 0) {
		snprintf(text, sizeof(text), MSG_DUMP_CUT, left_out);
		print_note(text);
	}
	return left_out < 0 ? -1 : 0;
}

struct start_args {
	bool no_state_dump;
};

static int start(struct lkst_device *dev, const struct start_args *args, struct lkst_error *err)
{
	if (lkst_start(dev, err))
		return -1;
	return args->no_state_dump ? 0 : lkst_dump(dev, err);
}

int trc_start(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_FLAG(0, "no-state-dump", struct start_args, no_state_dump,
			 "do not record the name and state of every thread;\n"
			 "\"lkst dump\" does that on its own"),
	};
	static const struct syntax syntax = {
		.usage = "[--no-state-dump]",
		.about = "Start event tracing with the maskset that was selected when it was "
			 "stopped.\n",
		SYNTAX_ROWS(rows),
	};
	struct start_args args = { 0 };
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = start(dev, &args, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int trc_stop(int argc, char **argv)
{
	static const struct syntax syntax = {
		.usage = "",
		.about = "Stop event tracing. \"lkst start\" continues with the same maskset.\n",
	};

	if (arguments(&syntax, argc, argv, NULL) == OPTION_STOP)
		return option_status;
	return with_device(lkst_stop);
}

/* Check that the selected maskset records state dumps, because the kernel does not check this. */
static int lkst_check_recorded(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct lkst_status status;
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (lkst_maskset_read(dev, LKST_MASKSET_ID_VOID, body, err) ||
	    lkst_status_get(dev, &status, err))
		goto out;
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (body->entry[i].event_type == LKST_ETYPE_PROCESS_STATE &&
		    body->entry[i].id != LKST_EVHANDLER_ID_NONE)
			ret = 0;
	if (ret)
		lkst_error_set(err, LKST_ERR_SYSTEM,
			       status.trc.state == LKST_TRC_RUNNING ? MSG_DUMP_MASKED :
								      MSG_DUMP_STOPPED);
	lkst_status_free(&status);
out:
	free(body);
	return ret;
}

static int lkst_dump_state(struct lkst_device *dev, struct lkst_error *err)
{
	return lkst_check_recorded(dev, err) ? -1 : lkst_dump(dev, err);
}

int trc_dump(int argc, char **argv)
{
	static const struct syntax syntax = {
		.usage = "",
		.about = "Record the name and state of every thread, as \"lkst start\" does: a\n"
			 "process_state event for each, so that the trace also names threads "
			 "that do\n"
			 "nothing.\n",
	};

	if (arguments(&syntax, argc, argv, NULL) == OPTION_STOP)
		return option_status;
	return with_device(lkst_dump_state);
}
