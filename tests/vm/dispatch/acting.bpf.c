// SPDX-License-Identifier: GPL-2.0
/* A BPF program that asks for its actions if the first argument of the event is 0xac7. */
#include <linux/bpf.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

SEC("raw_tp")
int acting(__u64 *ctx)
{
	return ctx[LKST_BPF_ARG1] == 0xac7 ? LKST_BPF_ACT : LKST_BPF_RECORD;
}

char LICENSE[] SEC("license") = "GPL";
