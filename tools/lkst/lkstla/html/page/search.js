/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a query on all chunks, counts the results, adds up their lengths, and lists the longest
 * results. Results are marked in the timeline.
 */

/* Maximum number of results that are marked and that the user can visit one after the other */
const MATCHES_MAX = 100000;

const SEARCH_LONGEST = 100;
const SEARCH_GROUPS = 12;

/*
 * Time between pauses in which the page can react, and between reports of the progress, in
 * milliseconds
 */
const SEARCH_SLICE = 25;
const SEARCH_REPORT = 300;

const search = {
	text: "",
	/*
	 * The spans that were found, in order of their ends: { tableName, key, chunkNumber, index,
	 * begin, end }
	 */
	matches: [],
	/* The same spans, by row of a table */
	byRow: new Map(),
	count: 0,
	sum: 0,
	longest: [],
	groups: new Map(),
	current: -1,
	/* Number of the current search. Older searches that are still running stop. */
	run: 0,
	running: false,
};

function searchRowKey(tableName, key) {
	return `${tableName}:${key}`;
}

function searchClear() {
	search.run++;
	search.running = false;
	search.matches = [];
	search.byRow.clear();
	search.count = 0;
	search.sum = 0;
	search.longest = [];
	search.groups = new Map();
	search.current = -1;
}

/**
 * searchStart() - search for a text, and show the results in the panel
 *
 * Return: a promise that is fulfilled when the search has ended, or when another search has begun.
 */
async function searchStart(text) {
	searchClear();
	search.text = text.trim();
	const { run } = search;
	let query;
	try {
		query = queryParse(search.text);
	} catch (error) {
		if (!(error instanceof QueryError))
			throw error;
		searchShow(error.message);
		return;
	}
	if (queryEmpty(query)) {
		searchShow("");
		return;
	}
	search.running = true;
	await searchChunks(query, run);
	if (run !== search.run)
		return;
	search.running = false;
	searchShow("");
}

async function searchChunks(query, run) {
	const plans = queryTables(query).filter((name) => directory.tables.has(name))
		.map((name) => ({ name, plan: queryPlan(query, name) }));
	let pause = performance.now() + SEARCH_SLICE;
	let report = performance.now() + SEARCH_REPORT;
	for (let number = 0; number < directory.chunks && run === search.run; number++) {
		const wanted = plans.filter(({ name }) => !querySkips(query, name, number));
		if (wanted.length > 0)
			await searchChunk(wanted, number, run);
		if (performance.now() < pause || run !== search.run)
			continue;
		if (performance.now() >= report) {
			document.getElementById("search-status").textContent =
				`searching: ${Math.round((number / directory.chunks) * 100)} %, ${timeGroups(search.count)} found`;
			report = performance.now() + SEARCH_REPORT;
		}
		await new Promise((resolve) => {
			setTimeout(resolve, 0);
		});
		pause = performance.now() + SEARCH_SLICE;
	}
}

async function searchChunk(wanted, number, run) {
	let chunk;
	try {
		chunk = await chunkLoad(number);
	} catch (error) {
		/* Skip damaged chunks, which the banner lists. */
		if (error instanceof DataError)
			return;
		throw error;
	}
	if (run !== search.run)
		return;
	for (const { name, plan } of wanted) {
		const table = chunk.tables.get(name);
		for (let row = 0; row < table.keys.length; row++)
			for (let i = table.starts[row]; i < table.starts[row + 1]; i++)
				if (plan(table, table.keys[row], i))
					searchTake(name, table, table.keys[row], number, i);
	}
}

function searchTake(tableName, table, key, chunkNumber, index) {
	const begin = table.begin[index];
	const end = table.end[index];
	const length = end - begin;
	search.count++;
	search.sum += length;
	const name = searchGroupName(tableName, table, key, index);
	const group = search.groups.get(name) || { name, count: 0, sum: 0, max: 0 };
	group.count++;
	group.sum += length;
	group.max = Math.max(group.max, length);
	search.groups.set(name, group);
	if (search.longest.length < SEARCH_LONGEST || length > search.longest.at(-1).end - search.longest.at(-1).begin)
		searchTakeLongest({ tableName, key, chunkNumber, index, begin, end });
	if (search.matches.length >= MATCHES_MAX)
		return;
	const match = { tableName, key, chunkNumber, index, begin, end };
	search.matches.push(match);
	const rowKey = searchRowKey(tableName, key);
	if (!search.byRow.has(rowKey))
		search.byRow.set(rowKey, []);
	search.byRow.get(rowKey).push(match);
}

