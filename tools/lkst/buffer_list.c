// SPDX-License-Identifier: GPL-2.0
/* lkstbuf list. */
#include <stdlib.h>

#include "buffer.h"
#include "command.h"
#include "show.h"

int buffer_list(int argc, char **argv)
{
	static const char help[] = "Usage: lkstbuf list [-c CPU] [-v]\n\n"
				   "List kernel event buffers.\n\n"
				   "  -c CPU  those of this CPU; default: all\n"
				   "  -v      with everything that is known of them\n";
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	bool verbose = false;
	struct lkst_device *dev;
	struct lkst_error err;
	long cpu = -1;
	int c, ret;

	while ((c = option_next(argc, argv, ":c:vh", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'c':
			if (lkst_parse_range("CPU", optarg, 0, INT32_MAX, &cpu, &err))
				return usage("%s", err.text);
			break;
		case 'v':
			verbose = true;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = show_buffers(dev, (int32_t)cpu, verbose, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
