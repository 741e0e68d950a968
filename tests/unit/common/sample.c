// SPDX-License-Identifier: GPL-2.0
#include "lib/base/temporary.h"
#include "lib/text/etypes.h"
#include "lib/text/values.h"
#include "lib/trace/write.h"
#include "must.h"
#include "sample.h"
#include "tap.h"

/* Pack up to 8 bytes of text into one argument of an event. */
uint64_t text8(const char *text)
{
	uint64_t word = 0;

	memcpy(&word, text, strnlen(text, 8));
	return word;
}

/* Return the event types that @rows lists. @rows has no header line. */
struct lkst_etypes *etypes_of(const char *rows)
{
	struct lkst_etypes *types;
	char text[4096];

	snprintf(text, sizeof(text), "# lkst_etypes 1\n%s", rows);
	types = lkst_etypes_parse(text, strlen(text), "text", &err);
	assert_made(types);
	return types;
}

/* @arg may be NULL if all arguments are 0. */
struct lkst_log_record sample_record(int32_t cpu, uint64_t recid, int64_t time_ns, uint32_t type,
				     uint32_t tid, const uint64_t arg[4])
{
	static const uint64_t zeroes[4];

	arg = arg ? arg : zeroes;
	return (struct lkst_log_record) {
		.posix = {
			.log_magic = LKST_LOG_MAGIC, .log_format = LKST_LOG_FORMAT,
			.log_recid = recid, .log_size = LKST_LOG_SIZE,
			.log_event_type = (int32_t)type, .log_facility = LKST_LOG_FACILITY,
			.log_severity = LKST_LOG_SEVERITY, .log_uid = 1000, .log_gid = 100,
			.log_pid = (int32_t)tid, .log_pgrp = (int32_t)tid,
			.log_time = { time_ns / 1000000000, time_ns % 1000000000 },
			.log_thread = tid, .log_processor = cpu,
		},
		.log_arg1 = arg[0], .log_arg2 = arg[1], .log_arg3 = arg[2], .log_arg4 = arg[3],
	};
}

struct lkst_log_buffer sample_buffer(int32_t cpu, lkst_buffer_id id)
{
	return (struct lkst_log_buffer){
		.cpu = cpu, .id = id,
		.xtime = { SAMPLE_SECOND, 0 },
		.tsc = 1000, .cpu_freq = 1000000, .recorded = 100, .overwritten = 7, .dropped = 1,
		.unfinished = 3, .clock = LKST_CLOCK_TSC, .buf_ver = LKST_BUFFER_VERSION,
		.arch = "x86_64",
	};
}

#define CPU_RECORDS (SAMPLE_RECORDS / 2)

/* Store the events of a CPU: a shell starts cat, which reads and is killed. */
static void sample_records(int32_t cpu, struct lkst_log_record record[CPU_RECORDS])
{
	uint32_t shell = 100 + (uint32_t)cpu, cat = 200 + (uint32_t)cpu;
	const struct {
		uint32_t type, tid;
		uint64_t arg[4];
	} event[CPU_RECORDS] = {
		{ LKST_ETYPE_LKST_TRC_START, shell, { 2 } },
		{ LKST_ETYPE_PROCESS_STATE, shell,
		  { pack(shell, shell), pack(1, 'R'), text8("bash") } },
		{ LKST_ETYPE_SYSCALL_ENTRY, shell, { pack(56, 0), 0x1200011, 0, 0 } },
		{ LKST_ETYPE_PROCESS_FORK, shell, { pack(cat, cat), 0x1200000 | 17, text8("bash") } },
		{ LKST_ETYPE_PROCESS_CONTEXTSWITCH, shell,
		  { pack(shell, 'S'), pack(cat, 120), text8("bash"), text8("bash") } },
		{ LKST_ETYPE_PROCESS_EXEC, cat, { pack(cat, cat), text8("/usr/bin"), text8("/cat") } },
		{ LKST_ETYPE_INT_HARDWARE_ENTRY, cat, { 9, text8("virtio0-"), text8("input.0") } },
		{ LKST_ETYPE_INT_HARDWARE_EXIT, cat, { 9, 1 } },
		{ LKST_ETYPE_SYSCALL_EXIT, cat, { pack(0, 0), (uint64_t)-512 } },
		{ LKST_ETYPE_PROCESS_EXIT, cat, { pack(cat, 120), 11, text8("cat") } },
		{ 0x123, cat, { 1, 2, 3, 4 } },
		{ LKST_ETYPE_PROCESS_CONTEXTSWITCH, cat,
		  { pack(cat, 'Z'), pack(0, 120), text8("cat"), text8("swapper/") } },
	};

	for (size_t i = 0; i < CPU_RECORDS; i++) {
		record[i] = sample_record(cpu, 7 + i, SAMPLE_NS + (int64_t)i * 1000 + cpu * 100,
					  event[i].type, event[i].tid, event[i].arg);
		if (event[i].type == LKST_ETYPE_INT_HARDWARE_ENTRY)
			record[i].posix.log_flags = LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT;
	}
}

int sample_write_etypes(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_embedded(err);
	size_t len;
	char *text = lkst_etypes_text(types, &len, err);
	int ret = lkst_trace_write_etypes(writer, text, len, err);

	free(text);
	lkst_etypes_free(types);
	return ret;
}

