// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the event tables, which are made from Intel's and AMD's files, against two other
 * sources. The event selects must agree with those of libpfm4. The counters must agree with those
 * of Linux (arch/x86/events/intel/core.c). Each known difference is in a table here, with the
 * reason why the event table is right.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/pfm.h"
#include "events.h"
#include "intel.h"
#include "unit.h"

/**
 * struct difference - an event whose event select in libpfm4 is another than in barepmu
 * @name: name of the event
 * @own: event select in barepmu's event table
 * @select: event select of the other source
 * @why: reason why barepmu's event select is right
 */
struct difference {
	const char *name;
	u64 own;
	u64 select;
	const char *why;
};

#define FIXED	"a fixed counter has no select; libpfm4 gives it a code"
#define PEBS	"libpfm4 gives the code of the precise event"
#define HIT	"a hit leaves out prefetches' bit, Intel's files do not"
#define DIFFER	"Intel's file and libpfm4 differ, ours is Intel's"
#define EDGE	"libpfm4 has a mask of 1, Intel's file and Linux none"
#define CMASK	"libpfm4 has 10 for the mask, Intel's file 16"
#define NEWER	"Debian 13's libpfm4 has the event of unhalted cycles, Intel's file 0xec"
#define FIELD	"Debian 13's libpfm4 has fields of PERF_METRICS, Intel's file counters"

