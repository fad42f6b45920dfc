// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module finds the PCI devices and the mapped memory that have counters, keeps
 * other drivers away from them, loses and finds them again, and reaches their registers; and of the
 * sentences that say so. The sources of the module are compiled unchanged; the machine is made up.
 */
#include "kernel/module.h"

#include "../../kmod/machine/device.c"
#include "../../kmod/machine/memory_counters.c"
#include "../../kmod/machine/refusal.c"

#include "kernel/log.h"
#include "kernel/pci_machine.h"

#define DEVFN(slot, function) ((slot) << 3 | (function))
#define UBOX 0x3c1e
/* identifiers of devices: two of memory channels, one of home agents, one that holds addresses */
#define CHANNEL_A 0x3cb0
#define CHANNEL_B 0x3cb1
#define AGENT 0x3c46
#define HOLDER 0x3451
#define HOST 0x0154

static const u16 imc_ids[] = { CHANNEL_A, CHANNEL_B, 0 };
static const u16 agent_ids[] = { AGENT, 0 };
static const u16 holder_ids[] = { HOLDER, 0 };
static const u16 host_ids[] = { 0x9999, HOST, 0 };
static const u16 other_ids[] = { 0x9998, 0 };

static const struct bpmu_channels channels = {
	.base = 0xd0, .controller = 0xd8, .controllers = 2, .nr = 2, .first = 0x800, .step = 0x400,
	.free = 0x290,
};

static const struct bpmu_box boxes[] = {
	{
		.unit = BPMU_UNIT_IMC, .title = "memory channel", .select = 0xd8, .ctl = 0xf4,
		.devices = imc_ids,
	}, {
		.unit = BPMU_UNIT_HA, .title = "home agent", .select = 0x228, .ctl = 0x100,
		.devices = agent_ids,
	}, {
		.unit = BPMU_UNIT_CHA, .title = "CHA",
	},
	{ 0 }
};

static const struct bpmu_box channel_boxes[] = {
	{
		.unit = BPMU_UNIT_IMC, .title = "channel", .select = 0x40, .ctl = 0x10,
		.devices = holder_ids, .channels = &channels, .size = 0x400,
		.driver = "intel_uncore",
	},
	{ 0 }
};

static const struct bpmu_box client_boxes[] = {
	{
		.unit = BPMU_UNIT_IMC, .title = "memory controller", .ctl = 0x10, .size = 0x100,
		.global = 0x54, .global_in = 1,
	},
	{ 0 }
};

/* a UBox's bus and those below it, or above it, belong to its package */
static const struct bpmu_ubox below = { .device = UBOX, .node = 0x40, .map = 0x54 };
static const struct bpmu_ubox above = { .device = UBOX, .node = 0x40, .map = 0x54, .lower = 1 };
static const struct bpmu_uncore with_boxes = { .ubox = &below, .boxes = boxes };
static const struct bpmu_uncore with_boxes_above = { .ubox = &above, .boxes = boxes };
static const struct bpmu_uncore without_ubox = { .boxes = boxes };
static const struct bpmu_uncore with_channels = { .ubox = &below, .boxes = channel_boxes };
static const struct bpmu_uncore of_client = { .boxes = client_boxes };

static const struct bpmu_mchbar bars[] = {
	{ other_ids, 0x4000 }, { host_ids, 0x5000, 0x1000, 0x600 }, { NULL }
};

static const struct bpmu_mchbar one_bar[] = { { host_ids, 0x5000 }, { NULL } };

static struct bpmu_part part;
static unsigned int this_cpu;
static const struct cpumask first_package = { 0x3 }, both_packages = { 0xf };
/* what removed() was told, and whether the registers were mapped then */
static struct pci_dev *removed_device;
static int mappings_then;

/* CPUs 0 and 1 are of package 0, 2 and 3 of package 1. */
int topology_physical_package_id(unsigned int cpu)
{
	return cpu >> 1;
}

unsigned int smp_processor_id(void)
{
	return this_cpu;
}

static void removed(struct pci_dev *pci)
{
	removed_device = pci;
	mappings_then = mappings;
}

static struct unit_device *add_ubox(u8 bus, u32 package)
{
	struct unit_device *ubox = add_device_at(0, bus, DEVFN(8, 0), UBOX);

	/* the node of package 0 is 3, that of package 1 is 5 */
	ubox->config[0x40 / 4] = 0x10 | (package ? 5 : 3);
	ubox->config[0x54 / 4] = 3 | 5 << 3;
	return ubox;
}

TEST_FIXTURE(setup)
{
	unsigned int i;

	empty_machine();
	for (i = 0; i < ARRAY_SIZE(units); i++)
		units[i] = (struct unit_devices){ .unit = units[i].unit };
	memset(ids, 0, sizeof(ids));
	nr_ids = 0;
	nr_uboxes = 0;
	nr_packages = 0;
	memset(packages, 0, sizeof(packages));
	this_cpu = 0;
	removed_device = NULL;
	logged[0] = '\0';
	part = (struct bpmu_part){ .uncore = &with_boxes };
	return 0;
}

TEST_FIXTURE(teardown)
{
	bpmu_devices_forget();
	bpmu_memory_forget();
	nothing_is_left();
	device_removed = NULL;
	said("");
	return 0;
}

/* Checks which PCI devices the boxes of a unit in this CPU's package are; NULL ends them. */
static void are_here(u8 unit, struct unit_device *const *expected)
{
	const struct bpmu_devices *here = bpmu_devices_here(unit);
	unsigned int i;

	assert_non_null(here);
	for (i = 0; expected[i]; i++)
		assert_ptr_equal(here->dev[i].pci, &expected[i]->pci);
	assert_int_equal(here->nr, i);
}

