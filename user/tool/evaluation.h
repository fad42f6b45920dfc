/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands that evaluate counts: stat, topdown, cpistack and phi. Other subcommands request an
 * evaluation: "record" of counts that it writes to a file, "report" and "explain" of such a file.
 */
#ifndef BPMU_EVALUATION_H
#define BPMU_EVALUATION_H

#include <stddef.h>

#include "command.h"

/**
 * struct bpmu_evaluation - a subcommand that evaluates counts
 * @options: its options, which fill in the call
 * @size: size of the call in bytes
 * @begin: initialises a zeroed call; @initial are the initial options of the call
 * @check: checks the call after its last option; @operands are the command to run
 * @run: evaluates; returns the exit status, and has printed its errors
 * @free: frees what the call holds, in any state after @begin; or NULL
 */
struct bpmu_evaluation {
	const struct bpmu_option_table *options;
	size_t size;
	void (*begin)(void *call, const struct bpmu_options *initial);
	int (*check)(void *call, const struct bpmu_operands *operands, struct bpmu_error *err);
	int (*run)(struct bpmu_ctx *ctx, void *call);
	void (*free)(void *call);
};

/* defined by the subcommands */
extern const struct bpmu_evaluation bpmu_evaluation_stat;
extern const struct bpmu_evaluation bpmu_evaluation_topdown;
extern const struct bpmu_evaluation bpmu_evaluation_cpistack;
extern const struct bpmu_evaluation bpmu_evaluation_phi;

/**
 * struct bpmu_request - a request for an evaluation
 * @name: name of the subcommand, such as "stat"
 * @recorded: words of the request that a recording has, ended by NULL, of which the first is
 *	@name; or NULL. Their options precede @given
 * @given: options of the subcommand, [@nr]
 * @nr: number of @given
 * @operands: the command to run
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
