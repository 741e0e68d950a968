// SPDX-License-Identifier: GPL-2.0
/*
 * The workload of the group "network": packets, connections and dropped packets on the loopback
 * device, and threads and processes that contend for locks of the kernel.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "oracle_workload.h"

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/*
 * Create a socket on the loopback device, with any free port. Set @address to the address of the
 * socket.
 */
static int socket_here(int family, int type, union address *address)
{
	socklen_t len = sizeof(*address);
	int fd = socket(family, type, 0);

	*address = (union address){ .any = { .sa_family = family } };
	if (family == AF_INET)
		address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		address->v6.sin6_addr = in6addr_loopback;
	if (fd < 0 || bind(fd, &address->any, len) || getsockname(fd, &address->any, &len))
		die("socket");
	return fd;
}

static void exchange_datagrams(int family, int rounds)
{
	struct timeval wait = { 60, 0 }; /* long, because the host may be busy */
	union address address_a, address_b;
	int a = socket_here(family, SOCK_DGRAM, &address_a);
	int b = socket_here(family, SOCK_DGRAM, &address_b);
	char data[200] = {};
	pid_t pid;

	if (connect(a, &address_b.any, sizeof(address_b)) ||
	    connect(b, &address_a.any, sizeof(address_a)))
		die("connect");
	pid = start();
	if (!pid) {
		while (recv(b, data, sizeof(data), 0) > 0 && !data[0])
			send(b, data, sizeof(data), 0);
		_exit(0);
	}
	setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	for_each_round(i, rounds)
		if (send(a, data, sizeof(data), 0) < 0 || recv(a, data, sizeof(data), 0) < 0)
			die("datagrams");
	data[0] = 1;
	send(a, data, sizeof(data), 0);
	finish(pid);
	close(a);
	close(b);
}

void work_datagrams(void)
{
	exchange_datagrams(AF_INET, 5000);
}

static void work_datagrams_v6(void)
{
	exchange_datagrams(AF_INET6, 2000);
}

static void serve(int listener)
{
	char data[4096];
	ssize_t n;
	int fd;

	while ((fd = accept(listener, NULL, NULL)) >= 0) {
		while ((n = read(fd, data, sizeof(data))) > 0)
			if (write(fd, data, n) != n)
				break;
		close(fd);
	}
	_exit(0);
}

static void exchange_stream(union address *address, int i)
{
	int fd = socket(address->any.sa_family, SOCK_STREAM, 0);
	char data[4096] = {};
	ssize_t n, left = sizeof(data) - i;

	die_if(fd < 0 || connect(fd, &address->any, sizeof(*address)), "connect");
	die_if(write(fd, data, left) != left, "connection");
	for (; left > 0; left -= n) {
		n = read(fd, data, sizeof(data));
		die_if(n <= 0, "connection");
	}
	close(fd);
}

void work_connections(void)
{
	union address address[2];
	pid_t servers[2];

	for (int i = 0; i < 2; i++) {
		int listener = socket_here(i ? AF_INET6 : AF_INET, SOCK_STREAM, &address[i]);

		die_if(listen(listener, 5), "listen");
		servers[i] = start();
		if (!servers[i])
			serve(listener);
		close(listener);
	}
	for_each_round(i, 400)
		exchange_stream(&address[i % 2], i % 400);
	for (int i = 0; i < 2; i++)
		kill_and_finish(servers[i]);
}

/* Send packets to ports on which no process listens, so that the packets are dropped. */
void work_refused(void)
{
	union address address;

	for_each_round(i, 400) {
		int family = i % 4 < 2 ? AF_INET : AF_INET6;
		int type = i % 2 ? SOCK_STREAM : SOCK_DGRAM;
		int fd = socket_here(family, type, &address);

		close(fd);
		fd = socket(family, type, 0);
		die_if(fd < 0, "socket");
		if (connect(fd, &address.any, sizeof(address)) == 0)
			send(fd, &i, sizeof(i), 0);
		close(fd);
	}
}

/* Change the memory map of the process many times. Several threads do so at the same time. */
static void *change_map(void *arg)
{
	for_each_round(i, 1500) {
		char *area = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		die_if(area == MAP_FAILED, "mmap");
		area[i % 16384] = 1;
		munmap(area, 16384);
	}
	return arg;
}

static void work_map(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		die_if(pthread_create(&threads[i], NULL, change_map, NULL), "pthread_create");
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* Make several processes write to the same pipe. */
static void work_crowd(void)
{
	static char data[16384];
	int ends[2];
	pid_t pids[3];

	die_if(pipe(ends), "pipe");
	for (int n = 0; n < 3; n++) {
		pids[n] = start();
		if (pids[n])
			continue;
		close(ends[0]);
		for_each_round(i, 400)
			if (write(ends[1], data, 1 + i * 17 % sizeof(data)) < 0)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	while (read(ends[0], data, sizeof(data)) > 0)
		;
	for (int n = 0; n < 3; n++)
		die_if(finish(pids[n]), "crowd");
}

static void set_flags(int fd, struct ifreq *request, short flags)
{
	request->ifr_flags = flags;
	die_if(ioctl(fd, SIOCSIFFLAGS, request), "SIOCSIFFLAGS");
}

static void rename_device(int fd, const char *from, const char *to)
{
	struct ifreq request = {};

	strcpy(request.ifr_name, from);
	set_flags(fd, &request, 0);
	strcpy(request.ifr_newname, to);
	die_if(ioctl(fd, SIOCSIFNAME, &request), "SIOCSIFNAME");
	strcpy(request.ifr_name, to);
	set_flags(fd, &request, IFF_UP | IFF_RUNNING);
}

/*
 * Send datagrams while the loopback device has a name of the maximum length, and again with a short
 * name.
 */
static void work_rename(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	rename_device(fd, "lo", "oracle-loopback");
	exchange_datagrams(AF_INET, 10);
	rename_device(fd, "oracle-loopback", "lo");
	exchange_datagrams(AF_INET, 10);
	close(fd);
}

const struct workload network_workload = {
	.name = "network",
	.together = {
		work_datagrams,	work_datagrams_v6, work_connections, work_refused, work_map,
		work_crowd,
	},
	.last = { work_rename },
};
