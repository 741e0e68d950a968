// SPDX-License-Identifier: GPL-2.0
/*
 * A reader on another CPU, where CPUs order less than x86 does.
 *
 * Writers run and leave the list of their stores and of the barriers between them. A
 * store comes before another, for whoever looks from elsewhere, only if both are to the
 * same place, if smp_wmb() is between them, or if the later one is a release. Then
 * the reader is run again and again, until each of its loads has returned each of the
 * stores that it can return: not one that is older than what the reader knows of. It
 * knows of what it has seen before the last smp_rmb() or with an acquire, and of what
 * comes before that. This is what the kernel's memory model leaves of the order when one
 * side only writes and the other only reads. Dependencies order nothing here.
 *
 * A record is checked a field at a time: which of the stores to the other fields a reader
 * gets decides nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "record_weak.h"
#include "record_world.h"

#define STORES_MAX 256
#define FIELDS_MAX 128
#define LOADS_MAX  64
#define WRITES_MAX 32
#define OPS_MAX	   16

struct set {
	u64 bits[STORES_MAX / 64];
};

struct field {
	uintptr_t at;
	size_t size;
	u64 first; /* value before all stores */
	u64 shadow; /* value at the last hook, for the plain stores since */
	bool record; /* of a record: stored to by plain stores, too */
	int stores[STORES_MAX];
	int num;
};

struct store {
	int field;
	int nth; /* of the field's stores */
	u64 value;
	struct set before; /* itself and all that are seen if it is */
};

static struct field fields[FIELDS_MAX];
static struct store stores[STORES_MAX];
static int field_num, store_num, barrier_num; /* barrier_num: stores before the last smp_wmb() */

/* One record that was written. */
static struct weak_writer {
	u64 serial, position;
	u64 clock;
	bool dropped;
	int end; /* stores that there were when the writer returned */
} writers[WRITES_MAX];
static int writer_num;
static struct weak_writer *running; /* the innermost */
static u64 next_position;
static u64 tick; /* how much the clock goes on from writer to writer */

static enum {
	SETUP, /* writers write and leave nothing behind but the records */
	WRITING,
	READING,
} mode;

static void set_add(struct set *set, const struct set *more)
{
	unsigned int i;

	for (i = 0; i < STORES_MAX / 64; i++)
		set->bits[i] |= more->bits[i];
}

static void set_put(struct set *set, int n)
{
	set->bits[n / 64] |= 1ull << n % 64;
}

static bool set_has(const struct set *set, int n)
{
	return set->bits[n / 64] >> n % 64 & 1;
}

static u64 memory(uintptr_t at, size_t size)
{
	u16 two;
	u32 four;
	u64 eight;

	switch (size) {
	case 2:
		memcpy(&two, (void *)at, 2);
		return two;
	case 4:
		memcpy(&four, (void *)at, 4);
		return four;
	}
	memcpy(&eight, (void *)at, 8);
	return eight;
}

static int field_add(uintptr_t at, size_t size, bool record)
{
	struct field *field = &fields[field_num];

	if (field_num == FIELDS_MAX)
		record_fail("FIELDS_MAX is too small");
	field->at = at;
	field->size = size;
	field->first = field->shadow = memory(at, size);
	field->record = record;
	field->num = 0;
	return field_num++;
}

/* The field at @at; places in the ring become fields when they are used first. */
static int field_at(uintptr_t at, size_t size)
{
	int i;

	if (mode == SETUP)
		return 0;
	for (i = 0; i < field_num; i++)
		if (fields[i].at == at)
			return i;
	return field_add(at, size, false);
}

static void store_add(int to, u64 value, bool release)
{
	struct field *field = &fields[to];
	struct store *store = &stores[store_num];
	int i, limit = release ? store_num : barrier_num;

	if (mode == SETUP)
		return;
	if (store_num == STORES_MAX)
		record_fail("STORES_MAX is too small");
	*store = (struct store){ .field = to, .nth = field->num, .value = value };
	set_put(&store->before, store_num);
	for (i = 0; i < limit; i++)
		set_add(&store->before, &stores[i].before);
	if (field->num)
		set_add(&store->before, &stores[field->stores[field->num - 1]].before);
	field->stores[field->num++] = store_num++;
	field->shadow = value;
}

/* The plain stores since the last hook, in no order. */
static void plain_stores(void)
{
	int i;

	if (mode == SETUP)
		return;
	for (i = 0; i < field_num; i++) {
		u64 value;

		if (!fields[i].record)
			continue;
		value = memory(fields[i].at, fields[i].size);
		if (value != fields[i].shadow)
			store_add(i, value, false);
	}
}

