/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws text over the lanes: the thread that a CPU ran, or the name of a system call. A label can
 * be seen as long as a part of its slice can be seen.
 */

/* Slices narrower than this have no label, in pixels of the style sheet. */
const LABEL_LEAST = 26;

/* Maximum number of labels in a picture, which limits the time to draw it */
const LABELS_MAX = 1500;

const labels = {
	left: 0,
	/* Copy of the font of the overlay, because getting the font from the context is slow */
	font: "",
	/* For each lane that is drawn from a level: the labels in the view and around it */
	runs: new Map(),
	/* Widths of texts, by font */
	fonts: new Map(),
	widths: null,
	/* The labels of the last picture, for tests and for the description of the picture. */
	drawn: [],
};

function labelsForget() {
	labels.fonts.clear();
	labels.runs.clear();
}

/**
 * labelsDraw() - draw the labels of all lanes on the screen
 */
function labelsDraw(context) {
	labels.left = LABELS_MAX;
	labels.drawn = [];
	labels.font = "";
	context.textBaseline = "middle";
	paintVisible((row, rowTop) => {
		for (const lane of row.lanes)
			if (!lane.hidden)
				labelsOfLane(context, row, lane, rowTop);
	});
}

function labelFont(lane) {
	const size = { states: 11.5, slices: 11, contexts: 10, marks: 11 }[lane.kind];
	return size ? `${size * palette.unit * paint.ratio}px ${palette.font}` : null;
}

function labelsUseFont(context, font) {
	context.font = font;
	labels.font = font;
	if (!labels.fonts.has(font))
		labels.fonts.set(font, new Map());
	labels.widths = labels.fonts.get(font);
}

function labelsOfLane(context, row, lane, rowTop) {
	const font = labelFont(lane);
	if (!font)
		return;
	if (labels.font !== font)
		labelsUseFont(context, font);
	const place = paintLanePlace(lane, rowTop);
	const least = LABEL_LEAST * palette.unit * paint.ratio;
	labelsEach(lane, least * viewPixel(), (begin, end, text, style) => {
		const left = Math.max(0, viewX(begin));
		const right = Math.min(view.width, viewX(end));
		if (right - left >= least && labels.left-- > 0)
			labelDraw(context, lane, place, { row, text, style, left, right });
	});
}

function labelDraw(context, lane, { top, height }, { row, text, style, left, right }) {
	const space = 3 * palette.unit * paint.ratio;
	const shown = labelFit(context, text, right - left - 2 * space);
	if (shown === "")
		return;
	const middle = top + height / 2 + paint.ratio * 0.5;
	if (lane.kind === "marks") {
		context.fillStyle = palette.finding;
		context.fillRect(left, top, 2 * paint.ratio, height);
	}
	/* Make the text readable over several styles, or over a pattern. */
	if (lane.table === "cpu" || (style && style.pattern)) {
		const plate = labelWidth(context, shown) + 2 * space;
		context.globalAlpha = 0.82;
		context.fillStyle = lane.table === "cpu" ? palette.background : palettePixels(style).css;
		context.fillRect(left, top + 2 * paint.ratio, Math.min(plate, right - left), height - 4 * paint.ratio);
		context.globalAlpha = 1;
	}
	context.fillStyle = lane.table === "cpu" || !style || style.height < 1 ? palette.text : palettePixels(style).ink;
	context.fillText(shown, left + space, middle);
	labels.drawn.push({ row: row.id, lane: lane.table, text: shown, left, right });
}

function labelWidth(context, text) {
	let width = labels.widths.get(text);
	if (width === undefined) {
		width = context.measureText(text).width;
		labels.widths.set(text, width);
	}
	return width;
}

/* Return the text, or its beginning with an ellipsis, or "" if fewer than three letters fit. */
function labelFit(context, text, space) {
	const width = labelWidth(context, text);
	if (width <= space)
		return text;
	const letters = Math.floor((text.length * space) / width) - 1;
	return letters >= 3 ? `${text.slice(0, letters)}\u2026` : "";
}

/**
 * labelsEach() - call a function for each labelled slice of a lane
 * @least: slices shorter than this may be left out, in nanoseconds
 * @each: function, called with begin, end, text and style
 */
function labelsEach(lane, least, each) {
	if (lane.kind === "marks") {
		labelsOfMarks(each);
		return;
	}
	const source = paintSource(lane, view.from, viewTo());
	if (source.level)
		labelsFromLevel(source.level, lane, least, each);
	else if (lane.table === "cpu")
		labelsOfCpu(source.parts || [], each);
	else if (lane.table === "thr")
		labelsOfThread(source.parts || [], least, each);
	else
		labelsOfSlices(source.parts || [], lane, least, each);
}

