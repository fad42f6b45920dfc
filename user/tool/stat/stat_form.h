/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms of the rows of "barepmu stat".
 */
#ifndef BPMU_STAT_FORM_H
#define BPMU_STAT_FORM_H

#include "metric/value_flag.h"
#include "stat.h"
#include "view/form.h"

/* most fields of a row, besides its first fields, which are the time and the CPUs */
#define BPMU_STAT_FIELDS 17

/**
 * struct bpmu_stat_seldom - values of the fields that vary seldom
 * @half: half-width of the 95 % interval
 * @percent: percentage of the time in which an event was counted
 * @clock: cycles in the slices of an event, NAN for none
 * @lost: number of samples lost
 * @flags: mask of &enum bpmu_value_flag
 * @known: a metric has a value
 * @flagged: a metric is flagged
 */
struct bpmu_stat_seldom {
	double half;
	double percent;
	double clock;
	u64 lost;
	unsigned int flags;
	bool known;
	bool flagged;
};

/**
 * struct bpmu_stat_form - form of the rows of an event or metric
 * @when: fields of time and row
 * @field: the other fields
 * @was: values of the previous row
 * @errata: text of the errata
 * @flags: text of the flags of the latest row
 * @form: the form
 */
struct bpmu_stat_form {
	struct bpmu_field when[BPMU_STAT_LABELS];
	struct bpmu_field field[BPMU_STAT_FIELDS];
	struct bpmu_stat_seldom was;
	char errata[BPMU_ERRATA_WORDS];
	char flags[BPMU_VALUE_FLAG_TEXT];
	struct bpmu_form *form;
};

struct bpmu_stat_form *bpmu_stat_form_new(const struct bpmu_errata *errata);
int bpmu_stat_form_make(const struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			const char *type, const struct bpmu_field *fields, unsigned int nr,
			struct bpmu_error *err);
void bpmu_stat_form_put(struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
			const struct bpmu_row *row, const struct bpmu_stat_seldom *now);

#endif /* BPMU_STAT_FORM_H */
