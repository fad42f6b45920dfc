// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the terminal of "barepmu top": a pseudo terminal has the keys that are typed, and what is
 * sent to it is put on a screen as xterm does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/top/top_console.h"
#include "cmd/top/top_term.h"
#include "unit.h"

#define LINES 6
#define COLUMNS 20
#define LINES_MOST 8
#define COLUMNS_MOST 30

/* time in ms that no test takes */
#define FOREVER 60000

/* text that ends what has been sent so far */
#define MARK "\001mark\001"

#define BOLD (1 << 1)
#define DIM (1 << 2)
#define UNDERLINE (1 << 4)
#define REVERSE (1 << 7)
#define COLOUR(nr) ((nr) << 8)
#define RED COLOUR(31)
#define GREEN COLOUR(32)
#define CYAN COLOUR(36)

/* the screen of the terminal: what it shows, and how */
static char seen[LINES_MOST][COLUMNS_MOST + 1];
static unsigned int look[LINES_MOST][COLUMNS_MOST];
static int at_line, at_column;
static unsigned int pen;

/* bytes that were sent to the terminal since the latest sent() */
static char bytes[65536];

static int master, before[2];
static sigset_t mask;
static struct bpmu_error err;

const char *__lsan_default_suppressions(void);

/* ncurses keeps what it allocates before it has a screen. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtinfo";
}

static void set_size(unsigned int lines, unsigned int columns)
{
	const struct winsize size = { .ws_row = lines, .ws_col = columns };

	assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
}

/* Makes a pseudo terminal the standard input and output. */
TEST_FIXTURE(attach)
{
	int slave, i;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	memset(seen, ' ', sizeof(seen));
	memset(look, 0, sizeof(look));
	at_line = 0;
	at_column = 0;
	pen = 0;
	master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return -1;
	set_size(LINES, COLUMNS);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0)
		return -1;
	fflush(stdout);
	for (i = 0; i < 2; i++) {
		before[i] = dup(i);
		dup2(slave, i);
	}
	close(slave);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	return 0;
}

TEST_FIXTURE(detach)
{
	int i;

	bpmu_top_term_close();
	fflush(stdout);
	for (i = 0; i < 2; i++) {
		dup2(before[i], i);
		close(before[i]);
	}
	if (master >= 0)
		close(master);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return 0;
}

#define ON_TERMINAL(name) TEST_BETWEEN(name, attach, detach)

static void clear(int line, int from, int to)
{
	for (; from < to; from++) {
		seen[line][from] = ' ';
		look[line][from] = 0;
	}
}

static void change_pen(unsigned int number)
{
	if (!number)
		pen = 0;
	else if (number == 39)
		pen &= 0xff;
	else if (number >= 30 && number < 38)
		pen = (pen & 0xff) | COLOUR(number);
	else if (number < 8)
		pen |= 1 << number;
	else if (number == 22)
		pen &= ~(BOLD | DIM);
	else if (number == 24 || number == 27)
		pen &= ~(1 << (number - 20));
}

static void put(char ch)
{
	assert_true(at_line < LINES_MOST && at_column < COLUMNS_MOST);
	seen[at_line][at_column] = ch;
	look[at_line][at_column++] = pen;
}

/* Does what a control sequence "ESC [ NUMBERS @what" says. */
static void control(char what, const unsigned int number[8], unsigned int nr)
{
	int times = number[0] ?: 1;
	unsigned int i;
	int line;

	switch (what) {
	case 'm':
		for (i = 0; i < nr; i++)
			change_pen(number[i]);
		break;
	case 'H':
		at_line = times - 1;
		at_column = (number[1] ?: 1) - 1;
		break;
	case 'd':
		at_line = times - 1;
		break;
	case 'G':
		at_column = times - 1;
		break;
	case 'A':
		at_line -= times;
		break;
	case 'B':
		at_line += times;
		break;
	case 'C':
		at_column += times;
		break;
	case 'D':
		at_column -= times;
		break;
	case 'X':
		clear(at_line, at_column, at_column + times);
		break;
	case 'K':
		clear(at_line, number[0] == 1 ? 0 : at_column,
		      number[0] == 1 ? at_column + 1 : COLUMNS_MOST);
		break;
	case 'J':
		for (line = number[0] == 2 ? 0 : at_line + 1; line < LINES_MOST; line++)
			clear(line, 0, COLUMNS_MOST);
		if (!number[0])
			clear(at_line, at_column, COLUMNS_MOST);
		break;
	case 'b':
		for (; times; times--)
			put(seen[at_line][at_column - 1]);
		break;
	}
}

