/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between together.ko and who watches it from outside, tests/qemu/together.c: an instruction that
 * does nothing, a no-op with a number in it, says where a CPU stands.
 */
#ifndef TOGETHER_H
#define TOGETHER_H

#define TOGETHER_ETYPE	0x1f1
#define TOGETHER_NUM	65536	/* events of each CPU */

/* nopl number(%rax,%rax,1): this, as it lies in memory, and the number */
#define TOGETHER_MARK		0x00841f0f

#define TOGETHER_BEGIN	0x4c4b5301	/* this CPU begins to record */
#define TOGETHER_END	0x4c4b5302	/* it has ended */
#define TOGETHER_REPORT	0x4c4b5303	/* all have */

#endif
