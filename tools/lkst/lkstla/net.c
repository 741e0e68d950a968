// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla net: what each network device sends and receives, how long packets wait in its queues,
 * which packets are dropped, and how TCP sockets change their state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "dist.h"
#include "hash.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "net.h"
#include "net_packets.h"
#include "net_sockets.h"
#include "tally.h"
#include "value.h"

#define NET_DEVICES_MAX	4096
#define NET_PACKETS_MAX	65536
#define NET_DROPS_MAX	65536
#define NET_SLOWEST_MAX	10000

struct net_arguments {
	int64_t slowest;
};

static const struct option_row net_options[] = {
	OPT_NUMBER(0, "slowest", "NUMBER", struct net_arguments, slowest, 1, NET_SLOWEST_MAX,
		   "number of packets", "list the packets that took longest, by stage"),
};

enum net_way {
	NET_SEND,
	NET_RECEIVE,
	NET_WAYS,
};

/* A device and direction. The key is the name of the device, and the direction. */
struct net_row {
	struct hash_head head;
	char device[17];
	uint64_t packets;
	uint64_t bytes;
	uint64_t failed;
	struct dist dist;	/* times in the queue that are known */
};

/* A packet in a queue. The key is the address of the packet, and the name of the device. */
struct net_packet {
	struct hash_head head;
	int64_t queued_ns;
	int32_t cpu;
	bool ambiguous;		/* two packets had this address at about the same time */
};

/* Dropped packets. The key is location, reason and protocol. */
struct net_drop {
	struct hash_head head;
	char reason[48];
	char location[VALUE_SIZE];
	char protocol[16];
	uint64_t packets;
	int64_t last_ns;
};

struct net {
	const struct run *run;
	struct hash rows;
	struct hash queue[NET_WAYS];
	struct hash drops;
	struct net_sockets sockets;
	struct net_packets packets;
	net_observer *observer;	/* called for each packet; NULL: none */
	void *observer_ctx;
};

/**
 * net_observe() - pass each packet to a function
 * @net: what start() of the analysis returned
 * @observer: function, called when a packet leaves a queue, or is sent or received without a queue
 * @ctx: argument of @observer
 */
void net_observe(void *net, net_observer *observer, void *ctx)
{
	struct net *to = net;

	to->observer = observer;
	to->observer_ctx = ctx;
}

static void *net_start(const struct run *run, struct lkst_error *err)
{
	struct net *net = calloc(1, sizeof(*net));

	if (!net) {
		lkst_error_memory(err, "packets");
		return NULL;
	}
	net->run = run;
	net->rows = (struct hash){ .size = sizeof(struct net_row), .max = NET_DEVICES_MAX };
	for (int way = 0; way < NET_WAYS; way++)
		net->queue[way] =
			(struct hash){ .size = sizeof(struct net_packet), .max = NET_PACKETS_MAX };
	net->drops = (struct hash){ .size = sizeof(struct net_drop), .max = NET_DROPS_MAX };
	net_sockets_init(&net->sockets);
	return net;
}

static int net_apply(void *ctx, const void *own, struct lkst_error *err)
{
	const struct net_arguments *args = own;
	struct net *net = ctx;

	if (!args->slowest || !net_packets_init(&net->packets, net->run, (size_t)args->slowest))
		return 0;
	lkst_error_memory(err, "packets");
	return -1;
}

/* ---- packets ---- */

/* Find or add the row of an event. Returns NULL if an allocation failed. */
static struct net_row *net_row_of(struct net *net, const struct lkst_event *event,
				  enum net_way way)
{
	const uint64_t key[HASH_WORDS] = { event->arg[2], event->arg[3], way };
	struct net_row *row;

	if (hash_add_row(&net->rows, key, &row) == HASH_ADDED) {
		if (hash_is_rest(row))
			snprintf(row->device, sizeof(row->device), "(others)");
		else
			lkst_event_text(event, 2, 2, row->device);
	}
	return row;
}