static const struct difference differences[] = {
	{ "ARITH.IDIV_ACTIVE", 0x10008b0, 0x8b0, "without the mask it does not count cycles" },
	{ "ARITH.INT_DIVIDER_ACTIVE", 0x10008b0, 0x8b0,
	  "without the mask it does not count cycles" },
	{ "BOGUS_BR", 0x1e4, 0xe4, DIFFER },
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, 0x4c4, PEBS },
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0x4c4, 0xc4, DIFFER },
	{ "BR_INST_RETIRED.MISPRED", 0xc5, 0xac4, DIFFER },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, 0x4c5, PEBS },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0x4c5, 0xc5, DIFFER },
	{ "BUS_LOCK_CLOCKS.ALL_AGENTS", 0xe063, 0x6063, DIFFER },
	{ "BUS_REQUEST_OUTSTANDING.ALL_AGENTS", 0xe060, 0x6060, DIFFER },
	{ "BUS_TRANS_ANY.SELF", 0x4070, 0x7070, DIFFER },
	{ "BUS_TRANS_BRD.ALL_AGENTS", 0xe065, 0x6065, DIFFER },
	{ "BUS_TRANS_BURST.SELF", 0x406e, 0x706e, DIFFER },
	{ "BUS_TRANS_DEF.SELF", 0x406d, 0x706d, DIFFER },
	{ "BUS_TRANS_IFETCH.ALL_AGENTS", 0xe068, 0x6068, DIFFER },
	{ "BUS_TRANS_INVAL.SELF", 0x4069, 0x7069, DIFFER },
	{ "BUS_TRANS_IO.SELF", 0x406c, 0x706c, DIFFER },
	{ "BUS_TRANS_MEM.SELF", 0x406f, 0x706f, DIFFER },
	{ "BUS_TRANS_P.ALL_AGENTS", 0xe06b, 0x606b, DIFFER },
	{ "BUS_TRANS_PWR.SELF", 0x406a, 0x706a, DIFFER },
	{ "BUS_TRANS_RFO.SELF", 0x4066, 0x7066, DIFFER },
	{ "BUS_TRANS_WB.SELF", 0x4067, 0x7067, DIFFER },
	{ "CPU_CLK_UNHALTED.C01", 0x10ec, 0x103c, NEWER },
	{ "CPU_CLK_UNHALTED.C02", 0x20ec, 0x203c, NEWER },
	{ "CPU_CLK_UNHALTED.C0_WAIT", 0x70ec, 0x703c, NEWER },
	{ "CPU_CLK_UNHALTED.CORE", 0, 0x200, FIXED },
	{ "CPU_CLK_UNHALTED.CORE_P", 0x3c, 0, DIFFER },
	{ "CPU_CLK_UNHALTED.DISTRIBUTED", 0x2ec, 0x23c, NEWER },
	{ "CPU_CLK_UNHALTED.PAUSE", 0x40ec, 0x403c, NEWER },
	{ "CPU_CLK_UNHALTED.PAUSE_INST", 0x10440ec, 0x104403c, NEWER },
	{ "CPU_CLK_UNHALTED.REF", 0x13c, 0x100, DIFFER },
	{ "CPU_CLK_UNHALTED.REF_TSC", 0, 0x300, FIXED },
	{ "CPU_CLK_UNHALTED.REF_TSC", 0, 0x33c, FIXED },
	{ "CPU_CLK_UNHALTED.THREAD", 0, 0x200, FIXED },
	{ "CPU_CLK_UNHALTED.THREAD", 0, 0x23c, FIXED },
	{ "CYCLES_DIV_BUSY", 0x114, 0x14, DIFFER },
	{ "HW_INT_RCV", 0xc8, 0x1c8, DIFFER },
	{ "INST_RETIRED.ANY", 0, 0xc0, FIXED },
	{ "INST_RETIRED.ANY", 0, 0x100, FIXED },
	{ "INST_RETIRED.ANY", 0, 0x1c0, FIXED },
	{ "INST_RETIRED.ANY_P", 0x1c0, 0xc0, DIFFER },
	{ "INST_RETIRED.PREC_DIST", 0, 0x100, FIXED },
	{ "INST_RETIRED.PREC_DIST", 0, 0x1c0, FIXED },
	{ "L1D_CACHE.LD", 0xa140, 0x2140, DIFFER },
	{ "L1D_CACHE.ST", 0xa240, 0x2240, DIFFER },
	{ "L2_RQSTS.CODE_RD_HIT", 0xc424, 0x4424, HIT },
	{ "L2_RQSTS.DEMAND_DATA_RD_HIT", 0xc124, 0x4124, HIT },
	{ "L2_RQSTS.L2_PF_HIT", 0xd024, 0xd824, HIT },
	{ "L2_RQSTS.L2_PF_MISS", 0x3024, 0x3824, HIT },
	{ "L2_RQSTS.RFO_HIT", 0xc224, 0x4224, HIT },
	{ "MACRO_INSTS.FUSIONS_DECODED", 0x1a6, 0x1d0, DIFFER },
	{ "MEM_LOAD_MISC_RETIRED.UC", 0x4d4, 0x4c4, "libpfm4 has a branch's code" },
	{ "MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", 0x3d3, 0x1d3, DIFFER },
	{ "MEM_TRANS_RETIRED.STORE_SAMPLE", 0x2cd, 0x3cd, DIFFER },
	{ "MEM_UNCORE_RETIRED.REMOTE_DRAM", 0x200f, 0x100f, DIFFER },
	{ "MOVE_ELIMINATION.INT_ELIMINATED", 0x158, 0x458, DIFFER },
	{ "MOVE_ELIMINATION.INT_NOT_ELIMINATED", 0x458, 0x158, DIFFER },
	{ "PAGE_WALKS.D_SIDE_WALKS", 0x40105, 0x1040105, EDGE },
	{ "PAGE_WALKS.I_SIDE_WALKS", 0x40205, 0x1040205, EDGE },
	{ "PAGE_WALKS.WALKS", 0x40305, 0x1040305, EDGE },
	{ "PREFETCH.PREFETCHNTA", 0x8807, 0x807, DIFFER },
	{ "PREFETCH.PREFETCHT0", 0x8107, 0x107, DIFFER },
	{ "PREFETCH.SW_L2", 0x8607, 0x607, DIFFER },
	{ "SNOOP_STALL_DRV.SELF", 0x407e, 0x707e, DIFFER },
	{ "TOPDOWN.BACKEND_BOUND_SLOTS", 0x2a4, 0x200, DIFFER },
	{ "TOPDOWN.BACKEND_BOUND_SLOTS", 0x2a4, 0x8300, FIELD },
	{ "TOPDOWN.BAD_SPEC_SLOTS", 0x4a4, 0x400, DIFFER },
	{ "TOPDOWN.BAD_SPEC_SLOTS", 0x4a4, 0x8100, FIELD },
	{ "TOPDOWN.BR_MISPREDICT_SLOTS", 0x8a4, 0x800, DIFFER },
	{ "TOPDOWN.BR_MISPREDICT_SLOTS", 0x8a4, 0x8500, FIELD },
	{ "TOPDOWN.MEMORY_BOUND_SLOTS", 0x10a4, 0x1000, DIFFER },
	{ "TOPDOWN.MEMORY_BOUND_SLOTS", 0x10a4, 0x8700, FIELD },
	{ "TOPDOWN.SLOTS", 0, 0x400, FIXED },
	{ "UOPS_EXECUTED.CORE_STALL_COUNT", 0x1843fb1, 0x1a43fb1, DIFFER },
	{ "UOPS_EXECUTED.CORE_STALL_COUNT_NO_PORT5", 0x1841fb1, 0x1a41fb1, DIFFER },
	{ "UOPS_EXECUTED.CORE_CYCLES_NONE", 0x18002b1, 0x8002b1,
	  "to invert a mask of 0 counts nothing" },
	{ "UOPS_RETIRED.STALL_CYCLES", 0x18002c2, 0x18001c2, DIFFER },
	{ "UOPS_RETIRED.TOTAL_CYCLES", 0x108001c2, 0xa8001c2, CMASK },
	{ "UOPS_RETIRED.TOTAL_CYCLES", 0x108002c2, 0xa8001c2, CMASK },
	{ "TOPDOWN.SLOTS", 0x1a4, 0x400, FIXED },
};