function labelsOfMarks(each) {
	const shown = trace.marks.filter((mark) => mark.at >= view.from - view.span && mark.at <= viewTo());
	for (const [index, mark] of shown.entries()) {
		const next = shown[index + 1];
		each(mark.at, next ? next.at : view.length * 2, mark.text, null);
	}
}

/* Make one label for adjacent spans of the same thread. */
function labelsOfCpu(parts, each) {
	const run = { begin: 0, end: 0, thread: 0 };
	const emit = () => {
		if (run.thread > 0)
			each(run.begin, run.end, traceThreadPlusOne(run.thread), null);
	};
	for (const { table, first, last } of parts) {
		const thread = chunkColumn(table, "thread");
		const to = viewTo();
		for (let i = chunkFirstAfter(table, first, last, view.from); i < last && table.begin[i] < to; i++) {
			if (thread[i] !== run.thread || table.begin[i] !== run.end) {
				emit();
				run.begin = table.begin[i];
				run.thread = thread[i];
			}
			run.end = table.end[i];
		}
	}
	emit();
}

function labelsOfThread(parts, least, each) {
	for (const { table, first, last } of parts) {
		const state = chunkColumn(table, "state");
		const to = viewTo();
		for (let i = chunkFirstAfter(table, first, last, view.from); i < last && table.begin[i] < to; i++)
			if (table.end[i] - table.begin[i] >= least)
				each(table.begin[i], table.end[i], labelOfState(table, i, state[i]), paletteOfState(state[i]));
	}
}

/*
 * Return the label of a state. For a blocked thread, it is the call in which the thread sleeps, if
 * that is known.
 */
function labelOfState(table, index, state) {
	const cpu = chunkColumn(table, "cpu")[index];
	const call = chunkColumn(table, "call")[index];
	switch (traceStateClass(state)) {
	case "running":
		return cpu > 0 ? `CPU ${cpu - 1}` : "running";
	case "blocked":
		return call > 0 ? `blocked: ${traceCallName(call - 1)}` : traceStateName(state);
	default:
		return traceStateName(state);
	}
}

function labelsOfSlices(parts, lane, least, each) {
	for (const { table, first, last } of parts) {
		const values = chunkColumn(table, paintValueColumn(lane));
		for (let i = chunkFirstAfter(table, first, last, view.from); i < last; i++)
			if (table.end[i] - table.begin[i] >= least && table.begin[i] < viewTo() && laneHas(lane, values[i]))
				each(table.begin[i], table.end[i], labelOfSlice(lane.table, table, i, values[i]),
					paintSliceStyle(lane, values[i]));
	}
}

function labelOfSlice(tableName, table, index, value) {
	switch (tableName) {
	case "sys":
		return traceCallName(value);
	case "ctx":
		return traceContext(value).kind === "exception" ? traceContextName(value) : traceContext(value).name;
	case "blk":
		return `${traceOperationName(value)} ${timeGroups(chunkColumn(table, "bytes")[index])} bytes`;
	case "net":
		return `${timeGroups(chunkColumn(table, "bytes")[index])} bytes`;
	case "lck":
		return traceString(value);
	default:
		return "";
	}
}

/*
 * Adjacent bins with mostly the same value look like one slice, so make one label for them. A level
 * has many bins but few labels, so the labels are kept until the view has moved far away.
 */
function labelsFromLevel(level, lane, least, each) {
	if (lane.kind === "contexts" || lane.table === "blk" || lane.table === "net")
		return;
	let kept = labels.runs.get(lane);
	if (!kept || kept.level !== level || kept.least !== least || kept.from > view.from || kept.to < viewTo()) {
		kept = { level, least, from: view.from - view.span, to: viewTo() + view.span, runs: [] };
		labelsCollect(lane, kept);
		labels.runs.set(lane, kept);
	}
	for (const { begin, end, text, style } of kept.runs)
		if (end > view.from && begin < viewTo())
			each(begin, end, text, style);
}

function labelsCollect(lane, { level, least, from, to, runs }) {
	const row = lane.table === "cpu" ? lane.who : lane.level;
	const run = { begin: 0, end: 0, value: 0 };
	const emit = () => {
		const text = run.value > 0 && run.end - run.begin >= least ? labelOfLevel(lane, run.value) : "";
		if (text !== "")
			runs.push({ begin: run.begin, end: run.end, text, style: lane.table === "thr" ? paletteOfState(run.value) :
				lane.table === "sys" ? paintSliceStyle(lane, run.value - 1) : null });
	};
	levelEach(level, row, from, to, (begin, end, value, share) => {
		if (share <= 0.5)
			return;
		if (value !== run.value || begin > run.end + level.binLength / 2) {
			emit();
			run.begin = begin;
			run.value = value;
		}
		run.end = end;
	});
	emit();
}

function labelOfLevel(lane, value) {
	switch (lane.table) {
	case "cpu":
		return traceThreadPlusOne(value);
	case "thr":
		return traceStateName(value);
	default:
		return traceCallName(value - 1);
	}
}
