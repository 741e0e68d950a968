// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the state model and a history, and checks the invariants of the model's reports and the
 * results of the history. The size of the input determines how much memory the history has. An
 * input that begins with the magic number of trace files is read as a trace, after its checksums
 * have been corrected. Other inputs are arrays of struct step: each step is an event, or opens a
 * window (lkst_model_open_window()), or makes a cut (lkst_model_cut()).
 */
#include <stdlib.h>
#include <string.h>

#include "chunks.h"
#include "fuzz.h"
#include "history_check.h"
#include "invariants.h"
#include "lib/base/etype_ids.h"
#include "lib/trace/trace.h"

#define EVENTS_MAX 100000

/* Event types by the value of struct step.type, so that small values reach every handler */
static const uint16_t types[] = {
	LKST_ETYPE_USER_MARK, LKST_ETYPE_PROCESS_CONTEXTSWITCH, LKST_ETYPE_PROCESS_WAKEUP,
	LKST_ETYPE_PROCESS_WAKING, LKST_ETYPE_PROCESS_FORK, LKST_ETYPE_PROCESS_EXEC,
	LKST_ETYPE_PROCESS_EXIT, LKST_ETYPE_PROCESS_MIGRATE, LKST_ETYPE_PROCESS_RENAME,
	LKST_ETYPE_PROCESS_STATE, LKST_ETYPE_INT_HARDWARE_ENTRY, LKST_ETYPE_INT_HARDWARE_EXIT,
	LKST_ETYPE_INT_SOFTIRQ_ENTRY, LKST_ETYPE_INT_SOFTIRQ_EXIT, LKST_ETYPE_INT_SOFTIRQ_RAISE,
	LKST_ETYPE_INT_TASKLET_ENTRY, LKST_ETYPE_INT_TASKLET_EXIT, LKST_ETYPE_INT_TIMER_ENTRY,
	LKST_ETYPE_INT_TIMER_EXIT, LKST_ETYPE_INT_IPI_ENTRY, LKST_ETYPE_INT_IPI_EXIT,
	LKST_ETYPE_EXCEPTION_ENTRY, LKST_ETYPE_EXCEPTION_EXIT, LKST_ETYPE_SYSCALL_ENTRY,
	LKST_ETYPE_SYSCALL_EXIT, LKST_ETYPE_TIMER_RUN_ENTRY, LKST_ETYPE_TIMER_RUN_EXIT,
	LKST_ETYPE_TIMER_HR_RUN_ENTRY, LKST_ETYPE_TIMER_HR_RUN_EXIT, LKST_ETYPE_CPU_IDLE_ENTRY,
	LKST_ETYPE_CPU_ONLINE, LKST_ETYPE_CPU_OFFLINE, LKST_ETYPE_CPU_SUSPEND,
	LKST_ETYPE_WORK_ENTRY, LKST_ETYPE_WORK_EXIT, LKST_ETYPE_LKST_INIT,
	LKST_ETYPE_LKST_TRC_START, LKST_ETYPE_LKST_TRC_STOP, LKST_ETYPE_LKST_MASKSET_SET,
	0x150, LKST_ETYPE_NUM - 1, LKST_ETYPE_NUM,
};
#define TYPES	(sizeof(types) / sizeof(*types))
#define WINDOW	254
#define CUT	255

/* 16 bytes of the input. The arguments of an event are @high << 32 | @low and @other << 32 | @low. */
struct step {
	uint8_t type;		/* index in types[], WINDOW, CUT, or any event type */
	uint8_t place;		/* from bit 0: CPU (3 bits), source, static buffer, flags (3 bits) */
	uint8_t tid;
	int8_t recid;		/* offset from the recid that would leave no gap */
	int32_t time;		/* offset from the time of the previous step, in ns */
	uint16_t high;
	uint16_t low;
	int32_t other;
};

static const uint64_t suspend[2] = { 0x5f656e696863616d /* machine_ */, 0x646e6570737573 };

static struct lkst_event event_of(const struct step *step, int64_t time_ns,
				  uint64_t recid[2][8])
{
	struct lkst_event event = { .time_ns = time_ns, .machine = LKST_MACHINE_X86_64 };

	event.type = step->type < TYPES ? types[step->type] : (uint32_t)step->type << 4;
	event.cpu = step->place & 7;
	event.source = step->place >> 3 & 1;
	event.buffer = step->place & 16 ? LKST_BUFFER_ID_VOID : 0;
	event.flags = (uint32_t)(step->place >> 5) << 8;
	event.tid = event.tgid = step->tid == 255 ? UINT32_MAX : step->tid;
	event.recid = recid[event.source][event.cpu] + 1 + (uint64_t)(int64_t)step->recid;
	recid[event.source][event.cpu] = event.recid;
	event.arg[0] = (uint64_t)step->high << 32 | step->low;
	event.arg[1] = (uint64_t)(uint32_t)step->other << 32 | step->low;
	event.arg[2] = event.arg[1];
	event.arg[3] = event.arg[0];
	if (event.type == LKST_ETYPE_CPU_SUSPEND)
		memcpy(event.arg, suspend, sizeof(suspend));
	return event;
}

