/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sections of the module's record of an interrupt, such as call chains, behind the struct
 * bpmu_overflow.
 */
#ifndef BPMU_RECORDING_SECTION_H
#define BPMU_RECORDING_SECTION_H

#include <linux/barepmu.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "arch.h"

/**
 * struct bpmu_overflow_bytes - a record of an interrupt in a message of the module, unaligned
 * @record: the record, without its sections
 */
struct bpmu_overflow_bytes {
	struct bpmu_overflow record;
} __attribute__((packed, may_alias));

/**
 * bpmu_section_record_size() - size of the record of an interrupt with all its sections
 * @record: a &struct bpmu_overflow, unaligned
 *
 * Return: the member size of the struct, in bytes.
 */
static inline size_t bpmu_section_record_size(const void *record)
{
	return ((const struct bpmu_overflow_bytes *)record)->record.size;
}

/**
 * bpmu_section_all_same() - check if the records of two interrupts have the same sections
 * @record: a &struct bpmu_overflow, unaligned, and behind it its sections
 * @other: another one
 *
 * Return: true if all bytes of the sections are the same.
 */
static inline bool bpmu_section_all_same(const void *record, const void *other)
{
	const size_t head = sizeof(struct bpmu_overflow);
	const size_t size = bpmu_section_record_size(record);

	return bpmu_section_record_size(other) == size &&
	       !memcmp((const char *)record + head, (const char *)other + head, size - head);
}

/**
 * bpmu_section_next() - find the next section of the record of an interrupt
 * @record: a &struct bpmu_overflow, and behind it its sections. The member size of the struct is
 *	the size of all this in bytes
 * @data: data of the section before, with its head in @head; NULL to find the first section
 * @head: set to the head of the section, which is unaligned in @record
 *
 * Return: the data of the section, which follow its head; NULL after the last section, or if the
 * section would exceed the record.
 */
static inline const char *bpmu_section_next(const void *record, const char *data,
					    struct bpmu_section *head)
{
	const char *at = record, *end = at + bpmu_section_record_size(record);

	at = data ? data - sizeof(*head) + head->size : at + sizeof(struct bpmu_overflow);
	if (end - at < (long)sizeof(*head))
		return NULL;
	memcpy(head, at, sizeof(*head));
	if (head->size < sizeof(*head) || head->size > (size_t)(end - at))
		return NULL;
	return at + sizeof(*head);
}

/**
 * bpmu_section_find() - find the section of a kind in the record of an interrupt
 * @record: a &struct bpmu_overflow, and behind it its sections, as for bpmu_section_next()
 * @id: &enum bpmu_section_id
 * @head: set to the head of the section
 *
 * Return: the data of the first such section, NULL if the record has none.
 */
static inline const char *bpmu_section_find(const void *record, unsigned int id,
					    struct bpmu_section *head)
{
	const char *data = NULL;

	do {
		data = bpmu_section_next(record, data, head);
	} while (data && head->id != id);
	return data;
}

#endif /* BPMU_RECORDING_SECTION_H */
