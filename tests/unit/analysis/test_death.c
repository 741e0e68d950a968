// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla report: the last minute of a dead machine. The tests run scripts of events (model_case.h).
 * Threads are "a" to "z" with the IDs 101 to 126. The kinds of locks are 1 (spin lock), 32 (mutex),
 * and 2 and 4 (rwsem, for reading and for writing).
 */
#include <stdlib.h>

#include "cli/json.h"
#include "lib/base/etype_ids.h"
#include "lkstla/report/report.h"
#include "sample.h"
#include "script_case.h"
#include "tap.h"

#define END_NS 20000000000

static struct analysis death;

static void setup(void)
{
	analysis_image = "raw memory";
	script_setup("lcb flags 1 SPIN\nlcb flags 2 READ\nlcb flags 4 WRITE\nlcb flags 8 RT\n"
		     "lcb flags 32 MUTEX\nblkop enum 1 WRITE\n");
	death = (struct analysis){ .start = report_death.start, .free = report_death.free };
	analysis_setup(&death, NULL);
	script_window(END_NS);
	assert_ok(lkst_model_add(model, &report_death.ops, analysis_ctx(), &err));
}

TESTS(.setup = setup, .teardown = script_teardown);

static void run_script(const char *script)
{
	script_run(script);
	assert_ok(report_death.finish(analysis_ctx(), &err));
}

static char *text_of(void)
{
	char *text;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(to);
	assert_ok(report_death.text(analysis_ctx(), 0, to, &err));
	fclose(to);
	return text;
}

/* Cut the text to the section with this title. */
static char *section_of(char *text, const char *title)
{
	char *at = strstr(text, title), *end;

	ck_assert_ptr_nonnull(at);
	at += strlen(title) + 1;
	end = strstr(at, "\n\n");
	if (end)
		end[1] = 0;
	return at;
}

