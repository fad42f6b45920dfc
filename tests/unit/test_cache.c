// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of perf's names of cache events, such as LLC-loads. A name stands for the off-core response
 * event that perf counts under this name. If the CPU model has no such event, the name is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "event/event_name.h"
#include "event/part.h"
#include "events.h"
#include "intel.h"
#include "unit.h"

#define UK (BPMU_SEL_USR | BPMU_SEL_OS)
#define NAMES 12

static const char *const names[NAMES] = {
	"LLC-loads", "LLC-load-misses", "LLC-stores", "LLC-store-misses",
	"LLC-prefetches", "LLC-prefetch-misses",
	"node-loads", "node-load-misses", "node-stores", "node-store-misses",
	"node-prefetches", "node-prefetch-misses",
};

/*
 * Expected values, in the order of names[]. They were printed by a program with the tables and
 * macros of Linux' arch/x86/events/intel/core.c, hw_cache_event_ids and hw_cache_extra_regs. 0
 * means that Linux has no such event.
 */
static const struct linux_table {
	const char *parts;
	u64 code;
	u64 value[NAMES];
} tables[] = {
	{ "nhm nhm-ex wsm wsm-ep wsm-ex", 0x1b7,
	  { 0xf701, 0xf001, 0xf70a, 0xf00a, 0xf730, 0xf030, 0x7001, 0x2001, 0x700a, 0x200a,
	    0x7030, 0x2030 } },
	{ "jkt ivt snb ivb", 0x1b7,
	  { 0x10081, 0x3fffc00081, 0x10102, 0x3fffc00102, 0x10030, 0x3fffc00030,
	    0x1fffc00081, 0x1fff800081, 0x1fffc00102, 0x1fff800102,
	    0x1fffc00030, 0x1fff800030 } },
	{ "hsw hsx", 0x1b7,
	  { 0x10001, 0x3fb8400001, 0x10002, 0x3fb8400002, 0, 0,
	    0x1f80400001, 0x1fb8000001, 0x1f80400002, 0x1fb8000002 } },
	{ "bdw bdx", 0x1b7,
	  { 0x10001, 0x1fbc000001, 0x10002, 0x1fbc000002, 0, 0,
	    0x1f84000001, 0x1fb8000001, 0x1f84000002, 0x1fb8000002 } },
	{ "skl cnl skx icl tgl rkl lkf", 0x1b7,
	  { 0x3fc0010001, 0x3ffc020001, 0x3fc0010002, 0x3ffc020002, 0, 0,
	    0x1fc4000001, 0x1ff8000001, 0x1fc4000002, 0x1ff8000002 } },
	{ "icx", 0x1b7,
	  { 0x10001, 0x3fbfc00001, 0x3f3ffc0002, 0x3f3fc00002, 0, 0,
	    0x104000001, 0x730000001, 0x104000002, 0x730000002 } },
	{ "spr emr gnr", 0x12a,
	  { 0x10001, 0x3fbfc00001, 0x3f3ffc0002, 0x3f3fc00002, 0, 0,
	    0x104000001, 0x730000001 } },
	{ "adl mtl", 0x12a, { 0x10001, 0x3fbfc00001, 0x10002, 0x3fbfc00002 } },
	{ "lnl ptl", 0x12a,
	  { 0x10001, 0x9e7fa000001, 0x10002, 0x9e7fa000002 } },
	{ "arl", 0x12a, { 0x10001, 0xfe7f8000001, 0x10002, 0xfe7f8000002 } },
	{ "slm avn", 0x1b7,
	  { 0x10001, 0, 0x10002, 0x3680000002, 0x10030, 0x3680000030 } },
	{ "glm", 0x1b7,
	  { 0x10001, 0x3600000001, 0x10002, 0x3600000002, 0x10030, 0x3600000030 } },
	{ "glp", 0x1b7, { 0x10001, 0x3600000001, 0x10002, 0x3600000002 } },
	{ "knl", 0x1b7,
	  { 0x10001, 0, 0x10002, 0x3f81f80002, 0x10030, 0x3f81f80030 } },
	{ "nvl dmr", 0x12a, { 0x4000000000000001, 0xfffff000000001, 0x4000000000000002,
			      0xfffff000000002 } },
	{ "nvl-e", 0x1b7, { 0x4000000000000001, 0xfffff000000001, 0x4000000000000002,
			    0xfffff000000002 } },
	{ "tnt lkf-e", 0x1b7, { 0x10001, 0x3f04000001, 0x10002, 0x3f04000002 } },
	{ "adl-e", 0x1b7, { 0x10001, 0x3f84400001, 0x10002, 0x3f84400002 } },
	{ "mtl-e arl-lp srf grr", 0x1b7,
	  { 0x10001, 0x3fbfc00001, 0x10002, 0x3fbfc00002 } },
	{ "arl-e lnl-e ptl-e", 0x1b7,
	  { 0x10001, 0x13fbfc00001, 0x10002, 0x13fbfc00002 } },
	{ "cwf", 0x1b7, { 0x10001, 0x33fbfc00001, 0x10002, 0x33fbfc00002 } },
};

