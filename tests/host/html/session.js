// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/* Shared by the tests of the page: the browser, and functions that run in the page. */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const { assemble } = require("./page.js");

/* Nanoseconds per millisecond. */
const MS = 1e6;

const state = { browser: null, directory: "", files: 0 };

/* Write a page and open it. Wait for its first complete picture, or its message of failure. */
async function show(blocks, hash = "") {
	const file = path.join(state.directory, `${state.files++}.html`);
	fs.writeFileSync(file, assemble(blocks));
	await open(file, hash);
	return file;
}

async function open(file, hash = "") {
	await state.browser.open(file, hash);
	await state.browser.until(() => !document.getElementById("failure").hidden ||
		performance.getEntriesByName("lkst-first-picture").length > 0);
	await settled();
}

/* Wait until nothing is being read, searched or drawn. */
async function settled() {
	await state.browser.until(() => new Promise((resolve) => {
		requestAnimationFrame(() => requestAnimationFrame(() =>
			resolve(chunks.loading.size === 0 && !search.running && main.frame === 0)));
	}));
}

function run(code, ...args) {
	return state.browser.run(code, ...args);
}

/*
 * Return the position of a time of a lane on the screen, in the middle of the lane or at @part of
 * its height.
 */
function place(rowId, laneIndex, time, part) {
	const row = rows.byId.get(rowId);
	const lane = row.lanes[laneIndex];
	const box = document.getElementById("stage-canvas").getBoundingClientRect();
	return {
		x: box.left + Math.floor(viewX(time)) / paint.ratio + 0.5,
		y: box.top + row.top - paint.scroll + lane.top + lane.height * part,
	};
}

/*
 * Return the name of the style that a pixel of the picture has, or "" for the colour of an empty
 * lane.
 */
function styleAt(rowId, laneIndex, time, part) {
	const row = rows.byId.get(rowId);
	const lane = row.lanes[laneIndex];
	const { top, height } = paintLanePlace(lane, row.top - paint.scroll);
	const x = Math.floor(viewX(time));
	const [red, green, blue] = paint.context.getImageData(x, top + Math.floor(height * part), 1, 1).data;
	const packed = ((0xff << 24) | (blue << 16) | (green << 8) | red) >>> 0;
	if (packed === palettePacked(palette.lane))
		return "";
	for (const [name, style] of Object.entries({ ...styles, write: operationStyles[1], call: sliceStyles[0], call1: sliceStyles[1],
		loss: lossStyle }))
		if (style) {
			const { fill, second } = palettePixels(style);
			if (packed === fill || packed === second)
				return name;
		}
	return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

module.exports = { MS, open, place, run, settled, show, state, styleAt };