static const struct death_case {
	const char *name;
	const char *title;
	const char *script;
	const char *expected;
} cases[] = {
	{ "no panic", "HOW THE MACHINE DIED", "0/a:1000000000 sys 0 1",
	  "    No panic was recorded: the machine hung, was reset, or was still running when its memory was read.\n"
	  "    Read from: raw memory\n"
	  "    The last event was at 00:00:20.000000.\n" },
	{ "panic", "HOW THE MACHINE DIED", "1/a:20000000000 panic ouch",
	  "    panic: ouch (at 00:00:20.000000, CPU 1, 101)\n"
	  "    Read from: raw memory\n"
	  "    The last event was at 00:00:20.000000.\n" },

	{ "messages", "LAST MESSAGES",
	  "0/a:1000000000 printk one; 1/b:2000000000 lockup c 3; 0/a:3000000000 printk two; 0/a:4000000000 panic ouch",
	  "    00:00:01.000000 CPU 0 101: one\n"
	  "    00:00:02.000000 CPU 1 102: task is hung: 103\n"
	  "    00:00:03.000000 CPU 0 101: two\n"
	  "    00:00:04.000000 CPU 0 101: panic: ouch\n" },
	{ "no messages", "LAST MESSAGES", "0/a:1000000000 sys 0 1",
	  "    Kernel messages: none, or not recorded (oops_printk, oops_message)\n" },

	{ "CPUs", "WHAT EACH CPU WAS DOING",
	  "0/idle:1000000000 switch idle>a S; 1/b:1000000000 switch b>idle S;"
	  "2/idle:2000000000 switch idle>c S; 0/a:5000000000 sys 0 1; 2h/c:8000000000 irq 9 eth; 0/a:20000000000 printk x",
	  "    CPU 0: 101 for 19.000 s, in the kernel, in the system call call_0 for 15.000 s; last event 0.000 ms before the end\n"
	  "    CPU 1: idle for 19.000 s; last event 19.000 s before the end\n"
	  "    CPU 2: 103 for 18.000 s, interrupted, in interrupt eth for 12.000 s; last event 12.000 s before the end\n" },

	{ "a name that would control the terminal", "WHAT EACH CPU WAS DOING",
	  "0/idle:2000000000 switch idle>c S; 0h/c:8000000000 irq 9 \033[2J",
	  "    CPU 0: 103 for 18.000 s, interrupted, in interrupt \\033[2J for 12.000 s; last event 12.000 s before the end\n" },

	{ "a deadlock of two mutexes", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 33 b; 0:1000000000 contend 0xa1 32 b; 0:1000000100 switch a>idle D;"
	  "1/b:2000000000 contend 0xb2 32 a; 1:2000000100 switch b>idle D",
	  "    DEADLOCK: 2 threads wait for each other:\n"
	  "        101 has waited for 19.000 s for the mutex 0xa1, held by 102\n"
	  "        102 has waited for 18.000 s for the mutex 0xb2, held by 101\n" },
	{ "a deadlock of three, and two more threads", "WHO WAITED FOR WHOM",
	  "1/f:1000000000 sys 0 1; 0/a:3000000000 contend 0xa1 32 b; 0:3000000100 switch a>b D; 0/b:4000000000 contend 0xb2 4 c;"
	  "0:4000000100 switch b>c D; 0/c:5000000000 contend 0xc3 8 a; 0:5000000100 switch c>d D;"
	  "0/d:6000000000 contend 0xa1 32 b; 0:6000000100 switch d>e D; 0/e:7000000000 contend 0xf6 32 f;"
	  "0:7000000100 switch e>idle D",
	  "    DEADLOCK: 3 threads wait for each other:\n"
	  "        101 has waited for 17.000 s for the mutex 0xa1, held by 102\n"
	  "        102 has waited for 16.000 s for the rwsem write 0xb2, held by 103\n"
	  "        103 has waited for 15.000 s for the rt-mutex 0xc3, held by 101\n"
	  "    104 has waited for 14.000 s for the mutex 0xa1, held by 102\n"
	  "    105 has waited for 13.000 s for the mutex 0xf6, held by 106, which has run on CPU 1 for at least 19.000 s in the system call call_0\n" },
	{ "a thread waits for itself", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 32 a; 0:1000000100 switch a>idle D",
	  "    DEADLOCK: a thread waits for a lock that it holds:\n"
	  "        101 has waited for 19.000 s for the mutex 0xa1, held by 101\n" },
	{ "a lock that another waiter got", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 32 c; 0:1000000100 switch a>idle D; 1/b:2000000000 contend 0xa1 32 c;"
	  "1:3000000000 contended 0xa1 0; 2/c:4000000000 sys 0 1",
	  "    101 has waited for 19.000 s for the mutex 0xa1, held by 102, which has run on CPU 1 for at least 18.000 s\n" },
	{ "a waiter that gave up does not hold the lock", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 32 c; 0:1000000100 switch a>idle D; 1/b:2000000000 contend 0xa1 32 c;"
	  "1:3000000000 contended 0xa1 -4; 2/c:4000000000 sys 0 1",
	  "    101 has waited for 19.000 s for the mutex 0xa1, held by 103, which has run on CPU 2 for at least 16.000 s in the system call call_0\n" },
	{ "readers, spin locks, and kernels that do not record the owner", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 4 ?; 0:1000000100 switch a>b D; 0/b:2000000000 contend 0xb2 32;"
	  "1/d:2000000000 contend 0xc3 1; 0:2000000100 switch b>c D; 0/c:3000000000 contend 0xc3 1;"
	  "1:4000000000 contended 0xc3 0",
	  "    101 has waited for 19.000 s for the rwsem write 0xa1, whose holder is unknown\n"
	  "    102 has waited for 18.000 s for the mutex 0xb2, whose holder is unknown\n"
	  "    103 has waited for 17.000 s for the spinlock 0xc3, whose holder is unknown\n" },
	{ "waits that are over: another system call, an exit, the lock", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 32 f; 1/b:1000000000 contend 0xa1 32 f; 0/a:2000000000 sys 0 1;"
	  "1/b:2000000000 exit b; 1:2000000100 switch b>idle X; 2/c:1000000000 contend 0xa1 32 f; 2:3000000000 contended 0xa1 0",
	  "    No thread waited for a lock.\n" },
	{ "a wait that ended when records were lost, before others were lost", "WHO WAITED FOR WHOM",
	  "1/c:1000000000 sys 0 1; 0/a:1000000000 contend 0xa1 32 b; lose 0 7; 0/a:3000000000 printk x;"
	  "0/a:4000000000 switch a>idle S; 1/c:5000000000 sys 0 1; lose 1 7; 1/c:6000000000 sys 0 1",
	  "    No thread waited for a lock.\n" },
	{ "a wait that goes on while records are lost", "WHO WAITED FOR WHOM",
	  "1/c:1000000000 sys 0 1; 0/a:1000000000 contend 0xa1 32 ?; 0/a:2000000000 switch a>idle D;"
	  "1/c:3000000000 sys 0 1; lose 1 7; 1/c:4000000000 sys 0 1; 1/c:5000000000 sys 0 1; lose 1 7; 1/c:6000000000 sys 0 1",
	  "    101 has waited for 19.000 s for the mutex 0xa1, whose holder is unknown\n" },
	{ "a spin lock inside of the wait for a mutex", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 contend 0xa1 32 b; 0:1000000010 contend 0xee 1; 0:1000000020 contended 0xee 0;"
	  "0:1000000100 switch a>idle D; 1/b:1000000000 sys 0 1",
	  "    101 has waited for 19.000 s for the mutex 0xa1, held by 102, which has run on CPU 1 for at least 18.999 s in the system call call_0\n" },
	{ "holders that sleep, and that wait for a CPU", "WHO WAITED FOR WHOM",
	  "1/b:1000000000 sys 1 3; 1:1000000100 switch b>c S; 1/c:2000000000 switch c>idle R;"
	  "0/a:3000000000 contend 0xa1 32 b; 0:3000000100 switch a>d D; 0/d:4000000000 contend 0xb2 32 c;"
	  "0:4000000100 switch d>idle D",
	  "    101 has waited for 17.000 s for the mutex 0xa1, held by 102, which has slept for 18.999 s in the system call call_1\n"
	  "    104 has waited for 16.000 s for the mutex 0xb2, held by 103, which has waited for CPU 1 for 18.000 s\n" },
	{ "threads in uninterruptible sleep", "WHO WAITED FOR WHOM",
	  "0/a:1000000000 sys 1 3; 0:2000000000 switch a>b D; 0/b:3000000000 switch b>c S; 0/c:4000000000 switch c>idle D",
	  "    Waits for locks: none, or not recorded. 'lkstm config "
	  "lock_contention_begin,lock_contention_end on' records them, except while lkstlogd is "
	  "running.\n"
	  "    101 has slept uninterruptibly for 18.000 s in the system call call_1\n"
	  "    103 has slept uninterruptibly for 16.000 s\n" },

	{ "interrupts off", "INTERRUPTS OFF",
	  "0/idle:1000000000 switch idle>a S; 0h/a:2000000000 tick 236; 0h/a:2000001000 tickx 236;"
	  "0h/a:5000000000 tick 236; 0h/a:5000000100 tickx 236; 0/a:5500000000 switch a>idle S;"
	  "0h/idle:15000000000 tick 236; 0h/idle:15000000100 tickx 236",
	  "    At most 3.000 s: CPU 0 took no interrupt, switched no threads and made no system call from 00:00:02.000000 to 00:00:05.000000, while 101 ran.\n" },
	{ "interrupts off until the end", "INTERRUPTS OFF",
	  "0/idle:1000000000 switch idle>a S; 0h/a:2000000000 tick 236; 0h/a:2000001000 tickx 236;"
	  "1h/idle:2500000000 tick 236; 1h/idle:2500001000 tickx 236",
	  "    At most 18.000 s: CPU 0 took no interrupt, switched no threads and made no system call from 00:00:02.000000 to 00:00:20.000000, the end, while 101 ran.\n" },
	{ "no interrupts recorded", "INTERRUPTS OFF", "0/idle:1000000000 switch idle>a S",
	  "    Unknown: int_timer_entry was not recorded\n" },

	{ "requests", "REQUESTS THAT NEVER CAME BACK",
	  "0/a:1000000000 switch idle>a S; 0/a:2000000000 issue 100 4096; 0/a:3000000000 issue 200 512; 0/a:4000000000 done 200 512",
	  "    0:1 WRITE of 4096 bytes at sector 100, issued 18.000 s before the end by 101\n" },
	{ "all requests came back", "REQUESTS THAT NEVER CAME BACK",
	  "0/a:3000000000 issue 200 512; 0/a:4000000000 done 200 512", "    None\n" },
	{ "no requests", "REQUESTS THAT NEVER CAME BACK", "0/a:3000000000 sys 0 1",
	  "    None, or not recorded (block_issue, block_complete)\n" },

	{ "memory", "MEMORY",
	  "0/a:1000000000 reclaim 0; 0/a:1100000000 reclaimx 0; 0/a:2000000000 reclaim 0; 1/b:3000000000 reclaim 0;"
	  "1/b:4000000000 oomkill c; 1/b:5000000000 oomkill d",
	  "    Processes killed because memory ran out: 2, the last one 104 at 00:00:05.000000\n"
	  "    Threads that were reclaiming memory: 2, the longest 101, for 18.000 s\n" },
	{ "a panic because memory ran out" /* the numbers are the text "Out of memory" */, "MEMORY",
	  "0/a:1000000000 panic_raw 0x6d20666f2074754f 0x79726f6d65",
	  "    The panic says that memory ran out. Details were not recorded (mem_reclaim_entry, mem_oomkill)\n" },
};

