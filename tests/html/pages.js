// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node pages.js BAREPMU FOLDER
 *
 * Pages of the recordings in FOLDER, in a browser: what is clicked and pointed at
 * answers. TAP.
 */
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { Browser } = require("./browser.js");
const check = require("./check.js");

const { result, same, text } = check;
const [tool, folder] = process.argv.slice(2).map((p) => path.resolve(p));
const percent = (v) => (100 * v).toFixed(1) + " %";
const report = (...words) => check.report(tool, ...words);

function file(name) {
	return path.join(folder, name);
}

async function tree(browser, recording) {
	const printed = execFileSync(tool, ["report", "-l", "3", recording],
		{ encoding: "utf8" });
	const path = /^Flagged: (.*)\.$/m.exec(printed)[1];
	const next = /^Next: (.*)$/m.exec(printed)[1];
	const verdict = await text(browser, "#verdict");
	result("the flagged path is named", verdict.includes(
		path.replaceAll(" > ", " › ")), verdict);
	result("with its advice", verdict.includes(next), verdict);
	result("some value is negative, and drawn so",
		report(recording, "-l", "3").some((v) => v.value < 0) &&
		await browser.eval(`!!document.querySelector(".stack .below") ||
			[...document.querySelectorAll(".row")].some((r) =>
			r.querySelector(".number").textContent.startsWith("-"))`));
}

async function clicks(browser) {
	await browser.click('.row[data-node="Retiring"]');
	same("a click on a node tells about it",
		await text(browser, "#topdown-detail h3"), "Retiring");
	result("its children are stacked below", await browser.eval(
		`!!document.querySelector('.stack [data-stack="BASE"]')`));
	await browser.click('.stack [data-stack="BASE"]');
	same("a click on a part of the stack goes down",
		await text(browser, "#topdown-detail h3"), "Retiring › BASE");
	const tip = await browser.hover('.stack [data-stack="BASE"]');
	const row = await text(browser, '.row[data-node="BASE"] .number');
	same("the pointer shows the number", tip.split("\n").slice(0, 2),
		["BASE", row + " of slots"]);
	await browser.eval(`document.querySelector(
		'.row[data-node="Bad_Speculation"]').focus()`);
	for (const type of ["keyDown", "keyUp"])
		await browser.send("Input.dispatchKeyEvent", { type, key: "Enter",
			code: "Enter", windowsVirtualKeyCode: 13, text: "\r" });
	same("the keyboard does the same",
		await text(browser, "#topdown-detail h3"), "Bad_Speculation");
}

/* nodes and events that an erratum touches name it, and no others do */
async function errata(browser, recording) {
	const printed = report(recording, "-l", "3");
	const named = new Set(printed.flatMap((p) => p.errata));
	const tipOf = (name) => browser.hover(`.stack [data-stack="${name}"]`);

	same("an erratum touches this recording", [...named], ["L2-PENDING"]);
	await browser.click('.row[data-node="Memory_Bound"]');
	for (const name of ["L1_Bound", "L2_Bound", "L3_Bound",
		"Ext_Memory_Bound", "Stores_Bound"])
		same(name + ": named where report names it",
			(await tipOf(name)).includes("erratum L2-PENDING"),
			printed.find((p) => p.metric === name).errata.length > 0);
	await browser.click('.row[data-node="L2_Bound"]');
	result("and where a node is explained",
		(await text(browser, "#topdown-detail")).includes("L2-PENDING"));
	same("and the events", await browser.eval(`[...document.querySelectorAll(
		"#events tr")].filter((r) => r.textContent.includes("L2-PENDING"))
		.map((r) => r.cells[0].textContent)`),
	["CYCLE_ACTIVITY.STALLS_L2_MISS"]);
}

/* the intervals that are drawn */
function axis(browser) {
	return browser.eval(`(() => {
		const d = JSON.parse(document.getElementById("data").textContent);
		return { drawn: d.about.drawn_ms, begin: d.topdown.begin };
	})()`);
}

async function overTime(browser, recording) {
	const { drawn, begin } = await axis(browser);
	const middle = Math.floor(begin.length / 2);
	const rows = report(recording, "-l", "1", "-I", String(drawn));
	const wanted = rows.slice(4 * middle, 4 * middle + 4).map((row) =>
		row.metric + " " + percent(row.value));
	/* the plot's middle, right of its axis */
	const tip = await browser.hover(
		'[data-level="1 of slots"] .u-over', 0.5 + 0.2 / begin.length);
	const found = tip.split("\n").slice(1, 5).map((s) => s.split(" ±")[0]);
	same("a plot shows the numbers of an interval", found, wanted);
	result("more than all and less than nothing are not cut off",
		await browser.eval(`(() => {
			const d = JSON.parse(document.getElementById("data").textContent);
			return d.topdown.nodes.some((n) => n.v.some((v) => v < 0));
		})()`));
	const lost = await browser.eval(`[...document.querySelectorAll(".soft")]
		.map((e) => e.textContent).find((t) => t.includes("lost"))`);
	result("losses are summed up", lost.includes("30 in all"), lost);
}

