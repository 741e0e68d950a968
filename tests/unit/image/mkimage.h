/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Images of memory that contain LKST's data, for tests of their readers. They are made according to
 * linux/lkst_image.h, with none of the readers' code.
 *
 *	struct mkimage *image = mkimage_new(16 << 20);
 *	struct mkboot boot;
 *	struct mkregion buffer;
 *
 *	mkboot_init(&boot, 1);
 *	// buffer 0 of CPU 0: four extents starting at 1M, and 1500 records, so it has wrapped once
 *	mkregion_buffer(&buffer, image, &boot,
 *		      (struct mkbuffer){ .at = 1 << 20, .length = 64 << 10, .extent = 16 << 10,
 *					 .wall = SAMPLE_NS, .end = 1500 });
 *	source = mkimage_source(image);
 *
 * image.rst explains regions, extents and sessions. Addresses are physical. The position of a
 * record is lap * slots + slot. Wrong arguments abort the test.
 */
#ifndef _MKIMAGE_H
#define _MKIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/lkst_buffer.h>
#include <linux/lkst_image.h>

#define KB 1024ull
#define MB (1024 * KB)

struct image_source;

struct mkimage {
	uint8_t *data; /* initially zero */
	size_t size; /* in bytes; a test may reduce it to cut off the image */
	uint64_t hole; /* first address of a hole like QEMU's PCI hole, or 0 if there is no hole */
	uint64_t hole_length; /* in bytes; the image continues with the address after the hole */
	uint8_t *missing; /* for each page of the image, 1 if it is missing */
	size_t room; /* allocated size of @data in bytes */
};

struct mkimage *mkimage_new(size_t size);
void mkimage_free(struct mkimage *image);
/*
 * Return the byte of the image at a physical address. A test must set the hole before it stores
 * anything in the image.
 */
uint8_t *mkimage_at(struct mkimage *image, uint64_t physical);

/* A boot. It may be changed until mkregion_sign() writes the first headers. */
struct mkboot {
	uint8_t id[LKST_IMAGE_BOOT_LEN];
	bool swapped; /* the boot's machine has the opposite byte order */
	uint32_t long_size; /* size of a long, 8 or 4 */
	char metadata[LKST_IMAGE_METADATA_LEN]; /* metadata of the header */
	uint64_t regions; /* number of regions so far */
	uint64_t khz; /* rate of LKST_CLOCK_TSC */
};

/* Initialize a boot whose ID consists of bytes with the value @n. */
void mkboot_init(struct mkboot *boot, unsigned int n);
void mkboot_fact(struct mkboot *boot, const char *key, const char *value);

#define MKIMAGE_EXTENTS 64
struct mkregion {
	struct mkimage *image;
	struct mkboot *boot;
	uint64_t number; /* unique in the boot */
	uint32_t kind; /* LKST_IMAGE_* */
	int32_t cpu; /* -1 if the region is not a buffer */
	int32_t id; /* LKST_BUFFER_ID_VOID if the region is not a buffer */
	uint64_t length; /* size of the data in bytes */
	size_t extents;
	struct mkextent {
		  uint64_t physical; /* address of the page with the first header */
		  uint64_t length; /* size of the data in bytes */
	} extent[MKIMAGE_EXTENTS]; /* in the order of their data */
	struct lkst_image_session session; /* the last one written, in this machine's byte order */
};

/* Initialize a region, and give it the next region number of its boot. */
void mkregion_init(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
		   uint32_t kind, int32_t cpu, int32_t id);
/* Add an extent without headers. @length is a multiple of 4096, except for the last extent. */
void mkregion_add(struct mkregion *region, uint64_t physical, uint64_t length);
/* Write all headers of the region, replacing any that exist. */
void mkregion_sign(struct mkregion *region);
/*
 * Add adjacent extents of @extent_length bytes (the last one may be shorter), @length bytes in all,
 * and write their headers. Return the address after the extents.
 */
uint64_t mkregion_lay(struct mkregion *region, uint64_t physical, uint64_t length,
		      uint64_t extent_length);
/* Initialize a region that is not a buffer, with one extent. Return the address after it. */
uint64_t mkregion_single(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
			 uint32_t kind, uint64_t physical, uint64_t length);
/* Write bytes of the region. They may be in several extents. */
void mkregion_put(struct mkregion *region, uint64_t offset, const void *data, size_t len);

/* Return the address of a header. Copy 0 is before the extent's data, copy 1 is after it. */
uint64_t mkregion_header_at(const struct mkregion *region, size_t extent, unsigned int copy);
uint8_t *mkregion_state(const struct mkregion *region, unsigned int copy);
/*
 * mkregion_get_header() reads a header and converts it to this machine's byte order.
 * mkregion_put_header() writes a header with a valid checksum.
 */
