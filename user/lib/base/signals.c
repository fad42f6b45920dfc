// SPDX-License-Identifier: GPL-2.0
#include "signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/**
 * bpmu_signals_take() - receive SIGCHLD, SIGINT and SIGTERM by a descriptor
 * @signals: filled in; give them back with bpmu_signals_give(), on an error too
 * @err: set on failure
 *
 * A caller may have left SIGCHLD ignored, which an exec() passes on: then the
 * kernel reaps children itself, and neither sends the signal nor lets waitpid()
 * find them.
 *
 * Called by the polling thread.
 * Return: 0 or a negative errno.
 */
int bpmu_signals_take(struct bpmu_signals *signals, struct bpmu_error *err)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, &signals->old_mask);
	sigaction(SIGCHLD, &standard, &signals->old_chld);
	signals->fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd >= 0)
		return 0;
	return bpmu_error_set(err, -errno, "signalfd: %s", strerror(errno));
}

/**
 * bpmu_signals_next() - read a pending signal
 * @signals: taken over; signals that are not read are delivered by bpmu_signals_give()
 * @info: filled in
 *
 * Called by the polling thread.
 * Return: false if none is pending.
 */
bool bpmu_signals_next(const struct bpmu_signals *signals,
		       struct signalfd_siginfo *info)
{
	return read(signals->fd, info, sizeof(*info)) == sizeof(*info);
}

/**
 * bpmu_signals_restore() - restore the signal mask and the disposition of SIGCHLD
 * @signals: taken
 *
 * Also allowed in a child forked after bpmu_signals_take().
 */
void bpmu_signals_restore(const struct bpmu_signals *signals)
{
	sigaction(SIGCHLD, &signals->old_chld, NULL);
	sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

/**
 * bpmu_signals_give() - restore all and close the descriptor
 * @signals: taken
 *
 * Called by the polling thread.
 */
void bpmu_signals_give(struct bpmu_signals *signals)
{
	if (signals->fd >= 0)
		close(signals->fd);
	bpmu_signals_restore(signals);
}
