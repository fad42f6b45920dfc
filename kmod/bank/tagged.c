// SPDX-License-Identifier: GPL-2.0
/*
 * IBS has no counter that is preloaded: a control register has the period, and the count, which
 * begins at 0. When an op or a fetch has been sampled the count stops until the handler writes the
 * register again, so that what happens from the tag to the end of the interrupt is in no period.
 * Ops and fetches have a control register each, and are sampled independently of each other.
 *
 * Linux keeps the low bits of the count of ops after a sample, which the CPU has chosen at random.
 * The module writes the bits itself, since its periods are random already, and each is then known
 * exactly. The maximum is a multiple of 16: a period of ops of another length begins above 0,
 * because with multiples alone a loop of 8 ops would have all its samples at one of them. The count
 * of fetches is in units of 16: its periods are multiples. Some parts reset the count of fetches
 * only when the enable bit changes from 0 to 1 (Linux, ibs.c, fetch_count_reset_broken): each
 * period begins so.
 *
 * IBS has an entry of its own in the APIC's extended LVT, one for both kinds. The kernel sets it up
 * at boot as an NMI, on each CPU; nothing masks it. There is no reservation for IBS: an agent that
 * uses it is known by the enable bit only. perf's handler comes after the module's, and reads no
 * register of IBS unless perf has an event of it.
 *
 * Some parts have a second control register of each kind, with more filters, and a bit that keeps
 * the kind off. There perf sets that bit at boot and to stop, and leaves the enable bit set. The
 * module clears the bit for a session, and starts and stops by the enable bit as elsewhere.
 */
#include "tagged.h"

#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/math.h>

#include <asm/apic.h>

#include "bank.h"
#include "compat.h"

/* Delivery status in an entry of the extended LVT: a bit that the APIC sets */
#define ENTRY_STATUS BIT(12)

/*
 * Time in which a handler takes a sample. An APIC delivers the NMI within some microseconds, a
 * hypervisor may take longer.
 */
#define TAKEN_US 1000

/**
 * struct kind - registers of what IBS samples
 * @cap: bit of &bpmu_pmu.ibs without which the CPU lacks it
 * @obstacle: &enum bpmu_obstacle if another agent uses it
 * @ctl: MSR of the control register
 * @ctl2: MSR of the second control register, on CPUs with %BPMU_IBS_CTL2
 * @last: last MSR of a sample; @ctl is the first one
 * @on: enable bit
 * @valid: the registers have a sample, and nothing is counted
 * @changes: bits of the control register that the CPU changes, or that start and stop the count
 */
struct kind {
	u32 cap;
	u32 obstacle;
	u32 ctl;
	u32 ctl2;
	u32 last;
	u64 on;
	u64 valid;
	u64 changes;
};

static const struct kind kinds[BPMU_TAGGED_KINDS] = {
	[BPMU_TAGGED_OPS] = {
		.cap = BPMU_IBS_OPS,
		.obstacle = BPMU_OBSTACLE_IBS,
		.ctl = BPMU_MSR_IBS_OP_CTL,
		.ctl2 = BPMU_MSR_IBS_OP_CTL2,
		.last = BPMU_MSR_IBS_DC_LINEAR,
		.on = BPMU_IBS_OP_ON,
		.valid = BPMU_IBS_OP_VALID,
		.changes = BPMU_IBS_OP_ON | BPMU_IBS_OP_VALID | BPMU_IBS_OP_CURRENT,
	},
	[BPMU_TAGGED_FETCHES] = {
		.cap = BPMU_IBS_FETCHES,
		.obstacle = BPMU_OBSTACLE_IBS_FETCH,
		.ctl = BPMU_MSR_IBS_FETCH_CTL,
		.ctl2 = BPMU_MSR_IBS_FETCH_CTL2,
		.last = BPMU_MSR_IBS_FETCH_LINEAR,
		.on = BPMU_IBS_FETCH_ON,
		.valid = BPMU_IBS_FETCH_VALID,
		.changes = ~(BPMU_IBS_FETCH_MAX | BPMU_IBS_FETCH_RANDOM | BPMU_IBS_FETCH_L3_MISS),
	},
};

static enum bpmu_tagged_kind kind_of(u32 counter)
{
	return counter == BPMU_FETCH_COUNTER ? BPMU_TAGGED_FETCHES : BPMU_TAGGED_OPS;
}

