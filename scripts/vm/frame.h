/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol between guest-run and host-run on one virtio-serial port. guest-run sends output and
 * the exit status as frames, in the order in which they occur. Standard output, standard error and
 * the status use the same channel, so that the status cannot overtake output. The host answers
 * FRAME_READY with one byte, the number of this boot of the VM; the first boot is number 1. It
 * answers FRAME_EXIT with another byte. The guest waits up to a minute for this byte before it
 * powers off.
 */
#ifndef LKST_VM_FRAME_H
#define LKST_VM_FRAME_H

#include <stdint.h>

#define FRAME_PORT "lkst-vm"
/*
 * A virtio-serial port accepts a whole frame in one write, so that a guest that dies leaves no
 * partial frame.
 */
#define FRAME_DATA_MAX (32768 - sizeof(struct frame))

enum frame_type {
	FRAME_READY = 'R', /* no data: the guest has booted, COMMAND starts now */
	FRAME_STDOUT = '1', /* data */
	FRAME_STDERR = '2', /* data */
	FRAME_EXIT = 'X', /* one byte: COMMAND's exit status, 128 + N if signal N killed it */
};

/* In native byte order: all supported hosts and guests are little-endian. */
struct frame {
	uint32_t type;
	uint32_t size; /* of the data that follows, at most FRAME_DATA_MAX */
};

#endif
