// SPDX-License-Identifier: GPL-2.0
"use strict";
/*
 * Draws what user/html_view.h describes. Numbers are never clamped: an axis ends
 * where they do.
 */
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const tip = document.getElementById("tip");
const colours = ["#b48ade", "#e8866a", "#7fbf7b", "#6fa8dc", "#e3b448",
	"#5fc0b7", "#d982b5", "#a9b665", "#c49a6c", "#8f9bd8"];
const PRINT_WIDTH = 680;
const STRIP = 14;
/* drawn again when width or colours change */
const drawings = [];
let printing = false;

function el(name, attributes, ...children) {
	const e = document.createElement(name);
	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith("on"))
			e.addEventListener(key.slice(2), value);
		else if (value !== false && value != null)
			e.setAttribute(key, value);
	}
	e.append(...children.filter((c) => c != null));
	return e;
}

function svg(name, attributes, text) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes || {}))
		e.setAttribute(key, value);
	if (text != null)
		e.textContent = text;
	return e;
}

function css(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue(name).trim();
}

function plain(value) {
	if (value == null)
		return "no value";
	const size = Math.abs(value);
	if (Number.isInteger(value))
		return value.toLocaleString("en-US");
	if (size >= 1e5)
		return Math.round(value).toLocaleString("en-US");
	return String(Number(value.toPrecision(5)));
}

function number(node, value) {
	if (value == null || !node.share)
		return plain(value);
	return (100 * value).toFixed(1) + " %";
}

/* for an axis: 12.5 G */
function short(value) {
	for (const [one, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"],
		[1e3, "k"]])
		if (Math.abs(value) >= one)
			return +(value / one).toPrecision(4) + " " + letter;
	return String(+value.toPrecision(4));
}

function spread(node, half) {
	if (half === "inf")
		return " ± ?";
	if (!half)
		return "";
	return " ± " + (node.share ? (100 * half).toFixed(1) :
		plain(Number(half.toPrecision(3))));
}

function unit(node) {
	if (!node.unit)
		return "";
	return node.share ? " of " + node.unit : " " + node.unit;
}

function seconds(value) {
	return Number(value.toPrecision(5)) + " s";
}

function showTip(event, text) {
	tip.textContent = text;
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	const left = Math.min(event.clientX + 14, innerWidth - box.width - 6);
	let top = event.clientY + 16;
	if (top + box.height > innerHeight)
		top = event.clientY - box.height - 10;
	tip.style.left = Math.max(4, left) + "px";
	tip.style.top = Math.max(4, top) + "px";
}

function tipped(element, text) {
	if (!text)
		return element;
	element.addEventListener("pointermove", (e) => showTip(e, text));
	element.addEventListener("pointerleave", () => { tip.hidden = true; });
	return element;
}

function drawn(host, draw) {
	drawings.push({ host, draw });
	draw(host);
}

function width(host) {
	return printing ? PRINT_WIDTH : Math.max(240, host.clientWidth);
}

function table(heads, rows) {
	const head = el("tr", {}, ...heads.map((h) => el("th", {}, h)));
	const body = rows.map((row) => el("tr", {},
		...row.map((cell) => el("td", {}, cell))));
	return el("div", { class: "scroll" }, el("table", {},
		el("thead", {}, head), el("tbody", {}, ...body)));
}

/* on one sheet of paper, if it fits there */
function figure(...children) {
	return el("section", { class: "figure" }, ...children);
}

/* made when it is opened */
function numbers(title, make) {
	const details = el("details", {}, el("summary", {}, title));
	details.addEventListener("toggle", () => {
		if (details.open && details.children.length === 1)
			details.append(make());
	});
	return details;
}

function middle(view) {
	return view.begin.map((b, i) => (b + view.end[i]) / 2);
}

function timeTable(view, nodes) {
	return table(["from", "to", ...nodes.map((n) => n.name), "lost"],
		view.end.map((end, i) => [seconds(view.begin[i]), seconds(end),
			...nodes.map((n) => number(n, n.v[i]) +
				spread(n, n.u[i])),
			plain(view.lost[i])]));
}

/* below a plot: samples lost in red, and how much of the time was counted */
function least(view, i) {
	const parts = view.groups.map((g) => g.running[i])
		.filter((r) => r != null);
	return parts.length ? Math.min(...parts) : null;
}

/* draws nothing outside of the plot */
function within(u, draw) {
	u.ctx.save();
	u.ctx.beginPath();
	u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	u.ctx.clip();
	draw(u.ctx, (v) => u.valToPos(v, "y", true));
	u.ctx.restore();
}

/* edges of an interval; whole pixels leave no seams */
function span(u, view, i) {
	const a = Math.round(u.valToPos(view.begin[i], "x", true));
	const b = Math.round(u.valToPos(view.end[i], "x", true));

	return [a, Math.max(1, b - a)];
}

