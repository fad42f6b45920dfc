/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All parts that can be measured, in the order in which a CPU is looked up: the first one that
 * matches counts, and the architectural fallback, which matches any Intel CPU, is last. This is
 * included wherever there is something of each part, behind a definition of
 *
 *	PART(descriptor, events, aliases, cache)
 *
 * descriptor: the descriptor without bpmu_; the part's own name is that without the vendor
 * events, aliases, cache: the tables of the tool, see arch/events.c
 */
PART(intel_snb, intel_snb, intel_snb, intel_snb),
PART(intel_jkt, intel_jkt, intel_snb, intel_jkt),
PART(intel_ivb, intel_ivb, intel_snb, intel_snb),
PART(intel_ivt, intel_ivt, intel_snb, intel_jkt),
PART(intel_hsw, intel_hsw, intel_snb, intel_hsw),
PART(intel_hsx, intel_hsx, intel_snb, intel_hsx),
PART(intel_bdw, intel_bdw, intel_snb, intel_bdw),
PART(intel_bdx, intel_bdx, intel_snb, intel_bdx),
PART(intel_skl, intel_skl, intel_skl, intel_skl),
PART(intel_cnl, intel_cnl, intel_skl, intel_skl),
PART(intel_skx, intel_skx, intel_skl, intel_skx),
PART(intel_icl, intel_icl, intel_slots, intel_skl),
PART(intel_icx, intel_icx, intel_slots, intel_icx),
PART(intel_tgl, intel_tgl, intel_slots, intel_skl),
PART(intel_rkl, intel_rkl, intel_slots, intel_skl),
PART(intel_spr, intel_spr, intel_slots, intel_spr),
PART(intel_emr, intel_emr, intel_slots, intel_spr),
PART(intel_gnr, intel_gnr, intel_slots, intel_spr),
PART(intel_adl, intel_adl, intel_slots, intel_adl),
PART(intel_adl_e, intel_adl_e, intel_efficient, intel_grt),
PART(intel_mtl, intel_mtl, intel_slots, intel_adl),
PART(intel_mtl_e, intel_mtl_e, intel_efficient, intel_cmt),
PART(intel_arl, intel_arl, intel_slots, intel_arl),
PART(intel_arl_e, intel_arl_e, intel_efficient, intel_skt),
PART(intel_arl_lp, intel_arl_lp, intel_efficient, intel_cmt),
PART(intel_lnl, intel_lnl, intel_slots, intel_lnl),
PART(intel_lnl_e, intel_lnl_e, intel_efficient, intel_skt),
PART(intel_ptl, intel_ptl, intel_slots, intel_lnl),
PART(intel_ptl_e, intel_ptl_e, intel_efficient, intel_skt),
PART(intel_lkf, intel_lkf, intel_slots, intel_skl),
PART(intel_lkf_e, intel_tnt, intel_efficient, intel_tnt),
PART(intel_nvl, intel_nvl, intel_pnc, intel_pnc),
PART(intel_nvl_e, intel_nvl_e, intel_efficient, intel_arw),
PART(intel_dmr, intel_dmr, intel_pnc, intel_pnc),
PART(intel_slm, intel_slm, intel_slm, intel_slm),
PART(intel_avn, intel_slm, intel_slm, intel_slm),
PART(intel_glm, intel_glm, intel_glm, intel_glm),
PART(intel_glp, intel_glp, intel_glp, intel_glp),
PART(intel_knl, intel_knl, intel_knl, intel_knl),
PART(intel_tnt, intel_tnt, intel_efficient, intel_tnt),
PART(intel_srf, intel_srf, intel_efficient, intel_srf),
PART(intel_grr, intel_grr, intel_efficient, intel_cmt),
PART(intel_cwf, intel_cwf, intel_efficient, intel_dkt),
PART(intel_knc, intel_knc, intel_knc, no),
PART(intel_topdown, intel_topdown, intel, no),
PART(amd_zen1, amd_zen, amd_zen, no),
PART(amd_zen2, amd_zen, amd_zen, no),
PART(amd_zen3, amd_zen3, amd_zen, no),
PART(amd_zen4, amd_zen4, amd_zen4, no),
PART(amd_zen5, amd_zen5, amd_zen4, no),
PART(amd_zen6, amd_zen6, amd_zen4, no),
PART(intel_arch, intel_arch, intel, no),
#undef PART
