/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws the lanes. A view can have more spans than pixels, so a lane is drawn into an image, column
 * by column. In a column, the states are stacked, and the height of each is its share of the time,
 * but at least one pixel. All lanes are in one image, because a browser needs as much time to draw
 * a small image as to draw a large one.
 *
 * If the view has moved sideways, the picture is moved, too, and only the new columns are drawn.
 */

/* Draw from spans rather than from levels if no more chunks than this are needed. */
const PAINT_CHUNKS = 12;

/* Maximum number of chunks that are read because the levels are too coarse */
const PAINT_CHUNKS_MAX = 40;

/* Minimum share of a column, so that shorter spans are drawn as well */
const PAINT_SHARE_LEAST = 1 / 4096;

/* A height that no lane exceeds, in pixels of the style sheet at the smallest size of text */
const PAINT_LANE_MOST = 32;

const STATE_LIMIT = 64;

const paint = {
	canvas: null,
	context: null,
	/* Pixels of the device per pixel of the style sheet. */
	ratio: 1,
	scroll: 0,
	/* What the canvas shows: column, pixel, scroll; null: nothing that can be reused */
	done: null,
	exact: true,
	level: null,
	/* The values of viewPixel() and viewColumn() for the picture */
	pixel: 1,
	column: 0,
	/*
	 * The picture, with @margin rows of pixels above and below it for lanes that are only
	 * partly visible
	 */
	image: null,
	pixels: null,
	margin: 0,
	/* Sums by column, for one lane at a time. */
	shares: new Float32Array(0),
	cover: new Float32Array(0),
	best: new Float32Array(0),
	value: new Int32Array(0),
	edge: new Uint8Array(0),
	/* For tests: the number of pictures, and of columns that were drawn. */
	pictures: 0,
	columns: 0,
	/* Whether data of a lane are still being read */
	waiting: false,
};

/**
 * paintResize() - fit the picture to the size of its canvas
 */
function paintResize(width, height, ratio) {
	paint.canvas.width = width;
	paint.canvas.height = height;
	paint.ratio = ratio;
	paint.margin = Math.ceil(PAINT_LANE_MOST * palette.unit * ratio);
	paint.image = paint.context.createImageData(width, height + 2 * paint.margin);
	paint.pixels = new Uint32Array(paint.image.data.buffer);
	paint.shares = new Float32Array(width * STATE_LIMIT);
	paint.cover = new Float32Array(width);
	paint.best = new Float32Array(width);
	paint.value = new Int32Array(width);
	paint.edge = new Uint8Array(width);
	/* Clear the canvas: an opaque one is black until the next picture. */
	paint.context.fillStyle = palette.background;
	paint.context.fillRect(0, 0, width, height);
	paintForget();
}

/* The next picture must be drawn completely. */
function paintForget() {
	paint.done = null;
}

/**
 * paintRows() - draw the rows that are on the screen
 * @scroll: height of the part that has been scrolled off the top, in pixels of the style sheet
 */
function paintRows(scroll) {
	const { canvas, done } = paint;
	const column = viewColumn();
	const pixel = viewPixel();
	paintChoose();
	paint.pixel = pixel;
	paint.column = column;
	paint.scroll = scroll;
	paint.waiting = false;
	paint.pictures++;
	const shift = done && done.pixel === pixel && done.scroll === scroll && done.exact === paint.exact &&
		done.level === paint.level ? column - done.column : NaN;
	if (Math.abs(shift) < canvas.width / 2) {
		if (shift !== 0)
			paintShift(shift);
	} else {
		paintColumns(0, canvas.width);
	}
	paint.done = paint.waiting ? null : { column, pixel, scroll, exact: paint.exact, level: paint.level };
}

/*
 * Move the picture to the left, or to the right if @shift is negative. Moving the image takes a
 * browser less time than drawing a canvas onto itself. The new columns then contain pixels of
 * adjacent rows until they are drawn.
 */
function paintShift(shift) {
	const { canvas, pixels } = paint;
	if (shift > 0) {
		pixels.copyWithin(0, shift);
		paintColumns(canvas.width - shift, canvas.width);
	} else {
		pixels.copyWithin(-shift, 0);
		paintColumns(0, -shift);
	}
}

