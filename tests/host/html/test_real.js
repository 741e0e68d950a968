// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/*
 * Tests pages that lkstla html made of real traces. The directory contains real.html, the tables of
 * the same trace that lkstla prints with --json, and death.html, the page of an image of a dead
 * machine.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { template } = require("./page.js");
const { open, run, settled, state } = require("./session.js");
const { is, matches, ok } = require("./tap.js");

function table(name) {
	return JSON.parse(fs.readFileSync(path.join(state.directory, `${name}.json`), "utf8"));
}

const sum = (list, member) => list.reduce((total, entry) => total + entry[member], 0);

async function testReal() {
	const { browser } = state;
	const file = path.join(state.directory, "real.html");
	const [before, after] = template().split("<!-- LKSTLA-DATA -->\n");
	const text = fs.readFileSync(file, "utf8");
	ok(text.startsWith(before.slice(0, before.indexOf("<title>"))) && text.endsWith(after), "lkstla html writes the page of the source");
	await open(file);
	is(browser.errors, [], "a real trace causes no error on the console");
	is(browser.requests, [], "and no request");
	const sched = table("sched").sched;
	const calls = table("syscall").calls;
	const irqs = table("irq");
	const wanted = [
		["runnable", null, sum(sched, "wait_ns")],
		["running", null, sum(sched, "run_ns")],
		["call", sum(calls, "calls"), null],
		["failed", sum(calls, "errors"), null],
		/* The times in the table do not include interrupts, so they are not compared. */
		["softirq", sum(irqs.softirq, "count"), null],
	];
	for (const [query, count, time] of wanted) {
		await run((words) => searchStart(words), query);
		const [haveCount, haveTime] = await run(() => [search.count, search.sum]);
		is([count === null ? null : haveCount, time === null ? null : haveTime], [count, time], `${query}: the search and the table agree`);
	}
	const names = await run(() => rows.groups.find((group) => group.id === "threads").rows.map((row) => row.title));
	is(sched.map((entry) => entry.thread).filter((name) => !names.includes(name)), [], "all threads of the table have a row");
	for (const part of [1, 0.1, 0.001]) {
		await run((share) => viewShow(view.length * 0.4, view.length * (0.4 + share)), part);
		await settled();
		ok(await run(() => labels.drawn.length > 0), `labels are drawn in ${part} of the window`);
	}
	is(browser.errors, [], "nor do searches and moves");
}

async function testRealReport() {
	const { browser } = state;
	await open(path.join(state.directory, "report.html"));
	const text = await run(() => document.getElementById("report").innerText);
	const wanted = table("report");
	const missing = [...wanted.findings, ...wanted.worst].map((entry) => entry.text).filter((line) => !text.includes(line));
	is(missing, [], "the page of a report has all findings, and the worst of each kind");
	is(await run(() => document.querySelectorAll("#report .plots figure").length > 10), true, "it has plots");
	is([browser.errors, browser.requests], [[], []], "it causes no error on the console, and no request");
}

/* Test the page of an image that mkmemory made. It shows what the dead machine did last. */
async function testDeath() {
	const { browser } = state;
	await open(path.join(state.directory, "death.html"));
	matches(await run(() => document.getElementById("report").innerText), [/^How the machine died$/m,
		/panic: Test of a page \(at 03:04:05\.000499, CPU 0, dying-42\)/, /Read from: raw memory/,
		/CPU 0: dying-42 for 0\.049 ms, in the kernel, in the system call getpid/, /^ *8:0 .*4096 bytes at sector 2048/m],
	"a dead machine: the report says how it died, and what was pending");
	is(await run(() => trace.findings.map((finding) => finding.text)), ["kernel: panic: Test of a page on CPU 0 in dying-42"],
		"the panic is a finding");
	await run(() => document.querySelector("#report .findings button").click());
	await settled();
	is(await run(() => {
		const x = viewX(trace.findings[0].at);
		return [x > 0 && x <= view.width, reportIsAbove()];
	}), [true, false], "it leads to its place in the timeline");
	is(await run(() => ["cpus", "threads", "devices"].map((id) => rows.groups.find((group) => group.id === id).rows
		.map((row) => row.title).filter((title) => /CPU|dying|8:0/.test(title)))),
	[["CPU 0", "CPU 1"], ["dying-42"], ["8:0"]], "the CPUs, the thread and the disk have rows");
	matches(await run(() => labels.drawn.map((label) => `${label.row} ${label.text}`).join("\n")), [/^cpu:0 dying-42$/m],
		"the timeline shows which thread ran last");
	is([browser.errors, browser.requests], [[], []], "the page causes no error on the console, and no request");
}

module.exports = { testReal, testRealReport, testDeath };
