// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of forms. A form writes the same lines of a table as bpmu_table_row(). To save time, it
 * keeps the text of fields that seldom change. The forms of stat know by their values when they do.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/stat_form.h"
#include "view/form.h"
#include "unit.h"

static char words[64];

/**
 * struct fixture - a table of output, and the form that keeps the text of its lines
 * @time: text of the first field of each line, the time since the start
 * @wall: text of the second field of each line, the time stamps
 * @when: these two fields
 * @field: fields of each type, which vary often, seldom or never
 * @table: the table
 * @form: the form
 */
struct fixture {
	struct bpmu_piece time;
	struct bpmu_piece wall;
	struct bpmu_field when[2];
	struct bpmu_field field[11];
	struct bpmu_table table;
	struct bpmu_form *form;
};

static void set_piece(struct bpmu_piece *piece, const char *text)
{
	piece->nr = strlen(text);
	memcpy(piece->text, text, piece->nr);
}

static void make(struct fixture *f, enum bpmu_format format)
{
	const struct fixture fixture = {
		.when = {
			{ "time", .form = BPMU_FIELD_DIGITS, .piece = &f->time,
			  .varies = BPMU_VARIES_OFTEN },
			{ "wall", .form = BPMU_FIELD_STAMP, .piece = &f->wall,
			  .varies = BPMU_VARIES_OFTEN },
		},
		.field = {
			{ "name", "a,\"b\"", BPMU_FIELD_TEXT },
			{ "count", "none", BPMU_FIELD_FIXED, .varies = BPMU_VARIES_OFTEN },
			{ "half", .form = BPMU_FIELD_FIXED, .varies = BPMU_VARIES_SELDOM },
			{ "not", "here", BPMU_FIELD_TEXT, .absent = true },
			{ "lost", .form = BPMU_FIELD_WHOLE, .varies = BPMU_VARIES_SELDOM },
			{ "over", .form = BPMU_FIELD_FLAG, .varies = BPMU_VARIES_SELDOM },
			{ "flags", words, BPMU_FIELD_WORDS, .varies = BPMU_VARIES_SELDOM },
			{ "type", "thing", BPMU_FIELD_TYPE },
			{ "label", "x", BPMU_FIELD_TEXT, .varies = BPMU_VARIES_SELDOM },
			{ "ticks", .form = BPMU_FIELD_WHOLE, .varies = BPMU_VARIES_OFTEN },
			{ "end", "e", BPMU_FIELD_TEXT, .varies = BPMU_VARIES_SELDOM },
		},
		.table = { .format = format, .separator = ",", .type = "thing", .headed = true },
	};

	*f = fixture;
	set_piece(&f->time, "0.5");
	set_piece(&f->wall, "\"wall\":1,\"monotonic\":2");
	f->table.when = (struct bpmu_fields){ f->when, ARRAY_SIZE(f->when) };
	f->form = bpmu_form_new(&f->table, f->field, ARRAY_SIZE(f->field));
	assert_non_null(f->form);
}

/*
 * Checks that the form writes the same line as bpmu_table_row(). @same: the caller says that the
 * fields that vary seldom have not changed since the last line.
 */
static void compare(struct fixture *f, bool same)
{
	char *want = NULL, *text = NULL;
	struct bpmu_line line;
	size_t size;
	FILE *out;

	f->table.out = open_memstream(&want, &size);
	bpmu_table_row(&f->table, f->field, ARRAY_SIZE(f->field));
	fclose(f->table.out);
	out = open_memstream(&text, &size);
	bpmu_line_begin(&line, out);
	bpmu_form_put(f->form, &line, same);
	bpmu_line_write(&line);
	fclose(out);
	assert_string_equal(text, want);
	free(want);
	free(text);
}

static void vary(enum bpmu_format format)
{
	struct fixture f;
	unsigned int i;

	make(&f, format);
	/*
	 * This is the first line, so the form has kept no text yet, and must format all fields
	 * although @same is true.
	 */
	compare(&f, true);
	set_piece(&f.time, "12.5");
	f.field[1].number = 123456;
	f.field[9].whole = 5;
	compare(&f, true);
	strcpy(words, "one two");
	f.field[2].number = 7;
	f.field[4].whole = 9;
	f.field[5].whole = 1;
	f.field[8].text = "y,z";
	compare(&f, false);
	f.field[1].number = NAN;
	compare(&f, true);
	for (i = 0; i < ARRAY_SIZE(f.field); i++) {
		f.field[i].absent |= f.field[i].varies;
		compare(&f, false);
	}
	f.when[0].absent = true;
	compare(&f, false);
	compare(&f, true);
	bpmu_form_free(f.form);
	words[0] = '\0';
}

TEST(rows_of_a_form_are_those_of_its_table)
{
	vary(BPMU_CSV);
	vary(BPMU_JSON);
}

/*
 * The text of fields that seldom vary is kept for further lines. It is formatted again only if the
 * caller says that one of these fields has changed.
 */
TEST(fields_that_vary_seldom_are_written_anew_only_where_they_differ)
{
	char *text = NULL;
	struct bpmu_line line;
	struct fixture f;
	size_t size;
	FILE *out;

	make(&f, BPMU_CSV);
	out = open_memstream(&text, &size);
	bpmu_line_begin(&line, out);
	bpmu_form_put(f.form, &line, false);
	f.field[4].whole = 9;
	f.field[9].whole = 7;
	f.field[10].text = "f";
	bpmu_form_put(f.form, &line, true);
	bpmu_form_put(f.form, &line, false);
	bpmu_line_write(&line);
	fclose(out);
	assert_string_equal(text, "0.5,\"a,\"\"b\"\"\",0,0,,0,0,,thing,x,0,e\n"
			    "0.5,\"a,\"\"b\"\"\",0,0,,0,0,,thing,x,7,e\n"
			    "0.5,\"a,\"\"b\"\"\",0,0,,9,0,,thing,x,7,f\n");
	free(text);
	bpmu_form_free(f.form);
}

/* A text that is too long to be kept is formatted for each line. */
TEST(long_fields_are_not_kept)
{
	char longest[3 * BPMU_LINE];
	struct fixture f;

	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	make(&f, BPMU_JSON);
	f.field[8].text = longest;
	compare(&f, false);
	compare(&f, true);
	f.field[8].text = "short";
	compare(&f, false);
	compare(&f, true);
	bpmu_form_free(f.form);
}

/* The row of stat before, and a change of one of its values to @now. */
#define CHANGED(field, before, now) do {						\
	struct bpmu_stat_form form = { .was.field = (before) };				\
	struct bpmu_stat_seldom values = { .field = (now) };				\
											\
	assert_false(bpmu_stat_form_set(&form, &values));				\
	assert_true(bpmu_stat_form_set(&form, &values));				\
} while (0)

/* What is the same as in the row before is not formatted again: each change must be seen. */
TEST(each_change_of_a_value_of_stat_is_seen)
{
	CHANGED(half, 1, 2);
	CHANGED(half, NAN, 2);
	CHANGED(half, 2, NAN);
	CHANGED(percent, 100, 50);
	CHANGED(percent, NAN, 50);
	CHANGED(clock, 7, 8);
	CHANGED(clock, 7, NAN);
	CHANGED(lost, 0, 1);
	CHANGED(at_most, 0, 3);
	CHANGED(others, 0, 9);
	CHANGED(flags, 0, BPMU_VALUE_UNDECIDED);
	CHANGED(known, false, true);
	CHANGED(flagged, true, false);
}
