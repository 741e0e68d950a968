/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses queries of the search. A query consists of words, all of which must match:
 *
 *   runnable > 5ms           a kind of span, and its length
 *   read mysqld >= 1ms       calls whose name has "read", of threads whose name has "mysqld"
 *   thread:bash cpu:1        only this thread, only this CPU
 *   name:"virtio1-req"       part of a name, even if it is the name of a kind
 *   event:signal text:TERM   events by name, and by text in their arguments
 */

const LENGTH_OPERATORS = {
	">": (length, limit) => length > limit,
	">=": (length, limit) => length >= limit,
	"<": (length, limit) => length < limit,
	"<=": (length, limit) => length <= limit,
	"=": (length, limit) => length === limit,
};

/* The tables in which a query without a kind searches: those whose spans have names */
const queryNamed = ["sys", "ctx", "evt", "lck"];

const queryKinds = {
	running: { table: "thr", classes: ["running"] },
	runnable: { table: "thr", classes: ["runnable"] },
	waiting: { table: "thr", classes: ["runnable"] },
	preempted: { table: "thr", keys: ["preempted"] },
	blocked: { table: "thr", classes: ["blocked"] },
	sleeping: { table: "thr", classes: ["blocked"] },
	uninterruptible: { table: "thr", keys: ["blocked-disk"] },
	idle: { table: "cpu", classes: ["idle"] },
	call: { table: "sys" },
	calls: { table: "sys" },
	syscall: { table: "sys" },
	failed: { table: "sys", failed: true },
	interrupt: { table: "ctx", kinds: ["irq", "timer_irq", "ipi"] },
	irq: { table: "ctx", kinds: ["irq", "timer_irq", "ipi"] },
	ipi: { table: "ctx", kinds: ["ipi"] },
	softirq: { table: "ctx", kinds: ["softirq"] },
	tasklet: { table: "ctx", kinds: ["tasklet"] },
	timer: { table: "ctx", kinds: ["timer", "hrtimer", "timer_irq"] },
	work: { table: "ctx", kinds: ["work"] },
	exception: { table: "ctx", kinds: ["exception"] },
	disk: { table: "blk" },
	request: { table: "blk" },
	packet: { table: "net" },
	lock: { table: "lck" },
	event: { table: "evt" },
	events: { table: "evt" },
};

/* The error that the search panel shows. */
class QueryError extends Error {
}

/**
 * queryParse() - parse a query
 *
 * Return: { kind, words, threads, texts, cpu, limits }; kind is a member of queryKinds, or null.
 */
