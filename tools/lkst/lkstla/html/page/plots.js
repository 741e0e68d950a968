/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws distributions of lengths as plots, which show how many waits, calls and interrupts had
 * which length. Both axes are logarithmic, so that a few long waits can be seen next to many short
 * waits.
 */

const SVG_SPACE = "http://www.w3.org/2000/svg";

/* Size of a plot in the units of its drawing, and the space for the times below it */
const PLOT = { width: 400, height: 96, axis: 16, left: 2 };

const plotKinds = {
	wait: "Waits for a CPU",
	call: "System calls",
	context: "Interrupts, softirqs and functions",
	delay: "From raise to entry of softirqs",
	request: "Requests of disks",
	lock: "Waits for locks",
};

/**
 * plotsShow() - put all plots into a box, by kind
 */
function plotsShow(box) {
	box.replaceChildren();
	for (const kind of new Set(trace.plots.map((plot) => plot.kind))) {
		const list = trace.plots.filter((plot) => plot.kind === kind && plot.buckets.length > 0);
		const heading = document.createElement("h3");
		const grid = document.createElement("div");
		heading.textContent = plotKinds[kind] || kind;
		grid.className = "plots";
		/* All plots of a kind have the same axis, so that they can be compared. */
		const axis = plotAxis(list);
		grid.append(...list.map((plot) => plotFigure(plot, axis)));
		box.append(heading, grid);
	}
}

/*
 * Compute the axes of some plots: the range of times in powers of ten, and the largest number in a
 * bucket.
 */
function plotAxis(list) {
	const axis = { from: Infinity, to: 1, most: 1 };
	for (const { buckets } of list)
		for (const [from, below, count] of buckets) {
			axis.from = Math.min(axis.from, Math.max(from, 1));
			axis.to = Math.max(axis.to, below);
			axis.most = Math.max(axis.most, count);
		}
	axis.from = 10 ** Math.floor(Math.log10(axis.from) + 1e-9);
	axis.to = 10 ** Math.ceil(Math.log10(axis.to) - 1e-9);
	return axis;
}

function plotFigure(plot, axis, mark = null) {
	const figure = document.createElement("figure");
	const caption = document.createElement("figcaption");
	const name = document.createElement("b");
	name.textContent = plot.name;
	caption.append(name, ` ${plotWords(plot)}, longest `);
	const longest = pageButton(timeLength(plot.max_ns), () => plotGoTo(plot));
	longest.className = "jump";
	longest.title = `Show the longest, which ended at ${timeClock(plot.at)}`;
	caption.append(longest);
	figure.append(caption, plotSvg(plot, axis, mark));
	return figure;
}

/*
 * Describe a plot. Its p50 and p99 differ from those in tables by at most a bucket of the
 * distribution.
 */
function plotWords({ count, total_ns: total, p50_ns: p50, p99_ns: p99 }) {
	return `${timeGroups(count)}, in total ${timeLength(total)}, p50 ${timeLength(p50)}, p99 ${timeLength(p99)}`;
}

/**
 * plotOf() - find the distribution to which a span belongs; undefined if there is none
 */
function plotOf({ tableName, table, index }) {
	const value = (column) => chunkColumn(table, column)[index];
	const of = (kind, number) => trace.plots.find((plot) => plot.kind === kind && plot.number === number && plot.buckets.length > 0);
	switch (tableName) {
	case "sys":
		return of("call", value("call") + 1);
	case "ctx":
		return of("context", value("context") + 1);
	case "thr":
		return traceStateClass(value("state")) === "runnable" ? trace.plots.find((plot) => plot.kind === "wait") : undefined;
	default:
		return undefined;
	}
}

/**
 * plotOfSpan() - draw the distribution to which a span belongs, with a mark at its length
 *
 * Return: an element; null if no distribution contains the span.
 */
function plotOfSpan(ref) {
	const plot = plotOf(ref);
	return plot ? plotFigure(plot, plotAxis([plot]), ref.length) : null;
}

function plotGoTo(plot) {
	const begin = Math.max(0, plot.at - plot.max_ns);
	overlay.range = { from: begin, to: plot.at };
	rangeShow();
	viewShowAround(begin, plot.at);
	reportToTimeline();
	mainDraw();
}

function plotElement(name, attributes) {
	const element = document.createElementNS(SVG_SPACE, name);
	for (const [key, value] of Object.entries(attributes))
		element.setAttribute(key, String(value));
	return element;
}

function plotSvg(plot, axis, mark) {
	const { width, height, axis: space, left } = PLOT;
	const svg = plotElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
	const scale = (width - 2 * left) / Math.log(axis.to / axis.from);
	const x = (time) => left + Math.log(Math.min(axis.to, Math.max(time, axis.from)) / axis.from) * scale;
	const full = height - space - 4;
	svg.setAttribute("aria-label", `${plot.name}: ${plotWords(plot)}`);
	for (let { from: power } = axis; power <= axis.to; power *= 10) {
		svg.append(plotElement("line", { x1: x(power), x2: x(power), y1: 0, y2: height - space, class: "grid" }));
		const text = plotElement("text", { x: x(power) + 2, y: height - 4 });
		text.textContent = timeShort(power);
		if (x(power) < width - 40)
			svg.append(text);
	}
	for (const [from, below, count] of plot.buckets) {
		const tall = (full * Math.log(1 + count)) / Math.log(1 + axis.most);
		const bar = plotElement("rect", { x: x(from), y: height - space - tall, height: tall,
			width: Math.max(1, x(below) - x(from) - 0.5), class: "bar" });
		const title = plotElement("title", {});
		title.textContent = `${timeLength(from)} to ${timeLength(below)}: ${timeGroups(count)}`;
		bar.append(title);
		svg.append(bar);
	}
	svg.append(plotElement("line", { x1: 0, x2: width, y1: height - space, y2: height - space, class: "base" }));
	if (mark !== null)
		svg.append(plotElement("path", { d: `M${x(mark)} ${height - space}V0l-4-0l4 6l4-6z`, class: "mark" }));
	return svg;
}
