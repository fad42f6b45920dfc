// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the registers of all CPU models: no two units of a CPU model share a register, and each
 * counter has the register that the manuals and Linux give it.
 */

#include <string.h>

#include "base/array.h"
#include "intel.h"
#include "unit.h"

#define MSRS_MAX 640
#define UNCORE_END (BPMU_COUNTER_M2PCIE + BPMU_M2PCIE_COUNTERS)

/**
 * struct msrs - MSRs that a CPU model has
 * @msr: addresses of the MSRs, [@nr]
 * @nr: number of MSRs
 */
struct msrs {
	u32 msr[MSRS_MAX];
	unsigned int nr;
};

/*
 * Adds @n MSRs, @stride apart, from @first on; fails if one of them was added before. Adds none if
 * @first is 0.
 */
static void add(struct msrs *m, u32 first, unsigned int n, u32 stride)
{
	unsigned int i;
	unsigned int j;

	for (i = 0; first && i < n; i++) {
		for (j = 0; j < m->nr; j++)
			assert_int_not_equal(m->msr[j], first + i * stride);
		assert_true(m->nr < MSRS_MAX);
		m->msr[m->nr++] = first + i * stride;
	}
}

static void add_core(struct msrs *m, const struct bpmu_part *part)
{
	unsigned int gp = unit_most_counters(part, 0);
	const struct bpmu_msrs *core = &part->msrs;

	add(m, core->select, gp, core->stride);
	add(m, core->counter, gp, core->stride);
	if (core->counter_full != core->counter)
		add(m, core->counter_full, gp, core->stride);
	add(m, core->fixed, part->metrics ? 4 : 3, 1);
	add(m, core->fixed_ctrl, 1, 1);
	add(m, core->global_ctrl, 1, 1);
	add(m, core->global_status, 1, 1);
	add(m, core->global_ovf, 1, 1);
	add(m, part->metrics ? BPMU_MSR_PERF_METRICS : 0, 1, 1);
	if (part->extras) {
		add(m, bpmu_extra_msr(BPMU_EXTRA_OFFCORE_0), 2, 1);
		add(m, bpmu_extra_msr(BPMU_EXTRA_FRONTEND), 1, 1);
		add(m, bpmu_extra_msr(BPMU_EXTRA_LATENCY), 1, 1);
	}
}

static void add_uncore(struct msrs *m, const struct bpmu_uncore *uncore)
{
	const struct bpmu_box *box;
	u32 i;

	add(m, uncore->global_ctrl, 1, 1);
	add(m, uncore->cbo_config, 1, 1);
	for (box = uncore->boxes; box->unit; box++) {
		/*
		 * In Linux the registers of each memory controller of AMD follow those of the
		 * previous controller. CPUID can report up to 63 counters of all controllers
		 * together.
		 */
		if (box->unit == BPMU_UNIT_UMC) {
			add(m, box->select, 0x3f, box->stride);
			add(m, box->counter, 0x3f, box->stride);
			continue;
		}
		/*
		 * The registers of these boxes have no fixed MSR addresses: they are on PCI or in
		 * memory, or discovery tables have their addresses.
		 */
		if (box->devices || box->size || uncore->discovery)
			continue;
		for (i = 0; i < box->nr; i++) {
			u32 at = box->offsets ? (u32)box->offsets[i] : i * box->step;

			add(m, box->select + at,
			    box->counters - !!box->fixed_select, box->stride);
			add(m, box->counter + at,
			    box->counters - !!box->fixed_select, box->stride);
			if (!box->offsets)
				continue;
			add(m, box->ctl + at, 1, 1);
			add(m, box->filter ? box->filter + at : 0, 1, 1);
		}
		if (box->offsets)
			continue;
		add(m, box->fixed_select, 1, 1);
		add(m, box->fixed_counter, 1, 1);
		add(m, box->ctl, box->nr, box->step);
		add(m, box->filter, box->nr, box->step);
		add(m, box->filter_high, box->nr, box->step);
	}
}

static void msrs_do_not_overlap(void **state)
{
	const struct bpmu_part *part = *state;
	struct msrs msrs = { .nr = 0 };

	add_core(&msrs, part);
	if (part->uncore)
		add_uncore(&msrs, part->uncore);
	assert_true(msrs.nr > 4);
}

static void counters_and_legal_bits_are_within_range(void **state)
{
	/*
	 * CPU models with UMASK2 and EQ in the event selects of the core: Intel's event files for
	 * the core have the field UMaskExt, or CPUID reports UMASK2 and EQ.
	 */
	static const char extended[] = " arl arl-e lnl lnl-e ptl ptl-e cwf nvl nvl-e ";
	const struct bpmu_part *part = *state;
	char word[16];
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	u64 legal = BPMU_SEL_LEGAL;

	assert_ptr_equal(bpmu_part_by_name(part->name), part);
	assert_in_range(pmu.gp_counters, 1, 8);
	assert_in_range(pmu.gp_width, 32, 64);
	assert_true(part->issue_width && part->threads);
	if (part->ids[0].vendor == BPMU_VENDOR_AMD)
		legal = BPMU_SEL_LEGAL_NOANY | BPMU_SEL_EVENT_HIGH;
	snprintf(word, sizeof(word), " %s ", part->name);
	if (strstr(extended, word))
		assert_int_equal(part->legal, BPMU_SEL_LEGAL_V6);
	else
		assert_int_equal(part->legal & ~legal, 0);
}

static void each_model_identifies_the_part(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_cpu_id *id = part->ids;

	assert_true(id->vendor);
	for (; id->vendor; id++) {
		struct bpmu_cpu_id cpu = *id;

		assert_ptr_equal(bpmu_part_find(&cpu), part);
		cpu.model = id->last ? id->last : id->model;
		assert_ptr_equal(bpmu_part_find(&cpu), part);
	}
}

/*
 * Bits of the longer event code and the longer unit mask in the event select of AMD's data fabric.
 * No other event select has these bits.
 */
#define DF_MORE 0x1800003f00000000ULL

/*
 * Returns the bits of the named fields of an event select, and the bits that make the hardware
 * ignore one of these fields. Fails if one of the bits is not legal, or if two fields overlap.
 */
static u64 named_bits(const struct bpmu_box *box)
{
	const struct bpmu_select_field *field;
	u64 bits = 0;

	for (field = box->fields; field && field->name; field++) {
		assert_true(field->bits && !(field->bits & bits));
		assert_int_equal(field->unless & field->bits, 0);
		bits |= field->bits | field->unless;
	}
	assert_int_equal(bits & ~box->legal, 0);
	return bits;
}

/*
 * Checks a box's filter register. Its fields do not overlap, and each of them is used by some
 * event. The default value of a field has no bits outside of the field. Bits that make the hardware
 * ignore a field belong to the default value of another field.
 */
static void check_filter(const struct bpmu_box *box)
{
	const struct bpmu_select_field *field;
	const struct bpmu_filter_use *use;
	u64 bits = 0, used = 0, unless = 0, open = 0;

	for (field = box->filters; field && field->name; field++) {
		assert_true(field->bits && !(field->bits & bits));
		assert_false(field->some && field->asked);
		assert_int_equal(field->unless & field->bits, 0);
		assert_int_equal(field->open & ~field->bits, 0);
		assert_true(field->open || !field->some);
		bits |= field->bits;
		unless |= field->unless;
		open |= field->open;
	}
	assert_int_equal(unless & ~open, 0);
	for (use = box->uses; use && use->fields; use++) {
		assert_int_equal(use->select & ~use->mask, 0);
		assert_int_equal(use->select & ~box->legal, 0);
		used |= use->fields;
	}
	assert_int_equal(used, bits);
	assert_int_equal(!box->filter, !bits);
	assert_true(box->filter_high || !(bits >> 32));
	assert_true(!box->ctl || box->freeze);
	assert_true(!box->freeze || box->base);
	assert_int_equal(box->frozen & box->freeze, box->freeze);
	assert_int_equal(box->running & box->freeze, 0);
}