function strip(view) {
	return (u) => within(u, (ctx) => {
		const high = STRIP * devicePixelRatio;
		const y = u.bbox.top + u.bbox.height - high;
		for (let i = 0; i < view.end.length; i++) {
			const part = least(view, i);
			const [x, w] = span(u, view, i);
			ctx.globalAlpha = part == null ? 0 : 0.15 + 0.6 * part;
			ctx.fillStyle = css("--soft");
			ctx.fillRect(x, y + high * 0.65, w, high * 0.35);
			if (!view.lost[i])
				continue;
			ctx.globalAlpha = 1;
			ctx.fillStyle = css("--mark");
			ctx.fillRect(x, y, Math.max(3 * devicePixelRatio, w),
				high * 0.6);
		}
	});
}

function counting(view, i) {
	const part = least(view, i);
	let text = part == null ? "" : "\neach group counted at least " +
		(100 * part).toFixed(0) + " % of the time";
	if (view.lost[i])
		text += "\n" + plain(view.lost[i]) + " samples lost";
	return text;
}

/* a value is of all of its interval: from one number to another, or a line */
function area(u, view, from, to, colour, alpha) {
	within(u, (ctx, y) => {
		ctx.fillStyle = colour;
		ctx.globalAlpha = alpha;
		to.forEach((v, i) => {
			if (v == null || from[i] == null)
				return;
			const [x, w] = span(u, view, i);
			ctx.fillRect(x, y(v), w, y(from[i]) - y(v));
		});
	});
}

function steps(u, view, values, colour, wide) {
	within(u, (ctx, y) => {
		ctx.strokeStyle = colour;
		ctx.lineWidth = wide * devicePixelRatio;
		ctx.beginPath();
		values.forEach((v, i) => {
			if (v == null)
				return;
			const [x, w] = span(u, view, i);
			if (i === 0 || values[i - 1] == null)
				ctx.moveTo(x, y(v));
			else
				ctx.lineTo(x, y(v));
			ctx.lineTo(x + w, y(v));
		});
		ctx.stroke();
	});
}

/* a line up and down at a part of each interval; a band where there is no room */
function whisker(u, view, low, high, part, room) {
	const colour = css("--front");

	if (span(u, view, 0)[1] < room * devicePixelRatio) {
		area(u, view, low, high, colour, 0.2);
		return;
	}
	within(u, (ctx, y) => {
		ctx.strokeStyle = colour;
		ctx.lineWidth = devicePixelRatio;
		ctx.globalAlpha = 0.6;
		ctx.beginPath();
		low.forEach((from, i) => {
			if (from == null || from === high[i])
				return;
			const [x, w] = span(u, view, i);
			const at = Math.round(x + part * w) + 0.5;
			ctx.moveTo(at, y(from));
			ctx.lineTo(at, y(high[i]));
			for (const end of [from, high[i]]) {
				ctx.moveTo(at - 2 * devicePixelRatio, y(end));
				ctx.lineTo(at + 2 * devicePixelRatio, y(end));
			}
		});
		ctx.stroke();
	});
}

function edges(middles, halves) {
	const low = [], high = [];
	middles.forEach((m, i) => {
		const known = m != null && halves[i] !== "inf" && halves[i] != null;
		low.push(known ? m - halves[i] : null);
		high.push(known ? m + halves[i] : null);
	});
	return [low, high];
}

function extent(lists) {
	let low = 0, high = 0;
	for (const list of lists)
		for (const v of list)
			if (v != null) {
				low = Math.min(low, v);
				high = Math.max(high, v);
			}
	return [low, high || 1];
}

function plot(host, view, lines, share, options) {
	const x = middle(view);
	const first = view.begin[0], last = view.end[view.end.length - 1];
	const [low, high] = options.range;
	/* room for the strip */
	const h = width(host) < 500 ? 210 : 260;
	const room = (high - low) * 1.05 * (STRIP + 4) / (h - 60);
	const axis = { stroke: css("--soft"), grid: { stroke: css("--line"),
		width: 1 }, ticks: { stroke: css("--line"), width: 1 } };
	host.replaceChildren();
	return new uPlot({
		width: width(host), height: h,
		legend: { show: false },
		cursor: { drag: { x: true, y: false } },
		scales: {
			/* what is zoomed to, or all of the intervals */
			x: { time: false, range: (u, a, b) => a <= x[0] &&
				b >= x[x.length - 1] ? [first, last] : [a, b] },
			y: { range: () => [low - room, high + (high - low) * 0.05] },
		},
		axes: [
			{ ...axis, values: (u, v) => v.map((s) => +s.toPrecision(6) + " s") },
			{ ...axis, size: 62, values: (u, v) => v.map((n) => share ?
				+(100 * n).toFixed(1) + " %" : short(n)) },
		],
		/* the hooks draw them */
		series: [{}, ...lines.map(() => ({ width: 0,
			points: { show: false } }))],
		hooks: {
			draw: [...options.draw, strip(view)],
			setCursor: [(u) => {
				const i = u.cursor.idx;
				const box = u.over.getBoundingClientRect();
				if (i == null || u.cursor.left < 0) {
					tip.hidden = true;
					return;
				}
				showTip({ clientX: box.left + u.cursor.left,
					clientY: box.top + u.cursor.top },
				seconds(view.begin[i]) + " to " +
					seconds(view.end[i]) + "\n" +
					options.text(i) + counting(view, i));
			}],
		},
	}, [x, ...lines], host);
}

