/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receives, by a file descriptor, the signals that end a measurement or tell that the measured
 * command has ended.
 */
#ifndef BPMU_SIGNALS_H
#define BPMU_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

#include "error.h"

/**
 * struct bpmu_signals - SIGCHLD, SIGINT, SIGTERM and SIGHUP, blocked and received by @fd
 * @fd: non-blocking signalfd()
 * @old_mask: signal mask before bpmu_signals_take()
 * @old_chld: disposition of SIGCHLD before bpmu_signals_take()
 */
struct bpmu_signals {
	int fd;
	sigset_t old_mask;
	struct sigaction old_chld;
};

struct sigaction bpmu_signals_keep_children(void);
int bpmu_signals_take(struct bpmu_signals *signals, struct bpmu_error *err);
bool bpmu_signals_next(const struct bpmu_signals *signals,
		       struct signalfd_siginfo *info);
void bpmu_signals_restore(const struct bpmu_signals *signals);
void bpmu_signals_give(struct bpmu_signals *signals);

#endif /* BPMU_SIGNALS_H */
