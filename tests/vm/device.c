// SPDX-License-Identifier: GPL-2.0
/*
 * The device interface: what each call gives back. ioctl_errors.c has the calls that fail, buffers.c
 * and stream.c what there is to say about more than one buffer and read().
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

#include "buffers.h"
#include "proc_etypes.h"

#define PROCESS_STATE 0x00e
#define LKST_INIT     0xf00

#define MAX_RECORDS 200000

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
	int id = cpu < 0 ? LKST_BUFFER_ID_VOID : written_buffer(cpu);
	struct lkst_log_buffer param = {
		.cpu = cpu,
		.id = id,
		.read_size = max * sizeof(*records),
		.buffer = user(records),
		/* what comes back must not be what was there */
		.recorded = 99,
		.overwritten = 99,
		.dropped = 99,
		.unfinished = 99,
	};

	need(lkst(LKST_IOC_BUFFER_READ, &param), "BUFFER_READ");
	return param;
}

static size_t count(const struct lkst_log_buffer *param)
{
	return param->result_read_size / sizeof(*records);
}

/* The major number that /proc/devices has for "lkst"; 0: none. */
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

	ok(!fstat(lkst_fd, &st) && S_ISCHR(st.st_mode) && (st.st_mode & 07777) == 0600 &&
		   st.st_uid == 0,
	   "a character device of mode 0600, root's");
	ok(proc_major() && major(st.st_rdev) == proc_major() && minor(st.st_rdev) == 0,
	   "with the major number of \"lkst\" in /proc/devices, and minor 0");
	again = open("/dev/lkst", O_RDONLY);
	ok(again >= 0, "can be opened twice");
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

/* By one who is not the superuser: the device was opened before. */
static void test_permission(void)
{
	int child_status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(100);
		ok(open("/dev/lkst", O_RDWR) == -1 && errno == EACCES,
		   "/dev/lkst cannot be opened by others");
		ok(polled() == POLLERR, "poll() without CAP_SYS_ADMIN is POLLERR");
		_exit(tap_failed);
	}
	waitpid(pid, &child_status, 0);
	tap_count += 2;
	tap_failed += WIFEXITED(child_status) ? WEXITSTATUS(child_status) : 100;
}

/* Each CPU gets another buffer then. Other machines than x86 have no counter to begin with. */
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
	struct lkst_trc_status param = {};
	uint64_t online[128] = {};
	lkst_buffer_id write_buf[4096], read_buf[4096];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	param.online_cpu = user(online);
	param.online_cpu_len = sizeof(online);
	param.write_buf = user(write_buf);
	param.read_buf = user(read_buf);
	param.cpu_num = 4096;
	ok(!lkst(LKST_IOC_TRC_STATUS, &param), "TRC_STATUS");
	ok(__builtin_popcountll(online[0]) == cpus, "online_cpu has %ld CPUs", cpus);
	ok(write_buf[0] == (clock_fell_back(param.clock) ? 1 : 0) &&
		   write_buf[cpus - 1] == write_buf[0],
	   "each CPU writes buffer %d", write_buf[0]);
	ok(read_buf[0] == LKST_BUFFER_ID_VOID, "nobody reads");
	ok(param.current_maskset_id == LKST_MASKSET_ID_RDEFAULT, "the default maskset is selected");
	ok(param.saved_maskset_id == LKST_MASKSET_ID_VOID, "none is saved");
	ok(param.state == LKST_TRC_RUNNING, "LKST runs");
	ok(param.maskset_num == 3 && param.evhandler_num == 7, "3 masksets, 7 event handlers");
	ok(param.static_buffer_recid >= 1 && param.static_buffer_size >= 4096,
	   "the static buffer has a record");
	ok(param.cpu_num >= (uint32_t)cpus && param.online_cpu_len >= 8 &&
		   param.online_cpu_len % 8 == 0,
	   "cpu_num and online_cpu_len tell what there can be");
	ok(param.clock == clock, "the clock is the expected one");
	ok(param.version == LKST_INTERFACE_VERSION, "version");
	ok(ioctl(lkst_fd, LKST_IOC_VERSION) == LKST_INTERFACE_VERSION,
	   "the same without a structure");
	ok(param.lost == 0, "no event found no buffer");
	/* Buffers of 16 MB: device.t says so. */
	ok(param.memory >= cpus * (16ULL << 20) && param.memory <= param.memory_max,
	   "buffers take memory, and not more than they may");
}

