// SPDX-License-Identifier: GPL-2.0
/* also: -m32 */
/*
 * misuse SECONDS [SEED]: processes use /dev/lkst_user_events at random, often with invalid
 * arguments, while they fork, execute, exit, and change their memory. Each call must have a
 * documented result, and no event may be left afterwards. The debug kernel finds errors that this
 * program cannot see, and reports them in its log.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include "user.h"

#define PROCESSES 6
#define FILES	  6
#define PAGES	  16
#define PAGE	  4096
#define STEPS	  3000 /* maximum number of steps of a child */
#define DEPTH	  2 /* generations of children */

/*
 * The pages whose mappings change are at these addresses, where nothing else is mapped. The files
 * have numbers that are never in files[].
 */
#define OWN	    0x20000000
#define COMMON	    0x30000000
#define COMMON_FILE 200
#define RESULT_FILE 201

static struct results {
	struct wrongs wrongs;
	unsigned long steps, registered, unregistered, deleted, written; /* without errors */
} * results; /* of all processes */

static uint64_t state; /* of the random numbers */
static int files[FILES];
static char *own, *common; /* PAGES pages of the process, and as many that processes share */
static int depth; /* generation of this process */
static struct lkst_user_reg last; /* the last successful registration */

static uint32_t any(uint32_t limit)
{
	uint64_t now = __atomic_load_n(&state, __ATOMIC_RELAXED);

	now ^= now << 13;
	now ^= now >> 7;
	now ^= now << 17;
	__atomic_store_n(&state, now, __ATOMIC_RELAXED);
	return (now >> 16) % limit;
}

static uint64_t any64(void)
{
	return (uint64_t)any(UINT_MAX) << 32 | any(UINT_MAX);
}

/* Mostly a word that may exist, otherwise an address that is not valid. */
static uint64_t any_address(void)
{
	switch (any(32)) {
	case 0:
		return any64();
	case 1:
		return any(2) ? 0 : any(PAGE);
	case 2:
		return 0xffffffff81000000 + any(1 << 24);
	case 3:
		return (1ull << 47) - any(2 * PAGE);
	case 4:
		return (uintptr_t)own + any(PAGES * PAGE);
	case 5:
	case 6:
		return (uintptr_t)common + any(PAGES) * PAGE + any(2) * 4;
	case 7:
		return (uintptr_t)&user_words[any(8)];
	default:
		return (uintptr_t)own + any(PAGES) * PAGE + any(2) * 4;
	}
}

static int any_file(void)
{
	return files[any(FILES)];
}

static const char *const texts[] = {
	"",
	" ",
	"misuse_a",
	"misuse_a u32 a",
	"misuse_a u32 a; char[8] b",
	"misuse_b u64 a",
	"misuse_b u64 a;",
	"misuse_c __rel_loc char[] a",
	"misuse_c __data_loc char[] a; u8 b",
	"misuse_d struct s a 20; s16 b",
	"misuse_e char[4000] a",
	"misuse_e char[9000] a",
	"misuse_f:flag u32 a",
	"misuse_g long a",
	"misuse_h u32 a;;",
	"misuse_i u32 a 4",
	"misuse_j struct s a 0",
	"misuse_k char[0] a",
	"misuse_l u32",
	"misuse/m u32 a",
	"misuse_n u8 a; u8 b; u8 c; u8 d; u8 e; u8 f; u8 g; u8 h; u8 i; u8 j; u8 k; u8 l",
};

/* Return a text, which may be the description of an event, or an address that is not valid. */
static const char *any_text(void)
{
	static __thread char here[PAGE];
	size_t len;

	if (!any(32))
		return (const char *)(uintptr_t)any_address();
	if (any(3))
		len = snprintf(here, sizeof(here), "%s", texts[any(ARRAY_SIZE(texts))]);
	else
		len = snprintf(here, sizeof(here), "misuse_%u %s a%u", any(400),
			       any(2) ? "u32" : "s8", any(4));
	for (unsigned int i = any(16) ? 0 : any(4); i; i--)
		here[any(len + 1)] = any(256);
	if (!any(32)) {
		len = any(PAGE);
		memset(here + strlen(here), "x; "[any(3)], PAGE - strlen(here));
		here[len] = '\0';
	}
	return here;
}

static bool is_one_of(int error, const int *errors, unsigned int num)
{
	while (num--)
		if (errors[num] == error)
			return true;
	return false;
}

/*
 * Check an error, and count calls without one in @count. A call may get EBADF or ENOTTY if another
 * thread has just closed the descriptor and opened another file.
 */
