/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Access to the records of previous boots in reserved memory, which keeps its
 * content across a reset. The specification (2.2, 4.4) does not describe such
 * memory.
 */
#ifndef _UAPI_LINUX_LKST_PREVIOUS_H
#define _UAPI_LINUX_LKST_PREVIOUS_H

#include <linux/lkst.h>
#include <linux/lkst_image.h>

/**
 * struct lkst_previous_listent - a boot that still has a slot in reserved
 *	memory
 * @boot: UUID of the boot
 * @number: number of the boot; later boots have greater numbers
 * @size: size of the slot in bytes, including both header pages
 * @slot: number of the slot
 * @state: enum lkst_image_boot_slot_state
 */
struct lkst_previous_listent {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 number;
	__aligned_u64 size;
	__u32 slot;
	__u32 state;
};

/**
 * struct lkst_previous_listparam - list previous boots, oldest first
 * @listent: in: address of struct lkst_previous_listent[]; may be 0 if
 *	@listent_num is 0
 * @listent_num: in: number of entries for which @listent has room;
 *	LKST_IMAGE_BOOT_SLOTS_MAX is enough
 * @boot_num: out: number of previous boots, even if @listent_num is less
 * @slot_num: out: number of slots; 0 if there is no reserved memory, or it
 *	cannot be used
 * @slot_size: out: size of a slot in bytes
 * @own: out: the slot that this boot records in, or -1
 */
struct lkst_previous_listparam {
	__aligned_u64 listent;
	__s32 listent_num;
	__s32 boot_num;
	__aligned_u64 slot_size;
	__s32 slot_num;
	__s32 own;
};

/**
 * struct lkst_previous_readparam - read the memory of a previous boot's slot
 * @boot: in: UUID of the boot
 * @offset: in: byte offset in the slot, 0 is the start of the first header page
 * @length: in: number of bytes to read
 * @result_length: out: number of bytes stored; less than @length at the end of
 *	the slot
 * @buffer: in: destination address
 */
struct lkst_previous_readparam {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 offset;
	__aligned_u64 length;
	__aligned_u64 result_length;
	__aligned_u64 buffer;
};

/**
 * struct lkst_previous_doneparam - release the slot of a previous boot
 * @boot: in: UUID of the boot
 *
 * The slot stays readable until a later boot takes it.
 */
struct lkst_previous_doneparam {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
};

/*
 * These requests fail with EINVAL for an unknown boot, a negative @listent_num,
 * a missing @listent, or user memory that cannot be accessed. Like all
 * requests, they fail with EPERM without CAP_SYS_ADMIN or under lockdown.
 */
#define LKST_IOC_PREVIOUS_LIST	_IOWR(LKST_IOC_MAGIC, 0x40, struct lkst_previous_listparam)
#define LKST_IOC_PREVIOUS_READ	_IOWR(LKST_IOC_MAGIC, 0x41, struct lkst_previous_readparam)
#define LKST_IOC_PREVIOUS_DONE	_IOW(LKST_IOC_MAGIC, 0x42, struct lkst_previous_doneparam)

#endif /* _UAPI_LINUX_LKST_PREVIOUS_H */
