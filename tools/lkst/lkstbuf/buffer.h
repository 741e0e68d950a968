/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BUFFER_H
#define _BUFFER_H

int buffer_link(int argc, char **argv);
int buffer_shift(int argc, char **argv);
int buffer_jump(int argc, char **argv);
int buffer_create(int argc, char **argv);
int buffer_delete(int argc, char **argv);
int buffer_find(int argc, char **argv);
int buffer_list(int argc, char **argv);
int buffer_read(int argc, char **argv);
int buffer_print(int argc, char **argv);
int buffer_export(int argc, char **argv);
int buffer_previous(int argc, char **argv);

#endif