static void net_packet_key(const struct lkst_event *event, uint64_t key[HASH_WORDS])
{
	key[0] = event->arg[0];
	key[1] = event->arg[2];
	key[2] = event->arg[3];
}

static int net_queue(struct net *net, const struct lkst_event *event, enum net_way way)
{
	struct hash *queue = &net->queue[way];
	struct net_packet *packet;
	enum hash_result result;
	uint64_t key[HASH_WORDS];

	net_packet_key(event, key);
	result = hash_add(queue, key, &packet);
	if (result == HASH_FULL) {
		/*
		 * That many packets are never in a queue, so most of them must have left it without
		 * an event.
		 */
		hash_clear(queue);
		result = hash_add(queue, key, &packet);
	}
	if (!packet)
		return -1;
	/*
	 * If an earlier packet in the queue has the same address, that packet has been freed. It
	 * was dropped or divided, or another CPU has sent it, but has not recorded that yet.
	 */
	packet->ambiguous = result == HASH_FOUND && packet->cpu != event->cpu;
	packet->queued_ns = event->time_ns;
	packet->cpu = event->cpu;
	return 0;
}

/* Remove a packet from its queue. Returns how long it was in the queue; -1 if this is unknown. */
static int64_t net_unqueue(struct net *net, const struct lkst_event *event, enum net_way way)
{
	struct net_packet *packet;
	uint64_t key[HASH_WORDS];
	int64_t ns;

	net_packet_key(event, key);
	packet = hash_find(&net->queue[way], key);
	if (!packet)
		return -1;
	ns = packet->ambiguous ? -1 : tally_length(packet->queued_ns, event->time_ns);
	hash_remove(&net->queue[way], packet);
	return ns;
}

/* Pass a packet to the observer. @ns is the time in the queue; -1: unknown. */
static void net_show(const struct net *net, const struct net_row *row,
		     const struct lkst_event *event, enum net_way way, bool failed, int64_t ns)
{
	if (!net->observer)
		return;
	net->observer(net->observer_ctx,
		      &(struct net_done){
			      .device = row->device,
			      .sent = way == NET_SEND,
			      .failed = failed,
			      .bytes = event->arg[1] >> 32,
			      .begin_ns = event->time_ns - (ns < 0 ? 0 : ns),
			      .begin_known = ns >= 0,
			      .end_ns = event->time_ns,
			      .cpu = event->cpu,
			      .thread = value_thread(net->run, event),
		      });
}

/* Count a packet that has left a queue, or that was sent or received without a queue. */
static int net_count(struct net *net, const struct lkst_event *event, enum net_way way,
		     bool failed)
{
	const int64_t ns = net_unqueue(net, event, way), over_ns = net->run->args->over_ns;
	struct net_row *row;

	if (!value_selects(net->run, event) || (over_ns > 0 && ns < over_ns))
		return 0;
	row = net_row_of(net, event, way);
	if (!row)
		return -1;
	net_show(net, row, event, way, failed, ns);
	if (failed) {
		row->failed++;
		return 0;
	}
	row->packets++;
	row->bytes += event->arg[1] >> 32;
	return ns < 0 ? 0 : dist_add(&row->dist, ns, event->time_ns);
}

static int net_send(struct net *net, const struct lkst_event *event)
{
	int32_t result = (int32_t)event->arg[1];

	return result == NETDEV_TX_BUSY ? 0 : net_count(net, event, NET_SEND, result != 0);
}

