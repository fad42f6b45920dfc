/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks whether counters can be used here, and fixes what prevents it.
 */
#ifndef BPMU_CHECK_H
#define BPMU_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/**
 * struct bpmu_checkup - state of the checks
 * @json: JSON lines instead of text
 * @hint: text after a failure, or NULL
 * @failed: a check failed: measuring is impossible
 * @hypervisor: the CPUs are virtual
 * @unloaded: the module is not loaded
 * @watchdog: the NMI watchdog is on
 */
struct bpmu_checkup {
	bool json;
	const char *hint;
	bool failed;
	bool hypervisor;
	bool unloaded;
	bool watchdog;
};

#define BPMU_FIXES 3

/**
 * struct bpmu_fix - a problem that can be fixed
 * @name: its name on the command line
 * @needed: measuring needs the fix
 * @there: the problem exists
 * @command: shell command that fixes it
 * @undo: shell command that undoes the fix
 * @file: file to write; empty for the module, which is loaded instead
 * @value: text to write to @file
 */
struct bpmu_fix {
	const char *name;
	bool needed;
	bool there;
	char command[128];
	char undo[128];
	char file[96];
	char value[8];
};

int bpmu_check_all(struct bpmu_checkup *check);
void bpmu_fix_find(const struct bpmu_checkup *check,
		   struct bpmu_fix fix[BPMU_FIXES]);
int bpmu_fix_do(const struct bpmu_fix *fix, struct bpmu_error *err);

#endif /* BPMU_CHECK_H */
