// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counters of memory channels, home agents, M2Ms and links of servers up to Ice Lake:
 * they count the cache lines that the simulated memory transfers, and injected events. They have
 * the registers that Linux uses.
 */
#include "machine.h"

#include "box/imc.h"
#include "machine/window.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"

/* offsets of a box's registers in configuration space: Linux, uncore_snbep.c, SNBEP_PCI_PMON_* */
#define COUNTER 0xa0
#define FIXED 0xd0
#define SELECT 0xd8
#define FIXED_CTL 0xf0
#define CTL 0xf4
/* offsets of SKX_M2M_PCI_PMON_*, SKX_UPI_PCI_PMON_*, SNR_M2M_PCI_PMON_* in Linux' uncore_snbep.c */
#define SKX_M2M_SELECT 0x228
#define SKX_M2M_COUNTER 0x200
#define SKX_UPI_SELECT 0x350
#define ICX_M2M_SELECT 0x468
#define ICX_M2M_COUNTER 0x440
#define ICX_UPI_SELECT 0x350

#define RESET_CONTROLS 0x1
#define RESET_COUNTERS 0x2
#define FREEZE 0x100
#define FREEZE_EN 0x10000
#define INVERT 0x800000
#define EXT 0x200000
#define READS 0x100
#define WRITES 0x400
#define CAS 0x04

static uint32_t get(unsigned int box, unsigned int offset)
{
	return vpmu_imc_read(vpmu_cpus, 0, box, offset);
}

/*
 * Creates two packages. The first has channels 0 and 2, two home agents and a link; the second does
 * not have channel 0. Then reads a counter: this stops the simulation of the core if the previous
 * test has left it running.
 */
static void create(const char *part)
{
	machine_new(vpmu_part_like(part), 2, 1);
	vpmu_options.fabric = 1;
	vpmu_options.imc = 0x13005;
	vpmu_options.imc2 = 0x13004;
	vpmu_imc_lose();
	get(0, COUNTER);
}

static uint64_t get_64(unsigned int box, unsigned int offset)
{
	return get(box, offset) | (uint64_t)get(box, offset + 4) << 32;
}

static void set(unsigned int box, unsigned int offset, uint32_t value)
{
	uint64_t illegal = vpmu_cpus->illegal_writes;

	vpmu_imc_write(vpmu_cpus, 0, box, offset, value);
	assert_int_equal(vpmu_cpus->illegal_writes, illegal);
}

static void set_refused(unsigned int box, unsigned int offset, uint32_t value)
{
	uint64_t illegal = vpmu_cpus->illegal_writes;
	uint32_t before = get(box, offset);

	vpmu_imc_write(vpmu_cpus, 0, box, offset, value);
	assert_int_equal(vpmu_cpus->illegal_writes, illegal + 1);
	assert_int_equal(get(box, offset), before);
}

static void happens(unsigned int box, uint32_t what, uint32_t count)
{
	vpmu_imc_happen(vpmu_cpus, box << 16 | what, 0, count);
}

static struct vcore_traffic *traffic(void)
{
	return &vpmu_cpus[0].core->memory->controller->tracker.counted;
}

