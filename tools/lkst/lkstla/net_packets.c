// SPDX-License-Identifier: GPL-2.0
/*
 * Follows each packet from stage to stage by the address of its struct sk_buff.
 *
 * Most ways of freeing a packet record no event, and the kernel uses the address again. An event
 * continues a packet only if it can be the next stage of that packet. Otherwise, it begins another
 * packet. So a packet that is forwarded is one packet for each device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "net_packets.h"
#include "tally.h"
#include "value.h"

#define PACKETS_OPEN_MAX 65536
#define PACKET_BY_SIZE	 64

/* What happened to a packet, in this order */
enum packet_step {
	PACKET_QUEUED,	 /* it was put into the queue of the device */
	PACKET_SENT,	 /* the driver has accepted it */
	PACKET_ARRIVED,	 /* it was put into the receive queue */
	PACKET_RECEIVED, /* it was passed to the protocols */
	PACKET_DROPPED,
	PACKET_STEPS,
};

/* The thread and the mode of a CPU at the time of a step */
struct packet_place {
	const struct lkst_thread *thread; /* NULL: idle or unknown */
	enum lkst_mode mode;
};

/*
 * A packet. The key is its address. @time_ns and @place are only valid for the steps in the bitmap
 * @steps.
 */
struct packet {
	struct hash_head head;
	unsigned int steps;
	int64_t time_ns[PACKET_STEPS];
	int64_t begin_ns;
	int64_t total_ns;	/* from the first to the last step */
	struct packet_place sent_by;
	struct packet_place received_by;
	uint64_t drop[2];	/* arguments of the event: location; protocol and reason */
	uint32_t bytes;
	uint32_t protocol;
	int32_t cpu;
	bool selected;		/* -p and -c select the first event */
	bool ambiguous;		/* two packets had this address at about the same time */
	bool refused;		/* the driver returned an error */
	char device[17];
	char receiver[17];
};

/**
 * net_packets_init() - begin to follow packets
 * @packets: packets
 * @run: run
 * @keep: number of packets that are listed
 *
 * Return: 0; -1 if an allocation failed.
 */
int net_packets_init(struct net_packets *packets, const struct run *run, size_t keep)
{
	*packets = (struct net_packets){
		.run = run,
		.keep = keep,
		.open = { .size = sizeof(struct packet), .max = PACKETS_OPEN_MAX },
		.slowest = calloc(2 * keep, sizeof(struct packet)),
		.over_ns = run->args->over_ns - 1,
	};
	return packets->slowest ? 0 : -1;
}

/* ---- the slowest packets ---- */

/* Order: the slowest packet first. */
static int packet_by_time(const void *a, const void *b)
{
	const struct packet *pa = a, *pb = b;

	if (pa->total_ns != pb->total_ns)
		return pa->total_ns > pb->total_ns ? -1 : 1;
	if (pa->begin_ns != pb->begin_ns)
		return pa->begin_ns < pb->begin_ns ? -1 : 1;
	return hash_compare_keys(&a, &b);
}

static void packets_keep_slowest(struct net_packets *packets)
{
	qsort(packets->slowest, packets->num, sizeof(*packets->slowest), packet_by_time);
	if (packets->num < packets->keep)
		return;
	packets->num = packets->keep;
	packets->over_ns = packets->slowest[packets->num - 1].total_ns;
}

/* A packet has no further step. List it if the end of at least one stage is known. */
static void packet_end(struct net_packets *packets, const struct packet *packet)
{
	if (!packet->selected || packet->ambiguous || packet->total_ns <= packets->over_ns ||
	    packet->steps == 1u << PACKET_QUEUED || packet->steps == 1u << PACKET_ARRIVED)
		return;
	packets->slowest[packets->num++] = *packet;
	if (packets->num == 2 * packets->keep)
		packets_keep_slowest(packets);
}

/**
 * net_packets_end() - stop following all packets, and list them as if no step would follow
 * @packets: packets
 */
void net_packets_end(struct net_packets *packets)
{
	const struct packet *packet;
	size_t at = 0;

	while ((packet = hash_next(&packets->open, &at)) != NULL)
		packet_end(packets, packet);
	hash_clear(&packets->open);
}

/* ---- steps ---- */

static bool packet_did(const struct packet *packet, enum packet_step step)
{
	return packet->steps & 1u << step;
}

static void packet_step(struct packet *packet, const struct lkst_event *event,
			enum packet_step step)
{
	packet->steps |= 1u << step;
	packet->time_ns[step] = event->time_ns;
	packet->total_ns = tally_length(packet->begin_ns, event->time_ns);
}

static struct packet_place packet_place(const struct run *run, const struct lkst_event *event)
{
	struct lkst_cpu_span now;
	bool known = lkst_model_cpu(run->model, event->source, event->cpu, &now);

	return (struct packet_place){ value_thread(run, event),
				      known ? now.mode : LKST_MODE_UNKNOWN };
}

static struct packet *packet_find(struct net_packets *packets, const struct lkst_event *event)
{
	const uint64_t key[HASH_WORDS] = { event->arg[0], event->source };

	return hash_find(&packets->open, key);
}

