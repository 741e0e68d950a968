// SPDX-License-Identifier: GPL-2.0
/*
 * Tests that the lines of a Chrome trace are complete and in order, although some of them are held
 * back until a slice ends. Slices begin and end at random, and the limits on held lines are low. A
 * simple model computes the order of the lines of each track.
 */
#include <errno.h>

#include "lkstbuf/export/chrome/chrome_track.h"
#include "tap.h"

#define TRACKS	   3
#define SLICES_MAX 2000
#define DEPTH_MAX  8

/**
 * struct known - a slice in the model
 * @track: index of its track
 * @lines: number of lines of the track other than "B" when it began
 * @begin_ns: start
 * @end_ns: end
 * @own_ns: argument of the slice; -1: none
 * @run: whether the slice is of kind CHROME_RUN
 * @seen: number of lines "B" of the slice in the output
 * @seen_args: argument in the line "B"; -1: none
 */
struct known {
	int track;
	int lines;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t own_ns;
	bool run;
	int seen;
	int64_t seen_args;
};

/**
 * struct row - a track in the model
 * @depth: number of slices that have not ended
 * @stack: these slices
 * @lines: number of lines other than "B"
 * @line: for each of these lines, the slice that ended, or -1 - ID for a line of another kind
 */
struct row {
	int depth;
	int stack[DEPTH_MAX];
	int lines;
	int line[2 * SLICES_MAX];
};

static struct known known[SLICES_MAX];
static struct row row[TRACKS];
static int slices, others, failing;
static uint32_t state;
static FILE *output;
static struct lkst_out file;
static struct chrome_writer writer;
static struct chrome_track track[TRACKS];

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_realloc(void *old, size_t size)
{
	if (!failing || --failing)
		return __real_realloc(old, size);
	errno = ENOMEM;
	return NULL;
}

static uint32_t draw(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)state * below) >> 32);
}

static void setup(void)
{
	memset(known, 0, sizeof(known));
	memset(row, 0, sizeof(row));
	memset(track, 0, sizeof(track));
	memset(&writer, 0, sizeof(writer));
	slices = others = failing = 0;
	output = tmpfile();
	assert_made(output);
	assert_ok(lkst_out_open(&file, fileno(output), &err));
	assert_ok(lkst_out_open(&writer.line, -1, &err));
	writer.file = &file;
	writer.out = &writer.line;
	for (int i = 0; i < TRACKS; i++)
		track[i].tid = track[i].pid = (uint32_t)i + 1;
}

static void teardown(void)
{
	for (int i = 0; i < TRACKS; i++)
		chrome_drop(&writer, &track[i]);
	ck_assert_uint_eq(writer.hold_all, 0);
	chrome_free(&writer);
	lkst_out_close(&file);
	fclose(output);
}

/* Name a slice or line, with a length that depends on its number. */
static void name_of(char name[CHROME_NAME_SIZE], char letter, int id)
{
	int len = snprintf(name, CHROME_NAME_SIZE, "%c%d", letter, id);

	memset(name + len, 'x', (size_t)(id * 37 % 140));
	name[len + id * 37 % 140] = 0;
}

/* ---- what happens ---- */

static void begin(int t, bool run, int64_t time_ns)
{
	struct chrome_slice slice = { .kind = run ? CHROME_RUN : 1, .begin_ns = time_ns };
	int id = slices++;

	ck_assert_int_lt(id, SLICES_MAX);
	slice.number = (uint64_t)id;
	name_of(slice.name, 's', id);
	known[id] = (struct known){
		.track = t,
		.lines = row[t].lines,
		.begin_ns = time_ns,
		.own_ns = -1,
		.run = run,
		.seen_args = -1,
	};
	row[t].stack[row[t].depth++] = id;
	chrome_begin(&writer, &track[t], &slice);
}

/* End the slice at a depth, and all slices inside it. */
static void end(int t, int depth, int64_t time_ns)
{
	int id = row[t].stack[depth];
	int64_t own_ns = known[id].run ? -1 : (int64_t)draw(1000);

	while (row[t].depth > depth) {
		int ended = row[t].stack[--row[t].depth];

		known[ended].end_ns = time_ns;
		known[ended].own_ns = ended == id ? own_ns : -1;
		if (!known[ended].run || time_ns > known[ended].begin_ns)
			row[t].line[row[t].lines++] = ended;
	}
	chrome_end(&writer, &track[t],
		   chrome_find(&track[t], known[id].run ? CHROME_RUN : 1, (uint64_t)id), time_ns,
		   NULL, own_ns);
}

/* Write a line that is not about a slice. */
static void other(int t, int64_t time_ns)
{
	char name[CHROME_NAME_SIZE], *p;

	name_of(name, 'l', others);
	row[t].line[row[t].lines++] = -1 - others++;
	p = chrome_line(&writer, 'i', &track[t], time_ns, name);
	chrome_hold_line(&writer, &track[t], p);
}

static void happen(int64_t time_ns)
{
	int t = (int)draw(TRACKS), depth = row[t].depth;

	switch (draw(4)) {
	case 0:
		if (depth < DEPTH_MAX)
			begin(t, !depth && draw(2), time_ns);
		break;
	case 1:
		if (depth)
			end(t, depth - 1 - (int)draw(draw(4) ? 1 : (uint32_t)depth), time_ns);
		break;
	default:
		other(t, time_ns);
	}
}

