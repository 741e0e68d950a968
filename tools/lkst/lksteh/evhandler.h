/* SPDX-License-Identifier: GPL-2.0 */
/* The subcommands of lksteh. */
#ifndef _EVHANDLER_H
#define _EVHANDLER_H

int evhandler_bpf(int argc, char **argv);
int evhandler_control(int argc, char **argv);
int evhandler_list(int argc, char **argv);

#endif