static bool differs(const struct bpmu_event *row, u64 select)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(differences); i++)
		if (!strcmp(differences[i].name, row->name) &&
		    differences[i].own == row->select &&
		    differences[i].select == select)
			return true;
	return false;
}

/*
 * Looks up the event select of an event in libpfm4, whose names have a colon in place of the dot.
 * Returns false if libpfm4 does not have the event.
 */
static bool by_pfm(const struct bpmu_part *part, const char *event, u64 *select)
{
	struct bpmu_error err;
	char name[256];
	char *dot;
	u64 extra;

	snprintf(name, sizeof(name), "%s", event);
	dot = strchr(name, '.');
	if (dot)
		*dot = ':';
	return !bpmu_pfm_encode(part, name, select, &extra, &err);
}

/*
 * Returns the minimum number of the CPU model's events that must be in libpfm4, too. The minimum is
 * 0 for AMD's CPUs, and for CPUs newer than Golden Cove, which libpfm4 does not know.
 */
static unsigned int least_known(const struct bpmu_part *part)
{
	static const char *const known[] = {
		"nhm", "nhm-ex", "wsm", "wsm-ep", "wsm-ex",
		"snb", "jkt", "ivb", "ivt", "hsw", "hsx", "bdw", "bdx", "skl",
		"skx", "icl", "icx", "tgl", "rkl", "spr"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i], part->name))
			return 200;
	if (!strcmp("bnl", part->name))
		return 150;
	if (!strcmp("slm", part->name) || !strcmp("avn", part->name) ||
	    !strcmp("knc", part->name) || !strcmp("knl", part->name))
		return 55;
	return !strncmp("gl", part->name, 2) ? 75 : 0;
}

static void codes_agree_with_libpfm4(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	unsigned int compared = 0;
	size_t nr, i;
	u64 select;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (rows[i].unit != BPMU_UNIT_CORE ||
		    !by_pfm(part, rows[i].name, &select))
			continue;
		compared++;
		if (select != rows[i].select && !differs(&rows[i], select))
			fail_msg("%s: %llx, libpfm4 has %llx", rows[i].name,
				 rows[i].select, select);
	}
	assert_in_range(compared, least_known(part), nr);
}

/*
 * Three CPU models have Golden Cove's cores. Their event tables must have the same core events,
 * because only their uncores differ.
 */
static void rows_of_golden_cove_agree(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows, *others;
	unsigned int compared = 0;
	size_t nr, nr_others, i, k;

	if (strcmp(part->name, "gnr") && strcmp(part->name, "adl"))
		return;
	rows = bpmu_events(bpmu_part_by_name("spr"), &nr);
	others = bpmu_events(part, &nr_others);
	for (i = 0; i < nr; i++) {
		for (k = 0; k < nr_others; k++)
			if (!strcmp(rows[i].name, others[k].name))
				break;
		if (k == nr_others || rows[i].unit != BPMU_UNIT_CORE ||
		    others[k].unit != BPMU_UNIT_CORE)
			continue;
		compared++;
		if (rows[i].select != others[k].select)
			fail_msg("%s: %llx, Sapphire Rapids' is %llx",
				 others[k].name, others[k].select,
				 rows[i].select);
	}
	assert_in_range(compared, 200, nr);
}

/*
 * The event table may have an event twice: with the name NAME for a fixed counter, and with the
 * name NAME_P for general-purpose counters. Both must have the same event select.
 */
static void rows_agree_with_their_twins(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	char twin[256];
	size_t nr, i, k;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		snprintf(twin, sizeof(twin), "%s_P", rows[i].name);
		for (k = 0; k < nr; k++)
			if (!(rows[i].counters >> BPMU_FIXED_BASE) &&
			    !strcmp(rows[k].name, twin) && rows[k].select != rows[i].select)
				fail_msg("%s: %llx, %s has %llx", rows[i].name,
					 rows[i].select, twin, rows[k].select);
	}
}