TEST_BETWEEN(devices_are_found_by_package, setup, teardown)
{
	struct unit_device *device[4];

	add_ubox(0x7f, 1);
	add_ubox(0x3f, 0);
	device[0] = add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_B);
	device[1] = add_device_at(0, 0x40, DEVFN(16, 4), CHANNEL_A);
	device[2] = add_device_at(0, 0x3e, DEVFN(16, 4), CHANNEL_A);
	device[3] = add_device_at(0, 0x3f, DEVFN(16, 5), CHANNEL_A);
	bpmu_devices_find(&part);
	said("no PCI device has a home agent's counters; where firmware hides these buses, pci=lastbus=255 shows them\n");
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ device[2], device[3], device[0], NULL });
	this_cpu = 3;
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ device[1], NULL });
	this_cpu = 4;
	assert_null(bpmu_devices_here(BPMU_UNIT_IMC));
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 3);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_HA), 0);
	assert_true(bpmu_devices_manage(BPMU_UNIT_IMC));
	assert_true(bpmu_devices_manage(BPMU_UNIT_M2PCIE));
	assert_false(bpmu_devices_manage(BPMU_UNIT_CHA));
	/* the driver is for all of them, and for no other */
	assert_int_equal(nr_ids, 3);
	assert_int_equal(ids[0].vendor, PCI_VENDOR_ID_INTEL);
	assert_int_equal(ids[0].device, CHANNEL_A);
	assert_int_equal(ids[0].subvendor, (u32)PCI_ANY_ID);
	assert_int_equal(ids[0].subdevice, (u32)PCI_ANY_ID);
	assert_int_equal(ids[1].device, CHANNEL_B);
	assert_int_equal(ids[2].device, AGENT);
	assert_int_equal(ids[3].vendor, 0);
	/* the configuration space of each is mapped */
	assert_int_equal(mappings, 4);
	assert_int_equal(device[0]->pci.references, 1);
	this_cpu = 1;
	assert_true(bpmu_devices_have(bpmu_devices_here(BPMU_UNIT_IMC), &device[2]->pci));
	assert_true(bpmu_devices_have(bpmu_devices_here(BPMU_UNIT_IMC), &device[3]->pci));
	assert_false(bpmu_devices_have(bpmu_devices_here(BPMU_UNIT_IMC), &device[1]->pci));
}

TEST_BETWEEN(a_ubox_can_stand_for_the_buses_above_it, setup, teardown)
{
	struct unit_device *device[2];

	part.uncore = &with_boxes_above;
	add_ubox(0x00, 0);
	add_ubox(0x80, 1);
	device[0] = add_device_at(0, 0x7f, DEVFN(16, 0), CHANNEL_A);
	device[1] = add_device_at(0, 0x80, DEVFN(16, 0), CHANNEL_A);
	add_device_at(0, 0x01, DEVFN(16, 0), AGENT);
	bpmu_devices_find(&part);
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ device[0], NULL });
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_HA), 1);
	this_cpu = 2;
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ device[1], NULL });
}

#define UNKNOWN \
	"no UBox identifies its package, or that has more than 32: this memory channel is ignored\n"
#define LOST \
	"its package is unknown: memory channels, home agents and links on its bus are ignored\n"
#define NO_AGENT \
	"no PCI device has a home agent's counters; where firmware hides these buses, pci=lastbus=255 shows them\n"

TEST_BETWEEN(devices_of_unknown_packages_are_ignored, setup, teardown)
{
	struct unit_device *ubox;

	add_ubox(0x3f, 0);
	add_ubox(0x50, 0)->faulty = 0x40;
	add_ubox(0x51, 0)->faulty = 0x54;
	ubox = add_ubox(0x52, 0);
	ubox->config[0x40 / 4] = 6;
	add_device_at(0, 0x40, DEVFN(16, 0), CHANNEL_A);
	/* the same bus in another domain has no UBox */
	add_device_at(1, 0x3f, DEVFN(16, 0), CHANNEL_A);
	bpmu_devices_find(&part);
	said("0:50:08.0: " LOST "0:51:08.0: " LOST "0:52:08.0: " LOST "0:40:10.0: " UNKNOWN
	     "1:3f:10.0: " UNKNOWN NO_AGENT);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 0);
	assert_null(bpmu_devices_here(BPMU_UNIT_IMC));
}

TEST_BETWEEN(eight_packages_are_known, setup, teardown)
{
	unsigned int i;

	for (i = 0; i < 9; i++)
		add_ubox(0x10 + i, 0)->config[0x54 / 4] = 3 << (3 * (i % 8));
	add_device_at(0, 0x17, DEVFN(16, 0), CHANNEL_A);
	add_device_at(0, 0x18, DEVFN(16, 0), CHANNEL_A);
	bpmu_devices_find(&part);
	said("0:18:08.0: " LOST "0:18:10.0: " UNKNOWN NO_AGENT);
	assert_int_equal(units[0].packages[0].package, 7);
}

TEST_BETWEEN(a_map_has_eight_nodes, setup, teardown)
{
	nr_node_ids = 9;
	add_ubox(0x3f, 0);
	add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_A);
	bpmu_devices_find(&part);
	said("more than 8 NUMA nodes: the packages of PCI devices are unknown, memory channels, home agents and links are ignored\n");
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 0);
	nr_node_ids = 8;
	bpmu_devices_find(&part);
	said(NO_AGENT);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 1);
}

TEST_BETWEEN(without_a_ubox_there_is_one_package, setup, teardown)
{
	nr_node_ids = 9;
	part.uncore = &without_ubox;
	add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_A);
	bpmu_devices_find(&part);
	said(NO_AGENT);
	assert_int_equal(bpmu_devices_here(BPMU_UNIT_IMC)->nr, 1);
	part.uncore = NULL;
	bpmu_devices_find(&part);
	said("");
}

TEST_BETWEEN(a_package_has_at_most_32_boxes, setup, teardown)
{
	unsigned int i;

	part.uncore = &without_ubox;
	for (i = 0; i < 33; i++)
		add_device_at(0, 0x3f, i, CHANNEL_A);
	bpmu_devices_find(&part);
	said("0:3f:04.0: " UNKNOWN NO_AGENT);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 32);
}