TEST_EACH(section, cases)
{
	char *text;

	run_script(cases[_i].script);
	text = text_of();
	ck_assert_msg(!strcmp(section_of(text, cases[_i].title), cases[_i].expected), "%s: %s",
		      cases[_i].name, section_of(text, cases[_i].title));
	free(text);
}

/*
 * The report has no section about the end of the machine if the kernel is running, or if the report
 * covers only some CPUs or a part of the trace.
 */
static const struct { const char *name; const char *image; const char *script; int64_t cpu; int64_t newest_ns;
		      bool yes; } ends[] = {
	{ "image", "ELF core", "0/a:1000000000 sys 0 1", -1, END_NS, true },
	{ "previous boot", "previous boot", "0/a:1000000000 sys 0 1", -1, END_NS, true },
	{ "panic in a file", NULL, "0/a:1000000000 panic ouch", -1, END_NS, true },
	{ "running kernel", NULL, "0/a:1000000000 printk ouch", -1, END_NS, false },
	{ "one CPU", "ELF core", "0/a:1000000000 panic ouch", 0, END_NS, false },
	{ "the window ends before the trace", "ELF core", "0/a:1000000000 panic ouch", -1, END_NS + 1,
	  false },
};

TEST_EACH(applies, ends)
{
	struct json_object *json;
	char *text;

	analysis_image = ends[_i].image;
	analysis_args.cpu = ends[_i].cpu;
	analysis_run.newest_ns = ends[_i].newest_ns;
	run_script(ends[_i].script);
	text = text_of();
	json = report_death.json(analysis_ctx());
	ck_assert_msg(!*text == !ends[_i].yes, "%s", ends[_i].name);
	ck_assert_msg(!json == !ends[_i].yes, "%s", ends[_i].name);
	json_free(json);
	free(text);
}

