// SPDX-License-Identifier: GPL-2.0
#include "form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

/*
 * maximum number of bytes of a row's text that are kept for the next row; the text of fields that
 * vary often is not kept
 */
#define KEPT_MAX 1024

/**
 * struct gap - place in a form for a field that varies
 * @field: the field
 * @text: end of the constant text before the field, as an offset in the form's text
 * @name: end of the field's name, as an offset in the form's text. The name is written only in
 *	JSON, and only if the field has a value
 */
struct gap {
	const struct bpmu_field *field;
	size_t text;
	size_t name;
};

/**
 * struct often - a field of the latest row that varies often, and the text behind it
 * @field: the field, which is not absent
 * @piece: its &bpmu_field.piece
 * @nr: length of the text between this field and the next such field, in bytes
 */
struct often {
	const struct bpmu_field *field;
	const struct bpmu_piece *piece;
	size_t nr;
};

/**
 * struct bpmu_form - constant text of similar rows, with gaps for the fields that vary
 * @format: %BPMU_CSV or %BPMU_JSON
 * @separator: separator of CSV columns
 * @gap: fields that vary, [@nr]
 * @nr: number of @gap
 * @text: constant text around the gaps, [@size], without NUL
 * @size: length of @text in bytes
 * @often: fields of the latest row that vary often and are not absent, [@nr_often]
 * @nr_often: number of @often
 * @kept: text of the latest row without the fields that vary often, without NUL, [@nr_kept]
 * @nr_kept: length of @kept in bytes; 0 before the first row, or if the text was too long
 * @lead: length of the text in @kept before the first field that varies often, in bytes
 * @room: maximum length in bytes of @kept with all pieces and numbers that vary often
 */
struct bpmu_form {
	enum bpmu_format format;
	const char *separator;
	struct gap *gap;
	unsigned int nr;
	char *text;
	size_t size;
	struct often *often;
	unsigned int nr_often;
	char kept[KEPT_MAX + BPMU_LINE_PAD];
	size_t nr_kept;
	size_t lead;
	size_t room;
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

/*
 * Writes the buffered constant text to the form's text. Returns the length of the form's text in
 * bytes, which is the offset at which a gap can follow.
 */
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

/* Adds a column to a form that is being made. @line must be the line of a &struct making. */
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
}

/**
 * bpmu_form_new() - make the form by which similar rows of a table are written fast
 * @table: a CSV or JSON table, whose header line is written already; its leading fields may vary
 * @fields: fields as for bpmu_table_row(), [@nr]. A field that varies must not be an object or a
 *	list, or part of one. Such a field must outlive the form, because each row reads it, and so
 *	must its texts other than &bpmu_field.name and &bpmu_field.form.
 * @nr: number of @fields
 *
 * Return: the form, to be freed with bpmu_form_free(); NULL if memory runs out.
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
	form->often = calloc(table->when.nr + nr + 1, sizeof(*form->often));
	out = form->gap && form->often ? open_memstream(&form->text, &form->size) : NULL;
	if (out)
		form_make(form, out, table, &own);
	if (out && !fclose(out))
		return form;
	bpmu_form_free(form);
	return NULL;
}

/* Writes the value of a field that is not absent. */
static void form_fill(const struct bpmu_form *form, struct bpmu_line *line,
		      const struct bpmu_field *field)
{
	if (form->format == BPMU_JSON)
		bpmu_field_value(line, field);
	else
		bpmu_field_column(line, field, form->separator);
}

/*
 * Appends the text of a line, from offset @begin on, to the kept text of @nr bytes. Returns the new
 * length of the kept text. Fails, and returns more than KEPT_MAX, if the kept text would be longer
 * than KEPT_MAX, or if text of the line has been written out since @writes was read from it.
 */
static size_t form_keep(struct bpmu_form *form, const struct bpmu_line *line, unsigned int writes,
			size_t begin, size_t nr)
{
	size_t more = line->nr - begin;

	if (line->writes != writes || nr > KEPT_MAX || more > KEPT_MAX - nr)
		return KEPT_MAX + 1;
	memcpy(form->kept + nr, line->text + begin, more);
	return nr + more;
}