/**
 * struct constraint - counters on which Linux allows some events
 * @first: first event code; with the umask in bits 15:8 if @umask is true
 * @last: last event code; equal to @first for a single event
 * @umask: if true, the constraint applies to one umask of the event only
 * @counters: the allowed counters, a mask
 */
struct constraint {
	u32 first;
	u32 last;
	bool umask;
	u64 counters;
};

#define EVENT(code, counters)		{ code, code, false, counters }
#define RANGE(from, to, counters)	{ from, to, false, counters }
#define UMASK(code, counters)		{ code, code, true, counters }

static const struct constraint snb[] = {
	UMASK(0x02a3, 0x4), UMASK(0x06a3, 0x4), EVENT(0x48, 0x4),
	UMASK(0x01c0, 0x2), EVENT(0xcd, 0x8), { 0 }
};

static const struct constraint ivb[] = {
	UMASK(0x0148, 0x4), UMASK(0x08a3, 0x4), UMASK(0x0ca3, 0x4),
	UMASK(0x01c0, 0x2), EVENT(0xcd, 0x8), { 0 }
};

static const struct constraint hsw[] = {
	UMASK(0x0148, 0x4), UMASK(0x01c0, 0x2), UMASK(0x08a3, 0x4),
	UMASK(0x0ca3, 0x4), { 0 }
};

static const struct constraint skl[] = { UMASK(0x01c0, 0x2), { 0 } };

static const struct constraint icl[] = {
	RANGE(0x03, 0x0a, 0xf), RANGE(0x1f, 0x28, 0xf), EVENT(0x32, 0xf),
	RANGE(0x48, 0x56, 0xf), RANGE(0x60, 0x8b, 0xf), UMASK(0x04a3, 0xff),
	UMASK(0x10a3, 0xff), UMASK(0x14a3, 0xff), EVENT(0xa3, 0xf),
	RANGE(0xa8, 0xb0, 0xf), RANGE(0xb7, 0xbd, 0xf), RANGE(0xd0, 0xe6, 0xf),
	EVENT(0xef, 0xf), RANGE(0xf0, 0xf4, 0xf), { 0 }
};

/*
 * Intel's file allows four counters for the umasks 5, 6 and 12 of event 0xa3, but Linux allows all
 * eight. This table has Intel's four.
 */
static const struct constraint glc[] = {
	UMASK(0x05a3, 0xf), UMASK(0x06a3, 0xf), UMASK(0x0ca3, 0xf),
	EVENT(0x2e, 0xff), EVENT(0x3c, 0xff), RANGE(0x01, 0x8f, 0xf),
	UMASK(0x01a3, 0xf), UMASK(0x02a3, 0xf), UMASK(0x08a3, 0xf),
	UMASK(0x04a4, 0x1), UMASK(0x08a4, 0x1), UMASK(0x02cd, 0x1),
	EVENT(0xce, 0x1), RANGE(0xd0, 0xdf, 0xf), RANGE(0x90, 0xfe, 0xff), { 0 }
};

/**
 * struct family - a CPU model, and the constraints that Linux has for it
 * @part: name of the CPU model
 * @constraints: Linux' constraints
 * @all: counters of an event without a constraint, with hyper-threading on
 */
static const struct family {
	const char *part;
	const struct constraint *constraints;
	u64 all;
} families[] = {
	{ "snb", snb, 0xf }, { "jkt", snb, 0xf }, { "ivb", ivb, 0xf },
	{ "ivt", ivb, 0xf }, { "hsw", hsw, 0xf }, { "hsx", hsw, 0xf },
	{ "bdw", hsw, 0xf }, { "bdx", hsw, 0xf }, { "skl", skl, 0xf },
	{ "skx", skl, 0xf }, { "icl", icl, 0xff }, { "icx", icl, 0xff },
	{ "tgl", icl, 0xff }, { "rkl", icl, 0xff }, { "spr", glc, 0xff },
	{ "gnr", glc, 0xff }, { "adl", glc, 0xff }, { 0 }
};

static u64 allowed(const struct family *family, u64 select)
{
	const struct constraint *c;
	u32 event = select & BPMU_SEL_EVENT;
	u32 code = select & (BPMU_SEL_EVENT | BPMU_SEL_UMASK);

	for (c = family->constraints; c->first; c++)
		if (c->umask ? code == c->first :
			       event >= c->first && event <= c->last)
			return c->counters;
	return family->all;
}

/*
 * Returns whether an event has the counters that Linux allows. If Linux allows four counters, the
 * event may have eight without hyper-threading.
 */
