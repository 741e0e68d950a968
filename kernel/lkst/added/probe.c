// SPDX-License-Identifier: GPL-2.0
/*
 * Fetch the fields of an added event, and record it. The probes of tracepoints
 * are here, and those of functions in kprobe.c.
 *
 * These functions run in any context, NMI included. To read memory, they only
 * call functions that tolerate a wrong address.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/lkst_buffer.h>
#include <asm/word-at-a-time.h>

#include "../base/compat.h"
#include "../base/number.h"
#include "../base/stage.h"
#include "../dispatch/chain.h"
#include "../dispatch/event.h"
#include "../memory/memory.h"
#include "../ring/context.h"
#include "added.h"
#include "probe.h"

/* task, softirq, hardirq and NMI */
#define LKST_ADDED_CONTEXTS	4

/**
 * struct lkst_added_buffers - memory of a CPU for the payloads of chains
 * @busy: a bit for each context that is using its memory. Only the CPU itself
 *	changes it. Nested contexts restore it before they return
 * @data: memory for each context, and a word that lkst_added_text_len() may
 *	read
 */
struct lkst_added_buffers {
	unsigned int busy;
	char data[LKST_ADDED_CONTEXTS][LKST_CHAIN_BYTES_MAX + sizeof(u64)] __aligned(sizeof(u64));
};

/*
 * Allocated when the first event that a probe records as a chain is added, and
 * then kept.
 */
static struct lkst_added_buffers __percpu *lkst_added_buffers;

static size_t lkst_added_buffers_size(void)
{
	return num_possible_cpus() * sizeof(struct lkst_added_buffers);
}

/*
 * Allocate the memory for payloads of chains. The caller serializes calls.
 * Returns 0 or -ENOMEM.
 */
int lkst_added_buffers_start(void)
{
	struct lkst_added_buffers __percpu *buffers;

	if (lkst_added_buffers)
		return 0;
	if (!lkst_memory_charge(lkst_added_buffers_size()))
		return -ENOMEM;
	buffers = alloc_percpu(struct lkst_added_buffers);
	if (!buffers) {
		lkst_memory_uncharge(lkst_added_buffers_size());
		return -ENOMEM;
	}
	lkst_added_buffers = buffers;
	return 0;
}

/* Free the memory for payloads. All added events have been removed. */
void __lkst_exit lkst_added_buffers_stop(void)
{
	if (!lkst_added_buffers)
		return;
	free_percpu(lkst_added_buffers);
	lkst_added_buffers = NULL;
	lkst_memory_uncharge(lkst_added_buffers_size());
}

/* ---- fetching ---- */

/*
 * Read memory that may not exist. Returns whether it was read. For a kernel
 * thread, which may have borrowed the address space of any program, this
 * refuses to read user memory.
 */
static notrace bool lkst_added_read_at(void *to, u64 address, size_t size, bool user)
{
	if (!user)
		return !copy_from_kernel_nofault(to, (const void *)(unsigned long)address, size);
	return current->mm &&
	       !copy_from_user_nofault(to, (const void __user *)(unsigned long)address, size);
}

/*
 * The value with which the fetching of a field begins. @from: the arguments of
 * the tracepoint, or the registers. If the field is the name of the running
 * thread, the caller does not use the result.
 */
static __always_inline u64 lkst_added_source(const struct lkst_fetch_field *field,
					     const void *from)
{
	return field->source == LKST_FETCH_VALUE ? field->value :
						   *(const u64 *)(from + field->value);
}

/*
 * Follow all pointers of a field but the last one. Returns whether all of them
 * could be read. If so, *address is the address of the field itself.
 */
static __always_inline bool lkst_added_follow(const struct lkst_fetch_field *field, u64 *address)
{
	const struct lkst_fetch_deref *deref = field->deref, *last = deref + field->derefs - 1;

	for (; unlikely(deref < last); deref++)
		if (!lkst_added_read_at(address, *address + deref->offset, sizeof(*address),
					deref->user))
			return false;
	*address += last->offset;
	return true;
}

static u64 lkst_added_bits(const struct lkst_fetch_field *field, u64 value)
{
	return value >> field->shift & (~0ULL >> (64 - field->bits));
}

