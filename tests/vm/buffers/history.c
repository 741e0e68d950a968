// SPDX-License-Identifier: GPL-2.0
/*
 * Tests the compressed history: its contents, its counts, and its ioctls. The history must have
 * 1M for each CPU, and the buffers must have SLOTS records.
 *
 * With "soak", see history_soak.c.
 */
#include <dirent.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "history.h"
#include "marks.h"

#define SIZE	(1 << 20)
#define SLOTS	4096
#define NO_CPU	9999
#define WAIT_MS 120000
#define MISSING (2 * SIZE) /* more than a history */

static unsigned char area[4 * LKST_HISTORY_CHUNK_MAX];

/* Follow until @done() returns true. End the test if that takes too long. */
static void follow_until(struct follower *f, bool (*done)(const struct follower *f))
{
	for (int ms = 0; ms < WAIT_MS; ms += 10) {
		follow(f);
		if (done(f))
			return;
		sleep_ms(10);
	}
	need(ETIMEDOUT, "the history of CPU %d ends at recid %llu", f->cpu, (ull)f->end);
}

/* Whether only records of the half that the CPU is writing are missing in the history. */
static bool has_caught_up(const struct follower *f)
{
	return cpu_recid(f->cpu) - f->end <= SLOTS / 2;
}

/* Record @num marks, with the numbers from *@number on, on the CPU to which the caller is pinned. */
static void add_marks(uint64_t *number, unsigned int num)
{
	__u64 args[4];

	while (num--) {
		mark_fill(args, 1, (*number)++);
		need(mark(args[0], args[1], args[2], args[3]), "ENTRY_LOG");
	}
}

/* Record @num marks. The history keeps up, because the CPU never gets far ahead of it. */
static void add_marks_followed(struct follower *f, uint64_t *number, unsigned int num)
{
	for (; num; num -= num < 500 ? num : 500) {
		add_marks(number, num < 500 ? num : 500);
		follow_until(f, has_caught_up);
	}
}

/*
 * Read the history also with @all, from its position on, and return the state of the history at that
 * moment: both have read all chunks, and no chunk has been added meanwhile.
 */
static struct lkst_history_status read_settled(struct follower *f, struct follower *all)
{
	const struct follower begin = *all;
	struct lkst_history_status state, now;

	do {
		state = settle(f);
		*all = begin;
		follow(all);
		now = status_of(f->cpu);
	} while (accounted(&now) != accounted(&state));
	return state;
}

/*
 * Check that each event since @before is in a chunk or counted. @begin is the end of the history at
 * that time. Return the present state.
 */
static struct lkst_history_status check_accounts(struct follower *f,
						 const struct lkst_history_status *before,
						 uint64_t begin, const char *name)
{
	struct lkst_history_status now = settle(f);

	equal(accounted(&now) - accounted(before), f->end - begin,
	      "%s: each event is in a chunk or counted", name);
	return now;
}

static void test_contents(struct follower *f, uint64_t *number)
{
	struct lkst_history_status before, after;
	uint64_t begin;

	follow_until(f, has_caught_up);
	before = settle(f);
	begin = f->end;
	*f = (struct follower){ .position = f->position, .end = f->end };
	equal(before.flags & LKST_HISTORY_ON, LKST_HISTORY_ON, "the history is on");
	equal(before.size, SIZE, "it has the size of the parameter");
	add_marks_followed(f, number, 20000);
	after = check_accounts(f, &before, begin, "marks");
	report_wrongs("all chunks are valid");
	ok(f->marks >= 20000 - SLOTS / 2, "the marks are in the history");
	equal(f->missing, 0, "no mark is missing");
	equal(after.lost - before.lost, f->gaps, "no other record is missing either");
	equal(f->skipped, 0, "no chunk was skipped");
	ok(after.used <= SIZE, "the history does not exceed its size");
	ok(after.cpu_ns > before.cpu_ns, "the CPU time is counted");
	ok(after.since > 1000000000LL * 1000000000 && after.since <= 1000000000LL * (time(NULL) + 1),
	   "the time of the oldest record is known");
}

