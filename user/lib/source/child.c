// SPDX-License-Identifier: GPL-2.0
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Exit statuses of the tool, the same as those of shells and perf: the command is not found; the
 * command cannot be executed; the command was killed by a signal, whose number is added.
 */
#define STATUS_NOT_FOUND 127
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_SIGNAL 128

/* time in ns that a command has to end after SIGTERM before it gets SIGKILL */
#define PATIENCE_NS 500000000L

/* capacity in bytes of the pipe, the smallest possible one: a write of more bytes blocks */
#define ROOM 4096

static const char filling[ROOM + 1];

/*
 * Tells the parent that the child is ready, waits until the parent reads the pipe, and executes the
 * command. One system call tells and waits: a write of more bytes than the pipe holds makes the
 * pipe readable, and then blocks until the parent reads. With two system calls, the instructions
 * between them would be counted in some runs and not in others.
 */
static void wait_and_execute(int go, int failed, char **argv,
			     const struct bpmu_signals *signals)
{
	size_t done = 0;
	ssize_t len;
	int code;

	do {
		len = write(go, filling, sizeof(filling) - done);
		if (len > 0)
			done += len;
	} while (done < sizeof(filling) && (len >= 0 || errno == EINTR));
	/* The write fails if the parent closes the pipe instead of calling bpmu_child_go(). */
	if (done < sizeof(filling))
		_exit(STATUS_NOT_EXECUTABLE);
	bpmu_signals_restore(signals);
	execvp(argv[0], argv);
	code = errno;
	if (write(failed, &code, sizeof(code)) < 0)
		_exit(STATUS_NOT_EXECUTABLE);
	_exit(code == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/*
 * Waits until the child has written to the pipe, and returns 0. Returns -1, with errno set, if the
 * child dies, which closes the pipe.
 */
static int wait_for(int go)
{
	struct pollfd fd = { .fd = go, .events = POLLIN };
	int code;

	do {
		code = poll(&fd, 1, -1);
	} while (code < 0 && errno == EINTR);
	if (code < 0)
		return -1;
	if (fd.revents & POLLIN)
		return 0;
	errno = ECHILD;
	return -1;
}

/**
 * bpmu_child_create() - fork a child process that waits to execute a command
 * @child: filled in
 * @argv: the command and its arguments, ended by NULL
 * @signals: signals from bpmu_signals_take(). The command gets the signal mask and the disposition
 *	of SIGCHLD that were in effect before bpmu_signals_take()
 *
 * When this function returns, the child is ready and waits for bpmu_child_go(), after which it
 * calls exec(). End the child with bpmu_child_end().
 */
int bpmu_child_create(struct bpmu_child *child, char **argv,
		      const struct bpmu_signals *signals,
		      struct bpmu_error *err)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC))
		goto err_failed;
	if (fcntl(go[1], F_SETPIPE_SZ, ROOM) != ROOM || pipe2(failed, O_CLOEXEC))
		goto err_close_go;
	child->pid = fork();
	if (child->pid < 0)
		goto err_close_both;
	if (!child->pid) {
		close(go[0]);
		wait_and_execute(go[1], failed[1], argv, signals);
	}
	close(go[1]);
	close(failed[1]);
	child->go = go[0];
	child->failed = failed[0];
	if (!wait_for(child->go))
		return 0;
	/* After the pipe is closed, the child's write fails, and the child exits. */
	close(child->go);
	close(child->failed);
	waitpid(child->pid, NULL, 0);
	*child = (struct bpmu_child){ .go = -1, .failed = -1 };
	goto err_failed;

err_close_both:
	child->pid = 0;
	close(failed[0]);
	close(failed[1]);
err_close_go:
	close(go[0]);
	close(go[1]);
err_failed:
	return bpmu_error_set(err, -errno, "command '%s': cannot start: %s",
			      argv[0], strerror(errno));
}

/**
 * bpmu_child_go() - let the child process execute the command
 * @child: child from bpmu_child_create()
 * @name: name of the command, for errors
 * @status: set to 126 or 127, the exit status for the tool, if exec() fails
 *
 * Return: 0 after a successful exec(), or a negative errno.
 */
int bpmu_child_go(struct bpmu_child *child, const char *name, int *status,
		  struct bpmu_error *err)
{
	char taken[ROOM];
	ssize_t len;
	int code;

	/* The loop ends when the child has called exec() or has exited: both close the pipe. */
	do {
		len = read(child->go, taken, sizeof(taken));
	} while (len > 0 || (len < 0 && errno == EINTR));
	close(child->go);
	child->go = -1;
	do {
		len = read(child->failed, &code, sizeof(code));
	} while (len < 0 && errno == EINTR);
	close(child->failed);
	child->failed = -1;
	if (len != sizeof(code))
		return 0;
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
	*status = code == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
	return bpmu_error_set(err, -code, "command '%s': %s; %s", name,
			      strerror(code), code == ENOENT ?
			      "check the name" : "is it a program?");
}

/**
 * bpmu_child_ended() - check if the child process, the command, has ended
 * @child: child process for which bpmu_child_go() was called
 * @status: set if the command has ended: to its exit status, or to 128 plus the number of the
 *	signal that killed the command
 *
 * Return: 1 if the command has ended, 0 if it is running.
 */
int bpmu_child_ended(struct bpmu_child *child, int *status)
{
	int state;

	if (waitpid(child->pid, &state, WNOHANG) != child->pid)
		return 0;
	child->pid = 0;
	if (WIFSIGNALED(state))
		*status = STATUS_SIGNAL + WTERMSIG(state);
	else
		*status = WEXITSTATUS(state);
	return 1;
}

/**
 * bpmu_child_end() - end the child process that executes a command
 * @child: child process in any state; nothing is done if it has ended already
 *
 * The child gets SIGTERM and, after 0.5 s, SIGKILL. A child that still waits for bpmu_child_go()
 * exits, because its pipe is closed.
 */
void bpmu_child_end(struct bpmu_child *child)
{
	const struct timespec pause = { .tv_nsec = PATIENCE_NS / 100 };
	int status;
	int i;

	if (child->pid <= 0)
		return;
	if (child->go > 0)
		close(child->go);
	if (child->failed > 0)
		close(child->failed);
	kill(child->pid, SIGTERM);
	for (i = 0; i < 100; i++) {
		if (bpmu_child_ended(child, &status))
			return;
		nanosleep(&pause, NULL);
	}
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
}
