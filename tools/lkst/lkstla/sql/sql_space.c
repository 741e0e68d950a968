// SPDX-License-Identifier: GPL-2.0
/*
 * Limits the temporary files that SQLite writes when it sorts and groups: a file system for SQLite
 * (a "VFS") that passes everything on to the default one, but counts the bytes. The file system
 * refuses to open files that have a name.
 */
#include <string.h>

#include "sql.h"

/**
 * struct space_file - an open file
 * @base: for SQLite
 * @size: size in bytes
 * @real: the file as the default file system knows it
 */
struct space_file {
	sqlite3_file base;
	sqlite3_int64 size;
	sqlite3_file real[];
};

/* The state of the file system. There is only one, because the program runs only one query. */
static struct space {
	sqlite3_vfs vfs;
	sqlite3_vfs *real;
	sqlite3_int64 used;
	sqlite3_int64 limit;
	bool full;
} space;

static struct space_file *space_of(sqlite3_file *base)
{
	return (struct space_file *)base;
}

static int space_close(sqlite3_file *base)
{
	struct space_file *file = space_of(base);

	space.used -= file->size;
	file->size = 0;
	return file->real->pMethods->xClose(file->real);
}

static int space_read(sqlite3_file *base, void *to, int len, sqlite3_int64 offset)
{
	struct space_file *file = space_of(base);

	return file->real->pMethods->xRead(file->real, to, len, offset);
}

static int space_write(sqlite3_file *base, const void *from, int len, sqlite3_int64 offset)
{
	struct space_file *file = space_of(base);
	sqlite3_int64 grown = offset + len - file->size;

	if (grown > 0) {
		if (grown > space.limit - space.used) {
			space.full = true;
			return SQLITE_FULL;
		}
		space.used += grown;
		file->size += grown;
	}
	return file->real->pMethods->xWrite(file->real, from, len, offset);
}

static int space_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	struct space_file *file = space_of(base);

	if (size < file->size) {
		space.used -= file->size - size;
		file->size = size;
	}
	return file->real->pMethods->xTruncate(file->real, size);
}

static int space_sync(sqlite3_file *base, int flags)
{
	(void)base;
	(void)flags;
	return SQLITE_OK;
}

static int space_size(sqlite3_file *base, sqlite3_int64 *size)
{
	struct space_file *file = space_of(base);

	return file->real->pMethods->xFileSize(file->real, size);
}

/* No other process opens the file, so locks are not needed. */
static int space_lock(sqlite3_file *base, int lock)
{
	(void)base;
	(void)lock;
	return SQLITE_OK;
}

static int space_locked(sqlite3_file *base, int *locked)
{
	(void)base;
	*locked = 0;
	return SQLITE_OK;
}

/*
 * Do not support controls, such as the one that announces the final size of a file. SQLite works
 * without them.
 */
static int space_control(sqlite3_file *base, int control, void *argument)
{
	(void)base;
	(void)control;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int space_sector(sqlite3_file *base)
{
	struct space_file *file = space_of(base);

	return file->real->pMethods->xSectorSize(file->real);
}

static int space_device(sqlite3_file *base)
{
	struct space_file *file = space_of(base);

	return file->real->pMethods->xDeviceCharacteristics(file->real);
}

static const sqlite3_io_methods space_methods = {
	.iVersion = 1,
	.xClose = space_close,
	.xRead = space_read,
	.xWrite = space_write,
	.xTruncate = space_truncate,
	.xSync = space_sync,
	.xFileSize = space_size,
	.xLock = space_lock,
	.xUnlock = space_lock,
	.xCheckReservedLock = space_locked,
	.xFileControl = space_control,
	.xSectorSize = space_sector,
	.xDeviceCharacteristics = space_device,
};

static int space_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags,
		      int *flags_out)
{
	struct space_file *file = space_of(base);
	int ret;

	(void)vfs;
	memset(file, 0, sizeof(*file));
	if (name)
		return SQLITE_CANTOPEN;
	ret = space.real->xOpen(space.real, NULL, file->real, flags, flags_out);
	if (!ret)
		base->pMethods = &space_methods;
	return ret;
}

/**
 * sql_space_open() - register the file system with SQLite
 * @name: result: name of the file system
 * @limit: limit of the size of all temporary files, in bytes
 *
 * Return: an error code of SQLite.
 */
int sql_space_open(const char **name, int64_t limit)
{
	*name = "lkstla";
	space.used = 0;
	space.limit = limit;
	space.full = false;
	if (sqlite3_vfs_find(*name))
		return SQLITE_OK;
	space.real = sqlite3_vfs_find(NULL);
	if (!space.real)
		return SQLITE_ERROR;
	space.vfs = *space.real;
	space.vfs.pNext = NULL;
	space.vfs.zName = *name;
	space.vfs.szOsFile = (int)sizeof(struct space_file) + space.real->szOsFile;
	space.vfs.xOpen = space_open;
	return sqlite3_vfs_register(&space.vfs, 0);
}

/**
 * sql_space_full() - check whether temporary files have reached their limit
 */
bool sql_space_full(void)
{
	return space.full;
}
