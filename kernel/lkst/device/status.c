// SPDX-License-Identifier: GPL-2.0
/*
 * The status of LKST (specification 4.7.1.1.1).
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

#include "../buffer/buffer.h"
#include "../clock/clock.h"
#include "../dispatch/evhandler.h"
#include "../dispatch/maskset.h"
#include "../memory/memory.h"
#include "../memory/static_buffer.h"

/*
 * Fill in a bitmap of the online CPUs. Its words are 64 bits wide, so that it
 * is the same for 32-bit and 64-bit programs.
 */
static void lkst_status_online(u64 *online, unsigned int words)
{
	unsigned int i, bit;

	for (i = 0; i < words; i++) {
		online[i] = 0;
		for (bit = 0; bit < 64 && i * 64 + bit < nr_cpu_ids; bit++)
			if (cpu_online(i * 64 + bit))
				online[i] |= 1ULL << bit;
	}
}

static void lkst_status_buffers(lkst_buffer_id *ids, unsigned int cpus,
				lkst_buffer_id (*id_of)(int cpu))
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		ids[cpu] = cpu_possible(cpu) ? id_of(cpu) : LKST_BUFFER_ID_VOID;
}

/**
 * lkst_trc_status() - get the status of LKST (4.7.1.1.1, 4.7.2.1.1)
 * @trc_status: receives the status. On entry it contains the addresses, in
 *	kernel memory, and the sizes of the arrays with an entry per CPU
 *
 * If an array is too small for all CPUs, only the first CPUs are stored. If an
 * array is NULL, nothing is stored. Its size is then ignored, because it may be
 * left over from an earlier call.
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINVAL if @trc_status is NULL, the size of an array is
 * negative, or online_cpu_len is not a multiple of 8.
 */
int lkst_trc_status(struct lkst_trc_status *trc_status)
{
	unsigned int words, cpus;
	void *online, *write, *read;

	if (!trc_status)
		return -EINVAL;
	online = (void *)(unsigned long)trc_status->online_cpu;
	write = (void *)(unsigned long)trc_status->write_buf;
	read = (void *)(unsigned long)trc_status->read_buf;
	if (online && ((s32)trc_status->online_cpu_len < 0 ||
		       trc_status->online_cpu_len % sizeof(u64)))
		return -EINVAL;
	if ((write || read) && (s32)trc_status->cpu_num < 0)
		return -EINVAL;

	words = min_t(unsigned int, trc_status->online_cpu_len / sizeof(u64),
		      DIV_ROUND_UP(nr_cpu_ids, 64));
	cpus = min_t(unsigned int, trc_status->cpu_num, nr_cpu_ids);
	if (online)
		lkst_status_online(online, words);
	if (write)
		lkst_status_buffers(write, cpus, lkst_buffer_written);
	if (read)
		lkst_status_buffers(read, cpus, lkst_buffer_being_read);

	lkst_maskset_status(trc_status);
	trc_status->online_cpu_len = DIV_ROUND_UP(nr_cpu_ids, 64) * sizeof(u64);
	trc_status->cpu_num = nr_cpu_ids;
	trc_status->evhandler_num = lkst_evhandler_num();
	trc_status->static_buffer_recid = lkst_static_buffer_next();
	trc_status->static_buffer_size = lkst_static_buffer_size();
	trc_status->lost = lkst_buffer_lost_total();
	trc_status->memory = lkst_memory_used();
	trc_status->memory_max = lkst_memory_max();
	trc_status->clock = lkst_clock_current();
	trc_status->version = LKST_INTERFACE_VERSION;
	trc_status->pad = 0;
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_trc_status);
