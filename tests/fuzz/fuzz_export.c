// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes lkstbuf export with damaged traces, after their checksums have been corrected. The size of
 * the input chooses the format and the options.
 */
#include <stdio.h>
#include <string.h>

#include "command_main.h"
#include "fuzz.h"

#define TO "-o", "/dev/null"

/* "A" is the trace. */
static const char *const commands[][12] = {
	{ "export", "--format", "perfetto", "-f", "A", TO },
	{ "export", "--format", "perfetto", "-f", "A", TO, "-c", "0" },
	{ "export", "--format", "perfetto", "-f", "A", TO, "-e", "!process_contextswitch" },
	{ "export", "--format", "chrome", "-f", "A", TO },
	{ "export", "--format", "folded", "-f", "A", TO },
	{ "export", "--format", "trace.dat", "-f", "A", TO },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const *command = commands[size % COMMANDS];
	int fd = signed_file(data, size);
	const char *words[12 + 1] = { NULL };
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (int i = 0; command[i]; i++)
		words[i] = strcmp(command[i], "A") ? command[i] : path;
	run_lkstbuf(words);
	close(fd);
	return 0;
}
