// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs that count events in maps of different types, for bpf_nmi.t. The key is 1 for events
 * in NMIs, and 0 for others. All programs drop the events.
 */
#include <linux/bpf.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} in_array SEC(".maps");

struct lru {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} in_lru SEC(".maps");

/* A map of maps that are LRU maps. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct lru);
} outer SEC(".maps") = {
	.values = { &in_lru },
};

static __always_inline __u32 key_of(const __u64 *ctx)
{
	return !!(ctx[LKST_BPF_FLAGS] & LKST_RECORD_NMI);
}

static __always_inline int count(void *map, __u32 key)
{
	__u64 *num = bpf_map_lookup_elem(map, &key), zero = 0;

	if (!num) {
		bpf_map_update_elem(map, &key, &zero, BPF_NOEXIST);
		num = bpf_map_lookup_elem(map, &key);
	}
	if (num)
		__sync_fetch_and_add(num, 1);
	return LKST_BPF_DROP;
}

SEC("raw_tp")
int array(__u64 *ctx)
{
	return count(&in_array, key_of(ctx));
}

SEC("raw_tp")
int lru(__u64 *ctx)
{
	return count(&in_lru, key_of(ctx));
}

SEC("raw_tp")
int inner(__u64 *ctx)
{
	__u32 zero = 0;
	void *map = bpf_map_lookup_elem(&outer, &zero);

	return map ? count(map, key_of(ctx)) : LKST_BPF_RECORD;
}

char LICENSE[] SEC("license") = "GPL";
