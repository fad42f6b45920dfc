/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a CPU manual knows: the types of the tables in this folder.
 *
 * Everything here is constant data or arithmetic on it. It is compiled twice,
 * into the module and into the tool, and includes nothing of either.
 *
 * A counter is named by its number: general counter i is i, fixed counter n is
 * BPMU_FIXED_BASE + n, as in IA32_PERF_GLOBAL_CTRL (SDM Vol. 3, 19.2.2). A set
 * of counters is a u64 with these bits. Counters of the uncore come behind, at
 * BPMU_UNCORE_BASE, and those of other units at bases of their own; a set of them
 * holds the counters of one box.
 */
#ifndef BPMU_ARCH_H
#define BPMU_ARCH_H

#include <linux/types.h>

#ifndef __KERNEL__
#include <stddef.h>
typedef __u64 u64;
typedef __u32 u32;
typedef __u16 u16;
typedef __u8 u8;
#endif

#define BPMU_BIT(n) (1ULL << (n))
#define BPMU_FIXED_BASE 32
#define BPMU_FIXED_BIT(n) BPMU_BIT(BPMU_FIXED_BASE + (n))
/* PERF_METRICS counts as one more counter: its bit in IA32_PERF_GLOBAL_CTRL */
#define BPMU_METRICS_COUNTER 48
/* counter c of the n-th uncore box is BASE + n * PER_BOX + c */
#define BPMU_UNCORE_BASE 64
#define BPMU_UNCORE_PER_BOX 8
#define BPMU_UNCORE_BOXES 24
/* free-running registers, see free.h */
#define BPMU_FREE_BASE 256
/* counters of the L3 of a core complex */
#define BPMU_L3_BASE 320
#define BPMU_L3_COUNTERS 6
/* counters of the data fabric of a node */
#define BPMU_DF_BASE 336
#define BPMU_DF_COUNTERS 16
/* of these, those that are there where CPUID does not tell their number */
#define BPMU_DF_LEAST 4
/* counters of the memory controllers of a package */
#define BPMU_UMC_BASE 352
#define BPMU_UMC_COUNTERS 8
#define BPMU_UMCS 32
/* counters of the caching agents of a server package, its CBos or CHAs */
#define BPMU_CHA_BASE 360
#define BPMU_CHA_COUNTERS 4
#define BPMU_CHAS 28
/* of &bpmu_uncore.cbo_config of a part with CHAs: how many there are */
#define BPMU_CHA_NUMBER(config) ((config) & 0x3f)
/* counters of the power control unit of a server package */
#define BPMU_PCU_BASE 364
#define BPMU_PCU_COUNTERS 4
/* counters of its UBox, the last of which has a fixed event: its clock */
#define BPMU_UBOX_BASE 368
#define BPMU_UBOX_COUNTERS 3
/* counters of the memory channels of a server package, of which the last is fixed */
#define BPMU_IMC_BASE 384
#define BPMU_IMC_COUNTERS 5
#define BPMU_IMCS 8
/* counters of its home agents, from Skylake on M2Ms */
#define BPMU_HA_BASE 392
#define BPMU_HA_COUNTERS 4
#define BPMU_HAS 2
/* counters of its links to other packages, QPI or UPI */
#define BPMU_LINK_BASE 400
#define BPMU_LINK_COUNTERS 4
#define BPMU_LINKS 3
/* PCI devices of a package that have counters of one unit, at most */
#define BPMU_DEVICES BPMU_IMCS

/**
 * enum bpmu_vendor - who made the CPU
 * @BPMU_VENDOR_INTEL: "GenuineIntel"
 * @BPMU_VENDOR_AMD: "AuthenticAMD" or "HygonGenuine"
 */
enum bpmu_vendor {
	BPMU_VENDOR_INTEL = 1,
	BPMU_VENDOR_AMD
};

