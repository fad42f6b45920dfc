// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"

#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include <asm/cpu.h>
#include <asm/cpufeature.h>
#include <asm/mpspec.h>
#include <asm/nmi.h>
#include <asm/processor.h>
#include <asm/tsc.h>

#include "compat.h"
#include "cpu_run.h"
#include "device.h"
#include "discovery.h"
#include "free.h"
#include "ibs.h"
#include "intel.h"
#include "lbr.h"
#include "memory_counters.h"

/*
 * Maximum number of core types of a machine: Arrow Lake H has performance, efficient and low-power
 * cores
 */
#define MACHINE_CORE_TYPES 3

/*
 * The PMUs (counters of a CPU) that the machine has, one for each core type found so far,
 * [nr_pmus]. PMUs are added with the CPU hotplug lock held. A PMU does not change after
 * bpmu_pmu_of() has returned it for any CPU.
 */
static struct bpmu_pmu pmus[MACHINE_CORE_TYPES];
static unsigned int nr_pmus;
static DEFINE_PER_CPU(const struct bpmu_pmu *, pmu_of);
/* Number of general counters that bpmu_pmu_reserve() has reserved, for bpmu_pmu_release() */
static unsigned int nr_reserved;
/*
 * True if a write to a general counter sets all bits of the counter; false if a write has 32 bits,
 * which the counter sign-extends
 */
static bool full_width;

/*
 * CPUs whose APIC IDs are equal after a right shift by l3_shift bits share a last level cache that
 * has counters (L3, or L2 on some AMD models).
 */
static unsigned int l3_shift;
/*
 * CPUs whose APIC IDs are equal after a right shift by df_shift bits share a data fabric or
 * northbridge.
 */
static unsigned int df_shift;

static u8 boot_vendor(void)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		return BPMU_VENDOR_INTEL;
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		return BPMU_VENDOR_AMD;
	default:
		return 0;
	}
}

/*
 * Returns the identification of the CPU that runs this. On hybrid models CPUID.1AH tells the core
 * type and the native model number.
 */
static struct bpmu_cpu_id this_cpu_id(void)
{
	struct bpmu_cpu_id id = {
		.vendor = boot_vendor(),
		.family = boot_cpu_data.x86,
		.model = boot_cpu_data.x86_model,
	};
	u32 eax;

	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU) ||
	    boot_cpu_data.cpuid_level < BPMU_CPUID_HYBRID)
		return id;
	eax = cpuid_eax(BPMU_CPUID_HYBRID);
	id.core = eax >> 24;
	id.native = eax;
	return id;
}

static bool has_leaf(const struct bpmu_part *part)
{
	u32 most = part->cpuid_leaf & BIT(31) ?
		   boot_cpu_data.extended_cpuid_level :
		   boot_cpu_data.cpuid_level;

	return part->cpuid_leaf && most >= part->cpuid_leaf;
}

/*
 * Returns the number of metrics in PERF_METRICS, or 0 if the core lacks that register. Performance
 * cores of hybrid models have the register, although IA32_PERF_CAPABILITIES does not report it.
 */
static u8 nr_metrics(const struct bpmu_pmu *pmu, u64 capabilities, u8 core)
{
	if (pmu->fixed_counters <= BPMU_FIXED_SLOTS - BPMU_FIXED_BASE)
		return 0;
	if (!(capabilities & BPMU_PERF_CAP_METRICS) &&
	    core != BPMU_CORE_PERFORMANCE)
		return 0;
	return pmu->metrics;
}

/*
 * Returns how many boxes of an uncore unit the package has, at most @expected. These are the boxes
 * before the first one whose register faults. The register that is read is the control of each box.
 * If a package has only one box of the unit, the first event select is read instead, because such a
 * box may lack a control.
 */
