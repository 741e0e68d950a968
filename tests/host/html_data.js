// SPDX-License-Identifier: GPL-2.0
/*
 * node html_data.js PAGE [--partly]: decodes the data of a page that lkstla html has written, checks
 * that they are consistent, and prints sums as JSON. Written from tools/lkst/lkstla/html/FORMAT.md,
 * without the code of the page. --partly: do not require that levels and spans show the same times,
 * because -p may select only a part of a thread's time.
 */
'use strict';
const fs = require('fs'), zlib = require('zlib');
const partly = process.argv[3] === '--partly';

let what = 'the page';
function check(condition, text) {
	if (!condition) {
		console.error(`${what}: ${text}`);
		process.exit(1);
	}
}

const blocks = new Map();
const page = fs.readFileSync(process.argv[2], 'latin1');
for (const [, id, text] of page.matchAll(/<script type="application\/x-lkst" id="lkst-([a-z0-9-]+)">([A-Za-z0-9+/=]*)<\/script>\n/g)) {
	check(!blocks.has(id), `two blocks ${id}`);
	blocks.set(id, text);
}

function inflate(id) {
	what = id;
	check(blocks.has(id), 'missing');
	return zlib.inflateSync(Buffer.from(blocks.get(id), 'base64'));
}

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	big() {
		let value = 0n, shift = 0n, byte;
		do {
			check(this.at < this.bytes.length, 'ends within a number');
			byte = this.bytes[this.at++];
			value |= BigInt(byte & 127) << shift;
			shift += 7n;
		} while (byte & 128);
		check(value < 1n << 64n, 'a number is too large');
		return value;
	}
	number() {
		let value = 0, factor = 1, byte;
		do {
			check(this.at < this.bytes.length, 'ends within a number');
			byte = this.bytes[this.at++];
			value += (byte & 127) * factor;
			factor *= 128;
		} while (byte & 128);
		check(value <= Number.MAX_SAFE_INTEGER, 'a number does not fit into 53 bits');
		return value;
	}
	take(length) {
		check(length <= this.bytes.length - this.at, 'ends early');
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}
	end() {
		check(this.at === this.bytes.length, `${this.bytes.length - this.at} bytes are left`);
	}
}

function column(bytes, kind, num) {
	const reader = new Reader(bytes), values = [];
	for (let i = 0; i < num; i++) {
		if (kind === 'u' || kind === 's') {
			const value = reader.number();
			values.push(kind === 'u' ? value : value % 2 ? -(value + 1) / 2 : value / 2);
		} else {
			const value = reader.big();
			values.push(kind === 'w' ? value : value & 1n ? -(value >> 1n) - 1n : value >> 1n);
		}
	}
	reader.end();
	return values;
}

const meta = JSON.parse(inflate('meta').toString('utf8'));
check(meta.version === 1, 'unknown version');

/* Decode a table. Returns its spans as objects. */
function table(reader, name, columns) {
	const num = reader.number(), spans = [], rows = [];
	if (!num)
		return { spans, rows };
	let key = 0, sum = 0;
	for (let left = reader.number(); left > 0; left--) {
		const delta = reader.number(), count = reader.number();
		check(!rows.length || delta, 'a row occurs twice');
		key += delta;
		rows.push([key, count]);
		sum += count;
	}
	check(sum === num, `${name}: the rows have ${sum} of ${num} spans`);
	const values = {};
	for (const [label, kind] of columns)
		values[label] = column(reader.take(reader.number()), kind, num);
	const texts = name === 'evt' ? new Reader(reader.take(reader.number())) : null;
	let i = 0;
	for (const [row, count] of rows) {
		let end = 0;
		for (let k = 0; k < count; k++, i++) {
			const span = { key: row };
			for (const [label] of columns)
				span[label] = values[label][i];
			span.begin = end + span.gap;
			span.end = end = span.begin + span.dur;
			check(span.begin >= 0 && end <= meta.length_ns, `${name}: a span is outside of the window`);
			if (texts)
				span.text = texts.take(span.text).toString('utf8');
			spans.push(span);
		}
	}
	if (texts)
		texts.end();
	return { spans, rows };
}

