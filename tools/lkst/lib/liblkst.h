/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * liblkst: what the LKST commands are made of. lkst.h is the part that is there for
 * all programs; here is what only the commands use, and what is in structures.
 */
#ifndef _LIBLKST_H
#define _LIBLKST_H

#include <linux/lkst_previous.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "lkst.h"

#include <linux/lkst_previous.h>

#define LKST_TOOLS_VERSION	"0.1.0"
#define LKST_DEVICE_PATH	"/dev/lkst"
#define LKST_ETYPES_PATH	"/proc/lkst_etypes"
#define LKST_VALUES_PATH	"/proc/lkst_values"
#define LKST_SYMBOLS_PATH	"/proc/kallsyms"

/* ---- numbers and names that users write: parse.c ---- */

int lkst_parse_u64(const char *what, const char *text, uint64_t *value,
		   struct lkst_error *err);
int lkst_parse_range(const char *what, const char *text, long min, long max,
		     long *value, struct lkst_error *err);
int lkst_parse_size(const char *what, const char *text, uint64_t min, uint64_t max,
		    uint64_t *bytes, struct lkst_error *err);
int lkst_size_text(uint64_t bytes, char *text, size_t len);

#define LKST_NEAR_MAX	4

size_t lkst_near(const char *word, const char *(*name)(void *ctx, size_t i), void *ctx,
		 size_t names, const char *near[LKST_NEAR_MAX]);
void lkst_near_text(const char *const *near, size_t n, char *text, size_t size);

/* ---- text that comes from anywhere, as it can be printed: text.c ---- */

char *lkst_printable(const char *text, size_t len, char *to, size_t size);

/* That of a name in an array, in memory of the block that it is in. */
#define LKST_PRINTABLE(name)						\
	lkst_printable(name, strnlen(name, sizeof(name)),		\
		       (char[4 * sizeof(name) + 1]){ 0 }, 4 * sizeof(name) + 1)

/* ---- event types: etypes.c ---- */

/* Constant and name of each format: what they mean is in <linux/lkst_etypes.h>. */
#define LKST_FIELD_FORMATS(X)						\
	X(HEX, hex)							\
	X(DEC, dec)							\
	X(UDEC, udec)							\
	X(PTR, ptr)							\
	X(SYM, sym)							\
	X(TEXT, text)							\
	X(TID, tid)							\
	X(STATE, state)							\
	X(SIG, sig)							\
	X(ERR, err)							\
	X(SYS, sys)							\
	X(ABI, abi)							\
	X(CLONE, clone)							\
	X(WSTATUS, wstatus)						\
	X(IRQ, irq)							\
	X(VEC, vec)							\
	X(TRAP, trap)							\
	X(SOFTIRQ, softirq)						\
	X(PFCODE, pfcode)						\
	X(FAULT, fault)							\
	X(GFP, gfp)							\
	X(MIGRATE, migrate)						\
	X(DEV, dev)							\
	X(BLKOP, blkop)							\
	X(ETYPE, etype)							\
	X(DROP, drop)							\
	X(TCP, tcp)							\
	X(AF, af)							\
	X(IPPROTO, ipproto)						\
	X(IPCFLG, ipcflg)						\
	X(MSGFLG, msgflg)						\
	X(SHMFLG, shmflg)						\
	X(LCB, lcb)							\
	X(LEVEL, level)							\
	X(DETECTOR, detector)						\
	X(LOCKUP, lockup)						\
	X(REG, reg)							\
	X(DUMP, dump)							\
	X(CPU, cpu)							\
	X(CLOCK, clock)							\
	X(SEC, sec)							\
	X(NSEC, nsec)							\
	X(MSET, mset)							\
	X(EVH, evh)							\
	X(BUF, buf)							\
	X(CODE, code)

enum lkst_field_format {
#define LKST_FIELD_FORMAT(id, name) LKST_FMT_##id,
	LKST_FIELD_FORMATS(LKST_FIELD_FORMAT)
#undef LKST_FIELD_FORMAT
	LKST_FMT_NUM
};

enum lkst_field_part {
	LKST_PART_WHOLE,	/* 64 bits */
	LKST_PART_HIGH,		/* the upper 32 */
	LKST_PART_LOW,
};

enum lkst_field_shown {
	LKST_SHOWN_ALWAYS,
	LKST_SHOWN_UNLESS_VOID,	/* where it says nothing in most events */
	LKST_SHOWN_VERBOSE,	/* not described */
};

/**
 * struct lkst_field - one value that an event carries
 * @label: what it is called; "" when the argument is not described
 * @head: what stands before the value in a line of text, as put_spared() takes it
 * @head_len: bytes of it
 * @format: how it is printed
 * @part: of the argument
 * @shown: in which events
 * @arg: first argument, 0 to 3
 * @args: arguments that a text goes on over, else 1
 * @label_len: bytes of @label
 */
