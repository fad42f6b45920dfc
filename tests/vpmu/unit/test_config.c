// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of PCI configuration space: which devices the guest finds on which bus, and which of their
 * registers it reads and writes. Source of the IDs and places of devices: Linux, uncore_snbep.c and
 * uncore_snb.c; of the registers 0, 8 and 0xc: PCI Local Bus Specification, Type 0 header.
 */
#include "box/config.h"

#include <string.h>

#include "machine.h"

#include "box/cbo.h"
#include "box/discovered.h"
#include "box/imc.h"
#include "box/mchbar.h"
#include "machine/window.h"

#define ADDRESS 0xcf8
#define DATA 0xcfc
#define NOTHING 0xfeedfeed

/* Creates two packages of two vCPUs each, with the boxes of the bitmap @imc. */
static struct vpmu_cpu *create(const struct vpmu_part *part, uint64_t imc)
{
	machine_new(part, 4, 1);
	vpmu_options.fabric = 2;
	vpmu_options.imc = imc;
	vpmu_boxes_init();
	return vpmu_cpus;
}

/* Selects a register of a device by the port CONFIG_ADDRESS, which QEMU's devices need too. */
static void select_register(unsigned int bus, unsigned int device, unsigned int function,
			    unsigned int at)
{
	assert_false(vpmu_config_out(vpmu_cpus, ADDRESS, 4, 0x80000000 | bus << 16 | device << 11 |
				     function << 8 | (at & ~3u)));
}

/* Reads a register; returns NOTHING if QEMU must execute the instruction. */
static uint32_t get(unsigned int bus, unsigned int device, unsigned int function, unsigned int at,
		    unsigned int bytes)
{
	uint32_t value;

	select_register(bus, device, function, at);
	return vpmu_config_in(vpmu_cpus, DATA + (at & 3), bytes, &value) ? value : NOTHING;
}

static void put(unsigned int bus, unsigned int device, unsigned int function, unsigned int at,
		unsigned int bytes, uint32_t value)
{
	select_register(bus, device, function, at);
	assert_true(vpmu_config_out(vpmu_cpus, DATA + (at & 3), bytes, value));
}

struct found {
	unsigned int bus;
	unsigned int device;
	unsigned int function;
	uint32_t id;
};

/* Fails unless the devices of the buses 0 to 0xff are those of @found, and no others. */
static void assert_found(const struct found *found, unsigned int nr)
{
	unsigned int bus, devfn, i;

	for (bus = 0; bus < 0x100; bus++) {
		for (devfn = 0; devfn < 0x100; devfn++) {
			for (i = 0; i < nr; i++)
				if (found[i].bus == bus && found[i].device == devfn >> 3 &&
				    found[i].function == (devfn & 7))
					break;
			assert_int_equal(get(bus, devfn >> 3, devfn & 7, 0, 4),
					 i < nr ? found[i].id << 16 | 0x8086 : NOTHING);
		}
	}
}

#define ASSERT_FOUND(...) \
	assert_found((const struct found[]){ __VA_ARGS__ }, \
		     sizeof((const struct found[]){ __VA_ARGS__ }) / sizeof(struct found))

/*
 * A device whose function 0 has no counters has one without: the kernel looks for other functions
 * only then. Boxes that the bitmap lacks are on no bus.
 */
TEST(each_package_up_to_broadwell_has_a_bus)
{
	create(vpmu_part_like("ivt"), 0x11003);
	ASSERT_FOUND({ 0x3f, 0x0b, 0, 0x0e1e }, { 0x3f, 0x10, 0, 0x0eff },
		     { 0x3f, 0x10, 4, 0x0eb4 }, { 0x3f, 0x10, 5, 0x0eb5 },
		     { 0x3f, 0x0e, 0, 0x0eff }, { 0x3f, 0x0e, 1, 0x0e30 },
		     { 0x3f, 0x08, 0, 0x0eff }, { 0x3f, 0x08, 2, 0x0e32 },
		     { 0x7f, 0x0b, 0, 0x0e1e }, { 0x7f, 0x10, 0, 0x0eff },
		     { 0x7f, 0x10, 4, 0x0eb4 }, { 0x7f, 0x10, 5, 0x0eb5 },
		     { 0x7f, 0x0e, 0, 0x0eff }, { 0x7f, 0x0e, 1, 0x0e30 },
		     { 0x7f, 0x08, 0, 0x0eff }, { 0x7f, 0x08, 2, 0x0e32 });
}

