/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of the tables in this folder, which hold facts of CPU manuals. A part is a CPU model, or
 * several models with the same PMU; a struct bpmu_part describes it.
 *
 * This folder holds only constant data and arithmetic on it. The folder is compiled into the module
 * and into the tool, and includes no header of either.
 *
 * A counter is identified by a number: general-purpose counter i has number i, fixed counter n has
 * number BPMU_FIXED_BASE + n, as in IA32_PERF_GLOBAL_CTRL (SDM Vol. 3, 19.2.2). A set of core
 * counters is a u64 whose bit i stands for the counter with number i. Uncore counters are numbered
 * from BPMU_COUNTER_UNCORE, or from &bpmu_box.base if their box has one. A set of uncore counters
 * has one bit per counter of a single box, bit 0 for the box's counter 0.
 */
#ifndef BPMU_ARCH_H
#define BPMU_ARCH_H

#include <linux/types.h>

#include "units.h"

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
/*
 * Counter number of the register PERF_METRICS: the number of its enable bit in
 * IA32_PERF_GLOBAL_CTRL
 */
#define BPMU_METRICS_COUNTER 48
/* Counter number of the count of AMD's instruction-based sampling (IBS) of ops */
#define BPMU_IBS_COUNTER 49
/* Counter number of its count of fetches */
#define BPMU_FETCH_COUNTER 50
/* Number of counters of AMD's data fabric if CPUID does not enumerate them */
#define BPMU_DF_LEAST 4
/* Extracts the number of CHAs from the contents of the MSR &bpmu_uncore.cbo_config. */
#define BPMU_CHA_NUMBER(config) ((config) & 0x3f)
/*
 * Maximum number of PCI devices, or of memory-mapped boxes, that one kind of unit has in a package
 */
#define BPMU_DEVICES 32

/**
 * enum bpmu_vendor - CPU vendor
 * @BPMU_VENDOR_INTEL: "GenuineIntel"
 * @BPMU_VENDOR_AMD: "AuthenticAMD" or "HygonGenuine"
 */
enum bpmu_vendor {
	BPMU_VENDOR_INTEL = 1,
	BPMU_VENDOR_AMD
};

/**
 * enum bpmu_core - core type, CPUID leaf 0x1A EAX 31:24 (SDM Vol. 2A)
 * @BPMU_CORE_ANY: any core of a part that is not hybrid
 * @BPMU_CORE_EFFICIENT: efficient core (Intel Atom) of a hybrid part
 * @BPMU_CORE_PERFORMANCE: performance core of a hybrid part
 */
enum bpmu_core {
	BPMU_CORE_ANY,
	BPMU_CORE_EFFICIENT = 0x20,
	BPMU_CORE_PERFORMANCE = 0x40
};

/**
 * struct bpmu_cpu_id - CPU models that a part matches, in &bpmu_part.ids; or one CPU to look up
 * @vendor: &enum bpmu_vendor, 0 ends a list
 * @family: CPUID display family, 0 matches all families
 * @model: CPUID display model
 * @last: last model of a range that begins with @model; 0 for @model alone
 * @core: &enum bpmu_core
 * @native: native model of the core, CPUID leaf 0x1A EAX 23:0; 0 matches all native models
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
 * struct bpmu_cpuid - output of the CPUID instruction
 * @eax: register EAX
 * @ebx: register EBX
 * @ecx: register ECX
 * @edx: register EDX
 */
struct bpmu_cpuid {
	u32 eax;
	u32 ebx;
	u32 ecx;
	u32 edx;
};

/**
 * enum bpmu_quirk - errata and peculiarities of a part that the code must respect, as bits
 * @BPMU_QUIRK_SMT_LEAK: with hyper-threading on, events 0xD0 to 0xD3 also add to the sibling
 *	thread's counter of the same index: errata BJ122, BV98, HSD29 of Intel's specification
 *	updates
 * @BPMU_QUIRK_NEEDS_OS: counters 4 and up count nothing unless the OS bit of their event select is
 *	1
 * @BPMU_QUIRK_DRAM_UNIT: DRAM energy is in units of 2^-16 J, whatever MSR_RAPL_POWER_UNIT says
 * @BPMU_QUIRK_PSYS_UNIT: platform energy is in units of 1 J, whatever MSR_RAPL_POWER_UNIT says
 * @BPMU_QUIRK_MICROJOULES: bits 12:8 of MSR_RAPL_POWER_UNIT, n, mean units of 2^n microjoules, not
 *	of 2^-n joules
 * @BPMU_QUIRK_PERIOD_64: a counter that interrupts must start at a multiple of 64: errata BDM11,
 *	BDM55
 * @BPMU_QUIRK_SHARED_EXTRAS: the threads of a core share the extra registers of events, but not
 *	that of the load latency
 * @BPMU_QUIRK_FIXED0_NO_RETIRE: precise records of fixed counter 0 lack the retire latency (Liang,
 *	"perf/x86/intel: Support Retire Latency"; of the performance core of Meteor Lake)
 * @BPMU_QUIRK_LOADS_AUX: precise records of the load latency have all of it only while an auxiliary
 *	event is counted (Linux, PMU_FL_MEM_LOADS_AUX)
 * @BPMU_QUIRK_PEBS_NEXT: a precise record (PEBS) has the address of the instruction after the one
 *	that caused the event: format 1 (Linux, intel_pmu_pebs_fixup_ip())
 * @BPMU_QUIRK_PEBS_0: only general counter 0 writes precise records (Linux,
 *	intel_slm_pebs_event_constraints, intel_glm_pebs_event_constraints)
 */
