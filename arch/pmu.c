// SPDX-License-Identifier: GPL-2.0
#include "arch.h"

#include "data_access.h"
#include "free.h"
#include "ibs.h"
#include "intel.h"

/*
 * Architectural events in the order of their bits in CPUID.0AH:EBX (SDM Vol. 3, "Pre-defined
 * Architectural Performance Events"), with bits 15:0 of their event select (code) and perf's name
 */
static const struct {
	u16 code;
	const char *name;
} arch_events[] = {
	{ 0x003c, "cycles" },
	{ 0x00c0, "instructions" },
	{ 0x013c, "bus-cycles" },
	{ 0x4f2e, "cache-references" },
	{ 0x412e, "cache-misses" },
	{ 0x00c4, "branches" },
	{ 0x00c5, "branch-misses" },
	{ 0x01a4, "slots" },
};

#define ARCH_EVENTS (sizeof(arch_events) / sizeof(*arch_events))

/**
 * bpmu_arch_event() - find the PMU's architectural event (CPUID leaf 0xa) by code and umask
 * @select: event select of a core's counter
 *
 * Context: any.
 * Return: number of the event, its bit in CPUID.0AH:EBX; -1 if @select is not an architectural
 * event.
 */
int bpmu_arch_event(u64 select)
{
	unsigned int i;

	for (i = 0; i < ARCH_EVENTS; i++)
		if (arch_events[i].code == (u16)select)
			return i;
	return -1;
}

/**
 * bpmu_arch_event_name() - perf's name of one of the PMU's architectural events (CPUID leaf 0xa)
 * @number: bit of the event in CPUID.0AH:EBX
 *
 * Context: any.
 * Return: the name, or NULL if there is no such event.
 */
const char *bpmu_arch_event_name(unsigned int number)
{
	return number < ARCH_EVENTS ? arch_events[number].name : NULL;
}

/*
 * Returns the set of architectural events that the CPU lacks. In CPUID leaf 0xA a bit of EBX is 1
 * if its event is absent, and EAX 31:24 is the number of valid bits of EBX (SDM Vol. 2A).
 */
static u8 absent_events(const struct bpmu_cpuid *cpuid)
{
	u32 valid = cpuid->eax >> 24;

	if (valid > ARCH_EVENTS)
		valid = ARCH_EVENTS;
	return cpuid->ebx & ((1u << valid) - 1);
}

/* Limits the number of general-purpose counters to those whose registers are documented. */
static void keep_known_msrs(struct bpmu_pmu *pmu)
{
	if (pmu->version < BPMU_V6_VERSION && pmu->gp_counters > BPMU_V6_FIRST)
		pmu->gp_counters = BPMU_V6_FIRST;
}

/*
 * Enumerates a core's PMU by CPUID leaf 0xA, SDM Vol. 2A. From PMU version 5 on ECX may enumerate
 * fixed counters that EDX does not. On a hybrid part the leaf has only the counters that both core
 * types have; bpmu_pmu_bitmaps() adds the further counters of a performance core.
 */
static void init_perfmon(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid,
			 u8 core)
{
	const struct bpmu_part *part = pmu->part;

	pmu->absent = absent_events(cpuid);
	pmu->version = cpuid->eax & 0xff;
	pmu->gp_counters = (cpuid->eax >> 8) & 0xff;
	pmu->gp_width = (cpuid->eax >> 16) & 0xff;
	pmu->fixed_counters = cpuid->edx & 0x1f;
	pmu->fixed_width = (cpuid->edx >> 5) & 0xff;
	while (pmu->version >= 5 && pmu->fixed_counters < 16 &&
	       cpuid->ecx & (1u << pmu->fixed_counters))
		pmu->fixed_counters++;
	keep_known_msrs(pmu);
	if (!pmu->gp_counters || core == BPMU_CORE_ANY)
		return;
	if (pmu->gp_counters < part->gp_counters)
		pmu->gp_counters = part->gp_counters;
	if (pmu->fixed_counters < part->fixed_counters)
		pmu->fixed_counters = part->fixed_counters;
}

/**
 * bpmu_umcs() - number of memory controllers that have a PMU, from CPUID (AMD)
 * @cpuid: leaf BPMU_CPUID_PERFMON_V2 of a CPU
 * @counters: set to the number of counters of each controller
 *
 * AMD64 Architecture Programmer's Manual, Vol. 3: EBX has the total number of counters, which
 * Linux's amd_uncore divides evenly among the active controllers.
 *
 * Context: any.
 * Return: number of controllers of this CPU's package, 0 if they have no counters.
 */
unsigned int bpmu_umcs(const struct bpmu_cpuid *cpuid, u8 *counters)
{
	unsigned int nr = 0;
	u32 active;

	for (active = cpuid->ecx; active; active &= active - 1)
		nr++;
	*counters = nr ? BPMU_CPUID_UMC(cpuid->ebx) / nr : 0;
	return *counters ? nr : 0;
}

/*
 * Enumerates AMD's PMU by CPUID leaf 0x8000_0022: AMD64 Architecture Programmer's Manual, Vol. 3.
 */
