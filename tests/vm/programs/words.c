// SPDX-License-Identifier: GPL-2.0
/* also: -m32 */
/*
 * The bits in the memory of programs follow what is recorded: through fork, vfork, exec, threads
 * and exit, when memory is unmapped, and if a page is provided late or never (by a userfaultfd or a
 * device).
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "user.h"

#define EVENT	    "words_event u32 a"
#define LABEL	    "user_events:words_event"
#define HEAVY_FORKS 300

static int file;
static size_t page;

static void switch_on(bool on)
{
	need(set_maskset(on ? USER_SET : LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

/* Wait up to 30 s until a bit of a word of 4 bytes is as expected. Return whether it is. */
static bool bit_becomes(const volatile uint32_t *word, unsigned int bit, bool on)
{
	for (int i = 0; i < 30000; i++) {
		if ((*word >> bit & 1) == on)
			return true;
		usleep(1000);
	}
	return false;
}

/* Wait up to 30 s until @size bytes are as expected. Return whether they are. */
static bool bytes_become(const volatile void *bytes, const void *expected, size_t size)
{
	for (int i = 0; i < 30000; i++) {
		if (!memcmp((const void *)bytes, expected, size))
			return true;
		usleep(1000);
	}
	return false;
}

static int reg_bit(void *word, unsigned int size, unsigned int bit)
{
	struct lkst_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = size,
		.enable_bit = bit,
		.enable_addr = (uintptr_t)word,
		.name_args = (uintptr_t)EVENT,
	};

	return ioctl_errno(file, LKST_USER_REG, &reg);
}

static int unreg_bit(const void *word, unsigned int bit)
{
	return user_unregister_bit(file, word, bit);
}

/* Check that each bit of words of both sizes changes, and that no other bit changes. */
static void check_each_bit(void)
{
	static const unsigned char pattern[] = { 0x00, 0xff, 0x5a };
	static uint64_t words[3], expected[3];
	bool set = true, cleared = true, stays = true;

	for (unsigned int size = 4; size <= 8; size += 4) {
		for (unsigned int bit = 0; bit < size * 8; bit += bit % 8 ? 1 : 7) {
			unsigned char fill = pattern[bit % 3];
			void *word = (char *)&words[1] + (size == 4 ? bit % 2 * 4 : 0);
			void *want = (char *)&expected[1] + ((char *)word - (char *)&words[1]);

			if (size == 8 && sizeof(long) == 4)
				continue;
			memset(words, fill, sizeof(words));
			memset(expected, fill, sizeof(expected));
			/* All tests of this file run on little-endian machines. */
			*(unsigned char *)((char *)want + bit / 8) &= ~(1u << bit % 8);
			need(reg_bit(word, size, bit), "register");
			cleared &= !memcmp(words, expected, sizeof(words));
			switch_on(true);
			*(unsigned char *)((char *)want + bit / 8) |= 1u << bit % 8;
			set &= bytes_become(words, expected, sizeof(words));
			switch_on(false);
			*(unsigned char *)((char *)want + bit / 8) &= ~(1u << bit % 8);
			cleared &= bytes_become(words, expected, sizeof(words));
			need(unreg_bit(word, bit), "unregister");
			switch_on(true);
			stays &= !memcmp(words, expected, sizeof(words));
			switch_on(false);
		}
	}
	ok(set, "each bit is set while the event is recorded, and no other bit changes");
	ok(cleared,
	   "each bit is cleared when it is registered and when the event is no longer recorded");
	ok(stays, "a bit that is not registered stays as it is");
}

static void check_at_once(void)
{
	static uint32_t word, other;

	switch_on(true);
	need(reg_bit(&word, 4, 3), "register");
	ok(word == 8, "an event that is being recorded sets the bit when it is registered");
	need(reg_bit(&other, 4, 3), "register another bit");
	need(unreg_bit(&word, 3), "unregister");
	ok(!word && other == 8, "unregistering clears the bit, and only that one");
	need(unreg_bit(&other, 3), "unregister the other bit");
	ok(unreg_bit(&other, 3) == ENOENT, "a bit is unregistered once");
	switch_on(false);
}

