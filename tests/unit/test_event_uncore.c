// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of uncore events: an event gets its event select, its filter and its
 * threshold. If its unit of the uncore lacks one of these, the message names it.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "intel.h"
#include "unit.h"

static const struct {
	const char *part;
	const char *text;
	u8 unit;
	u64 select;
	u64 counters;
	u64 filter;
} taken[] = {
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL", BPMU_UNIT_ARB, 0x180, 0x1 },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]", BPMU_UNIT_ARB, 0x1c000180,
	  0x1 },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:c=31", BPMU_UNIT_ARB, 0x1f000180,
	  0x1 },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.CYCLES_WITH_ANY_REQUEST",
	  BPMU_UNIT_ARB, 0x1000180, 0x3 },
	{ "skl", "unc_arb_trk_occupancy.cycles_with_any_request",
	  BPMU_UNIT_ARB, 0x1000180, 0x1 },
	{ "ivb", "UNC_ARB_TRK_REQUESTS.ALL:e:c1", BPMU_UNIT_ARB, 0x1040181,
	  0x3 },
	{ "icl", "UNC_ARB_TRK_REQUESTS.ALL", BPMU_UNIT_ARB, 0x181, 0x1 },
	{ "rkl", "UNC_ARB_TRK_REQUESTS.ALL", BPMU_UNIT_ARB, 0x181, 0x2 },
	{ "ivb", "UNC_CLOCK.SOCKET", BPMU_UNIT_CLOCK, 0, 0x1 },
	{ "snb", "UNC_CBO_CACHE_LOOKUP.ANY_I", BPMU_UNIT_CBO, 0x8834, 0x3 },
	{ "ivb", "r180", BPMU_UNIT_CORE, 0x30180, 0xf },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS", BPMU_UNIT_L3,
	  0xff0f000000000104, 0x3f },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:threadmask=0x81:slicemask=2",
	  BPMU_UNIT_L3, 0x8102000000000104, 0x3f },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS", BPMU_UNIT_L3,
	  0x0300c00000000104, 0x3f },
	{ "zen3", "l3_lookup_state.l3_miss:COREID=0", BPMU_UNIT_L3,
	  0x0300400000000104, 0x3f },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS:coreid=5:sliceid=7:threadmask=1",
	  BPMU_UNIT_L3, 0x0107140000000104, 0x3f },
	{ "zen5", "L3_XI_SAMPLED_LATENCY.ALL", BPMU_UNIT_L3,
	  0x0303c00000003fac, 0x3f },
	{ "zen1", "DRAM_CHANNEL_DATA_CONTROLLER_0", BPMU_UNIT_DF, 0x3807, 0xf },
	{ "zen3", "dram_channel_data_controller_7", BPMU_UNIT_DF,
	  0x1000038c7, 0xf },
	{ "zen4", "LOCAL_OR_REMOTE_SOCKET_READ_DATA_BEATS_DRAM_0", BPMU_UNIT_DF,
	  0x0f00fe1f, 0xf },
	{ "zen5", "REMOTE_SOCKET_WRITE_DATA_BEATS_DRAM_11", BPMU_UNIT_DF,
	  0x20b00ffdf, 0xf },
	{ "nhm", "UNC_QMC_NORMAL_READS.ANY", BPMU_UNIT_GQ, 0x72c, 0xff },
	{ "wsm", "UNC_GQ_CYCLES_NOT_EMPTY.READ_TRACKER:[>=200]", BPMU_UNIT_GQ, 0xc8000101, 0xff },
	{ "wsm-ep", "UNC_QMC_WRITES.FULL_ANY:e", BPMU_UNIT_GQ, 0x4072f, 0xff },
	{ "jaguar", "L2_CACHE_MISS.DATA_FILL", BPMU_UNIT_L2, 0x27e, 0xf },
	{ "jaguar", "DRAM_ACCESSES.ALL", BPMU_UNIT_NB, 0x300003fec, 0xf },
	{ "bulldozer", "dram_accesses.all", BPMU_UNIT_NB, 0x3fe0, 0xf },
	{ "bulldozer", "LINK_TRANSMIT_BANDWIDTH_LINK_3.DATA_DW_SENT", BPMU_UNIT_NB, 0x1000002f9,
	  0xf },
	{ "zen4", "UMC_CAS_CMD.RD", BPMU_UNIT_UMC, 0x10a, 0xf },
	{ "zen5", "umc_mem_clk", BPMU_UNIT_UMC, 0, 0xf },
	{ "zen5", "UMC_PCHG_CMD.ALL:rdwrmask=2", BPMU_UNIT_UMC, 0x206, 0xf },
	{ "ivt", "UNC_C_CLOCKTICKS", BPMU_UNIT_CHA, 0, 0xf },
	{ "jkt", "UNC_C_TOR_INSERTS.MISS_OPCODE:filter_opc=0x182",
	  BPMU_UNIT_CHA, 0x335, 0x3, 0xc1000000 },
	{ "ivt", "unc_c_tor_occupancy.miss_opcode:FILTER_OPC=0x182:filter_nc=1",
	  BPMU_UNIT_CHA, 0x336, 0x1, 0x5820000000000000 },
	{ "hsx", "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:filter_opc=0x182:[>=3]",
	  BPMU_UNIT_CHA, 0x3000336, 0x1, 0x1820000000000000 },
	{ "hsx", "UNC_C_TOR_INSERTS.MISS_OPCODE:i:c=2:e:filter_opc=0",
	  BPMU_UNIT_CHA, 0x2840335, 0xf, 0 },
	{ "bdx", "UNC_C_TOR_INSERTS.NID_MISS_OPCODE:filter_opc=400", BPMU_UNIT_CHA,
	  0x4335, 0xf, 0x1900ffff00000000 },
	{ "jkt", "UNC_C_TOR_INSERTS.NID_EVICTION:filter_nid=3", BPMU_UNIT_CHA, 0x4435,
	  0x3, 0xc00 },
	/* The user names no state of cache lines here, so the filter lets all states pass. */
	{ "jkt", "UNC_C_LLC_LOOKUP.WRITE", BPMU_UNIT_CHA, 0x534, 0x3, 0x7c0000 },
	{ "ivt", "UNC_C_LLC_LOOKUP.WRITE", BPMU_UNIT_CHA, 0x534, 0x3, 0x7e0000 },
	{ "bdx", "UNC_C_LLC_LOOKUP.ANY:filter_state=1", BPMU_UNIT_CHA, 0x1134, 0xf,
	  0x20000 },
	{ "ivt", "UNC_C_TOR_INSERTS.ALL:tid_en=1:filter_tid=9", BPMU_UNIT_CHA, 0x80835,
	  0x3, 9 },
	{ "ivt", "UNC_C_RING_BL_USED.UP", BPMU_UNIT_CHA, 0x331d, 0xc },
	{ "hsx", "UNC_C_RxR_OCCUPANCY.IRQ", BPMU_UNIT_CHA, 0x111, 0x1 },
	{ "jkt", "UNC_C_COUNTER0_OCCUPANCY", BPMU_UNIT_CHA, 0x1f, 0xe },
	{ "jkt", "UNC_P_CLOCKTICKS", BPMU_UNIT_PCU, 0, 0xf },
	{ "ivt", "unc_p_freq_band2_cycles:filter_band2=30", BPMU_UNIT_PCU, 0x0d, 0xf,
	  0x1e0000 },
	{ "hsx", "UNC_P_FREQ_BAND0_CYCLES:FILTER_BAND0=0", BPMU_UNIT_PCU, 0x0b, 0xf, 0 },
	{ "hsx", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C3:[<31]:occ_edge=1", BPMU_UNIT_PCU,
	  0x9f808080, 0xf },
	{ "ivt", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C0:occ_invert=1:c=2:e", BPMU_UNIT_PCU,
	  0x42044080, 0xf },
	/* The allowed counters of this event are those of Linux, bdx_uncore_pcu_constraints. */
	{ "bdx", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C6", BPMU_UNIT_PCU, 0xc080, 0xe },
	{ "jkt", "UNC_U_EVENT_MSG.MSI_RCVD:i:c=31", BPMU_UNIT_UBOX, 0x1f800242, 0x3 },
	{ "ivt", "UNC_U_CLOCKTICKS", BPMU_UNIT_UBOX, 0, 0x4 },
	{ "bdx", "unc_u_clockticks", BPMU_UNIT_UBOX, 0, 0x4 },
	{ "skx", "UNC_CHA_CLOCKTICKS", BPMU_UNIT_CHA, 0, 0xf },
	/*
	 * For the first event neither the user nor the event's name gives an opcode, so the filter
	 * lets all opcodes pass. For the second event the user gives an opcode. The name of the
	 * third event stands for an event with an opcode in the filter.
	 */
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS", BPMU_UNIT_CHA, 0x2135, 0xf, 0x3b00000000 },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS:filter_opc0=0x202", BPMU_UNIT_CHA, 0x2135,
	  0xf, 0x4043300000000 },
	{ "skx", "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD", BPMU_UNIT_CHA, 0x2136, 0x1,
	  0x4043300000000 },
	{ "skx", "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD:filter_rem=0:c=2", BPMU_UNIT_CHA,
	  0x2002136, 0x1, 0x4043200000000 },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_HIT_RFO:filter_opc1=0x202:filter_nc=1",
	  BPMU_UNIT_CHA, 0x1135, 0xf, 0x5014003300000000 },
	{ "skx", "UNC_CHA_TOR_INSERTS.IO:filter_opc1=0x21e:filter_all_op=1", BPMU_UNIT_CHA,
	  0x3435, 0xf, 0x10f0003b00000000 },
	{ "skx", "UNC_CHA_LLC_LOOKUP.ANY", BPMU_UNIT_CHA, 0x1134, 0xf, 0x1e20000 },
	{ "skx", "UNC_CHA_LLC_LOOKUP.DATA_READ:filter_state=1", BPMU_UNIT_CHA, 0x334, 0xf,
	  0x20000 },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA:tid_en=1:filter_tid=9:i:c=1", BPMU_UNIT_CHA,
	  0x1883135, 0xf, 0x3b00000009 },
	{ "skx", "UNC_CHA_RxC_OCCUPANCY.IRQ", BPMU_UNIT_CHA, 0x111, 0x1 },
	{ "skx", "UNC_M_CAS_COUNT.WR:i:c=1", BPMU_UNIT_IMC, 0x1800c04, 0xf },
	{ "skx", "UNC_M_CLOCKTICKS_F", BPMU_UNIT_IMC, 0, 0x10 },
	{ "adl", "UNC_M_CLOCKTICKS:e", BPMU_UNIT_IMC, 0x40001, 0x1f },
	{ "adl-e", "UNC_M_CAS_COUNT_RD:chmask=0xa", BPMU_UNIT_IMC, 0xa22, 0x1f },
	{ "mtl", "UNC_M_RD_DATA", BPMU_UNIT_IMC, 0x3a, 0x1f },
	{ "knl", "UNC_M_CAS_COUNT.WR:i:c=1", BPMU_UNIT_IMC, 0x1800203, 0xf },
	{ "knl", "UNC_M_CLOCKTICKS_F", BPMU_UNIT_IMC, 0, 0x10 },
	{ "knl", "UNC_M_U_CLOCKTICKS", BPMU_UNIT_IMC_UCLK, 0, 0xf },
	{ "knl", "UNC_E_RPQ_INSERTS:e:c=1", BPMU_UNIT_EDC_ECLK, 0x1040101, 0xf },
	{ "knl", "unc_e_edc_access.miss", BPMU_UNIT_EDC_UCLK, 0x1c02, 0xf },
	{ "knl", "UNC_E_U_CLOCKTICKS_F", BPMU_UNIT_EDC_UCLK, 0, 0x10 },
	{ "knl", "UNC_M2P_EGRESS_CYCLES_NE.BL_1", BPMU_UNIT_M2PCIE, 0x2023, 0x3 },
	{ "skx", "UNC_M2M_IMC_READS.ALL:i:c=2", BPMU_UNIT_HA, 0x2800437, 0xf },
	{ "skx", "unc_upi_txl_flits.all_data", BPMU_UNIT_LINK, 0xf02, 0xf },
	{ "skx", "UNC_UPI_RxL_FLITS.NON_DATA:e:c=1", BPMU_UNIT_LINK, 0x1049703, 0xf },
	{ "skx", "UNC_IIO_CLOCKTICKS:e:c=1", BPMU_UNIT_IIO, 0x1040001, 0xf },
	{ "skx", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0", BPMU_UNIT_IIO, 0x701000000483, 0x3 },
	{ "skx", "unc_iio_data_req_by_cpu.mem_write.part3:CH_MASK=0xf", BPMU_UNIT_IIO,
	  0x70f0000001c0, 0xc },
	{ "skx", "UNC_IIO_TXN_REQ_OF_CPU.MEM_WRITE.PART2:fc_mask=1:ch_mask=255", BPMU_UNIT_IIO,
	  0x1ff000000184, 0xf },
	{ "skx", "UNC_IIO_COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS:[<4095]", BPMU_UNIT_IIO,
	  0x400fff800fd5, 0xc },
	{ "skx", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C6:[<3]", BPMU_UNIT_PCU, 0x380c080, 0xf },
	{ "skx", "UNC_U_CLOCKTICKS", BPMU_UNIT_UBOX, 0, 0x4 },
	{ "skx", "UNC_U_RACU_DRNG.RDSEED:c=31", BPMU_UNIT_UBOX, 0x1f00024c, 0x3 },
	{ "spr", "UNC_M2M_IMC_READS.ALL", BPMU_UNIT_HA, 0x300000424, 0xf },
	{ "emr", "UNC_M2M_IMC_WRITES.ALL:umask_ext=8:c=1", BPMU_UNIT_HA, 0x801001025, 0xf },
	{ "spr", "UNC_U_EVENT_MSG.DOORBELL_RCVD:c=31", BPMU_UNIT_UBOX, 0x1f000842, 0x3 },
	{ "gnr", "unc_b2cmi_imc_reads.all", BPMU_UNIT_HA, 0x100000424, 0xf },
	{ "ivt", "UNC_M_CAS_COUNT.RD", BPMU_UNIT_IMC, 0x304, 0xf },
	{ "jkt", "UNC_M_RPQ_OCCUPANCY:i:c=2", BPMU_UNIT_IMC, 0x2800080, 0xf },
	{ "bdx", "unc_m_clockticks", BPMU_UNIT_IMC, 0, 0x10 },
	{ "bdx", "UNC_M_CLOCKTICKS_P:e:c=1", BPMU_UNIT_IMC, 0x1040000, 0xf },
	{ "hsx", "UNC_M_CLOCKTICKS", BPMU_UNIT_IMC, 0, 0xf },
	{ "hsx", "UNC_M_CLOCKTICKS_F", BPMU_UNIT_IMC, 0, 0x10 },
	{ "jkt", "UNC_H_REQUESTS.READS", BPMU_UNIT_HA, 0x301, 0xf },
	{ "hsx", "UNC_H_TRACKER_OCCUPANCY.READS_LOCAL:i:c=2", BPMU_UNIT_HA, 0x2800404, 0xf },
	{ "ivt", "UNC_Q_TxL_FLITS_G0.DATA", BPMU_UNIT_LINK, 0x200, 0xf },
	{ "bdx", "unc_q_rxl_flits_g1.drs_data:e:c=1", BPMU_UNIT_LINK, 0x1240802, 0xf },
	/* An event of the core that needs an extra register. */
	{ "ivb", "cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001/", BPMU_UNIT_CORE,
	  0x301b7, 0xf, 0x10001 },
	{ "skl", "r1bb:OFFCORE_RSP=0x3f80000001:u", BPMU_UNIT_CORE, 0x101bb, 0xf,
	  0x3f80000001 },
	{ "skl", "cpu/event=0xc6,umask=1,frontend=0x400406/u", BPMU_UNIT_CORE, 0x101c6,
	  0xf, 0x400406 },
	{ "spr", "cpu/event=0x2a,umask=1,cmask=2,offcore_rsp=0x3fffffffff/",
	  BPMU_UNIT_CORE, 0x203012a, 0xf, 0x3fffffffff },
	{ "tnt", "cpu/event=0xb7,umask=1,offcore_rsp=0x8000000000000001/",
	  BPMU_UNIT_CORE, 0x301b7, 0xf, 0x8000000000000001 },
};

TEST(parses_uncore_events)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		pmu = unit_pmu(taken[i].part, 4);
		if (bpmu_event_parse(&pmu, 1, taken[i].text, &spec, &err))
			fail_msg("%s", err.text);
		if (spec.nr != 1 || spec.term[0].unit != taken[i].unit ||
		    spec.term[0].select != taken[i].select ||
		    spec.term[0].filter != taken[i].filter ||
		    spec.term[0].counters != taken[i].counters)
			fail_msg("%s: %llx on %llx", taken[i].text,
				 spec.term[0].select, spec.term[0].counters);
		bpmu_event_free(&spec);
	}
}

