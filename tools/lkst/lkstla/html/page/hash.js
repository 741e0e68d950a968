/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the state of the view in the URL, so that a link or a bookmark restores the same view:
 *
 *   #from=NS&to=NS&row=cpu:0&q=QUERY&select=TABLE:KEY:CHUNK:INDEX&range=NS..NS&fold=ID,ID&...
 *
 * Times are nanoseconds since the start of the window. Members with their default value are left
 * out, and unknown or wrong ones are ignored.
 */

/*
 * Minimum time between two changes of the URL, in milliseconds. Browsers allow about three changes
 * per second.
 */
const HASH_DELAY = 400;

const hash = { timer: 0, last: "" };

/**
 * hashWrite() - put the state into the URL soon
 */
function hashWrite() {
	if (hash.timer)
		return;
	hash.timer = setTimeout(() => {
		hash.timer = 0;
		const text = hashText();
		if (text !== hash.last) {
			hash.last = text;
			history.replaceState(null, "", text);
		}
	}, HASH_DELAY);
}

function hashText() {
	const words = new URLSearchParams();
	words.set("from", String(Math.round(view.from)));
	words.set("to", String(Math.round(viewTo())));
	const first = rows.shown[rowsAt(paint.scroll)];
	if (first && paint.scroll > 0)
		words.set("row", first.id);
	if (search.text)
		words.set("q", search.text);
	if (detail.ref)
		words.set("select", [detail.ref.tableName, detail.ref.key, detail.ref.chunkNumber, detail.ref.index].join(":"));
	if (overlay.range)
		words.set("range", `${Math.round(overlay.range.from)}..${Math.round(overlay.range.to)}`);
	if (rows.folded.size > 0)
		words.set("fold", [...rows.folded].join(","));
	if (rows.filter)
		words.set("filter", rows.filter);
	if (rows.order !== "busy")
		words.set("order", rows.order);
	if (overlay.arcs)
		words.set("arcs", "1");
	if (rows.active)
		words.set("active", "1");
	if (theme.chosen)
		words.set("theme", theme.chosen);
	return `#${words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`;
}

/**
 * hashRead() - restore the state from the URL
 */
function hashRead() {
	const words = new URLSearchParams(location.hash.slice(1));
	hash.last = location.hash;
	hashReadRows(words);
	hashReadView(words);
	overlay.arcs = words.get("arcs") === "1";
	activeChoose(words.get("active") === "1");
	const row = rows.shown.find((candidate) => candidate.id === words.get("row"));
	if (row)
		mainScrollTo(row.top);
	if (words.get("q"))
		mainSearch(words.get("q"));
	const selected = /^([a-z]+):(\d+):(\d+):(\d+)$/.exec(words.get("select") || "");
	if (selected)
		hashSelect(selected[1], ...selected.slice(2).map(Number));
}

function hashReadRows(words) {
	if (words.has("fold"))
		rows.folded = new Set(words.get("fold").split(",").filter((id) => id !== ""));
	rows.filter = words.get("filter") || "";
	rows.order = Object.hasOwn(rowOrders, words.get("order")) ? words.get("order") : "busy";
	rowsArrange();
}

function hashReadView(words) {
	const from = hashNumber(words.get("from"));
	const to = hashNumber(words.get("to"));
	if (to > from)
		viewShow(from, to);
	else
		viewShowAll();
	const range = (words.get("range") || "").split("..").map(hashNumber);
	if (range.length === 2 && range[1] >= range[0])
		overlay.range = { from: range[0], to: range[1] };
}

function hashNumber(text) {
	return /^-?\d{1,16}$/.test(text || "") ? Number(text) : NaN;
}

async function hashSelect(tableName, key, chunkNumber, index) {
	if (!directory.tables.has(tableName) || chunkNumber >= directory.chunks)
		return;
	const chunk = await chunkLoad(chunkNumber).catch(() => null);
	const table = chunk && chunk.tables.get(tableName);
	const row = table && table.rows.get(key);
	if (row !== undefined && row !== null && index >= table.starts[row] && index < table.starts[row + 1])
		detailSelect(new SpanRef(tableName, key, chunkNumber, table, index));
}
