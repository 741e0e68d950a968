// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/added: functions and tracepoints with known arguments. Writing N
 * to the parameter "call" calls each of them N times. Writing an address, which
 * may be wrong, to the parameter "poke" calls probed_pointers() with it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#define CREATE_TRACE_POINTS
#include "probed_trace.h"

int probed_numbers(int a, long b, u8 c, u16 d, u64 e, u64 f, u64 g);
long probed_pointers(const void *object);
int probed_refused(int a);

struct probed_object {
	u8 byte;
	s16 half;
	u32 bits;
	s64 number;
	const char *text;
	struct probed_object *next;
	const char *texts[2];
	u16 array[4];
	char name[8];
};

static struct probed_object probed_second = {
	.byte = 0x80, .half = -2, .bits = 0xabcdef01, .number = -5, .text = "second text",
	.texts = { "one", "two" }, .array = { 1, 2, 3, 65535 }, .name = "second",
};

static struct probed_object probed_first = {
	.byte = 7, .half = 300, .bits = 0x12345678, .number = 1LL << 40, .text = "first text",
	.next = &probed_second, .texts = { "three", "" }, .array = { 5, 6, 7, 8 }, .name = "first",
};

/* Something that only code can change, so that calls are not optimized away. */
static volatile long probed_result;

noinline int probed_numbers(int a, long b, u8 c, u16 d, u64 e, u64 f, u64 g)
{
	probed_result += a + b + c + d + e + f + g;
	return -a;
}

noinline long probed_pointers(const void *object)
{
	probed_result += (long)object;
	return (long)object >> 4;
}

/* A function that must not be probed. */
notrace noinline int probed_refused(int a)
{
	probed_result += a;
	return a;
}

static int probed_call(const char *text, const struct kernel_param *param)
{
	unsigned int i, num;
	int ret = kstrtouint(text, 0, &num);

	if (ret)
		return ret;
	for (i = 0; i < num; i++) {
		probed_numbers(i, -3, 200, 60000, 1ULL << 63, i, 77);
		probed_pointers(&probed_first);
		probed_refused(i);
		trace_probed_sizes(i, -300, 0x80000000U, -1, "a text of a tracepoint");
		trace_probed_many(1, 2, 3, 4, 5, 6 + i, 7, 8);
	}
	return 0;
}

static int probed_poke(const char *text, const struct kernel_param *param)
{
	unsigned long address;
	int ret = kstrtoul(text, 0, &address);

	if (!ret)
		probed_pointers((const void *)address);
	return ret;
}

static const struct kernel_param_ops probed_call_ops = { .set = probed_call };
static const struct kernel_param_ops probed_poke_ops = { .set = probed_poke };

module_param_cb(call, &probed_call_ops, NULL, 0200);
module_param_cb(poke, &probed_poke_ops, NULL, 0200);

static int __init probed_init(void)
{
	return 0;
}

static void __exit probed_exit(void)
{
}

module_init(probed_init);
module_exit(probed_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: functions and tracepoints with known arguments");
