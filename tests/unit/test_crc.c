// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the checksum of recordings, CRC-32C: it is the same whether the CPU's CRC instruction
 * or a table computes it. The test includes the source and calls both implementations.
 */
#include "recording/recording_crc.c"

#include "base/array.h"
#include "unit.h"

/*
 * The expected checksums are from RFC 3720 (iSCSI), appendix B.4, and from the catalogue of CRC
 * algorithms.
 */
TEST(known_data_have_known_checksums)
{
	unsigned char zeros[32] = { 0 }, ones[32], up[32], down[32];
	static const char digits[] = "123456789";
	const struct {
		const void *data;
		size_t size;
		u32 crc;
	} known[] = {
		{ zeros, 32, 0x8a9136aa }, { ones, 32, 0x62a8ab43 },
		{ up, 32, 0x46dd794e }, { down, 32, 0x113fdb5c },
		{ digits, 9, 0xe3069283 },
	};
	size_t i;

	for (i = 0; i < 32; i++) {
		ones[i] = 0xff;
		up[i] = i;
		down[i] = 31 - i;
	}
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		assert_int_equal(~by_table(~0U, known[i].data, known[i].size),
				 known[i].crc);
		assert_int_equal(bpmu_recording_crc(0, known[i].data,
						    known[i].size),
				 known[i].crc);
	}
}

TEST(the_checksum_of_parts_is_that_of_the_whole)
{
	unsigned char data[64];
	u32 whole, parts;
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 37;
	whole = bpmu_recording_crc(0, data, sizeof(data));
	for (i = 0; i <= sizeof(data); i++) {
		parts = bpmu_recording_crc(0, data, i);
		assert_int_equal(bpmu_recording_crc(parts, data + i,
						    sizeof(data) - i), whole);
		parts = by_table(~0U, data, i);
		assert_int_equal(~by_table(parts, data + i, sizeof(data) - i),
				 whole);
	}
}

/*
 * The instruction and the table must yield the same checksum. Otherwise a file from a CPU without
 * the instruction could not be read on a CPU that has it.
 */
TEST(instruction_and_table_yield_the_same_checksum)
{
	unsigned char data[64];
	size_t i;

	if (!__builtin_cpu_supports("sse4.2"))
		skip();
	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 101 + 1;
	for (i = 0; i <= sizeof(data); i++)
		assert_int_equal(by_instruction(i, data, i),
				 by_table(i, data, i));
}
