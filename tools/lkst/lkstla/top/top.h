/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lkstla top. top.c divides the time into intervals, top_collect.c, top_threads.c and top_calls.c
 * collect what happens in an interval, and top_frame.c prints the result. top_keys.c handles keys,
 * and top_view.c, top_screen.c and terminal.c handle the screen.
 */
#ifndef _LKSTLA_TOP_H
#define _LKSTLA_TOP_H

#include "lkstla/dist.h"
#include "lkstla/hash.h"
#include "lkstla/run.h"

enum top_view {
	TOP_THREADS,
	TOP_CALLS,
	TOP_INTERRUPTS,
	TOP_CPUS,
	TOP_VIEWS,
};

/**
 * struct top_arguments - options of lkstla top
 * @interval: --interval: length of an interval; NULL: a second
 * @count: --count: end after this many intervals; 0: never
 * @view: --view: enum top_view
 * @batch: --batch: print text even on a terminal
 * @all: --all: also show threads that did nothing but sleep
 */
struct top_arguments {
	const char *interval;
	int64_t count;
	int view;
	bool batch;
	bool all;
};

/* ---- top_threads.c ---- */

/**
 * struct top_thread - what a thread did in an interval
 * @thread: thread; NULL: it has no spans in the interval
 * @state_ns: time by state
 * @user_ns: time in which it ran in user mode
 * @disk_ns: time in which it was blocked and signals could not interrupt it (D)
 * @runs: number of times that a CPU switched to it
 * @calls: number of system calls that ended
 * @errors: number of these calls that returned an error
 * @waits: durations of waits for a CPU, from their real start to their end, or to the end of the
 *	interval
 * @behind: thread that ran on the CPU when the longest wait began; NULL: idle or unknown
 */
struct top_thread {
	const struct lkst_thread *thread;
	int64_t state_ns[LKST_STATE_NUM];
	int64_t user_ns;
	int64_t disk_ns;
	uint64_t runs;
	uint64_t calls;
	uint64_t errors;
	struct dist waits;
	const struct lkst_thread *behind;
};

/**
 * struct top_threads - what threads did in an interval
 * @first_ns: start of the first interval. Nothing is known about earlier times
 * @thread: threads, by index
 * @room: number of members of @thread
 * @causes: table of struct top_cause: how long each thread was blocked in each system call
 */
struct top_threads {
	int64_t first_ns;
	struct top_thread *thread;
	size_t room;
	struct hash causes;
};

void top_threads_init(struct top_threads *threads, int64_t first_ns);
void top_threads_clear(struct top_threads *threads);
void top_threads_free(struct top_threads *threads);
int top_threads_span(struct top_threads *threads, const struct lkst_thread_span *span);
int top_threads_call(struct top_threads *threads, const struct lkst_syscall_span *span);
struct table *top_threads_table(struct top_threads *threads, const struct run *run, bool all,
			    struct lkst_error *err);

/* ---- top_calls.c ---- */

/**
 * struct top_calls - system calls in an interval
 * @first_ns: start of the first interval
 * @rows: table of struct top_call
 */
struct top_calls {
	int64_t first_ns;
	struct hash rows;
};

void top_calls_init(struct top_calls *calls, int64_t first_ns);
void top_calls_clear(struct top_calls *calls);
void top_calls_free(struct top_calls *calls);
int top_calls_span(struct top_calls *calls, const struct lkst_syscall_span *span, bool cutting);
struct table *top_calls_table(const struct top_calls *calls, const struct run *run,
			  struct lkst_error *err);

/* Return whether a system call returned an error. */
static inline bool top_calls_failed(const struct lkst_syscall_span *span)
{
	return span->end_known && span->result < 0 && span->result >= -4095;
}

/* ---- top_frame.c ---- */

/**
 * struct top_frame - the result of an interval
 * @header: lines of text, which end with "\n"
 * @json: JSON object with the header; NULL after it has been printed
 * @tables: tables: one of threads, one of system calls, several of interrupts, one of CPUs
 */
struct top_frame {
	char *header;
	struct json_object *json;
	struct tables tables;
};

/*
 * The views, and the tables of a frame that each of them shows. The tables must be added in this
 * order.
 */
extern const struct top_view_tables {
	const char *name;
	size_t first;
	size_t num;
} top_views[TOP_VIEWS];

void frame_free(struct top_frame *frame);
int frame_make_header(struct top_frame *frame, const struct runner *runner,
		      const double mode_ns[LKST_MODE_NUM], struct lkst_error *err);
int frame_sort(struct top_frame *frame, enum top_view view, const char *key,
	       struct lkst_error *err);
void frame_limit(struct top_frame *frame, int64_t rows);
void frame_print_header(const struct top_frame *frame, unsigned int width, FILE *to);
void frame_print_view(const struct top_frame *frame, enum top_view view, unsigned int width,
		      bool color, FILE *to);
