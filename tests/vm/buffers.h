/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The device's calls as functions, for the tests of buffers and of read(): each returns 0 or the
 * error number.
 */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "tap.h"

#define VOID LKST_BUFFER_ID_VOID
#define IDS  (LKST_BUFFER_ID_MAX + 1)

/* Event types, as include/linux/lkst_etypes.h has them. */
#define USER_MARK   0x0e0
#define BUFF_OVFLOW 0xf01
#define BUFF_SHIFT  0xf02
#define SYNC_TIME   0xf03

#define RECORD_SIZE LKST_SIZEOF_LKST_EVENT_RECORD

typedef unsigned long long ull;

/* Weak: one, however many files a program is made of. */
__attribute__((weak)) int lkst_fd = -1;

static inline void open_lkst(void)
{
	lkst_fd = open("/dev/lkst", O_RDWR);
	if (lkst_fd < 0)
		bail_out("/dev/lkst");
}

static inline int lkst(unsigned long request, void *param)
{
	return ioctl(lkst_fd, request, param) < 0 ? errno : 0;
}

static inline int lkst_number(unsigned long request, long number)
{
	return lkst(request, (void *)number);
}

static inline struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	if (lkst(LKST_IOC_TRC_STATUS, &status))
		bail_out("TRC_STATUS");
	return status;
}

/* Buffers */

static inline int create_as(struct lkst_buffer_param *param, int cpu, int id, int next,
			    uint64_t size)
{
	*param = (struct lkst_buffer_param){ .id = id, .next = next, .cpu = cpu, .size = size };
	return lkst(LKST_IOC_BUFFER_CREATE, param);
}

static inline int create(int cpu, int id, int next, uint64_t size)
{
	struct lkst_buffer_param param;

	return create_as(&param, cpu, id, next, size);
}

static inline int delete_buffer(int cpu, int id)
{
	struct lkst_buffer_delparam param = { .cpu = cpu, .id = id };

	return lkst(LKST_IOC_BUFFER_DELETE, &param);
}

static inline int link_buffer(int cpu, int id, int next)
{
	struct lkst_buffer_linkparam param = { .cpu = cpu, .id = id, .next = next };

	return lkst(LKST_IOC_BUFFER_LINK, &param);
}

static inline int jump(int cpu, int dest)
{
	struct lkst_buffer_jumpparam param = { .cpu = cpu, .dest = dest };

	return lkst(LKST_IOC_BUFFER_JUMP, &param);
}

static inline int shift(int cpu)
{
	return lkst_number(LKST_IOC_BUFFER_SHIFT, cpu);
}

/* A CPU's buffers. */
struct buffers {
	struct lkst_buffer_listparam param;
	struct lkst_buffer_listent ent[IDS];
};

static inline void list_buffers(struct buffers *buffers, int cpu)
{
	memset(buffers, 0, sizeof(*buffers));
	buffers->param.cpu = cpu;
	buffers->param.listent_num = IDS;
	buffers->param.listent = (uintptr_t)buffers->ent;
	if (lkst(LKST_IOC_BUFFER_LIST, &buffers->param))
		bail_out("BUFFER_LIST");
}

static inline const struct lkst_buffer_listent *find_buffer(const struct buffers *buffers, int id)
{
	int i;

	for (i = 0; i < buffers->param.buffer_num; i++)
		if (buffers->ent[i].id == id)
			return &buffers->ent[i];
	return NULL;
}

/* A buffer there must be. */
static inline struct lkst_buffer_listent buffer_of(int cpu, int id)
{
	const struct lkst_buffer_listent *ent;
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	ent = find_buffer(&buffers, id);
	if (!ent) {
		printf("Bail out! CPU %d has no buffer %d\n", cpu, id);
		exit(1);
	}
	return *ent;
}

static inline bool buffer_exists(int cpu, int id)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	return find_buffer(&buffers, id);
}

static inline uint64_t next_recid(const struct lkst_buffer_listent *ent)
{
	return ent->baseid + ent->write_offset;
}

static inline int written_buffer(int cpu)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	return buffers.param.write_buf;
}

