/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows the report of lkstla report --html above the timeline: findings, what the CPUs did,
 * threads, the worst delays of each kind, and distributions.
 */

/* Maximum number of rows in the table of threads */
const REPORT_THREADS = 12;

/**
 * reportShow() - show the report above the timeline, if the page has one
 */
function reportShow() {
	const box = document.getElementById("report");
	const { report } = trace;
	box.hidden = !report;
	if (!report)
		return;
	document.documentElement.classList.add("with-report");
	const tables = report.tables || {};
	box.replaceChildren();
	if (report.death)
		reportSection(box, "How the machine died", reportText(report.death));
	if (report.history)
		reportSection(box, "History", reportHistory(report.history), ...reportNotable(report.history));
	reportSection(box, "Findings", ...reportFindings(report, tables.not_looked_for || []));
	reportSection(box, "Where the CPUs were", reportCpus(tables.cpus || []));
	reportSection(box, "Top threads", reportThreads(tables.sched || []));
	reportSection(box, "Worst of each kind", reportWorst(tables.worst || []));
	if (trace.plots.length > 0) {
		const plots = document.createElement("div");
		plotsShow(plots);
		reportSection(box, "Distributions", plots);
	}
	reportSection(box, "Timeline");
}

/* Return whether the screen shows the report rather than the timeline below it. */
function reportIsAbove() {
	return Boolean(trace.report) && document.getElementById("main").getBoundingClientRect().top > innerHeight / 2;
}

/* Scroll to the timeline, if the screen shows the report above it. */
function reportToTimeline() {
	if (trace.report)
		document.getElementById("main").scrollIntoView();
}

function reportSection(box, title, ...contents) {
	const heading = document.createElement("h2");
	heading.textContent = title;
	box.append(heading, ...contents);
}

function reportText(text) {
	const element = document.createElement("pre");
	element.textContent = text;
	return element;
}

/* Show a row of bars for each figure of the long rings. A bar is an equal part of the time. */
function reportHistory({ rows: figures, left_out: leftOut }) {
	const table = pageTable("", ["", "", "least", "greatest"], []);
	table.classList.add("history");
	for (const { name, unit, full, min, max, values } of figures) {
		const row = table.tBodies[0].insertRow();
		const bars = document.createElement("div");
		bars.className = "bars";
		for (const value of values) {
			const bar = document.createElement("span");
			bar.style.height = `${value > 0 && full > 0 ? Math.min(100, Math.max(3, value / full * 100)) : 0}%`;
			bar.title = value < 0 ? "unknown" : `${value.toFixed(1)} ${unit}`;
			bars.append(bar);
		}
		row.insertCell().textContent = name;
		row.insertCell().append(bars);
		row.insertCell().textContent = `${min.toFixed(1)} ${unit}`;
		row.insertCell().textContent = `${max.toFixed(1)} ${unit}`;
	}
	if (leftOut > 0)
		table.createCaption().textContent = `${timeGroups(leftOut)} rare events were left out of the long rings`;
	return table;
}

/* List the newest notable events of the long rings. */
function reportNotable({ events, events_total: total }) {
	if (events.length === 0)
		return [];
	const table = pageTable("", ["at", "CPU", "event", "text"],
		events.map(({ time_ns: at, cpu, event_name: name, text }) => [timeClock(at), String(cpu), name || "event", text || ""]));
	table.classList.add("texts");
	if (total > events.length)
		table.createCaption().textContent = `the newest ${events.length} of ${timeGroups(total)} notable events`;
	return [table];
}

function reportFindings(report, missing) {
	const parts = [];
	if (trace.findings.length === 0) {
		parts.push(detailParagraph(report.none || "Nothing was found that exceeds a threshold."));
	} else {
		const list = document.createElement("ol");
		list.className = "findings";
		list.append(...trace.findings.map((finding, index) => findingItem(finding, index)));
		parts.push(list);
	}
	const names = missing.map((entry) => (typeof entry === "string" ? entry : entry.finding)).filter(Boolean);
	if (names.length > 0)
		parts.push(detailParagraph(`Not looked for, because events are missing: ${names.join(", ")}.`));
	return parts;
}

const reportModes = [["user", "user"], ["kernel", "kernel"], ["thread", "running"], ["softirq", "softirq"], ["irq", "hardirq"],
	["idle", null], ["unknown", "unknown"]];

function reportCpus(cpus) {
	const percent = (value) => (value > 0 ? `${(value * 100).toFixed(1)} %` : "");
	const used = reportModes.filter(([name]) => cpus.some((cpu) => cpu[name] > 0));
	const table = pageTable("", ["CPU", ...used.map(([name]) => name), "switches", "migrations", "wake-ups", "idle while others waited", ""],
		cpus.map((cpu) => [String(cpu.cpu), ...used.map(([name]) => percent(cpu[name])), timeGroups(cpu.switches),
			timeGroups(cpu.migrations), timeGroups(cpu.wakeups), timeLength(cpu.idle_while_queued_ns)]));
	for (const [index, row] of [...table.tBodies[0].rows].entries())
		row.insertCell().append(reportBar(cpus[index]));
	return table;
}

/* Show the shares of a CPU as a bar. The numbers are next to it. */
function reportBar(cpu) {
	const bar = document.createElement("div");
	bar.className = "shares";
	for (const [name, style] of reportModes) {
		const part = document.createElement("span");
		part.style.width = `${Math.max(0, cpu[name] || 0) * 100}%`;
		part.title = name;
		if (style)
			part.className = `share-${style}`;
		bar.append(part);
	}
	return bar;
}

function reportThreads(sched) {
	const busiest = [...sched].sort((a, b) => b.run_ns - a.run_ns).slice(0, REPORT_THREADS);
	const table = pageTable("", ["thread", "runs", "preempted", "run", "wait", "p50", "p99", "max", "at", "behind"],
		busiest.map((row) => [row.thread, timeGroups(row.runs), timeGroups(row.preempted), timeLength(row.run_ns), timeLength(row.wait_ns),
			...["p50_ns", "p99_ns", "max_ns"].map((name) => (typeof row[name] === "number" ? timeLength(row[name]) : ""))]));
	for (const [index, row] of [...table.tBodies[0].rows].entries()) {
		const { at_ns: at, max_ns: longest, thread, behind } = busiest[index];
		row.insertCell().append(...(typeof at === "number" ? [reportJump(at, longest, thread)] : []));
		row.insertCell().textContent = behind || "";
	}
	return table;
}

function reportWorst(worst) {
	const table = pageTable("", ["kind", "length", "at", "what"], []);
	table.classList.add("texts");
	for (const { finding, worst_ns: length, at_ns: at, text } of worst) {
		const row = table.tBodies[0].insertRow();
		row.insertCell().textContent = finding;
		row.insertCell().textContent = timeLength(length);
		row.insertCell().append(...(typeof at === "number" ? [reportJump(at, length, null)] : []));
		row.insertCell().textContent = text;
	}
	return table;
}

/*
 * Make a button that shows an interval, given by its end and length, and the row of a thread, given
 * by its name.
 */
function reportJump(at, length, threadName) {
	const button = pageButton(timeClock(at), () => {
		overlay.range = { from: Math.max(0, at - length), to: at };
		rangeShow();
		viewShowAround(overlay.range.from, at);
		const thread = trace.threads.findIndex((entry) => entry.name === threadName);
		const row = rows.byId.get(`thread:${thread}`);
		if (row)
			mainRevealRow(row);
		reportToTimeline();
		mainDraw();
	});
	button.className = "jump";
	return button;
}
