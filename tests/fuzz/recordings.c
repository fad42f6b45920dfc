// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzer of recordings. It first corrects the checksums in its input, so that no recording is
 * refused because of a wrong checksum. If the recording is refused nevertheless, there must be an
 * error message. If it is accepted, intervals are made of its samples, and its blocks with records
 * of counter interrupts are read.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "recording/recording_branch.h"
#include "recording/recording_counts.h"
#include "recording/recording_op.h"
#include "recording/recording_chain.h"
#include "recording/recording_overflow.h"
#include "recording/recording_read.h"
#include "replay/report_by_symbol.h"
#include "source/measure.h"
#include "source/series.h"

/* Maximum number of intervals for which output is made: more would only take time. */
#define INTERVALS_MOST 1000

static void put_right(unsigned char *data, size_t size)
{
	size_t at = BPMU_RECORDING_MAGIC_BYTES;
	u32 head[4];

	for (; at + sizeof(head) <= size; at += sizeof(head) + head[1]) {
		memcpy(head, data + at, sizeof(head));
		head[2] = bpmu_recording_crc(0, head, 2 * sizeof(*head));
		if (head[1] <= size - at - sizeof(head))
			head[3] = bpmu_recording_crc(0, data + at +
						     sizeof(head), head[1]);
		memcpy(data + at, head, sizeof(head));
		if (head[1] > size)
			break;
	}
}

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	u64 *before = data;

	fuzz_hold(interval->index == *before, "no interval is left out");
	++*before;
}

static int read_samples(struct bpmu_recording_file *file,
			struct bpmu_by_symbols *symbols, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(file);
	u64 intervals = 0;
	struct bpmu_measure measure = {
		.info = &about->info, .cpus = about->cpus.cpu,
		.nr_cpus = about->cpus.nr, .groups = { &about->groups },
		.interval_ns = about->interval_ns,
		.period_ns = about->period_ns, .max_intervals = INTERVALS_MOST,
		.emit = on_interval, .data = &intervals,
	};
	struct bpmu_series *series = bpmu_series_new(&measure, 0);
	struct bpmu_taken_sample sample;
	int ret = 1;

	while (ret > 0 && series && bpmu_series_index(series) < INTERVALS_MOST) {
		ret = bpmu_recording_next(file, &sample, err);
		if (ret <= 0)
			break;
		bpmu_series_add(series, &sample, 1);
		if (bpmu_series_emit(series, INTERVALS_MOST) < 0)
			break;
		if (sample.who)
			bpmu_by_symbols_label(symbols, sample.who);
	}
	if (series)
		bpmu_series_finish(series);
	bpmu_series_free(series);
	return ret < 0 ? ret : 0;
}

static void read_interrupts(struct bpmu_by_symbols *symbols, const char *block, size_t size)
{
	/*
	 * The copy of @block is exactly @size bytes large, so that the sanitizer detects a read
	 * behind the end of @block.
	 */
	char *copy = malloc(size);
	struct bpmu_overflow_code code;
	struct bpmu_overflow record;
	u64 lost;

	if (copy && size)
		memcpy(copy, block, size);
	if (copy && bpmu_overflow_open(&code, copy, size))
		while (code.at < code.end && bpmu_overflow_get(&code, &record, &lost))
			bpmu_by_symbols_label(symbols, &record.who);
	free(copy);
}

static void read_chains(const char *block, size_t size)
{
	/*
	 * The copy of @block is exactly @size bytes large, so that the sanitizer detects a read
	 * behind the end of @block.
	 */
	char *copy = malloc(size);
	struct bpmu_branches_code branches_code;
	struct bpmu_branches branches;
	struct bpmu_counts_code counts_code;
	struct bpmu_counts counts;
	struct bpmu_chains_code code;
	struct bpmu_chains chains;
	struct bpmu_retired_code retired_code;
	struct bpmu_fetch_code fetch_code;
	struct bpmu_fetched fetch;
	struct bpmu_retired retired;
	struct bpmu_op_code op_code;
	struct bpmu_tagged_op op;
	bool present;

	if (copy && size)
		memcpy(copy, block, size);
	if (copy)
		bpmu_chains_open(&code, copy, size);
	while (copy && bpmu_chains_get(&code, &chains))
		;
	if (copy)
		bpmu_branches_open(&branches_code, copy, size);
	while (copy && bpmu_branches_get(&branches_code, &branches))
		;
	if (copy)
		bpmu_counts_open(&counts_code, copy, size);
	while (copy && bpmu_counts_get(&counts_code, &counts))
		;
	if (copy)
		bpmu_op_open(&op_code, copy, size);
	while (copy && bpmu_op_get(&op_code, &op, &present))
		;
	if (copy)
		bpmu_fetch_open(&fetch_code, copy, size);
	while (copy && bpmu_fetch_get(&fetch_code, &fetch, &present))
		fuzz_hold(present || !fetch.flags, "an interrupt without a fetch has no flags");
	if (copy)
		bpmu_retired_open(&retired_code, copy, size);
	while (copy && bpmu_retired_get(&retired_code, &retired, &present))
		fuzz_hold(retired.latency <= 65535, "a retire latency has 16 bits");
	free(copy);
}

/*
 * Reads a block of a recording as a block of type @type. Then reads the same bytes as a block of
 * counter interrupts, of call chains, of branches, of counts, of sampled ops, and of retire
 * latencies, because none of the fuzzer's initial inputs has blocks of these six types.
 */
static void on_block(void *symbols, int type, const char *block, size_t size)
{
	bpmu_by_symbols_add_block(symbols, type, block, size);
	read_interrupts(symbols, block, size);
	read_chains(block, size);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct bpmu_by_symbols symbols = { };
	struct bpmu_recording_file *file;
	struct bpmu_error err = { };
	unsigned char *copy = malloc(size + 1);
	int ret;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	put_right(copy, size);
	ret = bpmu_recording_open(&file, fuzz_file(copy, size), &err);
	if (!ret) {
		bpmu_recording_on_block(file, on_block, &symbols);
		ret = read_samples(file, &symbols, &err);
		bpmu_recording_shut(file);
	}
	fuzz_refused(ret, &err);
	bpmu_by_symbols_free(&symbols);
	free(copy);
	return 0;
}
