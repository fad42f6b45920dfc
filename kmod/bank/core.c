// SPDX-License-Identifier: GPL-2.0
#include "core.h"

#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/netlink.h>
#include <linux/percpu.h>
#include <linux/sched/isolation.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

#include "compat.h"
#include "intel.h"
#include "interrupts.h"
#include "machine/cpu_run.h"
#include "machine/probe.h"
#include "trace.h"

/* Value that is written to a counter and read back, to prove that the counter works; below 2^31 */
#define PROOF (U32_MAX / 5)

/**
 * struct shared_extras - extra registers (MSRs) that a thread shares with its sibling
 * @held: set of &enum bpmu_extra_id that the session has written on this thread
 * @before: values before the session of the registers in @held, [BPMU_EXTRAS]
 */
struct shared_extras {
	u32 held;
	u64 before[BPMU_EXTRAS];
};

/* Protects shared_extras: both threads of a core may be programmed or restored at the same time. */
static DEFINE_RAW_SPINLOCK(shared_extras_lock);
static DEFINE_PER_CPU(struct shared_extras, shared_extras);

static u32 select_msr(const struct bpmu_pmu *pmu, unsigned int i)
{
	return bpmu_pmu_select_msr(pmu->part, i);
}

static int save_control(const struct bpmu_pmu *pmu,
			struct bpmu_core_saved *saved)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pmu->gp_counters; i++)
		err |= rdmsrq_safe(select_msr(pmu, i), &saved->select[i]);
	if (pmu->fixed_counters)
		err |= rdmsrq_safe(pmu->part->msrs.fixed_ctrl,
				   &saved->fixed_ctrl);
	return err ? -EIO : 0;
}

/**
 * bpmu_core_enabled() - find the core counters that an event select or the fixed control enables
 * @pmu: the CPU's counters
 * @saved: values of the counters' registers
 *
 * The global control is no evidence of use: perf leaves all its bits set after its last event has
 * stopped.
 *
 * Context: any.
 * Return: bit set of the enabled counters, as in the global control.
 */
u64 bpmu_core_enabled(const struct bpmu_pmu *pmu,
		      const struct bpmu_core_saved *saved)
{
	u64 set = 0;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++)
		if (saved->select[i] & BPMU_SEL_EN)
			set |= 1ULL << i;
	for (i = 0; i < pmu->fixed_counters; i++)
		if ((saved->fixed_ctrl >> (i * BPMU_FIXED_BITS)) &
		    BPMU_FIXED_GROUP)
			set |= BPMU_FIXED_BIT(i);
	return set;
}

static int save_global(const struct bpmu_pmu *pmu,
		       struct bpmu_core_saved *saved)
{
	int err;

	if (!pmu->global)
		return 0;
	err = rdmsrq_safe(pmu->part->msrs.global_ctrl, &saved->global_ctrl);
	err |= rdmsrq_safe(pmu->part->msrs.global_status,
			   &saved->global_status);
	return err ? -EIO : 0;
}

/*
 * Returns the operand of RDPMC that reads a counter. IBS has none: counter 0 is read in its place,
 * and bpmu_interrupts_read() replaces the value.
 */
static u32 rdpmc_index(u32 counter)
{
	if (bpmu_tagged_is(counter))
		return 0;
	if (counter == BPMU_METRICS_COUNTER)
		return BPMU_RDPMC_METRICS;
	if (counter >= BPMU_FIXED_BASE)
		return (counter - BPMU_FIXED_BASE) | BPMU_RDPMC_FIXED;
	return counter;
}

/*
 * Saves in @saved the values of the counters in @set, which may include PERF_METRICS. The counters
 * are read by RDPMC, which takes less time than RDMSR. Returns 0, or -EIO if a counter cannot be
 * read.
 */