enum bpmu_quirk {
	BPMU_QUIRK_SMT_LEAK = 1 << 0,
	BPMU_QUIRK_NEEDS_OS = 1 << 1,
	BPMU_QUIRK_DRAM_UNIT = 1 << 2,
	BPMU_QUIRK_PSYS_UNIT = 1 << 3,
	BPMU_QUIRK_MICROJOULES = 1 << 4,
	BPMU_QUIRK_PERIOD_64 = 1 << 5,
	BPMU_QUIRK_SHARED_EXTRAS = 1 << 6,
	BPMU_QUIRK_FIXED0_NO_RETIRE = 1 << 7,
	BPMU_QUIRK_LOADS_AUX = 1 << 8,
	BPMU_QUIRK_PEBS_NEXT = 1 << 9,
	BPMU_QUIRK_PEBS_0 = 1 << 10
};

/**
 * struct bpmu_msrs - MSR addresses of a part's core counters; 0 for a register that the part lacks
 * @select: event select of general-purpose counter 0; the other ones follow at distances of @stride
 * @counter: general-purpose counter 0; the other ones follow at distances of @stride
 * @counter_full: full-width alias of counter 0 (IA32_A_PMC0), or @counter if @counter itself takes
 *	all bits in a write
 * @fixed: fixed counter 0; the other ones follow without a gap
 * @fixed_ctrl: control register of the fixed counters, four bits each
 * @global_ctrl: one enable bit per counter; without this register the EN bit of an event select
 *	starts and stops its counter
 * @global_status: register with one overflow bit per counter
 * @global_ovf: register that clears an overflow bit if 1 is written to its bit
 * @stride: distance from one event select or general-purpose counter to the next
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
 * struct bpmu_select_field - named field of an event select or of a box's filter
 * @name: perf's name of the field; NULL ends a list
 * @bits: mask of the field in the register
 * @unless: other bits of the register, which make the hardware ignore the field; these bits are
 *	cleared if the user gives the field a value
 * @some: nonzero if the value must not be 0, because the event would count nothing
 * @asked: filters only: an example value to show to the user if events that use the field need a
 *	value from the user; else 0
 * @open: filters only: bits of the field that are 1 by default and let everything pass, unless the
 *	user gives a value to a field that has these bits in its @unless
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
 * struct bpmu_filter_use - which fields of a box's filter restrict which events
 * @mask: bits of an event select that are compared with @select
 * @select: value of these bits in the events meant
 * @fields: bits of the filter register that restrict these events; 0 ends a list
 */
struct bpmu_filter_use {
	u64 mask;
	u64 select;
	u64 fields;
};

/**
 * struct bpmu_channels - addresses of memory-mapped registers of memory channels
 * @base: offset in PCI configuration space of a register whose bits 28:0 hold the base address in
 *	units of 8 MiB
 * @controller: offset in PCI configuration space of the first memory controller's register. Its
 *	bits 10:0 hold the distance of the controller from the base address in units of 4 KiB, or 0
 *	if the machine lacks the controller. The registers of the other controllers follow
 * @controllers: number of memory controllers
 * @nr: number of channels per controller
 * @first: distance of a controller's first channel from the controller, in bytes
 * @step: distance from one channel to the next, in bytes
 * @free: distance from the controller to its free-running registers, to which &bpmu_free.mchbar is
 *	added, in bytes
 *
 * Source: Linux, uncore_snbep.c, snr_uncore_mmio_map(), icx_uncore_imc_init_box(),
 * icx_imc_freerunning[].
 */
