// SPDX-License-Identifier: GPL-2.0
/*
 * The command "lkst" of crash(8): the events that the kernel had recorded. Whatever crash reads memory
 * from, LKST's data is looked for in that memory, and "lkstbuf print" prints it.
 */
#include <crash/defs.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "memory.h"

static char *help[] = {
	"lkst",
	"the events that LKST has recorded",
	"[options of \"lkstbuf print\"]",
	"  Looks for the data of LKST, the Linux Kernel State Tracer, in the machine's memory and",
	"  prints the events, the newest first. \"!lkstbuf print --help\" has the options, among them:",
	"",
	"    -n COUNT   so many events",
	"    -r         the oldest first",
	"    -c CPUS    of these CPUs",
	"    -e EVENTS  these event types",
	"    -p WHO     of these threads",
	"",
	"EXAMPLES",
	"  The last ten events:",
	"",
	"    %s> lkst -n 10",
	NULL
};

/* As lkstbuf wants it: crash tells of errors by itself otherwise, and leaves the command. */
static bool read_memory(void *buf, size_t len, unsigned long long at)
{
	return readmem(at, PHYSADDR, buf, (long)len, "LKST", RETURN_ON_ERROR | QUIET);
}

/* Page frames beyond the last one that the kernel knows hold nothing. */
static unsigned long long end_of_memory(void)
{
	unsigned long frames;

	readmem(symbol_value("max_pfn"), KVADDR, &frames, sizeof(frames), "max_pfn",
		FAULT_ON_ERROR);
	return (unsigned long long)frames * PAGESIZE();
}

static void print_events(const struct machine_memory *memory)
{
	char path[32], *print[MAXARGS + 4] = { "lkstbuf", "print", "-f", path };
	int fd = trace_of_memory(memory);

	if (fd < 0 || fcntl(fd, F_SETFD, 0)) /* it stays open for lkstbuf */
		_exit(EXIT_FAILURE);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	memcpy(print + 4, args + 1, (argcnt - 1) * sizeof(*args));
	execvp(*print, print);
	fprintf(stderr, "lkst: lkstbuf: %s: the package lkst-tools has it\n", strerror(errno));
	_exit(EXIT_FAILURE);
}

/*
 * In a process of its own: Ctrl-C, a pager that is left and what LKST's library has in use do
 * not concern crash then.
 */
static void cmd_lkst(void)
{
	struct machine_memory memory = { .size = end_of_memory(), .read = read_memory };
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		error(FATAL, "lkst: fork: %s\n", strerror(errno));
	if (!child) {
		signal(SIGINT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		dup2(fileno(fp), STDOUT_FILENO);
		print_events(&memory);
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

static struct command_table_entry commands[] = {
	{ "lkst", cmd_lkst, help, 0 },
	{ NULL },
};

void __attribute__((constructor)) lkst_init(void)
{
	register_extension(commands);
}
