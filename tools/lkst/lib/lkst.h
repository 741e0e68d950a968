/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * liblkst: programs that control the kernel tracer LKST and read what it recorded.
 *
 *	cc prog.c $(pkg-config --cflags --libs liblkst)
 *
 * A function that can fail takes a struct lkst_error, which may be NULL. It returns 0 or a valid
 * pointer on success and -1 or NULL on failure, unless it says otherwise, and has then filled in
 * the error: a code for programs and a text for people. Objects are not locked: one thread at a time
 * uses a device, trace or follower. Strings are UTF-8 or what the kernel has, ended by 0; they
 * belong to the object that they were asked of.
 *
 * Structures without members here are the library's own. Those that a program fills in are to be
 * zeroed first, so that later members, which are taken from the reserved ones, are 0.
 */
#ifndef _LKST_LKST_H
#define _LKST_LKST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library is compiled with everything hidden but what stands here. */
#pragma GCC visibility push(default)

/**
 * lkst_library_version() - version of the library that the program runs with
 *
 * Return: as in "0.1.0".
 */
const char *lkst_library_version(void);

/* ---- errors ---- */

enum lkst_err {
	LKST_ERR_NONE,
	LKST_ERR_SYSTEM,	/* a system call failed: sys_errno */
	LKST_ERR_NO_DEVICE,	/* no /dev/lkst */
	LKST_ERR_PERMISSION,	/* CAP_SYS_ADMIN is missing */
	LKST_ERR_ARGUMENT,	/* what the user wrote is wrong */
	LKST_ERR_NOT_FOUND,	/* what the user named is not there */
	LKST_ERR_FORMAT,	/* a file is not what it should be */
	LKST_ERR_INTERRUPTED,	/* by a signal */
};

/**
 * struct lkst_error - why a function failed
 * @code: what kind of error
 * @sys_errno: errno of the system call that failed, 0 for none
 * @text: for people, without a newline at its end
 */
struct lkst_error {
	enum lkst_err code;
	int sys_errno;
	char text[1024];
};

/* ---- event types ---- */

struct lkst_etypes;	/* those of a kernel: struct lkst_etype by number */
struct lkst_etype;

/**
 * lkst_etypes_embedded() - the event types that the library was built with
 * @err: no memory
 */
struct lkst_etypes *lkst_etypes_embedded(struct lkst_error *err);

/**
 * lkst_etypes_load() - event types from a file
 * @path: file in the format of /proc/lkst_etypes
 * @err: why not
 */
struct lkst_etypes *lkst_etypes_load(const char *path, struct lkst_error *err);

/**
 * lkst_etypes_system() - the running kernel's event types
 * @err: why not
 *
 * Return: those of /proc/lkst_etypes, or the embedded ones where there is no such file.
 */
struct lkst_etypes *lkst_etypes_system(struct lkst_error *err);

/**
 * lkst_etypes_free() - free event types
 * @types: may be NULL
 */
void lkst_etypes_free(struct lkst_etypes *types);

/**
 * lkst_etypes_find() - the one event type that a word means
 * @types: to look in
 * @word: name, mnemonic, number, or tracepoint that no other comes from; a number need not be in
 *	@types
 * @err: unknown, with the names that are near
 *
 * Return: the number, 0 to LKST_ETYPE_NUM - 1; -1 when there is none.
 */
int lkst_etypes_find(const struct lkst_etypes *types, const char *word, struct lkst_error *err);

/**
 * lkst_etypes_get() - the event type that has a number
 * @types: to look in
 * @number: any
 *
 * Return: NULL when there is none. Good until @types is freed.
 */
const struct lkst_etype *lkst_etypes_get(const struct lkst_etypes *types, uint32_t number);

/**
 * lkst_etype_name() - what an event type is called, as in "system_call_entry"
 * @type: event type
 */
const char *lkst_etype_name(const struct lkst_etype *type);

/**
 * lkst_etype_mnemonic() - its constant without the prefix, as in "SYSCALL_ENTRY"
 * @type: event type
 */
const char *lkst_etype_mnemonic(const struct lkst_etype *type);

/**
 * lkst_etype_present() - whether the kernel that the event types are of can record it
 * @type: event type
 */
bool lkst_etype_present(const struct lkst_etype *type);

/**
 * lkst_etype_arg() - what an argument is
 * @type: event type
 * @arg: 0 to 3
 *
 * Return: the description that /proc/lkst_etypes has, "" for an argument that is not used or there
 * cannot be.
 */
