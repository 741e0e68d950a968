// SPDX-License-Identifier: GPL-2.0
/* Test results in TAP. */
"use strict";

const tap = { count: 0, failed: 0 };

function say(text) {
	process.stdout.write(`${text}\n`);
}

function result(good, name, why) {
	tap.count++;
	if (!good)
		tap.failed++;
	say(`${good ? "ok" : "not ok"} ${tap.count} - ${name}`);
	if (!good && why)
		say(why.replace(/^/gm, "# "));
}

function ok(good, name, why = "") {
	result(Boolean(good), name, why);
}

/* Report whether both values are equal when converted to JSON. */
function is(value, wanted, name) {
	const [have, want] = [JSON.stringify(value), JSON.stringify(wanted)];
	result(have === want, name, `have: ${have}\nwant: ${want}`);
}

/* Report whether @text matches all of the expressions. */
function matches(text, expressions, name) {
	const missing = expressions.filter((expression) => !expression.test(text));
	result(missing.length === 0, name, `have: ${text}\nlacks: ${missing.join(" ")}`);
}

/* Run a test, and report a failure if it throws. */
async function test(name, body) {
	try {
		await body();
	} catch (error) {
		result(false, name, error.stack || String(error));
	}
}

function done() {
	say(`1..${tap.count}`);
	process.exitCode = tap.failed > 0 ? 1 : 0;
}

function bailOut(error) {
	say(`Bail out! ${error.message}`);
	process.exit(1);
}

module.exports = { bailOut, done, is, matches, ok, test };
