// SPDX-License-Identifier: GPL-2.0
/* The header of a report: losses, and events that the trace does not contain. */
#include <json-c/json.h>

#include "lib/base/temporary.h"
#include "lib/text/etypes.h"
#include "lib/trace/kmemtrace.h"
#include "lkstla/run.h"
#include "sample.h"
#include "tap.h"

static struct runner runner;
static struct analysis analysis;
static struct lkst_etypes *types;
static int fd;

static void setup(void)
{
	setenv("TZ", "UTC", 1);
	fd = sample_fd();
	types = lkst_etypes_embedded(&err);
	assert_made(types);
	analysis = (struct analysis){ .name = "this" };
	runner = (struct runner){
		.run = { .types = types, .cpus = 2 },
		.analysis = &analysis,
		.window = { SAMPLE_NS, SAMPLE_NS + 1500000000 },
	};
	runner.run.trace = lkst_trace_open_fd(fd, "sample", NULL, &err);
	assert_made(runner.run.trace);
	runner.run.model = lkst_model_new(false, &err);
	assert_made(runner.run.model);
}

static void teardown(void)
{
	free(runner.mask);
	lkst_model_free(runner.run.model);
	lkst_trace_close(runner.run.trace);
	lkst_etypes_free(types);
	close(fd);
}

TESTS(.setup = setup, .teardown = teardown);

#define WINDOW "window 03:04:05.0 .. 03:04:06.5 (1.5 s, 2 CPUs, 0 events, nothing lost)\n"

static void check_header_at(unsigned int width, const char *expected)
{
	char text[4096];
	FILE *to = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(to);
	header_print(&runner, width, to);
	fclose(to);
	ck_assert_str_eq(text, expected);
}

static void check_header(const char *expected)
{
	check_header_at(0, expected);
}

/* Set a maskset that records @type only. */
static void record_only(int32_t type)
{
	runner.mask = calloc(1, LKST_MASKSET_SIZE(2));
	ck_assert_ptr_nonnull(runner.mask);
	runner.mask->len = 2;
	runner.mask->entry[0].event_type = type;
	runner.mask->entry[0].id = LKST_EVHANDLER_ID_ENTRY_LOG;
	runner.mask->entry[1].event_type = LKST_ETYPE_INT_TIMER_ENTRY;
	runner.mask->entry[1].id = LKST_EVHANDLER_ID_NONE;
}

/* The sample trace has system calls, but no timers and no wake-ups. */
static const char *const events[] = { "SYSCALL_ENTRY", "process_wakeup", "INT_TIMER_ENTRY", NULL };

TEST(test_plain)
{
	check_header(WINDOW);
}
END_TEST

TEST(test_losses)
{
	struct lost_records loss[] = {
		{ 0, 1234567, SAMPLE_NS, SAMPLE_NS + 100000000 },
		{ 3, 1, SAMPLE_NS + 100000000, SAMPLE_NS + 1200000000 },
		{ 4, 2, SAMPLE_NS, SAMPLE_NS },
		{ 5, 2, SAMPLE_NS, SAMPLE_NS },
		{ 6, 2, SAMPLE_NS, SAMPLE_NS },
	};

	runner.loss = loss;
	runner.losses = 2;
	check_header(WINDOW "lost: CPU 0 1,234,567 (03:04:05.0 .. 03:04:05.1), "
			    "CPU 3 1 (03:04:05.1 .. 03:04:06.2)\n");
	runner.losses = NUM(loss);
	check_header(WINDOW "lost: CPU 0 1,234,567 (03:04:05.0 .. 03:04:05.1), "
			    "CPU 3 1 (03:04:05.1 .. 03:04:06.2), "
			    "CPU 4 2 (03:04:05.0 .. 03:04:05.0), and on 2 more CPUs\n");
}
END_TEST

TEST(test_helps)
{
	analysis.helps = events;
	check_header(
		WINDOW
		"less detail: no process_wakeup, int_timer_entry in the trace (to record them: "
		"lkstm config process_wakeup,int_timer_entry entry_log)\n");
	check_header_at(60, WINDOW "less detail: no process_wakeup, int_timer_entry in the trace\n"
				   "  (to record them:\n"
				   "  lkstm config process_wakeup,int_timer_entry entry_log)\n");
	/* The command is never wrapped. */
	check_header_at(1, WINDOW
			"less\n  detail:\n  no\n  process_wakeup,\n  int_timer_entry\n  in\n  the\n"
			"  trace\n  (to\n  record\n  them:\n"
			"  lkstm config process_wakeup,int_timer_entry entry_log)\n");
}
END_TEST

