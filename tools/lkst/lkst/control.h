/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRC_H
#define _TRC_H

int trc_all(int argc, char **argv);
int trc_status(int argc, char **argv);
int trc_start(int argc, char **argv);
int trc_stop(int argc, char **argv);
int trc_dump(int argc, char **argv);
int trc_config(int argc, char **argv);

#endif
