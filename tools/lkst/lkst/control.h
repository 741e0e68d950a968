/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LKST_CONTROL_H
#define _LKST_CONTROL_H

int trc_all(int argc, char **argv);
int trc_status(int argc, char **argv);
int trc_start(int argc, char **argv);
int trc_stop(int argc, char **argv);
int trc_dump(int argc, char **argv);
int trc_config(int argc, char **argv);
int trc_watch(int argc, char **argv);
int trc_run_user_events(int argc, char **argv);

#endif