static const struct {
	const char *part;
	const char *text;
	int code;
	const char *says;
} refused[] = {
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:u", -EINVAL,
	  "the uncore counts for the whole package; leave out u and k" },
	{ "ivb", "UNC_CLOCK.SOCKET:k", -EINVAL,
	  "the uncore counts for the whole package; leave out u and k" },
	{ "ivb", "cpu/UNC_CLOCK.SOCKET/uk", -EINVAL,
	  "the uncore counts for the whole package; leave out u and k" },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:[>=32]", -ERANGE,
	  "'[>=32]' needs counter mask 32; 31 is the highest" },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:[=31]", -ERANGE,
	  "'[=31]' needs counter mask 32; 31 is the highest" },
	{ "skl", "UNC_ARB_TRK_OCCUPANCY.ALL:c=32", -ERANGE,
	  "counter mask 32 is too large; 31 is the highest" },
	{ "ivb", "UNC_ARB_TRK_OCCUPANCY.ALL:t", -EINVAL,
	  "bit 21, ANY (any thread), must not be set on arb of ivb; leave it out" },
	{ "ivb", "UNC_CLOCK.SOCKET:[>=2]", -EINVAL,
	  "UNC_CLOCK.SOCKET has a counter of its own, without filters; leave them out" },
	{ "icl", "UNC_ARB_TRK_OCCUPANCY.ALL", -ENOENT, "not known on icl; see 'barepmu list'" },
	/* Events of the memory controllers of client CPUs can have no threshold. */
	{ "adl", "UNC_M_CAS_COUNT_RD:c=1", -EINVAL,
	  "bit 24, CMASK (counter mask), must not be set on imc of adl; leave it out" },
	{ "adl", "UNC_M_CAS_COUNT_RD:chmask=16", -ERANGE,
	  "'chmask=16' is too large; 0xf is the highest chmask" },
	{ "adl", "UNC_M_CAS_COUNT_RD:k", -EINVAL,
	  "the memory controller counts for all CPUs that share it; leave out u and k" },
	{ "mtl", "UNC_M_DRAM_PAGE_HIT_RD", -ENOENT, "not known on mtl; see 'barepmu list'" },
	{ "nvl", "UNC_M_CAS_COUNT_RD", -ENOENT,
	  "not counted on nvl: a discovery table announces it, whose address is in MSR 0x711 and which barepmu does not read; see 'barepmu list parts -v'" },
	{ "nvl-e", "unc_m_total_data", -ENOENT,
	  "not counted on nvl-e: a discovery table announces it, whose address is in MSR 0x711 and which barepmu does not read; see 'barepmu list parts -v'" },
	{ "knl", "UNC_H_U_CLOCKTICKS", -ENOENT,
	  "not counted on knl: its cha, pcu, ubox and irp are not programmed; see 'barepmu list parts -v'" },
	{ "knl", "UNC_M_D_CLOCKTICK", -ENOENT,
	  "not known on knl; did you mean UNC_M_D_CLOCKTICKS, UNC_M_U_CLOCKTICKS, UNC_E_E_CLOCKTICKS, UNC_E_U_CLOCKTICKS, UNC_M_U_CLOCKTICKS_F? See 'barepmu list'" },
	{ "ivt", "UNC_ARB_TRK_OCCUPANCY.ALL", -ENOENT,
	  "not known on ivt; did you mean UNC_C_TOR_OCCUPANCY.ALL? See 'barepmu list'" },
	/* Users set these fields of an event select by the fields' own names. */
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:threadmask=0", -EINVAL,
	  "'threadmask=0' counts nothing; set a bit of 0xff, or leave it out to count all" },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:slicemask=16", -ERANGE,
	  "'slicemask=16' is too large; 0xf is the highest slicemask" },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:slicemask=-1", -EINVAL,
	  "'slicemask=-1' is not a number; write it as 0x1f or 31" },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:slicemask=1:slicemask=1", -EINVAL,
	  "'slicemask=1' repeats another filter; drop one" },
	{ "zen2", "L3_LOOKUP_STATE.L3_MISS:coreid=1", -EINVAL,
	  "'coreid=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS:slicemask=1", -EINVAL,
	  "'slicemask=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS:coreid=8", -ERANGE,
	  "'coreid=8' is too large; 0x7 is the highest coreid" },
	{ "zen4", "RETIRED_INSTRUCTIONS:coreid=1", -EINVAL,
	  "'coreid=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS:u", -EINVAL,
	  "the L3 counts for all CPUs that share it; leave out u and k" },
	{ "zen4", "L3_LOOKUP_STATE.L3_MISS:e", -EINVAL,
	  "bit 18, E (edge), must not be set on l3 of zen4; leave it out" },
	{ "zen4", "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_3:u", -EINVAL,
	  "the data fabric counts for all CPUs that share it; leave out u and k" },
	{ "zen4", "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_3:c=7", -EINVAL,
	  "bit 24, CMASK (counter mask), must not be set on df of zen4; leave it out" },
	{ "zen4", "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_3:c=0", -EINVAL,
	  "bit 24, CMASK (counter mask), must not be set on df of zen4; leave it out" },
	{ "zen4", "UMC_CAS_CMD.RD:u", -EINVAL,
	  "the memory controller counts for all CPUs that share it; leave out u and k" },
	{ "zen4", "UMC_CAS_CMD.RD:rdwrmask=4", -ERANGE,
	  "'rdwrmask=4' is too large; 0x3 is the highest rdwrmask" },
	{ "zen4", "UMC_CAS_CMD.RD:c=1", -EINVAL,
	  "bit 24, CMASK (counter mask), must not be set on umc of zen4; leave it out" },
	{ "zen4", "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_3:[>=2]", -EINVAL,
	  "bit 23, INV (invert), must not be set on df of zen4; leave it out" },
	{ "bdx", "UNC_C_TOR_INSERTS.OPCODE", -EINVAL,
	  "UNC_C_TOR_INSERTS.OPCODE counts what filter_opc= says; add it, as UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182" },
	{ "bdx", "UNC_C_TOR_INSERTS.OPCODE:filter_opc=512", -ERANGE,
	  "'filter_opc=512' is too large; 0x1ff is the highest filter_opc" },
	{ "bdx", "UNC_C_TOR_INSERTS.OPCODE:filter_opc=1:filter_opc=1", -EINVAL,
	  "'filter_opc=1' repeats another filter; drop one" },
	{ "bdx", "UNC_C_TOR_INSERTS.ALL:filter_opc=1", -EINVAL,
	  "what UNC_C_TOR_INSERTS.ALL counts does not depend on filter_opc; leave it out" },
	{ "bdx", "UNC_C_TOR_INSERTS.ALL:filter_tid=1", -EINVAL,
	  "filter_tid works with tid_en=1 alone; add that" },
	{ "jkt", "UNC_C_LLC_LOOKUP.WRITE:filter_state=32", -ERANGE,
	  "'filter_state=32' is too large; 0x1f is the highest filter_state" },
	{ "ivt", "UNC_C_LLC_LOOKUP.WRITE:filter_state=0", -EINVAL,
	  "'filter_state=0' counts nothing; set a bit of 0x3f, or leave it out to count all" },
	{ "jkt", "UNC_C_TOR_INSERTS.OPCODE:filter_opc=1:filter_nc=1", -EINVAL,
	  "'filter_nc=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS_DRD:filter_opc0=0x202", -EINVAL,
	  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD has filter_opc0=0x202 of its own; leave yours out" },
	{ "skx", "UNC_CHA_REQUESTS.READS:filter_loc=1", -EINVAL,
	  "what UNC_CHA_REQUESTS.READS counts does not depend on filter_loc; leave it out" },
	{ "skx", "UNC_CHA_LLC_LOOKUP.ANY:filter_state=0", -EINVAL,
	  "'filter_state=0' counts nothing; set a bit of 0x3ff, or leave it out to count all" },
	{ "skx", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0:ch_mask=0", -EINVAL,
	  "'ch_mask=0' counts nothing; set a bit of 0xff, or leave it out to count all" },
	{ "skx", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0:ch_mask=256", -ERANGE,
	  "'ch_mask=256' is too large; 0xff is the highest ch_mask" },
	{ "skx", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0:fc_mask=8", -ERANGE,
	  "'fc_mask=8' is too large; 0x7 is the highest fc_mask" },
	{ "skx", "UNC_UPI_TxL_FLITS.ALL_DATA:t", -EINVAL,
	  "bit 21, ANY (any thread), must not be set on upi of skx; leave it out" },
	{ "skx", "UNC_M2M_CLOCKTICKS:u", -EINVAL,
	  "the M2M counts for all CPUs that share it; leave out u and k" },
	{ "skx", "UNC_IIO_CLOCKTICKS:c=4096", -ERANGE,
	  "counter mask 4096 is too large; 4095 is the highest" },
	{ "skx", "UNC_IIO_CLOCKTICKS:t", -EINVAL,
	  "bit 21, ANY (any thread), must not be set on iio of skx; leave it out" },
	{ "skx", "UNC_IIO_CLOCKTICKS:tid_en=1", -EINVAL,
	  "'tid_en=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "skx", "UNC_IIO_CLOCKTICKS:u", -EINVAL,
	  "the IIO stack counts for all CPUs that share it; leave out u and k" },
	{ "skx", "UNC_M_CAS_COUNT.RD:ch_mask=1", -EINVAL,
	  "'ch_mask=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "skx", "UNC_CHA_CLOCKTICKS:k", -EINVAL,
	  "the CHA counts for all CPUs that share it; leave out u and k" },
	{ "ivt", "UNC_C_CLOCKTICKS:u", -EINVAL,
	  "the CBo counts for all CPUs that share it; leave out u and k" },
	{ "ivt", "UNC_C_CLOCKTICKS:i:c=1", -EINVAL,
	  "bit 23, INV (invert), must not be set on cbo of ivt; leave it out" },
	{ "hsx", "UNC_M_CLOCKTICKS_F:c=1", -EINVAL,
	  "UNC_M_CLOCKTICKS_F has a counter of its own, without filters; leave them out" },
	{ "ivt", "UNC_M_CAS_COUNT.RD:i:c=1", -EINVAL,
	  "bit 23, INV (invert), must not be set on imc of ivt; leave it out" },
	/*
	 * On a core bit 21 of an event select is ANY (any thread). On a link it would be part of
	 * the event code.
	 */
	{ "hsx", "UNC_Q_TxL_FLITS_G0.DATA:t", -EINVAL,
	  "bit 21, ANY (any thread), must not be set on qpi of hsx; leave it out" },
	{ "ivt", "UNC_Q_CLOCKTICKS:i:c=1", -EINVAL,
	  "bit 23, INV (invert), must not be set on qpi of ivt; leave it out" },
	{ "jkt", "UNC_H_CLOCKTICKS:u", -EINVAL,
	  "the home agent counts for all CPUs that share it; leave out u and k" },
	{ "bdx", "UNC_Q_CLOCKTICKS:k", -EINVAL,
	  "the QPI link counts for all CPUs that share it; leave out u and k" },
	{ "ivt", "UNC_C_CLOCKTICKS:t", -EINVAL,
	  "bit 21, ANY (any thread), must not be set on cbo of ivt; leave it out" },
	{ "ivt", "UNC_C_CLOCKTICKS:c=256", -ERANGE,
	  "counter mask 256 is too large; 255 is the highest" },
	{ "ivt", "UNC_P_FREQ_BAND1_CYCLES", -EINVAL,
	  "UNC_P_FREQ_BAND1_CYCLES counts what filter_band1= says; add it, as UNC_P_FREQ_BAND1_CYCLES:filter_band1=0x14" },
	{ "jkt", "UNC_P_CLOCKTICKS:filter_band0=1", -EINVAL,
	  "what UNC_P_CLOCKTICKS counts does not depend on filter_band0; leave it out" },
	{ "hsx", "UNC_P_CLOCKTICKS:c=32", -ERANGE,
	  "counter mask 32 is too large; 31 is the highest" },
	{ "ivt", "UNC_P_CLOCKTICKS:i:c=1", -EINVAL,
	  "bit 23, INV (invert), must not be set on pcu of ivt; leave it out" },
	{ "hsx", "UNC_P_CLOCKTICKS:u", -EINVAL,
	  "the PCU counts for all CPUs that share it; leave out u and k" },
	{ "hsx", "UNC_U_CLOCKTICKS:c=1", -EINVAL,
	  "UNC_U_CLOCKTICKS has a counter of its own, without filters; leave them out" },
	{ "bdx", "UNC_U_CLOCKTICKS:k", -EINVAL,
	  "the UBox counts for all CPUs that share it; leave out u and k" },
	{ "bdx", "UNC_U_EVENT_MSG.DOORBELL_RCVD:[>31]", -ERANGE,
	  "'[>31]' needs counter mask 32; 31 is the highest" },
	{ "bdx", "UNC_U_EVENT_MSG.DOORBELL_RCVD:occ_edge=1", -EINVAL,
	  "'occ_edge=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "skl", "r1b7", -EINVAL,
	  "it counts what offcore_rsp= says; add it, as in cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001/" },
	{ "skl", "r1c6:offcore_rsp=1", -EINVAL,
	  "what it counts does not depend on offcore_rsp; leave it out" },
	{ "skl", "cycles:frontend=0x11", -EINVAL,
	  "what CPU_CLK_UNHALTED.THREAD counts does not depend on frontend; leave it out" },
	{ "skl", "r1b7:offcore_rsp=0x11000", -EINVAL,
	  "bit 12 of offcore_rsp is reserved on skl; leave it out" },
	{ "tnt", "cpu/event=0xb7,umask=2,offcore_rsp=0x8000000000000001/", -EINVAL,
	  "bit 63 of offcore_rsp is reserved on tnt; leave it out" },
	{ "skl", "r1b7:offcore_rsp=0", -EINVAL,
	  "'offcore_rsp=0' counts nothing; set the bits of what to count" },
	{ "skl", "r1b7:offcore_rsp=1:offcore_rsp=1", -EINVAL,
	  "'offcore_rsp=1' repeats another filter; drop one" },
	{ "skl", "r1b7:offcore_rsp=0x10000000000000000", -EINVAL,
	  "'offcore_rsp=0x10000000000000000' is not a number of 64 bits; write it as 0x10001" },
	{ "skl", "cpu/event=0xcd,umask=1,ldlat=3/", -EINVAL,
	  "the load latency counts nothing without precise records; record it with -c, and with :pp" },
	{ "nhm", "cpu/event=0x0b,umask=0x10,ldlat=3/", -EINVAL,
	  "the load latency counts nothing without precise records; record it with -c, and with :pp" },
	{ "slm", "cpu/event=0xcd,umask=1,ldlat=3/", -EINVAL,
	  "such an event counts nothing unless PEBS samples it, which is not used here; use 'perf mem record', or 'barepmu list events mem_load' for loads by where they hit" },
	{ "ivb", "cpu/event=0xc6,umask=1,frontend=0x11/", -EINVAL,
	  "'frontend=0x11' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "zen2", "cpu/event=0xb7,umask=1,offcore_rsp=1/", -EINVAL,
	  "'offcore_rsp=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
};

TEST(refuses_invalid_uncore_events)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		pmu = unit_pmu(refused[i].part, 4);
		err.text[0] = '\0';
		ret = bpmu_event_parse(&pmu, 1, refused[i].text, &spec, &err);
		if (ret != refused[i].code ||
		    !unit_event_said(refused[i].text, refused[i].says, err.text))
			fail_msg("%s: %d, %s", refused[i].text, ret, err.text);
	}
}