static atomic_uint shared_word;
static atomic_bool stop;

static void *change_other_bits(void *sum)
{
	unsigned int changes = 0;

	while (!atomic_load(&stop)) {
		atomic_fetch_add(&shared_word, 2);
		changes++;
	}
	*(unsigned int *)sum = changes;
	return NULL;
}

/* The program changes the other bits of the word at the same time. */
static void check_atomic(void)
{
	unsigned int sum;
	pthread_t thread;

	need(reg_bit(&shared_word, 4, 0), "register");
	bail_if(pthread_create(&thread, NULL, change_other_bits, &sum), "pthread_create");
	for (int i = 0; i < 100; i++) {
		switch_on(i % 2 == 0);
		bit_becomes((volatile uint32_t *)&shared_word, 0, i % 2 == 0);
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	ok(shared_word == sum * 2, "no change of another bit is lost");
	need(unreg_bit(&shared_word, 0), "unregister");
}

/* Private memory, so that parent and child have their own copies after a fork. */
static uint32_t *fork_word;
static struct {
	atomic_int go, done;
} * steps;

static void step_wait(int number)
{
	while (atomic_load(&steps->go) < number)
		usleep(1000);
}

static void step_go(int number)
{
	atomic_store(&steps->go, number);
	while (atomic_load(&steps->done) < number)
		usleep(1000);
}

/*
 * The child's side of check_fork(): check the child's copy of the word after each step of the
 * parent. Return the number of the step that failed, or 0.
 */
static int forked_child(void)
{
	step_wait(1); /* on */
	if (!bit_becomes(fork_word, 0, true))
		return 1;
	atomic_store(&steps->done, 1);
	step_wait(2); /* off, and the parent has unregistered its bit */
	if (!bit_becomes(fork_word, 0, false))
		return 2;
	atomic_store(&steps->done, 2);
	step_wait(3); /* on */
	if (!bit_becomes(fork_word, 0, true))
		return 3;
	if (unreg_bit(fork_word, 0) || *fork_word)
		return 4;
	atomic_store(&steps->done, 3);
	return 0;
}

static void check_fork(void)
{
	pid_t child;

	fork_word = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bail_if(fork_word == MAP_FAILED, "mmap");
	steps->go = steps->done = 0;
	need(reg_bit(fork_word, 4, 0), "register");
	child = spawn(_exit(forked_child()));
	switch_on(true);
	step_go(1);
	ok(bit_becomes(fork_word, 0, true), "fork: the bit of the parent is set");
	need(unreg_bit(fork_word, 0), "unregister");
	switch_on(false);
	step_go(2);
	switch_on(true);
	step_go(3);
	ok(!*fork_word, "fork: the child does not change the parent's word");
	ok(exit_status(child) == 0, "fork: the child's bit changes until the child unregisters it");
	switch_on(false);

	/* The other way round: the child unregisters, and the parent's bit stays in use. */
	need(reg_bit(fork_word, 4, 0), "register");
	ok(value_in_child(unreg_bit(fork_word, 0)) == 0, "fork: a child can unregister its bit");
	switch_on(true);
	ok(bit_becomes(fork_word, 0, true), "fork: the bit of the parent stays registered");
	switch_on(false);
	ok(bit_becomes(fork_word, 0, false), "fork: the bit of the parent is cleared");

	/* The bit is set before the fork. */
	switch_on(true);
	bit_becomes(fork_word, 0, true);
	ok(value_in_child(*fork_word ? unreg_bit(fork_word, 0) || *fork_word : 1) == 0,
	   "fork: a child inherits a bit that is set, and can unregister it at once");
	switch_on(false);
	bit_becomes(fork_word, 0, false);
	need(unreg_bit(fork_word, 0), "unregister");
}

/* A debugger stops the child before it has executed anything. */
static void check_traced(void)
{
	static uint32_t word;
	pid_t child, grandchild = 0;
	unsigned long message = 0;
	int status;

	need(reg_bit(&word, 4, 0), "register");
	child = spawn({
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(value_in_child(bit_becomes(&word, 0, true) ? 7 : 8));
	});
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(long)PTRACE_O_TRACEFORK);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	waitpid(child, &status, 0);
	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8)) {
		ptrace(PTRACE_GETEVENTMSG, child, NULL, &message);
		grandchild = (pid_t)message;
		waitpid(grandchild, &status, __WALL);
		switch_on(true);
		errno = 0;
		for (int i = 0;
		     i < 30000 && !(ptrace(PTRACE_PEEKDATA, grandchild, &word, NULL) & 1); i++)
			usleep(1000);
		ok(ptrace(PTRACE_PEEKDATA, grandchild, &word, NULL) & 1 && !errno,
		   "the bit of a child that a debugger has stopped is set");
		ptrace(PTRACE_DETACH, grandchild, NULL, NULL);
		ptrace(PTRACE_DETACH, child, NULL, NULL);
	} else {
		ok(false, "the debugger sees the fork");
		ptrace(PTRACE_DETACH, child, NULL, NULL);
	}
	ok(exit_status(child) == 7, "and the child sees it");
	switch_on(false);
	bit_becomes(&word, 0, false);
	need(unreg_bit(&word, 0), "unregister");
}

