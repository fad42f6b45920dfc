// SPDX-License-Identifier: GPL-2.0
/*
 * Prints how the shares that functions or the like have in the interrupts by an event differ
 * between two recordings, for "barepmu report --diff --by".
 */
#include "share_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/print.h"
#include "report_diff.h"

/**
 * struct moved - change of the share of a symbol, task or the like (a row) between two recordings
 * @label: text that names the row
 * @change: shares of the row in both recordings, and their difference
 * @significant: true if the difference is significant by bpmu_diff_is_significant()
 */
struct moved {
	const char *label;
	struct bpmu_share_change change;
	bool significant;
};

/**
 * struct share_diff - how the interrupts by an event differ between two recordings
 * @before: interrupts by the event in the first recording, summed by symbol, task or the like
 * @after: interrupts by the event in the second recording, summed by the same key
 * @row: change of each symbol, task or the like that either recording has, [@nr]
 * @nr: number of rows
 */
struct share_diff {
	const struct bpmu_event_shares *before;
	const struct bpmu_event_shares *after;
	struct moved *row;
	unsigned int nr;
};

static int compare_entry_labels(const void *a, const void *b)
{
	const struct bpmu_by_entry *x = *(struct bpmu_by_entry *const *)a;
	const struct bpmu_by_entry *y = *(struct bpmu_by_entry *const *)b;

	return strcmp(x->label, y->label);
}

/*
 * Sorts changes by ascending p-value. If p-values are equal, the row with the larger shares, added
 * over both recordings, comes first.
 */
static int compare_moved(const void *a, const void *b)
{
	const struct bpmu_share_change *x = &((const struct moved *)a)->change;
	const struct bpmu_share_change *y = &((const struct moved *)b)->change;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->before.share + x->after.share != y->before.share + y->after.share)
		return x->before.share + x->after.share > y->before.share + y->after.share ? -1 : 1;
	return strcmp(((const struct moved *)a)->label, ((const struct moved *)b)->label);
}

/*
 * Adds the change of a row (a symbol, task or the like) to @diff. @before is NULL if the first
 * recording does not have the row, @after is NULL if the second recording does not have it.
 */
static void add_moved(struct share_diff *diff, const struct bpmu_by_entry *before,
		      const struct bpmu_by_entry *after)
{
	const struct bpmu_weights part[2] = {
		before ? before->events : (struct bpmu_weights){ },
		after ? after->events : (struct bpmu_weights){ },
	};
	const struct bpmu_weights all[2] = { diff->before->shares.all, diff->after->shares.all };

	diff->row[diff->nr++] = (struct moved){
		.label = before ? before->label : after->label,
		.change = bpmu_share_change_of(part, all),
	};
}

/*
 * Finds the rows (symbols, tasks or the like) of both recordings that have the same label. Computes
 * the change of each row, and decides which changes are significant. Returns 0 or -ENOMEM.
 */
