// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/masksets, runs in the VM.
 *
 *	masksets-guest swap ROUNDS
 *			switches between two masksets, each of which records one event type.
 *			Meanwhile, each CPU generates events of the two types alternately. Prints a
 *			line for each switch and CPU with four numbers:
 *			- how many events the old maskset still recorded after the switch
 *			- how many events the CPU generated after its last recorded event before
 *			  the switch, up to and including the first event that the new maskset
 *			  recorded
 *			- the ns between two generated events
 *			- the ns from the switch to the first event that the new maskset recorded
 *	masksets-guest settle TABLE ROUNDS
 *			measures how long it takes to enable events and to disable them again: with
 *			each tracer, the events that both LKST and ftrace have; with LKST, also all
 *			events of LKST. Prints a line for each measurement: its name, ns until the
 *			sources are switched on or off, and ns until the call returns
 */
#include <pthread.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include "same-events.h"

#define FIRST	    3 /* ids of masksets */
#define SECOND	    4
#define USER_TEXT   0x0e1
#define MASKSET_SET 0xf06
#define SWITCHES    10 /* number of switches in a round */
#define BUFFER	    1
#define BUFFER_SIZE (48 << 20)
#define RECORDS_MAX (BUFFER_SIZE / RECORD_SIZE)
#define BETWEEN_MS  20
#define PAUSE_MS    100

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

/* --- swap: measures when a switch takes effect */

static volatile bool over;

/*
 * Causes numbered events of the two types alternately on @cpu, until "over" is set. The selected
 * maskset records one of the types. Each CPU has a thread that runs this function.
 */
static void *record(void *cpu)
{
	struct lkst_entry_args args = {};

	pin((intptr_t)cpu);
	while (!over) {
		args.event_type = args.log_arg1 % 2 ? USER_TEXT : USER_MARK;
		need(lkst(LKST_IOC_ENTRY_LOG, &args), "ENTRY_LOG");
		args.log_arg1++;
	}
	return NULL;
}

static uint64_t time_of(const struct lkst_log_record *record)
{
	return record->posix.log_time.tv_sec * 1000000000ull + record->posix.log_time.tv_nsec;
}

static size_t read_records(int cpu, struct lkst_log_record *to)
{
	struct lkst_log_buffer param;

	need(read_buffer_max(&param, cpu, BUFFER, to, RECORDS_MAX), "BUFFER_READ");
	if (param.overwritten)
		bail_out("the buffer is too small");
	return param.result_read_size / sizeof(*to);
}

/*
 * The switches found in the records: time in ns, and new maskset. LKST records each switch
 * immediately before it takes effect. The last entry is the end of the round.
 */
static struct {
	uint64_t time;
	int to;
} switches[SWITCHES + 1];

static unsigned int find_switches(const struct lkst_log_record *record, size_t num)
{
	unsigned int found = 0;
	size_t i;

	for (i = 0; i < num; i++) {
		if (record[i].posix.log_event_type != MASKSET_SET || found > SWITCHES)
			continue;
		switches[found].time = time_of(&record[i]);
		switches[found++].to = record[i].log_arg2;
	}
	return found;
}

