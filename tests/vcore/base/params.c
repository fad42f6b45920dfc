// SPDX-License-Identifier: GPL-2.0
/*
 * Sources, by the short names that the comments below use:
 *
 *   Optimization Manual
 *            Intel 64 and IA-32 Architectures Optimization Reference Manual,
 *            248966: sections 2.3 (Sandy and Ivy Bridge, of edition 033; tables
 *            2-5 to 2-11), 2.5 (Skylake of edition 042) and 2.3 of edition 045
 *            (Golden Cove)
 *   AMD's guide
 *            Software Optimization Guides for Family 17h Models 30h and greater
 *            (56305, Zen 2), for the Zen 4 microarchitecture (57647) and for
 *            Zen 5's (58455), sections 2.5 to 2.12
 *   perf
 *            tools/perf/pmu-events/arch/x86/amdzen4/pipeline.json of Linux: smt_contention
 *            counts slots unused "because the other thread was selected"
 *   TMA      Intel's published Top-Down metrics, for the cycles that they assign to an event
 *   7-cpu.com, jia.je (Zen 5), Chips and Cheese (chipsandcheese.com)
 *            measurements that these sites published
 *   A. Fog   The microarchitecture of Intel, AMD and VIA CPUs
 *   Xeon Phi guide
 *            J. Jeffers, J. Reinders, Intel Xeon Phi Coprocessor High
 *            Performance Programming, chapter 13, and Intel's System Software
 *            Developers Guide of the coprocessor (328207), section 2.1
 *
 * A package has one L3, which all its cores share; its size is that of the product that the
 * comment on the table names. "Not published" marks a number that is close to those of similar
 * cores, or that was chosen so that a published sum results. A line without a comment has the
 * source of the same line in the table before.
 */
#include "params.h"

/*
 * Costs that no manual gives. They are the same for all cores. ASSIST is a number of uops, the
 * others are cycles.
 *
 * A mispredicted branch costs about 15 cycles if its target is in the uop cache, and 18 to 20 if it
 * goes through the decoders (A. Fog, 9.3); three of these cycles are spent in the back end. An
 * interrupt or a serialising instruction also empties the pipeline. A machine clear costs the
 * resteer that TMA assigns to it, and the refill of the back end. The manuals give no number for a
 * machine clear after a store to code. It is assumed to cost as much as any other machine clear,
 * and in addition the miss of the line that the store invalidates in the L1I. An assist flushes the
 * pipeline like a machine clear; it has as many uops as TMA assigns to an assist of floating point
 * (FP_Assists: 34 for Skylake, 30 from Ice Lake on). AMD's cores have no assists for denormals.
 */
#define DSB_DEPTH 4
#define MITE_DEPTH 7
#define RESTEER 8
#define RECOVERY 4
#define SERIALISE 30
#define CLEAR 25
#define ASSIST 34

