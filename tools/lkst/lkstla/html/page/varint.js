/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the variable-length numbers of which the blocks consist. Each byte contains seven bits, the
 * lowest ones first, and bit 7 is set in all bytes but the last. A signed number is stored as 2n,
 * or -2n - 1 if it is negative.
 */

const VARINT_BYTES_MAX = 10;

/* An error in the data. The page shows its text. */
class DataError extends Error {
}

/**
 * class VarintReader - reads numbers from an array of bytes, one after the other
 *
 * Throws a DataError at the end of the bytes, and at a number that does not fit a double.
 */
class VarintReader {
	constructor(bytes, offset = 0, end = bytes.length) {
		if (offset > end || end > bytes.length)
			throw new DataError("a length is greater than the block");
		this.bytes = bytes;
		this.offset = offset;
		this.end = end;
	}

	unsigned() {
		const { bytes, end } = this;
		let at = this.offset;
		let value = 0;
		let factor = 1;
		for (let n = 0; at < end; n++) {
			const byte = bytes[at++];
			value += (byte & 0x7f) * factor;
			if (byte < 0x80) {
				if (value > Number.MAX_SAFE_INTEGER)
					throw new DataError("a number is too large");
				this.offset = at;
				return value;
			}
			factor *= 128;
			if (n === VARINT_BYTES_MAX)
				break;
		}
		throw new DataError("a number has no end");
	}

	byte() {
		if (this.offset >= this.end)
			throw new DataError("a byte is missing");
		return this.bytes[this.offset++];
	}

	signed() {
		return varintSigned(this.unsigned());
	}

	/* Read a count or a length, which must not exceed @limit. */
	count(limit) {
		const value = this.unsigned();
		if (value > limit)
			throw new DataError(`a count is ${value} (at most ${limit} is possible)`);
		return value;
	}

	/* Read a number of up to 64 bits. */
	wide() {
		let value = 0n;
		for (let n = 0; this.offset < this.end && n < VARINT_BYTES_MAX; n++) {
			const byte = this.bytes[this.offset++];
			value |= BigInt(byte & 0x7f) << BigInt(7 * n);
			if (byte < 0x80)
				return BigInt.asUintN(64, value);
		}
		throw new DataError("a number has no end");
	}

	/* Read a part that is preceded by its length. */
	part() {
		const length = this.unsigned();
		if (length > this.end - this.offset)
			throw new DataError("a part is longer than the block");
		const begin = this.offset;
		this.offset += length;
		return new VarintReader(this.bytes, begin, begin + length);
	}

	skip(length) {
		if (length > this.end - this.offset)
			throw new DataError("a part is longer than the block");
		this.offset += length;
	}

	get left() {
		return this.end - this.offset;
	}
}

function varintSigned(value) {
	return value % 2 ? -(value + 1) / 2 : value / 2;
}

/**
 * varintColumn() - read a column of numbers
 * @reader: the column, from VarintReader.part(); it must have exactly @n numbers
 * @out: array of at least @n elements
 *
 * Most numbers have one to four bytes, which integers can represent.
 */
function varintColumn(reader, n, out) {
	const { bytes, end } = reader;
	let at = reader.offset;
	for (let i = 0; i < n; i++) {
		const start = at;
		let byte = at < end ? bytes[at++] : 0x80;
		let value = byte & 0x7f;
		for (let shift = 7; byte >= 0x80 && shift < 28 && at < end; shift += 7) {
			byte = bytes[at++];
			value |= (byte & 0x7f) << shift;
		}
		if (byte >= 0x80) {
			reader.offset = start;
			value = reader.unsigned();
			at = reader.offset;
		}
		out[i] = value;
	}
	if (at !== end)
		throw new DataError("a column has more numbers than spans");
	return out;
}
