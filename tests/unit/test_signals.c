// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the signals that end a measurement: the tool reads them from a file descriptor, so that
 * a user who interrupts or terminates the tool gets the results so far. Under nohup the tool goes
 * on when its terminal is closed.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/signals.h"
#include "unit.h"

static bool fails;

int __real_signalfd(int fd, const sigset_t *mask, int flags);
int __wrap_signalfd(int fd, const sigset_t *mask, int flags);

int __wrap_signalfd(int fd, const sigset_t *mask, int flags)
{
	if (!fails)
		return __real_signalfd(fd, mask, flags);
	errno = EMFILE;
	return -1;
}

static bool is_blocked(int number)
{
	sigset_t now;

	sigprocmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, number);
}

/*
 * The program that starts the tool may have SIGCHLD ignored. If the tool left it ignored, it could
 * not wait for the command that it measures.
 */
TEST(signals_arrive_at_the_descriptor)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGCHLD, SIGHUP };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct signalfd_siginfo got;
	struct bpmu_signals signals;
	struct bpmu_error err;
	struct sigaction now;
	unsigned int i;

	/*
	 * This test needs the default action of SIGHUP. The tests may run under nohup, which
	 * ignores SIGHUP.
	 */
	signal(SIGHUP, SIG_DFL);
	sigaction(SIGCHLD, &ignore, NULL);
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	sigaction(SIGCHLD, NULL, &now);
	assert_true(now.sa_handler == SIG_DFL);
	assert_true(fcntl(signals.fd, F_GETFD) & FD_CLOEXEC);
	/* If no signal has arrived, reading returns at once. */
	assert_false(bpmu_signals_next(&signals, &got));
	for (i = 0; i < 4; i++) {
		assert_true(is_blocked(numbers[i]));
		assert_int_equal(raise(numbers[i]), 0);
		assert_true(bpmu_signals_next(&signals, &got));
		assert_int_equal(got.ssi_signo, numbers[i]);
		assert_false(bpmu_signals_next(&signals, &got));
	}
	assert_false(is_blocked(SIGUSR1));
	bpmu_signals_give(&signals);
	assert_int_equal(fcntl(signals.fd, F_GETFD), -1);
	for (i = 0; i < 4; i++)
		assert_false(is_blocked(numbers[i]));
	sigaction(SIGCHLD, NULL, &now);
	assert_true(now.sa_handler == SIG_IGN);
}

/*
 * nohup starts the tool with SIGHUP ignored. SIGHUP must stay ignored, so that the tool goes on
 * when its terminal is closed.
 */
TEST(an_ignored_hangup_stays_ignored)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	struct bpmu_signals signals;
	struct bpmu_error err;

	sigaction(SIGHUP, &ignore, NULL);
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	assert_false(is_blocked(SIGHUP));
	assert_true(is_blocked(SIGINT));
	bpmu_signals_give(&signals);
	sigaction(SIGHUP, &standard, NULL);
}

/*
 * If the file descriptor for signals cannot be made, the signals are blocked all the same.
 * bpmu_signals_give() unblocks them as after success.
 */
TEST(a_descriptor_can_be_lacking)
{
	struct bpmu_signals signals;
	struct bpmu_error err;

	fails = true;
	assert_int_equal(bpmu_signals_take(&signals, &err), -EMFILE);
	assert_string_equal(err.text, "signalfd: Too many open files");
	assert_true(is_blocked(SIGINT));
	bpmu_signals_give(&signals);
	assert_false(is_blocked(SIGINT));
	fails = false;
}