static bool is_own(const struct lkst_log_record *record)
{
	int etype = record->posix.log_event_type;

	return etype == USER_MARK || etype == USER_TEXT;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/*
 * Returns the median of the times between two events, in ns. Unlike the mean, the median does not
 * depend on times when the emulated CPU is not running.
 */
static uint64_t between_events(const struct lkst_log_record *record, size_t num)
{
	uint64_t *each = calloc(num, sizeof(*each)), median;
	size_t i, found = 0;

	for (i = 1; i < num; i++)
		if (is_own(&record[i]) && is_own(&record[i - 1]))
			each[found++] = (time_of(&record[i]) - time_of(&record[i - 1])) /
					(record[i].log_arg1 - record[i - 1].log_arg1);
	if (!found)
		bail_out("a CPU recorded nothing");
	qsort(each, found, sizeof(*each), compare);
	median = each[found / 2];
	free(each);
	return median;
}

static void print_switch(unsigned int n, const struct lkst_log_record *record, size_t num,
			 uint64_t each)
{
	int old = switches[n].to == FIRST ? USER_TEXT : USER_MARK;
	uint64_t begin = switches[n].time, end = switches[n + 1].time, before = 0, old_num = 0;
	size_t i;

	for (i = 0; i < num && time_of(&record[i]) < end; i++) {
		if (!is_own(&record[i]))
			continue;
		if (time_of(&record[i]) <= begin) {
			before = record[i].log_arg1;
		} else if (record[i].posix.log_event_type == old) {
			old_num++;
		} else {
			printf("%llu %llu %llu %llu\n", (ull)old_num,
			       (ull)(record[i].log_arg1 - before), (ull)each,
			       (ull)(time_of(&record[i]) - begin));
			return;
		}
	}
	bail_out("a CPU recorded nothing after a switch");
}

static void swap_round(struct lkst_log_record *records)
{
	int cpu, cpus = get_nprocs();
	pthread_t threads[cpus];
	unsigned int i, n;
	uint64_t each;
	size_t num;

	for (cpu = 0; cpu < cpus; cpu++) {
		need(create(cpu, BUFFER, VOID, BUFFER_SIZE), "CREATE");
		need(jump(cpu, BUFFER), "JUMP");
	}
	over = false;
	need(set_maskset(FIRST), "MASKSET_SET");
	for (cpu = 0; cpu < cpus; cpu++)
		if (pthread_create(&threads[cpu], NULL, record, (void *)(intptr_t)cpu))
			bail_out("pthread_create");
	pin(0);
	sleep_ms(BETWEEN_MS);
	/* No result is printed for the first and the last recorded switch. */
	for (i = 0; i < SWITCHES; i++) {
		need(set_maskset(i % 2 ? FIRST : SECOND), "MASKSET_SET");
		sleep_ms(BETWEEN_MS);
	}
	over = true;
	for (cpu = 0; cpu < cpus; cpu++)
		pthread_join(threads[cpu], NULL);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");

	n = find_switches(records, read_records(0, records));
	for (cpu = 0; cpu < cpus; cpu++) {
		num = read_records(cpu, records);
		each = between_events(records, num);
		for (i = 1; i + 1 < n; i++)
			print_switch(i, records, num, each);
		need(jump(cpu, 0), "JUMP");
		need(delete_buffer(cpu, BUFFER), "DELETE");
	}
}

/*
 * Runs "swap". The switches do not turn sources on or off, because the event types of these
 * masksets have no sources.
 */
static int swap(unsigned int rounds)
{
	static const struct mask first[] = { { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { MASKSET_SET, LKST_EVHANDLER_ID_ENTRY_LOG } };
	static const struct mask second[] = { { USER_TEXT, LKST_EVHANDLER_ID_ENTRY_LOG },
					      { MASKSET_SET, LKST_EVHANDLER_ID_ENTRY_LOG } };
	struct lkst_log_record *records = calloc(RECORDS_MAX, sizeof(*records));

	if (!records)
		bail_out("memory");
	open_lkst();
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	need(write_maskset(FIRST, "first", first, 2), "MASKSET_WRITE");
	need(write_maskset(SECOND, "second", second, 2), "MASKSET_WRITE");
	while (rounds--)
		swap_round(records);
	return 0;
}

/* --- settle: measures when the sources have been switched on or off */

/*
 * A call that switches masksets turns on the sources of the new maskset, selects that maskset,
 * turns off the sources that are no longer needed, and waits for events in progress. Kprobes record
 * the progress of this call in a separate trace. ftrace does not wait for events in progress.
 */
#define PROBES	 "/sys/kernel/tracing/"
#define PROGRESS PROBES "instances/progress/"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		bail_out(path);
	close(fd);
}

static void probe(void)
{
	put(PROBES "kprobe_events", "p:swapped lkst_source_disable\n");
	put(PROBES "kprobe_events", "r:disabled lkst_source_disable\n");
	if (mkdir(PROGRESS, 0700))
		bail_out(PROGRESS);
	put(PROGRESS "trace_clock", "mono");
	put(PROGRESS "events/kprobes/enable", "1");
}

/* Returns the time of the first hit of kprobe @name since @begin, both in ns. */
static uint64_t hit_since(uint64_t begin, const char *name)
{
	FILE *trace = fopen(PROGRESS "trace", "r");
	uint64_t found = 0;
	char line[512];

	if (!trace)
		bail_out(PROGRESS "trace");
	while (!found && fgets(line, sizeof(line), trace)) {
		char *colon = strstr(line, name), *time = colon;
		ull s, us;

		if (*line == '#' || !colon)
			continue;
		time -= 2;
		while (time[-1] != ' ')
			time--;
		/* The trace has a resolution of 1 us. */
		if (sscanf(time, "%llu.%llu", &s, &us) == 2 && s * 1000000 + us >= begin / 1000)
			found = s * 1000000000 + us * 1000;
	}
	fclose(trace);
	if (!found) {
		fprintf(stderr, "%s: not hit\n", name);
		exit(1);
	}
	return found > begin ? found : begin;
}

/* Prints the time until probe @name was hit, and the time of the whole call. */
static void time_switch(const char *label, int id, const char *name)
{
	uint64_t begin, end;

	sleep_ms(PAUSE_MS);
	begin = now();
	need(set_maskset(id), "MASKSET_SET");
	end = now();
	printf("%s %llu %llu\n", label, (ull)(hit_since(begin, name) - begin), (ull)(end - begin));
}

static void time_ftrace(const char *label, void (*turn)(void))
{
	uint64_t begin;

	sleep_ms(PAUSE_MS);
	begin = now();
	turn();
	begin = now() - begin;
	printf("%s %llu %llu\n", label, (ull)begin, (ull)begin);
}

static int time_switches(const char *table, unsigned int rounds)
{
	same_events_open(table);
	same_events_maskset(FIRST, LKST_MASKSET_ID_RDEFAULT, LKST_MASKSET_ID_RALL);
	probe();
	while (rounds--) {
		need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
		time_switch("same-on", FIRST, "swapped:");
		time_switch("same-off", LKST_MASKSET_ID_RDEFAULT, "disabled:");
		time_switch("all-on", LKST_MASKSET_ID_RALL, "swapped:");
		time_switch("all-off", LKST_MASKSET_ID_RDEFAULT, "disabled:");
		need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
		time_ftrace("ftrace-on", ftrace_on);
		time_ftrace("ftrace-off", ftrace_off);
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "swap"))
		return swap(atoi(argv[2]));
	if (argc == 4 && !strcmp(argv[1], "settle"))
		return time_switches(argv[2], atoi(argv[3]));
	fprintf(stderr, "usage: masksets-guest swap ROUNDS | settle TABLE ROUNDS\n");
	return 2;
}
