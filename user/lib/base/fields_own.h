/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What fields.c shares with the forms of rows.
 */
#ifndef BPMU_FIELDS_OWN_H
#define BPMU_FIELDS_OWN_H

#include "fields.h"

typedef void bpmu_field_put_fn(struct bpmu_line *line, const struct bpmu_field *field,
			       const char *separator);

void bpmu_object_name(struct bpmu_object *object, const char *name);
void bpmu_field_value(struct bpmu_line *line, const struct bpmu_field *field);
bpmu_field_put_fn bpmu_field_column;
void bpmu_table_line(const struct bpmu_table *table, struct bpmu_line *line,
		     const struct bpmu_fields *own, bpmu_field_put_fn *put);

#endif /* BPMU_FIELDS_OWN_H */
