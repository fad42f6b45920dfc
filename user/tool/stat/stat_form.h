/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms (templates) of the rows of "barepmu stat": text of CSV or JSON that is the same in many
 * rows, with gaps for the values that differ.
 */
#ifndef BPMU_STAT_FORM_H
#define BPMU_STAT_FORM_H

#include "metric/value_flag.h"
#include "stat.h"
#include "view/form.h"
#include "view/tree_print.h"

/**
 * enum bpmu_stat_field - fields of a row of stat that follow the fields of time and CPUs
 * @BPMU_STAT_EVENT: name of the event
 * @BPMU_STAT_COUNT: the count
 * @BPMU_STAT_UNIT: "events", or the unit of the metric
 * @BPMU_STAT_PERCENT: percentage of the time for which the event was counted
 * @BPMU_STAT_LOST: number of samples lost
 * @BPMU_STAT_HALF: half-width of the 95 % interval
 * @BPMU_STAT_CLOCK: unhalted cycles in the rotation slices in which the event was counted
 * @BPMU_STAT_ERRATA: errata that affect the value
 * @BPMU_STAT_TYPE: "count" or "metric"
 * @BPMU_STAT_FLAGS: flags of the value
 * @BPMU_STAT_JOULES: the count in joules, if the event counts energy
 * @BPMU_STAT_AT_MOST: if an event was not seen, upper bound on the number of slices in which it may
 *	have occurred
 * @BPMU_STAT_OTHERS: if an event was not seen, number of slices in which other groups were counted
 * @BPMU_STAT_ENABLED: TSC ticks of the interval
 * @BPMU_STAT_RUNNING: TSC ticks for which the event was counted
 * @BPMU_STAT_METRIC: name of the metric
 * @BPMU_STAT_LEVEL: level of the metric in its tree
 * @BPMU_STAT_VALUE: value of the metric
 * @BPMU_STAT_FLAGGED: true if the metric is flagged
 * @BPMU_STAT_BY: argument of report --by, such as "symbol": a row is then about one symbol
 * @BPMU_STAT_FIELDS: number of fields; the last field, @BPMU_STAT_BY, is only in rows of report
 *	--by
 *
 * In CSV all rows have all of these columns. Columns of fields that an event or a metric does not
 * have are empty. In JSON an event has the fields up to @BPMU_STAT_RUNNING, and a metric has the
 * fields of bpmu_metric_fields().
 */
enum bpmu_stat_field {
	BPMU_STAT_EVENT,
	BPMU_STAT_COUNT,
	BPMU_STAT_UNIT,
	BPMU_STAT_PERCENT,
	BPMU_STAT_LOST,
	BPMU_STAT_HALF,
	BPMU_STAT_CLOCK,
	BPMU_STAT_ERRATA,
	BPMU_STAT_TYPE,
	BPMU_STAT_FLAGS,
	BPMU_STAT_JOULES,
	BPMU_STAT_AT_MOST,
	BPMU_STAT_OTHERS,
	BPMU_STAT_ENABLED,
	BPMU_STAT_RUNNING,
	BPMU_STAT_METRIC,
	BPMU_STAT_LEVEL,
	BPMU_STAT_VALUE,
	BPMU_STAT_FLAGGED,
	BPMU_STAT_BY,
	BPMU_STAT_FIELDS
};

/**
 * struct bpmu_stat_seldom - values of a row's fields that are often the same as in the row before
 * @half: half-width of the 95 % interval
 * @percent: percentage of the time in which an event was counted
 * @clock: unhalted cycles in the rotation slices in which an event was counted, NAN if unknown
 * @at_most: if an event did not occur in any rotation slice in which it was counted: upper bound on
 *	the number of rotation slices in which it may have occurred without being counted; else 0
 * @others: in the same case: number of rotation slices in which other event groups were counted;
 *	else 0
 * @lost: number of samples lost
 * @flags: mask of &enum bpmu_value_flag
 * @known: true if the metric of the row has a value
 * @flagged: true if the metric of the row is flagged
 */
struct bpmu_stat_seldom {
	double half;
	double percent;
	double clock;
	double at_most;
	double others;
	u64 lost;
	unsigned int flags;
	bool known;
	bool flagged;
};

/**
 * struct bpmu_stat_form - form (template, see form.h) of the rows of an event or metric
 * @when: the first fields of a row, which say its time and CPUs
 * @field: the other fields
 * @metric: if the rows are about a metric: the elements of @field that have its value
 * @was: values that the fields of &struct bpmu_stat_seldom had in the previous row
 * @plain: true if the previous row had the usual values in the fields of @was, as
 *	&bpmu_stat_row.plain says
 * @errata: text of the errata that affect the event or metric
 * @flags: text of the flags of the latest row
 * @form: text that is equal in all rows, with gaps for the fields that vary
 */
struct bpmu_stat_form {
	struct bpmu_field when[BPMU_STAT_LABELS];
	struct bpmu_field field[BPMU_STAT_FIELDS];
	struct bpmu_metric_places metric;
	struct bpmu_stat_seldom was;
	bool plain;
	char errata[BPMU_ERRATA_WORDS];
	char flags[BPMU_VALUE_FLAG_TEXT];
	struct bpmu_form *form;
};

/* fields of an event that is not an energy: all except the joules and the fields of a metric */
#define BPMU_STAT_OF_EVENT						\
	((((1u << BPMU_STAT_METRIC) - 1) & ~(1u << BPMU_STAT_JOULES)) | 1u << BPMU_STAT_BY)

/*
 * Returns the last field of the rows of "report --by symbol" or the like: the argument of --by,
 * such as "symbol".
 */
static inline struct bpmu_field bpmu_stat_by(const struct bpmu_stat_view *stat)
{
	return (struct bpmu_field){ "by", stat->type->rows.name, BPMU_FIELD_TEXT };
}

unsigned int bpmu_stat_fields(const struct bpmu_stat_view *stat, unsigned int has,
			      struct bpmu_field field[BPMU_STAT_FIELDS]);
struct bpmu_stat_form *bpmu_stat_form_new(const struct bpmu_errata *errata);
int bpmu_stat_form_make(const struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			const char *type, const struct bpmu_field *fields, unsigned int nr,
			struct bpmu_error *err);
bool bpmu_stat_form_set(struct bpmu_stat_form *form, const struct bpmu_stat_seldom *now);
void bpmu_stat_form_label(const struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			  const struct bpmu_row *row);

/**
 * bpmu_stat_form_put() - print a row by stat's form (template), in which only values change
 * @stat: what stat prints of a core type; the row is appended to &bpmu_stat_view.line
 * @form: form (template) of the row; the caller has set the fields that vary
 * @row: the CPUs of the row (a CPU, core, package or the like), with their label
 * @same: true if bpmu_stat_form_set() has found that no seldom field has changed
 */
static inline void bpmu_stat_form_put(struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
				      const struct bpmu_row *row, bool same)
{
	if (stat->type->rows.nr > 1)
		bpmu_stat_form_label(stat, form, row);
	bpmu_form_put(form->form, &stat->line, same);
}

#endif /* BPMU_STAT_FORM_H */