const char *lkst_etype_arg(const struct lkst_etype *type, unsigned int arg);

/**
 * lkst_class_name() - the class of an event type, as in "interrupt"
 * @event_type: number
 *
 * Return: "" for a number that is no event type.
 */
const char *lkst_class_name(uint32_t event_type);

/* ---- the device ---- */

struct lkst_device;

/**
 * lkst_device_open() - open /dev/lkst, which takes CAP_SYS_ADMIN
 * @err: why not, and what to do about it
 */
struct lkst_device *lkst_device_open(struct lkst_error *err);

/**
 * lkst_device_close() - close a device
 * @dev: may be NULL
 */
void lkst_device_close(struct lkst_device *dev);

/**
 * lkst_device_fd() - the descriptor, for poll() and read()
 * @dev: from lkst_device_open()
 */
int lkst_device_fd(const struct lkst_device *dev);

/**
 * struct lkst_status - what LKST is doing
 * @trc: as the kernel has it
 * @online: bitmap of CPUs, see lkst_status_online()
 * @write_buf: by CPU: the buffer being written; trc.cpu_num entries
 * @read_buf: by CPU: the buffer being read
 * @reserved: 0
 */
struct lkst_status {
	struct lkst_trc_status trc;
	uint64_t *online;
	lkst_buffer_id *write_buf;
	lkst_buffer_id *read_buf;
	uint64_t reserved[4];
};

/**
 * lkst_status_get() - what LKST is doing
 * @dev: device
 * @status: result, to be freed with lkst_status_free()
 * @err: why not
 */
int lkst_status_get(struct lkst_device *dev, struct lkst_status *status, struct lkst_error *err);

/**
 * lkst_status_free() - free what lkst_status_get() filled in
 * @status: or is all zero
 */
void lkst_status_free(struct lkst_status *status);

/**
 * lkst_status_online() - whether a CPU is online
 * @status: from lkst_status_get()
 * @cpu: number
 */
bool lkst_status_online(const struct lkst_status *status, uint32_t cpu);

/**
 * lkst_start() - go on tracing, with the maskset that lkst_stop() put away
 * @dev: device
 * @err: why not
 */
