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
 * struct bpmu_checkup - what "barepmu check" has found
 * @json: print JSON lines instead of text
 * @hint: text to print at the end if measuring is impossible, or NULL
 * @failed: a check failed: measuring is impossible
 * @partial: measuring is possible, but some events count nothing
 * @part: CPU model of the first core type; NULL if it is unknown
 * @hypervisor: hypervisor under which this machine is a guest, or NULL
 * @unloaded: the module is not loaded
 * @watchdog: the NMI watchdog is on
 * @ibs: IBS can sample ops, unless another agent does
 * @store: the CPU writes precise records into a debug store (DS)
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
	bool ibs;
	bool store;
};

int bpmu_check_all(struct bpmu_checkup *check);
const char *bpmu_check_as_root(void);
void bpmu_check_echo(char *command, size_t size, const char *value, const char *file);

#endif /* BPMU_CHECK_H */
