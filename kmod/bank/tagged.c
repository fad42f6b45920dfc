// SPDX-License-Identifier: GPL-2.0
/*
 * IBS has no counter that is preloaded: its control register has the period, and the count, which
 * begins at 0. When an op has been sampled the count stops until the handler writes the register
 * again, so that what happens from the tag of an op to the end of the interrupt is in no period.
 * Linux keeps the low bits of the count after a sample, which the CPU has chosen at random. The
 * module writes the bits itself, since its periods are random already, and each is then known
 * exactly. The maximum is a multiple of 16: a period of ops of another length begins above 0,
 * because with multiples alone a loop of 8 ops would have all its samples at one of them.
 *
 * IBS has an entry of its own in the APIC's extended LVT. The kernel sets it up at boot as an NMI,
 * on each CPU; nothing masks it. There is no reservation for IBS: an agent that uses it is known by
 * the enable bit only. perf's handler comes after the module's, and reads no register of IBS unless
 * perf has an event of it.
 */
#include "tagged.h"

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/math.h>

#include <asm/apic.h>

#include "bank.h"
#include "compat.h"

/* Delivery status in an entry of the extended LVT: a bit that the APIC sets */
#define ENTRY_STATUS BIT(12)

/* Bits of IBS_OP_CTL that the CPU changes, or that start and stop the count */
#define CHANGES (BPMU_IBS_OP_ON | BPMU_IBS_OP_VALID | BPMU_IBS_OP_CURRENT)

/* Returns true if the APIC of this CPU delivers the interrupts of IBS as NMIs. */
static bool delivers(void)
{
	u64 ctl;

	if (rdmsrq_safe(BPMU_MSR_IBS_CTL, &ctl) || !(ctl & BPMU_IBS_CTL_VALID))
		return false;
	return (apic->read(BPMU_IBS_LVT(BPMU_IBS_CTL_ENTRY(ctl))) & ~ENTRY_STATUS) == APIC_DM_NMI;
}

/**
 * bpmu_tagged_obstacles() - find what keeps this CPU from sampling ops by IBS
 * @pmu: PMU of this CPU
 *
 * Context: this CPU, interrupts off.
 * Return: set of &enum bpmu_obstacle; 0 if there is no obstacle, or if the part has no IBS.
 */
u32 bpmu_tagged_obstacles(const struct bpmu_pmu *pmu)
{
	u32 set = 0;
	u64 ctl;

	lockdep_assert_irqs_disabled();
	if (!pmu->ibs)
		return 0;
	if (!rdmsrq_safe(BPMU_MSR_IBS_OP_CTL, &ctl) && ctl & BPMU_IBS_OP_ON)
		set |= BPMU_OBSTACLE_IBS;
	if (!delivers())
		set |= BPMU_OBSTACLE_IBS_LVT;
	return set;
}

/* Returns true if IBS_OP_CTL holds a maximum count that is written without the enable bit. */
static bool holds(void)
{
	const u64 proof = bpmu_ibs_max(1000 * BPMU_IBS_STEP);
	u64 value;

	return !wrmsrq_safe(BPMU_MSR_IBS_OP_CTL, proof) &&
	       !rdmsrq_safe(BPMU_MSR_IBS_OP_CTL, &value) &&
	       (value & ~BPMU_IBS_OP_CURRENT) == proof;
}

/**
 * bpmu_tagged_save() - save the control register of this CPU's instruction-based sampling (IBS)
 * @bank: core bank; nothing is done if the session does not sample ops
 *
 * Each register of a sample is read once, and the control register is written, by functions that
 * survive a fault; those of the sampling path do not.
 *
 * Context: this CPU, interrupts off.
 * Return: 0; -EIO if a register cannot be read, or the control register does not hold its value;
 * &bpmu_bank_ops.busy_error if another agent has enabled IBS.
 */
