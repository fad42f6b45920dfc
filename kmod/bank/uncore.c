// SPDX-License-Identifier: GPL-2.0
#include "uncore.h"

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/topology.h>

#include "compat.h"
#include "machine/device.h"
#include "machine/probe.h"
#include "trace.h"
#include "machine/tsc.h"

static u32 nr_of(const struct bpmu_bank *bank, const struct bpmu_units *units)
{
	return bank->devices ? bank->devices->nr : units->first.units;
}

/*
 * Returns the MSR that starts and stops all counters of the bank; 0 if no MSR does. Counters in PCI
 * devices have no such MSR: the MSR of Alder Lake, for example, does not affect its memory
 * controllers (Linux, uncore_snb.c, adl_uncore_mmio_ops).
 */
static u32 global_msr(const struct bpmu_bank *bank)
{
	return bank->devices ? 0 : bank->pmu->part->uncore->global_ctrl;
}

/*
 * Reads a register of a unit, with fault handling, which is too slow for the sampling path. Returns
 * 0, or nonzero if there is no such register.
 */
static int read_register(const struct bpmu_bank *bank, u32 unit, u32 number,
			 u64 *value)
{
	if (bank->devices)
		return bpmu_device_read(&bank->devices->dev[unit], number, value);
	return rdmsrq_safe(number, value);
}

/* Reads a register without fault handling: read_register() has shown that the register exists. */
static __always_inline int read_known(const struct bpmu_bank *bank, u32 unit, u32 number,
				      u64 *value)
{
	if (bank->devices)
		return bpmu_device_read(&bank->devices->dev[unit], number, value);
	*value = bpmu_rdmsr(number);
	return 0;
}

static int write_register(const struct bpmu_bank *bank, u32 unit, u32 number,
			  u64 value)
{
	if (bank->devices)
		return bpmu_device_write(&bank->devices->dev[unit], number, value);
	return wrmsrq_safe(number, value);
}

static int read_counter(const struct bpmu_bank *bank, u32 unit, u32 number,
			u64 *value)
{
	if (bank->devices)
		return bpmu_device_read_counter(&bank->devices->dev[unit], number,
						value);
	return rdmsrq_safe(number, value);
}

/* Writes a register without fault handling: read_register() has shown that the register exists. */
static void write_known(const struct bpmu_bank *bank, u32 unit, u32 number, u64 value)
{
	if (bank->devices)
		bpmu_device_write(&bank->devices->dev[unit], number, value);
	else
		bpmu_wrmsr(number, value);
}

static int write_counter(const struct bpmu_bank *bank, u32 unit, u32 number,
			 u64 value)
{
	if (bank->devices)
		return bpmu_device_write_counter(&bank->devices->dev[unit], number,
						 value);
	return wrmsrq_safe(number, value);
}

/* Reads an event select of a unit. A 64-bit event select in a PCI device has two registers. */
static int read_select(const struct bpmu_bank *bank, const struct bpmu_box *box, u32 unit,
		       u32 number, u64 *value)
{
	if (box->wide)
		return read_counter(bank, unit, number, value);
	return read_register(bank, unit, number, value);
}

static int write_select(const struct bpmu_bank *bank, const struct bpmu_box *box, u32 unit,
			u32 number, u64 value)
{
	if (box->wide)
		return write_counter(bank, unit, number, value);
	return write_register(bank, unit, number, value);
}

static int read_device_select(const struct bpmu_bank *bank, const struct bpmu_box *box, u32 unit,
			      u32 number, u64 *value)
{
	u64 low, high = 0;

	if (read_known(bank, unit, number, &low) ||
	    (box->wide && read_known(bank, unit, number + 4, &high)))
		return -EIO;
	*value = low | high << 32;
	return 0;
}

/* Reads an event select without fault handling: read_select() has shown that it exists. */
static __always_inline int read_known_select(const struct bpmu_bank *bank,
					     const struct bpmu_box *box, u32 unit, u32 number,
					     u64 *value)
{
	if (bank->devices)
		return read_device_select(bank, box, unit, number, value);
	*value = bpmu_rdmsr(number);
	return 0;
}

/* Writes an event select without fault handling: read_select() has shown that it exists. */
static void write_known_select(const struct bpmu_bank *bank, const struct bpmu_box *box, u32 unit,
			       u32 number, u64 value)
{
	if (box->wide)
		write_counter(bank, unit, number, value);
	else
		write_known(bank, unit, number, value);
}

