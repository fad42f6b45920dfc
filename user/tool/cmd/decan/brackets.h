/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that runs around the loop in each fork: it takes the time on the way in
 * and on each way out, and for the run that counts iterations there is a copy of
 * the loop that counts how often it comes by its header.
 */
#ifndef BPMU_BRACKETS_H
#define BPMU_BRACKETS_H

#include "loop.h"
#include "process/snapshot.h"

/**
 * struct bpmu_edit - an instruction that a variant changes
 * @insn: the instruction
 * @bytes: what it becomes
 * @taken: it becomes a jump to its target
 */
struct bpmu_edit {
	const struct bpmu_insn *insn;
	const u8 *bytes;
	bool taken;
};

/**
 * struct bpmu_brackets - in the snapshot
 * @snapshot: prepared
 * @code: of the function
 * @loop: its loop
 * @bias: run-time address minus link-time address
 * @enter: run-time address that takes the time and goes to the loop
 * @empty: the same, but goes to the first exit
 * @leave: run-time address that takes the time and stops, [nr exits]
 * @copy: where the copy begins
 * @text: bytes from the loop's first instruction to its last one
 */
struct bpmu_brackets {
	struct bpmu_snapshot *snapshot;
	const struct bpmu_code *code;
	const struct bpmu_loop *loop;
	u64 bias;
	u64 enter;
	u64 empty;
	u64 *leave;
	u64 copy;
	u8 *text;
};

/**
 * struct bpmu_times - what they saw
 * @ticks: TSC ticks from entry to exit
 * @iterations: of the copy
 * @exit: number of the exit, BPMU_LOOP_NONE if it was none
 */
struct bpmu_times {
	u64 ticks;
	u64 iterations;
	unsigned int exit;
};

size_t bpmu_brackets_size(const struct bpmu_code *code,
			  const struct bpmu_loop *loop);
int bpmu_brackets_make(struct bpmu_brackets *brackets, struct bpmu_error *err);
int bpmu_brackets_copy(const struct bpmu_brackets *brackets, pid_t pid,
		       const struct bpmu_edit *edit, unsigned int nr,
		       struct bpmu_error *err);
int bpmu_brackets_edit(const struct bpmu_brackets *brackets, pid_t pid,
		       const struct bpmu_edit *edit, unsigned int nr);
bool bpmu_brackets_left(const struct bpmu_brackets *brackets, pid_t pid,
			struct bpmu_times *times);
void bpmu_brackets_free(struct bpmu_brackets *brackets);

#endif /* BPMU_BRACKETS_H */