/*
 * Positive values are stacked upwards from 0, negative ones downwards, so that
 * neither hides the other.
 */
function stacked(host, view, nodes, colourOf) {
	const up = view.end.map(() => 0), down = view.end.map(() => 0);
	const from = [], to = [], draw = [];
	for (const node of nodes) {
		const a = [], b = [];
		node.v.forEach((v, i) => {
			const base = v < 0 ? down : up;
			a.push(v == null ? null : base[i]);
			if (v != null)
				base[i] += v;
			b.push(v == null ? null : base[i]);
		});
		from.push(a);
		to.push(b);
	}
	const ends = nodes.map((n, k) => edges(to[k], n.u));
	nodes.forEach((node, k) => {
		draw.push((u) => area(u, view, from[k], to[k], colourOf(node),
			1));
	});
	nodes.forEach((node, k) => {
		draw.push((u) => whisker(u, view, ...ends[k],
			(k + 0.5) / nodes.length, 4 * nodes.length));
	});
	const range = extent(to);
	if (nodes.every((n) => n.share))
		range[1] = Math.max(range[1], 1);
	plot(host, view, to, nodes[0].share, {
		range, draw,
		text: (i) => nodes.map((n) => n.name + " " +
			number(n, n.v[i]) + spread(n, n.u[i])).join("\n"),
	});
}

function oneLine(host, view, node, colour) {
	const [low, high] = edges(node.v, node.u);
	const [a, b] = extent([node.v]);
	const [from, to] = extent([node.v, low, high]);
	plot(host, view, [node.v], node.share, {
		/* what is known too badly must not hide the values */
		range: [Math.max(from, a - (b - a)), Math.min(to, b + (b - a))],
		draw: [(u) => area(u, view, low, high, colour, 0.35),
			(u) => steps(u, view, node.v, colour, 2)],
		text: (i) => node.name + " " + number(node, node.v[i]) +
			spread(node, node.u[i]) + unit(node),
	});
}

function legend(nodes, colourOf, click) {
	return el("div", { class: "legend" }, ...nodes.map((n) => {
		const dot = el("i", { class: "swatch",
			style: "background:" + colourOf(n) });
		return click ? el("button", { type: "button",
			onclick: () => click(n) }, dot, n.name) :
			tipped(el("span", {}, dot, n.name), n.text);
	}));
}

/* ---- header ---- */

function about() {
	const a = data.about;
	const facts = [
		["Part", a.title + " (" + a.part + ")"], ["Machine", a.host],
		["CPUs", a.cpus + " of " + a.machine_cpus + (a.smt ?
			", several threads a core" : ", one thread a core")],
		["Begun", a.begun], ["Command", a.command],
		["Length", seconds(lengthOf())],
		["Samples", "every " + plain(a.period_ms) + " ms; drawn every " +
			plain(a.drawn_ms) + " ms"],
		["Asked for", a.asked],
	];
	const plan = a.groups.map((g, i) => [String(i + 1) +
		(g.uncore ? " (uncore)" : ""), g.events.join(", ")]);
	page.append(el("h1", {}, "What " + (a.command ? "ran" : "was recorded") +
		" on " + a.title));
	page.append(el("dl", { id: "about" }, ...facts.filter((f) => f[1])
		.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])));
	if (a.cut)
		page.append(el("p", { class: "warn" },
			"The file was cut off: what is before is shown."));
	const events = el("details", { id: "plan", class: "paper" }, el("summary", {},
		a.groups.length + " groups of events" +
		(a.groups.length > 1 ? " took turns" : "")));
	events.append(el("dl", {}, ...plan.flatMap(([k, v]) =>
		[el("dt", {}, "Group " + k), el("dd", {}, v)])));
	page.append(events);
}

function views() {
	return [data.topdown, data.metrics, data.phi, data.events]
		.filter((v) => v && v.end);
}

function lengthOf() {
	const view = views()[0];
	const last = view ? view.end.length - 1 : -1;
	return last < 0 ? 0 : view.end[last] - view.begin[0];
}

