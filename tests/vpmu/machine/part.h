/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU model: addresses and fields of its counter registers, and its events.
 */
#ifndef VPMU_PART_H
#define VPMU_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/params.h"

#define VPMU_BIT(n) (1ull << (n))

/*
 * MSRs that filter what some core events count: MSR_OFFCORE_RSP_0 and MSR_OFFCORE_RSP_1 (0x1a6,
 * 0x1a7), MSR_PEBS_FRONTEND (0x3f7), MSR_OMR_0 to MSR_OMR_3 (0x3e0 to 0x3e3)
 */
enum vpmu_extra {
	VPMU_OFFCORE_0,
	VPMU_OFFCORE_1,
	VPMU_FRONTEND,
	VPMU_OMR_0,
	VPMU_OMR_1,
	VPMU_OMR_2,
	VPMU_OMR_3,
	VPMU_EXTRAS
};

/*
 * How a precise record says where a load found its data: as on P-cores since Skylake, Gracemont,
 * Crestmont, or Lion Cove
 */
enum vpmu_source {
	VPMU_SOURCE_SKL,
	VPMU_SOURCE_GRT,
	VPMU_SOURCE_CMT,
	VPMU_SOURCE_LNC,
	VPMU_SOURCE_SNB,
	VPMU_SOURCE_NHM
};

/* IA32_PERF_CAPABILITIES (SDM Vol. 4): its bits FW_WRITE and PERF_METRICS_AVAILABLE */
#define VPMU_CAP_FULL_WRITE VPMU_BIT(13)
#define VPMU_CAP_METRICS VPMU_BIT(15)
/*
 * LBR_FMT, bits 5:0 of IA32_PERF_CAPABILITIES: the misprediction is above the address of a branch;
 * so are the flags of transactions; a branch record has a third MSR
 */
#define VPMU_LBR_FORMAT(capable) ((capable) & 0x3f)
#define VPMU_CAP_LBR_FLAGS 3
#define VPMU_CAP_LBR_TX_FLAGS 4
#define VPMU_CAP_LBR_INFO 5
/*
 * PEBS_FMT, bits 11:8 of IA32_PERF_CAPABILITIES, and the value that it has with architectural PEBS
 * (Linux, intel_pebs_init())
 */
#define VPMU_CAP_PEBS(format) ((format) << 8)
#define VPMU_PEBS_ARCH 0xfull
#define VPMU_CAP_ARCH_PEBS VPMU_CAP_PEBS(VPMU_PEBS_ARCH)

/*
 * EAX of CPUID leaf 0x8000001B, what AMD's instruction-based sampling (IBS) can do: fetches and ops are
 * sampled; their current count can be read and written; ops can be counted, not only cycles; a
 * branch has its target; the maximum count has 27 bits; RIP can be marked as invalid; a fused
 * branch is told; the ITLB's refill latency of a fetch; Zen 4's sources of data and filter for L3
 * misses; a filter by load latency; second control registers; filters by fetch latency, by bit 63 of
 * the address, and for non-temporal stores in them (Linux, asm/perf_event.h)
 */
#define VPMU_IBS_FLAGS VPMU_BIT(0)
#define VPMU_IBS_FETCHES VPMU_BIT(1)
#define VPMU_IBS_OPS VPMU_BIT(2)
#define VPMU_IBS_READ_WRITE VPMU_BIT(3)
#define VPMU_IBS_COUNT_OPS VPMU_BIT(4)
#define VPMU_IBS_TARGET VPMU_BIT(5)
#define VPMU_IBS_LONG VPMU_BIT(6)
#define VPMU_IBS_RIP_CHECK VPMU_BIT(7)
#define VPMU_IBS_FUSED VPMU_BIT(8)
#define VPMU_IBS_REFILL VPMU_BIT(9)
#define VPMU_IBS_ZEN4 VPMU_BIT(11)
#define VPMU_IBS_LATENCY VPMU_BIT(12)
#define VPMU_IBS_CTL2 VPMU_BIT(13)
#define VPMU_IBS_FETCH_LATENCY VPMU_BIT(14)
#define VPMU_IBS_LEVELS VPMU_BIT(15)
#define VPMU_IBS_STREAMS VPMU_BIT(16)

