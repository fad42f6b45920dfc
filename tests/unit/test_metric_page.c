// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the manual page barepmu-metrics(5) against the tool. The examples of the page start with
 * "# ", and can be parsed and measured. Units and names in the page are those of the tool. The
 * page's table of LIKWID's groups matches the groups of LIKWID and of barepmu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "intel.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_unit.h"
#include "tree/tree.h"
#include "unit.h"

#define PAGE TOP "/user/man/barepmu-metrics.5.scd"
#define SIZE_LIMIT (1 << 16)

static char page[SIZE_LIMIT];

TEST_FIXTURE(read_page)
{
	FILE *in = fopen(PAGE, "re");

	if (!in)
		return -1;
	page[fread(page, 1, SIZE_LIMIT - 1, in)] = '\0';
	return fclose(in);
}

/*
 * Makes groups of events for the metrics of an example in the page, on all levels of their tree.
 * Fails if the example is not valid.
 */
static void measure(const char *text)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics m = { .nr = 0 };
	unsigned int level = 1;
	struct bpmu_error err;
	struct bpmu_tree tree;
	unsigned int i;

	if (bpmu_metrics_add(&m, PAGE, text, pmu.part, &err))
		fail_msg("%s\n%s\n%s", text, err.text, err.excerpt);
	for (i = 0; i < m.nr; i++)
		if (m.metric[i].level > level)
			level = m.metric[i].level;
	bpmu_metrics_free(&m);
	if (unit_tree(&tree, text, &pmu, level, &err))
		fail_msg("%s\n%s", text, err.text);
	bpmu_tree_free(&tree);
}

TEST(examples_of_the_page_are_measured)
{
	unsigned int nr = 0;
	char *block;
	char *end;

	for (block = page; (block = strstr(block, "\n```\n")); block = end) {
		block += strlen("\n```\n");
		end = strstr(block, "\n```\n");
		assert_non_null(end);
		end[1] = '\0';
		if (!strncmp(block, "# ", 2)) {
			measure(block);
			nr++;
		}
		end[1] = '`';
		end += strlen("\n```");
	}
	assert_true(nr >= 3);
}

TEST(the_page_has_all_units)
{
	char list[BPMU_UNIT_LIST];
	char wanted[64];
	char *rest = list;
	char *unit;

	bpmu_unit_list(list, sizeof(list));
	assert_true(strlen(list) < sizeof(list) - 1);
	while ((unit = strsep(&rest, ","))) {
		unit += *unit == ' ';
		snprintf(wanted, sizeof(wanted), "\n|  *%s*\n", unit);
		if (!strstr(page, wanted) && !strstr(page, wanted + 1))
			fail_msg("unit '%s' is not in the page", unit);
	}
}

TEST(the_page_has_all_constants)
{
	static const char *const names[] = {
		"SMT", "THREADS", "CORES", "SOCKETS", "CHAS", "IMCS", "TSC_HZ", "TSC",
		"SECONDS", "JOULE", "JOULE_DRAM", "JOULE_PSYS", "TJMAX",
	};
	char wanted[64];
	size_t i;
	char *p;

	assert_int_equal(ARRAY_SIZE(names), BPMU_NR_CONSTANTS);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(bpmu_metric_constant(names[i]), i);
		snprintf(wanted, sizeof(wanted), "*%s*", names[i]);
		for (p = wanted; (p = strchr(p, '_')); p += 2) {
			memmove(p + 1, p, strlen(p) + 1);
			*p = '\\';
		}
		if (!strstr(page, wanted))
			fail_msg("name '%s' is not in the page", wanted);
	}
}

/*
 * LIKWID 5.5's groups of metrics for each CPU model: the names of the files in LIKWID's folder
 * "groups".
 */
