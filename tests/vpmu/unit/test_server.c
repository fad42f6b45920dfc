// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counters of PCU, UBox, IIO stacks and IRPs of servers: they count the injected
 * events that their event selects and filters describe, and no others.
 */
#include "machine.h"

#include "box/iio.h"
#include "box/server.h"

/*
 * MSRs of PCU and UBox up to Ivy Bridge (SNB_*), and from Haswell on: Linux, uncore_snbep.c,
 * SNBEP_PCU_*, SNBEP_U_*, HSWEP_PCU_*, HSWEP_U_*
 */
#define SNB_PCU_CTL 0xc24
#define SNB_PCU_SELECT 0xc30
#define SNB_PCU_COUNTER 0xc36
#define SNB_UBOX_SELECT 0xc10
#define SNB_UBOX_COUNTER 0xc16
#define PCU_CTL 0x710
#define PCU_SELECT 0x711
#define PCU_FILTER 0x715
#define PCU_COUNTER 0x717
#define UBOX_FIXED_CTL 0x703
#define UBOX_FIXED 0x704
#define UBOX_SELECT 0x705
#define UBOX_COUNTER 0x709
/*
 * MSRs of Skylake's first IIO stack: Linux, uncore_snbep.c, SKX_IIO*. MSRs of each further stack
 * are IIO_STEP higher.
 */
#define IIO_CTL 0xa40
#define IIO_COUNTER 0xa41
#define IIO_SELECT 0xa48
#define IIO_STEP 0x20
/*
 * MSRs of the first stack's IRP: Linux, SKX_IRP_*; the MSRs of each further IRP are IIO_STEP higher
 */
#define IRP_CTL 0xa58
#define IRP_COUNTER 0xa59
#define IRP_SELECT 0xa5b

#define RESET_CONTROLS 0x1
#define RESET_COUNTERS 0x2
#define FREEZE 0x100
#define FREEZE_EN 0x10000
#define INVERT VPMU_BIT(23)
#define AT_LEAST(n) ((uint64_t)(n) << 24)

/* Creates two packages of one CPU each. */
static struct vpmu_cpu *create(const char *part)
{
	machine_new(vpmu_part_like(part), 2, 1);
	vpmu_options.fabric = 1;
	vpmu_boxes_init();
	return vpmu_cpus;
}

static void pcu_happens(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail, uint32_t count)
{
	vpmu_server_happen(cpu, VPMU_PCU << 16 | what, detail, count);
}

static void ubox_happens(uint32_t what, uint32_t count)
{
	vpmu_server_happen(vpmu_cpus, VPMU_UBOX << 16 | what, 0, count);
}

TEST(a_pcu_counts_its_event_only)
{
	struct vpmu_cpu *cpu = create("ivt");

	box_wr(cpu, SNB_PCU_SELECT, 0x02 | EN);
	box_wr(cpu, SNB_PCU_SELECT + 1, 0x02);
	box_wr(cpu, SNB_PCU_SELECT + 2, 0x03 | EN);
	box_wr(cpu, SNB_PCU_SELECT + 3, 0x02 | EN | AT_LEAST(3));
	box_wr(cpu + 1, SNB_PCU_SELECT, 0x02 | EN);
	pcu_happens(cpu, 0x02, 0, 10);
	pcu_happens(cpu, 0x102, 0, 200);
	pcu_happens(cpu, 0x02, 3, 1000);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER), 3010);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 1), 0);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 2), 0);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 3), 1000);
	assert_int_equal(box_rd(cpu + 1, SNB_PCU_COUNTER), 0);
	/* The counter wraps at 48 bits. */
	box_wr(cpu, SNB_PCU_COUNTER, VPMU_BIT(48) - 1);
	pcu_happens(cpu, 0x02, 0, 3);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER), 2);
	/* Ivy Town has neither bit 16 of the control nor an invert bit. */
	box_wr_refused(cpu, SNB_PCU_SELECT, 0x02 | EN | AT_LEAST(1) | INVERT);
	box_wr_refused(cpu, SNB_PCU_CTL, FREEZE_EN);
	box_wr(cpu, SNB_PCU_CTL, FREEZE);
	pcu_happens(cpu, 0x02, 0, 3);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER), 2);
}