static u8 count_answering(const struct bpmu_box *box, u32 expected)
{
	struct bpmu_place at = { .box = box, .step = box->step };
	bool single = bpmu_unit_facts[box->unit].most == 1;
	u32 nr = min_t(u32, box->nr, expected);
	u64 value;

	for (; at.instance < nr; at.instance++) {
		if (!rdmsrq_safe(single ? bpmu_place_select(&at) : bpmu_place_ctl(&at), &value))
			continue;
		if (single)
			pr_info("the %s does not answer: it is ignored\n", box->title);
		else
			pr_info("%s %u of %u does not answer: only the ones before it are used\n",
				box->title, at.instance, nr);
		break;
	}
	return at.instance;
}

static u8 count_cbos(const struct bpmu_uncore *uncore)
{
	u64 config = 0;

	if (!uncore->cbo_config)
		return 0;
	rdmsrq_safe(uncore->cbo_config, &config);
	return bpmu_uncore_cbos(uncore, config, bpmu_cores_per_package());
}

/*
 * Returns how many CHAs or CBos a package has. No register tells the number of CBos: as Linux does,
 * the module expects one CBo per core.
 */
static u8 count_chas(const struct bpmu_uncore *uncore, const struct bpmu_box *cha)
{
	u64 config = 0;

	if (uncore->discovery)
		return count_answering(cha, cha->nr);
	if (!uncore->cbo_config)
		return count_answering(cha, bpmu_cores_per_package());
	rdmsrq_safe(uncore->cbo_config, &config);
	if (!BPMU_CHA_NUMBER(config))
		pr_info("MSR %#x does not report the number of %ss: all are ignored\n",
			uncore->cbo_config, cha->title);
	return count_answering(cha, BPMU_CHA_NUMBER(config));
}

static u32 cpuid_cache_eax(u32 cache)
{
	u32 eax, ebx, ecx, edx;

	cpuid_count(BPMU_CPUID_AMD_CACHES, cache, &eax, &ebx, &ecx, &edx);
	return eax;
}

/*
 * Returns true if the last level cache has counters, according to CPUID; @cache is
 * BPMU_CPUID_AMD_L3 or BPMU_CPUID_AMD_L2. CPUID does not tell how many counters: the CPU model
 * does, as in Linux' driver amd_uncore.
 */
static bool probe_cache(u32 cache)
{
	const struct bpmu_cpu_id id = this_cpu_id();

	if (!boot_cpu_has(X86_FEATURE_PERFCTR_LLC) ||
	    !boot_cpu_has(X86_FEATURE_TOPOEXT) ||
	    boot_cpu_data.extended_cpuid_level < BPMU_CPUID_AMD_CACHES ||
	    !BPMU_CACHE_TYPE(cpuid_cache_eax(cache)))
		return false;
	l3_shift = bpmu_l3_shift(&id, cpuid_cache_eax(cache));
	return true;
}

/* Returns true if the data fabric or northbridge has counters; one bit of CPUID stands for both. */
static bool probe_df(void)
{
	if (!boot_cpu_has(X86_FEATURE_PERFCTR_NB) ||
	    !boot_cpu_has(X86_FEATURE_TOPOEXT) ||
	    boot_cpu_data.extended_cpuid_level < BPMU_CPUID_AMD_NODES)
		return false;
	df_shift = bpmu_df_shift(cpuid_ecx(BPMU_CPUID_AMD_SIZE),
				 cpuid_ecx(BPMU_CPUID_AMD_NODES));
	return true;
}

/*
 * Returns how many boxes of an uncore unit each package has; for AMD's units, how many each core
 * complex or node has.
 */
