/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of AMD's family 10h, K10; libpfm4 has more. Source of names and codes: libpfm4 4.13, from
 * AMD's BIOS and Kernel Developer's Guide.
 */
#include "arch.h"

/* An event of the core, which any of the four counters can count. */
#define K10(title, text, code) { \
	.name = (title), .desc = (text), .select = (code), \
	.counters = 0xf, .counters_noht = 0xf, \
}

static const struct bpmu_event amd_k10_events[] = {
	K10("CPU_CLK_UNHALTED", "Cycles in which the core was not halted", 0x76),
	K10("DATA_CACHE_ACCESSES", "Accesses to the data cache by loads and stores", 0x40),
	K10("DATA_CACHE_LINES_EVICTED.ALL", "Lines that left the data cache", 0x7f44),
	K10("DATA_CACHE_MISSES", "Accesses that missed the data cache", 0x41),
	K10("DATA_CACHE_REFILLS.ALL", "Lines brought into the data cache from L2", 0x1f42),
	K10("DECODER_EMPTY", "Cycles in which the decoder had nothing to dispatch", 0xd0),
	K10("DISPATCHED_FPU.ALL",
	    "Operations sent to the pipes of the floating-point unit", 0x3f00),
	K10("DISPATCH_STALLS", "Cycles in which a full resource held dispatch", 0xd1),
	K10("DISPATCH_STALL_FOR_FPU_FULL",
	    "Cycles in which a full floating-point unit held dispatch", 0xd7),
	K10("INSTRUCTION_CACHE_FETCHES", "Fetches from the instruction cache", 0x80),
	K10("INSTRUCTION_CACHE_MISSES", "Fetches that missed the instruction cache", 0x81),
	K10("INSTRUCTION_CACHE_REFILLS_FROM_L2",
	    "Lines brought into the instruction cache from L2", 0x82),
	K10("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM",
	    "Lines brought into the instruction cache from beyond L2", 0x83),
	K10("INSTRUCTION_FETCH_STALL", "Cycles in which fetch waited", 0x87),
	K10("INTERRUPTS_MASKED_CYCLES", "Cycles in which interrupts were masked", 0xcd),
	K10("INTERRUPTS_TAKEN", "Interrupts taken", 0xcf),
	K10("L1_ITLB_MISS_AND_L2_ITLB_HIT",
	    "Fetch addresses that missed the first TLB and hit the second", 0x84),
	K10("L1_ITLB_MISS_AND_L2_ITLB_MISS.ALL", "Fetch addresses that missed both TLBs", 0x385),
	K10("L2_CACHE_MISS.ALL", "Requests that missed L2", 0xf7e),
	K10("L2_CACHE_MISS.DATA", "Requests of data that missed L2", 0x27e),
	K10("L2_CACHE_MISS.DEMAND",
	    "Requests of instructions, data and page walks that missed L2", 0x77e),
	K10("L2_CACHE_MISS.INSTRUCTIONS", "Requests of instructions that missed L2", 0x17e),
	K10("LOCKED_OPS.EXECUTED", "Locked operations executed", 0x124),
	K10("MISALIGNED_ACCESSES", "Accesses that cross a boundary and take longer", 0x47),
	K10("PIPELINE_RESTART_DUE_TO_SELF_MODIFYING_CODE",
	    "Restarts because code was modified", 0x21),
	K10("PREFETCH_INSTRUCTIONS_DISPATCHED.ALL", "Prefetch instructions", 0x74b),
	K10("REQUESTS_TO_L2.ALL", "Requests to L2", 0x3f7d),
	K10("REQUESTS_TO_L2.DATA", "Requests of data to L2", 0x27d),
	K10("REQUESTS_TO_L2.DEMAND",
	    "Requests to L2 of instructions, data and page walks", 0x77d),
	K10("REQUESTS_TO_L2.INSTRUCTIONS", "Requests of instructions to L2", 0x17d),
	K10("RETIRED_BRANCH_INSTRUCTIONS",
	    "Branches completed, exceptions and interrupts too", 0xc2),
	K10("RETIRED_BRANCH_RESYNCS", "Branches after which the pipeline was restarted", 0xc7),
	K10("RETIRED_FAR_CONTROL_TRANSFERS",
	    "Far calls, jumps and returns, interrupts and exceptions", 0xc6),
	K10("RETIRED_INDIRECT_BRANCHES_MISPREDICTED",
	    "Indirect branches whose target was predicted wrongly", 0xca),
	K10("RETIRED_INSTRUCTIONS", "Instructions completed", 0xc0),
	K10("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS",
	    "Completed branches that had been predicted wrongly", 0xc3),
	K10("RETIRED_MMX_AND_FP_INSTRUCTIONS.ALL",
	    "x87, MMX and SSE instructions completed", 0x7cb),
	K10("RETIRED_NEAR_RETURNS", "Near returns completed", 0xc8),
	K10("RETIRED_NEAR_RETURNS_MISPREDICTED",
	    "Near returns whose address was predicted wrongly", 0xc9),
	K10("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "Completed branches that were taken", 0xc4),
	K10("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED",
	    "Completed taken branches that had been predicted wrongly", 0xc5),
	K10("RETIRED_UOPS", "Macro-ops completed", 0xc1),
	K10("RETURN_STACK_HITS", "Returns predicted by the return stack", 0x88),
	K10("RETURN_STACK_OVERFLOWS", "Calls that did not fit on the return stack", 0x89),
	K10("SMIS_RECEIVED", "System management interrupts", 0x2b),
	K10("SYSTEM_READ_RESPONSES.ALL", "Lines that the system delivered", 0x1f6c),
};
