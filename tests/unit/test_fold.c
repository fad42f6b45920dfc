// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the folding of lines for narrow terminals: a long line of a table is broken between
 * words, and continues below in the same column.
 */

#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fold.h"
#include "unit.h"

static void fold_check(const char *line, unsigned int width, const char *want)
{
	char *text = bpmu_fold_line(line, strlen(line), width);

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
}

TEST(a_line_that_fits_is_not_changed)
{
	fold_check("", 20, "");
	fold_check("a line of 20 columns", 20, "a line of 20 columns");
	fold_check("  name        value ", 20, "  name        value ");
	/* The euro sign has three bytes and one column; a colour sequence has no columns. */
	fold_check("a line of 20 \342\202\254olumns", 20,
		   "a line of 20 \342\202\254olumns");
	fold_check("a line of 20 \033[1;31mcolumns\033[0m", 20,
		   "a line of 20 \033[1;31mcolumns\033[0m");
}

TEST(a_long_line_is_folded_between_words)
{
	fold_check("a sentence that has 32 columns x", 20,
		   "a sentence that has\n32 columns x");
	fold_check("  a paragraph begins further in", 20,
		   "  a paragraph begins\n  further in");
	fold_check("a_word_of_more_than_twenty_columns", 20,
		   "a_word_of_more_than_\ntwenty_columns");
	fold_check("see a_word_of_more_than_20_columns", 20,
		   "see\na_word_of_more_than_\n20_columns");
	fold_check("21 columns of \033[1;31mred-red\033[0m", 20,
		   "21 columns of\n\033[1;31mred-red\033[0m");
}

TEST(a_long_last_cell_is_folded_in_its_column)
{
	/* The last column has more than half of the width: its words continue in that column. */
	fold_check("  name   words of a description", 20,
		   "  name   words of a\n         description");
	/*
	 * The last column has less than half of the width, or a word is too long for it: its words
	 * continue near the left edge.
	 */
	fold_check("  a long name   words of a description", 20,
		   "  a long name\n      words of a\n      description");
	fold_check("  name   a,word,of,16,columns", 20,
		   "  name\n      a,word,of,16,c\n      olumns");
	/*
	 * If a cell does not fit into the line, the cells behind it are no longer aligned in
	 * columns.
	 */
	fold_check("  name     12.5 %          <==    (flag)", 20,
		   "  name     12.5 %\n      <==  (flag)");
	/* Blanks at the end of a line are dropped. */
	fold_check("  name     12345678901          ", 20,
		   "  name\n      12345678901");
	fold_check("                                  far", 20,
		   "      far");
	fold_check("                              ", 20, "");
}

static bool have_width(int terminal)
{
	FILE *original = stdout, *error = bpmu_fold_stderr();
	bool same;

	(void)terminal;
	bpmu_fold_begin();
	same = bpmu_fold_width(stdout) == 40 && bpmu_fold_width(error) == 40 &&
	       !bpmu_fold_width(original) && !bpmu_fold_width(NULL);
	bpmu_fold_stop();
	return same && !bpmu_fold_width(stdout) && !bpmu_fold_width(error) && !bpmu_fold_end();
}

static bool tell_of_loss(int terminal)
{
	bpmu_fold_begin();
	fputs("a line without an end", stdout);
	close(terminal);
	return bpmu_fold_end() == -1;
}

/*
 * Closes the terminal's end for output. Returns true if it got @wanted, in which each line ends by a
 * carriage return, too.
 */
static bool shows(int terminal, const char *wanted)
{
	char got[512] = "";
	size_t length = 0;
	ssize_t n;

	close(1);
	close(2);
	do {
		n = read(terminal, got + length, sizeof(got) - 1 - length);
		length += n > 0 ? n : 0;
	} while (n > 0);
	return !strcmp(got, wanted);
}

static void print_lines(void)
{
	fputs("\nthese words have in all 46 columns on the line\nshort\n", stdout);
	fputs("this line is printed in parts, ", stdout);
	fputs("and it is folded as one\n", stdout);
}

