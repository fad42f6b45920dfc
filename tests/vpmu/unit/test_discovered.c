// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of discovery tables and of the units in them: each unit has its registers where the tables
 * say, and counts injected events. The tables also have wrong records, and the PCI device that
 * points to them has other capabilities.
 */

#include "machine.h"

#include "box/imc.h"
#include "box/server.h"
#include "box/discovered.h"
#include "machine/window.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"

/*
 * distance in bytes between the discovery tables of two packages; size in bytes of a word (64 bits)
 * and of a record
 */
#define STEP 0x100000
#define WORD 8
#define STRIDE (5 * WORD)
#define HIGH(value) ((uint64_t)(value) << 32)
/*
 * Box numbers of an M2M and of a link, and offsets of registers in their configuration space:
 * Linux, SNR_M2M_*.
 */
#define AGENT VPMU_AGENT
#define LINK VPMU_LINK
#define CTL 0x438
#define COUNTER 0x440
#define SELECT 0x468
#define FREEZE 1
#define RESET 0x300

static uint64_t read_word(unsigned int package, unsigned int record, unsigned int word)
{
	return vpmu_window_at(0)->read(vpmu_cpus, package * STEP + record * STRIDE + word * WORD,
				       8);
}

/*
 * Creates two packages. The first has memory channels 0 and 1, the second also channel 2. All tests
 * share the window, which only a machine with the option imc= maps.
 */
static void create(const struct vpmu_part *part)
{
	machine_new(part, 2, 1);
	vpmu_options.fabric = 1;
	if (vpmu_window_at(0))
		vpmu_discovered_init();
	vpmu_options.imc = 0x11003;
	vpmu_options.imc2 = 0x11007;
	vpmu_options.boxes = 3;
	if (!vpmu_window_at(0))
		vpmu_discovered_init();
	assert_non_null(vpmu_window_at(0));
	assert_null(vpmu_window_at(1));
}

/*
 * Returns the number, from 1 on, of the first record for unit @id of type @type in a package's
 * discovery table; 0 if there is none.
 */
static unsigned int find(unsigned int package, unsigned int type, unsigned int id)
{
	unsigned int units = read_word(package, 0, 0) >> 16 & 0x3ff, i;

	for (i = 1; i <= units; i++)
		if (read_word(package, i, 0) && read_word(package, i, 2) == (type | id << 16))
			return i;
	return 0;
}

/*
 * Checks the record of a unit in the discovery table of a package. The bytes of @layout, from the
 * lowest on: number of counters, offset of event selects, width of counters, offset of counters.
 */
static void assert_unit(unsigned int package, unsigned int type, unsigned int id,
			uint32_t layout, unsigned int access, uint64_t address)
{
	unsigned int i = find(package, type, id);

	assert_int_not_equal(i, 0);
	assert_int_equal(read_word(package, i, 0), (uint64_t)access << 62 | layout);
	assert_int_equal(read_word(package, i, 1), address);
}

static unsigned int number_of(unsigned int package)
{
	unsigned int units = read_word(package, 0, 0) >> 16 & 0x3ff, i, n = 0;

	for (i = 1; i <= units; i++)
		n += read_word(package, i, 0) != 0;
	return n;
}

TEST(only_servers_with_memory_channels_have_a_window)
{
	uint64_t value;

	machine_new(vpmu_part_like("icx"), 1, 1);
	vpmu_options.imc = 1;
	vpmu_discovered_init();
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x2ffe, &value));
	assert_false(vpmu_discovered_write(vpmu_cpus, 0x2002, 1));
	vpmu_options.part = &vpmu_ivb;
	vpmu_discovered_init();
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x2002, &value));
	vpmu_options = (struct vpmu_options){ .part = &vpmu_spr };
	vpmu_discovered_init();
	assert_null(vpmu_window_at(0));
}

