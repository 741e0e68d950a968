/* SPDX-License-Identifier: GPL-2.0 */
/* The subcommands of lkstm. */
#ifndef _MASKSET_H
#define _MASKSET_H

int maskset_list(int argc, char **argv);
int maskset_read(int argc, char **argv);
int maskset_write(int argc, char **argv);
int maskset_copy(int argc, char **argv);
int maskset_config(int argc, char **argv);
int maskset_rule(int argc, char **argv);
int maskset_limit(int argc, char **argv);
int maskset_event(int argc, char **argv);
int maskset_hist(int argc, char **argv);
int maskset_set(int argc, char **argv);
int maskset_find(int argc, char **argv);
int maskset_delete(int argc, char **argv);
int maskset_all(int argc, char **argv);

#endif
