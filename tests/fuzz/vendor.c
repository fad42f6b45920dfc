// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of files that define events and metrics in the formats in which CPU vendors publish them,
 * for Skylake. A file must be refused with an error message, or its metrics must have the
 * properties that metric.h states.
 */
#include <math.h>

#include "fuzz.h"
#include "metric/metric_formula.h"
#include "vendor/vendor.h"

/* Returns a count for the event @name, made from the letters of its name. */
static struct bpmu_value count_of(void *ctx, const char *name)
{
	struct bpmu_value value = { .known = true };

	(void)ctx;
	while (*name)
		value.number = value.number * 3 + *name++ % 7;
	return value;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_vendor_set v = { };
	struct bpmu_formula formula;
	struct bpmu_error err = { };
	struct bpmu_value value;
	unsigned int i;
	int ret;

	ret = bpmu_vendor_load(&v, fuzz_file(data, size),
			       bpmu_part_by_name("skl"), &err);
	fuzz_refused(ret, &err);
	for (i = 0; !ret && i < v.metrics.nr; i++) {
		if (!v.metrics.metric[i].expr)
			continue;
		fuzz_hold(!bpmu_formula_make(&formula, NULL, v.metrics.metric[i].expr, &err),
			  "a formula is not too long");
		value = bpmu_formula_eval(&formula, count_of, NULL);
		bpmu_formula_free(&formula);
		fuzz_hold(!value.known || isfinite(value.number),
			  "values are finite");
	}
	bpmu_vendor_free(&v);
	return 0;
}