struct bpmu_channels {
	u16 base;
	u16 controller;
	u8 controllers;
	u8 nr;
	u32 first;
	u32 step;
	u32 free;
};

/**
 * enum bpmu_access - access type of a unit in a discovery table
 * @BPMU_ACCESS_MSR: the unit's address is the number of an MSR
 * @BPMU_ACCESS_MEMORY: the unit's address is a physical address
 * @BPMU_ACCESS_PCI: the unit's address is a PCI device and an offset in its configuration space
 */
enum bpmu_access {
	BPMU_ACCESS_MSR,
	BPMU_ACCESS_MEMORY,
	BPMU_ACCESS_PCI
};

/* Number of 64-bit words at the begin of a discovery table's record that are decoded. */
#define BPMU_DISCOVERY_WORDS 3

/**
 * struct bpmu_discovery - what a discovery table of a part may list, to detect wrong tables
 * @first: lowest MSR that an uncore unit of the part can have
 * @last: highest MSR that an uncore unit of the part can have
 * @chas: MSR with the number of CHAs, needed because some firmware lists more CHAs than exist; 0 if
 *	the part has no such MSR
 */
struct bpmu_discovery {
	u32 first;
	u32 last;
	u32 chas;
};

/**
 * struct bpmu_discovery_table - size of a discovery table, from its first record
 * @stride: distance between two records in bytes
 * @units: number of the following records, each of one uncore unit
 */
struct bpmu_discovery_table {
	u32 stride;
	u32 units;
};

/**
 * struct bpmu_discovery_unit - record of an uncore unit in a discovery table
 * @address: address of the unit's control register, which is its first register; its meaning
 *	depends on @access
 * @type: type of the unit, as &bpmu_box.type
 * @id: number of the unit among the units of its type
 * @access: &enum bpmu_access
 * @counters: number of counters
 * @width: width of the counters in bits
 * @select: distance of the first event select from the control register, in bytes or MSRs
 * @counter: distance of the first counter from the control register, in bytes or MSRs
 */
struct bpmu_discovery_unit {
	u64 address;
	u16 type;
	u16 id;
	u8 access;
	u8 counters;
	u8 width;
	u8 select;
	u8 counter;
};

/**
 * struct bpmu_box - registers of a PMU box of the uncore, or of several boxes of one type
 * (instances)
 * @unit: &enum bpmu_unit; 0 ends a list
 * @name: short name, "arb"
 * @title: name for use in a sentence, "data fabric"; NULL for boxes without a @base
 * @select: address of the event select of counter 0 of the first instance; the event selects of the
 *	other counters follow at distances of @stride
 * @wide: PCI devices only: nonzero if event selects have 64 bits
 * @counter: address of counter 0 of the first instance; the other counters follow
 * @step: distance between the registers of two instances; 0 if the instances' registers follow each
 *	other without a gap
 * @offsets: distances of the instances' registers from the first instance's, if not multiples of
 *	@step, [@nr]; or NULL
 * @stride: distance between two event selects, or two counters, of an instance
 * @counter_stride: distance between two counters if it differs from @stride, else 0
 * @devices: identifiers of PCI devices, ended by 0. The configuration space of these devices holds
 *	the registers or, with @channels, the addresses of the registers. NULL if no PCI device does
 * @size: size of an instance's memory-mapped registers in bytes; addresses of registers are then
 *	offsets in this range. 0 if the registers are not memory-mapped
 * @channels: how to find the memory-mapped registers by a device of @devices, or NULL
 * @driver: name of the kernel's PCI driver that programs memory-mapped registers without being
 *	bound to a device, or NULL
 * @type: number of the box's type of unit in discovery tables, which hold the addresses of the
 *	units' registers; not used with @devices, or if the part has no discovery tables
 * @wrap_us: PCI devices and memory-mapped registers only: time in microseconds in which a counter
 *	is incremented by less than 2^32: 2^32 divided by the maximum increment and the clock
 *	frequency; 0 if counters are always read in full
 * @base: number of the box's counter 0; 0 if the counters are numbered from BPMU_COUNTER_UNCORE on,
 *	one box after the other. Instances of a box with a base count together: counter n has the
 *	same event select in all instances, and its value is the sum over them
 * @nr: number of instances; maximum number if &struct bpmu_pmu has the actual one
 * @counters: maximum number of counters of an instance
 * @width: width of the counters in bits
 * @fixed_select: control register of the fixed counter, which counts one event and has the last
 *	index; 0 if there is no fixed counter
 * @fixed_counter: register of the fixed counter
 * @fixed_width: width of the fixed counter in bits
 * @fixed_enable: enable bit of @fixed_select if it differs from @enable, else 0
 * @saturates: nonzero if counters stop at the end of their range, which is wider than @width; who
 *	reads such a counter clears its bits above @width
 * @enable: enable bit of an event select; 0 if a counter counts whenever its box does, in which
 *	case a counter is in use if its event select is not 0
 * @legal: bits of an event select that user space may set
 * @fields: named fields of the event select, or NULL
 * @thresholds: boxes with a @base only: nonzero if edge, invert and threshold have the same bits as
 *	in a core's event select, where these bits are legal and not in @fields
 * @ctl: control register of the first instance, which starts and stops its enabled counters
 * @frozen: value of @ctl that stops the counters
 * @freeze: the freeze bit of @ctl; 0 if the box has no control register
 * @running: value of @ctl that starts the counters
 * @global: register that stops the counters of all instances, by the same bits as @ctl; only
 *	instance @global_in has this register. 0 if no instance has it
 * @global_in: index of the instance with @global
 * @filter: filter register of the first instance, which restricts some events, or 0
 * @filter_high: register of bits 63:32 of the filter, or 0 if it has 32 bits
 * @filters: named fields of the filter, or NULL
 * @uses: which fields of the filter restrict which events, or NULL
 */
