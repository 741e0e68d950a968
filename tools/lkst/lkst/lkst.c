// SPDX-License-Identifier: GPL-2.0
/* lkst: control the status of LKST (specification 4.7.3.1.1). */
#include "cli/command.h"
#include "control.h"

static const struct command commands[] = {
	{ "status/stat", trc_status, "show what LKST is doing" },
	{ "all", trc_all, "show the status and all buffers, masksets and event handlers" },
	{ "start", trc_start, "start event tracing" },
	{ "stop", trc_stop, "stop event tracing" },
	{ "dump", trc_dump, "record the name and state of every thread" },
	{ "config", trc_config, "check the configuration, and show the settings in effect" },
	{ "watch", trc_watch, "measure the time between two events, and act if it is too long" },
	{ "run-user-events", trc_run_user_events, "run a program, and record its user events" },
};

int main(int argc, char **argv)
{
	static const struct program program = {
		.name = "lkst",
		.title = "control the Linux Kernel State Tracer",
		.commands = commands,
		.num = sizeof(commands) / sizeof(*commands),
	};

	return program_main(&program, argc, argv);
}
