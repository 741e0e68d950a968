// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla net: packets and their times in queues, drops, and which side of a connection a socket is.
 */
#include "calls_case.h"
#include "tap.h"

#define NET	"device,way,packets,bytes,failed,timed,p50_ns,p99_ns,max_ns,at_ns\n"
#define DROPS	"reason,location,protocol,dropped,last_ns\n"
#define TCP	"port,side,from,to,changes,last_ns\n"
#define PACKETS								\
	"device,to_device,bytes,begin_ns,total_ns,send_ns,receive_ns,drop_ns,sent_by,received_by,"	\
	"dropped\n"

#define ETH_IP	0x0800
#define ETH_IP6	0x86dd

/* As in net.c. */
struct net_arguments {
	int64_t slowest;
};

enum { ESTABLISHED = 1, SYN_SENT, SYN_RECV, FIN_WAIT1, FIN_WAIT2, TIME_WAIT, CLOSE, CLOSE_WAIT,
       LAST_ACK, LISTEN };

static void setup(void)
{
	calls_setup(&analysis_net, NULL);
	calls_values("drop enum 3 NO_SOCKET\ntcp enum 1 TCP_ESTABLISHED\ntcp enum 2 TCP_SYN_SENT\n"
		     "tcp enum 3 TCP_SYN_RECV\ntcp enum 4 TCP_FIN_WAIT1\ntcp enum 7 TCP_CLOSE\n"
		     "tcp enum 8 TCP_CLOSE_WAIT\ntcp enum 10 TCP_LISTEN\n");
}

TESTS(.setup = setup, .teardown = calls_teardown);

static void packet(int64_t time_ns, int32_t cpu, uint32_t type, uint64_t skb, uint32_t length,
		   uint32_t low, const char *device)
{
	calls_event(time_ns, cpu, 100, type, skb, pack(length, low), text8(device),
		    strlen(device) > 8 ? text8(device + 8) : 0);
}

static void queue(int64_t time_ns, int32_t cpu, uint64_t skb, const char *device)
{
	packet(time_ns, cpu, LKST_ETYPE_NET_PKTSENDQ, skb, 54, ETH_IP, device);
}

static void sent(int64_t time_ns, int32_t cpu, uint64_t skb, int32_t result, const char *device)
{
	packet(time_ns, cpu, LKST_ETYPE_NET_PKTSEND, skb, 54, (uint32_t)result, device);
}

static void queue_received(int64_t time_ns, uint64_t skb, const char *device)
{
	packet(time_ns, 0, LKST_ETYPE_NET_PKTRECVQ, skb, 40, ETH_IP, device);
}

static void received(int64_t time_ns, uint64_t skb, const char *device)
{
	packet(time_ns, 0, LKST_ETYPE_NET_PKTRECV, skb, 40, ETH_IP, device);
}

static void drop(int64_t time_ns, uint64_t location, uint32_t protocol, uint32_t reason)
{
	calls_event(time_ns, 0, 100, LKST_ETYPE_NET_DROP, 0x9000, location, pack(protocol, reason), 0);
}

static void change(int64_t time_ns, uint64_t socket, uint32_t from, uint32_t to, uint32_t own,
		   uint32_t peer)
{
	calls_event(time_ns, 0, 100, LKST_ETYPE_NET_SOCKSTATE, socket, pack(from, to),
		    pack(own, peer), pack(2, 6));
}

TEST(nothing)
{
	analysis_check(NET DROPS TCP);
}

/* A packet on the loopback device is received before the driver has returned. */
TEST(loopback)
{
	queue(100, 0, 0x1000, "lo");
	queue_received(110, 0x1000, "lo");
	sent(112, 0, 0x1000, 0, "lo");
	received(150, 0x1000, "lo");
	queue(200, 0, 0x1000, "lo");
	queue_received(210, 0x1000, "lo");
	sent(232, 0, 0x1000, 0, "lo");
	received(240, 0x1000, "lo");
	analysis_check(NET "lo,send,2,108,0,2,12,32,32,232\n"
		       "lo,receive,2,80,,2,30,40,40,150\n" DROPS TCP);
}

