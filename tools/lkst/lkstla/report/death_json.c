// SPDX-License-Identifier: GPL-2.0
/* Describes the last minute of a dead machine as JSON. */
#include <stdlib.h>

#include "cli/json.h"
#include "death.h"
#include "lib/base/etype_ids.h"
#include "lkstla/lock.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"

static void death_json_thread(const struct death *death, struct json_object *object,
			      const char *name, uint32_t tid)
{
	char text[DEATH_NAME];

	if (tid == DEATH_TID_NONE)
		json_put(object, name, NULL);
	else
		json_text(object, name, death_name(death, tid, text));
}

static int64_t death_json_for(const struct death *death, int64_t since_ns)
{
	return tally_length(since_ns, death->run->end_ns);
}

static struct json_object *death_json_message(const struct death *death,
					      const struct death_message *message)
{
	struct json_object *object = json_new();
	char text[4 * DEATH_TEXT];

	death_message_text(death, message, text, sizeof(text));
	json_int(object, "time_ns", message->event.time_ns);
	json_int(object, "cpu", message->event.cpu);
	death_json_thread(death, object, "thread", message->event.tid);
	json_etype(object, death->run->types, message->event.type);
	json_text(object, "text", text);
	return object;
}

static struct json_object *death_json_messages(const struct death *death)
{
	const struct death_message *list[DEATH_LISTED];
	size_t num = death_messages(death, list);
	struct json_object *all = json_list();

	for (size_t i = 0; i < num; i++)
		json_add(all, death_json_message(death, list[i]));
	return all;
}

static struct json_object *death_json_cpus(const struct death *death)
{
	struct json_object *all = json_list();

	for (int32_t i = 0; i < death->cpus; i++) {
		const struct death_cpu *cpu = &death->cpu[i];
		struct json_object *object;
		char *text = NULL;
		size_t len;
		FILE *to;

		if (!cpu->seen)
			continue;
		object = json_new();
		json_int(object, "cpu", i);
		json_int(object, "last_event_ns", cpu->last_ns);
		json_int(object, "silent_ns", death_json_for(death, cpu->last_ns));
		to = open_memstream(&text, &len);
		if (to) {
			death_doing(death, i, to);
			if (!fclose(to))
				json_text(object, "doing", text);
		}
		free(text);
		json_add(all, object);
	}
	return all;
}

static struct json_object *death_json_waits(const struct death *death)
{
	struct json_object *all = json_list();

	for (size_t i = 0; i < death->num_waits; i++) {
		const struct death_wait *wait = death->wait[i];
		struct json_object *object = json_new();
		char kind[LOCK_KIND_SIZE], state[DEATH_STATE];

		lock_name_kind(death->run, wait->flags, kind);
		death_json_thread(death, object, "thread", wait->thread->tid);
		json_uint(object, "lock", wait->lock);
		json_text(object, "kind", kind);
		json_int(object, "wait_ns", death_json_for(death, wait->begin_ns));
		death_json_thread(death, object, "holder",
				  wait->holder ? wait->holder->tid : DEATH_TID_NONE);
		if (wait->holder && !wait->next)
			json_text(object, "holder_state", death_state(death, wait->holder, state));
		json_id(object, "cycle", (int32_t)wait->cycle, 0);
		json_add(all, object);
	}
	return all;
}

static struct json_object *death_json_sleepers(const struct death *death)
{
	const struct lkst_thread *list[DEATH_SLEEPERS];
	size_t num = death_sleepers(death, list);
	struct json_object *all = json_list();

	for (size_t i = 0; i < num && i < DEATH_SLEEPERS; i++) {
		struct json_object *object = json_new();
		char state[DEATH_STATE];

		death_json_thread(death, object, "thread", list[i]->tid);
		json_text(object, "state", death_state(death, list[i], state));
		json_int(object, "sleep_ns", death_json_for(death, list[i]->since_ns));
		json_add(all, object);
	}
	return all;
}

static struct json_object *death_json_off(const struct death *death)
{
	const struct death_off *off = &death->off;
	struct json_object *object;

	if (!death->saw_interrupts || !off->found)
		return NULL;
	object = json_new();
	json_int(object, "cpu", off->cpu);
	death_json_thread(death, object, "thread", off->tid);
	json_int(object, "begin_ns", off->begin_ns);
	json_int(object, "end_ns", off->end_ns);
	json_flag(object, "ended", off->ended);
	return object;
}

static struct json_object *death_json_requests(const struct death *death)
{
	struct json_object *all = json_list();

	for (size_t i = 0; i < death->requests && i < DEATH_REQUESTS; i++) {
		const struct block_done *request = &death->request[i];
		const struct lkst_event event = {
			.type = LKST_ETYPE_BLOCK_ISSUE,
			.arg = { request->device, request->sector, (uint32_t)request->operation },
		};
		struct json_object *object = json_new();
		char text[VALUE_SIZE];

		json_text(object, "device",
			  value_text(death->run, &event, "device", text, sizeof(text)));
		json_text(object, "operation",
			  value_text(death->run, &event, "operation", text, sizeof(text)));
		json_uint(object, "sector", request->sector);
		json_uint(object, "bytes", request->bytes);
		json_int(object, "age_ns", death_json_for(death, request->begin_ns));
		death_json_thread(death, object, "thread",
				  request->thread ? request->thread->tid : DEATH_TID_NONE);
		json_add(all, object);
	}
	return all;
}

static struct json_object *death_json_memory(const struct death *death)
{
	const struct death_reclaim *longest = death_longest_reclaim(death);
	struct json_object *object = json_new();

	json_uint(object, "oom_kills", death->oom_kills);
	death_json_thread(death, object, "last_killed",
			  death->oom_kills ? death->oom_tid : DEATH_TID_NONE);
	json_uint(object, "reclaiming", death->reclaims.num);
	death_json_thread(death, object, "longest_reclaim",
			  longest ? (uint32_t)longest->head.key[0] : DEATH_TID_NONE);
	return object;
}

/**
 * death_json() - describe the last minute, if the machine may have died
 * @ctx: what was seen, after death_finish()
 *
 * Return: an object that belongs to the caller; NULL if death_applies() returns false. Failed
 * allocations are reported when the caller prints the object.
 */
struct json_object *death_json(void *ctx)
{
	struct death *death = ctx;
	const struct death_message *panic = death_panic(death);
	struct json_object *object;
	const char *image;
	char source[64];
	size_t len;

	if (!death_applies(death))
		return NULL;
	object = json_new();
	json_put(object, "panic", panic ? death_json_message(death, panic) : NULL);
	image = death_image(death, &len);
	if (image)
		snprintf(source, sizeof(source), "%.*s", (int)len, image);
	if (image)
		json_text(object, "read_from", source);
	json_put(object, "messages", death_json_messages(death));
	json_put(object, "cpus", death_json_cpus(death));
	json_put(object, "waits", death_json_waits(death));
	json_uint(object, "deadlocks", death->cycles);
	json_put(object, "sleepers", death_json_sleepers(death));
	json_put(object, "interrupts_off", death_json_off(death));
	json_uint(object, "unfinished_requests", death->requests);
	json_put(object, "requests", death_json_requests(death));
	json_put(object, "memory", death_json_memory(death));
	return object;
}
