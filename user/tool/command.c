// SPDX-License-Identifier: GPL-2.0
#include "command.h"

#include <stdio.h>

#include "fold.h"

/**
 * bpmu_fail() - print why a command failed
 * @ctx: state; its error is set
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
 * bpmu_usage() - end a call whose options asked for help or were wrong
 * @ctx: state; its error is set if they were wrong
 * @code: BPMU_OPTIONS_HELPED, or a negative errno
 *
 * Return: exit status.
 */
int bpmu_usage(const struct bpmu_ctx *ctx, int code)
{
	return code == BPMU_OPTIONS_HELPED ? BPMU_EXIT_OK :
					     bpmu_fail(ctx, BPMU_EXIT_USAGE);
}