/**
 * enum bpmu_core - kinds of cores, CPUID leaf 0x1A EAX 31:24 (SDM Vol. 2A)
 * @BPMU_CORE_ANY: a part with one kind of cores
 * @BPMU_CORE_EFFICIENT: small core of a hybrid part
 * @BPMU_CORE_PERFORMANCE: big core of a hybrid part
 */
enum bpmu_core {
	BPMU_CORE_ANY,
	BPMU_CORE_EFFICIENT = 0x20,
	BPMU_CORE_PERFORMANCE = 0x40
};

/**
 * struct bpmu_cpu_id - one row of a part's list of models
 * @vendor: &enum bpmu_vendor, 0 ends a list
 * @family: CPUID display family, 0 for all
 * @model: CPUID display model
 * @last: last model of a range that begins with @model; 0 for @model alone
 * @core: &enum bpmu_core
 * @native: native model of the core, CPUID leaf 0x1A EAX 23:0; 0 for all
 */
struct bpmu_cpu_id {
	u8 vendor;
	u8 family;
	u8 model;
	u8 last;
	u8 core;
	u8 native;
};

/**
 * struct bpmu_cpuid - what the instruction returns
 * @eax: register
 * @ebx: register
 * @ecx: register
 * @edx: register
 */
struct bpmu_cpuid {
	u32 eax;
	u32 ebx;
	u32 ecx;
	u32 edx;
};

/**
 * enum bpmu_quirk - what a part does wrong
 * @BPMU_QUIRK_SMT_LEAK: with hyper-threading on, events 0xD0 to 0xD3 leak into
 *	the sibling's counter of the same index (BJ122, BV98, HSD29)
 * @BPMU_QUIRK_NEEDS_OS: counters 4 and up count nothing unless OS is set
 * @BPMU_QUIRK_DRAM_UNIT: memory's energy is in 2^-16 J whatever the register of
 *	units says
 * @BPMU_QUIRK_PSYS_UNIT: the platform's energy is in joules, likewise
 */
enum bpmu_quirk {
	BPMU_QUIRK_SMT_LEAK = 1 << 0,
	BPMU_QUIRK_NEEDS_OS = 1 << 1,
	BPMU_QUIRK_DRAM_UNIT = 1 << 2,
	BPMU_QUIRK_PSYS_UNIT = 1 << 3
};

/**
 * struct bpmu_msrs - addresses of a part's counter registers, 0 if it has none
 * @select: event select of general counter 0, the others follow by @stride
 * @counter: general counter 0, the others follow by @stride
 * @counter_full: the same counters, where all their bits can be written;
 *	equal to @counter where that one takes all bits
 * @fixed: fixed counter 0, the others follow
 * @fixed_ctrl: control of the fixed counters, four bits each
 * @global_ctrl: one enable bit per counter; without it each select's own EN
 *	bit starts and stops its counter
 * @global_status: one overflow bit per counter
 * @global_ovf: write 1 to clear an overflow bit
 * @stride: from one select or general counter to the next
 */
struct bpmu_msrs {
	u32 select;
	u32 counter;
	u32 counter_full;
	u32 fixed;
	u32 fixed_ctrl;
	u32 global_ctrl;
	u32 global_status;
	u32 global_ovf;
	u32 stride;
};

/**
 * enum bpmu_unit - where an event happens
 * @BPMU_UNIT_CORE: in the core; each logical CPU has counters of its own
 * @BPMU_UNIT_CLOCK: the uncore clock
 * @BPMU_UNIT_ARB: the arbiter, where requests of the cores and of the graphics
 *	go to memory
 * @BPMU_UNIT_CBO: the slices of the last level cache
 * @BPMU_UNIT_FREE_THREAD: free-running registers of a logical CPU
 * @BPMU_UNIT_FREE_CORE: those that the threads of a core share
 * @BPMU_UNIT_FREE_PACKAGE: those of a package
 * @BPMU_UNIT_L3: the last level cache of AMD's core complexes
 * @BPMU_UNIT_DF: AMD's data fabric, between cores, memory and other packages
 * @BPMU_UNIT_UMC: AMD's memory controllers; each channel has one
 * @BPMU_UNIT_CHA: the caching agents of Intel's servers, each with a slice of the
 *	last level cache: CBos, from Skylake on CHAs
 * @BPMU_UNIT_PCU: the power control unit of a server, which sets frequencies and C-states
 * @BPMU_UNIT_UBOX: what of a server distributes interrupts, locks and messages
 * @BPMU_UNIT_IMC: the channels of the memory controllers of Intel's servers
 * @BPMU_UNIT_HA: the home agents of a server's memory, where its requests come together
 * @BPMU_UNIT_LINK: a server's links to other packages: QPI
 */
