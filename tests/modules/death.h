/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module death publishes in a page of memory, for tests/host/death/log.py, which has the same
 * numbers.
 */
#ifndef DEATH_H
#define DEATH_H

#include <linux/types.h>

#define DEATH_MAGIC	0x6874616564736b6cULL
#define DEATH_ETYPE	0x1d8

/* A record has the arguments that pattern.h makes of CPU, series and number, from 1 on. */
#define DEATH_CPU_SHIFT		56
#define DEATH_SERIES_SHIFT	48

/* Who records. */
enum { DEATH_THREAD, DEATH_TIMER, DEATH_SERIES_NUM };

/**
 * struct death_series - records of one kind on one CPU
 * @begun: number of the last one that was begun
 * @done: of the last one that was finished for sure; @begun, or one less
 */
struct death_series {
	__u64 begun;
	__u64 done;
};

/**
 * struct death_page - what was recorded, as the module knows it
 * @magic: DEATH_MAGIC, once all CPUs record
 * @cpus: entries of @series
 * @series: of each CPU
 */
struct death_page {
	__u64 magic;
	__u64 cpus;
	struct death_series series[][DEATH_SERIES_NUM];
};

#endif