static void test_start_stop(void)
{
	struct lkst_log_buffer before, after;
	struct timespec second = { .tv_sec = 1 };

	ok(!set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET 1");
	ok(!lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
	ok(get_status().state == LKST_TRC_STOPPED &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RNOTHING &&
		   get_status().saved_maskset_id == LKST_MASKSET_ID_RALL,
	   "saves the maskset");
	before = read_buffer(0, MAX_RECORDS);
	nanosleep(&second, NULL);
	after = read_buffer(0, MAX_RECORDS);
	ok(before.recorded == after.recorded, "nothing is recorded while stopped");
	ok(!lkst_number(LKST_IOC_TRC_STOP, 0) &&
		   get_status().saved_maskset_id == LKST_MASKSET_ID_RALL,
	   "a second TRC_STOP keeps the saved maskset");
	ok(!lkst_number(LKST_IOC_TRC_START, 0) && get_status().state == LKST_TRC_RUNNING &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RALL,
	   "TRC_START restores it");
	ok(!lkst_number(LKST_IOC_TRC_START, 0) &&
		   get_status().current_maskset_id == LKST_MASKSET_ID_RALL,
	   "TRC_START while running does nothing");
	ok(!set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET 2");
}

static void test_masksets(void)
{
	struct lkst_maskset_listparam list = {
		.listent_size = sizeof(masksets),
		.listent = user(masksets),
	};
	struct lkst_maskset_param param;
	unsigned int i, len, logged = 0;
	struct lkst_maskset_body *written;
	bool ascending = true, right = true;

	ok(!lkst(LKST_IOC_MASKSET_LIST, &list) && list.current_id == 2, "MASKSET_LIST");
	ok(masksets[0].id == 0 && masksets[1].id == 1 && masksets[2].id == 2 &&
		   !strcmp(masksets[0].name, "nothing") && !strcmp(masksets[1].name, "all") &&
		   !strcmp(masksets[2].name, "default"),
	   "nothing, all, default");
	len = masksets[0].len;

	memset(masksets, 0x55, sizeof(masksets));
	list.listent_size = LKST_MASKSET_LISTENT_SIZE(1) + 5;
	ok(!lkst(LKST_IOC_MASKSET_LIST, &list) && masksets[0].id == 0 &&
		   masksets[1].id == 0x55555555,
	   "a short list area is filled as far as it goes");

	param = (struct lkst_maskset_param){
		.id = LKST_MASKSET_ID_VOID,
		.maskset_size = LKST_MASKSET_SIZE(len),
		.maskset = user(body),
	};
	ok(!lkst(LKST_IOC_MASKSET_READ, &param) && param.id == 2 &&
		   !strcmp(body->name, "default") && body->len == len,
	   "MASKSET_READ VOID reads the current one");
	for (i = 0; i < body->len; i++) {
		logged += body->entry[i].id == LKST_EVHANDLER_ID_ENTRY_LOG;
		ascending &= !i || body->entry[i].event_type > body->entry[i - 1].event_type;
	}
	ok(ascending && logged > 20, "its entries are in order, %u are recorded", logged);
	param.id = LKST_MASKSET_ID_RALL;
	lkst(LKST_IOC_MASKSET_READ, &param);
	read_proc_etypes();
	for (i = 0; i < body->len; i++)
		right &= body->entry[i].id == (proc_etypes[body->entry[i].event_type].present ?
						       LKST_EVHANDLER_ID_ENTRY_LOG :
						       LKST_EVHANDLER_ID_NONE);
	ok(right && body->len == len, "maskset all records every event type that there is");
	param.id = LKST_MASKSET_ID_RNOTHING;
	lkst(LKST_IOC_MASKSET_READ, &param);
	for (i = 0, logged = 0; i < body->len; i++)
		logged += body->entry[i].id != LKST_EVHANDLER_ID_NONE;
	ok(logged == 0, "maskset nothing records none");

	param = (struct lkst_maskset_param){ .id = 50,
					     .maskset_size = LKST_MASKSET_SIZE_MAX,
					     .maskset = user(body) };
	memset(body->name, 0, sizeof(body->name));
	strcpy(body->name, "mine");
	for (i = 0; i < body->len; i++)
		body->entry[i].id = body->entry[i].event_type == USER_MARK ?
					    LKST_EVHANDLER_ID_STATIC_LOG :
					    LKST_EVHANDLER_ID_NONE;
	ok(!lkst(LKST_IOC_MASKSET_WRITE, &param) && get_status().maskset_num == 4,
	   "MASKSET_WRITE registers a maskset");
	written = memcpy(calloc(1, LKST_MASKSET_SIZE_MAX), body, LKST_MASKSET_SIZE_MAX);
	memset(body, 0x55, LKST_MASKSET_SIZE_MAX);
	ok(!lkst(LKST_IOC_MASKSET_READ, &param) && !memcmp(body, written, LKST_MASKSET_SIZE(len)),
	   "it is read as it was written");
	ok(((unsigned char *)body)[LKST_MASKSET_SIZE(len)] == 0x55,
	   "into no more of the area than it takes");
	ok(!lkst_number(LKST_IOC_MASKSET_DELETE, 50) && get_status().maskset_num == 3,
	   "MASKSET_DELETE");
}

static void test_handlers(void)
{
	static const struct lkst_evhandler_listent own[] = {
		{ LKST_EVHANDLER_ID_NONE, "none" },
		{ LKST_EVHANDLER_ID_ENTRY_LOG, "entry_log" },
		{ LKST_EVHANDLER_ID_BUFFER_SHIFT, "buffer_shift" },
		{ LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, "buffer_shift_dw" },
		{ LKST_EVHANDLER_ID_STATIC_LOG, "static_log" },
		{ LKST_EVHANDLER_ID_STOP_AFTER, "stop_after" },
		{ LKST_EVHANDLER_ID_BUFFER_JUMP, "buffer_jump" },
	};
	struct lkst_evhandler_listparam list = {
		.listent_size = sizeof(handlers),
		.listent = user(handlers),
	};
	unsigned int i;

	ok(!lkst(LKST_IOC_EVHANDLER_LIST, &list), "EVHANDLER_LIST");
	for (i = 0; i < sizeof(own) / sizeof(*own); i++)
		ok(handlers[i].id == own[i].id && !strcmp(handlers[i].name, own[i].name),
		   "event handler %d is %s", own[i].id, own[i].name);
	memset(handlers, 0x55, sizeof(handlers));
	list.listent_size = LKST_EVHANDLER_LISTENT_SIZE(2);
	ok(!lkst(LKST_IOC_EVHANDLER_LIST, &list) && handlers[1].id == 1 &&
		   handlers[2].id == 0x55555555,
	   "a short list area is filled as far as it goes");
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int64_t record_ns(const struct lkst_log_record *record)
{
	return record->posix.log_time.tv_sec * 1000000000LL + record->posix.log_time.tv_nsec;
}

/* An event that this process causes, and what its record says. */
static void test_entry_log(void)
{
	struct lkst_entry_args args = {
		.event_type = USER_MARK,
		.log_arg1 = 0x1111222233334444,
		.log_arg2 = ~0ULL,
		.log_arg3 = 0,
		.log_arg4 = 0xfedcba9876543210,
	};
	const struct lkst_log_record *mine = NULL;
	struct lkst_log_buffer param;
	int64_t before, after;
	size_t i;

	pin(1);
	if (setregid(-1, 77) || setreuid(-1, 0))
		bail_out("setregid");
	before = now_ns();
	ok(!lkst(LKST_IOC_ENTRY_LOG, &args), "ENTRY_LOG");
	after = now_ns();
	param = read_buffer(1, MAX_RECORDS);
	for (i = 0; i < count(&param); i++)
		if (records[i].posix.log_event_type == USER_MARK &&
		    records[i].log_arg1 == args.log_arg1)
			mine = &records[i];
	if (!ok(mine, "is in the buffer of its CPU"))
		return;
	ok(mine->log_arg2 == args.log_arg2 && mine->log_arg3 == 0 &&
		   mine->log_arg4 == args.log_arg4,
	   "with its arguments");
	ok(mine->posix.log_magic == 0xfeefface && mine->posix.log_size == 32 &&
		   mine->posix.log_format == 1 && mine->posix.log_facility == 0 &&
		   mine->posix.log_severity == 7,
	   "and the fixed values of table 4-2");
	ok(mine->posix.log_pid == getpid() && (pid_t)mine->posix.log_thread == gettid() &&
		   mine->posix.log_pgrp == getpgrp(),
	   "process, thread, process group");
	ok(mine->posix.log_uid == geteuid() && mine->posix.log_gid == 77,
	   "effective user and group");
	ok(mine->posix.log_processor == 1, "processor");
	ok(!(mine->posix.log_flags & (LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				      LKST_LOG_NMI | LKST_LOG_PREEMPT_OFF)),
	   "flags of a process that can be preempted");
	if (!ok(record_ns(mine) >= before - 1000 && record_ns(mine) <= after + 1000,
		"time to a microsecond"))
		diag("%lld is not in %lld to %lld", (long long)record_ns(mine), (long long)before,
		     (long long)after);

	args.event_type = USER_MARK;
	args.log_arg1 = 0xdead;
	set_maskset(LKST_MASKSET_ID_RNOTHING);
	ok(!lkst(LKST_IOC_ENTRY_LOG, &args), "ENTRY_LOG of a masked event is 0");
	set_maskset(LKST_MASKSET_ID_RDEFAULT);
	param = read_buffer(1, MAX_RECORDS);
	for (i = 0, mine = NULL; i < count(&param); i++)
		if (records[i].posix.log_event_type == USER_MARK && records[i].log_arg1 == 0xdead)
			mine = &records[i];
	ok(!mine, "and is not recorded");
}

static void test_buffer_read(void)
{
	struct lkst_log_buffer param, small;
	struct lkst_log_record first;
	struct utsname uts;
	bool ascending = true, processor = true;
	size_t i;

	uname(&uts);
	lkst_number(LKST_IOC_TRC_STOP, 0);
	param = read_buffer(0, MAX_RECORDS);
	for (i = 0; i < count(&param); i++) {
		ascending &= !i || records[i].posix.log_recid == records[i - 1].posix.log_recid + 1;
		processor &= records[i].posix.log_processor == 0;
	}
	ok(count(&param) > 100 && ascending, "BUFFER_READ gives %zu records in recid order",
	   count(&param));
	ok(processor, "all of that CPU");
	ok(param.recorded == count(&param) + param.overwritten + param.dropped &&
		   param.unfinished == 0 && param.pad == 0,
	   "recorded = read + overwritten + dropped");
	ok(records[0].posix.log_recid == param.first_recid + param.overwritten, "from the oldest");
	ok(param.cpu_freq > 0 && param.tsc > 0 && param.xtime.tv_sec > 1000000000 &&
		   param.xtime.tv_usec < 1000000,
	   "base time pair and frequency");
	ok(param.endian_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) &&
		   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, uts.machine),
	   "byte order, buffer version, architecture %s", param.arch);
	first = records[0];
	small = read_buffer(0, 7);
	ok(count(&small) == 7 && records[0].posix.log_recid == first.posix.log_recid &&
		   records[6].posix.log_recid == first.posix.log_recid + 6,
	   "room for 7 gives the oldest 7, and the same again");
	small.read_size = 7 * sizeof(*records) + 50;
	ok(!lkst(LKST_IOC_BUFFER_READ, &small) && count(&small) == 7, "whole records only");
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
	   "and counts its records");
	ok(records[0].log_arg2 == (uint64_t)sysconf(_SC_NPROCESSORS_CONF), "with the CPUs");
}

static void test_buffer_list(void)
{
	static struct lkst_buffer_listent listed[IDS];
	struct lkst_buffer_listparam list = {
		.cpu = 0,
		.listent_num = IDS,
		.listent = user(listed),
	};
	int id = written_buffer(0), num = id + 1;
	struct lkst_buffer_listent *mine = &listed[id];
	struct lkst_log_buffer param;

	lkst_number(LKST_IOC_TRC_STOP, 0);
	ok(!lkst(LKST_IOC_BUFFER_LIST, &list) && list.buffer_num == num && listed[0].id == 0 &&
		   mine->id == id,
	   "BUFFER_LIST");
	param = read_buffer(0, MAX_RECORDS);
	ok(next_recid(mine) == param.first_recid + param.recorded &&
		   mine->write_offset < mine->size / LKST_SIZEOF_LKST_EVENT_RECORD,
	   "baseid + write_offset is the next recid");
	ok(mine->first_recid == param.first_recid && mine->overwritten == param.overwritten &&
		   mine->dropped == param.dropped,
	   "and the counts are BUFFER_READ's");
	ok(list.write_buf == id && list.read_buf == LKST_BUFFER_ID_VOID &&
		   list.rq_head == LKST_BUFFER_ID_VOID && list.rq_tail == LKST_BUFFER_ID_VOID &&
		   list.owner == LKST_BUFFER_OWNER_NONE,
	   "written, not read, owned by nobody");
	ok(mine->next == LKST_BUFFER_ID_VOID && mine->size % 4096 == 0,
	   "a terminal buffer of a multiple of 4 KB");
	lkst_number(LKST_IOC_TRC_START, 0);

	list.listent_num = 0;
	mine->id = 0x55;
	ok(!lkst(LKST_IOC_BUFFER_LIST, &list) && list.buffer_num == num && mine->id == 0x55,
	   "an area for none tells how many there are");
}

static pid_t idle_tid;

static void *idle_thread(void *unused __attribute__((unused)))
{
	prctl(PR_SET_NAME, "lkst-idle-one");
	__atomic_store_n(&idle_tid, gettid(), __ATOMIC_RELEASE);
	pause();
	return NULL;
}

/* A thread that does nothing is in the dump, with its name. */
static void test_state_dump(void)
{
	const struct lkst_log_record *found = NULL;
	struct lkst_log_buffer param;
	pthread_t thread;
	size_t i;

	pin(0);
	pthread_create(&thread, NULL, idle_thread, NULL);
	while (!__atomic_load_n(&idle_tid, __ATOMIC_ACQUIRE))
		sleep_ms(1);
	sleep_ms(50);
	ok(!lkst_number(LKST_IOC_TRC_STATEDUMP, 0), "TRC_STATEDUMP");
	param = read_buffer(0, MAX_RECORDS);
	for (i = 0; i < count(&param); i++)
		if (records[i].posix.log_event_type == PROCESS_STATE &&
		    records[i].log_arg1 >> 32 == (uint64_t)idle_tid)
			found = &records[i];
	if (!ok(found, "has every thread"))
		return;
	ok((uint32_t)found->log_arg1 == (uint32_t)getpid() &&
		   found->log_arg2 >> 32 == (uint64_t)getppid() && (found->log_arg2 & 0xff) == 'S',
	   "its process, its parent, its state");
	if (!ok(!memcmp(&found->log_arg3, "lkst-idle-one\0\0\0", 16), "its name"))
		diag("process %u, parent %u, state %#llx, name %.16s", (uint32_t)found->log_arg1,
		     (uint32_t)(found->log_arg2 >> 32), (ull)(found->log_arg2 & 0xffffffff),
		     (const char *)&found->log_arg3);
}

static void set_flags(int flags)
{
	if (fcntl(lkst_fd, F_SETFL, flags))
		bail_out("F_SETFL");
}

/* Where the clock has changed, the buffer from before is there to be read. */
static void empty_queue(void)
{
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD");
	set_flags(O_RDWR | O_NONBLOCK);
	while (read(lkst_fd, records, MAX_RECORDS * sizeof(*records)) > 0)
		;
	close(lkst_fd);
	open_lkst();
}

/* Another buffer of CPU 0, whose recids go on from those of the one before. */
static void test_second_buffer(int first, int second)
{
	struct lkst_buffer_param param = { .id = VOID, .next = first, .size = 65536 + 100 };
	uint64_t recid;

	ok(!lkst(LKST_IOC_BUFFER_CREATE, &param) && param.id == second &&
		   param.result_size == 65536,
	   "BUFFER_CREATE gives the lowest id and a multiple of 4 KB");
	ok(!link_buffer(0, first, second) && buffer_of(0, first).next == second, "BUFFER_LINK");
	recid = cpu_recid(0);
	ok(!shift(0) && written_buffer(0) == second, "BUFFER_SHIFT");
	ok(buffer_of(0, second).first_recid >= recid && cpu_recid(0) > recid,
	   "the CPU's recids go on there");
	ok(buffer_of(0, first).state == LKST_BUFFER_QUEUED, "the first one is in the queue");
	need(jump(0, first), "BUFFER_JUMP");
	ok(written_buffer(0) == first && buffer_of(0, second).state == LKST_BUFFER_QUEUED,
	   "BUFFER_JUMP takes it out again, and queues the second one");
}

/* One buffer is in the queue. */
static void test_read(int second)
{
	struct lkst_buffer_srmodparam param = { .mode = LKST_READ_MODE_STD };
	struct lkst_buffer_listent ent = buffer_of(0, second);
	struct buffers listed;
	struct utsname uts;
	ssize_t size;

	uname(&uts);
	ok(polled() == POLLERR, "poll() of one who is not bound is POLLERR");
	ok(!lkst(LKST_IOC_BUFFER_SETRMOD, &param), "SETRMOD");
	ok(param.cpu_freq > 0 && param.tsc > 0 && param.xtime.tv_sec > 1000000000 &&
		   param.xtime.tv_usec < 1000000 && param.clock == get_status().clock,
	   "gives base time pair, frequency and clock");
	ok(param.endian_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) &&
		   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, uts.machine) &&
		   param.pad == 0,
	   "byte order, buffer version, architecture");
	list_buffers(&listed, 0);
	ok(listed.param.owner == getpid() && listed.param.rq_head == second &&
		   listed.param.rq_tail == second,
	   "this process reads, and there is one buffer to read");
	ok(polled() == (POLLIN | POLLRDNORM), "poll() says so");
	size = read(lkst_fd, records, 3 * sizeof(*records) - 1);
	ok(size == 2 * sizeof(*records) && records[0].posix.log_recid == ent.first_recid &&
		   records[1].posix.log_recid == ent.first_recid + 1,
	   "read() gives whole records");
	list_buffers(&listed, 0);
	ok(listed.param.read_buf == second && listed.param.read_pos == ent.first_recid + 2,
	   "and goes on behind them");
	size = read(lkst_fd, records, MAX_RECORDS * sizeof(*records));
	ok(size > 0 && records[0].posix.log_recid == ent.first_recid + 2, "read() of the rest");
	set_flags(O_RDWR | O_NONBLOCK);
	ok(polled() == 0, "poll() of an empty queue says nothing");
	ok(read(lkst_fd, records, sizeof(*records)) == -1 && errno == EAGAIN,
	   "read() of an empty queue, with O_NONBLOCK, is EAGAIN");
	set_flags(O_RDWR);
	close(lkst_fd);
	open_lkst();
	list_buffers(&listed, 0);
	ok(listed.param.owner == LKST_BUFFER_OWNER_NONE, "who closes the device reads no more");
}

static void test_buffers(void)
{
	int first = written_buffer(0), second = first + 1;

	test_second_buffer(first, second);
	test_read(second);
	need(link_buffer(0, first, VOID), "BUFFER_LINK");
	ok(!delete_buffer(0, second) && !buffer_exists(0, second), "BUFFER_DELETE");
}

/* usage: device tsc|ns: the clock that this machine should have */
int main(int argc, char **argv)
{
	unsigned int clock = LKST_CLOCK_TSC;

	if (argc > 1 && !strcmp(argv[1], "ns"))
		clock = LKST_CLOCK_NS;
	open_lkst();
	records = calloc(MAX_RECORDS, sizeof(*records));
	body = calloc(1, LKST_MASKSET_SIZE_MAX);
	if (!records || !body)
		bail_out("calloc");
	empty_queue();

	test_device();
	test_permission();
	test_status(clock);
	test_start_stop();
	test_masksets();
	test_handlers();
	test_buffer_list();
	test_buffers();
	test_static_buffer();
	test_state_dump();
	test_entry_log();
	test_buffer_read();
	return done_testing();
}
