/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Can one measure here: what is looked at, and what can be done about it.
 */
#ifndef BPMU_CHECK_H
#define BPMU_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/**
 * struct bpmu_checkup - a look at everything
 * @json: JSON lines instead of text
 * @hint: after a bad end, or NULL
 * @failed: something makes measuring impossible
 * @hypervisor: the CPUs are virtual ones
 * @unloaded: the module is not there
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
 * struct bpmu_fix - something that can be changed
 * @name: of it, for the command line
 * @needed: measuring needs it
 * @there: it is not as it would be, so that there is something to change
 * @command: what a shell would be told to change it
 * @undo: and to change it back
 * @file: that is written; empty for the module, which is loaded
 * @value: written there
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
