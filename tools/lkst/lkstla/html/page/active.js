/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the threads that ran or waited for a CPU in the view, so that the page can hide the rows of
 * all other threads.
 */

/* Time without a change of the view after which the rows are updated, in milliseconds */
const ACTIVE_DELAY = 250;

const ACTIVE_CLASSES = ["running", "interrupt", "runnable"];

const active = { timer: 0, from: NaN, to: NaN };

/**
 * activeChoose() - show only active threads, or all threads
 */
function activeChoose(only) {
	active.from = NaN;
	if (only) {
		rows.active = new Set();
		activeUpdate();
		return;
	}
	rows.active = null;
	rowsArrange();
}

/**
 * activeSoon() - find the active threads again as soon as the view stops changing
 */
function activeSoon() {
	if (!rows.active)
		return;
	clearTimeout(active.timer);
	active.timer = setTimeout(activeUpdate, ACTIVE_DELAY);
}

function activeUpdate() {
	if (!rows.active || (view.from === active.from && viewTo() === active.to))
		return;
	const threads = rows.groups.find((group) => group.id === "threads");
	const found = new Set((threads ? threads.rows : []).filter(activeRow));
	if (detail.ref && rowOfSpan(detail.ref))
		found.add(rowOfSpan(detail.ref).row);
	active.from = view.from;
	active.to = viewTo();
	rows.active = found;
	rowsArrange();
}

/*
 * Return whether a thread was active in the view. If some spans have not been read, use a level,
 * which is less precise.
 */
function activeRow(row) {
	const lane = row.lanes.find((candidate) => candidate.kind === "states");
	const to = viewTo();
	if (paint.exact) {
		const { parts, complete } = chunkParts(lane.table, lane.key, view.from, to);
		if (complete)
			return parts.some(({ table, first, last }) => activeSpans(table, first, last, to));
	}
	let found = false;
	if (paint.level && lane.level >= 0)
		levelEach(paint.level, lane.level, view.from, to, (begin, end, state) => {
			found = found || ACTIVE_CLASSES.includes(traceStateClass(state));
		});
	return found;
}

function activeSpans(table, first, last, to) {
	const state = chunkColumn(table, "state");
	for (let i = chunkFirstAfter(table, first, last, view.from); i < last && table.begin[i] < to; i++)
		if (ACTIVE_CLASSES.includes(traceStateClass(state[i])))
			return true;
	return false;
}