struct lkst_field {
	const char *label;
	const char *head;
	uint16_t head_len;
	enum lkst_field_format format;
	enum lkst_field_part part;
	enum lkst_field_shown shown;
	uint8_t arg;
	uint8_t args;
	uint16_t label_len;
};

/* The value of a field that is no text. */
static inline uint64_t lkst_field_value(const struct lkst_field *field,
					const struct lkst_event *event)
{
	uint64_t value = event->arg[field->arg];

	return field->part == LKST_PART_HIGH ? value >> 32 :
	       field->part == LKST_PART_LOW  ? (uint32_t)value :
					       value;
}

#define LKST_FIELDS_MAX	8

struct lkst_etype {
	uint16_t number;
	bool present;
	uint8_t fields;
	char *mnemonic;
	char *hook;
	char *source;
	char *tracepoints;	/* names of those in @source, one after the other; "" follows the last */
	char *name;
	char *arg[4];
	char *csv[4];		/* names of the arguments in CSV output */
	struct lkst_field field[LKST_FIELDS_MAX];
	char *labels;		/* what field[].label points into */
	char *heads;		/* likewise field[].head; the first is the name, as wide as its column */
	uint16_t name_width;	/* bytes of it */
	bool has_name;		/* a text of that label */
};

#define LKST_NAME_WIDTH	21	/* of the column, at least */

struct lkst_etypes {
	struct lkst_etype *type[LKST_ETYPE_NUM];
};

struct lkst_etypes *lkst_etypes_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err);
char *lkst_etypes_text(const struct lkst_etypes *types, size_t *len,
		       struct lkst_error *err);
int lkst_field_format_find(const char *name);

static inline const struct lkst_etype *lkst_etype(const struct lkst_etypes *types,
						  uint32_t number)
{
	return number < LKST_ETYPE_NUM ? types->type[number] : NULL;
}

/* Programs may record these numbers without anybody who describes them. */
#define LKST_USER_PREFIX "user_"

static inline bool lkst_etype_is_user(uint32_t number)
{
	return number >= LKST_ETYPE_USER_MIN && number <= LKST_ETYPE_USER_MAX;
}

/* Classes of events are ranges of numbers: classes.c */
struct lkst_class {
	uint16_t first;
	uint16_t last;
	const char *name;	/* one word */
	const char *title;
};

extern const struct lkst_class lkst_classes[];
extern const size_t lkst_classes_num;

const struct lkst_class *lkst_class_of(uint32_t event_type);

/* ---- words for event types: words.c ---- */

#define LKST_WORD_ALL	"all"

struct lkst_etype_set {
	uint64_t bits[LKST_ETYPE_NUM / 64];
};

static inline void lkst_etype_set_add(struct lkst_etype_set *set, unsigned int number)
{
	set->bits[number / 64] |= 1ull << number % 64;
}

static inline void lkst_etype_set_remove(struct lkst_etype_set *set, unsigned int number)
{
	set->bits[number / 64] &= ~(1ull << number % 64);
}

static inline bool lkst_etype_set_has(const struct lkst_etype_set *set, unsigned int number)
{
	return set->bits[number / 64] >> number % 64 & 1;
}

char *lkst_next_word(char **list);
int lkst_etypes_select(const struct lkst_etypes *types, const char *word,
		       struct lkst_etype_set *set, struct lkst_error *err);

/* ---- the event filter, option -e: filter.c ---- */

struct lkst_numbers {
	uint16_t first;
	uint16_t num;	/* 0: none */
};

/* Of the names of system calls: constants.c. */
#define CONSTANT_CALL_TABLES	4
#define CONSTANT_CALLS_MAX	1024

struct lkst_filter {
	bool words;			/* any word was given */
	int8_t named[LKST_ETYPE_NUM];	/* 1 wanted, -1 unwanted, 0 not named */
	int8_t named_others;		/* numbers that are no event types, in damaged records */
	bool calls;			/* any system call was named; each, since its event type was: */
	int8_t entry[CONSTANT_CALL_TABLES][CONSTANT_CALLS_MAX];
	int8_t exit[CONSTANT_CALL_TABLES][CONSTANT_CALLS_MAX];
	bool show[LKST_ETYPE_NUM];
	bool show_others;
	/* Of the word that named it last, if nothing that it means is among the event types. */
	struct lkst_numbers unknown[LKST_ETYPE_NUM];
};

void lkst_filter_init(struct lkst_filter *filter);

/* Whether events of a type are wanted, but for system calls that were named. */
static inline bool lkst_filter_shows(const struct lkst_filter *filter, uint32_t type)
{
	return type < LKST_ETYPE_NUM ? filter->show[type] : filter->show_others;
}

