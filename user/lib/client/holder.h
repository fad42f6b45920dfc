/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other users of the counters: perf events, the NMI watchdog and KVM's guests.
 */
#ifndef BPMU_HOLDER_H
#define BPMU_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

#define BPMU_HOLDER_MAX 8

/**
 * struct bpmu_holder - a process with open perf events, or with virtual CPUs of KVM
 * @pid: process id
 * @comm: command name
 */
struct bpmu_holder {
	pid_t pid;
	char comm[32];
};

/**
 * struct bpmu_holders - processes that may hold the counters
 * @watchdog: true if the NMI watchdog, which uses a counter, is on
 * @process: processes with perf events, [@nr]
 * @nr: number of processes found, at most %BPMU_HOLDER_MAX
 */
struct bpmu_holders {
	bool watchdog;
	struct bpmu_holder process[BPMU_HOLDER_MAX];
	unsigned int nr;
};

void bpmu_holders_find(struct bpmu_holders *holders);
/**
 * struct bpmu_guests - virtual machines of KVM
 * @module: name of the KVM module that may give guests the whole PMU; NULL if no module does
 * @process: processes with virtual CPUs of KVM, [@nr]
 * @nr: number of processes found, at most %BPMU_HOLDER_MAX
 */
struct bpmu_guests {
	const char *module;
	struct bpmu_holder process[BPMU_HOLDER_MAX];
	unsigned int nr;
};

void bpmu_guests_find(struct bpmu_guests *guests);
int bpmu_guests_refuse(struct bpmu_error *err);
int bpmu_holder_uncore(struct bpmu_error *err);
void bpmu_holder_explain(struct bpmu_error *err);

#endif /* BPMU_HOLDER_H */