TEST(previous_boot)
{
	char *text;

	analysis_image = "previous boot";
	run_script("0/a:1000000000 sys 0 1");
	text = text_of();
	ck_assert_ptr_nonnull(strstr(text, "No panic was recorded: the machine was rebooted or reset, "
					   "or hung.\n"));
	free(text);
}

/*
 * The payload of an oops_message has the level and the length of a kernel message before its text.
 * The report shows this text instead of the shortened texts of oops_printk.
 */
TEST(whole_messages)
{
	static const uint8_t line[] = "\6\0\0\0\20\0\0\0out of luck\033\n";
	const struct lkst_payload payload = { .data = line, .size = sizeof(line) - 1 };
	struct lkst_event event = { .type = LKST_ETYPE_OOPS_MESSAGE, .tid = 101, .cpu = 1,
				    .time_ns = 3000000000, .payload = &payload };
	char *text;

	model_script("0/a:2000000000 printk head");
	assert_ok(lkst_model_event(model, &event, &err));
	event.payload = NULL;
	assert_ok(lkst_model_event(model, &event, &err));
	run_script("0/a:4000000000 warn 0");
	text = text_of();
	ck_assert_str_eq(section_of(text, "LAST MESSAGES"),
			 "    00:00:03.000000 CPU 1 101: out of luck\\033\n"
			 "    00:00:03.000000 CPU 1 101:\n"
			 "    00:00:04.000000 CPU 0 101: warning: 0 at 0x0\n");
	free(text);
}

