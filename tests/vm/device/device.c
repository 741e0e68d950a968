// SPDX-License-Identifier: GPL-2.0
/*
 * Check what the device's ioctls return when they succeed. ioctl_errors.c tests the errors, and
 * buffers.c and stream.c test read() and the use of several buffers.
 */
/* also: -m32 */
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "records.h"

#define PROCESS_STATE 0x00e
#define LKST_INIT     0xf00

/* How many records a buffer can hold: device.t sets lkst.buffer_size=16M. */
#define MAX_RECORDS ((16 << 20) / RECORD_SIZE)

static struct lkst_log_record *records;
static struct lkst_maskset_body *body;
static struct lkst_maskset_listent masksets[300];
static struct lkst_evhandler_listent handlers[64];

static uint64_t user(const void *p)
{
	return (uintptr_t)p;
}

static struct lkst_log_buffer read_buffer(int cpu, size_t max)
{
	/* BUFFER_READ must overwrite the values 99. */
	struct lkst_log_buffer param = {
		cpu, cpu < 0 ? VOID : written_buffer(cpu), .read_size = max * sizeof(*records),
		.buffer = user(records), .recorded = 99, .overwritten = 99, .dropped = 99,
		.unfinished = 99,
	};

	need(lkst(LKST_IOC_BUFFER_READ, &param), "BUFFER_READ");
	return param;
}

static size_t count(const struct lkst_log_buffer *param)
{
	return param->result_read_size / sizeof(*records);
}

/*
 * Read the current buffer of @cpu. Return its newest record of type @etype whose first argument,
 * shifted right by @shift bits, is @arg1. Return NULL if there is no such record.
 */
static const struct lkst_log_record *find(int cpu, int etype, uint64_t arg1, unsigned int shift)
{
	struct lkst_log_buffer param = read_buffer(cpu, MAX_RECORDS);

	for (size_t i = count(&param); i-- > 0;)
		if (records[i].posix.log_event_type == etype &&
		    records[i].log_arg1 >> shift == arg1)
			return &records[i];
	return NULL;
}

/* Return the major number of "lkst" in /proc/devices, or 0 if it is not listed. */
static unsigned int proc_major(void)
{
	FILE *devices = fopen("/proc/devices", "r");
	char line[100], name[100];
	unsigned int number, found = 0;

	while (devices && fgets(line, sizeof(line), devices))
		if (sscanf(line, "%u %99s", &number, name) == 2 && !strcmp(name, "lkst"))
			found = number;
	if (devices)
		fclose(devices);
	return found;
}

static void test_device(void)
{
	struct stat st;
	int again;
	char byte = 0;

	ok(!fstat(lkst_fd, &st) && st.st_mode == (S_IFCHR | 0600) && st.st_uid == 0,
	   "/dev/lkst is a character device of root with mode 0600");
	ok(proc_major() && st.st_rdev == makedev(proc_major(), 0),
	   "its major number is that of \"lkst\" in /proc/devices, its minor number is 0");
	again = open("/dev/lkst", O_RDONLY);
	ok(again >= 0, "/dev/lkst can be opened twice");
	close(again);

	ok(write(lkst_fd, &byte, 1) == -1 && errno == EINVAL, "write() is EINVAL");
	ok(lseek(lkst_fd, 0, SEEK_SET) == -1 && errno == ESPIPE, "lseek() is ESPIPE");
	ok(pread(lkst_fd, &byte, 1, 0) == -1 && errno == ESPIPE, "pread() is ESPIPE");
	ok(mmap(NULL, 4096, PROT_READ, MAP_SHARED, lkst_fd, 0) == MAP_FAILED && errno == ENODEV,
	   "mmap() is ENODEV");
}

static short polled(void)
{
	struct pollfd poll_fd = { .fd = lkst_fd, .events = POLLIN | POLLRDNORM };

	return poll(&poll_fd, 1, 0) == 1 ? poll_fd.revents : 0;
}

