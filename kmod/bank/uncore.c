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

/* a control of the unit of that index; not on the sampling path, as it may fault */
static int read_register(const struct bpmu_bank *bank, u32 unit, u32 number,
			 u64 *value)
{
	if (bank->devices)
		return bpmu_device_read(&bank->devices->dev[unit], number, value);
	return rdmsrq_safe(number, value);
}

/* one that read_register() has reached before */
static int look_at(const struct bpmu_bank *bank, u32 unit, u32 number, u64 *value)
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

static int write_counter(const struct bpmu_bank *bank, u32 unit, u32 number,
			 u64 value)
{
	if (bank->devices)
		return bpmu_device_write_counter(&bank->devices->dev[unit], number,
						 value);
	return wrmsrq_safe(number, value);
}

/* a select, which some PCI devices have in two registers as all have a counter */
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

static int write_selects(const struct bpmu_bank *bank,
			 const struct bpmu_units *units, u64 select)
{
	u32 nr = nr_of(bank, units);
	int err = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		err |= write_select(bank, units->first.box, i,
				    units->select + bpmu_place_offset(&units->first, i),
				    select);
	return err;
}

/*
 * Units that have a control of their own are alike in all groups of a bank: those of the
 * first event, or of the bank's first number as long as there are no groups.
 */
static bool has_ctl(const struct bpmu_units *units)
{
	return units->first.box->freeze;
}

static bool first_units(const struct bpmu_bank *bank, struct bpmu_units *units)
{
	return bpmu_plan_units(bank->pmu, bank->ops->first, units) && has_ctl(units);
}

static void write_ctls(const struct bpmu_bank *bank, const struct bpmu_units *units,
		       bool running)
{
	const struct bpmu_box *box = units->first.box;
	u32 nr = nr_of(bank, units);
	u32 i;

	for (i = 0; i < nr; i++)
		write_register(bank, i, units->ctl + bpmu_place_offset(&units->first, i),
			       running ? box->running : box->frozen);
}

/* a unit's filter, if it has one, of which one register may hold the upper half */
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
	struct bpmu_place at = units->first;
	u64 filter = bank->group->filter;
	u32 nr = nr_of(bank, units);
	int err = 0;

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

/* are the controls of some units as they were written */
static bool ctls_hold(const struct bpmu_bank *bank, u32 first, u32 end)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	u64 ctl;
	u32 i;

	for (i = first; i < end; i++)
		if (look_at(bank, i, units->ctl + bpmu_place_offset(&units->first, i),
			    &ctl) ||
		    !(ctl & units->first.box->freeze) != bank->running)
			return false;
	return true;
}

/*
 * What a select holds while the bank is programmed but stopped. Without a register
 * that starts all counters a select with the enable bit counts at once.
 */
static u64 stopped_select(const struct bpmu_bank *bank,
			  const struct bpmu_box *box, u64 select)
{
	return select | (bank->pmu->part->uncore->global_ctrl || box->freeze ?
			 box->enable : 0);
}

/* are the selects of some units as they were written; of those of 64 bits the lower half */
static bool selects_hold(const struct bpmu_bank *bank, bool enabled, u32 first, u32 end)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	u64 expected, select;
	u32 number, i;

	for (; event < last; event++) {
		expected = event->select |
			   (enabled ? event->units.first.box->enable : 0);
		if (event->units.first.box->wide)
			expected = lower_32_bits(expected);
		for (i = first; i < end; i++) {
			number = event->units.select +
				 bpmu_place_offset(&event->units.first, i);
			if (look_at(bank, i, number, &select) || select != expected)
				return false;
		}
	}
	return true;
}

/* Intel's boxes are a die's: Linux, arch/x86/events/intel/uncore.c, has a reader there */
static bool bpmu_uncore_shares(unsigned int cpu, unsigned int other)
{
	return cpumask_test_cpu(other, topology_die_cpumask(cpu));
}

/*
 * What the kernel calls a die of AMD's is a part of what has these; devices are found by
 * their package.
 */
