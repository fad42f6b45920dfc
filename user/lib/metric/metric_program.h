/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A method's formulas with all names resolved: statements over an array of slots,
 * each of which computes one slot from slots before it. A line that is used in
 * several places, or seen from several groups, is one statement for each group.
 *
 * Slots are constants first, then the counts of each group, then results.
 */
#ifndef BPMU_METRIC_PROGRAM_H
#define BPMU_METRIC_PROGRAM_H

#include "metric_constant.h"
#include "metric_expr.h"
#include "metric_needs.h"
#include "metric_pack.h"

/* seen from no group in particular: each count is per clock of its own group */
#define BPMU_VIEW_MIXED (-1)

/**
 * struct bpmu_op - takes its arguments from a stack and leaves its value there
 * @op: operator; BPMU_EXPR_NAME loads a slot
 * @slot: slot of BPMU_EXPR_NAME
 * @number: value of BPMU_EXPR_NUMBER
 */
struct bpmu_op {
	enum bpmu_expr_op op;
	unsigned int slot;
	double number;
};

/**
 * struct bpmu_statement - computes one slot, the next one after the statement before
 * @first: its first operation
 * @end: behind its last one
 */
struct bpmu_statement {
	unsigned int first;
	unsigned int end;
};

/**
 * struct bpmu_program - the statements
 * @op: operations of all statements
 * @nr_ops: number of operations
 * @statement: the statements, in the order in which they are to be computed
 * @nr_statements: number of statements
 * @first_result: slot of the first statement
 * @first_count: slot of the count of a group's first event, [nr groups]
 * @depth: stack depth that the program needs
 */
struct bpmu_program {
	struct bpmu_op *op;
	unsigned int nr_ops;
	struct bpmu_statement *statement;
	unsigned int nr_statements;
	unsigned int first_result;
	unsigned int first_count[BPMU_PACK_GROUPS + 1];
	unsigned int depth;
};

/**
 * struct bpmu_compiler - makes a program
 * @program: program so far
 * @needs: events of the lines
 * @pack: the groups
 * @made: slot of the line's statement, or 0, [nr lines][nr views]
 * @per_clock: slot of the event's count per clock, or 0, [nr events]
 * @err: set on failure
 */
struct bpmu_compiler {
	struct bpmu_program *program;
	struct bpmu_needs *needs;
	const struct bpmu_pack *pack;
	unsigned int *made;
	unsigned int per_clock[BPMU_EVENT_SET_MAX];
	struct bpmu_error *err;
};

int bpmu_compile_begin(struct bpmu_compiler *c, struct bpmu_program *program,
		       struct bpmu_needs *needs, const struct bpmu_pack *pack,
		       struct bpmu_error *err);
int bpmu_compile_view(const struct bpmu_compiler *c,
		      const struct bpmu_event_set *events);
int bpmu_compile_node(struct bpmu_compiler *c, unsigned int line, int *view);
int bpmu_compile_line(struct bpmu_compiler *c, unsigned int line, int view);
int bpmu_compile_flag(struct bpmu_compiler *c, const struct bpmu_expr *flag,
		      const int *slots);
void bpmu_compile_end(struct bpmu_compiler *c);

void bpmu_program_run(const struct bpmu_program *program, unsigned int first,
		      unsigned int end, struct bpmu_value *slot);
void bpmu_program_free(struct bpmu_program *program);

#endif /* BPMU_METRIC_PROGRAM_H */
