// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <math.h>
#include <string.h>

#include "array.h"
#include "decimal.h"

#define BETWEEN " ,"

/* Writes what precedes a member, or an element without a name. */
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
 * bpmu_object_open() - the beginning of an object or array
 * @object: that it is in; a zeroed one but for its file is not yet begun
 * @name: of the member, or NULL
 * @bracket: '{' or '['
 */
void bpmu_object_open(struct bpmu_object *object, const char *name, char bracket)
{
	put_name(object, name);
	fputc(bracket, object->out);
	object->comma = false;
}

/**
 * bpmu_object_close() - its end
 * @object: opened
 * @bracket: '}' or ']'
 */
void bpmu_object_close(struct bpmu_object *object, char bracket)
{
	fputc(bracket, object->out);
	object->comma = true;
}

static void put_words(struct bpmu_object *object, const char *name,
		      const char *words)
{
	size_t len;

	bpmu_object_open(object, name, '[');
	for (words += strspn(words, BETWEEN); *words;
	     words += strspn(words, BETWEEN)) {
		len = strcspn(words, BETWEEN);
		put_name(object, NULL);
		bpmu_print_json_part(object->out, words, len);
		words += len;
	}
	bpmu_object_close(object, ']');
}

/* The form that both formats share; nothing if there is none. */
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
		put_words(object, field->name, field->text ?: "");
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
 * bpmu_object_put() - members of an object, or elements of an array
 * @object: opened
 * @fields: those of CSV alone, and what this row has none of, are left out
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

/* Calls @put for each column; returns what precedes the next one. */
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
 * bpmu_fields_columns() - fields as a part of a line of CSV
 * @out: output
 * @fields: the fields; those of JSON alone are left out
 * @separator: between them
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
 * bpmu_fields_names() - the names of these columns
 * @out: output
 * @fields: as for bpmu_fields_columns()
 * @separator: between them
 */
void bpmu_fields_names(FILE *out, const struct bpmu_fields *fields,
		       const char *separator)
{
	each_column(out, fields, "", separator, put_column_name);
}

/**
 * bpmu_table_open() - the beginning of a JSON object
 * @table: of JSON
 * @fields: the members behind its type and those of all rows; those of CSV alone
 *	are left out
 * @nr: number of @fields
 *
 * Return: the object, to which the caller may add, for bpmu_table_close().
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
 * bpmu_table_close() - the end of that object, and of its line
 * @object: from bpmu_table_open()
 */
void bpmu_table_close(struct bpmu_object *object)
{
	bpmu_object_close(object, '}');
	fputc('\n', object->out);
}

/**
 * bpmu_table_head() - the names of the columns, where there may be no row
 * @table: of CSV, else nothing is done; bpmu_table_row() does not repeat them
 * @fields: with names, and values that are not looked at
 * @nr: number of @fields
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
 * @table: of CSV or JSON
 * @fields: the same ones in each row
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
