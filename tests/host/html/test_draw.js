// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/* Tests what the page of lkstla html draws: text, pixels, themes, sizes, and moving views. */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { SOURCE, pageOf } = require("./page.js");
const { MS, open, run, settled, show, state, styleAt } = require("./session.js");
const { is, matches, ok } = require("./tap.js");
const { knownTrace, simulatedTrace } = require("./traces.js");

/* Row, lane, time in ms, part of the height from the top, style. */
const PIXELS = [
	["cpu:0", 2, 1, 0.5, "user"],
	["cpu:0", 2, 3, 0.5, "kernel"],
	["cpu:0", 2, 5, 0.5, ""],
	["cpu:0", 2, 6.25, 0.5, "hardirq"],
	["cpu:0", 2, 8, 0.5, "user"],
	["cpu:1", 2, 3, 0.5, ""],
	["cpu:1", 2, 9, 0.5, "user"],
	["thread:0", 0, 2, 0.2, "running"],
	["thread:0", 0, 8, 0.2, ""],
	["thread:0", 0, 8, 0.8, "blocked"],
	["thread:0", 1, 1, 0.5, ""],
	["thread:0", 1, 5, 0.5, "call"],
	["thread:1", 0, 1, 0.8, "blocked"],
	["thread:1", 0, 5, 0.1, ""],
	["thread:1", 0, 5, 0.6, "woken"],
	["thread:1", 0, 8, 0.1, "running"],
	["thread:2", 0, 3, 0.8, "blocked-disk"],
	["thread:2", 1, 7.25, 0.5, "call1"],
	["thread:2", 1, 7.75, 0.5, ""],
	["device:0", 0, 3, 0.5, "write"],
	["device:0", 0, 7, 0.5, ""],
];

async function testText() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	is(browser.errors, [], "a page causes no error on the console");
	is(browser.requests, [], "a page requests nothing");
	is(await run(() => document.title), "test.lkst - LKST", "the title names the file");
	matches(await run(() => document.querySelector("header").textContent), [/LKST test\.lkst/, /window 22:52:05\.1 \(test, nothing lost\)/],
		"the header has the file and the window");
	is(await run(() => [...document.querySelectorAll("#labels button:not([hidden]) .name")].map((name) => name.textContent)),
		["marks", "CPUs", "CPU 0", "CPU 1", "Threads", "a-101", "c-103", "b-102", "Devices", "nvme0n1"],
		"the rows are marks, CPUs, threads and devices, the busiest thread first");
	is(await run(() => rows.byId.get("cpu:0").note), "80 % busy", "a CPU has the share of time for which it was busy");
	is(await run(() => ruler.ticks.slice(0, 3).map((tick) => tick.text)), ["22:52:05.100", "22:52:05.102", "22:52:05.104"],
		"the ruler has times of day, in the zone of the trace");
	const drawn = await run(() => labels.drawn.map((label) => `${label.row} ${label.lane} ${label.text}`));
	matches(drawn.join("\n"), [/^cpu:0 cpu a-101$/m, /^cpu:0 cpu b-102$/m, /^cpu:1 cpu c-103$/m, /^thread:0 sys read$/m,
		/^thread:0 thr CPU 0$/m, /^thread:2 thr CPU 1$/m, /^device:0 blk write 4,096 bytes$/m, /begin of the test/],
	"spans have labels");
	matches(await run(() => document.getElementById("findings-list").textContent),
		[/b-102 waited 3\.5 ms for CPU 0/, /22:52:05\.106500/, /lkstla why b-102/, /a finding without a place/],
		"the findings are listed");
}

async function testPixels() {
	const kinds = [
		["spans", {}, [0, 10]],
		["levels", { chunk: 1, bins: 1000 }, [-0.1, 10.1]],
		["spans of many chunks", { chunk: 1, bins: 64, levels: 1 }, [-0.1, 10.1]],
	];
	for (const [name, options, [from, to]] of kinds) {
		await show(pageOf(knownTrace(), options), `from=${from * MS}&to=${to * MS}`);
		await settled();
		is(await run(() => paint.exact), !name.startsWith("levels"), `${name}: the picture is made from them`);
		for (const [row, lane, time, part, want] of PIXELS)
			is(await run(styleAt, row, lane, time * MS, part), want, `${name}: ${row}, lane ${lane}, at ${time} ms: ${want || "nothing"}`);
	}
	await show(pageOf(knownTrace()));
	is(await run(styleAt, "cpu:1", 1, 6.1005 * MS, 0.99), "softirq", "a softirq of 1 us has a pixel in 10 ms");
}

/* Pixels of losses and beside them: row, lane, time in ms, style. */
const LOSSES = [
	["cpu:1", 2, 1.5, ""],
	["cpu:1", 2, 2.5, "loss"],
	["cpu:0", 2, 2.5, "kernel"],
	["cpu:1", 2, 3.5, ""],
	["cpu:1", 2, 5, "loss"],
	["cpu:0", 2, 8.5, "user"],
	["cpu:0", 2, 9.5, "loss"],
];

