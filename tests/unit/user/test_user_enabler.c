// SPDX-License-Identifier: GPL-2.0
/*
 * Enablers of user events (kernel/lkst/user/enabler.c and words*.c) in the simulated kernel of
 * enabler_world.h: which bits change and when, that work items do not wait for a program, and that
 * nothing is left at the end. The simulation ends the program if the code violates a rule of the
 * kernel, for example by sleeping with a spin lock held.
 */
#include "tap.h"

/* A mutant replaces one of the files. */
#ifndef ENABLER
#define ENABLER "../../../kernel/lkst/user/enabler.c"
#endif
#ifndef WORDS
#define WORDS "../../../kernel/lkst/user/words.c"
#endif
#ifndef WORDS_FORK
#define WORDS_FORK "../../../kernel/lkst/user/words_fork.c"
#endif
#ifndef WORDS_WRITE
#define WORDS_WRITE "../../../kernel/lkst/user/words_write.c"
#endif

/* enabler_world.h must come first, because it replaces the headers that the files below include. */
#include "enabler_world.h"

/* clang-format off */
#include WORDS
#include WORDS_FORK
#include WORDS_WRITE
#include ENABLER
/* clang-format on */

#define EVENTS 3

static struct lkst_user_event events[EVENTS];
static struct mm_struct mms[3];
static struct task_struct tasks[3];

bool lkst_user_event_on(const struct lkst_user_event *event)
{
	return event->on;
}

void lkst_user_event_get(struct lkst_user_event *event)
{
	MUST(event->refs > 0);
	event->refs++;
}

void lkst_user_event_put(struct lkst_user_event *event)
{
	MUST(event->refs > 1 && !world.atomic && !world.mutexes);
	event->refs--;
}

/* Create process @i, with zeroed memory. */
static void create(int i)
{
	memset(&mms[i], 0, sizeof(mms[i]));
	mms[i].mm_users.counter = mms[i].count = 1;
	tasks[i].mm = &mms[i];
}

/* The current process forks. Its pages are shared with the child @i. */
static void fork_to(int i, u64 flags)
{
	if (flags & CLONE_VM) {
		tasks[i].mm = current->mm;
		tasks[i].mm->mm_users.counter++;
	} else {
		create(i);
		for (int p = 0; p < WORLD_PAGES; p++) {
			if (current->mm->page[p].state == PAGE_THERE)
				current->mm->page[p].state = PAGE_SHARED;
			memcpy(&mms[i].page[p], &current->mm->page[p], sizeof(struct page));
		}
	}
	if (world.newtask)
		world.newtask(NULL, &tasks[i], flags);
}

/* Process @i exits or executes another program. */
static void leave(int i)
{
	struct mm_struct *mm = tasks[i].mm;

	tasks[i].mm = NULL;
	mmput_async(mm);
}

static u32 word(int i, unsigned long address)
{
	u32 value;

	memcpy(&value, world_page(&mms[i], address)->bytes + address % 4096, sizeof(value));
	return value;
}

static void set_word(int i, unsigned long address, u32 value)
{
	memcpy(world_page(&mms[i], address)->bytes + address % 4096, &value, sizeof(value));
}

static void turn(int event, bool on)
{
	events[event].on = on;
	lkst_enablers_update();
}

static void setup(void)
{
	memset(&world, 0, sizeof(world));
	memset(tasks, 0, sizeof(tasks));
	for (int i = 0; i < EVENTS; i++)
		events[i] = (struct lkst_user_event){ .refs = 1 };
	create(0);
	current = &tasks[0];
	lkst_newtask_probed = false;
	ck_assert_int_eq(lkst_enablers_start(), 0);
}

/* LKST stops, and the remaining processes exit afterwards. Nothing may be left. */
static void teardown(void)
{
	world.no_memory = false;
	lkst_enablers_stop();
	for (int i = 0; i < NUM(tasks); i++)
		if (tasks[i].mm)
			leave(i);
	for (int i = 0; i < NUM(mms); i++)
		ck_assert_int_eq(mms[i].count, 0);
	for (int i = 0; i < EVENTS; i++)
		ck_assert_int_eq(events[i].refs, 1);
	ck_assert_int_eq(world.allocated, 0);
	ck_assert_ptr_null(world.queue);
	ck_assert_ptr_null((void *)(uintptr_t)world.newtask);
}

