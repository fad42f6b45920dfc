// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's session: which commands it accepts in which state and from whom, what it
 * asks of the counters, and what it frees. Counters, owner and locks are made up and note what is
 * asked of them; the source of the module is compiled unchanged.
 */
#include "kernel/module.h"

#include <sys/types.h>

#define TASK_COMM_LEN 16
#define THIS_MODULE ((void *)0x20)
#define cpu_online_mask (&online)

static struct cpumask online;

static void cpus_read_lock(void);
static void cpus_read_unlock(void);
static bool try_module_get(const void *module);
static void module_put(const void *module);
static bool cpumask_subset(const struct cpumask *of, const struct cpumask *all);

#include "../../kmod/session/session.c"

#include "test.h"

#define OWNER ((struct sk_buff *)0x1000)
#define OTHER ((struct sk_buff *)0x2000)
#define DEVICE ((struct pci_dev *)0x3000)

static struct cpumask cpus;
static struct bpmu_settings settings;
static struct bpmu_plan plan, second;
static struct bpmu_sampler_memory memory;
static struct bpmu_counted counted;
static struct netlink_ext_ack ack;
static unsigned int hotplug_held;
static bool alive, siblings, closed, clash, interrupts, no_memory;
static int slices_error, claim_error, take_error, try_error, reserve_error;
static u32 record_size, last_bank;
static char did[1024];

static void note(const char *what)
{
	strcat(strcat(did, what), " ");
}

/* Compares what was asked since the last call with a text, and expects no lock to be held. */
static void noted(const char *expected)
{
	char text[sizeof(did)];

	strcpy(text, did);
	did[0] = '\0';
	assert_string_equal(text, expected);
	assert_int_equal(hotplug_held, 0);
	assert_int_equal(session_lock.held, 0);
}

static void refused(int err, int expected, const char *sentence)
{
	assert_int_equal(err, expected);
	assert_non_null(ack._msg);
	assert_string_equal(ack._msg, sentence);
	ack._msg = NULL;
}

/* Notes what is to be done under both locks, or under none. */
static void locked(const char *what, unsigned int held)
{
	assert_int_equal(hotplug_held, held);
	assert_int_equal(session_lock.held, held);
	note(what);
}

static void cpus_read_lock(void)
{
	assert_int_equal(hotplug_held++, 0);
	assert_int_equal(session_lock.held, 0);
}

static void cpus_read_unlock(void)
{
	assert_int_equal(hotplug_held--, 1);
	assert_int_equal(session_lock.held, 0);
}

static bool try_module_get(const void *module)
{
	assert_ptr_equal(module, THIS_MODULE);
	locked(alive ? "get" : "dying", 1);
	return alive;
}

static void module_put(const void *module)
{
	assert_ptr_equal(module, THIS_MODULE);
	note("put");
}

static bool cpumask_subset(const struct cpumask *of, const struct cpumask *all)
{
	return !(of->bits & ~all->bits);
}

bool bpmu_settings_have_siblings(const struct bpmu_settings *of)
{
	assert_ptr_equal(of, &settings);
	return siblings;
}

void bpmu_settings_copy(struct bpmu_settings *to, const struct bpmu_settings *from)
{
	*to = *from;
}

void bpmu_settings_free(struct bpmu_settings *of)
{
	if (of)
		locked("free-settings", 0);
}

void bpmu_plan_free(struct bpmu_plan *of)
{
	if (of)
		locked(of == &plan ? "free-plan" : "free-second", 0);
}

bool bpmu_plan_interrupts(const struct bpmu_plan *of)
{
	assert_ptr_equal(of, &second);
	return interrupts;
}

bool bpmu_plan_uses(const struct bpmu_plan *of, enum bpmu_bank_id bank)
{
	return !bank || (bank == BPMU_BANK_MAX && of == &second && last_bank);
}

bool bpmu_plan_extras_clash(const struct bpmu_settings *of, const struct bpmu_plan *new,
			    const struct bpmu_plan *old)
{
	(void)of;
	assert_ptr_equal(new, &second);
	assert_ptr_equal(old, &plan);
	return clash;
}

u32 bpmu_plan_record_size(const struct bpmu_plan *of, const struct bpmu_settings *by)
{
	(void)by;
	assert_ptr_equal(of, &second);
	return record_size;
}