const names = Object.keys(meta.tables);
const all = Object.fromEntries(names.map(name => [name, []]));
const directory = new Reader(inflate('directory'));
check(directory.number() === meta.chunks, 'the number of chunks differs');
for (let k = 0; k < meta.chunks; k++) {
	what = 'directory';
	const from = directory.number(), to = from + directory.number(), begin = from - directory.number();
	const listed = names.map(name => {
		const rows = [];
		let key = 0;
		for (let left = directory.number(); left > 0; left--)
			rows.push(key += directory.number());
		if (name !== 'evt')
			return { rows, longest: directory.number() };
		const types = [];
		let type = 0;
		for (let left = directory.number(); left > 0; left--)
			types.push(type += directory.number());
		return { rows, types };
	});
	const reader = new Reader(inflate(`chunk-${k}`));
	const ends = [Infinity, 0];
	let first = Infinity, num = 0;
	names.forEach((name, i) => {
		const { spans, rows } = table(reader, name, meta.tables[name]);
		let longest = 0;
		for (const span of spans) {
			ends[0] = Math.min(ends[0], span.end);
			ends[1] = Math.max(ends[1], span.end);
			first = Math.min(first, span.begin);
			longest = Math.max(longest, span.dur);
			all[name].push(span);
		}
		check(String(rows.map(row => row[0])) === String(listed[i].rows), `${name}: the directory has other rows`);
		if (name === 'evt')
			check(String([...new Set(spans.map(span => span.type))].sort((a, b) => a - b)) ===
				String(listed[i].types), 'the directory has other types');
		else
			check(longest === listed[i].longest, `${name}: the directory has another length`);
		num += spans.length;
	});
	reader.end();
	check(num > 0 && num <= 32768, `${num} spans`);
	check(ends[0] === from && ends[1] === to && first === begin, 'the directory has other times');
}
what = 'directory';
directory.end();
what = 'the chunks';
for (const name of names)
	check(all[name].length === meta.counts[name], `${name}: ${all[name].length} instead of ${meta.counts[name]} spans`);

/* Check that the spans of a CPU or of a thread tile the time. */
function tiles(name, ends) {
	const last = new Map();
	for (const span of all[name]) {
		if (last.has(span.key))
			check(last.get(span.key) === span.begin, `${name} ${span.key}: a gap before ${span.begin}`);
		last.set(span.key, span.end);
	}
	for (const [key, end] of last)
		check(!ends || end === meta.length_ns, `${name} ${key}: ends at ${end}`);
}
tiles('cpu', true);
tiles('thr', false);

/* Decode a row of a level. Returns [value, share, bin, bins] for each run and value. */
const WHOLE = 15;
function* cells(bytes) {
	if (!bytes.length)
		return;
	const all = new Reader(bytes), reader = new Reader(all.take(all.number()));
	let bin = 0;
	while (reader.at < reader.bytes.length) {
		const head = reader.number();
		if (head % 2) {
			let before = 0, sum = 0;
			for (let i = 0; i < head >> 1; i++) {
				const value = reader.number(), [share] = all.take(1);
				check(value > before, 'the values are not in order');
				before = value;
				check(share >= 1 && share <= WHOLE, `the share ${share}`);
				sum += share;
				yield [value, share, bin, 1];
			}
			check(sum <= WHOLE, `the shares add up to ${sum}`);
			bin++;
		} else {
			yield [reader.number(), WHOLE, bin, head / 2];
			bin += head / 2;
		}
	}
	all.end();
}

const rows = meta.levels.map((level, l) => {
	const reader = new Reader(inflate(`level-${l}`)), num = reader.number(), lengths = [];
	check(num === meta.rows, 'the number of rows differs');
	for (let i = 0; i < num; i++)
		lengths.push(reader.number());
	const list = lengths.map(length => reader.take(length));
	reader.end();
	return list;
});

/*
 * Add up the time of each value in a row. The shares of bins with several values are rounded, and a
 * very short time has a larger share than it should, so the result is not exact.
 */
function times(level, row) {
	const { width_ns, bins } = meta.levels[level], time = new Map();
	let mixed = 0;
	for (const [value, share, bin, num] of cells(rows[level][row])) {
		check(bin + num <= bins, 'a bin is outside of the window');
		const ns = Math.min((bin + num) * width_ns, meta.length_ns) - bin * width_ns;
		add(time, value, share < WHOLE ? share / WHOLE * width_ns : ns);
		mixed += share < WHOLE;
	}
	return { time, slack: (mixed + 1) * width_ns / WHOLE };
}

function add(map, key, ns) {
	map.set(key, (map.get(key) || 0) + ns);
}

/* Check that the levels show the same times as the spans. */
function compare(name, row, wanted) {
	for (let level = 0; level < meta.levels.length; level++) {
		what = `level ${level}, ${name}`;
		const { time, slack } = times(level, row);
		for (const [value, ns] of wanted)
			check(Math.abs((time.get(value) || 0) - ns) <= slack || partly,
				`value ${value} has ${time.get(value)} instead of ${ns} ns`);
		for (const [value] of time)
			check(!value || wanted.has(value) || partly, `value ${value} is not in the spans`);
	}
}

function numbers(totals) {
	return new Map(Object.entries(totals).map(([state, ns]) => [Number(state), ns]));
}

