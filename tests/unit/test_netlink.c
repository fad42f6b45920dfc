// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the commands of the module's netlink family: what each refuses, by which sentence and
 * because of which attribute, what reaches the session, and the replies, attribute by attribute.
 * The sources of the module are compiled unchanged; the session is made up.
 */
#define BPMU_RDPMC_H
#define BPMU_INTERRUPTS_H
#include "kernel/genl.h"

#include <libmnl/libmnl.h>

/* The kernel's masks end at nr_cpu_ids, where cpu_online() must not be asked. */
#undef for_each_online_cpu
#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++) \
		if (cpu_online(cpu))

#include "bank.h"

static inline void bpmu_interrupts_start(struct bpmu_bank *bank)
{
}

static inline void bpmu_interrupts_hold(struct bpmu_bank *bank)
{
}

static inline void bpmu_interrupts_stop(struct bpmu_bank *bank)
{
}

u32 bpmu_pebs_most(const struct bpmu_pmu *pmu, bool branches);

#include "../../kmod/netlink/netlink.c"
#include "../../kmod/bank/banks.c"
#include "../../kmod/bank/plan.c"

#include "kernel/log.h"

#define PORT 4711
#define SEQ 99
#define USR BPMU_SEL_USR
#define INSTRUCTIONS (USR | 0xc0)
#define LATENCY (USR | 0x01cd)
#define OFFCORE (USR | 0x01b7)
#define IBS_ALL (BPMU_IBS_AVAIL | BPMU_IBS_FETCHES | BPMU_IBS_OPS | BPMU_IBS_COUNT_OPS)

const struct bpmu_bank_ops bpmu_core_ops, bpmu_uncore_ops, bpmu_free_ops, bpmu_device_ops;
const char bpmu_readers_only[] = "readers only";
unsigned int tsc_khz = 2900000;
unsigned int nr_cpu_ids = 8;
u64 bpmu_tsc_shift;
struct cpuinfo_x86 boot_cpu_data;
struct net init_net;

static const struct bpmu_extra extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, 0, 0x01b7, 0xff },
	{ BPMU_EXTRA_LATENCY, 0, 0x01cd, 0xffff },
	{ 0 }
};

static struct bpmu_cpu_id id;
static struct bpmu_part part;
static struct bpmu_pmu pmus[3];
static char space[16384];
static struct nlmsghdr *message;
static struct netlink_ext_ack extack;
static struct sk_buff *reply;
static bool may_program, may_quietly, may_read, may_prefetch, reservation, busy, has_pebs;
static u64 online, isolated, unmeasurable, sibling_cpus;
static u32 most_records, most_with_branches;
static int session_error, begin_error, view_held, hotplug_held, swap_error;
static const char *called;
static struct bpmu_settings configured, session_settings;
static struct bpmu_plan *configured_plan;
static struct bpmu_counted session_counted;
static struct bpmu_session_view session;
static struct bpmu_core_saved snapshot_of;
static struct bpmu_bank core_bank;
static int snapshot_error, register_error, family_error;
static struct notifier_block *registered;
static const struct genl_family *family;
static bool more;
static u32 closed;
static unsigned int asked_cpu;

/* the machine */
bool cpu_online(unsigned int cpu)
{
	assert_true(cpu < nr_cpu_ids);
	return online >> cpu & 1;
}

bool cpu_is_isolated(unsigned int cpu)
{
	return isolated >> cpu & 1;
}

unsigned int num_online_cpus(void)
{
	return hweight64(online);
}

const struct cpumask *cpumask_of(unsigned int cpu)
{
	static struct cpumask of;

	of.bits = BIT(cpu);
	return &of;
}

const struct cpumask *topology_sibling_cpumask(unsigned int cpu)
{
	static struct cpumask of;

	of.bits = sibling_cpus >> cpu & 1 ? sibling_cpus : BIT(cpu);
	return &of;
}

void cpus_read_lock(void)
{
	assert_int_equal(hotplug_held++, 0);
}

void cpus_read_unlock(void)
{
	assert_int_equal(--hotplug_held, 0);
}

bool boot_cpu_has(enum unit_feature feature)
{
	return feature == X86_FEATURE_PEBS && has_pebs;
}

unsigned long totalram_pages(void)
{
	return 1 << 20;
}

/* CPUs 4 and 5 are of a second core type, CPU 6 is of a third. */
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	if (unmeasurable >> cpu & 1)
		return NULL;
	return &pmus[cpu == 6 ? 2 : cpu / 4];
}

int bpmu_pmu_probe_on(unsigned int cpu)
{
	assert_int_equal(hotplug_held, 1);
	return unmeasurable >> cpu & 1 ? -ENODEV : 0;
}

bool bpmu_pmu_reservation_works(void)
{
	return reservation;
}

u32 bpmu_pebs_most(const struct bpmu_pmu *pmu, bool branches)
{
	return branches ? most_with_branches : most_records;
}

void bpmu_core_setup(const struct bpmu_pmu *pmu, struct bpmu_plan_group *group, bool all)
{
	u32 i;

	more = all;
	for (i = 0; i < group->nr; i++)
		group->setup[0].metrics |= group->event[i].counter == BPMU_COUNTER_METRICS;
}

int bpmu_core_snapshot(unsigned int cpu, struct bpmu_core_saved *now)
{
	assert_int_equal(hotplug_held, 1);
	assert_int_equal(view_held, 1);
	asked_cpu = cpu;
	*now = snapshot_of;
	return snapshot_error;
}

u64 bpmu_core_enabled(const struct bpmu_pmu *pmu, const struct bpmu_core_saved *saved)
{
	return saved->global_ctrl;
}

u32 bpmu_overflow_obstacles(const struct cpumask *cpus)
{
	return cpus->bits == BIT(asked_cpu) ? 0xff : 0;
}

const struct bpmu_bank *bpmu_sampler_bank(unsigned int cpu, unsigned int bank)
{
	assert_int_equal(cpu, asked_cpu);
	assert_int_equal(bank, BPMU_BANK_CORE);
	return &core_bank;
}

/* permissions */
int bpmu_may_program(const struct sk_buff *request, struct netlink_ext_ack *to)
{
	return may_program ? 0 : -EPERM;
}

bool bpmu_may_program_quietly(const struct sk_buff *request)
{
	return may_quietly;
}

bool bpmu_may_switch_prefetchers(const struct sk_buff *request)
{
	return may_prefetch;
}

bool bpmu_may_read(const struct sk_buff *request)
{
	return may_read;
}

struct bpmu_owner_name bpmu_owner_name(const struct bpmu_owner *owner,
				       const struct sk_buff *request)
{
	assert_int_equal(view_held, 1);
	assert_ptr_equal(owner, session.owner);
	return (struct bpmu_owner_name){ .pid = 1234, .comm = "owner" };
}

/* the session */
static int call(const char *what)
{
	assert_null(called);
	called = what;
	return session_error;
}

bool bpmu_session_counters_busy(void)
{
	return busy;
}

int bpmu_session_start(struct sk_buff *request, struct netlink_ext_ack *to)
{
	return call("start");
}

int bpmu_session_stop(struct sk_buff *request, struct netlink_ext_ack *to)
{
	return call("stop");
}

int bpmu_session_sample(struct sk_buff *request, struct netlink_ext_ack *to)
{
	return call("sample");
}

int bpmu_session_release(struct sk_buff *request, struct netlink_ext_ack *to)
{
	return call("release");
}

void bpmu_session_port_closed(u32 port)
{
	closed = port;
}

int bpmu_session_configure(struct sk_buff *request, struct bpmu_counted *counted,
			   struct netlink_ext_ack *to)
{
	int err = call("configure");

	configured = *counted->settings;
	if (err)
		return err;
	configured_plan = counted->plan;
	bpmu_settings_free(counted->settings);
	return 0;
}

int bpmu_session_swap_settings(struct sk_buff *request, struct bpmu_settings *settings,
			       struct netlink_ext_ack *to)
{
	settings->nr_core_types = 1;
	settings->pmu[0] = &pmus[0];
	return swap_error;
}

int bpmu_session_swap(struct sk_buff *request, const struct bpmu_settings *settings,
		      struct bpmu_plan *plan, struct netlink_ext_ack *to)
{
	int err = call("swap");

	if (!err)
		configured_plan = plan;
	return err;
}

