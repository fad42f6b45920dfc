/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that all generations of Zen have, and those of Top-Down, which exist from Zen 4 on;
 * libpfm4 has more. Any counter can count any of these events. Source of the codes of the core's
 * events: libpfm4 4.13 for Zen to Zen 4, Linux' arch/x86/events/amd/core.c, and Linux'
 * tools/perf/pmu-events for Zen 5 and 6; of all other events: Linux' tools/perf/pmu-events. Events
 * of the data fabric of Zen 4 and 5 have the names of Linux' file of Zen 5; events of one socket's
 * reads alone, which that file lacks, have the names of the file of Zen 4. Linux has no events of
 * the data fabric of Zen 6.
 */
#include "arch.h"

#define ZEN_ALL 0x3f

/*
 * An event of the L3; @bits has to let all threads, cores and slices count (fields in
 * amd_uncore.c).
 */
#define L3_EVENT(title, text, bits) { \
	.name = (title), .desc = (text), .select = (bits), \
	.counters = ZEN_ALL, .counters_noht = ZEN_ALL, .unit = BPMU_UNIT_L3, \
}

#define ZEN_L3(title, text, code) \
	L3_EVENT(title, text, (code) | 0xff0f000000000000ULL)
#define ZEN3_L3(title, text, code) \
	L3_EVENT(title, text, (code) | 0x0300c00000000000ULL)
/* An event of sampled latencies of the L3, from Zen 4 on, which only slice 3 counts */
#define ZEN4_L3_XI(title, text, code) \
	L3_EVENT(title, text, (code) | 0x0303c00000000000ULL)

/* Event of memory channel @c until Zen 3, which counts each 64 bytes that are read or written */
#define ZEN_DRAM(c, event) { \
	.name = "DRAM_CHANNEL_DATA_CONTROLLER_" #c, \
	.desc = "Lines read and written by memory channel " #c, \
	.select = ((event) & 0xff) | (event & 0xf00ULL) << 24 | 0x3800, \
	.counters = 0xf, .counters_noht = 0xf, .unit = BPMU_UNIT_DF, \
}

/*
 * Event of memory channel @c from Zen 4 on; the unit mask tells whose requests are counted. Bits
 * 37:32 of the event select are bits 13:8 of the event code, bits 27:24 are bits 11:8 of the unit
 * mask.
 */
#define ZEN4_DRAM(title, text, umask, c) { \
	.name = title #c, .desc = text #c, \
	.select = ((0x1fULL + 0x40 * (c)) & 0xff) | \
		  ((0x1fULL + 0x40 * (c)) & 0x3f00) << 24 | \
		  ((umask) & 0xffULL) << 8 | ((umask) & 0xf00ULL) << 16, \
	.counters = 0xffff, .counters_noht = 0xffff, .unit = BPMU_UNIT_DF, \
}

#define ZEN4_CHANNELS(title, text, umask) \
	ZEN4_DRAM(title, text, umask, 0), \
	ZEN4_DRAM(title, text, umask, 1), \
	ZEN4_DRAM(title, text, umask, 10), \
	ZEN4_DRAM(title, text, umask, 11), \
	ZEN4_DRAM(title, text, umask, 2), \
	ZEN4_DRAM(title, text, umask, 3), \
	ZEN4_DRAM(title, text, umask, 4), \
	ZEN4_DRAM(title, text, umask, 5), \
	ZEN4_DRAM(title, text, umask, 6), \
	ZEN4_DRAM(title, text, umask, 7), \
	ZEN4_DRAM(title, text, umask, 8), \
	ZEN4_DRAM(title, text, umask, 9)

/* An event of a memory controller; bits 9:8 of the code restrict it to reads or to writes. */
#define ZEN4_UMC(title, text, code) { \
	.name = (title), .desc = (text), .select = (code), \
	.counters = 0xff, .counters_noht = 0xff, .unit = BPMU_UNIT_UMC, \
}

