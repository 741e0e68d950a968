// SPDX-License-Identifier: GPL-2.0
/*
 * lkst run-user-events: runs a program so that it uses LKST's files instead of the files of the
 * kernel's user_events. For this, it preloads the library of preload/user_events.c.
 */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "control.h"
#include "lib/base/error.h"
#include "messages.h"

#define RUN_DEVICE  "/dev/lkst_user_events"
#define RUN_LIBRARY "lkst/liblkst-user-events.so"
#define RUN_PRELOAD "LD_PRELOAD"

/* Exit status if the program cannot be run, as in shells and env(1) */
enum {
	RUN_FOUND = 126,
	RUN_NOT_FOUND = 127,
};

/*
 * Find the library: next to the command in the directory where it was built, otherwise where it is
 * installed.
 */
static int run_find_library(char path[PATH_MAX], struct lkst_error *err)
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (len > 0) {
		path[len] = 0;
		slash = strrchr(path, '/');
		if (slash && (size_t)(slash - path) + sizeof("/../lib/" RUN_LIBRARY) <= PATH_MAX) {
			strcpy(slash, "/../lib/" RUN_LIBRARY);
			if (!access(path, R_OK))
				return 0;
		}
	}
	snprintf(path, PATH_MAX, "%s", LKST_LIBDIR "/" RUN_LIBRARY);
	if (!access(path, R_OK))
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_RUN_LIBRARY, path, strerror(errno));
	return -1;
}

/* Add the library to the list of libraries that the program preloads. */
static int run_preload(struct lkst_error *err)
{
	const char *before = getenv(RUN_PRELOAD);
	char path[PATH_MAX], *all;

	if (run_find_library(path, err))
		return -1;
	if (asprintf(&all, "%s%s%s", path, before && *before ? ":" : "", before ? before : "") < 0 ||
	    setenv(RUN_PRELOAD, all, 1)) {
		lkst_error_memory(err, RUN_PRELOAD);
		return -1;
	}
	free(all);
	return 0;
}

/*
 * Print a note if the program cannot open LKST's device file. The program runs nevertheless,
 * because it must work in the same way whether it is traced or not.
 */
static void run_check_device(void)
{
	char group[32], note[512];
	const struct group *of;
	struct stat st;

	if (!access(RUN_DEVICE, R_OK | W_OK))
		return;
	snprintf(note, sizeof(note), MSG_RUN_DEVICE, RUN_DEVICE, strerror(errno));
	if (errno == EACCES && !stat(RUN_DEVICE, &st)) {
		of = getgrgid(st.st_gid);
		snprintf(group, sizeof(group), "%u", (unsigned int)st.st_gid);
		snprintf(note, sizeof(note), MSG_RUN_ACCESS, RUN_DEVICE,
			 of ? of->gr_name : group);
	}
	print_note(note);
}

int trc_run_user_events(int argc, char **argv)
{
	static const struct syntax syntax = {
		.usage = "-- PROGRAM [ARGUMENT...]",
		.about = "Run a program that uses the kernel's user_events, so that LKST records its\n"
			 "events. If the program opens a path that ends with \"/user_events_data\" or\n"
			 "\"/user_events_status\", it gets LKST's file. The program must be dynamically\n"
			 "linked.\n",
		.operands = true,
	};
	struct lkst_error err;
	int why;

	if (arguments(&syntax, argc, argv, NULL) == OPTION_STOP)
		return option_status;
	if (optind == argc)
		return usage(MSG_RUN_PROGRAM);
	run_check_device();
	if (run_preload(&err))
		return fail(&err);
	why = program_execute(argv + optind);
	lkst_error_set(&err, LKST_ERR_SYSTEM, "%s: %s", argv[optind], strerror(why));
	fail(&err);
	return why == ENOENT ? RUN_NOT_FOUND : RUN_FOUND;
}
