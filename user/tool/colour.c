// SPDX-License-Identifier: GPL-2.0
#include "colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold.h"

static enum { AUTO, ALWAYS, NEVER } mode;

/**
 * bpmu_colour_choose() - choose when output is coloured, by the value of the option --color
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
 * With "auto", the default, output to a terminal is coloured, unless the environment has NO_COLOR
 * (no-color.org) or its TERM is a terminal without colours.
 */
bool bpmu_colour(FILE *out)
{
	const char *no, *term;

	if (mode != AUTO)
		return mode == ALWAYS;
	if (!bpmu_fold_is(out) && !isatty(fileno(out)))
		return false;
	no = getenv("NO_COLOR");
	term = getenv("TERM");
	return !(no && *no) && !(term && !strcmp(term, "dumb"));
}