static bool as_linux(const struct bpmu_event *row, u64 counters)
{
	return row->counters == counters &&
	       (row->counters_noht == counters ||
		(counters == 0xf && row->counters_noht == 0xff));
}

static void counters_agree_with_linux(void **state)
{
	const struct bpmu_part *part = *state;
	const struct family *family = families;
	const struct bpmu_event *rows;
	size_t nr, i;
	u64 counters;

	while (family->part && strcmp(family->part, part->name))
		family++;
	if (!family->part)
		return;
	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (rows[i].unit != BPMU_UNIT_CORE ||
		    rows[i].counters >> BPMU_FIXED_BASE)
			continue;
		counters = allowed(family, rows[i].select);
		if (!as_linux(&rows[i], counters))
			fail_msg("%s: %llx, Linux has %llx", rows[i].name,
				 rows[i].counters, counters);
	}
}

/**
 * struct registers - registers that Linux has for a type of box (events/intel/uncore_snb.c)
 * @select: event select of counter 0 of the first box
 * @counter: counter 0 of the first box
 * @step: distance to the registers of the next box
 * @counters: number of counters of a box
 */
struct registers {
	u32 select;
	u32 counter;
	u32 step;
	u32 counters;
};

/**
 * struct package - registers that Linux has for the uncore of a package
 * @parts: names of the CPU models
 * @global: register that starts all counters; 0 for none
 * @clock: registers of the fixed counter of the clock
 * @arb: registers of the arbiter
 * @cbo: registers of the cache boxes
 */
static const struct package {
	const char *parts;
	u32 global;
	struct registers clock;
	struct registers arb;
	struct registers cbo;
} packages[] = {
	{ " snb ivb hsw bdw ", 0x391, { 0x394, 0x395, 0, 1 },
	  { 0x3b2, 0x3b0, 0, 2 }, { 0x700, 0x706, 0x10, 2 } },
	{ " skl ", 0xe01, { 0x394, 0x395, 0, 1 },
	  { 0x3b2, 0x3b0, 0, 2 }, { 0x700, 0x706, 0x10, 4 } },
	{ " icl ", 0, { 0x394, 0x395, 0, 1 },
	  { 0x3b3, 0x3b1, 0, 1 }, { 0x700, 0x702, 0x8, 2 } },
	{ " tgl rkl ", 0xe01, { 0x394, 0x395, 0, 1 },
	  { 0x3b2, 0x3b0, 0, 2 }, { 0x700, 0x702, 0x8, 2 } },
	{ " adl ", 0x2ff0, { 0x2fde, 0x2fdf, 0, 1 },
	  { 0x2fd0, 0x2fd2, 0x8, 2 }, { 0x2000, 0x2002, 0x8, 2 } },
};

static const struct package *package_of(const struct bpmu_part *part)
{
	char name[32];
	size_t i;

	snprintf(name, sizeof(name), " %s ", part->name);
	for (i = 0; i < ARRAY_SIZE(packages); i++)
		if (strstr(packages[i].parts, name))
			return &packages[i];
	return NULL;
}

static void check_box(const struct bpmu_part *part, u8 unit,
		      const struct registers *want)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, unit);

	assert_non_null(box);
	assert_int_equal(box->select, want->select);
	assert_int_equal(box->counter, want->counter);
	assert_int_equal(box->step, want->step);
	assert_int_equal(box->counters, want->counters);
	/*
	 * Linux gives the fixed counter of the clock 48 bits, and the counters of the other boxes
	 * 44 bits.
	 */
	assert_true(box->width == 44 || (box->width == 48 &&
					 unit == BPMU_UNIT_CLOCK));
}

static void uncore_boxes_agree_with_linux(void **state)
{
	const struct bpmu_part *part = *state;
	const struct package *package = package_of(part);

	if (!package)
		return;
	assert_int_equal(part->uncore->global_ctrl, package->global);
	check_box(part, BPMU_UNIT_CLOCK, &package->clock);
	check_box(part, BPMU_UNIT_ARB, &package->arb);
	check_box(part, BPMU_UNIT_CBO, &package->cbo);
}

static const struct unit_check checks[] = {
	{ "codes agree with libpfm4", codes_agree_with_libpfm4 },
	{ "rows of Golden Cove agree", rows_of_golden_cove_agree },
	{ "rows agree with their twins", rows_agree_with_their_twins },
	{ "counters agree with Linux", counters_agree_with_linux },
	{ "uncore registers agree with Linux", uncore_boxes_agree_with_linux },
};

int main(void)
{
	return unit_run_parts("second", checks, ARRAY_SIZE(checks));
}
