// SPDX-License-Identifier: GPL-2.0
/*
 * The measurement of bench/bpf, in a VM whose clock counts instructions. Prints a line for each way
 * to handle an event: its name, and the instructions of LKST_IOC_ENTRY_LOG, from the sample with
 * the fewest instructions.
 *
 *	none	the event is masked
 *	default	the default handler records it
 *	record	a BPF program that returns 1
 *	drop	a BPF program that returns 0
 */
#include <linux/bpf.h>
#include <sys/syscall.h>

#include "buffers.h"
#include "loads.h"

#define SAMPLES	   201
#define ITERATIONS 500 /* in a sample, which must be shorter than the timer interval */
#define MASKSET	   20

static int bpf_handler(const char *name, int value)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = value },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)insns,
		.insn_cnt = ARRAY_SIZE(insns),
		.license = (uintptr_t)"GPL",
	};
	struct lkst_evhandler_bpf_param param = {};

	strcpy(param.name, name);
	param.fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	bail_if(param.fd < 0, "BPF_PROG_LOAD");
	need(ioctl_errno(lkst_fd, LKST_IOC_EVHANDLER_BPF, &param), "EVHANDLER_BPF");
	return param.id;
}

static uint64_t sample(void)
{
	uint64_t begin = instructions();

	for (int i = 0; i < ITERATIONS; i++)
		mark(i, 2, 3, 4);
	return instructions() - begin;
}

static void measure(const char *name, int handler)
{
	const struct mask mask = { USER_MARK, handler };
	uint64_t least = UINT64_MAX;

	need(write_maskset(MASKSET, "bench", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(MASKSET), "MASKSET_SET");
	for (int i = 0; i < SAMPLES; i++) {
		uint64_t now = sample();

		if (now < least)
			least = now;
	}
	printf("%s %.1f\n", name, (double)least / ITERATIONS);
}

int main(void)
{
	open_lkst();
	measure("none", LKST_EVHANDLER_ID_NONE);
	measure("default", LKST_EVHANDLER_ID_ENTRY_LOG);
	measure("record", bpf_handler("bench_record", LKST_BPF_RECORD));
	measure("drop", bpf_handler("bench_drop", LKST_BPF_DROP));
	return 0;
}
