/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of AMD's family 16h, Jaguar and Puma; libpfm4 has more. Source of names and codes: libpfm4
 * 4.13, from AMD's BIOS and Kernel Developer's Guide.
 */
#include "arch.h"

/* An event of the core, which any of the four counters can count. */
#define JAGUAR(title, text, code) { \
	.name = (title), .desc = (text), .select = (code), \
	.counters = 0xf, .counters_noht = 0xf, \
}

/*
 * An event of the L2, which any of the L2's four counters can count. Source of these codes and of
 * the codes of the northbridge's events: LIKWID, perfmon_kabini_events.txt
 */
#define L2(title, text, event, umask) { \
	.name = (title), .desc = (text), .select = (event) | (umask) << 8, \
	.counters = 0xf, .counters_noht = 0xf, .unit = BPMU_UNIT_L2, \
}

static const struct bpmu_event amd_jaguar_events[] = {
	JAGUAR("CPU_CLK_UNHALTED", "Cycles in which the core was not halted", 0x76),
	NB("CPU_TO_DRAM_REQUESTS_TO_TARGET_NODE.ALL",
	   "Requests of the node's cores to memory of any node", 0x1e0, 0xff),
	JAGUAR("DATA_CACHE_ACCESSES", "Accesses to the data cache by loads and stores", 0x40),
	JAGUAR("DATA_CACHE_LINES_EVICTED.ALL", "Lines that left the data cache", 0x1f44),
	JAGUAR("DATA_CACHE_MISSES", "Accesses that missed the data cache", 0x41),
	JAGUAR("DATA_CACHE_REFILLS.ALL", "Lines brought into the data cache from L2", 0x1f42),
	JAGUAR("DATA_CACHE_REFILLS_FROM_NORTHBRIDGE.ALL",
	       "Lines brought into the data cache from beyond L2", 0x1f43),
	JAGUAR("DISPATCHED_FPU.ALL",
	       "Operations sent to the pipes of the floating-point unit", 0x300),
	NB("DRAM_ACCESSES.ALL", "Accesses to memory, of 64 bytes each", 0x3ec, 0x3f),
	NB("DRAM_ACCESSES.DCT0_PAGE_CONFLICT",
	   "Accesses to memory by controller 0 for which another page was open", 0x3ec, 0x4),
	NB("DRAM_ACCESSES.DCT0_PAGE_HIT",
	   "Accesses to memory by controller 0 to an open page", 0x3ec, 0x1),
	NB("DRAM_ACCESSES.DCT0_PAGE_MISS",
	   "Accesses to memory by controller 0 for which no page was open", 0x3ec, 0x2),
	NB("DRAM_ACCESSES.DCT1_PAGE_CONFLICT",
	   "Accesses to memory by controller 1 for which another page was open", 0x3ec, 0x20),
	NB("DRAM_ACCESSES.DCT1_PAGE_HIT",
	   "Accesses to memory by controller 1 to an open page", 0x3ec, 0x8),
	NB("DRAM_ACCESSES.DCT1_PAGE_MISS",
	   "Accesses to memory by controller 1 for which no page was open", 0x3ec, 0x10),
	JAGUAR("DTLB_MISS.ALL", "Misses of the TLBs of data", 0xf46),
	JAGUAR("DTLB_MISS.LOADS_L2TLB", "Loads that missed both TLBs of data", 0x846),
	JAGUAR("DTLB_MISS.STORES_L2TLB", "Stores that missed both TLBs of data", 0x446),
	JAGUAR("FP_SCHEDULER_EMPTY", "Cycles in which the floating-point scheduler was empty", 0x1),
	JAGUAR("INSTRUCTION_CACHE_FETCHES", "Fetches from the instruction cache", 0x80),
	JAGUAR("INSTRUCTION_CACHE_MISSES", "Fetches that missed the instruction cache", 0x81),
	JAGUAR("INSTRUCTION_CACHE_REFILLS_FROM_L2",
	       "Lines brought into the instruction cache from L2", 0x82),
	JAGUAR("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM",
	       "Lines brought into the instruction cache from beyond L2", 0x83),
	JAGUAR("INSTRUCTION_FETCH_STALL", "Cycles in which fetch waited", 0x87),
	JAGUAR("INTERRUPTS_MASKED_CYCLES", "Cycles in which interrupts were masked", 0xcd),
	JAGUAR("INTERRUPTS_TAKEN", "Interrupts taken", 0xcf),
	NB("IO_TO_DRAM_REQUESTS_TO_TARGET_NODE.ALL",
	   "Requests of the node's I/O devices to memory of any node", 0x1e1, 0xff),
	JAGUAR("ITLB_MISS.ALL", "Fetch addresses that missed both TLBs", 0x385),
	JAGUAR("L1_DTLB_MISS_AND_L2_DTLB_HIT",
	       "Data addresses that missed the first TLB and hit the second", 0x45),
	JAGUAR("L1_ITLB_MISS_AND_L2_ITLB_HIT",
	       "Fetch addresses that missed the first TLB and hit the second", 0x84),
	L2("L2_CACHE_MISS.DATA_FILL",
	   "Requests of data caches that missed L2, of all its cores", 0x7e, 0x2),
	L2("L2_CACHE_MISS.INSTRUCTION_FILL",
	   "Requests of instruction caches that missed L2, of all its cores", 0x7e, 0x1),
	L2("L2_CACHE_MISS.PREFETCH",
	   "Requests of prefetchers that missed L2, of all its cores", 0x7e, 0x10),
	L2("L2_FILL_WRITEBACK.FILLS", "Lines brought into L2, of all its cores", 0x7f, 0x1),
	L2("L2_FILL_WRITEBACK.WRITEBACKS",
	   "Modified lines that L2 wrote back, of all its cores", 0x7f, 0x2),
	JAGUAR("LOCKED_OPS.EXECUTED", "Locked operations executed", 0x124),
	JAGUAR("LS_DISPATCH.LOADS", "Loads sent to the load-store unit", 0x129),
	JAGUAR("LS_DISPATCH.LOAD_OP_STORES",
	       "Loads with a store to the same address sent to the load-store unit", 0x429),
	JAGUAR("LS_DISPATCH.STORES", "Stores sent to the load-store unit", 0x229),
	NB("MEMORY_CONTROLLER_REQUESTS.READ_REQUESTS_TO_DCT",
	   "Reads sent to the memory controllers", 0x1f0, 0x2),
	NB("MEMORY_CONTROLLER_REQUESTS.WRITE_REQUESTS_TO_DCT",
	   "Writes sent to the memory controllers", 0x1f0, 0x1),
	JAGUAR("MISALIGNED_ACCESSES.ALL", "Accesses that cross a boundary and take longer", 0x347),
	JAGUAR("PIPELINE_RESTART_DUE_TO_SELF_MODIFYING_CODE",
	       "Restarts because code was modified", 0x21),
	JAGUAR("PREFETCH_INSTRUCTIONS_DISPATCHED.ALL", "Prefetch instructions", 0x74b),
	NB("PROBE_RESPONSES_AND_UPSTREAM_REQUESTS.PROBE_HIT_CLEAN",
	   "Probes that hit an unmodified line", 0xec, 0x2),
	NB("PROBE_RESPONSES_AND_UPSTREAM_REQUESTS.PROBE_MISS", "Probes that missed", 0xec, 0x1),
	L2("REQUESTS_TO_L2.DATA_FILL",
	   "Requests of data caches to L2, of all its cores", 0x7d, 0x2),
	L2("REQUESTS_TO_L2.INSTRUCTION_FILL",
	   "Requests of instruction caches to L2, of all its cores", 0x7d, 0x1),
	L2("REQUESTS_TO_L2.PREFETCH",
	   "Requests of prefetchers to L2, of all its cores", 0x7d, 0x40),
	L2("REQUESTS_TO_L2.PROBE", "Probes of the northbridge to L2", 0x7d, 0x8),
	JAGUAR("RETIRED_BRANCH_INSTRUCTIONS",
	       "Branches completed, exceptions and interrupts too", 0xc2),
	JAGUAR("RETIRED_BRANCH_RESYNCS", "Branches after which the pipeline was restarted", 0xc7),
	JAGUAR("RETIRED_FAR_CONTROL_TRANSFERS",
	       "Far calls, jumps and returns, interrupts and exceptions", 0xc6),
	JAGUAR("RETIRED_INSTRUCTIONS", "Instructions completed", 0xc0),
	JAGUAR("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS",
	       "Completed branches that had been predicted wrongly", 0xc3),
	JAGUAR("RETIRED_MMX_AND_FP_INSTRUCTIONS.ALL",
	       "x87, MMX and SSE instructions completed", 0x3cb),
	JAGUAR("RETIRED_NEAR_RETURNS", "Near returns completed", 0xc8),
	JAGUAR("RETIRED_NEAR_RETURNS_MISPREDICTED",
	       "Near returns whose address was predicted wrongly", 0xc9),
	JAGUAR("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "Completed branches that were taken", 0xc4),
	JAGUAR("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED",
	       "Completed taken branches that had been predicted wrongly", 0xc5),
	JAGUAR("RETIRED_UOPS", "Macro-ops completed", 0xc1),
	JAGUAR("RETURN_STACK_HITS", "Returns predicted by the return stack", 0x88),
	JAGUAR("RETURN_STACK_OVERFLOWS", "Calls that did not fit on the return stack", 0x89),
	JAGUAR("SYSTEM_RESPONSES.ALL", "Lines that the system delivered", 0x7f6c),
};
