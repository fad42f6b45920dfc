// SPDX-License-Identifier: GPL-2.0
/*
 * Replacements of the subcommands that decode instructions, for a tool built without Zydis, or
 * built statically, so that it cannot load Zydis.
 */
#include <errno.h>

#include "command.h"

static int no_zydis_refuse(struct bpmu_ctx *ctx, const char *name)
{
	bpmu_error_set(&ctx->err, -ENOENT,
		       "%s: not in this tool, as a static one cannot load Zydis; use the one that \"make user\" builds with it",
		       name);
	return bpmu_fail(ctx, BPMU_EXIT_FAILED);
}

/**
 * bpmu_cmd_annotate() - refuse "barepmu annotate", because the tool was built without Zydis
 */
int bpmu_cmd_annotate(struct bpmu_ctx *ctx, int argc, char **argv)
{
	(void)argc;
	return no_zydis_refuse(ctx, argv[0]);
}

/**
 * bpmu_cmd_decan() - refuse "barepmu decan", because the tool was built without Zydis
 */
int bpmu_cmd_decan(struct bpmu_ctx *ctx, int argc, char **argv)
{
	(void)argc;
	return no_zydis_refuse(ctx, argv[0]);
}