TEST(an_inverted_threshold_counts_the_other_cycles)
{
	struct vpmu_cpu *cpu = create("jkt");

	box_wr(cpu, SNB_PCU_SELECT, 0x80 | EN | AT_LEAST(4) | INVERT);
	box_wr(cpu, SNB_PCU_SELECT + 1, 0x80 | EN | AT_LEAST(4));
	pcu_happens(cpu, 0x80, 4, 10);
	pcu_happens(cpu, 0x80, 3, 200);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER), 200);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 1), 10);
	/* Without its enable bit, the freeze bit has no effect. */
	box_wr(cpu, SNB_PCU_CTL, FREEZE);
	pcu_happens(cpu, 0x80, 4, 10);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 1), 20);
	box_wr(cpu, SNB_PCU_CTL, FREEZE | FREEZE_EN);
	pcu_happens(cpu, 0x80, 4, 10);
	assert_int_equal(box_rd(cpu, SNB_PCU_COUNTER + 1), 20);
}

/*
 * Two reset bits of a PCU's control read as 0. One clears the event selects, the other the
 * counters.
 */
TEST(reset_bits_of_a_pcu_read_as_0)
{
	struct vpmu_cpu *cpu = create("hsx");

	box_wr(cpu, PCU_SELECT + 3, 0x02 | EN);
	box_wr(cpu, PCU_COUNTER + 3, 77);
	box_wr(cpu + 1, PCU_COUNTER + 3, 78);
	box_wr(cpu, PCU_FILTER, 0x0a090807);
	box_wr(cpu, PCU_CTL, RESET_COUNTERS | FREEZE_EN);
	assert_int_equal(box_rd(cpu, PCU_CTL), FREEZE_EN);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 3), 0);
	assert_int_equal(box_rd(cpu, PCU_SELECT + 3), 0x02 | EN);
	box_wr(cpu, PCU_COUNTER + 3, 77);
	box_wr(cpu, PCU_CTL, RESET_CONTROLS | FREEZE);
	assert_int_equal(box_rd(cpu, PCU_CTL), FREEZE);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 3), 77);
	assert_int_equal(box_rd(cpu, PCU_SELECT + 3), 0);
	assert_int_equal(box_rd(cpu, PCU_FILTER), 0x0a090807);
	assert_int_equal(box_rd(cpu + 1, PCU_COUNTER + 3), 78);
}

/*
 * The PCU's event of frequency band n counts cycles in which the frequency is at least byte n of
 * the filter, in units of 100 MHz.
 */
TEST(a_band_counts_from_its_frequency_on)
{
	struct vpmu_cpu *cpu = create("bdx");
	unsigned int i;

	box_wr(cpu, PCU_FILTER, 0x28201810);
	for (i = 0; i < 4; i++)
		box_wr(cpu, PCU_SELECT + i, (0x0b + i) | EN);
	pcu_happens(cpu, 0x0b, 0x17, 1);
	pcu_happens(cpu, 0x0b, 0x18, 10);
	pcu_happens(cpu, 0x0b, 0x27, 100);
	pcu_happens(cpu, 0x0b, 0x28, 1000);
	pcu_happens(cpu, 0x0b, 0x0f, 10000);
	assert_int_equal(box_rd(cpu, PCU_COUNTER), 1111);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 1), 1110);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 2), 1100);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 3), 1000);
	box_wr(cpu, PCU_SELECT, 0x0f | EN);
	box_wr(cpu, PCU_SELECT + 1, 0x0a | EN);
	pcu_happens(cpu, 0x0b, 0xff, 5);
	assert_int_equal(box_rd(cpu, PCU_COUNTER), 1111);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 1), 1110);
}

/*
 * An event constraint that not all CPU models have: counter 0 of Broadwell's PCU cannot count cores
 * in a C-state, but counter 0 of Haswell's PCU can.
 */
