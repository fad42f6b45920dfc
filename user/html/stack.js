// SPDX-License-Identifier: GPL-2.0
/*
 * CPI stacks at dispatch, issue and commit.
 */

const STAGES = ["dispatch", "issue", "commit"];

/* as many digits as "barepmu cpistack" prints */
function cycles(value) {
	return value == null ? "no value" : value.toFixed(4);
}

function halfCycles(half) {
	return half === "inf" ? " ±\u00a0?" :
		half ? " ±\u00a0" + cycles(half) : "";
}

/* indices of the rows that are components, and of the parts of a component */
const componentsOf = (stack) => stack.rows.map((row, i) => i)
	.filter((i) => stack.rows[i].parent == null);
const rowsBelow = (stack, component) => stack.rows.map((row, i) => i)
	.filter((i) => stack.rows[i].parent === component && stack.rows[i].shown);

/* name of a part, prefixed by its component */
const rowName = (stack, i) => stack.rows[i].parent == null ? stack.rows[i].name :
	stack.rows[stack.rows[i].parent].name + "." + stack.rows[i].name;

function stackColumns(stack) {
	const wide = 440, high = 280, foot = 24, head = 10, left = 44;
	const components = componentsOf(stack);
	const cells = stack.cells.map((stage) => {
		let up = 0, down = 0;
		return components.map((i) => stage[i]).map((cell) => {
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
				"data-cell": STAGES[k] + " " + stack.rows[c].name });
			tipped(r, STAGES[k] + " " + stack.rows[c].name + "\n" +
				cycles(cell.value) + halfCycles(cell.half) +
				" cycles per instruction" +
				(cell.near ? "\napproximate: " + cell.near : "") +
				rowsBelow(stack, c).map((i) => [i, stack.cells[k][i]])
					.filter(([, part]) => part)
					.map(([i, part]) => "\n" + stack.rows[i].name +
						": " + cycles(part.value) +
						halfCycles(part.half)).join(""));
			s.append(r);
			if (!cell.half || cell.half === "inf")
				return;
			const m = x + w * (0.2 + 0.6 * c / components.length);
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

/* sum as in "barepmu cpistack": over all components that can be counted */
function stackSum(stack, stage) {
	const cells = componentsOf(stack).map((i) => stage[i]).filter((c) => c);

	return cells.length && cells.every((c) => c.value != null) ?
		cells.reduce((sum, c) => sum + c.value, 0) : null;
}

/* what the components of a stage lack of all cycles, or have too many */
function stackResidual(stack, stage) {
	const sum = stackSum(stack, stage);

	return stack.cpi == null || sum == null ? null : stack.cpi - sum;
}

function nearly(stack) {
	const facts = stack.cells.flatMap((stage, k) => stage.map((c, i) =>
		c && c.near && [STAGES[k] + " " + rowName(stack, i), c.near]))
		.filter(Boolean);

	return facts.length ? el("details", { class: "paper" }, el("summary", {},
		"~ Approximate counts"), el("dl", {},
		...facts.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]))) :
		null;
}

function stackSection(stack) {
	const cell = (c) => !c ? "–" : c.value == null ? "no value" :
		cycles(c.value) + (c.near ? "~" : "") + halfCycles(c.half);
	const host = el("div", { class: "columns", id: "stack" });
	const names = componentsOf(stack).map((i) =>
		({ name: stack.rows[i].name, id: i }));
	const order = componentsOf(stack).flatMap((i) => [i, ...rowsBelow(stack, i)]);
	const rows = order.map((i) => [
		stack.rows[i].parent == null ? stack.rows[i].name :
			"\u00a0\u00a0\u00a0" + stack.rows[i].name,
		...stack.cells.map((stage) => cell(stage[i])),
		...(stack.bounds[i] ? stack.bounds[i].map(cycles) : ["–", "–"])]);
	const words = [nearly(stack)].filter(Boolean);

	rows.push(["sum", ...stack.cells.map((s) => cycles(stackSum(stack, s))), "", ""],
		["residual", ...stack.cells.map((s) => cycles(stackResidual(stack, s))), "–", "–"]);
	page.append(el("h2", {}, "CPI stacks at three stages"),
		el("p", { class: "soft" },
			"Cycles per instruction lost to each cause, seen at each pipeline stage; removing a cause saves between its least and its most. Dashed: " +
			cycles(stack.cpi) + " cycles per instruction. ~ approximate, – cannot be counted on this CPU model."),
		legend(names, (n) => colours[n.id]), host, ...words);
	drawn(host, () => host.replaceChildren(stackColumns(stack),
		table(["", ...STAGES, "least", "most"], rows)));
}
