// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of measured commands: a command is counted from its first instruction on, its exit status
 * is returned, and no process is left behind.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/child.h"
#include "unit.h"

/*
 * Timeout in ms for a command that ends at once, but may have to wait for a CPU on a busy machine.
 */
#define PATIENCE_MS 60000

static void read_text(const char *path, char *text, int size)
{
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(text, size, file));
	fclose(file);
}

/*
 * Runs a command as a measurement does: forks, waits until the child is about to exec() the
 * command, lets it continue, and waits for its end. Returns the command's exit status.
 */
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

TEST(returns_the_exit_status_of_the_command)
{
	assert_int_equal(run_script("exit 7"), 7);
	assert_int_equal(run_script("kill -KILL $$"), 128 + SIGKILL);
}

/*
 * The program that starts the tool may ignore SIGCHLD, and exec() passes this on to the tool. The
 * kernel then discards the exit status of children, unless the tool restores the default.
 */
TEST(returns_the_exit_status_with_ignored_sigchld)
{
	/* Bit 16 of the mask of ignored signals is SIGCHLD. */
	char *ignores[] = { "grep", "-q", "^SigIgn:.*[13579bdf]....$",
			    "/proc/self/status", NULL };
	struct sigaction now;

	assert_ptr_not_equal(signal(SIGCHLD, SIG_IGN), SIG_ERR);
	assert_int_equal(run_script("exit 7"), 7);
	assert_int_equal(sigaction(SIGCHLD, NULL, &now), 0);
	assert_ptr_equal(now.sa_handler, SIG_IGN);
	assert_int_equal(run(ignores), 0);
	signal(SIGCHLD, SIG_DFL);
	assert_int_equal(run(ignores), 1);
}

/*
 * SIGHUP, sent when the terminal is closed, must end a recording as SIGINT does, so that its file
 * is complete. nohup starts the tool with SIGHUP ignored, and then it must stay ignored.
 */
TEST(a_hang_up_is_received_unless_it_is_ignored)
{
	struct bpmu_signals signals;
	struct signalfd_siginfo info;
	struct bpmu_error err = { };
	sighandler_t before;

	before = signal(SIGHUP, SIG_DFL);
	assert_ptr_not_equal(before, SIG_ERR);
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	raise(SIGHUP);
	assert_true(bpmu_signals_next(&signals, &info));
	assert_int_equal(info.ssi_signo, SIGHUP);
	bpmu_signals_give(&signals);
	assert_ptr_not_equal(signal(SIGHUP, SIG_IGN), SIG_ERR);
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	raise(SIGHUP);
	assert_false(bpmu_signals_next(&signals, &info));
	bpmu_signals_give(&signals);
	signal(SIGHUP, before);
}

/*
 * When counting starts, the child has done everything except the exec() of the command. The child
 * then waits: it writes more bytes to a pipe than the pipe holds, and the write ends only when the
 * tool reads the pipe. The test therefore finds the pipe full.
 */
TEST(the_child_waits_at_its_exec)
{
	struct bpmu_signals signals;
	struct bpmu_error err = { };
	char name[16], own[16];
	char *argv[] = { "true", NULL };
	int i, filled, room, status;

	read_text("/proc/self/comm", own, sizeof(own));
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	for (i = 0; i < 50; i++) {
		struct bpmu_child child = { };
		char path[40];

		assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), 0);
		room = fcntl(child.go, F_GETPIPE_SZ);
		assert_int_equal(ioctl(child.go, FIONREAD, &filled), 0);
		assert_true(room > 0);
		assert_int_equal(filled, room);
		assert_int_equal(bpmu_child_ended(&child, &status), 0);
		snprintf(path, sizeof(path), "/proc/%d/comm", child.pid);
		read_text(path, name, sizeof(name));
		assert_string_equal(name, own);
		assert_int_equal(bpmu_child_go(&child, argv[0], &status, &err), 0);
		assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
		assert_int_equal(status, 0);
	}
	bpmu_signals_give(&signals);
}

/* Waits until a command has told by a byte on its standard output that it has begun. */
static void await_byte(int from)
{
	char byte;

	assert_int_equal(read(from, &byte, 1), 1);
}

