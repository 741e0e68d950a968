/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tests: name, function, and whether the test also runs on the variants (test_record.mk).
 * Tests that take a long time and do not depend on the compiler do not run on the variants. A test
 * in FROM() runs once from each state in starts.c, a test in ONCE() only once. The includer defines
 * both macros.
 */
FROM("nested", ring_scripts, true)
FROM("interrupted-twice", ring_scripts, true)
FROM("interrupted-thrice", ring_scripts, false)
FROM("three-deep", ring_scripts, true)
FROM("random", random, true)
FROM("bounded", ring_scripts, true)
FROM("dropped-long-ago", ring_scripts, true)
FROM("reader-in-writer", ring_scripts, true)
FROM("writer-in-reader", ring_scripts, true)
FROM("reader-and-writers", ring_scripts, false)
FROM("side-by-side", side_by_side, false)
FROM("index-comes-again", ring_scripts, true)
ONCE("shift-in-event", cpu_scripts, true)
ONCE("shifts-in-event", cpu_scripts, false)
ONCE("image", cpu_scripts, false)
ONCE("image-after-shift", cpu_scripts, false)
ONCE("image-laps", cpu_scripts, false)
ONCE("shift-in-nested", cpu_scripts, false)
ONCE("event-in-shift", cpu_scripts, true)
ONCE("random-shifts", random_shifts, true)
ONCE("shift-in-reader", cpu_scripts, false)
ONCE("shift-and-reader", cpu_scripts, false)
ONCE("old-records", cpu_scripts, true)
ONCE("full", cpu_scripts, true)
ONCE("slow-reader", cpu_scripts, true)
ONCE("many-shifts", cpu_scripts, true)
ONCE("chains", cpu_scripts, false)
ONCE("weak", weak, true)
FROM("trap-counts", trap_counts, true)
ONCE("threads", threads, false)

#undef FROM
#undef ONCE
