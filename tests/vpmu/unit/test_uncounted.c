// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the list of uncounted events of uncore boxes: their counters read 0 because the virtual
 * PMU does not simulate the events. Events that it simulates are not listed, even if they have not
 * happened. Events that the guest has injected are not listed either.
 */

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "box/cbo.h"
#include "box/complex.h"
#include "box/fabric.h"
#include "box/iio.h"
#include "box/imc.h"
#include "box/mchbar.h"
#include "box/server.h"
#include "box/discovered.h"
#include "box/umc.h"
#include "counter/msr.h"
#include "event/uncounted.h"
#include "machine/window.h"

/*
 * Creates two packages of one vCPU each. The packages have all boxes of the CPU model. The list is
 * empty.
 */
static struct vpmu_cpu *create(const struct vpmu_part *part)
{
	machine_new(part, 2, 1);
	vpmu_options.fabric = 1;
	vpmu_options.complex = 1;
	vpmu_options.umc = 1;
	vpmu_options.imc = 0x11003;
	vpmu_boxes_init();
	vpmu_uncounted_open(machine_file);
	return vpmu_cpus;
}

static void assert_listed(const char *wanted)
{
	char said[512] = "";
	FILE *in;

	vpmu_uncounted_write();
	in = fopen(machine_file, "r");
	assert_non_null(in);
	said[fread(said, 1, sizeof(said) - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(said, wanted);
}

static void write_window(const char *which, uint64_t at, unsigned int bytes, uint64_t value)
{
	unsigned int i = 0;

	while (strcmp(vpmu_window_at(i)->name, which))
		i++;
	vpmu_window_at(i)->write(vpmu_cpus, at, bytes, value);
	assert_int_equal(vpmu_cpus->illegal_writes, 0);
}

static void read_window(const char *which, uint64_t at)
{
	unsigned int i = 0;

	while (strcmp(vpmu_window_at(i)->name, which))
		i++;
	vpmu_window_at(i)->read(vpmu_cpus, at, 8);
}

/* Writes @event to MSR @select, an event select, and reads the counter at MSR @counter. */
static void count(struct vpmu_cpu *cpu, uint32_t select, uint64_t event, uint32_t counter)
{
	box_wr(cpu, select, event);
	box_rd(cpu, counter);
}

/*
 * Source of the MSRs: Linux, uncore_snb.c. The virtual PMU does not simulate edges of the arbiter's
 * queue, lines in state M, and event 0x12.
 */
TEST(unknown_events_of_a_client_are_listed)
{
	struct vpmu_cpu *cpu = create(&vpmu_ivb);

	box_wr(cpu, 0x391, VPMU_BIT(29));
	count(cpu, 0x394, EN, 0x395);
	count(cpu, 0x3b2, 0x0180 | EN, 0x3b0);
	count(cpu, 0x3b2, 0x0181 | EN, 0x3b0);
	count(cpu, 0x3b2, 0x2081 | EN, 0x3b0);
	count(cpu, 0x3b3, 0x2080 | EN, 0x3b1);
	count(cpu, 0x3b2, 0x0180 | VPMU_BIT(18) | EN, 0x3b0);
	count(cpu, 0x700, 0x8134 | EN, 0x706);
	count(cpu, 0x700, 0x8834 | EN, 0x706);
	count(cpu, 0x701, 0x4234 | EN, 0x707);
	/* an event is listed only if its counter is enabled and is read */
	count(cpu, 0x700, 0x0112, 0x706);
	box_wr(cpu, 0x701, 0x0113 | EN);
	assert_listed("ivb 0x2080 0x0 arb\nivb 0x40180 0x0 arb\nivb 0x8134 0x0 cbo\n"
		      "ivb 0x4234 0x0 cbo\n");
	count(cpu, 0x700, 0x0112 | EN, 0x706);
	count(cpu, 0x710, 0x0112 | EN, 0x716);
	assert_listed("ivb 0x2080 0x0 arb\nivb 0x40180 0x0 arb\nivb 0x8134 0x0 cbo\n"
		      "ivb 0x4234 0x0 cbo\nivb 0x112 0x0 cbo\n");
}

/*
 * Source of the MSRs: Linux, uncore_snb.c, NHM_UNC_*. The virtual PMU simulates memory channel 0
 * only, and no events of other channels.
 */
TEST(unknown_events_of_nehalems_uncore_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("nhm"));

	count(cpu, 0x3c0, 0x012c | EN, 0x3b0);
	count(cpu, 0x3c0, 0x012f | EN, 0x3b0);
	count(cpu, 0x3c0, 0x0308 | EN, 0x3b0);
	count(cpu, 0x3c0, 0x0209 | EN, 0x3b0);
	assert_listed("");
	count(cpu, 0x3c0, 0x022c | EN, 0x3b0);
	count(cpu, 0x3c0, 0x0409 | EN, 0x3b0);
	count(cpu, 0x3c0, 0x0160 | EN, 0x3b0);
	assert_listed("nhm 0x22c 0x0 global queue\nnhm 0x409 0x0 global queue\n"
		      "nhm 0x160 0x0 global queue\n");
}

/*
 * Source of the MSRs: Linux, IVBEP_CB0_*. The virtual PMU simulates no write-backs and no lines in
 * state M, and its requests have no thread ID.
 */
TEST(unknown_events_of_cbos_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("ivt"));

	count(cpu, 0xd10, EN, 0xd16);
	box_wr(cpu, 0xd1a, 0x182 << 20);
	count(cpu, 0xd10, 0x0335 | EN, 0xd16);
	count(cpu, 0xd10, 0x0136 | EN, 0xd16);
	box_wr(cpu, 0xd1a, 0x1c8 << 20);
	count(cpu, 0xd10, 0x0335 | EN, 0xd16);
	count(cpu, 0xd10, 0x0435 | EN, 0xd16);
	count(cpu, 0xd10, 0x0137 | EN, 0xd16);
	assert_listed("ivt 0x335 0x1c80000000000000 CBos or CHAs\n"
		      "ivt 0x435 0x1c80000000000000 CBos or CHAs\n"
		      "ivt 0x137 0x1c80000000000000 CBos or CHAs\n");
	vpmu_cbo_happen(cpu, 0x0137, 0, 1);
	vpmu_cbo_happen(cpu, 0x0335, 0x1c8, 1);
	count(cpu, 0xd10, 0x0335 | EN, 0xd16);
	assert_listed("ivt 0x335 0x1c80000000000000 CBos or CHAs\n"
		      "ivt 0x435 0x1c80000000000000 CBos or CHAs\n");
	vpmu_cbo_happen(cpu, 0x0335, 0x1c8, 1);
	assert_listed("ivt 0x435 0x1c80000000000000 CBos or CHAs\n");
}