/* Fetch a number from memory. Returns 0 if the memory cannot be read. */
static notrace u64 lkst_added_number(struct lkst_added *added,
				     const struct lkst_fetch_field *field, u64 address)
{
	u64 value = 0;

	if (!lkst_added_follow(field, &address) ||
	    !lkst_added_read_at(&value, address, field->size,
				field->deref[field->derefs - 1].user)) {
		atomic_long_inc(&added->faults);
		return 0;
	}
	return IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? value >> (64 - 8 * field->size) : value;
}

static notrace void lkst_added_chars(struct lkst_added *added,
				     const struct lkst_fetch_field *field, u64 address, void *to)
{
	if (field->source == LKST_FETCH_COMM_TEXT) {
		/*
		 * If another CPU is renaming the thread, the name may be a mix
		 * of the old and the new name.
		 */
		data_race(memcpy(to, current->comm, sizeof(current->comm)));
		return;
	}
	if (lkst_added_follow(field, &address) &&
	    lkst_added_read_at(to, address, field->size, field->deref[field->derefs - 1].user))
		return;
	memset(to, 0, field->size);
	strscpy(to, LKST_ADDED_FAULT, field->size);
	atomic_long_inc(&added->faults);
}

/*
 * Bytes to copy in one step. Most strings are shorter. KASAN reports each
 * access beyond the end of an object, even within a page, so with KASAN, copy
 * single bytes.
 */
#define LKST_ADDED_STEP		(IS_ENABLED(CONFIG_KASAN) ? 1 : 32)

/*
 * Return the number of bytes before the first NUL, at most @size. Reads whole
 * words, the last of which may extend beyond @size.
 */
static __always_inline unsigned int lkst_added_text_len(const char *text, unsigned int size)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	unsigned int at;

	for (at = 0; at < size; at += sizeof(word)) {
		word = get_unaligned((const unsigned long *)(text + at));
		if (!has_zero(word, &zeros, &constants))
			continue;
		zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
		return min_t(unsigned int, size, at + find_zero(zeros));
	}
	return size;
}

/*
 * Copy a string. Returns its length without the NUL, which is less than @room,
 * or -EFAULT. No step crosses the end of a page, so a string just before an
 * unmapped page can be read.
 */
static notrace int lkst_added_copy_string(char *to, unsigned int room, u64 address, bool user)
{
	unsigned int len = 0, now, end;

	while (len < room - 1) {
		now = min_t(unsigned int, LKST_ADDED_STEP,
			    PAGE_SIZE - offset_in_page(address + len));
		now = min_t(unsigned int, now, room - 1 - len);
		if (!lkst_added_read_at(to + len, address + len, now, user))
			return -EFAULT;
		end = lkst_added_text_len(to + len, now);
		len += end;
		if (end < now)
			break;
	}
	to[len] = 0;
	return len;
}

/*
 * Fetch a string to @to, and store its location at @location. Returns the size
 * of the string at @to, including the NUL.
 */
static noinline notrace unsigned int lkst_added_string(struct lkst_added *added,
						       const struct lkst_fetch_field *field,
						       u64 address, char *location, char *to,
						       unsigned int room)
{
	int len = -EFAULT;

	if (lkst_added_follow(field, &address))
		len = lkst_added_copy_string(to, room, address,
					     field->deref[field->derefs - 1].user);
	if (len < 0) {
		len = strscpy(to, LKST_ADDED_FAULT, room);
		atomic_long_inc(&added->faults);
	}
	/* The location is relative to its own end. */
	put_unaligned((u32)(len + 1) << 16 | (u32)(to - (location + sizeof(u32))),
		      (u32 *)location);
	return len + 1;
}

/*
 * Fetch all fields. Returns the size of the whole payload. Fields that are read
 * from the arguments or registers, rather than from memory, need no function
 * call.
 */
