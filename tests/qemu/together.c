// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin for QEMU that watches CPUs while they record together, as tests/modules/together.c has them do. Arguments:
 *
 *	out=FILE	gets the results
 *	lines=on	cache lines, too; CPUs must take turns (lkst-vm --take-turns)
 *
 * Whenever all have recorded, FILE gets a line with the instructions that each CPU has executed for it: "count 4711 4713";
 * and "lines N OTHERS", the number of cache lines to which a CPU has written while it recorded, and of the stores by CPUs
 * that did not record meanwhile. For each of these lines to which another CPU has written, too, at any time since the first
 * began: "shared ADDRESS RECORDING WRITING", with the CPUs that have written there while they recorded, and all that
 * have, as bits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../modules/together.h"
#include "plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define CPUS_MAX  64
#define LINE_BITS 6
#define TABLE	  (1u << 22) /* lines that are remembered, more than a test writes */

static FILE *out;
static bool watch_lines;

/* Each is written by its own CPU's thread. */
static struct {
	bool recording;
	uint64_t instructions;
} __attribute__((aligned(64))) cpus[CPUS_MAX];

/* Cache lines, since the first CPU began to record. */
static bool phase;

static struct line {
	uint64_t number; /* and 1: 0 is an empty entry */
	uint64_t address;
	uint64_t recording;
	uint64_t writing;
} * lines;
static unsigned int lines_num;
static unsigned long others;

static struct line *line_at(uint64_t number)
{
	unsigned int at = number * 0x9e3779b97f4a7c15ull >> 42;

	while (lines[at].number && lines[at].number != number + 1)
		at = (at + 1) % TABLE;
	if (!lines[at].number) {
		if (++lines_num > TABLE / 2) {
			fprintf(stderr, "together: too many lines\n");
			abort();
		}
		lines[at].number = number + 1;
	}
	return &lines[at];
}

static void on_store(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	struct qemu_plugin_hwaddr *hwaddr;
	struct line *line;

	(void)data;
	if (!phase || !qemu_plugin_mem_is_store(info))
		return;
	hwaddr = qemu_plugin_get_hwaddr(info, address);
	if (!hwaddr || qemu_plugin_hwaddr_is_io(hwaddr))
		return;
	line = line_at(qemu_plugin_hwaddr_phys_addr(hwaddr) >> LINE_BITS);
	line->writing |= 1ull << cpu;
	if (cpus[cpu].recording) {
		line->recording |= 1ull << cpu;
		line->address = address;
	} else {
		others++;
	}
}

static void on_block(unsigned int cpu, void *num)
{
	if (cpus[cpu].recording)
		cpus[cpu].instructions += (uintptr_t)num;
}

static void on_begin(unsigned int cpu, void *data)
{
	(void)data;
	phase = watch_lines;
	cpus[cpu].recording = true;
}

static void on_end(unsigned int cpu, void *data)
{
	(void)data;
	cpus[cpu].recording = false;
}

static void report_lines(void)
{
	unsigned int written = 0, i;

	for (i = 0; i < TABLE; i++) {
		if (!lines[i].recording)
			continue;
		written++;
		if (lines[i].writing & (lines[i].writing - 1))
			fprintf(out, "shared %#llx %#llx %#llx\n",
				(unsigned long long)lines[i].address,
				(unsigned long long)lines[i].recording,
				(unsigned long long)lines[i].writing);
	}
	fprintf(out, "lines %u %lu\n", written, others);
	memset(lines, 0, TABLE * sizeof(*lines));
	lines_num = 0;
	others = 0;
}

/* All CPUs have ended. */
static void on_report(unsigned int cpu, void *data)
{
	unsigned int i;

	(void)cpu;
	(void)data;
	phase = false;
	fprintf(out, "count");
	for (i = 0; i < CPUS_MAX; i++)
		if (cpus[i].instructions)
			fprintf(out, " %llu", (unsigned long long)cpus[i].instructions);
	fprintf(out, "\n");
	for (i = 0; i < CPUS_MAX; i++)
		cpus[i].instructions = 0;
	if (watch_lines)
		report_lines();
	fflush(out);
}

static void on_instruction(struct qemu_plugin_insn *insn)
{
	void (*call)(unsigned int cpu, void *data) = NULL;
	const char *bytes = qemu_plugin_insn_data(insn);
	uint32_t mark, number;

	if (watch_lines)
		qemu_plugin_register_vcpu_mem_cb(insn, on_store, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_W, NULL);
	if (qemu_plugin_insn_size(insn) != sizeof(mark) + sizeof(number))
		return;
	memcpy(&mark, bytes, sizeof(mark));
	memcpy(&number, bytes + sizeof(mark), sizeof(number));
	if (mark != TOGETHER_MARK)
		return;
	switch (number) {
	case TOGETHER_BEGIN:
		call = on_begin;
		break;
	case TOGETHER_END:
		call = on_end;
		break;
	case TOGETHER_REPORT:
		call = on_report;
		break;
	}
	if (call)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t num = qemu_plugin_tb_n_insns(tb), i;

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)num);
	for (i = 0; i < num; i++)
		on_instruction(qemu_plugin_tb_get_insn(tb, i));
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
					   int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
		else if (!strcmp(argv[i], "lines=on"))
			watch_lines = true;
	}
	if (!out) {
		fprintf(stderr, "together: out=FILE: cannot be written\n");
		return 1;
	}
	if (watch_lines) {
		lines = calloc(TABLE, sizeof(*lines));
		if (!lines)
			return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
