/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be known of a value besides its number.
 */
#ifndef BPMU_VALUE_FLAG_H
#define BPMU_VALUE_FLAG_H

#include <stddef.h>

/* room for the names of all flags */
#define BPMU_VALUE_FLAG_TEXT 192

/**
 * enum bpmu_value_flag - a set of these comes with each value
 * @BPMU_VALUE_BELOW_0: a fraction that is negative
 * @BPMU_VALUE_ABOVE_1: a fraction that is more than the whole
 * @BPMU_VALUE_DIVIDED_BY_0: there is no value, a divisor is 0
 * @BPMU_VALUE_MISSING: there is no value, a count is missing
 * @BPMU_VALUE_MIXED: computed from counts of different times
 * @BPMU_VALUE_WRAPPED: a count is below 0, its counter went round unseen
 * @BPMU_VALUE_ERRATUM: the vendor lists a defect of an event
 * @BPMU_VALUE_UNSURE: a fraction below 0 or above 1, but not all of its interval
 * @BPMU_VALUE_UNDECIDED: not flagged, as its interval reaches over its threshold
 * @BPMU_VALUE_DISTURBED: somebody wrote counter registers meanwhile
 * @BPMU_VALUE_FAILED: a CPU of it could not be programmed and is not in it
 * @BPMU_VALUE_PREFETCH: prefetchers were not as was asked for
 */
enum bpmu_value_flag {
	BPMU_VALUE_BELOW_0 = 1 << 0,
	BPMU_VALUE_ABOVE_1 = 1 << 1,
	BPMU_VALUE_DIVIDED_BY_0 = 1 << 2,
	BPMU_VALUE_MISSING = 1 << 3,
	BPMU_VALUE_MIXED = 1 << 4,
	BPMU_VALUE_WRAPPED = 1 << 5,
	BPMU_VALUE_ERRATUM = 1 << 6,
	BPMU_VALUE_UNSURE = 1 << 7,
	BPMU_VALUE_UNDECIDED = 1 << 8,
	BPMU_VALUE_DISTURBED = 1 << 9,
	BPMU_VALUE_FAILED = 1 << 10,
	BPMU_VALUE_PREFETCH = 1 << 11
};

/* flags of the samples from whose counts a value was computed */
#define BPMU_VALUE_FLAWS \
	(BPMU_VALUE_DISTURBED | BPMU_VALUE_FAILED | BPMU_VALUE_PREFETCH)

/* why there is no value */
#define BPMU_VALUE_NONE (BPMU_VALUE_DIVIDED_BY_0 | BPMU_VALUE_MISSING)

size_t bpmu_value_flags_text(unsigned int flags, const char *before,
			     const char *between, const char *after,
			     char text[BPMU_VALUE_FLAG_TEXT]);

#endif /* BPMU_VALUE_FLAG_H */
