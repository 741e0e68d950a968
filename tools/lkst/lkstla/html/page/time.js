/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Converts times and durations to text. Inside the page, a time is the number of nanoseconds since
 * the start of the window, which a double represents exactly for 104 days. Clock times need the
 * nanoseconds since the epoch, which are a BigInt.
 */

const NS_PER_S = 1e9;

const timeUnits = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, min: 60e9, h: 3600e9 };

/* Time 0 as nanoseconds since the epoch, and the time zone of the machine that made the page */
const timeOrigin = { epoch: 0n, zone: 0 };

/**
 * timeLength() - format a duration in a suitable unit: "312 us", "1.234 ms", "27.03 s"
 */
function timeLength(ns) {
	const size = Math.abs(ns);
	if (size < 1e3)
		return `${Math.round(ns)} ns`;
	const [unit, each] = size < 999.95e3 ? ["us", 1e3] : size < 999.95e6 ? ["ms", 1e6] : ["s", 1e9];
	const value = ns / each;
	const digits = Math.abs(value) < 9.9995 ? 3 : Math.abs(value) < 99.995 ? 2 : 1;
	return `${timeGroups(value.toFixed(digits))} ${unit}`;
}

/**
 * timeShort() - format a duration in few letters: "3.1 ms", "27 s"
 */
function timeShort(ns) {
	const [unit, each] = ns < 999.5 ? ["ns", 1] : ns < 999.5e3 ? ["us", 1e3] : ns < 999.5e6 ? ["ms", 1e6] : ["s", 1e9];
	return `${timeGroups((ns / each).toFixed(ns / each < 9.95 && each > 1 ? 1 : 0))} ${unit}`;
}

/**
 * timeExact() - format a duration with all nanoseconds: "1.234567 ms"
 */
function timeExact(ns) {
	const size = Math.abs(ns);
	if (size < 1e3)
		return `${ns} ns`;
	if (size < 1e6)
		return `${(ns / 1e3).toFixed(3)} us`;
	if (size < 1e9)
		return `${(ns / 1e6).toFixed(6)} ms`;
	return `${timeGroups((ns / 1e9).toFixed(9))} s`;
}

/**
 * timeGroups() - format a number with commas between thousands, as the commands do
 */
function timeGroups(text) {
	const [whole, fraction] = String(text).split(".");
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
	return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * timeClock() - format a time in the window as a time of day, with @digits digits after the seconds
 *
 * Further digits are cut off, not rounded, as in the output of the commands.
 */
function timeClock(ns, digits = 6) {
	const local = timeOrigin.epoch + BigInt(Math.floor(ns)) + BigInt(timeOrigin.zone) * 1000000000n;
	const day = 86400n * 1000000000n;
	const inDay = Number(((local % day) + day) % day);
	const two = (value) => String(Math.floor(value)).padStart(2, "0");
	const seconds = Math.floor(inDay / NS_PER_S);
	const text = `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
	if (digits <= 0)
		return text;
	return `${text}.${String(inDay % NS_PER_S).padStart(9, "0").slice(0, digits)}`;
}

/**
 * timeDate() - format the day of a time in the window, as in 2026-11-26
 */
function timeDate(ns) {
	const local = timeOrigin.epoch + BigInt(Math.floor(ns)) + BigInt(timeOrigin.zone) * 1000000000n;
	const date = new Date(Number(local / 1000000n));
	return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}

/**
 * timeOffset() - format a time relative to the start of the window: "+1.234 s"
 */
function timeOffset(ns) {
	return `${ns < 0 ? "-" : "+"}${timeExact(Math.abs(Math.round(ns)))}`;
}

/**
 * timeParseLength() - parse a duration such as 5ms, 1.5s or 300 (nanoseconds)
 *
 * Return: nanoseconds; NaN if the text is not a duration.
 */
function timeParseLength(text) {
	const match = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)$/i.exec(text.trim());
	if (!match)
		return NaN;
	const unit = match[2] === "" ? 1 : timeUnits[match[2].toLowerCase()];
	return unit === undefined ? NaN : Number(match[1]) * unit;
}

/* Distances between marks of a ruler that are longer than 50 seconds, in seconds. */
const timeLongSteps = [60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400];

/**
 * timeStep() - choose the distance of the marks of a ruler: 1, 2 or 5 times a power of ten, or
 * minutes
 * @least: minimum distance, in nanoseconds
 */
function timeStep(least) {
	if (least > 50 * NS_PER_S)
		return (timeLongSteps.find((step) => step * NS_PER_S >= least) || timeLongSteps.at(-1)) * NS_PER_S;
	const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	for (const factor of [1, 2, 5])
		if (power * factor >= least)
			return power * factor;
	return power * 10;
}

/**
 * timeFirstMark() - find the first mark of a ruler at @from or later
 *
 * The marks are at multiples of @step in the time of day.
 */
function timeFirstMark(from, step) {
	const local = timeOrigin.epoch + BigInt(timeOrigin.zone) * 1000000000n;
	const shift = Number(local % BigInt(step));
	return Math.ceil((from + shift) / step) * step - shift;
}

/**
 * timeDigits() - return how many digits after the seconds are needed to distinguish times at this
 * distance
 */
function timeDigits(step) {
	return Math.min(9, Math.max(0, 9 - Math.floor(Math.log10(step) + 1e-9)));
}
