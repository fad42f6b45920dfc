/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of all subcommands: finds a subcommand by name and runs it.
 */
#ifndef BPMU_COMMANDS_H
#define BPMU_COMMANDS_H

#include <stdio.h>

#include "command.h"

void bpmu_commands_usage(FILE *out);
int bpmu_command_run(struct bpmu_ctx *ctx, int argc, char **argv);
const struct bpmu_evaluation *bpmu_command_evaluation(const char *name);

#endif /* BPMU_COMMANDS_H */
