// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a reader learns about the thread that a sample has interrupted. The reader learns
 * an address of the kernel only if it may see such addresses. The reader learns the thread ID and
 * the process ID as they are in the reader's PID namespace, and learns the name of the thread only
 * if it may know of the thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/capability.h>
#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "kptr.h"
#include "log.h"
#include "lsm.h"
#include "pids.h"

#define MS 1000000ULL
/* A test needs so many samples that have interrupted the kernel, and as many in user space. */
#define ENOUGH 5
#define KERNEL 0xffff800000000000ULL
#define NOBODY 65534
/*
 * If so many samples lack the name of a thread, the test concludes that no sample will have a name.
 */
#define MANY 10000
/* Number of samples. A dump of this many samples needs more than two messages of 32 KiB. */
#define SEVERAL_MESSAGES 1000

static struct log own;

/**
 * struct seen - numbers of samples, by what they have interrupted
 * @hidden: samples in the kernel that do not tell the interrupted address
 * @shown: samples in the kernel that tell the interrupted address
 * @user: samples in user space that tell the interrupted address
 * @wrong: samples with values that no sample may have
 * @main: samples in the first thread of this process
 * @second: samples in the second thread of this process or in another process; see @together
 * @unnamed: samples in threads whose name is not told
 * @others: samples in other threads whose name is told, except idle threads
 */
struct seen {
	unsigned int hidden;
	unsigned int shown;
	unsigned int user;
	unsigned int wrong;
	unsigned int main;
	unsigned int second;
	unsigned int unnamed;
	unsigned int others;
};

static struct seen seen;
static pid_t second;
/*
 * True if a test runs a second thread of this process; false if it runs a second process instead.
 * &seen.second is the number of samples in this thread or process.
 */
static bool together = true;

static void look_at_name(const struct bpmu_who *who)
{
	uint32_t process = getpid();

	seen.wrong += !!who->pad;
	if (who->flags & BPMU_WHO_UNNAMED) {
		seen.unnamed++;
		seen.wrong += who->pid || who->tgid || *who->comm ||
			      (!(who->flags & BPMU_WHO_KERNEL) && who->ip);
	} else if (who->pid == process) {
		seen.main++;
		seen.wrong += who->tgid != process;
	} else if (who->pid == (uint32_t)second) {
		seen.second++;
		seen.wrong += who->tgid != (together ? process : who->pid);
	} else if (!(who->flags & BPMU_WHO_IDLE)) {
		seen.others++;
		seen.wrong += !who->pid || !who->tgid || !*who->comm;
	}
}

static void look(const struct bpmu_who *who)
{
	bool hidden = who->flags & BPMU_WHO_HIDDEN;

	look_at_name(who);
	if (who->flags & BPMU_WHO_NOWHERE ||
	    (who->flags & BPMU_WHO_UNNAMED && !(who->flags & BPMU_WHO_KERNEL)))
		return;
	if (!(who->flags & BPMU_WHO_KERNEL)) {
		seen.user += !hidden && who->ip && who->ip < KERNEL;
		seen.wrong += hidden || !who->ip || who->ip >= KERNEL;
	} else if (hidden) {
		seen.hidden += !who->ip;
		seen.wrong += !!who->ip;
	} else {
		seen.shown += who->ip >= KERNEL;
		seen.wrong += who->ip < KERNEL;
	}
}

static void take(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct bpmu_who who;
	const char *at;
	uint32_t left;

	(void)data;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != BPMU_A_SAMPLES)
			continue;
		at = mnl_attr_get_payload(attr);
		left = mnl_attr_get_payload_len(attr);
		for (; left >= own.record; left -= own.record) {
			at += own.record;
			memcpy(&who, at - sizeof(who), sizeof(who));
			look(&who);
		}
	}
}

/*
 * Turns an effective capability of this process on or off. The capability stays in the permitted
 * set, so that it can be turned on again. Returns 0 or -1.
 */
static int may(unsigned int capability, bool yes)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -1;
	if (yes)
		data[capability / 32].effective |= 1U << capability % 32;
	else
		data[capability / 32].effective &= ~(1U << capability % 32);
	return syscall(SYS_capset, &head, data);
}

/*
 * Turns on or off the capabilities by which this process may see the processes of other users.
 * Returns 0 or -1.
 */
static int may_see_all(bool yes)
{
	return may(CAP_PERFMON, yes) || may(CAP_SYS_ADMIN, yes) || may(CAP_SYS_PTRACE, yes);
}

FIXTURE(who) {
	int unused;
};

FIXTURE_SETUP(who)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, log_pin(0));
}