static bool fold_lines(int terminal)
{
	FILE *original = stdout;

	bpmu_fold_begin();
	if (stdout == original || !bpmu_fold_is(stdout) || bpmu_fold_is(original) ||
	    bpmu_fold_is(NULL))
		return false;
	print_lines();
	fputs("an end without a newline, which is folded", stdout);
	return !bpmu_fold_end() && stdout == original &&
	       shows(terminal, "\r\nthese words have in all 46 columns on\r\nthe line\r\nshort\r\n"
		     "this line is printed in parts, and it is\r\nfolded as one\r\n"
		     "an end without a newline, which is\r\nfolded");
}

/* Errors are folded into lines of their own. */
static bool fold_errors(int terminal)
{
	FILE *error = bpmu_fold_stderr();

	fputs("these words have in all 46 columns on the line\n", error);
	return error != stderr && error == bpmu_fold_stderr() && bpmu_fold_is(error) &&
	       shows(terminal, "these words have in all 46 columns on\r\nthe line\r\n");
}

static bool leave_csv(int terminal)
{
	bpmu_fold_begin();
	bpmu_fold_stop();
	fputs("these words have in all 46 columns on the line\n", stdout);
	return !bpmu_fold_end() && shows(terminal, "these words have in all 46 columns on the line\r\n");
}

/* A terminal that is too narrow to fold for wraps lines itself. */
static bool leave_narrow(int terminal)
{
	FILE *original = stdout;

	(void)terminal;
	bpmu_fold_begin();
	return stdout == original && bpmu_fold_stderr() == stderr && !bpmu_fold_is(stdout) &&
	       !bpmu_fold_width(stdout) && !bpmu_fold_end();
}

static bool take_narrowest(int terminal)
{
	(void)terminal;
	bpmu_fold_begin();
	return bpmu_fold_width(stdout) == 20 && !bpmu_fold_end();
}

/*
 * Returns true if @check does, in a process of its own whose output goes to a terminal of @columns.
 * The other end of the terminal is passed to @check.
 */
static bool on_terminal(bool (*check)(int terminal), unsigned int columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	int terminal, output, status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (openpty(&terminal, &output, NULL, NULL, &size) || dup2(output, 1) < 0 ||
		    dup2(output, 2) < 0)
			_exit(2);
		close(output);
		_exit(!check(terminal));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

TEST(output_and_errors_have_the_width_of_the_terminal)
{
	assert_true(on_terminal(have_width, 40));
}

TEST(output_is_not_lost_without_a_word_when_the_terminal_goes)
{
	assert_true(on_terminal(tell_of_loss, 40));
}

TEST(lines_are_folded_on_a_terminal)
{
	assert_true(on_terminal(fold_lines, 40));
	assert_true(on_terminal(fold_errors, 40));
	assert_true(on_terminal(leave_csv, 40));
}

TEST(a_narrow_terminal_gets_lines_as_they_are)
{
	assert_true(on_terminal(take_narrowest, 20));
	assert_true(on_terminal(leave_narrow, 19));
}

TEST(colours_have_no_columns)
{
	/* A cut word does not end within a sequence, nor within a character. */
	fold_check("\033[1;31maaaaaaaaaabbbbbbbbbb\033[0m\342\202\254c", 20,
		   "\033[1;31maaaaaaaaaabbbbbbbbbb\033[0m\n\342\202\254c");
	/* A sequence that does not end, and what is none. */
	fold_check("aaaaaaaaaabbbbbbbbbbc \033[1;31", 20, "aaaaaaaaaabbbbbbbbbb\nc \033[1;31");
	fold_check("aaaaaaaaaabbbbbbbbb\033(c", 20, "aaaaaaaaaabbbbbbbbb\033\n(c");
}

/* Half of the width is the last column in which words continue below the cell's first. */
TEST(a_cell_that_begins_in_the_middle_is_folded_there)
{
	fold_check("  cell    words of cells", 20, "  cell    words of\n          cells");
	fold_check("  cells    words of it", 20, "  cells\n      words of it");
	fold_check("  cell    words of_cells_", 20, "  cell    words\n          of_cells_");
	fold_check("  cell    words of_cells_1", 20, "  cell    words\n          of_cells_1");
	fold_check("  cell    words of_cells_10", 20, "  cell\n      words\n      of_cells_10");
	/* A line that begins after a third of the width begins there. */
	fold_check("      a paragraph of words", 20, "      a paragraph of\n      words");
	fold_check("       a paragraph of words", 20, "      a paragraph of\n      words");
}
