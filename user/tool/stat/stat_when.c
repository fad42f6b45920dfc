// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of "barepmu stat" before the value: time stamps and row.
 */
#include "stat.h"

/**
 * bpmu_stat_table() - begin a CSV or JSON row with time stamps and row label
 * @stat: the call
 * @type: type of the JSON object
 * @row: label of the row, or NULL to print only the names of the columns
 * @interval: interval of the row, NULL if @row is NULL
 * @when: set to the fields, [BPMU_STAT_WHEN]
 *
 * Return: the table; its header line has already been written.
 */
struct bpmu_table bpmu_stat_table(const struct bpmu_stat *stat, const char *type,
				  const struct bpmu_row *row,
				  const struct bpmu_interval *interval,
				  struct bpmu_field when[BPMU_STAT_WHEN])
{
	static const struct bpmu_interval no_interval;
	static const struct bpmu_row no_row;
	bool csv = stat->options.format == BPMU_CSV;
	unsigned int nr = 0, i;
	bool none = !row;

	row = row ?: &no_row;
	interval = interval ?: &no_interval;
	when[nr++] = (struct bpmu_field){
		"time", .form = BPMU_FIELD_FIXED, .number = interval->seconds,
		.digits = 9, .absent = csv && !stat->options.interval_ns,
	};
	when[nr++] = (struct bpmu_field){
		"wall", .form = BPMU_FIELD_STAMP, .stamp = &interval->stamp,
	};
	if (stat->core_type)
		when[nr++] = (struct bpmu_field){
			"part", stat->core_type, BPMU_FIELD_TEXT,
		};
	if (bpmu_stat_has_entries(stat)) {
		when[nr++] = (struct bpmu_field){
			"by", stat->rows.name, BPMU_FIELD_TEXT,
			.only = BPMU_JSON,
		};
		when[nr++] = (struct bpmu_field){
			stat->rows.name, row->label, BPMU_FIELD_TEXT,
			.only = BPMU_CSV,
		};
		when[nr++] = (struct bpmu_field){
			"samples", .form = BPMU_FIELD_WHOLE,
			.whole = row->samples,
		};
		when[nr++] = (struct bpmu_field){
			"time_percent", .form = BPMU_FIELD_FIXED,
			.number = 100 * row->share, .digits = 4,
		};
		when[nr++] = (struct bpmu_field){
			"key", row->label, BPMU_FIELD_TEXT, .only = BPMU_JSON,
		};
	} else {
		when[nr++] = (struct bpmu_field){
			"cpus", row->label, BPMU_FIELD_TEXT,
		};
	}
	if (bpmu_rows_grouped(&stat->rows)) {
		when[nr++] = (struct bpmu_field){
			"cpu_count", .form = BPMU_FIELD_WHOLE, .whole = row->cpus,
		};
		when[nr++] = (struct bpmu_field){
			"aggregation", bpmu_rows_aggregation(&stat->rows),
			BPMU_FIELD_TEXT,
		};
	}
	for (i = 0; i < nr && none; i++)
		when[i].absent = true;
	return (struct bpmu_table){
		.out = stat->out, .format = stat->options.format,
		.separator = stat->options.separator, .type = type,
		.when = { when, nr }, .headed = true,
	};
}

/**
 * bpmu_stat_text_when() - print time and row label of a value as text
 * @stat: the call
 * @row: label of the row
 * @seconds: end of the interval in seconds of the run
 */
void bpmu_stat_text_when(const struct bpmu_stat *stat,
			 const struct bpmu_row *row, double seconds)
{
	if (stat->options.interval_ns)
		fprintf(stat->out, "%13.6f", seconds);
	if (stat->core_type)
		fprintf(stat->out, "  %-7s", stat->core_type);
	if (stat->rows.by == BPMU_ROWS_CPU)
		fprintf(stat->out, "  CPU%-4s", row->label);
	else if (bpmu_rows_grouped(&stat->rows))
		fprintf(stat->out, "  %-8s %4u", row->label, row->cpus);
}
