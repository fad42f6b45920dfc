// SPDX-License-Identifier: GPL-2.0
#include "window.h"

#include <stdlib.h>

#define WINDOWS 16

static const struct vpmu_window *windows[WINDOWS];
static unsigned int nr_windows;

/**
 * vpmu_window_add() - add a window of memory-mapped registers to the list of windows
 * @window: the window; the list keeps the pointer
 *
 * Context: installation of the plugin. vpmu_mmio_init() maps all windows when it is called for the
 * first vCPU.
 */
void vpmu_window_add(const struct vpmu_window *window)
{
	if (nr_windows == WINDOWS)
		abort();
	windows[nr_windows++] = window;
}

/**
 * vpmu_window_at() - find a window by its index in the list of all windows
 * @i: index from 0 on
 *
 * Return: the window, or NULL after the last one.
 */
const struct vpmu_window *vpmu_window_at(unsigned int i)
{
	return i < nr_windows ? windows[i] : NULL;
}
