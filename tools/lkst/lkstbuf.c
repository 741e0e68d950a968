// SPDX-License-Identifier: GPL-2.0
/* lkstbuf: control kernel event buffers (specification 4.7.3.3.2). */
#include "buffer.h"
#include "command.h"

static const struct command commands[] = {
	{ "link/ln", buffer_link, "change where a shift from a buffer leads" },
	{ "shift", buffer_shift, "go on recording in the next buffer" },
	{ "jump", buffer_jump, "go on recording in a certain buffer" },
	{ "create", buffer_create, "create a kernel event buffer" },
	{ "delete/del", buffer_delete, "delete a kernel event buffer" },
	{ "list/ls", buffer_list, "list kernel event buffers" },
	{ "read", buffer_read, "read kernel event buffers into a trace file" },
	{ "find", buffer_find, "tell which LKST data an image of memory holds" },
	{ "previous", buffer_previous, "list what previous boots have left in memory" },
	{ "print", buffer_print, "print a trace file or the kernel's buffers" },
};

int main(int argc, char **argv)
{
	static const struct program program = {
		.name = "lkstbuf",
		.title = "control kernel event buffers of the Linux Kernel State Tracer",
		.commands = commands,
		.num = sizeof(commands) / sizeof(*commands),
	};

	return program_main(&program, argc, argv);
}
