// SPDX-License-Identifier: GPL-2.0
#include "pmi.h"

#include "event/erratum.h"
#include "lbr.h"
#include "machine/options.h"
#include "truth/truth.h"

/*
 * IA32_APIC_BASE and its bit that turns on x2APIC mode; IA32_DEBUGCTL, IA32_RTIT_CTL,
 * IA32_X2APIC_LVT_PMI (SDM Vol. 4, table 2-2)
 */
#define APIC_BASE 0x1b
#define APIC_BASE_X2APIC VPMU_BIT(10)
#define DEBUGCTL 0x1d9
#define TRACE_CTL 0x570
#define X2APIC_LVT 0x834

/* LVT entry: mask bit, delivery mode and its value NMI, writable bits (SDM Vol. 3) */
#define LVT_MASKED VPMU_BIT(16)
#define LVT_MODE 0x700
#define LVT_NMI 0x400
#define LVT_BITS (LVT_MASKED | LVT_MODE | 0xff)
/* delivery status bit of the LVT entry: read-only, always 0 in the virtual PMU */
#define LVT_STATUS VPMU_BIT(12)

/*
 * Legal bits of IA32_DEBUGCTL: LBR (0), BTF (1), the bits from TR (6) to FREEZE_PERFMON_ON_PMI
 * (12), the enable bit of uncore PMIs (13), FREEZE_WHILE_SMM (14) and RTM (15). Source: SDM Vol. 3,
 * "IA32_DEBUGCTL MSR".
 */
#define DEBUGCTL_BITS 0xffc3ull
#define FREEZE_COUNTERS VPMU_BIT(12)

/* With the erratum lost-pmi every eighth PMI of a vCPU is lost. */
#define LOSES 8

/*
 * With the erratum late-pmi a PMI comes this many instructions late, in the kernel and in user
 * space: a timer tick in between does not make it come earlier.
 */
static const uint64_t late[VPMU_PRIVS] = { 32000, 2000 };

static void (*to_cpu)(struct vpmu_cpu *cpu);

/**
 * vpmu_pmi_to() - set the function that delivers a PMI to a vCPU
 * @interrupt: sends an NMI to vCPU @cpu. The vCPU takes the NMI before its next instruction or, if
 *	it is handling another NMI, after that
 */
void vpmu_pmi_to(void (*interrupt)(struct vpmu_cpu *cpu))
{
	to_cpu = interrupt;
}

/**
 * vpmu_pmi_init() - set the registers of the PMI to their values at power on
 * @cpu: the vCPU
 */
void vpmu_pmi_init(struct vpmu_cpu *cpu)
{
	cpu->pmi = (struct vpmu_pmi){ .lvt = LVT_MASKED };
}

/**
 * vpmu_pmi_overflow() - request a PMI for a counter that has overflowed; vpmu_pmi_raise() raises it
 * @cpu: the calling vCPU
 * @number: number of the counter: its bit in IA32_PERF_GLOBAL_STATUS
 * @late: number of events that the counter has already counted since the overflow
 */
void vpmu_pmi_overflow(struct vpmu_cpu *cpu, unsigned int number, uint64_t late)
{
	cpu->pmi.due |= 1ull << number;
	if (late > cpu->pmi.late)
		cpu->pmi.late = late;
}

/* Checks if a vCPU has Intel's architectural performance monitoring. */
static bool architectural(const struct vpmu_cpu *cpu)
{
	return cpu->part->version;
}

/*
 * Stops counters and branch records at a PMI, if the bits of IA32_DEBUGCTL for this are set (SDM
 * Vol. 3, "Freezing LBR and Performance Counters on PMI"). Up to PMU version 3,
 * IA32_PERF_GLOBAL_CTRL is cleared to stop counters. From version 4 on, CTR_FRZ of
 * IA32_PERF_GLOBAL_STATUS is set.
 */
static void freeze(struct vpmu_cpu *cpu)
{
	vpmu_lbr_freeze(cpu);
	if (!(cpu->pmi.debugctl & FREEZE_COUNTERS) || vpmu_has_erratum(VPMU_FREEZE_COUNTS))
		return;
	if (vpmu_version(cpu->part) < 4)
		cpu->global_ctrl = 0;
	else
		cpu->status |= VPMU_STATUS_FROZEN;
}

static bool takes_nmi(const struct vpmu_pmi *pmi)
{
	return !(pmi->lvt & LVT_MASKED) && (pmi->lvt & LVT_MODE) == LVT_NMI;
}

static void hold_back(struct vpmu_cpu *cpu)
{
	unsigned int priv;

	cpu->pmi.coming = true;
	for (priv = 0; priv < VPMU_PRIVS; priv++)
		cpu->pmi.comes_at[priv] = cpu->score->exact[VPMU_INSTRUCTIONS][priv] + late[priv];
}

/*
 * Checks if the local APIC masks the LVT entry when it delivers a PMI, as Intel's do (SDM Vol. 3,
 * "Local Vector Table"). Linux' interrupt handlers for Knights Corner and for AMD's parts with a
 * global status never unmask the entry, that for AMD's older parts does. Whether these need it is
 * not known: here they do.
 */