async function testLosses() {
	const known = knownTrace();
	Object.assign(known.meta, {
		window: { lost: 8 }, losses_total: 3, losses: [
			{ cpu: 1, begin: 2 * MS, end: 3 * MS, number: 7 },
			{ cpu: 1, begin: 5 * MS, end: 5 * MS, number: 1 },
			/* The end of a truncated file. */
			{ cpu: 0, begin: 9 * MS, end: 10 * MS, number: 0 },
		],
	});
	for (const [name, options, [from, to]] of [["spans", {}, [0, 10]], ["levels", { chunk: 1, bins: 1000 }, [-0.1, 10.1]]]) {
		await show(pageOf(known, options), `from=${from * MS}&to=${to * MS}`);
		await settled();
		for (const theme of ["light", "dark"]) {
			await run((wanted) => themeChoose(wanted), theme);
			await settled();
			is(await Promise.all(LOSSES.map(([row, lane, time]) => run(styleAt, row, lane, time * MS, 0.5))),
				LOSSES.map((place) => place[3]), `${name}, ${theme}: lost records are marked on the row of their CPU`);
		}
	}
	is(await run(() => [document.getElementById("lost").hidden, document.getElementById("lost").textContent]),
		[false, "8 records lost"], "and their number is in the header");
	for (const [lost, text] of [[8, "8 records lost, the last records may be missing"], [0, "the last records may be missing"]]) {
		known.meta.window = { lost, lacks_end: true };
		await show(pageOf(known));
		is(await run(() => [document.getElementById("lost").hidden, document.getElementById("lost").textContent]),
			[false, text], `a truncated file, ${lost} records lost: so does the header`);
	}
}