void bpmu_session_view_begin(struct bpmu_session_view *view)
{
	assert_int_equal(view_held++, 0);
	*view = session;
}

void bpmu_session_view_end(void)
{
	assert_int_equal(--view_held, 0);
}

int bpmu_session_read_begin(struct sk_buff *request, bool reader, struct bpmu_session_view *view,
			    bool *owner, struct netlink_ext_ack *to)
{
	assert_int_equal(reader, may_read);
	if (!begin_error)
		bpmu_session_view_begin(view);
	return begin_error;
}

/* what other files of the module have */
void bpmu_slices_free(struct bpmu_plan_slices *slices)
{
}

bool bpmu_free_core_shares(unsigned int cpu, unsigned int other)
{
	return false;
}

bool bpmu_free_package_shares(unsigned int cpu, unsigned int other)
{
	return false;
}

bool bpmu_package_shares(unsigned int cpu, unsigned int other)
{
	return false;
}

bool bpmu_uncore_shares(unsigned int cpu, unsigned int other)
{
	return false;
}

bool bpmu_probe_same_l3(unsigned int cpu, unsigned int other)
{
	return false;
}

bool bpmu_probe_same_df(unsigned int cpu, unsigned int other)
{
	return false;
}

int bpmu_devices_attach(struct bpmu_bank *bank)
{
	return 0;
}

int bpmu_umc_attach(struct bpmu_bank *bank)
{
	return 0;
}

int bpmu_netlink_list(struct sk_buff *skb, struct netlink_callback *cb)
{
	return 0;
}

int bpmu_netlink_read_start(struct netlink_callback *cb)
{
	return 0;
}

int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb)
{
	return 0;
}

int bpmu_netlink_read_done(struct netlink_callback *cb)
{
	return 0;
}

const struct bpmu_pmu *bpmu_netlink_pmu(const struct nlattr *attr, struct netlink_ext_ack *to)
{
	return bpmu_pmu_of(attr ? nla_get_u32(attr) : 0);
}

int netlink_register_notifier(struct notifier_block *block)
{
	if (!register_error)
		registered = block;
	return register_error;
}

int netlink_unregister_notifier(struct notifier_block *block)
{
	assert_ptr_equal(block, registered);
	registered = NULL;
	return 0;
}

int genl_register_family(struct genl_family *of)
{
	if (!family_error)
		family = of;
	return family_error;
}

int genl_unregister_family(const struct genl_family *of)
{
	assert_ptr_equal(of, family);
	family = NULL;
	return 0;
}

int genlmsg_reply(struct sk_buff *skb, struct genl_info *info)
{
	assert_int_equal(info->snd_portid, PORT);
	assert_null(reply);
	reply = skb;
	return 0;
}

/* An event of a request; @without: attribute (enum bpmu_event_attr) that it lacks. */
struct event {
	u32 counter, sibling;
	u64 select, filter;
	u32 period, frequency;
	bool precise, data;
	int without;
};

TEST_FIXTURE(setup)
{
	online = 0xf;
	isolated = 0;
	unmeasurable = 0;
	sibling_cpus = 0;
	id = (struct bpmu_cpu_id){ .vendor = BPMU_VENDOR_INTEL };
	part = (struct bpmu_part){
		.name = "made", .title = "Made Up", .ids = &id, .legal = BPMU_SEL_LEGAL,
		.extras = extras, .cpuid_leaf = BPMU_CPUID_PERFMON, .prefetch = 0xf,
		.quirks = BPMU_QUIRK_SMT_LEAK, .data_source = BPMU_DATA_SOURCE_SKL, .lbr = 32,
	};
	pmus[0] = (struct bpmu_pmu){
		.part = &part, .version = 5, .gp_counters = 4, .gp_width = 48, .fixed_counters = 4,
		.fixed_width = 47, .metrics = 8, .global = 1, .absent = 3, .tjmax = 100,
		.free = 0x21, .units = 0xa0e03, .pebs_format = BPMU_DS_ADAPTIVE + 1, .pebs = 0xf,
		.pebs_values = 1, .pebs_metrics = 1, .lbr = { .depth = 16, .calls = 1 },
		.legal = BPMU_SEL_LEGAL,
	};
	pmus[1] = pmus[0];
	pmus[2] = pmus[0];
	may_program = true;
	may_quietly = true;
	may_read = true;
	may_prefetch = true;
	reservation = true;
	has_pebs = false;
	busy = false;
	more = false;
	most_records = 8;
	most_with_branches = 8;
	session_error = 0;
	begin_error = 0;
	swap_error = 0;
	snapshot_error = 0;
	register_error = 0;
	family_error = 0;
	session_settings = (struct bpmu_settings){ };
	session_counted = (struct bpmu_counted){ };
	session = (struct bpmu_session_view){ .counted = &session_counted, .run = 5 };
	memset(&configured, 0, sizeof(configured));
	memory_left = 0;
	message_room = 0;
	message = NULL;
	called = NULL;
	return bpmu_netlink_init();
}

static void forget(void)
{
	bpmu_plan_free(configured_plan);
	configured_plan = NULL;
	nlmsg_free(reply);
	reply = NULL;
	called = NULL;
}

TEST_FIXTURE(teardown)
{
	forget();
	bpmu_netlink_exit();
	assert_null(registered);
	assert_null(family);
	return 0;
}

static void begin(u8 cmd)
{
	struct genlmsghdr *head;

	forget();
	memset(space, 0, sizeof(space));
	message = mnl_nlmsg_put_header(space);
	message->nlmsg_seq = SEQ;
	head = mnl_nlmsg_put_extra_header(message, sizeof(*head));
	head->cmd = cmd;
}

static void put_request_event(const struct event *event)
{
	struct nlattr *nest = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);

	if (event->without != BPMU_A_EVENT_COUNTER)
		mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, event->counter);
	if (event->without != BPMU_A_EVENT_SELECT)
		mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, event->select);
	if (event->sibling)
		mnl_attr_put_u32(message, BPMU_A_EVENT_SIBLING, event->sibling);
	if (event->filter)
		mnl_attr_put_u64(message, BPMU_A_EVENT_FILTER, event->filter);
	if (event->period)
		mnl_attr_put_u32(message, BPMU_A_EVENT_PERIOD, event->period);
	if (event->frequency)
		mnl_attr_put_u32(message, BPMU_A_EVENT_FREQUENCY, event->frequency);
	if (event->precise)
		mnl_attr_put(message, BPMU_A_EVENT_PRECISE, 0, NULL);
	if (event->data)
		mnl_attr_put(message, BPMU_A_EVENT_DATA, 0, NULL);
	mnl_attr_nest_end(message, nest);
}

/* Adds a group of the type @attr with @nr events to the request. */
static void put_request_group(int attr, const struct event *events, unsigned int nr)
{
	struct nlattr *nest = mnl_attr_nest_start(message, attr);

	for (; nr; nr--)
		put_request_event(events++);
	mnl_attr_nest_end(message, nest);
}

static int send_request(void)
{
	struct sk_buff request = {
		.data = (void *)message, .len = message->nlmsg_len, .size = sizeof(space),
		.portid = PORT,
	};
	int err;

	extack = (struct netlink_ext_ack){ };
	err = genl_receive(family, &request, &extack);
	assert_int_equal(view_held, 0);
	assert_int_equal(hotplug_held, 0);
	return err;
}

/* Sends the request, which is refused because of its attribute of type @attr, 0 for none. */
static void is_refused(int err, const char *sentence, int attr)
{
	assert_int_equal(send_request(), err);
	assert_string_equal(extack._msg ? extack._msg : "", sentence);
	assert_int_equal(extack.bad_attr ? nla_type(extack.bad_attr) : 0, attr);
	assert_null(called);
	assert_null(reply);
}

/* Begins a request of a session on CPUs 0 and 1 with one core group. */
static void begin_configure(const struct event *events, unsigned int nr)
{
	static const u32 cpus[] = { 0, 1 };

	begin(BPMU_CMD_CONFIGURE);
	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpus), cpus);
	put_request_group(BPMU_A_GROUP, events, nr);
}

static void is_configured(void)
{
	int err = send_request();

	if (err)
		print_message("refused: %s\n", extack._msg);
	assert_int_equal(err, 0);
	assert_string_equal(called, "configure");
}