/* ---- the tree ---- */

function Tree(view) {
	const byId = new Map(view.nodes.map((n) => [n.id, n]));
	const children = (id) => view.nodes.filter((n) => n.parent === id);
	const path = (n) => n ? [...path(byId.get(n.parent)), n] : [];
	const colour = new Map();
	for (const node of view.nodes) {
		const place = children(node.parent).indexOf(node);
		const shift = node.level > 1 ? view.nodes.filter((n) =>
			n.level === node.level).indexOf(node) : place;
		colour.set(node.id, colours[shift % colours.length]);
	}
	this.colourOf = (n) => colour.get(n.id);
	this.children = children;
	this.path = path;
	/* the deepest flagged node; of several at that depth the largest */
	this.worst = view.nodes.filter((n) => n.flagged)
		.reduce((best, n) => !best || n.level > best.level ||
			(n.level === best.level && n.value > best.value) ?
			n : best, null);
}

function stackRow(tree, nodes, chosen, select) {
	const sum = nodes.reduce((s, n) => s + Math.abs(n.value || 0), 0);
	const whole = nodes.every((n) => n.share) ? Math.max(1, sum) : sum;
	const row = el("div", { class: "stack" });
	for (const node of nodes) {
		if (node.value == null)
			continue;
		const part = 100 * Math.abs(node.value) / (whole || 1);
		const names = [node.value < 0 && "below", node.flagged && "flag",
			chosen.includes(node) && "on"].filter(Boolean);
		row.append(tipped(el("button", {
			type: "button", class: names.join(" "),
			"data-stack": node.name,
			style: `width:${part}%;background-color:${tree.colourOf(node)}`,
			onclick: () => select(node),
		}, part > 7 ? `${node.name} ${number(node, node.value)}` : ""),
		describe(node)));
	}
	return row;
}

function describe(node) {
	return node.name + "\n" + number(node, node.value) +
		spread(node, node.half) + unit(node) +
		(node.flags ? "\n" + node.flags : "");
}

/* a bar from 0 to the value, and whiskers; the line is where 1 is */
function bar(node, colour, low, high) {
	const s = svg("svg", { viewBox: "0 0 1000 18",
		preserveAspectRatio: "none", "aria-hidden": "true" });
	const at = (v) => 1000 * (v - low) / (high - low || 1);
	const line = (x, a, b, stroke, wide) => s.append(svg("line", {
		x1: x, x2: x, y1: a, y2: b, stroke, "stroke-width": wide,
		"vector-effect": "non-scaling-stroke" }));
	line(at(0), 0, 18, css("--soft"), 1);
	if (node.share)
		line(at(1), 0, 18, css("--line"), 1);
	if (node.value == null)
		return s;
	s.append(svg("rect", { x: Math.min(at(0), at(node.value)), y: 3,
		width: Math.abs(at(node.value) - at(0)), height: 12,
		fill: colour }));
	/* each CPU or core */
	if (node.r.length > 1)
		for (const [value] of node.r.filter((r) => r[0] != null))
			line(at(value), 15, 18, css("--front"), 1.5);
	if (!node.half)
		return s;
	const half = node.half === "inf" ? high - low : node.half;
	const a = Math.max(0, at(node.value - half));
	const b = Math.min(1000, at(node.value + half));
	s.append(svg("line", { x1: a, x2: b, y1: 9, y2: 9,
		stroke: css("--front"), "stroke-width": 1,
		"stroke-dasharray": node.half === "inf" ? "3 3" : "none",
		"vector-effect": "non-scaling-stroke" }));
	if (node.half !== "inf")
		for (const x of [a, b])
			line(x, 4, 14, css("--front"), 1);
	return s;
}

function limits(nodes) {
	const all = nodes.filter((n) => n.value != null).flatMap((n) =>
		n.half === "inf" ? [n.value] : [n.value - (n.half || 0),
			n.value + (n.half || 0)]).concat(nodes.flatMap((n) =>
		n.r.map((r) => r[0]).filter((v) => v != null)));
	const low = Math.min(0, ...all);
	const high = Math.max(nodes.some((n) => n.share) ? 1 : 0, ...all);
	return [low, high];
}

/* a long name goes on in the next line behind a _ */
function breakable(name) {
	return name.split(/(?<=_)/).flatMap((part) => [el("wbr"), part]);
}

function rowsOf(view, tree, key, select, mark) {
	const host = el("div", { class: "tree", id: key + "-tree" });
	const shares = view.nodes.filter((n) => n.share);
	const range = limits(shares);
	drawn(host, () => {
		host.replaceChildren(...view.nodes.map((node) => {
			const [low, high] = node.share ? range : limits([node]);
			const indent = Math.max(0, node.level - 1) * 16;
			return el("button", { type: "button",
				class: "row" + (node.flagged ? " flag" : ""),
				"data-node": node.name,
				onclick: () => select(node) },
			el("span", { class: "name", style: `padding-left:${indent}px` },
				node.flagged ? "▶\u00a0" : "", ...breakable(node.name)),
			bar(node, tree.colourOf(node), low, high),
			el("span", { class: "number" }, number(node, node.value) +
				spread(node, node.half)));
		}));
		mark();
	});
	return host;
}

