// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: node nodes.js PAGE NODES PORT
 *
 * So many nodes that serve what one of them really served, PAGE, and go on counting
 * at its rate; http://127.0.0.1:PORT/node0/metrics is the first. Their differences are
 * made here: instructions rise with the number, of NODES nodes the last has twice those
 * of the first; number 5 has three times the empty slots; number 3's counters are
 * written to by someone else; number 7 does not answer.
 */
"use strict";
const fs = require("fs");
const http = require("http");

const [file, number, port] = process.argv.slice(2);
const nodes = Number(number);
const begin = Date.now();

const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
const counters = new Set(lines.filter((line) => /^# TYPE .* counter$/.test(line))
	.map((line) => line.split(" ")[2]));
const value = (name) => Number(lines.find((line) => line.startsWith(name + " ")).split(" ")[1]);
const age = value("barepmu_interval_end_timestamp_seconds") -
	value("process_start_time_seconds");

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
		const at = line.lastIndexOf(" ");
		const series = line.slice(0, at);
		const name = series.replace(/\{.*/, "");

		if (name === "barepmu_interval_end_timestamp_seconds")
			return `${series} ${Date.now() / 1000}`;
		if (name === "barepmu_disturbed_intervals_total" && node === 3)
			return `${series} ${Math.floor(seconds / 20)}`;
		if (!counters.has(name))
			return line;
		/* all of an event's series have been there for as long */
		const many = name === "barepmu_events_total" ? factor(node, series) : 1;

		return `${series} ${Number(line.slice(at)) * (1 + seconds / age) * many}`;
	}).join("\n") + "\n";
}

http.createServer((request, response) => {
	const node = Number(/^\/node(\d+)\/metrics$/.exec(request.url)?.[1]);

	response.statusCode = node < nodes && node !== 7 ? 200 : 503;
	response.setHeader("Content-Type", "text/plain; version=0.0.4");
	response.end(response.statusCode === 200 ? served(node) : "");
}).listen(Number(port), "127.0.0.1");