struct refused_event {
	struct event event;
	int attr;
	const char *sentence;
};

#define PRECISE .counter = 1, .select = INSTRUCTIONS, .period = 1000, .precise = true

TEST_BETWEEN(events_are_refused_by_sentences_about_an_attribute, setup, teardown)
{
	static const struct refused_event cases[] = {
		{ { .select = USR, .without = BPMU_A_EVENT_COUNTER }, BPMU_A_GROUP_EVENT,
		  "BPMU_A_EVENT_COUNTER is missing" },
		{ { .without = BPMU_A_EVENT_SELECT }, BPMU_A_GROUP_EVENT,
		  "BPMU_A_EVENT_SELECT is missing" },
		{ { .counter = 4, .select = USR }, BPMU_A_EVENT_COUNTER,
		  "this CPU has no counter of that number" },
		{ { .counter = 36, .select = USR }, BPMU_A_EVENT_COUNTER,
		  "this CPU has no counter of that number" },
		{ { .counter = 64, .select = USR }, BPMU_A_EVENT_COUNTER,
		  "this CPU has no counter of that number" },
		{ { .select = USR, .sibling = 4 }, BPMU_A_EVENT_SIBLING,
		  "the sibling thread cannot count the event on that counter" },
		{ { .select = USR, .sibling = 32 }, BPMU_A_EVENT_SIBLING,
		  "the sibling thread cannot count the event on that counter" },
		{ { .counter = 32, .select = USR, .sibling = 3 }, BPMU_A_EVENT_SIBLING,
		  "the sibling thread cannot count the event on that counter" },
		{ { .counter = 32, .select = USR, .sibling = 33 }, BPMU_A_EVENT_SIBLING,
		  "the sibling thread cannot count the event on that counter" },
		{ { .select = USR | BPMU_SEL_INT | BPMU_SEL_PC }, BPMU_A_EVENT_SELECT,
		  "INT (bit 20) is set by the module for BPMU_A_EVENT_PERIOD; leave it 0" },
		{ { .select = USR | BPMU_SEL_PC | BPMU_SEL_EN }, BPMU_A_EVENT_SELECT,
		  "PC (pin control, bit 19) is refused" },
		{ { .select = USR | BPMU_SEL_EN | 1ULL << 40 }, BPMU_A_EVENT_SELECT,
		  "EN (enable, bit 22) is set by the module; leave it 0" },
		{ { .select = USR | 1ULL << 40 }, BPMU_A_EVENT_SELECT,
		  "a bit in 63:32 is reserved on this part" },
		{ { .select = USR | 1ULL << 32 }, BPMU_A_EVENT_SELECT,
		  "a bit in 63:32 is reserved on this part" },
		{ { .counter = 32, .select = USR | 0xc0 }, BPMU_A_EVENT_SELECT,
		  "a fixed counter has no event and no filter: only USR, OS and ANY are legal" },
		{ { .counter = 48, .select = 0x800 }, BPMU_A_EVENT_SELECT,
		  "PERF_METRICS has no event select: only USR, OS and bits 10:8 may be set" },
		{ { .select = OFFCORE, .filter = 0x100 }, BPMU_A_EVENT_FILTER,
		  "a bit of the event's extra register is reserved on this part" },
		{ { .select = INSTRUCTIONS, .filter = 1 }, BPMU_A_EVENT_FILTER,
		  "the event does not use these bits of its box's filter, or there is no filter; leave them 0" },
		{ { .counter = 32, .select = USR, .filter = 1 }, BPMU_A_EVENT_FILTER,
		  "the event does not use these bits of its box's filter, or there is no filter; leave them 0" },
		{ { .select = USR, .period = 1000, .frequency = 1 }, BPMU_A_EVENT_FREQUENCY,
		  "an event has a period or a frequency, not both" },
		{ { .counter = 48, .period = 1000 }, BPMU_A_EVENT_PERIOD,
		  "only a general or fixed counter of the core interrupts" },
		{ { .counter = 48, .frequency = 10 }, BPMU_A_EVENT_FREQUENCY,
		  "only a general or fixed counter of the core interrupts" },
		{ { .select = INSTRUCTIONS, .precise = true }, BPMU_A_EVENT_PRECISE,
		  "an event with precise records needs BPMU_A_EVENT_PERIOD or BPMU_A_EVENT_FREQUENCY" },
		{ { .counter = 32, .select = USR, .period = 1000, .precise = true },
		  BPMU_A_EVENT_PRECISE, "events of this counter have no precise records" },
		{ { .select = LATENCY, .filter = 3 }, BPMU_A_EVENT_SELECT,
		  "the load latency is only counted with BPMU_A_EVENT_PRECISE" },
		{ { .select = LATENCY, .filter = 2, .period = 1000, .precise = true },
		  BPMU_A_EVENT_SELECT,
		  "the load latency needs a threshold of 3 cycles or more as its filter" },
		{ { .select = INSTRUCTIONS, .period = 1000, .data = true }, BPMU_A_EVENT_DATA,
		  "only precise records have the address of data: set BPMU_A_EVENT_PRECISE" },
		{ { PRECISE, .data = true }, BPMU_A_EVENT_DATA,
		  "this part's records of this event have no memory access, as those of loads or stores have" },
		{ { .select = 0xc0 }, BPMU_A_GROUP,
		  "without USR (bit 16) and OS (bit 17) an event counts nothing; set one of them" },
		{ { .counter = 48 }, BPMU_A_GROUP, "PERF_METRICS needs fixed counter 3 in its group" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		begin_configure(&cases[i].event, 1);
		is_refused(-EINVAL, cases[i].sentence, cases[i].attr);
	}
}

TEST_BETWEEN(events_at_the_bounds_are_configured, setup, teardown)
{
	static const struct event legal[] = {
		{ .counter = 3, .select = BPMU_SEL_OS | 0xc0 },
		{ .counter = 35, .select = USR }, { .select = USR, .sibling = 3 },
		{ .counter = 32, .select = USR, .sibling = 32 },
		{ .select = OFFCORE, .filter = 0xff },
		{ .select = USR, .period = BPMU_MIN_PERIOD },
		{ .select = USR, .period = BPMU_MAX_PERIOD },
		{ .select = USR, .frequency = 1 },
		{ .select = USR, .frequency = BPMU_MAX_FREQUENCY },
		{ .select = LATENCY, .filter = 3, .period = 1000, .precise = true },
		{ .select = LATENCY, .filter = 3, .period = 1000, .precise = true, .data = true },
	};
	const struct bpmu_plan_event *event;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(legal); i++) {
		begin_configure(&legal[i], 1);
		is_configured();
		event = &configured_plan->groups[BPMU_BANK_CORE][0].group->event[0];
		assert_int_equal(configured_plan->groups[BPMU_BANK_CORE][0].group->nr, 1);
		assert_int_equal(event->counter, legal[i].counter);
		assert_int_equal(event->sibling, legal[i].sibling ?: legal[i].counter);
		assert_int_equal(event->select, legal[i].select);
		assert_int_equal(event->filter, legal[i].filter);
		assert_int_equal(configured_plan->groups[BPMU_BANK_CORE][0].group->filter,
				 legal[i].filter);
		assert_int_equal(event->period, legal[i].frequency ? 1000 : legal[i].period);
		assert_int_equal(event->frequency, legal[i].frequency);
		assert_int_equal(event->precise, legal[i].precise);
		assert_int_equal(event->data, legal[i].data);
		assert_int_equal(configured.overflows, legal[i].period || legal[i].frequency);
		assert_int_equal(configured.precise, legal[i].precise);
		assert_int_equal(configured.data, legal[i].data);
	}
}

