/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the samples that a subcommand evaluates come from: a session of the module, or the file of
 * a recording. A session's samples can be recorded in a file instead.
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
 * @asked: words of the request by which "barepmu report" evaluates the recording, ended by NULL
 * @tree: version of the published tree that is measured on each core type, or NULL
 * @ceilings: measure the peak rates of the machine before the session
 * @who: each sample names the process that it interrupted
 * @periods: events whose overflows interrupt; each interrupt records the interrupted code
 * @chain: maximum number of addresses in the call chains of an interrupt, 0 for no call chains
 * @branches: record the last branches before an interrupt
 * @switch_bytes: size in bytes at which a new file begins, 0 for no limit
 * @switch_ns: time in ns after which a new file begins, 0 for no limit
 * @max_files: number of files to keep, 0 for all
 */
struct bpmu_recorder {
	const char *name;
	char **asked;
	const char *tree[BPMU_CORE_TYPES];
	bool ceilings;
	bool who;
	struct bpmu_periods periods;
	u32 chain;
	bool branches;
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
		      enum bpmu_rows_by by, struct bpmu_rows *rows,
		      struct bpmu_error *err);
void bpmu_session_print_to(struct bpmu_measure *measure, FILE *out);
struct bpmu_measure bpmu_session_measure(const struct bpmu_options *options,
					 const struct bpmu_target *target);
int bpmu_session_run(const struct bpmu_options *options,
		     const struct bpmu_target *const targets[BPMU_CORE_TYPES],
		     const struct bpmu_measure *measure, int *status,
		     struct bpmu_error *err);

#endif /* BPMU_RECORDING_SESSION_H */
