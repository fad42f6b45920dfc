// SPDX-License-Identifier: GPL-2.0
/*
 * The package's counters: clock, arbiter, CBos. Registers and the meaning of a
 * select: SDM Vol. 3, uncore performance monitoring of Sandy Bridge, and Linux'
 * uncore_snb.c. All vCPUs share them; the caller keeps them apart.
 *
 * They count as those of a core do: see counter.c. What they count is in
 * tracker.h.
 */
#include "uncore.h"

#include <string.h>

#include "vpmu.h"

#define GLOBAL_EN VPMU_BIT(29)
#define SEL_EDGE VPMU_BIT(18)
#define SEL_EN VPMU_BIT(22)
#define SEL_INVERT VPMU_BIT(23)
#define WIDTH 44

#define CLOCK_SELECT 0x394
#define CLOCK_COUNTER 0x395
#define CBO_CONFIG 0x396
#define ARB_COUNTER 0x3b0
#define ARB_SELECT 0x3b2
#define ARB_COUNTERS 2
#define CBO_SELECT 0x700
#define CBO_COUNTER 0x706
#define CBO_STEP 0x10
#define CBO_COUNTERS 4

/* CODE(event, umask) of the arbiter, and the CBos' event */
#define OCCUPANCY 0x0180
#define REQUESTS 0x0181
#define WRITES 0x2081
#define LOOKUP 0x34

enum unit_type { CLOCK, ARB, CBO };

/**
 * struct unit - a counter with its select
 * @type: what it counts
 * @box: CBo
 * @index: counter of its box
 */
struct unit {
	enum unit_type type;
	unsigned int box;
	unsigned int index;
	uint64_t select;
	struct vpmu_counter counter;
};

#define UNITS (1 + ARB_COUNTERS + VCORE_SLICES * CBO_COUNTERS)

static struct unit units[UNITS];
static unsigned int nr_units;
static uint64_t global;
static bool counting;

static void add_unit(enum unit_type type, unsigned int box, unsigned int index)
{
	struct unit *unit = &units[nr_units++];

	unit->type = type;
	unit->box = box;
	unit->index = index;
	unit->counter.value = vpmu_start_value(WIDTH);
}

/**
 * vpmu_uncore_init() - the counters at power on
 */
void vpmu_uncore_init(void)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	unsigned int box, i;

	if (!part)
		return;
	add_unit(CLOCK, 0, 0);
	for (i = 0; i < ARB_COUNTERS; i++)
		add_unit(ARB, 0, i);
	for (box = 0; box < part->max_boxes; box++)
		for (i = 0; i < part->box_counters; i++)
			add_unit(CBO, box, i);
}

/**
 * vpmu_uncore_boxes() - number of CBos, each beside a core
 */
unsigned int vpmu_uncore_boxes(void)
{
	unsigned int most = vpmu_options.part->uncore->max_boxes;
	unsigned int cores = vpmu_nr_cores();

	return cores < most ? cores : most;
}

/**
 * vpmu_uncore_slice_in() - which CBo watches a slice
 * @slice: of the addresses
 * @box: CBo
 */
bool vpmu_uncore_slice_in(unsigned int slice, unsigned int box)
{
	return slice % vpmu_uncore_boxes() == box;
}

static const struct vcore_traffic *seen_by(const struct vpmu_cpu *cpu)
{
	return &vcore_memory_tracker(cpu->core->memory)->counted;
}

/**
 * vpmu_uncore_traffic() - what the package saw until now
 * @sum: filled in
 */
void vpmu_uncore_traffic(struct vcore_traffic *sum)
{
	unsigned int i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < vpmu_nr_cpus(); i++)
		vcore_traffic_add(sum, seen_by(vpmu_cpu(i)));
}

/* with a threshold: cycles in which that many entries were taken, or fewer */
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

static uint64_t arbiter(const struct vcore_traffic *seen, uint64_t select,
			unsigned int index)
{
	switch (select & 0xffff) {
	case OCCUPANCY:
		if ((index && !vpmu_options.arb1) || (select & SEL_EDGE))
			return 0;
		return occupancy(seen, select);
	case REQUESTS:
		return seen->requests;
	case WRITES:
		return seen->writes;
	default:
		return 0;
	}
}

/*
 * The umask: bits 3:0 the state the line was in, 3 for not there, the model
 * knows no modified lines; bits 7:4 who asks: 4 reads, 5 writes, 7 all.
 */
static uint64_t lookups(const struct vcore_traffic *seen, uint64_t select,
			unsigned int box)
{
	unsigned int umask = select >> 8 & 0xff;
	unsigned int slice, store, hit;
	uint64_t sum = 0;

	if ((select & 0xff) != LOOKUP)
		return 0;
	for (store = 0; store < 2; store++)
		for (hit = 0; hit < 2; hit++) {
			if (!(umask & (hit ? 0x06 : 0x08)) ||
			    !(umask & (store ? 0xa0 : 0x90)))
				continue;
			for (slice = 0; slice < VCORE_SLICES; slice++)
				if (vpmu_uncore_slice_in(slice, box))
					sum += seen->lookups[slice][store][hit];
		}
	return sum;
}

static uint64_t total(const struct unit *unit, const struct vcore_traffic *seen)
{
	switch (unit->type) {
	case CLOCK:
		return vcore_traffic_clock(seen);
	case ARB:
		return arbiter(seen, unit->select, unit->index);
	default:
		return lookups(seen, unit->select, unit->box);
	}
}