bool lkst_filter_shows_call(const struct lkst_filter *filter, const struct lkst_event *event);

static inline bool lkst_filter_shows_event(const struct lkst_filter *filter,
					   const struct lkst_event *event)
{
	return filter->calls ? lkst_filter_shows_call(filter, event) :
			       lkst_filter_shows(filter, event->type);
}

/* ---- the device: device.c, device_buffers.c ---- */

/**
 * struct lkst_device_ops - where the calls of a device go
 * @ioctl: returns 0 or a negative errno
 * @read: returns bytes or a negative errno; does not wait. NULL where nothing is read
 * @again: the same device, opened again; NULL where nothing is read
 * @close: may be NULL
 */
struct lkst_device_ops {
	int (*ioctl)(void *ctx, unsigned long request, void *arg);
	ssize_t (*read)(void *ctx, void *to, size_t size);
	struct lkst_device *(*again)(void *ctx, struct lkst_error *err);
	void (*close)(void *ctx);
};

/* Sizes of buffers, in bytes; a 32-bit kernel has them up to 16 MB. */
#define LKST_BUFFER_SIZE_LEAST	(4ull << 10)
#define LKST_BUFFER_SIZE_MOST	(1ull << 30)

int lkst_cpu_check(int32_t cpu, uint32_t cpus, struct lkst_error *err);
int lkst_buffer_list_by_age(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			    struct lkst_error *err);
struct lkst_device *lkst_device_new(const struct lkst_device_ops *ops, void *ctx,
				    struct lkst_error *err);

/* ---- what previous boots have left: device_previous.c ---- */

#define LKST_BOOT_TEXT	37	/* bytes of a boot's id as text */

void lkst_boot_text(const uint8_t id[LKST_IMAGE_BOOT_LEN], char text[LKST_BOOT_TEXT]);
bool lkst_boot_begins(const char *text, const char *id);

/**
 * struct lkst_previous - memory set aside, and the boots that are there
 * @num: entries of @boot
 * @boot: previous boots, oldest first
 * @part_num: parts of the memory; 0: none is set aside, or it cannot be used
 * @part_size: bytes of a part
 * @own: the part that the running kernel records in, or -1
 */
struct lkst_previous {
	size_t num;
	struct lkst_previous_listent boot[LKST_IMAGE_PARTS_MAX];
	uint32_t part_num;
	uint64_t part_size;
	int32_t own;
};

int lkst_previous_get(struct lkst_device *dev, struct lkst_previous *previous,
		      struct lkst_error *err);
size_t lkst_previous_unread(const struct lkst_previous *previous);
const struct lkst_previous_listent *lkst_previous_find(const struct lkst_previous *previous,
						       const char *id, struct lkst_error *err);
ssize_t lkst_previous_read(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
			   void *buf, size_t len, uint64_t offset, struct lkst_error *err);
int lkst_previous_done(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
		       struct lkst_error *err);

/* ---- texts in events that programs record: entry.c ---- */

const struct lkst_field *lkst_etype_text(const struct lkst_etype *type, unsigned int nth);
size_t lkst_entry_put_text(struct lkst_entry_args *args, const struct lkst_field *field,
			   const char *text);

/* ---- masksets: maskset_rules.c, maskset_text.c ---- */

/**
 * struct lkst_maskset_style - how a maskset is printed
 * @unregistered: with event types that are not registered; ignored with @plain
 * @plain: without descriptions of event types
 */
struct lkst_maskset_style {
	bool unregistered;
	bool plain;
};

/**
 * struct lkst_maskset_change - what words mean for a maskset
 * @set: event types that get the event handler
 * @left_out: those that were meant, too, but are absent in this kernel
 */
struct lkst_maskset_change {
	struct lkst_etype_set set;
	struct lkst_etype_set left_out;
};

int lkst_maskset_check_entry(const struct lkst_etypes *types, int number,
			     lkst_evhandler_id handler, struct lkst_error *err);
int lkst_maskset_check_locks(const struct lkst_etypes *types,
			     const struct lkst_maskset_body *body, int *culprit,
			     struct lkst_error *err);
int lkst_maskset_select(const struct lkst_etypes *types, const char *word,
			lkst_evhandler_id handler, struct lkst_maskset_change *change,
			struct lkst_error *err);
bool lkst_maskset_shows(const struct lkst_etypes *types, const struct lkst_maskset_entry *entry,
			const struct lkst_maskset_style *style);
void lkst_maskset_complete(struct lkst_maskset_body *body);
void lkst_maskset_print(FILE *to, lkst_maskset_id id, const struct lkst_maskset_body *body,
			const struct lkst_etypes *types,
			const struct lkst_maskset_style *style);
int lkst_maskset_parse(FILE *from, const char *origin, const struct lkst_etypes *types,
		       const struct lkst_evhandler_list *handlers,
		       struct lkst_maskset_body *body, struct lkst_etype_set *left_out,
		       struct lkst_error *err);

