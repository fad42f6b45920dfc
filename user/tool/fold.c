// SPDX-License-Identifier: GPL-2.0
#include "fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"

/*
 * A line that is too wide for the terminal is folded into several. The second and further ones are
 * indented by this number of columns more than the first.
 */
#define FOLD_INDENT 4
/* lines are folded only for a terminal with at least this number of columns */
#define FOLD_LEAST 20

/**
 * struct fold - a stream that folds lines which are wider than the terminal into several lines
 * @out: stream that folds what is written to it; NULL before it is opened
 * @fd: descriptor of the terminal
 * @line: text written to @out since the last newline, and not yet to the terminal, [@len], without
 *	NUL
 * @len: number of bytes in @line
 * @room: number of bytes allocated for @line
 * @unfolded: true to write lines as they are, not folded
 */
struct fold {
	FILE *out;
	int fd;
	char *line;
	size_t len;
	size_t room;
	bool unfolded;
};

static struct fold folds[2] = {
	{ .fd = STDOUT_FILENO }, { .fd = STDERR_FILENO },
};

#ifdef __GLIBC__
/* value of stdout before bpmu_fold_begin() replaced stdout; NULL if stdout was not replaced */
static FILE *fold_original;
#endif

/**
 * struct layout - state of folding one line into several lines
 * @out: stream to which the lines of at most @width columns are written
 * @width: width of the terminal in columns
 * @column: number of columns written so far to the current line of @out
 * @hang: indentation of the next line that is written to @out, in columns
 * @blanks: number of blanks to write before the next word
 * @folded: true if @out already has more than one line
 */
struct layout {
	FILE *out;
	unsigned int width;
	unsigned int column;
	unsigned int hang;
	unsigned int blanks;
	bool folded;
};

/*
 * Returns the length in bytes of what begins at @at: a character, or the escape sequence of a
 * colour. Sets *@columns to the number of columns that it takes on the terminal: 1 for a character,
 * 0 for an escape sequence.
 */
static size_t fold_step(const char *at, size_t len, unsigned int *columns)
{
	size_t n = 1;

	*columns = 1;
	if (at[0] == '\033' && len > 1 && at[1] == '[') {
		*columns = 0;
		for (n = 2; n < len && (at[n] < '@' || at[n] > '~'); n++)
			;
		return n < len ? n + 1 : n;
	}
	while (n < len && (at[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static unsigned int fold_columns(const char *text, size_t len)
{
	unsigned int columns, all = 0;
	size_t i;

	for (i = 0; i < len; i += fold_step(text + i, len - i, &columns), all += columns)
		;
	return all;
}

static size_t fold_blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] == ' ')
		n++;
	return n;
}

/* Returns the length in bytes of the word at the start of @text; words are separated by a blank. */
static size_t fold_word(const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);

	return blank ? (size_t)(blank - text) : len;
}

/*
 * Returns the length in bytes of the table cell at the start of @text; cells are separated by two
 * or more blanks.
 */
static size_t fold_cell(const char *text, size_t len)
{
	size_t n = fold_word(text, len);

	while (n + 1 < len && text[n + 1] != ' ')
		n += 1 + fold_word(text + n + 1, len - n - 1);
	return n;
}

static void fold_break(struct layout *l)
{
	putc('\n', l->out);
	l->column = 0;
	l->blanks = l->hang;
	l->folded = true;
}

static void fold_put_blanks(struct layout *l)
{
	fprintf(l->out, "%*s", (int)l->blanks, "");
	l->column += l->blanks;
	l->blanks = 0;
}

static void fold_put_word(struct layout *l, const char *word, size_t len)
{
	unsigned int columns = fold_columns(word, len);
	size_t i, n;

	if (l->column && l->column + l->blanks + columns > l->width)
		fold_break(l);
	fold_put_blanks(l);
	for (i = 0; i < len; i += n) {
		n = fold_step(word + i, len - i, &columns);
		if (l->column + columns > l->width) {
			fold_break(l);
			fold_put_blanks(l);
		}
		fwrite(word + i, 1, n, l->out);
		l->column += columns;
	}
}

