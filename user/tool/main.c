// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "commands.h"
#include "fold.h"

static int run(int argc, char **argv)
{
	struct bpmu_ctx ctx = { .evaluation = bpmu_command_evaluation, .run = bpmu_command_run };

	return bpmu_command_run(&ctx, argc, argv);
}

static int help(int argc, char **argv)
{
	char option[] = "--help";
	char *again[3] = { NULL, option, NULL };

	if (argc < 2 || !strcmp(argv[1], "help") || argv[1][0] == '-') {
		bpmu_commands_usage(stdout);
		return BPMU_EXIT_OK;
	}
	again[0] = argv[1];
	return run(2, again);
}

static int main_dispatch(int argc, char **argv)
{
	if (argc < 2) {
		bpmu_commands_usage(stderr);
		return BPMU_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("barepmu " BPMU_VERSION);
		return BPMU_EXIT_OK;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1);
	return run(argc - 1, argv + 1);
}

/*
 * Opens /dev/null for each of the standard descriptors 0, 1 and 2 that is closed. Otherwise a file
 * that the tool opens, such as a recording or the socket to the module, could get a standard
 * descriptor, and messages would be written into this file.
 */
static void occupy_closed(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

/*
 * Runs the tool. Returns the exit status of the subcommand. If the subcommand succeeded but its
 * output could not be written, returns BPMU_EXIT_FAILED. Some write errors show only when the
 * streams are flushed.
 */
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