TEST_BETWEEN(precise_records_are_refused_by_what_the_part_lacks, setup, teardown)
{
	const struct event precise = { PRECISE };
	const struct event load = { .select = LATENCY, .filter = 3, .period = 1000, .precise = true };

	pmus[0].pebs = 0;
	begin_configure(&precise, 1);
	is_refused(-EINVAL,
		   "this part has no precise records (PEBS) in a format that the module reads",
		   BPMU_A_EVENT_PRECISE);
	boot_cpu_data = (struct cpuinfo_x86){
		.x86_model = 0x2a, .x86_stepping = 7, .microcode = 0x27,
	};
	has_pebs = true;
	begin_configure(&precise, 1);
	is_refused(-EINVAL,
		   "precise records (PEBS) have errata with this CPU's microcode; update it",
		   BPMU_A_EVENT_PRECISE);
	boot_cpu_data.microcode = 0x28;
	begin_configure(&precise, 1);
	is_refused(-EINVAL,
		   "this part has no precise records (PEBS) in a format that the module reads",
		   BPMU_A_EVENT_PRECISE);
	part.cpuid_leaf = 0;
	begin_configure(&precise, 1);
	is_refused(-EINVAL, "this part writes no precise records (PEBS)", BPMU_A_EVENT_PRECISE);
	part.cpuid_leaf = BPMU_CPUID_PERFMON;
	pmus[0].pebs = 0xf;
	part.quirks |= BPMU_QUIRK_LOADS_AUX;
	begin_configure(&load, 1);
	is_configured();
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_GROUP, &(struct event){
		.select = LATENCY, .filter = 3, .period = 1000, .precise = true, .data = true,
	}, 1);
	is_refused(-EINVAL,
		   "the load latency needs its auxiliary event in the same group on this part, see BPMU_A_EVENT_DATA",
		   BPMU_A_GROUP);
}

TEST_BETWEEN(groups_are_refused_as_a_whole, setup, teardown)
{
	const struct event twice[] = {
		{ .counter = 1, .select = USR }, { .counter = 1, .select = USR },
	};
	const struct event sibling[] = {
		{ .counter = 1, .select = USR }, { .counter = 2, .sibling = 1, .select = USR },
	};
	const struct event filters[] = {
		{ .select = OFFCORE, .filter = 1 },
		{ .counter = 1, .select = OFFCORE, .filter = 2 },
	};
	const struct event metrics[] = {
		{ .counter = 35, .select = USR }, { .counter = 48 },
	};

	begin_configure(twice, 0);
	is_refused(-EINVAL, "a group without an event", BPMU_A_GROUP);
	begin_configure(twice, 2);
	is_refused(-EINVAL, "this counter has an event already", BPMU_A_GROUP_EVENT);
	begin_configure(sibling, 2);
	is_refused(-EINVAL, "this counter has an event already", BPMU_A_GROUP_EVENT);
	begin_configure(filters, 2);
	is_refused(-EINVAL,
		   "two events of the group need different values of one extra register; use the other off-core event for one of them, or put them into two groups",
		   BPMU_A_GROUP_EVENT);
	begin_configure(metrics, 2);
	is_configured();
	begin(BPMU_CMD_CONFIGURE);
	is_refused(-EINVAL, "BPMU_A_GROUP is missing", 0);
	begin_configure(twice, 1);
	put_request_group(BPMU_A_GROUP, twice, 1);
	is_refused(-EINVAL,
		   "several groups are multiplexed by the interval: BPMU_A_INTERVAL_NS is missing",
		   0);
	begin_configure(twice, 1);
	put_request_group(BPMU_A_OTHER_GROUP, twice, 1);
	is_refused(-EINVAL, "all CPUs have one core type: use BPMU_A_GROUP", BPMU_A_OTHER_GROUP);
}

/*
 * An attribute of a request, and what becomes of it. @size: 0 for a flag. @needs: 'p' for an event
 * with a period, 'P' for one with precise records.
 */
struct option {
	int attr;
	unsigned int size;
	u64 value;
	char needs;
	int err;
	const char *sentence;
};

static void begin_with(const struct option *option)
{
	const struct event event = {
		.counter = 1, .select = INSTRUCTIONS, .period = option->needs ? 1000 : 0,
		.precise = option->needs == 'P',
	};

	begin_configure(&event, 1);
	mnl_attr_put(message, option->attr, option->size, &option->value);
}

