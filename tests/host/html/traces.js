// SPDX-License-Identifier: GPL-2.0
/*
 * Traces for the tests of the page: a small one with fixed contents, and simulated systems of any
 * size.
 */
"use strict";

const { stateNumber } = require("./page.js");

const MS = 1e6;

const BEGIN_KNOWN = 1;
const END_KNOWN = 2;
const END_STATE = 2;
const END_PREEMPTED = 4;
const WAKE_KNOWN = 8;

/* Thursday, 26 November 2026, 21:52:05.1 UTC. The local time of the machine is one hour ahead. */
const EPOCH = "1795729925100000000";

function metaOf(length, more) {
	return {
		version: 1, program: "lkstla test", file: "test.lkst", command: "-f test.lkst", begin_ns: EPOCH,
		length_ns: length, zone_s: 3600, window_text: ["window 22:52:05.1 (test, nothing lost)"], calls: [],
		window: { lost: 0 }, contexts: [], events: [], strings: [""], cpus: [], threads: [], devices: [], marks: [], losses: [],
		findings: [], whys: [], ...more,
	};
}

const threadOf = (tid, comm) => ({ tid, tgid: tid, parent: 1, name: `${comm}-${tid}`, comm, selected: true });

/**
 * knownTrace() - 10 ms of two CPUs and three threads
 *
 *   ms        0    1    2    3    4    5    6    7    8    9    10
 *   CPU 0     |user a   |kernel a |idle     |irq |user b            |
 *   CPU 1     |idle                         |user c                 |
 *   a         |running            |blocked in read                  |
 *   b         |blocked       |runnable      6.5  |running           |
 *   c         |blocked (D)                  |running                |
 */
function knownTrace() {
	const spans = [];
	const add = (table, key, begin, end, more) =>
		spans.push({ table, key, begin: begin * MS, end: end * MS, ...more });
	const cpu = (number, begin, end, state, thread) =>
		add("cpu", number, begin, end, { state: stateNumber(state), thread });
	const thread = (key, begin, end, state, more) =>
		add("thr", key, begin, end, { state: stateNumber(state), flags: BEGIN_KNOWN | END_STATE, ...more });
	cpu(0, 0, 2, "user", 1);
	cpu(0, 2, 4, "kernel", 1);
	cpu(0, 4, 6, "idle", 0);
	cpu(0, 6, 6.5, "hardirq", 0);
	cpu(0, 6.5, 10, "user", 2);
	cpu(1, 0, 6, "idle", 0);
	cpu(1, 6, 10, "user", 3);
	thread(0, 0, 4, "running", { cpu: 1 });
	thread(0, 4, 10, "blocked-poll", { letter: 83, call: 1 });
	thread(1, 0, 3, "blocked", { letter: 83 });
	thread(1, 3, 6.5, "woken", { cpu: 1, waker: 1, wakecpu: 1, wakegap: 0.001 * MS, behind: 1,
		flags: BEGIN_KNOWN | END_STATE | WAKE_KNOWN });
	thread(1, 6.5, 10, "running", { cpu: 1 });
	thread(2, 0, 6, "blocked-disk", { letter: 68 });
	thread(2, 6, 10, "running", { cpu: 2 });
	add("sys", 0, 2, 10, { call: 0, flags: BEGIN_KNOWN, a1: 3n, a2: 0x7f00n, a3: 40n, path: 1, blocked: 6 * MS });
	add("sys", 2, 7, 7.5, { call: 1, flags: BEGIN_KNOWN | END_KNOWN, result: -11 });
	add("ctx", 0, 6, 6.5, { context: 0, flags: 3 });
	add("ctx", 1, 6.1, 6.101, { context: 1, flags: 3, thread: 3 });
	add("blk", 0, 1, 6, { op: 1, sector: 81920, bytes: 4096, cpu: 1, thread: 1, flags: 3, queue: 4100 });
	add("evt", 0, 1, 1, { type: 40, thread: 1, text: '{"signal":"SIGTERM","target":"c-103","value":18446744073709551557}' });
	const meta = metaOf(MS * 10, {
		calls: [{ name: "read", args: "fpu" }, { name: "futex", args: "pdx" }],
		contexts: [{ kind: "irq", name: "24 nvme0q1" }, { kind: "softirq", name: "TIMER" }],
		events: [{ type: 40, name: "process_sigsend", count: 1, stored: 1 }],
		strings: ["", "/var/log/messages"],
		cpus: [{ cpu: 0 }, { cpu: 1 }],
		threads: [threadOf(101, "a"), threadOf(102, "b"), threadOf(103, "c")],
		devices: [{ kind: "block", name: "nvme0n1", lanes: [[0, -1]] }],
		marks: [{ at: MS, text: "begin of the test", thread: 0, cpu: 0 }],
		findings: [
			{ rule: "cpu-wait", text: "b-102 waited 3.5 ms for CPU 0", more: "lkstla why b-102", count: 1,
				begin: 3 * MS, at: 6.5 * MS, thread: 1, other: 0, cpu: 0 },
			{ rule: "no-place", text: "a finding without a place", more: null, count: 1, begin: null, at: null,
				thread: null, other: null, cpu: null },
		],
		whys: [{ thread: 1, begin: 3 * MS, end: 6.5 * MS, call: null,
			text: "3.5 ms  100 %  runnable on CPU 0, held by a-101" }],
		plots: [
			{ kind: "wait", name: "waits for a CPU", count: 1, total_ns: 3.5 * MS, p50_ns: 3.5 * MS, p99_ns: 3.5 * MS, max_ns: 3.5 * MS, at: 6.5 * MS,
				buckets: [[3.1 * MS, 3.7 * MS, 1]] },
			{ kind: "call", name: "read", number: 1, count: 1000, total_ns: 100 * MS, p50_ns: 1000, p99_ns: 90e3, max_ns: 8 * MS, at: 10 * MS,
				buckets: [[800, 1000, 600], [1000, 1200, 380], [90000, 100000, 19], [7 * MS, 9 * MS, 1]] },
		],
	});
	return { meta, spans };
}

