// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "decimal.h"

#define BETWEEN " ,"

/**
 * bpmu_object_name() - write the comma and the name before a field, a member of JSON
 * @object: open object or array
 * @name: name of the member; NULL for an element of an array, which has no name
 */
void bpmu_object_name(struct bpmu_object *object, const char *name)
{
	if (object->comma)
		bpmu_line_char(&object->line, ',');
	object->comma = true;
	if (!name)
		return;
	bpmu_line_json(&object->line, name, strlen(name));
	bpmu_line_char(&object->line, ':');
}

/**
 * bpmu_object_open() - open an object or array among the fields of a row in JSON
 * @object: enclosing object, from bpmu_table_open()
 * @name: name of the member, or NULL
 * @bracket: '{' or '['
 */
void bpmu_object_open(struct bpmu_object *object, const char *name, char bracket)
{
	bpmu_object_name(object, name);
	bpmu_line_char(&object->line, bracket);
	object->comma = false;
}

/**
 * bpmu_object_close() - close an object or array among the fields of a row in JSON
 * @object: the object or array, from bpmu_object_open()
 * @bracket: '}' or ']'
 */
void bpmu_object_close(struct bpmu_object *object, char bracket)
{
	bpmu_line_char(&object->line, bracket);
	object->comma = true;
}

static void put_words(struct bpmu_line *line, const char *words, const char *between)
{
	bool comma = false;
	size_t len;

	bpmu_line_char(line, '[');
	for (words += strspn(words, between); *words;
	     words += strspn(words, between)) {
		len = strcspn(words, between);
		if (comma)
			bpmu_line_char(line, ',');
		comma = true;
		bpmu_line_json(line, words, len);
		words += len;
	}
	bpmu_line_char(line, ']');
}

/*
 * Writes the number of a field, as the same text in CSV and JSON. Returns false if the field is not
 * of a numeric form, or its number is not finite.
 */
static bool put_digits(struct bpmu_line *line, const struct bpmu_field *field)
{
	char *text = bpmu_line_room(line, BPMU_DECIMAL_TEXT);

	switch (field->form) {
	case BPMU_FIELD_DIGITS:
		if (field->piece)
			bpmu_line_piece(line, field->piece);
		else
			bpmu_line_text(line, field->text ?: "");
		return field->piece || (field->text && *field->text);
	case BPMU_FIELD_WHOLE:
		line->nr += bpmu_decimal_whole(text, field->whole);
		return true;
	case BPMU_FIELD_HEX:
		line->nr += snprintf(text, BPMU_DECIMAL_TEXT, "0x%llx", field->whole);
		return true;
	case BPMU_FIELD_REAL:
		if (isfinite(field->number))
			line->nr += snprintf(text, BPMU_DECIMAL_TEXT, "%.*g", field->digits,
					     field->number);
		return isfinite(field->number);
	case BPMU_FIELD_FIXED:
		if (isfinite(field->number))
			line->nr += bpmu_decimal_fixed(text, field->number, field->digits);
		return isfinite(field->number);
	case BPMU_FIELD_NUMBER:
		if (isfinite(field->number))
			line->nr += bpmu_decimal_print(text, field->number);
		return isfinite(field->number);
	default:
		return false;
	}
}

static void put_hex_string(struct bpmu_line *line, const struct bpmu_field *field)
{
	bpmu_line_char(line, '"');
	put_digits(line, field);
	bpmu_line_char(line, '"');
}

/**
 * bpmu_field_value() - write the value of a field in JSON
 * @line: appended to
 * @field: a field that is no object or list. A time stamp is written as two members with their
 *	names, "wall" and "monotonic"
 */
