/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arranges the rows of the timeline: CPUs, threads, devices and marks, in groups that can be
 * folded. A row consists of lanes, one above the other. A lane shows one row of a table of spans:
 *  - kind: how it is drawn. "states" and "slices" come from spans and from levels, "contexts",
 *    "locks" and "ticks" from spans only, "marks" from the metadata
 *  - table, key: its spans; key: row key
 *  - level: its row in the levels; -1: none
 *  - top, height: in pixels of the style sheet, within the row
 */

/* Heights, in pixels of the style sheet at the smallest size of text. */
const rowSizes = { group: 24, gap: 5, states: 20, slices: 16, contexts: 14, locks: 10, ticks: 9, marks: 18 };

function rowSize(name) {
	return Math.round(rowSizes[name] * palette.unit);
}

/* If there are more CPUs than this, their interrupts and functions are folded at first. */
const CPUS_UNFOLDED = 8;

const contextLanes = [
	{ name: "interrupts", kinds: ["irq", "timer_irq", "ipi"], state: "hardirq" },
	{ name: "softirqs", kinds: ["softirq", "tasklet"], state: "softirq" },
	{ name: "functions", kinds: ["timer", "hrtimer", "work", "exception"], state: "" },
];

const rows = {
	groups: [],
	/* The rows and group headings that are shown, in their order, with top and height. */
	shown: [],
	height: 0,
	/* Rows by identifier, such as "cpu:0" and "thread:12" */
	byId: new Map(),
	folded: new Set(),
	filter: "",
	order: "busy",
	/* Threads with activity in the view, as a Set of rows; null: show all threads */
	active: null,
	changed: () => {},
};

function rowsSetup() {
	rows.byId.clear();
	rows.groups = [
		{ id: "marks", title: "Marks", rows: rowsOfMarks() },
		{ id: "cpus", title: "CPUs", rows: trace.cpus.map((entry) => rowOfCpu(entry, entry.cpu)) },
		{ id: "threads", title: "Threads", rows: rowsOfThreads() },
		{ id: "devices", title: "Devices", rows: rowsOfDevices() },
	].filter((group) => group.rows.length > 0);
	for (const group of rows.groups)
		for (const row of group.rows)
			rows.byId.set(row.id, row);
	if (trace.cpus.length > CPUS_UNFOLDED)
		for (const row of rows.groups.find((group) => group.id === "cpus").rows)
			rows.folded.add(row.id);
	rowsArrange();
}

function laneOf(kind, table, key, level, more = {}) {
	return { kind, table, key, level, height: 0, top: 0, minor: false, ...more };
}

/**
 * laneHas() - return whether a lane shows spans with a value
 *
 * Interrupts, softirqs and functions are in one table, but in different lanes.
 */
function laneHas(lane, value) {
	return !lane.kinds || lane.kinds.includes(traceContext(value).kind);
}

function rowsOfMarks() {
	if (trace.marks.length === 0)
		return [];
	return [{ id: "marks", title: "marks", note: timeGroups(trace.marks.length),
		lanes: [laneOf("marks", null, 0, -1)] }];
}

function rowOfCpu(entry, cpu) {
	const lanes = [];
	for (const lane of contextLanes)
		if (directoryHas("ctx", cpu) && trace.contexts.some(({ kind }) => lane.kinds.includes(kind)))
			lanes.push(laneOf("contexts", "ctx", cpu, entry.mode, { kinds: lane.kinds, state: traceStateNumber(lane.state),
				minor: true, title: lane.name }));
	lanes.push(laneOf("states", "cpu", cpu, entry.mode, { who: entry.who, title: "" }));
	if (directoryHas("evt", cpu))
		lanes.push(laneOf("ticks", "evt", cpu, -1, { minor: true, title: "events" }));
	return { id: `cpu:${cpu}`, title: `CPU ${cpu}`, note: rowShare(entry.totals), lanes };
}

/* Return the share of time for which a CPU was busy. */
function rowShare(totals) {
	let all = 0;
	let idle = 0;
	for (const [state, time] of Object.entries(totals || {})) {
		all += time;
		if (["idle", "none", "unknown"].includes(traceStateClass(Number(state))))
			idle += time;
	}
	return all > 0 ? `${(((all - idle) / all) * 100).toFixed(0)} % busy` : "";
}

function rowsOfThreads() {
	const list = [];
	for (const [index, entry] of trace.threads.entries())
		if (entry.selected !== false && (entry.row >= 0 || directoryHas("thr", index)))
			list.push(rowOfThread(entry, index));
	return list;
}

function rowOfThread(entry, index) {
	const lanes = [laneOf("states", "thr", index, entry.row, { who: -1, title: "" })];
	if (entry.calls_row >= 0 || directoryHas("sys", index))
		lanes.push(laneOf("slices", "sys", index, entry.calls_row, { minor: true, title: "calls" }));
	if (directoryHas("lck", index))
		lanes.push(laneOf("locks", "lck", index, -1, { minor: true, title: "locks" }));
	const busy = rowTime(entry.totals, ["running", "interrupt"]);
	return {
		id: `thread:${index}`, title: entry.name, lanes, thread: index, busy,
		waiting: rowTime(entry.totals, ["runnable"]), note: busy > 0 ? timeShort(busy) : "",
	};
}