enum bpmu_unit {
	BPMU_UNIT_CORE,
	BPMU_UNIT_CLOCK,
	BPMU_UNIT_ARB,
	BPMU_UNIT_CBO,
	BPMU_UNIT_FREE_THREAD,
	BPMU_UNIT_FREE_CORE,
	BPMU_UNIT_FREE_PACKAGE,
	BPMU_UNIT_L3,
	BPMU_UNIT_DF,
	BPMU_UNIT_UMC,
	BPMU_UNIT_CHA,
	BPMU_UNIT_PCU,
	BPMU_UNIT_UBOX,
	BPMU_UNIT_IMC,
	BPMU_UNIT_HA,
	BPMU_UNIT_LINK
};

/**
 * struct bpmu_select_field - bits of a select, or of a filter, that people give by a
 *	name
 * @name: perf's name of them; NULL ends a list
 * @bits: where the value stands
 * @unless: bits that are 0 where a value is given: "all of them"
 * @some: a value of 0 would count nothing
 * @asked: of a filter: an event that uses them counts nothing of use without; an example
 *	of a value, or 0
 * @open: of a filter: those that are set where nothing is said, so that all pass; where a
 *	value is given that has them in @unless, they are not
 */
struct bpmu_select_field {
	const char *name;
	u64 bits;
	u64 unless;
	u8 some;
	u16 asked;
	u64 open;
};

/**
 * struct bpmu_filter_use - events that count what a box's filter lets pass
 * @mask: bits of a select that tell
 * @select: their value
 * @fields: bits of the filter that such an event uses; 0 ends a list
 */
struct bpmu_filter_use {
	u64 mask;
	u64 select;
	u64 fields;
};

/**
 * struct bpmu_box - a unit of the uncore, or a row of like ones
 * @unit: &enum bpmu_unit; 0 ends a list
 * @name: for people, "arb"
 * @title: the same in a sentence, "data fabric"; of those with a @base
 * @select: event select of counter 0 of the first one, the others follow
 * @counter: its counter 0, the others follow
 * @step: from one unit's registers to the next one's; 0: they follow those of the
 *	counters that the unit has
 * @stride: from one select or counter of a unit to the next
 * @counter_stride: from one counter to the next, where that is another; else 0
 * @devices: identifiers of the PCI devices whose configuration space has the registers,
 *	a unit each, ended by 0; NULL for MSRs
 * @base: number of its counter 0; 0 for boxes that are numbered one after the
 *	other from BPMU_UNCORE_BASE on. Units with a base count together: their
 *	counters of one number have the same select, and its value is their sum
 * @nr: units of this type; of slices and memory controllers at most, see
 *	&bpmu_pmu.cbos and &bpmu_pmu.umcs
 * @counters: counters of each, at most
 * @width: their width in bits
 * @fixed_select: control of the last of them, which has no event but one, and no
 *	legal bits; 0 where all are alike
 * @fixed_counter: that counter
 * @fixed_width: its width in bits
 * @saturates: a counter stops at the end of its range, which is above @width bits:
 *	before, whoever reads it takes the higher bits away
 * @enable: bit of a select that lets its counter count
 * @legal: bits of an event select that user space may set
 * @fields: of them, those with names, or NULL
 * @thresholds: of those with a @base: edge, invert and threshold stand where they do
 *	in a core's select, as far as they are legal and have no name in @fields
 * @ctl: the box's own control, which lets its enabled counters count, or 0
 * @frozen: value of @ctl that stops them
 * @freeze: bit of it that does
 * @running: value of @ctl that lets them count
 * @filter: register that says what some events count, one for all counters of a unit,
 *	or 0
 * @filter_high: where bits 63:32 of it have a register of their own, that, or 0
 * @filters: its bits by names, or NULL
 * @uses: which events use which of them, or NULL
 */
