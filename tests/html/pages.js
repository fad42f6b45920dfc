// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node pages.js BAREPMU FOLDER
 *
 * Pages of the recordings in FOLDER, in a browser: what they show is what the
 * tool prints of the same recording, what is clicked answers, no text overlaps
 * another. TAP.
 */
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { Browser } = require("./browser.js");

const [tool, folder] = process.argv.slice(2).map((p) => path.resolve(p));
let count = 0, failed = 0;

function result(name, good, why) {
	count++;
	if (!good) {
		failed++;
		console.log("# " + (why === undefined ? "failed" :
			JSON.stringify(why)));
	}
	console.log(`${good ? "ok" : "not ok"} ${count} - ${name}`);
}

function same(name, found, wanted) {
	result(name, JSON.stringify(found) === JSON.stringify(wanted),
		{ found, wanted });
}

function file(name) {
	return path.join(folder, name);
}

/* the tool's own words, as objects */
function report(recording, ...options) {
	return execFileSync(tool, ["report", "-j", ...options, recording],
		{ encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n")
		.map((line) => JSON.parse(line));
}

function text(browser, selector) {
	return browser.eval(`document.querySelector(${JSON.stringify(selector)})
		?.textContent`);
}

const percent = (v) => (100 * v).toFixed(1) + " %";

/* pairs of texts whose boxes overlap, and what is wider than the page */
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
			let [left, right] = [r.left, r.right];
			if (clip) {
				const c = clip.getBoundingClientRect();
				left = Math.max(left, c.left);
				right = Math.min(right, c.right);
			}
			if (right - left > 2)
				boxes.push({ node, left, right, top: r.top + 2,
					bottom: r.bottom - 2, text: node.data });
		}
	}
	boxes.sort((a, b) => a.top - b.top);
	boxes.forEach((a, i) => {
		for (const b of boxes.slice(i + 1)) {
			if (b.top >= a.bottom)
				break;
			/* a text cut short has two boxes */
			if (a.node !== b.node && a.left + 1 < b.right &&
			    b.left + 1 < a.right)
				found.push(a.text + " / " + b.text);
		}
	});
	if (document.documentElement.scrollWidth > innerWidth)
		found.push("wider than the page");
	return found;
})()`;

async function quiet(browser, what) {
	same(what + ": no error of the script", browser.errors, []);
	same(what + ": nothing is fetched", browser.requests.filter((url) =>
		!url.startsWith("file://" + folder) && !url.startsWith("data:")), []);
}

async function clear(browser, page) {
	for (const width of [1280, 390])
		for (const dark of [false, true]) {
			await browser.look(width, dark);
			await browser.open(page);
			same(`${path.basename(page)}: no text over another, ${width} pixels, ` +
				(dark ? "dark" : "light"),
			await browser.eval(OVERLAPS), []);
		}
}

async function tree(browser, recording) {
	const values = new Map(report(recording, "-l", "3")
		.map((row) => [row.metric, row]));
	const rows = await browser.eval(`Object.fromEntries(
		[...document.querySelectorAll(".row")].map((r) =>
		[r.dataset.node, r.querySelector(".number").textContent]))`);
	same("each node is there", Object.keys(rows), [...values.keys()]);
	same("each has the value that report prints",
		Object.entries(rows).map(([k, v]) => k + " " + v.split(" ±")[0]),
		[...values.values()].map((v) => v.metric + " " + percent(v.value)));
	same("and its uncertainty",
		Object.values(rows).map((v) => v.split("± ")[1] || "0"),
		[...values.values()].map((v) => v.uncertainty ?
			(100 * v.uncertainty).toFixed(1) : "0"));
	same("flagged nodes are marked", await browser.eval(
		`[...document.querySelectorAll(".row.flag")].map((r) =>
			r.dataset.node)`),
	[...values.values()].filter((v) => v.flagged).map((v) => v.metric));
	const printed = execFileSync(tool, ["report", "-l", "3", recording],
		{ encoding: "utf8" });
	const path = /^Flagged: (.*)\.$/m.exec(printed)[1];
	const next = /^Next: (.*)$/m.exec(printed)[1];
	const verdict = await text(browser, "#verdict");
	result("the flagged path is named", verdict.includes(
		path.replaceAll(" > ", " › ")), verdict);
	result("with its advice", verdict.includes(next), verdict);
	result("some value is negative, and drawn so",
		[...values.values()].some((v) => v.value < 0) &&
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

async function overTime(browser, recording) {
	const { drawn, begin } = await browser.eval(`(() => {
		const d = JSON.parse(document.getElementById("data").textContent);
		return { drawn: d.about.drawn_ms, begin: d.topdown.begin };
	})()`);
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
	const cpus = report(recording, "-l", "1", "-A", "-I", "100")
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
	await overTime(browser, recording);
	await heat(browser, recording);
	result("why there are no CPI stacks", (await text(browser, "#no-stack"))
		.includes("was not recorded"));
	await browser.eval(`document.querySelector(
		"#topdown-detail + details").open = true`);
	await browser.eval("new Promise((r) => setTimeout(r, 50))");
	result("numbers as a table", (await browser.eval(`document.querySelector(
		"#topdown-detail + details table").rows.length`)) > 10);
	await quiet(browser, "Top-Down");
}

async function knc(browser) {
	await browser.look(1280, false);
	await browser.open(file("knc.html"));
	const early = await browser.hover("#cores canvas", 0.2, 0.2);
	const late = await browser.hover("#cores canvas", 0.8, 0.2);
	result("three of a core's threads are in use at first",
		early.includes("Threads_in_Use 3"), early);
	result("four later", late.includes("Threads_in_Use 4"), late);
	const rows = report(file("knc.rec"), "--phi", "--per-card")
		.filter((r) => r.metric === "Average_CPI_per_Core");
	const shown = await text(browser,
		'.row[data-node="Average_CPI_per_Core"] .number');
	same("metrics are those of report", shown.split(" ")[0],
		String(Number(rows[0].value.toPrecision(4))));
	await quiet(browser, "Knights Corner");
}

async function stack(browser) {
	await browser.look(1280, false);
	await browser.open(file("stack.html"));
	/* the generator's rates: slots retired of the four that there are */
	const tip = await browser.hover('[data-cell="commit base"]');
	result("a component of a stage has its number",
		/^commit base\n0\.\d+ ± [0-9.]+ cycles per instruction/.test(tip), tip);
	same("a sum for each stage that can be counted", await browser.eval(
		`new Set([...document.querySelectorAll("[data-cell]")].map((e) =>
			e.dataset.cell.split(" ")[0])).size`), 3);
	result("what is counted only nearly says so",
		(await browser.hover('[data-cell="dispatch icache"]'))
			.includes("nearly: "));
	await quiet(browser, "CPI stacks");
}

async function main() {
	const browser = new Browser(process.env.CHROMIUM || "chromium");

	try {
		await browser.start();
		await topdown(browser);
		await knc(browser);
		await stack(browser);
		for (const name of ["topdown", "knc", "stack"])
			await clear(browser, file(name + ".html"));
		await browser.open(file("topdown.html"));
		await browser.print(file("topdown.pdf"));
		result("it can be printed",
			fs.statSync(file("topdown.pdf")).size > 10000);
	} finally {
		await browser.close();
	}
	console.log("1.." + count);
	process.exitCode = failed ? 1 : 0;
}

main().catch((error) => {
	console.log("Bail out! " + error.stack.replaceAll("\n", " "));
	process.exitCode = 1;
});
