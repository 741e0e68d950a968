// SPDX-License-Identifier: GPL-2.0
/*
 * The workload for the group network: packets, connections and what is dropped, over the loopback device;
 * and threads and processes that wait for each other's locks in the kernel.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <pthread.h>
#include <signal.h>
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

/* A socket on the loopback device; the kernel chooses the port. */
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
	struct timeval wait = { 60, 0 }; /* then it is lost: the host may be busy */
	union address here, there;
	int a = socket_here(family, SOCK_DGRAM, &here);
	int b = socket_here(family, SOCK_DGRAM, &there), i;
	char data[200] = {};
	pid_t pid;

	if (connect(a, &there.any, sizeof(there)) || connect(b, &here.any, sizeof(here)))
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

	if (fd < 0 || connect(fd, &address->any, sizeof(*address)))
		die("connect");
	if (write(fd, data, left) != left)
		die("connection");
	for (; left > 0; left -= n) {
		n = read(fd, data, sizeof(data));
		if (n <= 0)
			die("connection");
	}
	close(fd);
}

void work_connections(void)
{
	union address address[2];
	pid_t servers[2];
	int i;

	for (i = 0; i < 2; i++) {
		int listener = socket_here(i ? AF_INET6 : AF_INET, SOCK_STREAM, &address[i]);

		if (listen(listener, 5))
			die("listen");
		servers[i] = start();
		if (!servers[i])
			serve(listener);
		close(listener);
	}
	for_each_round(i, 400)
		exchange_stream(&address[i % 2], i);
	for (i = 0; i < 2; i++) {
		kill(servers[i], SIGKILL);
		finish(servers[i]);
	}
}

/* Nobody listens there: packets are dropped. */
static void work_refused(void)
{
	union address address;
	int i;

	for_each_round(i, 400) {
		int family = i % 4 < 2 ? AF_INET : AF_INET6, type = i % 2 ? SOCK_STREAM : SOCK_DGRAM;
		int fd = socket_here(family, type, &address);

		close(fd);
		fd = socket(family, type, 0);
		if (fd < 0)
			die("socket");
		if (connect(fd, &address.any, sizeof(address)) == 0)
			send(fd, &i, sizeof(i), 0);
		close(fd);
	}
}

/* Threads that all change the process's memory map. */
static void *change_map(void *arg)
{
	int i;

	for_each_round(i, 1500) {
		char *area = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		if (area == MAP_FAILED)
			die("mmap");
		area[i % 16384] = 1;
		munmap(area, 16384);
	}
	return arg;
}

static void work_map(void)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, change_map, NULL))
			die("pthread_create");
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* Processes that all write to a pipe. */
static void work_crowd(void)
{
	static char data[16384];
	int ends[2], i, n;
	pid_t pids[3];

	if (pipe(ends))
		die("pipe");
	for (n = 0; n < 3; n++) {
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
	for (n = 0; n < 3; n++)
		if (finish(pids[n]))
			die("crowd");
}

static void set_flags(int fd, struct ifreq *request, short flags)
{
	request->ifr_flags = flags;
	if (ioctl(fd, SIOCSIFFLAGS, request))
		die("SIOCSIFFLAGS");
}

static void rename_device(int fd, const char *from, const char *to)
{
	struct ifreq request = {};

	strcpy(request.ifr_name, from);
	set_flags(fd, &request, 0);
	strcpy(request.ifr_newname, to);
	if (ioctl(fd, SIOCSIFNAME, &request))
		die("SIOCSIFNAME");
	strcpy(request.ifr_name, to);
	set_flags(fd, &request, IFF_UP | IFF_RUNNING);
}

/* A name of full length, and a short one after it. */
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
	.together = {
		work_datagrams,	work_datagrams_v6, work_connections, work_refused, work_map,
		work_crowd,
	},
	.last = { work_rename },
};
