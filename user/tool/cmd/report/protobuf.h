/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Encoder of protobuf messages (https://protobuf.dev/programming-guides/encoding).
 */
#ifndef BPMU_PROTOBUF_H
#define BPMU_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"

/**
 * struct bpmu_protobuf - a protobuf message that is being encoded; zeroed if it is empty
 * @byte: encoded fields of the message, [@size]; to be freed with free()
 * @size: number of bytes in @byte
 * @room: number of bytes allocated for @byte
 * @failed: memory ran out, so that fields are missing
 */
struct bpmu_protobuf {
	unsigned char *byte;
	size_t size;
	size_t room;
	bool failed;
};

void bpmu_protobuf_number(struct bpmu_protobuf *message, unsigned int field, u64 value);
void bpmu_protobuf_bytes(struct bpmu_protobuf *message, unsigned int field, const void *bytes,
			 size_t size);
void bpmu_protobuf_message(struct bpmu_protobuf *message, unsigned int field,
			   struct bpmu_protobuf *inner);

#endif /* BPMU_PROTOBUF_H */
