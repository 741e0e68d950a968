// SPDX-License-Identifier: GPL-2.0
/* Functions that run() executes in the page use global names of the page. */
/* eslint no-undef: off, no-loop-func: off */
/* Tests what clicks, keys, searches and addresses do in the page of lkstla html. */
"use strict";

const { pageOf } = require("./page.js");
const { MS, open, place, run, settled, show, state, styleAt } = require("./session.js");
const { is, matches, ok } = require("./tap.js");
const { knownReport, knownTrace } = require("./traces.js");

/* Row, lane and time in ms of a click, and what the panel then shows. */
const CLICKS = [
	["cpu:0", 0, 6.25, [/interrupt 24 nvme0q1/, /length500\.000 us/]],
	["cpu:0", 2, 3, [/a-101: kernel/, /begin22:52:05\.102000000 \(\+2\.000000 ms\)/, /length2\.000000 ms/]],
	["cpu:0", 2, 5, [/^idle/]],
	["cpu:1", 1, 6.1005, [/softirq TIMER/, /length1\.000 us/, /threadc-103/]],
	["cpu:0", 3, 1, [/process_sigsend/, /signalSIGTERM/, /targetc-103/, /value18446744073709551557/, /threada-101/]],
	["thread:0", 1, 5, [/read\(fd 3 \/var\/log\/messages, 0x7f00, 40\) did not return/, /blocked6\.000000 ms/, /the end is not in the trace/]],
	["thread:2", 1, 7.25, [/futex\(0x0, 0, 0x0\) = -11/, /length500\.000 us/]],
	["thread:1", 0, 4, [/^woken/, /woken bya-101/, /behinda-101/, /woken up1\.000 us before/,
		/Why it took so long/, /3\.5 ms 100 % runnable on CPU 0, held by a-101/]],
	["thread:0", 0, 8, [/in callfutex|in callread/, /letterS/, /lkstla why a-101 --at 22:52:05\.1\d+ -f test\.lkst/]],
	["thread:2", 0, 3, [/blocked in disk/, /letterD/]],
	["device:0", 0, 3, [/disk write/, /in the queue4\.100 us/, /sector81,920/, /size4,096 bytes/, /threada-101/]],
	["marks", 0, 1.01, [/begin of the test/, /CPU0/, /threada-101/]],
];

/* A query, the number of its results, and the sum of their lengths in ms. */
const SEARCHES = [
	["runnable", 1, 3.5],
	["runnable > 3ms", 1, 3.5],
	["runnable > 3.5ms", 0, 0],
	["runnable >= 3.5ms", 1, 3.5],
	["RUNNABLE < 4000us", 1, 3.5],
	["runnable thread:b", 1, 3.5],
	["runnable b-102", 1, 3.5],
	["runnable thread:c", 0, 0],
	["runnable cpu:0", 1, 3.5],
	["runnable cpu:1", 0, 0],
	["blocked", 3, 15],
	["uninterruptible", 1, 6],
	["running >= 4ms", 2, 8],
	["read", 1, 8],
	["call", 2, 8.5],
	["call messages", 1, 8],
	["failed", 1, 0.5],
	["irq", 1, 0.5],
	["softirq cpu:1", 1, 0.001],
	["nvme", 1, 0.5],
	["disk > 4.9ms", 1, 5],
	["event", 1, 0],
	["event:sigsend", 1, 0],
	["text:SIGTERM", 1, 0],
	["text:SIGKILL", 0, 0],
	['"futex" <= 1ms', 1, 0.5],
	["nothing-has-this-name", 0, 0],
	["> 5.5ms", 3, 20],
	["idle", 2, 8],
];

const WRONG_SEARCHES = [
	["runnable > 5xs", /"5xs" is not a length of time \(try 5ms, 300us or 1\.5s\)/],
	["color:red", /"color:" is unknown \(known: name, thread, cpu, event, text\)/],
	["cpu:one", /cpu:one: "one" is not the number of a CPU/],
];

