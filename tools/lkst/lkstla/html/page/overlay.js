/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws what lies on top of the lanes: labels, results of the search, the selected span, the arcs
 * of wake-ups, the marked interval, and the line at the pointer.
 */

/* Maximum number of arcs in a picture */
const ARCS_MAX = 400;

const overlay = {
	canvas: null,
	context: null,
	/* Position of the pointer in pixels of the canvas; -1: outside of it */
	pointer: -1,
	/* The marked interval; null: none. */
	range: null,
	/* Whether all arcs on the screen are shown, or only those of the selected span. */
	arcs: false,
	/* For tests: the arcs of the last picture. */
	drawnArcs: [],
};

function overlayDraw() {
	const { canvas, context } = overlay;
	context.clearRect(0, 0, canvas.width, canvas.height);
	overlayRange(context);
	labelsDraw(context);
	overlayMatches(context);
	overlayArcs(context);
	overlaySelection(context);
	overlayWindow(context);
	if (overlay.pointer >= 0) {
		context.fillStyle = palette.faint;
		context.fillRect(overlay.pointer, 0, paint.ratio, canvas.height);
	}
}

function overlayRange(context) {
	if (!overlay.range)
		return;
	const left = viewX(overlay.range.from);
	const right = viewX(overlay.range.to);
	context.globalAlpha = 0.14;
	context.fillStyle = palette.select;
	context.fillRect(left, 0, right - left, overlay.canvas.height);
	context.globalAlpha = 1;
	for (const x of [left, right])
		context.fillRect(Math.round(x), 0, paint.ratio, overlay.canvas.height);
}

/* Draw the ends of the window. */
function overlayWindow(context) {
	context.fillStyle = palette.line;
	for (const time of [0, view.length])
		context.fillRect(Math.round(viewX(time)), 0, paint.ratio, overlay.canvas.height);
}

/**
 * overlayBox() - get the position of an interval of a lane on the canvas, at least three pixels
 * wide
 */
function overlayBox(lane, rowTop, begin, end) {
	const { top, height } = paintLanePlace(lane, rowTop);
	const least = 3 * paint.ratio;
	const left = viewX(begin);
	const width = Math.max(viewX(end) - left, least);
	return { left, top, width, height };
}

function overlaySelection(context) {
	const { ref } = detail;
	const place = ref && rowOfSpan(ref);
	if (!place || !rows.shown.includes(place.row) || place.lane.hidden)
		return;
	const { left, top, width, height } = overlayBox(place.lane, place.row.top - paint.scroll, ref.begin, ref.end);
	const line = 2 * paint.ratio;
	context.lineWidth = line;
	context.strokeStyle = palette.background;
	context.strokeRect(left - line * 1.5, top - line * 1.5, width + line * 3, height + line * 3);
	context.strokeStyle = palette.select;
	context.strokeRect(left - line / 2, top - line / 2, width + line, height + line);
}

/*
 * Draw a frame and a triangle for each result of the search. Results in the same pixels share a
 * frame and a triangle.
 */
function overlayMatches(context) {
	if (search.matches.length === 0)
		return;
	const frames = new Path2D();
	const triangles = new Path2D();
	paintVisible((row, rowTop) => {
		for (const lane of row.lanes)
			if (!lane.hidden && lane.table)
				overlayMatchesOfLane(lane, rowTop, frames, triangles);
	});
	context.strokeStyle = palette.match;
	context.fillStyle = palette.match;
	context.lineWidth = Math.max(1, Math.round(paint.ratio));
	context.stroke(frames);
	context.fill(triangles);
}

function overlayMatchesOfLane(lane, rowTop, frames, triangles) {
	const line = Math.max(1, Math.round(paint.ratio));
	const size = 3.5 * paint.ratio;
	let last = -Infinity;
	for (const match of searchMatchesIn(lane, view.from, viewTo())) {
		const { left, top, width, height } = overlayBox(lane, rowTop, match.begin, match.end);
		if (left + width <= last)
			continue;
		last = left + width;
		const from = Math.max(left, -9);
		const to = Math.min(last, view.width + 9);
		frames.rect(from + line / 2, top + line / 2, to - from - line, height - line);
		const middle = (Math.max(left, 0) + Math.min(last, view.width)) / 2;
		triangles.moveTo(middle, top + size);
		triangles.lineTo(middle - size, top - size * 0.6);
		triangles.lineTo(middle + size, top - size * 0.6);
		triangles.closePath();
	}
}

/* --- arcs from the waker to the thread that it woke up */