TEST(a_channel_counts_its_event_only)
{
	create("ivt");
	set(2, SELECT, CAS | READS | EN);
	set(2, SELECT + 4, CAS | READS | WRITES | EN);
	set(2, SELECT + 8, CAS | READS);
	set(2, SELECT + 12, 0x05 | READS | EN);
	set(0, SELECT, CAS | READS | EN);
	vpmu_imc_write(vpmu_cpus, 1, 2, SELECT, CAS | READS | EN);
	happens(2, CAS | READS, 1);
	happens(2, CAS | WRITES, 10);
	happens(2, CAS | 0x800, 100);
	happens(2, 0x01000000 | CAS | READS, 1000);
	happens(1, CAS | READS, 10000);
	happens(VPMU_BOXES, CAS | READS, 100000);
	assert_int_equal(get(2, COUNTER), 1);
	assert_int_equal(get(2, COUNTER + 8), 11);
	assert_int_equal(get(2, COUNTER + 16), 0);
	assert_int_equal(get(2, COUNTER + 24), 0);
	assert_int_equal(get(2, FIXED), 0);
	assert_int_equal(get(0, COUNTER), 0);
	assert_int_equal(get(1, COUNTER), 0);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 2, COUNTER), 0);
	/* Package 1 does not have channel 0. */
	vpmu_imc_write(vpmu_cpus, 1, 0, SELECT, CAS | READS | EN);
	vpmu_imc_happen(vpmu_cpus + 1, CAS | READS, 0, 5);
	vpmu_imc_happen(vpmu_cpus + 1, 2 << 16 | CAS | READS, 0, 6);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 0, COUNTER), 0);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 2, COUNTER), 6);
	/* Registers that do not exist read as 0; a box that does not answer reads as all ones. */
	assert_int_equal(get(2, SELECT - 4), 0);
	assert_int_equal(get(2, CTL + 4), 0);
	vpmu_options.mute = 1 << 2;
	assert_int_equal(get(2, CTL), 0xffffffff);
	assert_int_equal(get(2, COUNTER), 0xffffffff);
	assert_int_equal(get(0, COUNTER), 0);
}

/* Home agents and links have no fixed counter; a box has four event selects and counters. */
TEST(boxes_have_these_registers_only)
{
	create("ivt");
	set(VPMU_AGENT, FIXED, 5);
	set(VPMU_AGENT, FIXED_CTL, EN);
	assert_int_equal(get(VPMU_AGENT, FIXED), 0);
	assert_int_equal(get(VPMU_AGENT, FIXED_CTL), 0);
	set(0, FIXED_CTL, EN);
	set(0, FIXED, 7);
	set(0, FIXED + 4, 8);
	assert_int_equal(get(0, SELECT + 16), 0);
	set(0, SELECT + 16, 0);
	assert_int_equal(get(0, FIXED_CTL), EN);
	assert_int_equal(get(0, FIXED + 8), 0);
	assert_int_equal(get_64(0, FIXED), 8ull << 32 | 7);
	assert_int_equal(get(0, COUNTER + 32), 0);
	set(0, COUNTER + 40, 9);
	assert_int_equal(get(0, COUNTER + 40), 0);
	assert_int_equal(get(0, COUNTER - 4), 0);
	/* at power on, also of the plugin */
	set(0, SELECT, CAS | EN);
	vpmu_options.top = 16;
	vpmu_imc_init();
	assert_int_equal(get(0, SELECT), 0);
	assert_int_equal(get_64(0, FIXED), VPMU_BIT(48) - 16);
}

/* M2Ms and UPI links have event selects of 64 bits, and their own events. */
TEST(m2ms_and_upi_links_count_lines_and_clocks)
{
	create("skx");
	set(VPMU_AGENT, SKX_M2M_SELECT, 0x37 | EN);
	set(VPMU_AGENT, SKX_M2M_SELECT + 8, 0x38 | EN);
	set(VPMU_AGENT, SKX_M2M_SELECT + 16, 0x01 | 0x300 | EN);
	set(VPMU_AGENT + 1, SKX_M2M_SELECT, 0x37 | EN);
	set(VPMU_LINK, SKX_UPI_SELECT, 0x01 | EN);
	set(VPMU_LINK, SKX_UPI_SELECT + 8, 0x14 | EN);
	set(VPMU_LINK, SKX_UPI_SELECT + 16, 0x37 | EN);
	traffic()->requests += 101 + 30;
	traffic()->writes += 30;
	traffic()->cycles_with[1] += 500;
	assert_int_equal(get(VPMU_AGENT, SKX_M2M_COUNTER), 51);
	assert_int_equal(get(VPMU_AGENT, SKX_M2M_COUNTER + 8), 15);
	assert_int_equal(get(VPMU_AGENT, SKX_M2M_COUNTER + 16), 0);
	assert_int_equal(get(VPMU_AGENT + 1, SKX_M2M_COUNTER), 50);
	assert_int_equal(get(VPMU_LINK, 0x318), 500);
	assert_int_equal(get(VPMU_LINK, 0x320), 0);
	assert_int_equal(get(VPMU_LINK, 0x328), 0);
	set(VPMU_AGENT, SKX_M2M_SELECT + 24, EN);
	traffic()->cycles_with[0] += 20;
	assert_int_equal(get(VPMU_AGENT, SKX_M2M_COUNTER + 24), 20);
}