#define expect(count, error, what, ...)                                           \
	do {                                                                      \
		static const int errors_[] = { 0, __VA_ARGS__ };                  \
		int error_ = (error);                                             \
                                                                                  \
		if (!error_)                                                      \
			__atomic_fetch_add(&results->count, 1, __ATOMIC_RELAXED); \
		if (!is_one_of(error_, errors_, ARRAY_SIZE(errors_)))             \
			wrong("%s: %s", what, strerror(error_));                  \
	} while (0)

static void do_register(void)
{
	static const uint32_t sizes[] = { 0, 27, 28, 29, 4096, 4097, UINT_MAX };
	static __thread struct {
		struct lkst_user_reg reg;
		char rest[PAGE];
	} big;
	void *at = any(16) ? &big : (void *)(uintptr_t)any_address();

	big.reg = (struct lkst_user_reg){
		.size = any(4) ? sizeof(big.reg) :
			any(8) ? sizes[any(ARRAY_SIZE(sizes))] :
				 any(UINT_MAX),
		.enable_bit = any(16) ? any(2) : any(256),
		.enable_size = any(32) ? (any(2) ? 4 : 8) : any(256),
		.flags = any(4) ? 0 :
			 any(8) ? any(4) :
				  any(65536),
		.enable_addr = any_address(),
		.name_args = (uintptr_t)any_text(),
	};
	big.rest[any(sizeof(big.rest))] = !any(2);
	if (!any(4))
		big.reg.enable_addr = last.enable_addr;
	expect(registered, ioctl_errno(any_file(), LKST_USER_REG, at), "register", EINVAL, EFAULT,
	       E2BIG, EPERM, EADDRINUSE, EBADF, ENOTTY, ENOMEM, ENOSPC, EMFILE);
	memset(big.rest, 0, sizeof(big.rest));
	if (at == &big && big.reg.write_index)
		last = big.reg;
}

static void do_unregister(void)
{
	struct lkst_user_unreg unreg = {
		.size = any(16) ? sizeof(unreg) : any(2 * PAGE),
		.disable_bit = any(16) ? any(2) : any(256),
		.disable_addr = any_address(),
	};
	void *at = any(16) ? &unreg : (void *)(uintptr_t)any_address();

	if (any(2)) {
		unreg.disable_bit = last.enable_bit;
		unreg.disable_addr = last.enable_addr;
	}
	if (!any(32))
		unreg.__reserved = 1;
	expect(unregistered, ioctl_errno(any_file(), LKST_USER_UNREG, at), "unregister", EINVAL,
	       EFAULT, E2BIG, ENOENT, EBADF, ENOTTY, ENOMEM);
}

static void do_delete(void)
{
	char name[PAGE];
	const char *text = any_text();

	if (any(4)) {
		snprintf(name, sizeof(name), "misuse_%c", 'a' + any(8));
		text = name;
	}
	expect(deleted, ioctl_errno(any_file(), LKST_USER_DELETE, (void *)text), "delete", EINVAL,
	       EFAULT, ENOENT, EBUSY, EPERM, EBADF, ENOTTY, E2BIG, ENAMETOOLONG);
}

static void do_unknown_ioctl(void)
{
	unsigned long request = any(2) ? any(UINT_MAX) :
					 (any(UINT_MAX) & ~0xffffu) | '*' << 8 | any(4);

	/* Files of all kinds have ioctls of these types, one of which freezes the file system. */
	if (!strchr("TXf", request >> 8 & 0xff))
		ioctl(any_file(), request, any_address());
}

static void do_write(void)
{
	static __thread char payload[12000];
	struct iovec part[5];
	unsigned int num = any(ARRAY_SIZE(part) + 1), index = any(16) ? any(8) : any(UINT_MAX);

	memcpy(payload, &index, sizeof(index));
	for (unsigned int i = 0; i < 8; i++)
		payload[4 + any(64)] = any(256);
	if (any(2)) {
		ssize_t result = write(any_file(),
				       any(16) ? payload : (void *)(uintptr_t)any_address(),
				       any(4) ? any(64) : any(sizeof(payload)));

		expect(written, result < 0 ? errno : 0, "write", EINVAL, EFAULT, ENOENT, EBADF, EIO,
		       ENOMEM, E2BIG);
		return;
	}
	for (unsigned int i = 0; i < num; i++)
		part[i] = (struct iovec){ any(8) ? payload + i : (void *)(uintptr_t)any_address(),
					  any(4) ? any(64) : any(sizeof(payload) - 8) };
	expect(written, writev(any_file(), part, num) < 0 ? errno : 0, "writev", EINVAL, EFAULT,
	       ENOENT, EBADF, EIO, ENOMEM, E2BIG);
}