struct bpmu_box {
	u8 unit;
	const char *name;
	const char *title;
	u32 select;
	u8 wide;
	u32 counter;
	u32 step;
	const short *offsets;
	u8 stride;
	u8 counter_stride;
	const u16 *devices;
	u32 size;
	const struct bpmu_channels *channels;
	const char *driver;
	u16 type;
	u16 wrap_us;
	u16 base;
	u8 nr;
	u8 counters;
	u8 width;
	u32 fixed_select;
	u32 fixed_counter;
	u8 fixed_width;
	u32 fixed_enable;
	u8 saturates;
	u64 enable;
	u64 legal;
	const struct bpmu_select_field *fields;
	u8 thresholds;
	u32 ctl;
	u32 frozen;
	u32 freeze;
	u32 running;
	u32 global;
	u8 global_in;
	u32 filter;
	u32 filter_high;
	const struct bpmu_select_field *filters;
	const struct bpmu_filter_use *uses;
};

/**
 * enum bpmu_slices - meaning of the number in &bpmu_uncore.cbo_config
 * @BPMU_SLICES_CORES: number of slices of the last level cache that belong to cores
 * @BPMU_SLICES_GRAPHICS: number of the cores' slices plus one: the graphics' slice is included, but
 * has no counters
 * @BPMU_SLICES_EITHER: as the first or as the second of these values, depending on the model
 */
enum bpmu_slices {
	BPMU_SLICES_CORES,
	BPMU_SLICES_GRAPHICS,
	BPMU_SLICES_EITHER
};

/**
 * struct bpmu_ubox - the PCI device (UBox) by which a PCI bus's package is found
 * @device: PCI device identifier
 * @node: offset in configuration space of the register whose bits 2:0 are the package's node
 * @map: offset of the register with the node map, eight fields of three bits: the index of the
 *	field that holds the node is the number of the package
 * @lower: nonzero: a bus without this device belongs to the package of the next lower bus that has
 * the device; 0: to the package of the next higher bus that has the device
 *
 * Source: Linux, uncore_snbep.c, snbep_pci2phy_map_init().
 */
struct bpmu_ubox {
	u16 device;
	u8 node;
	u8 map;
	u8 lower;
};

/**
 * struct bpmu_uncore - uncore of a part
 * @global_ctrl: MSR that starts and stops all counters, or 0
 * @global_start: value of the global control register while counters count
 * @cbo_config: MSR with the number of slices of the last level cache: in bits 3:0 on a client
 *	(CBOs), in bits 5:0 on a server (CHAs); or 0
 * @slices: &enum bpmu_slices: meaning of the number in @cbo_config
 * @ubox: device that identifies the package of a PCI bus; NULL if the part has no PCI devices
 *	with counters, or if systems with it have one package
 * @discovery: what the part's discovery tables may list, or NULL if it has no such tables
 * @boxes: boxes of the part's units, ended by a row with unit 0
 */
struct bpmu_uncore {
	u32 global_ctrl;
	u64 global_start;
	u32 cbo_config;
	u8 slices;
	const struct bpmu_ubox *ubox;
	const struct bpmu_discovery *discovery;
	const struct bpmu_box *boxes;
};