static void check_vfork(char *self)
{
	static uint32_t word;
	static volatile bool seen;
	int status;
	pid_t child;

	need(reg_bit(&word, 4, 0), "register");
	child = vfork();
	bail_if(child < 0, "vfork");
	if (!child) {
		/* The child shares the memory of its parent until it calls exec. */
		if (set_maskset(USER_SET))
			_exit(1);
		seen = bit_becomes(&word, 0, true);
		execl(self, self, "true", NULL);
		_exit(1);
	}
	bail_if(waitpid(child, &status, 0) != child, "waitpid");
	ok(!status && seen, "vfork: the child shares the word");
	switch_on(false);
	ok(bit_becomes(&word, 0, false),
	   "vfork: exec in the child does not end the bit of the parent");
	need(unreg_bit(&word, 0), "unregister");
}

/* The event loses its last reference when the only program that has registered it calls exec. */
static void check_exec(char *self)
{
	static uint32_t word;
	int to_child[2], until_exec[2], status;
	pid_t child;
	char end;

	close(file);
	bail_if(pipe(to_child) || pipe2(until_exec, O_CLOEXEC), "pipe");
	child = start_child();
	if (!child) {
		file = user_open();
		if (reg_bit(&word, 4, 0))
			_exit(1);
		close(file);
		dup2(to_child[0], 0);
		close(to_child[1]);
		if (!user_find(LABEL).present)
			_exit(2);
		execl(self, self, "wait", NULL);
		_exit(3);
	}
	/* Only the child has this end of the pipe now, and exec closes it. */
	close(until_exec[1]);
	ok(!read(until_exec[0], &end, 1) && user_becomes(LABEL, false), "exec ends the event");
	close(until_exec[0]);
	ok(!kill(child, 0) && !waitpid(child, &status, WNOHANG), "exec does not end the process");
	close(to_child[1]);
	close(to_child[0]);
	ok(exit_status(child) == 0, "the other program ends without an error");
	file = user_open();
}

/*
 * Register an event in a child that closes the file. End the child with the signal @end, or by
 * exit() if @end is 0. Return whether this ends the event.
 */
static bool ends_with(int end)
{
	static uint32_t word;
	atomic_int *registered = map(page);
	pid_t child = spawn({
		int own = user_open();
		int real = file;

		file = own;
		if (reg_bit(&word, 4, 0))
			_exit(1);
		close(own);
		close(real);
		atomic_store(registered, 1);
		if (end == SIGKILL)
			pause();
		_exit(0);
	});
	bool was;

	while (!atomic_load(registered))
		usleep(1000);
	was = end != SIGKILL || user_find(LABEL).present;
	if (end == SIGKILL)
		kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	munmap(registered, page);
	return was && user_becomes(LABEL, false);
}

