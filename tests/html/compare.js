#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node compare.js BAREPMU FOLDER
 *
 * A reader of a page of many recordings sees bars as long as the tool's report of each recording
 * says, sorted as asked. Uses the recordings in FOLDER and a browser; prints TAP.
 */
const { execFileSync } = require("child_process");
const path = require("path");
const { Browser } = require("./browser.js");
const check = require("./check.js");

const { result, same, text } = check;
const [tool, folder] = process.argv.slice(2).map((p) => path.resolve(p));
const percent = (v) => (100 * v).toFixed(1) + " %";
/*
 * Recordings with Top-Down and the deepest level of each; then all, in the order of the Makefile.
 */
const deepest = { "topdown.rec": 3, "late.rec": 2 };
const names = ["topdown.rec", "late.rec", "knc.rec", "stack.rec"];

function report(name, ...words) {
	return check.report(tool, path.join(folder, name), "-l",
		String(deepest[name]), ...words).filter((r) => r.metric);
}

function bars(browser, chart) {
	return browser.eval(`[...document.querySelectorAll(
		'[data-chart="${chart}"] .bar')].map((e) => e.dataset.bar)`);
}

/*
 * Returns the signed lengths of the parts of a bar, in units of the distance from 0 to 1 on the
 * axis.
 */
function parts(browser, chart, bar) {
	return browser.eval(`(() => {
		const svg = document.querySelector(
			'[data-chart="${chart}"] [data-bar="${bar}"] svg');
		const [zero, one] = [...svg.querySelectorAll("line[y2='22']")]
			.map((l) => l.x1.baseVal.value);
		return Object.fromEntries([...svg.querySelectorAll("rect")].map((r) =>
			[r.dataset.part, r.width.baseVal.value / (one - zero) *
			(r.x.baseVal.value + r.width.baseVal.value / 2 < zero ?
				-1 : 1)]));
	})()`);
}

/* Checks that the part of a bar for each metric is as long as the metric's value in the rows. */
async function checkLengths(browser, bar, rows) {
	const charts = await browser.eval(`[...document.querySelectorAll(
		"[data-chart]")].map((e) => e.dataset.chart)`);
	const shown = {};

	for (const chart of charts)
		if (chart !== "IPC" && await browser.eval(`!!document.querySelector(
			'[data-chart="${chart}"] [data-bar="${bar}"] svg')`))
			Object.assign(shown, await parts(browser, chart, bar));
	const wrong = rows.filter((r) => r.value != null &&
		!(Math.abs(shown[r.metric] - r.value) < 0.0002));
	result(`${bar}: ${rows.length} parts are as long as the values of report`,
		rows.length > 4 && !wrong.length, { wrong, shown });
}

async function recordings(browser) {
	same("each recording has a bar, in the order of the command line",
		await bars(browser, "all"), names);
	for (const name of Object.keys(deepest))
		await checkLengths(browser, name, report(name));
	result("a recording of two levels has no bar of level 3",
		(await text(browser, '[data-chart="Memory_Bound"] [data-bar="late.rec"]'))
			.includes("not in this recording"));
	const tip = await browser.hover(
		'[data-chart="Frontend_Bound"] [data-bar="late.rec"] [data-part="Fetch_Latency_Bound"]');
	const [row] = report("late.rec").filter((r) =>
		r.metric === "Fetch_Latency_Bound");
	result("the pointer on a part of a bar shows the value", tip.startsWith(
		"Fetch_Latency_Bound\n" + percent(row.value)), tip);
}

/* Checks the value of each part, and its difference from the first recording. */
async function labels(browser) {
	const first = report("topdown.rec"), second = report("late.rec");
	const label = (chart, bar, name) => text(browser,
		`[data-chart="${chart}"] [data-bar="${bar}"] [data-label="${name}"]`);
	const of = (rows, name) => rows.find((r) => r.metric === name);

	for (const [chart, name] of [["all", "Retiring"], ["all", "Frontend_Bound"],
		["Backend_Bound", "Core_Bound"], ["Retiring", "MicroSequencer"]]) {
		const [a, b] = [of(first, name), of(second, name)];
		const delta = b.value - a.value;

		same(name + ": the first bar has the value", await label(chart, "topdown.rec", name),
			percent(a.value));
		same(name + ": the second bar has the value and the difference",
			await label(chart, "late.rec", name), percent(b.value) + " (" +
			(Math.abs(delta) <= Math.hypot(a.uncertainty, b.uncertainty) ? "~" : "") +
			(delta > 0 ? "+" : "") + (100 * delta).toFixed(1) + ")");
	}
	same("the title has the number of recordings, of which not all are of one machine",
		await text(browser, "title"), "Top-Down of 4 recordings");
}

