// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the choice of CPUs. A command measures the CPUs that the user names. If the user names
 * none, it measures all CPUs that are not isolated, but at most two core types. The machines are
 * made up, and have one to three core types.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "source/analysis.h"
#include "unit.h"

#define CPUS 12

/* Faked machine: for each CPU the name of its CPU model, and whether it is isolated. */
static const char *part[CPUS];
static bool isolated[CPUS];
static unsigned int fails, calls, nr_open, nr_listen;

int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err);
void __wrap_bpmu_client_close(struct bpmu_client *client);
int __wrap_bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
				struct bpmu_error *err);
int __wrap_bpmu_client_alike(struct bpmu_client *client, u32 cpu, struct bpmu_cpulist *cpus,
			     struct bpmu_error *err);
int __wrap_bpmu_client_info_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			       struct bpmu_error *err);
int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err);
int __wrap_bpmu_client_listen(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_cpulist_online(struct bpmu_cpulist *list, struct bpmu_error *err);
int __wrap_bpmu_cpulist_select(const char *text, struct bpmu_cpulist *list,
			       struct bpmu_error *err);
int __wrap_bpmu_topology_smt(void);

static int may_fail(struct bpmu_error *err)
{
	return ++calls == fails ? bpmu_error_set(err, -EIO, "it fails") : 0;
}

int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err)
{
	int code = may_fail(err);

	*client = code ? NULL : (struct bpmu_client *)part;
	nr_open += !code;
	return code;
}

void __wrap_bpmu_client_close(struct bpmu_client *client)
{
	nr_open -= !!client;
}

static int list(struct bpmu_cpulist *cpus, const char *of, bool alone, struct bpmu_error *err)
{
	unsigned int i;

	*cpus = (struct bpmu_cpulist){ calloc(CPUS, sizeof(u32)), 0 };
	assert_non_null(cpus->cpu);
	for (i = 0; i < CPUS && part[i]; i++)
		if (alone ? isolated[i] : !of || !strcmp(of, part[i]))
			cpus->cpu[cpus->nr++] = i;
	return may_fail(err);
}

int __wrap_bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
				struct bpmu_error *err)
{
	assert_ptr_equal(client, part);
	return list(cpus, NULL, true, err);
}

int __wrap_bpmu_client_alike(struct bpmu_client *client, u32 cpu, struct bpmu_cpulist *cpus,
			     struct bpmu_error *err)
{
	assert_ptr_equal(client, part);
	return list(cpus, part[cpu], false, err);
}

int __wrap_bpmu_client_info_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			       struct bpmu_error *err)
{
	assert_ptr_equal(client, part);
	*info = (struct bpmu_info){ .pmu = unit_pmu(part[cpu], 8) };
	strcpy(info->part, part[cpu]);
	return may_fail(err);
}

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err)
{
	return __wrap_bpmu_client_info_of(client, cpu, info, err);
}

int __wrap_bpmu_client_listen(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	nr_listen++;
	return may_fail(err);
}

int __wrap_bpmu_cpulist_online(struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	return list(cpus, NULL, false, err);
}

int __wrap_bpmu_cpulist_select(const char *text, struct bpmu_cpulist *cpus,
			       struct bpmu_error *err)
{
	return text ? bpmu_cpulist_parse(text, cpus, err) : list(cpus, NULL, false, err);
}

int __wrap_bpmu_topology_smt(void)
{
	return 1;
}

/*
 * Fakes a machine with @p performance, @e efficient and @lp low-power CPUs. Each digit in @alone is
 * the number of an isolated CPU.
 */
static void machine(unsigned int p, unsigned int e, unsigned int lp, const char *alone)
{
	unsigned int i;

	memset(part, 0, sizeof(part));
	memset(isolated, 0, sizeof(isolated));
	for (i = 0; i < p + e + lp; i++)
		part[i] = i < p ? "arl" : i < p + e ? "arl-e" : "arl-lp";
	for (; *alone; alone++)
		isolated[*alone - '0'] = true;
	fails = 0;
	calls = 0;
	nr_open = 0;
	nr_listen = 0;
}

/*
 * Opens a target for the list of CPUs @cpus; NULL for no list. Checks that the target measures the
 * CPUs @text, which have the CPU model @name. @isolation is the expected message about isolated
 * CPUs, and @third is the expected message about a third core type; NULL for no message. Closes the
 * target.
 */