function explain(tree, node) {
	const facts = [["Value", number(node, node.value) +
		spread(node, node.half) + unit(node)],
	["Notes", node.flags], ["Formula from", node.source]];
	return [el("h3", { class: node.flagged ? "mark" : "" },
		tree.path(node).map((n) => n.name).join(" › ")),
	node.text ? el("p", { class: "text" }, node.text) : null,
	node.next ? el("p", { class: "next" }, el("b", {}, "Next: "),
		node.next) : null,
	el("dl", {}, ...facts.filter((f) => f[1]).flatMap(([k, v]) =>
		[el("dt", {}, k), el("dd", {}, v)]))].filter(Boolean);
}

function treeSection(view, title, key) {
	const tree = new Tree(view);
	const stacks = el("div", { class: "stacks" });
	const words = el("div", {});
	const chart = el("div", { class: "plot" });
	const detail = el("div", { class: "detail", id: key + "-detail" },
		words, chart);
	let chosen = tree.worst || view.nodes[0];
	let rows;

	page.append(el("h2", {}, title));
	if (key === "topdown")
		verdict(tree);
	const select = (node) => {
		chosen = node;
		const path = tree.path(node);
		stacks.replaceChildren();
		for (const parent of [{ id: -1 }, ...path]) {
			/* shares of slots add up; others of the same parent overlap */
			const kids = tree.children(parent.id)
				.filter((n) => n.share);
			if (kids.length && key === "topdown")
				stacks.append(stackRow(tree, kids, path, select));
		}
		words.replaceChildren(...explain(tree, node));
		oneLine(chart, view, node, tree.colourOf(node));
		mark();
	};
	const mark = () => {
		for (const row of rows ? rows.children : [])
			row.classList.toggle("on",
				row.dataset.node === chosen.name);
	};
	page.append(stacks);
	rows = rowsOf(view, tree, key, select, mark);
	page.append(rows, view.rows.length > 1 ? el("p", { class: "soft" },
		"Whiskers: 95 % intervals, dashed where nothing is known. Ticks below a bar: " +
		view.rows[0] + " to " + view.rows[view.rows.length - 1] +
		", each by itself.") : "", detail);
	drawn(chart, () => select(chosen));
	page.append(numbers("Numbers of the tree", () => table(
		["metric", "value", "±", "unit", "notes"],
		view.nodes.map((n) => [n.name, n.value == null ? "no value" :
			String(n.value), n.half === "inf" ? "?" :
			String(n.half || 0), n.unit || "", n.flags || ""]))));
	return tree;
}

function verdict(tree) {
	const node = tree.worst;
	const box = el("div", { id: "verdict" });
	if (!node) {
		box.append(el("p", {},
			"Nothing is flagged: no part of the pipeline stands out."));
	} else {
		box.append(el("p", {}, "Flagged: ", el("span", { class: "mark" },
			tree.path(node).map((n) => n.name).join(" › "))));
		if (node.text)
			box.append(el("p", {}, node.text));
		if (node.next)
			box.append(el("p", {}, el("b", {}, "Next: "), node.next));
	}
	page.append(box);
}

/* ---- over time ---- */

function stripWords(view) {
	const lost = view.lost.reduce((a, b) => a + b, 0);
	return "Grey below each plot: the part of the time that the least counted " +
		"group was on the counters, the darker the more. Red: samples were lost" +
		(lost ? " (" + plain(lost) + " in all; counts are whole, intervals coarser)." :
			" (none were).") + " Whiskers and bands: 95 % intervals, none where nothing is known of one; what leaves a plot is wider than it.";
}

function levelsSection(view, tree) {
	page.append(el("h2", {}, "Levels over time"),
		el("p", { class: "soft" }, stripWords(view)));
	const kinds = new Map();
	for (const node of view.nodes) {
		const key = node.level + "\n" + (node.unit || "");
		kinds.set(key, [...(kinds.get(key) || []), node]);
	}
	for (const nodes of kinds.values()) {
		const [{ level, share }] = nodes;
		const host = el("div", { class: "plot",
			"data-level": level + unit(nodes[0]) });
		page.append(figure(el("h3", {}, "Level " + level + ", shares" +
			unit(nodes[0])), legend(nodes, tree.colourOf), host));
		if (share)
			drawn(host, () => stacked(host, view, nodes,
				tree.colourOf));
		page.append(numbers("Numbers of each interval", () =>
			timeTable(view, nodes)));
	}
}

