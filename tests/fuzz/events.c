// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of the argument of option -e, a list of events. The first byte of the input chooses the
 * CPU model, the other bytes are the argument. The argument must be refused with an error message,
 * or yield events that can be put on counters.
 */
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/groups.h"
#include "event/part.h"
#include "fuzz.h"

/*
 * Limits of an argument: maximum number of wildcards, and maximum number of events that are put on
 * counters. A wildcard can add all events of a CPU model, which takes milliseconds; a second
 * wildcard would test nothing new. 80 events are enough to need more groups (events that are
 * counted at the same time) than a session can have, on a CPU model with two counters.
 */
#define WILDCARDS_MOST 1
#define SCHEDULED_MOST 80

static unsigned int wildcards(const unsigned char *data, size_t size)
{
	unsigned int nr = 0;

	while (size--)
		nr += data[size] == '*' || data[size] == '?';
	return nr;
}

static const struct bpmu_part *part_of(unsigned char choice)
{
	unsigned int nr;

	for (nr = 0; bpmu_part_at(nr); nr++)
		;
	return bpmu_part_at(choice % nr);
}

static void schedule(const struct bpmu_pmu *pmu,
		     const struct bpmu_event_list *list)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_groups groups;
	struct bpmu_error err = { };
	unsigned int i;
	int ret;

	for (i = 0; i < list->nr; i++)
		fuzz_hold(list->spec[i].text && list->spec[i].nr,
			  "an event has a text and terms");
	ret = bpmu_groups_make(&groups, pmu, list, &wish, &err);
	fuzz_refused(ret, &err);
	bpmu_groups_free(&groups);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_event_list list = { };
	struct bpmu_error err = { };
	struct bpmu_pmu pmu;
	char *text;
	int ret;

	if (!size || wildcards(data + 1, size - 1) > WILDCARDS_MOST)
		return 0;
	if (bpmu_part_named(&pmu, part_of(*data)->name, &err))
		return 0;
	text = fuzz_text(data + 1, size - 1);
	ret = bpmu_event_list_parse(&pmu, *data & 1, text, &list, &err);
	fuzz_refused(ret, &err);
	if (!ret && list.nr <= SCHEDULED_MOST)
		schedule(&pmu, &list);
	bpmu_event_list_free(&list);
	free(text);
	return 0;
}
