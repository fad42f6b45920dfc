// SPDX-License-Identifier: GPL-2.0
/*
 * The page, on screen and in print. user/tool/view/html/html_view.h describes its data.
 */

/* buttons that choose the core type that is shown */
function coreTypes() {
	return el("nav", { id: "core-types", "aria-label": "core types" },
		...written.types.map((type) => el("button", {
			"aria-pressed": String(type === data),
			onclick: () => {
				data = type;
				drawings.length = 0;
				tip.hidden = true;
				page.replaceChildren();
				recording();
				page.querySelector("#core-types [aria-pressed=true]").focus();
			} }, type.about.title + ", CPU " + type.about.cpus)));
}

function about() {
	const a = data.about;
	const facts = [
		["Part", a.title + " (" + a.part + ")"], ["Machine", a.host],
		["CPUs", a.cpus + " of " + a.machine_cpus + (a.smt ?
			", several threads per core" : ", one thread per core")],
		["Started", a.begun], ["Command", a.command],
		["Duration", seconds(lengthOf())],
		["Samples", "every " + plain(a.period_ms) + " ms; drawn every " +
			plain(a.drawn_ms) + " ms"],
		["Requested", a.asked],
	];
	const groups = a.groups.map((g, i) => [String(i + 1) +
		(g.uncore ? " (uncore)" : ""), g.events.join(", ")]);
	page.append(el("h1", {}, document.title));
	if (written.types)
		page.append(coreTypes());
	page.append(el("dl", { id: "about" }, ...facts.filter((f) => f[1])
		.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)])));
	if (a.cut)
		page.append(el("p", { class: "warn" },
			"The recording is incomplete: the page shows the samples up to the end of the file."));
	const events = el("details", { id: "event-groups", class: "paper" }, el("summary", {},
		a.groups.length + " groups of events" +
		(a.groups.length > 1 ? ", multiplexed" : "")));
	events.append(el("dl", {}, ...groups.flatMap(([k, v]) =>
		[el("dt", {}, "Group " + k), el("dd", {}, v)])));
	page.append(events);
}

/* the summary on top */
function headline() {
	const facts = (data.headline || []).filter((n) => n.value != null)
		.map((n) => [n.name.replaceAll("_", " "), number(n, n.value) +
			spread(n, n.half) + (n.share ? "" : unit(n))]);
	const { topdown } = data;
	const tree = topdown && topdown.nodes && new Tree(topdown);

	if (tree && tree.worst)
		facts.push(["Flagged", tree.path(tree.worst).map((n) => n.name)
			.join(" › ")]);
	if (facts.length)
		page.append(el("div", { id: "headline" }, ...facts.map(([k, v]) =>
			el("div", {}, el("span", { class: "soft" }, k),
				el("b", {}, v)))));
}

/* table of contents: the sections that exist */
function contents() {
	const heads = [...page.querySelectorAll("h2")];
	const links = heads.map((h, i) => {
		h.id = "section-" + i;
		return el("a", { href: "#" + h.id }, h.textContent);
	});

	if (links.length > 1)
		document.getElementById("about").after(el("nav",
			{ id: "contents", "aria-label": "contents" }, ...links));
}

function views() {
	return [data.topdown, data.metrics, data.phi, data.events]
		.filter((v) => v && v.end);
}

function lengthOf() {
	const view = views()[0];
	const last = view ? view.end.length - 1 : -1;
	return last < 0 ? 0 : view.end[last] - view.begin[0];
}

function groupsPlot(view) {
	const host = el("div", { class: "plot", id: "groups" });
	const names = view.groups.map((g, i) => ({ id: i,
		name: "Group " + (i + 1) + (g.uncore ? " (uncore)" : ""),
		text: g.events.join("\n") }));
	const colourOf = (n) => colours[n.id % colours.length];
	page.append(figure(el("h3", {},
		"Fraction of the time that each group was on the counters"),
	legend(names, colourOf), host));
	drawn(host, () => plot(host, view, view.groups.map((g) => g.running),
		true, {
			range: [0, 1],
			draw: view.groups.map((g, i) => (u) => steps(u, view,
				g.running, colourOf({ id: i }), 1.5)),
			text: (i) => names.map((n) => n.name + " " +
				number({ share: true },
					view.groups[n.id].running[i]))
				.join("\n"),
		}));
}

function eventsSection(view) {
	const host = el("div", { class: "plot", id: "event-plot" });
	const pick = el("select", { "aria-label": "event", id: "event" },
		...view.nodes.map((n) => el("option", { value: n.id }, n.name)));
	let node = view.nodes[0];
	const draw = () => oneLine(host, view, node, colours[3]);

	pick.addEventListener("change", () => {
		node = view.nodes[+pick.value];
		draw();
	});
	page.append(el("h2", {}, "Event counts"));
	groupsPlot(view);
	page.append(figure(el("h3", {}, "Counts per second"), pick, host));
	drawn(host, draw);
	const counts = table(["event", "counts", "±", "counted", "notes"],
		view.nodes.map((n) => [n.name, plain(n.value),
			n.half === "inf" ? "?" : n.half ? plain(Math.round(n.half)) : "0",
			n.part == null ? "never" : (100 * n.part).toFixed(0) +
				" % of the time", notes(n)]));
	counts.id = "events";
	page.append(counts);
}

/* the sections, then the reasons for missing ones */
function recording() {
	const { topdown, phi, metrics, stack, events } = data;
	const missing = [];
	const show = (title, view, draw) => {
		if (view && view.why)
			missing.push([title, view.why]);
		else if (view)
			draw(view);
	};

	about();
	headline();
	if (!phi || !topdown.why)
		show("Top-Down", topdown, () => {
			const tree = treeSection(topdown, "Top-Down", "topdown");
			levelsSection(topdown, tree);
			heatSection(topdown, "CPUs over time",
				tree.path(tree.worst)[0] || topdown.nodes[0],
				"cpus");
		});
	show("Threads per core", phi, () => {
		heatSection(phi, "Threads per core, and their activity",
			phi.nodes[0], "cores");
		treeSection(phi, "Coprocessor metrics", "phi");
	});
	show("Metrics", metrics, () => {
		treeSection(metrics, "Metrics", "metrics");
		heatSection(metrics, "Metrics of CPUs over time",
			metrics.nodes[0], "metric-cpus");
	});
	show("CPI stacks at three stages", stack, stackSection);
	if (data.roofline)
		rooflineSection(data.roofline);
	show("Where events interrupted", data.stacks, flameSection);
	show("Event counts", events, eventsSection);
	if (missing.length)
		page.append(el("h2", {}, "Not in this recording"),
			el("dl", { id: "missing" }, ...missing.flatMap(([k, v]) =>
				[el("dt", {}, k), el("dd", {}, v + ".")])));
	contents();
}

function redraw() {
	tip.hidden = true;
	for (const { host, draw } of drawings)
		draw(host);
}

let wide = innerWidth;
addEventListener("resize", () => {
	if (innerWidth === wide || printing)
		return;
	wide = innerWidth;
	requestAnimationFrame(redraw);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
/* print everything that can be opened */
let closed = [];
addEventListener("beforeprint", () => {
	printing = true;
	closed = [...page.querySelectorAll("details.paper:not([open])")];
	closed.forEach((d) => { d.open = true; });
	document.documentElement.dataset.print = "";
	redraw();
});
addEventListener("afterprint", () => {
	printing = false;
	closed.forEach((d) => { d.open = false; });
	delete document.documentElement.dataset.print;
	redraw();
});
if (data.recordings)
	compareSection(data.recordings);
else
	recording();
