/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the findings of lkstla report and the explained delays, with buttons that show them in the
 * timeline.
 */

/* The shortest interval that is shown around a finding, in nanoseconds. */
const FINDING_LEAST = 2e6;

const findings = { current: -1 };

function findingsShow() {
	const list = document.getElementById("findings-list");
	list.replaceChildren();
	for (const [index, finding] of trace.findings.entries())
		list.append(findingItem(finding, index));
	if (trace.findings.length === 0)
		document.getElementById("findings-none").hidden = false;
	const delays = document.getElementById("delays-list");
	delays.replaceChildren();
	for (const why of trace.whys)
		delays.append(delayItem(why));
	document.getElementById("delays").hidden = trace.whys.length === 0;
}

function findingItem(finding, index) {
	const item = document.createElement("li");
	item.dataset.finding = String(index);
	const placed = typeof finding.at === "number";
	const title = placed ? pageButton(finding.text, () => findingGoTo(index)) : detailParagraph(finding.text);
	title.classList.add("finding");
	item.append(title);
	const facts = [finding.rule];
	if (placed)
		facts.push(timeClock(finding.at));
	if (finding.count > 1)
		facts.push(`${timeGroups(finding.count)} times`);
	const note = detailParagraph(facts.filter(Boolean).join(", "));
	note.className = "note";
	item.append(note);
	if (finding.more) {
		const more = document.createElement("code");
		more.textContent = finding.more;
		item.append(more);
	}
	return item;
}

function delayItem(why) {
	const item = document.createElement("li");
	const name = why.title || `${traceThreadName(why.thread)}, ${timeLength(why.end - why.begin)}`;
	item.append(pageButton(name, () => delayGoTo(why)));
	return item;
}

/**
 * findingGoTo() - show the place of a finding in the timeline
 */
function findingGoTo(index) {
	const finding = trace.findings[index];
	if (!finding || typeof finding.at !== "number")
		return;
	findings.current = index;
	const begin = typeof finding.begin === "number" ? finding.begin : finding.at;
	overlay.range = { from: begin, to: Math.max(finding.at, begin) };
	const row = rows.byId.get(typeof finding.thread === "number" ? `thread:${finding.thread}` : `cpu:${finding.cpu}`);
	const space = Math.max(0, FINDING_LEAST - (finding.at - begin)) / 2;
	viewShowAround(begin - space, Math.max(finding.at, begin) + space);
	if (row)
		mainRevealRow(row);
	for (const item of document.querySelectorAll("[data-finding]"))
		item.classList.toggle("current", item.dataset.finding === String(index));
	reportToTimeline();
	mainSay(`Finding ${index + 1}: ${finding.text}`);
	findingSelect(row, begin, finding.at);
	mainDraw();
}

/* Select the span that the finding is about: the longest one of the row in its interval. */
async function findingSelect(row, begin, at) {
	if (!row)
		return;
	const jump = ++detail.jump;
	let best = null;
	for (const lane of row.lanes) {
		if (!lane.table || lane.kind === "ticks")
			continue;
		const { inside, next } = directoryOf(lane.table, lane.key, begin, at);
		for (const number of next < 0 ? inside : [...inside, next]) {
			const chunk = await chunkLoad(number).catch(() => null);
			if (!chunk || jump !== detail.jump)
				return;
			best = findingBest(best, lane, number, chunk.tables.get(lane.table), begin, at);
		}
	}
	if (best && jump === detail.jump)
		detailSelect(best.ref);
}

/* Return whichever of two spans begins and ends nearer to the start and the end of the finding. */
function findingBest(best, lane, number, table, begin, at) {
	const row = table.rows.get(lane.key);
	let found = best;
	if (row === undefined)
		return found;
	for (let i = table.starts[row]; i < table.starts[row + 1]; i++) {
		if (table.begin[i] > at || table.end[i] < begin)
			continue;
		const distance = Math.abs(table.begin[i] - begin) + Math.abs(table.end[i] - at);
		if (!found || distance < found.distance)
			found = { distance, ref: new SpanRef(lane.table, lane.key, number, table, i) };
	}
	return found;
}

/**
 * findingStep() - go to the next or the previous finding that has a place in time
 */
function findingStep(step) {
	const n = trace.findings.length;
	for (let i = 1; i <= n; i++) {
		const start = findings.current < 0 && step < 0 ? 0 : findings.current;
		const index = (((start + step * i) % n) + n) % n;
		if (typeof trace.findings[index].at === "number") {
			findingGoTo(index);
			return;
		}
	}
}

function delayGoTo(why) {
	overlay.range = { from: why.begin, to: why.end };
	viewShowAround(why.begin, why.end);
	const row = rows.byId.get(`thread:${why.thread}`);
	if (row) {
		mainRevealRow(row);
		findingSelect(row, why.begin, why.end);
	}
	mainDraw();
}
