/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passes the packets that lkstla net finds to another analysis, and provides the dropped packets.
 */
#ifndef _LKSTLA_NET_H
#define _LKSTLA_NET_H

#include "lib/model.h"

/**
 * struct net_drops - packets that were dropped at one place for one reason
 * @reason: reason
 * @location: code that dropped the packets
 * @packets: number of packets
 * @last_ns: time of the last dropped packet
 */
struct net_drops {
	const char *reason;
	const char *location;
	uint64_t packets;
	int64_t last_ns;
};

/**
 * struct net_done - a packet that a device has sent or received
 * @device: name of the device
 * @sent: the packet was sent; otherwise it was received
 * @failed: the packet could not be sent
 * @bytes: size
 * @begin_ns: time at which it was queued
 * @begin_known: @begin_ns is known
 * @end_ns: time at which it left the queue
 * @cpu: CPU that took it from the queue
 * @thread: thread that ran on this CPU; NULL: idle or unknown
 */
struct net_done {
	const char *device;
	bool sent;
	bool failed;
	uint64_t bytes;
	int64_t begin_ns;
	bool begin_known;
	int64_t end_ns;
	int32_t cpu;
	const struct lkst_thread *thread;
};

typedef void net_observer(void *ctx, const struct net_done *done);

void net_observe(void *net, net_observer *observer, void *ctx);
bool net_next_drops(const void *net, size_t *at, struct net_drops *drops);

#endif