int frame_print_json(struct top_frame *frame, struct lkst_error *err);

/* ---- top_keys.c ---- */

#define TOP_INPUT_SIZE	256
#define TOP_SORT_SIZE	40

/* Keys other than characters */
enum {
	KEY_NONE = -1,
	KEY_ESCAPE = 0x100,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
};

/* What the user is entering in the last line */
enum top_prompt {
	PROMPT_NONE,
	PROMPT_SORT,
	PROMPT_CPU,
	PROMPT_PROCESS,
};

/**
 * struct top_ui - what the user has chosen
 * @view: which tables are shown
 * @all: also show threads that did nothing but sleep
 * @paused: keep the interval that is shown
 * @help: the help is shown
 * @first: number of rows that have been scrolled off the top
 * @prompt: what the user is entering
 * @input: what has been entered
 * @len: length of @input
 * @message: shown in the last line until the next key; "": none
 */
struct top_ui {
	enum top_view view;
	bool all;
	bool paused;
	bool help;
	size_t first;
	enum top_prompt prompt;
	char input[TOP_INPUT_SIZE];
	size_t len;
	char message[TOP_INPUT_SIZE];
};

/* What the caller of keys_press() must do */
enum top_action {
	ACTION_NONE,
	ACTION_DRAW,
	ACTION_QUIT,
	ACTION_SORT_LEFT,	/* sort by the column to the left of the current one */
	ACTION_SORT_RIGHT,
	ACTION_SORT,		/* sort by the column that has been entered */
	ACTION_CPU,		/* show the CPU that has been entered; "": all */
	ACTION_PROCESS,		/* show the processes that have been entered; "": all */
};

int keys_decode(const char *bytes, size_t len, size_t *used);
enum top_action keys_press(struct top_ui *ui, int key, size_t page);
void keys_prompt_text(const struct top_ui *ui, char *text, size_t size);
extern const char keys_help[];

/* ---- top_view.c ---- */

/**
 * struct top_display - the screen of a terminal, and what the user has chosen
 * @runner: run
 * @ui: what the user has chosen
 * @sort: for each view: the key by which it is sorted; "": default order
 * @shown: the interval that is shown; NULL: none has ended
 */
struct top_display {
	struct runner *runner;
	struct top_ui ui;
	char sort[TOP_VIEWS][TOP_SORT_SIZE];
	struct top_frame *shown;
};

void top_view_draw(struct top_display *display);
int top_view_keys(struct top_display *display, int timeout_ms);

/* ---- top_collect.c ---- */

enum top_part {
	PART_IRQ,
	PART_CPU,
	TOP_PARTS,
};

/**
 * struct top - the state of lkstla top
 * @runner: run. Its window is the current interval
 * @own: options of lkstla top
 * @interval_ns: length of an interval
 * @done: number of intervals that have been shown
 * @cutting: the model is cutting the spans, because an interval ends
 * @screen: the output is a screen; otherwise text or JSON
 * @threads: threads in this interval
 * @calls: system calls in this interval
 * @mode_ns: time of the CPUs in this interval, by mode
 * @part: what the analyses irq and cpu have collected in this interval
 * @display: screen, and what the user has chosen
 */
struct top {
	struct runner *runner;
	const struct top_arguments *own;
	int64_t interval_ns;
	int64_t done;
	bool cutting;
	bool screen;
	struct top_threads threads;
	struct top_calls calls;
	double mode_ns[LKST_MODE_NUM];
	void *part[TOP_PARTS];
	struct top_display display;
};

void top_collect_thread(void *ctx, const struct lkst_thread_span *span);
void top_collect_cpu(void *ctx, const struct lkst_cpu_span *span);
void top_collect_context(void *ctx, const struct lkst_context_span *span);
void top_collect_syscall(void *ctx, const struct lkst_syscall_span *span);
void top_collect_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake);
void top_collect_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			 int64_t time_ns);
void top_collect_event(void *ctx, const struct lkst_event *event);

int top_collect_start(struct top *top, struct lkst_error *err);
void top_collect_free(struct top *top);
int top_collect_fill(struct top *top, struct top_frame *frame, struct lkst_error *err);

/* ---- top_screen.c ---- */

/**
 * struct top_screen - what is drawn on a screen
 * @title: first line, in reverse video
 * @header: lines above the rows
 * @body: lines of the table, of which the first one is the heading
 * @first: number of lines after the heading that are not shown
 * @last: last line: a prompt or a message; "": none
 * @width: width of the terminal
 * @height: height of the terminal
 */
struct top_screen {
	const char *title;
	const char *header;
	const char *body;
	size_t first;
	const char *last;
	unsigned int width;
	unsigned int height;
};

void screen_draw(const struct top_screen *screen, FILE *to);

#endif
