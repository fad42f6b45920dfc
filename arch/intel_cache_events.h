/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf's cache events that are off-core responses, by part, as far as Linux has them. Source:
 * Linux, arch/x86/events/intel/core.c, hw_cache_event_ids and hw_cache_extra_regs of each part, as
 * intel_pmu_init() changes them.
 *
 * On clients until Ivy Bridge the bits for other nodes' memory are reserved in the extra register,
 * and Linux refuses events with these bits. Here such events have the other bits alone; the one
 * event that has no other bit is missing.
 *
 * For servers the tables also have reads of the node's own memory and reads of other nodes' memory,
 * with the names and values of Intel's files (github.com/intel/perfmon). These events count
 * requests of all types if a file has such events; on efficient cores they count demand reads of
 * data. The files of Sandy Bridge and Ivy Bridge have only demand reads of other nodes' memory.
 * Here the events of other nodes' memory have the same request types as the events of the node's
 * own memory.
 */
#include "arch.h"

#define BIG_CORE 0x0f

#define CACHE_EVENT(title, text, set, code, value) { \
	.name = (title), .desc = (text), .select = (code), \
	.counters = (set), .counters_noht = (set), .extra = (value), \
}

/*
 * Events of demand reads of data and of demand reads for ownership. Of each kind there are two
 * events: one counts all that left the core, the other those that missed the last level cache.
 */
#define CACHE_LLC(set, code, load_misses, loads, store_misses, stores) \
	CACHE_EVENT("LLC-load-misses", \
		    "Demand reads of data that missed the last level cache", \
		    set, code, load_misses), \
	CACHE_EVENT("LLC-loads", \
		    "Demand reads of data that left the core", set, code, loads), \
	CACHE_EVENT("LLC-store-misses", \
		    "Demand reads for ownership that missed the last level cache", \
		    set, code, store_misses), \
	CACHE_EVENT("LLC-stores", \
		    "Demand reads for ownership that left the core", set, code, \
		    stores)

#define CACHE_PREFETCHES(set, code, misses, all) \
	CACHE_EVENT("LLC-prefetch-misses", \
		    "Prefetches that missed the last level cache", set, \
		    code, misses), \
	CACHE_EVENT("LLC-prefetches", "Prefetches that left the core", set, \
		    code, all)

/*
 * Ends of descriptions: which memory answered. perf's "node" events count the memory of any node
 * until Ivy Bridge, and only NUMA-local memory on later parts.
 */
#define NODE_ANY ", which any memory answered"
#define NODE_OWN ", which the node's own memory answered"
#define NODE_FAR ", which another node answered"

#define CACHE_NODE(access, text, code, where, misses, all) \
	CACHE_EVENT("node-" access "-misses", text NODE_FAR, BIG_CORE, code, \
		    misses), \
	CACHE_EVENT("node-" access "s", text where, BIG_CORE, code, all)
#define CACHE_NODE_LOADS(code, where, misses, all) \
	CACHE_NODE("load", "Demand reads of data", code, where, misses, all)
#define CACHE_NODE_STORES(code, where, misses, all) \
	CACHE_NODE("store", "Demand reads for ownership", code, where, misses, all)

#define CACHE_READS(set, code, name, access, local, local_value, remote, remote_value) \
	CACHE_EVENT(name local, access NODE_OWN, set, code, local_value), \
	CACHE_EVENT(name remote, access NODE_FAR, set, code, remote_value)
#define CACHE_ALL_READS(local, remote) \
	CACHE_READS(BIG_CORE, 0x1b7, "OFFCORE_RESPONSE.ALL_READS.", "Reads and prefetches", \
		    "LLC_MISS.LOCAL_DRAM", local, "LLC_MISS.REMOTE_DRAM", remote)
#define CACHE_READS_TO_CORE(code, local, remote) \
	CACHE_READS(BIG_CORE, code, "OCR.READS_TO_CORE.", "Reads and prefetches", \
		    "LOCAL_DRAM", local, "REMOTE_DRAM", remote)