/* Returns the bit of a kind's count in a set of counters. */
static u64 status_of(enum bpmu_tagged_kind kind)
{
	return BIT_ULL(kind == BPMU_TAGGED_FETCHES ? BPMU_FETCH_COUNTER : BPMU_IBS_COUNTER);
}

/*
 * Reads the second control register of a kind into @value: 0 if the CPU has none. Returns 0 or
 * -EIO.
 */
static int read_ctl2(const struct bpmu_pmu *pmu, const struct kind *kind, u64 *value)
{
	*value = 0;
	return pmu->ibs & BPMU_IBS_CTL2 ? rdmsrq_safe(kind->ctl2, value) : 0;
}

/*
 * Returns true if another agent samples a kind on this CPU, whose control registers have these
 * values. Linux' perf can leave a kind enabled with a sample that nobody takes: an NMI that comes
 * while perf stops the kind, after its sample was seen, enables the kind again. Nothing is counted
 * then, ever. The handler of an agent that samples takes a sample within TAKEN_US.
 */
static bool is_sampled(const struct kind *kind, u64 ctl, u64 ctl2)
{
	unsigned int i;

	if (!(ctl & kind->on) || ctl2 & BPMU_IBS_OFF)
		return false;
	for (i = 0; ctl & kind->valid && i < TAKEN_US; i++) {
		udelay(1);
		ctl = bpmu_rdmsr(kind->ctl);
	}
	return ctl & kind->on && !(ctl & kind->valid);
}

/* Returns true if the APIC of this CPU delivers the interrupts of IBS as NMIs. */
static bool delivers(void)
{
	u64 ctl;

	if (rdmsrq_safe(BPMU_MSR_IBS_CTL, &ctl) || !(ctl & BPMU_IBS_CTL_VALID))
		return false;
	return (apic->read(BPMU_IBS_LVT(BPMU_IBS_CTL_ENTRY(ctl))) & ~ENTRY_STATUS) == APIC_DM_NMI;
}

/**
 * bpmu_tagged_attach() - say which kinds of IBS a session samples
 * @tagged: state of each kind on one CPU, [&enum bpmu_tagged_kind]
 * @ops: ops are sampled
 * @fetches: fetches are sampled
 *
 * Context: any; the CPU has no counters of a session.
 */
void bpmu_tagged_attach(struct bpmu_tagged *tagged, bool ops, bool fetches)
{
	tagged[BPMU_TAGGED_OPS] = (struct bpmu_tagged){ .sampled = ops };
	tagged[BPMU_TAGGED_FETCHES] = (struct bpmu_tagged){ .sampled = fetches };
}

/**
 * bpmu_tagged_obstacles() - find what keeps this CPU from sampling ops or fetches by IBS
 * @pmu: PMU of this CPU
 *
 * Context: this CPU, interrupts off.
 * Return: set of &enum bpmu_obstacle; 0 if there is no obstacle, or if the part has no IBS.
 */
u32 bpmu_tagged_obstacles(const struct bpmu_pmu *pmu)
{
	const struct kind *kind;
	u64 ctl, ctl2;
	u32 set = 0;

	lockdep_assert_irqs_disabled();
	if (!pmu->ibs)
		return 0;
	for (kind = kinds; kind < kinds + BPMU_TAGGED_KINDS; kind++)
		if (pmu->ibs & kind->cap && !rdmsrq_safe(kind->ctl, &ctl) &&
		    !read_ctl2(pmu, kind, &ctl2) && is_sampled(kind, ctl, ctl2))
			set |= kind->obstacle;
	if (!delivers())
		set |= BPMU_OBSTACLE_IBS_LVT;
	return set;
}

/* Returns true if a control register holds a maximum count, written without the enable bit. */
static bool holds(enum bpmu_tagged_kind kind)
{
	const u64 proof = 1000;
	u64 value;

	return !wrmsrq_safe(kinds[kind].ctl, proof) && !rdmsrq_safe(kinds[kind].ctl, &value) &&
	       (value & ~kinds[kind].changes) == proof;
}

/*
 * Returns true if the second control register of a kind, which has the value @found2, can let the
 * kind count, or the CPU has none. The enable bit of the first one is 0 meanwhile.
 */
static bool lets_count(const struct bpmu_pmu *pmu, enum bpmu_tagged_kind kind, u64 found2)
{
	u64 value;
	bool lets;

	if (!(pmu->ibs & BPMU_IBS_CTL2))
		return true;
	lets = !wrmsrq_safe(kinds[kind].ctl2, found2 & ~BPMU_IBS_OFF) &&
	       !rdmsrq_safe(kinds[kind].ctl2, &value) && !(value & BPMU_IBS_OFF);
	return !wrmsrq_safe(kinds[kind].ctl2, found2) && lets;
}