int bpmu_tagged_save(const struct bpmu_bank *bank)
{
	struct bpmu_tagged *tagged = bank->tagged;
	u64 value;
	int err;
	u32 msr;

	lockdep_assert_irqs_disabled();
	if (!tagged)
		return 0;
	*tagged = (struct bpmu_tagged){ };
	err = rdmsrq_safe(BPMU_MSR_IBS_OP_CTL, &tagged->found);
	for (msr = BPMU_MSR_IBS_OP_RIP; msr <= BPMU_MSR_IBS_DC_LINEAR; msr++)
		err |= rdmsrq_safe(msr, &value);
	if (err)
		return -EIO;
	if (tagged->found & BPMU_IBS_OP_ON)
		return bank->ops->busy_error;
	tagged->ctl = tagged->found & ~CHANGES;
	err = holds() ? 0 : -EIO;
	wrmsrq_safe(BPMU_MSR_IBS_OP_CTL, tagged->found);
	return err;
}

/*
 * Reads IBS_OP_CTL. If another agent has written the register, &bpmu_tagged.foreign is set. An NMI
 * of this module may set the next period between the read and the comparison: the register is read
 * again then.
 */
static u64 read_ctl(const struct bpmu_bank *bank)
{
	struct bpmu_tagged *tagged = bank->tagged;
	u64 ctl, changed;
	u32 times;

	do {
		times = READ_ONCE(tagged->times);
		ctl = bpmu_rdmsr(BPMU_MSR_IBS_OP_CTL);
		changed = (ctl ^ READ_ONCE(tagged->ctl)) & ~CHANGES;
	} while (times != READ_ONCE(tagged->times));
	if (changed)
		WRITE_ONCE(tagged->foreign, true);
	return ctl;
}

/* Returns true if another agent has written IBS_OP_CTL: the module then leaves it alone. */
static bool is_foreign(const struct bpmu_bank *bank)
{
	read_ctl(bank);
	return READ_ONCE(bank->tagged->foreign);
}

/**
 * bpmu_tagged_restore() - restore the control register of this CPU's sampling of ops (IBS)
 * @bank: core bank that is stopped; nothing is done if the session does not sample ops, or if
 *	another agent has written the register
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_restore(const struct bpmu_bank *bank)
{
	lockdep_assert_irqs_disabled();
	if (bank->tagged && !is_foreign(bank))
		bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, bank->tagged->found);
}

/**
 * bpmu_tagged_begin() - find if another agent has enabled IBS, before the first period
 * @bank: core bank with interrupts, which is stopped; nothing is done if the session does not
 *	sample ops
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_begin(const struct bpmu_bank *bank)
{
	if (bank->tagged)
		bank->tagged->foreign = bpmu_rdmsr(BPMU_MSR_IBS_OP_CTL) & BPMU_IBS_OP_ON;
}

/**
 * bpmu_tagged_set() - set the period of IBS, and end a sample
 * @bank: core bank with interrupts
 * @select: event select of the event
 * @period: number of ops or cycles
 *
 * The count begins as far above 0 as the period is below a multiple of BPMU_IBS_STEP, but not
 * before bpmu_tagged_start() or bpmu_tagged_go_on(). If another agent has written the register
 * nothing is done.
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_tagged_set(const struct bpmu_bank *bank, u64 select, u64 period)
{
	struct bpmu_tagged *tagged = bank->tagged;
	u64 max = round_up(period, BPMU_IBS_STEP);

	tagged->used = true;
	if (tagged->foreign)
		return;
	tagged->ctl = bpmu_ibs_ctl(select) | bpmu_ibs_max(max) |
		      BPMU_IBS_OP_FROM(max - period);
	bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, tagged->ctl);
	WRITE_ONCE(tagged->times, tagged->times + 1);
}

/**
 * bpmu_tagged_go_on() - let IBS count at the end of an interrupt
 * @bank: core bank with interrupts; nothing is done while the session has stopped IBS
 *
 * The count of a period that has not ended goes on. If another agent has written the register
 * nothing is done.
 *
 * Context: this CPU, NMI.
 */
