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
 * Returns true if @check does, in a process of its own whose output goes to a terminal of 40
 * columns. The other end of the terminal is passed to @check.
 */
static bool on_terminal(bool (*check)(int terminal))
{
	struct winsize size = { .ws_row = 24, .ws_col = 40 };
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
	assert_true(on_terminal(have_width));
}

TEST(output_is_not_lost_without_a_word_when_the_terminal_goes)
{
	assert_true(on_terminal(tell_of_loss));
}