struct bpmu_sampler_memory *bpmu_samplers_alloc(const struct bpmu_settings *of,
						const struct bpmu_plan *by,
						struct netlink_ext_ack *extack)
{
	(void)of;
	(void)by;
	(void)extack;
	locked("alloc", 0);
	return no_memory ? NULL : &memory;
}

void bpmu_samplers_free(struct bpmu_sampler_memory *of)
{
	if (of)
		locked("free", 0);
}

int bpmu_slices_alloc(struct bpmu_plan *of, const struct bpmu_settings *by,
		      struct netlink_ext_ack *extack)
{
	(void)by;
	(void)extack;
	locked(of == &plan ? "slices" : "slices-second", 0);
	return slices_error;
}

void bpmu_slices_free(struct bpmu_plan *of)
{
	if (of)
		locked(of == &plan ? "free-slices" : "free-slices-second", 0);
}

int bpmu_counters_claim(struct bpmu_counted *of, struct netlink_ext_ack *extack)
{
	(void)extack;
	locked("claim", 0);
	of->claimed = !claim_error;
	return claim_error;
}

void bpmu_counters_unclaim(struct bpmu_counted *of)
{
	if (of->claimed)
		locked("unclaim", 0);
	of->claimed = false;
}

int bpmu_counters_take(const struct bpmu_counted *of, struct netlink_ext_ack *extack)
{
	(void)of;
	(void)extack;
	locked("take", 1);
	return take_error;
}

static void counters(const char *what, const struct bpmu_counted *of)
{
	assert_ptr_equal(of, &session.counted);
	locked(what, 1);
}

void bpmu_counters_give(const struct bpmu_counted *of)
{
	counters("give", of);
}

void bpmu_counters_start(const struct bpmu_counted *of)
{
	counters("start", of);
}

void bpmu_counters_stop(const struct bpmu_counted *of)
{
	counters("stop", of);
}

void bpmu_counters_request(const struct bpmu_counted *of)
{
	counters("request", of);
}

int bpmu_counters_try(const struct bpmu_counted *of, const struct bpmu_plan *new,
		      struct netlink_ext_ack *extack)
{
	(void)extack;
	assert_ptr_equal(of->plan, &plan);
	assert_ptr_equal(new, &second);
	counters("try", of);
	return try_error;
}

void bpmu_counters_swap(const struct bpmu_counted *of)
{
	assert_ptr_equal(of->plan, &second);
	counters("swap", of);
}

void bpmu_counters_suspend(const struct bpmu_counted *of)
{
	counters("suspend", of);
}

void bpmu_counters_resume(const struct bpmu_counted *of, bool running)
{
	counters(running ? "resume-run" : "resume", of);
}

void bpmu_counters_online(const struct bpmu_counted *of, unsigned int cpu, bool running)
{
	assert_int_equal(cpu, 1);
	assert_int_equal(session_lock.held, 1);
	assert_ptr_equal(of, &session.counted);
	note(running ? "online-run" : "online");
}

void bpmu_counters_offline(const struct bpmu_counted *of, unsigned int cpu, bool running)
{
	assert_int_equal(cpu, 1);
	assert_int_equal(session_lock.held, 1);
	assert_ptr_equal(of, &session.counted);
	note(running ? "offline-run" : "offline");
}

void bpmu_counters_device_removed(const struct bpmu_counted *of, const struct pci_dev *pci)
{
	assert_ptr_equal(pci, DEVICE);
	counters("removed", of);
}

void bpmu_events_state(enum bpmu_state state)
{
	static const char * const names[] = {
		[BPMU_STATE_IDLE] = "IDLE", [BPMU_STATE_READY] = "READY",
		[BPMU_STATE_RUNNING] = "RUNNING",
	};

	note(names[state]);
}

void bpmu_tsc_begin(void)
{
	locked("tsc", 1);
}

void bpmu_tsc_sleep(void)
{
	locked("tsc-sleep", 1);
}

void bpmu_tsc_wake(void)
{
	locked("tsc-wake", 1);
}

int bpmu_pmu_reserve(void)
{
	note("reserve");
	return reserve_error;
}