static void init_perfmon_v2(struct bpmu_pmu *pmu,
			    const struct bpmu_cpuid *cpuid)
{
	const struct bpmu_box *df = bpmu_uncore_box(pmu->part, BPMU_UNIT_DF);

	pmu->global = cpuid->eax & 1;
	pmu->version = pmu->global ? 2 : 0;
	if (pmu->global && cpuid->ebx & 0xf)
		pmu->gp_counters = cpuid->ebx & 0xf;
	if (df && pmu->global && BPMU_CPUID_DF(cpuid->ebx))
		pmu->counters[BPMU_UNIT_DF] = BPMU_CPUID_DF(cpuid->ebx) < df->counters ?
					      BPMU_CPUID_DF(cpuid->ebx) : df->counters;
	if (pmu->global && bpmu_uncore_box(pmu->part, BPMU_UNIT_UMC))
		pmu->nr[BPMU_UNIT_UMC] = bpmu_umcs(cpuid, &pmu->counters[BPMU_UNIT_UMC]);
}

/*
 * Sets the numbers of uncore boxes and of their counters to the part's maxima. Until CPUID
 * enumerates them, two of AMD's numbers are set to their minima instead: the number of memory
 * controllers, and the number of a data fabric's counters.
 */
static void init_boxes(struct bpmu_pmu *pmu)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	const struct bpmu_box *box;

	for (box = uncore ? uncore->boxes : NULL; box && box->unit; box++) {
		pmu->nr[box->unit] = box->unit == BPMU_UNIT_UMC ? 0 : box->nr;
		pmu->counters[box->unit] = box->unit == BPMU_UNIT_DF ? BPMU_DF_LEAST :
								       box->counters;
	}
}

/**
 * bpmu_pmu_init() - enumerate a PMU by CPUID and by its descriptor
 * @pmu: filled in; &bpmu_pmu.metrics, &bpmu_pmu.nr and &bpmu_pmu.free are the part's maxima, which
 * the module's probe reduces to what the machine has
 * @part: descriptor
 * @cpuid: output of the leaf @part->cpuid_leaf; zeros if the CPU has no such leaf
 * @core: &enum bpmu_core of the CPU, from leaf 0x1A
 *
 * Context: any.
 */
void bpmu_pmu_init(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		   const struct bpmu_cpuid *cpuid, u8 core)
{
	*pmu = (struct bpmu_pmu){
		.part = part,
		.gp_counters = part->gp_counters,
		.gp_width = part->gp_width,
		.fixed_counters = part->fixed_counters,
		.fixed_width = part->fixed_width,
		.metrics = part->metrics,
		.global = part->msrs.global_ctrl != 0,
		.free = part->free,
		.legal = part->legal,
	};
	init_boxes(pmu);
	if (part->cpuid_leaf == BPMU_CPUID_PERFMON)
		init_perfmon(pmu, cpuid, core);
	else if (part->cpuid_leaf == BPMU_CPUID_PERFMON_V2)
		init_perfmon_v2(pmu, cpuid);
}

/*
 * Returns the number of consecutive ones in a bitmap of counters, from bit 0 on. Counters behind a
 * gap are not used.
 */
static u8 first_ones(u32 bitmap)
{
	u8 nr = 0;

	for (; bitmap & 1; bitmap >>= 1)
		nr++;
	return nr;
}

/**
 * bpmu_pmu_bitmaps() - set the counters of a core type's PMU by the bitmaps of CPUID leaf 0x23
 * @pmu: in: as bpmu_pmu_init() set it by leaf 0xA, with the counters that all core types have;
 * on return: with the counters of this core type
 * @cpuid: subleaf 1 of leaf BPMU_CPUID_PERFMON_EXT; zeros if the CPU does not have it
 *
 * SDM Vol. 2A, CPUID leaf 0x23. Lion Cove has ten general counters; Skymont has fixed counters
 * 0 to 2 and 4 to 6; counters 4 to 6 are not used.
 *
 * Context: any.
 */
void bpmu_pmu_bitmaps(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid)
{
	if (pmu->part->cpuid_leaf != BPMU_CPUID_PERFMON || !(cpuid->eax & 1))
		return;
	pmu->gp_counters = first_ones(cpuid->eax);
	keep_known_msrs(pmu);
	pmu->fixed_counters = first_ones(cpuid->ebx);
}

/**
 * bpmu_pmu_selects() - find from CPUID if a core type's PMU has the fields UMASK2 and EQ
 * @pmu: from bpmu_pmu_init(); the bits of absent fields are removed from &bpmu_pmu.legal
 * @cpuid: subleaf 0 of leaf BPMU_CPUID_PERFMON_EXT; zeros if the CPU does not have it
 *
 * The version of the PMU does not tell this: an Arrow Lake of version 5 has both fields, and
 * hypervisors hide the leaf. Source: the dump 00C0652_ArrowLakeH of InstLatx64/InstLatx64, commit
 * 087af2c7d72c.
 *
 * Context: any.
 */
