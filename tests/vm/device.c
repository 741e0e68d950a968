// SPDX-License-Identifier: GPL-2.0
/*
 * The device interface, call by call: each row of the specification's tables of return
 * values for the calls there are, what a call gives back, and that one that fails
 * leaves everything as it was.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "tap.h"

#define USER_MARK	0x0e0
#define PROCESS_STATE	0x00e
#define LKST_INIT	0xf00
#define SYNC_TIME	0xf03

#define MAX_RECORDS	200000

static int fd;
static struct lkst_log_record *records;
static struct lkst_maskset_body body;
static struct lkst_maskset_listent masksets[300];
static struct lkst_evhandler_listent handlers[64];
static struct lkst_buffer_listent buffers[300];

/* A page that cannot be touched, and one that can only be read. */
static void *no_page, *ro_page;

static uint64_t user(const void *p)
{
	return (uintptr_t)p;
}

static struct lkst_trc_status status(void)
{
	struct lkst_trc_status status = {};

	if (ioctl(fd, LKST_IOC_TRC_STATUS, &status))
		bail_out("TRC_STATUS");
	return status;
}

/* What a failing call must not change. */
static bool same_state(const struct lkst_trc_status *a, const struct lkst_trc_status *b)
{
	return a->current_maskset_id == b->current_maskset_id &&
	       a->saved_maskset_id == b->saved_maskset_id && a->state == b->state &&
	       a->maskset_num == b->maskset_num && a->evhandler_num == b->evhandler_num &&
	       a->static_buffer_recid == b->static_buffer_recid;
}

/* The buffer that @cpu records to: 0, or 1 once the clock fell back. */
static int written(int cpu)
{
	lkst_buffer_id write_buf[4096];
	struct lkst_trc_status status = { .write_buf = user(write_buf), .cpu_num = 4096 };

	if (ioctl(fd, LKST_IOC_TRC_STATUS, &status))
		bail_out("TRC_STATUS");
	return write_buf[cpu];
}

static void fails(const char *name, int want, unsigned long request, void *arg)
{
	struct lkst_trc_status before = status(), after;
	int ret, got;

	errno = 0;
	ret = ioctl(fd, request, arg);
	got = ret ? errno : 0;
	after = status();
	if (!ok(got == want && same_state(&before, &after), "%s", name))
		diag("errno %d (%s), wanted %d; state %s", got, strerror(got), want,
		     same_state(&before, &after) ? "as before" : "changed");
}

static struct lkst_log_buffer read_buffer(int cpu, size_t max)
{
	int id = cpu < 0 ? LKST_BUFFER_ID_VOID : written(cpu);
	struct lkst_log_buffer param = {
		.cpu = cpu, .id = id, .read_size = max * sizeof(*records),
		.buffer = user(records),
		/* what comes back must not be what was there */
		.recorded = 99, .overwritten = 99, .dropped = 99, .unfinished = 99, .pad = 99,
	};

	if (ioctl(fd, LKST_IOC_BUFFER_READ, &param))
		bail_out("BUFFER_READ");
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
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	struct stat st;
	int again;
	char byte = 0;

	ok(!fstat(fd, &st) && S_ISCHR(st.st_mode) && (st.st_mode & 07777) == 0600 &&
	   st.st_uid == 0, "a character device of mode 0600, root's");
	ok(proc_major() && major(st.st_rdev) == proc_major() && minor(st.st_rdev) == 0,
	   "with the major number of \"lkst\" in /proc/devices, and minor 0");
	again = open("/dev/lkst", O_RDONLY);
	ok(again >= 0, "can be opened twice");
	close(again);

	errno = 0;
	ok(read(fd, &byte, 1) == -1 && errno == EBUSY, "read() without SETRMOD is EBUSY");
	ok(write(fd, &byte, 1) == -1 && errno == EINVAL, "write() is EINVAL");
	ok(lseek(fd, 0, SEEK_SET) == -1 && errno == ESPIPE, "lseek() is ESPIPE");
	ok(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV,
	   "mmap() is ENODEV");
	ok(poll(&poll_fd, 1, 0) == 1 && poll_fd.revents == POLLERR,
	   "poll() without SETRMOD is POLLERR");
	fails("unknown ioctl is ENOTTY", ENOTTY, _IO(LKST_IOC_MAGIC, 0x7f), NULL);
	fails("the retired BUFFER_RING is ENOTTY", ENOTTY, _IO(LKST_IOC_MAGIC, 0x27), NULL);
	fails("another driver's ioctl is ENOTTY", ENOTTY, 0x5401 /* TCGETS */, &byte);
}

