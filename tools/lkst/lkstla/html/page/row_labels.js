/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows the names of the rows next to their lanes. The names are buttons, so that users can read
 * and use them without seeing the canvas.
 */

const rowLabels = {
	/* Buttons, which are reused while the rows scroll */
	buttons: [],
};

/**
 * rowLabelsDraw() - show the names of the rows on the screen
 * @changed: the rows have changed, not just their positions
 */
function rowLabelsDraw(changed) {
	const box = document.getElementById("labels");
	let used = 0;
	paintVisible((row, top) => {
		const button = rowLabels.buttons[used] || rowLabelMake(box);
		used++;
		button.hidden = false;
		button.style.top = `${top}px`;
		button.style.height = `${row.height}px`;
		if (button.dataset.row === row.id && !changed)
			return;
		rowLabelFill(button, row);
	});
	for (const button of rowLabels.buttons.slice(used))
		button.hidden = true;
}

function rowLabelMake(box) {
	const button = document.createElement("button");
	button.type = "button";
	const name = document.createElement("span");
	const note = document.createElement("span");
	name.className = "name";
	note.className = "note";
	button.append(name, note);
	button.addEventListener("click", () => {
		const { row } = button.dataset;
		rowsFold(row, !rows.folded.has(row));
	});
	box.append(button);
	rowLabels.buttons.push(button);
	return button;
}

function rowLabelFill(button, row) {
	const note = row.heading ?
		(row.shown === row.count ? timeGroups(row.count) : `${timeGroups(row.shown)} of ${timeGroups(row.count)}`) : row.note;
	button.dataset.row = row.id;
	button.className = row.heading ? "row heading" : "row";
	button.replaceChildren(...[...button.children].slice(0, 2));
	const [nameBox, noteBox] = button.children;
	nameBox.textContent = row.title;
	noteBox.textContent = note || "";
	rowLabelPlace(button, row);
	button.title = note ? `${row.title}: ${note}` : row.title;
	button.disabled = !row.heading && !row.foldable;
	if (button.disabled)
		button.removeAttribute("aria-expanded");
	else
		button.setAttribute("aria-expanded", String(!rows.folded.has(row.id)));
}

/*
 * Place the name next to the main lane. Smaller lanes have separate names, if there is enough
 * space.
 */
function rowLabelPlace(button, row) {
	const beside = row.heading ? { top: 0, height: row.height } : row.lanes.find((lane) => !lane.minor);
	for (const box of [...button.children].slice(0, 2)) {
		box.style.top = `${beside.top}px`;
		box.style.lineHeight = `${beside.height}px`;
	}
	button.style.setProperty("--name-top", `${beside.top + beside.height / 2 - 0.7 * 13 * palette.unit}px`);
	for (const lane of row.lanes) {
		if (lane.hidden || !lane.minor || !lane.title)
			continue;
		const box = document.createElement("i");
		box.textContent = lane.title;
		box.style.top = `${lane.top + lane.height / 2}px`;
		button.append(box);
	}
}