TEST_BETWEEN(attributes_are_refused_beyond_their_bounds, setup, teardown)
{
	static const char range[] = "integer out of range";
	static const struct option cases[] = {
		{ BPMU_A_TIMER, 4, BPMU_TIMER_TICK + 1, 0, -ERANGE, range },
		{ BPMU_A_BUFFER_SAMPLES, 4, 7, 0, -ERANGE, range },
		{ BPMU_A_BUFFER_SAMPLES, 4, 65537, 0, -ERANGE, range },
		{ BPMU_A_WATERMARK, 4, 0, 0, -ERANGE, range },
		{ BPMU_A_TOP, 4, 0, 0, -ERANGE, range },
		{ BPMU_A_TOP, 4, 0x80000000, 0, -ERANGE, range },
		{ BPMU_A_CHAIN, 4, 0, 'p', -ERANGE, range },
		{ BPMU_A_CHAIN, 4, BPMU_MAX_CHAIN + 1, 'p', -ERANGE, range },
		{ BPMU_A_BRANCHES, 4, BPMU_BRANCH_KIND_CALLS + 1, 'p', -ERANGE, range },
		{ BPMU_A_BATCH, 4, 0, 'P', -ERANGE, range },
		{ BPMU_A_BATCH, 4, BPMU_MAX_BATCH + 1, 'P', -ERANGE, range },
		{ BPMU_A_CHECK, 4, 16, 0, -EINVAL, "reserved bit set" },
		{ BPMU_A_WHO, 4, 0, 0, -ERANGE, "a flag has no payload" },
		{ BPMU_A_TAKE_OVER, 4, 0, 0, -ERANGE, "a flag has no payload" },
		{ BPMU_A_COUNTS, 4, 0, 'P', -ERANGE, "a flag has no payload" },
		{ BPMU_A_CPUS, 2, 0, 0, -ERANGE, "too short" },
		{ BPMU_A_INTERVAL_NS, 4, 0, 0, -EINVAL, "invalid attribute length" },
		{ BPMU_A_PREFETCH, 8, 0, 0, -EINVAL, "invalid attribute length" },
		{ BPMU_A_GROUP, 0, 0, 0, -EINVAL, "NLA_F_NESTED is missing" },
		{ BPMU_A_OTHER_GROUP, 0, 0, 0, -EINVAL, "NLA_F_NESTED is missing" },
		{ BPMU_A_UNCORE_GROUP, 0, 0, 0, -EINVAL, "NLA_F_NESTED is missing" },
		{ BPMU_A_FREE_GROUP, 0, 0, 0, -EINVAL, "NLA_F_NESTED is missing" },
		{ BPMU_A_RUN, 4, 0, 0, -EINVAL, "Unsupported attribute" },
		{ BPMU_A_INFO_CPU, 4, 0, 0, -EINVAL, "Unsupported attribute" },
		{ BPMU_A_CPUS, 6, 2, 0, -EINVAL,
		  "the length of BPMU_A_CPUS is not a multiple of 4" },
		{ BPMU_A_CPUS, 4, 8, 0, -ENODEV, "a CPU of BPMU_A_CPUS is absent or offline" },
		{ BPMU_A_CPUS, 4, 4, 0, -ENODEV, "a CPU of BPMU_A_CPUS is absent or offline" },
		{ BPMU_A_CPUS, 8, 0x200000002, 0, -EINVAL, "BPMU_A_CPUS names a CPU twice" },
		{ BPMU_A_INTERVAL_NS, 8, 1, 0, -EINVAL, "an interval is at least 100000 ns" },
		{ BPMU_A_INTERVAL_NS, 8, 99999, 0, -EINVAL, "an interval is at least 100000 ns" },
		{ BPMU_A_INTERVAL_NS, 8, 1ULL << 62, 0, -EINVAL,
		  "a counter could wrap twice in that interval; choose a shorter one" },
		{ BPMU_A_WATERMARK, 4, 125, 0, -EINVAL,
		  "the watermark cannot be reached: periodic samples leave BPMU_RESERVED_SAMPLES of the buffer free" },
		{ BPMU_A_PREFETCH, 4, 0x10, 0, -EINVAL,
		  "a bit that controls no prefetcher; BPMU_A_INFO_PREFETCH has those that do" },
		{ BPMU_A_CHAIN, 4, 1, 0, -EINVAL,
		  "only an event that interrupts has call chains: give one a period" },
		{ BPMU_A_BRANCHES, 4, 0, 0, -EINVAL,
		  "only an event that interrupts has branch records: give one a period" },
		{ BPMU_A_COUNTS, 0, 0, 0, -EINVAL,
		  "only an event that interrupts has precise records: give one a period" },
		{ BPMU_A_BATCH, 4, 2, 0, -EINVAL,
		  "only an event that interrupts has precise records: give one a period" },
		{ BPMU_A_BRANCHES, 4, BPMU_BRANCH_KIND_CALLS, 'p', -EINVAL,
		  "a call stack is part of the call chains: BPMU_A_CHAIN is missing" },
		{ BPMU_A_CHECK, 4, BPMU_CHECK_PERIOD, 0, -EINVAL,
		  "PERIOD and FREEZE are for events that interrupt: give one a period" },
		{ BPMU_A_CHECK, 4, BPMU_CHECK_FREEZE, 0, -EINVAL,
		  "PERIOD and FREEZE are for events that interrupt: give one a period" },
		{ BPMU_A_TOP, 4, 1, 'p', -EINVAL,
		  "an event that interrupts has a period: BPMU_A_TOP cannot set its counter as well" },
		{ BPMU_A_BATCH, 4, 2, 'p', -EINVAL,
		  "many records an interrupt are for precise records: each event that interrupts needs BPMU_A_EVENT_PRECISE and BPMU_A_EVENT_PERIOD" },
		{ BPMU_A_BATCH, 4, 9, 'P', -EINVAL,
		  "one page takes precise records, as page tables are isolated: BPMU_A_BATCH is too large" },
		{ BPMU_A_COUNTS, 0, 0, 'p', -EINVAL,
		  "only precise records have counts: each event that interrupts needs BPMU_A_EVENT_PRECISE" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		begin_with(&cases[i]);
		is_refused(cases[i].err, cases[i].sentence, cases[i].attr);
	}
}

TEST_BETWEEN(attributes_at_their_bounds_reach_the_session, setup, teardown)
{
	static const struct option cases[] = {
		{ BPMU_A_TOP, 4, 1 }, { BPMU_A_TOP, 4, INT_MAX },
		{ BPMU_A_CHECK, 4, BPMU_CHECK_LEAK }, { BPMU_A_CHECK, 4, BPMU_CHECK_SELECT },
		{ BPMU_A_CHECK, 4, 15, 'p' },
		{ BPMU_A_PREFETCH, 4, 0 }, { BPMU_A_PREFETCH, 4, 0xf },
		{ BPMU_A_CHAIN, 4, 1, 'p' }, { BPMU_A_CHAIN, 4, BPMU_MAX_CHAIN, 'p' },
		{ BPMU_A_BRANCHES, 4, 0, 'p' }, { BPMU_A_BATCH, 4, 8, 'P' },
		{ BPMU_A_BATCH, 4, 1 }, { BPMU_A_COUNTS, 0, 0, 'P' },
		{ BPMU_A_TAKE_OVER, 0 }, { BPMU_A_WHO, 0 },
		{ BPMU_A_WATERMARK, 4, 1 }, { BPMU_A_WATERMARK, 4, 124 },
		{ BPMU_A_BUFFER_SAMPLES, 4, 8 }, { BPMU_A_BUFFER_SAMPLES, 4, 9 },
		{ BPMU_A_BUFFER_SAMPLES, 4, 65536 },
		{ BPMU_A_INTERVAL_NS, 8, 0 }, { BPMU_A_INTERVAL_NS, 8, 100000 },
		{ BPMU_A_INTERVAL_NS, 8, 7999999 }, { BPMU_A_INTERVAL_NS, 8, 8000000 },
		{ BPMU_A_INTERVAL_NS, 8, 1000000000 },
		{ BPMU_A_TIMER, 4, BPMU_TIMER_AUTO }, { BPMU_A_TIMER, 4, BPMU_TIMER_HARD },
		{ BPMU_A_TIMER, 4, BPMU_TIMER_TICK },
	};
	static const struct {
		u64 interval;
		u32 samples;
	} defaults[] = {
		{ 0, 128 }, { 100000, 65536 }, { 7999999, 512 }, { 8000000, 512 },
		{ 1000000000, 256 },
	};
	const struct option *option;
	unsigned int i, j;
	u32 samples;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		option = &cases[i];
		begin_with(option);
		is_configured();
		assert_int_equal(configured.top, option->attr == BPMU_A_TOP ? option->value : 0);
		assert_int_equal(configured.check,
				 option->attr == BPMU_A_CHECK ? option->value : 0);
		assert_int_equal(configured.prefetchers, option->attr == BPMU_A_PREFETCH);
		assert_int_equal(configured.prefetch,
				 option->attr == BPMU_A_PREFETCH ? option->value : 0);
		assert_int_equal(configured.chain,
				 option->attr == BPMU_A_CHAIN ? option->value : 0);
		assert_int_equal(configured.branches, option->attr == BPMU_A_BRANCHES);
		assert_int_equal(more, option->attr == BPMU_A_BRANCHES ||
				       option->attr == BPMU_A_COUNTS);
		assert_int_equal(configured.batch,
				 option->attr == BPMU_A_BATCH ? option->value : 1);
		assert_int_equal(configured.counts, option->attr == BPMU_A_COUNTS);
		assert_int_equal(configured.take_over, option->attr == BPMU_A_TAKE_OVER);
		assert_int_equal(configured.who, option->attr == BPMU_A_WHO);
		assert_int_equal(configured.interval_ns,
				 option->attr == BPMU_A_INTERVAL_NS ? option->value : 0);
		assert_int_equal(configured.tick,
				 (option->attr == BPMU_A_INTERVAL_NS && option->value >= 8000000) ||
				 (option->attr == BPMU_A_TIMER && option->value == BPMU_TIMER_TICK));
		samples = option->needs ? 8192 : 128;
		for (j = 0; j < ARRAY_SIZE(defaults); j++)
			if (option->attr == BPMU_A_INTERVAL_NS && option->value == defaults[j].interval)
				samples = defaults[j].samples;
		if (option->attr == BPMU_A_BUFFER_SAMPLES)
			samples = option->value == 9 ? 16 : option->value;
		assert_int_equal(configured.buffer_samples, samples);
		assert_int_equal(configured.watermark, option->attr == BPMU_A_WATERMARK ?
						       option->value : samples / 2);
		assert_int_equal(configured.overflows, option->needs != 0);
		assert_int_equal(configured.nr_core_types, 1);
		assert_ptr_equal(configured.pmu[0], &pmus[0]);
	}
}