/* The core is that of a Core i7-3770 at 3.4 GHz, with two channels of DDR3-1600: 25.6 GB/s. */
const struct vcore_params vcore_ivb = {
	.name = "ivb",
	.front = {
		.fetch_bytes = 16,	/* Optimization Manual 2.3.2.1 */
		.decoders = 4,		/* Optimization Manual 2.3.2.1 */
		.complex_uops = 4,	/* Optimization Manual 2.3.2.1 */
		.window_shift = 5,	/* Optimization Manual 2.3.2.2: 32 bytes */
		.dsb = { .sets = 32, .ways = 8 },	/* Optimization Manual 2.3.2.2 */
		.dsb_uops = 6,		/* Optimization Manual 2.3.2.2 */
		.dsb_ways = 3,		/* Optimization Manual 2.3.2.2 */
		.idq = 56,		/* Optimization Manual 2.3.7: 2 x 28, for one thread */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 2,	/* TMA; Optimization Manual B.3.7.2: "several" */
		.ms_switch = 2,		/* TMA metric MS_Switches */
		.lcp = 3,		/* Optimization Manual 2.3.2.1: three-cycle bubble */
		.btb = 4096,		/* measured by M. Godbolt; not published by Intel */
		.btb_ways = 4,
		.baclear = 8,		/* Optimization Manual B.3.7.3, TMA: 12 with refill */
		.returns = 16,		/* Optimization Manual 2.3.2.3 */
		.resteer = RESTEER,
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 4,		/* Optimization Manual 2.3.3.1 */
		.retire_width = 4,	/* Optimization Manual 2.3.3 */
		.rob = 168,		/* Optimization Manual 2.3.3, table 2-4 */
		.rs = 54,		/* Optimization Manual 2.3.3.2 */
		.loads = 64,		/* Optimization Manual 2.3.5.2 */
		.stores = 36,		/* Optimization Manual 2.3.5.2 */
		.ports = 6,		/* Optimization Manual 2.3.3.2, table 2-3 */
		.alu_ports = 0x23,
		.load_ports = 0x0c,
		.sta_ports = 0x0c,
		.std_ports = 0x10,
		.forward = 5,		/* A. Fog 9.14: latency of an L1D hit, and one */
		.forward_blocked = 13,	/* TMA metric Store_Fwd_Blk */
		.alias = 5,		/* Optimization Manual B.3.4.4: about 5 cycles */
		.split = 5,		/* Optimization Manual B.3.4.3; A. Fog 9.13 */
		.clear = CLEAR,
		.assist = ASSIST,
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* Optimization Manual table 2-5 */
		.l1d = { 64, 8, 4 },		/* Optimization Manual tables 2-5, 2-6 */
		.l2 = { 512, 8, 12 },		/* Optimization Manual tables 2-5, 2-6 */
		.l3 = { 8192, 16, 30 },		/* Optimization Manual: 26..31; 7-cpu.com */
		.itlb = { 32, 4, 0 },		/* Optimization Manual table 2-3 */
		.dtlb = { 16, 4, 0 },		/* Optimization Manual 2.3.5.1: 64 entries */
		.stlb = { 128, 4, 7 },		/* Optimization Manual 2.3.5.1: 512, 7 */
		.walk = 25,			/* A. Fog, 7-cpu.com: 24 to 28 */
		.fills = 10,			/* Optimization Manual 2.3.5.1, table 2-8 */
		.l2_requests = 16,		/* Optimization Manual 2.3.5.3: superqueue */
		.snoop_hit = 43,		/* Optimization Manual table 2-9 */
		.snoop_hitm = 60,		/* Optimization Manual table 2-9 */
		.memory = 210,			/* 7-cpu.com: 30 cycles + 53 ns */
		.line_interval = 9,		/* 64 bytes at 25.6 GB/s take 8.5 cycles */
		.tracker = 40,			/* the Top-Down paper's 28 is 70 % of 40 */
	},
};

