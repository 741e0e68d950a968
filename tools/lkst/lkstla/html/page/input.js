/* SPDX-License-Identifier: GPL-2.0 */
/* Handles the pointer, the wheel and the keys. */

/* Minimum distance, in pixels, that the pointer moves in a drag. A shorter movement is a click. */
const DRAG_LEAST = 4;

const ZOOM_STEP = 1.25;
const PAN_STEP = 0.15;

/* Maximum distance of a span from the pointer, in pixels */
const CLICK_SLACK = 3;

const input = {
	/* The drag in progress: { x, y, scroll, moved, mark }; null: none. */
	drag: null,
	/* The row that was selected with the arrow keys; "": none */
	row: "",
};

function inputSetup() {
	const lanes = document.getElementById("stage-canvas");
	lanes.addEventListener("pointerdown", inputPress);
	lanes.addEventListener("pointermove", inputMove);
	lanes.addEventListener("pointerup", inputRelease);
	lanes.addEventListener("pointercancel", inputCancel);
	lanes.addEventListener("pointerleave", () => inputPointer(-1));
	lanes.addEventListener("dblclick", () => detail.ref && viewShowAround(detail.ref.begin, detail.ref.end));
	lanes.addEventListener("wheel", inputWheel, { passive: false });
	const top = ruler.canvas;
	top.addEventListener("pointerdown", inputPress);
	top.addEventListener("pointermove", inputMove);
	top.addEventListener("pointerup", inputRelease);
	top.addEventListener("pointercancel", inputCancel);
	top.addEventListener("pointerleave", () => inputPointer(-1));
	for (const canvas of [ruler.canvas, overview.canvas])
		canvas.addEventListener("wheel", inputWheelZoom, { passive: false });
	overview.canvas.addEventListener("pointerdown", inputOverview);
	overview.canvas.addEventListener("pointermove", (event) => event.buttons & 1 && inputOverview(event));
	document.addEventListener("keydown", inputKey);
}

/* Return the horizontal position of a pointer event on the canvas, in its pixels. */
function inputX(event) {
	return event.offsetX * paint.ratio;
}

function inputPointer(x) {
	if (overlay.pointer === x)
		return;
	overlay.pointer = x;
	if (x < 0)
		tipHide();
	mainDraw();
}

function inputPress(event) {
	if (event.button !== 0)
		return;
	event.currentTarget.setPointerCapture(event.pointerId);
	if (event.currentTarget !== ruler.canvas)
		event.currentTarget.focus({ preventScroll: true });
	input.drag = {
		x: event.offsetX, y: event.offsetY, from: view.from, scroll: paint.scroll, moved: false,
		mark: event.shiftKey || event.currentTarget === ruler.canvas, time: viewTime(inputX(event)),
	};
}

function inputMove(event) {
	const { drag } = input;
	inputPointer(Math.round(inputX(event)));
	if (!drag) {
		if (event.currentTarget !== ruler.canvas)
			tipShow(event);
		return;
	}
	drag.moved = drag.moved || Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) >= DRAG_LEAST;
	if (!drag.moved)
		return;
	tipHide();
	if (drag.mark) {
		const time = viewTime(inputX(event));
		overlay.range = { from: Math.max(0, Math.min(drag.time, time)), to: Math.min(view.length, Math.max(drag.time, time)) };
		rangeShow();
		mainDraw();
		return;
	}
	const wanted = drag.from - (event.offsetX - drag.x) * paint.ratio * viewPixel();
	viewPan((wanted - view.from) / viewPixel());
	mainScrollTo(drag.scroll - (event.offsetY - drag.y));
}

function inputRelease(event) {
	const { drag } = input;
	input.drag = null;
	if (!drag || drag.moved)
		return;
	if (event.currentTarget === ruler.canvas)
		inputClickRuler(event);
	else
		inputClick(event);
}

function inputCancel() {
	input.drag = null;
}

function inputClickRuler(event) {
	const x = inputX(event);
	const y = event.offsetY * paint.ratio;
	const flag = ruler.flags.find(({ left, right, bottom }) => x >= left && x <= right && y <= bottom);
	if (flag) {
		mainTab("findings");
		findingGoTo(flag.index);
		return;
	}
	overlay.range = null;
	rangeShow();
	mainDraw();
}

/**
 * inputLaneAt() - find the row and the lane at a height on the canvas, in pixels of the style sheet
 */