/* ---- sets of CPUs: cpuset.c ---- */

void lkst_cpu_set_text(const uint64_t *set, size_t bits, char *text, size_t size);

/* ---- process names: names.c ---- */

struct lkst_names;

struct lkst_names *lkst_names_new(void);
void lkst_names_free(struct lkst_names *names);
int lkst_names_observe(struct lkst_names *names, const struct lkst_event *event);
int lkst_names_at_end(struct lkst_names *names, uint32_t tid, const char *name);
int lkst_names_belongs(struct lkst_names *names, uint32_t tid, uint32_t tgid);
uint32_t lkst_names_process(const struct lkst_names *names, uint32_t tid);
void lkst_names_now(struct lkst_names *names);
void lkst_names_finalize(struct lkst_names *names);
const char *lkst_names_next(const struct lkst_names *names, size_t *at);
const char *lkst_names_get(struct lkst_names *names, uint32_t tid, int64_t time_ns);
const char *lkst_names_text(struct lkst_names *names, uint32_t tid, int64_t time_ns, size_t *len);

/* ---- what values are called on a kernel: values.c, values_system.c ---- */

#define LKST_VALUES_HEAD	"# lkst_values 1"
#define LKST_DEV_MINOR_BITS	20	/* of a dev_t in the kernel */

struct lkst_values;

/**
 * struct lkst_value - what a value is called
 * @value: value
 * @name: of 1 to 63 bytes, as put_spared() takes it
 * @len: bytes of it
 * @plain: it needs no quotes
 */
struct lkst_value {
	uint64_t value;
	const char *name;
	uint8_t len;
	bool plain;
};

struct lkst_values *lkst_values_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err);
bool lkst_values_are_flags(const struct lkst_values *values, enum lkst_field_format format);
const struct lkst_value *lkst_values_find(const struct lkst_values *values,
					  enum lkst_field_format format, uint64_t value);

/* What a value of an enumeration is called, NULL when it has no name. */
static inline const char *lkst_values_name(const struct lkst_values *values,
					   enum lkst_field_format format, uint64_t value)
{
	const struct lkst_value *found = lkst_values_find(values, format, value);

	return found ? found->name : NULL;
}

const char *lkst_values_take(const struct lkst_values *values, enum lkst_field_format format,
			     uint64_t *value);
char *lkst_values_system(const char *root, size_t *len, struct lkst_error *err);
void lkst_values_free(struct lkst_values *values);

/* ---- symbols of kernel code: symbols.c ---- */

struct lkst_symbols;

/**
 * struct lkst_symbol - what an address is called
 * @name: of the function
 * @module: that it is in, "" for none
 * @offset: of the address in the function
 */
struct lkst_symbol {
	const char *name;
	const char *module;
	uint64_t offset;
};

struct lkst_symbols *lkst_symbols_new(void);
int lkst_symbols_add(struct lkst_symbols *symbols, const char *text, size_t len,
		     const char *origin, struct lkst_error *err);
void lkst_symbols_finalize(struct lkst_symbols *symbols);
struct lkst_symbols *lkst_symbols_parse(const char *text, size_t len, const char *origin,
					struct lkst_error *err);
struct lkst_symbols *lkst_symbols_of_list(const char *path, struct lkst_error *err);
bool lkst_symbols_find(struct lkst_symbols *symbols, uint64_t address, struct lkst_symbol *symbol);
void lkst_symbols_free(struct lkst_symbols *symbols);

/* ---- the running kernel's symbols: kallsyms.c ---- */

struct lkst_kallsyms;

struct lkst_kallsyms *lkst_kallsyms_load(const char *path, struct lkst_error *err);
struct lkst_kallsyms *lkst_kallsyms_again(const struct lkst_kallsyms *before, const char *path,
					  struct lkst_error *err);
void lkst_kallsyms_free(struct lkst_kallsyms *kallsyms);

/* ---- which symbols a trace needs: addresses.c ---- */

struct lkst_addresses;

struct lkst_addresses *lkst_addresses_new(const struct lkst_etypes *types,
					  struct lkst_error *err);
int lkst_addresses_add(struct lkst_addresses *addresses, const struct lkst_log_record *record,
		       size_t num, struct lkst_error *err);
char *lkst_addresses_resolve(const struct lkst_addresses *addresses, const char *path,
			     size_t *len, struct lkst_error *err);
void lkst_addresses_free(struct lkst_addresses *addresses);

/**
 * struct lkst_context - what is known of the kernel that recorded
 * @names: of processes
 * @values: what values are called; NULL when nobody told
 * @symbols: of its code; likewise
 */
struct lkst_context {
	struct lkst_names *names;
	struct lkst_values *values;
	struct lkst_symbols *symbols;
};

