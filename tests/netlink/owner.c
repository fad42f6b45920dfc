// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of who owns a session: a netlink socket does, not the socket's port ID. When the owner's
 * socket has been closed, another socket may get the same port ID. This must give the other socket
 * no rights, and the session must not end when the other socket is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <kselftest_harness.h>

#include "log.h"
#include "probe.h"

/*
 * Maximum number of tries to bind a socket to the netlink port ID of an owner whose socket has just
 * been closed. The session ends a little later. The test needs HELD tries in which the socket gets
 * the port ID before the session has ended.
 */
#define TRIES 300
#define HELD 3
#define SOCKETS 2000

static struct log own;

FIXTURE(owner) {
	int unused;
};

FIXTURE_SETUP(owner)
{
	GENL_LOAD(return);
}

FIXTURE_TEARDOWN(owner)
{
	genl_close(&own.genl);
}

static int begin(void)
{
	const struct log_plan plan = { .groups = 1 };

	return log_open(&own) || log_configure(&own, &plan) ||
	       genl_command(&own.genl, BPMU_CMD_START) ||
	       genl_command(&own.genl, BPMU_CMD_SAMPLE);
}

static int put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_APPEND);
	ssize_t len = -1;

	if (fd < 0)
		return -1;
	len = write(fd, text, strlen(text));
	close(fd);
	return len < 0 ? -1 : 0;
}

/* Returns the path of the file "online" of the last CPU, or NULL if it cannot go offline. */
static const char *spare_cpu(void)
{
	static char path[64];
	long cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online",
		 cpu);
	return cpu > 0 && !access(path, W_OK) ? path : NULL;
}

/*
 * Forks a process that takes a CPU offline and online again all the time, by writing to the file
 * @online. A session cannot end during hotplug. So after the owner's socket has been closed, the
 * session lives longer, and more tries to get the owner's port ID succeed before its end. Returns
 * the process ID.
 */
static pid_t storm(const char *online)
{
	pid_t pid = fork();

	while (!pid) {
		put(online, "0");
		put(online, "1");
	}
	return pid;
}

/**
 * struct thief - a socket that gets the netlink port ID of an owner whose socket has been closed
 * @genl: the socket
 * @family: number of the module's generic netlink family
 * @busy: number of times that the socket has got the port ID before the owner's session has ended
 */
struct thief {
	struct genl genl;
	uint16_t family;
	unsigned int busy;
};

/*
 * Opens a session, writes the port ID of its netlink socket to the pipe @told, and closes the
 * socket at once, which ends the session.
 */
static int own_and_close(int told)
{
	uint32_t port;

	if (begin())
		return 1;
	port = mnl_socket_get_portid(own.genl.socket);
	if (write(told, &port, sizeof(port)) != sizeof(port))
		return 2;
	genl_close(&own.genl);
	return 0;
}

/*
 * Sends each command by the socket that has the port ID of the closed owner. Returns 0 if the
 * module refuses all commands.
 */
static int try(struct thief *thief)
{
	static const uint8_t commands[] = {
		BPMU_CMD_READ, BPMU_CMD_SAMPLE, BPMU_CMD_STOP, BPMU_CMD_START,
	};
	unsigned int i;
	int code;

	for (i = 0; i < sizeof(commands); i++) {
		code = genl_command(&thief->genl, commands[i]);
		if (code >= 0 || thief->genl.told)
			return 10 + commands[i];
		if (!i && code == -EBUSY)
			thief->busy++;
	}
	genl_put_group(genl_new(&thief->genl, BPMU_CMD_SWAP, 0), 0, GENL_SELECT);
	return genl_send(&thief->genl) >= 0;
}

static int steal(struct thief *thief)
{
	int told[2], status = -1, code = 3;
	uint32_t port;
	pid_t pid;

	if (pipe(told))
		return 1;
	pid = fork();
	if (!pid)
		_exit(own_and_close(told[1]));
	close(told[1]);
	memset(&thief->genl, 0, sizeof(thief->genl));
	thief->genl.socket = mnl_socket_open(NETLINK_GENERIC);
	thief->genl.family = thief->family;
	if (read(told[0], &port, sizeof(port)) == sizeof(port)) {
		while (mnl_socket_bind(thief->genl.socket, 0, port))
			;
		code = try(thief);
	}
	genl_close(&thief->genl);
	close(told[0]);
	waitpid(pid, &status, 0);
	return code ?: status;
}

TEST_F_TIMEOUT(owner, a_reused_port_number_is_not_the_owner, 240)
{
	const char *online = spare_cpu();
	static struct thief thief;
	pid_t pid;
	int i;

	if (!online)
		SKIP(return, "no CPU can be taken offline");
	ASSERT_EQ(0, genl_open(&thief.genl));
	thief.family = thief.genl.family;
	genl_close(&thief.genl);
	pid = storm(online);
	for (i = 0; i < TRIES && thief.busy < HELD; i++) {
		int code = steal(&thief);

		EXPECT_EQ(0, code);
		if (code)
			break;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	put(online, "1");
	TH_LOG("%u of %d times the number came before the end", thief.busy, i);
	EXPECT_EQ(HELD, thief.busy);
}

/* Returns the address of the module's session_lock, or 0 if the kernel does not show it. */
static unsigned long long session_lock(void)
{
	FILE *stream = fopen("/proc/kallsyms", "re");
	unsigned long long at, found = 0;
	char name[128], module[64];
	char line[256];

	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, "%llx %*c %127s [%63[^]]]", &at, name,
			   module) == 3 && !strcmp(name, "session_lock") &&
		    !strcmp(module, "barepmu"))
			found = at;
	if (stream)
		fclose(stream);
	return found;
}

/*
 * Begins to count the calls of mutex_lock() that lock the mutex at address @lock, the module's
 * session_lock. Returns false if the calls cannot be counted.
 */
static bool probe_lock(unsigned long long lock)
{
	char filter[64];

	snprintf(filter, sizeof(filter), "lock==0x%llx", lock);
	return lock && (probe_begin("mutex_lock lock=%di:x64", filter) ||
			probe_begin("mutex_lock_nested lock=%di:x64", filter));
}

TEST_F_TIMEOUT(owner, closing_other_sockets_takes_no_session_lock, 240)
{
	struct mnl_socket *other;
	unsigned int before;
	int i;

	ASSERT_EQ(0, begin());
	if (!probe_lock(session_lock()))
		SKIP(return, "no probe on the kernel's locks here");
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_INFO));
	before = probe_hits();
	EXPECT_LT(0, before);
	for (i = 0; i < SOCKETS; i++) {
		other = mnl_socket_open(NETLINK_GENERIC);
		ASSERT_NE(NULL, other);
		ASSERT_EQ(0, mnl_socket_bind(other, 0, MNL_SOCKET_AUTOPID));
		mnl_socket_close(other);
	}
	EXPECT_EQ(before, probe_hits());
	/*
	 * When the socket of the owner is closed, the module takes session_lock to end the session.
	 */
	genl_close(&own.genl);
	EXPECT_LT(before, probe_hits());
	probe_end();
}

TEST_HARNESS_MAIN
