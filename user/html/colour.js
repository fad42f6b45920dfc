// SPDX-License-Identifier: GPL-2.0
/*
 * Colours of nodes: a node's colour follows from its name, so that it is the same on every page
 * and whatever else was measured.
 */

const colours = ["#b48ade", "#e8866a", "#7fbf7b", "#6fa8dc", "#e8c34a", "#4fc3b5",
	"#e58fc0", "#a8a83f", "#b07d55", "#9aa5b1", "#b9dff5", "#f3c9ae"];

/*
 * Names that have another colour than their sum gives, by the number of the colour: their
 * neighbours in a published tree, which are parent, siblings, and the next of the same level,
 * would have it too. tests/html checks all trees.
 */
const exceptions = [
	"Frontend_Bound tma_frontend_bound tma_branch_mispredicts tma_l1_bound " +
	"tma_mem_latency tma_serializing_operation",
	"Bad_Speculation tma_bad_speculation tma_fb_full tma_store_bound tma_cisc " +
	"tma_ifetch_latency",
	"Retiring X87_Use L1_Bound tma_contested_accesses tma_retiring",
	"ITLB_Misses Fetch_Bandwidth_Bound Backend_Bound tma_backend_bound " +
	"tma_load_stlb_miss_4k tma_ports_utilization",
	"Branch_Mispredicts Memory_Bound tma_branch_detect tma_resource_bound",
	"tma_code_stlb_miss_2m tma_sq_full tma_fp_divider tma_fp_arith tma_cond_nt_mispredicts",
	"tma_dtlb_load tma_store_stlb_miss_4k tma_ports_utilized_0 tma_nop_instructions",
	"tma_l1_latency_dependency tma_l3_bound",
	"tma_branch_resteers tma_memory_bound tma_fp_vector",
	"tma_divider",
	"tma_core_bound",
	"",
].map((names) => names.split(" "));

function colourOfName(name) {
	const exception = exceptions.findIndex((names) => names.includes(name));
	const sum = [...name].reduce((s, c) => (s * 31 + c.charCodeAt(0)) % 65521, 0);

	return colours[exception >= 0 ? exception : sum % colours.length];
}
