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
#include "counter/fetches.h"
#include "counter/ibs.h"
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
 * A CPUID leaf that no CPU has, by which tests in the guest control the virtual PMU. ECX has the
 * number of what the virtual PMU shall do: begin or end a region of the truth file, let a vCPU
 * sleep or lock it up, inject events, let writes to registers have no effect, or change the PMU
 * version in leaf 0xA.
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
 * Function of MAGIC_LEAF that injects an off-core request or a front-end event, see
 * vpmu_extra_happen(). EBX has bits 31:0 of the argument @bits of vpmu_extra_happen(), and bits
 * 30:16 of ECX have bits 46:32. Bit 31 of ECX is 1 for a front-end event
 */
#define HAPPEN_EXTRA 12
/* Functions of MAGIC_LEAF. Numbers from 8 to 15, and 18, inject events of boxes: see boxes.c. */
#define IGNORE 16
/*
 * function that sets the version of the architectural PMU to EBX; if EBX is 0, to the version of
 * the CPU model
 */
#define VERSION 17
/*
 * function that locks up the calling vCPU: if EFLAGS.IF is 0, the vCPU takes no interrupts but NMIs
 */
#define LOCK_UP 19
#define EFLAGS_IF 0x200
/* function that sends an NMI, whose cause the guest cannot find, to vCPU number EBX */
#define NMI 20

/*
 * An MSR whose RDMSR and WRMSR raise #GP in QEMU: it exists only in x2APIC mode, and QEMU's local
 * APICs are not in this mode.
 */
#define X2APIC_VERSION 0x803

/* CPUID.1:ECX, bit 15: IA32_PERF_CAPABILITIES exists */
#define PDCM 0x8000u

/*
 * CPUID.1: bits of ECX and EDX: the debug store (DS) has fields of 64 bits, and exists.
 * IA32_MISC_ENABLE, and its bit by which no branches are stored there (BTS)
 */
#define DTES64 0x4u
#define HAS_DS 0x200000u
#define MISC_ENABLE 0x1a0
#define BTS_UNAVAILABLE 0x800u

/* CPUID.6: EAX with digital thermal sensor and package thermal management; ECX with APERF, MPERF */
#define THERMAL 0x41u
#define APERFMPERF 0x1u
/* CPUID.80000007:EDX, bit 14: AMD's energy counters exist */
#define AMD_RAPL 0x4000u

/* CPUID.7:EDX, bit 15: hybrid part */
#define HYBRID 0x8000u

/*
 * CPUID.7. HAS_SUBLEAF_1: EAX of subleaf 0, the number of the highest subleaf. PERFMON_EXT: bit in
 * EAX of subleaf 1: leaf 0x23 exists (Linux, cpufeatures.h)
 */
#define HAS_SUBLEAF_1 1
#define PERFMON_EXT 0x100

/* CPUID.7:EDX, bit 19: architectural branch records */
#define ARCH_LBR 0x80000u

/* CPUID.80000001:ECX, bit 23: AMD's six counters exist */
#define PERFCTR_CORE 0x800000u
/*
 * CPUID.80000001:ECX, bit 22: leaf 0x8000001e exists and has the topology; QEMU executes the leaf
 */
#define TOPOEXT 0x400000u
/* CPUID.80000001:ECX, bit 10: instruction-based sampling (IBS) */
#define HAS_IBS 0x400u
/* CPUID.80000001:ECX, bit 28: L3 counters exist */
#define PERFCTR_LLC 0x10000000u
/* CPUID.80000001:ECX, bit 24: data fabric counters exist */
#define PERFCTR_NB 0x1000000u

/* CPUID.8000001DH, properties of AMD's caches: subleaves of the L2 and of the L3 */
#define L2 2
#define L3 3
/* lowest bit of a field in EAX of CPUID.8000001DH: number of CPUs that share the cache, minus 1 */
#define CACHE_CPUS 14

/* CPUID.0AH:EDX, bit 15: AnyThread is deprecated */
#define NO_ANY_THREAD 0x8000u

/* CPUID.23H.0:EBX, bit 2: event selects have a bit that forbids RDPMC in user space */
#define NO_USER 0x4u
/* CPUID.23H.0:EBX, bits 0 and 1: event selects have UMASK2 and EQ */
#define EXTENDED 0x3u

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