void bpmu_pmu_release(void)
{
	note("release");
}

struct sock *bpmu_owner_sender(const struct sk_buff *request)
{
	return (struct sock *)request;
}

void bpmu_owner_set(struct bpmu_owner *owner, struct sk_buff *request)
{
	owner->sk = (struct sock *)request;
	owner->port = 42;
}

void bpmu_owner_clear(struct bpmu_owner *owner)
{
	if (owner->sk)
		locked("free-owner", 0);
}

bool bpmu_owner_is(const struct bpmu_owner *owner, const struct sock *sk)
{
	return owner->sk == sk;
}

bool bpmu_owner_had_port(const struct bpmu_owner *owner, u32 port)
{
	return owner->port == port;
}

void bpmu_owner_renew(struct bpmu_owner *owner)
{
	assert_ptr_equal(owner, &session.owner);
	note("renew");
}

bool bpmu_owner_is_closed(const struct bpmu_owner *owner)
{
	assert_ptr_equal(owner, &session.owner);
	return closed;
}

TEST_FIXTURE(setup)
{
	memset(&session, 0, sizeof(session));
	session.run = 10;
	session.number = 20;
	cpus.bits = 0x3;
	online.bits = 0x7;
	settings = (struct bpmu_settings){ .cpus = &cpus, .record_size = 100 };
	plan = (struct bpmu_plan){ .number = 5 };
	second = (struct bpmu_plan){ };
	counted = (struct bpmu_counted){ .settings = &settings, .plan = &plan };
	alive = true;
	siblings = false;
	closed = false;
	clash = false;
	interrupts = false;
	no_memory = false;
	slices_error = 0;
	claim_error = 0;
	take_error = 0;
	try_error = 0;
	reserve_error = 0;
	record_size = 100;
	last_bank = 0;
	ack._msg = NULL;
	did[0] = '\0';
	return 0;
}

#define SESSION(name) TEST_BETWEEN(name, setup, NULL)

/* Begins a session, and starts it if @running is true; what is asked for is not noted. */
static void begin(bool running)
{
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), 0);
	if (running)
		assert_int_equal(bpmu_session_start(OWNER, &ack), 0);
	did[0] = '\0';
}

/* Asks whether a session may begin still, under both locks. */
static int still_idle(void)
{
	int err;

	lock_session();
	err = check_still_idle(OWNER, &settings, &ack);
	unlock_session();
	return err;
}

#define FREED "unclaim free free-slices free-plan free-settings free-owner put "
#define ANOTHER "another thread has configured a session meanwhile; try again"
#define NONE "there is no session; configure one first"
#define IN_USE "the counters are in use by another process"

SESSION(a_session_begins_runs_and_ends)
{
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), 0);
	noted("alloc slices claim get tsc take READY ");
	assert_int_equal(settings.number, 21);
	assert_int_equal(session.number, 21);
	assert_int_equal(session.run, 11);
	assert_ptr_equal(session.counted.memory, &memory);
	assert_int_equal(bpmu_session_start(OWNER, &ack), 0);
	noted("renew start RUNNING ");
	assert_int_equal(session.run, 12);
	refused(bpmu_session_start(OWNER, &ack), -EBUSY, "the session is running already");
	refused(bpmu_session_configure(OWNER, &counted, &ack), -EBUSY,
		"the session is running; stop it first");
	noted("renew renew ");
	assert_int_equal(bpmu_session_sample(OWNER, &ack), 0);
	assert_int_equal(bpmu_session_stop(OWNER, &ack), 0);
	noted("renew request renew stop READY ");
	assert_int_equal(session.run, 12);
	refused(bpmu_session_stop(OWNER, &ack), -EINVAL,
		"the session is not running; start it first");
	refused(bpmu_session_sample(OWNER, &ack), -EINVAL,
		"the session is not running; start it first");
	did[0] = '\0';
	assert_int_equal(bpmu_session_release(OWNER, &ack), 0);
	noted("renew give IDLE " FREED);
	assert_null(session.counted.settings);
	assert_int_equal(session.owner.port, 0);
	assert_int_equal(bpmu_session_release(OWNER, &ack), 0);
	noted("");
}

