/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the directory, which lists the rows in each table of each chunk. With it, the page reads
 * only the chunks that it needs. A chunk contains the spans that end in a part of the window.
 */

const directory = {
	chunks: 0,
	/* For each chunk: the earliest and the latest end of its spans, and the earliest start */
	from: [],
	to: [],
	begin: [],
	/*
	 * For each table: { columns, keys: Map from row key to chunk numbers, longest: by chunk,
	 * types }
	 */
	tables: new Map(),
};

/**
 * directorySetup() - read the directory
 * @tables: meta.tables
 */
async function directorySetup(tables) {
	const bytes = await blockBytes("directory");
	blockWithName("directory", () => directoryDecode(new VarintReader(bytes), Object.entries(tables)));
}

function directoryDecode(reader, tables) {
	const chunks = reader.count(reader.left);
	directory.chunks = chunks;
	for (const list of [directory.from, directory.to, directory.begin])
		list.length = 0;
	directory.tables.clear();
	for (const [name, columns] of tables)
		directory.tables.set(name, { name, columns, keys: new Map(), longest: [], types: [] });
	for (let chunk = 0; chunk < chunks; chunk++) {
		const from = reader.unsigned();
		directory.from.push(from);
		directory.to.push(from + reader.unsigned());
		directory.begin.push(from - reader.unsigned());
		for (const table of directory.tables.values())
			directoryDecodeTable(reader, chunk, table);
	}
	if (reader.left > 0)
		throw new DataError("it has more bytes than chunks");
}

function directoryDecodeTable(reader, chunk, table) {
	let key = 0;
	for (let n = reader.count(reader.left); n > 0; n--) {
		key += reader.unsigned();
		if (!table.keys.has(key))
			table.keys.set(key, []);
		table.keys.get(key).push(chunk);
	}
	if (table.name !== "evt") {
		table.longest.push(reader.unsigned());
		return;
	}
	const types = new Set();
	let type = 0;
	for (let n = reader.count(reader.left); n > 0; n--) {
		type += reader.unsigned();
		types.add(type);
	}
	table.types.push(types);
}

/**
 * directoryHas() - return whether a table has any span in a row
 */
function directoryHas(tableName, key) {
	const table = directory.tables.get(tableName);
	return table !== undefined && table.keys.has(key);
}

/**
 * directoryOverlap() - count the chunks with spans that end in an interval
 */
function directoryOverlap(from, to) {
	let n = 0;
	for (let chunk = 0; chunk < directory.chunks; chunk++)
		if (directory.to[chunk] >= from && directory.from[chunk] <= to)
			n++;
	return n;
}

/**
 * directoryOf() - find the chunks that may have spans of a row in an interval
 *
 * Return: { inside, next }: the chunks with spans that end in the interval, and the first chunk
 * after them, which may have a span that begins in the interval; -1 if there is no such chunk.
 */
function directoryOf(tableName, key, from, to) {
	const table = directory.tables.get(tableName);
	const inside = [];
	for (const chunk of (table && table.keys.get(key)) || []) {
		if (directory.from[chunk] > to)
			return { inside, next: chunk };
		if (directory.to[chunk] >= from)
			inside.push(chunk);
	}
	return { inside, next: -1 };
}