TEST_BETWEEN(devices_that_do_not_answer_are_ignored, setup, teardown)
{
	part.uncore = &without_ubox;
	add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_A)->hidden = true;
	add_device_at(0, 0x3f, DEVFN(16, 1), CHANNEL_A)->faulty = 0xd8;
	add_device_at(0, 0x3f, DEVFN(16, 2), AGENT)->config[0x228 / 4] = ~0u;
	bpmu_devices_find(&part);
	said("0:3f:10.0: this memory channel does not answer, its registers read as all ones: it is ignored\n"
	     "0:3f:10.1: this memory channel does not answer, its registers read as all ones: it is ignored\n"
	     "0:3f:10.2: this home agent does not answer, its registers read as all ones: it is ignored\n");
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 0);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_HA), 0);
}

/* Tells which way a home agent's registers are found: 0 not at all, 1 mapped, 2 not mapped. */
static int way_to_agent(u8 bus)
{
	unsigned int i;
	int way = 0;

	add_device_at(0, bus, DEVFN(16, 2), AGENT);
	bpmu_devices_find(&part);
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].unit == BPMU_UNIT_HA && units[i].nr_packages)
			way = units[i].packages[0].dev[0].registers ? 1 : 2;
	bpmu_devices_forget();
	nothing_is_left();
	logged[0] = '\0';
	nr_ids = 0;
	nr_areas = 0;
	nr_unit_devices = 0;
	return way;
}

TEST_BETWEEN(extended_space_is_where_the_table_says, setup, teardown)
{
	part.uncore = &without_ubox;
	assert_int_equal(way_to_agent(0x3f), 1);
	mcfg.allocation[1].start_bus_number = 0x3f;
	mcfg.allocation[1].end_bus_number = 0x3f;
	assert_int_equal(way_to_agent(0x3f), 1);
	assert_int_equal(way_to_agent(0x3e), 0);
	assert_int_equal(way_to_agent(0x40), 0);
	/* the table ends within an entry */
	mcfg.head.header.length -= 1;
	assert_int_equal(way_to_agent(0x3f), 0);
	mcfg.head.header.length = 0;
	assert_int_equal(way_to_agent(0x3f), 0);
	mcfg.head.header.length = sizeof(mcfg.head) + sizeof(mcfg.allocation);
	assert_int_equal(way_to_agent(0x3f), 1);
	/* the kernel does not use it */
	extended = false;
	assert_int_equal(way_to_agent(0x3f), 0);
	extended = true;
	/* other memory is there */
	mcfg.allocation[1].address += 0x100000;
	add_device_at(0, 0x40, DEVFN(16, 2), 0x1234);
	assert_int_equal(way_to_agent(0x3f), 0);
	/* no memory can be mapped there */
	assert_int_equal(way_to_agent(0x3f), 0);
}

TEST_BETWEEN(an_agent_that_cannot_be_reached_is_named, setup, teardown)
{
	part.uncore = &without_ubox;
	mcfg.head.header.length = 0;
	add_device_at(0, 0x3f, DEVFN(16, 2), AGENT);
	add_device_at(0, 0x3f, DEVFN(16, 1), CHANNEL_A);
	bpmu_devices_find(&part);
	said("0:3f:10.2: no extended configuration space (MMCONFIG), where this home agent's counters are: it is ignored; boot without pci=nommconf, and with firmware that has an ACPI table MCFG of this bus\n");
	/* what is below offset 256 needs no map */
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 1);
	assert_null(bpmu_devices_here(BPMU_UNIT_IMC)->dev[0].registers);
}

/* Memory of two controllers with two channels each; the controllers are 256 KiB apart. */
static char memory[2][0x1000];
static struct unit_device *holder;

/* The base address is 16 MiB, and the controllers are at distances of 4 KiB and 256 KiB. */
static void begin_channels(void)
{
	part.uncore = &with_channels;
	add_ubox(0x3f, 0);
	holder = add_device_at(0, 0x3f, DEVFN(0, 1), HOLDER);
	holder->config[0xd0 / 4] = 2 | 0xe0000000;
	holder->config[0xd8 / 4] = 1 | 0xfffff800;
	holder->config[0xdc / 4] = 0x40;
	memset(memory, 0, sizeof(memory));
	add_area(0x1001000, sizeof(memory[0]), memory[0]);
	add_area(0x1040000, sizeof(memory[1]), memory[1]);
	/* lines read since the machine was switched on */
	*(u64 *)&memory[0][0x290 + 0x90] = 1000;
	*(u64 *)&memory[1][0x290 + 0x90] = 0x800000000000ULL;
}

TEST_BETWEEN(channels_are_at_addresses_in_a_device, setup, teardown)
{
	const struct bpmu_devices *here;
	static const u64 expected[] = { 0x1001800, 0x1001c00, 0x1040800, 0x1040c00 };
	unsigned int i;

	begin_channels();
	bpmu_devices_find(&part);
	here = bpmu_devices_here(BPMU_UNIT_IMC);
	assert_int_equal(here->nr, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(here->dev[i].address, expected[i]);
		assert_ptr_equal(here->dev[i].pci, &holder->pci);
		assert_false(here->dev[i].global);
	}
	assert_ptr_equal(here->dev[3].registers, &memory[1][0xc00]);
	assert_true(bpmu_memory_found());
	assert_true(bpmu_memory_here());
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY48_READS)),
			 0x8000000003e8ULL);
	assert_int_equal(mappings, 6);
	/* this package has no such memory */
	this_cpu = 2;
	assert_false(bpmu_memory_here());
	assert_true(bpmu_memory_has(1, &holder->pci));
	assert_false(bpmu_memory_has(1, &holder->pci + 1));
	assert_false(bpmu_memory_has(2, &holder->pci));
}

