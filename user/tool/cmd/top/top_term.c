// SPDX-License-Identifier: GPL-2.0
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include "top_term.h"

#include <errno.h>
#include <langinfo.h>
#include <ncurses.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ttydefaults.h>
#include <term.h>
#include <unistd.h>

/*
 * curses defines macros named lines and columns. They would replace the members of struct
 * bpmu_top_screen with these names.
 */
#undef lines
#undef columns

#include "base/array.h"
#include "base/library.h"
#include "fold.h"

/* time in ms after which an ESC is taken as a key, not as the start of an escape sequence */
#define ESCAPE_MS 25

/* numbers by which curses identifies pairs of colours (foreground and background) */
enum {
	PAIR_TITLE = 1,
	PAIR_FLAGGED,
	PAIR_HEAD
};

/* Lists of the functions and variables of ncurses that are used here. */
#define CURSES_FUNCTIONS(X) \
	X(cbreak) X(clearok) X(curs_set) X(del_curterm) X(delscreen) \
	X(doupdate) X(endwin) X(getmaxx) X(getmaxy) X(has_colors) X(init_pair) \
	X(keypad) X(newterm) X(nodelay) X(noecho) X(nonl) X(resizeterm) \
	X(set_escdelay) X(setcchar) X(setupterm) X(start_color) X(tigetstr) \
	X(use_default_colors) X(wadd_wch) X(werase) X(wget_wch) X(wmove) \
	X(wnoutrefresh)
#define CURSES_VARIABLES(X) X(cur_term) X(curscr) X(stdscr)

#define POINTER(name) __typeof__(name) *(name);

/*
 * Pointers to the functions and variables of ncurses that CURSES_FUNCTIONS and CURSES_VARIABLES
 * list. Each member has the name of its function or variable
 */
struct curses {
	CURSES_FUNCTIONS(POINTER)
	CURSES_VARIABLES(POINTER)
};

/*
 * Returns the functions of ncurses, or NULL if it is not installed. ncurses is loaded only when it
 * is needed. If the tool were linked with it (and with libtinfo, which it needs), every subcommand
 * would take a sixth longer to start.
 */
#ifndef BPMU_STATIC
#define ENTRY(name) { #name, offsetof(struct curses, name) },

static const struct curses *load(void)
{
	static const struct bpmu_library_function entries[] = {
		CURSES_FUNCTIONS(ENTRY)
		CURSES_VARIABLES(ENTRY)
	};
	static struct curses loaded;

	return bpmu_library_load("libncursesw.so.6", entries,
				 ARRAY_SIZE(entries), &loaded) ? &loaded : NULL;
}
#elif defined(BPMU_NO_CURSES)
static const struct curses *load(void)
{
	return NULL;
}
#else
#define ENTRY(name) .name = &name,

static const struct curses *load(void)
{
	static const struct curses linked = {
		CURSES_FUNCTIONS(ENTRY)
		CURSES_VARIABLES(ENTRY)
	};

	return &linked;
}
#endif

/* functions of ncurses; NULL before bpmu_top_term_usable() has loaded the library */
static const struct curses *curses;
static SCREEN *terminal;

/**
 * bpmu_top_term_usable() - check if there is a terminal that can show the live view
 *
 * Return: true if standard input and output are a terminal whose cursor can be moved, and ncurses
 * is installed.
 */
bool bpmu_top_term_usable(void)
{
	const char *name = getenv("TERM");
	const char *move;
	int status;
	bool usable;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !name || !*name)
		return false;
	curses = curses ?: load();
	if (!curses || curses->setupterm(name, STDOUT_FILENO, &status) != OK)
		return false;
	move = curses->tigetstr("cup");
	usable = move && move != (char *)-1;
	curses->del_curterm(*curses->cur_term);
	return usable;
}

static void choose_colours(void)
{
	const char *none = getenv("NO_COLOR");

	if ((none && *none) || !curses->has_colors())
		return;
	curses->start_color();
	curses->use_default_colors();
	curses->init_pair(PAIR_TITLE, COLOR_CYAN, -1);
	curses->init_pair(PAIR_FLAGGED, COLOR_RED, -1);
	curses->init_pair(PAIR_HEAD, COLOR_GREEN, -1);
}

