// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to another CPU, which carries them out in an interrupt. The sender
 * does not wait for its request, because the CPU may be stuck.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/smp.h>

#include "cpu_request.h"

/* Number of pending requests of all CPUs. */
static atomic_t lkst_cpu_requests_pending = ATOMIC_INIT(0);

/*
 * Count a request as carried out. The CPU that carried it out may still be
 * executing LKST code afterwards.
 */
static void lkst_cpu_request_done(void)
{
	/* Pairs with the acquire in lkst_cpu_request_drain(). */
	atomic_dec_return_release(&lkst_cpu_requests_pending);
}

static void lkst_cpu_request_run(void *info)
{
	struct lkst_cpu_request *request = info;

	/*
	 * A sender that exchanges ->pending after this point sends a new
	 * request, so ->csd may be reused from here on. A sender that exchanged
	 * ->pending earlier is served by the call to ->func below. ->func sees
	 * everything that this sender had written before its exchange, because
	 * both exchanges are full barriers.
	 */
	atomic_xchg(&request->pending, 0);
	request->func(request);
	lkst_cpu_request_done();
}

/**
 * lkst_cpu_request_init() - initialise a request
 * @request: request, which is not pending
 * @func: function for the CPU to call; may free @request
 *
 * Context: any.
 */
void lkst_cpu_request_init(struct lkst_cpu_request *request,
			   void (*func)(struct lkst_cpu_request *request))
{
	INIT_CSD(&request->csd, lkst_cpu_request_run, request);
	atomic_set(&request->pending, 0);
	request->func = func;
}

/**
 * lkst_cpu_request_send() - request a function call on a CPU, without waiting
 * @cpu: CPU; must stay online until this function returns
 * @request: the request
 *
 * The function runs in an interrupt. If the request is already pending, nothing
 * is sent: the pending call sees everything that was written before this
 * function was called.
 *
 * Context: any but NMI. Several CPUs may call this with the same @request at
 * the same time.
 */
void lkst_cpu_request_send(int cpu, struct lkst_cpu_request *request)
{
	/*
	 * The kernel first checks whether the csd (call_single_data) is in use,
	 * and then marks it as used. Between the two steps, a second CPU could
	 * queue the same csd, and the queue would become circular. To prevent
	 * this, only one CPU gets past the exchange below.
	 */
	if (atomic_xchg(&request->pending, 1))
		return;
	atomic_inc(&lkst_cpu_requests_pending);
	if (smp_call_function_single_async(cpu, &request->csd)) {
		atomic_set_release(&request->pending, 0);
		lkst_cpu_request_done();
	}
}

/**
 * lkst_cpu_request_drain() - wait for all pending requests
 *
 * Making one more call on each CPU and waiting for it would not be enough: the
 * kernel carries out synchronous calls before asynchronous ones that were
 * queued earlier. So this function waits until the count of pending requests is
 * 0. A CPU may then still be executing code of this module, so this function
 * also waits for the interrupt on that CPU to end.
 *
 * Context: may sleep. No new requests may be sent. Waits until all CPUs take
 * interrupts.
 */
void lkst_cpu_request_drain(void)
{
	while (atomic_read_acquire(&lkst_cpu_requests_pending))
		usleep_range(100, 1000);
	kick_all_cpus_sync();
}