#define ZEN_EVENTS_TO_C \
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.ALL", \
	  "Reads of code and data that the core asked the L2 cache for", \
	  0xff64, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.IC_FILL_MISS", \
	  "Code fetches that missed the L2 cache", \
	  0x0164, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.LS_RD_BLK_C", \
	  "Data reads that missed the L2 cache", \
	  0x0864, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.MISS", \
	  "Reads of code and data that missed the L2 cache", \
	  0x0964, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "CYCLES_NOT_IN_HALT", \
	  "Core cycles in which the thread was not halted", \
	  0x0076, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_DI \
	{ "DIV_CYCLES_BUSY_COUNT", \
	  "Cycles in which the divider was busy", \
	  0x00d3, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "DIV_OP_COUNT", \
	  "Divisions executed", \
	  0x00d4, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_DRAM \
	ZEN_DRAM(0, 0x007), \
	ZEN_DRAM(1, 0x047), \
	ZEN_DRAM(2, 0x087), \
	ZEN_DRAM(3, 0x0c7), \
	ZEN_DRAM(4, 0x107), \
	ZEN_DRAM(5, 0x147), \
	ZEN_DRAM(6, 0x187), \
	ZEN_DRAM(7, 0x1c7)

#define ZEN_EVENTS_FROM_I \
	{ "INSTRUCTION_CACHE_REFILLS_FROM_L2", \
	  "Lines brought into the instruction cache from the L2 cache", \
	  0x0082, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", \
	  "Lines brought into the instruction cache from beyond the L2 cache", \
	  0x0083, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "L1_DTLB_MISS.ALL", \
	  "Data accesses that missed the first TLB", \
	  0xff45, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "L1_DTLB_MISS.ALL_L2_MISS", \
	  "Data accesses that missed all TLBs and began a page walk", \
	  0xf045, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "L1_ITLB_MISS_L2_ITLB_HIT", \
	  "Code fetches that missed the first TLB and hit the second", \
	  0x0084, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "L1_ITLB_MISS_L2_ITLB_MISS", \
	  "Code fetches that missed all TLBs and began a page walk", \
	  0xff85, ZEN_ALL, ZEN_ALL, NULL }

/*
 * Events of lines that come from memory into the L1 data cache. Source of the names: libpfm4; for
 * the first Zen: LIKWID's event table
 */
#define ZEN_FILLS(local, remote) \
	{ "DATA_CACHE_REFILLS_FROM_SYSTEM." local, \
	  "Lines that loads and stores brought from the node's own memory", \
	  0x0843, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "DATA_CACHE_REFILLS_FROM_SYSTEM." remote, \
	  "Lines that loads and stores brought from another node's memory", \
	  0x4043, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN_PREFETCHED(local, remote) \
	{ "HARDWARE_PREFETCH_DATA_CACHE_FILLS." local, \
	  "Lines that prefetchers brought from the node's own memory", \
	  0x085a, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "HARDWARE_PREFETCH_DATA_CACHE_FILLS." remote, \
	  "Lines that prefetchers brought from another node's memory", \
	  0x405a, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN3_FILLS_NEAR(name) \
	{ "ANY_DATA_CACHE_FILLS_FROM_SYSTEM." name, \
	  "Lines brought into the data cache from the node's own memory", \
	  0x0844, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN3_FILLS_FAR(name) \
	{ "ANY_DATA_CACHE_FILLS_FROM_SYSTEM." name, \
	  "Lines brought into the data cache from another node's memory", \
	  0x4044, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_FROM_LS \
	{ "LS_DISPATCH.LD_DISPATCH", \
	  "Loads handed to the load and store unit", \
	  0x0129, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "LS_DISPATCH.LD_ST_DISPATCH", \
	  "Operations that load and store, handed to the load and store unit", \
	  0x0429, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "LS_DISPATCH.STORE_DISPATCH", \
	  "Stores handed to the load and store unit", \
	  0x0229, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_FROM_REQ \
	{ "REQUESTS_TO_L2_GROUP1.ALL", \
	  "Requests to the L2 cache: code, data and prefetches", \
	  0xff60, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "REQUESTS_TO_L2_GROUP1.CACHEABLE_IC_READ", \
	  "Code fetches that reached the L2 cache", \
	  0x1060, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "REQUESTS_TO_L2_GROUP1.RD_BLK_L", \
	  "Data reads that reached the L2 cache", \
	  0x8060, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "REQUESTS_TO_L2_GROUP1.RD_BLK_X", \
	  "Stores that reached the L2 cache", \
	  0x4060, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_FROM_RET \
	{ "RETIRED_BRANCH_INSTRUCTIONS", \
	  "Branches completed, interrupts and exceptions among them", \
	  0x00c2, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", \
	  "Completed branches that had been predicted wrongly", \
	  0x00c3, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", \
	  "Conditional branches completed", \
	  0x00d1, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_FAR_CONTROL_TRANSFERS", \
	  "Far branches completed, interrupts and exceptions among them", \
	  0x00c6, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_INDIRECT_BRANCH_INSTRUCTIONS_MISPREDICTED", \
	  "Completed indirect branches that had been predicted wrongly", \
	  0x00ca, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_INSTRUCTIONS", \
	  "Instructions completed", \
	  0x00c0, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_NEAR_RETURNS", \
	  "Near returns completed", \
	  0x00c8, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_NEAR_RETURNS_MISPREDICTED", \
	  "Completed near returns that had been predicted wrongly", \
	  0x00c9, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_OPS", \
	  "Operations completed: uops on Zen and Zen 2, macro-ops from Zen 3 on", \
	  0x00c1, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", \
	  "Taken branches completed", \
	  0x00c4, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", \
	  "Completed taken branches that had been predicted wrongly", \
	  0x00c5, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN_EVENTS_FROM_ST \
	{ "STORE_TO_LOAD_FORWARD", \
	  "Loads that got their data from an earlier store", \
	  0x0035, ZEN_ALL, ZEN_ALL, NULL }

static const struct bpmu_event amd_zen_events[] = {
	ZEN_EVENTS_TO_C,
	ZEN_FILLS("LS_MABRESP_LCL_DRAM", "LS_MABRESP_RMT_DRAM"),
	ZEN_EVENTS_DI,
	ZEN_EVENTS_DRAM,
	ZEN_PREFETCHED("LS_MABRESP_LCL_DRAM", "LS_MABRESP_RMT_DRAM"),
	ZEN_EVENTS_FROM_I,
	ZEN_L3("L3_COMB_CLSTR_STATE.OTHER_L3_MISS_TYPS",
	       "Requests of other types that missed the L3", 0xfe06),
	ZEN_L3("L3_COMB_CLSTR_STATE.REQUEST_MISS",
	       "Requests that missed the L3", 0x0106),
	ZEN_L3("L3_LOOKUP_STATE.ALL_L3_REQ_TYPS",
	       "Lookups of the L3 by requests of all types", 0xff04),
	ZEN_L3("L3_LOOKUP_STATE.L3_MISS",
	       "Lookups that missed the L3, changes of a line's state among them",
	       0x0104),
	ZEN_L3("L3_REQUEST_G1.CACHING_L3_CACHE_ACCESSES",
	       "Accesses of the L3 by cacheable requests", 0x8001),
	ZEN_EVENTS_FROM_LS,
	ZEN_EVENTS_FROM_REQ,
	ZEN_EVENTS_FROM_RET,
	ZEN_EVENTS_FROM_ST,
	ZEN_L3("XI_CCX_SDP_REQ1.ALL_L3_MISS_REQ_TYPS",
	       "Requests that left the L3 for the fabric, whatever the masks",
	       0x3f9a),
	ZEN_L3("XI_SYS_FILL_LATENCY",
	       "Time that fills of the L3 took, summed up, in units of 16 core clocks",
	       0x0090),
};

static const struct bpmu_event amd_zen3_events[] = {
	ZEN3_FILLS_NEAR("MEM_IO_LCL"),
	ZEN3_FILLS_FAR("MEM_IO_RMT"),
	ZEN_EVENTS_TO_C,
	ZEN_EVENTS_DI,
	ZEN_EVENTS_DRAM,
	ZEN_EVENTS_FROM_I,
	ZEN3_L3("L3_COMB_CLSTR_STATE.OTHER_L3_MISS_TYPS",
		"Requests of other types that missed the L3", 0xfe06),
	ZEN3_L3("L3_COMB_CLSTR_STATE.REQUEST_MISS",
		"Requests that missed the L3", 0x0106),
	ZEN3_L3("L3_LOOKUP_STATE.ALL_L3_REQ_TYPS",
		"Lookups of the L3 by requests of all types", 0xff04),
	ZEN3_L3("L3_LOOKUP_STATE.L3_MISS",
		"Lookups that missed the L3, changes of a line's state among them",
		0x0104),
	ZEN3_L3("L3_REQUEST_G1.CACHING_L3_CACHE_ACCESSES",
		"Accesses of the L3 by cacheable requests", 0x8001),
	ZEN_EVENTS_FROM_LS,
	ZEN_EVENTS_FROM_REQ,
	ZEN_EVENTS_FROM_RET,
	ZEN_EVENTS_FROM_ST,
	ZEN3_L3("XI_CCX_SDP_REQ1",
		"Requests that left the L3 for the fabric, whatever the masks",
		0xff9a),
	ZEN3_L3("XI_SYS_FILL_LATENCY",
		"Time that fills of the L3 took, summed up, in units of 16 core clocks",
		0x0090),
};

/*
 * Events of dispatch slots, from which AMD's Top-Down metrics are computed. The events exist from
 * Zen 4 on. Source of the codes: Linux' files pipeline.json of Zen 4 and later; of the names:
 * libpfm4, Zen 4
 */
#define ZEN4_NO_RETIRE \
	{ "CYCLES_NO_RETIRE.NOT_COMPLETE_LOAD_AND_ALU", \
	  "Cycles in which nothing retired because the oldest operation was not complete", \
	  0x02d6, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "CYCLES_NO_RETIRE.NOT_COMPLETE_MISSING_LOAD", \
	  "Cycles in which nothing retired because the oldest operation waited for the data of a load", \
	  0xa2d6, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN4_STALLS \
	{ "DISPATCH_STALLS_1.BE_STALLS", \
	  "Dispatch slots left empty because the backend could take no operation", \
	  0x100001ea0ULL, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "DISPATCH_STALLS_1.FE_NO_OPS", \
	  "Dispatch slots left empty because the frontend supplied no operation", \
	  0x1000001a0ULL, ZEN_ALL, ZEN_ALL, NULL }, \
	{ "DISPATCH_STALLS_1.SMT_CONTENTION", \
	  "Dispatch slots of cycles that went to the other thread of the core", \
	  0x1000060a0ULL, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN4_DISPATCHED \
	{ "OPS_SOURCE_DISPATCHED_FROM_DECODER.ALL", \
	  "Operations dispatched, from decoders, operation cache and loop buffer", \
	  0x07aa, ZEN_ALL, ZEN_ALL, NULL }
#define ZEN4_MICROCODE \
	{ "RETIRED_UCODE_OPS", \
	  "Operations of microcode completed", \
	  0x1000000c2ULL, ZEN_ALL, ZEN_ALL, NULL }
/*
 * Event of pipeline restarts that no misprediction causes; Linux' files have other names for it on
 * other parts.
 */
#define ZEN_RESYNCS(name, code) \
	{ name, "Restarts of the pipeline for other reasons than mispredicted branches", \
	  code, ZEN_ALL, ZEN_ALL, NULL }

/* Events of the L3 from Zen 4 on, including the events of sampled latencies */
#define ZEN4_EVENTS_L3 \
	ZEN3_L3("L3_LOOKUP_STATE.ALL_COHERENT_ACCESSES_TO_L3", \
		"Lookups of the L3 by coherent requests", 0xff04), \
	ZEN3_L3("L3_LOOKUP_STATE.L3_HIT", \
		"Lookups that hit the L3", 0xfe04), \
	ZEN3_L3("L3_LOOKUP_STATE.L3_MISS", \
		"Lookups that missed the L3", 0x0104), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.ALL", \
		   "Time of sampled fills from any source, in units of 10 ns", \
		   0x3fac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.DRAM_FAR", \
		   "Time of sampled fills from memory of another NUMA node, in units of 10 ns", \
		   0x02ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.DRAM_NEAR", \
		   "Time of sampled fills from memory of the same NUMA node, in units of 10 ns", \
		   0x01ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.EXT_FAR", \
		   "Time of sampled fills from extension memory of another NUMA node, in units of 10 ns", \
		   0x20ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.EXT_NEAR", \
		   "Time of sampled fills from extension memory of the same NUMA node, in units of 10 ns", \
		   0x10ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.FAR_CACHE", \
		   "Time of sampled fills from another complex's cache, of another NUMA node's address, in units of 10 ns", \
		   0x08ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY.NEAR_CACHE", \
		   "Time of sampled fills from another complex's cache, of the same NUMA node's address, in units of 10 ns", \
		   0x04ac), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.ALL", \
		   "Sampled fills of the L3 from any source", \
		   0x3fad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.DRAM_FAR", \
		   "Sampled fills of the L3 from memory of another NUMA node", \
		   0x02ad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.DRAM_NEAR", \
		   "Sampled fills of the L3 from memory of the same NUMA node", \
		   0x01ad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.EXT_FAR", \
		   "Sampled fills of the L3 from extension memory of another NUMA node", \
		   0x20ad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.EXT_NEAR", \
		   "Sampled fills of the L3 from extension memory of the same NUMA node", \
		   0x10ad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.FAR_CACHE", \
		   "Sampled fills of the L3 from another complex's cache, of another NUMA node's address", \
		   0x08ad), \
	ZEN4_L3_XI("L3_XI_SAMPLED_LATENCY_REQUESTS.NEAR_CACHE", \
		   "Sampled fills of the L3 from another complex's cache, of the same NUMA node's address", \
		   0x04ad)

#define ZEN4_EVENTS_LOCAL \
	ZEN4_CHANNELS("LOCAL_OR_REMOTE_SOCKET_READ_DATA_BEATS_DRAM_", \
		      "Lines that any socket read from memory channel ", 0xffe), \
	ZEN4_CHANNELS("LOCAL_OR_REMOTE_SOCKET_WRITE_DATA_BEATS_DRAM_", \
		      "Lines that any socket wrote to memory channel ", 0xfff), \
	ZEN4_CHANNELS("LOCAL_SOCKET_READ_DATA_BEATS_DRAM_", \
		      "Lines that the same socket read from memory channel ", \
		      0x7fe), \
	ZEN4_CHANNELS("LOCAL_SOCKET_WRITE_DATA_BEATS_DRAM_", \
		      "Lines that the same socket wrote to memory channel ", \
		      0x7ff)

#define ZEN4_EVENTS_P0 \
	{ "P0_FREQ_CYCLES_NOT_IN_HALT.P0_FREQ_CYCLES", \
	  "Cycles at the rate of the P0 state in which the thread was not halted", \
	  0x100000120ULL, ZEN_ALL, ZEN_ALL, NULL }

#define ZEN4_EVENTS_REMOTE \
	ZEN4_CHANNELS("REMOTE_SOCKET_READ_DATA_BEATS_DRAM_", \
		      "Lines that another socket read from memory channel ", \
		      0xbfe), \
	ZEN4_CHANNELS("REMOTE_SOCKET_WRITE_DATA_BEATS_DRAM_", \
		      "Lines that another socket wrote to memory channel ", \
		      0xbff)

#define ZEN4_EVENTS_UMC \
	ZEN4_UMC("UMC_ACT_CMD.ALL", \
		 "Rows of memory opened, by ACTIVATE commands of all controllers", \
		 0x005), \
	ZEN4_UMC("UMC_ACT_CMD.RD", "Rows of memory opened for reads", 0x105), \
	ZEN4_UMC("UMC_ACT_CMD.WR", "Rows of memory opened for writes", 0x205), \
	ZEN4_UMC("UMC_CAS_CMD.ALL", \
		 "Lines read from memory or written to it, by CAS commands of all controllers", \
		 0x00a), \
	ZEN4_UMC("UMC_CAS_CMD.RD", "Lines read from memory", 0x10a), \
	ZEN4_UMC("UMC_CAS_CMD.WR", "Lines written to memory", 0x20a), \
	ZEN4_UMC("UMC_DATA_SLOT_CLKS.ALL", \
		 "Half cycles of memory's clock in which a data bus was used", 0x014), \
	ZEN4_UMC("UMC_DATA_SLOT_CLKS.RD", \
		 "Half cycles of memory's clock in which a data bus was used by reads", \
		 0x114), \
	ZEN4_UMC("UMC_DATA_SLOT_CLKS.WR", \
		 "Half cycles of memory's clock in which a data bus was used by writes", \
		 0x214), \
	ZEN4_UMC("UMC_MEM_CLK", \
		 "Cycles of memory's clock, of all controllers", 0x000), \
	ZEN4_UMC("UMC_PCHG_CMD.ALL", \
		 "Rows of memory closed, by PRECHARGE commands of all controllers", \
		 0x006), \
	ZEN4_UMC("UMC_PCHG_CMD.RD", "Rows of memory closed for reads", 0x106), \
	ZEN4_UMC("UMC_PCHG_CMD.WR", "Rows of memory closed for writes", 0x206)

static const struct bpmu_event amd_zen4_events[] = {
	ZEN3_FILLS_FAR("DRAM_IO_FAR"),
	ZEN3_FILLS_NEAR("DRAM_IO_NEAR"),
	ZEN_EVENTS_TO_C,
	ZEN4_NO_RETIRE,
	ZEN4_STALLS,
	ZEN_EVENTS_DI,
	ZEN_EVENTS_FROM_I,
	ZEN4_EVENTS_L3,
	ZEN4_EVENTS_LOCAL,
	ZEN_EVENTS_FROM_LS,
	ZEN4_DISPATCHED,
	ZEN4_EVENTS_P0,
	ZEN4_EVENTS_REMOTE,
	ZEN_EVENTS_FROM_REQ,
	ZEN_RESYNCS("RESYNCS_OR_NC_REDIRECTS", 0x0096),
	ZEN_EVENTS_FROM_RET,
	ZEN4_MICROCODE,
	ZEN_EVENTS_FROM_ST,
	ZEN4_EVENTS_UMC,
};

static const struct bpmu_event amd_zen5_events[] = {
	ZEN3_FILLS_FAR("DRAM_IO_FAR"),
	ZEN3_FILLS_NEAR("DRAM_IO_NEAR"),
	ZEN_RESYNCS("BP_REDIRECTS.RESYNC", 0x019f),
	ZEN_EVENTS_TO_C,
	ZEN4_NO_RETIRE,
	ZEN4_STALLS,
	ZEN_EVENTS_DI,
	ZEN_EVENTS_FROM_I,
	ZEN4_EVENTS_L3,
	ZEN4_EVENTS_LOCAL,
	ZEN_EVENTS_FROM_LS,
	ZEN4_DISPATCHED,
	ZEN4_EVENTS_P0,
	ZEN4_EVENTS_REMOTE,
	ZEN_EVENTS_FROM_REQ,
	ZEN_EVENTS_FROM_RET,
	ZEN4_MICROCODE,
	ZEN_EVENTS_FROM_ST,
	ZEN4_EVENTS_UMC,
};

static const struct bpmu_event amd_zen6_events[] = {
	ZEN3_FILLS_FAR("DRAM_IO_FAR"),
	ZEN3_FILLS_NEAR("DRAM_IO_NEAR"),
	ZEN_RESYNCS("BP_FE_REDIR.RESYNC", 0x019f),
	ZEN_EVENTS_TO_C,
	ZEN4_NO_RETIRE,
	ZEN4_STALLS,
	ZEN_EVENTS_DI,
	ZEN_EVENTS_FROM_I,
	ZEN4_EVENTS_L3,
	ZEN_EVENTS_FROM_LS,
	ZEN4_DISPATCHED,
	ZEN4_EVENTS_P0,
	ZEN_EVENTS_FROM_REQ,
	ZEN_EVENTS_FROM_RET,
	ZEN4_MICROCODE,
	ZEN_EVENTS_FROM_ST,
	ZEN4_EVENTS_UMC,
};
