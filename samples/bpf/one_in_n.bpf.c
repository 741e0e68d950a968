// SPDX-License-Identifier: GPL-2.0
/*
 * An event handler that records every EVERYth event of each type, beginning with
 * the first event. The events of all CPUs are counted together.
 */
#include <linux/bpf.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

#ifndef EVERY
#define EVERY	100
#endif

/* Number of events so far, by event type. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LKST_ETYPE_NUM);
	__type(key, __u32);
	__type(value, __u64);
} seen SEC(".maps");

SEC("raw_tp")
int one_in_n(__u64 *ctx)
{
	__u32 type = ctx[LKST_BPF_TYPE];
	__u64 *count = bpf_map_lookup_elem(&seen, &type);

	if (!count)
		return LKST_BPF_RECORD;
	return __sync_fetch_and_add(count, 1) % EVERY ? LKST_BPF_DROP : LKST_BPF_RECORD;
}

char LICENSE[] SEC("license") = "GPL";
