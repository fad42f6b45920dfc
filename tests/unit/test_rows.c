// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of output by core, die, cache, node or package. Each line of the output has the CPUs of one
 * core, one die and so on. sysfs says which CPUs these are.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "event/rows.h"
#include "unit.h"

/*
 * Topology in which CPU numbers alternate between two packages, and the two threads of a core are
 * four numbers apart.
 */
static u32 numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const struct bpmu_cpulist cpus = { numbers, ARRAY_SIZE(numbers) };
static const struct bpmu_topology topology[] = {
	{ 0, 0 }, { 1, 0 }, { 0, 9 }, { 1, 9 },
	{ 0, 0 }, { 1, 0 }, { 0, 9 }, { 1, 9 },
};

/*
 * A row is a line of the output. Checks that the position of each CPU is in exactly one row, and
 * that rows->of[] has the number of this row. The ranges of a row have the same positions, and each
 * range is as long as possible.
 */
static void expect_positions(const struct bpmu_rows *rows)
{
	unsigned int r, i, k, pos, least, first, end, nr = 0;

	for (r = 0; r < rows->nr; r++) {
		for (i = 0, k = 0, least = 0, end = 0; bpmu_rows_next(rows, r, &i, &pos); nr++) {
			assert_int_equal(rows->of[pos], r);
			assert_true(pos >= least);
			if (pos >= end) {
				assert_false(end && pos == end);
				end = bpmu_rows_range(rows, r, &k, &first);
				assert_int_equal(first, pos);
			}
			assert_in_range(pos, first, end - 1);
			least = pos + 1;
		}
		assert_int_equal(least, end);
		assert_int_equal(bpmu_rows_range(rows, r, &k, &first), 0);
	}
	assert_int_equal(nr, rows->positions);
}

static void expect(enum bpmu_rows_by by, const char *const *labels,
		   unsigned int each, const unsigned int *of)
{
	struct bpmu_rows rows;
	struct bpmu_error err;
	unsigned int i;

	if (bpmu_rows_make(&rows, by, &cpus, topology, &err))
		fail_msg("%s", err.text);
	for (i = 0; labels[i]; i++) {
		assert_true(i < rows.nr);
		assert_string_equal(rows.row[i].label, labels[i]);
		assert_int_equal(rows.row[i].cpus, each);
	}
	assert_int_equal(rows.nr, i);
	for (i = 0; i < cpus.nr; i++)
		assert_int_equal(rows.of[i], of[i]);
	expect_positions(&rows);
	bpmu_rows_free(&rows);
	assert_int_equal(rows.nr, 0);
}

TEST(all_cpus_are_one_row)
{
	static const char *const labels[] = { "0-7", NULL };
	static const unsigned int of[8];

	expect(BPMU_ROWS_ALL, labels, 8, of);
}

TEST(each_cpu_is_a_row)
{
	static const char *const labels[] = {
		"0", "1", "2", "3", "4", "5", "6", "7", NULL
	};

	expect(BPMU_ROWS_CPU, labels, 1, numbers);
}

TEST(each_core_is_a_row)
{
	static const char *const labels[] = {
		"S0-D0-C0", "S0-D0-C9", "S1-D0-C0", "S1-D0-C9", NULL
	};
	static const unsigned int of[] = { 0, 2, 1, 3, 0, 2, 1, 3 };

	expect(BPMU_ROWS_CORE, labels, 2, of);
}

TEST(each_package_is_a_row)
{
	static const char *const labels[] = { "S0", "S1", NULL };
	static const unsigned int of[] = { 0, 1, 0, 1, 0, 1, 0, 1 };

	expect(BPMU_ROWS_PACKAGE, labels, 4, of);
}

/*
 * Two packages of two dies. Each die numbers its cores from 0, and has two L3 of one core each.
 * Each NUMA node spans one die of each package.
 */
