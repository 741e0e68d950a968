/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the test "ioctl_errors" share: a call, a row of its table, how one is run.
 */
#ifndef IOCTL_ERRORS_H
#define IOCTL_ERRORS_H

#include <stddef.h>

#include "buffers.h"

#define UNREGISTERED 0x1ff /* an event type for users that nobody has registered */
#define NO_CPU	     99999

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* What a call gets: the address of a structure, a number, or what read() gets. */
union arg {
	struct lkst_trc_status status;
	struct lkst_entry_args entry;
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
	struct {
		void *to;
		size_t size;
	} read;
	unsigned long number;
};

/**
 * struct call - one of the calls
 * @name: how the specification calls it
 * @request: ioctl request; 0: read()
 * @nomem: its table has ENOMEM for memory that runs out
 * @enter: sets up a state in which it succeeds
 * @good: arguments with which it then does
 * @leave: puts everything back, after a success as well as after an error
 * @pad: offset in the structure of the u32 that must be 0; 0: there is none
 */
struct call {
	const char *name;
	unsigned int request;
	bool nomem;
	void (*enter)(void);
	void (*good)(union arg *arg);
	void (*leave)(void);
	size_t pad;
};

/**
 * struct row - one row of a table
 * @what: the row
 * @error: errno that it gives
 * @arg: with these arguments
 * @enter: in this state, or that of the call
 * @leave: puts everything back
 */
struct row {
	const char *what;
	int error;
	union arg arg;
	void (*enter)(void);
	void (*leave)(void);
};

/* How a call is made. */
struct how {
	bool unprivileged;
	bool elsewhere; /* the structure is not in arg, but at: */
	void *address;
};

/* Addresses */

/* A page that cannot be touched, one that can only be read, one that ends before one that is not there. */
extern char *no_page, *ro_page, *last_page;
extern size_t page_size;

static inline uint64_t user(const void *address)
{
	return (uintptr_t)address;
}

/* An area whose last @size bytes are the last that there are. */
static inline void *before_end(size_t size)
{
	return last_page + page_size - size;
}

/* The state */

int cpus(void);
char *state(void);

/* Whether both are the same; if not, the first lines that differ. */
bool same(char *a, char *b);

/* A row */

extern const struct how as_usual;

int call_errno(const struct call *call, union arg *arg, const struct how *how);
const char *error_name(int error);

/*
 * Do what a row says: set up its state, call, look at the error and at the state, put everything
 * back.
 */
void run(const struct call *call, const struct row *row, const struct how *how);

void run_rows(const struct call *call, const struct row *rows, unsigned int num);
void skip(const struct call *call, int error, const char *what, const char *why);

/* States */

/* The descriptor that the calls are made with, if not lkst_fd. */
extern int call_fd;

void open_call_fd(void);
void close_call_fd(void);
void bind_call_fd(void);
void blocks_call_fd(void);
void bound_by_other_process(void);
void end_other_process(void);

void stop(void);
void start(void);

/* Every CPU records into buffer 0 and has no other. */
void one_buffer(void);

void second_buffer(void);
void ring(void);
void next_is_not_there(void);
void second_is_written(void);

/* Of CPU 0: buffer 0 is being read, buffer 1 is written, each is the other's next. */
void first_is_being_read(void);

void second_is_being_read(void);
void no_reader_one_buffer(void);

/* Ids 1 to 254 are taken: of CPU 0, or each of one of the two CPUs. */
void all_ids_of_cpu_0(void);
void all_ids_of_some_cpu(void);

/* As much memory as LKST may have, but for less than a page. */
void all_memory(void);

#define OWN_MASKSET 100

void own_maskset(void);
void own_maskset_is_selected(void);
void all_masksets(void);

/* The default maskset is selected, and those of ours are gone. */
void own_masksets_gone(void);

/* The calls */

enum {
	TRC_STATUS,
	TRC_START,
	TRC_STOP,
	TRC_STATEDUMP,
	VERSION,
	MASKSET_READ,
	MASKSET_WRITE,
	MASKSET_OVERWRITE,
	MASKSET_SET,
	MASKSET_LIST,
	MASKSET_DELETE,
	EVHANDLER_LIST,
	EVHANDLER_CTRL,
	BUFFER_READ,
	BUFFER_READ_STATIC,
	BUFFER_CREATE,
	BUFFER_CREATE_ALL,
	BUFFER_SHIFT,
	BUFFER_JUMP,
	BUFFER_LINK,
	BUFFER_DELETE,
	BUFFER_LIST,
	BUFFER_SETRMOD,
	BLOCK_SEEK,
	BLOCK_WAIT,
	BLOCK_FLUSH,
	ENTRY_LOG,
	READ,
	CALLS
};

extern const struct call calls[CALLS];

/* What they get the addresses of. */
/* The longest maskset there can be. */
extern union maskset_room {
	struct lkst_maskset_body body;
	char room[LKST_MASKSET_SIZE_MAX];
} maskset_room;
extern struct lkst_maskset_listent masksets[256];
extern struct lkst_evhandler_listent handlers[LKST_EVHANDLER_ID_MAX + 1];
extern struct lkst_log_record records[256];
extern unsigned char area[2 * LKST_EVHANDLER_CTRL_SIZE_MAX];

/* The event handler that the module functions brings: its control function inverts the area. */
extern int ctrl_handler;

/* Entries of every maskset. */
unsigned int maskset_len(void);

/* A body like this, and the structure that goes with it. */
struct lkst_maskset_param write_param(int id, const char *name, unsigned int len,
				      const struct lkst_maskset_entry *entries);

extern const struct lkst_maskset_entry one_entry[];

/* Rows that every call has */

void common_rows(const struct call *call);

void nomem_row(const struct call *call);

/* The tables */

void status_rows(const struct call *call);
void maskset_read_rows(const struct call *call);
void maskset_write_rows(const struct call *call);
void maskset_over_rows(const struct call *call);
void maskset_set_rows(const struct call *call);
void maskset_list_rows(const struct call *call);
void maskset_delete_rows(const struct call *call);
void evhandler_list_rows(const struct call *call);
void ctrl_rows(const struct call *call);

/* What the control function makes of its area, and returns, reaches the process. */
void ctrl_copies(const struct call *call);

void buffer_read_rows(const struct call *call);
void create_rows(const struct call *call);
void create_all_rows(const struct call *call);
void shift_rows(const struct call *call);
void jump_rows(const struct call *call);
void link_rows(const struct call *call);
void delete_rows(const struct call *call);
void buffer_list_rows(const struct call *call);
void setrmod_rows(const struct call *call);
void seek_rows(const struct call *call);
void not_in_blocks_rows(const struct call *call);
void entry_log_rows(const struct call *call);
void read_rows(const struct call *call);

#endif
