// SPDX-License-Identifier: GPL-2.0
/* lkstla offcpu: which sleep a stack belongs to, in whatever order the events come. */
#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "lkstla/offcpu.h"
#include "sample.h"
#include "tap.h"

#define HEAD "thread,cause,sleeps,blocked_ns,max_ns,at_ns,stack\n"

/* As in offcpu.c. */
struct offcpu_arguments {
	bool folded;
};

static const struct offcpu_arguments table, folded = { .folded = true };

static struct lkst_model *model;
static int64_t now_ns;
static uint64_t recid[2];

static void start(const struct offcpu_arguments *own)
{
	model = lkst_model_new(false, &err);
	assert_made(model);
	now_ns = 0;
	recid[0] = recid[1] = 0;
	analysis_setup(&analysis_offcpu, own);
	analysis_run.model = model;
	assert_ok(lkst_model_add(model, &analysis_offcpu.ops, analysis_ctx(), &err));
}

static void setup(void)
{
	start(&table);
}

static void setup_folded(void)
{
	start(&folded);
}

static void teardown(void)
{
	analysis_teardown();
	lkst_model_free(model);
}

TESTS(.setup = setup, .teardown = teardown);

/* Record an event, 100 ns after the previous one. */
static void event(uint32_t type, int32_t cpu, uint32_t tid, uint64_t a1, uint64_t a2,
		  const struct lkst_payload *payload)
{
	const struct lkst_event at = { .time_ns = now_ns += 100, .recid = recid[cpu]++, .cpu = cpu,
				       .type = type, .tid = tid, .tgid = tid, .arg = { a1, a2 },
				       .payload = payload, .machine = LKST_MACHINE_X86_64 };

	assert_ok(lkst_model_event(model, &at, &err));
}

/*
 * Record the stack with which a thread goes to sleep. @functions has a letter for each function,
 * innermost first.
 */
static void stack(uint32_t tid, int32_t cpu, const char *functions, bool cut)
{
	uint64_t at[40];
	size_t num = strlen(functions);
	struct lkst_payload payload = { .data = (const uint8_t *)at, .size = (uint32_t)(8 * num),
					.bytes = (uint32_t)(8 * num), .cut = cut };

	ck_assert_uint_le(num, NUM(at));
	for (size_t i = 0; i < num; i++)
		at[i] = (uint64_t)functions[i] - 'a' + 0xa;
	event(LKST_ETYPE_PROCESS_BLOCK, cpu, tid, 0, 0, &payload);
}

/*
 * Record events of thread 1 on CPU 0. Each word means an event:
 *	r	it runs
 *	s, d	it goes to sleep, and signals can or cannot wake it up
 *	p	it is preempted
 *	+abc	its stack is recorded; -abc: its stack is recorded, and cut
 *	w	thread 2 on CPU 1 wakes it up
 *	(	it enters system call 5
 *	)	it returns from system call 5
 *	?	the state dump shows that it sleeps
 *	lost	records are lost
 */
static void run(const char *words)
{
	char copy[512], *rest = copy, *word;

	snprintf(copy, sizeof(copy), "%s", words);
	while ((word = strsep(&rest, " ")) != NULL) {
		switch (*word) {
		case 'r':
			event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, 0, pack(0, 'R'), pack(1, 120),
			      NULL);
			break;
		case 's':
		case 'd':
			event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, 1,
			      pack(1, *word == 's' ? 'S' : 'D'), pack(0, 120), NULL);
			break;
		case 'p':
			event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, 1, pack(1, 'R'), pack(0, 120),
			      NULL);
			break;
		case '+':
		case '-':
			stack(1, 0, word + 1, *word == '-');
			break;
		case 'w':
			event(LKST_ETYPE_PROCESS_WAKING, 1, 2, pack(1, 120), 0, NULL);
			break;
		case '(':
			event(LKST_ETYPE_SYSCALL_ENTRY, 0, 1, pack(5, 0), 0, NULL);
			break;
		case ')':
			event(LKST_ETYPE_SYSCALL_EXIT, 0, 1, pack(5, 0), 0, NULL);
			break;
		case '?':
			event(LKST_ETYPE_PROCESS_STATE, 0, 3, pack(1, 1), pack(0, 'S'), NULL);
			break;
		case 'l':
			recid[0] += 10;
			break;
		default:
			ck_abort_msg("word %s", word);
		}
	}
}

