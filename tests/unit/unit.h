/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_UNIT_H
#define BPMU_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch.h"

struct bpmu_pmu unit_pmu(const char *part, unsigned int gp);

#endif /* BPMU_UNIT_H */
