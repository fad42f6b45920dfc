// SPDX-License-Identifier: GPL-2.0
/*
 * Table of the PMU box types. A box is a PMU outside of the cores; several vCPUs share its
 * counters. If the guest accesses a register, the box types are asked one after another until one
 * of them has the register. A box has registers only on the CPU models that have the box.
 */
#include "boxes.h"

#include "cbo.h"
#include "complex.h"
#include "fabric.h"
#include "free.h"
#include "iio.h"
#include "imc.h"
#include "mchbar.h"
#include "server.h"
#include "discovered.h"
#include "umc.h"
#include "uncore.h"

/**
 * struct box - operations of a box type; an operation that the type does not have is NULL
 * @init: sets the counters to their values at power on
 * @lose: called when the package loses power: sets the counters to their values at power on; NULL
 *	if they keep their values
 * @read: executes RDMSR; returns false if the MSR is not a register of the box
 * @write: executes WRMSR; returns false if the MSR is not a register of the box
 * @rdpmc: executes RDPMC; returns false if ECX selects no counter of the box
 * @happen: injects an event, when the guest asks for it by CPUID with a leaf that no CPU has:
 *	increases the counters of the box that count the event
 * @function: number that selects the box type in bits 15:0 of ECX, when the guest injects an event
 *	by CPUID
 */
struct box {
	void (*init)(void);
	void (*lose)(void);
	bool (*read)(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
	bool (*write)(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
	bool (*rdpmc)(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value);
	void (*happen)(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		       uint32_t count);
	uint32_t function;
};

/* All box types. This table is about MSRs; some boxes also have memory-mapped or PCI registers. */
static const struct box boxes[] = {
	{ .init = vpmu_uncore_init, .lose = vpmu_uncore_lose,
	  .read = vpmu_uncore_read, .write = vpmu_uncore_write },
	{ .init = vpmu_complex_init, .lose = vpmu_complex_init,
	  .read = vpmu_complex_read, .write = vpmu_complex_write,
	  .rdpmc = vpmu_complex_rdpmc, .happen = vpmu_complex_happen, .function = 8 },
	{ .init = vpmu_fabric_init, .lose = vpmu_fabric_init,
	  .read = vpmu_fabric_read, .write = vpmu_fabric_write,
	  .rdpmc = vpmu_fabric_rdpmc, .happen = vpmu_fabric_happen, .function = 9 },
	{ .init = vpmu_umc_init, .lose = vpmu_umc_init, .read = vpmu_umc_read,
	  .write = vpmu_umc_write, .happen = vpmu_umc_happen, .function = 10 },
	{ .init = vpmu_cbo_init, .lose = vpmu_cbo_init, .read = vpmu_cbo_read,
	  .write = vpmu_cbo_write, .happen = vpmu_cbo_happen, .function = 11 },
	{ .init = vpmu_server_init, .lose = vpmu_server_init,
	  .read = vpmu_server_read, .write = vpmu_server_write,
	  .happen = vpmu_server_happen, .function = 13 },
	{ .init = vpmu_iio_init, .lose = vpmu_iio_init, .read = vpmu_iio_read,
	  .write = vpmu_iio_write, .happen = vpmu_iio_happen, .function = 15 },
	{ .happen = vpmu_irp_happen, .function = 18 },
	{ .init = vpmu_imc_init, .lose = vpmu_imc_lose, .happen = vpmu_imc_happen,
	  .function = 14 },
	{ .init = vpmu_discovered_init, .lose = vpmu_discovered_lose,
	  .read = vpmu_discovered_read, .write = vpmu_discovered_write,
	  .happen = vpmu_discovered_cha_happen, .function = 11 },
	{ .happen = vpmu_discovered_server_happen, .function = 13 },
	{ .happen = vpmu_discovered_imc_happen, .function = 14 },
	{ .happen = vpmu_discovered_iio_happen, .function = 15 },
	{ .happen = vpmu_discovered_irp_happen, .function = 18 },
	{ .init = vpmu_mchbar_init, .lose = vpmu_mchbar_lose, .happen = vpmu_mchbar_happen,
	  .function = 14 },
	{ .read = vpmu_free_read, .write = vpmu_free_write },
};

static const struct box *const boxes_end = boxes + sizeof(boxes) / sizeof(*boxes);

/**
 * vpmu_boxes_init() - set the counters of all PMU boxes to their values at power on
 */
void vpmu_boxes_init(void)
{
	const struct box *box;

	for (box = boxes; box < boxes_end; box++)
		if (box->init)
			box->init();
}

/**
 * vpmu_boxes_lose() - let all PMU boxes lose power: set counters to their values at power on
 *
 * Context: all vCPUs but the calling one are idle.
 */
void vpmu_boxes_lose(void)
{
	const struct box *box;

	for (box = boxes; box < boxes_end; box++)
		if (box->lose)
			box->lose();
}

/**
 * vpmu_boxes_read() - execute RDMSR of a register of any PMU box
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if no box has the MSR.
 */
bool vpmu_boxes_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct box *box;

	for (box = boxes; box < boxes_end; box++)
		if (box->read && box->read(cpu, msr, value))
			return true;
	return false;
}

/**
 * vpmu_boxes_write() - execute WRMSR of a register of any PMU box
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if no box has the MSR. True if a box has it, or if the vCPU ignores this value.
 */
bool vpmu_boxes_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct box *box;

	if (vpmu_cpu_ignores(cpu, value))
		return true;
	for (box = boxes; box < boxes_end; box++)
		if (box->write && box->write(cpu, msr, value))
			return true;
	return false;
}

/**
 * vpmu_boxes_rdpmc() - execute RDPMC of a counter of any PMU box
 * @cpu: the calling vCPU
 * @index: value of ECX
 * @value: set to the value of the counter
 *
 * Return: false if ECX selects no counter of a box.
 */
bool vpmu_boxes_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value)
{
	const struct box *box;

	for (box = boxes; box < boxes_end; box++)
		if (box->rdpmc && box->rdpmc(cpu, index, value))
			return true;
	return false;
}

/**
 * vpmu_boxes_happen() - inject an event of a PMU box of any type
 * @cpu: a vCPU that can access the box
 * @function: number of the box type in bits 15:0, argument @detail of &box.happen in bits 31:16
 * @what: the event, as &box.happen of the box type encodes it
 * @count: number of occurrences
 */
void vpmu_boxes_happen(const struct vpmu_cpu *cpu, uint32_t function,
		       uint32_t what, uint32_t count)
{
	const struct box *box;

	for (box = boxes; box < boxes_end; box++)
		if (box->happen && box->function == (function & 0xffff))
			box->happen(cpu, what, function >> 16, count);
}
