// SPDX-License-Identifier: GPL-2.0
/*
 * The label of each row of "barepmu stat": the fields before the value, which say the time and the
 * CPUs of the row.
 */
#include <string.h>

#include "base/decimal.h"
#include "stat.h"

/* width in characters of the time in text output */
#define TIME_WIDTH 13

/* Moves a line's bytes in memory to a piece. */
static void label_take(struct bpmu_line *line, struct bpmu_piece *piece)
{
	piece->nr = line->nr < BPMU_PIECE ? line->nr : BPMU_PIECE;
	memcpy(piece->text, line->text, piece->nr);
	line->nr = 0;
}

static void set_wall(struct bpmu_stat_view *stat, const struct bpmu_interval *interval)
{
	struct bpmu_line line;

	bpmu_line_begin(&line, NULL);
	bpmu_line_stamp(&line, &interval->stamp);
	label_take(&line, &stat->wall);
}

/**
 * bpmu_stat_time() - label the next rows of stat with a time, printed before their values
 * @stat: what stat prints of a core type; &bpmu_stat_view.time and &bpmu_stat_view.wall are set
 * @interval: interval of these rows, whose end is the time
 */
void bpmu_stat_time(struct bpmu_stat_view *stat, const struct bpmu_interval *interval)
{
	bool text = stat->call->options.format == BPMU_TEXT;
	char number[BPMU_DECIMAL_TEXT];
	struct bpmu_line line;
	size_t nr;

	if (!text) {
		nr = bpmu_decimal_fixed(number, interval->seconds, 9);
		stat->time.nr = nr < BPMU_PIECE ? nr : BPMU_PIECE;
		memcpy(stat->time.text, number, BPMU_PIECE);
		if (stat->call->options.format == BPMU_JSON)
			set_wall(stat, interval);
		return;
	}
	bpmu_line_begin(&line, NULL);
	if (stat->call->options.interval_ns) {
		nr = bpmu_decimal_fixed(number, interval->seconds, 6);
		bpmu_line_blanks(&line, TIME_WIDTH, nr);
		bpmu_line_put(&line, number, nr);
	}
	if (stat->type->name) {
		bpmu_line_text(&line, "  ");
		bpmu_line_left(&line, stat->type->name, 7);
	}
	label_take(&line, &stat->time);
}

/**
 * bpmu_stat_label_table() - label a CSV or JSON row of stat: begin with the fields of time and CPUs
 * @stat: what stat prints of a core type
 * @type: type of the JSON object
 * @row: CPUs of the row and their label, or NULL to print only the names of the columns
 * @when: set to the fields of time and CPUs, [BPMU_STAT_LABELS], with the time from
 *	bpmu_stat_time(); &bpmu_field.varies of each field says if the field differs from row to row
 *
 * Return: the table, without a header line. To get a header line, the caller sets
 * &bpmu_table.headed to false.
 */
struct bpmu_table bpmu_stat_label_table(const struct bpmu_stat_view *stat, const char *type,
					const struct bpmu_row *row,
					struct bpmu_field when[BPMU_STAT_LABELS])
{
	enum bpmu_varies varies = stat->type->rows.nr > 1 ? BPMU_VARIES_OFTEN : BPMU_VARIES_NOT;
	static const struct bpmu_row no_row;
	bool csv = stat->call->options.format == BPMU_CSV;
	unsigned int nr = 0, i;
	bool none = !row;

	row = row ?: &no_row;
	when[nr++] = (struct bpmu_field){
		"time", .form = BPMU_FIELD_DIGITS, .piece = &stat->time, .varies = BPMU_VARIES_OFTEN,
		.absent = csv && !stat->call->options.interval_ns,
	};
	when[nr++] = (struct bpmu_field){
		"wall", .form = BPMU_FIELD_STAMP, .piece = &stat->wall,
		.varies = BPMU_VARIES_OFTEN,
	};
	if (stat->type->name)
		when[nr++] = (struct bpmu_field){
			"part", stat->type->name, BPMU_FIELD_TEXT,
		};
	if (bpmu_stat_has_entries(stat)) {
		when[nr++] = (struct bpmu_field){
			"key", row->label, BPMU_FIELD_TEXT, .varies = varies,
		};
		when[nr++] = (struct bpmu_field){
			"samples", .form = BPMU_FIELD_WHOLE,
			.whole = row->samples, .varies = varies,
		};
		when[nr++] = (struct bpmu_field){
			"time_percent", .form = BPMU_FIELD_FIXED,
			.number = 100 * row->share, .digits = 4, .varies = varies,
		};
	} else {
		when[nr++] = (struct bpmu_field){
			"cpus", row->label, BPMU_FIELD_TEXT, .varies = varies,
		};
	}
	if (bpmu_rows_grouped(&stat->type->rows)) {
		when[nr++] = (struct bpmu_field){
			"cpu_count", .form = BPMU_FIELD_WHOLE, .whole = row->cpus,
			.varies = varies,
		};
		when[nr++] = (struct bpmu_field){
			"aggregation", bpmu_rows_aggregation(&stat->type->rows),
			BPMU_FIELD_TEXT,
		};
	}
	for (i = 0; i < nr && none; i++)
		when[i].absent = true;
	return (struct bpmu_table){
		.out = stat->call->out, .format = stat->call->options.format,
		.separator = stat->call->options.separator, .type = type,
		.when = { when, nr }, .headed = true,
	};
}

/**
 * bpmu_stat_label_cpus() - label the text line of a value of stat with the CPUs, behind the time
 * @stat: what stat prints of a core type; the text is appended to its @line
 * @row: CPUs of the line, with their label
 */
void bpmu_stat_label_cpus(struct bpmu_stat_view *stat, const struct bpmu_row *row)
{
	struct bpmu_line *line = &stat->line;

	if (stat->type->rows.by == BPMU_ROWS_CPU) {
		bpmu_line_text(line, "  CPU");
		bpmu_line_left(line, row->label, 4);
	} else if (bpmu_rows_grouped(&stat->type->rows)) {
		bpmu_line_text(line, "  ");
		bpmu_line_left(line, row->label, 8);
		bpmu_line_printf(line, " %4u", row->cpus);
	}
}