/* @full: the history has exceeded its memory limit, so the model has failed */
struct fuzz_model {
	struct lkst_model *model;
	struct invariants *inv;
	struct lkst_history *history;
	struct history_check *check;
	bool full;
};

/* Only a history without enough memory makes the model fail. */
static void check_result(struct fuzz_model *fuzz, int ret, const struct lkst_error *err)
{
	if (!ret)
		return;
	MUST(strstr(err->text, "does not fit"));
	fuzz->full = true;
}

static void cut(struct fuzz_model *fuzz, int64_t time_ns)
{
	struct lkst_error err;

	if (fuzz->full)
		return;
	invariants_cut(fuzz->inv, time_ns);
	check_result(fuzz, lkst_model_cut(fuzz->model, time_ns, &err), &err);
	invariants_after_cut(fuzz->inv);
}

static void open_window(struct fuzz_model *fuzz, int64_t time_ns)
{
	invariants_window(fuzz->inv, time_ns);
	history_check_window(fuzz->check);
	lkst_model_open_window(fuzz->model, time_ns);
}

static void feed(struct fuzz_model *fuzz, const struct lkst_event *event)
{
	struct lkst_error err = { 0 };

	if (fuzz->full)
		return;
	invariants_event(fuzz->inv, event);
	check_result(fuzz, lkst_model_event(fuzz->model, event, &err), &err);
}

static int64_t run_steps(struct fuzz_model *fuzz, const uint8_t *data, size_t size)
{
	uint64_t recid[2][8] = { { 0 } };
	int64_t time_ns = 0;
	struct step step;

	for (; size >= sizeof(step); data += sizeof(step), size -= sizeof(step)) {
		struct lkst_event event;

		memcpy(&step, data, sizeof(step));
		/* If the tid is 77, the step is so large that the time may reach its limits. */
		if (__builtin_add_overflow(time_ns, step.tid == 77 ? step.time * (1ll << 32) :
								     step.time,
					   &time_ns))
			time_ns = step.time < 0 ? INT64_MIN : INT64_MAX;
		event = event_of(&step, time_ns, recid);
		if (step.type == WINDOW)
			open_window(fuzz, time_ns);
		else if (step.type == CUT)
			cut(fuzz, time_ns);
		else
			feed(fuzz, &event);
	}
	return time_ns;
}

static int64_t run_trace(struct fuzz_model *fuzz, uint8_t *data, size_t size)
{
	struct lkst_event event = { 0 };
	struct lkst_trace *trace;
	struct lkst_error err;
	unsigned int num = 0;
	int fd;

	sign_files(data, size);
	fd = fuzz_file(data, size);
	trace = lkst_trace_open_fd(fd, "T", NULL, &err);
	if (trace && !lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err))
		while (num++ < EVENTS_MAX && lkst_trace_next(trace, &event, &err) > 0)
			feed(fuzz, &event);
	lkst_trace_close(trace);
	close(fd);
	return event.time_ns;
}

/* Memory of the history, in bytes; 0: the default */
static const uint64_t memory[] = { 0, 4096, 16384, 65536 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool is_trace = size >= sizeof(TRACE_MAGIC) &&
			!memcmp(data, TRACE_MAGIC, sizeof(TRACE_MAGIC));
	struct lkst_error err;
	struct fuzz_model fuzz = { .model = lkst_model_new(size % 2, &err) };
	uint8_t *copy = malloc(size + 1);
	int64_t time_ns;

	MUST(fuzz.model && copy);
	memcpy(copy, data, size);
	fuzz.inv = invariants_new(fuzz.model);
	fuzz.history = lkst_history_new(fuzz.model, memory[size / 2 % 4], &err);
	MUST(fuzz.history);
	fuzz.check = history_check_new(fuzz.model, fuzz.history);
	time_ns = is_trace ? run_trace(&fuzz, copy, size) : run_steps(&fuzz, copy, size);
	cut(&fuzz, time_ns);
	if (!fuzz.full) {
		history_check_all(fuzz.check, size);
		MUST(!memory[size / 2 % 4] ||
		     lkst_history_bytes(fuzz.history) <= memory[size / 2 % 4]);
	}
	history_check_free(fuzz.check);
	lkst_history_free(fuzz.history);
	invariants_free(fuzz.inv);
	lkst_model_free(fuzz.model);
	free(copy);
	return 0;
}