TESTS(.setup = setup, .teardown = teardown);

#define AT(page, offset) (WORLD_BASE + (page)*4096ul + (offset))

static const struct {
	unsigned int size, bit;
	unsigned long address;
	u32 low, high; /* the word with only this bit set */
} bits[] = {
	{ 4, 0, AT(0, 0), 1, 0 },
	{ 4, 31, AT(0, 4092), 1u << 31, 0 },
	{ 4, 7, AT(1, 4), 1u << 7, 0 },
	{ 8, 0, AT(2, 0), 1, 0 },
	{ 8, 31, AT(2, 8), 1u << 31, 0 },
	{ 8, 32, AT(2, 16), 0, 1 },
	{ 8, 63, AT(3, 4088), 0, 1u << 31 },
};

/* Change the bit of row @i in a word that is filled with a pattern. No other bit changes. */
static void check_bit(int i, u32 fill)
{
	unsigned long address = bits[i].address;
	bool wide = bits[i].size == 8;
	u32 low = fill & ~bits[i].low, high = fill & ~bits[i].high;

	set_word(0, address, fill);
	if (wide)
		set_word(0, address + 4, fill);
	ck_assert_int_eq(lkst_enabler_add(&events[0], address, bits[i].bit, bits[i].size, true), 0);
	for (int turns = 0; turns < 5; turns++) {
		bool on = turns % 2;

		if (turns)
			turn(0, on);
		world_settle();
		ck_assert_uint_eq(word(0, address), low | (on ? bits[i].low : 0));
		if (wide)
			ck_assert_uint_eq(word(0, address + 4), high | (on ? bits[i].high : 0));
	}
	turn(0, true);
	world_settle();
	ck_assert_int_eq(lkst_enabler_remove(address, bits[i].bit), 0);
	ck_assert_uint_eq(word(0, address), low);
	if (wide)
		ck_assert_uint_eq(word(0, address + 4), high);
	turn(0, false);
}

TEST_EACH(test_bits, bits)
{
	check_bit(_i, 0);
	check_bit(_i, 0xa5a5a5a5);
	check_bit(_i, ~0u);
}

/* When a bit is registered, it gets the state of its event. */
TEST(test_registering)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 1, 4, true), 0);
	ck_assert_uint_eq(word(0, AT(0, 0)), 2);
	ck_assert_int_eq(events[0].refs, 2);
	set_word(0, AT(0, 8), 0xff);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 8), 1, 4, true), 0);
	ck_assert_uint_eq(word(0, AT(0, 8)), 0xfd);
}

TEST(test_in_use)
{
	ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 1), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 1, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 1), -EADDRINUSE);
	ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 2), 0);
	ck_assert_int_eq(lkst_enabler_check(AT(0, 4), 1), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 1, 4, true), -EADDRINUSE);
	ck_assert_int_eq(events[1].refs, 1);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 2, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 3), -ENOENT);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 1), 0);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 1), -ENOENT);
	ck_assert_int_eq(events[0].refs, 1);
	ck_assert_int_eq(events[1].refs, 2);
	ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 1), 0);
	/* Another process has its own words. */
	create(1);
	current = &tasks[1];
	ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 2), 0);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 2), -ENOENT);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 2, 4, true), 0);
}

static const struct {
	enum page_state state;
	int ret;
} states[] = {
	{ PAGE_THERE, 0 },	 { PAGE_COMES, 0 },	      { PAGE_SHARED, 0 },
	{ PAGE_NEVER, -EFAULT }, { PAGE_READ_ONLY, -EFAULT }, { PAGE_UNMAPPED, -EFAULT },
};

/* A word must be writable when it is registered, even if its bit already has the right value. */
TEST_EACH(test_register_page, states)
{
	mms[0].page[1].state = states[_i].state;
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), states[_i].ret);
	ck_assert_int_eq(events[0].refs, states[_i].ret ? 1 : 2);
	ck_assert_int_eq(lkst_enabler_check(AT(1, 0), 0), states[_i].ret ? 0 : -EADDRINUSE);
}

