// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node numbers.js BAREPMU RECORDING...
 *
 * A reader of a page sees the numbers that the tool prints. Writes a page beside each recording and
 * opens it in a browser; no text may overlap another. Prints TAP.
 */
const { execFileSync } = require("child_process");
const path = require("path");
const { Browser } = require("./browser.js");
const check = require("./check.js");

const { result, same } = check;
const [tool, ...recordings] = process.argv.slice(2).map((p) =>
	path.resolve(p));

/* Largest rounding error of numbers that are printed with six decimals. */
function slack(value) {
	return 0.000001 * Math.max(1, Math.abs(value));
}

/* Returns whether "12.3 %", "0.01234" or "1,234,567" is the value, with at least so many digits. */
function isNumber(shown, value, digits, most) {
	if (value == null)
		return shown === "no value";
	const found = parseFloat(shown.replaceAll(",", ""));
	if (shown.endsWith(" %"))
		return Math.abs(found - 100 * value) <= 0.05 + 100 * slack(value);
	const last = 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - digits);
	return Math.abs(found - value) <=
		0.5 * Math.min(most, last) + slack(value);
}

/* isNumber() for texts with " ± 0.4" behind the number; half is null if the interval is unknown. */
function isShown(shown, value, half) {
	const [number, more] = shown.split(" ± ");

	if (!isNumber(number, value, 5, 1))
		return false;
	/* Metrics of rows are printed without an interval. */
	if (half === undefined)
		return true;
	if (value == null || half == null)
		return more === undefined || more === "?";
	if (more === undefined)
		return half <= 0.000001;
	return isNumber(number.endsWith("%") ? more + " %" : more, half, 3,
		Infinity);
}

function rowsOf(browser, key) {
	return browser.eval(`[...document.querySelectorAll("#${key}-tree .row")]
		.map((r) => ({ name: r.dataset.node,
			shown: r.querySelector(".number").textContent,
			flagged: r.classList.contains("flag") }))`);
}

/* Returns the cells of a table, with its headings. */
async function tableOf(browser, selector) {
	const element = `document.querySelector(${JSON.stringify(selector)})`;

	if (await browser.eval(`${element}.matches("details")`))
		await browser.unfold(selector);
	return browser.eval(`[...${element}.querySelectorAll("tr")].map((r) =>
		[...r.cells].map((c) => c.textContent))`);
}

/* Compares the names, values and flags of the rows with those of "report". */
function compare(name, rows, printed) {
	const wanted = new Map(printed.map((p) => [p.metric, p]));

	same(name + ": the page has the metrics of report", rows.map((r) => r.name),
		[...wanted.keys()]);
	same(name + ": the page has the values of report", rows.filter((r) =>
		!wanted.has(r.name) || !isShown(r.shown,
			wanted.get(r.name).value,
			wanted.get(r.name).uncertainty))
		.map((r) => [r, wanted.get(r.name)]), []);
	same(name + ": the page has the flags of report",
		rows.filter((r) => r.flagged).map((r) => r.name),
		printed.filter((p) => p.flagged).map((p) => p.metric));
}

/* Compares a table that has a row for each CPU or core and a column for each metric. */
function compareRows(name, [head, ...rows], printed) {
	const wrong = [];

	for (const row of rows)
		head.slice(1).forEach((metric, i) => {
			const p = printed.find((q) => q.metric === metric &&
				row[0].replace("CPU ", "") === String(q.cpus));
			if (p && !isShown(row[i + 1], p.value, p.uncertainty))
				wrong.push([row[0], metric, row[i + 1], p]);
		});
	const cpus = printed.filter((p) => head.includes(p.metric))
		.map((p) => p.cpus);
	result(name + ": the table has a row for each", rows.length === new Set(cpus).size &&
		rows.length > 0, rows);
	same(name + ": the table has the values of report", wrong, []);
}