/* Function 0 of a device may have counters itself. */
TEST(each_package_from_skylake_on_has_two_buses)
{
	create(vpmu_part_like("skx"), 0x31009);
	ASSERT_FOUND({ 0x00, 0x08, 0, 0x0eff }, { 0x00, 0x08, 2, 0x2014 },
		     { 0x2a, 0x1e, 0, 0x0eff }, { 0x2a, 0x1e, 3, 0x2083 },
		     { 0x2a, 0x0a, 0, 0x0eff }, { 0x2a, 0x0a, 2, 0x2042 },
		     { 0x2a, 0x0c, 0, 0x0eff }, { 0x2a, 0x0c, 2, 0x2042 },
		     { 0x2a, 0x08, 0, 0x2066 }, { 0x2a, 0x0e, 0, 0x2058 },
		     { 0x2a, 0x0f, 0, 0x2058 }, { 0x40, 0x08, 0, 0x0eff },
		     { 0x40, 0x08, 2, 0x2014 }, { 0x6a, 0x1e, 0, 0x0eff },
		     { 0x6a, 0x1e, 3, 0x2083 }, { 0x6a, 0x0a, 0, 0x0eff },
		     { 0x6a, 0x0a, 2, 0x2042 }, { 0x6a, 0x0c, 0, 0x0eff },
		     { 0x6a, 0x0c, 2, 0x2042 }, { 0x6a, 0x08, 0, 0x2066 },
		     { 0x6a, 0x0e, 0, 0x2058 }, { 0x6a, 0x0f, 0, 0x2058 });
}

/* QEMU's own host bridge is device 0, so that the virtual PMU's is another one. */
TEST(a_client_has_its_host_bridge_alone)
{
	create(vpmu_part_like("snb"), 1);
	ASSERT_FOUND({ 0, 0x10, 0, 0x0100 });
}

/* The second package may have other boxes than the first. */
TEST(packages_may_differ)
{
	create(vpmu_part_like("ivt"), 1);
	vpmu_options.imc2 = 2;
	ASSERT_FOUND({ 0x3f, 0x0b, 0, 0x0e1e }, { 0x3f, 0x10, 0, 0x0eff },
		     { 0x3f, 0x10, 4, 0x0eb4 }, { 0x7f, 0x0b, 0, 0x0e1e },
		     { 0x7f, 0x10, 0, 0x0eff }, { 0x7f, 0x10, 5, 0x0eb5 });
}

/*
 * Devices have several functions and the class of performance counters, 0x1101. The device with a
 * discovery table is a host bridge, whose extended configuration space the kernel reads.
 */
TEST(devices_have_a_class_and_several_functions)
{
	create(vpmu_part_like("icx"), 0x11001);
	assert_int_equal(get(0x3c, 0, 1, 8, 4), 0x11010000);
	assert_int_equal(get(0x3c, 0, 1, 0xc, 4), 0x800000);
	assert_int_equal(get(0x3c, 0x0c, 0, 8, 4), 0x11010000);
	assert_int_equal(get(0x3c, 0x0c, 0, 0xc, 4), 0x800000);
	create(&vpmu_spr, 0x11001);
	assert_int_equal(get(0x3c, 0, 1, 0, 4), 0x09a78086);
	assert_int_equal(get(0x3c, 0, 1, 8, 4), 0x06000000);
	assert_int_equal(get(0x3e, 0, 0, 0, 4), 0x32508086);
	assert_int_equal(get(0x3e, 0, 0, 8, 4), 0x11010000);
	create(vpmu_part_like("snb"), 1);
	assert_int_equal(get(0, 0x10, 0, 8, 4), 0x11010000);
}

