// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <math.h>
#include <string.h>

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
	default:
		return false;
	}
}

static void put_member(FILE *out, const struct bpmu_field *field)
{
	const char *text = field->text ?: "";

	fprintf(out, ",\"%s\":", field->name);
	if (field->form == BPMU_FIELD_WORDS)
		json_words(out, text);
	else if (field->form == BPMU_FIELD_TRUTH)
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
	else if (!put_digits(out, field) && field->form != BPMU_FIELD_DIGITS)
		bpmu_print_csv(out, field->text ?: "", separator);
}

/**
 * bpmu_fields_json() - the beginning of a JSON object
 * @out: where
 * @type: its member "type"
 * @fields: the members behind that; those of CSV alone are left out
 * @nr: their number
 *
 * The caller may add members, and closes the object.
 */
void bpmu_fields_json(FILE *out, const char *type,
		      const struct bpmu_field *fields, unsigned int nr)
{
	unsigned int i;

	fprintf(out, "{\"schema\":1,\"type\":\"%s\"", type);
	for (i = 0; i < nr; i++)
		if (fields[i].only != BPMU_CSV)
			put_member(out, &fields[i]);
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
	const char *separator = "";
	unsigned int i;

	if (table->format != BPMU_CSV || table->headed)
		return;
	for (i = 0; i < nr; i++) {
		if (fields[i].only == BPMU_JSON)
			continue;
		fprintf(table->out, "%s%s", separator, fields[i].name);
		separator = table->separator;
	}
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
	const char *separator = "";
	unsigned int i;

	if (table->format == BPMU_JSON) {
		bpmu_fields_json(table->out, table->type, fields, nr);
		fputs("}\n", table->out);
		return;
	}
	bpmu_table_head(table, fields, nr);
	for (i = 0; i < nr; i++) {
		if (fields[i].only == BPMU_JSON)
			continue;
		fputs(separator, table->out);
		put_column(table->out, &fields[i], table->separator);
		separator = table->separator;
	}
	fputc('\n', table->out);
}
