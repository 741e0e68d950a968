// SPDX-License-Identifier: GPL-2.0
/* lkstla profile: samples by function and mode, and lines for flame graphs. */
#include "irq_case.h"
#include "tap.h"

static const struct { bool folded; } folded = { true };

static void setup(void)
{
	irq_setup(&analysis_profile, NULL, -1);
	irq_open(0);
}

static void setup_folded(void)
{
	irq_setup(&analysis_profile, &folded, -1);
	irq_open(0);
}

#define MODE	"mode,samples,share\n"
#define PROFILE "samples,share,mode,program,symbol\n"

/* Record a sample, which takes 1 ns. */
static void sample(int64_t time_ns, int32_t cpu, uint32_t tid, uint64_t ip)
{
	E(time_ns, cpu, tid, H, INT_TIMER_ENTRY, 236, ip);
	E(time_ns + 1, cpu, tid, H, INT_TIMER_EXIT, 236);
}

/*
 * The addresses of a kernel function share a row, in all threads. Each address of a program has its
 * own row, and programs with different names have different rows.
 */
static void record_samples(void)
{
	irq_switch(0, 0, 1, 'S', 8);
	irq_switch(0, 1, 2, 'S', 0);
	sample(100, 0, 8, 0x401000);
	sample(110, 0, 8, 0x401000);
	sample(120, 0, 8, 0x401004);
	sample(130, 0, 8, IRQ_FUNCTION);
	sample(140, 0, 8, IRQ_FUNCTION + 0xff);
	sample(150, 1, 0, IRQ_FUNCTION + 0x50);
	sample(160, 1, 0, IRQ_FUNCTION + 0x100);
	irq_switch(200, 0, 8, 'S', 9);
	sample(210, 0, 9, 0x401000);
	sample(220, 0, 9, 0xffffffff00000123);
	sample(230, 0, 9, 0);
	irq_end(1000);
}

TESTS(.name = "tables", .setup = setup, .teardown = irq_teardown);

TEST(test_samples)
{
	record_samples();
	analysis_check(MODE "kernel,5,0.5\nuser,4,0.4\nunknown,1,0.1\n"
		       PROFILE "3,0.3,kernel,,0:0xffffffff81001000\n"
			       "2,0.2,user,t8,0:0x401000\n"
			       "1,0.1,user,t9,0:0x401000\n"
			       "1,0.1,user,t8,0:0x401004\n"
			       "1,0.1,kernel,,0:0xffffffff00000123\n"
			       "1,0.1,kernel,,0:0xffffffff81001100\n"
			       "1,0.1,unknown,,-\n");
}

TEST(test_cpu)
{
	analysis_args.cpu = 1;
	record_samples();
	analysis_check(MODE "kernel,2,1\n" PROFILE "1,0.5,kernel,,0:0xffffffff81001000\n"
						   "1,0.5,kernel,,0:0xffffffff81001100\n");
}

TEST(test_none)
{
	irq_end(1000);
	analysis_check(MODE PROFILE);
}

/* Each interrupt that begins in the window is a sample, even without an end. */
TEST(test_unmatched)
{
	irq_switch(0, 0, 1, 'S', 8);
	E(100, 0, 8, H, INT_TIMER_EXIT, 236);
	E(200, 0, 8, H, INT_TIMER_ENTRY, 236, IRQ_FUNCTION);
	irq_end(1000);
	analysis_check(MODE "kernel,1,1\n" PROFILE "1,1,kernel,,0:0xffffffff81001000\n");
}

static const struct lkst_thread user64 = { .tid = 8, .machine = LKST_MACHINE_X86_64 };
static const struct lkst_thread user32 = { .tid = 8, .machine = LKST_MACHINE_I386 };
static const struct lkst_thread kernel32 = { .tid = 9, .machine = LKST_MACHINE_I386, .kernel = true };

/* How the mode follows from the thread and the address */
static const struct {
	const char *name;
	const struct lkst_thread *thread;
	uint64_t ip;
	const char *mode;
} modes[] = {
	{ "user", &user64, 0x7fffffffffff, "user" },
	{ "64 bits, like a kernel of 32", &user64, 0xc0000000, "user" },
	{ "the kernel's half", &user64, 1ull << 63, "kernel" },
	{ "32 bits, user", &user32, 0xbfffffff, "user" },
	{ "32 bits, kernel", &user32, 0xc0000000, "kernel" },
	{ "a kernel thread", &kernel32, 0x80000000, "kernel" },
	{ "no address", &user64, 0, "unknown" },
	{ "no thread, user address", NULL, 0x401000, "unknown" },
	{ "no thread, kernel address", NULL, IRQ_FUNCTION, "kernel" },
};

TEST_ROWS(test_mode, modes)
{
	const struct lkst_context_span span = {
		.kind = LKST_CONTEXT_TIMER_IRQ,
		.thread = modes[_i].thread,
		.ip = modes[_i].ip,
		.begin_known = true,
	};
	char *csv, expected[32];

	analysis_profile.ops.context(analysis_ctx(), &span);
	csv = analysis_csv();
	snprintf(expected, sizeof(expected), MODE "%s,1,1\n", modes[_i].mode);
	assert_begins(csv, expected);
	free(csv);
}

TESTS(.name = "folded", .setup = setup_folded, .teardown = irq_teardown);

TEST(test_folded)
{
	char *text;

	record_samples();
	text = analysis_printed();
	ck_assert_str_eq(text, "t8-8;0:0x401000 2\n"
			       "t8-8;0:0xffffffff81001000 2\n"
			       "t9-9;0:0x401000 1\n"
			       "t8-8;0:0x401004 1\n"
			       "t9-9;0:0xffffffff00000123 1\n"
			       "-;0:0xffffffff81001000 1\n"
			       "-;0:0xffffffff81001100 1\n"
			       "t9-9;- 1\n");
	free(text);
}

/* A name must not look like two frames or two lines, and must not contain control characters. */
TEST(test_folded_name)
{
	const struct lkst_thread thread = { .tid = 5, .name = "a;b\n\033[2J" };
	const struct lkst_context_span span = {
		.kind = LKST_CONTEXT_TIMER_IRQ,
		.thread = &thread,
		.ip = 0x401000,
		.begin_known = true,
	};
	char *text;

	analysis_profile.ops.context(analysis_ctx(), &span);
	text = analysis_printed();
	ck_assert_str_eq(text, "a:b\\012\\033[2J-5;0:0x401000 1\n");
	free(text);
}