/* If the running kernel records an event that the trace lacks, the event did not happen. */
TEST(test_helps_masked)
{
	record_only(LKST_ETYPE_PROCESS_WAKEUP);
	analysis.helps = events;
	check_header(WINDOW "less detail: int_timer_entry not recorded (to record it: "
			    "lkstm config int_timer_entry entry_log)\n");
}
END_TEST

/*
 * While lkstla follows new events, the maskset shows which types are recorded, even if none has
 * occurred yet.
 */
TEST(test_helps_followed)
{
	struct lkst_trace *trace = runner.run.trace;
	static int any;

	runner.follow = (struct lkst_follow *)&any;
	runner.run.trace = NULL;
	record_only(LKST_ETYPE_PROCESS_WAKEUP);
	analysis.helps = (const char *const[]){ "SYSCALL_ENTRY", "PROCESS_WAKEUP", NULL };
	check_header(WINDOW "less detail: system_call_entry not recorded (to record it: "
			    "lkstm config system_call_entry entry_log)\n");
	runner.run.trace = trace;
}
END_TEST

TEST(test_helps_absent)
{
	types->type[LKST_ETYPE_INT_TIMER_ENTRY]->present = false;
	analysis.helps = (const char *const[]){ "INT_TIMER_ENTRY", "NO_SUCH_EVENT", NULL };
	check_header(WINDOW
		     "less detail: that kernel cannot record int_timer_entry, no_such_event\n");
}
END_TEST

/* If the trace has no event of a class, the header names the class. */
TEST(test_helps_class)
{
	analysis.helps = (const char *const[]){ "NET_PKTSEND", "NET_PKTRECV",	 "NET_DROP",
						"BLOCK_ISSUE", "BLOCK_COMPLETE", "SYSCALL_ENTRY",
						NULL };
	check_header(WINDOW
		     "less detail: no class:network, block_issue, block_complete in the trace "
		     "(to record them: "
		     "lkstm config class:network,block_issue,block_complete entry_log)\n");
	record_only(LKST_ETYPE_NET_DROP);
	check_header(WINDOW "less detail: net_pktsend, net_pktrecv, block_issue, block_complete "
			    "not recorded (to record them: "
			    "lkstm config net_pktsend,net_pktrecv,block_issue,block_complete "
			    "entry_log)\n");
}
END_TEST

/* The maskset of lkstlogd cannot have lock events. */
TEST(test_helps_locks)
{
	analysis.helps = (const char *const[]){ "LOCK_CONTENTION_BEGIN", "PROCESS_WAKEUP", NULL };
	check_header(WINDOW "less detail: no lock_contention_begin, process_wakeup in the trace "
			    "(to record them: lkstm config lock_contention_begin,process_wakeup "
			    "entry_log; lock events cannot be recorded while lkstlogd is "
			    "running)\n");
	record_only(LKST_ETYPE_LOCK_CONTENTION_BEGIN);
	check_header(WINDOW "less detail: process_wakeup not recorded (to record it: lkstm config "
			    "process_wakeup entry_log)\n");
}
END_TEST

#define NEEDED "this: the trace lacks events that this analysis needs: "

TEST(test_needs)
{
	analysis.needs = events;
	ck_assert_int_eq(header_check_needs(&runner, &err), -1);
	ck_assert_str_eq(err.text,
			 NEEDED "no process_wakeup, int_timer_entry in the trace (to record them: "
				"lkstm config process_wakeup,int_timer_entry entry_log)\n"
				"If they were recorded, they did not happen.");
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
	/*
	 * The header does not list the missing events again if the message about @needs has listed
	 * them.
	 */
	analysis.helps = events;
	check_header(WINDOW);
}
END_TEST

TEST(test_needs_masked)
{
	record_only(LKST_ETYPE_PROCESS_WAKEUP);
	analysis.needs = events;
	ck_assert_int_eq(header_check_needs(&runner, &err), -1);
	ck_assert_str_eq(err.text,
			 NEEDED "int_timer_entry not recorded (to record it: lkstm config "
				"int_timer_entry entry_log); no process_wakeup happened");
}
END_TEST

TEST(test_needs_any)
{
	analysis.needs = events;
	analysis.needs_any = true;
	assert_ok(header_check_needs(&runner, &err));
	analysis.needs = events + 1;
	ck_assert_int_eq(header_check_needs(&runner, &err), -1);
}
END_TEST

TEST(test_needs_nothing)
{
	assert_ok(header_check_needs(&runner, &err));
	analysis.needs = (const char *const[]){ "SYSCALL_ENTRY", NULL };
	assert_ok(header_check_needs(&runner, &err));
}
END_TEST

