// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the trace files that a command line names, as operands or with an option. If it names a
 * directory, all traces in the directory are used or, if it has no trace, all files of kmemtrace.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "options.h"
#include "trace_files.h"

/**
 * trace_files_add() - add a file to the list
 * @files: list
 * @path: name of the file; it is copied, but not checked
 * @err: set if an allocation fails
 */
int trace_files_add(struct trace_files *files, const char *path, struct lkst_error *err)
{
	const char **grown = realloc(files->path, (files->num + 1) * sizeof(*grown));
	char *copy = grown ? strdup(path) : NULL;

	if (grown)
		files->path = grown;
	if (!copy) {
		lkst_error_memory(err, path);
		return -1;
	}
	files->path[files->num++] = copy;
	return 0;
}

static bool is_trace(const char *path)
{
	struct stat st;
	bool is_one;
	int fd;

	/* Opening a FIFO would disturb its writer. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	is_one = fd >= 0 && lkst_trace_is_one(fd);
	if (fd >= 0)
		close(fd);
	return is_one;
}

static bool is_kmemtrace(const char *path)
{
	return kmemtrace_kind(path) == KMEMTRACE_EVENTS;
}

static int trace_files_add_entry(struct trace_files *files, const char *dir, const char *name,
				 bool (*wanted)(const char *path), struct lkst_error *err)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		lkst_error_memory(err, dir);
		return -1;
	}
	ret = wanted(path) ? trace_files_add(files, path, err) : 0;
	free(path);
	return ret;
}

/* Add the wanted files in a directory. */
static int trace_files_add_wanted(struct trace_files *files, const char *dir,
				  bool (*wanted)(const char *path), struct lkst_error *err)
{
	struct dirent **entry;
	int num = scandir(dir, &entry, NULL, versionsort), ret = 0;

	if (num < 0) {
		lkst_error_system(err, errno, dir, "open");
		return -1;
	}
	for (int i = 0; i < num; i++) {
		if (!ret)
			ret = trace_files_add_entry(files, dir, entry[i]->d_name, wanted, err);
		free(entry[i]);
	}
	free(entry);
	return ret;
}

static int trace_files_add_directory(struct trace_files *files, const char *dir,
				     struct lkst_error *err)
{
	const size_t before = files->num;

	if (trace_files_add_wanted(files, dir, is_trace, err))
		return -1;
	if (files->num == before && trace_files_add_wanted(files, dir, is_kmemtrace, err))
		return -1;
	if (files->num > before)
		return 0;
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_NO_TRACE_IN, dir);
	return -1;
}

static int add_file(struct trace_files *files, const char *path, struct lkst_error *err)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode) ?
		       trace_files_add_directory(files, path, err) :
		       trace_files_add(files, path, err);
}

/* Raise the limit on open files: all files of a trace stay open until the trace is closed. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/**
 * trace_files_take() - list the files that the command line names
 * @files: result; must be empty
 * @words: files that are named with an option
 * @operands: operands, terminated by NULL
 * @hint: end of the message about an operand that is not a file
 * @err: set on failure
 */
int trace_files_take(struct trace_files *files, const struct option_words *words, char **operands,
		     const char *hint, struct lkst_error *err)
{
	for (size_t i = 0; i < words->num; i++)
		if (add_file(files, words->word[i], err))
			return -1;
	for (; *operands; operands++) {
		if (access(*operands, F_OK) && errno == ENOENT && strcmp(*operands, "-") != 0) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_NO_SUCH_FILE, *operands, hint);
			return -1;
		}
		if (add_file(files, *operands, err))
			return -1;
	}
	if (files->num > 1)
		allow_files();
	return 0;
}

/**
 * trace_files_check_cpu() - check that the files have records of the CPU given with -c
 * @files: files; if there are no files, the input is not a trace file, and nothing is checked
 * @cpu: from -c; -1: all
 * @trace: trace that consists of the files
 * @err: set if the CPU is missing; lists the CPUs that exist
 */
int trace_files_check_cpu(const struct trace_files *files, int32_t cpu,
			  const struct lkst_trace *trace, struct lkst_error *err)
{
	const char *file = files->num == 1 ? files->path[0] : "the files";
	char cpus[256];

	if (!files->num || cpu < 0 || lkst_trace_has_cpu(trace, cpu))
		return 0;
	lkst_trace_cpu_text(trace, cpus, sizeof(cpus));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU_IN,
		       strcmp(file, "-") ? file : "standard input", (long)cpu, cpus);
	return -1;
}

/**
 * trace_files_have() - find out whether a file is in the list
 * @files: files
 * @path: name of a file, which need not exist
 *
 * A command that replaces its output uses this in order not to replace the trace that it reads.
 *
 * Return: whether one of the files is the same regular file, even by another name.
 */
bool trace_files_have(const struct trace_files *files, const char *path)
{
	struct stat wanted, st;

	if (!strcmp(path, "-") || stat(path, &wanted) || !S_ISREG(wanted.st_mode))
		return false;
	for (size_t i = 0; i < files->num; i++)
		if (!stat(files->path[i], &st) && st.st_dev == wanted.st_dev &&
		    st.st_ino == wanted.st_ino)
			return true;
	return false;
}

/**
 * trace_files_free() - free the list
 * @files: from trace_files_take()
 */
void trace_files_free(struct trace_files *files)
{
	for (size_t i = 0; i < files->num; i++)
		free((void *)files->path[i]);
	free(files->path);
}
