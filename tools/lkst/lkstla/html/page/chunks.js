/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the exact spans. A chunk is read when drawing or a search needs it. If too many chunks are
 * in memory, the least recently used ones are dropped. A table of a chunk, or a column of a table,
 * is decoded when it is first used.
 */

/* Maximum number of chunks in memory, of about 2 MB each */
const CHUNKS_KEPT = 96;

/* Columns that contain a number plus one. The rest of the page uses the number itself. */
const CHUNK_PLUS_ONE = { sys: "call", ctx: "context" };

const chunks = {
	/* Chunks by number, in the order of their last use */
	kept: new Map(),
	loading: new Map(),
	/* Called when a chunk has been read, or was found to be damaged */
	changed: () => {},
};

/**
 * chunkKept() - get a chunk, or undefined if it has not been read
 */
function chunkKept(number) {
	const chunk = chunks.kept.get(number);
	if (chunk) {
		chunks.kept.delete(number);
		chunks.kept.set(number, chunk);
	}
	return chunk;
}

/**
 * chunkLoad() - read a chunk
 *
 * Return: a promise of the chunk. It fails with a DataError if the chunk is damaged.
 */
function chunkLoad(number) {
	const kept = chunkKept(number);
	if (kept)
		return Promise.resolve(kept);
	const found = damage.found.get(`chunk-${number}`);
	if (found)
		return Promise.reject(found);
	if (!chunks.loading.has(number))
		chunks.loading.set(number, chunkRead(number).finally(() => {
			chunks.loading.delete(number);
			chunks.changed();
		}));
	return chunks.loading.get(number);
}

/**
 * chunkWant() - begin to read a chunk that the next picture needs
 */
function chunkWant(number) {
	/* Ignore the error: the damage has been noted. */
	chunkLoad(number).catch(() => {});
}

async function chunkRead(number) {
	const name = `chunk-${number}`;
	try {
		const bytes = await blockBytes(name);
		const chunk = { number, tables: blockWithName(name, () => chunkDecode(name, bytes)) };
		chunks.kept.set(number, chunk);
		for (const oldest of chunks.kept.keys()) {
			if (chunks.kept.size <= CHUNKS_KEPT)
				break;
			chunks.kept.delete(oldest);
		}
		return chunk;
	} catch (error) {
		damageNote(name, error);
		throw error;
	}
}

/* Find where the rows and columns of each table begin. */
function chunkDecode(block, bytes) {
	const reader = new VarintReader(bytes);
	const tables = new Map();
	for (const { name, columns } of directory.tables.values()) {
		const table = chunkDecodeTable(reader, name, columns);
		table.block = block;
		tables.set(name, table);
		if (name === "evt" && table.count > 0)
			table.texts = reader.part();
		chunkTimes(table);
	}
	return tables;
}

function chunkDecodeTable(reader, tableName, columns) {
	const table = { name: tableName, count: 0, keys: [], starts: [], rows: new Map(), parts: new Map(), columns: new Map(),
		types: new Map(columns), begin: null, end: null, texts: null, textStarts: null };
	table.count = reader.count(reader.left);
	if (table.count === 0)
		return table;
	let key = 0;
	let start = 0;
	for (let n = reader.count(reader.left); n > 0; n--) {
		key += reader.unsigned();
		table.rows.set(key, table.keys.length);
		table.keys.push(key);
		table.starts.push(start);
		start += reader.unsigned();
	}
	if (start !== table.count)
		throw new DataError(`its rows have ${start} spans together (${table.count} would be right)`);
	table.starts.push(start);
	for (const [name] of columns)
		table.parts.set(name, reader.part());
	return table;
}

/*
 * Compute the start and the end of each span, which are stored relative to the previous span of the
 * row.
 */
function chunkTimes(table) {
	const gap = chunkColumn(table, "gap");
	const duration = table.types.has("dur") ? chunkColumn(table, "dur") : null;
	const begin = new Float64Array(table.count);
	const end = duration ? new Float64Array(table.count) : begin;
	for (let row = 0; row < table.keys.length; row++) {
		let previous = 0;
		for (let i = table.starts[row]; i < table.starts[row + 1]; i++) {
			begin[i] = previous + gap[i];
			previous = begin[i] + (duration ? duration[i] : 0);
			end[i] = previous;
		}
	}
	table.begin = begin;
	table.end = end;
	table.columns.delete("gap");
	table.columns.delete("dur");
}

/**
 * chunkColumn() - get all numbers of a column of a table
 *
 * Return: an array of doubles. They are 0 if the table has no such column, or if the column is
 * damaged.
 */
