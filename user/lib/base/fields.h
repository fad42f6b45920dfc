/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for programs, as CSV or as JSON lines, from one list of fields. It is here
 * alone that a number has its form and that a text is escaped:
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
 *
 * A member whose length is known only when it is written, in JSON:
 *
 *   struct bpmu_object object = bpmu_table_open(&table, fields, ARRAY_SIZE(fields));
 *
 *   bpmu_object_open(&object, "cpus", '[');
 *   for (i = 0; i < nr; i++)
 *           bpmu_object_put(&object, &(struct bpmu_field){
 *                   .form = BPMU_FIELD_WHOLE, .whole = cpu[i] }, 1);
 *   bpmu_object_close(&object, ']');
 *   bpmu_table_close(&object);
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
 *	in JSON and the text, mostly none, in CSV
 * @BPMU_FIELD_FIXED: a number with a fixed number of decimals
 * @BPMU_FIELD_NUMBER: a number as bpmu_decimal_write() formats it
 * @BPMU_FIELD_TRUTH: true or false in JSON; in CSV the field's name or nothing
 * @BPMU_FIELD_FLAG: true or false in JSON; in CSV 1 or 0
 * @BPMU_FIELD_HEX: an unsigned number of base 16 behind "0x"; a text in JSON,
 *	whose readers may have fewer than 64 bits
 * @BPMU_FIELD_STAMP: the members "wall" and "monotonic" of JSON
 * @BPMU_FIELD_OBJECT: fields; in JSON an object, in CSV each field has a column
 * @BPMU_FIELD_LIST: fields whose names do not count; in JSON an array, no column
 *	of CSV
 */
enum bpmu_field_form {
	BPMU_FIELD_OPTIONAL,
	BPMU_FIELD_TEXT,
	BPMU_FIELD_DIGITS,
	BPMU_FIELD_WORDS,
	BPMU_FIELD_WHOLE,
	BPMU_FIELD_REAL,
	BPMU_FIELD_FIXED,
	BPMU_FIELD_NUMBER,
	BPMU_FIELD_TRUTH,
	BPMU_FIELD_FLAG,
	BPMU_FIELD_HEX,
	BPMU_FIELD_STAMP,
	BPMU_FIELD_OBJECT,
	BPMU_FIELD_LIST
};

/**
 * struct bpmu_fields - some fields
 * @field: the fields
 * @nr: number of fields
 */
struct bpmu_fields {
	const struct bpmu_field *field;
	unsigned int nr;
};

/**
 * struct bpmu_field - a field of a row
 * @name: name of the column or member; NULL for an element of an array
 * @text: value of text forms; for a number, the text for CSV if it is not
 *	finite
 * @form: &enum bpmu_field_form
 * @whole: value of %BPMU_FIELD_WHOLE, %BPMU_FIELD_HEX, %BPMU_FIELD_TRUTH and
 *	%BPMU_FIELD_FLAG
 * @number: value of %BPMU_FIELD_REAL, %BPMU_FIELD_FIXED and %BPMU_FIELD_NUMBER
 * @digits: number of decimals for the first two of these
 * @stamp: value of %BPMU_FIELD_STAMP
 * @of: value of %BPMU_FIELD_OBJECT and %BPMU_FIELD_LIST
 * @only: %BPMU_CSV or %BPMU_JSON, of which alone it is a field; %BPMU_TEXT: of both
 * @absent: this row has none: in JSON no member, in CSV an empty column
 */
struct bpmu_field {
	const char *name;
	const char *text;
	enum bpmu_field_form form;
	unsigned long long whole;
	double number;
	int digits;
	const struct bpmu_stamp *stamp;
	struct bpmu_fields of;
	enum bpmu_format only;
	bool absent;
};

/**
 * struct bpmu_table - rows of the same fields
 * @out: output
 * @format: %BPMU_CSV or %BPMU_JSON
 * @separator: between the columns of CSV
 * @type: member "type" of JSON, or NULL for none
 * @when: fields before those of each row, such as when and where it was measured
 * @headed: the names of the columns are printed
 */
struct bpmu_table {
	FILE *out;
	enum bpmu_format format;
	const char *separator;
	const char *type;
	struct bpmu_fields when;
	bool headed;
};

/**
 * struct bpmu_object - objects and arrays of JSON while they are written
 * @out: output
 * @comma: one comes before what is next
 */
struct bpmu_object {
	FILE *out;
	bool comma;
};

void bpmu_table_head(struct bpmu_table *table, const struct bpmu_field *fields,
		     unsigned int nr);
void bpmu_table_row(struct bpmu_table *table, const struct bpmu_field *fields,
		    unsigned int nr);
struct bpmu_object bpmu_table_open(const struct bpmu_table *table,
				   const struct bpmu_field *fields,
				   unsigned int nr);
void bpmu_table_close(struct bpmu_object *object);
void bpmu_object_open(struct bpmu_object *object, const char *name, char bracket);
void bpmu_object_put(struct bpmu_object *object, const struct bpmu_field *fields,
		     unsigned int nr);
void bpmu_object_close(struct bpmu_object *object, char bracket);
void bpmu_fields_columns(FILE *out, const struct bpmu_fields *fields,
			 const char *separator);
void bpmu_fields_names(FILE *out, const struct bpmu_fields *fields,
		       const char *separator);

#endif /* BPMU_FIELDS_H */
