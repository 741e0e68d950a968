// SPDX-License-Identifier: GPL-2.0
/*
 * The calls of 4.7.1.3 and read(), one after the other, on buffers of which every record is known.
 */
/* also: -m32 */
#include "buffers-test.h"

void select_maskset(int id)
{
	need(set_maskset(id), "MASKSET_SET %d", id);
}

static const struct {
	int id;
	const char *name;
	struct mask masks[4];
} masksets[] = {
	{ SET_WRAP,
	  "wrap",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_OVFLOW, LKST_EVHANDLER_ID_ENTRY_LOG } } },
	{ SET_SHIFT,
	  "shift",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT } } },
	{ SET_SHIFT_DW,
	  "shift and wake",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW } } },
	{ SET_UNTOLD,
	  "untold",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG } } },
	{ SET_SYNC,
	  "sync",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_OVFLOW, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { SYNC_TIME, LKST_EVHANDLER_ID_ENTRY_LOG } } },
	{ SET_MARKS, "marks", { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } } },
	{ SET_OVFLOW,
	  "marks and overflows",
	  { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	    { BUFF_OVFLOW, LKST_EVHANDLER_ID_ENTRY_LOG } } },
};

#define MASKSETS (sizeof(masksets) / sizeof(masksets[0]))

static void write_masksets(void)
{
	unsigned int i, num;

	for (i = 0; i < MASKSETS; i++) {
		for (num = 0; num < 4 && masksets[i].masks[num].etype; num++)
			;
		need(write_maskset(masksets[i].id, masksets[i].name, masksets[i].masks, num),
		     "MASKSET_WRITE %s", masksets[i].name);
	}
}

static void delete_masksets(void)
{
	unsigned int i;

	for (i = 0; i < MASKSETS; i++)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, masksets[i].id), "MASKSET_DELETE %s",
		     masksets[i].name);
}

/* By another process, whose binding goes away with it. */
static void drain(int cpu)
{
	static char space[1 << 16];
	pid_t pid = fork();
	int status;

	if (pid < 0)
		bail_out("fork");
	if (!pid) {
		int error = set_mode(cpu, LKST_READ_MODE_RAW);

		fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
		while (!error)
			error = read(lkst_fd, space, sizeof(space)) > 0 ? 0 : errno;
		_exit(error == EAGAIN ? 0 : error);
	}
	waitpid(pid, &status, 0);
	/* O_NONBLOCK belongs to the open file, which is this process's too. */
	fcntl(lkst_fd, F_SETFL, O_RDWR);
	need(WIFEXITED(status) ? WEXITSTATUS(status) : EIO, "emptying CPU %d's read queue", cpu);
}

void reset(int cpu)
{
	struct buffers buffers;
	int i;

	select_maskset(SET_NOTHING);
	need(jump(cpu, 0), "JUMP to buffer 0");
	list_buffers(&buffers, cpu);
	for (i = 1; i < buffers.param.buffer_num; i++)
		need(delete_buffer(cpu, buffers.ent[i].id), "DELETE");
}

void prepare(int cpu, int num, uint64_t size)
{
	int id;

	reset(cpu);
	for (id = 1; id <= num; id++)
		need(create(cpu, id, num > 1 ? id % num + 1 : VOID, size), "CREATE %d", id);
	need(jump(cpu, 1), "JUMP to buffer 1");
	drain(cpu);
}

void marks(int cpu, uint64_t first, unsigned int num)
{
	pin(cpu);
	for (; num; num--, first++)
		need(mark(first, first * 3, ~first, 0), "ENTRY_LOG");
}

void take_snapshot(struct snapshot *snapshot)
{
	int cpu;

	memset(snapshot, 0, sizeof(*snapshot));
	for (cpu = 0; cpu < CPUS; cpu++)
		list_buffers(&snapshot->buffers[cpu], cpu);
	snapshot->memory = get_status().memory;
}

bool unchanged(const struct snapshot *before)
{
	static struct snapshot now;
	int cpu;

	take_snapshot(&now);
	/* Where the list went is no part of the answer. */
	for (cpu = 0; cpu < CPUS; cpu++)
		now.buffers[cpu].param.listent = before->buffers[cpu].param.listent;
	if (!memcmp(&now, before, sizeof(now)))
		return true;
	diag("buffers of CPU 0: %d, were %d; of CPU 1: %d, were %d; memory %llu, was %llu",
	     now.buffers[0].param.buffer_num, before->buffers[0].param.buffer_num,
	     now.buffers[1].param.buffer_num, before->buffers[1].param.buffer_num, (ull)now.memory,
	     (ull)before->memory);
	return false;
}

bool records_are(const struct lkst_log_record *records, size_t num, const struct want *want,
		 size_t want_num)
{
	size_t i;

	if (num != want_num) {
		diag("%zu records, not %zu", num, want_num);
		return false;
	}
	for (i = 0; i < num; i++) {
		const struct lkst_log_record *r = &records[i];

		if (r->posix.log_event_type == want[i].etype && r->log_arg1 == want[i].arg[0] &&
		    r->log_arg2 == want[i].arg[1] && r->log_arg3 == want[i].arg[2] &&
		    (!i || r->posix.log_recid == records[i - 1].posix.log_recid + 1))
			continue;
		diag("record %zu, recid %llu: %#x(%llu, %llu, %llu), not %#x(%llu, %llu, %llu)", i,
		     (ull)r->posix.log_recid, r->posix.log_event_type, (ull)r->log_arg1,
		     (ull)r->log_arg2, (ull)r->log_arg3, want[i].etype, (ull)want[i].arg[0],
		     (ull)want[i].arg[1], (ull)want[i].arg[2]);
		return false;
	}
	return true;
}

size_t read_all(int cpu, int id, struct lkst_log_buffer *param, struct lkst_log_record *records)
{
	need(read_buffer_max(param, cpu, id, records, 4096), "BUFFER_READ %d", id);
	return param->result_read_size / sizeof(*records);
}

int main(void)
{
	struct lkst_trc_status before;
	int cpu;

	open_lkst();
	pin(0);
	before = get_status();
	write_masksets();
	for (cpu = 0; cpu < CPUS; cpu++)
		reset(cpu);

	test_create();
	test_delete();
	test_link();
	test_list();
	test_read_ioctl();
	test_read_from();
	test_shift();
	test_overflow();
	test_reader();
	test_blocks();

	for (cpu = 0; cpu < CPUS; cpu++)
		reset(cpu);
	delete_masksets();
	equal(get_status().memory, before.memory, "in the end all memory is back");
	select_maskset(before.current_maskset_id);
	return done_testing();
}
