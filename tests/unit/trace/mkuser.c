// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace with user events. A program handles requests: each begins with work_start and ends
 * with work_stop, which is a chain. Further events have fields of all types, no fields, and a list
 * of fields that is not valid. Some of the chains are damaged.
 */
#include "mkuser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"
#include "sample.h"

#define THREAD	    100
#define REQUESTS    5
#define RECORDS_MAX 256

static const char own_types[] =
	"0x200 USER_EVENT_200 PROGRAM user present \"user_events:work_start\" \"\" \"\" \"\" \"\" "
	"\"u32 id; char[16] kind; s64 size\"\n"
	"0x201 USER_EVENT_201 PROGRAM user present \"user_events:work_stop\" \"chain:chain\" \"\" "
	"\"\" \"\" \"u32 id; s32 result; __rel_loc char[] msg\"\n"
	"0x202 USER_EVENT_202 PROGRAM user absent \"user_events:empty\" \"\" \"\" \"\" \"\" \"\"\n"
	"0x203 USER_EVENT_203 PROGRAM user present \"user_events_multi:all.2a\" \"chain:chain\" "
	"\"\" \"\" \"\" \"s8 a; u8 b; s16 c; u16 d; s32 e; u32 f; s64 g; u64 h; char i; unsigned "
	"char j; short k; unsigned short l; int m; unsigned int n; char[4] o; struct point p 4; "
	"__data_loc char[] q; __rel_loc u8[] r\"\n"
	"0x204 USER_EVENT_204 PROGRAM user present \"user_events:invalid\" \"\" \"\" \"\" \"\" "
	"\"long what\"\n";

/* The list of records to which the functions add. */
struct user {
	struct lkst_log_record record[RECORDS_MAX];
	size_t num;
	int64_t us;
	uint32_t serial;
};

static void user_add(struct user *user, uint32_t type, uint32_t tid, const uint64_t arg[4])
{
	user->record[user->num] =
		sample_record(0, user->num, SAMPLE_NS + user->us * 1000, type, tid, arg);
	user->num++;
}

/* Add an event that is one record. */
static void user_single(struct user *user, uint32_t type, const void *payload, size_t size)
{
	uint64_t arg[4] = { 0 };

	memcpy(arg, payload, size);
	user_add(user, type, THREAD, arg);
}

/* Add a chain. Its last part is left out if @cut is set. */
static void user_chain(struct user *user, uint32_t type, const void *payload, size_t size, bool cut)
{
	const uint8_t *from = payload;
	uint32_t serial = user->serial++;
	size_t parts = LKST_CHAIN_PARTS_OF(size);

	for (size_t i = 0; i <= parts - cut; i++) {
		size_t left = size - LKST_CHAIN_BYTES * i;
		size_t bytes = left < LKST_CHAIN_BYTES ? left : LKST_CHAIN_BYTES;
		uint64_t arg[4] = { i ? LKST_CHAIN_PART(serial, i, bytes) :
					LKST_CHAIN_HEAD(serial, parts, 0, size) };

		memcpy(arg + 1, from + LKST_CHAIN_BYTES * i, bytes);
		user_add(user, i ? LKST_ETYPE_LKST_MORE : type, THREAD, arg);
	}
}

static void user_request(struct user *user, uint32_t id)
{
	static const char msg[] = "the request has been answered, with a long text";
	struct {
		uint32_t id;
		char kind[16];
		int64_t size;
	} __attribute__((packed)) start = { id, "read", -(int64_t)id };
	struct {
		uint32_t id;
		int32_t result;
		uint32_t loc;
		char msg[sizeof(msg)];
	} __attribute__((packed)) stop = { id, -(int32_t)id, (uint32_t)sizeof(msg) << 16, "" };

	memcpy(stop.msg, msg, sizeof(msg));
	user_single(user, 0x200, &start, sizeof(start));
	user->us += 100 + 10 * id;
	user_chain(user, 0x201, &stop, sizeof(stop), id == 3);
	user->us += 1000;
}

/* Add an event with a field of each type. */
static void user_all(struct user *user, uint32_t q, uint32_t r)
{
	struct {
		int8_t a;
		uint8_t b;
		int16_t c;
		uint16_t d;
		int32_t e;
		uint32_t f;
		int64_t g;
		uint64_t h;
		int8_t i;
		uint8_t j;
		int16_t k;
		uint16_t l;
		int32_t m;
		uint32_t n;
		char o[4];
		uint8_t p[4];
		uint32_t q, r;
		char rest[6];
	} __attribute__((packed)) all = {
		-1, 255, -2, 65534, -3, 4294967293u, -4, 18446744073709551612u, -5, 251, -6, 65530,
		-7, 4294967289u, "four", { 1, 2, 3, 255 }, q, r, "hi",
	};

	memcpy(all.rest + 3, "\x07\x08\x09", 3);
	user_chain(user, 0x203, &all, sizeof(all), false);
	user->us += 1000;
}

#define ALL_REST 60 /* offset of the values at the end of the payload of user_all() */

static void user_make(struct user *user)
{
	const uint64_t wakeup[4] = { pack(THREAD, 120), 0, text8("server") };
	const uint64_t begin[4] = { pack(0, 'R'), pack(THREAD, 120), text8("swapper"), text8("server") };
	const uint64_t end[4] = { pack(THREAD, 'S'), pack(0, 120), text8("server"), text8("swapper") };

	user_add(user, LKST_ETYPE_PROCESS_WAKEUP, 0, wakeup);
	user_add(user, LKST_ETYPE_PROCESS_CONTEXTSWITCH, 0, begin);
	user->us += 100;
	for (uint32_t id = 1; id <= REQUESTS; id++)
		user_request(user, id);
	user_single(user, 0x202, "", 0);
	user_all(user, 3 << 16 | (ALL_REST + 8), 3 << 16 | 3);
	/* Values that are outside of the payload, or extend beyond its end. */
	user_all(user, 3 << 16 | 0xffff, 3 << 16 | 4);
	user_all(user, 1 << 16 | 7, 0);
	user_single(user, 0x204, "\x01\x02", 2);
	/* A head whose payload is shorter than its fields. */
	user_chain(user, 0x201, "\x09\0\0\0\x08", 5, false);
	user->us += 100;
	user_add(user, LKST_ETYPE_PROCESS_CONTEXTSWITCH, THREAD, end);
}

/* Write the event types of the kernel, and those of the program. */
static int user_write_etypes(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_embedded(err);
	char *text = NULL, *all = NULL;
	size_t len;
	int ret = -1;

	if (types)
		text = lkst_etypes_text(types, &len, err);
	if (text && asprintf(&all, "%s%s", text, own_types) > 0)
		ret = lkst_trace_write_etypes(writer, all, strlen(all), err);
	free(all);
	free(text);
	lkst_etypes_free(types);
	return ret;
}

/**
 * mkuser_write() - write the trace
 * @writer: file
 * @err: set on failure
 */
int mkuser_write(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static const struct lkst_process processes[] = { { THREAD, THREAD, "server" } };
	static struct user user;
	struct lkst_log_buffer buffer = sample_buffer(0, 0);

	user_make(&user);
	buffer.overwritten = buffer.dropped = 0;
	return user_write_etypes(writer, err) ||
	       lkst_trace_write_processes(writer, processes, 1, err) ||
	       lkst_trace_write_records(writer, &buffer, user.record, user.num, err) ||
	       lkst_trace_write_end(writer, err);
}