/* Add a result to the list of the longest ones, the longest first. */
function searchTakeLongest(match) {
	const { longest } = search;
	const length = match.end - match.begin;
	let at = longest.length;
	while (at > 0 && longest[at - 1].end - longest[at - 1].begin < length)
		at--;
	longest.splice(at, 0, match);
	longest.length = Math.min(longest.length, SEARCH_LONGEST);
}

/*
 * Return the name of the group to whose total the length of a span is added: the thread of a state,
 * otherwise the name of the span.
 */
function searchGroupName(tableName, table, key, index) {
	if (tableName === "thr")
		return traceThreadName(key);
	return spanName(tableName, table, key, index);
}

/**
 * searchMatchesIn() - find the results in a lane and an interval
 */
function searchMatchesIn(lane, from, to) {
	const list = search.byRow.get(searchRowKey(lane.table, lane.key));
	if (!list)
		return [];
	const found = [];
	let low = 0;
	let high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle].end < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (let i = low; i < list.length; i++)
		if (list[i].begin <= to)
			found.push(list[i]);
		else if (lane.kind === "states" || lane.kind === "slices")
			break;
	return found;
}

/**
 * searchStep() - go to the next or the previous result
 * @step: 1 or -1
 */
function searchStep(step) {
	const n = search.matches.length;
	if (n === 0)
		return;
	if (search.current < 0) {
		const middle = view.from + view.span / 2;
		const next = search.matches.findIndex((match) => match.end >= middle);
		search.current = step > 0 ? (next < 0 ? 0 : next) : (next < 0 ? n : next) - 1;
	} else {
		search.current += step;
	}
	search.current = (search.current + n) % n;
	detailGoTo(search.matches[search.current]);
}

/* --- the panel */

function searchShow(status) {
	const output = document.getElementById("search-status");
	const box = document.getElementById("search-results");
	box.replaceChildren();
	output.textContent = status || searchSummary();
	if (search.count > 0) {
		box.append(searchGroupTable(), searchLongestTable());
	}
	mainDraw();
}

function searchSummary() {
	if (search.text === "")
		return "";
	if (search.count === 0)
		return "Nothing matches.";
	const mean = timeLength(search.sum / search.count);
	const parts = [`${timeGroups(search.count)} found`];
	if (search.sum > 0)
		parts.push(`${timeLength(search.sum)} in total`, `${mean} on average`);
	if (search.count > search.matches.length)
		parts.push(`the first ${timeGroups(search.matches.length)} are marked`);
	if (trace.events.some(({ name, stored, count }) => stored > 0 && stored < count && search.groups.has(name)))
		parts.push("the page does not have all of these events");
	if (damage.found.size > 0)
		parts.push("without the damaged data");
	return `${parts.join(", ")}.`;
}

function searchGroupTable() {
	const groups = [...search.groups.values()].sort((a, b) => b.sum - a.sum || b.count - a.count);
	const table = pageTable("By name", ["name", "count", "total", "longest"],
		groups.slice(0, SEARCH_GROUPS).map((group) =>
			[group.name, timeGroups(group.count), timeLength(group.sum), timeLength(group.max)]));
	if (groups.length > SEARCH_GROUPS)
		table.createCaption().textContent = `By name (${SEARCH_GROUPS} of ${timeGroups(groups.length)})`;
	return table;
}

function searchLongestTable() {
	const table = pageTable(search.count > SEARCH_LONGEST ? `The longest ${SEARCH_LONGEST}` : "The longest first",
		["time", "length", "where"], []);
	const body = table.tBodies[0];
	for (const match of search.longest) {
		const row = body.insertRow();
		const button = document.createElement("button");
		button.type = "button";
		button.className = "jump";
		button.textContent = timeClock(match.begin);
		button.addEventListener("click", () => {
			search.current = search.matches.findIndex((other) =>
				other.chunkNumber === match.chunkNumber && other.index === match.index &&
				other.tableName === match.tableName);
			detailGoTo(match);
		});
		row.insertCell().append(button);
		row.insertCell().textContent = timeLength(match.end - match.begin);
		row.insertCell().textContent = searchPlaceName(match);
	}
	return table;
}

function searchPlaceName({ tableName, key }) {
	if (tableName === "cpu" || tableName === "ctx" || tableName === "evt")
		return `CPU ${key}`;
	if (tableName === "thr" || tableName === "sys" || tableName === "lck")
		return traceThreadName(key);
	return tableName === "blk" ? "disk" : "network";
}