function inputLaneAt(y) {
	const at = y + paint.scroll;
	const row = rows.shown[rowsAt(at)];
	if (!row || row.heading || at > row.top + row.height)
		return null;
	const inside = at - row.top;
	const lane = row.lanes.find((candidate) => !candidate.hidden && inside <= candidate.top + candidate.height);
	return lane ? { row, lane } : null;
}

async function inputClick(event) {
	const place = inputLaneAt(event.offsetY);
	if (!place)
		return;
	input.row = place.row.id;
	const time = viewTime(inputX(event));
	if (!place.lane.table) {
		inputClickMark(time);
		return;
	}
	const ref = await spanNear(place.lane, time, CLICK_SLACK * paint.ratio * viewPixel());
	mainTab("detail");
	detailSelect(ref);
}

function inputClickMark(time) {
	const slack = view.span / 4;
	const near = trace.marks.filter((mark) => mark.at <= time + CLICK_SLACK * viewPixel() && mark.at > time - slack).at(-1);
	if (!near)
		return;
	mainTab("detail");
	detailMark(near);
}

/**
 * spanNear() - find the span of a lane at a time
 * @slack: maximum distance of the span from the time
 *
 * Return: a promise of a SpanRef; null if there is no such span. Of the spans at the time, the
 * shortest one is chosen, because it is the innermost one. If many spans are in the same pixel, the
 * longest one is chosen, because only the longest one can be seen.
 */
async function spanNear(lane, time, slack) {
	const { inside, next } = directoryOf(lane.table, lane.key, time - slack, time + slack);
	let best = null;
	for (const number of next < 0 ? inside : [...inside, next]) {
		const chunk = await chunkLoad(number).catch(() => null);
		if (chunk)
			best = spanNearest(best, lane, number, chunk.tables.get(lane.table), time, slack);
	}
	return best && best.ref;
}

function spanNearest(best, lane, number, table, time, slack) {
	const row = table.rows.get(lane.key);
	let found = best;
	if (row === undefined)
		return found;
	const values = chunkColumn(table, paintValueColumn(lane) || "state");
	for (let i = chunkFirstAfter(table, table.starts[row], table.starts[row + 1], time - slack); i < table.starts[row + 1]; i++) {
		if (table.begin[i] > time + slack || !laneHas(lane, values[i]))
			continue;
		const rank = spanRank(table.begin[i], table.end[i], time, slack);
		if (!found || rank[0] < found.rank[0] || (rank[0] === found.rank[0] && rank[1] < found.rank[1]))
			found = { rank, ref: new SpanRef(lane.table, lane.key, number, table, i) };
	}
	return found;
}

/*
 * Rank a span: visible spans at the time come first, from the shortest to the longest, and then the
 * nearest ones.
 */
function spanRank(begin, end, time, slack) {
	const distance = Math.max(begin - time, time - end, 0);
	const length = end - begin;
	if (length > slack && distance === 0)
		return [0, length];
	return distance === 0 ? [1, -length] : [2, distance];
}

/* --- wheel */

/*
 * With Ctrl, the wheel zooms. Browsers also report a pinch in this way. With Shift, the wheel pans.
 */
function inputWheel(event) {
	if (event.ctrlKey || event.metaKey) {
		inputWheelZoom(event);
		return;
	}
	const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
	if (Math.abs(sideways) < Math.abs(event.deltaY) && !event.shiftKey)
		return;
	event.preventDefault();
	viewPan(Math.round(sideways * inputWheelUnit(event) * paint.ratio));
}

function inputWheelZoom(event) {
	event.preventDefault();
	const amount = Math.max(-2, Math.min(2, (event.deltaY * inputWheelUnit(event)) / 100));
	const x = event.currentTarget === overview.canvas ? view.width / 2 : inputX(event);
	viewZoom(ZOOM_STEP ** (amount * 1.5), x);
}

/* Return the factor from the unit of a wheel event to pixels: some browsers report lines. */
function inputWheelUnit(event) {
	return event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
}

function inputOverview(event) {
	const middle = overviewTime(inputX(event));
	viewShow(middle - view.span / 2, middle + view.span / 2);
}

/* --- keys */

/*
 * Keys, their functions, and their descriptions in the help, which shows only the first of several
 * keys
 */