static void boxes_of_units_are_valid(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_box *box;
	unsigned int boxes = 0;

	box = part->uncore ? part->uncore->boxes : NULL;
	for (; box && box->unit; box++) {
		assert_ptr_equal(bpmu_uncore_box(part, box->unit), box);
		assert_in_range(box->nr, 1, bpmu_unit_facts[box->unit].most);
		if (box->base)
			assert_int_equal(box->base,
				bpmu_bank_facts[bpmu_unit_facts[box->unit].bank].first);
		assert_in_range(box->counters, 1, box->base ? BPMU_DF_COUNTERS :
							      BPMU_COUNTERS_PER_BOX);
		assert_in_range(box->width, 32, box->size ? 64 : 48);
		assert_true(box->nr == 1 || box->step || box->offsets || box->devices || box->size ||
			    box->unit == BPMU_UNIT_UMC || part->uncore->discovery);
		/*
		 * Two kinds of boxes have no enable bit in the event select: those that discovery
		 * tables describe, and those that a global register starts.
		 */
		assert_int_equal(!box->enable, part->uncore->discovery || box->global);
		assert_int_equal(box->enable & (box->enable - 1), 0);
		assert_int_equal(!box->title, !box->base);
		assert_int_equal(box->legal & (box->enable | BPMU_SEL_USR | BPMU_SEL_OS), 0);
		/*
		 * In the event select of a link, bit 21 is one more bit of the event code. In all
		 * other event selects it would be ANY (any thread), which the uncore does not have.
		 */
		assert_true(!(box->legal & BPMU_SEL_ANY) || box->unit == BPMU_UNIT_LINK);
		assert_int_equal(box->legal & ~(BPMU_SEL_LEGAL |
						named_bits(box) |
						(box->unit == BPMU_UNIT_DF ? DF_MORE :
						 box->unit == BPMU_UNIT_NB ? BPMU_SEL_EVENT_HIGH :
						 box->unit == BPMU_UNIT_IIO ?
						 BPMU_SEL_THRESHOLD : 0)), 0);
		check_filter(box);
		boxes += box->base ? 0 : box->nr;
	}
	assert_true(boxes <= BPMU_UNCORE_BOXES);
}

static unsigned int uncore_counters(const struct bpmu_pmu *pmu)
{
	const struct bpmu_box *box;
	unsigned int nr = 0;

	box = pmu->part->uncore ? pmu->part->uncore->boxes : NULL;
	for (; box && box->unit; box++)
		nr += box->unit == BPMU_UNIT_DF || box->unit == BPMU_UNIT_UMC ?
			      pmu->counters[box->unit] * (pmu->nr[box->unit] != 0) :
		      box->counters * (box->base ? pmu->nr[box->unit] != 0 : pmu->nr[box->unit]);
	return nr;
}

/*
 * Checks that each counter of the uncore has a number, and that no two numbers mean the same
 * counter.
 */
static void check_places(const struct bpmu_pmu *pmu)
{
	struct bpmu_place seen[UNCORE_END - BPMU_COUNTER_UNCORE];
	struct bpmu_place place;
	unsigned int nr = 0;
	unsigned int i;
	u32 c;

	for (c = 0; c < UNCORE_END + BPMU_COUNTERS_PER_BOX; c++) {
		if (!bpmu_uncore_place(pmu, c, &place))
			continue;
		assert_in_range(c, BPMU_COUNTER_UNCORE, UNCORE_END - 1);
		assert_true(place.index < place.box->counters);
		assert_true(place.instance < place.box->nr);
		assert_int_equal(bpmu_pmu_width(pmu, c),
				 bpmu_place_fixed(&place) ?
					 place.box->fixed_width : place.box->width);
		for (i = 0; i < nr; i++)
			assert_false(seen[i].box == place.box &&
				     seen[i].instance == place.instance &&
				     seen[i].index == place.index);
		seen[nr++] = place;
	}
	assert_int_equal(nr, uncore_counters(pmu));
}

static void counters_have_their_registers(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	unsigned int unit;

	check_places(&pmu);
	for (unit = 0; unit < BPMU_UNITS; unit++) {
		if (!pmu.nr[unit])
			continue;
		pmu.nr[unit] = 1;
		check_places(&pmu);
		pmu.nr[unit] = 0;
		check_places(&pmu);
	}
}

/*
 * @config is a value of MSR 396H (MSR_UNC_CBO_CONFIG). @cbos is the number of CBos that follows
 * from this value and from the number of cores.
 */
static const struct slices {
	const char *part;
	u64 config;
	unsigned int cores;
	unsigned int cbos;
} slices[] = {
	/* The register holds 5 on a Sandy Bridge with four cores in VirtualBox. */
	{ "snb", 5, 4, 4 }, { "snb", 3, 2, 2 }, { "ivb", 5, 2, 4 },
	{ "ivb", 0xfff3, 4, 2 }, { "hsw", 5, 4, 4 }, { "bdw", 3, 2, 2 },
	{ "snb", 0, 2, 2 }, { "snb", 0, 18, 4 },
	/*
	 * On Skylake the register may count the slice of the graphics as well: with six cores it
	 * holds 7 or 6. With ten cores the register holds 10, but the result is 7, because the
	 * descriptor of Skylake has no more CBos.
	 */
	{ "skl", 5, 4, 4 }, { "skl", 7, 6, 6 }, { "skl", 6, 6, 6 },
	{ "skl", 10, 10, 7 }, { "skl", 0, 2, 2 },
	{ "icl", 4, 4, 4 }, { "icl", 8, 2, 8 }, { "rkl", 2, 8, 2 },
	{ "tgl", 0x14, 4, 4 }, { "adl", 6, 14, 6 }, { "adl-e", 9, 4, 8 },
	{ "adl", 0, 6, 6 },
};

static void the_configuration_has_the_number_of_cbos(void **state)
{
	const struct bpmu_part *part = *state;
	unsigned int seen = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slices); i++) {
		if (strcmp(slices[i].part, part->name))
			continue;
		seen++;
		assert_int_equal(bpmu_uncore_cbos(part->uncore,
						  slices[i].config,
						  slices[i].cores),
				 slices[i].cbos);
	}
	assert_true(seen || !bpmu_uncore_box(part, BPMU_UNIT_CBO));
}

/*
 * All boxes of the uncore are numbered from 0 on: first those of the first unit, then those of the
 * next unit, and so on.
 */
static void boxes_are_numbered_consecutively(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	unsigned int unit, first, nr, i;
	struct bpmu_place place;
	unsigned int next = 0;

	for (unit = BPMU_UNIT_CLOCK; unit <= BPMU_UNIT_CBO; unit++) {
		nr = bpmu_uncore_boxes(&pmu, unit, &first);
		if (!bpmu_uncore_box(part, unit)) {
			assert_int_equal(nr, 0);
			continue;
		}
		assert_true(nr);
		assert_int_equal(first, next);
		for (i = 0; i < nr; i++) {
			assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_UNCORE +
				(first + i) * BPMU_COUNTERS_PER_BOX, &place));
			assert_int_equal(place.box->unit, unit);
			assert_int_equal(place.instance, i);
		}
		next = first + nr;
	}
}

