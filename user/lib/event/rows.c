// SPDX-License-Identifier: GPL-2.0
#include "rows.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct spot - a CPU that is to be sorted into a row of the result
 * @by: what a row is about, such as a core
 * @topology: topology of the CPU
 * @pos: index of the CPU in the list of measured CPUs
 */
struct spot {
	enum bpmu_rows_by by;
	struct bpmu_topology topology;
	unsigned int pos;
};

/**
 * struct row_level - a level of the topology, such as cores or dies, by which rows are made
 * @id: [@nr], offsets in &struct bpmu_topology of the identifiers that all CPUs of a row have in
 *	common, from the outermost to the innermost
 * @nr: number of identifiers
 * @aggregation: name of the level in JSON and CSV; NULL for rows of single CPUs or of all CPUs
 * @what: error message for a CPU of which such an identifier is not known
 */
struct row_level {
	size_t id[3];
	unsigned int nr;
	const char *aggregation;
	const char *what;
};

#define ID(member) offsetof(struct bpmu_topology, member)

static const struct row_level row_levels[] = {
	[BPMU_ROWS_CPU] = { { ID(core) }, 1, NULL, NULL },
	[BPMU_ROWS_CORE] = {
		{ ID(package), ID(die), ID(core) }, 3, "core",
		"core is unknown; mount /sys",
	},
	[BPMU_ROWS_PACKAGE] = {
		{ ID(package) }, 1, "socket", "package is unknown; mount /sys",
	},
	[BPMU_ROWS_CACHE] = {
		{ ID(package), ID(die), ID(cache) }, 3, "cache",
		"L3 is unknown; choose --per-die or --per-socket",
	},
	[BPMU_ROWS_DIE] = {
		{ ID(package), ID(die) }, 2, "die",
		"die is unknown; choose --per-socket",
	},
	[BPMU_ROWS_NODE] = {
		{ ID(node) }, 1, "node",
		"NUMA node is unknown; choose --per-socket",
	},
	[BPMU_ROWS_ENTRY] = { .nr = 0 },
};

static int id_at(const struct bpmu_topology *topology, size_t offset)
{
	return *(const int *)((const char *)topology + offset);
}

/*
 * Compares two CPUs by the identifiers that the CPUs of a row have in common, such as package and
 * die. If rows are single CPUs, or one row has all CPUs, there are no such identifiers, and all
 * CPUs are equal.
 */
