// SPDX-License-Identifier: GPL-2.0
#include "colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold.h"

static enum { AUTO, ALWAYS, NEVER } mode;

/**
 * bpmu_colour_choose() - choose when text is coloured
 * @when: "auto", "always" or "never"
 *
 * Must be called before any output.
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_colour_choose(const char *when, struct bpmu_error *err)
{
	if (!strcmp(when, "auto"))
		mode = AUTO;
	else if (!strcmp(when, "always"))
		mode = ALWAYS;
	else if (!strcmp(when, "never"))
		mode = NEVER;
	else
		return bpmu_error_set(err, -EINVAL,
			"--color '%s': not known; write auto, always or never",
			when);
	return 0;
}

/**
 * bpmu_colour() - check if output to a stream is coloured
 *
 * By default output to a terminal is coloured, unless NO_COLOR is set (no-color.org) or TERM is
 * a terminal without colours.
 *
 * Return: true if colours are written.
 */
bool bpmu_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (mode != AUTO)
		return mode == ALWAYS;
	return (bpmu_fold_is(out) || isatty(fileno(out))) && !(no && *no) &&
	       !(term && !strcmp(term, "dumb"));
}
