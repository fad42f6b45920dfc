// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module takes, starts, hands over and gives the counters of all CPUs of a
 * session, on made-up samplers and banks that note what is asked of them. The source of the module
 * is compiled unchanged.
 */
#include "kernel/module.h"

/* what stands in for the header of sampling clocks */
#define BPMU_CLOCK_H
#define BPMU_CLOCK_NAP_NS 100000000ULL

#include "../../kmod/session/counters.c"

#include "kernel/log.h"

#define CORE BPMU_BANK_CORE
#define UNCORE BPMU_BANK_UNCORE
#define THREAD BPMU_BANK_FREE_THREAD
#define PACKAGE BPMU_BANK_FREE_PACKAGE
#define LAST BPMU_BANK_MAX
#define CPUS 4

unsigned int nr_cpu_ids = CPUS;

static struct cpumask cpus, online, isolated;
static struct bpmu_part part;
static struct bpmu_pmu pmu = { .part = &part };
static struct bpmu_settings settings;
static struct bpmu_plan plan;
static struct bpmu_sampler_memory memory[CPUS];
static struct bpmu_counted counted;
static struct netlink_ext_ack ack;
static struct bpmu_bank banks[CPUS][BPMU_BANKS];
static unsigned int this_cpu;
static u32 core_type[CPUS];
/* errors of what is asked for */
static int take_error[CPUS][BPMU_BANKS], try_error[CPUS], prefetch_error[CPUS];
static int claim_error[2], reserve_error[2], overflows_claim_error, overflows_error;
static char did[4096];

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
	size_t used = strlen(did);
	va_list args;

	va_start(args, format);
	used += vsnprintf(did + used, sizeof(did) - used, format, args);
	va_end(args);
	assert_true(used < sizeof(did));
}

/* Compares what was asked of samplers and banks since the last call with a text. */
static void noted(const char *expected)
{
	char text[sizeof(did)];

	strcpy(text, did);
	did[0] = '\0';
	assert_string_equal(text, expected);
}

static void refused(const char *sentence)
{
	assert_non_null(ack._msg);
	assert_string_equal(ack._msg, sentence);
	ack._msg = NULL;
}

static int claim(u8 unit, const struct cpumask *of, struct netlink_ext_ack *extack)
{
	assert_ptr_equal(of, &cpus);
	assert_ptr_equal(extack, &ack);
	note("claim %u ", unit);
	return claim_error[unit == 9];
}

static void unclaim(u8 unit)
{
	note("unclaim %u ", unit);
}

static int reserve_core(const struct bpmu_settings *of, struct netlink_ext_ack *extack)
{
	assert_ptr_equal(of, &settings);
	assert_ptr_equal(extack, &ack);
	note("reserve core ");
	return reserve_error[0];
}

static int reserve_last(const struct bpmu_settings *of, struct netlink_ext_ack *extack)
{
	(void)of;
	(void)extack;
	note("reserve last ");
	return reserve_error[1];
}

static void unreserve_core(void)
{
	note("unreserve core ");
}

static void unreserve_last(void)
{
	note("unreserve last ");
}

/* The removed device holds the counters of package 1. */
static bool needs(const struct bpmu_bank *bank, unsigned int cpu, const struct pci_dev *pci)
{
	assert_ptr_equal(bank, &banks[cpu][bank->id]);
	assert_ptr_equal(pci, (void *)0x100);
	return cpu >= 2;
}

/* Two CPUs are of one package. */
static bool shares(unsigned int cpu, unsigned int other)
{
	return cpu / 2 == other / 2;
}

static const struct bpmu_bank_ops plain = { .busy_error = -EADDRINUSE };

static const struct bpmu_bank_ops of_core = {
	.busy_error = -EBUSY, .reserve = reserve_core, .unreserve = unreserve_core,
};

static const struct bpmu_bank_ops of_uncore = {
	.busy_error = -EADDRINUSE, .claim = claim, .unclaim = unclaim, .needs = needs,
};

