// SPDX-License-Identifier: GPL-2.0
#include "command.h"

#include <stdio.h>

/**
 * bpmu_fail() - print why a command failed
 * @ctx: state; its error is set
 * @status: exit status
 *
 * Return: @status.
 */
int bpmu_fail(const struct bpmu_ctx *ctx, int status)
{
	fprintf(stderr, "barepmu: %s\n%s", ctx->err.text, ctx->err.excerpt);
	return status;
}