TEST(a_frozen_channel_keeps_its_counts)
{
	create("ivt");
	set(0, SELECT, CAS | READS | EN);
	set(0, CTL, FREEZE);
	happens(0, CAS | READS, 7);
	traffic()->requests += 100;
	assert_int_equal(get(0, COUNTER), 0);
	set(0, CTL, 0);
	happens(0, CAS | READS, 7);
	assert_int_equal(get(0, COUNTER), 7);
	set_refused(0, CTL, FREEZE_EN);
	create("jkt");
	set(0, SELECT, CAS | READS | EN);
	set(0, CTL, FREEZE);
	happens(0, CAS | READS, 7);
	assert_int_equal(get(0, COUNTER), 7);
	set(0, CTL, FREEZE | FREEZE_EN);
	happens(0, CAS | READS, 7);
	assert_int_equal(get(0, COUNTER), 7);
	assert_int_equal(get(0, CTL), FREEZE | FREEZE_EN);
	set(0, CTL, FREEZE_EN);
	happens(0, CAS | READS, 7);
	assert_int_equal(get(0, COUNTER), 14);
}

TEST(reset_bits_of_a_channel_read_as_0)
{
	create("ivt");
	set(0, SELECT + 12, CAS | EN);
	set(0, FIXED_CTL, EN);
	set(0, COUNTER + 24, 5);
	set(0, COUNTER + 28, 6);
	set(0, FIXED, 7);
	set(2, COUNTER + 24, 8);
	set(0, CTL, RESET_COUNTERS | FREEZE);
	assert_int_equal(get(0, CTL), FREEZE);
	assert_int_equal(get_64(0, COUNTER + 24), 0);
	assert_int_equal(get(0, FIXED), 0);
	assert_int_equal(get(0, SELECT + 12), CAS | EN);
	assert_int_equal(get(0, FIXED_CTL), EN);
	set(0, COUNTER + 24, 5);
	set(0, FIXED, 7);
	set(0, CTL, RESET_CONTROLS);
	assert_int_equal(get(0, CTL), 0);
	assert_int_equal(get(0, SELECT + 12), 0);
	assert_int_equal(get(0, FIXED_CTL), 0);
	assert_int_equal(get(0, COUNTER + 24), 5);
	assert_int_equal(get(0, FIXED), 7);
	assert_int_equal(get(2, COUNTER + 24), 8);
}

/* The upper half of a counter has 16 bits. Writing one half must leave the other half unchanged. */
TEST(counters_have_48_bits_in_two_halves)
{
	create("hsx");
	set(0, COUNTER + 4, 0xffff1234);
	set(0, COUNTER, 0xfffffffe);
	assert_int_equal(get_64(0, COUNTER), 0x1234fffffffe);
	set(0, COUNTER + 4, 0xffff);
	set(0, SELECT, CAS | READS | EN);
	happens(0, CAS | READS, 5);
	assert_int_equal(get_64(0, COUNTER), 3);
	set(0, FIXED + 4, 0xffffffff);
	set(0, FIXED, 0xffffffff);
	set(0, FIXED_CTL, EN);
	happens(0, 0x00, 1);
	assert_int_equal(get_64(0, FIXED), 0);
	happens(0, CAS, 1);
	set(0, FIXED_CTL, 0);
	happens(0, 0x00, 1);
	assert_int_equal(get_64(0, FIXED), 0);
	set(0, FIXED + 4, 0xffffffff);
	assert_int_equal(get_64(0, FIXED), 0xffff00000000);
	assert_int_equal(get_64(0, COUNTER + 32), 0);
	vpmu_options.top = 16;
	vpmu_imc_lose();
	assert_int_equal(get_64(0, COUNTER), VPMU_BIT(48) - 16);
	assert_int_equal(get_64(0, FIXED), VPMU_BIT(48) - 16);
	assert_int_equal(get(0, SELECT), 0);
	assert_int_equal(get_64(VPMU_LINK, COUNTER + 24), VPMU_BIT(48) - 16);
}

