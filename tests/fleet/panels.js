// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: node panels.js DASHBOARD URL NODES SECONDS
 *
 * Queries the dashboard as Grafana would: sends the queries of each panel, with values for its
 * variables, to the Prometheus at URL, which has scraped nodes.js for SECONDS. Prints "TITLE: ok"
 * for each panel, or the wrong values.
 */
"use strict";
const fs = require("fs");

const [file, url, number, length] = process.argv.slice(2);
const nodes = Number(number);
const seconds = Number(length);
const dashboard = JSON.parse(fs.readFileSync(file, "utf8"));
const chosen = {
	datasource: "prometheus", job: "barepmu", instance: "node1", metric: ".*",
	node: "Frontend_Bound", __range: `${Math.ceil(seconds)}s`,
};

function filled(text)
{
	return text.replace(/\$\{?(\w+)\}?/g, (all, name) => {
		if (!(name in chosen))
			throw new Error(`variable ${all} is unknown`);
		return chosen[name];
	});
}

async function ask(target)
{
	const now = Date.now() / 1000;
	const query = encodeURIComponent(filled(target.expr));
	const answer = await fetch(target.instant ?
		`${url}/api/v1/query?query=${query}&time=${now}` :
		`${url}/api/v1/query_range?query=${query}&start=${now - 60}&end=${now}&step=15`);
	const said = await answer.json();

	if (said.status !== "success")
		throw new Error(`${target.refId}: ${said.error}`);
	return said.data.result.map((series) => ({
		labels: series.metric,
		value: Number((series.value ?? series.values.at(-1))[1]),
	}));
}

/* By the title of a panel: the check of the results of its queries A, B, C against nodes.js. */
const shown = {
	"Nodes that answer": ([a]) => a[0].value === nodes - 1,
	"Nodes that do not": ([a]) => a[0].value === 1,
	"Nodes whose counts were disturbed": ([a]) => a[0].value === 1,
	/* The alert for a node that is down fires after five minutes. */
	"Alerts": ([a]) => a[0].value === (seconds > 420 ? 2 : 1),
	"Instructions per cycle, whole fleet": ([a], base) => {
		const up = [...Array(nodes).keys()].filter((node) => node !== 7);
		const mean = up.reduce((sum, node) => sum + 1 + node / (nodes - 1), 0) / up.length;

		return a.length === 1 && Math.abs(a[0].value / (base * mean) - 1) < 0.01;
	},
	"Top-Down level 1, whole fleet": (all) =>
		all.every((a) => a.length === 1) &&
		Math.abs(all.reduce((sum, a) => sum + a[0].value, 0) - 1) < 1e-6,
	"$node: how many nodes have how much": ([a]) => a.length === nodes - 1,
	"The 20 worst nodes by $node": ([a, b]) =>
		a.length === 20 && b.length === 20 &&
		a.reduce((x, y) => x.value > y.value ? x : y).labels.instance === "node5",
	"$node: the 40 worst nodes over time": ([a]) =>
		a.length === 40 && a.some((series) => series.labels.instance === "node5"),
	"Instructions per cycle of $instance": ([a]) => a.length === 1,
	"Top-Down level 1 of $instance": ([a]) =>
		a.length === 4 && Math.abs(a.reduce((sum, x) => sum + x.value, 0) - 1) < 1e-6,
	"Shares and their 95 % intervals, of $instance": (all) =>
		all.every((a) => a.length === 4 && a.every((x) => Math.abs(x.value) <= 1)),
	/* The service of this test runs without -M, so there are no other metrics. */
	"Other metrics of $instance": ([a]) => a.length === 0,
	"Share of the time in which an event was counted": ([a]) =>
		a.length >= 6 && a.every((x) => x.value > 0 && x.value <= 1.001),
	"What measuring costs": ([a, b]) =>
		a[0].value > 0 && a[0].value < 0.1 && b[0].value > 0 && b[0].value < 0.1,
	"Lost samples and disturbed intervals a second": ([a, b]) =>
		a[0].value === 0 && b[0].value > 0,
};

async function ratio()
{
	const [a] = await ask({ instant: true,
		expr: 'instance:barepmu_instructions_per_cycle:ratio_rate5m{instance="node0"}' });

	return a.value;
}

(async () => {
	const base = await ratio();

	for (const panel of dashboard.panels) {
		let said = "no expected values for this panel";

		try {
			const all = [];

			for (const target of panel.targets)
				all.push(await ask(target));
			if (panel.title in shown)
				said = shown[panel.title](all, base) ? "ok" :
					`shows ${JSON.stringify(all).slice(0, 400)}`;
		} catch (error) {
			said = error.message;
		}
		console.log(`${panel.title}: ${said}`);
	}
})();
