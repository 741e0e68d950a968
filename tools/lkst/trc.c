// SPDX-License-Identifier: GPL-2.0
/* lkst all, status, start, stop. */
#include <stdlib.h>

#include "command.h"
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
		"  --no-state-dump  do not record the name and state of every thread\n";
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
