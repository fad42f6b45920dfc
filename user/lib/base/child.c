// SPDX-License-Identifier: GPL-2.0
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* as the shell and perf say it */
#define STATUS_NOT_FOUND 127
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_SIGNAL 128

/* for a command to end after SIGTERM */
#define PATIENCE_NS 500000000L

static void wait_and_execute(int go, int failed, char **argv,
			     const struct bpmu_signals *signals)
{
	ssize_t len;
	char byte;
	int code;

	do {
		len = read(go, &byte, 1);
	} while (len < 0 && errno == EINTR);
	/* nobody let it go: the parent is gone */
	if (len != 1)
		_exit(STATUS_NOT_EXECUTABLE);
	bpmu_signals_restore(signals);
	execvp(argv[0], argv);
	code = errno;
	if (write(failed, &code, sizeof(code)) < 0)
		_exit(STATUS_NOT_EXECUTABLE);
	_exit(code == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

/**
 * bpmu_child_create() - a process that waits to become a command
 * @child: filled in
 * @argv: the command
 * @signals: taken over; the command gets what was before
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
 */
int bpmu_child_create(struct bpmu_child *child, char **argv,
		      const struct bpmu_signals *signals,
		      struct bpmu_error *err)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC))
		goto err_failed;
	if (pipe2(failed, O_CLOEXEC))
		goto err_close_go;
	child->pid = fork();
	if (child->pid < 0)
		goto err_close_both;
	if (!child->pid) {
		close(go[1]);
		wait_and_execute(go[0], failed[1], argv, signals);
	}
	close(go[0]);
	close(failed[1]);
	child->go = go[1];
	child->failed = failed[0];
	return 0;

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
 * bpmu_child_go() - let it become the command
 * @child: created
 * @name: of the command
 * @status: set to its exit status if it could not be executed
 * @err: filled on an error
 *
 * Return: 0 once it is executed, or a negative errno.
 */
int bpmu_child_go(struct bpmu_child *child, const char *name, int *status,
		  struct bpmu_error *err)
{
	ssize_t len;
	int code;

	/* when it is gone already, that shows below */
	len = write(child->go, "g", 1);
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
 * bpmu_child_ended() - has the command ended
 * @child: let go
 * @status: set to its exit status, 128 plus the signal that killed it
 *
 * Return: 1 if it has, 0 if it runs.
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
 * bpmu_child_end() - end it, whatever it is doing
 * @child: any; one that ended is left alone
 *
 * A command is asked first; one that was not let go just goes.
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
