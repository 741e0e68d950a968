/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What guest-run sends to host-run over one virtio-serial port: frames, in the order in which
 * things happened.
 * One channel for both outputs and the exit status, so that the status cannot overtake output.
 * The host answers FRAME_READY with one byte: which boot of this VM it is, from 1; and FRAME_EXIT with
 * another: until then the guest does not power off.
 */
#ifndef LKST_VM_FRAME_H
#define LKST_VM_FRAME_H

#include <stdint.h>

#define FRAME_PORT "lkst-vm"
/* A frame is as much as a virtio-serial port takes in one write: a guest that dies leaves none in parts. */
#define FRAME_DATA_MAX (32768 - sizeof(struct frame))

enum frame_type {
	FRAME_READY = 'R', /* no data: the guest is up, COMMAND starts now */
	FRAME_STDOUT = '1', /* data */
	FRAME_STDERR = '2', /* data */
	FRAME_EXIT = 'X', /* one byte: COMMAND's exit status, 128 + N if signal N killed it */
};

/* Host and guest are the same architecture. */
struct frame {
	uint32_t type;
	uint32_t size; /* of the data that follows, at most FRAME_DATA_MAX */
};

#endif
