/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * liblkst: a library for programs that control the kernel tracer LKST and read its records.
 *
 *	cc prog.c $(pkg-config --cflags --libs liblkst)
 *
 * A function that can fail takes a struct lkst_error, which may be NULL. Unless stated otherwise,
 * it returns 0 or a valid pointer on success, and -1 or NULL on failure. On failure it fills in the
 * error: a code for programs and a message for users. Objects are not locked: only one thread at a
 * time may use a device, trace or follower. Strings are 0-terminated and normally UTF-8, but bytes
 * that the kernel recorded are returned unchanged, even if they are not valid UTF-8. A string
 * belongs to the object from which it was obtained.
 *
 * Structures without members here are private to the library. A program must zero any other
 * structure before it fills it in: later versions may give a meaning to reserved members, and then
 * 0 will select the behaviour of this version.
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

/* The library is compiled with hidden visibility; only the declarations below are exported. */
#pragma GCC visibility push(default)

/**
 * lkst_library_version() - get the version of the library that the program runs with
 *
 * Return: for example "0.1.0".
 */
const char *lkst_library_version(void);

/* ---- errors ---- */

enum lkst_err {
	LKST_ERR_NONE,
	LKST_ERR_SYSTEM,	/* a system call or an allocation failed */
	LKST_ERR_NO_DEVICE,	/* /dev/lkst does not exist, or does not support the ioctl */
	LKST_ERR_PERMISSION,	/* CAP_SYS_ADMIN is missing, or the kernel is locked down */
	LKST_ERR_ARGUMENT,	/* an argument is invalid */
	LKST_ERR_NOT_FOUND,	/* the named object does not exist */
	LKST_ERR_FORMAT,	/* a file has the wrong format */
	LKST_ERR_INTERRUPTED,	/* interrupted by a signal */
};

/**
 * struct lkst_error - why a function failed
 * @code: kind of error
 * @sys_errno: errno of the failed system call; 0 if no system call failed, or if its errno does not
 *	matter
 * @text: message for users, without a newline at the end
 */
struct lkst_error {
	enum lkst_err code;
	int sys_errno;
	char text[1024];
};

/* ---- event types ---- */

struct lkst_etypes;	/* the event types of a kernel, see lkst_etypes_get() */
struct lkst_etype;

/**
 * lkst_etypes_embedded() - get the event types that the library was built with
 * @err: set if an allocation fails
 */
struct lkst_etypes *lkst_etypes_embedded(struct lkst_error *err);

/**
 * lkst_etypes_load() - read event types from a file
 * @path: file in the format of /proc/lkst_etypes
 * @err: set on failure
 */
struct lkst_etypes *lkst_etypes_load(const char *path, struct lkst_error *err);

/**
 * lkst_etypes_system() - get the event types of the running kernel
 * @err: set on failure
 *
 * Return: the event types in /proc/lkst_etypes or, if that does not exist, the embedded ones.
 */
struct lkst_etypes *lkst_etypes_system(struct lkst_error *err);

/**
 * lkst_etypes_free() - free event types
 * @types: may be NULL
 */
void lkst_etypes_free(struct lkst_etypes *types);

/**
 * lkst_etypes_find() - find the event type that a word refers to
 * @types: event types to search
 * @word: name, mnemonic or number of the event type, or the name of a tracepoint; a number need not
 *	be in @types
 * @err: set if not found; suggests similar names
 *
 * The name of a tracepoint refers to the only event type that comes from this tracepoint. If
 * several event types come from it, the name refers to the only one of them that has no other
 * source; if there is no such event type, or more than one, the name is not found.
 *
 * Return: the number, 0 to LKST_ETYPE_NUM - 1; -1 if not found.
 */
int lkst_etypes_find(const struct lkst_etypes *types, const char *word, struct lkst_error *err);

/**
 * lkst_etypes_get() - get an event type by its number
 * @types: event types to search
 * @number: any number
 *
 * Return: the event type, valid until @types is freed; NULL if no type has this number.
 */
const struct lkst_etype *lkst_etypes_get(const struct lkst_etypes *types, uint32_t number);