TEST(a_constraint_holds_on_its_part)
{
	struct vpmu_cpu *cpu = create("bdx");

	box_wr(cpu, PCU_SELECT, 0x80 | EN);
	box_wr(cpu, PCU_SELECT + 1, 0x80 | EN);
	box_wr(cpu, PCU_SELECT + 2, 0x02 | EN);
	pcu_happens(cpu, 0x80, 0, 6);
	pcu_happens(cpu, 0x02, 0, 7);
	assert_int_equal(box_rd(cpu, PCU_COUNTER), 0);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 1), 6);
	assert_int_equal(box_rd(cpu, PCU_COUNTER + 2), 7);
	cpu = create("hsx");
	box_wr(cpu, PCU_SELECT, 0x80 | EN);
	pcu_happens(cpu, 0x80, 0, 6);
	assert_int_equal(box_rd(cpu, PCU_COUNTER), 6);
}

TEST(a_ubox_counts_its_clock_on_the_fixed_counter)
{
	struct vpmu_cpu *cpu = create("hsx");
	uint64_t value;

	box_wr(cpu, UBOX_SELECT, 0x00 | EN);
	box_wr(cpu, UBOX_SELECT + 1, 0x842 | EN);
	ubox_happens(0, 100);
	ubox_happens(0x842, 3);
	assert_int_equal(box_rd(cpu, UBOX_FIXED), 0);
	box_wr(cpu, UBOX_FIXED_CTL, EN);
	ubox_happens(0, 100);
	ubox_happens(0x842, 3);
	ubox_happens(0x442, 50);
	assert_int_equal(box_rd(cpu, UBOX_FIXED), 100);
	assert_int_equal(box_rd(cpu, UBOX_COUNTER), 0);
	assert_int_equal(box_rd(cpu, UBOX_COUNTER + 1), 6);
	/* a UBox has two counters of 44 bits, and a fixed one of 48 */
	assert_false(vpmu_server_read(cpu, UBOX_SELECT + 2, &value));
	assert_false(vpmu_server_read(cpu, UBOX_COUNTER + 2, &value));
	box_wr_refused(cpu, UBOX_COUNTER, VPMU_BIT(44));
	box_wr(cpu, UBOX_FIXED, VPMU_BIT(48) - 1);
	box_wr_refused(cpu, UBOX_FIXED, VPMU_BIT(48));
	box_wr_refused(cpu, UBOX_FIXED_CTL, EN | 1);
	box_wr(cpu, UBOX_COUNTER + 1, VPMU_BIT(44) - 1);
	ubox_happens(0x842, 3);
	assert_int_equal(box_rd(cpu, UBOX_COUNTER + 1), 2);
	/* Broadwell's counters of the UBox have 48 bits. */
	cpu = create("bdx");
	box_wr(cpu, UBOX_COUNTER, VPMU_BIT(48) - 1);
}

TEST(reserved_bits_of_pcu_and_ubox_are_refused)
{
	struct vpmu_cpu *cpu = create("skx");
	uint64_t value;
	unsigned int i;

	/* A PCU's event select has occupancy bits 31:30 and 15:14, and no unit mask. */
	box_wr(cpu, PCU_SELECT, 0xdf46c0ff);
	for (i = 8; i < 14; i++)
		box_wr_refused(cpu, PCU_SELECT, VPMU_BIT(i));
	box_wr(cpu, UBOX_SELECT, 0x1fc6ffff);
	for (i = 29; i < 64; i++)
		box_wr_refused(cpu, UBOX_SELECT, VPMU_BIT(i));
	for (i = 32; i < 64; i++) {
		box_wr_refused(cpu, PCU_SELECT, VPMU_BIT(i));
		box_wr_refused(cpu, PCU_FILTER, VPMU_BIT(i));
	}
	box_wr_refused(cpu, PCU_COUNTER, VPMU_BIT(48));
	box_wr_refused(cpu, PCU_CTL, FREEZE_EN);
	box_wr_refused(cpu, PCU_CTL, 4);
	/* Intel's client CPUs have no PCU, UBox and IIO boxes */
	machine_new(&vpmu_skl, 1, 1);
	assert_false(vpmu_server_read(vpmu_cpus, PCU_CTL, &value));
	assert_false(vpmu_server_write(vpmu_cpus, PCU_SELECT, 0));
	assert_false(vpmu_iio_read(vpmu_cpus, IIO_CTL, &value));
	assert_false(vpmu_iio_write(vpmu_cpus, IIO_SELECT, 0));
	vpmu_server_happen(vpmu_cpus, 2, 0, 1);
	vpmu_iio_happen(vpmu_cpus, 2, 0, 1);
	vpmu_irp_happen(vpmu_cpus, 2, 0, 1);
}