TEST(reserved_bits_of_channels_agents_and_links_are_refused)
{
	static const unsigned int reserved[] = { 16, 19, 21, 23 };
	unsigned int i;

	create("ivt");
	for (i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
		set_refused(0, SELECT, 1u << reserved[i]);
		set_refused(VPMU_AGENT, SELECT, 1u << reserved[i]);
	}
	set_refused(0, FIXED_CTL, EN | 1);
	set_refused(0, CTL, 4);
	/* bit 8 of the event code exists in a link's event selects only */
	set(VPMU_LINK, SELECT, EXT);
	set_refused(VPMU_LINK, SELECT, INVERT);
	/* Haswell has an invert bit, Ivy Town has none */
	create("hsx");
	set(0, SELECT, INVERT);
	set_refused(0, SELECT, EXT);
	create("skx");
	set_refused(VPMU_LINK, SKX_UPI_SELECT, EXT);
	for (i = 0; i < 32; i++)
		set_refused(VPMU_AGENT, SKX_M2M_SELECT + 4, 1u << i);
	set(VPMU_LINK, SKX_UPI_SELECT + 4, 0xffefff);
	set_refused(VPMU_LINK, SKX_UPI_SELECT + 4, 0x1000);
	create("icx");
	set(VPMU_AGENT, ICX_M2M_SELECT + 4, 0xff);
	set(VPMU_LINK, ICX_UPI_SELECT + 4, 0xffffff);
	for (i = 8; i < 32; i++)
		set_refused(VPMU_AGENT, ICX_M2M_SELECT + 4, 1u << i);
	for (i = 24; i < 32; i++)
		set_refused(VPMU_LINK, ICX_UPI_SELECT + 4, 1u << i);
}

/* A link's event code has 9 bits: bit 8, event_ext, is in bit 24 of an injected event. */
TEST(a_link_tells_event_codes_of_9_bits_apart)
{
	create("ivt");
	set(VPMU_LINK, SELECT, 0x12 | 0x100 | EN);
	set(VPMU_LINK, SELECT + 4, 0x12 | 0x100 | EXT | EN);
	happens(VPMU_LINK, 0x112, 3);
	happens(VPMU_LINK, 0x01000112, 40);
	assert_int_equal(get(VPMU_LINK, COUNTER), 3);
	assert_int_equal(get(VPMU_LINK, COUNTER + 8), 40);
}

/*
 * The unit mask of an M2M is no bitmap: an event is counted only if its unit mask equals the unit
 * mask of the event select. On Ice Lake's M2Ms, reads need some bits of umask_ext (bits 63:32 of
 * the event select), and writes need other bits.
 */
