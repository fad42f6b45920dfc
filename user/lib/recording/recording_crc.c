// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <string.h>

#include "base/array.h"
#include "recording.h"

/* Polynomial of CRC-32C with the least significant bit first (RFC 3385) */
#define POLYNOMIAL 0x82f63b78U

#define AT_ONCE 8

static u32 crc_table[AT_ONCE][256];

static void make_table(void)
{
	unsigned int i, k;
	u32 crc;

	for (i = 0; i < 256; i++) {
		crc = i;
		for (k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		crc_table[0][i] = crc;
	}
	for (i = 0; i < 256; i++)
		for (k = 1; k < AT_ONCE; k++)
			crc_table[k][i] = crc_table[k - 1][i] >> 8 ^
					  crc_table[0][crc_table[k - 1][i] & 0xff];
}

static u32 by_table(u32 crc, const unsigned char *at, size_t size)
{
	static pthread_once_t crc_once = PTHREAD_ONCE_INIT;
	unsigned int k;
	u64 word;
	u32 next;

	pthread_once(&crc_once, make_table);
	for (; size >= AT_ONCE; size -= AT_ONCE, at += AT_ONCE) {
		memcpy(&word, at, sizeof(word));
		word ^= crc;
		for (next = 0, k = 0; k < AT_ONCE; k++, word >>= 8)
			next ^= crc_table[AT_ONCE - 1 - k][word & 0xff];
		crc = next;
	}
	while (size--)
		crc = crc >> 8 ^ crc_table[0][(crc ^ *at++) & 0xff];
	return crc;
}

/* Computes the checksum by the CRC32 instruction of SSE4.2, which uses POLYNOMIAL. */
__attribute__((target("sse4.2")))
static u32 by_instruction(u32 crc, const unsigned char *at, size_t size)
{
	u64 word[8];
	unsigned int i;

	for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) {
		memcpy(word, at, sizeof(word));
#pragma GCC unroll 8
		for (i = 0; i < ARRAY_SIZE(word); i++)
			crc = __builtin_ia32_crc32di(crc, word[i]);
	}
	for (; size >= sizeof(*word); size -= sizeof(*word), at += sizeof(*word)) {
		memcpy(word, at, sizeof(*word));
		crc = __builtin_ia32_crc32di(crc, *word);
	}
	while (size--)
		crc = __builtin_ia32_crc32qi(crc, *at++);
	return crc;
}

/**
 * bpmu_recording_crc() - checksum (CRC-32C) of a part of a recording's block
 * @crc: checksum of the parts before this part, 0 for the first part
 * @data: the part
 * @size: size of the part in bytes
 *
 * On CPUs without SSE4.2, such as Xeon Phi, eight bytes at a time are looked up in tables. A
 * checksum byte by byte would take more time than all other steps of writing a sample.
 *
 * Return: checksum of all parts up to this one.
 */
u32 bpmu_recording_crc(u32 crc, const void *data, size_t size)
{
	if (__builtin_cpu_supports("sse4.2"))
		return ~by_instruction(~crc, data, size);
	return ~by_table(~crc, data, size);
}