void bpmu_tagged_go_on(const struct bpmu_bank *bank)
{
	u64 ctl;

	if (!READ_ONCE(bank->tagged->started))
		return;
	ctl = read_ctl(bank);
	if (!READ_ONCE(bank->tagged->foreign) && !(ctl & BPMU_IBS_OP_ON))
		bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, ctl | BPMU_IBS_OP_ON);
}

/**
 * bpmu_tagged_start() - let IBS count
 * @bank: core bank with interrupts; nothing is done if its group has no event of IBS, or if another
 *	agent has written the control register
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_start(const struct bpmu_bank *bank)
{
	struct bpmu_tagged *tagged = bank->tagged;

	if (!tagged || !tagged->used)
		return;
	WRITE_ONCE(tagged->started, true);
	if (!is_foreign(bank))
		bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, tagged->ctl | BPMU_IBS_OP_ON);
}

/**
 * bpmu_tagged_stop() - stop IBS
 * @bank: core bank with interrupts; nothing is done if its group has no event of IBS, or if another
 *	agent has written the control register
 *
 * A sample that is taken at this time may raise an NMI without a valid sample (Linux, ibs.c,
 * perf_ibs_stop()). An NMI with a sample sets the next period, without the enable bit, because the
 * caller has cleared &bpmu_tagged.started: what was read before it must not stay in the register.
 *
 * Context: this CPU, interrupts off; an NMI may come.
 */
void bpmu_tagged_stop(const struct bpmu_bank *bank)
{
	struct bpmu_tagged *tagged = bank->tagged;
	u32 times;
	u64 ctl;

	if (!tagged || !tagged->used)
		return;
	times = READ_ONCE(tagged->times);
	ctl = read_ctl(bank);
	if (READ_ONCE(tagged->foreign))
		return;
	bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, ctl & ~BPMU_IBS_OP_ON);
	if (times != READ_ONCE(tagged->times))
		bpmu_wrmsr(BPMU_MSR_IBS_OP_CTL, READ_ONCE(tagged->ctl));
}

/**
 * bpmu_tagged_found() - check if IBS has sampled an op that has not been taken
 * @bank: core bank with interrupts, whose session samples ops
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: true if the registers have a sample; false if it is another agent's.
 */
bool bpmu_tagged_found(const struct bpmu_bank *bank)
{
	return read_ctl(bank) & BPMU_IBS_OP_VALID && !READ_ONCE(bank->tagged->foreign);
}

/**
 * bpmu_tagged_count() - read how many ops or cycles of its period IBS has counted
 * @bank: core bank with interrupts
 * @period: the period that was last set
 *
 * If another agent has written the register, &bpmu_tagged.foreign is set: what was counted is not
 * known.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: the number; @period if an op has been sampled.
 */
u64 bpmu_tagged_count(const struct bpmu_bank *bank, u64 period)
{
	u64 ctl = read_ctl(bank);

	return ctl & BPMU_IBS_OP_VALID ? period :
					 BPMU_IBS_OP_COUNT(ctl) -
					 BPMU_IBS_OP_COUNT(READ_ONCE(bank->tagged->ctl));
}

/**
 * bpmu_tagged_read() - read the registers of the op that IBS has sampled
 * @sample: set to their values
 *
 * Context: this CPU, NMI.
 */
void bpmu_tagged_read(struct bpmu_ibs_sample *sample)
{
	sample->rip = bpmu_rdmsr(BPMU_MSR_IBS_OP_RIP);
	sample->data = bpmu_rdmsr(BPMU_MSR_IBS_OP_DATA);
	sample->data2 = bpmu_rdmsr(BPMU_MSR_IBS_OP_DATA2);
	sample->data3 = bpmu_rdmsr(BPMU_MSR_IBS_OP_DATA3);
	sample->linear = bpmu_rdmsr(BPMU_MSR_IBS_DC_LINEAR);
}