/* ---- the trace file: trace_write.c, trace_open.c, trace_merge.c ---- */

bool lkst_trace_is_one(int fd);

struct lkst_trace_writer;
struct lkst_trace_buffer;
struct lkst_run;

struct lkst_process {
	uint32_t tid;
	uint32_t tgid;
	char name[LKST_COMM_LEN];
};

struct lkst_trace_writer *lkst_trace_writer_create(const char *path,
						   struct lkst_error *err);
struct lkst_trace_writer *lkst_trace_writer_fd(int fd, const char *name,
					       struct lkst_error *err);
struct lkst_trace_writer *lkst_trace_writer_temporary(int fd, struct lkst_error *err);
bool lkst_trace_writer_direct(const struct lkst_trace_writer *writer);
int lkst_trace_writer_compress(struct lkst_trace_writer *writer, struct lkst_error *err);
int lkst_trace_write_system(struct lkst_trace_writer *writer, const char *text,
			    struct lkst_error *err);
int lkst_trace_write_etypes(struct lkst_trace_writer *writer, const char *text,
			    size_t len, struct lkst_error *err);
int lkst_trace_write_values(struct lkst_trace_writer *writer, const char *text,
			    size_t len, struct lkst_error *err);
int lkst_trace_write_symbols(struct lkst_trace_writer *writer, const char *text,
			     size_t len, struct lkst_error *err);
int lkst_trace_write_processes(struct lkst_trace_writer *writer,
			       const struct lkst_process *process, size_t num,
			       struct lkst_error *err);
int lkst_trace_write_records(struct lkst_trace_writer *writer,
			     const struct lkst_log_buffer *buffer,
			     const struct lkst_log_record *record, size_t num,
			     struct lkst_error *err);
int lkst_trace_write_run(struct lkst_trace_writer *writer, const struct lkst_run *run,
			 struct lkst_error *err);
int lkst_trace_write_counts(struct lkst_trace_writer *writer, const struct lkst_run *run,
			    const struct lkst_trace_buffer *counts, struct lkst_error *err);
int lkst_trace_write_end(struct lkst_trace_writer *writer, struct lkst_error *err);
int lkst_trace_writer_commit(struct lkst_trace_writer *writer, struct lkst_error *err);
void lkst_trace_writer_abort(struct lkst_trace_writer *writer);

/**
 * struct lkst_trace_buffer - a buffer as the trace file has it
 * @cpu: -1: the static buffer
 * @id: of the buffer
 * @clock: enum lkst_clock
 * @records: in the file
 * @recorded: as struct lkst_log_buffer has it
 * @overwritten: likewise
 * @dropped: likewise
 * @unfinished: likewise
 */
struct lkst_trace_buffer {
	int32_t cpu;
	int32_t id;
	uint32_t clock;
	uint64_t records;
	uint64_t recorded;
	uint64_t overwritten;
	uint64_t dropped;
	uint64_t unfinished;
};

/* Whether the numbers but @records are known: a log file has only records. */
static inline bool lkst_trace_buffer_counted(const struct lkst_trace_buffer *buffer)
{
	return buffer->recorded || !buffer->records;
}

const char *lkst_trace_system(const struct lkst_trace *trace, const char *key, size_t *len);
const struct lkst_context *lkst_trace_context(const struct lkst_trace *trace);
void lkst_trace_set_symbols(struct lkst_trace *trace, struct lkst_symbols *symbols);
bool lkst_trace_has_cpu(const struct lkst_trace *trace, int32_t cpu);
bool lkst_trace_has_type(const struct lkst_trace *trace, uint32_t type);
void lkst_trace_cpu_text(const struct lkst_trace *trace, char *text, size_t size);
size_t lkst_trace_buffers(const struct lkst_trace *trace);
uint64_t lkst_trace_lost(const struct lkst_trace *trace);
void lkst_trace_buffer(const struct lkst_trace *trace, size_t i,
		       struct lkst_trace_buffer *buffer);

/**
 * struct lkst_trace_gap - events of a CPU between two files that are in no file
 * @boot: id of the run of the kernel
 * @cpu: CPU that recorded
 * @missing: events, without those that a file has counted as lost
 * @gaps: how many gaps these are
 */
struct lkst_trace_gap {
	const char *boot;
	int32_t cpu;
	uint64_t missing;
	uint64_t gaps;
};

size_t lkst_trace_gaps(const struct lkst_trace *trace);
const struct lkst_trace_gap *lkst_trace_gap(const struct lkst_trace *trace, size_t i);
uint64_t lkst_trace_missing(const struct lkst_trace *trace);

/* ---- the stream of records, which read() hands out in blocks: stream.c ---- */

