// SPDX-License-Identifier: GPL-2.0
/*
 * An event handler for system_call_entry and system_call_exit that counts the
 * durations of system calls by cgroup, and records only the ends of calls that
 * take SLOW_MS or longer. "bpftool map dump name durations" prints the counts.
 */
#include <linux/bpf.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

#ifndef SLOW_MS
#define SLOW_MS	10
#endif

#define NSEC_PER_MSEC	1000000ULL

/* The event types, as in /proc/lkst_etypes. */
#define SYSTEM_CALL_ENTRY	0x030
#define SYSTEM_CALL_EXIT	0x031

/* Start of the system call that a thread is in. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64);
} starts SEC(".maps");

/* System calls that took 2^log2 to 2^(log2 + 1) - 1 ns. */
struct duration {
	__u64 cgroup;
	__u32 number;
	__u32 log2;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct duration);
	__type(value, __u64);
} durations SEC(".maps");

static __u32 log2_of(__u64 value)
{
	__u32 log = 0;

#pragma unroll
	for (int shift = 32; shift; shift /= 2)
		if (value >> shift) {
			value >>= shift;
			log += shift;
		}
	return log;
}

static void count(__u64 number, __u64 ns)
{
	struct duration key = {
		.cgroup = bpf_get_current_cgroup_id(),
		.number = number,
		.log2 = log2_of(ns),
	};
	__u64 *num = bpf_map_lookup_elem(&durations, &key), zero = 0;

	if (!num) {
		bpf_map_update_elem(&durations, &key, &zero, BPF_NOEXIST);
		num = bpf_map_lookup_elem(&durations, &key);
	}
	if (num)
		__sync_fetch_and_add(num, 1);
}

SEC("raw_tp")
int latency(__u64 *ctx)
{
	__u32 thread = ctx[LKST_BPF_THREAD];
	__u64 now = bpf_ktime_get_ns(), *start;

	if (ctx[LKST_BPF_TYPE] == SYSTEM_CALL_ENTRY) {
		bpf_map_update_elem(&starts, &thread, &now, BPF_ANY);
		return LKST_BPF_DROP;
	}
	if (ctx[LKST_BPF_TYPE] != SYSTEM_CALL_EXIT)
		return LKST_BPF_RECORD;
	start = bpf_map_lookup_elem(&starts, &thread);
	if (!start)
		return LKST_BPF_DROP;
	now -= *start;
	bpf_map_delete_elem(&starts, &thread);
	/* The lower half of the argument is the ABI. */
	count(ctx[LKST_BPF_ARG1] >> 32, now);
	return now >= SLOW_MS * NSEC_PER_MSEC ? LKST_BPF_RECORD : LKST_BPF_DROP;
}

char LICENSE[] SEC("license") = "GPL";