/**
 * enum bpmu_data_source - how precise records say where a load found its data
 * @BPMU_DATA_SOURCE_UNKNOWN: not known
 * @BPMU_DATA_SOURCE_SKL: as the performance cores of clients from Skylake on
 * @BPMU_DATA_SOURCE_SKX: as those of servers, which may have persistent memory
 * @BPMU_DATA_SOURCE_GRT: as Gracemont
 * @BPMU_DATA_SOURCE_CMT: as Crestmont and Skymont
 * @BPMU_DATA_SOURCE_LNC: as Lion Cove
 * @BPMU_DATA_SOURCE_SNB: as Sandy Bridge and Ivy Bridge, whose records of other events than the
 *	load latency and precise stores lack the address of the data
 * @BPMU_DATA_SOURCE_HSW: as Haswell and Broadwell
 * @BPMU_DATA_SOURCE_NHM: as Nehalem and Westmere, whose records tell of the load latency only, and
 *	neither of TLBs nor of locks
 */
enum bpmu_data_source {
	BPMU_DATA_SOURCE_UNKNOWN,
	BPMU_DATA_SOURCE_SKL,
	BPMU_DATA_SOURCE_SKX,
	BPMU_DATA_SOURCE_GRT,
	BPMU_DATA_SOURCE_CMT,
	BPMU_DATA_SOURCE_LNC,
	BPMU_DATA_SOURCE_SNB,
	BPMU_DATA_SOURCE_HSW,
	BPMU_DATA_SOURCE_NHM
};

/**
 * enum bpmu_extra_id - extra registers: MSRs of a logical CPU that say more exactly what some
 *	events count
 * @BPMU_EXTRA_OFFCORE_0: off-core request and response types, MSR_OFFCORE_RSP_0, 0x1A6
 * @BPMU_EXTRA_OFFCORE_1: off-core request and response types, MSR_OFFCORE_RSP_1, 0x1A7
 * @BPMU_EXTRA_FRONTEND: front-end event before an instruction, MSR_PEBS_FRONTEND, 0x3F7
 * @BPMU_EXTRA_OMR_0: off-module requests and responses, MSR_OMR_0, 0x3E0; a part has the four
 *	OMR registers or the two MSR_OFFCORE_RSP, not both
 * @BPMU_EXTRA_OMR_1: MSR_OMR_1, 0x3E1
 * @BPMU_EXTRA_OMR_2: MSR_OMR_2, 0x3E2
 * @BPMU_EXTRA_OMR_3: MSR_OMR_3, 0x3E3
 * @BPMU_EXTRA_LATENCY: threshold of the load latency, MSR_PEBS_LD_LAT_THRESHOLD, 0x3F6: only loads
 *	that take more core cycles are counted
 * @BPMU_EXTRAS: number of extra registers
 */
enum bpmu_extra_id {
	BPMU_EXTRA_OFFCORE_0,
	BPMU_EXTRA_OFFCORE_1,
	BPMU_EXTRA_FRONTEND,
	BPMU_EXTRA_OMR_0,
	BPMU_EXTRA_OMR_1,
	BPMU_EXTRA_OMR_2,
	BPMU_EXTRA_OMR_3,
	BPMU_EXTRA_LATENCY,
	BPMU_EXTRAS
};

/**
 * struct bpmu_extra - an event with an extra register
 * @id: &enum bpmu_extra_id
 * @counters: set of general-purpose counters that can count the event
 * @code: event code and unit mask; 0 ends a list
 * @legal: bits of the extra register that user space may set
 */
struct bpmu_extra {
	u8 id;
	u16 counters;
	u16 code;
	u64 legal;
};

/**
 * struct bpmu_event - one row of a part's events
 * @name: the vendor's name
 * @desc: one sentence that says what the event counts, or NULL
 * @select: event code, unit mask and the filters that belong to the event
 * @counters: set of counters that can count the event with hyper-threading on
 * @counters_noht: set of counters that can count the event with hyper-threading off
 * @errata: comma separated erratum names, or NULL
 * @unit: &enum bpmu_unit; for an uncore event @counters and @counters_noht are counters of its box
 * @extra: value of the event's extra register, or of the filter of its box; or 0
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
 * struct bpmu_mchbar - location of the counters of a client's memory controllers
 * @hosts: PCI identifiers of the host bridges with the address of MCHBAR, ended by 0
 * @base: offset in MCHBAR to which &bpmu_free.mchbar is relative
 * @step: distance from the first controller's registers to the second's; 0 if one register
 *	counts for all controllers
 * @box: offset in MCHBAR of the registers of the first controller's PMU box, BPMU_UNIT_IMC;
 *	0 if the part has none
 */
struct bpmu_mchbar {
	const u16 *hosts;
	u16 base;
	u32 step;
	u16 box;
};

