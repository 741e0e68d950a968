// SPDX-License-Identifier: GPL-2.0
/*
 * Check events that take several records (chains). The program makes system calls with paths, goes
 * to sleep, and prints kernel messages, and compares the events with what it has done.
 */
#include <limits.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "chains.h"

#define MAX_PATHS 64

/* The path of a system call, and the expected values of its event */
struct expected {
	unsigned int number, abi, argument;
	int directory;
	char path[PATH_MAX + 8];
	unsigned int length;
	bool cut;
};

static struct expected expected[MAX_PATHS];
static unsigned int expected_num;

static void expect(unsigned int number, unsigned int argument, int directory, const char *path)
{
	struct expected *this = &expected[expected_num++];

	bail_if(expected_num > MAX_PATHS, "MAX_PATHS is too small");
	*this = (struct expected){ .number = number, .argument = argument, .directory = directory };
	this->length = snprintf(this->path, sizeof(this->path), "%s", path);
}

/* Expect that the path of the latest call could not be read. */
static void expect_unknown(void)
{
	expected[expected_num - 1].length = 0;
	expected[expected_num - 1].cut = true;
}

static void check_path(const struct chain *chain, const struct expected *this)
{
	uint32_t word[4];

	memcpy(word, chain->data, sizeof(word));
	if (!ok(chain->whole && chain->bytes == 16 + this->length &&
		   !memcmp(chain->data + 16, this->path, this->length) && chain->cut == this->cut,
	   "call %u: the path of %u bytes is \"%.20s\"%s", this->number, this->length, this->path,
	   this->cut ? ", cut off" : ""))
		diag("%u bytes: \"%.60s\" %s", chain->bytes, (const char *)chain->data + 16,
		     chain->cut ? "cut off" : "");
	/*
	 * Each argument consists of two values. The first one is in the upper half: word[1] is the
	 * first value of the first argument, and word[0] is the second.
	 */
	if (!ok(word[1] == this->number && word[0] == this->abi && word[3] == this->argument &&
		   (int)word[2] == this->directory,
	   "call %u: argument %u, directory %d", this->number, this->argument, this->directory))
		diag("number %u abi %u argument %u directory %d", word[1], word[0], word[3],
		     (int)word[2]);
}

static void check_paths(pid_t thread, const char *what)
{
	unsigned int num = 0;

	read_chains(0);
	for (unsigned int i = 0; i < chain_num; i++) {
		if (chains[i].etype != SYSCALL_PATH || chains[i].thread != (uint32_t)thread)
			continue;
		if (num < expected_num)
			check_path(&chains[i], &expected[num]);
		num++;
	}
	equal(num, expected_num, "%s: number of paths", what);
	expected_num = 0;
}

/* Return a path of @length bytes. */
static const char *path_of(unsigned int length)
{
	static char path[2 * PATH_MAX];

	memset(path, '/', length);
	for (unsigned int i = 0; i < length; i++)
		if (i % 64)
			path[i] = 'a' + i % 23;
	path[length] = 0;
	return path;
}

/* Return memory with @path, on a page that is not present until it is accessed. */
static char *absent(const char *path, unsigned int at)
{
	int fd = memfd_create("path", 0);
	size_t page = sysconf(_SC_PAGESIZE);
	char *memory;

	bail_if(fd < 0 || ftruncate(fd, 2 * page) ||
			pwrite(fd, path, strlen(path) + 1, at) != (ssize_t)strlen(path) + 1,
		"memfd");
	memory = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
	bail_if(memory == MAP_FAILED, "mmap");
	close(fd);
	return memory + at;
}

static void open_at(const char *path)
{
	syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
	expect(SYS_openat, 2, AT_FDCWD, path);
}

/* Paths of the lengths at which the number of records changes, and the longest paths */
static void test_lengths(void)
{
	static const unsigned int lengths[] = { 0, 1, 7, 8, 9, 31, 32, 33, 56, 57, PATH_MAX - 1 };

	record_only(SYSCALL_PATH);
	for (unsigned int i = 0; i < ARRAY_SIZE(lengths); i++)
		open_at(path_of(lengths[i]));
	open_at(path_of(PATH_MAX));
	expected[expected_num - 1].cut = true;
	record_nothing();
	check_paths(gettid(), "lengths");
}