/*
 * Source of the MSRs: Linux, ICX_*. The virtual PMU simulates no requests of I/O devices to the
 * home agent.
 */
TEST(unknown_events_of_chas_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("icx"));

	count(cpu, 0xe01, 0x0550 | EN, 0xe08);
	count(cpu, 0xe01, 0x00c817fe00000135 | EN, 0xe08);
	assert_listed("");
	count(cpu, 0xe01, 0x1050 | EN, 0xe08);
	assert_listed("icx 0x1050 0x0 CBos or CHAs\n");
}

/* Offsets in PCI configuration space: Linux, SNBEP_PCI_PMON_*. */
TEST(unknown_events_of_channels_agents_and_links_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("ivt"));
	static const struct {
		unsigned int box;
		uint32_t event;
	} known[] = {
		{ 0, 0x0304 }, { 0, 0x0c04 }, { 0, 0x0010 }, { 0, 0x0011 }, { 0, 0x0080 },
		{ 0, 0x0000 }, { VPMU_AGENT, 0x0301 }, { VPMU_LINK, 0x0014 },
	}, unknown[] = {
		{ 0, 0x0204 }, { 0, 0x0101 }, { VPMU_AGENT, 0x1001 }, { VPMU_LINK, 0x200 },
		{ VPMU_LINK, 0x200002 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		vpmu_imc_write(cpu, 0, known[i].box, 0xd8, known[i].event | EN);
		vpmu_imc_read(cpu, 0, known[i].box, 0xa0);
	}
	assert_listed("");
	for (i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		vpmu_imc_write(cpu, 0, unknown[i].box, 0xd8, unknown[i].event | EN);
		vpmu_imc_read(cpu, 0, unknown[i].box, 0xa0);
	}
	assert_listed("ivt 0x204 0x0 memory channels\nivt 0x101 0x0 memory channels\n"
		      "ivt 0x1001 0x0 home agents\nivt 0x200 0x0 QPI or UPI links\n"
		      "ivt 0x200002 0x0 QPI or UPI links\n");
	vpmu_imc_happen(cpu, VPMU_LINK << 16 | 1 << 24 | 0x02, 0, 5);
	assert_listed("ivt 0x204 0x0 memory channels\nivt 0x101 0x0 memory channels\n"
		      "ivt 0x1001 0x0 home agents\nivt 0x200 0x0 QPI or UPI links\n");
}