int sample_write(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const struct lkst_process processes[] = {
		{ 1, 1, "init" }, { 100, 100, "bash" }, { 300, 300, "sleeper" },
	};
	struct lkst_log_record record[CPU_RECORDS];

	if (lkst_trace_write_system(writer, "kernel=Linux 6.1\nhostname=sample\n", err) ||
	    sample_write_etypes(writer, err) ||
	    lkst_trace_write_processes(writer, processes, 3, err))
		return -1;
	for (int32_t cpu = 0; cpu < 2; cpu++) {
		const struct lkst_log_buffer buffer = sample_buffer(cpu, 0);

		sample_records(cpu, record);
		if (lkst_trace_write_records(writer, &buffer, record, 6, err) ||
		    lkst_trace_write_records(writer, &buffer, record + 6, CPU_RECORDS - 6, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}

/*
 * Store an oops on CPU 0, and other events. sample_oops_write() splits the registers of the oops
 * across two chunks.
 */
static void oops_records(struct lkst_log_record record[SAMPLE_OOPS_RECORDS])
{
	const uint64_t code = SAMPLE_CODE, skb = 0xffff888000000000;
	const struct {
		uint32_t type;
		uint64_t arg[4];
	} event[SAMPLE_OOPS_RECORDS] = {
		{ LKST_ETYPE_OOPS_REGS, { 1, 2, 3, 4 } }, /* from an oops before the trace begins */
		{ LKST_ETYPE_MEM_KMALLOC, { code + 1, skb, pack(8, 8), pack(0xcc0, 0) } },
		{ LKST_ETYPE_OOPS_DIE, { pack(14, 2), code + 2, 11 } },
		{ LKST_ETYPE_OOPS_REGS, { code + 2, skb, 0x246, UINT64_MAX } },
		{ LKST_ETYPE_OOPS_REGS, { 1, 2, 3, 4 } },
		{ LKST_ETYPE_INT_HARDWARE_EXIT, { 24, 1 } }, /* between the registers of the oops */
		{ LKST_ETYPE_OOPS_REGS, { 5, 6, 7, 8 } },
		{ LKST_ETYPE_OOPS_REGS, { 9, 10, 11, 12 } },
		{ LKST_ETYPE_OOPS_REGS, { 13, 14, 15, pack(0x10, 0x18) } },
		{ LKST_ETYPE_OOPS_REGS, { 2, 3, 4, skb } },
		{ LKST_ETYPE_OOPS_STACK, { code + 2, code + 0x20, code + 0x108, 0 } },
		{ LKST_ETYPE_BLOCK_ISSUE, { 254 << 20, 2048, pack(4096, 1) } },
		{ LKST_ETYPE_NET_DROP, { skb, code + 0x110, pack(0x0800, 2) } },
	};

	for (size_t i = 0; i < SAMPLE_OOPS_RECORDS; i++)
		record[i] = sample_record(0, 50 + i, SAMPLE_NS + (int64_t)i * 1000, event[i].type,
					  100, event[i].arg);
}

/* Few event types, so that tests that change each byte of the trace take less time. */
static const char oops_types[] =
	"# lkst_etypes 1\n"
	"0x011 I - - present \"irq\" \"irq:irq\" \"\" \"\" \"\"\n"
	"0x040 K - - present \"kmalloc\" \"caller:sym\" \"p:ptr\" \"\" \"gfp:gfp,node:dec\"\n"
	"0x064 D - - present \"drop\" \"skb:ptr\" \"at:sym\" \"protocol:etype,reason:drop\" \"\"\n"
	"0x0a0 B - - present \"block\" \"device:dev\" \"\" \"bytes:udec,op:blkop\" \"\"\n"
	"0x0b0 E - - present \"die\" \"trap:trap,code:pfcode\" \"ip:sym\" \"signal:sig\" \"\"\n"
	"0x0b4 R - - present \"regs\" \"r1:reg\" \"r2:reg\" \"r3:reg\" \"r4:reg\"\n"
	"0x0b5 S - - present \"stack\" \"at1:sym\" \"at2:sym\" \"at3:sym\" \"at4:sym\"\n";

static int sample_oops_write(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const char values[] = LKST_VALUES_HEADER "\n"
							"gfp flags 0xcc0 GFP_KERNEL\n"
							"blkop enum 0x1 WRITE\n"
							"drop enum 0x2 NOT_SPECIFIED\n"
							"irq enum 0x18 virtio0\n"
							"dev enum 0xfe00000 vda\n";
	static const char symbols[] = "# lkst_symbols 1\n"
				      "ffffffff81000000 ffffffff81000100 do_it\n"
				      "ffffffff81000100 ffffffff81000200 do_more [mod]\n";
	static const char files[] = "# lkst_files 1\n"
				    "read 1000 2000\n"
				    "cpu 0 63\n"
				    "process 100 1000 1001\n"
				    "command - - cat a\\040b\n"
				    "fd 7 - - /tmp/a b\n";
	struct lkst_log_buffer buffer = sample_buffer(0, 0);
	struct lkst_log_record record[SAMPLE_OOPS_RECORDS];

	oops_records(record);
	return lkst_trace_write_etypes(writer, oops_types, strlen(oops_types), err) ||
	       lkst_trace_write_values(writer, values, strlen(values), err) ||
	       lkst_trace_write_files(writer, files, strlen(files), err) ||
	       lkst_trace_write_records(writer, &buffer, record, 5, err) ||
	       lkst_trace_write_records(writer, &buffer, record + 5, SAMPLE_OOPS_RECORDS - 5, err) ||
	       lkst_trace_write_symbols(writer, symbols, strlen(symbols), err) ||
	       lkst_trace_write_end(writer, err);
}

/* Write a sample to an unnamed temporary file. Return its file descriptor. */
static int fd_of(int (*write)(struct lkst_trace_writer *writer, struct lkst_error *err))
{
	int fd = lkst_temporary_file(&err);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "sample", &err);

	MUST(writer && !write(writer, &err) && !lkst_trace_writer_commit(writer, &err));
	return fd;
}

int sample_fd(void)
{
	return fd_of(sample_write);
}

int sample_oops_fd(void)
{
	return fd_of(sample_oops_write);
}