TEST_BETWEEN(controllers_without_an_address_are_left_out, setup, teardown)
{
	begin_channels();
	holder->config[0xd8 / 4] = 0x800;
	bpmu_devices_find(&part);
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 2);
	bpmu_devices_forget();
	bpmu_memory_forget();
	holder->faulty = 0xdc;
	nr_ids = 0;
	nr_uboxes = 0;
	bpmu_devices_find(&part);
	said("");
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 0);
	holder->faulty = 0xd0;
	nr_ids = 0;
	nr_uboxes = 0;
	bpmu_devices_find(&part);
	said("0:3f:00.1: firmware has not set the address of channel registers: all are ignored\n");
	assert_false(bpmu_memory_found());
}

TEST_BETWEEN(channels_that_cannot_be_used_are_named, setup, teardown)
{
	static char ram[16];

	begin_channels();
	/* RAM that ends with the first byte of channel 1 of controller 0 */
	add_area(0x1001bf1, sizeof(ram), ram);
	areas[nr_areas - 1].ram = true;
	*(u32 *)&memory[1][0x810] = ~0u;
	areas[nr_areas - 2].size = 0xfff;
	bpmu_devices_find(&part);
	said("0:3f:00.1: the registers of this channel, at 0x1001800, overlap RAM: it is ignored\n"
	     "0:3f:00.1: the registers of this channel, at 0x1001c00, overlap RAM: it is ignored\n"
	     "0:3f:00.1: the registers of this channel, at 0x1040800, read as all ones: it is ignored\n"
	     "0:3f:00.1: the registers of this channel, at 0x1040c00, cannot be mapped: it is ignored\n");
	assert_int_equal(bpmu_devices_most(BPMU_UNIT_IMC), 0);
}

TEST_BETWEEN(free_counters_that_do_not_answer_are_named, setup, teardown)
{
	static char ram[16];

	begin_channels();
	*(u64 *)&memory[0][0x290 + 0x90] = 0;
	*(u64 *)&memory[1][0x290 + 0x90] = 0xffffffffffffULL;
	bpmu_devices_find(&part);
	said("0:3f:00.1: memory controller 0, free-running counters at 0x1001290: nothing answers at their address: lines of its memory are not counted\n"
	     "0:3f:00.1: memory controller 1, free-running counters at 0x1040290: nothing answers at their address: lines of its memory are not counted\n");
	assert_false(bpmu_memory_found());
	add_area(0x2000010, sizeof(ram), ram);
	areas[nr_areas - 1].ram = true;
	bpmu_memory_add(&holder->pci, 0, 3, 0x2000000);
	bpmu_memory_add(&holder->pci, 0, 2, 0x3000000);
	bpmu_memory_add(&holder->pci, -1, 1, 0x1001290);
	said("0:3f:00.1: memory controller 3, free-running counters at 0x2000000: the registers overlap RAM: lines of its memory are not counted\n"
	     "0:3f:00.1: memory controller 2, free-running counters at 0x3000000: the registers cannot be mapped: lines of its memory are not counted\n"
	     "0:3f:00.1: memory controller 1, free-running counters at 0x1001290: no UBox identifies the package: lines of its memory are not counted\n");
}

TEST_BETWEEN(there_is_room_for_8_packages_and_4_controllers_of_each, setup, teardown)
{
	unsigned int i;

	begin_channels();
	for (i = 0; i < 4; i++)
		bpmu_memory_add(&holder->pci, 0, i, 0x1001290);
	said("");
	bpmu_memory_add(&holder->pci, 0, 4, 0x1001290);
	said("0:3f:00.1: memory controller 4, free-running counters at 0x1001290: there are more packages or controllers than this module has room for: lines of its memory are not counted\n");
	for (i = 1; i < 8; i++)
		bpmu_memory_add(&holder->pci, i, 0, 0x1001290);
	said("");
	bpmu_memory_add(&holder->pci, 8, 0, 0x1001290);
	said("0:3f:00.1: memory controller 0, free-running counters at 0x1001290: there are more packages or controllers than this module has room for: lines of its memory are not counted\n");
	assert_int_equal(mappings, 11);
	assert_int_equal(holder->pci.references, 11);
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY48_READS)), 4000);
	assert_true(bpmu_memory_here());
	this_cpu = 3;
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY48_READS)), 1000);
}

TEST_BETWEEN(each_controller_can_be_lost_alone, setup, teardown)
{
	struct unit_device *second;

	begin_channels();
	second = add_device_at(0, 0x3f, DEVFN(0, 2), HOLDER);
	bpmu_memory_add(&holder->pci, 0, 0, 0x1001290);
	bpmu_memory_add(&second->pci, 0, 1, 0x1040290);
	assert_true(bpmu_memory_has(0, &holder->pci));
	assert_true(bpmu_memory_has(0, &second->pci));
	assert_false(bpmu_memory_lose(&unit_devices[0].pci));
	/* nothing is unmapped that was not lost */
	bpmu_memory_unmap(&holder->pci);
	assert_int_equal(mappings, 2);
	assert_true(bpmu_memory_lose(&holder->pci));
	assert_false(bpmu_memory_here());
	assert_int_equal(mappings, 2);
	bpmu_memory_unmap(&second->pci);
	assert_int_equal(mappings, 2);
	bpmu_memory_unmap(&holder->pci);
	assert_int_equal(mappings, 1);
	assert_non_null(packages[0].controller[1].mapped);
	holder->there = false;
	holder = add_device_at(0, 0x3f, DEVFN(0, 1), HOLDER);
	bpmu_memory_find_again();
	assert_true(bpmu_memory_here());
	assert_true(bpmu_memory_lose(&second->pci));
	assert_false(bpmu_memory_here());
}

/* boxes that bpmu_memory_find() has announced */
static char announced[256];

static void announce(struct pci_dev *host, const struct bpmu_box *box, unsigned int controller,
		     resource_size_t address)
{
	size_t used = strlen(announced);

	assert_ptr_equal(host, &unit_devices[0].pci);
	assert_ptr_equal(box, client_boxes);
	snprintf(announced + used, sizeof(announced) - used, "%u at %#llx ", controller, address);
}

