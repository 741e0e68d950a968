/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lkstla html, lkstla report --html: write a page with a timeline of the trace, for a browser.
 *
 * One pass over the trace writes the page. The files are
 *
 *   html.c          the subcommand: its options, and the order in which the page is written
 *   html_spans.c    adds the spans of CPUs, threads, system calls and contexts
 *   html_devices.c  adds requests, packets and waits for locks
 *   html_events.c   adds the marks, the losses, and the events that are not shown as spans
 *   html_names.c    assigns numbers to the names that the spans refer to
 *   html_chunks.c   encodes the exact spans
 *   html_levels.c   encodes the levels of detail that the page shows when it is zoomed out
 *   html_plots.c    collects distributions of the lengths of spans
 *   html_rows.c     writes names, CPUs, threads and devices as JSON
 *   html_meta.c     writes everything else as JSON: the window, findings and delays
 *   html_output.c   writes the blocks of data into the page
 *   page/           the page itself: HTML, CSS and JavaScript
 *
 * FORMAT.md describes the data for the JavaScript.
 */
#ifndef _LKSTLA_HTML_H
#define _LKSTLA_HTML_H

#include "html_chunks.h"
#include "html_levels.h"
#include "html_names.h"
#include "html_plots.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "lkstla/analysis.h"
#include "lkstla/findings.h"
#include "lkstla/paths.h"
#include "lkstla/value.h"

#define HTML_SLOWEST	100 /* default of --slowest */
#define HTML_LENGTH_MAX (1LL << 52) /* the page computes with 53 bits, one of which is the sign */

/**
 * struct html_arguments - options of lkstla html
 * @output: -o
 * @slowest: --slowest; 0: HTML_SLOWEST
 */
struct html_arguments {
	const char *output;
	int64_t slowest;
};

/**
 * struct html_thread - data about a thread
 * @shown: whether the thread has spans
 * @row: row of its states in the levels; -1: none
 * @calls_row: row of its system calls in the levels; -1: none
 * @begin_ns: start of its first span
 * @end_ns: end of its last span
 * @state_ns: time by state
 * @runs: number of times that a CPU switched to it
 * @waits: number of its waits for a CPU
 * @longest_ns: length of the longest wait
 * @longest_end_ns: end of the longest wait
 * @calls: number of its system calls
 */
struct html_thread {
	bool shown;
	int64_t row;
	int64_t calls_row;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t state_ns[HTML_STATES];
	uint64_t runs;
	uint64_t waits;
	int64_t longest_ns;
	int64_t longest_end_ns;
	uint64_t calls;
};

/**
 * struct html_cpu - data about a CPU
 * @cpu: number of the CPU
 * @mode_row: row in the levels that shows the mode of the CPU
 * @who_row: row in the levels that shows the threads that the CPU ran
 * @state_ns: time by state
 */
struct html_cpu {
	int32_t cpu;
	int64_t mode_row;
	int64_t who_row;
	int64_t state_ns[HTML_STATES];
};

#define HTML_LANES_MAX 32

/**
 * struct html_lane - a row of spans of a device, which do not overlap
 * @key: key of the row in the chunks
 * @row: row in the levels
 * @end_ns: end of its latest span
 */
struct html_lane {
	uint32_t key;
	int64_t row;
	int64_t end_ns;
};

enum html_device_kind {
	HTML_DISKS,
	HTML_SENDING,
	HTML_RECEIVING,
};

/**
 * struct html_device - a device, or one direction of a network device
 * @kind: kind
 * @id: block device: its number
 * @name: name
 * @lanes: number of lanes
 * @lane: lanes; the last one also gets the spans for which no lane is free
 */
struct html_device {
	enum html_device_kind kind;
	uint64_t id;
	char name[VALUE_SIZE];
	unsigned int lanes;
	struct html_lane lane[HTML_LANES_MAX];
};

/* A text that a program recorded */
struct html_mark {
	int64_t at_ns;
	const struct lkst_thread *thread;
	int32_t cpu;
	char text[8 * 4 + 1];
};

#define HTML_MARKS_MAX	 10000
#define HTML_LOSSES_MAX	 10000
#define HTML_EVENTS_EACH 200000 /* events of a type; the rest is only counted */

/* Analyses that run as parts of lkstla html */
enum html_part {
	HTML_PART_BLOCK,
	HTML_PART_LOCK,
	HTML_PART_NET,
	HTML_PART_REPORT,
	HTML_PART_WHY,
	HTML_PARTS,
};