/* Decide whether to draw from spans or from a level, and begin to read the missing data. */
function paintChoose() {
	const pixel = viewPixel();
	const overlap = directoryOverlap(view.from, viewTo());
	const finest = levels[levels.length - 1];
	paint.exact = overlap <= PAINT_CHUNKS ||
		(overlap <= PAINT_CHUNKS_MAX && (!finest || finest.binLength > pixel));
	paint.level = null;
	if (levels.length === 0)
		return;
	const wanted = levelFor(pixel);
	if (!wanted.parts && !paint.exact)
		mainLevelWant(wanted);
	for (let index = wanted.index; index >= 0 && !paint.level; index--)
		if (levels[index].parts)
			paint.level = levels[index];
}

/**
 * paintVisible() - call a function for each row on the screen
 * @each: function, called with the row and its top on the screen, in pixels of the style sheet
 */
function paintVisible(each) {
	const bottom = paint.scroll + paint.canvas.height / paint.ratio;
	for (let i = rowsAt(paint.scroll); i < rows.shown.length; i++) {
		const row = rows.shown[i];
		if (row.top >= bottom)
			break;
		each(row, row.top - paint.scroll);
	}
}

/**
 * paintLanePlace() - get top and height of a lane on the canvas, in its pixels
 */
function paintLanePlace(lane, rowTop) {
	const top = Math.round((rowTop + lane.top) * paint.ratio);
	return { top, height: Math.max(1, Math.round((rowTop + lane.top + lane.height) * paint.ratio) - top) };
}

function paintColumns(x0, x1) {
	const { context, canvas, image, pixels, margin, ratio } = paint;
	const { width } = canvas;
	const background = palettePacked(palette.background);
	const line = palettePacked(palette.line);
	paint.columns += x1 - x0;
	for (let y = margin; y < margin + canvas.height; y++)
		pixels.fill(background, y * width + x0, y * width + x1);
	paintVisible((row, rowTop) => {
		if (row.heading) {
			const y = margin + Math.round((rowTop + row.height) * ratio) - 1;
			pixels.fill(line, y * width + x0, y * width + x1);
			return;
		}
		for (const lane of row.lanes)
			if (!lane.hidden)
				paintLane(lane, rowTop, x0, x1);
	});
	context.putImageData(image, 0, -margin, 0, margin, width, canvas.height);
}

function paintLane(lane, rowTop, x0, x1) {
	const { top, height } = paintLanePlace(lane, rowTop);
	if (lane.kind === "marks" || top + height <= 0 || top >= paint.canvas.height)
		return;
	const image = paintImage(top, height);
	paintBackground(image, x0, x1);
	if (lane.kind === "states")
		paintStates(lane, image, x0, x1);
	else if (lane.kind === "ticks")
		paintTicks(lane, image, x0, x1);
	else
		paintSlices(lane, image, x0, x1);
}

/* Return the part of the image that a lane occupies. */
function paintImage(top, height) {
	const { width } = paint.canvas;
	const begin = (paint.margin + top) * width;
	return { pixels: paint.pixels.subarray(begin, begin + height * width), width, height };
}

/*
 * Draw the background of a lane. Before and after the window, the background has a different
 * colour.
 */
function paintBackground(image, x0, x1) {
	const { pixels, width, height } = image;
	const outside = palettePacked(palette.background);
	const inside = palettePacked(palette.lane);
	const begin = Math.min(x1, Math.max(x0, Math.floor(viewX(0))));
	const end = Math.min(x1, Math.max(x0, Math.ceil(viewX(view.length))));
	for (let y = 0; y < height; y++) {
		const at = y * width;
		pixels.fill(outside, at + x0, at + begin);
		pixels.fill(inside, at + begin, at + end);
		pixels.fill(outside, at + end, at + x1);
	}
}

/**
 * paintSource() - find the data from which a lane is drawn
 *
 * Return: { parts } of chunks; { level }; or {} if the data have not been read.
 */
function paintSource(lane, from, to) {
	if (paint.exact) {
		const { parts, complete } = chunkParts(lane.table, lane.key, from, to);
		if (complete)
			return { parts };
		paint.waiting = true;
		if (!(lane.level >= 0 && paint.level))
			return { parts };
	}
	return lane.level >= 0 && paint.level ? { level: paint.level } : {};
}

/* --- states: stacked shares */