/* MCHBAR is at 0x4_fed10000, and memory[i] holds the counters of controller i. */
static void begin_client(void)
{
	struct unit_device *host = add_device_at(0, 0, 0, HOST);

	part = (struct bpmu_part){ .uncore = &of_client, .mchbar = bars };
	host->config[0x48 / 4] = 0xfed10001;
	host->config[0x4c / 4] = 4;
	memset(memory, 0, sizeof(memory));
	add_area(0x4fed15000, sizeof(memory[0]), memory[0]);
	add_area(0x4fed16000, sizeof(memory[1]), memory[1]);
	*(u32 *)&memory[0][0x50] = 7;
	*(u32 *)&memory[0][0x54] = 70;
	*(u32 *)&memory[1][0x50] = 0xfffffff0;
	*(u32 *)&memory[1][0x54] = 5;
	announced[0] = '\0';
}

TEST_BETWEEN(clients_have_two_controllers_at_mchbar, setup, teardown)
{
	begin_client();
	bpmu_memory_find(&part, announce);
	assert_string_equal(announced, "0 at 0x4fed10600 1 at 0x4fed11600 ");
	this_cpu = 3;
	assert_true(bpmu_memory_here());
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY_READS)), 0xfffffff7ULL);
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY_WRITES)), 75);
	assert_int_equal(mappings, 2);
	assert_int_equal(unit_devices[0].pci.references, 2);
	assert_true(bpmu_memory_has(3, &unit_devices[0].pci));
}

TEST_BETWEEN(some_parts_have_one_register_for_all_controllers, setup, teardown)
{
	begin_client();
	part.mchbar = one_bar;
	bpmu_memory_find(&part, announce);
	assert_string_equal(announced, "");
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY_READS)), 7);
}

TEST_BETWEEN(some_parts_show_by_a_64_bit_counter_that_they_answer, setup, teardown)
{
	begin_client();
	part.free = BPMU_FREE(MEMORY64_READS);
	*(u64 *)&memory[0][0x58] = 0x700000000ULL;
	bpmu_memory_find(&part, announce);
	assert_string_equal(announced, "0 at 0x4fed10600 ");
	said("0:00:00.0: MCHBAR, memory controller 1: nothing answers at their address: the lines of the other are counted\n");
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY64_READS)),
			 0x700000000ULL);
}

#define NOTHING_COUNTED \
	"the memory controllers' registers are not read, and memory's lines not counted\n"

TEST_BETWEEN(a_client_whose_memory_is_not_counted_says_why, setup, teardown)
{
	part = (struct bpmu_part){ .uncore = &of_client };
	bpmu_memory_find(&part, announce);
	said("");
	part.mchbar = bars;
	bpmu_memory_find(&part, announce);
	said("no PCI device is a host bridge of this part: " NOTHING_COUNTED);
	begin_client();
	unit_devices[0].config[0x48 / 4] = 0xfed10000;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: firmware has not enabled MCHBAR: " NOTHING_COUNTED);
	unit_devices[0].config[0x48 / 4] = ~0u;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: firmware has not enabled MCHBAR: " NOTHING_COUNTED);
	unit_devices[0].config[0x48 / 4] = 0xfed10001;
	unit_devices[0].faulty = 0x48;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: firmware has not enabled MCHBAR: " NOTHING_COUNTED);
	unit_devices[0].faulty = 0x4c;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: firmware has not enabled MCHBAR: " NOTHING_COUNTED);
	unit_devices[0].faulty = 0;
	*(u32 *)&memory[0][0x50] = ~0u;
	*(u32 *)&memory[1][0x50] = 0;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: MCHBAR: nothing answers at their address: " NOTHING_COUNTED);
	assert_false(bpmu_memory_found());
	*(u32 *)&memory[1][0x50] = 3;
	bpmu_memory_find(&part, announce);
	said("0:00:00.0: MCHBAR, memory controller 0: nothing answers at their address: the lines of the other are counted\n");
	assert_string_equal(announced, "1 at 0x4fed11600 ");
}

TEST_BETWEEN(a_clients_second_box_can_stop_both, setup, teardown)
{
	static char registers[0x100];

	begin_client();
	add_area(0x5000, sizeof(registers), registers);
	add_area(0x5100, sizeof(registers), registers);
	add_area(0x50ff, 0x100, registers);
	bpmu_devices_add_controller(&unit_devices[0].pci, client_boxes, 0, 0x5000);
	bpmu_devices_add_controller(&unit_devices[0].pci, client_boxes, 1, 0x5100);
	said("");
	/* one byte of it is another's, at either end */
	bpmu_devices_add_controller(&unit_devices[0].pci, client_boxes, 0, 0x50ff);
	bpmu_devices_add_controller(&unit_devices[0].pci, client_boxes, 0, 0x51ff);
	bpmu_devices_add_controller(&unit_devices[0].pci, client_boxes, 0, 0x4f01);
	said("0:00:00.0: the registers of this memory controller, at 0x50ff, overlap those of another one: it is ignored\n"
	     "0:00:00.0: the registers of this memory controller, at 0x51ff, overlap those of another one: it is ignored\n"
	     "0:00:00.0: the registers of this memory controller, at 0x4f01, overlap those of another one: it is ignored\n");
	assert_int_equal(units[0].packages[0].nr, 2);
	assert_false(units[0].packages[0].dev[0].global);
	assert_true(units[0].packages[0].dev[1].global);
}