async function topdown(browser, name, report) {
	const rows = await rowsOf(browser, "topdown");
	const level = await browser.eval(`Math.max(...JSON.parse(
		document.getElementById("data").textContent).topdown.nodes
		.map((n) => n.level))`);

	compare(name + ", tree", rows, report("-l", String(level)));
	compareRows(name + ", CPUs", await tableOf(browser, "#cpus + details"),
		report("-l", String(level), "-A"));
}

async function stack(browser, name, report) {
	const rows = (await tableOf(browser, "#stack")).slice(1).filter((r) => r[0] !== "sum");
	const printed = report("--cpistack");
	const stages = ["dispatch", "issue", "commit"];
	const wrong = [];

	same(name + ", stacks: the table has the components and their parts",
		rows.map((r) => r[0].trim()),
		printed.map((p) => p.component.split(".").pop()));
	rows.forEach((row, i) => {
		const p = printed[i];
		stages.concat("low", "high").forEach((key, k) => {
			const shown = row[k + 1];
			const good = p[key] == null ? shown === "–" :
				Math.abs(parseFloat(shown) - p[key]) <=
				0.00005 + slack(p[key]);
			if (!good || shown.includes("~") !==
			    p.nearly.includes(key))
				wrong.push([row, p]);
		});
	});
	same(name + ", stacks: the table has the values of report", wrong, []);
}

async function phi(browser, name, report) {
	const only = (p) => p.metric !== "Threads_in_Use";
	const card = report("--phi", "--per-card");
	const cores = report("--phi", "--per-core");
	const rows = await rowsOf(browser, "phi");

	/* Metrics that only cores have are left out: the card has no value of them. */
	compare(name + ", card", rows.filter((r) => only({ metric: r.name }) &&
		card.some((p) => p.metric === r.name)), card);
	same(name + ", card: the page has the number of threads in use",
		rows.find((r) => r.name === "Threads_in_Use").shown,
		String(card[0].threads));
	compareRows(name + ", cores", await tableOf(browser, "#cores + details"),
		cores);
}

async function events(browser, name, report) {
	const rows = (await tableOf(browser, "#events")).slice(1);
	const printed = report("-e", rows.map((r) => r[0]).join(","))
		.filter((p) => p.type === "count");

	same(name + ", events: the page has the counts of report",
		rows.filter((r, i) => r[0] !== printed[i].event ||
			r[1].replaceAll(",", "") !== String(printed[i].count))
			.map((r, i) => [r, printed[i]]), []);
}

/* Compares the lost samples with the text of "report". */
async function losses(browser, name, recording) {
	const printed = execFileSync(tool, ["report", recording],
		{ encoding: "utf8" });
	const wanted = /^([0-9]+) samples lost/m.exec(printed)?.[1] || "0";
	const found = await browser.eval(`(() => {
		const d = JSON.parse(document.getElementById("data").textContent);
		return d.events.lost.reduce((a, b) => a + b, 0);
	})()`);

	same(name + ": the page has the number of lost samples", String(found), wanted);
}

async function one(browser, recording) {
	const name = path.basename(recording, ".rec");
	const page = recording.replace(/\.rec$/, ".html");
	const report = (...words) => check.report(tool, recording, ...words);

	execFileSync(tool, ["report", "--html", page, recording]);
	await browser.look(1280, false);
	await browser.open(page);
	const views = await browser.eval(`(() => {
		const d = JSON.parse(document.getElementById("data").textContent);
		return Object.keys(d).filter((k) => d[k] && !d[k].why);
	})()`);
	if (views.includes("topdown"))
		await topdown(browser, name, report);
	if (views.includes("stack"))
		await stack(browser, name, report);
	if (views.includes("phi"))
		await phi(browser, name, report);
	await events(browser, name, report);
	await losses(browser, name, recording);
	await check.quiet(browser, path.dirname(recording), name);
	await check.clear(browser, page);
}

async function main() {
	const browser = new Browser(process.env.CHROMIUM || "chromium");

	try {
		await browser.start();
		for (const recording of recordings)
			await one(browser, recording);
	} finally {
		await browser.close();
	}
	check.end();
}

main().catch(check.bail);