static __always_inline unsigned int lkst_added_fetch(struct lkst_added *added, const void *from,
						     char *payload)
{
	const struct lkst_fetch_field *field = added->field, *end = field + added->num;
	unsigned int left = added->strings, at = added->bytes;

	for (; field < end; field++) {
		char *to = payload + field->offset;
		u64 value = lkst_added_source(field, from);

		if (field->kind == LKST_FETCH_CHARS_KIND) {
			lkst_added_chars(added, field, value, to);
			continue;
		}
		if (field->kind == LKST_FETCH_STRING) {
			unsigned int room = LKST_CHAIN_BYTES_MAX - at;

			/* Each string may take an equal share of the rest. */
			if (left > 1)
				room /= left--;
			at += lkst_added_string(added, field, value, to, payload + at, room);
			continue;
		}
		if (field->derefs)
			value = lkst_added_number(added, field, value);
		if (field->bits)
			value = lkst_added_bits(field, value);
		lkst_number_store(to, value, field->size);
	}
	return at;
}

/*
 * Record a chain. An event that occurs in the same context while another chain
 * is written, for instance because reading memory causes a page fault, is
 * missed. Context: preemption has been disabled once to record the event.
 */
static noinline notrace void lkst_added_chain(struct lkst_added *added, const void *from)
{
	struct lkst_added_buffers *buffers = raw_cpu_ptr(lkst_added_buffers);
	unsigned int context = lkst_context_index(lkst_context_count());
	struct lkst_payload payload = { .data = buffers->data[context] };

	if (buffers->busy & BIT(context)) {
		atomic_long_inc(&added->missed);
		return;
	}
	buffers->busy |= BIT(context);
	barrier();
	payload.bytes = lkst_added_fetch(added, from, buffers->data[context]);
	lkst_event_chain(added->etype, &payload);
	barrier();
	buffers->busy &= ~BIT(context);
}

/* Record an event whose fields fit in one record. */
static noinline notrace void lkst_added_short(struct lkst_added *added, const void *from)
{
	u64 word[LKST_FETCH_RECORD / sizeof(u64)] = {};

	lkst_added_fetch(added, from, (char *)word);
	lkst_event_nopreempt(added->etype, word[0], word[1], word[2], word[3]);
}

/*
 * The fast path, for an event with only a few numbers. Each store writes eight
 * bytes: a number, and zeros after it, which the stores of the next numbers
 * overwrite. The last store may extend beyond the payload.
 */
static __always_inline void lkst_added_picked(const struct lkst_added *added, const void *from)
{
	const struct lkst_added_pick *pick = added->pick, *end = pick + added->num;
	u64 word[LKST_FETCH_RECORD / sizeof(u64) + 1] = {};

	for (; pick < end; pick++)
		put_unaligned(*(const u64 *)(from + pick->from) & pick->mask,
			      (u64 *)((char *)word + pick->to));
	lkst_event_nopreempt(added->etype, word[0], word[1], word[2], word[3]);
}

/*
 * Record an event. @from: the arguments of the tracepoint, or the registers.
 * Context: preemption has been disabled once to record the event.
 */
notrace void lkst_added_record(struct lkst_added *added, const void *from)
{
	if (added->picked)
		lkst_added_picked(added, from);
	else if (added->chain)
		lkst_added_chain(added, from);
	else
		lkst_added_short(added, from);
}

/* ---- tracepoints ---- */

/*
 * The kernel calls the probe of a tracepoint with the arguments of the
 * tracepoint. It calls the functions below in the same way, although their
 * prototypes differ from the tracepoint's. This works because tracepoints only
 * have integers and pointers as arguments: the calling conventions of the
 * supported architectures pass these in the same registers, and then on the
 * stack, whatever their types are. If a tracepoint has fewer arguments, the
 * others have arbitrary values.
 */

/* For events whose fields are the first arguments, in the same order. */
static notrace void lkst_added_args0(void *data)
{
	lkst_event(((struct lkst_added *)data)->etype, 0, 0, 0, 0);
}

static notrace void lkst_added_args1(void *data, u64 a1)
{
	lkst_event(((struct lkst_added *)data)->etype, a1, 0, 0, 0);
}

static notrace void lkst_added_args2(void *data, u64 a1, u64 a2)
{
	lkst_event(((struct lkst_added *)data)->etype, a1, a2, 0, 0);
}

static notrace void lkst_added_args3(void *data, u64 a1, u64 a2, u64 a3)
{
	lkst_event(((struct lkst_added *)data)->etype, a1, a2, a3, 0);
}

static notrace void lkst_added_args4(void *data, u64 a1, u64 a2, u64 a3, u64 a4)
{
	lkst_event(((struct lkst_added *)data)->etype, a1, a2, a3, a4);
}