/* Begin a packet. Returns NULL if an allocation failed. */
static struct packet *packet_begin(struct net_packets *packets, const struct lkst_event *event,
				   enum packet_step step)
{
	const uint64_t key[HASH_WORDS] = { event->arg[0], event->source };
	struct packet *packet;
	struct hash_head head;
	bool ambiguous = false;

	switch (hash_add(&packets->open, key, &packet)) {
	case HASH_FULL:
		net_packets_end(packets);
		hash_add(&packets->open, key, &packet);
		break;
	case HASH_FOUND:
		/*
		 * The earlier packet has been freed. If it was in a queue, another CPU may have
		 * sent it, but has not recorded that yet.
		 */
		ambiguous = step == PACKET_QUEUED && packet_did(packet, PACKET_QUEUED) &&
			    !packet_did(packet, PACKET_SENT) && packet->cpu != event->cpu;
		packet_end(packets, packet);
		break;
	default:
		break;
	}
	if (!packet)
		return NULL;
	head = packet->head;
	*packet = (struct packet){
		.head = head,
		.begin_ns = event->time_ns,
		.bytes = event->arg[1] >> 32,
		.protocol = (uint32_t)event->arg[1],
		.cpu = event->cpu,
		.selected = value_selects(packets->run, event),
		.ambiguous = ambiguous,
	};
	lkst_event_text(event, 2, 2, packet->device);
	packet_step(packet, event, step);
	return packet;
}

static int packet_queue(struct net_packets *packets, const struct lkst_event *event)
{
	struct packet *packet = packet_begin(packets, event, PACKET_QUEUED);

	if (!packet)
		return -1;
	packet->sent_by = packet_place(packets->run, event);
	return 0;
}

static void packet_send(struct net_packets *packets, const struct lkst_event *event)
{
	struct packet *packet = packet_find(packets, event);
	int32_t result = (int32_t)event->arg[1];
	char device[17];

	lkst_event_text(event, 2, 2, device);
	if (!packet || !packet_did(packet, PACKET_QUEUED) || packet_did(packet, PACKET_SENT) ||
	    strcmp(packet->device, device) != 0 || result == NETDEV_TX_BUSY)
		return;
	packet_step(packet, event, PACKET_SENT);
	packet->refused = result != 0;
}

/*
 * The packet was put into the receive queue. The driver of a device such as lo or veth does this
 * itself with a packet that it sends.
 */
static int packet_arrive(struct net_packets *packets, const struct lkst_event *event)
{
	struct packet *packet = packet_find(packets, event);

	if (packet && packet_did(packet, PACKET_QUEUED) && !packet_did(packet, PACKET_SENT) &&
	    !packet_did(packet, PACKET_ARRIVED))
		packet_step(packet, event, PACKET_ARRIVED);
	else
		packet = packet_begin(packets, event, PACKET_ARRIVED);
	if (!packet)
		return -1;
	lkst_event_text(event, 2, 2, packet->receiver);
	return 0;
}

static int packet_receive(struct net_packets *packets, const struct lkst_event *event)
{
	struct packet *packet = packet_find(packets, event);
	char device[17];

	lkst_event_text(event, 2, 2, device);
	if (packet && packet_did(packet, PACKET_ARRIVED) && !packet_did(packet, PACKET_RECEIVED) &&
	    !strcmp(packet->receiver, device))
		packet_step(packet, event, PACKET_RECEIVED);
	else
		packet = packet_begin(packets, event, PACKET_RECEIVED);
	if (!packet)
		return -1;
	strcpy(packet->receiver, device);
	packet->received_by = packet_place(packets->run, event);
	return 0;
}

/* After the driver has accepted a packet, only its receiver can drop it. */
static void packet_drop(struct net_packets *packets, const struct lkst_event *event)
{
	struct packet *packet = packet_find(packets, event);

	if (!packet || packet->protocol != event->arg[2] >> 32 ||
	    (packet_did(packet, PACKET_SENT) && !packet_did(packet, PACKET_ARRIVED)))
		return;
	packet_step(packet, event, PACKET_DROPPED);
	packet->drop[0] = event->arg[1];
	packet->drop[1] = event->arg[2];
	packet_end(packets, packet);
	hash_remove(&packets->open, packet);
}

/**
 * net_packets_take() - follow a packet
 * @packets: packets
 * @event: any event in the window
 *
 * Return: 0; -1 if an allocation failed.
 */
int net_packets_take(struct net_packets *packets, const struct lkst_event *event)
{
	if (!packets->keep)
		return 0;
	switch (event->type) {
	case LKST_ETYPE_NET_PKTSENDQ:
		return packet_queue(packets, event);
	case LKST_ETYPE_NET_PKTSEND:
		packet_send(packets, event);
		return 0;
	case LKST_ETYPE_NET_PKTRECVQ:
		return packet_arrive(packets, event);
	case LKST_ETYPE_NET_PKTRECV:
		return packet_receive(packets, event);
	case LKST_ETYPE_NET_DROP:
		packet_drop(packets, event);
		return 0;
	default:
		return 0;
	}
}

/* ---- the table ---- */

