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

/* Titles of the columns that only branches, only sampled ops, or only sampled fetches have */
#define BRANCH_TITLES "taken  mispredicted  cycles   "
#define OP_TITLES " loads  missed L1    memory  latency   "
#define FETCH_TITLES "missed L1   missed L2  missed TLB  latency   "

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
		event->by.type == BPMU_BY_BRANCH ? BRANCH_TITLES :
		event->shares.ops ? OP_TITLES : event->shares.fetches ? FETCH_TITLES : "",
		bpmu_by_name(event->by.type));
}

/*
 * Columns of the table of shares in text output: a line for each function or the like. Only shares
 * of branches have the columns "taken" to "branch_cycles", only those of sampled ops "loads" to
 * "latency_cycles", only those of sampled fetches "missed_l1i" to "fetch_cycles".
 */
static const struct bpmu_column share_columns[] = {
	{ "share_percent", 6, BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "low_percent", 6, .before = "  ", BPMU_COLUMN_FIXED(2) },
	{ "high_percent", 6, .before = " ", BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "interrupts", 10, .before = "  " },
	{ "taken", 6, .before = "  " },
	{ "mispredicted", 12, .before = "  " },
	{ "branch_cycles", 6, .before = "  " },
	{ "loads", 6, .before = "  " },
	{ "missed_l1", 9, .before = "  " },
	{ "from_memory", 8, .before = "  " },
	{ "latency_cycles", 7, .before = "  " },
	{ "missed_l1i", 9, .before = "  " },
	{ "fetch_missed_l2", 10, .before = "  " },
	{ "missed_itlb", 10, .before = "  " },
	{ "fetch_cycles", 7, .before = "  " },
	{ "key", .before = "   " },
};

/* Number of fields that only branches, only sampled ops, or only sampled fetches have */
#define BRANCH_FIELDS 5
#define OP_FIELDS 16
#define FETCH_FIELDS 12

/**
 * struct texts - what text output has in place of sums: ratios of two
 * @of: the texts
 */
struct texts {
	char of[4][BPMU_PRINT_NUMBER];
};

/* Formats @part in per cent of @whole, "-" if this is 0. */
static const char *put_percent(char *text, u64 part, u64 whole)
{
	if (!whole)
		return "-";
	snprintf(text, BPMU_PRINT_NUMBER, "%.2f %%", 100.0 * part / whole);
	return text;
}

/* Formats the mean of @nr numbers, "-" if there are none. */
static const char *put_mean(char *text, u64 sum, u64 nr)
{
	if (!nr)
		return "-";
	snprintf(text, BPMU_PRINT_NUMBER, "%.1f", (double)sum / nr);
	return text;
}

static void branch_fields(struct bpmu_field fields[BRANCH_FIELDS], struct texts *texts,
			  const struct bpmu_by_branches *sums)
{
	const struct bpmu_field all[BRANCH_FIELDS] = {
		{ "taken", .form = BPMU_FIELD_WHOLE, .whole = sums->nr },
		{ "predictions", .form = BPMU_FIELD_WHOLE, .whole = sums->told },
		{ "mispredicted", .form = BPMU_FIELD_WHOLE, .whole = sums->mispredicted,
		  .cell = put_percent(texts->of[0], sums->mispredicted, sums->told) },
		{ "timed", .form = BPMU_FIELD_WHOLE, .whole = sums->timed },
		{ "branch_cycles", .form = BPMU_FIELD_WHOLE, .whole = sums->cycles,
		  .cell = put_mean(texts->of[1], sums->cycles, sums->timed) },
	};

	memcpy(fields, all, sizeof(all));
}

/*
 * Sets the fields of sampled ops, with @accesses also the one that only memory accesses of precise
 * records have. Returns the number of fields.
 */