function rowTime(totals, classes) {
	let sum = 0;
	for (const [state, time] of Object.entries(totals || {}))
		if (classes.includes(traceStateClass(Number(state))))
			sum += time;
	return sum;
}

function rowsOfDevices() {
	const list = [];
	const take = (table, pairs, title) => (pairs || []).map(([key, level]) =>
		laneOf("slices", table, key, level, { title }));
	for (const [index, device] of trace.devices.entries()) {
		const lanes = device.kind === "block" ?
			take("blk", device.lanes, "requests") :
			[...take("net", device.send, "packets sent"), ...take("net", device.receive, "packets received")];
		if (lanes.length > 0)
			list.push({ id: `device:${index}`, title: device.name, lanes,
				note: device.kind === "block" ? "disk" : device.kind });
	}
	return list;
}

/* Sorts cpuhp/2 before cpuhp/10. */
const rowCollator = new Intl.Collator("en", { numeric: true });

const rowOrders = {
	busy: (a, b) => b.busy - a.busy,
	waiting: (a, b) => b.waiting - a.waiting,
	name: (a, b) => rowCollator.compare(a.title, b.title),
	number: (a, b) => trace.threads[a.thread].tid - trace.threads[b.thread].tid,
};

/**
 * rowsArrange() - make the list of the rows that are shown
 */
function rowsArrange() {
	const words = rows.filter.toLowerCase().split(/\s+/).filter((word) => word !== "");
	const matches = (row) => words.length === 0 || words.some((word) => row.title.toLowerCase().includes(word));
	let top = 0;
	rows.shown = [];
	for (const group of rows.groups) {
		let list = group.rows.filter(matches);
		if (group.id === "threads") {
			list = list.filter((row) => rows.active === null || rows.active.has(row));
			list.sort(rowOrders[rows.order]);
		}
		if (group.id === "marks") {
			top = rowsPlace(list, top);
			continue;
		}
		rows.shown.push({ heading: true, id: `group:${group.id}`, title: group.title, top,
			height: rowSize("group"), shown: list.length, count: group.rows.length, lanes: [] });
		top += rowSize("group");
		if (rows.folded.has(`group:${group.id}`))
			continue;
		top = rowsPlace(list, top);
	}
	rows.height = top + rowSize("gap");
	rows.changed();
}

/* Place rows below a height. Returns the height of their lower end. */
function rowsPlace(list, from) {
	let top = from;
	for (const row of list) {
		rowPlaceLanes(row, top);
		rows.shown.push(row);
		top += row.height;
	}
	return top;
}

function rowPlaceLanes(row, top) {
	const folded = rows.folded.has(row.id);
	let at = rowSize("gap");
	for (const lane of row.lanes) {
		lane.height = rowSize(lane.kind);
		lane.hidden = folded && lane.minor;
		lane.top = at;
		if (!lane.hidden)
			at += lane.height + 1;
	}
	row.top = top;
	row.height = at;
	row.foldable = row.lanes.some((lane) => lane.minor);
}

function rowsFold(id, folded) {
	if (folded)
		rows.folded.add(id);
	else
		rows.folded.delete(id);
	rowsArrange();
}

/**
 * rowsAt() - find the row at a height, or the nearest one. Returns its index in rows.shown
 */
function rowsAt(y) {
	let low = 0;
	let high = rows.shown.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (rows.shown[middle].top <= y)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/**
 * rowsUnfold() - show a row that is hidden by a folded group or a filter
 */
function rowsUnfold(row) {
	if (rows.shown.includes(row))
		return;
	const group = rows.groups.find((candidate) => candidate.rows.includes(row));
	rows.folded.delete(`group:${group.id}`);
	if (!row.title.toLowerCase().includes(rows.filter.toLowerCase()))
		rows.filter = "";
	if (rows.active)
		rows.active.add(row);
	rowsArrange();
}

/**
 * rowOfSpan() - find the row and the lane that show a span
 * @ref: a SpanRef
 *
 * Return: { row, lane }; null if there is none.
 */
function rowOfSpan(ref) {
	const group = { cpu: "cpu", ctx: "cpu", evt: "cpu", thr: "thread", sys: "thread", lck: "thread" };
	const prefix = group[ref.tableName];
	const candidates = prefix ? [rows.byId.get(`${prefix}:${ref.key}`)] : rows.byId.values();
	const kind = ref.tableName === "ctx" ? traceContext(ref.column("context")).kind : null;
	for (const row of candidates)
		for (const lane of (row && row.lanes) || [])
			if (lane.table === ref.tableName && lane.key === ref.key && (!kind || lane.kinds.includes(kind)))
				return { row, lane };
	return null;
}