int lkst_start(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_stop() - stop tracing
 * @dev: device
 * @err: why not
 */
int lkst_stop(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_state_dump() - record the name and state of every thread
 * @dev: device
 * @err: why not
 *
 * Return: how many threads were left out, as a dump takes no more than a quarter of a buffer; -1 on
 * an error.
 */
int lkst_state_dump(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_entry_log() - record an event of the program's own: a mark
 * @dev: device
 * @args: event type, registered and below LKST_ETYPE_LKST_MIN, and arguments
 * @err: why not. A masked event type is no error
 */
int lkst_entry_log(struct lkst_device *dev, const struct lkst_entry_args *args,
		   struct lkst_error *err);

/* ---- buffers ---- */

/**
 * struct lkst_buffer_list - the buffers of a CPU
 * @param: as the kernel has it; param.buffer_num of them
 * @ent: they, by id
 * @reserved: 0
 */
struct lkst_buffer_list {
	struct lkst_buffer_listparam param;
	struct lkst_buffer_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_buffer_list_get() - the buffers of a CPU
 * @dev: device
 * @cpu: CPU
 * @list: result, to be freed with lkst_buffer_list_free()
 * @err: why not
 */
int lkst_buffer_list_get(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			 struct lkst_error *err);

/**
 * lkst_buffer_list_free() - free what lkst_buffer_list_get() filled in
 * @list: or is all zero
 */
void lkst_buffer_list_free(struct lkst_buffer_list *list);

/**
 * lkst_buffer_read() - read a buffer, oldest record first, without taking anything out
 * @dev: device
 * @buffer: with cpu, id, read_size (bytes) and buffer; the rest is the result
 * @err: why not; LKST_ERR_NOT_FOUND: there is no such buffer (any more)
 */
int lkst_buffer_read(struct lkst_device *dev, struct lkst_log_buffer *buffer,
		     struct lkst_error *err);

/**
 * lkst_buffer_create() - make a buffer, on one CPU or on all that are online
 * @dev: device
 * @param: what <linux/lkst_buffer.h> says; takes the id of the new buffer
 * @err: why not; then there is none on any CPU
 */
int lkst_buffer_create(struct lkst_device *dev, struct lkst_buffer_param *param,
		       struct lkst_error *err);

/**
 * lkst_buffer_delete() - delete a buffer that is neither written nor read
 * @dev: device
 * @cpu: CPU
 * @id: buffer; 0 cannot be deleted
 * @err: why not
 */
int lkst_buffer_delete(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
		       struct lkst_error *err);

/**
 * lkst_buffer_link() - say which buffer comes after one
 * @dev: device
 * @cpu: CPU
 * @id: buffer
 * @next: the one after it
 * @err: why not
 */
int lkst_buffer_link(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
		     lkst_buffer_id next, struct lkst_error *err);

/**
 * lkst_buffer_shift() - go on in the next buffer, and queue this one for read()
 * @dev: device
 * @cpu: CPU
 * @err: why not
 */
int lkst_buffer_shift(struct lkst_device *dev, int32_t cpu, struct lkst_error *err);

/**
 * lkst_buffer_jump() - go on in some buffer
 * @dev: device
 * @cpu: CPU
 * @to: buffer
 * @err: why not
 */
int lkst_buffer_jump(struct lkst_device *dev, int32_t cpu, lkst_buffer_id to,
		     struct lkst_error *err);

/**
 * lkst_read_bind() - make this process the one that read()s the buffers of a CPU
 * @dev: device
 * @param: CPU and form of the records
 * @err: why not, for example that another process does
 */
int lkst_read_bind(struct lkst_device *dev, struct lkst_buffer_srmodparam *param,
		   struct lkst_error *err);

/* ---- masksets: which events are recorded, and what handles each ---- */

/**
 * struct lkst_maskset_list - the masksets there are
 * @current: the selected one
 * @num: how many there are
 * @ent: they, by id
 * @reserved: 0
 */
struct lkst_maskset_list {
	lkst_maskset_id current;
	size_t num;
	struct lkst_maskset_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_maskset_list_get() - the masksets there are
 * @dev: device
 * @list: result, to be freed with lkst_maskset_list_free()
 * @err: why not
 */
int lkst_maskset_list_get(struct lkst_device *dev, struct lkst_maskset_list *list,
			  struct lkst_error *err);

/**
 * lkst_maskset_list_free() - free what lkst_maskset_list_get() filled in
 * @list: or is all zero
 */
void lkst_maskset_list_free(struct lkst_maskset_list *list);

/**
 * lkst_maskset_read() - the contents of a maskset
 * @dev: device
 * @id: maskset, LKST_MASKSET_ID_VOID for the selected one
 * @body: result, with room for LKST_MASKSET_SIZE_MAX bytes
 * @err: why not
 */
int lkst_maskset_read(struct lkst_device *dev, lkst_maskset_id id, struct lkst_maskset_body *body,
		      struct lkst_error *err);

/**
 * lkst_maskset_write() - register a maskset, or overwrite one
 * @dev: device
 * @id: maskset, LKST_MASKSET_ID_VOID for a free one, which is stored there
 * @body: maskset; an overwrite without a name keeps the name
 * @err: why not
 */
int lkst_maskset_write(struct lkst_device *dev, lkst_maskset_id *id,
		       const struct lkst_maskset_body *body, struct lkst_error *err);

/**
 * lkst_maskset_set() - select a maskset
 * @dev: device
 * @id: maskset
 * @err: why not
 */
int lkst_maskset_set(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err);

/**
 * lkst_maskset_delete() - delete a maskset that is not selected
 * @dev: device
 * @id: maskset
 * @err: why not
 */
int lkst_maskset_delete(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err);

/* ---- event handlers ---- */

/**
 * struct lkst_evhandler_list - the event handlers there are
 * @num: how many
 * @ent: they, by id
 * @reserved: 0
 */
struct lkst_evhandler_list {
	size_t num;
	struct lkst_evhandler_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_evhandler_list_get() - the event handlers there are
 * @dev: device
 * @list: result, to be freed with lkst_evhandler_list_free()
 * @err: why not
 */
int lkst_evhandler_list_get(struct lkst_device *dev, struct lkst_evhandler_list *list,
			    struct lkst_error *err);

/**
 * lkst_evhandler_list_free() - free what lkst_evhandler_list_get() filled in
 * @list: or is all zero
 */
void lkst_evhandler_list_free(struct lkst_evhandler_list *list);

/**
 * lkst_evhandler_find() - the event handler that a word means
 * @handlers: which there are
 * @word: name or id; "on": LKST_EVHANDLER_ID_ENTRY_LOG, "off": LKST_EVHANDLER_ID_NONE
 * @err: there is none such
 *
 * Return: the id, -1 when there is none.
 */
int lkst_evhandler_find(const struct lkst_evhandler_list *handlers, const char *word,
			struct lkst_error *err);

/**
 * lkst_evhandler_ctrl() - call the control function of an event handler
 * @dev: device
 * @id: event handler
 * @buf: what it is told, and what it answers; NULL with @size 0
 * @size: bytes at @buf
 * @result: what the control function returned
 * @err: why it could not be called
 */
int lkst_evhandler_ctrl(struct lkst_device *dev, lkst_evhandler_id id, void *buf, size_t size,
			int *result, struct lkst_error *err);

/* ---- one event, whatever it was read from ---- */

enum lkst_machine {
	LKST_MACHINE_OTHER,
	LKST_MACHINE_X86_64,
	LKST_MACHINE_I386,
	LKST_MACHINE_ARM64,
};

/* struct lkst_event.nth: nobody counted. */
#define LKST_NTH_UNKNOWN	0xff

/**
 * struct lkst_event - one record
 * @time_ns: wall clock, ns since the epoch
 * @recid: number in its buffer
 * @arg: arguments
 * @type: event type
 * @tid: thread
 * @tgid: its process
 * @pgrp: process group
 * @uid: effective user
 * @gid: effective group
 * @flags: LKST_LOG_*
 * @cpu: where it was recorded
 * @buffer: id, LKST_BUFFER_ID_VOID for the static buffer
 * @machine: enum lkst_machine, which system-call numbers hold
 * @nth: of an OOPS_REGS: how many of the same oops precede it; LKST_NTH_UNKNOWN
 * @swapped: the machine had the other byte order, which matters for text
 * @reserved: 0
 * @source: of a trace of several files: which one, from 0
 * @reserved2: 0
 * @clock: what the buffer's clock showed; 0 when that is not known (STD records)
 * @monotonic_ns: the kernel's monotonic clock; INT64_MIN when that is not known
 * @more: 0
 */
struct lkst_event {
	int64_t time_ns __attribute__((aligned(8)));
	uint64_t recid __attribute__((aligned(8)));
	uint64_t arg[4] __attribute__((aligned(8)));
	uint32_t type;
	uint32_t tid;
	uint32_t tgid;
	uint32_t pgrp;
	uint32_t uid;
	uint32_t gid;
	uint32_t flags;
	int32_t cpu;
	int32_t buffer;
	uint8_t machine;
	uint8_t nth;
	bool swapped;
	uint8_t reserved;
	uint32_t source;
	uint32_t reserved2;
	uint64_t clock __attribute__((aligned(8)));
	int64_t monotonic_ns __attribute__((aligned(8)));
	uint64_t more[2] __attribute__((aligned(8)));
};

/**
 * lkst_event_text() - arguments that hold text
 * @event: event
 * @arg: first argument, 0 to 3
 * @args: how many the text goes on over
 * @text: result, 8 * @args + 1 bytes
 */
void lkst_event_text(const struct lkst_event *event, unsigned int arg, unsigned int args,
		     char *text);

/* ---- what is known of the kernel that recorded ---- */

struct lkst_context;

#define LKST_COMM_LEN	16

/**
 * lkst_process_name() - what a thread was called
 * @context: of the trace or follower that the event is from
 * @event: whose thread
 *
 * Return: the name, at most LKST_COMM_LEN - 1 bytes; NULL when it is not known.
 */
const char *lkst_process_name(const struct lkst_context *context, const struct lkst_event *event);

/* ---- traces: files, and what the kernel holds ---- */

struct lkst_trace;

/**
 * struct lkst_trace_hooks - what a reader tells while it works
 * @ctx: passed to the functions
 * @report: something is damaged, missing or unknown (lkst_trace_incomplete()), or worth knowing, as
 *	events that were lost; one sentence. May be NULL
 * @progress: so much is done of so much, in bytes. May be NULL
 * @reserved: 0
 */
struct lkst_trace_hooks {
	void *ctx;
	void (*report)(void *ctx, const char *text);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *reserved[3];
};

enum lkst_order {
	LKST_OLDEST_FIRST,
	LKST_NEWEST_FIRST,
};

/**
 * lkst_trace_open() - open a trace file
 * @path: file; "-" is standard input
 * @hooks: whom to tell of damage and progress; may be NULL
 * @err: why it cannot be read at all
 *
 * A file that is damaged, cut off or being written opens: what can be read of it is read.
 */
struct lkst_trace *lkst_trace_open(const char *path, const struct lkst_trace_hooks *hooks,
				   struct lkst_error *err);

/**
 * lkst_trace_open_files() - open trace files as one trace, merged by time
 * @path: files
 * @num: how many, from 1 up
 * @hooks: as for lkst_trace_open()
 * @err: which one cannot be read, and why
 */
struct lkst_trace *lkst_trace_open_files(const char *const *path, size_t num,
					 const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err);

/**
 * lkst_trace_open_fd() - open a trace that is on a file descriptor
 * @fd: stays the caller's, must stay open
 * @name: for errors
 * @hooks: as for lkst_trace_open()
 * @err: likewise
 */
struct lkst_trace *lkst_trace_open_fd(int fd, const char *name,
				      const struct lkst_trace_hooks *hooks,
				      struct lkst_error *err);

/**
 * lkst_trace_open_kernel() - read what the kernel holds now
 * @dev: device
 * @cpu: one CPU, or -1 for all and the static buffer
 * @hooks: as for lkst_trace_open()
 * @err: likewise
 *
 * It is copied to a temporary file, in $TMPDIR or /tmp, that has no name; the kernel goes on
 * recording and loses nothing.
 */
struct lkst_trace *lkst_trace_open_kernel(struct lkst_device *dev, int32_t cpu,
					  const struct lkst_trace_hooks *hooks,
					  struct lkst_error *err);

/**
 * lkst_trace_close() - close a trace
 * @trace: may be NULL
 */
void lkst_trace_close(struct lkst_trace *trace);

/**
 * lkst_trace_etypes() - the event types of a trace
 * @trace: trace; of several files those of the first
 * @err: no memory
 *
 * Return: those of the file; where it has none that can be read, the embedded ones. To be freed.
 */
struct lkst_etypes *lkst_trace_etypes(struct lkst_trace *trace, struct lkst_error *err);

/**
 * lkst_trace_source_etypes() - the event types of one of a trace's files
 * @trace: trace
 * @source: from 0; below lkst_trace_sources()
 * @err: no memory
 *
 * Return: as lkst_trace_etypes().
 */
struct lkst_etypes *lkst_trace_source_etypes(struct lkst_trace *trace, uint32_t source,
					     struct lkst_error *err);

/**
 * lkst_trace_sources() - how many files a trace consists of
 * @trace: trace
 */
size_t lkst_trace_sources(const struct lkst_trace *trace);

/**
 * lkst_trace_source_context() - what one of a trace's files tells of the kernel that recorded
 * @trace: keeps it
 * @source: struct lkst_event.source, 0 in a trace of one file
 */
const struct lkst_context *lkst_trace_source_context(const struct lkst_trace *trace,
						     uint32_t source);

/**
 * lkst_trace_records() - how many records a trace has
 * @trace: trace
 */
uint64_t lkst_trace_records(const struct lkst_trace *trace);

/**
 * lkst_trace_incomplete() - whether anything was reported as damaged, unknown or missing
 * @trace: trace
 */
bool lkst_trace_incomplete(const struct lkst_trace *trace);

/**
 * lkst_trace_growing() - whether a file of the trace was being written when it was opened
 * @trace: trace
 */
bool lkst_trace_growing(const struct lkst_trace *trace);

/**
 * lkst_trace_rewind() - go to the first record
 * @trace: trace
 * @order: in which to read from now on
 * @err: why not
 */
int lkst_trace_rewind(struct lkst_trace *trace, enum lkst_order order, struct lkst_error *err);

/**
 * lkst_trace_next() - read a record
 * @trace: after lkst_trace_rewind()
 * @event: result
 * @err: why not
 *
 * Return: 1, 0 after the last one, -1 on an error.
 */
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event, struct lkst_error *err);

/* ---- events as they come ---- */

#define LKST_FOLLOW_INTERVAL_MS	100

/**
 * struct lkst_follow_options - what to follow
 * @cpu: -1: all
 * @history: begin with the oldest event that the buffers hold, not with what comes
 * @interval_ms: time between two looks at the buffers; 0: LKST_FOLLOW_INTERVAL_MS
 * @reserved: 0
 */
struct lkst_follow_options {
	int32_t cpu;
	bool history;
	unsigned int interval_ms;
	uint32_t reserved[5];
};

struct lkst_follow;

/**
 * lkst_follow_open() - follow the events of the running kernel
 * @dev: device, must stay open
 * @opt: what to follow
 * @err: why not
 *
 * It only looks: buffers are read as lkst_buffer_read() does, and nobody else misses anything.
 */
struct lkst_follow *lkst_follow_open(struct lkst_device *dev, const struct lkst_follow_options *opt,
				     struct lkst_error *err);

/**
 * lkst_follow_next() - wait for an event
 * @follow: follower
 * @event: result; oldest first, across CPUs by time
 * @timeout_ms: how long to wait at most; 0: not at all
 * @err: why not
 *
 * Return: 1; 0 when none came in that time, or a signal was handled; -1 on an error.
 */
int lkst_follow_next(struct lkst_follow *follow, struct lkst_event *event, int timeout_ms,
		     struct lkst_error *err);

/**
 * lkst_follow_lost() - events that the kernel wrote over before they were read
 * @follow: follower
 *
 * Return: how many so far.
 */
uint64_t lkst_follow_lost(const struct lkst_follow *follow);

/**
 * lkst_follow_context() - what is known of the running kernel
 * @follow: keeps it
 */
const struct lkst_context *lkst_follow_context(const struct lkst_follow *follow);

/**
 * lkst_follow_etypes() - the event types of the running kernel
 * @follow: keeps them
 */
const struct lkst_etypes *lkst_follow_etypes(const struct lkst_follow *follow);

/**
 * lkst_follow_close() - stop following
 * @follow: may be NULL
 */
void lkst_follow_close(struct lkst_follow *follow);

/* ---- which events: the words that option -e of lkstbuf takes ---- */

struct lkst_filter;

/**
 * lkst_filter_new() - a filter that lets everything through
 * @err: no memory
 */
struct lkst_filter *lkst_filter_new(struct lkst_error *err);

/**
 * lkst_filter_add() - take in more words, after those before
 * @filter: filter
 * @types: to find names in
 * @words: separated by commas: names, numbers and ranges of event types, patterns, "class:" and a
 *	class, "all", names of system calls; each with "!" to leave it out. The last word that names an event counts; if
 *	no positive word is left, what no word names is let through
 * @err: the word that names nothing
 */
int lkst_filter_add(struct lkst_filter *filter, const struct lkst_etypes *types, const char *words,
		    struct lkst_error *err);

/**
 * lkst_filter_matches() - whether an event is let through
 * @filter: filter
 * @event: event
 */
bool lkst_filter_matches(const struct lkst_filter *filter, const struct lkst_event *event);

/**
 * lkst_filter_free() - free a filter
 * @filter: may be NULL
 */
void lkst_filter_free(struct lkst_filter *filter);

/* ---- events as text, as lkstbuf print has them ---- */

/**
 * enum lkst_print - how events are printed
 * @LKST_PRINT_VERBOSE: with all arguments
 * @LKST_PRINT_COLOR: with colours for a terminal
 * @LKST_PRINT_CSV: as a line of CSV
 * @LKST_PRINT_EPOCH: CSV with seconds and microseconds of the epoch, not with a date
 */
enum lkst_print {
	LKST_PRINT_VERBOSE	= 1 << 0,
	LKST_PRINT_COLOR	= 1 << 1,
	LKST_PRINT_CSV		= 1 << 2,
	LKST_PRINT_EPOCH	= 1 << 3,
};

struct lkst_printer;

/**
 * lkst_printer_new() - begin to print
 * @flags: of enum lkst_print
 * @err: no memory
 */
struct lkst_printer *lkst_printer_new(unsigned int flags, struct lkst_error *err);

/**
 * lkst_printer_line() - an event as text
 * @printer: printer
 * @types: event types of the kernel that recorded
 * @context: what else is known of it
 * @event: event
 *
 * Return: a line with a newline at its end; when the local date is not that of the event before, a
 * line with the date comes first (not in CSV). Good until the next call.
 */
const char *lkst_printer_line(struct lkst_printer *printer, const struct lkst_etypes *types,
			      const struct lkst_context *context, const struct lkst_event *event);

/**
 * lkst_printer_free() - free a printer
 * @printer: may be NULL
 */
void lkst_printer_free(struct lkst_printer *printer);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _LKST_LKST_H */