/*
 * Whether a counter with this event select counts. If the select has no enable bit, the counter
 * counts unless bits 31:0 are 0. Bits 63:32 say nothing, because Linux stops a counter in a PCI
 * device by writing only bits 31:0 (uncore_discovery.c, intel_generic_uncore_pci_disable_event()).
 */
static bool is_used(const struct bpmu_units *units, u64 select)
{
	return units->enable ? select & units->enable : lower_32_bits(select);
}

/*
 * Returns the index of a unit's counter in the arrays of &struct bpmu_uncore_saved. All counters of
 * a bank have the same number of units.
 */
static u32 saved_index(const struct bpmu_bank *bank, const struct bpmu_units *units, u32 unit)
{
	return units->index * nr_of(bank, units) + unit;
}

/*
 * Whether another agent counts with a counter: the event select is enabled, but does not hold the
 * value that the module has last written. perf may begin to use most boxes at any time, because the
 * kernel has no exclusion for them. The module no longer writes registers that perf has taken, and
 * does not restore them either: perf's counts would become wrong.
 */
static bool is_taken(const struct bpmu_bank *bank, const struct bpmu_units *units, u32 unit)
{
	const struct bpmu_uncore_saved *saved = bank->saved;
	const struct bpmu_box *box = units->first.box;
	u64 now;

	return !read_known_select(bank, box, unit, units->select +
				  bpmu_place_offset(&units->first, unit), &now) &&
	       now != saved->written[saved_index(bank, units, unit)] &&
	       is_used(units, now);
}

/*
 * Whether the module keeps all other drivers away from a box by binding to its device. On parts
 * with discovery tables binding does not keep perf away, because perf's driver binds to no device.
 */
static bool is_exclusive(const struct bpmu_bank *bank, const struct bpmu_box *box)
{
	return bank->devices && box->devices && !box->channels &&
	       !bank->pmu->part->uncore->discovery;
}

/*
 * Whether another agent may have written a register of a box. If so, the register is read before it
 * is written.
 */
static bool is_doubtful(const struct bpmu_bank *bank, const struct bpmu_box *box)
{
	return bank->wary || !is_exclusive(bank, box);
}

/*
 * Writes an event select to all units of an event's counter. If @wary is true, units in which
 * another agent counts with the counter are left out. Returns 0, or nonzero if a write fails.
 */
static int write_selects(struct bpmu_bank *bank, const struct bpmu_plan_event *event,
			 u64 select, bool wary)
{
	const struct bpmu_units *units = &event->units;
	struct bpmu_uncore_saved *saved = bank->saved;
	u32 nr = nr_of(bank, units);
	int err = 0;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (wary && is_taken(bank, units, i))
			continue;
		err |= write_select(bank, units->first.box, i,
				    units->select + bpmu_place_offset(&units->first, i),
				    select);
		saved->written[saved_index(bank, units, i)] = select;
	}
	return err;
}

/*
 * Writes an event select to all units of an event's counter. No other agent counts with that
 * counter.
 */
static void set_selects(struct bpmu_bank *bank, const struct bpmu_plan_event *event, u64 select)
{
	const struct bpmu_units *units = &event->units;
	struct bpmu_uncore_saved *saved = bank->saved;
	u64 *written = &saved->written[saved_index(bank, units, 0)];
	u32 nr = nr_of(bank, units);
	u32 i;

	for (i = 0; i < nr; i++) {
		write_known_select(bank, units->first.box, i,
				   units->select + bpmu_place_offset(&units->first, i), select);
		written[i] = select;
	}
}

/*
 * Clears the event selects that the session has enabled on an event's counter, but not in units in
 * which another agent counts with the counter.
 */
static void clear_units(struct bpmu_bank *bank, const struct bpmu_plan_event *event)
{
	const struct bpmu_units *units = &event->units;
	const struct bpmu_box *box = units->first.box;
	struct bpmu_uncore_saved *saved = bank->saved;
	u64 *written = &saved->written[saved_index(bank, units, 0)];
	u32 nr = nr_of(bank, units);
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!is_used(units, written[i]) ||
		    (is_doubtful(bank, box) && is_taken(bank, units, i)))
			continue;
		write_known_select(bank, box, i,
				   units->select + bpmu_place_offset(&units->first, i), 0);
		written[i] = 0;
	}
}

/* whether another agent counts with any counter of a unit */
static bool unit_is_taken(const struct bpmu_bank *bank, u32 unit)
{
	struct bpmu_units units;
	u32 counter, i;

	for (i = 0; i < bpmu_bank_facts[bank->id].counters; i++) {
		counter = bpmu_bank_facts[bank->id].first + i;
		if (bpmu_plan_units(bank->pmu, counter, &units) && unit < nr_of(bank, &units) &&
		    is_taken(bank, &units, unit))
			return true;
	}
	return false;
}