TEST(test_table)
{
	create(&vpmu_spr);
	/* from the lowest bits on: words of a record, and the most records that there can be */
	assert_int_equal(read_word(0, 0, 0), STRIDE / WORD << 8 | 58 << 16);
	assert_int_equal(read_word(0, 0, 1), 0x2ff0);
	assert_int_equal(read_word(0, 0, 2), 0);
	assert_int_equal(read_word(0, 1, 3), 0);
	assert_int_equal(read_word(0, 14, 0), 0);
	assert_int_equal(vpmu_window_at(0)->read(vpmu_cpus, STRIDE + WORD + 4, 4), 0x50);
	assert_int_equal(vpmu_window_at(0)->read(vpmu_cpus, STRIDE + WORD + 1, 1), 0x50000040);
	/*
	 * The first table has records of two channels, an M2M, a link, two IIO stacks and their
	 * IRPs, a PCU, a UBox, and three CHAs; the second has one more channel.
	 */
	assert_int_equal(number_of(0), 13);
	assert_int_equal(number_of(1), 14);
	assert_unit(0, 0, 2, 0x08300204, 0, 0x2020);
	assert_unit(0, 1, 1, 0x08300204, 0, 0x3010);
	assert_unit(0, 4, 0, 0x08300204, 0, 0x2fc0);
	assert_unit(0, 5, 0, 0x08300202, 0, 0x2fd0);
	assert_unit(0, 6, 1, 0x08304004, 1, 0x5000008000);
	assert_unit(1, 6, 2, 0x08304004, 1, 0x500010c000);
	assert_int_equal(find(0, 6, 2), 0);
	assert_unit(0, 7, 0, 0x08303004, 2, 0x3c << 20 | 0x0c << 15 | 0x438);
	assert_unit(1, 7, 0, 0x08303004, 2, 0x7c << 20 | 0x0c << 15 | 0x438);
	assert_unit(0, 8, 0, 0x08303804, 2, 0x3c << 20 | 1 << 15 | 1 << 12 | 0x318);
	assert_unit(0, 2, 0, 0x08300202, 0, 0x3400);
	assert_unit(0, 2, 1, 0x08300202, 0, 0x3410);
	assert_unit(0, 1, 0, 0x08300204, 0, 0x3000);
	assert_unit(0, 0, 0, 0x08300204, 0, 0x2000);
	assert_unit(0, 6, 0, 0x08304004, 1, 0x5000004000);
	assert_int_equal(find(0, 0, 3), 0);
	assert_int_equal(find(0, 1, 2), 0);
}

/* Options may change the number of CHAs, the order of the second package's table, and two addresses. */
TEST(options_change_the_table)
{
	create(&vpmu_spr);
	assert_int_equal(read_word(1, 1, 2), 6);
	assert_int_equal(read_word(1, 14, 2), 2 << 16);
	vpmu_options.reversed = true;
	assert_int_equal(read_word(1, 1, 2), 2 << 16);
	assert_int_equal(read_word(1, 14, 2), 6);
	assert_int_equal(read_word(0, 1, 2), 6);
	assert_int_equal(number_of(1), 14);
	vpmu_options.elsewhere = true;
	assert_unit(1, 0, 0, 0x08300204, 0, 0x2200);
	assert_unit(1, 0, 1, 0x08300204, 0, 0x2010);
	assert_unit(0, 0, 0, 0x08300204, 0, 0x2000);
	assert_unit(1, 7, 0, 0x08303004, 2, 0x3c << 20 | 0x0c << 15 | 0x438);
	assert_unit(1, 8, 0, 0x08303804, 2, 0x7c << 20 | 1 << 15 | 1 << 12 | 0x318);
	vpmu_options.boxes = 0;
	assert_int_equal(number_of(0), 14);
	vpmu_options.boxes = 31;
	assert_int_equal(number_of(0), 10 + 31);
	assert_unit(0, 0, 30, 0x08300204, 0, 0x21e0);
	vpmu_options.boxes = 32;
	assert_int_equal(number_of(0), 14);
}