/* Injects an event of a port of a stack, with unit mask 1 and the first flow control class. */
static void port_happens(unsigned int stack, uint32_t event, unsigned int port, uint32_t count)
{
	vpmu_iio_happen(vpmu_cpus, stack << 16 | 0x100 | event, port, count);
}

/* an enabled event select: ports 0 and 2, all flow control classes, unit mask 1 */
#define PORTS ((uint64_t)7 << 44 | (uint64_t)5 << 36 | 0x100 | EN)

TEST(an_iio_stack_counts_its_ports_only)
{
	struct vpmu_cpu *cpu = create("skx");

	box_wr(cpu, IIO_SELECT, 0x83 | PORTS);
	box_wr(cpu, IIO_SELECT + 1, (0x83 | PORTS) & ~EN);
	box_wr(cpu, IIO_SELECT + 2, 0x83 | PORTS);
	box_wr(cpu, IIO_SELECT + IIO_STEP, 0x83 | PORTS);
	box_wr(cpu + 1, IIO_SELECT, 0x83 | PORTS);
	port_happens(0, 0x83, 0, 1);
	port_happens(0, 0x83, 1, 10);
	port_happens(0, 0x83, 2, 100);
	port_happens(0, 0x84, 0, 1000);
	vpmu_iio_happen(cpu, 0x283, 0, 10000);
	vpmu_iio_happen(cpu, 0x183, 3 << 10, 100000);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 101);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 0);
	/* event 0x83 counts on counters 0 and 1 only */
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 2), 0);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + IIO_STEP), 0);
	assert_int_equal(box_rd(cpu + 1, IIO_COUNTER), 0);
	port_happens(1, 0x83, 0, 7);
	port_happens(6, 0x83, 0, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 101);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + IIO_STEP), 7);
	/*
	 * An injected event occurs once per cycle. With a threshold of 2 in the event select it is
	 * therefore not counted, and with the invert bit, too, it is always counted.
	 */
	box_wr(cpu, IIO_SELECT, 0x83 | PORTS | AT_LEAST(2));
	box_wr(cpu, IIO_SELECT + 1, 0x83 | PORTS | AT_LEAST(1) | INVERT);
	port_happens(0, 0x83, 0, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 101);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 0);
	box_wr(cpu, IIO_SELECT, 0x83 | PORTS | AT_LEAST(2) | INVERT);
	box_wr(cpu, IIO_SELECT + 1, 0x83 | PORTS | AT_LEAST(1));
	port_happens(0, 0x83, 0, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 108);
	/* Of three classes those are counted that the event select has, and without one none. */
	box_wr(cpu, IIO_SELECT, (0x83 | PORTS) & ~((uint64_t)7 << 44));
	port_happens(0, 0x83, 0, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 108);
	box_wr(cpu, IIO_SELECT, (0x83 | PORTS) & ~((uint64_t)5 << 44));
	port_happens(0, 0x83, 0, 7);
	vpmu_iio_happen(cpu, 0x183, 2 << 10, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 108);
	vpmu_iio_happen(cpu, 0x183, 1 << 10, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 115);
	box_wr(cpu, IIO_COUNTER, 108);
	box_wr(cpu, IIO_COUNTER + 1, 7);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 7);
}

