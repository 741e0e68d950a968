/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the light or the dark theme: the one that the system prefers, until the user chooses
 * another one. This runs before the page is shown.
 */

const theme = {
	system: matchMedia("(prefers-color-scheme: dark)"),
	/* "light" or "dark"; null: the theme that the system prefers */
	chosen: null,
	changed: () => {},
};

function themeName() {
	return theme.chosen || (theme.system.matches ? "dark" : "light");
}

function themeApply() {
	document.documentElement.dataset.theme = themeName();
	theme.changed();
}

function themeChoose(name) {
	theme.chosen = name;
	themeApply();
}

function themeToggle() {
	themeChoose(themeName() === "dark" ? "light" : "dark");
}

theme.chosen = { light: "light", dark: "dark" }[new URLSearchParams(location.hash.slice(1)).get("theme")] || null;
theme.system.addEventListener("change", themeApply);
themeApply();
