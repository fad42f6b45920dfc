/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flaws of a run: reasons to distrust its counts. The module's samples report them; the functions
 * here keep on which CPUs and when they occurred.
 */
#ifndef BPMU_FLAW_H
#define BPMU_FLAW_H

#include <stdio.h>
#include <linux/barepmu.h>

#include "base/cpulist.h"
#include "base/print.h"
#include "interval.h"

/* Mask of those flags of a sample that report a flaw: a reason to distrust the sample's counts */
#define BPMU_FLAW_FLAGS \
	(BPMU_SAMPLE_DISTURBED | BPMU_SAMPLE_FAILED | BPMU_SAMPLE_PREFETCH)

/**
 * enum bpmu_flaw_type - flaws (reasons to distrust counts) that samples report
 * @BPMU_FLAW_DISTURBED: other software than the module wrote counter registers
 * @BPMU_FLAW_FAILED: a CPU or an uncore box (instance of an uncore unit) is not measured, because
 *	its counters could not be programmed, or because the box's PCI device was removed
 * @BPMU_FLAW_PREFETCH: the prefetchers are not set as requested
 * @BPMU_NR_FLAWS: number of types
 */
enum bpmu_flaw_type {
	BPMU_FLAW_DISTURBED,
	BPMU_FLAW_FAILED,
	BPMU_FLAW_PREFETCH,
	BPMU_NR_FLAWS
};

/**
 * struct bpmu_flaw - one type of flaw (reason to distrust counts) during a run
 * @nr: number of affected CPUs, 0 if the run has no such flaw
 * @begin: start of the first affected interval, in seconds since the start of the run
 * @end: end of the latest affected interval, in seconds since the start of the run
 * @banks: mask of the counter banks (kinds of counters) of the affected samples, bit number &enum
 *	bpmu_bank_id
 * @cpu: mask of the affected CPUs
 */
struct bpmu_flaw {
	unsigned int nr;
	u32 banks;
	double begin;
	double end;
	u64 cpu[BPMU_CPULIST_MAX / 64];
};

/**
 * struct bpmu_flaws - all flaws of a run; zeroed before the run
 * @any: true if the run has at least one flaw
 * @of: flaws of each type, [&enum bpmu_flaw_type]
 */
struct bpmu_flaws {
	bool any;
	struct bpmu_flaw of[BPMU_NR_FLAWS];
};

u64 bpmu_flaw_flags(const struct bpmu_sample *sample);
u64 bpmu_flaws_of(const struct bpmu_interval *interval, unsigned int nr_cpus);
unsigned int bpmu_flaws_of_values(u64 flaws);
void bpmu_flaws_note(struct bpmu_flaws *flaws, u64 of, u32 cpu, double begin,
		     double end);
void bpmu_flaws_add(struct bpmu_flaws *flaws,
		    const struct bpmu_interval *interval,
		    const struct bpmu_cpulist *cpus);
const char *bpmu_flaw_name(enum bpmu_flaw_type type);
char *bpmu_flaw_cpus(const struct bpmu_flaw *flaw);
void bpmu_flaws_text(const struct bpmu_flaws *flaws, FILE *out,
		     const char *before);
void bpmu_flaws_json(const struct bpmu_flaws *flaws, FILE *out);

#endif /* BPMU_FLAW_H */