static const struct linux_table *table_of(const char *part)
{
	size_t len = strlen(part);
	const char *found;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (found = tables[i].parts; *found;
		     found += strspn(found, " "), found += strcspn(found, " ")) {
			found += strspn(found, " ");
			if (strcspn(found, " ") == len &&
			    !strncmp(found, part, len))
				return &tables[i];
		}
	return NULL;
}

/*
 * Returns the value that barepmu should write to the off-core response MSR: Linux' value without
 * the bits that this CPU model reserves. If none of the bits that choose a response is left, the
 * CPU model has no such event, and 0 is returned.
 */
static u64 wanted(const struct bpmu_part *part, const struct linux_table *table,
		  size_t i)
{
	u64 value = table->value[i];
	const struct bpmu_extra *extra = bpmu_extra_of(part, table->code);

	assert_non_null(extra);
	if (!(value & ~extra->legal))
		return value;
	value &= extra->legal;
	return value & 0x7fff0000 ? value : 0;
}

static void as_linux(const struct bpmu_part *part)
{
	const struct linux_table *table = table_of(part->name);
	struct bpmu_pmu pmu = unit_pmu(part->name, 8);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;
	u64 value;
	int ret;

	if (!table) {
		assert_null(part->extras);
		return;
	}
	for (i = 0; i < NAMES; i++) {
		value = wanted(part, table, i);
		ret = bpmu_event_parse(&pmu, 0, names[i], &spec, &err);
		if (ret != (value ? 0 : -ENOENT))
			fail_msg("%s on %s: %d", names[i], part->name, ret);
		if (ret)
			continue;
		if (spec.term[0].select != (UK | table->code) ||
		    spec.term[0].filter != value)
			fail_msg("%s on %s: %llx, %llx", names[i], part->name,
				 spec.term[0].select, spec.term[0].filter);
		bpmu_event_free(&spec);
	}
}

TEST(generic_names_have_the_codes_of_linux)
{
	int i;

	for (i = 0; bpmu_part_at(i); i++)
		as_linux(bpmu_part_at(i));
}

/*
 * Checks the events that barepmu has for perf's names of cache events. Each event has a
 * description, and is counted only on counters that work with its off-core response MSR. A metric
 * file can name the event if it writes "_" for each "-" in the name.
 */
static void check_rows(const struct bpmu_part *part)
{
	const struct bpmu_event *rows;
	const struct bpmu_extra *extra;
	char name[96];
	size_t nr, i, k;

	rows = bpmu_cache_events(part, &nr);
	for (i = 0; i < nr; i++) {
		extra = bpmu_extra_of(part, rows[i].select);
		assert_non_null(extra);
		assert_int_equal(rows[i].counters & ~extra->counters, 0);
		assert_non_null(rows[i].desc);
		assert_string_equal(bpmu_event_category(&rows[i]), "memory");
		snprintf(name, sizeof(name), "%s", rows[i].name);
		for (k = 0; name[k]; k++)
			if (name[k] == '-')
				name[k] = '_';
		assert_ptr_equal(bpmu_event_row(part, name), &rows[i]);
	}
}

TEST(generic_names_are_rows_of_each_part)
{
	int i;

	for (i = 0; bpmu_part_at(i); i++)
		check_rows(bpmu_part_at(i));
}