static void check_exit(void)
{
	close(file);
	file = open("/dev/null", O_RDONLY);
	ok(ends_with(0), "exit ends the event of a program that has closed its file");
	ok(ends_with(SIGKILL), "SIGKILL ends the event of such a program");
	close(file);
	file = user_open();
}

static atomic_bool thread_seen;

static void *thread_main(void *word)
{
	if (reg_bit(word, 4, 5))
		return NULL;
	switch_on(true);
	thread_seen = bit_becomes(word, 5, true);
	return NULL;
}

static void check_threads(void)
{
	static uint32_t word;
	pthread_t thread;

	bail_if(pthread_create(&thread, NULL, thread_main, &word), "pthread_create");
	pthread_join(thread, NULL);
	ok(thread_seen, "a thread registers a bit");
	switch_on(false);
	ok(bit_becomes(&word, 5, false), "the bit still changes when that thread has exited");
	ok(reg_bit(&word, 4, 5) == EADDRINUSE, "the bit is in use for all threads");
	ok(unreg_bit(&word, 5) == 0, "any thread can unregister the bit");
}

/* The memory of the word is unmapped, protected or mapped again. */
static void check_unmapped(void)
{
	static uint32_t good;
	uint32_t *word =
		mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(reg_bit(word, 4, 1), "register");
	need(reg_bit(&good, 4, 1), "register another one");
	munmap(word, page);
	switch_on(true);
	ok(bit_becomes(&good, 1, true), "a word in unmapped memory does not disturb another one");
	ok(reg_bit(word, 4, 1) == EADDRINUSE, "the word in unmapped memory is still registered");
	bail_if(mmap(word, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0) != word,
		"mmap");
	switch_on(false);
	bit_becomes(&good, 1, false);
	switch_on(true);
	ok(bit_becomes(word, 1, true), "the bit is set if memory is there at the next change");
	bail_if(mprotect(word, page, PROT_READ), "mprotect");
	switch_on(false);
	ok(bit_becomes(&good, 1, false) && *word == 2, "a word that is read-only is not changed");
	ok(unreg_bit(word, 1) == EFAULT && *word == 2, "unregistering a read-only word: EFAULT");
	ok(unreg_bit(word, 1) == ENOENT, "but the word is no longer registered");
	ok(reg_bit(word, 4, 1) == EFAULT, "a read-only word cannot be registered");
	munmap(word, page);
	ok(reg_bit(word, 4, 1) == EFAULT, "a word in unmapped memory cannot be registered");
	need(unreg_bit(&good, 1), "unregister");
}

/* Kinds of memory in which a word can be. */
static void check_memory(void)
{
	char path[] = "/tmp/words.XXXXXX";
	int fd = mkstemp(path);
	static const struct {
		const char *what;
		int flags;
	} kinds[] = {
		{ "shared anonymous memory", MAP_SHARED | MAP_ANONYMOUS },
		{ "a shared file", MAP_SHARED },
		{ "a private file", MAP_PRIVATE },
	};

	bail_if(fd < 0 || ftruncate(fd, (off_t)page), "temporary file");
	unlink(path);
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		uint32_t *word = mmap(NULL, page, PROT_READ | PROT_WRITE, kinds[i].flags,
				      kinds[i].flags & MAP_ANONYMOUS ? -1 : fd, 0);
		bool good;

		bail_if(word == MAP_FAILED, "mmap");
		need(reg_bit(word, 4, 2), "register");
		switch_on(true);
		good = bit_becomes(word, 2, true);
		switch_on(false);
		ok(good && bit_becomes(word, 2, false), "a word can be in %s", kinds[i].what);
		need(unreg_bit(word, 2), "unregister");
		munmap(word, page);
	}
	close(fd);
}