/* The waits began before the window in which all CPUs have records. */
TEST(before_the_window)
{
	struct lkst_event event = { .type = LKST_ETYPE_LOCK_CONTENTION_BEGIN, .tid = 101,
				    .time_ns = 1000000000, .arg = { 0xa1, 32, 102 } };
	char *text;

	model_script("open 5000000000; 0/a:1000000000 switch a>idle D; 1/b:1000000000 switch b>idle D");
	report_death.early(analysis_ctx(), &event);
	event.tid = 102;
	event.cpu = 1;
	event.arg[0] = 0xb2;
	event.arg[2] = 101;
	report_death.early(analysis_ctx(), &event);
	run_script("2/c:6000000000 sys 0 1");
	text = text_of();
	ck_assert_str_eq(section_of(text, "WHO WAITED FOR WHOM"),
			 "    DEADLOCK: 2 threads wait for each other:\n"
			 "        101 has waited for 19.000 s for the mutex 0xa1, held by 102\n"
			 "        102 has waited for 19.000 s for the mutex 0xb2, held by 101\n");
	free(text);
}

/* There are more messages, requests, waits and cycles than the report lists. */
TEST(many)
{
	char script[128], *text;

	for (unsigned int i = 0; i < 1000; i++) {
		snprintf(script, sizeof(script), "0/%u:%u printk m%u; 0/%u:%u contend %u 32 %u",
			 1000 + i, 1000 + 2 * i, i, 1000 + i, 1001 + 2 * i, i, 1000 + (i ^ 1));
		model_script(script);
		snprintf(script, sizeof(script), "0/%u:%u issue %u 512", 1000 + i, 1001 + 2 * i,
			 8 * i);
		model_script(script);
	}
	run_script("0/1:19000000000 printk last");
	text = text_of();
	ck_assert_ptr_nonnull(strstr(text, ": m999\n"));
	ck_assert_ptr_null(strstr(text, ": m900\n"));
	ck_assert_ptr_nonnull(strstr(text, "    and 992 more\n"));
	ck_assert_ptr_nonnull(strstr(text, "DEADLOCK: 2 threads wait for each other:\n        1000 has"));
	ck_assert_ptr_nonnull(strstr(text, "    480 more deadlocks\n"));
	ck_assert_uint_lt(strlen(text), 20000);
	free(text);
}