/**
 * struct lkst_run - records of one CPU, buffer and clock whose recids follow each other
 * @cpu: CPU that recorded
 * @buffer: buffer that they are in
 * @clock: enum lkst_clock
 * @first_recid: of the first one
 * @num: how many; 0: only what is missing before @first_recid is told
 * @record: they; until the next call. Of their flags only LKST_RECORD_FLAGS mean something
 * @lost: recids before @first_recid, from the CPU's last run on, that nobody can read any more
 * @dropped: of these, events whose slot was in use
 * @unfinished: of these, events whose writer did not finish its record
 * @recorded: recid of the CPU's next event when this was read
 * @monotonic_ns: the kernel's monotonic clock when its clock showed @tsc; INT64_MIN: not known
 * @xtime_ns: wall clock then
 * @tsc: reading of the clock
 * @freq_khz: its rate
 * @arch: machine as uname -m has it
 * @boot: UUID of the run of LKST; recids restart at 0 with each run
 */
struct lkst_run {
	int32_t cpu;
	lkst_buffer_id buffer;
	uint32_t clock;
	uint64_t first_recid;
	size_t num;
	const struct lkst_event_record *record;
	uint64_t lost;
	uint64_t dropped;
	uint64_t unfinished;
	uint64_t recorded;
	int64_t monotonic_ns;
	int64_t xtime_ns;
	uint64_t tsc;
	uint64_t freq_khz;
	char arch[LKST_ARCH_NAME_LEN];
	uint8_t boot[LKST_BLOCK_BOOT_LEN];
};

struct lkst_stream;

struct lkst_stream *lkst_stream_open(int32_t cpu, size_t room, struct lkst_error *err);
int lkst_stream_seek(struct lkst_stream *stream, int32_t cpu, uint64_t recid,
		     struct lkst_error *err);
int lkst_stream_timeout(struct lkst_stream *stream, unsigned int ms, struct lkst_error *err);
int lkst_stream_flush(struct lkst_stream *stream, struct lkst_error *err);
int lkst_stream_ahead(struct lkst_stream *stream, struct lkst_error *err);
bool lkst_stream_has_block(const struct lkst_stream *stream);
int lkst_stream_next(struct lkst_stream *stream, struct lkst_run *run, struct lkst_error *err);
int lkst_stream_fd(const struct lkst_stream *stream);
void lkst_stream_close(struct lkst_stream *stream);

/* ---- log files: RAW records of one CPU, up to a limit: log_write.c ---- */

/**
 * struct lkst_log_options - what a log file is like
 * @cpu: whose records
 * @serial: of the file
 * @run: UUID of the run of LKST, as in struct lkst_run.boot. NULL: not known
 * @limit: bytes; when it is full the oldest records are written over. 0: no limit
 * @compress: with zstd
 * @kallsyms: symbols, kept as long as the log: who forks loads them once for all. NULL: the log
 *	loads its own
 * @etypes_path: file to take the event types from; NULL: the kernel's
 * @root: what stands before /proc and /sys where values and symbols are read; NULL: nothing
 */
struct lkst_log_options {
	int32_t cpu;
	uint32_t serial;
	const uint8_t *run;
	uint64_t limit;
	bool compress;
	const struct lkst_kallsyms *kallsyms;
	const char *etypes_path;
	const char *root;
};

#define LKST_LOG_LIMIT_MIN	(256u * 1024)

/**
 * struct lkst_log_counts - what became of the events
 * @kept: in the file now
 * @rewound: were in it, and newer ones were written over them
 * @lost: told by runs: never came here
 * @next: recid after the last one that was written or told as lost; 0: none was
 * @bytes: size of the file
 */
struct lkst_log_counts {
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
	uint64_t next;
	uint64_t bytes;
};

struct lkst_log;

struct lkst_log *lkst_log_create(int dir, const char *name, const struct lkst_log_options *opt,
				 struct lkst_error *err);
int lkst_log_write(struct lkst_log *log, const struct lkst_run *run, struct lkst_error *err);
void lkst_log_counts(const struct lkst_log *log, struct lkst_log_counts *counts);
bool lkst_log_intact(const struct lkst_log *log);
int lkst_log_close(struct lkst_log *log, struct lkst_error *err);

/* ---- what the daemon says of itself: logd_status.c ---- */

#define LKST_LOGD_PID_FILE	"/var/run/lkstlogd.pid"
#define LKST_LOGD_STATUS_FILE	"/run/lkst/lkstlogd.status"

/**
 * struct lkst_logd_cpu - what lkstlogd does for a CPU
 * @cpu: CPU
 * @file: being written, "" for none
 * @kept: events that are in files
 * @rewound: written over, or deleted with a file, as the limits have it
 * @lost: events that it could not keep
 */
struct lkst_logd_cpu {
	int32_t cpu;
	char file[256];
	uint64_t kept;
	uint64_t rewound;
	uint64_t lost;
};