/* The core is that of a Core i7-6700 at 4.0 GHz, with two channels of DDR4-2133: 34.1 GB/s. */
const struct vcore_params vcore_skl = {
	.name = "skl",
	.front = {
		.fetch_bytes = 16,	/* Optimization Manual 2.5.1 */
		.decoders = 5,		/* Optimization Manual 2.5.1: five uops a cycle */
		.complex_uops = 4,
		.window_shift = 5,
		.dsb = { .sets = 32, .ways = 8 },
		.dsb_uops = 6,		/* Optimization Manual 2.5.1: 6 uops a cycle */
		.dsb_ways = 3,
		.idq = 64,		/* Optimization Manual 2.5.1: 64 for each thread */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 2,
		.ms_switch = 2,		/* TMA metric MS_Switches */
		.lcp = 3,
		.btb = 4096,
		.btb_ways = 4,
		.baclear = 7,		/* TMA: 9 with the refill */
		.returns = 16,
		.resteer = RESTEER,
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 4,		/* Optimization Manual 2.5, figure 2-8 */
		.retire_width = 4,
		.rob = 224,		/* Optimization Manual 2.5, the table of buffer sizes */
		.rs = 97,
		.loads = 72,
		.stores = 56,
		.ports = 8,		/* Optimization Manual 2.5.2 */
		.alu_ports = 0x63,
		.load_ports = 0x0c,
		.sta_ports = 0x8c,
		.std_ports = 0x10,
		.forward = 5,		/* A. Fog 11.12: 4 to 5 cycles */
		.forward_blocked = 13,	/* TMA metric Store_Fwd_Blk */
		.alias = 5,
		.split = 5,
		.clear = CLEAR,
		.assist = ASSIST,
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* Optimization Manual 2.5.3 */
		.l1d = { 64, 8, 4 },		/* Optimization Manual 2.5.3 */
		.l2 = { 1024, 4, 12 },		/* Optimization Manual 2.5.3: 256 KB */
		.l3 = { 8192, 16, 44 },		/* Optimization Manual 2.5.3: 44 cycles */
		.itlb = { 16, 8, 0 },		/* Optimization Manual 2.5.3: 128 entries */
		.dtlb = { 16, 4, 0 },		/* Optimization Manual 2.5.3: 64 entries */
		.stlb = { 128, 12, 9 },		/* Optimization Manual 2.5.3: 1536; TMA: 9 */
		.walk = 25,			/* 7-cpu.com: about 26 cycles */
		.fills = 12,			/* A. Fog 11.12; Intel: 10 or more */
		.l2_requests = 16,		/* as in Ivy Bridge */
		.snoop_hit = 55,		/* Ivy Bridge's, with this L3's latency */
		.snoop_hitm = 74,
		.memory = 246,			/* 7-cpu.com: 42 cycles + 51 ns */
		.line_interval = 8,		/* 64 bytes at 34.1 GB/s take 7.5 cycles */
		.tracker = 40,			/* as in Ivy Bridge */
	},
};

/*
 * The core is that of a Xeon Gold 5416S with 16 cores, at 3.5 GHz, with eight channels of
 * DDR5-4400. A mask of ports has only 8 bits: ports 7, 8 and 11 are merged into one, ports 4 and 9
 * into another, and port 10 is left out. Golden Cove has three schedulers: one with 97 entries, one
 * with 70 for loads, and one with 38 for stores (Optimization Manual). The model has one with 128.
 * The L3 is not inclusive in the product, but inclusive in the model.
 */
const struct vcore_params vcore_spr = {
	.name = "spr",
	.front = {
		.fetch_bytes = 32,	/* Optimization Manual 2.3.1 */
		.decoders = 6,		/* Optimization Manual 2.3.1 */
		.complex_uops = 4,
		.window_shift = 6,	/* Optimization Manual 2.3.1: 64 bytes */
		.dsb = { .sets = 64, .ways = 8 },	/* Optimization Manual: 4096 uops */
		.dsb_uops = 8,		/* Optimization Manual 2.3.1: 8 uops a cycle */
		.dsb_ways = 6,
		.idq = 144,		/* Optimization Manual 2.3.1: 144 for one thread */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 2,
		.ms_switch = 3,		/* TMA metric MS_Switches */
		.lcp = 3,
		.btb = 12288,		/* Intel, Architecture Day 2021: 12K */
		.btb_ways = 6,
		.baclear = 7,
		.returns = 16,
		.resteer = RESTEER + 2,	/* Chips and Cheese: a mispredict costs 17 */
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 6,		/* Optimization Manual 2.3.2 */
		.retire_width = 8,	/* Optimization Manual 2.3.2 */
		.rob = 512,		/* Optimization Manual 2.3.2 */
		.rs = 128,
		.loads = 192,		/* Optimization Manual 2.3.3 */
		.stores = 114,		/* Optimization Manual 2.3.3 */
		.ports = 8,
		.alu_ports = 0x63,
		.load_ports = 0x8c,
		.sta_ports = 0x8c,
		.std_ports = 0x10,
		.forward = 5,
		.forward_blocked = 13,	/* TMA metric Store_Fwd_Blk */
		.alias = 5,
		.split = 5,
		.clear = CLEAR,
		.assist = 30,
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* Optimization Manual 2.3.1: 32 KB */
		.l1d = { 64, 12, 5 },		/* Optimization Manual 2.3.3: 48 KB */
		.l2 = { 2048, 16, 14 },		/* 2 MB; Optimization Manual 2.3.3 */
		.l3 = { 32768, 15, 125 },	/* Chips and Cheese: 33 ns; 1.9 MB for each core */
		.itlb = { 32, 8, 0 },		/* Optimization Manual 2.3.1: 256 entries */
		.dtlb = { 16, 6, 0 },		/* Optimization Manual 2.3.3: 96 entries */
		.stlb = { 128, 16, 7 },		/* Optimization Manual: 2048; TMA: 7 */
		.walk = 25,
		.fills = 16,			/* Optimization Manual 2.3.3 */
		.l2_requests = 48,		/* Optimization Manual 2.3.3 */
		.snoop_hit = 140,		/* not published */
		.snoop_hitm = 160,
		.memory = 380,			/* Chips and Cheese: 107 ns */
		.line_interval = 1,		/* 64 bytes at 281 GB/s take 0.8 cycles */
		.tracker = 96,			/* not published */
	},
};