/* whether another agent counts with any counter of the bank */
static bool bank_is_taken(const struct bpmu_bank *bank)
{
	u32 first = bpmu_bank_facts[bank->id].first;
	struct bpmu_units units;
	u32 nr, i;

	nr = bpmu_plan_units(bank->pmu, first, &units) ? nr_of(bank, &units) : 1;
	for (i = 0; i < nr; i++)
		if (unit_is_taken(bank, i))
			return true;
	return false;
}

/* Whether each unit has a control register, which stops all counters of the unit. */
static bool has_ctl(const struct bpmu_units *units)
{
	return units->first.box->freeze;
}

/*
 * Sets @units to the units of a bank that has no groups yet. Returns false if the bank has no
 * counters here, or if its units have no control registers.
 */
static bool first_units(const struct bpmu_bank *bank, struct bpmu_units *units)
{
	return bpmu_plan_units(bank->pmu, bpmu_bank_facts[bank->id].first, units) && has_ctl(units);
}

/*
 * Writes the control registers of all units: starts their counters if @running is true, otherwise
 * stops them. If @wary is true, units in which another agent counts are left out.
 */
static void write_ctls(const struct bpmu_bank *bank, const struct bpmu_units *units,
		       bool running, bool wary)
{
	const struct bpmu_box *box = units->first.box;
	u32 nr = nr_of(bank, units);
	u32 i;

	for (i = 0; i < nr; i++)
		if (!wary || !unit_is_taken(bank, i))
			write_known(bank, i, units->ctl + bpmu_place_offset(&units->first, i),
				    running ? box->running : box->frozen);
}

/* returns the device with the register that stops all boxes of the bank, or NULL */
static const struct bpmu_device *device_with_global(const struct bpmu_bank *bank)
{
	u32 i;

	for (i = 0; bank->devices && i < bank->devices->nr; i++)
		if (bank->devices->dev[i].global)
			return &bank->devices->dev[i];
	return NULL;
}

static u32 device_global(const struct bpmu_bank *bank)
{
	return bpmu_uncore_box(bank->pmu->part, bank->type->unit)->global;
}

static int save_device_global(const struct bpmu_bank *bank, struct bpmu_uncore_saved *saved)
{
	const struct bpmu_device *dev = device_with_global(bank);

	return dev ? bpmu_device_read(dev, device_global(bank), &saved->global_ctrl) : 0;
}

/*
 * Whether another agent had stopped all boxes of the package before the session. If so, the module
 * lets the boxes run while it counts, and stops them again when it restores the registers.
 */
static bool was_frozen(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore_saved *saved = bank->saved;

	return device_with_global(bank) && saved->global_ctrl &
	       bpmu_uncore_box(bank->pmu->part, bank->type->unit)->freeze;
}

static void write_device_global(const struct bpmu_bank *bank, u64 value)
{
	bpmu_device_write(device_with_global(bank), device_global(bank), value);
}

/*
 * Reads the two filter registers of a unit into @low and @high. @high is 0 if the unit has no
 * second register. Returns 0, or nonzero if a read fails.
 */
static int read_filter(const struct bpmu_place *at, u64 *low, u64 *high)
{
	int err = 0;

	*low = 0;
	*high = 0;
	if (at->box->filter)
		err |= rdmsrq_safe(bpmu_place_filter(at), low);
	if (at->box->filter_high)
		err |= rdmsrq_safe(bpmu_place_filter_high(at), high);
	return err;
}

static int write_filter(const struct bpmu_place *at, u64 low, u64 high)
{
	int err = 0;

	if (at->box->filter)
		err |= wrmsrq_safe(bpmu_place_filter(at), low);
	if (at->box->filter_high)
		err |= wrmsrq_safe(bpmu_place_filter_high(at), high);
	return err;
}

static int write_filters(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_place at = units->first;
	u64 filter = bank->group->filter;
	u32 nr = nr_of(bank, units);
	int err = 0;

	saved->filter_held = filter;
	for (; nr--; at.instance++)
		err |= write_filter(&at, lower_32_bits(filter),
				    upper_32_bits(filter));
	return err;
}

static bool filters_hold(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	struct bpmu_place at = units->first;
	u32 nr = nr_of(bank, units);
	u64 low, high;

	for (; nr--; at.instance++)
		if (read_filter(&at, &low, &high) ||
		    (low | high << 32) != bank->group->filter)
			return false;
	return true;
}

/*
 * Whether unit @i lets all boxes of the package run: it has no register that stops them, or that
 * register does not stop them now.
 */