static void do_other_calls(void)
{
	char text[256];
	int fd;

	switch (any(6)) {
	case 0:
		read(any_file(), text, sizeof(text));
		break;
	case 1:
		lseek(any_file(), any(100), SEEK_SET);
		break;
	case 2:
		pwrite(any_file(), text, any(sizeof(text)), any(8));
		break;
	case 3:
		mmap(NULL, PAGE, PROT_READ, MAP_SHARED, any_file(), 0);
		break;
	default:
		fd = open(any(2) ? USER_STATUS : "/proc/lkst_etypes", O_RDONLY);
		read(fd, text, any(sizeof(text)));
		close(fd);
	}
}

static void do_file(void)
{
	int *fd = &files[any(FILES)];

	switch (any(6)) {
	case 0:
		close(*fd);
		*fd = open(USER_FILE, O_RDWR | (any(2) ? O_CLOEXEC : 0));
		break;
	case 1:
		close(*fd);
		*fd = dup(any_file());
		break;
	case 2:
		close(*fd);
		*fd = -1;
		break;
	default:
		if (fcntl(*fd, F_GETFD) < 0)
			*fd = open(USER_FILE, O_RDWR);
	}
}

/* Change the mappings of some pages. The words of the program may be in them. */
static void do_memory(void)
{
	unsigned int first = any(PAGES), num = 1 + any(PAGES - first);
	char *at = (any(2) ? own : common) + first * PAGE;
	size_t size = num * PAGE;

	switch (any(16)) {
	case 0:
		munmap(at, size);
		break;
	case 1:
		mprotect(at, size, any(8));
		break;
	case 2:
		madvise(at, size, any(2) ? MADV_DONTNEED : MADV_FREE);
		break;
	case 3:
		madvise(at, size, any(2) ? MADV_DONTFORK : MADV_DOFORK);
		break;
	case 4:
		mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, own + any(PAGES) * PAGE);
		break;
	case 5:
		mmap(at, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED, COMMON_FILE,
		     first * PAGE);
		break;
	case 6:
		ftruncate(COMMON_FILE, any(PAGES + 1) * PAGE);
		break;
	default:
		mmap(at, size, any(8) ? PROT_READ | PROT_WRITE : PROT_READ,
		     MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | (any(2) ? MAP_POPULATE : 0), -1, 0);
	}
}

static void steps(unsigned int num);

static void *thread(void *num)
{
	steps((uintptr_t)num);
	return NULL;
}

static void execute(int generation)
{
	char seed[24], number[12];

	snprintf(seed, sizeof(seed), "%ju", (uintmax_t)any64());
	snprintf(number, sizeof(number), "%d", generation);
	execl("/proc/self/exe", "misuse", "again", seed, number, NULL);
	_exit(1);
}

