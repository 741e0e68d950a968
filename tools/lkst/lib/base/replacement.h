/* SPDX-License-Identifier: LGPL-2.1 */
/* A file that gets its name only when it is complete. */
#ifndef _LKST_LIB_BASE_REPLACEMENT_H
#define _LKST_LIB_BASE_REPLACEMENT_H

#include "lib/lkst.h"

/**
 * struct replacement - an output file, or a pipe or device
 * @fd: descriptor to write to
 * @own_fd: the descriptor is closed at the end
 * @path: final name; NULL: the output is written directly
 * @temporary: name until the file is committed; NULL: the output is written directly
 * @hint: end of a message about a failed write: what the file contains now
 */
struct replacement {
	int fd;
	bool own_fd;
	char *path;
	char *temporary;
	const char *hint;
};

int replacement_open(struct replacement *replacement, const char *path, struct lkst_error *err);
int replacement_commit(struct replacement *replacement);
void replacement_abort(struct replacement *replacement);

/* Return whether the output is written directly, so it cannot be discarded. */
static inline bool replacement_direct(const struct replacement *replacement)
{
	return !replacement->temporary;
}

#endif