TEST(refuses_cbo_events_without_cbos)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	pmu.nr[BPMU_UNIT_CBO] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_CBO_CACHE_LOOKUP.ANY_I",
					  &spec, &err), -ENODEV);
	assert_non_null(strstr(err.text, "no counter of this PMU can hold it"));
}

/* The CPU model has these counters, but here a hypervisor hides them. */
TEST(refuses_events_of_hidden_counters)
{
	struct bpmu_pmu pmu = unit_pmu("zen4", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	pmu.nr[BPMU_UNIT_L3] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "L3_LOOKUP_STATE.L3_MISS",
					  &spec, &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's L3 has no counters"));
	pmu.nr[BPMU_UNIT_DF] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1,
					  "LOCAL_SOCKET_READ_DATA_BEATS_DRAM_0",
					  &spec, &err), -ENODEV);
	assert_non_null(strstr(err.text,
			       "this CPU's data fabric has no counters"));
	pmu.nr[BPMU_UNIT_UMC] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UMC_MEM_CLK", &spec, &err),
			 -ENODEV);
	assert_non_null(strstr(err.text,
			       "this CPU's memory controller has no counters"));
	pmu = unit_pmu("bdx", 4);
	pmu.nr[BPMU_UNIT_CHA] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_C_CLOCKTICKS", &spec,
					  &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's CBo has no counters"));
	pmu.nr[BPMU_UNIT_UBOX] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_U_CLOCKTICKS", &spec,
					  &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's UBox has no counters"));
	pmu.nr[BPMU_UNIT_UBOX] = 1;
	pmu.nr[BPMU_UNIT_PCU] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_P_CLOCKTICKS", &spec,
					  &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's PCU has no counters"));
	pmu.nr[BPMU_UNIT_IMC] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_M_CLOCKTICKS_F", &spec,
					  &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's memory channel has no counters"));
	pmu.nr[BPMU_UNIT_HA] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_H_REQUESTS.READS", &spec,
					  &err), -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's home agent has no counters"));
	pmu.nr[BPMU_UNIT_LINK] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_Q_CLOCKTICKS", &spec, &err),
			 -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's QPI link has no counters"));
	pmu = unit_pmu("skx", 4);
	pmu.nr[BPMU_UNIT_IIO] = 0;
	assert_int_equal(bpmu_event_parse(&pmu, 1, "UNC_IIO_CLOCKTICKS", &spec, &err),
			 -ENODEV);
	assert_non_null(strstr(err.text, "this CPU's IIO stack has no counters"));
}