TEST(constraints_of_an_iio_stack_hold)
{
	static const uint8_t high[] = { 0x88, 0x95, 0xc0, 0xc5, 0xd4, 0xd5 };
	struct vpmu_cpu *cpu = create("skx");
	unsigned int i, k;

	for (i = 0; i < sizeof(high); i++) {
		for (k = 0; k < 4; k++) {
			box_wr(cpu, IIO_SELECT + k, high[i] | PORTS);
			box_wr(cpu, IIO_COUNTER + k, 0);
		}
		port_happens(0, high[i], 2, 9);
		for (k = 0; k < 4; k++)
			assert_int_equal(box_rd(cpu, IIO_COUNTER + k), k < 2 ? 0 : 9);
	}
	/* The clock (0x01) counts for any port. The unit mask of event 0xd5 selects the ports. */
	box_wr(cpu, IIO_SELECT, 0x01 | EN);
	box_wr(cpu, IIO_SELECT + 3, 0x01);
	port_happens(0, 0xd5, 1, 9);
	port_happens(0, 0x01, 1, 9);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 9);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 2), 18);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 3), 9);
}

TEST(control_and_reserved_bits_of_an_iio_stack)
{
	struct vpmu_cpu *cpu = create("skx");
	uint64_t value;

	box_wr(cpu, IIO_SELECT + 1, 0x83 | PORTS);
	box_wr(cpu, IIO_COUNTER + 1, VPMU_BIT(48) - 2);
	port_happens(0, 0x83, 0, 5);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 3);
	box_wr(cpu, IIO_CTL, FREEZE);
	port_happens(0, 0x83, 0, 5);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 3);
	box_wr(cpu, IIO_CTL, RESET_CONTROLS);
	assert_int_equal(box_rd(cpu, IIO_CTL), 0);
	assert_int_equal(box_rd(cpu, IIO_SELECT + 1), 0);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 3);
	box_wr(cpu, IIO_SELECT + 1, 0x83 | PORTS);
	box_wr(cpu, IIO_CTL, RESET_COUNTERS | FREEZE);
	assert_int_equal(box_rd(cpu, IIO_CTL), FREEZE);
	assert_int_equal(box_rd(cpu, IIO_SELECT + 1), 0x83 | PORTS);
	assert_int_equal(box_rd(cpu, IIO_COUNTER + 1), 0);
	box_wr_refused(cpu, IIO_CTL, FREEZE_EN);
	box_wr_refused(cpu, IIO_COUNTER, VPMU_BIT(48));
	/*
	 * Event selects of IIO stacks have a bit for each port, and a bit for each flow control
	 * class. On Skylake there are 8 ports, and the classes are bits 46:44. On Ice Lake there
	 * are 12 ports, and the classes are bits 50:48.
	 */
	box_wr(cpu, IIO_SELECT, 0x7fffffc4ffff);
	box_wr_refused(cpu, IIO_SELECT, VPMU_BIT(47));
	box_wr_refused(cpu, IIO_SELECT, VPMU_BIT(20));
	box_wr_refused(cpu, IIO_SELECT + 3, VPMU_BIT(47));
	box_wr_refused(cpu, IIO_SELECT + 1, VPMU_BIT(20));
	/* no register is between the counters and the event selects */
	assert_false(vpmu_iio_read(cpu, IIO_COUNTER + 4, &value));
	assert_false(vpmu_iio_read(cpu, IIO_SELECT + 4, &value));
	cpu = create("icx");
	box_wr(cpu, 0xa58, 0x7ffffffc4ffff);
	box_wr_refused(cpu, 0xa58, VPMU_BIT(51));
	assert_false(vpmu_iio_read(cpu, IIO_SELECT, &value));
}

