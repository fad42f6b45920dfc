// SPDX-License-Identifier: GPL-2.0
#include "errata_check.h"

#include <stdlib.h>

/**
 * bpmu_errata_check() - make all tests
 * @check: with info, client, CPU, SMT and number of trials
 * @err: filled on an error
 *
 * The thread stays on that CPU.
 * Return: 0 whatever was found, or a negative errno.
 */
int bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	void *arena = NULL;
	int code;

	bpmu_progress_begin(&check->progress, "looking for errata");
	code = bpmu_trial_settle(check->trial.cpu, err);
	if (!code)
		code = bpmu_bench_arena(&arena, err);
	check->trial.arena = arena;
	if (!code)
		code = bpmu_errata_loops(check, err);
	if (!code)
		code = bpmu_errata_wraps(check, err);
	if (!code)
		code = bpmu_errata_stalls(check, err);
	if (!code)
		code = bpmu_errata_siblings(check, err);
	bpmu_progress_end(&check->progress);
	free(arena);
	return code;
}
