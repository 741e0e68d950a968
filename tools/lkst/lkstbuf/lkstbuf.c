// SPDX-License-Identifier: GPL-2.0
/* lkstbuf: control kernel event buffers (specification 4.7.3.3.2). */
#include "buffer.h"
#include "cli/command.h"

static const struct command commands[] = {
	{ "link/ln", buffer_link, "set the buffer that follows a buffer" },
	{ "shift", buffer_shift, "continue recording in the next buffer" },
	{ "jump", buffer_jump, "continue recording in another buffer" },
	{ "create", buffer_create, "create a kernel event buffer" },
	{ "delete/del", buffer_delete, "delete a kernel event buffer" },
	{ "list/ls", buffer_list, "list kernel event buffers" },
	{ "read", buffer_read, "read kernel event buffers into a trace file" },
	{ "find", buffer_find, "list the LKST data in an image of memory" },
	{ "previous", buffer_previous, "list previous boots in reserved memory" },
	{ "print", buffer_print, "print a trace file or the kernel's buffers" },
	{ "export", buffer_export, "write a trace in the format of another program" },
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