/* Puts what was sent on the screen. */
static void interpret(const char *text)
{
	unsigned int number[8], nr;

	for (; *text; text++) {
		if (!strncmp(text, "\033[", 2)) {
			memset(number, 0, sizeof(number));
			nr = 1;
			for (text += 2; *text && strchr("?;0123456789", *text); text++)
				if (*text == ';')
					nr++;
				else if (*text != '?')
					number[nr - 1] = 10 * number[nr - 1] + *text - '0';
			control(*text, number, nr);
		} else if (*text == '\033') {
			text += text[1] == '(' || text[1] == ')' ? 2 : 1;
		} else if (*text == '\r') {
			at_column = 0;
		} else if (*text == '\n') {
			at_line++;
		} else if (*text == '\b') {
			at_column--;
		} else if ((unsigned char)*text >= ' ') {
			put(*text);
		}
	}
}

/* Returns what was sent to the terminal since the last call, after it has appeared on the screen. */
static const char *sent(void)
{
	struct pollfd wait = { .fd = master, .events = POLLIN };
	size_t size = 0;
	ssize_t got;
	char *mark;

	assert_int_equal(write(STDOUT_FILENO, MARK, strlen(MARK)), strlen(MARK));
	bytes[0] = '\0';
	while (!(mark = strstr(bytes, MARK))) {
		assert_int_equal(poll(&wait, 1, FOREVER), 1);
		got = read(master, bytes + size, sizeof(bytes) - 1 - size);
		assert_true(got > 0);
		size += got;
		bytes[size] = '\0';
	}
	*mark = '\0';
	interpret(bytes);
	return bytes;
}

static enum bpmu_top_key type(const char *keys)
{
	struct pollfd wait = { .fd = STDIN_FILENO, .events = POLLIN };

	assert_int_equal(write(master, keys, strlen(keys)), strlen(keys));
	assert_int_equal(poll(&wait, 1, FOREVER), 1);
	return bpmu_top_term_key();
}

static void open_terminal(void)
{
	assert_true(bpmu_top_term_usable());
	if (bpmu_top_term_open(&err))
		fail_msg("%s", err.text);
}

static void make_screen(struct bpmu_top_screen *screen)
{
	memset(screen, 0, sizeof(*screen));
	assert_int_equal(bpmu_top_screen_resize(screen, LINES, COLUMNS, &err), 0);
	bpmu_top_put(screen, 0, 0, BPMU_TOP_TITLE, "Title");
	bpmu_top_put(screen, 1, 2, BPMU_TOP_HEAD, "head");
	bpmu_top_put(screen, 2, 0, BPMU_TOP_CHOSEN, "chosen");
	bpmu_top_put(screen, 2, 10, BPMU_TOP_PLAIN, "plain");
	bpmu_top_put(screen, 3, 1, BPMU_TOP_FLAGGED, "flagged");
	bpmu_top_put(screen, 4, 3, BPMU_TOP_CURSOR, "cursor");
	bpmu_top_put(screen, 5, 4, BPMU_TOP_QUIET, "quiet");
}

static void shows(int line, const char *text)
{
	if (strncmp(seen[line], text, strlen(text)))
		fail_msg("line %d is '%.*s', not '%s'", line, COLUMNS, seen[line], text);
}

ON_TERMINAL(each_cell_has_its_place_and_look)
{
	struct bpmu_top_screen screen;

	open_terminal();
	make_screen(&screen);
	bpmu_top_term_show(&screen);
	sent();
	shows(0, "Title               ");
	shows(1, "  head              ");
	shows(2, "chosen    plain     ");
	shows(3, " flagged            ");
	shows(4, "   cursor           ");
	shows(5, "    quiet           ");
	assert_int_equal(look[0][0], BOLD | CYAN);
	assert_int_equal(look[0][4], BOLD | CYAN);
	assert_int_equal(look[1][2], UNDERLINE | GREEN);
	assert_int_equal(look[2][0], BOLD | UNDERLINE | GREEN);
	assert_int_equal(look[2][10], 0);
	assert_int_equal(look[3][1], BOLD | RED);
	assert_int_equal(look[4][3], REVERSE);
	assert_int_equal(look[5][4], DIM);
	bpmu_top_screen_free(&screen);
}

ON_TERMINAL(colours_are_left_out_if_the_user_wants_none)
{
	struct bpmu_top_screen screen;

	setenv("NO_COLOR", "1", 1);
	open_terminal();
	make_screen(&screen);
	bpmu_top_term_show(&screen);
	sent();
	assert_int_equal(look[0][0], BOLD);
	assert_int_equal(look[3][1], BOLD);
	bpmu_top_term_close();
	setenv("NO_COLOR", "", 1);
	open_terminal();
	bpmu_top_term_show(&screen);
	sent();
	assert_int_equal(look[3][1], BOLD | RED);
	bpmu_top_screen_free(&screen);
}

