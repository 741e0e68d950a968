// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of chains: events whose payload takes several records, a head and
 * its parts. tests/unit/record tests in user space what happens if an interrupt
 * occurs while a chain is recorded.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/lkst_etypes.h>

#include "chain.h"
#include "maskset_test.h"

#define ETYPE		LKST_ETYPE_USER_TEXT
#define RECORDS_MAX	(LKST_CHAIN_PARTS_MAX + 1)

/* The records that a chain has added to this CPU's buffer. */
struct written {
	unsigned int num;
	struct lkst_event_record record[RECORDS_MAX + 1];
};

static unsigned int handled;

static void count_handler(void *phookrec, int event_type, lkst_arg_t log_arg1,
			  lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	handled++;
}

/* Record a chain with interrupts off, and read its records. */
static struct written *write_chain(struct kunit *test, const struct lkst_payload *payload)
{
	struct written *written = test_alloc(test, sizeof(*written));
	struct lkst_ring *ring;
	unsigned long flags, index;

	local_irq_save(flags);
	preempt_disable_notrace();
	ring = this_cpu_read(lkst_ring_current);
	index = lkst_ring_next(ring);
	lkst_event_chain(ETYPE, payload);
	for (; index != lkst_ring_next(ring) && written->num <= RECORDS_MAX; index++) {
		index = lkst_index_normal(index, ring->slots);
		if (lkst_ring_read(ring, index, &written->record[written->num]) != LKST_RING_READ)
			break;
		if (written->record[written->num].event_type < LKST_ETYPE_LKST_MIN ||
		    written->record[written->num].event_type == LKST_ETYPE_LKST_MORE)
			written->num++;
	}
	preempt_enable_notrace();
	local_irq_restore(flags);
	return written;
}

/* Check that the records hold the payload. */
static void is_whole(struct kunit *test, const struct written *written,
		     const struct lkst_payload *payload)
{
	unsigned int bytes = payload->words * sizeof(u64) + payload->bytes, n, now, have = 0;
	u8 *got = test_alloc(test, RECORDS_MAX * LKST_CHAIN_BYTES);
	u32 serial = LKST_CHAIN_SERIAL(written->record[0].arg[0]);

	bytes = min_t(unsigned int, bytes, LKST_CHAIN_BYTES_MAX);
	KUNIT_ASSERT_EQ(test, written->num, 1 + LKST_CHAIN_PARTS_OF(bytes));
	for (n = 0; n < written->num; n++) {
		const struct lkst_event_record *record = &written->record[n];

		now = min_t(unsigned int, bytes - have, LKST_CHAIN_BYTES);
		KUNIT_EXPECT_EQ(test, record->event_type, n ? LKST_ETYPE_LKST_MORE : ETYPE);
		if (n)
			KUNIT_EXPECT_EQ(test, record->arg[0], LKST_CHAIN_PART(serial, n, now));
		KUNIT_EXPECT_EQ(test, record->thread, current->pid);
		memcpy(got + have, &record->arg[1], now);
		have += now;
	}
	KUNIT_EXPECT_EQ(test, memcmp(got, payload->word, payload->words * sizeof(u64)), 0);
	KUNIT_EXPECT_EQ(test, memcmp(got + payload->words * sizeof(u64), payload->data,
				     bytes - payload->words * sizeof(u64)), 0);
}

static u8 *text_of(struct kunit *test, unsigned int bytes)
{
	u8 *text = test_alloc(test, bytes + 1);

	for (unsigned int i = 0; i < bytes; i++)
		text[i] = 1 + i % 251;
	return text;
}

