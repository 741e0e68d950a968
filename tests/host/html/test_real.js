// SPDX-License-Identifier: GPL-2.0
/* Functions for run() see the names of the page: */
/* eslint no-undef: off, no-loop-func: off */
/*
 * A page that lkstla html made of a real trace. The directory has real.html, and the tables of the
 * same trace that lkstla prints with --json.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { template } = require("./page.js");
const { open, run, settled, state } = require("./session.js");
const { is, ok } = require("./tap.js");

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
		/* The table has times without interrupts. */
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

module.exports = { testReal, testRealReport };
