// SPDX-License-Identifier: LGPL-2.1
/* Creates temporary files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "error.h"
#include "temporary.h"

/**
 * lkst_temporary_dir() - get the directory for temporary files
 */
const char *lkst_temporary_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/**
 * lkst_temporary_file() - make an unnamed file, which is deleted when it is closed
 * @err: set on failure
 *
 * The file is in lkst_temporary_dir() or, if no unnamed file can be created there, in memory.
 *
 * Return: file descriptor; -1 on error.
 */
int lkst_temporary_file(struct lkst_error *err)
{
	int fd;

	fd = open(lkst_temporary_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = memfd_create("lkst", MFD_CLOEXEC);
	if (fd < 0)
		lkst_error_system(err, errno, "temporary file", "create");
	return fd;
}