const inputKeys = [
	{ keys: ["ArrowLeft", "a"], text: "move to earlier times", run: () => viewPan(-Math.round(view.width * PAN_STEP)) },
	{ keys: ["ArrowRight", "d"], text: "move to later times", run: () => viewPan(Math.round(view.width * PAN_STEP)) },
	{ keys: ["+", "=", "w"], text: "zoom in", run: () => viewZoom(1 / ZOOM_STEP, inputZoomX()) },
	{ keys: ["-", "s"], text: "zoom out", run: () => viewZoom(ZOOM_STEP, inputZoomX()) },
	{ keys: ["0"], text: "show the whole window", run: () => viewShowAll() },
	{ keys: ["z"], text: "zoom to the selected span or the marked interval", run: () => inputZoomToSelected() },
	{ keys: ["ArrowUp"], text: "select a span in the row above", run: () => inputRowStep(-1) },
	{ keys: ["ArrowDown"], text: "select a span in the row below", run: () => inputRowStep(1) },
	{ keys: ["["], text: "previous span of the row", run: () => detailStep(-1) },
	{ keys: ["]"], text: "next span of the row", run: () => detailStep(1) },
	{ keys: ["PageUp"], text: "scroll the rows up", run: () => mainScrollTo(paint.scroll - mainHeight() * 0.8) },
	{ keys: ["PageDown"], text: "scroll the rows down", run: () => mainScrollTo(paint.scroll + mainHeight() * 0.8) },
	{ keys: ["/"], text: "search", run: () => mainFocusSearch() },
	{ keys: ["n"], text: "next result of the search", run: () => searchStep(1) },
	{ keys: ["N", "p"], text: "previous result of the search", run: () => searchStep(-1) },
	{ keys: ["."], text: "next finding", run: () => inputFinding(1) },
	{ keys: [","], text: "previous finding", run: () => inputFinding(-1) },
	{ keys: ["x"], text: "arcs of all wake-ups on the screen, or only of the selected span", run: () => mainToggleArcs() },
	{ keys: ["v"], text: "only threads that ran or waited in the visible interval, or all", run: () => activeChoose(rows.active === null) },
	{ keys: ["t"], text: "light or dark", run: () => themeToggle() },
	{ keys: ["b"], text: "show or hide the panel", run: () => mainTogglePanel() },
	{ keys: ["Escape"], text: "remove the selection, the marked interval and the search", run: () => mainEscape() },
	{ keys: ["?", "h"], text: "this help", run: () => mainHelp() },
];

const inputKeyNames = { ArrowLeft: "\u2190", ArrowRight: "\u2192", ArrowUp: "\u2191", ArrowDown: "\u2193",
	PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc" };

function inputKey(event) {
	const { target } = event;
	const typing = (target instanceof HTMLInputElement && target.type !== "checkbox") || target instanceof HTMLSelectElement;
	if (typing && event.key === "Escape") {
		target.blur();
		return;
	}
	if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || inputScrolls(event))
		return;
	const entry = inputKeys.find(({ keys }) => keys.includes(event.key));
	if (!entry)
		return;
	event.preventDefault();
	entry.run();
}

/* Return whether the browser must handle a key, as in the panel and in a report. */
function inputScrolls({ key, target }) {
	return /^(Arrow|Page)/.test(key) && (reportIsAbove() || (target instanceof Element && target.closest("#panel") !== null));
}

/*
 * Return the column of pixels that shows the same time after the user has zoomed with keys: the
 * column of the selected span, if that can be seen, and otherwise the middle.
 */
function inputZoomX() {
	if (overlay.pointer >= 0)
		return overlay.pointer;
	const { ref } = detail;
	if (ref && ref.end > view.from && ref.begin < viewTo())
		return Math.min(view.width, Math.max(0, (viewX(ref.begin) + viewX(ref.end)) / 2));
	return view.width / 2;
}

function inputZoomToSelected() {
	if (detail.ref)
		viewShowAround(detail.ref.begin, detail.ref.end);
	else if (overlay.range)
		viewShow(overlay.range.from, overlay.range.to);
}

function inputFinding(step) {
	mainTab("findings");
	findingStep(step);
}

/* Select the span in the middle of the view in the next row. */
async function inputRowStep(step) {
	const list = rows.shown.filter((row) => !row.heading && row.lanes.some((lane) => lane.table && lane.kind === "states"));
	if (list.length === 0)
		return;
	const place = detail.ref && rowOfSpan(detail.ref);
	const at = list.indexOf(place ? place.row : rows.byId.get(input.row));
	const row = list[Math.min(list.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
	const lane = row.lanes.find((candidate) => candidate.kind === "states");
	const middle = place && detail.ref.end > view.from && detail.ref.begin < viewTo() ?
		(Math.max(detail.ref.begin, view.from) + Math.min(detail.ref.end, viewTo())) / 2 : view.from + view.span / 2;
	input.row = row.id;
	const ref = await spanNear(lane, middle, view.span);
	mainRevealRow(row);
	mainTab("detail");
	detailSelect(ref);
}