#define CACHE_DEMAND_READS(local, remote) \
	CACHE_READS(0xff, 0x1b7, "OCR.DEMAND_DATA_RD.", "Demand reads of data", \
		    "LOCAL_DRAM", local, "REMOTE_DRAM", remote)

/*
 * Nehalem's and Westmere's events. Their events of stores count reads for ownership and
 * write-backs.
 */
#define CACHE_OF_NHM(set) \
	CACHE_EVENT("LLC-load-misses", \
		    "Demand reads of data that missed the last level cache", \
		    set, 0x1b7, 0xf001), \
	CACHE_EVENT("LLC-loads", "Demand reads of data that left the core", \
		    set, 0x1b7, 0xf701), \
	CACHE_EVENT("LLC-store-misses", \
		    "Reads for ownership and write-backs that missed the last level cache", \
		    set, 0x1b7, 0xf00a), \
	CACHE_EVENT("LLC-stores", "Reads for ownership and write-backs that left the core", \
		    set, 0x1b7, 0xf70a), \
	CACHE_PREFETCHES(set, 0x1b7, 0xf030, 0xf730), \
	CACHE_EVENT("node-load-misses", "Demand reads of data" NODE_FAR, \
		    set, 0x1b7, 0x2001), \
	CACHE_EVENT("node-loads", "Demand reads of data" NODE_ANY, set, 0x1b7, 0x7001), \
	CACHE_EVENT("node-prefetch-misses", "Prefetches" NODE_FAR, set, 0x1b7, 0x2030), \
	CACHE_EVENT("node-prefetches", "Prefetches" NODE_ANY, set, 0x1b7, 0x7030), \
	CACHE_EVENT("node-store-misses", "Reads for ownership and write-backs" NODE_FAR, \
		    set, 0x1b7, 0x200a), \
	CACHE_EVENT("node-stores", "Reads for ownership and write-backs" NODE_ANY, \
		    set, 0x1b7, 0x700a)

static const struct bpmu_event intel_nhm_cache[] = { CACHE_OF_NHM(0x04) };

static const struct bpmu_event intel_wsm_cache[] = { CACHE_OF_NHM(BIG_CORE) };

static const struct bpmu_event intel_snb_cache[] = {
	CACHE_LLC(BIG_CORE, 0x1b7, 0x3f80400081, 0x10081, 0x3f80400102, 0x10102),
	CACHE_PREFETCHES(BIG_CORE, 0x1b7, 0x3f80400030, 0x10030),
	CACHE_EVENT("node-loads", "Demand reads of data" NODE_ANY, BIG_CORE,
		    0x1b7, 0x1f80400081),
	CACHE_EVENT("node-prefetches", "Prefetches" NODE_ANY, BIG_CORE,
		    0x1b7, 0x1f80400030),
	CACHE_EVENT("node-stores", "Demand reads for ownership" NODE_ANY, BIG_CORE,
		    0x1b7, 0x1f80400102),
};

static const struct bpmu_event intel_jkt_cache[] = {
	CACHE_LLC(BIG_CORE, 0x1b7, 0x3fffc00081, 0x10081, 0x3fffc00102, 0x10102),
	CACHE_PREFETCHES(BIG_CORE, 0x1b7, 0x3fffc00030, 0x10030),
	CACHE_NODE_LOADS(0x1b7, NODE_ANY, 0x1fff800081, 0x1fffc00081),
	CACHE_EVENT("node-prefetch-misses", "Prefetches" NODE_FAR, BIG_CORE,
		    0x1b7, 0x1fff800030),
	CACHE_EVENT("node-prefetches", "Prefetches" NODE_ANY, BIG_CORE,
		    0x1b7, 0x1fffc00030),
	CACHE_NODE_STORES(0x1b7, NODE_ANY, 0x1fff800102, 0x1fffc00102),
	CACHE_ALL_READS(0x6004003f7, 0x67f8003f7),
};

