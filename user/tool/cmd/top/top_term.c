// SPDX-License-Identifier: GPL-2.0
#define NCURSES_WIDECHAR 1

#include <errno.h>
#include <langinfo.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

/* curses has a word for it that a struct of ours uses too */
#undef lines
#undef columns

#include "top_term.h"

/* a lone Escape is known to be one after so long */
#define ESCAPE_MS 25

/* pairs of colours */
enum {
	PAIR_TITLE = 1,
	PAIR_FLAGGED,
	PAIR_HEAD
};

static SCREEN *terminal;

/**
 * bpmu_top_term_usable() - is there a terminal that can show a screen
 *
 * Context: process.
 * Return: whether standard input and output are one, and it is known how to
 * move its cursor.
 */
bool bpmu_top_term_usable(void)
{
	const char *name = getenv("TERM");
	const char *move;
	int status;
	bool usable;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !name || !*name)
		return false;
	if (setupterm(name, STDOUT_FILENO, &status) != OK)
		return false;
	move = tigetstr("cup");
	usable = move && move != (char *)-1;
	del_curterm(cur_term);
	return usable;
}

static void choose_colours(void)
{
	const char *none = getenv("NO_COLOR");

	if ((none && *none) || !has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(PAIR_TITLE, COLOR_CYAN, -1);
	init_pair(PAIR_FLAGGED, COLOR_RED, -1);
	init_pair(PAIR_HEAD, COLOR_GREEN, -1);
}

/**
 * bpmu_top_term_open() - take the terminal
 * @err: set on failure
 *
 * Context: process, once at a time.
 * Return: 0 or -ENOTTY.
 */
int bpmu_top_term_open(struct bpmu_error *err)
{
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return bpmu_error_set(err, -ENOTTY,
				      "terminal: not usable; set TERM, or send the output through a pipe for plain lines");
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	choose_colours();
	return 0;
}

/**
 * bpmu_top_term_close() - give the terminal back as it was
 *
 * Context: process.
 */
void bpmu_top_term_close(void)
{
	if (!terminal)
		return;
	endwin();
	delscreen(terminal);
	terminal = NULL;
}

/**
 * bpmu_top_term_resize() - look how large it has become
 *
 * Context: process; %BPMU_TOP_REDRAW is the next key.
 */
void bpmu_top_term_resize(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row ||
	    !size.ws_col)
		return;
	resizeterm(size.ws_row, size.ws_col);
	/* what became of the old lines only the terminal knows */
	clearok(curscr, TRUE);
}

/**
 * bpmu_top_term_size() - how large it is now
 * @lines: set to its height
 * @columns: set to its width
 *
 * Context: process.
 */
void bpmu_top_term_size(int *lines, int *columns)
{
	getmaxyx(stdscr, *lines, *columns);
}

/**
 * bpmu_top_term_wide() - does it show more than ASCII
 *
 * Context: process, the locale is set.
 * Return: whether the locale is one of UTF-8.
 */
bool bpmu_top_term_wide(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* where there are no colours the others have to do */
static void look(enum bpmu_top_look look, attr_t *attributes, short *pair)
{
	static const struct {
		attr_t attributes;
		short pair;
	} looks[] = {
		[BPMU_TOP_PLAIN] = { A_NORMAL, 0 },
		[BPMU_TOP_TITLE] = { A_BOLD, PAIR_TITLE },
		[BPMU_TOP_HEAD] = { A_UNDERLINE, PAIR_HEAD },
		[BPMU_TOP_CHOSEN] = { A_BOLD | A_UNDERLINE, PAIR_HEAD },
		[BPMU_TOP_FLAGGED] = { A_BOLD, PAIR_FLAGGED },
		[BPMU_TOP_CURSOR] = { A_REVERSE, 0 },
		[BPMU_TOP_QUIET] = { A_DIM, 0 },
	};

	*attributes = looks[look].attributes;
	*pair = looks[look].pair;
}

/**
 * bpmu_top_term_show() - a screen
 * @screen: what is to be seen; only what has changed is sent
 *
 * Context: process.
 */
void bpmu_top_term_show(const struct bpmu_top_screen *screen)
{
	const struct bpmu_top_cell *cell = screen->cell;
	wchar_t text[2] = { };
	attr_t attributes;
	int line, column;
	cchar_t sign;
	short pair;

	werase(stdscr);
	for (line = 0; line < screen->lines; line++) {
		for (column = 0; column < screen->columns; column++, cell++) {
			text[0] = cell->ch;
			look(cell->look, &attributes, &pair);
			setcchar(&sign, text, attributes, pair, NULL);
			mvwadd_wch(stdscr, line, column, &sign);
		}
	}
	wnoutrefresh(stdscr);
	doupdate();
}

static enum bpmu_top_key special(wint_t code)
{
	switch (code) {
	case KEY_UP:
		return BPMU_TOP_UP;
	case KEY_DOWN:
		return BPMU_TOP_DOWN;
	case KEY_RIGHT:
	case KEY_ENTER:
		return BPMU_TOP_RIGHT;
	case KEY_LEFT:
		return BPMU_TOP_LEFT;
	case KEY_HOME:
		return BPMU_TOP_HOME;
	case KEY_END:
		return BPMU_TOP_END;
	case KEY_PPAGE:
		return BPMU_TOP_PAGE_UP;
	case KEY_NPAGE:
		return BPMU_TOP_PAGE_DOWN;
	case KEY_F(1):
		return BPMU_TOP_HELP;
	case KEY_RESIZE:
		return BPMU_TOP_REDRAW;
	}
	return BPMU_TOP_OTHER;
}

static enum bpmu_top_key letter(wint_t code)
{
	static const struct {
		wint_t letter;
		enum bpmu_top_key key;
	} letters[] = {
		{ 'k', BPMU_TOP_UP }, { 'j', BPMU_TOP_DOWN },
		{ 'l', BPMU_TOP_RIGHT }, { '\r', BPMU_TOP_RIGHT },
		{ 'h', BPMU_TOP_LEFT }, { '<', BPMU_TOP_SORT_LEFT },
		{ '>', BPMU_TOP_SORT_RIGHT }, { 'r', BPMU_TOP_REVERSE },
		{ 'c', BPMU_TOP_ROWS }, { 'a', BPMU_TOP_FOLLOW },
		{ ' ', BPMU_TOP_FREEZE }, { '+', BPMU_TOP_LONGER },
		{ '-', BPMU_TOP_SHORTER }, { '?', BPMU_TOP_HELP },
		{ '\t', BPMU_TOP_SECTION }, { 'q', BPMU_TOP_QUIT },
	};
	size_t i;

	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (letters[i].letter == code)
			return letters[i].key;
	return BPMU_TOP_OTHER;
}

/**
 * bpmu_top_term_key() - the next key
 *
 * What others wrote over the screen goes away with Ctrl-L.
 *
 * Context: process; does not wait.
 * Return: the key, %BPMU_TOP_NOTHING if there is none any more.
 */
enum bpmu_top_key bpmu_top_term_key(void)
{
	wint_t code;
	int kind = wget_wch(stdscr, &code);

	if (kind == ERR)
		return BPMU_TOP_NOTHING;
	if (kind == KEY_CODE_YES)
		return special(code);
	if (code != CTRL('L'))
		return letter(code);
	clearok(curscr, TRUE);
	return BPMU_TOP_REDRAW;
}
