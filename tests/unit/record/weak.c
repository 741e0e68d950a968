// SPDX-License-Identifier: GPL-2.0
/*
 * A model of a reader on another CPU, for CPUs with weaker memory ordering than x86.
 *
 * First, writers run. The model lists their stores and the barriers between them. Two stores become
 * visible to another CPU in program order only if both are to the same place, if smp_wmb() is
 * between them, or if the later one is a release.
 *
 * Then the reader runs again and again, until each of its loads has returned all values that it may
 * return. The reader has observed a store if it loaded the store's value before the last smp_rmb()
 * or with an acquire. It has then also observed all stores that become visible before that store. A
 * load may return the value of any store to its place, except one that is older than a store that
 * the reader has observed.
 *
 * That is the order that the kernel's memory model guarantees if one side only writes and the other
 * only reads. The model ignores the order that address, data and control dependencies give.
 *
 * A record is checked one field at a time, because the result for one field does not depend on what
 * the reader loads from the others.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "weak.h"
#include "world.h"

#define STORES_MAX 512
#define FIELDS_MAX 128
#define LOADS_MAX  64
#define WRITES_MAX 32
#define OPS_MAX	   16

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* A set of stores, with a bit for each */
typedef u64 set __attribute__((vector_size(STORES_MAX / 8)));

/* The initial value of a field counts as the first store to it. */
static struct store {
	u64 value;
	int earlier; /* the previous store to the field, or -1 */
	set before; /* this store, and all stores that are visible if it is */
} stores[STORES_MAX];

static struct field {
	uintptr_t at;
	size_t size;
	bool record; /* part of a record, so plain stores may change it */
	int first, newest; /* indexes in stores[] of its first and newest store */
} fields[FIELDS_MAX];

static int field_num, store_num, barrier_num; /* barrier_num: store_num at the last smp_wmb() */

/* A writer, and the record that it wrote. */
static struct weak_writer {
	u64 serial, position;
	u64 clock;
	bool dropped;
	int end; /* number of stores when the writer returned */
} writers[WRITES_MAX];
static int writer_num;
static struct weak_writer *running; /* the innermost writer that is active */
static u64 next_position;
static u64 tick; /* increment of the clock from writer to writer */

static bool reading; /* the writers have finished, and a reader is running */

/* Return the @size bytes at @at as a number. This assumes a little-endian CPU. */
static u64 memory(uintptr_t at, size_t size)
{
	u64 value = 0;

	memcpy(&value, (void *)at, size);
	return value;
}

static struct store *store_new(struct field *field, u64 value)
{
	struct store *store = &stores[store_num];

	if (store_num == STORES_MAX)
		record_fail("STORES_MAX is too small");
	*store = (struct store){ .value = value, .earlier = field->newest };
	store->before[store_num / 64] |= 1ull << store_num % 64;
	field->newest = store_num++;
	return store;
}

static struct field *field_add(uintptr_t at, size_t size, bool record)
{
	struct field *field = &fields[field_num++];

	if (field_num > FIELDS_MAX)
		record_fail("FIELDS_MAX is too small");
	*field = (struct field){ at, size, record, store_num, -1 };
	store_new(field, memory(at, size));
	return field;
}

/* Return the field at @at. Members of the ring become fields at their first access. */
static struct field *field_at(uintptr_t at, size_t size)
{
	for (int i = 0; i < field_num; i++)
		if (fields[i].at == at)
			return &fields[i];
	return field_add(at, size, false);
}

static void store_add(struct field *field, u64 value, bool release)
{
	int earlier = field->newest, limit = release ? store_num : barrier_num;
	struct store *store = store_new(field, value);

	for (int i = 0; i < limit; i++)
		store->before |= stores[i].before;
	store->before |= stores[earlier].before;
}

/* Add the plain stores since the last hook to stores[]. Nothing orders them among themselves. */
static void plain_stores(void)
{
	for (int i = 0; i < field_num; i++) {
		struct field *field = &fields[i];
		u64 value = memory(field->at, field->size);

		if (field->record && value != stores[field->newest].value)
			store_add(field, value, false);
	}
}

/* ---- the writers' side ---- */

/*
 * @hooks counts the accesses and barriers of writers. Nested writers run before the access or
 * barrier with number @interrupt_at (0: never).
 */
static long interrupt_at, hooks;
static void write_nested(void);

