// SPDX-License-Identifier: GPL-2.0
/* The file of a snapshot contains the compressed history only if the limits leave room for it. */
#define lkst_history_status_get fake_history_status_get
#define lkst_buffer_list_get fake_buffer_list_get
#define lkst_buffer_list_free fake_buffer_list_free
#include "lkstlogd/snapshot.c"

#include "tap.h"

#define MB (1ull << 20)

static struct {
	uint64_t used; /* by the history of each CPU */
	bool no_status;
	struct lkst_buffer_listent buffer[2]; /* of each CPU */
} fake;
static char notice[512]; /* the last message */

int fake_history_status_get(struct lkst_device *dev, int32_t cpu,
			    struct lkst_history_status *status, struct lkst_error *err)
{
	(void)dev;
	(void)err;
	*status = (struct lkst_history_status){ .cpu = cpu, .used = fake.used };
	return fake.no_status ? -1 : 0;
}

int fake_buffer_list_get(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			 struct lkst_error *err)
{
	(void)dev;
	(void)err;
	*list = (struct lkst_buffer_list){
		.param = { .cpu = cpu, .buffer_num = 2 },
		.ent = fake.buffer,
	};
	return 0;
}

void fake_buffer_list_free(struct lkst_buffer_list *list)
{
	(void)list;
}

/* The rest of the daemon */

void logd_report(int level, const char *format, ...)
{
	va_list args;

	(void)level;
	va_start(args, format);
	vsnprintf(notice, sizeof(notice), format, args);
	va_end(args);
}

void logd_report_error(int priority, const char *before, const struct lkst_error *error)
{
	(void)priority;
	(void)before;
	(void)error;
}

void logd_files_name(const struct logd_files *files, int32_t cpu, uint32_t serial,
		     char name[NAME_MAX + 1])
{
	(void)files;
	(void)cpu;
	(void)serial;
	*name = 0;
}

int logd_files_dir(const struct logd_files *files, struct lkst_error *error)
{
	(void)files;
	(void)error;
	return 0;
}

void logd_init_child(void (*on_term)(int))
{
	(void)on_term;
}

uint32_t logd_rings(const struct logd *logd)
{
	return logd->cpus;
}

uint64_t logd_total(const struct logd *logd)
{
	return logd->opt->total;
}

uint32_t logd_take_serial(struct logd *logd)
{
	(void)logd;
	return 0;
}

/* Limits of 12 MB and 48 MB, 2 CPUs with 2 buffers each: a snapshot may have 24 MB. */
static const struct {
	const char *name;
	uint64_t used, buffer; /* in MB: the history of a CPU, each buffer */
	bool compress, no_status, left_out;
} rooms[] = {
	{ "test_no_history", 0, 64, false, false, false },
	{ "test_no_status", 32, 1, true, true, false },
	{ "test_fits", 10, 1, false, false, false },
	{ "test_history_too_large", 32, 1, true, false, true },
	{ "test_not_with_the_buffers", 10, 2, false, false, true },
	{ "test_with_compressed_buffers", 10, 2, true, false, false },
	{ "test_not_with_compressed_buffers", 10, 9, true, false, true },
};

TEST_ROWS(test_rooms, rooms)
{
	const struct logd_options opt = {
		.limit = 12 * MB,
		.total = 48 * MB,
		.compress = rooms[_i].compress,
	};
	const struct logd logd = { .opt = &opt, .cpus = 2 };
	char text[sizeof(notice)];

	*notice = 0;
	fake.used = rooms[_i].used * MB;
	fake.no_status = rooms[_i].no_status;
	fake.buffer[0].size = fake.buffer[1].size = rooms[_i].buffer * MB;
	ck_assert(snapshot_has_room(&logd, NULL, 7) == !rooms[_i].left_out);
	snprintf(text, sizeof(text), MSG_LOGD_SNAPSHOT_HISTORY, 7,
		 2 * rooms[_i].used * MB, 24 * MB);
	ck_assert_str_eq(notice, rooms[_i].left_out ? text : "");
}