static u8 count_boxes(const struct bpmu_pmu *pmu, const struct bpmu_box *box)
{
	switch (box->unit) {
	case BPMU_UNIT_L3:
		return probe_cache(BPMU_CPUID_AMD_L3);
	case BPMU_UNIT_L2:
		return probe_cache(BPMU_CPUID_AMD_L2);
	case BPMU_UNIT_DF:
	case BPMU_UNIT_NB:
		return probe_df();
	case BPMU_UNIT_UMC:
		return pmu->nr[BPMU_UNIT_UMC];
	case BPMU_UNIT_CBO:
		return count_cbos(pmu->part->uncore);
	case BPMU_UNIT_CHA:
		return count_chas(pmu->part->uncore, box);
	default:
		break;
	}
	if (bpmu_devices_manage(box->unit))
		return bpmu_devices_most(box->unit);
	return box->base ? count_answering(box, box->nr) : box->nr;
}

/*
 * Returns the set of free-running registers (bits BPMU_FREE()) that this CPU lacks according to
 * CPUID.
 */
static u64 absent_free(void)
{
	u64 set = 0;

	if (!boot_cpu_has(X86_FEATURE_APERFMPERF))
		set |= BPMU_FREE(APERF) | BPMU_FREE(MPERF);
	if (!boot_cpu_has(X86_FEATURE_IRPERF))
		set |= BPMU_FREE(IRPERF);
	if (!boot_cpu_has(X86_FEATURE_DTHERM))
		set |= BPMU_FREE(CORE_MARGIN);
	if (!boot_cpu_has(X86_FEATURE_PTS))
		set |= BPMU_FREE(PACKAGE_MARGIN);
	if (boot_cpu_data.extended_cpuid_level < BPMU_CPUID_AMD_POWER ||
	    !(cpuid_edx(BPMU_CPUID_AMD_POWER) & BPMU_CPUID_AMD_RAPL))
		set |= BPMU_FREE(CORE_ENERGY) | BPMU_FREE(AMD_PKG);
	return set;
}

static bool can_read_free(const struct bpmu_free *reg, u64 *raw)
{
	return reg->mchbar ? bpmu_memory_found() : !rdmsrq_safe(reg->msr, raw);
}

/*
 * Returns the set of free-running registers (bits BPMU_FREE()) that this CPU can read. A register
 * with &bpmu_free.nonzero that reads 0 does not exist on this board.
 */
static u64 probe_free(const struct bpmu_part *part)
{
	u64 set = part->free & ~absent_free();
	u32 id;

	for (id = 0; id < BPMU_FREE_NR; id++) {
		const struct bpmu_free *reg = bpmu_free_at(BPMU_COUNTER_FREE + id);
		u64 raw = 0;

		if (!(set & BIT_ULL(id)))
			continue;
		if (!can_read_free(reg, &raw) ||
		    (reg->nonzero && !bpmu_free_value(reg, raw)))
			set &= ~BIT_ULL(id);
	}
	return set;
}

/*
 * Returns the value of the MSR that defines the unit of energy counts; 0 if the CPU model has none.
 */
static u64 probe_units(const struct bpmu_part *part)
{
	u64 units = 0;

	if (part->free & BPMU_FREE(AMD_PKG))
		rdmsrq_safe(BPMU_MSR_AMD_UNITS, &units);
	else if (part->free & BPMU_FREE(PKG))
		rdmsrq_safe(BPMU_MSR_UNITS, &units);
	return units;
}

/*
 * Returns TjMax in degrees C, the temperature from which the sensors' values are subtracted; 0 if
 * it is unknown.
 */
static u32 probe_tjmax(const struct bpmu_part *part)
{
	u64 raw = 0;

	if (part->free & BPMU_FREE(CORE_MARGIN))
		rdmsrq_safe(BPMU_MSR_TJMAX, &raw);
	return BPMU_TJMAX(raw);
}

/*
 * Sets @regs to subleaf @subleaf of CPUID leaf BPMU_CPUID_PERFMON_EXT. Sets @regs to zeros if this
 * CPU has no such leaf, or if EAX of subleaf 0 lacks a bit of @needed.
 */