static void check_accounts(void)
{
	size_t all = 0;

	for (int t = 0; t < TRACKS; t++) {
		unsigned int waiting = 0;
		size_t at = track[t].held;

		for (struct chrome_slice *s = track[t].top; s; s = s->below) {
			if (s->written || s->kind == CHROME_RUN)
				continue;
			waiting++;
			ck_assert_uint_le(s->at, at);
			at = s->at;
		}
		ck_assert_uint_eq(track[t].waiting, waiting);
		ck_assert(waiting || !track[t].held);
		ck_assert_uint_le(track[t].held, track[t].hold_size);
		all += track[t].hold_size;
	}
	ck_assert_uint_eq(writer.hold_all, all);
}

/* ---- what was written ---- */

struct reading {
	int depth;
	int stack[DEPTH_MAX + 1];
	int lines;
};

/* Check a line "B", or the line that ends a slice. */
static void check_slice(struct reading *at, char phase, int id, int64_t own_ns, bool all)
{
	struct known *slice = &known[id];

	if (phase == 'B') {
		ck_assert_msg(!slice->seen++, "two B of s%d", id);
		slice->seen_args = own_ns;
		if (!slice->run)
			ck_assert_msg(at->lines == slice->lines, "B of s%d at %d, not at %d", id,
				      at->lines, slice->lines);
		ck_assert_int_lt(at->depth, DEPTH_MAX);
		at->stack[at->depth++] = id;
		return;
	}
	ck_assert_msg(own_ns == slice->own_ns, "arguments of s%d", id);
	if (phase == 'i') {
		ck_assert_msg(!slice->seen, "B of instant s%d", id);
		ck_assert_int_eq(slice->begin_ns, slice->end_ns);
	} else {
		ck_assert_int_eq(phase, 'E');
		ck_assert_msg(at->depth && at->stack[--at->depth] == id, "E of s%d", id);
		if (all || slice->seen_args >= 0)
			ck_assert_msg(slice->seen_args == own_ns, "arguments of s%d differ", id);
	}
}

static void check_line(struct reading reading[TRACKS], const char *line, bool all)
{
	unsigned int pid, tid;
	long long us, ns, own_ns = -1;
	char phase, letter, expected[CHROME_NAME_SIZE], name[CHROME_NAME_SIZE];
	const char *args = strstr(line, "\"own_ns\":");
	struct reading *at;
	int id, t, n;

	n = sscanf(line, "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%lld.%lld,\"name\":\"%c%d",
		   &phase, &pid, &tid, &us, &ns, &letter, &id);
	ck_assert_msg(n == 7 && line[strlen(line) - 1] == '}', "damaged: %s", line);
	sscanf(strstr(line, "\"name\":\""), "\"name\":\"%159[^\"]", name);
	name_of(expected, letter, id);
	ck_assert_str_eq(name, expected);
	if (args)
		own_ns = strtoll(args + strlen("\"own_ns\":"), NULL, 10);
	t = (int)tid - 1;
	ck_assert(t >= 0 && t < TRACKS);
	at = &reading[t];
	if (letter == 's')
		check_slice(at, phase, id, own_ns, all);
	/* A thread that ran for no time has lines only if its "B" could not be held back. */
	if (phase == 'B' ||
	    (letter == 's' && known[id].run && known[id].begin_ns == known[id].end_ns))
		return;
	ck_assert_int_lt(at->lines, row[t].lines);
	n = row[t].line[at->lines++];
	ck_assert_msg(n == (letter == 's' ? id : -1 - id), "%d: %c%d instead of %d", t, letter, id,
		      n);
}

/* Check the output. @all: every line "B" could be held back until the end of its slice. */
static void check_output(bool all)
{
	struct reading reading[TRACKS] = { 0 };
	size_t size = 0;
	char *line = NULL;
	ssize_t len;

	ck_assert_int_eq(lkst_out_flush(&file), 0);
	rewind(output);
	while ((len = getline(&line, &size, output)) > 0) {
		ck_assert_uint_eq(strlen(line), (size_t)len);
		line[strcspn(line, "\n")] = 0;
		if (*line && line[strlen(line) - 1] == ',')
			line[strlen(line) - 1] = 0;
		if (*line)
			check_line(reading, line, all);
	}
	free(line);
	for (int t = 0; t < TRACKS; t++) {
		ck_assert_int_eq(reading[t].depth, 0);
		ck_assert_int_eq(reading[t].lines, row[t].lines);
	}
}

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

/* Play a random sequence of slices and lines. In @still of 8 steps, the time does not advance. */
static void play(uint32_t seed, int steps, uint32_t still)
{
	int64_t time_ns = 1;

	state = seed;
	for (int i = 0; i < steps; i++) {
		if (draw(8) >= still)
			time_ns += 1 + draw(2000);
		happen(time_ns);
		check_accounts();
	}
	for (int t = 0; t < TRACKS; t++)
		if (row[t].depth)
			end(t, 0, time_ns);
	check_accounts();
}

TEST_LOOP(random_order, 30)
{
	play((uint32_t)_i * 7919 + 1, 1000, (uint32_t)_i % 6);
	check_output(false);
	ck_assert(!writer.failed);
}
END_TEST

TEST_LOOP(no_memory, 12)
{
	failing = _i + 1;
	play((uint32_t)_i * 104729 + 1, 300, 2);
	failing = 0;
	check_output(false);
}
END_TEST