/*
 * Registers of the last counter of a unit's last box. The source is Linux: for clients
 * uncore_snb.c, for servers uncore_snbep.c, and for AMD msr-index.h, MSR_F16H_L2I_PERF_CTL and
 * MSR_F15H_NB_PERF_CTL.
 */
static const struct last {
	const char *part;
	u8 unit;
	u32 select;
	u32 counter;
} last[] = {
	{ "nhm", BPMU_UNIT_GQ, 0x3c7, 0x3b7 },
	{ "wsm-ep", BPMU_UNIT_CLOCK, 0x395, 0x394 },
	{ "snb", BPMU_UNIT_CBO, 0x731, 0x737 },
	{ "skl", BPMU_UNIT_CBO, 0x763, 0x769 },
	{ "icl", BPMU_UNIT_CBO, 0x739, 0x73b },
	{ "tgl", BPMU_UNIT_CBO, 0x739, 0x73b },
	{ "adl", BPMU_UNIT_CBO, 0x2039, 0x203b },
	{ "adl", BPMU_UNIT_ARB, 0x2fd9, 0x2fdb },
	{ "icl", BPMU_UNIT_ARB, 0x3b3, 0x3b1 },
	{ "rkl", BPMU_UNIT_ARB, 0x3b3, 0x3b1 },
	{ "jkt", BPMU_UNIT_CHA, 0xdf3, 0xdf9 },
	{ "ivt", BPMU_UNIT_CHA, 0xed3, 0xed9 },
	{ "hsx", BPMU_UNIT_CHA, 0xf14, 0xf1b },
	{ "bdx", BPMU_UNIT_CHA, 0xf74, 0xf7b },
	{ "jkt", BPMU_UNIT_PCU, 0xc33, 0xc39 },
	{ "ivt", BPMU_UNIT_PCU, 0xc33, 0xc39 },
	{ "hsx", BPMU_UNIT_PCU, 0x714, 0x71a },
	{ "bdx", BPMU_UNIT_PCU, 0x714, 0x71a },
	{ "skx", BPMU_UNIT_PCU, 0x714, 0x71a },
	{ "skx", BPMU_UNIT_CHA, 0xfb4, 0xfbb },
	{ "skx", BPMU_UNIT_IIO, 0xaeb, 0xae4 },
	{ "zen1", BPMU_UNIT_L3, 0xc001023a, 0xc001023b },
	{ "zen6", BPMU_UNIT_L3, 0xc001023a, 0xc001023b },
	{ "zen1", BPMU_UNIT_DF, 0xc0010246, 0xc0010247 },
	{ "zen3", BPMU_UNIT_DF, 0xc0010246, 0xc0010247 },
	{ "zen4", BPMU_UNIT_DF, 0xc001025e, 0xc001025f },
	{ "jaguar", BPMU_UNIT_L2, 0xc0010236, 0xc0010237 },
	{ "jaguar", BPMU_UNIT_NB, 0xc0010246, 0xc0010247 },
	{ "bulldozer", BPMU_UNIT_NB, 0xc0010246, 0xc0010247 },
};

static void the_last_counter_has_its_register(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_box *box;
	unsigned int i;
	u32 more;

	for (i = 0; i < ARRAY_SIZE(last); i++) {
		if (strcmp(last[i].part, part->name))
			continue;
		box = bpmu_uncore_box(part, last[i].unit);
		more = (box->nr - 1) * box->step +
		       (box->counters - 1) * box->stride;
		assert_int_equal(box->select + more, last[i].select);
		assert_int_equal(box->counter + more, last[i].counter);
	}
}

/*
 * Control register and filter register of the third CBo, and the filter fields that an event uses.
 * Source: Linux, uncore_snbep.c, SNBEP_C0_MSR_PMON_BOX_*, ivbep_cbox_enable_event(),
 * HSWEP_C0_MSR_PMON_BOX_* and *_cbox_extra_regs.
 */
static void cbos_have_control_and_filter(void **state)
{
	static const struct {
		const char *part;
		u32 ctl, filter, filter_high;
		u64 select;
		u64 used;
	} cases[] = {
		{ "jkt", 0xd44, 0xd54, 0, 0x335, 0xff800000 },
		{ "jkt", 0xd44, 0xd54, 0, 0x4334, 0x7ffc00 },
		{ "jkt", 0xd44, 0xd54, 0, 0x80000, 0x1f },
		{ "jkt", 0xd44, 0xd54, 0, 0x835, 0 },
		{ "ivt", 0xd44, 0xd54, 0xd5a, 0x336, 0xfff0000000000000 },
		{ "ivt", 0xd44, 0xd54, 0xd5a, 0x4337, 0xffff00000000 },
		{ "ivt", 0xd44, 0xd54, 0xd5a, 0x1031, 0x1e0 },
		{ "ivt", 0xd44, 0xd54, 0xd5a, 0x1134, 0x7e0000 },
		{ "ivt", 0xd44, 0xd54, 0xd5a, 0x4032, 0 },
		{ "hsx", 0xe20, 0xe25, 0xe26, 0x84a35, 0xffff0000003f },
		{ "hsx", 0xe20, 0xe25, 0xe26, 0x135, 0xfff00000000003c0 },
		{ "hsx", 0xe20, 0xe25, 0xe26, 0x4032, 0xffff00000000 },
		{ "bdx", 0xe20, 0xe25, 0xe26, 0x2134, 0xfe0000 },
		{ "bdx", 0xe20, 0xe25, 0xe26, 0x136, 0xfff0000000000000 },
		{ "bdx", 0xe20, 0xe25, 0xe26, 0, 0 },
		{ "skx", 0xe20, 0xe25, 0xe26, 0x2135, 0xdffffe3b00000000 },
		{ "skx", 0xe20, 0xe25, 0xe26, 0x2136, 0xdffffe3b00000000 },
		{ "skx", 0xe20, 0xe25, 0xe26, 0x9134, 0x7fe0000 },
		{ "skx", 0xe20, 0xe25, 0xe26, 0x80000, 0x1ff },
		{ "skx", 0xe20, 0xe25, 0xe26, 0x50, 0 },
	};
	struct bpmu_place at = { .instance = 2 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].part, ((struct bpmu_part *)*state)->name))
			continue;
		at.box = bpmu_uncore_box(*state, BPMU_UNIT_CHA);
		at.step = at.box->step;
		assert_int_equal(bpmu_place_ctl(&at), cases[i].ctl);
		assert_int_equal(bpmu_place_filter(&at), cases[i].filter);
		if (cases[i].filter_high)
			assert_int_equal(bpmu_place_filter_high(&at),
					 cases[i].filter_high);
		assert_int_equal(bpmu_filter_used(at.box, cases[i].select),
				 cases[i].used);
	}
	assert_int_equal(bpmu_filter_used(NULL, 0x335), 0);
}

/*
 * Units of which a package has only one: the addresses of their registers, the legal bits of an
 * event select, and the width of a counter. The counters of a unit can be used only if the machine
 * has the unit. Source: Linux, uncore_snbep.c, SNBEP_PCU_*, SNBEP_U_*, HSWEP_PCU_*, HSWEP_U_*, and
 * perf_ctr_bits and fixed_ctr_bits of the PMU types.
 */
