/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The brackets: code in each fork, before and after the loop, that reads the TSC on entry
 * and on each exit. For the run that counts iterations there is a copy of the
 * loop, which counts how often its header is executed.
 */
#ifndef BPMU_BRACKETS_H
#define BPMU_BRACKETS_H

#include "loop.h"
#include "process/snapshot.h"

/**
 * struct bpmu_edit - replacement of an instruction in a variant of the loop
 * @insn: the instruction
 * @bytes: replacement of the instruction, [length of the instruction]
 * @taken: the instruction is a branch, and the replacement is a jump to its target
 */
struct bpmu_edit {
	const struct bpmu_insn *insn;
	const u8 *bytes;
	bool taken;
};

/**
 * struct bpmu_brackets - brackets of a loop
 * @snapshot: snapshot, after bpmu_snapshot_prepare()
 * @code: function with the loop
 * @loop: the loop
 * @bias: run-time address minus link-time address
 * @enter: run-time address of the code that reads the time and enters the loop
 * @empty: run-time address of code that reads the time and continues at the first exit
 * @leave: run-time addresses of the code that reads the time and stops, [number
 *	of exits]
 * @copy: run-time address of the copy of the loop that counts iterations
 * @text: number of bytes from the loop's first instruction to the end of the loop's last one
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
 * struct bpmu_times - result of a run of the loop in its brackets
 * @ticks: TSC ticks from entry to exit
 * @iterations: number of iterations that the copy of the loop has counted
 * @exit: number of the exit, or BPMU_LOOP_NONE
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
