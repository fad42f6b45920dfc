/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checks of "barepmu check": whether this machine, its kernel and this user can use counters.
 */
#ifndef BPMU_CHECK_H
#define BPMU_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct bpmu_hypervisor;
struct bpmu_part;

/**
 * struct bpmu_checkup - state of the checks
 * @json: JSON lines instead of text
 * @hint: text after a failure, or NULL
 * @failed: a check failed: measuring is impossible
 * @partial: measuring is possible, but some events count nothing
 * @part: descriptor of the first core type, or NULL
 * @hypervisor: hypervisor of these virtual CPUs, or NULL
 * @unloaded: the module is not loaded
 * @watchdog: the NMI watchdog is on
 */
struct bpmu_checkup {
	bool json;
	const char *hint;
	bool failed;
	bool partial;
	const struct bpmu_part *part;
	const struct bpmu_hypervisor *hypervisor;
	bool unloaded;
	bool watchdog;
};

int bpmu_check_all(struct bpmu_checkup *check);
const char *bpmu_check_as_root(void);
void bpmu_check_echo(char *command, size_t size, const char *value, const char *file);

#endif /* BPMU_CHECK_H */
