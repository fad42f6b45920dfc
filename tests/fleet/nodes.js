// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: node nodes.js FIRST PAGE NODES PORT
 *
 * Serves NODES nodes, which begin with the page of a real service, PAGE, and count on at its
 * rate since an earlier page, FIRST, so that the start of the service is excluded;
 * http://127.0.0.1:PORT/node0/metrics is the page of the first node. The nodes differ:
 * instructions increase linearly with the number of the node, up to twice those of the first;
 * node 5 has three times the empty slots; another agent writes counters of node 3; node 7 does
 * not answer.
 */
"use strict";
const fs = require("fs");
const http = require("http");

const [earlier, file, number, port] = process.argv.slice(2);
const nodes = Number(number);
const begin = Date.now();

const page = (name) => fs.readFileSync(name, "utf8").split("\n").filter(Boolean);
const lines = page(file);
const counters = new Set(lines.filter((line) => /^# TYPE .* counter$/.test(line))
	.map((line) => line.split(" ")[2]));
/* Splits a text line of the page into series and value. */
const cut = (line) => [line.slice(0, line.lastIndexOf(" ")),
		       Number(line.slice(line.lastIndexOf(" ")))];
const first = new Map(page(earlier).map(cut));
const last = new Map(lines.map(cut));
const end = "barepmu_interval_end_timestamp_seconds";
const between = last.get(end) - first.get(end);
const rate = (series) => (last.get(series) - first.get(series)) / between;

function factor(node, series)
{
	if (series.includes('event="instructions"'))
		return 1 + node / (nodes - 1);
	if (node === 5 && series.includes('event="IDQ_UOPS_NOT_DELIVERED.CORE"') &&
	    series.startsWith("barepmu_events_total"))
		return 3;
	return 1;
}

function served(node)
{
	const seconds = (Date.now() - begin) / 1000;

	return lines.map((line) => {
		if (line.startsWith("#"))
			return line;
		const [series, value] = cut(line);
		const name = series.replace(/\{.*/, "");

		if (name === end)
			return `${series} ${Date.now() / 1000}`;
		if (name === "barepmu_disturbed_intervals_total" && node === 3)
			return `${series} ${Math.floor(seconds / 20)}`;
		if (!counters.has(name))
			return line;
		/*
		 * Only counts differ between the nodes, not the times for which events were
		 * counted.
		 */
		const many = name === "barepmu_events_total" ? factor(node, series) : 1;

		return `${series} ${(value + rate(series) * seconds) * many}`;
	}).join("\n") + "\n";
}

http.createServer((request, response) => {
	const node = Number(/^\/node(\d+)\/metrics$/.exec(request.url)?.[1]);

	response.statusCode = node < nodes && node !== 7 ? 200 : 503;
	response.setHeader("Content-Type", "text/plain; version=0.0.4");
	response.end(response.statusCode === 200 ? served(node) : "");
}).listen(Number(port), "127.0.0.1");
