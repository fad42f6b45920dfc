// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of lists of CPUs in the kernel's format, such as 0-3,8: a list selects exactly these CPUs,
 * or the message names a CPU that does not exist.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/sysfs.h"
#include "event/topology.h"
#include "no_memory.h"
#include "unit.h"

static void same(const char *text, unsigned int nr, const char *again)
{
	struct bpmu_cpulist list;
	struct bpmu_error err;
	char *format;

	assert_int_equal(bpmu_cpulist_parse(text, &list, &err), 0);
	assert_int_equal(list.nr, nr);
	format = bpmu_cpulist_format(&list);
	assert_string_equal(format, again);
	free(format);
	bpmu_cpulist_free(&list);
}

TEST(lists_are_sorted_and_merged)
{
	same("0", 1, "0");
	same("3,0-1,1", 3, "0-1,3");
	same("62-65", 4, "62-65");
	same("63,64,128", 3, "63-64,128");
	same("0-8191", 8192, "0-8191");
}

TEST(refuses_malformed_lists)
{
	static const char *const wrong[] = {
		"", "-", "1-", "2-1", "1,", ",1", "8192-", "8192,", "a", "1 ",
		"8192a", "8192-0", "0,8192,b",
	};
	struct bpmu_cpulist list;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(bpmu_cpulist_parse(wrong[i], &list, &err),
				 -EINVAL);
}

/* Which CPUs exist is checked after parsing, so that a list is parsed the same on any machine. */
TEST(names_the_first_absent_cpu)
{
	static const char *const wrong[][2] = {
		{ "8192", "CPU 8192" }, { "0-8192", "CPU 8192" },
		{ "8191", "CPU 8191" }, { "0,9999-10000,8191", "CPU 9999" },
		{ "99999999999999999999", "CPU 99999999999999999999" },
	};
	struct bpmu_cpulist list, online;
	struct bpmu_error err;
	char says[256];
	char *there;
	size_t i;

	assert_int_equal(bpmu_cpulist_online(&online, &err), 0);
	there = bpmu_cpulist_format(&online);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(says, sizeof(says),
			 "CPU list '%s': %s is absent or offline; online are %s",
			 wrong[i][0], wrong[i][1], there);
		assert_int_equal(bpmu_cpulist_select(wrong[i][0], &list, &err),
				 -ENODEV);
		assert_string_equal(err.text, says);
	}
	assert_int_equal(bpmu_cpulist_parse("8192", &list, &err), -ENODEV);
	assert_string_equal(err.text,
			    "CPU list '8192': no CPU has a number above 8191; take a lower one");
	free(there);
	bpmu_cpulist_free(&online);
}

TEST(divides_a_list)
{
	u32 cpu[] = { 0, 2, 3, 7 };
	u32 alike[] = { 0, 1, 2 };
	struct bpmu_cpulist list = { cpu, 4 };
	const struct bpmu_cpulist stay = { alike, 3 };
	struct bpmu_cpulist rest;
	struct bpmu_error err;

	assert_int_equal(bpmu_cpulist_divide(&list, &stay, &rest, &err), 0);
	assert_int_equal(list.nr, 2);
	assert_int_equal(list.cpu[1], 2);
	assert_int_equal(rest.nr, 2);
	assert_int_equal(rest.cpu[0], 3);
	assert_int_equal(rest.cpu[1], 7);
	bpmu_cpulist_free(&rest);
}

TEST(reads_the_first_line_of_a_file)
{
	char name[] = "/tmp/sysfs.XXXXXX";
	int fd = mkstemp(name);
	char text[8];

	assert_true(fd >= 0);
	assert_false(bpmu_sysfs_read(name, text, sizeof(text)));
	assert_int_equal(write(fd, "12\n34567", 8), 8);
	assert_true(bpmu_sysfs_read(name, text, sizeof(text)));
	assert_string_equal(text, "12");
	assert_int_equal(pwrite(fd, "1234567890", 10, 0), 10);
	assert_true(bpmu_sysfs_read(name, text, sizeof(text)));
	assert_string_equal(text, "1234567");
	close(fd);
	unlink(name);
	assert_false(bpmu_sysfs_read(name, text, sizeof(text)));
}

static int told(u32 cpu, const char *file)
{
	char path[96], text[16];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, file);
	return bpmu_sysfs_read(path, text, sizeof(text)) ? atoi(text) : -1;
}

/*
 * Checks the topology (the socket and core of each CPU) that is read for the CPUs of a list: it
 * must be the same as if it was read for each CPU alone.
 */
static void expect_topology(const struct bpmu_cpulist *cpus)
{
	struct bpmu_topology *topology = calloc(cpus->nr, sizeof(*topology));
	unsigned int i;

	assert_non_null(topology);
	bpmu_topology_read(cpus, topology);
	for (i = 0; i < cpus->nr; i++) {
		assert_int_equal(topology[i].package,
				 told(cpus->cpu[i], "physical_package_id"));
		assert_int_equal(topology[i].core,
				 told(cpus->cpu[i], "core_id"));
	}
	free(topology);
}

TEST(finds_package_and_core_of_each_cpu)
{
	u32 last[] = { 0, 8191 };
	const struct bpmu_cpulist absent = { last, 2 };
	struct bpmu_cpulist online;
	struct bpmu_error err;

	expect_topology(&absent);
	assert_int_equal(bpmu_cpulist_online(&online, &err), 0);
	expect_topology(&online);
	bpmu_cpulist_free(&online);
}

/* Parses a list of CPUs, divides it, and formats both parts. */
static int parse_and_format(void *data, struct bpmu_error *err)
{
	u32 four[] = { 1, 2, 3, 9 };
	const struct bpmu_cpulist stay = { four, 4 };
	struct bpmu_cpulist list = { }, rest = { };
	char *kept = NULL, *left = NULL;
	int code;

	(void)data;
	no_memory_begin();
	code = bpmu_cpulist_parse("0-3,8-9", &list, err);
	if (!code)
		code = bpmu_cpulist_divide(&list, &stay, &rest, err);
	if (!code) {
		kept = bpmu_cpulist_format(&list);
		left = bpmu_cpulist_format(&rest);
		code = kept && left ? 0 : bpmu_error_no_memory(err, "CPU list");
	}
	no_memory_end();
	if (!code) {
		assert_string_equal(kept, "1-3,9");
		assert_string_equal(left, "0,8");
	}
	free(kept);
	free(left);
	bpmu_cpulist_free(&list);
	bpmu_cpulist_free(&rest);
	return code;
}

TEST(a_list_that_needs_more_memory_is_refused)
{
	assert_int_equal(no_memory_each(parse_and_format, NULL), 3);
}