/* --- The writers' side */

static long interrupt_at, hooks;
static void (*interrupt)(void);

static void writer_hook(void)
{
	plain_stores();
	/* Those that interrupt a shift are led to another ring. */
	if (mode == WRITING && running && ++hooks == interrupt_at)
		interrupt();
}

void weak_store(const volatile void *to, size_t size, u64 value, bool release)
{
	uintptr_t at = (uintptr_t)to;
	size_t done, part = size < sizeof(long) ? size : sizeof(long);

	writer_hook();
	for (done = 0; done < size; done += part) {
		int field = field_at(at + done, part);

		memcpy((void *)(at + done), (char *)&value + done, part);
		store_add(field, memory(at + done, part), release);
	}
}

unsigned long weak_fetch_inc(unsigned long *at)
{
	int field;

	writer_hook();
	field = field_at((uintptr_t)at, sizeof(*at));
	store_add(field, ++*at, false);
	if (at == weak_index())
		running->position = next_position++;
	else
		running->dropped = true;
	return *at - 1;
}

bool weak_try_cmpxchg(unsigned long *at, unsigned long *old, unsigned long new, bool takes)
{
	bool done;
	int field;

	writer_hook();
	field = field_at((uintptr_t)at, sizeof(*at));
	done = *at == *old;
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
	int field;

	writer_hook();
	field = field_at((uintptr_t)at, sizeof(*at));
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

/* --- The reader's side */

static struct {
	unsigned int choice[LOADS_MAX], choices[LOADS_MAX];
	unsigned int num, replayed; /* loads with a choice in this run */
	struct set seen, known;
	int newest[FIELDS_MAX]; /* that was seen, of each field */
	int checked; /* field of the record */
	int commit, flags;
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

/* On to the next run; false when all have been. */
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
	int oldest = reader.newest[from], candidate[STORES_MAX + 1], num = 0, i, nth;
	u64 value;

	if (field->record && from != reader.checked && from != reader.commit &&
	    from != reader.flags)
		return field->first;

	for (i = oldest + 1; i < field->num; i++)
		if (set_has(&reader.known, field->stores[i]))
			oldest = i;
	/* Of stores of one value the first: what it brings with it, the others do, too. */
	for (nth = oldest; nth < field->num; nth++) {
		value = nth < 0 ? field->first : stores[field->stores[nth]].value;
		for (i = 0; i < num; i++)
			if ((candidate[i] < 0 ? field->first :
						stores[field->stores[candidate[i]]].value) == value)
				break;
		if (i == num)
			candidate[num++] = nth;
	}
	nth = candidate[num > 1 ? choose((unsigned int)num) : 0];
	reader.newest[from] = nth;
	if (nth < 0)
		return field->first;
	set_add(&reader.seen, &stores[field->stores[nth]].before);
	if (acquire)
		set_add(&reader.known, &stores[field->stores[nth]].before);
	return stores[field->stores[nth]].value;
}

u64 weak_load(const volatile void *from, size_t size, bool acquire)
{
	uintptr_t at = (uintptr_t)from;
	bool stored = false;
	u64 value = 0;
	int i;

	if (mode != READING) {
		writer_hook();
		return memory(at, size);
	}
	for (i = 0; i < field_num; i++) {
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
	set_add(&reader.known, &reader.seen);
}

/* --- One list of stores, and all that a reader can make of it */

static const size_t record_fields[] = {
#if __LONG_WIDTH__ == 64
	8, 2, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8,
#else
	4, 4, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
#endif
};

#define RECORD_FIELDS ((int)(sizeof(record_fields) / sizeof(*record_fields)))
#define FLAGS_FIELD   (2 + (__LONG_WIDTH__ == 32))

static unsigned long slots;

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
 * What happens: 'w': a record, 'c': the ring is closed, 'o': it is opened again, 'a': it
 * goes round as often as there are laps, so that the last lap's positions come again. Who
 * asks for one must get the one record or the other, if the clock has gone on.
 */
struct weak_list {
	const char *before; /* nobody sees it happen */
	const char *ops;
	unsigned int nested; /* records before one of the accesses of @ops */
};

static const struct weak_list *list;
static int ends[OPS_MAX]; /* stores that there were after each of @ops */

static void write_nested(void)
{
	unsigned int i;

	for (i = 0; i < list->nested; i++)
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
		next_position -= slots;
		weak_all_laps();
		break;
	}
}

/* With the nested records before access @at. Were there so many accesses? */
static bool write_list(long at)
{
	struct weak_area records = weak_records_area();
	uintptr_t place = (uintptr_t)records.at;
	unsigned long slot;
	const char *op;
	unsigned int i;

	field_num = store_num = barrier_num = writer_num = 0;
	next_position = 0;
	record_clock = 1000;
	mode = SETUP;
	weak_init(slots);
	for (op = list->before; *op; op++)
		run_op(*op);
	for (slot = 0; slot < slots; slot++)
		for (i = 0; i < (unsigned int)RECORD_FIELDS; place += record_fields[i++])
			field_add(place, record_fields[i], true);

	mode = WRITING;
	hooks = 0;
	interrupt_at = at;
	interrupt = write_nested;
	for (op = list->ops; *op; op++) {
		run_op(*op);
		ends[op - list->ops] = store_num;
	}
	mode = READING;
	return hooks >= at;
}

static void check_record(const struct weak_writer *writer, const struct lkst_event_record *got)
{
	struct lkst_event_record wanted;
	int field = reader.checked % RECORD_FIELDS, i;
	size_t offset = 0;

	/* By what commits it: the other half of the clock may be a field that is not checked. */
	for (i = 0; i < writer_num; i++)
		if (writers[i].position == writer->position &&
		    (unsigned long)writers[i].clock == (unsigned long)got->clock)
			writer = &writers[i];
	record_world_fill(writer->serial, &wanted);
	wanted.clock = writer->clock;
	for (i = 0; i < field; i++)
		offset += record_fields[i];
	if (memcmp((char *)got + offset, (char *)&wanted + offset, record_fields[field]))
		record_fail("position %llu was read with another one's bytes at %zu",
			    writer->position, offset);
}

/*
 * A reader comes to a record; one that is patient, as lkst_cursor_read() is, waits until
 * nobody is at work and takes what it then finds for the last word.
 */
static void check(const struct weak_writer *writer, const struct lkst_event_record *before,
		  int known, bool patient)
{
	struct lkst_event_record got = *before;
	bool overwritten = next_position > writer->position + slots, dropped = false;

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

/* All readers of @writer's record that begin when the first @known stores can be seen. */
static void read_all(const struct weak_writer *writer, int known)
{
	struct lkst_event_record record = { .clock = 0 };
	int slot = (int)(writer->position % slots), i;
	struct set first = { { 0 } };

	for (i = 0; i < known; i++)
		set_add(&first, &stores[i].before);
	reader.commit = slot * RECORD_FIELDS;
	reader.flags = reader.commit + FLAGS_FIELD;
	for (i = 0; i <= RECORD_FIELDS; i++) {
		bool patient = i == RECORD_FIELDS;

		/* Those in the middle are all alike; the lists without interrupts have them. */
		if (list->nested && i > FLAGS_FIELD && i < RECORD_FIELDS - 1)
			continue;
		reader.checked = reader.commit + (patient ? 0 : i);
		reader.replayed = 0;
		do {
			reader.num = 0;
			reader.seen = reader.known = first;
			memset(reader.newest, -1, sizeof(reader.newest));
			check(writer, &record, known, patient);
		} while (choose_next());
	}
}

/* With the nested records at each access. */
static void weak_list(const struct weak_list *all)
{
	long at = 1;
	bool more;

	list = all;
	do {
		int i, k;

		more = write_list(at);
		for (i = 0; i < writer_num; i++) {
			record_note(
				"%lu slots, tick %llu, '%s', then '%s' with %u before access %ld; reader of %llu",
				slots, tick, list->before, list->ops, list->nested, at,
				writers[i].position);
			read_all(&writers[i], 0);
			for (k = 0; list->ops[k]; k++)
				read_all(&writers[i], ends[k]);
		}
		at++;
	} while (more && list->nested);
}

void record_case_weak(void)
{
	static const u64 ticks[] = { 0, (1ull << 32) + 1 };
	/* With one slot, and with two. */
	static const struct weak_list lists[2][7] = { {
							      { "w", "ww", 0 },
							      { "ww", "ww", 0 },
							      { "ww", "w", 1 },
							      { "wcow", "wcow", 0 },
							      { "wco", "wco", 0 },
							      { "wc", "owwc", 0 },
							      { "w", "waw", 0 },
						      },
						      {
							      { "ww", "ww", 0 },
							      { "wwww", "www", 0 },
							      { "wwww", "w", 1 },
							      { "wwww", "w", 2 },
							      { "wwcow", "wcow", 0 },
							      { "wcow", "wwcowc", 0 },
							      { "wwc", "owwco", 1 },
						      } };
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		tick = ticks[i];
		for (slots = 1; slots <= 2; slots++)
			for (k = 0; k < 7; k++)
				weak_list(&lists[slots - 1][k]);
	}
}
