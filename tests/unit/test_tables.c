// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "events.h"
#include "intel.h"
#include "unit.h"

#define ROW_BITS	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_CMASK | \
			 BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY)
#define MSRS_MAX 64

#define TESTS_MAX 64

static u8 most_counters(const struct bpmu_part *part)
{
	return part->cpuid_leaf ? 8 : part->gp_counters;
}

static void add_range(u32 *msrs, unsigned int *nr, u32 first, unsigned int n)
{
	unsigned int i;

	for (i = 0; first && i < n; i++)
		msrs[(*nr)++] = first + i;
}

static void test_msrs(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_msrs *m;
	unsigned int fixed;
	unsigned int nr = 0;
	unsigned int i;
	unsigned int j;
	u32 msrs[MSRS_MAX];

	m = &part->msrs;
	fixed = part->cpuid_leaf ? 3 : part->fixed_counters;
	add_range(msrs, &nr, m->select, most_counters(part));
	add_range(msrs, &nr, m->counter, most_counters(part));
	if (m->counter_full != m->counter)
		add_range(msrs, &nr, m->counter_full, most_counters(part));
	add_range(msrs, &nr, m->fixed, fixed);
	add_range(msrs, &nr, m->fixed_ctrl, 1);
	add_range(msrs, &nr, m->global_ctrl, 1);
	add_range(msrs, &nr, m->global_status, 1);
	add_range(msrs, &nr, m->global_ovf, 1);
	assert_true(nr > 4);
	for (i = 0; i < nr; i++)
		for (j = 0; j < i; j++)
			assert_int_not_equal(msrs[i], msrs[j]);
}

static void test_numbers(void **state)
{
	const struct bpmu_part *part = *state;
	struct bpmu_pmu pmu = unit_pmu(part->name, 4);

	assert_ptr_equal(bpmu_part_by_name(part->name), part);
	assert_in_range(pmu.gp_counters, 1, 8);
	assert_in_range(pmu.gp_width, 32, 64);
	assert_true(part->issue_width && part->threads);
	assert_int_equal(part->legal & (BPMU_SEL_EN | BPMU_SEL_INT |
					BPMU_SEL_PC), 0);
	assert_int_equal(part->legal >> 32, 0);
	assert_true(part->ids[0].vendor);
	assert_ptr_equal(bpmu_part_find(part->ids[0].vendor,
					part->ids[0].family,
					part->ids[0].model), part);
}

static void test_rows_sorted(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	assert_true(nr > 50);
	for (i = 1; i < nr; i++)
		assert_true(strcmp(rows[i - 1].name, rows[i].name) < 0);
}

static void test_rows_bits(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		assert_int_equal(rows[i].select & ~ROW_BITS, 0);
		assert_int_equal(rows[i].select & ~part->legal, 0);
		if (rows[i].select & BPMU_SEL_INV)
			assert_true(rows[i].select & BPMU_SEL_CMASK);
	}
}

static void test_rows_counters(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	u64 general;
	u64 set;
	size_t nr;
	size_t i;

	general = (1ULL << most_counters(part)) - 1;
	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		set = rows[i].counters;
		assert_true(set);
		assert_int_equal(set & ~rows[i].counters_noht, 0);
		if (set < BPMU_FIXED_BIT(0)) {
			assert_int_equal(rows[i].counters_noht & ~general, 0);
			continue;
		}
		assert_int_equal(set & (set - 1), 0);
		assert_int_equal(set, rows[i].counters_noht);
		assert_int_equal(bpmu_select_illegal(part, BPMU_FIXED_BASE,
						     rows[i].select), 0);
	}
}

static void test_aliases(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr_aliases;
	size_t nr;
	size_t i;
	size_t a;

	rows = bpmu_events(part, &nr);
	aliases = bpmu_event_aliases(part, &nr_aliases);
	assert_true(nr_aliases >= 6);
	for (a = 0; a < nr_aliases; a++) {
		for (i = 0; i < nr; i++)
			if (!strcmp(rows[i].name, aliases[a].event))
				break;
		assert_true(i < nr);
		if (a)
			assert_true(strcmp(aliases[a - 1].name,
					   aliases[a].name) < 0);
	}
}

static const struct {
	const char *name;
	CMUnitTestFunction run;
} checks[] = {
	{ "MSRs do not overlap", test_msrs },
	{ "numbers are possible", test_numbers },
	{ "rows are sorted and unique", test_rows_sorted },
	{ "rows have legal bits only", test_rows_bits },
	{ "rows have possible counters", test_rows_counters },
	{ "aliases are sorted and lead to rows", test_aliases },
};

int main(void)
{
	struct CMUnitTest tests[TESTS_MAX] = { { .name = NULL } };
	const struct bpmu_part *part;
	char names[TESTS_MAX][64];
	size_t nr = 0;
	size_t c;
	int i;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		for (c = 0; c < ARRAY_SIZE(checks); c++, nr++) {
			snprintf(names[nr], sizeof(names[nr]), "%s: %s",
				 part->name, checks[c].name);
			tests[nr].name = names[nr];
			tests[nr].test_func = checks[c].run;
			tests[nr].initial_state = (void *)part;
		}
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("tables", tests, nr, NULL, NULL);
}