static const struct bpmu_bank_ops of_last = {
	.busy_error = -EADDRINUSE, .claim = claim, .unclaim = unclaim,
	.reserve = reserve_last, .unreserve = unreserve_last,
};

const struct bpmu_bank_type bpmu_bank_types[BPMU_BANKS] = {
	[CORE] = { .ops = &of_core, .is_core = true, .busy = "busy core" },
	[UNCORE] = {
		.ops = &of_uncore, .shares = shares, .unit = 5,
		.busy = "busy uncore", .busy_unbound = "busy unbound", .unlike = "unlike uncore",
	},
	[THREAD] = { .ops = &plain, .busy = "busy thread" },
	[BPMU_BANK_FREE_CORE] = { .ops = &plain },
	[PACKAGE] = { .ops = &plain, .shares = shares, .all_core_types = true },
	[PACKAGE + 1 ... LAST - 1] = { .ops = &of_last },
	[LAST] = { .ops = &of_last, .shares = shares, .unit = 9, .unlike = "unlike last" },
};

bool cpu_online(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &online);
}

bool cpu_is_isolated(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &isolated);
}

u32 bpmu_settings_core_type(const struct bpmu_settings *of, unsigned int cpu)
{
	assert_ptr_equal(of, &settings);
	return core_type[cpu];
}

bool bpmu_plan_uses(const struct bpmu_plan *of, enum bpmu_bank_id bank)
{
	return of->groups[bank][0].nr;
}

int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg)
{
	int err;

	assert_true(cpu < CPUS);
	this_cpu = cpu;
	err = fn(arg);
	assert_true(err <= 0);
	return err;
}

int bpmu_cpu_run(const struct cpumask *of, int (*fn)(void *arg), void *arg)
{
	unsigned int cpu;
	int err = 0, first = 0;

	assert_ptr_equal(of, &cpus);
	for_each_cpu(cpu, of)
		if (cpu_online(cpu)) {
			err = bpmu_cpu_run_on(cpu, fn, arg);
			first = first ?: err;
		}
	return first;
}

int bpmu_prefetch_take(const struct bpmu_settings *of, unsigned int cpu)
{
	assert_ptr_equal(of, &settings);
	note("prefetch@%u ", cpu);
	return prefetch_error[cpu];
}

void bpmu_prefetch_give(const struct bpmu_settings *of, unsigned int cpu)
{
	assert_ptr_equal(of, &settings);
	note("fetch@%u ", cpu);
}

int bpmu_overflows_claim(const struct bpmu_settings *of, struct netlink_ext_ack *extack)
{
	assert_ptr_equal(of, &settings);
	assert_ptr_equal(extack, &ack);
	note("claim interrupts ");
	return overflows_claim_error;
}

void bpmu_overflows_unclaim(const struct bpmu_settings *of)
{
	assert_ptr_equal(of, &settings);
	note("unclaim interrupts ");
}

int bpmu_overflows_begin(const struct bpmu_settings *of, struct netlink_ext_ack *extack)
{
	assert_ptr_equal(of, &settings);
	assert_ptr_equal(extack, &ack);
	note("begin ");
	return overflows_error;
}

void bpmu_overflows_end(const struct bpmu_settings *of)
{
	assert_ptr_equal(of, &settings);
	note("end ");
}

void bpmu_events_failure(const struct bpmu_failure_info *info)
{
	note("failure(%u, %u, %d) ", info->cpu, info->what, info->error);
}

void bpmu_sampler_install(unsigned int cpu, const struct bpmu_settings *of,
			  struct bpmu_sampler_memory *to)
{
	assert_ptr_equal(of, &settings);
	assert_ptr_equal(to, &memory[cpu]);
	note("install@%u ", cpu);
}

void bpmu_sampler_remove(unsigned int cpu)
{
	note("remove@%u ", cpu);
}

void bpmu_sampler_reset(unsigned int cpu)
{
	note("reset@%u ", cpu);
}

void bpmu_sampler_flag(unsigned int cpu, u32 flag, bool set)
{
	assert_int_equal(flag, BPMU_SAMPLE_PREFETCH);
	if (set)
		note("flag@%u ", cpu);
}

