// SPDX-License-Identifier: GPL-2.0
/*
 * Prints where events interrupted: what "barepmu report --by" shows of a recording with interrupts.
 */
#include "report_shares.h"

#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/print.h"
#include "stat/stat.h"
#include "view/share_notes.h"

static void shares_text_head(FILE *out, const struct bpmu_event_shares *event)
{
	const struct bpmu_shares *shares = &event->shares;
	char interrupts[BPMU_PRINT_NUMBER], pace[BPMU_SHARE_PACE];

	if (event->by.type == BPMU_BY_BRANCH) {
		fprintf(out, "%s: branches before %s interrupts, %s", shares->slot->text,
			bpmu_print_number(interrupts, shares->interrupts),
			bpmu_share_pace(pace, shares->slot));
	} else {
		bpmu_share_events_print(out, shares);
	}
	fprintf(out, "\n\n   share   95 %% interval  interrupts   %s%s\n",
		event->by.type == BPMU_BY_BRANCH ? "taken  mispredicted  cycles   " : "",
		bpmu_by_name(event->by.type));
}

/*
 * Columns of the table of shares in text output: a line for each function or the like. Only shares
 * of branches have the columns "taken" to "branch_cycles".
 */
static const struct bpmu_column share_columns[] = {
	{ "share_percent", 6, BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "low_percent", 6, .before = "  ", BPMU_COLUMN_FIXED(2) },
	{ "high_percent", 6, .before = " ", BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "interrupts", 10, .before = "  " },
	{ "taken", 6, .before = "  " },
	{ "mispredicted", 12, .before = "  " },
	{ "branch_cycles", 6, .before = "  " },
	{ "key", .before = "   " },
};

static void shares_put_row(struct bpmu_table *table, const struct bpmu_event_shares *event,
			   const struct bpmu_by_entry *entry)
{
	const struct bpmu_shares *shares = &event->shares;
	const struct bpmu_share share = bpmu_share_of(&entry->events, &shares->all);
	const struct bpmu_field fields[] = {
		{ "key", entry->label, BPMU_FIELD_TEXT },
		{ "event", shares->slot->text, BPMU_FIELD_TEXT },
		{ "interrupts", .form = BPMU_FIELD_WHOLE, .whole = entry->samples },
		{ "periods", .form = BPMU_FIELD_WHOLE, .whole = entry->events.sum },
		{ "share_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.share,
		  .digits = 6 },
		{ "low_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.low,
		  .digits = 6 },
		{ "high_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.high,
		  .digits = 6 },
		{ "counted", .form = BPMU_FIELD_WHOLE, .whole = shares->counted },
		{ "lost", .form = BPMU_FIELD_WHOLE, .whole = shares->lost },
	};
	const struct bpmu_by_branches *sums = &entry->branches;
	char wrong[BPMU_PRINT_NUMBER] = "-", cycles[BPMU_PRINT_NUMBER] = "-";
	const struct bpmu_field branches[] = {
		{ "taken", .form = BPMU_FIELD_WHOLE, .whole = sums->nr },
		{ "predictions", .form = BPMU_FIELD_WHOLE, .whole = sums->told },
		{ "mispredicted", .form = BPMU_FIELD_WHOLE, .whole = sums->mispredicted,
		  .cell = wrong },
		{ "timed", .form = BPMU_FIELD_WHOLE, .whole = sums->timed },
		{ "branch_cycles", .form = BPMU_FIELD_WHOLE, .whole = sums->cycles,
		  .cell = cycles },
	};
	struct bpmu_field all[ARRAY_SIZE(fields) + ARRAY_SIZE(branches) + 1];
	unsigned int nr = ARRAY_SIZE(fields);

	if (sums->told)
		snprintf(wrong, sizeof(wrong), "%.2f %%", 100.0 * sums->mispredicted / sums->told);
	if (sums->timed)
		snprintf(cycles, sizeof(cycles), "%.1f", (double)sums->cycles / sums->timed);
	memcpy(all, fields, sizeof(fields));
	if (event->by.type == BPMU_BY_BRANCH) {
		memcpy(all + nr, branches, sizeof(branches));
		nr += ARRAY_SIZE(branches);
	}
	all[nr++] = (struct bpmu_field){
		"by", bpmu_by_name(event->by.type), BPMU_FIELD_TEXT
	};
	bpmu_table_row(table, all, nr);
}

static void shares_text(struct bpmu_table *table, const struct bpmu_event_shares *event)
{
	FILE *out = table->out;
	unsigned int i;

	shares_text_head(out, event);
	for (i = 0; i < event->by.nr; i++)
		shares_put_row(table, event, event->by.entry[i]);
	fputc('\n', out);
	bpmu_share_notes_print(out, &event->shares, event->by.type == BPMU_BY_BRANCH);
	bpmu_by_print_names(out, &event->by);
}

/**
 * bpmu_report_shares() - print where events interrupted: the share of each function or the like
 * @options: common options, of which only the options of the output are used
 * @events: interrupts by each event, summed by the key of --by, [@nr], in the order in which they
 *	are printed
 * @nr: number of events
 */
void bpmu_report_shares(FILE *out, const struct bpmu_options *options,
			const struct bpmu_event_shares *events, unsigned int nr)
{
	struct bpmu_table table = {
		.out = out, .format = options->format, .separator = options->separator,
		.type = "share", .text = BPMU_COLUMNS(share_columns),
	};
	unsigned int i, k;

	for (i = 0; i < nr && options->format == BPMU_TEXT; i++) {
		if (i)
			fputc('\n', out);
		shares_text(&table, &events[i]);
	}
	for (i = 0; i < nr && options->format != BPMU_TEXT; i++)
		for (k = 0; k < events[i].by.nr; k++)
			shares_put_row(&table, &events[i], events[i].by.entry[k]);
}

/**
 * bpmu_report_folded() - report shares of call stacks as FlameGraph's input: the events of each
 * @by: interrupts by an event, summed by call stack (BPMU_BY_STACK)
 *
 * A line has a call stack, a space, and the number of events for which the interrupts with this
 * call stack stand: each stands for the events since the interrupt before.
 */
void bpmu_report_folded(FILE *out, const struct bpmu_by *by)
{
	unsigned int i;

	for (i = 0; i < by->nr; i++)
		fprintf(out, "%s %.0f\n", by->entry[i]->label, by->entry[i]->events.sum);
}
