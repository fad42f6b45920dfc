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
	if (size >= 1e6)
		return Math.round(value).toLocaleString("en-US");
	return String(Number(value.toPrecision(4)));
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

function strip(view) {
	return (u) => {
		const { left, top, height } = u.bbox;
		const ratio = devicePixelRatio;
		const y = top + height - STRIP * ratio;
		u.ctx.save();
		for (let i = 0; i < view.end.length; i++) {
			const a = u.valToPos(view.begin[i], "x", true);
			const b = u.valToPos(view.end[i], "x", true);
			const part = least(view, i);
			const x = Math.max(a, left);
			const w = Math.max(1, b - x);
			u.ctx.globalAlpha = part == null ? 0 : 0.15 + 0.6 * part;
			u.ctx.fillStyle = css("--soft");
			u.ctx.fillRect(x, y + STRIP * ratio * 0.65, w,
				STRIP * ratio * 0.35);
			if (!view.lost[i])
				continue;
			u.ctx.globalAlpha = 1;
			u.ctx.fillStyle = css("--mark");
			u.ctx.fillRect(x, y, Math.max(3 * ratio, w),
				STRIP * ratio * 0.6);
		}
		u.ctx.restore();
	};
}

function counting(view, i) {
	const part = least(view, i);
	let text = part == null ? "" : "\neach group counted at least " +
		(100 * part).toFixed(0) + " % of the time";
	if (view.lost[i])
		text += "\n" + plain(view.lost[i]) + " samples lost";
	return text;
}

function band(u, x, low, high, colour, alpha) {
	const { ctx } = u;
	ctx.save();
	ctx.fillStyle = colour;
	ctx.globalAlpha = alpha;
	for (let i = 0; i < x.length;) {
		const first = i;
		while (i < x.length && low[i] != null)
			i++;
		if (i > first) {
			ctx.beginPath();
			for (let k = first; k < i; k++)
				ctx.lineTo(u.valToPos(x[k], "x", true),
					u.valToPos(high[k], "y", true));
			for (let k = i - 1; k >= first; k--)
				ctx.lineTo(u.valToPos(x[k], "x", true),
					u.valToPos(low[k], "y", true));
			ctx.fill();
		}
		i++;
	}
	ctx.restore();
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
			x: { time: false, range: (u, a, b) => [a, b] },
			y: { range: () => [low - room, high + (high - low) * 0.05] },
		},
		axes: [
			{ ...axis, values: (u, v) => v.map((s) => +s.toPrecision(6) + " s") },
			{ ...axis, size: 62, values: (u, v) => v.map((n) => share ?
				+(100 * n).toFixed(1) + " %" : short(n)) },
		],
		series: [{}, ...lines.map((line) => ({
			stroke: line.stroke, width: line.width, fill: line.fill,
			fillTo: line.fillTo, points: { show: x.length < 3 },
			paths: line.paths,
		}))],
		bands: options.bands || [],
		hooks: {
			draw: [strip(view), ...(options.draw || [])],
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
	}, [x, ...lines.map((line) => line.values)], host);
}

/*
 * Positive values are stacked upwards from 0, negative ones downwards, so that
 * neither hides the other. Each is drawn from one edge to the next.
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
	const whiskers = nodes.map((n, k) => edges(to[k], n.u));
	const x = middle(view);
	nodes.forEach((node, k) => {
		draw.push((u) => area(u, x, from[k], to[k], colourOf(node)));
	});
	nodes.forEach((node, k) => {
		draw.push((u) => band(u, x, ...whiskers[k], css("--front"),
			0.2));
	});
	const range = extent([...to, ...whiskers.flat()]);
	if (nodes.every((n) => n.share))
		range[1] = Math.max(range[1], 1);
	plot(host, view, to.map((values) => ({ values, width: 0 })),
		nodes[0].share, {
			range, draw,
			text: (i) => nodes.map((n) => n.name + " " +
				number(n, n.v[i]) + spread(n, n.u[i])).join("\n"),
		});
}

function area(u, x, from, to, colour) {
	const at = (k, list) => u.valToPos(list[k], "y", true);
	u.ctx.save();
	u.ctx.beginPath();
	u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	u.ctx.clip();
	u.ctx.fillStyle = colour;
	for (let i = 0; i + 1 < x.length; i++) {
		const k = i + 1;
		if (to[i] == null || to[k] == null)
			continue;
		/* whole pixels leave no seams */
		const a = Math.round(u.valToPos(x[i], "x", true));
		const b = Math.round(u.valToPos(x[k], "x", true));
		u.ctx.beginPath();
		u.ctx.moveTo(a, at(i, from));
		u.ctx.lineTo(a, at(i, to));
		u.ctx.lineTo(b, at(k, to));
		u.ctx.lineTo(b, at(k, from));
		u.ctx.fill();
	}
	u.ctx.restore();
}