/* The table ends with wrong records, which a driver must refuse. */
TEST(test_wrong)
{
	create(&vpmu_spr);
	vpmu_options.untold = true;
	assert_int_equal(number_of(0), 13 + 5);
	assert_unit(0, 0, 90, 0x08300204, 0, 0x1a0);
	assert_unit(0, 6, 91, 0x08304004, 1, 0x100000);
	assert_unit(0, 6, 92, 0x08304004, 1, 0x5000004008);
	assert_unit(0, 7, 93, 0x08303004, 2, 0x77 << 20 | 0x438);
	assert_unit(0, 8, 94, 0x08303804, 2, 0x77 << 20 | 1 << 15 | 0x318);
	assert_int_equal(read_word(0, 19, 0), 0);
}

TEST(test_granite)
{
	uint64_t value;

	create(vpmu_part_like("gnr"));
	assert_int_equal(find(0, 7, 0), 0);
	assert_unit(0, 16, 0, 0x08303004, 2, 0x3c << 20 | 5 << 15 | 1 << 12 | 0x438);
	assert_unit(0, 1, 1, 0x08300204, 0, 0x2910);
	assert_unit(0, 5, 0, 0x08300202, 0, 0x3ff0);
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x2ffe, &value));
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x3000, &value));
	create(&vpmu_spr);
	assert_true(vpmu_discovered_read(vpmu_cpus, 0x2ffe, &value));
	assert_int_equal(value, 3);
}

/*
 * Returns how many extended capabilities with ID @id the PCI device with the discovery table has.
 * Of DVSECs only those with vendor ID @vendor and DVSEC ID @use are counted.
 */
static unsigned int capabilities(unsigned int id, uint32_t vendor, uint32_t use)
{
	unsigned int at = 0x100, n = 0;
	uint32_t header;

	for (; at; at = header >> 20) {
		header = vpmu_discovered_config(0, at);
		n += (header & 0xffff) == id &&
		     (id != 0x23 || ((vpmu_discovered_config(0, at + 4) & 0xffff) == vendor &&
				     vpmu_discovered_config(0, at + 8) == use));
	}
	return n;
}

/*
 * The DVSEC that leads to the discovery table is neither the first capability nor the only DVSEC.
 */
TEST(test_capabilities)
{
	create(&vpmu_spr);
	assert_int_equal(capabilities(0x01, 0, 0), 1);
	assert_int_equal(capabilities(0x23, 0x8086, 1), 1);
	assert_int_equal(capabilities(0x23, 0x8086, 2), 1);
	assert_int_equal(capabilities(0x23, 0x1022, 1), 1);
	assert_int_equal(vpmu_discovered_config(0, 0x100) & 0xffff, 1);
	assert_int_equal(vpmu_discovered_config(1, 0x10), 0x00100004);
	assert_int_equal(vpmu_discovered_config(1, 0x14), 0x50);
	assert_int_equal(vpmu_discovered_config(0, 0x10), 4);
	assert_int_equal(vpmu_discovered_config(0, 0x18), 0);
	assert_int_equal(vpmu_discovered_config(0, 0x184), 0x01008086);
	assert_int_equal(vpmu_discovered_config(0, 0x188), 1);
	assert_int_equal(vpmu_discovered_config(0, 0x18c), 0);
}

static void write_box(unsigned int offset, uint64_t value)
{
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, offset, value);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, offset + 4, value >> 32);
}

static uint64_t read_box(unsigned int offset)
{
	return vpmu_discovered_box_read(0, AGENT, offset) |
	       HIGH(vpmu_discovered_box_read(0, AGENT, offset + 4));
}

