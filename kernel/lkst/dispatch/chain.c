// SPDX-License-Identifier: GPL-2.0
/*
 * Write chains (Documentation/lkst/chains.rst). A chain records an event whose
 * payload does not fit in one record. Its first record, the head, is the event
 * itself. The others, the parts, are LKST_MORE records with the rest of the
 * payload. Head and parts contain the serial number of the chain. All of them
 * are ordinary records, so the record path need not know about chains.
 *
 * A reader must be able to tell which parts belong to which head, and in which
 * order:
 *
 * - All records of a chain are written on one CPU, because preemption is off
 *   until the last one is written. So the CPU and the serial identify a chain.
 *
 * - No two chains of a CPU have the same serial, unless 2^32 chains are between
 *   them. An interrupt may write a chain between any two instructions of the
 *   code here. lkst_local_fetch_inc() takes the serial atomically with respect
 *   to interrupts and NMIs, so the interrupt gets either an earlier or a later
 *   serial. With a separate load and store, both chains could get the same one.
 *
 *   A chain that a rule drops takes a serial, too. Readers do not expect that
 *   the serials are without gaps.
 *
 * - The head comes first, and the parts follow in ascending order. A writer
 *   finishes a record before it begins the next, and the positions of records
 *   are in the order in which the records were started (record-path.rst,
 *   "Invariants"). A shift between two records of a chain does not change that:
 *   recids continue from buffer to buffer without a gap.
 *
 * Nothing more is guaranteed. Each record of a chain can be lost, like any
 * other record: it may be overwritten or dropped, the CPU may have no buffer,
 * or the machine may die before the record is written.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>

#include "../buffer/emit.h"
#include "../rules/rule.h"
#include "action.h"
#include "chain.h"
#include "event.h"
#include "event_fast.h"
#include "maskset.h"

/* The serial of this CPU's next chain; only its low 32 bits are used. */
static DEFINE_PER_CPU(unsigned long, lkst_chain_serial);

/* Copy up to LKST_CHAIN_BYTES to the arguments of a record, and zero the rest. */
static __always_inline void lkst_chain_copy(u64 *arg, const void *data, unsigned int bytes)
{
	arg[0] = 0;
	arg[1] = 0;
	arg[2] = 0;
	/* Most payloads have no words: avoid the call of memcpy(). */
	if (bytes)
		memcpy(arg, data, bytes);
}

static notrace void lkst_chain_parts(u32 serial, const char *data, unsigned int bytes)
{
	unsigned int part, now;
	u64 arg[3];

	for (part = 1; bytes; part++) {
		now = min_t(unsigned int, bytes, LKST_CHAIN_BYTES);
		lkst_chain_copy(arg, data, now);
		lkst_emit(LKST_ETYPE_LKST_MORE, LKST_EVENT_DEPTH,
			  LKST_CHAIN_PART(serial, part, now), arg[0], arg[1], arg[2]);
		data += now;
		bytes -= now;
	}
}

/*
 * Whether to record the parts after @handler has handled the head. The static
 * buffer is too small for chains, so it gets only heads. It is unknown whether
 * the handler of a module records the head. It probably does, and parts without
 * a head do no harm.
 */
static bool lkst_chain_has_parts(unsigned int handler)
{
	return handler != LKST_EVHANDLER_ID_NONE && handler != LKST_EVHANDLER_ID_STATIC_LOG;
}

static notrace void lkst_chain_write(int etype, const struct lkst_payload *payload)
{
	unsigned int in_words = payload->words * sizeof(u64), flags = payload->flags;
	unsigned int bytes = payload->bytes, in_head, handler;
	u32 serial = lkst_local_fetch_inc(raw_cpu_ptr(&lkst_chain_serial));
	struct lkst_rule_fired fired LKST_UNSET;
	u64 arg[3];

	if (bytes > LKST_CHAIN_BYTES_MAX - in_words) {
		bytes = LKST_CHAIN_BYTES_MAX - in_words;
		flags |= LKST_CHAIN_CUT;
	}
	in_head = min_t(unsigned int, bytes, LKST_CHAIN_BYTES - in_words);
	lkst_chain_copy(arg, payload->word, in_words);
	memcpy((char *)arg + in_words, payload->data, in_head);
	fired.actions = 0;
	handler = lkst_event_head(etype, payload, &fired,
				  LKST_CHAIN_HEAD(serial, LKST_CHAIN_PARTS_OF(in_words + bytes),
						  flags, in_words + bytes),
				  arg[0], arg[1], arg[2]);
	if (lkst_chain_has_parts(handler))
		lkst_chain_parts(serial, (const char *)payload->data + in_head, bytes - in_head);
	if (fired.actions)
		lkst_actions_run(LKST_ACTION_AFTER, etype, &fired);
}

/**
 * lkst_event_chain() - handle an event whose payload may need several records
 * @etype: event type; its first argument has the format "chain"
 * @payload: payload of the event
 *
 * The event handler that the maskset selects for @etype is called once, with
 * the head. After that, the parts are recorded, unless the handler is
 * LKST_EVHANDLER_ID_STATIC_LOG, which records only the head. A countdown of
 * events (LKST_EVHANDLER_ID_STOP_AFTER) counts a chain as one event, and the
 * last chain is recorded as a whole.
 *
 * Takes no lock and allocates no memory. The time that it takes depends only on
 * the number of records.
 *
 * Context: any, NMI included, even while RCU is not watching. Preemption must
 * have been disabled exactly once for the purpose of recording this event, as
 * for lkst_event_nopreempt().
 */
notrace void lkst_event_chain(int etype, const struct lkst_payload *payload)
{
	lkst_event_disable();
	lkst_event_chain_within(etype, payload);
	lkst_event_enable();
}

/**
 * lkst_event_chain_within() - handle a chain while another event is handled
 * @etype: event type; its first argument has the format "chain"
 * @payload: payload of the event
 *
 * Context: as for lkst_event_chain(), but preemption has been disabled
 * LKST_EVENT_DEPTH times.
 */
notrace void lkst_event_chain_within(int etype, const struct lkst_payload *payload)
{
	/* A masked event takes no serial. */
	if (lkst_maskset_dispatched(etype) != LKST_EVHANDLER_ID_NONE)
		lkst_chain_write(etype, payload);
}

/**
 * lkst_event_message() - handle an OOPS_MESSAGE event
 * @level: log level, 0 to 7
 * @length: length of the message, in bytes
 * @text: text of the message
 * @bytes: number of bytes at @text, at most @length
 *
 * Context: as for lkst_event_chain().
 */
notrace void lkst_event_message(int level, unsigned int length, const char *text,
				unsigned int bytes)
{
	const struct lkst_payload payload = {
		.word = { (u64)(u32)level << 32 | length },
		.words = 1,
		.data = text,
		.bytes = bytes,
		.flags = bytes < length ? LKST_CHAIN_CUT : 0,
	};

	lkst_event_chain(LKST_ETYPE_OOPS_MESSAGE, &payload);
}
