/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytecode of the formulas of metrics. A program is a list of statements. Its variables, called
 * slots, have numbers instead of names, and hold a value each. A statement computes one slot from
 * slots with lower numbers. A metric or definition has one statement for each group from which its
 * counts are taken, however often other formulas use it.
 *
 * The first slots hold constants, the next ones the counts of all groups, the last ones results.
 */
#ifndef BPMU_METRIC_PROGRAM_H
#define BPMU_METRIC_PROGRAM_H

#include "metric_constant.h"
#include "metric_expr.h"
#include "metric_needs.h"
#include "metric_pack.h"

/*
 * Stands in place of the number of a group for a metric or definition whose counts are not taken
 * from a single group, because its events are in several groups. Each count is then divided by the
 * clock of its own group (the count that tells how long the group was counted).
 */
#define BPMU_VIEW_MIXED (-1)

/**
 * struct bpmu_op - operation of a statement on a stack: pops its arguments and pushes its result
 * @op: operator; BPMU_EXPR_NAME pushes the value of a variable of the program
 * @slot: BPMU_EXPR_NAME: number of the variable
 * @number: BPMU_EXPR_NUMBER: the number that is pushed
 */
struct bpmu_op {
	enum bpmu_expr_op op;
	unsigned int slot;
	double number;
};

/**
 * struct bpmu_statement - a statement of a program, which computes the value of one variable
 * @first: index of the first operation of the statement
 * @end: index after the last operation of the statement
 */
struct bpmu_statement {
	unsigned int first;
	unsigned int end;
};

/**
 * struct bpmu_program - the compiled formulas of a method (set of metrics)
 * @op: [@nr_ops], operations of all statements
 * @nr_ops: number of operations
 * @statement: [@nr_statements], statements in the order of execution
 * @nr_statements: number of statements
 * @first_result: number of the variable (slot) that the first statement computes; the other
 *	statements compute the variables after it
 * @first_count: number of the variable with the count of the first event of a &bpmu_pack.group,
 *	[BPMU_PACK_GROUPS]
 * @depth: maximum depth of the stack
 */
struct bpmu_program {
	struct bpmu_op *op;
	unsigned int nr_ops;
	struct bpmu_statement *statement;
	unsigned int nr_statements;
	unsigned int first_result;
	unsigned int first_count[BPMU_PACK_GROUPS];
	unsigned int depth;
};

/*
 * Maximum number of values of a variable (replicates) with which formulas are evaluated at once.
 * The slices of an interval are divided into 32 batches. There is one value for each batch,
 * computed without the slices of this batch, and there are three more, with some counts replaced by
 * NAN. The number is a multiple of four, because the compiler's vectors have up to four values.
 */
#define BPMU_REPLICATES 36

/* typedef bpmu_replicates - several values of a variable of a program */
typedef double bpmu_replicates[BPMU_REPLICATES];

/**
 * struct bpmu_reach - statements of a program that depend on some of its variables
 * @statement: [@nr], indices of the statements, in the order of execution
 * @nr: number of @statement
 * @number: [variables][BPMU_REPLICATES], several values of each variable that is one of these, or
 *	has the result of one of the statements; NULL for any other variable
 */
struct bpmu_reach {
	unsigned int *statement;
	unsigned int nr;
	double **number;
};

/**
 * struct bpmu_compiler - state of compiling formulas into a program
 * @program: the program, to which statements are appended
 * @needs: events of the metrics and definitions (lines of metric files)
 * @pack: groups of these events
 * @made: [nr lines][BPMU_PACK_GROUPS + 1]. A line of a metric file has a variable of the program
 *	for its value by the counts of all groups (BPMU_VIEW_MIXED), followed by one for its value by
 *	the counts of each group. These are the numbers of the variables; 0 if not compiled yet
 * @per_clock: [nr events], number of the variable with the event's count divided by the clock of
 *	its group (the count that tells how long the group was counted); 0 if not compiled yet
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
int bpmu_program_reach(const struct bpmu_program *program, unsigned int slot,
		       unsigned int nr, unsigned int end,
		       bpmu_replicates *replicates, struct bpmu_reach *reach);
void bpmu_program_try(const struct bpmu_program *program, const struct bpmu_reach *reach,
		      const struct bpmu_value *slot, unsigned int nr);
void bpmu_program_free(struct bpmu_program *program);

#endif /* BPMU_METRIC_PROGRAM_H */
