/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to another CPU.
 */
#ifndef _LKST_CPU_REQUEST_H
#define _LKST_CPU_REQUEST_H

#include <linux/atomic.h>
#include <linux/smp.h>

/**
 * struct lkst_cpu_request - a request to a CPU, shared by several callers
 * @csd: the kernel's descriptor of the cross-CPU call
 * @pending: 1 while the request is pending
 * @func: function to call on the CPU, in an interrupt
 */
struct lkst_cpu_request {
	call_single_data_t csd;
	atomic_t pending;
	void (*func)(struct lkst_cpu_request *request);
};

void lkst_cpu_request_init(struct lkst_cpu_request *request,
			   void (*func)(struct lkst_cpu_request *request));
void lkst_cpu_request_send(int cpu, struct lkst_cpu_request *request);
void lkst_cpu_request_drain(void);

#endif