/**
 * struct lkst_logd_previous - what lkstlogd did with what previous boots have left
 * @saved: boots that are in files
 * @unsaved: boots that could not be saved: nothing is lost, they stay unread
 * @file: of the boot saved last, "" for none
 * @trouble: why one could not be saved, "" for nothing
 */
struct lkst_logd_previous {
	uint32_t saved;
	uint32_t unsaved;
	char file[256];
	char trouble[256];
};

/**
 * struct lkst_logd_status - what lkstlogd does
 * @pid: its process; 0: it does not run
 * @state: "idle", "writing", "stopping", "waiting" or the like, one word
 * @since: second of the epoch
 * @trouble: what is in its way, "" for nothing
 * @config: what is wrong with its configuration, "" for nothing
 * @limit: bytes that a file may have
 * @total: bytes that all files may have
 * @seconds: that the file of the busiest CPU holds when it is full, at the rate seen; 0: not known yet
 * @previous: boots before this one
 * @num: entries at @cpu
 * @cpu: the CPUs it reads
 */
struct lkst_logd_status {
	int32_t pid;
	char state[16];
	int64_t since;
	char trouble[256];
	char config[256];
	uint64_t limit;
	uint64_t total;
	uint64_t seconds;
	struct lkst_logd_previous previous;
	size_t num;
	struct lkst_logd_cpu *cpu;
};

int lkst_logd_status_write(const char *path, const struct lkst_logd_status *status,
			   struct lkst_error *err);
int lkst_logd_status_read(const char *path, struct lkst_logd_status *status,
			  struct lkst_error *err);
void lkst_logd_status_free(struct lkst_logd_status *status);
void lkst_seconds_text(uint64_t seconds, char *text, size_t size);

/* ---- reading the kernel's buffers into a trace: capture.c ---- */

/**
 * struct lkst_capture - what to read
 * @cpu: -1: all
 * @id: -1: all
 * @static_buffer: that one and no other
 * @max: oldest records of each buffer, 0: all
 * @no_symbols: who reads the trace asks the kernel for them
 * @etypes_path: file to take the event types from; NULL: the kernel's
 * @root: what stands before /proc and /sys where values and symbols are read; NULL: nothing
 * @stop: set by a signal handler: give up. May be NULL
 * @progress: as in struct lkst_trace_hooks, in bytes of buffers
 * @ctx: for @progress
 */
