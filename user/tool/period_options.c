// SPDX-License-Identifier: GPL-2.0
#include "period_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static u32 least_of(const struct bpmu_periods *periods)
{
	return periods->option == 'F' ? 1 : BPMU_MIN_PERIOD;
}

static u32 most_of(const struct bpmu_periods *periods)
{
	return periods->option == 'F' ? BPMU_MAX_FREQUENCY : BPMU_MAX_PERIOD;
}

/*
 * Parses the first period or frequency of the list @text, and adds it to @periods. Returns the rest
 * of the list; NULL with @err set if it is invalid.
 */
static const char *take_period(struct bpmu_periods *periods, const char *text,
			       struct bpmu_error *err)
{
	unsigned long period;
	char *end;

	errno = 0;
	period = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || (*end && *end != ',') || errno ||
	    (period && period < least_of(periods)) || period > most_of(periods)) {
		bpmu_error_set(err, -EINVAL,
			       "-%c '%.*s': not a number from %u to %u, or 0; write one",
			       periods->option, (int)strcspn(text, ","), text, least_of(periods),
			       most_of(periods));
		return NULL;
	}
	periods->of[periods->nr++] = period;
	return end;
}

/**
 * bpmu_periods_take() - parse the option -c, periods of events that interrupt, or -F, frequencies
 * @periods: filled in; zeroed before the first such option
 * @option: 'c' or 'F'
 * @text: numbers separated by commas
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_periods_take(struct bpmu_periods *periods, char option, const char *text,
		      struct bpmu_error *err)
{
	const char *left = text;
	unsigned int i, sampled = 0;

	if (periods->nr && periods->option != option)
		return bpmu_error_set(err, -EINVAL,
			"-c, -F: events have periods or frequencies; drop one of them");
	periods->option = option;
	periods->nr = 0;
	for (;;) {
		left = take_period(periods, left, err);
		if (!left)
			return -EINVAL;
		if (!*left++)
			break;
		if (periods->nr == BPMU_MAX_COUNTERS)
			return bpmu_error_set(err, -EINVAL,
				"-%c '%s': more than events fit on the counters; give %u at most",
				option, text, BPMU_MAX_COUNTERS);
	}
	for (i = 0; i < periods->nr; i++)
		sampled += periods->of[i] != 0;
	if (sampled)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"-%c '%s': no event would interrupt; give one a %s from %u to %u", option, text,
		option == 'F' ? "frequency" : "period", least_of(periods), most_of(periods));
}