static void test_calls(void)
{
	struct open_how how = { .flags = O_RDONLY };
	int dir = open("/", O_RDONLY | O_DIRECTORY);

	record_only(SYSCALL_PATH);
	syscall(SYS_openat2, dir, "no/file", &how, sizeof(how));
	expect(SYS_openat2, 2, dir, "no/file");
	syscall(SYS_unlinkat, dir, "no/unlinked", 0);
	expect(SYS_unlinkat, 2, dir, "no/unlinked");
	syscall(SYS_renameat2, dir, "no/from", AT_FDCWD, "no/where/to", 0);
	expect(SYS_renameat2, 2, dir, "no/from");
	expect(SYS_renameat2, 4, AT_FDCWD, "no/where/to");
	syscall(SYS_execveat, AT_FDCWD, "/no/program", NULL, NULL, 0);
	expect(SYS_execveat, 2, AT_FDCWD, "/no/program");
	syscall(SYS_getpid);
#ifdef SYS_open
	syscall(SYS_open, "/no/open", O_RDONLY);
	expect(SYS_open, 1, AT_FDCWD, "/no/open");
	syscall(SYS_creat, "/no/creat", 0600);
	expect(SYS_creat, 1, AT_FDCWD, "/no/creat");
	syscall(SYS_unlink, "/no/unlink");
	expect(SYS_unlink, 1, AT_FDCWD, "/no/unlink");
	syscall(SYS_rename, "/no/rename", "/no/renamed");
	expect(SYS_rename, 1, AT_FDCWD, "/no/rename");
	expect(SYS_rename, 2, AT_FDCWD, "/no/renamed");
#endif
	record_nothing();
	check_paths(gettid(), "calls");
	close(dir);
}

/* The page of the path is not present when the call begins. */
static void test_absent(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *first = absent("/not/present", 100), *two = absent("/on/two/pages", page - 5);
	char *to = absent("/renamed/to/this", 0);
	volatile char touched = two[0];

	(void)touched;
	record_only(SYSCALL_PATH);
	syscall(SYS_openat, AT_FDCWD, first, O_RDONLY);
	syscall(SYS_openat, AT_FDCWD, two, O_RDONLY);
	syscall(SYS_renameat2, AT_FDCWD, "/present", AT_FDCWD, to, 0);
	syscall(SYS_openat, AT_FDCWD, (char *)16, O_RDONLY);
	record_nothing();
	expect(SYS_openat, 2, AT_FDCWD, "/not/present");
	expect(SYS_openat, 2, AT_FDCWD, "/on/two/pages");
	expect(SYS_renameat2, 2, AT_FDCWD, "/present");
	expect(SYS_renameat2, 4, AT_FDCWD, "/renamed/to/this");
	expect(SYS_openat, 2, AT_FDCWD, "");
	expect_unknown();
	check_paths(gettid(), "absent pages");
}

/*
 * A call whose path is not present begins while paths are recorded, and ends while they are not.
 * LKST must not mistake later calls of the thread for this call.
 */
static void open_unseen(const char *path, int ended, int go_on)
{
	char byte = 'x';

	bail_if(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) < 0, "openat");
	bail_if(write(ended, &byte, 1) != 1 || read(go_on, &byte, 1) != 1, "pipe");
}

static void test_ended_unseen(void)
{
	const char *fifo = "/tmp/chains.fifo";
	char *path = absent(fifo, 10), byte;
	int ended[2], go_on[2], fd;
	pid_t pid;

	bail_if(mkfifo(fifo, 0600) || pipe(ended) || pipe(go_on), "FIFO");
	record_only(SYSCALL_PATH);
	pid = spawn(open_unseen(path, ended[1], go_on[0]));
	wait_until_asleep(pid);
	record_nothing();
	fd = open(fifo, O_RDWR);
	bail_if(fd < 0 || read(ended[0], &byte, 1) != 1, "FIFO");
	record_only(SYSCALL_PATH);
	bail_if(write(go_on[1], &byte, 1) != 1, "pipe");
	equal(exit_status(pid), 0, "exit status of the thread that opened a FIFO");
	record_nothing();
	check_paths(pid, "a call that ended unseen");
	close(fd);
	unlink(fifo);
}

/* A program is executed while the page with its path is not present. */
static void test_exec(const char *self)
{
	char *const args[] = { "chains", "exit", NULL };
	char *path = absent(self, 10);
	pid_t pid;

	record_only(SYSCALL_PATH);
	pid = spawn(execve(path, args, NULL));
	exit_status(pid);
	record_nothing();
	expect(SYS_execve, 1, AT_FDCWD, self);
	check_paths(pid, "exec");
}

