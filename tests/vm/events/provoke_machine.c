// SPDX-License-Identifier: GPL-2.0
/*
 * Provoke events of the whole machine: make CPUs go offline and online, send packets without a
 * receiver, and write messages to the kernel log.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "provoke.h"

#define TIMES 3

#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

static void cpus(void)
{
	for (int i = 0; i < TIMES; i++) {
		need(write_file(CPU1_ONLINE, "0"), CPU1_ONLINE);
		need(write_file(CPU1_ONLINE, "1"), CPU1_ONLINE);
	}
}

#define ETH_P_IP 0x0800
#define PORT	 9 /* the discard port, on which no process listens */

/*
 * Send packets over loopback. The sender's thread also receives them, in a softirq, and drops them
 * because no process listens on the port.
 */
static void datagrams(void)
{
	const struct sockaddr_in nobody = { .sin_family = AF_INET,
					    .sin_port = htons(PORT),
					    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	bail_if(fd < 0, "socket");
	for (int i = 0; i < TIMES; i++)
		bail_if(sendto(fd, "", 1, 0, (const void *)&nobody, sizeof(nobody)) != 1, "sendto");
	close(fd);
}

/* Log level of the messages that the test writes. */
#define WARNING 4
#define LINE	"provoke-by-program: "

static void messages(void)
{
	for (int i = 0; i < TIMES; i++) {
		char text[64];

		snprintf(text, sizeof(text), "<%d>" LINE "%d\n", WARNING, i);
		need(write_file("/dev/kmsg", text), "/dev/kmsg");
	}
}

#define EXPECT_LINE(n)                                                                     \
	{ 1, "oops_printk", BOTH(1, WARNING, sizeof(LINE n) - 1), TEXT(2, LINE n),         \
	  TEXT(3, &(LINE n)[8]), TEXT(4, &(LINE n)[16]), .by = OWN }

const struct test machine_tests[] = {
	{ "cpus", .run = cpus, .expected = {
	  { TIMES, "cpu_online", ARG(1, 1), .all = ALL_OF_TYPE },
	  { TIMES, "cpu_offline", ARG(1, 1), .all = ALL_OF_TYPE } } },
	{ "datagrams", .run = datagrams, .expected = {
	  { TIMES, "net_drop", HIGH(3, ETH_P_IP), .in_interrupt = true } } },
	{ "messages-of-programs", .run = messages, .expected = {
	  EXPECT_LINE("0"), EXPECT_LINE("1"), EXPECT_LINE("2"),
	  { TIMES, "oops_printk", TEXT(2, LINE), .by = OWN } } },
	{},
};