/**
 * knownReport() - what lkstla report --html adds to the metadata of knownTrace()
 */
function knownReport() {
	return {
		death: "HOW THE MACHINE DIED\n  it did not",
		none: null,
		history: {
			begin_ns: -60e9, end_ns: 0, left_out: 1234, events_total: 1235,
			rows: [{ name: "CPUs busy", unit: "%", full: 100, min: 0, max: 50, values: [-1, 0, 1, 50] }],
			events: [{ time_ns: -2e9, cpu: 3, event_type: 225, event_name: "user_text", text: "<b>begin" }],
		},
		tables: {
			cpus: [{ cpu: 0, user: 0.55, kernel: 0.2, thread: 0, irq: 0.05, softirq: 0, idle: 0.2, unknown: 0, switches: 3, migrations: 0,
				wakeups: 1, idle_while_queued_ns: 2 * MS }],
			sched: [{ thread: "b-102", runs: 1, preempted: 0, run_ns: 3.5 * MS, wait_ns: 3.5 * MS, p50_ns: 3.5 * MS, p99_ns: 3.5 * MS,
				max_ns: 3.5 * MS, at_ns: 6.5 * MS, behind: "a-101" }],
			worst: [{ finding: "cpu-wait", worst_ns: 3.5 * MS, at_ns: 6.5 * MS, text: "b-102 waited 3.5 ms" }],
			not_looked_for: [{ finding: "lock-wait" }],
		},
	};
}

/* Random numbers that are the same in each run. */
class Random {
	constructor(seed) {
		this.state = seed >>> 0;
	}

	next() {
		this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
		return this.state / 2 ** 32;
	}

	below(n) {
		return Math.floor(this.next() * n);
	}

	/* Return a random time. Most times are short, and a few are long. */
	time(mean) {
		return Math.max(1, Math.round(-Math.log(1 - this.next()) * mean));
	}
}

/**
 * simulatedTrace() - make a trace of CPUs that run threads in turn, with system calls, interrupts
 * and wake-ups
 * @turns: number of turns of each CPU
 */