async function testClicks() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	for (const [row, lane, time, texts] of CLICKS) {
		const { x, y } = await run(place, row, lane, time * MS, 0.7);
		await browser.click(x, y);
		await settled();
		const text = await browser.until(() => document.getElementById("detail").innerText.replace(/[\n\t ]+/g, " "));
		const facts = await run(() => [...document.querySelectorAll("#detail h3, #detail dt, #detail pre")].map((element) =>
			element.textContent + (element.tagName === "DT" ? element.nextSibling.textContent : "")).join("\n").replace(/ +/g, " "));
		matches(facts || text, texts, `a click at ${row}, lane ${lane}, ${time} ms shows it`);
	}
	const { x, y } = await run(place, "thread:1", 0, 4 * MS, 0.7);
	await browser.click(x, y);
	await settled();
	is(await run(() => overlay.drawnArcs.map((arc) => [arc.from, arc.to, arc.at, arc.begin])),
		[["thread:0", "thread:1", 2.999 * MS, 3 * MS]], "the selected span has an arc from its waker");
	await run(() => {
		document.querySelector("#detail .buttons button").click();
	});
	is(await run(() => [view.from < 3e6 && view.from > 1e6, viewTo() > 6.5e6 && viewTo() < 9e6]), [true, true], '"Zoom to it" shows the span');
	await run(() => detailStep(1));
	await settled();
	is(await run(() => [detail.ref.begin, detail.ref.end]), [6.5 * MS, 10 * MS], "the next span of the row is selected");
	is(browser.errors, [], "clicks cause no error on the console");
}

/*
 * A shell would interpret characters of these names, so the command in the panel has the number of
 * the thread instead.
 */
async function testNames() {
	const { browser } = state;
	for (const name of ["$(reboot)", "-x", "(sd-pam)", "Web Content", "a;b", "\u00e4"]) {
		const trace = knownTrace();
		trace.meta.threads[0].name = `${name}-101`;
		await show(pageOf(trace));
		await run(() => detailGoTo({ tableName: "thr", key: 0, chunkNumber: 0, index: 0 }));
		matches(await run(() => document.querySelector("#detail pre").textContent), [/^lkstla why 101 --at /], `the command for the thread ${name}-101`);
	}
	is(browser.errors, [], "odd names cause no error on the console");
}

/* In a damaged trace, the window can be so long that a double cannot represent each time in it. */
async function testLongWindow() {
	const { browser } = state;
	const trace = knownTrace();
	trace.meta.length_ns = 4e18;
	await show(pageOf(trace));
	ok(await run(() => {
		viewShow(2e18, 2e18);
		const step = timeStep(viewPixel());
		return view.from + step > view.from && view.from + 2 * step > view.from + step;
	}), "the view of a very long window does not become too short for a ruler");
	await settled();
	ok(await run(() => ruler.ticks.length > 1), "the ruler has marks");
	is(browser.errors, [], "long windows cause no error on the console");
}

async function testSearch() {
	const { browser } = state;
	for (const chunk of [32768, 3]) {
		await show(pageOf(knownTrace(), { chunk }));
		for (const [query, count, sum] of SEARCHES) {
			await run((text) => searchStart(text), query);
			is(await run(() => [search.count, Math.round(search.sum) / 1e6, search.matches.length]), [count, sum, count],
				`search, ${chunk} spans per chunk: ${query}`);
		}
	}
	for (const [query, message] of WRONG_SEARCHES) {
		await run((text) => searchStart(text), query);
		matches(await run(() => document.getElementById("search-status").textContent), [message], `a wrong search: ${query}`);
	}
	await browser.key("/");
	await browser.type("blocked");
	await browser.key("Enter", "\r");
	await settled();
	is(await run(() => document.getElementById("search-status").textContent),
		"3 found, 15.00 ms in total, 5.000 ms on average.", "a search that is typed in shows count and sums");
	matches(await run(() => document.getElementById("search-results").innerText),
		[/a-101\s+1\s+6\.000 ms\s+6\.000 ms/, /22:52:05\.104000\s+6\.000 ms\s+a-101/], "and its results, by name and by length");
	await run(() => document.activeElement.blur());
	await run(() => viewShow(0, 1e6));
	await browser.key("n");
	await settled();
	is(await run(() => [detail.ref.begin, detail.ref.begin >= view.from && detail.ref.begin <= viewTo()]), [0, true], "n goes to a result");
	await browser.key("n");
	await settled();
	is(await run(() => search.current), 1, "and to the next one");
	is(browser.errors, [], "searches cause no error on the console");
}

