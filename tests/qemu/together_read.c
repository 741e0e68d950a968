// SPDX-License-Identifier: GPL-2.0
/*
 * together_read CPU FROM: CPU and FROM are CPU numbers. The program runs on CPU, inside the VM of
 * tests/host/record_lines.t. Until a signal ends it, it repeatedly reads the buffer that FROM is
 * recording to, links that buffer, and lists the buffers of FROM. A program may do this on any CPU
 * while FROM is recording.
 */
#include "../vm/buffers.h"

#define RECORDS 16

int main(int argc, char **argv)
{
	static struct lkst_log_record records[RECORDS];
	struct lkst_log_buffer param;
	struct buffers buffers;
	int from, id;

	if (argc != 3) {
		fprintf(stderr, "usage: together_read CPU FROM\n");
		return 2;
	}
	pin(atoi(argv[1]));
	from = atoi(argv[2]);
	open_lkst();
	id = written_buffer(from);
	for (;;) {
		need(read_buffer_max(&param, from, id, records, RECORDS), "BUFFER_READ");
		need(link_buffer(from, id, id + 1), "BUFFER_LINK");
		need(link_buffer(from, id, VOID), "BUFFER_LINK");
		list_buffers(&buffers, from);
	}
}
