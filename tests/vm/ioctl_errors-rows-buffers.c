// SPDX-License-Identifier: GPL-2.0
/*
 * The rows of the calls that deal with buffers, record into them and read them.
 */
#include "ioctl_errors.h"

void buffer_read_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "buffer is NULL", EINVAL, .arg.log_buffer = { .read_size = sizeof(records) } },
		{ "buffer is not there", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records), .buffer = user(no_page) } },
		{ "buffer cannot be written", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records), .buffer = user(ro_page) } },
		{ "buffer goes on where nothing is", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records),
				      .buffer = user(before_end(1000)) } },
		{ "buffer ends where nothing more is", 0,
		  .arg.log_buffer = { .read_size = sizeof(records[0]) * 2 - 1,
				      .buffer = user(before_end(sizeof(records[0]))) } },
		{ "read_size is 0", EINVAL, .arg.log_buffer = { .buffer = user(records) } },
		{ "read_size is less than a record", EINVAL,
		  .arg.log_buffer = { .read_size = sizeof(records[0]) - 1,
				      .buffer = user(records) } },
		{ "read_size is negative", EINVAL,
		  .arg.log_buffer = { .read_size = -1, .buffer = user(records) } },
		{ "id is negative", EINVAL,
		  .arg.log_buffer = { .id = -1,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is out of range", EINVAL,
		  .arg.log_buffer = { .id = 256,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is VOID, of a CPU", EINVAL,
		  .arg.log_buffer = { .id = VOID,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "id is not VOID, of no CPU", EINVAL,
		  .arg.log_buffer = { .cpu = -1,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "cpu is negative", EINVAL,
		  .arg.log_buffer = { .cpu = -2,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "there is no such CPU", EINVAL,
		  .arg.log_buffer = { .cpu = NO_CPU,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
		{ "there is no such buffer", EINVAL,
		  .arg.log_buffer = { .id = 77,
				      .read_size = sizeof(records),
				      .buffer = user(records) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void create_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.buffer = { -1, VOID, .size = 4096 } },
		{ "id is out of range", EINVAL, .arg.buffer = { 256, VOID, .size = 4096 } },
		{ "the buffer exists", EINVAL, .arg.buffer = { 0, VOID, .size = 4096 } },
		{ "next is negative", EINVAL, .arg.buffer = { 1, -1, .size = 4096 } },
		{ "next is out of range", EINVAL, .arg.buffer = { 1, 256, .size = 4096 } },
		{ "next is the buffer itself", EINVAL, .arg.buffer = { 1, 1, .size = 4096 } },
		{ "next does not exist", 0, .arg.buffer = { 1, 77, .size = 4096 } },
		{ "cpu is negative", EINVAL, .arg.buffer = { 1, VOID, -2, .size = 4096 } },
		{ "there is no such CPU", EINVAL, .arg.buffer = { 1, VOID, NO_CPU, .size = 4096 } },
		{ "size is 0", EINVAL, .arg.buffer = { 1, VOID } },
		{ "size is too small", EINVAL, .arg.buffer = { 1, VOID, .size = 4095 } },
		{ "size is too large", EINVAL, .arg.buffer = { 1, VOID, .size = 1ULL << 40 } },
		{ "size is negative", EINVAL, .arg.buffer = { 1, VOID, .size = -1 } },
		{ "no id is free", ENOSPC, .arg.buffer = { VOID, VOID, .size = 4096 },
		  .enter = all_ids_of_cpu_0 },
		{ "LKST's memory is used up", ENOMEM, .arg.buffer = { 1, VOID, .size = 4096 },
		  .enter = all_memory },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

void create_all_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the buffer exists on one CPU", EINVAL, .arg.buffer = { 1, VOID, -1, 0, 4096 },
		  .enter = second_buffer },
		{ "no id is free on all CPUs", ENOSPC, .arg.buffer = { VOID, VOID, -1, 0, 4096 },
		  .enter = all_ids_of_some_cpu },
		{ "LKST's memory is used up", ENOMEM, .arg.buffer = { VOID, VOID, -1, 0, 4096 },
		  .enter = all_memory },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void shift_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.number = -1 },
		{ "there is no such CPU", EINVAL, .arg.number = NO_CPU },
		{ "there is no next buffer", EINVAL, .enter = second_buffer },
		{ "the next buffer does not exist", EINVAL, .enter = next_is_not_there },
		{ "the next buffer is being read", EBUSY, .enter = first_is_being_read,
		  .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

void jump_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.jump = { -1, 1 } },
		{ "there is no such CPU", EINVAL, .arg.jump = { NO_CPU, 1 } },
		{ "dest is negative", EINVAL, .arg.jump = { 0, -1 } },
		{ "dest is VOID", EINVAL, .arg.jump = { 0, VOID } },
		{ "dest is out of range", EINVAL, .arg.jump = { 0, 256 } },
		{ "dest does not exist", EINVAL, .arg.jump = { 0, 77 } },
		{ "dest does not exist on this CPU", EINVAL, .arg.jump = { 1, 1 } },
		{ "dest is written", 0, .arg.jump = { 0, 0 } },
		{ "dest is being read", EBUSY, .arg.jump = { 0, 0 }, .enter = first_is_being_read,
		  .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

void link_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.link = { -1, 0, 1 } },
		{ "there is no such CPU", EINVAL, .arg.link = { NO_CPU, 0, 1 } },
		{ "next is the buffer itself", EINVAL, .arg.link = { 0, 1, 1 } },
		{ "next is negative", EINVAL, .arg.link = { 0, 0, -1 } },
		{ "next is out of range", EINVAL, .arg.link = { 0, 0, 256 } },
		{ "next does not exist", 0, .arg.link = { 0, 0, 77 } },
		{ "next is VOID", 0, .arg.link = { 0, 0, VOID } },
		{ "id is negative", EINVAL, .arg.link = { 0, -1, 1 } },
		{ "id is VOID", EINVAL, .arg.link = { 0, VOID, 1 } },
		{ "id is out of range", EINVAL, .arg.link = { 0, 256, 1 } },
		{ "id does not exist", EINVAL, .arg.link = { 0, 77, 1 } },
		{ "id does not exist on this CPU", EINVAL, .arg.link = { 1, 1, 0 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "LKST is not initialized", "it is before there is a device");
	skip(call, EBUSY, "a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

void delete_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is 0", EINVAL, .arg.delete = { 0, 0 } },
		{ "id is 0, and another buffer is written", EINVAL, .arg.delete = { 0, 0 },
		  .enter = second_is_written },
		{ "id is negative", EINVAL, .arg.delete = { 0, -1 } },
		{ "id is VOID", EINVAL, .arg.delete = { 0, VOID } },
		{ "id is out of range", EINVAL, .arg.delete = { 0, 256 } },
		{ "there is no such buffer", EINVAL, .arg.delete = { 0, 77 } },
		{ "there is no such buffer on this CPU", EINVAL, .arg.delete = { 1, 1 } },
		{ "cpu is negative", EINVAL, .arg.delete = { -1, 1 } },
		{ "there is no such CPU", EINVAL, .arg.delete = { NO_CPU, 1 } },
		{ "the buffer is written", EBUSY, .arg.delete = { 0, 1 },
		  .enter = second_is_written },
		{ "the buffer is being read", EBUSY, .arg.delete = { 0, 1 },
		  .enter = second_is_being_read, .leave = no_reader_one_buffer },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void buffer_list_rows(const struct call *call)
{
	struct lkst_buffer_listent *one = before_end(sizeof(*one));
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.buffer_list = { .listent_num = 1 } },
		{ "listent is not there", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.buffer_list = { .listent_num = 1, .listent = user(one) + 1 } },
		{ "no more is stored than the list has", 0,
		  .arg.buffer_list = { .listent_num = 1000000, .listent = user(one) } },
		{ "listent_num is 0", 0, .arg.buffer_list = { .listent = user(no_page) } },
		{ "listent_num is negative", EINVAL,
		  .arg.buffer_list = { .listent_num = -1, .listent = user(one) } },
		{ "cpu is negative", EINVAL,
		  .arg.buffer_list = { .cpu = -1, .listent_num = 1, .listent = user(one) } },
		{ "there is no such CPU", EINVAL,
		  .arg.buffer_list = { .cpu = NO_CPU, .listent_num = 1, .listent = user(one) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void setrmod_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.mode = { .cpu = -1 } },
		{ "there is no such CPU", EINVAL, .arg.mode = { .cpu = NO_CPU } },
		{ "mode is negative", EINVAL, .arg.mode = { .mode = -1 } },
		{ "there is no such mode", EINVAL, .arg.mode = { .mode = 3 } },
		{ "blocks of all CPUs", 0, .arg.mode = { -1, LKST_READ_MODE_BLOCK } },
		{ "the file reads blocks of the CPU", 0, .arg.mode = { 0, LKST_READ_MODE_BLOCK },
		  .enter = blocks_call_fd },
		{ "the file reads blocks of another CPU", EBUSY,
		  .arg.mode = { 1, LKST_READ_MODE_BLOCK }, .enter = blocks_call_fd },
		{ "the file reads blocks", EBUSY, .arg.mode = { 0, LKST_READ_MODE_STD },
		  .enter = blocks_call_fd },
		{ "another process is bound to the CPU", EBUSY, .arg.mode = { .cpu = 0 },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "another process is bound to another CPU", 0, .arg.mode = { .cpu = 1 },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "this process is bound to another CPU", EBUSY, .arg.mode = { .cpu = 1 },
		  .enter = bind_call_fd },
		{ "this process is bound to the CPU", 0, .arg.mode = { .cpu = 0 },
		  .enter = bind_call_fd },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void not_in_blocks_rows(const struct call *call)
{
	struct row rows[] = {
		{ "the file has no mode", EINVAL, .enter = open_call_fd },
		{ "the file is read in another mode", EINVAL, .enter = bind_call_fd },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		call->good(&rows[i].arg);
	run_rows(call, rows, ARRAY_SIZE(rows));
}

void seek_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "cpu is negative", EINVAL, .arg.seek = { .cpu = -1 } },
		{ "there is no such CPU", EINVAL, .arg.seek = { .cpu = NO_CPU } },
		{ "the file reads another CPU", EINVAL, .arg.seek = { .cpu = 1 } },
		{ "the CPU has not come to this recid", EINVAL,
		  .arg.seek = { .recid = LKST_BLOCK_RECID_END - 1 } },
		{ "from the oldest record on", 0, .arg.seek = { .recid = 0 } },
	};

	not_in_blocks_rows(call);
	run_rows(call, rows, ARRAY_SIZE(rows));
}

void entry_log_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "event type is negative", EINVAL, .arg.entry = { -1 } },
		{ "event type is out of range", EINVAL, .arg.entry = { 0x1000 } },
		{ "event type is not registered", EINVAL, .arg.entry = { 0x0ff } },
		{ "event type is not registered, and reserved", EINVAL, .arg.entry = { 0x200 } },
		{ "event type is not registered, but for users", 0, .arg.entry = { UNREGISTERED } },
		{ "event type is one of LKST's own", EINVAL, .arg.entry = { BUFF_SHIFT } },
		{ "event type is masked", 0, .arg.entry = { USER_MARK }, .enter = stop,
		  .leave = start },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* An address that no program can have is EFAULT: the kernel says so before it asks LKST. */
void read_rows(const struct call *call)
{
	size_t size = sizeof(records[0]);
	const struct row rows[] = {
		{ "the address is NULL", EINVAL, .arg.read = { NULL, size } },
		{ "the address is not there", EINVAL, .arg.read = { no_page, size } },
		{ "the address cannot be written", EINVAL, .arg.read = { ro_page, size } },
		{ "the record goes on where nothing is", EINVAL,
		  .arg.read = { before_end(size - 1), size } },
		{ "the record ends where nothing more is", 0,
		  .arg.read = { before_end(size), size } },
		{ "the size is 0", EINVAL, .arg.read = { records, 0 } },
		{ "the size is less than a record", EINVAL, .arg.read = { records, size - 1 } },
		{ "the process is not bound", EBUSY, .arg.read = { records, size },
		  .enter = open_call_fd, .leave = close_call_fd },
		{ "the process is not bound, but another one", EBUSY, .arg.read = { records, size },
		  .enter = bound_by_other_process, .leave = end_other_process },
		{ "the queue is empty, and O_NONBLOCK", EAGAIN, .arg.read = { records, size },
		  .enter = bind_call_fd, .leave = close_call_fd },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}