TEST_BETWEEN(commands_without_attributes_go_to_the_session, setup, teardown)
{
	static const struct {
		u8 cmd;
		const char *name;
		bool program;
	} commands[] = {
		{ BPMU_CMD_START, "start", true }, { BPMU_CMD_STOP, "stop" },
		{ BPMU_CMD_SAMPLE, "sample" }, { BPMU_CMD_RELEASE, "release" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		session_error = 0;
		begin(commands[i].cmd);
		assert_int_equal(send_request(), 0);
		assert_string_equal(called, commands[i].name);
		session_error = -EBUSY;
		begin(commands[i].cmd);
		assert_int_equal(send_request(), -EBUSY);
		begin(commands[i].cmd);
		mnl_attr_put_u32(message, BPMU_A_PAD, 1);
		is_refused(-EINVAL, "Unsupported attribute", BPMU_A_PAD);
		begin(commands[i].cmd);
		mnl_attr_put_u32(message, BPMU_A_PAD + 1, 1);
		is_refused(-EINVAL, "Unknown attribute type", BPMU_A_PAD + 1);
		may_program = false;
		begin(commands[i].cmd);
		assert_int_equal(send_request(), commands[i].program ? -EPERM : -EBUSY);
		may_program = true;
	}
}

TEST_BETWEEN(a_closed_port_of_generic_netlink_is_told_to_the_session, setup, teardown)
{
	struct net other;
	struct netlink_notify notify = { &init_net, PORT, NETLINK_GENERIC };

	closed = 0;
	registered->notifier_call(registered, NETLINK_URELEASE + 1, &notify);
	notify.net = &other;
	registered->notifier_call(registered, NETLINK_URELEASE, &notify);
	notify.net = &init_net;
	notify.protocol = NETLINK_ROUTE;
	registered->notifier_call(registered, NETLINK_URELEASE, &notify);
	assert_int_equal(closed, 0);
	notify.protocol = NETLINK_GENERIC;
	assert_int_equal(registered->notifier_call(registered, NETLINK_URELEASE, &notify),
			 NOTIFY_DONE);
	assert_int_equal(closed, PORT);
}

TEST_BETWEEN(what_fails_to_register_leaves_nothing_registered, NULL, NULL)
{
	register_error = -ENOMEM;
	assert_int_equal(bpmu_netlink_init(), -ENOMEM);
	assert_null(family);
	register_error = 0;
	family_error = -EEXIST;
	assert_int_equal(bpmu_netlink_init(), -EEXIST);
	assert_null(registered);
	family_error = 0;
}

static char expected_space[8192];
static struct nlmsghdr *expected;

/* Begins the reply that is expected. */
static void expect(u8 cmd)
{
	struct genlmsghdr *head;

	memset(expected_space, 0, sizeof(expected_space));
	expected = mnl_nlmsg_put_header(expected_space);
	expected->nlmsg_seq = SEQ;
	expected->nlmsg_pid = PORT;
	head = mnl_nlmsg_put_extra_header(expected, sizeof(*head));
	head->cmd = cmd;
	head->version = BPMU_FAMILY_VERSION;
}

/* Sends the request, and compares the reply with the expected one, attribute by attribute. */
static void is_replied(void)
{
	const struct nlattr *attr, *of;

	assert_int_equal(send_request(), 0);
	assert_non_null(reply);
	of = mnl_nlmsg_get_payload_offset((void *)reply->data, GENL_HDRLEN);
	mnl_attr_for_each(attr, expected, GENL_HDRLEN) {
		assert_int_equal(of->nla_type, attr->nla_type);
		assert_memory_equal(of, attr, attr->nla_len);
		of = mnl_attr_next(of);
	}
	assert_int_equal(reply->len, expected->nlmsg_len);
	assert_memory_equal(reply->data, expected, expected->nlmsg_len);
}

static void expect_info(void)
{
	struct nlattr *nest;

	expect(BPMU_CMD_GET_INFO);
	mnl_attr_put_u32(expected, BPMU_A_INFO_STATE, BPMU_STATE_READY);
	mnl_attr_put_u32(expected, BPMU_A_INFO_OWNER_PID, 1234);
	mnl_attr_put_strz(expected, BPMU_A_INFO_OWNER_COMM, "owner");
	mnl_attr_put_strz(expected, BPMU_A_INFO_MODULE_VERSION, BPMU_MODULE_VERSION);
	mnl_attr_put_strz(expected, BPMU_A_INFO_PART, "made");
	mnl_attr_put_strz(expected, BPMU_A_INFO_PART_TITLE, "Made Up");
	mnl_attr_put_u32(expected, BPMU_A_INFO_PMU_VERSION, 5);
	mnl_attr_put_u32(expected, BPMU_A_INFO_GP_COUNTERS, 4);
	mnl_attr_put_u32(expected, BPMU_A_INFO_GP_WIDTH, 48);
	mnl_attr_put_u32(expected, BPMU_A_INFO_FIXED_COUNTERS, 3);
	mnl_attr_put_u32(expected, BPMU_A_INFO_FIXED_WIDTH, 47);
	mnl_attr_put_u64(expected, BPMU_A_INFO_SELECT_MASK, BPMU_SEL_LEGAL);
	mnl_attr_put_u32(expected, BPMU_A_INFO_METRICS, 8);
	mnl_attr_put_u32(expected, BPMU_A_INFO_ABSENT, 7);
	mnl_attr_put_u64(expected, BPMU_A_INFO_PRECISE, 0xf);
	mnl_attr_put_u32(expected, BPMU_A_INFO_BRANCHES, 16);
	mnl_attr_put_u32(expected, BPMU_A_INFO_BATCH, 9);
	mnl_attr_put_u32(expected, BPMU_A_INFO_IBS, 0x81f);
	mnl_attr_put_u32(expected, BPMU_A_INFO_PEBS, BPMU_DS_ADAPTIVE + 1);
	mnl_attr_put_u32(expected, BPMU_A_INFO_GLOBAL, 1);
	mnl_attr_put_u64(expected, BPMU_A_INFO_FREE, 0x21);
	mnl_attr_put_u64(expected, BPMU_A_INFO_UNITS, 0xa0e03);
	mnl_attr_put_u32(expected, BPMU_A_INFO_TJMAX, 100);
	mnl_attr_put_u32(expected, BPMU_A_INFO_PREFETCH, 0xf);
	nest = mnl_attr_nest_start(expected, BPMU_A_INFO_BOX);
	mnl_attr_put_u32(expected, BPMU_A_BOX_UNIT, 0);
	mnl_attr_put_u32(expected, BPMU_A_BOX_NR, 12);
	mnl_attr_put_u32(expected, BPMU_A_BOX_COUNTERS, 2);
	mnl_attr_nest_end(expected, nest);
	nest = mnl_attr_nest_start(expected, BPMU_A_INFO_BOX);
	mnl_attr_put_u32(expected, BPMU_A_BOX_UNIT, BPMU_UNITS - 1);
	mnl_attr_put_u32(expected, BPMU_A_BOX_NR, 13);
	mnl_attr_put_u32(expected, BPMU_A_BOX_COUNTERS, 6);
	mnl_attr_nest_end(expected, nest);
	mnl_attr_put_u32(expected, BPMU_A_INFO_FAMILY, 6);
	mnl_attr_put_u32(expected, BPMU_A_INFO_MODEL, 0x55);
	mnl_attr_put_u32(expected, BPMU_A_INFO_STEPPING, 11);
	mnl_attr_put_u32(expected, BPMU_A_INFO_TSC_KHZ, 2900000);
	mnl_attr_put_u32(expected, BPMU_A_INFO_CPUS_ONLINE, 4);
}

static void make_machine(void)
{
	boot_cpu_data = (struct cpuinfo_x86){
		.x86 = 6, .x86_model = 0x55, .x86_stepping = 11,
	};
	session.state = BPMU_STATE_READY;
	pmus[0].fixed_counters = 3;
	pmus[0].absent = 7;
	pmus[0].ibs = 0x81f;
	most_records = 9;
	pmus[0].nr[0] = 12;
	pmus[0].counters[0] = 2;
	pmus[0].nr[BPMU_UNITS - 1] = 13;
	pmus[0].counters[BPMU_UNITS - 1] = 6;
}

static void expect_registers(u64 foreign, u32 obstacles)
{
	mnl_attr_put_u64(expected, BPMU_A_INFO_STATUS, 0x77);
	mnl_attr_put(expected, BPMU_A_INFO_SELECTS, 4 * sizeof(u64), snapshot_of.select);
	mnl_attr_put_u64(expected, BPMU_A_INFO_FOREIGN, foreign);
	mnl_attr_put_u32(expected, BPMU_A_INFO_OBSTACLES, obstacles);
}

TEST_BETWEEN(the_machine_is_described_in_one_message, setup, teardown)
{
	make_machine();
	begin(BPMU_CMD_GET_INFO);
	expect_info();
	is_replied();
	busy = true;
	begin(BPMU_CMD_GET_INFO);
	mnl_attr_put(expected, BPMU_A_INFO_BUSY, 0, NULL);
	is_replied();
	may_quietly = false;
	begin(BPMU_CMD_GET_INFO);
	mnl_attr_put_u32(message, BPMU_A_INFO_CPU, 1);
	expect_info();
	is_replied();
	unmeasurable = 1;
	begin(BPMU_CMD_GET_INFO);
	assert_int_equal(send_request(), -ENODEV);
}

TEST_BETWEEN(the_registers_of_a_named_cpu_are_described, setup, teardown)
{
	static const struct {
		struct bpmu_settings settings;
		u32 gone;
	} of[] = {
		{ { }, 0 }, { { .branches = true }, BPMU_OBSTACLE_BRANCHES },
		{ { .precise = true }, BPMU_OBSTACLE_STORE }, { { .ops = true }, BPMU_OBSTACLE_IBS },
		{ { .fetches = true }, BPMU_OBSTACLE_IBS_FETCH },
	};
	static struct bpmu_plan_groups groups;
	unsigned int i;

	make_machine();
	snapshot_of = (struct bpmu_core_saved){
		.select = { 1, 2, 3, 4, 5 }, .global_status = 0x77, .global_ctrl = 0x33,
	};
	core_bank = (struct bpmu_bank){ };
	begin(BPMU_CMD_GET_INFO);
	mnl_attr_put_u32(message, BPMU_A_INFO_CPU, 2);
	expect_info();
	expect_registers(0x33, 0xff);
	is_replied();
	assert_int_equal(asked_cpu, 2);
	snapshot_error = -EIO;
	begin(BPMU_CMD_GET_INFO);
	mnl_attr_put_u32(message, BPMU_A_INFO_CPU, 2);
	expect_info();
	is_replied();
	snapshot_error = 0;
	core_bank.groups = &groups;
	for (i = 0; i < ARRAY_SIZE(of); i++) {
		session_settings = of[i].settings;
		session_counted.settings = &session_settings;
		begin(BPMU_CMD_GET_INFO);
		mnl_attr_put_u32(message, BPMU_A_INFO_CPU, 3);
		expect_info();
		expect_registers(0, 0xff & ~of[i].gone);
		is_replied();
	}
}

TEST_BETWEEN(a_message_that_is_too_short_or_missing_is_an_error, setup, teardown)
{
	unsigned int whole;

	make_machine();
	begin(BPMU_CMD_GET_INFO);
	assert_int_equal(send_request(), 0);
	whole = reply->len;
	for (message_room = 4; message_room < whole; message_room += 4) {
		begin(BPMU_CMD_GET_INFO);
		assert_int_equal(send_request(), -EMSGSIZE);
		assert_null(reply);
	}
	message_room = whole;
	begin(BPMU_CMD_GET_INFO);
	assert_int_equal(send_request(), 0);
	begin(BPMU_CMD_GET_INFO);
	memory_left = 1;
	assert_int_equal(send_request(), -ENOMEM);
}

TEST_BETWEEN(a_swap_hands_its_groups_to_the_session, setup, teardown)
{
	const struct event event = { .counter = 2, .select = USR };

	begin(BPMU_CMD_SWAP);
	put_request_group(BPMU_A_GROUP, &event, 1);
	assert_int_equal(send_request(), 0);
	assert_string_equal(called, "swap");
	assert_int_equal(configured_plan->groups[BPMU_BANK_CORE][0].group->event[0].counter, 2);
	begin(BPMU_CMD_SWAP);
	mnl_attr_put_u32(message, BPMU_A_CHECK, 1);
	is_refused(-EINVAL, "Unsupported attribute", BPMU_A_CHECK);
	begin(BPMU_CMD_SWAP);
	is_refused(-EINVAL, "BPMU_A_GROUP is missing", 0);
	swap_error = -EBUSY;
	begin(BPMU_CMD_SWAP);
	put_request_group(BPMU_A_GROUP, &event, 1);
	is_refused(-EBUSY, "", 0);
	swap_error = 0;
	session_error = -ESTALE;
	begin(BPMU_CMD_SWAP);
	put_request_group(BPMU_A_GROUP, &event, 1);
	assert_int_equal(send_request(), -ESTALE);
}

TEST_BETWEEN(a_session_that_fails_to_begin_gets_no_reply, setup, teardown)
{
	const struct event event = { .counter = 2, .select = USR };
	int left;

	begin_configure(&event, 1);
	is_configured();
	assert_int_equal(reply->len, 28);
	assert_int_equal(*(u32 *)(reply->data + 24), configured.record_size);
	session_error = -EBUSY;
	begin_configure(&event, 1);
	assert_int_equal(send_request(), -EBUSY);
	assert_null(reply);
	session_error = 0;
	for (left = 1; left < 5; left++) {
		begin_configure(&event, 1);
		memory_left = left;
		assert_int_equal(send_request(), -ENOMEM);
		assert_null(called);
	}
	memory_left = 0;
	may_program = false;
	begin_configure(&event, 1);
	is_refused(-EPERM, "", 0);
}

/* Adds an event to the expected reply that has only a counter, on both threads. */
static void expect_event(u32 counter)
{
	struct nlattr *nest = mnl_attr_nest_start(expected, BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(expected, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u64(expected, BPMU_A_EVENT_SELECT, 0);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_SIBLING, counter);
	mnl_attr_nest_end(expected, nest);
}

TEST_BETWEEN(a_plan_is_described_with_its_settings, setup, teardown)
{
	static struct bpmu_plan_group groups[2], uncore, free_group;
	static struct bpmu_plan plan;
	struct cpumask cpus = { 0x85 };
	static const u32 numbers[] = { 0, 2, 7 };
	struct nlattr *nest, *inner;

	groups[0].nr = 2;
	groups[0].event[0] = (struct bpmu_plan_event){
		.counter = 1, .sibling = 2, .select = 0x1234567890, .filter = 0x99, .period = 5000,
		.precise = true, .data = true,
	};
	groups[0].event[1] = (struct bpmu_plan_event){
		.counter = 32, .sibling = 32, .select = USR, .period = 1000, .frequency = 77,
	};
	groups[1].nr = 1;
	groups[1].event[0] = (struct bpmu_plan_event){ .counter = 3, .sibling = 3 };
	uncore.nr = 1;
	uncore.event[0] = (struct bpmu_plan_event){ .counter = 64, .sibling = 64 };
	free_group.nr = 1;
	free_group.event[0] = (struct bpmu_plan_event){ .counter = 256, .sibling = 256 };
	plan = (struct bpmu_plan){ .number = 21 };
	plan.groups[BPMU_BANK_CORE][0] = (struct bpmu_plan_groups){ 1, &groups[0] };
	plan.groups[BPMU_BANK_CORE][1] = (struct bpmu_plan_groups){ 1, &groups[1] };
	plan.groups[BPMU_BANK_UNCORE][0] = (struct bpmu_plan_groups){ 1, &uncore };
	plan.groups[BPMU_BANK_FREE_THREAD][0] = (struct bpmu_plan_groups){ 1, &free_group };
	session_settings = (struct bpmu_settings){
		.cpus = &cpus, .buffer_samples = 256, .record_size = 48, .tick = true, .chain = 12,
		.branches = true, .batch = 2, .counts = true, .interval_ns = 123456789,
	};
	session_counted.settings = &session_settings;
	session_counted.plan = &plan;
	begin(BPMU_CMD_GET_PLAN);
	expect(BPMU_CMD_GET_PLAN);
	mnl_attr_put(expected, BPMU_A_CPUS, sizeof(numbers), numbers);
	mnl_attr_put_u32(expected, BPMU_A_TIMER, BPMU_TIMER_TICK);
	mnl_attr_put_u32(expected, BPMU_A_BUFFER_SAMPLES, 256);
	mnl_attr_put_u32(expected, BPMU_A_RECORD_SIZE, 48);
	mnl_attr_put_u32(expected, BPMU_A_CHAIN, 12);
	mnl_attr_put_u32(expected, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	mnl_attr_put_u32(expected, BPMU_A_BATCH, 2);
	mnl_attr_put(expected, BPMU_A_COUNTS, 0, NULL);
	mnl_attr_put_u64(expected, BPMU_A_INTERVAL_NS, 123456789);
	nest = mnl_attr_nest_start(expected, BPMU_A_GROUP);
	inner = mnl_attr_nest_start(expected, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_COUNTER, 1);
	mnl_attr_put_u64(expected, BPMU_A_EVENT_SELECT, 0x1234567890);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_SIBLING, 2);
	mnl_attr_put_u64(expected, BPMU_A_EVENT_FILTER, 0x99);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_PERIOD, 5000);
	mnl_attr_put(expected, BPMU_A_EVENT_PRECISE, 0, NULL);
	mnl_attr_put(expected, BPMU_A_EVENT_DATA, 0, NULL);
	mnl_attr_nest_end(expected, inner);
	inner = mnl_attr_nest_start(expected, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_COUNTER, 32);
	mnl_attr_put_u64(expected, BPMU_A_EVENT_SELECT, USR);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_SIBLING, 32);
	mnl_attr_put_u32(expected, BPMU_A_EVENT_FREQUENCY, 77);
	mnl_attr_nest_end(expected, inner);
	mnl_attr_nest_end(expected, nest);
	nest = mnl_attr_nest_start(expected, BPMU_A_OTHER_GROUP);
	expect_event(3);
	mnl_attr_nest_end(expected, nest);
	nest = mnl_attr_nest_start(expected, BPMU_A_UNCORE_GROUP);
	expect_event(64);
	mnl_attr_nest_end(expected, nest);
	nest = mnl_attr_nest_start(expected, BPMU_A_FREE_GROUP);
	expect_event(256);
	mnl_attr_nest_end(expected, nest);
	mnl_attr_put_u32(expected, BPMU_A_PLAN, 21);
	mnl_attr_put_u32(expected, BPMU_A_RUN, 5);
	mnl_attr_put_u32(expected, BPMU_A_INFO_STATE, session.state);
	mnl_attr_put_u32(expected, BPMU_A_INFO_OWNER_PID, 1234);
	mnl_attr_put_strz(expected, BPMU_A_INFO_OWNER_COMM, "owner");
	is_replied();
	begin_error = -EBUSY;
	begin(BPMU_CMD_GET_PLAN);
	is_refused(-EPERM, "readers only", 0);
	begin_error = -ENOENT;
	begin(BPMU_CMD_GET_PLAN);
	is_refused(-ENOENT, "", 0);
	begin_error = 0;
	begin(BPMU_CMD_GET_PLAN);
	memory_left = 1;
	is_refused(-ENOMEM, "", 0);
}

