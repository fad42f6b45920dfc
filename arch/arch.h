/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a CPU manual knows: the types of the tables in this folder.
 *
 * Everything here is constant data or arithmetic on it. It is compiled twice,
 * into the module and into the tool, and includes nothing of either.
 *
 * A counter is named by its number: general counter i is i, fixed counter n is
 * BPMU_FIXED_BASE + n, as in IA32_PERF_GLOBAL_CTRL (SDM Vol. 3, 19.2.2). A set
 * of counters is a u64 with these bits.
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
 * struct bpmu_cpu_id - one row of a part's list of models
 * @vendor: &enum bpmu_vendor, 0 ends a list
 * @family: CPUID display family
 * @model: CPUID display model
 */
struct bpmu_cpu_id {
	u8 vendor;
	u8 family;
	u8 model;
};

/**
 * struct bpmu_msrs - addresses of a part's counter registers, 0 if it has none
 * @select: event select of general counter 0, the others follow
 * @counter: general counter 0, the others follow
 * @counter_full: the same counters, where all their bits can be written;
 *	equal to @counter where that one takes all bits
 * @fixed: fixed counter 0, the others follow
 * @fixed_ctrl: control of the fixed counters, four bits each
 * @global_ctrl: one enable bit per counter
 * @global_status: one overflow bit per counter
 * @global_ovf: write 1 to clear an overflow bit
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
};

/**
 * struct bpmu_event - one row of a part's events
 * @name: the vendor's name
 * @desc: what it counts, one sentence in our words, or NULL
 * @select: event, umask and the filters that belong to the event
 * @counters: counters that can hold it with hyper-threading on
 * @counters_noht: counters that can hold it with hyper-threading off
 * @errata: comma separated erratum names, or NULL
 */
struct bpmu_event {
	const char *name;
	const char *desc;
	u64 select;
	u64 counters;
	u64 counters_noht;
	const char *errata;
};

/**
 * struct bpmu_part - one part, or a family of like parts
 * @name: short name, as on the command line: "ivb"
 * @title: for people: "Intel Ivy Bridge"
 * @pfm: libpfm4's name of its PMU, for names that @events lacks
 * @ids: models, ended by a row with vendor 0
 * @msrs: register addresses
 * @legal: bits of a select value that user space may set
 * @gp_counters: general counters if CPUID does not tell
 * @gp_width: their width in bits if CPUID does not tell
 * @fixed_counters: fixed counters if CPUID does not tell
 * @fixed_width: their width in bits if CPUID does not tell
 * @cpuid_leaf: CPUID leaf that tells the four numbers above, or 0
 * @issue_width: slots per cycle
 * @threads: hardware threads of a core at most
 */
struct bpmu_part {
	const char *name;
	const char *title;
	const char *pfm;
	const struct bpmu_cpu_id *ids;
	struct bpmu_msrs msrs;
	u64 legal;
	u8 gp_counters;
	u8 gp_width;
	u8 fixed_counters;
	u8 fixed_width;
	u8 cpuid_leaf;
	u8 issue_width;
	u8 threads;
};

/**
 * struct bpmu_pmu - a part as found on this machine
 * @part: its descriptor
 * @version: architectural version, 0 if the part has none
 * @gp_counters: general counters per logical CPU
 * @gp_width: their width in bits
 * @fixed_counters: fixed counters per logical CPU
 * @fixed_width: their width in bits
 */
struct bpmu_pmu {
	const struct bpmu_part *part;
	u8 version;
	u8 gp_counters;
	u8 gp_width;
	u8 fixed_counters;
	u8 fixed_width;
};

const struct bpmu_part *bpmu_part_at(unsigned int i);
const struct bpmu_part *bpmu_part_find(u8 vendor, u8 family, u8 model);
const struct bpmu_part *bpmu_part_by_name(const char *name);
void bpmu_pmu_init(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		   u32 eax, u32 edx);
u64 bpmu_pmu_counters(const struct bpmu_pmu *pmu);
u8 bpmu_pmu_width(const struct bpmu_pmu *pmu, u32 counter);

u64 bpmu_select_illegal(const struct bpmu_part *part, u32 counter, u64 select);
const char *bpmu_select_bit_name(unsigned int bit);
u64 bpmu_fixed_ctrl(u32 counter, u64 select);

#endif /* BPMU_ARCH_H */
