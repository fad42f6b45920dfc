/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flags of a value of a metric or an event, which tell why it is missing or not reliable.
 */
#ifndef BPMU_VALUE_FLAG_H
#define BPMU_VALUE_FLAG_H

#include <stddef.h>

/* Size in bytes of a text with the names of all flags */
#define BPMU_VALUE_FLAG_TEXT 256

/**
 * enum bpmu_value_flag - flags of a value
 * @BPMU_VALUE_BELOW_0: a fraction is negative
 * @BPMU_VALUE_ABOVE_1: a fraction exceeds 1
 * @BPMU_VALUE_DIVIDED_BY_0: there is no value, because a divisor is 0
 * @BPMU_VALUE_MISSING: there is no value, because a count is missing
 * @BPMU_VALUE_MIXED: the value is computed from counts of different times
 * @BPMU_VALUE_WRAPPED: a count is negative: its counter has wrapped unnoticed
 * @BPMU_VALUE_ERRATUM: the vendor lists an erratum that affects one of the events
 * @BPMU_VALUE_UNSURE: a fraction is below 0 or above 1, but its confidence interval includes values
 *	from 0 to 1
 * @BPMU_VALUE_UNDECIDED: the node is not flagged, because the confidence interval of its value
 *	includes the threshold
 * @BPMU_VALUE_DISTURBED: another agent wrote counter registers during the interval
 * @BPMU_VALUE_FAILED: counts of a CPU or of a box are missing, because the CPU or box could not be
 *	programmed, or because the PCI device of the box was removed
 * @BPMU_VALUE_PREFETCH: the prefetchers were not in the requested state
 * @BPMU_VALUE_UNCORRECTED: an event was not counted that changes the value by only a few per cent
 * @BPMU_VALUE_NORMALISED: the fields of PERF_METRICS do not add up to the slots; each field is
 *	taken as a share of the fields' sum
 * @BPMU_VALUE_ABSENT: the CPU does not count the event: CPUID reports the event as absent, or a
 *	count of cycles stayed 0
 * @BPMU_VALUE_FEW: too few rotation slices for a confidence interval
 * @BPMU_VALUE_UNSEEN: the count of a multiplexed group is 0: the event may have occurred in slices
 *	of other groups
 * @BPMU_VALUE_BURSTY: a few slices have so many more events than the rest that the number of events
 *	in uncounted slices is unknown; the confidence interval may miss the true value
 * @BPMU_VALUE_SHARED: a count is of a whole core, L3 or package, but the value is shown for only
 *	some of the CPUs of this core, L3 or package
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
	BPMU_VALUE_PREFETCH = 1 << 11,
	BPMU_VALUE_UNCORRECTED = 1 << 12,
	BPMU_VALUE_NORMALISED = 1 << 13,
	BPMU_VALUE_ABSENT = 1 << 14,
	BPMU_VALUE_FEW = 1 << 15,
	BPMU_VALUE_UNSEEN = 1 << 16,
	BPMU_VALUE_BURSTY = 1 << 17,
	BPMU_VALUE_SHARED = 1 << 18
};

/* Flags of a value that tell flaws of the counts: the module reports such flaws with a sample */
#define BPMU_VALUE_FLAWS \
	(BPMU_VALUE_DISTURBED | BPMU_VALUE_FAILED | BPMU_VALUE_PREFETCH)

/* Flags that tell why there is no value. Without a value, at least one of them is set. */
#define BPMU_VALUE_NONE (BPMU_VALUE_DIVIDED_BY_0 | BPMU_VALUE_MISSING)

size_t bpmu_value_flags_text(unsigned int flags, const char *before,
			     const char *between, const char *after,
			     char text[BPMU_VALUE_FLAG_TEXT]);

#endif /* BPMU_VALUE_FLAG_H */