/*
 * Reasons, for &bpmu_part.no_energy and &bpmu_part.no_uncore, why barepmu does not read the energy
 * registers or uncore counters of several parts. Source: the parts that Linux supports in
 * arch/x86/events/rapl.c, events/intel/uncore.c, uncore_discovery.h, and events/amd/uncore.c.
 */
#define BPMU_BEFORE_RAPL	"Intel's energy registers begin with Sandy Bridge"
#define BPMU_BEFORE_ZEN		"AMD's energy registers begin with Zen"
#define BPMU_NOT_DOCUMENTED	"not documented"
#define BPMU_EX_BOXES		"its boxes B, C, M, R, S, U and W are not programmed"
#define BPMU_NOT_PROGRAMMED	"has one that barepmu does not program"
/*
 * Reason why the uncore of a part with discovery tables is not counted; @MSR: number, as text, of
 * the register with the table's address
 */
#define BPMU_AT_MSR(MSR)	"a discovery table announces it, whose address is in MSR " MSR \
				" and which barepmu does not read"

/**
 * struct bpmu_part - descriptor of a part
 * @name: short name, as on the command line: "ivb"
 * @title: full name: "Intel Ivy Bridge"
 * @pfm: libpfm4's name of the part's PMU, to look up events that the part's table lacks
 * @ids: models, ended by a row with vendor 0
 * @msrs: register addresses
 * @legal: bits of an event select that user space may set
 * @extras: events with an extra register, or NULL
 * @merged: code of the event that can occur more often in a cycle than one counter can add (AMD's
 *	large increment events, which need two merged counters), or 0
 * @merged_name: name of the event of @merged, NULL if @merged is 0
 * @gp_counters: number of general-purpose counters; this number and the next three are used only if
 *	CPUID does not enumerate the counters
 * @gp_width: width of the general-purpose counters in bits
 * @fixed_counters: number of fixed counters
 * @fixed_width: width of the fixed counters in bits
 * @cpuid_leaf: CPUID leaf that enumerates the four numbers above, or 0
 * @issue_width: number of pipeline slots per cycle
 * @threads: maximum number of hardware threads of a core
 * @metrics: number of 8-bit fields of PERF_METRICS, 0 without that register
 * @prefetch: bits of MSR 0x1A4 that switch the core's prefetchers off, or 0
 * @quirks: set of &enum bpmu_quirk
 * @data_source: &enum bpmu_data_source
 * @lbr: number of last branch records at the addresses of bpmu_lbr_msrs(), 0 if the part has none;
 *	CPUID tells the number of architectural records
 * @free: set of &enum bpmu_free_id that a board with this part can have
 * @mchbar: locations of the counters of a client's memory controllers, by kind of host bridge,
 *	ended by an entry without hosts; NULL if @free has none of these counters
 * @uncore: uncore of the part, or NULL
 * @no_energy: why no energy register of the part is read; NULL if @free has energy registers
 * @no_uncore: why no unit of the part's uncore is counted or, if @uncore has some units, which ones
 *	are not counted; NULL if @uncore or @mchbar has all units
 * @loaded: events of vendor files, which replace the part's own: only in a copy of a descriptor
 *	that the tool made, NULL in the descriptors of this folder
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
	const char *merged_name;
	u8 gp_counters;
	u8 gp_width;
	u8 fixed_counters;
	u8 fixed_width;
	u32 cpuid_leaf;
	u8 issue_width;
	u8 threads;
	u8 metrics;
	u8 prefetch;
	u16 quirks;
	u8 data_source;
	u8 lbr;
	u64 free;
	const struct bpmu_mchbar *mchbar;
	const struct bpmu_uncore *uncore;
	const char *no_energy;
	const char *no_uncore;
	const struct bpmu_events_loaded *loaded;
};

/**
 * enum bpmu_lbr_format - format of last branch records (LBR): which registers of a record hold what
 * @BPMU_LBR_NONE: there are no records
 * @BPMU_LBR_FLAGS: upper bits of the branch's address tell whether the branch was mispredicted;
 *	this value and the next four are values of IA32_PERF_CAPABILITIES
 * @BPMU_LBR_TX_FLAGS: these bits also tell whether the branch was in a transaction
 * @BPMU_LBR_INFO: a third register tells both, and the cycles since the branch before
 * @BPMU_LBR_TIME: upper bits of the branch's address tell whether the branch was mispredicted,
 *	upper bits of the target's address tell the cycles since the branch before
 * @BPMU_LBR_INFO_NO_TX: as BPMU_LBR_INFO, without transactions
 * @BPMU_LBR_ARCH: architectural records
 */
