// SPDX-License-Identifier: GPL-2.0
/*
 * Plots over time, with a strip below the axis that shows lost samples and multiplexing.
 */

const STRIP = 20;

function middle(view) {
	return view.begin.map((b, i) => (b + view.end[i]) / 2);
}

function timeTable(view, nodes) {
	return table(["from", "to", ...nodes.map((n) => n.name), "lost", "flags"],
		view.end.map((end, i) => [seconds(view.begin[i]), seconds(end),
			...nodes.map((n) => number(n, n.v[i]) +
				spread(n, n.u[i])),
			plain(view.lost[i]), view.flaws[i]]));
}

/* the strip: lost or flagged samples in red, and the fraction of the time that was counted */
function least(view, i) {
	const parts = view.groups.map((g) => g.running[i])
		.filter((r) => r != null);
	return parts.length ? Math.min(...parts) : null;
}

/* clips drawing to the plot */
function within(u, draw) {
	u.ctx.save();
	u.ctx.beginPath();
	u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	u.ctx.clip();
	draw(u.ctx, (v) => u.valToPos(v, "y", true));
	u.ctx.restore();
}

/* edges of an interval, at whole pixels to avoid seams */
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
			if (!view.lost[i] && !view.flaws[i])
				continue;
			ctx.globalAlpha = 1;
			ctx.fillStyle = css("--mark");
			ctx.fillRect(x, y, Math.max(3 * devicePixelRatio, w),
				high * 0.6);
		}
	});
}

/* labels of the strip, left of the plot */
function stripLabels(u) {
	const { ctx } = u;
	const one = devicePixelRatio;
	const bottom = u.bbox.top + u.bbox.height;

	ctx.save();
	ctx.font = 9 * one + "px system-ui, sans-serif";
	ctx.textAlign = "right";
	ctx.textBaseline = "middle";
	ctx.fillStyle = css("--mark");
	ctx.fillText("lost", u.bbox.left - 5 * one, bottom - 14 * one);
	ctx.fillStyle = css("--soft");
	ctx.fillText("counted", u.bbox.left - 5 * one, bottom - 3 * one);
	ctx.restore();
}

function counting(view, i) {
	const part = least(view, i);
	let text = part == null ? "" : "\neach group counted at least " +
		(100 * part).toFixed(0) + " % of the time";
	if (view.lost[i])
		text += "\n" + plain(view.lost[i]) + " samples lost";
	if (view.flaws[i])
		text += "\n" + view.flaws[i];
	return text;
}

/* a value holds for its whole interval: a band between two values, or a line */
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

/* a whisker in each interval; a band if intervals are too narrow */
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
	const room = (high - low) * 1.05 * (STRIP + 12) / (h - 60);
	const axis = { stroke: css("--soft"), grid: { stroke: css("--line"),
		width: 1 }, ticks: { stroke: css("--line"), width: 1 } };
	if (host.plot)
		host.plot.destroy();
	host.replaceChildren();
	host.plot = new uPlot({
		width: width(host), height: h,
		legend: { show: false },
		/* all plots share one cursor and one zoom */
		cursor: { drag: { x: true, y: false }, sync: { key: "time" } },
		scales: {
			/* the zoomed range, or all intervals */
			x: { time: false, range: (u, a, b) => a <= x[0] &&
				b >= x[x.length - 1] ? [first, last] : [a, b] },
			y: { range: () => [low - room, high + (high - low) * 0.05] },
		},
		axes: [
			{ ...axis, space: 78,
				values: (u, v) => v.map((s) => +s.toPrecision(6) + " s") },
			/* none beside the labels of the strip */
			{ ...axis, size: 62, values: (u, v) => v.map((n) => n < low ? "" :
				share ? +(100 * n).toFixed(1) + " %" : short(n)) },
		],
		/* the hooks draw them */
		series: [{}, ...lines.map(() => ({ width: 0,
			points: { show: false } }))],
		hooks: {
			draw: [...options.draw, strip(view), stripLabels],
			setCursor: [(u) => {
				const i = u.cursor.idx;
				const box = u.over.getBoundingClientRect();
				if (!u.over.matches(":hover"))
					return;
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
 * Positive values are stacked upwards from 0 and negative ones downwards, so that
 * they do not overlap.
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
		/* very wide intervals must not hide the values */
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

/* 1, 2 or 5 times a power of ten */
function niceStep(least) {
	const ten = 10 ** Math.floor(Math.log10(least || 1));

	return ten * [1, 2, 5, 10].find((n) => n * ten >= (least || 1));
}
