// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf list. */
#include <stdlib.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/show.h"

struct list_arguments {
	int64_t cpu;
	bool verbose;
	bool json;
};

static const struct option_row rows[] = {
	OPT_NUMBER('c', "cpu", "CPU", struct list_arguments, cpu, 0, INT32_MAX, "CPU",
		   "buffers of this CPU; default: of all"),
	OPT_FLAG('v', "verbose", struct list_arguments, verbose,
		 "show all columns"),
	OPT_JSON(struct list_arguments, json),
};

static const struct syntax syntax = {
	.usage = "[-c CPU] [-v] [--json]",
	.about = "List kernel event buffers, long rings and histories.\n",
	SYNTAX_ROWS(rows),
};

static int list_as_json(struct lkst_device *dev, int32_t cpu, struct lkst_error *err)
{
	struct json_object *list;

	return json_buffers(dev, cpu, &list, err) || json_print(list, err) ? -1 : 0;
}

int buffer_list(int argc, char **argv)
{
	struct list_arguments args = { .cpu = -1 };
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = args.json ? list_as_json(dev, (int32_t)args.cpu, &err) :
			  show_buffers(dev, (int32_t)args.cpu, args.verbose, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
