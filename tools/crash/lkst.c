// SPDX-License-Identifier: GPL-2.0
/*
 * The command "lkst" of crash(8), which prints the events that the kernel had recorded. It finds
 * LKST's data in the memory that crash can read, writes a trace of it, and runs "lkstbuf print".
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
	"    -n COUNT   at most this many events",
	"    -r         the oldest first",
	"    -c CPUS    events of these CPUs",
	"    -e EVENTS  these event types",
	"    -p WHO     events of these threads",
	"",
	"EXAMPLES",
	"  The last ten events:",
	"",
	"    %s> lkst -n 10",
	NULL
};

/*
 * Read physical memory. Returns whether it was read: with RETURN_ON_ERROR, crash does not abort the
 * command after an error.
 */
static bool lkst_read_memory(void *buf, size_t len, unsigned long long at)
{
	return readmem(at, PHYSADDR, buf, (long)len, "LKST", RETURN_ON_ERROR | QUIET);
}

/* Return the end of physical memory: the address after the last page frame of the kernel. */
static unsigned long long lkst_end_of_memory(void)
{
	unsigned long frames;

	readmem(symbol_value("max_pfn"), KVADDR, &frames, sizeof(frames), "max_pfn",
		FAULT_ON_ERROR);
	return (unsigned long long)frames * PAGESIZE();
}

static void lkst_print_events(const struct machine_memory *memory)
{
	char path[32], *print[MAXARGS + 4] = { "lkstbuf", "print", "-f", path };
	int fd = trace_of_memory(memory);

	if (fd < 0 || fcntl(fd, F_SETFD, 0)) /* keep the file open for lkstbuf */
		_exit(EXIT_FAILURE);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	memcpy(print + 4, args + 1, (argcnt - 1) * sizeof(*args));
	execvp(*print, print);
	fprintf(stderr, "lkst: cannot run lkstbuf: %s (it is in the package lkst-tools)\n", strerror(errno));
	_exit(EXIT_FAILURE);
}

/*
 * Run the command "lkst". A child process does the work, so that Ctrl-C, a pager that the user
 * quits, and resources of LKST's library do not affect crash.
 */
static void cmd_lkst(void)
{
	struct machine_memory memory = { .size = lkst_end_of_memory(), .read = lkst_read_memory };
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child < 0)
		error(FATAL, "lkst: fork: %s\n", strerror(errno));
	if (!child) {
		signal(SIGINT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		dup2(fileno(fp), STDOUT_FILENO);
		lkst_print_events(&memory);
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
