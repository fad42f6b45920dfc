// SPDX-License-Identifier: GPL-2.0
/*
 * Top-Down of many recordings, as the paper's Figures 5 to 9 have it: a chart for
 * the children of each node, and in it a stacked bar for each recording or CPU.
 */

function baseName(path) {
	return path.slice(path.lastIndexOf("/") + 1);
}

/* file names without folders, unless these are ambiguous */
function labelsOf(recordings) {
	const names = recordings.map((r) => baseName(r.name));
	return recordings.map((r, i) =>
		names.filter((n) => n === names[i]).length > 1 ? r.name : names[i]);
}

function nodesOf(recording) {
	const ipc = recording.ipc.nodes || [];
	const nodes = recording.topdown.nodes || [];
	const byId = new Map(nodes.map((n) => [n.id, n]));

	return [...nodes.map((node) => ({ node,
		parent: byId.get(node.parent)?.name })),
	...ipc.map((node) => ({ node, parent: undefined }))];
}

/* nodes that add up: children of one node in one unit; other nodes stand alone */
function chartsOf(recordings) {
	const charts = new Map();

	for (const { node, parent } of recordings.flatMap(nodesOf)) {
		const key = [parent || "", node.unit,
			node.share ? "" : node.name].join("\n");
		if (!charts.has(key))
			charts.set(key, { parent, unit: node.unit, share: node.share,
				level: node.share ? node.level : 0, names: [] });
		if (!charts.get(key).names.includes(node.name))
			charts.get(key).names.push(node.name);
	}
	/* IPC beside the first level, as in the paper */
	return [...charts.values()].sort((a, b) =>
		(a.level || 1.5) - (b.level || 1.5));
}

/* the unit of a chart */
function chartKey(chart) {
	return chart.share ? chart.parent || "all" : chart.names[0];
}

function chartTitle(chart) {
	if (!chart.share)
		return chart.names[0] + ", " + chart.unit;
	return (chart.parent ? chart.parent + ": level " : "Level ") + chart.level +
		", shares of " + chart.unit;
}

/* one bar per recording, or per CPU of each */
function barsOf(recordings, byCpu) {
	const labels = labelsOf(recordings);

	return recordings.flatMap((recording, i) => {
		const nodes = nodesOf(recording).map((n) => n.node);
		const bar = (label, value) => ({ label, recording,
			values: new Map(nodes.map((n) => [n.name, value(n)])) });
		if (!byCpu || recording.topdown.why)
			return [bar(labels[i], (n) => n)];
		return recording.topdown.rows.map((row, k) => bar(
			labels[i] + ", " + row, (n) => ({ name: n.name,
				share: n.share, unit: n.unit, errata: n.errata,
				value: n.r[k][0], half: n.r[k][1] })));
	});
}

/* bars in the chosen order; bars without a value come last */
function sorted(bars, by, up) {
	const value = (bar) => bar.values.get(by)?.value ?? null;
	const sign = up ? 1 : -1;

	if (!by)
		return bars;
	return [...bars].sort((a, b) => {
		const x = value(a), y = value(b);
		if (x == null || y == null)
			return (x == null) - (y == null);
		return sign * (x - y);
	});
}

/* segments of a bar: positive values to the right, negative ones to the left */
function partsOf(chart, bar) {
	let up = 0, down = 0;

	return chart.names.map((name) => ({ node: bar.values.get(name),
		colour: colourOfName(name) }))
		.filter(({ node }) => node && node.value != null)
		.map((part) => {
			const { value } = part.node;
			const from = value < 0 ? down : up;
			if (value < 0)
				down += value;
			else
				up += value;
			return { ...part, from, to: from + value };
		});
}