TEST(an_m2m_matches_whole_unit_masks)
{
	create("skx");
	set(VPMU_AGENT, SKX_M2M_SELECT, 0x37 | 0x300 | EN);
	happens(VPMU_AGENT, 0x137, 1);
	happens(VPMU_AGENT, 0x337, 20);
	happens(VPMU_AGENT, 0x338, 300);
	assert_int_equal(get(VPMU_AGENT, SKX_M2M_COUNTER), 20);
	create("icx");
	set(VPMU_AGENT, ICX_M2M_SELECT, 0x37 | EN);
	happens(VPMU_AGENT, 0x37, 1);
	set(VPMU_AGENT, ICX_M2M_SELECT + 4, 0x18);
	happens(VPMU_AGENT, 0x37, 20);
	assert_int_equal(get(VPMU_AGENT, ICX_M2M_COUNTER), 0);
	set(VPMU_AGENT, ICX_M2M_SELECT + 4, 0x04);
	happens(VPMU_AGENT, 0x37, 300);
	assert_int_equal(get(VPMU_AGENT, ICX_M2M_COUNTER), 300);
	set(VPMU_AGENT, ICX_M2M_SELECT, 0x38 | EN);
	set(VPMU_AGENT, ICX_M2M_SELECT + 4, 0x03);
	happens(VPMU_AGENT, 0x38, 4000);
	assert_int_equal(get(VPMU_AGENT, ICX_M2M_COUNTER), 300);
	set(VPMU_AGENT, ICX_M2M_SELECT + 4, 0x10);
	happens(VPMU_AGENT, 0x38, 4000);
	assert_int_equal(get(VPMU_AGENT, ICX_M2M_COUNTER), 4300);
	/*
	 * Event 0x2d of the M2M has no umask_ext. The event is therefore counted only if the event
	 * select has 0 in umask_ext.
	 */
	set(VPMU_AGENT, ICX_M2M_SELECT, 0x2d | EN);
	happens(VPMU_AGENT, 0x2d, 50000);
	assert_int_equal(get(VPMU_AGENT, ICX_M2M_COUNTER), 4300);
}

/*
 * The simulated memory reads and writes cache lines. Each of the two channels of package 0 counts
 * half of them, and so does each of the two home agents. The counters of package 1 count none.
 */
TEST(lines_of_the_model_are_interleaved)
{
	create("ivt");
	set(0, SELECT, CAS | READS | EN);
	set(0, SELECT + 4, CAS | READS | WRITES | EN);
	set(0, SELECT + 8, 0x00 | EN);
	set(0, SELECT + 12, 0x11 | EN);
	set(0, FIXED_CTL, EN);
	set(2, SELECT, CAS | READS | EN);
	set(2, SELECT + 4, CAS | WRITES | EN);
	set(2, SELECT + 8, 0x80 | EN);
	set(2, SELECT + 12, 0x10 | EN);
	set(VPMU_AGENT, SELECT, 0x01 | 0x300 | EN);
	set(VPMU_AGENT, SELECT + 4, 0x01 | 0xc00 | EN);
	set(VPMU_AGENT, SELECT + 8, 0x02 | 0x300 | EN);
	set(VPMU_LINK, SELECT, 0x14 | EN);
	set(VPMU_LINK, SELECT + 4, 0x01 | 0x300 | EN);
	vpmu_imc_write(vpmu_cpus, 1, 2, SELECT, CAS | READS | EN);
	vpmu_imc_write(vpmu_cpus, 1, 2, FIXED_CTL, EN);
	traffic()->requests += 101 + 30;
	traffic()->writes += 30;
	traffic()->waiting[1] += 17;
	traffic()->waits += 41;
	traffic()->cycles_with[VCORE_TRACKER_ENTRIES] += 600;
	traffic()->cycles_with[0] += 55;
	assert_int_equal(get(0, COUNTER), 51);
	assert_int_equal(get(0, COUNTER + 8), 51 + 15);
	assert_int_equal(get(0, COUNTER + 16), 655);
	assert_int_equal(get(0, COUNTER + 24), 17);
	assert_int_equal(get(0, FIXED), 655);
	assert_int_equal(get(2, COUNTER), 50);
	assert_int_equal(get(2, COUNTER + 8), 15);
	assert_int_equal(get(2, COUNTER + 16), 20);
	assert_int_equal(get(2, COUNTER + 24), 50);
	assert_int_equal(get(VPMU_AGENT, COUNTER), 51);
	assert_int_equal(get(VPMU_AGENT, COUNTER + 8), 15);
	assert_int_equal(get(VPMU_AGENT, COUNTER + 16), 0);
	assert_int_equal(get(VPMU_LINK, COUNTER), 655);
	assert_int_equal(get(VPMU_LINK, COUNTER + 8), 0);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 2, COUNTER), 0);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 2, FIXED), 0);
	/* The cores are simulated while a counter counts, and until the last counter stops. */
	assert_true(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
	vpmu_imc_lose();
	get(0, COUNTER);
	assert_false(vpmu_cpus[1].score->model_on & VPMU_FOR_UNCORE);
}

