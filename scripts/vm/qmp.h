/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends requests to QEMU, and receives its events, over the QEMU Machine Protocol (QMP).
 */
#ifndef LKST_VM_QMP_H
#define LKST_VM_QMP_H

#include <stddef.h>

/**
 * struct qmp - a connection to QEMU
 * @fd: socket, or -1 if QEMU has closed the connection
 * @resets: number of resets of the guest so far
 * @answer: beginning of QEMU's last answer that was not an error
 * @line: part of the current line that has been read
 * @fill: number of bytes in @line
 */
struct qmp {
	int fd;
	unsigned int resets;
	char answer[1024];
	char line[4096];
	size_t fill;
};

/* Processes all available input without waiting. */
void qmp_read(struct qmp *qmp);

/*
 * Sends a request (JSON) and waits for the answer. Returns 0, or -1 if QEMU closed the connection
 * or rejected the request. Prints a message if QEMU rejected the request.
 */
int qmp_request(struct qmp *qmp, const char *request);

#endif
