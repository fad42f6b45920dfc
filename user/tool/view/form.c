// SPDX-License-Identifier: GPL-2.0
#include "form.h"

#include <stdlib.h>
#include <string.h>

/* maximum number of bytes of the fields that seldom vary, whose text is kept for the next row */
#define KEPT_MAX 512

/**
 * struct gap - place in a form for a field that varies
 * @field: the field
 * @text: end of the constant text before the field, as an offset in the form's text
 * @name: end of the field's name, as an offset in the form's text; only JSON has the name, and only
 *	if there is a value
 */
struct gap {
	const struct bpmu_field *field;
	size_t text;
	size_t name;
};

/**
 * struct bpmu_form - constant text of similar rows, with gaps for the fields that vary
 * @format: %BPMU_CSV or %BPMU_JSON
 * @separator: separator of CSV columns
 * @gap: fields that vary, [@nr]
 * @nr: number of @gap
 * @seldom: index of the first of the consecutive gaps whose text is kept; these are the most
 *	consecutive gaps of fields that seldom vary
 * @seldom_end: index of the gap after the last of these
 * @text: constant text around the gaps, [@size], without NUL
 * @size: length of @text in bytes
 * @kept: text of the latest row, without NUL, [@nr_kept]: gaps @seldom to @seldom_end - 1, each
 *	with the constant text before the gap
 * @nr_kept: length of @kept in bytes; 0 before the first row, or if the text was too long
 */
struct bpmu_form {
	enum bpmu_format format;
	const char *separator;
	struct gap *gap;
	unsigned int nr;
	unsigned int seldom;
	unsigned int seldom_end;
	char *text;
	size_t size;
	char kept[KEPT_MAX];
	size_t nr_kept;
};

/**
 * struct making - a form that is being made
 * @object: the row as JSON; in CSV only its line is used
 * @form: the form
 */
struct making {
	struct bpmu_object object;
	struct bpmu_form *form;
};

/* Writes buffered constant text to the form's text; returns its length, where a gap can follow. */
static size_t form_end(struct bpmu_line *line)
{
	bpmu_line_write(line);
	return ftello(line->out);
}

static struct gap *form_gap(struct making *making, const struct bpmu_field *field)
{
	struct bpmu_form *form = making->form;
	struct gap *gap = &form->gap[form->nr++];

	gap->field = field;
	gap->text = form_end(&making->object.line);
	gap->name = gap->text;
	return gap;
}

/* Adds a column to a form that is being made; @line is the one in its &struct making. */
static void form_column(struct bpmu_line *line, const struct bpmu_field *field,
			const char *separator)
{
	struct making *making = (struct making *)line;

	if (field->varies)
		form_gap(making, field);
	else
		bpmu_field_column(line, field, separator);
}

static void form_members(struct making *making, const struct bpmu_fields *fields)
{
	const struct bpmu_field *field = fields->field;
	const struct bpmu_field *end = field + fields->nr;
	struct gap *gap;

	for (; field < end; field++) {
		if (!field->varies) {
			bpmu_object_put(&making->object, field, 1);
		} else {
			gap = form_gap(making, field);
			bpmu_object_name(&making->object, field->form == BPMU_FIELD_STAMP ?
					 NULL : field->name);
			gap->name = form_end(&making->object.line);
		}
	}
}

/* Sets @form->seldom and @form->seldom_end. */
static void form_find_seldom(struct bpmu_form *form)
{
	unsigned int first = 0, i;

	for (i = 0; i < form->nr; i++) {
		if (form->gap[i].field->varies == BPMU_VARIES_OFTEN)
			first = i + 1;
		if (i + 1 - first <= form->seldom_end - form->seldom)
			continue;
		form->seldom = first;
		form->seldom_end = i + 1;
	}
}