/* opcodes of those IN and OUT that have the port in DX; the kernel uses only these to access PCI */
#define IN_8 0xec
#define IN_32 0xed
#define OUT_8 0xee
#define OUT_32 0xef
/*
 * Numbers that stand for the 16-bit IN and OUT, which are encoded as 66H EDH and 66H EFH. No other
 * instruction that the virtual PMU executes has these numbers.
 */
#define IN_16 0xe5
#define OUT_16 0xe7

/*
 * Checks if an instruction is an IN or OUT by which the guest may access PCI devices of the virtual
 * PMU. If so, sets *@op to the opcode, or to IN_16 or OUT_16.
 */
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
 * vpmu_is_special() - check if an instruction is special: one that the virtual PMU may execute
 * @bytes: encoding of the instruction
 * @size: length in bytes
 * @op: output: the number of the instruction for vpmu_special(): the second opcode byte of WRMSR
 *	(0x30), RDMSR (0x32), RDPMC (0x33) or CPUID (0xa2), or an opcode of IN or OUT
 *
 * Return: true if vpmu_special() must be called before the instruction, with *@op.
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
 * Checks if the option fault= lets RDMSR and WRMSR of an MSR raise #GP. If so, puts X2APIC_VERSION
 * into RCX, so that QEMU raises #GP when it executes the instruction. RCX is restored afterwards.
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

	if (!cpu->part->arch_pebs && !vpmu_has_store(cpu->part))
		return false;
	vpmu_counters_settle(cpu);
	found = vpmu_pebs_read(cpu, msr, value);
	vpmu_counters_restart(cpu);
	return found;
}

static bool write_pebs(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	bool found;

	if (!cpu->part->arch_pebs && !vpmu_has_store(cpu->part))
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
	if (msr == MISC_ENABLE && vpmu_has_store(cpu->part))
		cpu->amend.value[VPMU_RAX] = BTS_UNAVAILABLE;
	if (!vpmu_msr_read(cpu, msr, &value) &&
	    !vpmu_pmi_read(cpu, msr, &value) &&
	    !vpmu_lbr_read(cpu, msr, &value) &&
	    !read_pebs(cpu, msr, &value) &&
	    !vpmu_ibs_read(cpu, msr, &value) &&
	    !vpmu_fetches_read(cpu, msr, &value) &&
	    !vpmu_boxes_read(cpu, msr, &value))
		return VPMU_QEMU;
	cpu->msr_reads++;
	result_pair(cpu, value);
	return VPMU_RESULT;
}

/*
 * Executes WRMSR. QEMU may execute the WRMSR as well: it ignores writes to MSRs that it does not
 * have.
 */
static enum vpmu_executes wrmsr(struct vpmu_cpu *cpu)
{
	uint64_t value = (vpmu_reg_read(VPMU_RAX) & 0xffffffff) |
			 vpmu_reg_read(VPMU_RDX) << 32;

	uint32_t msr = vpmu_reg_read(VPMU_RCX);

	if (faults(cpu, msr))
		return VPMU_QEMU;
	cpu->msr_writes += vpmu_msr_write(cpu, msr, value) || vpmu_pmi_write(cpu, msr, value) ||
			   vpmu_lbr_write(cpu, msr, value) || write_pebs(cpu, msr, value) ||
			   vpmu_ibs_write(cpu, msr, value) ||
			   vpmu_fetches_write(cpu, msr, value) || vpmu_boxes_write(cpu, msr, value);
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
 * Executes CPUID leaf 0x15 (SDM Vol. 2A). EBX / EAX is the ratio of the TSC's frequency to that of
 * the core crystal clock. ECX is the frequency of the crystal clock, at which timers of local APICs
 * count. QEMU's TSC has the frequency of the crystal clock, so the ratio is 1 without the option
 * tsc=.
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
 * Executes CPUID leaf 0x1C (SDM Vol. 2A), which describes architectural LBR. EAX: 8, 16 or 32
 * records. EBX: branches can be filtered by privilege level and type, and records can be a call
 * stack. ECX: a record has misprediction, cycles and branch type.
 */
static enum vpmu_executes branches_leaf(struct vpmu_cpu *cpu)
{
	return cpu->part->arch_lbr ? answer(cpu, 0x0b, 7, 7, 0) : VPMU_QEMU;
}

/*
 * Executes CPUID leaf 0x23. The source of subleaves 0 and 1 is SDM Vol. 2A, that of subleaves 4 and
 * 5, which describe PEBS, is update_pmu_cap() in Linux.
 * - Subleaf 0: EAX is the bitmap of subleaves, EBX has the bits NO_USER and EXTENDED.
 * - Subleaf 1: EAX and EBX are the bitmaps of general-purpose and of fixed counters.
 * - Subleaf 4: EBX has the groups that a PEBS record can have. Bit n of EBX is the group that bit
 *	 32 + n of IA32_PMC_GPn_CFG_C asks for.
 * - Subleaf 5: EAX and ECX are the bitmaps of general-purpose and of fixed counters with PEBS.
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
		return answer(cpu, p->arch_pebs ? 0x33 : 3,
			      vpmu_version(p) >= 6 ? NO_USER | EXTENDED : 0, 0, 0);
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
 * Executes CPUID leaf 0x80000022 of AMD's CPUs. EAX has the bit of PerfMonV2; EBX the numbers of
 * core, data fabric and UMC counters; ECX the bitmap of active memory controllers.
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

/* Executes CPUID leaf 0x8000001B, whose EAX says what IBS can do. */
static enum vpmu_executes ibs_leaf(struct vpmu_cpu *cpu)
{
	uint32_t caps = vpmu_ibs_caps(cpu);