/* Unregistering a word that cannot be written returns an error, but unregisters the word. */
TEST_EACH(test_unregister_page, states)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	mms[0].page[1].state = states[_i].state;
	ck_assert_int_eq(lkst_enabler_remove(AT(1, 0), 0), states[_i].ret);
	ck_assert_uint_eq(word(0, AT(1, 0)), states[_i].ret ? 1 : 0);
	ck_assert_int_eq(events[0].refs, 1);
}

/*
 * If a page does not become present, its word is tried again at growing intervals. Meanwhile the
 * page does not delay the changes of other words.
 */
TEST(test_never)
{
	unsigned long delay = 0;

	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	world_settle();
	mms[0].page[0].state = PAGE_NEVER;
	create(1);
	current = &tasks[1];
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	ck_assert_uint_eq(word(0, AT(1, 0)), 1);
	ck_assert_uint_eq(word(1, AT(0, 0)), 1);
	for (int i = 0; i < 20; i++) {
		ck_assert_ptr_nonnull(world.queue);
		ck_assert_uint_ge(world.queue->delay, delay);
		delay = world.queue->delay;
		ck_assert_uint_le(delay, HZ);
		ck_assert(world_run(ULONG_MAX));
	}
	ck_assert_uint_eq(delay, HZ);
	mms[0].page[0].state = PAGE_THERE;
	ck_assert(world_run(ULONG_MAX));
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert(!world_run(ULONG_MAX));
}

/* The next change does not wait until the next attempt is due. */
TEST(test_change_while_waiting)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	mms[0].page[0].state = PAGE_NEVER;
	turn(0, true);
	world_settle();
	mms[0].page[0].state = PAGE_THERE;
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	lkst_enablers_update();
	lkst_enablers_flush();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
}

/* A word that is unmapped or read-only is left alone until the next change. */
TEST(test_unmapped)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	mms[0].page[0].state = PAGE_UNMAPPED;
	mms[0].page[1].state = PAGE_READ_ONLY;
	turn(0, true);
	world_settle();
	ck_assert(!world_run(ULONG_MAX));
	mms[0].page[0].state = mms[0].page[1].state = PAGE_THERE;
	ck_assert_uint_eq(word(0, AT(0, 0)) | word(0, AT(1, 0)), 0);
	lkst_enablers_update();
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)) & word(0, AT(1, 0)), 1);
}

/*
 * If the address space is locked, the change is tried again. lkst_enablers_flush() waits for the
 * change.
 */
TEST(test_locked)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	mms[0].mmap_lock = 1;
	turn(0, true);
	world_settle();
	ck_assert(!lkst_words_all_done(lkst_words_changes.counter));
	mms[0].mmap_lock = 0;
	ck_assert(world_run(ULONG_MAX));
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert(lkst_words_all_done(lkst_words_changes.counter));
}

static const struct {
	const char *type;
	unsigned long magic;
	unsigned int flags, mode;
	bool bounded;
} files[] = {
	{ "ext4", 0xef53, 0, S_IFREG, true },
	{ "nfs", 0x6969, 0, S_IFREG, true },
	{ "tmpfs", TMPFS_MAGIC, 0, S_IFREG, true },
	{ "tmpfs", TMPFS_MAGIC, SB_NOUSER, S_IFREG, true },
	{ "hugetlbfs", HUGETLBFS_MAGIC, SB_NOUSER, S_IFREG, true },
	{ "virtiofs", FUSE_SUPER_MAGIC, 0, S_IFREG, true },
	{ "fuse", FUSE_SUPER_MAGIC, 0, S_IFREG, false },
	{ "fuseblk", FUSE_SUPER_MAGIC, 0, S_IFREG, false },
	{ "devtmpfs", TMPFS_MAGIC, 0, S_IFCHR, false },
	{ "anon_inodefs", 0x09041934, SB_NOUSER, S_IFREG, false },
};

