// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of an event that interrupted, as a flame graph: callers below, the interrupted
 * functions on top of them. A click zooms in, a search marks functions.
 */

/* boxes of less than so many pixels are left out */
const FLAME_LEAST = 1.5;

/* the tree of the stacks of a profile: each node has what was interrupted in it and in its callees */
function flameTree(profile, frames) {
	const root = { name: profile.name, value: profile.endValue, kids: new Map() };

	profile.samples.forEach((stack, i) => {
		let node = root;
		for (const frame of stack) {
			if (!node.kids.has(frame))
				node.kids.set(frame, { name: frames[frame].name, value: 0,
					kids: new Map(), parent: node });
			node = node.kids.get(frame);
			node.value += profile.weights[i];
		}
	});
	return root;
}

/* events of the functions that a search has found; one below another one counts once */
function flameFound(node, found) {
	if (found(node))
		return node.value;
	return [...node.kids.values()].reduce((s, kid) => s + flameFound(kid, found), 0);
}

/* rows of [node, left, width] from the callees down to the callers of @top, which fill the width */
function flameRows(top, wide) {
	const rows = [];
	const place = (node, level, left, part) => {
		if (part * wide / 100 < FLAME_LEAST)
			return;
		(rows[level] ||= []).push([node, left, part]);
		for (const kid of [...node.kids.values()].sort((a, b) => b.value - a.value)) {
			place(kid, level + 1, left, part * kid.value / node.value);
			left += part * kid.value / node.value;
		}
	};
	const callers = [];

	for (let node = top.parent; node; node = node.parent)
		callers.unshift([[node, 0, 100]]);
	place(top, 0, 0, 100);
	return [...callers, ...rows].reverse();
}

function flameSection(stacks) {
	const host = el("div", { id: "flame", class: "flame" });
	const said = el("span", { class: "soft", id: "flame-found", role: "status" });
	const search = el("input", { type: "search", id: "flame-search",
		"aria-label": "functions to search for", placeholder: "search" });
	const pick = el("select", { "aria-label": "event", id: "flame-event" },
		...stacks.profiles.map((p, i) => el("option", { value: i }, p.name)));
	const whole = el("button", { type: "button", id: "flame-whole" }, "whole");
	const trees = stacks.profiles.map((p) => flameTree(p, stacks.shared.frames));
	let root = trees[0];
	let top = root;
	const found = (node) => search.value !== "" && node !== root &&
		node.name.toLowerCase().includes(search.value.toLowerCase());
	const share = (value) => number({ share: true }, value / (root.value || 1));
	const draw = () => {
		host.replaceChildren(...flameRows(top, width(host)).map((cells) =>
			el("div", { class: "stack" }, ...cells.map(([node, left, part]) =>
				tipped(el("button", { type: "button",
					class: found(node) ? "found" : null,
					"data-function": node.name, "aria-label": node.name,
					style: `left:${left}%;width:${part}%;` +
						`background-color:${colourOfName(node.name)}`,
					onclick: () => {
						top = node;
						draw();
					},
				}, fitting([node.name], width(host) * part / 100)),
				node.name + "\n" + plain(node.value) + " " + root.name +
				"\n" + share(node.value) + " of all")))));
		whole.hidden = top === root;
		said.textContent = search.value === "" ? "" :
			share(flameFound(root, found)) + " in functions found";
	};

	search.addEventListener("input", draw);
	whole.addEventListener("click", () => {
		top = root;
		draw();
	});
	pick.addEventListener("change", () => {
		root = top = trees[+pick.value];
		draw();
	});
	page.append(el("h2", {}, "Where events interrupted"),
		el("p", { class: "soft" }, "Callers are below the functions that they call. " +
			"A click on a function shows what it calls; shares are of all events for " +
			"which the interrupts stand."),
		el("div", { class: "controls" }, pick, search, said, whole), host);
	drawn(host, draw);
}