/* ---- heat map ---- */

function heatColour(value, low, high) {
	if (value == null)
		return null;
	if (value < 0) {
		const t = low < 0 ? value / low : 0;
		return `hsl(320 70% ${75 - 35 * t}%)`;
	}
	const t = high > 0 ? value / high : 0;
	return `hsl(${50 - 35 * t} ${70 + 15 * t}% ${90 - 52 * t}%)`;
}

/* 1, 2 or 5 times a power of ten */
function niceStep(least) {
	const ten = 10 ** Math.floor(Math.log10(least || 1));

	return ten * [1, 2, 5, 10].find((n) => n * ten >= (least || 1));
}

function drawHeat(host, view, node, scale) {
	const canvas = host.querySelector("canvas");
	/* the first and the last label may be higher than their rows */
	const wide = width(host), label = 64, head = 8, foot = 26;
	const rows = view.rows.length;
	const cell = Math.max(3, Math.min(26, Math.floor(420 / rows)));
	const high = head + rows * cell + foot;
	const ratio = devicePixelRatio;
	const ctx = canvas.getContext("2d");
	const first = view.begin[0];
	const last = view.end[view.end.length - 1];
	/* whole pixels leave no seams */
	const at = (t) => Math.round(ratio * (label + (wide - label) *
		(t - first) / (last - first || 1))) / ratio;

	canvas.width = wide * ratio;
	canvas.height = high * ratio;
	canvas.style.height = high + "px";
	ctx.scale(ratio, ratio);
	ctx.font = "12px system-ui, sans-serif";
	ctx.textBaseline = "middle";
	const every = Math.ceil(15 / cell);
	for (let r = 0; r < rows; r++) {
		node.c[r].forEach((v, i) => {
			ctx.fillStyle = heatColour(v, ...scale) || css("--none");
			const a = at(view.begin[i]);
			ctx.fillRect(a, head + r * cell, Math.max(0.5, at(view.end[i]) - a),
				cell - (cell > 6 ? 1 : 0));
		});
		ctx.fillStyle = css("--soft");
		if (r % every === 0)
			ctx.fillText(view.rows[r], 0, head + r * cell + cell / 2,
				label - 6);
	}
	const step = niceStep((last - first) / (wide < 500 ? 3 : 8));
	for (let t = Math.ceil(first / step) * step; t <= last; t += step) {
		const half = ctx.measureText(seconds(t)).width / 2;
		ctx.textAlign = at(t) - half < label ? "left" :
			at(t) + half > wide ? "right" : "center";
		ctx.fillText(seconds(t), at(t), high - 10);
	}
	host.cellAt = (x, y) => {
		const t = first + (x - label) / (wide - label) * (last - first);
		return [Math.floor((y - head) / cell),
			view.end.findIndex((end) => t < end)];
	};
}

function heatScale(node) {
	return extent(node.c);
}

function scaleWords(node, scale) {
	const steps = scale[0] < 0 ? [scale[0], scale[0] / 2] : [];
	for (let k = 0; k <= 4; k++)
		steps.push(scale[1] * k / 4);
	return el("div", { class: "legend" }, ...steps.map((v) => el("span", {},
		el("i", { class: "swatch", style: "background:" +
			heatColour(v, ...scale) }), number(node, v))),
	el("span", {}, el("i", { class: "swatch",
		style: "background:var(--none)" }), "no value"));
}

function heatSection(view, title, chosen, key) {
	const host = el("div", { class: "heat", id: key });
	const canvas = el("canvas", { role: "img", "aria-label": title });
	const scaleHost = el("div", {});
	const pick = el("select", { "aria-label": "metric of the heat map" },
		...view.nodes.map((n) => el("option", { value: n.id,
			selected: n === chosen && "" }, n.name)));
	let node = chosen;

	const draw = () => {
		const scale = heatScale(node);
		scaleHost.replaceChildren(scaleWords(node, scale));
		drawHeat(host, view, node, scale);
	};
	pick.addEventListener("change", () => {
		node = view.nodes.find((n) => n.id === +pick.value);
		draw();
	});
	canvas.addEventListener("pointermove", (e) => {
		const [r, i] = host.cellAt(e.offsetX, e.offsetY);
		if (i < 0 || !node.c[r]) {
			tip.hidden = true;
			return;
		}
		showTip(e, view.rows[r] + ", " + seconds(view.begin[i]) + " to " +
			seconds(view.end[i]) + "\n" + node.name + " " +
			number(node, node.c[r][i]) + counting(view, i));
	});
	canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
	host.append(canvas);
	page.append(figure(el("h2", {}, title), pick, scaleHost, host,
		numbers("Numbers of each row, over all of the time", () => table(
			["", ...view.nodes.map((n) => n.name)],
			view.rows.map((row, r) => [row, ...view.nodes.map((n) =>
				number(n, n.r[r][0]) + spread(n, n.r[r][1]))])))));
	drawn(host, draw);
}