/* Process 0 maps the file of row @i. */
static void map_file(int i)
{
	static struct file_system_type type;
	static struct super_block sb = { .s_type = &type };
	static struct inode inode;
	static struct file file = { &inode };

	type.name = files[i].type;
	sb.s_magic = files[i].magic;
	sb.s_flags = files[i].flags;
	inode = (struct inode){ files[i].mode, &sb };
	mms[0].file = &file;
}

/*
 * The word is in a page of a file, and the page has not been faulted in. The work item faults the
 * page in only if the fault cannot wait for a program such as a FUSE server. Otherwise the work
 * item tries again until a page fault of the process has made the page present.
 */
TEST_EACH(test_file, files)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	world_settle();
	map_file(_i);
	mms[0].page[0].state = files[_i].bounded ? PAGE_COMES : PAGE_SERVED;
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), files[_i].bounded);
	ck_assert_uint_eq(word(0, AT(1, 0)), 1);
	mms[0].page[0].state = PAGE_THERE;
	ck_assert(world_run(ULONG_MAX) == !files[_i].bounded);
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert(!world_run(ULONG_MAX));
	/* A word that is unmapped is not tried again. */
	mms[0].page[0].state = PAGE_UNMAPPED;
	mms[0].page[1].state = PAGE_READ_ONLY;
	turn(0, false);
	world_settle();
	ck_assert(!world_run(ULONG_MAX));
}

/*
 * If a page fault can wait for a program, the notifier is not registered. Instead, the work item
 * checks whether the address space has ended.
 */
TEST_EACH(test_file_unwatched, files)
{
	map_file(_i);
	if (!files[_i].bounded)
		mms[0].page[1].state = PAGE_SERVED;
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	ck_assert_int_eq(mms[0].notifier != NULL, files[_i].bounded);
	turn(0, false);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	ck_assert(world_run(ULONG_MAX) == !files[_i].bounded);
	leave(0);
	world_run(ULONG_MAX);
	ck_assert_int_eq(events[0].refs, 1);
}

/*
 * Called when mmap_lock is released: first after the bit has been written, and then after the first
 * check of the mappings. The second call maps a file of FUSE.
 */
static void map_late(void)
{
	static int calls;

	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	if (++calls < 2)
		return;
	map_file(6);
	mms[0].page[1].state = PAGE_SERVED;
}

/*
 * The bit is written before the notifier is registered. The notifier is not registered if another
 * thread maps a file of FUSE in between.
 */
TEST(test_file_mapped_late)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	turn(0, true);
	world.unlocked = map_late;
	ck_assert(world_run(0));
	ck_assert_ptr_nonnull(mms[0].file);
	ck_assert_ptr_null(mms[0].notifier);
	world.unlocked = NULL;
}

/* The work item does not wait for the lock of a page, or for a thread that registers an event. */
TEST(test_busy)
{
	struct lkst_words *words;

	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	mms[0].page[0].locked = true;
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	mms[0].page[0].locked = false;
	ck_assert(world_run(ULONG_MAX));
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);

	words = lkst_words_of_current();
	words->mutex.held = 1;
	turn(0, false);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	words->mutex.held = 0;
	lkst_words_put(words);
	ck_assert(world_run(ULONG_MAX));
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
}

/* A page that is not present is tried once in each pass, however many words it has. */
TEST(test_page_once)
{
	for (unsigned int i = 0; i < 100; i++)
		ck_assert_int_eq(lkst_enabler_add(&events[0], AT(i * 7 % 3, i * 4), 0, 4, true), 0);
	world_settle();
	mms[0].page[0].state = mms[0].page[2].state = PAGE_NEVER;
	turn(0, true);
	world_settle();
	ck_assert_int_eq(world.attempts, 2);
	for (unsigned int i = 0; i < 100; i++)
		ck_assert_uint_eq(word(0, AT(i * 7 % 3, i * 4)), i * 7 % 3 == 1);
	mms[0].page[0].state = mms[0].page[2].state = PAGE_THERE;
	ck_assert(world_run(ULONG_MAX));
	for (unsigned int i = 0; i < 100; i++) {
		ck_assert_uint_eq(word(0, AT(i * 7 % 3, i * 4)), 1);
		ck_assert_int_eq(lkst_enabler_remove(AT(i * 7 % 3, i * 4), 0), 0);
	}
}