static int save_counters(const struct bpmu_pmu *pmu, u64 set, struct bpmu_core_saved *saved)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < pmu->gp_counters; i++)
		if (set & BIT_ULL(i))
			bpmu_rdpmc(rdpmc_index(i), &saved->counter[i], &err);
	for (i = 0; i < pmu->fixed_counters; i++)
		if (set & BPMU_FIXED_BIT(i))
			bpmu_rdpmc(rdpmc_index(BPMU_FIXED_BASE + i), &saved->fixed[i], &err);
	if (set & BIT_ULL(BPMU_METRICS_COUNTER))
		bpmu_rdpmc(BPMU_RDPMC_METRICS, &saved->metrics, &err);
	saved->taken |= set;
	return err ? -EIO : 0;
}

/**
 * bpmu_core_save() - save the values of this core's PMU registers: those of the CPU's core counters
 * @pmu: counters of the CPU
 * @saved: set to the values
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -EIO if a register cannot be read.
 */
int bpmu_core_save(const struct bpmu_pmu *pmu, struct bpmu_core_saved *saved)
{
	int err;

	lockdep_assert_irqs_disabled();
	err = save_control(pmu, saved);
	err |= save_counters(pmu, bpmu_pmu_counters(pmu), saved);
	err |= save_global(pmu, saved);
	return err ? -EIO : 0;
}

static int bpmu_core_snapshot_here(void *now)
{
	return bpmu_core_save(bpmu_pmu_of(smp_processor_id()), now);
}

/**
 * bpmu_core_snapshot() - read the core counters' registers of any CPU
 * @cpu: a CPU that can be measured
 * @now: set to the registers' values
 *
 * Context: process, with cpus_read_lock() held.
 * Return: 0, -ENXIO if the CPU is offline, or -EIO if a register cannot be read.
 */
int bpmu_core_snapshot(unsigned int cpu, struct bpmu_core_saved *now)
{
	return bpmu_cpu_run_on(cpu, bpmu_core_snapshot_here, now);
}

/*
 * Saves the extra registers in @set, a set of &enum bpmu_extra_id. A register that cannot be read,
 * because a hypervisor hides it, is left out of @saved->extras: only sessions that use that
 * register are refused.
 */
static void save_extras(unsigned long set, struct bpmu_core_saved *saved)
{
	unsigned int i;

	for (set &= ~(unsigned long)saved->extras; set; set &= set - 1) {
		i = __ffs(set);
		if (!rdmsrq_safe(bpmu_extra_msr(i), &saved->extra[i]))
			saved->extras |= BIT(i);
	}
}

/*
 * Returns the bits of event select @i that the session leaves as it found them. From version 6 of
 * architectural performance monitoring on, one bit of each event select forbids user space to read
 * the counter. This bit may belong to a policy of the kernel, such as perf's "rdpmc".
 */
static u64 select_found(const struct bpmu_core_saved *saved, unsigned int i)
{
	return saved->select[i] & saved->kept;
}

/*
 * Stops the counters that another agent has enabled, when the session takes them over: clears their
 * event selects.
 */
static void stop_found(const struct bpmu_pmu *pmu, struct bpmu_core_saved *saved)
{
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++) {
		if (!(saved->select[i] & BPMU_SEL_EN))
			continue;
		saved->held[i] = 0;
		wrmsrq_safe(select_msr(pmu, i), select_found(saved, i));
	}
}

/*
 * Saves the control registers of a core bank; bpmu_core_prove() saves the counters. All event
 * selects are read, not only those that groups use, because writing the global control would stop
 * any counter of another agent. Returns 0; busy_error if a counter is enabled and @take_over is
 * false; -EIO if a register cannot be read.
 */
static int bpmu_core_bank_save(struct bpmu_bank *bank, bool take_over)
{
	struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	u64 enabled;
	int err;

	*saved = (struct bpmu_core_saved){ };
	if (save_control(pmu, saved) || save_global(pmu, saved))
		return -EIO;
	enabled = bpmu_core_enabled(pmu, saved);
	if (enabled && !take_over)
		return bank->ops->busy_error;
	saved->kept = pmu->version >= BPMU_V6_VERSION ? BPMU_SEL_RDPMC_USER : 0;
	memcpy(saved->held, saved->select, sizeof(saved->held));
	saved->fixed_held = saved->fixed_ctrl & ~BPMU_FIXED_RDPMC_USERS;
	if (enabled)
		stop_found(pmu, saved);
	/*
	 * Counters that start close below overflow will overflow, and their overflow bits cannot be
	 * told from older ones. With 0 saved here, all overflow bits are cleared after the session.
	 */
	if (bank->top || bank->interrupts)
		saved->global_status = 0;
	if (!bank->interrupts)
		return 0;
	err = bpmu_pebs_save(bank);
	if (!err)
		err = bpmu_tagged_save(bank);
	if (!err)
		err = bpmu_branches_save(bank);
	if (!err)
		bpmu_interrupts_arm(bank);
	return err;
}