/* A register of 64 bits in configuration space is written in two halves. */
TEST(test_config)
{
	create(&vpmu_spr);
	write_box(SELECT, HIGH(3) | 0x424);
	assert_int_equal(read_box(SELECT), HIGH(3) | 0x424);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, SELECT + 4, 4);
	assert_int_equal(read_box(SELECT), HIGH(4) | 0x424);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, SELECT, 0x101);
	assert_int_equal(read_box(SELECT), HIGH(4) | 0x101);
	write_box(SELECT, HIGH(3) | 0x424);
	/* Registers that do not exist cannot be written, and read as 0. */
	write_box(CTL - 8, ~0ull);
	write_box(SELECT + 32, ~0ull);
	assert_int_equal(read_box(CTL - 8), 0);
	assert_int_equal(read_box(SELECT + 32), 0);
	write_box(COUNTER + 8, HIGH(0xffff) | 0x12345678);
	assert_int_equal(read_box(COUNTER + 8), HIGH(0xffff) | 0x12345678);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	/*
	 * Bit 22 of an event select is reserved; on other CPU models it is the enable bit. Bit 48
	 * of a counter is reserved, too.
	 */
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, SELECT, 0x400424);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, COUNTER + 4, 0x10000);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 2);
	assert_int_equal(read_box(SELECT), HIGH(3) | 0x424);
	/*
	 * The second package has its own registers. A link's registers have other offsets than an
	 * M2M's.
	 */
	assert_int_equal(vpmu_discovered_box_read(1, AGENT, SELECT), 0);
	vpmu_discovered_box_write(vpmu_cpus, 0, LINK, 0x350, 0xf02);
	assert_int_equal(vpmu_discovered_box_read(0, LINK, 0x350), 0xf02);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, RESET | FREEZE);
	assert_int_equal(vpmu_discovered_box_read(0, AGENT, CTL), FREEZE);
	assert_int_equal(read_box(SELECT), 0);
	assert_int_equal(read_box(COUNTER + 8), 0);
	vpmu_options.mute = 1 << AGENT;
	assert_int_equal(vpmu_discovered_box_read(0, AGENT, CTL), 0xffffffff);
}

TEST(test_inject)
{
	create(&vpmu_spr);
	write_box(SELECT, HIGH(3) | 0x424);
	write_box(SELECT + 8, 0x1);
	vpmu_discovered_imc_happen(vpmu_cpus, AGENT << 16 | 0x424, 2, 100);
	vpmu_discovered_imc_happen(vpmu_cpus, AGENT << 16 | 0x424, 4, 20);
	vpmu_discovered_imc_happen(vpmu_cpus, AGENT << 16 | 0x424, 0, 3);
	vpmu_discovered_imc_happen(vpmu_cpus, AGENT << 16 | 0x1, 0, 7);
	vpmu_discovered_imc_happen(vpmu_cpus + 1, AGENT << 16 | 0x1, 0, 50);
	assert_int_equal(read_box(COUNTER), 100);
	assert_int_equal(read_box(COUNTER + 8), 7);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, FREEZE);
	vpmu_discovered_imc_happen(vpmu_cpus, AGENT << 16 | 0x1, 0, 7);
	assert_int_equal(read_box(COUNTER + 8), 7);
}

static uint64_t read_msr(uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_discovered_read(vpmu_cpus, msr, &value));
	return value;
}

