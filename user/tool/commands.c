// SPDX-License-Identifier: GPL-2.0
/* The table of all subcommands. Only the tool's main() looks up subcommands in it. */
#include "commands.h"

#include <string.h>

#include "evaluation.h"

/*
 * Runs "barepmu errata" and returns the exit status. "barepmu errata list" is run by the code of
 * "barepmu list".
 */
static int run_errata(struct bpmu_ctx *ctx, int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "list"))
		return bpmu_cmd_list_errata(ctx, argc - 1, argv + 1);
	return bpmu_cmd_errata(ctx, argc, argv);
}

static const struct {
	const char *name;
	const char *help;
	int (*run)(struct bpmu_ctx *ctx, int argc, char **argv);
	const struct bpmu_evaluation *evaluation;
} commands[] = {
	{ "info", "CPU model and counters that the module found, and its session", bpmu_cmd_info },
	{ "check", "check whether counters can be used here", bpmu_cmd_check },
	{ "doctor", "check, with the commands that fix the problems",
	  bpmu_cmd_doctor },
	{ "clocks", "time sources: cost, resolution, pitfalls",
	  bpmu_cmd_clocks },
	{ "list", "events, metrics, errata and CPU models", bpmu_cmd_list },
	{ "explain", "explain a node or an event, with remedies",
	  bpmu_cmd_explain },
	{ "errata", "errata of the counters: published ones, and tests", run_errata },
	{ "selftest", "test whether this machine counts correctly; with a report",
	  bpmu_cmd_selftest },
	{ "stat", "count events while a command runs", bpmu_cmd_stat, &bpmu_evaluation_stat },
	{ "record", "write samples to a file as they arrive", bpmu_cmd_record },
	{ "report", "evaluate a recording", bpmu_cmd_report },
	{ "annotate", "the instructions of a function, and what happens at each",
	  bpmu_cmd_annotate },
	{ "topdown", "Top-Down analysis: where the pipeline slots go", bpmu_cmd_topdown,
	  &bpmu_evaluation_topdown },
	{ "top", "live view of the Top-Down tree", bpmu_cmd_top },
	{ "cpistack", "CPI stacks at dispatch, issue and commit",
	  bpmu_cmd_cpistack, &bpmu_evaluation_cpistack },
	{ "decan", "cost of each load and store of a hot loop",
	  bpmu_cmd_decan },
	{ "phi", "metrics of the threads and cores of a Xeon Phi", bpmu_cmd_phi,
	  &bpmu_evaluation_phi },
	{ "serve", "serve counts and metrics for Prometheus", bpmu_cmd_serve },
	{ "eval", "compute metrics from counts in a file", bpmu_cmd_eval },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/**
 * bpmu_commands_usage() - print the usage of the tool, with the list of its commands
 */
void bpmu_commands_usage(FILE *out)
{
	size_t i;

	fputs("Usage: barepmu COMMAND [OPTION]...\n\n"
	      "System-wide performance counters, without perf.\n\n",
	      out);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name,
			commands[i].help);
	fputs("\n\"barepmu COMMAND --help\" prints a command's options. Manual: barepmu(8).\n",
	      out);
}

/* Returns how many of the first letters of @b occur in @a, in the same order. */
static size_t common_letters(const char *a, const char *b)
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

/*
 * Returns true if two names are alike: @n, the number of letters from common_letters(), is more
 * than half the length of each name.
 */
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
		n = common_letters(commands[i].name, name);
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
 * bpmu_command_run() - look up a subcommand in the table of commands, and run it
 * @ctx: state of this call of the tool
 * @argc: number of words
 * @argv: the words of the command line, from the subcommand's name on; the subcommand may reorder
 *	them
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

/**
 * bpmu_command_evaluation() - find in the table of commands how a subcommand evaluates counts
 * @name: name of the subcommand
 *
 * Return: the functions; NULL if there is no such subcommand, or if it evaluates no counts.
 */
const struct bpmu_evaluation *bpmu_command_evaluation(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].evaluation;
	return NULL;
}