/* Returns the state of a kind if the session has an event of it; otherwise NULL. */
static struct bpmu_tagged *state_of(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind)
{
	return bank->tagged && bank->tagged[kind].sampled ? &bank->tagged[kind] : NULL;
}

/* Saves the control registers of a kind; returns as bpmu_tagged_save(). */
static int save(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind)
{
	struct bpmu_tagged *tagged = state_of(bank, kind);
	const struct kind *regs = &kinds[kind];
	int err = 0;
	u64 value;
	u32 msr;

	if (!tagged)
		return 0;
	*tagged = (struct bpmu_tagged){ .sampled = true };
	for (msr = regs->ctl; msr <= regs->last; msr++)
		err |= rdmsrq_safe(msr, &value);
	err |= rdmsrq_safe(regs->ctl, &tagged->found);
	err |= read_ctl2(bank->pmu, regs, &tagged->found2);
	if (err)
		return -EIO;
	if (is_sampled(regs, tagged->found, tagged->found2))
		return bank->ops->busy_error;
	tagged->ctl = tagged->found & ~regs->changes;
	err = holds(kind) && lets_count(bank->pmu, kind, tagged->found2) ? 0 : -EIO;
	wrmsrq_safe(regs->ctl, tagged->found);
	return err;
}

/**
 * bpmu_tagged_save() - save the control registers of this CPU's instruction-based sampling (IBS)
 * @bank: core bank; nothing is done for a kind of which the session has no event
 *
 * Each register of a sample is read once, and the control registers are written, by functions that
 * survive a fault; those of the sampling path do not. bpmu_probe_pmus() has read the register that
 * not all parts have.
 *
 * Context: this CPU, interrupts off.
 * Return: 0; -EIO if a register cannot be read, or a control register does not hold its value;
 * &bpmu_bank_ops.busy_error if another agent has enabled IBS of the same kind.
 */
int bpmu_tagged_save(const struct bpmu_bank *bank)
{
	int err;

	lockdep_assert_irqs_disabled();
	err = save(bank, BPMU_TAGGED_OPS);
	return err ? err : save(bank, BPMU_TAGGED_FETCHES);
}

/*
 * Reads a control register. If another agent has written the register, &bpmu_tagged.foreign is set.
 * An NMI of this module may set the next period between the read and the comparison: the register
 * is read again then.
 */
static u64 read_ctl(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind)
{
	struct bpmu_tagged *tagged = &bank->tagged[kind];
	u64 ctl, changed;
	u32 times;

	do {
		times = READ_ONCE(tagged->times);
		ctl = bpmu_rdmsr(kinds[kind].ctl);
		changed = (ctl ^ READ_ONCE(tagged->ctl)) & ~kinds[kind].changes;
	} while (times != READ_ONCE(tagged->times));
	if (changed)
		WRITE_ONCE(tagged->foreign, true);
	return ctl;
}

/* Returns true if another agent has written a control register: the module then leaves it alone. */
static bool is_foreign(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind)
{
	read_ctl(bank, kind);
	return READ_ONCE(bank->tagged[kind].foreign);
}

/* Returns the state of a kind if an event of the group is of it; otherwise NULL. */
static struct bpmu_tagged *used(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind)
{
	struct bpmu_tagged *tagged = state_of(bank, kind);

	return tagged && tagged->used ? tagged : NULL;
}

/* Sets the second control register of a kind, if it has another value and the CPU has one. */
static void set_ctl2(const struct bpmu_bank *bank, enum bpmu_tagged_kind kind, u64 value)
{
	struct bpmu_tagged *tagged = &bank->tagged[kind];

	if (tagged->ctl2 == value || !(bank->pmu->ibs & BPMU_IBS_CTL2))
		return;
	tagged->ctl2 = value;
	bpmu_wrmsr(kinds[kind].ctl2, value);
}

/**
 * bpmu_tagged_restore() - restore the control registers of this CPU's IBS
 * @bank: core bank that is stopped; nothing is done for a kind of which the session has no event,
 *	or whose register another agent has written
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_restore(const struct bpmu_bank *bank)
{
	enum bpmu_tagged_kind kind;

	lockdep_assert_irqs_disabled();
	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++)
		if (state_of(bank, kind) && !is_foreign(bank, kind)) {
			/* The enable bit may be set in a register that the other one keeps off. */
			set_ctl2(bank, kind, bank->tagged[kind].found2);
			bpmu_wrmsr(kinds[kind].ctl, bank->tagged[kind].found);
		}
}

