// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/*
 * Measures a page of lkstla html: the time until the first picture, pictures per second while the view
 * moves, and the time of a search through all spans. Prints JSON.
 *
 * usage: measure.js PAGE [WIDTH HEIGHT]
 */
"use strict";

const { Browser } = require("./browser.js");

const FRAMES = 120;

/* The views to measure, as parts of the window: from all of it to one that shows single spans. */
const PARTS = [1, 0.1, 0.01, 0.001];

async function pan(part, frames) {
	viewShow(view.length * 0.3, view.length * (0.3 + part));
	do
		await new Promise((resolve) => {
			setTimeout(resolve, 200);
		});
	while (paint.waiting || main.frame !== 0);
	const begin = performance.now();
	for (let i = 0; i < frames; i++) {
		viewPan(i < frames / 2 ? 12 : -12);
		await new Promise((resolve) => {
			requestAnimationFrame(resolve);
		});
	}
	return Math.round((frames * 1000) / (performance.now() - begin));
}

async function search(text) {
	const begin = performance.now();
	await searchStart(text);
	return Math.round(performance.now() - begin);
}

async function measure(page, width, height) {
	const browser = await Browser.start({ width: Number(width), height: Number(height) });
	const begin = Date.now();
	await browser.send("Page.navigate", { url: `file://${page}` });
	await browser.until(() => performance.getEntriesByName("lkst-first-picture").length > 0);
	const result = { width: Number(width), height: Number(height), open_ms: Date.now() - begin, frames_per_s: {} };
	for (const part of PARTS)
		result.frames_per_s[part] = await browser.run(pan, part, FRAMES);
	result.search_ms = await browser.run(search, "call");
	result.heap_mb = await browser.run(() => Math.round(performance.memory.usedJSHeapSize / 1e6));
	process.stdout.write(`${JSON.stringify(result)}\n`);
	await browser.close();
}

const [page, width = 1280, height = 800] = process.argv.slice(2);
measure(page, width, height).catch((error) => {
	process.stderr.write(`measure.js: ${error.message}\n`);
	process.exit(1);
});
