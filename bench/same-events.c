// SPDX-License-Identifier: GPL-2.0
/* Makes LKST and ftrace record the same events in the VM, one tracer at a time. */
#include <limits.h>
#include <sys/sysinfo.h>

#include "proc_etypes.h"
#include "same-events.h"

#define TRACING	     "/sys/kernel/tracing/"
#define BUFFER_SIZE  (4 << 20) /* bytes on each CPU */
#define OWN_MIN	     0xf00 /* events of LKST itself, which no other tracer has */
#define EVENTS_MAX   128
#define BUFFER_OTHER 1

/* For each event type, the names of ftrace's events from the same place in the kernel, or NULL. */
static struct {
	char *events;
	bool listed;
} types[LKST_ETYPE_NUM];

/* The events that ftrace_on() enables, in the format of set_event: "sched:sched_switch". */
static char *chosen[EVENTS_MAX];
static unsigned int chosen_num;

static void __attribute__((noreturn)) give_up(const char *msg, const char *which)
{
	fprintf(stderr, "%s: %s\n", msg, which);
	exit(1);
}

static void __attribute__((noreturn)) give_up_on(int etype, const char *why)
{
	fprintf(stderr, "event type %#x %s\n", etype, why);
	exit(1);
}

/* ftrace */

static int open_tracing(const char *name, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", name);
	fd = open(path, flags);
	if (fd < 0)
		bail_out(path);
	return fd;
}

static void put(const char *name, const char *value)
{
	int fd = open_tracing(name, O_WRONLY | O_TRUNC);

	if (*value && write(fd, value, strlen(value)) < 0)
		bail_out(name);
	close(fd);
}

static uint64_t ftrace_counter(const char *stats, const char *name)
{
	const char *line = strstr(stats, name);
	ull value;

	if (!line || sscanf(line + strlen(name), ": %llu", &value) != 1)
		give_up("per_cpu/cpu*/stats", name);
	return value;
}

uint64_t ftrace_recorded(void)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < get_nprocs(); cpu++) {
		char name[64], stats[1024];
		ssize_t got;
		int fd;

		snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", cpu);
		fd = open_tracing(name, O_RDONLY);
		got = read(fd, stats, sizeof(stats) - 1);
		if (got <= 0)
			bail_out(name);
		close(fd);
		stats[got] = 0;
		sum += ftrace_counter(stats, "entries") + ftrace_counter(stats, "overrun");
	}
	return sum;
}

void ftrace_on(void)
{
	int fd = open_tracing("set_event", O_WRONLY);
	unsigned int i;

	/* Write each event separately, because the kernel handles only one word per write(). */
	for (i = 0; i < chosen_num; i++)
		if (write(fd, chosen[i], strlen(chosen[i])) < 0)
			give_up("set_event does not take", chosen[i]);
	close(fd);
}

void ftrace_off(void)
{
	put("set_event", "");
}

/* The table */

static int type_of(const char *mnemonic)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (!strcmp(proc_etypes[etype].mnemonic, mnemonic))
			return etype;
	give_up("no event type of LKST's", mnemonic);
}

static void read_table(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1024];

	if (!file)
		bail_out(path);
	while (fgets(line, sizeof(line), file)) {
		char *mnemonic = strtok(line, " \t\n"), *events;
		int etype;

		if (!mnemonic || *mnemonic == '#')
			continue;
		etype = type_of(mnemonic);
		events = strtok(NULL, "\n");
		if (!events)
			give_up("neither events nor a reason", mnemonic);
		events += strspn(events, " \t");
		types[etype].listed = true;
		if (*events != '-')
			types[etype].events = strdup(events);
	}
	fclose(file);
}

static void choose(const char *event)
{
	char name[PATH_MAX], *slash;
	unsigned int i;

	snprintf(name, sizeof(name), TRACING "events/%s", event);
	if (access(name, F_OK))
		bail_out(name);
	snprintf(name, sizeof(name), "%s", event);
	slash = strchr(name, '/');
	*slash = ':';
	for (i = 0; i < chosen_num; i++)
		if (!strcmp(chosen[i], name))
			return;
	if (chosen_num == EVENTS_MAX)
		give_up("too many events", event);
	chosen[chosen_num++] = strdup(name);
}

static void choose_type(int etype)
{
	char events[1024], *event;

	snprintf(events, sizeof(events), "%s", types[etype].events);
	for (event = strtok(events, " \t"); event; event = strtok(NULL, " \t"))
		choose(event);
}

/* Masksets */

static void read_maskset(int id, struct lkst_maskset_body *body)
{
	struct lkst_maskset_param param = { .id = id,
					    .maskset_size = LKST_MASKSET_SIZE_MAX,
					    .maskset = (uintptr_t)body };

	need(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
}

static bool records(const struct lkst_maskset_body *body, int etype)
{
	unsigned int i;

	for (i = 0; i < body->len; i++)
		if (body->entry[i].event_type == etype)
			return body->entry[i].id != LKST_EVHANDLER_ID_NONE;
	return false;
}

void same_events_maskset(int id, int from, int to)
{
	struct lkst_maskset_body *before = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_body *after = calloc(1, LKST_MASKSET_SIZE_MAX);
	static struct mask masks[LKST_ETYPE_NUM];
	unsigned int num = 0;
	int etype;

	if (!before || !after)
		bail_out("calloc");
	read_maskset(from, before);
	read_maskset(to, after);
	while (chosen_num)
		free(chosen[--chosen_num]);
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		bool on = records(before, etype);

		if (!on && records(after, etype)) {
			if (!types[etype].listed && etype < OWN_MIN)
				give_up_on(etype, "is missing in same-events.txt");
			on = etype >= OWN_MIN || types[etype].events;
			if (types[etype].events && proc_etypes[etype].present)
				choose_type(etype);
		}
		if (on)
			masks[num++] = (struct mask){ etype, LKST_EVHANDLER_ID_ENTRY_LOG };
	}
	need(write_maskset(id, "same", masks, num), "MASKSET_WRITE");
	free(before);
	free(after);
}

uint64_t lkst_recorded(void)
{
	uint64_t sum = 0;
	int cpu;

	for (cpu = 0; cpu < get_nprocs(); cpu++)
		sum += cpu_recid(cpu);
	return sum;
}

void same_events_open(const char *table)
{
	char kilobytes[16];
	int cpu;

	open_lkst();
	read_proc_etypes();
	read_table(table);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	for (cpu = 0; cpu < get_nprocs(); cpu++) {
		need(create(cpu, BUFFER_OTHER, VOID, BUFFER_SIZE), "CREATE");
		need(jump(cpu, BUFFER_OTHER), "JUMP");
	}
	ftrace_off();
	put("current_tracer", "nop");
	snprintf(kilobytes, sizeof(kilobytes), "%d", BUFFER_SIZE / 1024);
	put("buffer_size_kb", kilobytes);
	put("tracing_on", "1");
}
