// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a page as lkstla html does, from spans that a test describes. As described in
 * tools/lkst/lkstla/html/FORMAT.md, the data are compressed blocks of varints.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const SOURCE = path.join(__dirname, "../../../tools/lkst/lkstla/html/page");

/* Columns of the tables, as lkstla html writes them. */
const TABLES = {
	cpu: { state: "u", thread: "u" },
	thr: { state: "u", cpu: "u", flags: "u", letter: "u", call: "u", context: "u", waker: "u", wakectx: "u",
		wakecpu: "u", wakegap: "s", behind: "u" },
	sys: { call: "u", flags: "u", result: "z", wait: "u", blocked: "u", unknown: "u", path: "u", a1: "w",
		a2: "w", a3: "w" },
	ctx: { context: "u", own: "u", thread: "u", flags: "u", raised: "u" },
	blk: { op: "u", sector: "u", bytes: "u", error: "z", cpu: "u", thread: "u", flags: "u", queue: "w" },
	net: { bytes: "u", cpu: "u", thread: "u", flags: "u" },
	lck: { lock: "u", kind: "u", call: "u", holder: "u", cpu: "u", flags: "u" },
	evt: { type: "u", thread: "u", text: "u" },
};

const STATES = [
	["none", "none"], ["unknown", "unknown"], ["idle", "idle"], ["user", "running"], ["kernel", "running"],
	["running", "running"], ["softirq", "interrupt"], ["hardirq", "interrupt"], ["woken", "runnable"],
	["preempted", "runnable"], ["blocked", "blocked"], ["blocked-disk", "blocked"], ["resting", "blocked"],
	["stopped", "blocked"], ["blocked-time", "blocked"], ["blocked-poll", "blocked"], ["blocked-futex", "blocked"],
];

const stateNumber = (key) => STATES.findIndex(([name]) => name === key);

/* A growing array of bytes. */
class Bytes {
	constructor() {
		this.bytes = Buffer.alloc(1024);
		this.length = 0;
	}

	room(more) {
		if (this.length + more > this.bytes.length)
			this.bytes = Buffer.concat([this.bytes], Math.max(this.bytes.length * 2, this.length + more));
	}

	unsigned(value) {
		this.room(10);
		let rest = value;
		while (rest >= 128) {
			this.bytes[this.length++] = (rest % 128) | 128;
			rest = Math.floor(rest / 128);
		}
		this.bytes[this.length++] = rest;
	}

	wide(value) {
		this.room(10);
		let rest = BigInt.asUintN(64, value);
		while (rest >= 128n) {
			this.bytes[this.length++] = Number(rest & 127n) | 128;
			rest >>= 7n;
		}
		this.bytes[this.length++] = Number(rest);
	}

	number(type, value) {
		if (type === "u")
			this.unsigned(value);
		else if (type === "s")
			this.unsigned(value < 0 ? -value * 2 - 1 : value * 2);
		else if (type === "w")
			this.wide(BigInt(value));
		else
			this.wide(BigInt(value) < 0n ? -BigInt(value) * 2n - 1n : BigInt(value) * 2n);
	}

	put(bytes) {
		this.room(bytes.length);
		bytes.copy(this.bytes, this.length);
		this.length += bytes.length;
	}

	part(bytes) {
		this.unsigned(bytes.length);
		this.put(bytes);
	}

	done() {
		return this.bytes.subarray(0, this.length);
	}
}

/*
 * Return the rows of a table of a chunk: a Map from the key of each row to its spans, in order of
 * the keys.
 */
function rowsOf(spans) {
	const rows = new Map();
	for (const span of spans) {
		if (!rows.has(span.key))
			rows.set(span.key, []);
		rows.get(span.key).push(span);
	}
	return new Map([...rows].sort((a, b) => a[0] - b[0]));
}

function encodeTable(name, spans) {
	const out = new Bytes();
	out.unsigned(spans.length);
	if (spans.length === 0)
		return out.done();
	const rows = rowsOf(spans);
	out.unsigned(rows.size);
	let last = 0;
	for (const [key, list] of rows) {
		out.unsigned(key - last);
		out.unsigned(list.length);
		last = key;
	}
	const columns = { gap: new Bytes(), dur: new Bytes() };
	for (const column of Object.keys(TABLES[name]))
		columns[column] = new Bytes();
	const texts = [];
	for (const list of rows.values()) {
		let end = 0;
		for (const span of list) {
			const stored = { ...span };
			/* 0 stands for an unknown name. */
			if (name === "sys")
				stored.call++;
			if (name === "ctx")
				stored.context++;
			if (name === "evt") {
				texts.push(Buffer.from(span.text || ""));
				stored.text = texts.at(-1).length;
			}
			columns.gap.number("s", span.begin - end);
			columns.dur.number("u", span.end - span.begin);
			end = span.end;
			for (const [column, type] of Object.entries(TABLES[name]))
				columns[column].number(type, stored[column] || 0);
		}
	}
	for (const column of Object.values(columns))
		out.part(column.done());
	if (name === "evt")
		out.part(Buffer.concat(texts));
	return out.done();
}