/* Clears those overflow bits that were clear before the session. */
static void clear_overflow(const struct bpmu_pmu *pmu,
			   const struct bpmu_core_saved *saved)
{
	u64 status;

	if (rdmsrq_safe(pmu->part->msrs.global_status, &status))
		return;
	status &= ~saved->global_status & saved->taken;
	if (status)
		wrmsrq_safe(pmu->part->msrs.global_ovf, status);
}

static void write_gp(const struct bpmu_pmu *pmu, unsigned int i, u64 value)
{
	wrmsrq_safe(bpmu_pmu_counter_msr(pmu->part, i, bpmu_probe_full_width()), value);
}

/* Returns true if RDPMC of a counter does not fault, and reads @value. */
static bool reads_as(u32 counter, u64 value)
{
	u64 now = 0;
	int err = 0;

	bpmu_rdpmc(rdpmc_index(counter), &now, &err);
	return !err && now == value;
}

/*
 * Returns the bit set of the counters that the bank's groups use, and sets @extras to the set of
 * extra registers that they use (bits of enum bpmu_extra_id).
 */
static u64 needs(const struct bpmu_bank *bank, unsigned long *extras)
{
	const struct bpmu_core_setup *setup;
	u64 counters = 0;
	u32 g;

	*extras = 0;
	for (g = 0; g < bank->groups->nr; g++) {
		setup = &bank->groups->group[g].setup[bank->thread];
		counters |= setup->enable;
		*extras |= setup->extras;
	}
	return counters;
}

/*
 * Returns true if the counters in @set hold what is written to them, and RDPMC reads that value. A
 * hypervisor may ignore writes, or let RDPMC fault. PROOF is below 2^31, because without full-width
 * writes a counter sign-extends bit 31 of what is written. PERF_METRICS, which save_counters() has
 * read, is not written, because its value follows from fixed counter 3.
 */
static bool counters_work(const struct bpmu_pmu *pmu, const struct bpmu_core_saved *saved, u64 set)
{
	const u32 fixed = pmu->part->msrs.fixed;
	bool works = true;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++) {
		if (!(set & BIT_ULL(i)))
			continue;
		write_gp(pmu, i, PROOF);
		works &= reads_as(i, PROOF);
		write_gp(pmu, i, saved->counter[i]);
	}
	for (i = 0; i < pmu->fixed_counters; i++) {
		if (!(set & BPMU_FIXED_BIT(i)))
			continue;
		works &= !wrmsrq_safe(fixed + i, PROOF);
		works &= reads_as(BPMU_FIXED_BASE + i, PROOF);
		wrmsrq_safe(fixed + i, saved->fixed[i]);
	}
	return works;
}

/*
 * Saves those counters of the bank's groups that have not been used in this session before, and
 * proves that they hold what is written. Returns 0 or -EIO.
 */
static int bpmu_core_prove(const struct bpmu_bank *bank)
{
	struct bpmu_core_saved *saved = bank->saved;
	unsigned long extras;
	u64 set = needs(bank, &extras) & ~saved->taken;

	save_extras(extras, saved);
	if (save_counters(bank->pmu, set, saved))
		return -EIO;
	return counters_work(bank->pmu, saved, set) ? 0 : -EIO;
}

/**
 * bpmu_core_stop_selects() - stop core counters by clearing their event selects
 * @bank: of a CPU model without a global control, with a scheduled group
 *
 * Only the counters of the scheduled group can run, unless another agent has written event selects.
 *
 * Context: this CPU, interrupts off; the sampling path.
 */