TEST_BETWEEN(interrupts_refuse_what_the_part_cannot_record, setup, teardown)
{
	const struct option branches = { BPMU_A_BRANCHES, 4, 0, 'p' };
	const struct option batch = { BPMU_A_BATCH, 4, 2, 'P' };
	const struct option counts = { BPMU_A_COUNTS, 0, 0, 'P' };
	const struct option freeze = { BPMU_A_CHECK, 4, BPMU_CHECK_FREEZE, 'p' };
	const struct option prefetch = { BPMU_A_PREFETCH, 4, 1 };
	const struct option take_over = { BPMU_A_TAKE_OVER, 0 };

	pmus[0].lbr.depth = 0;
	begin_with(&branches);
	is_refused(-EINVAL, "this part has branch records (LBR), but the hypervisor shows none",
		   BPMU_A_BRANCHES);
	part.lbr = 0;
	begin_with(&branches);
	is_refused(-EINVAL, "this part has no branch records (LBR) that the module reads",
		   BPMU_A_BRANCHES);
	id.vendor = BPMU_VENDOR_AMD;
	begin_with(&branches);
	is_refused(-EINVAL, "the module reads no branch records of AMD's parts (LbrExtV2)",
		   BPMU_A_BRANCHES);
	most_records = 1;
	begin_with(&batch);
	is_refused(-EINVAL,
		   "this part's precise records lack the time: each has an interrupt of its own",
		   BPMU_A_BATCH);
	begin_with(&batch);
	mnl_attr_put_u32(message, BPMU_A_CHAIN, 3);
	is_refused(-EINVAL,
		   "a record that the CPU writes without an interrupt has neither call chains nor, on this part, branch records",
		   BPMU_A_BATCH);
	begin_with(&batch);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	is_refused(-EINVAL,
		   "counts are of one record an interrupt: BPMU_A_BATCH goes not with BPMU_A_COUNTS",
		   BPMU_A_BATCH);
	pmus[0].pebs_values = 0;
	begin_with(&counts);
	is_refused(-EINVAL, "this part's precise records lack the counters", BPMU_A_COUNTS);
	part.cpuid_leaf = 0;
	begin_with(&freeze);
	is_refused(-EINVAL,
		   "this part cannot stop its counters when it raises an interrupt", BPMU_A_CHECK);
	part.prefetch = 0;
	begin_with(&prefetch);
	is_refused(-EINVAL, "the prefetchers of this part cannot be switched", BPMU_A_PREFETCH);
	part.prefetch = 1;
	may_prefetch = false;
	begin_with(&prefetch);
	is_refused(-EPERM, "switching prefetchers needs CAP_SYS_RAWIO as well", BPMU_A_PREFETCH);
	reservation = false;
	begin_with(&take_over);
	is_refused(-EINVAL,
		   "on this part counters of perf cannot be told from those that firmware enabled: they cannot be taken over",
		   BPMU_A_TAKE_OVER);
}