static const struct bpmu_topology dies[] = {
	{ 0, 0, 0, 0, 1 }, { 0, 1, 0, 1, 1 }, { 0, 0, 1, 2, 2 }, { 0, 1, 1, 3, 2 },
	{ 1, 0, 0, 4, 1 }, { 1, 1, 0, 5, 1 }, { 1, 0, 1, 6, 2 }, { 1, 1, 1, 7, 2 },
};

static void expect_dies(enum bpmu_rows_by by, const char *const *labels,
			unsigned int packages, const char *aggregation)
{
	struct bpmu_rows rows;
	struct bpmu_error err;
	unsigned int i;

	if (bpmu_rows_make(&rows, by, &cpus, dies, &err))
		fail_msg("%s", err.text);
	for (i = 0; labels[i]; i++) {
		assert_true(i < rows.nr);
		assert_string_equal(rows.row[i].label, labels[i]);
		assert_int_equal(rows.row[i].packages, packages);
	}
	assert_int_equal(rows.nr, i);
	assert_true(bpmu_rows_grouped(&rows));
	assert_string_equal(bpmu_rows_aggregation(&rows), aggregation);
	bpmu_rows_free(&rows);
}

TEST(dies_caches_and_nodes_are_rows)
{
	static const char *const die[] = {
		"S0-D0", "S0-D1", "S1-D0", "S1-D1", NULL
	};
	static const char *const core[] = {
		"S0-D0-C0", "S0-D0-C1", "S0-D1-C0", "S0-D1-C1",
		"S1-D0-C0", "S1-D0-C1", "S1-D1-C0", "S1-D1-C1", NULL
	};
	static const char *const cache[] = {
		"S0-D0-L3-ID0", "S0-D0-L3-ID1", "S0-D1-L3-ID2", "S0-D1-L3-ID3",
		"S1-D0-L3-ID4", "S1-D0-L3-ID5", "S1-D1-L3-ID6", "S1-D1-L3-ID7",
		NULL
	};
	static const char *const package[] = { "S0", "S1", NULL };
	static const char *const node[] = { "N1", "N2", NULL };

	expect_dies(BPMU_ROWS_DIE, die, 1, "die");
	expect_dies(BPMU_ROWS_CORE, core, 1, "core");
	expect_dies(BPMU_ROWS_CACHE, cache, 1, "cache");
	expect_dies(BPMU_ROWS_PACKAGE, package, 1, "socket");
	expect_dies(BPMU_ROWS_NODE, node, 2, "node");
}