static void opens(const char *cpus, const char *text, const char *name, const char *isolation,
		  const char *third)
{
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(bpmu_target_open_any(&target, cpus, &err), 0);
	assert_string_equal(target.cpus_text, text);
	assert_string_equal(target.info.part, name);
	assert_int_equal(target.smt, 1);
	assert_int_equal(nr_listen, 1);
	if (isolation)
		assert_string_equal(target.left_out[0], isolation);
	else
		assert_null(target.left_out[0]);
	if (third)
		assert_string_equal(target.left_out[1], third);
	else
		assert_null(target.left_out[1]);
	bpmu_target_close(&target);
	assert_int_equal(nr_open, 0);
}

static void refuses(const char *cpus, int code, const char *text)
{
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(bpmu_target_open_any(&target, cpus, &err), code);
	assert_string_equal(err.text, text);
	assert_int_equal(nr_open, 0);
}

TEST(all_cpus_are_measured_but_isolated_ones)
{
	machine(4, 0, 0, "");
	opens(NULL, "0-3", "arl", NULL, NULL);
	machine(4, 0, 0, "2");
	opens(NULL, "0-1,3", "arl",
	      "CPU 2: isolated and left out; name it with -C to measure it", NULL);
	machine(6, 0, 0, "013");
	opens(NULL, "2,4-5", "arl",
	      "CPU 0-1,3: isolated and left out; name them with -C to measure them", NULL);
	machine(3, 0, 0, "012");
	refuses(NULL, -ENODEV,
		"CPU 0-2: isolated, and there is no other; name them with -C to measure them");
	/* Isolated CPUs are measured if the user names them. */
	machine(4, 0, 0, "2");
	opens("2-3", "2-3", "arl", NULL, NULL);
}

TEST(a_third_core_type_is_left_out)
{
	machine(2, 4, 0, "");
	opens(NULL, "0-5", "arl", NULL, NULL);
	machine(2, 4, 2, "");
	opens(NULL, "0-5", "arl", NULL,
	      "CPU 6-7: of a third core type and left out; measure that with -C arl-lp");
	machine(2, 4, 2, "1");
	opens(NULL, "0,2-5", "arl",
	      "CPU 1: isolated and left out; name it with -C to measure it",
	      "CPU 6-7: of a third core type and left out; measure that with -C arl-lp");
	/* CPUs that the user lists are measured, even if they are of three core types. */
	machine(2, 4, 2, "");
	opens("1,5,7", "1,5,7", "arl", NULL, NULL);
}

TEST(a_core_type_is_named)
{
	machine(2, 4, 2, "1");
	opens("arl", "0-1", "arl", NULL, NULL);
	machine(2, 4, 2, "");
	opens("arl-e", "2-5", "arl-e", NULL, NULL);
	machine(2, 4, 2, "");
	opens("arl-lp", "6-7", "arl-lp", NULL, NULL);
	machine(2, 4, 2, "");
	refuses("ivb", -ENODEV,
		"-C: no CPU is of core type 'ivb'; here they are arl and arl-e and arl-lp");
	machine(2, 0, 0, "");
	refuses("arl-e", -ENODEV, "-C: no CPU is of core type 'arl-e'; here they are arl");
	assert_true(bpmu_target_is_name("x1"));
	assert_false(bpmu_target_is_name("1x"));
	assert_false(bpmu_target_is_name(""));
	assert_false(bpmu_target_is_name(NULL));
}

TEST(two_core_types_are_split)
{
	struct bpmu_target target, other;
	struct bpmu_error err;

	machine(2, 4, 0, "");
	assert_int_equal(bpmu_target_open_any(&target, NULL, &err), 0);
	assert_int_equal(bpmu_target_split(target.client, &target, &other, &err), 0);
	assert_string_equal(target.cpus_text, "0-1");
	assert_string_equal(target.info.part, "arl");
	assert_string_equal(other.cpus_text, "2-5");
	assert_string_equal(other.info.part, "arl-e");
	assert_null(other.client);
	bpmu_target_close(&target);
	bpmu_target_close(&other);
	assert_int_equal(nr_open, 0);
	/* A machine with one core type has no other core type to be measured. */
	machine(4, 0, 0, "");
	assert_int_equal(bpmu_target_open_any(&target, NULL, &err), 0);
	assert_int_equal(bpmu_target_split(target.client, &target, &other, &err), 0);
	assert_int_equal(other.cpus.nr, 0);
	assert_string_equal(target.cpus_text, "0-3");
	bpmu_target_close(&target);
	bpmu_target_close(&other);
}