function stackedBar(parts, share, [low, high]) {
	const s = svg("svg", { viewBox: "0 0 1000 22",
		preserveAspectRatio: "none", "aria-hidden": "true" });
	const at = (v) => 1000 * (v - low) / (high - low || 1);

	for (const { node, colour, from, to } of parts) {
		const rect = svg("rect", { x: Math.min(at(from), at(to)), y: 2,
			width: Math.abs(at(to) - at(from)), height: 16,
			fill: colour, "data-part": node.name });
		s.append(tipped(rect, describe(node)));
		if (node.flagged)
			s.append(svg("line", { x1: at(from), x2: at(to), y1: 1.5,
				y2: 1.5, stroke: css("--mark"), "stroke-width": 3,
				"vector-effect": "non-scaling-stroke" }));
	}
	/* over the segments: the end of each, and its 95 % interval */
	parts.forEach(({ node, to }, i) => {
		const y = 4 + 12 * (i + 0.5) / parts.length;
		const wide = node.half === "inf" ? high - low : node.half || 0;
		const a = Math.max(0, at(to - wide)), b = Math.min(1000, at(to + wide));
		if (wide)
			s.append(svg("path", { d: `M${a} ${y}H${b}`, fill: "none",
				stroke: css("--front"), "stroke-width": 1,
				"pointer-events": "none", "stroke-dasharray":
					node.half === "inf" ? "3 3" : "none",
				"vector-effect": "non-scaling-stroke" }));
	});
	for (const v of share ? [0, 1] : [0])
		s.append(svg("line", { x1: at(v), x2: at(v), y1: 0, y2: 22,
			stroke: css("--soft"), "stroke-width": 1,
			"vector-effect": "non-scaling-stroke" }));
	return s;
}

/*
 * A part's value, and its difference from that of the bar which is the base, if there is one; "~" if
 * the difference is within its 95 % interval. Halves add up as squares.
 */
function withDelta(node, base) {
	const value = number(node, node.value);
	if (!base || base === node || base.value == null)
		return value;
	const delta = node.value - base.value;
	const half = [node.half, base.half].includes("inf") ? Infinity :
		Math.hypot(node.half || 0, base.half || 0);
	const text = node.share ? (100 * delta).toFixed(1) :
		plain(+delta.toPrecision(3));

	return `${value} (${Math.abs(delta) <= half && delta ? "~" : ""}` +
		`${delta > 0 ? "+" : ""}${text})`;
}

/* Labels of the parts of a bar that have room for them; returns the others beside their names. */
function labelled(parts, base, [low, high], wide) {
	const at = (v) => 100 * (v - low) / (high - low || 1);
	const inside = [], beside = [];

	for (const { node, colour, from, to } of parts) {
		const text = withDelta(node, base.get(node.name));
		const [left, right] = [at(from), at(to)].sort((a, b) => a - b);
		const shown = fitting([text], wide * (right - left) / 100);
		if (shown)
			inside.push(el("span", { class: "label", "data-label": node.name,
				style: `left:${left}%;width:${right - left}%` }, shown));
		else
			beside.push(el("span", { "data-label": node.name }, el("i",
				{ class: "swatch", style: "background:" + colour }), text));
	}
	return [inside, beside];
}

/* range of the axis: all bars of the chart; for fractions at least 0 to 100 % */
function rangeOf(chart, bars) {
	const ends = bars.flatMap((bar) => partsOf(chart, bar).map((p) => p.to));

	return [Math.min(0, ...ends),
		Math.max(chart.share ? 1 : 0, ...ends)];
}

function compareChart(chart, bars, wide, sort, choose) {
	const range = rangeOf(chart, bars);
	/* of each name the first bar that has it */
	const base = new Map([...bars].reverse().flatMap((bar) => [...bar.values])
		.filter(([, node]) => node.value != null));
	const arrow = (name) => sort.by !== name ? "" : sort.up ? " ↑" : " ↓";
	const keys = legend(chart.names.map((id) => ({ id, name: id + arrow(id) })),
		(n) => colourOfName(n.id), (n) => choose(n.id));
	const rows = sorted(bars, sort.by, sort.up).map((bar) => {
		const parts = partsOf(chart, bar);
		const node = chart.names.includes(sort.by) ?
			bar.values.get(sort.by) : null;
		const [inside, beside] = labelled(parts, base, range, wide);
		return el("div", { class: "bar", "data-bar": bar.label },
			el("span", { class: "name" }, ...bar.label.split(/(?<=[_/,.-])/)
				.flatMap((t) => [el("wbr"), t])),
			parts.length ? el("div", { class: "parts" },
				el("div", { class: "over" },
					stackedBar(parts, chart.share, range), ...inside),
				beside.length ? el("div", { class: "legend" },
					...beside) : null) :
				el("span", { class: "soft why" }, "not in this recording"),
			el("span", { class: "number" }, node ?
				number(node, node.value) + spread(node, node.half) : ""));
	});
	const ends = [0, 0.5, 1].map((k) => range[0] + k * (range[1] - range[0]));

	return figure(el("h3", {}, chartTitle(chart)), keys,
		el("div", { class: "bars", "data-chart": chartKey(chart) },
			...rows, el("div", { class: "scale" }, el("div", {},
				...ends.map((v) => el("span", {},
					number(chart, +v.toPrecision(3))))))));
}