static void test_overwriting(struct follower *f, uint64_t *number)
{
	struct follower all = { .cpu = 0 };
	struct lkst_history_status before = settle(f), after;
	uint64_t begin = f->end;

	add_marks_followed(f, number, 60000);
	report_wrongs("all chunks are valid while the oldest are overwritten");
	equal(f->missing, 0, "no mark is missing for a reader that keeps up");
	after = check_accounts(f, &before, begin, "overwriting");
	ok(after.overwritten > before.overwritten, "overwritten events are counted");
	ok(after.since > before.since, "the oldest record is newer");
	ok(after.used > SIZE / 2 && after.used <= SIZE, "the history stays full");
	after = read_settled(f, &all);
	equal(all.records, after.events, "the chunks have as many events as the status says");
	equal(all.chunks, after.chunks, "there are as many chunks as the status says");
	equal(all.skipped, 0, "a reader that begins with the oldest chunk skips none");
	/* The position after the first chunk of all, which has number 1. */
	all = (struct follower){ .cpu = 0, .position = 2 };
	after = read_settled(f, &all);
	equal(all.skipped, f->position - after.chunks - 2,
	      "a reader whose chunk was overwritten knows how many it has skipped");
	equal(all.records, after.events, "it continues with the oldest chunk");
	report_wrongs("all chunks are valid");
}

/* Read all chunks again and again while the oldest are overwritten. */
static void test_racing(uint64_t *number)
{
	int status;
	pid_t pid = spawn({
		pin(0);
		for (int i = 0; i < 300; i++) {
			add_marks(number, 200);
			sleep_ms(2);
		}
	});

	*number += 300 * 200;
	while (waitpid(pid, &status, WNOHANG) != pid) {
		struct follower f = { .cpu = 0 };

		follow(&f);
	}
	equal(status, 0, "marks were recorded meanwhile");
	report_wrongs("a reader never gets a chunk that is being overwritten");
}