/* Every call, by one who is not the superuser: the device was opened before. */
static void test_permission(void)
{
	static const struct {
		const char *name;
		unsigned long request;
	} calls[] = {
		{ "TRC_STATUS", LKST_IOC_TRC_STATUS },
		{ "TRC_START", LKST_IOC_TRC_START },
		{ "TRC_STOP", LKST_IOC_TRC_STOP },
		{ "TRC_STATEDUMP", LKST_IOC_TRC_STATEDUMP },
		{ "MASKSET_READ", LKST_IOC_MASKSET_READ },
		{ "MASKSET_SET", LKST_IOC_MASKSET_SET },
		{ "MASKSET_LIST", LKST_IOC_MASKSET_LIST },
		{ "EVHANDLER_LIST", LKST_IOC_EVHANDLER_LIST },
		{ "BUFFER_READ", LKST_IOC_BUFFER_READ },
		{ "BUFFER_LIST", LKST_IOC_BUFFER_LIST },
		{ "ENTRY_LOG", LKST_IOC_ENTRY_LOG },
		{ "an unknown ioctl", _IO(LKST_IOC_MAGIC, 0x7f) },
	};
	struct lkst_trc_status before = status(), after;
	unsigned int i, failed = 0;
	int child_status;
	char byte;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(100);
		for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
			errno = 0;
			if (!ok(ioctl(fd, calls[i].request, (void *)0) == -1 && errno == EPERM,
				"%s without CAP_SYS_ADMIN is EPERM", calls[i].name))
				diag("errno %d", errno);
		}
		errno = 0;
		ok(read(fd, &byte, 1) == -1 && errno == EPERM,
		   "read() without CAP_SYS_ADMIN is EPERM");
		ok(open("/dev/lkst", O_RDWR) == -1 && errno == EACCES,
		   "/dev/lkst cannot be opened by others");
		_exit(tap_failed);
	}
	waitpid(pid, &child_status, 0);
	tap_count += sizeof(calls) / sizeof(*calls) + 2;
	failed = WIFEXITED(child_status) ? WEXITSTATUS(child_status) : 100;
	tap_failed += failed;
	after = status();
	ok(same_state(&before, &after), "and changes nothing");
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
	ok(!ioctl(fd, LKST_IOC_TRC_STATUS, &param), "TRC_STATUS");
	ok(__builtin_popcountll(online[0]) == cpus, "online_cpu has %ld CPUs", cpus);
	ok(write_buf[0] == (param.clock == LKST_CLOCK_TSC ? 0 : 1) && write_buf[cpus - 1] == write_buf[0],
	   "each CPU writes buffer %d", write_buf[0]);
	ok(read_buf[0] == LKST_BUFFER_ID_VOID, "nobody reads");
	ok(param.current_maskset_id == LKST_MASKSET_ID_RDEFAULT, "the default maskset is selected");
	ok(param.saved_maskset_id == LKST_MASKSET_ID_VOID, "none is saved");
	ok(param.state == LKST_TRC_RUNNING, "LKST runs");
	ok(param.maskset_num == 3 && param.evhandler_num == 3, "3 masksets, 3 event handlers");
	ok(param.static_buffer_recid >= 1 && param.static_buffer_size >= 4096,
	   "the static buffer has a record");
	ok(param.cpu_num >= cpus && param.online_cpu_len >= 8 && param.online_cpu_len % 8 == 0,
	   "cpu_num and online_cpu_len tell what there can be");
	ok(param.clock == clock, "the clock is the expected one");
	ok(param.version == LKST_INTERFACE_VERSION, "version");
	ok(param.lost == 0, "no event found no buffer");

	fails("TRC_STATUS: NULL is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, NULL);
	fails("TRC_STATUS: a bad address is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, no_page);
	fails("TRC_STATUS: a read-only structure is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, ro_page);
	param = (struct lkst_trc_status) { .online_cpu = user(no_page), .online_cpu_len = 8 };
	fails("TRC_STATUS: a bad online_cpu is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, &param);
	param = (struct lkst_trc_status) { .online_cpu = user(online), .online_cpu_len = 7 };
	fails("TRC_STATUS: an odd online_cpu_len is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, &param);
	param = (struct lkst_trc_status) { .write_buf = user(no_page), .cpu_num = 1 };
	fails("TRC_STATUS: a bad write_buf is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, &param);
	param = (struct lkst_trc_status) { .read_buf = user(no_page), .cpu_num = 1 };
	fails("TRC_STATUS: a bad read_buf is EINVAL", EINVAL, LKST_IOC_TRC_STATUS, &param);
}

static void test_start_stop(void)
{
	struct lkst_log_buffer before, after;
	struct timespec second = { .tv_sec = 1 };

	ok(!ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RALL), "MASKSET_SET 1");
	ok(!ioctl(fd, LKST_IOC_TRC_STOP), "TRC_STOP");
	ok(status().state == LKST_TRC_STOPPED &&
	   status().current_maskset_id == LKST_MASKSET_ID_RNOTHING &&
	   status().saved_maskset_id == LKST_MASKSET_ID_RALL, "saves the maskset");
	before = read_buffer(0, MAX_RECORDS);
	nanosleep(&second, NULL);
	after = read_buffer(0, MAX_RECORDS);
	ok(before.recorded == after.recorded, "nothing is recorded while stopped");
	fails("MASKSET_SET while stopped is EBUSY", EBUSY, LKST_IOC_MASKSET_SET, (void *)2);
	ok(!ioctl(fd, LKST_IOC_TRC_STOP) && status().saved_maskset_id == LKST_MASKSET_ID_RALL,
	   "a second TRC_STOP keeps the saved maskset");
	ok(!ioctl(fd, LKST_IOC_TRC_START) && status().state == LKST_TRC_RUNNING &&
	   status().current_maskset_id == LKST_MASKSET_ID_RALL, "TRC_START restores it");
	ok(!ioctl(fd, LKST_IOC_TRC_START) && status().current_maskset_id == LKST_MASKSET_ID_RALL,
	   "TRC_START while running does nothing");
	ok(!ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET 2");
}

static void test_masksets(void)
{
	struct lkst_maskset_listparam list = {
		.listent_size = sizeof(masksets), .listent = user(masksets),
	};
	struct lkst_maskset_param param;
	unsigned int i, len, logged = 0;
	bool ascending = true;

	ok(!ioctl(fd, LKST_IOC_MASKSET_LIST, &list) && list.current_id == 2, "MASKSET_LIST");
	ok(masksets[0].id == 0 && masksets[1].id == 1 && masksets[2].id == 2 &&
	   !strcmp(masksets[0].name, "nothing") && !strcmp(masksets[1].name, "all") &&
	   !strcmp(masksets[2].name, "default"), "nothing, all, default");
	len = masksets[0].len;

	memset(masksets, 0x55, sizeof(masksets));
	list.listent_size = LKST_MASKSET_LISTENT_SIZE(1) + 5;
	ok(!ioctl(fd, LKST_IOC_MASKSET_LIST, &list) && masksets[0].id == 0 &&
	   masksets[1].id == 0x55555555, "a short list area is filled as far as it goes");
	list = (struct lkst_maskset_listparam) { .listent_size = 100 };
	fails("MASKSET_LIST: NULL is EINVAL", EINVAL, LKST_IOC_MASKSET_LIST, &list);
	list = (struct lkst_maskset_listparam) { .listent_size = -1, .listent = user(masksets) };
	fails("MASKSET_LIST: a negative size is EINVAL", EINVAL, LKST_IOC_MASKSET_LIST, &list);
	list = (struct lkst_maskset_listparam) { .listent_size = 100, .listent = user(no_page) };
	fails("MASKSET_LIST: a bad area is EINVAL", EINVAL, LKST_IOC_MASKSET_LIST, &list);
	fails("MASKSET_LIST: a bad address is EINVAL", EINVAL, LKST_IOC_MASKSET_LIST, no_page);

	param = (struct lkst_maskset_param) {
		.id = LKST_MASKSET_ID_VOID, .maskset_size = LKST_MASKSET_SIZE(len),
		.maskset = user(&body),
	};
	ok(!ioctl(fd, LKST_IOC_MASKSET_READ, &param) && param.id == 2 &&
	   !strcmp(body.name, "default") && body.len == len, "MASKSET_READ VOID reads the current one");
	for (i = 0; i < body.len; i++) {
		logged += body.entry[i].id == LKST_EVHANDLER_ID_ENTRY_LOG;
		ascending &= !i || body.entry[i].event_type > body.entry[i - 1].event_type;
	}
	ok(ascending && logged > 20, "its entries are in order, %u are recorded", logged);
	param.id = LKST_MASKSET_ID_RALL;
	ioctl(fd, LKST_IOC_MASKSET_READ, &param);
	for (i = 0, logged = 0; i < body.len; i++)
		logged += body.entry[i].id == LKST_EVHANDLER_ID_ENTRY_LOG;
	ok(logged == len, "maskset all records every event type");
	param.id = LKST_MASKSET_ID_RNOTHING;
	ioctl(fd, LKST_IOC_MASKSET_READ, &param);
	for (i = 0, logged = 0; i < body.len; i++)
		logged += body.entry[i].id != LKST_EVHANDLER_ID_NONE;
	ok(logged == 0, "maskset nothing records none");

	param.maskset_size = LKST_MASKSET_SIZE(len) - 1;
	fails("MASKSET_READ: an area too small is EINVAL", EINVAL, LKST_IOC_MASKSET_READ, &param);
	param.maskset_size = LKST_MASKSET_SIZE(len);
	param.id = 3;
	fails("MASKSET_READ: an id that does not exist is EINVAL", EINVAL, LKST_IOC_MASKSET_READ,
	      &param);
	param.id = -1;
	fails("MASKSET_READ: a negative id is EINVAL", EINVAL, LKST_IOC_MASKSET_READ, &param);
	param.id = 256;
	fails("MASKSET_READ: an id out of range is EINVAL", EINVAL, LKST_IOC_MASKSET_READ, &param);
	param.id = 2;
	param.maskset = 0;
	fails("MASKSET_READ: NULL is EINVAL", EINVAL, LKST_IOC_MASKSET_READ, &param);
	param.maskset = user(no_page);
	fails("MASKSET_READ: a bad area is EINVAL", EINVAL, LKST_IOC_MASKSET_READ, &param);

	fails("MASKSET_SET: an id that does not exist is EINVAL", EINVAL, LKST_IOC_MASKSET_SET,
	      (void *)3);
	fails("MASKSET_SET: VOID is EINVAL", EINVAL, LKST_IOC_MASKSET_SET,
	      (void *)LKST_MASKSET_ID_VOID);
	fails("MASKSET_SET: an id out of range is EINVAL", EINVAL, LKST_IOC_MASKSET_SET,
	      (void *)0x100000002UL);
	fails("MASKSET_SET: a negative id is EINVAL", EINVAL, LKST_IOC_MASKSET_SET, (void *)-1L);
}

static void test_handlers(void)
{
	struct lkst_evhandler_listparam list = {
		.listent_size = sizeof(handlers), .listent = user(handlers),
	};

	ok(!ioctl(fd, LKST_IOC_EVHANDLER_LIST, &list) && handlers[0].id == 0 &&
	   !strcmp(handlers[0].name, "none") && handlers[1].id == LKST_EVHANDLER_ID_ENTRY_LOG &&
	   !strcmp(handlers[1].name, "entry_log") &&
	   handlers[2].id == LKST_EVHANDLER_ID_STATIC_LOG, "EVHANDLER_LIST in ascending order");
	memset(handlers, 0x55, sizeof(handlers));
	list.listent_size = LKST_EVHANDLER_LISTENT_SIZE(2);
	ok(!ioctl(fd, LKST_IOC_EVHANDLER_LIST, &list) && handlers[1].id == 1 &&
	   handlers[2].id == 0x55555555, "a short list area is filled as far as it goes");
	list = (struct lkst_evhandler_listparam) { .listent_size = 100 };
	fails("EVHANDLER_LIST: NULL is EINVAL", EINVAL, LKST_IOC_EVHANDLER_LIST, &list);
	list = (struct lkst_evhandler_listparam) { .listent_size = -1, .listent = user(handlers) };
	fails("EVHANDLER_LIST: a negative size is EINVAL", EINVAL, LKST_IOC_EVHANDLER_LIST, &list);
	list = (struct lkst_evhandler_listparam) { .listent_size = 100, .listent = user(no_page) };
	fails("EVHANDLER_LIST: a bad area is EINVAL", EINVAL, LKST_IOC_EVHANDLER_LIST, &list);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bail_out("sched_setaffinity");
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
		.event_type = USER_MARK, .log_arg1 = 0x1111222233334444, .log_arg2 = ~0ULL,
		.log_arg3 = 0, .log_arg4 = 0xfedcba9876543210,
	};
	const struct lkst_log_record *mine = NULL;
	struct lkst_log_buffer param;
	int64_t before, after;
	size_t i;

	pin(1);
	if (setregid(-1, 77) || setreuid(-1, 0))
		bail_out("setregid");
	before = now_ns();
	ok(!ioctl(fd, LKST_IOC_ENTRY_LOG, &args), "ENTRY_LOG");
	after = now_ns();
	param = read_buffer(1, MAX_RECORDS);
	for (i = 0; i < count(&param); i++)
		if (records[i].posix.log_event_type == USER_MARK &&
		    records[i].log_arg1 == args.log_arg1)
			mine = &records[i];
	if (!ok(mine, "is in the buffer of its CPU"))
		return;
	ok(mine->log_arg2 == args.log_arg2 && mine->log_arg3 == 0 &&
	   mine->log_arg4 == args.log_arg4, "with its arguments");
	ok(mine->posix.log_magic == 0xfeefface && mine->posix.log_size == 32 &&
	   mine->posix.log_format == 1 && mine->posix.log_facility == 0 &&
	   mine->posix.log_severity == 7, "and the fixed values of table 4-2");
	ok(mine->posix.log_pid == getpid() && (pid_t)mine->posix.log_thread == gettid() &&
	   mine->posix.log_pgrp == getpgrp(), "process, thread, process group");
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

	args.event_type = -1;
	fails("ENTRY_LOG: a negative type is EINVAL", EINVAL, LKST_IOC_ENTRY_LOG, &args);
	args.event_type = 0x1000;
	fails("ENTRY_LOG: a type out of range is EINVAL", EINVAL, LKST_IOC_ENTRY_LOG, &args);
	args.event_type = 0x1ff;
	fails("ENTRY_LOG: an unregistered type is EINVAL", EINVAL, LKST_IOC_ENTRY_LOG, &args);
	args.event_type = LKST_INIT;
	fails("ENTRY_LOG: a type of LKST itself is EINVAL", EINVAL, LKST_IOC_ENTRY_LOG, &args);
	fails("ENTRY_LOG: a bad address is EINVAL", EINVAL, LKST_IOC_ENTRY_LOG, no_page);

	args.event_type = USER_MARK;
	args.log_arg1 = 0xdead;
	ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RNOTHING);
	ok(!ioctl(fd, LKST_IOC_ENTRY_LOG, &args), "ENTRY_LOG of a masked event is 0");
	ioctl(fd, LKST_IOC_MASKSET_SET, LKST_MASKSET_ID_RDEFAULT);
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
	ioctl(fd, LKST_IOC_TRC_STOP);
	param = read_buffer(0, MAX_RECORDS);
	for (i = 0; i < count(&param); i++) {
		ascending &= !i || records[i].posix.log_recid == records[i - 1].posix.log_recid + 1;
		processor &= records[i].posix.log_processor == 0;
	}
	ok(count(&param) > 100 && ascending, "BUFFER_READ gives %zu records in recid order",
	   count(&param));
	ok(processor, "all of that CPU");
	ok(param.recorded == count(&param) + param.overwritten + param.dropped &&
	   param.unfinished == 0 && param.pad == 0, "recorded = read + overwritten + dropped");
	ok(records[0].posix.log_recid == param.overwritten, "from the oldest");
	ok(param.cpu_freq > 0 && param.tsc > 0 && param.xtime.tv_sec > 1000000000 &&
	   param.xtime.tv_usec < 1000000, "base time pair and frequency");
	ok(param.endian_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) &&
	   param.buf_ver == LKST_BUFFER_VERSION && !strcmp(param.arch, uts.machine),
	   "byte order, buffer version, architecture %s", param.arch);
	first = records[0];
	small = read_buffer(0, 7);
	ok(count(&small) == 7 && records[0].posix.log_recid == first.posix.log_recid &&
	   records[6].posix.log_recid == first.posix.log_recid + 6,
	   "room for 7 gives the oldest 7, and the same again");
	small.read_size = 7 * sizeof(*records) + 50;
	ok(!ioctl(fd, LKST_IOC_BUFFER_READ, &small) && count(&small) == 7, "whole records only");
	ioctl(fd, LKST_IOC_TRC_START);

	small.read_size = sizeof(*records) - 1;
	fails("BUFFER_READ: no room for a record is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.read_size = sizeof(*records);
	small.buffer = 0;
	fails("BUFFER_READ: NULL is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.buffer = user(no_page);
	fails("BUFFER_READ: a bad area is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.buffer = user(records);
	small.id = written(0) + 1;
	fails("BUFFER_READ: a buffer that does not exist is EINVAL", EINVAL, LKST_IOC_BUFFER_READ,
	      &small);
	small.id = -1;
	fails("BUFFER_READ: a negative id is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.id = LKST_BUFFER_ID_VOID;
	fails("BUFFER_READ: VOID with a CPU is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.id = 0;
	small.cpu = -1;
	fails("BUFFER_READ: CPU -1 with an id is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.cpu = 99999;
	fails("BUFFER_READ: a CPU that cannot be is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	small.cpu = INT_MIN;
	fails("BUFFER_READ: a negative CPU is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, &small);
	fails("BUFFER_READ: a bad address is EINVAL", EINVAL, LKST_IOC_BUFFER_READ, no_page);
}

static void test_static_buffer(void)
{
	struct lkst_log_buffer param = read_buffer(-1, MAX_RECORDS);

	ok(count(&param) >= 1 && records[0].posix.log_event_type == LKST_INIT &&
	   records[0].posix.log_recid == 0, "the static buffer begins with LKST_INIT");
	ok(param.recorded == count(&param) + param.overwritten + param.dropped &&
	   param.recorded == status().static_buffer_recid && param.unfinished == 0 &&
	   param.pad == 0, "and counts its records");
	ok(records[0].log_arg2 == (uint64_t)sysconf(_SC_NPROCESSORS_CONF), "with the CPUs");
}

static void test_buffer_list(void)
{
	struct lkst_buffer_listparam list = {
		.cpu = 0, .listent_num = 300, .listent = user(buffers),
	};
	int id = written(0), num = id + 1;
	struct lkst_buffer_listent *mine = &buffers[id];
	struct lkst_log_buffer param;

	ioctl(fd, LKST_IOC_TRC_STOP);
	ok(!ioctl(fd, LKST_IOC_BUFFER_LIST, &list) && list.buffer_num == num &&
	   buffers[0].id == 0 && mine->id == id, "BUFFER_LIST");
	param = read_buffer(0, MAX_RECORDS);
	ok(mine->baseid + mine->write_offset == param.recorded &&
	   mine->write_offset < mine->size / LKST_SIZEOF_LKST_EVENT_RECORD,
	   "baseid + write_offset is the next recid");
	ok(mine->overwritten == param.overwritten && mine->dropped == param.dropped,
	   "and the counts are BUFFER_READ's");
	ok(list.write_buf == id && list.read_buf == LKST_BUFFER_ID_VOID &&
	   list.rq_head == LKST_BUFFER_ID_VOID && list.rq_tail == LKST_BUFFER_ID_VOID &&
	   list.owner == LKST_BUFFER_OWNER_NONE, "written, not read, owned by nobody");
	ok(mine->next == LKST_BUFFER_ID_VOID && mine->size % 4096 == 0,
	   "a terminal buffer of a multiple of 4 KB");
	ioctl(fd, LKST_IOC_TRC_START);

	list.listent_num = 0;
	mine->id = 0x55;
	ok(!ioctl(fd, LKST_IOC_BUFFER_LIST, &list) && list.buffer_num == num &&
	   mine->id == 0x55, "an area for none tells how many there are");
	list.listent_num = -1;
	fails("BUFFER_LIST: a negative number is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, &list);
	list.listent_num = 1;
	list.listent = 0;
	fails("BUFFER_LIST: NULL is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, &list);
	list.listent = user(no_page);
	fails("BUFFER_LIST: a bad area is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, &list);
	list.listent = user(buffers);
	list.cpu = -1;
	fails("BUFFER_LIST: CPU -1 is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, &list);
	list.cpu = 99999;
	fails("BUFFER_LIST: a CPU that cannot be is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, &list);
	fails("BUFFER_LIST: a bad address is EINVAL", EINVAL, LKST_IOC_BUFFER_LIST, no_page);
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
		usleep(1000);
	usleep(50000);
	ok(!ioctl(fd, LKST_IOC_TRC_STATEDUMP), "TRC_STATEDUMP");
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
	ok(!memcmp(&found->log_arg3, "lkst-idle-one\0\0\0", 16), "its name");
}

/* usage: device tsc|ns: the clock that this machine should have */
int main(int argc, char **argv)
{
	unsigned int clock = LKST_CLOCK_TSC;

	if (argc > 1 && !strcmp(argv[1], "ns"))
		clock = LKST_CLOCK_NS;
	fd = open("/dev/lkst", O_RDWR);
	if (fd < 0)
		bail_out("/dev/lkst");
	records = calloc(MAX_RECORDS, sizeof(*records));
	no_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ro_page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	test_device();
	test_permission();
	test_status(clock);
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