static bool bpmu_package_shares(unsigned int cpu, unsigned int other)
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

/* last: with their controls the counters may go on as they were */
static void restore_units(const struct bpmu_bank *bank,
			  const struct bpmu_uncore_saved *saved)
{
	struct bpmu_units units;
	u32 nr, i;

	if (!first_units(bank, &units))
		return;
	nr = nr_of(bank, &units);
	for (i = 0; i < nr; i++, units.first.instance++) {
		write_filter(&units.first, saved->filter[i],
			     saved->filter_high[i]);
		write_register(bank, i, units.ctl + bpmu_place_offset(&units.first, i),
			       saved->ctl[i]);
	}
}

/* does someone count with a select that holds this value */
static bool is_used(const struct bpmu_box *box, u64 select)
{
	return box->enable ? select & box->enable : select;
}

/*
 * Linux' driver of Intel's client uncore keeps the global enable bit set as long as it
 * is loaded. Where there is no global register, an enabled select tells: the drivers of
 * AMD's and of Intel's servers enable one only while somebody counts with it. The
 * kernel's driver cannot be told from firmware: nothing is taken over. A driver of PCI
 * devices was kept out before: there an enabled select is another's who asks nobody.
 */
static int bpmu_uncore_save(struct bpmu_bank *bank, bool take_over)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_units units;
	bool enabled = false;
	u32 i, k, at, nr;
	int err = 0;
	u32 n = 0;

	*saved = (struct bpmu_uncore_saved){ };
	for (i = 0; i < bank->ops->counters; i++) {
		if (!bpmu_plan_units(bank->pmu, bank->ops->first + i, &units))
			continue;
		nr = nr_of(bank, &units);
		for (k = 0; k < nr; k++, n++) {
			at = bpmu_place_offset(&units.first, k);
			err |= read_select(bank, units.first.box, k, units.select + at,
					   &saved->select[n]);
			err |= read_counter(bank, k, units.counter + at,
					    &saved->counter[n]);
			if (is_used(units.first.box, saved->select[n]))
				enabled = true;
		}
	}
	if (uncore->global_ctrl) {
		err |= rdmsrq_safe(uncore->global_ctrl, &saved->global_ctrl);
		enabled = saved->global_ctrl & uncore->global_start;
	}
	err |= save_units(bank, saved);
	if (err)
		return -EIO;
	return enabled ? bank->ops->busy_error : 0;
}

static void bpmu_uncore_restore(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_uncore_saved *saved = bank->saved;
	struct bpmu_units units;
	u32 i, k, at, nr;
	u32 n = 0;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	if (first_units(bank, &units))
		write_ctls(bank, &units, false);
	for (i = 0; i < bank->ops->counters; i++) {
		if (!bpmu_plan_units(bank->pmu, bank->ops->first + i, &units))
			continue;
		nr = nr_of(bank, &units);
		for (k = 0; k < nr; k++, n++) {
			at = bpmu_place_offset(&units.first, k);
			write_select(bank, units.first.box, k, units.select + at,
				     saved->select[n]);
			write_counter(bank, k, units.counter + at,
				      saved->counter[n]);
		}
	}
	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, saved->global_ctrl);
	restore_units(bank, saved);
	trace_bpmu_restore(bank->ops->name, bank->at, bank->group->nr);
}

static int bpmu_uncore_program(struct bpmu_bank *bank)
{
	struct bpmu_uncore_saved *saved = bank->saved;
	int err = write_filters(bank);
	u32 i;

	saved->seen_at = 0;

	for (i = 0; i < bank->group->nr; i++) {
		const struct bpmu_plan_event *event = &bank->group->event[i];

		err |= write_selects(bank, &event->units,
				     stopped_select(bank, event->units.first.box,
						    event->select));
	}
	return err ? -EIO : 0;
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

	if (uncore->global_ctrl) {
		wrmsrq_safe(uncore->global_ctrl, uncore->global_start);
		return;
	}
	if (has_ctl(&event->units)) {
		write_ctls(bank, &event->units, true);
		return;
	}
	for (i = 0; i < bank->group->nr; i++, event++)
		write_selects(bank, &event->units,
			      event->select | event->units.first.box->enable);
}