void bpmu_core_stop_selects(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	unsigned int i;

	if (bank->running)
		bpmu_selects_stop(bank);
	for (i = 0; bank->running && i < setup->nr_gp; i++)
		saved->held[setup->gp[i]] = 0;
	for (i = 0; bank->wary && i < pmu->gp_counters; i++) {
		wrmsrq_safe(select_msr(pmu, i), 0);
		saved->held[i] = 0;
	}
}

/*
 * Returns the shared_extras of the other thread of this core if that thread has written extra
 * register @i; otherwise NULL.
 */
static struct shared_extras *other_sharer(unsigned int i)
{
	unsigned int own = smp_processor_id();
	unsigned int cpu;

	lockdep_assert_held(&shared_extras_lock);
	for_each_cpu(cpu, topology_sibling_cpumask(own))
		if (cpu != own && per_cpu(shared_extras, cpu).held & BIT(i))
			return per_cpu_ptr(&shared_extras, cpu);
	return NULL;
}

/*
 * Notes that this thread writes extra register @i, which the threads of the core share, and saves
 * the register's value from before the session. If the other thread has already written the
 * register, the value from before the session is taken from the other thread.
 */
static void hold_extra(struct bpmu_core_saved *saved, unsigned int i)
{
	struct shared_extras *own = this_cpu_ptr(&shared_extras);
	struct shared_extras *other;

	raw_spin_lock(&shared_extras_lock);
	other = other_sharer(i);
	if (other)
		saved->extra[i] = other->before[i];
	else
		rdmsrq_safe(bpmu_extra_msr(i), &saved->extra[i]);
	own->before[i] = saved->extra[i];
	own->held |= BIT(i);
	raw_spin_unlock(&shared_extras_lock);
}

/*
 * Restores extra register @i, unless the other thread of the core still uses the register: then the
 * other thread will restore it.
 */
static void release_extra(const struct bpmu_core_saved *saved, unsigned int i)
{
	raw_spin_lock(&shared_extras_lock);
	this_cpu_ptr(&shared_extras)->held &= ~BIT(i);
	if (!other_sharer(i))
		wrmsrq_safe(bpmu_extra_msr(i), saved->extra[i]);
	raw_spin_unlock(&shared_extras_lock);
}

static void restore_extras(const struct bpmu_pmu *pmu, const struct bpmu_core_saved *saved)
{
	unsigned int i;

	for (i = 0; i < BPMU_EXTRAS; i++) {
		if (!(saved->written & BIT(i)))
			continue;
		if (bpmu_extra_is_shared(pmu->part, i))
			release_extra(saved, i);
		else
			wrmsrq_safe(bpmu_extra_msr(i), saved->extra[i]);
	}
}

/*
 * Returns true if the session has written the control register of the fixed counters, and if the
 * value that it wrote last differs from the value before the session.
 */
static bool fixed_written(const struct bpmu_bank *bank)
{
	const struct bpmu_core_saved *saved = bank->saved;

	return saved->fixed_held != (saved->fixed_ctrl & ~BPMU_FIXED_RDPMC_USERS);
}

/*
 * Restores the registers. The counters are stopped already, unless another agent has started them.
 * Without full-width writes (bit 13 of IA32_PERF_CAPABILITIES is 0) a general counter sign-extends
 * 32 bits of what is written, so that the upper bits of its old value are lost. On parts without a
 * global control the event selects start the counters, and are written last. Registers that the
 * session has not written are left alone, unless another agent has written some register.
 */