function queryParse(text) {
	const query = { kind: null, words: [], threads: [], texts: [], cpu: null, limits: [] };
	const pattern = /(>=|<=|>|<|=)\s*(\S+)|([a-z]+):("[^"]*"|\S+)|"([^"]*)"|([^\s<>=]+)/gi;
	for (const [, operator, length, key, value, quoted, word] of text.matchAll(pattern))
		if (operator)
			query.limits.push(queryLimit(operator, length));
		else if (key)
			queryKey(query, key.toLowerCase(), value.replaceAll('"', ""));
		else if (word && queryKinds[word.toLowerCase()] && !query.kind)
			query.kind = queryKinds[word.toLowerCase()];
		else
			query.words.push((quoted === undefined ? word : quoted).toLowerCase());
	query.words = query.words.filter((word) => word !== "");
	return query;
}

function queryLimit(operator, length) {
	const limit = timeParseLength(length);
	if (Number.isNaN(limit))
		throw new QueryError(`"${length}" is not a length of time (try 5ms, 300us or 1.5s)`);
	return { compare: LENGTH_OPERATORS[operator], operator, limit };
}

function queryKey(query, key, value) {
	switch (key) {
	case "name":
		query.words.push(value.toLowerCase());
		return;
	case "thread":
		query.threads.push(value.toLowerCase());
		return;
	case "text":
		query.kind = query.kind || queryKinds.event;
		query.texts.push(value.toLowerCase());
		return;
	case "event":
		query.kind = queryKinds.event;
		query.words.push(value.toLowerCase());
		return;
	case "cpu":
		if (!/^\d+$/.test(value))
			throw new QueryError(`cpu:${value}: "${value}" is not the number of a CPU`);
		query.cpu = Number(value);
		return;
	default:
		throw new QueryError(`"${key}:" is unknown (known: name, thread, cpu, event, text)`);
	}
}

/* Return whether a query has no words or conditions. */
function queryEmpty(query) {
	return !query.kind && query.words.length === 0 && query.threads.length === 0 && query.texts.length === 0 &&
		query.cpu === null && query.limits.length === 0;
}

/**
 * queryTables() - return the tables in which a query searches
 */
function queryTables(query) {
	if (query.kind)
		return [query.kind.table];
	if (query.words.length === 0)
		return [...directory.tables.keys()].filter((name) => name !== "cpu" && name !== "evt");
	return queryNamed;
}

/*
 * Return an array with an element for each name of a list: 1 if the name contains the word, 0 if
 * not.
 */
function queryNames(list, word) {
	return Uint8Array.from(list, (name) => (name.toLowerCase().includes(word) ? 1 : 0));
}

/**
 * queryPlan() - prepare a query for the spans of one table
 *
 * Names are compared only once, before the search, and not for each span.
 *
 * Return: a function that takes table, row key and index, and returns whether the span matches.
 */
function queryPlan(query, tableName) {
	const threadNames = trace.threads.map((thread) => thread.name);
	const tests = [queryPlanKind(query)];
	for (const { compare, limit } of query.limits)
		tests.push((table, key, i) => compare(table.end[i] - table.begin[i], limit));
	for (const word of query.words)
		tests.push(queryPlanWord(tableName, word, threadNames, query.kind !== null));
	for (const word of query.threads)
		tests.push(queryPlanThread(tableName, queryNames(threadNames, word)));
	for (const text of query.texts)
		tests.push((table, key, i) => chunkText(table, i).toLowerCase().includes(text));
	if (query.cpu !== null)
		tests.push(queryPlanCpu(tableName, query.cpu));
	const used = tests.filter((test) => test !== null);
	return (table, key, i) => used.every((test) => test(table, key, i));
}

function queryPlanKind({ kind }) {
	if (!kind)
		return null;
	if (kind.failed)
		return (table, key, i) => (chunkColumn(table, "flags")[i] & SPAN_END_KNOWN) !== 0 &&
			chunkColumn(table, "result")[i] < 0;
	if (kind.kinds) {
		const wanted = Uint8Array.from(trace.contexts, (entry) => (kind.kinds.includes(entry.kind) ? 1 : 0));
		return (table, key, i) => wanted[chunkColumn(table, "context")[i]] === 1;
	}
	if (!kind.classes && !kind.keys)
		return null;
	const wanted = Uint8Array.from(trace.states, (entry) =>
		((kind.classes || []).includes(entry.class) || (kind.keys || []).includes(entry.key) ? 1 : 0));
	return (table, key, i) => wanted[chunkColumn(table, "state")[i]] === 1;
}

/*
 * Make a function that checks for a word in the name of the span or, if a kind was given, in the
 * name of its thread.
 */
function queryPlanWord(tableName, word, threadNames, withThread) {
	const own = {
		sys: [trace.calls.map((call) => call.name), "call"],
		ctx: [trace.contexts.map((entry, number) => traceContextName(number)), "context"],
		evt: [trace.eventNames, "type"],
		lck: [trace.strings, "lock"],
		thr: [trace.states.map((state) => state.name), "state"],
		cpu: [trace.states.map((state) => state.name), "state"],
		blk: [traceOperations, "op"],
	}[tableName];
	const names = own ? queryNames(own[0], word) : new Uint8Array(0);
	const column = own ? own[1] : "";
	const paths = tableName === "sys" ? queryNames(trace.strings, word) : null;
	const ofThread = withThread ? queryPlanThread(tableName, queryNames(threadNames, word)) : null;
	return (table, key, i) => names[chunkColumn(table, column)[i]] === 1 ||
		(paths !== null && paths[chunkColumn(table, "path")[i]] === 1) ||
		(ofThread !== null && ofThread(table, key, i));
}

/*
 * Make a function that checks the thread of a span. The thread is either the key of the row, or in
 * a column.
 */
function queryPlanThread(tableName, wanted) {
	if (tableName === "thr" || tableName === "sys" || tableName === "lck")
		return (table, key) => wanted[key] === 1;
	return (table, key, i) => wanted[chunkColumn(table, "thread")[i] - 1] === 1;
}

function queryPlanCpu(tableName, cpu) {
	if (tableName === "cpu" || tableName === "ctx" || tableName === "evt")
		return (table, key) => key === cpu;
	return (table, key, i) => chunkColumn(table, "cpu")[i] === cpu + 1;
}

/**
 * querySkips() - return whether the directory shows that a chunk cannot have a match
 */
function querySkips(query, tableName, chunk) {
	const entry = directory.tables.get(tableName);
	if (tableName === "evt")
		return entry.types[chunk].size === 0;
	const longest = entry.longest[chunk];
	return query.limits.some(({ operator, limit }) =>
		(operator === ">" && longest <= limit) || (operator === ">=" && longest < limit));
}
