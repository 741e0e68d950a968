// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/* Tests the page of lkstla html with damaged data, and without data. */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const { assemble, block, pageOf } = require("./page.js");
const { MS, open, run, settled, show, state, styleAt } = require("./session.js");
const { is, matches, ok } = require("./tap.js");
const { knownTrace } = require("./traces.js");

function without(name) {
	const blocks = pageOf(knownTrace());
	blocks.delete(name);
	return blocks;
}

function replaced(name, text) {
	const blocks = pageOf(knownTrace());
	blocks.set(name, text);
	return blocks;
}

function changedMeta(change) {
	const blocks = pageOf(knownTrace());
	const meta = JSON.parse(zlib.inflateSync(Buffer.from(/>(.*)</.exec(blocks.get("meta"))[1], "base64")));
	change(meta);
	blocks.set("meta", block("meta", Buffer.from(JSON.stringify(meta))));
	return blocks;
}

/* Flip a bit in the base64 text of a block. */
function flipped(name) {
	const text = pageOf(knownTrace()).get(name);
	const at = text.indexOf(">") + Math.floor((text.length - text.indexOf(">")) / 2);
	return replaced(name, text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
}

const FATAL = [
	["no metadata", without("meta"), /the block "meta" is missing: the file was cut short/],
	["a flipped bit in the metadata", flipped("meta"), /the block "meta" is damaged/],
	["metadata that are no JSON", replaced("meta", block("meta", Buffer.from("{"))), /the block "meta" is damaged: it is not JSON/],
	["metadata that are not base64", replaced("meta", '<script type="application/x-lkst" id="lkst-meta">**</script>'), /it is not base64/],
	["metadata that are null", replaced("meta", block("meta", Buffer.from("null"))), /it is not an object/],
	["another version", changedMeta((meta) => {
		meta.version = 2;
	}), /the data have version 2 \(this page reads version 1\)/],
	["no window", changedMeta((meta) => {
		delete meta.begin_ns;
	}), /it has no window/],
	["a list that is none", changedMeta((meta) => {
		meta.threads = 5;
	}), /"threads" is not a list/],
	["no directory", without("directory"), /the block "directory" is missing/],
	["a flipped bit in the directory", flipped("directory"), /the block "directory" is damaged/],
	["a short directory", replaced("directory", block("directory", Buffer.from([2, 1, 1]))), /the block "directory" is damaged: a number has no end/],
	["no coarsest level", without("level-0"), /the block "level-0" is missing/],
];

async function testDamage() {
	const { browser } = state;
	for (const [name, blocks, message] of FATAL) {
		await show(blocks);
		const text = await run(() => (document.getElementById("failure").hidden ? "" : document.getElementById("failure").innerText));
		matches(text, [/This page cannot be shown/, message, /lkstla html/], `${name}: the page says so`);
		is(browser.errors, [], `${name}: no error on the console`);
	}
	for (const [name, blocks] of [["a flipped bit in a chunk", flipped("chunk-0")], ["a missing chunk", without("chunk-0")]]) {
		await show(blocks);
		matches(await run(() => document.getElementById("banner").innerText),
			[/Part of this page is damaged: the block "chunk-0" is (damaged|missing)/], `${name}: a banner says so`);
		is(await run(styleAt, "cpu:0", 2, 3 * MS, 0.5), "kernel", `${name}: the picture comes from the levels`);
		await run(() => searchStart("runnable"));
		is(await run(() => search.count), 0, `${name}: a search goes on without it`);
		is(browser.errors, [], `${name}: no error on the console`);
	}
	await testCut();
	await testWild();
}

/* A file that was cut short has no scripts at its end. */
async function testCut() {
	const { browser } = state;
	const text = assemble(pageOf(knownTrace()));
	const file = path.join(state.directory, "cut.html");
	fs.writeFileSync(file, text.slice(0, text.indexOf('id="lkst-meta"') + 100));
	await browser.open(file);
	matches(await run(() => document.body.innerText), [/If this text does not disappear, the file was cut short/], "a file that was cut short says so");
	is(browser.errors, [], "and causes no error on the console");
}

/* Test blocks with wrong bytes but correct checksums. */
async function testWild() {
	const { browser } = state;
	const blocks = pageOf(knownTrace(), { chunk: 12 });
	const file = await show(blocks);
	let seed = 7;
	const random = (n) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.floor((seed / 2 ** 32) * n);
	};
	let bad = "";
	for (let i = 0; i < 60 && bad === ""; i++) {
		const name = ["chunk-0", "chunk-1", "level-0", "directory"][i % 4];
		const bytes = zlib.inflateSync(Buffer.from(/>(.*)</.exec(blocks.get(name))[1], "base64"));
		for (let n = 0; n < 1 + random(3); n++)
			bytes[random(bytes.length)] = random(256);
		fs.writeFileSync(file, assemble(new Map([...blocks, [name, block(name, bytes)]])));
		await open(file, "q=call&arcs=1");
		await run(async () => {
			viewShow(3e6, 7e6);
			await searchStart("> 1us");
			await inputRowStep(1);
		});
		await settled();
		if (browser.errors.length > 0)
			bad = `${name}, ${i}: ${browser.errors.join("\n")}`;
	}
	ok(bad === "", "wrong bytes in blocks cause no error on the console", bad);
}

async function testEmpty() {
	const { browser } = state;
	const { meta } = knownTrace();
	Object.assign(meta, { length_ns: 0, cpus: [], threads: [], devices: [], marks: [], findings: [], whys: [] });
	await show(pageOf({ meta, spans: [] }, { levels: 0 }));
	is([await run(() => main.ready), browser.errors], [true, []], "a page without spans can be opened");
	matches(await run(() => document.getElementById("panel-findings").textContent), [/Nothing was found that exceeds a threshold/], "and says that nothing was found");
}

module.exports = { testDamage, testEmpty };
