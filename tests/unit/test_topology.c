// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the topology of this machine, whose sysfs is faked: which CPUs are threads of one core,
 * and if hyper-threading is on.
 */

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/sysfs.h"
#include "event/rows.h"
#include "event/topology.h"
#include "unit.h"

#define SYSTEM "/sys/devices/system/cpu/"

/* package, die and core of the CPUs; -1 if the kernel does not know */
static int machine[][3] = {
	{ 0, 0, 3 }, { 0, 0, 3 }, { 0, 0, 4 }, { 0, 1, 3 }, { 1, 0, 3 }, { -1, -1, -1 },
	{ -1, -1, -1 },
};

/* contents of the file smt/active; NULL if there is no such file */
static const char *active;

/* number of files that were read */
static unsigned int nr_read;

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size);

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size)
{
	static const char *const files[] = { "physical_package_id", "die_id", "core_id" };
	char name[96];
	unsigned int cpu;
	size_t i;

	nr_read++;
	if (!strcmp(path, SYSTEM "smt/active")) {
		snprintf(text, size, "%s", active ?: "");
		return active;
	}
	for (cpu = 0; cpu < ARRAY_SIZE(machine); cpu++)
		for (i = 0; i < ARRAY_SIZE(files); i++) {
			snprintf(name, sizeof(name), SYSTEM "cpu%u/topology/%s", cpu, files[i]);
			if (strcmp(path, name) || machine[cpu][i] < 0)
				continue;
			snprintf(text, size, "%d", machine[cpu][i]);
			return true;
		}
	return false;
}

TEST(siblings_are_threads_of_one_core)
{
	unsigned int a, b;

	for (a = 0; a < ARRAY_SIZE(machine); a++)
		for (b = 0; b < ARRAY_SIZE(machine); b++)
			if (bpmu_topology_siblings(a, b) !=
			    !memcmp(machine[a], machine[b], sizeof(machine[a])))
				fail_msg("%u, %u", a, b);
}

TEST(smt_is_what_the_kernel_says)
{
	static const struct {
		const char *active;
		int smt;
	} cases[] = { { "1", 1 }, { "0", 0 }, { NULL, 0 }, { "", 0 }, { "x", 0 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		active = cases[i].active;
		assert_int_equal(bpmu_topology_smt(), cases[i].smt);
	}
}

TEST(rows_are_those_of_the_machine)
{
	static const char *const cores[] = { "S0-D0-C3", "S0-D0-C4", "S0-D1-C3", "S1-D0-C3" };
	u32 numbers[] = { 0, 1, 2, 3, 4 };
	const struct bpmu_cpulist cpus = { numbers, ARRAY_SIZE(numbers) };
	struct bpmu_error err;
	struct bpmu_rows rows;
	size_t i;

	assert_int_equal(bpmu_rows_find(&rows, BPMU_ROWS_CORE, &cpus, &err), 0);
	assert_int_equal(rows.nr, ARRAY_SIZE(cores));
	for (i = 0; i < ARRAY_SIZE(cores); i++)
		assert_string_equal(rows.row[i].label, cores[i]);
	assert_int_equal(rows.of[1], 0);
	assert_int_equal(rows.row[0].cpus, 2);
	bpmu_rows_free(&rows);
	/* One row of all CPUs needs no file. */
	nr_read = 0;
	assert_int_equal(bpmu_rows_find(&rows, BPMU_ROWS_ALL, &cpus, &err), 0);
	assert_int_equal(nr_read, 0);
	assert_int_equal(rows.nr, 1);
	assert_string_equal(rows.row[0].label, "0-4");
	assert_false(bpmu_rows_grouped(&rows));
	assert_null(bpmu_rows_aggregation(&rows));
	bpmu_rows_free(&rows);
	assert_null(rows.row);
}
