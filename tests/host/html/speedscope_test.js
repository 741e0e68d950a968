// SPDX-License-Identifier: GPL-2.0
/*
 * Opens exports in speedscope, and compares the slices that speedscope shows with the export, and
 * their times with those that lkstla prints. To find out what speedscope shows, the test makes it
 * export the data that it has loaded.
 *
 * usage: speedscope_test.js PAGE DIRECTORY NAME...; the files are NAME.json, NAME.folded and
 * NAME.thread in DIRECTORY
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { Browser } = require("./browser.js");
const { bailOut, done, is, ok, test } = require("./tap.js");

/* The states whose times are compared */
const STATES = /^(running|runnable|blocked( [SDTI])?)$/;

/* Messages of a browser on a machine without a graphics card */
const OF_BROWSER = /WebGL|GL Driver/;

/* Return the warnings and errors that speedscope has written to the console. */
function warnings(browser) {
	return browser.errors.filter((text) => !OF_BROWSER.test(text)).slice(0, 10);
}

/* Open a file in speedscope, and return what speedscope exports. */
async function load(browser, page, file) {
	fs.writeFileSync(`${file}.js`, `speedscope.loadFileFromBase64(${JSON.stringify(path.basename(file))}, ${
		JSON.stringify(fs.readFileSync(file).toString("base64"))});`);
	await browser.open(page, `localProfilePath=${file}.js`);
	await browser.until(() => document.body.innerText.includes("Left Heavy"));
	return JSON.parse(await browser.run(() => {
		const saved = new Promise((resolve) => {
			URL.createObjectURL = (blob) => {
				resolve(blob.text());
				return "";
			};
		});
		HTMLAnchorElement.prototype.click = () => {};
		window.dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }));
		return saved;
	}));
}

function add(sums, key, value) {
	sums.set(key, (sums.get(key) || 0) + value);
}

/* Return the time of each frame, by its name, without the frames inside it. */
function selfTimes({ events }, frames) {
	const sums = new Map();
	const stack = [];
	let last = 0;
	for (const { type, frame, at } of events) {
		if (stack.length > 0)
			add(sums, frames[stack[stack.length - 1]].name, at - last);
		if (type === "O")
			stack.push(frame);
		else
			stack.pop();
		last = at;
	}
	return sums;
}

/* Return the microseconds that a thread was in each state, according to speedscope. */
function stateTimes(profile, frames) {
	const sums = new Map();
	for (const [name, us] of selfTimes(profile, frames)) {
		const state = name.split(" {")[0];
		if (STATES.test(state))
			add(sums, state, us);
	}
	return [...sums].map(([state, us]) => [state, Math.round(us * 1000)]).sort();
}

/* Return the nanoseconds that a thread was in each state, according to lkstla. */
function wantedTimes(rows, thread) {
	const sums = new Map();
	for (const { thread: name, state, total_ns: ns } of rows)
		if (name === thread && (STATES.test(state) || state === "interrupted") && ns > 0)
			add(sums, state === "interrupted" ? "running" : state, ns);
	return [...sums].sort();
}

/*
 * Return the names that speedscope gives to slices, and the number of slices with each name. If a
 * slice begins when another one with the same name ends, speedscope shows them as one.
 */
function wantedNames(events) {
	const counts = new Map();
	const ends = new Map();
	for (const { ph, pid, tid, ts, name, args } of events) {
		const key = args ? `${name} ${JSON.stringify(args)}` : name;
		const track = `${pid} ${tid}`;
		if (ph === "B" && ends.get(track) !== `${ts} ${key}`)
			add(counts, key, 1);
		if (ph === "E")
			ends.set(track, `${ts} ${key}`);
	}
	return [...counts].sort();
}

function shownNames({ profiles, shared }) {
	const counts = new Map();
	for (const { events } of profiles)
		for (const { type, frame } of events)
			if (type === "O")
				add(counts, shared.frames[frame].name, 1);
	return [...counts].sort();
}

/* Return the members that only one of the two lists has. */
function difference(one, two) {
	const [first, second] = [one, two].map((list) => list.map((member) => JSON.stringify(member)));
	return [...first.filter((member) => !second.includes(member)), ...second.filter((member) => !first.includes(member))];
}

/* Compare the states of all threads whose ID was used once. */
function compareThreads(shown, thread, name) {
	const differ = [];
	let compared = 0;
	for (const of of new Set(thread.time.map((row) => row.thread))) {
		const tid = of.slice(of.lastIndexOf("-") + 1);
		const found = shown.profiles.filter((profile) => profile.name.endsWith(`tid ${tid})`));
		const times = found.length === 1 ? stateTimes(found[0], shown.shared.frames) : [];
		const wanted = wantedTimes(thread.time, of);
		if (wanted.length > 0 && found.length === 1)
			compared++;
		if (JSON.stringify(times) !== JSON.stringify(wanted) && wanted.length > 0)
			differ.push([of, times, wanted]);
	}
	ok(compared > 3, `${name}: threads are compared`, `only ${compared}`);
	is(differ, [], `${name}: the time of each thread in each state`);
}

async function chrome(browser, page, file, name) {
	const { traceEvents } = JSON.parse(fs.readFileSync(`${file}.json`, "utf8"));
	const shown = await load(browser, page, `${file}.json`);
	is(warnings(browser), [], `${name}.json: speedscope prints no warning`);
	is(shown.profiles.length, new Set(traceEvents.filter(({ ph }) => ph === "B").map(({ pid, tid }) => `${pid} ${tid}`)).size,
		`${name}.json: a profile for each thread and CPU`);
	is(difference(shownNames(shown), wantedNames(traceEvents)), [], `${name}.json: all slices, with their arguments`);
	compareThreads(shown, JSON.parse(fs.readFileSync(`${file}.thread`, "utf8")), `${name}.json`);
}

async function folded(browser, page, file, name) {
	const lines = fs.readFileSync(`${file}.folded`, "utf8").trim().split("\n");
	const shown = await load(browser, page, `${file}.folded`);
	is(warnings(browser), [], `${name}.folded: speedscope prints no warning`);
	is(shown.profiles.length, 1, `${name}.folded: one profile`);
	is(shown.profiles[0].endValue - shown.profiles[0].startValue,
		lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0), `${name}.folded: the sum of all times`);
}

async function all(page, directory, names) {
	const browser = await Browser.start();
	for (const name of names) {
		const file = path.join(directory, name);
		await test(`${name}.json`, () => chrome(browser, page, file, name));
		await test(`${name}.folded`, () => folded(browser, page, file, name));
	}
	await browser.close();
	done();
}

all(process.argv[2], process.argv[3], process.argv.slice(4)).catch(bailOut);