/* The fast path, if the fields need only the first five arguments. */
static notrace void lkst_added_numbers(void *data, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5)
{
	const u64 args[] = { a1, a2, a3, a4, a5 };

	lkst_probe_begin();
	lkst_added_picked(data, args);
	lkst_probe_end();
}

static notrace void lkst_added_five(void *data, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5)
{
	const u64 args[] = { a1, a2, a3, a4, a5 };

	lkst_probe_begin();
	lkst_added_record(data, args);
	lkst_probe_end();
}

static notrace void lkst_added_ten(void *data, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5, u64 a6,
				   u64 a7, u64 a8, u64 a9, u64 a10)
{
	const u64 args[] = { a1, a2, a3, a4, a5, a6, a7, a8, a9, a10 };

	lkst_probe_begin();
	lkst_added_record(data, args);
	lkst_probe_end();
}

/*
 * The tracepoints of system calls may call their probes with preemption on.
 * fetch_parse.c allows only LKST_FETCH_SYSCALL_ARGS arguments.
 */
static notrace void lkst_added_syscall(void *data, u64 a1, u64 a2, u64 a3, u64 a4, u64 a5)
{
	const u64 args[] = { a1, a2, a3, a4, a5 };

	lkst_syscall_probe_begin();
	lkst_added_record(data, args);
	lkst_syscall_probe_end();
}

/* Whether the first arguments are the fields, in the same order. */
static bool lkst_added_are_args(const struct lkst_added *added)
{
	unsigned int i;

	if (added->num > 4)
		return false;
	for (i = 0; i < added->num; i++) {
		const struct lkst_fetch_field *field = &added->field[i];

		if (field->source != LKST_FETCH_ARG || field->value != i * sizeof(u64) ||
		    field->derefs || field->size != sizeof(u64) || field->bits)
			return false;
	}
	return true;
}

static bool lkst_added_five_suffice(const struct lkst_added *added)
{
	unsigned int i;

	for (i = 0; i < added->num; i++) {
		const struct lkst_fetch_field *field = &added->field[i];

		if (field->source == LKST_FETCH_ARG && field->value >= 5 * sizeof(u64))
			return false;
	}
	return true;
}

/* Choose the probe of a tracepoint. */
static void *lkst_added_tracepoint_probe(const struct lkst_added *added)
{
	static void *const args[] = {
		lkst_added_args0, lkst_added_args1, lkst_added_args2, lkst_added_args3,
		lkst_added_args4,
	};

	if (lkst_fetch_is_syscall(added->symbol))
		return lkst_added_syscall;
	if (lkst_added_are_args(added))
		return args[added->num];
	if (!lkst_added_five_suffice(added))
		return lkst_added_ten;
	return added->picked ? lkst_added_numbers : lkst_added_five;
}

/* ---- preparing ---- */

/* Prepare the fast path for a field. Returns whether that is possible. */
static bool lkst_added_pick(const struct lkst_fetch_field *field, struct lkst_added_pick *pick)
{
	if (field->kind != LKST_FETCH_NUMBER || field->source == LKST_FETCH_VALUE ||
	    field->derefs || field->bits)
		return false;
	pick->mask = ~0ULL >> (64 - 8 * field->size);
	pick->from = field->value;
	pick->to = field->offset;
	return true;
}

/* Prepare an event, whose fields have been set, for being recorded. */
void lkst_added_prepare(struct lkst_added *added)
{
	unsigned int i;

	for (i = 0; i < added->num; i++) {
		struct lkst_fetch_field *field = &added->field[i];

		if (field->source == LKST_FETCH_VALUE)
			continue;
		if (added->probe == LKST_FETCH_KRETPROBE && field->source == LKST_FETCH_ARG)
			added->entry_args = true;
		field->value = added->probe == LKST_FETCH_TRACEPOINT ?
			       field->value * sizeof(u64) : lkst_added_position(added, field);
	}
	added->picked = !added->chain && added->num <= LKST_ADDED_PICKS &&
			!IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	for (i = 0; i < added->num && added->picked; i++)
		added->picked = lkst_added_pick(&added->field[i], &added->pick[i]);
	if (added->probe == LKST_FETCH_TRACEPOINT)
		added->function = lkst_added_tracepoint_probe(added);
}
