/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the command lines and descriptors of the running processes for a trace. */
#ifndef _LKST_LIB_LIVE_FILES_H
#define _LKST_LIB_LIVE_FILES_H

#include "lib/lkst.h"

/* Limits. Documentation/lkst/trace-file.rst states them. */
#define LIVE_FILES_EACH	 1024 /* descriptors of a process */
#define LIVE_FILES_ALL	 65536 /* descriptors of all processes */
#define LIVE_FILES_BYTES (4u << 20) /* text of all processes */
#define LIVE_FILES_NAME	 1023 /* bytes of a name or of a command line */

/**
 * struct live_files - what to read, and what could not be read
 * @root: prefix for /proc; "": none
 * @no_names: read only the command lines; set if the descriptors would be of no use, because the
 *	kernel does not record what changes them
 * @max: length of the text, in bytes, at which no further process is added; 0: LIVE_FILES_BYTES.
 *	The process that is added last may exceed it
 * @processes: set to the number of processes that were left out because of a limit
 * @descriptors: set to the number of descriptors that were left out because of a limit
 * @denied: set to the number of processes that this program may not examine
 */
struct live_files {
	const char *root;
	bool no_names;
	size_t max;
	uint64_t processes;
	uint64_t descriptors;
	uint64_t denied;
};

char *live_files_text(struct live_files *files, struct lkst_device *dev, size_t *len,
		      struct lkst_error *err);
bool live_files_problem(const struct live_files *files, char *text, size_t size);

#endif
