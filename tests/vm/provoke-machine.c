// SPDX-License-Identifier: GPL-2.0
/*
 * What a program has the machine do: CPUs and modules that come and go, packets that nobody wants,
 * messages in the kernel's log.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "provoke.h"

#define TIMES 3

#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

static void cpus(void)
{
	int i;

	for (i = 0; i < TIMES; i++) {
		need(write_file(CPU1_ONLINE, "0"), CPU1_ONLINE);
		need(write_file(CPU1_ONLINE, "1"), CPU1_ONLINE);
	}
	expect(TIMES, "cpu_offline", ARG(1, 1));
	expect(TIMES, "cpu_offline");
	expect(TIMES, "cpu_online", ARG(1, 1));
	expect(TIMES, "cpu_online");
}

/* A module that nobody else loads here, and its name as an event has it. */
#define MODULE "handlers"

static void modules(void)
{
	int i;

	for (i = 0; i < TIMES; i++) {
		need(load_module(MODULE), MODULE);
		need(unload_module(MODULE), MODULE);
	}
	expect(TIMES, "module_load", ARG(1, text8(MODULE)), ARG(2, 0), .thread = gettid_own());
	expect(TIMES, "module_load");
	expect(TIMES, "module_free", ARG(1, text8(MODULE)), ARG(2, 0), .thread = gettid_own());
	expect(TIMES, "module_free");
}

#define ETH_P_IP 0x0800
#define PORT	 9 /* discard: nobody listens */

/* Each is dropped where it would have been received, which is in the sender's context. */
static void datagrams(void)
{
	const struct sockaddr_in nobody = { .sin_family = AF_INET,
					    .sin_port = htons(PORT),
					    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), i;

	if (fd < 0)
		bail_out("socket");
	for (i = 0; i < TIMES; i++)
		if (sendto(fd, "", 1, 0, (const struct sockaddr *)&nobody, sizeof(nobody)) != 1)
			bail_out("sendto");
	close(fd);
	expect(TIMES, "net_drop", HIGH(3, ETH_P_IP), .in_interrupt = true);
}

/* Another name for a message from a program. */
#define WARNING 4

static void messages(void)
{
	char text[64];
	int i;

	for (i = 0; i < TIMES; i++) {
		snprintf(text, sizeof(text), "<%d>provoke-by-program: %d\n", WARNING, i);
		need(write_file("/dev/kmsg", text), "/dev/kmsg");
	}
	for (i = 0; i < TIMES; i++) {
		snprintf(text, sizeof(text), "provoke-by-program: %d", i);
		expect(1, "oops_printk", BOTH(1, WARNING, strlen(text)), ARG(2, text8(text)),
		       ARG(3, text8(text + 8)), ARG(4, text8(text + 16)), .thread = gettid_own());
	}
	expect(TIMES, "oops_printk", ARG(2, text8(text)), .thread = gettid_own());
}

const struct test machine_tests[] = {
	{ "cpus", "cpu_online cpu_offline", cpus },
	{ "modules", "module_load module_free", modules },
	{ "datagrams", "net_drop", datagrams },
	{ "messages-of-programs", "oops_printk", messages },
	{},
};
