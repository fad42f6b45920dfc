// SPDX-License-Identifier: GPL-2.0
/*
 * Each built-in row against a second source, libpfm4, whose tables others made:
 * where it has an event of that name the code, the umask and the filters are
 * the same, but for those rows that pfm_rows.tsv argues about.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>

#include "array.h"
#include "events.h"
#include "intel.h"
#include "unit.h"

#define WHAT (BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_EDGE | \
	      BPMU_SEL_ANY | BPMU_SEL_INV | BPMU_SEL_CMASK | \
	      BPMU_SEL_EVENT_HIGH)
#define LINES_MAX 256

/**
 * struct exception - a line of pfm_rows.tsv
 * @part: short name
 * @event: row
 * @ours: its select
 * @theirs: libpfm4's
 * @used: the row is still that way
 */
struct exception {
	char part[16];
	char event[80];
	u64 ours;
	u64 theirs;
	int used;
};

static struct exception exceptions[LINES_MAX];
static unsigned int nr_exceptions;

static void load(void)
{
	struct exception *e;
	char line[512];
	char why[256];
	FILE *file = fopen(TOP "/tests/unit/pfm_rows.tsv", "r");

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		assert_true(nr_exceptions < LINES_MAX);
		e = &exceptions[nr_exceptions++];
		if (sscanf(line, "%15[^\t]\t%79[^\t]\t%llx\t%llx\t%255[^\n]",
			   e->part, e->event, &e->ours, &e->theirs, why) != 5)
			fail_msg("%s", line);
	}
	fclose(file);
}

static struct exception *exception_of(const struct bpmu_part *part,
				      const char *event)
{
	unsigned int i;

	for (i = 0; i < nr_exceptions; i++)
		if (!strcmp(exceptions[i].part, part->name) &&
		    !strcmp(exceptions[i].event, event))
			return &exceptions[i];
	return NULL;
}

/* "CACHE.MISS" is "CACHE:MISS" there */
static int encode(const char *pmu, const char *name, u64 *select)
{
	const char *dot = strchr(name, '.');
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	char text[256];
	int length = dot ? dot - name : (int)strlen(name);
	int code;

	snprintf(text, sizeof(text), "%s::%.*s%s%s:k=1:u=1", pmu, length, name,
		 dot ? ":" : "", dot ? dot + 1 : "");
	code = pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE,
					 &arg);
	*select = code == PFM_SUCCESS && arg.count ? arg.codes[0] & WHAT : 0;
	free(arg.codes);
	return code;
}

static void test_rows(void **state)
{
	const struct bpmu_part *part = *state;
	const struct bpmu_event *rows;
	unsigned int compared = 0;
	unsigned int wrong = 0;
	struct exception *e;
	u64 theirs, ours;
	size_t nr, i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (rows[i].unit != BPMU_UNIT_CORE ||
		    rows[i].counters >> BPMU_FIXED_BASE ||
		    encode(part->pfm, rows[i].name, &theirs) != PFM_SUCCESS)
			continue;
		compared++;
		ours = rows[i].select & WHAT;
		e = exception_of(part, rows[i].name);
		if (e && e->ours == ours && e->theirs == theirs) {
			e->used = 1;
		} else if (ours != theirs) {
			wrong++;
			printf("# %s\t%s\t%llx\t%llx\n", part->name,
			       rows[i].name, ours, theirs);
		}
	}
	printf("# %s: %u of %zu rows compared\n", part->name, compared, nr);
	assert_int_equal(wrong, 0);
	for (i = 0; i < nr_exceptions; i++)
		if (!strcmp(exceptions[i].part, part->name) &&
		    !exceptions[i].used)
			fail_msg("%s: no exception any more",
				 exceptions[i].event);
	assert_true(!compared || compared * 2 > nr);
}

static const struct unit_check checks[] = {
	{ "rows are libpfm4's too", test_rows },
};

int main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	load();
	return unit_run_parts("pfm rows", checks, ARRAY_SIZE(checks));
}
