// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of events under libpfm4's names: the events have the event selects that libpfm4 gives them,
 * whatever libpfm4's environment variables are.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "event/pfm.h"
#include "unit.h"

TEST(encodes_names_of_libpfm4)
{
	const struct bpmu_part *ivb = bpmu_part_by_name("ivb");
	const struct bpmu_part *knc = bpmu_part_by_name("knc");
	struct bpmu_error err;
	u64 select;
	u64 extra;

	assert_int_equal(bpmu_pfm_encode(ivb, "MEM_LOAD_UOPS_RETIRED:L3_HIT",
					 &select, &extra, &err), 0);
	assert_int_equal(select, 0x4d1);
	assert_int_equal(bpmu_pfm_encode(knc, "BRANCHES", &select, &extra, &err), 0);
	assert_int_equal(select, 0x12);
	assert_int_equal(bpmu_pfm_encode(ivb, "NO_SUCH_THING", &select, &extra, &err),
			 -ENOENT);
}

/*
 * libpfm4 reads its environment variables when the first event is looked up, so this must be the
 * first test of the program.
 */
TEST(leaves_the_environment_unchanged)
{
	const struct bpmu_part *ivb = bpmu_part_by_name("ivb");
	char *const before = strdup("0");
	struct bpmu_error err;
	u64 select;
	u64 extra;

	setenv("LIBPFM_ENCODE_INACTIVE", before, 1);
	assert_int_equal(bpmu_pfm_encode(ivb, "MEM_LOAD_UOPS_RETIRED:L3_HIT",
					 &select, &extra, &err), 0);
	assert_string_equal(getenv("LIBPFM_ENCODE_INACTIVE"), before);
	free(before);
}

TEST(events_that_only_libpfm4_knows_are_parsed)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 8);
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(&pmu, 0,
					  "MEM_LOAD_UOPS_RETIRED:L3_HIT:u",
					  &spec, &err), 0);
	assert_null(spec.row);
	assert_int_equal(spec.term[0].select, 0x104d1);
	assert_int_equal(spec.term[0].counters, 0xf);
	bpmu_event_free(&spec);
}

TEST(off_core_events_have_their_extra_register)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 8);
	struct bpmu_event_spec spec;
	struct bpmu_part without;
	struct bpmu_error err;

	/*
	 * In the MSR for off-core responses (SDM Vol. 3) bits 15 and 11:0 together mean "any
	 * request", and bit 16 means "any response".
	 */
	if (bpmu_event_parse(&pmu, 0, "OFFCORE_RESPONSE_0:ANY_REQUEST", &spec, &err))
		fail_msg("%s", err.text);
	assert_int_equal(spec.term[0].select, 0x301b7);
	assert_int_equal(spec.term[0].filter, 0x18fff);
	bpmu_event_free(&spec);
	/*
	 * If the user gives a value for the off-core response MSR, this value replaces the value
	 * that the event's name stands for, as in perf.
	 */
	if (bpmu_event_parse(&pmu, 0, "OFFCORE_RESPONSE_1:DMND_RFO:offcore_rsp=4", &spec,
			     &err))
		fail_msg("%s", err.text);
	assert_int_equal(spec.term[0].select, 0x301bb);
	assert_int_equal(spec.term[0].filter, 4);
	bpmu_event_free(&spec);
	assert_int_equal(bpmu_event_parse(&pmu, 0,
					  "MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD",
					  &spec, &err), -EINVAL);
	assert_string_equal(err.text, "event 'MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD': the load latency counts nothing without precise records; record it with -c, and with :pp");
	pmu = unit_pmu("nhm", 4);
	assert_int_equal(bpmu_event_parse(&pmu, 0, "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD",
					  &spec, &err), -EINVAL);
	assert_string_equal(err.text, "event 'MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD': the load latency counts nothing without precise records; record it with -c, and with :pp");
	/* a register that the module does not program */
	without = *pmu.part;
	without.extras = NULL;
	pmu.part = &without;
	assert_int_equal(bpmu_event_parse(&pmu, 0, "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD",
					  &spec, &err), -EINVAL);
	assert_string_equal(err.text, "event 'MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD': needs a register besides its select that the module does not program; see 'barepmu list'");
}
