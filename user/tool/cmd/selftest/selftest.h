/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "barepmu selftest": checks whether the counters of this machine count correctly. Each check
 * prints a line of text, and writes the values that it measured to the report.
 */
#ifndef BPMU_SELFTEST_H
#define BPMU_SELFTEST_H

#include <stdio.h>

#include "base/array.h"
#include "base/fields.h"
#include "replay/report_progress.h"
#include "source/target.h"
#include "trial/errata_check.h"

/**
 * enum bpmu_selftest_verdict - result of a check of the self-test
 * @BPMU_SELFTEST_OK: passed
 * @BPMU_SELFTEST_FAIL: failed
 * @BPMU_SELFTEST_SKIP: not possible on this machine
 * @BPMU_SELFTEST_VERDICTS: number of verdicts
 */
enum bpmu_selftest_verdict {
	BPMU_SELFTEST_OK,
	BPMU_SELFTEST_FAIL,
	BPMU_SELFTEST_SKIP,
	BPMU_SELFTEST_VERDICTS
};

struct bpmu_selftest_registers;

/**
 * struct bpmu_selftest - state of the self-test
 * @target: CPUs that are tested, and what is known of their counters
 * @text: stream to which results are printed as text, or NULL
 * @json: stream to which results are printed as JSON lines, or NULL
 * @nr: number of checks with each verdict, [&enum bpmu_selftest_verdict]
 * @registers: registers of each CPU, saved before the first session, [number of CPUs]
 * @progress: progress display
 */
struct bpmu_selftest {
	struct bpmu_target target;
	FILE *text;
	FILE *json;
	unsigned int nr[BPMU_SELFTEST_VERDICTS];
	struct bpmu_selftest_registers *registers;
	struct bpmu_progress progress;
};

__printf(4, 5)
void bpmu_selftest_say(struct bpmu_selftest *selftest, const char *check,
		       enum bpmu_selftest_verdict verdict, const char *fmt, ...);
void bpmu_selftest_raw(struct bpmu_selftest *selftest, const char *check,
		       const struct bpmu_field *fields, unsigned int nr);
const char *bpmu_selftest_counter(u32 counter, char buffer[20]);
void bpmu_selftest_announce(const struct bpmu_selftest *selftest, FILE *out,
			    const char *report);
void bpmu_selftest_machine(struct bpmu_selftest *selftest);

int bpmu_selftest_detection(struct bpmu_selftest *selftest,
			    struct bpmu_error *err);
int bpmu_selftest_remember(struct bpmu_selftest *selftest,
			   struct bpmu_error *err);
int bpmu_selftest_restored(struct bpmu_selftest *selftest,
			   struct bpmu_error *err);
void bpmu_selftest_forget(struct bpmu_selftest *selftest);
int bpmu_selftest_counters(struct bpmu_selftest *selftest,
			   struct bpmu_error *err);
int bpmu_selftest_widths(struct bpmu_selftest *selftest,
			 struct bpmu_error *err);
int bpmu_selftest_interrupts(struct bpmu_selftest *selftest,
			     struct bpmu_error *err);
int bpmu_selftest_fixed(struct bpmu_selftest *selftest, struct bpmu_error *err);
int bpmu_selftest_constraints(struct bpmu_selftest *selftest,
			      struct bpmu_error *err);
int bpmu_selftest_units(struct bpmu_selftest *selftest, struct bpmu_error *err);
int bpmu_selftest_cost(struct bpmu_selftest *selftest, struct bpmu_error *err);
int bpmu_selftest_errata(struct bpmu_selftest *selftest,
			 struct bpmu_error *err);

#endif /* BPMU_SELFTEST_H */