async function heat(browser, recording) {
	const { drawn } = await axis(browser);
	const cpus = report(recording, "-l", "1", "-A", "-I", String(drawn))
		.filter((r) => r.metric === "Retiring");
	await browser.eval(`(() => {
		const pick = document.querySelector("#cpus").parentElement
			.querySelector("select");
		pick.value = [...pick.options].find((o) =>
			o.text === "Retiring").value;
		pick.dispatchEvent(new Event("change"));
	})()`);
	const tip = await browser.hover("#cpus canvas", 0.9, 0.15);
	const [, end] = / to ([0-9.]+) s/.exec(tip);
	const row = cpus.find((r) => r.cpu === 0 || r.cpus === "0") &&
		cpus.find((r) => (r.cpu === 0 || r.cpus === "0") &&
			Math.abs(r.time - end) < 0.001);
	result("the heat map shows a CPU's number", row &&
		tip.includes("Retiring " + percent(row.value)), { tip, row });
}

async function topdown(browser) {
	const recording = file("topdown.rec");

	await browser.look(1280, false);
	await browser.open(file("topdown.html"));
	const about = await text(browser, "#about");
	result("the header tells part, CPUs and command", ["Intel Ivy Bridge",
		"0-3 of 4", "./a.out <b>&amp;</script>", "12 s"].every((s) =>
		about.includes(s)), about);
	result("and the plan of groups", (await text(browser, "#plan"))
		.includes("UOPS_RETIRED.RETIRE_SLOTS"));
	await tree(browser, recording);
	await clicks(browser);
	await errata(browser, recording);
	await overTime(browser, recording);
	await heat(browser, recording);
	result("why there are no CPI stacks", (await text(browser, "#missing"))
		.includes("were not recorded"));
	await browser.eval(`document.querySelector(
		"#topdown-detail + details").open = true`);
	await browser.eval("new Promise((r) => setTimeout(r, 50))");
	result("numbers as a table", (await browser.eval(`document.querySelector(
		"#topdown-detail + details table").rows.length`)) > 10);
}

/* how it was counted */
async function counted(browser) {
	const { about, events } = await browser.eval(`JSON.parse(
		document.getElementById("data").textContent)`);
	const turns = about.groups.filter((g) => !g.uncore).length;

	same("the groups that took turns are those of the recording",
		events.groups.map((g) => g.events),
		about.groups.map((g) => g.events));
	result("an interval has four turns of each", turns > 1 &&
		about.drawn_ms >= 4 * turns * about.period_ms,
	about.drawn_ms);
	result("a group's events are told", (await browser.hover(
		".figure:has(#groups) .legend > span"))
		.includes(about.groups[0].events[0]));
}

/* nobody clicks on paper */
async function paper(browser) {
	const open = (event) => browser.eval(`(() => {
		dispatchEvent(new Event("${event}"));
		return document.getElementById("plan").open;
	})()`);

	result("on paper the plan is open", await open("beforeprint"));
	result("and closed again then", !await open("afterprint"));
	await browser.print(file("topdown.pdf"));
	result("it can be printed",
		fs.statSync(file("topdown.pdf")).size > 10000);
}

async function knc(browser) {
	await browser.look(1280, false);
	await browser.open(file("knc.html"));
	const early = await browser.hover("#cores canvas", 0.2, 0.2);
	const late = await browser.hover("#cores canvas", 0.8, 0.2);
	result("three of a core's threads are in use at first",
		early.includes("Threads_in_Use 3"), early);
	result("four later", late.includes("Threads_in_Use 4"), late);
}

async function stack(browser) {
	await browser.look(1280, false);
	await browser.open(file("stack.html"));
	const tip = await browser.hover('[data-cell="commit base"]');
	result("a component of a stage has its number",
		/^commit base\n0\.\d+ ±\s[0-9.]+ cycles per instruction/.test(tip), tip);
	same("a sum for each stage that can be counted", await browser.eval(
		`new Set([...document.querySelectorAll("[data-cell]")].map((e) =>
			e.dataset.cell.split(" ")[0])).size`), 3);
	result("what is counted only nearly says so",
		(await browser.hover('[data-cell="dispatch icache"]'))
			.includes("nearly: "));
	const parted = await browser.hover('[data-cell="issue dcache"]');
	result("a component tells what it consists of",
		/\nl2: -?\d+\.\d+/.test(parted), parted);
}

async function main() {
	const browser = new Browser(process.env.CHROMIUM || "chromium");

	try {
		await browser.start();
		await topdown(browser);
		await knc(browser);
		await stack(browser);
		await browser.open(file("topdown.html"));
		await counted(browser);
		await paper(browser);
		await check.quiet(browser, folder, "all of it");
	} finally {
		await browser.close();
	}
	check.end();
}

main().catch(check.bail);