/**
 * struct html - a page that is being written
 * @run: run
 * @slowest: number of delays that are explained
 * @output: the page
 * @chunks: exact spans
 * @levels: levels of detail, for the page when it is zoomed out
 * @names: names in the spans
 * @plots: distributions: a table of struct html_plot
 * @is_report: whether the page is for lkstla report --html
 * @report: options of lkstla report
 * @paths: paths that were passed to system calls
 * @kept: number in @paths of the call whose paths are kept, see paths_keep()
 * @part: what the start() functions of the parts returned
 * @thread: threads, by index
 * @threads: number of elements of @thread
 * @cpu: CPUs, in the order of their appearance
 * @cpus: number of CPUs
 * @cpu_room: number of elements of @cpu
 * @cpu_of: for each CPU number: 1 plus the index in @cpu; 0: none
 * @cpu_of_room: number of elements of @cpu_of
 * @device: devices
 * @devices: number of devices
 * @device_room: number of elements of @device
 * @lane_keys: number of lanes of all block devices, and of all network devices
 * @mark: marks
 * @marks: number of marks, of which @mark has the first HTML_MARKS_MAX
 * @mark_room: number of elements of @mark
 * @loss: losses
 * @losses: number of losses, of which @loss has the first HTML_LOSSES_MAX
 * @loss_room: number of elements of @loss
 * @event_count: number of events, by event type
 * @event_stored: number of events in the chunks, by event type
 * @text: output of @format
 * @format: formats the arguments of events
 * @complete: whether the page has been committed
 */
struct html {
	const struct run *run;
	size_t slowest;
	struct html_output output;
	struct html_chunks chunks;
	struct html_levels levels;
	struct html_names names;
	struct hash plots;
	bool is_report;
	const struct report_arguments *report;
	struct paths paths;
	uint32_t kept;
	void *part[HTML_PARTS];
	struct html_thread *thread;
	size_t threads;
	struct html_cpu *cpu;
	size_t cpus;
	size_t cpu_room;
	uint32_t *cpu_of;
	size_t cpu_of_room;
	struct html_device *device;
	size_t devices;
	size_t device_room;
	uint32_t lane_keys[2];
	struct html_mark *mark;
	size_t marks;
	size_t mark_room;
	struct lkst_loss *loss;
	size_t losses;
	size_t loss_room;
	uint64_t event_count[LKST_ETYPE_NUM];
	uint64_t event_stored[LKST_ETYPE_NUM];
	struct lkst_out text;
	struct lkst_format format;
	bool complete;
};

/* Limit a time to the window, and make it relative to the start of the window. */
static inline int64_t html_time(const struct html *html, int64_t time_ns)
{
	if (time_ns <= html->run->begin_ns)
		return 0;
	return (time_ns < html->run->end_ns ? time_ns : html->run->end_ns) - html->run->begin_ns;
}

/* Add a length to a distribution. */
static inline void html_plot(struct html *html, enum html_plot_kind kind, uint64_t number,
			     uint64_t second, int64_t duration_ns, int64_t at_ns)
{
	if (html_plots_add(&html->plots, kind, number, second, duration_ns, at_ns))
		run_out_of_memory(html->run);
}

/* Return 1 plus the index of a thread; 0: idle or unknown. */
static inline uint64_t html_thread_number(const struct lkst_thread *thread)
{
	return thread ? thread->index + 1ull : 0;
}

/* html_spans.c */
void html_on_thread(void *ctx, const struct lkst_thread_span *span);
void html_on_cpu(void *ctx, const struct lkst_cpu_span *span);
void html_on_context(void *ctx, const struct lkst_context_span *span);
void html_on_syscall(void *ctx, const struct lkst_syscall_span *span);
struct html_thread *html_thread_of(struct html *html, const struct lkst_thread *thread);

/* html_devices.c */
void html_observe_devices(struct html *html);
void html_finish_devices(struct html *html);

/* html_events.c */
void html_on_event(void *ctx, const struct lkst_event *event);
void html_on_loss(void *ctx, const struct lkst_loss *loss);

/* html_rows.c */
void html_put_rows(const struct html *html, struct html_bytes *to);

/* html_meta.c */
int html_put_meta(struct html *html, struct html_bytes *to, struct lkst_error *err);

#endif