/**
 * lkst_etype_name() - get the name of an event type, such as "system_call_entry"
 * @type: event type
 */
const char *lkst_etype_name(const struct lkst_etype *type);

/**
 * lkst_etype_mnemonic() - get the mnemonic of an event type: the name of its constant without
 * LKST_ETYPE_, such as "SYSCALL_ENTRY"
 * @type: event type
 */
const char *lkst_etype_mnemonic(const struct lkst_etype *type);

/**
 * lkst_etype_present() - check whether the kernel that listed an event type can record it
 * @type: event type
 */
bool lkst_etype_present(const struct lkst_etype *type);

/**
 * lkst_etype_arg() - get the description of an argument
 * @type: event type
 * @arg: index, 0 to 3
 *
 * Return: the description, as in /proc/lkst_etypes; "" if the argument is unused or out of range.
 */
const char *lkst_etype_arg(const struct lkst_etype *type, unsigned int arg);

/**
 * lkst_class_name() - get the name of an event type's class, such as "interrupt"
 * @event_type: any number
 *
 * Return: the name; "" if the number is not an event type.
 */
const char *lkst_class_name(uint32_t event_type);

/* ---- the device ---- */

struct lkst_device;

/**
 * lkst_device_open() - open /dev/lkst, which requires CAP_SYS_ADMIN
 * @err: set on failure; the message says how to solve the problem
 */
struct lkst_device *lkst_device_open(struct lkst_error *err);

/**
 * lkst_device_close() - close a device
 * @dev: may be NULL
 */
void lkst_device_close(struct lkst_device *dev);

/**
 * lkst_device_fd() - get the file descriptor, for poll() and read()
 * @dev: from lkst_device_open()
 */
int lkst_device_fd(const struct lkst_device *dev);

/**
 * struct lkst_status - status of LKST
 * @trc: status as the kernel reports it
 * @online: bitmap of online CPUs, see lkst_status_online()
 * @write_buf: for each of trc.cpu_num CPUs, the id of the buffer to which the CPU records
 * @read_buf: for each of trc.cpu_num CPUs, the id of the buffer that is being read
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
 * lkst_status_get() - get the status of LKST
 * @dev: device
 * @status: result, to be freed with lkst_status_free()
 * @err: set on failure
 */
int lkst_status_get(struct lkst_device *dev, struct lkst_status *status, struct lkst_error *err);

/**
 * lkst_status_free() - free what lkst_status_get() allocated
 * @status: may be all zero
 */
void lkst_status_free(struct lkst_status *status);

/**
 * lkst_status_online() - check whether a CPU is online
 * @status: from lkst_status_get()
 * @cpu: number
 */
bool lkst_status_online(const struct lkst_status *status, uint32_t cpu);

/**
 * lkst_start() - start tracing with the maskset that was selected when lkst_stop() was called, or
 * with the default one if that maskset was deleted
 * @dev: device
 * @err: set on failure
 */
