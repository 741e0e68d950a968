// SPDX-License-Identifier: GPL-2.0
/*
 * A library that "lkst run-user-events" preloads into a program. When the program opens the files
 * of the kernel's user_events, wherever tracefs is mounted, it gets LKST's files instead. All other
 * paths are passed on unchanged.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#ifndef PRELOAD_DATA /* the unit test uses other files */
#define PRELOAD_DATA   "/dev/lkst_user_events"
#define PRELOAD_STATUS "/proc/lkst_user_events_status"
#endif

/*
 * The files to replace. @name is compared with the end of the path that the program opens; @path is
 * opened instead.
 */
static const struct {
	const char *name;
	const char *path;
} preload_files[] = {
	{ "/user_events_data", PRELOAD_DATA },
	{ "/user_events_status", PRELOAD_STATUS },
};

/*
 * Return the path to use instead of @path. A program may pass NULL, although glibc declares the
 * parameter as nonnull. The asm statement keeps the compiler from removing the check for NULL.
 */
static const char *preload_path(const char *path)
{
	const char *name;

	__asm__("" : "+r"(path));
	name = path ? strrchr(path, '/') : NULL;
	for (size_t i = 0; name && i < sizeof(preload_files) / sizeof(*preload_files); i++)
		if (!strcmp(name, preload_files[i].name))
			return preload_files[i].path;
	return path;
}

/*
 * Find the function @name of the C library, which is hidden by the function of this library. The
 * first call stores the result in *@cache for later calls. If the C library lacks the function, for
 * example because it is not glibc, return NULL, with errno set to ENOSYS. This does no harm,
 * because a program cannot have been linked with a function that its C library lacks.
 */
static void *preload_next(void **cache, const char *name)
{
	void *next = __atomic_load_n(cache, __ATOMIC_RELAXED);

	if (next)
		return next;
	next = dlsym(RTLD_NEXT, name);
	if (!next)
		errno = ENOSYS;
	__atomic_store_n(cache, next, __ATOMIC_RELAXED);
	return next;
}

/* Return whether open() has a mode. */
static bool preload_has_mode(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

/*
 * Defines a function with the name and the type of a function of the C library. The arguments after
 * @parameters are passed to the function of the C library. If the C library lacks the function, the
 * result is @failed.
 */
#define DEFINE(type, failed, name, parameters, ...)                         \
	EXPORT type name parameters;                                        \
	EXPORT type name parameters                                         \
	{                                                                   \
		static void *cache;                                         \
		type(*next) parameters = preload_next(&cache, #name);       \
									    \
		return next ? next(__VA_ARGS__) : (failed);                 \
	}

/* The same for a function of the open() family, whose last parameters are the flags and a mode. */
#define DEFINE_OPEN(name, parameters, ...)                                  \
	EXPORT int name parameters;                                         \
	EXPORT int name parameters                                          \
	{                                                                   \
		static void *cache;                                         \
		int (*next) parameters = preload_next(&cache, #name);       \
		mode_t mode = 0;                                            \
									    \
		if (preload_has_mode(flags)) {                              \
			va_list list;                                       \
									    \
			va_start(list, flags);                              \
			mode = va_arg(list, mode_t);                        \
			va_end(list);                                       \
		}                                                           \
		return next ? next(__VA_ARGS__, flags, mode) : -1;          \
	}

DEFINE_OPEN(open, (const char *path, int flags, ...), preload_path(path))
DEFINE_OPEN(open64, (const char *path, int flags, ...), preload_path(path))
DEFINE_OPEN(openat, (int dir, const char *path, int flags, ...), dir, preload_path(path))
DEFINE_OPEN(openat64, (int dir, const char *path, int flags, ...), dir, preload_path(path))

/* Called instead of open() without a mode in programs that are compiled with _FORTIFY_SOURCE */
DEFINE(int, -1, __open_2, (const char *path, int flags), preload_path(path), flags)
DEFINE(int, -1, __open64_2, (const char *path, int flags), preload_path(path), flags)
DEFINE(int, -1, __openat_2, (int dir, const char *path, int flags), dir, preload_path(path), flags)
DEFINE(int, -1, __openat64_2, (int dir, const char *path, int flags), dir, preload_path(path), flags)

DEFINE(FILE *, NULL, fopen, (const char *path, const char *mode), preload_path(path), mode)
DEFINE(FILE *, NULL, fopen64, (const char *path, const char *mode), preload_path(path), mode)
DEFINE(FILE *, NULL, freopen, (const char *path, const char *mode, FILE *stream),
       preload_path(path), mode, stream)
DEFINE(FILE *, NULL, freopen64, (const char *path, const char *mode, FILE *stream),
       preload_path(path), mode, stream)

/* Many programs check that the files exist before they open them. */
DEFINE(int, -1, access, (const char *path, int mode), preload_path(path), mode)
DEFINE(int, -1, eaccess, (const char *path, int mode), preload_path(path), mode)
DEFINE(int, -1, euidaccess, (const char *path, int mode), preload_path(path), mode)
DEFINE(int, -1, faccessat, (int dir, const char *path, int mode, int flags), dir,
       preload_path(path), mode, flags)
DEFINE(int, -1, stat, (const char *path, struct stat *st), preload_path(path), st)
DEFINE(int, -1, stat64, (const char *path, struct stat64 *st), preload_path(path), st)
DEFINE(int, -1, lstat, (const char *path, struct stat *st), preload_path(path), st)
DEFINE(int, -1, lstat64, (const char *path, struct stat64 *st), preload_path(path), st)
DEFINE(int, -1, fstatat, (int dir, const char *path, struct stat *st, int flags), dir,
       preload_path(path), st, flags)
DEFINE(int, -1, fstatat64, (int dir, const char *path, struct stat64 *st, int flags), dir,
       preload_path(path), st, flags)
DEFINE(int, -1, statx,
       (int dir, const char *path, int flags, unsigned int mask, struct statx *stx), dir,
       preload_path(path), flags, mask, stx)

/* Called instead of stat() in programs that were linked with glibc 2.32 or older */
DEFINE(int, -1, __xstat, (int version, const char *path, struct stat *st), version,
       preload_path(path), st)
DEFINE(int, -1, __xstat64, (int version, const char *path, struct stat64 *st), version,
       preload_path(path), st)
DEFINE(int, -1, __lxstat, (int version, const char *path, struct stat *st), version,
       preload_path(path), st)
DEFINE(int, -1, __lxstat64, (int version, const char *path, struct stat64 *st), version,
       preload_path(path), st)
DEFINE(int, -1, __fxstatat, (int version, int dir, const char *path, struct stat *st, int flags),
       version, dir, preload_path(path), st, flags)
DEFINE(int, -1, __fxstatat64,
       (int version, int dir, const char *path, struct stat64 *st, int flags), version, dir,
       preload_path(path), st, flags)