void bpmu_sampler_lend(unsigned int cpu, bool lends)
{
	if (lends)
		note("lend@%u ", cpu);
}

void bpmu_sampler_watch(unsigned int cpu, unsigned int watched)
{
	if (watched != CPUS)
		note("watch%u@%u ", watched, cpu);
}

int bpmu_sampler_take(const struct bpmu_plan *of, enum bpmu_bank_id id)
{
	struct bpmu_bank *bank = &banks[this_cpu][id];

	note("take%u@%u ", id, this_cpu);
	if (take_error[this_cpu][id])
		return take_error[this_cpu][id];
	*bank = (struct bpmu_bank){ .id = id, .ops = bpmu_bank_types[id].ops };
	bank->groups = &of->groups[id][0];
	return 0;
}

void bpmu_sampler_lose(const struct bpmu_plan *of, enum bpmu_bank_id id)
{
	assert_ptr_equal(of, &plan);
	note("lose%u@%u ", id, this_cpu);
	banks[this_cpu][id].lost = true;
}

void bpmu_sampler_drop(enum bpmu_bank_id id)
{
	note("drop%u@%u ", id, this_cpu);
	banks[this_cpu][id].groups = NULL;
	banks[this_cpu][id].lost = true;
}

void bpmu_sampler_give(void)
{
	note("give@%u ", this_cpu);
	memset(banks[this_cpu], 0, sizeof(banks[this_cpu]));
}

void bpmu_sampler_start(u32 why)
{
	note("start%x@%u ", why, this_cpu);
}

void bpmu_sampler_stop(u32 why)
{
	note("stop%x@%u ", why, this_cpu);
}

void bpmu_sampler_fail(const struct bpmu_plan *of, u32 why)
{
	assert_ptr_equal(of, &plan);
	note("fail%x@%u ", why, this_cpu);
}

void bpmu_sampler_request(void)
{
	note("request@%u ", this_cpu);
}

int bpmu_sampler_try(const struct bpmu_plan *of, enum bpmu_bank_id id)
{
	assert_ptr_not_equal(of, &plan);
	note("try%u@%u ", id, this_cpu);
	return try_error[this_cpu];
}

void bpmu_sampler_swap(const struct bpmu_plan *of)
{
	assert_ptr_equal(of, &plan);
	note("swap@%u ", this_cpu);
}

const struct bpmu_bank *bpmu_sampler_bank(unsigned int cpu, enum bpmu_bank_id bank)
{
	assert_true(cpu < CPUS && bank < BPMU_BANKS);
	return &banks[cpu][bank];
}

TEST_FIXTURE(setup)
{
	cpus.bits = 0xf;
	online.bits = 0xf;
	isolated.bits = 0;
	memset(banks, 0, sizeof(banks));
	memset(core_type, 0, sizeof(core_type));
	memset(take_error, 0, sizeof(take_error));
	memset(try_error, 0, sizeof(try_error));
	memset(prefetch_error, 0, sizeof(prefetch_error));
	memset(claim_error, 0, sizeof(claim_error));
	memset(reserve_error, 0, sizeof(reserve_error));
	memset(failures, 0, sizeof(failures));
	overflows_claim_error = 0;
	overflows_error = 0;
	settings = (struct bpmu_settings){
		.cpus = &cpus, .pmu = { &pmu, &pmu }, .nr_core_types = 1,
		.interval_ns = 1000000, .tick = true,
	};
	memset(&part, 0, sizeof(part));
	memset(&plan, 0, sizeof(plan));
	plan.groups[CORE][0].nr = 2;
	plan.groups[UNCORE][0].nr = 1;
	counted = (struct bpmu_counted){
		.settings = &settings, .plan = &plan, .memory = memory,
	};
	ack._msg = NULL;
	did[0] = '\0';
	memory_left = 0;
	return 0;
}

#define COUNTERS(name) TEST_BETWEEN(name, setup, NULL)