/* The longer an attempt takes, the later the next one is due. */
TEST(test_slow)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	mms[0].page[0].state = PAGE_NEVER;
	world.step = 20 * 1000000ul;
	turn(0, true);
	ck_assert(world_run(0));
	ck_assert_uint_eq(world.queue->delay, 2000);
	world.step = 1000 * 1000000ul;
	ck_assert(world_run(ULONG_MAX));
	ck_assert_uint_eq(world.queue->delay, 10 * HZ);
}

/* The process exits while its work item has a reference to the address space. */
TEST(test_abandoned)
{
	struct lkst_words *words;

	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	events[0].on = true;
	words = lkst_words_of_current();
	mmget_not_zero(&mms[0]);
	leave(0);
	ck_assert_int_eq(lkst_words_write(words, false), 0);
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	mmput_async(&mms[0]);
	ck_assert_int_eq(events[0].refs, 1);
	lkst_words_put(words);
}

TEST(test_max)
{
	unsigned int i;

	for (i = 0; i < 1024; i++)
		ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, i * 4), 0, 4, false), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, false), -EMFILE);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	world_settle();
	turn(0, true);
	world_settle();
	for (i = 0; i <= 1024; i++)
		ck_assert_uint_eq(word(0, AT(0, i * 4)), 1);
}

TEST(test_fork)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	fork_to(1, 0);
	world_settle();
	/* Pages whose bits already have the right values are not copied. */
	ck_assert_int_eq(mms[0].page[0].copies + mms[1].page[0].copies, 0);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert_uint_eq(word(1, AT(0, 0)), 1);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 0), 0);
	turn(0, false);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	ck_assert_uint_eq(word(1, AT(0, 0)), 1);
	leave(0);
	ck_assert_int_eq(events[0].refs, 2);
	current = &tasks[1];
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 0), 0);
	ck_assert_uint_eq(word(1, AT(0, 0)), 0);
	ck_assert_int_eq(events[0].refs, 1);
}

/*
 * A fork uses a structure that was allocated before. If none is left, the fork allocates one. If
 * there is no memory, the child has no enablers.
 */
TEST(test_fork_memory)
{
	int forks;

	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	world.no_memory = true;
	for (forks = 0; forks < 100; forks++) {
		fork_to(1, 0);
		current = &tasks[1];
		if (lkst_enabler_check(AT(0, 0), 0) != -EADDRINUSE)
			break;
		current = &tasks[0];
		leave(1);
		ck_assert(world_run(0) && world_run(0));
	}
	ck_assert_int_eq(forks, 32);
	current = &tasks[0];
	leave(1);
	world.no_memory = false;
	fork_to(1, 0);
	fork_to(2, 0);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(1, AT(0, 0)), 1);
	ck_assert_uint_eq(word(2, AT(0, 0)), 1);
	ck_assert_int_eq(lkst_newtask_num, 32);
}

/* Another thread forks, once. */
static void fork_once(void)
{
	world.locking = world.unlocked = NULL;
	fork_to(1, 0);
}

/*
 * If the bit is set in process 1, process 1 must also have the enabler, which will correct the bit.
 */
static void check_child(void)
{
	ck_assert_ptr_nonnull(tasks[1].mm);
	current = &tasks[1];
	if (word(1, AT(0, 0)))
		ck_assert_int_eq(lkst_enabler_check(AT(0, 0), 0), -EADDRINUSE);
	current = &tasks[0];
}

static const struct {
	void (*locking)(void), (*unlocked)(void);
} forks[] = { { fork_once, NULL }, { NULL, fork_once } };

/* Another thread forks just before or after the bit of a removed enabler is cleared. */
TEST_EACH(test_fork_removing, forks)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 1, 4, true), 0);
	world_settle();
	world.locking = forks[_i].locking;
	world.unlocked = forks[_i].unlocked;
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 0), 0);
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	check_child();
}

/* Another thread forks just before or after the bit of a new enabler is set. */
TEST_EACH(test_fork_adding, forks)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 1, 4, true), 0);
	world_settle();
	world.locking = forks[_i].locking;
	world.unlocked = forks[_i].unlocked;
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	check_child();
}