/* the selects are freed too: what they hold counts while a driver runs others */
static void bpmu_uncore_stop(struct bpmu_bank *bank)
{
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	const struct bpmu_plan_event *event = bank->group->event;
	u32 i;

	if (uncore->global_ctrl)
		wrmsrq_safe(uncore->global_ctrl, 0);
	if (has_ctl(&event->units))
		write_ctls(bank, &event->units, false);
	for (i = 0; i < bank->group->nr; i++)
		write_selects(bank, &event[i].units, 0);
}

/* far from its last value again; what it counts in between is lost, once in hours */
static u64 away_from_end(const struct bpmu_bank *bank, const struct bpmu_box *box,
			 u32 unit, u32 number, u64 value)
{
	if (!(value >> box->width))
		return value;
	value &= BIT_ULL(box->width) - 1;
	write_counter(bank, unit, number, value);
	return value;
}

static u64 sum_of(const struct bpmu_bank *bank, const struct bpmu_units *units, u32 nr)
{
	const struct bpmu_box *box = units->first.box;
	u64 sum = 0;
	u32 number;
	u64 value;
	u32 i;

	for (i = 0; i < nr; i++) {
		number = units->counter + bpmu_place_offset(&units->first, i);
		value = bpmu_rdmsr(number);
		if (box->saturates)
			value = away_from_end(bank, box, i, number, value);
		sum += value;
	}
	return sum;
}

/* is it so short ago that the lower halves cannot have gone round since */
static bool seen_lately(const struct bpmu_bank *bank)
{
	const struct bpmu_box *box = bank->group->event[0].units.first.box;
	const struct bpmu_uncore_saved *saved = bank->saved;

	return saved->seen_at && bpmu_tsc() - saved->seen_at <
	       mul_u64_u32_div(box->round_us, tsc_khz, USEC_PER_MSEC);
}

/* goes on from what a counter held, by its lower half or by both */
static u64 see_device(const struct bpmu_device *dev, u32 offset, u8 width, bool lower,
		      u64 seen)
{
	u64 value;

	if (!lower) {
		bpmu_device_read_counter(dev, offset, &value);
		return value;
	}
	bpmu_device_read(dev, offset, &value);
	return (seen + (u32)(value - seen)) & (BIT_ULL(width) - 1);
}

static void see_devices(const struct bpmu_bank *bank, bool lower)
{
	const struct bpmu_plan_event *event = bank->group->event;
	const struct bpmu_plan_event *last = event + bank->group->nr;
	struct bpmu_uncore_saved *saved = bank->saved;
	u64 *seen = saved->seen;
	u32 i;

	for (; event < last; event++)
		for (i = 0; i < bank->devices->nr; i++, seen++)
			*seen = see_device(&bank->devices->dev[i], event->units.counter,
					   event->units.first.box->width, lower, *seen);
}

/*
 * An access to a PCI device costs so much that the upper halves are left unread where the
 * lower ones tell them. If that took too long, as with an interrupt of the firmware's in
 * between, all are read once more, whole.
 */
static void read_devices(const struct bpmu_bank *bank, u64 *values)
{
	struct bpmu_uncore_saved *saved = bank->saved;
	const u64 *seen = saved->seen;
	u64 now = bpmu_tsc();
	u32 i, k;

	if (seen_lately(bank))
		see_devices(bank, true);
	if (!seen_lately(bank)) {
		now = bpmu_tsc();
		see_devices(bank, false);
	}
	saved->seen_at = now;
	for (i = 0; i < bank->group->nr; i++) {
		values[i] = 0;
		for (k = 0; k < bank->devices->nr; k++)
			values[i] += *seen++;
	}
}

