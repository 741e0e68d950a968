// SPDX-License-Identifier: GPL-2.0
/*
 * abi_example CPU RECORDS: reads so many records of what a CPU records, as it goes on.
 *
 * The example of Documentation/lkst/abi.rst. When one buffer of a ring of two is full, the
 * CPU goes on in the other, and this program reads the first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#define RING	    2
#define BUFFER_SIZE (512 * 1024)
#define OVFLOW	    0xf01 /* lkst_buff_ovflow */

static int check(const char *what, int result)
{
	if (result < 0) {
		fprintf(stderr, "abi_example: %s: %s\n", what, strerror(errno));
		exit(EXIT_FAILURE);
	}
	return result;
}

#define CALL(fd, request, arg) check(#request, ioctl(fd, request, arg))

static void make_ring(int lkst, int cpu, lkst_buffer_id id[RING])
{
	for (int i = 0; i < RING; i++) {
		struct lkst_buffer_param param = {
			.id = LKST_BUFFER_ID_VOID, /* one that is free */
			.next = i ? id[0] : LKST_BUFFER_ID_VOID,
			.cpu = cpu,
			.size = BUFFER_SIZE,
		};

		CALL(lkst, LKST_IOC_BUFFER_CREATE, &param);
		id[i] = param.id;
	}
	struct lkst_buffer_linkparam link = { .cpu = cpu, .id = id[0], .next = id[1] };

	CALL(lkst, LKST_IOC_BUFFER_LINK, &link);
}

/* A copy of the current maskset, but a buffer that is full shifts and wakes the reader. */
static lkst_maskset_id make_maskset(int lkst, lkst_maskset_id *current)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_param param = {
		.id = LKST_MASKSET_ID_VOID, /* the current one */
		.maskset_size = LKST_MASKSET_SIZE_MAX,
		.maskset = (uintptr_t)body,
	};

	if (!body)
		exit(EXIT_FAILURE);
	CALL(lkst, LKST_IOC_MASKSET_READ, &param);
	*current = param.id;
	for (unsigned int i = 0; i < body->len; i++)
		if (body->entry[i].event_type == OVFLOW)
			body->entry[i].id = LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	snprintf(body->name, sizeof(body->name), "abi_example");
	param.id = LKST_MASKSET_ID_VOID; /* one that is free */
	param.maskset_size = LKST_MASKSET_SIZE(body->len);
	CALL(lkst, LKST_IOC_MASKSET_WRITE, &param);
	free(body);
	return param.id;
}

/* Recids rise by one. Where they do not, an lkst_buff_ovflow tells which records are lost. */
static void read_stream(int stream, int cpu, unsigned long long wanted)
{
	struct lkst_buffer_srmodparam mode = { .cpu = cpu, .mode = LKST_READ_MODE_STD };
	static struct lkst_log_record record[1024];
	unsigned long long records = 0, next = 0;

	CALL(stream, LKST_IOC_BUFFER_SETRMOD, &mode);
	while (records < wanted) {
		ssize_t bytes = check("read", read(stream, record, sizeof(record)));
		const struct lkst_log_record *r = record;

		for (; bytes > 0; bytes -= (ssize_t)sizeof(*r), r++) {
			unsigned long long recid = r->posix.log_recid;

			if (records++ && recid != next)
				printf("missing %llu %llu\n", next, recid - next);
			if (r->posix.log_event_type == OVFLOW && r->log_arg2)
				printf("lost %llu %llu\n", (unsigned long long)r->log_arg3,
				       (unsigned long long)r->log_arg2);
			next = recid + 1;
		}
	}
	printf("records %llu\n", records);
}

int main(int argc, char **argv)
{
	lkst_maskset_id maskset, before;
	lkst_buffer_id id[RING];
	int cpu, lkst, stream;

	if (argc != 3) {
		fprintf(stderr, "usage: abi_example CPU RECORDS\n");
		return 2;
	}
	cpu = atoi(argv[1]);
	lkst = check("/dev/lkst", open("/dev/lkst", O_RDWR | O_CLOEXEC));
	stream = check("/dev/lkst", open("/dev/lkst", O_RDONLY | O_CLOEXEC));
	make_ring(lkst, cpu, id);
	maskset = make_maskset(lkst, &before);
	CALL(lkst, LKST_IOC_BUFFER_JUMP,
	     (&(struct lkst_buffer_jumpparam){ .cpu = cpu, .dest = id[0] }));
	CALL(lkst, LKST_IOC_MASKSET_SET, maskset);

	read_stream(stream, cpu, strtoull(argv[2], NULL, 0));

	/* All as it was. A buffer that is being read cannot be written, nor either be deleted. */
	close(stream);
	CALL(lkst, LKST_IOC_MASKSET_SET, before);
	CALL(lkst, LKST_IOC_MASKSET_DELETE, maskset);
	CALL(lkst, LKST_IOC_BUFFER_JUMP, (&(struct lkst_buffer_jumpparam){ .cpu = cpu }));
	for (int i = 0; i < RING; i++)
		CALL(lkst, LKST_IOC_BUFFER_DELETE,
		     (&(struct lkst_buffer_delparam){ .cpu = cpu, .id = id[i] }));
	return EXIT_SUCCESS;
}