struct lkst_capture {
	int32_t cpu;
	lkst_buffer_id id;
	bool static_buffer;
	uint64_t max;
	bool no_symbols;
	const char *etypes_path;
	const char *root;
	const volatile int *stop;
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

int lkst_capture(struct lkst_device *dev, const struct lkst_capture *what,
		 struct lkst_trace_writer *writer, struct lkst_error *err);
const char *lkst_temporary_dir(void);
int lkst_temporary_file(struct lkst_error *err);

/* ---- which events are wanted: select.c, when.c, longer.c ---- */

enum lkst_when_from {
	LKST_WHEN_EPOCH,
	LKST_TIMESTAMP_DAY,		/* midnight of a day that is yet to be found */
	LKST_TIMESTAMP_NEWEST,	/* the newest event */
	LKST_TIMESTAMP_OLDEST,
};

/**
 * struct lkst_timestamp - a moment, as users name it
 * @from: where it is counted from
 * @utc: the day is one of UTC, not of local time
 * @ns: from there on
 */
struct lkst_timestamp {
	enum lkst_when_from from;
	bool utc;
	int64_t ns;
};

int lkst_timestamp_parse(const char *what, const char *text, bool utc, struct lkst_timestamp *when,
		    struct lkst_error *err);
int lkst_span_parse(const char *what, const char *text, int64_t *ns, struct lkst_error *err);
int64_t lkst_timestamp_resolve(const struct lkst_timestamp *when, int64_t oldest_ns, int64_t newest_ns);

struct lkst_processes;

struct lkst_processes *lkst_processes_new(struct lkst_error *err);
int lkst_processes_add(struct lkst_processes *processes, const char *words,
		       struct lkst_error *err);
void lkst_processes_free(struct lkst_processes *processes);

struct lkst_longer;

struct lkst_longer *lkst_longer_find(struct lkst_trace *trace, const struct lkst_etypes *types,
				     int64_t least_ns, struct lkst_error *err);
bool lkst_longer_has(const struct lkst_longer *longer, const struct lkst_event *event);
void lkst_longer_free(struct lkst_longer *longer);

/**
 * struct lkst_selection - which events are wanted
 * @cpu: -1: all
 * @filter: NULL: all event types
 * @processes: NULL: all
 * @about: event types, by which events are about @processes; NULL: only what these do themselves
 * @others: event types; then LKST's own commands at work are left out. NULL: they are not
 * @longer: NULL: all; else only what began and ended something that took long
 * @since_ns: first time
 * @until_ns: last time
 */
struct lkst_selection {
	int32_t cpu;
	const struct lkst_filter *filter;
	const struct lkst_processes *processes;
	const struct lkst_etypes *about;
	const struct lkst_etypes *others;
	const struct lkst_longer *longer;
	int64_t since_ns;
	int64_t until_ns;
};

void lkst_selection_init(struct lkst_selection *selection);
bool lkst_process_selected(const struct lkst_processes *processes, const struct lkst_etypes *types,
			   struct lkst_names *names, const struct lkst_event *event);

bool lkst_is_own_work(const struct lkst_etypes *types, struct lkst_names *names,
		      const struct lkst_event *event);

/* Whether an event is wanted. @names: of the processes at its time. */
static inline bool lkst_selected(const struct lkst_selection *selection, struct lkst_names *names,
				 const struct lkst_event *event)
{
	if (selection->cpu >= 0 && event->cpu != selection->cpu)
		return false;
	if (selection->filter && !lkst_filter_shows_event(selection->filter, event))
		return false;
	if (event->time_ns < selection->since_ns || event->time_ns > selection->until_ns)
		return false;
	if (selection->longer && !lkst_longer_has(selection->longer, event))
		return false;
	if (selection->others && lkst_is_own_work(selection->others, names, event))
		return false;
	return !selection->processes ||
	       lkst_process_selected(selection->processes, selection->about, names, event);
}

/* ---- a part of a trace: trace_cut.c ---- */

int lkst_trace_cut(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct lkst_selection *selection, const char *how,
		   const volatile int *stop, struct lkst_trace_writer *writer,
		   struct lkst_error *err);

/* ---- output: out.c, format.c, format_csv.c, format_json.c, summary.c ---- */

struct lkst_out {
	int fd;
	int error;		/* errno of the first failed write */
	size_t len;
	char *buf;
};

int lkst_out_open(struct lkst_out *out, int fd, struct lkst_error *err);
int lkst_out_flush(struct lkst_out *out);
void lkst_out_close(struct lkst_out *out);

enum lkst_time_style {
	LKST_TIME_LOCAL,	/* of day; the date stands in a line of its own */
	LKST_TIME_UTC,
	LKST_TIME_RELATIVE,	/* seconds since @zero_ns */
	LKST_TIME_DELTA,	/* seconds since the event printed before */
	LKST_TIME_RAW,		/* nanoseconds since the epoch */
};

struct lkst_format_options {
	bool verbose;		/* all arguments */
	bool color;
	bool epoch;		/* CSV: seconds and microseconds */
	enum lkst_time_style time;
	int64_t zero_ns;
	unsigned int width;	/* text: columns of the terminal; 0: none, a line for each event */
};

struct lkst_format {
	struct lkst_out *out;
	const struct lkst_etypes *types;
	const struct lkst_context *context;
	struct lkst_format_options opt;
	const struct format_layout *layout;
	int64_t second_ns;	/* when the second began that clock_text and csv_date are for */
	bool valid;		/* they are */
	bool any;		/* event was printed, at @before_ns */
	int64_t before_ns;
	uint8_t clock_len;
	char clock_text[16];	/* HH:MM:SS. */
	char csv_date[64];
	char date_text[64];
	char json_date[16];	/* YYYY-MM-DDT */
	char json_zone[8];	/* +HH:MM */
};

void lkst_format_init(struct lkst_format *format, struct lkst_out *out,
		      const struct lkst_etypes *types, const struct lkst_context *context,
		      const struct lkst_format_options *opt);
void lkst_format_head(struct lkst_format *format);
void lkst_format_event(struct lkst_format *format, const struct lkst_event *event);
void lkst_format_csv(struct lkst_format *format, const struct lkst_event *event);
void lkst_format_json(struct lkst_format *format, const struct lkst_event *event);

#define LKST_SUMMARY_CPUS 8192

/**
 * struct lkst_summary - a trace in numbers
 * @events: that were selected
 * @first_ns: least time of one
 * @last_ns: greatest time
 * @type: events of each event type
 * @other: events whose type is no number of one
 * @cpu: events of each CPU
 */
struct lkst_summary {
	uint64_t events;
	int64_t first_ns;
	int64_t last_ns;
	uint64_t type[LKST_ETYPE_NUM];
	uint64_t other;
	uint64_t cpu[LKST_SUMMARY_CPUS];
};

struct lkst_summary *lkst_summary_count(struct lkst_trace *trace,
					const struct lkst_selection *selection,
					struct lkst_error *err);
void lkst_summary_print(const struct lkst_summary *summary, struct lkst_trace *trace,
			const struct lkst_etypes *types, int32_t cpu, FILE *to);

#endif /* _LIBLKST_H */