/**
 * bpmu_tagged_begin() - find if another agent has enabled IBS, before the first period
 * @bank: core bank with interrupts, which is stopped; nothing is done for a kind of which the
 *	session has no event
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_begin(const struct bpmu_bank *bank)
{
	struct bpmu_tagged *tagged;
	enum bpmu_tagged_kind kind;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++) {
		tagged = state_of(bank, kind);
		if (!tagged)
			continue;
		if (bank->pmu->ibs & BPMU_IBS_CTL2)
			tagged->ctl2 = bpmu_rdmsr(kinds[kind].ctl2);
		tagged->foreign = is_sampled(&kinds[kind], bpmu_rdmsr(kinds[kind].ctl),
					     tagged->ctl2);
	}
}

/* Returns the value of a control register, without the enable bit, for a period of an event. */
static u64 ctl_of(enum bpmu_tagged_kind kind, u64 select, u64 period)
{
	u64 max = round_up(period, BPMU_IBS_STEP);

	if (kind == BPMU_TAGGED_FETCHES)
		return bpmu_ibs_fetch_ctl(select) | bpmu_ibs_fetch_max(max);
	return bpmu_ibs_ctl(select) | bpmu_ibs_max(max) | BPMU_IBS_OP_FROM(max - period);
}

/**
 * bpmu_tagged_set() - set the period of an event of IBS, and end a sample
 * @bank: core bank with interrupts
 * @counter: number of the event's counter
 * @select: event select of the event
 * @period: number of ops or cycles; of fetches, a multiple of BPMU_IBS_STEP
 *
 * The count of ops begins as far above 0 as the period is below a multiple of BPMU_IBS_STEP. It
 * does not begin before bpmu_tagged_start() or bpmu_tagged_go_on(). If another agent has written
 * the register nothing is done.
 *
 * Context: this CPU, interrupts off or NMI.
 */
void bpmu_tagged_set(const struct bpmu_bank *bank, u32 counter, u64 select, u64 period)
{
	enum bpmu_tagged_kind kind = kind_of(counter);
	struct bpmu_tagged *tagged = &bank->tagged[kind];

	tagged->used = true;
	if (tagged->foreign)
		return;
	tagged->ctl = ctl_of(kind, select, period);
	bpmu_wrmsr(kinds[kind].ctl, tagged->ctl);
	set_ctl2(bank, kind, kind == BPMU_TAGGED_FETCHES ? bpmu_ibs_fetch_ctl2(select) :
							   bpmu_ibs_ctl2(select));
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
	const struct bpmu_tagged *tagged;
	enum bpmu_tagged_kind kind;
	u64 ctl;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++) {
		tagged = used(bank, kind);
		if (!tagged || !READ_ONCE(tagged->started))
			continue;
		ctl = read_ctl(bank, kind);
		if (!READ_ONCE(tagged->foreign) && !(ctl & kinds[kind].on))
			bpmu_wrmsr(kinds[kind].ctl, ctl | kinds[kind].on);
	}
}

/**
 * bpmu_tagged_start() - let IBS count
 * @bank: core bank with interrupts; nothing is done for a kind of which its group has no event, or
 *	whose register another agent has written
 *
 * Context: this CPU, interrupts off.
 */
void bpmu_tagged_start(const struct bpmu_bank *bank)
{
	enum bpmu_tagged_kind kind;
	struct bpmu_tagged *tagged;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++) {
		tagged = used(bank, kind);
		if (!tagged)
			continue;
		WRITE_ONCE(tagged->started, true);
		if (!is_foreign(bank, kind))
			bpmu_wrmsr(kinds[kind].ctl, tagged->ctl | kinds[kind].on);
	}
}

/**
 * bpmu_tagged_hold() - keep interrupts from letting IBS count again
 * @bank: core bank with interrupts
 *
 * Context: this CPU, interrupts off.
 * Return: number of kinds that IBS counts: as many NMIs without a sample may come when
 * bpmu_tagged_stop() stops them.
 */
