/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by together.ko and the QEMU plugin that watches it, tests/qemu/together.c. A CPU shows the
 * plugin what it is doing by executing a no-op instruction that contains one of the numbers below.
 */
#ifndef TOGETHER_H
#define TOGETHER_H

#define TOGETHER_ETYPE	0x1f1
#define TOGETHER_NUM	65536	/* number of events of each CPU */

/* The first four bytes of "nopl number(%rax,%rax,1)". The number follows them in memory. */
#define TOGETHER_MARK		0x00841f0f

#define TOGETHER_BEGIN	0x4c4b5301	/* this CPU begins to record */
#define TOGETHER_END	0x4c4b5302	/* this CPU has finished */
#define TOGETHER_REPORT	0x4c4b5303	/* all CPUs have finished */

#endif