function simulatedTrace({ cpus = 2, threads = 20, turns = 2000, seed = 1 } = {}) {
	const random = new Random(seed);
	const spans = [];
	const names = ["bash", "mysqld", "kworker/u4:0", "nginx", "rcu_sched", "python3", "sshd", "jbd2/vda1-8"];
	const list = Array.from({ length: threads }, (unused, i) => threadOf(100 + i, names[i % names.length]));
	/* What each thread is doing, and since when. */
	const since = list.map(() => 0);
	let length = 0;
	for (let cpu = 0; cpu < cpus; cpu++) {
		let now = 0;
		for (let turn = 0; turn < turns; turn++)
			now = simulateTurn({ random, spans, list, since, cpu, cpus, now });
		length = Math.max(length, now);
	}
	list.forEach((thread, key) => {
		if (since[key] < length)
			spans.push({ table: "thr", key, begin: since[key], end: length, state: stateNumber("blocked"), flags: 1 });
	});
	for (let cpu = 0; cpu < cpus; cpu++) {
		const end = spans.reduce((a, span) => (span.table === "cpu" && span.key === cpu ? Math.max(a, span.end) : a), 0);
		if (end < length)
			spans.push({ table: "cpu", key: cpu, begin: end, end: length, state: stateNumber("idle") });
	}
	const meta = metaOf(length, {
		calls: ["read", "write", "futex", "epoll_wait", "openat"].map((name) => ({ name, args: "fpu" })),
		contexts: [{ kind: "timer_irq", name: "236" }, { kind: "softirq", name: "RCU" }, { kind: "irq", name: "24 nvme0q1" }],
		events: [], cpus: Array.from({ length: cpus }, (unused, cpu) => ({ cpu })), threads: list,
		marks: [{ at: Math.round(length / 4), text: "begin of the load", thread: 0, cpu: 0 },
			{ at: Math.round(length / 2), text: "end of the load", thread: 0, cpu: 0 }],
		window: { lost: 5678 }, losses_total: 3,
		losses: [{ cpu: 0, begin: Math.round(length * 0.8), end: Math.round(length * 0.81), number: 1234 }],
		findings: [{ rule: "cpu-wait", text: "mysqld-101 waited 12.3 ms for CPU 1, held by nginx-103", more: "lkstla why mysqld-101 -f test.lkst",
			count: 3, begin: Math.round(length * 0.3), at: Math.round(length * 0.31), thread: 1, other: 3, cpu: 1 }],
	});
	return { meta, spans };
}

/* Make a CPU run a thread for a while, with an interrupt, and then perhaps be idle. */
function simulateTurn({ random, spans, list, since, cpu, cpus, now }) {
	/* Each CPU has separate threads, so that no thread ever runs on two CPUs simultaneously. */
	const own = Math.floor(list.length / cpus);
	const key = cpu * own + random.below(own);
	const thread = key + 1;
	const begin = now + (random.next() < 0.6 ? random.time(40e3) : 0);
	const run = random.time(80e3);
	const wait = Math.min(random.time(20e3), begin - since[key]);
	const user = Math.floor(run * random.next());
	const irq = Math.min(random.time(3e3), run - user);
	const end = begin + run;
	const put = (table, row, from, to, more) => to > from && spans.push({ table, key: row, begin: from, end: to, ...more });
	put("cpu", cpu, now, begin, { state: stateNumber("idle") });
	put("cpu", cpu, begin, begin + user, { state: stateNumber("user"), thread });
	put("cpu", cpu, begin + user, begin + user + irq, { state: stateNumber(random.next() < 0.7 ? "hardirq" : "softirq"), thread });
	put("ctx", cpu, begin + user, begin + user + irq, { context: random.below(3), thread, flags: 3 });
	put("cpu", cpu, begin + user + irq, end, { state: stateNumber("kernel"), thread });
	const blocked = ["blocked", "blocked-poll", "blocked-futex", "blocked-disk", "resting"][key % 5];
	put("thr", key, since[key], begin - wait, { state: stateNumber(blocked), flags: BEGIN_KNOWN | END_STATE, letter: 83, call: key % 5 === 2 ? 3 : 0 });
	put("thr", key, begin - wait, begin, { state: stateNumber(random.next() < 0.8 ? "woken" : "preempted"), cpu: cpu + 1, waker: 1 + random.below(list.length),
		wakecpu: 1 + random.below(cpus), wakegap: 500, flags: BEGIN_KNOWN | END_STATE | WAKE_KNOWN });
	put("thr", key, begin, end, { state: stateNumber("running"), cpu: cpu + 1, flags: BEGIN_KNOWN | (random.next() < 0.5 ? END_STATE : END_PREEMPTED) });
	if (key % 3 !== 2 && run - irq - user > 0)
		put("sys", key, begin + user + irq, end, { call: random.below(5), flags: 3, result: random.below(100) - 5, a1: 3n, a2: 0x7ffd1000n, a3: 4096n });
	since[key] = end;
	return end;
}

module.exports = { knownReport, knownTrace, simulatedTrace };