void bpmu_field_value(struct bpmu_line *line, const struct bpmu_field *field)
{
	const char *text = field->text ?: "";

	if (field->form == BPMU_FIELD_STAMP && field->piece)
		bpmu_line_piece(line, field->piece);
	else if (field->form == BPMU_FIELD_STAMP)
		bpmu_line_stamp(line, field->stamp);
	else if (field->form == BPMU_FIELD_WORDS)
		put_words(line, text, BETWEEN);
	else if (field->form == BPMU_FIELD_EVENTS)
		put_words(line, text, " ");
	else if (field->form == BPMU_FIELD_TRUTH || field->form == BPMU_FIELD_FLAG)
		bpmu_line_text(line, field->whole ? "true" : "false");
	else if (field->form == BPMU_FIELD_HEX)
		put_hex_string(line, field);
	else if (field->form == BPMU_FIELD_TEXT ||
		 (field->form == BPMU_FIELD_OPTIONAL && *text))
		bpmu_line_json(line, text, strlen(text));
	else if (!put_digits(line, field))
		bpmu_line_text(line, "null");
}

static void put_member(struct bpmu_object *object,
		       const struct bpmu_field *field)
{
	switch (field->form) {
	case BPMU_FIELD_OBJECT:
		bpmu_object_open(object, field->name, '{');
		bpmu_object_put(object, field->of.field, field->of.nr);
		bpmu_object_close(object, '}');
		break;
	case BPMU_FIELD_LIST:
		bpmu_object_open(object, field->name, '[');
		bpmu_object_put(object, field->of.field, field->of.nr);
		bpmu_object_close(object, ']');
		break;
	default:
		bpmu_object_name(object, field->form == BPMU_FIELD_STAMP ? NULL : field->name);
		bpmu_field_value(&object->line, field);
	}
}

static bool is_member(const struct bpmu_field *field)
{
	return field->form != BPMU_FIELD_TYPE && field->form != BPMU_FIELD_CELL && !field->absent;
}

/**
 * bpmu_object_put() - write fields as members of a JSON object, or as elements of an array
 * @object: open object or array
 * @fields: [@nr]. Absent fields are omitted, and so are fields of the forms %BPMU_FIELD_TYPE and
 *	%BPMU_FIELD_CELL, which only other formats than JSON print
 * @nr: number of @fields
 */
void bpmu_object_put(struct bpmu_object *object, const struct bpmu_field *fields,
		     unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_member(&fields[i]))
			put_member(object, &fields[i]);
}

/**
 * bpmu_field_column() - write a field as a column of CSV, empty if the field is absent
 * @line: appended to
 * @field: a field that is no object or list
 * @separator: separator of columns
 */
void bpmu_field_column(struct bpmu_line *line, const struct bpmu_field *field,
		       const char *separator)
{
	if (field->absent)
		return;
	if (field->form == BPMU_FIELD_TRUTH)
		bpmu_line_text(line, field->whole ? field->name : "");
	else if (field->form == BPMU_FIELD_FLAG)
		bpmu_line_char(line, field->whole ? '1' : '0');
	else if (!put_digits(line, field) && field->form != BPMU_FIELD_DIGITS && field->text)
		bpmu_line_csv(line, field->text, separator);
}

/*
 * Writes the columns of a CSV row: calls @put for each field that has a column. @before is written
 * before the first column, @separator before each further one. Returns what a caller has to write
 * before a further column: @separator, or @before if no column was written.
 */
static const char *each_column(struct bpmu_line *line, const struct bpmu_fields *fields,
			       const char *before, const char *separator, bpmu_field_put_fn *put)
{
	const struct bpmu_field *field = fields->field;
	const struct bpmu_field *end = field + fields->nr;

	for (; field < end; field++) {
		if (field->form == BPMU_FIELD_STAMP || field->form == BPMU_FIELD_LIST ||
		    field->form == BPMU_FIELD_CELL)
			continue;
		if (field->form == BPMU_FIELD_OBJECT) {
			before = each_column(line, &field->of, before, separator,
					     put);
			continue;
		}
		bpmu_line_text(line, before);
		put(line, field, separator);
		before = separator;
	}
	return before;
}

static void put_column_name(struct bpmu_line *line, const struct bpmu_field *field,
			    const char *separator)
{
	bpmu_line_csv(line, field->name, separator);
}

/**
 * bpmu_table_line() - write the fields of a CSV row as columns
 * @table: the table, with the leading fields that all its rows have
 * @line: appended to
 * @own: fields of this row, which are written after the leading fields
 * @put: writes a column
 */