/* Continue in a child or a thread, or execute the program again. */
static void do_process(void)
{
	unsigned int num = any(STEPS), kind = any(8);
	pthread_t threads[2];
	pid_t pid;

	if (depth >= DEPTH)
		return;
	if (kind < 2) {
		for (unsigned int i = 0; i < ARRAY_SIZE(threads); i++)
			bail_if(pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)num),
				"thread");
		for (unsigned int i = 0; i < ARRAY_SIZE(threads); i++)
			pthread_join(threads[i], NULL);
		return;
	}
	pid = kind == 2 ? vfork() : fork();
	if (!pid) {
		if (kind == 2)
			execute(depth + 1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		depth++;
		state = any64() * 2 + getpid();
		if (kind == 3)
			execute(depth);
		if (kind == 4)
			as_nobody();
		steps(num);
		_exit(0);
	}
	if (pid < 0)
		return;
	steps(any(num + 1));
	if (any(2))
		kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void steps(unsigned int num)
{
	while (num--) {
		unsigned int kind = any(1000);

		__atomic_fetch_add(&results->steps, 1, __ATOMIC_RELAXED);
		if (kind < 300)
			do_register();
		else if (kind < 450)
			do_unregister();
		else if (kind < 500)
			do_delete();
		else if (kind < 530)
			do_unknown_ioctl();
		else if (kind < 830)
			do_write();
		else if (kind < 860)
			do_other_calls();
		else if (kind < 910)
			do_file();
		else if (kind < 997)
			do_memory();
		else
			do_process();
	}
}

static void switch_masksets(void)
{
	reopen_lkst();
	for (;;) {
		if (set_maskset(USER_SET) || set_maskset(LKST_MASKSET_ID_RNOTHING))
			wrong("MASKSET_SET: %s", strerror(errno));
		sleep_ms(any(10));
	}
}

/* Create a file in memory, which stays open when the program is executed again. */
static void make_file(int number, size_t size)
{
	int fd = memfd_create("misuse", 0);

	bail_if(fd < 0 || dup2(fd, number) != number || ftruncate(number, size), "memfd_create");
	close(fd);
}

static void prepare(uint64_t seed)
{
	state = seed * 2 + 1;
	for (unsigned int i = 0; i < FILES; i++)
		files[i] = open(USER_FILE, O_RDWR);
	results = mmap(NULL, sizeof(*results), PROT_READ | PROT_WRITE, MAP_SHARED, RESULT_FILE, 0);
	bail_if(results == MAP_FAILED, "memory");
	wrongs = &results->wrongs;
	own = mmap((void *)OWN, PAGES * PAGE, PROT_READ | PROT_WRITE,
		   MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	common = mmap((void *)COMMON, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED,
		      COMMON_FILE, 0);
	bail_if(own == MAP_FAILED || common == MAP_FAILED, "memory");
}

/* Replace the octal escapes of the status file in place by the characters that they stand for. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		unsigned int character = *text;

		if (*text == '\\' && sscanf(text, "\\%3o", &character) == 1)
			text += 3;
		*to++ = (char)character;
	}
	*to = '\0';
}

/*
 * Delete an event by its name in the status file, where the name of an event with several formats
 * ends with a number.
 */
static void delete_shown(int fd, char *shown)
{
	char *number = strrchr(shown, '.');

	unescape(shown);
	if (!user_delete(fd, shown) || !number)
		return;
	*strrchr(shown, '.') = '\0';
	user_delete(fd, shown);
}

/* Delete all events that persist, and return how many events are left in the end. */
static unsigned int events_left(void)
{
	char line[8192], first[sizeof(line)] = "";
	int fd = user_open();
	unsigned int left = 0;

	for (int tries = 0; tries < 3000; tries++) {
		FILE *status = fopen(USER_STATUS, "r");

		bail_if(!status, USER_STATUS);
		left = 0;
		while (fgets(line, sizeof(line), status) && *line != '\n') {
			line[strcspn(line, " \n")] = '\0';
			if (!left++)
				strcpy(first, line);
			delete_shown(fd, line);
		}
		fclose(status);
		if (!left)
			break;
		sleep_ms(10);
	}
	if (left)
		diag("%u, the first: %s", left, first);
	close(fd);
	return left;
}

static void check_recording(void)
{
	int fd = user_open(), index;
	size_t num;

	need(user_register(fd, "misuse_end u32 a", 0, &user_words[100], &index), "register");
	user_record();
	ok(user_write(fd, index, "abcd", 4) == 0, "an event can be recorded");
	num = user_read();
	ok(user_count(num, user_find("user_events:misuse_end").etype) == 1, "it was recorded");
	need(user_unregister(fd, &user_words[100]), "unregister");
	close(fd);
}

int main(int argc, char **argv)
{
	pid_t pids[PROCESSES], switcher;
	uint64_t seed;

	bail_if(argc < 2, "usage: misuse SECONDS [SEED]");
	seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000003;
	if (!strcmp(argv[1], "again")) {
		depth = atoi(argv[3]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prepare(seed);
		steps(any(STEPS));
		return 0;
	}
	diag("seed %ju", (uintmax_t)seed);
	user_begin();
	make_file(COMMON_FILE, PAGES * PAGE);
	make_file(RESULT_FILE, sizeof(*results));
	prepare(seed);
	for (int i = 0; i < PROCESSES; i++)
		pids[i] = spawn({
			setpgid(0, 0);
			bail_if(move_to(i % 2), "sched_setaffinity");
			state = (seed + i) * 2 + 1;
			for (;;)
				steps(STEPS);
		});
	switcher = spawn(switch_masksets());
	sleep(atoi(argv[1]));
	for (int i = 0; i < PROCESSES; i++) {
		kill(-pids[i], SIGKILL);
		kill(pids[i], SIGKILL);
		exit_status(pids[i]);
	}
	kill(switcher, SIGKILL);
	exit_status(switcher);
	for (int i = 0; i < FILES; i++)
		close(files[i]);
	ok(results->registered && results->unregistered && results->written,
	   "some calls of each kind succeed");
	diag("of %lu calls, %lu registered, %lu unregistered, %lu deleted, %lu recorded",
	     results->steps, results->registered, results->unregistered, results->deleted,
	     results->written);
	report_wrongs("each call has a documented result");
	ok(!events_left(), "no event is left");
	check_recording();
	user_finish();
	return done_testing();
}