/* A command that ignores SIGTERM is ended by SIGKILL. */
TEST(a_command_is_ended_whether_or_not_it_ignores_sigterm)
{
	static char *commands[] = {
		"trap '' TERM; echo; while :; do sleep 1; done",
		"echo; exec sleep 100",
	};
	struct bpmu_signals signals;
	struct bpmu_error err = { };
	int ends[2], status, own, i;

	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	for (i = 0; i < 2; i++) {
		char *argv[] = { "sh", "-c", commands[i], NULL };
		struct bpmu_child child = { };
		pid_t pid;

		assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
		dup2(ends[1], STDOUT_FILENO);
		assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), 0);
		assert_int_equal(bpmu_child_go(&child, argv[0], &status, &err), 0);
		dup2(own, STDOUT_FILENO);
		close(ends[1]);
		await_byte(ends[0]);
		pid = child.pid;
		bpmu_child_end(&child);
		assert_int_equal(child.pid, 0);
		assert_int_equal(kill(pid, 0), -1);
		assert_int_equal(errno, ESRCH);
		bpmu_child_end(&child);
		close(ends[0]);
	}
	close(own);
	bpmu_signals_give(&signals);
}

/*
 * Creates a child for @command, lets it continue, and returns what bpmu_child_go() does. No process
 * and no descriptor is left behind.
 */
static int go(const char *command, int *status, struct bpmu_error *err)
{
	char *argv[] = { (char *)command, NULL };
	struct bpmu_signals signals;
	struct bpmu_child child = { };
	int code, before, after;

	assert_int_equal(bpmu_signals_take(&signals, err), 0);
	before = dup(STDIN_FILENO);
	close(before);
	assert_int_equal(bpmu_child_create(&child, argv, &signals, err), 0);
	assert_true(child.go >= 0);
	assert_true(child.failed >= 0);
	code = bpmu_child_go(&child, command, status, err);
	assert_int_equal(child.go, -1);
	assert_int_equal(child.failed, -1);
	assert_int_equal(child.pid, 0);
	bpmu_child_end(&child);
	after = dup(STDIN_FILENO);
	close(after);
	assert_int_equal(after, before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	bpmu_signals_give(&signals);
	return code;
}

TEST(a_command_that_cannot_be_executed_is_told)
{
	struct bpmu_error err = { };
	int status = 0;

	assert_int_equal(go("/nowhere/command", &status, &err), -ENOENT);
	assert_int_equal(status, 127);
	assert_string_equal(err.text,
			    "command '/nowhere/command': No such file or directory; check the name");
	assert_int_equal(go("/dev/null", &status, &err), -EACCES);
	assert_int_equal(status, 126);
	assert_string_equal(err.text, "command '/dev/null': Permission denied; is it a program?");
}

/* Without descriptors for its pipes a child cannot be started, and none stays open. */
TEST(a_child_needs_four_descriptors)
{
	char *argv[] = { "true", NULL };
	struct bpmu_signals signals;
	struct bpmu_child child = { };
	struct bpmu_error err = { };
	struct rlimit before, few;
	unsigned int left;
	int first, status;

	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	first = dup(STDIN_FILENO);
	close(first);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (left = 0; left < 4; left++) {
		few = before;
		few.rlim_cur = first + left;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), -EMFILE);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
		assert_string_equal(err.text, "command 'true': cannot start: Too many open files");
		assert_true(child.pid <= 0);
		status = dup(STDIN_FILENO);
		close(status);
		assert_int_equal(status, first);
	}
	few.rlim_cur = first + left;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	bpmu_child_end(&child);
	assert_int_equal(child.pid, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	bpmu_signals_give(&signals);
}

/* If the tool ends before the child calls exec(), the child exits, even if SIGPIPE is ignored. */
TEST(the_child_ends_with_its_parent)
{
	struct bpmu_signals signals;
	struct bpmu_error err = { };
	struct bpmu_child child = { };
	char *argv[] = { "true", NULL };
	int status;

	assert_ptr_not_equal(signal(SIGPIPE, SIG_IGN), SIG_ERR);
	assert_int_equal(bpmu_signals_take(&signals, &err), 0);
	assert_int_equal(bpmu_child_create(&child, argv, &signals, &err), 0);
	close(child.go);
	assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 126);
	close(child.failed);
	bpmu_signals_give(&signals);
	signal(SIGPIPE, SIG_DFL);
}