static bool global_runs(const struct bpmu_bank *bank, u32 i)
{
	const struct bpmu_box *box = bank->group->event[0].units.first.box;
	u64 ctl;

	if (!bank->devices || !bank->devices->dev[i].global || !bank->running)
		return true;
	return !read_known(bank, i, box->global, &ctl) && !(ctl & box->freeze);
}

/* whether the control registers of units @first to @end - 1 hold what was written */
static bool ctls_hold(const struct bpmu_bank *bank, u32 first, u32 end)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	u64 ctl;
	u32 i;

	for (i = first; i < end; i++)
		if (read_known(bank, i, units->ctl + bpmu_place_offset(&units->first, i),
			       &ctl) ||
		    !(ctl & units->first.box->freeze) != bank->running ||
		    !global_runs(bank, i))
			return false;
	return true;
}

/*
 * Whether one register stops all counters of the bank or of a unit. If not, event selects stop the
 * counters.
 */
static bool stop_together(const struct bpmu_bank *bank, const struct bpmu_units *units)
{
	return global_msr(bank) || has_ctl(units);
}

/*
 * Returns the event select of an event's programmed but stopped counter. The event select has the
 * enable bit only if another register stops the counter.
 */
static u64 stopped_select(const struct bpmu_bank *bank, const struct bpmu_plan_event *event)
{
	const struct bpmu_units *units = &event->units;

	return event->select | (stop_together(bank, units) ? units->enable : 0);
}

/* whether an event select in a device holds what was written; if it has 64 bits, in both halves */
static noinline bool device_select_holds(const struct bpmu_bank *bank, const struct bpmu_box *box,
					 u32 unit, u32 number, u64 expected)
{
	u64 now;

	return !read_device_select(bank, box, unit, number, &now) && now == expected;
}

/*
 * Whether an event select holds what was written. @in_device tells if the event select is in a PCI
 * device.
 */
static __always_inline bool select_holds(const struct bpmu_bank *bank, const struct bpmu_box *box,
					 u32 unit, u32 number, u64 expected, bool in_device)
{
	if (in_device)
		return device_select_holds(bank, box, unit, number, expected);
	return bpmu_rdmsr(number) == expected;
}

/*
 * Whether the event selects of units @first to @end - 1 hold what was written. @in_devices tells if
 * they are in PCI devices. Callers pass a constant, which saves half of the instructions.
 */
static __always_inline bool selects_hold_in(const struct bpmu_bank *bank, bool enabled, u32 first,
					    u32 end, bool in_devices)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	const struct bpmu_units *units;
	u64 expected;
	u32 i;

	for (; event < last; event++) {
		units = &event->units;
		expected = event->select | (enabled ? units->enable : 0);
		/* Most MSRs are of a single unit: this takes half of the instructions. */
		if (!in_devices && end == 1) {
			if (bpmu_rdmsr(units->select) != expected)
				return false;
			continue;
		}
		for (i = first; i < end; i++)
			if (!select_holds(bank, units->first.box, i,
					  units->select + bpmu_place_offset(&units->first, i),
					  expected, in_devices))
				return false;
	}
	return true;
}

static noinline bool device_selects_hold(const struct bpmu_bank *bank, bool enabled, u32 first,
					 u32 end)
{
	return selects_hold_in(bank, enabled, first, end, true);
}

static __always_inline bool selects_hold(const struct bpmu_bank *bank, bool enabled, u32 first,
					 u32 end)
{
	return bank->devices ? device_selects_hold(bank, enabled, first, end) :
			       selects_hold_in(bank, enabled, first, end, false);
}

/**
 * bpmu_uncore_shares() - uncore bank: check if two CPUs share it, as they are on one die
 * @cpu: number of a CPU
 * @other: number of another
 *
 * On Intel's parts each die has its own boxes: Linux, arch/x86/events/intel/uncore.c.
 *
 * Context: any.
 * Return: true if both CPUs are on one die.
 */
bool bpmu_uncore_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_die_cpumask(cpu));
}

/**
 * bpmu_package_shares() - uncore boxes: check if two CPUs share them, as they are in one package
 * @cpu: number of a CPU
 * @other: number of another
 *
 * An AMD package of several dies has one set of boxes; PCI devices are identified by package.
 *
 * Context: any.
 * Return: true if both CPUs are in one package.
 */
bool bpmu_package_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_core_cpumask(cpu));
}

static int save_units(const struct bpmu_bank *bank,
		      struct bpmu_uncore_saved *saved)
{
	struct bpmu_units units;
	int err = 0;
	u32 nr, i;