#define INSTALLED "install@0 install@1 install@2 install@3 "
#define GIVEN "fetch@0 fetch@1 fetch@2 fetch@3 give@0 give@1 give@2 give@3 "
#define REMOVED "remove@0 remove@1 remove@2 remove@3 "
#define PREFETCHED "prefetch@0 prefetch@1 prefetch@2 prefetch@3 "
#define TAKEN "take0@0 take0@1 take0@2 take0@3 take1@0 take1@2 "

/* Takes all counters of the session, without a note. */
static void take(void)
{
	assert_int_equal(bpmu_counters_take(&counted, &ack), 0);
	did[0] = '\0';
}

COUNTERS(devices_are_claimed_once_and_unclaimed_backwards)
{
	plan.groups[LAST][0].nr = 1;
	assert_int_equal(bpmu_counters_claim(&counted, &ack), 0);
	assert_true(counted.claimed);
	noted("claim 5 claim 9 claim interrupts ");
	bpmu_counters_unclaim(&counted);
	assert_false(counted.claimed);
	noted("unclaim interrupts unclaim 9 unclaim 5 ");
	bpmu_counters_unclaim(&counted);
	noted("");
	claim_error[0] = -ENODEV;
	assert_int_equal(bpmu_counters_claim(&counted, &ack), -ENODEV);
	noted("claim 5 ");
	claim_error[0] = 0;
	claim_error[1] = -EADDRINUSE;
	assert_int_equal(bpmu_counters_claim(&counted, &ack), -EADDRINUSE);
	noted("claim 5 claim 9 unclaim 5 ");
	claim_error[1] = 0;
	overflows_claim_error = -EOPNOTSUPP;
	assert_int_equal(bpmu_counters_claim(&counted, &ack), -EOPNOTSUPP);
	assert_false(counted.claimed);
	noted("claim 5 claim 9 claim interrupts unclaim 9 unclaim 5 ");
}

COUNTERS(one_cpu_takes_a_bank_that_several_share)
{
	plan.groups[LAST][0].nr = 1;
	memset(failures, -1, sizeof(failures));
	assert_int_equal(bpmu_counters_take(&counted, &ack), 0);
	noted("reserve core reserve last begin " INSTALLED TAKEN
	      "take19@0 take19@2 " PREFETCHED);
	assert_int_equal(failures[0][0], 0);
	assert_int_equal(failures[3][FAILURES - 1], 0);
	assert_int_equal(failures[4][0], -1);
	bpmu_counters_give(&counted);
	noted(GIVEN "end " REMOVED "unreserve last unreserve core ");
}

COUNTERS(cpus_of_another_core_type_read_no_shared_bank_without_its_registers)
{
	core_type[0] = 1;
	core_type[2] = 1;
	core_type[3] = 1;
	plan.groups[PACKAGE][0].nr = 1;
	assert_int_equal(bpmu_counters_take(&counted, &ack), 0);
	noted("reserve core begin " INSTALLED
	      "take0@0 take0@1 take0@2 take0@3 take1@1 take4@0 take4@2 " PREFETCHED);
	/* CPU 1 has the bank of its package, from CPU 0 on */
	assert_false(must_take(&settings, PACKAGE, 1));
	assert_false(must_take(&settings, UNCORE, 0));
	assert_true(must_take(&settings, CORE, 1));
}