/* A browser ignores unknown declarations, so a misspelt one would not be noticed. */
async function testStyle() {
	await show(pageOf(knownTrace()));
	const text = fs.readFileSync(path.join(SOURCE, "page.css"), "utf8").replace(/\/\*[^]*?\*\//g, "");
	const declarations = [...text.matchAll(/^\t([a-z-]+):\s*([^;]+);/gm)].map(([, name, value]) => [name, value])
		.filter(([name]) => !name.startsWith("--"));
	ok(declarations.length > 100, "the style sheet has declarations");
	is(await run((list) => list.filter(([name, value]) => !CSS.supports(name, value.replace("!important", ""))), declarations), [],
		"the browser knows all declarations of the style sheet");
}

async function testThemes() {
	const { browser } = state;
	const file = await show(pageOf(knownTrace()));
	const background = () => run(() => getComputedStyle(document.body).backgroundColor);
	is(await background(), "rgb(255, 255, 255)", "the page is light if the system does not want otherwise");
	await browser.theme("dark");
	await browser.until(() => palette.dark);
	is(await background(), "rgb(20, 23, 26)", "it becomes dark with the system");
	await settled();
	is(await run(styleAt, "cpu:0", 2, MS, 0.5), "user", "and so do the colours of the rows");
	await browser.key("t");
	is(await background(), "rgb(255, 255, 255)", "t changes the theme");
	await browser.theme("light");
	await open(file);
	for (const theme of ["light", "dark"])
		is(await run(contrasts, theme), [], `${theme}: all text can be read`);
	for (const theme of ["light", "dark"])
		is(await run(confusions, theme), [], `${theme}: people who cannot tell red from green can tell the states apart`);
}

/*
 * Return the text colours that have less contrast than WCAG requires, on each background on which
 * they occur.
 */
function contrasts(theme) {
	themeChoose(theme);
	const style = getComputedStyle(document.documentElement);
	const colour = (name) => style.getPropertyValue(`--${name}`).trim();
	const ratio = (a, b) => {
		const [low, high] = [paletteLuminance(a), paletteLuminance(b)].sort((x, y) => x - y);
		return (high + 0.05) / (low + 0.05);
	};
	const bad = [];
	for (const text of ["text", "faint"])
		for (const ground of ["background", "panel", "lane"])
			if (ratio(colour(text), colour(ground)) < 4.5)
				bad.push(`${text} on ${ground}`);
	for (const [name, one] of Object.entries(styles)) {
		if (!one)
			continue;
		const { css, ink } = palettePixels(one);
		if (ratio(css, ink) < 4.5)
			bad.push(`${ink} on ${name}`);
	}
	return bad;
}

/*
 * Return the pairs of states that look alike: they have the same pattern and height, and their
 * colours are similar for somebody without red or green cones (matrices of Machado, Oliveira and
 * Fernandes).
 */
function confusions(theme) {
	themeChoose(theme);
	const sights = [
		[[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
		[[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	];
	const linear = (value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
	const seen = (colour, sight) => sight.map((line) =>
		line.reduce((sum, factor, i) => sum + factor * linear(paletteChannels(colour)[i]), 0));
	const lab = ([red, green, blue]) => {
		const f = (value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
		const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
		const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
		const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
		return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
	};
	const list = Object.entries(styles).filter(([, style]) => style);
	const bad = [];
	for (const [i, [name, style]] of list.entries())
		for (const [other, otherStyle] of list.slice(i + 1)) {
			if (style.pattern !== otherStyle.pattern || style.height !== otherStyle.height)
				continue;
			for (const sight of sights) {
				const [a, b] = [style, otherStyle].map((one) => lab(seen(palettePixels(one).css, sight)));
				const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
				if (distance < 15)
					bad.push(`${name} and ${other}: ${distance.toFixed(1)}`);
			}
		}
	return bad;
}

async function testSizes() {
	const { browser } = state;
	const file = await show(pageOf(knownTrace()));
	for (const [width, height, ratio] of [[1280, 720, 1], [3840, 2160, 1], [1920, 1080, 2]]) {
		await browser.resize({ width, height, ratio });
		await open(file);
		const name = `${width} x ${height}, ${ratio} pixels each`;
		is(await run(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]),
			[true, true], `${name}: the page fits`);
		ok(await run((wanted) => parseFloat(getComputedStyle(document.documentElement).fontSize) >= wanted, width >= 3840 ? 19 : 13),
			`${name}: the text is large enough`);
		ok(await run(() => [...document.querySelectorAll("header button, [role=tab]")].every((button) =>
			button.scrollWidth <= button.clientWidth + 1 && button.getBoundingClientRect().right <= innerWidth)),
		`${name}: no button is cut`);
		is(await run(styleAt, "cpu:0", 2, 3 * MS, 0.5), "kernel", `${name}: the picture is in its place`);
		is(await run(() => [paint.canvas.width, Math.round(paint.canvas.getBoundingClientRect().width * devicePixelRatio)].every((value, i, list) =>
			Math.abs(value - list[0]) <= 1)), true, `${name}: a pixel of the picture is one of the screen`);
	}
	await browser.resize({});
}

/* Return a checksum of all pixels of the picture. */
function picture() {
	const { data } = paint.context.getImageData(0, 0, paint.canvas.width, paint.canvas.height);
	let sum = 0;
	for (let i = 0; i < data.length; i++)
		sum = (Math.imul(sum, 31) + data[i]) >>> 0;
	return sum;
}

async function testPan() {
	for (const [name, options, from, to] of [["spans", { chunk: 4000 }, 0.4, 0.41], ["levels", { chunk: 500 }, 0.1, 0.8]]) {
		await show(pageOf(simulatedTrace({ turns: 2000 }), options));
		const length = await run(() => view.length);
		await run((a, b) => viewShow(a, b), length * from, length * to);
		await settled();
		is(await run(() => paint.exact), name === "spans", `moving, ${name}: the picture is made from them`);
		for (const pixels of [7, 120, -33, -200, 1]) {
			await run((n) => {
				paint.columns = 0;
				viewPan(n);
			}, pixels);
			await settled();
			const columns = await run(() => paint.columns);
			const moved = await run(picture);
			await run(() => {
				paintForget();
				mainDraw();
			});
			await settled();
			is(await run(picture), moved, `moving by ${pixels} pixels, ${name}: the same picture as when it is drawn completely`);
			ok(columns <= Math.abs(pixels) + 1, `and only the new columns are drawn (${columns})`);
		}
	}
}

/*
 * If the view is so long that the page draws levels, the sums of the levels are those of the spans.
 */
async function testSums() {
	await show(pageOf(simulatedTrace({ turns: 1000 })));
	const [levelSums, spanSums] = await run(async () => {
		const fromLevel = {};
		levelEach(levels[0], trace.cpus[0].mode, 0, view.length, (begin, end, value, share) => {
			fromLevel[value] = (fromLevel[value] || 0) + (Math.min(end, view.length) - begin) * share;
		});
		const fromSpans = {};
		for (let number = 0; number < directory.chunks; number++) {
			const table = (await chunkLoad(number)).tables.get("cpu");
			const row = table.rows.get(0);
			for (let i = row === undefined ? 0 : table.starts[row]; row !== undefined && i < table.starts[row + 1]; i++) {
				const value = chunkColumn(table, "state")[i];
				fromSpans[value] = (fromSpans[value] || 0) + table.end[i] - table.begin[i];
			}
		}
		return [fromLevel, fromSpans];
	});
	const off = Object.entries(spanSums).filter(([value, sum]) => Math.abs(levelSums[value] - sum) > 0.02 * sum + 1e6);
	is(off, [], "levels have the same sums as spans, but for rounding");
	is(await run(() => document.getElementById("lost").textContent), "5,678 records lost",
		"the header has the sum of all losses, not only of those that the page lists");
}

module.exports = { testText, testPixels, testLosses, testStyle, testThemes, testSizes, testPan, testSums };
