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
	  "event 'UOPS_ISUED.ANY': not known on ivb; did you mean UOPS_ISSUED.ANY? See 'barepmu list'"
	},
	{ "instrutions", -ENOENT, "did you mean instructions?" },
	{ "UOPS_ISSUED", -ENOENT, "did you mean UOPS_ISSUED.ANY, " },
	{ "NO_SUCH_THING_AT_ALL", -ENOENT,
	  "event 'NO_SUCH_THING_AT_ALL': not known on ivb; see 'barepmu list'" },
	{ "", -EINVAL, "an event is empty; leave out a comma" },
	{ "cycles,,instructions", -EINVAL, "an event is empty" },
	{ "cycles,", -EINVAL, "an event is empty" },
	{ "UOPS_ISSUED.ANY:zz", -EINVAL,
	  "'zz' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "UOPS_ISSUED.ANY:", -EINVAL, "'' is not a filter" },
	{ "UOPS_ISSUED.ANY:[>=]", -EINVAL, "'[>=]' is not a filter" },
	{ "UOPS_ISSUED.ANY:[>=2", -EINVAL, "'[>=2' is not a filter" },
	{ "UOPS_ISSUED.ANY:[>=-2]", -EINVAL, "'[>=-2]' is not a filter" },
	{ "UOPS_ISSUED.ANY:c=", -EINVAL, "'c=' is not a filter" },
	{ "UOPS_ISSUED.ANY:[>=0]", -EINVAL, "holds in every cycle" },
	{ "UOPS_ISSUED.ANY:[<0]", -EINVAL, "holds in no cycle" },
	{ "UOPS_ISSUED.ANY:[>=256]", -ERANGE,
	  "needs counter mask 256; 255 is the highest" },
	{ "UOPS_ISSUED.ANY:[>255]", -ERANGE, "needs counter mask 256" },
	{ "UOPS_ISSUED.ANY:[=255]", -ERANGE, "needs counter mask 256" },
	{ "UOPS_ISSUED.ANY:c=256", -ERANGE, "counter mask 256 is too large" },
	{ "UOPS_ISSUED.ANY:c=1:c=2", -EINVAL,
	  "'c=2' repeats another filter; drop one" },
	{ "UOPS_ISSUED.ANY:[>=2]:c=2", -EINVAL, "'c=2' repeats another filter" },
	{ "UOPS_ISSUED.ANY:e:edge", -EINVAL, "'edge' repeats another filter" },
	{ "UOPS_ISSUED.ANY:u:uk", -EINVAL, "'uk' repeats another filter" },
	{ "UOPS_ISSUED.ANY:i", -EINVAL,
	  "invert does nothing without a counter mask; add c=N" },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS:[>=2]", -EINVAL,
	  "CYCLE_ACTIVITY.STALLS_L2_MISS has a filter of its own (counter mask 5); leave yours out"
	},
	{ "MACHINE_CLEARS.COUNT:e=0", -EINVAL,
	  "has a filter of its own (counter mask 1, edge)" },
	{ "INST_RETIRED.ANY:[>=2]", -EINVAL,
	  "on a fixed counter, which has no filters but u, k and t; use INST_RETIRED.ANY_P" },
	{ "cycles:c=2", -EINVAL, "use CPU_CLK_UNHALTED.THREAD_P" },
	{ "ref-cycles:e", -EINVAL, "leave the others out" },
	{ "r801c2", -EINVAL,
	  "bit 19, PC (pin control), must not be set on ivb; leave it out" },
	{ "r1001c2", -EINVAL, "bit 20, INT (interrupt), must not be set" },
	{ "r4001c2", -EINVAL, "bit 22, EN (enable), must not be set" },
	{ "r1000001c2", -EINVAL, "bit 32, reserved, must not be set" },
	{ "cpu/config=0x4001c2/", -EINVAL, "bit 22, EN (enable)" },
	{ "r0300", -EINVAL,
	  "code 0 counts nothing on a general counter of ivb" },
	{ "cpu/event=1,umask=2", -EINVAL, "the second '/' is missing" },
	{ "cpu/event=0x1ff/", -EINVAL,
	  "'event=0x1ff' is not a number that fits" },
	{ "cpu/event=1,umask=x/", -EINVAL, "'umask=x' is not a number" },
	{ "cpu/event=1,foo=2/", -EINVAL, "'foo=2' is not a filter" },
	{ "{cycles,instructions", -EINVAL, "a '}' is missing; write {A,B}" },
	{ "cycles}", -EINVAL, "misplaced '}'" },
	{ "{cycles}u", -EINVAL, "misplaced '}u'" },
	{ "{cycles,{instructions}}", -EINVAL, "misplaced '{instructions}}'" },
	{ "cycles{instructions}", -EINVAL, "misplaced '{instructions}'" },
	{ "{cycles,instructions}:q", -EINVAL, "'q' is not a filter" },
	{ "NO_SUCH*", -ENOENT, "nothing of ivb matches" },
	{ "L1D_PEND_MISS.PENDING:PMC1", -ENODEV,
	  "that counter cannot hold it; PMC2 can, or leave the counter out" },
	{ "UOPS_ISSUED.ANY:PMC4", -ENODEV, "PMC0, PMC1, PMC2, PMC3 can" },
	{ "cycles:PMC0", -ENODEV, "FIXC1 can" },
	{ "INSTR_RETIRED_ANY:PMC0", -ENODEV, "FIXC0 can" },
	{ "CPU_CLK_UNHALTED_CORE:FIXC0", -ENODEV, "FIXC1 can" },
	{ "UOPS_ISSUED_ANY:PMC0", -ENOENT, "did you mean UOPS_ISSUED.ANY" },
	{ "INST_RETIRED_ANY:PMC0", -ENOENT, "INST_RETIRED.ANY_P" },
	{ "TOPDOWN_SLOTS:FIXC3", -ENOENT, "TOPDOWN_SLOTS" },
	{ "UOPS_ISSUED.ANY:PMC0:PMC1", -EINVAL, "'PMC1' repeats another filter" },
	{ "LLC-load-mises", -ENOENT, "use one of LLC-load-misses, LLC-loads" },
	{ "context-switches", -ENOENT, "the kernel counts it; use perf stat" },
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
		    !strstr(err.text, refused[i].says))
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