/* Offsets in PCI configuration space: Linux, SKX_M2M_PCI_PMON_*, SKX_UPI_PCI_PMON_*. */
TEST(unknown_events_of_m2ms_and_upi_links_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("skx"));

	vpmu_imc_write(cpu, 0, VPMU_AGENT, 0x228, 0x0437 | EN);
	vpmu_imc_read(cpu, 0, VPMU_AGENT, 0x200);
	vpmu_imc_write(cpu, 0, VPMU_LINK, 0x350, 0x0001 | EN);
	vpmu_imc_read(cpu, 0, VPMU_LINK, 0x318);
	assert_listed("");
	vpmu_imc_write(cpu, 0, VPMU_AGENT, 0x228, 0x0124 | EN);
	vpmu_imc_read(cpu, 0, VPMU_AGENT, 0x200);
	vpmu_imc_write(cpu, 0, VPMU_LINK, 0x354, 1);
	vpmu_imc_read(cpu, 0, VPMU_LINK, 0x318);
	assert_listed("skx 0x124 0x0 home agents\nskx 0x100000001 0x0 QPI or UPI links\n");
}

/*
 * MSRs: Linux, KNL_MC0_CH0_MSR_PMON_*, KNL_UCLK_MSR_PMON_*, KNL_EDC0_ECLK_MSR_PMON_*. MCDRAM is not
 * simulated.
 */
TEST(unknown_events_of_knights_landing_s_boxes_are_listed)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("knl"));

	vpmu_imc_write(cpu, 0, 0, 0xb20, 0x0103 | EN);
	vpmu_imc_read(cpu, 0, 0, 0xb00);
	vpmu_imc_write(cpu, 0, 0, 0xb44, 1);
	vpmu_imc_read(cpu, 0, 0, 0xb3c);
	assert_listed("");
	vpmu_imc_write(cpu, 0, 0, 0xb20, 0x0304 | EN);
	vpmu_imc_read(cpu, 0, 0, 0xb00);
	vpmu_imc_write(cpu, 0, 0, 0xb20, 0x0403 | EN);
	vpmu_imc_read(cpu, 0, 0, 0xb00);
	vpmu_imc_write(cpu, 0, VPMU_EDC_ECLK, 0xa20, 0x0101 | EN);
	vpmu_imc_read(cpu, 0, VPMU_EDC_ECLK, 0xa00);
	vpmu_imc_write(cpu, 0, VPMU_EDC_UCLK, 0x420, 0x0102 | EN);
	vpmu_imc_read(cpu, 0, VPMU_EDC_UCLK, 0x400);
	vpmu_imc_write(cpu, 0, VPMU_IMC_UCLK, 0x420, EN);
	vpmu_imc_read(cpu, 0, VPMU_IMC_UCLK, 0x400);
	vpmu_imc_write(cpu, 0, VPMU_M2PCIE, 0xd8, 0x0124 | EN);
	vpmu_imc_read(cpu, 0, VPMU_M2PCIE, 0xa0);
	assert_listed("knl 0x304 0x0 memory channels\nknl 0x403 0x0 memory channels\n"
		      "knl 0x101 0x0 EDC ECLKs\n"
		      "knl 0x102 0x0 EDC UCLKs\nknl 0x0 0x0 IMC UCLKs\n"
		      "knl 0x124 0x0 M2PCIes\n");
}

