/* SPDX-License-Identifier: GPL-2.0 */
/* Describes the marked interval: its length, and what the CPUs did in it. */

/**
 * rangeShow() - describe the marked interval in the panel
 */
function rangeShow() {
	const box = document.getElementById("range");
	const { range } = overlay;
	box.hidden = !range;
	if (!range)
		return;
	box.replaceChildren();
	const heading = document.createElement("h3");
	heading.textContent = "Marked interval";
	const list = document.createElement("dl");
	detailFact(list, "begin", timeClock(range.from, 9));
	detailFact(list, "end", timeClock(range.to, 9));
	detailFact(list, "length", timeExact(Math.round(range.to - range.from)));
	const buttons = document.createElement("p");
	buttons.className = "buttons";
	buttons.append(pageButton("Zoom to it", () => viewShow(range.from, range.to)),
		pageButton("Remove", () => {
			overlay.range = null;
			rangeShow();
			mainDraw();
		}));
	box.append(heading, list, ...rangeCpus(range), buttons);
}

/*
 * Compute the time of all CPUs by mode. It is exact only if all chunks of the interval have been
 * read.
 */
function rangeCpus({ from, to }) {
	if (!paint.exact || to <= from)
		return [];
	const sums = new Map();
	for (const { cpu } of trace.cpus) {
		const { parts, complete } = chunkParts("cpu", cpu, from, to);
		if (!complete)
			return [];
		for (const { table, first, last } of parts)
			rangeAdd(sums, table, chunkFirstAfter(table, first, last, from), last, from, to);
	}
	const lines = [...sums].sort((a, b) => b[1].time - a[1].time).map(([state, { count, time }]) =>
		[traceStateName(state), timeGroups(count), timeLength(time),
			`${((time / ((to - from) * trace.cpus.length)) * 100).toFixed(1)} %`]);
	return [pageTable("What the CPUs executed", ["mode", "spans", "time", "share"], lines)];
}

function rangeAdd(sums, table, first, last, from, to) {
	const state = chunkColumn(table, "state");
	for (let i = first; i < last && table.begin[i] < to; i++) {
		const sum = sums.get(state[i]) || { count: 0, time: 0 };
		sum.count++;
		sum.time += Math.min(table.end[i], to) - Math.max(table.begin[i], from);
		sums.set(state[i], sum);
	}
}
