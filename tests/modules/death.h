/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of the page of memory in which the module "death" counts its records.
 * tests/host/death/log.py contains the same constants.
 */
#ifndef DEATH_H
#define DEATH_H

#include <linux/types.h>

#define DEATH_MAGIC	0x6874616564736b6cULL
#define DEATH_ETYPE	0x1d8

/*
 * pattern_fill() makes the arguments of a record from its CPU, series and number, counted from 1.
 */
#define DEATH_CPU_SHIFT		56
#define DEATH_SERIES_SHIFT	48

/* The series of records of a CPU, one for each writer. */
enum { DEATH_THREAD, DEATH_TIMER, DEATH_SERIES_NUM };

/**
 * struct death_series - progress of one series of one CPU
 * @begun: number of the newest record that was begun
 * @done: number of the newest record that is complete: @begun, or one less
 */
struct death_series {
	__u64 begun;
	__u64 done;
};

/**
 * struct death_page - progress of all series
 * @magic: DEATH_MAGIC once all CPUs are recording
 * @cpus: number of entries in @series
 * @series: series of each CPU
 */
struct death_page {
	__u64 magic;
	__u64 cpus;
	struct death_series series[][DEATH_SERIES_NUM];
};

#endif
