/* SPDX-License-Identifier: LGPL-2.1 */
/* Event handlers that are BPF programs. */
#ifndef _LKST_LIB_DEVICE_BPF_H
#define _LKST_LIB_DEVICE_BPF_H

#include "lib/lkst.h"

/**
 * struct lkst_bpf - a BPF program to be made an event handler
 * @fd: descriptor of the program
 * @name: name of the event handler; replaces an earlier BPF program with this name
 * @actions: actions for LKST_BPF_ACT, separated by commas; NULL: none
 */
struct lkst_bpf {
	int fd;
	const char *name;
	const char *actions;
};

int lkst_bpf_write(struct lkst_device *dev, const struct lkst_bpf *bpf, lkst_evhandler_id *id,
		   struct lkst_error *err);
int lkst_bpf_read(struct lkst_device *dev, lkst_evhandler_id id,
		  struct lkst_evhandler_bpf_info *info, char **actions, struct lkst_error *err);
int lkst_bpf_delete(struct lkst_device *dev, lkst_evhandler_id id, const char *name,
		    struct lkst_error *err);

#endif