TEST(parts_of_a_register_are_read)
{
	uint32_t value = 1;

	create(vpmu_part_like("ivt"), 1);
	assert_int_equal(get(0x3f, 0x10, 4, 0, 2), 0x8086);
	assert_int_equal(get(0x3f, 0x10, 4, 2, 2), 0x0eb4);
	assert_int_equal(get(0x3f, 0x10, 4, 2, 1), 0xb4);
	assert_int_equal(get(0x3f, 0x10, 4, 3, 1), 0x0e);
	assert_int_equal(get(0x3f, 0x10, 4, 0xe, 1), 0x80);
	assert_false(vpmu_config_in(vpmu_cpus, DATA - 1, 1, &value));
	assert_false(vpmu_config_in(vpmu_cpus, DATA + 1, 4, &value));
	assert_false(vpmu_config_in(vpmu_cpus, DATA + 4, 1, &value));
	assert_false(vpmu_config_out(vpmu_cpus, DATA - 1, 1, 0));
	assert_false(vpmu_config_out(vpmu_cpus, DATA + 2, 4, 0));
	assert_int_equal(value, 1);
	/* a latch without bit 31 selects nothing, and a narrower write does not change it */
	assert_false(vpmu_config_out(vpmu_cpus, ADDRESS, 2, 0));
	assert_true(vpmu_config_in(vpmu_cpus, DATA, 4, &value));
	assert_false(vpmu_config_out(vpmu_cpus, ADDRESS, 4, 0x3f << 16 | 0x10 << 11 | 4 << 8));
	assert_false(vpmu_config_in(vpmu_cpus, DATA, 4, &value));
	assert_false(vpmu_config_out(vpmu_cpus, DATA, 4, 0));
}

/* A write of one or two bytes of an event select leaves its other bytes as they are. */
TEST(parts_of_a_box_s_register_are_written)
{
	create(vpmu_part_like("ivt"), 3);
	put(0x3f, 0x10, 5, 0xd8, 4, 0x00000304);
	put(0x3f, 0x10, 5, 0xd9, 1, 0x0c);
	assert_int_equal(get(0x3f, 0x10, 5, 0xd8, 4), 0x00000c04);
	put(0x3f, 0x10, 5, 0xda, 2, 0x1140);
	assert_int_equal(get(0x3f, 0x10, 5, 0xd8, 4), 0x11400c04);
	put(0x3f, 0x10, 5, 0xd8, 2, 0x0304);
	assert_int_equal(get(0x3f, 0x10, 5, 0xd8, 4), 0x11400304);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 0, 1, 0xd8), 0x11400304);
	assert_int_equal(get(0x3f, 0x10, 4, 0xd8, 4), 0);
	assert_int_equal(get(0x7f, 0x10, 5, 0xd8, 4), 0);
	/* what a device without a box and a header are told changes nothing */
	put(0x3f, 0x0b, 0, 0xd8, 4, 0x304);
	assert_int_equal(get(0x3f, 0x0b, 0, 0xd8, 4), 0);
	put(0x3f, 0x10, 5, 0x08, 4, 0x304);
	assert_int_equal(get(0x3f, 0x10, 5, 8, 4), 0x11010000);
	assert_int_equal(vpmu_cpus->illegal_writes, 0);
}

/* The UBox numbers the nodes in descending order; its map has three bits for each node. */
TEST(ubox_tells_the_node_of_each_package)
{
	create(vpmu_part_like("ivt"), 1);
	assert_int_equal(get(0x3f, 0x0b, 0, 0x40, 4), 1);
	assert_int_equal(get(0x7f, 0x0b, 0, 0x40, 4), 0);
	assert_int_equal(get(0x3f, 0x0b, 0, 0x54, 4), 1);
	assert_int_equal(get(0x7f, 0x0b, 0, 0x54, 4), 1);
	assert_int_equal(get(0x3f, 0x0b, 0, 0x44, 4), 0);
	vpmu_options.fabric = 1;
	assert_int_equal(get(0x3f, 0x0b, 0, 0x40, 4), 3);
	assert_int_equal(get(0xff, 0x0b, 0, 0x40, 4), 0);
	assert_int_equal(get(0x3f, 0x0b, 0, 0x54, 4), 3 | 2 << 3 | 1 << 6);
	create(vpmu_part_like("skx"), 1);
	assert_int_equal(get(0x00, 0x08, 2, 0xc0, 4), 1);
	assert_int_equal(get(0x40, 0x08, 2, 0xc0, 4), 0);
	assert_int_equal(get(0x00, 0x08, 2, 0xd4, 4), 1);
}

