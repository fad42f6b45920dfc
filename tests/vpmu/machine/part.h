/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU model: registers of its counters and its events.
 */
#ifndef VPMU_PART_H
#define VPMU_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/params.h"

#define VPMU_BIT(n) (1ull << (n))

/* extra registers of events: MSRs 0x1a6, 0x1a7 and 0x3f7 */
enum vpmu_extra {
	VPMU_OFFCORE_0,
	VPMU_OFFCORE_1,
	VPMU_FRONTEND,
	VPMU_EXTRAS
};

/* IA32_PERF_CAPABILITIES, SDM Vol. 4: full-width writes, PERF_METRICS */
#define VPMU_CAP_FULL_WRITE VPMU_BIT(13)
#define VPMU_CAP_METRICS VPMU_BIT(15)

struct vpmu_event;
struct vpmu_uncore_part;
struct vpmu_cbo_part;
struct vpmu_server_part;
struct vpmu_imc_part;
struct vpmu_iio_part;

/**
 * struct vpmu_part - the registers of a part
 * @name: "ivb"
 * @version: of the architectural PMU, for CPUID leaf 0xA; 0 for no such leaf
 * @arch_events: architectural events of that leaf
 * @kind: of its cores, for CPUID leaf 0x1A; 0 for all alike
 * @native: native model in that leaf: which core it is
 * @other: the part of the other kind of cores, or NULL
 * @common_gp: general counters that both kinds have, which leaf 0xA tells of
 *	either where there are two
 * @common_fixed: the same of the fixed counters
 * @amd_version: of AMD's, for CPUID leaf 0x80000022; 0 for no such leaf
 * @perfctr_core: CPUID 0x80000001 says that AMD's six counters exist
 * @nr_gp: general counters
 * @nr_gp_alone: the same when the core has but one thread, or 0 for no change
 * @nr_fixed: fixed counters
 * @width: of the general counters, bits
 * @fixed_width: of the fixed ones
 * @metrics: fields of PERF_METRICS, or 0 for none
 * @stride: from one event select to the next, and from counter to counter
 * @select: MSR of event select 0
 * @counter: MSR of counter 0
 * @counter_full: the same for writes of all bits, or 0
 * @old_select: other names of the first four event selects, one after the
 *	other, or 0
 * @old_counter: the same of the counters
 * @fixed: MSR of fixed counter 0, or 0
 * @fixed_ctrl: or 0
 * @fixed_reserved: bits of it that must be 0 besides those of no counter
 * @global_ctrl: enable bits, or 0: then a select's own bit is enough
 * @global_status: overflow bits
 * @global_ovf: write 1 to clear them
 * @global_set: write 1 to set them, or 0
 * @global_inuse: what is programmed, or 0
 * @capabilities: IA32_PERF_CAPABILITIES, or 0
 * @capable: its value
 * @select_reserved: bits of a select that must be 0
 * @core: sizes and latencies of its cores
 * @prefetch: bits of MSR 0x1a4 that switch prefetchers off, or 0
 * @extra: bits that each extra register has, 0 for a register that is not there
 * @uncore: or NULL
 * @cbo: CBos of a server, or NULL
 * @server: its power control unit and UBox, or NULL
 * @imc: its memory channels, home agents and links, or NULL
 * @mchbar: registers of a client's memory controllers, or NULL
 * @iio: its IIO stacks, or NULL
 * @events: the tables of events that counter number @counter looks a select up
 *	in; NULL comes last
 */
struct vpmu_part {
	const char *name;
	unsigned int version;
	unsigned int arch_events;
	unsigned int kind;
	unsigned int native;
	const struct vpmu_part *other;
	unsigned int common_gp;
	unsigned int common_fixed;
	unsigned int amd_version;
	bool perfctr_core;
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
	uint64_t select_reserved;
	const struct vcore_params *core;
	uint64_t prefetch;
	uint64_t extra[VPMU_EXTRAS];
	const struct vpmu_uncore_part *uncore;
	const struct vpmu_cbo_part *cbo;
	const struct vpmu_server_part *server;
	const struct vpmu_imc_part *imc;
	const struct vpmu_mchbar_part *mchbar;
	const struct vpmu_iio_part *iio;
	const struct vpmu_event *const *(*events)(uint64_t select,
						  unsigned int counter);
};

#endif /* VPMU_PART_H */
