// SPDX-License-Identifier: GPL-2.0
#include "tree_print.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/print.h"
#include "colour.h"
#include "metric/metric_unit.h"

#define NAME_WIDTH 32

static void tree_print_text_uncertainty(FILE *out, const struct bpmu_metric *metric,
					double half)
{
	if (isinf(half))
		fputs("  +- ?", out);
	else if (half > 0 && bpmu_unit_is_share(metric->unit))
		fprintf(out, "  +- %.1f", 100 * half);
	else if (half > 0)
		fprintf(out, "  +- %.3g", half);
}

/**
 * bpmu_tree_marks() - what is to be known of a value, for people
 * @out: where
 * @metric: the node
 * @value: its value
 *
 * Its interval, whether it is flagged, and the words of its flags.
 */
void bpmu_tree_marks(FILE *out, const struct bpmu_metric *metric,
		     const struct bpmu_tree_value *value)
{
	char flags[BPMU_VALUE_FLAG_TEXT];

	if (value->known)
		tree_print_text_uncertainty(out, metric, value->uncertainty);
	if (value->flagged && bpmu_colour(out))
		fputs("  " BPMU_COLOUR_FLAGGED "<==" BPMU_COLOUR_END, out);
	else if (value->flagged)
		fputs("  <==", out);
	else if (value->flags & BPMU_VALUE_UNDECIDED)
		fputs("  ?", out);
	if (bpmu_value_flags_text(value->flags & ~BPMU_VALUE_UNDECIDED, "",
				  ", ", "", flags))
		fprintf(out, "  (%s)", flags);
}

/**
 * bpmu_tree_value() - a node's value for people, and what is to be known of it
 * @out: where
 * @tree: the tree
 * @i: number of the node
 * @value: its value
 */
void bpmu_tree_value(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		     const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];

	if (!value->known)
		fputs("  no value", out);
	else if (bpmu_unit_is_share(metric->unit))
		fprintf(out, "%7.1f %% of %s", 100 * value->value,
			metric->unit);
	else
		fprintf(out, "%9.4g%s%s", value->value,
			metric->unit ? " " : "",
			metric->unit ? metric->unit : "");
	bpmu_tree_marks(out, metric, value);
}

/**
 * bpmu_tree_node() - a node for people, without the line's end
 * @out: where
 * @tree: the tree
 * @i: number of the node
 * @value: its value
 */
void bpmu_tree_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
		    const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];
	int indent = 2 * metric->level;

	fprintf(out, "%*s%-*s", indent, "", NAME_WIDTH + 2 - indent,
		metric->name);
	bpmu_tree_value(out, tree, i, value);
}

/**
 * bpmu_tree_text() - the tree for people
 * @out: where
 * @tree: the tree
 * @values: from bpmu_tree_eval()
 */
void bpmu_tree_text(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!bpmu_tree_shown(tree, i))
			continue;
		bpmu_tree_node(out, tree, i, &values[i]);
		fputc('\n', out);
	}
}

/**
 * bpmu_tree_errata() - a line for each node that errata touch
 * @out: where
 * @tree: the tree
 */
void bpmu_tree_errata(FILE *out, const struct bpmu_tree *tree)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (bpmu_tree_shown(tree, i))
			bpmu_errata_note(out, tree->metrics.metric[i].name,
					 &tree->errata[i]);
}

/**
 * bpmu_tree_words_free() - undo bpmu_tree_words_init()
 * @words: whatever it filled in
 */
void bpmu_tree_words_free(struct bpmu_tree_words *words)
{
	unsigned int i;

	for (i = 0; i < words->nr; i++) {
		free(words->before[i].text);
		free(words->after[0][i].text);
		free(words->after[1][i].text);
		free(words->end[i].text);
	}
	free(words->before);
	free(words->after[0]);
	free(words->after[1]);
	free(words->end);
	memset(words, 0, sizeof(*words));
}

