// SPDX-License-Identifier: GPL-2.0
/* lkstm: control masksets (specification 4.7.3.2.1). */
#include "cli/command.h"
#include "maskset.h"

static const struct command commands[] = {
	{ "list/ls", maskset_list, "list all masksets" },
	{ "read", maskset_read, "show what a maskset records" },
	{ "write", maskset_write, "write a maskset" },
	{ "copy/cp", maskset_copy, "copy a maskset to a new one" },
	{ "config/conf", maskset_config, "change what a maskset records of some events" },
	{ "rule", maskset_rule, "record events only under a condition" },
	{ "limit", maskset_limit, "record only events of processes, CPUs, users or cgroups" },
	{ "event", maskset_event, "add events to the kernel: tracepoints, functions" },
	{ "hist", maskset_hist, "print the histograms of rules" },
	{ "set", maskset_set, "select a maskset" },
	{ "find", maskset_find, "find the id of a maskset by its name" },
	{ "delete/del", maskset_delete, "delete a maskset" },
	{ "all", maskset_all, "list all masksets and show what they record" },
};

int main(int argc, char **argv)
{
	static const struct program program = {
		.name = "lkstm",
		.title = "control masksets of the Linux Kernel State Tracer",
		.commands = commands,
		.num = sizeof(commands) / sizeof(*commands),
	};

	return program_main(&program, argc, argv);
}