/*
 * An event is injected with a delay of two: it occurs after two 32-bit reads of the box's counters,
 * and only once.
 */
TEST(a_delayed_event_happens_once)
{
	create("ivt");
	set(0, SELECT, CAS | READS | EN);
	vpmu_imc_happen(vpmu_cpus, CAS | READS, 2, 9);
	get(0, SELECT);
	get(2, COUNTER);
	assert_int_equal(get(0, COUNTER), 0);
	assert_int_equal(get(0, COUNTER + 4), 0);
	assert_int_equal(get(0, COUNTER), 9);
	assert_int_equal(get(0, COUNTER), 9);
	assert_int_equal(get(0, COUNTER), 9);
}

/*
 * Registers of Ice Lake's channels in memory: Linux, SNR_IMC_MMIO_*. Controllers are 1 MiB apart,
 * channels 16 KiB.
 */
#define MEM_CHANNEL(controller, channel) \
	(((controller) + 1) * 0x100000u + 0x22800u + (channel) * 0x4000u)
#define MEM_FREE(controller) (((controller) + 1) * 0x100000u + 0x2290u)
#define PACKAGE 0x800000u

static const struct vpmu_window *window;

static uint64_t load(uint64_t at, unsigned int bytes)
{
	return window->read(vpmu_cpus, at, bytes);
}

static void store(uint64_t at, unsigned int bytes, uint64_t value)
{
	window->write(vpmu_cpus, at, bytes, value);
}

TEST(memory_mapped_channels_are_where_they_are_told)
{
	create("icx");
	assert_null(vpmu_window_at(0));
	vpmu_options.imc = 0x1300a;
	vpmu_imc_init();
	window = vpmu_window_at(0);
	assert_non_null(window);
	/*
	 * The registers hold the upper bits of addresses, whose lower 23 bits are 0. Bits of the
	 * registers that are not part of an address are 1.
	 */
	assert_int_equal((uint64_t)(vpmu_imc_addresses(0, 0xd0) & 0x1fffffff) << 23, window->base);
	assert_int_equal((uint64_t)(vpmu_imc_addresses(1, 0xd0) & 0x1fffffff) << 23,
			 window->base + PACKAGE);
	assert_int_equal((vpmu_imc_addresses(0, 0xd8) & 0x7ff) << 12, 0x100000);
	assert_int_equal((vpmu_imc_addresses(0, 0xdc) & 0x7ff) << 12, 0x200000);
	assert_int_equal(vpmu_imc_addresses(0, 0xe0), 0);
	assert_int_equal(vpmu_imc_addresses(0, 0xe8), 0);
	assert_int_equal(vpmu_imc_addresses(0, 0xd4), 0);
	/* Registers of channel 1 of controller 0, and of channel 0 of controller 1. */
	store(MEM_CHANNEL(0, 1) + 0x40, 4, 0x04 | 0xf00 | EN);
	assert_int_equal(load(MEM_CHANNEL(0, 1) + 0x40, 4), 0x04 | 0xf00 | EN);
	store(MEM_CHANNEL(1, 0) + 0x08, 8, 0x123456789abc);
	assert_int_equal(load(MEM_CHANNEL(1, 0) + 0x08, 8), 0x123456789abc);
	assert_int_equal(load(MEM_CHANNEL(0, 0) + 0x40, 4), -1ull);
	assert_int_equal(load(MEM_CHANNEL(1, 1) + 0x40, 4), -1ull);
	assert_int_equal(load(MEM_CHANNEL(2, 0) + 0x40, 4), -1ull);
	assert_int_equal(load(MEM_CHANNEL(0, 1) + 0x58, 4), -1ull);
	assert_int_equal(load(MEM_CHANNEL(0, 1) + 2 * PACKAGE, 4), -1ull);
	assert_int_equal(vpmu_cpus->illegal_writes, 0);
	/* the second package has channel 2, and registers of its own */
	store(PACKAGE + MEM_CHANNEL(0, 2) + 0x40, 4, 0x04 | 0x100 | EN);
	assert_int_equal(load(PACKAGE + MEM_CHANNEL(0, 2) + 0x40, 4), 0x04 | 0x100 | EN);
	assert_int_equal(vpmu_imc_read(vpmu_cpus, 1, 2, 0x40), 0x04 | 0x100 | EN);
	assert_int_equal(load(PACKAGE + MEM_CHANNEL(0, 1) + 0x40, 4), -1ull);
	/* a write to an absent channel is ignored, and so is a write of one byte */
	store(MEM_CHANNEL(0, 0) + 0x40, 4, 0x04 | EN);
	assert_int_equal(get(0, 0x40), 0);
	store(MEM_CHANNEL(0, 1) + 0x40, 1, 0);
	assert_int_equal(vpmu_cpus->illegal_writes, 1);
	assert_int_equal(load(MEM_CHANNEL(0, 1) + 0x40, 4), 0x04 | 0xf00 | EN);
}

