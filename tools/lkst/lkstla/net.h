/* SPDX-License-Identifier: GPL-2.0 */
/* Lets another analysis see the dropped packets that lkstla net counts. */
#ifndef _LKSTLA_NET_H
#define _LKSTLA_NET_H

#include "lib/model.h"

/**
 * struct net_drops - packets that were dropped at one place for one reason
 * @reason: reason
 * @location: code that dropped them
 * @packets: number of packets
 * @last_ns: time of the last one
 */
struct net_drops {
	const char *reason;
	const char *location;
	uint64_t packets;
	int64_t last_ns;
};

bool net_next_drops(const void *net, size_t *at, struct net_drops *drops);

#endif
