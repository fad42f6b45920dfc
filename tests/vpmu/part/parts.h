/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CPU models that the virtual machine can have.
 */
#ifndef VPMU_PARTS_H
#define VPMU_PARTS_H

#include "machine/part.h"

extern const struct vpmu_part vpmu_glm;
extern const struct vpmu_part vpmu_ivb;
extern const struct vpmu_part vpmu_knc;
extern const struct vpmu_part vpmu_nhm;
extern const struct vpmu_part vpmu_skl;
extern const struct vpmu_part vpmu_slm;
extern const struct vpmu_part vpmu_spr;
extern const struct vpmu_part vpmu_topdown;
extern const struct vpmu_part vpmu_adl;
extern const struct vpmu_part vpmu_adl_e;
extern const struct vpmu_part vpmu_jaguar;
extern const struct vpmu_part vpmu_zen2;
extern const struct vpmu_part vpmu_zen4;
extern const struct vpmu_part vpmu_zen5;

const struct vpmu_part *vpmu_part_like(const char *name);

#endif /* VPMU_PARTS_H */