/* Check a word in a page that a userfaultfd provides late. */
static void check_userfaultfd(void)
{
	static uint32_t good;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_zeropage zero;
	uint32_t *word =
		mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	bail_if(fd < 0, "userfaultfd");
	need(reg_bit(word, 4, 0), "register");
	need(reg_bit(&good, 4, 0), "register another word");
	bail_if(ioctl(fd, UFFDIO_API, &api), "UFFDIO_API");
	range.range.start = (uintptr_t)word;
	range.range.len = page;
	bail_if(ioctl(fd, UFFDIO_REGISTER, &range), "UFFDIO_REGISTER");
	bail_if(madvise(word, page, MADV_DONTNEED), "madvise");
	for (int i = 0; i < 10; i++) {
		switch_on(i % 2 == 0);
		if (!bit_becomes(&good, 0, i % 2 == 0))
			break;
	}
	ok(!good, "a page that does not come holds up no switch, and no other word");
	switch_on(true);
	ok(value_in_child(bit_becomes(&good, 0, true)) == 1, "words of other processes change");
	ok(bit_becomes(&good, 0, true), "other words of the same process still change");
	zero.range = range.range;
	zero.mode = 0;
	bail_if(ioctl(fd, UFFDIO_ZEROPAGE, &zero), "UFFDIO_ZEROPAGE");
	ok(bit_becomes(word, 0, true), "the bit is set when the page has come");
	bail_if(madvise(word, page, MADV_DONTNEED), "madvise");
	switch_on(false);
	bit_becomes(&good, 0, false);
	close(fd);
	need(unreg_bit(word, 0), "unregister");
	need(unreg_bit(&good, 0), "unregister the other word");
	munmap(word, page);
}

/* Set the parameter of tests/modules/serving.c: whether page faults wait. */
static void serving_close(bool closed)
{
	int fd = open("/sys/module/serving/parameters/closed", O_WRONLY);

	bail_if(fd < 0 || write(fd, closed ? "1" : "0", 1) != 1, "serving");
	close(fd);
}

/*
 * Check a word in a page of a device that does not provide it for a while. Unlike a userfaultfd,
 * the device makes every page fault wait, as a FUSE server can.
 */
static void check_serving(void)
{
	static uint32_t good;
	int fd = open("/dev/lkst_serving", O_RDWR);
	uint32_t *word = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	bail_if(fd < 0 || word == MAP_FAILED, "/dev/lkst_serving");
	need(reg_bit(word, 4, 0), "register");
	need(reg_bit(&good, 4, 0), "register another word");
	switch_on(true);
	ok(bit_becomes(word, 0, true), "a word can be in a page of a device");
	switch_on(false);
	bit_becomes(word, 0, false);
	bit_becomes(&good, 0, false);
	serving_close(true);
	bail_if(madvise(word, page, MADV_DONTNEED), "madvise");
	switch_on(true);
	ok(bit_becomes(&good, 0, true),
	   "a device that does not provide a page holds up no other word");
	switch_on(false);
	ok(bit_becomes(&good, 0, false), "not at the next switch either");
	ok(value_in_child(unreg_bit(&good, 0)) == 0, "nor a forked child");
	switch_on(true);
	bit_becomes(&good, 0, true);
	serving_close(false);
	ok(bit_becomes(word, 0, true), "the bit is set when the program has the page");
	switch_on(false);
	bit_becomes(&good, 0, false);
	need(unreg_bit(word, 0), "unregister");
	need(unreg_bit(&good, 0), "unregister the other word");
	munmap(word, page);
	close(fd);
}

