/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wrappers for the ioctls of /dev/lkst, and helpers for the tests that use them. A wrapper that
 * returns an int returns 0 on success, and errno on failure.
 */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "tap.h"

#define VOID LKST_BUFFER_ID_VOID
#define IDS  (LKST_BUFFER_ID_MAX + 1)

/* The highest id of a maskset that may be written. */
#define LAST_SET (LKST_MASKSET_ID_RDETAILED - 1)

/* Event types, from include/linux/lkst_etypes.h. */
#define USER_MARK   0x0e0
#define BUFF_OVFLOW 0xf01
#define BUFF_SHIFT  0xf02
#define SYNC_TIME   0xf03

#define RECORD_SIZE LKST_SIZEOF_LKST_EVENT_RECORD

typedef unsigned long long ull;

/* Weak, so that all source files of a program share one definition. */
__attribute__((weak)) int lkst_fd = -1;

/*
 * End the test if @error is not 0. Use this for calls that must succeed for the test to continue.
 */
static inline void __attribute__((format(printf, 2, 3))) need(int error, const char *format, ...)
{
	va_list args;

	if (!error)
		return;
	printf("Bail out! ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(": %s\n", strerror(error));
	exit(1);
}

static inline void open_lkst(void)
{
	lkst_fd = open("/dev/lkst", O_RDWR);
	bail_if(lkst_fd < 0, "/dev/lkst");
}

/* Close the device, which ends the binding to a CPU, and open it again. */
static inline void reopen_lkst(void)
{
	close(lkst_fd);
	open_lkst();
}

static inline void set_nonblock(bool on)
{
	bail_if(fcntl(lkst_fd, F_SETFL, O_RDWR | (on ? O_NONBLOCK : 0)), "fcntl");
}

static inline int ioctl_errno(int fd, unsigned long request, void *param)
{
	return ioctl(fd, request, param) < 0 ? errno : 0;
}

static inline int lkst(unsigned long request, void *param)
{
	return ioctl_errno(lkst_fd, request, param);
}

static inline int lkst_number(unsigned long request, long number)
{
	return lkst(request, (void *)number);
}

static inline struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	bail_if(lkst(LKST_IOC_TRC_STATUS, &status), "TRC_STATUS");
	return status;
}

/* Give up the capability CAP_SYS_ADMIN. */
static inline int drop_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return errno;
	data[0].effective &= ~(1U << CAP_SYS_ADMIN);
	return syscall(SYS_capset, &header, data) ? errno : 0;
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
	return create_as(&(struct lkst_buffer_param){}, cpu, id, next, size);
}

static inline int delete_buffer(int cpu, int id)
{
	return lkst(LKST_IOC_BUFFER_DELETE, &(struct lkst_buffer_delparam){ .cpu = cpu, .id = id });
}

static inline int link_buffer(int cpu, int id, int next)
{
	struct lkst_buffer_linkparam param = { .cpu = cpu, .id = id, .next = next };

	return lkst(LKST_IOC_BUFFER_LINK, &param);
}

static inline int jump(int cpu, int to)
{
	return lkst(LKST_IOC_BUFFER_JUMP, &(struct lkst_buffer_jumpparam){ cpu, to });
}

static inline int shift(int cpu)
{
	return lkst_number(LKST_IOC_BUFFER_SHIFT, cpu);
}

/* The list of all buffers of a CPU. */
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
	bail_if(lkst(LKST_IOC_BUFFER_LIST, &buffers->param), "BUFFER_LIST");
}

static inline const struct lkst_buffer_listent *find_buffer(const struct buffers *buffers, int id)
{
	for (int i = 0; i < buffers->param.buffer_num; i++)
		if (buffers->ent[i].id == id)
			return &buffers->ent[i];
	return NULL;
}

static inline bool buffer_exists(int cpu, int id)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	return find_buffer(&buffers, id);
}

/* Return the list entry of a buffer. End the test if the buffer does not exist. */
static inline struct lkst_buffer_listent buffer_of(int cpu, int id)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	need(find_buffer(&buffers, id) ? 0 : ENOENT, "buffer %d of CPU %d", id, cpu);
	return *find_buffer(&buffers, id);
}

static inline uint64_t next_recid(const struct lkst_buffer_listent *ent)
{
	return ent->baseid + ent->write_offset;
}