void bpmu_table_line(const struct bpmu_table *table, struct bpmu_line *line,
		     const struct bpmu_fields *own, bpmu_field_put_fn *put)
{
	each_column(line, &table->when, "", table->separator, put);
	if (table->when.nr)
		bpmu_line_text(line, table->separator);
	each_column(line, own, "", table->separator, put);
	bpmu_line_char(line, '\n');
}

static void put_line(const struct bpmu_table *table, const struct bpmu_fields *own,
		     bpmu_field_put_fn *put)
{
	struct bpmu_line line;

	bpmu_line_begin(&line, table->out);
	bpmu_table_line(table, &line, own, put);
	bpmu_line_write(&line);
}

/**
 * bpmu_table_open() - start a JSON row and write its first fields
 * @table: a JSON table
 * @fields: [@nr], fields that follow the type and the leading fields of the table
 * @nr: number of @fields
 *
 * Return: the open object, to be closed with bpmu_table_close().
 */
struct bpmu_object bpmu_table_open(const struct bpmu_table *table,
				   const struct bpmu_field *fields,
				   unsigned int nr)
{
	const struct bpmu_field first[] = {
		{ "schema", .form = BPMU_FIELD_WHOLE, .whole = BPMU_SCHEMA },
		{ "type", table->type, BPMU_FIELD_TEXT, .absent = !table->type },
	};
	struct bpmu_object object;

	bpmu_line_begin(&object.line, table->out);
	object.comma = false;
	bpmu_object_open(&object, NULL, '{');
	bpmu_object_put(&object, first, ARRAY_SIZE(first));
	bpmu_object_put(&object, table->when.field, table->when.nr);
	bpmu_object_put(&object, fields, nr);
	return object;
}

/**
 * bpmu_table_close() - end a row in JSON, after its fields
 * @object: object from bpmu_table_open()
 */
void bpmu_table_close(struct bpmu_object *object)
{
	bpmu_object_close(object, '}');
	bpmu_line_char(&object->line, '\n');
	bpmu_line_write(&object->line);
}

/* Returns the field of a row with the name @name; NULL if the row has no field of this name. */
static const struct bpmu_field *field_named(const struct bpmu_fields *fields, const char *name)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		if (fields->field[i].name && !strcmp(fields->field[i].name, name))
			return &fields->field[i];
	return NULL;
}

/*
 * Appends the number of @field in the format that @column of a table of text asks for. Returns
 * false if the field has no finite number.
 */
static bool put_column_number(struct bpmu_line *line, const struct bpmu_column *column,
			      const struct bpmu_field *field)
{
	struct bpmu_field as = *field;

	if (column->form) {
		as.form = column->form;
		as.digits = column->digits;
		as.number = field->form == BPMU_FIELD_WHOLE ? field->whole : field->number;
	}
	if (column->sign && isfinite(as.number) && !signbit(as.number))
		bpmu_line_char(line, '+');
	return put_digits(line, &as);
}

/*
 * Returns the text of @field in a column of a table of text. A number is formatted into @number;
 * any other text belongs to the field or the column. If @to is not NULL, the text is the interval
 * "[@field, @to]".
 */
static const char *column_text(const struct bpmu_column *column, const struct bpmu_field *field,
			       const struct bpmu_field *to, char number[BPMU_DECIMAL_TEXT])
{
	struct bpmu_line line;
	bool is_number;

	if (field->cell)
		return field->cell;
	if (field->form == BPMU_FIELD_TRUTH)
		return field->whole ? field->name : "";
	if (field->form == BPMU_FIELD_FLAG)
		return field->whole ? "1" : "0";
	bpmu_line_begin(&line, NULL);
	if (to)
		bpmu_line_char(&line, '[');
	is_number = put_column_number(&line, column, field);
	if (to) {
		bpmu_line_text(&line, ", ");
		put_column_number(&line, column, to);
		bpmu_line_char(&line, ']');
	}
	bpmu_line_take(&line, number, BPMU_DECIMAL_TEXT);
	return is_number ? number : column->none ?: field->text ?: "";
}

/*
 * Appends the field of a column to a row of text. If the row has no such field, nothing is
 * appended. If the field's value is empty, blanks are appended, as many as the column is wide.
 */
