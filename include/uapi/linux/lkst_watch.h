/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Watches, which measure the time between two events, and act when it is too
 * long (Documentation/lkst/watch.rst).
 */
#ifndef _UAPI_LINUX_LKST_WATCH_H
#define _UAPI_LINUX_LKST_WATCH_H

#include <linux/lkst.h>

#define LKST_WATCH_NAME_LEN	32	/* including the terminating NUL */
#define LKST_WATCH_TEXT_MAX	1024	/* maximum size of a text, in bytes */
#define LKST_WATCH_ERROR_LEN	256	/* including the terminating NUL */
#define LKST_WATCH_NUM		64	/* maximum number of watches */
#define LKST_WATCH_KEYS		4	/* maximum number of fields of a key */
#define LKST_WATCH_WORST	8	/* number of longest spans that a watch keeps */

/* Number of spans that can be open at the same time; see lkst_watch_param.spans */
#define LKST_WATCH_SPANS	32768
#define LKST_WATCH_SPANS_MIN	64
#define LKST_WATCH_SPANS_MAX	1048576

/*
 * Lengths of spans are counted in 8 buckets for each power of two. The buckets
 * 0 to 7 contain the lengths 0 to 7 ns. For i >= 8, bucket i contains the
 * lengths that are at least (8 + i % 8) << (i / 8 - 1) ns, and less than those
 * of bucket i + 1.
 */
#define LKST_WATCH_FINE		8
#define LKST_WATCH_BUCKETS	(62 * LKST_WATCH_FINE)

/**
 * struct lkst_watch_span - a span
 * @ns: its length in ns
 * @time: when it ended, as CLOCK_REALTIME in ns
 * @key: its key; unused words are 0
 * @cpu: CPU on which it ended
 * @tid: thread that was running on this CPU
 */
struct lkst_watch_span {
	__aligned_u64 ns;
	__aligned_u64 time;
	__aligned_u64 key[LKST_WATCH_KEYS];
	__u32 cpu;
	__u32 tid;
};

/**
 * struct lkst_watch_result - what a watch has measured
 * @count: number of spans
 * @sum: their total length in ns
 * @min: length of the shortest span in ns
 * @max: length of the longest span in ns
 * @late: number of spans that exceeded the limit
 * @unmatched: number of ends without a begin
 * @abandoned: number of begins without an end: another span with the same key
 *	began, or there was no room
 * @missed: number of events that could not be taken into account
 * @open: number of spans that have begun but not ended
 * @worst_num: number of entries of @worst
 * @worst: the longest spans, the longest one first
 * @bucket: number of spans by length, see LKST_WATCH_BUCKETS
 */
struct lkst_watch_result {
	__aligned_u64 count;
	__aligned_u64 sum;
	__aligned_u64 min;
	__aligned_u64 max;
	__aligned_u64 late;
	__aligned_u64 unmatched;
	__aligned_u64 abandoned;
	__aligned_u64 missed;
	__u32 open;
	__u32 worst_num;
	struct lkst_watch_span worst[LKST_WATCH_WORST];
	__aligned_u64 bucket[LKST_WATCH_BUCKETS];
};

/**
 * struct lkst_watch_param - argument of the ioctls for watches
 * @name: in: name of the watch: letters, digits, "_", "-" and ".". A READ reads
 *	the watch with this name if @exact is not 0, else the first watch whose
 *	name follows @name in the order of bytes; out: name of the watch
 * @over_ns: spans that are longer are late. If this is 2^64 - 1, and @text does
 *	not contain "longest", no span is late, and ACTIONS are carried out
 *	after each span
 * @text: in: address of "KEY [longest] [do ACTIONS]", which need not end with 0.
 *	KEY consists of up to LKST_WATCH_KEYS names, separated by commas, of
 *	fields that both events have; A=B means the field A of @begin and the
 *	field B of @end. With "longest", a span is late only if it is longer
 *	than all earlier spans and, unless @over_ns is 2^64 - 1, longer than
 *	@over_ns. ACTIONS have the syntax of the actions of a rule, and are
 *	carried out after each late span. In the action trace(EVENT,FIELD...),
 *	"span" is the length of the span, and "begin.FIELD" a field of @begin.
 *	For a READ, the kernel stores the text here
 * @error: in: address for a message. If a WRITE fails with EINVAL because the
 *	text is wrong, the kernel stores here what is wrong with it, else "".
 *	0: nothing is stored. Ignored by a READ
 * @result: in: in a READ, address for a struct lkst_watch_result; 0: nothing is
 *	stored
 * @text_size: in: size of the text in bytes, at most LKST_WATCH_TEXT_MAX; in a
 *	READ, size of the memory at @text; out: size of the text
 * @error_size: in: size of the memory at @error in bytes
 * @error_at: out: if the text is wrong, position of the error in bytes
 * @result_size: in: size of the memory at @result in bytes
 * @begin: event type that begins a span
 * @end: event type that ends a span; may be the same as @begin
 * @spans: in a WRITE, number of spans that can be open at the same time, a
 *	power of two; 0: LKST_WATCH_SPANS
 * @exact: in a READ, see @name
 */
struct lkst_watch_param {
	char name[LKST_WATCH_NAME_LEN];
	__aligned_u64 over_ns;
	__aligned_u64 text;
	__aligned_u64 error;
	__aligned_u64 result;
	__u32 text_size;
	__u32 error_size;
	__u32 error_at;
	__u32 result_size;
	__s32 begin;
	__s32 end;
	__u32 spans;
	__u32 exact;
};

/* Argument of ioctl(LKST_IOC_WATCH_DELETE) and ioctl(LKST_IOC_WATCH_RESET). */
struct lkst_watch_nameparam {
	char name[LKST_WATCH_NAME_LEN];
};

#define LKST_IOC_WATCH_WRITE	_IOWR(LKST_IOC_MAGIC, 0x48, struct lkst_watch_param)
#define LKST_IOC_WATCH_READ	_IOWR(LKST_IOC_MAGIC, 0x49, struct lkst_watch_param)
#define LKST_IOC_WATCH_DELETE	_IOW(LKST_IOC_MAGIC, 0x4a, struct lkst_watch_nameparam)
#define LKST_IOC_WATCH_RESET	_IOW(LKST_IOC_MAGIC, 0x4b, struct lkst_watch_nameparam)

#endif /* _UAPI_LINUX_LKST_WATCH_H */
