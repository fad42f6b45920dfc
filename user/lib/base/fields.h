/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for programs, as CSV or as JSON lines, from one list of fields:
 *
 *   struct bpmu_table table = {
 *           .out = out, .format = BPMU_JSON, .type = "change",
 *   };
 *   const struct bpmu_field fields[] = {
 *           { "name", name, BPMU_FIELD_TEXT },
 *           { "before", .form = BPMU_FIELD_REAL, .number = x, .digits = 9 },
 *   };
 *
 *   bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
 */
#ifndef BPMU_FIELDS_H
#define BPMU_FIELDS_H

#include <stdbool.h>
#include <stdio.h>

#include "print.h"

/**
 * enum bpmu_field_form - form of a field
 * @BPMU_FIELD_OPTIONAL: text; if NULL or empty, null in JSON
 * @BPMU_FIELD_TEXT: text, which may be empty
 * @BPMU_FIELD_DIGITS: text that is a number; if NULL or empty, null in JSON
 * @BPMU_FIELD_WORDS: words with blanks or commas between; in JSON an array
 * @BPMU_FIELD_WHOLE: an unsigned number
 * @BPMU_FIELD_REAL: a number of so many significant digits; if not finite, null
 *	in JSON and empty in CSV
 * @BPMU_FIELD_FIXED: the same with so many digits behind the point
 * @BPMU_FIELD_TRUTH: true or false in JSON; in CSV the field's name or nothing
 */
enum bpmu_field_form {
	BPMU_FIELD_OPTIONAL,
	BPMU_FIELD_TEXT,
	BPMU_FIELD_DIGITS,
	BPMU_FIELD_WORDS,
	BPMU_FIELD_WHOLE,
	BPMU_FIELD_REAL,
	BPMU_FIELD_FIXED,
	BPMU_FIELD_TRUTH
};

/**
 * struct bpmu_field - a field of a row
 * @name: of the column or member
 * @text: of the forms of text
 * @form: &enum bpmu_field_form
 * @whole: of %BPMU_FIELD_WHOLE and %BPMU_FIELD_TRUTH
 * @number: of %BPMU_FIELD_REAL and %BPMU_FIELD_FIXED
 * @digits: of these
 * @only: %BPMU_CSV or %BPMU_JSON, of which alone it is a field; %BPMU_TEXT: of both
 */
struct bpmu_field {
	const char *name;
	const char *text;
	enum bpmu_field_form form;
	unsigned long long whole;
	double number;
	int digits;
	enum bpmu_format only;
};

/**
 * struct bpmu_table - rows of the same fields
 * @out: where they go
 * @format: %BPMU_CSV or %BPMU_JSON
 * @separator: between the columns of CSV
 * @type: member "type" of JSON
 * @headed: the names of the columns are printed
 */
struct bpmu_table {
	FILE *out;
	enum bpmu_format format;
	const char *separator;
	const char *type;
	bool headed;
};

void bpmu_table_head(struct bpmu_table *table, const struct bpmu_field *fields,
		     unsigned int nr);
void bpmu_table_row(struct bpmu_table *table, const struct bpmu_field *fields,
		    unsigned int nr);
void bpmu_fields_json(FILE *out, const char *type,
		      const struct bpmu_field *fields, unsigned int nr);

#endif /* BPMU_FIELDS_H */