/*
 * Each controller has read-only counters of the reads and writes of its DRAM and persistent memory.
 */
TEST(free_running_counters_of_a_controller_count_its_channels)
{
	create("icx");
	vpmu_options.imc = 0x1300a;
	vpmu_options.top = 16;
	vpmu_imc_lose();
	happens(1, 0x04 | 0x100, 1 + 16);
	happens(1, 0x04 | 0x1000, 2 + 16);
	happens(3, 0xe3, 3 + 16);
	happens(3, 0xe7, 4 + 16);
	happens(3, 0xe8, 5);
	assert_int_equal(load(MEM_FREE(0), 8), 1);
	assert_int_equal(load(MEM_FREE(0) + 8, 8), 2);
	assert_int_equal(load(MEM_FREE(0) + 16, 8), VPMU_BIT(48) - 16);
	assert_int_equal(load(MEM_FREE(1), 8), VPMU_BIT(48) - 16);
	assert_int_equal(load(MEM_FREE(1) + 16, 8), 3);
	assert_int_equal(load(MEM_FREE(1) + 24, 8), 4);
	assert_int_equal(load(MEM_FREE(1) + 32, 8), -1ull);
	assert_int_equal(load(MEM_FREE(2), 8), -1ull);
	store(MEM_FREE(0), 8, 0);
	assert_int_equal(vpmu_cpus->illegal_writes, 1);
	assert_int_equal(load(MEM_FREE(0), 8), 1);
	traffic()->requests += 7;
	traffic()->writes += 2;
	assert_int_equal(load(MEM_FREE(0), 8), 1 + 3);
	assert_int_equal(load(MEM_FREE(1), 8), VPMU_BIT(48) - 16 + 2);
	assert_int_equal(load(MEM_FREE(0) + 8, 8), 2 + 1);
	assert_int_equal(load(MEM_FREE(1) + 16, 8), 3);
	/* The simulated cores use only the memory of the first package. */
	assert_int_equal(load(MEM_FREE(0) + PACKAGE, 8), VPMU_BIT(48) - 16);
	assert_int_equal(load(MEM_FREE(1) + PACKAGE, 8), -1ull);
}

/*
 * Offsets of registers of Knights Landing's boxes: Linux, KNL_MC0_CH0_MSR_PMON_*,
 * KNL_EDC0_ECLK_MSR_PMON_*, KNL_UCLK_MSR_PMON_*
 */
#define DCLK 0xb00
#define ECLK 0xa00
#define UCLK 0x400
#define KNL_SELECT 0x20
#define KNL_CTL 0x30

