// SPDX-License-Identifier: GPL-2.0
/*
 * A process reads from the device into a page that does not come: it leaves the page to userfaultfd, and nobody
 * serves it. No other process may wait for it, nor another thread of its own that closes the device. When the
 * page comes after all, the read ends as any other. SIGKILL ends it at once.
 */
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "buffers.h"

#define SIZE	  (1 << 16)
#define ANSWER_MS 60000

/* --- The process that stalls */

/* What it says to its parent when a page is asked for, and when a thread of its has closed the device. */
#define SAYS_STALLED 's'
#define SAYS_CLOSED  'c'

struct stall {
	int uffd;
	int says; /* to the parent */
	int told; /* by the parent: a byte, to serve the pages */
	int copy; /* of the device's descriptor */
};

static void say(const struct stall *stall, char what)
{
	if (write(stall->says, &what, 1) != 1)
		_exit(2);
}

/* Waits for the first page that is asked for. */
static void *watch(void *arg)
{
	struct uffdio_range all;
	const struct stall *stall = arg;
	struct uffd_msg msg;
	char byte;

	if (read(stall->uffd, &msg, sizeof(msg)) != sizeof(msg) ||
	    msg.event != UFFD_EVENT_PAGEFAULT)
		_exit(2);
	say(stall, SAYS_STALLED);
	close(stall->copy);
	say(stall, SAYS_CLOSED);
	if (read(stall->told, &byte, 1) != 1)
		_exit(2);
	all = (struct uffdio_range){ msg.arg.pagefault.address & -4096ULL, SIZE };
	if (ioctl(stall->uffd, UFFDIO_UNREGISTER, &all))
		_exit(2);
	return NULL;
}

static void *missing_memory(struct stall *stall)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	void *to = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	stall->uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (stall->uffd < 0 || to == MAP_FAILED)
		bail_out("userfaultfd");
	reg.range = (struct uffdio_range){ (uintptr_t)to, SIZE };
	if (ioctl(stall->uffd, UFFDIO_API, &api) || ioctl(stall->uffd, UFFDIO_REGISTER, &reg))
		bail_out("UFFDIO_REGISTER");
	return to;
}

/* --- Ways to read: each returns whether it has read something */

static bool read_mode(int mode, void *to)
{
	need(set_mode(0, mode), "SETRMOD");
	if (mode == LKST_READ_MODE_BLOCK && ioctl(lkst_fd, LKST_IOC_BLOCK_FLUSH))
		bail_out("BLOCK_FLUSH");
	return read(lkst_fd, to, SIZE) > 0;
}

static bool read_std(void *to)
{
	return read_mode(LKST_READ_MODE_STD, to);
}

static bool read_raw(void *to)
{
	return read_mode(LKST_READ_MODE_RAW, to);
}

static bool read_block(void *to)
{
	return read_mode(LKST_READ_MODE_BLOCK, to);
}

static bool read_ioctl(void *to)
{
	struct lkst_log_buffer param;

	return !read_buffer_max(&param, 0, 0, to, SIZE / sizeof(struct lkst_log_record));
}

static const struct way {
	const char *name;
	bool (*read)(void *to);
} ways[] = {
	{ "STD", read_std },
	{ "RAW", read_raw },
	{ "BLOCK", read_block },
	{ "BUFFER_READ", read_ioctl },
};

static void __attribute__((noreturn)) stalled(const struct way *way, int says, int told)
{
	struct stall stall = { .says = says, .told = told };
	void *to = missing_memory(&stall);
	pthread_t watcher;

	open_lkst();
	stall.copy = dup(lkst_fd);
	if (pthread_create(&watcher, NULL, watch, &stall))
		bail_out("pthread_create");
	_exit(way->read(to) ? 0 : 1);
}

/* --- Its parent */

struct child {
	pid_t pid;
	int says;
	int tell;
};

static struct child start(const struct way *way)
{
	struct child child;
	int says[2], told[2];

