/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the levels of detail, from which the page draws when it is zoomed out. A level divides the
 * window into bins of equal length. For each row and bin, it contains the states, threads or calls,
 * and their shares of the time. Level 0 is the coarsest.
 *
 * A row of a level is decoded when it is drawn for the first time, into
 *  - first: for each item, the bin at which it begins; then the number of bins of the level. An
 *    item is a run of equal bins, or a bin of several values
 *  - pairs: for each item, the index of its first value in value and share; then the number of
 *    values
 *  - value, share: a share of 15 is the whole bin
 */

const LEVEL_SHARE_WHOLE = 15;

const levels = [];

const levelNothing = { first: new Uint32Array(1), pairs: new Uint32Array(1), value: new Uint32Array(0), share: new Uint8Array(0) };

/**
 * levelsSetup() - note which levels the page has
 * @list: list of levels in the metadata
 */
function levelsSetup(list) {
	levels.length = 0;
	for (const [index, { bins, width_ns: binLength }] of list.entries()) {
		if (!(bins >= 0) || !(binLength > 0))
			throw new DataError(`level ${index} has ${bins} bins of ${binLength} ns`);
		levels.push({ index, bins, binLength, parts: null, rows: [], loading: null });
	}
}

/**
 * levelLoad() - read the block of a level, unless it has been read
 */
function levelLoad(level) {
	if (!level.loading)
		level.loading = levelRead(level);
	return level.loading;
}

async function levelRead(level) {
	const name = `level-${level.index}`;
	const bytes = await blockBytes(name);
	blockWithName(name, () => {
		const reader = new VarintReader(bytes);
		const rows = reader.count(reader.left);
		const lengths = [];
		for (let row = 0; row < rows; row++)
			lengths.push(reader.unsigned());
		const parts = [];
		for (const length of lengths) {
			parts.push(new VarintReader(bytes, reader.offset, reader.offset + length));
			reader.skip(length);
		}
		level.parts = parts;
	});
}

/**
 * levelFor() - choose the level from which to draw
 * @pixel: nanoseconds per pixel
 *
 * Return: the coarsest level whose bins are not longer than a pixel, or the finest level.
 */
function levelFor(pixel) {
	for (const level of levels)
		if (level.binLength <= pixel)
			return level;
	return levels[levels.length - 1];
}

/**
 * levelRow() - get a row of a level that has been loaded. If it is damaged, the result is an empty
 * row
 */
function levelRow(level, row) {
	if (!level.rows[row])
		level.rows[row] = damageOr(levelNothing, `level-${level.index}`,
			() => levelDecode(level.parts[row], level.bins));
	return level.rows[row];
}

/*
 * Decode a row. It begins with its items: either the length of a run times two, and its value; or
 * the number of values of a bin times two plus one, and the values. The shares of the values
 * follow, with one byte for each.
 */
function levelDecode(part, bins) {
	if (!part)
		throw new DataError("it lacks a row");
	if (part.left === 0)
		return levelNothing;
	const row = new VarintReader(part.bytes, part.offset, part.end);
	const reader = row.part();
	const most = reader.left + 1;
	const first = new Uint32Array(most + 1);
	const pairs = new Uint32Array(most + 1);
	const value = new Uint32Array(most);
	const share = new Uint8Array(most);
	let bin = 0;
	let items = 0;
	let values = 0;
	while (reader.left > 0 && bin < bins) {
		const head = reader.unsigned();
		first[items] = bin;
		pairs[items++] = values;
		if (head % 2 === 0) {
			bin = Math.min(bins, bin + Math.max(1, head / 2));
			value[values] = reader.unsigned();
			share[values++] = LEVEL_SHARE_WHOLE;
			continue;
		}
		for (let n = (head - 1) / 2; n > 0; n--) {
			value[values] = reader.unsigned();
			share[values++] = row.byte();
		}
		bin++;
	}
	first[items] = bin;
	pairs[items] = values;
	return {
		first: first.slice(0, items + 1),
		pairs: pairs.slice(0, items + 1),
		value: value.slice(0, values),
		share: share.slice(0, values),
	};
}

/* Find the item that contains a bin, or the first item after the bin. */
function levelItemAt(data, bin) {
	let low = 0;
	let high = data.first.length - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (data.first[middle + 1] <= bin)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * levelEach() - call a function for each value in a part of a row
 * @from, @to: nanoseconds
 * @each: function, called with start and end of the bin or run in nanoseconds, the value and its
 *	share of that time, from 0 to 1
 */
function levelEach(level, row, from, to, each) {
	const data = levelRow(level, row);
	const items = data.first.length - 1;
	const length = level.binLength;
	const firstBin = Math.max(0, Math.floor(from / length));
	for (let i = levelItemAt(data, firstBin); i < items; i++) {
		const begin = data.first[i] * length;
		if (begin >= to)
			break;
		const end = data.first[i + 1] * length;
		for (let k = data.pairs[i]; k < data.pairs[i + 1]; k++)
			each(begin, end, data.value[k], data.share[k] / LEVEL_SHARE_WHOLE);
	}
}