/* Events of a CPU whose times decrease. */
TEST(test_earlier_events)
{
	static const struct {
		int64_t ns;
		uint32_t flags;
	} events_of_cpu[] = {
		{ 1000, 0 }, { 94601, 0 }, { 1100, LKST_LOG_HARDIRQ }, { 1001, LKST_LOG_SOFTIRQ },
		{ 2000, 0 },
	};

	for (int i = 0; i < NUM(events_of_cpu); i++) {
		const struct lkst_event event = {
			.type = LKST_ETYPE_USER_MARK,
			.tid = 7,
			.tgid = 7,
			.recid = (uint64_t)i,
			.time_ns = SAMPLE_NS + events_of_cpu[i].ns,
			.flags = events_of_cpu[i].flags,
		};

		assert_ok(lkst_model_event(runner.run.model, &event, &err));
	}
	check_header("window 03:04:05.0 .. 03:04:06.5 (1.5 s, 2 CPUs, 5 events, nothing lost)\n"
		     "inconsistent: 1 event that contradicts earlier ones\n"
		     "nested: 2 events of interrupts while another event was being recorded, "
		     "counted up to 93.6 us late\n");
}
END_TEST

/* Replace the trace with an empty one that has these lines in its SYSTEM chunk. */
static void open_system(const char *text)
{
	struct lkst_trace_writer *writer;

	lkst_trace_close(runner.run.trace);
	close(fd);
	fd = lkst_temporary_file(&err);
	writer = lkst_trace_writer_fd(fd, "T", &err);
	assert_made(writer);
	assert_ok(lkst_trace_write_system(writer, text, &err));
	assert_ok(lkst_trace_write_end(writer, &err));
	assert_ok(lkst_trace_writer_commit(writer, &err));
	runner.run.trace = lkst_trace_open_fd(fd, "T", NULL, &err);
	assert_made(runner.run.trace);
}

#define KMEMTRACE KMEMTRACE_SYSTEM "=1\n"
#define TIMES									\
	"kmemtrace: times count from the oldest event, in steps of 256 ns; it has no processes, "	\
	"no names of caches, and no time of day\n"
#define UNKNOWN "window 03:04:05.0 .. 03:04:06.5 (1.5 s, 2 CPUs, 0 events, losses unknown)\n"

static const struct {
	const char *name;
	const char *system;
	const char *header;
	const char *abi, *overruns; /* in JSON */
} kmemtraces[] = {
	{ "no numbers", KMEMTRACE, UNKNOWN TIMES, "null", "null" },
	{ "nothing lost", KMEMTRACE KMEMTRACE_SYSTEM_OVERRUNS "=0\n", WINDOW TIMES, "null", "0" },
	{ "lost",
	  KMEMTRACE KMEMTRACE_SYSTEM_ABI "=1\n" KMEMTRACE_SYSTEM_OVERRUNS "=4800\n",
	  UNKNOWN TIMES "total_overruns: readers have lost 4,800 bytes of events since the kernel "
			"was started\n",
	  "1", "4800" },
};

TEST_ROWS(test_kmemtrace, kmemtraces)
{
	char json[256];
	struct json_object *object;
	const char *text;

	open_system(kmemtraces[_i].system);
	check_header(kmemtraces[_i].header);
	snprintf(json, sizeof(json), "\"kmemtrace\":{\"abi_version\":%s,\"total_overruns\":%s}",
		 kmemtraces[_i].abi, kmemtraces[_i].overruns);
	object = header_json(&runner);
	text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
	assert_contains(text, json);
	json_object_put(object);
}
END_TEST

/* If the file is damaged, the events that are certainly missing are counted. */
TEST(test_kmemtrace_lost)
{
	open_system(KMEMTRACE);
	for (uint64_t recid = 1; recid < 10; recid += 4) {
		const struct lkst_event event = {
			.type = LKST_ETYPE_MEM_KFREE,
			.recid = recid,
			.time_ns = SAMPLE_NS,
		};

		assert_ok(lkst_model_event(runner.run.model, &event, &err));
	}
	check_header("window 03:04:05.0 .. 03:04:06.5 (1.5 s, 2 CPUs, 3 events, 6 lost)\n" TIMES);
}
END_TEST

TEST(test_kmemtrace_lacks)
{
	types->type[LKST_ETYPE_MEM_VMALLOC]->present = false;
	analysis.helps = (const char *const[]){ "MEM_VMALLOC", NULL };
	open_system(KMEMTRACE);
	check_header(UNKNOWN TIMES "less detail: kmemtrace does not record mem_vmalloc\n");
}
END_TEST
