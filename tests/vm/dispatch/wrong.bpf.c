// SPDX-License-Identifier: GPL-2.0
/* BPF programs that "lksteh bpf" refuses, for bpf_samples.t. */
#include <linux/bpf.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

/* The verifier refuses this program: the context has 12 words. */
SEC("raw_tp")
int beyond(__u64 *ctx)
{
	return ctx[12] == 0;
}

SEC("kprobe/schedule")
int other_type(void *ctx)
{
	return !ctx;
}

char LICENSE[] SEC("license") = "GPL";
