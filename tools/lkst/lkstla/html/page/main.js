/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Starts the page, and connects its parts. A part that changes what the page shows calls
 * mainDraw(), which draws the page again.
 */

const main = {
	ready: false,
	/* The animation frame that will draw the next picture; 0: none */
	frame: 0,
	/* Whether the list of rows or its scale has changed */
	rowsChanged: true,
	/* For tests: the time of the last picture, in milliseconds. */
	drawTime: 0,
};

function mainElement(id) {
	return document.getElementById(id);
}

async function mainStart() {
	try {
		if (!("DecompressionStream" in window))
			throw new DataError("this browser cannot inflate the data (it needs Chromium 80, Firefox 113, Safari 16.4 or later)");
		traceSetup(await blockJson("meta"));
		levelsSetup(trace.levels);
		await Promise.all([directorySetup(trace.tables), levels.length > 0 ? levelLoad(levels[0]) : null]);
		mainSetup();
	} catch (error) {
		mainFail(error);
	}
}

/* Show why the page does not work. Without the metadata, the page can show nothing else. */
function mainFail(error) {
	const box = mainElement("failure");
	mainElement("loading").hidden = true;
	mainElement("main").hidden = true;
	box.querySelector("pre").textContent = error instanceof DataError ? error.message : String(error);
	box.hidden = false;
	if (!(error instanceof DataError))
		throw error;
}

function mainSetup() {
	view.length = trace.length;
	for (const [part, id] of [[paint, "lanes"], [overlay, "overlay"], [ruler, "ruler"], [overview, "overview"]]) {
		part.canvas = mainElement(id);
		/* An opaque canvas is faster to display. */
		part.context = part.canvas.getContext("2d", { alpha: part !== paint });
	}
	mainElement("loading").hidden = true;
	mainElement("main").hidden = false;
	paletteSetup();
	view.changed = mainViewChanged;
	rows.changed = () => {
		main.rowsChanged = true;
		paintForget();
		mainDraw();
	};
	chunks.changed = () => paint.waiting && mainDraw();
	damage.changed = mainDamage;
	theme.changed = mainThemeChanged;
	rowsSetup();
	mainTexts();
	inputSetup();
	mainSetupControls();
	mainResize();
	new ResizeObserver(mainResize).observe(mainElement("timeline"));
	findingsShow();
	legendShow();
	detailShow();
	plotsShow(mainElement("plots"));
	mainElement("tab-plots").hidden = trace.plots.length === 0;
	reportShow();
	hashRead();
	addEventListener("hashchange", () => location.hash !== hash.last && hashRead());
	mainTab(search.text ? "search" : detail.ref || trace.findings.length === 0 ? "detail" : "findings");
	main.ready = true;
	mainDraw();
}

function mainTexts() {
	mainElement("file").textContent = trace.file || "";
	const [first, ...more] = trace.window_text;
	mainElement("window").textContent = first || "";
	mainElement("window").title = trace.window_text.join("\n");
	const notes = [...more, ...traceLeftOut()];
	mainElement("notes").replaceChildren(...notes.map(detailParagraph));
	mainElement("notes-box").hidden = notes.length === 0;
	mainElement("date").textContent = timeDate(0);
	mainElement("made").textContent = [trace.program, trace.host, trace.kernel, trace.machine].filter(Boolean).join(", ");
	/* Use the sum in the header, because the page may contain only a part of the losses. */
	const { lost = 0, lacks_end: lacksEnd = false } = trace.window || {};
	const missing = [lost > 0 && `${timeGroups(lost)} records lost`, lacksEnd && "the last records may be missing"].filter(Boolean);
	mainElement("lost").hidden = missing.length === 0;
	mainElement("lost").textContent = missing.join(", ");
	mainElement("findings-count").textContent = trace.findings.length > 0 ? ` (${trace.findings.length})` : "";
}

function mainSetupControls() {
	const actions = {
		"zoom-in": () => viewZoom(1 / ZOOM_STEP ** 2),
		"zoom-out": () => viewZoom(ZOOM_STEP ** 2),
		"zoom-all": viewShowAll,
		"arcs": mainToggleArcs,
		"theme": themeToggle,
		"panel-toggle": mainTogglePanel,
		"help-open": mainHelp,
		"help-close": () => mainElement("help").close(),
		"search-previous": () => searchStep(-1),
		"search-next": () => searchStep(1),
	};
	for (const [id, action] of Object.entries(actions))
		mainElement(id).addEventListener("click", action);
	mainElement("scroll").addEventListener("scroll", mainDraw);
	mainElement("search").addEventListener("submit", (event) => {
		event.preventDefault();
		mainSearch(mainElement("query").value);
	});
	mainElement("filter").addEventListener("input", () => {
		rows.filter = mainElement("filter").value;
		rowsArrange();
	});
	mainElement("active").addEventListener("change", () => activeChoose(mainElement("active").checked));
	mainElement("order").addEventListener("change", () => {
		rows.order = mainElement("order").value;
		rowsArrange();
	});
	for (const tab of document.querySelectorAll("[role=tab]")) {
		tab.addEventListener("click", () => mainTab(tab.dataset.panel));
		tab.addEventListener("keydown", mainTabKey);
	}
	mainHelpKeys();
}

/* --- size and pictures */

function mainHeight() {
	return mainElement("scroll").clientHeight;
}

