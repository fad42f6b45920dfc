/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_VENDOR_FORMULA_H
#define BPMU_VENDOR_FORMULA_H

#include <jansson.h>

#include "base/error.h"
#include "metric/metric_expr.h"

/**
 * struct bpmu_vendor_formula - a formula and what its names stand for
 * @where: file and position in it, for errors
 * @text: the formula
 * @names: name that an alias stands for, [nr aliases]
 * @constants: expression that an alias stands for, or NULL, [nr aliases]
 */
struct bpmu_vendor_formula {
	const char *where;
	const char *text;
	const json_t *names;
	const json_t *constants;
};

struct bpmu_expr *
bpmu_vendor_formula_parse(const struct bpmu_vendor_formula *formula,
			  struct bpmu_error *err);

#endif /* BPMU_VENDOR_FORMULA_H */