/* ---- CPI stacks ---- */

const STAGES = ["dispatch", "issue", "commit"];
const COMPONENTS = ["base", "icache", "bpred", "dcache", "alu-latency",
	"depend", "other"];

/* as many digits as "barepmu cpistack" prints */
function cycles(value) {
	return value == null ? "no value" : value.toFixed(4);
}

function halfCycles(half) {
	return half === "inf" ? " ±\u00a0?" :
		half ? " ±\u00a0" + cycles(half) : "";
}

function stackColumns(stack) {
	const wide = 440, high = 280, foot = 24, head = 10, left = 44;
	const cells = stack.cells.map((stage) => {
		let up = 0, down = 0;
		return stage.map((cell) => {
			if (!cell || cell.value == null)
				return null;
			const from = cell.value < 0 ? down : up;
			if (cell.value < 0)
				down += cell.value;
			else
				up += cell.value;
			return { ...cell, from, to: from + cell.value };
		});
	});
	const reach = (c, sign) => c && c.to +
		(c.half === "inf" ? 0 : sign * c.half);
	const [low, top] = extent([[stack.cpi], ...cells.flatMap((stage) =>
		[-1, 1].map((sign) => stage.map((c) => reach(c, sign))))]);
	const y = (v) => head + (high - head - foot) * (top - v) / (top - low);
	const s = svg("svg", { viewBox: `0 0 ${wide} ${high}`, id: "columns",
		role: "img", "aria-label": "CPI stacks" });
	const tick = niceStep((top - low) / 8);
	for (let v = Math.ceil(low / tick) * tick; v <= top; v += tick) {
		s.append(svg("line", { x1: left, x2: wide, y1: y(v), y2: y(v),
			stroke: css("--line") }));
		s.append(svg("text", { x: left - 5, y: y(v) + 4,
			"text-anchor": "end" }, plain(+v.toPrecision(3))));
	}
	const step = (wide - left) / STAGES.length;
	cells.forEach((stage, k) => {
		const x = left + step * k + step * 0.2, w = step * 0.6;
		stage.forEach((cell, c) => {
			if (!cell)
				return;
			const r = svg("rect", { x, width: w, fill: colours[c],
				y: Math.min(y(cell.from), y(cell.to)),
				height: Math.abs(y(cell.from) - y(cell.to)),
				"data-cell": STAGES[k] + " " + COMPONENTS[c] });
			tipped(r, STAGES[k] + " " + COMPONENTS[c] + "\n" +
				cycles(cell.value) + halfCycles(cell.half) +
				" cycles per instruction" +
				(cell.near ? "\nnearly: " + cell.near : ""));
			s.append(r);
			if (!cell.half || cell.half === "inf")
				return;
			const m = x + w * (0.2 + 0.6 * c / COMPONENTS.length);
			const a = y(cell.to - cell.half), b = y(cell.to + cell.half);
			s.append(svg("path", { stroke: css("--front"), fill: "none",
				d: `M${m} ${a}V${b}M${m - 3} ${a}h6M${m - 3} ${b}h6` }));
		});
		s.append(svg("text", { x: x + w / 2, y: high - 6,
			"text-anchor": "middle" }, STAGES[k]));
	});
	if (stack.cpi != null)
		s.append(svg("line", { x1: left, x2: wide, y1: y(stack.cpi),
			y2: y(stack.cpi), stroke: css("--mark"),
			"stroke-dasharray": "6 4", "stroke-width": 2 }));
	return s;
}

/* as "barepmu cpistack" adds up: of all that the part can count */
function stackSum(stage) {
	const cells = stage.filter((c) => c);

	return cells.length && cells.every((c) => c.value != null) ?
		cells.reduce((sum, c) => sum + c.value, 0) : null;
}

function nearly(stack) {
	const facts = stack.cells.flatMap((stage, k) => stage.map((c, i) =>
		c && c.near && [STAGES[k] + " " + COMPONENTS[i], c.near]))
		.filter(Boolean);

	return facts.length ? el("details", { class: "paper" }, el("summary", {},
		"~ What is counted nearly"), el("dl", {},
		...facts.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]))) :
		null;
}

