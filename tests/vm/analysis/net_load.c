// SPDX-License-Identifier: GPL-2.0
/*
 * net_load: send a known number of packets over the loopback device, and open a known number of
 * connections. All packets have arrived when the program ends. The ports are above the range from
 * which connect() chooses.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tap.h"

#define UDP_PORT	61001
#define UDP_CLOSED	61002
#define TCP_PORT	61003
#define TCP_CLOSED	61004

#define DATAGRAMS	200
#define UNWANTED	50	/* datagrams to a port without a socket */
#define CONNECTIONS	20
#define REFUSED		10

static struct sockaddr_in address(unsigned short port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int bound(int type, unsigned short port)
{
	struct sockaddr_in to = address(port);
	int fd = socket(AF_INET, type, 0);

	bail_if(fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to)), "bind");
	return fd;
}

static void send_datagrams(void)
{
	struct sockaddr_in open_port = address(UDP_PORT), closed = address(UDP_CLOSED);
	int from = socket(AF_INET, SOCK_DGRAM, 0), to = bound(SOCK_DGRAM, UDP_PORT);
	char data[1400] = "";

	bail_if(from < 0, "socket");
	for (int i = 0; i < DATAGRAMS; i++) {
		bail_if(sendto(from, data, (size_t)i * 7, 0, (struct sockaddr *)&open_port,
			       sizeof(open_port)) != i * 7, "sendto");
		bail_if(recv(to, data, sizeof(data), 0) != i * 7, "recv");
	}
	for (int i = 0; i < UNWANTED; i++)
		bail_if(sendto(from, data, 10, 0, (struct sockaddr *)&closed, sizeof(closed)) != 10,
			"sendto");
	close(from);
	close(to);
}

static void connect_once(int listener)
{
	struct sockaddr_in to = address(TCP_PORT);
	int client = socket(AF_INET, SOCK_STREAM, 0), server;
	char data[10] = "";

	bail_if(client < 0 || connect(client, (struct sockaddr *)&to, sizeof(to)), "connect");
	server = accept(listener, NULL, NULL);
	bail_if(server < 0, "accept");
	bail_if(write(client, data, sizeof(data)) != sizeof(data), "write");
	bail_if(read(server, data, sizeof(data)) != sizeof(data), "read");
	close(client);
	bail_if(read(server, data, sizeof(data)), "read");
	close(server);
}

int main(void)
{
	struct sockaddr_in closed = address(TCP_CLOSED);
	int listener;

	send_datagrams();
	listener = bound(SOCK_STREAM, TCP_PORT);
	bail_if(listen(listener, 5), "listen");
	for (int i = 0; i < CONNECTIONS; i++)
		connect_once(listener);
	close(listener);
	for (int i = 0; i < REFUSED; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		bail_if(fd < 0 || !connect(fd, (struct sockaddr *)&closed, sizeof(closed)) ||
				errno != ECONNREFUSED, "connect");
		close(fd);
	}
	return 0;
}
