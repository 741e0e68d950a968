/* SPDX-License-Identifier: GPL-2.0 */
/* Follows each packet from stage to stage, and lists the slowest ones, for lkstla net. */
#ifndef _LKSTLA_NET_PACKETS_H
#define _LKSTLA_NET_PACKETS_H

#include "analysis.h"
#include "hash.h"

#define NETDEV_TX_BUSY 0x10 /* the driver had no room: the packet returns to the queue */

struct packet;

/**
 * struct net_packets - the packets of a trace
 * @run: run
 * @keep: number of packets that are listed; 0: packets are not followed
 * @open: packets that may have further events
 * @slowest: packets with the longest times; has room for 2 * @keep packets
 * @num: number of packets in @slowest
 * @over_ns: packets that took at most this long are not among the slowest ones; -1: no limit
 */
struct net_packets {
	const struct run *run;
	size_t keep;
	struct hash open;
	struct packet *slowest;
	size_t num;
	int64_t over_ns;
};

int net_packets_init(struct net_packets *packets, const struct run *run, size_t keep);
int net_packets_take(struct net_packets *packets, const struct lkst_event *event);
void net_packets_end(struct net_packets *packets);
int net_packets_report(struct net_packets *packets, struct tables *to, struct lkst_error *err);
void net_packets_free(struct net_packets *packets);

#endif
