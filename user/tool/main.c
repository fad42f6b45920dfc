// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "command.h"
#include "fold.h"

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

static void usage(FILE *out)
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
static bool main_alike(const char *a, const char *b, size_t n)
{
	return 2 * n > strlen(a) && 2 * n > strlen(b);
}

static int main_unknown(const char *name)
{
	const char *nearest = NULL;
	size_t best = 0;
	size_t i, n;

	for (i = 0; i < NR_COMMANDS; i++) {
		n = common(commands[i].name, name);
		if (n > best && main_alike(commands[i].name, name, n)) {
			best = n;
			nearest = commands[i].name;
		}
	}
	fprintf(stderr, "barepmu: command '%s': not known; %s%s%s\n", name,
		nearest ? "did you mean " : "see \"barepmu help\"",
		nearest ? nearest : "", nearest ? "?" : "");
	return BPMU_EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	struct bpmu_ctx ctx = { .command = argv[0] };
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].run(&ctx, argc, argv);
	return main_unknown(argv[0]);
}

static int help(int argc, char **argv)
{
	char option[] = "--help";
	char *again[3] = { NULL, option, NULL };

	if (argc < 2 || !strcmp(argv[1], "help") || argv[1][0] == '-') {
		usage(stdout);
		return BPMU_EXIT_OK;
	}
	again[0] = argv[1];
	return dispatch(2, again);
}

static int main_dispatch(int argc, char **argv)
{
	if (argc < 2) {
		usage(stderr);
		return BPMU_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("barepmu " BPMU_VERSION);
		return BPMU_EXIT_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1);
	return dispatch(argc - 1, argv + 1);
}

/*
 * What is closed must not become the socket to the module, or a recording, to
 * which text would then be written: it is open, but not for what it is for.
 */
static void occupy_closed(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

/* what was written may not have been stored: the last to notice is here */
int main(int argc, char **argv)
{
	int failed, status;

	occupy_closed();
	bpmu_fold_begin();
	status = main_dispatch(argc, argv);
	failed = bpmu_fold_end();
	if ((!failed && !fflush(stdout) && !ferror(stdout)) || status)
		return status;
	fputs("barepmu: output: not written; is there room?\n", stderr);
	return BPMU_EXIT_FAILED;
}
