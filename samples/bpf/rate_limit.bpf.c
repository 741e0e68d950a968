// SPDX-License-Identifier: GPL-2.0
/*
 * An event handler that records at most PER_SECOND events of each type in each
 * second, on all CPUs together.
 */
#include <linux/bpf.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

#ifndef PER_SECOND
#define PER_SECOND	100
#endif

#define NSEC_PER_SEC	1000000000ULL

/*
 * By event type: the second in the upper 32 bits, and the number of events in
 * this second in the lower ones. A single number can be changed without a lock.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LKST_ETYPE_NUM);
	__type(key, __u32);
	__type(value, __u64);
} seconds SEC(".maps");

SEC("raw_tp")
int rate_limit(__u64 *ctx)
{
	__u64 second = bpf_ktime_get_ns() / NSEC_PER_SEC;
	__u32 type = ctx[LKST_BPF_TYPE];
	__u64 *word = bpf_map_lookup_elem(&seconds, &type), old;

	if (!word)
		return LKST_BPF_RECORD;
	/*
	 * Begin a second. Another CPU may have done so already, or may be in
	 * the next second: then, this event counts there.
	 */
	old = *(volatile __u64 *)word;
	if (old >> 32 < second)
		__sync_val_compare_and_swap(word, old, second << 32);
	old = __sync_fetch_and_add(word, 1);
	return (__u32)old < PER_SECOND ? LKST_BPF_RECORD : LKST_BPF_DROP;
}

char LICENSE[] SEC("license") = "GPL";