	if (!first_units(bank, &units))
		return 0;
	nr = nr_of(bank, &units);
	for (i = 0; i < nr; i++, units.first.instance++) {
		err |= read_register(bank, i, units.ctl + bpmu_place_offset(&units.first, i),
				     &saved->ctl[i]);
		err |= read_filter(&units.first, &saved->filter[i],
				   &saved->filter_high[i]);
	}
	return err;
}

/*
 * Whether another agent uses the register that starts and stops all counters of the bank. An agent
 * uses that register if the agent has written another value that starts counters, or counts with a
 * counter of the bank.
 */
static bool global_is_taken(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	u64 now = bpmu_rdmsr(uncore->global_ctrl);

	return (now != (bank->running ? uncore->global_start : 0) &&
		now & uncore->global_start) || bank_is_taken(bank);
}

/*
 * Restores the control registers of all units. This comes last when a bank is restored, because the
 * control registers may start the counters.
 */
static void restore_units(const struct bpmu_bank *bank,
			  const struct bpmu_uncore_saved *saved)
{
	struct bpmu_units units;
	u32 nr, i;

	if (!first_units(bank, &units))
		return;
	nr = nr_of(bank, &units);
	for (i = 0; i < nr; i++, units.first.instance++) {
		if (unit_is_taken(bank, i))
			continue;
		write_filter(&units.first, saved->filter[i],
			     saved->filter_high[i]);
		write_register(bank, i, units.ctl + bpmu_place_offset(&units.first, i),
			       saved->ctl[i]);
	}
}

/*
 * Saves the registers, unless another agent uses them. How use shows depends on the bank:
 *
 * - With a global register, by its enable bit: Linux' driver of Intel's client uncore keeps this
 *   bit set as long as the driver is loaded.
 * - Without a global register, by an enabled event select: Linux' drivers for AMD and for Intel's
 *   servers enable an event select only while they count.
 * - In PCI devices by an enabled event select too, although drivers that bind to devices are
 *   excluded already: a tool may bypass the kernel, and Linux' driver of a client's memory
 *   controllers binds to no device.
 *
 * Registers in use are never taken over, because the module cannot tell a driver from firmware.
 */
static int bpmu_uncore_save(struct bpmu_bank *bank, bool take_over)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_units units;
	bool enabled = false;
	u32 i, k, n, at, nr;
	int err = 0;

	*saved = (struct bpmu_uncore_saved){ };
	for (i = 0; i < bpmu_bank_facts[bank->id].counters; i++) {
		if (!bpmu_plan_units(bank->pmu, bpmu_bank_facts[bank->id].first + i, &units))
			continue;
		nr = nr_of(bank, &units);
		for (k = 0; k < nr; k++) {
			n = saved_index(bank, &units, k);
			at = bpmu_place_offset(&units.first, k);
			err |= read_select(bank, units.first.box, k, units.select + at,
					   &saved->select[n]);
			err |= read_counter(bank, k, units.counter + at,
					    &saved->counter[n]);
			saved->written[n] = saved->select[n];
			if (is_used(&units, saved->select[n]))
				enabled = true;
		}
	}
	if (global_msr(bank)) {
		err |= rdmsrq_safe(uncore->global_ctrl, &saved->global_ctrl);
		enabled = saved->global_ctrl & uncore->global_start;
	}
	err |= save_device_global(bank, saved);
	err |= save_units(bank, saved);
	if (err)
		return -EIO;
	return enabled ? bank->ops->busy_error : 0;
}

/* Restores the event selects and counters, except those that another agent has taken. */
static void restore_counters(const struct bpmu_bank *bank, const struct bpmu_uncore_saved *saved)
{
	struct bpmu_units units;
	u32 i, k, n, at, nr;

	for (i = 0; i < bpmu_bank_facts[bank->id].counters; i++) {
		if (!bpmu_plan_units(bank->pmu, bpmu_bank_facts[bank->id].first + i, &units))
			continue;
		nr = nr_of(bank, &units);
		for (k = 0; k < nr; k++) {
			if (is_taken(bank, &units, k))
				continue;
			n = saved_index(bank, &units, k);
			at = bpmu_place_offset(&units.first, k);
			write_select(bank, units.first.box, k, units.select + at,
				     saved->select[n]);
			write_counter(bank, k, units.counter + at,
				      saved->counter[n]);
		}
	}
}