ON_TERMINAL(only_changes_are_sent_until_all_is_to_be_drawn_again)
{
	struct bpmu_top_screen screen;

	open_terminal();
	make_screen(&screen);
	bpmu_top_term_show(&screen);
	sent();
	bpmu_top_put(&screen, 5, 15, BPMU_TOP_PLAIN, "new");
	bpmu_top_term_show(&screen);
	assert_null(strstr(sent(), "Title"));
	shows(5, "    quiet      new  ");
	assert_int_equal(type("\f"), BPMU_TOP_REDRAW);
	bpmu_top_term_show(&screen);
	assert_non_null(strstr(sent(), "Title"));
	/* What the screen has not any more, the terminal has not. */
	bpmu_top_put(&screen, 0, 0, BPMU_TOP_PLAIN, "     ");
	bpmu_top_term_show(&screen);
	sent();
	shows(0, "                    ");
	assert_int_equal(bpmu_top_screen_resize(&screen, LINES - 1, COLUMNS, &err), 0);
	bpmu_top_term_show(&screen);
	sent();
	shows(LINES - 1, "                    ");
	bpmu_top_screen_free(&screen);
}

ON_TERMINAL(each_key_has_its_meaning)
{
	static const struct {
		const char *typed;
		enum bpmu_top_key key;
	} keys[] = {
		{ "k", BPMU_TOP_UP }, { "j", BPMU_TOP_DOWN }, { "l", BPMU_TOP_RIGHT },
		{ "\r", BPMU_TOP_RIGHT }, { "h", BPMU_TOP_LEFT }, { "<", BPMU_TOP_SORT_LEFT },
		{ ">", BPMU_TOP_SORT_RIGHT }, { "r", BPMU_TOP_REVERSE }, { "c", BPMU_TOP_ROWS },
		{ "a", BPMU_TOP_FOLLOW }, { " ", BPMU_TOP_FREEZE }, { "+", BPMU_TOP_LONGER },
		{ "-", BPMU_TOP_SHORTER }, { "?", BPMU_TOP_HELP }, { "\t", BPMU_TOP_SECTION },
		{ "q", BPMU_TOP_QUIT }, { "z", BPMU_TOP_OTHER }, { "\n", BPMU_TOP_OTHER },
		{ "\033OA", BPMU_TOP_UP }, { "\033OB", BPMU_TOP_DOWN },
		{ "\033OC", BPMU_TOP_RIGHT }, { "\033OM", BPMU_TOP_RIGHT },
		{ "\033OD", BPMU_TOP_LEFT }, { "\033OH", BPMU_TOP_HOME },
		{ "\033OF", BPMU_TOP_END }, { "\033[5~", BPMU_TOP_PAGE_UP },
		{ "\033[6~", BPMU_TOP_PAGE_DOWN }, { "\033OP", BPMU_TOP_HELP },
		{ "\033OQ", BPMU_TOP_OTHER }, { "\033", BPMU_TOP_OTHER },
	};
	unsigned int i;

	open_terminal();
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_NOTHING);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (type(keys[i].typed) != keys[i].key)
			fail_msg("key %u has another meaning", i);
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_NOTHING);
	/* Keys that have been typed together are read one by one, and not shown. */
	assert_int_equal(type("kjq"), BPMU_TOP_UP);
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_DOWN);
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_QUIT);
	assert_null(strpbrk(sent(), "kjq"));
}

ON_TERMINAL(a_resized_terminal_is_drawn_again)
{
	struct bpmu_top_screen screen;
	int lines, columns;

	open_terminal();
	make_screen(&screen);
	bpmu_top_term_show(&screen);
	sent();
	bpmu_top_term_size(&lines, &columns);
	assert_int_equal(lines, LINES);
	assert_int_equal(columns, COLUMNS);
	set_size(8, 30);
	bpmu_top_term_resize();
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_REDRAW);
	bpmu_top_term_size(&lines, &columns);
	assert_int_equal(lines, 8);
	assert_int_equal(columns, 30);
	bpmu_top_term_show(&screen);
	assert_non_null(strstr(sent(), "Title"));
	/* A terminal without a size keeps the one that it had. */
	set_size(0, 30);
	bpmu_top_term_resize();
	set_size(8, 0);
	bpmu_top_term_resize();
	bpmu_top_term_size(&lines, &columns);
	assert_int_equal(lines, 8);
	assert_int_equal(columns, 30);
	bpmu_top_screen_free(&screen);
}

