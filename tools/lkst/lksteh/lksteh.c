// SPDX-License-Identifier: GPL-2.0
/* lksteh: control event handlers (specification 4.7.3.4.1). */
#include "cli/command.h"
#include "cli/show.h"
#include "evhandler.h"

int evhandler_list(int argc, char **argv)
{
	return show_listing("List all event handlers: id and name. For BPF programs, list the id and the\n"
			    "tag of the program, its actions, and counts: how often it has run, dropped\n"
			    "the event, and acted; and events recorded although it could not run, because\n"
			    "it was running already (nested), or because of the context (unsafe).\n",
			    argc, argv, show_evhandlers, json_evhandlers);
}

static const struct command commands[] = {
	{ "list/ls", evhandler_list, "list all event handlers" },
	{ "bpf", evhandler_bpf, "make a BPF program an event handler, or delete it" },
	{ "control/ctrl/c", evhandler_control, "call the control function of an event handler" },
};

int main(int argc, char **argv)
{
	static const struct program program = {
		.name = "lksteh",
		.title = "control event handlers of the Linux Kernel State Tracer",
		.commands = commands,
		.num = sizeof(commands) / sizeof(*commands),
	};

	return program_main(&program, argc, argv);
}