static void expect_part(enum bpmu_rows_by by, bool core, bool cache, bool die)
{
	struct bpmu_rows rows;
	struct bpmu_error err;
	unsigned int i;

	if (bpmu_rows_make(&rows, by, &cpus, dies, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < rows.nr; i++) {
		assert_false(bpmu_row_is_part(&rows.row[i], BPMU_BANK_CORE));
		assert_false(bpmu_row_is_part(&rows.row[i], BPMU_BANK_FREE_THREAD));
		assert_int_equal(bpmu_row_is_part(&rows.row[i], BPMU_BANK_FREE_CORE), core);
		assert_int_equal(bpmu_row_is_part(&rows.row[i], BPMU_BANK_L3), cache);
		assert_int_equal(bpmu_row_is_part(&rows.row[i], BPMU_BANK_IMC), die);
		assert_int_equal(bpmu_row_is_part(&rows.row[i], BPMU_BANK_FREE_PACKAGE), die);
	}
	bpmu_rows_free(&rows);
}

/*
 * The counters of a die count for all CPUs of the die. A row is a line of the output. If a row is
 * for only one core or one L3 of the die, the counts of the die do not belong to this row alone.
 */
TEST(rows_smaller_than_what_has_the_counters_are_parts)
{
	/* In this topology the threads of a core are in different NUMA nodes. */
	static const struct bpmu_topology clusters[8] = {
		{ 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 1 }, { 1, 0, 0, 2, 2 }, { 2, 0, 0, 3, 3 },
		{ 3, 0, 0, 4, 4 }, { 4, 0, 0, 5, 5 }, { 5, 0, 0, 6, 6 }, { 6, 0, 0, 7, 7 },
	};
	/*
	 * In this topology the CPUs of one package alternate between two NUMA nodes, and it is not
	 * known which package two other CPUs belong to.
	 */
	static const struct bpmu_topology unknown[8] = {
		{ 0, -1, -1, -1, 0 }, { 0, -1, -1, -1, 1 }, { 0, -1, -1, -1, 0 },
		{ -1, 0, 0, 0, 3 }, { -1, 0, 0, 0, 4 },
		{ 5, 0, 0, 5, 5 }, { 6, 0, 0, 6, 6 }, { 7, 0, 0, 7, 7 },
	};
	struct bpmu_rows rows;
	struct bpmu_error err;
	unsigned int i;

	expect_part(BPMU_ROWS_ALL, false, false, false);
	expect_part(BPMU_ROWS_CPU, false, false, true);
	expect_part(BPMU_ROWS_CORE, false, false, true);
	expect_part(BPMU_ROWS_CACHE, false, false, true);
	expect_part(BPMU_ROWS_DIE, false, false, false);
	expect_part(BPMU_ROWS_PACKAGE, false, false, false);
	expect_part(BPMU_ROWS_NODE, false, false, false);
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_NODE, &cpus, clusters, &err), 0);
	assert_true(bpmu_row_is_part(&rows.row[1], BPMU_BANK_IMC));
	assert_true(bpmu_row_is_part(&rows.row[1], BPMU_BANK_L3));
	assert_true(bpmu_row_is_part(&rows.row[1], BPMU_BANK_FREE_CORE));
	assert_false(bpmu_row_is_part(&rows.row[2], BPMU_BANK_IMC));
	bpmu_rows_free(&rows);
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_NODE, &cpus, unknown, &err), 0);
	assert_int_equal(rows.nr, 7);
	for (i = 0; i < rows.nr; i++) {
		assert_int_equal(bpmu_row_is_part(&rows.row[i], BPMU_BANK_IMC), i < 2);
		assert_false(bpmu_row_is_part(&rows.row[i], BPMU_BANK_L3));
		assert_false(bpmu_row_is_part(&rows.row[i], BPMU_BANK_FREE_CORE));
	}
	bpmu_rows_free(&rows);
}

static void refused(enum bpmu_rows_by by, const char *why)
{
	static const struct bpmu_topology old[8] = {
		{ 0, 0, -1, -1, -1 }, { 0, 1, -1, -1, -1 },
	};
	struct bpmu_rows rows;
	struct bpmu_error err;

	assert_int_equal(bpmu_rows_make(&rows, by, &cpus, old, &err), -ENODATA);
	assert_string_equal(err.text, why);
	bpmu_rows_free(&rows);
}

/* If it is not known which dies a package has, its cores are named as if it had one die. */
TEST(a_package_without_known_dies_is_one_die)
{
	static const struct bpmu_topology old[8] = {
		{ 0, 0, -1, -1, -1 }, { 0, 1, -1, -1, -1 },
	};
	struct bpmu_rows rows;
	struct bpmu_error err;

	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_CORE, &cpus, old,
					&err), 0);
	assert_string_equal(rows.row[0].label, "S0-D0-C0");
	bpmu_rows_free(&rows);
	refused(BPMU_ROWS_DIE,
		"CPU 0: its die is unknown; choose --per-socket, or print a row per CPU with -A");
	refused(BPMU_ROWS_CACHE,
		"CPU 0: its L3 is unknown; choose --per-die or --per-socket, or print a row per CPU with -A");
	refused(BPMU_ROWS_NODE,
		"CPU 0: its NUMA node is unknown; choose --per-socket, or print a row per CPU with -A");
}