	if (pipe(says) || pipe(told))
		bail_out("pipe");
	child.pid = fork();
	if (child.pid < 0)
		bail_out("fork");
	if (!child.pid) {
		close(told[1]);
		stalled(way, says[1], told[0]);
	}
	close(says[1]);
	close(told[0]);
	child.says = says[0];
	child.tell = told[1];
	return child;
}

static bool hears(const struct child *child, char what)
{
	struct pollfd fd = { .fd = child->says, .events = POLLIN };
	char byte;

	return poll(&fd, 1, ANSWER_MS) == 1 && read(child->says, &byte, 1) == 1 && byte == what;
}

/* Whether it ends before long. */
static bool ends(pid_t pid, int *status)
{
	int ms;

	for (ms = 0; ms < ANSWER_MS; ms += 20) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		sleep_ms(20);
	}
	return false;
}

static void forget(struct child *child)
{
	close(child->says);
	close(child->tell);
}

/* --- What others do meanwhile: each a process of its own, which can be left behind */

static void ask_list(void)
{
	struct buffers buffers;

	list_buffers(&buffers, 0);
}

static void ask_status(void)
{
	get_status();
}

static void ask_bind(void)
{
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD");
}

static void ask_shift(void)
{
	shift(0);
}

static void ask_close(void)
{
	close(lkst_fd);
}

static const struct request {
	const char *name;
	void (*ask)(void);
	const char *argv[6];
} requests[] = {
	{ "BUFFER_LIST", ask_list },
	{ "TRC_STATUS", ask_status },
	{ "SETRMOD", ask_bind },
	{ "SHIFT", ask_shift },
	{ "close()", ask_close },
	{ "lkst status", NULL, { "lkst", "status" } },
	{ "lkstbuf list", NULL, { "lkstbuf", "list" } },
	{ "lkstbuf read", NULL, { "lkstbuf", "read", "-c", "0" } },
	{ "lkst stop", NULL, { "lkst", "stop" } },
	{ "lkst start", NULL, { "lkst", "start" } },
};

static void __attribute__((noreturn)) request(const struct request *request)
{
	if (request->ask) {
		open_lkst();
		request->ask();
		_exit(0);
	}
	if (!freopen("/dev/null", "w", stdout))
		_exit(2);
	execvp(request->argv[0], (char **)request->argv);
	_exit(127);
}

static void returns(const char *way, const struct request *what)
{
	int status = -1;
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (!pid)
		request(what);
	ok(ends(pid, &status) && !status, "%s: meanwhile, %s", way, what->name);
}

static struct child start_and_see(const struct way *way)
{
	struct child child;

	need(shift(0), "SHIFT");
	child = start(way);
	ok(hears(&child, SAYS_STALLED), "%s: a reader waits for its page", way->name);
	ok(hears(&child, SAYS_CLOSED), "%s: a thread of its closes the device", way->name);
	return child;
}

static void page_comes(const struct way *way)
{
	struct child child = start_and_see(way);
	int status = -1;

	if (write(child.tell, "", 1) != 1)
		bail_out("pipe");
	ok(ends(child.pid, &status) && !status, "%s: it goes on when the page comes", way->name);
	forget(&child);
}

static void page_does_not_come(const struct way *way)
{
	struct child child = start_and_see(way);
	int status = -1;
	size_t i;

	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		returns(way->name, &requests[i]);
	kill(child.pid, SIGKILL);
	ok(ends(child.pid, &status) && WIFSIGNALED(status), "%s: SIGKILL ends it", way->name);
	forget(&child);
}

int main(void)
{
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	open_lkst();
	need(create(0, 1, 2, SIZE), "CREATE");
	need(create(0, 2, 0, SIZE), "CREATE");
	need(link_buffer(0, 0, 1), "LINK");
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		page_comes(&ways[i]);
		page_does_not_come(&ways[i]);
	}
	need(jump(0, 0), "JUMP");
	need(delete_buffer(0, 1), "DELETE");
	need(delete_buffer(0, 2), "DELETE");
	need(link_buffer(0, 0, VOID), "LINK");
	return done_testing();
}
