// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <math.h>
#include <string.h>

#include "array.h"
#include "decimal.h"

#define BETWEEN " ,"

/* Writes the comma and the name of a member, or the comma of an array element. */
static void put_name(struct bpmu_object *object, const char *name)
{
	if (object->comma)
		fputc(',', object->out);
	object->comma = true;
	if (!name)
		return;
	bpmu_print_json(object->out, name);
	fputc(':', object->out);
}

/**
 * bpmu_object_open() - write the start of an object or array
 * @object: enclosing object; with only @out set the new one is the outermost
 * @name: name of the member, or NULL
 * @bracket: '{' or '['
 */
void bpmu_object_open(struct bpmu_object *object, const char *name, char bracket)
{
	put_name(object, name);
	fputc(bracket, object->out);
	object->comma = false;
}

/**
 * bpmu_object_close() - write the end of an object or array
 * @object: enclosing object
 * @bracket: '}' or ']'
 */
void bpmu_object_close(struct bpmu_object *object, char bracket)
{
	fputc(bracket, object->out);
	object->comma = true;
}

static void put_words(struct bpmu_object *object, const char *name,
		      const char *words, const char *between)
{
	size_t len;

	bpmu_object_open(object, name, '[');
	for (words += strspn(words, between); *words;
	     words += strspn(words, between)) {
		len = strcspn(words, between);
		put_name(object, NULL);
		bpmu_print_json_part(object->out, words, len);
		words += len;
	}
	bpmu_object_close(object, ']');
}

/* Writes a number, with the same text in CSV and JSON; returns false if it has none. */
static bool put_digits(FILE *out, const struct bpmu_field *field)
{
	switch (field->form) {
	case BPMU_FIELD_DIGITS:
		return field->text && *field->text &&
		       fputs(field->text, out) >= 0;
	case BPMU_FIELD_WHOLE:
		return fprintf(out, "%llu", field->whole) > 0;
	case BPMU_FIELD_REAL:
		return isfinite(field->number) &&
		       fprintf(out, "%.*g", field->digits, field->number) > 0;
	case BPMU_FIELD_FIXED:
		return isfinite(field->number) &&
		       fprintf(out, "%.*f", field->digits, field->number) > 0;
	case BPMU_FIELD_NUMBER:
		if (isfinite(field->number))
			bpmu_decimal_write(out, field->number);
		return isfinite(field->number);
	default:
		return false;
	}
}

static void put_scalar(FILE *out, const struct bpmu_field *field)
{
	const char *text = field->text ?: "";

	if (field->form == BPMU_FIELD_TRUTH || field->form == BPMU_FIELD_FLAG)
		fputs(field->whole ? "true" : "false", out);
	else if (field->form == BPMU_FIELD_HEX)
		fprintf(out, "\"0x%llx\"", field->whole);
	else if (field->form == BPMU_FIELD_TEXT ||
		 (field->form == BPMU_FIELD_OPTIONAL && *text))
		bpmu_print_json(out, text);
	else if (!put_digits(out, field))
		fputs("null", out);
}

static void put_member(struct bpmu_object *object,
		       const struct bpmu_field *field)
{
	switch (field->form) {
	case BPMU_FIELD_STAMP:
		put_name(object, NULL);
		bpmu_print_stamp(object->out, field->stamp);
		break;
	case BPMU_FIELD_WORDS:
		put_words(object, field->name, field->text ?: "", BETWEEN);
		break;
	case BPMU_FIELD_EVENTS:
		put_words(object, field->name, field->text ?: "", " ");
		break;
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
		put_name(object, field->name);
		put_scalar(object->out, field);
	}
}

/**
 * bpmu_object_put() - write members of an object, or elements of an array
 * @object: open object or array
 * @fields: [@nr]; fields of CSV only and absent fields are omitted
 * @nr: number of @fields
 */
void bpmu_object_put(struct bpmu_object *object, const struct bpmu_field *fields,
		     unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (fields[i].only != BPMU_CSV && !fields[i].absent)
			put_member(object, &fields[i]);
}

static void put_column(FILE *out, const struct bpmu_field *field,
		       const char *separator)
{
	if (field->absent)
		return;
	if (field->form == BPMU_FIELD_TRUTH)
		fputs(field->whole ? field->name : "", out);
	else if (field->form == BPMU_FIELD_FLAG)
		fputc(field->whole ? '1' : '0', out);
	else if (field->form == BPMU_FIELD_HEX)
		fprintf(out, "0x%llx", field->whole);
	else if (!put_digits(out, field) && field->form != BPMU_FIELD_DIGITS)
		bpmu_print_csv(out, field->text ?: "", separator);
}