/* Return BUFFER_LIST's data about a CPU as a whole: its current buffer, read queue and owner. */
static inline struct lkst_buffer_listparam queue_of(int cpu)
{
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	return buffers.param;
}

static inline int written_buffer(int cpu)
{
	return queue_of(cpu).write_buf;
}

/* Return the recid that the next record of the CPU will get. */
static inline uint64_t cpu_recid(int cpu)
{
	struct lkst_buffer_listent ent = buffer_of(cpu, written_buffer(cpu));

	return next_recid(&ent);
}

/* Make buffer 0 the current buffer of the CPU, and delete all others. */
static inline void delete_buffers(int cpu)
{
	struct buffers buffers;

	need(jump(cpu, 0), "JUMP to buffer 0");
	list_buffers(&buffers, cpu);
	for (int i = 1; i < buffers.param.buffer_num; i++)
		need(delete_buffer(cpu, buffers.ent[i].id), "DELETE");
}

/*
 * Replace all buffers of the CPU except buffer 0 with a ring of the buffers 1 to @num with @size
 * bytes each, and make buffer 1 the current one. If @num is 1, buffer 1 has no next buffer.
 */
static inline void make_ring(int cpu, int num, uint64_t size)
{
	delete_buffers(cpu);
	for (int id = 1; id <= num; id++)
		need(create(cpu, id, num > 1 ? id % num + 1 : VOID, size), "CREATE %d", id);
	need(jump(cpu, 1), "JUMP to buffer 1");
}

/*
 * Return the number of slots at the start of a buffer of @size bytes that stay unused until the
 * buffer wraps for the first time.
 */
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

static inline int set_mode(int cpu, int mode)
{
	struct lkst_buffer_srmodparam param = { .cpu = cpu, .mode = mode };

	return lkst(LKST_IOC_BUFFER_SETRMOD, &param);
}

/* Restrict the caller to @cpu. Return 0 or errno. */
static inline int move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? errno : 0;
}

static inline void pin(int cpu)
{
	bail_if(move_to(cpu), "sched_setaffinity");
}

static inline void sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

/* Bring CPU 1 online or offline. Return whether this succeeded. */
static inline bool cpu1_online(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
	bool done = fd >= 0 && write(fd, online ? "1" : "0", 1) == 1;

	close(fd);
	return done;
}

/*
 * Wait for @seconds. If @enough() still returns false then, as it may on a busy host, wait until it
 * returns true, for up to ten times @seconds in total.
 */
static inline void run_for(unsigned int seconds, bool (*enough)(void))
{
	unsigned int passed;

	for (passed = 0; passed < seconds || (!enough() && passed < 10 * seconds); passed++)
		sleep(1);
}

/* Record a mark (a user_mark event) on the CPU to which the caller is pinned. */
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

/* A maskset entry that makes the default handler record the events of a type. */
#define RECORDED(etype) { etype, LKST_EVHANDLER_ID_ENTRY_LOG }

/* Write a maskset that has the handlers in @masks, and masks all other events. */
static inline int write_maskset(int id, const char *name, const struct mask *masks,
				unsigned int num)
{
	size_t size = LKST_MASKSET_SIZE(num);
	struct lkst_maskset_body *body = calloc(1, size);
	struct lkst_maskset_param param = { .id = id, .maskset_size = size,
					    .maskset = (uintptr_t)body };
	int error;

	bail_if(!body, "memory");
	strncpy(body->name, name, sizeof(body->name) - 1);
	body->len = num;
	for (unsigned int i = 0; i < num; i++) {
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

static inline void delete_maskset(int id)
{
	need(lkst_number(LKST_IOC_MASKSET_DELETE, id), "MASKSET_DELETE %d", id);
}

/* Results */

/* Print a test result: @error, the result of a call, must be @expected. Return whether it is. */
static inline bool __attribute__((format(printf, 3, 4)))
gives(int error, int expected, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	if (!vok(error == expected, name, args))
		diag("got %s, wanted %s", strerror(error), strerror(expected));
	va_end(args);
	return error == expected;
}

static inline bool __attribute__((format(printf, 3, 4)))
equal(ull got, ull expected, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	if (!vok(got == expected, name, args))
		diag("got %llu (%#llx), wanted %llu (%#llx)", got, got, expected, expected);
	va_end(args);
	return got == expected;
}

#endif