static int net_drop_packet(struct net *net, const struct lkst_event *event)
{
	const uint64_t key[HASH_WORDS] = { event->arg[1], event->arg[2] };
	const struct run *run = net->run;
	struct net_drop *drop;

	if (!value_selects(run, event))
		return 0;
	switch (hash_add_row(&net->drops, key, &drop)) {
	case HASH_NO_MEMORY:
		return -1;
	case HASH_ADDED:
		if (hash_is_rest(drop)) {
			snprintf(drop->reason, sizeof(drop->reason), "(others)");
			break;
		}
		value_text(run, event, "reason", drop->reason, sizeof(drop->reason));
		value_text(run, event, "location", drop->location, sizeof(drop->location));
		value_text(run, event, "protocol", drop->protocol, sizeof(drop->protocol));
		break;
	default:
		break;
	}
	drop->packets++;
	drop->last_ns = event->time_ns;
	return 0;
}

static int net_take(struct net *net, const struct lkst_event *event)
{
	switch (event->type) {
	case LKST_ETYPE_NET_PKTSENDQ:
		return net_queue(net, event, NET_SEND);
	case LKST_ETYPE_NET_PKTSEND:
		return net_send(net, event);
	case LKST_ETYPE_NET_PKTRECVQ:
		return net_queue(net, event, NET_RECEIVE);
	case LKST_ETYPE_NET_PKTRECV:
		return net_count(net, event, NET_RECEIVE, false);
	case LKST_ETYPE_NET_DROP:
		return net_drop_packet(net, event);
	case LKST_ETYPE_NET_SOCKSTATE:
		return net_sockets_change(&net->sockets, net->run, event);
	default:
		return 0;
	}
}

static void net_event(void *ctx, const struct lkst_event *event)
{
	struct net *net = ctx;

	if (value_in_window(net->run, event->time_ns) &&
	    (net_take(net, event) || net_packets_take(&net->packets, event)))
		run_out_of_memory(net->run);
}

/*
 * The lost records may include packets that left their queues, and sockets that were closed: forget
 * all of them.
 */
static void net_loss(void *ctx, const struct lkst_loss *loss)
{
	struct net *net = ctx;

	(void)loss;
	for (int way = 0; way < NET_WAYS; way++)
		hash_clear(&net->queue[way]);
	net_sockets_forget(&net->sockets);
	net_packets_end(&net->packets);
}

/**
 * net_next_drops() - get the packets that were dropped at one place for one reason
 * @net: what start() of the analysis returned
 * @at: position, 0 at first
 * @drops: result
 *
 * Return: false after the last one.
 */
bool net_next_drops(const void *net, size_t *at, struct net_drops *drops)
{
	const struct net_drop *drop = hash_next(&((const struct net *)net)->drops, at);

	if (!drop)
		return false;
	*drops = (struct net_drops){ .reason = drop->reason,
				     .location = drop->location,
				     .packets = drop->packets,
				     .last_ns = drop->last_ns };
	return true;
}

/* ---- tables ---- */

static const struct column net_columns[] = {
	{ "device", "device", COLUMN_TEXT },   { "way", "way", COLUMN_TEXT },
	{ "packets", "packets", COLUMN_COUNT }, { "bytes", "bytes", COLUMN_BYTES },
	{ "failed", "failed", COLUMN_COUNT },  { "timed", "timed", COLUMN_COUNT },
	VALUE_DIST_COLUMNS,
};