static unsigned int op_fields(struct bpmu_field fields[OP_FIELDS], struct texts *texts,
			      const struct bpmu_by_ops *sums, bool accesses)
{
	u64 memory = bpmu_by_ops_from(sums, BPMU_SOURCE_MEMORY, BPMU_SOURCE_PEER) +
		     sums->source[BPMU_SOURCE_MEMORY_CACHE];
	u64 told = bpmu_by_ops_from(sums, BPMU_SOURCE_L1, BPMU_SOURCE_MEMORY_CACHE);
	u64 cached = sums->source[BPMU_SOURCE_L1] + sums->missed_l1;
	const struct bpmu_field all[OP_FIELDS] = {
		{ "ops", .form = BPMU_FIELD_WHOLE, .whole = sums->nr },
		{ "loads", .form = BPMU_FIELD_WHOLE, .whole = sums->loads },
		{ "stores", .form = BPMU_FIELD_WHOLE, .whole = sums->stores },
		{ "locked", .form = BPMU_FIELD_WHOLE, .whole = sums->locked },
		{ "modified", .form = BPMU_FIELD_WHOLE, .whole = sums->modified },
		{ "from_l1", .form = BPMU_FIELD_WHOLE, .whole = sums->source[BPMU_SOURCE_L1] },
		{ "from_l2", .form = BPMU_FIELD_WHOLE, .whole = sums->source[BPMU_SOURCE_L2] },
		{ "from_l3", .form = BPMU_FIELD_WHOLE, .whole = sums->source[BPMU_SOURCE_L3] },
		{ "from_other_cache", .form = BPMU_FIELD_WHOLE,
		  .whole = bpmu_by_ops_from(sums, BPMU_SOURCE_NEAR_CACHE,
					    BPMU_SOURCE_REMOTE_CACHE) },
		{ "from_memory", .form = BPMU_FIELD_WHOLE, .whole = memory,
		  .cell = put_percent(texts->of[0], memory, told) },
		{ "from_device", .form = BPMU_FIELD_WHOLE, .whole = sums->source[BPMU_SOURCE_IO] },
		{ "from_unknown", .form = BPMU_FIELD_WHOLE,
		  .whole = sums->source[BPMU_SOURCE_UNKNOWN] },
		{ "missed_l1", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_l1,
		  .cell = put_percent(texts->of[1], sums->missed_l1, cached) },
		{ "waited", .form = BPMU_FIELD_WHOLE, .whole = sums->waited },
		{ "latency_cycles", .form = BPMU_FIELD_WHOLE, .whole = sums->latency,
		  .cell = put_mean(texts->of[2], sums->latency, sums->waited) },
		{ "from_fill_buffer", .form = BPMU_FIELD_WHOLE,
		  .whole = sums->source[BPMU_SOURCE_FILL_BUFFER] },
	};

	memcpy(fields, all, sizeof(all));
	return accesses ? OP_FIELDS : OP_FIELDS - 1;
}

static void fetch_fields(struct bpmu_field fields[FETCH_FIELDS], struct texts *texts,
			 const struct bpmu_by_fetches *sums)
{
	const struct bpmu_field all[FETCH_FIELDS] = {
		{ "fetches", .form = BPMU_FIELD_WHOLE, .whole = sums->nr },
		{ "completed", .form = BPMU_FIELD_WHOLE, .whole = sums->completed },
		{ "missed_l1i", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_l1,
		  .cell = put_percent(texts->of[0], sums->missed_l1, sums->nr) },
		{ "fetch_missed_l2", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_l2,
		  .cell = put_percent(texts->of[1], sums->missed_l2, sums->nr) },
		{ "missed_itlb", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_tlb,
		  .cell = put_percent(texts->of[2], sums->missed_tlb, sums->nr) },
		{ "missed_itlb2", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_tlb2 },
		{ "fetch_cycles", .form = BPMU_FIELD_WHOLE, .whole = sums->latency,
		  .cell = put_mean(texts->of[3], sums->latency, sums->nr) },
		{ "refilled", .form = BPMU_FIELD_WHOLE, .whole = sums->refilled },
		{ "refill_cycles", .form = BPMU_FIELD_WHOLE, .whole = sums->refill },
		{ "told", .form = BPMU_FIELD_WHOLE, .whole = sums->told },
		{ "missed_uop_cache", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_uop_cache },
		{ "fetch_missed_l3", .form = BPMU_FIELD_WHOLE, .whole = sums->missed_l3 },
	};

	memcpy(fields, all, sizeof(all));
}

