/* SPDX-License-Identifier: GPL-2.0 */
/* Shows, in the panel, everything that is known about the selected span. */

const detail = {
	/* The selected SpanRef; null: none. */
	ref: null,
	/*
	 * Number of the latest jump. If the chunk of an older jump is read later, that jump is
	 * dropped.
	 */
	jump: 0,
};

/**
 * detailSelect() - select a span and show it in the panel
 * @ref: a SpanRef; null: select nothing
 */
function detailSelect(ref) {
	detail.jump++;
	detail.ref = ref;
	detailShow();
	mainDraw();
}

/**
 * detailGoTo() - select a span whose chunk may have to be read first, and move the view to it
 * @match: { tableName, key, chunkNumber, index }
 */
async function detailGoTo({ tableName, key, chunkNumber, index }) {
	const jump = ++detail.jump;
	let chunk;
	try {
		chunk = await chunkLoad(chunkNumber);
	} catch {
		/* The chunk is damaged, which the banner says. */
		return;
	}
	const table = chunk.tables.get(tableName);
	if (jump !== detail.jump || !table || index >= table.count)
		return;
	const ref = new SpanRef(tableName, key, chunkNumber, table, index);
	detailSelect(ref);
	detailReveal(ref);
}

/* Move the view, and scroll the rows, so that a span can be seen. */
function detailReveal(ref) {
	const place = rowOfSpan(ref);
	viewReveal(ref.begin, ref.end);
	if (place)
		mainRevealRow(place.row);
}

/**
 * spanName() - get a short name of a span: its state, call, context, request or event
 */
function spanName(tableName, table, key, index) {
	const value = (column) => chunkColumn(table, column)[index];
	switch (tableName) {
	case "cpu":
		return value("thread") > 0 ? `${traceThreadPlusOne(value("thread"))}: ${traceStateName(value("state"))}` :
			traceStateName(value("state"));
	case "thr":
		return traceStateName(value("state"));
	case "sys":
		return traceCallName(value("call"));
	case "ctx":
		return traceContextName(value("context"));
	case "blk":
		return `disk ${traceOperationName(value("op"))}`;
	case "net":
		return "packet";
	case "lck":
		return `wait for ${traceString(value("kind"))} ${traceString(value("lock"))}`;
	default:
		return traceEventName(value("type"));
	}
}

function detailShow() {
	const box = document.getElementById("detail");
	const { ref } = detail;
	box.replaceChildren();
	if (!ref) {
		box.append(detailParagraph("Click on a part of the timeline to see what it is."));
		return;
	}
	const place = rowOfSpan(ref);
	const name = spanName(ref.tableName, ref.table, ref.key, ref.index);
	const heading = document.createElement("h3");
	heading.textContent = name;
	box.append(heading);
	const list = document.createElement("dl");
	const facts = [["where", place ? place.row.title : searchPlaceName(ref)], ...detailTimes(ref),
		...detailFacts[ref.tableName](ref)];
	for (const [term, text, action] of facts)
		detailFact(list, term, text, action);
	box.append(list, detailButtons(ref));
	const plot = plotOfSpan(ref);
	if (plot)
		box.append(plot);
	detailWhy(box, ref);
	mainSay(`${name}, ${place ? place.row.title : ""}, ${timeLength(ref.length)} at ${timeClock(ref.begin)}`);
}

/**
 * detailMark() - show a mark, which is not a span
 */
function detailMark(mark) {
	const box = document.getElementById("detail");
	detail.jump++;
	detail.ref = null;
	const heading = document.createElement("h3");
	const list = document.createElement("dl");
	heading.textContent = mark.text;
	detailFact(list, "time", `${timeClock(mark.at, 9)} (${timeOffset(mark.at)})`);
	detailFact(list, "CPU", String(mark.cpu));
	detailFact(list, ...detailThread("thread", mark.thread + 1));
	box.replaceChildren(heading, list);
	mainSay(`mark ${mark.text} at ${timeClock(mark.at)}`);
	mainDraw();
}

function detailParagraph(text) {
	const paragraph = document.createElement("p");
	paragraph.textContent = text;
	return paragraph;
}

function detailFact(list, term, text, action) {
	if (text === "" || text === null || text === undefined)
		return;
	const name = document.createElement("dt");
	const value = document.createElement("dd");
	name.textContent = term;
	if (action) {
		const button = pageButton(text, action);
		button.className = "jump";
		value.append(button);
	} else {
		value.textContent = text;
	}
	list.append(name, value);
}

function detailTimes(ref) {
	const times = [["begin", `${timeClock(ref.begin, 9)} (${timeOffset(ref.begin)})`]];
	if (ref.tableName !== "evt")
		times.push(["end", timeClock(ref.end, 9)], ["length", timeExact(ref.length)]);
	return times;
}

/* Show a thread, given its number plus one, with a button that goes to its row. */
function detailThread(term, plusOne) {
	if (plusOne <= 0)
		return [term, ""];
	const row = rows.byId.get(`thread:${plusOne - 1}`);
	return [term, traceThreadPlusOne(plusOne), row ? () => mainRevealRow(row) : null];
}