static void read_perfmon(u32 subleaf, u32 needed, struct bpmu_cpuid *regs)
{
	*regs = (struct bpmu_cpuid){ };
	if (boot_cpu_data.cpuid_level >= BPMU_CPUID_PERFMON_EXT &&
	    (cpuid_eax(BPMU_CPUID_PERFMON_EXT) & needed) == needed)
		cpuid_count(BPMU_CPUID_PERFMON_EXT, subleaf, &regs->eax, &regs->ebx, &regs->ecx,
			    &regs->edx);
}

/*
 * Sets @regs to the CPUID leaf that describes architectural branch records (LBR); to zeros if CPUID
 * has no such leaf.
 */
static void read_lbr(struct bpmu_cpuid *regs)
{
	*regs = (struct bpmu_cpuid){ };
	if (boot_cpu_data.cpuid_level >= BPMU_CPUID_LBR &&
	    cpuid_edx(BPMU_CPUID_FEATURES) & BPMU_CPUID_HAS_LBR)
		cpuid_count(BPMU_CPUID_LBR, 0, &regs->eax, &regs->ebx, &regs->ecx, &regs->edx);
}

static bool can_read(u32 first, u32 last)
{
	u64 value;
	u32 msr;

	for (msr = first; msr <= last; msr++)
		if (rdmsrq_safe(msr, &value))
			return false;
	return true;
}

/*
 * Returns what IBS of AMD's parts can do; 0 if ops cannot be sampled, or the part has no IBS, or a
 * register of a sampled op cannot be read, as under a hypervisor that shows IBS in CPUID alone.
 * What it shows of fetches is left out if their registers cannot be read.
 */
static u32 probe_ibs(void)
{
	u32 caps;

	if (!boot_cpu_has(X86_FEATURE_IBS) || boot_cpu_data.extended_cpuid_level < BPMU_CPUID_IBS ||
	    !can_read(BPMU_MSR_IBS_OP_CTL, BPMU_MSR_IBS_DC_LINEAR))
		return 0;
	caps = bpmu_ibs_usable(boot_cpu_data.x86, cpuid_eax(BPMU_CPUID_IBS));
	if (caps & BPMU_IBS_FETCHES && !can_read(BPMU_MSR_IBS_FETCH_CTL, BPMU_MSR_IBS_FETCH_LINEAR))
		caps &= ~BPMU_IBS_FETCHES;
	if (caps & BPMU_IBS_FETCH_EXT && !can_read(BPMU_MSR_IBS_FETCH_EXT, BPMU_MSR_IBS_FETCH_EXT))
		caps &= ~BPMU_IBS_FETCH_EXT;
	if (caps & BPMU_IBS_CTL2 && !can_read(BPMU_MSR_IBS_OP_CTL2, BPMU_MSR_IBS_FETCH_CTL2))
		caps &= ~BPMU_IBS_CTL2;
	return caps;
}