COUNTERS(a_failed_step_undoes_what_came_before)
{
	plan.groups[LAST][0].nr = 1;
	reserve_error[0] = -EBUSY;
	assert_int_equal(bpmu_counters_take(&counted, &ack), -EBUSY);
	noted("reserve core ");
	reserve_error[0] = 0;
	reserve_error[1] = -EBUSY;
	assert_int_equal(bpmu_counters_take(&counted, &ack), -EBUSY);
	noted("reserve core reserve last unreserve core ");
	reserve_error[1] = 0;
	overflows_error = -EOPNOTSUPP;
	assert_int_equal(bpmu_counters_take(&counted, &ack), -EOPNOTSUPP);
	noted("reserve core reserve last begin unreserve last unreserve core ");
	overflows_error = 0;
	prefetch_error[1] = -EIO;
	assert_int_equal(bpmu_counters_take(&counted, &ack), -EIO);
	noted("reserve core reserve last begin " INSTALLED TAKEN
	      "take19@0 take19@2 prefetch@0 prefetch@1 " GIVEN "end " REMOVED
	      "unreserve last unreserve core ");
	refused("the prefetchers cannot be switched; firmware may lock them");
	/* of two CPUs with a shared bank the second fails, and no third is asked */
	take_error[0][UNCORE] = -EIO;
	assert_int_equal(bpmu_counters_take(&counted, &ack), -EIO);
	noted("reserve core reserve last begin " INSTALLED
	      "take0@0 take0@1 take0@2 take0@3 take1@0 "
	      GIVEN "end " REMOVED "unreserve last unreserve core ");
	online.bits = 0xb;
	bpmu_counters_give(&counted);
	noted("fetch@0 fetch@1 fetch@3 give@0 give@1 give@3 end " REMOVED
	      "unreserve last unreserve core ");
}

COUNTERS(each_error_of_a_bank_has_its_sentence)
{
	static const char dead[] = "a counter register does not work; a hypervisor may hide it";
	static const char ibs[] =
		"a register of counters or of IBS does not work; a hypervisor may hide it";
	static const struct {
		enum bpmu_bank_id bank;
		int err;
		const char *sentence;
		bool mchbar;
		bool ops, fetches;
	} cases[] = {
		{ CORE, -EBUSY, "busy core" },
		{ CORE, -EBUSY, "busy core", true },
		{ CORE, -EIO, dead },
		{ CORE, -EIO, ibs, false, true },
		{ CORE, -EIO, ibs, false, false, true },
		{ UNCORE, -EIO, dead, false, true, true },
		{ UNCORE, -EADDRINUSE, "busy uncore" },
		{ UNCORE, -EADDRINUSE, "busy unbound", true },
		{ UNCORE, -ENODEV, "unlike uncore" },
	};
	const struct bpmu_mchbar mchbar = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(take_error, 0, sizeof(take_error));
		take_error[2][cases[i].bank] = cases[i].err;
		part.mchbar = NULL;
		if (cases[i].mchbar)
			part.mchbar = &mchbar;
		settings.ops = cases[i].ops;
		settings.fetches = cases[i].fetches;
		assert_int_equal(bpmu_counters_take(&counted, &ack), cases[i].err);
		refused(cases[i].sentence);
	}
}

COUNTERS(a_run_starts_without_earlier_samples_and_ends_with_a_last_one)
{
	take();
	settings.tick = false;
	bpmu_counters_start(&counted);
	noted("reset@0 reset@1 reset@2 reset@3 start1@0 start1@1 start1@2 start1@3 ");
	bpmu_counters_request(&counted);
	noted("request@0 request@1 request@2 request@3 ");
	bpmu_counters_swap(&counted);
	noted("swap@0 swap@1 swap@2 swap@3 ");
	bpmu_counters_stop(&counted);
	noted("stop2@0 stop2@1 stop2@2 stop2@3 ");
	bpmu_counters_suspend(&counted);
	noted("stop10@0 stop10@1 stop10@2 stop10@3 " GIVEN);
}

COUNTERS(a_swap_is_tried_on_each_cpu_and_bank)
{
	struct bpmu_plan other = { };

	other.groups[CORE][0].nr = 1;
	other.groups[UNCORE][0].nr = 1;
	assert_int_equal(bpmu_counters_try(&counted, &other, &ack), 0);
	noted("try0@0 try0@1 try0@2 try0@3 try1@0 try1@1 try1@2 try1@3 ");
	assert_null(ack._msg);
	try_error[2] = -EIO;
	assert_int_equal(bpmu_counters_try(&counted, &other, &ack), -EIO);
	noted("try0@0 try0@1 try0@2 try0@3 ");
	refused("a register of the new groups does not work on one of the CPUs; the old groups are counted on");
	try_error[2] = -ENODEV;
	other.groups[CORE][0].nr = 0;
	assert_int_equal(bpmu_counters_try(&counted, &other, &ack), -ENODEV);
	noted("try1@0 try1@1 try1@2 try1@3 ");
	refused("unlike uncore");
}

