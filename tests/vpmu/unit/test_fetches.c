// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sampled fetches (IBS): when a tagged fetch has its code, the registers have what the
 * front end tells of it, and the entry of the extended LVT raises the interrupt.
 */

#include "machine.h"

#include "counter/fetches.h"
#include "counter/ibs.h"
#include "counter/pmi.h"

/* MSR addresses: Linux, asm/msr-index.h */
#define FETCH_CTL 0xc0011030
#define FETCH_LINEAR 0xc0011031
#define FETCH_PHYSICAL 0xc0011032
#define FETCH_EXT 0xc001103c
#define FETCH_CTL2 0xc001103f

#define ON VPMU_BIT(48)
#define VALID VPMU_BIT(49)
#define ALWAYS (VALID | VPMU_BIT(50) | VPMU_BIT(52))
#define RANDOM VPMU_BIT(57)
#define ONLY_L3_MISS VPMU_BIT(59)
#define UOP_CACHE_MISS VPMU_BIT(60)
#define COUNT(ctl) ((ctl) >> 16 & 0xffff)

#define NMI 0x400
#define MASKED 0x10000

static struct vcore_insn insn = { .pc = 0x401000, .pa = 0x77000, .size = 4, .priv = 1 };

static uint64_t get(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_fetches_read(cpu, msr, &value));
	return value;
}

static void set(struct vpmu_cpu *cpu, uint64_t ctl)
{
	uint64_t before = cpu->illegal_writes;

	assert_true(vpmu_fetches_write(cpu, FETCH_CTL, ctl));
	assert_int_equal(cpu->illegal_writes, before);
}

/* Creates a machine that samples fetches, after 16 * 0x100 of them. */
static struct vpmu_cpu *sampling(const struct vpmu_part *part)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(part, 1, 1);
	vpmu_ibs_init(cpu);
	vpmu_fetches_init(cpu);
	vpmu_ibs_set_lvt(cpu, 1, NMI);
	set(cpu, ON | 0x100);
	return cpu;
}

/* The tagged fetch has its code, @cycles after its begin; an L1I hit is @reply NULL. */
static void fetch(struct vpmu_cpu *cpu, uint64_t cycles, const struct vcore_reply *reply,
		  bool decoded)
{
	const struct vcore_step step = { .insn = &insn, .pc = 0x7f401000 };
	struct vcore_fetches *fetches = &cpu->core->fetches;

	assert_true(fetches->on);
	fetches->count = fetches->limit - 1;
	if (reply)
		vcore_fetches_access(fetches, 1000, reply);
	vcore_fetches_end(fetches, 1000 + cycles, &step, decoded);
}

static const struct vcore_reply from_memory = {
	.level = VCORE_AT_MEMORY, .from = VCORE_AT_MEMORY, .walked = true, .l1_done = 1040,
};

/* At power on no fetch is counted, even if the vCPU has counted before. */
TEST(a_power_loss_ends_the_count)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	assert_true(cpu->core->fetches.on);
	vpmu_ibs_init(cpu);
	vpmu_fetches_init(cpu);
	assert_false(cpu->core->fetches.on);
	assert_int_equal(get(cpu, FETCH_CTL), 0);
}

TEST(a_fetch_has_its_address)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	assert_true(cpu->score->model_on & VPMU_FOR_FETCHES);
	assert_int_equal(cpu->core->fetches.limit, 0x1000);
	fetch(cpu, 0, NULL, true);
	assert_int_equal(get(cpu, FETCH_LINEAR), 0x7f401000);
	assert_int_equal(get(cpu, FETCH_PHYSICAL), 0x77000);
	assert_int_equal(get(cpu, FETCH_CTL), ON | ALWAYS | 0x1000100);
	assert_int_equal(machine_interrupts, 1);
	assert_false(cpu->score->model_on & VPMU_FOR_FETCHES);
}

TEST(a_miss_has_its_latency_and_its_levels)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	struct vcore_reply reply = from_memory;

	fetch(cpu, 300, &from_memory, false);
	/* latency; missed: L1I, both ITLBs, L2, uop cache, L3 */
	assert_int_equal(get(cpu, FETCH_CTL), ON | ALWAYS | 300ull << 32 | VPMU_BIT(51) |
			 VPMU_BIT(55) | VPMU_BIT(56) | VPMU_BIT(58) | UOP_CACHE_MISS |
			 VPMU_BIT(61) | 0x1000100);
	assert_int_equal(get(cpu, FETCH_EXT), 40);
	set(cpu, ON | 0x100);
	reply = (struct vcore_reply){ .level = VCORE_AT_L2, .from = VCORE_AT_L2,
				      .stlb_hit = true, .l1_done = 100000 };
	fetch(cpu, 100000, &reply, false);
	assert_int_equal(get(cpu, FETCH_EXT), 0xffff);
	assert_int_equal(get(cpu, FETCH_CTL), ON | ALWAYS | 0xffffull << 32 | VPMU_BIT(51) |
			 VPMU_BIT(55) | UOP_CACHE_MISS | 0x1000100);
	set(cpu, ON | 0x100);
	reply.stlb_hit = false;
	fetch(cpu, 20, &reply, false);
	assert_int_equal(get(cpu, FETCH_EXT), 0);
	cpu = sampling(&vpmu_zen2);
	fetch(cpu, 300, &from_memory, false);
	assert_int_equal(get(cpu, FETCH_CTL) >> 59, 0);
}

