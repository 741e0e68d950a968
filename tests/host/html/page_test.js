// SPDX-License-Identifier: GPL-2.0
/*
 * Tests the page of lkstla html in a browser, with traces that traces.js makes, and with a real one.
 *
 * usage: page_test.js DIRECTORY [TEST...]; pages are written to DIRECTORY, which must contain the
 * files that test_real.js needs
 */
"use strict";

const { Browser } = require("./browser.js");
const { state } = require("./session.js");
const { bailOut, done, test } = require("./tap.js");

const TESTS = { ...require("./test_draw.js"), ...require("./test_use.js"), ...require("./test_damage.js"),
	...require("./test_real.js") };

async function all(directory, names) {
	state.directory = directory;
	state.browser = await Browser.start();
	for (const [name, body] of Object.entries(TESTS))
		if (names.length === 0 || names.includes(name))
			await test(name, body);
	await state.browser.close();
	done();
}

all(process.argv[2], process.argv.slice(3)).catch(bailOut);
