/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * LKST's data in an image of memory (Documentation/lkst/image.rst), and the parts of the reader
 * among themselves.
 *
 * image_source.c and what it is made of (image_raw.c, image_elf.c, image_kdump.c, image_flat.c) give the
 * image's bytes, image_scan.c finds areas in it (image_scan.h), image_area.c reads them,
 * image_records.c the records in these, image_kernel.c what the kernel's own memory tells of
 * symbols and processes, image_trace.c makes a trace of it all, image_find.c a list of what there is.
 *
 * Nothing in an image is believed: sizes and places are checked before they are used, and whatever
 * runs along a list in the image has an end of its own.
 */
#ifndef _LKST_IMAGE_READER_H
#define _LKST_IMAGE_READER_H

#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>

#include "liblkst.h"

/* ---- where bytes come from: image_source.c ---- */

#define IMAGE_NOWHERE UINT64_MAX

/**
 * struct image_source - an image, whatever it lies in
 * @name: for messages
 * @form: what it is, for people: "raw memory", "ELF core", "kdump-compressed", "previous boot"
 * @size: bytes of the space that @read addresses, as far as it is known to be in use
 * @physical: whether offsets are physical addresses; if not, an offset is a place in the file
 *	and headers tell which physical address it has
 * @next: the first offset at @at or after it that there are bytes of, IMAGE_NOWHERE: none. Lets a
 *	scan pass over holes
 * @read: read @len bytes at @at, which may cross pages. Returns how many from @at on could be read,
 *	0: none, -1: error. Missing pages are not an error
 * @close: gives everything back
 * @ctx: of the functions
 * @unreadable: how often a page could not be read that should be there: a damaged file, a bad
 *	medium, memory that may not be read
 */
struct image_source {
	char *name;
	const char *form;
	uint64_t size;
	bool physical;
	uint64_t (*next)(void *ctx, uint64_t at);
	ssize_t (*read)(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err);
	void (*close)(void *ctx);
	void *ctx;
	uint64_t unreadable;
};

/*
 * Whether the file is an image of memory rather than a trace: 1 yes, 0 no, -1 error. A trace begins
 * with its magic; ELF cores and kdump-compressed files with theirs; anything else of at least a
 * page is raw memory.
 */
int image_is_one(int fd, struct lkst_error *err);
struct image_source *image_source_open(const char *path, struct lkst_error *err);
/* image_source_previous.c: over LKST_IOC_PREVIOUS_READ */
struct image_source *image_source_previous(struct lkst_device *dev,
					   const struct lkst_previous_listent *boot,
					   struct lkst_error *err);
void image_source_close(struct image_source *source);

/* ---- what is in it: image_scan.c ---- */

/**
 * struct image_extent - contiguous data of an area
 * @at: offset of the data in the source
 * @offset: of the data in the area
 * @length: bytes
 * @number: struct lkst_image_header.extent; that of two is the same where something newer lies
 *	between them
 * @found: which copies of the header are there: 1 << copy
 * @cut: the image ends before it does
 */
struct image_extent {
	uint64_t at;
	uint64_t offset;
	uint64_t length;
	uint32_t number;
	unsigned int found;
	bool cut;
};

/**
 * struct image_area - an area
 * @boot: index in struct image.boot
 * @number: struct lkst_image_header.area
 * @kind: enum lkst_image_kind
 * @cpu: likewise
 * @id: likewise
 * @length: bytes of data, as the headers have it
 * @extents: entries of @extent
 * @extent: by offset, without overlap; some may be missing
 * @extent_num: how many there should be
 * @state: LKST_IMAGE_STATE of both header pages of extent 0, as far as they are there
 * @has_state: which are: 1 << copy
 */
#define IMAGE_STATE_LEN 128
struct image_area {
	uint32_t boot;
	uint64_t number;
	uint32_t kind;
	int32_t cpu;
	int32_t id;
	uint64_t length;
	size_t extents;
	struct image_extent *extent;
	uint32_t extent_num;
	uint8_t state[2][IMAGE_STATE_LEN];
	unsigned int has_state;
};

