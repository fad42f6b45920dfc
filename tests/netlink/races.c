// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of commands that several threads send by one socket at the same time. The commands must
 * never corrupt a session. One thread configures sessions that differ in CPUs, core types and
 * interval. Two threads replace the groups of events (BPMU_CMD_SWAP). One thread requests samples,
 * reads them, and asks for the configuration (BPMU_CMD_GET_PLAN). In whichever order the module
 * executes the commands, it must never have groups that are illegal for the session's CPUs and
 * interval, nor two sessions. RACE_SECONDS in the environment is the duration of each test.
 *
 * Another test begins and ends sessions while a CPU goes offline and online.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "online.h"

#define MS 1000000ULL
#define DEFAULT_SECONDS 4
/* Number of events of a group: each CPU model on which the tests run has at least four counters. */
#define EVENTS 4
#define THREADS 4
#define USERS "/sys/module/barepmu/refcnt"
#define SIBLINGS "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"
/*
 * Event select of MEM_UOPS_RETIRED.ALL_LOADS. By erratum BJ122, the counter of the core's other
 * thread also counts this event.
 */
#define LEAKS 0x181d0ULL
/* Event select of branches that have retired, in user space (SDM, architectural event) */
#define BRANCHES 0x100c4ULL
/* Number of times that a CPU goes offline. A deadlock comes at one of the first. */
#define ROUNDS 20

/**
 * struct counts - numbers of the module's answers
 * @done: [enum bpmu_cmd], number of commands that succeeded
 * @refused: [enum bpmu_cmd], number of commands that were refused
 * @plans: number of answers to BPMU_CMD_GET_PLAN that were checked
 * @wrong: number of those answers to BPMU_CMD_GET_PLAN whose groups are illegal for the CPUs and
 *	the interval in the same answer
 */
struct counts {
	unsigned long done[BPMU_CMD_MAX + 1];
	unsigned long refused[BPMU_CMD_MAX + 1];
	unsigned long plans;
	unsigned long wrong;
};

static struct log own;
static struct genl_cpus big, all;
static bool hybrid, threads;
static atomic_bool ended;

FIXTURE(races) {
	struct counts counts;
};

FIXTURE_SETUP(races)
{
	FILE *file = fopen(SIBLINGS, "re");
	char text[64] = "";
	unsigned int i;

	if (file) {
		threads = fgets(text, sizeof(text), file) && strpbrk(text, ",-");
		fclose(file);
	}
	GENL_LOAD(return);
	ASSERT_EQ(0, log_open(&own));
	all.nr = sysconf(_SC_NPROCESSORS_ONLN);
	for (i = 0; i < all.nr; i++)
		all.cpu[i] = i;
	ASSERT_EQ(0, genl_core_type(&own.genl, 0, &big));
	hybrid = big.nr < all.nr;
}

FIXTURE_TEARDOWN(races)
{
	genl_close(&own.genl);
}

/*
 * Begins a request in a buffer of this thread. The sequence number of the request is the number of
 * its command, so that an answer shows to which command it belongs.
 */
static struct nlmsghdr *request(struct genl *genl, uint8_t command)
{
	struct nlmsghdr *message;

	genl->family = own.genl.family;
	genl->socket = own.genl.socket;
	message = genl_new(genl, command, command == BPMU_CMD_READ ? NLM_F_DUMP : 0);
	message->nlmsg_seq = command;
	return message;
}

static void tell(const struct genl *genl)
{
	mnl_socket_sendto(genl->socket, genl->message, genl->message->nlmsg_len);
}

static void order(struct genl *genl, uint8_t command)
{
	request(genl, command);
	tell(genl);
}

static void put_group(struct nlmsghdr *message, uint16_t type, uint64_t select)
{
	struct nlattr *nest = mnl_attr_nest_start(message, type);
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		genl_put_event(message, i, select);
	mnl_attr_nest_end(message, nest);
}

static void put_groups(struct nlmsghdr *message, unsigned int groups, bool others,
		       uint64_t select)
{
	while (groups--) {
		put_group(message, BPMU_A_GROUP, select);
		if (others)
			put_group(message, BPMU_A_OTHER_GROUP, select);
	}
}

/*
 * Function of the thread that configures sessions: for few CPUs or for all, with several groups and
 * an interval or with one group and no interval. Few CPUs are all CPUs of one core type on a hybrid
 * machine, and one CPU on other machines.
 */
static void *configure(void *unused)
{
	static _Thread_local struct genl genl;
	struct nlmsghdr *message;
	unsigned int which;

	(void)unused;
	for (which = 0; !ended; which++) {
		bool few = which & 1, several = which & 2;
		const struct genl_cpus *cpus = few ? &big : &all;

		order(&genl, BPMU_CMD_STOP);
		message = request(&genl, BPMU_CMD_CONFIGURE);
		mnl_attr_put(message, BPMU_A_CPUS,
			     (few && !hybrid ? 1 : cpus->nr) * sizeof(uint32_t), cpus->cpu);
		put_groups(message, several ? 3 : 1, hybrid && !few, GENL_SELECT);
		if (several)
			mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 10 * MS);
		tell(&genl);
		order(&genl, BPMU_CMD_START);
		order(&genl, BPMU_CMD_SAMPLE);
	}
	return NULL;
}