static void probe_pmu(struct bpmu_pmu *pmu, const struct bpmu_part *part,
		      u8 core)
{
	const struct bpmu_box *box;
	struct bpmu_cpuid regs = { };
	struct bpmu_cpuid groups;
	u64 cap = 0;

	if (has_leaf(part))
		cpuid(part->cpuid_leaf, &regs.eax, &regs.ebx, &regs.ecx,
		      &regs.edx);
	bpmu_pmu_init(pmu, part, &regs, core);
	read_perfmon(1, BPMU_PERFMON_BITMAPS, &regs);
	bpmu_pmu_bitmaps(pmu, &regs);
	pmu->gp_counters = min_t(u8, pmu->gp_counters, BPMU_MAX_GP);
	pmu->fixed_counters = min_t(u8, pmu->fixed_counters, BPMU_MAX_FIXED);
	read_perfmon(0, 0, &regs);
	bpmu_pmu_selects(pmu, &regs);
	read_perfmon(BPMU_PERFMON_PEBS_LEAF, BPMU_PERFMON_PEBS, &regs);
	read_perfmon(BPMU_PERFMON_PEBS_GROUPS_LEAF, BPMU_PERFMON_PEBS, &groups);
	bpmu_pmu_pebs(pmu, &regs, &groups);
	pmu->free = probe_free(part);
	pmu->units = probe_units(part);
	pmu->tjmax = probe_tjmax(part);
	for (box = part->uncore ? part->uncore->boxes : NULL; box && box->unit; box++)
		pmu->nr[box->unit] = count_boxes(pmu, box);
	if (boot_cpu_has(X86_FEATURE_PDCM))
		rdmsrq_safe(BPMU_MSR_PERF_CAPABILITIES, &cap);
	pmu->metrics = nr_metrics(pmu, cap, core);
	bpmu_pmu_pebs_format(pmu, boot_cpu_has(X86_FEATURE_PEBS),
			     bpmu_pmu_pebs_broken(boot_cpu_data.x86_model,
						  boot_cpu_data.x86_stepping,
						  boot_cpu_data.microcode), cap);
	read_lbr(&regs);
	bpmu_lbr_probe(&pmu->lbr, part, cap, &regs);
	pmu->ibs = probe_ibs();
	pmu->ibs_1197 = bpmu_ibs_has_1197(boot_cpu_data.x86, boot_cpu_data.x86_model);
	pmu->ibs_1293 = bpmu_ibs_has_1293(boot_cpu_data.x86, boot_cpu_data.x86_model);
	full_width = part->msrs.counter_full == part->msrs.counter ||
		     cap & BPMU_PERF_CAP_FULL_WRITE;
}

static const struct bpmu_pmu *known_pmu(const struct bpmu_part *part)
{
	unsigned int i;

	for (i = 0; i < nr_pmus; i++)
		if (pmus[i].part == part)
			return &pmus[i];
	return NULL;
}

/*
 * Probes this CPU, which is the first one of its core type, and adds its PMU. Returns the PMU, or
 * NULL if the module cannot use it; the log then says why.
 */
static const struct bpmu_pmu *add_pmu(const struct bpmu_part *part, u8 core)
{
	struct bpmu_pmu *pmu;

	if (nr_pmus == MACHINE_CORE_TYPES) {
		pr_err("CPU %u: %s: a fourth core type; the module supports three, CPUs of this one cannot be measured\n",
		       smp_processor_id(), part->title);
		return NULL;
	}
	pmu = &pmus[nr_pmus];
	probe_pmu(pmu, part, core);
	if (!bpmu_pmu_usable(pmu, boot_cpu_has(X86_FEATURE_PERFCTR_CORE))) {
		pr_err("%s: no usable counters, CPUID reports version %u with %u general counters; a hypervisor may hide them\n",
		       part->title, pmu->version, pmu->gp_counters);
		return NULL;
	}
	pr_info("%s, %u general counters of %u bits, %u fixed of %u bits\n",
		part->title, pmu->gp_counters, pmu->gp_width,
		pmu->fixed_counters, pmu->fixed_width);
	nr_pmus++;
	return pmu;
}

/**
 * bpmu_pmu_probe_cpu() - probe this CPU: identify its model and the counters that it has
 *
 * A hybrid part's CPU can only be identified while it is online.
 *
 * Context: this CPU, preemption off; module load or its hotplug thread, serialised
 * by the hotplug lock.
 * Return: 0, or -ENODEV if the CPU cannot be measured; one sentence in the log says why.
 */
int bpmu_pmu_probe_cpu(void)
{
	const struct bpmu_cpu_id id = this_cpu_id();
	const struct bpmu_part *part;
	const struct bpmu_pmu *pmu;

	if (this_cpu_read(pmu_of))
		return 0;
	part = bpmu_discovery_part(bpmu_part_find(&id));
	if (!part) {
		pr_err("CPU family %u model %u is not supported\n", id.family,
		       id.model);
		return -ENODEV;
	}
	pmu = known_pmu(part) ?: add_pmu(part, id.core);
	if (!pmu)
		return -ENODEV;
	this_cpu_write(pmu_of, pmu);
	return 0;
}