TEST_BETWEEN(boxes_of_a_discovery_table_are_of_its_package, setup, teardown)
{
	struct bpmu_discovery_unit unit = { .access = BPMU_ACCESS_PCI };
	struct unit_device *teller, *agent;
	static char registers[0x400];

	add_ubox(0x3f, 0);
	add_ubox(0x7f, 1);
	bpmu_devices_find(&part);
	logged[0] = '\0';
	teller = add_device_at(0, 0x7e, DEVFN(0, 3), 0x3251);
	agent = add_device_at(0, 0x7f, DEVFN(12, 1), AGENT);
	add_device_at(0, 0x3e, DEVFN(12, 1), AGENT);
	add_device_at(0, 0x7d, DEVFN(12, 1), AGENT)->pci.vendor = 0x1022;
	/* bits 30:12 are bus, device and function */
	unit.address = (0x7fULL << 20) + (DEVFN(12, 1) << 12) + 0x438;
	bpmu_devices_add(&teller->pci, &boxes[1], &unit);
	said("");
	assert_int_equal(agent->pci.references, 1);
	unit.address = (0x3eULL << 20) + (DEVFN(12, 1) << 12);
	bpmu_devices_add(&teller->pci, &boxes[1], &unit);
	unit.address = (0x7dULL << 20) + (DEVFN(12, 1) << 12);
	bpmu_devices_add(&teller->pci, &boxes[1], &unit);
	unit.address = (0x7eULL << 20) + (DEVFN(31, 7) << 12);
	bpmu_devices_add(&teller->pci, &boxes[1], &unit);
	said("0:7e:00.3: the discovery table's home agent at PCI device 0:3e:0c.1 is no device of this package: it is ignored\n"
	     "0:7e:00.3: the discovery table's home agent at PCI device 0:7d:0c.1 is no device of this package: it is ignored\n"
	     "0:7e:00.3: the discovery table's home agent at PCI device 0:7e:1f.7 is no device of this package: it is ignored\n");
	unit = (struct bpmu_discovery_unit){ .access = BPMU_ACCESS_MEMORY, .address = 0x7000 };
	add_area(0x7000, sizeof(registers), registers);
	bpmu_devices_add(&teller->pci, channel_boxes, &unit);
	this_cpu = 2;
	are_here(BPMU_UNIT_HA, (struct unit_device *[]){ agent, NULL });
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ teller, NULL });
	assert_false(bpmu_devices_here(BPMU_UNIT_IMC)->dev[0].global);
}

/* Three memory channels, the last of them in another package */
static struct unit_device *one, *next, *two;

static void begin_claims(void)
{
	add_ubox(0x3f, 0);
	add_ubox(0x7f, 1);
	one = add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_A);
	next = add_device_at(0, 0x3f, DEVFN(16, 1), CHANNEL_A);
	two = add_device_at(0, 0x7f, DEVFN(16, 0), CHANNEL_A);
	bpmu_devices_find(&part);
	logged[0] = '\0';
	assert_int_equal(bpmu_devices_register(removed), 0);
	assert_ptr_equal(registered->id_table, ids);
}

/* Checks whether a claim is refused, and by which sentence; NULL for a success. */
static void claim(const struct cpumask *cpus, int error, const char *sentence)
{
	struct netlink_ext_ack ack = { };

	assert_int_equal(bpmu_devices_claim(BPMU_UNIT_IMC, cpus, &ack), error);
	if (sentence)
		assert_string_equal(ack._msg, sentence);
	else
		assert_null(ack._msg);
	assert_int_equal(claim_lock.held, 0);
	assert_int_equal(box_lock.held, 0);
	assert_null(attaching);
}

TEST_BETWEEN(a_claim_binds_the_driver_to_all_devices, setup, teardown)
{
	begin_claims();
	/* nobody asks for it: the driver declines */
	assert_int_equal(registered->probe(&one->pci, NULL), -ENODEV);
	claim(&both_packages, 0, NULL);
	assert_ptr_equal(one->pci.dev.driver, &driver.driver);
	assert_ptr_equal(next->pci.dev.driver, &driver.driver);
	assert_ptr_equal(two->pci.dev.driver, &driver.driver);
	/* another session may claim them, too */
	claim(&first_package, 0, NULL);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_ptr_equal(one->pci.dev.driver, &driver.driver);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_null(one->pci.dev.driver);
	assert_null(next->pci.dev.driver);
	assert_null(two->pci.dev.driver);
	claim(&first_package, 0, NULL);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_null(two->pci.dev.driver);
	/* the driver core removes a device from the driver */
	registered->remove(&one->pci);
	assert_ptr_equal(removed_device, &one->pci);
}

TEST_BETWEEN(a_claim_names_another_driver, setup, teardown)
{
	begin_claims();
	two->pci.dev.driver = &foreign;
	claim(&first_package, -EADDRINUSE,
	      "the memory channels are in use by the driver snbep_uncore: unload it, as with modprobe -r intel_uncore");
	assert_null(one->pci.dev.driver);
	assert_ptr_equal(two->pci.dev.driver, &foreign);
	two->pci.dev.driver = NULL;
	/* the driver core does not let the driver have the device */
	two->there = true;
	registered->probe = bpmu_device_probe;
	claim(&first_package, 0, NULL);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
}

static int decline(struct pci_dev *pci, const struct pci_device_id *id)
{
	(void)pci;
	(void)id;
	return -ENODEV;
}

TEST_BETWEEN(a_device_may_ask_for_another_driver, setup, teardown)
{
	begin_claims();
	registered->probe = decline;
	claim(&first_package, -EADDRINUSE,
	      "the memory channels are in use by the driver that driver_override asks for: unload it, as with modprobe -r intel_uncore");
	registered->probe = bpmu_device_probe;
}