static const struct {
	const char *part;
	const char *folder;
	const char *groups;
} likwid[] = {
	{ "nhm", "nehalem",
	  "BRANCH CACHE DATA DIVIDE FLOPS_DP FLOPS_SP FLOPS_X87 ICACHE L2 L2CACHE L3 L3CACHE "
	  "MEM SCHEDULER TLB" },
	{ "nhm-ex", "nehalemEX",
	  "BRANCH CACHE DATA DIVIDE FLOPS_DP FLOPS_SP FLOPS_X87 ICACHE L2 L2CACHE L3 L3CACHE "
	  "MEM SCHEDULER TLB" },
	{ "wsm", "westmere",
	  "BRANCH CACHE CLOCK DATA DIVIDE FLOPS_DP FLOPS_SP FLOPS_X87 ICACHE L2 L2CACHE L3 "
	  "L3CACHE MEM MEM_DP MEM_SP TLB_DATA TLB_INSTR UOPS VIEW" },
	{ "wsm-ep", "westmere",
	  "BRANCH CACHE CLOCK DATA DIVIDE FLOPS_DP FLOPS_SP FLOPS_X87 ICACHE L2 L2CACHE L3 "
	  "L3CACHE MEM MEM_DP MEM_SP TLB_DATA TLB_INSTR UOPS VIEW" },
	{ "wsm-ex", "westmereEX",
	  "BRANCH CACHE DATA DIVIDE FLOPS_DP FLOPS_SP FLOPS_X87 ICACHE L2 L2CACHE L3 L3CACHE "
	  "MEM NUMA TLB_DATA TLB_INSTR UOPS" },
	{ "snb", "sandybridge",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 "
	  "L3CACHE PORT_USAGE RECOVERY TLB_DATA TLB_INSTR TMA UOPS UOPS_EXEC "
	  "UOPS_ISSUE UOPS_RETIRE" },
	{ "jkt", "sandybridgeEP",
	  "BRANCH CACHES CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 "
	  "L3CACHE MEM MEM_DP MEM_SP NUMA PORT_USAGE QPI RECOVERY TLB_DATA "
	  "TLB_INSTR TMA UOPS UOPS_EXEC UOPS_ISSUE UOPS_RETIRE" },
	{ "ivb", "ivybridge",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 "
	  "L3CACHE PORT_USAGE RECOVERY TLB_DATA TLB_INSTR TMA UOPS UOPS_EXEC "
	  "UOPS_ISSUE UOPS_RETIRE" },
	{ "ivt", "ivybridgeEP",
	  "BRANCH CACHES CBOX CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE "
	  "ENERGY FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE "
	  "L3 L3CACHE MEM MEM_DP MEM_SP NUMA PORT_USAGE QPI RECOVERY TLB_DATA "
	  "TLB_INSTR TMA UNCORECLOCK UOPS UOPS_EXEC UOPS_ISSUE UOPS_RETIRE" },
	{ "hsw", "haswell",
	  "BRANCH CACHES CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX ICACHE L2 L2CACHE L3 L3CACHE MEM PORT_USAGE "
	  "RECOVERY TLB_DATA TLB_INSTR TMA UOPS UOPS_EXEC UOPS_ISSUE "
	  "UOPS_RETIRE" },
	{ "hsx", "haswellEP",
	  "BRANCH CACHES CBOX CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE "
	  "ENERGY FALSE_SHARE FLOPS_AVX HA ICACHE L2 L2CACHE L3 L3CACHE MEM "
	  "NUMA PORT_USAGE QPI RECOVERY SBOX TLB_DATA TLB_INSTR TMA UOPS "
	  "UOPS_EXEC UOPS_ISSUE UOPS_RETIRE" },
	{ "bdw", "broadwell",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 "
	  "L3CACHE PORT_USAGE RECOVERY TLB_DATA TLB_INSTR TMA UOPS" },
	{ "bdx", "broadwellEP",
	  "BRANCH CACHES CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP HA ICACHE L2 L2CACHE L3 "
	  "L3CACHE MEM MEM_DP MEM_SP NUMA PORT_USAGE QPI TLB_DATA TLB_INSTR "
	  "TMA UOPS" },
	{ "skl", "skylake",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FALSE_SHARE FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 "
	  "L3CACHE MEM MEM_DP MEM_SP PERF PORT_USAGE RECOVERY TLB_DATA "
	  "TLB_INSTR TMA UOPS UOPS_EXEC UOPS_ISSUE UOPS_RETIRE" },
	{ "skx", "skylakeX",
	  "BRANCH CACHES CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FLOPS_AVX FLOPS_DP FLOPS_SP L2 L2CACHE L3 L3CACHE MEM MEM_DP "
	  "MEM_SP TLB_DATA TLB_INSTR TMA UOPS_EXEC UOPS_ISSUE UOPS_RETIRE UPI" },
	{ "icl", "ICL",
	  "BRANCH CLOCK DATA DIVIDE ENERGY FLOPS_AVX FLOPS_DP FLOPS_SP ICACHE "
	  "L2 L2CACHE L3 L3CACHE MEM MEM_DP MEM_SP TMA UOPS" },
	{ "icx", "ICX",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FLOPS_AVX FLOPS_DP FLOPS_SP L2 L2CACHE L3 L3CACHE MEM MEM_DP "
	  "MEM_FREERUN MEM_SP SPECI2M TMA UPI" },
	{ "tgl", "TGL",
	  "BRANCH DATA DIVIDE ENERGY FLOPS_AVX FLOPS_DP FLOPS_SP" },
	{ "rkl", "RKL",
	  "BRANCH DATA DIVIDE ENERGY FLOPS_AVX FLOPS_DP FLOPS_SP TMA" },
	{ "spr", "SPR",
	  "BRANCH CLOCK DATA DDR_HBM DIVIDE ENERGY FLOPS_AVX FLOPS_DP "
	  "FLOPS_HP FLOPS_SP HBM HBM_DP HBM_HP HBM_SP L2 L2CACHE L3 L3CACHE "
	  "MEM MEM_DP MEM_HP MEM_SP SPECI2M TLB_DATA TLB_INSTR TMA UPI" },
	{ "emr", "EMR",
	  "BRANCH CLOCK DATA DDR_HBM DIVIDE ENERGY FLOPS_AVX FLOPS_DP "
	  "FLOPS_HP FLOPS_SP HBM HBM_DP HBM_HP HBM_SP L2 L2CACHE L3 L3CACHE "
	  "MEM MEM_DP MEM_HP MEM_SP SPECI2M TLB_DATA TLB_INSTR TMA UPI" },
	{ "gnr", "GNR",
	  "BRANCH CLOCK CYCLE_ACTIVITY CYCLE_STALLS DATA DIVIDE ENERGY "
	  "FLOPS_AVX FLOPS_DP FLOPS_HP FLOPS_SP L2 L2CACHE L3 MEM MEM_DP "
	  "MEM_HP MEM_SP SPECI2M TLB_DATA TLB_INSTR TMA" },
	{ "srf", "SRF",
	  "BRANCH CLOCK DATA DIVIDE ENERGY FLOPS FLOPS_AVX FLOPS_DP FLOPS_SP "
	  "L2CACHE MEM MEM_DP MEM_SP TMA" },
	{ "bnl", "atom", "BRANCH DATA FLOPS_DP FLOPS_SP FLOPS_X87 MEM TLB" },
	{ "slm", "silvermont",
	  "BRANCH CLOCK DATA DIVIDE ENERGY ICACHE L2CACHE MEM TLB_DATA TLB_INSTR" },
	{ "avn", "silvermont",
	  "BRANCH CLOCK DATA DIVIDE ENERGY ICACHE L2CACHE MEM TLB_DATA TLB_INSTR" },
	{ "glm", "goldmont",
	  "BRANCH CLOCK DATA DIVIDE ENERGY ICACHE L2CACHE TLB_DATA TLB_INSTR" },
	{ "glp", "goldmont",
	  "BRANCH CLOCK DATA DIVIDE ENERGY ICACHE L2CACHE TLB_DATA TLB_INSTR" },
	{ "knl", "knl",
	  "BRANCH CLOCK DATA DIVIDE ENERGY FLOPS_DP FLOPS_SP FRONTEND_STALLS HBM HBM_CACHE "
	  "HBM_OFFCORE ICACHE L2 L2CACHE MEM TLB_DATA TLB_INSTR UOPS_STALLS" },
	{ "knc", "phi",
	  "MEM TLB" },
	{ "k10", "k10",
	  "BRANCH CACHE CPI FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE MEM NUMA TLB" },
	{ "bulldozer", "interlagos",
	  "BRANCH CACHE CPI DATA FLOPS_DP FLOPS_SP ICACHE L2 L2CACHE L3 L3CACHE MEM NUMA" },
	{ "jaguar", "kabini",
	  "BRANCH CACHE CPI DATA FLOPS_DP FLOPS_SP ICACHE L2 MEM NUMA TLB" },
	{ "zen1", "zen",
	  "BRANCH CACHE CLOCK CPI DATA DIVIDE ENERGY FLOPS_DP FLOPS_SP ICACHE "
	  "L2 L3 MEM MEM_DP MEM_SP NUMA TLB" },
	{ "zen2", "zen2",
	  "BRANCH CACHE CLOCK CPI DATA DIVIDE ENERGY FLOPS_DP FLOPS_SP ICACHE "
	  "L2 L3 MEM MEM_DP MEM_SP NUMA TLB" },
	{ "zen3", "zen3",
	  "BRANCH CACHE CLOCK CPI DATA DIVIDE ENERGY FLOPS_DP FLOPS_SP ICACHE "
	  "L2 L2CACHE L3 L3CACHE MEM1 MEM2 NUMA TLB" },
	{ "zen4", "zen4",
	  "BRANCH CACHE CLOCK CPI DATA DIVIDE ENERGY FLOPS_DP FLOPS_SP ICACHE "
	  "L2 L2CACHE L3 L3CACHE MEM NUMA TLB" },
	{ "zen5", "zen5",
	  "BRANCH CLOCK CPI DATA DIVIDE ENERGY FLOPS_BF16 FLOPS_DP FLOPS_SP "
	  "ICACHE L2CACHE L3CACHE MEM TLB TMA" },
};

