// SPDX-License-Identifier: GPL-2.0
/* lkstlogger: tell LKST that an event has occurred (specification 4.7.3.5.1). */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lib/messages.h"

static const char help[] =
	"lkstlogger - tell the Linux Kernel State Tracer that an event has occurred\n\n"
	"Usage: lkstlogger -ev TYPE [-a1 DATA] [-a2 DATA] [-a3 DATA] [-a4 DATA]\n"
	"       lkstlogger version/ver\n"
	"       lkstlogger help\n\n"
	"  -ev TYPE          event type: name, or number (0x100 to 0x1ff are for users)\n"
	"  -a1 DATA ... -a4  arguments, 64 bits: decimal, negative or hexadecimal with\n"
	"                    0x; default: 0\n\n"
	"An event that the selected maskset masks is not recorded, which is no failure.\n"
	"Manual: lkstlogger(8).\n";

enum {
	OPTION_EV = OPTION_LONG,
	OPTION_A1,
	OPTION_A2,
	OPTION_A3,
	OPTION_A4
};

static int parse_arguments(const char *const data[4], const char *type,
			   struct lkst_entry_args *args, struct lkst_error *err)
{
	static const char *const what[] = { "-a1", "-a2", "-a3", "-a4" };
	uint64_t value[4] = { 0 };
	const struct lkst_etype *found;
	struct lkst_etypes *types;

	for (int i = 0; i < 4; i++)
		if (data[i] && lkst_parse_u64(what[i], data[i], &value[i], err))
			return -1;
	types = lkst_etypes_system(err);
	if (!types)
		return -1;
	memset(args, 0, sizeof(*args));
	args->event_type = lkst_etypes_find(types, type, err);
	found = args->event_type < 0 ? NULL : lkst_etype(types, (uint32_t)args->event_type);
	if (found && !found->present) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ABSENT, found->name, found->number);
		args->event_type = -1;
	}
	args->log_arg1 = value[0];
	args->log_arg2 = value[1];
	args->log_arg3 = value[2];
	args->log_arg4 = value[3];
	lkst_etypes_free(types);
	return args->event_type < 0 ? -1 : 0;
}

static int log_event(const char *const data[4], const char *type)
{
	struct lkst_entry_args args;
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (parse_arguments(data, type, &args, &err))
		return fail(&err);
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = lkst_entry_log(dev, &args, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "ev", required_argument, NULL, OPTION_EV },
		{ "a1", required_argument, NULL, OPTION_A1 },
		{ "a2", required_argument, NULL, OPTION_A2 },
		{ "a3", required_argument, NULL, OPTION_A3 },
		{ "a4", required_argument, NULL, OPTION_A4 },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	const char *data[4] = { NULL }, *type = NULL;
	int c, at = optind;

	while ((c = getopt_long_only(argc, argv, "+:", longs, NULL)) != -1) {
		switch (c) {
		case OPTION_EV:
			type = optarg;
			break;
		case OPTION_A1:
		case OPTION_A2:
		case OPTION_A3:
		case OPTION_A4:
			data[c - OPTION_A1] = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		case 'v':
			return program_version();
		case ':':
			return usage("option \"%s\" needs a value", argv[optind - 1]);
		default:
			return usage("unknown option \"%s\"", argv[at]);
		}
		at = optind;
	}
	if (argc == 2 && optind == 1) {
		if (!strcmp(argv[1], "help")) {
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
		if (!strcmp(argv[1], "version") || !strcmp(argv[1], "ver"))
			return program_version();
	}
	if (optind < argc)
		return usage("what is \"%s\" for?", argv[optind]);
	if (!type)
		return usage("-ev says which event has occurred");
	return log_event(data, type);
}

int main(int argc, char **argv)
{
	program_begin("lkstlogger");
	return program_end(run(argc, argv));
}