#define RESET "reset@0 reset@1 reset@2 reset@3 "
#define STARTED "start1@0 start1@1 start1@2 start1@3 "

COUNTERS(sleeping_readers_are_watched_by_cpus_of_their_package)
{
	take();
	bpmu_counters_start(&counted);
	noted(RESET "lend@0 watch0@1 lend@2 watch2@3 " STARTED);
	settings.interval_ns = BPMU_CLOCK_NAP_NS;
	bpmu_counters_start(&counted);
	noted(RESET STARTED);
	settings.interval_ns--;
	isolated.bits = 0x8;
	bpmu_counters_start(&counted);
	noted(RESET "lend@0 watch0@1 " STARTED);
	isolated.bits = 0;
	memory_left = 1;
	bpmu_counters_start(&counted);
	noted(RESET STARTED);
	/* equally long slices of several groups */
	plan.groups[UNCORE][0].nr = 2;
	bpmu_counters_start(&counted);
	noted(RESET STARTED);
	plan.groups[UNCORE][0].nr = 1;
	/* a CPU that is offline, or not in the session, would go unwatched */
	online.bits = 0x7;
	bpmu_counters_start(&counted);
	noted(RESET "start1@0 start1@1 start1@2 ");
	online.bits = 0xf;
	cpus.bits = 0x7;
	bpmu_counters_start(&counted);
	noted("reset@0 reset@1 reset@2 lend@0 watch0@1 start1@0 start1@1 start1@2 ");
}

COUNTERS(a_cpu_watches_one_reader)
{
	take();
	/* CPU 1 reads another bank of the package that CPU 0 reads one of */
	plan.groups[PACKAGE][0].nr = 1;
	banks[1][PACKAGE].groups = &plan.groups[PACKAGE][0];
	assert_int_equal(reached_banks(0, 1), 1);
	assert_int_equal(reached_banks(0, 2), 0);
	assert_int_equal(reached_banks(1, 1), 1);
	bpmu_counters_start(&counted);
	noted(RESET "lend@0 watch0@1 lend@2 watch2@3 " STARTED);
	banks[0][PACKAGE].groups = &plan.groups[PACKAGE][0];
	assert_int_equal(reached_banks(0, 1), 2);
}

COUNTERS(a_cpu_that_is_back_is_programmed_again)
{
	take();
	bpmu_sampler_give();
	memset(banks, 0, sizeof(banks));
	did[0] = '\0';
	online.bits = 0xb;
	bpmu_counters_resume(&counted, true);
	noted("take0@0 take1@0 prefetch@0 start20@0 take0@1 prefetch@1 start20@1 "
	      "take0@3 take1@3 prefetch@3 start20@3 ");
	online.bits = 0xf;
	bpmu_counters_online(&counted, 2, true);
	noted("take0@2 prefetch@2 start20@2 ");
	bpmu_counters_resume(&counted, false);
	noted("take0@0 prefetch@0 take0@1 prefetch@1 take0@2 prefetch@2 take0@3 prefetch@3 ");
	bpmu_counters_online(&counted, 2, false);
	noted("take0@2 prefetch@2 ");
}

