// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions that the virtual PMU executes instead of QEMU, or whose results it
 * changes.
 */
#include "special.h"

#include <pthread.h>

#include "box/boxes.h"
#include "box/complex.h"
#include "box/config.h"
#include "box/fabric.h"
#include "box/free.h"
#include "box/mchbar.h"
#include "box/umc.h"
#include "counter/counter.h"
#include "counter/lbr.h"
#include "counter/msr.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "machine/options.h"
#include "machine/regs.h"
#include "machine/topology.h"
#include "spin.h"
#include "truth/truth.h"
#include "tsc.h"

/*
 * A CPUID leaf that no CPU has, by which the guest controls the virtual PMU. ECX has the function:
 * mark a region, let a vCPU sleep or lock it up, inject events, make a CPU's registers ignore
 * writes or one value, or change the version of the architectural PMU in leaf 0xA.
 */
#define MAGIC_LEAF 0x42504d55
#define REGION_BEGIN 1
#define REGION_END 2
#define REST 3
#define REST_IN_PAUSE 4
#define DEAF 5
#define MOVE 6
#define SET 7
/*
 * Function of events of extra registers: bits 31:0 of the event are in EBX, bits 46:32 in
 * bits 30:16 of ECX; bit 31 of ECX: front-end event
 */
#define HAPPEN_EXTRA 12
/* Functions from 8 to 15, and 18, are HAPPEN_EXTRA and those of boxes.c. */
#define IGNORE 16
/* sets the version of the architectural PMU to EBX; 0 restores that of the CPU model */
#define VERSION 17
/* lets the vCPU take no interrupts but NMIs */
#define LOCK_UP 19
#define EFLAGS_IF 0x200
/* sends an NMI, which has no source that the guest knows, to the vCPU with the number in EBX */
#define NMI 20

/*
 * An MSR of local APICs in x2APIC mode. QEMU's local APICs are not in this mode, so that RDMSR and
 * WRMSR of this MSR raise #GP.
 */
#define X2APIC_VERSION 0x803

/* CPUID.1:ECX, bit 15: IA32_PERF_CAPABILITIES exists */
#define PDCM 0x8000u

/* CPUID.6: digital thermal sensor and package thermal management; APERF and MPERF */
#define THERMAL 0x41u
#define APERFMPERF 0x1u
/* CPUID.80000007:EDX, bit 14: AMD's energy counters exist */
#define AMD_RAPL 0x4000u

/* CPUID.7:EDX, bit 15: hybrid part */
#define HYBRID 0x8000u

/*
 * CPUID.7: EAX of subleaf 0, the highest subleaf; bit of EAX of subleaf 1, which says that leaf
 * 0x23 exists (Linux, cpufeatures.h)
 */
#define HAS_SUBLEAF_1 1
#define PERFMON_EXT 0x100

/* CPUID.7:EDX, bit 19: architectural branch records */
#define ARCH_LBR 0x80000u

/* CPUID.80000001:ECX, bit 23: AMD's six counters exist */
#define PERFCTR_CORE 0x800000u
/* CPUID.80000001:ECX, bit 22: leaf 0x8000001e, which QEMU has in any case, has the topology */
#define TOPOEXT 0x400000u
/* CPUID.80000001:ECX, bit 28: L3 counters exist */
#define PERFCTR_LLC 0x10000000u
/* CPUID.80000001:ECX, bit 24: data fabric counters exist */
#define PERFCTR_NB 0x1000000u

/* CPUID.8000001DH: subleaves of the L2 and the L3 */
#define L2 2
#define L3 3
/* lowest bit of the field in EAX that is the number of CPUs sharing the cache, less 1 */
#define CACHE_CPUS 14

/* CPUID.0AH:EDX, bit 15: AnyThread deprecation */
#define NO_ANY_THREAD 0x8000u

/* CPUID.23H.0:EBX, bit 2: a bit of the event select forbids RDPMC in user space */
#define NO_USER 0x4u

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
	case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40;
	}
}