TEST_BETWEEN(memory_of_a_claim_is_reserved, setup, teardown)
{
	begin_channels();
	bpmu_devices_find(&part);
	assert_int_equal(bpmu_devices_register(removed), 0);
	loaded = "intel_uncore";
	claim(&first_package, -EADDRINUSE,
	      "the channels are in use by the driver intel_uncore: unload it, as with modprobe -r intel_uncore");
	loaded = "another";
	/* each channel of memory that is reserved as a whole counts once here */
	nr_areas -= 2;
	add_area(0x1001800, 0x400, memory[0]);
	add_area(0x1001c00, 0x400, memory[0]);
	add_area(0x1040800, 0x400, memory[1]);
	add_area(0x1040c00, 0x400, memory[1]);
	claim(&first_package, 0, NULL);
	assert_int_equal(reservations, 4);
	assert_ptr_equal(holder->pci.dev.driver, &driver.driver);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_int_equal(reservations, 0);
	assert_null(holder->pci.dev.driver);
	areas[nr_areas - 2].reserved = "another";
	claim(&first_package, -EADDRINUSE,
	      "the channels' registers, at 0x1040800, are in use by the driver that /proc/iomem names: unload it");
	assert_int_equal(reservations, 0);
	assert_null(holder->pci.dev.driver);
	areas[nr_areas - 2].reserved = NULL;
	/* a device that goes during a claim takes its reservations with it */
	claim(&first_package, 0, NULL);
	assert_int_equal(notified->notifier_call(notified, BUS_NOTIFY_DEL_DEVICE, &holder->pci.dev),
			 NOTIFY_OK);
	assert_ptr_equal(removed_device, &holder->pci);
	assert_int_equal(mappings_then, 6);
	assert_int_equal(mappings, 0);
	assert_int_equal(reservations, 0);
	assert_false(bpmu_memory_here());
	assert_null(bpmu_devices_here(BPMU_UNIT_IMC));
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
}

TEST_BETWEEN(devices_of_memory_come_back, setup, teardown)
{
	struct unit_device *back;

	begin_channels();
	bpmu_devices_find(&part);
	assert_int_equal(bpmu_devices_register(removed), 0);
	assert_int_equal(notified->notifier_call(notified, BUS_NOTIFY_ADD_DEVICE, &holder->pci.dev),
			 NOTIFY_DONE);
	assert_int_equal(mappings, 6);
	holder->there = false;
	notified->notifier_call(notified, BUS_NOTIFY_DEL_DEVICE, &holder->pci.dev);
	bpmu_memory_find_again();
	assert_false(bpmu_memory_here());
	claim(&first_package, -ENODEV,
	      "the channel's PCI device 0:3f:00.1 has been removed: echo 1 > /sys/bus/pci/rescan");
	/* nobody needs it */
	claim(&(struct cpumask){ 0xc }, 0, NULL);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	/* another device is there */
	back = add_device_at(0, 0x3f, DEVFN(0, 1), HOLDER + 1);
	claim(&first_package, -ENODEV,
	      "the channel's PCI device 0:3f:00.1 has been removed: echo 1 > /sys/bus/pci/rescan");
	bpmu_memory_find_again();
	assert_false(bpmu_memory_here());
	back->pci.device = HOLDER;
	back->pci.vendor = 0x1022;
	bpmu_memory_find_again();
	assert_false(bpmu_memory_here());
	back->pci.vendor = PCI_VENDOR_ID_INTEL;
	/* its memory does not answer, or cannot be mapped */
	*(u64 *)&memory[1][0x290 + 0x90] = 0;
	bpmu_memory_find_again();
	assert_false(bpmu_memory_here());
	*(u64 *)&memory[1][0x290 + 0x90] = 5;
	areas[2].size = 0;
	bpmu_memory_find_again();
	areas[2].size = 0x1000;
	bpmu_memory_find_again();
	assert_true(bpmu_memory_here());
	assert_int_equal(bpmu_memory_read(lines_register(BPMU_FREE_MEMORY48_READS)), 1005);
	assert_true(bpmu_memory_has(0, &back->pci));
	assert_int_equal(mappings, 2);
	areas[3].size = 0;
	claim(&first_package, -ENODEV, "the channels' registers, at 0x1040800, cannot be mapped");
	areas[3].size = 0x1000;
	loaded = "intel_uncore";
	claim(&first_package, -EADDRINUSE,
	      "the channels are in use by the driver intel_uncore: unload it, as with modprobe -r intel_uncore");
	assert_int_equal(bpmu_devices_here(BPMU_UNIT_IMC)->nr, 4);
	assert_ptr_equal(bpmu_devices_here(BPMU_UNIT_IMC)->dev[3].registers, &memory[1][0xc00]);
	assert_int_equal(mappings, 6);
	assert_int_equal(holder->pci.references, 0);
	assert_int_equal(back->pci.references, 6);
}

TEST_BETWEEN(devices_with_registers_come_back, setup, teardown)
{
	struct unit_device *back;

	begin_claims();
	assert_int_equal(notified->notifier_call(notified, BUS_NOTIFY_DEL_DEVICE,
						 &unit_devices[0].pci.dev), NOTIFY_DONE);
	assert_null(removed_device);
	claim(&both_packages, 0, NULL);
	two->there = false;
	assert_int_equal(notified->notifier_call(notified, BUS_NOTIFY_DEL_DEVICE,
						 &two->pci.dev), NOTIFY_OK);
	assert_int_equal(mappings_then, 3);
	assert_int_equal(mappings, 2);
	assert_non_null(bpmu_devices_here(BPMU_UNIT_IMC));
	this_cpu = 2;
	assert_null(bpmu_devices_here(BPMU_UNIT_IMC));
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_null(one->pci.dev.driver);
	/* a device that is gone has no driver to lose */
	assert_non_null(two->pci.dev.driver);
	/* sessions of the other package need it not, and leave it alone */
	claim(&first_package, 0, NULL);
	assert_ptr_equal(one->pci.dev.driver, &driver.driver);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	back = add_device_at(0, 0x7f, DEVFN(16, 0), CHANNEL_A);
	claim(&both_packages, 0, NULL);
	assert_ptr_equal(back->pci.dev.driver, &driver.driver);
	are_here(BPMU_UNIT_IMC, (struct unit_device *[]){ back, NULL });
	assert_ptr_equal(bpmu_devices_here(BPMU_UNIT_IMC)->dev[0].registers, back->config);
	assert_int_equal(two->pci.references, 0);
	bpmu_devices_unclaim(BPMU_UNIT_IMC);
	assert_null(back->pci.dev.driver);
}

