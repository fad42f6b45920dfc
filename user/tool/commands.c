// SPDX-License-Identifier: GPL-2.0
/*
 * All subcommands: the one place that knows them, beside main.c on top of the tool.
 */
#include "commands.h"

#include <string.h>

static const struct {
	const char *name;
	const char *help;
	int (*run)(struct bpmu_ctx *ctx, int argc, char **argv);
} commands[] = {
	{ "info", "what the module found, and its session", bpmu_cmd_info },
	{ "check", "can I measure here; what to do if not", bpmu_cmd_check },
	{ "doctor", "check, and the commands that change what is wrong",
	  bpmu_cmd_doctor },
	{ "clocks", "sources of time: what they cost, and what misleads",
	  bpmu_cmd_clocks },
	{ "list", "events, metrics, errata and parts", bpmu_cmd_list },
	{ "explain", "what a node or an event means, and what to do",
	  bpmu_cmd_explain },
	{ "errata", "what is counted wrongly: listed, or found out", bpmu_cmd_errata },
	{ "selftest", "does this machine count as it should; a report of it",
	  bpmu_cmd_selftest },
	{ "stat", "count events while a command runs", bpmu_cmd_stat },
	{ "record", "write samples to a file as they come", bpmu_cmd_record },
	{ "report", "metrics of what was recorded", bpmu_cmd_report },
	{ "topdown", "where the slots of the pipeline go", bpmu_cmd_topdown },
	{ "top", "a live view of that, on a terminal", bpmu_cmd_top },
	{ "cpistack", "cycles per instruction by cause, at three stages",
	  bpmu_cmd_cpistack },
	{ "decan", "what each load and store of a hot loop costs",
	  bpmu_cmd_decan },
	{ "phi", "metrics of a Xeon Phi's threads and cores", bpmu_cmd_phi },
	{ "serve", "counts and metrics for Prometheus", bpmu_cmd_serve },
	{ "eval", "metrics of counts in a file", bpmu_cmd_eval },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/**
 * bpmu_commands_usage() - how to call the tool, and its subcommands
 * @out: where it goes
 */
void bpmu_commands_usage(FILE *out)
{
	size_t i;

	fputs("Usage: barepmu COMMAND [OPTION]...\n\n"
	      "Performance counters of the whole machine, without perf.\n\n",
	      out);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name,
			commands[i].help);
	fputs("\n\"barepmu COMMAND --help\" shows a command's options. Manual: barepmu(8).\n",
	      out);
}

/* letters of the shorter name that stand in the same order in both */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *b; a++) {
		if (*a != *b)
			continue;
		b++;
		n++;
	}
	return n;
}

/* more than half of either */
static bool commands_alike(const char *a, const char *b, size_t n)
{
	return 2 * n > strlen(a) && 2 * n > strlen(b);
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	size_t best = 0;
	size_t i, n;

	for (i = 0; i < NR_COMMANDS; i++) {
		n = common(commands[i].name, name);
		if (n > best && commands_alike(commands[i].name, name, n)) {
			best = n;
			nearest = commands[i].name;
		}
	}
	fprintf(stderr, "barepmu: command '%s': not known; %s%s%s\n", name,
		nearest ? "did you mean " : "see \"barepmu help\"",
		nearest ? nearest : "", nearest ? "?" : "");
	return BPMU_EXIT_USAGE;
}

/**
 * bpmu_command_run() - run the subcommand that the first word names
 * @ctx: state
 * @argc: number of words
 * @argv: the words; a command moves its operands to the front
 *
 * Return: exit status.
 */
int bpmu_command_run(struct bpmu_ctx *ctx, int argc, char **argv)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[0], commands[i].name))
			break;
	if (i == NR_COMMANDS)
		return unknown_command(argv[0]);
	return commands[i].run(ctx, argc, argv);
}
