// SPDX-License-Identifier: GPL-2.0
#include "phi_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* number of hardware threads of a core of Xeon Phi */
#define THREADS 4

/**
 * bpmu_phi_take_element() - parse the option --element of Xeon Phi's metrics
 * @settings: settings; only the member for this option is set
 * @text: "sp" or "dp": vector elements in single or double precision
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_phi_take_element(struct bpmu_phi_settings *settings, const char *text,
			  struct bpmu_error *err)
{
	if (!strcmp(text, "sp"))
		settings->elements = 16;
	else if (!strcmp(text, "dp"))
		settings->elements = 8;
	else
		return bpmu_error_set(err, -EINVAL,
			"--element '%s': not known; write sp or dp", text);
	return 0;
}

/**
 * bpmu_phi_take_used() - parse the option --threads-used of Xeon Phi's metrics
 * @settings: settings; only the member for this option is set
 * @text: number of threads of a core that run the program, 1 to 4
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_phi_take_used(struct bpmu_phi_settings *settings, const char *text,
		       struct bpmu_error *err)
{
	return bpmu_options_number("--threads-used", text, 1, THREADS,
				   &settings->used, err);
}

/**
 * bpmu_phi_take_pages() - parse the option --pages of Xeon Phi's metrics
 * @settings: settings; only the member for this option is set
 * @text: "4k" or "2m", the size of the program's pages
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_phi_take_pages(struct bpmu_phi_settings *settings, const char *text,
			struct bpmu_error *err)
{
	settings->huge = !strcmp(text, "2m");
	if (settings->huge || !strcmp(text, "4k"))
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"--pages '%s': not known; write 4k or 2m", text);
}

/**
 * bpmu_phi_take_freq() - parse the option --freq of Xeon Phi's metrics
 * @settings: settings; only the member for this option is set
 * @text: frequency of the cores in GHz
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_phi_take_freq(struct bpmu_phi_settings *settings, const char *text,
		       struct bpmu_error *err)
{
	char *end;

	settings->ghz = strtod(text, &end);
	if (end != text && !*end && isfinite(settings->ghz) &&
	    settings->ghz > 0)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"--freq '%s': not a clock rate; write GHz, such as 1.1", text);
}