/* Check that another user can neither open the device nor poll a descriptor that root opened. */
static void test_permission(void)
{
	int child_status;
	pid_t pid = start_child();

	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(100);
		ok(open("/dev/lkst", O_RDWR) == -1 && errno == EACCES,
		   "another user cannot open /dev/lkst");
		ok(polled() == POLLERR, "poll() without CAP_SYS_ADMIN returns POLLERR");
		_exit(tap_failed);
	}
	waitpid(pid, &child_status, 0);
	tap_count += 2;
	tap_failed += WIFEXITED(child_status) ? WEXITSTATUS(child_status) : 100;
}

/*
 * Whether LKST has switched each CPU to a new buffer because the TSC was found to be unreliable.
 * On machines other than x86, LKST uses CLOCK_MONOTONIC from the start.
 */
static bool clock_fell_back(unsigned int clock)
{
#if defined(__x86_64__) || defined(__i386__)
	return clock != LKST_CLOCK_TSC;
#else
	(void)clock;
	return false;
#endif
}

static void test_status(unsigned int clock)
{
	uint64_t online[128] = {};
	lkst_buffer_id write_buf[4096], read_buf[4096];
	struct lkst_trc_status param = { user(online), user(write_buf), user(read_buf),
					 .online_cpu_len = sizeof(online), .cpu_num = 4096 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	ok(!lkst(LKST_IOC_TRC_STATUS, &param), "TRC_STATUS");
	ok(__builtin_popcountll(online[0]) == cpus, "online_cpu has bits for %ld CPUs", cpus);
	ok(write_buf[0] == (clock_fell_back(param.clock) ? 1 : 0) &&
		   write_buf[cpus - 1] == write_buf[0],
	   "the current buffer of each CPU is %d", write_buf[0]);
	ok(read_buf[0] == VOID, "no buffer is being read");
	ok(param.current_maskset_id == LKST_MASKSET_ID_RDEFAULT, "the default maskset is selected");
	ok(param.saved_maskset_id == LKST_MASKSET_ID_VOID, "no maskset is saved");
	ok(param.state == LKST_TRC_RUNNING, "LKST is running");
	ok(param.maskset_num == 4 && param.evhandler_num == 7, "4 masksets, 7 event handlers");
	ok(param.static_buffer_recid >= 1 && param.static_buffer_size >= 4096,
	   "the static buffer has a record");
	ok(param.cpu_num >= (uint32_t)cpus && param.online_cpu_len >= 8 &&
		   param.online_cpu_len % 8 == 0,
	   "cpu_num and online_cpu_len have the highest possible values");
	ok(param.clock == clock, "the clock is the expected one");
	ok(param.version == LKST_INTERFACE_VERSION, "TRC_STATUS returns the interface version");
	ok(ioctl(lkst_fd, LKST_IOC_VERSION) == LKST_INTERFACE_VERSION,
	   "LKST_IOC_VERSION returns the same version");
	ok(param.lost == 0, "every event found a buffer");
	ok(param.memory >= cpus * (16ULL << 20) && param.memory <= param.memory_max,
	   "the buffers use memory, within the limit");
}

static void test_start_stop(void)
{
	struct lkst_log_buffer before, after;

	ok(!set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET 1");
	ok(!lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
	ok(get_status().state == LKST_TRC_STOPPED &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RNOTHING &&
		   get_status().saved_maskset_id == LKST_MASKSET_ID_RALL,
	   "TRC_STOP saves the maskset");
	before = read_buffer(0, MAX_RECORDS);
	sleep(1);
	after = read_buffer(0, MAX_RECORDS);
	ok(before.recorded == after.recorded, "nothing is recorded while stopped");
	ok(!lkst_number(LKST_IOC_TRC_STOP, 0) &&
		   get_status().saved_maskset_id == LKST_MASKSET_ID_RALL,
	   "a second TRC_STOP keeps the saved maskset");
	ok(!lkst_number(LKST_IOC_TRC_START, 0) && get_status().state == LKST_TRC_RUNNING &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RALL &&
		   get_status().saved_maskset_id == LKST_MASKSET_ID_VOID,
	   "TRC_START restores the maskset");
	ok(!lkst_number(LKST_IOC_TRC_START, 0) &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RALL,
	   "TRC_START while running does nothing");
	ok(!set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET 2");
}

static void test_masksets(void)
{
	static const char *const names[] = { "nothing", "all", "default" };
	struct lkst_maskset_listparam list = { 0, 0, sizeof(masksets), user(masksets) };
	struct lkst_maskset_param param;
	unsigned int i, len, logged = 0;
	struct lkst_maskset_body *written;
	bool ascending = true, right = true;

	ok(!lkst(LKST_IOC_MASKSET_LIST, &list) && list.current_id == 2, "MASKSET_LIST");
	for (i = 0; i < 3; i++)
		right &= masksets[i].id == (int)i && !strcmp(masksets[i].name, names[i]);
	ok(right, "the first masksets are nothing, all and default");
	len = masksets[0].len;

	memset(masksets, 0x55, sizeof(masksets));
	list.listent_size = LKST_MASKSET_LISTENT_SIZE(1) + 5;
	ok(!lkst(LKST_IOC_MASKSET_LIST, &list) && !masksets[0].id && masksets[1].id == 0x55555555,
	   "a short list area is filled to its end");

	param = (struct lkst_maskset_param){ VOID, 0, LKST_MASKSET_SIZE(len), user(body) };
	ok(!lkst(LKST_IOC_MASKSET_READ, &param) && param.id == 2 &&
		   !strcmp(body->name, "default") && body->len == len,
	   "MASKSET_READ with VOID reads the current maskset");
	for (i = 0; i < body->len; i++) {
		logged += body->entry[i].id == LKST_EVHANDLER_ID_ENTRY_LOG;
		ascending &= !i || body->entry[i].event_type > body->entry[i - 1].event_type;
	}
	ok(ascending && logged > 20, "its entries are in order, and %u events are recorded", logged);
	param.id = LKST_MASKSET_ID_RALL;
	lkst(LKST_IOC_MASKSET_READ, &param);
	read_proc_etypes();
	for (i = 0, right = true; i < body->len; i++)
		right &= body->entry[i].id == (proc_etypes[body->entry[i].event_type].present ?
						       LKST_EVHANDLER_ID_ENTRY_LOG :
						       LKST_EVHANDLER_ID_NONE);
	ok(right && body->len == len, "maskset all records every event type that is present");
	param.id = LKST_MASKSET_ID_RNOTHING;
	lkst(LKST_IOC_MASKSET_READ, &param);
	for (i = 0, logged = 0; i < body->len; i++)
		logged += body->entry[i].id != LKST_EVHANDLER_ID_NONE;
	ok(logged == 0, "maskset nothing records no event");

	param = (struct lkst_maskset_param){ 50, 0, LKST_MASKSET_SIZE_MAX, user(body) };
	memset(body->name, 0, sizeof(body->name));
	strcpy(body->name, "mine");
	for (i = 0; i < body->len; i++)
		body->entry[i].id = body->entry[i].event_type == USER_MARK ?
					    LKST_EVHANDLER_ID_STATIC_LOG :
					    LKST_EVHANDLER_ID_NONE;
	ok(!lkst(LKST_IOC_MASKSET_WRITE, &param) && get_status().maskset_num == 5,
	   "MASKSET_WRITE registers a maskset");
	written = memcpy(calloc(1, LKST_MASKSET_SIZE_MAX), body, LKST_MASKSET_SIZE_MAX);
	memset(body, 0x55, LKST_MASKSET_SIZE_MAX);
	ok(!lkst(LKST_IOC_MASKSET_READ, &param) && !memcmp(body, written, LKST_MASKSET_SIZE(len)),
	   "MASKSET_READ returns what was written");
	ok(((unsigned char *)body)[LKST_MASKSET_SIZE(len)] == 0x55,
	   "MASKSET_READ writes no more of the area than needed");
	ok(!lkst_number(LKST_IOC_MASKSET_DELETE, 50) && get_status().maskset_num == 4,
	   "MASKSET_DELETE deletes the maskset");
}

static void test_handlers(void)
{
	/* The event handlers, in the order of LKST_EVHANDLER_ID_*. */
	static const char *const own[] = {
		"none", "entry_log", "buffer_shift", "buffer_shift_dw", "static_log", "stop_after",
		"buffer_jump",
	};
	struct lkst_evhandler_listparam list = { sizeof(handlers), user(handlers) };

	ok(!lkst(LKST_IOC_EVHANDLER_LIST, &list), "EVHANDLER_LIST");
	for (int i = 0; i < 7; i++)
		ok(handlers[i].id == i && !strcmp(handlers[i].name, own[i]),
		   "event handler %d is %s", i, own[i]);
	memset(handlers, 0x55, sizeof(handlers));
	list.listent_size = LKST_EVHANDLER_LISTENT_SIZE(2);
	ok(!lkst(LKST_IOC_EVHANDLER_LIST, &list) && handlers[1].id == 1 &&
		   handlers[2].id == 0x55555555,
	   "a short list area is filled to its end");
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Check the record of an event that this process causes. */
static void test_entry_log(void)
{
	const uint64_t arg1 = 0x1111222233334444, arg4 = 0xfedcba9876543210;
	const struct lkst_log_record *own;
	int64_t before, after;

	pin(1);
	bail_if(setregid(-1, 77) || setreuid(-1, 0), "setregid");
	before = now_ns();
	ok(!mark(arg1, ~0ULL, 0, arg4), "ENTRY_LOG");
	after = now_ns();
	own = find(1, USER_MARK, arg1, 0);
	if (!ok(own, "the event is in the buffer of its CPU"))
		return;
	ok(own->log_arg2 == ~0ULL && own->log_arg3 == 0 && own->log_arg4 == arg4,
	   "the record has its arguments");
	ok(own->posix.log_magic == 0xfeefface && own->posix.log_size == 32 &&
		   own->posix.log_format == 1 && own->posix.log_facility == 0 &&
		   own->posix.log_severity == 7,
	   "the record has the fixed values of table 4-2");
	ok(own->posix.log_pid == getpid() && (pid_t)own->posix.log_thread == gettid() &&
		   own->posix.log_pgrp == getpgrp(),
	   "the record has process, thread and process group");
	ok(own->posix.log_uid == geteuid() && own->posix.log_gid == 77,
	   "the record has the effective user and group");
	ok(own->posix.log_processor == 1, "the record has the CPU");
	ok(!(own->posix.log_flags & (LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				     LKST_LOG_NMI | LKST_LOG_PREEMPT_OFF)),
	   "the record has the flags of a preemptible process");
	if (!ok(record_ns(own) >= before - 1000 && record_ns(own) <= after + 1000,
		"the time is exact to a microsecond"))
		diag("%lld is not in %lld to %lld", (long long)record_ns(own), (long long)before,
		     (long long)after);

	set_maskset(LKST_MASKSET_ID_RNOTHING);
	ok(!mark(0xdead, 0, 0, 0), "ENTRY_LOG of a masked event returns 0");
	set_maskset(LKST_MASKSET_ID_RDEFAULT);
	ok(!find(1, USER_MARK, 0xdead, 0), "a masked event is not recorded");
}

static void test_buffer_read(void)
{
	struct lkst_log_buffer param;
	struct utsname machine;
	bool ascending = true, processor = true;

	lkst_number(LKST_IOC_TRC_STOP, 0);
	param = read_buffer(0, MAX_RECORDS);
	for (size_t i = 0; i < count(&param); i++) {
		ascending &= !i || records[i].posix.log_recid == records[i - 1].posix.log_recid + 1;
		processor &= records[i].posix.log_processor == 0;
	}
	ok(count(&param) > 100 && ascending, "BUFFER_READ gives %zu records in recid order",
	   count(&param));
	ok(processor, "all records are of the right CPU");
	ok(param.recorded == count(&param) + param.overwritten + param.dropped &&
		   param.unfinished == 0 && param.pad == 0,
	   "recorded = read + overwritten + dropped");
	ok(records[0].posix.log_recid == param.first_recid + param.overwritten,
	   "the first record is the oldest one");
	ok(param.cpu_freq > 0 && param.tsc > 0 && param.xtime.tv_sec > 1000000000 &&
		   param.xtime.tv_usec < 1000000,
	   "BUFFER_READ returns base time pair and frequency");
	uname(&machine);
	ok(param.endian_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) &&
		   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, machine.machine),
	   "BUFFER_READ returns byte order, buffer version and architecture %s", param.arch);
	lkst_number(LKST_IOC_TRC_START, 0);
}

static void test_static_buffer(void)
{
	struct lkst_log_buffer param = read_buffer(-1, MAX_RECORDS);

	ok(count(&param) >= 1 && records[0].posix.log_event_type == LKST_INIT &&
		   records[0].posix.log_recid == 0,
	   "the static buffer begins with LKST_INIT");
	ok(param.recorded == count(&param) + param.overwritten + param.dropped &&
		   param.recorded == get_status().static_buffer_recid && param.unfinished == 0 &&
		   param.pad == 0,
	   "the static buffer: the counts of records add up");
	ok(records[0].log_arg2 == (uint64_t)sysconf(_SC_NPROCESSORS_CONF),
	   "LKST_INIT has the number of CPUs");
}

static void test_buffer_list(void)
{
	struct lkst_buffer_listparam queue = queue_of(0);
	struct lkst_buffer_listent own = buffer_of(0, queue.write_buf);

	ok(queue.read_buf == VOID && queue.owner == LKST_BUFFER_OWNER_NONE,
	   "the current buffer is not being read, and has no owner");
	ok(own.next == VOID && own.size % 4096 == 0,
	   "the current buffer is terminal, and its size is a multiple of 4 KB");
}

static pid_t idle_tid;

static void *idle_thread(void *unused __attribute__((unused)))
{
	prctl(PR_SET_NAME, "lkst-idle-one");
	__atomic_store_n(&idle_tid, gettid(), __ATOMIC_RELEASE);
	pause();
	return NULL;
}

/* Check that the state dump has a record of a sleeping thread, with the thread's name. */
static void test_state_dump(void)
{
	const struct lkst_log_record *found;
	pthread_t thread;

	pin(0);
	pthread_create(&thread, NULL, idle_thread, NULL);
	while (!__atomic_load_n(&idle_tid, __ATOMIC_ACQUIRE))
		sleep_ms(1);
	wait_until_asleep(idle_tid);
	ok(!lkst_number(LKST_IOC_TRC_STATEDUMP, 0), "TRC_STATEDUMP");
	found = find(0, PROCESS_STATE, idle_tid, 32);
	if (!ok(found, "the state dump has a sleeping thread"))
		return;
	ok((uint32_t)found->log_arg1 == (uint32_t)getpid() &&
		   found->log_arg2 >> 32 == (uint64_t)getppid() && (found->log_arg2 & 0xff) == 'S',
	   "the record has process, parent and state of the thread");
	if (!ok(!memcmp(&found->log_arg3, "lkst-idle-one\0\0\0", 16),
		"the record has the name of the thread"))
		diag("process %u, parent %u, state %#llx, name %.16s", (uint32_t)found->log_arg1,
		     (uint32_t)(found->log_arg2 >> 32), (ull)(found->log_arg2 & 0xffffffff),
		     (const char *)&found->log_arg3);
}

/* Usage: device CLOCK. CLOCK, tsc or ns, is the clock that LKST must use on this machine. */
int main(int argc, char **argv)
{
	bool ns = argc > 1 && !strcmp(argv[1], "ns");

	open_lkst();
	records = calloc(MAX_RECORDS, sizeof(*records));
	body = calloc(1, LKST_MASKSET_SIZE_MAX);
	bail_if(!records || !body, "calloc");

	test_device();
	test_permission();
	test_status(ns ? LKST_CLOCK_NS : LKST_CLOCK_TSC);
	test_start_stop();
	test_masksets();
	test_handlers();
	test_buffer_list();
	test_static_buffer();
	test_state_dump();
	test_entry_log();
	test_buffer_read();
	return done_testing();
}
