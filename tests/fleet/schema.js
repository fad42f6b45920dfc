// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: node schema.js DASHBOARD SCHEMA FOLDER
 *
 * Writes a TypeScript program to FOLDER that compiles if the dashboard conforms to Grafana's
 * schema, the npm package unpacked in SCHEMA: every member, its values, and the options and
 * field options of each panel by the panel's type.
 */
"use strict";
const fs = require("fs");
const path = require("path");

const [file, schema, folder] = process.argv.slice(2);
const dashboard = JSON.parse(fs.readFileSync(file, "utf8"));
const raw = path.join(schema, "dist/esm/raw");

/* Turns enumerations into unions of strings: the strings in JSON would not be enumerators. */
function unions(text)
{
	const members = {};

	return text.replace(/export declare enum (\w+) {([^}]*)}/g, (all, name, body) => {
		const values = [...body.matchAll(/(\w+) = ([^,\n]+)/g)];

		for (const [, member, value] of values)
			members[`${name}.${member}`] = value;
		return `export declare type ${name} = ` +
			`${values.map((match) => match[2]).join(" | ")};`;
	}).replace(/\b[A-Z]\w+\.[A-Z]\w+/g, (all) => members[all] || all);
}

function copy(from, to)
{
	fs.mkdirSync(to, { recursive: true });
	for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
		const source = path.join(from, entry.name);
		const target = path.join(to, entry.name);

		if (entry.isDirectory())
			copy(source, target);
		else if (entry.name.endsWith(".d.ts"))
			fs.writeFileSync(target, unions(fs.readFileSync(source, "utf8")));
	}
}

/* Returns the path of the file with the options of a panel type. */
function optionsOf(type)
{
	const name = type.replace("-", "");
	const found = path.join(raw, "composable", name, "panelcfg/x");
	const types = fs.readdirSync(found).find((entry) => entry.endsWith(".d.ts"));

	return `@grafana/schema/esm/raw/composable/${name}/panelcfg/x/${types.replace(".d.ts", "")}`;
}

const module_folder = path.join(folder, "node_modules/@grafana/schema");

copy(path.join(schema, "dist/esm"), path.join(module_folder, "esm"));
fs.writeFileSync(path.join(module_folder, "index.d.ts"), 'export * from "./esm/index";\n');
const lines = [
	'import * as grafana from "@grafana/schema/esm/raw/dashboard/x/dashboard_types.gen";',
	"type Some<T> = T extends (infer E)[] ? Some<E>[] :",
	"	T extends object ? { [K in keyof T]?: Some<T[K]> } : T;",
	`const dashboard: grafana.Dashboard = ${JSON.stringify(dashboard)};`,
];
dashboard.panels.forEach((panel, i) => {
	const text = JSON.stringify(panel);
	const custom = JSON.stringify(panel.fieldConfig.defaults.custom || {});

	if (panel.type === "row")
		return;
	lines.push(`import * as type${i} from "${optionsOf(panel.type)}";`,
		`const panel${i}: grafana.Panel = ${text};`,
		`const options${i}: Some<type${i}.Options> = ${JSON.stringify(panel.options)};`);
	if (custom !== "{}")
		lines.push(`const custom${i}: Some<type${i}.FieldConfig> = ${custom};`);
});
fs.writeFileSync(path.join(folder, "dashboard.ts"), lines.join("\n") + "\n");