TEST_BETWEEN(leaking_events_need_an_idle_sibling, setup, teardown)
{
	const struct event leak = { .counter = 1, .select = USR | 0xd1 };
	const struct event apart = { .counter = 1, .sibling = 2, .select = USR | 0xd1 };
	const struct option check = { BPMU_A_CHECK, 4, BPMU_CHECK_LEAK };

	begin_configure(&leak, 1);
	is_configured();
	assert_false(configured.siblings);
	sibling_cpus = 3;
	begin_configure(&leak, 1);
	is_refused(-EINVAL,
		   "events D0 to D3 leak into the sibling's counter of the same index (BJ122, BV98, HSD29), which must be idle; use BPMU_A_EVENT_SIBLING, or one thread of each core",
		   0);
	begin_configure(&apart, 1);
	is_configured();
	assert_true(configured.siblings);
	begin_configure(&leak, 1);
	mnl_attr_put_u32(message, check.attr, check.value);
	is_configured();
	part.quirks = 0;
	begin_configure(&leak, 1);
	is_configured();
}

TEST_BETWEEN(two_core_types_have_groups_of_their_own, setup, teardown)
{
	const struct event event = { .counter = 1, .select = USR };
	static const u32 three[] = { 0, 4, 6 };
	const struct event free_register = { .counter = 256 };

	online = 0x3f;
	isolated = 2;
	unmeasurable = 4;
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_GROUP, &event, 1);
	is_refused(-EINVAL,
		   "the CPUs have two core types: BPMU_A_GROUP is for that of the lowest CPU, BPMU_A_OTHER_GROUP for the other; give both, or choose CPUs of one core type, which BPMU_CMD_GET_INFO lists",
		   0);
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_GROUP, &event, 1);
	put_request_group(BPMU_A_OTHER_GROUP, &event, 1);
	put_request_group(BPMU_A_FREE_GROUP, &free_register, 1);
	is_configured();
	assert_int_equal(configured.nr_core_types, 2);
	assert_ptr_equal(configured.pmu[0], &pmus[0]);
	assert_ptr_equal(configured.pmu[1], &pmus[1]);
	assert_int_equal(configured_plan->groups[BPMU_BANK_CORE][1].nr, 1);
	assert_int_equal(configured_plan->groups[BPMU_BANK_FREE_THREAD][0].nr, 1);
	pmus[1].free = 0;
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_FREE_GROUP, &free_register, 1);
	is_refused(-EINVAL,
		   "only one of the core types has that register; choose CPUs of one core type",
		   BPMU_A_FREE_GROUP);
	pmus[1].free = 0x21;
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_FREE_GROUP, &free_register, 1);
	put_request_group(BPMU_A_FREE_GROUP, &free_register, 1);
	is_refused(-EINVAL,
		   "free-running registers are not multiplexed: at most one group each for registers of threads, cores and packages",
		   BPMU_A_FREE_GROUP);
	online = 0x7f;
	begin(BPMU_CMD_CONFIGURE);
	mnl_attr_put(message, BPMU_A_CPUS, sizeof(three), three);
	put_request_group(BPMU_A_GROUP, &event, 1);
	is_refused(-EINVAL,
		   "the CPUs have three core types, and a session measures two at most: name the CPUs of two",
		   BPMU_A_CPUS);
	unmeasurable = 0xff;
	begin(BPMU_CMD_CONFIGURE);
	put_request_group(BPMU_A_GROUP, &event, 1);
	is_refused(-ENODEV,
		   "every CPU is isolated or cannot be measured; name the CPUs to measure", 0);
	begin_configure(&event, 1);
	is_refused(-ENODEV,
		   "a CPU of BPMU_A_CPUS has a core type that the module cannot measure; see the kernel's log",
		   BPMU_A_CPUS);
}

TEST_BETWEEN(only_new_formats_have_precise_events_beside_the_load_latency, setup, teardown)
{
	const struct event events[] = {
		{ .select = LATENCY, .filter = 3, .period = 1000, .precise = true }, { PRECISE },
	};

	begin_configure(events, 2);
	is_configured();
	pmus[0].pebs_format = BPMU_DS_ADAPTIVE;
	begin_configure(events, 1);
	is_configured();
	begin_configure(events + 1, 1);
	is_configured();
	begin_configure(events, 2);
	is_refused(-EINVAL,
		   "on this part no other event is precise beside the load latency", BPMU_A_GROUP);
}