u32 bpmu_tagged_hold(const struct bpmu_bank *bank)
{
	enum bpmu_tagged_kind kind;
	struct bpmu_tagged *tagged;
	u32 nr = 0;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++) {
		tagged = used(bank, kind);
		if (!tagged)
			continue;
		WRITE_ONCE(tagged->started, false);
		nr++;
	}
	return nr;
}

/**
 * bpmu_tagged_stop() - stop IBS
 * @bank: core bank with interrupts, after bpmu_tagged_hold(); nothing is done for a kind of which
 *	its group has no event, or whose register another agent has written
 *
 * A sample that is taken at this time may raise an NMI without a valid sample (Linux, ibs.c,
 * perf_ibs_stop()). An NMI with a sample sets the next period, without the enable bit, because the
 * caller has held IBS: what was read before it must not stay in the register.
 *
 * Context: this CPU, interrupts off; an NMI may come.
 */
void bpmu_tagged_stop(const struct bpmu_bank *bank)
{
	const struct bpmu_tagged *tagged;
	enum bpmu_tagged_kind kind;
	u32 times;
	u64 ctl;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++) {
		tagged = used(bank, kind);
		if (!tagged)
			continue;
		times = READ_ONCE(tagged->times);
		ctl = read_ctl(bank, kind);
		if (READ_ONCE(tagged->foreign))
			continue;
		bpmu_wrmsr(kinds[kind].ctl, ctl & ~kinds[kind].on);
		if (times != READ_ONCE(tagged->times))
			bpmu_wrmsr(kinds[kind].ctl, READ_ONCE(tagged->ctl));
	}
}

/**
 * bpmu_tagged_found() - find samples of IBS that have not been taken
 * @bank: core bank with interrupts
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: set of the counters whose registers have a sample; those of another agent are left out.
 */
u64 bpmu_tagged_found(const struct bpmu_bank *bank)
{
	enum bpmu_tagged_kind kind;
	u64 set = 0;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++)
		if (used(bank, kind) && read_ctl(bank, kind) & kinds[kind].valid &&
		    !READ_ONCE(bank->tagged[kind].foreign))
			set |= status_of(kind);
	return set;
}

/* Returns the count in a control register. */
static u64 count_in(enum bpmu_tagged_kind kind, u64 ctl)
{
	return kind == BPMU_TAGGED_FETCHES ? BPMU_IBS_FETCH_COUNT(ctl) : BPMU_IBS_OP_COUNT(ctl);
}

/**
 * bpmu_tagged_count() - read how much of its period IBS has counted
 * @bank: core bank with interrupts
 * @counter: number of the event's counter
 * @period: the period that was last set
 *
 * If another agent has written the register, &bpmu_tagged.foreign is set: what was counted is not
 * known.
 *
 * Context: this CPU, interrupts off or NMI.
 * Return: number of ops, cycles or fetches; @period if there is a sample.
 */
u64 bpmu_tagged_count(const struct bpmu_bank *bank, u32 counter, u64 period)
{
	enum bpmu_tagged_kind kind = kind_of(counter);
	u64 ctl = read_ctl(bank, kind);

	return ctl & kinds[kind].valid ?
		       period :
		       count_in(kind, ctl) - count_in(kind, READ_ONCE(bank->tagged[kind].ctl));
}

/**
 * bpmu_tagged_disturbed() - check if another agent has written a control register of IBS
 * @bank: core bank with interrupts
 *
 * Context: this CPU, interrupts off.
 * Return: true if one was seen since the counters were preloaded.
 */
bool bpmu_tagged_disturbed(const struct bpmu_bank *bank)
{
	enum bpmu_tagged_kind kind;

	for (kind = 0; kind < BPMU_TAGGED_KINDS; kind++)
		if (state_of(bank, kind) && READ_ONCE(bank->tagged[kind].foreign))
			return true;
	return false;
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

/**
 * bpmu_tagged_read_fetch() - read the registers of the fetch that IBS has sampled
 * @caps: what IBS can do
 * @sample: set to their values
 *
 * Context: this CPU, NMI.
 */
void bpmu_tagged_read_fetch(u32 caps, struct bpmu_ibs_fetch *sample)
{
	sample->ctl = bpmu_rdmsr(BPMU_MSR_IBS_FETCH_CTL);
	sample->linear = bpmu_rdmsr(BPMU_MSR_IBS_FETCH_LINEAR);
	sample->ext = caps & BPMU_IBS_FETCH_EXT ? bpmu_rdmsr(BPMU_MSR_IBS_FETCH_EXT) : 0;
}