#define CACHE_OF_HSW \
	CACHE_LLC(BIG_CORE, 0x1b7, 0x3fb8400001, 0x10001, 0x3fb8400002, 0x10002), \
	CACHE_NODE_LOADS(0x1b7, NODE_OWN, 0x1fb8000001, 0x1f80400001), \
	CACHE_NODE_STORES(0x1b7, NODE_OWN, 0x1fb8000002, 0x1f80400002)

static const struct bpmu_event intel_hsw_cache[] = { CACHE_OF_HSW };

static const struct bpmu_event intel_hsx_cache[] = {
	CACHE_OF_HSW,
	CACHE_ALL_READS(0x6004007f7, 0x63f8007f7),
};

#define CACHE_OF_BDW \
	CACHE_LLC(BIG_CORE, 0x1b7, 0x1fbc000001, 0x10001, 0x1fbc000002, 0x10002), \
	CACHE_NODE_LOADS(0x1b7, NODE_OWN, 0x1fb8000001, 0x1f84000001), \
	CACHE_NODE_STORES(0x1b7, NODE_OWN, 0x1fb8000002, 0x1f84000002)

static const struct bpmu_event intel_bdw_cache[] = { CACHE_OF_BDW };

static const struct bpmu_event intel_bdx_cache[] = {
	CACHE_OF_BDW,
	CACHE_ALL_READS(0x6040007f7, 0x63bc007f7),
};

#define CACHE_OF_SKL \
	CACHE_LLC(BIG_CORE, 0x1b7, 0x3ffc020001, 0x3fc0010001, \
		  0x3ffc020002, 0x3fc0010002), \
	CACHE_NODE_LOADS(0x1b7, NODE_OWN, 0x1ff8000001, 0x1fc4000001), \
	CACHE_NODE_STORES(0x1b7, NODE_OWN, 0x1ff8000002, 0x1fc4000002)

static const struct bpmu_event intel_skl_cache[] = { CACHE_OF_SKL };

static const struct bpmu_event intel_skx_cache[] = {
	CACHE_OF_SKL,
	CACHE_READS(BIG_CORE, 0x1b7, "OFFCORE_RESPONSE.ALL_READS.",
		    "Reads and prefetches",
		    "L3_MISS_LOCAL_DRAM.SNOOP_MISS_OR_NO_FWD", 0x6040007f7,
		    "L3_MISS_REMOTE_DRAM.SNOOP_MISS_OR_NO_FWD", 0x63b8007f7),
};

static const struct bpmu_event intel_icx_cache[] = {
	CACHE_LLC(BIG_CORE, 0x1b7, 0x3fbfc00001, 0x10001,
		  0x3f3fc00002, 0x3f3ffc0002),
	CACHE_NODE_LOADS(0x1b7, NODE_OWN, 0x730000001, 0x104000001),
	CACHE_NODE_STORES(0x1b7, NODE_OWN, 0x730000002, 0x104000002),
	CACHE_READS_TO_CORE(0x1b7, 0x104000477, 0x730000477),
};

static const struct bpmu_event intel_spr_cache[] = {
	CACHE_LLC(BIG_CORE, 0x12a, 0x3fbfc00001, 0x10001,
		  0x3f3fc00002, 0x3f3ffc0002),
	CACHE_NODE_LOADS(0x12a, NODE_OWN, 0x730000001, 0x104000001),
	CACHE_READS_TO_CORE(0x12a, 0x104004477, 0x730004477),
};

static const struct bpmu_event intel_adl_cache[] = {
	CACHE_LLC(BIG_CORE, 0x12a, 0x3fbfc00001, 0x10001, 0x3fbfc00002, 0x10002),
};

