// SPDX-License-Identifier: GPL-2.0
/*
 * Heat map: rows over time, darker for larger values.
 */

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
	/* room for the first and last label, which may be higher than their rows */
	const wide = width(host), label = 64, head = 8, foot = 26;
	const rows = view.rows.length;
	const cell = Math.max(3, Math.min(26, Math.floor(420 / rows)));
	const high = head + rows * cell + foot;
	const ratio = devicePixelRatio;
	const ctx = canvas.getContext("2d");
	const first = view.begin[0];
	const last = view.end[view.end.length - 1];
	/* whole pixels, to avoid seams */
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
		numbers("Values of each row over the whole recording", () => table(
			["", ...view.nodes.map((n) => n.name)],
			view.rows.map((row, r) => [row, ...view.nodes.map((n) =>
				number(n, n.r[r][0]) + spread(n, n.r[r][1]))])))));
	drawn(host, draw);
}