void mkregion_get_header(struct mkregion *region, size_t extent, unsigned int copy,
			 struct lkst_image_header *header);
void mkregion_put_header(struct mkregion *region, size_t extent, unsigned int copy,
			 const struct lkst_image_header *header);
/* Overwrite the page of a header with random bytes. */
void mkregion_lose_header(struct mkregion *region, size_t extent, unsigned int copy);

/* ---- LKST_IMAGE_BUFFER, and with the id LKST_BUFFER_ID_LONG, LKST_IMAGE_LONG ---- */

struct mkbuffer {
	int32_t cpu;
	int32_t id;
	uint64_t at; /* address of the first header */
	uint64_t length, extent; /* sizes of the buffer and of its extents */
	uint64_t first, first_recid; /* position and recid with which the session starts */
	int64_t wall; /* wall clock time at the start of the session, in ns */
	/* position of the first record (0: same as @first), and position after the last record */
	uint64_t from, end;
};

/* Lay out a buffer with a session and records. Return the address after it. */
uint64_t mkregion_buffer(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
			 struct mkbuffer buffer);
/*
 * Start a session at position @first with @first_recid, at the wall clock time @wall in ns. Its
 * clock is the TSC with the boot's rate, and reads 1000000 at that time. The clock of a long ring
 * is the monotonic clock instead. The lap in the header is that of @first.
 */
void mkregion_session(struct mkregion *region, uint64_t first, uint64_t first_recid, int64_t wall);
/* Write a session to one header page, with a valid checksum. The other page does not change. */
void mkregion_put_session(struct mkregion *region, unsigned int copy,
			  const struct lkst_image_session *session);
void mkregion_put_sessions(struct mkregion *region, const struct lkst_image_session *session);
/* Clear the sessions in the header pages, as if the buffer had never had a session. */
void mkregion_lose_sessions(struct mkregion *region);
void mkregion_lap(struct mkregion *region, uint64_t lap);
/* Return the record at a position, as mkregion_records() stores it and readers should find it. */
struct lkst_event_record mkregion_expected(const struct mkregion *region, uint64_t position);
/*
 * Store the records at the positions from @from up to, but not including, @to, oldest first. Store
 * the lap of the last one in the header.
 */
void mkregion_records(struct mkregion *region, uint64_t from, uint64_t to);
void mkregion_record(struct mkregion *region, uint64_t position, struct lkst_event_record record);
uint64_t mkregion_slot_at(const struct mkregion *region, uint64_t slot);

/* ---- other kinds of regions ---- */

/*
 * Store the record with @recid in its slot, and set the slot's state. The region is of kind
 * LKST_IMAGE_STATIC, and its length is a multiple of 80.
 */
void mkregion_static(struct mkregion *region, uint64_t recid, int32_t cpu, uint32_t clock,
		     struct lkst_event_record record);
/*
 * Store a list at @offset in a region of kind LKST_IMAGE_TEXTS. Return the offset for the next
 * list. Until the next list is stored, the memory at this offset is 0, which marks the end of the
 * lists.
 */
uint64_t mkregion_text(struct mkregion *region, uint64_t offset, uint32_t kind, const char *text);
/*
 * Write the state of a region of kind LKST_IMAGE_BOOT_SLOT, whose one extent contains the other
 * regions.
 */
void mkregion_boot_slot(struct mkregion *region, uint32_t slot, uint32_t slot_num, uint64_t number,
			uint32_t state);

/* ---- damage ---- */

enum mkimage_damage {
	MKIMAGE_MISSING = 1, /* not in the image; in raw images it reads as zeroes */
	MKIMAGE_NOISE = 2,
};

/*
 * Damage about @permille of every thousand pages. @seed determines which pages. Set page[n] to
 * @damage for each damaged page n of the image.
 */
void mkimage_damage(struct mkimage *image, unsigned int permille, unsigned int seed,
		    enum mkimage_damage damage, uint8_t *page);

/* ---- reading the image ---- */

/*
 * Return a source for readers. Its offsets are physical addresses unless the image has a hole. The
 * image must outlive the source.
 */
struct image_source *mkimage_source(struct mkimage *image);
/* Return the descriptor of an unnamed file with the raw image. Missing pages are holes. */
int mkimage_raw_fd(const struct mkimage *image);
/* Return the descriptor of an unnamed ELF file. Missing pages are in none of its segments. */
int mkimage_elf_fd(const struct mkimage *image);

#endif
