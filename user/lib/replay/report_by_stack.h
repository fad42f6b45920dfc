/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks as text, in the folded form that Brendan Gregg's FlameGraph reads: the name of the
 * thread, then the functions from the outermost to the interrupted one, separated by semicolons.
 */
#ifndef BPMU_REPORT_BY_STACK_H
#define BPMU_REPORT_BY_STACK_H

#include "recording/recording_chain.h"
#include "report_by_symbol.h"

/* Maximum size in bytes of the text of a call stack, with its NUL; longer texts are truncated */
#define BPMU_BY_STACK_MOST 65536

/* Name in place of the outer callers if a call chain was cut off when it was recorded */
#define BPMU_BY_STACK_INCOMPLETE "[incomplete]"

/*
 * Function that is called for each instruction of a call stack; returns false to end the walk. @at:
 * the interrupted task with the address of the instruction; NULL for BPMU_BY_STACK_INCOMPLETE.
 */
typedef bool bpmu_by_stack_fn(void *data, const struct bpmu_who *at);

bool bpmu_by_stack_each(const struct bpmu_who *who, const struct bpmu_chains *chains,
			bpmu_by_stack_fn *each, void *data);
bool bpmu_by_stack(struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
		   const char *comm, const struct bpmu_chains *chains, char *text);

#endif /* BPMU_REPORT_BY_STACK_H */
