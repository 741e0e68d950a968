// SPDX-License-Identifier: GPL-2.0
/*
 * Writes trace files for tests of commands.
 *
 *	mktrace FILE [WHAT]
 *
 * Without WHAT, writes the sample trace. WHAT is one of these:
 *
 *	CPUS RECORDS [FIRST]	CPUS CPUs with RECORDS records each, from recid FIRST (default 0) on.
 *				All files written with FIRST belong to the same boot
 *	back			a request and a wait during which the clock was set back
 *	files			system calls, and the files that their descriptors refer to
 *	history			the sample trace, and long rings (see mkhistory.c)
 *	hostile			strings that contain control characters, and text that looks like
 *				additional lines and fields
 *	late			100 records of one CPU. Record 50 is later than the records after it, as
 *				if interrupts had occurred while it was written
 *	load PLAN SEED		a load with a planned change (see mkload.c)
 *	marks NUMBER		marks, the third one with a text
 *	random SEED		a valid file with events that no kernel records: any types, arguments
 *				and recids, times that jump, CPUs up to 8191, and chains, some of which
 *				are damaged
 *	sleeps			the stacks and the paths of a thread (see mksleeps.c)
 *	stops			marks. Recording is stopped and started again twice
 *	system SEED		the events of a simulated system (see mksystem.c)
 *	user			user events (see mkuser.c)
 *	waits SEED		random requests to block devices, and waits for locks
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/trace/write.h"
#include "mkchains.h"
#include "mkhistory.h"
#include "mkload.h"
#include "mksleeps.h"
#include "mksystem.h"
#include "mkuser.h"
#include "sample.h"

#define BLOCK 4096

static struct lkst_log_record busy_record(int32_t cpu, uint64_t recid)
{
	const int64_t time_ns = SAMPLE_NS + (int64_t)recid * 800 + cpu;
	uint32_t tid = 1000 + (uint32_t)(recid / 8 % 64) * 8 + (uint32_t)cpu % 8;
	const uint64_t entry[4] = { pack((uint32_t)recid % 200, 0), 3, 0x7ffc12345678, 4096 };
	const uint64_t leave[4] = { pack((uint32_t)recid % 200, 0),
				    recid % 5 ? 4096 : (uint64_t)-11 };
	const uint64_t swtch[4] = { pack(tid, 'S'), pack(tid + 8, 120), text8("worker"),
				    text8("worker") };

	if (recid % 8 == 0)
		return sample_record(cpu, recid, time_ns, LKST_ETYPE_PROCESS_CONTEXTSWITCH, tid,
				     swtch);
	if (recid % 8 == 1 || recid % 8 == 3 || recid % 8 == 5)
		return sample_record(cpu, recid, time_ns, LKST_ETYPE_SYSCALL_ENTRY, tid, entry);
	return sample_record(cpu, recid, time_ns, LKST_ETYPE_SYSCALL_EXIT, tid, leave);
}

static int write_busy(struct lkst_trace_writer *writer, int32_t cpus, uint64_t records,
		      uint64_t first, struct lkst_error *err)
{
	static struct lkst_log_record block[BLOCK];

	if (sample_write_etypes(writer, err))
		return -1;
	for (int32_t cpu = 0; cpu < cpus; cpu++) {
		struct lkst_log_buffer buffer = sample_buffer(cpu, 0);

		buffer.recorded = records;
		buffer.overwritten = buffer.dropped = 0;
		for (uint64_t i = 0; i < records; i += BLOCK) {
			size_t n = records - i < BLOCK ? records - i : BLOCK;

			for (size_t k = 0; k < n; k++)
				block[k] = busy_record(cpu, first + i + k);
			if (lkst_trace_write_records(writer, &buffer, block, n, err))
				return -1;
		}
	}
	return lkst_trace_write_end(writer, err);
}

static int write_late(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct lkst_log_buffer buffer = sample_buffer(0, 0);
	struct lkst_log_record block[100];

	for (uint64_t i = 0; i < 100; i++)
		block[i] = busy_record(0, i);
	block[50].posix.log_time.tv_nsec += 5000;
	if (sample_write_etypes(writer, err) ||
	    lkst_trace_write_records(writer, &buffer, block, 100, err))
		return -1;
	return lkst_trace_write_end(writer, err);
}

/* Recording is off from 16 us to 32 us, and from 48 us to 72 us. */
static int write_stops(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct lkst_log_buffer buffer = sample_buffer(0, 0);
	struct lkst_log_record block[100];
	size_t n = 0;

	for (uint64_t i = 0; i < 100; i++) {
		const uint32_t type = i == 20 || i == 60 ? LKST_ETYPE_LKST_TRC_STOP :
				      i == 40 || i == 90 ? LKST_ETYPE_LKST_TRC_START :
							   LKST_ETYPE_USER_MARK;
		const uint64_t arg[4] = { 2 };

		if (type != LKST_ETYPE_USER_MARK || i < 20 || (i > 40 && i < 60) || i > 90) {
			const int64_t time_ns = SAMPLE_NS + (int64_t)i * 800;

			block[n] = i ? sample_record(0, n, time_ns, type, 1000, arg) :
				       busy_record(0, 0);
			n++;
		}
	}
	if (sample_write_etypes(writer, err) ||
	    lkst_trace_write_records(writer, &buffer, block, n, err))
		return -1;
	return lkst_trace_write_end(writer, err);
}