static void bpmu_uncore_read(const struct bpmu_bank *bank, u64 *values)
{
	const struct bpmu_plan_event *event = bank->group->event;
	u32 nr = nr_of(bank, &event->units);
	u32 i;

	if (bank->devices) {
		read_devices(bank, values);
		return;
	}
	for (i = 0; i < bank->group->nr; i++)
		values[i] = sum_of(bank, &event[i].units, nr);
}

/* firmware can switch these counters off: then a select reads back as 0 */
static bool bpmu_uncore_intact(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	bool enabled = bank->pmu->part->uncore->global_ctrl || bank->running ||
		       has_ctl(units);
	u32 nr = nr_of(bank, units);

	return selects_hold(bank, enabled, 0, nr) &&
	       (!has_ctl(units) || (ctls_hold(bank, 0, nr) && filters_hold(bank)));
}

/*
 * An access to a PCI device costs far more than one to an MSR. There a sample looks at one
 * unit, and the next sample at the next: what others write is told after as many samples
 * as there are units, or when the counters stop.
 */
static bool bpmu_uncore_counting(const struct bpmu_bank *bank)
{
	const struct bpmu_units *units = &bank->group->event[0].units;
	const struct bpmu_uncore *uncore = bank->pmu->part->uncore;
	u32 end = nr_of(bank, units);
	u32 first = 0;

	if (uncore->global_ctrl)
		return bpmu_rdmsr(uncore->global_ctrl) == uncore->global_start;
	if (bank->devices) {
		first = bank->active->turn++ % end;
		end = first + 1;
	}
	return selects_hold(bank, true, first, end) &&
	       (!has_ctl(units) || ctls_hold(bank, first, end));
}

/* the package of this CPU may have other controllers than that of the first one */
static int bpmu_umc_save(struct bpmu_bank *bank, bool take_over)
{
	if (!bpmu_probe_umcs_here(bank->pmu))
		return -ENODEV;
	return bpmu_uncore_save(bank, take_over);
}

/* the devices are this package's from now on */
static int bpmu_devices_save(struct bpmu_bank *bank, bool take_over)
{
	bank->devices = bpmu_devices_here(bank->ops->unit);
	if (!bank->devices)
		return -ENODEV;
	return bpmu_uncore_save(bank, take_over);
}

/* all banks whose counters have a select and belong to several CPUs */
#define UNCORE \
	.saved_size = sizeof(struct bpmu_uncore_saved), \
	.busy_error = -EADDRINUSE, \
	.restore = bpmu_uncore_restore, \
	.program = bpmu_uncore_program, \
	.reprogram = bpmu_uncore_reprogram, \
	.start = bpmu_uncore_start, \
	.stop = bpmu_uncore_stop, \
	.read = bpmu_uncore_read, \
	.intact = bpmu_uncore_intact, \
	.counting = bpmu_uncore_counting

/* those whose registers PCI devices of a package have */
#define BY_DEVICES \
	.shares = bpmu_package_shares, \
	.claim = bpmu_devices_claim, \
	.unclaim = bpmu_devices_unclaim, \
	.save = bpmu_devices_save