static int bpmu_probe_this_cpu(void *unused)
{
	return bpmu_pmu_probe_cpu();
}

/**
 * bpmu_pmu_probe_on() - probe another CPU: identify its model and the counters that it has
 * @cpu: number of the CPU, online
 *
 * Needed for isolated CPUs of hybrid models, when a request names them: bpmu_pmu_probe() has set
 * the PMU of all other CPUs.
 *
 * Context: process, with cpus_read_lock() held.
 * Return: 0, or -ENODEV if the CPU cannot be measured; one sentence in the log says why.
 */
int bpmu_pmu_probe_on(unsigned int cpu)
{
	if (per_cpu(pmu_of, cpu))
		return 0;
	return bpmu_cpu_run_on(cpu, bpmu_probe_this_cpu, NULL);
}

/**
 * bpmu_pmu_probe_devices() - probe the machine for counters outside of its CPUs
 *
 * Context: module load, may sleep; before bpmu_pmu_probe().
 */
void bpmu_pmu_probe_devices(void)
{
	const struct bpmu_cpu_id id = {
		.vendor = boot_vendor(),
		.family = boot_cpu_data.x86,
		.model = boot_cpu_data.x86_model,
	};
	const struct bpmu_part *part = bpmu_part_find(&id);

	if (!part)
		return;
	bpmu_devices_find(part);
	bpmu_discovery_find(part);
	bpmu_memory_find(part, bpmu_devices_add_controller);
}

/**
 * bpmu_pmu_probe() - probe all CPUs that are not isolated: identify them and their counters
 *
 * Isolated CPUs are not interrupted here: they are probed when a request names them.
 *
 * Context: module load, may sleep; with cpus_read_lock() held.
 * Return: 0, or -ENODEV if no CPU can be measured; one sentence in the log says why.
 */
int bpmu_pmu_probe(void)
{
	unsigned int cpu;

	if (!tsc_khz) {
		pr_err("the kernel does not know the frequency of the TSC, which is the clock of samples; its log says why\n");
		return -ENODEV;
	}
	for_each_online_cpu(cpu)
		if (!cpu_is_isolated(cpu) && bpmu_pmu_probe_on(cpu) && !nr_pmus)
			return -ENODEV;
	if (!nr_pmus || boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return nr_pmus ? 0 : -ENODEV;
	for_each_online_cpu(cpu)
		if (cpu_is_isolated(cpu))
			per_cpu(pmu_of, cpu) = &pmus[0];
	return 0;
}

/**
 * bpmu_pmu_of() - the PMU that the probe found on a CPU
 * @cpu: any possible CPU
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: the PMU, constant; NULL for a CPU that has not been online since the module was loaded,
 * or that the module cannot measure.
 */
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	return per_cpu(pmu_of, cpu);
}

/**
 * bpmu_probe_full_width() - tell if the probed general counters can be written with all their bits
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: true if a write sets all bits; false if the counters sign-extend 32 written bits.
 */
bool bpmu_probe_full_width(void)
{
	return full_width;
}

/**
 * bpmu_probe_same_l3() - check if two CPUs share an L3 or L2 with counters, by probed APIC IDs
 * @cpu: number of a CPU
 * @other: number of another CPU
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: true if they share such a cache.
 */
bool bpmu_probe_same_l3(unsigned int cpu, unsigned int other)
{
	return cpu_physical_id(cpu) >> l3_shift ==
	       cpu_physical_id(other) >> l3_shift;
}

/**
 * bpmu_probe_same_df() - check if two CPUs share a data fabric or northbridge, by probed APIC IDs
 * @cpu: number of a CPU
 * @other: number of another CPU
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: true if they share a data fabric or northbridge.
 */
