// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Usage: node pages.js BAREPMU FOLDER
 *
 * A reader of a page can use it: pages of the recordings in FOLDER, in a browser: their contents,
 * and what happens at clicks, keys and movements of the pointer. Prints TAP.
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
	result("Top-Down: the page has the verdict's path", verdict.includes(
		path.replaceAll(" > ", " › ")), verdict);
	result("Top-Down: the page has the verdict's advice", verdict.includes(next), verdict);
	result("Top-Down: a negative value is drawn as negative",
		report(recording, "-l", "3").some((v) => v.value < 0) &&
		await browser.eval(`!!document.querySelector(".stack .below") ||
			[...document.querySelectorAll(".row")].some((r) =>
			r.querySelector(".number").textContent.startsWith("-"))`));
}

async function clicks(browser) {
	await browser.click('.row[data-node="Retiring"]');
	same("a click on a node shows its details",
		await text(browser, "#topdown-detail h3"), "Retiring");
	result("a click on a node shows a stack of its children", await browser.eval(
		`!!document.querySelector('.stack [data-stack="BASE"]')`));
	await browser.click('.stack [data-stack="BASE"]');
	same("a click on a part of the stack shows its details",
		await text(browser, "#topdown-detail h3"), "Retiring › BASE");
	const tip = await browser.hover('.stack [data-stack="BASE"]');
	const row = await text(browser, '.row[data-node="BASE"] .number');
	result("the pointer on a part of the stack shows the threshold",
		tip.includes("\nthreshold: BASE > 0.6"), tip);
	same("the pointer on a part of the stack shows the value", tip.split("\n").slice(0, 2),
		["BASE", row + " of slots"]);
	await browser.eval(`document.querySelector(
		'.row[data-node="Bad_Speculation"]').focus()`);
	for (const type of ["keyDown", "keyUp"])
		await browser.send("Input.dispatchKeyEvent", { type, key: "Enter",
			code: "Enter", windowsVirtualKeyCode: 13, text: "\r" });
	same("the Enter key on a node shows its details",
		await text(browser, "#topdown-detail h3"), "Bad_Speculation");
}

/* Compares the lines of thresholds in the plot with those of "list", by the numbers of the axis. */
async function thresholds(browser) {
	const listed = new Map(execFileSync(tool, ["list", "--part", "ivb", "-j",
		"metrics"], { encoding: "utf8" }).trim().split("\n").map(JSON.parse)
		.map((m) => [m.metric, new RegExp("\\b" + m.metric + " > ([0-9.]+)")
			.exec(m.threshold)?.[1]]));
	const { marks, lines, nodes } = await browser.eval(`({
		marks: [...document.querySelectorAll("#topdown-tree .axis span[style]")]
			.map((s) => [parseFloat(s.textContent), parseFloat(s.style.left)]),
		lines: [...document.querySelectorAll("#topdown-tree .row")].map((r) =>
			[r.dataset.node, r.querySelector("line.limit")?.getAttribute("x1")]),
		nodes: JSON.parse(document.getElementById("data").textContent)
			.topdown.nodes.filter((n) => n.share).map((n) => n.name) })`);
	const [[a, left], [b, right]] = [marks[0], marks[marks.length - 1]];
	const shown = lines.filter(([name]) => nodes.includes(name));

	result("more than 10 nodes have a line at their threshold",
		shown.filter(([, x]) => x).length > 10, lines);
	same("each line is at the threshold of list", shown.filter(([name, x]) => {
		const limit = listed.get(name);
		const at = 10 * (left + (right - left) * (100 * limit - a) / (b - a));

		return limit === undefined ? x !== undefined && x !== null :
			!(Math.abs(x - at) < 0.01);
	}), []);
}

