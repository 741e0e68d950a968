// SPDX-License-Identifier: GPL-2.0
/* The LKST side of the oracle, which reads LKST's buffers through the device. */
#include "oracle.h"
#include "records.h"

#define MASKSET	   100
#define ETYPE_NONE 0xff

/* For each event type, its enum kind, or ETYPE_NONE. */
static uint8_t kind_of[LKST_ETYPE_NUM];

/* The state of LKST before the test. */
static struct lkst_trc_status before;

static int kind_called(const char *mnemonic)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (!strcmp(kinds[kind].mnemonic, mnemonic))
			return kind;
	return -1;
}

/* Look up the event types of the group in the running kernel, and set kind_of. */
static unsigned int find_etypes(enum group group, struct mask masks[KINDS])
{
	unsigned int expected = 0, found = 0;

	prepare_checks();
	memset(kind_of, ETYPE_NONE, sizeof(kind_of));
	for (int etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		int kind = kind_called(proc_etypes[etype].mnemonic);

		if (kind < 0 || !in_group(kind, group))
			continue;
		kind_of[etype] = kind;
		masks[found++] = (struct mask){ etype, LKST_EVHANDLER_ID_ENTRY_LOG };
	}
	for (int kind = 0; kind < KINDS; kind++)
		expected += in_group(kind, group);
	bail_if(found != expected, "/proc/lkst_etypes: an event type is missing");
	return found;
}

void lkst_begin(enum group group)
{
	struct mask masks[KINDS];
	unsigned int num = find_etypes(group, masks);

	open_lkst();
	before = get_status();
	bail_if(before.state != LKST_TRC_RUNNING, "LKST is stopped");
	need(write_maskset(MASKSET, "oracle", masks, num), "MASKSET_WRITE");
	need(set_maskset(MASKSET), "MASKSET_SET");
}

void lkst_end(void)
{
	need(lkst(LKST_IOC_TRC_STOP, NULL), "TRC_STOP");
}

void lkst_restore(void)
{
	need(lkst(LKST_IOC_TRC_START, NULL), "TRC_START");
	need(set_maskset(before.current_maskset_id), "MASKSET_SET");
	need(lkst_number(LKST_IOC_MASKSET_DELETE, MASKSET), "MASKSET_DELETE");
	close(lkst_fd);
}

static void convert(struct event *event, const struct lkst_log_record *record)
{
	uint32_t flags = record->posix.log_flags;

	*event = (struct event) {
		.arg = { record->log_arg1, record->log_arg2, record->log_arg3, record->log_arg4 },
		.time = record_ns(record),
		.thread = record->posix.log_thread,
		.process = record->posix.log_pid,
		.pgrp = record->posix.log_pgrp,
		.uid = record->posix.log_uid,
		.gid = record->posix.log_gid,
		.kind = kind_of[record->posix.log_event_type],
		.context = flags & LKST_LOG_NMI ? IN_NMI :
			   flags & LKST_LOG_HARDIRQ ? IN_HARDIRQ :
			   flags & LKST_LOG_SOFTIRQ ? IN_SOFTIRQ : IN_TASK,
		.preempt_off = flags & LKST_LOG_PREEMPT_OFF,
		.need_resched = flags & LKST_LOG_NEED_RESCHED,
	};
	/* In this event, ftrace's names are one character shorter than LKST's. */
	if (event->kind == RENAME)
		event->arg[2] &= UINT64_MAX >> 8;
}

/*
 * Return the index of the newest record of MARK_BEGIN, or @num if it is missing. The buffer may
 * hold earlier recordings, with older marks.
 */
static size_t find_begin(const struct lkst_log_record *records, size_t num)
{
	struct event event;
	size_t i = num;

	while (i--) {
		if (records[i].posix.log_event_type < 0 ||
		    records[i].posix.log_event_type >= LKST_ETYPE_NUM)
			continue;
		convert(&event, &records[i]);
		if (is_mark(&event, MARK_BEGIN))
			return i;
	}
	return num;
}

/*
 * Convert the records from the first mark to the second, and add them to @trace. Return NULL, or a
 * message that says what is wrong, for instance that records are missing.
 */
static const char *convert_all(struct trace *trace, const struct lkst_log_record *records,
			       size_t num, int cpu)
{
	size_t begin = find_begin(records, num);

	for (size_t i = begin; i < num; i++) {
		const struct posix_log_entry *posix = &records[i].posix;
		struct event event;

		if (posix->log_processor != cpu || posix->log_magic != LKST_LOG_MAGIC ||
		    posix->log_event_type < 0 || posix->log_event_type >= LKST_ETYPE_NUM)
			return "a record has wrong members";
		if (i > begin && posix->log_recid != records[i - 1].posix.log_recid + 1)
			return "the recids have a gap: LKST had no room";
		if (posix->log_event_type >= LKST_ETYPE_LKST_MIN)
			continue;
		if (kind_of[posix->log_event_type] == ETYPE_NONE)
			return "LKST has recorded a masked event";
		convert(&event, &records[i]);
		trace_add(trace, &event);
		if (is_mark(&event, MARK_END))
			return NULL;
	}
	return begin < num ? "LKST does not have the second mark" :
			     "LKST does not have the first mark: its buffer was too small";
}

const char *lkst_load(int cpu, struct trace *trace)
{
	int id = written_buffer(cpu);
	struct reading reading;
	const char *problem;

	reading_init(&reading, buffer_of(cpu, id).size / RECORD_SIZE);
	need(read_some(&reading, cpu, id, reading.max), "BUFFER_READ");
	problem = convert_all(trace, reading.records, reading.num, cpu);
	reading_free(&reading);
	if (!problem && get_status().lost != before.lost)
		problem = "LKST lost events";
	return problem;
}