/* Return MISSING bytes of memory. Its first access stalls until *@uffd unregisters the memory. */
static void *missing_memory(int *uffd)
{
	void *to = mmap(NULL, MISSING, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register reg = { { (uintptr_t)to, MISSING }, UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };

	*uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	bail_if(*uffd < 0 || to == MAP_FAILED, "userfaultfd");
	bail_if(ioctl(*uffd, UFFDIO_API, &api), "UFFDIO_API");
	bail_if(ioctl(*uffd, UFFDIO_REGISTER, &reg), "UFFDIO_REGISTER");
	return to;
}

static void *read_oldest(void *param)
{
	need(lkst(LKST_IOC_HISTORY_READ, param), "HISTORY_READ");
	return NULL;
}

/* A chunk is overwritten while a reader copies it, because the reader stalls on a missing page. */
static void test_lapped(struct follower *f, uint64_t *number)
{
	struct follower all = { .cpu = 0 };
	struct lkst_history_read param = { .size = MISSING };
	struct lkst_history_status before, after;
	struct uffdio_range range;
	struct uffd_msg msg;
	pthread_t reader;
	uint64_t oldest;
	char *to;
	int uffd;

	follow_until(f, has_caught_up);
	before = settle(f);
	oldest = f->position - before.chunks;
	to = missing_memory(&uffd);
	param.buffer = (uintptr_t)to;
	param.position = oldest;
	need(pthread_create(&reader, NULL, read_oldest, &param), "pthread_create");
	bail_if(read(uffd, &msg, sizeof(msg)) != sizeof(msg) || msg.event != UFFD_EVENT_PAGEFAULT,
		"userfaultfd");
	do {
		add_marks_followed(f, number, 5000);
		after = settle(f);
	} while (after.overwritten < before.overwritten + before.events);
	range = (struct uffdio_range){ (uintptr_t)to, MISSING };
	bail_if(ioctl(uffd, UFFDIO_UNREGISTER, &range), "UFFDIO_UNREGISTER");
	need(pthread_join(reader, NULL), "pthread_join");
	close(uffd);
	for (uint64_t at = 0; at < param.result;)
		at += check_chunk(&all, (void *)(to + at), param.result - at);
	report_wrongs("a reader gets no chunk that is overwritten during its copy");
	ok(param.skipped >= before.chunks, "it skips all chunks that were there when it began");
	equal(param.position - oldest, param.skipped + all.chunks, "it knows how many it has skipped");
	ok(param.position >= f->position, "it gets all chunks up to the newest");
	equal(all.gaps, 0, "no record is missing between them");
	munmap(to, MISSING);
}

/* The recid that test_queue() waits for. */
static uint64_t shift_recid;

static bool has_passed_shift(const struct follower *f)
{
	return f->end >= shift_recid;
}

/* Return the number of records of an event type in a buffer of CPU 0. */
static unsigned int records_of(int id, int etype)
{
	static struct lkst_log_record records[SLOTS];
	struct lkst_log_buffer param;
	unsigned int found = 0;

	need(read_buffer_max(&param, 0, id, records, SLOTS), "BUFFER_READ");
	for (size_t i = 0; i < param.result_read_size / sizeof(records[0]); i++)
		found += records[i].posix.log_event_type == etype;
	return found;
}

/*
 * Records that the history has taken are still unread for the read queue: if a shift reuses their
 * buffer, they count as lost.
 */
static void test_queue(struct follower *f, uint64_t *number)
{
	make_ring(0, 2, SLOTS * RECORD_SIZE);
	add_marks(number, 500);
	need(shift(0), "SHIFT");
	shift_recid = cpu_recid(0) - 1;
	follow_until(f, has_passed_shift);
	equal(queue_of(0).rq_tail, 1, "the history leaves a buffer in the read queue");
	need(shift(0), "SHIFT");
	equal(records_of(1, BUFF_OVFLOW), 1, "its records count as unread");
	delete_buffers(0);
	report_wrongs("all chunks are valid after the shifts");
}

static bool has_500(const struct follower *f)
{
	return f->mark >= 500;
}

static void test_hotplug(void)
{
	struct follower f = { .cpu = 1 };
	uint64_t number = 1;

	follow(&f);
	pin(1);
	add_marks_followed(&f, &number, 1);
	/* These marks are in the half that the CPU is writing, or not: it depends on older records. */
	add_marks(&number, 499);
	pin(0);
	if (!ok(cpu1_online(false), "CPU 1 goes offline"))
		return;
	follow_until(&f, has_500);
	ok(true, "when a CPU is offline, all its records are in the history");
	equal(f.missing, 0, "no mark is missing");
	ok(cpu1_online(true), "CPU 1 comes online");
	pin(1);
	add_marks_followed(&f, &number, 5000);
	pin(0);
	equal(f.missing, 0, "no mark is missing after CPU 1 has come online again");
	report_wrongs("all chunks of CPU 1 are valid");
}

static bool waits(const struct follower *f)
{
	return status_of(f->cpu).flags & LKST_HISTORY_WAITING;
}

static bool continues(const struct follower *f)
{
	return !waits(f) && has_caught_up(f);
}

static void test_memory_short(struct follower *f, uint64_t *number)
{
	struct lkst_history_status before, during, now;
	uint64_t begin;
	int ends[2];
	pid_t pid;
	char c;

	follow_until(f, has_caught_up);
	before = settle(f);
	begin = f->end;
	f->missing = 0;
	bail_if(pipe(ends), "pipe");
	pid = spawn(hog(ends[1]));
	bail_if(read(ends[0], &c, 1) != 1, "pipe");
	/* The thread wakes up when half of the buffer has been filled. */
	add_marks(number, SLOTS / 2);
	follow_until(f, waits);
	during = status_of(0);
	ok(during.backoffs > before.backoffs, "when memory is short, the history waits, and counts this");
	add_marks(number, 3 * SLOTS);
	now = status_of(0);
	equal(accounted(&now), accounted(&during), "it adds no chunk meanwhile");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	follow_until(f, continues);
	now = check_accounts(f, &before, begin, "memory was short");
	ok(f->missing > 0 && now.lost - before.lost >= f->missing,
	   "the events that the CPU has overwritten meanwhile are counted");
	report_wrongs("all chunks are valid after memory was short");
}

static int read_error(struct lkst_history_read param)
{
	return lkst(LKST_IOC_HISTORY_READ, &param);
}

static void test_errors(const struct follower *f)
{
	char *read_only = mmap(NULL, sizeof(area), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct {
		const char *name;
		int error;
		struct lkst_history_read param;
	} rows[] = {
#define GOOD .buffer = (uintptr_t)area, .size = sizeof(area)
		{ "a CPU", 0, { GOOD } },
		{ "the last CPU", 0, { .cpu = 1, GOOD } },
		{ "a negative CPU", EINVAL, { .cpu = -1, GOOD } },
		{ "no such CPU", EINVAL, { .cpu = NO_CPU, GOOD } },
		{ "pad is not 0", EINVAL, { .pad = 1, GOOD } },
		{ "the position after the last chunk", 0, { .position = f->position, GOOD } },
		{ "a position later than that", EINVAL, { .position = f->position + 1000000, GOOD } },
		{ "the last position", EINVAL, { .position = UINT64_MAX, GOOD } },
		{ "no buffer", EINVAL, { .size = sizeof(area) } },
		{ "an address in the kernel", EINVAL, { .buffer = 1ULL << 63, .size = sizeof(area) } },
		{ "a buffer that is read-only", EINVAL,
		  { .buffer = (uintptr_t)read_only, .size = sizeof(area) } },
		{ "a buffer of 0 bytes", ENOBUFS, { .buffer = (uintptr_t)area } },
		{ "a buffer that is too small", ENOBUFS, { .buffer = (uintptr_t)area, .size = 100 } },
		{ "a negative size", EINVAL, { .buffer = (uintptr_t)area, .size = 1ULL << 63 } },
		{ "room for one chunk", 0,
		  { .buffer = (uintptr_t)area, .size = LKST_HISTORY_CHUNK_MAX } },
	};
	const struct {
		int cpu, error;
	} cpus[] = { { 0, 0 }, { 1, 0 }, { -1, EINVAL }, { NO_CPU, EINVAL } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		gives(read_error(rows[i].param), rows[i].error, "HISTORY_READ: %s", rows[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		gives(lkst(LKST_IOC_HISTORY_STATUS, &(struct lkst_history_status){ .cpu = cpus[i].cpu }),
		      cpus[i].error, "HISTORY_STATUS: CPU %d", cpus[i].cpu);
}

/* Switch to a maskset that records marks and losses only. */
static void record_marks_only(void)
{
	static const struct mask marks[] = { RECORDED(USER_MARK), RECORDED(BUFF_OVFLOW) };

	need(write_maskset(LAST_SET, "history", marks, ARRAY_SIZE(marks)), "MASKSET_WRITE");
	need(set_maskset(LAST_SET), "MASKSET_SET");
}

/* Return the thread that compresses the history, or 0. */
static pid_t find_thread(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char line[256];
	pid_t found = 0;

	bail_if(!proc, "/proc");
	while (!found && (entry = readdir(proc))) {
		char path[300];
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		file = fopen(path, "r");
		if (file && fgets(line, sizeof(line), file) && !strcmp(line, "lkst_history\n"))
			found = atoi(entry->d_name);
		if (file)
			fclose(file);
	}
	closedir(proc);
	return found;
}

/* Without history_size, there is no history, and no thread. */
static int test_off(void)
{
	for (int cpu = 0; cpu < 2; cpu++) {
		struct lkst_history_status status = status_of(cpu), none = { .cpu = cpu };

		ok(!memcmp(&status, &none, sizeof(none)), "CPU %d has no history", cpu);
	}
	gives(read_error((struct lkst_history_read){ GOOD }), ENODATA, "there is nothing to read");
	equal(find_thread(), 0, "there is no thread");
	return done_testing();
}

/* CPU 1 comes online for the first time, and goes offline before half of its buffer is full. */
static void test_late(void)
{
	struct lkst_history_read param = { .cpu = 1, GOOD };
	struct follower f = { .cpu = 1 };
	uint64_t number = 1;

	equal(status_of(1).size, 0, "a CPU that has never been online has no history");
	need(lkst(LKST_IOC_HISTORY_READ, &param), "HISTORY_READ");
	equal(param.position, 1, "the position before its first chunk is known");
	equal(param.result + param.skipped, 0, "it has no chunk");
	gives(read_error((struct lkst_history_read){ .cpu = 1, .position = 2, GOOD }), EINVAL,
	      "it has no later position");
	f.position = param.position;
	ok(cpu1_online(true), "CPU 1 comes online for the first time");
	pin(1);
	add_marks(&number, 500);
	pin(0);
	ok(cpu1_online(false), "CPU 1 goes offline");
	follow_until(&f, has_500);
	equal(status_of(1).size, SIZE, "CPU 1 has got its history");
	equal(f.marks, 500, "it contains all marks");
	report_wrongs("all chunks of CPU 1 are valid");
	ok(cpu1_online(true), "CPU 1 comes online again");
}

int main(int argc, char **argv)
{
	struct follower f = { .cpu = 0 };
	uint64_t number = 1;

	open_lkst();
	if (argc > 1 && !strcmp(argv[1], "off"))
		return test_off();
	wrongs = map(sizeof(*wrongs));
	if (argc == 5 && !strcmp(argv[1], "soak"))
		return soak(atoi(argv[2]), atoi(argv[3]), strtoull(argv[4], NULL, 0));
	pin(0);
	record_marks_only();
	equal(sched_getscheduler(find_thread()), SCHED_IDLE, "the thread runs when its CPU is idle");
	if (argc > 1) {
		test_late();
	} else {
		test_contents(&f, &number);
		test_overwriting(&f, &number);
		test_errors(&f);
		test_racing(&number);
		test_lapped(&f, &number);
		test_queue(&f, &number);
		test_hotplug();
		test_memory_short(&f, &number);
	}
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	delete_maskset(LAST_SET);
	return done_testing();
}
