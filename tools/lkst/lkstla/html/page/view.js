/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the view: the part of the window that is on the screen.
 *
 * The page is drawn from viewColumn() on, which is a whole number of pixels after the start of the
 * window. Then each column of pixels covers the same interval even after the view has moved, and
 * columns that have been drawn can be reused.
 */

/*
 * The shortest view, in nanoseconds, and as a part of the window, because the precision of a double
 * is limited. VIEW_MARGIN is the space beside the window.
 */
const VIEW_LEAST = 200;
const VIEW_LEAST_PART = 2 ** -41;
const VIEW_MARGIN = 0.05;

const view = {
	/* Start and length of the view, in nanoseconds. */
	from: 0,
	span: 1,
	/* Length of the window. */
	length: 1,
	/* Width of the canvas, in pixels of the device. */
	width: 1,
	/* Called when the view has changed. */
	changed: () => {},
};

function viewTo() {
	return view.from + view.span;
}

/* Return the number of nanoseconds per pixel. */
function viewPixel() {
	return view.span / view.width;
}

/* Return the number of the first column of pixels, counted from the start of the window. */
function viewColumn() {
	return Math.round(view.from / viewPixel());
}

/* Convert a column of pixels on the screen to a time. viewX() does the reverse. */
function viewTime(x) {
	return (viewColumn() + x) * viewPixel();
}

function viewX(time) {
	return time / viewPixel() - viewColumn();
}

/* Return the shortest and the longest interval that can be the view, in nanoseconds. */
function viewLimits() {
	const most = view.length * (1 + 2 * VIEW_MARGIN);
	return { least: Math.min(Math.max(VIEW_LEAST, view.length * VIEW_LEAST_PART), most), most };
}

/**
 * viewShow() - show an interval
 */
function viewShow(from, to) {
	const margin = view.length * VIEW_MARGIN;
	const { least, most } = viewLimits();
	const span = Math.min(Math.max(to - from, least), most);
	const middle = (from + to) / 2;
	const begin = Math.min(Math.max(middle - span / 2, -margin), view.length + margin - span);
	if (begin === view.from && span === view.span)
		return;
	view.from = begin;
	view.span = span;
	view.changed();
}

function viewShowAll() {
	viewShow(-view.length * 0.01, view.length * 1.01);
}

/**
 * viewPan() - move by a number of pixels, with the same scale
 */
function viewPan(pixels) {
	const margin = view.length * VIEW_MARGIN;
	const begin = view.from + pixels * viewPixel();
	view.from = Math.min(Math.max(begin, -margin), view.length + margin - view.span);
	view.changed();
}

/**
 * viewZoom() - make the view longer or shorter
 * @factor: new length divided by the old one; below 1, the view shows more detail
 * @x: column of pixels that keeps its time
 */
function viewZoom(factor, x = view.width / 2) {
	const fixed = view.from + x * viewPixel();
	const { least, most } = viewLimits();
	const span = Math.min(Math.max(view.span * factor, least), most);
	const from = fixed - (x / view.width) * span;
	viewShow(from, from + span);
}

/**
 * viewShowAround() - show an interval with some space on both sides
 */
function viewShowAround(from, to) {
	const space = Math.max((to - from) * 0.5, VIEW_LEAST / 2);
	viewShow(from - space, to + space);
}

/**
 * viewReveal() - move the view, if this is necessary, so that an interval can be seen
 *
 * The scale changes only if the interval is longer than the view, or too short to be seen.
 */
function viewReveal(from, to) {
	const length = to - from;
	if (length > view.span || length < 3 * viewPixel()) {
		viewShowAround(from, to);
		return;
	}
	if (from >= view.from && to <= viewTo())
		return;
	const middle = (from + to) / 2;
	viewShow(middle - view.span / 2, middle + view.span / 2);
}