static const struct column packet_columns[] = {
	{ "device", "device", COLUMN_TEXT },	     { "to", "to_device", COLUMN_TEXT },
	{ "bytes", "bytes", COLUMN_COUNT },	     { "begin", "begin_ns", COLUMN_TIME },
	{ "total us", "total_ns", COLUMN_US },	     { "send us", "send_ns", COLUMN_US },
	{ "receive us", "receive_ns", COLUMN_US },   { "drop us", "drop_ns", COLUMN_US },
	{ "sent by", "sent_by", COLUMN_TEXT },	     { "received by", "received_by", COLUMN_TEXT },
	{ "dropped", "dropped", COLUMN_TEXT },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* Make a cell of the time between two steps. */
static struct cell packet_stage(const struct packet *packet, enum packet_step from,
				enum packet_step to)
{
	if (!packet_did(packet, from) || !packet_did(packet, to))
		return CELL_NONE;
	return CELL(tally_length(packet->time_ns[from], packet->time_ns[to]));
}

/* Make a cell of the time between the drop of a packet and the last step before the drop. */
static struct cell packet_drop_stage(const struct packet *packet)
{
	int64_t last_ns = packet->begin_ns;

	for (int step = 0; step < PACKET_DROPPED; step++)
		if (packet_did(packet, step) && packet->time_ns[step] > last_ns)
			last_ns = packet->time_ns[step];
	return packet_did(packet, PACKET_DROPPED) ?
		       CELL(tally_length(last_ns, packet->time_ns[PACKET_DROPPED])) :
		       CELL_NONE;
}

/* Make a cell of a place: the thread, "softirq in thread" or "softirq", "irq in thread" or "irq" */
static struct cell packet_place_cell(const struct run *run, const struct packet_place *place,
				     char text[PACKET_BY_SIZE])
{
	const char *mode = place->mode == LKST_MODE_SOFTIRQ ? "softirq" :
			   place->mode == LKST_MODE_HARDIRQ ? "irq" :
							      "";
	char room[40];
	const char *name = place->thread ? run_thread_name(run, place->thread, room) : "";

	snprintf(text, PACKET_BY_SIZE, "%s%s%s", mode, *mode && *name ? " in " : "", name);
	return *text ? CELL_TEXT(text) : CELL_NONE;
}

/* Make a cell of why and where the packet was dropped. */
static struct cell packet_drop_cell(const struct run *run, const struct packet *packet,
				    char text[2 * VALUE_SIZE])
{
	const struct lkst_event drop = {
		.type = LKST_ETYPE_NET_DROP,
		.source = (uint32_t)packet->head.key[1],
		.arg = { packet->head.key[0], packet->drop[0], packet->drop[1] },
	};
	char reason[48], location[VALUE_SIZE];

	if (!packet_did(packet, PACKET_DROPPED))
		return packet->refused ? CELL_TEXT("refused by the driver") : CELL_NONE;
	value_text(run, &drop, "reason", reason, sizeof(reason));
	value_text(run, &drop, "location", location, sizeof(location));
	snprintf(text, 2 * VALUE_SIZE, "%s at %s", reason, location);
	return CELL_TEXT(text);
}

static int packet_report(const struct run *run, const struct packet *packet, struct table *table,
			 struct lkst_error *err)
{
	char sent_by[PACKET_BY_SIZE], received_by[PACKET_BY_SIZE], drop[2 * VALUE_SIZE];
	struct cell cell[NUM(packet_columns)] = {
		CELL_TEXT(packet->device),
		*packet->receiver ? CELL_TEXT(packet->receiver) : CELL_NONE,
		CELL(packet->bytes),
		CELL(packet->begin_ns),
		CELL(packet->total_ns),
		packet_stage(packet, PACKET_QUEUED, PACKET_SENT),
		packet_stage(packet, PACKET_ARRIVED, PACKET_RECEIVED),
		packet_drop_stage(packet),
		packet_did(packet, PACKET_QUEUED) ?
			packet_place_cell(run, &packet->sent_by, sent_by) :
			CELL_NONE,
		packet_did(packet, PACKET_RECEIVED) ?
			packet_place_cell(run, &packet->received_by, received_by) :
			CELL_NONE,
		packet_drop_cell(run, packet, drop),
	};

	return table_add(table, cell, err);
}

/**
 * net_packets_report() - add the table of the slowest packets, if packets are followed
 * @packets: packets
 * @to: tables
 * @err: set if an allocation fails
 */
int net_packets_report(struct net_packets *packets, struct tables *to, struct lkst_error *err)
{
	struct table *table;
	int ret = 0;

	if (!packets->keep)
		return 0;
	net_packets_end(packets);
	packets_keep_slowest(packets);
	table = value_table(to, "packets", "The slowest packets", packet_columns,
			    NUM(packet_columns), err);
	for (size_t i = 0; table && i < packets->num && !ret; i++)
		ret = packet_report(packets->run, &packets->slowest[i], table, err);
	return table ? ret : -1;
}

void net_packets_free(struct net_packets *packets)
{
	hash_free(&packets->open);
	free(packets->slowest);
}