/*
 * PEBS_FMT of IA32_PERF_CAPABILITIES; PEBS_BASELINE, with which the formats are adaptive. Without it
 * records are of the instruction after the event (PEBS_TRAP), and have its registers
 * (PEBS_ARCH_REG).
 */
#define VPMU_PEBS_FORMAT(capable) ((capable) >> 8 & 0xf)
#define VPMU_CAP_PEBS_BASELINE VPMU_BIT(14)
/* PEBS_TIMING_INFO: adaptive records have the retire latency */
#define VPMU_CAP_PEBS_TIMING VPMU_BIT(17)
#define VPMU_CAP_ADAPTIVE_PEBS(format) (VPMU_CAP_PEBS_BASELINE | VPMU_CAP_PEBS(format))
#define VPMU_CAP_LEGACY_PEBS(format) (VPMU_BIT(6) | VPMU_BIT(7) | VPMU_CAP_PEBS(format))

struct vpmu_event;
struct vpmu_uncore_part;
struct vpmu_cbo_part;
struct vpmu_server_part;
struct vpmu_imc_part;
struct vpmu_iio_part;

/**
 * struct vpmu_part - a CPU model. Where a member is described as an MSR, its value is the MSR's
 * address
 * @name: value of the option part=, as "ivb"
 * @version: version of the architectural PMU in CPUID leaf 0xA; 0 for no such leaf
 * @arch_events: number of architectural events in CPUID leaf 0xA
 * @core_type: core type in CPUID leaf 0x1A; 0 if the model is not hybrid
 * @native: native model ID in CPUID leaf 0x1A
 * @other: CPU model of the other core type, or NULL
 * @common_gp: number of general-purpose counters that both core types of a hybrid machine have;
 *	leaf 0xA has this number
 * @common_fixed: number of fixed counters that both core types of a hybrid machine have; leaf 0xA
 *	has this number
 * @bitmaps: CPUID leaf 0x23 exists, and has bitmaps of the counters of this core type
 * @amd_version: version of PerfMon in CPUID leaf 0x80000022; 0 for no such leaf
 * @perfctr_core: CPUID 0x80000001 enumerates PerfCtrExtCore, AMD's six counters
 * @perfctr_shared: CPUID can enumerate AMD's counters of caches and of a northbridge or data fabric
 * @ibs: what instruction-based sampling can do, a set of VPMU_IBS_* bits; 0 for no IBS
 * @nr_gp: number of general-purpose counters
 * @nr_gp_alone: number of general-purpose counters if the core has one thread only; 0 for @nr_gp
 * @nr_fixed: number of fixed counters
 * @width: width of the general-purpose counters in bits
 * @fixed_width: width of the fixed counters in bits
 * @metrics: number of fields of PERF_METRICS, 0 for no such register
 * @stride: distance between two event selects, and between two counters, in MSRs
 * @select: MSR of event select 0
 * @counter: MSR of counter 0
 * @counter_full: MSR of the full-width alias of counter 0 (IA32_A_PMC0), or 0
 * @old_select: MSR of the legacy alias of event select 0, or 0. AMD's first four event selects have
 *	aliases, at adjacent MSRs
 * @old_counter: MSR of the legacy alias of counter 0, as in @old_select, or 0
 * @fixed: MSR of fixed counter 0, or 0
 * @fixed_ctrl: MSR of IA32_FIXED_CTR_CTRL, or 0
 * @fixed_reserved: reserved bits of IA32_FIXED_CTR_CTRL, in addition to the bits of absent counters
 * @global_ctrl: MSR of IA32_PERF_GLOBAL_CTRL or AMD's PerfCntrGlobalCtl, with an enable bit for
 *	each counter; 0 if the enable bit of an event select suffices
 * @global_status: MSR with the overflow bits of all counters
 * @global_ovf: MSR by which software clears overflow bits
 * @global_set: MSR by which software sets overflow bits, or 0
 * @global_inuse: MSR of IA32_PERF_GLOBAL_INUSE, or 0
 * @capabilities: MSR of IA32_PERF_CAPABILITIES, or 0
 * @capable: value of IA32_PERF_CAPABILITIES
 * @arch_pebs: bitmap of the groups that an architectural PEBS record of the CPU model can have,
 *	bits as in IA32_PMC_GPn_CFG_C; 0 for no such records
 * @source: how a precise record says where a load found its data
 * @aux: a precise record of the load latency has the source of the data only while a counter counts
 *	the event 03/82, too
 * @lbr: number of branch records in model-specific MSRs, or 0
 * @arch_lbr: maximum number of branch records in architectural MSRs, or 0
 * @select_reserved: reserved bits of an event select
 * @core: sizes and latencies of the simulated core
 * @prefetch: bits of MSR 0x1a4 that disable prefetchers, or 0
 * @extra: legal bits of each extra register, [&enum vpmu_extra]; 0 for no such register
 * @extra_shared: the threads of a core share the extra registers
 * @uncore: uncore of a client, or NULL
 * @cbo: CBos or CHAs of a server, or NULL
 * @server: power control unit and UBox of a server, or NULL
 * @imc: memory channels, home agents and links of a server, or NULL
 * @mchbar: registers of a client's memory controllers, or NULL
 * @iio: IIO stacks of a server, or NULL
 * @events: returns the event tables in which the event select of counter number @counter is looked
 *	up, an array that ends with NULL
 */