TEST(an_irp_counts_its_requests_only)
{
	struct vpmu_cpu *cpu = create("skx");

	box_wr(cpu, IRP_SELECT, 0x811 | EN);
	box_wr(cpu, IRP_SELECT + 1, 0x811);
	box_wr(cpu, IRP_SELECT + IIO_STEP, 0x18 | EN);
	box_wr(cpu, IRP_SELECT + IIO_STEP + 1, 0x118 | EN);
	box_wr(cpu + 1, IRP_SELECT, 0x811 | EN);
	vpmu_irp_happen(cpu, 0x811, 0, 1);
	vpmu_irp_happen(cpu, 0x211, 0, 10);
	vpmu_irp_happen(cpu, 0x812, 0, 100);
	vpmu_irp_happen(cpu, 1 << 16 | 0x18, 0, 1000);
	vpmu_irp_happen(cpu, 6 << 16 | 0x811, 0, 10000);
	/* a stack counts no event of its IRP, and an IRP counts no event of its stack */
	box_wr(cpu, IIO_SELECT, 0x83 | PORTS);
	box_wr(cpu, IRP_SELECT + 2 * IIO_STEP, 0x183 | EN);
	port_happens(2, 0x83, 0, 1);
	vpmu_irp_happen(cpu, 0x183, 0, 1);
	assert_int_equal(box_rd(cpu, IRP_COUNTER), 1);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + 1), 0);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + IIO_STEP), 1000);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + IIO_STEP + 1), 0);
	assert_int_equal(box_rd(cpu + 1, IRP_COUNTER), 0);
	assert_int_equal(box_rd(cpu, IIO_COUNTER), 0);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + 2 * IIO_STEP), 0);
	box_wr(cpu, IRP_SELECT, 0x811 | EN | AT_LEAST(2));
	box_wr(cpu, IRP_SELECT + 1, 0x811 | EN | AT_LEAST(2) | INVERT);
	vpmu_irp_happen(cpu, 0x811, 0, 5);
	assert_int_equal(box_rd(cpu, IRP_COUNTER), 1);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + 1), 5);
	box_wr(cpu, IRP_CTL, FREEZE);
	vpmu_irp_happen(cpu, 0x811, 0, 5);
	assert_int_equal(box_rd(cpu, IRP_COUNTER + 1), 5);
}

TEST(control_and_reserved_bits_of_an_irp)
{
	struct vpmu_cpu *cpu = create("skx");
	uint64_t value;

	box_wr(cpu, IRP_SELECT + 1, 0xffc4ffff);
	box_wr(cpu, IRP_COUNTER, VPMU_BIT(48) - 2);
	box_wr(cpu, IRP_SELECT, 0x01 | EN);
	vpmu_irp_happen(cpu, 1, 0, 5);
	assert_int_equal(box_rd(cpu, IRP_COUNTER), 3);
	box_wr_refused(cpu, IRP_SELECT, VPMU_BIT(16));
	box_wr_refused(cpu, IRP_SELECT, VPMU_BIT(32));
	box_wr_refused(cpu, IRP_COUNTER, VPMU_BIT(48));
	box_wr_refused(cpu, IRP_CTL, FREEZE_EN);
	box_wr(cpu, IRP_CTL, RESET_CONTROLS | FREEZE);
	assert_int_equal(box_rd(cpu, IRP_CTL), FREEZE);
	assert_int_equal(box_rd(cpu, IRP_SELECT), 0);
	assert_int_equal(box_rd(cpu, IRP_SELECT + 1), 0);
	assert_int_equal(box_rd(cpu, IRP_COUNTER), 3);
	assert_false(vpmu_iio_read(cpu, IRP_SELECT + 2, &value));
	assert_false(vpmu_iio_read(cpu, IRP_CTL - 1, &value));
	/* The counter of Ice Lake's last IRP. */
	cpu = create("icx");
	box_wr(cpu, 0xb1d, 0x811 | EN);
	vpmu_irp_happen(cpu, 5 << 16 | 0x811, 0, 7);
	assert_int_equal(box_rd(cpu, 0xb1b), 7);
	assert_false(vpmu_iio_read(cpu, 0xa4f, &value));
}

/* With top= every counter of every unit begins before its end, each with its own width. */
TEST(counters_of_servers_begin_where_top_says)
{
	struct vpmu_cpu *cpu = create("hsx");
	unsigned int i;

	vpmu_options.top = 16;
	vpmu_boxes_init();
	for (i = 0; i < 4; i++) {
		assert_int_equal(box_rd(cpu, PCU_COUNTER + i), VPMU_BIT(48) - 16);
		assert_int_equal(box_rd(cpu + 1, PCU_COUNTER + i), VPMU_BIT(48) - 16);
	}
	for (i = 0; i < 2; i++)
		assert_int_equal(box_rd(cpu + 1, UBOX_COUNTER + i), VPMU_BIT(44) - 16);
	assert_int_equal(box_rd(cpu, UBOX_FIXED), VPMU_BIT(48) - 16);
	vpmu_options.top = 0;
}

TEST_GROUP(NULL, machine_free);