/* Show whether the start and the end of a span are unknown (flags 1 and 2). */
function detailCut(flags) {
	const missing = [];
	if (!(flags & SPAN_BEGIN_KNOWN))
		missing.push("the start is not in the trace");
	if (!(flags & SPAN_END_KNOWN))
		missing.push("the end is not in the trace");
	return ["note", missing.join("; ")];
}

const detailFacts = {
	cpu: (ref) => [
		["state", traceStateName(ref.column("state"))],
		detailThread("thread", ref.column("thread")),
	],

	thr: (ref) => {
		const flags = ref.column("flags");
		const runnable = traceStateClass(ref.column("state")) === "runnable";
		return [
			["CPU", ref.column("cpu") > 0 ? String(ref.column("cpu") - 1) : ""],
			["in call", ref.column("call") > 0 ? traceCallName(ref.column("call") - 1) : ""],
			["in", ref.column("context") > 0 ? traceContextName(ref.column("context") - 1) : ""],
			["letter", ref.column("letter") > 0 ? String.fromCharCode(ref.column("letter")) : ""],
			...detailWake(ref, flags),
			runnable ? detailThread("behind", ref.column("behind")) : ["behind", ""],
			["ended by", detailThreadEnd(flags)],
			["note", flags & SPAN_BEGIN_KNOWN ? "" : "it may have been in this state before, too"],
		];
	},

	sys: (ref) => {
		const flags = ref.column("flags");
		const rest = ref.length - ref.column("wait") - ref.column("blocked") - ref.column("unknown");
		return [
			["call", detailCall(ref, flags)],
			["running", timeExact(rest)],
			["runnable", timeExact(ref.column("wait"))],
			["blocked", timeExact(ref.column("blocked"))],
			["unknown", ref.column("unknown") > 0 ? timeExact(ref.column("unknown")) : ""],
			detailCut(flags),
		];
	},

	ctx: (ref) => [
		["own time", ref.column("own") > 0 ? timeExact(ref.length - ref.column("own")) : ""],
		["raised", ref.column("raised") > 0 ? `${timeExact(ref.column("raised") - 1)} before` : ""],
		detailThread("thread", ref.column("thread")),
		detailCut(ref.column("flags")),
	],

	blk: (ref) => [
		["sector", timeGroups(ref.column("sector"))],
		["size", `${timeGroups(ref.column("bytes"))} bytes`],
		["in the queue", ref.column("queue") > 0 ? timeExact(ref.column("queue")) : ""],
		["error", ref.column("error") !== 0 ? String(ref.column("error")) : ""],
		["CPU", ref.column("cpu") > 0 ? String(ref.column("cpu") - 1) : ""],
		detailThread("thread", ref.column("thread")),
		detailCut(ref.column("flags")),
	],

	net: (ref) => [
		["size", `${timeGroups(ref.column("bytes"))} bytes`],
		["CPU", ref.column("cpu") > 0 ? String(ref.column("cpu") - 1) : ""],
		detailThread("thread", ref.column("thread")),
		["note", ref.column("flags") & SPAN_END_KNOWN ? "" : "it was not sent or received"],
	],

	lck: (ref) => [
		["lock", traceString(ref.column("lock"))],
		["kind", traceString(ref.column("kind"))],
		["called from", traceString(ref.column("call"))],
		detailThread("held by", ref.column("holder")),
		["CPU", ref.column("cpu") > 0 ? String(ref.column("cpu") - 1) : ""],
		detailCut(ref.column("flags")),
	],

	evt: (ref) => [
		detailThread("thread", ref.column("thread")),
		...detailFields(chunkText(ref.table, ref.index)),
	],
};

/*
 * Parse the arguments of an event, which are stored as JSON. A double would round numbers of 64
 * bits, so long numbers are converted to strings first.
 */