static void writer_hook(void)
{
	plain_stores();
	/* Interrupt only writers: a writer that interrupts a shift ('c', 'o') uses another ring. */
	if (running && ++hooks == interrupt_at)
		write_nested();
}

void weak_store(const volatile void *to, size_t size, u64 value, bool release)
{
	uintptr_t at = (uintptr_t)to;
	size_t done, part = size < sizeof(long) ? size : sizeof(long);

	writer_hook();
	for (done = 0; done < size; done += part) {
		struct field *field = field_at(at + done, part);

		memcpy((void *)(at + done), (char *)&value + done, part);
		store_add(field, memory(at + done, part), release);
	}
}

/* Call the hook, then return the field of an atomic operation. */
static struct field *atomic_field(const unsigned long *at)
{
	writer_hook();
	return field_at((uintptr_t)at, sizeof(*at));
}

unsigned long weak_fetch_inc(unsigned long *at)
{
	struct field *field = atomic_field(at);

	store_add(field, ++*at, false);
	if (at == weak_index)
		running->position = next_position++;
	else
		running->dropped = true;
	return *at - 1;
}

bool weak_try_cmpxchg(unsigned long *at, unsigned long *old, unsigned long new, bool takes)
{
	struct field *field = atomic_field(at);
	bool done = *at == *old;

	*old = *at;
	if (done) {
		*at = new;
		store_add(field, new, false);
		if (takes)
			running->position = next_position++;
	}
	return done;
}

void weak_clear_release(unsigned long *at, unsigned long bits)
{
	struct field *field = atomic_field(at);

	store_add(field, *at &= ~bits, true);
}

u64 weak_clock(void)
{
	running->clock = record_clock += tick;
	return running->clock;
}

void weak_wmb(void)
{
	writer_hook();
	barrier_num = store_num;
}

/* ---- the reader's side ---- */

static struct {
	unsigned int choice[LOADS_MAX], choices[LOADS_MAX];
	/*
	 * @num is the number of loads so far in this run that could return several values.
	 * @replayed is the number of valid entries of @choice. A load with such an entry repeats
	 * this choice.
	 */
	unsigned int num, replayed;
	/* @known: stores that the reader knows; @seen: stores that smp_rmb() adds to @known */
	set seen, known;
	int newest[FIELDS_MAX]; /* for each field, the store whose value was loaded last, or -1 */
	int checked; /* index of the field that is checked */
	int commit, flags; /* indexes of the fields that contain the commit word and the lap */
} reader;

static unsigned int choose(unsigned int choices)
{
	unsigned int n = reader.num++;

	if (n == LOADS_MAX)
		record_fail("LOADS_MAX is too small");
	if (n >= reader.replayed) {
		reader.choice[n] = 0;
		reader.choices[n] = choices;
		reader.replayed = n + 1;
	}
	return reader.choice[n];
}

/* Select the next combination of choices. Return false after the last one. */
static bool choose_next(void)
{
	while (reader.replayed) {
		unsigned int n = reader.replayed - 1;

		if (++reader.choice[n] < reader.choices[n])
			return true;
		reader.replayed = n;
	}
	return false;
}

static u64 field_load(int from, bool acquire)
{
	const struct field *field = &fields[from];
	int candidates[STORES_MAX], num = 0, i, n = field->newest;
	const struct store *store;

	if (field->record && from != reader.checked && from != reader.commit &&
	    from != reader.flags)
		return stores[field->first].value;
	/*
	 * The load may return any value back to the newest store that the reader knows. Of several
	 * stores of the same value, only the first one is tried: the later ones make at least as
	 * many other stores visible, so they allow no other results.
	 */
	for (bool known = false; n >= 0 && !known; n = stores[n].earlier) {
		for (i = 0; i < num && stores[candidates[i]].value != stores[n].value;)
			i++;
		candidates[i] = n;
		num += i == num;
		known = n == reader.newest[from] || reader.known[n / 64] >> n % 64 & 1;
	}
	n = candidates[num > 1 ? choose((unsigned int)num) : 0];
	reader.newest[from] = n;
	store = &stores[n];
	reader.seen |= store->before;
	if (acquire)
		reader.known |= store->before;
	return store->value;
}