/* Damaged traces: any events in any order, before and in the window. */
TEST(any_events)
{
	static const uint32_t random_types[] = {
		LKST_ETYPE_LOCK_CONTENTION_BEGIN, LKST_ETYPE_LOCK_CONTENTION_BEGIN,
		LKST_ETYPE_LOCK_CONTENTION_END,	  LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		LKST_ETYPE_PROCESS_EXIT,	  LKST_ETYPE_SYSCALL_ENTRY,
		LKST_ETYPE_SYSCALL_EXIT,	  LKST_ETYPE_INT_TIMER_ENTRY,
		LKST_ETYPE_INT_HARDWARE_ENTRY,	  LKST_ETYPE_INT_SOFTIRQ_ENTRY,
		LKST_ETYPE_BLOCK_ISSUE,		  LKST_ETYPE_BLOCK_COMPLETE,
		LKST_ETYPE_OOPS_PANIC,		  LKST_ETYPE_OOPS_LOCKUP,
		LKST_ETYPE_OOPS_DIE,		  LKST_ETYPE_OOPS_WARN,
		LKST_ETYPE_OOPS_PRINTK,		  LKST_ETYPE_OOPS_MESSAGE,
		LKST_ETYPE_MEM_RECLAIM_ENTRY,	  LKST_ETYPE_MEM_OOMKILL,
		LKST_ETYPE_WORK_ENTRY,		  LKST_ETYPE_EXCEPTION_ENTRY,
	};
	static const uint8_t text[300] = "text\n\033[0m";
	const struct lkst_payload payload = { .data = text, .size = sizeof(text) };
	struct json_object *json;
	char *page;

	srandom(24);
	for (int i = 0; i < 50000; i++) {
		struct lkst_event event = {
			.type = random_types[random() % NUM(random_types)],
			.cpu = (int32_t)(random() % 9) - 1,
			.tid = (uint32_t)(random() % 50),
			.time_ns = random() % 20 ? i * 1000 : random() * random(),
			.machine = (uint8_t)(random() % 9),
			.payload = random() % 2 ? &payload : NULL,
			.monotonic_ns = INT64_MIN,
		};

		if (!(random() % 100))
			event.cpu = random() % 2 ? INT32_MAX : INT32_MIN;
		for (int k = 0; k < 4; k++)
			event.arg[k] = random() % 4 ? pack((uint32_t)(random() % 50),
							   (uint32_t)(random() % 50)) :
						      (uint64_t)random() << 33 ^ (uint64_t)random();
		if (i < 10000)
			report_death.early(analysis_ctx(), &event);
		else
			assert_ok(lkst_model_event(model, &event, &err));
	}
	assert_ok(lkst_model_cut(model, END_NS, &err));
	ck_assert(!analysis_out_of_memory());
	assert_ok(report_death.finish(analysis_ctx(), &err));
	page = text_of();
	json = report_death.json(analysis_ctx());
	ck_assert_ptr_nonnull(json);
	ck_assert_ptr_null(strchr(page, '\033'));
	json_free(json);
	free(page);
}

TEST(as_json)
{
	struct json_object *json;
	char *text;
	size_t len;
	FILE *saved = stdout;

	run_script("0/a:1000000000 contend 0xa1 32 b; 0:1000000100 switch a>idle D;"
		   "1/b:2000000000 contend 0xb2 32 a; 1:2000000100 switch b>idle D; 2/c:3000000000 panic ouch");
	json = report_death.json(analysis_ctx());
	ck_assert_ptr_nonnull(json);
	stdout = open_memstream(&text, &len);
	assert_ok(json_print(json, &err));
	fclose(stdout);
	stdout = saved;
	ck_assert_ptr_nonnull(strstr(text, "\"deadlocks\""));
	ck_assert_ptr_nonnull(strstr(text, "\"holder\""));
	ck_assert_ptr_nonnull(strstr(text, "\"panic: ouch\""));
	free(text);
}
