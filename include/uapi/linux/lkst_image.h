/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Layout of LKST's data in memory (specification 2.2, 3, 4.4), for programs
 * that read it from a memory image without symbols, debug information, or a
 * matching kernel. Documentation/lkst/image.rst describes how to read it.
 *
 * LKST's data is in regions. A region consists of extents. Each extent is
 * contiguous in physical memory: a page with a header, the data, and another
 * page with a copy of the header. Either header is sufficient. A page here is
 * 4096 bytes at a multiple of 4096, whatever page size the kernel uses.
 */
#ifndef _UAPI_LINUX_LKST_IMAGE_H
#define _UAPI_LINUX_LKST_IMAGE_H

#include <linux/types.h>

#define LKST_IMAGE_MAGIC	"LKSTimg"	/* 8 bytes with the NUL */
#define LKST_IMAGE_VERSION	1
#define LKST_IMAGE_BYTE_ORDER	0x01020304
#define LKST_IMAGE_PAGE		4096

/*
 * Content of a region:
 *
 *	BUFFER		struct lkst_event_record[] of one CPU
 *	STATIC		the static buffer: struct lkst_event_record[] of all
 *			CPUs, and a struct lkst_image_slot for each record
 *	TEXTS		struct lkst_image_text, each followed by its text; the
 *			last one is of kind LKST_IMAGE_TEXT_END
 *	BOOT_SLOT	the slot of one boot in reserved memory; contains other
 *			regions
 *	LONG		the long ring of one CPU; has the same layout as BUFFER
 *	HISTORY		the compressed history of one CPU: chunks
 *			(linux/lkst_history.h), each at a multiple of 8 bytes and
 *			not necessarily in the order of their recids. Bytes
 *			between the chunks have no meaning. The magic of a chunk
 *			that is being written or overwritten is 0
 */
enum lkst_image_kind {
	LKST_IMAGE_BUFFER	= 1,
	LKST_IMAGE_STATIC	= 2,
	LKST_IMAGE_TEXTS	= 3,
	LKST_IMAGE_BOOT_SLOT	= 4,
	LKST_IMAGE_LONG		= 5,
	LKST_IMAGE_HISTORY	= 6,
};

#define LKST_IMAGE_BOOT_LEN	16
#define LKST_IMAGE_METADATA_LEN	2816

/**
 * struct lkst_image_header - header before and after the data of each extent
 * @magic: LKST_IMAGE_MAGIC
 * @checksum: CRC-32C of @version to @metadata, inclusive
 * @version: LKST_IMAGE_VERSION. New members take their space from @reserved and
 *	do not change the version
 * @byte_order: LKST_IMAGE_BYTE_ORDER
 * @kind: enum lkst_image_kind
 * @boot: UUID of the boot, which LKST generates each time it starts
 * @physical: physical address of this page
 * @region: number of the region, unique during this boot
 * @region_length: number of bytes of data in the region
 * @offset: position of this extent's data in the region, a multiple of 4096
 * @length: number of bytes of data in this extent, a multiple of 4096 except in
 *	the last extent of the region
 * @extent: number of this extent, from 0
 * @extent_num: number of extents of the region
 * @copy: 0 if the data follows this page. 1 if the page before this one holds
 *	the last byte of the data
 * @cpu: CPU that records to an LKST_IMAGE_BUFFER or LKST_IMAGE_LONG, or whose
 *	events are in an LKST_IMAGE_HISTORY; else -1
 * @id: id of an LKST_IMAGE_BUFFER; LKST_BUFFER_ID_LONG in an LKST_IMAGE_LONG;
 *	else LKST_BUFFER_ID_VOID
 * @long_size: size of this kernel's unsigned long, in bytes
 * @reserved: 0
 * @metadata: metadata of the kernel: "key=value" lines, each of which ends with
 *	a newline, padded with 0. All headers of a boot have the same metadata.
 *	Documentation/lkst/image.rst lists the keys
 */
struct lkst_image_header {
	char magic[8];
	__u32 checksum;
	__u32 version;
	__u32 byte_order;
	__u32 kind;
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 physical;
	__aligned_u64 region;
	__aligned_u64 region_length;
	__aligned_u64 offset;
	__aligned_u64 length;
	__u32 extent;
	__u32 extent_num;
	__u32 copy;
	__s32 cpu;
	__s32 id;
	__u32 long_size;
	__aligned_u64 reserved[17];
	char metadata[LKST_IMAGE_METADATA_LEN];
};