enum bpmu_lbr_format {
	BPMU_LBR_NONE,
	BPMU_LBR_FLAGS = 3,
	BPMU_LBR_TX_FLAGS = 4,
	BPMU_LBR_INFO = 5,
	BPMU_LBR_TIME = 6,
	BPMU_LBR_INFO_NO_TX = 7,
	BPMU_LBR_ARCH = 64
};

/**
 * struct bpmu_lbr - last branch records (LBR) of a core type
 * @format: &enum bpmu_lbr_format
 * @depth: number of records, at most BPMU_MAX_BRANCHES; 0 if there are none that can be read
 * @predictions: nonzero if records tell whether a branch was mispredicted
 * @calls: nonzero if the records can be a call stack
 */
struct bpmu_lbr {
	u8 format;
	u8 depth;
	u8 predictions;
	u8 calls;
};

/**
 * struct bpmu_pmu - the PMU as enumerated on this machine
 * @part: descriptor of the part
 * @version: architectural performance monitoring version, 0 if CPUID reports none
 * @gp_counters: general-purpose counters per logical CPU
 * @gp_width: width of the general-purpose counters in bits
 * @fixed_counters: fixed counters per logical CPU
 * @fixed_width: width of the fixed counters in bits
 * @metrics: number of fields of PERF_METRICS, 0 without that register
 * @global: nonzero if a global control register starts and stops all counters at once
 * @nr: number of boxes of each unit, in the package that has most of them; 1 for an L3 or a data
 *	fabric; 0 for a unit without counters, [BPMU_UNITS]
 * @counters: number of counters of each box, [BPMU_UNITS]
 * @absent: architectural events that CPUID reports as absent, one bit for each number that
 *	bpmu_arch_event() returns
 * @tjmax: TjMax, the temperature at which the CPU throttles, in degrees C; 0 if not known
 * @free: set of the free-running registers that this machine has, by &enum bpmu_free_id
 * @units: contents of MSR_RAPL_POWER_UNIT, or on AMD of MSRC001_0299, which hold the units of
 *	energy; 0 if the CPU has neither register
 * @pebs_format: 1 more than the format of the CPU's PEBS records, BPMU_PEBS_ARCHITECTURAL with
 *	architectural PEBS; 0 without PEBS
 * @pebs: set of counters with precise records that can be read: of architectural PEBS, or, if
 *	@pebs_format is another one, of PEBS through the debug store (DS)
 * @pebs_values: precise records can have the values of the counters that bpmu_pmu_held() returns
 * @pebs_retire: precise records in a debug store have the retire latency
 * @pebs_metrics: precise records can have the slots and PERF_METRICS, too
 * @lbr: branch records
 * @ibs: what AMD's instruction-based sampling (IBS) can do, BPMU_IBS_* bits of ibs.h; 0 if it
 *	cannot sample ops; without %BPMU_IBS_FETCHES if it cannot sample fetches
 * @ibs_1197: from bpmu_ibs_has_1197()
 * @ibs_1293: from bpmu_ibs_has_1293()
 * @legal: legal bits of a core's event select: the part's legal bits, without UMASK2 and EQ if
 *	CPUID does not report these fields
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
	u8 nr[BPMU_UNITS];
	u8 counters[BPMU_UNITS];
	u8 absent;
	u8 tjmax;
	u64 free;
	u64 units;
	u8 pebs_format;
	u64 pebs;
	u8 pebs_values;
	u8 pebs_metrics;
	u8 pebs_retire;
	struct bpmu_lbr lbr;
	u32 ibs;
	u8 ibs_1197;
	u8 ibs_1293;
	u64 legal;
};

/**
 * struct bpmu_place - location of an uncore counter: box, instance and index
 * @box: descriptor of the counter's box
 * @instance: index of the instance; the first one if several count together
 * @index: index of the counter in the box
 * @step: distance between the registers of two instances; not used if the box has
 * &bpmu_box.offsets
 * @units: number of instances, from @instance on, whose counters are added up
 */
struct bpmu_place {
	const struct bpmu_box *box;
	u32 instance;
	u32 index;
	u32 step;
	u32 units;
};

/**
 * bpmu_place_offset() - distance of a PMU box instance's registers from the first instance's
 * @place: location of a counter of the box
 * @instance: index of the instance
 *
 * Context: any; the sampling path.
 * Return: the distance, modulo 2^32 if it is negative.
 */
static inline u32 bpmu_place_offset(const struct bpmu_place *place, u32 instance)
{
	return place->box->offsets ? (u32)place->box->offsets[instance] :
				     instance * place->step;
}

