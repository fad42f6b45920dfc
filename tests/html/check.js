// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Functions for the tests of pages: results as TAP, the tool's reports, and checks that any page
 * must pass.
 */
const { execFileSync } = require("child_process");
const path = require("path");

/*
 * Before each description: several programs are one job, in which no two results may have one
 * name.
 */
const program = path.basename(process.argv[1], ".js");
let count = 0, failed = 0;

function result(name, good, why) {
	count++;
	if (!good) {
		failed++;
		console.log("# " + (why === undefined ? "failed" :
			JSON.stringify(why)));
	}
	console.log(`${good ? "ok" : "not ok"} ${count} - ${program}: ${name}`);
}

function same(name, found, wanted) {
	result(name, JSON.stringify(found) === JSON.stringify(wanted),
		{ found, wanted });
}

function end() {
	console.log("1.." + count);
	process.exitCode = failed ? 1 : 0;
}

function bail(error) {
	console.log("Bail out! " + error.stack.replaceAll("\n", " "));
	process.exitCode = 1;
}

/* Returns the rows of values and counts that the tool prints in JSON. */
function report(tool, recording, ...options) {
	return execFileSync(tool, ["report", "-j", ...options, recording],
		{ encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n")
		.map((line) => JSON.parse(line))
		.filter((row) => !["verdict", "flaw"].includes(row.type));
}

function text(browser, selector) {
	return browser.eval(`document.querySelector(${JSON.stringify(selector)})
		?.textContent`);
}

/*
 * Finds pairs of overlapping texts, texts that are cut off, and a page that is wider than the
 * window.
 */
const OVERLAPS = `(() => {
	const found = [];
	const walker = document.createTreeWalker(document.getElementById("page"),
		NodeFilter.SHOW_TEXT);
	const boxes = [];
	while (walker.nextNode()) {
		const node = walker.currentNode;
		const parent = node.parentElement;
		if (!node.data.trim() || parent.closest("details:not([open]), select"))
			continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		const clip = parent.closest(".stack button, .scroll");
		for (const r of range.getClientRects()) {
			let { left, right, top, bottom } = r;
			if (clip) {
				const c = clip.getBoundingClientRect();
				left = Math.max(left, c.left);
				right = Math.min(right, c.right);
				top = Math.max(top, c.top);
				bottom = Math.min(bottom, c.bottom);
			}
			if (right - left > 2 && bottom - top > 4)
				boxes.push({ node, left, right, top: top + 2,
					bottom: bottom - 2, text: node.data });
		}
	}
	boxes.sort((a, b) => a.top - b.top);
	boxes.forEach((a, i) => {
		for (const b of boxes.slice(i + 1)) {
			if (b.top >= a.bottom)
				break;
			/* A truncated text has two boxes of its own, which may overlap. */
			if (a.node !== b.node && a.left + 1 < b.right &&
			    b.left + 1 < a.right)
				found.push(a.text + " / " + b.text);
		}
	});
	for (const e of document.querySelectorAll(
		"h1, h2, h3, p, dt, dd, td, th, .scroll, .stack button, .label, .legend, .name, .number"))
		if (e.clientWidth && e.scrollWidth > e.clientWidth + 1 &&
		    (e.textContent || "").trim())
			found.push("cut off: " + e.textContent.slice(0, 40));
	if (document.documentElement.scrollWidth > innerWidth)
		found.push("wider than the page");
	return found;
})()`;

async function quiet(browser, folder, what) {
	same(what + ": the page's script has no error", browser.errors, []);
	same(what + ": the page fetches nothing", browser.requests.filter((url) =>
		!url.startsWith("file://" + folder) && !url.startsWith("data:")), []);
}

async function clear(browser, page) {
	for (const width of [1280, 390])
		for (const dark of [false, true]) {
			await browser.look(width, dark);
			await browser.open(page);
			same(`${path.basename(page)}: texts neither overlap nor are cut off, ${width} pixels, ` +
				(dark ? "dark" : "light"),
			await browser.eval(OVERLAPS), []);
		}
}

module.exports = { result, same, end, bail, report, text, quiet, clear };