/*
 * A packet goes through two devices. The name of one of the devices occupies two arguments of the
 * event.
 */
TEST(devices)
{
	queue(100, 0, 0x1000, "bridge-internal");
	queue(110, 0, 0x1000, "eth0");
	sent(130, 0, 0x1000, 0, "eth0");
	sent(140, 0, 0x1000, 0, "bridge-internal");
	received(150, 0x2000, "eth0");
	analysis_check(NET "bridge-internal,send,1,54,0,1,40,40,40,140\n"
		       "eth0,send,1,54,0,1,20,20,20,130\n"
		       "eth0,receive,1,40,,0,,,,\n" DROPS TCP);
}

/*
 * The result 0x10 means that the driver was busy, so the packet stayed in the queue. All other
 * results except 0 are failures.
 */
TEST(results)
{
	queue(100, 0, 0x1000, "eth0");
	sent(110, 0, 0x1000, 0x10, "eth0");
	sent(150, 1, 0x1000, 0, "eth0");
	queue(200, 0, 0x1000, "eth0");
	sent(210, 0, 0x1000, -12, "eth0");
	sent(220, 0, 0x1000, 1, "eth0");
	analysis_check(NET "eth0,send,1,54,2,1,50,50,50,150\n" DROPS TCP);
}

/* A packet that was segmented leaves the queue without an event. Its address is used again. */
TEST(address_again)
{
	queue(100, 0, 0x1000, "eth0");
	sent(110, 0, 0x2000, 0, "eth0");
	sent(120, 0, 0x3000, 0, "eth0");
	queue(200, 0, 0x1000, "eth0");
	sent(230, 0, 0x1000, 0, "eth0");
	analysis_check(NET "eth0,send,3,162,0,1,30,30,30,230\n" DROPS TCP);
}

/*
 * CPU 1 queues a packet before CPU 0 has recorded that an older packet with the same address was
 * sent.
 */
TEST(address_of_other_cpu)
{
	queue(100, 0, 0x1000, "lo");
	queue(110, 1, 0x1000, "lo");
	sent(120, 0, 0x1000, 0, "lo");
	sent(130, 1, 0x1000, 0, "lo");
	queue(140, 1, 0x1000, "lo");
	sent(150, 1, 0x1000, 0, "lo");
	analysis_check(NET "lo,send,3,162,0,1,10,10,10,150\n" DROPS TCP);
}

TEST(drops)
{
	drop(100, 0xffffffff81000010, ETH_IP, 3);
	drop(110, 0xffffffff81000010, ETH_IP6, 3);
	drop(120, 0xffffffff81000010, ETH_IP6, 3);
	drop(130, 0xffffffff81000020, 0x1234, 99);
	analysis_check(NET DROPS "NO_SOCKET,0xffffffff81000010,IPv6,2,120\n"
		       "NO_SOCKET,0xffffffff81000010,IPv4,1,100\n"
		       "99,0xffffffff81000020,0x1234,1,130\n" TCP);
}