async function testFindings() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	await run(() => document.querySelector("#findings-list button").click());
	await browser.until(() => detail.ref !== null);
	is(await run(() => [detail.ref.tableName, detail.ref.key, detail.ref.begin, detail.ref.end]), ["thr", 1, 3 * MS, 6.5 * MS],
		"a finding leads to its span");
	is(await run(() => overlay.range), { from: 3 * MS, to: 6.5 * MS }, "and marks its interval");
	is(await run(() => [view.from < 3e6, view.from > 0, viewTo() > 6.5e6, viewTo() < 1e7]), [true, true, true, true], "and shows it");
	await browser.key("Escape");
	await run(() => viewShowAll());
	await settled();
	const flag = await run(() => {
		const box = ruler.canvas.getBoundingClientRect();
		return { x: box.left + ruler.flags[0].left + 5, y: box.top + 5 };
	});
	await browser.click(flag.x, flag.y);
	await browser.until(() => detail.ref !== null);
	is(await run(() => findings.current), 0, "so does a click on its flag");
	await run(() => document.querySelector("#delays-list button").click());
	await settled();
	is(await run(() => [overlay.range.from, overlay.range.to]), [3 * MS, 6.5 * MS], "and an explained delay leads to its interval");
}

async function testPlots() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	await run(() => document.getElementById("tab-plots").click());
	matches(await run(() => document.getElementById("plots").innerText), [/Waits for a CPU/, /waits for a CPU 1, in total 3\.500 ms, p50 3\.500 ms, p99 3\.500 ms, longest 3\.500 ms/, /read 1,000/],
		"distributions are listed by kind");
	is(await run(() => [...document.querySelectorAll("#plots svg")].map((svg) => [svg.querySelectorAll(".bar").length, svg.getAttribute("aria-label")])),
		[[1, "waits for a CPU: 1, in total 3.500 ms, p50 3.500 ms, p99 3.500 ms"],
			[4, "read: 1,000, in total 100.0 ms, p50 1.000 us, p99 90.00 us"]],
		"each has its bars, and a description in words");
	const bars = await run(() => [...document.querySelectorAll("#plots figure:last-of-type svg .bar")].slice(-4).map((bar) =>
		[Number(bar.getAttribute("x")), Number(bar.getAttribute("height"))]));
	ok(bars.every(([x, height], i) => height > 2 && (i === 0 || x > bars[i - 1][0])), "even a single value can be seen, and times grow to the right");
	await run(() => document.querySelector("#plots .jump").click());
	is(await run(() => overlay.range), { from: 3 * MS, to: 6.5 * MS }, "the longest is a way to its place");
	const { x, y } = await run(place, "thread:0", 1, 5 * MS, 0.5);
	await browser.click(x, y);
	await browser.until(() => document.querySelector("#detail svg .mark"));
	matches(await run(() => document.querySelector("#detail figcaption").innerText), [/^read 1,000/], "a span is marked in the distribution of its call");
	is(browser.errors, [], "plots cause no error on the console");
}

