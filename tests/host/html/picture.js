// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off */
/*
 * Takes a picture of the first 60 ms of a thread, for scripts/readme-picture.
 *
 * usage: picture.js PAGE THREAD PICTURE
 */
"use strict";

const { Browser } = require("./browser.js");

/*
 * Show the thread, the first of its waits for a CPU that the page explains, and the threads that
 * were active meanwhile.
 */
async function arrange(comm) {
	const key = trace.threads.findIndex((thread) => thread.comm === comm && thread.selected);
	if (key < 0)
		return false;
	const { begin } = trace.threads[key];
	viewShow(begin - 10e6, begin + 50e6);
	const wait = await firstWait(key);
	if (!wait)
		return false;
	detailSelect(wait);
	activeChoose(true);
	mainTab("detail");
	return true;

	async function firstWait(thread) {
		for (const number of directory.tables.get("thr").keys.get(thread)) {
			const table = (await chunkLoad(number)).tables.get("thr");
			const row = table.rows.get(thread);
			for (let i = table.starts[row]; i < table.starts[row + 1]; i++) {
				const ref = new SpanRef("thr", thread, number, table, i);
				if (traceStateClass(ref.column("state")) === "runnable" && detailWhyOf(ref))
					return ref;
			}
		}
		return null;
	}
}

async function take(page, comm, picture) {
	const browser = await Browser.start({ width: 1280, height: 720 });
	await browser.open(page);
	await browser.until(() => main.ready);
	if (!await browser.run(arrange, comm))
		throw new Error(`no thread "${comm}" has an explained wait for a CPU`);
	await browser.until(() => chunks.loading.size === 0 && active.from === view.from && main.frame === 0);
	await browser.screenshot(picture);
	await browser.close();
}

take(...process.argv.slice(2)).catch((error) => {
	process.stderr.write(`picture.js: ${error.message}\n`);
	process.exit(1);
});