static bool masks(const struct vpmu_cpu *cpu)
{
	return architectural(cpu) || !cpu->part->global_status;
}

/**
 * vpmu_pmi_raise() - raise a PMI for all counters of a vCPU that have overflowed
 * @cpu: the calling vCPU, with all counters stopped
 */
void vpmu_pmi_raise(struct vpmu_cpu *cpu)
{
	struct vpmu_pmi *pmi = &cpu->pmi;
	bool lost = ++pmi->raised % LOSES == 0 && vpmu_has_erratum(VPMU_LOST_PMI);
	bool delivered = !lost && takes_nmi(pmi);

	freeze(cpu);
	pmi->open = false;
	vpmu_truth_interrupt(cpu, delivered);
	pmi->due = 0;
	pmi->late = 0;
	if (!delivered || vpmu_has_erratum(VPMU_LATE_PMI))
		pmi->place = 0;
	if (!delivered)
		return;
	if (masks(cpu))
		pmi->lvt |= LVT_MASKED;
	pmi->ghost = vpmu_has_erratum(VPMU_GHOST_PMI);
	if (vpmu_has_erratum(VPMU_LATE_PMI))
		hold_back(cpu);
	else
		to_cpu(cpu);
}

/**
 * vpmu_pmi_arrive() - send the interrupt that the erratum late-pmi has held back, if it is due
 * @cpu: the calling vCPU
 */
void vpmu_pmi_arrive(struct vpmu_cpu *cpu)
{
	bool due = false;
	unsigned int priv;

	for (priv = 0; priv < VPMU_PRIVS; priv++)
		due |= cpu->score->exact[VPMU_INSTRUCTIONS][priv] + 2 > cpu->pmi.comes_at[priv];
	if (!cpu->pmi.coming || !due)
		return;
	cpu->pmi.coming = false;
	to_cpu(cpu);
}

/**
 * vpmu_pmi_haunt() - raise the ghost interrupt of the erratum ghost-pmi: a PMI without an overflow
 * @cpu: the calling vCPU, some instructions after a PMI
 *
 * The function does nothing if the erratum is not injected, or if the vCPU has had no PMI since the
 * last call.
 */
void vpmu_pmi_haunt(struct vpmu_cpu *cpu)
{
	if (!cpu->pmi.ghost)
		return;
	cpu->pmi.ghost = false;
	to_cpu(cpu);
}

/**
 * vpmu_pmi_nmi() - send an NMI to a vCPU as a PMI does, although no counter has overflowed
 * @cpu: the vCPU; may be another one than the calling vCPU
 */
void vpmu_pmi_nmi(struct vpmu_cpu *cpu)
{
	to_cpu(cpu);
}

/**
 * vpmu_pmi_set_lvt() - set how the PMI of a vCPU is delivered: write its LVT entry
 * @cpu: the calling vCPU
 * @value: value to write; reserved bits are ignored
 */
void vpmu_pmi_set_lvt(struct vpmu_cpu *cpu, uint32_t value)
{
	cpu->pmi.lvt = value & LVT_BITS;
}

/**
 * vpmu_pmi_read() - execute RDMSR of an MSR of the PMI: IA32_DEBUGCTL, IA32_RTIT_CTL, LVT entry
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is another one: QEMU executes the instruction.
 */
bool vpmu_pmi_read(const struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	if (msr == DEBUGCTL && architectural(cpu))
		*value = cpu->pmi.debugctl;
	else if (msr == TRACE_CTL && architectural(cpu))
		*value = cpu->pmi.trace;
	else if (msr == X2APIC_LVT && cpu->pmi.x2apic)
		*value = cpu->pmi.lvt;
	else
		return false;
	return true;
}

/*
 * Checks if @value may be written to a register; if not, counts an illegal write. @bits are the
 * writable bits of the register. @ignored are its read-only bits, which @value may have.
 */
static bool legal(struct vpmu_cpu *cpu, uint64_t value, uint64_t bits, uint64_t ignored)
{
	if (!(value & ~(bits | ignored)))
		return true;
	cpu->illegal_writes++;
	return false;
}

/**
 * vpmu_pmi_write() - execute WRMSR of an MSR of the PMI: IA32_DEBUGCTL, IA32_RTIT_CTL, LVT entry
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false for all other MSRs: QEMU must execute the instruction. If the MSR is
 * IA32_APIC_BASE, the function also stores the x2APIC bit that is written.
 */
bool vpmu_pmi_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	if (msr == APIC_BASE) {
		cpu->pmi.x2apic = value & APIC_BASE_X2APIC;
		return false;
	}
	if (msr == DEBUGCTL && architectural(cpu)) {
		if (legal(cpu, value, DEBUGCTL_BITS, 0))
			vpmu_lbr_set_debugctl(cpu, value);
		return true;
	}
	if (msr == TRACE_CTL && architectural(cpu)) {
		cpu->pmi.trace = value;
		return true;
	}
	if (msr != X2APIC_LVT || !cpu->pmi.x2apic)
		return false;
	if (legal(cpu, value, LVT_BITS, LVT_STATUS))
		vpmu_pmi_set_lvt(cpu, value);
	return true;
}
