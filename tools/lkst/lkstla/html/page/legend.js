/* SPDX-License-Identifier: GPL-2.0 */
/* Shows the legend: what each colour, pattern and height means. */

const legendEntries = [
	["On a CPU, and for a thread that runs", [
		["user", "user mode"], ["kernel", "kernel mode"], ["running", "running, in any mode"],
		["softirq", "softirq"], ["hardirq", "interrupt of a device, of the timer or of another CPU"],
		["unknown", "unknown: not recorded, or lost"],
	]],
	["For a thread that does not run", [
		["woken", "runnable: woken up, waits for a CPU"], ["preempted", "runnable: preempted, waits for a CPU"],
		["blocked-disk", "blocked, signals cannot interrupt it (D)"], ["waiting", "blocked in a system call"],
		["blocked", "blocked, in no known call"], ["resting", "kernel thread without work (I)"], ["stopped", "stopped or traced (T)"],
	]],
];

const LEGEND_WIDTH = 46;
const LEGEND_HEIGHT = 20;

function legendShow() {
	const box = document.getElementById("legend");
	box.replaceChildren();
	for (const [title, entries] of legendEntries) {
		const heading = document.createElement("h3");
		heading.textContent = title;
		const list = document.createElement("ul");
		for (const [name, text] of entries) {
			const item = document.createElement("li");
			item.append(legendSample(styles[name]), text);
			list.append(item);
		}
		box.append(heading, list);
	}
}

function legendSample(style) {
	const canvas = document.createElement("canvas");
	canvas.width = LEGEND_WIDTH;
	canvas.height = LEGEND_HEIGHT;
	canvas.setAttribute("aria-hidden", "true");
	const context = canvas.getContext("2d");
	const image = context.createImageData(LEGEND_WIDTH, LEGEND_HEIGHT);
	const pixels = new Uint32Array(image.data.buffer);
	const { fill, second } = palettePixels(style);
	pixels.fill(palettePacked(palette.lane));
	for (let y = Math.round(LEGEND_HEIGHT * (1 - style.height)); y < LEGEND_HEIGHT; y++)
		for (let x = 0; x < LEGEND_WIDTH; x++)
			pixels[y * LEGEND_WIDTH + x] = style.pattern !== null && style.pattern(x, y) ? second : fill;
	context.putImageData(image, 0, 0);
	return canvas;
}