/* Calls @put for each column; returns the separator in front of the next column. */
static const char *each_column(FILE *out, const struct bpmu_fields *fields,
			       const char *before, const char *separator,
			       void (*put)(FILE *out,
					   const struct bpmu_field *field,
					   const char *separator))
{
	const struct bpmu_field *field = fields->field;
	const struct bpmu_field *end = field + fields->nr;

	for (; field < end; field++) {
		if (field->only == BPMU_JSON ||
		    field->form == BPMU_FIELD_STAMP ||
		    field->form == BPMU_FIELD_LIST)
			continue;
		if (field->form == BPMU_FIELD_OBJECT) {
			before = each_column(out, &field->of, before, separator,
					     put);
			continue;
		}
		fputs(before, out);
		put(out, field, separator);
		before = separator;
	}
	return before;
}

/**
 * bpmu_fields_columns() - write fields as columns of a CSV line
 * @out: output
 * @fields: fields; those of JSON only are omitted
 * @separator: separator of columns
 */
void bpmu_fields_columns(FILE *out, const struct bpmu_fields *fields,
			 const char *separator)
{
	each_column(out, fields, "", separator, put_column);
}

static void put_column_name(FILE *out, const struct bpmu_field *field,
			    const char *separator)
{
	bpmu_print_csv(out, field->name, separator);
}

/**
 * bpmu_fields_names() - write the names of the columns of bpmu_fields_columns()
 * @out: output
 * @fields: fields; those of JSON only are omitted
 * @separator: separator of columns
 */
void bpmu_fields_names(FILE *out, const struct bpmu_fields *fields,
		       const char *separator)
{
	each_column(out, fields, "", separator, put_column_name);
}

/**
 * bpmu_table_open() - write the start of a row in JSON
 * @table: a JSON table
 * @fields: [@nr], members after the type and the leading fields of the table; those of CSV
 *	only are omitted
 * @nr: number of @fields
 *
 * Return: the open object, to be closed with bpmu_table_close().
 */
struct bpmu_object bpmu_table_open(const struct bpmu_table *table,
				   const struct bpmu_field *fields,
				   unsigned int nr)
{
	const struct bpmu_field first[] = {
		{ "schema", .form = BPMU_FIELD_WHOLE, .whole = 1 },
		{ "type", table->type, BPMU_FIELD_TEXT, .absent = !table->type },
	};
	struct bpmu_object object = { .out = table->out };

	bpmu_object_open(&object, NULL, '{');
	bpmu_object_put(&object, first, ARRAY_SIZE(first));
	bpmu_object_put(&object, table->when.field, table->when.nr);
	bpmu_object_put(&object, fields, nr);
	return object;
}

/**
 * bpmu_table_close() - write the end of a row in JSON
 * @object: object from bpmu_table_open()
 */
void bpmu_table_close(struct bpmu_object *object)
{
	bpmu_object_close(object, '}');
	fputc('\n', object->out);
}

/**
 * bpmu_table_head() - print the header line of a CSV table that may have no rows
 * @table: the table; no effect if it is JSON
 * @fields: [@nr], names of the columns; values are ignored
 * @nr: number of @fields
 *
 * bpmu_table_row() does not repeat the header line.
 */
void bpmu_table_head(struct bpmu_table *table, const struct bpmu_field *fields,
		     unsigned int nr)
{
	const struct bpmu_fields own = { fields, nr };

	if (table->format != BPMU_CSV || table->headed)
		return;
	bpmu_fields_names(table->out, &table->when, table->separator);
	if (table->when.nr)
		fputs(table->separator, table->out);
	bpmu_fields_names(table->out, &own, table->separator);
	fputc('\n', table->out);
	table->headed = true;
}

/**
 * bpmu_table_row() - print a row
 * @table: a CSV or JSON table
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
	bpmu_table_head(table, fields, nr);
	bpmu_fields_columns(table->out, &table->when, table->separator);
	if (table->when.nr)
		fputs(table->separator, table->out);
	bpmu_fields_columns(table->out, &own, table->separator);
	fputc('\n', table->out);
}
