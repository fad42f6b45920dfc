/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of CSV, JSON or text from one list of fields. Callers give values; numbers are formatted and
 * texts escaped here only:
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
 * Text has only the fields that its columns name, in the order of the columns:
 *
 *   static const struct bpmu_column columns[] = {
 *           { "before", .before = "  ", .width = 12, BPMU_COLUMN_FIXED(2), .after = " %" },
 *           { "name", .before = "  " },
 *   };
 *
 * JSON members whose number of elements is not known in advance:
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

#include "line.h"
#include "print.h"

/**
 * enum bpmu_field_form - type and format of a field
 * @BPMU_FIELD_OPTIONAL: text; if NULL or empty, null in JSON
 * @BPMU_FIELD_TEXT: text, which may be empty
 * @BPMU_FIELD_DIGITS: a number that is already formatted as text; if NULL or empty, null in JSON
 * @BPMU_FIELD_WORDS: words separated by blanks or commas; in JSON an array
 * @BPMU_FIELD_EVENTS: events separated by blanks; an event may contain commas, as in
 *	cpu/event=0x9c,umask=0x1/; in JSON an array
 * @BPMU_FIELD_WHOLE: an unsigned integer
 * @BPMU_FIELD_REAL: a number with &bpmu_field.digits significant digits. A number that is not
 *	finite is null in JSON; in CSV it is &bpmu_field.text, which is usually empty
 * @BPMU_FIELD_FIXED: a number with &bpmu_field.digits decimals
 * @BPMU_FIELD_NUMBER: a number in the format of bpmu_decimal_print()
 * @BPMU_FIELD_TRUTH: a boolean; in CSV the field's name or nothing
 * @BPMU_FIELD_FLAG: a boolean; in CSV 1 or 0
 * @BPMU_FIELD_HEX: an unsigned hexadecimal number with "0x"; in JSON a string, because
 *	parsers may not have 64-bit integers
 * @BPMU_FIELD_TYPE: text, the type of the row: in CSV a column; in JSON no member, because each
 *	object has the type of its table already
 * @BPMU_FIELD_STAMP: in JSON the members "wall" and "monotonic"; in CSV no column
 * @BPMU_FIELD_OBJECT: fields; in JSON an object, in CSV a column per field
 * @BPMU_FIELD_LIST: fields without names; in JSON an array, in CSV no column
 * @BPMU_FIELD_CELL: text that is printed in tables of text, but not in CSV and JSON, such as a
 *	remark on other fields
 */
enum bpmu_field_form {
	BPMU_FIELD_OPTIONAL,
	BPMU_FIELD_TEXT,
	BPMU_FIELD_DIGITS,
	BPMU_FIELD_WORDS,
	BPMU_FIELD_EVENTS,
	BPMU_FIELD_WHOLE,
	BPMU_FIELD_REAL,
	BPMU_FIELD_FIXED,
	BPMU_FIELD_NUMBER,
	BPMU_FIELD_TRUTH,
	BPMU_FIELD_FLAG,
	BPMU_FIELD_HEX,
	BPMU_FIELD_TYPE,
	BPMU_FIELD_STAMP,
	BPMU_FIELD_OBJECT,
	BPMU_FIELD_LIST,
	BPMU_FIELD_CELL
};

/**
 * enum bpmu_varies - how often a field differs from its value in the previous row of a table
 * @BPMU_VARIES_NOT: the field has the same value in all rows
 * @BPMU_VARIES_OFTEN: the field differs in nearly all rows
 * @BPMU_VARIES_SELDOM: in most rows the field has the same value as in the previous row
 *
 * Rows of CSV and JSON are written faster by this information: see view/form.h of the command
 * barepmu.
 */
enum bpmu_varies {
	BPMU_VARIES_NOT,
	BPMU_VARIES_OFTEN,
	BPMU_VARIES_SELDOM
};

/**
 * struct bpmu_fields - a list of fields
 * @field: [@nr], fields
 * @nr: number of fields
 */
struct bpmu_fields {
	const struct bpmu_field *field;
	unsigned int nr;
};

