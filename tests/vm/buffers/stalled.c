// SPDX-License-Identifier: GPL-2.0
/*
 * A process reads from the device into a missing page. The page is registered with userfaultfd and
 * is not provided, so the read() stalls. Meanwhile, other processes must be able to use LKST, and
 * another thread of the process must be able to close the device. When the page is provided, the
 * read() must return as usual. SIGKILL must end a stalled process.
 */
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "processes.h"

#define SIZE	  (1 << 16)
#define ANSWER_MS 60000

/* --- The process that stalls */

static int uffd;
static int copy; /* a second descriptor of the device, which the watching thread closes */

/* Memory that the process shares with its parent. */
static struct shared {
	volatile bool is_stalled; /* whether a thread stalls on a missing page */
	volatile bool has_closed; /* whether another thread has closed the device in the meantime */
	volatile bool provide; /* whether the pages must be provided */
} * shared;

/*
 * Wait until the other thread stalls on a page, close the device, and provide the pages once the
 * parent has set @provide.
 */
static void *watch(void *unused)
{
	struct uffdio_range all;
	struct uffd_msg msg;

	if (read(uffd, &msg, sizeof(msg)) != sizeof(msg) || msg.event != UFFD_EVENT_PAGEFAULT)
		_exit(2);
	shared->is_stalled = true;
	close(copy);
	shared->has_closed = true;
	while (!shared->provide)
		sleep_ms(10);
	all = (struct uffdio_range){ msg.arg.pagefault.address & -4096ULL, SIZE };
	if (ioctl(uffd, UFFDIO_UNREGISTER, &all))
		_exit(2);
	return unused;
}

static void *missing_memory(void)
{
	void *to = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register reg = { { (uintptr_t)to, SIZE }, UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	bail_if(uffd < 0 || to == MAP_FAILED, "userfaultfd");
	bail_if(ioctl(uffd, UFFDIO_API, &api), "UFFDIO_API");
	bail_if(ioctl(uffd, UFFDIO_REGISTER, &reg), "UFFDIO_REGISTER");
	return to;
}

/* Ways to read: read() in each of its modes, and the ioctl BUFFER_READ. */
#define BUFFER_READ (-1)

static const struct method {
	const char *name;
	int mode;
} methods[] = {
	{ "STD", LKST_READ_MODE_STD },
	{ "RAW", LKST_READ_MODE_RAW },
	{ "BLOCK", LKST_READ_MODE_BLOCK },
	{ "BUFFER_READ", BUFFER_READ },
};

/* Read into missing memory. Return 0 on success. */
static int stall(int mode)
{
	void *to = missing_memory();
	struct lkst_log_buffer param;
	pthread_t watcher;

	open_lkst();
	copy = dup(lkst_fd);
	need(pthread_create(&watcher, NULL, watch, NULL), "pthread_create");
	if (mode == BUFFER_READ)
		return read_buffer_max(&param, 0, 0, to, SIZE / sizeof(struct lkst_log_record));
	need(set_mode(0, mode), "SETRMOD");
	if (mode == LKST_READ_MODE_BLOCK)
		need(lkst(LKST_IOC_BLOCK_FLUSH, NULL), "BLOCK_FLUSH");
	return read(lkst_fd, to, SIZE) <= 0;
}

/* --- The parent */

/* Wait up to ANSWER_MS for the process to set a member of struct shared. */
static bool becomes_true(const volatile bool *member)
{
	for (int ms = 0; ms < ANSWER_MS && !*member; ms += 10)
		sleep_ms(10);
	return *member;
}

/* Start a process that stalls, and check that it does. Return its process id. */
static pid_t start_stalled(const struct method *method)
{
	pid_t pid;

	need(shift(0), "SHIFT");
	*shared = (struct shared){};
	pid = spawn(_exit(stall(method->mode)));
	ok(becomes_true(&shared->is_stalled), "%s: a reader waits for a missing page",
	   method->name);
	ok(becomes_true(&shared->has_closed),
	   "%s: another thread of the reader can close the device", method->name);
	return pid;
}

/*
 * Requests that other processes make during the stall: the command @argv, or the call @name if
 * @argv is empty.
 */
static const struct request {
	const char *name;
	const char *argv[5];
} requests[] = {
	{ "SETRMOD" },
	{ "SHIFT" },
	{ "close()" },
	{ "lkst status", { "lkst", "status" } },
	{ "lkstbuf list", { "lkstbuf", "list" } },
	{ "lkstbuf read", { "lkstbuf", "read", "-c", "0" } },
	{ "lkst stop", { "lkst", "stop" } },
	{ "lkst start", { "lkst", "start" } },
};

/* Make a request. Called in a child, because the request may hang. */
static void make_request(const struct request *request)
{
	if (request->argv[0]) {
		bail_if(!freopen("/dev/null", "w", stdout), "/dev/null");
		execvp(request->argv[0], (char **)request->argv);
		_exit(127);
	}
	open_lkst();
	if (!strcmp(request->name, "SETRMOD"))
		need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD");
	else if (!strcmp(request->name, "SHIFT"))
		shift(0);
	else
		close(lkst_fd);
}

static void page_is_provided(const struct method *method)
{
	pid_t pid = start_stalled(method);
	int status = -1;

	shared->provide = true;
	ok(ends_within(ANSWER_MS, pid, &status) && !status,
	   "%s: the reader continues when the page is provided", method->name);
}

static void page_is_not_provided(const struct method *method)
{
	pid_t pid = start_stalled(method), other;
	int status = -1;

	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		other = spawn(make_request(&requests[i]));
		ok(ends_within(ANSWER_MS, other, &status) && !status, "%s: %s still works",
		   method->name, requests[i].name);
	}
	kill(pid, SIGKILL);
	ok(ends_within(ANSWER_MS, pid, &status) && WIFSIGNALED(status),
	   "%s: SIGKILL ends the reader", method->name);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	shared = map(sizeof(*shared));
	open_lkst();
	need(create(0, 1, 2, SIZE), "CREATE");
	need(create(0, 2, 0, SIZE), "CREATE");
	need(link_buffer(0, 0, 1), "LINK");
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		page_is_provided(&methods[i]);
		page_is_not_provided(&methods[i]);
	}
	delete_buffers(0);
	need(link_buffer(0, 0, VOID), "LINK");
	return done_testing();
}