struct bpmu_box {
	u8 unit;
	const char *name;
	const char *title;
	u32 select;
	u32 counter;
	u32 step;
	u8 stride;
	u8 counter_stride;
	const u16 *devices;
	u16 base;
	u8 nr;
	u8 counters;
	u8 width;
	u32 fixed_select;
	u32 fixed_counter;
	u8 fixed_width;
	u8 saturates;
	u64 enable;
	u64 legal;
	const struct bpmu_select_field *fields;
	u8 thresholds;
	u32 ctl;
	u32 frozen;
	u32 freeze;
	u32 running;
	u32 filter;
	u32 filter_high;
	const struct bpmu_select_field *filters;
	const struct bpmu_filter_use *uses;
};

/**
 * enum bpmu_slices - what a part's number of last level cache slices means
 * @BPMU_SLICES_CORES: those of the cores
 * @BPMU_SLICES_GRAPHICS: one more, the graphics', which is no CBO
 * @BPMU_SLICES_EITHER: one or the other: some models of the part say this,
 *	others that
 */
enum bpmu_slices {
	BPMU_SLICES_CORES,
	BPMU_SLICES_GRAPHICS,
	BPMU_SLICES_EITHER
};

/**
 * struct bpmu_ubox - the PCI device that tells of which package its bus is
 * @device: its identifier
 * @node: register whose lowest three bits are the package's node
 * @map: register of eight fields of three bits: whose field is that node, that package
 *	it is
 * @lower: a bus without such a device belongs to the next lower one that has one, else to
 *	the next higher one
 *
 * Linux, uncore_snbep.c, snbep_pci2phy_map_init().
 */
struct bpmu_ubox {
	u16 device;
	u8 node;
	u8 map;
	u8 lower;
};

/**
 * struct bpmu_uncore - counters of a package and of what is in it
 * @global_ctrl: register that starts and stops them all, or 0
 * @global_start: its value while they count
 * @cbo_config: register that tells how many slices of the last level cache there are: of a
 *	client CBOs, in its lowest four bits, of a server CHAs, in its lowest six; or 0
 * @slices: &enum bpmu_slices of that number
 * @ubox: what tells of which package a PCI device is, or NULL
 * @boxes: units, ended by a row with unit 0
 */
struct bpmu_uncore {
	u32 global_ctrl;
	u64 global_start;
	u32 cbo_config;
	u8 slices;
	const struct bpmu_ubox *ubox;
	const struct bpmu_box *boxes;
};

/**
 * enum bpmu_extra_id - registers of a logical CPU that say what some events count
 * @BPMU_EXTRA_OFFCORE_0: requests that leave the core, and what answers them: MSR 0x1A6
 * @BPMU_EXTRA_OFFCORE_1: the same once more: MSR 0x1A7
 * @BPMU_EXTRA_FRONTEND: what held up the front end before an instruction: MSR 0x3F7
 * @BPMU_EXTRAS: their number
 */
enum bpmu_extra_id {
	BPMU_EXTRA_OFFCORE_0,
	BPMU_EXTRA_OFFCORE_1,
	BPMU_EXTRA_FRONTEND,
	BPMU_EXTRAS
};

/**
 * struct bpmu_extra - an event that counts what such a register says
 * @id: &enum bpmu_extra_id
 * @counters: general counters that can hold it
 * @code: its event and unit mask; 0 ends a list
 * @legal: bits of the register that user space may set
 */
