// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers to build elements and to format numbers: with as many digits as the tool
 * prints, never clamped.
 */

const written = JSON.parse(document.getElementById("data").textContent);
/* of the recording, or of the core type that is shown */
let data = written.types ? written.types[0] : written;
const page = document.getElementById("page");
const tip = document.getElementById("tip");
const PRINT_WIDTH = 680;
/* redraws when the width or the colour scheme changes */
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
	if (size >= 1e5)
		return Math.round(value).toLocaleString("en-US");
	return String(Number(value.toPrecision(5)));
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
	if (!text)
		return element;
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

/* kept on one printed page if it fits */
function figure(...children) {
	return el("section", { class: "figure" }, ...children);
}

/* contents are built when it is opened */
function numbers(title, make) {
	const details = el("details", {}, el("summary", {}, title));
	details.addEventListener("toggle", () => {
		if (details.open && details.children.length === 1)
			details.append(make());
	});
	return details;
}