static void bpmu_uncore_restore(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_uncore_saved *saved = bank->saved;
	bool stops = global_msr(bank) && !global_is_taken(bank);
	struct bpmu_units units;

	if (stops)
		wrmsrq_safe(uncore->global_ctrl, 0);
	if (first_units(bank, &units))
		write_ctls(bank, &units, false, true);
	if (was_frozen(bank) && !bank_is_taken(bank))
		write_device_global(bank, saved->global_ctrl);
	restore_counters(bank, saved);
	if (stops)
		wrmsrq_safe(uncore->global_ctrl, saved->global_ctrl);
	restore_units(bank, saved);
	trace_bpmu_restore(bank->id, bank->groups, bank->at);
}

static int bpmu_uncore_program(struct bpmu_bank *bank)
{
	struct bpmu_uncore_saved *saved = bank->saved;
	int err = write_filters(bank);
	u32 i;

	saved->raw_tsc = 0;

	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];

		err |= write_selects(bank, event, stopped_select(bank, event),
				     is_doubtful(bank, event->units.first.box));
	}
	return err ? -EIO : 0;
}

/*
 * Programs the counter of an event in place of an event of another group, in all units whose event
 * select changes. Compares the old event selects with what was written, unless bpmu_uncore_intact()
 * has just done so. Where event selects start the counters, this function only compares them:
 * bpmu_uncore_start() will write them. @together is the result of stop_together(). @in_device tells
 * if the registers are in a PCI device; callers pass a constant. Returns false if an event select
 * did not hold what was written; that event select is then not overwritten.
 */
static __always_inline bool change_selects(struct bpmu_bank *bank,
					   const struct bpmu_plan_event *event, bool together,
					   bool in_device)
{
	const struct bpmu_units *units = &event->units;
	const struct bpmu_box *box = units->first.box;
	struct bpmu_uncore_saved *saved = bank->saved;
	bool doubtful = !bank->same && is_doubtful(bank, box);
	u64 *written = &saved->written[saved_index(bank, units, 0)];
	u64 select = event->select | units->enable;
	u32 nr = nr_of(bank, units);
	u32 number, i;

	for (i = 0; i < nr; i++) {
		if (together && written[i] == select)
			continue;
		number = units->select + bpmu_place_offset(&units->first, i);
		if (doubtful && !select_holds(bank, box, i, number, written[i], in_device))
			return false;
		if (!together)
			continue;
		write_known_select(bank, box, i, number, select);
		written[i] = select;
	}
	return true;
}

static bool have_same_counters(const struct bpmu_plan_group *a, const struct bpmu_plan_group *b)
{
	u32 i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (a->event[i].counter != b->event[i].counter)
			return false;
	return true;
}

static bool bpmu_uncore_change(struct bpmu_bank *bank, const struct bpmu_plan_group *before)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	bool together = stop_together(bank, &event->units);
	struct bpmu_uncore_saved *saved = bank->saved;

	bank->same = have_same_counters(before, bank->group);
	if (!bank->same)
		saved->raw_tsc = 0;
	if (saved->filter_held != bank->group->filter)
		write_filters(bank);
	for (; event < last; event++)
		if (bank->devices ? !change_selects(bank, event, together, true) :
				    !change_selects(bank, event, together, false))
			return false;
	return true;
}

static void bpmu_uncore_reprogram(struct bpmu_bank *bank)
{
	bpmu_uncore_program(bank);
}

static void bpmu_uncore_start(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_plan_event *event = bank->group->event;
	u32 i;

	if (global_msr(bank)) {
		if (!(bank->wary && global_is_taken(bank)))
			bpmu_wrmsr(uncore->global_ctrl, uncore->global_start);
		return;
	}
	if (was_frozen(bank))
		write_device_global(bank, event->units.first.box->running);
	if (has_ctl(&event->units)) {
		write_ctls(bank, &event->units, true, bank->wary);
		return;
	}
	for (i = 0; i < bank->group->nr; i++, event++)
		if (bank->wary)
			write_selects(bank, event, event->select | event->units.enable, true);
		else
			set_selects(bank, event, event->select | event->units.enable);
}

/*
 * Stops the counters and clears the event selects of all groups: counters that a group does not use
 * keep the event selects of an earlier group. If event selects stayed, these counters would count
 * again when a driver starts all counters of the bank.
 */
static void bpmu_uncore_stop(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_units *units = &bank->group->event[0].units;
	const struct bpmu_plan_group *group = bank->groups->group;
	const struct bpmu_plan_group *last = group + bank->groups->nr;
	u32 i;

	if (global_msr(bank) && !(bank->wary && global_is_taken(bank)))
		wrmsrq_safe(uncore->global_ctrl, 0);
	if (has_ctl(units))
		write_ctls(bank, units, false, bank->wary);
	for (; group < last; group++)
		for (i = 0; i < group->nr; i++)
			clear_units(bank, &group->event[i]);
}