const struct bpmu_bank_ops bpmu_uncore_ops = {
	.name = "uncore",
	.flag = BPMU_SAMPLE_UNCORE,
	.failure = BPMU_FAILURE_UNCORE,
	.busy = "the uncore's counters are in use: unload intel_uncore",
	.first = BPMU_UNCORE_BASE,
	.counters = BPMU_UNCORE_REGISTERS,
	.shares = bpmu_uncore_shares,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_l3_ops = {
	.name = "l3",
	.flag = BPMU_SAMPLE_L3,
	.failure = BPMU_FAILURE_L3,
	.busy = "the L3's counters are in use, as by perf's amd_l3 events: end what counts them",
	.first = BPMU_L3_BASE,
	.counters = BPMU_L3_COUNTERS,
	.shares = bpmu_probe_same_l3,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_df_ops = {
	.name = "df",
	.flag = BPMU_SAMPLE_DF,
	.failure = BPMU_FAILURE_DF,
	.busy = "the data fabric's counters are in use, as by perf's amd_df: end what counts them",
	.first = BPMU_DF_BASE,
	.counters = BPMU_DF_COUNTERS,
	.shares = bpmu_probe_same_df,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_umc_ops = {
	.name = "umc",
	.flag = BPMU_SAMPLE_UMC,
	.failure = BPMU_FAILURE_UMC,
	.busy = "the memory controllers' counters are in use, as by perf's amd_umc: end that",
	.unlike = "the packages have unlike memory controllers: measure those of one (-C)",
	.first = BPMU_UMC_BASE,
	.counters = BPMU_UMC_COUNTERS,
	.shares = bpmu_package_shares,
	.save = bpmu_umc_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_cha_ops = {
	.name = "cha",
	.flag = BPMU_SAMPLE_CHA,
	.failure = BPMU_FAILURE_CHA,
	.busy = "the CBos or CHAs are in use, as by perf's uncore_cbox or uncore_cha: end that",
	.first = BPMU_CHA_BASE,
	.counters = BPMU_CHA_COUNTERS,
	.shares = bpmu_uncore_shares,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_pcu_ops = {
	.name = "pcu",
	.flag = BPMU_SAMPLE_PCU,
	.failure = BPMU_FAILURE_PCU,
	.busy = "the PCU's counters are in use, as by perf's uncore_pcu: end what counts them",
	.first = BPMU_PCU_BASE,
	.counters = BPMU_PCU_COUNTERS,
	.shares = bpmu_uncore_shares,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_ubox_ops = {
	.name = "ubox",
	.flag = BPMU_SAMPLE_UBOX,
	.failure = BPMU_FAILURE_UBOX,
	.busy = "the UBox's counters are in use, as by perf's uncore_ubox: end what counts them",
	.first = BPMU_UBOX_BASE,
	.counters = BPMU_UBOX_COUNTERS,
	.shares = bpmu_uncore_shares,
	.save = bpmu_uncore_save,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_imc_ops = {
	.name = "imc",
	.flag = BPMU_SAMPLE_IMC,
	.failure = BPMU_FAILURE_IMC,
	.busy = "a memory channel's counter is enabled, as by who writes its registers: end that",
	.unlike = "a package has no memory channel that counts: leave its CPUs out (-C)",
	.first = BPMU_IMC_BASE,
	.counters = BPMU_IMC_COUNTERS,
	.unit = BPMU_UNIT_IMC,
	BY_DEVICES,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_ha_ops = {
	.name = "ha",
	.flag = BPMU_SAMPLE_HA,
	.failure = BPMU_FAILURE_HA,
	.busy = "a home agent or M2M counts already, as by who writes PCI registers: end that",
	.unlike = "a package has no home agent or M2M that counts: leave its CPUs out (-C)",
	.first = BPMU_HA_BASE,
	.counters = BPMU_HA_COUNTERS,
	.unit = BPMU_UNIT_HA,
	BY_DEVICES,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_link_ops = {
	.name = "link",
	.flag = BPMU_SAMPLE_LINK,
	.failure = BPMU_FAILURE_LINK,
	.busy = "a link's counter is enabled, as by who writes PCI registers: end that",
	.unlike = "a package has no link that counts: leave its CPUs out (-C)",
	.first = BPMU_LINK_BASE,
	.counters = BPMU_LINK_COUNTERS,
	.unit = BPMU_UNIT_LINK,
	BY_DEVICES,
	UNCORE,
};

const struct bpmu_bank_ops bpmu_iio_ops = {
	.name = "iio",
	.flag = BPMU_SAMPLE_IIO,
	.failure = BPMU_FAILURE_IIO,
	.busy = "the IIO stacks' counters are in use, as by perf's uncore_iio: end that",
	.first = BPMU_IIO_BASE,
	.counters = BPMU_IIO_COUNTERS,
	.shares = bpmu_uncore_shares,
	.save = bpmu_uncore_save,
	UNCORE,
};