void bpmu_pmu_selects(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid)
{
	if (!(cpuid->ebx & BPMU_PERFMON_UMASK2))
		pmu->legal &= ~BPMU_SEL_UMASK2;
	if (!(cpuid->ebx & BPMU_PERFMON_EQ))
		pmu->legal &= ~BPMU_SEL_EQ;
}

/**
 * bpmu_pmu_pebs() - set which counters of the PMU can write precise records, from CPUID
 * @pmu: in: as bpmu_pmu_bitmaps() set it; on return: &bpmu_pmu.pebs has the counters, and
 *	&bpmu_pmu.pebs_values and @pebs_metrics say if records can have the counters' values
 * @cpuid: subleaf BPMU_PERFMON_PEBS_LEAF of leaf BPMU_CPUID_PERFMON_EXT; zeros if the CPU does not
 *	have it
 * @groups: subleaf BPMU_PERFMON_PEBS_GROUPS_LEAF of the same leaf, or zeros
 *
 * Context: any.
 */
void bpmu_pmu_pebs(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid,
		   const struct bpmu_cpuid *groups)
{
	pmu->pebs = (cpuid->eax | (u64)cpuid->ecx << BPMU_FIXED_BASE) & bpmu_pmu_counters(pmu);
	pmu->pebs_values = !(BPMU_CONFIG_COUNTERS & ~((u64)groups->ebx << 32));
	pmu->pebs_metrics = pmu->pebs_values && BPMU_CONFIG_METRICS & (u64)groups->ebx << 32;
}

/*
 * Returns the set of counters that write PEBS records in an adaptive format: the first general
 * ones, and all fixed ones.
 */
static u64 adaptive_counters(const struct bpmu_pmu *pmu)
{
	u64 fixed = (1ULL << pmu->fixed_counters) - 1;
	u8 gp = pmu->gp_counters;

	if (gp > BPMU_DS_COUNTERS_MOST)
		gp = BPMU_DS_COUNTERS_MOST;
	return ((1ULL << gp) - 1) | fixed << BPMU_FIXED_BASE;
}

/* Checks if a PMU's PEBS records have one of the formats before the adaptive ones. */
static int has_legacy_format(const struct bpmu_pmu *pmu)
{
	return pmu->pebs_format > BPMU_DS_FIRST && pmu->pebs_format <= BPMU_DS_ADAPTIVE;
}

/* Returns the set of counters that may write such records. */
static u64 legacy_counters(const struct bpmu_pmu *pmu)
{
	unsigned int nr = pmu->part->quirks & BPMU_QUIRK_PEBS_0 ? 1 : BPMU_DS_COUNTERS_LEGACY;

	return (1ULL << nr) - 1;
}

/**
 * bpmu_pmu_pebs_format() - set the format of the PMU's PEBS records
 * @pmu: in: as bpmu_pmu_pebs() set it, with &bpmu_pmu.metrics of this machine; on return:
 *	&bpmu_pmu.pebs_format, and, if the records are in a format that can be read,
 *	&bpmu_pmu.pebs, @pebs_retire, @pebs_values and @pebs_metrics
 * @has_pebs: 1 if the CPU has PEBS through the debug store: CPUID leaf 1, EDX bit 21, and
 *	IA32_MISC_ENABLE, bit 12 (SDM Vol. 4, table 2-2)
 * @broken: 1 if the CPU's microcode has errata of PEBS, see bpmu_pmu_pebs_broken()
 * @capabilities: IA32_PERF_CAPABILITIES, or 0
 *
 * Context: any.
 */
void bpmu_pmu_pebs_format(struct bpmu_pmu *pmu, int has_pebs, int broken, u64 capabilities)
{
	if (pmu->pebs) {
		pmu->pebs_format = BPMU_PEBS_ARCHITECTURAL;
		return;
	}
	pmu->pebs_format = has_pebs ? BPMU_PERF_CAP_PEBS(capabilities) + 1 : 0;
	pmu->pebs_retire = (capabilities & BPMU_PERF_CAP_TIMING) != 0;
	if (broken || pmu->pebs_format == BPMU_PEBS_ARCHITECTURAL)
		return;
	if (has_legacy_format(pmu)) {
		pmu->pebs = bpmu_pmu_counters(pmu) & legacy_counters(pmu);
	} else if (pmu->pebs_format > BPMU_DS_ADAPTIVE && capabilities & BPMU_PERF_CAP_BASELINE) {
		pmu->pebs = adaptive_counters(pmu);
		pmu->pebs_values = pmu->pebs_format > BPMU_DS_HELD;
		pmu->pebs_metrics = pmu->pebs_values && pmu->metrics;
	}
}

/**
 * bpmu_pmu_pebs_broken() - check if a CPU's microcode has errata of PEBS through the debug store
 * @model: model number of a CPU of Intel's family 6
 * @stepping: its stepping
 * @microcode: revision of its microcode
 *
 * Linux, arch/x86/events/intel/core.c, pebs_ucodes: Sandy Bridge.
 *
 * Context: any.
 * Return: nonzero if PEBS must not be used.
 */
