// SPDX-License-Identifier: GPL-2.0
/*
 * Roofline: performance over operational intensity (work per byte of memory traffic), on
 * logarithmic axes, with the measured ceilings.
 */

const WORK = {
	DP_FLOP_Rate: { one: "FLOP", most: (c) => c.flops },
	Uop_Rate: { one: "uop", most: (c) => c.uops },
};

/* whole decades that contain all values */
function decades(values) {
	const low = Math.floor(Math.log10(Math.min(...values)));
	const high = Math.ceil(Math.log10(Math.max(...values)));

	return [low, high > low ? high : low + 1];
}

/* intervals that can be drawn on logarithmic axes, with their numbers */
function rooflinePoints(bytes, work) {
	return work.v.map((v, i) => ({ i, y: v, x: v / bytes.v[i] }))
		.filter((p) => p.y > 0 && bytes.v[p.i] > 0);
}

function rooflineDraw(host, view, bytes, work, ceilings) {
	const wide = Math.min(width(host), 900), high = 360;
	const left = 52, foot = 40, head = 22, right = 12;
	const { one, most } = WORK[work.name];
	const points = rooflinePoints(bytes, work);
	const whole = work.value > 0 && bytes.value > 0 ?
		{ x: work.value / bytes.value, y: work.value } : null;
	/* in units of the metrics, 10^9 per second */
	const peak = ceilings && most(ceilings) / 1e9;
	const slope = ceilings && ceilings.bytes / 1e9;
	const ridge = ceilings && peak / slope;
	const shown = whole ? [...points, whole] : points;
	const xs = shown.map((p) => p.x), ys = shown.map((p) => p.y);
	const [x0, x1] = decades(ceilings ? [...xs, ridge] : xs);
	const [y0, y1] = decades(ceilings ? [...ys, peak] : ys);
	const x = (v) => left + (wide - left - right) *
		(Math.log10(v) - x0) / (x1 - x0);
	const y = (v) => head + (high - head - foot) *
		(y1 - Math.log10(v)) / (y1 - y0);
	const s = svg("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide,
		role: "img", "aria-label": "roofline of " + work.name });
	const line = (from, to, colour, attributes) => s.append(svg("line", {
		x1: x(from[0]), y1: y(from[1]), x2: x(to[0]), y2: y(to[1]),
		stroke: colour, ...attributes }));
	const point = (p, r, colour, key, text) => {
		const dot = svg("circle", { cx: x(p.x), cy: y(p.y), r, fill: colour,
			"fill-opacity": r > 4 ? 1 : 0.6, "data-point": key });
		s.append(tipped(dot, text + "\n" + plain(p.y) + unit(work) + "\n" +
			plain(p.x) + " " + one + "s per byte"));
	};

	for (let d = x0; d <= x1; d++) {
		line([10 ** d, 10 ** y0], [10 ** d, 10 ** y1], css("--line"));
		s.append(svg("text", { x: x(10 ** d), y: high - foot + 16,
			"text-anchor": d === x1 ? "end" : "middle" },
		plain(+(10 ** d).toPrecision(3))));
	}
	for (let d = y0; d <= y1; d++) {
		line([10 ** x0, 10 ** d], [10 ** x1, 10 ** d], css("--line"));
		s.append(svg("text", { x: left - 5, y: y(10 ** d) + 4,
			"text-anchor": "end" }, plain(+(10 ** d).toPrecision(3))));
	}
	s.append(svg("text", { x: (left + wide) / 2, y: high - 6,
		"text-anchor": "middle" }, one + "s per byte of memory traffic"));
	s.append(svg("text", { x: 0, y: 12 }, work.unit));
	if (ceilings) {
		/* where the slope enters the plot */
		const begin = Math.max(10 ** x0, 10 ** y0 / slope);
		line([begin, begin * slope], [ridge, peak], css("--front"),
			{ "stroke-width": 2, "data-roof": "memory" });
		line([ridge, peak], [10 ** x1, peak], css("--front"),
			{ "stroke-width": 2, "data-roof": "work" });
	}
	points.forEach((p) => point(p, 3.5, colours[3], p.i,
		seconds(view.begin[p.i]) + " to " + seconds(view.end[p.i]) +
			counting(view, p.i)));
	if (whole)
		point(whole, 7, colours[1], "whole", "whole recording");
	host.replaceChildren(s);
}

function rooflineSection({ views, ceilings }) {
	page.append(el("h2", {}, "Roofline"), el("p", { class: "soft" },
		"Small points are intervals, the large one is the whole recording. Memory traffic includes that of CPUs and devices that were not measured; work is that of the measured CPUs. " +
		(ceilings ? "The slope is the memory bandwidth measured when the recording started: " +
			plain(ceilings.bytes / 1e9) + " GB/s read by all measured CPUs together." :
			"The machine's ceilings were not measured: record with --ceilings.")));
	views.forEach((view) => {
		const bytes = view.nodes.find((n) => n.name === "Memory_Traffic");
		const work = view.nodes.find((n) => WORK[n.name]);
		const { one, most } = WORK[work.name];
		const host = el("div", { class: "plot roofline",
			id: "roofline-" + one });
		const without = view.end.length - rooflinePoints(bytes, work).length;

		page.append(figure(el("h3", {}, work.name.replaceAll("_", " ") +
			(ceilings ? ", at most " + plain(most(ceilings) / 1e9) +
				unit(work) : "")), host,
		without ? el("p", { class: "soft" }, without + " of " +
			view.end.length +
			" intervals had no work or no traffic and cannot be drawn on logarithmic axes.") : null,
		numbers("Values over time", () => timeTable(view, [bytes, work]))));
		if (view.end.length > without || (work.value > 0 && bytes.value > 0))
			drawn(host, () => rooflineDraw(host, view, bytes, work, ceilings));
	});
}