struct bpmu_extra {
	u8 id;
	u8 counters;
	u16 code;
	u64 legal;
};

/**
 * struct bpmu_event - one row of a part's events
 * @name: the vendor's name
 * @desc: what it counts, one sentence in our words, or NULL
 * @select: event, umask and the filters that belong to the event
 * @counters: counters that can hold it with hyper-threading on
 * @counters_noht: counters that can hold it with hyper-threading off
 * @errata: comma separated erratum names, or NULL
 * @unit: &enum bpmu_unit; the counters of an uncore event are those of its box
 * @extra: value of its extra register, or of its box's filter; or 0
 */
struct bpmu_event {
	const char *name;
	const char *desc;
	u64 select;
	u64 counters;
	u64 counters_noht;
	const char *errata;
	u8 unit;
	u64 extra;
};

struct bpmu_events_loaded;

/**
 * struct bpmu_part - one part, or a family of like parts
 * @name: short name, as on the command line: "ivb"
 * @title: for people: "Intel Ivy Bridge"
 * @pfm: libpfm4's name of its PMU, for names that @events lacks
 * @ids: models, ended by a row with vendor 0
 * @msrs: register addresses
 * @legal: bits of an event select that user space may set
 * @extras: events with an extra register, or NULL
 * @merged: code of the event that can happen more often in a cycle than a counter
 *	adds, unless two are merged, or 0
 * @gp_counters: general counters if CPUID does not tell
 * @gp_width: their width in bits if CPUID does not tell
 * @fixed_counters: fixed counters if CPUID does not tell
 * @fixed_width: their width in bits if CPUID does not tell
 * @cpuid_leaf: CPUID leaf that tells the four numbers above, or 0
 * @issue_width: slots per cycle
 * @threads: hardware threads of a core at most
 * @metrics: 8-bit fields of PERF_METRICS, 0 without that register
 * @prefetch: bits of MSR 0x1A4 that switch the core's prefetchers off, or 0
 * @quirks: set of &enum bpmu_quirk
 * @free: free-running registers that a board with it can have, a set of &enum
 *	bpmu_free_id
 * @uncore: the package's counters, or NULL
 * @loaded: of a copy that user space made of a descriptor: the events of files that
 *	hold in place of the part's own; NULL in the descriptors themselves
 */
struct bpmu_part {
	const char *name;
	const char *title;
	const char *pfm;
	const struct bpmu_cpu_id *ids;
	struct bpmu_msrs msrs;
	u64 legal;
	const struct bpmu_extra *extras;
	u16 merged;
	u8 gp_counters;
	u8 gp_width;
	u8 fixed_counters;
	u8 fixed_width;
	u32 cpuid_leaf;
	u8 issue_width;
	u8 threads;
	u8 metrics;
	u8 prefetch;
	u8 quirks;
	u64 free;
	const struct bpmu_uncore *uncore;
	const struct bpmu_events_loaded *loaded;
};

/**
 * struct bpmu_pmu - a part as found on this machine
 * @part: its descriptor
 * @version: architectural version, 0 if the part has none
 * @gp_counters: general counters per logical CPU
 * @gp_width: their width in bits
 * @fixed_counters: fixed counters per logical CPU
 * @fixed_width: their width in bits
 * @metrics: PERF_METRICS is there: its number of fields
 * @global: a register starts and stops all counters at once
 * @cbos: last level cache slices with counters
 * @l3: counters of the L3 of a core complex
 * @df: counters of the data fabric
 * @umcs: memory controllers of a package that have counters
 * @umc: counters of each
 * @boxes: units of a server package that are there once or not at all, a set of
 *	BPMU_BIT(&enum bpmu_unit)
 * @imcs: memory channels with counters, of the package that has most of them
 * @agents: home agents with counters, likewise
 * @links: links to other packages with counters, likewise
 * @tjmax: temperature at which it throttles, degrees C, 0 if not known
 * @free: free-running registers, a set of &enum bpmu_free_id
 * @units: register of power units, 0 if there is none
 */
