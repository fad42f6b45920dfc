// SPDX-License-Identifier: GPL-2.0
/*
 * A tree of metrics: as an icicle, as rows with bars, and each level over time.
 */

function Tree(view) {
	const byId = new Map(view.nodes.map((n) => [n.id, n]));
	const children = (id) => view.nodes.filter((n) => n.parent === id);
	const path = (n) => n ? [...path(byId.get(n.parent)), n] : [];
	this.colourOf = (n) => colourOfName(n.name);
	this.children = children;
	this.path = path;
	this.worst = byId.get(view.worst);
}

/*
 * Places of the shares in an icicle, in per cent of its width: rows of [node, left, width], one for
 * each level. Children are below their parent, in its scale. They fill it if they add up to more, or
 * are shares of another unit.
 */
function placesOf(tree) {
	const levels = [];
	const place = (parent, level, left, wide) => {
		const kids = tree.children(parent.id).filter((n) => n.share &&
			n.value != null);
		const sum = kids.reduce((s, n) => s + Math.abs(n.value), 0);
		const one = kids.every((n) => n.unit === (parent.unit || kids[0].unit));
		const whole = one ? Math.max(Math.abs(parent.value), sum) : sum;
		for (const node of kids) {
			const part = wide * Math.abs(node.value) / (whole || 1);
			(levels[level] ||= []).push([node, left, part]);
			place(node, level + 1, left, part);
			left += part;
		}
	};

	place({ id: -1, value: 1 }, 0, 0, 100);
	return levels;
}

/* the longest of these texts that a cell of so many pixels has room for */
const ruler = document.createElement("canvas").getContext("2d");
function fitting(texts, room) {
	ruler.font = "700 13px system-ui, \"DejaVu Sans\", sans-serif";
	return texts.find((t) => ruler.measureText(t).width + 12 < room) || "";
}

function icicle(tree, wide, chosen, select) {
	return placesOf(tree).map((cells) => el("div", { class: "stack" },
		...cells.map(([node, left, part]) => {
			const names = [node.value < 0 && "below", node.flagged && "flag",
				chosen.includes(node) && "on"].filter(Boolean);
			return tipped(el("button", {
				type: "button", class: names.join(" "),
				"data-stack": node.name, "aria-label": node.name,
				style: `left:${left}%;width:${part}%;` +
					`background-color:${tree.colourOf(node)}`,
				onclick: () => select(node),
			}, fitting([node.name + " " + number(node, node.value),
				node.name], wide * part / 100)), describe(node));
		})));
}

/* the 95 % interval contains the threshold */
function undecided(node) {
	return (node.flags || "").includes("undecided");
}

/* flags, with errata by name */
function notes(node) {
	const errata = node.errata || [];
	const flags = errata.length ? (node.flags || "erratum").replace("erratum",
		"erratum " + errata.join(" ")) : node.flags;
	return flags || "";
}

function describe(node) {
	return node.name + "\n" + number(node, node.value) +
		spread(node, node.half) + unit(node) +
		(node.threshold ? "\nthreshold: " + node.threshold : "") +
		(notes(node) ? "\n" + notes(node) : "");
}

/* a bar from 0 to the value, with whiskers; the line marks 100 % */
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
	if (node.value != null)
		s.append(svg("rect", { x: Math.min(at(0), at(node.value)), y: 3,
			width: Math.abs(at(node.value) - at(0)), height: 12,
			fill: colour }));
	if (node.limit != null)
		s.append(svg("line", { class: "limit", x1: at(node.limit),
			x2: at(node.limit), y1: 0, y2: 18, stroke: css("--mark"),
			"stroke-width": 1.5, "stroke-dasharray": "3 2",
			"vector-effect": "non-scaling-stroke" }));
	if (node.value == null)
		return s;
	/* one row per CPU or core */
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
		[n.limit, ...n.r.map((r) => r[0])].filter((v) => v != null)));
	const low = Math.min(0, ...all);
	const high = Math.max(nodes.some((n) => n.share) ? 1 : 0, ...all);
	return [low, high];
}

/* a long name is wrapped after a _ */
function breakable(name) {
	return name.split(/(?<=_)/).flatMap((part) => [el("wbr"), part]);
}

/* labels of the axis for bars of fractions */
function scaleOf([low, high]) {
	const step = niceStep((high - low) / 6);
	const marks = [];
	for (let v = Math.ceil(low / step) * step; v <= high + step / 1e6; v += step) {
		const at = 100 * (v - low) / (high - low);
		/* the first and the last label must not leave the page */
		marks.push(el("span", { class: at > 90 ? "last" : at < 10 ? "first" : null,
			style: `left:${at}%` }, +(100 * v).toFixed(1) + " %"));
	}
	return el("div", { class: "axis", "aria-hidden": "true" }, el("span"),
		el("div", {}, ...marks), el("span"));
}