/*
 * Columns of the page's table of groups of metrics. @group: barepmu's name of the group. @likwid:
 * LIKWID's name of the group; NULL if it is the same.
 */
static const struct {
	const char *group;
	const char *likwid;
} columns[] = {
	{ "BRANCH" }, { "CLOCK" }, { "ENERGY" }, { "FLOPS_DP" }, { "L2" },
	{ "L3" }, { "MEM", "MEM1" }, { "NUMA" }, { "TLB", "TLB_DATA" },
	{ "UPI", "QPI" },
};

static bool word_in(const char *words, const char *word)
{
	size_t len;

	for (; word && words && *words; words += len, words += *words == ' ') {
		len = strcspn(words, " ");
		if (len == strlen(word) && !strncmp(words, word, len))
			return true;
	}
	return false;
}

static bool has_group(const struct bpmu_metrics *m, const char *group)
{
	unsigned int i;

	for (i = 0; i < m->nr; i++)
		if (m->metric[i].level &&
		    bpmu_metric_of_group(m->metric[i].group, group))
			return true;
	return false;
}

/*
 * Returns whether the page says that barepmu has the metrics of a LIKWID group under other names.
 */
static bool is_elsewhere(const char *group)
{
	static const char *const names[] = {
		"CYCLE_ACTIVITY", "TMA", "CACHE", "CACHES", "CBOX", "DDR_HBM", "FLOPS",
		"FLOPS_BF16", "FLOPS_X87", "SCHEDULER", "VIEW",
		"FRONTEND_STALLS", "HBM", "HBM_DP", "HBM_HP",
		"HBM_OFFCORE", "HBM_SP", "MEM2", "MEM_FREERUN",
		"MEM_HP", "PERF", "SBOX", "SPECI2M", "UNCORECLOCK", "UOPS_STALLS",
	};
	const char *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names) && strcmp(names[i], group); i++)
		;
	if (i == ARRAY_SIZE(names))
		return false;
	p = strstr(page, "\nGroups of other names:");
	assert_non_null(p);
	p = strstr(p, group);
	if (!p)
		fail_msg("the page does not name %s", group);
	return true;
}