static const struct {
	const char *part;
	u8 unit;
	u32 index;
	u32 select, counter;
	u64 legal;
	u8 width;
} single[] = {
	{ "jkt", BPMU_UNIT_PCU, 0, 0xc30, 0xc36, 0xdf84c0ff, 48 },
	{ "ivt", BPMU_UNIT_PCU, 3, 0xc33, 0xc39, 0xdf04c0ff, 48 },
	{ "hsx", BPMU_UNIT_PCU, 1, 0x712, 0x718, 0xdf84c0ff, 48 },
	{ "bdx", BPMU_UNIT_PCU, 3, 0x714, 0x71a, 0xdf84c0ff, 48 },
	{ "jkt", BPMU_UNIT_UBOX, 1, 0xc11, 0xc17, 0x1f84ffff, 44 },
	{ "ivt", BPMU_UNIT_UBOX, 0, 0xc10, 0xc16, 0x1f04ffff, 44 },
	{ "ivt", BPMU_UNIT_UBOX, 2, 0xc08, 0xc09, 0, 48 },
	{ "hsx", BPMU_UNIT_UBOX, 0, 0x705, 0x709, 0x1f84ffff, 44 },
	{ "hsx", BPMU_UNIT_UBOX, 2, 0x703, 0x704, 0, 48 },
	{ "bdx", BPMU_UNIT_UBOX, 1, 0x706, 0x70a, 0x1f84ffff, 48 },
	{ "bdx", BPMU_UNIT_UBOX, 2, 0x703, 0x704, 0, 48 },
	{ "skx", BPMU_UNIT_PCU, 2, 0x713, 0x719, 0xdf84c0ff, 48 },
	{ "skx", BPMU_UNIT_UBOX, 1, 0x706, 0x70a, 0x1f84ffff, 48 },
	{ "skx", BPMU_UNIT_UBOX, 2, 0x703, 0x704, 0, 48 },
};

static void check_single(const struct bpmu_part *part, unsigned int i)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, single[i].unit);
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	u32 counter = box->base + single[i].index;
	struct bpmu_place at;
	unsigned int first;

	assert_int_equal(bpmu_uncore_place(&pmu, counter, &at), 1);
	assert_ptr_equal(at.box, box);
	assert_int_equal(bpmu_place_select(&at), single[i].select);
	assert_int_equal(bpmu_place_counter(&at), single[i].counter);
	assert_int_equal(bpmu_select_illegal(&pmu, counter, ~0ULL),
			 ~single[i].legal);
	assert_int_equal(bpmu_pmu_width(&pmu, counter), single[i].width);
	assert_int_equal(bpmu_box_thresholds(box), 0x1f000000);
	/*
	 * On a machine without a PCU the counters of the PCU do not exist, but those of the UBox
	 * do. The reverse holds on a machine without a UBox.
	 */
	pmu.nr[single[i].unit] = 0;
	assert_int_equal(bpmu_uncore_place(&pmu, counter, &at), 0);
	assert_int_equal(bpmu_uncore_boxes(&pmu, single[i].unit, &first), 0);
	assert_int_equal(bpmu_box_counters(&pmu, box), 0);
	check_places(&pmu);
}

static void pcu_and_ubox_are_single(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	bool has = bpmu_uncore_box(part, BPMU_UNIT_PCU);
	unsigned int i;

	/* An uncore has both a PCU and a UBox, or neither. */
	assert_int_equal(pmu.nr[BPMU_UNIT_PCU], has);
	assert_int_equal(pmu.nr[BPMU_UNIT_UBOX], has);
	for (i = 0; i < ARRAY_SIZE(single); i++)
		if (!strcmp(single[i].part, part->name))
			check_single(part, i);
}

/*
 * The filter of the PCU has four frequency bands, and four events use one band each. The control
 * register of the PCU's box is checked too.
 */
static void events_of_the_pcu_use_their_band(void **state)
{
	const struct bpmu_box *box = bpmu_uncore_box(*state, BPMU_UNIT_PCU);
	bool old = !strcmp(((struct bpmu_part *)*state)->name, "jkt") ||
		   !strcmp(((struct bpmu_part *)*state)->name, "ivt");
	struct bpmu_place at = { .box = box };

	if (!box || !box->filter)
		return;
	assert_int_equal(bpmu_place_ctl(&at), old ? 0xc24 : 0x710);
	assert_int_equal(bpmu_place_filter(&at), old ? 0xc34 : 0x715);
	assert_int_equal(bpmu_filter_used(box, 0x0a), 0);
	assert_int_equal(bpmu_filter_used(box, 0x0b), 0xff);
	assert_int_equal(bpmu_filter_used(box, 0x0c), 0xff00);
	assert_int_equal(bpmu_filter_used(box, 0x300000d), 0xff0000);
	assert_int_equal(bpmu_filter_used(box, 0x0e), 0xff000000);
	assert_int_equal(bpmu_filter_used(box, 0x0f), 0);
}

/*
 * Registers and device IDs of a memory channel, which is a PCI device. Source: Linux,
 * uncore_snbep.c, SNBEP_PCI_PMON_*, SNBEP_MC_CHy_PCI_PMON_FIXED_* and the last entries of
 * *_uncore_pci_ids.
 */
static void memory_channels_have_pci_devices(void **state)
{
	static const struct {
		const char *part;
		unsigned int nr;
		u16 last, ubox;
	} cases[] = {
		{ "jkt", 4, 0x3cb5, 0x3ce0 }, { "ivt", 8, 0x0ef1, 0x0e1e },
		{ "hsx", 8, 0x2fd5, 0x2f1e }, { "bdx", 8, 0x6fd5, 0x6f1e },
		{ "skx", 6, 0x204a, 0x2014 },
	};
	static const u32 registers[BPMU_IMC_COUNTERS][2] = {
		{ 0xd8, 0xa0 }, { 0xdc, 0xa8 }, { 0xe0, 0xb0 }, { 0xe4, 0xb8 },
		{ 0xf0, 0xd0 },
	};
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place at;
	bool lower = !strcmp(part->name, "skx");
	unsigned int i, nr;
	u32 c;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].part, part->name))
			continue;
		for (c = 0; c < BPMU_IMC_COUNTERS; c++) {
			assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_IMC + c, &at));
			at.instance = cases[i].nr - 1;
			assert_int_equal(bpmu_place_select(&at), registers[c][0]);
			assert_int_equal(bpmu_place_counter(&at), registers[c][1]);
			assert_int_equal(bpmu_place_ctl(&at), 0xf4);
			assert_int_equal(bpmu_place_fixed(&at), c == 4);
		}
		assert_int_equal(bpmu_box_fixed(at.box), 0x10);
		for (nr = 0; at.box->devices[nr]; nr++)
			;
		/*
		 * Each memory channel has a device ID. Skylake's two controllers have the same
		 * three device IDs, so each ID belongs to two channels: one channel of either
		 * controller.
		 */
		assert_int_equal(nr * (1 + lower), cases[i].nr);
		assert_int_equal(at.box->nr, cases[i].nr);
		assert_true(at.box->nr <= BPMU_IMCS);
		assert_int_equal(part->uncore->ubox->node, lower ? 0xc0 : 0x40);
		assert_int_equal(part->uncore->ubox->map, lower ? 0xd4 : 0x54);
		assert_int_equal(part->uncore->ubox->lower, lower);
		assert_int_equal(at.box->frozen, !strcmp(part->name, "ivt") || lower ?
			0x100 : 0x10100);
		assert_int_equal(at.box->devices[nr - 1], cases[i].last);
		assert_int_equal(part->uncore->ubox->device, cases[i].ubox);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_IMC + 4, 0xff),
				 0xff);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_IMC, 0xff), 0);
	}
	assert_int_equal(bpmu_box_fixed(NULL), 0);
}

/*
 * The physical address of a memory channel's registers follows from registers of the host bridge.
 * Some bits of the host bridge's registers are not part of the address. Source: Linux,
 * uncore_snbep.c, snr_uncore_mmio_map(), with the numbers of icx_uncore_imc.
 */
