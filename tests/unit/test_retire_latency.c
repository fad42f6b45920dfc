// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the file of retire latencies that "report --retire-latency" writes: an event of the file
 * has the latencies of all recorded events of its name, whatever their modifiers.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "cmd/report/retire_latency.h"
#include "unit.h"

static const struct bpmu_sched_slot user = { .text = "mem_inst.lock:upp" };
static const struct bpmu_sched_slot kernel = { .text = "MEM_INST.LOCK:kpp" };
static const struct bpmu_sched_slot other = { .text = "MEM_INST.LOCK_ALL:pp" };

/* Returns the file of events, to be freed; NULL if none of them has latencies. */
static char *file_of(const struct bpmu_event_shares *events, unsigned int nr)
{
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int code;

	assert_non_null(out);
	code = bpmu_retire_latency_write(out, "FILE", events, nr, &err);
	fclose(out);
	if (!code)
		return text;
	assert_int_equal(code, -ENODATA);
	assert_int_equal(size, 0);
	free(text);
	return NULL;
}

TEST(events_that_differ_in_modifiers_are_one)
{
	static const struct bpmu_event_shares events[] = {
		{ .shares = { &user, .retired = 3, .latency = 60, .least = 10, .most = 30 } },
		{ .shares = { &other, .retired = 2, .latency = 5, .least = 2, .most = 3 } },
		{ .shares = { &kernel, .retired = 1, .latency = 400, .least = 400, .most = 400 } },
		{ .shares = { &user, .retired = 1, .latency = 5, .least = 5, .most = 5 } },
		{ .shares = { &user } },
	};
	char *text = file_of(events, ARRAY_SIZE(events));

	assert_string_equal(text, "{\n \"Data\": {\n"
		"  \"MEM_INST.LOCK\": {\n   \"MIN\": 5,\n   \"MEAN\": 93.0,\n"
		"   \"MAX\": 400,\n   \"SAMPLES\": 5\n  },\n"
		"  \"MEM_INST.LOCK_ALL\": {\n   \"MIN\": 2,\n   \"MEAN\": 2.5,\n"
		"   \"MAX\": 3,\n   \"SAMPLES\": 2\n  }\n }\n}\n");
	free(text);
}

/* An event may have no interrupt with a latency at one privilege level, such as the first. */
TEST(events_without_latency_are_left_out)
{
	static const struct bpmu_event_shares events[] = {
		{ .shares = { &other } }, { .shares = { &user } },
		{ .shares = { &kernel, .retired = 1, .latency = 4, .least = 4, .most = 4 } },
	};
	char *text = file_of(events, ARRAY_SIZE(events));

	assert_string_equal(text, "{\n \"Data\": {\n"
		"  \"MEM_INST.LOCK\": {\n   \"MIN\": 4,\n   \"MEAN\": 4.0,\n"
		"   \"MAX\": 4,\n   \"SAMPLES\": 1\n  }\n }\n}\n");
	free(text);
	assert_null(file_of(events, 2));
}

TEST_GROUP(NULL, NULL);