struct vpmu_part {
	const char *name;
	unsigned int version;
	unsigned int arch_events;
	unsigned int core_type;
	unsigned int native;
	const struct vpmu_part *other;
	unsigned int common_gp;
	unsigned int common_fixed;
	bool bitmaps;
	unsigned int amd_version;
	bool perfctr_core;
	bool perfctr_shared;
	uint32_t ibs;
	unsigned int nr_gp;
	unsigned int nr_gp_alone;
	unsigned int nr_fixed;
	unsigned int width;
	unsigned int fixed_width;
	unsigned int metrics;
	unsigned int stride;
	uint32_t select;
	uint32_t counter;
	uint32_t counter_full;
	uint32_t old_select;
	uint32_t old_counter;
	uint32_t fixed;
	uint32_t fixed_ctrl;
	uint64_t fixed_reserved;
	uint32_t global_ctrl;
	uint32_t global_status;
	uint32_t global_ovf;
	uint32_t global_set;
	uint32_t global_inuse;
	uint32_t capabilities;
	uint64_t capable;
	uint64_t arch_pebs;
	enum vpmu_source source;
	bool aux;
	unsigned int lbr;
	unsigned int arch_lbr;
	uint64_t select_reserved;
	const struct vcore_params *core;
	uint64_t prefetch;
	uint64_t extra[VPMU_EXTRAS];
	bool extra_shared;
	const struct vpmu_uncore_part *uncore;
	const struct vpmu_cbo_part *cbo;
	const struct vpmu_server_part *server;
	const struct vpmu_imc_part *imc;
	const struct vpmu_mchbar_part *mchbar;
	const struct vpmu_iio_part *iio;
	const struct vpmu_event *const *(*events)(uint64_t select,
						  unsigned int counter);
};

/**
 * vpmu_has_store() - check if a CPU model has a debug store (DS), where it writes precise records
 * @part: the CPU model
 */
static inline bool vpmu_has_store(const struct vpmu_part *part)
{
	return VPMU_PEBS_FORMAT(part->capable) &&
	       VPMU_PEBS_FORMAT(part->capable) != VPMU_PEBS_ARCH;
}

#endif /* VPMU_PART_H */