/* A connection from port 50000 to port 80 of the same machine: both sides belong to port 80. */
TEST(connection)
{
	change(100, 0xa, CLOSE, LISTEN, 80, 0);
	change(110, 0xb, CLOSE, SYN_SENT, 0, 80);
	change(120, 0xc, LISTEN, SYN_RECV, 80, 0);
	change(130, 0xb, SYN_SENT, ESTABLISHED, 50000, 80);
	change(140, 0xc, SYN_RECV, ESTABLISHED, 80, 50000);
	change(150, 0xb, ESTABLISHED, FIN_WAIT1, 50000, 80);
	change(160, 0xc, ESTABLISHED, CLOSE_WAIT, 80, 50000);
	change(170, 0xb, FIN_WAIT1, CLOSE, 0, 80);
	change(180, 0xc, CLOSE_WAIT, CLOSE, 0, 50000);
	analysis_check(NET DROPS TCP "80,client,TCP_ESTABLISHED,TCP_FIN_WAIT1,1,150\n"
		       "80,client,TCP_SYN_SENT,TCP_ESTABLISHED,1,130\n"
		       "80,client,TCP_FIN_WAIT1,TCP_CLOSE,1,170\n"
		       "80,client,TCP_CLOSE,TCP_SYN_SENT,1,110\n"
		       "80,server,TCP_ESTABLISHED,TCP_CLOSE_WAIT,1,160\n"
		       "80,server,TCP_SYN_RECV,TCP_ESTABLISHED,1,140\n"
		       "80,server,TCP_CLOSE,TCP_LISTEN,1,100\n"
		       "80,server,TCP_CLOSE_WAIT,TCP_CLOSE,1,180\n"
		       "80,server,TCP_LISTEN,TCP_SYN_RECV,1,120\n");
}

/*
 * If the start of a connection was not recorded, it is unknown whether the socket is the client or
 * the server. For the next connection of the same socket, this is known again.
 */
TEST(unknown_side)
{
	change(100, 0xa, ESTABLISHED, CLOSE, 4711, 22);
	change(110, 0xa, ESTABLISHED, CLOSE, 4711, 22);
	change(120, 0xa, CLOSE, SYN_SENT, 4711, 22);
	change(130, 0xa, LISTEN, SYN_RECV, 23, 0);
	change(140, 0xa, SYN_RECV, ESTABLISHED, 23, 4711);
	calls_loss(150, 160);
	change(170, 0xa, ESTABLISHED, CLOSE, 5000, 24);
	analysis_check(NET DROPS TCP "22,client,TCP_CLOSE,TCP_SYN_SENT,1,120\n"
		       "23,server,TCP_SYN_RECV,TCP_ESTABLISHED,1,140\n"
		       "23,server,TCP_LISTEN,TCP_SYN_RECV,1,130\n"
		       "4711,?,TCP_ESTABLISHED,TCP_CLOSE,2,110\n"
		       "5000,?,TCP_ESTABLISHED,TCP_CLOSE,1,170\n");
}

TEST(lost)
{
	queue(100, 0, 0x1000, "lo");
	queue_received(110, 0x1000, "lo");
	calls_loss(111, 112);
	sent(120, 0, 0x1000, 0, "lo");
	received(130, 0x1000, "lo");
	analysis_check(NET "lo,send,1,54,0,0,,,,\nlo,receive,1,40,,0,,,,\n" DROPS TCP);
}

TEST(window)
{
	analysis_run.begin_ns = 100;
	analysis_run.end_ns = 200;
	queue(90, 0, 0x1000, "lo");
	sent(99, 0, 0x1000, 0, "lo");
	queue(99, 0, 0x2000, "lo");
	sent(100, 0, 0x2000, 0, "lo");
	sent(200, 0, 0x2000, 0, "lo");
	sent(201, 0, 0x2000, 0, "lo");
	drop(99, 1, 2, 3);
	change(201, 1, 2, 3, 4, 5);
	analysis_check(NET "lo,send,2,108,0,0,,,,\n" DROPS TCP);
}

TEST(selection)
{
	analysis_args.cpu = 1;
	queue(100, 0, 0x1000, "lo");
	sent(110, 1, 0x1000, 0, "lo");
	queue(100, 1, 0x2000, "lo");
	sent(110, 0, 0x2000, 0, "lo");
	drop(120, 1, 2, 3);
	change(130, 1, 2, 3, 4, 5);
	analysis_check(NET "lo,send,1,54,0,1,10,10,10,110\n" DROPS TCP);
}