/* opcodes of IN and OUT with the port in DX; the kernel uses no others for PCI */
#define IN_8 0xec
#define IN_32 0xed
#define OUT_8 0xee
#define OUT_32 0xef
/*
 * numbers for 0x66 0xed and 0x66 0xef; they differ from the opcodes of other special instructions
 */
#define IN_16 0xe5
#define OUT_16 0xe7

/* Checks if an instruction is IN or OUT, and the virtual PMU has PCI devices. */
static bool is_port(const uint8_t *bytes, unsigned int size, uint8_t *op)
{
	bool words = size == 2 && *bytes == 0x66;

	if (!vpmu_config_used())
		return false;
	*op = bytes[size - 1];
	if (words) {
		*op = *op == IN_32 ? IN_16 : OUT_16;
		return bytes[1] == IN_32 || bytes[1] == OUT_32;
	}
	return size == 1 && *op >= IN_8 && *op <= OUT_32;
}

static void result(struct vpmu_cpu *cpu, enum vpmu_reg reg, uint64_t value)
{
	cpu->amend.replaced |= 1u << reg;
	cpu->amend.value[reg] = value;
}

static void result_pair(struct vpmu_cpu *cpu, uint64_t value)
{
	result(cpu, VPMU_RAX, value & 0xffffffff);
	result(cpu, VPMU_RDX, value >> 32);
}

static enum vpmu_executes port_in(struct vpmu_cpu *cpu, unsigned int bytes)
{
	uint64_t before = vpmu_reg_read(VPMU_RAX);
	uint32_t port = vpmu_reg_read(VPMU_RDX) & 0xffff;
	uint32_t value;

	if (!vpmu_config_in(cpu, port, bytes, &value))
		return VPMU_QEMU;
	if (bytes < 4)
		before = before >> 8 * bytes << 8 * bytes | value;
	else
		before = value;
	result(cpu, VPMU_RAX, before);
	return VPMU_RESULT;
}

static enum vpmu_executes port_out(struct vpmu_cpu *cpu, unsigned int bytes)
{
	return vpmu_config_out(cpu, vpmu_reg_read(VPMU_RDX) & 0xffff, bytes,
			       vpmu_reg_read(VPMU_RAX)) ? VPMU_ALONE : VPMU_QEMU;
}

/**
 * vpmu_is_special() - check if an instruction is special: the virtual PMU may execute it
 * @bytes: encoding of the instruction
 * @size: length in bytes
 * @op: set to the second opcode byte: 0x30 wrmsr, 0x32 rdmsr, 0x33 rdpmc,
 *	0xa2 cpuid; or to the opcode of IN or OUT
 *
 * Return: true if vpmu_special() must be called for the instruction, with @op.
 */
bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op)
{
	if (is_port(bytes, size, op))
		return true;
	while (size > 2 && is_prefix(*bytes)) {
		bytes++;
		size--;
	}
	if (size != 2 || *bytes != 0x0f)
		return false;
	*op = bytes[1];
	return *op == 0x30 || *op == 0x32 || *op == 0x33 || *op == 0xa2;
}

/*
 * Checks if RDMSR and WRMSR of an MSR must raise #GP, by the option fault=. If so, puts the number
 * of X2APIC_VERSION in RCX, so that QEMU raises #GP; RCX is corrected afterwards.
 */
static bool faults(struct vpmu_cpu *cpu, uint32_t msr)
{
	unsigned int i;

	for (i = 0; i < vpmu_options.nr_faults; i++)
		if (vpmu_options.faults[i] == msr) {
			result(cpu, VPMU_RCX, msr);
			vpmu_reg_write(VPMU_RCX, X2APIC_VERSION);
			return true;
		}
	return false;
}

static bool read_pebs(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	bool found;

	if (!cpu->part->arch_pebs)
		return false;
	vpmu_counters_settle(cpu);
	found = vpmu_pebs_read(cpu, msr, value);
	vpmu_counters_restart(cpu);
	return found;
}

