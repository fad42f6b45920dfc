// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <math.h>
#include <string.h>

#include "decimal.h"

#define BETWEEN " ,"

static void json_words(FILE *out, const char *words)
{
	const char *comma = "";
	size_t len;

	fputc('[', out);
	for (words += strspn(words, BETWEEN); *words;
	     words += strspn(words, BETWEEN)) {
		len = strcspn(words, BETWEEN);
		fputs(comma, out);
		bpmu_print_json_part(out, words, len);
		comma = ",";
		words += len;
	}
	fputc(']', out);
}

/* as it is in both formats; nothing if there is none */
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

static void put_member(FILE *out, const struct bpmu_field *field)
{
	const char *text = field->text ?: "";

	if (field->form == BPMU_FIELD_STAMP) {
		fputc(',', out);
		bpmu_print_stamp(out, field->stamp);
		return;
	}
	fprintf(out, ",\"%s\":", field->name);
	if (field->form == BPMU_FIELD_WORDS)
		json_words(out, text);
	else if (field->form == BPMU_FIELD_TRUTH ||
		 field->form == BPMU_FIELD_FLAG)
		fputs(field->whole ? "true" : "false", out);
	else if (field->form == BPMU_FIELD_TEXT ||
		 (field->form == BPMU_FIELD_OPTIONAL && *text))
		bpmu_print_json(out, text);
	else if (!put_digits(out, field))
		fputs("null", out);
}

static void put_column(FILE *out, const struct bpmu_field *field,
		       const char *separator)
{
	if (field->form == BPMU_FIELD_TRUTH)
		fputs(field->whole ? field->name : "", out);
	else if (field->form == BPMU_FIELD_FLAG)
		fputc(field->whole ? '1' : '0', out);
	else if (!put_digits(out, field) && field->form != BPMU_FIELD_DIGITS)
		bpmu_print_csv(out, field->text ?: "", separator);
}

static bool is_column(const struct bpmu_field *field)
{
	return field->only != BPMU_JSON && field->form != BPMU_FIELD_STAMP;
}

/**
 * bpmu_fields_columns() - fields as a part of a line of CSV
 * @out: where
 * @fields: the fields; those of JSON alone are left out
 * @separator: between them
 */
void bpmu_fields_columns(FILE *out, const struct bpmu_fields *fields,
			 const char *separator)
{
	const char *before = "";
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		if (!is_column(&fields->field[i]))
			continue;
		fputs(before, out);
		put_column(out, &fields->field[i], separator);
		before = separator;
	}
}

/**
 * bpmu_fields_names() - the names of these columns
 * @out: where
 * @fields: as for bpmu_fields_columns()
 * @separator: between them
 */
void bpmu_fields_names(FILE *out, const struct bpmu_fields *fields,
		       const char *separator)
{
	const char *before = "";
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		if (!is_column(&fields->field[i]))
			continue;
		fprintf(out, "%s%s", before, fields->field[i].name);
		before = separator;
	}
}

/**
 * bpmu_table_open() - the beginning of a JSON object
 * @table: of JSON
 * @fields: the members behind its type and those of all rows; those of CSV alone
 *	are left out
 * @nr: their number
 *
 * The caller may add members, and closes the object.
 */
void bpmu_table_open(const struct bpmu_table *table,
		     const struct bpmu_field *fields, unsigned int nr)
{
	unsigned int i;

	fprintf(table->out, "{\"schema\":1,\"type\":\"%s\"", table->type);
	for (i = 0; i < table->when.nr; i++)
		if (table->when.field[i].only != BPMU_CSV)
			put_member(table->out, &table->when.field[i]);
	for (i = 0; i < nr; i++)
		if (fields[i].only != BPMU_CSV)
			put_member(table->out, &fields[i]);
}

/**
 * bpmu_table_head() - the names of the columns, where there may be no row
 * @table: of CSV, else nothing is done; bpmu_table_row() does not repeat them
 * @fields: with names, and values that are not looked at
 * @nr: their number
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
 * @nr: their number
 */
void bpmu_table_row(struct bpmu_table *table, const struct bpmu_field *fields,
		    unsigned int nr)
{
	const struct bpmu_fields own = { fields, nr };

	if (table->format == BPMU_JSON) {
		bpmu_table_open(table, fields, nr);
		fputs("}\n", table->out);
		return;
	}
	bpmu_table_head(table, fields, nr);
	bpmu_fields_columns(table->out, &table->when, table->separator);
	if (table->when.nr)
		fputs(table->separator, table->out);
	bpmu_fields_columns(table->out, &own, table->separator);
	fputc('\n', table->out);
}