PART_CHECK(memory_channels_have_their_addresses)
{
	static const struct bpmu_channels channels = {
		.base = 0xd0, .controller = 0xd8, .controllers = 4, .nr = 3, .first = 0x22800,
		.step = 0x4000,
	};

	assert_int_equal(bpmu_channel_address(&channels, 0xe0000402, 0xfffff801, 0),
			 0x201000000 + 0x1000 + 0x22800);
	assert_int_equal(bpmu_channel_address(&channels, 0x1fffffff, 0x7ff, 2),
			 0xfffffff800000 + 0x7ff000 + 0x22800 + 0x8000);
	assert_int_equal(bpmu_channel_address(&channels, 0xe0000000, 0x7ff, 2), 0);
	assert_int_equal(bpmu_channel_address(&channels, 0x402, 0xfffff800, 2), 0);
	assert_int_equal(bpmu_controller_address(0xe0000402, 0xfffff801), 0x201001000);
	assert_int_equal(bpmu_controller_address(0xe0000000, 0x7ff), 0);
}

/*
 * Registers and device IDs of home agents and of links. Only the event select of a link has the bit
 * SNBEP_PMON_CTL_EV_SEL_EXT. Source: Linux, uncore_snbep.c, PCI_DEVICE_ID_INTEL_UNC_HA and _QPI* in
 * *_uncore_pci_ids.
 */
static void home_agents_and_links_have_pci_devices(void **state)
{
	static const struct {
		const char *part;
		u16 agent[3], link[4];
	} cases[] = {
		{ "jkt", { 0x3c46 }, { 0x3c41, 0x3c42 } },
		{ "ivt", { 0x0e30, 0x0e38 }, { 0x0e32, 0x0e33, 0x0e3a } },
		{ "hsx", { 0x2f30, 0x2f38 }, { 0x2f32, 0x2f33, 0x2f3a } },
		{ "bdx", { 0x6f30, 0x6f38 }, { 0x6f32, 0x6f33, 0x6f3a } },
	};
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place ha, link;
	unsigned int i, c, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].part, part->name))
			continue;
		for (c = 0; c < BPMU_HA_COUNTERS; c++) {
			assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_HA + c, &ha));
			assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_LINK + c, &link));
			assert_int_equal(bpmu_place_select(&ha), 0xd8 + 4 * c);
			assert_int_equal(bpmu_place_counter(&link), 0xa0 + 8 * c);
			assert_int_equal(bpmu_place_ctl(&link), 0xf4);
			assert_int_equal(bpmu_place_fixed(&ha), 0);
			assert_int_equal(bpmu_place_fixed(&link), 0);
		}
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_HA, 0x200001),
				 0x200000);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_LINK, 0x201802), 0);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_LINK, 0x90002),
				 0x90000);
		for (k = 0; k <= ha.box->nr; k++)
			assert_int_equal(ha.box->devices[k], cases[i].agent[k]);
		for (k = 0; k <= link.box->nr; k++)
			assert_int_equal(link.box->devices[k], cases[i].link[k]);
	}
}

/*
 * On Skylake M2Ms (home agents) and UPI links have their registers in the extended configuration
 * space: Linux, uncore_snbep.c, SKX_M2M_PCI_PMON_*, SKX_UPI_PCI_PMON_*, skx_uncore_pci_ids.
 */
static void m2ms_and_links_use_extended_space(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	const struct bpmu_box *box;
	struct bpmu_place m2m, upi;
	u32 c;

	for (box = part->uncore ? part->uncore->boxes : NULL; box && box->unit; box++)
		assert_int_equal(box->wide, !part->uncore->discovery ?
			box->devices && box->ctl >= 0x100 && strcmp(part->name, "knl") :
			box->unit == BPMU_UNIT_HA || box->unit == BPMU_UNIT_LINK);
	if (strcmp(part->name, "skx"))
		return;
	for (c = 0; c < 4; c++) {
		assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_HA + c, &m2m));
		assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_LINK + c, &upi));
		assert_int_equal(bpmu_place_select(&m2m), 0x228 + 8 * c);
		assert_int_equal(bpmu_place_counter(&m2m), 0x200 + 8 * c);
		assert_int_equal(bpmu_place_select(&upi), 0x350 + 8 * c);
		assert_int_equal(bpmu_place_counter(&upi), 0x318 + 8 * c);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_LINK + c, ~0ULL),
				 ~0xff84ffffULL);
	}
	assert_int_equal(bpmu_place_ctl(&m2m), 0x258);
	assert_int_equal(bpmu_place_ctl(&upi), 0x378);
	assert_int_equal(m2m.box->frozen, 0x100);
	assert_true(m2m.box->wide && upi.box->wide);
	/* Both M2Ms have the same device ID, and so have all three links. */
	assert_int_equal(m2m.box->devices[0], 0x2066);
	assert_int_equal(m2m.box->devices[1], 0);
	assert_int_equal(m2m.box->nr, 2);
	assert_int_equal(upi.box->devices[0], 0x2058);
	assert_int_equal(upi.box->devices[1], 0);
	assert_int_equal(upi.box->nr, 3);
}

/*
 * Registers of the third IIO stack, and fields of its event select, among them a threshold of
 * twelve bits. Source: Linux, uncore_snbep.c, SKX_IIO0_MSR_*, skx_uncore_iio,
 * skx_uncore_iio_format_attr.
 */
static void iio_stacks_have_their_registers(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_box *box = bpmu_uncore_box(part, BPMU_UNIT_IIO);
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place at;
	u32 c;

	assert_int_equal(!box, strcmp(part->name, "skx") && strcmp(part->name, "icx") &&
			 (!part->uncore || !part->uncore->discovery));
	if (!box || part->uncore->discovery)
		return;
	for (c = 0; !box->offsets && c < BPMU_IIO_COUNTERS; c++) {
		assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_IIO + c, &at));
		assert_int_equal(at.units, 6);
		at.instance = 2;
		assert_int_equal(bpmu_place_select(&at), 0xa88 + c);
		assert_int_equal(bpmu_place_counter(&at), 0xa81 + c);
		assert_int_equal(bpmu_place_ctl(&at), 0xa80);
		assert_int_equal(bpmu_place_fixed(&at), 0);
		assert_int_equal(bpmu_pmu_width(&pmu, BPMU_COUNTER_IIO + c), 48);
		assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_IIO + c, ~0ULL),
				 ~0x7fffff84ffffULL);
	}
	if (!box)
		return;
	assert_int_equal(bpmu_box_thresholds(box), 0xfff000000);
	assert_int_equal(box->frozen, 0x100);
	pmu.nr[BPMU_UNIT_IIO] = 0;
	assert_false(bpmu_uncore_place(&pmu, BPMU_COUNTER_IIO, &at));
}

/*
 * Registers of Ice Lake's boxes. Those of the CHAs are in three ranges of MSRs: the first ends with
 * CHA 17, and the second begins with CHA 18 and ends with CHA 33. Source: Linux, uncore_snbep.c,
 * icx_cha_msr_offsets, icx_msr_offsets, SNR_IMC_MMIO_*, ICX_UPI_PCI_PMON_*, SNR_M2M_PCI_PMON_* and
 * icx_uncore_pci_ids.
 */