/*
 * Stops the counters, which bpmu_uncore_intact() has found to hold what was written. Event selects
 * are written only if nothing else stops the counters.
 */
static void bpmu_uncore_pause(struct bpmu_bank *bank)
{
	const struct bpmu_plan_event *event = bank->group->event;
	u32 i;

	if (global_msr(bank))
		bpmu_wrmsr(global_msr(bank), 0);
	else if (has_ctl(&event->units))
		write_ctls(bank, &event->units, false, false);
	else
		for (i = 0; i < bank->group->nr; i++)
			set_selects(bank, &event[i], 0);
}

/*
 * Keeps a counter that saturates away from its maximum, at which it would stop instead of wrapping.
 * Clears the counter's upper bits once any of them is set. Returns the value from which the counter
 * goes on. Events between the read and the write are lost, which happens once in hours.
 */
static u64 unsaturate(const struct bpmu_bank *bank, const struct bpmu_plan_event *event, u32 unit,
		      u64 value)
{
	const struct bpmu_units *units = &event->units;
	u64 low = value & (BIT_ULL(units->first.box->width) - 1);

	if (low != value && !is_taken(bank, units, unit))
		write_counter(bank, unit, units->counter + bpmu_place_offset(&units->first, unit),
			      low);
	return low;
}

static noinline u64 sum_of_saturating(const struct bpmu_bank *bank,
				      const struct bpmu_plan_event *event, u32 nr)
{
	const struct bpmu_units *units = &event->units;
	u64 sum = 0;
	u64 value;
	u32 i;

	for (i = 0; i < nr; i++) {
		value = bpmu_rdmsr(units->counter + bpmu_place_offset(&units->first, i));
		sum += unsaturate(bank, event, i, value);
	}
	return sum;
}

/* Reads the counter of an event, an MSR of each unit, and returns the sum over all units. */
static __always_inline u64 sum_of(const struct bpmu_units *units, u32 nr)
{
	u64 sum = 0;
	u32 i;

	if (nr == 1)
		return bpmu_rdmsr(units->counter);
	for (i = 0; i < nr; i++)
		sum += bpmu_rdmsr(units->counter + bpmu_place_offset(&units->first, i));
	return sum;
}

/* Whether fewer than 2^32 events can have occurred since the devices' counters were last read. */
static bool read_recently(const struct bpmu_bank *bank)
{
	const struct bpmu_box *box = bank->group->event[0].units.first.box;
	const struct bpmu_uncore_saved *saved = bank->saved;

	return saved->raw_tsc && bpmu_tsc() - saved->raw_tsc <
	       mul_u64_u32_div(box->wrap_us, tsc_khz, USEC_PER_MSEC);
}

/*
 * Reads a counter of a device. If @lower is true, only bits 31:0 are read. The upper bits then
 * follow from @last, the counter's previous value: fewer than 2^32 events were counted since.
 */
static u64 read_device_counter(const struct bpmu_device *dev, u32 offset, u8 width, bool lower,
			       u64 last)
{
	u64 value;

	if (!lower) {
		bpmu_device_read_counter(dev, offset, &value);
		return value;
	}
	bpmu_device_read(dev, offset, &value);
	return (last + (u32)(value - last)) & (BIT_ULL(width) - 1);
}

/* reads the scheduled group's counters of all devices into &bpmu_uncore_saved.raw */
static void read_all_devices(const struct bpmu_bank *bank, bool lower)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	struct bpmu_uncore_saved *saved = bank->saved;
	u64 *raw = saved->raw;
	u32 i;

	for (; event < last; event++)
		for (i = 0; i < bank->devices->nr; i++, raw++)
			*raw = read_device_counter(&bank->devices->dev[i], event->units.counter,
						   event->units.first.box->width, lower, *raw);
}

/*
 * Reads the counters of the scheduled group in all devices; sets the value of each event in @values
 * to the sum of its counters in all devices. An access to a PCI device is slow: if the last read
 * was recent enough, only bits 31:0 of the counters are read, from which the upper bits follow. If
 * that took too long, for example because of an SMI, all counters are read again in full.
 */
static void bpmu_devices_read(const struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_uncore_saved *saved = bank->saved;
	const u64 *raw = saved->raw;
	u64 now = bpmu_tsc();
	u32 i, k;

	if (read_recently(bank))
		read_all_devices(bank, true);
	if (!read_recently(bank)) {
		now = bpmu_tsc();
		read_all_devices(bank, false);
	}
	saved->raw_tsc = now;
	for (i = 0; i < bank->group->nr; i++) {
		values[i] = 0;
		for (k = 0; k < bank->devices->nr; k++)
			values[i] += *raw++;
	}
}

