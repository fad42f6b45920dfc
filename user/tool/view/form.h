/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A form is a template for similar rows of CSV or JSON: the text that is equal in all rows, with
 * gaps for the fields that vary. Printing a row by a form takes a tenth of the instructions of
 * bpmu_table_row(), and writes the same bytes.
 */
#ifndef BPMU_FORM_H
#define BPMU_FORM_H

#include "base/fields.h"

struct bpmu_form;

struct bpmu_form *bpmu_form_new(const struct bpmu_table *table, const struct bpmu_field *fields,
				unsigned int nr);
void bpmu_form_put(struct bpmu_form *form, struct bpmu_line *line, bool same);
void bpmu_form_free(struct bpmu_form *form);

#endif /* BPMU_FORM_H */