ON_TERMINAL(the_terminal_is_afterwards_as_before)
{
	struct termios first, while_open, last;
	const char *text;

	tcgetattr(STDIN_FILENO, &first);
	open_terminal();
	tcgetattr(STDIN_FILENO, &while_open);
	assert_false(while_open.c_lflag & (ICANON | ECHO));
	assert_true(while_open.c_lflag & ISIG);
	assert_false(while_open.c_iflag & ICRNL);
	/* cursor off, and the other screen of xterm */
	text = sent();
	assert_non_null(strstr(text, "\033[?25l"));
	assert_non_null(strstr(text, "\033[?1049h"));
	bpmu_top_term_close();
	bpmu_top_term_close();
	tcgetattr(STDIN_FILENO, &last);
	assert_int_equal(last.c_lflag, first.c_lflag);
	assert_int_equal(last.c_iflag, first.c_iflag);
	assert_int_equal(last.c_oflag, first.c_oflag);
	text = sent();
	assert_non_null(strstr(text, "\033[?1049l"));
	assert_non_null(strstr(text, "\033[?25h") ?: strstr(text, "\033[?12l\033[?25h"));
}

ON_TERMINAL(a_terminal_is_usable_if_its_cursor_can_be_moved)
{
	static const char *const names[] = { "dumb", "no-such-terminal", "" };
	int null = open("/dev/null", O_RDWR), kept;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		setenv("TERM", names[i], 1);
		assert_false(bpmu_top_term_usable());
	}
	unsetenv("TERM");
	assert_false(bpmu_top_term_usable());
	setenv("TERM", "vt100", 1);
	assert_true(bpmu_top_term_usable());
	for (i = 0; i < 2; i++) {
		kept = dup(i);
		dup2(null, i);
		assert_false(bpmu_top_term_usable());
		dup2(kept, i);
		close(kept);
	}
	close(null);
	assert_true(bpmu_top_term_usable());
	setenv("TERM", "no-such-terminal", 1);
	assert_int_equal(bpmu_top_term_open(&err), -ENOTTY);
	assert_string_equal(err.text,
			    "terminal: not usable; set TERM, or send the output through a pipe for plain lines");
}

static void begin_console(struct bpmu_top_console *console)
{
	*console = (struct bpmu_top_console){ .wake = -1, .signals = -1 };
	assert_true(bpmu_top_term_usable());
	if (bpmu_top_console_begin(console, &err))
		fail_msg("%s", err.text);
}

ON_TERMINAL(a_console_ends_by_a_signal)
{
	static const int ends[] = { SIGHUP, SIGQUIT };
	struct bpmu_top_console console;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		begin_console(&console);
		assert_false(bpmu_top_console_closed(&console));
		raise(ends[i]);
		assert_true(bpmu_top_console_closed(&console));
		assert_false(bpmu_top_console_closed(&console));
		bpmu_top_console_end(&console);
		assert_int_equal(fcntl(console.wake, F_GETFD), -1);
		assert_int_equal(fcntl(console.signals, F_GETFD), -1);
		assert_null(console.screen.cell);
	}
}

/* The measurement reads these signals. */
ON_TERMINAL(a_console_leaves_other_signals_to_the_measurement)
{
	static const int others[] = { SIGINT, SIGTERM };
	struct bpmu_top_console console;
	const struct timespec now = { };
	unsigned int i;
	sigset_t one;

	begin_console(&console);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		raise(others[i]);
		assert_false(bpmu_top_console_closed(&console));
		sigemptyset(&one);
		sigaddset(&one, others[i]);
		assert_int_equal(sigtimedwait(&one, NULL, &now), others[i]);
	}
	bpmu_top_console_end(&console);
}

ON_TERMINAL(a_console_has_the_size_of_its_terminal)
{
	struct bpmu_top_console console;

	begin_console(&console);
	assert_int_equal(console.screen.lines, LINES);
	assert_int_equal(console.screen.columns, COLUMNS);
	bpmu_top_put(&console.screen, 0, 0, BPMU_TOP_PLAIN, "kept");
	assert_int_equal(bpmu_top_console_fit(&console, &err), 0);
	assert_int_equal(console.screen.cell[0].ch, 'k');
	set_size(LINES, 30);
	raise(SIGWINCH);
	assert_false(bpmu_top_console_closed(&console));
	assert_int_equal(bpmu_top_term_key(), BPMU_TOP_REDRAW);
	assert_int_equal(bpmu_top_console_fit(&console, &err), 0);
	assert_int_equal(console.screen.lines, LINES);
	assert_int_equal(console.screen.columns, 30);
	set_size(7, 30);
	raise(SIGWINCH);
	assert_false(bpmu_top_console_closed(&console));
	assert_int_equal(bpmu_top_console_fit(&console, &err), 0);
	assert_int_equal(console.screen.lines, 7);
	bpmu_top_console_end(&console);
}

ON_TERMINAL(a_console_ends_with_its_terminal)
{
	struct bpmu_top_console console;

	begin_console(&console);
	assert_int_equal(write(master, "k", 1), 1);
	assert_false(bpmu_top_console_closed(&console));
	close(master);
	master = -1;
	assert_true(bpmu_top_console_closed(&console));
	bpmu_top_console_end(&console);
}