static const struct column net_drop_columns[] = {
	{ "reason", "reason", COLUMN_TEXT },	 { "location", "location", COLUMN_TEXT },
	{ "protocol", "protocol", COLUMN_TEXT }, { "dropped", "dropped", COLUMN_COUNT },
	{ "last", "last_ns", COLUMN_TIME },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* Order: by name of the device, sending before receiving. */
static int net_by_device(const void *a, const void *b)
{
	const struct net_row *const *pa = a, *const *pb = b;
	int order = strcmp((*pa)->device, (*pb)->device);

	if (order)
		return order;
	if ((*pa)->head.key[2] != (*pb)->head.key[2])
		return (*pa)->head.key[2] < (*pb)->head.key[2] ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int net_by_drops(const void *a, const void *b)
{
	const struct net_drop *const *pa = a, *const *pb = b;

	if ((*pa)->packets != (*pb)->packets)
		return (*pa)->packets > (*pb)->packets ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int net_report_row(const struct net_row *row, struct table *table, struct lkst_error *err)
{
	bool receive = row->head.key[2] == NET_RECEIVE;
	struct cell cell[NUM(net_columns)] = {
		CELL_TEXT(row->device),	 CELL_TEXT(receive ? "receive" : "send"),
		CELL(row->packets),	 CELL(row->bytes),
		receive ? CELL_NONE : CELL(row->failed), CELL(row->dist.count),
	};

	if (hash_is_rest(row))
		cell[1] = CELL_NONE;
	value_dist(&row->dist, cell + 6);
	return table_add(table, cell, err);
}

static int net_report_drop(const struct net_drop *drop, struct table *table,
			   struct lkst_error *err)
{
	bool rest = hash_is_rest(drop);

	return table_add(table,
			 (struct cell[]){ CELL_TEXT(drop->reason),
					  rest ? CELL_NONE : CELL_TEXT(drop->location),
					  rest ? CELL_NONE : CELL_TEXT(drop->protocol),
					  CELL(drop->packets), CELL(drop->last_ns) },
			 err);
}

static int net_report_rows(const struct net *net, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, "net", "Packets by device", net_columns, NUM(net_columns), err);
	void **row = table ? hash_sorted(&net->rows, net_by_device) : NULL;
	int ret = 0;

	if (table && !row)
		lkst_error_memory(err, "devices");
	if (!row)
		return -1;
	for (size_t i = 0; i < net->rows.num && !ret; i++)
		ret = net_report_row(row[i], table, err);
	free(row);
	return ret;
}

static int net_report_drops(const struct net *net, struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "drops", "Dropped packets", net_drop_columns,
					  NUM(net_drop_columns), err);
	void **drop = table ? hash_sorted(&net->drops, net_by_drops) : NULL;
	int ret = 0;

	if (table && !drop)
		lkst_error_memory(err, "dropped packets");
	if (!drop)
		return -1;
	for (size_t i = 0; i < net->drops.num && !ret; i++)
		ret = net_report_drop(drop[i], table, err);
	free(drop);
	return ret;
}

static int net_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct net *net = ctx;

	(void)run;
	if (net_report_rows(net, to, err) || net_report_drops(net, to, err) ||
	    net_sockets_report(&net->sockets, to, err))
		return -1;
	return net_packets_report(&net->packets, to, err);
}

static void net_free(void *ctx)
{
	struct net *net = ctx;
	struct net_row *row;
	size_t at = 0;

	while ((row = hash_next(&net->rows, &at)) != NULL)
		dist_free(&row->dist);
	hash_free(&net->rows);
	for (int way = 0; way < NET_WAYS; way++)
		hash_free(&net->queue[way]);
	hash_free(&net->drops);
	net_sockets_free(&net->sockets);
	net_packets_free(&net->packets);
	free(net);
}

static const char *const net_events[] = { "NET_PKTSENDQ", "NET_PKTSEND", "NET_PKTRECVQ",
					  "NET_PKTRECV",  "NET_DROP",	 "NET_SOCKSTATE", NULL };

const struct analysis analysis_net = {
	.name = "net",
	.summary = "requests to block devices; packets, drops and sockets",
	.about = "For each network device: packets, and packets that the driver refused (failed).\n"
		 "p50, p99, max: times from the device's queue to the driver, or from the receive\n"
		 "queue to the protocols, if known (timed). \"at\" is the end of the longest one.\n"
		 "Then: dropped packets, and state changes of TCP sockets by port of the service.\n",
	.row = net_options,
	.rows = NUM(net_options),
	.own_size = sizeof(struct net_arguments),
	.needs = net_events,
	.needs_any = true,
	.helps = net_events,
	.ops = { .event = net_event, .loss = net_loss },
	.start = net_start,
	.apply = net_apply,
	.report = net_report,
	.free = net_free,
};