/* The recid that the CPU's next record gets. */
static inline uint64_t cpu_recid(int cpu)
{
	struct lkst_buffer_listent ent = buffer_of(cpu, written_buffer(cpu));

	return next_recid(&ent);
}

/* Slots that stay free when a buffer is opened. */
static inline unsigned int reserve(uint64_t size)
{
	unsigned int slots = size / RECORD_SIZE;

	return slots / 8 < 64 ? slots / 8 : 64;
}

static inline int read_buffer_max(struct lkst_log_buffer *param, int cpu, int id,
				  struct lkst_log_record *to, size_t max)
{
	*param = (struct lkst_log_buffer){
		.cpu = cpu, .id = id, .read_size = max * sizeof(*to), .buffer = (uintptr_t)to
	};
	return lkst(LKST_IOC_BUFFER_READ, param);
}

/* Records */

static inline int set_mode_as(struct lkst_buffer_srmodparam *param, int cpu, int mode)
{
	*param = (struct lkst_buffer_srmodparam){ .cpu = cpu, .mode = mode };
	return lkst(LKST_IOC_BUFFER_SETRMOD, param);
}

static inline int set_mode(int cpu, int mode)
{
	struct lkst_buffer_srmodparam param;

	return set_mode_as(&param, cpu, mode);
}

static inline void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bail_out("sched_setaffinity");
}

static inline void sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

/*
 * Goes on for @seconds, and for up to ten times as long until there is @enough: where the host is busy, little
 * happens in a minute.
 */
static inline void go_on(unsigned int seconds, bool (*enough)(void))
{
	unsigned int passed;

	for (passed = 0; passed < seconds || (!enough() && passed < 10 * seconds); passed++)
		sleep(1);
}

/* From the CPU the caller is pinned to. */
static inline int mark(uint64_t arg1, uint64_t arg2, uint64_t arg3, uint64_t arg4)
{
	struct lkst_entry_args args = { .event_type = USER_MARK,
					.log_arg1 = arg1,
					.log_arg2 = arg2,
					.log_arg3 = arg3,
					.log_arg4 = arg4 };

	return lkst(LKST_IOC_ENTRY_LOG, &args);
}

/* Masksets */

struct mask {
	int etype;
	int handler;
};

/* A maskset that handles these events so and masks all others. */
static inline int write_maskset(int id, const char *name, const struct mask *masks,
				unsigned int num)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE(num));
	struct lkst_maskset_param param = { .id = id,
					    .maskset_size = LKST_MASKSET_SIZE(num),
					    .maskset = (uintptr_t)body };
	unsigned int i;
	int error;

	if (!body)
		bail_out("memory");
	strncpy(body->name, name, sizeof(body->name) - 1);
	body->len = num;
	for (i = 0; i < num; i++) {
		body->entry[i].event_type = masks[i].etype;
		body->entry[i].id = masks[i].handler;
	}
	error = lkst(LKST_IOC_MASKSET_WRITE, &param);
	free(body);
	return error;
}

static inline int set_maskset(int id)
{
	return lkst_number(LKST_IOC_MASKSET_SET, id);
}

/* Results */

/* A call's error is the one that it must be. */
static inline bool __attribute__((format(printf, 3, 4)))
gives(int error, int want, const char *name, ...)
{
	char text[256];
	va_list args;

	va_start(args, name);
	vsnprintf(text, sizeof(text), name, args);
	va_end(args);
	if (ok(error == want, "%s", text))
		return true;
	diag("got %s, wanted %s", strerror(error), strerror(want));
	return false;
}

static inline bool __attribute__((format(printf, 3, 4)))
equal(ull got, ull want, const char *name, ...)
{
	char text[256];
	va_list args;

	va_start(args, name);
	vsnprintf(text, sizeof(text), name, args);
	va_end(args);
	if (ok(got == want, "%s", text))
		return true;
	diag("got %llu (%#llx), wanted %llu (%#llx)", got, got, want, want);
	return false;
}

/* What the preparation of a test needs. */
static inline void __attribute__((format(printf, 2, 3))) need(int error, const char *what, ...)
{
	va_list args;

	if (!error)
		return;
	printf("Bail out! ");
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf(": %s\n", strerror(error));
	exit(1);
}

#endif