int bpmu_pmu_pebs_broken(unsigned int model, unsigned int stepping, u32 microcode)
{
	static const struct {
		unsigned int model;
		unsigned int stepping;
		u32 good;
	} revisions[] = {
		{ 0x2a, 7, 0x28 }, { 0x2d, 6, 0x618 }, { 0x2d, 7, 0x70c }
	};
	unsigned int i;

	for (i = 0; i < sizeof(revisions) / sizeof(*revisions); i++)
		if (revisions[i].model == model && revisions[i].stepping == stepping)
			return microcode < revisions[i].good;
	return 0;
}

/**
 * bpmu_pmu_pebs_counters() - find the counters that write precise records (PEBS) of an event
 * @pmu: from bpmu_pmu_pebs_format()
 * @select: event select of a general-purpose counter
 *
 * Before the adaptive formats only events of retired instructions have them: instructions, uops,
 * branches, loads and stores, aborted transactions, front-end events (SDM Vol. 3, "PEBS Performance
 * Events"; Intel's event files). Nehalem and Westmere have other codes (Linux,
 * intel_nehalem_pebs_event_constraints). Loads by their latency (0xcd with unit mask 0x01; 0x0b
 * with 0x10 on Nehalem and Westmere) have them where it is known what the records say, and precise
 * stores (0xcd with 0x02) on Sandy Bridge and Ivy Bridge, by counter 3 alone (SDM Vol. 3, "Precise
 * Store Facility").
 *
 * Context: any.
 * Return: set of counters as &bpmu_pmu.pebs; 0 if there are no such records.
 */
u64 bpmu_pmu_pebs_counters(const struct bpmu_pmu *pmu, u64 select)
{
	static const u8 codes[] = {
		0xc0, 0xc2, 0xc4, 0xc5, 0xc6, 0xc8, 0xc9, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0x0b,
		0x0f, 0xc7, 0xcb, 0xf7
	};
	u64 code = select & (BPMU_SEL_EVENT | BPMU_SEL_UMASK);
	unsigned int i;

	if (!has_legacy_format(pmu))
		return pmu->pebs;
	switch (bpmu_data_access_kind(pmu->part, select)) {
	case BPMU_DATA_ACCESS_LOAD_LATENCY:
		return pmu->pebs;
	case BPMU_DATA_ACCESS_PRECISE_STORE:
		return pmu->pebs & BPMU_BIT(3);
	default:
		break;
	}
	if (code == 0x100b)
		return 0;
	for (i = 0; i < sizeof(codes); i++)
		if (codes[i] == (select & BPMU_SEL_EVENT))
			return pmu->pebs;
	return 0;
}

/**
 * bpmu_pmu_pebs_names() - check if a PMU's precise records (PEBS) name the instruction of an event
 * @pmu: from bpmu_pmu_pebs_format()
 *
 * Context: any.
 * Return: zero if they only name the instruction after it.
 */
int bpmu_pmu_pebs_names(const struct bpmu_pmu *pmu)
{
	return !has_legacy_format(pmu) || pmu->pebs_format > BPMU_DS_NAMES;
}

/**
 * bpmu_pmu_held() - set of the counters whose values a PMU's precise records (PEBS) can have
 * @pmu: from bpmu_pmu_pebs_format(); its records can have values
 *
 * In a debug store they can have those of counters that write no records themselves, too.
 *
 * Context: any.
 * Return: one bit per counter number.
 */
u64 bpmu_pmu_held(const struct bpmu_pmu *pmu)
{
	return bpmu_pmu_has_store(pmu) ? bpmu_pmu_counters(pmu) : pmu->pebs;
}

/**
 * bpmu_pmu_record_bytes() - size of a PMU's precise records in a debug store (DS)
 * @pmu: bpmu_pmu_has_store() is nonzero
 *
 * Context: any; the sampling path.
 * Return: bytes; of an adaptive record those of the group that every record has.
 */
u32 bpmu_pmu_record_bytes(const struct bpmu_pmu *pmu)
{
	if (!has_legacy_format(pmu))
		return BPMU_DS_RECORD_BYTES;
	if (!bpmu_pmu_pebs_names(pmu))
		return BPMU_DS_BYTES_NEXT;
	return pmu->pebs_format > BPMU_DS_TIMED ? BPMU_DS_BYTES_TIMED : BPMU_DS_BYTES_NAMES;
}

/**
 * bpmu_pmu_has_store() - check if a PMU's precise records go to a debug store (DS)
 * @pmu: from bpmu_pmu_pebs_format()
 *
 * Context: any; the sampling path.
 * Return: nonzero if the PMU has precise records that can be read, and not by architectural PEBS.
 */
int bpmu_pmu_has_store(const struct bpmu_pmu *pmu)
{
	return pmu->pebs && pmu->pebs_format != BPMU_PEBS_ARCHITECTURAL;
}