static int share_diff_make(struct share_diff *diff, struct bpmu_error *err)
{
	const struct bpmu_by *a = &diff->before->by, *b = &diff->after->by;
	unsigned int i = 0, k = 0;
	int order;

	diff->row = calloc(a->nr + b->nr + 1, sizeof(*diff->row));
	if (!diff->row)
		return bpmu_error_no_memory(err, "--diff");
	if (a->nr)
		qsort(a->entry, a->nr, sizeof(*a->entry), compare_entry_labels);
	if (b->nr)
		qsort(b->entry, b->nr, sizeof(*b->entry), compare_entry_labels);
	while (i < a->nr || k < b->nr) {
		order = i == a->nr ? 1 : k == b->nr ? -1 :
			strcmp(a->entry[i]->label, b->entry[k]->label);
		add_moved(diff, order <= 0 ? a->entry[i] : NULL, order >= 0 ? b->entry[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	qsort(diff->row, diff->nr, sizeof(*diff->row), compare_moved);
	for (i = 0; i < diff->nr && bpmu_diff_is_significant(diff->row[i].change.p, i, diff->nr); i++)
		diff->row[i].significant = true;
	return 0;
}

static void put_recording_line(FILE *out, const char *when, const char *name,
			       const struct bpmu_event_shares *event)
{
	char interrupts[BPMU_PRINT_NUMBER], events[BPMU_PRINT_NUMBER], lost[BPMU_PRINT_NUMBER];

	fprintf(out, "  %-6s  %s interrupts", when,
		bpmu_print_number(interrupts, event->by.samples));
	/*
	 * The shares of branches are fractions of interrupts. Other shares are fractions of the
	 * events for which the interrupts stand.
	 */
	if (event->by.type != BPMU_BY_BRANCH)
		fprintf(out, " for %s events", bpmu_print_number(events, event->shares.all.sum));
	if (event->shares.lost)
		fprintf(out, ", %s lost%s", bpmu_print_number(lost, event->shares.lost),
			event->shares.others ? " of this and other events" : "");
	fprintf(out, "  %s\n", name);
}

static const struct bpmu_column change_columns[] = {
	{ "before_percent", 6, BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "after_percent", 6, .before = "  ", BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "change_percent", 7, .before = "  ", BPMU_COLUMN_FIXED(2), .sign = true, .after = " %" },
	{ "low_percent", 7, .before = "  ", BPMU_COLUMN_FIXED(2), .sign = true },
	{ "high_percent", 7, .before = " ", BPMU_COLUMN_FIXED(2), .sign = true },
	{ "key", .before = "   " },
	{ "significant", .before = "  " },
};

static void share_diff_row(struct bpmu_table *table, const struct share_diff *diff,
			   const struct moved *row)
{
	const struct bpmu_share_change *change = &row->change;
	const struct bpmu_field fields[] = {
		{ "key", row->label, BPMU_FIELD_TEXT },
		{ "event", diff->before->shares.slot->text, BPMU_FIELD_TEXT },
		{ "before_percent", .form = BPMU_FIELD_REAL, .number = 100 * change->before.share,
		  .digits = 6 },
		{ "after_percent", .form = BPMU_FIELD_REAL, .number = 100 * change->after.share,
		  .digits = 6 },
		{ "change_percent", .form = BPMU_FIELD_REAL,
		  .number = 100 * (change->after.share - change->before.share), .digits = 6 },
		{ "low_percent", .form = BPMU_FIELD_REAL, .number = 100 * change->low,
		  .digits = 6 },
		{ "high_percent", .form = BPMU_FIELD_REAL, .number = 100 * change->high,
		  .digits = 6 },
		{ "significant", .form = BPMU_FIELD_TRUTH, .whole = row->significant,
		  .cell = row->significant ? "" : "(not significant)" },
		{ "by", bpmu_by_name(diff->before->by.type), BPMU_FIELD_TEXT },
	};

	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

static void share_diff_text(struct bpmu_table *table, const struct share_diff *diff,
			    const struct bpmu_share_set sets[2])
{
	FILE *out = table->out;
	unsigned int i, changed = 0;

	fprintf(out, "%s\n", diff->before->shares.slot->text);
	put_recording_line(out, "before", sets[0].name, diff->before);
	put_recording_line(out, "after", sets[1].name, diff->after);
	fprintf(out, "\n  before     after     change   95 %% interval   %s\n",
		bpmu_by_name(diff->before->by.type));
	for (i = 0; i < diff->nr; i++) {
		changed += diff->row[i].significant;
		share_diff_row(table, diff, &diff->row[i]);
	}
	fprintf(out, "\n  %u of %u shares have changed significantly (95 %% level for all together)\n",
		changed, diff->nr);
}

/*
 * Finds, among the events that interrupted in another recording (@set), the one that has the same
 * name as @event. Returns NULL if there is none.
 */
static const struct bpmu_event_shares *diff_find_event(const struct bpmu_share_set *set,
						       const struct bpmu_event_shares *event)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!strcmp(set->event[i].shares.slot->text, event->shares.slot->text))
			return &set->event[i];
	return NULL;
}

/**
 * bpmu_share_diff() - print how symbols' shares of an event differ between two recordings
 * @options: common options; only the options of the output are used
 * @sets: interrupts by events in the first and in the second recording, both summed by the same key
 *	of --by, such as the symbol. This function sorts their rows
 *
 * Each event that has interrupted in both recordings is compared. The changes with the smallest
 * p-values come first; text output says which changes are not significant.
 *
 * Return: 0, -ENODATA if no event interrupted in both recordings, or -ENOMEM.
 */
int bpmu_share_diff(FILE *out, const struct bpmu_options *options,
		    const struct bpmu_share_set sets[2], struct bpmu_error *err)
{
	struct bpmu_table table = {
		.out = out, .format = options->format, .separator = options->separator,
		.type = "share-change", .text = BPMU_COLUMNS(change_columns),
	};
	bool none = true;
	unsigned int i, k;
	int code = 0;

	for (i = 0; i < sets[0].nr && !code; i++) {
		struct share_diff diff = {
			.before = &sets[0].event[i],
			.after = diff_find_event(&sets[1], &sets[0].event[i]),
		};

		if (!diff.after)
			continue;
		code = share_diff_make(&diff, err);
		if (!code && !none && options->format == BPMU_TEXT)
			fputc('\n', out);
		if (!code && options->format == BPMU_TEXT)
			share_diff_text(&table, &diff, sets);
		for (k = 0; k < diff.nr && options->format != BPMU_TEXT; k++)
			share_diff_row(&table, &diff, &diff.row[k]);
		free(diff.row);
		none = false;
	}
	if (!code && none)
		return bpmu_error_set(err, -ENODATA,
			"--diff: no event interrupted in both files; record both with the same -e and -c");
	return code;
}