function stackSection(stack) {
	const cell = (c) => !c ? "–" : c.value == null ? "no value" :
		cycles(c.value) + (c.near ? "~" : "") + halfCycles(c.half);
	const host = el("div", { class: "columns", id: "stack" });
	const names = COMPONENTS.map((name, i) => ({ name, id: i }));
	const rows = COMPONENTS.map((name, i) => [name,
		...stack.cells.map((stage) => cell(stage[i])),
		...(stack.bounds[i] ? stack.bounds[i].map(cycles) : ["–", "–"])]);
	const words = [nearly(stack)].filter(Boolean);

	rows.push(["sum", ...stack.cells.map((s) => cycles(stackSum(s))), "", ""]);
	page.append(el("h2", {}, "CPI stacks at three stages"),
		el("p", { class: "soft" },
			"Cycles per instruction by cause, as they are lost at each stage; removing a cause saves something between the least and the most. Dashed: " +
			cycles(stack.cpi) + " cycles per instruction. ~ nearly, – cannot be counted on this part."),
		legend(names, (n) => colours[n.id]), host, ...words);
	drawn(host, () => host.replaceChildren(stackColumns(stack),
		table(["", ...STAGES, "least", "most"], rows)));
}

/* ---- events ---- */

function groupsPlot(view) {
	const host = el("div", { class: "plot", id: "groups" });
	const names = view.groups.map((g, i) => ({ id: i,
		name: "Group " + (i + 1) + (g.uncore ? " (uncore)" : ""),
		text: g.events.join("\n") }));
	const colourOf = (n) => colours[n.id % colours.length];
	page.append(figure(el("h3", {},
		"Part of the time that each group was counted"),
	legend(names, colourOf), host));
	drawn(host, () => plot(host, view, view.groups.map((g) => g.running),
		true, {
			range: [0, 1],
			draw: view.groups.map((g, i) => (u) => steps(u, view,
				g.running, colourOf({ id: i }), 1.5)),
			text: (i) => names.map((n) => n.name + " " +
				number({ share: true },
					view.groups[n.id].running[i]))
				.join("\n"),
		}));
}

function eventsSection(view) {
	const host = el("div", { class: "plot", id: "event-plot" });
	const pick = el("select", { "aria-label": "event", id: "event" },
		...view.nodes.map((n) => el("option", { value: n.id }, n.name)));
	let node = view.nodes[0];
	const draw = () => oneLine(host, view, node, colours[3]);

	pick.addEventListener("change", () => {
		node = view.nodes[+pick.value];
		draw();
	});
	page.append(el("h2", {}, "What was counted"));
	groupsPlot(view);
	page.append(figure(el("h3", {}, "Counts a second"), pick, host));
	drawn(host, draw);
	const counts = table(["event", "counts", "±", "counted"],
		view.nodes.map((n) => [n.name, plain(n.value),
			n.half === "inf" ? "?" : n.half ? plain(Math.round(n.half)) : "0",
			n.part == null ? "never" : (100 * n.part).toFixed(0) +
				" % of the time"]));
	counts.id = "events";
	page.append(counts);
}

/* what there is, and then what there is not */
function start() {
	const { topdown, phi, metrics, stack, events } = data;
	const missing = [];
	const show = (title, view, draw) => {
		if (view && view.why)
			missing.push([title, view.why]);
		else if (view)
			draw(view);
	};

	about();
	if (!phi || !topdown.why)
		show("Top-Down", topdown, () => {
			const tree = treeSection(topdown, "Top-Down", "topdown");
			levelsSection(topdown, tree);
			heatSection(topdown, "CPUs over time",
				tree.path(tree.worst)[0] || topdown.nodes[0],
				"cpus");
		});
	show("Threads per core", phi, () => {
		heatSection(phi, "Threads per core, and what they did",
			phi.nodes[0], "cores");
		treeSection(phi, "Metrics of the card", "phi");
	});
	show("Metrics", metrics, () => {
		treeSection(metrics, "Metrics", "metrics");
		heatSection(metrics, "Metrics of CPUs over time",
			metrics.nodes[0], "metric-cpus");
	});
	show("CPI stacks at three stages", stack, stackSection);
	show("What was counted", events, eventsSection);
	if (missing.length)
		page.append(el("h2", {}, "Not in this recording"),
			el("dl", { id: "missing" }, ...missing.flatMap(([k, v]) =>
				[el("dt", {}, k), el("dd", {}, v + ".")])));
}

function redraw() {
	tip.hidden = true;
	for (const { host, draw } of drawings)
		draw(host);
}

let wide = innerWidth;
addEventListener("resize", () => {
	if (innerWidth === wide || printing)
		return;
	wide = innerWidth;
	requestAnimationFrame(redraw);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
/* nobody opens anything on paper */
let closed = [];
addEventListener("beforeprint", () => {
	printing = true;
	closed = [...page.querySelectorAll("details.paper:not([open])")];
	closed.forEach((d) => { d.open = true; });
	document.documentElement.dataset.print = "";
	redraw();
});
addEventListener("afterprint", () => {
	printing = false;
	closed.forEach((d) => { d.open = false; });
	delete document.documentElement.dataset.print;
	redraw();
});
start();
})();
