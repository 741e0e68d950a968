/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST events of programs: the interface of /dev/lkst_user_events.
 *
 * The interface is that of user_events_data, the file of the kernel's own
 * user_events (linux/user_events.h in Linux 6.4 and later). Only the names of
 * the structures and constants differ. All structures are packed, and have the
 * same layout in 32-bit and 64-bit programs. See
 * Documentation/lkst/user-events.rst.
 */
#ifndef _UAPI_LINUX_LKST_USER_EVENTS_H
#define _UAPI_LINUX_LKST_USER_EVENTS_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Maximum size of a text that describes an event, including the NUL. */
#define LKST_USER_TEXT_MAX		512

/* The event stays until LKST_USER_DELETE. Requires CAP_PERFMON. */
#define LKST_USER_PERSIST		1
/*
 * Events with the same name and different fields may exist at the same time.
 * Each of them gets a name that ends in "." and a hexadecimal number.
 */
#define LKST_USER_MULTI_FORMAT		2

/**
 * struct lkst_user_reg - register an event of a program
 * @size: in: size of this structure, in bytes
 * @enable_bit: in: the bit at @enable_addr that is set while the event is
 *	recorded
 * @enable_size: in: size of the word at @enable_addr, 4 or 8 bytes
 * @flags: in: LKST_USER_PERSIST, LKST_USER_MULTI_FORMAT, or 0
 * @enable_addr: in: address of a word in the memory of the program, a multiple
 *	of @enable_size. The kernel changes the bit until the program calls
 *	LKST_USER_UNREG for it, exits or executes another program
 * @name_args: in: address of the text "NAME [FIELD[;FIELD]...]"
 * @write_index: out: number of the event. Each write() of this event to the
 *	same open file begins with this number, in 4 bytes
 */
struct lkst_user_reg {
	__u32 size;
	__u8 enable_bit;
	__u8 enable_size;
	__u16 flags;
	__u64 enable_addr;
	__u64 name_args;
	__u32 write_index;
} __attribute__((__packed__));

/**
 * struct lkst_user_unreg - stop changing a bit of the program
 * @size: in: size of this structure, in bytes
 * @disable_bit: in: @enable_bit of struct lkst_user_reg
 * @__reserved: must be 0
 * @__reserved2: must be 0
 * @disable_addr: in: @enable_addr of struct lkst_user_reg
 */
struct lkst_user_unreg {
	__u32 size;
	__u8 disable_bit;
	__u8 __reserved;
	__u16 __reserved2;
	__u64 disable_addr;
} __attribute__((__packed__));

#define LKST_USER_MAGIC		'*'

#define LKST_USER_REG		_IOWR(LKST_USER_MAGIC, 0, struct lkst_user_reg *)
/* Argument: address of the name of an event. */
#define LKST_USER_DELETE	_IOW(LKST_USER_MAGIC, 1, char *)
#define LKST_USER_UNREG		_IOW(LKST_USER_MAGIC, 2, struct lkst_user_unreg *)

#endif /* _UAPI_LINUX_LKST_USER_EVENTS_H */
