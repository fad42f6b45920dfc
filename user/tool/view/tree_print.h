/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the values of a metric tree as text, CSV or JSON. */
#ifndef BPMU_TREE_PRINT_H
#define BPMU_TREE_PRINT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/fields.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

/* Parts of the text of a node, in their order. */
enum bpmu_tree_part { BPMU_TREE_NAME, BPMU_TREE_VALUE, BPMU_TREE_MARKS };

/* number of fields of a metric in CSV and JSON */
#define BPMU_METRIC_FIELDS 8

/**
 * struct bpmu_metric_places - fields of a line of CSV or JSON that have the value of a metric
 * @value: the value
 * @flagged: whether the metric is flagged
 * @half: half-width of the 95 % interval of the value
 */
struct bpmu_metric_places {
	struct bpmu_field *value;
	struct bpmu_field *flagged;
	struct bpmu_field *half;
};

/*
 * Checks if the 95 % interval of a value has a known width above 0. @half is half of the width: 0
 * if the value is exact, INFINITY if the interval is unknown.
 */
static inline bool bpmu_is_interval(double half)
{
	return half > 0 && !isinf(half);
}

void bpmu_print_intervals(FILE *out, const char *indent);
void bpmu_tree_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		    const struct bpmu_tree_value *value, enum bpmu_tree_part from);
void bpmu_tree_text(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values, const char *only);
void bpmu_tree_errata(FILE *out, const struct bpmu_tree *tree);
void bpmu_metric_fields(const struct bpmu_metric *metric, const char *errata, const char *flags,
			struct bpmu_field field[BPMU_METRIC_FIELDS]);
struct bpmu_metric_places bpmu_metric_find(struct bpmu_field *field);
void bpmu_metric_set(const struct bpmu_metric_places *places, enum bpmu_format format,
		     const struct bpmu_tree_value *value);
void bpmu_metric_row(struct bpmu_table *table, const struct bpmu_metric *metric,
		     const struct bpmu_errata *of, const struct bpmu_tree_value *value);
void bpmu_tree_refused(struct bpmu_table *table,
		       const struct bpmu_choice *choice);
void bpmu_tree_rows(struct bpmu_table *table, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values);

#endif /* BPMU_TREE_PRINT_H */
