/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a subcommand gets its samples from: a session of the module, or the file of a recording.
 * The samples of a session can be written to a file, to be evaluated later.
 */
#ifndef BPMU_RECORDING_SESSION_H
#define BPMU_RECORDING_SESSION_H

#include "options.h"
#include "replay/report_replay.h"
#include "source/analysis.h"
#include "source/measure.h"

/**
 * struct bpmu_recorder - options of a recording that is to be written
 * @name: name of the file
 * @asked: options with which "barepmu report" evaluates the recording by default, as words; NULL
 *	after the last
 * @tree: version of Intel's published Top-Down tree that is measured on each core type, or NULL
 * @quiet: true to print nothing of a recording that is complete
 * @ceilings: true to measure the peak rates of the machine before the session
 * @who: true to record the process that each sample interrupted
 * @periods: events whose overflows interrupt; each interrupt records the interrupted code
 * @chain: maximum number of addresses in the call chains of an interrupt, 0 for no call chains
 * @branches: true to record the last branches before an interrupt
 * @calls: true to find callers in user space by branch records (LBR), false by frame pointers
 * @switch_bytes: size in bytes at which a new file begins, 0 for no limit
 * @switch_ns: time in ns after which a new file begins, 0 for no limit
 * @max_files: number of files to keep, 0 for all
 */
struct bpmu_recorder {
	const char *name;
	char **asked;
	const char *tree[BPMU_CORE_TYPES];
	bool quiet;
	bool ceilings;
	bool who;
	struct bpmu_periods periods;
	u32 chain;
	bool branches;
	bool calls;
	u64 switch_bytes;
	u64 switch_ns;
	unsigned int max_files;
};

int bpmu_session_open(struct bpmu_target *target, struct bpmu_options *options,
		      struct bpmu_error *err);
int bpmu_session_analyse(struct bpmu_analysis *analysis, struct bpmu_options *options,
			 struct bpmu_error *err);
int bpmu_session_rows(const struct bpmu_target *target,
		      const struct bpmu_options *options,
		      enum bpmu_rows_by by, const struct bpmu_groups *groups,
		      struct bpmu_rows *rows, struct bpmu_error *err);
void bpmu_session_print_to(struct bpmu_measure *measure, FILE *out);
struct bpmu_measure bpmu_session_measure(const struct bpmu_options *options,
					 const struct bpmu_target *target);
int bpmu_session_run(const struct bpmu_options *options,
		     const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		     const struct bpmu_measure *measure, int *status,
		     struct bpmu_error *err);

#endif /* BPMU_RECORDING_SESSION_H */
