// SPDX-License-Identifier: GPL-2.0
/* lkstla why: the chains of scripted scenarios. Threads are "a" to "z", with the IDs 101 to 126. */
#include "why_case.h"

/* a reads from b, and b from c */
#define PIPE \
"0/a:1000000 sys 0 3; 0:2000000 switch a>b S; 0:3000000 sys 0 5; 0:4000000 switch b>c S;" \
	  "0:4500000 sys 1 6; 0:8000000 waking b; 0:8000000 wakeup b 0; 0:9000000 ret 1 1; 0:9500000 switch c>b S;" \
	  "0:9600000 ret 0 1; 0:9700000 sys 1 4; 0:12000000 waking a; 0:12000000 wakeup a 0; 0:12500000 ret 1 1;" \
	  "0:13000000 switch b>a S; 0:14000000 ret 0 1"

static const struct scenario {
	const char *name;
	const char *operand;
	struct why_arguments own;
	const char *script;
	int64_t end_ns;
	const char *expected;
} scenarios[] = {
	{ "pipe of three processes", "101", { 0 },
	  PIPE, 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.014000 13.000 ms, explained 100 %\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n"
	  "     10.000 ms   76.9 %  blocked, woken up by 102 on CPU 0\n"
	  "        2.000 ms           102 running on CPU 0 (kernel 1.000 ms)\n"
	  "        4.000 ms           102 blocked in call_0, woken up by 103 on CPU 0\n"
	  "          4.000 ms           103 running on CPU 0 (kernel 3.500 ms)\n"
	  "        1.500 ms           102 runnable on CPU 0, held by 103 for 1.500 ms without a switch\n"
	  "        2.500 ms           102 running on CPU 0 in call_0 (user 0.100 ms, kernel 2.400 ms)\n"
	  "      1.000 ms    7.7 %  runnable on CPU 0, held by 102 for 1.000 ms without a switch\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n" },
	{ "futex owner preempted by a third thread", "101", { 0 },
	  "1/idle:500000 switch idle>b S; 0/a:1000000 sys 202 7; 0:2000000 switch a>idle S;"
	  "1/b:3000000 switch b>c R; 1/c:90000000 switch c>b R; 1/b:91000000 sys 202 7;"
	  "1:92000000 waking a; 1:92000000 wakeup a 0; 1:93000000 ret 202 1; 0/idle:94000000 switch idle>a S;"
	  "0:95000000 ret 202 0",
	  100000000,
	  "101 call_202(0x7, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.095000 94.000 ms, explained 100 %\n"
	  "      1.000 ms    1.1 %  running on CPU 0 (kernel)\n"
	  "     90.000 ms   95.7 %  blocked, woken up by 102 on CPU 1\n"
	  "        1.000 ms           102 running on CPU 1\n"
	  "       87.000 ms           102 preempted, runnable on CPU 1, held by 103 for 87.000 ms without a switch; CPU 0 was idle for 87.000 ms of it\n"
	  "        2.000 ms           102 running on CPU 1 (kernel 1.000 ms)\n"
	  "      2.000 ms    2.1 %  runnable on CPU 0, which was idle for 2.000 ms of it\n"
	  "      1.000 ms    1.1 %  running on CPU 0 (kernel)\n" },
	{ "priority inversion", "101", { 0 },
	  "0/c:500000 sys 202 1; 0/c:900000 ret 202 0; 0/c:1000000 switch c>a R; 0/a:1100000 sys 202 7;"
	  "0/a:1500000 switch a>b S; 0/b:61000000 switch b>c S; 0/c:62000000 sys 202 7;"
	  "0/c:62500000 waking a; 0/c:62500000 wakeup a 0; 0/c:62600000 switch c>a R; 0/a:63000000 ret 202 0",
	  70000000,
	  "101 call_202(0x7, 0x0, 0x0) = 0 00:00:00.001100 .. 00:00:00.063000 61.900 ms, explained 100 %\n"
	  "      0.400 ms    0.6 %  running on CPU 0 (kernel)\n"
	  "     61.000 ms   98.5 %  blocked, woken up by 103 on CPU 0\n"
	  "       59.500 ms           103 runnable on CPU 0, held by 102 for 59.500 ms without a switch\n"
	  "        1.500 ms           103 running on CPU 0 (user 1.000 ms, kernel 0.500 ms)\n"
	  "      0.100 ms    0.2 %  runnable on CPU 0, held by 103 for 0.100 ms without a switch\n"
	  "      0.400 ms    0.6 %  running on CPU 0 (kernel)\n" },
	{ "late timer behind a hog", "101", { 0 },
	  "0/a:1000000 sys 35 9; 0:1500000 hradd 77 10000000; 0:2000000 switch a>b S; 0/b:10500000 tick 236;"
	  "0h/b:10600000 hr 77 10000000; 0h/b:10700000 waking a; 0h/b:10700000 wakeup a 0; 0h/b:10800000 hrx 77;"
	  "0h/b:10900000 tickx 236; 0/b:50000000 switch b>a R; 0/a:51000000 ret 35 0",
	  60000000,
	  "101 call_35(0x9, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.051000 50.000 ms, explained 100 %\n"
	  "      1.000 ms    2.0 %  running on CPU 0 (kernel)\n"
	  "      8.700 ms   17.4 %  blocked, woken up by hrtimer 0:0x4d on CPU 0, 0.700 ms late, armed by 101 9.200 ms before\n"
	  "        8.000 ms           until the timer 0:0x4d was to expire\n"
	  "        0.700 ms           the timer was late on CPU 0\n"
	  "          0.700 ms           CPU 0: 102 (taken by interrupts 0.200 ms)\n"
	  "     39.300 ms   78.6 %  runnable on CPU 0, held by 102 for 39.300 ms without a switch\n"
	  "      1.000 ms    2.0 %  running on CPU 0 (kernel)\n" },
	{ "interrupts off: a timer is late, without an interrupt", "101", { 0 },
	  "0/a:1000000 sys 35 9; 0:1500000 hradd 77 10000000; 0:2000000 switch a>b S; 0h/b:40000000 tick 236;"
	  "0h/b:40100000 hr 77 10000000; 0h/b:40200000 waking a; 0h/b:40200000 wakeup a 0; 0h/b:40300000 hrx 77;"
	  "0h/b:40400000 tickx 236; 0/b:41000000 switch b>a R; 0/a:42000000 ret 35 0",
	  60000000,
	  "101 call_35(0x9, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.042000 41.000 ms, explained 100 %\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n"
	  "     38.200 ms   93.2 %  blocked, woken up by hrtimer 0:0x4d on CPU 0, 30.200 ms late, armed by 101 38.700 ms before\n"
	  "        8.000 ms           until the timer 0:0x4d was to expire\n"
	  "       30.200 ms           the timer was late on CPU 0, which took no interrupt for 30.000 ms\n"
	  "         30.200 ms           CPU 0: 102 (taken by interrupts 0.200 ms)\n"
	  "      0.800 ms    2.0 %  runnable on CPU 0, held by 102 for 0.800 ms without a switch\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n" },
	{ "softirq storm", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0:2000000 switch a>b S; 0h/b:3000000 irq 24 nic; 0h/b:3100000 raise 3;"
	  "0h/b:3200000 irqx 24; 0s/b:3300000 soft 1; 0s/b:30000000 softx 1; 0s/b:30100000 soft 3;"
	  "0s/b:30150000 packet eth0; 0s/b:30200000 waking a; 0s/b:30200000 wakeup a 0; 0s/b:30300000 softx 3;"
	  "0/b:31000000 switch b>a R; 0/a:32000000 ret 0 5",
	  40000000,
	  "101 call_0(0x3, 0x0, 0x0) = 5 00:00:00.001000 .. 00:00:00.032000 31.000 ms, explained 100 %\n"
	  "      1.000 ms    3.2 %  running on CPU 0 (kernel)\n"
	  "     28.200 ms   91.0 %  blocked, woken up by softirq NET_RX on CPU 0, raised in irq 24, packet from eth0\n"
	  "        1.100 ms           until softirq NET_RX, raised in irq 24\n"
	  "       27.000 ms           softirq NET_RX waited on CPU 0\n"
	  "         27.000 ms           CPU 0: 102 (taken by softirqs 26.700 ms, taken by interrupts 0.100 ms)\n"
	  "        0.100 ms           softirq NET_RX ran on CPU 0\n"
	  "      0.800 ms    2.6 %  runnable on CPU 0, held by 102 for 0.800 ms without a switch\n"
	  "      1.000 ms    3.2 %  running on CPU 0 (kernel)\n" },
	{ "fork and wait", "101", { 0 },
	  "0/a:900000 sys 57; 0/a:1000000 fork b; 0/a:1100000 wakenew b 1 1; 0/a:1200000 ret 57 102; 0/a:2000000 sys 61 102;"
	  "0/a:3000000 switch a>idle S; 1/idle:1500000 switch idle>b S; 1/b:40000000 exit b;"
	  "1/b:41000000 waking a; 1/b:41000000 wakeup a 0; 1/b:42000000 switch b>idle X;"
	  "0/idle:43000000 switch idle>a S; 0/a:44000000 ret 61 102",
	  50000000,
	  "101 call_61(0x66, 0x0, 0x0) = 102 00:00:00.002000 .. 00:00:00.044000 42.000 ms, explained 100 %\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n"
	  "     38.000 ms   90.5 %  blocked, woken up by 102 on CPU 1\n"
	  "       38.000 ms           102 running on CPU 1 (kernel)\n"
	  "      2.000 ms    4.8 %  runnable on CPU 0, which was idle for 2.000 ms of it; CPU 1 was idle for 1.000 ms of it\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n" },
	{ "a disk request behind another one", "101", { 0 },
	  "1/b:500000 issue 8000 4096; 0/a:1000000 sys 74 3; 0/a:2000000 issue 9000 512; 0/a:3000000 switch a>idle D;"
	  "1h/b:20000000 irq 24 disk; 1h/b:20100000 done 8000 4096; 1h/b:20200000 irqx 24;"
	  "1h/b:30000000 irq 24 disk; 1h/b:30100000 done 9000 512; 1h/b:30200000 waking a;"
	  "1h/b:30200000 wakeup a 0; 1h/b:30300000 irqx 24; 0/idle:31000000 switch idle>a S; 0/a:32000000 ret 74 0",
	  40000000,
	  "101 call_74(0x3, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.032000 31.000 ms, explained 100 %\n"
	  "      2.000 ms    6.5 %  running on CPU 0 (kernel)\n"
	  "     27.200 ms   87.7 %  blocked (D), woken up by irq disk on CPU 1: WRITE of 512 bytes on 0:1, sector 9000, issued by 101, 28.200 ms in the device\n"
	  "       27.200 ms           in the device: WRITE of 512 bytes on 0:1, sector 9000, behind 1 request in progress, the latest issued by 102\n"
	  "      0.800 ms    2.6 %  runnable on CPU 0, which was idle for 0.800 ms of it\n"
	  "      1.000 ms    3.2 %  running on CPU 0 (kernel)\n" },
	{ "a request that another thread issues", "101", { 0 },
	  "1/c:400000 switch c>b S; 0/a:1000000 sys 74 3; 0/a:1900000 waking b; 0/a:1900000 wakeup b 1; 0/a:3000000 switch a>idle D;"
	  "1/b:5000000 work 88; 1/b:6000000 issue 9000 512 4100000; 1/b:7000000 workx 88; 1/b:7500000 switch b>idle S;"
	  "1h/idle:30000000 irq 24 disk; 1h/idle:30100000 done 9000 512; 1h/idle:30200000 waking a;"
	  "1h/idle:30200000 wakeup a 0; 1h/idle:30300000 irqx 24; 0/idle:31000000 switch idle>a S; 0/a:32000000 ret 74 0",
	  40000000,
	  "101 call_74(0x3, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.032000 31.000 ms, explained 100 %\n"
	  "      2.000 ms    6.5 %  running on CPU 0 (kernel)\n"
	  "     27.200 ms   87.7 %  blocked (D), woken up by irq disk on CPU 1: WRITE of 512 bytes on 0:1, sector 9000, issued by 102, 4.100 ms in the queue, 24.200 ms in the device\n"
	  "        3.000 ms           until 102 issued the request, 4.100 ms after it was queued\n"
	  "          2.000 ms           102 running on CPU 1\n"
	  "          1.000 ms           102 running on CPU 1, work item 0:0x58 (kernel)\n"
	  "       24.200 ms           in the device: WRITE of 512 bytes on 0:1, sector 9000\n"
	  "      0.800 ms    2.6 %  runnable on CPU 0, which was idle for 0.800 ms of it; CPU 1 was idle for 0.800 ms of it\n"
	  "      1.000 ms    3.2 %  running on CPU 0 (kernel)\n" },
	{ "page fault", "101", { 0 },
	  "0/a:500000 sys 39; 0/a:600000 ret 39 1; 0/a:1000000 trap 14; 0/a:2000000 issue 7 4096; 0/a:3000000 switch a>idle D;"
	  "0h/idle:9000000 irq 24 disk; 0h/idle:9100000 done 7 4096; 0h/idle:9200000 waking a;"
	  "0h/idle:9200000 wakeup a 0; 0h/idle:9300000 irqx 24; 0/idle:9500000 switch idle>a S; 0/a:9900000 trapx 14",
	  20000000,
	  "101 outside of a system call 00:00:00.003000 .. 00:00:00.009500 6.500 ms, explained 100 %\n"
	  "      6.200 ms   95.4 %  blocked in exception #PF (D), woken up by irq disk on CPU 0: WRITE of 4096 bytes on 0:1, sector 7, issued by 101, 7.200 ms in the device\n"
	  "        6.200 ms           in the device: WRITE of 4096 bytes on 0:1, sector 7\n"
	  "      0.300 ms    4.6 %  runnable on CPU 0, which was idle for 0.300 ms of it\n" },
	{ "loopback server", "101", { 0 },
	  "0/a:1000000 sys 45 3; 0/a:2000000 switch a>b S; 0/b:5000000 sys 44 4; 0/b:6000000 raise 3;"
	  "0s/b:6100000 soft 3; 0s/b:6200000 packet lo; 0s/b:6300000 waking a; 0s/b:6300000 wakeup a 0; 0s/b:6400000 softx 3;"
	  "0/b:7000000 ret 44 9; 0/b:8000000 switch b>a R; 0/a:8500000 ret 45 9",
	  20000000,
	  "101 call_45(0x3, 0x0, 0x0) = 9 00:00:00.001000 .. 00:00:00.008500 7.500 ms, explained 100 %\n"
	  "      1.000 ms   13.3 %  running on CPU 0 (kernel)\n"
	  "      4.300 ms   57.3 %  blocked, woken up by softirq NET_RX on CPU 0, raised by 102, packet from lo\n"
	  "        4.000 ms           until softirq NET_RX, raised by 102\n"
	  "          4.000 ms           102 running on CPU 0 (kernel 1.000 ms)\n"
	  "        0.100 ms           softirq NET_RX waited on CPU 0\n"
	  "          0.100 ms           CPU 0: 102 (kernel)\n"
	  "        0.200 ms           softirq NET_RX ran on CPU 0\n"
	  "      1.700 ms   22.7 %  runnable on CPU 0, held by 102 for 1.700 ms without a switch\n"
	  "      0.500 ms    6.7 %  running on CPU 0 (kernel)\n" },
	{ "CPU goes offline: the thread is moved", "101", { 0 },
	  "1/c:500000 switch c>c R; 0/b:600000 switch b>a R; 0/a:1000000 sys 24; 0/a:2000000 switch a>b R; 0/b:20000000 migrate a 0>1;"
	  "0/b:21000000 offline 0; 1/c:25000000 switch c>a R; 1/a:26000000 ret 24 0",
	  30000000,
	  "101 call_24(0x0, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.026000 25.000 ms, explained 100 %\n"
	  "      1.000 ms    4.0 %  running on CPU 0 (kernel)\n"
	  "     18.000 ms   72.0 %  preempted, runnable on CPU 0, held by 102 for 18.000 ms without a switch\n"
	  "      5.000 ms   20.0 %  runnable on CPU 1, moved there from CPU 0, held by 103 for 5.000 ms without a switch\n"
	  "      1.000 ms    4.0 %  running on CPU 1 (kernel)\n" },
	{ "migration to a busy CPU", "101", { 0 },
	  "1/c:500000 sys 39; 0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 1/c:3000000 waking a; 1/c:3100000 migrate a 0>1;"
	  "1/c:3200000 wakeup a 1; 1/c:60000000 switch c>a R; 1/a:61000000 ret 0 1",
	  70000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.061000 60.000 ms, explained 100 %\n"
	  "      1.000 ms    1.7 %  running on CPU 0 (kernel)\n"
	  "      1.000 ms    1.7 %  blocked, woken up by 103 on CPU 1\n"
	  "        1.000 ms           103 running on CPU 1 in call_39 (kernel)\n"
	  "     57.000 ms   95.0 %  runnable on CPU 1, held by 103 for 57.000 ms without a switch; CPU 0 was idle for 57.000 ms of it\n"
	  "      1.000 ms    1.7 %  running on CPU 1 (kernel)\n" },
	{ "work item behind another one", "101", { 0 },
	  "1/b:500000 work 87; 0/a:1000000 sys 5 3; 0/a:2000000 switch a>idle D; 1/b:30000000 workx 87;"
	  "1/b:30500000 work 88; 1/b:40000000 waking a; 1/b:40000000 wakeup a 0; 1/b:40500000 workx 88;"
	  "0/idle:41000000 switch idle>a S; 0/a:42000000 ret 5 0",
	  50000000,
	  "101 call_5(0x3, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.042000 41.000 ms, explained 100 %\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n"
	  "     38.000 ms   92.7 %  blocked (D), woken up by 102 on CPU 1\n"
	  "       28.000 ms           102 running on CPU 1, work item 0:0x57 (kernel)\n"
	  "        0.500 ms           102 running on CPU 1 (kernel)\n"
	  "        9.500 ms           102 running on CPU 1, work item 0:0x58 (kernel)\n"
	  "      1.000 ms    2.4 %  runnable on CPU 0, which was idle for 1.000 ms of it\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n" },
	{ "RCU wait", "101", { 0 },
	  "1/idle:500000 switch idle>c S; 0/a:1000000 sys 324; 0/a:2000000 switch a>idle D; 1/c:10000000 switch c>b S;"
	  "1/b:11000000 switch b>c S; 1s/c:20000000 soft 1; 1s/c:20100000 timer 55; 1s/c:20200000 waking b;"
	  "1s/c:20300000 wakeup b 1; 1s/c:20400000 timerx 55; 1s/c:20500000 softx 1; 1/c:21000000 switch c>b S;"
	  "1/b:22000000 waking a; 1/b:22000000 wakeup a 0; 1/b:23000000 switch b>c S; 0/idle:24000000 switch idle>a S;"
	  "0/a:25000000 ret 324 0",
	  30000000,
	  "101 call_324(0x0, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.025000 24.000 ms, explained 100 %\n"
	  "      1.000 ms    4.2 %  running on CPU 0 (kernel)\n"
	  "     20.000 ms   83.3 %  blocked (D), woken up by 102 on CPU 1\n"
	  "        8.000 ms           102 unknown: no earlier event shows what the thread did\n"
	  "        1.000 ms           102 running on CPU 1\n"
	  "        9.200 ms           102 blocked, woken up by timer 0:0x37 on CPU 1\n"
	  "        0.800 ms           102 runnable on CPU 1, held by 103 for 0.800 ms without a switch; CPU 0 was idle for 0.800 ms of it\n"
	  "        1.000 ms           102 running on CPU 1\n"
	  "      2.000 ms    8.3 %  runnable on CPU 0, which was idle for 2.000 ms of it\n"
	  "      1.000 ms    4.2 %  running on CPU 0 (kernel)\n" },
	{ "stopped and continued by a signal", "101", { 0 },
	  "1/b:500000 sys 39; 1/b:600000 ret 39 1; 0/a:1000000 sys 35 3; 0/a:2000000 switch a>idle T; 1/b:40000000 sys 62 101; 1/b:41000000 waking a;"
	  "1/b:41100000 wakeup a 0; 1/b:41200000 signal 18 a; 1/b:42000000 ret 62 0; 0/idle:43000000 switch idle>a S;"
	  "0/a:44000000 ret 35 0",
	  50000000,
	  "101 call_35(0x3, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.044000 43.000 ms, explained 100 %\n"
	  "      1.000 ms    2.3 %  running on CPU 0 (kernel)\n"
	  "     39.000 ms   90.7 %  stopped (T), woken up by 102 on CPU 1, signal SIGCONT\n"
	  "       39.000 ms           102 running on CPU 1 (user 38.000 ms, kernel 1.000 ms)\n"
	  "      2.000 ms    4.7 %  runnable on CPU 0, which was idle for 2.000 ms of it\n"
	  "      1.000 ms    2.3 %  running on CPU 0 (kernel)\n" },
	{ "--at: within the call of another thread", "102", { .at = "5000000" }, PIPE, 20000000,
	  "102 call_0(0x5, 0x0, 0x0) = 1 00:00:00.003000 .. 00:00:00.009600 6.600 ms, explained 100 %\n"
	  "      1.000 ms   15.2 %  running on CPU 0 (kernel)\n"
	  "      4.000 ms   60.6 %  blocked, woken up by 103 on CPU 0\n"
	  "        4.000 ms           103 running on CPU 0 (kernel 3.500 ms)\n"
	  "      1.500 ms   22.7 %  runnable on CPU 0, held by 103 for 1.500 ms without a switch\n"
	  "      0.100 ms    1.5 %  running on CPU 0 (kernel)\n" },
	{ "--at: the end of a delay, as tables show it", "t-102", { .at = "9600000" }, PIPE, 20000000,
	  "102 call_0(0x5, 0x0, 0x0) = 1 00:00:00.003000 .. 00:00:00.009600 6.600 ms, explained 100 %\n"
	  "      1.000 ms   15.2 %  running on CPU 0 (kernel)\n"
	  "      4.000 ms   60.6 %  blocked, woken up by 103 on CPU 0\n"
	  "        4.000 ms           103 running on CPU 0 (kernel 3.500 ms)\n"
	  "      1.500 ms   22.7 %  runnable on CPU 0, held by 103 for 1.500 ms without a switch\n"
	  "      0.100 ms    1.5 %  running on CPU 0 (kernel)\n" },
	{ "--at: a thread that was running", "101", { .at = "15000000" },
	  PIPE "; 0/a:16000000 sys 39; 0/a:17000000 ret 39 1", 20000000,
	  "error: no delay at 00:00:00.015000: 101 was running outside of a system call\n" },
	{ "--at: before the thread existed", "104", { .at = "5000000" },
	  PIPE "; 0/a:16000000 fork d; 0/a:16100000 wakenew d 0 1", 20000000,
	  "error: no delay at 00:00:00.005000: 104 did not exist, or no event shows what it did\n" },
	{ "--at: all threads, the longest delay first", NULL, { .at = "8500000", .slowest = 2, .depth = 1 }, PIPE, 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.014000 13.000 ms, explained 100 %\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n"
	  "     10.000 ms   76.9 %  blocked, woken up by 102 on CPU 0 ...\n"
	  "      1.000 ms    7.7 %  runnable on CPU 0, held by 102 for 1.000 ms without a switch ...\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n"
	  "\n"
	  "102 call_0(0x5, 0x0, 0x0) = 1 00:00:00.003000 .. 00:00:00.009600 6.600 ms, explained 100 %\n"
	  "      1.000 ms   15.2 %  running on CPU 0 (kernel)\n"
	  "      4.000 ms   60.6 %  blocked, woken up by 103 on CPU 0 ...\n"
	  "      1.500 ms   22.7 %  runnable on CPU 0, held by 103 for 1.500 ms without a switch ...\n"
	  "      0.100 ms    1.5 %  running on CPU 0 (kernel)\n" },
	{ "--syscall", NULL, { .syscall = "call_1" }, PIPE, 20000000,
	  "103 call_1(0x6, 0x0, 0x0) = 1 00:00:00.004500 .. 00:00:00.009000 4.500 ms, explained 100 %\n"
	  "      4.500 ms  100.0 %  running on CPU 0 (kernel)\n" },
	{ "--syscall: no such call", NULL, { .syscall = "raed" }, PIPE, 20000000,
	  "error: --syscall \"raed\": no such system call in the window; did you mean \"read\"?\n" },
	{ "no delay", "104", { 0 }, PIPE, 20000000,
	  "error: no delay began and ended in the window\n" },
	{ "--depth", "101", { .depth = 2 }, PIPE, 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.014000 13.000 ms, explained 100 %\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n"
	  "     10.000 ms   76.9 %  blocked, woken up by 102 on CPU 0\n"
	  "        2.000 ms           102 running on CPU 0 (kernel 1.000 ms)\n"
	  "        4.000 ms           102 blocked in call_0, woken up by 103 on CPU 0 ...\n"
	  "        1.500 ms           102 runnable on CPU 0, held by 103 for 1.500 ms without a switch ...\n"
	  "        2.500 ms           102 running on CPU 0 in call_0 (user 0.100 ms, kernel 2.400 ms)\n"
	  "      1.000 ms    7.7 %  runnable on CPU 0, held by 102 for 1.000 ms without a switch\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n" },
	{ "--segments", "101", { .segments = 1 }, PIPE, 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.014000 13.000 ms, explained 100 %\n"
	  "      1.000 ms    7.7 %  running on CPU 0 (kernel)\n"
	  "     10.000 ms   76.9 %  blocked, woken up by 102 on CPU 0\n"
	  "        2.000 ms           102 running on CPU 0 (kernel 1.000 ms)\n"
	  "        4.000 ms           102 blocked in call_0, woken up by 103 on CPU 0\n"
	  "          4.000 ms           103 running on CPU 0 (kernel 3.500 ms)\n"
	  "        4.000 ms           ... 2 shorter segments: running 2.500 ms, runnable 1.500 ms\n"
	  "      2.000 ms   15.4 %  ... 2 shorter segments: running 1.000 ms, runnable 1.000 ms\n" },
	{ "records were lost", NULL, { .span = "1..2" },
	  "1/b:500000 sys 39; 0/a:600000 sys 39; 0/a:700000 ret 39 1; 0/a:1000000 mark 1; 0/a:2000000 switch a>idle S;"
	  "1/b:3000000 ret 39 1; lose 0 7; 0/a:9000000 mark 2; 1/b:10000000 sys 39", 20000000,
	  "101 from 1 to 2 00:00:00.001000 .. 00:00:00.009000 8.000 ms, explained 12.5 %\n"
	  "      1.000 ms   12.5 %  running on CPU 0 (user)\n"
	  "      7.000 ms   87.5 %  unknown: 7 records of CPU 0 were lost\n" },
	{ "--at: when records were lost", "101", { .at = "5000000" },
	  "1/b:500000 sys 39; 0/a:600000 sys 39; 0/a:700000 ret 39 1; 0/a:2000000 switch a>idle S;"
	  "1/b:3000000 ret 39 1; lose 0 7; 0/a:9000000 mark 2; 1/b:10000000 sys 39", 20000000,
	  "error: no delay at 00:00:00.005000: 101 did something that is not recorded\n" },
	{ "the waker is not recorded", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0/idle:9000000 wakeup a 0;"
	  "0/idle:9100000 switch idle>a S; 0/a:9200000 ret 0 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009200 8.200 ms, explained 14.6 %\n"
	  "      1.000 ms   12.2 %  running on CPU 0 (kernel)\n"
	  "      7.000 ms   85.4 %  blocked, woken up by an unknown cause: process_waking was not recorded\n"
	  "      0.100 ms    1.2 %  runnable on CPU 0, which was idle for 0.100 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "an interrupt whose entry is not recorded", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0h/idle:9000000 waking a; 0h/idle:9000100 wakeup a 0;"
	  "0/idle:9100000 switch idle>a S; 0/a:9200000 ret 0 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009200 8.200 ms, explained 14.6 %\n"
	  "      1.000 ms   12.2 %  running on CPU 0 (kernel)\n"
	  "      7.000 ms   85.4 %  blocked, woken up by an unknown cause: in an interrupt whose entry was not recorded\n"
	  "      0.100 ms    1.2 %  runnable on CPU 0, which was idle for 0.100 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "the local timer, but the timer is not recorded", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0h/idle:9000000 tick 236; 0h/idle:9200000 waking a;"
	  "0h/idle:9200100 wakeup a 0; 0h/idle:9300000 tickx 236; 0/idle:9400000 switch idle>a S; 0/a:9500000 ret 0 1",
	  20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      1.000 ms   11.8 %  running on CPU 0 (kernel)\n"
	  "      7.200 ms   84.7 %  blocked, woken up by the local timer interrupt on CPU 0 (the timer is unknown: timer_hr_run_entry was not recorded)\n"
	  "        7.000 ms           until the interrupt occurred\n"
	  "        0.200 ms           the interrupt ran on CPU 0\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "a softirq, but the timer is not recorded", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0s/idle:9000000 soft 1; 0s/idle:9200000 waking a;"
	  "0s/idle:9200100 wakeup a 0; 0s/idle:9300000 softx 1; 0/idle:9400000 switch idle>a S; 0/a:9500000 ret 0 1",
	  20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      1.000 ms   11.8 %  running on CPU 0 (kernel)\n"
	  "      7.200 ms   84.7 %  blocked, woken up by softirq TIMER on CPU 0, raised by an unknown cause (int_softirq_raise was not recorded) (the timer is unknown: timer_run_entry was not recorded)\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "a softirq that does not end", "101", { 0 },
	  "0/b:500000 sys 39; 0/b:600000 switch b>a R; 0/a:1000000 sys 0 3; 0/a:2000000 switch a>b S; 0/b:3000000 waking a;"
	  "0/b:3000100 wakeup a 0; 0s/b:3100000 soft 6; 0s/b:40000000 softx 6; 0/b:41000000 switch b>a R; 0/a:42000000 ret 0 1",
	  50000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.042000 41.000 ms, explained 100 %\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n"
	  "      1.000 ms    2.4 %  blocked, woken up by 102 on CPU 0\n"
	  "        1.000 ms           102 running on CPU 0 in call_39 (kernel)\n"
	  "     38.000 ms   92.7 %  runnable on CPU 0, held by 102 for 38.000 ms without a switch (taken by softirqs 36.900 ms)\n"
	  "      1.000 ms    2.4 %  running on CPU 0 (kernel)\n" },
	{ "still blocked at the end", "101", { .at = "5000000" },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0/idle:9000000 idle 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0), which did not return in the window 00:00:00.001000 .. 00:00:00.020000 19.000 ms, explained 5.3 %\n"
	  "      1.000 ms    5.3 %  running on CPU 0 (kernel)\n"
	  "     18.000 ms   94.7 %  blocked, not woken up before the end of the window\n" },
	{ "an interrupt of a device", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0h/idle:9000000 irq 4 uart; 0h/idle:9200000 waking a;"
	  "0h/idle:9200100 wakeup a 0; 0h/idle:9300000 irqx 4; 0/idle:9400000 switch idle>a S; 0/a:9500000 ret 0 1",
	  20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      1.000 ms   11.8 %  running on CPU 0 (kernel)\n"
	  "      7.200 ms   84.7 %  blocked, woken up by irq uart on CPU 0\n"
	  "        7.000 ms           until the interrupt occurred\n"
	  "        0.200 ms           the interrupt ran on CPU 0\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "an interrupt that another CPU sends", "101", { 0 },
	  "1/b:500000 sys 39; 0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 1/b:8000000 send 0 99; 0h/idle:9000000 ipi 252;"
	  "0h/idle:9200000 waking a; 0h/idle:9200100 wakeup a 0; 0h/idle:9300000 ipix 252; 0/idle:9400000 switch idle>a S;"
	  "0/a:9500000 ret 0 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      1.000 ms   11.8 %  running on CPU 0 (kernel)\n"
	  "      7.200 ms   84.7 %  blocked, woken up by IPI 252 on CPU 0 for 0:0x63\n"
	  "        6.000 ms           until 102 sent an interrupt to CPU 0\n"
	  "          6.000 ms           102 running on CPU 1 in call_39 (kernel)\n"
	  "        1.000 ms           the interrupt waited on CPU 0\n"
	  "          1.000 ms           CPU 0: idle\n"
	  "        0.200 ms           the interrupt ran on CPU 0\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "a timer that woke up the thread before does not count", "101", { 0 },
	  "0/a:1000000 sys 35 9; 0:1500000 hradd 77 3000000; 0:2000000 switch a>b S; 0h/b:3000000 tick 236;"
	  "0h/b:3000100 hr 77 3000000; 0h/b:3000200 waking a; 0h/b:3000300 wakeup a 0; 0h/b:3000400 hrx 77;"
	  "0h/b:3000500 tickx 236; 0/b:3100000 switch b>a R; 0/a:3200000 ret 35 0; 0/a:3300000 sys 202 7;"
	  "0/a:3400000 switch a>b S; 0/b:9000000 waking a; 0/b:9000100 wakeup a 0; 0/b:9100000 switch b>a R;"
	  "0/a:9200000 ret 202 0", 20000000,
	  "101 call_202(0x7, 0x0, 0x0) = 0 00:00:00.003300 .. 00:00:00.009200 5.900 ms, explained 100 %\n"
	  "      0.100 ms    1.7 %  running on CPU 0 (kernel)\n"
	  "      5.600 ms   94.9 %  blocked, woken up by 102 on CPU 0\n"
	  "        5.600 ms           102 running on CPU 0\n"
	  "      0.100 ms    1.7 %  runnable on CPU 0, held by 102 for 0.100 ms without a switch\n"
	  "      0.100 ms    1.7 %  running on CPU 0 (kernel)\n" },
	{ "a signal of a timer", "101", { 0 },
	  "0/a:1000000 sys 34; 0:1500000 hradd 77 9000000; 0:2000000 switch a>idle S; 0h/idle:9000000 tick 236;"
	  "0h/idle:9000100 hr 77 9000000; 0h/idle:9000200 waking a; 0h/idle:9000300 wakeup a 0;"
	  "0h/idle:9000400 signal 14 a; 0h/idle:9000500 hrx 77; 0h/idle:9000600 tickx 236; 0/idle:9100000 switch idle>a S;"
	  "0/a:9200000 ret 34 -514", 20000000,
	  "101 call_34(0x0, 0x0, 0x0) = -ERESTARTNOHAND 00:00:00.001000 .. 00:00:00.009200 8.200 ms, explained 100 %\n"
	  "      1.000 ms   12.2 %  running on CPU 0 (kernel)\n"
	  "      7.000 ms   85.4 %  blocked, woken up by hrtimer 0:0x4d on CPU 0, 0.000 ms late, armed by 101 7.500 ms before, signal SIGALRM\n"
	  "        7.000 ms           until the timer 0:0x4d was to expire\n"
	  "        0.000 ms           the timer was late on CPU 0\n"
	  "      0.099 ms    1.2 %  runnable on CPU 0, which was idle for 0.099 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "a wake-up while the thread is about to sleep", "101", { 0 },
	  "1/b:500000 sys 39; 0/a:1000000 sys 0 3; 1h/b:1900000 irq 4 uart; 1h/b:1950000 waking a; 1h/b:1980000 irqx 4;"
	  "0/a:2000000 switch a>idle S; 0/idle:2500000 wakeup a 0; 0/idle:2600000 switch idle>a S; 0/a:3000000 ret 0 1",
	  20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.003000 2.000 ms, explained 100 %\n"
	  "      1.000 ms   50.0 %  running on CPU 0 (kernel)\n"
	  "      0.500 ms   25.0 %  blocked, woken up by irq uart on CPU 1 while it was about to sleep\n"
	  "      0.100 ms    5.0 %  runnable on CPU 0, which was idle for 0.100 ms of it\n"
	  "      0.400 ms   20.0 %  running on CPU 0 (kernel)\n" },
	{ "--span", NULL, { .span = "go..done" },
	  "0/a:500000 sys 39; 0/a:600000 ret 39 1; 0/a:1000000 text go; 0/a:2000000 fork b; 0/a:2100000 wakenew b 1 1;"
	  "1/idle:4000000 switch idle>b S; 1/b:9000000 text done; 0/a:10000000 text done", 20000000,
	  "102 from go to done 00:00:00.001000 .. 00:00:00.009000 8.000 ms, explained 76.2 %\n"
	  "      1.000 ms   12.5 %  did not exist yet, created by 101\n"
	  "        1.000 ms           101 running on CPU 0 (user)\n"
	  "      0.100 ms    1.2 %  blocked, woken up by 101 on CPU 0\n"
	  "        0.100 ms           101 running on CPU 0 (user)\n"
	  "      1.900 ms   23.8 %  runnable on CPU 1; what CPU 1 did is unknown for 1.900 ms of it\n"
	  "      5.000 ms   62.5 %  running on CPU 1 (kernel)\n" },
	{ "--span: numbers", "102", { .span = "1..2" },
	  "0/a:500000 mark 1; 1/b:2000000 mark 2; 1/b:3000000 mark 1; 1/b:9000000 mark 2", 20000000,
	  "102 from 1 to 2 00:00:00.003000 .. 00:00:00.009000 6.000 ms, explained 100 %\n"
	  "      6.000 ms  100.0 %  running on CPU 1\n" },
	{ "--span: no such mark", NULL, { .span = "1..3" }, "0/a:500000 mark 1; 1/b:2000000 mark 2", 20000000,
	  "error: --span: no mark \"3\" in the window (its marks are 1, 2)\n" },
	{ "--span: no marks", NULL, { .span = "1..3" }, "0/a:500000 sys 39; 0/a:600000 ret 39 1", 20000000,
	  "error: --span: no mark \"1\" in the window, which has no marks (lkstlogger records them)\n" },
	{ "--span: another thread recorded the second mark", "101", { .span = "1..2" },
	  "0/a:500000 mark 1; 1/b:2000000 mark 2", 20000000,
	  "error: --span: no selected thread recorded mark \"2\" after mark \"1\", but 102 did\n" },
	{ "--span: idle CPUs do not count as another thread", "101", { .span = "1..2" },
	  "0/a:500000 mark 1; 1/b:2000000 mark 2; 0/a:3000000 mark 1; 1/idle:4000000 mark 2", 20000000,
	  "error: --span: no selected thread recorded mark \"2\" after mark \"1\", but 102 did\n" },
	{ "--span: more marks than a message can list", NULL, { .span = "x..y" },
	  "0/a:500000 mark 10000000001;0/a:500001 mark 10000000002;0/a:500002 mark 10000000003;"
	  "0/a:500003 mark 10000000004;0/a:500004 mark 10000000005;0/a:500005 mark 10000000006;"
	  "0/a:500006 mark 10000000007;0/a:500007 mark 10000000008;0/a:500008 mark 10000000009;"
	  "0/a:500009 mark 10000000010;0/a:500010 mark 10000000011;0/a:500011 mark 10000000012;"
	  "0/a:500012 mark 10000000013;0/a:500013 mark 10000000014;0/a:500014 mark 10000000015;"
	  "0/a:500015 mark 10000000016;0/a:500016 mark 10000000017;0/a:500017 mark 10000000018;"
	  "0/a:500018 mark 10000000019", 20000000,
	  "error: --span: no mark \"x\" in the window (its marks are 10000000001, 10000000002, "
	  "10000000003, 10000000004, 10000000005, 10000000006, 10000000007, 10000000008, 10000000009, "
	  "10000000010, 10000000011, 10000000012, 10000000013, 10000000014, 10000000015, 10000000016, "
	  "10000000017, 10000000018, ...)\n" },
	{ "--span: a similar mark", NULL, { .span = "start..finsh" },
	  "0/a:500000 text start; 0/a:600000 text begin; 1/b:2000000 text finish; 1/b:3000000 text finish", 20000000,
	  "error: --span: no mark \"finsh\" in the window; did you mean \"finish\"?\n" },
	{ "--span: a similar number", NULL, { .span = "1001..2002" },
	  "0/a:500000 mark 1000; 1/b:2000000 mark 2002", 20000000,
	  "error: --span: no mark \"1001\" in the window; did you mean \"1000\"?\n" },
	{ "--span: the wrong order", NULL, { .span = "2..1" }, "0/a:500000 mark 1; 1/b:2000000 mark 2", 20000000,
	  "error: --span: no mark \"2\" is followed by a mark \"1\"\n" },
	{ "a name that would control the terminal", "101", { 0 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 0h/idle:9000000 irq 4 \033[2J; 0h/idle:9200000 waking a;"
	  "0h/idle:9200100 wakeup a 0; 0h/idle:9300000 irqx 4; 0/idle:9400000 switch idle>a S; 0/a:9500000 ret 0 1",
	  20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      1.000 ms   11.8 %  running on CPU 0 (kernel)\n"
	  "      7.200 ms   84.7 %  blocked, woken up by irq \\033[2J on CPU 0\n"
	  "        7.000 ms           until the interrupt occurred\n"
	  "        0.200 ms           the interrupt ran on CPU 0\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
	{ "the end of a call was lost", "101", { .at = "1500000" },
	  "1/b:500000 sys 39; 0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; lose 0 7; 0/idle:9000000 idle 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0), whose end was not recorded 00:00:00.001000 .. 00:00:00.002000 1.000 ms, explained 100 %\n"
	  "      1.000 ms  100.0 %  running on CPU 0 (kernel)\n" },
	{ "a thread ends in a call", "101", { .at = "1500000" },
	  "0/a:1000000 sys 231 0; 0/a:2000000 exit a; 0/a:3000000 switch a>idle X", 20000000,
	  "101 call_231(0x0, 0x0, 0x0), in which the thread ended 00:00:00.001000 .. 00:00:00.003000 2.000 ms, explained 100 %\n"
	  "      2.000 ms  100.0 %  running on CPU 0 (kernel)\n" },
	{ "the least result", "101", { 0 },
	  "0/a:1000000 sys 9; 0/a:2000000 ret 9 -9223372036854775808", 20000000,
	  "101 call_9(0x0, 0x0, 0x0) = 0x8000000000000000 00:00:00.001000 .. 00:00:00.002000 1.000 ms, explained 100 %\n"
	  "      1.000 ms  100.0 %  running on CPU 0 (kernel)\n" },
	{ "--segments: a wait behind two threads", "101", { .segments = 1 },
	  "0/a:1000000 sys 0 3; 0/a:2000000 switch a>b S; 0/b:3000000 waking a; 0/b:3000000 wakeup a 0;"
	  "0/b:5000000 switch b>c R; 0/c:15000000 switch c>a R; 0/a:15500000 ret 0 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.015500 14.500 ms, explained 100 %\n"
	  "      2.000 ms   13.8 %  ... 2 shorter segments: running 1.000 ms, blocked 1.000 ms\n"
	  "     12.000 ms   82.8 %  runnable on CPU 0, behind 103 (10.000 ms) and 1 more run of threads\n"
	  "        2.000 ms           CPU 0: 102\n"
	  "       10.000 ms           CPU 0: 103\n"
	  "      0.500 ms    3.4 %  running on CPU 0 (kernel)\n" },
	{ "a signal that is sent after the wake-up, in another call", "101", { 0 },
	  "1/b:500000 sys 1 4; 0/a:1000000 sys 0 3; 0/a:2000000 switch a>idle S; 1/b:4000000 waking a;"
	  "1/b:4000000 wakeup a 0; 1/b:4100000 ret 1 1; 1/b:4200000 sys 62 101; 1/b:4300000 signal 10 a;"
	  "1/b:4400000 ret 62 0; 0/idle:5000000 switch idle>a S; 0/a:6000000 ret 0 1", 20000000,
	  "101 call_0(0x3, 0x0, 0x0) = 1 00:00:00.001000 .. 00:00:00.006000 5.000 ms, explained 100 %\n"
	  "      1.000 ms   20.0 %  running on CPU 0 (kernel)\n"
	  "      2.000 ms   40.0 %  blocked, woken up by 102 on CPU 1\n"
	  "        2.000 ms           102 running on CPU 1 in call_1 (kernel)\n"
	  "      1.000 ms   20.0 %  runnable on CPU 0, which was idle for 1.000 ms of it\n"
	  "      1.000 ms   20.0 %  running on CPU 0 (kernel)\n" },
	{ "a request that is issued in parts, before the events", "101", { 0 },
	  "0/a:1000000 sys 74 3; 0/a:2000000 issue 100 4096; 0/a:3000000 switch a>idle D; 0h/idle:8000000 irq 5 disk;"
	  "0h/idle:8100000 done 100 1024; 0h/idle:8200000 irqx 5; 0h/idle:9000000 irq 5 disk; 0h/idle:9100000 done 102 3072;"
	  "0h/idle:9200000 waking a; 0h/idle:9200100 wakeup a 0; 0h/idle:9300000 irqx 5; 0/idle:9400000 switch idle>a S;"
	  "0/a:9500000 ret 74 0", 20000000,
	  "101 call_74(0x3, 0x0, 0x0) = 0 00:00:00.001000 .. 00:00:00.009500 8.500 ms, explained 100 %\n"
	  "      2.000 ms   23.5 %  running on CPU 0 (kernel)\n"
	  "      6.200 ms   72.9 %  blocked (D), woken up by irq disk on CPU 0: WRITE of 3072 bytes on 0:1, sector 102, issued by 101, 7.200 ms in the device\n"
	  "        6.200 ms           in the device: WRITE of 3072 bytes on 0:1, sector 102\n"
	  "      0.200 ms    2.4 %  runnable on CPU 0, which was idle for 0.200 ms of it\n"
	  "      0.100 ms    1.2 %  running on CPU 0 (kernel)\n" },
};

TEST_ROWS(test_scenario, scenarios)
{
	const struct scenario *row = &scenarios[_i];
	char *text;

	why_case_begin(&row->own, row->operand);
	why_case_run(row->script, row->end_ns);
	text = why_case_text();
	ck_assert_msg(!strcmp(text, row->expected), "%s:\n%s\nnot\n%s", row->name, text,
		      row->expected);
	ck_assert(why_case_check(10) || !strncmp(text, "error: ", 7));
	ck_assert_str_eq(why_case_note, "");
	free(text);
	why_case_done();
}

/* ---- memory ---- */

/*
 * If the facts exceed the memory limit, the oldest ones are dropped, and the others remain in
 * order.
 */
TEST(test_facts_limit)
{
	static const struct why_arguments none;
	const struct lkst_thread thread = { .index = 3 };
	struct why_facts *facts;
	struct lkst_wake wake = { .cpu = 1 };

	why_case_begin(&none, NULL);
	facts = &((struct why *)analysis_ctx())->facts;
	facts->limit = 16 << 10;
	for (int64_t i = 1; i <= 10000; i++) {
		facts->now_ns = i * 10;
		why_facts_add(facts, &thread,
			      &(struct why_fact){ .time_ns = i * 10, .number = (uint64_t)i, .cpu = 1,
						  .detail = WHY_DETAIL_IRQ });
		ck_assert_uint_le(facts->bytes, facts->limit);
		wake.time_ns = i * 10 + 1;
		ck_assert_uint_eq(why_facts_wake(facts, &thread, &wake, 0)->number, (uint64_t)i);
	}
	ck_assert_int_gt(facts->begin_ns, 0);
	wake.time_ns = facts->begin_ns + 10;
	ck_assert_ptr_nonnull(why_facts_wake(facts, &thread, &wake, 0));
	wake.time_ns = facts->begin_ns - 1;
	ck_assert_ptr_null(why_facts_wake(facts, &thread, &wake, 0));
	why_case_done();
}
END_TEST

/*
 * If there are many losses, up to 16 neighbouring ones are merged into one. Looking up the time of
 * any of these losses still finds the merged loss.
 */
TEST(test_facts_losses)
{
	static const struct why_arguments none;
	struct why_facts *facts;

	why_case_begin(&none, NULL);
	facts = &((struct why *)analysis_ctx())->facts;
	for (int i = 1; i <= 10000; i++)
		why_facts_loss(facts, &(struct lkst_loss){ .cpu = i % 2, .begin_ns = i * 1000,
							   .end_ns = i * 1000 + 10, .number = 3 });
	for (int i = 1; i <= 10000; i++) {
		const struct lkst_loss *loss = why_facts_lost(facts, i * 1000 + 5, i * 1000 + 5);

		ck_assert_ptr_nonnull(loss);
		ck_assert_uint_le(loss->number, 3 * 16);
		ck_assert_int_eq(loss->cpu, loss->number == 3 ? i % 2 : -1);
	}
	ck_assert_ptr_null(why_facts_lost(facts, 0, 999));
	ck_assert_ptr_null(why_facts_lost(facts, 10000011, INT64_MAX));
	why_case_done();
}
END_TEST

/* If all facts have the same time, they are dropped together. */
TEST(test_facts_limit_at_one_time)
{
	static const struct why_arguments none;
	const struct lkst_thread thread = { .index = 0 };
	struct why_facts *facts;

	why_case_begin(&none, NULL);
	facts = &((struct why *)analysis_ctx())->facts;
	facts->limit = 16 << 10;
	facts->now_ns = 5;
	for (int i = 0; i < 1000; i++) {
		why_facts_add(facts, &thread,
			      &(struct why_fact){ .time_ns = 5, .detail = WHY_DETAIL_WORK });
		ck_assert_uint_le(facts->bytes, facts->limit);
	}
	why_case_done();
}
END_TEST

/*
 * If the spans exceed the memory limit, the earliest delays are dropped, and a note says so. The
 * other delays are still explained.
 */
TEST(test_history_limit)
{
	static const struct why_arguments longest = { .slowest = 3 };
	char *script = NULL, *text;
	size_t len;
	FILE *to = open_memstream(&script, &len);

	fprintf(to, "0/a:1000 sys 0 3; 0/a:2000 switch a>b S;");
	for (int i = 1; i <= 2000; i++) {
		fprintf(to, "0/b:%d waking a; 0/b:%d switch b>a R; 0/a:%d ret 0 1;", i * 1000000,
			i * 1000000 + 100, i * 1000000 + 200);
		fprintf(to, "0/a:%d sys 0 3; 0/a:%d switch a>b S;", i * 1000000 + 300,
			i * 1000000 + 400);
	}
	fclose(to);
	why_case_bytes = 48 << 10;
	why_case_begin(&longest, "101");
	why_case_run(script, 2001000000);
	ck_assert_uint_gt(why_case_check(1000), 10);
	ck_assert_uint_lt(why_case_check(1000), 900);
	text = why_case_text();
	assert_contains(text, "101 call_0(0x3, 0x0, 0x0) = 1 ");
	assert_begins(why_case_note, "why: delays that ended before 00:00:0");
	free(text);
	free(script);
	why_case_done();
	why_case_bytes = 0;
}
END_TEST