/*
 * Writes the fields of an event select that only one type of box has, as users type them. Returns
 * false, with an empty text, if a bit belongs to no such field.
 */
TEST(writes_fields_of_one_type_of_box)
{
	const struct bpmu_part *part = bpmu_part_by_name("skx");
	const struct bpmu_box *iio = bpmu_uncore_box(part, BPMU_UNIT_IIO);
	char text[64];

	assert_true(bpmu_event_fields_write(iio, 0x70f0000001c0, text, sizeof(text)));
	assert_string_equal(text, "ch_mask=0xf:fc_mask=0x7");
	assert_true(bpmu_event_fields_write(iio, 0x400000000fd5, text, sizeof(text)));
	assert_string_equal(text, "fc_mask=0x4");
	assert_false(bpmu_event_fields_write(iio, 1, text, sizeof(text)));
	assert_string_equal(text, "");
	assert_false(bpmu_event_fields_write(NULL, 0x70f0000001c0, text, sizeof(text)));
}

TEST(an_equal_threshold_of_the_uncore_is_two_terms)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 1,
					  "UNC_ARB_TRK_OCCUPANCY.ALL:[=5]",
					  &spec, &err), 0);
	assert_int_equal(spec.nr, 2);
	assert_int_equal(spec.term[1].select, 0x6000180);
	assert_int_equal(spec.term[1].unit, BPMU_UNIT_ARB);
	bpmu_event_free(&spec);
}