struct bpmu_pmu {
	const struct bpmu_part *part;
	u8 version;
	u8 gp_counters;
	u8 gp_width;
	u8 fixed_counters;
	u8 fixed_width;
	u8 metrics;
	u8 global;
	u8 cbos;
	u8 l3;
	u8 df;
	u8 umcs;
	u8 umc;
	u8 imcs;
	u8 agents;
	u8 links;
	u8 tjmax;
	u64 boxes;
	u64 free;
	u64 units;
};

/**
 * struct bpmu_place - an uncore counter by what it is
 * @box: the type of its box
 * @instance: which of these
 * @index: which of its counters
 * @step: from its registers to those of the next instance
 * @units: so many, from @instance on, count as this counter
 */
struct bpmu_place {
	const struct bpmu_box *box;
	u32 instance;
	u32 index;
	u32 step;
	u32 units;
};

const struct bpmu_part *bpmu_part_at(unsigned int i);
const struct bpmu_part *bpmu_part_find(const struct bpmu_cpu_id *cpu);
const struct bpmu_part *bpmu_part_by_name(const char *name);
void bpmu_pmu_init(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		   const struct bpmu_cpuid *cpuid, u8 core);
u64 bpmu_pmu_counters(const struct bpmu_pmu *pmu);
u8 bpmu_pmu_width(const struct bpmu_pmu *pmu, u32 counter);
u64 bpmu_pmu_guard_ns(const struct bpmu_pmu *pmu, u32 tsc_khz);
unsigned int bpmu_l3_shift(const struct bpmu_cpu_id *cpu, u32 eax);
unsigned int bpmu_df_shift(u32 size, u32 nodes);
unsigned int bpmu_umcs(const struct bpmu_cpuid *cpuid, u8 *counters);
int bpmu_ubox_package(u32 node, u32 map);
int bpmu_place_fixed(const struct bpmu_place *place);
u32 bpmu_place_select(const struct bpmu_place *place);
u32 bpmu_place_counter(const struct bpmu_place *place);
u32 bpmu_place_ctl(const struct bpmu_place *place);
u32 bpmu_place_filter(const struct bpmu_place *place);
u32 bpmu_place_filter_high(const struct bpmu_place *place);
const struct bpmu_box *bpmu_uncore_box(const struct bpmu_part *part, u8 unit);
int bpmu_box_single(const struct bpmu_box *box);
u64 bpmu_box_thresholds(const struct bpmu_box *box);
u8 bpmu_uncore_cbos(const struct bpmu_uncore *uncore, u64 config,
		    unsigned int cores);
unsigned int bpmu_box_counters(const struct bpmu_pmu *pmu,
			       const struct bpmu_box *box);
unsigned int bpmu_uncore_boxes(const struct bpmu_pmu *pmu, u8 unit,
			       unsigned int *first);
u64 bpmu_box_fixed(const struct bpmu_box *box);
int bpmu_uncore_place(const struct bpmu_pmu *pmu, u32 counter,
		      struct bpmu_place *place);
u64 bpmu_select_leaks(const struct bpmu_part *part, u64 select);

const struct bpmu_extra *bpmu_extra_of(const struct bpmu_part *part, u64 select);
u64 bpmu_extra_twin(const struct bpmu_part *part, u64 select);
u32 bpmu_extra_msr(u8 id);
const char *bpmu_extra_name(u8 id);
u64 bpmu_filter_used(const struct bpmu_box *box, u64 select);
u64 bpmu_select_illegal(const struct bpmu_pmu *pmu, u32 counter, u64 select);
const char *bpmu_select_bit_name(unsigned int bit);
u64 bpmu_fixed_ctrl(u32 counter, u64 select);

#endif /* BPMU_ARCH_H */