#ifdef __x86_64__
/* A 64-bit program may make 32-bit calls. The kernel ignores the upper halves of the arguments. */
static long call_ia32(long number, const char *path)
{
	long result;

	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(number), "b"(path), "c"(0)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static void test_ia32(void)
{
	enum { IA32_OPEN = 5, ABI_IA32 = 1 };
	char *path = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	pid_t pid;

	bail_if(path == MAP_FAILED, "mmap");
	strcpy(path, "/no/file/of/a/32-bit/call/that/takes/two/records");
	record_only(SYSCALL_PATH);
	pid = spawn(_exit(call_ia32(IA32_OPEN, path) != -ENOENT ||
			  call_ia32(IA32_OPEN, path + (1ull << 40)) != -ENOENT));
	if (exit_status(pid)) {
		record_nothing();
		printf("ok %u - a 32-bit call # SKIP this kernel has none\n", ++tap_count);
		return;
	}
	record_nothing();
	for (unsigned int i = 0; i < 2; i++) {
		expect(IA32_OPEN, 1, AT_FDCWD, path);
		expected[i].abi = ABI_IA32;
	}
	check_paths(pid, "a 32-bit call");
}
#else
static void test_ia32(void)
{
}
#endif

/* Sleeping threads */

/* Check that a stack of @thread contains @symbol, and that no stack begins in the scheduler. */
static void check_block(pid_t thread, const char *symbol)
{
	bool found = false, inner = false;
	unsigned int num = 0;

	read_chains(0);
	for (unsigned int i = 0; i < chain_num; i++) {
		const uint64_t *at = (const void *)chains[i].data;

		if (chains[i].etype != PROCESS_BLOCK || chains[i].thread != (uint32_t)thread)
			continue;
		num++;
		for (unsigned int k = 0; k < chains[i].bytes / 8; k++) {
			const char *name = symbol_of(at[k]);

			/* In newer kernels, pipe_read() is named anon_pipe_read(). */
			if (!strncmp(name, "anon_", 5))
				name += 5;
			found |= !strcmp(name, symbol);
			inner |= !strcmp(name, "schedule") || !strcmp(name, "__schedule") ||
				 !strncmp(name, "lkst_probe", 10);
		}
	}
	ok(found, "the stack of a thread that sleeps contains %s() (%u stacks)", symbol, num);
	ok(num && !inner, "%s: no function of the scheduler or of LKST is in a stack", symbol);
}

static void read_from_pipe(int fd)
{
	char byte;

	bail_if(read(fd, &byte, 1) != 1, "read");
}

static void test_block(void)
{
	int ends[2];
	pid_t pid;

	if (!proc_etypes[PROCESS_BLOCK].present) {
		printf("ok %u - stacks # SKIP the kernel has no stack traces\n", ++tap_count);
		return;
	}
	record_only(PROCESS_BLOCK);
	sleep_ms(20);
	record_nothing();
	check_block(gettid(), "hrtimer_nanosleep");

	bail_if(pipe(ends), "pipe");
	record_only(PROCESS_BLOCK);
	pid = spawn(read_from_pipe(ends[0]));
	wait_until_asleep(pid);
	bail_if(write(ends[1], "x", 1) != 1, "write");
	exit_status(pid);
	record_nothing();
	check_block(pid, "pipe_read");
}

/* Kernel messages */

static void check_message(const char *text, unsigned int level)
{
	unsigned int length = strlen(text), seen = 0;
	bool good = false;

	read_chains(0);
	for (unsigned int i = 0; i < chain_num; i++) {
		const struct chain *chain = &chains[i];
		uint32_t word[2];

		if (chain->etype != OOPS_MESSAGE)
			continue;
		memcpy(word, chain->data, sizeof(word));
		seen++;
		good |= chain->whole && !chain->cut && word[1] == level && word[0] == length &&
			chain->bytes == 8 + length && !memcmp(chain->data + 8, text, length);
	}
	ok(good, "a message of %u bytes is recorded as a whole (%u messages)", length, seen);
}

static void test_messages(void)
{
	static const unsigned int lengths[] = { 10, 16, 17, 40, 41, 200, 900 };
	int fd = open("/dev/kmsg", O_WRONLY);

	bail_if(fd < 0, "/dev/kmsg");
	if (!proc_etypes[OOPS_MESSAGE].present) {
		printf("ok %u - messages # SKIP this kernel cannot record them\n", ++tap_count);
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(lengths); i++) {
		const char *text = path_of(lengths[i]);
		char line[1024];
		int length = snprintf(line, sizeof(line), "<5>%s", text);

		record_only(OOPS_MESSAGE);
		/* Each write() is a message. */
		bail_if(write(fd, line, length) != length, "/dev/kmsg");
		record_nothing();
		check_message(text, 5);
	}
	close(fd);
}

/* Record all events, so that interrupts with other events interrupt chains. */
static void test_load(void)
{
	unsigned int damaged = 0, paths = 0, stacks = 0;

	record_only(SYSCALL_PATH);
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
	for (unsigned int i = 0; i < 300; i++) {
		syscall(SYS_openat, AT_FDCWD, path_of(PATH_MAX - 1), O_RDONLY);
		sleep_ms(1);
	}
	record_nothing();
	read_chains(0);
	for (unsigned int i = 0; i < chain_num; i++) {
		damaged += !chains[i].whole;
		paths += chains[i].etype == SYSCALL_PATH && chains[i].bytes == 16 + PATH_MAX - 1;
		stacks += chains[i].etype == PROCESS_BLOCK;
	}
	ok(paths > 10, "all events: %u long paths, %u stacks in %u chains", paths, stacks, chain_num);
	if (!ok(damaged <= chains_cut_by_losses(), "all events: every chain is whole"))
		diag("%u damaged", damaged);
	if (!ok(!parts_without_head || chains_cut_by_losses(),
	   "all events: every part has a head"))
		diag("%u parts without a head", parts_without_head);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return 0;
	open_lkst();
	chains_begin();
	pin(0);
	test_lengths();
	test_calls();
	test_absent();
	test_ended_unseen();
	test_exec(realpath(argv[0], NULL));
	test_ia32();
	test_block();
	test_messages();
	test_load();
	chains_finish();
	return done_testing();
}