static const struct {
	const char *part;
	const char *name;
	const char *says;
} refused[] = {
	{ "snb", "node-load-misses",
	  "event 'node-load-misses': neither perf nor barepmu has it on snb; use one of node-loads, node-prefetches, node-stores" },
	{ "skl", "LLC-prefetches",
	  "neither perf nor barepmu has it on skl; use one of LLC-load-misses, LLC-loads, LLC-store-misses, LLC-stores" },
	{ "adl", "node-loads",
	  "neither perf nor barepmu has it on adl; use one of LLC-load-misses, " },
	{ "knc", "LLC-loads",
	  "has it on knc; use one of LLC-load-misses, LLC-prefetch-misses, LLC-prefetches, LLC-stores" },
	{ "knc", "node-loads", "has it on knc; use one of LLC-load-misses, " },
	{ "zen1", "LLC-load-misses",
	  "neither perf nor barepmu has it on zen1; use L3_LOOKUP_STATE.L3_MISS, which counts for a core complex, or cache-misses, which are those of L2" },
	{ "zen5", "LLC-loads", "use L3_LOOKUP_STATE.L3_MISS" },
	{ "zen4", "node-loads",
	  "neither perf nor barepmu has it on zen4; see 'barepmu list events DRAM' for what the data fabric counts" },
	{ "arch", "LLC-loads",
	  "neither perf nor barepmu has it on arch; use cache-references or cache-misses" },
};

TEST(refuses_names_that_the_part_lacks)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		pmu = unit_pmu(refused[i].part, 6);
		if (bpmu_event_parse(&pmu, 0, refused[i].name, &spec, &err) !=
		    -ENOENT || !strstr(err.text, refused[i].says))
			fail_msg("%s on %s: %s", refused[i].name,
				 refused[i].part, err.text);
	}
}

/*
 * Values of the field MSRValue in the files of github.com/intel/perfmon. For Sandy Bridge and Ivy
 * Bridge the files have the value of remote accesses only for demand reads. Here this value is
 * combined with the bits of the other requests.
 */
static const struct {
	const char *part;
	const char *name;
	u64 value;
} reads[] = {
	{ "jkt", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 0x6004003f7 },
	{ "ivt", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 0x6004003f7 },
	{ "ivt", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_DRAM", 0x67f8003f7 },
	{ "hsx", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 0x6004007f7 },
	{ "hsx", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_DRAM", 0x63f8007f7 },
	{ "bdx", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 0x6040007f7 },
	{ "bdx", "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_DRAM", 0x63bc007f7 },
	{ "skx",
	  "OFFCORE_RESPONSE.ALL_READS.L3_MISS_LOCAL_DRAM.SNOOP_MISS_OR_NO_FWD",
	  0x6040007f7 },
	{ "skx",
	  "OFFCORE_RESPONSE.ALL_READS.L3_MISS_REMOTE_DRAM.SNOOP_MISS_OR_NO_FWD",
	  0x63b8007f7 },
	{ "icx", "OCR.READS_TO_CORE.LOCAL_DRAM", 0x104000477 },
	{ "icx", "OCR.READS_TO_CORE.REMOTE_DRAM", 0x730000477 },
	{ "spr", "OCR.READS_TO_CORE.LOCAL_DRAM", 0x104004477 },
	{ "emr", "OCR.READS_TO_CORE.REMOTE_DRAM", 0x730004477 },
	{ "gnr", "OCR.READS_TO_CORE.LOCAL_DRAM", 0x104004477 },
	{ "srf", "OCR.DEMAND_DATA_RD.LOCAL_DRAM", 0x184000001 },
	{ "srf", "OCR.DEMAND_DATA_RD.REMOTE_DRAM", 0x730000001 },
	{ "cwf", "OCR.DEMAND_DATA_RD.LOCAL_DRAM", 0x784000001 },
	{ "cwf", "OCR.DEMAND_DATA_RD.REMOTE_DRAM", 0x730000001 },
};

TEST(reads_have_the_value_of_the_extra_register)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		pmu = unit_pmu(reads[i].part, 8);
		if (bpmu_event_parse(&pmu, 0, reads[i].name, &spec, &err))
			fail_msg("%s on %s: %s", reads[i].name, reads[i].part,
				 err.text);
		if (spec.term[0].filter != reads[i].value)
			fail_msg("%s on %s: %llx", reads[i].name,
				 reads[i].part, spec.term[0].filter);
		bpmu_event_free(&spec);
	}
}

/* The expected event selects are from Linux' knc_hw_cache_event_ids. */
TEST(names_of_knc_have_the_codes_of_linux)
{
	static const struct {
		const char *name;
		u64 select;
	} cases[] = {
		{ "LLC-load-misses", 0x10cb }, { "LLC-stores", 0x10cc },
		{ "LLC-prefetches", 0x10fc }, { "LLC-prefetch-misses", 0x10fe },
	};
	struct bpmu_pmu pmu = unit_pmu("knc", 0);
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (bpmu_event_parse(&pmu, 0, cases[i].name, &spec, &err))
			fail_msg("%s", err.text);
		assert_int_equal(spec.term[0].select, UK | cases[i].select);
		bpmu_event_free(&spec);
	}
}
