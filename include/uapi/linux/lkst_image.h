/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * How LKST's data lies in memory, for those who have nothing but an image of it (specification 2.2,
 * 3, 4.4): no symbols, no debug information, no kernel that matches. Documentation/lkst/image.rst
 * tells how to read it.
 *
 * Memory that LKST takes for what is to be found is an area. It consists of extents, each
 * contiguous in physical memory: a page with a header, the data, and another page with a
 * copy of the header. One of the two is enough. Pages have 4096 bytes here, whatever the size of
 * the kernel's, and begin at a multiple of that.
 */
#ifndef _UAPI_LINUX_LKST_IMAGE_H
#define _UAPI_LINUX_LKST_IMAGE_H

#include <linux/types.h>

#define LKST_IMAGE_MAGIC	"LKSTimg"	/* the 0 at its end included */
#define LKST_IMAGE_VERSION	1
#define LKST_IMAGE_BYTE_ORDER	0x01020304
#define LKST_IMAGE_PAGE		4096

/* What is in an area. */
enum lkst_image_kind {
	LKST_IMAGE_BUFFER	= 1,	/* struct lkst_event_record[] of one CPU */
	LKST_IMAGE_STATIC	= 2,	/* likewise of all, then struct lkst_image_slot[] of them */
	LKST_IMAGE_TEXTS	= 3,	/* struct lkst_image_text, and again until one has kind 0 */
	LKST_IMAGE_PART		= 4,	/* other areas: what one boot has of memory set aside */
};

#define LKST_IMAGE_BOOT_LEN	16
#define LKST_IMAGE_METADATA_LEN	2816

/**
 * struct lkst_image_header - what stands before and behind each extent
 * @magic: LKST_IMAGE_MAGIC
 * @checksum: CRC-32C of all from @version to the end of @facts
 * @version: LKST_IMAGE_VERSION; members are only added, in place of @reserved
 * @byte_order: LKST_IMAGE_BYTE_ORDER
 * @kind: enum lkst_image_kind
 * @boot: a UUID that LKST makes for each run of the kernel
 * @physical: address of this page
 * @area: number of the area; not used again in this run
 * @area_length: bytes of data in the area
 * @offset: where in the area the data of this extent begins; a multiple of 4096
 * @length: bytes of data in this extent; a multiple of 4096 but for the last one's
 * @extent: number of this extent, from 0
 * @extent_num: extents of the area
 * @copy: 0: the data follows this page; 1: it stands before it, the last byte of it in the page
 *	before
 * @cpu: of LKST_IMAGE_BUFFER: who records there; else -1
 * @id: of LKST_IMAGE_BUFFER: of the buffer; else LKST_BUFFER_ID_VOID
 * @long_size: bytes of an unsigned long of this kernel
 * @reserved: 0
 * @facts: what is to be known of the kernel, "key=value" lines, each ended by a newline; the rest
 *	is 0. Of a boot the same in all headers. Documentation/lkst/image.rst lists them
 */
struct lkst_image_header {
	char magic[8];
	__u32 checksum;
	__u32 version;
	__u32 byte_order;
	__u32 kind;
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 physical;
	__aligned_u64 area;
	__aligned_u64 area_length;
	__aligned_u64 offset;
	__aligned_u64 length;
	__u32 extent;
	__u32 extent_num;
	__u32 copy;
	__s32 cpu;
	__s32 id;
	__u32 long_size;
	__aligned_u64 reserved[17];
	char facts[LKST_IMAGE_METADATA_LEN];
};

/* Where in both header pages of extent 0 there is what changes: the next three structures. */
#define LKST_IMAGE_STATE	3072

/**
 * struct lkst_image_session - of LKST_IMAGE_BUFFER: what its records are, since a shift or jump
 *	last led there
 * @checksum: CRC-32C of all from @sequence to the end of @boottime
 * @sequence: counts; the first copy is written first, so if both are whole the greater one is
 *	right
 * @first: position of the first record; position = lap * slots + slot
 * @first_recid: its recid. recids and positions go up together
 * @clock: enum lkst_clock of the records
 * @reserved: 0
 * @khz: rate of that clock, 0: not known yet
 * @clock_start: what it showed when the stretch began, or soon after
 * @monotonic: CLOCK_MONOTONIC then, in ns
 * @wall: CLOCK_REALTIME then, in ns
 * @boottime: CLOCK_BOOTTIME then, in ns
 * @lap: which lap was begun last, or the one before it. Not covered by @checksum: one store
 *
 * A record in a slot is of the lap whose low LKST_RECORD_LAP_BITS bits its flags have above
 * LKST_RECORD_LAP_SHIFT.
 */
struct lkst_image_session {
	__u32 checksum;
	__u32 sequence;
	__aligned_u64 first;
	__aligned_u64 first_recid;
	__u32 clock;
	__u32 reserved;
	__aligned_u64 khz;
	__aligned_u64 clock_start;

	__s64 monotonic __attribute__((aligned(8)));
	__s64 wall __attribute__((aligned(8)));
	__s64 boottime __attribute__((aligned(8)));
	__aligned_u64 lap;
};

/* What becomes of a part: struct lkst_image_part.state. */
enum lkst_image_part_state {
	LKST_PART_UNREAD	= 1,	/* is being written, or nobody has read it yet */
	LKST_PART_READ		= 2,	/* the next boot may have it */
};

/* So many parts there can be. */
#define LKST_IMAGE_PARTS_MIN	2
#define LKST_IMAGE_PARTS_MAX	8

/**
 * struct lkst_image_part - of LKST_IMAGE_PART: whose it is
 * @checksum: CRC-32C of all that follows
 * @sequence: as in struct lkst_image_session
 * @number: counts the boots that had a part of this memory; one that was restored from hibernation
 *	counts anew
 * @state: enum lkst_image_part_state
 * @part: number of the part, from 0
 * @part_num: parts of the memory set aside; all have the same size
 * @reserved: 0
 */
struct lkst_image_part {
	__u32 checksum;
	__u32 sequence;
	__aligned_u64 number;
	__u32 state;
	__u32 part;
	__u32 part_num;
	__u32 reserved;
};

/**
 * struct lkst_image_slot - of LKST_IMAGE_STATIC: what is known of a record in the static buffer
 * @state: 0: never used; else twice (recid + 1), plus 1 while the record is being written. Of a
 *	32-bit kernel the low half
 * @cpu: where it was recorded
 * @clock: enum lkst_clock
 */
struct lkst_image_slot {
	__aligned_u64 state;
	__s32 cpu;
	__u32 clock;
};

/* What a text is: struct lkst_image_text.kind. */
enum lkst_image_text_kind {
	LKST_IMAGE_TEXT_END	= 0,
	LKST_IMAGE_TEXT_ETYPES	= 1,	/* as in /proc/lkst_etypes */
	LKST_IMAGE_TEXT_VALUES	= 2,	/* as in /proc/lkst_values */
};

/**
 * struct lkst_image_text - of LKST_IMAGE_TEXTS: stands before a text, at a multiple of 8
 * @kind: enum lkst_image_text_kind
 * @checksum: CRC-32C of the text
 * @length: bytes of the text, which follows
 */
struct lkst_image_text {
	__u32 kind;
	__u32 checksum;
	__aligned_u64 length;
};

#endif /* _UAPI_LINUX_LKST_IMAGE_H */
