/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests if errata make this machine count wrongly. The tests count loops whose correct counts are
 * known.
 */
#ifndef BPMU_ERRATA_CHECK_H
#define BPMU_ERRATA_CHECK_H

#include "errata_facts.h"
#include "errata_stats.h"
#include "errata_trial.h"
#include "replay/report_progress.h"
#include "tree/errata.h"

/* Each of BPMU_MAX_COUNTERS counters has at most eight tests; there are ten other tests. */
#define BPMU_ERRATA_TESTS (8 * BPMU_MAX_COUNTERS + 10)
#define BPMU_ERRATA_SKIPS 8

/**
 * struct bpmu_errata_test - a test of one event for a symptom of errata, and the test's result
 * @what: symptom that the test looks for
 * @event: name of the event that is tested, a constant
 * @counter: number of the counter that counts @event
 * @per: what is shown to the user after the mean deviation, such as "interrupt" if the deviation is
 *	relative to the number of interrupts
 * @deviation: deviations of all trials
 */
struct bpmu_errata_test {
	enum bpmu_erratum_symptom what;
	const char *event;
	u32 counter;
	const char *per;
	struct bpmu_deviation deviation;
};

/**
 * struct bpmu_errata_check - all tests for errata on a CPU, and their results
 * @trial: CPU, connection to the module, and configuration of the current test's trials
 * @smt: true if cores run more than one thread
 * @trials: number of trials per test
 * @test: the tests that were run, [@nr]
 * @nr: number of tests
 * @skip: notes on tests that were skipped, "<test>: <reason>", [@nr_skips]
 * @nr_skips: number of notes
 * @refused: texts of those notes that have a refusal of the module, [@nr_skips]; @skip points to
 *	them, so the struct must not be copied
 * @progress: progress display
 */
struct bpmu_errata_check {
	struct bpmu_trial trial;
	int smt;
	unsigned int trials;
	struct bpmu_errata_test test[BPMU_ERRATA_TESTS];
	unsigned int nr;
	const char *skip[BPMU_ERRATA_SKIPS];
	unsigned int nr_skips;
	char refused[BPMU_ERRATA_SKIPS][sizeof(struct bpmu_error) + 32];
	struct bpmu_progress progress;
};

bool bpmu_errata_event(const struct bpmu_errata_check *check,
		       const char *const *names, u64 *select, u64 *counters,
		       const char **name);
bool bpmu_errata_count(struct bpmu_errata_check *check,
		       const char *const *names);
void bpmu_errata_count_instructions(struct bpmu_errata_check *check);
int bpmu_errata_wraps(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_stalls(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_siblings(struct bpmu_errata_check *check,
			 struct bpmu_error *err);
int bpmu_errata_overflows(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_freezing(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_records(struct bpmu_errata_check *check, struct bpmu_error *err);
int bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err);

#endif /* BPMU_ERRATA_CHECK_H */
