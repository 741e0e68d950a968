// SPDX-License-Identifier: GPL-2.0
/*
 * usage: template.js PAGE SCRIPT
 *
 * Writes the page without data to PAGE, and its scripts alone to SCRIPT, for linters.
 */
"use strict";

const fs = require("node:fs");

const { template } = require("./page.js");

const [page, script] = process.argv.slice(2);
const text = template();
const scripts = [...text.matchAll(/<script>\n([^]*?)<\/script>/g)].map((match) => match[1]);
fs.writeFileSync(page, text);
fs.writeFileSync(script, `"use strict";\n${scripts.join("").replace('"use strict";\n', "")}`);
