// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how serve gives up what it does not need: capabilities and the user root, by faked system
 * calls; and system calls, in a process that really gives them up.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/serve/confine.h"
#include "unit.h"

#define PERFMON 38

static struct __user_cap_data_struct had[2], kept[2];
static uid_t user;
static struct bpmu_error err;

/* what has been called, in order; and the call that fails */
static char called[256];
static const char *failing;

static int call(const char *name)
{
	snprintf(called + strlen(called), sizeof(called) - strlen(called), "%s ", name);
	if (!failing || strcmp(failing, name))
		return 0;
	errno = EACCES;
	return -1;
}

long __wrap_syscall(long nr, struct __user_cap_header_struct *head,
		    struct __user_cap_data_struct *data);
long __real_syscall(long nr, ...);
int __wrap_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
int __wrap_setgroups(size_t nr, const gid_t *groups);
int __wrap_setresgid(gid_t real, gid_t effective, gid_t saved);
int __wrap_setresuid(uid_t real, uid_t effective, uid_t saved);
uid_t __wrap_geteuid(void);

long __wrap_syscall(long nr, struct __user_cap_header_struct *head,
		    struct __user_cap_data_struct *data)
{
	assert_int_equal(head->version, _LINUX_CAPABILITY_VERSION_3);
	assert_int_equal(head->pid, 0);
	if (nr == SYS_capget) {
		memcpy(data, had, sizeof(had));
		return call("capget");
	}
	assert_int_equal(nr, SYS_capset);
	memcpy(kept, data, sizeof(kept));
	return call("capset");
}

int __wrap_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	assert_int_equal(b | c | d, 0);
	if (option == PR_CAP_AMBIENT) {
		assert_int_equal(a, PR_CAP_AMBIENT_CLEAR_ALL);
		return call("ambient");
	}
	assert_int_equal(a, 1);
	return call(option == PR_SET_KEEPCAPS ? "keep" : option == PR_SET_NO_NEW_PRIVS ? "none" :
		    "other");
}

int __wrap_setgroups(size_t nr, const gid_t *groups)
{
	assert_int_equal(nr, 0);
	assert_null(groups);
	return call("others");
}

int __wrap_setresgid(gid_t real, gid_t effective, gid_t saved)
{
	assert_true(real == 65534 && effective == 65534 && saved == 65534);
	return call("group");
}

int __wrap_setresuid(uid_t real, uid_t effective, uid_t saved)
{
	assert_true(real == 65534 && effective == 65534 && saved == 65534);
	return call("user");
}

uid_t __wrap_geteuid(void)
{
	return user;
}

static void have(unsigned int cap)
{
	had[cap / 32].permitted |= 1U << cap % 32;
}

/* Gives privileges up, and checks that @caps are all that is left: bits of capabilities. */
static void keeps(bool low_port, u64 caps)
{
	memset(called, 0, sizeof(called));
	memset(kept, 0, sizeof(kept));
	assert_int_equal(bpmu_confine_privileges(low_port, &err), 0);
	assert_true((kept[0].permitted | (u64)kept[1].permitted << 32) == caps);
	assert_true((kept[0].effective | (u64)kept[1].effective << 32) == caps);
	assert_int_equal(kept[0].inheritable | kept[1].inheritable, 0);
}

#define CAP(nr) ((u64)1 << (nr))

TEST(root_becomes_nobody_and_keeps_one_capability)
{
	memset(had, 0xff, sizeof(had));
	user = 0;
	keeps(false, CAP(PERFMON));
	assert_string_equal(called, "capget keep others group user ambient none capset ");
	keeps(true, CAP(PERFMON) | CAP(CAP_NET_BIND_SERVICE));
}

TEST(another_user_stays_the_same)
{
	memset(had, 0, sizeof(had));
	user = 1000;
	keeps(true, 0);
	assert_string_equal(called, "capget ambient none capset ");
	have(PERFMON);
	have(CAP_SYS_ADMIN);
	keeps(true, CAP(PERFMON));
}