static int write_marks(struct lkst_trace_writer *writer, uint64_t marks, struct lkst_error *err)
{
	static struct lkst_log_record block[BLOCK];
	struct lkst_log_buffer buffer = sample_buffer(0, 0);

	buffer.recorded = marks;
	buffer.overwritten = buffer.dropped = 0;
	if (sample_write_etypes(writer, err))
		return -1;
	for (uint64_t i = 0; i < marks; i += BLOCK) {
		size_t n = marks - i < BLOCK ? marks - i : BLOCK;

		for (size_t k = 0; k < n; k++) {
			const uint64_t recid = i + k, arg[4] = { recid == 2 ? text8("text") : recid };

			block[k] = sample_record(0, recid, SAMPLE_NS + (int64_t)recid * 1000,
						 recid == 2 ? LKST_ETYPE_USER_TEXT :
							      LKST_ETYPE_USER_MARK,
						 100, arg);
		}
		if (lkst_trace_write_records(writer, &buffer, block, n, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}

#define HOSTILE "\x9b\xc2\x9b\xe2\x80\xae\n\033[2J" /* invalid UTF-8, C1, U+202E, C0 */

static int write_hostile(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const char types[] =
		"# lkst_etypes 1\n"
		"0x001 S U - present \"switch\" \"prev:tid,prev_state:state\" \"next:tid\" "
		"\"\" \"\"\n"
		"0x100 M U - present \"my\\033[2J\xe2\x80\xae"
		"event\" \"\xc2\x9blabel:dec\" \"t:text\" "
		"\"t:text\" \"t:text\"\n";
	static const struct lkst_process processes[] = {
		{ 100, 100, HOSTILE },
		{ 101, 101, "\xc3\xa4\"\\ plain" },
	};
	const uint64_t text[4] = { 7, text8(HOSTILE), text8(HOSTILE + 8), text8("\r\"end\"") };
	struct lkst_log_buffer buffer = sample_buffer(0, 0);
	struct lkst_log_record record[2] = {
		sample_record(0, 7, SAMPLE_NS, 0x100, 100, text),
		sample_record(0, 8, SAMPLE_NS + 1000, LKST_ETYPE_PROCESS_CONTEXTSWITCH, 101,
			      (const uint64_t[]){ pack(101, 'S'), pack(100, 120), 0, 0 }),
	};

	/* This host name contains a newline. Older versions did not escape host names. */
	return lkst_trace_write_system(writer,
				       "kernel=Linux 6.1\nmachine=x\x9b\nhostname=a\n"
				       "kernel=forged\ncpus=2\n",
				       err) ||
	       lkst_trace_write_etypes(writer, types, strlen(types), err) ||
	       lkst_trace_write_processes(writer, processes, 2, err) ||
	       lkst_trace_write_records(writer, &buffer, record, 2, err) ||
	       lkst_trace_write_end(writer, err);
}

#define RANDOM_RECORDS 4000

static uint64_t random_state;

/* Return the next number of a sequence that the seed determines (xorshift64). */
static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

/* Return a part of an argument: often a thread, a CPU or a state, sometimes anything. */
static uint32_t random_half(void)
{
	static const uint32_t odd[] = { 0,   1,	  0x7fffffff, 0x80000000, UINT32_MAX,
					'S', 'R', 'Z',	      8191 };
	uint64_t n = random_next();

	switch (n % 8) {
	case 0:
		return (uint32_t)(n >> 32);
	case 1:
		return odd[(n >> 8) % (sizeof(odd) / sizeof(*odd))];
	case 2:
		return (uint32_t)(n >> 8) % 4;
	default:
		return 100 + (uint32_t)(n >> 8) % 16;
	}
}

static uint32_t random_type(void)
{
	uint64_t n = random_next();

	return n % 4 ? (uint32_t)(n >> 8) % 0x40 : (uint32_t)(n >> 8) % LKST_ETYPE_NUM;
}

static struct lkst_log_record random_record(struct mkchains *chains, int32_t cpu, uint64_t *recid,
					    int64_t *time_ns)
{
	uint64_t n = random_next(), arg[4];
	uint32_t type = random_type();
	struct lkst_log_record record;

	*recid += n % 64 ? 1 : (n >> 8) % 1000;
	*time_ns += (n >> 20) % 512 ? (int64_t)((n >> 32) % 5000) :
				      (int64_t)(n >> 24) - (INT64_C(1) << 39);
	for (int i = 0; i < 4; i++)
		arg[i] = pack(random_half(), random_half());
	if (n >> 17 & 1)
		type = mkchains_next(chains, arg);
	record = sample_record(cpu, *recid, *time_ns, type, random_half(), arg);
	record.posix.log_flags = n >> 16 & 1 ? 0 : (int)(random_half() & 0xff);
	return record;
}

static int write_random(struct lkst_trace_writer *writer, uint64_t seed, struct lkst_error *err)
{
	static const int32_t cpus[] = { 0, 1, 2, 8191 };
	static struct lkst_log_record block[RANDOM_RECORDS];

	random_state = seed * 2 + 88172645463325252;
	if (sample_write_etypes(writer, err))
		return -1;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct lkst_log_buffer buffer = sample_buffer(cpus[i], 0);
		struct mkchains chains = { .random = random_next() | 1, .damage = true };
		uint64_t recid = random_next() % 3;
		int64_t time_ns = SAMPLE_NS;

		for (size_t k = 0; k < RANDOM_RECORDS; k++)
			block[k] = random_record(&chains, cpus[i], &recid, &time_ns);
		if (lkst_trace_write_records(writer, &buffer, block, RANDOM_RECORDS, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}

/* Return a record of a request to a block device, or of a wait for a lock. */
static struct lkst_log_record waits_record(int32_t cpu, uint64_t recid, int64_t time_ns)
{
	static const uint32_t types[] = {
		LKST_ETYPE_BLOCK_ISSUE,
		LKST_ETYPE_BLOCK_COMPLETE,
		LKST_ETYPE_LOCK_CONTENTION_BEGIN,
		LKST_ETYPE_LOCK_CONTENTION_END,
	};
	uint64_t n = random_next(), arg[4] = { 0 };
	uint32_t type = types[n % 4];

	if (n % 4 < 2) {
		arg[0] = 8 << 20 | (n >> 8) % 2;
		arg[1] = 8 * ((n >> 16) % 8);
		arg[2] = pack(4096 * (1 + (n >> 28) % 2), (n >> 24) % 3);
		if (n % 4)
			arg[3] = (n >> 32) % 16 ? 0 : (uint64_t)-5;
		else
			arg[3] = (n >> 32) % 4096;
	} else {
		arg[0] = 0xffff888000001000 + 64 * ((n >> 8) % 3);
		arg[1] = n % 4 == 2 ? 1u << (n >> 16) % 6 : (n >> 24) % 16 ? 0 : (uint64_t)-4;
	}
	return sample_record(cpu, recid, time_ns, type, 100 + (uint32_t)(n >> 40) % 8, arg);
}

static int write_waits(struct lkst_trace_writer *writer, uint64_t seed, struct lkst_error *err)
{
	static struct lkst_log_record block[RANDOM_RECORDS];

	random_state = seed * 2 + 88172645463325252;
	if (sample_write_etypes(writer, err))
		return -1;
	for (int32_t cpu = 0; cpu < 2; cpu++) {
		const struct lkst_log_buffer buffer = sample_buffer(cpu, 0);
		int64_t time_ns = SAMPLE_NS;
		uint64_t recid = 0;

		for (size_t k = 0; k < RANDOM_RECORDS; k++) {
			time_ns += (int64_t)(random_next() % 20000);
			recid += random_next() % 200 || seed % 3 == 0 ? 1 : 10;
			block[k] = waits_record(cpu, recid, time_ns);
		}
		if (lkst_trace_write_records(writer, &buffer, block, RANDOM_RECORDS, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}

/*
 * Write system calls of thread 100. The descriptors were read 10 s after the start. Before that,
 * descriptor 8 was closed and opened again. After that, descriptor 7 was closed.
 */
static int write_files(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const struct lkst_process processes[] = { { 100, 100, "worker" } };
	static const struct {
		int64_t ms;
		uint32_t type, number;
		uint64_t arg[3];
	} call[] = {
		{ 1000, LKST_ETYPE_SYSCALL_ENTRY, 0, { 7, 0x7ffc12345678, 4096 } },
		{ 1100, LKST_ETYPE_SYSCALL_EXIT, 0, { 4096 } },
		{ 1200, LKST_ETYPE_SYSCALL_ENTRY, 1, { 8, 0x7ffc12345678, 1 } },
		{ 1201, LKST_ETYPE_SYSCALL_EXIT, 1, { 1 } },
		{ 2000, LKST_ETYPE_SYSCALL_ENTRY, 3, { 8 } },
		{ 2001, LKST_ETYPE_SYSCALL_EXIT, 3, { 0 } },
		{ 3000, LKST_ETYPE_SYSCALL_ENTRY, 257, { (uint64_t)-100, 0x7ffc12345678, 0 } },
		{ 3001, LKST_ETYPE_SYSCALL_EXIT, 257, { 8 } },
		{ 4000, LKST_ETYPE_SYSCALL_ENTRY, 1, { 8, 0x7ffc12345678, 2 } },
		{ 4300, LKST_ETYPE_SYSCALL_EXIT, 1, { 2 } },
		{ 11000, LKST_ETYPE_SYSCALL_ENTRY, 3, { 7 } },
		{ 11001, LKST_ETYPE_SYSCALL_EXIT, 3, { 0 } },
		{ 12000, LKST_ETYPE_SYSCALL_ENTRY, 0, { 7, 0x7ffc12345678, 3 } },
		{ 12001, LKST_ETYPE_SYSCALL_EXIT, 0, { (uint64_t)-9 } },
	};
	struct lkst_log_record record[sizeof(call) / sizeof(*call) + 2];
	const struct lkst_log_buffer buffer = sample_buffer(0, 0);
	const size_t num = sizeof(call) / sizeof(*call);
	char text[1024];

	for (size_t i = 0; i < num; i++)
		record[i] = sample_record(0, i, SAMPLE_NS + call[i].ms * 1000000, call[i].type, 100,
					  (const uint64_t[]){ pack(call[i].number, 0),
							      call[i].arg[0], call[i].arg[1],
							      call[i].arg[2] });
	record[num] = sample_record(0, num, SAMPLE_NS + 13000000000, LKST_ETYPE_PROCESS_WAKEUP, 100,
				    (const uint64_t[4]){ pack(101, 120), 0, text8("other") });
	record[num + 1] = sample_record(
		0, num + 1, SAMPLE_NS + 13001000000, LKST_ETYPE_PROCESS_CONTEXTSWITCH, 100,
		(const uint64_t[]){ pack(100, 'S'), pack(101, 120), text8("worker"),
				    text8("other") });
	snprintf(text, sizeof(text),
		 "# lkst_files 1\nread 10000000000 %lld\ncpu 0 10\n"
		 "process 100 10000000000 10001000000\n"
		 "command - - worker --input=my\\040file \xc3\xa4\n"
		 "fd 7 - - /srv/my file\nfd 8 - - /srv/new\xc3\xa4\\012\n",
		 (long long)SAMPLE_NS + 10000000000);
	return sample_write_etypes(writer, err) ||
	       lkst_trace_write_processes(writer, processes, 1, err) ||
	       lkst_trace_write_files(writer, text, strlen(text), err) ||
	       lkst_trace_write_records(writer, &buffer, record, num + 2, err) ||
	       lkst_trace_write_end(writer, err);
}

/*
 * Write a request and a wait for a lock that end before they start, because the clock was set back.
 * Write a softirq that was raised 200 days before it ran, too.
 */
static int write_back(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct {
		int64_t us;
		uint32_t type;
		uint64_t arg[4];
	} event[] = {
		{ -200 * 86400 * INT64_C(1000000), LKST_ETYPE_INT_SOFTIRQ_RAISE, { 4 } },
		{ -60 * 86400 * INT64_C(1000000), LKST_ETYPE_PROCESS_WAKEUP, { PACK(101, 120) } },
		{ 1000, LKST_ETYPE_INT_SOFTIRQ_ENTRY, { 4 } },
		{ 1100, LKST_ETYPE_INT_SOFTIRQ_EXIT, { 4 } },
		{ 5000, LKST_ETYPE_BLOCK_ISSUE, { 8 << 20, 64, pack(4096, 0) } },
		{ 5001, LKST_ETYPE_LOCK_CONTENTION_BEGIN, { 0xffff888000001000, 2 } },
		{ 2000, LKST_ETYPE_BLOCK_COMPLETE, { 8 << 20, 64, pack(4096, 0) } },
		{ 2001, LKST_ETYPE_LOCK_CONTENTION_END, { 0xffff888000001000, 0 } },
		{ 9000, LKST_ETYPE_PROCESS_WAKEUP, { pack(101, 120), 0, text8("other") } },
	};
	struct lkst_log_record record[sizeof(event) / sizeof(*event)];
	const struct lkst_log_buffer buffer = sample_buffer(0, 0);
	const size_t num = sizeof(event) / sizeof(*event);

	for (size_t i = 0; i < num; i++)
		record[i] = sample_record(0, i, SAMPLE_NS + event[i].us * 1000, event[i].type, 100,
					  event[i].arg);
	return sample_write_etypes(writer, err) ||
	       lkst_trace_write_records(writer, &buffer, record, num, err) ||
	       lkst_trace_write_end(writer, err);
}

/* Return whether the trace is of the kind @kind, which needs no further argument. */
static bool is_kind(int argc, char **argv, const char *kind)
{
	return argc == 3 && !strcmp(argv[2], kind);
}

static bool is_word(int argc, char **argv, const char *word)
{
	return argc == 4 && !strcmp(argv[2], word);
}

static bool is_load(char **argv)
{
	return !strcmp(argv[2], "load");
}

int main(int argc, char **argv)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;

	if (argc < 2 || argc > 5) {
		fprintf(stderr,
			"usage: mktrace FILE [CPUS RECORDS [FIRST] | back | files | history |\n"
			"                     hostile | late | load PLAN SEED | marks NUMBER |\n"
			"                     random SEED | sleeps | stops | system SEED | user | waits SEED]\n");
		return 2;
	}
	writer = lkst_trace_writer_create(argv[1], &err);
	if (!writer || (argc == 5 && !is_load(argv) && lkst_trace_write_system(writer, "boot_id=one\n", &err)) ||
	    (argc == 2 ? sample_write(writer, &err) :
	     is_kind(argc, argv, "late") ? write_late(writer, &err) :
	     is_kind(argc, argv, "back") ? write_back(writer, &err) :
	     is_kind(argc, argv, "files") ? write_files(writer, &err) :
	     is_kind(argc, argv, "history") ?
			 mkhistory_write(writer, &err) || sample_write(writer, &err) :
	     is_kind(argc, argv, "sleeps") ? mksleeps_write(writer, &err) :
	     is_kind(argc, argv, "stops") ? write_stops(writer, &err) :
	     is_kind(argc, argv, "user") ? mkuser_write(writer, &err) :
	     argc == 3 ? write_hostile(writer, &err) :
	     argc == 5 && is_load(argv) ?
			 mkload_write(writer, argv[3], strtoull(argv[4], NULL, 0), &err) :
	     is_word(argc, argv, "marks") ?
			 write_marks(writer, strtoull(argv[3], NULL, 0), &err) :
	     is_word(argc, argv, "random") ?
			 write_random(writer, strtoull(argv[3], NULL, 0), &err) :
	     is_word(argc, argv, "waits") ?
			 write_waits(writer, strtoull(argv[3], NULL, 0), &err) :
	     is_word(argc, argv, "system") ?
			 mksystem_write(writer, strtoull(argv[3], NULL, 0), &err) :
			 write_busy(writer, atoi(argv[2]), strtoull(argv[3], NULL, 0),
				    argc == 5 ? strtoull(argv[4], NULL, 0) : 0, &err)) ||
	    lkst_trace_writer_commit(writer, &err)) {
		fprintf(stderr, "mktrace: %s\n", err.text);
		return 1;
	}
	return 0;
}