static void bpmu_core_restore(struct bpmu_bank *bank)
{
	const struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	unsigned int i;

	lockdep_assert_irqs_disabled();
	if (bank->wary || bank->interrupts)
		bpmu_core_stop(bank);
	if (bank->interrupts)
		bpmu_interrupts_disarm(bank);
	for (i = 0; i < pmu->fixed_counters; i++)
		if (saved->taken & BPMU_FIXED_BIT(i))
			wrmsrq_safe(msrs->fixed + i, saved->fixed[i]);
	if (pmu->fixed_counters && (bank->wary || fixed_written(bank)))
		wrmsrq_safe(msrs->fixed_ctrl, saved->fixed_ctrl);
	if (saved->taken & BIT_ULL(BPMU_METRICS_COUNTER))
		wrmsrq_safe(BPMU_MSR_PERF_METRICS, saved->metrics);
	restore_extras(pmu, saved);
	for (i = 0; i < pmu->gp_counters; i++) {
		if (saved->taken & BIT_ULL(i))
			write_gp(pmu, i, saved->counter[i]);
		if (bank->wary || saved->held[i] != saved->select[i])
			wrmsrq_safe(select_msr(pmu, i), saved->select[i]);
	}
	if (pmu->global) {
		clear_overflow(pmu, saved);
		wrmsrq_safe(msrs->global_ctrl, saved->global_ctrl);
	}
	trace_bpmu_restore(bank->id, bank->groups, bank->at);
}

/* PERF_METRICS and IBS' count of ops have the same slot, because no part has both. */
static u8 core_slot_of(u32 counter)
{
	if (counter == BPMU_FETCH_COUNTER)
		return BPMU_BANK_SLOTS - 2;
	if (counter == BPMU_METRICS_COUNTER || counter == BPMU_IBS_COUNTER)
		return BPMU_BANK_SLOTS - 1;
	return counter < BPMU_FIXED_BASE ? counter : BPMU_MAX_GP + counter - BPMU_FIXED_BASE;
}

/* @adaptive: precise records have more than the basic group */
static void setup_event(const struct bpmu_pmu *pmu, const struct bpmu_plan_event *event,
			bool adaptive, u32 counter, struct bpmu_core_setup *setup, unsigned int i)
{
	u64 select = event->select | (event->period && !event->precise ? BPMU_SEL_INT : 0) |
		     (event->precise && adaptive ? BPMU_SEL_ADAPTIVE : 0);
	const struct bpmu_extra *extra = NULL;

	if (counter < BPMU_FIXED_BASE)
		extra = bpmu_extra_of(pmu->part, event->select);
	if (extra) {
		setup->extras |= BIT(extra->id);
		setup->extra[extra->id] = event->filter;
	}
	setup->index[i] = rdpmc_index(counter);
	setup->slot[i] = core_slot_of(counter);
	if (bpmu_tagged_is(counter))
		return;
	setup->enable |= 1ULL << counter;
	if (counter < BPMU_FIXED_BASE) {
		setup->select[setup->nr_gp] = select | BPMU_SEL_EN;
		setup->msr[setup->nr_gp] = select_msr(pmu, counter);
		setup->gp[setup->nr_gp++] = counter;
	} else if (counter == BPMU_METRICS_COUNTER) {
		setup->metrics = true;
	} else {
		setup->fixed_ctrl |= bpmu_fixed_ctrl(counter, select);
	}
}

/**
 * bpmu_core_setup() - compute the values that a core's registers get for a group of events
 * @pmu: PMU of the core type
 * @group: events with legal event selects on counters that exist; &bpmu_plan_group.setup
 *	is filled in
 * @more: records of interrupts have sections of branch records or of counts
 *
 * Context: process.
 */
void bpmu_core_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group, bool more)
{
	bool adaptive = bpmu_pmu_has_groups(pmu) &&
			(more || bpmu_plan_group_has_data(group));
	const struct bpmu_plan_event *event;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		event = &group->event[i];
		setup_event(pmu, event, adaptive, event->counter, &group->setup[0], i);
		setup_event(pmu, event, adaptive, event->sibling, &group->setup[1], i);
	}
}

static u64 fixed_found(const struct bpmu_bank *bank)
{
	const struct bpmu_core_saved *saved = bank->saved;

	return saved->fixed_ctrl & BPMU_FIXED_RDPMC_USERS;
}

/* Returns true if the extra registers of the scheduled group hold what was written. */
static bool extras_hold(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	unsigned long extras = setup->extras;
	unsigned int i;

	for (; extras; extras &= extras - 1) {
		i = __ffs(extras);
		if (bpmu_rdmsr(bpmu_extra_msr(i)) != setup->extra[i])
			return false;
	}
	return true;
}