	return caps ? answer(cpu, caps, 0, 0, 0) : VPMU_QEMU;
}

/*
 * Executes the function DEAF of MAGIC_LEAF. @value has the number of a vCPU in bits 15:0, and the
 * faults of this vCPU, a bitmap of VPMU_DEAF_*, in bits 31:16.
 */
static void deafen(uint32_t value)
{
	unsigned int index = value & 0xffff;

	if (index < vpmu_nr_cpus())
		vpmu_cpu(index)->deaf = value >> 16;
}

/*
 * Executes the function IGNORE of MAGIC_LEAF. From now on vCPU @index ignores a write of a value if
 * bits 15:0 of the value equal @value. If @value is 0, the vCPU ignores no write.
 */
static void ignore(uint32_t index, uint32_t value)
{
	if (index < vpmu_nr_cpus())
		vpmu_cpu(index)->ignored = value;
}

/*
 * Executes the functions of MAGIC_LEAF that change a free-running register. EBX has the MSR number
 * of the register, or its offset in MCHBAR. If @set is true, the register is set to EDX; otherwise
 * EDX is added to the register.
 */
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
 * Returns the bits that must be set in EAX of a subleaf of CPUID leaf 7 to let Linux use leaf
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
		bits[VPMU_RCX] = (part->capabilities ? PDCM : 0) |
				 (vpmu_has_store(part) ? DTES64 : 0);
		bits[VPMU_RDX] = vpmu_has_store(part) ? HAS_DS : 0;
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
		bits[VPMU_RCX] = (part->perfctr_core ? PERFCTR_CORE : 0) |
				 (vpmu_ibs_caps(cpu) ? HAS_IBS : 0);
		if (part->perfctr_shared && vpmu_options.threads > 1)
			bits[VPMU_RCX] |= TOPOEXT;
		if (part->perfctr_shared && vpmu_options.complex)
			bits[VPMU_RCX] |= TOPOEXT | PERFCTR_LLC;
		if (part->perfctr_shared && vpmu_options.fabric)
			bits[VPMU_RCX] |= TOPOEXT | PERFCTR_NB;
		return VPMU_QEMU;
	case 0x8000001d:
		/*
		 * On Jaguar the cores of a complex share an L2, and there is no L3. But QEMU's
		 * CPUID reports an L2 for each core, and an L3.
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
	case 0x8000001b:
		return ibs_leaf(cpu);
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
 * vpmu_special_lock() - take the lock with which one vCPU at a time executes special instructions
 */
void vpmu_special_lock(void)
{
	pthread_mutex_lock(&serial);
}

/**
 * vpmu_special_unlock() - release the lock that vpmu_special_lock() takes for special instructions
 */
void vpmu_special_unlock(void)
{
	pthread_mutex_unlock(&serial);
}

/**
 * vpmu_special() - execute a special instruction
 * @cpu: the calling vCPU; in &vpmu_cpu.amend the function puts the values that the registers must
 *	get after the instruction, by vpmu_special_amend()
 * @op: number of the instruction, from vpmu_is_special()
 *
 * Takes vpmu_special_lock(), because vCPUs share some registers.
 *
 * Return: whether QEMU must execute the instruction, too, or may execute it, or must not.
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
 * vpmu_special_amend() - put the results of the latest special instruction into QEMU's registers
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