bool bpmu_probe_same_df(unsigned int cpu, unsigned int other)
{
	return cpu_physical_id(cpu) >> df_shift ==
	       cpu_physical_id(other) >> df_shift;
}

/**
 * bpmu_probe_umcs_here() - check if this package has as many memory controllers as a probed PMU
 * @pmu: PMU that was found on a CPU, perhaps of another package
 *
 * Controllers without memory are inactive, so the packages of one machine may differ.
 *
 * Context: this CPU, preemption off.
 * Return: true if the package has as many controllers and counters of controllers as @pmu says.
 */
bool bpmu_probe_umcs_here(const struct bpmu_pmu *pmu)
{
	struct bpmu_cpuid regs;
	u8 counters;

	cpuid(BPMU_CPUID_PERFMON_V2, &regs.eax, &regs.ebx, &regs.ecx,
	      &regs.edx);
	return bpmu_umcs(&regs, &counters) == pmu->nr[BPMU_UNIT_UMC] &&
	       counters == pmu->counters[BPMU_UNIT_UMC];
}

/**
 * bpmu_pmu_reservation_works() - check if a reservation of the probed counters keeps perf away
 *
 * From version 6 of architectural performance monitoring on, perf uses MSRs that the kernel's
 * reservation does not manage, so neither perf nor this module can detect the other.
 *
 * Context: any, after bpmu_pmu_probe().
 * Return: true if a reservation fails while perf uses counters, and perf is refused while the
 * reservation lasts.
 */
bool bpmu_pmu_reservation_works(void)
{
	return pmus[0].part->cpuid_leaf != BPMU_CPUID_PERFMON ||
	       pmus[0].version < 6;
}

/*
 * Returns how many general counters can be reserved. These are as many as the core type with most
 * of them has, without the counters that version 6 of architectural performance monitoring added:
 * the kernel's reservation does not know their registers.
 */
static unsigned int max_reservable(void)
{
	unsigned int most = 0;
	unsigned int i;

	for (i = 0; i < nr_pmus; i++)
		most = max_t(unsigned int, most, pmus[i].gp_counters);
	return min_t(unsigned int, most, BPMU_V6_FIRST);
}

static void unreserve(unsigned int selects, unsigned int counters)
{
	const struct bpmu_msrs *msrs = &pmus[0].part->msrs;

	while (counters--)
		release_perfctr_nmi(msrs->counter + counters * msrs->stride);
	while (selects--)
		release_evntsel_nmi(msrs->select + selects * msrs->stride);
}

/**
 * bpmu_pmu_reserve() - reserve the MSRs of the probed PMU in the kernel, to exclude perf
 *
 * The MSRs of all event selects and counters are reserved, whether a session uses them or not. The
 * registers of version 6 cannot be reserved. On parts with full-width writes perf asks for
 * IA32_A_PMCx instead of the counters' other MSRs; the kernel's reservation does not manage
 * IA32_A_PMCx, so that there only the reserved event selects exclude perf.
 *
 * Context: process.
 * Return: 0, or -EBUSY if perf or the NMI watchdog holds one of these MSRs.
 */
int bpmu_pmu_reserve(void)
{
	const struct bpmu_msrs *msrs = &pmus[0].part->msrs;
	unsigned int nr = max_reservable();
	unsigned int i;

	nr_reserved = nr;

	for (i = 0; i < nr; i++)
		if (!reserve_evntsel_nmi(msrs->select + i * msrs->stride)) {
			unreserve(i, 0);
			return -EBUSY;
		}
	for (i = 0; i < nr; i++)
		if (!reserve_perfctr_nmi(msrs->counter + i * msrs->stride)) {
			unreserve(nr, i);
			return -EBUSY;
		}
	return 0;
}

/**
 * bpmu_pmu_release() - release the reserved MSRs of the probed PMU
 *
 * Context: process.
 */
void bpmu_pmu_release(void)
{
	unreserve(nr_reserved, nr_reserved);
}
