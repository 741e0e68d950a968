// SPDX-License-Identifier: GPL-2.0
/*
 * The checker finds nothing wrong with a good list, and something with a damaged one.
 */
#include "stream.h"

/*
 * Buffers of 100 records from recid 5000 on; after two of them, 30 are lost, and the next one tells
 * so. Every third record is a mark.
 */
#define BUFFER	  100
#define FIRST	  5000
#define LOST_FROM (FIRST + 2 * BUFFER)
#define LOST_TO	  (LOST_FROM + 30 * BUFFER)
#define END	  (LOST_TO + 2 * BUFFER)

struct item {
	uint64_t recid;
	unsigned int etype;
	uint32_t thread;
	uint64_t arg[4];
};

struct list {
	struct item item[5 * BUFFER];
	size_t num;
	uint64_t end;
};

static volatile pid_t tids[WRITERS] = { 101, 102, 103 };

static void make(struct list *list)
{
	uint64_t recid, marks = 10;

	list->num = 0;
	list->end = END;
	for (recid = FIRST; recid < list->end; recid++) {
		struct item item = { .recid = recid, .etype = 0x001, .thread = 7 };

		if (recid % BUFFER == 0) {
			item.etype = BUFF_SHIFT;
			item.arg[2] = recid;
		} else if (recid == LOST_TO + 1) {
			item.etype = BUFF_OVFLOW;
			item.arg[1] = LOST_TO - LOST_FROM;
			item.arg[2] = LOST_FROM;
		} else if (recid % 3 == 0) {
			item.etype = USER_MARK;
			item.thread = tids[0];
			fill_mark(item.arg, 0, marks++);
		}
		if (recid < LOST_FROM || recid >= LOST_TO)
			list->item[list->num++] = item;
	}
}

static struct item *of_type(struct list *list, unsigned int etype, size_t skip)
{
	size_t i;

	for (i = 0; i < list->num; i++)
		if (list->item[i].etype == etype && !skip--)
			return &list->item[i];
	abort();
}

static void drop(struct list *list, struct item *item)
{
	memmove(item, item + 1, (char *)(list->item + --list->num) - (char *)item);
}

static void repeat(struct list *list, struct item *item)
{
	memmove(item + 1, item, (char *)(list->item + list->num++) - (char *)item);
}

static void no_damage(struct list *list)
{
	(void)list;
}

static void lose_record(struct list *list)
{
	drop(list, of_type(list, 0x001, 50));
}

static void lose_first_of_buffer(struct list *list)
{
	drop(list, of_type(list, BUFF_SHIFT, 1));
}

static void lose_last(struct list *list)
{
	list->num--;
}

static void repeat_record(struct list *list)
{
	repeat(list, of_type(list, 0x001, 50));
}

static void swap_records(struct list *list)
{
	struct item *item = of_type(list, 0x001, 50), other = item[1];

	item[1] = item[0];
	item[0] = other;
}

static void tell_nothing(struct list *list)
{
	of_type(list, BUFF_OVFLOW, 0)->arg[1] = 0;
}

static void tell_one_less(struct list *list)
{
	of_type(list, BUFF_OVFLOW, 0)->arg[1]--;
}

static void tell_one_more(struct list *list)
{
	of_type(list, BUFF_OVFLOW, 0)->arg[1]++;
}

static void tell_from_one_later(struct list *list)
{
	of_type(list, BUFF_OVFLOW, 0)->arg[1]--;
	of_type(list, BUFF_OVFLOW, 0)->arg[2]++;
}

static void tell_from_one_before(struct list *list)
{
	of_type(list, BUFF_OVFLOW, 0)->arg[2]--;
}

static void tear_mark(struct list *list)
{
	of_type(list, USER_MARK, 20)->arg[2]++;
}

static void another_thread(struct list *list)
{
	of_type(list, USER_MARK, 20)->thread++;
}

static void repeat_mark(struct list *list)
{
	fill_mark(of_type(list, USER_MARK, 20)->arg, 0, 29);
}