/* An IIO stack counts events of the selected ports and flow control classes only. */
TEST(test_inject_by_msr)
{
	uint64_t value;

	create(&vpmu_spr);
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x3012, HIGH(0x00070010) | 0x483));
	vpmu_discovered_iio_happen(vpmu_cpus, 1 << 16 | 0x483, 0, 100);
	vpmu_discovered_iio_happen(vpmu_cpus, 1 << 16 | 0x483, 2 << 10, 20);
	vpmu_discovered_iio_happen(vpmu_cpus, 1 << 16 | 0x483, 1, 3);
	vpmu_discovered_iio_happen(vpmu_cpus, 0x483, 0, 5);
	assert_int_equal(read_msr(0x3018), 120);
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x2fc2, 0x1));
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x2fd3, 0x842));
	vpmu_discovered_server_happen(vpmu_cpus, VPMU_PCU << 16 | 0x1, 0, 9);
	vpmu_discovered_server_happen(vpmu_cpus, VPMU_UBOX << 16 | 0x842, 0, 4);
	assert_int_equal(read_msr(0x2fc8), 9);
	assert_int_equal(read_msr(0x2fd9), 4);
	/* the second stack's IRP; what an IIO stack does is none of its events */
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x3412, 0x10f));
	vpmu_discovered_irp_happen(vpmu_cpus, 1 << 16 | 0x10f, 0, 6);
	vpmu_discovered_irp_happen(vpmu_cpus, 0x10f, 0, 30);
	vpmu_discovered_iio_happen(vpmu_cpus, 1 << 16 | 0x10f, 0, 50);
	assert_int_equal(read_msr(0x3418), 6);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	/* the UBox has two counters, and no bits above 31 in its event selects */
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x2fd4, &value));
	vpmu_discovered_write(vpmu_cpus, 0x2fd2, HIGH(1));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 1);
}

/*
 * One reset bit clears a unit's event selects, another clears the unit's counters. Other units are
 * not reset.
 */
TEST(test_reset)
{
	create(&vpmu_spr);
	write_box(SELECT + 24, HIGH(3) | 0x424);
	write_box(COUNTER + 24, 99);
	vpmu_discovered_box_write(vpmu_cpus, 0, LINK, 0x350, 0xf02);
	vpmu_discovered_box_write(vpmu_cpus + 1, 1, AGENT, COUNTER, 98);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, 0x100);
	assert_int_equal(vpmu_discovered_box_read(0, AGENT, CTL), 0);
	assert_int_equal(read_box(SELECT + 24), 0);
	assert_int_equal(read_box(COUNTER + 24), 99);
	write_box(SELECT + 24, HIGH(3) | 0x424);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, 0x200 | FREEZE);
	assert_int_equal(vpmu_discovered_box_read(0, AGENT, CTL), FREEZE);
	assert_int_equal(read_box(SELECT + 24), HIGH(3) | 0x424);
	assert_int_equal(read_box(COUNTER + 24), 0);
	assert_int_equal(vpmu_discovered_box_read(0, LINK, 0x350), 0xf02);
	assert_int_equal(vpmu_discovered_box_read(1, AGENT, COUNTER), 98);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, 0x2);
	vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, CTL, 0x400);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 2);
	assert_int_equal(vpmu_discovered_box_read(0, AGENT, CTL), FREEZE);
}

/*
 * Event selects have 64 bits. In bits 63:32 an event select of an M2M has 24 legal bits, one of an
 * IIO stack has 19, and one of a memory channel has none.
 */
TEST(test_upper_halves)
{
	unsigned int i;

	create(&vpmu_spr);
	write_box(SELECT, HIGH(0xffffff));
	vpmu_discovered_write(vpmu_cpus, 0x3002, HIGH(0x7ffff));
	vpmu_discovered_write(vpmu_cpus, 0x2002, HIGH(0xffffff));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	for (i = 24; i < 32; i++)
		vpmu_discovered_box_write(vpmu_cpus, 0, AGENT, SELECT + 4, 1u << i);
	for (i = 19; i < 32; i++)
		vpmu_discovered_write(vpmu_cpus, 0x3002, HIGH(1u << i));
	for (i = 24; i < 32; i++)
		vpmu_discovered_write(vpmu_cpus, 0x2002, HIGH(1u << i));
	for (i = 0; i < 32; i++)
		vpmu_window_at(0)->write(vpmu_cpus, 0x4000 + 0x40, 8, HIGH(1u << i));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 8 + 13 + 8 + 32);
	for (i = 48; i < 64; i++)
		vpmu_discovered_write(vpmu_cpus, 0x2008, VPMU_BIT(i));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 8 + 13 + 8 + 32 + 16);
	assert_int_equal(read_msr(0x2008), 0);
	assert_int_equal(read_box(SELECT), HIGH(0xffffff));
}