SESSION(only_the_owner_commands)
{
	struct bpmu_settings copy;

	refused(bpmu_session_start(OWNER, &ack), -ENOTCONN, NONE);
	refused(bpmu_session_stop(OWNER, &ack), -ENOTCONN, NONE);
	begin(true);
	refused(bpmu_session_start(OTHER, &ack), -EBUSY, IN_USE);
	refused(bpmu_session_stop(OTHER, &ack), -EBUSY, IN_USE);
	refused(bpmu_session_sample(OTHER, &ack), -EBUSY, IN_USE);
	refused(bpmu_session_release(OTHER, &ack), -EBUSY, IN_USE);
	refused(bpmu_session_configure(OTHER, &counted, &ack), -EBUSY, IN_USE);
	refused(bpmu_session_swap_settings(OTHER, &copy, &ack), -EBUSY, IN_USE);
	noted("");
	assert_int_equal(bpmu_session_swap_settings(OWNER, &copy, &ack), 0);
	assert_int_equal(copy.number, 21);
}

SESSION(what_a_refused_session_has_is_freed)
{
	online.bits = 1;
	refused(bpmu_session_configure(OWNER, &counted, &ack), -ENODEV,
		"a CPU of BPMU_A_CPUS is absent or offline");
	online.bits = 7;
	session.asleep = true;
	refused(bpmu_session_configure(OWNER, &counted, &ack), -EBUSY,
		"the machine is being suspended or shut down; try again after it resumed");
	session.asleep = false;
	siblings = true;
	refused(bpmu_session_configure(OWNER, &counted, &ack), -EAGAIN,
		"a CPU went offline or came online meanwhile; try again");
	siblings = false;
	noted("");
	no_memory = true;
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), -ENOMEM);
	noted("alloc ");
	no_memory = false;
	slices_error = -ENOSPC;
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), -ENOSPC);
	noted("alloc slices free ");
	assert_null(counted.memory);
	slices_error = 0;
	claim_error = -EADDRINUSE;
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), -EADDRINUSE);
	noted("alloc slices claim free-slices free ");
	claim_error = 0;
	take_error = -EIO;
	assert_int_equal(bpmu_session_configure(OWNER, &counted, &ack), -EIO);
	noted("alloc slices claim get tsc take put unclaim free-slices free ");
	take_error = 0;
	alive = false;
	refused(bpmu_session_configure(OWNER, &counted, &ack), -ENODEV,
		"the module is being unloaded");
	noted("alloc slices claim dying unclaim free-slices free ");
	assert_int_equal(session.run, 10);
	assert_int_equal(session.state, BPMU_STATE_IDLE);
}

SESSION(a_stopped_session_is_replaced)
{
	struct bpmu_counted again = counted;

	begin(false);
	assert_int_equal(bpmu_session_configure(OWNER, &again, &ack), 0);
	noted("renew give IDLE " FREED "alloc slices claim get tsc take READY ");
	assert_int_equal(session.run, 12);
	refused(still_idle(), -EAGAIN, ANOTHER);
}

SESSION(a_swap_keeps_what_it_must)
{
	struct bpmu_settings by;

	begin(true);
	by = settings;
	assert_int_equal(bpmu_session_swap(OWNER, &by, &second, &ack), 0);
	noted("slices-second renew try swap free-slices free-plan ");
	assert_int_equal(second.number, 6);
}

SESSION(a_refused_swap_changes_nothing)
{
	static const char interrupting[] =
		"groups with an event that interrupts cannot be swapped; stop and configure";
	struct bpmu_settings by;

	begin(true);
	by = settings;
	slices_error = -ENOMEM;
	assert_int_equal(bpmu_session_swap(OWNER, &by, &second, &ack), -ENOMEM);
	noted("slices-second ");
	slices_error = 0;
	by.number--;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EAGAIN, ANOTHER);
	noted("slices-second renew free-slices-second ");
	by = settings;
	interrupts = true;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EINVAL, interrupting);
	interrupts = false;
	by.overflows = true;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EINVAL, interrupting);
	by.overflows = false;
	last_bank = 1;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EINVAL,
		"a swap must keep the set of banks: core, uncore, free-running");
	last_bank = 0;
	clash = true;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EINVAL,
		"the threads of a core share the off-core registers of this part: a swap must keep their values");
	clash = false;
	record_size = 101;
	refused(bpmu_session_swap(OWNER, &by, &second, &ack), -EINVAL,
		"a group has more events than the session's records can hold");
	record_size = 100;
	did[0] = '\0';
	try_error = -EIO;
	assert_int_equal(bpmu_session_swap(OWNER, &by, &second, &ack), -EIO);
	noted("slices-second renew try free-slices-second ");
	assert_ptr_equal(session.counted.plan, &plan);
}

