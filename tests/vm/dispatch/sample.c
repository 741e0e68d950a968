// SPDX-License-Identifier: GPL-2.0
/*
 * Use the sample module as its users do: load it, record with its handler, configure the handler by
 * ioctl and through sysfs, and unload it. Repeat this while two CPUs generate events.
 */
#include "modules.h"
#include "proc_etypes.h"
#include "../../samples/lkst/lkst_sample.h"

#define ROUNDS	5
#define MASKSET 20

#define PROC_FILE "/proc/lkst_sample"

/* Event types that the sample's handler handles in this test. LKST_SAMPLE_ETYPE must be last. */
static const int etypes[] = {
	USER_MARK,	   SYSCALL_ENTRY,     SYSCALL_EXIT,	PROCESS_CONTEXTSWITCH,
	PROCESS_WAKEUP,	   INT_SOFTIRQ_ENTRY, INT_SOFTIRQ_EXIT, INT_HARDWARE_ENTRY,
	INT_HARDWARE_EXIT, LKST_SAMPLE_ETYPE,
};

#define ETYPES ARRAY_SIZE(etypes)

static void select_handler(int handler)
{
	gives(write_maskset_of(MASKSET, "sample", etypes, ETYPES, handler), 0,
	      "a maskset with the handler can be written");
	gives(set_maskset(MASKSET), 0, "the maskset can be selected");
}

/* Whether /proc/lkst_etypes lists the sample's event type as present, or as absent if !@present. */
static bool etype_is_listed(bool present)
{
	const struct proc_etype *etype = &proc_etypes[LKST_SAMPLE_ETYPE];

	read_proc_etypes();
	return !strcmp(etype->mnemonic, "SAMPLE_WRITE") && etype->present == present;
}

static void check_listed(int handler)
{
	char id[16];

	snprintf(id, sizeof(id), "%d", handler);
	ok(handler >= LKST_EVHANDLER_ID_USER_MIN, "the handler is listed");
	attr_is(LKST_SAMPLE_HANDLER, "id", id);
	attr_is(LKST_SAMPLE_HANDLER, "name", LKST_SAMPLE_HANDLER);
	ok(etype_is_listed(true), "the event type is listed");
}

/* Check that a value set by ioctl can be read through sysfs, and the other way round. */
static void set_both_ways(int handler)
{
	const char *path = attr_path(LKST_SAMPLE_HANDLER, "ctrl");
	struct lkst_sample_ctrl ctrl = { .every = 5 };
	uint64_t seen;
	int ret;

	gives(control(handler, &ctrl, sizeof(ctrl), &ret), 0, "EVHANDLER_CTRL");
	ok(!ret && ctrl.every == 5, "EVHANDLER_CTRL sets the value");
	attr_is(LKST_SAMPLE_HANDLER, "ctrl", "5");
	seen = ctrl.seen;

	gives(write_file(path, "3\n"), 0, "ctrl sets the value");
	ctrl.every = 0;
	gives(control(handler, &ctrl, sizeof(ctrl), &ret), 0,
	      "EVHANDLER_CTRL without a change succeeds");
	ok(!ret && ctrl.every == 3, "EVHANDLER_CTRL without a change returns the value");
	if (!ok(ctrl.seen > seen, "the handler runs meanwhile"))
		diag("%llu events, then %llu", (ull)seen, (ull)ctrl.seen);

	gives(write_file(path, "0"), EINVAL, "ctrl refuses 0");
	gives(write_file(path, "many"), EINVAL, "ctrl refuses a word that is not a number");
	attr_is(LKST_SAMPLE_HANDLER, "ctrl", "3");
}

/*
 * Check that the handler records every third of 30 sample events. Only this test generates such
 * events.
 */
static void every_third(int round)
{
	char text[32];
	uint64_t word;

	snprintf(text, sizeof(text), "round%03d of the test", round);
	memcpy(&word, text, sizeof(word));
	for (int i = 0; i < 30; i++)
		need(write_file(PROC_FILE, text), PROC_FILE);
	equal(count_records(LKST_SAMPLE_ETYPE, word, LKST_LOG_PREEMPT_OFF), 10,
	      "10 of 30 sample events are recorded");
}

/* Check that the default handler has replaced the unloaded handler in the maskset. */
static void fallen_back(int round)
{
	const uint64_t cookie = 0xc0ffee000000 + round;
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < ETYPES - 1; i++)
		wrong += handler_in_maskset(MASKSET, etypes[i]) != LKST_EVHANDLER_ID_ENTRY_LOG;
	equal(wrong, 0, "the events of the handler go to the default handler");
	ok(handler_in_maskset(MASKSET, LKST_SAMPLE_ETYPE) <= LKST_EVHANDLER_ID_NONE,
	   "the sample event is masked");

	for (unsigned int i = 0; i < 10; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_records(USER_MARK, cookie, LKST_LOG_PREEMPT_OFF), 10,
	      "the default handler records each event");
}

static void check_not_listed(void)
{
	struct lkst_sample_ctrl ctrl = {};
	int ret;

	ok(handler_id(LKST_SAMPLE_HANDLER) < 0, "the handler is no longer listed");
	ok(access("/sys/class/lkst/" LKST_SAMPLE_HANDLER, F_OK), "the handler has no directory");
	ok(access(PROC_FILE, F_OK), "the module has no file in /proc");
	ok(etype_is_listed(false), "the event type is absent");
	gives(control(LKST_EVHANDLER_ID_USER_MIN, &ctrl, sizeof(ctrl), &ret), EINVAL,
	      "the control function cannot be called");
}

static void one_round(int round)
{
	int handler;

	stress_start();
	gives(load_module("lkst_sample"), 0, "round %d: the module can be loaded under load",
	      round);
	handler = handler_id(LKST_SAMPLE_HANDLER);
	check_listed(handler);
	select_handler(handler);
	set_both_ways(handler);
	stress_stop();

	every_third(round);

	stress_start();
	ok(stress_continues(), "the handler runs on both CPUs");
	gives(unload_module("lkst_sample"), 0, "the module can be unloaded meanwhile");
	ok(stress_continues(), "both CPUs continue");
	stress_stop();

	check_not_listed();
	fallen_back(round);
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
}

int main(void)
{
	open_lkst();
	pin(0);
	for (int round = 0; round < ROUNDS; round++)
		one_round(round);
	gives(lkst_number(LKST_IOC_MASKSET_DELETE, MASKSET), 0, "the maskset can be deleted");
	return done_testing();
}
