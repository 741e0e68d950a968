// SPDX-License-Identifier: GPL-2.0
/*
 * The states that calls need, and the way back from all of them.
 */
#include <signal.h>

#include "ioctl_errors.h"

int call_fd = -1;

void one_buffer(void)
{
	struct buffers buffers;
	int cpu, i;

	for (cpu = 0; cpu < cpus(); cpu++) {
		list_buffers(&buffers, cpu);
		if (!buffers.param.buffer_num)
			continue;
		if (jump(cpu, 0) || link_buffer(cpu, 0, VOID))
			bail_out("the way back to buffer 0");
		for (i = 1; i < buffers.param.buffer_num; i++)
			if (delete_buffer(cpu, buffers.ent[i].id))
				bail_out("BUFFER_DELETE");
	}
}

void second_buffer(void)
{
	need(create(0, 1, 0, 65536), "BUFFER_CREATE");
}

void ring(void)
{
	second_buffer();
	need(link_buffer(0, 0, 1), "BUFFER_LINK");
}

void next_is_not_there(void)
{
	need(link_buffer(0, 0, 77), "BUFFER_LINK");
}

void second_is_written(void)
{
	second_buffer();
	need(jump(0, 1), "BUFFER_JUMP");
}

void open_call_fd(void)
{
	call_fd = open("/dev/lkst", O_RDWR | O_NONBLOCK);
	if (call_fd < 0)
		bail_out("/dev/lkst");
}

void close_call_fd(void)
{
	close(call_fd);
	call_fd = -1;
}

static void bind_call_fd_to(int mode)
{
	struct lkst_buffer_srmodparam param = { .cpu = 0, .mode = mode };

	open_call_fd();
	if (ioctl(call_fd, LKST_IOC_BUFFER_SETRMOD, &param))
		bail_out("SETRMOD");
}

void bind_call_fd(void)
{
	bind_call_fd_to(LKST_READ_MODE_STD);
}

void blocks_call_fd(void)
{
	bind_call_fd_to(LKST_READ_MODE_BLOCK);
}

static void read_one(void)
{
	if (read(call_fd, records, sizeof(records[0])) != sizeof(records[0]))
		bail_out("read");
}

void first_is_being_read(void)
{
	ring();
	bind_call_fd();
	need(shift(0), "BUFFER_SHIFT");
	read_one();
}

void second_is_being_read(void)
{
	second_is_written();
	bind_call_fd();
	need(jump(0, 0), "BUFFER_JUMP");
	read_one();
}

void no_reader_one_buffer(void)
{
	close_call_fd();
	one_buffer();
}

void all_ids_of_cpu_0(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(0, id, VOID, 4096), "BUFFER_CREATE");
}

void all_ids_of_some_cpu(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		need(create(id & 1, id, VOID, 4096), "BUFFER_CREATE");
}

void all_memory(void)
{
	uint64_t size = 1ULL << 30;
	int error = 0;

	while (size >= 4096) {
		error = create(1, VOID, VOID, size);
		if (error)
			size /= 2;
	}
	if (error != ENOMEM)
		bail_out("BUFFER_CREATE");
}

static int other_process;

void bound_by_other_process(void)
{
	int pipes[2];
	char byte;

	if (pipe(pipes))
		bail_out("pipe");
	fflush(stdout);
	other_process = fork();
	if (!other_process) {
		bind_call_fd();
		if (write(pipes[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	if (read(pipes[0], &byte, 1) != 1)
		bail_out("child");
	close(pipes[0]);
	close(pipes[1]);
	open_call_fd();
}

void end_other_process(void)
{
	kill(other_process, SIGKILL);
	waitpid(other_process, NULL, 0);
	close_call_fd();
}

void stop(void)
{
	need(lkst_number(LKST_IOC_TRC_STOP, 0), "TRC_STOP");
}

void start(void)
{
	need(lkst_number(LKST_IOC_TRC_START, 0), "TRC_START");
}

static const struct mask one_mask[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG } };

void own_maskset(void)
{
	need(write_maskset(OWN_MASKSET, "own", one_mask, 1), "MASKSET_WRITE");
}

void own_maskset_is_selected(void)
{
	own_maskset();
	need(set_maskset(OWN_MASKSET), "MASKSET_SET");
}

void all_masksets(void)
{
	char name[20];
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		need(write_maskset(id, name, one_mask, 1), "MASKSET_WRITE");
	}
}

void own_masksets_gone(void)
{
	struct lkst_maskset_listparam list = { .listent_size = sizeof(masksets),
					       .listent = user(masksets) };
	int i, num = get_status().maskset_num;

	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	need(lkst(LKST_IOC_MASKSET_LIST, &list), "MASKSET_LIST");
	for (i = 3; i < num; i++)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, masksets[i].id), "MASKSET_DELETE");
}