static bool write_pebs(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	bool found;

	if (!cpu->part->arch_pebs)
		return false;
	vpmu_counters_settle(cpu);
	found = vpmu_pebs_write(cpu, msr, value);
	vpmu_counters_restart(cpu);
	return found;
}

static enum vpmu_executes rdmsr(struct vpmu_cpu *cpu)
{
	uint32_t msr = vpmu_reg_read(VPMU_RCX);
	uint64_t value;

	if (faults(cpu, msr))
		return VPMU_QEMU;
	if (!vpmu_msr_read(cpu, msr, &value) &&
	    !vpmu_pmi_read(cpu, msr, &value) &&
	    !vpmu_lbr_read(cpu, msr, &value) &&
	    !read_pebs(cpu, msr, &value) &&
	    !vpmu_boxes_read(cpu, msr, &value))
		return VPMU_QEMU;
	result_pair(cpu, value);
	return VPMU_RESULT;
}

/* Executes WRMSR. QEMU, which has none of the virtual PMU's MSRs, ignores the value. */
static enum vpmu_executes wrmsr(struct vpmu_cpu *cpu)
{
	uint64_t value = (vpmu_reg_read(VPMU_RAX) & 0xffffffff) |
			 vpmu_reg_read(VPMU_RDX) << 32;

	uint32_t msr = vpmu_reg_read(VPMU_RCX);

	if (faults(cpu, msr))
		return VPMU_QEMU;
	if (!vpmu_msr_write(cpu, msr, value) && !vpmu_pmi_write(cpu, msr, value) &&
	    !vpmu_lbr_write(cpu, msr, value) && !write_pebs(cpu, msr, value))
		vpmu_boxes_write(cpu, msr, value);
	return VPMU_QEMU;
}

/* Executes RDPMC, which is an invalid opcode in QEMU. */
static enum vpmu_executes rdpmc(struct vpmu_cpu *cpu)
{
	uint32_t index = vpmu_reg_read(VPMU_RCX);
	uint64_t value;

	if (!vpmu_boxes_rdpmc(cpu, index, &value) &&
	    !vpmu_rdpmc(cpu, index, &value))
		return VPMU_QEMU;
	result_pair(cpu, value);
	return VPMU_ALONE;
}

static enum vpmu_executes answer(struct vpmu_cpu *cpu, uint32_t eax, uint32_t ebx, uint32_t ecx,
				 uint32_t edx)
{
	result(cpu, VPMU_RAX, eax);
	result(cpu, VPMU_RBX, ebx);
	result(cpu, VPMU_RCX, ecx);
	result(cpu, VPMU_RDX, edx);
	return VPMU_RESULT;
}

/* Executes CPUID leaf 0xA, which describes the architectural PMU (SDM Vol. 2A). */
static enum vpmu_executes perfmon_leaf(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *p = cpu->part;
	unsigned int version = vpmu_version(p);
	unsigned int fixed = p->common_fixed ?: p->nr_fixed;
	unsigned int gp = p->common_gp ?: vpmu_nr_gp(p);
	bool v5 = version >= 5;

	if (!p->version)
		return VPMU_QEMU;
	return answer(cpu, p->arch_events << 24 | p->width << 16 | gp << 8 | version,
		      vpmu_options.absent, v5 ? (1u << fixed) - 1 : 0,
		      p->fixed_width << 5 | fixed | (v5 ? NO_ANY_THREAD : 0));
}

/*
 * Executes CPUID leaf 0x15 (SDM Vol. 2A): EBX / EAX is the ratio of the TSC to the core crystal
 * clock, and ECX the frequency of that clock, at which timers of local APICs count. QEMU's TSC has
 * the frequency of the crystal clock.
 */
