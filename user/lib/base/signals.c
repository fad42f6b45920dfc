// SPDX-License-Identifier: GPL-2.0
#include "signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/**
 * bpmu_signals_keep_children() - reset an ignored SIGCHLD signal, so that waitpid() finds children
 *
 * A program that ignores SIGCHLD passes this on to the programs that it executes. If this process
 * ignored SIGCHLD, the kernel would reap its children without a signal, and waitpid() would not
 * find them.
 *
 * Return: the former disposition of SIGCHLD, to be restored with sigaction().
 */
struct sigaction bpmu_signals_keep_children(void)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	struct sigaction old;

	sigaction(SIGCHLD, &standard, &old);
	return old;
}

/*
 * Checks if this process ignores a signal, for example SIGHUP if nohup(1) started it. Such a signal
 * must not be blocked, because the kernel queues a blocked signal even if it is ignored.
 */
static bool is_ignored(int signal)
{
	struct sigaction now;

	return !sigaction(signal, NULL, &now) && now.sa_handler == SIG_IGN;
}

/**
 * bpmu_signals_take() - receive the signals SIGCHLD, SIGINT, SIGTERM and SIGHUP by a descriptor
 * @signals: filled in; to be given to bpmu_signals_give(), also if this function fails
 *
 * This also resets an ignored SIGCHLD, see bpmu_signals_keep_children(). An ignored SIGHUP stays
 * ignored.
 *
 * Called by the thread that polls the descriptor &bpmu_signals.fd: the signals are blocked in this
 * thread only.
 */
int bpmu_signals_take(struct bpmu_signals *signals, struct bpmu_error *err)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &signals->old_mask);
	signals->old_chld = bpmu_signals_keep_children();
	signals->fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals->fd >= 0)
		return 0;
	return bpmu_error_set(err, -errno, "signalfd: %s", strerror(errno));
}

/**
 * bpmu_signals_next() - read a pending signal
 * @signals: signals from bpmu_signals_take(). A signal that is not read here stays pending until
 *	bpmu_signals_give() unblocks it
 * @info: set to the signal
 *
 * Called by the thread that polls the descriptor &bpmu_signals.fd. The function does not wait.
 *
 * Return: true if a signal was pending.
 */
bool bpmu_signals_next(const struct bpmu_signals *signals,
		       struct signalfd_siginfo *info)
{
	return read(signals->fd, info, sizeof(*info)) == sizeof(*info);
}

/**
 * bpmu_signals_restore() - restore the signal mask and the disposition of SIGCHLD
 * @signals: signals from bpmu_signals_take()
 *
 * A child process that was forked after bpmu_signals_take() may call this function, too.
 */
void bpmu_signals_restore(const struct bpmu_signals *signals)
{
	sigaction(SIGCHLD, &signals->old_chld, NULL);
	sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}

/**
 * bpmu_signals_give() - undo bpmu_signals_take(): let signals act as before
 * @signals: signals from bpmu_signals_take()
 *
 * Called by the thread that polls the descriptor &bpmu_signals.fd.
 */
void bpmu_signals_give(struct bpmu_signals *signals)
{
	if (signals->fd >= 0)
		close(signals->fd);
	bpmu_signals_restore(signals);
}
