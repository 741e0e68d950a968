/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MASKSET_H
#define _MASKSET_H

int maskset_list(int argc, char **argv);
int maskset_read(int argc, char **argv);
int maskset_set(int argc, char **argv);
int maskset_find(int argc, char **argv);
int maskset_all(int argc, char **argv);

#endif