static void payloads_are_recorded(struct kunit *test)
{
	static const unsigned int sizes[] = {
		0, 1, 7, 8, 9, 16, 23, 24, 25, 47, 48, 49, 100, LKST_CHAIN_BYTES_MAX - 16,
	};
	struct lkst_payload payload = { .word = { 0x1122334455667788, 0x99aabbccddeeff00 } };
	u32 serial = 0, before = 0;

	KUNIT_ASSERT_EQ(test, PUT(A, "chains", { ETYPE, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	payload.data = text_of(test, LKST_CHAIN_BYTES_MAX);
	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (payload.words = 0; payload.words <= LKST_PAYLOAD_WORDS; payload.words++) {
			const struct written *written;
			unsigned int bytes = payload.words * sizeof(u64) + sizes[i];

			payload.bytes = sizes[i];
			written = write_chain(test, &payload);
			is_whole(test, written, &payload);
			serial = LKST_CHAIN_SERIAL(written->record[0].arg[0]);
			if (before)
				KUNIT_EXPECT_EQ(test, serial, before + 1);
			before = serial;
			KUNIT_EXPECT_EQ(test, written->record[0].arg[0],
					LKST_CHAIN_HEAD(serial, LKST_CHAIN_PARTS_OF(bytes), 0,
							bytes));
		}
	}
}

static void long_payloads_are_cut(struct kunit *test)
{
	struct lkst_payload payload = { .words = 1, .bytes = LKST_CHAIN_BYTES_MAX };
	const struct written *written;

	KUNIT_ASSERT_EQ(test, PUT(A, "chains", { ETYPE, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	payload.data = text_of(test, LKST_CHAIN_BYTES_MAX);
	written = write_chain(test, &payload);
	is_whole(test, written, &payload);
	KUNIT_EXPECT_EQ(test, LKST_CHAIN_HEAD_FLAGS(written->record[0].arg[0]), LKST_CHAIN_CUT);
	KUNIT_EXPECT_EQ(test, LKST_CHAIN_HEAD_BYTES(written->record[0].arg[0]),
			LKST_CHAIN_BYTES_MAX);

	payload.bytes = 4;
	payload.flags = LKST_CHAIN_CUT;
	written = write_chain(test, &payload);
	KUNIT_EXPECT_EQ(test, LKST_CHAIN_HEAD_FLAGS(written->record[0].arg[0]), LKST_CHAIN_CUT);
	KUNIT_EXPECT_EQ(test, written->num, 1);
}

static void handler_of_the_head_decides(struct kunit *test)
{
	struct lkst_payload payload = { .bytes = 60 };
	int handler = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "count", count_handler, NULL);
	const struct {
		int handler;
		unsigned int records;
		unsigned int handled;
	} rows[] = {
		{ LKST_EVHANDLER_ID_NONE, 0, 0 }, { LOG, 3, 0 },
		{ LKST_EVHANDLER_ID_STATIC_LOG, 0, 0 }, { handler, 2, 1 },
	};

	KUNIT_ASSERT_GT(test, handler, 0);
	payload.data = text_of(test, payload.bytes);
	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, PUT(A, "chains", { ETYPE, rows[i].handler }), A);
		KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
		handled = 0;
		KUNIT_EXPECT_EQ_MSG(test, write_chain(test, &payload)->num, rows[i].records,
				    "handler %d", rows[i].handler);
		KUNIT_EXPECT_EQ(test, handled, rows[i].handled);
	}
}

/*
 * A countdown counts a chain as one event, so the last chain before the stop is
 * recorded completely.
 */
static void countdown_counts_chains(struct kunit *test)
{
	struct lkst_payload payload = { .bytes = 60 };

	KUNIT_ASSERT_EQ(test, PUT(A, "chains", { ETYPE, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	payload.data = text_of(test, payload.bytes);
	lkst_select_countdown(2);
	KUNIT_EXPECT_EQ(test, write_chain(test, &payload)->num, 3);
	KUNIT_EXPECT_EQ(test, write_chain(test, &payload)->num, 3);
	KUNIT_EXPECT_EQ(test, write_chain(test, &payload)->num, 0);
}

/*
 * A maskset has no entry for LKST_MORE, the event type of parts. If one is
 * written, it is ignored.
 */
static void parts_have_no_entry(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, handler_of(test, LKST_MASKSET_ID_RALL, LKST_ETYPE_LKST_MORE),
			-ENOENT);
	KUNIT_ASSERT_EQ(test, PUT(A, "chains", { LKST_ETYPE_LKST_MORE, LOG }), A);
	KUNIT_EXPECT_EQ(test, handler_of(test, A, LKST_ETYPE_LKST_MORE), -ENOENT);
	KUNIT_EXPECT_EQ(test, handler_of(test, LKST_MASKSET_ID_RDEFAULT, LKST_ETYPE_OOPS_MESSAGE),
			LKST_EVHANDLER_ID_NONE);
}

static struct kunit_case chain_test_cases[] = {
	KUNIT_CASE(payloads_are_recorded),
	KUNIT_CASE(long_payloads_are_cut),
	KUNIT_CASE(handler_of_the_head_decides),
	KUNIT_CASE(countdown_counts_chains),
	KUNIT_CASE(parts_have_no_entry),
	{}
};

LKST_TEST_SUITE("lkst-chain", chain_test_cases, .exit = forget_masksets);
