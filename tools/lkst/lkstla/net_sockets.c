// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the state changes of TCP sockets by port.
 *
 * A connection has two ports, of which one identifies the service: the peer's port for a socket
 * that connects, and the local port for a socket that listens or was accepted from a listening one.
 * Only the first events of a socket show which port to use, so the choice is kept until the socket
 * is closed.
 */
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "net_sockets.h"
#include "value.h"

#define SOCKETS_MAX 65536

enum net_side {
	NET_SIDE_UNKNOWN,	/* the socket began before the window */
	NET_SIDE_CLIENT,
	NET_SIDE_SERVER,
};

/* An open socket. The key is its address. */
struct net_socket {
	struct hash_head head;
	enum net_side side;
	uint32_t port;
};

/* A state change. The key is the port, the side, and both states. */
struct net_change {
	struct hash_head head;
	char before[32];
	char after[32];
	uint64_t changes;
	int64_t last_ns;
};

void net_sockets_init(struct net_sockets *sockets)
{
	sockets->socket = (struct hash){ .size = sizeof(struct net_socket), .max = SOCKETS_MAX };
	sockets->rows = (struct hash){ .size = sizeof(struct net_change), .max = SOCKETS_MAX };
}

/* Return the side of a connection whose socket changes from @before to @after. */
static enum net_side net_side_of(uint32_t before, uint32_t after)
{
	if (before == TCP_SYN_SENT || after == TCP_SYN_SENT)
		return NET_SIDE_CLIENT;
	if (before == TCP_LISTEN || after == TCP_LISTEN || before == TCP_SYN_RECV ||
	    after == TCP_SYN_RECV)
		return NET_SIDE_SERVER;
	return NET_SIDE_UNKNOWN;
}

/* Find or add a socket, and note its side and its port. Returns NULL if an allocation failed. */
static struct net_socket *net_socket_of(struct net_sockets *sockets,
					const struct lkst_event *event)
{
	uint32_t before = event->arg[1] >> 32, after = (uint32_t)event->arg[1];
	uint32_t own = event->arg[2] >> 32, peer = (uint32_t)event->arg[2];
	const uint64_t key[HASH_WORDS] = { event->arg[0] };
	struct net_socket *socket;

	if (hash_add(&sockets->socket, key, &socket) == HASH_FULL) {
		hash_clear(&sockets->socket);
		hash_add(&sockets->socket, key, &socket);
	}
	if (!socket)
		return NULL;
	/*
	 * If the previous state is closed, the socket is used again, or a new socket has the same
	 * address. If the previous state is listening, the socket may be a new one for an accepted
	 * connection.
	 */
	if (before == TCP_CLOSE || before == TCP_LISTEN) {
		socket->side = NET_SIDE_UNKNOWN;
		socket->port = 0;
	}
	if (socket->side == NET_SIDE_UNKNOWN) {
		socket->side = net_side_of(before, after);
		if (socket->side != NET_SIDE_UNKNOWN)
			socket->port = 0;
	}
	/* Keep the port: when a socket is closed, its event may no longer contain the port. */
	if (!socket->port)
		socket->port = socket->side == NET_SIDE_CLIENT ? peer : own;
	return socket;
}

/**
 * net_sockets_forget() - forget the open sockets
 * @sockets: sockets
 */
void net_sockets_forget(struct net_sockets *sockets)
{
	hash_clear(&sockets->socket);
}

/**
 * net_sockets_change() - count a state change
 * @sockets: sockets
 * @run: run
 * @event: NET_SOCKSTATE
 *
 * Return: 0; -1 if an allocation failed.
 */
int net_sockets_change(struct net_sockets *sockets, const struct run *run,
		       const struct lkst_event *event)
{
	struct net_socket *socket = net_socket_of(sockets, event);
	uint64_t key[HASH_WORDS];
	struct net_change *change;

	if (!socket)
		return -1;
	key[0] = socket->port;
	key[1] = socket->side;
	key[2] = event->arg[1];
	if ((uint32_t)event->arg[1] == TCP_CLOSE)
		hash_remove(&sockets->socket, socket);
	if (!value_selects(run, event))
		return 0;
	switch (hash_add_row(&sockets->rows, key, &change)) {
	case HASH_NO_MEMORY:
		return -1;
	case HASH_ADDED:
		if (hash_is_rest(change))
			break;
		value_text(run, event, "old", change->before, sizeof(change->before));
		value_text(run, event, "new", change->after, sizeof(change->after));
		break;
	default:
		break;
	}
	change->changes++;
	change->last_ns = event->time_ns;
	return 0;
}

static const struct column net_change_columns[] = {
	{ "port", "port", COLUMN_COUNT },     { "side", "side", COLUMN_TEXT },
	{ "from", "from", COLUMN_TEXT },      { "to", "to", COLUMN_TEXT },
	{ "changes", "changes", COLUMN_COUNT }, { "last", "last_ns", COLUMN_TIME },
};

/*
 * Order: by port and side, to keep the changes of a service together, and then the most frequent
 * ones first.
 */
static int net_by_port(const void *a, const void *b)
{
	const struct net_change *const *pa = a, *const *pb = b;

	for (int i = 0; i < 2; i++)
		if ((*pa)->head.key[i] != (*pb)->head.key[i])
			return (*pa)->head.key[i] < (*pb)->head.key[i] ? -1 : 1;
	if ((*pa)->changes != (*pb)->changes)
		return (*pa)->changes > (*pb)->changes ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int net_report_change(const struct net_change *change, struct table *table,
			     struct lkst_error *err)
{
	static const char *const sides[] = { "?", "client", "server" };
	struct cell cell[] = {
		CELL(change->head.key[0]), CELL_TEXT("(others)"), CELL_TEXT(change->before),
		CELL_TEXT(change->after), CELL(change->changes), CELL(change->last_ns),
	};

	if (hash_is_rest(change))
		cell[0] = cell[2] = cell[3] = CELL_NONE;
	else
		cell[1].text = sides[change->head.key[1]];
	return table_add(table, cell, err);
}

/**
 * net_sockets_report() - add the table of state changes
 * @sockets: sockets
 * @to: tables
 * @err: set if an allocation fails
 */
int net_sockets_report(const struct net_sockets *sockets, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, "tcp", "State changes of TCP sockets", net_change_columns,
			    sizeof(net_change_columns) / sizeof(*net_change_columns), err);
	void **change = table ? hash_sorted(&sockets->rows, net_by_port) : NULL;
	int ret = 0;

	if (table && !change)
		lkst_error_memory(err, "sockets");
	if (!change)
		return -1;
	for (size_t i = 0; i < sockets->rows.num && !ret; i++)
		ret = net_report_change(change[i], table, err);
	free(change);
	return ret;
}

void net_sockets_free(struct net_sockets *sockets)
{
	hash_free(&sockets->socket);
	hash_free(&sockets->rows);
}
