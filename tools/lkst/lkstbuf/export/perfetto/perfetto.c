// SPDX-License-Identifier: GPL-2.0
/* The format of Perfetto (ui.perfetto.dev). */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/payload.h"
#include "lib/trace/trace.h"
#include "lkstbuf/export/formats.h"
#include "perfetto.h"
#include "wire.h"

#define TRACE_PACKET 1

/**
 * perfetto_write() - write a packet
 * @pf: writer
 * @packet: packet; gets the number of the sequence
 */
void perfetto_write(struct perfetto *pf, Pf__TracePacket *packet)
{
	struct lkst_out *out = &pf->export->out;
	uint8_t *p, *room = (uint8_t *)out_room(out);

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = PERFETTO_SEQUENCE;
	p = wire_varint(wire_tag(room, TRACE_PACKET, WIRE_BYTES),
			pf__trace_packet__get_packed_size(packet));
	p += pf__trace_packet__pack(packet, p);
	out_end(out, (char *)p);
}

#define WORD_ROOM 128

/* Copy the next word of @text, or all of it if @all is true. Returns the rest. */
static const char *perfetto_word(const char *text, const char *end, bool all, char word[WORD_ROOM])
{
	size_t len = 0;

	while (text < end && *text == ' ')
		text++;
	while (text + len < end && (all || text[len] != ' ') && len < WORD_ROOM - 1)
		len++;
	*put_utf8(word, text, len) = 0;
	return text + len;
}

static void perfetto_put_system(struct perfetto *pf)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__SystemInfo info = PF__SYSTEM_INFO__INIT;
	Pf__SystemInfo__Utsname utsname = PF__SYSTEM_INFO__UTSNAME__INIT;
	/*
	 * Perfetto needs the release of the kernel to decode the states of threads. If the release
	 * is unknown, use the oldest release that LKST supports.
	 */
	char sysname[WORD_ROOM] = "Linux", release[WORD_ROOM] = "6.1";
	char version[WORD_ROOM] = "", machine[WORD_ROOM] = "", cpus[WORD_ROOM] = "";
	const char *text;
	size_t len;

	text = lkst_trace_system(pf->export->trace, "kernel", &len);
	if (text && len) {
		const char *end = text + len;

		text = perfetto_word(text, end, false, sysname);
		text = perfetto_word(text, end, false, release);
		perfetto_word(text, end, true, version);
	}
	text = lkst_trace_system(pf->export->trace, "machine", &len);
	if (text)
		perfetto_word(text, text + len, true, machine);
	text = lkst_trace_system(pf->export->trace, "cpus", &len);
	if (text)
		perfetto_word(text, text + len, true, cpus);
	utsname.sysname = sysname;
	utsname.release = release;
	utsname.version = version;
	utsname.machine = machine;
	info.utsname = &utsname;
	info.num_cpus = (uint32_t)strtoul(cpus, NULL, 10);
	info.has_num_cpus = info.num_cpus;
	packet.system_info = &info;
	perfetto_write(pf, &packet);
}

static void perfetto_close(void *writer)
{
	struct perfetto *pf = writer;

	if (!pf)
		return;
	for (size_t i = 0; i < PERFETTO_CPUS; i++)
		bundle_free(pf->bundle[i]);
	disks_free(pf->disks);
	threads_free(pf->threads);
	functions_free(pf->functions);
	plans_free(pf->plans);
	free(pf->event);
	free(pf->packet);
	free(pf);
}

static void *perfetto_open(struct export *export, struct lkst_error *err)
{
	struct perfetto *pf = calloc(1, sizeof(*pf));

	if (!pf) {
		lkst_error_memory(err, "the export");
		return NULL;
	}
	pf->export = export;
	pf->event = malloc(PERFETTO_EVENT_ROOM);
	pf->packet = malloc(PERFETTO_PACKET_ROOM);
	if (!pf->event || !pf->packet)
		lkst_error_memory(err, "the export");
	else if ((pf->plans = plans_new(err)) && (pf->functions = functions_new(err)) &&
		 (pf->threads = threads_new(err)) && (pf->disks = disks_new(err)))
		return pf;
	perfetto_close(pf);
	return NULL;
}

static int perfetto_event(void *writer, const struct lkst_event *event, struct lkst_error *err)
{
	struct perfetto *pf = writer;
	bool first = !pf->clock.set;
	uint64_t time = clock_time(pf, event);
	struct message_plan *plan = plans_get(pf->plans, pf->export->types, event->type, err);

	if (!plan)
		return -1;
	if (first)
		perfetto_put_system(pf);
	plan = encode_plan(plan, event);
	if (!plan->generic && !plan->described)
		encode_description(pf, plan, event->cpu);
	threads_see(pf, event, time);
	if (payload_is_mark(event->type))
		tracks_mark(pf, event, time);
	if (event->type == LKST_ETYPE_BLOCK_ISSUE || event->type == LKST_ETYPE_BLOCK_COMPLETE)
		disks_see(pf, event, time);
	return bundle_add(pf, plan, event, time, err);
}

static int perfetto_loss(void *writer, const struct lkst_loss *loss, struct lkst_error *err)
{
	struct perfetto *pf = writer;

	/* Before the first event, there is nothing to show, so a loss has no effect. */
	if (!pf->clock.set)
		return 0;
	tracks_loss(pf, loss);
	/* No event follows a loss at the end of the trace. */
	if (!loss->number)
		return 0;
	disks_lose(pf, clock_convert(pf, loss->begin_ns));
	return bundle_lose(pf, loss->cpu, err);
}

static int perfetto_end(void *writer, struct lkst_error *err)
{
	struct perfetto *pf = writer;

	(void)err;
	for (int32_t cpu = 0; cpu < PERFETTO_CPUS; cpu++)
		bundle_flush(pf, cpu);
	return 0;
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.suffix = ".pftrace",
	.open = perfetto_open,
	.loss = perfetto_loss,
	.event = perfetto_event,
	.end = perfetto_end,
	.close = perfetto_close,
};