static void boxes_of_ice_lake_have_their_registers(void **state)
{
	static const struct {
		u32 counter, instance, select, value, ctl;
	} rows[] = {
		{ BPMU_COUNTER_CHA, 0, 0xe01, 0xe08, 0xe00 },
		{ BPMU_COUNTER_CHA + 3, 17, 0xef2, 0xef9, 0xeee },
		{ BPMU_COUNTER_CHA, 18, 0xf0b, 0xf12, 0xf0a },
		{ BPMU_COUNTER_CHA, 33, 0xfdd, 0xfe4, 0xfdc },
		{ BPMU_COUNTER_CHA, 34, 0xb61, 0xb68, 0xb60 },
		{ BPMU_COUNTER_CHA + 1, 39, 0xba8, 0xbaf, 0xba6 },
		{ BPMU_COUNTER_IIO, 0, 0xa58, 0xa51, 0xa50 },
		{ BPMU_COUNTER_IIO + 3, 3, 0xaeb, 0xae4, 0xae0 },
		{ BPMU_COUNTER_IIO, 5, 0xb28, 0xb21, 0xb20 },
		{ BPMU_COUNTER_IMC + 3, 11, 0x4c, 0x20, 0 },
		{ BPMU_COUNTER_IMC + 4, 0, 0x54, 0x38, 0 },
		{ BPMU_COUNTER_HA + 1, 3, 0x470, 0x448, 0x438 },
		{ BPMU_COUNTER_LINK + 2, 2, 0x360, 0x330, 0x318 },
	};
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place at;
	unsigned int i;

	if (strcmp(part->name, "icx"))
		return;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(bpmu_uncore_place(&pmu, rows[i].counter, &at));
		assert_in_range(rows[i].instance, 0, at.box->nr - 1);
		at.instance = rows[i].instance;
		assert_int_equal(bpmu_place_select(&at), rows[i].select);
		assert_int_equal(bpmu_place_counter(&at), rows[i].value);
		assert_int_equal(bpmu_place_ctl(&at), rows[i].ctl);
		assert_int_equal(at.box->freeze, 0x100);
		/* The end of the last event select must be within the registers that are mapped. */
		if (at.box->size)
			assert_in_range(rows[i].select + 4, 4, at.box->size);
	}
	at.box = bpmu_uncore_box(part, BPMU_UNIT_CHA);
	at.instance = 39;
	assert_int_equal(bpmu_place_filter(&at), 0xbab);
	/*
	 * The unit mask of a CHA is longer than 8 bits. Its upper bits are in the event select from
	 * bit 32 on. The event select of an IIO stack has masks of ports and of classes from bit 36
	 * on.
	 */
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_CHA, 0x03ffffff00000000), 0);
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_CHA, 1ULL << 58), 1ULL << 58);
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_IIO, ~0ULL),
			 ~0x7ffffff84ffffULL);
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_HA, 0x1ff00000000),
			 0x10000000000);
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_LINK, 0x1ffffff00000000),
			 0x100000000000000);
	assert_int_equal(part->uncore->ubox->device, 0x3450);
	assert_string_equal(bpmu_uncore_box(part, BPMU_UNIT_IMC)->driver, "icx_uncore");
	assert_int_equal(bpmu_uncore_box(part, BPMU_UNIT_HA)->devices[0], 0x344a);
	assert_int_equal(bpmu_uncore_box(part, BPMU_UNIT_LINK)->devices[0], 0x3441);
}

/*
 * Memory controllers of client CPUs: offsets of their registers. Offsets are relative to the
 * controller's address, which is in the memory range of MCHBAR. The global control register of
 * controller 1 controls both controllers. Source: Linux, uncore_snb.c, ADL_UNCORE_IMC_*.
 */
static void memory_controllers_of_clients_have_their_registers(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_box *box = bpmu_uncore_box(part, BPMU_UNIT_IMC);
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);
	struct bpmu_place at;
	u32 i;

	assert_int_equal(part->mchbar && part->mchbar->box, part->mchbar && box);
	if (!part->mchbar || !box)
		return;
	assert_int_equal(part->mchbar->box, 0xd900);
	assert_int_equal(part->mchbar->step, 0x10000);
	for (i = 0; i < 5; i++) {
		assert_true(bpmu_uncore_place(&pmu, BPMU_COUNTER_IMC + i, &at));
		assert_int_equal(bpmu_place_select(&at), 0xd0 + 4 * i);
		assert_int_equal(bpmu_place_counter(&at), 0xe8 + 8 * i);
		assert_int_equal(bpmu_place_ctl(&at), 0xc4);
		assert_int_equal(bpmu_pmu_width(&pmu, BPMU_COUNTER_IMC + i), 64);
		assert_false(bpmu_place_fixed(&at));
	}
	assert_false(bpmu_uncore_place(&pmu, BPMU_COUNTER_IMC + 5, &at));
	assert_in_range(0xe8 + 5 * 8, 0, box->size);
	assert_int_equal(box->freeze, 1);
	assert_int_equal(box->global, 0xc0);
	assert_int_equal(box->global_in, 1);
	assert_int_equal(bpmu_select_illegal(&pmu, BPMU_COUNTER_IMC, ~0ULL), ~0x40fffULL);
}

/*
 * A register of the UBox has eight fields of three bits, each a node number. The number of a
 * package is the index of the field that has the package's node number; if several fields have this
 * node number, the first of them counts.
 */
PART_CHECK(ubox_numbers_packages)
{
	assert_int_equal(bpmu_ubox_package(0, 0), 0);
	assert_int_equal(bpmu_ubox_package(1, 8), 1);
	assert_int_equal(bpmu_ubox_package(0, 8), 0);
	assert_int_equal(bpmu_ubox_package(1, 1), 0);
	assert_int_equal(bpmu_ubox_package(0xfffffff9, 1), 0);
	assert_int_equal(bpmu_ubox_package(7, 7 << 21), 7);
	assert_int_equal(bpmu_ubox_package(7, 7 << 24), -1);
	assert_int_equal(bpmu_ubox_package(2, 8), -1);
	assert_int_equal(bpmu_ubox_package(~0u, ~0u), -1);
	assert_int_equal(bpmu_ubox_package(~0u, 7), -1);
	assert_int_equal(bpmu_ubox_package(7, ~0u), -1);
}

/*
 * Bits 25:14 of EAX, CPUID leaf 0x8000_001D, hold the number of CPUs that share an L3, minus one:
 * AMD64 Architecture Programmer's Manual, Vol. 3.
 */