/* End the window with the latest event, and return the tables. */
static char *finish(void)
{
	assert_ok(lkst_model_cut(model, now_ns, &err));
	ck_assert(!analysis_out_of_memory());
	return analysis_csv();
}

/* Words for run(), and the expected rows of the second table */
static const struct {
	const char *what, *rows;
} cases[] = {
	/* The stack is recorded before or after the context switch, or even after the wake-up. */
	{ "r ( +ab s w r )", "1,S in call_5,1,100,100,500,0:0xa<-0:0xb\n" },
	{ "r ( s +ab w r )", "1,S in call_5,1,200,200,500,0:0xa<-0:0xb\n" },
	{ "r ( s w +ab r )", "1,S in call_5,1,100,100,400,0:0xa<-0:0xb\n" },
	{ "r ( w +ab s r )", "1,S in call_5,1,100,100,600,0:0xa<-0:0xb\n" },
	/* A missing wake-up, and a sleep that does not end. */
	{ "r ( s +ab r ) ( s +c r )", "1,S in call_5,1,200,200,500,0:0xa<-0:0xb\n"
				      "1,S in call_5,1,200,200,1000,0:0xc\n" },
	{ "r ( +ab s r +c s r )", "1,S in call_5,1,100,100,500,0:0xa<-0:0xb\n"
				  "1,S in call_5,1,100,100,800,0:0xc\n" },
	{ "r ( s +ab w", "1,S in call_5,1,200,200,500,0:0xa<-0:0xb\n" },
	{ "r ( +ab s w", "1,S in call_5,1,100,100,500,0:0xa<-0:0xb\n" },
	/* Sleeps with the same stack share a row, unless they have different letters. */
	{ "r ( s +a w r s +a w w r d +a w r", "1,S in call_5,2,400,200,500,0:0xa\n"
					      "1,D in call_5,1,200,200,1400,0:0xa\n" },
	{ "r ( s +a w r s +aa w r s -a w r", "1,S in call_5,1,200,200,500,0:0xa\n"
					     "1,S in call_5,1,200,200,900,0:0xa<-0:0xa\n"
					     "1,S in call_5,1,200,200,1300,0:0xa [cut]\n" },
	/* A sleep without a stack does not get the stack of another sleep. */
	{ "r ( s +a w r s w r", "1,S in call_5,1,200,200,500,0:0xa\n"
				"1,S in call_5,1,100,100,800,\n" },
	{ "r ( +a s w r s w r", "1,S in call_5,1,100,100,800,\n"
				"1,S in call_5,1,100,100,500,0:0xa\n" },
	{ "r ( s w r s +a w r", "1,S in call_5,1,200,200,800,0:0xa\n"
				"1,S in call_5,1,100,100,400,\n" },
	{ "r ( s w r +a s w r", "1,S in call_5,1,100,100,400,\n"
				"1,S in call_5,1,100,100,800,0:0xa\n" },
	{ "r ( +a p r s w r", "1,S in call_5,1,100,100,700,\n" },
	{ "r ( +a lost r ( s w r", "1,S in call_5,1,100,100,700,\n" },
	{ "r ( s lost +a r ( s w r", "1,S in call_5,2,100,100,800,\n" },
	{ "r ( +a lost ? w r", "1,S,0,100,100,500,\n" },
	{ "r ( s + w r", "1,S in call_5,1,200,200,500,\n" },
	/* The return from a call shows that earlier sleeps were in this call, too. */
	{ "r s +a w r s +b w r )", "1,S in call_5,1,200,200,400,0:0xa\n"
				   "1,S in call_5,1,200,200,800,0:0xb\n" },
	{ "r s +a w r s +a w r )", "1,S in call_5,2,400,200,400,0:0xa\n" },
	{ "r s +a w r ( )", "1,S outside of a call,1,200,200,400,0:0xa\n" },
	{ "r s +a w r", "1,S,1,200,200,400,0:0xa\n" },
};

TEST_EACH(sleep_of, cases)
{
	char *text, *second;

	run(cases[_i].what);
	text = finish();
	second = strstr(text, HEAD);
	ck_assert_msg(second, "%s: %s", cases[_i].what, text);
	ck_assert_msg(!strcmp(second + strlen(HEAD), cases[_i].rows), "%s: %s, not %s",
		      cases[_i].what, second, cases[_i].rows);
	free(text);
}

