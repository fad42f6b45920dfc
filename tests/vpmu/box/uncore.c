// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore PMU of clients: clock, arbiter, CBos; on Nehalem clock and global queue. Source of the
 * registers and of the fields of an event select: SDM Vol. 3, uncore performance monitoring of
 * Sandy Bridge; Linux, arch/x86/events/intel/uncore_snb.c. All vCPUs share these counters; the
 * caller serialises access.
 *
 * Counters are not incremented. The simulation has totals of all events, and a counter's value is
 * computed from the increase of its event's total. tracker.h defines the quantities that events
 * count.
 */
#include "uncore.h"

#include <stddef.h>

#include "client.h"
#include "event/uncounted.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "memory/tracker.h"
#include "package.h"

#define GLOBAL_EN VPMU_BIT(29)
/*
 * Legal bits of MSR_UNC_PERF_GLOBAL_CTRL: the bits of slices, enable, interrupt and freeze (SDM
 * Vol. 4)
 */
#define GLOBAL_BITS 0xe00000ffull
#define SEL_EDGE VPMU_BIT(18)
#define SEL_EN VPMU_BIT(22)
#define SEL_INVERT VPMU_BIT(23)
#define WIDTH 44

/*
 * Registers of Nehalem's global queue. Its global control register has an enable bit for each
 * counter, and bit 32 for the clock's counter.
 */
#define QUEUE_WIDTH 48
#define QUEUE_GLOBAL_CLOCK VPMU_BIT(32)
#define QUEUE_GLOBAL_BITS 0x1000000ffull
#define QUEUE_CLOCK_EN VPMU_BIT(0)
#define QUEUE_THRESHOLD 0xff000000ull

#define CBO_CONFIG 0x396
#define ARBITERS 2
#define ARB_COUNTERS 2
#define CBO_COUNTERS 4
#define THRESHOLD_5 0x1f000000ull
#define THRESHOLD_6 0x3f000000ull

/*
 * event codes with unit mask of the arbiter: OCCUPANCY, REQUESTS, WRITES; event code of a CBo:
 * LOOKUP
 */
#define OCCUPANCY 0x0180
#define REQUESTS 0x0181
#define WRITES 0x2081
#define LOOKUP 0x34
/*
 * events of the global queue; CHANNEL_0 is the unit mask bit of the only memory channel that is
 * simulated
 */
#define L3_HITS 0x08
#define L3_MISSES 0x09
#define MEMORY_READS 0x2c
#define MEMORY_WRITES 0x2f
#define CHANNEL_0 0x1

enum unit_type { CLOCK, ARB, CBO, QUEUE };

/**
 * struct unit - one counter of a client's uncore, with its event select
 * @type: type of the box that the counter belongs to
 * @box: number of the arbiter or CBo
 * @index: number of the counter in its box
 * @select_msr: MSR of the event select
 * @counter_msr: MSR of the counter
 * @select: event select
 * @counter: counter
 */
struct unit {
	enum unit_type type;
	unsigned int box;
	unsigned int index;
	uint32_t select_msr;
	uint32_t counter_msr;
	uint64_t select;
	struct vpmu_counter counter;
};

#define UNITS \
	(1 + ARBITERS * ARB_COUNTERS + VPMU_CLIENT_BOXES * CBO_COUNTERS)

#define SNB_REGISTERS \
	.clock_select = 0x394, \
	.arb_select = 0x3b2, \
	.arb_counter = 0x3b0, \
	.arb_counters = 2, \
	.arb_boxes = 1, \
	.cbo_select = 0x700, \
	.cbo_threshold = THRESHOLD_5

const struct vpmu_uncore_part vpmu_nhm_uncore = {
	.global_ctrl = 0x391,
	.clock_select = 0x395,
	.clock_counter = 0x394,
	.queue_select = 0x3c0,
	.queue_counter = 0x3b0,
	.queue_counters = 8,
};

const struct vpmu_uncore_part vpmu_snb_uncore = {
	SNB_REGISTERS,
	.global_ctrl = 0x391,
	.cbo_counter = 0x706,
	.cbo_step = 0x10,
	.max_boxes = 4,
	.box_counters = 2,
	.graphics = true,
};

const struct vpmu_uncore_part vpmu_skl_uncore = {
	SNB_REGISTERS,
	.global_ctrl = 0xe01,
	.cbo_counter = 0x706,
	.cbo_step = 0x10,
	.max_boxes = 7,
	.box_counters = 4,
	.graphics = true,
};

const struct vpmu_uncore_part vpmu_icl_uncore = {
	.clock_select = 0x394,
	.arb_select = 0x3b3,
	.arb_counter = 0x3b1,
	.arb_counters = 1,
	.arb_boxes = 1,
	.cbo_select = 0x700,
	.cbo_counter = 0x702,
	.cbo_step = 8,
	.cbo_threshold = THRESHOLD_5,
	.max_boxes = 8,
	.box_counters = 2,
};