/*
 * Returns whether the page has a line of text that begins with the LIKWID group's name and then
 * names the CPU model.
 */
static bool has_reason(const char *group, const char *part)
{
	char begin[32];
	char line[256];
	char *p;

	snprintf(begin, sizeof(begin), "\n%s ", group);
	p = strstr(page, "\nWhy some groups are only in LIKWID:\n");
	assert_non_null(p);
	for (p = strstr(p, begin); p; p = strstr(p, begin)) {
		p += strlen(begin);
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		if (word_in(line, part))
			return true;
	}
	return false;
}

static void check_likwid(const struct bpmu_part *part)
{
	struct bpmu_metrics m = { .nr = 0 };
	const char *groups = "";
	const char *folder = "-";
	struct bpmu_error err;
	bool ours, theirs;
	char group[32];
	char line[160];
	size_t len, len_of, i;

	for (i = 0; i < ARRAY_SIZE(likwid); i++)
		if (!strcmp(likwid[i].part, part->name)) {
			folder = likwid[i].folder;
			groups = likwid[i].groups;
		}
	if (bpmu_metrics_join(&m, "power", part, &err) ||
	    bpmu_metrics_join(&m, "groups", part, &err))
		fail_msg("%s", err.text);
	len = snprintf(line, sizeof(line), "\n%-8s %-13s", part->name, folder);
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		ours = has_group(&m, columns[i].group);
		theirs = word_in(groups, columns[i].group) ||
			 word_in(groups, columns[i].likwid);
		len += snprintf(line + len, sizeof(line) - len, " %s%-*s",
				ours && theirs ? "+" : ours ? "b" :
				theirs ? "L" : ".",
				i + 1 == ARRAY_SIZE(columns) ? 0 :
				(int)strlen(columns[i].group) - 1, "");
		if (theirs && !ours &&
		    !has_reason(columns[i].group, part->name))
			fail_msg("no reason why %s of %s is LIKWID's alone",
				 columns[i].group, part->name);
		if (has_reason(columns[i].group, part->name) &&
		    (ours || !theirs))
			fail_msg("%s of %s has a reason not to be there",
				 columns[i].group, part->name);
	}
	for (; *groups; groups += len_of, groups += *groups == ' ') {
		len_of = strcspn(groups, " ");
		snprintf(group, sizeof(group), "%.*s", (int)len_of, groups);
		if (!has_group(&m, strcmp(group, "MEM1") ? group : "MEM") &&
		    !has_reason(group, part->name) && !is_elsewhere(group))
			fail_msg("no reason why %s of %s is LIKWID's alone", group,
				 part->name);
	}
	bpmu_metrics_free(&m);
	snprintf(line + len, sizeof(line) - len, "\n");
	if (!strstr(page, line))
		fail_msg("the page says otherwise than:%s", line);
}

TEST(the_page_s_table_has_likwid_s_groups)
{
	int i;

	for (i = 0; bpmu_part_at(i); i++)
		check_likwid(bpmu_part_at(i));
}

TEST_GROUP(read_page, NULL);