/**
 * struct bpmu_field - a field of a row
 * @name: name of the column or member; NULL for an element of an array
 * @text: value of a field that is a text. For a field that is a number: the text that CSV has in
 *	place of a number that is not finite
 * @form: &enum bpmu_field_form
 * @whole: value of %BPMU_FIELD_WHOLE, %BPMU_FIELD_HEX, %BPMU_FIELD_TRUTH and
 *	%BPMU_FIELD_FLAG
 * @number: value of %BPMU_FIELD_REAL, %BPMU_FIELD_FIXED and %BPMU_FIELD_NUMBER
 * @digits: significant digits of %BPMU_FIELD_REAL, decimals of %BPMU_FIELD_FIXED
 * @stamp: value of %BPMU_FIELD_STAMP, unless it is in @piece
 * @of: value of %BPMU_FIELD_OBJECT and %BPMU_FIELD_LIST
 * @absent: the field has no value in this row: no member in JSON, an empty column in CSV
 * @varies: &enum bpmu_varies
 * @cell: text that stands for the value in tables of text, such as "no value"; NULL for the value
 * @piece: text of %BPMU_FIELD_DIGITS or of the members of %BPMU_FIELD_STAMP, which many rows have;
 *	NULL if the value is in @text or @stamp
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
	bool absent;
	enum bpmu_varies varies;
	const char *cell;
	const struct bpmu_piece *piece;
};

/**
 * struct bpmu_column - a column of a table of text: the place and the format of a field
 *
 * If the value is empty or the field is absent, blanks are printed in place of @before, value and
 * @after.
 *
 * @name: name of the field; a row that lacks it has no such column
 * @width: least width of the value in characters; negative if it is aligned to the left; 0 if it is
 *	as wide as the value
 * @before: text before the value, usually blanks; NULL for none
 * @after: text after the value, such as a unit; NULL for none
 * @head: heading; NULL for none
 * @none: text for a number that is not finite; NULL for &bpmu_field.text
 * @form: %BPMU_FIELD_FIXED or %BPMU_FIELD_REAL to format a number by @digits; 0 for the
 *	format that CSV has
 * @digits: as of &struct bpmu_field
 * @sign: true to print a plus sign before numbers that are not negative
 * @to: for a column with an interval, printed as "[begin, end]": name of the field with the end,
 *	while the field @name has the begin. NULL for a column with one value
 */
struct bpmu_column {
	const char *name;
	int width;
	const char *before;
	const char *after;
	const char *head;
	const char *none;
	enum bpmu_field_form form;
	int digits;
	bool sign;
	const char *to;
};

/* Members of a &struct bpmu_column that is to print its numbers with @decimals decimals */
#define BPMU_COLUMN_FIXED(decimals) .form = BPMU_FIELD_FIXED, .digits = (decimals)

/**
 * struct bpmu_columns - the columns of a table of text
 * @column: [@nr], columns
 * @nr: number of columns
 */
struct bpmu_columns {
	const struct bpmu_column *column;
	unsigned int nr;
};

/* all columns of an array */
#define BPMU_COLUMNS(array) { (array), ARRAY_SIZE(array) }

/**
 * BPMU_SCHEMA - version of the names and meanings of JSON members and CSV columns
 *
 * Each JSON object states this version. If a name or a meaning changes, the version is raised, and
 * barepmu-output(7) describes the change.
 */
#define BPMU_SCHEMA 3

/**
 * struct bpmu_table - rows of the same fields
 * @out: output
 * @format: &enum bpmu_format
 * @separator: separator of CSV columns
 * @type: member "type" of JSON, or NULL for none
 * @when: fields with which all rows begin, such as the time and the CPU
 * @text: columns in text. If there are no columns, nothing is printed in text
 * @headed: the CSV header line has been printed
 */
struct bpmu_table {
	FILE *out;
	enum bpmu_format format;
	const char *separator;
	const char *type;
	struct bpmu_fields when;
	struct bpmu_columns text;
	bool headed;
};

/**
 * struct bpmu_object - a JSON object or array that is being written
 * @line: the line of the outermost object
 * @comma: the next member needs a comma
 */
struct bpmu_object {
	struct bpmu_line line;
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

/* Function that writes @separator and then a column of a CSV row */
typedef void bpmu_field_put_fn(struct bpmu_line *line, const struct bpmu_field *field,
			       const char *separator);

void bpmu_object_name(struct bpmu_object *object, const char *name);
void bpmu_field_value(struct bpmu_line *line, const struct bpmu_field *field);
bpmu_field_put_fn bpmu_field_column;
void bpmu_table_line(const struct bpmu_table *table, struct bpmu_line *line,
		     const struct bpmu_fields *own, bpmu_field_put_fn *put);

#endif /* BPMU_FIELDS_H */