/**
 * bpmu_top_term_open() - take over the terminal by curses
 *
 * bpmu_top_term_usable() must have returned true. Before the next call, bpmu_top_term_close() must
 * have been called.
 *
 * Return: 0 or -ENOTTY.
 */
int bpmu_top_term_open(struct bpmu_error *err)
{
	/*
	 * curses needs the file descriptor of stdout. bpmu_fold_begin() has replaced stdout by a
	 * stream that has no descriptor; bpmu_fold_end() restores stdout.
	 */
	bpmu_fold_end();
	terminal = curses->newterm(NULL, stdout, stdin);
	if (!terminal)
		return bpmu_error_set(err, -ENOTTY,
				      "terminal: not usable; set TERM, or send the output through a pipe for plain lines");
	curses->cbreak();
	curses->noecho();
	curses->nonl();
	curses->keypad(*curses->stdscr, TRUE);
	curses->nodelay(*curses->stdscr, TRUE);
	curses->set_escdelay(ESCAPE_MS);
	curses->curs_set(0);
	choose_colours();
	return 0;
}

/**
 * bpmu_top_term_close() - restore the terminal after curses
 */
void bpmu_top_term_close(void)
{
	if (!terminal)
		return;
	curses->endwin();
	curses->delscreen(terminal);
	terminal = NULL;
}

/**
 * bpmu_top_term_resize() - read the new size of the terminal
 *
 * bpmu_top_term_key() then returns %BPMU_TOP_REDRAW.
 */
void bpmu_top_term_resize(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row ||
	    !size.ws_col)
		return;
	curses->resizeterm(size.ws_row, size.ws_col);
	/*
	 * All cells are to be drawn again: the terminal may have moved lines when the user resized
	 * it.
	 */
	curses->clearok(*curses->curscr, TRUE);
}

/**
 * bpmu_top_term_size() - current size of the terminal
 * @lines: output: height
 * @columns: output: width
 */
void bpmu_top_term_size(int *lines, int *columns)
{
	*lines = curses->getmaxy(*curses->stdscr);
	*columns = curses->getmaxx(*curses->stdscr);
}

/**
 * bpmu_top_term_wide() - check if the terminal shows characters beyond ASCII
 *
 * setlocale() must have been called before.
 *
 * Return: true in a UTF-8 locale.
 */
bool bpmu_top_term_wide(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/*
 * Sets *@attributes to the attributes of curses, such as bold, and *@pair to the pair of colours
 * for the look of a cell, such as that of a title. The pair is 0 on a terminal without colours.
 */
static void look_attributes(enum bpmu_top_look look, attr_t *attributes, short *pair)
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
 * bpmu_top_term_show() - show a screen on the terminal
 * @screen: the screen; only cells that have changed since the last call are sent
 */
void bpmu_top_term_show(const struct bpmu_top_screen *screen)
{
	const struct bpmu_top_cell *cell = screen->cell;
	wchar_t text[2] = { };
	attr_t attributes;
	int line, column;
	cchar_t sign;
	short pair;

	curses->werase(*curses->stdscr);
	for (line = 0; line < screen->lines; line++) {
		for (column = 0; column < screen->columns; column++, cell++) {
			text[0] = cell->ch;
			look_attributes(cell->look, &attributes, &pair);
			curses->setcchar(&sign, text, attributes, pair, NULL);
			if (curses->wmove(*curses->stdscr, line, column) == OK)
				curses->wadd_wch(*curses->stdscr, &sign);
		}
	}
	curses->wnoutrefresh(*curses->stdscr);
	curses->doupdate();
}

static enum bpmu_top_key key_of_function_key(wint_t code)
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

static enum bpmu_top_key key_of_letter(wint_t code)
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
 * bpmu_top_term_key() - read a key of the terminal, without waiting for one
 *
 * Ctrl-L is handled here: the whole terminal is drawn again.
 *
 * Return: the key, or %BPMU_TOP_NOTHING if there is none.
 */
enum bpmu_top_key bpmu_top_term_key(void)
{
	wint_t code;
	int found = curses->wget_wch(*curses->stdscr, &code);

	if (found == ERR)
		return BPMU_TOP_NOTHING;
	if (found == KEY_CODE_YES)
		return key_of_function_key(code);
	if (code != CTRL('L'))
		return key_of_letter(code);
	curses->clearok(*curses->curscr, TRUE);
	return BPMU_TOP_REDRAW;
}
