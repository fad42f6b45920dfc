/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PARTS_H
#define BPMU_PARTS_H

#include "arch.h"

extern const struct bpmu_part bpmu_intel_snb;
extern const struct bpmu_part bpmu_intel_jkt;
extern const struct bpmu_part bpmu_intel_ivb;
extern const struct bpmu_part bpmu_intel_ivt;
extern const struct bpmu_part bpmu_intel_hsw;
extern const struct bpmu_part bpmu_intel_hsx;
extern const struct bpmu_part bpmu_intel_bdw;
extern const struct bpmu_part bpmu_intel_bdx;
extern const struct bpmu_part bpmu_intel_skl;
extern const struct bpmu_part bpmu_intel_skx;
extern const struct bpmu_part bpmu_intel_icl;
extern const struct bpmu_part bpmu_intel_icx;
extern const struct bpmu_part bpmu_intel_tgl;
extern const struct bpmu_part bpmu_intel_rkl;
extern const struct bpmu_part bpmu_intel_spr;
extern const struct bpmu_part bpmu_intel_emr;
extern const struct bpmu_part bpmu_intel_gnr;
extern const struct bpmu_part bpmu_intel_adl;
extern const struct bpmu_part bpmu_intel_adl_e;
extern const struct bpmu_part bpmu_intel_mtl;
extern const struct bpmu_part bpmu_intel_mtl_e;
extern const struct bpmu_part bpmu_intel_arl;
extern const struct bpmu_part bpmu_intel_arl_e;
extern const struct bpmu_part bpmu_intel_arl_lp;
extern const struct bpmu_part bpmu_intel_lnl;
extern const struct bpmu_part bpmu_intel_lnl_e;
extern const struct bpmu_part bpmu_intel_ptl;
extern const struct bpmu_part bpmu_intel_ptl_e;
extern const struct bpmu_part bpmu_intel_tnt;
extern const struct bpmu_part bpmu_intel_srf;
extern const struct bpmu_part bpmu_intel_grr;
extern const struct bpmu_part bpmu_intel_cwf;
extern const struct bpmu_part bpmu_intel_knc;
extern const struct bpmu_part bpmu_intel_topdown;
extern const struct bpmu_part bpmu_amd_zen1;
extern const struct bpmu_part bpmu_amd_zen2;
extern const struct bpmu_part bpmu_amd_zen3;
extern const struct bpmu_part bpmu_amd_zen4;
extern const struct bpmu_part bpmu_amd_zen5;
extern const struct bpmu_part bpmu_amd_zen6;
extern const struct bpmu_part bpmu_intel_arch;

extern const struct bpmu_uncore bpmu_amd_zen_uncore;
extern const struct bpmu_uncore bpmu_amd_zen3_uncore;
extern const struct bpmu_uncore bpmu_amd_zen4_uncore;

/* not in the list of bpmu_part_at(): the tool can only evaluate its counts */
extern const struct bpmu_part bpmu_intel_itanium2;

#endif /* BPMU_PARTS_H */