function paintStates(lane, image, x0, x1) {
	const from = viewTime(x0);
	const to = viewTime(x1);
	const { shares } = paint;
	const seen = new Uint8Array(STATE_LIMIT);
	shares.fill(0, x0 * STATE_LIMIT, x1 * STATE_LIMIT);
	const add = (begin, end, state, part) => {
		if (state >= STATE_LIMIT || paletteOfState(state) === null)
			return;
		seen[state] = 1;
		paintAdd(begin, end, state, part, x0, x1);
	};
	const source = paintSource(lane, from, to);
	for (const { table, first, last } of source.parts || []) {
		const state = chunkColumn(table, "state");
		for (let i = chunkFirstAfter(table, first, last, from); i < last && table.begin[i] < to; i++)
			add(table.begin[i], table.end[i], state[i], 1);
	}
	if (source.level)
		levelEach(source.level, lane.level, from, to, add);
	const used = [...seen.keys()].filter((state) => seen[state] === 1)
		.sort((a, b) => paletteOfState(a).order - paletteOfState(b).order);
	paintStacks(image, used, x0, x1);
	if (lane.table === "cpu")
		paintLosses(lane, image, x0, x1);
}

/* Add an interval to the shares of the columns that it touches. */
function paintAdd(begin, end, state, part, x0, x1) {
	const { shares, pixel, column } = paint;
	const left = Math.max(x0, begin / pixel - column);
	const right = Math.min(x1, end / pixel - column);
	if (right < left || left >= x1)
		return;
	const firstColumn = Math.floor(left);
	const lastColumn = Math.min(x1 - 1, Math.floor(right));
	if (firstColumn === lastColumn) {
		shares[firstColumn * STATE_LIMIT + state] += Math.max((right - left) * part, PAINT_SHARE_LEAST);
		return;
	}
	shares[firstColumn * STATE_LIMIT + state] += (firstColumn + 1 - left) * part;
	for (let x = firstColumn + 1; x < lastColumn; x++)
		shares[x * STATE_LIMIT + state] += part;
	shares[lastColumn * STATE_LIMIT + state] += (right - lastColumn) * part;
}

function paintStacks(image, used, x0, x1) {
	const { shares } = paint;
	const { pixels, width, height } = image;
	const { column } = paint;
	const all = used.map((state) => ({ state, style: paletteOfState(state), ...palettePixels(paletteOfState(state)) }));
	const heights = new Int32Array(all.length);
	for (let x = x0; x < x1; x++) {
		paintHeights(all, shares, x, height, heights);
		let y = height;
		for (let k = 0; k < all.length; k++) {
			const { style, fill, second } = all[k];
			const { pattern } = style;
			for (let n = heights[k]; n > 0; n--) {
				y--;
				pixels[y * width + x] = pattern !== null && pattern(column + x, y) ? second : fill;
			}
		}
	}
}

/*
 * Compute the heights of the states of a column. Each has at least one pixel, which is taken from
 * the largest one.
 */
function paintHeights(all, shares, x, height, heights) {
	let sum = 0;
	let largest = 0;
	for (let k = 0; k < all.length; k++) {
		const share = shares[x * STATE_LIMIT + all[k].state];
		heights[k] = share > 0 ? Math.max(1, Math.round(Math.min(1, share) * all[k].style.height * height)) : 0;
		sum += heights[k];
		if (heights[k] > heights[largest])
			largest = k;
	}
	if (sum > height)
		heights[largest] = Math.max(1, heights[largest] - (sum - height));
}

function paintLosses(lane, image, x0, x1) {
	const { pixels, width, height } = image;
	const { column } = paint;
	const { fill, second } = palettePixels(lossStyle);
	for (const loss of trace.losses) {
		if (loss.cpu !== lane.key)
			continue;
		const left = Math.max(x0, Math.floor(viewX(loss.begin)));
		const right = Math.min(x1, Math.max(Math.ceil(viewX(loss.end)), Math.floor(viewX(loss.begin)) + 2));
		for (let x = left; x < right; x++)
			for (let y = 0; y < height; y++)
				pixels[y * width + x] = lossStyle.pattern(column + x, y) ? second : fill;
	}
}

/* --- slices: one value per column */

