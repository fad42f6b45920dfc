/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Last branch records (LBR) of a logical CPU: registers that hold source and target of the branches
 * that the CPU took last.
 */
#ifndef BPMU_BRANCHES_H
#define BPMU_BRANCHES_H

#include <linux/barepmu.h>
#include <linux/types.h>

#include "machine/probe.h"

struct bpmu_bank;
struct task_struct;

/**
 * struct bpmu_branches - registers that control the branch records of one CPU
 * @debugctl: IA32_DEBUGCTL before the session
 * @filter: value before the session of the register that selects which branches are recorded
 * @depth: value before the session of the register with the number of records; 0 without such a
 *	register
 * @programmed: value in the session of the register that selects which branches are recorded
 * @calls: the records are a call stack
 * @owner: thread whose call stack it is; NULL if it is of the current one, as before the CPU has
 *	switched to another
 */
struct bpmu_branches {
	u64 debugctl;
	u64 filter;
	u64 depth;
	u64 programmed;
	bool calls;
	const struct task_struct *owner;
};

/**
 * struct bpmu_calls - calls of a thread that have not returned
 * @nr: number of calls
 * @from: addresses of the calls as in the registers, the innermost call first, [@nr]
 * @to: addresses of the called functions, [@nr]
 */
struct bpmu_calls {
	u32 nr;
	u64 from[BPMU_MAX_BRANCHES];
	u64 to[BPMU_MAX_BRANCHES];
};

bool bpmu_branches_recorded(const struct bpmu_pmu *pmu);

int bpmu_branches_save(const struct bpmu_bank *bank);
void bpmu_branches_restore(const struct bpmu_bank *bank);
void bpmu_branches_program(const struct bpmu_bank *bank);

u32 bpmu_branches_read(const struct bpmu_bank *bank, struct bpmu_branch *to);
u32 bpmu_branches_decode(const struct bpmu_bank *bank, const u64 *words, u32 nr,
			 struct bpmu_branch *to);
u32 bpmu_branches_calls(const struct bpmu_bank *bank, u64 *to, u32 most, u16 *flags);
void bpmu_branches_take_calls(const struct bpmu_bank *bank, struct bpmu_calls *to);
void bpmu_branches_put_calls(const struct bpmu_bank *bank, const struct bpmu_calls *calls,
			     const struct task_struct *owner);
void bpmu_branches_clear(const struct bpmu_bank *bank);
void bpmu_branches_resume(const struct bpmu_bank *bank);

#endif /* BPMU_BRANCHES_H */