static void settle(void)
{
	struct vcore_traffic seen;
	struct vpmu_counter *c;
	unsigned int i;

	vpmu_uncore_traffic(&seen);
	for (i = 0; i < nr_units; i++) {
		c = &units[i].counter;
		if (c->running)
			c->value += total(&units[i], &seen) - c->since;
		c->value &= VPMU_BIT(WIDTH) - 1;
		c->running = false;
	}
}

static void switch_models(void)
{
	unsigned int i;
	uint64_t *on;

	for (i = 0; i < vpmu_nr_cpus(); i++) {
		on = &vpmu_cpu(i)->score->model_on;
		if (counting)
			__atomic_or_fetch(on, VPMU_FOR_UNCORE,
					  __ATOMIC_SEQ_CST);
		else
			vpmu_model_unwanted(on, VPMU_FOR_UNCORE);
	}
	if (counting)
		vpmu_model_wanted();
}

static void restart(void)
{
	struct vcore_traffic seen;
	bool before = counting;
	unsigned int i;

	counting = false;
	vpmu_uncore_traffic(&seen);
	for (i = 0; i < nr_units; i++) {
		if (!(global & GLOBAL_EN) || !(units[i].select & SEL_EN))
			continue;
		units[i].counter.since = total(&units[i], &seen);
		units[i].counter.running = true;
		counting = true;
	}
	if (before == counting)
		return;
	vpmu_truth_uncore_window(&seen, counting);
	switch_models();
}

static struct unit *find(enum unit_type type, unsigned int box,
			 unsigned int index)
{
	unsigned int i;

	for (i = 0; i < nr_units; i++)
		if (units[i].type == type && units[i].box == box &&
		    units[i].index == index)
			return &units[i];
	return NULL;
}

static struct unit *cbo_unit(uint32_t msr, bool *is_select)
{
	uint32_t offset = msr - CBO_SELECT;
	unsigned int box = offset / CBO_STEP;
	unsigned int i = offset % CBO_STEP;

	if (msr < CBO_SELECT || box >= vpmu_uncore_boxes())
		return NULL;
	*is_select = i < CBO_COUNTER - CBO_SELECT;
	return find(CBO, box, *is_select ? i : i - (CBO_COUNTER - CBO_SELECT));
}

static struct unit *unit_of(uint32_t msr, bool *is_select)
{
	*is_select = msr == CLOCK_SELECT || msr >= ARB_SELECT;
	if (msr == CLOCK_SELECT || msr == CLOCK_COUNTER)
		return find(CLOCK, 0, 0);
	if (msr >= ARB_SELECT && msr < ARB_SELECT + ARB_COUNTERS)
		return find(ARB, 0, msr - ARB_SELECT);
	if (msr >= ARB_COUNTER && msr < ARB_COUNTER + ARB_COUNTERS)
		return find(ARB, 0, msr - ARB_COUNTER);
	return cbo_unit(msr, is_select);
}

/* SDM Vol. 4, MSR_UNC_CBO_CONFIG: one more than there are */
static uint64_t cbo_config(void)
{
	return vpmu_uncore_boxes() + 1;
}

/**
 * vpmu_uncore_read() - rdmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: set if it is ours
 *
 * Return: false if QEMU shall execute it.
 */
bool vpmu_uncore_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	const struct unit *unit;
	bool is_select;

	if (!part)
		return false;
	if (msr == part->global_ctrl || msr == CBO_CONFIG) {
		*value = msr == CBO_CONFIG ? cbo_config() : global;
		return true;
	}
	unit = unit_of(msr, &is_select);
	if (!unit)
		return false;
	vcore_settle(cpu->core);
	settle();
	*value = is_select ? unit->select : unit->counter.value;
	restart();
	return true;
}

/**
 * vpmu_uncore_lose() - the registers are as they were at power on
 *
 * All vCPUs but the calling one are idle.
 */
void vpmu_uncore_lose(void)
{
	unsigned int i;

	settle();
	global = 0;
	for (i = 0; i < nr_units; i++) {
		units[i].select = 0;
		units[i].counter.value = vpmu_start_value(WIDTH);
	}
	restart();
}

/* bits that must be 0: the arbiter's and the CBos' threshold has 5 bits */
static uint64_t reserved(const struct unit *unit, bool is_select)
{
	if (!is_select)
		return ~(VPMU_BIT(WIDTH) - 1);
	return unit->type == CLOCK ? ~(VPMU_BIT(20) | SEL_EN) : ~0x1fd4ffffull;
}

/**
 * vpmu_uncore_write() - wrmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: what to write
 *
 * Return: false if QEMU shall execute it.
 */
bool vpmu_uncore_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_uncore_part *part = vpmu_options.part->uncore;
	bool is_select, is_global;
	struct unit *unit;

	if (!part)
		return false;
	is_global = msr == part->global_ctrl;
	unit = is_global ? NULL : unit_of(msr, &is_select);
	if (!unit && !is_global)
		return false;
	if (unit && (value & reserved(unit, is_select))) {
		cpu->illegal_writes++;
		return true;
	}
	vcore_settle(cpu->core);
	settle();
	if (is_global)
		global = value;
	else if (is_select)
		unit->select = value;
	else
		unit->counter.value = value;
	restart();
	return true;
}