static enum vpmu_executes crystal_leaf(struct vpmu_cpu *cpu)
{
	if (!vpmu_options.crystal)
		return VPMU_QEMU;
	return answer(cpu, VPMU_TSC_UNIT, vpmu_options.tsc ?: VPMU_TSC_UNIT,
		      vpmu_options.crystal, 0);
}

/* Executes CPUID leaf 0x1A, which has the core type of a hybrid part's CPU (SDM Vol. 2A). */
static enum vpmu_executes core_leaf(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *p = cpu->part;

	if (!p->core_type)
		return VPMU_QEMU;
	return answer(cpu, p->core_type << 24 | p->native, 0, 0, 0);
}

/*
 * Executes CPUID leaf 0x1C (SDM Vol. 2A), of architectural branch records: depths of 8, 16 and 32
 * entries in EAX; filters by privilege level and by branch type in EBX; mispredictions, cycles and
 * branch types of a record in ECX.
 */
static enum vpmu_executes branches_leaf(struct vpmu_cpu *cpu)
{
	return cpu->part->arch_lbr ? answer(cpu, 0x0b, 3, 7, 0) : VPMU_QEMU;
}

/*
 * Executes CPUID leaf 0x23 (SDM Vol. 2A). Subleaf 0: EAX has the set of subleaves, EBX the bit
 * NO_USER. Subleaf 1: bitmaps of the general and of the fixed counters. Subleaves 4 and 5 are those
 * of architectural PEBS (Linux, update_pmu_cap()): subleaf 4 has in EBX the groups of a record,
 * bits 63:32 of IA32_PMC_GPn_CFG_C, subleaf 5 in EAX and ECX the bitmaps of the counters with
 * PEBS.
 */
static enum vpmu_executes bitmaps_leaf(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *p = cpu->part;
	uint32_t gp = (1u << vpmu_nr_gp(p)) - 1;
	uint32_t fixed = (1u << p->nr_fixed) - 1;

	if (!p->bitmaps)
		return VPMU_QEMU;
	switch ((uint32_t)vpmu_reg_read(VPMU_RCX)) {
	case 0:
		return answer(cpu, p->arch_pebs ? 0x33 : 3, vpmu_version(p) >= 6 ? NO_USER : 0,
			      0, 0);
	case 1:
		return answer(cpu, gp, fixed, 0, 0);
	case 4:
		return answer(cpu, 0, p->arch_pebs >> 32, 0, 0);
	case 5:
		return p->arch_pebs ? answer(cpu, gp, 0, fixed, 0) : answer(cpu, 0, 0, 0, 0);
	default:
		return answer(cpu, 0, 0, 0, 0);
	}
}

/*
 * Executes CPUID leaf 0x80000022: the bit of PerfMonV2 in EAX; numbers of core, data fabric and UMC
 * counters in EBX; bitmap of active memory controllers in ECX.
 */
static enum vpmu_executes amd_leaf(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *p = cpu->part;

	if (!p->amd_version)
		return VPMU_QEMU;
	return answer(cpu, p->amd_version >= 2,
		      p->nr_gp | vpmu_fabric_counters(p) << 10 | vpmu_umc_counters(cpu) << 16,
		      vpmu_umc_active(cpu), 0);
}

/* Makes registers ignore writes: @value has a CPU in bits 15:0 and VPMU_DEAF_* in bits 31:16. */
static void deafen(uint32_t value)
{
	unsigned int index = value & 0xffff;

	if (index < vpmu_nr_cpus())
		vpmu_cpu(index)->deaf = value >> 16;
}

/* Makes registers of CPU @index, 0 for all, ignore values with bits 15:0 of @value. */
static void ignore(uint32_t index, uint32_t value)
{
	if (index < vpmu_nr_cpus())
		vpmu_cpu(index)->ignored = value;
}

/* Changes a free-running register: EBX has its MSR or its offset in MCHBAR, EDX the value. */
static void move(const struct vpmu_cpu *cpu, bool set)
{
	uint32_t number = vpmu_reg_read(VPMU_RBX);
	uint32_t by = vpmu_reg_read(VPMU_RDX);

	if (!vpmu_mchbar_move(number, by, set))
		vpmu_free_move(cpu, number, by, set);
}