function overlayArcs(context) {
	overlay.drawnArcs = [];
	for (const wake of overlay.arcs ? wakesInView() : wakesOfSelected())
		overlayArc(context, wake);
}

/**
 * overlayWakeOf() - find the wake-up that made a thread runnable
 * @table: table "thr" of a chunk
 *
 * Return: { at, cpu, waker, context, key, begin }, in which waker and context are -1 if unknown.
 * null if the thread does not become runnable in this span, or if the trace does not show the
 * wake-up.
 */
function overlayWakeOf(table, key, index) {
	if (!(chunkColumn(table, "flags")[index] & THREAD_WAKE_KNOWN))
		return null;
	const begin = table.begin[index];
	return {
		key, begin, at: begin - chunkColumn(table, "wakegap")[index],
		cpu: chunkColumn(table, "wakecpu")[index] - 1,
		waker: chunkColumn(table, "waker")[index] - 1,
		context: chunkColumn(table, "wakectx")[index] - 1,
	};
}

/*
 * Find the wake-up with which the selected span begins, and the wake-ups that its thread caused
 * during the span.
 */
function wakesOfSelected() {
	const { ref } = detail;
	if (!ref || ref.tableName !== "thr")
		return [];
	const own = overlayWakeOf(ref.table, ref.key, ref.index);
	const list = own ? [own] : [];
	if (traceStateClass(ref.column("state")) !== "running")
		return list;
	for (const wake of wakesBetween(ref.begin, ref.end))
		if (wake.waker === ref.key && wake.context < 0)
			list.push(wake);
	return list;
}

function wakesInView() {
	return wakesBetween(view.from, viewTo());
}

/*
 * Find all known wake-ups in an interval. If there are too many, prefer those of rows on the
 * screen.
 */
function wakesBetween(from, to) {
	const list = [];
	paintVisible((row) => {
		if (row.thread === undefined || list.length >= ARCS_MAX)
			return;
		const { parts } = paint.exact ? chunkParts("thr", row.thread, from, to) : { parts: [] };
		for (const { table, first, last } of parts)
			for (let i = chunkFirstAfter(table, first, last, from); i < last && list.length < ARCS_MAX; i++) {
				const wake = overlayWakeOf(table, row.thread, i);
				if (wake && wake.begin >= from && wake.at <= to)
					list.push(wake);
			}
	});
	return list;
}

/*
 * Find the row where an arc begins: that of the waker, or of the CPU if an interrupt woke up the
 * thread.
 */
function overlayWakerPlace(wake) {
	const row = rows.byId.get(wake.context >= 0 || wake.waker < 0 ? `cpu:${wake.cpu}` : `thread:${wake.waker}`);
	const shown = row && rows.shown.includes(row) ? row : rows.byId.get(`cpu:${wake.cpu}`);
	return shown && rows.shown.includes(shown) ? shown : null;
}

function overlayArc(context, wake) {
	const from = overlayWakerPlace(wake);
	const to = rows.byId.get(`thread:${wake.key}`);
	if (!from || !to || !rows.shown.includes(to))
		return;
	const middle = (row) => {
		const lane = row.lanes.find((candidate) => candidate.kind === "states") || row.lanes[0];
		const { top, height } = paintLanePlace(lane, row.top - paint.scroll);
		return top + height / 2;
	};
	const [x0, y0, x1, y1] = [viewX(wake.at), middle(from), viewX(wake.begin), middle(to)];
	const bend = 24 * paint.ratio + Math.abs(y1 - y0) * 0.12;
	for (const [width, colour] of [[3, palette.background], [1.3, palette.accent]]) {
		context.lineWidth = width * paint.ratio;
		context.strokeStyle = colour;
		context.beginPath();
		context.moveTo(x0, y0);
		context.bezierCurveTo(x0 - bend, y0 + (y1 - y0) * 0.3, x1 - bend, y1 - (y1 - y0) * 0.3, x1, y1);
		context.stroke();
	}
	const size = 5 * paint.ratio;
	const way = Math.sign(y1 - y0) || 1;
	context.fillStyle = palette.accent;
	context.beginPath();
	context.moveTo(x1 + size * 0.4, y1 + size * 0.4 * way);
	context.lineTo(x1 - size * 1.5, y1 - size * 0.1 * way);
	context.lineTo(x1 - size * 0.4, y1 - size * 1.5 * way);
	context.fill();
	context.beginPath();
	context.arc(x0, y0, size * 0.55, 0, 2 * Math.PI);
	context.fill();
	overlay.drawnArcs.push({ from: from.id, to: to.id, at: wake.at, begin: wake.begin });
}
