/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal of a live view while it is measured: its screen, its keys, and the signals that
 * resize or end it.
 */
#ifndef BPMU_TOP_CONSOLE_H
#define BPMU_TOP_CONSOLE_H

#include "top_screen.h"

/**
 * struct bpmu_top_console - the terminal of a live view, and what wakes it
 * @screen: the screen
 * @wake: epoll descriptor, readable if there is a key or a signal; -1 if the console is not open
 * @signals: signalfd, one of the descriptors that @wake waits for; -1 if the console is not open
 */
struct bpmu_top_console {
	struct bpmu_top_screen screen;
	int wake;
	int signals;
};

int bpmu_top_console_begin(struct bpmu_top_console *console, struct bpmu_error *err);
void bpmu_top_console_end(struct bpmu_top_console *console);
int bpmu_top_console_fit(struct bpmu_top_console *console, struct bpmu_error *err);
bool bpmu_top_console_closed(struct bpmu_top_console *console);

#endif /* BPMU_TOP_CONSOLE_H */
