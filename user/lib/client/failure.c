// SPDX-License-Identifier: GPL-2.0
#include "failure.h"

#include <stdio.h>

/**
 * bpmu_failure_name() - short name of a failure: what a session could not program, for JSON and CSV
 * @what: a type of counters, &enum bpmu_bank_id, or the prefetchers, &enum bpmu_failure
 *
 * Return: the name; "unknown" if this tool does not know @what.
 */
const char *bpmu_failure_name(u32 what)
{
	if (what == BPMU_FAILURE_PREFETCH)
		return "prefetch";
	return what < BPMU_BANKS ? bpmu_bank_facts[what].name : "unknown";
}

/**
 * bpmu_failure_words() - describe a failure to the user: what could not be programmed on a CPU
 * @what: a type of counters, &enum bpmu_bank_id, or the prefetchers, &enum bpmu_failure
 * @text: set to the description, a clause to be printed after the CPU number
 *
 * Return: @text.
 */
const char *bpmu_failure_words(u32 what, char text[BPMU_FAILURE_WORDS])
{
	const struct bpmu_bank_facts *bank = &bpmu_bank_facts[what < BPMU_BANKS ? what : 0];

	if (what == BPMU_FAILURE_PREFETCH)
		snprintf(text, BPMU_FAILURE_WORDS,
			 "its prefetchers could not be set, it is measured as they are");
	else if (what >= BPMU_BANKS)
		snprintf(text, BPMU_FAILURE_WORDS, "something that this tool does not know failed");
	else if (bank->free)
		snprintf(text, BPMU_FAILURE_WORDS, "the free-running registers of its %s cannot be read",
			 bpmu_domain_name(bank->domain));
	else if (what == BPMU_BANK_CORE)
		snprintf(text, BPMU_FAILURE_WORDS,
			 "its counters could not be programmed, it is not measured");
	else
		snprintf(text, BPMU_FAILURE_WORDS,
			 "the counters of its %s's %s could not be programmed, they are not read",
			 bpmu_domain_name(bank->domain), bank->title);
	return text;
}

/**
 * bpmu_counters_text() - format a set of counters of the core as text
 * @counters: mask of counters, by their numbers in the module's interface
 * @text: set to text such as "general 0, fixed 1"; truncated if @size is too small
 * @size: size of @text in bytes
 */
void bpmu_counters_text(u64 counters, char *text, size_t size)
{
	size_t len = 0;
	unsigned int i;

	*text = 0;
	for (i = 0; i < 64 && len < size; i++)
		if (counters >> i & 1)
			len += snprintf(text + len, size - len, "%s%s %u",
					len ? ", " : "",
					i < BPMU_COUNTER_FIXED ? "general" :
								 "fixed",
					i < BPMU_COUNTER_FIXED ? i :
					i - BPMU_COUNTER_FIXED);
}
