/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests of record.h: record_alone.c runs them on record.h or a variant of it, and
 * test_record.c says on which.
 */
#ifndef _RECORD_CASE_H
#define _RECORD_CASE_H

struct record_start;

/* A test, or one that is made from each place in record_starts.c. */
struct record_case {
	const char *name;
	void (*run)(void);
	void (*run_from)(const struct record_start *start);
};

extern const struct record_case record_cases[];
extern const unsigned int record_case_num;

void record_case_run(const struct record_case *test);

/* Where a test is, for the message of record_fail(). */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A test found a fault. */
void record_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The program's: ends the test. */
void record_failed(const char *message) __attribute__((noreturn));

/* Writers nested in writers: record_nest.c */
void record_case_nested(const struct record_start *start);
void record_case_interrupted_twice(const struct record_start *start);
void record_case_interrupted_thrice(const struct record_start *start);
void record_case_three_deep(const struct record_start *start);
void record_case_random(const struct record_start *start);
void record_case_bounded(const struct record_start *start);
void record_case_dropped_long_ago(const struct record_start *start);

/* Several rings, and a CPU that goes from one to another: record_shifts.c */
void record_case_shift_in_event(void);
void record_case_shifts_in_event(void);
void record_case_image(void);
void record_case_image_after_shift(void);
void record_case_image_laps(void);
void record_case_shift_in_nested(void);
void record_case_event_in_shift(void);
void record_case_random_shifts(void);
void record_case_shift_in_reader(void);
void record_case_shift_and_reader(void);
void record_case_old_records(void);
void record_case_full(void);
void record_case_slow_reader(void);
void record_case_many_shifts(void);

/* Readers: record_readers.c */
void record_case_reader_in_writer(const struct record_start *start);
void record_case_writer_in_reader(const struct record_start *start);
void record_case_reader_and_writers(const struct record_start *start);
void record_case_side_by_side(const struct record_start *start);
void record_case_index_comes_again(const struct record_start *start);

/* The processor's own single step: record_trap.c */
void record_case_trap_counts(const struct record_start *start);
void record_case_trap_writers(const struct record_start *start);
void record_case_trap_readers(const struct record_start *start);

/* Two threads and signals: record_threads.c */
void record_case_threads(void);

/* All that weakly ordered CPUs may make of it: record_weak.c */
void record_case_weak(void);

#endif