/*
 * Source of the offsets: Linux, ADL_UNCORE_IMC_*. The virtual PMU simulates commands of memory
 * channel 0 only, and no DRAM pages.
 */
TEST(unknown_events_of_a_clients_memory_controllers_are_listed)
{
	struct vpmu_cpu *cpu = create(&vpmu_adl);
	static const uint32_t known[] = { 0x01, 0x02, 0x03, 0x22, 0x123 };
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		write_window("mchbar", 0xd9d0, 4, known[i]);
		read_window("mchbar", 0xd9e8);
	}
	write_window("mchbar", 0xd9d0, 4, 0);
	read_window("mchbar", 0xd9e8);
	assert_listed("");
	write_window("mchbar", 0xd9d0, 4, 0x222);
	read_window("mchbar", 0xd9e8);
	write_window("mchbar", 0xd9d0, 4, 0x24);
	read_window("mchbar", 0xd9e8);
	assert_listed("adl 0x222 0x0 memory channels\nadl 0x24 0x0 memory channels\n");
	vpmu_mchbar_happen(cpu, 0x124, 0, 1);
	assert_listed("adl 0x222 0x0 memory channels\n");
}

/*
 * MSRs and offsets are the same as in test_discovered.c. The virtual PMU simulates only the cache
 * lines that memory channels transfer; all other events occur only if they are injected.
 */
TEST(unknown_events_of_discovered_units_are_listed)
{
	static const struct {
		const char *unit;
		uint32_t select;
		uint32_t counter;
	} units[] = {
		{ "IIO stacks", 0x3002, 0x3008 }, { "IRPs", 0x3402, 0x3408 },
		{ "power control unit", 0x2fc2, 0x2fc8 }, { "UBox", 0x2fd2, 0x2fd8 },
		{ "CBos or CHAs", 0x2002, 0x2008 },
	};
	struct vpmu_cpu *cpu = create(&vpmu_spr);
	char wanted[512] = "";
	unsigned int i;

#define OTHERS "spr 0x210 0x0 memory channels\nspr 0x205 0x0 memory channels\n" \
	"spr 0x124 0x0 home agents\nspr 0x125 0x0 QPI or UPI links\n"
	write_window("discovered", 0x4040, 4, 0xcf05);
	read_window("discovered", 0x4008);
	assert_listed("");
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		count(cpu, units[i].select, 0x0123, units[i].counter);
		sprintf(wanted + strlen(wanted), "spr 0x123 0x0 %s\n", units[i].unit);
	}
	write_window("discovered", 0x4040, 4, 0x0210);
	read_window("discovered", 0x4008);
	write_window("discovered", 0x4040, 4, 0x0205);
	read_window("discovered", 0x4008);
	vpmu_discovered_box_write(cpu, 0, VPMU_AGENT, 0x468, 0x0124);
	vpmu_discovered_box_read(0, VPMU_AGENT, 0x440);
	vpmu_discovered_box_write(cpu, 0, VPMU_LINK, 0x350, 0x0125);
	vpmu_discovered_box_read(0, VPMU_LINK, 0x320);
	strcat(wanted, OTHERS);
	assert_listed(wanted);
	vpmu_discovered_cha_happen(cpu, 0x0123, 0, 1);
	*strstr(wanted, "spr 0x123 0x0 CBos") = '\0';
	strcat(wanted, OTHERS);
	assert_listed(wanted);
}