/* each recording's verdict, and what makes its numbers less reliable */
function verdictRow(recording, label) {
	const { about, topdown } = recording;
	const facts = [about.host, about.title, "CPUs " + about.cpus,
		about.begun].filter(Boolean);

	if (topdown.why)
		return [label, facts.join(", "), topdown.why];
	facts.push(seconds(topdown.end[0] - topdown.begin[0]));
	if (about.command)
		facts.push(about.command);
	if (topdown.lost[0])
		facts.push(plain(topdown.lost[0]) + " samples lost");
	if (topdown.flaws[0])
		facts.push(topdown.flaws[0]);
	if (about.cut)
		facts.push("the recording is incomplete");
	return [label, facts.join(", "),
		topdown.verdict.split("\n").filter(Boolean)[0]];
}

function comparedNumbers(bars, charts) {
	const names = charts.flatMap((c) => c.names);

	return table(["", ...names], bars.map((bar) => [bar.label,
		...names.map((name) => {
			const node = bar.values.get(name);
			return node ? number(node, node.value) +
				spread(node, node.half) + (notes(node) ?
				" (" + notes(node) + ")" : "") : "–";
		})]));
}

function compareSection(recordings) {
	const charts = chartsOf(recordings);
	const host = el("div", { id: "charts" });
	const sort = { by: "", up: false };
	const what = el("select", { "aria-label": "a bar for each", id: "what" },
		el("option", { value: "" }, "recording"),
		el("option", { value: "cpu" }, "CPU of each recording"));
	const by = el("select", { "aria-label": "sorted by", id: "by" },
		el("option", { value: "" }, "as given"),
		...charts.flatMap((c) => c.names).map((name) =>
			el("option", { value: name }, name)));
	const labels = labelsOf(recordings);
	const draw = () => {
		const keys = () => [...host.querySelectorAll(".legend button")];
		const focus = keys().indexOf(document.activeElement);
		const bars = barsOf(recordings, what.value === "cpu");
		by.value = sort.by;
		const wide = width(host) - (width(host) > 600 ? 380 : 0);
		host.replaceChildren(...charts.map((chart) =>
			compareChart(chart, bars, wide, sort, choose)));
		host.append(numbers("Values of all bars", () =>
			comparedNumbers(sorted(bars, sort.by, sort.up), charts)));
		keys()[focus]?.focus();
	};
	/* a second click reverses the order */
	const choose = (name) => {
		sort.up = name === sort.by && !sort.up;
		sort.by = name;
		draw();
	};

	by.addEventListener("change", () => choose(by.value));
	what.addEventListener("change", draw);
	page.append(el("h1", {}, document.title), el("dl", { id: "verdicts" },
		...recordings.flatMap((r, i) => {
		const [label, facts, says] = verdictRow(r, labels[i]);
		return [el("dt", {}, label), el("dd", {}, el("span",
			{ class: "soft" }, facts), el("br"), says)];
	})),
	el("div", { class: "controls" },
		el("label", {}, "A bar for each", what),
		el("label", {}, "sorted by", by)),
	el("p", { class: "soft" }, "A click on a name of a legend sorts all charts by it, and once more the other way. Children of one node add up; different charts have different bases. A red edge: flagged. Thin lines: the 95 % interval of each part, dashed where nothing is known. In parentheses the difference from the first bar that has the part; ~ if it is within its 95 % interval."),
	host);
	drawn(host, draw);
}