/* CAPID6 and CAPID7 of Skylake-SP have a bit for each CHA. */
TEST(capabilities_have_the_bitmap_of_chas)
{
	create(vpmu_part_like("skx"), 1);
	assert_int_equal(get(0x2a, 0x1e, 3, 0x9c, 4), (1u << vpmu_cbo_number()) - 1);
	assert_true(vpmu_cbo_number() > 0);
	assert_int_equal(get(0x2a, 0x1e, 3, 0xa0, 4), 0);
	assert_int_equal(get(0x2a, 0x1e, 3, 0x98, 4), 0);
	vpmu_options.chas = 35;
	assert_int_equal(get(0x2a, 0x1e, 3, 0x9c, 4), 0xffffffff);
	assert_int_equal(get(0x2a, 0x1e, 3, 0xa0, 4), 7);
	assert_int_equal(get(0x2a, 0x1e, 3, 4, 4), 0);
	assert_int_equal(get(0x2a, 0x1e, 3, 0x98, 4), 0);
}

/* By memory the guest reaches the same registers, also eight bytes of them, but nothing else. */
TEST(memory_has_the_configuration_space_as_well)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("skx"), 0x1001);
	const struct vpmu_window *window;
	uint64_t agent = 0x2aull << 20 | 0x08 << 15;
	uint64_t channel = 0x2aull << 20 | 0x0a << 15 | 2 << 12;
	unsigned int nr = 0;

	while (vpmu_window_at(nr))
		nr++;
	vpmu_config_init();
	assert_null(vpmu_window_at(nr));
	vpmu_options.mcfg = 1;
	vpmu_config_init();
	window = vpmu_window_at(nr);
	assert_non_null(window);
	assert_int_equal(window->base, 0xb0000000);
	assert_int_equal(window->size, 0x10000000);
	assert_int_equal(window->read(cpu, agent, 4), 0x20668086);
	assert_int_equal(window->read(cpu, agent + 2, 2), 0x2066);
	assert_int_equal(window->read(cpu, agent + 8, 8), 0x0080000011010000);
	assert_true(window->read(cpu, agent + 0x1000, 4) == -1ull);
	assert_true(window->read(cpu, agent + 0x8000, 4) == -1ull);
	assert_true(window->read(cpu, agent + 0x4000000, 4) == 0x20668086);
	window->write(cpu, agent + 0x228, 8, 0x0000000700400137);
	assert_int_equal(window->read(cpu, agent + 0x228, 4), 0x00400137);
	window->write(cpu, agent + 0x229, 1, 0x02);
	assert_int_equal(window->read(cpu, agent + 0x228, 4), 0x00400237);
	window->write(cpu, agent + 0x1228, 4, 0x00400437);
	assert_int_equal(window->read(cpu, agent + 0x228, 4), 0x00400237);
	/* two event selects of a channel */
	window->write(cpu, channel + 0xd8, 8, 0x00400c0400400304);
	assert_int_equal(window->read(cpu, channel + 0xd8, 4), 0x00400304);
	assert_int_equal(window->read(cpu, channel + 0xdc, 4), 0x00400c04);
}

/* Only imc= gives a part that has devices its configuration space. */
TEST(configuration_space_is_used_only_with_devices)
{
	create(vpmu_part_like("skx"), 0);
	assert_false(vpmu_config_used());
	vpmu_options.imc = 1;
	assert_true(vpmu_config_used());
	create(vpmu_part_like("snb"), 1);
	assert_true(vpmu_config_used());
	create(&vpmu_zen4, 1);
	assert_false(vpmu_config_used());
}

/*
 * Each device has its registers, and no others: the one with addresses or the discovery table, an
 * IRP, boxes, and function 0 of a device, which has none.
 */
