/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws the ruler above the rows, with the findings as numbered flags. Above the ruler, an overview
 * of the whole window shows how busy all CPUs were, and where the view is.
 */

const ruler = {
	canvas: null,
	context: null,
	/* For tests and clicks: the marks and flags of the last picture. */
	ticks: [],
	flags: [],
};

const overview = {
	canvas: null,
	context: null,
	/* The background that has been drawn, and the size and theme for which it is valid */
	key: "",
	image: null,
};

function rulerDraw() {
	const { canvas, context } = ruler;
	const { ratio } = paint;
	const { unit } = palette;
	context.fillStyle = palette.background;
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.font = `${11.5 * unit * ratio}px ${palette.font}`;
	context.textBaseline = "middle";
	const step = timeStep(viewPixel() * 108 * unit * ratio);
	const digits = timeDigits(step);
	ruler.ticks = [];
	for (let time = timeFirstMark(view.from, step); time <= viewTo(); time += step) {
		const x = Math.round(viewX(time));
		const text = timeClock(Math.round(time), digits);
		context.fillStyle = palette.line;
		context.fillRect(x, canvas.height - 8 * unit * ratio, ratio, 8 * unit * ratio);
		context.fillStyle = palette.text;
		context.fillText(text, x + 4 * unit * ratio, canvas.height - 8 * unit * ratio);
		ruler.ticks.push({ x, text });
	}
	if (overlay.range)
		rulerRange(context);
	rulerFlags(context);
	if (overlay.pointer >= 0)
		rulerPointer(context);
}

function rulerRange(context) {
	const { from, to } = overlay.range;
	context.fillStyle = palette.select;
	context.fillRect(viewX(from), ruler.canvas.height - 3 * paint.ratio, viewX(to) - viewX(from), 3 * paint.ratio);
}

/* Draw a flag at each finding that has a time. Flags that would overlap are left out. */
function rulerFlags(context) {
	const size = 15 * palette.unit * paint.ratio;
	let right = -Infinity;
	ruler.flags = [];
	const placed = trace.findings.map((finding, index) => ({ finding, index }))
		.filter(({ finding }) => typeof finding.at === "number")
		.sort((a, b) => a.finding.at - b.finding.at);
	context.textAlign = "center";
	for (const { finding, index } of placed) {
		const x = Math.round(viewX(finding.at));
		if (x < -size || x > view.width + size || x < right)
			continue;
		right = x + size;
		context.fillStyle = palette.finding;
		context.fillRect(x, 0, size, size);
		context.fillRect(x, 0, 2 * paint.ratio, ruler.canvas.height);
		context.fillStyle = palette.background;
		context.fillText(String(index + 1), x + size / 2, size / 2 + paint.ratio);
		ruler.flags.push({ index, left: x, right, bottom: size });
	}
	context.textAlign = "left";
}

function rulerPointer(context) {
	const x = overlay.pointer;
	const text = timeClock(viewTime(x), Math.min(9, timeDigits(timeStep(viewPixel())) + 1));
	const width = context.measureText(text).width + 8 * paint.ratio;
	const left = Math.min(Math.max(0, x - width / 2), view.width - width);
	const height = 17 * palette.unit * paint.ratio;
	context.fillStyle = palette.text;
	context.fillRect(left, ruler.canvas.height - height, width, height);
	context.fillStyle = palette.background;
	context.fillText(text, left + 4 * paint.ratio, ruler.canvas.height - height / 2 + paint.ratio * 0.5);
}

/* --- the overview */

function overviewDraw() {
	const { canvas, context } = overview;
	const key = `${canvas.width} ${canvas.height} ${palette.dark} ${paint.ratio} ${levels.length > 0 && levels[0].parts !== null}`;
	if (overview.key !== key) {
		overviewBackground(context);
		overview.image = document.createElement("canvas");
		overview.image.width = canvas.width;
		overview.image.height = canvas.height;
		overview.image.getContext("2d").drawImage(canvas, 0, 0);
		overview.key = key;
	}
	context.drawImage(overview.image, 0, 0);
	const left = overviewX(view.from);
	const right = Math.max(left + 3 * paint.ratio, overviewX(viewTo()));
	context.globalAlpha = 0.55;
	context.fillStyle = palette.background;
	context.fillRect(0, 0, left, canvas.height);
	context.fillRect(right, 0, canvas.width - right, canvas.height);
	context.globalAlpha = 1;
	context.strokeStyle = palette.text;
	context.lineWidth = paint.ratio * 1.5;
	context.strokeRect(left, paint.ratio, right - left, canvas.height - 2 * paint.ratio);
}

function overviewX(time) {
	return (time / view.length) * overview.canvas.width;
}

function overviewTime(x) {
	return (x / overview.canvas.width) * view.length;
}

/* Draw the shares of user mode, kernel mode and interrupts of all CPUs, from the coarsest level. */
function overviewBackground(context) {
	const { width, height } = overview.canvas;
	context.fillStyle = palette.lane;
	context.fillRect(0, 0, width, height);
	const level = levels[0];
	if (!level || !level.parts || trace.cpus.length === 0)
		return;
	const sums = new Float32Array(width * STATE_LIMIT);
	const pixel = view.length / width;
	for (const cpu of trace.cpus)
		levelEach(level, cpu.mode, 0, view.length, (begin, end, state, share) => {
			if (state >= STATE_LIMIT)
				return;
			const last = Math.min(width - 1, Math.ceil(end / pixel) - 1);
			for (let x = Math.floor(begin / pixel); x <= last; x++) {
				const inside = Math.min(end, (x + 1) * pixel) - Math.max(begin, x * pixel);
				sums[x * STATE_LIMIT + state] += (inside / pixel) * share;
			}
		});
	const busy = ["user", "kernel", "running", "softirq", "hardirq"].map(traceStateNumber).filter((state) => state >= 0);
	for (let x = 0; x < width; x++) {
		let y = height;
		for (const state of busy) {
			const part = (sums[x * STATE_LIMIT + state] / trace.cpus.length) * height;
			context.fillStyle = palettePixels(paletteOfState(state)).css;
			context.fillRect(x, y - part, 1, part);
			y -= part;
		}
	}
}