/* Returns true if the control register of the fixed counters holds what was written. */
static bool fixed_holds(const struct bpmu_bank *bank)
{
	return !((bpmu_rdmsr(bank->pmu->part->msrs.fixed_ctrl) ^ bank->setup->fixed_ctrl) &
		 ~BPMU_FIXED_RDPMC_USERS);
}

/*
 * Returns true if the registers of the scheduled group, whose counters are stopped, hold what was
 * written. The enable bit (EN) of event selects is compared only on parts with a global control. On
 * other parts EN is 0 while the counters are stopped.
 */
static bool bpmu_core_programmed(const struct bpmu_bank *bank)
{
	u64 unchecked = bank->pmu->global ? BPMU_SEL_RDPMC_USER : BPMU_CORE_UNCHECKED;
	const struct bpmu_core_setup *setup = bank->setup;
	u64 changed = 0;
	unsigned int i;

	for (i = 0; i < setup->nr_gp; i++)
		changed |= bpmu_rdmsr(setup->msr[i]) ^ setup->select[i];
	return !(changed & ~unchecked) && extras_hold(bank) &&
	       (!setup->fixed_ctrl || fixed_holds(bank));
}

/*
 * Returns true if the session has written event select @i: its counter is in a group, or another
 * agent had enabled the counter and the session has taken it over.
 */
static bool select_written(const struct bpmu_bank *bank, unsigned int i)
{
	const struct bpmu_core_saved *saved = bank->saved;

	return saved->taken & BIT_ULL(i) || saved->held[i] != saved->select[i];
}

/*
 * Returns true if all registers that the session has written hold what was written. Returns false
 * if a hypervisor has ignored a write, or if another tool has written a register.
 *
 * The comparison leaves out EN of event selects, by which the module starts and stops counters on
 * parts without a global control, and bits that the module leaves as it found them. If the group
 * has fixed counters, the comparison also leaves out their control register, which
 * bpmu_core_counting() compares.
 */
static bool bpmu_core_intact(const struct bpmu_bank *bank)
{
	const struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	u64 changed = 0;
	unsigned int i;

	for (i = 0; i < pmu->gp_counters; i++)
		if (!pmu->global || select_written(bank, i))
			changed |= bpmu_rdmsr(select_msr(pmu, i)) ^ saved->held[i];
	return !(changed & ~BPMU_CORE_UNCHECKED) && extras_hold(bank) && bpmu_pebs_intact(bank) &&
	       (bank->setup->fixed_ctrl || !fixed_written(bank) || fixed_holds(bank));
}

/**
 * bpmu_core_selects_enabled() - check if the event selects enable a core group's counters
 * @bank: bank of a CPU model without a global control; its counters run
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if all event selects of the group hold what was written.
 */
bool bpmu_core_selects_enabled(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	unsigned int i;

	for (i = 0; i < setup->nr_gp; i++)
		if (bpmu_rdmsr(setup->msr[i]) != setup->select[i])
			return false;
	return true;
}

/*
 * Returns the mask of the bits that may be set in the event select of a stopped counter. On a part
 * with a global control these are all bits. On other parts these are all bits but EN, which would
 * start the counter.
 */
static u64 stopped_mask(const struct bpmu_pmu *pmu)
{
	return pmu->global ? ~0ULL : ~BPMU_SEL_EN;
}

/*
 * Writes the extra registers that the scheduled group uses. Returns 0; -EIO if a write faults, or
 * if a register could not be saved before.
 */
static int program_extras(struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	unsigned int i;
	int err = 0;

	for (i = 0; i < BPMU_EXTRAS; i++) {
		if (!(setup->extras & BIT(i)))
			continue;
		if (!(saved->extras & BIT(i)))
			return -EIO;
		if (bpmu_extra_is_shared(bank->pmu->part, i) && !(saved->written & BIT(i)))
			hold_extra(saved, i);
		saved->written |= BIT(i);
		saved->extra_held[i] = setup->extra[i];
		err |= wrmsrq_safe(bpmu_extra_msr(i), setup->extra[i]);
	}
	return err ? -EIO : 0;
}

/*
 * Clears the event select of each counter that the scheduled group does not use, if that event
 * select may enable the counter. Returns 0, or -EIO if a write faults.
 */