/**
 * struct image_boot - a run of a kernel
 * @id: its UUID
 * @id_text: as text
 * @facts: "key=value" lines
 * @swapped: the machine has the other byte order
 * @long_size: of the kernel
 * @placed: in an image whose offsets are physical addresses: headers of it lie where they say. Else
 *	it is a guest's of the machine, or what is left of a copy
 * @newest_ns: wall clock of the latest stretch of a buffer, 0: not known; boots are sorted by it,
 *	the newest first, and those that are not @placed behind the others
 * @note: by enum lkst_clock: what that clock showed when, from the stretch of any buffer; if there is
 *	one that tells the clock's rate, from the first of these
 * @has_session: by enum lkst_clock: whether there is one
 */
struct image_boot {
	uint8_t id[LKST_IMAGE_BOOT_LEN];
	char id_text[37];
	char *facts;
	bool swapped;
	uint32_t long_size;
	bool placed;
	int64_t newest_ns;
	struct lkst_image_session note[LKST_CLOCK_TSC + 1];
	bool has_session[LKST_CLOCK_TSC + 1];
};

/**
 * struct image - what was found
 * @source: where
 * @boot: boots, newest first
 * @area: areas by boot, kind, CPU, number
 * @copies: headers left out because they lie where they do not belong: what they are of is copied
 * @delta: of raw memory: pieces of the image whose offsets differ from physical addresses by the
 *	same number, to turn one into the other
 */
struct image_delta {
	uint64_t at; /* offset of the first header that tells so */
	uint64_t last; /* of the last */
	uint64_t physical; /* physical address of @at */
};

struct image {
	struct image_source *source;
	size_t boots;
	struct image_boot *boot;
	size_t areas;
	struct image_area *area;
	uint64_t copies;
	size_t deltas;
	struct image_delta *delta;
};

struct image_hooks {
	void *ctx;
	void (*report)(void *ctx, const char *text);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	const volatile int *stop;
};

struct image *image_scan(struct image_source *source, const struct image_hooks *hooks,
			 struct lkst_error *err);
void image_free(struct image *image); /* and the source */

/* A fact of a boot: the value, not ended by 0; NULL: there is none. */
const char *image_metadata(const struct image_boot *boot, const char *key, size_t *len);
bool image_metadata_u64(const struct image_boot *boot, const char *key, uint64_t *value);

/* Bytes of an area. Returns how many from @offset on are there, 0: those are missing; -1: error. */
ssize_t image_area_read(const struct image *image, const struct image_area *area, void *buf,
			size_t len, uint64_t offset, struct lkst_error *err);
/* Bytes at a physical address, likewise. */
ssize_t image_physical_read(const struct image *image, void *buf, size_t len, uint64_t physical,
			    struct lkst_error *err);

/* ---- records: image_records.c ---- */

/**
 * struct image_counts - what became of the slots of an area
 * @records: whole and plausible
 * @missing: slots whose page is not in the image, and that should hold a record
 * @implausible: slots that hold something that cannot be the record that belongs there
 * @unfinished: slots that were being written, or whose record was dropped
 * @overwritten: records of the stretch before the oldest one
 * @first_recid: of the stretch, or of what took its place
 * @unknown: areas whose recids are not known, as the notes of them are lost
 * @pieces: extents that are not in the image, or not to their end, or whose headers are lost. Where the
 *	buffer had not gone round, nobody knows whether there were records in them: @missing does not
 *	count those
 */
struct image_counts {
	uint64_t records;
	uint64_t missing;
	uint64_t implausible;
	uint64_t unfinished;
	uint64_t overwritten;
	uint64_t first_recid;
	uint64_t unknown;
	uint64_t pieces;
};

/*
 * The records of a buffer, oldest first, as runs without a gap in their recids (a record with clock
 * 0 is a hole), in the byte order of this machine; texts in arguments stay as they are in memory. Where
 * the notes of what they are are lost: in the order of their clocks, with recids from 0 on.
 * @types: types of events that there can be.
 */