PART_CHECK(complexes_have_their_number_of_cpus)
{
	static const struct {
		struct bpmu_cpu_id cpu;
		u32 cpus;
		unsigned int shift;
	} cases[] = {
		{ { BPMU_VENDOR_AMD, 0x16, 0x00 }, 4, 2 },
		{ { BPMU_VENDOR_AMD, 0x17, 0x01 }, 6, 3 },
		{ { BPMU_VENDOR_AMD, 0x17, 0x1f }, 16, 3 },
		{ { BPMU_VENDOR_AMD, 0x17, 0x31 }, 8, 3 },
		{ { BPMU_VENDOR_AMD, 0x17, 0x31 }, 6, 3 },
		{ { BPMU_VENDOR_AMD, 0x19, 0x11 }, 16, 4 },
		{ { BPMU_VENDOR_AMD, 0x19, 0x01 }, 12, 4 },
		{ { BPMU_VENDOR_AMD, 0x1a, 0x02 }, 1, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(bpmu_l3_shift(&cases[i].cpu,
					       (cases[i].cpus - 1) << 14 | 0x163),
				 cases[i].shift);
}

/*
 * The number of APIC ID bits within a die follows from the register ECX of CPUID leaves 0x8000_0008
 * and 0x8000_001E. The register values are those that AMD's PPRs give for some machines.
 */
PART_CHECK(nodes_have_their_apic_id_bits)
{
	static const struct {
		u32 size, nodes;
		unsigned int shift;
	} cases[] = {
		{ 0x603f, 0x300, 4 },	/* Four dies of 16 CPUs. */
		{ 0x4007, 0x000, 4 },
		{ 0x707f, 0x001, 7 },
		{ 0x0003, 0x000, 2 },
		{ 0x0005, 0x100, 2 },
		{ 0x0000, 0x000, 0 },
		{ 0x0000, 0x100, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(bpmu_df_shift(cases[i].size, cases[i].nodes),
				 cases[i].shift);
}

/*
 * CPUID leaf 0xA says which architectural events are absent: those whose bit in EBX is 1. EAX 31:24
 * is the number of valid bits in EBX. AMD's CPUs do not have this leaf.
 */
PART_CHECK(absent_events_are_those_of_cpuid)
{
	static const struct {
		const char *part;
		u32 eax, ebx;
		u8 absent;
	} cases[] = {
		{ "ivb", 0x07300403, 0, 0 }, { "ivb", 0x07300403, 0x21, 0x21 },
		{ "ivb", 0x05300403, 0x7f, 0x1f }, { "skl", 0x07300404, 0xff, 0x7f },
		{ "spr", 0x08300805, 0xff, 0xff }, { "spr", 0x0c300806, 0xfff, 0xff },
		{ "zen4", 0x08000001, 0xff, 0 },
	};
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_cpuid cpuid = {
			.eax = cases[i].eax, .ebx = cases[i].ebx,
		};

		bpmu_pmu_init(&pmu, bpmu_part_by_name(cases[i].part), &cpuid, 0);
		assert_int_equal(pmu.absent, cases[i].absent);
	}
}

/* Event codes from the SDM, Vol. 3, table of pre-defined architectural performance events. */
PART_CHECK(architectural_events_have_their_codes)
{
	static const struct {
		u64 select;
		int number;
		const char *name;
	} cases[] = {
		{ 0x4300c0, 1, "instructions" }, { 0x13003c, 0, "cycles" },
		{ 0x1013c, 2, "bus-cycles" }, { 0x34f2e, 3, "cache-references" },
		{ 0x3412e, 4, "cache-misses" }, { 0x300c4, 5, "branches" },
		{ 0x300c5, 6, "branch-misses" }, { 0x301a4, 7, "slots" },
		{ 0x301c0, -1, NULL }, { 0, -1, NULL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bpmu_arch_event(cases[i].select), cases[i].number);
		if (cases[i].name)
			assert_string_equal(bpmu_arch_event_name(cases[i].number),
					    cases[i].name);
	}
	assert_null(bpmu_arch_event_name(8));
}

/*
 * From version 2 of AMD's performance monitoring on, CPUID leaf 0x8000_0022 EBX 15:10 is the number
 * of data fabric counters.
 */
PART_CHECK(data_fabrics_have_their_counters)
{
	static const struct {
		const char *part;
		u32 eax, ebx;
		u8 df;
	} cases[] = {
		{ "zen4", 1, 16 << 10 | 6, 16 }, { "zen5", 1, 12 << 10 | 6, 12 },
		{ "zen4", 1, 63 << 10 | 6, 16 }, { "zen4", 0, 16 << 10, 4 },
		{ "zen4", 1, 6, 4 }, { "zen2", 0, 0, 4 },
		{ "ivb", 0x07300403, 16 << 10, 0 },
	};
	struct bpmu_pmu pmu;
	struct bpmu_place place;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_cpuid cpuid = {
			.eax = cases[i].eax, .ebx = cases[i].ebx,
		};

		bpmu_pmu_init(&pmu, bpmu_part_by_name(cases[i].part), &cpuid,
			      0);
		assert_int_equal(pmu.counters[BPMU_UNIT_DF], cases[i].df);
		assert_int_equal(pmu.nr[BPMU_UNIT_DF], cases[i].df != 0);
		assert_int_equal(bpmu_uncore_place(&pmu, BPMU_COUNTER_DF +
						   cases[i].df, &place), 0);
		if (cases[i].df)
			assert_int_equal(bpmu_uncore_place(&pmu, BPMU_COUNTER_DF +
							   cases[i].df - 1,
							   &place), 1);
	}
}

/*
 * CPUID leaf 0x8000_0022; source: Linux, amd_uncore_umc_ctx_init(). Each bit of ECX that is 1
 * stands for a memory controller. EBX 21:16 is the number of counters of all controllers together.
 * The registers of each controller follow the registers of the previous controller.
 */
PART_CHECK(memory_controllers_have_their_counters)
{
	static const struct {
		const char *part;
		u32 eax, ebx, ecx;
		u8 umcs, umc;
		u32 last;
	} cases[] = {
		{ "zen4", 1, 48, 0xfff, 12, 4, 0xc001085e },
		{ "zen5", 1, 8, 0x11, 2, 4, 0xc001080e },
		{ "zen5", 1, 63, 0xffff, 16, 3, 0xc001085e },
		{ "zen4", 1, 63, 0x3, 2, 31, 0xc001084c },
		{ "zen4", 1, 48, 0, 0, 0, 0 }, { "zen4", 1, 0, 0xfff, 0, 0, 0 },
		{ "zen4", 1, 3, 0xf, 0, 0, 0 }, { "zen4", 0, 48, 0xfff, 0, 0, 0 },
		{ "zen3", 1, 48, 0xfff, 0, 0, 0 },
	};
	struct bpmu_place place;
	struct bpmu_pmu pmu;
	unsigned int i, used;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_cpuid cpuid = {
			.eax = cases[i].eax, .ebx = cases[i].ebx << 16,
			.ecx = cases[i].ecx,
		};

		bpmu_pmu_init(&pmu, bpmu_part_by_name(cases[i].part), &cpuid,
			      0);
		assert_int_equal(pmu.nr[BPMU_UNIT_UMC], cases[i].umcs);
		if (!pmu.nr[BPMU_UNIT_UMC]) {
			assert_int_equal(bpmu_uncore_place(&pmu, BPMU_COUNTER_UMC,
							   &place), 0);
			continue;
		}
		assert_int_equal(pmu.counters[BPMU_UNIT_UMC], cases[i].umc);
		used = pmu.counters[BPMU_UNIT_UMC] < BPMU_UMC_COUNTERS ? pmu.counters[BPMU_UNIT_UMC] : BPMU_UMC_COUNTERS;
		assert_int_equal(bpmu_uncore_place(&pmu, BPMU_COUNTER_UMC + used,
						   &place), 0);
		assert_int_equal(bpmu_uncore_place(&pmu, BPMU_COUNTER_UMC + used - 1,
						   &place), 1);
		assert_int_equal(place.units, cases[i].umcs);
		place.instance += place.units - 1;
		assert_int_equal(bpmu_place_select(&place), cases[i].last);
		assert_int_equal(bpmu_place_counter(&place), cases[i].last + 1);
	}
}

/*
 * The counts of twelve memory controllers are summed. The sum wraps up to twelve times as fast as
 * one counter. The time in which one counter wraps is therefore divided by sixteen, which is more
 * than twelve.
 */
PART_CHECK(a_sum_wraps_sooner_than_one_counter)
{
	const struct bpmu_cpuid one = { .eax = 1, .ebx = 4 << 16 | 6, .ecx = 1 };
	const struct bpmu_cpuid twelve = {
		.eax = 1, .ebx = 48 << 16 | 6, .ecx = 0xfff,
	};
	struct bpmu_pmu pmu;
	u64 ns;

	bpmu_pmu_init(&pmu, bpmu_part_by_name("zen4"), &one, 0);
	ns = bpmu_pmu_guard_ns(&pmu, 2000000);
	assert_int_equal(ns, (1ULL << 40) / 2);
	bpmu_pmu_init(&pmu, bpmu_part_by_name("zen4"), &twelve, 0);
	assert_int_equal(bpmu_pmu_guard_ns(&pmu, 2000000), ns / 16);
}

/*
 * MSRs that some events need beside the event select, from Linux, core.c, intel_*_extra_regs.
 * Columns: CPU model, event code and unit mask, MSR, and legal bits of the MSR.
 */
static const struct {
	const char *part;
	u32 code;
	u32 msr;
	u64 legal;
} extras[] = {
	{ "snb", 0x01b7, 0x1a6, 0x3f807f8fffULL },
	{ "ivb", 0x01bb, 0x1a7, 0x3f807f8fffULL },
	{ "ivb", 0x01cd, 0x3f6, 0xffff },
	{ "bdx", 0x01cd, 0x3f6, 0xffff },
	{ "skl", 0x01cd, 0x3f6, 0xffff },
	{ "nhm", 0x01b7, 0x1a6, 0xffff },
	{ "nhm", 0x100b, 0x3f6, 0xffff },
	{ "wsm-ex", 0x100b, 0x3f6, 0xffff },
	{ "wsm", 0x01bb, 0x1a7, 0xffff },
	{ "ivt", 0x01bb, 0x1a7, 0x3fffff8fffULL },
	{ "bdw", 0x01b7, 0x1a6, 0x3fffff8fffULL },
	{ "skx", 0x01c6, 0x3f7, 0x7fff17 },
	{ "icx", 0x01b7, 0x1a6, 0x3fffffbfffULL },
	{ "spr", 0x012a, 0x1a6, 0x3fffffffffULL },
	{ "adl", 0x40ad, 0x3f7, 0x7 },
	{ "gnr", 0x03c6, 0x3f7, 0x7fff1f },
	{ "mtl", 0x02c6, 0x3f7, 0x9 },
	{ "lnl", 0x012b, 0x1a7, 0xfffffffffffULL },
	{ "lnl", 0x40ad, 0x3f7, 0xf },
	{ "lnl", 0x01cd, 0x3f6, 0xffff },
	{ "icl", 0x01cd, 0x3f6, 0xffff },
	{ "gnr", 0x01cd, 0x3f6, 0xffff },
	{ "adl-e", 0x05d0, 0x3f6, 0xffff },
	{ "lnl-e", 0x05d0, 0x3f6, 0xffff },
	{ "tnt", 0x01b7, 0x1a6, 0x800ff0ffffff9fffULL },
	{ "adl-e", 0x02b7, 0x1a7, 0x3fffffffffULL },
	{ "srf", 0x02b7, 0x1a7, 0xff3ffffffffffULL },
	{ "nvl", 0x012a, 0x3e0, 0x40ffffff0000ffffULL },
	{ "dmr", 0x082a, 0x3e3, 0x40ffffff0000ffffULL },
	{ "nvl", 0x40ad, 0x3f7, 0xf },
	{ "nvl-e", 0x02b7, 0x3e1, 0xc0ffffffffffffffULL },
	{ "nvl-e", 0x04d4, 0x3e2, 0xc0ffffffffffffffULL },
};

static void extra_registers_agree_with_linux(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_extra *extra = part->extras;
	unsigned int i;
	u64 twin;

	for (i = 0; i < ARRAY_SIZE(extras); i++) {
		const struct bpmu_extra *found;

		if (strcmp(part->name, extras[i].part))
			continue;
		found = bpmu_extra_of(part, 0x1030000 | extras[i].code);
		assert_non_null(found);
		assert_int_equal(bpmu_extra_msr(found->id), extras[i].msr);
		assert_int_equal(found->legal, extras[i].legal);
	}
	for (; extra && extra->code; extra++) {
		twin = bpmu_extra_twin(part, 0x30000 | extra->code);
		/*
		 * Nehalem has only one register for off-core responses, so an event cannot use
		 * another one instead.
		 */
		if (extra->id == BPMU_EXTRA_FRONTEND || extra->id == BPMU_EXTRA_LATENCY ||
		    (extra->id == BPMU_EXTRA_OFFCORE_0 &&
		     part->extras[1].id != BPMU_EXTRA_OFFCORE_1)) {
			assert_int_equal(twin, 0);
			continue;
		}
		assert_int_equal(twin & ~0xffffULL, 0x30000);
		if (extra->id >= BPMU_EXTRA_OMR_0) {
			/*
			 * There are four registers for off-module responses, each with an event of
			 * its own. The events differ in the unit mask only. If the register of an
			 * event is in use, the next register is tried; after the last register
			 * comes the first.
			 */
			assert_int_equal(bpmu_extra_of(part, twin)->id - BPMU_EXTRA_OMR_0,
					 (extra->id - BPMU_EXTRA_OMR_0 + 1) % 4);
			assert_int_equal(twin & 0xff, extra->code & 0xff);
			continue;
		}
		assert_int_equal(bpmu_extra_of(part, twin)->id, !extra->id);
		assert_int_equal(bpmu_extra_twin(part, twin), 0x30000 | extra->code);
	}
	if (part->ids[0].vendor == BPMU_VENDOR_AMD || !strcmp(part->name, "knc"))
		assert_null(part->extras);
}

static const struct unit_check checks[] = {
	{ "memory controllers have their counters", memory_controllers_have_their_counters },
	{ "a sum wraps sooner than one counter", a_sum_wraps_sooner_than_one_counter },
	{ "nodes have their bits of the APIC ID", nodes_have_their_apic_id_bits },
	{ "absent events are those of CPUID", absent_events_are_those_of_cpuid },
	{ "architectural events have their codes", architectural_events_have_their_codes },
	{ "data fabrics have their counters", data_fabrics_have_their_counters },
	{ "complexes have their number of CPUs", complexes_have_their_number_of_cpus },
	{ "the configuration has the number of CBos", the_configuration_has_the_number_of_cbos },
	{ "boxes are numbered consecutively", boxes_are_numbered_consecutively },
	{ "the last counter has its register", the_last_counter_has_its_register },
	{ "CBos have control and filter", cbos_have_control_and_filter },
	{ "PCU and UBox are single", pcu_and_ubox_are_single },
	{ "events of the PCU use their band", events_of_the_pcu_use_their_band },
	{ "memory channels have PCI devices", memory_channels_have_pci_devices },
	{ "memory channels have their addresses", memory_channels_have_their_addresses },
	{ "home agents and links have PCI devices", home_agents_and_links_have_pci_devices },
	{ "M2Ms and UPI links use extended space", m2ms_and_links_use_extended_space },
	{ "IIO stacks have their registers", iio_stacks_have_their_registers },
	{ "boxes of Ice Lake have their registers", boxes_of_ice_lake_have_their_registers },
	{ "memory controllers of clients have their registers",
	  memory_controllers_of_clients_have_their_registers },
	{ "the UBox numbers packages", ubox_numbers_packages },
	{ "MSRs do not overlap", msrs_do_not_overlap },
	{ "counters and legal bits are within range", counters_and_legal_bits_are_within_range },
	{ "extra registers agree with Linux", extra_registers_agree_with_linux },
	{ "each model identifies the part", each_model_identifies_the_part },
	{ "boxes of the uncore are valid", boxes_of_units_are_valid },
	{ "each number of an uncore counter has one register", counters_have_their_registers },
};

int main(void)
{
	return unit_run_parts("parts", checks, ARRAY_SIZE(checks));
}