COUNTERS(a_cpu_that_cannot_be_programmed_again_says_so)
{
	struct bpmu_failure_info info;
	unsigned int at = 0;

	take_error[1][CORE] = -EBUSY;
	take_error[0][UNCORE] = -ENODEV;
	prefetch_error[1] = -EIO;
	bpmu_counters_resume(&counted, true);
	noted("take0@0 take1@0 lose1@0 failure(0, 1, -19) prefetch@0 start20@0 "
	      "take0@1 failure(1, 0, -16) take1@1 prefetch@1 failure(1, 255, -5) "
	      "flag@1 fail20@1 start20@1 "
	      "take0@2 take1@2 prefetch@2 start20@2 take0@3 prefetch@3 start20@3 ");
	assert_true(bpmu_counters_next_failure(&counted, &at, &info));
	assert_int_equal(info.cpu, 0);
	assert_int_equal(info.what, UNCORE);
	assert_int_equal(info.error, -ENODEV);
	assert_true(bpmu_counters_next_failure(&counted, &at, &info));
	assert_int_equal(info.cpu, 1);
	assert_int_equal(info.what, CORE);
	assert_int_equal(info.error, -EBUSY);
	assert_true(bpmu_counters_next_failure(&counted, &at, &info));
	assert_int_equal(info.cpu, 1);
	assert_int_equal(info.what, BPMU_FAILURE_PREFETCH);
	assert_int_equal(info.error, -EIO);
	assert_false(bpmu_counters_next_failure(&counted, &at, &info));
	/* the last of all results, and a CPU that is not in the session */
	failures[3][FAILURES - 1] = -EROFS;
	failures[4][0] = -EIO;
	assert_false(bpmu_counters_next_failure(&counted, &at, &info));
	at = 0;
	cpus.bits = 0x8;
	assert_true(bpmu_counters_next_failure(&counted, &at, &info));
	assert_int_equal(info.cpu, 3);
	assert_int_equal(info.error, -EROFS);
	assert_false(bpmu_counters_next_failure(&counted, &at, &info));
	/* a later success ends a failure */
	cpus.bits = 0xf;
	memset(take_error, 0, sizeof(take_error));
	memset(prefetch_error, 0, sizeof(prefetch_error));
	bpmu_counters_online(&counted, 1, false);
	noted("take0@1 prefetch@1 ");
	at = FAILURES;
	assert_true(bpmu_counters_next_failure(&counted, &at, &info));
	assert_int_equal(info.cpu, 3);
}

COUNTERS(a_cpu_without_core_groups_needs_no_core_counters)
{
	plan.groups[CORE][0].nr = 0;
	bpmu_counters_online(&counted, 1, true);
	noted("take1@1 prefetch@1 start20@1 ");
}

COUNTERS(another_cpu_takes_over_what_a_cpu_has_read)
{
	take();
	bpmu_counters_offline(&counted, 0, true);
	noted("stop10@0 give@0 fetch@0 stop10@1 take1@1 start20@1 ");
	/* a bank that was lost is tried anew, and nobody is stopped without a run */
	banks[2][UNCORE].groups = NULL;
	banks[2][UNCORE].lost = true;
	take_error[3][UNCORE] = -EIO;
	bpmu_counters_offline(&counted, 2, false);
	noted("stop10@2 give@2 fetch@2 take1@3 lose1@3 failure(3, 1, -5) ");
	/* CPU 1 has a shared bank, but no CPU to hand it to */
	online.bits = 0xa;
	bpmu_counters_offline(&counted, 1, true);
	noted("stop10@1 give@1 fetch@1 ");
	/* CPU 3 has neither taken nor lost one */
	online.bits = 0xf;
	banks[3][UNCORE].lost = false;
	bpmu_counters_offline(&counted, 3, true);
	noted("stop10@3 give@3 fetch@3 ");
}

COUNTERS(a_bank_is_handed_to_a_cpu_that_may_read_it)
{
	take();
	core_type[1] = 1;
	bpmu_counters_offline(&counted, 0, true);
	noted("stop10@0 give@0 fetch@0 ");
	core_type[3] = 1;
	plan.groups[PACKAGE][0].nr = 1;
	banks[2][PACKAGE].groups = &plan.groups[PACKAGE][0];
	bpmu_counters_offline(&counted, 2, false);
	noted("stop10@2 give@2 fetch@2 take4@3 ");
}

COUNTERS(banks_that_need_a_removed_device_are_dropped)
{
	plan.groups[PACKAGE][0].nr = 1;
	take();
	bpmu_counters_device_removed(&counted, (void *)0x100);
	noted("drop1@2 failure(2, 1, -19) ");
	/* what is lost is not dropped again */
	bpmu_counters_device_removed(&counted, (void *)0x100);
	noted("");
	assert_int_equal(failures[2][UNCORE], -ENODEV);
}
