/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the blocks of data in the page. A block is a script element that the browser does not run,
 * and contains a zlib stream in base64. The checksum of the stream detects damage.
 */

const blockDecoder = new TextDecoder();

/**
 * blockBytes() - get the decompressed bytes of a block
 * @name: name of the block, such as "meta" for the element lkst-meta
 *
 * The promise fails with a DataError if the block is missing or damaged.
 */
async function blockBytes(name) {
	const element = document.getElementById(`lkst-${name}`);
	if (!element)
		throw new DataError(`the block "${name}" is missing: the file was cut short, or not written completely`);
	let packed;
	try {
		packed = blockFromBase64(element.textContent);
	} catch {
		throw new DataError(`the block "${name}" is damaged: it is not base64`);
	}
	try {
		return await blockInflate(packed);
	} catch {
		throw new DataError(`the block "${name}" is damaged: it cannot be inflated, or its checksum is wrong`);
	}
}

/**
 * blockJson() - get the object in a block of JSON
 */
async function blockJson(name) {
	const bytes = await blockBytes(name);
	try {
		return JSON.parse(blockDecoder.decode(bytes));
	} catch {
		throw new DataError(`the block "${name}" is damaged: it is not JSON`);
	}
}

function blockFromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text);
	const bytes = new Uint8Array(binary.length);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

async function blockInflate(packed) {
	const stream = new DecompressionStream("deflate");
	const writer = stream.writable.getWriter();
	/* If a write fails, the reader below reports it. */
	writer.write(packed).catch(() => {});
	writer.close().catch(() => {});
	return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/**
 * blockWithName() - run a function that reads a block, and name the block in its DataError
 */
function blockWithName(name, read) {
	try {
		return read();
	} catch (error) {
		if (error instanceof DataError)
			throw new DataError(`the block "${name}" is damaged: ${error.message}`);
		throw error;
	}
}
