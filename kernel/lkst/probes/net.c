// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "network" (0x060).
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/inet_sock.h>
#include <trace/events/net.h>
#include <trace/events/skb.h>
#include <trace/events/sock.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/* The driver may have freed @skb, so do not access it. */
static void lkst_probe_net_dev_xmit(void *data, struct sk_buff *skb, int rc,
				    struct net_device *dev, unsigned int skb_len)
{
	u64 name[2];

	lkst_text_copy(name, ARRAY_SIZE(name), dev->name);
	lkst_event(LKST_ETYPE_NET_PKTSEND, LKST_ARGP(skb), LKST_ARG32(skb_len, rc), name[0],
		   name[1]);
}

/*
 * Record a packet that has a device. The tracepoint's caller holds a reference
 * to the packet.
 */
static __always_inline void lkst_packet(int etype, const struct sk_buff *skb)
{
	u64 name[2];

	lkst_text_copy(name, ARRAY_SIZE(name), skb->dev->name);
	lkst_event(etype, LKST_ARGP(skb), LKST_ARG32(skb->len, ntohs(skb->protocol)), name[0],
		   name[1]);
}

static void lkst_probe_net_dev_queue(void *data, struct sk_buff *skb)
{
	lkst_packet(LKST_ETYPE_NET_PKTSENDQ, skb);
}

static void lkst_probe_netif_receive_skb(void *data, struct sk_buff *skb)
{
	lkst_packet(LKST_ETYPE_NET_PKTRECV, skb);
}

static void lkst_probe_netif_rx(void *data, struct sk_buff *skb)
{
	lkst_packet(LKST_ETYPE_NET_PKTRECVQ, skb);
}

/* Called when nothing else refers to the packet, just before it is freed. */
static void lkst_probe_kfree_skb(void *data, struct sk_buff *skb, void *location,
				 enum skb_drop_reason reason, const struct sock *receiver)
{
	lkst_event(LKST_ETYPE_NET_DROP, LKST_ARGP(skb), LKST_ARGP(location),
		   LKST_ARG32(ntohs(skb->protocol), reason), 0);
}

/* In 6.12 the socket is not const. */
static void lkst_probe_kfree_skb_sock(void *data, struct sk_buff *skb, void *location,
				      enum skb_drop_reason reason, struct sock *receiver)
{
	lkst_probe_kfree_skb(data, skb, location, reason, receiver);
}

/* 6.1 does not pass the receiving socket. */
static void lkst_probe_kfree_skb_reason(void *data, struct sk_buff *skb, void *location,
					enum skb_drop_reason reason)
{
	lkst_probe_kfree_skb(data, skb, location, reason, NULL);
}

static void lkst_probe_inet_sock_set_state(void *data, const struct sock *sk, const int oldstate,
					   const int newstate)
{
	const struct inet_sock *inet = inet_sk(sk);

	lkst_event_rare(LKST_ETYPE_NET_SOCKSTATE, LKST_ARGP(sk), LKST_ARG32(oldstate, newstate),
			LKST_ARG32(ntohs(inet->inet_sport), ntohs(inet->inet_dport)),
			LKST_ARG32(sk->sk_family, sk->sk_protocol));
}

struct lkst_source lkst_sources_net[] = {
	LKST_SOURCE(net_dev_xmit, lkst_probe_net_dev_xmit, LKST_ETYPE_NET_PKTSEND),
	LKST_SOURCE(net_dev_queue, lkst_probe_net_dev_queue, LKST_ETYPE_NET_PKTSENDQ),
	LKST_SOURCE(netif_receive_skb, lkst_probe_netif_receive_skb, LKST_ETYPE_NET_PKTRECV),
	LKST_SOURCE(netif_rx, lkst_probe_netif_rx, LKST_ETYPE_NET_PKTRECVQ),
	LKST_SOURCE(kfree_skb,
		    LKST_PROBE_PROTOTYPE(kfree_skb, lkst_probe_kfree_skb,
					 LKST_PROBE_PROTOTYPE(kfree_skb, lkst_probe_kfree_skb_sock,
							      lkst_probe_kfree_skb_reason)),
		    LKST_ETYPE_NET_DROP),
	LKST_SOURCE(inet_sock_set_state, lkst_probe_inet_sock_set_state,
		    LKST_ETYPE_NET_SOCKSTATE),
	{}
};
