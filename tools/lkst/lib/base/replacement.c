// SPDX-License-Identifier: LGPL-2.1
/*
 * Writes a file under a temporary name in the directory of the output file. The temporary file
 * replaces the output file only when it is complete and on disk, so a failure before then leaves an
 * existing output file intact. If the output is not a regular file (standard output, a pipe, a
 * device), it is written directly.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "messages.h"
#include "replacement.h"

static void replacement_free(struct replacement *replacement)
{
	if (replacement->own_fd && replacement->fd >= 0)
		close(replacement->fd);
	free(replacement->path);
	free(replacement->temporary);
	*replacement = (struct replacement){ .fd = -1, .hint = "" };
}

/*
 * Create the temporary file. If @path is a symbolic link, the new file will replace the target of
 * the link, not the link.
 */
static int replacement_open_temporary(struct replacement *replacement, const char *path,
				      struct lkst_error *err)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (!real && !lstat(path, &st) && S_ISLNK(st.st_mode)) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_DANGLING, path);
		return -1;
	}
	replacement->hint = real ? "; the previous contents of the file are unchanged" :
				   "; no file was created";
	replacement->path = real ? real : strdup(path);
	if (!replacement->path ||
	    asprintf(&replacement->temporary, "%s.XXXXXX", replacement->path) < 0) {
		replacement->temporary = NULL;
		lkst_error_memory(err, path);
		return -1;
	}
	/* With an empty path, mkostemp() would succeed, but the rename at the end would fail. */
	errno = ENOENT;
	replacement->fd = *path ? mkostemp(replacement->temporary, O_CLOEXEC) : -1;
	if (replacement->fd < 0) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_CREATE, *path ? path : "\"\"",
			       strerror(errno));
		free(replacement->temporary);
		replacement->temporary = NULL;
		return -1;
	}
	return 0;
}

/**
 * replacement_open() - begin a file
 * @replacement: result, to be passed to replacement_commit() or replacement_abort() unless this
 *	fails
 * @path: file to replace once it is complete; "-" is standard output
 * @err: set on failure
 */
int replacement_open(struct replacement *replacement, const char *path, struct lkst_error *err)
{
	struct stat st;
	int ret = 0;

	*replacement = (struct replacement){ .fd = STDOUT_FILENO, .hint = "" };
	if (!strcmp(path, "-"))
		return 0;
	replacement->own_fd = true;
	replacement->fd = -1;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		replacement->fd = open(path, O_WRONLY | O_CLOEXEC);
		ret = replacement->fd < 0 ? -1 : 0;
		if (ret)
			lkst_error_system(err, errno, path, "open for writing");
	} else {
		ret = replacement_open_temporary(replacement, path, err);
	}
	if (ret)
		replacement_abort(replacement);
	return ret;
}

/*
 * Synchronize the directory, so that a reset does not lose the new name of the file: once the file
 * is complete, a caller may delete the data from which it was made. Two errors are ignored. EINVAL:
 * the file system cannot synchronize a directory. EACCES: this program may write to the directory,
 * but not read it, which open() requires.
 */
static int replacement_sync_directory(char *path)
{
	char *slash = strrchr(path, '/');
	int dir, ret = 0;

	if (slash)
		slash[slash == path] = 0;
	dir = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return errno == EACCES ? 0 : errno;
	if (fsync(dir) && errno != EINVAL)
		ret = errno;
	close(dir);
	return ret;
}

static int replacement_commit_temporary(struct replacement *replacement)
{
	int failed = 0;

	if (fsync(replacement->fd) && errno != EINVAL)
		failed = errno;
	if (close(replacement->fd) && !failed)
		failed = errno;
	replacement->fd = -1;
	if (!failed && rename(replacement->temporary, replacement->path))
		failed = errno;
	if (failed)
		return failed;
	free(replacement->temporary);
	replacement->temporary = NULL;
	replacement->hint = "";
	return replacement_sync_directory(replacement->path);
}

/**
 * replacement_commit() - complete the file, and give it its final name
 * @replacement: freed if this succeeds
 *
 * Return: 0, or the errno of the failed call, after which the caller must call replacement_abort().
 * An existing file is then unchanged, with two exceptions: the output was written directly, or only
 * the final synchronization of the directory failed.
 */
int replacement_commit(struct replacement *replacement)
{
	int failed = 0;

	if (replacement->temporary) {
		failed = replacement_commit_temporary(replacement);
	} else if (replacement->own_fd) {
		if (close(replacement->fd))
			failed = errno;
		replacement->fd = -1;
	}
	if (!failed)
		replacement_free(replacement);
	return failed;
}

/**
 * replacement_abort() - discard the file
 * @replacement: freed
 */
void replacement_abort(struct replacement *replacement)
{
	if (replacement->temporary)
		unlink(replacement->temporary);
	replacement_free(replacement);
}
