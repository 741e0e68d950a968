// SPDX-License-Identifier: GPL-2.0
/*
 * Writes trace files for tests of commands: mktrace FILE [CPUS RECORDS]
 *
 * Without numbers the sample; else so many CPUs with so many records each.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/etype_ids.h"
#include "sample.h"

#define BLOCK 4096

static struct lkst_log_record busy_record(int32_t cpu, uint64_t recid, int64_t time_ns)
{
	uint32_t tid = 1000 + (uint32_t)(recid / 8 % 64) * 8 + (uint32_t)cpu % 8;
	const uint64_t entry[4] = { pack((uint32_t)recid % 200, 0), 3, 0x7ffc12345678, 4096 };
	const uint64_t leave[4] = { pack((uint32_t)recid % 200, 0),
				    recid % 5 ? 4096 : (uint64_t)-11 };
	const uint64_t swtch[4] = { pack(tid, 'S'), pack(tid + 8, 120), text8("worker"),
				    text8("worker") };

	switch (recid % 8) {
	case 0:
		return sample_record(cpu, recid, time_ns, LKST_ETYPE_PROCESS_CONTEXTSWITCH, tid,
				     swtch);
	case 1:
	case 3:
	case 5:
		return sample_record(cpu, recid, time_ns, LKST_ETYPE_SYSCALL_ENTRY, tid, entry);
	}
	return sample_record(cpu, recid, time_ns, LKST_ETYPE_SYSCALL_EXIT, tid, leave);
}

static int write_busy(struct lkst_trace_writer *writer, int32_t cpus, uint64_t records,
		      struct lkst_error *err)
{
	static struct lkst_log_record block[BLOCK];
	struct lkst_etypes *types = lkst_etypes_embedded(err);
	size_t len;
	char *text = types ? lkst_etypes_text(types, &len, err) : NULL;
	int ret = text ? lkst_trace_write_etypes(writer, text, len, err) : -1;

	for (int32_t cpu = 0; !ret && cpu < cpus; cpu++) {
		struct lkst_log_buffer buffer = sample_buffer(cpu, 0);

		buffer.recorded = records;
		buffer.overwritten = buffer.dropped = 0;
		for (uint64_t i = 0; !ret && i < records; i += BLOCK) {
			size_t n = records - i < BLOCK ? records - i : BLOCK;

			for (size_t k = 0; k < n; k++)
				block[k] = busy_record(cpu, i + k,
						       SAMPLE_NS + (int64_t)(i + k) * 800 + cpu);
			ret = lkst_trace_write_records(writer, &buffer, block, n, err);
		}
	}
	free(text);
	lkst_etypes_free(types);
	return ret ? ret : lkst_trace_write_end(writer, err);
}

int main(int argc, char **argv)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;
	int ret;

	if (argc != 2 && argc != 4) {
		fprintf(stderr, "usage: mktrace FILE [CPUS RECORDS]\n");
		return 2;
	}
	writer = lkst_trace_writer_create(argv[1], &err);
	if (!writer)
		goto fail;
	ret = argc == 2 ? sample_write(writer, &err) :
			  write_busy(writer, atoi(argv[2]), strtoull(argv[3], NULL, 0), &err);
	if (ret) {
		lkst_trace_writer_abort(writer);
		goto fail;
	}
	if (!lkst_trace_writer_commit(writer, &err))
		return 0;
fail:
	fprintf(stderr, "mktrace: %s\n", err.text);
	return 1;
}