/*
 * Offset of the variable data in a header page, in bytes. Only the header pages
 * of extent 0 have such data: struct lkst_image_session in an LKST_IMAGE_BUFFER
 * and an LKST_IMAGE_LONG, and struct lkst_image_boot_slot in an
 * LKST_IMAGE_BOOT_SLOT.
 */
#define LKST_IMAGE_STATE	3072

/**
 * struct lkst_image_session - current session of an LKST_IMAGE_BUFFER, which
 *	began when a shift or jump last switched to the buffer
 * @checksum: CRC-32C of @sequence to @boottime, inclusive
 * @sequence: incremented by each update. The first copy is updated first, so if
 *	both copies are valid, the one with the greater number is current
 * @first: position of the first record; position = lap * slots + slot
 * @first_recid: recid of the first record. Recid - position is constant
 * @clock: enum lkst_clock of the records
 * @reserved: 0
 * @khz: rate of that clock in kHz, 0 if not known yet
 * @clock_start: reading of that clock at or soon after the start of the session
 * @monotonic: CLOCK_MONOTONIC at @clock_start, in ns
 * @wall: CLOCK_REALTIME at @clock_start, in ns
 * @boottime: CLOCK_BOOTTIME at @clock_start, in ns
 * @lap: the newest lap, or the one before it. @checksum does not cover it,
 *	because a single store updates it
 *
 * The flags of a record hold the low LKST_RECORD_LAP_BITS bits of its lap,
 * starting at bit LKST_RECORD_LAP_SHIFT.
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

/* Values of struct lkst_image_boot_slot.state. */
enum lkst_image_boot_slot_state {
	LKST_BOOT_SLOT_UNREAD	= 1,	/* being written, or not yet read */
	LKST_BOOT_SLOT_READ	= 2,	/* the next boot may reuse the slot */
};

/* Limits of lkst_image_boot_slot.slot_num. */
#define LKST_IMAGE_BOOT_SLOTS_MIN	2
#define LKST_IMAGE_BOOT_SLOTS_MAX	8

/**
 * struct lkst_image_boot_slot - the boot that owns an LKST_IMAGE_BOOT_SLOT,
 *	which is a slot of reserved memory
 * @checksum: CRC-32C of the members that follow
 * @sequence: as in struct lkst_image_session
 * @number: number of the boot that owns the slot. Each boot that takes a slot
 *	gets the next number, and so does a kernel restored from hibernation
 * @state: enum lkst_image_boot_slot_state
 * @slot: number of this slot, from 0
 * @slot_num: number of slots in the reserved memory; all have the same size
 * @reserved: 0
 */
struct lkst_image_boot_slot {
	__u32 checksum;
	__u32 sequence;
	__aligned_u64 number;
	__u32 state;
	__u32 slot;
	__u32 slot_num;
	__u32 reserved;
};

/**
 * struct lkst_image_slot - state of one record in the static buffer
 *	(LKST_IMAGE_STATIC)
 * @state: 0 if never used; else 2 * (recid + 1), plus 1 while the record is
 *	being written. A 32-bit kernel stores the low 32 bits
 * @cpu: CPU that wrote the record
 * @clock: enum lkst_clock of the record
 */
struct lkst_image_slot {
	__aligned_u64 state;
	__s32 cpu;
	__u32 clock;
};

/* Values of struct lkst_image_text.kind. */
enum lkst_image_text_kind {
	LKST_IMAGE_TEXT_END	= 0,
	LKST_IMAGE_TEXT_ETYPES	= 1,	/* as in /proc/lkst_etypes */
	LKST_IMAGE_TEXT_VALUES	= 2,	/* as in /proc/lkst_values */
};

/**
 * struct lkst_image_text - header of a list in LKST_IMAGE_TEXTS, at a multiple
 *	of 8 bytes
 * @kind: enum lkst_image_text_kind
 * @checksum: CRC-32C of the text
 * @length: length in bytes of the text, which follows this header
 */
struct lkst_image_text {
	__u32 kind;
	__u32 checksum;
	__aligned_u64 length;
};

#endif /* _UAPI_LINUX_LKST_IMAGE_H */
