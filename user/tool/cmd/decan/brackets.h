/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Brackets: code that the tool adds before and after the measured loop in a fork of the program. It
 * reads the TSC at the entry into the loop and at each exit. To count iterations, a copy of the
 * loop is run in which the header also increments a number.
 */
#ifndef BPMU_BRACKETS_H
#define BPMU_BRACKETS_H

#include "loop.h"
#include "process/snapshot.h"

/**
 * struct bpmu_edit - an instruction of the loop that a variant replaces
 * @insn: the instruction in the original
 * @bytes: code in its place, [length of @insn]
 * @taken: @insn is a conditional branch, and @bytes is a jump to the target of this branch
 */
struct bpmu_edit {
	const struct bpmu_insn *insn;
	const u8 *bytes;
	bool taken;
};

/**
 * struct bpmu_brackets - code that the tool adds before and after a loop (brackets) to time it
 * @snapshot: the program, stopped at the loop, after bpmu_snapshot_prepare()
 * @code: function with the loop
 * @loop: the loop
 * @bias: run-time address minus link-time address
 * @enter: run-time address of code that reads the TSC and enters the loop
 * @empty: run-time address of code that reads the TSC and then jumps to the first exit, without the
 *	loop
 * @leave: run-time addresses of code that reads the TSC and stops, [number of exits]
 * @copy: run-time address of a copy of the loop, which counts iterations
 * @text: code from the loop's first instruction to the end of its last one, with jumps to @leave
 *	at the exits
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
 * struct bpmu_times - what the code before and after the loop has measured in a run
 * @ticks: TSC ticks from the entry into the loop to the exit
 * @iterations: number of iterations; known only if the copy of the loop was run, which counts them
 * @exit: number of the exit by which the loop was left, or BPMU_LOOP_NONE
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
