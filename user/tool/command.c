// SPDX-License-Identifier: GPL-2.0
#include "command.h"

#include <stdio.h>

#include "base/array.h"
#include "base/pipe.h"
#include "fold.h"

/**
 * bpmu_fail() - print the error that ends a subcommand to standard error
 * @ctx: state of the tool's call; its &bpmu_ctx.err is printed
 * @status: exit status
 *
 * Return: @status.
 */
int bpmu_fail(const struct bpmu_ctx *ctx, int status)
{
	fprintf(bpmu_fold_stderr(), "barepmu: %s\n", ctx->err.text);
	fputs(ctx->err.excerpt, stderr);
	return status;
}

/**
 * bpmu_tell_left_out() - print which CPUs of a machine a command leaves out unless -C names them
 * @target: opened target; its &bpmu_target.left_out has the messages
 */
void bpmu_tell_left_out(const struct bpmu_target *target)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(target->left_out); i++)
		if (target->left_out[i])
			fprintf(bpmu_fold_stderr(), "barepmu: %s\n",
				target->left_out[i]);
}

/**
 * bpmu_tell_wait() - print that a command waits until another program writes to a pipe
 * @name: name of the recording; nothing is printed if the recording is not a named pipe
 */
void bpmu_tell_wait(const char *name)
{
	if (bpmu_pipe_waits(name))
		fprintf(bpmu_fold_stderr(),
			"barepmu: %s: is a named pipe; waiting until a program writes to it\n",
			name);
}

/**
 * bpmu_usage() - end a subcommand that was called with --help or with invalid options
 * @ctx: state of the tool's call
 * @code: BPMU_OPTIONS_HELPED; or a negative errno, for which &bpmu_ctx.err is printed
 *
 * Return: exit status of the subcommand: BPMU_EXIT_OK after help, BPMU_EXIT_USAGE after an error.
 */
int bpmu_usage(const struct bpmu_ctx *ctx, int code)
{
	return code == BPMU_OPTIONS_HELPED ? BPMU_EXIT_OK :
					     bpmu_fail(ctx, BPMU_EXIT_USAGE);
}
