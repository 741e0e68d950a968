/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the oracle's workloads: processes, time, and what each of them is made of.
 */
#ifndef ORACLE_WORKLOAD_H
#define ORACLE_WORKLOAD_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PARTS_MAX	20

/**
 * struct workload - what is recorded for a group
 * @together: each is a process, side by side
 * @last: then one after the other
 */
struct workload {
	void (*together[PARTS_MAX])(void);
	void (*last[PARTS_MAX])(void);
};

extern const struct workload processes_workload, memory_workload, network_workload,
	devices_workload;

/* Two processes send each other datagrams over the loopback device. */
void work_datagrams(void);

/* Connections come and go. */
void work_connections(void);

void __attribute__((noreturn)) die(const char *what);
bool another_round(void);

#define for_each_round(i, n) for (i = 0; i < (n) && (!i || !another_round()); i++)

void pin(pid_t pid, int cpu);
pid_t start(void);
int finish(pid_t pid);
void pause_us(unsigned int us);
void put_file(const char *path, const char *text);

#endif
