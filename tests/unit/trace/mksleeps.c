// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace in which thread 100 sleeps twice in read(), once in a page fault during openat(), and
 * once in exit(). The stacks of these sleeps, except for the last one, and the paths of openat(),
 * renameat2() and rename() are recorded as chains.
 */
#include "mksleeps.h"

#include <string.h>

#include "lib/base/etype_ids.h"
#include "sample.h"

#define THREAD	    100
#define RECORDS_MAX 64

/* Symbols of 256 bytes each */
#define SYMBOL(n) (SAMPLE_CODE + 0x100 * (n))

static const char symbols[] = "# lkst_symbols 1\n"
			      "0xffffffff81000000 0xffffffff81000100 pipe_read\n"
			      "0xffffffff81000100 0xffffffff81000200 vfs_read\n"
			      "0xffffffff81000200 0xffffffff81000300 ksys_read\n"
			      "0xffffffff81000300 0xffffffff81000400 do_syscall_64\n"
			      "0xffffffff81000400 0xffffffff81000500 entry_SYSCALL_64\n"
			      "0xffffffff81000500 0xffffffff81000600 io_schedule\n"
			      "0xffffffff81000600 0xffffffff81000700 my_read_folio [my;fs]\n";

struct sleeps {
	struct lkst_log_record record[RECORDS_MAX];
	size_t num;
	int64_t us;
	uint32_t serial;
};

static void sleeps_add(struct sleeps *sleeps, uint32_t type, uint32_t tid, const uint64_t arg[4])
{
	sleeps->record[sleeps->num] =
		sample_record(0, sleeps->num, SAMPLE_NS + sleeps->us * 1000, type, tid, arg);
	sleeps->num++;
}

/* Add a chain. All of its records have the same time. */
static void sleeps_chain(struct sleeps *sleeps, uint32_t type, const void *payload, size_t size)
{
	const uint8_t *from = payload;
	uint32_t serial = sleeps->serial++;
	size_t parts = LKST_CHAIN_PARTS_OF(size);

	for (size_t i = 0; i <= parts; i++) {
		size_t left = size - LKST_CHAIN_BYTES * i;
		size_t bytes = left < LKST_CHAIN_BYTES ? left : LKST_CHAIN_BYTES;
		uint64_t arg[4] = { i ? LKST_CHAIN_PART(serial, i, bytes) :
					LKST_CHAIN_HEAD(serial, parts, 0, size) };

		memcpy(arg + 1, from + LKST_CHAIN_BYTES * i, bytes);
		sleeps_add(sleeps, i ? LKST_ETYPE_LKST_MORE : type, THREAD, arg);
	}
}

static void sleeps_path(struct sleeps *sleeps, uint32_t call, uint32_t argument, uint32_t directory,
			const char *path)
{
	const uint64_t before[2] = { pack(call, 0), pack(argument, directory) };
	uint8_t payload[256];
	size_t len = strlen(path);

	memcpy(payload, before, sizeof(before));
	memcpy(payload + sizeof(before), path, len);
	sleeps_chain(sleeps, LKST_ETYPE_SYSCALL_PATH, payload, sizeof(before) + len);
}

static void sleeps_run(struct sleeps *sleeps)
{
	sleeps_add(sleeps, LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0,
		   (const uint64_t[]){ pack(0, 'R'), pack(THREAD, 120), text8("swapper"),
				       text8("reader") });
}

/* Sleep for some microseconds with a stack, unless @num is 0. */
static void sleeps_sleep(struct sleeps *sleeps, char letter, int64_t us, const uint64_t *stack,
			 size_t num)
{
	sleeps->us += 10;
	if (num)
		sleeps_chain(sleeps, LKST_ETYPE_PROCESS_BLOCK, stack, num * sizeof(*stack));
	sleeps_add(sleeps, LKST_ETYPE_PROCESS_CONTEXTSWITCH, THREAD,
		   (const uint64_t[]){ pack(THREAD, (uint32_t)letter), pack(0, 120),
				       text8("reader"), text8("swapper") });
	sleeps->us += us;
	sleeps_add(sleeps, LKST_ETYPE_PROCESS_WAKEUP, 0,
		   (const uint64_t[]){ pack(THREAD, 120), 0, text8("reader"), 0 });
	sleeps->us += 5;
	sleeps_run(sleeps);
	sleeps->us += 10;
}

