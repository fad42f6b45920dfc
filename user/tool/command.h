/* SPDX-License-Identifier: GPL-2.0 */
/* The state that all subcommands have in common, and declarations of their main functions. */
#ifndef BPMU_COMMAND_H
#define BPMU_COMMAND_H

#include "base/error.h"
#include "options.h"
#include "source/target.h"

#define BPMU_EXIT_OK 0
#define BPMU_EXIT_FAILED 1
#define BPMU_EXIT_USAGE 2
#define BPMU_EXIT_ALERT 3

struct bpmu_evaluation;

/**
 * struct bpmu_ctx - state of one call of the tool
 * @evaluation: looks up the subcommand @name, and returns how it evaluates counts; NULL if it
 *	evaluates no counts, or if there is no such subcommand. @name may be any text, because it
 *	may be read from a recording
 * @run: runs another subcommand, as bpmu_command_run() does
 * @err: latest error; printed by bpmu_fail()
 * @options: options that a subcommand sets before it calls another subcommand
 */
struct bpmu_ctx {
	const struct bpmu_evaluation *(*evaluation)(const char *name);
	int (*run)(struct bpmu_ctx *ctx, int argc, char **argv);
	struct bpmu_error err;
	struct bpmu_options options;
};

int bpmu_fail(const struct bpmu_ctx *ctx, int status);
int bpmu_usage(const struct bpmu_ctx *ctx, int code);
void bpmu_tell_left_out(const struct bpmu_target *target);
void bpmu_tell_wait(const char *name);

/*
 * The subcommands: bpmu_cmd_NAME() runs "barepmu NAME". @argv has @argc words, the first of which
 * is NAME. Each function prints its own errors. It returns one of the exit statuses BPMU_EXIT_OK
 * and so on, or the exit status of the command that was measured.
 */
int bpmu_cmd_annotate(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_check(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_clocks(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_cpistack(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_decan(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_doctor(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_errata(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_eval(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_explain(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_info(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_list(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_list_errata(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_phi(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_record(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_selftest(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_serve(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_report(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_stat(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_top(struct bpmu_ctx *ctx, int argc, char **argv);
int bpmu_cmd_topdown(struct bpmu_ctx *ctx, int argc, char **argv);

#endif /* BPMU_COMMAND_H */
