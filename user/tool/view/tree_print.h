/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree's values for people and for programs.
 */
#ifndef BPMU_TREE_PRINT_H
#define BPMU_TREE_PRINT_H

#include <stdio.h>

#include "base/fields.h"
#include "tree/tree.h"

/* the columns of a node, behind those that say when and where */
#define BPMU_TREE_COLUMNS "metric,level,value,unit,flagged,flags,uncertainty,errata"

/**
 * struct bpmu_tree_word - a text and its length
 * @text: the text
 * @len: its length
 */
struct bpmu_tree_word {
	char *text;
	int len;
};

/**
 * struct bpmu_tree_words - the constant parts of each node's CSV row
 * @before: for each metric what stands before the value
 * @after: for each metric what stands behind it, not flagged, and flagged
 * @end: for each metric what stands behind the uncertainty, with the line's end
 * @separator: between fields
 * @nr: number of metrics
 */
struct bpmu_tree_words {
	struct bpmu_tree_word *before;
	struct bpmu_tree_word *after[2];
	struct bpmu_tree_word *end;
	const char *separator;
	unsigned int nr;
};

int bpmu_tree_words_init(struct bpmu_tree_words *words,
			 const struct bpmu_tree *tree, const char *separator,
			 struct bpmu_error *err);
void bpmu_tree_words_free(struct bpmu_tree_words *words);

void bpmu_tree_marks(FILE *out, const struct bpmu_metric *metric,
		     const struct bpmu_tree_value *value);
void bpmu_tree_csv_uncertainty(FILE *out, const struct bpmu_tree_value *value);
void bpmu_tree_value(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		     const struct bpmu_tree_value *value);
void bpmu_tree_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		    const struct bpmu_tree_value *value);
void bpmu_tree_text(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values);
void bpmu_tree_errata(FILE *out, const struct bpmu_tree *tree);
void bpmu_tree_csv_head(FILE *out, const struct bpmu_fields *when,
			const char *separator);
void bpmu_tree_csv(FILE *out, const struct bpmu_tree *tree,
		   const struct bpmu_tree_value *values,
		   const struct bpmu_tree_words *words,
		   const struct bpmu_fields *when);
void bpmu_tree_json_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
			 const struct bpmu_tree_value *value,
			 const struct bpmu_fields *when);
void bpmu_tree_json(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values,
		    const struct bpmu_fields *when);

#endif /* BPMU_TREE_PRINT_H */
