/* SPDX-License-Identifier: GPL-2.0 */
/* Makes small parts of the page: buttons, tables, and the box at the pointer. */

function pageButton(text, action) {
	const button = document.createElement("button");
	button.type = "button";
	button.textContent = text;
	button.addEventListener("click", action);
	return button;
}

/**
 * pageTable() - make a table with a caption. All columns but the first one are aligned to the right
 */
function pageTable(caption, heads, lines) {
	const table = document.createElement("table");
	table.createCaption().textContent = caption;
	const head = table.createTHead().insertRow();
	for (const text of heads) {
		const cell = document.createElement("th");
		cell.scope = "col";
		cell.textContent = text;
		head.append(cell);
	}
	const body = table.createTBody();
	for (const line of lines) {
		const row = body.insertRow();
		for (const text of line)
			row.insertCell().textContent = text;
	}
	return table;
}

/**
 * tipShow() - describe what is under the pointer in a box, if the data have been read
 */
function tipShow(event) {
	const box = document.getElementById("tip");
	const place = inputLaneAt(event.offsetY);
	const text = place ? tipText(place, viewTime(inputX(event))) : "";
	if (text === "") {
		tipHide();
		return;
	}
	box.textContent = text;
	box.hidden = false;
	const right = event.clientX + 14 + box.offsetWidth > innerWidth;
	const below = event.clientY + 18 + box.offsetHeight > innerHeight;
	box.style.left = `${right ? event.clientX - 10 - box.offsetWidth : event.clientX + 14}px`;
	box.style.top = `${below ? event.clientY - 10 - box.offsetHeight : event.clientY + 18}px`;
}

function tipHide() {
	document.getElementById("tip").hidden = true;
}

function tipText({ row, lane }, time) {
	if (!lane.table || !paint.exact)
		return "";
	const slack = CLICK_SLACK * paint.ratio * viewPixel();
	let best = null;
	for (const { number, table } of chunkParts(lane.table, lane.key, time - slack, time + slack).parts)
		best = spanNearest(best, lane, number, table, time, slack);
	if (!best)
		return "";
	const { ref } = best;
	const name = spanName(ref.tableName, ref.table, ref.key, ref.index);
	const length = ref.tableName === "evt" ? "" : `, ${timeLength(ref.length)}`;
	return `${row.title}: ${name}${length}`;
}