static enum vpmu_executes magic_leaf(struct vpmu_cpu *cpu)
{
	uint32_t what = vpmu_reg_read(VPMU_RCX);

	if (what == REGION_BEGIN || what == REGION_END)
		vpmu_truth_region(cpu, vpmu_reg_read(VPMU_RBX),
				  what == REGION_BEGIN);
	else if (what == REST)
		vpmu_spin_sleep(vpmu_reg_read(VPMU_RBX));
	else if (what == REST_IN_PAUSE)
		vpmu_spin_sleep_in_pause(vpmu_reg_read(VPMU_RBX));
	else if (what == DEAF)
		deafen(vpmu_reg_read(VPMU_RBX));
	else if (what == IGNORE)
		ignore(vpmu_reg_read(VPMU_RBX), vpmu_reg_read(VPMU_RDX));
	else if (what == VERSION)
		vpmu_options.version = (uint8_t)vpmu_reg_read(VPMU_RBX);
	else if (what == LOCK_UP)
		vpmu_reg_write(VPMU_EFLAGS, vpmu_reg_read(VPMU_EFLAGS) & ~EFLAGS_IF);
	else if (what == NMI && (uint32_t)vpmu_reg_read(VPMU_RBX) < vpmu_nr_cpus())
		vpmu_pmi_nmi(vpmu_cpu((uint32_t)vpmu_reg_read(VPMU_RBX)));
	else if (what == MOVE || what == SET)
		move(cpu, what == SET);
	else if ((what & 0xffff) == HAPPEN_EXTRA)
		vpmu_extra_happen(cpu, what >> 31,
				  (uint32_t)vpmu_reg_read(VPMU_RBX) |
				  (uint64_t)(what >> 16 & 0x7fff) << 32,
				  vpmu_reg_read(VPMU_RDX));
	else
		vpmu_boxes_happen(cpu, what, vpmu_reg_read(VPMU_RBX),
				  vpmu_reg_read(VPMU_RDX));
	result(cpu, VPMU_RAX, 0);
	return VPMU_RESULT;
}

/*
 * Returns the bits that EAX of a subleaf of CPUID leaf 7 must have so that Linux looks for leaf
 * 0x23.
 */
static uint32_t subleaf_1(uint32_t subleaf)
{
	return subleaf == 0 ? HAS_SUBLEAF_1 : subleaf == 1 ? PERFMON_EXT : 0;
}