TEST(over)
{
	analysis_args.over_ns = 10;
	queue(100, 0, 0x1000, "lo");
	sent(109, 0, 0x1000, 0, "lo");
	queue(200, 0, 0x1000, "lo");
	sent(210, 0, 0x1000, 0, "lo");
	sent(220, 0, 0x1000, 0, "lo");
	analysis_check(NET "lo,send,1,54,0,1,10,10,10,210\n" DROPS TCP);
}

/* ---- single packets ---- */

/* Start again with --slowest. */
static void slowest(int64_t number)
{
	calls_teardown();
	calls_setup(&analysis_net, &(struct net_arguments){ .slowest = number });
	calls_values("drop enum 3 NO_SOCKET\n");
}

/* Check the table of the slowest packets, which is the last one. */
static void packets_check(const char *expected)
{
	char *text = analysis_csv(), *packets = strstr(text, PACKETS);

	ck_assert_ptr_nonnull(packets);
	ck_assert_str_eq(packets + strlen(PACKETS), expected);
	free(text);
}

/* The driver of the loopback device itself puts a packet into the receive queue. */
TEST(packets_loopback)
{
	slowest(10);
	queue(100, 0, 0x1000, "lo");
	queue_received(110, 0x1000, "lo");
	sent(112, 0, 0x1000, 0, "lo");
	received(150, 0x1000, "lo");
	queue(200, 1, 0x1000, "lo");
	queue_received(210, 0x1000, "lo");
	received(215, 0x1000, "lo");
	sent(232, 1, 0x1000, 0, "lo");
	packets_check("lo,lo,54,100,50,12,40,,a-100,a-100,\n"
		      "lo,lo,54,200,32,32,5,,softirq in a-100,a-100,\n");
}

/*
 * In a pair of virtual devices, a packet that one device sends is received by the other device. A
 * packet that goes to hardware enters no receive queue.
 */
TEST(packets_devices)
{
	slowest(10);
	queue(100, 0, 0x1000, "veth0");
	queue_received(110, 0x1000, "veth1");
	sent(120, 0, 0x1000, 0, "veth0");
	received(130, 0x1000, "veth1");
	queue(200, 0, 0x2000, "eth0");
	sent(209, 0, 0x2000, 0, "eth0");
	received(210, 0x2000, "eth0");
	queue(300, 0, 0x3000, "eth0");
	sent(301, 0, 0x3000, 0x10, "eth0");
	sent(305, 1, 0x3000, -12, "eth0");
	packets_check("veth0,veth1,54,100,30,20,20,,a-100,a-100,\n"
		      "eth0,,54,200,9,9,,,a-100,,\neth0,,54,300,5,5,,,a-100,,refused by the driver\n"
		      "eth0,eth0,40,210,0,,,,,a-100,\n");
}

/*
 * A packet is dropped by its receiver, or before the driver has it. A dropped packet with another
 * protocol, or one whose address the driver may have freed, is a different packet.
 */
TEST(packets_dropped)
{
	slowest(10);
	queue(100, 0, 0x9000, "lo");
	queue_received(110, 0x9000, "lo");
	sent(112, 0, 0x9000, 0, "lo");
	received(150, 0x9000, "lo");
	drop(160, 0xffffffff81000010, ETH_IP6, 3);
	drop(170, 0xffffffff81000010, ETH_IP, 3);
	drop(180, 0xffffffff81000010, ETH_IP, 3);
	queue(200, 0, 0x9000, "eth0");
	drop(205, 0xffffffff81000020, ETH_IP, 99);
	queue(300, 0, 0x9000, "eth0");
	sent(301, 0, 0x9000, 0, "eth0");
	drop(310, 0xffffffff81000020, ETH_IP, 99);
	packets_check("lo,lo,54,100,70,12,40,20,a-100,a-100,NO_SOCKET at 0xffffffff81000010\n"
		      "eth0,,54,200,5,,,5,a-100,,99 at 0xffffffff81000020\n"
		      "eth0,,54,300,1,1,,,a-100,,\n");
}