/**
 * bpmu_pmu_has_groups() - check if a PMU's records in a debug store (DS) can have several groups
 * @pmu: from bpmu_pmu_pebs_format()
 *
 * Context: any; the sampling path.
 * Return: nonzero if the records are adaptive: MSR_PEBS_DATA_CFG adds groups to the basic one.
 */
int bpmu_pmu_has_groups(const struct bpmu_pmu *pmu)
{
	return bpmu_pmu_has_store(pmu) && pmu->pebs_format > BPMU_DS_ADAPTIVE;
}

/**
 * bpmu_pmu_retires() - check if the PMU's records in a debug store (DS) have the retire latency
 * @pmu: from bpmu_pmu_pebs_format()
 * @counters: set of counters that counted the recorded event
 *
 * Context: any; the sampling path.
 * Return: nonzero if BPMU_DS_RETIRE_CYCLES() of such a record is the retire latency.
 */
int bpmu_pmu_retires(const struct bpmu_pmu *pmu, u64 counters)
{
	u64 without = pmu->part->quirks & BPMU_QUIRK_FIXED0_NO_RETIRE ?
			      1ULL << BPMU_FIXED_BASE : 0;

	return pmu->pebs_retire && !(counters & without);
}

/**
 * bpmu_pmu_config_msr() - address of the PMU's register that turns on a counter's precise records
 * @counter: number of a counter in &bpmu_pmu.pebs
 *
 * Context: any.
 * Return: MSR address.
 */
u32 bpmu_pmu_config_msr(u32 counter)
{
	if (counter < BPMU_FIXED_BASE)
		return BPMU_MSR_V6_CONFIG0 + BPMU_V6_STRIDE * counter;
	return BPMU_MSR_V6_FIXED_CONFIG0 + BPMU_V6_STRIDE * (counter - BPMU_FIXED_BASE);
}

/**
 * bpmu_pmu_usable() - check if a PMU has counters that can be programmed
 * @pmu: PMU as CPUID enumerates it
 * @extended: AMD only: nonzero if CPUID leaf 0x8000_0001 reports PerfCtrExtCore
 *
 * Hypervisors hide counters: CPUID then reports version 0, or no PerfCtrExtCore. AMD's CPUs without
 * PerfCtrExtCore have four counters, at other MSRs than those in @pmu->part.
 *
 * Context: any.
 * Return: nonzero if the PMU has counters that can be programmed, else 0.
 */
int bpmu_pmu_usable(const struct bpmu_pmu *pmu, int extended)
{
	if (pmu->part->cpuid_leaf == BPMU_CPUID_PERFMON_V2)
		return extended;
	return pmu->gp_counters && (!pmu->part->cpuid_leaf || pmu->version >= 2);
}

/**
 * bpmu_pmu_select_msr() - MSR of a PMU that selects the event of a general-purpose counter
 * @part: descriptor
 * @counter: number of the counter
 *
 * Context: any; the sampling path.
 * Return: the MSR.
 */
u32 bpmu_pmu_select_msr(const struct bpmu_part *part, u32 counter)
{
	if (part->cpuid_leaf == BPMU_CPUID_PERFMON && counter >= BPMU_V6_FIRST)
		return BPMU_MSR_V6_SELECT0 + counter * BPMU_V6_STRIDE;
	return part->msrs.select + counter * part->msrs.stride;
}

/**
 * bpmu_pmu_counter_msr() - MSR of a general-purpose counter of the core's PMU
 * @part: descriptor
 * @counter: number of the counter
 * @full: nonzero to get the alias of the counter that takes all bits in a write
 *
 * Context: any.
 * Return: the MSR.
 */
u32 bpmu_pmu_counter_msr(const struct bpmu_part *part, u32 counter, int full)
{
	if (part->cpuid_leaf == BPMU_CPUID_PERFMON && counter >= BPMU_V6_FIRST)
		return BPMU_MSR_V6_COUNTER0 + counter * BPMU_V6_STRIDE;
	return (full ? part->msrs.counter_full : part->msrs.counter) +
	       counter * part->msrs.stride;
}

/**
 * bpmu_pmu_counters() - set of the core counters that a PMU has for each logical CPU
 * @pmu: PMU of the CPU
 *
 * Context: any.
 * Return: one bit per counter number, PERF_METRICS and the counts of IBS included.
 */
u64 bpmu_pmu_counters(const struct bpmu_pmu *pmu)
{
	u64 fixed = (1ULL << pmu->fixed_counters) - 1;
	u64 set = ((1ULL << pmu->gp_counters) - 1) | fixed << BPMU_FIXED_BASE;

	if (pmu->ibs)
		set |= BPMU_BIT(BPMU_IBS_COUNTER);
	if (pmu->ibs & BPMU_IBS_FETCHES)
		set |= BPMU_BIT(BPMU_FETCH_COUNTER);
	return pmu->metrics ? set | BPMU_BIT(BPMU_METRICS_COUNTER) : set;
}

/**
 * bpmu_bank_of() - find the kind (bank) of a PMU's counter by the counter's number
 * @counter: number of the counter
 *
 * Context: any.
 * Return: &enum bpmu_bank_id, or -1 if no bank has such a number.
 */
