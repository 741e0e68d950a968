/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records in the form of POSIX 1003.25, and the data for converting timestamps.
 */
#ifndef _LKST_LOG_H
#define _LKST_LOG_H

#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/lkst_buffer.h>

struct iov_iter;
struct lkst_event_record;
struct lkst_time;

/*
 * The data with which a reader converts timestamps. The members are those of
 * struct lkst_log_buffer.
 */
struct lkst_timebase {
	struct lkst_timeval xtime;
	u64 tsc;
	u64 cpu_freq;
	u32 clock;
};

/*
 * Set the members of @param that describe the format and the clock of records.
 * @param is one of the two structures of the ABI that have these members:
 * struct lkst_log_buffer or struct lkst_buffer_srmodparam.
 */
#define lkst_log_describe(param, timebase) do {						\
	const struct lkst_timebase *_timebase = (timebase);				\
	typeof(param) _param = (param);							\
											\
	_param->xtime = _timebase->xtime;						\
	_param->tsc = _timebase->tsc;							\
	_param->cpu_freq = _timebase->cpu_freq;						\
	_param->clock = _timebase->clock;						\
	_param->endian_big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);				\
	_param->buf_ver = LKST_BUFFER_VERSION;						\
	_param->pad = 0;								\
	strscpy_pad(_param->arch, init_utsname()->machine, sizeof(_param->arch));	\
} while (0)

void lkst_log_timebase(struct lkst_timebase *timebase, unsigned int clock,
		       const struct lkst_time *start);
void lkst_log_expand(struct lkst_log_record *out, const struct lkst_event_record *record,
		     u64 recid, int cpu, unsigned int clock);
int lkst_log_read(struct lkst_log_buffer *param, struct iov_iter *to);
int lkst_long_read(struct lkst_log_buffer *param, struct iov_iter *to);
int lkst_long_status(struct lkst_long_status *status);
int lkst_static_buffer_read(struct lkst_log_buffer *param, u64 max, struct iov_iter *to);

#endif
