// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: failnth load FILE | configure | start | sample | read | info | stop | release
 *
 * Repeats one action. In each repetition another allocation of memory fails: the first one, the
 * second and so on up to the last. After each repetition, the state of the session must match the
 * error that was returned. Prints the number of allocations.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <linux/barepmu.h>

#include "../netlink/genl.h"

#define MOST 5000

static struct genl genl;
static const char *file;
static int nth;

static void arm(unsigned int number)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", number);

	if (pwrite(nth, text, length, 0) != length) {
		perror("failnth: /proc/self/fail-nth");
		exit(1);
	}
}

/* Ends the injection of failures. Returns true if the allocation that was to fail was reached. */
static bool disarm(void)
{
	char text[16] = "";

	if (pread(nth, text, sizeof(text) - 1, 0) <= 0)
		exit(1);
	arm(0);
	return !atoi(text);
}

static int configure(void)
{
	/* A request without BPMU_A_CPUS is for all CPUs. */
	genl_put_group(genl_new(&genl, BPMU_CMD_CONFIGURE, 0), 0, GENL_SELECT);
	return genl_send(&genl);
}

static int load(void)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (syscall(SYS_finit_module, fd, "", 0))
		err = -errno;
	close(fd);
	return err;
}

static int start(void)
{
	return genl_command(&genl, BPMU_CMD_START);
}

static int sample(void)
{
	return genl_command(&genl, BPMU_CMD_SAMPLE);
}

static int read_all(void)
{
	return genl_command(&genl, BPMU_CMD_READ);
}

static int info(void)
{
	return genl_command(&genl, BPMU_CMD_GET_INFO);
}

static int stop(void)
{
	return genl_command(&genl, BPMU_CMD_STOP);
}

static int release(void)
{
	return genl_command(&genl, BPMU_CMD_RELEASE);
}

/**
 * struct path - an action during which an allocation of memory fails
 * @name: name of the action on the command line
 * @run: function that executes the action
 * @before: state of the session that the action needs, or -1 if the module is not loaded
 * @after: state of the session after the action, or -1 if it is not known
 */
struct path {
	const char *name;
	int (*run)(void);
	int before;
	int after;
};

static const struct path paths[] = {
	{ "load", load, -1, -1 },
	{ "configure", configure, BPMU_STATE_IDLE, BPMU_STATE_READY },
	{ "start", start, BPMU_STATE_READY, BPMU_STATE_RUNNING },
	{ "sample", sample, BPMU_STATE_RUNNING, BPMU_STATE_RUNNING },
	{ "read", read_all, BPMU_STATE_RUNNING, BPMU_STATE_RUNNING },
	{ "info", info, BPMU_STATE_READY, BPMU_STATE_READY },
	{ "stop", stop, BPMU_STATE_RUNNING, BPMU_STATE_READY },
	{ "release", release, BPMU_STATE_RUNNING, BPMU_STATE_IDLE },
};

static void prepare(const struct path *path)
{
	struct timeval limit = { .tv_sec = 5 };

	if (path->before < 0)
		return;
	if (genl_open(&genl)) {
		fprintf(stderr, "failnth: no family\n");
		exit(1);
	}
	setsockopt(mnl_socket_get_fd(genl.socket), SOL_SOCKET, SO_RCVTIMEO,
		   &limit, sizeof(limit));
	if ((path->before > BPMU_STATE_IDLE && configure()) ||
	    (path->before > BPMU_STATE_READY && start())) {
		fprintf(stderr, "failnth: %s: cannot be prepared: %s\n",
			path->name, genl.sentence);
		exit(1);
	}
}

/*
 * Returns the state in which the session was at the call. To find the state, the function sends
 * commands that only some states allow: only a running session can be sampled, and only a session
 * that is configured and stopped (READY) can be started. A session that was READY is then running.
 */
static int state(void)
{
	if (!genl_command(&genl, BPMU_CMD_SAMPLE))
		return BPMU_STATE_RUNNING;
	return genl_command(&genl, BPMU_CMD_START) ? BPMU_STATE_IDLE :
						     BPMU_STATE_READY;
}

/*
 * Returns true if the state of the session matches the error @code. A request that is refused must
 * have changed nothing. If only the answer was lost (ENOBUFS), the request may have been executed.
 */
static bool consistent(const struct path *path, int code)
{
	int now;

	if (path->before < 0)
		return true;
	if (code == -EAGAIN)
		return false;
	now = state();
	if (code == -ENOBUFS)
		return now == path->before || now == path->after;
	return now == (code ? path->before : path->after);
}

static void clean_up(const struct path *path, int code)
{
	if (path->before >= 0)
		genl_close(&genl);
	else if (!code)
		syscall(SYS_delete_module, "barepmu", 0);
}

static int run(const struct path *path)
{
	unsigned int refused = 0, wrong = 0;
	unsigned int number;
	bool failed = true;
	int code = 0;

	for (number = 1; failed && number < MOST; number++) {
		prepare(path);
		arm(number);
		code = path->run();
		failed = disarm();
		refused += code < 0;
		if (!consistent(path, code)) {
			printf("%s: allocation %u: answer %d, session in another state\n",
			       path->name, number, code);
			wrong++;
		}
		clean_up(path, code);
	}
	printf("%s: %u allocations failed, %u times refused\n", path->name,
	       number - 2, refused);
	return wrong || failed || code || !refused;
}

int main(int argc, char **argv)
{
	unsigned int i;

	nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	file = argc > 2 ? argv[2] : NULL;
	for (i = 0; argc > 1 && i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!strcmp(paths[i].name, argv[1]))
			return run(&paths[i]);
	fprintf(stderr, "failnth: load FILE | configure | start | sample | read | info | stop | release\n");
	return 2;
}