SESSION(a_closed_socket_ends_its_session)
{
	begin(true);
	closed = true;
	bpmu_session_port_closed(41);
	noted("");
	closed = false;
	bpmu_session_port_closed(42);
	noted("");
	closed = true;
	bpmu_session_port_closed(42);
	noted("give IDLE " FREED);
}

SESSION(readers_lock_the_session)
{
	static const char owner_only[] =
		"the session's samples name processes: only its owner may read them";
	struct bpmu_session_view view;
	bool owner = true;

	refused(bpmu_session_read_begin(OTHER, true, &view, &owner, &ack), -ENOTCONN, NONE);
	assert_false(owner);
	noted("");
	begin(false);
	refused(bpmu_session_read_begin(OTHER, false, &view, &owner, &ack), -EBUSY, IN_USE);
	assert_int_equal(bpmu_session_read_begin(OTHER, true, &view, &owner, &ack), 0);
	assert_false(owner);
	bpmu_session_view_end();
	settings.who = true;
	refused(bpmu_session_read_begin(OTHER, true, &view, &owner, &ack), -EPERM, owner_only);
	settings.who = false;
	settings.overflows = true;
	refused(bpmu_session_read_begin(OTHER, true, &view, &owner, &ack), -EPERM, owner_only);
	noted("");
	assert_int_equal(bpmu_session_read_begin(OWNER, false, &view, &owner, &ack), 0);
	assert_true(owner);
	assert_int_equal(session_lock.held, 1);
	assert_int_equal(view.state, BPMU_STATE_READY);
	assert_ptr_equal(view.owner, &session.owner);
	assert_ptr_equal(view.counted, &session.counted);
	assert_int_equal(view.run, 11);
	bpmu_session_view_end();
	noted("renew ");
	memset(&view, 0, sizeof(view));
	bpmu_session_view_begin(&view);
	assert_int_equal(session_lock.held, 1);
	assert_int_equal(view.run, 11);
	bpmu_session_view_end();
}

SESSION(busy_counters_are_found_without_a_session_only)
{
	assert_false(bpmu_session_counters_busy());
	noted("reserve release ");
	reserve_error = -EBUSY;
	assert_true(bpmu_session_counters_busy());
	noted("reserve ");
	begin(false);
	assert_false(bpmu_session_counters_busy());
	noted("");
}

SESSION(the_session_follows_the_machine)
{
	bpmu_session_cpu_online(1);
	bpmu_session_cpu_offline(1);
	bpmu_session_device_removed(DEVICE);
	noted("");
	bpmu_session_sleep();
	bpmu_session_wake();
	noted("tsc-sleep tsc-wake ");
	begin(false);
	bpmu_session_cpu_online(1);
	bpmu_session_cpu_offline(1);
	bpmu_session_cpu_online(2);
	bpmu_session_cpu_offline(2);
	bpmu_session_device_removed(DEVICE);
	noted("online offline removed ");
	bpmu_session_sleep();
	bpmu_session_cpu_online(1);
	bpmu_session_cpu_offline(1);
	bpmu_session_device_removed(DEVICE);
	bpmu_session_wake();
	noted("suspend tsc-sleep tsc-wake resume ");
	assert_int_equal(bpmu_session_start(OWNER, &ack), 0);
	did[0] = '\0';
	bpmu_session_cpu_online(1);
	bpmu_session_cpu_offline(1);
	bpmu_session_sleep();
	bpmu_session_wake();
	noted("online-run offline-run suspend tsc-sleep tsc-wake resume-run ");
	bpmu_session_shutdown();
	noted("give IDLE " FREED);
	assert_true(session.asleep);
	bpmu_session_shutdown();
	noted("");
}
