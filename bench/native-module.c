// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/native: the loops, which run in the kernel. See native.h.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_private.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/vmalloc.h>
#include <asm/lkst.h>

#include "native.h"

LKST_ETYPE_DEF_MODULE(NATIVE_ETYPE, NORMAL, NATIVE, "bench/native", "count:udec", "", "", "");

/*
 * The data of an event in ftrace's ring buffer. It has the size of an LKST record without its
 * timestamp, because the ring buffer adds its own timestamp. On User Mode Linux, that timestamp
 * costs nothing. For a fair comparison, native_ring() also reads the counter for each event, and
 * stores it in @clock.
 */
struct native_payload {
	u64 clock;
	u64 rest[LKST_SIZEOF_LKST_EVENT_RECORD / sizeof(u64) - 2];
};

static struct native_slice native_slices[NATIVE_SLICES_MAX];
static unsigned int native_slices_num;
static u64 native_count;		/* number of LKST_HOOK()s so far */

/* --- Slices: each one repeats an operation in a loop */

static noinline void native_clock(u64 each)
{
	while (each--) {
		u64 clock = lkst_arch_counter();

		/* Keep the compiler from removing the read. */
		asm volatile("" : : "r" (clock));
	}
}

static noinline void native_lkst(u64 each)
{
	u64 count = native_count, end = count + each;

	while (count < end) {
		count++;
		LKST_HOOK(NATIVE, LKST_ARG(count), LKST_ARG(NATIVE_ARG2(count)),
			  LKST_ARG(NATIVE_ARG3(count)), LKST_ARG(NATIVE_ARG4(count)));
	}
	native_count = end;
}

static noinline void native_ring(struct trace_buffer *ring, u64 each)
{
	static const u64 rest[LKST_SIZEOF_LKST_EVENT_RECORD / sizeof(u64) - 2] = { 1, 2, 3 };

	while (each--) {
		struct ring_buffer_event *event;
		struct native_payload *payload;

		event = ring_buffer_lock_reserve(ring, sizeof(*payload));
		if (!event)
			continue;
		payload = ring_buffer_event_data(event);
		payload->clock = lkst_arch_counter();
		memcpy(payload->rest, rest, sizeof(rest));
		ring_buffer_unlock_commit(ring, event);
	}
}

/* --- Ring buffers, one for each size, allocated on first use */

static struct {
	u64 size;
	struct trace_buffer *ring;
} native_rings[4];

static struct trace_buffer *native_ring_of(u64 size)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(native_rings); i++) {
		if (native_rings[i].ring && native_rings[i].size == size)
			return native_rings[i].ring;
		if (native_rings[i].ring)
			continue;
		native_rings[i].size = size;
		/* As in LKST, the newest records overwrite the oldest. */
		native_rings[i].ring = ring_buffer_alloc(size, RB_FL_OVERWRITE);
		return native_rings[i].ring;
	}
	return NULL;
}

/* --- Reading and copying, repeatedly to the same place */

static char *native_bytes, *native_copies;
static size_t native_bytes_max, native_bytes_num;

static ssize_t native_read(const struct native_request *request)
{
	struct kvec kernel = { native_copies, min_t(size_t, request->each, native_bytes_max) };
	struct file *file = fget(request->fd);
	struct iov_iter iter;
	struct iovec user;
	loff_t pos = 0;
	ssize_t ret = -EBADF;

	if (!file)
		return ret;
	iov_iter_kvec(&iter, ITER_DEST, &kernel, 1, kernel.iov_len);
	if (request->to)
		ret = import_single_range(ITER_DEST, u64_to_user_ptr(request->to), request->each,
					  &user, &iter);
	if (ret >= 0 || !request->to)
		ret = vfs_iter_read(file, &iter, &pos, 0);
	fput(file);
	return ret == -EAGAIN ? 0 : ret;
}

/*
 * Copies to the address at which read() stores records. The records follow a header, so the address
 * is not page-aligned.
 */
static ssize_t native_copy(const struct native_request *request, size_t from)
{
	const size_t header = sizeof(struct lkst_block);
	size_t num = min_t(size_t, request->each, native_bytes_num - from);

	if (!request->to)
		memcpy(native_copies + header, native_bytes + from, num);
	else if (copy_to_user(u64_to_user_ptr(request->to + header), native_bytes + from, num))
		return -EFAULT;
	return num;
}

