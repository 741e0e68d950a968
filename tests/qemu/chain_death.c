// SPDX-License-Identifier: GPL-2.0
/*
 * A QEMU plugin that copies the memory of a VM while the VM writes a chain (tests/host/death_chain.t).
 * A copy is the memory that would be left if the VM were killed at that moment. Arguments:
 *
 *	memory=FILE	the memory of the VM (lkst-vm --memory). Only one CPU may run at a time
 *			(--take-turns)
 *	copies=PREFIX	beginning of the names of the copies
 *	arm=ADDRESS	a CPU that executes this instruction is watched from now on
 *	chain=ADDRESS	the watched CPU begins to write a chain
 *	record=FROM-TO	the function that writes a record. The memory is copied before the function
 *			runs, to PREFIX.NN-before, and once while it stores the record, to
 *			PREFIX.NN-within. NN counts the calls, from 00
 *	end=ADDRESS	the chain has been written: the last copy, PREFIX.NN-end
 *
 * All addresses are hexadecimal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/*
 * The memory is copied at the store with this number, counted from 1, in each call of the function
 * that writes a record. Earlier stores reserve the slot of the record, and later stores complete
 * the record.
 */
#define WITHIN 8

#define COPIES_MAX 32

static const char *memory, *copies;
static uint64_t arm_at, chain_at, record_at, record_end, end_at;

/* Only one CPU runs at a time, so nothing needs a lock. */
static struct {
	bool armed, writing;
	unsigned int cpu;
	unsigned int records; /* calls of the function that writes a record */
	unsigned int stores; /* of the latest call */
	unsigned int copies;
} watch;

static void copy_memory(unsigned int number, const char *when)
{
	char command[4096];

	if (++watch.copies > COPIES_MAX)
		return;
	snprintf(command, sizeof(command), "cp --reflink=auto --sparse=always '%s' '%s.%02u-%s'",
		 memory, copies, number, when);
	if (system(command))
		fprintf(stderr, "chain_death: failed: %s\n", command);
}

static bool is_watched(unsigned int cpu)
{
	return watch.writing && cpu == watch.cpu;
}

static void on_arm(unsigned int cpu, void *data)
{
	(void)data;
	watch.armed = true;
	watch.cpu = cpu;
}

static void on_chain(unsigned int cpu, void *data)
{
	(void)data;
	if (watch.armed && cpu == watch.cpu)
		watch.writing = true;
}

static void on_record(unsigned int cpu, void *data)
{
	(void)data;
	if (!is_watched(cpu))
		return;
	copy_memory(watch.records++, "before");
	watch.stores = 0;
}

static void on_store(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)info;
	(void)address;
	(void)data;
	if (is_watched(cpu) && watch.records && ++watch.stores == WITHIN)
		copy_memory(watch.records - 1, "within");
}

static void on_end(unsigned int cpu, void *data)
{
	(void)data;
	if (!is_watched(cpu))
		return;
	copy_memory(watch.records, "end");
	memset(&watch, 0, sizeof(watch));
}

static void on_instruction(struct qemu_plugin_insn *insn)
{
	uint64_t at = qemu_plugin_insn_vaddr(insn);
	void (*call)(unsigned int cpu, void *data) = NULL;

	if (at == arm_at)
		call = on_arm;
	else if (at == chain_at)
		call = on_chain;
	else if (at == record_at)
		call = on_record;
	else if (at == end_at)
		call = on_end;
	if (call)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, call, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (at >= record_at && at < record_end)
		qemu_plugin_register_vcpu_mem_cb(insn, on_store, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_W, NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t num = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < num; i++)
		on_instruction(qemu_plugin_tb_get_insn(tb, i));
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info,
					   int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "memory=", 7))
			memory = argv[i] + 7;
		else if (!strncmp(argv[i], "copies=", 7))
			copies = argv[i] + 7;
		else if (sscanf(argv[i], "arm=%lx", &arm_at) +
				 sscanf(argv[i], "chain=%lx", &chain_at) +
				 sscanf(argv[i], "record=%lx-%lx", &record_at, &record_end) +
				 sscanf(argv[i], "end=%lx", &end_at) <
			 1)
			fprintf(stderr, "chain_death: unknown argument %s\n", argv[i]);
	}
	if (!memory || !copies || !arm_at || !chain_at || !record_end || !end_at) {
		fprintf(stderr, "chain_death: an argument is missing\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
