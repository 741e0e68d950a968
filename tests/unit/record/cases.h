/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests: name, function, and whether the test also runs on the variants (test_record.mk).
 * Tests that take a long time and do not depend on the compiler do not run on the variants. A test
 * in FROM() runs once from each state in starts.c, a test in ONCE() only once. The includer defines
 * both macros.
 */
FROM("nested", nested, true)
FROM("interrupted-twice", interrupted_twice, true)
FROM("interrupted-thrice", interrupted_thrice, false)
FROM("three-deep", three_deep, true)
FROM("random", random, true)
FROM("bounded", bounded, true)
FROM("dropped-long-ago", dropped_long_ago, true)
FROM("reader-in-writer", reader_in_writer, true)
FROM("writer-in-reader", writer_in_reader, true)
FROM("reader-and-writers", reader_and_writers, false)
FROM("side-by-side", side_by_side, false)
FROM("index-comes-again", index_comes_again, true)
ONCE("shift-in-event", shift_in_event, true)
ONCE("shifts-in-event", shifts_in_event, false)
ONCE("image", image, false)
ONCE("image-after-shift", image_after_shift, false)
ONCE("image-laps", image_laps, false)
ONCE("shift-in-nested", shift_in_nested, false)
ONCE("event-in-shift", event_in_shift, true)
ONCE("random-shifts", random_shifts, true)
ONCE("shift-in-reader", shift_in_reader, false)
ONCE("shift-and-reader", shift_and_reader, false)
ONCE("old-records", old_records, true)
ONCE("full", full, true)
ONCE("slow-reader", slow_reader, true)
ONCE("many-shifts", many_shifts, true)
ONCE("weak", weak, true)
FROM("trap-counts", trap_counts, true)
ONCE("threads", threads, false)

#undef FROM
#undef ONCE