static const struct bpmu_event intel_arl_cache[] = {
	CACHE_LLC(BIG_CORE, 0x12a, 0xfe7f8000001, 0x10001, 0xfe7f8000002, 0x10002),
};

static const struct bpmu_event intel_lnl_cache[] = {
	CACHE_LLC(BIG_CORE, 0x12a, 0x9e7fa000001, 0x10001, 0x9e7fa000002, 0x10002),
};

/* Events of Silvermont and Knights Landing, which have no event of loads that missed */
#define CACHE_OF_SLM(store_misses, prefetch_misses, prefetches) \
	CACHE_EVENT("LLC-loads", "Demand reads of data that left the core", \
		    0x03, 0x1b7, 0x10001), \
	CACHE_PREFETCHES(0x03, 0x1b7, prefetch_misses, prefetches), \
	CACHE_EVENT("LLC-store-misses", \
		    "Demand reads for ownership that missed the last level cache", \
		    0x03, 0x1b7, store_misses), \
	CACHE_EVENT("LLC-stores", "Demand reads for ownership that left the core", \
		    0x03, 0x1b7, 0x10002)

static const struct bpmu_event intel_slm_cache[] = {
	CACHE_OF_SLM(0x3680000002, 0x3680000030, 0x10030),
};

/*
 * Linux' values without the bits that Knights Landing reserves: the bits of snoops and, in the
 * values of prefetches, the bits of reads into the L1
 */
static const struct bpmu_event intel_knl_cache[] = {
	CACHE_OF_SLM(0x3981f80002, 0x3981f80020, 0x10020),
};

#define CACHE_OF_GLM \
	CACHE_LLC(0x0f, 0x1b7, 0x3600000001, 0x10001, 0x3600000002, 0x10002)

static const struct bpmu_event intel_glm_cache[] = {
	CACHE_OF_GLM,
	CACHE_PREFETCHES(0x0f, 0x1b7, 0x3600000030, 0x10030),
};

static const struct bpmu_event intel_glp_cache[] = { CACHE_OF_GLM };

static const struct bpmu_event intel_tnt_cache[] = {
	CACHE_LLC(0x0f, 0x1b7, 0x3f04000001, 0x10001, 0x3f04000002, 0x10002),
};

static const struct bpmu_event intel_grt_cache[] = {
	CACHE_LLC(0x3f, 0x1b7, 0x3f84400001, 0x10001, 0x3f84400002, 0x10002),
};

#define CACHE_OF_CMT \
	CACHE_LLC(0xff, 0x1b7, 0x3fbfc00001, 0x10001, 0x3fbfc00002, 0x10002)

static const struct bpmu_event intel_cmt_cache[] = { CACHE_OF_CMT };

static const struct bpmu_event intel_srf_cache[] = {
	CACHE_OF_CMT,
	CACHE_DEMAND_READS(0x184000001, 0x730000001),
};

/*
 * Panther Cove's events. Event 0x12a uses the first of four extra registers for off-module
 * requests. Source of the values: Linux 7.0, arch/x86/events/intel/core.c.
 */
static const struct bpmu_event intel_pnc_cache[] = {
	CACHE_LLC(0xff, 0x12a, 0xfffff000000001, 0x4000000000000001, 0xfffff000000002,
		  0x4000000000000002),
};

static const struct bpmu_event intel_arw_cache[] = {
	CACHE_LLC(0x1, 0x1b7, 0xfffff000000001, 0x4000000000000001, 0xfffff000000002,
		  0x4000000000000002),
};

static const struct bpmu_event intel_skt_cache[] = {
	CACHE_LLC(0xff, 0x1b7, 0x13fbfc00001, 0x10001, 0x13fbfc00002, 0x10002),
};

static const struct bpmu_event intel_dkt_cache[] = {
	CACHE_LLC(0xff, 0x1b7, 0x33fbfc00001, 0x10001, 0x33fbfc00002, 0x10002),
	CACHE_DEMAND_READS(0x784000001, 0x730000001),
};