/*
 * The registers of memory channels are memory-mapped. A 64-bit store writes a whole counter; writes
 * to a channel that does not exist have no effect.
 */
TEST(test_channels)
{
	const struct vpmu_window *window = vpmu_window_at(0);

	create(&vpmu_spr);
	window->write(vpmu_cpus, 0x8008, 8, 0x123456789abc);
	assert_int_equal(window->read(vpmu_cpus, 0x8008, 8), 0x123456789abc);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	window->write(vpmu_cpus, 0x8008, 4, 1);
	window->write(vpmu_cpus, 0x8040, 2, 1);
	window->write(vpmu_cpus, 0x8008, 8, VPMU_BIT(48));
	window->write(vpmu_cpus, 0x8050, 8, 1);
	window->write(vpmu_cpus, 0xc008, 8, 1);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 5);
	assert_int_equal(window->read(vpmu_cpus, 0x8008, 8), 0x123456789abc);
	assert_int_equal(window->read(vpmu_cpus, 0xc008, 8), -1ull);
	assert_int_equal(window->read(vpmu_cpus, 0x8050, 8), -1ull);
	/* only the second package has channel 2 */
	window->write(vpmu_cpus, STEP + 0xc008, 8, 3);
	assert_int_equal(window->read(vpmu_cpus, STEP + 0xc008, 8), 3);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 5);
	vpmu_options.mute = 1 << 1;
	assert_int_equal(window->read(vpmu_cpus, 0x8008, 8), -1ull);
	assert_int_equal(window->read(vpmu_cpus, 0x4008, 8), 0);
}

/* MSRs of a unit that are no registers, and those of units that do not exist, are QEMU's. */
TEST(units_have_these_msrs_only)
{
	static const uint32_t units[] = { 0x2000, 0x2020, 0x3000, 0x3410, 0x2fc0, 0x2fd0 };
	static const unsigned int counters[] = { 4, 4, 4, 2, 4, 2 };
	static const uint32_t absent[] = { 0x1fff, 0x2030, 0x3020, 0x3420, 0x2fbf, 0x2fe0 };
	unsigned int i, k;
	uint64_t value;

	create(&vpmu_spr);
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		for (k = 0; k < 16; k++) {
			bool there = !k || (k >= 2 && k < 2 + counters[i]) ||
				     (k >= 8 && k < 8 + counters[i]);

			assert_int_equal(vpmu_discovered_write(vpmu_cpus, units[i] + k, k & 1), there);
			assert_int_equal(vpmu_discovered_read(vpmu_cpus, units[i] + k, &value), there);
			if (there)
				assert_int_equal(value, k & 1);
		}
	for (i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		assert_false(vpmu_discovered_write(vpmu_cpus, absent[i], 0));
		assert_false(vpmu_discovered_read(vpmu_cpus, absent[i], &value));
	}
	assert_false(vpmu_discovered_read(vpmu_cpus, 0x2ffd, &value));
	assert_false(vpmu_discovered_write(vpmu_cpus, 0x2ffe, 1));
	/* the extended unit mask, which some units have */
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x3402, HIGH(0xffffff)));
	vpmu_discovered_box_write(vpmu_cpus, 0, LINK, 0x354, 0xffffff);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x2fc2, HIGH(1)));
	assert_true(vpmu_discovered_write(vpmu_cpus, 0x3012, HIGH(0x80000)));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 2);
	/* the second package has registers of its own */
	assert_true(vpmu_discovered_read(vpmu_cpus + 1, 0x3402, &value));
	assert_int_equal(value, 0);
}

