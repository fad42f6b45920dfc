/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of a result. The counts of a row are the sums over the CPUs of one core, die, package or
 * the like.
 */
#ifndef BPMU_ROWS_H
#define BPMU_ROWS_H

#include <stdbool.h>

#include "base/cpulist.h"
#include "topology.h"
#include "units.h"

/**
 * enum bpmu_rows_by - what each row of a result is about
 * @BPMU_ROWS_ALL: all CPUs; there is a single row
 * @BPMU_ROWS_CPU: one CPU
 * @BPMU_ROWS_CORE: the CPUs that are threads of a core
 * @BPMU_ROWS_PACKAGE: the CPUs of a package
 * @BPMU_ROWS_CACHE: the CPUs that share an L3, on AMD a core complex
 * @BPMU_ROWS_DIE: the CPUs of a die
 * @BPMU_ROWS_NODE: the CPUs of a NUMA node
 * @BPMU_ROWS_ENTRY: what the option --by names, such as one function or one task that samples
 *	interrupted (an entry)
 */
enum bpmu_rows_by {
	BPMU_ROWS_ALL,
	BPMU_ROWS_CPU,
	BPMU_ROWS_CORE,
	BPMU_ROWS_PACKAGE,
	BPMU_ROWS_CACHE,
	BPMU_ROWS_DIE,
	BPMU_ROWS_NODE,
	BPMU_ROWS_ENTRY
};

/**
 * struct bpmu_row - a row of a result
 * @label: "0-3,8" for all CPUs, "3" for a CPU; perf's "S0-D0-C1", "S0-D0-L3-ID4", "S0-D0",
 *	"S0", "N0"; or the name of the function, task or the like of a row of --by
 * @first: index of the row's first CPU in &bpmu_rows.pos
 * @cpus: number of CPUs of the row; 1 for a row of --by
 * @packages: number of packages that have CPUs of the row, 0 if unknown
 * @part_of: mask with a bit BPMU_BIT(&enum bpmu_rows_by) each for cores, L3s and dies: the bit of
 *	cores is 1 if this row shares a core with another row, and so on
 * @samples: rows of --by only: number of samples that interrupted the function or task
 * @share: rows of --by only: fraction of the time in which the function or task ran
 */
struct bpmu_row {
	char *label;
	unsigned int first;
	unsigned int cpus;
	unsigned int packages;
	unsigned int part_of;
	u64 samples;
	double share;
};

/**
 * struct bpmu_rows - all rows of a result, sorted by identifiers and CPU number
 * @by: what each row is about
 * @name: argument of --by, such as "symbol"; only with %BPMU_ROWS_ENTRY
 * @row: [@nr], rows
 * @nr: number of rows
 * @positions: number of measured CPUs; the index of a measured CPU is called its position. For rows
 *	of --by, number of rows
 * @of: [@positions], index of the row to which a CPU belongs
 * @pos: [@positions], positions of the first row's CPUs, then of the second row's, and so on; in
 *	ascending order within a row
 */
struct bpmu_rows {
	enum bpmu_rows_by by;
	const char *name;
	struct bpmu_row *row;
	unsigned int nr;
	unsigned int positions;
	unsigned int *of;
	unsigned int *pos;
};

/**
 * bpmu_rows_next() - the next CPU of a row
 * @rows: the rows
 * @r: index of the row
 * @i: 0 to get the first CPU; this function increases it for the next call
 * @pos: set to the CPU's index in the list of measured CPUs
 *
 * Return: true, or false if the row has no more CPUs.
 */
static inline bool bpmu_rows_next(const struct bpmu_rows *rows, unsigned int r, unsigned int *i,
				  unsigned int *pos)
{
	if (*i >= rows->row[r].cpus)
		return false;
	*pos = rows->pos[rows->row[r].first + (*i)++];
	return true;
}

/**
 * bpmu_rows_range() - the next CPUs of a row that have consecutive positions
 * @rows: the rows
 * @r: index of the row
 * @i: 0 to get the first CPUs; this function increases it for the next call
 * @first: set to the position of the first of these CPUs
 *
 * Return: the position after the last of these CPUs; 0 if the row has no more CPUs.
 */
static inline unsigned int bpmu_rows_range(const struct bpmu_rows *rows, unsigned int r,
					   unsigned int *i, unsigned int *first)
{
	const unsigned int *pos = rows->pos + rows->row[r].first + *i;
	unsigned int nr = rows->row[r].cpus - *i, n;

	if (!nr)
		return 0;
	*first = pos[0];
	/* Positions ascend, so that mostly the last one tells that all are consecutive. */
	n = pos[nr - 1] - pos[0] == nr - 1 ? nr : 1;
	while (n < nr && pos[n] == pos[0] + n)
		n++;
	*i += n;
	return *first + n;
}

/**
 * bpmu_row_is_part() - check if a row of the result splits the CPUs that share some counters
 * @row: the row: the sum over the CPUs of a core, die, package or the like
 * @bank: the kind of counters, &enum bpmu_bank_id
 *
 * If the counters belong to a package, a row with all CPUs of a die does not count as splitting the
 * package: each die is given the counts of its package.
 *
 * Return: true if the counters belong to a core, L3 or die that has CPUs in other rows, too.
 */
static inline bool bpmu_row_is_part(const struct bpmu_row *row, enum bpmu_bank_id bank)
{
	if (!row->part_of)
		return false;
	switch (bpmu_bank_facts[bank].domain) {
	case BPMU_DOMAIN_THREAD:
		return false;
	case BPMU_DOMAIN_CORE:
		return row->part_of & BPMU_BIT(BPMU_ROWS_CORE);
	case BPMU_DOMAIN_COMPLEX:
		return row->part_of & BPMU_BIT(BPMU_ROWS_CACHE);
	default:
		return row->part_of & BPMU_BIT(BPMU_ROWS_DIE);
	}
}

int bpmu_rows_make(struct bpmu_rows *rows, enum bpmu_rows_by by,
		   const struct bpmu_cpulist *cpus,
		   const struct bpmu_topology *topology, struct bpmu_error *err);
int bpmu_rows_find(struct bpmu_rows *rows, enum bpmu_rows_by by,
		   const struct bpmu_cpulist *cpus, struct bpmu_error *err);
void bpmu_rows_free(struct bpmu_rows *rows);
bool bpmu_rows_grouped(const struct bpmu_rows *rows);
const char *bpmu_rows_aggregation(const struct bpmu_rows *rows);

#endif /* BPMU_ROWS_H */
