// SPDX-License-Identifier: GPL-2.0
#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

/* protobuf's wire types: how the value of a field is encoded */
#define VARINT 0
#define LENGTH 2

/*
 * maximum size in bytes of an encoded number of 64 bits: each byte of the code has seven bits of
 * the number
 */
#define VARINT_MOST 10

static bool protobuf_room(struct bpmu_protobuf *message, size_t more)
{
	size_t room = message->room ?: 64;
	unsigned char *grown;

	while (room - message->size < more)
		room *= 2;
	if (room == message->room)
		return true;
	grown = realloc(message->byte, room);
	if (!grown) {
		message->failed = true;
		return false;
	}
	message->byte = grown;
	message->room = room;
	return true;
}

static void put_varint(struct bpmu_protobuf *message, u64 value)
{
	if (!protobuf_room(message, VARINT_MOST))
		return;
	for (; value >= 0x80; value >>= 7)
		message->byte[message->size++] = value | 0x80;
	message->byte[message->size++] = value;
}

/**
 * bpmu_protobuf_number() - add a field with a number to a protobuf message
 * @field: number of the field, whose type is int64, uint64 or bool
 */
void bpmu_protobuf_number(struct bpmu_protobuf *message, unsigned int field, u64 value)
{
	put_varint(message, field << 3 | VARINT);
	put_varint(message, value);
}

/**
 * bpmu_protobuf_bytes() - add a field with a string or bytes to a protobuf message
 * @field: number of the field
 * @bytes: the contents, [@size]; NULL if @size is 0
 */
void bpmu_protobuf_bytes(struct bpmu_protobuf *message, unsigned int field, const void *bytes,
			 size_t size)
{
	put_varint(message, field << 3 | LENGTH);
	put_varint(message, size);
	if (!size || !protobuf_room(message, size))
		return;
	memcpy(message->byte + message->size, bytes, size);
	message->size += size;
}

/**
 * bpmu_protobuf_message() - add a field with a complete message to a protobuf message
 * @message: message to which the field is added
 * @field: number of the field
 * @inner: contents of the field; afterwards it is empty, and can be used for another message
 */
void bpmu_protobuf_message(struct bpmu_protobuf *message, unsigned int field,
			   struct bpmu_protobuf *inner)
{
	bpmu_protobuf_bytes(message, field, inner->byte, inner->size);
	message->failed |= inner->failed;
	inner->size = 0;
}
