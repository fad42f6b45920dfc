// SPDX-License-Identifier: GPL-2.0
#include "check.h"
#include "command.h"
#include "options.h"

static const struct bpmu_option table[] = {
	{ 'j', "json", NULL, "JSON lines", BPMU_CHOICE_FORMAT },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int check_take_option(void *check, int option, const char *value,
			     struct bpmu_error *err)
{
	(void)option;
	(void)value;
	(void)err;
	((struct bpmu_checkup *)check)->json = true;
	return 0;
}

/**
 * bpmu_cmd_check() - run "barepmu check", which tells if counters can be used on this machine
 *
 * Return: 0 if measuring is possible, 1 if not, 2 for wrong usage.
 */
int bpmu_cmd_check(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "check",
		.about = "Usage: barepmu check [-j]\n\n"
			 "Checks whether counters can be used here, with a remedy for each obstacle. Exit\n"
			 "status 0: measuring is possible.\n\n",
		.option = table, .set = check_take_option,
	};
	struct bpmu_checkup check = {
		.hint = " See \"barepmu doctor\".",
	};
	int code;

	code = bpmu_options_only(&options, &check, argc, argv, &ctx->err);
	return code ? bpmu_usage(ctx, code) : bpmu_check_all(&check);
}