function rowsOf(view, tree, key, select, mark) {
	const host = el("div", { class: "tree", id: key + "-tree" });
	const shares = view.nodes.filter((n) => n.share);
	const range = limits(shares);
	/* values of one unit share a scale */
	const ranges = new Map();
	for (const node of view.nodes)
		if (!node.share && !ranges.has(node.unit))
			ranges.set(node.unit, limits(view.nodes.filter((n) =>
				!n.share && n.unit === node.unit)));
	drawn(host, () => {
		host.replaceChildren(shares.length ? scaleOf(range) : "",
			...view.nodes.map((node) => {
			const [low, high] = node.share ? range :
				ranges.get(node.unit);
			const indent = Math.max(0, node.level - 1) * 16;
			return el("button", { type: "button",
				class: "row" + (node.flagged ? " flag" : ""),
				"data-node": node.name,
				onclick: () => select(node) },
			el("span", { class: "name", style: `padding-left:${indent}px` },
				node.flagged ? "▶\u00a0" : undecided(node) ? "?\u00a0" : "",
				...breakable(node.name)),
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
	["Threshold", node.threshold], ["Notes", notes(node)],
	["Formula from", node.source]];
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
		verdict(view);
	const select = (node) => {
		chosen = node;
		if (key === "topdown")
			stacks.replaceChildren(...icicle(tree, width(stacks),
				tree.path(node), select));
		words.replaceChildren(...explain(tree, node));
		oneLine(chart, view, node, tree.colourOf(node));
		mark();
	};
	const mark = () => {
		for (const row of rows ? rows.children : [])
			row.classList.toggle("on",
				row.dataset.node && row.dataset.node === chosen.name);
	};
	page.append(stacks);
	if (key === "topdown")
		page.append(el("p", { class: "soft" }, "Parts of a node are below it, in its scale; they fill it if their unit is another one. Hatched: below 0."));
	rows = rowsOf(view, tree, key, select, mark);
	page.append(rows, el("p", { class: "soft" },
		(view.version ? view.version + ". " : "") +
		"Whiskers: 95 % intervals, dashed if unknown. Dashed line: threshold." +
		(view.rows.length > 1 ? " Ticks below a bar: values of " + view.rows[0] + " to " +
		view.rows[view.rows.length - 1] + "." : "")), detail);
	drawn(chart, () => select(chosen));
	page.append(numbers("The tree as a table", () => table(
		["metric", "value", "±", "unit", "notes"],
		view.nodes.map((n) => [n.name, n.value == null ? "no value" :
			String(n.value), n.half === "inf" ? "?" :
			String(n.half || 0), n.unit || "", notes(n)]))));
	return tree;
}

/* text of the tool; the words after these are emphasized */
function verdict(view) {
	const box = el("div", { id: "verdict" });
	for (const line of view.verdict.split("\n").filter(Boolean)) {
		const [, word, rest] = /^(Flagged: |Next: )?(.*)$/.exec(line);
		if (word === "Flagged: ")
			box.append(el("p", {}, word, el("span", { class: "mark" },
				rest.replaceAll(" > ", " › "))));
		else
			box.append(el("p", {}, word ? el("b", {}, word) : "", rest));
	}
	page.append(box);
}

function stripWords(view) {
	const lost = view.lost.reduce((a, b) => a + b, 0);
	const flaws = view.flaws.filter((f) => f).length;
	return "Strip below each plot: fraction of the time that the least counted " +
		"group was on the counters, darker for more. Red: samples were lost" +
		(lost ? " (" + plain(lost) + " in total; counts are complete, intervals coarser)." :
			" (none were).") + (flaws ? " Also red: " + plain(flaws) +
			" flagged intervals, whose counts are unreliable." : "") + " Whiskers and bands: 95 % intervals, none if unknown; one that leaves the plot is wider than the plot.";
}

function levelsSection(view, tree) {
	page.append(el("h2", {}, "Levels over time"),
		el("p", { class: "soft" }, stripWords(view)));
	const strips = new Map();
	for (const node of view.nodes) {
		const key = node.level + "\n" + (node.unit || "");
		strips.set(key, [...(strips.get(key) || []), node]);
	}
	for (const nodes of strips.values()) {
		const [{ level, share }] = nodes;
		const host = el("div", { class: "plot",
			"data-level": level + unit(nodes[0]) });
		page.append(figure(el("h3", {}, "Level " + level + ", shares" +
			unit(nodes[0])), legend(nodes, tree.colourOf), host));
		if (share)
			drawn(host, () => stacked(host, view, nodes,
				tree.colourOf));
		page.append(numbers("Values of each interval", () =>
			timeTable(view, nodes)));
	}
}