async function testReport() {
	const { browser } = state;
	const trace = knownTrace();
	trace.meta.report = knownReport();
	await show(pageOf(trace));
	const text = await run(() => document.getElementById("report").innerText);
	matches(text, [/How the machine died\s+HOW THE MACHINE DIED/, /b-102 waited 3\.5 ms for CPU 0/, /Not looked for, because events are missing: lock-wait/,
		/Where the CPUs were/, /0\s+55\.0 %\s+20\.0 %\s+5\.0 %\s+20\.0 %\s+3\s+0\s+1\s+2\.000 ms/, /Top threads/,
		/b-102\s+1\s+0\s+3\.500 ms\s+3\.500 ms\s+3\.500 ms\s+3\.500 ms\s+3\.500 ms\s+22:52:05\.106500\s+a-101/,
		/cpu-wait\s+3\.500 ms\s+22:52:05\.106500\s+b-102 waited 3\.5 ms/, /Distributions/, /Timeline/], "a report stands above the timeline");
	matches(text, [/History\s+1,234 rare events were left out of the long rings/, /CPUs busy\s+0\.0 %\s+50\.0 %/,
		/the newest 1 of 1,235 notable events/, /22:52:03\.\d+\s+3\s+user_text\s+<b>begin/], "the report has the history");
	is(await run(() => [...document.querySelectorAll("#report .bars span")].map((bar) => [bar.style.height, bar.title])),
		[["0%", "unknown"], ["0%", "0.0 %"], ["3%", "1.0 %"], ["50%", "50.0 %"]], "the bars of the history");
	is(await run(() => document.getElementById("main").getBoundingClientRect().top > innerHeight), true, "which is below the window at first");
	await run(() => [...document.querySelectorAll("#report .jump")].at(-3).click());
	await settled();
	is(await run(() => Math.abs(document.getElementById("main").getBoundingClientRect().top -
		document.querySelector("header").getBoundingClientRect().bottom) < 2), true, "a jump goes to the timeline, below the header");
	is(await run(styleAt, "cpu:0", 2, 4 * MS, 0.5), "", "and the picture is there");
	await run(() => document.querySelector("#report .finding").click());
	await browser.until(() => detail.ref !== null);
	is(await run(() => [detail.ref.key, detail.ref.begin]), [1, 3 * MS], "so does a finding");
	is(await run(() => document.documentElement.scrollWidth <= innerWidth), true, "the report fits the width of the window");
	is(browser.errors, [], "reports cause no error on the console");
}

async function testActive() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	await run(() => viewShow(0.5e6, 2.5e6));
	await settled();
	const threads = () => run(() => rows.shown.filter((row) => row.thread !== undefined).map((row) => row.title));
	await run(() => document.getElementById("active").click());
	await settled();
	is(await threads(), ["a-101"], "only threads that are active in the view are shown");
	await run(() => viewShow(7e6, 9e6));
	await browser.until(() => active.from === view.from);
	is(await threads(), ["c-103", "b-102"], "others, when the view moves");
	await browser.key("v");
	is(await threads(), ["a-101", "c-103", "b-102"], "and all again");
}

async function testMoves() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	const span = () => run(() => [view.from, view.span]);
	const [, whole] = await span();
	await browser.key("+");
	const [, zoomed] = await span();
	ok(Math.abs(zoomed * 1.25 - whole) < 10, "+ zooms in");
	await browser.key("-");
	ok(Math.abs((await span())[1] - whole) < 10, "- zooms out");
	await run(() => viewShow(4e6, 5e6));
	await browser.key("ArrowRight");
	ok((await span())[0] > 4.1e6, "the right arrow moves to later times");
	await browser.key("a");
	ok(Math.abs((await span())[0] - 4e6) < 2e4, "a moves to earlier times");
	const middle = await run(place, "cpu:0", 2, 4.5 * MS, 0.5);
	const before = await run((x) => viewTime(x), 300);
	const box = await run(() => document.getElementById("stage-canvas").getBoundingClientRect().left);
	await browser.wheel(box + 300, middle.y, 0, -100, 2);
	await browser.until(() => view.span < 0.99e6);
	ok(Math.abs((await run((x) => viewTime(x), 300)) - before) < 3e3, "Ctrl and the wheel zoom, and the time at the pointer stays");
	await run(() => viewShow(4e6, 5e6));
	await browser.wheel(box + 300, middle.y, 0, 120, 8);
	await browser.until(() => view.from > 4.05e6);
	ok(true, "Shift and the wheel move through time");
	await run(() => viewShow(4e6, 5e6));
	const pixel = await run(() => viewPixel());
	await browser.drag(box + 300, middle.y, box + 200, middle.y);
	ok(Math.abs((await span())[0] - 4e6 - 100 * pixel) < 2 * pixel, "a drag moves as far as the pointer");
	await browser.drag(box + 100, middle.y, box + 200, middle.y, { modifiers: 8 });
	const range = await run(() => overlay.range.to - overlay.range.from);
	ok(Math.abs(range - 100 * pixel) < 2 * pixel, "with Shift, it marks an interval");
	matches(await run(() => document.getElementById("range").textContent), [/length\d+\.\d+ us/, /user|idle/], "whose length and contents are shown");
	await browser.key("0");
	ok(Math.abs((await span())[1] - whole) < 10, "0 shows the whole window");
	await run(() => viewShow(-1e12, 1e12));
	ok((await span())[1] <= 1.11e7, "the view cannot become much longer than the window");
	await run(() => viewShow(5e6, 5e6));
	is((await span())[1], 200, "nor shorter than 200 ns");
	await browser.key("?");
	is(await run(() => document.getElementById("help").open), true, "? shows the help");
	ok(await run(() => inputKeys.every(({ text }) => document.getElementById("keys").textContent.includes(text))), "the help has all keys");
	await run(() => document.getElementById("help").close());
	await run(() => rows.byId.get("cpu:0"));
	await run(() => document.querySelector('#labels button[data-row="group:threads"]').click());
	await settled();
	is(await run(() => rows.shown.filter((row) => row.id.startsWith("thread:")).length), 0, "a click on a heading folds the group");
	await run(() => document.querySelector('#labels button[data-row="group:threads"]').click());
	await run(() => {
		const filter = document.getElementById("filter");
		filter.value = "c-1";
		filter.dispatchEvent(new Event("input"));
	});
	await settled();
	is(await run(() => rows.shown.filter((row) => !row.heading).map((row) => row.id)), ["thread:2"], "the filter hides other rows");
	is(browser.errors, [], "keys, wheel and pointer cause no error on the console");
}

