// SPDX-License-Identifier: GPL-2.0
/* lkst all, status, start, stop, dump. */
#include <stdlib.h>

#include "command.h"
#include "lib/etype_ids.h"
#include "lib/messages.h"
#include "show.h"
#include "trc.h"

int trc_status(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkst status\n\n"
		"Show whether LKST records, with which maskset and clock, what each CPU writes\n"
		"to and reads from, and how many events were lost.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(show_status);
}

static int show_all(struct lkst_device *dev, struct lkst_error *err)
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

int trc_all(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkst all\n\n"
		"Show the status and the lists of buffers, masksets and event handlers.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(show_all);
}

int trc_start(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkst start [--no-state-dump]\n\n"
		"Start event tracing with the maskset that was selected when it was stopped.\n\n"
		"  --no-state-dump  do not record the name and state of every thread; \"lkst dump\"\n"
		"                   does that on its own\n";
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ "no-state-dump", no_argument, NULL, OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	bool dump = true;
	struct lkst_device *dev;
	struct lkst_error err;
	int c, ret;

	while ((c = option_next(argc, argv, ":", longs, help)) != OPTION_END) {
		if (c == OPTION_STOP)
			return option_status;
		dump = false;
	}
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = lkst_start(dev, &err);
	if (!ret && dump)
		ret = lkst_state_dump(dev, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int trc_stop(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkst stop\n\n"
		"Stop event tracing. \"lkst start\" goes on with the same maskset.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(lkst_stop);
}

/* Whether anything comes of a state dump: the kernel does not tell. */
static int check_recorded(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
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

static int dump_state(struct lkst_device *dev, struct lkst_error *err)
{
	return check_recorded(dev, err) ? -1 : lkst_state_dump(dev, err);
}

int trc_dump(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkst dump\n\n"
		"Record the name and state of every thread, as \"lkst start\" does: an event\n"
		"process_state for each, by which the trace knows threads that do nothing.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(dump_state);
}
