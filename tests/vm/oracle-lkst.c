// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle's view of LKST: its buffers, read through the device, without the tools.
 */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#include "oracle.h"
#include "proc_etypes.h"
#include "tap.h"

#define ETYPE_NONE	0xff

static int device;

/* enum kind by event type */
static uint8_t kind_of[LKST_ETYPE_NUM];

/* Before the marks: how LKST was, and the maskset that is made for them. */
static struct lkst_trc_status before;
static lkst_maskset_id maskset_id;

static struct lkst_trc_status get_status(void)
{
	struct lkst_trc_status status = {};

	if (ioctl(device, LKST_IOC_TRC_STATUS, &status))
		bail_out("TRC_STATUS");
	return status;
}

static int kind_called(const char *mnemonic)
{
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		if (!strcmp(kinds[kind].mnemonic, mnemonic))
			return kind;
	return -1;
}

/* The numbers of the event types, from the kernel that is running; those of the group to a maskset. */
static void find_etypes(enum group group, struct lkst_maskset_body *maskset)
{
	unsigned int wanted = 0;
	int etype, kind;

	read_proc_etypes();
	memset(kind_of, ETYPE_NONE, sizeof(kind_of));
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		kind = kind_called(proc_etypes[etype].mnemonic);
		if (kind < 0 || !in_group(kind, group))
			continue;
		kind_of[etype] = kind;
		maskset->entry[maskset->len++] = (struct lkst_maskset_entry){
			.event_type = etype,
			.id = LKST_EVHANDLER_ID_ENTRY_LOG,
		};
	}
	for (kind = 0; kind < KINDS; kind++)
		wanted += in_group(kind, group);
	if (maskset->len != wanted)
		bail_out("/proc/lkst_etypes: an event type is missing");
}

static void select_maskset(struct lkst_maskset_body *maskset)
{
	struct lkst_maskset_param param = {
		.id = LKST_MASKSET_ID_VOID,
		.maskset_size = LKST_MASKSET_SIZE(maskset->len),
		.maskset = (uintptr_t)maskset,
	};

	if (ioctl(device, LKST_IOC_MASKSET_WRITE, &param))
		bail_out("MASKSET_WRITE");
	maskset_id = param.id;
	if (ioctl(device, LKST_IOC_MASKSET_SET, maskset_id))
		bail_out("MASKSET_SET");
}

void lkst_begin(enum group group)
{
	struct lkst_maskset_body *maskset = calloc(1, LKST_MASKSET_SIZE_MAX);

	device = open("/dev/lkst", O_RDWR);
	if (device < 0)
		bail_out("/dev/lkst");
	if (!maskset)
		bail_out("calloc");
	strcpy(maskset->name, "oracle");
	find_etypes(group, maskset);
	before = get_status();
	if (before.state != LKST_TRC_RUNNING)
		bail_out("LKST is stopped");
	select_maskset(maskset);
	free(maskset);
}

void lkst_end(void)
{
	if (ioctl(device, LKST_IOC_TRC_STOP))
		bail_out("TRC_STOP");
}

void lkst_restore(void)
{
	if (ioctl(device, LKST_IOC_TRC_START))
		bail_out("TRC_START");
	if (ioctl(device, LKST_IOC_MASKSET_SET, before.current_maskset_id) ||
	    ioctl(device, LKST_IOC_MASKSET_DELETE, maskset_id))
		bail_out("the maskset of before");
	close(device);
}

static void convert(struct event *event, const struct lkst_log_record *record)
{
	uint32_t flags = record->posix.log_flags;

	*event = (struct event) {
		.arg = { record->log_arg1, record->log_arg2, record->log_arg3, record->log_arg4 },
		.time = record->posix.log_time.tv_sec * 1000000000LL +
			record->posix.log_time.tv_nsec,
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
	/* ftrace cuts a name off one character earlier. */
	if (event->kind == RENAME)
		event->arg[2] &= UINT64_MAX >> 8;
}

/* Where the last recording begins: the buffer may hold others before it. */
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

/* The records between the marks, without a gap. */
static const char *convert_all(struct trace *trace, const struct lkst_log_record *records,
			       size_t num, int cpu)
{
	size_t begin = find_begin(records, num), i;

	for (i = begin; i < num; i++) {
		const struct posix_log_entry *posix = &records[i].posix;
		struct event event;

		if (posix->log_processor != cpu || posix->log_magic != LKST_LOG_MAGIC ||
		    posix->log_event_type < 0 || posix->log_event_type >= LKST_ETYPE_NUM)
			return "a record is not what it should be";
		if (i > begin && posix->log_recid != records[i - 1].posix.log_recid + 1)
			return "recids have a gap: LKST had no room";
		if (kind_of[posix->log_event_type] == ETYPE_NONE)
			continue;
		convert(&event, &records[i]);
		trace_add(trace, &event);
		if (is_mark(&event, MARK_END))
			return NULL;
	}
	return begin < num ? "LKST has no second mark" :
			     "LKST has no first mark: its buffer was too small";
}

const char *lkst_load(int cpu, struct trace *trace)
{
	struct lkst_buffer_listent buffers[LKST_BUFFER_ID_MAX + 1];
	struct lkst_buffer_listparam list = { .cpu = cpu,
					      .listent_num = LKST_BUFFER_ID_MAX + 1,
					      .listent = (uintptr_t)buffers };
	struct lkst_log_buffer param = { .cpu = cpu };
	const char *problem;
	void *records;

	if (ioctl(device, LKST_IOC_BUFFER_LIST, &list) || !list.buffer_num)
		bail_out("BUFFER_LIST");
	param.id = list.write_buf;
	param.read_size = buffers[list.buffer_num - 1].size / LKST_SIZEOF_LKST_EVENT_RECORD *
			  sizeof(struct lkst_log_record);
	records = mmap(NULL, param.read_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (records == MAP_FAILED)
		bail_out("memory");
	param.buffer = (uintptr_t)records;
	if (ioctl(device, LKST_IOC_BUFFER_READ, &param))
		bail_out("BUFFER_READ");
	problem = convert_all(trace, records,
			      param.result_read_size / sizeof(struct lkst_log_record), cpu);
	munmap(records, param.read_size);
	if (!problem && get_status().lost != before.lost)
		problem = "LKST lost events";
	return problem;
}