/*
 * Source of the MSRs: Linux, HSWEP_PCU_*, HSWEP_U_*, SKX_IIO_*, SKX_IRP_*. Events of PCU, UBox, IIO
 * stacks and IRPs are not simulated: they occur only if they are injected.
 */
TEST(events_of_pcu_ubox_and_iio_are_listed_until_they_happen)
{
	struct vpmu_cpu *cpu = create(vpmu_part_like("skx"));

	box_wr(cpu, 0x715, 0x12);
	count(cpu, 0x711, 0x000b | EN, 0x717);
	count(cpu, 0x705, 0x0842 | EN, 0x709);
	count(cpu, 0xa48, 0x101000000183 | EN, 0xa41);
	count(cpu, 0xa5b, 0x010f | EN, 0xa59);
	assert_listed("skx 0xb 0x12 power control unit\nskx 0x842 0x0 UBox\n"
		      "skx 0x101000000183 0x0 IIO stacks\nskx 0x10f 0x0 IRPs\n");
	vpmu_server_happen(cpu, VPMU_PCU << 16 | 0x0b, 0, 5);
	vpmu_server_happen(cpu, VPMU_UBOX << 16 | 0x0842, 0, 5);
	vpmu_irp_happen(cpu, 0x010f, 0, 5);
	assert_listed("skx 0x101000000183 0x0 IIO stacks\n");
	vpmu_iio_happen(cpu, 0x0183, 0, 5);
	assert_listed("");
}

/*
 * The MSRs are the same as in test_amd.c. The list names an event without its masks of slices,
 * threads and cores: event selects that differ only in these masks are the same event.
 */
TEST(amds_events_are_listed_until_they_happen)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);
	uint64_t value;

	count(cpu, 0xc0010230, 0x0104 | VPMU_BIT(46) | VPMU_BIT(47) | 1ull << 56 | EN, 0xc0010231);
	count(cpu, 0xc0010230, 0x0104 | VPMU_BIT(46) | VPMU_BIT(47) | EN, 0xc0010231);
	count(cpu, 0xc0010240, 0x10f00fe1full | EN, 0xc0010241);
	count(cpu, 0xc0010800, 0x010a | VPMU_BIT(31), 0xc0010801);
	count(cpu, 0xc0010802, 0x000b, 0xc0010803);
	box_wr(cpu, 0xc0010232, 0x0204 | EN);
	assert_true(vpmu_complex_rdpmc(cpu, 11, &value));
	box_wr(cpu, 0xc0010242, 0x10f00ff1full | EN);
	assert_true(vpmu_fabric_rdpmc(cpu, 7, &value));
	assert_listed("zen4 0x104 0x0 L3\nzen4 0x10f00fe1f 0x0 data fabric\n"
		      "zen4 0x10a 0x0 memory controllers\nzen4 0x204 0x0 L3\n"
		      "zen4 0x10f00ff1f 0x0 data fabric\n");
	vpmu_umc_happen(cpu, 0x010a, 0, 1);
	box_wr(cpu, 0xc0010230, 0x0104 | VPMU_BIT(46) | VPMU_BIT(47) | 1ull << 56 | EN);
	vpmu_complex_happen(cpu, 0x0104, 0, 1);
	vpmu_fabric_happen(cpu, 0xfffu << 14 | 0x11f, 0, 1);
	assert_listed("zen4 0x10f00fe1f 0x0 data fabric\nzen4 0x204 0x0 L3\n");
}

/*
 * An event whose counter is not enabled is in no box's list, even if the counter is read, and no
 * event is whose counter is not read.
 */