function oneLine(host, view, node, colour) {
	const [low, high] = edges(node.v, node.u);
	const range = extent([node.v, low, high]);
	plot(host, view, [{ values: node.v, stroke: colour, width: 2 }],
		node.share, {
			range,
			draw: [(u) => band(u, middle(view), low, high, colour,
				0.35)],
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
			el("span", {}, dot, n.name);
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
	const events = el("details", { id: "plan" }, el("summary", {},
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
			n.value + (n.half || 0)]);
	const low = Math.min(0, ...all);
	const high = Math.max(nodes.some((n) => n.share) ? 1 : 0, ...all);
	return [low, high];
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
				(node.flagged ? "▶\u00a0" : "") + node.name),
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
	page.append(rows, detail);
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
			" (none were).") + " Bands: 95 % intervals; none where nothing is known of it.";
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
		page.append(el("h3", {}, "Level " + level + ", shares" +
			unit(nodes[0])), legend(nodes, tree.colourOf), host);
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
	const ticks = wide < 500 ? 3 : 6;
	for (let k = 0; k <= ticks; k++) {
		const t = first + (last - first) * k / ticks;
		ctx.textAlign = k === 0 ? "left" : k === ticks ? "right" : "center";
		ctx.fillText(seconds(+t.toPrecision(3)), at(t), high - 10);
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
	page.append(el("h2", {}, title), pick, scaleHost, host,
		numbers("Numbers of each row, over all of the time", () => table(
			["", ...view.nodes.map((n) => n.name)],
			view.rows.map((row, r) => [row, ...view.nodes.map((n) =>
				number(n, n.r[r][0]) + spread(n, n.r[r][1]))]))));
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
	return half === "inf" ? " ± ?" : half ? " ± " + cycles(half) : "";
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
	const [low, top] = extent([...cells.map((stage) => stage.map((c) =>
		c && c.to + (c.half === "inf" ? 0 : c.half))), [stack.cpi]]);
	const y = (v) => head + (high - head - foot) * (top - v) / (top - low);
	const s = svg("svg", { viewBox: `0 0 ${wide} ${high}`, id: "columns",
		role: "img", "aria-label": "CPI stacks" });
	/* labels that have room */
	for (const v of [0, top / 2, top, low].filter((n, i, all) =>
		all.slice(0, i).every((m) => Math.abs(y(n) - y(m)) > 16))) {
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
			s.append(svg("path", { stroke: css("--front"), fill: "none",
				d: `M${m} ${y(cell.to - cell.half)}V${y(cell.to + cell.half)}` }));
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

function stackSection() {
	const stack = data.stack;
	page.append(el("h2", {}, "CPI stacks at three stages"));
	if (stack.why) {
		page.append(el("p", { id: "no-stack" }, "Not here: " + stack.why + "."));
		return;
	}
	const cell = (c) => !c ? "–" : c.value == null ? "no value" :
		cycles(c.value) + halfCycles(c.half) + (c.near ? " ~" : "");
	const host = el("div", { class: "columns", id: "stack" });
	const names = COMPONENTS.map((name, i) => ({ name, id: i }));
	page.append(el("p", { class: "soft" },
		"Cycles per instruction by cause, as they are lost at each stage; removing a cause saves something between the least and the most. Dashed: " +
		cycles(stack.cpi) + " cycles per instruction. ~ nearly, – cannot be counted on this part."),
	legend(names, (n) => colours[n.id]), host);
	const rows = COMPONENTS.map((name, i) => [name,
		...stack.cells.map((stage) => cell(stage[i])),
		...(stack.bounds[i] ? stack.bounds[i].map(cycles) : ["–", "–"])]);
	drawn(host, () => host.replaceChildren(stackColumns(stack),
		table(["", ...STAGES, "least", "most"], rows)));
}

/* ---- events ---- */

function groupsPlot(view) {
	const host = el("div", { class: "plot" });
	const names = view.groups.map((g, i) => ({ name: "Group " + (i + 1),
		id: i }));
	const colourOf = (n) => colours[n.id % colours.length];
	page.append(el("h3", {}, "Part of the time that each group was counted"),
		legend(names, colourOf), host);
	drawn(host, () => plot(host, view, view.groups.map((g, i) => ({
		values: g.running, stroke: colourOf({ id: i }), width: 1.5 })),
	true, { range: [0, 1], text: (i) => names.map((n) => n.name + " " +
		number({ share: true }, view.groups[n.id].running[i]))
		.join("\n") }));
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
	page.append(el("h3", {}, "Counts a second"), pick, host);
	drawn(host, draw);
	const counts = table(["event", "counts", "±", "counted"],
		view.nodes.map((n) => [n.name, plain(n.value),
			n.half === "inf" ? "?" : n.half ? plain(Math.round(n.half)) : "0",
			n.part == null ? "never" : (100 * n.part).toFixed(0) +
				" % of the time"]));
	counts.id = "events";
	page.append(counts);
}

function why(title, view) {
	page.append(el("h2", {}, title), el("p", {}, "Not here: " + view.why + "."));
}

function start() {
	about();
	if (data.topdown.why) {
		if (!data.phi)
			why("Top-Down", data.topdown);
	} else {
		const tree = treeSection(data.topdown, "Top-Down", "topdown");
		levelsSection(data.topdown, tree);
		heatSection(data.topdown, "CPUs over time",
			tree.path(tree.worst)[0] || data.topdown.nodes[0], "cpus");
	}
	if (data.phi && data.phi.why) {
		why("Threads per core", data.phi);
	} else if (data.phi) {
		heatSection(data.phi, "Threads per core, and what they did",
			data.phi.nodes[0], "cores");
		treeSection(data.phi, "Metrics of the card", "phi");
	}
	if (data.metrics && data.metrics.why) {
		why("Metrics", data.metrics);
	} else if (data.metrics) {
		treeSection(data.metrics, "Metrics", "metrics");
		heatSection(data.metrics, "Metrics of CPUs over time",
			data.metrics.nodes[0], "metric-cpus");
	}
	stackSection();
	if (data.events.why)
		why("What was counted", data.events);
	else
		eventsSection(data.events);
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
addEventListener("beforeprint", () => {
	printing = true;
	document.documentElement.dataset.print = "";
	redraw();
});
addEventListener("afterprint", () => {
	printing = false;
	delete document.documentElement.dataset.print;
	redraw();
});
start();
})();
