// SPDX-License-Identifier: GPL-2.0
#include "stat_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_stat_fields() - list the fields of the form of stat's rows in CSV or JSON
 * @stat: what stat prints of a core type, with its rows
 * @has: mask of &enum bpmu_stat_field: the fields that have a value in the row; the other fields
 *	stay empty
 * @field: filled in with the names and types of the columns; the caller sets their values
 *
 * Return: number of fields.
 */
unsigned int bpmu_stat_fields(const struct bpmu_stat_view *stat, unsigned int has,
			      struct bpmu_field field[BPMU_STAT_FIELDS])
{
	const struct bpmu_field fields[BPMU_STAT_FIELDS] = {
		[BPMU_STAT_EVENT] = { "event", .form = BPMU_FIELD_TEXT },
		[BPMU_STAT_COUNT] = { "count", .form = BPMU_FIELD_FIXED,
				      .varies = BPMU_VARIES_OFTEN },
		[BPMU_STAT_UNIT] = { "unit", "events", BPMU_FIELD_TEXT },
		[BPMU_STAT_PERCENT] = { "enabled_percent", .form = BPMU_FIELD_FIXED, .digits = 2,
					.varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_LOST] = { "lost", .form = BPMU_FIELD_WHOLE,
				     .varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_HALF] = { "uncertainty", .form = BPMU_FIELD_FIXED,
				     .varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_CLOCK] = { "clock", .form = BPMU_FIELD_FIXED,
				      .varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_ERRATA] = { "errata", .form = BPMU_FIELD_WORDS },
		[BPMU_STAT_TYPE] = { "type", .form = BPMU_FIELD_TYPE },
		[BPMU_STAT_FLAGS] = { "flags", .form = BPMU_FIELD_WORDS,
				      .varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_JOULES] = { "joules", .form = BPMU_FIELD_FIXED, .digits = 6,
				       .varies = BPMU_VARIES_OFTEN },
		[BPMU_STAT_AT_MOST] = { "at_most_slices", .form = BPMU_FIELD_FIXED,
					.varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_OTHERS] = { "other_slices", .form = BPMU_FIELD_FIXED,
				       .varies = BPMU_VARIES_SELDOM },
		[BPMU_STAT_ENABLED] = { "enabled_ticks", .form = BPMU_FIELD_DIGITS,
					.varies = BPMU_VARIES_OFTEN },
		[BPMU_STAT_RUNNING] = { "running_ticks", .form = BPMU_FIELD_DIGITS,
					.varies = BPMU_VARIES_OFTEN },
		[BPMU_STAT_METRIC] = { "metric", .form = BPMU_FIELD_TEXT },
		[BPMU_STAT_LEVEL] = { "level", .form = BPMU_FIELD_WHOLE },
		[BPMU_STAT_VALUE] = { "value", .form = BPMU_FIELD_NUMBER },
		[BPMU_STAT_FLAGGED] = { "flagged", .form = BPMU_FIELD_FLAG },
		[BPMU_STAT_BY] = bpmu_stat_by(stat),
	};
	unsigned int i;

	memcpy(field, fields, sizeof(fields));
	for (i = 0; i < BPMU_STAT_FIELDS; i++) {
		if (has >> i & 1)
			continue;
		field[i].absent = true;
		field[i].varies = BPMU_VARIES_NOT;
	}
	return BPMU_STAT_FIELDS - !bpmu_stat_has_entries(stat);
}

static void form_free(struct bpmu_stat_form *form)
{
	if (!form)
		return;
	bpmu_form_free(form->form);
	free(form);
}

/**
 * bpmu_stat_form_new() - begin stat's form (template) of the rows of an event or metric
 * @errata: errata of the event or metric
 *
 * Return: the template without fields, an argument of bpmu_stat_form_make(); NULL if memory runs
 * out.
 */
struct bpmu_stat_form *bpmu_stat_form_new(const struct bpmu_errata *errata)
{
	struct bpmu_stat_form *form = calloc(1, sizeof(*form));

	if (form)
		bpmu_errata_words(errata, form->errata);
	return form;
}

/**
 * bpmu_stat_form_make() - make stat's form (template) from the fields of rows
 * @stat: what stat prints of a core type, with its rows
 * @form: template from bpmu_stat_form_new(); if it is NULL, this function fails with -ENOMEM
 * @type: type of the JSON object
 * @fields: fields of the rows, [@nr], which are copied
 * @nr: number of @fields, at most %BPMU_STAT_FIELDS
 */
int bpmu_stat_form_make(const struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			const char *type, const struct bpmu_field *fields, unsigned int nr,
			struct bpmu_error *err)
{
	struct bpmu_table table;

	if (!form)
		return bpmu_error_no_memory(err, "stat");
	memcpy(form->field, fields, nr * sizeof(*fields));
	table = bpmu_stat_label_table(stat, type, stat->type->rows.row, form->when);
	form->form = bpmu_form_new(&table, form->field, nr);
	return form->form ? 0 : bpmu_error_no_memory(err, "stat");
}

static bool stat_form_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/**
 * bpmu_stat_form_set() - set in stat's form the values that seldom differ from the row before
 * @form: form (template) of the row; its text of the flags and @was are updated
 * @now: values of these fields
 *
 * Return: true if all of them are those of the row before.
 */
bool bpmu_stat_form_set(struct bpmu_stat_form *form, const struct bpmu_stat_seldom *now)
{
	const struct bpmu_stat_seldom *was = &form->was;
	bool same = stat_form_same(now->half, was->half) && stat_form_same(now->percent, was->percent) &&
		    stat_form_same(now->clock, was->clock) && now->lost == was->lost &&
		    now->at_most == was->at_most && now->others == was->others &&
		    now->flags == was->flags && now->known == was->known &&
		    now->flagged == was->flagged;

	if (!same)
		bpmu_value_flags_text(now->flags, "", " ", "", form->flags);
	form->was = *now;
	return same;
}

/**
 * bpmu_stat_form_label() - set the label in stat's form (template), where rows have different ones
 * @stat: what stat prints of a core type
 * @form: form (template) of the row
 * @row: the CPUs of the row (a CPU, core, package or the like), with their label
 */
void bpmu_stat_form_label(const struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			  const struct bpmu_row *row)
{
	bpmu_stat_label_table(stat, NULL, row, form->when);
}

/**
 * bpmu_stat_forms_free() - free the forms (templates) of stat's rows
 * @stat: what stat prints of a core type, in any state
 */
void bpmu_stat_forms_free(struct bpmu_stat_view *stat)
{
	unsigned int i;

	for (i = 0; i < stat->nr_shown; i++) {
		form_free(stat->shown[i].form);
		form_free(stat->shown[i].note);
	}
	for (i = 0; stat->metric_form && i < stat->type->tree.metrics.nr; i++)
		form_free(stat->metric_form[i]);
	free(stat->metric_form);
	stat->metric_form = NULL;
}
