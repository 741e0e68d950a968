/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the metadata: names of everything that the blocks store as numbers, and lists that are
 * short enough for JSON. Members have the same names as in the block "meta". A list that is missing
 * there is empty here.
 */

const TRACE_VERSION = 1;

const traceLists = ["window_text", "states", "calls", "contexts", "events", "strings", "cpus", "threads",
	"devices", "marks", "losses", "findings", "whys", "levels", "plots"];

const trace = { states: [], cpus: [], threads: [], devices: [] };

/**
 * traceSetup() - fill in "trace" from the metadata
 * @meta: object of the block "meta"
 */
function traceSetup(meta) {
	if (meta === null || typeof meta !== "object")
		throw new DataError('the block "meta" is damaged: it is not an object');
	if (meta.version !== TRACE_VERSION)
		throw new DataError(`the data have version ${meta.version} (this page reads version ${TRACE_VERSION})`);
	Object.assign(trace, meta);
	for (const name of traceLists) {
		trace[name] = trace[name] || [];
		if (!Array.isArray(trace[name]))
			throw new DataError(`the block "meta" is damaged: "${name}" is not a list`);
	}
	trace.tables = trace.tables || {};
	if (!/^-?\d+$/.test(trace.begin_ns) || !(trace.length_ns >= 0))
		throw new DataError('the block "meta" is damaged: it has no window');
	timeOrigin.epoch = BigInt(trace.begin_ns);
	timeOrigin.zone = Number(trace.zone_s) || 0;
	trace.length = Math.max(1, trace.length_ns);
	trace.eventNames = [];
	for (const { type, name } of trace.events)
		trace.eventNames[type] = name;
	trace.eventNames = Array.from(trace.eventNames, (name) => name || "");
}

function traceThreadName(thread) {
	const entry = trace.threads[thread];
	return entry ? entry.name : `thread ${thread}`;
}

/* Return the name of a thread, given its number plus one. */
function traceThreadPlusOne(value) {
	return value > 0 ? traceThreadName(value - 1) : "";
}

function traceString(number) {
	return trace.strings[number] || "";
}

function traceCallName(call) {
	const entry = trace.calls[call];
	return entry ? entry.name : `call ${call}`;
}

/* Return the number of the state with a key; -1 if there is no such state. */
function traceStateNumber(key) {
	return trace.states.findIndex((state) => state.key === key);
}

function traceStateName(number) {
	const state = trace.states[number];
	return (state && state.name) || `state ${number}`;
}

function traceStateClass(number) {
	const state = trace.states[number];
	return state ? state.class : "unknown";
}

const traceContextKinds = {
	irq: "interrupt",
	timer_irq: "timer interrupt",
	ipi: "IPI",
	softirq: "softirq",
	tasklet: "tasklet",
	timer: "timer function",
	hrtimer: "hrtimer function",
	work: "work item",
	exception: "exception",
};

function traceContext(number) {
	return trace.contexts[number] || { kind: "irq", name: `context ${number}` };
}

function traceContextName(number) {
	const { kind, name } = traceContext(number);
	return `${traceContextKinds[kind] || kind} ${name}`.trim();
}

/* List the event types and the lists that the page contains only in part. */
function traceLeftOut() {
	const notes = trace.events.filter(({ stored, count }) => stored > 0 && stored < count)
		.map(({ name, stored, count }) => `The page has only ${timeGroups(stored)} of ${timeGroups(count)} events ${name}.`);
	if (trace.marks_total > trace.marks.length)
		notes.push(`The row of marks has only the first ${timeGroups(trace.marks.length)} of ${timeGroups(trace.marks_total)}.`);
	if (trace.losses_total > trace.losses.length)
		notes.push(`Of ${timeGroups(trace.losses_total)} losses of records, only the first ${timeGroups(trace.losses.length)} are drawn.`);
	return notes;
}

/* Return the name of an event type. The numbers of the types have gaps. */
function traceEventName(type) {
	return trace.eventNames[type] || `event ${type}`;
}

const traceOperations = ["read", "write", "flush", "discard", "other"];

function traceOperationName(operation) {
	return traceOperations[operation] || traceOperations[4];
}