int bpmu_bank_of(u32 counter)
{
	const struct bpmu_free *reg = bpmu_free_at(counter);
	int bank;

	if (reg)
		return bpmu_unit_facts[reg->unit].bank;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (!bpmu_bank_facts[bank].free &&
		    counter - bpmu_bank_facts[bank].first < bpmu_bank_facts[bank].counters)
			return bank;
	return -1;
}

/**
 * bpmu_uncore_box() - find a PMU's box by its unit outside the core
 * @part: descriptor
 * @unit: &enum bpmu_unit
 *
 * Context: any.
 * Return: the box, or NULL if the part has no box of this unit.
 */
const struct bpmu_box *bpmu_uncore_box(const struct bpmu_part *part, u8 unit)
{
	const struct bpmu_box *box = part->uncore ? part->uncore->boxes : NULL;

	for (; box && box->unit; box++)
		if (box->unit == unit)
			return box;
	return NULL;
}

/**
 * bpmu_box_thresholds() - threshold bits that a PMU box outside the core has for its events
 * @box: a row of a part's boxes
 *
 * Context: any.
 * Return: the bits, a subset of BPMU_SEL_THRESHOLD: those that are legal and in no field of @box;
 * or 0.
 */
u64 bpmu_box_thresholds(const struct bpmu_box *box)
{
	const struct bpmu_select_field *field = box->fields;
	u64 bits = box->legal & BPMU_SEL_THRESHOLD;

	if (box->base && !box->thresholds)
		return 0;
	for (; field && field->name; field++)
		bits &= ~field->bits;
	return bits;
}

/**
 * bpmu_uncore_cbos() - number of PMUs in CBos, the slices of the last-level cache
 * @uncore: descriptor
 * @config: contents of @uncore->cbo_config, 0 if it cannot be read
 * @cores: number of cores of a package
 *
 * From Sandy Bridge to Skylake the number in the MSR is one too large (SDM Vol. 4,
 * MSR_UNC_CBO_CONFIG: "derive value by -1"), because it includes the graphics' slice. On later
 * models of the Skylake part, with up to 10 cores, the number in the MSR equals the number of
 * cores. From Ice Lake on the number in the MSR is used unchanged (Linux, uncore_snb.c,
 * icl_get_cbox_num()).
 *
 * Context: any.
 * Return: the number of CBos, at most that of the descriptor; @cores if @config is 0.
 */
u8 bpmu_uncore_cbos(const struct bpmu_uncore *uncore, u64 config,
		    unsigned int cores)
{
	const struct bpmu_box *box;
	unsigned int nr = config & 0xf;

	if (!nr)
		nr = cores;
	else if (uncore->slices == BPMU_SLICES_GRAPHICS ||
		 (uncore->slices == BPMU_SLICES_EITHER && nr > cores))
		nr--;
	for (box = uncore->boxes; box->unit; box++)
		if (box->unit == BPMU_UNIT_CBO)
			return nr < box->nr ? nr : box->nr;
	return 0;
}

/**
 * bpmu_uncore_boxes() - how many boxes of a unit the PMU has, and which number the first one has
 * @pmu: PMU of a CPU
 * @unit: &enum bpmu_unit
 * @first: set to the number of the first box, if there is one
 *
 * The instances of boxes without a base are numbered in the order of the descriptor. A box
 * with a base has number 0, and all its instances count as one box.
 *
 * Context: any.
 * Return: number of boxes, 0 if there is none.
 */
unsigned int bpmu_uncore_boxes(const struct bpmu_pmu *pmu, u8 unit,
			       unsigned int *first)
{
	const struct bpmu_uncore *uncore = pmu->part->uncore;
	const struct bpmu_box *box;
	unsigned int nr;

	*first = 0;
	for (box = uncore ? uncore->boxes : NULL; box && box->unit; box++) {
		nr = pmu->nr[box->unit];
		if (box->unit == unit) {
			*first = box->base ? 0 : *first;
			return box->base ? nr != 0 : nr;
		}
		*first += box->base ? 0 : nr;
	}
	return 0;
}

/**
 * bpmu_box_counters() - PMU box: number of counters that it has on this machine
 * @pmu: PMU of a CPU
 * @box: a row of the boxes of the PMU's part
 *
 * Context: any.
 * Return: the number, 0 if the machine does not have the box.
 */
unsigned int bpmu_box_counters(const struct bpmu_pmu *pmu,
			       const struct bpmu_box *box)
{
	unsigned int counters = pmu->counters[box->unit];

	if (!pmu->nr[box->unit])
		return 0;
	return counters < box->counters ? counters : box->counters;
}

/**
 * bpmu_box_fixed() - the fixed counter of a PMU box
 * @box: a row of a part's boxes, or NULL
 *
 * Context: any.
 * Return: the fixed counter's bit in a set of the box's counters, 0 if the box has no fixed
 * counter.
 */