static unsigned int fold_longest_word(const char *cell, size_t len)
{
	unsigned int columns, most = 0;
	size_t i, n;

	for (i = 0; i < len; i += n + 1) {
		n = fold_word(cell + i, len - i);
		columns = fold_columns(cell + i, n);
		if (columns > most)
			most = columns;
	}
	return most;
}

/*
 * Writes a table cell. A cell that fits into the current line is appended to it. If the cell does
 * not fit, but half of the line is free and has room for the cell's longest word, the cell gets
 * several lines, all of which begin in the same column. Any other cell begins a new line, which is
 * indented by @indent columns.
 */
static void fold_put_cell(struct layout *l, const char *cell, size_t len,
			  unsigned int indent)
{
	unsigned int start = l->column + l->blanks;
	size_t i, n;

	l->hang = indent;
	if (l->column && start + fold_columns(cell, len) > l->width) {
		if (start <= l->width / 2 &&
		    start + fold_longest_word(cell, len) <= l->width)
			l->hang = start;
		else
			fold_break(l);
	}
	for (i = 0; i < len; i += n + 1) {
		n = fold_word(cell + i, len - i);
		fold_put_word(l, cell + i, n);
		l->blanks = 1;
	}
	l->hang = indent;
}

/**
 * bpmu_fold_line() - divide a line into lines of the terminal's width (fold it)
 * @line: line without a newline, [@len]
 * @len: number of bytes of @line
 * @width: maximum width in columns
 *
 * @line may be a row of a table: two or more blanks separate cells, one blank separates words. A
 *	line of at most
 * @width columns is unchanged. A word that is wider than @width is cut.
 *
 * Return: the lines, NUL-terminated, without a newline after the last one, to be freed; NULL if
 * memory runs out.
 */
char *bpmu_fold_line(const char *line, size_t len, unsigned int width)
{
	struct layout l = { .width = width };
	size_t lead = fold_blanks(line, len);
	unsigned int indent;
	char *text = NULL;
	size_t size, i, n;
	bool row;

	if (fold_columns(line, len) <= width)
		return strndup(line, len);
	while (len > lead && line[len - 1] == ' ')
		len--;
	l.out = open_memstream(&text, &size);
	if (!l.out)
		return NULL;
	if (lead > width / 3)
		l.blanks = width / 3;
	else
		l.blanks = lead;
	row = lead < len && fold_cell(line + lead, len - lead) < len - lead;
	indent = l.blanks + (row ? FOLD_INDENT : 0);
	for (i = lead; i < len; i += n) {
		n = fold_cell(line + i, len - i);
		fold_put_cell(&l, line + i, n, indent);
		i += n;
		n = fold_blanks(line + i, len - i);
		l.blanks = l.folded ? 2 : n;
	}
	if (!fclose(l.out))
		return text;
	free(text);
	return NULL;
}