TEST(events_of_stopped_counters_are_not_listed)
{
	static const struct {
		const char *part;
		uint32_t select;
		uint64_t event;
		uint32_t counter;
		uint64_t enable;
	} boxes[] = {
		{ "nhm", 0x3c0, 0x0160, 0x3b0, EN }, { "snb", 0x700, 0x0112, 0x706, EN },
		{ "snb", 0x3b2, 0x2081, 0x3b0, EN }, { "ivt", 0xd10, 0x0137, 0xd16, EN },
		{ "icx", 0xe01, 0x1050, 0xe08, EN }, { "skx", 0x711, 0x000b, 0x717, EN },
		{ "skx", 0x705, 0x0842, 0x709, EN }, { "skx", 0xa48, 0x101000000183, 0xa41, EN },
		{ "skx", 0xa5b, 0x010f, 0xa59, EN }, { "zen3", 0xc0010230, 0x0104, 0xc0010231, EN },
		{ "zen3", 0xc0010240, 0x0107, 0xc0010241, EN },
		{ "zen6", 0xc0010800, 0x010a, 0xc0010801, VPMU_BIT(31) },
	};
	static const struct {
		const char *part;
		unsigned int box;
		unsigned int select;
		uint32_t event;
		unsigned int counter;
	} channels[] = {
		{ "ivt", 0, 0xd8, 0x0204, 0xa0 }, { "ivt", VPMU_AGENT, 0xd8, 0x1001, 0xa0 },
		{ "ivt", VPMU_LINK, 0xd8, 0x0200, 0xa0 },
		{ "skx", VPMU_AGENT, 0x228, 0x0124, 0x200 }, { "knl", 0, 0xb20, 0x0304, 0xb00 },
		{ "knl", VPMU_EDC_ECLK, 0xa20, 0x0101, 0xa00 },
		{ "knl", VPMU_M2PCIE, 0xd8, 0x0124, 0xa0 },
	};
	struct vpmu_cpu *cpu;
	unsigned int i;

	for (i = 0; i < sizeof(boxes) / sizeof(*boxes); i++) {
		cpu = create(vpmu_part_like(boxes[i].part));
		count(cpu, boxes[i].select, boxes[i].event, boxes[i].counter);
		box_wr(cpu, boxes[i].select, boxes[i].event | boxes[i].enable);
		assert_listed("");
	}
	for (i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
		cpu = create(vpmu_part_like(channels[i].part));
		vpmu_imc_write(cpu, 0, channels[i].box, channels[i].select, channels[i].event);
		vpmu_imc_read(cpu, 0, channels[i].box, channels[i].counter);
		vpmu_imc_write(cpu, 0, channels[i].box, channels[i].select, channels[i].event | EN);
		assert_listed("");
	}
}

/*
 * On Jaguar the registers of the L3 and of the data fabric count events of the L2 and of the
 * northbridge, and the list names these boxes.
 */
TEST(events_of_jaguar_are_listed_with_its_boxes)
{
	struct vpmu_cpu *cpu = create(&vpmu_jaguar);

	count(cpu, 0xc0010230, 0x017e | EN, 0xc0010231);
	count(cpu, 0xc0010240, 0x01e9 | EN, 0xc0010241);
	assert_listed("jaguar 0x17e 0x0 L2\njaguar 0x1e9 0x0 northbridge\n");
}

/*
 * Once the guest has injected an off-core event on any CPU, off-core events of the same MSR are not
 * listed as uncounted on any CPU. If events are multiplexed, another CPU may have counted an event
 * before, when the MSR had another value.
 */
TEST(events_of_an_extra_register_are_injected_on_any_cpu)
{
	struct vpmu_snapshot now = { .part = &vpmu_skl };

	create(&vpmu_skl);
	vpmu_uncounted_see(&now, 0x4101b7, 0);
	vpmu_uncounted_see(&now, 0x4101c6, 0);
	assert_listed("skl 0x1b7 0x0 core\nskl 0x1c6 0x0 core\n");
	vpmu_extra_happen(vpmu_cpus + 1, false, 0x10001, 1);
	assert_int_equal(vpmu_cpus[1].passed[VPMU_OFFCORE_0], 0);
	assert_listed("skl 0x1c6 0x0 core\n");
	vpmu_extra_happen(vpmu_cpus + 1, true, 1, 1);
	assert_listed("");
}

TEST_GROUP(machine_file_create, machine_file_remove);
