// SPDX-License-Identifier: GPL-2.0
#include "top_console.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "top_term.h"

static int epoll_add(int wake, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(wake, EPOLL_CTL_ADD, fd, &event);
}

/*
 * Blocks the signals and lets them be read from a descriptor, so that no signal ends the tool
 * before it has restored the terminal, or interrupts a request to the module. bpmu_live_run() reads
 * SIGINT and SIGTERM. Returns 0 or a negative errno.
 */
static int take_signals(struct bpmu_top_console *console, struct bpmu_error *err)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGQUIT);
	sigaddset(&mask, SIGWINCH);
	console->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	console->wake = epoll_create1(EPOLL_CLOEXEC);
	if (console->signals >= 0 && console->wake >= 0 &&
	    !epoll_add(console->wake, console->signals) &&
	    !epoll_add(console->wake, STDIN_FILENO))
		return 0;
	return bpmu_error_set(err, -errno, "terminal: cannot be watched: %s",
			      strerror(errno));
}

/**
 * bpmu_top_console_fit() - give the screen of a live view's console the size of the terminal
 */
int bpmu_top_console_fit(struct bpmu_top_console *console, struct bpmu_error *err)
{
	int lines, columns;

	bpmu_top_term_size(&lines, &columns);
	if (lines == console->screen.lines && columns == console->screen.columns)
		return 0;
	return bpmu_top_screen_resize(&console->screen, lines, columns, err);
}

/**
 * bpmu_top_console_begin() - begin the console of a live view: take over the terminal
 * @console: zeroed, its descriptors are -1
 *
 * Return: 0 or a negative errno; the caller calls bpmu_top_console_end() in any case.
 */
int bpmu_top_console_begin(struct bpmu_top_console *console, struct bpmu_error *err)
{
	int code;

	console->screen.wide = bpmu_top_term_wide();
	code = take_signals(console, err);
	if (!code)
		code = bpmu_top_term_open(err);
	return code ? code : bpmu_top_console_fit(console, err);
}

/**
 * bpmu_top_console_end() - end the console of a live view: restore the terminal
 * @console: whether or not bpmu_top_console_begin() was called; its descriptors are -1 before
 */
void bpmu_top_console_end(struct bpmu_top_console *console)
{
	bpmu_top_term_close();
	if (console->wake >= 0)
		close(console->wake);
	if (console->signals >= 0)
		close(console->signals);
	bpmu_top_screen_free(&console->screen);
}

/* Reads the signals that have arrived; returns true if one of them ends the live view. */
static bool read_signals(const struct bpmu_top_console *console)
{
	struct signalfd_siginfo info;
	bool ends = false;

	while (read(console->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGWINCH)
			bpmu_top_term_resize();
		else
			ends = true;
	}
	return ends;
}

/**
 * bpmu_top_console_closed() - handle the signals of a live view's console
 *
 * If the terminal was resized, the next key is BPMU_TOP_REDRAW.
 *
 * Return: true if the live view must end: by a signal, or because the terminal is closed, so that
 * no key can end it.
 */
bool bpmu_top_console_closed(struct bpmu_top_console *console)
{
	struct epoll_event events[2];
	int nr = epoll_wait(console->wake, events, 2, 0);
	bool closed = false;

	while (nr-- > 0) {
		if (events[nr].data.fd == console->signals)
			closed |= read_signals(console);
		closed |= !!(events[nr].events & (EPOLLHUP | EPOLLERR));
	}
	return closed;
}
