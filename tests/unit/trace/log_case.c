// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/text/kallsyms.h"
#include "log_case.h"

int log_dir_fd;

static struct lkst_kallsyms *kallsyms;

/* Only two event types, so that the preamble of a lap leaves room for records. */
static const char etypes[] = "# lkst_etypes 1\n"
			     "0x030 SE - - present \"entry\" \"number:dec\" \"a:hex\" \"\" \"\"\n"
			     "0x040 K - - present \"kmalloc\" \"caller:sym\" \"p:ptr\" \"\" \"\"\n";

static const char symbols[] = "ffffffff81000000 T do_it\n"
			      "ffffffff81000100 T do_more\n"
			      "ffffffff81000200 T _etext\n";

struct lkst_log_files log_files;

void log_setup(void)
{
	dir_make();
	log_files = (struct lkst_log_files){ 0 };
	log_dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(log_dir_fd, 0);
	ck_assert_int_eq(mkdir(dir_path("proc"), 0700), 0);
	write_text(dir_path("etypes"), etypes);
	write_text(dir_path("proc/kallsyms"), symbols);
	kallsyms = lkst_kallsyms_load(dir_path("proc/kallsyms"), &err);
	ck_assert_ptr_nonnull(kallsyms);
}

void log_teardown(void)
{
	close_trace();
	lkst_kallsyms_free(kallsyms);
	close(log_dir_fd);
	dir_remove();
}

bool log_is_hole(uint64_t recid)
{
	return recid % 97 == 13;
}

struct lkst_event_record log_record(int32_t cpu, uint64_t recid)
{
	struct lkst_event_record record = { 0 };

	if (log_is_hole(recid))
		return record;
	record.clock = 1000 + recid * 2000; /* at 2 GHz, 1 us apart */
	record.event_type = recid % 5 ? 0x030 : 0x040;
	record.flags = (uint16_t)(LKST_RECORD_SOFTIRQ | recid << LKST_RECORD_LAP_SHIFT);
	record.thread = 100 + (uint32_t)cpu;
	record.pid = 200;
	record.uid = (uint32_t)recid;
	record.arg[0] = recid % 5 ? recid * 3 : LOG_CODE + recid % 0x200;
	record.arg[1] = ~recid;
	/* This argument makes a part of the data hard to compress. */
	record.arg[2] = recid * 0x9e3779b97f4a7c15u;
	record.arg[3] = (uint64_t)cpu;
	return record;
}

struct lkst_run log_run(int32_t cpu, uint64_t first_recid, size_t num)
{
	static struct lkst_event_record record[LOG_RUN_MAX];
	struct lkst_run run = {
		.cpu = cpu, .buffer = (lkst_buffer_id)(first_recid / 1000 % 4),
		.clock = LKST_CLOCK_TSC, .first_recid = first_recid, .num = num, .record = record,
		.monotonic_ns = 0, .xtime_ns = LOG_BOOT_NS, .tsc = 1000, .freq_khz = 2000000,
		.arch = "x86_64",
	};

	/* No ck_assert(): test_two_processes calls this in a child, which shares Check's pipe. */
	assert(num <= LOG_RUN_MAX);
	for (size_t i = 0; i < num; i++)
		record[i] = log_record(cpu, first_recid + i);
	return run;
}

static const struct lkst_log_files *get_log_files(void *ctx)
{
	return ctx;
}

struct lkst_log *log_create(const char *name, int32_t cpu, uint64_t limit, bool compress)
{
	static char etypes_path[128];
	const struct lkst_log_options opt = {
		.cpu = cpu, .serial = 7, .run = (const uint8_t *)"a run of LKST...",
		.limit = limit, .compress = compress, .kallsyms = kallsyms,
		.etypes_path = strcpy(etypes_path, dir_path("etypes")), .root = dir,
		.files = get_log_files, .files_ctx = &log_files,
	};
	struct lkst_log *log = lkst_log_create(log_dir_fd, name, &opt, &err);

	assert_made(log);
	return log;
}

void log_write(struct lkst_log *log, const struct lkst_run *run)
{
	assert_ok(lkst_log_write(log, run, &err));
}

void log_close(struct lkst_log *log)
{
	assert_ok(lkst_log_close(log, &err));
}

/*
 * Fail unless the event is what log_record() generated. This is a single condition and not several
 * assertions, because Check spends time on each assertion that passes.
 */
void log_check_event(const struct lkst_event *event)
{
	const struct lkst_event_record record = log_record(event->cpu, event->recid);
	const int64_t ns = (int64_t)event->recid * 1000;

	if (log_is_hole(event->recid) || event->clock != record.clock ||
	    event->monotonic_ns != ns || event->time_ns != LOG_BOOT_NS + ns ||
	    event->type != record.event_type || event->tid != record.thread ||
	    event->tgid != record.pid || event->uid != record.uid ||
	    event->flags != LKST_LOG_SOFTIRQ ||
	    memcmp(event->arg, record.arg, sizeof(record.arg)) != 0)
		ck_abort_msg("CPU %d: the record with recid %llu is not what was written",
			     event->cpu, (unsigned long long)event->recid);
}

uint64_t log_holes(uint64_t from, uint64_t to)
{
	uint64_t holes = 0;

	for (; from < to; from++)
		holes += log_is_hole(from);
	return holes;
}

/* Open a file as a trace. */
void log_open(const char *name)
{
	const char *path = dir_path(name);

	open_paths(&path, 1);
}

/* Load a file into memory. */
void log_load(const char *name)
{
	load_file(open(dir_path(name), O_RDONLY));
}

/*
 * Read and check all events of the open trace, and store them in events[], oldest first. Reading
 * newest first must give the same events in reverse order. Return the number of events.
 */
size_t log_read_open(void)
{
	uint64_t sum = 0, back = 0;
	size_t num = read_all(LKST_NEWEST_FIRST);

	for (size_t i = 0; i < num; i++)
		back += events[i].recid * (num - i);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), num);
	for (size_t i = 0; i < num; i++) {
		log_check_event(&events[i]);
		sum += events[i].recid * (i + 1);
	}
	ck_assert_uint_eq(sum, back);
	ck_assert_uint_eq(lkst_trace_records(trace), num);
	return num;
}

size_t log_read(const char *name)
{
	log_open(name);
	return log_read_open();
}