static void *swap(void *unused)
{
	static _Thread_local struct genl genl;
	unsigned int which;

	(void)unused;
	for (which = 0; !ended; which++) {
		request(&genl, BPMU_CMD_SWAP);
		put_groups(genl.message, which & 2 ? BPMU_MAX_GROUPS : 1, which & 1 && hybrid,
			   threads && which & 4 ? LEAKS : GENL_SELECT);
		tell(&genl);
	}
	return NULL;
}

static void *look(void *unused)
{
	static _Thread_local struct genl genl;

	(void)unused;
	while (!ended) {
		order(&genl, BPMU_CMD_GET_PLAN);
		order(&genl, BPMU_CMD_SAMPLE);
		order(&genl, BPMU_CMD_READ);
	}
	return NULL;
}

/**
 * struct plan - configuration of the session, from an answer to BPMU_CMD_GET_PLAN
 * @cpus: number of CPUs of the session
 * @core_types: number of core types of these CPUs
 * @groups: number of groups of events for the core type of the lowest CPU
 * @others: number of groups of events for the other core type
 * @interval: true if the session has an interval
 * @leaks: true if one of the events also counts on the core's other thread
 */
struct plan {
	unsigned int cpus;
	unsigned int core_types;
	unsigned int groups;
	unsigned int others;
	bool interval;
	bool leaks;
};

static bool group_leaks(const struct nlattr *group)
{
	const struct nlattr *event, *part;

	mnl_attr_for_each_nested(event, group)
		mnl_attr_for_each_nested(part, event)
			if (mnl_attr_get_type(part) == BPMU_A_EVENT_SELECT &&
			    mnl_attr_get_u64(part) == LEAKS)
				return true;
	return false;
}

static struct plan plan_of(const struct nlmsghdr *answer)
{
	struct genl_cpus cpus = { 0 };
	const struct nlattr *attr;
	struct plan plan = { 0 };

	genl_take_cpus(&cpus, answer);
	plan.cpus = cpus.nr;
	plan.core_types = cpus.nr > big.nr ? 2 : 1;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_GROUP:
			plan.groups++;
			plan.leaks |= group_leaks(attr);
			break;
		case BPMU_A_OTHER_GROUP:
			plan.others++;
			break;
		case BPMU_A_INTERVAL_NS:
			plan.interval = true;
			break;
		}
	}
	return plan;
}

static bool fits(const struct plan *plan)
{
	bool hybrid = plan->core_types == 2;

	if (!plan->groups || hybrid != !!plan->others)
		return false;
	if (!plan->interval && (plan->groups > 1 || plan->others > 1))
		return false;
	return !(plan->leaks && threads && plan->cpus > 1);
}

static void take(struct counts *counts, const struct nlmsghdr *answer)
{
	const struct genlmsghdr *head = mnl_nlmsg_get_payload(answer);
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(answer);
	uint32_t command = answer->nlmsg_seq;
	struct plan plan;

	if (command > BPMU_CMD_MAX)
		return;
	if (answer->nlmsg_type == NLMSG_ERROR || answer->nlmsg_type == NLMSG_DONE) {
		if (ack->error)
			counts->refused[command]++;
		else
			counts->done[command]++;
		return;
	}
	if (head->cmd != BPMU_CMD_GET_PLAN)
		return;
	plan = plan_of(answer);
	counts->plans++;
	if (fits(&plan))
		return;
	counts->wrong++;
	printf("# %u CPUs of %u core types, groups %u and %u%s%s\n", plan.cpus,
	       plan.core_types, plan.groups, plan.others,
	       plan.interval ? "" : ", no interval", plan.leaks ? ", leaks" : "");
}

static void drain(struct counts *counts, int flags)
{
	static char buffer[GENL_BUFFER];
	const struct nlmsghdr *answer = (const void *)buffer;
	int left;

	left = recv(mnl_socket_get_fd(own.genl.socket), buffer, sizeof(buffer), flags);
	for (; left > 0 && mnl_nlmsg_ok(answer, left); answer = mnl_nlmsg_next(answer, &left))
		take(counts, answer);
}

/*
 * Returns true if each command in the set @commands, bit n for command n of enum bpmu_cmd, has
 * succeeded at least once.
 */
static bool all_done(const struct counts *counts, unsigned int commands)
{
	unsigned int i;

	for (i = 0; i <= BPMU_CMD_MAX; i++)
		if (commands & 1U << i && !counts->done[i])
			return false;
	return true;
}