u64 weak_load(const volatile void *from, size_t size, bool acquire)
{
	uintptr_t at = (uintptr_t)from;
	bool stored = false;
	u64 value = 0;

	if (!reading) {
		writer_hook();
		return memory(at, size);
	}
	for (int i = 0; i < field_num; i++) {
		const struct field *field = &fields[i];

		if (field->at < at || field->at >= at + size)
			continue;
		value |= field_load(i, acquire) << 8 * (field->at - at);
		stored = true;
	}
	return stored ? value : memory(at, size);
}

void weak_rmb(void)
{
	reader.known |= reader.seen;
}

/* ---- one list of operations, and everything that a reader can get from it ---- */

static const size_t record_fields[] = {
#if __LONG_WIDTH__ == 64
	8, 2, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8,
#else
	4, 4, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
#endif
};

#define RECORD_FIELDS ((int)NUM(record_fields))
#define FLAGS_FIELD   (2 + (__LONG_WIDTH__ == 32))

static void write_one(void)
{
	struct weak_writer *writer = &writers[writer_num++], *interrupted = running;

	if (writer_num > WRITES_MAX)
		record_fail("WRITES_MAX is too small");
	*writer = (struct weak_writer){ .serial = 100 + (u64)writer_num };
	running = writer;
	record_world_call(weak_write, NULL, writer->serial);
	running = interrupted;
	plain_stores();
	writer->end = store_num;
}

/*
 * A list of operations. 'w': write a record. 'c': close the ring. 'o': open the ring again. 'a':
 * decrement the lap in the index, as if the ring had advanced until this lap wrapped, so that the
 * next records have the same positions as those of the last lap. A reader of such a position must
 * get the old record or the new one, never a mixture of them, provided that their clocks differ.
 */
struct weak_list {
	unsigned long slots;
	const char *before; /* operations whose stores the reader knows from the start */
	const char *ops;
	unsigned int nested; /* records that nested writers write before one access of @ops */
};

static const struct weak_list *list;
static int ends[OPS_MAX]; /* number of stores when each operation ended */

static void write_nested(void)
{
	for (unsigned int i = 0; i < list->nested; i++)
		write_one();
}

static void run_op(char op)
{
	switch (op) {
	case 'w':
		write_one();
		break;
	case 'c':
		weak_close();
		break;
	case 'o':
		next_position = weak_open();
		break;
	case 'a':
		next_position -= list->slots;
		weak_all_laps();
		break;
	}
}

/*
 * Run the list, and write the nested records before access @at. Return false if the list has fewer
 * accesses.
 */
static bool write_list(long at)
{
	uintptr_t place = (uintptr_t)weak_records;
	const char *op;

	field_num = store_num = barrier_num = writer_num = 0;
	next_position = 0;
	record_clock = 1000;
	reading = false;
	interrupt_at = 0;
	weak_init(list->slots);
	for (op = list->before; *op; op++)
		run_op(*op);
	/* The reader knows the stores so far, so begin with the values that they left. */
	field_num = store_num = barrier_num = 0;
	for (int i = 0; i < writer_num; i++)
		writers[i].end = 0;
	for (int i = 0; i < (int)list->slots * RECORD_FIELDS; i++) {
		size_t size = record_fields[i % RECORD_FIELDS];

		field_add(place, size, true);
		place += size;
	}

	hooks = 0;
	interrupt_at = at;
	for (op = list->ops; *op; op++) {
		run_op(*op);
		ends[op - list->ops] = store_num;
	}
	reading = true;
	return hooks >= at;
}

static void check_record(const struct weak_writer *writer, const struct lkst_event_record *got)
{
	struct lkst_event_record expected;
	int field = reader.checked % RECORD_FIELDS, i;
	size_t offset = 0;

	/*
	 * With 'a', two writers have this position. Find the one whose clock was loaded. On 32-bit,
	 * compare only the half that commits, because the other half may not have been loaded.
	 */
	for (i = 0; i < writer_num; i++)
		if (writers[i].position == writer->position &&
		    (unsigned long)writers[i].clock == (unsigned long)got->clock)
			writer = &writers[i];
	record_world_fill(writer->serial, &expected);
	expected.clock = writer->clock;
	for (i = 0; i < field; i++)
		offset += record_fields[i];
	if (memcmp((char *)got + offset, (char *)&expected + offset, record_fields[field]))
		record_fail("position %llu was read with another one's bytes at %zu",
			    writer->position, offset);
}

