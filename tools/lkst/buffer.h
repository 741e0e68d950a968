/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BUFFER_H
#define _BUFFER_H

int buffer_list(int argc, char **argv);
int buffer_read(int argc, char **argv);
int buffer_print(int argc, char **argv);

#endif