function encodeDirectory(chunks) {
	const out = new Bytes();
	out.unsigned(chunks.length);
	for (const chunk of chunks) {
		const ends = chunk.map((span) => span.end);
		const from = ends.reduce((a, b) => Math.min(a, b), Infinity);
		out.unsigned(from);
		out.unsigned(ends.reduce((a, b) => Math.max(a, b), 0) - from);
		out.unsigned(from - chunk.reduce((a, span) => Math.min(a, span.begin), from));
		for (const name of Object.keys(TABLES)) {
			const spans = chunk.filter((span) => span.table === name);
			const keys = [...rowsOf(spans).keys()];
			out.unsigned(keys.length);
			keys.forEach((key, i) => out.unsigned(i > 0 ? key - keys[i - 1] : key));
			if (name !== "evt") {
				out.unsigned(spans.reduce((a, span) => Math.max(a, span.end - span.begin), 0));
				continue;
			}
			const types = [...new Set(spans.map((span) => span.type))].sort((a, b) => a - b);
			out.unsigned(types.length);
			types.forEach((type, i) => out.unsigned(i > 0 ? type - types[i - 1] : type));
		}
	}
	return out.done();
}

/*
 * Encode a row of a level: compute the share of each value in each bin from the intervals of the
 * row.
 */
function encodeLevelRow(intervals, width, bins) {
	const out = new Bytes();
	const shares = [];
	let bin = -1;
	let sums = new Map();
	let next = 0;
	let runValue = 0;
	let runLength = 0;
	const flushRun = () => {
		if (runLength > 0) {
			out.unsigned(runLength * 2);
			out.unsigned(runValue);
		}
		runLength = 0;
	};
	const run = (value, n) => {
		if (n <= 0)
			return;
		if (runLength > 0 && runValue !== value)
			flushRun();
		runValue = value;
		runLength += n;
	};
	const flushBin = () => {
		if (bin < 0)
			return;
		run(0, bin - next);
		next = bin + 1;
		const list = [...sums].map(([value, time]) => [value, Math.max(1, Math.round((time / width) * 15))])
			.sort((a, b) => b[1] - a[1]).slice(0, 8).sort((a, b) => a[0] - b[0]);
		sums = new Map();
		if (list.length === 1 && list[0][1] >= 15) {
			run(list[0][0], 1);
			return;
		}
		flushRun();
		out.unsigned(list.length * 2 + 1);
		for (const [value, share] of list) {
			out.unsigned(value);
			shares.push(Math.min(15, share));
		}
	};
	const add = (at, value, time) => {
		if (at !== bin) {
			flushBin();
			bin = at;
		}
		sums.set(value, (sums.get(value) || 0) + time);
	};
	for (const { begin, end, value } of intervals) {
		if (value === 0)
			continue;
		const first = Math.floor(begin / width);
		const last = Math.min(bins - 1, Math.max(first, Math.ceil(end / width) - 1));
		add(first, value, Math.min(end, (first + 1) * width) - begin);
		if (last - first > 1) {
			flushBin();
			bin = -1;
			run(0, first + 1 - next);
			run(value, last - first - 1);
			next = last;
		}
		if (last > first)
			add(last, value, end - last * width);
	}
	flushBin();
	flushRun();
	if (out.length === 0)
		return Buffer.alloc(0);
	const row = new Bytes();
	row.part(out.done());
	row.put(Buffer.from(shares));
	return row.done();
}

function encodeLevel(rows, width, bins) {
	const parts = rows.map((intervals) => encodeLevelRow(intervals, width, bins));
	const out = new Bytes();
	out.unsigned(parts.length);
	for (const part of parts)
		out.unsigned(part.length);
	for (const part of parts)
		out.put(part);
	return out.done();
}

/*
 * Return the rows that the levels of detail have for CPUs, threads and calls. A level shows a
 * running thread with its mode, such as user or kernel. The tests have only one mode.
 */