const struct vpmu_uncore_part vpmu_tgl_uncore = {
	SNB_REGISTERS,
	.global_ctrl = 0xe01,
	.cbo_counter = 0x702,
	.cbo_step = 8,
	.max_boxes = 8,
	.box_counters = 2,
};

const struct vpmu_uncore_part vpmu_adl_uncore = {
	.global_ctrl = 0x2ff0,
	.clock_select = 0x2fde,
	.arb_select = 0x2fd0,
	.arb_counter = 0x2fd2,
	.arb_counters = 2,
	.arb_boxes = 2,
	.arb_step = 8,
	.cbo_select = 0x2000,
	.cbo_counter = 0x2002,
	.cbo_step = 8,
	.cbo_threshold = THRESHOLD_6,
	.max_boxes = 8,
	.box_counters = 2,
};

static struct unit units[UNITS];
static unsigned int nr_units;
static uint64_t global;
static bool counting;

static unsigned int uncore_width(void)
{
	return vpmu_options.part->uncore->queue_counters ? QUEUE_WIDTH : WIDTH;
}

static void add_unit(enum unit_type type, unsigned int box, unsigned int index,
		     uint32_t select, uint32_t counter)
{
	struct unit *unit = &units[nr_units++];

	unit->type = type;
	unit->box = box;
	unit->index = index;
	unit->select_msr = select + index;
	unit->counter_msr = counter + index;
	unit->counter.value = vpmu_start_value(uncore_width());
}

/**
 * vpmu_uncore_init() - set a client's uncore to its state at power on
 */
void vpmu_uncore_init(void)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	unsigned int box, i;

	if (!part)
		return;
	nr_units = 0;
	add_unit(CLOCK, 0, 0, part->clock_select,
		 part->clock_counter ?: part->clock_select + 1);
	for (i = 0; i < part->queue_counters; i++)
		add_unit(QUEUE, 0, i, part->queue_select, part->queue_counter);
	for (box = 0; box < part->arb_boxes; box++)
		for (i = 0; i < part->arb_counters; i++)
			add_unit(ARB, box, i,
				 part->arb_select + box * part->arb_step,
				 part->arb_counter + box * part->arb_step);
	for (box = 0; box < part->max_boxes; box++)
		for (i = 0; i < part->box_counters; i++)
			add_unit(CBO, box, i,
				 part->cbo_select + box * part->cbo_step,
				 part->cbo_counter + box * part->cbo_step);
}

/*
 * Returns what the arbiter's occupancy event counts: the number of requests in the tracker, summed
 * over all cycles. If the event select has a threshold, returns instead the number of cycles in
 * which the number of requests is at least the threshold or, with the invert bit, below it.
 */
static uint64_t occupancy(const struct vcore_traffic *seen, uint64_t select)
{
	unsigned int cmask = select >> 24 & 0x1f;
	uint64_t entries = 0, below = 0;
	unsigned int k;

	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++) {
		entries += k * seen->cycles_with[k];
		if (k < cmask)
			below += seen->cycles_with[k];
	}
	if (!cmask)
		return entries;
	return select & SEL_INVERT ? below : vcore_traffic_clock(seen) - below;
}

/*
 * Returns the total of an arbiter's event in the simulated cores and memory since power on. If
 * there are two arbiters, the first counts reads and the second counts writes.
 */
static uint64_t arbiter(const struct vcore_traffic *seen, uint64_t select,
			unsigned int box, unsigned int index)
{
	bool two = vpmu_options.part->uncore->arb_boxes == ARBITERS;

	switch (select & 0xffff) {
	case OCCUPANCY:
		if (box || (index && !vpmu_options.arb1) ||
		    (select & SEL_EDGE))
			return 0;
		return occupancy(seen, select);
	case REQUESTS:
		if (two)
			return box ? seen->writes :
				     seen->requests - seen->writes;
		return seen->requests;
	case WRITES:
		return seen->writes;
	default:
		return 0;
	}
}

/*
 * Returns the lookups of a CBo that an event select counts. Bits 3:0 of the unit mask select states
 * of the line: bit 3 is I, and no simulated line is in state M. Bits 7:4 select types of requests:
 * bit 4 reads, bit 5 writes, bit 7 all.
 */
