// SPDX-License-Identifier: GPL-2.0
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "unit.h"

/* for a command that ends at once, on a busy machine */
#define PATIENCE_MS 60000

/* runs it as a measurement does, and says how it ended */
static int run(char **argv)
{
	struct bpmu_signals signals;
	struct bpmu_child child = { };
	struct bpmu_error err = { };
	struct signalfd_siginfo info;
	struct pollfd fd;
	int status = -1;

	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), 0);
	assert_int_equal(bpmu_child_go(&child, argv[0], &status, &err), 0);
	fd = (struct pollfd){ .fd = signals.fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
	assert_true(bpmu_signals_next(&signals, &info));
	assert_int_equal(info.ssi_signo, SIGCHLD);
	assert_int_equal(bpmu_child_ended(&child, &status), 1);
	bpmu_signals_give(&signals);
	return status;
}

static int run_script(char *script)
{
	char *argv[] = { "sh", "-c", script, NULL };

	return run(argv);
}

static void a_command_ends(void **state)
{
	(void)state;
	assert_int_equal(run_script("exit 7"), 7);
	assert_int_equal(run_script("kill -KILL $$"), 128 + SIGKILL);
}

/* as a caller leaves it who wants no zombies; an exec() keeps that */
static void ignored_sigchld_is_noticed(void **state)
{
	/* bit 16 of the mask of ignored signals is SIGCHLD's */
	char *ignores[] = { "grep", "-q", "^SigIgn:.*[13579bdf]....$",
			    "/proc/self/status", NULL };
	struct sigaction now;

	(void)state;
	assert_ptr_not_equal(signal(SIGCHLD, SIG_IGN), SIG_ERR);
	assert_int_equal(run_script("exit 7"), 7);
	assert_int_equal(sigaction(SIGCHLD, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_IGN);
	assert_int_equal(run(ignores), 0);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(run(ignores), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_ends),
		cmocka_unit_test(ignored_sigchld_is_noticed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