static void create_knl(void)
{
	machine_new(vpmu_part_like("knl"), 1, 1);
	vpmu_options.fabric = 1;
	vpmu_options.imc = 0x3ffff8003f;
	vpmu_imc_lose();
	get(0, DCLK);
}

TEST(knights_landing_s_boxes_count_their_own_events)
{
	static const struct {
		unsigned int box, at, fixed, fixed_ctl;
	} all[] = {
		{ 0, DCLK, 0xb3c, 0xb44 }, { 5, DCLK, 0xb3c, 0xb44 },
		{ VPMU_EDC_ECLK, ECLK, 0xa3c, 0xa44 }, { VPMU_EDC_ECLK + 7, ECLK, 0xa3c, 0xa44 },
		{ VPMU_EDC_UCLK, UCLK, 0x44c, 0x454 }, { VPMU_EDC_UCLK + 7, UCLK, 0x44c, 0x454 },
		{ VPMU_IMC_UCLK, UCLK, 0x44c, 0x454 }, { VPMU_IMC_UCLK + 1, UCLK, 0x44c, 0x454 },
	};
	size_t i;

	create_knl();
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		set(all[i].box, all[i].at + KNL_SELECT, 0x102 | EN);
		set(all[i].box, all[i].fixed_ctl, 1);
	}
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		happens(all[i].box, 0x102, 10 + i);
		happens(all[i].box, 0, 100 + i);
		assert_int_equal(get(all[i].box, all[i].at), 10 + i);
		assert_int_equal(get(all[i].box, all[i].fixed), 100 + i);
		/*
		 * The counters are frozen if FREEZE and FREEZE_EN are set, but not if only FREEZE
		 * is set.
		 */
		set(all[i].box, all[i].at + KNL_CTL, FREEZE);
		happens(all[i].box, 0x102, 1);
		set(all[i].box, all[i].at + KNL_CTL, FREEZE | FREEZE_EN);
		happens(all[i].box, 0x102, 1000);
		happens(all[i].box, 0, 1000);
		assert_int_equal(get(all[i].box, all[i].at), 11 + i);
		assert_int_equal(get(all[i].box, all[i].fixed), 100 + i);
		set(all[i].box, all[i].at + KNL_CTL, RESET_CONTROLS | RESET_COUNTERS);
		assert_int_equal(get(all[i].box, all[i].at), 0);
		assert_int_equal(get(all[i].box, all[i].fixed_ctl), 0);
		set_refused(all[i].box, all[i].fixed_ctl, EN);
		set_refused(all[i].box, all[i].at + KNL_SELECT, EXT);
	}
	set(VPMU_M2PCIE, SELECT, 0x124 | INVERT | EN);
	happens(VPMU_M2PCIE, 0x124, 7);
	assert_int_equal(get(VPMU_M2PCIE, COUNTER), 7);
	assert_int_equal(get(VPMU_M2PCIE, FIXED), 0);
	set_refused(VPMU_M2PCIE, SELECT, EXT);
	vpmu_options.mute = 1ull << VPMU_M2PCIE;
	assert_int_equal(get(VPMU_M2PCIE, CTL), 0xffffffff);
}

TEST(knights_landing_s_channels_share_the_model_s_lines)
{
	create_knl();
	set(0, DCLK + KNL_SELECT, 0x103 | EN);
	set(5, DCLK + KNL_SELECT, 0x203 | EN);
	set(1, DCLK + KNL_SELECT, CAS | READS | EN);
	set(0, 0xb44, 1);
	set(VPMU_EDC_ECLK, ECLK + KNL_SELECT, 0x101 | EN);
	traffic()->requests += 18;
	traffic()->writes += 6;
	assert_int_equal(get(0, DCLK), 2);
	assert_int_equal(get(5, DCLK), 1);
	assert_int_equal(get(1, DCLK), 0);
	assert_int_equal(get(VPMU_EDC_ECLK, ECLK), 0);
}

TEST_GROUP(NULL, machine_free);