static void form_make(struct bpmu_form *form, FILE *out, const struct bpmu_table *table,
		      const struct bpmu_fields *own)
{
	const struct bpmu_table bare = {
		.out = out, .format = table->format, .separator = table->separator,
		.type = table->type,
	};
	struct making making = { .form = form };

	if (table->format == BPMU_JSON) {
		making.object = bpmu_table_open(&bare, NULL, 0);
		form_members(&making, &table->when);
		form_members(&making, own);
		bpmu_table_close(&making.object);
	} else {
		bpmu_line_begin(&making.object.line, out);
		bpmu_table_line(table, &making.object.line, own, form_column);
		bpmu_line_write(&making.object.line);
	}
	form_find_seldom(form);
}

/**
 * bpmu_form_new() - make the form by which similar rows of a table are written fast
 * @table: a CSV or JSON table, whose header line is written already; its leading fields may vary
 * @fields: [@nr], fields as of bpmu_table_row(). A field that varies must be no object or list, nor
 *	part of one. It and its texts must outlive the form, as each row reads them anew, except
 *	&bpmu_field.name and &bpmu_field.form.
 * @nr: number of @fields
 *
 * Return: the form, to be freed with bpmu_form_free(); NULL without memory.
 */
struct bpmu_form *bpmu_form_new(const struct bpmu_table *table, const struct bpmu_field *fields,
				unsigned int nr)
{
	const struct bpmu_fields own = { fields, nr };
	struct bpmu_form *form = calloc(1, sizeof(*form));
	FILE *out;

	if (!form)
		return NULL;
	form->format = table->format;
	form->separator = table->separator;
	form->gap = calloc(table->when.nr + nr + 1, sizeof(*form->gap));
	out = form->gap ? open_memstream(&form->text, &form->size) : NULL;
	if (out)
		form_make(form, out, table, &own);
	if (out && !fclose(out))
		return form;
	bpmu_form_free(form);
	return NULL;
}

/*
 * Writes the gaps from @first to before @end, each after its constant text, which begins at offset
 * @at of the form's text for the first of them. Returns the offset of the text after the last gap.
 */
static size_t form_fill(const struct bpmu_form *form, struct bpmu_line *line, unsigned int first,
			unsigned int end, size_t at)
{
	const struct gap *gap = form->gap + first;

	for (; gap < form->gap + end; gap++) {
		bpmu_line_put(line, form->text + at, gap->text - at);
		at = gap->name;
		if (gap->field->absent)
			continue;
		bpmu_line_put(line, form->text + gap->text, gap->name - gap->text);
		if (form->format == BPMU_JSON)
			bpmu_field_value(line, gap->field);
		else
			bpmu_field_column(line, gap->field, form->separator);
	}
	return at;
}

/*
 * Keeps the text of the line from offset @begin on, unless the line was flushed to the output
 * meanwhile: @writes is the number of flushes when the text began.
 */
static void form_keep(struct bpmu_form *form, const struct bpmu_line *line, unsigned int writes,
		      size_t begin)
{
	form->nr_kept = 0;
	if (line->writes != writes || line->nr - begin > KEPT_MAX)
		return;
	form->nr_kept = line->nr - begin;
	memcpy(form->kept, line->text + begin, form->nr_kept);
}

/**
 * bpmu_form_put() - write a row by its form
 * @form: the form; its fields have the values of the row
 * @line: appended to
 * @same: the fields that vary seldom have the same values as in the form's previous row
 */
void bpmu_form_put(struct bpmu_form *form, struct bpmu_line *line, bool same)
{
	size_t at = form_fill(form, line, 0, form->seldom, 0);
	unsigned int writes = line->writes;
	size_t begin = line->nr;

	if (same && form->nr_kept) {
		bpmu_line_put(line, form->kept, form->nr_kept);
		at = form->gap[form->seldom_end - 1].name;
	} else {
		at = form_fill(form, line, form->seldom, form->seldom_end, at);
		form_keep(form, line, writes, begin);
	}
	at = form_fill(form, line, form->seldom_end, form->nr, at);
	bpmu_line_put(line, form->text + at, form->size - at);
}

/**
 * bpmu_form_free() - free the form of rows
 * @form: or NULL
 */
void bpmu_form_free(struct bpmu_form *form)
{
	if (!form)
		return;
	free(form->gap);
	free(form->text);
	free(form);
}