async function testAddress() {
	const { browser } = state;
	const file = await show(pageOf(knownTrace()));
	await run(async () => {
		viewShow(3e6, 8e6);
		mainSearch("runnable");
		await detailGoTo({ tableName: "thr", key: 1, chunkNumber: 0, index: 3 });
		overlay.range = { from: 4e6, to: 5e6 };
		rowsFold("cpu:1", true);
		rows.order = "name";
		rowsArrange();
		mainToggleArcs();
		themeChoose("dark");
	});
	const hash = await browser.until(() => hashText() === location.hash && location.hash.slice(1));
	await open(file, hash);
	is(await run(() => hashText().slice(1)), hash, "the address leads to the same view");
	is(await run(() => [view.from, viewTo(), search.count, detail.ref.begin, overlay.range, rows.order, overlay.arcs,
		document.documentElement.dataset.theme, rows.folded.has("cpu:1")]),
	[3 * MS, 8 * MS, 1, 3 * MS, { from: 4 * MS, to: 5 * MS }, "name", true, "dark", true],
	"with time, search, selection, interval, order, arcs, theme and folded rows");
	for (const wrong of ["from=x&to=&select=thr:99:99:99&range=1..&fold=&order=none&row=9&theme=pink&q=%3E%3E",
		"from=9&to=1&select=none:1:1:1&select=thr:1:0:77777", "%%%&&&==="]) {
		await open(file, wrong);
		is([await run(() => main.ready), browser.errors], [true, []], `a wrong address is harmless: ${wrong}`);
	}
}

async function testAccess() {
	const { browser } = state;
	await show(pageOf(knownTrace()));
	await browser.send("Accessibility.enable");
	const { nodes } = await browser.send("Accessibility.getFullAXTree");
	const wanted = ["button", "textbox", "searchbox", "combobox", "tab", "application", "toolbar", "tablist", "image"];
	const named = nodes.filter((node) => !node.ignored && node.role && wanted.includes(node.role.value));
	ok(named.length > 20, `controls have roles (${named.length})`);
	is(named.filter((node) => !node.name || !node.name.value).map((node) => node.role.value), [], "all controls have names");
	await run(() => document.getElementById("stage-canvas").focus());
	await browser.key("ArrowDown");
	await browser.until(() => detail.ref !== null);
	await browser.key("ArrowDown");
	await settled();
	matches(await run(() => document.getElementById("live").textContent), [/CPU 1/, /at 22:52:05/], "the arrow keys select spans, which are spoken");
	is(await run(() => fetch("http://127.0.0.1:9/x").then(() => "sent", () => "refused")), "refused", "the page cannot send a request");
	is(await run(() => new Promise((resolve) => {
		const image = new Image();
		image.onerror = () => resolve("refused");
		image.onload = () => resolve("loaded");
		image.src = "http://127.0.0.1:9/x.png";
	})), "refused", "nor load an image");
	await settled();
	is(browser.requests, [], "nothing went to the network");
}

module.exports = { testClicks, testNames, testLongWindow, testSearch, testFindings, testPlots, testReport, testActive, testMoves, testAddress, testAccess };