/* The bit changes after the memory has been copied, and before the child is known. */
TEST(test_fork_race)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	turn(0, true);
	fork_to(1, 0); /* copies the word before the work item has run */
	ck_assert_uint_eq(word(1, AT(0, 0)), 0);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert_uint_eq(word(1, AT(0, 0)), 1);
}

/* Without the tracepoint of fork, children have no enablers. */
TEST(test_fork_unprobed)
{
	lkst_newtask_tracepoint = NULL;
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_newtask_num, 0);
	fork_to(1, 0);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert_uint_eq(word(1, AT(0, 0)), 0);
}

/* Threads, and the child of vfork(), share the words. */
TEST(test_shared)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	fork_to(1, CLONE_VM);
	world_settle();
	leave(1);
	turn(0, true);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	ck_assert_int_eq(events[0].refs, 2);
}

/* A child that exits before its work item has run. */
TEST(test_short_child)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	fork_to(1, 0);
	leave(1);
	world_settle();
	ck_assert_int_eq(events[0].refs, 2);
	mmu_notifier_synchronize();
	ck_assert_int_eq(mms[1].count, 0);
}

TEST(test_exit)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 1, 4, true), 0);
	world_settle();
	leave(0);
	ck_assert_int_eq(events[0].refs, 1);
	ck_assert_int_eq(events[1].refs, 1);
	turn(0, true);
	world_settle();
}

/* A process exits before the next attempt to change its word is due. */
TEST(test_exit_while_waiting)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	mms[0].page[0].state = PAGE_NEVER;
	turn(0, true);
	world_settle();
	leave(0);
	ck_assert_int_eq(events[0].refs, 1);
	mmu_notifier_synchronize();
	ck_assert_int_eq(mms[0].count, 0);
}

/* A process exits before its notifier is registered. Its work item notices the exit. */
TEST(test_exit_unwatched)
{
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	leave(0);
	world_settle();
	ck_assert_int_eq(events[0].refs, 1);
}

TEST(test_no_memory)
{
	world.no_memory = true;
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), -ENOMEM);
	world.no_memory = false;
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	/* The work item tries again to register the notifier. */
	world.no_memory = true;
	world_settle();
	ck_assert_ptr_null(mms[0].notifier);
	fork_to(1, 0);
	ck_assert_int_eq(lkst_enabler_add(&events[1], AT(0, 0), 1, 4, true), -ENOMEM);
	ck_assert_int_eq(lkst_enabler_remove(AT(0, 0), 0), -ENOMEM);
	ck_assert_int_eq(events[0].refs, 2);
	world.no_memory = false;
	while (world_run(ULONG_MAX))
		;
	ck_assert_ptr_nonnull(mms[0].notifier);
}

/* Unlock the address space at the third call. */
static void unlock_mm(void)
{
	static int calls;

	if (++calls == 3)
		mms[0].mmap_lock = 0;
}

/* When LKST stops, it tries for some time to clear the bits of a locked address space. */
TEST(test_stop_locked)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	world_settle();
	ck_assert_uint_eq(word(0, AT(0, 0)), 1);
	mms[0].mmap_lock = 1;
	world.sleeping = unlock_mm;
	lkst_enablers_stop();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	ck_assert_int_eq(lkst_enablers_start(), 0);
	lkst_newtask_probed = false;
}

/* When LKST stops, it clears all bits. */
TEST(test_stop)
{
	turn(0, true);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(0, 0), 0, 4, true), 0);
	ck_assert_int_eq(lkst_enabler_add(&events[0], AT(1, 0), 0, 4, true), 0);
	world_settle();
	fork_to(1, 0);
	mms[0].page[1].state = PAGE_NEVER;
	lkst_enablers_update();
	world_settle();
	lkst_enablers_stop();
	ck_assert_uint_eq(word(0, AT(0, 0)), 0);
	ck_assert_uint_eq(word(1, AT(0, 0)), 0);
	ck_assert_int_eq(lkst_enablers_start(), 0);
	lkst_newtask_probed = false;
}
