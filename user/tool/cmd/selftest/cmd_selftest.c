// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "selftest.h"

static const char about[] =
	"Usage: barepmu selftest [OPTION]...\n\n"
	"Tests whether this machine counts correctly: detection, every counter of every\n"
	"CPU against loops of known counts, wrapping, interrupts, fixed counters,\n"
	"constraints, uncore, free-running registers, cost, errata, and restored registers.\n"
	"Prints what it will do before it begins. Exit status 3 if a check fails.\n\n";

enum own_option { OPTION_DRY_RUN = BPMU_OPTION_OWN };

static const struct bpmu_option table[] = {
	{ 'C', "cpu", "LIST", "only these CPUs: 0-3,8" },
	{ 'o', "output", "REPORT",
	  "also write all raw values as JSON lines: a report that\n"
	  "can be judged without the machine" },
	{ 'j', "json", NULL, "JSON lines instead of text",
	  BPMU_CHOICE_FORMAT },
	{ OPTION_DRY_RUN, "dry-run", NULL,
	  "only print what it would do to the machine" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct call - options and state of "barepmu selftest"
 * @options: options of the call: CPUs, output file and format
 * @dry: true to print what the self-test would do, and do nothing
 * @selftest: state of the self-test
 */
struct call {
	struct bpmu_options options;
	bool dry;
	struct bpmu_selftest selftest;
};

static int selftest_take_option(void *data, int option, const char *text,
				struct bpmu_error *err)
{
	struct call *call = data;

	if (option != OPTION_DRY_RUN)
		return bpmu_options_take(&call->options, option, text, err);
	call->dry = true;
	return 0;
}

static int checks(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	static int (*const check[])(struct bpmu_selftest *selftest,
				    struct bpmu_error *err) = {
		bpmu_selftest_remember, bpmu_selftest_detection,
		bpmu_selftest_counters, bpmu_selftest_widths,
		bpmu_selftest_interrupts,
		bpmu_selftest_fixed, bpmu_selftest_constraints,
		bpmu_selftest_units, bpmu_selftest_cost, bpmu_selftest_errata,
		bpmu_selftest_restored,
	};
	unsigned int i;
	int code = 0;

	for (i = 0; i < ARRAY_SIZE(check) && !code; i++)
		code = check[i](selftest, err);
	return code;
}

static void selftest_end(struct bpmu_selftest *selftest, const char *report)
{
	const unsigned int *nr = selftest->nr;
	struct bpmu_table table = {
		.out = selftest->json, .format = BPMU_JSON,
		.type = "selftest-end",
	};
	const struct bpmu_field fields[] = {
		{ "ok", .form = BPMU_FIELD_WHOLE,
		  .whole = nr[BPMU_SELFTEST_OK] },
		{ "failed", .form = BPMU_FIELD_WHOLE,
		  .whole = nr[BPMU_SELFTEST_FAIL] },
		{ "skipped", .form = BPMU_FIELD_WHOLE,
		  .whole = nr[BPMU_SELFTEST_SKIP] },
	};

	if (selftest->json)
		bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	if (!selftest->text)
		return;
	fprintf(selftest->text, "\n%u ok, %u failed, %u not possible here.",
		nr[BPMU_SELFTEST_OK], nr[BPMU_SELFTEST_FAIL],
		nr[BPMU_SELFTEST_SKIP]);
	if (report)
		fprintf(selftest->text, " All values: %s", report);
	fputc('\n', selftest->text);
}

static int selftest_run(struct call *call, struct bpmu_error *err)
{
	struct bpmu_selftest *selftest = &call->selftest;
	const char *report = call->options.output;
	bool json = call->options.format == BPMU_JSON;
	FILE *out;
	int code;

	selftest->text = json ? NULL : stdout;
	if (selftest->text || call->dry)
		bpmu_selftest_announce(selftest, stdout, report);
	if (call->dry)
		return 0;
	out = bpmu_options_open(&call->options, err);
	if (!out)
		return -EIO;
	selftest->json = report || json ? out : NULL;
	bpmu_selftest_machine(selftest);
	code = checks(selftest, err);
	if (!code)
		selftest_end(selftest, report);
	return bpmu_options_close(&call->options, out, code, err);
}

/**
 * bpmu_cmd_selftest() - run "barepmu selftest", which checks if this machine's counters count right
 *
 * Return: exit status; 3 if a check failed.
 */
int bpmu_cmd_selftest(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "selftest", .about = about, .option = table,
		.set = selftest_take_option,
	};
	struct call call = { };
	int code;

	code = bpmu_options_only(&options, &call, argc, argv, &ctx->err);
	if (code)
		return bpmu_usage(ctx, code);
	code = bpmu_target_open_any(&call.selftest.target, call.options.cpus,
				    &ctx->err);
	bpmu_tell_left_out(&call.selftest.target);
	if (!code)
		code = selftest_run(&call, &ctx->err);
	bpmu_selftest_forget(&call.selftest);
	bpmu_target_close(&call.selftest.target);
	if (code)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	return call.selftest.nr[BPMU_SELFTEST_FAIL] ? BPMU_EXIT_ALERT :
						      BPMU_EXIT_OK;
}