int image_records(const struct image *image, const struct image_area *area,
		  const struct lkst_etypes *types,
		  int (*put)(void *ctx, const struct lkst_run *run, struct lkst_error *err),
		  void *ctx, struct image_counts *counts, struct lkst_error *err);
/* Those of the static buffer by their recids, each with its own CPU. */
int image_static_records(const struct image *image, const struct image_area *area,
			 const struct lkst_etypes *types,
			 int (*put)(void *ctx, const struct lkst_log_record *record,
				    struct lkst_error *err),
			 void *ctx, struct image_counts *counts, struct lkst_error *err);

/* ---- the kernel's own memory: image_kernel.c ---- */

struct image_kernel;

struct image_kernel *image_kernel_open(const struct image *image, const struct image_boot *boot,
				       struct lkst_error *err);
/* Text as in /proc/kallsyms, into a temporary file; -1: cannot be had, @err tells why. */
int image_kernel_symbols(struct image_kernel *kernel, struct lkst_error *err);
struct lkst_process *image_kernel_processes(struct image_kernel *kernel, size_t *num,
					    struct lkst_error *err);
void image_kernel_close(struct image_kernel *kernel);

/* ---- texts of the kernel: image_texts.c ---- */

/* The newest of a boot that is whole, to be freed. Returns 1, 0: there is none, -1: error. */
int image_text(const struct image *image, uint32_t boot, enum lkst_image_text_kind kind,
	       char **text, size_t *len, struct lkst_error *err);
/* Of a boot and those of this library; never NULL but for an error. */
struct lkst_etypes *image_etypes(const struct image *image, uint32_t boot, struct lkst_error *err);

/* ---- symbols, wherever there are any: image_symbols.c ---- */

/**
 * struct image_want - which records, and how
 * @boot: index of the boot
 * @cpu: -1: all
 * @id: -1: all
 * @static_buffer: that one and no other
 * @symbols: file as /proc/kallsyms or System.map has them; NULL: from the image, else from
 *	/boot/System.map-RELEASE and, for the release that runs, /proc/kallsyms
 * @root: what stands before /boot and /proc; NULL: nothing
 */
struct image_want {
	uint32_t boot;
	int32_t cpu;
	int32_t id;
	bool static_buffer;
	const char *symbols;
	const char *root;
};

/*
 * Descriptor of text as in /proc/kallsyms, with the addresses of the boot; -1: there is none, @err
 * tells why. @kernel: may be NULL.
 */
int image_symbols(const struct image *image, const struct image_want *want,
		  struct image_kernel *kernel, struct lkst_error *err);

/* ---- a trace of it: image_trace.c ---- */

/*
 * The boot that has this id, or begins with it, or the newest. Reports which others there are. -1:
 * there is none.
 */
int image_choose_boot(const struct image *image, const char *id, const struct image_hooks *hooks,
		      struct lkst_error *err);
/* @total: sum of what was found, for people; may be NULL. */
int image_trace(const struct image *image, const struct image_want *want,
		const struct image_hooks *hooks, struct lkst_trace_writer *writer,
		struct image_counts *total, struct lkst_error *err);

/* ---- what there is: image_find.c ---- */

/**
 * struct image_contents - what an area holds
 * @there: bytes that are in the image
 * @counts: of a buffer
 * @timed: the next two are known
 * @first_ns: wall clock of the oldest record
 * @last_ns: of the newest
 */
struct image_contents {
	uint64_t there;
	struct image_counts counts;
	bool timed;
	int64_t first_ns;
	int64_t last_ns;
};

int image_contents(const struct image *image, const struct image_area *area,
		   const struct lkst_etypes *types, struct image_contents *contents,
		   struct lkst_error *err);
bool image_part(const struct image *image, const struct image_area *area,
		struct lkst_image_part *part);

#endif
