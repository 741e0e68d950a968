/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the state changes of TCP sockets, for lkstla net. */
#ifndef _LKSTLA_NET_SOCKETS_H
#define _LKSTLA_NET_SOCKETS_H

#include "analysis.h"
#include "hash.h"

/**
 * struct net_sockets - the sockets of a trace
 * @socket: the open sockets
 * @rows: the state changes by port
 */
struct net_sockets {
	struct hash socket;
	struct hash rows;
};

void net_sockets_init(struct net_sockets *sockets);
int net_sockets_change(struct net_sockets *sockets, const struct run *run,
		       const struct lkst_event *event);
void net_sockets_forget(struct net_sockets *sockets);
int net_sockets_report(const struct net_sockets *sockets, struct tables *to,
		       struct lkst_error *err);
void net_sockets_free(struct net_sockets *sockets);

#endif