/*
 * Executes THREADS functions, each in a thread of its own; the threads use one socket. This takes
 * RACE_SECONDS, or longer if a command in the set @commands has not succeeded by then. Counts the
 * module's answers in *@counts.
 */
static void race(void *(*const begin[])(void *), unsigned int commands, struct counts *counts)
{
	const char *seconds = getenv("RACE_SECONDS");
	time_t end = time(NULL) + (seconds ? atoi(seconds) : DEFAULT_SECONDS);
	pthread_t thread[THREADS];
	unsigned int i;

	ended = false;
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, begin[i], NULL);
	while (time(NULL) < end || !all_done(counts, commands))
		drain(counts, 0);
	ended = true;
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < 10000; i++)
		drain(counts, MSG_DONTWAIT);
}

TEST_F_TIMEOUT(races, a_plan_fits_its_session_in_any_order_of_commands, 600)
{
	static void *(*const begin[])(void *) = { configure, swap, swap, look };
	struct counts *counts = &self->counts;

	race(begin, 1 << BPMU_CMD_CONFIGURE | 1 << BPMU_CMD_SWAP | 1 << BPMU_CMD_GET_PLAN, counts);
	printf("# %lu configured, %lu started, %lu swapped, %lu swaps refused, %lu read, %lu plans\n",
	       counts->done[BPMU_CMD_CONFIGURE], counts->done[BPMU_CMD_START],
	       counts->done[BPMU_CMD_SWAP], counts->refused[BPMU_CMD_SWAP],
	       counts->done[BPMU_CMD_READ], counts->plans);
	EXPECT_EQ(0, counts->wrong);
	/* When the threads' socket has been closed, a new socket can open a session. */
	genl_close(&own.genl);
	ASSERT_EQ(0, log_open(&own));
	genl_plan(&own.genl);
	ASSERT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(2, own.nr);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[0].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[1].head.flags);
}

/*
 * Function of a thread that configures sessions with a free-running register. Such a session
 * reserves no counters, so a second session does not fail because of its reservation. The module
 * itself must refuse the second session.
 */
static void *configure_register(void *unused)
{
	static _Thread_local struct genl genl;
	const uint32_t cpu = 0;
	struct nlmsghdr *message;

	(void)unused;
	while (!ended) {
		message = request(&genl, BPMU_CMD_CONFIGURE);
		mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
		genl_put_group_as(message, BPMU_A_FREE_GROUP, BPMU_COUNTER_FREE, 0);
		tell(&genl);
	}
	return NULL;
}

static int users_of_module(void)
{
	FILE *file = fopen(USERS, "re");
	int users = -1;

	if (file && fscanf(file, "%d", &users) != 1)
		users = -1;
	if (file)
		fclose(file);
	return users;
}

TEST_F_TIMEOUT(races, one_session_is_configured_at_a_time, 600)
{
	static void *(*const begin[])(void *) = {
		configure_register, configure_register, configure_register, configure_register,
	};
	struct counts *counts = &self->counts;
	int before = users_of_module();

	if (before < 0)
		SKIP(return, "the module cannot be unloaded");
	race(begin, 1 << BPMU_CMD_CONFIGURE, counts);
	printf("# %lu configured, %lu refused\n", counts->done[BPMU_CMD_CONFIGURE],
	       counts->refused[BPMU_CMD_CONFIGURE]);
	genl_close(&own.genl);
	/*
	 * Each session takes a reference to the module. All these references must have been
	 * dropped.
	 */
	EXPECT_EQ(before, users_of_module());
}

/*
 * Begins a session on CPU 0 in which the CPU interrupts after two precise records. The module stores
 * one that waits at context switches, and so wants to be told of them.
 */
static int configure_batch(void)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 0, BRANCHES, BPMU_MAX_PERIOD, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, 2);
	return genl_send(&own.genl);
}

/*
 * A CPU on its way offline waits for a session that begins or ends, and this must not wait for the
 * CPU: else both wait for ever. How often they meet depends on the host, but not whether the test
 * passes.
 */
TEST_F_TIMEOUT(races, a_session_does_not_wait_for_a_cpu_that_waits_for_it, 600)
{
	unsigned int begun = 0, i;
	int status = -1, err;
	pid_t child;

	if (interrupts_info(&own, BPMU_A_INFO_BATCH) < 2)
		SKIP(return, "this part does not batch precise records");
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		for (i = 0; i < ROUNDS; i++)
			if (online(all.nr - 1, false) || online(all.nr - 1, true))
				_exit(1);
		_exit(0);
	}
	while (!waitpid(child, &status, WNOHANG)) {
		err = configure_batch();
		if (err != -EAGAIN)
			EXPECT_EQ(0, err);
		begun += !err;
		EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	}
	EXPECT_EQ(0, status);
	printf("# %u sessions began\n", begun);
	EXPECT_LT(0, begun);
}

TEST_HARNESS_MAIN