static int clear_selects(const struct bpmu_bank *bank)
{
	struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	unsigned int i;
	int err = 0;

	for (i = 0; i < pmu->gp_counters; i++) {
		if (!(saved->held[i] & BPMU_SEL_EN) || bank->setup->enable & BIT_ULL(i))
			continue;
		err |= wrmsrq_safe(select_msr(pmu, i), select_found(saved, i));
		saved->held[i] = 0;
	}
	return err;
}

static int bpmu_core_program(struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	u64 mask = stopped_mask(pmu);
	unsigned int i, gp;
	int err;

	err = program_extras(bank);
	err |= clear_selects(bank);
	for (i = 0; i < setup->nr_gp; i++) {
		gp = setup->gp[i];
		err |= wrmsrq_safe(setup->msr[i],
				   (setup->select[i] & mask) | select_found(saved, gp));
		saved->held[gp] = setup->select[i];
	}
	if (pmu->fixed_counters && saved->fixed_held != setup->fixed_ctrl)
		err |= wrmsrq_safe(pmu->part->msrs.fixed_ctrl,
				   setup->fixed_ctrl | fixed_found(bank));
	saved->fixed_held = setup->fixed_ctrl;
	return err ? -EIO : 0;
}

/* Writes all registers of the scheduled group: another agent may have overwritten any of them. */
static void bpmu_core_reprogram(struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	unsigned long extras = setup->extras;
	u64 mask = stopped_mask(pmu);
	unsigned int i;

	for (; extras; extras &= extras - 1) {
		i = __ffs(extras);
		bpmu_wrmsr(bpmu_extra_msr(i), setup->extra[i]);
		saved->extra_held[i] = setup->extra[i];
	}
	memset(saved->held, 0, sizeof(saved->held));
	for (i = 0; i < setup->nr_gp; i++)
		saved->held[setup->gp[i]] = setup->select[i];
	for (i = 0; i < pmu->gp_counters; i++)
		bpmu_wrmsr(select_msr(pmu, i), (saved->held[i] & mask) | select_found(saved, i));
	if (pmu->fixed_counters)
		bpmu_wrmsr(pmu->part->msrs.fixed_ctrl, setup->fixed_ctrl | fixed_found(bank));
	saved->fixed_held = setup->fixed_ctrl;
}

/**
 * bpmu_core_switch_rest() - program a core group's extra registers and fixed counters
 * @bank: its counters are stopped; &bpmu_bank.wary is false
 *
 * Context: this CPU, interrupts off; the sampling path.
 * Return: true if the registers that this call overwrites held what was written before.
 */
bool bpmu_core_switch_rest(const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = bank->setup;
	struct bpmu_core_saved *saved = bank->saved;
	unsigned long extras = setup->extras;
	bool intact = true;
	unsigned int i;

	for (; extras; extras &= extras - 1) {
		i = __ffs(extras);
		if (saved->extra_held[i] == setup->extra[i])
			continue;
		intact &= bpmu_rdmsr(bpmu_extra_msr(i)) == saved->extra_held[i];
		saved->extra_held[i] = setup->extra[i];
		bpmu_wrmsr(bpmu_extra_msr(i), setup->extra[i]);
	}
	if (saved->fixed_held != setup->fixed_ctrl) {
		/*
		 * If the last group had fixed counters, bpmu_core_counting() has already compared
		 * their control register.
		 */
		if (!saved->fixed_held)
			intact &= !(bpmu_rdmsr(bank->pmu->part->msrs.fixed_ctrl) &
				    ~BPMU_FIXED_RDPMC_USERS);
		saved->fixed_held = setup->fixed_ctrl;
		bpmu_wrmsr(bank->pmu->part->msrs.fixed_ctrl,
			   setup->fixed_ctrl | fixed_found(bank));
	}
	return intact;
}

/*
 * Sets all counters that the session uses so that they overflow after &bpmu_bank.top events, or, if
 * they interrupt, after a period. Clears their overflow bits. The distance to overflow has at most
 * 31 bits, so that a counter that sign-extends a write of 32 bits gets the same value.
 */