u64 bpmu_box_fixed(const struct bpmu_box *box)
{
	return box && box->fixed_select ? BPMU_BIT(box->counters - 1) : 0;
}

/**
 * bpmu_uncore_place() - find box, instance and index of a PMU's counter outside the core by number
 * @pmu: PMU of a CPU
 * @counter: number of the counter
 * @place: filled in on success
 *
 * Context: any.
 * Return: 1, or 0 if the PMU has no uncore counter of this number.
 */
int bpmu_uncore_place(const struct bpmu_pmu *pmu, u32 counter,
		      struct bpmu_place *place)
{
	const struct bpmu_box *box;
	unsigned int first;
	u32 n;

	if (!pmu->part->uncore || counter < BPMU_COUNTER_UNCORE)
		return 0;
	n = (counter - BPMU_COUNTER_UNCORE) / BPMU_COUNTERS_PER_BOX;
	for (box = pmu->part->uncore->boxes; box->unit; box++) {
		u32 nr = bpmu_uncore_boxes(pmu, box->unit, &first);

		place->box = box;
		place->instance = box->base ? 0 : n - first;
		place->index = box->base ? counter - box->base :
					   counter % BPMU_COUNTERS_PER_BOX;
		if ((box->base || n >= first) && place->instance < nr &&
		    place->index < bpmu_box_counters(pmu, box)) {
			place->step = box->step || box->offsets || box->devices || box->size ?
				      box->step : pmu->counters[box->unit] * box->stride;
			place->units = box->base ? pmu->nr[box->unit] : 1;
			return 1;
		}
	}
	return 0;
}

/**
 * bpmu_ubox_package() - find the package of a PMU's UBox from the UBox's registers
 * @node: contents of the UBox's register &bpmu_ubox.node
 * @map: contents of the UBox's register &bpmu_ubox.map
 *
 * The registers of a device that does not answer read as all ones. Such values are refused, because
 * node 7 would be found in field 0 of a map of sevens, and be taken for package 0.
 *
 * Context: any.
 * Return: the package's physical number, or -1 if the map does not have the node or one of the
 * registers reads as all ones.
 */
int bpmu_ubox_package(u32 node, u32 map)
{
	int i;

	if (node == ~0u || map == ~0u)
		return -1;
	for (i = 0; i < 8; i++)
		if ((map >> (3 * i) & 7) == (node & 7))
			return i;
	return -1;
}

/**
 * bpmu_controller_address() - physical address of a PMU's registers for a memory controller
 * @base: contents of the register &bpmu_channels.base
 * @controller: contents of the controller's own register, one of those that begin at
 *	&bpmu_channels.controller
 *
 * Context: any.
 * Return: the address, 0 if firmware has set no address or the controller does not exist.
 */
u64 bpmu_controller_address(u32 base, u32 controller)
{
	base &= 0x1fffffff;
	controller &= 0x7ff;
	return base && controller ? ((u64)base << 23) + (controller << 12) : 0;
}

/**
 * bpmu_channel_address() - physical address at which the PMU of a memory channel has its registers
 * @channels: how the addresses of the part's channels are computed
 * @base: contents of the register @channels->base
 * @controller: contents of the register of the channel's memory controller
 * @channel: index of the channel in the controller
 *
 * Context: any.
 * Return: the address, 0 if firmware has set no address or the controller does not exist.
 */
u64 bpmu_channel_address(const struct bpmu_channels *channels, u32 base, u32 controller,
			 u32 channel)
{
	u64 address = bpmu_controller_address(base, controller);

	return address ? address + channels->first + channel * channels->step : 0;
}

/**
 * bpmu_place_fixed() - check if a counter outside the core is the fixed one of its PMU box
 * @place: location of the counter
 *
 * Context: any.
 * Return: nonzero for the fixed counter of a box, else 0.
 */
int bpmu_place_fixed(const struct bpmu_place *place)
{
	return place->box->fixed_select &&
	       place->index == place->box->counters - 1U;
}

/**
 * bpmu_place_select() - address of the PMU's register that programs a counter outside the core
 * @place: location of the counter
 *
 * Context: any.
 * Return: MSR address; for PCI devices the offset in configuration space; for memory-mapped
 * registers the offset from the instance's address.
 */
u32 bpmu_place_select(const struct bpmu_place *place)
{
	if (bpmu_place_fixed(place))
		return place->box->fixed_select;
	return place->box->select + bpmu_place_offset(place, place->instance) +
	       place->index * place->box->stride;
}

/**
 * bpmu_place_enable() - enable bit with which the PMU turns on a counter outside the core
 * @place: location of the counter
 *
 * Context: any; the sampling path.
 * Return: the bit, 0 if the counter counts whenever its box does.
 */
u64 bpmu_place_enable(const struct bpmu_place *place)
{
	if (bpmu_place_fixed(place) && place->box->fixed_enable)
		return place->box->fixed_enable;
	return place->box->enable;
}

/**
 * bpmu_place_counter() - address at which the PMU has a counter outside the core
 * @place: location of the counter
 *
 * Context: any.
 * Return: MSR address, or an offset as of bpmu_place_select().
 */