static uint64_t uncore_lookups(const struct vcore_traffic *seen, uint64_t select,
			       unsigned int box)
{
	unsigned int umask = select >> 8 & 0xff;
	unsigned int slice, request, hit;
	uint64_t sum = 0;

	if ((select & 0xff) != LOOKUP)
		return 0;
	for (request = 0; request < VCORE_REQUESTS; request++)
		for (hit = 0; hit < 2; hit++) {
			if (!(umask & (hit ? 0x06 : 0x08)) ||
			    !(umask & (request == VCORE_REQUEST_RFO ? 0xa0 : 0x90)))
				continue;
			for (slice = 0; slice < VCORE_SLICES; slice++)
				if (vpmu_client_slice_in(slice, box))
					sum += seen->slice[slice].lookups[request][hit];
		}
	return sum;
}

/*
 * Returns how many L3 lookups of the global queue were hits (@hit is 1) or misses (@hit is 0).
 * @umask selects types of lookups: bit 0 reads, bit 1 reads for ownership.
 */
static uint64_t queue_lookups(const struct vcore_traffic *seen, unsigned int umask, unsigned int hit)
{
	unsigned int slice, request;
	uint64_t sum = 0;

	for (request = 0; request < VCORE_REQUESTS; request++)
		for (slice = 0; slice < VCORE_SLICES; slice++)
			if (umask & (request == VCORE_REQUEST_RFO ? 2 : 1))
				sum += seen->slice[slice].lookups[request][hit];
	return sum;
}

/*
 * Returns the total of an event of the global queue in the simulated cores and memory since power
 * on. Source of the event codes: Linux, nhm_uncore_events; libpfm4, intel_nhm_unc_events.h.
 */
static uint64_t queue(const struct vcore_traffic *seen, uint64_t select)
{
	unsigned int umask = select >> 8 & 0xff;

	switch (select & 0xff) {
	case L3_HITS:
	case L3_MISSES:
		return queue_lookups(seen, umask, (select & 0xff) == L3_HITS);
	case MEMORY_READS:
		return umask & CHANNEL_0 ? seen->requests - seen->writes : 0;
	case MEMORY_WRITES:
		return umask & CHANNEL_0 ? seen->writes : 0;
	default:
		return 0;
	}
}

static uint64_t uncore_total(const struct unit *unit, const struct vcore_traffic *seen)
{
	switch (unit->type) {
	case CLOCK:
		return vcore_traffic_clock(seen);
	case ARB:
		return arbiter(seen, unit->select, unit->box, unit->index);
	case QUEUE:
		return queue(seen, unit->select);
	default:
		return uncore_lookups(seen, unit->select, unit->box);
	}
}

/*
 * Checks if the simulated cores and memory have the event that a counter selects. They lack three
 * types of event: edges of the number of requests in the arbiter's tracker; lookups that find a line
 * in state M; requests other than reads and reads for ownership.
 */
static bool uncore_models(const struct unit *unit)
{
	unsigned int umask = unit->select >> 8 & 0xff;

	switch (unit->type) {
	case CLOCK:
		return true;
	case ARB:
		switch (unit->select & 0xffff) {
		case OCCUPANCY:
			return !(unit->select & SEL_EDGE);
		case REQUESTS:
		case WRITES:
			return true;
		default:
			return false;
		}
	case QUEUE:
		switch (unit->select & 0xff) {
		case L3_HITS:
		case L3_MISSES:
			return umask & 3;
		case MEMORY_READS:
		case MEMORY_WRITES:
			return umask & CHANNEL_0;
		default:
			return false;
		}
	default:
		return (unit->select & 0xff) == LOOKUP && umask & 0x0e && umask & 0xb0;
	}
}

/*
 * Called when a counter is read. Puts the counter's event into the list of uncounted events (those
 * that the guest selects, but that never occur here), unless the simulated cores and memory have
 * the event.
 */
static void uncore_note(const struct unit *unit)
{
	static const char *const names[] = {
		[CLOCK] = "clock", [ARB] = "arb", [CBO] = "cbo", [QUEUE] = "global queue",
	};

	if (unit->select & SEL_EN)
		vpmu_uncounted_box(names[unit->type], unit->select & ~SEL_EN, 0,
				   uncore_models(unit));
}

static void uncore_settle(void)
{
	struct vcore_traffic seen;
	struct vpmu_counter *c;
	unsigned int i;

	vpmu_client_traffic(&seen);
	for (i = 0; i < nr_units; i++) {
		c = &units[i].counter;
		if (c->running)
			c->value += uncore_total(&units[i], &seen) - c->since;
		c->value &= VPMU_BIT(uncore_width()) - 1;
		c->running = false;
	}
}

static bool is_enabled(const struct vpmu_uncore_part *part, const struct unit *unit)
{
	uint64_t clock = part->queue_counters ? QUEUE_CLOCK_EN : SEL_EN;
	uint64_t start = GLOBAL_EN;

	if (part->queue_counters)
		start = unit->type == CLOCK ? QUEUE_GLOBAL_CLOCK : VPMU_BIT(unit->index);
	return unit->select & (unit->type == CLOCK ? clock : SEL_EN) &&
	       (!part->global_ctrl || global & start);
}