FIXTURE_TEARDOWN(who)
{
	lsm_allow();
	may(CAP_SYSLOG, true);
	may_see_all(true);
	kptr_restrict('0');
	genl_close(&own.genl);
}

/* If true, the owner reads without the capabilities with which it started the session. */
static bool dropped;

/*
 * Starts a session and reads its samples until ENOUGH are in the kernel and ENOUGH in user space.
 * If @opener is true, this process has CAP_SYSLOG when it opens the socket. If @reader is true,
 * this process has CAP_SYSLOG when it configures the session and reads. Returns 0, or nonzero on an
 * error.
 */
static int watch(bool opener, bool reader)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
		.who = true,
	};
	static char zeros[1 << 20];
	int fd = open("/dev/zero", O_RDONLY);
	int err;

	if (fd < 0 || may(CAP_SYSLOG, opener) || log_open(&own) ||
	    may(CAP_SYSLOG, reader) || log_configure(&own, &plan) ||
	    genl_command(&own.genl, BPMU_CMD_START))
		return -1;
	if (dropped && may_see_all(false))
		return -1;
	memset(&seen, 0, sizeof(seen));
	own.genl.reply = take;
	do {
		err = read(fd, zeros, sizeof(zeros)) != sizeof(zeros);
		log_loop(1000000);
		err |= genl_command(&own.genl, BPMU_CMD_READ);
	} while (!err && (seen.hidden + seen.shown < ENOUGH ||
			  seen.user < ENOUGH));
	close(fd);
	return err;
}

static bool all_shown(void)
{
	return !seen.wrong && !seen.hidden && seen.shown >= ENOUGH;
}

static bool all_hidden(void)
{
	return !seen.wrong && !seen.shown && seen.hidden >= ENOUGH;
}

TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_with_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('0'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_shown());
}

TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_without_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('0'));
	ASSERT_EQ(0, watch(true, false));
	EXPECT_TRUE(all_shown());
}

/* A reader that has one capability more does not see less. */
TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_if_the_opener_lacks_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('0'));
	ASSERT_EQ(0, watch(false, true));
	EXPECT_TRUE(all_shown());
}

/* As in /proc/kallsyms, CAP_SYSLOG is enough for a process that may not use perf. */
TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_to_cap_syslog_alone, 120)
{
	ASSERT_EQ(0, kptr_restrict('0'));
	dropped = true;
	ASSERT_EQ(0, watch(true, true));
	dropped = false;
	EXPECT_TRUE(all_shown());
}

/*
 * The owner has dropped its privileges, so the addresses are hidden, although kptr_restrict is 0.
 * By default, perf does not show addresses of the kernel to such a process either.
 */
TEST_F_TIMEOUT(who, kptr_restrict_0_hides_addresses_after_privileges_are_dropped, 120)
{
	ASSERT_EQ(0, kptr_restrict('0'));
	dropped = true;
	ASSERT_EQ(0, watch(true, false));
	dropped = false;
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_shows_addresses_with_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('1'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_shown());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_hides_addresses_without_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('1'));
	ASSERT_EQ(0, watch(true, false));
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_hides_addresses_if_the_opener_lacks_cap_syslog, 120)
{
	ASSERT_EQ(0, kptr_restrict('1'));
	ASSERT_EQ(0, watch(false, true));
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_2_hides_addresses, 120)
{
	ASSERT_EQ(0, kptr_restrict('2'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_hidden());
}

/* Reads a message of a dump. After the first one, locks the kernel down. */
static void take_and_lock_down(void *data, const struct nlmsghdr *answer)
{
	take(data, answer);
	if (own.genl.replies == 1 && !lsm_refuse("locked_down", -EPERM))
		exit(1);
}

/*
 * In lockdown, the module gives out no addresses of the kernel, not even in later messages of a
 * dump that began before the lockdown. One message may still have addresses, because the kernel
 * fills a message while the previous message is received.
 */
TEST_F_TIMEOUT(who, nothing_is_read_after_lockdown, 120)
{
	unsigned int i;

	if (!lsm_refuse("locked_down", -EPERM))
		SKIP(return, "no program can be a security module here");
	lsm_allow();
	ASSERT_EQ(0, kptr_restrict('0'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_shown());
	for (i = 0; i < SEVERAL_MESSAGES; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	own.genl.reply = take_and_lock_down;
	EXPECT_EQ(-EPERM, genl_command(&own.genl, BPMU_CMD_READ));
	EXPECT_NE(NULL, strstr(own.genl.sentence, "locked down"));
	EXPECT_EQ(2, own.genl.replies);
	EXPECT_EQ(-EPERM, genl_command(&own.genl, BPMU_CMD_READ));
	EXPECT_EQ(0, own.genl.replies);
	lsm_allow();
	own.genl.reply = take;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_READ));
	EXPECT_LT(0, own.genl.replies);
}

static volatile bool done;

static void *spin(void *unused)
{
	second = syscall(SYS_gettid);
	while (!done)
		log_loop(10000);
	return unused;
}

/* A sample has the thread ID and the process ID of the interrupted thread. */
TEST_F_TIMEOUT(who, samples_have_thread_id_and_process_id, 120)
{
	pthread_t thread;
	int code = 0;

	done = false;
	ASSERT_EQ(0, pthread_create(&thread, NULL, spin, NULL));
	ASSERT_EQ(0, watch(true, true));
	while (!code && (!seen.main || !seen.second)) {
		log_loop(1000000);
		code = genl_command(&own.genl, BPMU_CMD_READ);
	}
	done = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, code);
	EXPECT_NE(getpid(), second);
	EXPECT_LT(0, seen.main);
	EXPECT_LT(0, seen.second);
	EXPECT_EQ(0, seen.wrong);
}

