/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours and patterns. The colours are those of Okabe and Ito, which people with any kind of
 * colour vision can distinguish. In addition, each state has a pattern, a height or a label by
 * which it can be recognized.
 *
 * A style has
 *  - light, dark: [fill, second colour of the pattern] in the light and in the dark theme
 *  - pattern: a function of x and y that says where the second colour is; null: nowhere
 *  - height: how much of the lane the style fills, from 0 to 1
 *  - order: in a column of several states, the state with the lowest order is at the bottom
 */

const patterns = {
	stripes: (x, y) => ((x + y) & 7) < 3,
	backstripes: (x, y) => ((x - y) & 7) < 2,
	upright: (x) => (x & 3) < 1,
	dots: (x, y) => (x & 3) < 1 && (y & 3) < 1,
	cross: (x, y) => ((x + y) & 7) < 1 || ((x - y) & 7) < 1,
	lines: (x, y) => (y & 3) < 1,
};

const styleOf = (light, dark, pattern, height, order) => ({ light, dark, pattern, height, order });

const styles = {
	none: null,
	unknown: styleOf(["#e3e3e3", "#c2c2c2"], ["#3a3a3a", "#565656"], patterns.cross, 1, 0),
	idle: null,
	user: styleOf(["#00639c", "#00639c"], ["#2a7fbd", "#2a7fbd"], null, 1, 1),
	kernel: styleOf(["#6cc1ee", "#56b4e9"], ["#8fd0f5", "#7ac6f0"], patterns.lines, 1, 2),
	running: styleOf(["#4298cc", "#4298cc"], ["#74b4e0", "#74b4e0"], null, 1, 3),
	softirq: styleOf(["#009e73", "#00c590"], ["#12b886", "#0a7d5b"], patterns.backstripes, 1, 4),
	hardirq: styleOf(["#d55e00", "#d55e00"], ["#f07f24", "#f07f24"], null, 1, 5),
	woken: styleOf(["#f5c242", "#c98500"], ["#e69f00", "#7d5600"], patterns.stripes, 0.75, 6),
	preempted: styleOf(["#f5c242", "#c98500"], ["#e69f00", "#7d5600"], patterns.upright, 0.75, 7),
	blocked: styleOf(["#d4d7da", "#d4d7da"], ["#42484e", "#42484e"], null, 0.45, 9),
	resting: styleOf(["#e6e8ea", "#e6e8ea"], ["#30363b", "#30363b"], null, 0.25, 9),
	waiting: styleOf(["#d4d7da", "#aab0b6"], ["#42484e", "#626a72"], patterns.dots, 0.45, 9),
	"blocked-disk": styleOf(["#e3b5d0", "#cc79a7"], ["#8c4a70", "#cc79a7"], patterns.cross, 0.6, 8),
	stopped: styleOf(["#d4d7da", "#80868c"], ["#42484e", "#80868c"], patterns.upright, 0.45, 10),
};

/* Styles by the class of a state, for states that have no style by name */
const classStyles = {
	none: null,
	unknown: styles.unknown,
	idle: null,
	running: styles.running,
	interrupt: styles.hardirq,
	runnable: styles.woken,
	blocked: styles.waiting,
};

/* Styles, by number of the state */
const stateStyles = [];

/**
 * paletteOfState() - get the style of a state; null if the state is not drawn
 */
function paletteOfState(number) {
	if (stateStyles[number] === undefined) {
		const { key, class: name } = trace.states[number] || { key: "unknown", class: "unknown" };
		stateStyles[number] = Object.hasOwn(styles, key) ? styles[key] : classStyles[name] || null;
	}
	return stateStyles[number];
}

/*
 * Slices have labels, so their colours need not identify them. Adjacent slices have different
 * colours.
 */
const sliceStyles = [
	styleOf(["#a9d4c4", "#a9d4c4"], ["#2c6e59", "#2c6e59"], null, 1, 1),
	styleOf(["#c3cfe8", "#c3cfe8"], ["#43557f", "#43557f"], null, 1, 1),
	styleOf(["#ece0ae", "#ece0ae"], ["#6f6431", "#6f6431"], null, 1, 1),
	styleOf(["#e6c4d8", "#e6c4d8"], ["#754f67", "#754f67"], null, 1, 1),
	styleOf(["#bfe0ee", "#bfe0ee"], ["#2f6479", "#2f6479"], null, 1, 1),
	styleOf(["#d9d2c6", "#d9d2c6"], ["#5d574c", "#5d574c"], null, 1, 1),
];

