// SPDX-License-Identifier: GPL-2.0
/*
 * LKST's state as text, and whether it is another one than before.
 */
#include "ioctl_errors.h"

static unsigned int sum_of(const void *data, size_t size)
{
	const unsigned char *byte = data;
	unsigned int sum = 2166136261U;

	while (size--)
		sum = (sum ^ *byte++) * 16777619U;
	return sum;
}

static void print_masksets(FILE *to)
{
	struct lkst_maskset_listparam list = { .listent_size = sizeof(masksets),
					       .listent = user(masksets) };
	struct lkst_trc_status status = get_status();
	int i;

	fprintf(to, "current %d saved %d state %u masksets %d handlers %d memory %llu of %llu\n",
		status.current_maskset_id, status.saved_maskset_id, status.state,
		status.maskset_num, status.evhandler_num, (ull)status.memory,
		(ull)status.memory_max);
	if (lkst(LKST_IOC_MASKSET_LIST, &list))
		bail_out("MASKSET_LIST");
	for (i = 0; i < status.maskset_num; i++) {
		struct lkst_maskset_param param = { .id = masksets[i].id,
						    .maskset_size = sizeof(maskset_room),
						    .maskset = user(&maskset_room) };

		if (lkst(LKST_IOC_MASKSET_READ, &param))
			bail_out("MASKSET_READ");
		fprintf(to, "maskset %d \"%s\" %u %x\n", masksets[i].id, masksets[i].name,
			masksets[i].len,
			sum_of(&maskset_room, LKST_MASKSET_SIZE(maskset_room.body.len)));
	}
}

static void print_handlers(FILE *to)
{
	struct lkst_evhandler_listparam list = { .listent_size = sizeof(handlers),
						 .listent = user(handlers) };
	int i, num = get_status().evhandler_num;

	if (lkst(LKST_IOC_EVHANDLER_LIST, &list))
		bail_out("EVHANDLER_LIST");
	for (i = 0; i < num; i++)
		fprintf(to, "handler %d \"%s\"\n", handlers[i].id, handlers[i].name);
}

/* What recording changes all the time is left out. */
static void print_buffers(FILE *to, int cpu)
{
	const struct lkst_buffer_listent *ent;
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	fprintf(to, "cpu %d written %d read %d queue %d to %d owner %d", cpu,
		buffers.param.write_buf, buffers.param.read_buf, buffers.param.rq_head,
		buffers.param.rq_tail, buffers.param.owner);
	if (buffers.param.read_buf != VOID)
		fprintf(to, " read_pos %llu", (ull)buffers.param.read_pos);
	fprintf(to, "\n");
	for (ent = buffers.ent; ent < buffers.ent + buffers.param.buffer_num; ent++)
		fprintf(to, "cpu %d buffer %d next %d size %llu state %u queue %d %d\n", cpu,
			ent->id, ent->next, (ull)ent->size, ent->state, ent->rq_prev, ent->rq_next);
}

int cpus(void)
{
	return get_status().cpu_num;
}

char *state(void)
{
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);
	int cpu;

	if (!to)
		bail_out("open_memstream");
	print_masksets(to);
	print_handlers(to);
	for (cpu = 0; cpu < cpus(); cpu++)
		print_buffers(to, cpu);
	fclose(to);
	return text;
}

bool same(char *a, char *b)
{
	char *line_a, *line_b, *at_a = NULL, *at_b = NULL;

	if (!strcmp(a, b))
		return true;
	line_a = strtok_r(a, "\n", &at_a);
	line_b = strtok_r(b, "\n", &at_b);
	while (line_a && line_b && !strcmp(line_a, line_b)) {
		line_a = strtok_r(NULL, "\n", &at_a);
		line_b = strtok_r(NULL, "\n", &at_b);
	}
	diag("before: %s", line_a ?: "(end)");
	diag("after:  %s", line_b ?: "(end)");
	return false;
}