/* Without a stack in the window, there is no second table. */
TEST(none)
{
	char *text;

	run("r ( s w r )");
	text = finish();
	ck_assert_ptr_null(strstr(text, ",stack\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n1,S in call_5,1,100,100,100,100,400,2\n"));
	free(text);
}

/*
 * Until the cause of sleeps is known, only a limited number of their stacks is remembered. Sleeps
 * beyond this limit get their cause, too, but share the row "(others)".
 */
TEST(many_pending)
{
	char *text;

	run("r s +a w r s +b w r s +c w r s +d w r s +e w r s +f w r s +g w r s +h w r s +i w r "
	    "s +j w r s +a w r )");
	text = finish();
	ck_assert_ptr_nonnull(strstr(text, "1,S in call_5,3,600,200,3200,(others)\n"));
	ck_assert_ptr_nonnull(strstr(text, "1,S in call_5,2,400,200,400,0:0xa\n"));
	ck_assert_ptr_null(strstr(text, "1,S,"));
	free(text);
}

/*
 * As soon as the cause is known, the stacks are no longer pending, so there is room for new ones.
 */
TEST(many_pending_twice)
{
	char *text;

	run("r s +a w r s +b w r s +c w r s +d w r s +e w r s +f w r s +g w r ) lost "
	    "r s +b w r s +h w r )");
	text = finish();
	assert_contains(text, "\n1,S in call_5,2,400,200,800,0:0xb\n");
	assert_contains(text, "\n1,S in call_5,1,200,200,3800,0:0x11\n");
	ck_assert_ptr_null(strstr(text, "(others)"));
	free(text);
}

/* A stack may be longer than the stacks that the kernel records now. */
TEST(deep)
{
	char *text;

	run("r ( s +aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa w r s +aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa w r");
	text = finish();
	assert_contains(text, "<-0:0xa\n");
	assert_contains(text, "<-0:0xa [cut]\n");
	free(text);
}

/* The number of stacks has a limit. */
TEST(many)
{
	char *text;

	run("r (");
	for (uint64_t i = 0; i < (1 << 16) + 5; i++) {
		const uint64_t at = i;
		const struct lkst_payload payload = { .data = (const uint8_t *)&at, .size = 8 };

		event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, 1, pack(1, 'S'), pack(0, 120), NULL);
		event(LKST_ETYPE_PROCESS_BLOCK, 0, 1, 0, 0, &payload);
		event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, 0, pack(0, 'R'), pack(1, 120), NULL);
	}
	text = finish();
	ck_assert_ptr_nonnull(strstr(text, "\n1,S in call_5,5,1000,200,19661300,(others)\n"));
	free(text);
}

/* If clocks differ, the thread may seem to run on another CPU before its stack is recorded. */
TEST(already_running)
{
	char *text;

	run("r ( s w");
	event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 1, 2, pack(2, 'S'), pack(1, 120), NULL);
	stack(1, 0, "a", false);
	event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, 1, 1, pack(1, 'S'), pack(0, 120), NULL);
	run("r");
	text = finish();
	assert_contains(text, "\n1,S in call_5,2,200,100,400,\n");
	free(text);
}

/* ---- lines for flame graphs ---- */

TESTS(.name = "offcpu_stacks_folded", .setup = setup_folded, .teardown = teardown);

static void wait_us(int64_t us)
{
	now_ns += us * 1000 - 200;
}

TEST(lines)
{
	char *text;

	run("r ( s +abc");
	wait_us(7);
	run("w r s -a");
	wait_us(5);
	run("w r ) ( s");
	wait_us(4);
	run("w r )");
	assert_ok(lkst_model_cut(model, now_ns, &err));
	text = analysis_printed();
	ck_assert_str_eq(text, "1;0:0xc;0:0xb;0:0xa;S in call_5 7\n"
			       "1;[cut];0:0xa;S in call_5 5\n"
			       "1;-;S in call_5 4\n");
	free(text);
}

TEST(lines_without_stacks)
{
	char *text;

	run("r ( s");
	wait_us(4);
	run("w r )");
	assert_ok(lkst_model_cut(model, now_ns, &err));
	text = analysis_printed();
	ck_assert_str_eq(text, "1;S in call_5;2 4\n");
	free(text);
}
