#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node compare.js BAREPMU FOLDER
 *
 * The page of many recordings in FOLDER, in a browser: each bar is as long as the
 * tool's report of its recording says, and bars are sorted as asked. TAP.
 */
const { execFileSync } = require("child_process");
const path = require("path");
const { Browser } = require("./browser.js");
const check = require("./check.js");

const { result, same, text } = check;
const [tool, folder] = process.argv.slice(2).map((p) => path.resolve(p));
const percent = (v) => (100 * v).toFixed(1) + " %";
/* as the Makefile gives them, and the deepest level of each */
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

/* of the parts of a bar: where it begins and ends, 0 and 1 at the lines of the chart */
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

/* each metric of these rows is as long in the bar */
async function long(browser, bar, rows) {
	const charts = await browser.eval(`[...document.querySelectorAll(
		"[data-chart]")].map((e) => e.dataset.chart)`);
	const shown = {};

	for (const chart of charts)
		if (chart !== "IPC" && await browser.eval(`!!document.querySelector(
			'[data-chart="${chart}"] [data-bar="${bar}"] svg')`))
			Object.assign(shown, await parts(browser, chart, bar));
	const wrong = rows.filter((r) => r.value != null &&
		!(Math.abs(shown[r.metric] - r.value) < 0.0002));
	result(`${bar}: ${rows.length} parts are as long as reported`,
		rows.length > 4 && !wrong.length, { wrong, shown });
}

async function recordings(browser) {
	same("a bar for each recording, as given",
		await bars(browser, "all"), names);
	for (const name of Object.keys(deepest))
		await long(browser, name, report(name));
	result("level 3 is not in a recording of two",
		(await text(browser, '[data-chart="Memory_Bound"] [data-bar="late.rec"]'))
			.includes("not in this recording"));
	const tip = await browser.hover(
		'[data-chart="Frontend_Bound"] [data-bar="late.rec"] [data-part="Fetch_Latency_Bound"]');
	const [row] = report("late.rec").filter((r) =>
		r.metric === "Fetch_Latency_Bound");
	result("the pointer shows the number", tip.startsWith(
		"Fetch_Latency_Bound\n" + percent(row.value)), tip);
}

/* what the tool says stands there, and why there is nothing */
async function verdicts(browser) {
	const found = await text(browser, "#verdicts");
	const printed = execFileSync(tool, ["report", "-l", "2",
		path.join(folder, "late.rec")], { encoding: "utf8" });
	const [says] = /^Flagged: .*$/m.exec(printed);

	result("each recording has its verdict", found.includes(says),
		{ found, says });
	result("or why it has none", found.includes("not available on knc"), found);
	result("losses are told", found.includes("30 samples lost"), found);
}

async function sorting(browser) {
	const value = (name) => report(name).find((r) =>
		r.metric === "Backend_Bound").value;
	const order = Object.keys(deepest).sort((a, b) => value(b) - value(a));
	const last = ["knc.rec", "stack.rec"];
	const key = "#charts .figure:nth-child(1) .legend button:nth-child(4)";
	const shown = () => bars(browser, "Memory_Bound");

	await browser.click(key);
	same("a click on a legend sorts all charts by it, the largest first",
		await shown(), [...order, ...last]);
	result("which the legend tells", (await text(browser, key))
		.includes("Backend_Bound ↓"));
	same("and its value stands beside the bar", (await text(browser,
		`.bars [data-bar="${order[0]}"] .number`)).split(" ±")[0],
	percent(value(order[0])));
	await browser.click(key);
	same("once more turns them round; those without it stay last",
		await shown(), [...order.reverse(), ...last]);
	await browser.eval(`(() => {
		const by = document.getElementById("by");
		by.value = "";
		by.dispatchEvent(new Event("change"));
	})()`);
	same("and back to what was given", await shown(), names);
}

async function cpus(browser) {
	await browser.eval(`(() => {
		const what = document.getElementById("what");
		what.value = "cpu";
		what.dispatchEvent(new Event("change"));
	})()`);
	same("a bar for each CPU", await bars(browser, "Retiring"),
		[0, 1, 2, 3].map((n) => "topdown.rec, CPU " + n).concat(
			[0, 1].map((n) => "late.rec, CPU " + n),
			names.slice(2)));
	for (const n of [0, 3])
		await long(browser, "topdown.rec, CPU " + n,
			report("topdown.rec", "-A").filter((r) =>
				String(r.cpu ?? r.cpus) === String(n)));
}

async function table(browser) {
	await browser.eval(`document.querySelector(
		"#charts > details").open = true`);
	await browser.eval("new Promise((r) => setTimeout(r, 50))");
	const rows = await browser.eval(`[...document.querySelector(
		"#charts > details table").rows].map((r) =>
		[...r.cells].map((c) => c.textContent))`);
	const at = rows[0].indexOf("Retiring");
	const [row] = report("topdown.rec").filter((r) => r.metric === "Retiring");

	const shown = rows.find((r) => r[0] === "topdown.rec");

	same("numbers as a table", shown[at].split(" ±")[0], percent(row.value));
	same("errata are named", rows[0].filter((name, i) =>
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
		await verdicts(browser);
		await table(browser);
		await sorting(browser);
		await cpus(browser);
		await check.quiet(browser, folder, "all of it");
		await check.clear(browser, page);
	} finally {
		await browser.close();
	}
	check.end();
}

main().catch(check.bail);
