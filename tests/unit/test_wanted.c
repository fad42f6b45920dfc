// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the events of a tree that all interrupt: whoever asks for Top-Down of each function is told
 * what a part cannot count by interrupts.
 */
#include <errno.h>
#include <string.h>

#include "source/wanted.h"
#include "tree/tree.h"
#include "unit.h"

/*
 * Makes Top-Down of a part down to a level. Lets all its events interrupt; if @uncore, as if another
 * unit than a core counted them. Returns the error, "" if there is none.
 */
static const char *interrupt(const char *part, unsigned int level, bool uncore,
			     const struct bpmu_periods *periods)
{
	struct bpmu_target target = { .info.pmu = unit_pmu(part, part[0] == 'i' ? 4 : 8) };
	static struct bpmu_error err;
	const struct bpmu_sched *sched;
	struct bpmu_tree tree;
	unsigned int i;
	int code;

	if (bpmu_tree_init(&tree, "topdown", &target.info.pmu, 0, level, &err))
		fail_msg("%s", err.text);
	sched = &tree.groups.group[0].sched;
	if (uncore)
		tree.groups.group[0].sched.bank = BPMU_BANK_UNCORE;
	err.text[0] = '\0';
	code = bpmu_wanted_interrupt_all(periods, &target, &tree.groups, &err);
	assert_int_equal(code, err.text[0] ? -EINVAL : 0);
	for (i = 0; i < sched->nr && !code; i++) {
		assert_int_equal(sched->slot[i].period,
				 periods->nr && periods->option == 'c' ? periods->of[0] : 0);
		assert_int_equal(sched->slot[i].frequency,
				 periods->nr && periods->option == 'F' ? periods->of[0] : 0);
	}
	bpmu_tree_free(&tree);
	return err.text;
}

TEST(all_events_of_a_tree_interrupt_alike)
{
	const struct bpmu_periods none = { }, period = { 'c', 1, { 5000 } };
	const struct bpmu_periods frequency = { 'F', 1, { 100 } };

	assert_string_equal(interrupt("ivb", 1, false, &none), "");
	assert_string_equal(interrupt("ivb", 1, false, &period), "");
	assert_string_equal(interrupt("ivb", 1, false, &frequency), "");
}

TEST(events_that_cannot_all_interrupt_are_refused)
{
	const struct bpmu_periods period = { 'c', 1, { 5000 } };
	const struct bpmu_periods periods = { 'c', 2, { 5000, 6000 } };
	const struct bpmu_periods frequencies = { 'F', 2, { 100, 200 } };

	assert_non_null(strstr(interrupt("ivb", 1, false, &periods), "give one period"));
	assert_non_null(strstr(interrupt("ivb", 1, false, &frequencies), "give one frequency"));
	assert_non_null(strstr(interrupt("ivb", 2, false, &period), "do not fit on the core's counters"));
	assert_non_null(strstr(interrupt("ivb", 1, true, &period), "is not counted by a core"));
	assert_non_null(strstr(interrupt("spr", 1, false, &period), "in PERF_METRICS"));
}
