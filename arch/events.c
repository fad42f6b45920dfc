// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include <pthread.h>
#include <string.h>

#include "amd_bulldozer_events.h"
#include "amd_jaguar_events.h"
#include "amd_k10_events.h"
#include "amd_zen_events.h"
#include "intel_arch_events.h"
#include "intel_cache_events.h"
#include "intel_events.h"
#include "intel_itanium2_events.h"
#include "intel_knc_events.h"
#include "intel_topdown_events.h"
#include "parts.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* perf's names and Intel's names of the architectural events (SDM Vol. 3, table 19-1) */
static const struct bpmu_event_alias intel_aliases[] = {
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Nehalem's events. Mispredicted branches are counted at execution, because
 * Nehalem's event of mispredicted retired branches is wrong (erratum AAJ80). Source: Linux,
 * arch/x86/events/intel/core.c, nehalem_hw_cache_event_ids, intel_nehalem_quirk()
 */
static const struct bpmu_event_alias intel_nhm_aliases[] = {
	{ "L1-dcache-load-misses", "L1D.REPL" },
	{ "L1-dcache-loads", "MEM_INST_RETIRED.LOADS" },
	{ "L1-dcache-prefetch-misses", "L1D_PREFETCH.MISS" },
	{ "L1-dcache-prefetches", "L1D_PREFETCH.REQUESTS" },
	{ "L1-dcache-store-misses", "L1D.M_REPL" },
	{ "L1-dcache-stores", "MEM_INST_RETIRED.STORES" },
	{ "L1-icache-load-misses", "L1I.MISSES" },
	{ "L1-icache-loads", "L1I.READS" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_EXEC.ANY" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.ANY" },
	{ "dTLB-store-misses", "MEM_STORE_RETIRED.DTLB_MISS" },
	{ "iTLB-load-misses", "ITLB_MISS_RETIRED" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF" },
};

/*
 * perf's names of Westmere's events. Source: Linux, arch/x86/events/intel/core.c,
 * westmere_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_wsm_aliases[] = {
	{ "L1-dcache-load-misses", "L1D.REPL" },
	{ "L1-dcache-loads", "MEM_INST_RETIRED.LOADS" },
	{ "L1-dcache-prefetch-misses", "L1D_PREFETCH.MISS" },
	{ "L1-dcache-prefetches", "L1D_PREFETCH.REQUESTS" },
	{ "L1-dcache-store-misses", "L1D.M_REPL" },
	{ "L1-dcache-stores", "MEM_INST_RETIRED.STORES" },
	{ "L1-icache-load-misses", "L1I.MISSES" },
	{ "L1-icache-loads", "L1I.READS" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.ANY" },
	{ "dTLB-loads", "MEM_INST_RETIRED.LOADS" },
	{ "dTLB-store-misses", "MEM_STORE_RETIRED.DTLB_MISS" },
	{ "dTLB-stores", "MEM_INST_RETIRED.STORES" },
	{ "iTLB-load-misses", "ITLB_MISSES.ANY" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF" },
};

/*
 * perf's names of the events of Sandy Bridge and its successors. Cache events that perf counts as
 * off-core responses are in intel_cache_events.h instead. Source: Linux,
 * arch/x86/events/intel/core.c, snb_hw_cache_event_ids and the tables of later parts.
 */
static const struct bpmu_event_alias intel_snb_aliases[] = {
	{ "L1-dcache-load-misses", "L1D.REPLACEMENT" },
	{ "L1-dcache-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK" },
	{ "dTLB-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "dTLB-store-misses", "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK" },
	{ "dTLB-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB_MISSES.MISS_CAUSES_A_WALK" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Skylake's events. Source: Linux, arch/x86/events/intel/core.c,
 * skl_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_skl_aliases[] = {
	{ "L1-dcache-load-misses", "L1D.REPLACEMENT" },
	{ "L1-dcache-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "L1-icache-load-misses", "ICACHE_64B.IFTAG_MISS" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.WALK_COMPLETED" },
	{ "dTLB-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "dTLB-store-misses", "DTLB_STORE_MISSES.WALK_COMPLETED" },
	{ "dTLB-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB_MISSES.WALK_COMPLETED" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/* perf's names of events from Ice Lake on: the names for Skylake, and "slots" */
static const struct bpmu_event_alias intel_slots_aliases[] = {
	{ "L1-dcache-load-misses", "L1D.REPLACEMENT" },
	{ "L1-dcache-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.WALK_COMPLETED" },
	{ "dTLB-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "dTLB-store-misses", "DTLB_STORE_MISSES.WALK_COMPLETED" },
	{ "dTLB-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB_MISSES.WALK_COMPLETED" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
	{ "slots", "TOPDOWN.SLOTS" },
};

/*
 * perf's names of Panther Cove's events. Source: Linux 7.0, arch/x86/events/intel/core.c,
 * pnc_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_pnc_aliases[] = {
	{ "L1-dcache-load-misses", "L2_RQSTS.ALL_DEMAND_DATA_RD" },
	{ "L1-dcache-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "L1-icache-load-misses", "L2_RQSTS.ALL_CODE_RD" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.WALK_COMPLETED" },
	{ "dTLB-loads", "MEM_INST_RETIRED.ALL_LOADS" },
	{ "dTLB-store-misses", "DTLB_STORE_MISSES.WALK_COMPLETED" },
	{ "dTLB-stores", "MEM_INST_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB_MISSES.WALK_COMPLETED" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
	{ "slots", "TOPDOWN.SLOTS" },
};

/* perf's names of efficient cores' architectural events */
static const struct bpmu_event_alias intel_efficient_aliases[] = {
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Bonnell's events. Source: Linux, arch/x86/events/intel/core.c,
 * atom_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_bnl_aliases[] = {
	{ "L1-dcache-loads", "L1D_CACHE.LD" },
	{ "L1-dcache-stores", "L1D_CACHE.ST" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "L1-icache-loads", "ICACHE.ACCESSES" },
	{ "LLC-load-misses", "L2_LD.SELF.DEMAND.I_STATE" },
	{ "LLC-loads", "L2_LD.SELF.DEMAND.MESI" },
	{ "LLC-store-misses", "L2_ST.SELF.I_STATE" },
	{ "LLC-stores", "L2_ST.SELF.MESI" },
	{ "branch-instructions", "BR_INST_RETIRED.ANY" },
	{ "branch-load-misses", "BR_INST_RETIRED.MISPRED" },
	{ "branch-loads", "BR_INST_RETIRED.ANY" },
	{ "branch-misses", "BR_INST_RETIRED.MISPRED" },
	{ "branches", "BR_INST_RETIRED.ANY" },
	{ "cache-misses", "L2_RQSTS.SELF.DEMAND.I_STATE" },
	{ "cache-references", "L2_RQSTS.SELF.DEMAND.MESI" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "dTLB-load-misses", "DATA_TLB_MISSES.DTLB_MISS_LD" },
	{ "dTLB-loads", "L1D_CACHE.LD" },
	{ "dTLB-store-misses", "DATA_TLB_MISSES.DTLB_MISS_ST" },
	{ "dTLB-stores", "L1D_CACHE.ST" },
	{ "iTLB-load-misses", "ITLB.MISSES" },
	{ "iTLB-loads", "INST_RETIRED.ANY_P" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF" },
};

/*
 * perf's names of Silvermont's events. Source: Linux, arch/x86/events/intel/core.c,
 * slm_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_slm_aliases[] = {
	{ "L1-dcache-load-misses", "MEM_UOPS_RETIRED.L1_MISS_LOADS" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "L1-icache-loads", "ICACHE.ACCESSES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "dTLB-load-misses", "MEM_UOPS_RETIRED.DTLB_MISS_LOADS" },
	{ "iTLB-load-misses", "PAGE_WALKS.I_SIDE_WALKS" },
	{ "iTLB-loads", "INST_RETIRED.ANY_P" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Knights Landing's events. Source: Linux, arch/x86/events/intel/core.c,
 * slm_hw_cache_event_ids, whose events have other vendor names on this part
 */
static const struct bpmu_event_alias intel_knl_aliases[] = {
	{ "L1-dcache-load-misses", "MEM_UOPS_RETIRED.L1_MISS_LOADS" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "L1-icache-loads", "ICACHE.ACCESSES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "L2_REQUESTS.MISS" },
	{ "cache-references", "L2_REQUESTS.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "cycles", "CPU_CLK_UNHALTED.THREAD" },
	{ "dTLB-load-misses", "MEM_UOPS_RETIRED.DTLB_MISS_LOADS" },
	{ "iTLB-load-misses", "PAGE_WALKS.I_SIDE_WALKS" },
	{ "iTLB-loads", "INST_RETIRED.ANY_P" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Goldmont's events. Source: Linux, arch/x86/events/intel/core.c,
 * glm_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_glm_aliases[] = {
	{ "L1-dcache-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "L1-icache-loads", "ICACHE.ACCESSES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "dTLB-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "dTLB-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB.MISS" },
	{ "iTLB-loads", "INST_RETIRED.ANY_P" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Goldmont Plus' events. Source: Linux, arch/x86/events/intel/core.c,
 * glp_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_glp_aliases[] = {
	{ "L1-dcache-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "L1-dcache-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "L1-icache-load-misses", "ICACHE.MISSES" },
	{ "L1-icache-loads", "ICACHE.ACCESSES" },
	{ "branch-instructions", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-load-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branch-loads", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES" },
	{ "branches", "BR_INST_RETIRED.ALL_BRANCHES" },
	{ "cache-misses", "LONGEST_LAT_CACHE.MISS" },
	{ "cache-references", "LONGEST_LAT_CACHE.REFERENCE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "cycles", "CPU_CLK_UNHALTED.CORE" },
	{ "dTLB-load-misses", "DTLB_LOAD_MISSES.WALK_COMPLETED" },
	{ "dTLB-loads", "MEM_UOPS_RETIRED.ALL_LOADS" },
	{ "dTLB-store-misses", "DTLB_STORE_MISSES.WALK_COMPLETED" },
	{ "dTLB-stores", "MEM_UOPS_RETIRED.ALL_STORES" },
	{ "iTLB-load-misses", "ITLB.MISS" },
	{ "iTLB-loads", "INST_RETIRED.ANY_P" },
	{ "instructions", "INST_RETIRED.ANY" },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC" },
};

/*
 * perf's names of Knights Corner's events. Source: Linux, arch/x86/events/intel/knc.c,
 * knc_perfmon_event_map, knc_hw_cache_event_ids
 */
static const struct bpmu_event_alias intel_knc_aliases[] = {
	{ "LLC-load-misses", "L2_READ_MISS" },
	{ "LLC-prefetch-misses", "L2_DATA_PF2_MISS" },
	{ "LLC-prefetches", "L2_DATA_PF2" },
	{ "LLC-stores", "L2_WRITE_HIT" },
	{ "branch-instructions", "BRANCHES" },
	{ "branch-misses", "BRANCHES_MISPREDICTED" },
	{ "cache-misses", "DATA_READ_MISS_OR_WRITE_MISS" },
	{ "cache-references", "DATA_READ_OR_WRITE" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED" },
	{ "cycles", "CPU_CLK_UNHALTED" },
	{ "instructions", "INSTRUCTIONS_EXECUTED" },
};

/*
 * Two names of perf that mean the same on all parts. perf itself has no table of Itanium 2's
 * events.
 */
static const struct bpmu_event_alias intel_itanium2_aliases[] = {
	{ "cycles", "CPU_CYCLES" },
	{ "instructions", "IA64_INST_RETIRED" },
};

/*
 * perf's names of events of AMD's parts before Zen, except Jaguar. Source: Linux,
 * arch/x86/events/amd/core.c, amd_perfmon_event_map
 */
static const struct bpmu_event_alias amd_old_aliases[] = {
	{ "branch-instructions", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "branch-misses", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS" },
	{ "branches", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "cache-misses", "L2_CACHE_MISS.DEMAND" },
	{ "cache-references", "REQUESTS_TO_L2.DEMAND" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED" },
	{ "cycles", "CPU_CLK_UNHALTED" },
	{ "instructions", "RETIRED_INSTRUCTIONS" },
};

/*
 * perf's names of Jaguar's events. Source: Linux, arch/x86/events/amd/core.c,
 * amd_perfmon_event_map, without the events of the L2: Jaguar's cores share the L2, and a core's
 * counters cannot count its events.
 */
static const struct bpmu_event_alias amd_jaguar_aliases[] = {
	{ "branch-instructions", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "branch-misses", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS" },
	{ "branches", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "cpu-cycles", "CPU_CLK_UNHALTED" },
	{ "cycles", "CPU_CLK_UNHALTED" },
	{ "instructions", "RETIRED_INSTRUCTIONS" },
};

/*
 * perf's names of Zen's events. Source: Linux, arch/x86/events/amd/core.c,
 * amd_zen1_perfmon_event_map
 */
static const struct bpmu_event_alias amd_zen_aliases[] = {
	{ "branch-instructions", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "branch-misses", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "branches", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "cache-misses", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.MISS" },
	{ "cache-references", "REQUESTS_TO_L2_GROUP1.ALL" },
	{ "cpu-cycles", "CYCLES_NOT_IN_HALT" },
	{ "cycles", "CYCLES_NOT_IN_HALT" },
	{ "instructions", "RETIRED_INSTRUCTIONS" },
};

/*
 * perf's names of Zen 4's events: the names of Zen's events, the reference clock of Linux'
 * amd_zen4_perfmon_event_map, and the names that Linux' event files of Zen 4 have for the events of
 * AMD's Top-Down ("perf stat -M PipelineL1" prints these names).
 */
static const struct bpmu_event_alias amd_zen4_aliases[] = {
	{ "branch-instructions", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "branch-misses", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "branches", "RETIRED_BRANCH_INSTRUCTIONS" },
	{ "cache-misses", "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.MISS" },
	{ "cache-references", "REQUESTS_TO_L2_GROUP1.ALL" },
	{ "cpu-cycles", "CYCLES_NOT_IN_HALT" },
	{ "cycles", "CYCLES_NOT_IN_HALT" },
	{ "de_no_dispatch_per_slot.backend_stalls", "DISPATCH_STALLS_1.BE_STALLS" },
	{ "de_no_dispatch_per_slot.no_ops_from_frontend", "DISPATCH_STALLS_1.FE_NO_OPS" },
	{ "de_no_dispatch_per_slot.smt_contention", "DISPATCH_STALLS_1.SMT_CONTENTION" },
	{ "de_src_op_disp.all", "OPS_SOURCE_DISPATCHED_FROM_DECODER.ALL" },
	{ "ex_no_retire.load_not_complete", "CYCLES_NO_RETIRE.NOT_COMPLETE_MISSING_LOAD" },
	{ "ex_no_retire.not_complete", "CYCLES_NO_RETIRE.NOT_COMPLETE_LOAD_AND_ALU" },
	{ "ex_ret_brn_misp", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED" },
	{ "ex_ret_ops", "RETIRED_OPS" },
	{ "ex_ret_ucode_ops", "RETIRED_UCODE_OPS" },
	{ "instructions", "RETIRED_INSTRUCTIONS" },
	{ "ls_not_halted_cyc", "CYCLES_NOT_IN_HALT" },
	{ "ref-cycles", "P0_FREQ_CYCLES_NOT_IN_HALT.P0_FREQ_CYCLES" },
};

/* Empty table of perf's cache events, for parts of which Linux has no off-core cache events */
static const struct bpmu_event no_cache[] = { };

/* Defines the rows of an event table that is written by hand and thus not packed. */
#define WRITTEN(rows) \
	static const struct bpmu_event_rows rows##_rows = \
		{ .events = rows##_events, .nr = NR(rows##_events) }

WRITTEN(amd_bulldozer);
WRITTEN(amd_jaguar);
WRITTEN(amd_k10);
WRITTEN(amd_zen);
WRITTEN(amd_zen3);
WRITTEN(amd_zen4);
WRITTEN(amd_zen5);
WRITTEN(amd_zen6);
WRITTEN(intel_arch);
WRITTEN(intel_itanium2);
WRITTEN(intel_knc);
WRITTEN(intel_topdown);

#define PART(part, rows, names, responses) \
	{ &bpmu_##part, &rows##_rows, names##_aliases, NR(names##_aliases), \
	  responses##_cache, NR(responses##_cache) }

static const struct table {
	const struct bpmu_part *part;
	const struct bpmu_event_rows *rows;
	const struct bpmu_event_alias *aliases;
	size_t nr_aliases;
	const struct bpmu_event *cache;
	size_t nr_cache;
} tables[] = {
	PART(intel_itanium2, intel_itanium2, intel_itanium2, no),
#include "part_list.h"
};

/**
 * bpmu_part_described() - microarchitecture (part) of which a part with loaded events is a copy
 * @part: built-in descriptor, a copy of it with loaded events, or NULL
 *
 * Context: any.
 * Return: the built-in descriptor, whose address identifies the part; NULL if @part is NULL.
 */
const struct bpmu_part *bpmu_part_described(const struct bpmu_part *part)
{
	return part && part->loaded ? part->loaded->part : part;
}

/**
 * bpmu_events_part() - find a microarchitecture (part) that has an event table, by its short name
 * @name: short name of the part, as in &bpmu_part.name
 *
 * Unlike bpmu_part_by_name() this function also finds parts that cannot be measured (Itanium 2).
 *
 * Context: any.
 * Return: the part, or NULL if there is none of that name.
 */
const struct bpmu_part *bpmu_events_part(const char *name)
{
	size_t i;

	for (i = 0; i < NR(tables); i++)
		if (!strcmp(tables[i].part->name, name))
			return tables[i].part;
	return NULL;
}

/* Returns the built-in event tables of a part, NULL if it has none. */
static const struct table *table_of(const struct bpmu_part *part)
{
	size_t i;

	part = bpmu_part_described(part);
	for (i = 0; i < NR(tables); i++)
		if (tables[i].part == part)
			return &tables[i];
	return NULL;
}

/*
 * Returns the string at *words, or NULL if the string is empty, and moves *words behind the string.
 */
static const char *take_word(const char **words)
{
	const char *word = *words;

	*words += strlen(word) + 1;
	return *word ? word : NULL;
}

static void unpack(const struct bpmu_event_rows *rows)
{
	const struct bpmu_event_bits *bits = rows->bits;
	struct bpmu_event *row = rows->unpacked;
	const char *words = rows->words;

	for (; bits < rows->bits + rows->nr; bits++, row++) {
		const char *name = take_word(&words);

		if (row > rows->unpacked)
			row->name = name;
		row->desc = take_word(&words);
		row->select = bits->select;
		row->counters = bits->counters;
		row->counters_noht = bits->counters_noht;
		row->errata = take_word(&words);
		row->unit = bits->unit;
		row->extra = bits->extra;
	}
	/* A thread that sees the name of the first row, which is stored last, sees all rows. */
	__atomic_store_n(&rows->unpacked->name, rows->words, __ATOMIC_RELEASE);
}

static const struct bpmu_event *unpacked(const struct bpmu_event_rows *rows)
{
	static pthread_mutex_t unpacking = PTHREAD_MUTEX_INITIALIZER;

	if (__atomic_load_n(&rows->unpacked->name, __ATOMIC_ACQUIRE))
		return rows->unpacked;
	pthread_mutex_lock(&unpacking);
	if (!rows->unpacked->name)
		unpack(rows);
	pthread_mutex_unlock(&unpacking);
	return rows->unpacked;
}

/**
 * bpmu_events_own() - built-in events of a microarchitecture (part), even if files replace them
 * @part: descriptor
 * @nr: set to the number of rows
 *
 * Context: any thread; the first call for a part unpacks its rows.
 * Return: the rows, sorted by name.
 */
const struct bpmu_event *bpmu_events_own(const struct bpmu_part *part,
					 size_t *nr)
{
	const struct table *table = table_of(part);

	*nr = table ? table->rows->nr : 0;
	if (!table)
		return NULL;
	return table->rows->events ?: unpacked(table->rows);
}

/**
 * bpmu_events() - events of a microarchitecture (part), sorted by name: loaded or built-in ones
 * @part: descriptor
 * @nr: set to the number of rows
 *
 * Context: any.
 * Return: the rows, sorted by name: the loaded ones if @part has any, else the built-in ones.
 */
const struct bpmu_event *bpmu_events(const struct bpmu_part *part, size_t *nr)
{
	if (!part || !part->loaded)
		return bpmu_events_own(part, nr);
	*nr = part->loaded->nr;
	return part->loaded->rows;
}

/**
 * bpmu_event_aliases() - perf's names (aliases) of the built-in events of a microarchitecture
 * @part: descriptor
 * @nr: set to the number of names
 *
 * Context: any.
 * Return: the names, sorted.
 */
const struct bpmu_event_alias *bpmu_event_aliases(const struct bpmu_part *part,
						  size_t *nr)
{
	const struct table *table = table_of(part);

	*nr = table ? table->nr_aliases : 0;
	return table ? table->aliases : NULL;
}

/**
 * bpmu_cache_events() - a microarchitecture's built-in events for perf's off-core cache events
 * @part: descriptor
 * @nr: set to the number of rows
 *
 * Context: any.
 * Return: the rows, each with the value of its extra register in &bpmu_event.extra; NULL if @part
 * has no such events.
 */
const struct bpmu_event *bpmu_cache_events(const struct bpmu_part *part,
					   size_t *nr)
{
	const struct table *table = table_of(part);

	*nr = table ? table->nr_cache : 0;
	return table ? table->cache : NULL;
}
