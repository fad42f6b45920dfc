/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Made-up registers of a unit test: MSRs, and registers of devices. A register exists once it was
 * set. Each write is noted in @written, in the order of the writes.
 */
#ifndef UNIT_REGISTERS_H
#define UNIT_REGISTERS_H

#include <stdio.h>

#include "kernel/module.h"
#include "test.h"

#define REGISTERS 256

/*
 * A register. @space: 0 for an MSR; of a device, the device's number plus 1. @stuck: bits that no
 * write changes. @faults: set of &enum unit_fault.
 */
struct unit_register {
	u32 space;
	u32 number;
	u64 value;
	u64 stuck;
	u32 faults;
};

/* What faults, although the register exists */
enum unit_fault { FAULT_READ = 1, FAULT_WRITE = 2 };

static struct unit_register registers[REGISTERS];
static unsigned int nr_registers;
/* text of all writes: "NUMBER=VALUE " of an MSR, "SPACE:NUMBER=VALUE " of a device, in hex */
static char written[8192];

static struct unit_register *register_at(u32 space, u32 number)
{
	unsigned int i;

	for (i = 0; i < nr_registers; i++)
		if (registers[i].space == space && registers[i].number == number)
			return &registers[i];
	return NULL;
}

/* Sets a register, which then exists. */
static inline void put(u32 space, u32 number, u64 value)
{
	struct unit_register *to = register_at(space, number);

	if (!to) {
		assert_true(nr_registers < REGISTERS);
		to = &registers[nr_registers++];
	}
	*to = (struct unit_register){ .space = space, .number = number, .value = value };
}

static u64 get(u32 space, u32 number)
{
	assert_non_null(register_at(space, number));
	return register_at(space, number)->value;
}

static int register_read(u32 space, u32 number, u64 *value)
{
	const struct unit_register *from = register_at(space, number);

	if (!from || from->faults & FAULT_READ)
		return -EIO;
	*value = from->value;
	return 0;
}

static int register_write(u32 space, u32 number, u64 value)
{
	struct unit_register *to = register_at(space, number);
	size_t used = strlen(written);

	if (!to || to->faults & FAULT_WRITE)
		return -EIO;
	to->value = (to->value & to->stuck) | (value & ~to->stuck);
	if (space)
		used += snprintf(written + used, sizeof(written) - used, "%x:", space - 1);
	used += snprintf(written + used, sizeof(written) - used, "%x=%llx ", number, value);
	assert_true(used < sizeof(written));
	return 0;
}

/* Compares the writes since the last call with a text. */
static inline void wrote(const char *expected)
{
	char text[sizeof(written)];

	strcpy(text, written);
	written[0] = '\0';
	assert_string_equal(text, expected);
}

static inline void forget_registers(void)
{
	nr_registers = 0;
	written[0] = '\0';
}

int rdmsrq_safe(u32 msr, u64 *value)
{
	return register_read(0, msr, value);
}

int wrmsrq_safe(u32 msr, u64 value)
{
	return register_write(0, msr, value);
}

/*
 * What happens when the code reads an MSR, after its value was taken: an NMI, for example. NULL for
 * nothing.
 */
static void (*at_read)(u32 msr);

/* The functions without fault handling must not be called for an MSR that does not exist. */
u64 bpmu_rdmsr(u32 msr)
{
	u64 value = get(0, msr);

	if (at_read)
		at_read(msr);
	return value;
}

void bpmu_wrmsr(u32 msr, u64 value)
{
	assert_int_equal(register_write(0, msr, value), 0);
}

#endif /* UNIT_REGISTERS_H */
