// SPDX-License-Identifier: GPL-2.0
/*
 * A QEMU plugin that watches the CPUs of a VM while they are recording events at the same time
 * (tests/modules/together.c). Arguments:
 *
 *	out=FILE	file for the results
 *	lines=on	also watch cache lines. Only one CPU may run at a time (lkst-vm
 *			--take-turns)
 *
 * When all CPUs have finished, the plugin writes these lines to FILE:
 *
 *	count N...	the number of instructions that each CPU executed while it was recording
 *	shared ADDRESS RECORDING WRITING
 *			a cache line that a CPU wrote while it was recording, and that another CPU
 *			wrote at any time after the first CPU began to record. RECORDING is a bit
 *			mask of the CPUs that wrote to the line while they were recording. WRITING
 *			is a bit mask of all CPUs that wrote to the line
 *	lines N OTHERS	the number of cache lines that CPUs wrote while they were recording, and the
 *			number of stores by CPUs that were not recording
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../modules/together.h"
#include "plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define CPUS_MAX  64
#define LINE_BITS 6
#define TABLE	  (1u << 22) /* entries of lines[], at least twice as many as a test needs */

static FILE *out;
static bool watch_lines;

/*
 * The state of each CPU of the VM. Until the report, only QEMU's thread for a CPU writes that CPU's
 * state.
 */
static struct {
	bool recording;
	uint64_t instructions;
} __attribute__((aligned(64))) cpus[CPUS_MAX];

/* Whether stores are watched: with lines=on, from the first TOGETHER_BEGIN to TOGETHER_REPORT. */
static bool phase;

static struct line {
	uint64_t number; /* number of the cache line plus 1; 0: unused entry */
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
	unsigned int written = 0;

	for (unsigned int i = 0; i < TABLE; i++) {
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

/* Write the results and reset the counts. A CPU calls this after all CPUs have finished. */
static void on_report(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	phase = false;
	fprintf(out, "count");
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		if (cpus[i].instructions)
			fprintf(out, " %llu", (unsigned long long)cpus[i].instructions);
	fprintf(out, "\n");
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		cpus[i].instructions = 0;
	if (watch_lines)
		report_lines();
	fflush(out);
}

static void on_instruction(struct qemu_plugin_insn *insn)
{
	void (*call)(unsigned int cpu, void *data);
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
	if (number == TOGETHER_BEGIN)
		call = on_begin;
	else if (number == TOGETHER_END)
		call = on_end;
	else if (number == TOGETHER_REPORT)
		call = on_report;
	else
		return;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t num = qemu_plugin_tb_n_insns(tb);

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)num);
	for (size_t i = 0; i < num; i++)
		on_instruction(qemu_plugin_tb_get_insn(tb, i));
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
					   int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
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
