/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Damaged data that were found while the page is in use. Pictures and searches go on without them.
 */

const damage = {
	/* By name of the block: what is wrong with it. */
	found: new Map(),
	/* Called when damage has been found. */
	changed: () => {},
};

/**
 * damageNote() - note that a block is damaged
 * @error: a DataError; all other errors are mistakes of the page, and are thrown again
 */
function damageNote(name, error) {
	if (!(error instanceof DataError))
		throw error;
	if (damage.found.has(name))
		return;
	damage.found.set(name, error);
	damage.changed();
}

/**
 * damageOr() - the result of a function that reads a block, or @otherwise if the block is damaged
 */
function damageOr(otherwise, name, read) {
	try {
		return blockWithName(name, read);
	} catch (error) {
		damageNote(name, error);
		return otherwise;
	}
}
