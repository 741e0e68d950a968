/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the test "ioctl_errors": the descriptions of a call and of a row of
 * its table of return values, and the functions that run a row.
 */
#ifndef IOCTL_ERRORS_H
#define IOCTL_ERRORS_H

#include <stddef.h>

#include <linux/lkst_history.h>

#include "buffers.h"

/* The macros for rows set default values, some of which a row may override. */
#pragma GCC diagnostic ignored "-Woverride-init"
#pragma GCC diagnostic ignored "-Woverride-init-side-effects"

#define NO_CPU 99999

/* The argument of a call: a structure passed by address, a number, or the arguments of read(). */
union arg {
	struct lkst_trc_status status;
	struct lkst_entry_args entry;
	struct lkst_entry_text text;
	struct lkst_maskset_param maskset;
	struct lkst_maskset_listparam maskset_list;
	struct lkst_evhandler_listparam evhandler_list;
	struct lkst_evhandler_ctrl_param ctrl;
	struct lkst_log_buffer log_buffer;
	struct lkst_buffer_param buffer;
	struct lkst_buffer_jumpparam jump;
	struct lkst_buffer_linkparam link;
	struct lkst_buffer_delparam delete;
	struct lkst_buffer_listparam buffer_list;
	struct lkst_buffer_srmodparam mode;
	struct lkst_block_seekparam seek;
	struct lkst_block_waitparam wait;
	struct lkst_long_status ring;
	struct lkst_history_read history_read;
	struct lkst_history_status history;
	struct {
		void *to;
		size_t size;
	} read;
	unsigned long number;
};

/**
 * struct call - an ioctl of the device, or read()
 * @name: name of the call in the specification
 * @request: ioctl request, or 0 for read()
 * @good: argument with which the call succeeds
 * @enter: function that sets up a state in which the call succeeds, or NULL if none is needed
 * @leave: function that restores the state, after a success and after an error, or NULL
 * @nomem: whether the table of the call has ENOMEM for failed allocations
 * @pad: offset in bytes of the reserved u32 of the structure, or 0 if the structure has none
 */
struct call {
	const char *name;
	unsigned int request;
	union arg good;
	void (*enter)(void);
	void (*leave)(void);
	bool nomem;
	size_t pad;
};

enum call_id {
	TRC_STATUS, TRC_START, TRC_STOP, TRC_STATEDUMP, VERSION, MASKSET_READ, MASKSET_WRITE,
	MASKSET_OVERWRITE, MASKSET_SET, MASKSET_LIST, MASKSET_DELETE, EVHANDLER_LIST,
	EVHANDLER_CTRL, BUFFER_READ, BUFFER_READ_STATIC, BUFFER_CREATE, BUFFER_CREATE_ALL,
	BUFFER_SHIFT, BUFFER_JUMP, BUFFER_LINK, BUFFER_DELETE, BUFFER_LIST, BUFFER_SETRMOD,
	BLOCK_SEEK, BLOCK_WAIT, BLOCK_FLUSH, LONG_STATUS, HISTORY_READ,
	HISTORY_STATUS, ENTRY_LOG, ENTRY_TEXT, READ, CALLS,
};

/**
 * struct row - a row of a table of return values
 * @desc: description of the row, for messages
 * @error: expected error number, or 0 for success
 * @arg: argument of the call
 * @enter: function that sets up the state, or NULL to use @enter of the call
 * @leave: function that restores the state, or NULL to use @leave of the call
 * @skip: why the row cannot be tested, or NULL if it can
 * @unprivileged: whether to make the call without CAP_SYS_ADMIN
 * @elsewhere: whether to pass @address instead of the address of @arg
 * @address: address to pass if @elsewhere is set, not used otherwise
 */
struct row {
	const char *desc;
	int error;
	union arg arg;
	void (*enter)(void);
	void (*leave)(void);
	const char *skip;
	bool unprivileged;
	bool elsewhere;
	void *address;
};

/* ioctl_errors.c: memory that is passed to calls, and the event handler for EVHANDLER_CTRL */

/* An inaccessible page, a read-only page, and a writable page followed by an inaccessible one. */
extern char *no_page, *ro_page, *last_page;
extern size_t page_size;

static inline uint64_t user(const void *address)
{
	return (uintptr_t)address;
}

/* Return the address that is @size bytes before an inaccessible page. */
static inline void *before_end(size_t size)
{
	return last_page + page_size - size;
}

/* Memory for a maskset of the largest possible size. */
extern union maskset_room {
	struct lkst_maskset_body body;
	char room[LKST_MASKSET_SIZE_MAX];
} maskset_room;
extern struct lkst_maskset_listent masksets[256];
extern struct lkst_evhandler_listent handlers[LKST_EVHANDLER_ID_MAX + 1];
extern unsigned char area[2 * LKST_EVHANDLER_CTRL_SIZE_MAX];

/*
 * Id of the event handler of the module "functions". Its control function inverts all bytes of the
 * memory that is passed to it.
 */
extern int ctrl_handler;

/* ioctl_errors_tables.c */

/* File descriptor that the calls use, or -1 for lkst_fd. */
extern int call_fd;

extern struct call calls[CALLS];

void make_calls(void);

/* Run the rows that only the call @id has. */
void own_rows(const struct call *call, enum call_id id);

/* ioctl_errors_run.c */
int cpus(void);
int call_errno(const struct call *call, union arg *arg, void *address);

/* Run a row: set up its state, make the call, check the error and the state, restore the state. */
void run(const struct call *call, const struct row *row);

/* Run the rows that every call has: success, missing permission, bad addresses. */
void common_rows(const struct call *call);

/*
 * Run the row "kernel cannot allocate memory": repeat the call, and make its first allocation fail,
 * then its second, and so on until the call has no more allocations. A call may succeed although
 * an allocation fails.
 */
void nomem_row(const struct call *call);

#endif