TEST(no_fetch_is_counted_until_the_sample_is_taken)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	uint64_t ctl;

	fetch(cpu, 0, NULL, true);
	assert_false(cpu->core->fetches.on);
	ctl = get(cpu, FETCH_CTL);
	set(cpu, ctl);
	assert_false(cpu->core->fetches.on);
	set(cpu, ctl & ~VALID & ~ON);
	assert_false(cpu->core->fetches.on);
	set(cpu, ON | 0x200);
	assert_true(cpu->core->fetches.on);
	assert_int_equal(cpu->core->fetches.limit, 0x2000);
	set(cpu, ON);
	assert_false(cpu->core->fetches.on);
}

TEST(the_count_begins_where_it_is_told)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);
	unsigned int i, set_of = 0;

	set(cpu, ON | 0x80 << 16 | 0x100);
	assert_int_equal(cpu->core->fetches.count, 0x800);
	cpu->core->fetches.count = 0x913;
	assert_int_equal(COUNT(get(cpu, FETCH_CTL)), 0x91);
	for (i = 0; i < 100; i++) {
		set(cpu, RANDOM | ON | 0x100);
		assert_in_range(cpu->core->fetches.count, 0, 15);
		set_of |= 1u << cpu->core->fetches.count;
	}
	assert_true(__builtin_popcount(set_of) > 8);
}

TEST(a_filter_discards_fetches)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	set(cpu, ONLY_L3_MISS | ON | 0x100);
	fetch(cpu, 0, NULL, true);
	assert_int_equal(machine_interrupts, 0);
	assert_true(cpu->core->fetches.on);
	fetch(cpu, 300, &from_memory, false);
	assert_int_equal(machine_interrupts, 1);
	assert_true(get(cpu, FETCH_CTL) & VALID);
}

/* Linux, perf_event.h, IBS_FETCH_2_*: bit 0 off, 4:1 latency / 128, bits 5 and 6 bit 63 = 1 and 0 */
TEST(the_second_control_register_turns_fetches_off_and_filters)
{
	struct vpmu_cpu *cpu = sampling(vpmu_part_like("zen6"));
	uint64_t before = cpu->illegal_writes;

	cpu->core->fetches.count = 0x120;
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 1));
	assert_false(cpu->core->fetches.on);
	assert_int_equal(COUNT(get(cpu, FETCH_CTL)), 0x12);
	assert_true(get(cpu, FETCH_CTL) & ON);
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 2 << 1));
	assert_int_equal(cpu->core->fetches.count, 0x120);
	fetch(cpu, 255, &from_memory, false);
	assert_int_equal(machine_interrupts, 0);
	fetch(cpu, 256, &from_memory, false);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, ON | 0x100);
	/* fetch() fetches from an address whose bit 63 is 0. */
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 1 << 6));
	fetch(cpu, 0, NULL, true);
	assert_int_equal(machine_interrupts, 1);
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 1 << 5));
	fetch(cpu, 0, NULL, true);
	assert_int_equal(machine_interrupts, 2);
	assert_int_equal(cpu->illegal_writes, before);
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 1 << 7));
	assert_int_equal(cpu->illegal_writes, before + 1);
}

TEST(an_interrupt_without_a_sample_may_come_when_fetches_are_stopped)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	set(cpu, 0x100);
	assert_int_equal(machine_interrupts, 0);
	vpmu_options.ibs_late = true;
	set(cpu, ON | 0x100);
	set(cpu, 0x100);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, 0);
	assert_int_equal(machine_interrupts, 1);
	set(cpu, ON | 0x100);
	fetch(cpu, 0, NULL, true);
	set(cpu, 0);
	assert_int_equal(machine_interrupts, 2);
	/* Nothing comes if the second control register had stopped it before. */
	cpu = sampling(vpmu_part_like("zen6"));
	machine_interrupts = 0;
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL2, 1));
	set(cpu, 0);
	assert_int_equal(machine_interrupts, 0);
	vpmu_options.ibs_late = false;
}

TEST(a_fetch_interrupts_only_through_the_entry)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen4);

	vpmu_ibs_set_lvt(cpu, 1, MASKED | NMI);
	fetch(cpu, 0, NULL, true);
	assert_int_equal(machine_interrupts, 0);
}

TEST(bits_and_registers_that_a_model_lacks_are_told)
{
	struct vpmu_cpu *cpu = sampling(&vpmu_zen2);
	uint64_t value, before = cpu->illegal_writes;

	assert_true(vpmu_fetches_write(cpu, FETCH_CTL, ONLY_L3_MISS | ON | 0x100));
	assert_true(vpmu_fetches_write(cpu, FETCH_CTL, VPMU_BIT(62)));
	assert_int_equal(cpu->illegal_writes, before + 2);
	assert_false(vpmu_fetches_read(cpu, 0xc0011033, &value));
	assert_false(vpmu_fetches_write(cpu, 0xc001102f, 0));
	assert_false(vpmu_fetches_read(cpu, FETCH_CTL2, &value));
	vpmu_options.no_model = true;
	assert_false(vpmu_fetches_read(cpu, FETCH_CTL, &value));
	assert_false(vpmu_fetches_read(cpu, FETCH_EXT, &value));
	machine_new(&vpmu_ivb, 1, 1);
	assert_false(vpmu_fetches_write(cpu, FETCH_CTL, ON));
}