static unsigned int fold_width(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

static bool fold_write_all(int fd, const char *text, size_t len)
{
	ssize_t n;

	while (len) {
		n = write(fd, text, len);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
	return true;
}

/*
 * Folds the line that was collected in @fold->line. Writes it, and then @newline, to the terminal.
 * Returns false on an error.
 */
static bool fold_line_out(struct fold *fold, const char *newline)
{
	unsigned int width = fold_width(fold->fd);
	char *text = NULL;
	bool done;

	if (fold->len && !fold->unfolded && width >= FOLD_LEAST)
		text = bpmu_fold_line(fold->line, fold->len, width);
	done = text ? fold_write_all(fold->fd, text, strlen(text)) :
		      fold_write_all(fold->fd, fold->line, fold->len);
	free(text);
	fold->len = 0;
	return done && fold_write_all(fold->fd, newline, strlen(newline));
}

static bool fold_keep(struct fold *fold, const char *text, size_t len)
{
	char *grown;

	/* An empty line may be the first, when there is no memory to copy to. */
	if (!len)
		return true;
	if (fold->len + len > fold->room) {
		grown = realloc(fold->line, 2 * (fold->len + len));
		if (!grown)
			return false;
		fold->line = grown;
		fold->room = 2 * (fold->len + len);
	}
	memcpy(fold->line + fold->len, text, len);
	fold->len += len;
	return true;
}

static ssize_t fold_take(void *cookie, const char *text, size_t size)
{
	struct fold *fold = cookie;
	const char *end = text + size;
	const char *newline;

	while (text < end) {
		newline = memchr(text, '\n', end - text);
		if (!fold_keep(fold, text, (newline ?: end) - text))
			return 0;
		if (!newline)
			break;
		if (!fold_line_out(fold, "\n"))
			return 0;
		text = newline + 1;
	}
	return size;
}

static int fold_close(void *cookie)
{
	struct fold *fold = cookie;
	bool done = fold_line_out(fold, "");

	free(fold->line);
	*fold = (struct fold){ .fd = fold->fd, .unfolded = fold->unfolded };
	return done ? 0 : -1;
}

/*
 * Opens the stream @fold->out. @fold->out stays NULL if @fold->fd is no terminal of at least
 * FOLD_LEAST columns, or if memory runs out.
 */
static void fold_open(struct fold *fold)
{
	cookie_io_functions_t does = { .write = fold_take, .close = fold_close };

	if (fold->out || fold_width(fold->fd) < FOLD_LEAST)
		return;
	fold->out = fopencookie(fold, "w", does);
	if (fold->out)
		setvbuf(fold->out, NULL, _IOLBF, BUFSIZ);
}

/**
 * bpmu_fold_begin() - fold output to the width of the terminal
 *
 * Replaces stdout by a stream that folds lines. Nothing is done if standard output is no terminal,
 * or if the C library cannot replace stdout: a terminal then wraps lines itself.
 */
void bpmu_fold_begin(void)
{
#ifdef __GLIBC__
	fold_open(&folds[0]);
	if (!folds[0].out)
		return;
	fold_original = stdout;
	stdout = folds[0].out;
#endif
}

/**
 * bpmu_fold_stop() - stop folding lines, because further output is read by programs, such as CSV
 */
void bpmu_fold_stop(void)
{
	folds[0].unfolded = true;
	folds[1].unfolded = true;
}

/**
 * bpmu_fold_end() - end folding: restore standard output after bpmu_fold_begin()
 *
 * Return: 0, or -1 if output could not be written.
 */
int bpmu_fold_end(void)
{
#ifdef __GLIBC__
	int ret = 0;

	if (fold_original) {
		stdout = fold_original;
		fold_original = NULL;
		ret = ferror(folds[0].out) ? -1 : 0;
		ret |= fclose(folds[0].out);
	}
	return ret ? -1 : 0;
#else
	return 0;
#endif
}

/**
 * bpmu_fold_stderr() - the stream for errors: standard error, whose lines are folded on a terminal
 *
 * Return: a stream, not to be closed.
 */
FILE *bpmu_fold_stderr(void)
{
	fold_open(&folds[1]);
	return folds[1].out ?: stderr;
}

/**
 * bpmu_fold_width() - width of the terminal to which an output is folded
 * @out: a stream
 *
 * Return: number of columns; 0 if @out does not go to a terminal, or if its lines are not folded.
 */
unsigned int bpmu_fold_width(const FILE *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(folds); i++)
		if (folds[i].out == out && out && !folds[i].unfolded)
			return fold_width(folds[i].fd);
	return 0;
}

/**
 * bpmu_fold_is() - check if a stream folds lines, and so writes to a terminal
 *
 * isatty(fileno()) returns false for a stream that folds lines, because the stream has no file
 * descriptor.
 */
bool bpmu_fold_is(const FILE *out)
{
	return out && (out == folds[0].out || out == folds[1].out);
}