/*
 * The core is Alder Lake's efficient core, Gracemont. In the product four such cores share an L2;
 * in the model each core has an L2 of its own. L3 and memory are those of vcore_spr. Gracemont's
 * two clusters of three decoders alternate at taken branches; the model has one cluster of six.
 * There is no uop cache. The 17 ports are merged into 8.
 */
const struct vcore_params vcore_grt = {
	.name = "grt",
	.front = {
		.fetch_bytes = 32,	/* Chips and Cheese */
		.decoders = 6,		/* Chips and Cheese */
		.complex_uops = 4,	/* not published */
		.window_shift = 6,
		.dsb = { .sets = 1, .ways = 1 },
		.dsb_uops = 6,
		.dsb_ways = 0,		/* there is no uop cache: no window is cached */
		.idq = 64,		/* not published */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 0,
		.ms_switch = 2,
		.lcp = 3,
		.btb = 5120,		/* Intel, Architecture Day 2021: 5000 */
		.btb_ways = 5,
		.baclear = 7,
		.returns = 16,
		.resteer = RESTEER,
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 5,		/* Intel, Architecture Day 2021 */
		.retire_width = 8,	/* Intel, Architecture Day 2021 */
		.rob = 256,		/* Intel, Architecture Day 2021 */
		.rs = 96,		/* not published */
		.loads = 80,		/* Chips and Cheese */
		.stores = 50,		/* Chips and Cheese */
		.ports = 8,
		.alu_ports = 0x0f,	/* Intel, Architecture Day 2021: four ALUs */
		.load_ports = 0x30,	/* Intel, Architecture Day 2021: two loads */
		.sta_ports = 0x40,	/* Intel, Architecture Day 2021: two stores */
		.std_ports = 0x80,
		.forward = 5,
		.forward_blocked = 13,
		.alias = 5,
		.split = 5,
		.clear = CLEAR,
		.assist = 30,
	},
	.memory = {
		.l1i = { 128, 8, 0 },		/* 64 KB */
		.l1d = { 64, 8, 3 },		/* 32 KB; Chips and Cheese */
		.l2 = { 2048, 16, 17 },		/* 2 MB; Chips and Cheese */
		.l3 = { 32768, 15, 125 },
		.itlb = { 1, 64, 0 },		/* Chips and Cheese: 64 entries, one set */
		.dtlb = { 1, 32, 0 },		/* Chips and Cheese: 32 entries, one set */
		.stlb = { 512, 4, 9 },		/* Chips and Cheese: 2048 entries */
		.walk = 25,
		.fills = 16,			/* not published */
		.l2_requests = 48,
		.snoop_hit = 140,
		.snoop_hitm = 160,
		.memory = 380,
		.line_interval = 1,
		.tracker = 96,
	},
};

