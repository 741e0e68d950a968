/* SPDX-License-Identifier: GPL-2.0 */
/* A temporary directory for the files of a test. */
#ifndef _DIR_H
#define _DIR_H

extern char dir[32]; /* path of the directory */

void dir_make(void);
void dir_remove(void);

/* Return the path of a file in the directory. The next call overwrites it. */
const char *dir_path(const char *name);

/* Return the number of files in the directory. */
int dir_files(void);

#endif