TEST_BETWEEN(an_error_of_the_driver_core_is_told, setup, teardown)
{
	driver_error = -ENOMEM;
	assert_int_equal(bpmu_devices_register(removed), -ENOMEM);
	assert_null(device_removed);
	driver_error = 0;
	notifier_error = -EBUSY;
	assert_int_equal(bpmu_devices_register(removed), -EBUSY);
	assert_null(device_removed);
	assert_null(registered);
	notifier_error = 0;
	assert_int_equal(bpmu_devices_register(removed), 0);
	bpmu_devices_forget();
	assert_null(registered);
	assert_null(notified);
	device_removed = NULL;
}

TEST_BETWEEN(registers_are_reached_by_configuration_space, setup, teardown)
{
	struct bpmu_device dev = { };
	struct unit_device *device = add_device_at(0, 0x3f, DEVFN(16, 0), CHANNEL_A);
	u64 value;

	dev.pci = &device->pci;
	device->config[0xa0 / 4] = 0x7fffffff;
	device->config[0xa4 / 4] = 0x12;
	assert_int_equal(bpmu_device_read(&dev, 0xa0, &value), 0);
	assert_int_equal(value, 0x7fffffff);
	assert_int_equal(bpmu_device_read_counter(&dev, 0xa0, &value), 0);
	assert_int_equal(value, 0x127fffffffULL);
	device->config[0xa0 / 4] = 0x80000000;
	assert_int_equal(bpmu_device_read_counter(&dev, 0xa0, &value), 0);
	assert_int_equal(value, 0x1280000000ULL);
	device->faulty = 0xa4;
	assert_int_not_equal(bpmu_device_read_counter(&dev, 0xa0, &value), 0);
	assert_int_not_equal(bpmu_device_read(&dev, 0xa4, &value), 0);
	device->faulty = 0xa0;
	assert_int_not_equal(bpmu_device_read_counter(&dev, 0xa0, &value), 0);
	device->faulty = 0;
	assert_int_equal(bpmu_device_write(&dev, 0xf4, 0x10101), 0);
	assert_int_equal(device->config[0xf4 / 4], 0x10101);
	assert_int_equal(bpmu_device_write_counter(&dev, 0xa0, 0x3456789abcULL), 0);
	assert_int_equal(device->config[0xa0 / 4], 0x56789abc);
	assert_int_equal(device->config[0xa4 / 4], 0x34);
	failing_write = 1;
	assert_int_not_equal(bpmu_device_write_counter(&dev, 0xa0, 1), 0);
	failing_write = 2;
	assert_int_not_equal(bpmu_device_write_counter(&dev, 0xa0, 1), 0);
	failing_write = 1;
	assert_int_not_equal(bpmu_device_write(&dev, 0xa0, 1), 0);
	/* a map of it is read, never written */
	dev.registers = (char []){ [0xa0] = 9, [0xff] = 0 };
	assert_int_equal(bpmu_device_read(&dev, 0xa0, &value), 0);
	assert_int_equal(value, 9);
	assert_int_equal(bpmu_device_read_counter(&dev, 0xa0, &value), 0);
	assert_int_equal(value, 9);
	assert_int_equal(bpmu_device_write(&dev, 0xa0, 2), 0);
	assert_int_equal(device->config[0xa0 / 4], 2);
	assert_int_equal(*(u32 *)(dev.registers + 0xa0), 9);
}

TEST_BETWEEN(registers_are_reached_by_memory, setup, teardown)
{
	char registers[0x100] = { 0 };
	struct bpmu_device dev = { .address = 0x1000, .registers = registers };
	u64 value;

	*(u64 *)&registers[0x20] = 0x1122334455667788ULL;
	assert_int_equal(bpmu_device_read(&dev, 0x24, &value), 0);
	assert_int_equal(value, 0x11223344);
	assert_int_equal(bpmu_device_read_counter(&dev, 0x20, &value), 0);
	assert_int_equal(value, 0x1122334455667788ULL);
	assert_int_equal(bpmu_device_write(&dev, 0x24, 0x99), 0);
	assert_int_equal(*(u64 *)&registers[0x20], 0x9955667788ULL);
	assert_int_equal(bpmu_device_write_counter(&dev, 0x28, 0x1122334455667788ULL), 0);
	assert_int_equal(*(u64 *)&registers[0x28], 0x1122334455667788ULL);
}

TEST_BETWEEN(a_sentence_is_kept_once, setup, teardown)
{
	const char *const full =
		"registers are in use by another driver, and there is no memory to name it";
	struct netlink_ext_ack ack = { };
	unsigned int before = nr_sentences, i;
	const char *first;

	bpmu_refuse_fmt(&ack, "a driver %s, %u", "of mine", 1);
	first = ack._msg;
	assert_string_equal(first, "a driver of mine, 1");
	bpmu_refuse_fmt(&ack, "a driver %s, %u", "of mine", 2);
	assert_string_equal(ack._msg, "a driver of mine, 2");
	assert_string_equal(first, "a driver of mine, 1");
	bpmu_refuse_fmt(&ack, "a driver %s, %u", "of mine", 1);
	assert_ptr_equal(ack._msg, first);
	/* no memory for the text, or to keep it */
	for (i = 1; i <= 2; i++) {
		memory_left = i;
		bpmu_refuse_fmt(&ack, "a driver %u", 99);
		assert_string_equal(ack._msg, full);
	}
	memory_left = 0;
	assert_int_equal(nr_sentences, before + 2);
	for (i = before + 2; i < 64; i++) {
		bpmu_refuse_fmt(&ack, "driver %u", i);
		assert_string_not_equal(ack._msg, full);
	}
	bpmu_refuse_fmt(&ack, "driver %u", i);
	assert_string_equal(ack._msg, full);
	bpmu_refuse_fmt(&ack, "a driver %s, %u", "of mine", 1);
	assert_ptr_equal(ack._msg, first);
	assert_int_equal(sentences_lock.held, 0);
	bpmu_refusals_free();
}