/*
 * A packet that only entered a queue is not listed. Two packets with the same address that
 * different CPUs queued are not listed either, because it is unknown which packet was sent when.
 */
TEST(packets_unknown)
{
	slowest(10);
	queue(100, 0, 0x1000, "eth0");
	queue(150, 0, 0x1000, "eth0");
	sent(160, 0, 0x1000, 0, "eth1");
	queue_received(170, 0x2000, "lo");
	queue(200, 0, 0x3000, "lo");
	queue(210, 1, 0x3000, "lo");
	sent(220, 0, 0x3000, 0, "lo");
	sent(230, 1, 0x3000, 0, "lo");
	packets_check("");
}

/* After a loss, the events of a packet are not continued. */
TEST(packets_lost)
{
	slowest(10);
	queue(100, 0, 0x1000, "lo");
	queue_received(110, 0x1000, "lo");
	sent(112, 0, 0x1000, 0, "lo");
	calls_loss(120, 121);
	received(150, 0x1000, "lo");
	packets_check("lo,lo,54,100,12,12,,,a-100,,\nlo,lo,40,150,0,,,,,a-100,\n");
}

TEST(packets_selected)
{
	slowest(10);
	analysis_args.cpu = 1;
	queue(100, 0, 0x1000, "lo");
	sent(110, 1, 0x1000, 0, "lo");
	queue(200, 1, 0x2000, "lo");
	sent(210, 0, 0x2000, 0, "lo");
	packets_check("lo,,54,200,10,10,,,softirq in a-100,,\n");
}

/* Of any number of packets, only the slowest ones are listed, in order. */
TEST(packets_slowest)
{
	char expected[512] = "";
	size_t len = 0;

	slowest(5);
	for (uint64_t i = 0; i < 100000; i++) {
		int64_t begin_ns = 10 * (int64_t)i, ns = (int64_t)(i * 7919 % 100003);

		queue(begin_ns, 0, 0x1000 + i, "eth0");
		sent(begin_ns + ns, 0, 0x1000 + i, 0, "eth0");
	}
	for (int64_t ns = 100002, found = 0; found < 5; ns--)
		for (int64_t i = 0; i < 100000; i++)
			if (i * 7919 % 100003 == ns) {
				len += (size_t)sprintf(expected + len,
						       "eth0,,54,%lld,%lld,%lld,,,a-100,,\n",
						       10ll * i, (long long)ns, (long long)ns);
				found++;
			}
	packets_check(expected);
}

/* With arbitrary values, the tables stay within their limits. */
TEST(damaged)
{
	analysis_run.begin_ns = INT64_MIN;
	analysis_run.end_ns = INT64_MAX;
	for (uint32_t i = 0; i < 200000; i++) {
		int64_t time_ns = i % 2 ? INT64_MIN : INT64_MAX;
		uint32_t type = LKST_ETYPE_NET_PKTSEND + i % 6;

		calls_event(time_ns, INT32_MIN, i, type, i * 7ull, UINT64_MAX - i, ~0ull << i % 64,
			    i * 0x123456789abcull);
	}
	calls_report();
}

TEST(packets_damaged)
{
	slowest(10000);
	analysis_run.begin_ns = INT64_MIN;
	analysis_run.end_ns = INT64_MAX;
	for (uint32_t i = 0; i < 400000; i++) {
		int64_t time_ns = i % 2 ? INT64_MIN : INT64_MAX;
		uint32_t type = LKST_ETYPE_NET_PKTSEND + (i ^ i >> 5) % 6;

		calls_event(time_ns, INT32_MIN, i, type, i * 7ull % 100000, ~0ull << i % 64,
			    ~0ull << i % 64, i * 0x123456789abcull % 3);
	}
	calls_report();
}