function detailFields(text) {
	if (text === "")
		return [];
	const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (word) => (word.startsWith('"') ? word : `"${word}"`));
	try {
		return Object.entries(JSON.parse(exact)).map(([name, value]) =>
			[name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
	} catch {
		return [["fields", text]];
	}
}

function detailWake(ref, flags) {
	if (!(flags & THREAD_WAKE_KNOWN))
		return [];
	const context = ref.column("wakectx");
	const cpu = ref.column("wakecpu");
	const gap = ref.column("wakegap");
	const facts = [];
	if (context > 0)
		facts.push(["woken by", `${traceContextName(context - 1)} on CPU ${cpu - 1}`]);
	else if (ref.column("waker") > 0)
		facts.push(detailThread("woken by", ref.column("waker")));
	else
		facts.push(["woken by", `the idle thread of CPU ${cpu - 1}`]);
	if (context > 0 && ref.column("waker") > 0)
		facts.push(detailThread("interrupted", ref.column("waker")));
	if (gap > 0)
		facts.push(["woken up", `${timeExact(gap)} before`]);
	return facts;
}

function detailThreadEnd(flags) {
	switch (flags & THREAD_END) {
	case THREAD_END_CUT:
		return "the end of the window, or a loss of records";
	case THREAD_END_PREEMPTED:
		return "preemption";
	case THREAD_END_EXIT:
		return "the end of the thread";
	default:
		return "";
	}
}

/* Format a call as lkstla why does: read(fd 3 /etc/passwd, 0x7f00, 40) = 12 */
function detailCall(ref, flags) {
	const call = trace.calls[ref.column("call")];
	if (!call)
		return traceCallName(ref.column("call"));
	const path = traceString(ref.column("path"));
	const values = ["a1", "a2", "a3"].slice(0, (call.args || "").length)
		.map((name, i) => detailArgument(call.args[i], ref.wide(name), i === 0 ? path : ""));
	const text = flags & SPAN_BEGIN_KNOWN ? `${call.name}(${values.join(", ")})` : `${call.name}(...)`;
	const result = flags & SPAN_EXITED ? "" : flags & SPAN_END_KNOWN ? ` = ${ref.wide("result")}` : " did not return";
	const named = path !== "" && !text.includes(path) ? ` ${path}` : "";
	return `${text}${result}${named}`;
}

function detailArgument(form, value, path) {
	switch (form) {
	case "f":
		return `fd ${BigInt.asIntN(32, value)}${path ? ` ${path}` : ""}`;
	case "d":
		return String(BigInt.asIntN(64, value));
	case "u":
		return String(value);
	default:
		return `0x${value.toString(16)}`;
	}
}

/* --- buttons, and the text of lkstla why */

function detailButtons(ref) {
	const box = document.createElement("p");
	box.className = "buttons";
	box.append(pageButton("Zoom to it", () => viewShowAround(ref.begin, ref.end)),
		pageButton("Previous", () => detailStep(-1)), pageButton("Next", () => detailStep(1)));
	return box;
}

/**
 * detailStep() - select the next or the previous span of the same row
 */
async function detailStep(step) {
	const { ref } = detail;
	if (!ref)
		return;
	const row = ref.table.rows.get(ref.key);
	const index = ref.index + step;
	if (index >= ref.table.starts[row] && index < ref.table.starts[row + 1]) {
		const next = new SpanRef(ref.tableName, ref.key, ref.chunkNumber, ref.table, index);
		detailSelect(next);
		detailReveal(next);
		return;
	}
	const numbers = directory.tables.get(ref.tableName).keys.get(ref.key);
	const chunkNumber = numbers[numbers.indexOf(ref.chunkNumber) + step];
	if (chunkNumber === undefined) {
		mainSay(step > 0 ? "This is the last one." : "This is the first one.");
		return;
	}
	const jump = ++detail.jump;
	const chunk = await chunkLoad(chunkNumber).catch(() => null);
	if (!chunk || jump !== detail.jump)
		return;
	const table = chunk.tables.get(ref.tableName);
	const at = table.rows.get(ref.key);
	await detailGoTo({ tableName: ref.tableName, key: ref.key, chunkNumber,
		index: step > 0 ? table.starts[at] : table.starts[at + 1] - 1 });
}

/* Show the explanation of the delay that contains the span, or else the command that prints one. */
function detailWhy(box, ref) {
	if (ref.tableName !== "thr" && ref.tableName !== "sys")
		return;
	const why = detailWhyOf(ref);
	const heading = document.createElement("h3");
	const text = document.createElement("pre");
	heading.textContent = "Why it took so long";
	if (why) {
		detailLines(text, `${why.title ? `${why.title}\n` : ""}${why.text}`);
		box.append(heading, text,
			pageButton("Show this delay", () => viewShowAround(why.begin, why.end)));
		return;
	}
	const at = timeClock(Math.max(ref.begin, ref.end - 1000));
	text.textContent = `lkstla why ${detailOperand(ref.key)} --at ${at} ${(trace.command || "").trim()}`.trim();
	box.append(heading, detailParagraph("The page has the explanations of the longest delays. This command explains this one:"), text);
}

/*
 * Format a thread as an operand of lkstla: its name and ID, or only its ID if the name has
 * characters that a shell would interpret.
 */
function detailOperand(thread) {
	const name = traceThreadName(thread);
	const entry = trace.threads[thread];
	return /^[a-z0-9][\w./:+@-]*$/i.test(name) || !entry ? name : String(entry.tid);
}

/*
 * Show lines of text. If a long line is wrapped, its second part is indented like its text, not
 * like the numbers before the text.
 */
function detailLines(box, text) {
	for (const line of text.split("\n")) {
		const element = document.createElement("span");
		const { length } = /^ *([\d.]+ ms +([\d.]+ % +)?)?/.exec(line)[0];
		element.textContent = line;
		element.style.setProperty("--hang", `${length > 0 ? length : 2}ch`);
		box.append(element);
	}
}

/* Find the shortest of the explained delays in which the span lies. */
function detailWhyOf(ref) {
	const covering = trace.whys.filter((why) => why.thread === ref.key &&
		why.begin <= ref.begin && why.end >= ref.end);
	return covering.sort((a, b) => (a.end - a.begin) - (b.end - b.begin))[0] || null;
}
