/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to QEMU over its machine protocol, and what it tells by itself.
 */
#ifndef LKST_VM_QMP_H
#define LKST_VM_QMP_H

#include <stddef.h>

/**
 * struct qmp - a connection to QEMU
 * @fd: -1: QEMU has closed it
 * @resets: how often the guest was reset
 * @said: of QEMU's last answer that was no error, the beginning
 * @line: what of a line has come so far
 * @fill: bytes in @line
 */
struct qmp {
	int fd;
	unsigned int resets;
	char said[1024];
	char line[4096];
	size_t fill;
};

/* Takes what is there now, without waiting. */
void qmp_read(struct qmp *qmp);

/* Sends a request (JSON) and waits for its end. Returns 0, or -1: refused, which is told, or QEMU is gone. */
int qmp_request(struct qmp *qmp, const char *request);

#endif