static int compare_ids(const struct spot *a, const struct spot *b)
{
	const struct row_level *level = &row_levels[a->by];
	unsigned int i;
	int x, y;

	for (i = 0; i < level->nr; i++) {
		x = id_at(&a->topology, level->id[i]);
		y = id_at(&b->topology, level->id[i]);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int rows_compare(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = compare_ids(x, y);

	return order ? order : x->pos < y->pos ? -1 : x->pos > y->pos;
}

static bool by_topology(enum bpmu_rows_by by)
{
	return row_levels[by].aggregation;
}

/*
 * Sets the topology by which a CPU is sorted. Old recordings lack the numbers of dies. For rows of
 * cores each package is then taken to have a single die, as in perf.
 */
static int set_spot(struct spot *spot, enum bpmu_rows_by by, u32 cpu,
		    const struct bpmu_topology *topology, struct bpmu_error *err)
{
	const struct row_level *level = &row_levels[by];
	unsigned int i;

	spot->by = by;
	spot->topology = *topology;
	if (by == BPMU_ROWS_CPU)
		spot->topology.core = cpu;
	if (by == BPMU_ROWS_CORE && topology->die < 0)
		spot->topology.die = 0;
	for (i = 0; i < level->nr; i++)
		if (id_at(&spot->topology, level->id[i]) < 0)
			return bpmu_error_set(err, -ENODATA,
				"CPU %u: its %s, or print a row per CPU with -A",
				cpu, level->what);
	return 0;
}

static char *label(enum bpmu_rows_by by, const struct bpmu_cpulist *cpus,
		   const struct bpmu_topology *topology)
{
	char *text = NULL;
	int length = -1;

	switch (by) {
	case BPMU_ROWS_ALL:
		return bpmu_cpulist_format(cpus);
	case BPMU_ROWS_CPU:
		length = asprintf(&text, "%d", topology->core);
		break;
	case BPMU_ROWS_CORE:
		length = asprintf(&text, "S%d-D%d-C%d", topology->package,
				  topology->die, topology->core);
		break;
	case BPMU_ROWS_CACHE:
		length = asprintf(&text, "S%d-D%d-L3-ID%d", topology->package,
				  topology->die, topology->cache);
		break;
	case BPMU_ROWS_DIE:
		length = asprintf(&text, "S%d-D%d", topology->package,
				  topology->die);
		break;
	case BPMU_ROWS_PACKAGE:
		length = asprintf(&text, "S%d", topology->package);
		break;
	case BPMU_ROWS_NODE:
		length = asprintf(&text, "N%d", topology->node);
		break;
	case BPMU_ROWS_ENTRY:
		break;
	}
	return length < 0 ? NULL : text;
}

/* Returns the number of packages to which the CPUs of a row belong; 0 if a package is unknown. */
static unsigned int packages_of(const struct spot *spots, unsigned int nr)
{
	unsigned int packages = 0;
	unsigned int i, k;

	for (i = 0; i < nr && !compare_ids(&spots[0], &spots[i]); i++) {
		if (spots[i].topology.package < 0)
			return 0;
		for (k = 0; k < i && spots[k].topology.package !=
				     spots[i].topology.package; k++)
			;
		packages += k == i;
	}
	return packages;
}

static int rows_fill(struct bpmu_rows *rows, const struct bpmu_cpulist *cpus,
		     struct spot *spots, struct bpmu_error *err)
{
	struct bpmu_row *row = rows->row;
	unsigned int i;

	qsort(spots, cpus->nr, sizeof(*spots), rows_compare);
	for (i = 0; i < cpus->nr; i++) {
		if (!i || compare_ids(&spots[i - 1], &spots[i])) {
			row = &rows->row[rows->nr++];
			row->first = i;
			if (by_topology(rows->by))
				row->packages = packages_of(&spots[i],
							    cpus->nr - i);
			row->label = label(rows->by, cpus, &spots[i].topology);
			if (!row->label)
				return bpmu_error_no_memory(err, "rows");
		}
		row->cpus++;
		rows->of[spots[i].pos] = rows->nr - 1;
		rows->pos[i] = spots[i].pos;
	}
	return 0;
}

/*
 * If the CPUs of a core, L3 or die are in several rows, sets the bit of @level in &bpmu_row.part_of
 * of each of these rows. @level is cores, L3s or dies.
 */
static void rows_mark_parts(struct bpmu_rows *rows, const struct bpmu_topology *topology,
			    enum bpmu_rows_by level, struct spot *spots)
{
	const size_t last = row_levels[level].id[row_levels[level].nr - 1];
	unsigned int i, first, end;
	bool divided;

	for (i = 0; i < rows->positions; i++)
		spots[i] = (struct spot){ level, topology[i], i };
	qsort(spots, rows->positions, sizeof(*spots), rows_compare);
	for (first = 0; first < rows->positions; first = end) {
		divided = false;
		for (end = first; end < rows->positions &&
		     !compare_ids(&spots[first], &spots[end]); end++)
			divided |= rows->of[spots[end].pos] != rows->of[spots[first].pos];
		/*
		 * If the numbers of a package's dies are unknown, the package is taken to have a
		 * single die.
		 */
		if (!divided || spots[first].topology.package < 0 ||
		    (level != BPMU_ROWS_DIE && id_at(&spots[first].topology, last) < 0))
			continue;
		for (i = first; i < end; i++)
			rows->row[rows->of[spots[i].pos]].part_of |= BPMU_BIT(level);
	}
}

/**
 * bpmu_rows_make() - sort CPUs into rows of the result by a given topology
 * @rows: set; free it with bpmu_rows_free(), also after an error
 * @by: what a row is about, such as a core
 * @cpus: the CPUs
 * @topology: [nr CPUs], topology of the CPUs
 *
 * Return: 0, -ENODATA if for a CPU the number of its core, die or the like is unknown, or -ENOMEM.
 */
int bpmu_rows_make(struct bpmu_rows *rows, enum bpmu_rows_by by,
		   const struct bpmu_cpulist *cpus,
		   const struct bpmu_topology *topology, struct bpmu_error *err)
{
	struct spot *spots = calloc(cpus->nr, sizeof(*spots));
	unsigned int i;
	int code = 0;

	memset(rows, 0, sizeof(*rows));
	rows->by = by;
	rows->positions = cpus->nr;
	rows->row = calloc(cpus->nr, sizeof(*rows->row));
	rows->of = calloc(cpus->nr, sizeof(*rows->of));
	rows->pos = calloc(cpus->nr, sizeof(*rows->pos));
	if (!spots || !rows->row || !rows->of || !rows->pos)
		code = bpmu_error_no_memory(err, "rows");
	for (i = 0; i < cpus->nr && !code; i++) {
		spots[i].pos = i;
		code = set_spot(&spots[i], by, cpus->cpu[i], &topology[i], err);
	}
	if (!code)
		code = rows_fill(rows, cpus, spots, err);
	if (!code && rows->nr > 1) {
		rows_mark_parts(rows, topology, BPMU_ROWS_CORE, spots);
		rows_mark_parts(rows, topology, BPMU_ROWS_CACHE, spots);
		rows_mark_parts(rows, topology, BPMU_ROWS_DIE, spots);
	}
	free(spots);
	return code;
}

/**
 * bpmu_rows_find() - sort CPUs into rows of the result by the topology of this machine
 * @rows: set; free it with bpmu_rows_free(), also after an error
 * @by: what a row is about, such as a core
 * @cpus: the CPUs
 *
 * Return: 0 or a negative errno, see bpmu_rows_make().
 */
int bpmu_rows_find(struct bpmu_rows *rows, enum bpmu_rows_by by,
		   const struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	struct bpmu_topology *topology = calloc(cpus->nr, sizeof(*topology));
	int code;

	memset(rows, 0, sizeof(*rows));
	if (!topology)
		return bpmu_error_no_memory(err, "rows");
	if (by != BPMU_ROWS_ALL)
		bpmu_topology_read(cpus, topology);
	code = bpmu_rows_make(rows, by, cpus, topology, err);
	free(topology);
	return code;
}

void bpmu_rows_free(struct bpmu_rows *rows)
{
	while (rows->nr)
		free(rows->row[--rows->nr].label);
	free(rows->row);
	free(rows->of);
	free(rows->pos);
	memset(rows, 0, sizeof(*rows));
}

/**
 * bpmu_rows_grouped() - check if rows sum over the CPUs of cores, dies, sockets and the like
 *
 * Return: false if one row has all CPUs, if each CPU has a row, and for rows of the option --by.
 */
bool bpmu_rows_grouped(const struct bpmu_rows *rows)
{
	return by_topology(rows->by);
}

/**
 * bpmu_rows_aggregation() - name in JSON and CSV of what rows sum over, such as cores
 *
 * Return: "core", "cache", "die", "socket" or "node"; NULL if bpmu_rows_grouped() returns false.
 */
const char *bpmu_rows_aggregation(const struct bpmu_rows *rows)
{
	return row_levels[rows->by].aggregation;
}