static void bpmu_core_preload(struct bpmu_bank *bank)
{
	const struct bpmu_core_saved *saved = bank->saved;
	const struct bpmu_pmu *pmu = bank->pmu;
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	unsigned int i;

	if (bank->interrupts) {
		bpmu_interrupts_preload(bank);
		return;
	}
	for (i = 0; i < pmu->gp_counters; i++)
		if (saved->taken & BIT_ULL(i))
			write_gp(pmu, i, (1ULL << pmu->gp_width) - bank->top);
	for (i = 0; i < pmu->fixed_counters; i++)
		if (saved->taken & BPMU_FIXED_BIT(i))
			wrmsrq_safe(msrs->fixed + i,
				    (1ULL << pmu->fixed_width) - bank->top);
	if (pmu->global)
		wrmsrq_safe(msrs->global_ovf, saved->taken);
}

static void bpmu_core_bank_read(const struct bpmu_bank *bank, u64 *values)
{
	if (bank->interrupts)
		bpmu_interrupts_read(bank, values);
	else
		bpmu_core_read(bank, values);
}

/*
 * Sets fixed counter 3, which counts slots, and PERF_METRICS to 0. PERF_METRICS has fractions of
 * the slots since that counter was 0, so that both are reset together, the counter first (SDM Vol.
 * 3, 19.3.9.3).
 */
static void bpmu_core_reset_metrics(struct bpmu_bank *bank)
{
	if (bank->interrupts) {
		bpmu_interrupts_reset_slots(bank);
		return;
	}
	wrmsrq_safe(bank->pmu->part->msrs.fixed + BPMU_FIXED_SLOTS -
		    BPMU_FIXED_BASE, 0);
	wrmsrq_safe(BPMU_MSR_PERF_METRICS, 0);
}

static int bpmu_core_foreign_here(void *unused)
{
	const struct bpmu_pmu *pmu = bpmu_pmu_of(smp_processor_id());
	struct bpmu_core_saved now = { };

	if (save_control(pmu, &now))
		return 0;
	return bpmu_core_enabled(pmu, &now) ? -EBUSY : 0;
}

/*
 * Reserves the core counters in the kernel. The reservation keeps perf away, except from version 6
 * of architectural performance monitoring on. There the session is refused if a counter of any CPU
 * is enabled now. Isolated CPUs that the session does not measure are not checked, because the
 * check would interrupt them. Returns 0, or a negative errno after a sentence was set.
 */
static int bpmu_core_reserve(const struct bpmu_settings *settings,
			     struct netlink_ext_ack *extack)
{
	unsigned int cpu;
	int err;

	err = bpmu_pmu_reserve();
	if (err) {
		NL_SET_ERR_MSG(extack,
			       "perf or the NMI watchdog holds the counters; stop perf and the watchdog");
		return err;
	}
	if (bpmu_pmu_reservation_works())
		return 0;
	for_each_online_cpu(cpu)
		if (bpmu_pmu_of(cpu) && (!cpu_is_isolated(cpu) ||
					 cpumask_test_cpu(cpu, settings->cpus)))
			err = err ?: bpmu_cpu_run_on(cpu, bpmu_core_foreign_here,
						     NULL);
	if (!err)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "a counter is enabled, and perf cannot be excluded on this part; stop perf first");
	bpmu_pmu_release();
	return err;
}

const struct bpmu_bank_ops bpmu_core_ops = {
	.saved_size = sizeof(struct bpmu_core_saved),
	.busy_error = -EBUSY,
	.reserve = bpmu_core_reserve,
	.unreserve = bpmu_pmu_release,
	.save = bpmu_core_bank_save,
	.restore = bpmu_core_restore,
	.prove = bpmu_core_prove,
	.preload = bpmu_core_preload,
	.program = bpmu_core_program,
	.reprogram = bpmu_core_reprogram,
	.start = bpmu_core_start,
	.stop = bpmu_core_stop,
	.read = bpmu_core_bank_read,
	.reset_metrics = bpmu_core_reset_metrics,
	.programmed = bpmu_core_programmed,
	.intact = bpmu_core_intact,
};