/*
 * The core is that of a Ryzen 7 3700X at 4.2 GHz, with two channels of DDR4-3200. The model has one
 * of the product's two core complexes, thus half of the L3. The 11 ports are merged into 8: the
 * four vector pipes share ports with the four integer pipes, and one AGU executes all store
 * addresses. The L3 is a victim cache in the product, but inclusive in the model.
 */
const struct vcore_params vcore_zen2 = {
	.name = "zen2",
	.front = {
		.fetch_bytes = 32,	/* AMD's guide 2.8.2 */
		.decoders = 4,		/* AMD's guide 2.9 */
		.complex_uops = 2,	/* AMD's guide 2.9: fastpath double */
		.window_shift = 6,	/* AMD's guide 2.9.1: 64 bytes */
		.dsb = { .sets = 64, .ways = 8 },	/* AMD's guide 2.9.1 */
		.dsb_uops = 8,		/* AMD's guide 2.9.1 */
		.dsb_ways = 8,
		.idq = 72,		/* not published; as in Zen 1 */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 1,
		.ms_switch = 2,
		.lcp = 0,		/* AMD's guide: prefixes cause no stall */
		.btb = 7168,		/* AMD's guide 2.8.1.2: entries of the L2 BTB */
		.btb_ways = 7,
		.baclear = 8,
		.returns = 31,		/* AMD's guide 2.8.1.3 */
		.resteer = RESTEER,	/* AMD's guide 2.8.1: a mispredict costs 18 */
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 6,		/* AMD's guide 2.10: six macro ops */
		.retire_width = 8,	/* AMD's guide 2.10.3 */
		.rob = 224,		/* AMD's guide 2.10.3 */
		.rs = 128,		/* AMD's guide 2.10.1, 2.11: the sum 64 + 28 + 36 */
		.loads = 44,		/* AMD's guide 2.12 */
		.stores = 48,		/* AMD's guide 2.12 */
		.ports = 8,
		.alu_ports = 0x0f,
		.load_ports = 0x30,
		.sta_ports = 0x40,
		.std_ports = 0x80,
		.forward = 7,		/* A. Fog on Zen: 7 cycles, including the L1D */
		.forward_blocked = 14,	/* A. Fog */
		.alias = 0,		/* no 4K aliasing is known */
		.split = 1,		/* AMD's guide 2.12: one cycle more */
		.clear = CLEAR,
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* AMD's guide 2.6.1 */
		.l1d = { 64, 8, 4 },		/* AMD's guide 2.6.2: 4 to 5 cycles */
		.l2 = { 1024, 8, 12 },		/* AMD's guide 2.6.3 */
		.l3 = { 16384, 16, 39 },	/* AMD's guide 2.6.4 */
		.itlb = { 1, 64, 0 },		/* AMD's guide 2.7.1: fully associative */
		.dtlb = { 1, 64, 0 },		/* AMD's guide 2.7.2: fully associative */
		.stlb = { 128, 16, 7 },		/* AMD's guide 2.7.2: 2048 entries */
		.walk = 25,
		.fills = 22,			/* AMD's guide 2.12: miss address buffers */
		.l2_requests = 48,		/* AMD, Hot Chips 2019 */
		.snoop_hit = 70,		/* not published */
		.snoop_hitm = 80,
		.memory = 316,			/* 7-cpu.com: 39 cycles + 66 ns */
		.line_interval = 5,		/* 64 bytes at 51.2 GB/s take 5.3 cycles */
		.tracker = 96,			/* not published */
	},
};

/*
 * The core is that of a Ryzen 7 7700X at 5.0 GHz, with two channels of DDR5-5200. Ports are merged
 * as in Zen 2.
 */