u32 bpmu_place_counter(const struct bpmu_place *place)
{
	const struct bpmu_box *box = place->box;
	u32 stride = box->counter_stride ? box->counter_stride : box->stride;

	if (bpmu_place_fixed(place))
		return box->fixed_counter;
	return box->counter + bpmu_place_offset(place, place->instance) +
	       place->index * stride;
}

/**
 * bpmu_place_ctl() - address of the control register of a counter's PMU box
 * @place: location of the counter, whose box has a control register
 *
 * Context: any.
 * Return: MSR address, or an offset as of bpmu_place_select().
 */
u32 bpmu_place_ctl(const struct bpmu_place *place)
{
	return place->box->ctl + bpmu_place_offset(place, place->instance);
}

/**
 * bpmu_place_filter() - address of the PMU's filter register for a counter outside the core
 * @place: location of the counter, whose box has a filter register
 *
 * Context: any.
 * Return: MSR address.
 */
u32 bpmu_place_filter(const struct bpmu_place *place)
{
	return place->box->filter + bpmu_place_offset(place, place->instance);
}

/**
 * bpmu_place_filter_high() - address of the PMU's filter bits 63:32 for a counter outside the core
 * @place: location of the counter, whose box has this register
 *
 * Context: any.
 * Return: MSR address.
 */
u32 bpmu_place_filter_high(const struct bpmu_place *place)
{
	return place->box->filter_high + bpmu_place_offset(place, place->instance);
}

/**
 * bpmu_filter_used() - bits of the PMU's filter register that affect an event outside the core
 * @box: box of the event, or NULL
 * @select: event select
 *
 * Context: any.
 * Return: the bits, 0 for an event that ignores the filter.
 */
u64 bpmu_filter_used(const struct bpmu_box *box, u64 select)
{
	const struct bpmu_filter_use *use = box ? box->uses : NULL;
	u64 bits = 0;

	for (; use && use->fields; use++)
		if ((select & use->mask) == use->select)
			bits |= use->fields;
	return bits;
}

/**
 * bpmu_pmu_width() - width of a PMU's counter
 * @pmu: PMU of a CPU
 * @counter: number of the counter
 *
 * Context: any.
 * Return: width in bits.
 */
u8 bpmu_pmu_width(const struct bpmu_pmu *pmu, u32 counter)
{
	const struct bpmu_free *reg = bpmu_free_at(counter);
	struct bpmu_place place;

	if (reg)
		return reg->width;
	if (bpmu_uncore_place(pmu, counter, &place))
		return bpmu_place_fixed(&place) ? place.box->fixed_width :
						  place.box->width;
	if (counter == BPMU_IBS_COUNTER || counter == BPMU_FETCH_COUNTER)
		return BPMU_IBS_WIDTH;
	if (counter >= BPMU_METRICS_COUNTER)
		return 64;
	return counter < BPMU_FIXED_BASE ? pmu->gp_width : pmu->fixed_width;
}

/*
 * Limits of bpmu_pmu_guard_ns(). Wider counters are treated as counters of GUARD_WIDTH_MAX bits, so
 * that the product stays below 2^64. The result is at most GUARD_NS_MAX, an hour.
 */
#define GUARD_WIDTH_MAX	50
#define GUARD_NS_MAX	3600000000000ULL

/**
 * bpmu_pmu_guard_ns() - longest time between two reads such that no PMU counter wraps twice
 * @pmu: PMU of a CPU
 * @tsc_khz: frequency of the TSC in kHz
 *
 * The result is half the time in which the narrowest counter wraps if each cycle adds 16 to it and
 * the clock has four times the frequency of the TSC. The fastest counters, which add occupancies of
 * queues, stay below that rate. A sum of n counters wraps n times as fast. The result is at most an
 * hour.
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 bpmu_pmu_guard_ns(const struct bpmu_pmu *pmu, u32 tsc_khz)
{
	const struct bpmu_box *box;
	u8 width = pmu->gp_width;
	unsigned int nr;
	u64 ns;
	u8 own;

	if (pmu->fixed_counters && pmu->fixed_width < width)
		width = pmu->fixed_width;
	for (box = pmu->part->uncore ? pmu->part->uncore->boxes : NULL;
	     box && box->unit; box++) {
		own = box->width;
		for (nr = box->base ? pmu->nr[box->unit] : 1; nr > 1; nr = (nr + 1) / 2)
			own--;
		if (own < width)
			width = own;
	}
	if (width > GUARD_WIDTH_MAX)
		width = GUARD_WIDTH_MAX;
	/*
	 * Half the counter's range is 2^(width - 1) events. Divided by 4 * 16 events per TSC cycle,
	 * this is 2^(width - 7) cycles, each of 10^6 / tsc_khz nanoseconds.
	 */
	ns = (1ULL << (width - 7)) * 1000000 / (tsc_khz ? tsc_khz : 1);
	return ns < GUARD_NS_MAX ? ns : GUARD_NS_MAX;
}