/* a field and the number that follows it, between separators */
static int field_word(struct bpmu_tree_word *word, const char *field,
		      unsigned int number, const char *separator)
{
	size_t size;
	FILE *text = open_memstream(&word->text, &size);

	if (!text)
		return -ENOMEM;
	fputs(separator, text);
	bpmu_print_csv(text, field, separator);
	fprintf(text, "%s%u%s", separator, number, separator);
	if (fclose(text))
		return -ENOMEM;
	word->len = size;
	return 0;
}

static int errata_word(struct bpmu_tree_words *words, unsigned int i,
		       const struct bpmu_errata *errata, const char *separator)
{
	struct bpmu_tree_word *word = &words->end[i];
	size_t size;
	FILE *text = open_memstream(&word->text, &size);

	if (!text)
		return -ENOMEM;
	bpmu_errata_print(text, BPMU_CSV, separator, errata);
	fputc('\n', text);
	if (fclose(text))
		return -ENOMEM;
	word->len = size;
	return 0;
}

static int node_words(struct bpmu_tree_words *words, unsigned int i,
		      const struct bpmu_metric *metric,
		      const struct bpmu_errata *errata, const char *s)
{
	const char *unit = metric->unit ? metric->unit : "";
	int ret;

	ret = field_word(&words->before[i], metric->name, metric->level, s);
	if (!ret)
		ret = field_word(&words->after[0][i], unit, 0, s);
	if (!ret)
		ret = field_word(&words->after[1][i], unit, 1, s);
	return ret ? ret : errata_word(words, i, errata, s);
}

/**
 * bpmu_tree_words_init() - get ready to print many rows of CSV
 * @words: filled in; to be freed in any case
 * @tree: the tree
 * @separator: between fields
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_tree_words_init(struct bpmu_tree_words *words,
			 const struct bpmu_tree *tree, const char *separator,
			 struct bpmu_error *err)
{
	unsigned int nr = tree->metrics.nr;
	unsigned int i;
	int ret = 0;

	memset(words, 0, sizeof(*words));
	words->separator = separator;
	words->before = calloc(nr, sizeof(*words->before));
	words->after[0] = calloc(nr, sizeof(*words->before));
	words->after[1] = calloc(nr, sizeof(*words->before));
	words->end = calloc(nr, sizeof(*words->before));
	if (!words->before || !words->after[0] || !words->after[1] ||
	    !words->end)
		ret = -ENOMEM;
	for (i = 0; i < nr && !ret; i++) {
		words->nr = i + 1;
		ret = node_words(words, i, &tree->metrics.metric[i],
				 &tree->errata[i], separator);
	}
	return ret ? bpmu_error_set(err, ret, "metrics: no memory; free some") :
		     0;
}

/**
 * bpmu_tree_csv_head() - the names of the columns
 * @out: where
 * @when: the fields that say when and where
 * @separator: between fields
 */
void bpmu_tree_csv_head(FILE *out, const struct bpmu_fields *when,
			const char *separator)
{
	const char *column = "," BPMU_TREE_COLUMNS;

	bpmu_fields_names(out, when, separator);
	for (; *column; column++) {
		if (*column == ',')
			fputs(separator, out);
		else
			fputc(*column, out);
	}
	fputc('\n', out);
}

/**
 * struct sink - text on its way, so that a row is not written piece by piece
 * @out: where
 * @len: bytes in @text
 * @text: not yet written
 */
struct sink {
	FILE *out;
	size_t len;
	char text[4096];
};

static void drain(struct sink *sink)
{
	fwrite_unlocked(sink->text, 1, sink->len, sink->out);
	sink->len = 0;
}

static void tree_print_put(struct sink *sink, const char *text, size_t len)
{
	if (len > sizeof(sink->text) - sink->len)
		drain(sink);
	if (len > sizeof(sink->text)) {
		fwrite_unlocked(text, 1, len, sink->out);
		return;
	}
	memcpy(sink->text + sink->len, text, len);
	sink->len += len;
}

static void put_flags(struct sink *sink, unsigned int flags)
{
	char text[BPMU_VALUE_FLAG_TEXT];

	tree_print_put(sink, text, bpmu_value_flags_text(flags, "", " ", "", text));
}