const struct vcore_params vcore_zen4 = {
	.name = "zen4",
	.front = {
		.fetch_bytes = 32,	/* AMD's guide 2.8.2 */
		.decoders = 4,		/* AMD's guide 2.9 */
		.complex_uops = 2,
		.window_shift = 6,	/* AMD's guide 2.9.1 */
		.dsb = { .sets = 64, .ways = 12 },	/* AMD's guide 2.9.1: 6.75K operations */
		.dsb_uops = 9,		/* AMD's guide 2.9.1 */
		.dsb_ways = 8,
		.idq = 144,		/* Chips and Cheese: the size of the loop buffer */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 1,
		.ms_switch = 2,
		.lcp = 0,
		.btb = 7168,		/* AMD's guide 2.8.1.2: entries of the L2 BTB */
		.btb_ways = 7,
		.baclear = 8,
		.returns = 32,		/* AMD's guide 2.8.1.3 */
		.resteer = RESTEER,	/* AMD's guide 2.8.1: a mispredict costs 13 */
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 6,		/* AMD's guide 2.10 */
		.retire_width = 8,
		.rob = 320,		/* AMD's guide 2.10.3 */
		.rs = 128,		/* AMD's guide: 160; the model has at most 128 */
		.loads = 88,		/* AMD's guide 2.12 */
		.stores = 64,		/* AMD's guide 2.12 */
		.ports = 8,
		.alu_ports = 0x0f,
		.load_ports = 0x30,
		.sta_ports = 0x40,
		.std_ports = 0x80,
		.forward = 7,
		.forward_blocked = 14,
		.alias = 0,
		.split = 1,
		.clear = CLEAR,
		.alternates = true,	/* perf: smt_contention, the other thread's slots */
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* AMD's guide 2.6.1 */
		.l1d = { 64, 8, 4 },		/* AMD's guide 2.6.2 */
		.l2 = { 2048, 8, 14 },		/* AMD's guide 2.6.3: 1 MB */
		.l3 = { 32768, 16, 50 },	/* AMD's guide 2.6.4 */
		.itlb = { 1, 64, 0 },		/* AMD's guide 2.7.1 */
		.dtlb = { 1, 72, 0 },		/* AMD's guide 2.7.2 */
		.stlb = { 128, 24, 7 },		/* AMD's guide 2.7.2: 3072 entries */
		.walk = 25,
		.fills = 22,			/* AMD's guide 2.12: 24; the model has 22 */
		.l2_requests = 64,		/* Chips and Cheese */
		.snoop_hit = 80,		/* not published */
		.snoop_hitm = 90,
		.memory = 365,			/* Chips and Cheese: 73 ns */
		.line_interval = 4,		/* 64 bytes at 83.2 GB/s take 3.8 cycles */
		.tracker = 96,			/* not published */
	},
};

/*
 * The core is that of a Ryzen 7 9700X at 5.5 GHz, with two channels of DDR5-5600. Ports are merged
 * as in Zen 2. There are two clusters of four decoders, and a thread uses only one of them. A
 * thread that has the core to itself has the whole reorder buffer: 224 entries of two operations
 * each.
 */
