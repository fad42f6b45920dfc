// SPDX-License-Identifier: GPL-2.0
#include "window.h"

#include <stdlib.h>

#define WINDOWS 16

static const struct vpmu_window *windows[WINDOWS];
static unsigned int nr_windows;

/**
 * vpmu_window_add() - have loads and stores of a range of addresses be told
 * @window: which; stays where it is
 *
 * Context: when the plugin is installed: QEMU learns of them with the first vCPU.
 */
void vpmu_window_add(const struct vpmu_window *window)
{
	if (nr_windows == WINDOWS)
		abort();
	windows[nr_windows++] = window;
}

/**
 * vpmu_window_at() - the windows, one after the other
 * @i: which, from 0 on
 *
 * Return: NULL after the last one.
 */
const struct vpmu_window *vpmu_window_at(unsigned int i)
{
	return i < nr_windows ? windows[i] : NULL;
}