static void sleeps_enter(struct sleeps *sleeps, uint32_t number, uint64_t argument)
{
	sleeps->us += 100;
	sleeps_add(sleeps, LKST_ETYPE_SYSCALL_ENTRY, THREAD,
		   (const uint64_t[4]){ pack(number, 0), argument });
}

static void sleeps_return(struct sleeps *sleeps, uint32_t number, uint64_t result)
{
	sleeps->us += 10;
	sleeps_add(sleeps, LKST_ETYPE_SYSCALL_EXIT, THREAD,
		   (const uint64_t[4]){ pack(number, 0), result });
}

/*
 * Both stacks have the same functions, but the second one has another offset in the first function.
 */
static const uint64_t read_stacks[2][5] = {
	{ SYMBOL(0) + 0x20, SYMBOL(1) + 0x30, SYMBOL(2) + 0x40, SYMBOL(3) + 0x50,
	  SYMBOL(4) + 0x60 },
	{ SYMBOL(0) + 0x80, SYMBOL(1) + 0x30, SYMBOL(2) + 0x40, SYMBOL(3) + 0x50,
	  SYMBOL(4) + 0x60 },
};

/* The first return address is the end of io_schedule(), and the last one has no symbol. */
static const uint64_t fault_stack[] = { SYMBOL(6), SYMBOL(6) + 1, 0xffffffff82000010 };

enum {
	READ = 0,
	EXIT = 60,
	RENAME = 82,
	OPENAT = 257,
	RENAMEAT2 = 316
};

static void sleeps_make(struct sleeps *sleeps)
{
	sleeps_run(sleeps);
	for (int i = 0; i < 2; i++) {
		sleeps_enter(sleeps, READ, 7);
		sleeps_sleep(sleeps, 'S', 3000 + i, read_stacks[i], 5);
		sleeps_return(sleeps, READ, 1);
	}
	sleeps_enter(sleeps, OPENAT, (uint64_t)-100);
	sleeps_path(sleeps, OPENAT, 2, (uint32_t)-100, "/first");
	sleeps_return(sleeps, OPENAT, 8);
	sleeps_enter(sleeps, OPENAT, (uint64_t)-100);
	sleeps_path(sleeps, OPENAT, 2, (uint32_t)-100,
		    "/a/path/that/takes/more/than/one/record/and/continues/in/others");
	sleeps_add(sleeps, LKST_ETYPE_EXCEPTION_ENTRY, THREAD, (const uint64_t[4]){ pack(14, 0) });
	sleeps_sleep(sleeps, 'D', 8000, fault_stack, 3);
	sleeps_add(sleeps, LKST_ETYPE_EXCEPTION_EXIT, THREAD, (const uint64_t[4]){ pack(14, 0) });
	sleeps_return(sleeps, OPENAT, 9);
	sleeps_enter(sleeps, RENAMEAT2, 7);
	sleeps_path(sleeps, RENAMEAT2, 2, 7, "old\n");
	sleeps_path(sleeps, RENAMEAT2, 4, (uint32_t)-100, "new");
	sleeps_return(sleeps, RENAMEAT2, 0);
	sleeps_enter(sleeps, RENAME, 0);
	sleeps_path(sleeps, RENAME, 1, (uint32_t)-100, "/a");
	sleeps_path(sleeps, RENAME, 2, (uint32_t)-100, "/b");
	sleeps_return(sleeps, RENAME, 0);
	sleeps_enter(sleeps, EXIT, 0);
	sleeps_sleep(sleeps, 'D', 500, NULL, 0);
}

/**
 * mksleeps_write() - write the trace
 * @writer: file
 * @err: set on failure
 */
int mksleeps_write(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const struct lkst_process processes[] = { { THREAD, THREAD, "reader" } };
	static const char files[] =
		"# lkst_files 1\nread 10000000000 1767323055000000000\n"
		"cpu 0 10\nprocess 100 10000000000 10001000000\nfd 7 - - /srv\n";
	static struct sleeps sleeps;
	struct lkst_log_buffer buffer = sample_buffer(0, 0);

	sleeps_make(&sleeps);
	buffer.overwritten = buffer.dropped = 0;
	return sample_write_etypes(writer, err) ||
	       lkst_trace_write_processes(writer, processes, 1, err) ||
	       lkst_trace_write_files(writer, files, strlen(files), err) ||
	       lkst_trace_write_symbols(writer, symbols, strlen(symbols), err) ||
	       lkst_trace_write_records(writer, &buffer, sleeps.record, sleeps.num, err) ||
	       lkst_trace_write_end(writer, err);
}