function chunkColumn(table, name) {
	let column = table.columns.get(name);
	if (!column) {
		column = new Float64Array(table.count);
		if (table.parts.has(name))
			damageOr(null, table.block, () => chunkDecodeColumn(table.parts.get(name), table.types.get(name), column));
		if (CHUNK_PLUS_ONE[table.name] === name)
			for (let i = 0; i < column.length; i++)
				column[i]--;
		table.columns.set(name, column);
	}
	return column;
}

/* Numbers of 64 bits are rounded to doubles. */
function chunkDecodeColumn(part, type, column) {
	const reader = new VarintReader(part.bytes, part.offset, part.end);
	if (type === "w" || type === "z") {
		for (let i = 0; i < column.length; i++)
			column[i] = Number(chunkWideOf(reader.wide(), type));
		return;
	}
	varintColumn(reader, column.length, column);
	if (type === "s")
		for (let i = 0; i < column.length; i++)
			column[i] = varintSigned(column[i]);
}

function chunkWideOf(value, type) {
	return type === "z" ? (value >> 1n) ^ -(value & 1n) : value;
}

/**
 * chunkWide() - get one number of a column of 64-bit numbers, as a BigInt
 *
 * The type of such a column is "w" or, if the numbers are signed, "z".
 */
function chunkWide(table, name, index) {
	const part = table.parts.get(name);
	if (!part)
		return 0n;
	return damageOr(0n, table.block, () => {
		const reader = new VarintReader(part.bytes, part.offset, part.end);
		for (let i = 0; i < index; i++)
			reader.wide();
		return chunkWideOf(reader.wide(), table.types.get(name));
	});
}

/**
 * chunkText() - get the text of an event
 */
function chunkText(table, index) {
	if (!table.texts)
		return "";
	if (!table.textStarts) {
		const lengths = chunkColumn(table, "text");
		table.textStarts = new Float64Array(table.count + 1);
		for (let i = 0; i < table.count; i++)
			table.textStarts[i + 1] = table.textStarts[i] + lengths[i];
	}
	const { bytes, offset, end } = table.texts;
	const from = Math.min(end, offset + table.textStarts[index]);
	const to = Math.min(end, offset + table.textStarts[index + 1]);
	return blockDecoder.decode(bytes.subarray(from, to));
}

/**
 * class SpanRef - the position of a span in the data
 */
class SpanRef {
	constructor(tableName, key, chunkNumber, table, index) {
		this.tableName = tableName;
		this.key = key;
		this.chunkNumber = chunkNumber;
		this.table = table;
		this.index = index;
	}

	get begin() {
		return this.table.begin[this.index];
	}

	get end() {
		return this.table.end[this.index];
	}

	get length() {
		return this.end - this.begin;
	}

	column(name) {
		return chunkColumn(this.table, name)[this.index];
	}

	wide(name) {
		return chunkWide(this.table, name, this.index);
	}

	equals(other) {
		return other !== null && this.tableName === other.tableName && this.key === other.key &&
			this.chunkNumber === other.chunkNumber && this.index === other.index;
	}
}

/**
 * chunkParts() - find the spans of a row in an interval
 *
 * Return: { parts, complete }. Each part has { number, table, first, last }: the spans of a table
 * from @first up to, but not including, @last may be in the interval. @complete is false if some of
 * the chunks are damaged, or are still being read.
 */
function chunkParts(tableName, key, from, to) {
	const { inside, next } = directoryOf(tableName, key, from, to);
	const parts = [];
	let complete = true;
	let reached = -Infinity;
	for (const number of next < 0 ? inside : [...inside, next]) {
		if (number === next && reached >= to)
			break;
		const chunk = chunkKept(number);
		if (!chunk) {
			complete = false;
			chunkWant(number);
			continue;
		}
		const table = chunk.tables.get(tableName);
		const row = table.rows.get(key);
		if (row === undefined)
			continue;
		const first = table.starts[row];
		const last = table.starts[row + 1];
		parts.push({ number, table, first, last });
		reached = table.end[last - 1];
	}
	return { parts, complete };
}

/**
 * chunkFirstAfter() - find the first of some spans that ends at or after a time
 *
 * The spans must be sorted by their ends.
 */
function chunkFirstAfter(table, first, last, time) {
	let low = first;
	let high = last;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (table.end[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Flags of the spans. Spans of threads have additional ones. */
const SPAN_BEGIN_KNOWN = 1;
const SPAN_END_KNOWN = 2;
const SPAN_EXITED = 4;
const THREAD_END = 6;
const THREAD_END_CUT = 0;
const THREAD_END_PREEMPTED = 4;
const THREAD_END_EXIT = 6;
const THREAD_WAKE_KNOWN = 8;
