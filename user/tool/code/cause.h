/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instruction that caused an event, of precise records (PEBS) that have only the address of the
 * instruction after it: found by the branches that were recorded before, and the code between.
 */
#ifndef BPMU_CAUSE_H
#define BPMU_CAUSE_H

#include "replay/report_replay.h"

/**
 * struct bpmu_cause_code - code that is mapped in a process, as far as it is in a file
 * @start: address in the process
 * @bytes: the code at @start, [@size]
 * @size: number of bytes
 */
struct bpmu_cause_code {
	u64 start;
	const u8 *bytes;
	u64 size;
};

struct bpmu_cause_file;
struct bpmu_zydis;

/**
 * struct bpmu_causes - files with the code of a recording, kept for later interrupts
 * @file: the files, [@nr]
 * @nr: number of files
 */
struct bpmu_causes {
	struct bpmu_cause_file *file;
	unsigned int nr;
};

u64 bpmu_cause_before(const struct bpmu_zydis *zydis, const struct bpmu_cause_code *code, u64 next,
		      const struct bpmu_branches *branches);
void bpmu_causes_begin(struct bpmu_causes *causes, struct bpmu_replay *replay);
void bpmu_causes_free(struct bpmu_causes *causes);

#endif /* BPMU_CAUSE_H */