static ssize_t native_bytes_write(struct file *file, const char __user *from, size_t count,
				  loff_t *pos)
{
	if (*pos < 0 || *pos > native_bytes_max || count > native_bytes_max - *pos)
		return -ENOSPC;
	if (copy_from_user(native_bytes + *pos, from, count))
		return -EFAULT;
	*pos += count;
	native_bytes_num = *pos;
	return count;
}

static const struct proc_ops native_bytes_ops = {
	.proc_write = native_bytes_write,
	.proc_lseek = default_llseek,
};

/* --- Requests */

/* Reads the counter. The fences keep other instructions from overlapping with the read. */
static u64 native_now(void)
{
	u64 now;

	asm volatile("lfence" : : : "memory");
	now = lkst_arch_counter();
	asm volatile("lfence" : : : "memory");
	return now;
}

/*
 * Executes one slice of a request. Returns the number of operations executed or bytes processed, 0
 * if nothing is left to do, or a negative errno.
 */
static ssize_t native_slice(const struct native_request *request, struct trace_buffer *ring,
			    size_t before)
{
	switch (request->op) {
	case NATIVE_CLOCK:
		native_clock(request->each);
		return request->each;
	case NATIVE_LKST:
		native_lkst(request->each);
		return request->each;
	case NATIVE_RING:
		native_ring(ring, request->each);
		return request->each;
	case NATIVE_READ:
		return native_read(request);
	case NATIVE_COPY:
		return native_copy(request, before);
	}
	return -EINVAL;
}

static int native_execute(const struct native_request *request)
{
	struct trace_buffer *ring = NULL;
	size_t before = 0;
	ssize_t done;
	u64 begun;

	native_slices_num = 0;
	if (request->op == NATIVE_RING) {
		ring = native_ring_of(request->size);
		if (!ring)
			return -ENOMEM;
	}
	while (native_slices_num < request->slices) {
		struct native_slice *slice = &native_slices[native_slices_num];

		cond_resched();
		begun = native_now();
		done = native_slice(request, ring, before);
		if (done < 0)
			return done;
		if (!done)
			break;
		*slice = (struct native_slice){ native_now() - begun, done };
		before += done;
		native_slices_num++;
	}
	return 0;
}

static ssize_t native_request_write(struct file *file, const char __user *from, size_t count,
				    loff_t *pos)
{
	struct native_request request;
	int ret;

	if (count != sizeof(request))
		return -EINVAL;
	if (copy_from_user(&request, from, sizeof(request)))
		return -EFAULT;
	if (!request.each || request.slices > NATIVE_SLICES_MAX)
		return -EINVAL;
	ret = native_execute(&request);
	return ret ?: (ssize_t)count;
}

static ssize_t native_request_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	count = min(count, native_slices_num * sizeof(native_slices[0]));
	if (copy_to_user(to, native_slices, count))
		return -EFAULT;
	return count;
}

static const struct proc_ops native_request_ops = {
	.proc_write = native_request_write,
	.proc_read = native_request_read,
};

/* --- The module, which is never unloaded */

static unsigned long bytes = 1 << 20;
module_param(bytes, ulong, 0);
MODULE_PARM_DESC(bytes, "maximum number of bytes to copy");

static int __init native_init(void)
{
	int ret = -ENOMEM;

	native_bytes_max = bytes;
	native_bytes = vzalloc(native_bytes_max);
	native_copies = vzalloc(native_bytes_max);
	if (!native_bytes || !native_copies)
		goto free;
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(NATIVE));
	if (ret < 0)
		goto free;
	ret = -ENOMEM;
	if (!proc_create("lkst_native", 0600, NULL, &native_request_ops))
		goto unregister;
	if (!proc_create("lkst_native_bytes", 0600, NULL, &native_bytes_ops))
		goto remove;
	return 0;

remove:
	remove_proc_entry("lkst_native", NULL);
unregister:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NATIVE));
free:
	vfree(native_copies);
	vfree(native_bytes);
	return ret;
}
module_init(native_init);

MODULE_DESCRIPTION("bench/native");
MODULE_LICENSE("GPL");