function paintSlices(lane, image, x0, x1) {
	const { cover, best, edge } = paint;
	const from = viewTime(x0);
	const to = viewTime(x1);
	cover.fill(0, x0, x1);
	best.fill(0, x0, x1);
	edge.fill(0, x0, x1);
	const source = paintSource(lane, from, to);
	for (const part of source.parts || [])
		paintSlicesOfPart(lane, part, x0, x1);
	if (source.level)
		levelEach(source.level, lane.level, from, to, (begin, end, value, share) => {
			const shown = paintLevelValue(lane, value);
			if (shown >= 0)
				paintCover(begin, end, shown, share, x0, x1);
		});
	paintCovered(lane, image, x0, x1, source.level !== undefined);
}

/*
 * Draw from the last span to the first one. Inner spans end first, so they are drawn last, on top.
 */
function paintSlicesOfPart(lane, { table, first, last }, x0, x1) {
	const from = viewTime(x0);
	const to = viewTime(x1);
	const values = chunkColumn(table, paintValueColumn(lane));
	const begin = chunkFirstAfter(table, first, last, from);
	for (let i = last - 1; i >= begin; i--)
		if (table.begin[i] < to && laneHas(lane, values[i]))
			paintCover(table.begin[i], table.end[i], values[i], 1, x0, x1);
}

function paintValueColumn(lane) {
	return { sys: "call", ctx: "context", blk: "op", lck: "lock", evt: "type", net: "op" }[lane.table];
}

/*
 * Convert a value of a level to the value in the tables. Returns -1 if the lane does not show it.
 */
function paintLevelValue(lane, value) {
	if (lane.kind === "contexts")
		return value === lane.state ? value : -1;
	return value - 1;
}

function paintCover(begin, end, value, share, x0, x1) {
	const { cover, best, edge, pixel, column } = paint;
	const left = begin / pixel - column;
	const right = end / pixel - column;
	if (right < x0 || left >= x1)
		return;
	const firstColumn = Math.max(x0, Math.floor(left));
	const lastColumn = Math.min(x1 - 1, Math.max(firstColumn, Math.ceil(right) - 1));
	for (let x = firstColumn; x <= lastColumn; x++) {
		const inside = Math.max(Math.min(right, x + 1) - Math.max(left, x), PAINT_SHARE_LEAST) * share;
		cover[x] += inside;
		if (inside >= best[x] || inside > 0.99) {
			best[x] = inside;
			paint.value[x] = value;
		}
	}
	if (right - left >= 4 && left >= x0 && share === 1)
		edge[firstColumn] = 1;
}

function paintCovered(lane, image, x0, x1, fromLevel) {
	const { cover, value, edge } = paint;
	const { pixels, width, height } = image;
	const { column } = paint;
	for (let x = x0; x < x1; x++) {
		if (cover[x] === 0)
			continue;
		const style = fromLevel && lane.kind === "contexts" ? paletteOfState(lane.state) : paintSliceStyle(lane, value[x]);
		const { fill, second, edge: border } = palettePixels(style);
		const least = height - Math.max(1, Math.round(Math.min(1, cover[x]) * height));
		for (let y = least; y < height; y++)
			pixels[y * width + x] = edge[x] ? border :
				style.pattern !== null && style.pattern(column + x, y) ? second : fill;
	}
}

/**
 * paintSliceStyle() - get the style of a slice
 * @value: number of the call, context, operation or lock
 */
function paintSliceStyle(lane, value) {
	switch (lane.table) {
	case "ctx":
		return contextStyles[traceContext(value).kind] || styles.unknown;
	case "blk":
		return operationStyles[Math.min(value, operationStyles.length - 1)];
	case "net":
		return operationStyles[0];
	case "lck":
		return lockStyle;
	default:
		return sliceStyles[value % sliceStyles.length];
	}
}

/* --- ticks: events without a length */

function paintTicks(lane, image, x0, x1) {
	const { pixels, width, height } = image;
	const colour = palettePacked(palette.text);
	const from = viewTime(x0);
	const to = viewTime(x1);
	for (const { table, first, last } of paintSource(lane, from, to).parts || [])
		for (let i = chunkFirstAfter(table, first, last, from); i < last && table.begin[i] < to; i++) {
			const x = Math.floor(viewX(table.begin[i]));
			if (x >= x0 && x < x1)
				for (let y = 0; y < height; y++)
					pixels[y * width + x] = colour;
		}
}