/* Nodes and events that an erratum affects name it, and no others do. */
async function errata(browser, recording) {
	const printed = report(recording, "-l", "3");
	const named = new Set(printed.flatMap((p) => p.errata));
	const tipOf = (name) => browser.hover(`.stack [data-stack="${name}"]`);

	same("report names the erratum L2-PENDING for the recording", [...named], ["L2-PENDING"]);
	await browser.click('.row[data-node="Memory_Bound"]');
	for (const name of ["L1_Bound", "L2_Bound", "L3_Bound",
		"Ext_Memory_Bound", "Stores_Bound"])
		same(name + ": the erratum is named as in report",
			(await tipOf(name)).includes("erratum L2-PENDING"),
			printed.find((p) => p.metric === name).errata.length > 0);
	await browser.click('.row[data-node="L2_Bound"]');
	result("the details of a node name the erratum",
		(await text(browser, "#topdown-detail")).includes("L2-PENDING"));
	same("only affected events name the erratum",
		await browser.eval(`[...document.querySelectorAll(
		"#events tr")].filter((r) => r.textContent.includes("L2-PENDING"))
		.map((r) => r.cells[0].textContent)`),
	["CYCLE_ACTIVITY.STALLS_L2_MISS"]);
}

/* Returns the intervals that are drawn. */
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
	/* Point at the middle of the plot, right of its axis. */
	const tip = await browser.hover(
		'[data-level="1 of slots"] .u-over', 0.5 + 0.2 / begin.length);
	const found = tip.split("\n").slice(1, 5).map((s) => s.split(" ±")[0]);
	same("the pointer on a plot shows the values of an interval", found, wanted);
	result("values of intervals are not clamped at 0",
		await browser.eval(`(() => {
			const d = JSON.parse(document.getElementById("data").textContent);
			return d.topdown.nodes.some((n) => n.v.some((v) => v < 0));
		})()`));
	const lost = await browser.eval(`[...document.querySelectorAll(".soft")]
		.map((e) => e.textContent).find((t) => t.includes("lost"))`);
	result("the page has the total of lost samples", lost.includes("30 in total"), lost);
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
	result("the pointer on the heat map shows the value of a CPU", row &&
		tip.includes("Retiring " + percent(row.value)), { tip, row });
}

/*
 * Converts "rgb(r, g, b)" to the colour space L*a*b*, in which distances are those seen by the
 * eye.
 */