/*
 * Writes a row field by field, and keeps its text except the fields that vary often. Not inlined, as
 * form_other(): bpmu_form_put() would else save more registers for each row.
 */
static __attribute__((noinline)) void form_write(struct bpmu_form *form, struct bpmu_line *line)
{
	struct gap *gap = form->gap, *end = gap + form->nr;
	const unsigned int writes = line->writes;
	size_t begin = line->nr, at = 0, nr = 0, before = 0;
	size_t *length = &form->lead;

	form->room = 0;
	form->nr_often = 0;
	for (; gap < end; gap++) {
		bpmu_line_put(line, form->text + at, gap->text - at);
		at = gap->name;
		if (gap->field->absent)
			continue;
		bpmu_line_put(line, form->text + gap->text, gap->name - gap->text);
		if (gap->field->varies != BPMU_VARIES_OFTEN) {
			form_fill(form, line, gap->field);
			continue;
		}
		nr = form_keep(form, line, writes, begin, nr);
		*length = nr - before;
		before = nr;
		form->often[form->nr_often].field = gap->field;
		form->often[form->nr_often].piece = gap->field->piece;
		length = &form->often[form->nr_often++].nr;
		form->room += gap->field->piece ? BPMU_PIECE : BPMU_DECIMAL_TEXT;
		form_fill(form, line, gap->field);
		begin = line->nr;
	}
	bpmu_line_put(line, form->text + at, form->size - at);
	nr = form_keep(form, line, writes, begin, nr);
	*length = nr - before;
	form->room += nr;
	form->nr_kept = nr > KEPT_MAX || form->room > BPMU_LINE ? 0 : nr;
}

/*
 * Writes a field of bpmu_form_put() that is neither a piece nor a count that is not large, at @to in
 * the line. Returns the address in the line for the text behind it.
 */
static __attribute__((noinline)) char *
form_other(const struct bpmu_form *form, struct bpmu_line *line, const struct bpmu_field *field,
	   char *to)
{
	if (field->form == BPMU_FIELD_FIXED && isfinite(field->number))
		return to + bpmu_decimal_fixed(to, field->number, field->digits);
	line->nr = to - line->text;
	form_fill(form, line, field);
	return bpmu_line_room(line, form->room);
}

/**
 * bpmu_form_put() - write a row by its form: the constant text, and the fields that vary
 * @form: the form; its fields have the values of the row
 * @line: the row is appended to this line
 * @same: the fields that vary seldom have the same values as in the form's previous row, and the
 *	same fields are absent
 */
void bpmu_form_put(struct bpmu_form *form, struct bpmu_line *line, bool same)
{
	const struct often *often = form->often, *end = often + form->nr_often;
	const char *from = form->kept;
	const struct bpmu_field *field;
	char *to, *behind;

	if (!same || !form->nr_kept) {
		form_write(form, line);
		return;
	}
	to = bpmu_line_room(line, form->room);
	if (form->lead)
		to = bpmu_line_copy(to, from, form->lead);
	from += form->lead;
	for (; often < end; from += often->nr, often++) {
		if (often->piece) {
			to = bpmu_line_copy(to, often->piece->text, often->piece->nr);
		} else {
			field = often->field;
			behind = field->form == BPMU_FIELD_FIXED && !field->digits ?
				 bpmu_decimal_count(to, field->number) : NULL;
			to = behind ?: form_other(form, line, field, to);
		}
		to = bpmu_line_copy(to, from, often->nr);
	}
	line->nr = to - line->text;
}

/**
 * bpmu_form_free() - free the form of rows
 * @form: the form, or NULL
 */
void bpmu_form_free(struct bpmu_form *form)
{
	if (!form)
		return;
	free(form->gap);
	free(form->often);
	free(form->text);
	free(form);
}