int lkst_start(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_stop() - stop tracing
 * @dev: device
 * @err: set on failure
 */
int lkst_stop(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_state_dump() - record the name and state of every thread
 * @dev: device
 * @err: set on failure
 *
 * Return: number of threads that were left out because a dump takes at most a quarter of a buffer;
 * -1 on error.
 */
int lkst_state_dump(struct lkst_device *dev, struct lkst_error *err);

/**
 * lkst_entry_log() - record an event from a program, for example to mark a place in the trace
 * @dev: device
 * @args: event type and arguments. The event type must be in the range from LKST_ETYPE_USER_MIN to
 *	LKST_ETYPE_USER_MAX, or be less than LKST_ETYPE_LKST_MIN and registered
 * @err: set on failure; recording a masked event type is not an error
 */
int lkst_entry_log(struct lkst_device *dev, const struct lkst_entry_args *args,
		   struct lkst_error *err);

/**
 * lkst_entry_text() - record a text of more than 32 bytes from a program
 * @dev: device
 * @text: the text
 * @size: number of bytes, at most LKST_CHAIN_BYTES_MAX
 * @err: set on failure; recording a masked event type is not an error
 *
 * The event type is LKST_ETYPE_USER_LONG_TEXT (0x0e2, user_long_text).
 */
int lkst_entry_text(struct lkst_device *dev, const char *text, size_t size,
		    struct lkst_error *err);

/* ---- buffers ---- */

/**
 * struct lkst_buffer_list - the buffers of a CPU
 * @param: as the kernel reports it; param.buffer_num is the number of buffers
 * @ent: the buffers, sorted by id
 * @reserved: 0
 */
struct lkst_buffer_list {
	struct lkst_buffer_listparam param;
	struct lkst_buffer_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_buffer_list_get() - list the buffers of a CPU
 * @dev: device
 * @cpu: CPU
 * @list: result, to be freed with lkst_buffer_list_free()
 * @err: set on failure
 */
int lkst_buffer_list_get(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			 struct lkst_error *err);

/**
 * lkst_buffer_list_free() - free what lkst_buffer_list_get() allocated
 * @list: may be all zero
 */
void lkst_buffer_list_free(struct lkst_buffer_list *list);

/**
 * lkst_buffer_read() - copy the records of a buffer, oldest first; the buffer keeps them
 * @dev: device
 * @buffer: the caller sets cpu, id, read_size (bytes) and buffer; the other members are results
 * @err: set on failure; LKST_ERR_NOT_FOUND: the buffer does not exist or was deleted
 */
int lkst_buffer_read(struct lkst_device *dev, struct lkst_log_buffer *buffer,
		     struct lkst_error *err);

/**
 * lkst_buffer_create() - create a buffer, on one CPU or on all online CPUs
 * @dev: device
 * @param: see <linux/lkst_buffer.h>; returns the id of the new buffer
 * @err: set on failure, in which case no CPU has a new buffer
 */
int lkst_buffer_create(struct lkst_device *dev, struct lkst_buffer_param *param,
		       struct lkst_error *err);

/**
 * lkst_buffer_delete() - delete a buffer that is neither being written nor being read
 * @dev: device
 * @cpu: CPU
 * @id: buffer; 0 cannot be deleted
 * @err: set on failure
 */
int lkst_buffer_delete(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
		       struct lkst_error *err);

/**
 * lkst_buffer_link() - set the buffer that follows another one
 * @dev: device
 * @cpu: CPU
 * @id: buffer
 * @next: the buffer that follows it, which need not exist; LKST_BUFFER_ID_VOID: none
 * @err: set on failure
 */
int lkst_buffer_link(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
		     lkst_buffer_id next, struct lkst_error *err);

/**
 * lkst_buffer_shift() - switch a CPU to its next buffer, and queue the current one for read()
 * @dev: device
 * @cpu: CPU
 * @err: set on failure
 */
int lkst_buffer_shift(struct lkst_device *dev, int32_t cpu, struct lkst_error *err);

/**
 * lkst_buffer_jump() - switch a CPU to a given buffer
 * @dev: device
 * @cpu: CPU
 * @to: id of the buffer
 * @err: set on failure
 */
int lkst_buffer_jump(struct lkst_device *dev, int32_t cpu, lkst_buffer_id to,
		     struct lkst_error *err);

/**
 * lkst_read_bind() - set what read() returns
 * @dev: device
 * @param: CPU and enum lkst_read_mode
 * @err: set on failure, for example because another process is bound to the CPU
 *
 * LKST_READ_MODE_STD and LKST_READ_MODE_RAW bind this process to a CPU, and no other process can
 * read that CPU's records in these modes while this process is bound. LKST_READ_MODE_BLOCK binds
 * the open device, and any number of open devices can be bound to the same CPU.
 */
int lkst_read_bind(struct lkst_device *dev, struct lkst_buffer_srmodparam *param,
		   struct lkst_error *err);

/* ---- masksets: which events are recorded, and by which event handlers ---- */

/**
 * struct lkst_maskset_list - the existing masksets
 * @current: id of the selected maskset
 * @num: number of masksets
 * @ent: masksets, sorted by id
 * @reserved: 0
 */
struct lkst_maskset_list {
	lkst_maskset_id current;
	size_t num;
	struct lkst_maskset_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_maskset_list_get() - list the masksets
 * @dev: device
 * @list: result, to be freed with lkst_maskset_list_free()
 * @err: set on failure
 */
int lkst_maskset_list_get(struct lkst_device *dev, struct lkst_maskset_list *list,
			  struct lkst_error *err);

/**
 * lkst_maskset_list_free() - free what lkst_maskset_list_get() allocated
 * @list: may be all zero
 */
void lkst_maskset_list_free(struct lkst_maskset_list *list);

/**
 * lkst_maskset_read() - read the contents of a maskset
 * @dev: device
 * @id: maskset; LKST_MASKSET_ID_VOID for the selected maskset
 * @body: result; the caller provides LKST_MASKSET_SIZE_MAX bytes
 * @err: set on failure
 */
int lkst_maskset_read(struct lkst_device *dev, lkst_maskset_id id, struct lkst_maskset_body *body,
		      struct lkst_error *err);

/**
 * lkst_maskset_write() - register a maskset, or overwrite one
 * @dev: device
 * @id: maskset; LKST_MASKSET_ID_VOID: choose a free id and store it here
 * @body: contents; if the name in it is empty, an overwritten maskset keeps its old name
 * @err: set on failure
 */
int lkst_maskset_write(struct lkst_device *dev, lkst_maskset_id *id,
		       const struct lkst_maskset_body *body, struct lkst_error *err);

/**
 * lkst_maskset_set() - select a maskset
 * @dev: device
 * @id: maskset
 * @err: set on failure
 */
int lkst_maskset_set(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err);

/**
 * lkst_maskset_delete() - delete a maskset that is not selected
 * @dev: device
 * @id: maskset
 * @err: set on failure
 */
int lkst_maskset_delete(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err);

/* ---- event handlers ---- */

/**
 * struct lkst_evhandler_list - the registered event handlers
 * @num: number of event handlers
 * @ent: event handlers, sorted by id
 * @reserved: 0
 */
struct lkst_evhandler_list {
	size_t num;
	struct lkst_evhandler_listent *ent;
	uint64_t reserved[4];
};

/**
 * lkst_evhandler_list_get() - list the event handlers
 * @dev: device
 * @list: result, to be freed with lkst_evhandler_list_free()
 * @err: set on failure
 */
int lkst_evhandler_list_get(struct lkst_device *dev, struct lkst_evhandler_list *list,
			    struct lkst_error *err);

/**
 * lkst_evhandler_list_free() - free what lkst_evhandler_list_get() allocated
 * @list: may be all zero
 */
void lkst_evhandler_list_free(struct lkst_evhandler_list *list);

/**
 * lkst_evhandler_find() - find the event handler that a word refers to
 * @handlers: existing event handlers
 * @word: name or id; "on" means LKST_EVHANDLER_ID_ENTRY_LOG, and "off" LKST_EVHANDLER_ID_NONE,
 *	unless an event handler has that name
 * @err: set if not found
 *
 * Return: the id; -1 if not found.
 */
int lkst_evhandler_find(const struct lkst_evhandler_list *handlers, const char *word,
			struct lkst_error *err);

/**
 * lkst_evhandler_ctrl() - call the control function of an event handler
 * @dev: device
 * @id: event handler
 * @buf: data that the control function reads and writes; may be NULL if @size is 0
 * @size: size of @buf in bytes
 * @result: return value of the control function
 * @err: set if the control function could not be called
 */
int lkst_evhandler_ctrl(struct lkst_device *dev, lkst_evhandler_id id, void *buf, size_t size,
			int *result, struct lkst_error *err);

/* ---- events, independent of their source ---- */

enum lkst_machine {
	LKST_MACHINE_OTHER,
	LKST_MACHINE_X86_64,
	LKST_MACHINE_I386,
	LKST_MACHINE_ARM64,
};

/* Value of struct lkst_event.nth if the number is unknown. */
#define LKST_NTH_UNKNOWN	0xff

/**
 * struct lkst_payload - the payload of a chain
 * @data: the payload, in the order in which its bytes were in memory when they were recorded. If
 *	member @swapped of the event is true, numbers in it must be swapped
 * @size: number of bytes at @data
 * @bytes: number of bytes that the kernel recorded, or more than that if the head is damaged
 * @parts: number of parts according to the head
 * @parts_found: number of different parts that were found
 * @cut: the payload is incomplete: it was longer than what the kernel recorded, or parts of it are
 *	missing. If parts are missing, @size is less than @bytes, and @data ends before the first
 *	missing part
 * @reserved: 0
 *
 * An event whose payload does not fit in a record is a chain. Its first record, the head, has the
 * type of the event. <linux/lkst_buffer.h> describes its first argument. The other arguments are
 * the first LKST_CHAIN_BYTES of the payload. The parts, records of type LKST_ETYPE_LKST_MORE
 * (0xf0a), contain the rest. The library returns the head with the whole payload, and leaves out
 * the parts. The first argument of such an event type has the description "chain:chain".
 */
struct lkst_payload {
	const uint8_t *data;
	uint32_t size;
	uint32_t bytes;
	uint16_t parts;
	uint16_t parts_found;
	bool cut;
	uint8_t reserved[11];
};

/**
 * struct lkst_event - one record
 * @time_ns: wall clock, nanoseconds since the epoch
 * @recid: number of the record; increases by 1 for each event of a CPU
 * @arg: arguments
 * @type: event type
 * @tid: thread
 * @tgid: process of the thread
 * @pgrp: process group
 * @uid: effective user id
 * @gid: effective group id
 * @flags: LKST_LOG_*
 * @cpu: CPU that recorded the event
 * @buffer: id of the buffer; LKST_BUFFER_ID_VOID: the static buffer
 * @machine: enum lkst_machine; determines the meaning of system call numbers
 * @nth: for OOPS_REGS: number of OOPS_REGS records of the same oops before this one;
 *	LKST_NTH_UNKNOWN: unknown
 * @swapped: the machine that recorded the event has a different byte order than this machine, which
 *	matters for strings in arguments
 * @reserved: 0
 * @source: index of the file in a trace of several files
 * @parts_before: number of records of type LKST_ETYPE_LKST_MORE between the previous event of the
 *	CPU and this one, which the library has left out, see struct lkst_payload. 0 if the newest
 *	event is read first
 * @clock: value of the buffer's clock; 0: unknown (STD records)
 * @monotonic_ns: the kernel's monotonic clock in nanoseconds; INT64_MIN: unknown
 * @payload: for a chain, an event that takes several records: the whole payload. It belongs to the
 *	trace or follower that the event is from, and is valid until the trace or follower returns
 *	the next event, is rewound or is closed. NULL: not a chain
 * @more: reserved, 0
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
	uint32_t parts_before;
	uint64_t clock __attribute__((aligned(8)));
	int64_t monotonic_ns __attribute__((aligned(8)));
	const struct lkst_payload *payload __attribute__((aligned(8)));
	uint64_t more __attribute__((aligned(8)));
};

/**
 * lkst_event_text() - get a string from the arguments of an event
 * @event: event
 * @arg: index of the first argument, 0 to 3
 * @args: number of arguments that the string occupies
 * @text: result; the caller provides 8 * @args + 1 bytes
 */
void lkst_event_text(const struct lkst_event *event, unsigned int arg, unsigned int args,
		     char *text);

/* ---- names and symbols of the kernel that recorded the events ---- */

struct lkst_context;

#define LKST_COMM_LEN	16

/**
 * lkst_process_name() - get the name of an event's thread at the time of the event
 * @context: context of the trace or follower that the event is from
 * @event: event
 *
 * Return: the name, at most LKST_COMM_LEN - 1 bytes; NULL if it is unknown.
 */
const char *lkst_process_name(const struct lkst_context *context, const struct lkst_event *event);

/**
 * lkst_process_command() - get the command line of an event's process at the time of the event
 * @context: context of the trace that the event is from
 * @event: event
 *
 * Return: the arguments, with blanks between them. Blanks, backslashes and control characters in an
 * argument are written as octal escapes, and " [cut]" follows a command line that is too long for
 * the trace. NULL if it is unknown.
 */
const char *lkst_process_command(const struct lkst_context *context,
				 const struct lkst_event *event);

/**
 * lkst_process_file() - get the file that a descriptor referred to at the time of an event
 * @context: context of the trace that the event is from
 * @event: event; @fd is a descriptor of its process
 * @fd: descriptor
 *
 * Return: a path, or for example "pipe:[1234]", "socket:[1234]" or "anon_inode:[eventpoll]"; NULL
 * if the trace does not prove which file it was.
 */
const char *lkst_process_file(const struct lkst_context *context, const struct lkst_event *event,
			      uint32_t fd);

/* ---- traces: files, and the contents of the kernel's buffers ---- */

struct lkst_trace;

/*
 * Read the records of the long rings instead of those of the buffers. If the trace has no long
 * rings, no records are returned.
 */
#define LKST_TRACE_LONG_RINGS	0x1

/*
 * lkst_trace_open_kernel() leaves out the compressed history. Reading the history may take long.
 * LKST_TRACE_LONG_RINGS implies this.
 */
#define LKST_TRACE_NO_HISTORY	0x2

/**
 * struct lkst_trace_hooks - functions that the library calls while it reads a trace
 * @ctx: passed to the functions
 * @report: called with one sentence about each problem or fact that the user should know, such as
 *	damaged data or lost events; may be NULL. lkst_trace_incomplete() returns whether anything
 *	was damaged, missing or unknown
 * @progress: called after @done of @total bytes have been processed; may be NULL
 * @flags: LKST_TRACE_LONG_RINGS, LKST_TRACE_NO_HISTORY or 0
 * @reserved: 0
 */
struct lkst_trace_hooks {
	void *ctx;
	void (*report)(void *ctx, const char *text);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	unsigned long flags;
	void *reserved[2];
};

enum lkst_order {
	LKST_OLDEST_FIRST,
	LKST_NEWEST_FIRST,
};

/**
 * lkst_trace_open() - open a trace file
 * @path: file; "-" is standard input
 * @hooks: functions that report damage and progress; may be NULL
 * @err: set if the file cannot be read at all
 *
 * A file may be damaged, truncated, or still being written: everything that can be read is read.
 */
struct lkst_trace *lkst_trace_open(const char *path, const struct lkst_trace_hooks *hooks,
				   struct lkst_error *err);

/**
 * lkst_trace_open_files() - open trace files as one trace, merged by time
 * @path: names of the files
 * @num: number of files, at least 1
 * @hooks: as for lkst_trace_open()
 * @err: set if a file cannot be read at all; names the file
 */
struct lkst_trace *lkst_trace_open_files(const char *const *path, size_t num,
					 const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err);

/**
 * lkst_trace_open_fd() - open a trace on a file descriptor
 * @fd: descriptor, which the caller must keep open until the trace is closed
 * @name: name of the file, for error messages
 * @hooks: as for lkst_trace_open()
 * @err: set if the file cannot be read at all
 */
struct lkst_trace *lkst_trace_open_fd(int fd, const char *name,
				      const struct lkst_trace_hooks *hooks,
				      struct lkst_error *err);

/**
 * lkst_trace_open_kernel() - read the current contents of the kernel's buffers and its history
 * @dev: device
 * @cpu: only this CPU; -1: all CPUs and the static buffer
 * @hooks: as for lkst_trace_open()
 * @err: set on failure
 *
 * The records are copied to an unnamed temporary file in $TMPDIR or /tmp or, if none can be created
 * there, in memory. Meanwhile the kernel keeps recording, and its buffers keep their records. If the
 * kernel keeps a compressed history, the records of each CPU begin with the history, unless
 * LKST_TRACE_NO_HISTORY is set.
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
 * lkst_trace_etypes() - get the event types of a trace
 * @trace: trace; if it has several files, the event types are taken from the first file
 * @err: set if an allocation fails
 *
 * Return: the event types in the file or, if none can be read from it, the embedded ones. The
 * caller frees them.
 */
struct lkst_etypes *lkst_trace_etypes(struct lkst_trace *trace, struct lkst_error *err);

/**
 * lkst_trace_source_etypes() - get the event types of a file of a trace
 * @trace: trace
 * @source: index of the file, less than lkst_trace_sources()
 * @err: set if an allocation fails
 *
 * Return: as for lkst_trace_etypes().
 */
struct lkst_etypes *lkst_trace_source_etypes(struct lkst_trace *trace, uint32_t source,
					     struct lkst_error *err);

/**
 * lkst_trace_sources() - get the number of files of a trace
 * @trace: trace
 */
size_t lkst_trace_sources(const struct lkst_trace *trace);

/**
 * lkst_trace_source_context() - get names and symbols of the kernel that recorded a file
 * @trace: trace; owns the result
 * @source: member @source of an event; 0 in a trace of one file
 */
const struct lkst_context *lkst_trace_source_context(const struct lkst_trace *trace,
						     uint32_t source);

/**
 * lkst_trace_records() - get the number of records of a trace
 * @trace: trace
 */
uint64_t lkst_trace_records(const struct lkst_trace *trace);

/**
 * lkst_trace_incomplete() - check whether anything was reported as damaged, unknown or missing
 * @trace: trace
 */
bool lkst_trace_incomplete(const struct lkst_trace *trace);

/**
 * lkst_trace_growing() - check whether a file was still being written when the trace was opened
 * @trace: trace
 */
bool lkst_trace_growing(const struct lkst_trace *trace);

/**
 * lkst_trace_rewind() - return to the first record
 * @trace: trace
 * @order: order in which lkst_trace_next() returns the records
 * @err: set on failure
 */
int lkst_trace_rewind(struct lkst_trace *trace, enum lkst_order order, struct lkst_error *err);

/**
 * lkst_trace_next() - read the next record
 * @trace: after lkst_trace_rewind()
 * @event: result
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 after the last record; -1 on error.
 */
int lkst_trace_next(struct lkst_trace *trace, struct lkst_event *event, struct lkst_error *err);

/**
 * lkst_trace_keep_parts() - choose whether the parts of chains are returned
 * @trace: trace; call lkst_trace_rewind() afterwards
 * @keep: true: also return the parts, each as a separate event, after the head with its payload.
 *	false, the default: leave them out
 */
void lkst_trace_keep_parts(struct lkst_trace *trace, bool keep);

/**
 * lkst_trace_parts_skipped() - count the parts of chains that have no head
 * @trace: trace
 *
 * The heads of these parts are missing, or the parts do not fit their heads. For example, the head
 * was overwritten, or is in a damaged part of the file. The parts are skipped, unless
 * lkst_trace_keep_parts() was called.
 *
 * Return: number since the last lkst_trace_rewind(). It is complete when lkst_trace_next() has
 * returned 0.
 */
uint64_t lkst_trace_parts_skipped(const struct lkst_trace *trace);

/* ---- followers, which return new events of the running kernel ---- */

#define LKST_FOLLOW_INTERVAL_MS	100

/**
 * struct lkst_follow_options - what to follow
 * @cpu: only this CPU; -1: all
 * @history: true to start with the oldest event in the buffers; false to return only new events
 * @keep_parts: as for lkst_trace_keep_parts()
 * @interval_ms: time between two polls of the buffers, in milliseconds; 0: LKST_FOLLOW_INTERVAL_MS
 * @reserved: 0
 */
struct lkst_follow_options {
	int32_t cpu;
	bool history;
	bool keep_parts;
	unsigned int interval_ms;
	uint32_t reserved[5];
};

struct lkst_follow;

/**
 * lkst_follow_open() - follow the events of the running kernel
 * @dev: device, which must stay open
 * @opt: what to follow
 * @err: set on failure
 *
 * Reading does not remove records from the buffers, so other readers miss nothing.
 */
struct lkst_follow *lkst_follow_open(struct lkst_device *dev, const struct lkst_follow_options *opt,
				     struct lkst_error *err);

/**
 * lkst_follow_next() - wait for an event
 * @follow: follower
 * @event: result; events are returned oldest first, across all CPUs. A chain whose parts do not
 *	come within the next three polls of the buffers is returned without them
 * @timeout_ms: maximum time to wait, in milliseconds; 0: do not wait
 * @err: set on failure
 *
 * Return: 1 if @event was set; 0 if no event arrived in time, or after a signal was handled; -1 on
 * error.
 */
int lkst_follow_next(struct lkst_follow *follow, struct lkst_event *event, int timeout_ms,
		     struct lkst_error *err);

/**
 * lkst_follow_lost() - count the events that have been missed so far
 * @follow: follower
 *
 * These events were overwritten before they could be read, or the kernel could not store them.
 */
uint64_t lkst_follow_lost(const struct lkst_follow *follow);

/**
 * lkst_follow_parts_skipped() - count the parts of chains so far that have no head
 * @follow: follower
 *
 * The heads of these parts were missed, or the parts do not fit their heads. The parts are skipped.
 */
uint64_t lkst_follow_parts_skipped(const struct lkst_follow *follow);

/**
 * lkst_follow_context() - get names and symbols of the running kernel
 * @follow: follower; owns the result
 */
const struct lkst_context *lkst_follow_context(const struct lkst_follow *follow);

/**
 * lkst_follow_etypes() - get the event types of the running kernel
 * @follow: follower; owns the result
 */
const struct lkst_etypes *lkst_follow_etypes(const struct lkst_follow *follow);

/**
 * lkst_follow_close() - stop following
 * @follow: may be NULL
 */
void lkst_follow_close(struct lkst_follow *follow);

/* ---- filters, which select events as option -e of lkstbuf does ---- */

struct lkst_filter;

/**
 * lkst_filter_new() - make a filter that selects all events
 * @err: set if an allocation fails
 */
struct lkst_filter *lkst_filter_new(struct lkst_error *err);

/**
 * lkst_filter_add() - add words, which take precedence over earlier ones
 * @filter: filter
 * @types: event types in which names are looked up
 * @words: words separated by commas: names, numbers and ranges of event types, patterns,
 *	tracepoints, "class:" and a class, "all", names of system calls; a word that begins with "!"
 *	excludes the events that match it
 * @err: set if a word is invalid or unknown
 *
 * If an event matches several words, the last of them decides whether the event is selected. If the
 * words select no events at all, for example because all of them begin with "!", the filter selects
 * all events that match no word: "!a" and "a,!a" both mean everything but a.
 */
int lkst_filter_add(struct lkst_filter *filter, const struct lkst_etypes *types, const char *words,
		    struct lkst_error *err);

/**
 * lkst_filter_matches() - check whether an event is selected
 * @filter: filter
 * @event: event
 */
bool lkst_filter_matches(const struct lkst_filter *filter, const struct lkst_event *event);

/**
 * lkst_filter_free() - free a filter
 * @filter: may be NULL
 */
void lkst_filter_free(struct lkst_filter *filter);

/* ---- printing events in the formats of lkstbuf print ---- */

/**
 * enum lkst_print - how events are printed
 * @LKST_PRINT_VERBOSE: print all arguments
 * @LKST_PRINT_COLOR: use colours for a terminal
 * @LKST_PRINT_CSV: print a line of CSV
 * @LKST_PRINT_EPOCH: in CSV, print seconds and microseconds since the epoch, not date and time
 */
enum lkst_print {
	LKST_PRINT_VERBOSE	= 1 << 0,
	LKST_PRINT_COLOR	= 1 << 1,
	LKST_PRINT_CSV		= 1 << 2,
	LKST_PRINT_EPOCH	= 1 << 3,
};

struct lkst_printer;

/**
 * lkst_printer_new() - make a printer
 * @flags: flags of enum lkst_print
 * @err: set if an allocation fails
 */
struct lkst_printer *lkst_printer_new(unsigned int flags, struct lkst_error *err);

/**
 * lkst_printer_line() - format an event
 * @printer: printer
 * @types: event types of the kernel that recorded the event
 * @context: names and symbols of that kernel
 * @event: event
 *
 * Return: a line that ends with a newline, valid until the next call. Except in CSV, an extra line
 * with the local date precedes the line of the first event, and of each event whose date differs
 * from the date of the previous event.
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