/**
 * struct sampled - which fields rows have beside those of all shares
 * @ops: those of sampled ops
 * @accesses: with @ops, also that of memory accesses
 * @fetches: those of sampled fetches
 */
struct sampled {
	bool ops;
	bool accesses;
	bool fetches;
};

/* Puts a row, with the fields that @sampled says. */
static void shares_put_row(struct bpmu_table *table, const struct bpmu_event_shares *event,
			   const struct bpmu_by_entry *entry, struct sampled sampled)
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
	struct bpmu_field all[ARRAY_SIZE(fields) + BRANCH_FIELDS + OP_FIELDS + FETCH_FIELDS + 1];
	unsigned int nr = ARRAY_SIZE(fields);
	struct texts branch_texts, op_texts, fetch_texts;
	bool branches = event->by.type == BPMU_BY_BRANCH;

	memcpy(all, fields, sizeof(fields));
	if (branches) {
		branch_fields(all + nr, &branch_texts, &entry->branches);
		nr += BRANCH_FIELDS;
	}
	if (!branches && sampled.ops)
		nr += op_fields(all + nr, &op_texts, &entry->ops, sampled.accesses);
	if (!branches && sampled.fetches) {
		fetch_fields(all + nr, &fetch_texts, &entry->fetches);
		nr += FETCH_FIELDS;
	}
	all[nr++] = (struct bpmu_field){
		"by", bpmu_by_name(event->by.type), BPMU_FIELD_TEXT
	};
	bpmu_table_row(table, all, nr);
}

static void shares_text(struct bpmu_table *table, const struct bpmu_event_shares *event)
{
	const struct sampled sampled = {
		.ops = event->shares.ops, .fetches = event->shares.fetches,
	};
	FILE *out = table->out;
	unsigned int i;

	shares_text_head(out, event);
	for (i = 0; i < event->by.nr; i++)
		shares_put_row(table, event, event->by.entry[i], sampled);
	fputc('\n', out);
	if (event->shares.ops)
		fputs("  Note: loads: sampled ones; missed L1: of cached ones; memory: of those whose source is known; latency: mean cycles from the miss of the L1 until the data came.\n",
		      out);
	if (event->shares.fetches)
		fputs("  Note: missed L1, L2, TLB: of the sampled fetches, those that missed the L1 instruction cache, the L2, the first instruction TLB; latency: mean cycles until the code came.\n",
		      out);
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
	struct sampled sampled = { };
	bool begun = false;
	unsigned int i, k;

	for (i = 0; i < nr && options->format == BPMU_TEXT; i++) {
		/* Interrupts of such an event do not have the key, such as a sampled op. */
		if (bpmu_by_is_of_records(events[i].by.type) && !events[i].by.nr)
			continue;
		if (begun)
			fputc('\n', out);
		shares_text(&table, &events[i]);
		begun = true;
	}
	/* In CSV, all rows have the same columns. */
	for (i = 0; i < nr; i++) {
		sampled.ops |= events[i].shares.ops > 0;
		sampled.fetches |= events[i].shares.fetches > 0;
		for (k = 0; k < events[i].by.nr; k++)
			sampled.accesses |= events[i].by.entry[k]->ops.accesses > 0;
	}
	for (i = 0; i < nr && options->format != BPMU_TEXT; i++)
		for (k = 0; k < events[i].by.nr; k++)
			shares_put_row(&table, &events[i], events[i].by.entry[k], sampled);
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
