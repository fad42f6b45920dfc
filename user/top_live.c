// SPDX-License-Identifier: GPL-2.0
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "top.h"
#include "top_term.h"

/* these end a run that would not see them otherwise */
static const int endings[] = { SIGHUP, SIGQUIT };

static volatile sig_atomic_t ended;

static void on_ending(int signal)
{
	(void)signal;
	ended = 1;
}

/*
 * SIGINT and SIGTERM wait for the run, which looks at them: nothing ends
 * without giving the terminal back.
 */
static void take_signals(void)
{
	const struct sigaction action = { .sa_handler = on_ending };
	struct sigaction before;
	sigset_t mask;
	size_t i;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		sigaction(endings[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(endings[i], &action, NULL);
	}
}

static int fit(struct bpmu_top *top, struct bpmu_error *err)
{
	int lines, columns;

	bpmu_top_term_size(&lines, &columns);
	if (lines == top->screen.lines && columns == top->screen.columns)
		return 0;
	return bpmu_top_screen_resize(&top->screen, lines, columns, err);
}

/**
 * bpmu_top_live_begin() - take the terminal and show that it was taken
 * @top: prepared, with a state
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOTTY or -ENOMEM; bpmu_top_live_end() in any case.
 */
int bpmu_top_live_begin(struct bpmu_top *top, struct bpmu_error *err)
{
	int code;

	take_signals();
	top->screen.wide = bpmu_top_term_wide();
	code = bpmu_top_term_open(err);
	if (!code)
		code = fit(top, err);
	if (!code)
		bpmu_top_live_show(top);
	return code;
}

/**
 * bpmu_top_live_end() - give the terminal back
 * @top: begun, or not
 *
 * Context: process.
 */
void bpmu_top_live_end(struct bpmu_top *top)
{
	bpmu_top_term_close();
	bpmu_top_screen_free(&top->screen);
}

/**
 * bpmu_top_live_show() - bring the screen up to date
 * @top: with a view
 *
 * Context: process.
 */
void bpmu_top_live_show(struct bpmu_top *top)
{
	bpmu_top_draw(&top->screen, &top->view, &top->state);
	bpmu_top_term_show(&top->screen);
	top->changed = false;
}

static int press(struct bpmu_top *top, enum bpmu_top_key key,
		 struct bpmu_error *err)
{
	enum bpmu_rows_by by = top->state.by;
	u64 interval_ns = top->state.interval_ns;

	if (key == BPMU_TOP_REDRAW)
		return fit(top, err);
	top->view.note[0] = 0;
	bpmu_top_press(&top->state, key);
	if (top->state.interval_ns != interval_ns)
		top->again = true;
	return top->state.by != by ? bpmu_top_rows_of(top, err) : 0;
}

/**
 * bpmu_top_live_input() - keys, another size, or the end
 * @top: begun
 * @events: of poll() on the terminal, 0 if a signal interrupted it
 *
 * Context: process.
 */
void bpmu_top_live_input(struct bpmu_top *top, short events)
{
	enum bpmu_top_key key;

	if (ended || events & (POLLHUP | POLLERR | POLLNVAL)) {
		top->over = true;
		return;
	}
	while (!top->code && !top->state.quit &&
	       (key = bpmu_top_term_key()) != BPMU_TOP_NOTHING)
		top->code = press(top, key, &top->err);
	if (top->code || top->state.quit || top->again)
		top->over = true;
	if (!top->code)
		bpmu_top_live_show(top);
}