function lab(text) {
	const [r, g, b] = text.match(/\d+/g).map((n) => n / 255).map((c) =>
		c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
	const [x, y, z] = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
		0.2126 * r + 0.7152 * g + 0.0722 * b,
		(0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089].map((t) =>
		t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function apart(a, b) {
	const [one, other] = [lab(a), lab(b)];
	return Math.hypot(...one.map((v, i) => v - other[i]));
}

/* Returns the cells of the icicle plot: name, colour and position. */
function cells(browser) {
	return browser.eval(`[...document.querySelectorAll(".stacks .stack")].flatMap(
		(row, level) => [...row.children].map((e) => {
			const b = e.getBoundingClientRect();
			return { name: e.dataset.stack, level, left: b.left, right: b.right,
				colour: getComputedStyle(e).backgroundColor };
		}))`);
}

/* Each node is below its parent and to its scale; the colours of neighbours differ. */
async function icicle(browser) {
	const parents = await browser.eval(`(() => {
		const { nodes } = JSON.parse(document.getElementById("data").textContent)
			.topdown;
		return Object.fromEntries(nodes.map((n) => [n.name, [nodes.find((p) =>
			p.id === n.parent)?.name, n.unit, n.value]]));
	})()`);
	const all = await cells(browser);
	const of = (name) => all.find((c) => c.name === name);
	const wide = (c) => c.right - c.left;
	const below = all.filter((c) => parents[c.name][0]);

	same("the icicle has all shares of the tree", all.map((c) => c.name).sort(),
		Object.keys(parents).sort());
	same("each cell is below its parent", below.filter((c) => {
		const parent = of(parents[c.name][0]);
		return c.level !== parent.level + 1 || c.left < parent.left - 0.1 ||
			c.right > parent.right + 0.1;
	}), []);
	const base = of("BASE"), retiring = of("Retiring");
	result("children of their parent's unit have its scale", Math.abs(wide(base) /
		wide(retiring) - parents.BASE[2] / parents.Retiring[2]) < 0.005, [base, retiring]);
	const [memory, core] = ["Memory_Bound", "Core_Bound"].map(of);
	result("children of another unit fill their parent", Math.abs(wide(memory) + wide(core) -
		wide(of("Backend_Bound"))) < 0.1, [memory, core]);
	same("no two cells of a level overlap", all.filter((c) => all.some((d) => d !== c &&
		d.level === c.level && d.left >= c.left && d.left < c.right - 0.1)), []);
	const near = all.flatMap((c, i) => [[c, of(parents[c.name][0])],
		[c, all[i + 1]?.level === c.level && all[i + 1]]])
		.filter(([, d]) => d).map(([c, d]) => [c.name, d.name,
			apart(c.colour, d.colour)]);
	result("neighbours and parents have colours that can be told apart", near.length > 20 &&
		near.every(([, , d]) => d > 20), near);
}

/* Colours differ in the published trees of all parts too; the page's own function gives them. */
async function published(browser) {
	const source = fs.readFileSync(path.join(__dirname, "../../user/html/colour.js"), "utf8");
	const colourOf = new Function(source + "; return colourOfName;")();
	const parts = execFileSync(tool, ["list", "parts", "-j"], { encoding: "utf8" })
		.trim().split("\n").map((l) => JSON.parse(l).part).filter(Boolean);
	const wrong = new Set();
	let number = 0;

	for (const part of parts) {
		const byName = new Map(execFileSync(tool, ["list", "--part", part, "-j", "metrics"],
			{ encoding: "utf8", maxBuffer: 1 << 26 }).trim().split("\n")
			.map(JSON.parse).map((m) => [m.metric, m]));
		const rootOf = (m) => byName.has(m.parent) ? rootOf(byName.get(m.parent)) : m;
		const nodes = [...byName.values()].filter((m) => /^(tma_)?(frontend_bound|bad_speculation|retiring|backend_bound)$/i
			.test(rootOf(m).metric));
		nodes.forEach((node, i) => {
			const kin = nodes.filter((m) => m !== node && node.parent &&
				m.parent === node.parent);
			for (const other of [byName.get(node.parent), ...kin].filter(Boolean))
				if (colourOf(other.metric) === colourOf(node.metric))
					wrong.add(node.metric + " " + other.metric);
			number++;
		});
	}
	result("siblings and parents of all published trees have different colours",
		number > 1000 && !wrong.size, [number, ...wrong]);
	const page = await browser.eval(`Object.fromEntries(JSON.parse(document.getElementById(
		"data").textContent).topdown.nodes.map((n) => [n.name, getComputedStyle(
		document.querySelector('.row[data-node="' + n.name + '"] rect')).fill]))`);
	await browser.open(file("compare.html"));
	const other = await browser.eval(`Object.fromEntries([...document.querySelectorAll(
		"rect[data-part]")].map((r) => [r.dataset.part, getComputedStyle(r).fill]))`);
	const both = Object.keys(page).filter((name) => other[name]);
	same("a node has the same colour on the page of several recordings",
		both.filter((name) => page[name] !== other[name]), []);
	result("more than ten nodes are on both pages", both.length > 10, both);
}

/* All plots show the same range of time. */
async function together(browser) {
	const shown = () => browser.eval(`[...document.querySelectorAll(
		".plot[data-level]")].map((p) => p.plot.scales.x).map((x) =>
		[x.min, x.max].join(" to "))`);
	const before = await shown();

	result("all plots show the same time", before.length > 2 &&
		new Set(before).size === 1, before);
	await browser.hover(".plot[data-level] .u-over", 0.2);
	const box = await browser.eval(`(() => {
		const b = document.querySelector(".plot[data-level] .u-over")
			.getBoundingClientRect();
		return { x: b.left, y: b.top + b.height / 2, wide: b.width };
	})()`);
	for (const [type, part] of [["mouseMoved", 0.2], ["mousePressed", 0.2],
		["mouseMoved", 0.4], ["mouseMoved", 0.6], ["mouseReleased", 0.6]])
		await browser.send("Input.dispatchMouseEvent", { type, y: box.y,
			x: box.x + part * box.wide, clickCount: 1,
			button: type === "mouseMoved" ? "none" : "left",
			buttons: type === "mouseReleased" ? 0 : 1 });
	await browser.drawn();
	const after = await shown();
	result("zooming into one plot zooms all plots",
		new Set(after).size === 1 && after[0] !== before[0], after);
}

async function overview(browser) {
	same("the contents link to each section", await browser.eval(
		`[...document.querySelectorAll("#contents a")].map((a) =>
			document.getElementById(a.hash.slice(1)).textContent)`),
	await browser.eval(`[...document.querySelectorAll("h2")].map((h) =>
		h.textContent)`));
	result("the headline has the flagged path",
		(await text(browser, "#headline")).includes("Backend_Bound ›"));
	result("the tree's axis has numbers", /0 %.*50 %.*100 %|0 %.*40 %.*100 %/
		.test(await text(browser, "#topdown-tree .axis")));
	await browser.look(390, false);
	await browser.open(file("topdown.html"));
	same("the page is not wider than a narrow window", await browser.eval(
		"document.documentElement.scrollWidth"), 390);
}

async function topdown(browser) {
	const recording = file("topdown.rec");

	await browser.look(1280, false);
	await browser.open(file("topdown.html"));
	const about = await text(browser, "#about");
	result("the header has part, CPUs, command and duration", ["Intel Ivy Bridge",
		"0-3 of 4", "./a.out <b>&amp;</script>", "12 s"].every((s) =>
		about.includes(s)), about);
	same("the title has command, machine, part and date", await text(browser, "title"),
		"./a.out <b>&amp;</script> on testhost (Intel Ivy Bridge), " +
		/Started(\d{4}-\d\d-\d\d)/.exec(about)[1]);
	same("the heading is the title", await text(browser, "h1"), await text(browser, "title"));
	result("the page lists the groups of events", (await text(browser, "#event-groups"))
		.includes("UOPS_RETIRED.RETIRE_SLOTS"));
	await tree(browser, recording);
	await clicks(browser);
	await thresholds(browser);
	await errata(browser, recording);
	await overTime(browser, recording);
	await heat(browser, recording);
	await browser.click('.row[data-node="Retiring"]');
	await icicle(browser);
	await together(browser);
	result("the page says why there are no CPI stacks", (await text(browser, "#missing"))
		.includes("were not recorded"));
	await browser.unfold("#topdown-detail + details");
	result("the table of Top-Down values has more than 10 rows",
		(await browser.eval(`document.querySelector(
		"#topdown-detail + details table").rows.length`)) > 10);
}

/* The figure in which multiplexed groups are counted is drawn. */
async function counted(browser) {
	const { about, events } = await browser.eval(`JSON.parse(
		document.getElementById("data").textContent)`);
	const groups = about.groups.filter((g) => !g.uncore).length;

	same("the multiplexed groups are those of the recording",
		events.groups.map((g) => g.events),
		about.groups.map((g) => g.events));
	result("an interval has at least four slices of each group", groups > 1 &&
		about.drawn_ms >= 4 * groups * about.period_ms,
	about.drawn_ms);
	result("the pointer on a group shows its events", (await browser.hover(
		".figure:has(#groups) .legend > span"))
		.includes(about.groups[0].events[0]));
}

/* A printed page shows what otherwise a click opens. */
async function paper(browser) {
	const open = (event) => browser.eval(`(() => {
		dispatchEvent(new Event("${event}"));
		return document.getElementById("event-groups").open;
	})()`);

	result("printing opens the groups of events", await open("beforeprint"));
	result("the groups of events are closed after printing", !await open("afterprint"));
	await browser.print(file("topdown.pdf"));
	result("the page can be printed as PDF",
		fs.statSync(file("topdown.pdf")).size > 10000);
}

async function knc(browser) {
	await browser.look(1280, false);
	await browser.open(file("knc.html"));
	const early = await browser.hover("#cores canvas", 0.2, 0.2);
	const late = await browser.hover("#cores canvas", 0.8, 0.2);
	result("Xeon Phi: the pointer shows three threads in use at the beginning",
		early.includes("Threads_in_Use 3"), early);
	result("Xeon Phi: the headline has the card's IPC", /IPC\s*\d\.\d+/.test(
		await text(browser, "#headline")));
	const scales = await browser.eval(`(() => {
		const nodes = JSON.parse(document.getElementById("data").textContent)
			.phi.nodes.filter((n) => !n.share && n.value > 0);
		const unit = nodes.map((n) => n.unit).find((u) =>
			nodes.filter((n) => n.unit === u).length > 1);
		return nodes.filter((n) => n.unit === unit).map((n) => [n.value,
			+document.querySelector('.row[data-node="' + n.name +
				'"] rect').getAttribute("width") / n.value]);
	})()`);
	result("Xeon Phi: bars of the same unit have the same scale", scales.length > 1 &&
		scales.every(([, s]) => Math.abs(s / scales[0][1] - 1) < 1e-6), scales);
	result("Xeon Phi: the pointer shows four threads in use later",
		late.includes("Threads_in_Use 4"), late);
}

async function stack(browser) {
	await browser.look(1280, false);
	await browser.open(file("stack.html"));
	const tip = await browser.hover('[data-cell="commit base"]');
	result("CPI stack: the pointer shows the value of a component",
		/^commit base\n0\.\d+ ±\s[0-9.]+ cycles per instruction/.test(tip), tip);
	same("CPI stack: each stage has components", await browser.eval(
		`new Set([...document.querySelectorAll("[data-cell]")].map((e) =>
			e.dataset.cell.split(" ")[0])).size`), 3);
	result("CPI stack: the pointer marks an approximate component",
		(await browser.hover('[data-cell="dispatch icache"]'))
			.includes("approximate: "));
	const parted = await browser.hover('[data-cell="issue dcache"]');
	result("CPI stack: the pointer shows the parts of a component",
		/\nl2: -?\d+\.\d+/.test(parted), parted);
}

/* The page of two core types shows one of them, and the other at a click. */
async function hybrid(browser) {
	const recording = file("hybrid.rec");
	const shown = async () => [await text(browser, "#core-types [aria-pressed=true]"),
		await text(browser, '.row[data-node="Retiring"] .number'),
		(await text(browser, "#about")).match(/CPUs([0-9-]+) of 4/)?.[1]];
	const number = (cpus) => percent(report(recording, "-l", "1", "-C", cpus)
		.find((row) => row.metric === "Retiring").value);
	const begins = (found, wanted) => found.length === wanted.length &&
		found.every((s, i) => s && s.startsWith(wanted[i]));

	await browser.look(1280, false);
	await browser.open(file("hybrid.html"));
	const first = await shown(), headline = await text(browser, "#headline");
	result("two core types: the page begins with the performance cores", begins(first,
		["Intel Alder Lake or Raptor Lake, performance core, CPU 0-1", number("0-1"), "0-1"]), first);
	await browser.click("#core-types button:last-child");
	await browser.drawn();
	const second = await shown();
	result("two core types: a click shows the efficient cores", begins(second,
		["Intel Alder Lake or Raptor Lake, efficient core, CPU 2-3", number("2-3"), "2-3"]), second);
	result("two core types: the headline is that of the core type",
		await text(browser, "#headline") !== headline);
	same("two core types: the page has one heading", await browser.eval(
		'document.querySelectorAll("h1").length'), 1);
	await browser.click("#core-types button:first-child");
	await browser.drawn();
	same("two core types: another click returns", await shown(), first);
}

/*
 * The rates are known: in the first half no FLOP, then 2 GFLOP/s at 4 GB/s; 1.6 Guop/s at 8 GB/s,
 * then 4.8 Guop/s at 4 GB/s. Ceilings are 10 GB/s, 16 GFLOP/s and 8 Guop/s.
 */
async function roofline(browser) {
	await browser.look(1280, false);
	await browser.open(file("roofline.html"));
	const { end, flop, uop } = await browser.eval(`(() => {
		const points = (id) => [...document.querySelectorAll(
			"#roofline-" + id + " circle")].map((c) => [c.dataset.point,
			+c.getAttribute("cx"), +c.getAttribute("cy")]);
		const roof = (id, part) => { const l = document.querySelector(
			"#roofline-" + id + " [data-roof=" + part + "]");
			return ["x1", "y1", "x2", "y2"].map((a) => +l.getAttribute(a)); };
		const of = (id) => ({ points: points(id), memory: roof(id, "memory"),
			work: roof(id, "work") });
		const data = JSON.parse(document.getElementById("data").textContent);
		return { end: data.roofline.views[0].end,
			flop: of("FLOP"), uop: of("uop") };
	})()`);

	const idle = end.filter((t) => t <= 6).length;

	same("roofline: intervals without FLOPs have no point", flop.points.length - 1,
		end.length - idle);
	result("roofline: a note has the number of intervals without FLOPs",
		(await text(browser, ".figure:has(#roofline-FLOP)"))
		.includes(idle + " of " + end.length + " intervals"));
	same("roofline: all intervals have a point of uops", uop.points.length - 1, end.length);
	const tip = await browser.hover("#roofline-FLOP [data-point=whole]");
	same("roofline: the large point has the values of the whole recording", tip.split("\n"),
		["whole recording", "1 GFLOP/s", "0.16667 FLOPs per byte"]);
	const at = (key) => uop.points.find(([k]) => k === String(key));
	const [, x0, y0] = at(0), [, x1, y1] = at(end.length - 2);
	/* Width and height of a decade on the screen, from two points with known values. */
	const wide = (x1 - x0) / Math.log10(1.2 / 0.2);
	const high = (y0 - y1) / Math.log10(4.8 / 1.6);
	const near = (a, b) => Math.abs(a - b) < 0.01;
	const [left, bottom, ridge, top] = uop.memory;
	result("roofline: the roof is at the measured peak of work",
		near(y1 - uop.work[1], high * Math.log10(8 / 4.8)), uop);
	same("roofline: the slope ends where the roof begins", [ridge, top],
		uop.work.slice(0, 2));
	result("roofline: both limits meet at the ratio of their peaks",
		near(x1 - ridge, wide * Math.log10(1.2 / 0.8)), uop);
	result("roofline: the slope is proportional to the work per byte",
		near((bottom - top) / high, (ridge - left) / wide), uop);
}

/*
 * Of 1000 interrupts by instructions 480 are in one function sum(), 10 in another one, and 400 in
 * copy(); cycles interrupted the first one only.
 */
async function flame(browser) {
	const boxes = () => browser.eval(`Object.fromEntries([...document.querySelectorAll(
		"#flame button")].map((b) => [b.dataset.function, parseFloat(b.style.width)]))`);
	const choose = (selector, value, type) => browser.eval(`(() => {
		const e = document.querySelector("${selector}");
		e.value = "${value}";
		e.dispatchEvent(new Event("${type}"));
	})()`);

	await browser.look(1280, false);
	await browser.open(file("both.html"));
	same("flame graph: the first event has its functions", await boxes(),
		{ "sum [where]": 100, where: 100, "cycles:u": 100 });
	await choose("#flame-event", 1, "change");
	const all = await boxes();
	same("flame graph: widths are shares", [all.where, all["sum [where]"],
		all["copy [where]"], all["work [kernel]"], all["sum [where-too]"]],
	[100, 48, 40, 10, 1]);
	same("flame graph: callers are below", await browser.eval(
		'[...document.querySelectorAll("#flame .stack:last-child button")].map((b) => b.dataset.function)'),
	["instructions:u"]);
	same("flame graph: the pointer shows events and share",
		(await browser.hover('#flame [data-function="copy [where]"]')).split("\n"),
		["copy [where]", "4,000,000 instructions:u", "40.0 % of all"]);
	await choose("#flame-search", "SUM", "input");
	same("flame graph: a search tells the share of what it finds",
		await text(browser, "#flame-found"), "49.0 % in functions found");
	same("flame graph: a search marks what it finds", await browser.eval(
		'[...document.querySelectorAll("#flame .found")].map((b) => b.dataset.function).sort()'),
	["sum [where-too]", "sum [where]"]);
	await choose("#flame-search", "", "input");
	await browser.click('#flame [data-function="copy [where]"]');
	same("flame graph: a click on a function zooms to it and its callers", await boxes(),
		{ "copy [where]": 100, where: 100, "instructions:u": 100 });
	await browser.click("#flame-whole");
	same("flame graph: a button shows the whole again", await boxes(), all);
}

/* Returns the CPU time of the browser's own thread, which does not depend on other programs. */
async function seconds(browser, action) {
	const spent = async () => (await browser.send("Performance.getMetrics"))
		.metrics.find((m) => m.name === "TaskDuration").value;
	const before = await spent();

	await action();
	await browser.drawn();
	return await spent() - before;
}

/* A page of 256 CPUs has fewer intervals than others, so that it does not become too large. */
async function big(browser) {
	const size = fs.statSync(file("big.html")).size;

	await browser.look(1280, false);
	await browser.send("Performance.enable", { timeDomain: "threadTicks" });
	const opened = await seconds(browser, () => browser.open(file("big.html")));
	const pressed = await seconds(browser, () =>
		browser.click('.row[data-node="Memory_Bound"]'));
	const pointed = await seconds(browser, () => browser.hover("#cpus canvas", 0.7, 0.9));
	await browser.send("Performance.disable");
	const [cpus, intervals] = await browser.eval(`(() => {
		const { rows, nodes } = JSON.parse(document.getElementById("data")
			.textContent).topdown;
		return [rows.length, nodes[0].c[255].length];
	})()`);

	same("256 CPUs: the page has all", cpus, 256);
	result("256 CPUs: the page has 50 to 58 intervals",
		intervals >= 50 && intervals <= 58, intervals);
	result("256 CPUs: the page has less than 5 MB", size < 5e6, size);
	result("256 CPUs: the page opens within 2 s of CPU time",
		opened > 0.01 && opened < 2, opened);
	result("256 CPUs: the page reacts within 0.3 s of CPU time",
		pressed < 0.3 && pointed < 0.3, [pressed, pointed]);
}

async function main() {
	const browser = new Browser(process.env.CHROMIUM || "chromium");

	try {
		await browser.start();
		await topdown(browser);
		await overview(browser);
		await knc(browser);
		await stack(browser);
		await hybrid(browser);
		await roofline(browser);
		await flame(browser);
		await browser.open(file("topdown.html"));
		await published(browser);
		await big(browser);
		await browser.open(file("topdown.html"));
		await counted(browser);
		await paper(browser);
		for (const name of ["topdown", "knc", "stack", "hybrid", "roofline", "both"])
			await check.clear(browser, file(name + ".html"));
		await check.quiet(browser, folder, "all pages");
	} finally {
		await browser.close();
	}
	check.end();
}

main().catch(check.bail);
