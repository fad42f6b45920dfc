// SPDX-License-Identifier: GPL-2.0
#include "value_flag.h"

#include <string.h>

static const char *const names[] = {
	"below-0", "above-1", "divided-by-0", "missing", "mixed-groups",
	"wrapped", "erratum", "unsure", "undecided", "disturbed", "failed",
	"prefetchers", "uncorrected", "normalised", "absent", "few-slices", "unseen",
	"bursty", "shared"
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

/**
 * bpmu_value_flags_text() - format the flags of a value as text
 * @flags: mask of &enum bpmu_value_flag
 * @before: text to write before each name of a flag
 * @between: text to write between two names
 * @after: text to write after each name
 * @text: set to the names of the flags; empty if no flag is set
 *
 * Return: length of @text.
 */
size_t bpmu_value_flags_text(unsigned int flags, const char *before,
			     const char *between, const char *after,
			     char text[BPMU_VALUE_FLAG_TEXT])
{
	char *end = text;

	*end = '\0';
	for (flags &= (1u << NR_NAMES) - 1; flags; flags &= flags - 1) {
		if (end != text)
			end = stpcpy(end, between);
		end = stpcpy(end, before);
		end = stpcpy(end, names[__builtin_ctz(flags)]);
		end = stpcpy(end, after);
	}
	return end - text;
}
