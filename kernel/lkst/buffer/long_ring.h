/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The long rings: a second ring for each CPU, for rare events and the digest.
 */
#ifndef _LKST_LONG_RING_H
#define _LKST_LONG_RING_H

#include <linux/sizes.h>
#include <linux/types.h>

struct lkst_buffer;

/* Size in bytes of each long ring, unless the parameter is given. */
#define LKST_LONG_SIZE		SZ_1M

void lkst_long_init(size_t size);
bool lkst_long_wanted(void);
int lkst_long_set_etypes(const unsigned long *etypes);
int lkst_long_provide(int cpu);
bool lkst_long_record(int etype, unsigned int depth, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_long_record_time(void);
void lkst_long_refill(u64 ms, unsigned int records);
unsigned int lkst_long_unreported(void);
void lkst_long_report(unsigned int num);
unsigned long lkst_long_left_out(int cpu);
struct lkst_buffer *lkst_long_get(int cpu);
struct lkst_buffer *lkst_long_peek(int cpu);
void lkst_long_pause(bool pause);
void lkst_long_remove_all(void);
void lkst_long_free_all(void);

#endif
