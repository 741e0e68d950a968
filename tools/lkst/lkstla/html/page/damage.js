/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects the damage that is found while the page is in use. Drawing and searching continue
 * without the damaged data.
 */

const damage = {
	/* What is wrong with each damaged block, by its name */
	found: new Map(),
	/* Called when damage has been found */
	changed: () => {},
};

/**
 * damageNote() - note that a block is damaged
 * @error: a DataError. Any other error is a bug in the page, and is thrown again
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
 * damageOr() - return the result of a function that reads a block, or @otherwise if the block is
 * damaged
 */
function damageOr(otherwise, name, read) {
	try {
		return blockWithName(name, read);
	} catch (error) {
		damageNote(name, error);
		return otherwise;
	}
}
