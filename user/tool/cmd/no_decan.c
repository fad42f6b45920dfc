// SPDX-License-Identifier: GPL-2.0
/*
 * Replaces decan/ in a static build, which cannot load Zydis, and in a build without
 * Zydis.
 */
#include <errno.h>

#include "command.h"

/**
 * bpmu_cmd_decan() - "barepmu decan"
 */
int bpmu_cmd_decan(struct bpmu_ctx *ctx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	bpmu_error_set(&ctx->err, -ENOENT,
		       "decan: not in this tool, as a static one cannot load Zydis; use the one that \"make user\" builds with it");
	return bpmu_fail(ctx, BPMU_EXIT_FAILED);
}