function mainResize() {
	const ratio = devicePixelRatio || 1;
	const stage = mainElement("stage-canvas");
	const scroll = mainElement("scroll");
	paletteSetup();
	labelsForget();
	mainElement("timeline").style.setProperty("--scrollbar", `${scroll.offsetWidth - scroll.clientWidth}px`);
	mainElement("stage").style.height = `${scroll.clientHeight}px`;
	const width = Math.max(1, Math.floor(stage.clientWidth * ratio));
	const height = Math.max(1, Math.floor(scroll.clientHeight * ratio));
	for (const [part, partHeight] of [[overlay, height], [ruler, mainElement("ruler").clientHeight * ratio],
		[overview, mainElement("overview").clientHeight * ratio]]) {
		part.canvas.width = width;
		part.canvas.height = Math.max(1, Math.floor(partHeight));
	}
	paintResize(width, height, ratio);
	view.width = width;
	rowsArrange();
}

function mainViewChanged() {
	hashWrite();
	activeSoon();
	mainDraw();
}

function mainThemeChanged() {
	paletteSetup();
	paintForget();
	legendShow();
	hashWrite();
	mainDraw();
}

/**
 * mainDraw() - draw a picture soon
 */
function mainDraw() {
	if (!main.frame && view.width > 1)
		main.frame = requestAnimationFrame(mainPicture);
}

function mainPicture() {
	const begin = performance.now();
	main.frame = 0;
	const scroll = mainElement("scroll");
	if (main.rowsChanged) {
		mainElement("spacer").style.height = `${rows.height}px`;
		mainElement("filter").value = rows.filter;
		mainElement("order").value = rows.order;
		mainElement("active").checked = rows.active !== null;
	}
	paintRows(scroll.scrollTop);
	rowLabelsDraw(main.rowsChanged);
	overlayDraw();
	rulerDraw();
	overviewDraw();
	main.rowsChanged = false;
	mainElement("reading").textContent = mainPictureNote();
	mainElement("reading").hidden = mainElement("reading").textContent === "";
	hashWrite();
	main.drawTime = performance.now() - begin;
	if (main.ready && !performance.getEntriesByName("lkst-first-picture").length)
		performance.mark("lkst-first-picture");
}

/* Say what the picture does not show, and how to see it. */
function mainPictureNote() {
	if (paint.waiting)
		return "reading ...";
	if (!paint.exact)
		return "zoom in for single spans, events and arcs";
	return "";
}

function mainLevelWant(level) {
	levelLoad(level).then(mainDraw, (error) => damageNote(`level-${level.index}`, error));
}

/* Show a banner that says which data cannot be read. The rest of the page works. */
function mainDamage() {
	const banner = mainElement("banner");
	const [first] = damage.found.values();
	const more = damage.found.size > 1 ? ` (and ${damage.found.size - 1} more)` : "";
	banner.textContent = `Part of this page is damaged: ${first.message}${more}. Details are missing there.`;
	banner.hidden = false;
}

/* --- rows */

/**
 * mainRevealRow() - scroll so that a row can be seen
 */
function mainRevealRow(row) {
	rowsUnfold(row);
	const height = mainHeight();
	mainElement("spacer").style.height = `${rows.height}px`;
	if (row.top < paint.scroll || row.top + row.height > paint.scroll + height)
		mainScrollTo(row.top - height / 3);
	input.row = row.id;
	mainDraw();
}

function mainScrollTo(top) {
	mainElement("spacer").style.height = `${rows.height}px`;
	mainElement("scroll").scrollTop = top;
	mainDraw();
}

/* --- controls */

/**
 * mainTab() - show a part of the panel
 * @name: "detail", "search", "findings" or "legend"
 */
function mainTab(name) {
	for (const tab of document.querySelectorAll("[role=tab]")) {
		const selected = tab.dataset.panel === name;
		tab.setAttribute("aria-selected", String(selected));
		tab.tabIndex = selected ? 0 : -1;
		mainElement(`panel-${tab.dataset.panel}`).hidden = !selected;
	}
}

function mainTabKey(event) {
	const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
	if (!step)
		return;
	const tabs = [...document.querySelectorAll("[role=tab]")];
	const next = tabs[(tabs.indexOf(event.currentTarget) + step + tabs.length) % tabs.length];
	mainTab(next.dataset.panel);
	next.focus();
}

function mainSearch(text) {
	mainElement("query").value = text;
	if (text.trim() !== "") {
		mainTab("search");
		reportToTimeline();
	}
	searchStart(text);
}

function mainFocusSearch() {
	mainElement("query").focus();
	mainElement("query").select();
}

function mainToggleArcs() {
	overlay.arcs = !overlay.arcs;
	mainElement("arcs").setAttribute("aria-pressed", String(overlay.arcs));
	mainSay(overlay.arcs ? "Arcs of all wake-ups" : "Arcs of the selected span");
	mainDraw();
}

function mainTogglePanel() {
	const panel = mainElement("panel");
	panel.hidden = !panel.hidden;
	mainElement("panel-toggle").setAttribute("aria-expanded", String(!panel.hidden));
}

function mainEscape() {
	overlay.range = null;
	rangeShow();
	mainSearch("");
	detailSelect(null);
}

function mainHelp() {
	mainElement("help").showModal();
}

function mainHelpKeys() {
	const list = mainElement("keys");
	for (const { keys, text } of inputKeys) {
		const term = document.createElement("dt");
		for (const key of keys) {
			const element = document.createElement("kbd");
			element.textContent = inputKeyNames[key] || key;
			term.append(element, " ");
		}
		const description = document.createElement("dd");
		description.textContent = text;
		list.append(term, description);
	}
}

/* Announce something to users who cannot see the canvas. */
function mainSay(text) {
	mainElement("live").textContent = text;
}

mainStart();
