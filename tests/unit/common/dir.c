// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>

#include "dir.h"
#include "tap.h"

char dir[32];

void dir_make(void)
{
	strcpy(dir, "/tmp/lkst-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

void dir_remove(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

const char *dir_path(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

int dir_files(void)
{
	DIR *from = opendir(dir);
	int num = -2; /* do not count "." and ".." */

	ck_assert_ptr_nonnull(from);
	while (readdir(from))
		num++;
	closedir(from);
	return num;
}