const contextStyles = {
	irq: styles.hardirq,
	timer_irq: styleOf(["#d55e00", "#ee8f4a"], ["#f07f24", "#a04a06"], patterns.upright, 1, 5),
	ipi: styleOf(["#d55e00", "#ee8f4a"], ["#f07f24", "#a04a06"], patterns.stripes, 1, 5),
	softirq: styles.softirq,
	tasklet: sliceStyles[0],
	timer: sliceStyles[2],
	hrtimer: sliceStyles[2],
	work: sliceStyles[4],
	exception: sliceStyles[3],
};

const operationStyles = [
	styleOf(["#56b4e9", "#56b4e9"], ["#2f8fd0", "#2f8fd0"], null, 1, 1),
	styleOf(["#e69f00", "#f5c242"], ["#e69f00", "#7d5600"], patterns.stripes, 1, 1),
	styleOf(["#cc79a7", "#e3b5d0"], ["#cc79a7", "#8c4a70"], patterns.cross, 1, 1),
	styleOf(["#999999", "#bbbbbb"], ["#777777", "#999999"], patterns.dots, 1, 1),
	styleOf(["#999999", "#999999"], ["#777777", "#777777"], null, 1, 1),
];

const lockStyle = styleOf(["#cc79a7", "#e3b5d0"], ["#cc79a7", "#8c4a70"], patterns.backstripes, 1, 1);

const lossStyle = styleOf(["#ffffff", "#333333"], ["#111111", "#cccccc"], patterns.stripes, 1, 1);

/* Colours outside of the lanes, which paletteSetup() reads from the style sheet */
const palette = { dark: false, font: "sans-serif", unit: 1 };

const paletteNames = ["background", "lane", "line", "text", "faint", "accent", "select", "match", "finding"];

/**
 * paletteSetup() - read the colours of the theme and the size of the text from the style sheet
 */
function paletteSetup() {
	const computed = getComputedStyle(document.documentElement);
	for (const name of paletteNames)
		palette[name] = computed.getPropertyValue(`--${name}`).trim();
	palette.dark = themeName() === "dark";
	palette.font = computed.fontFamily;
	palette.unit = parseFloat(computed.fontSize) / 13;
	for (const style of paletteStyles())
		style.pixels = null;
}

function paletteStyles() {
	const all = [...Object.values(styles), ...sliceStyles, ...Object.values(contextStyles),
		...operationStyles, lockStyle, lossStyle];
	return all.filter((style) => style !== null);
}

/**
 * palettePixels() - get the colours of a style as they are stored in an image
 *
 * Return: { fill, second, ink, edge }, in which ink is black or white, whichever is easier to read
 * on the style.
 */
function palettePixels(style) {
	if (!style.pixels) {
		const [fill, second] = palette.dark ? style.dark : style.light;
		style.pixels = {
			fill: palettePacked(fill),
			second: palettePacked(second),
			css: fill,
			ink: paletteLuminance(fill) > 0.179 ? "#000000" : "#ffffff",
			edge: palettePacked(paletteMix(fill, palette.dark ? "#000000" : "#ffffff", 0.6)),
		};
	}
	return style.pixels;
}

function paletteChannels(colour) {
	const value = parseInt(colour.slice(1), 16);
	return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/*
 * Pack a colour for an image, which stores red first. This assumes a processor that stores the low
 * byte first, as in all machines that run browsers.
 */
function palettePacked(colour) {
	const [red, green, blue] = paletteChannels(colour);
	return ((0xff << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function paletteMix(colour, other, share) {
	const to = paletteChannels(other);
	const mixed = paletteChannels(colour).map((value, i) => Math.round(value + (to[i] - value) * share));
	return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/* Return the relative luminance, as defined by WCAG. */
function paletteLuminance(colour) {
	const [red, green, blue] = paletteChannels(colour).map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