/* Checks that the verdicts are those of the report, or the reason why there is none. */
async function verdicts(browser) {
	const found = await text(browser, "#verdicts");

	for (const [name, level, start] of [["topdown.rec", "3", "Flagged: "],
		["late.rec", "2", "No verdict: "]]) {
		const printed = execFileSync(tool, ["report", "-l", level,
			path.join(folder, name)], { encoding: "utf8" });
		const says = printed.split("\n").find((line) => line.startsWith(start));

		result("the page has the verdict of " + name, says && found.includes(says),
			{ found, says });
	}
	result("the page says why a recording has no verdict",
		found.includes("not available on knc"), found);
	result("the page has the number of lost samples", found.includes("30 samples lost"), found);
}

async function sorting(browser) {
	const value = (name) => report(name).find((r) =>
		r.metric === "Backend_Bound").value;
	const order = Object.keys(deepest).sort((a, b) => value(b) - value(a));
	const last = ["knc.rec", "stack.rec"];
	const key = "#charts .figure:nth-child(1) .legend button:nth-child(4)";
	const shown = () => bars(browser, "Memory_Bound");

	await browser.click(key);
	same("a click on the legend of a metric sorts all charts by it, descending",
		await shown(), [...order, ...last]);
	result("the legend marks the metric by which charts are sorted", (await text(browser, key))
		.includes("Backend_Bound ↓"));
	same("the value of the sorted metric is beside the bar", (await text(browser,
		`.bars [data-bar="${order[0]}"] .number`)).split(" ±")[0],
	percent(value(order[0])));
	await browser.click(key);
	same("a second click sorts in ascending order, recordings without a value last",
		await shown(), [...order.reverse(), ...last]);
	await browser.eval(`(() => {
		const by = document.getElementById("by");
		by.value = "";
		by.dispatchEvent(new Event("change"));
	})()`);
	same("the selection of no metric restores the order of the command line",
		await shown(), names);
}

async function cpus(browser) {
	await browser.eval(`(() => {
		const what = document.getElementById("what");
		what.value = "cpu";
		what.dispatchEvent(new Event("change"));
	})()`);
	same("the selection of CPUs shows a bar for each CPU", await bars(browser, "Retiring"),
		[0, 1, 2, 3].map((n) => "topdown.rec, CPU " + n).concat(
			[0, 1].map((n) => "late.rec, CPU " + n),
			names.slice(2)));
	for (const n of [0, 3])
		await checkLengths(browser, "topdown.rec, CPU " + n,
			report("topdown.rec", "-A").filter((r) =>
				String(r.cpu ?? r.cpus) === String(n)));
}

async function table(browser) {
	await browser.unfold("#charts > details");
	const rows = await browser.eval(`[...document.querySelector(
		"#charts > details table").rows].map((r) =>
		[...r.cells].map((c) => c.textContent))`);
	const at = rows[0].indexOf("Retiring");
	const [row] = report("topdown.rec").filter((r) => r.metric === "Retiring");

	const shown = rows.find((r) => r[0] === "topdown.rec");

	same("the table has the value of report", shown[at].split(" ±")[0], percent(row.value));
	same("the table names errata of affected metrics only", rows[0].filter((name, i) =>
		shown[i].includes("erratum L2-PENDING")),
	["L2_Bound", "L3_Bound", "Ext_Memory_Bound"]);
}

async function main() {
	const browser = new Browser(process.env.CHROMIUM || "chromium");
	const page = path.join(folder, "compare.html");

	try {
		await browser.start();
		await browser.look(1280, false);
		await browser.open(page);
		await recordings(browser);
		await labels(browser);
		await verdicts(browser);
		await table(browser);
		await sorting(browser);
		await cpus(browser);
		await check.quiet(browser, folder, "the page of several recordings");
		await check.clear(browser, page);
	} finally {
		await browser.close();
	}
	check.end();
}

main().catch(check.bail);
