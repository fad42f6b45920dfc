// SPDX-License-Identifier: GPL-2.0
#include "rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct spot - a CPU on its way into a row
 * @topology: equal for the CPUs of a row
 * @pos: position of the CPU
 */
struct spot {
	struct bpmu_topology topology;
	unsigned int pos;
};

static int rows_compare(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->topology.package != y->topology.package)
		return x->topology.package < y->topology.package ? -1 : 1;
	if (x->topology.core != y->topology.core)
		return x->topology.core < y->topology.core ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

static bool same_row(const struct spot *a, const struct spot *b)
{
	return a->topology.package == b->topology.package &&
	       a->topology.core == b->topology.core;
}

static bool by_topology(enum bpmu_rows_by by)
{
	return by == BPMU_ROWS_CORE || by == BPMU_ROWS_PACKAGE;
}

static int set_spot(struct spot *spot, enum bpmu_rows_by by, u32 cpu,
		    const struct bpmu_topology *topology, struct bpmu_error *err)
{
	if ((by_topology(by) && topology->package < 0) ||
	    (by == BPMU_ROWS_CORE && topology->core < 0))
		return bpmu_error_set(err, -ENODATA,
			"CPU %u: its core is unknown; mount /sys, or print a row per CPU with -A",
			cpu);
	if (by_topology(by))
		spot->topology.package = topology->package;
	if (by == BPMU_ROWS_CORE)
		spot->topology.core = topology->core;
	if (by == BPMU_ROWS_CPU)
		spot->topology.core = cpu;
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
		length = asprintf(&text, "S%d-C%d", topology->package,
				  topology->core);
		break;
	case BPMU_ROWS_PACKAGE:
		length = asprintf(&text, "S%d", topology->package);
		break;
	case BPMU_ROWS_PLACE:
		break;
	}
	return length < 0 ? NULL : text;
}

static int rows_fill(struct bpmu_rows *rows, const struct bpmu_cpulist *cpus,
		     struct spot *spots, struct bpmu_error *err)
{
	struct bpmu_row *row = rows->row;
	unsigned int i;

	qsort(spots, cpus->nr, sizeof(*spots), rows_compare);
	for (i = 0; i < cpus->nr; i++) {
		if (!i || !same_row(&spots[i - 1], &spots[i])) {
			row = &rows->row[rows->nr++];
			row->label = label(rows->by, cpus, &spots[i].topology);
			if (!row->label)
				return bpmu_error_no_memory(err, "rows");
		}
		row->cpus++;
		rows->of[spots[i].pos] = rows->nr - 1;
	}
	return 0;
}

/**
 * bpmu_rows_make() - put CPUs into rows
 * @rows: filled in; free it with bpmu_rows_free(), on an error too
 * @by: what a row is
 * @cpus: the CPUs
 * @topology: where each of them is
 * @err: set on failure
 *
 * Return: 0, -ENODATA if the topology of a CPU is not known but asked for, or
 * -ENOMEM.
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
	if (!spots || !rows->row || !rows->of)
		code = bpmu_error_no_memory(err, "rows");
	for (i = 0; i < cpus->nr && !code; i++) {
		spots[i].pos = i;
		code = set_spot(&spots[i], by, cpus->cpu[i], &topology[i], err);
	}
	if (!code)
		code = rows_fill(rows, cpus, spots, err);
	free(spots);
	return code;
}

/**
 * bpmu_rows_find() - put CPUs of this machine into rows
 * @rows: filled in; free it with bpmu_rows_free(), on an error too
 * @by: what a row is
 * @cpus: the CPUs
 * @err: set on failure
 *
 * Return: as of bpmu_rows_make().
 */
int bpmu_rows_find(struct bpmu_rows *rows, enum bpmu_rows_by by,
		   const struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	struct bpmu_topology *topology = calloc(cpus->nr, sizeof(*topology));
	int code;

	memset(rows, 0, sizeof(*rows));
	if (!topology)
		return bpmu_error_no_memory(err, "rows");
	if (by_topology(by))
		bpmu_smt_find_all(cpus, topology);
	code = bpmu_rows_make(rows, by, cpus, topology, err);
	free(topology);
	return code;
}

/**
 * bpmu_rows_free() - free them
 * @rows: in any state; none afterwards
 */
void bpmu_rows_free(struct bpmu_rows *rows)
{
	while (rows->nr)
		free(rows->row[--rows->nr].label);
	free(rows->row);
	free(rows->of);
	memset(rows, 0, sizeof(*rows));
}