/* A process can exit although a page with one of its words is never provided. */
static void check_stuck_exit(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	uint32_t *word =
		mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	atomic_int *ready = map(page);
	int status;
	pid_t child = spawn({
		int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

		bail_if(fd < 0, "userfaultfd");
		need(reg_bit(word, 4, 0), "register");
		bail_if(ioctl(fd, UFFDIO_API, &api), "UFFDIO_API");
		range.range.start = (uintptr_t)word;
		range.range.len = page;
		bail_if(ioctl(fd, UFFDIO_REGISTER, &range), "UFFDIO_REGISTER");
		bail_if(madvise(word, page, MADV_DONTNEED), "madvise");
		atomic_store(ready, 1);
		pause();
	});

	while (!atomic_load(ready) && waitpid(child, &status, WNOHANG) != child)
		usleep(1000);
	switch_on(true);
	sleep_ms(50);
	kill(child, SIGKILL);
	ok(atomic_load(ready) && ends_within(30000, child, &status),
	   "a process whose page never comes can exit");
	switch_on(false);
	munmap(ready, page);
	munmap(word, page);
}

/* Processes fork, exit and execute while the maskset is switched. */
static void check_storm(char *self)
{
	static uint32_t word[8];
	pid_t parents[4];
	bool good = true;

	for (unsigned int bit = 0; bit < 8; bit++)
		need(reg_bit(&word[bit], 4, bit), "register");
	for (unsigned int i = 0; i < ARRAY_SIZE(parents); i++)
		parents[i] = spawn({
			for (int num = 0; num < HEAVY_FORKS / 4; num++) {
				pid_t child = fork();

				if (!child && num % 3 == 0)
					execl(self, self, "true", NULL);
				if (!child) {
					static uint32_t own;

					if (num % 3 == 1 &&
					    (reg_bit(&own, 4, 0) || unreg_bit(&word[3], 3)))
						_exit(1);
					_exit(0);
				}
				if (exit_status(child))
					_exit(1);
			}
		});
	for (int i = 0; i < 100; i++) {
		switch_on(i % 2 == 0);
		good &= bit_becomes(&word[7], 7, i % 2 == 0);
	}
	ok(all_exit(parents, ARRAY_SIZE(parents)), "processes fork and exit while bits change");
	for (unsigned int bit = 0; bit < 8; bit++) {
		good &= bit_becomes(&word[bit], bit, false) && !word[bit];
		need(unreg_bit(&word[bit], bit), "unregister");
	}
	ok(good, "meanwhile, the words of their parent follow each change");
}

/*
 * For words_unload.t: register bits, print "ready" when they are set, and wait until they have been
 * cleared. Meanwhile a child has its own copies, and no file of LKST is open. Return the status.
 */
static int hold(void)
{
	static uint32_t words[2];
	pid_t child;

	file = user_open();
	if (reg_bit(&words[0], 4, 4) || reg_bit(&words[1], 4, 31))
		return 1;
	close(file);
	child = spawn(_exit(!bit_becomes(&words[0], 4, true) || !bit_becomes(&words[0], 4, false) ||
			    !bit_becomes(&words[1], 31, false)));
	if (!bit_becomes(&words[0], 4, true) || !bit_becomes(&words[1], 31, true))
		return 2;
	puts("ready");
	fflush(stdout);
	if (!bit_becomes(&words[0], 4, false) || !bit_becomes(&words[1], 31, false))
		return 3;
	return exit_status(child) ? 4 : 0;
}

int main(int argc, char **argv)
{
	char c;

	if (argc > 1 && !strcmp(argv[1], "true"))
		return 0;
	if (argc > 1 && !strcmp(argv[1], "wait"))
		return read(0, &c, 1) != 0;
	if (argc > 1 && !strcmp(argv[1], "hold"))
		return hold();
	user_begin();
	page = (size_t)sysconf(_SC_PAGESIZE);
	steps = map(page);
	file = user_open();
	check_each_bit();
	check_at_once();
	check_atomic();
	check_fork();
	check_traced();
	check_vfork(argv[0]);
	check_threads();
	check_unmapped();
	check_memory();
	check_userfaultfd();
	check_serving();
	check_stuck_exit();
	check_storm(argv[0]);
	check_exec(argv[0]);
	check_exit();
	close(file);
	ok(user_becomes(LABEL, false), "nothing holds the event any longer");
	user_finish();
	return done_testing();
}