TEST(who_needs_one_core_type_must_choose)
{
	struct bpmu_target target;
	struct bpmu_error err;

	machine(2, 4, 0, "");
	assert_int_equal(bpmu_target_open(&target, NULL, &err), -EINVAL);
	assert_string_equal(err.text, "the CPUs have two core types; choose one with -C 0-1 (arl) or -C 2-5 (arl-e)");
	assert_int_equal(nr_open, 0);
	machine(2, 4, 0, "");
	assert_int_equal(bpmu_target_open(&target, "3-4", &err), 0);
	assert_string_equal(target.cpus_text, "3-4");
	assert_string_equal(target.info.part, "arl-e");
	bpmu_target_close(&target);
	assert_int_equal(nr_open, 0);
}

/*
 * Opens targets again and again. Each time the next of the called functions fails. Its error must
 * be reported, and what was opened before must be closed and freed.
 */
TEST(each_failure_is_said)
{
	static const char *const lists[] = { NULL, "arl-e", "0-1" };
	struct bpmu_target target;
	struct bpmu_error err;
	unsigned int i, all;

	for (i = 0; i < 3; i++) {
		machine(2, 4, i ? 0 : 2, "1");
		assert_int_equal(bpmu_target_open(&target, lists[i], &err), i ? 0 : -EINVAL);
		if (i)
			bpmu_target_close(&target);
		for (all = calls; all; all--) {
			machine(2, 4, i ? 0 : 2, "1");
			fails = all;
			assert_int_equal(bpmu_target_open(&target, lists[i], &err), -EIO);
			assert_string_equal(err.text, "it fails");
			assert_int_equal(calls, fails);
			assert_int_equal(nr_open, 0);
		}
	}
}

TEST(an_analysis_has_the_cpus_of_each_core_type)
{
	struct bpmu_analysis analysis = { };
	struct bpmu_measure measure = { };
	struct bpmu_error err;

	machine(2, 4, 3, "");
	assert_int_equal(bpmu_analysis_open(&analysis, NULL, &err), 0);
	assert_int_equal(analysis.nr, 2);
	assert_int_equal(analysis.described, 2);
	assert_string_equal(analysis.type[0]->target.cpus_text, "0-1");
	assert_ptr_equal(analysis.type[0]->target.client, part);
	assert_string_equal(analysis.type[1]->target.cpus_text, "2-5");
	assert_null(analysis.type[1]->target.client);
	assert_int_equal(bpmu_analysis_measure(&analysis, &measure, &err), 0);
	assert_int_equal(measure.nr_cpus, 6);
	assert_int_equal(measure.cpus[5], 5);
	assert_int_equal(measure.first[0], 0);
	assert_int_equal(measure.first[1], 2);
	assert_ptr_equal(analysis.target[1], &analysis.type[1]->target);
	/* The core type that remains takes over the connection to the module. */
	bpmu_analysis_drop(&analysis, 0);
	assert_int_equal(analysis.nr, 1);
	assert_string_equal(analysis.type[0]->target.info.part, "arl-e");
	assert_ptr_equal(analysis.type[0]->target.client, part);
	assert_int_equal(nr_open, 1);
	bpmu_analysis_free(&analysis);
	assert_int_equal(nr_open, 0);
	machine(0, 4, 0, "");
	assert_int_equal(bpmu_analysis_open(&analysis, NULL, &err), 0);
	assert_int_equal(analysis.nr, 1);
	bpmu_analysis_free(&analysis);
	assert_int_equal(nr_open, 0);
}

/*
 * Calls bpmu_analysis_open() again and again. Each time the next of the functions that it calls
 * fails. What was opened before must be closed and freed.
 */
TEST(an_analysis_that_cannot_be_opened_is_freed)
{
	struct bpmu_analysis analysis = { };
	struct bpmu_error err;
	unsigned int at = 0;
	int code;

	do {
		machine(2, 4, 0, "");
		fails = ++at;
		code = bpmu_analysis_open(&analysis, NULL, &err);
		bpmu_analysis_free(&analysis);
		assert_int_equal(nr_open, 0);
		assert_int_equal(analysis.nr, 0);
		if (code)
			assert_string_equal(err.text, "it fails");
	} while (code);
	assert_true(at > 8);
}
