// SPDX-License-Identifier: GPL-2.0
/*
 * stalled DIR: a child reads into a mapped file below DIR, a file system that is frozen meanwhile, so
 * that its read() stays in the kernel and cannot be killed. Whatever else is asked of LKST must
 * return; when the file system thaws, the child gets what there was.
 */
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "blocks.h"

#define SIZE	  (1 << 16)
#define ANSWER_MS 60000

static int frozen = -1;

static void thaw(void)
{
	if (frozen >= 0 && ioctl(frozen, FITHAW, 0))
		bail_out("FITHAW");
	frozen = -1;
}

static void freeze(const char *dir)
{
	frozen = open(dir, O_RDONLY | O_DIRECTORY);
	if (frozen < 0 || ioctl(frozen, FIFREEZE, 0))
		bail_out("FIFREEZE");
}

/* Pages of a file that nobody has written to yet: the first write of each asks the file system. */
static char *map_file(const char *dir)
{
	char path[256], *map;
	int fd;

	snprintf(path, sizeof(path), "%s/file", dir);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, SIZE))
		bail_out(path);
	map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		bail_out("mmap");
	return map;
}

static pid_t start(void (*run)(void *), void *arg)
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	run(arg);
	_exit(0);
}

static char state_of(pid_t pid)
{
	char path[64], stat[256] = "", *name_end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file || !fgets(stat, sizeof(stat), file))
		bail_out(path);
	fclose(file);
	name_end = strrchr(stat, ')');
	return name_end ? name_end[2] : 0;
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

/* The request comes back, whatever its result: from a process of its own, that can be left behind. */
static void returns(const char *name, void (*run)(void *))
{
	pid_t pid = start(run, NULL);
	int status;

	ok(ends(pid, &status), "%s returns", name);
}

static void ask_list(void *unused)
{
	struct buffers buffers;

	(void)unused;
	open_lkst();
	list_buffers(&buffers, 0);
}

static void ask_status(void *unused)
{
	(void)unused;
	open_lkst();
	get_status();
}

static void ask_bind(void *unused)
{
	(void)unused;
	open_lkst();
	set_mode(0, LKST_READ_MODE_STD);
	set_mode(1, LKST_READ_MODE_STD);
}

static void ask_shift(void *unused)
{
	(void)unused;
	open_lkst();
	shift(0);
}

static void ask_open_close(void *unused)
{
	(void)unused;
	open_lkst();
	close(lkst_fd);
}

static const struct {
	const char *name;
	void (*run)(void *);
} requests[] = {
	{ "BUFFER_LIST", ask_list }, { "TRC_STATUS", ask_status },  { "SETRMOD", ask_bind },
	{ "SHIFT", ask_shift },	     { "close()", ask_open_close },
};

struct reading {
	char *map;
	int mode;
};

/* The reader, and a thread of its that closes another descriptor of the device. */
static void *closer(void *fd)
{
	sleep_ms(300);
	close(*(int *)fd);
	return NULL;
}

static void read_into(void *arg)
{
	const struct reading *reading = arg;
	pthread_t thread;
	int copy;

	open_lkst();
	need(set_mode(0, reading->mode), "SETRMOD");
	if (reading->mode == LKST_READ_MODE_BLOCK && ioctl(lkst_fd, LKST_IOC_BLOCK_FLUSH))
		bail_out("BLOCK_FLUSH");
	copy = dup(lkst_fd);
	if (pthread_create(&thread, NULL, closer, &copy))
		bail_out("pthread_create");
	_exit(read(lkst_fd, reading->map, SIZE) > 0 ? 0 : 1);
}

static void test_mode(const char *dir, const char *name, int mode)
{
	struct reading reading = { map_file(dir), mode };
	int ms, status = 1;
	size_t i;
	pid_t pid;

	need(shift(0), "SHIFT");
	freeze(dir);
	pid = start(read_into, &reading);
	for (ms = 0; ms < ANSWER_MS && state_of(pid) != 'D'; ms += 20)
		sleep_ms(20);
	ok(state_of(pid) == 'D', "%s: a reader waits for its memory", name);
	/* Time for its thread to close the other descriptor. */
	sleep_ms(500);
	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		returns(requests[i].name, requests[i].run);
	thaw();
	ok(ends(pid, &status) && WIFEXITED(status) && !WEXITSTATUS(status),
	   "%s: the reader goes on when its memory comes", name);
	munmap(reading.map, SIZE);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	atexit(thaw);
	open_lkst();
	need(create(0, 1, 0, SIZE), "CREATE");
	need(link_buffer(0, 0, 1), "LINK");
	test_mode(argv[1], "STD", LKST_READ_MODE_STD);
	test_mode(argv[1], "blocks", LKST_READ_MODE_BLOCK);
	need(jump(0, 0), "JUMP");
	need(delete_buffer(0, 1), "DELETE");
	need(link_buffer(0, 0, VOID), "LINK");
	return done_testing();
}