/*
 * Starts a process of user @uid that keeps this CPU busy until it is killed. Returns its process
 * ID.
 */
static pid_t busy(uid_t uid)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (setgid(uid) || setuid(uid))
		_exit(1);
	for (;;)
		log_loop(10000);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Reads samples until there is one of this process, and one of the second process or of a process
 * whose name the module does not tell. Gives up after MANY samples without a name. Returns 0, or
 * nonzero on an error.
 */
static int watch_both(void)
{
	int code = watch(true, true);

	while (!code && seen.unnamed < MANY &&
	       !(seen.main && (seen.unnamed || seen.second))) {
		log_loop(1000000);
		code = genl_command(&own.genl, BPMU_CMD_READ);
	}
	return code;
}

/*
 * In process 1 of a PID namespace, reads samples by watch_both(). Returns 0 if the module tells the
 * name of this process, and does not tell the names of processes outside of the namespace.
 */
static int watch_as_first(void)
{
	if (getpid() != 1 || watch_both())
		return 1;
	if (!seen.main)
		return 2;
	return seen.wrong || seen.others || !seen.unnamed ? 3 : 0;
}

TEST_F_TIMEOUT(who, threads_have_numbers_of_the_readers_pid_namespace, 120)
{
	int status = -1;
	pid_t outside, pid;

	outside = busy(0);
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	pid = fork();
	if (!pid)
		_exit(watch_as_first());
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	end(outside);
}

TEST_F_TIMEOUT(who, threads_of_other_users_are_not_named_after_privileges_are_dropped, 120)
{
	together = false;
	second = busy(NOBODY);
	dropped = true;
	EXPECT_EQ(0, watch_both());
	dropped = false;
	end(second);
	EXPECT_LT(0, seen.main);
	EXPECT_LT(0, seen.unnamed);
	EXPECT_EQ(0, seen.second);
	EXPECT_EQ(0, seen.wrong);
}

/*
 * Waits until a process has ended, and until another process has got the same process ID. Then
 * reads the samples that were taken while the first of these processes was running.
 */
static int read_after_its_end(void)
{
	pid_t other;

	together = false;
	second = fork();
	if (!second) {
		log_loop(20000000);
		_exit(0);
	}
	waitpid(second, NULL, 0);
	if (genl_command(&own.genl, BPMU_CMD_STOP))
		return -1;
	other = fork_as(second);
	if (!other)
		pause();
	if (other < 0)
		return -1;
	return genl_command(&own.genl, BPMU_CMD_READ);
}

TEST_F_TIMEOUT(who, a_thread_that_has_ended_is_named_to_who_sees_all, 120)
{
	ASSERT_EQ(0, watch(true, true));
	ASSERT_EQ(0, read_after_its_end());
	end(second);
	EXPECT_LT(0, seen.second);
	EXPECT_EQ(0, seen.unnamed);
	EXPECT_EQ(0, seen.wrong);
}

TEST_F_TIMEOUT(who, a_thread_with_the_number_of_an_ended_one_is_not_named_for_it, 120)
{
	dropped = true;
	ASSERT_EQ(0, watch(true, true));
	dropped = false;
	ASSERT_EQ(0, read_after_its_end());
	end(second);
	EXPECT_EQ(0, seen.second);
	EXPECT_LT(0, seen.unnamed);
	EXPECT_EQ(0, seen.wrong);
}

TEST_HARNESS_MAIN