static void put_uncertainty(struct sink *sink, const char *separator,
			    const struct bpmu_tree_value *value)
{
	char number[BPMU_DECIMAL_TEXT];

	tree_print_put(sink, separator, strlen(separator));
	if (!value->known || !value->uncertainty)
		return;
	if (isinf(value->uncertainty))
		tree_print_put(sink, "inf", 3);
	else
		tree_print_put(sink, number, bpmu_decimal_print(number,
								value->uncertainty));
}

/**
 * bpmu_tree_csv() - a row for each node
 * @out: where
 * @tree: the tree
 * @values: from bpmu_tree_eval()
 * @words: of the tree
 * @when: the fields that say when and where
 */
void bpmu_tree_csv(FILE *out, const struct bpmu_tree *tree,
		   const struct bpmu_tree_value *values,
		   const struct bpmu_tree_words *words,
		   const struct bpmu_fields *when)
{
	struct sink sink;
	char *prefix = NULL;
	size_t len = 0;
	FILE *text = open_memstream(&prefix, &len);
	char number[BPMU_DECIMAL_TEXT];
	const struct bpmu_tree_word *word;
	unsigned int i;

	if (!text)
		return;
	bpmu_fields_columns(text, when, words->separator);
	fclose(text);
	sink.out = out;
	sink.len = 0;
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!bpmu_tree_shown(tree, i))
			continue;
		tree_print_put(&sink, prefix, len);
		tree_print_put(&sink, words->before[i].text, words->before[i].len);
		if (values[i].known)
			tree_print_put(&sink, number,
				       bpmu_decimal_print(number, values[i].value));
		word = &words->after[values[i].flagged][i];
		tree_print_put(&sink, word->text, word->len);
		if (values[i].flags)
			put_flags(&sink, values[i].flags);
		put_uncertainty(&sink, words->separator, &values[i]);
		tree_print_put(&sink, words->end[i].text, words->end[i].len);
	}
	drain(&sink);
	free(prefix);
}

/**
 * bpmu_tree_csv_uncertainty() - half of the 95 % interval as a field
 * @out: where
 * @value: a node's value
 */
void bpmu_tree_csv_uncertainty(FILE *out, const struct bpmu_tree_value *value)
{
	struct sink sink = { .out = out };

	put_uncertainty(&sink, "", value);
	drain(&sink);
}

/**
 * bpmu_tree_json_node() - an object for a node
 * @out: where
 * @tree: the tree
 * @i: number of the node
 * @value: its value
 * @when: the members that say when and where
 */
void bpmu_tree_json_node(FILE *out, const struct bpmu_tree *tree, unsigned int i,
			 const struct bpmu_tree_value *value,
			 const struct bpmu_fields *when)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];
	char flags[BPMU_VALUE_FLAG_TEXT];
	char errata[BPMU_ERRATA_WORDS];
	struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "metric", .when = *when,
	};
	const struct bpmu_field fields[] = {
		{ "metric", metric->name, BPMU_FIELD_TEXT },
		{ "level", .form = BPMU_FIELD_WHOLE, .whole = metric->level },
		{ "value", .form = BPMU_FIELD_NUMBER,
		  .number = value->known ? value->value : NAN },
		{ "uncertainty", .form = BPMU_FIELD_NUMBER,
		  .number = value->known ? value->uncertainty : NAN },
		{ "unit", metric->unit, BPMU_FIELD_TEXT },
		{ "flagged", .form = BPMU_FIELD_FLAG, .whole = value->flagged },
		{ "flags", flags, BPMU_FIELD_WORDS },
		{ "errata", errata, BPMU_FIELD_WORDS },
	};

	bpmu_value_flags_text(value->flags, "", " ", "", flags);
	bpmu_errata_words(&tree->errata[i], errata);
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_tree_json() - an object for each node
 * @out: where
 * @tree: the tree
 * @values: from bpmu_tree_eval()
 * @when: the members that say when and where
 */
void bpmu_tree_json(FILE *out, const struct bpmu_tree *tree,
		    const struct bpmu_tree_value *values,
		    const struct bpmu_fields *when)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (bpmu_tree_shown(tree, i))
			bpmu_tree_json_node(out, tree, i, &values[i], when);
}