static void bpmu_uncore_read(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	u32 nr = event->units.first.units;

	for (; event < last; event++, values++)
		*values = event->units.first.box->saturates ?
			  sum_of_saturating(bank, event, nr) : sum_of(&event->units, nr);
}

/* Whether the register that starts all counters of the bank, if any, holds what was written. */
static __always_inline bool global_holds(const struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;

	return !global_msr(bank) || bpmu_rdmsr(uncore->global_ctrl) == uncore->global_start;
}

/*
 * Whether all registers of the scheduled group hold what was written. The answer is no if firmware
 * has disabled the boxes, because their registers then read as 0.
 */
static bool bpmu_uncore_intact(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	bool enabled = bank->running || stop_together(bank, units);
	u32 nr = nr_of(bank, units);

	if (bank->running && !global_holds(bank))
		return false;
	return selects_hold(bank, enabled, 0, nr) &&
	       (!has_ctl(units) || (ctls_hold(bank, 0, nr) && filters_hold(bank)));
}

/*
 * Whether the counters are enabled. An access to a PCI device costs far more than an access to an
 * MSR. Each sample therefore checks only one device, and the next sample the next device. A foreign
 * write is found after at most as many samples as there are devices, or when the counters stop.
 */
static bool bpmu_uncore_counting(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	u32 end = nr_of(bank, units);
	u32 first = 0;

	if (global_msr(bank))
		return global_holds(bank);
	if (bank->devices) {
		first = bank->active->turn++ % end;
		end = first + 1;
	}
	return selects_hold(bank, true, first, end) &&
	       (!has_ctl(units) || ctls_hold(bank, first, end));
}

/**
 * bpmu_umc_attach() - check that this package has the memory controllers of the uncore bank
 * @bank: bank of the memory controllers
 *
 * Packages may differ, because memory controllers without memory are inactive.
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -ENODEV if this CPU's package has other controllers than the package probed first.
 */
int bpmu_umc_attach(struct bpmu_bank *bank)
{
	return bpmu_probe_umcs_here(bank->pmu) ? 0 : -ENODEV;
}

/**
 * bpmu_devices_attach() - attach a bank of uncore boxes to the PCI devices in this CPU's package
 * @bank: bank whose registers are in PCI devices, or at addresses that PCI devices hold; its
 *	&bpmu_bank.devices is set
 *
 * Context: this CPU, interrupts off.
 * Return: 0, or -ENODEV if the package has no such devices.
 */
int bpmu_devices_attach(struct bpmu_bank *bank)
{
	bank->devices = bpmu_devices_here(bank->type->unit);
	return bank->devices ? 0 : -ENODEV;
}

static bool bpmu_devices_need(const struct bpmu_bank *bank, unsigned int cpu,
			      const struct pci_dev *pci)
{
	return bpmu_devices_have(bank->devices, pci);
}

const struct bpmu_bank_ops bpmu_uncore_ops = {
	.saved_size = sizeof(struct bpmu_uncore_saved),
	.busy_error = -EADDRINUSE,
	.save = bpmu_uncore_save,
	.restore = bpmu_uncore_restore,
	.program = bpmu_uncore_program,
	.change = bpmu_uncore_change,
	.reprogram = bpmu_uncore_reprogram,
	.start = bpmu_uncore_start,
	.stop = bpmu_uncore_stop,
	.pause = bpmu_uncore_pause,
	.read = bpmu_uncore_read,
	.programmed = bpmu_uncore_intact,
	.intact = bpmu_uncore_intact,
	.counting = bpmu_uncore_counting,
};

const struct bpmu_bank_ops bpmu_device_ops = {
	.saved_size = sizeof(struct bpmu_uncore_saved),
	.busy_error = -EADDRINUSE,
	.claim = bpmu_devices_claim,
	.unclaim = bpmu_devices_unclaim,
	.needs = bpmu_devices_need,
	.save = bpmu_uncore_save,
	.restore = bpmu_uncore_restore,
	.program = bpmu_uncore_program,
	.change = bpmu_uncore_change,
	.reprogram = bpmu_uncore_reprogram,
	.start = bpmu_uncore_start,
	.stop = bpmu_uncore_stop,
	.pause = bpmu_uncore_pause,
	.read = bpmu_devices_read,
	.programmed = bpmu_uncore_intact,
	.intact = bpmu_uncore_intact,
	.counting = bpmu_uncore_counting,
};