const struct vcore_params vcore_zen5 = {
	.name = "zen5",
	.front = {
		.fetch_bytes = 32,	/* AMD's guide: 64 in two blocks, one for each cluster */
		.decoders = 4,		/* AMD's guide */
		.complex_uops = 2,
		.window_shift = 6,
		.dsb = { .sets = 64, .ways = 16 },	/* AMD's guide: 6K operations */
		.dsb_uops = 6,		/* AMD's guide */
		.dsb_ways = 12,		/* not published; as many uops as in Zen 4 */
		.idq = 144,		/* not published; as in Zen 4 */
		.mite_depth = MITE_DEPTH,
		.dsb_depth = DSB_DEPTH,
		.switch_cycles = 1,
		.ms_switch = 2,
		.lcp = 0,
		.btb = 16384,		/* AMD's guide: entries of the L1 BTB */
		.btb_ways = 8,
		.baclear = 8,
		.returns = 52,		/* AMD's guide */
		.resteer = RESTEER,
		.recovery = RECOVERY,
		.serialise = SERIALISE,
	},
	.back = {
		.width = 8,		/* AMD's guide */
		.retire_width = 8,
		.rob = 448,		/* AMD's guide */
		.rs = 128,		/* AMD's guide has more; the model has at most 128 */
		.loads = 88,		/* not published; as in Zen 4 */
		.stores = 104,		/* AMD's guide */
		.ports = 8,
		.alu_ports = 0x0f,
		.load_ports = 0x30,
		.sta_ports = 0x40,
		.std_ports = 0x80,
		.forward = 8,		/* jia.je: 8; 14 to 15 if forwarding fails */
		.forward_blocked = 14,
		.alias = 0,
		.split = 1,		/* AMD's guide: one cycle more */
		.clear = CLEAR,
		.alternates = true,	/* perf: smt_contention, the other thread's slots */
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* AMD's guide */
		.l1d = { 64, 12, 4 },		/* AMD's guide: 48 KB */
		.l2 = { 1024, 16, 14 },		/* AMD's guide: 1 MB */
		.l3 = { 32768, 16, 50 },	/* AMD's guide: 32 MB; the latency is Zen 4's */
		.itlb = { 1, 64, 0 },		/* AMD's guide */
		.dtlb = { 1, 96, 0 },		/* AMD's guide */
		.stlb = { 256, 16, 7 },		/* AMD's guide: 4096 entries */
		.walk = 25,
		.fills = 22,			/* not published; as in Zen 4 */
		.l2_requests = 64,
		.snoop_hit = 80,		/* not published */
		.snoop_hitm = 90,
		.memory = 400,			/* not published; 73 ns, as in Zen 4 */
		.line_interval = 4,		/* 64 bytes at 89.6 GB/s take 3.9 cycles */
		.tracker = 96,			/* not published */
	},
};

/*
 * The core is that of a Xeon Phi 7120 at 1.24 GHz. There is no L3: a hit of the model's "L3" is a
 * hit in the L2 of another core, over the ring. The Xeon Phi guide gives such a hit the same
 * latency as memory: at least 250 cycles more than the core's own L2. It gives 145 cycles as the
 * mean of the latencies of the L2 and of memory.
 */
const struct vcore_params vcore_knc = {
	.name = "knc",
	.in_order = true,
	.threads = 4,
	.front = {
		.btb = 512, .btb_ways = 4,	/* not published */
		.returns = 16,			/* not published */
	},
	.memory = {
		.l1i = { 64, 8, 0 },		/* Xeon Phi guide 2.1: 32 KB */
		.l1d = { 64, 8, 1 },		/* Xeon Phi guide 2.1: 32 KB, one cycle */
		.l2 = { 1024, 8, 21 },		/* Xeon Phi guide: 512 KB, 21 cycles */
		.itlb = { 8, 4, 0 },		/* Xeon Phi guide 2.1: 32 entries */
		.dtlb = { 16, 4, 0 },		/* Xeon Phi guide 2.1: 64 entries */
		.stlb = { 16, 4, 25 },		/* Xeon Phi guide 2.1: 64 entries, 25 */
		.walk = 100,			/* Xeon Phi guide: at least 100 cycles */
		.fills = 22,			/* Xeon Phi guide: 38; the model has 22 */
		.l2_requests = 38,		/* Xeon Phi guide 2.1: about 38 */
		.snoop_hit = 271,		/* Xeon Phi guide: L2 21 and ring 250 */
		.snoop_hitm = 271,
		.memory = 271,
		.line_interval = 1,		/* 64 bytes at 352 GB/s take 0.2 cycles */
		.tracker = 128,			/* not published */
	},
};