static void uncore_restart(void)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	struct vcore_traffic seen;
	bool before = counting;
	unsigned int i;

	counting = false;
	vpmu_client_traffic(&seen);
	for (i = 0; i < nr_units; i++) {
		if (!is_enabled(part, &units[i]))
			continue;
		units[i].counter.since = uncore_total(&units[i], &seen);
		units[i].counter.running = true;
		counting = true;
	}
	if (before == counting)
		return;
	vpmu_package_window(&seen, counting);
	vpmu_model_all(VPMU_FOR_UNCORE, counting);
}

static struct unit *unit_of(uint32_t msr, bool *is_select)
{
	unsigned int i;

	for (i = 0; i < nr_units; i++) {
		*is_select = units[i].select_msr == msr;
		if (*is_select || units[i].counter_msr == msr)
			return &units[i];
	}
	return NULL;
}

/*
 * Checks if a counter belongs to a CBo that the package does not have; if so, counts the access in
 * &vpmu_cpu.absent. A real CPU would raise #GP, which a plugin of QEMU cannot do.
 */
static bool is_absent(struct vpmu_cpu *cpu, const struct unit *unit)
{
	if (unit->type != CBO || unit->box < vpmu_client_boxes())
		return false;
	cpu->absent++;
	return true;
}

/*
 * Returns the value of MSR_UNC_CBO_CONFIG, number of CBos: SDM Vol. 4; Linux, icl_get_cbox_num().
 */
static uint64_t cbo_config(const struct vpmu_uncore_part *part)
{
	return vpmu_client_boxes() + part->graphics;
}

static bool is_global(const struct vpmu_uncore_part *part, uint32_t msr)
{
	return msr && msr == part->global_ctrl;
}

/**
 * vpmu_uncore_read() - execute RDMSR of a register of the client uncore PMU
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of the uncore: QEMU executes the instruction.
 */
bool vpmu_uncore_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	const struct unit *unit;
	bool is_select;

	if (!part)
		return false;
	if (is_global(part, msr) || (msr == CBO_CONFIG && part->max_boxes)) {
		*value = msr == CBO_CONFIG ? cbo_config(part) : global;
		return true;
	}
	unit = unit_of(msr, &is_select);
	if (!unit || is_absent(cpu, unit))
		return false;
	vcore_settle(cpu->core);
	uncore_settle();
	*value = is_select ? unit->select : unit->counter.value;
	if (!is_select)
		uncore_note(unit);
	uncore_restart();
	return true;
}

/**
 * vpmu_uncore_lose() - let a client's uncore lose power: registers get their values at power on
 *
 * All vCPUs but the calling one are idle.
 */
void vpmu_uncore_lose(void)
{
	unsigned int i;

	uncore_settle();
	global = 0;
	for (i = 0; i < nr_units; i++) {
		units[i].select = 0;
		units[i].counter.value = vpmu_start_value(uncore_width());
	}
	uncore_restart();
}

static uint64_t global_bits_of(const struct vpmu_uncore_part *part)
{
	return part->queue_counters ? QUEUE_GLOBAL_BITS : GLOBAL_BITS;
}

/*
 * Returns the reserved bits of a counter's event select or, if @is_select is false, of the counter.
 */
static uint64_t uncore_reserved(const struct unit *unit, bool is_select)
{
	uint64_t threshold = THRESHOLD_5;

	if (!is_select)
		return ~(VPMU_BIT(uncore_width()) - 1);
	if (unit->type == CLOCK)
		return vpmu_options.part->uncore->queue_counters ?
		       ~QUEUE_CLOCK_EN : ~(VPMU_BIT(20) | SEL_EN);
	if (unit->type == QUEUE)
		threshold = QUEUE_THRESHOLD;
	if (unit->type == CBO)
		threshold = vpmu_options.part->uncore->cbo_threshold;
	return ~(threshold | 0xd4ffffull);
}

/**
 * vpmu_uncore_write() - execute WRMSR of a register of the client uncore PMU
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of the uncore: QEMU executes the instruction.
 */
bool vpmu_uncore_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	bool whole = part && is_global(part, msr);
	struct unit *unit;
	bool is_select;

	if (!part)
		return false;
	unit = whole ? NULL : unit_of(msr, &is_select);
	if ((!unit && !whole) || (unit && is_absent(cpu, unit)))
		return false;
	if (value & (whole ? ~global_bits_of(part) : uncore_reserved(unit, is_select))) {
		cpu->illegal_writes++;
		return true;
	}
	vcore_settle(cpu->core);
	uncore_settle();
	if (whole)
		global = value;
	else if (is_select)
		unit->select = value;
	else
		unit->counter.value = value;
	uncore_restart();
	return true;
}
