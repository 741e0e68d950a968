// SPDX-License-Identifier: GPL-2.0
/* Functions for run() see the names of the page: */
/* eslint no-undef: off */
/*
 * Takes a picture of the first 60 ms of a thread, for scripts/readme-picture.
 *
 * usage: picture.js PAGE THREAD PICTURE
 */
"use strict";

const { Browser } = require("./browser.js");

/* Show the thread, its first wait for a CPU, and the threads that were active meanwhile. */
async function arrange(comm) {
	const key = trace.threads.findIndex((thread) => thread.comm === comm && thread.selected);
	if (key < 0)
		return false;
	const { begin } = trace.threads[key];
	viewShow(begin - 10e6, begin + 50e6);
	for (const { chunkNumber, table, first, last } of await spansOf(key))
		for (let i = first; i < last; i++)
			if (!detail.ref && traceStateClass(chunkColumn(table, "state")[i]) === "runnable")
				detailSelect(new SpanRef("thr", key, chunkNumber, table, i));
	activeChoose(true);
	mainTab("detail");
	return true;

	async function spansOf(thread) {
		const parts = [];
		for (const number of directory.tables.get("thr").keys.get(thread)) {
			const { tables } = await chunkLoad(number);
			const rowsOfTable = tables.get("thr");
			const row = rowsOfTable.rows.get(thread);
			parts.push({ chunkNumber: number, table: rowsOfTable, first: rowsOfTable.starts[row], last: rowsOfTable.starts[row + 1] });
		}
		return parts;
	}
}

async function take(page, comm, picture) {
	const browser = await Browser.start({ width: 1280, height: 720 });
	await browser.open(page);
	await browser.until(() => main.ready);
	if (!await browser.run(arrange, comm))
		throw new Error(`no thread has the command "${comm}"`);
	await browser.until(() => chunks.loading.size === 0 && active.from === view.from && main.frame === 0);
	await browser.screenshot(picture);
	await browser.close();
}

take(...process.argv.slice(2)).catch((error) => {
	process.stderr.write(`picture.js: ${error.message}\n`);
	process.exit(1);
});