TEST(what_counts_as_the_capability_to_count_is_kept)
{
	memset(had, 0, sizeof(had));
	user = 0;
	have(CAP_SYS_ADMIN);
	have(CAP_SYS_PTRACE);
	have(CAP_NET_BIND_SERVICE);
	keeps(false, CAP(CAP_SYS_ADMIN));
	keeps(true, CAP(CAP_SYS_ADMIN) | CAP(CAP_NET_BIND_SERVICE));
}

TEST(nothing_is_served_with_too_many_privileges)
{
	static const struct {
		const char *call, *says;
	} cases[] = {
		{ "capget", "serve: capabilities: Permission denied" },
		{ "keep", "serve: cannot become user nobody: Permission denied" },
		{ "others", "serve: cannot become user nobody: Permission denied" },
		{ "group", "serve: cannot become user nobody: Permission denied" },
		{ "user", "serve: cannot become user nobody: Permission denied" },
		{ "ambient", "serve: prctl: Permission denied" },
		{ "none", "serve: prctl: Permission denied" },
		{ "capset", "serve: capset: Permission denied; let the sandbox allow it, it only takes away" },
	};
	unsigned int i;

	user = 0;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(called, 0, sizeof(called));
		failing = cases[i].call;
		assert_int_equal(bpmu_confine_privileges(false, &err), -EACCES);
		assert_string_equal(err.text, cases[i].says);
		/* Nothing is called after the call that has failed. */
		assert_string_equal(strstr(called, failing) + strlen(failing), " ");
	}
	failing = NULL;
}

/* Returns true if a system call that has returned @result was refused. */
static bool refused(int result)
{
	return result == -1 && errno == EPERM;
}

static int begin_thread[2], end_thread[2];

/* Waits in a thread that began before the process gave up system calls. */
static void *open_socket(void *unused)
{
	char told = 0;

	(void)unused;
	if (read(begin_thread[0], &told, 1) == 1)
		told = refused(socket(AF_INET, SOCK_STREAM, 0)) ? 'r' : 'a';
	if (write(end_thread[1], &told, 1) != 1)
		return NULL;
	return NULL;
}

/* Gives up system calls. Returns 0, or the number of what is not as it should be. */
static int without_calls(const char *scratch)
{
	char *argv[] = { "/bin/true", NULL };
	pthread_t thread;
	char told = 0;
	int file;

	if (pipe(begin_thread) || pipe(end_thread) ||
	    pthread_create(&thread, NULL, open_socket, NULL))
		return 1;
	if (bpmu_confine_calls(&err))
		return 2;
	if (!refused(socket(AF_INET, SOCK_STREAM, 0)))
		return 3;
	if (!refused(open(scratch, O_WRONLY)) || !refused(open(scratch, O_RDWR)) ||
	    !refused(openat(AT_FDCWD, scratch, O_WRONLY | O_TRUNC)))
		return 4;
	/* as musl does */
	if (!refused(__real_syscall(SYS_open, scratch, O_WRONLY)))
		return 4;
	file = __real_syscall(SYS_open, "/proc/self/stat", O_RDONLY);
	if (file < 0 || close(file))
		return 5;
	file = open("/proc/self/stat", O_RDONLY);
	if (file < 0 || read(file, &told, 1) != 1 || close(file))
		return 5;
	if (!refused(execv(argv[0], argv)) || !refused(unlink(scratch)) ||
	    kill(getpid(), 0))
		return 6;
	if (write(begin_thread[1], "b", 1) != 1 || read(end_thread[0], &told, 1) != 1 ||
	    told != 'r')
		return 7;
	return 0;
}

TEST(system_calls_that_nothing_needs_are_refused_in_all_threads)
{
	char scratch[] = "/tmp/confine.XXXXXX";
	int status;
	pid_t child;

	unit_file(scratch, "text");
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(without_calls(scratch));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(access(scratch, F_OK), 0);
	unlink(scratch);
}
