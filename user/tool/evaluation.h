/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands that evaluate counts: stat, topdown, cpistack and phi. Other subcommands request
 * an evaluation from them. "barepmu record" requests it for the counts that it writes to a file.
 * "barepmu report" and "barepmu explain" request it for the counts in such a file.
 */
#ifndef BPMU_EVALUATION_H
#define BPMU_EVALUATION_H

#include <stddef.h>

#include "command.h"

/**
 * struct bpmu_evaluation - how a subcommand evaluates counts
 * @options: the subcommand's options; &bpmu_option_table.set sets members of @call
 * @size: size of @call in bytes
 * @begin: sets members of @call, which is zeroed, to their defaults; @initial are options that
 *	another subcommand has set
 * @check: checks @call after the last option was set; @operands are the command to run. Returns 0
 *	or a negative errno
 * @run: evaluates counts as @call says, and prints errors; returns the exit status
 * @free: frees the memory to which members of @call point, even if @check or @run was not called;
 *	NULL if there is no such memory
 *
 * @call is the subcommand's own struct, with the values of its options.
 */
struct bpmu_evaluation {
	const struct bpmu_option_table *options;
	size_t size;
	void (*begin)(void *call, const struct bpmu_options *initial);
	int (*check)(void *call, const struct bpmu_operands *operands, struct bpmu_error *err);
	int (*run)(struct bpmu_ctx *ctx, void *call);
	void (*free)(void *call);
};

/*
 * how stat, topdown, cpistack and phi evaluate counts; each is defined in the file of its
 * subcommand
 */
extern const struct bpmu_evaluation bpmu_evaluation_stat;
extern const struct bpmu_evaluation bpmu_evaluation_topdown;
extern const struct bpmu_evaluation bpmu_evaluation_cpistack;
extern const struct bpmu_evaluation bpmu_evaluation_phi;

/**
 * struct bpmu_request - one subcommand's request that another subcommand evaluates counts
 * @name: name of the other subcommand, such as "stat"
 * @recorded: words of a request that was kept in a recording, ended by NULL. The first word
 *	replaces @name. The other words are options, which are set before those in @given. NULL if
 *	the request is not from a recording
 * @given: options for the other subcommand, [@nr]
 * @nr: number of options in @given
 * @operands: the command to run and measure
 */
struct bpmu_request {
	const char *name;
	char **recorded;
	struct bpmu_given *given;
	unsigned int nr;
	struct bpmu_operands operands;
};

int bpmu_request_add(struct bpmu_request *request, const struct bpmu_given *given,
		     struct bpmu_error *err);
int bpmu_request_add_all(struct bpmu_request *request, const struct bpmu_request *more,
			 struct bpmu_error *err);
int bpmu_request_option(struct bpmu_request *request, const struct bpmu_option *table, int id,
			const char *value, struct bpmu_error *err);
const char *bpmu_request_recorded(char **recorded, const char *option);
char **bpmu_request_words(const struct bpmu_request *request, struct bpmu_error *err);
void bpmu_request_free_words(char **words);
int bpmu_request_run(const struct bpmu_request *request, struct bpmu_ctx *ctx);
void bpmu_request_free(struct bpmu_request *request);

int bpmu_evaluation_words(const struct bpmu_evaluation *evaluation, struct bpmu_ctx *ctx,
			  int argc, char **argv);

#endif /* BPMU_EVALUATION_H */