for (const cpu of meta.cpus) {
	const modes = new Map(), who = new Map();
	for (const span of all.cpu) {
		if (span.key !== cpu.cpu)
			continue;
		add(modes, span.state, span.dur);
		if (span.thread)
			add(who, span.thread, span.dur);
	}
	what = `CPU ${cpu.cpu}`;
	for (const [state, ns] of numbers(cpu.totals))
		check(modes.get(state) === ns, `state ${state} has ${modes.get(state)} instead of ${ns} ns`);
	compare(what, cpu.mode, modes);
	/* A bin has at most 8 values. */
	if (cpu.who >= 0 && who.size <= 8)
		compare(`the threads of ${what}`, cpu.who, who);
}

const states_of = new Map();
for (const span of all.thr) {
	if (!states_of.has(span.key))
		states_of.set(span.key, new Map());
	add(states_of.get(span.key), span.state, span.dur);
}
const RUNNING = meta.states.findIndex(state => state.key === 'running');
meta.threads.forEach((thread, index) => {
	if (!thread.selected)
		return;
	what = thread.name;
	const totals = numbers(thread.totals), spans = states_of.get(index) || new Map();
	const drawn = new Map(totals);
	let running = 0;
	for (const [state, ns] of totals)
		if (['running', 'interrupt'].includes(meta.states[state].class))
			running += ns;
		else
			check((spans.get(state) || 0) === ns, `state ${state} has ${spans.get(state)} instead of ${ns} ns`);
	check((spans.get(RUNNING) || 0) === running, `it ran for ${spans.get(RUNNING)} instead of ${running} ns`);
	/* States that took no time are drawn, too. */
	for (const [state] of spans)
		if (!drawn.has(state))
			drawn.set(state, 0);
	if (thread.row >= 0)
		compare(what, thread.row, drawn);
});

/* Add up the spans of a list by a name. */
function group(list, name_of, more) {
	const sums = {};
	for (const span of list) {
		const name = name_of(span), sum = sums[name] = sums[name] || { count: 0, total_ns: 0, max_ns: 0 };
		sum.count++;
		sum.total_ns += span.dur;
		sum.max_ns = Math.max(sum.max_ns, span.dur);
		if (more)
			more(sum, span);
	}
	return sums;
}

function count(sum, name, number) {
	sum[name] = (sum[name] || 0) + number;
}

/* Find the device of a lane. */
function lane(kind, key) {
	const device = meta.devices.find(device => device[kind]?.some(lane => lane[0] === key));
	return device && `${device.name}${kind === 'lanes' ? '' : ` ${kind}`}`;
}

for (const span of all.evt)
	check(!span.text || typeof JSON.parse(span.text) === 'object', 'the arguments of an event are not JSON');
console.log(JSON.stringify({
	meta,
	cpu: group(all.cpu, span => `${span.key} ${meta.states[span.state].key}`),
	thread: group(all.thr, span => `${meta.threads[span.key].name} ${meta.states[span.state].class}`, (sum, span) => {
		count(sum, 'begun', span.flags % 2);
		count(sum, 'preempted', (span.flags & 6) === 4 ? 1 : 0);
	}),
	call: group(all.sys, span => meta.calls[span.call - 1].name, (sum, span) => {
		count(sum, 'errors', span.flags & 2 && span.result < 0n && span.result >= -4095n ? 1 : 0);
		count(sum, 'runnable_ns', span.wait);
		count(sum, 'blocked_ns', span.blocked);
		count(sum, 'unknown_ns', span.unknown);
	}),
	context: group(all.ctx, span => `${meta.contexts[span.context - 1].kind} ${meta.contexts[span.context - 1].name}`,
		(sum, span) => {
			count(sum, 'begun', span.flags % 2);
			count(sum, 'own_ns', span.dur - span.own);
		}),
	block: group(all.blk, span => lane('lanes', span.key), (sum, span) => {
		if (span.flags & 2)
			count(sum, 'bytes', Number(span.bytes));
		count(sum, 'requests', span.flags & 2 ? 1 : 0);
		if (span.flags & 2)
			sum.queue_max_ns = Math.max(sum.queue_max_ns || 0, Number(span.queue));
	}),
	net: group(all.net, span => lane('send', span.key) || lane('receive', span.key), (sum, span) => {
		count(sum, span.flags & 2 ? 'packets' : 'failed', 1);
		if (span.flags & 2)
			count(sum, 'bytes', span.bytes);
	}),
	lock: group(all.lck, span => meta.strings[span.kind], (sum, span) => count(sum, 'ended', span.flags & 2 ? 1 : 0)),
	event: group(all.evt, span => String(span.type)),
}));
