/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What previous boots have left in memory that was set aside (beyond the specification, which
 * knows no memory that outlives a reset; 2.2, 4.4).
 */
#ifndef _UAPI_LINUX_LKST_PREVIOUS_H
#define _UAPI_LINUX_LKST_PREVIOUS_H

#include <linux/lkst.h>
#include <linux/lkst_image.h>

/**
 * struct lkst_previous_listent - a boot whose part of the memory is still there
 * @boot: its UUID
 * @number: counts boots; a later one's is greater
 * @size: bytes of the part, both header pages included
 * @part: number of the part
 * @state: enum lkst_image_part_state
 */
struct lkst_previous_listent {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 number;
	__aligned_u64 size;
	__u32 part;
	__u32 state;
};

/**
 * struct lkst_previous_listparam - list previous boots, oldest first
 * @listent: in: address of struct lkst_previous_listent[]; may be 0 when @listent_num is 0
 * @listent_num: in: entries at @listent; LKST_IMAGE_PARTS_MAX are enough
 * @boot_num: out: boots there are, also when @listent_num is less
 * @part_num: out: parts of the memory set aside; 0: none is set aside, or it cannot be used
 * @part_size: out: bytes of a part
 * @own: out: the part that this boot records in, or -1
 */
struct lkst_previous_listparam {
	__aligned_u64 listent;
	__s32 listent_num;
	__s32 boot_num;
	__aligned_u64 part_size;
	__s32 part_num;
	__s32 own;
};

/**
 * struct lkst_previous_readparam - read what a previous boot has left, as it is in memory
 * @boot: in: UUID
 * @offset: in: byte in its part, where the first header page is byte 0
 * @length: in: bytes at @buffer
 * @result_length: out: bytes stored; less than @length at the end of the part
 * @buffer: in: address
 */
struct lkst_previous_readparam {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	__aligned_u64 offset;
	__aligned_u64 length;
	__aligned_u64 result_length;
	__aligned_u64 buffer;
};

/**
 * struct lkst_previous_doneparam - a previous boot has been read: its part may be used again
 * @boot: in: UUID
 *
 * It stays readable until a boot to come takes the part.
 */
struct lkst_previous_doneparam {
	__u8 boot[LKST_IMAGE_BOOT_LEN];
};

/*
 * EINVAL: there is no such boot, a negative number, no @listent, or memory that cannot be
 * accessed; EPERM and lockdown as for all requests.
 */
#define LKST_IOC_PREVIOUS_LIST	_IOWR(LKST_IOC_MAGIC, 0x40, struct lkst_previous_listparam)
#define LKST_IOC_PREVIOUS_READ	_IOWR(LKST_IOC_MAGIC, 0x41, struct lkst_previous_readparam)
#define LKST_IOC_PREVIOUS_DONE	_IOW(LKST_IOC_MAGIC, 0x42, struct lkst_previous_doneparam)

#endif /* _UAPI_LINUX_LKST_PREVIOUS_H */