TEST(devices_reach_their_own_registers)
{
	const struct vpmu_window *window;
	struct vpmu_cpu *cpu = create(vpmu_part_like("icx"), 0x11001);
	uint64_t agent = 0x3cull << 20 | 0x0c << 15;
	unsigned int i = 0;

	assert_int_not_equal(vpmu_imc_addresses(1, 0xd0), vpmu_imc_addresses(0, 0xd0));
	assert_int_equal(get(0x3c, 0, 1, 0xd0, 4), vpmu_imc_addresses(0, 0xd0));
	assert_int_equal(get(0x7c, 0, 1, 0xd0, 4), vpmu_imc_addresses(1, 0xd0));
	assert_int_equal(get(0x3c, 0, 1, 0xd4, 4), 0);
	assert_int_equal(get(0x3c, 0, 0, 0, 4), 0x0eff8086);
	assert_int_equal(get(0x3c, 0, 0, 0xd0, 4), 0);
	assert_int_equal(get(0x3c, 0, 0, 0x10, 4), 0);
	create(&vpmu_spr, 0x11001);
	assert_int_equal(get(0x3c, 0, 1, 0x14, 4), 0x50);
	assert_int_equal(get(0x7c, 0, 1, 0x10, 4), 0x00100004);
	assert_int_equal(get(0x3c, 0, 1, 0xd0, 4), 0);
	while (strcmp(vpmu_window_at(i)->name, "PCI configuration space"))
		i++;
	window = vpmu_window_at(i);
	window->write(cpu, agent + 0x468, 8, 0x0000000300000424);
	assert_int_equal(window->read(cpu, agent + 0x468, 8), 0x0000000300000424);
	assert_int_equal(vpmu_discovered_box_read(0, VPMU_AGENT, 0x46c), 3);
	window->write(cpu, agent + 0x469, 1, 0x07);
	assert_int_equal(window->read(cpu, agent + 0x468, 4), 0x724);
	assert_int_equal(window->read(cpu, agent + 0x469, 1) & 0xff, 0x07);
	assert_int_equal(window->read(cpu, agent + 0x4000000 + 0x468, 4), 0);
	create(vpmu_part_like("knl"), 1);
	assert_int_equal(get(0x3f, 5, 6, 0, 4), 0x78148086);
	assert_int_equal(get(0x3f, 5, 6, 0x10, 4), 0);
	assert_int_equal(get(0x3f, 5, 6, 0xd8, 4), 0);
	assert_int_equal(get(0x3f, 8, 2, 0, 4), 0x78438086);
	assert_int_equal(get(0x3f, 8, 3, 0, 4), NOTHING);
	assert_int_equal(get(0x3e, 5, 6, 0, 4), NOTHING);
}

TEST(a_cpu_may_ignore_what_it_writes)
{
	create(vpmu_part_like("ivt"), 1)->ignored = 0x304;
	put(0x3f, 0x10, 4, 0xd8, 4, 0x00400304);
	assert_int_equal(get(0x3f, 0x10, 4, 0xd8, 4), 0);
	put(0x3f, 0x10, 4, 0xd8, 4, 0x00400c04);
	assert_int_equal(get(0x3f, 0x10, 4, 0xd8, 4), 0x00400c04);
}

/* The register MCHBAR is written only as a whole, and is a client's alone. */
TEST(a_client_s_mchbar_is_written_whole)
{
	uint32_t before;

	create(vpmu_part_like("snb"), 1);
	before = get(0, 0x10, 0, 0x48, 4);
	assert_int_equal(before, 0xfed10001);
	put(0, 0x10, 0, 0x48, 2, 0);
	put(0, 0x10, 0, 0x4c, 4, 0);
	assert_int_equal(get(0, 0x10, 0, 0x48, 4), before);
	put(0, 0x10, 0, 0x48, 4, 0xfed20000);
	assert_int_equal(get(0, 0x10, 0, 0x48, 4), 0xfed20000);
	create(vpmu_part_like("ivt"), 1);
	put(0x3f, 0x0b, 0, 0x48, 4, 1);
	create(vpmu_part_like("snb"), 0);
	assert_int_equal(vpmu_mchbar_config(0x48), 0xfed20000);
}

TEST_GROUP(NULL, machine_free);