static void write_to(const char *root, const char *name, const char *text)
{
	char path[256];
	char *slash;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = strchr(path + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", text);
	fclose(out);
}

static void write_cpu(const char *root, unsigned int cpu, const char *name,
		      const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "cpu/cpu%u/%s", cpu, name);
	write_to(root, path, text);
}

/*
 * sysfs describes a package of two dies, each with two CPUs and two NUMA nodes (sub-NUMA clusters).
 * CPU 2 is offline, and one node has memory only.
 */
TEST(reads_the_topology_from_sysfs)
{
	static const struct bpmu_topology expected[] = {
		{ 0, 0, 0, 0, 0 }, { 0, 1, 0, 0, 1 }, { 0, 1, 1, 3, 3 },
	};
	static const char *const members[] = { "0-1", "0-1", NULL, "3" };
	static const char *const nodes[] = { "0", "1", "", "3" };
	char root[] = "/tmp/topology.XXXXXX";
	u32 online[] = { 0, 1, 3 };
	const struct bpmu_cpulist list = { online, ARRAY_SIZE(online) };
	struct bpmu_topology found[ARRAY_SIZE(online)];
	char command[64], name[32];
	unsigned int i;

	assert_non_null(mkdtemp(root));
	for (i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "node/node%u/cpulist", i);
		write_to(root, name, nodes[i]);
		if (i == 2)
			continue;
		write_cpu(root, i, "topology/physical_package_id", "0");
		write_cpu(root, i, "topology/package_cpus_list", "0-1,3");
		write_cpu(root, i, "topology/die_id", i == 3 ? "1" : "0");
		write_cpu(root, i, "topology/die_cpus_list", members[i]);
		write_cpu(root, i, "topology/core_id", i ? "1" : "0");
		write_cpu(root, i, "cache/index3/shared_cpu_list", members[i]);
	}
	write_to(root, "node/online", "0-3");
	bpmu_topology_read_below(root, &list, found);
	for (i = 0; i < list.nr; i++) {
		assert_int_equal(found[i].package, expected[i].package);
		assert_int_equal(found[i].core, expected[i].core);
		assert_int_equal(found[i].die, expected[i].die);
		assert_int_equal(found[i].cache, expected[i].cache);
		assert_int_equal(found[i].node, expected[i].node);
	}
	assert_false(bpmu_topology_same_core(&found[1], &found[2]));
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
	bpmu_topology_read_below(root, &list, found);
	for (i = 0; i < list.nr; i++) {
		assert_int_equal(found[i].package, -1);
		assert_int_equal(found[i].core, -1);
		assert_int_equal(found[i].die, -1);
		assert_int_equal(found[i].cache, -1);
		assert_int_equal(found[i].node, -1);
	}
}

TEST(refuses_rows_of_unknown_topology)
{
	static const struct bpmu_topology nowhere[8] = {
		{ 0, 0 }, { 0, -1 },
	};
	struct bpmu_rows rows;
	struct bpmu_error err;

	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_CORE, &cpus, nowhere,
					&err), -ENODATA);
	assert_string_equal(err.text,
			    "CPU 1: its core is unknown; mount /sys, or print a row per CPU with -A");
	bpmu_rows_free(&rows);
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_PACKAGE, &cpus,
					nowhere, &err), 0);
	bpmu_rows_free(&rows);
}

/* Linux may give two threads of one core different NUMA nodes (numa=fake). */
TEST(siblings_have_package_die_and_core_in_common)
{
	static const struct bpmu_topology one = { 1, 2, 3, 4, 5 };
	static const struct bpmu_topology sibling = { 1, 2, 3, 6, 7 };
	static const struct bpmu_topology others[] = {
		{ 5, 2, 3, 4, 5 }, { 1, 5, 3, 4, 5 }, { 1, 2, 5, 4, 5 },
	};
	unsigned int i;

	assert_true(bpmu_topology_same_core(&one, &sibling));
	for (i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(bpmu_topology_same_core(&one, &others[i]));
}