const struct bpmu_part *bpmu_part_at(unsigned int i);
const struct bpmu_part *bpmu_part_find(const struct bpmu_cpu_id *cpu);
const struct bpmu_part *bpmu_part_by_name(const char *name);
int bpmu_arch_event(u64 select);
const char *bpmu_arch_event_name(unsigned int number);
void bpmu_pmu_init(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		   const struct bpmu_cpuid *cpuid, u8 core);
void bpmu_pmu_bitmaps(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid);
void bpmu_pmu_selects(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid);
void bpmu_pmu_pebs_format(struct bpmu_pmu *pmu, int has_pebs, int broken, u64 capabilities);
int bpmu_pmu_pebs_broken(unsigned int model, unsigned int stepping, u32 microcode);
u64 bpmu_pmu_pebs_counters(const struct bpmu_pmu *pmu, u64 select);
int bpmu_pmu_pebs_names(const struct bpmu_pmu *pmu);
u64 bpmu_pmu_held(const struct bpmu_pmu *pmu);
u32 bpmu_pmu_record_bytes(const struct bpmu_pmu *pmu);
int bpmu_pmu_has_store(const struct bpmu_pmu *pmu);
int bpmu_pmu_has_groups(const struct bpmu_pmu *pmu);
int bpmu_pmu_retires(const struct bpmu_pmu *pmu, u64 counters);
void bpmu_pmu_pebs(struct bpmu_pmu *pmu, const struct bpmu_cpuid *cpuid,
		   const struct bpmu_cpuid *groups);
u32 bpmu_pmu_config_msr(u32 counter);
int bpmu_pmu_usable(const struct bpmu_pmu *pmu, int extended);
u32 bpmu_pmu_select_msr(const struct bpmu_part *part, u32 counter);
u32 bpmu_pmu_counter_msr(const struct bpmu_part *part, u32 counter, int full);
u64 bpmu_pmu_counters(const struct bpmu_pmu *pmu);
int bpmu_bank_of(u32 counter);
u8 bpmu_pmu_width(const struct bpmu_pmu *pmu, u32 counter);
u64 bpmu_pmu_guard_ns(const struct bpmu_pmu *pmu, u32 tsc_khz);
unsigned int bpmu_l3_shift(const struct bpmu_cpu_id *cpu, u32 eax);
unsigned int bpmu_df_shift(u32 size, u32 nodes);
unsigned int bpmu_umcs(const struct bpmu_cpuid *cpuid, u8 *counters);
int bpmu_ubox_package(u32 node, u32 map);
u64 bpmu_controller_address(u32 base, u32 controller);
u64 bpmu_channel_address(const struct bpmu_channels *channels, u32 base, u32 controller,
			 u32 channel);
int bpmu_discovery_head(const u64 *words, struct bpmu_discovery_table *table);
int bpmu_discovery_unit(const u64 *words, struct bpmu_discovery_unit *unit);
u32 bpmu_discovery_config(u64 address);
u32 bpmu_discovery_device(u64 address);
const char *bpmu_discovery_wrong(const struct bpmu_discovery *discovery,
				 const struct bpmu_box *box,
				 const struct bpmu_discovery_unit *unit);
struct bpmu_box bpmu_discovery_box(const struct bpmu_box *box,
				   const struct bpmu_discovery_unit *unit);
int bpmu_place_fixed(const struct bpmu_place *place);
u32 bpmu_place_select(const struct bpmu_place *place);
u64 bpmu_place_enable(const struct bpmu_place *place);
u32 bpmu_place_counter(const struct bpmu_place *place);
u32 bpmu_place_ctl(const struct bpmu_place *place);
u32 bpmu_place_filter(const struct bpmu_place *place);
u32 bpmu_place_filter_high(const struct bpmu_place *place);
const struct bpmu_box *bpmu_uncore_box(const struct bpmu_part *part, u8 unit);
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
int bpmu_extra_is_shared(const struct bpmu_part *part, unsigned int id);
u64 bpmu_extra_twin(const struct bpmu_part *part, u64 select);
u32 bpmu_extra_msr(u8 id);
const char *bpmu_extra_name(u8 id);
u64 bpmu_filter_used(const struct bpmu_box *box, u64 select);
u64 bpmu_select_illegal(const struct bpmu_pmu *pmu, u32 counter, u64 select);
const char *bpmu_select_bit_name(const struct bpmu_part *part, unsigned int bit);
u64 bpmu_fixed_ctrl(u32 counter, u64 select);

#endif /* BPMU_ARCH_H */
