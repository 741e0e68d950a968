// SPDX-License-Identifier: GPL-2.0
/*
 * The sample module, as its users use it: load it, record with its handler, set the handler up
 * both ways, unload it, again and again, while two CPUs cause events all the time.
 */
#include "modules.h"
#include "proc_etypes.h"
#include "../../samples/lkst/lkst_sample.h"

#define ROUNDS	5
#define MASKSET 20

#define PROC_FILE "/proc/lkst_sample"

/* What the handler gets in this test, LKST_SAMPLE_ETYPE last. */
static const int etypes[] = {
	USER_MARK,	   SYSCALL_ENTRY,     SYSCALL_EXIT,	PROCESS_CONTEXTSWITCH,
	PROCESS_WAKEUP,	   INT_SOFTIRQ_ENTRY, INT_SOFTIRQ_EXIT, INT_HARDWARE_ENTRY,
	INT_HARDWARE_EXIT, LKST_SAMPLE_ETYPE,
};

#define ETYPES (sizeof(etypes) / sizeof(etypes[0]))

static void select_handler(int handler)
{
	struct mask masks[ETYPES];
	unsigned int i;

	for (i = 0; i < ETYPES; i++)
		masks[i] = (struct mask){ etypes[i], handler };
	gives(write_maskset(MASKSET, "sample", masks, ETYPES), 0, "a maskset with its handler");
	gives(set_maskset(MASKSET), 0, "is selected");
}

/* What /proc/lkst_etypes has for the sample's event. */
static bool etype_is_listed(bool present)
{
	const struct proc_etype *etype = &proc_etypes[LKST_SAMPLE_ETYPE];

	read_proc_etypes();
	return !strcmp(etype->mnemonic, "SAMPLE_WRITE") && etype->present == present;
}

static void there(int handler)
{
	char id[16];

	snprintf(id, sizeof(id), "%d", handler);
	ok(handler >= LKST_EVHANDLER_ID_USER_MIN, "the handler is listed");
	attr_is(LKST_SAMPLE_HANDLER, "id", id);
	attr_is(LKST_SAMPLE_HANDLER, "name", LKST_SAMPLE_HANDLER);
	ok(etype_is_listed(true), "the event type is there");
}

/* What is set one way shows the other way. */
static void set_both_ways(int handler)
{
	const char *path = attr_path(LKST_SAMPLE_HANDLER, "ctrl");
	struct lkst_sample_ctrl ctrl = { .every = 5 };
	uint64_t seen;
	int ret;

	gives(control(handler, &ctrl, sizeof(ctrl), &ret), 0, "EVHANDLER_CTRL");
	ok(!ret && ctrl.every == 5, "sets what the handler does");
	attr_is(LKST_SAMPLE_HANDLER, "ctrl", "5");
	seen = ctrl.seen;

	gives(write_file(path, "3\n"), 0, "ctrl takes a number");
	ctrl.every = 0;
	gives(control(handler, &ctrl, sizeof(ctrl), &ret), 0, "EVHANDLER_CTRL, changing nothing");
	ok(!ret && ctrl.every == 3, "tells it");
	if (!ok(ctrl.seen > seen, "the handler runs meanwhile"))
		diag("%llu events, then %llu", (ull)seen, (ull)ctrl.seen);

	gives(write_file(path, "0"), EINVAL, "ctrl refuses 0");
	gives(write_file(path, "many"), EINVAL, "and what is no number");
	gives(control(handler, &ctrl, sizeof(ctrl) - 1, &ret), 0, "a wrong area gets through");
	equal(ret, -EINVAL, "to the control function, which refuses it");
	attr_is(LKST_SAMPLE_HANDLER, "ctrl", "3");
}

/* While nothing else happens: of 30 events every third is recorded. */
static void every_third(int round)
{
	char text[32];
	uint64_t word;
	int i;

	snprintf(text, sizeof(text), "round%03d of the test", round);
	memcpy(&word, text, sizeof(word));
	for (i = 0; i < 30; i++)
		need(write_file(PROC_FILE, text), PROC_FILE);
	equal(count_records(LKST_SAMPLE_ETYPE, word, LKST_LOG_PREEMPT_OFF), 10,
	      "of 30 events of its own 10 are recorded");
}

/* Events with the handler's turn in the masksets now go to the default one. */
static void fallen_back(int round)
{
	const uint64_t cookie = 0xc0ffee000000 + round;
	unsigned int i, wrong = 0;

	for (i = 0; i < ETYPES - 1; i++)
		wrong += handler_in_maskset(MASKSET, etypes[i]) != LKST_EVHANDLER_ID_ENTRY_LOG;
	equal(wrong, 0, "its events fall back to the default handler");
	ok(handler_in_maskset(MASKSET, LKST_SAMPLE_ETYPE) <= LKST_EVHANDLER_ID_NONE,
	   "its own event is masked");

	for (i = 0; i < 10; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_records(USER_MARK, cookie, LKST_LOG_PREEMPT_OFF), 10, "and each is recorded");
}

static void gone(void)
{
	struct lkst_sample_ctrl ctrl = {};
	int ret;

	ok(handler_id(LKST_SAMPLE_HANDLER) < 0, "the handler is gone");
	ok(access("/sys/class/lkst/" LKST_SAMPLE_HANDLER, F_OK), "its directory, too");
	ok(access(PROC_FILE, F_OK), "the module's file, too");
	ok(etype_is_listed(false), "the event type is absent");
	gives(control(LKST_EVHANDLER_ID_USER_MIN, &ctrl, sizeof(ctrl), &ret), EINVAL,
	      "its control function cannot be called");
}

static void one_round(int round)
{
	int handler;

	storm_begin();
	gives(load_module("lkst_sample"), 0, "round %d: loads under load", round);
	handler = handler_id(LKST_SAMPLE_HANDLER);
	there(handler);
	select_handler(handler);
	set_both_ways(handler);
	storm_stop();

	every_third(round);

	storm_begin();
	ok(storm_blows(), "the handler runs on both CPUs");
	gives(unload_module("lkst_sample"), 0, "unloads meanwhile");
	ok(storm_blows(), "both CPUs go on");
	storm_stop();

	gone();
	fallen_back(round);
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
}

int main(void)
{
	int round;

	open_lkst();
	pin(0);
	for (round = 0; round < ROUNDS; round++)
		one_round(round);
	gives(lkst_number(LKST_IOC_MASKSET_DELETE, MASKSET), 0, "the maskset can be deleted");
	return done_testing();
}