/*
 * Read a record and check the result. A patient reader, such as lkst_cursor_read(), reads only when
 * no writer is active. If it finds a record unfinished, the record must have been dropped.
 */
static void check(const struct weak_writer *writer, int known, bool patient)
{
	struct lkst_event_record got = { .clock = 0 };
	bool overwritten = next_position > writer->position + list->slots, dropped = false;

	if (strchr(list->ops, 'a')) {
		if (tick && writer->position == next_position - 1 && weak_begun(writer->position) &&
		    weak_read(writer->position, &got) == RECORD_READ)
			check_record(writer, &got);
		return;
	}
	if (!weak_begun(writer->position)) {
		if (!overwritten && writer->end <= known)
			record_fail("position %llu is not found, though it had been committed",
				    writer->position);
		return;
	}
	if (patient) {
		if (!weak_idle())
			return;
		dropped = weak_was_dropped(writer->position);
	}
	switch (weak_read(writer->position, &got)) {
	case RECORD_READ:
		if (writer->dropped)
			record_fail("position %llu was read, but it was dropped", writer->position);
		check_record(writer, &got);
		break;
	case RECORD_PENDING:
		if (!writer->dropped && writer->end <= known)
			record_fail("position %llu was not read, though it had been committed",
				    writer->position);
		if (patient && !writer->dropped)
			record_fail("position %llu is said to stay unfinished", writer->position);
		if (patient && !dropped)
			record_fail("position %llu is not said to be dropped", writer->position);
		return;
	case RECORD_LAPPED:
		if (!overwritten)
			record_fail("position %llu is said to be overwritten", writer->position);
		return;
	}
	if (dropped)
		record_fail("position %llu is said to be dropped", writer->position);
}

/* Try all reads of @writer's record that start when the first @known stores are visible. */
static void read_all(const struct weak_writer *writer, int known)
{
	int slot = (int)(writer->position % list->slots), i;
	set first = { 0 };

	for (i = 0; i < known; i++)
		first |= stores[i].before;
	reader.commit = slot * RECORD_FIELDS;
	reader.flags = reader.commit + FLAGS_FIELD;
	for (i = 0; i <= RECORD_FIELDS; i++) {
		bool patient = i == RECORD_FIELDS;

		/* The fields in the middle are alike, and lists without interrupts cover them. */
		if (list->nested && i > FLAGS_FIELD && i < RECORD_FIELDS - 1)
			continue;
		reader.checked = reader.commit + (patient ? 0 : i);
		reader.replayed = 0;
		do {
			reader.num = 0;
			reader.seen = reader.known = first;
			memset(reader.newest, -1, sizeof(reader.newest));
			check(writer, known, patient);
		} while (choose_next());
	}
}

/*
 * Run the operations of a list. If the list has nested records, run the operations once for each of
 * their memory accesses, and write the nested records just before this access. After each run,
 * check every result that a reader can get.
 */
static void run_list(void)
{
	bool more = true;

	for (long at = 1; more; at++) {
		more = write_list(at) && list->nested;
		for (int i = 0; i < writer_num; i++) {
			record_describe(
				"%lu slots, tick %llu, '%s', then '%s' with %u before access %ld; reader of %llu",
				list->slots, tick, list->before, list->ops, list->nested, at,
				writers[i].position);
			read_all(&writers[i], 0);
			for (int k = 0; list->ops[k]; k++)
				read_all(&writers[i], ends[k]);
		}
	}
}

void record_case_weak(void)
{
	static const u64 ticks[] = { 0, (1ull << 32) + 1 };
	static const struct weak_list lists[] = {
		{ 1, "w", "ww", 0 },	    { 1, "ww", "ww", 0 },     { 1, "ww", "w", 1 },
		{ 1, "wcow", "wcow", 0 },   { 1, "wco", "wco", 0 },   { 1, "wc", "owwc", 0 },
		{ 1, "w", "waw", 0 },	    { 2, "ww", "ww", 0 },     { 2, "wwww", "www", 0 },
		{ 2, "wwww", "w", 1 },	    { 2, "wwww", "w", 2 },    { 2, "wwcow", "wcow", 0 },
		{ 2, "wcow", "wwcowc", 0 }, { 2, "wwc", "owwco", 1 },
	};

	for (unsigned int i = 0; i < NUM(ticks); i++) {
		tick = ticks[i];
		for (list = lists; list < lists + NUM(lists); list++)
			run_list();
	}
}
