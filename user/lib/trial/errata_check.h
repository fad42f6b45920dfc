/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks by loops of known length if errata make this machine count wrongly.
 */
#ifndef BPMU_ERRATA_CHECK_H
#define BPMU_ERRATA_CHECK_H

#include "errata_facts.h"
#include "errata_stats.h"
#include "errata_trial.h"
#include "replay/report_progress.h"
#include "tree/errata.h"

#define BPMU_ERRATA_TESTS 128
#define BPMU_ERRATA_SKIPS 8

/**
 * struct bpmu_errata_test - a test for an erratum, and its result
 * @what: symptom that the test looks for
 * @event: name of the event that is tested
 * @counter: number of the counter that counts @event
 * @per: text for the user that tells by what @deviation is divided
 * @deviation: deviations over the trials
 */
struct bpmu_errata_test {
	enum bpmu_erratum_symptom what;
	const char *event;
	u32 counter;
	const char *per;
	struct bpmu_deviation deviation;
};

/**
 * struct bpmu_errata_check - a run of all tests for errata
 * @trial: configuration of the trials
 * @smt: true if hyper-threading is on
 * @trials: number of trials per test
 * @test: tests, [@nr]
 * @nr: number of tests
 * @skip: reasons why tests were skipped, [@nr_skips]
 * @nr_skips: number of reasons
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
int bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err);

#endif /* BPMU_ERRATA_CHECK_H */
