/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoints of the module probed. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM probed

#if !defined(PROBED_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PROBED_TRACE_H

#include <linux/tracepoint.h>

/* As many arguments as fit in registers, of all sizes. */
TRACE_EVENT(probed_sizes,
	TP_PROTO(u8 byte, s16 half, u32 word, s64 number, const char *text),
	TP_ARGS(byte, half, word, number, text),
	TP_STRUCT__entry(
		__field(u8, byte)
		__field(s16, half)
		__field(u32, word)
		__field(s64, number)
		__string(text, text)),
	TP_fast_assign(
		__entry->byte = byte;
		__entry->half = half;
		__entry->word = word;
		__entry->number = number;
		strcpy(__get_str(text), text);),
	TP_printk("byte=%u half=%d word=%u number=%lld text=%s", __entry->byte, __entry->half,
		  __entry->word, __entry->number, __get_str(text))
);

/* More arguments than fit in registers. */
TRACE_EVENT(probed_many,
	TP_PROTO(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h),
	TP_ARGS(a, b, c, d, e, f, g, h),
	TP_STRUCT__entry(__field(u64, f) __field(u64, g) __field(u64, h)),
	TP_fast_assign(__entry->f = f; __entry->g = g; __entry->h = h;),
	TP_printk("f=%llu g=%llu h=%llu", __entry->f, __entry->g, __entry->h)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE probed_trace
#include <trace/define_trace.h>
