// SPDX-License-Identifier: GPL-2.0
/*
 * Inside the VM of tests/host/record_lines.t: "together-read CPU FROM" does from CPU, over and over, what others may do with
 * the buffer that FROM records to, until a signal ends it.
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
		fprintf(stderr, "usage: together-read CPU FROM\n");
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