function levelRows(trace) {
	const rows = [];
	const row = (intervals) => rows.push(intervals.sort((a, b) => a.begin - b.begin)) - 1;
	const of = (table, key, value) => (trace.byRow.get(`${table}:${key}`) || [])
		.map((span) => ({ begin: span.begin, end: span.end, value: value(span) }));
	for (const cpu of trace.meta.cpus) {
		cpu.mode = row(of("cpu", cpu.cpu, (span) => span.state));
		cpu.who = row(of("cpu", cpu.cpu, (span) => span.thread || 0));
	}
	trace.meta.threads.forEach((thread, key) => {
		thread.row = row(of("thr", key, (span) => span.state));
		const calls = of("sys", key, (span) => span.call + 1);
		thread.calls_row = calls.length > 0 ? row(calls) : -1;
	});
	for (const device of trace.meta.devices)
		for (const lane of [...device.lanes || [], ...device.send || [], ...device.receive || []])
			lane[1] = row(of(device.kind === "block" ? "blk" : "net", lane[0],
				(span) => 1 + (span.op || 0)));
	return rows;
}

function totalsOf(spans) {
	const totals = {};
	for (const span of spans || [])
		totals[span.state] = (totals[span.state] || 0) + span.end - span.begin;
	return totals;
}

function groupByRow(spans) {
	const byRow = new Map();
	for (const span of spans) {
		const row = `${span.table}:${span.key}`;
		if (!byRow.has(row))
			byRow.set(row, []);
		byRow.get(row).push(span);
	}
	return byRow;
}

/* Return the page without data, and the place for the data. */
function template() {
	const include = (file) => fs.readFileSync(path.join(SOURCE, file), "utf8")
		.replace(/^ *<!-- LKSTLA-INCLUDE (\S+) -->\n/gm, (line, name) => include(name));
	return include("page.html").replace("<!-- LKSTLA-TITLE -->", "test.lkst");
}

function block(id, bytes) {
	return `<script type="application/x-lkst" id="lkst-${id}">${zlib.deflateSync(bytes).toString("base64")}</script>\n`;
}

/**
 * pageOf() - a page with a trace
 * @trace: { meta, spans }; spans have table, key, begin, end and the columns of the table
 * @options: chunk: spans per chunk; bins: bins of the coarsest level; levels: number of levels
 *
 * Return { html, blocks }. blocks is a Map from the identifier of each block to its text, for tests
 * that damage a block and then call assemble().
 */
function pageOf(trace, { chunk = 32768, bins = 4096, levels = 3 } = {}) {
	const spans = [...trace.spans].sort((a, b) => a.end - b.end);
	const chunks = [];
	for (let i = 0; i < spans.length; i += chunk)
		chunks.push(spans.slice(i, i + chunk));
	const { meta } = trace;
	const byRow = groupByRow(spans);
	for (const cpu of meta.cpus)
		cpu.totals = totalsOf(byRow.get(`cpu:${cpu.cpu}`));
	meta.threads.forEach((thread, key) => {
		thread.totals = totalsOf(byRow.get(`thr:${key}`));
	});
	const rows = levelRows({ meta, byRow });
	meta.levels = [];
	const blocks = new Map();
	chunks.forEach((list, i) => {
		const parts = Object.keys(TABLES).map((name) => encodeTable(name, list.filter((span) => span.table === name)));
		blocks.set(`chunk-${i}`, block(`chunk-${i}`, Buffer.concat(parts)));
	});
	for (let level = 0; level < levels; level++) {
		const width = Math.max(1, Math.ceil(meta.length_ns / (bins * 4 ** level)));
		const n = Math.ceil(meta.length_ns / width);
		meta.levels.push({ width_ns: width, bins: n });
		blocks.set(`level-${level}`, block(`level-${level}`, encodeLevel(rows, width, n)));
	}
	meta.chunks = chunks.length;
	meta.tables = {};
	for (const [name, columns] of Object.entries(TABLES))
		meta.tables[name] = [["gap", "s"], ["dur", "u"], ...Object.entries(columns)];
	meta.states = STATES.map(([key, name]) => ({ key, name: key.replace("-", " in "), class: name }));
	blocks.set("directory", block("directory", encodeDirectory(chunks)));
	blocks.set("meta", block("meta", Buffer.from(JSON.stringify(meta))));
	return blocks;
}

/**
 * assemble() - the text of a page with these blocks
 */
function assemble(blocks) {
	const [before, after] = template().split("<!-- LKSTLA-DATA -->\n");
	return `${before}${[...blocks.values()].join("")}${after}`;
}

module.exports = { SOURCE, assemble, block, pageOf, stateNumber, template };