static enum vpmu_executes cpuid(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *part = cpu->part;
	uint64_t *bits = cpu->amend.value;

	switch ((uint32_t)vpmu_reg_read(VPMU_RAX)) {
	case 1:
		bits[VPMU_RCX] = part->capabilities ? PDCM : 0;
		return VPMU_QEMU;
	case 6:
		if (!vpmu_options.free)
			return VPMU_QEMU;
		bits[VPMU_RAX] = THERMAL;
		bits[VPMU_RCX] = APERFMPERF;
		return VPMU_QEMU;
	case 0x80000007:
		if (vpmu_options.free && part->perfctr_core)
			bits[VPMU_RDX] = AMD_RAPL;
		return VPMU_QEMU;
	case 7:
		if (!(uint32_t)vpmu_reg_read(VPMU_RCX))
			bits[VPMU_RDX] = (part->core_type ? HYBRID : 0) |
					 (part->arch_lbr ? ARCH_LBR : 0);
		if (part->arch_pebs)
			bits[VPMU_RAX] = subleaf_1(vpmu_reg_read(VPMU_RCX));
		return VPMU_QEMU;
	case 0x80000001:
		bits[VPMU_RCX] = part->perfctr_core ? PERFCTR_CORE : 0;
		if (part->perfctr_shared && vpmu_options.threads > 1)
			bits[VPMU_RCX] |= TOPOEXT;
		if (part->perfctr_shared && vpmu_options.complex)
			bits[VPMU_RCX] |= TOPOEXT | PERFCTR_LLC;
		if (part->perfctr_shared && vpmu_options.fabric)
			bits[VPMU_RCX] |= TOPOEXT | PERFCTR_NB;
		return VPMU_QEMU;
	case 0x8000001d:
		/*
		 * QEMU reports an L2 per core and an L3. On Jaguar the complex shares the L2, and
		 * there is no L3.
		 */
		if (!vpmu_complex_is_l2(part) || !vpmu_options.complex)
			return VPMU_QEMU;
		if ((uint32_t)vpmu_reg_read(VPMU_RCX) == L3)
			return answer(cpu, 0, 0, 0, 0);
		if ((uint32_t)vpmu_reg_read(VPMU_RCX) == L2)
			bits[VPMU_RAX] = (vpmu_options.complex - 1) << CACHE_CPUS;
		return VPMU_QEMU;
	case 0xa:
		return perfmon_leaf(cpu);
	case 0x15:
		return crystal_leaf(cpu);
	case 0x1a:
		return core_leaf(cpu);
	case 0x1c:
		return branches_leaf(cpu);
	case 0x23:
		return bitmaps_leaf(cpu);
	case 0x80000022:
		return amd_leaf(cpu);
	case MAGIC_LEAF:
		return magic_leaf(cpu);
	default:
		return VPMU_QEMU;
	}
}

static enum vpmu_executes execute(struct vpmu_cpu *cpu, uint8_t op)
{
	switch (op) {
	case 0x30:
		return wrmsr(cpu);
	case 0x32:
		return rdmsr(cpu);
	case 0x33:
		return rdpmc(cpu);
	case IN_8:
	case IN_16:
	case IN_32:
		return port_in(cpu, op == IN_8 ? 1 : op == IN_16 ? 2 : 4);
	case OUT_8:
	case OUT_16:
	case OUT_32:
		return port_out(cpu, op == OUT_8 ? 1 : op == OUT_16 ? 2 : 4);
	default:
		return cpuid(cpu);
	}
}

static pthread_mutex_t serial = PTHREAD_MUTEX_INITIALIZER;

/**
 * vpmu_special_lock() - lock the registers that special instructions of all vCPUs access
 */
void vpmu_special_lock(void)
{
	pthread_mutex_lock(&serial);
}

/**
 * vpmu_special_unlock() - unlock the registers that special instructions access
 */
void vpmu_special_unlock(void)
{
	pthread_mutex_unlock(&serial);
}

/**
 * vpmu_special() - execute a special instruction
 * @cpu: the calling vCPU; &vpmu_cpu.amend is set to the values that its registers get afterwards
 * @op: number of the instruction, to which vpmu_is_special() has set its @op
 *
 * Takes vpmu_special_lock(), because vCPUs share some registers.
 *
 * Return: whether QEMU executes the instruction, too.
 */
enum vpmu_executes vpmu_special(struct vpmu_cpu *cpu, uint8_t op)
{
	enum vpmu_executes how;

	cpu->amend = (struct vpmu_amend){ 0 };
	vpmu_special_lock();
	how = execute(cpu, op);
	vpmu_special_unlock();
	return how;
}

/**
 * vpmu_special_amend() - write the results of the latest special instruction to registers
 * @cpu: the calling vCPU
 */
void vpmu_special_amend(struct vpmu_cpu *cpu)
{
	const struct vpmu_amend amend = cpu->amend;
	unsigned int reg;

	for (reg = VPMU_RAX; reg <= VPMU_RBX; reg++)
		if (amend.replaced & 1u << reg)
			vpmu_reg_write(reg, amend.value[reg]);
		else if (amend.value[reg])
			vpmu_reg_write(reg, (uint32_t)vpmu_reg_read(reg) | amend.value[reg]);
	cpu->amend = (struct vpmu_amend){ 0 };
}