static void lose_mark(struct list *list)
{
	of_type(list, USER_MARK, 20)->etype = 0x001;
}

/* So many records that tell the same, the last one also of 30 records that are there. */
static void tell_long_list(struct list *list)
{
	struct item *item = of_type(list, BUFF_OVFLOW, 0);
	int i;

	for (i = 0; i < 16; i++)
		repeat(list, item);
	item[16].arg[1] += 30;
	for (i = 0; i <= 16; i++)
		item[i].recid += i;
	for (item += 17; item < list->item + list->num; item++)
		item->recid += 16;
	list->end += 16;
}

/* One that is not the last, which is not joined with others. */
static void tell_more_in_long_list(struct list *list)
{
	tell_long_list(list);
	of_type(list, BUFF_OVFLOW, 9)->arg[1]++;
}

#define GOOD 2 /* of them, from the first */

static const struct {
	const char *name;
	void (*apply)(struct list *list);
} damages[] = {
	{ "nothing", no_damage },
	{ "a list so long that its last entry tells more", tell_long_list },
	{ "another entry of that list tells more", tell_more_in_long_list },
	{ "a record is lost", lose_record },
	{ "the first record of a buffer is lost", lose_first_of_buffer },
	{ "the last record is lost", lose_last },
	{ "a record comes twice", repeat_record },
	{ "two records are swapped", swap_records },
	{ "a loss is not told", tell_nothing },
	{ "one record less is told", tell_one_less },
	{ "one record more is told", tell_one_more },
	{ "a loss is told to begin later", tell_from_one_later },
	{ "a loss is told to begin earlier", tell_from_one_before },
	{ "a mark is torn", tear_mark },
	{ "a mark is another thread's", another_thread },
	{ "a mark comes twice", repeat_mark },
	{ "a mark is missing", lose_mark },
};

static void feed_std(struct checker *checker, const struct item *item)
{
	struct lkst_log_record record = { .posix = { .log_magic = LKST_LOG_MAGIC,
						     .log_size = LKST_LOG_SIZE,
						     .log_format = LKST_LOG_FORMAT,
						     .log_event_type = item->etype,
						     .log_recid = item->recid,
						     .log_thread = item->thread,
						     .log_time = { 1, 0 } },
					  .log_arg1 = item->arg[0],
					  .log_arg2 = item->arg[1],
					  .log_arg3 = item->arg[2],
					  .log_arg4 = item->arg[3] };

	check_std(checker, &record);
}

static void feed_raw(struct checker *checker, const struct item *item)
{
	struct lkst_event_record record = { .clock = 1,
					    .event_type = item->etype,
					    .flags = item->recid << LKST_RECORD_LAP_SHIFT,
					    .thread = item->thread };

	memcpy(record.arg, item->arg, sizeof(record.arg));
	check_raw(checker, &record);
}

/* How much is wrong. STD, RAW, or by turns; the first is STD, or nothing is known of the others. */
static unsigned long check_list(const struct list *list, const char *mode)
{
	struct checker checker = { .tid = tids };
	size_t i;

	for (i = 0; i < list->num; i++)
		if (!i || !strcmp(mode, "STD") || (!strcmp(mode, "both") && i / 30 % 2))
			feed_std(&checker, &list->item[i]);
		else
			feed_raw(&checker, &list->item[i]);
	check_end(&checker, list->end);
	free_checker(&checker);
	return checker.wrong;
}

void selftest(void)
{
	static const char *const modes[] = { "STD", "RAW", "both" };
	static struct list list;
	unsigned int i, mode;
	bool found;

	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		found = true;
		for (mode = 0; mode < 3; mode++) {
			make(&list);
			damages[i].apply(&list);
			if (!check_list(&list, modes[mode]) != (i < GOOD)) {
				found = false;
				diag("not so with %s records", modes[mode]);
			}
		}
		ok(found, "self-test: %s: %s", damages[i].name,
		   i < GOOD ? "nothing is wrong" : "found");
	}
}