static void put_text_column(struct bpmu_line *line, const struct bpmu_table *table,
			    const struct bpmu_fields *own, const struct bpmu_column *column)
{
	const char *before = column->before ?: "", *after = column->after ?: "";
	const struct bpmu_field *field = field_named(own, column->name);
	char number[BPMU_DECIMAL_TEXT];
	const char *text;

	field = field ?: field_named(&table->when, column->name);
	if (!field)
		return;
	text = field->absent ? "" :
	       column_text(column, field, column->to ? field_named(own, column->to) : NULL, number);
	if (!*text) {
		if (column->width)
			bpmu_line_blanks(line, strlen(before) + abs(column->width) + strlen(after),
					 0);
		return;
	}
	bpmu_line_text(line, before);
	if (column->width > 0)
		bpmu_line_right(line, text, column->width);
	else
		bpmu_line_left(line, text, -column->width);
	bpmu_line_text(line, after);
}

static void put_text_row(const struct bpmu_table *table, const struct bpmu_fields *own)
{
	struct bpmu_line line;
	unsigned int i;

	if (!table->text.nr)
		return;
	bpmu_line_begin(&line, table->out);
	for (i = 0; i < table->text.nr; i++)
		put_text_column(&line, table, own, &table->text.column[i]);
	bpmu_line_char(&line, '\n');
	bpmu_line_write(&line);
}

/*
 * Appends @blanks blanks and the heading of a column. Returns how many blanks are needed before the
 * next column's heading. A column without a heading appends nothing and only adds its width to
 * @blanks, so that no line ends with blanks.
 */
static size_t put_heading(struct bpmu_line *line, const struct bpmu_column *column, size_t blanks)
{
	size_t width = abs(column->width) + (column->after ? strlen(column->after) : 0);
	size_t nr = column->head ? strlen(column->head) : 0;

	if (!nr && !column->width)
		return blanks;
	blanks += column->before ? strlen(column->before) : 0;
	if (!nr)
		return blanks + width;
	if (column->width > 0 && width > nr)
		blanks += width - nr;
	bpmu_line_blanks(line, blanks, 0);
	bpmu_line_put(line, column->head, nr);
	return column->width < 0 && width > nr ? width - nr : 0;
}

static void put_text_head(const struct bpmu_table *table)
{
	struct bpmu_line line;
	size_t blanks = 0;
	unsigned int i;

	if (!table->text.nr)
		return;
	bpmu_line_begin(&line, table->out);
	for (i = 0; i < table->text.nr; i++)
		blanks = put_heading(&line, &table->text.column[i], blanks);
	bpmu_line_char(&line, '\n');
	bpmu_line_write(&line);
}

/**
 * bpmu_table_head() - print the names of fields as headings of a table, even if no row follows
 * @table: the table. In CSV the names of @fields are printed, in text &bpmu_column.head of each
 *	column; in JSON nothing is printed
 * @fields: [@nr], fields of the table; only their names are used
 * @nr: number of @fields
 *
 * bpmu_table_row() prints the headings itself before its first row of CSV, unless this function was
 * called before. In text bpmu_table_row() prints no headings.
 */
void bpmu_table_head(struct bpmu_table *table, const struct bpmu_field *fields,
		     unsigned int nr)
{
	const struct bpmu_fields own = { fields, nr };

	if (table->format == BPMU_JSON || table->headed)
		return;
	if (table->format == BPMU_TEXT)
		put_text_head(table);
	else
		put_line(table, &own, put_column_name);
	table->headed = true;
}

/**
 * bpmu_table_row() - print fields as a row of CSV, JSON or text
 * @table: the table; in text only the fields that its columns name are printed
 * @fields: [@nr], fields with the same names in all rows
 * @nr: number of @fields
 */
void bpmu_table_row(struct bpmu_table *table, const struct bpmu_field *fields,
		    unsigned int nr)
{
	const struct bpmu_fields own = { fields, nr };
	struct bpmu_object object;

	if (table->format == BPMU_JSON) {
		object = bpmu_table_open(table, fields, nr);
		bpmu_table_close(&object);
		return;
	}
	if (table->format == BPMU_TEXT) {
		put_text_row(table, &own);
		return;
	}
	bpmu_table_head(table, fields, nr);
	put_line(table, &own, bpmu_field_column);
}
