// SPDX-License-Identifier: GPL-2.0
#include "annotation_print.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/plain.h"
#include "base/print.h"
#include "recording/regular.h"
#include "view/share_notes.h"

/**
 * struct source - a source file whose lines are printed between instructions
 * @file: the file, NULL if it cannot be read
 * @path: path of the file, owned by the annotation
 * @line: number of the line that was read last, 0 if none
 * @text: text of the line that was read last, [@room]
 * @room: size of @text
 */
struct source {
	FILE *file;
	const char *path;
	unsigned int line;
	char *text;
	size_t room;
};

static void source_close(struct source *source)
{
	if (source->file)
		fclose(source->file);
	free(source->text);
	*source = (struct source){ };
}

/*
 * Opens the source file @path, from which lines are printed. A file that was changed after the file
 * @program was built is not opened: its lines may differ from those that were compiled. If the file
 * is not open, lines are printed as "".
 */
static void source_open(struct source *source, const char *path, const char *program)
{
	struct stat text, code;
	int fd;

	source_close(source);
	source->path = path;
	fd = bpmu_regular_open(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &text) && !stat(program, &code) && text.st_mtime <= code.st_mtime)
		source->file = fdopen(fd, "r");
	if (!source->file)
		close(fd);
}

/* Returns the text of line number @line of the source file; "" if it has no such line. */
static const char *source_line(struct source *source, unsigned int line)
{
	if (!source->file)
		return "";
	if (line < source->line) {
		rewind(source->file);
		source->line = 0;
	}
	while (source->line < line) {
		if (getline(&source->text, &source->room, source->file) < 0)
			return "";
		source->line++;
	}
	source->text[strcspn(source->text, "\r\n")] = '\0';
	return bpmu_plain(source->text, "\t");
}

static void annotation_head(FILE *out, const struct bpmu_annotation *annotation,
			    const struct bpmu_shares *shares)
{
	const struct bpmu_share share = bpmu_share_of(&annotation->events, &shares->all);
	char interrupts[BPMU_PRINT_NUMBER], pace[BPMU_SHARE_PACE];

	fprintf(out, "%s: %.2f %% of %s (95 %% interval %.2f to %.2f %%), %s interrupts, %s\n",
		annotation->function, 100 * share.share, shares->slot->text, 100 * share.low,
		100 * share.high, bpmu_print_number(interrupts, annotation->interrupts),
		bpmu_share_pace(pace, shares->slot));
	if (annotation->path)
		fprintf(out, "%s\n", annotation->path);
	fputs("\n of this   95 % interval  interrupts   address and instruction\n", out);
}

/*
 * columns of the text output, which has a line for each instruction; an instruction without
 * interrupts has only the last two columns, and blanks before them
 */
static const struct bpmu_column instruction_columns[] = {
	{ "share_percent", 6, BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "low_percent", 6, .before = "  ", BPMU_COLUMN_FIXED(2) },
	{ "high_percent", 6, .before = " ", BPMU_COLUMN_FIXED(2), .after = " %" },
	{ "interrupts", 10, .before = "  " },
	{ "address", .before = "   " },
	{ "instruction", .before = "  " },
};

static void print_row(struct bpmu_table *table, const struct bpmu_annotation *annotation,
		      const struct bpmu_annotated *at, const struct bpmu_shares *shares)
{
	const struct bpmu_share share = bpmu_share_of(&at->events, &annotation->events);
	const char *none = at->interrupts ? NULL : "";
	char address[BPMU_PRINT_NUMBER];
	const struct bpmu_field fields[] = {
		{ "function", annotation->function, BPMU_FIELD_TEXT },
		{ "path", annotation->path, BPMU_FIELD_OPTIONAL },
		{ "address", .form = BPMU_FIELD_HEX, .whole = at->address,
		  .cell = address },
		{ "instruction", at->text, BPMU_FIELD_OPTIONAL },
		{ "source", at->file, BPMU_FIELD_OPTIONAL },
		{ "line", .form = BPMU_FIELD_WHOLE, .whole = at->line, .absent = !at->line },
		{ "event", shares->slot->text, BPMU_FIELD_TEXT },
		{ "interrupts", .form = BPMU_FIELD_WHOLE, .whole = at->interrupts, .cell = none },
		{ "periods", .form = BPMU_FIELD_WHOLE, .whole = at->events.sum },
		{ "share_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.share,
		  .digits = 6, .cell = none },
		{ "low_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.low,
		  .digits = 6, .cell = none },
		{ "high_percent", .form = BPMU_FIELD_REAL, .number = 100 * share.high,
		  .digits = 6, .cell = none },
	};

	snprintf(address, sizeof(address), "%llx", (unsigned long long)at->address);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/*
 * Prints file name, number and text of the source line of instruction @at, unless the source line
 * is unknown or is that of the preceding instruction @before; @before is NULL if @at is the first
 * instruction.
 */
static void annotation_line(FILE *out, struct source *source, const struct bpmu_annotation *annotation,
			    const struct bpmu_annotated *at, const struct bpmu_annotated *before)
{
	const char *slash, *text;

	if (!at->line || (before && before->line == at->line && before->file == at->file))
		return;
	if (!source->path || strcmp(source->path, at->file))
		source_open(source, at->file, annotation->path);
	slash = strrchr(at->file, '/');
	text = source_line(source, at->line);
	fprintf(out, "%40s%s:%u%s%s\n", "", slash ? slash + 1 : at->file, at->line,
		*text ? "  " : "", text + strspn(text, " \t"));
}

static void annotation_text(struct bpmu_table *table, const struct bpmu_annotation *annotation,
			    const struct bpmu_shares *shares)
{
	FILE *out = table->out;
	struct source source = { };
	size_t i;

	annotation_head(out, annotation, shares);
	for (i = 0; i < annotation->nr; i++) {
		annotation_line(out, &source, annotation, &annotation->insn[i],
				i ? &annotation->insn[i - 1] : NULL);
		print_row(table, annotation, &annotation->insn[i], shares);
	}
	source_close(&source);
	fputc('\n', out);
	if (*annotation->missing)
		fprintf(out, "  Note: only instructions that interrupts name are listed: %s.\n",
			annotation->missing);
	bpmu_share_notes_print(out, shares, false);
}

/**
 * bpmu_annotation_print() - print an annotation: a function's instructions and their events
 * @options: common options; only the options of the output are used
 * @shares: interrupts and events of all functions, for the percentages
 */
void bpmu_annotation_print(FILE *out, const struct bpmu_options *options,
			   const struct bpmu_annotation *annotation,
			   const struct bpmu_shares *shares)
{
	struct bpmu_table table = {
		.out = out, .format = options->format, .separator = options->separator,
		.type = "instruction", .text = BPMU_COLUMNS(instruction_columns),
	};
	size_t i;

	if (options->format == BPMU_TEXT) {
		annotation_text(&table, annotation, shares);
		return;
	}
	for (i = 0; i < annotation->nr; i++)
		print_row(&table, annotation, &annotation->insn[i], shares);
}
