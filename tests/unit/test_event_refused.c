// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of refused events: if the hardware cannot count an event, the message says which bit or
 * field is wrong, and what to write instead.
 */

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "unit.h"

static const struct {
	const char *text;
	int code;
	const char *says;
} refused[] = {
	{ "UOPS_ISUED.ANY", -ENOENT,
	  "not known on ivb; did you mean UOPS_ISSUED.ANY? See 'barepmu list'" },
	{ "instrutions", -ENOENT,
	  "not known on ivb; did you mean instructions? See 'barepmu list'" },
	{ "UOPS_ISSUED", -ENOENT,
	  "not known on ivb; did you mean UOPS_ISSUED.ANY, UOPS_ISSUED.CORE_STALL_CYCLES, UOPS_ISSUED.FLAGS_MERGE, UOPS_ISSUED.SINGLE_MUL, UOPS_ISSUED.SLOW_LEA? See 'barepmu list'" },
	{ "NO_SUCH_THING_AT_ALL", -ENOENT, "not known on ivb; see 'barepmu list'" },
	{ "", -EINVAL, "event list: an event is empty; leave out a comma" },
	{ "cycles,,instructions", -EINVAL, "event list: an event is empty; leave out a comma" },
	{ "cycles,", -EINVAL, "event list: an event is empty; leave out a comma" },
	{ "UOPS_ISSUED.ANY:zz", -EINVAL,
	  "'zz' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:", -EINVAL,
	  "'' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>=]", -EINVAL,
	  "'[>=]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>=2", -EINVAL,
	  "'[>=2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>=-2]", -EINVAL,
	  "'[>=-2]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:c=", -EINVAL,
	  "'c=' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>=0]", -EINVAL, "'[>=0]' holds in every cycle; use a number above 0" },
	{ "UOPS_ISSUED.ANY:[<0]", -EINVAL, "'[<0]' holds in no cycle; use a number above 0" },
	{ "UOPS_ISSUED.ANY:[>=256]", -ERANGE,
	  "'[>=256]' needs counter mask 256; 255 is the highest" },
	{ "UOPS_ISSUED.ANY:[>255]", -ERANGE, "'[>255]' needs counter mask 256; 255 is the highest" },
	{ "UOPS_ISSUED.ANY:[=255]", -ERANGE, "'[=255]' needs counter mask 256; 255 is the highest" },
	{ "UOPS_ISSUED.ANY:c=256", -ERANGE, "counter mask 256 is too large; 255 is the highest" },
	{ "UOPS_ISSUED.ANY:c=1:c=2", -EINVAL, "'c=2' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:[>=2]:c=2", -EINVAL, "'c=2' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:e:edge", -EINVAL, "'edge' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:u:uk", -EINVAL, "'uk' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:i", -EINVAL, "invert does nothing without a counter mask; add c=N" },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS:[>=2]", -EINVAL,
	  "CYCLE_ACTIVITY.STALLS_L2_MISS has a filter of its own (counter mask 5); leave yours out" },
	{ "MACHINE_CLEARS.COUNT:e=0", -EINVAL,
	  "MACHINE_CLEARS.COUNT has a filter of its own (counter mask 1, edge); leave yours out" },
	{ "INST_RETIRED.ANY:[>=2]", -EINVAL,
	  "INST_RETIRED.ANY is on a fixed counter, which has no filters but u, k and t; use INST_RETIRED.ANY_P" },
	{ "cycles:c=2", -EINVAL,
	  "CPU_CLK_UNHALTED.THREAD is on a fixed counter, which has no filters but u, k and t; use CPU_CLK_UNHALTED.THREAD_P" },
	{ "ref-cycles:e", -EINVAL,
	  "CPU_CLK_UNHALTED.REF_TSC is on a fixed counter, which has no filters but u, k and t; leave the others out" },
	{ "r801c2", -EINVAL, "bit 19, PC (pin control), must not be set on ivb; leave it out" },
	{ "r1001c2", -EINVAL, "bit 20, INT (interrupt), must not be set on ivb; leave it out" },
	{ "r4001c2", -EINVAL, "bit 22, EN (enable), must not be set on ivb; leave it out" },
	{ "r1000001c2", -EINVAL, "bit 32, reserved, must not be set on ivb; leave it out" },
	{ "cpu/config=0x4001c2/", -EINVAL,
	  "bit 22, EN (enable), must not be set on ivb; leave it out" },
	{ "r0300", -EINVAL,
	  "code 0 counts nothing on a general counter of ivb; use a name from 'barepmu list'" },
	{ "cpu/event=1,umask=2", -EINVAL, "the second '/' is missing; write cpu/event=1,umask=2/" },
	{ "cpu/event=0x1ff/", -EINVAL,
	  "'event=0x1ff' is not a number that fits; write it as 0x1f or 31" },
	{ "cpu/event=1,umask=x/", -EINVAL,
	  "'umask=x' is not a number that fits; write it as 0x1f or 31" },
	{ "cpu/event=1,foo=2/", -EINVAL,
	  "'foo=2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "{cycles,instructions", -EINVAL, "event list: a '}' is missing; write {A,B}" },
	{ "cycles}", -EINVAL, "event list: misplaced '}'; write {A,B} or {A,B}:u" },
	{ "{cycles}u", -EINVAL, "event list: misplaced '}u'; write {A,B} or {A,B}:u" },
	{ "{cycles,{instructions}}", -EINVAL,
	  "event list: misplaced '{instructions}}'; write {A,B} or {A,B}:u" },
	{ "cycles{instructions}", -EINVAL,
	  "event list: misplaced '{instructions}'; write {A,B} or {A,B}:u" },
	{ "{cycles,instructions}:q", -EINVAL,
	  "event 'cycles:q': 'q' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "NO_SUCH*", -ENOENT, "nothing of ivb matches; see 'barepmu list events'" },
	{ "L1D_PEND_MISS.PENDING:PMC1", -ENODEV,
	  "that counter cannot hold it; PMC2 can, or leave the counter out" },
	{ "UOPS_ISSUED.ANY:PMC4", -ENODEV,
	  "that counter cannot hold it; PMC0, PMC1, PMC2, PMC3 can, or leave the counter out" },
	{ "cycles:PMC0", -ENODEV,
	  "that counter cannot hold it; FIXC1 can, or leave the counter out" },
	{ "INSTR_RETIRED_ANY:PMC0", -ENODEV,
	  "that counter cannot hold it; FIXC0 can, or leave the counter out" },
	{ "CPU_CLK_UNHALTED_CORE:FIXC0", -ENODEV,
	  "that counter cannot hold it; FIXC1 can, or leave the counter out" },
	{ "UOPS_ISSUED_ANY:PMC0", -ENOENT,
	  "event 'UOPS_ISSUED_ANY': not known on ivb; did you mean UOPS_ISSUED.ANY? See 'barepmu list'" },
	{ "INST_RETIRED_ANY:PMC0", -ENOENT,
	  "event 'INST_RETIRED_ANY': not known on ivb; did you mean INST_RETIRED.ANY, INST_RETIRED.ANY_P? See 'barepmu list'" },
	{ "TOPDOWN_SLOTS:FIXC3", -ENOENT,
	  "event 'TOPDOWN_SLOTS': not known on ivb; see 'barepmu list'" },
	{ "UOPS_ISSUED.ANY:PMC0:PMC1", -EINVAL, "'PMC1' repeats another filter; drop one" },
	{ "LLC-load-mises", -ENOENT,
	  "neither perf nor barepmu has it on ivb; use one of LLC-load-misses, LLC-loads, LLC-store-misses, LLC-stores, LLC-prefetch-misses, LLC-prefetches" },
	{ "context-switches", -ENOENT, "not known here: the kernel counts it; use perf stat" },
	{ "UOPS_ISSUED.ANY:e2", -EINVAL,
	  "'e2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:edge=2", -EINVAL,
	  "'edge=2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:e=", -EINVAL,
	  "'e=' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:invx", -EINVAL,
	  "'invx' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:anything", -EINVAL,
	  "'anything' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[]", -EINVAL,
	  "'[]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[a2]", -EINVAL,
	  "'[a2]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>2", -EINVAL,
	  "'[>2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[=2", -EINVAL,
	  "'[=2' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[>=2x]", -EINVAL,
	  "'[>=2x]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:[> ]", -EINVAL,
	  "'[> ]' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:c", -EINVAL,
	  "'c' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:c=4x", -EINVAL,
	  "'c=4x' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:cmask=", -EINVAL,
	  "'cmask=' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:PMC", -EINVAL,
	  "'PMC' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:PMC1x", -EINVAL,
	  "'PMC1x' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:pmcx", -EINVAL,
	  "'pmcx' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:PMC32", -EINVAL,
	  "'PMC32' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:FIXC32", -EINVAL,
	  "'FIXC32' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:fixc", -EINVAL,
	  "'fixc' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:offcore=1", -EINVAL,
	  "'offcore=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:frontendx=1", -EINVAL,
	  "'frontendx=1' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:offcore_rsp", -EINVAL,
	  "'offcore_rsp' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:us=", -EINVAL,
	  "'us=' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:pq", -EINVAL,
	  "'pq' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:u k", -EINVAL,
	  "'u k' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:PMC31", -ENODEV,
	  "that counter cannot hold it; PMC0, PMC1, PMC2, PMC3 can, or leave the counter out" },
	{ "UOPS_ISSUED.ANY:FIXC31", -ENODEV,
	  "that counter cannot hold it; PMC0, PMC1, PMC2, PMC3 can, or leave the counter out" },
	{ "NO_SUCH:[>=2]", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:u", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:sup", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:e", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:edge=1", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:c=2", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:c2", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:cmask=2", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:PMC0", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:FIXC1", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:offcore_rsp=1", -ENOENT,
	  "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:uD", -ENOENT, "event 'NO_SUCH': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:zz", -ENOENT, "event 'NO_SUCH.zz': not known on ivb; see 'barepmu list'" },
	{ "NO_SUCH:zz:u", -ENOENT, "event 'NO_SUCH.zz': not known on ivb; see 'barepmu list'" },
	{ "UOPS_EXECUTED.CORE_CYCLES_NONE:c=2", -EINVAL,
	  "UOPS_EXECUTED.CORE_CYCLES_NONE has a filter of its own (counter mask 1, invert); leave yours out" },
	{ "r10701c3:c=2", -EINVAL,
	  "it has a filter of its own (counter mask 1, edge); leave yours out" },
	{ "UOPS_ISSUED.ANY:c=1:[<2]", -EINVAL, "'[<2]' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:i:[>=2]", -EINVAL, "'[>=2]' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:k:uk", -EINVAL, "'uk' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:u:ukp", -EINVAL, "'ukp' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:t:any=0", -EINVAL, "'any=0' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:[=2]:per=UOPS_ISSUED.ANY", -EINVAL,
	  "both events must be counted by one counter each of the same unit; use a quotient" },
	{ "UOPS_ISSUED.ANY:per=UOPS_ISSUED.ANY:[=2]", -EINVAL,
	  "both events must be counted by one counter each of the same unit; use a quotient" },
	{ "UOPS_ISSUED.ANY:per=cycles", -EINVAL,
	  "a quotient is no count; write it in a metric file, or ask for both events" },
	{ "{cycles", -EINVAL, "event list: a '}' is missing; write {A,B}" },
};

TEST(refuses_invalid_events)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_event_list list = { .nr = 0 };
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		err.text[0] = '\0';
		ret = bpmu_event_list_parse(&pmu, 1, refused[i].text, &list,
					    &err);
		bpmu_event_list_free(&list);
		if (ret != refused[i].code ||
		    !unit_event_said(refused[i].text, refused[i].says, err.text))
			fail_msg("%s: %d, %s", refused[i].text, ret, err.text);
	}
}

TEST(refuses_any_thread_on_knc)
{
	struct bpmu_pmu pmu = unit_pmu("knc", 0);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 1, "BRANCHES:t", &spec, &err),
			 -EINVAL);
	assert_string_equal(err.text,
			    "event 'BRANCHES:t': bit 21, ANY (any thread), must not be set on knc; leave it out");
}

TEST(refuses_an_event_without_a_counter)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 2);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 1,
					  "CYCLE_ACTIVITY.STALLS_L1D_MISS",
					  &spec, &err), -ENODEV);
	assert_string_equal(err.text,
			    "event 'CYCLE_ACTIVITY.STALLS_L1D_MISS': no counter of this PMU can hold it; use another event");
}