/* An event is of one unit that exists, and not of the one that follows in this file's numbers. */
TEST(absent_units_count_nothing)
{
	unsigned int i;

	create(&vpmu_spr);
	vpmu_options.imc = 0x110ff;
	for (i = 0; i < 8; i++)
		vpmu_window_at(0)->write(vpmu_cpus, (i + 1) * 0x4000 + 0x40, 4, 0x81);
	write_box(SELECT, 0x81);
	vpmu_discovered_box_write(vpmu_cpus, 0, LINK, 0x350, 0x81);
	vpmu_discovered_write(vpmu_cpus, 0x3002, HIGH(0x00070001) | 0x81);
	vpmu_discovered_write(vpmu_cpus, 0x3402, 0x81);
	vpmu_discovered_write(vpmu_cpus, 0x2fc2, 0x81);
	for (i = 0; i < 3; i++)
		vpmu_discovered_write(vpmu_cpus, 0x2002 + 16 * i, 0x81);
	for (i = 8; i < 256; i++)
		if (i < AGENT || i > LINK + 2)
			vpmu_discovered_imc_happen(vpmu_cpus, i << 16 | 0x81, 0, 1);
	for (i = 3; i < 256; i++)
		vpmu_discovered_cha_happen(vpmu_cpus, i << 16 | 0x81, 0, 1);
	for (i = 2; i < 256; i++) {
		vpmu_discovered_iio_happen(vpmu_cpus, i << 16 | 0x81, 0, 1);
		vpmu_discovered_irp_happen(vpmu_cpus, i << 16 | 0x81, 0, 1);
	}
	for (i = 0; i < 8; i++)
		assert_int_equal(vpmu_window_at(0)->read(vpmu_cpus, (i + 1) * 0x4000 + 8, 8), 0);
	assert_int_equal(read_box(COUNTER), 0);
	assert_int_equal(vpmu_discovered_box_read(0, LINK, 0x320), 0);
	assert_int_equal(read_msr(0x3008), 0);
	assert_int_equal(read_msr(0x3408), 0);
	assert_int_equal(read_msr(0x2fc8), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(read_msr(0x2008 + 16 * i), 0);
	/* and those that exist count, modulo 2^48, unless they are frozen */
	vpmu_discovered_imc_happen(vpmu_cpus, 7 << 16 | 0x81, 0, 3);
	vpmu_discovered_cha_happen(vpmu_cpus, 2 << 16 | 0x81, 0, 4);
	assert_int_equal(vpmu_window_at(0)->read(vpmu_cpus, 0x20008, 8), 3);
	assert_int_equal(read_msr(0x2028), 4);
	assert_int_equal(read_msr(0x2018), 0);
	vpmu_discovered_write(vpmu_cpus, 0x2028, VPMU_BIT(48) - 1);
	vpmu_discovered_cha_happen(vpmu_cpus, 2 << 16 | 0x81, 0, 4);
	assert_int_equal(read_msr(0x2028), 3);
	vpmu_discovered_write(vpmu_cpus, 0x2020, FREEZE);
	vpmu_discovered_cha_happen(vpmu_cpus, 2 << 16 | 0x81, 0, 4);
	assert_int_equal(read_msr(0x2028), 3);
	/* an event select of 0 selects no event */
	vpmu_discovered_cha_happen(vpmu_cpus, 1 << 16, 0, 4);
	assert_int_equal(read_msr(0x2019), 0);
	/* a machine without discovery table */
	vpmu_options.part = &vpmu_ivb;
	vpmu_discovered_cha_happen(vpmu_cpus, 0x81, 0, 4);
	vpmu_options.part = &vpmu_spr;
	assert_int_equal(read_msr(0x2008), 0);
}

/* The register of a channel's counter or event select; @package: of which */
static uint64_t channel(unsigned int package, unsigned int number, unsigned int at)
{
	return vpmu_window_at(0)->read(vpmu_cpus, package * STEP + (number + 1) * 0x4000 + at, 8);
}

static void set_channel(unsigned int package, unsigned int number, unsigned int at, uint64_t value)
{
	vpmu_window_at(0)->write(vpmu_cpus, package * STEP + (number + 1) * 0x4000 + at,
				 at < 0x40 ? 8 : 4, value);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
}

static void transfer(unsigned int reads, unsigned int writes)
{
	struct vcore_traffic *seen = &vpmu_cpus[0].core->memory->controller->tracker.counted;

	seen->requests += reads + writes;
	seen->writes += writes;
}

/*
 * The lines of the simulated memory go to the first package's channels in turn. A channel counts
 * those that are transferred while its counter counts.
 */
TEST(channels_count_lines)
{
	const uint64_t *on;

	create(&vpmu_spr);
	on = &vpmu_cpus[1].score->model_on;
	transfer(1000, 1000);
	set_channel(0, 0, 0x44, 0x81);
	assert_false(*on & VPMU_FOR_UNCORE);
	set_channel(0, 1, 0x4c, 0x1105);
	assert_true(*on & VPMU_FOR_UNCORE);
	set_channel(0, 0, 0x40, 0x105);
	set_channel(0, 1, 0x40, 0x1005);
	set_channel(0, 1, 0x44, 0x205);
	set_channel(1, 1, 0x40, 0x1105);
	transfer(101, 30);
	assert_int_equal(channel(0, 0, 0x08), 51);
	assert_int_equal(channel(0, 1, 0x08), 15);
	assert_int_equal(channel(0, 1, 0x10), 0);
	assert_int_equal(channel(0, 1, 0x20), 50 + 15);
	assert_int_equal(channel(0, 0, 0x10), 0);
	assert_int_equal(channel(1, 1, 0x08), 0);
	/* A frozen counter keeps its value, and does not count later what it has missed. */
	set_channel(0, 0, 0, FREEZE);
	assert_true(*on & VPMU_FOR_UNCORE);
	transfer(40, 0);
	assert_int_equal(channel(0, 0, 0x08), 51);
	assert_int_equal(channel(0, 1, 0x20), 65 + 20);
	set_channel(0, 0, 0, 0);
	transfer(3, 0);
	assert_int_equal(channel(0, 0, 0x08), 51 + 1);
	set_channel(0, 0, 0x08, VPMU_BIT(48) - 2);
	transfer(8, 0);
	assert_int_equal(channel(0, 0, 0x08), 2);
	/* When the last counter stops, so does the simulation; the values are kept. */
	set_channel(0, 0, 0x40, 0);
	set_channel(0, 1, 0x40, 0x81);
	set_channel(0, 1, 0x44, 0);
	assert_true(*on & VPMU_FOR_UNCORE);
	set_channel(0, 1, 0, FREEZE);
	assert_false(*on & VPMU_FOR_UNCORE);
	transfer(8, 8);
	assert_int_equal(channel(0, 1, 0x20), 65 + 20 + 2 + 4);
}

/* The last counter of the last channel alone lets the cores be simulated. */
TEST(one_counter_suffices_for_the_simulation)
{
	create(&vpmu_spr);
	vpmu_options.imc = 0x80;
	set_channel(0, 7, 0x4c, 0x105);
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	transfer(9, 1);
	assert_int_equal(channel(0, 7, 0x20), 9);
	set_channel(0, 7, 0x4c, 0);
	assert_false(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	/* after a power loss too: a counter that counts lines no longer does */
	set_channel(0, 7, 0x40, 0x105);
	vpmu_options.imc = 0;
	vpmu_discovered_init();
	vpmu_options.imc = 0x80;
	assert_int_equal(channel(0, 7, 0x40), 0);
	set_channel(0, 7, 0x40, 0x105);
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	set_channel(0, 7, 0x40, 0);
}

TEST_GROUP(NULL, machine_free);
