// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module uses AMD's instruction-based sampling (IBS), on made-up registers: what
 * it writes for ops and for fetches, what it leaves to another agent, and what it does if an NMI
 * comes in between. The source of the module is compiled unchanged.
 */
#include "kernel/module.h"

#include "bank.h"

#include "../../kmod/bank/tagged.c"

#include "kernel/registers.h"

#define OP_CTL 0xc0011033
#define OP_CTL2 0xc001103e
#define FETCH_CTL 0xc0011030
#define FETCH_CTL2 0xc001103f
#define OP_ON (1ULL << 17)
#define OP_VALID (1ULL << 18)
#define FETCH_ON (1ULL << 48)
#define FETCH_VALID (1ULL << 49)
#define OPS BPMU_IBS_COUNTER
#define FETCHES BPMU_FETCH_COUNTER

static struct bpmu_pmu pmu;
static struct bpmu_tagged tagged[BPMU_TAGGED_KINDS];
static const struct bpmu_bank_ops ops = { .busy_error = -EBUSY };
static struct bpmu_bank bank;
static u32 entry;
/* microseconds that were waited for, and after which a sample is taken */
static unsigned long waited, taken_after;

static u32 read_apic(u32 reg)
{
	return reg == 0x510 ? entry : 0;
}

static struct apic made_up = { .read = read_apic };
struct apic *apic = &made_up;

void udelay(unsigned long us)
{
	waited += us;
	if (waited != taken_after)
		return;
	put(0, OP_CTL, get(0, OP_CTL) & ~OP_VALID);
	put(0, FETCH_CTL, get(0, FETCH_CTL) & ~FETCH_VALID);
}

/* Begins with a session of both kinds on a CPU that has all of IBS. */
TEST_FIXTURE(setup)
{
	u32 msr;

	forget_registers();
	at_read = NULL;
	for (msr = FETCH_CTL; msr <= 0xc001103f; msr++)
		put(0, msr, 0);
	put(0, BPMU_MSR_IBS_CTL, 0x101);
	put(0, OP_CTL, 0x12);
	put(0, FETCH_CTL, 0x34);
	put(0, OP_CTL2, BPMU_IBS_OFF | 0x40);
	put(0, FETCH_CTL2, BPMU_IBS_OFF | 0x80);
	entry = APIC_DM_NMI;
	waited = 0;
	taken_after = 0;
	pmu = (struct bpmu_pmu){
		.ibs = BPMU_IBS_OPS | BPMU_IBS_FETCHES | BPMU_IBS_CTL2 | BPMU_IBS_FETCH_EXT,
	};
	bank = (struct bpmu_bank){ .ops = &ops, .pmu = &pmu, .tagged = tagged };
	bpmu_tagged_attach(tagged, true, true);
	return 0;
}

#define IBS(name) TEST_BETWEEN(name, setup, NULL)

/* Saves, and sets a period of 1000 ops and one of 320 fetches. */
static void prepare(void)
{
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	bpmu_tagged_begin(&bank);
	written[0] = '\0';
	bpmu_tagged_set(&bank, OPS, 0, 1000);
	bpmu_tagged_set(&bank, FETCHES, 0, 320);
}

IBS(obstacles_are_other_agents_and_the_apic)
{
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	put(0, OP_CTL, OP_ON);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	put(0, OP_CTL2, 0);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS);
	put(0, FETCH_CTL, FETCH_ON);
	put(0, FETCH_CTL2, 0x80);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS | BPMU_OBSTACLE_IBS_FETCH);
	pmu.ibs &= ~(u32)BPMU_IBS_FETCHES;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS);
	/* without second control registers the enable bit counts */
	pmu.ibs = BPMU_IBS_OPS;
	put(0, OP_CTL2, BPMU_IBS_OFF);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS);
	entry = APIC_DM_NMI | 1 << 12;
	put(0, OP_CTL, 0);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	entry = APIC_DM_NMI | 1 << 16;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS_LVT);
	entry = APIC_DM_NMI;
	put(0, BPMU_MSR_IBS_CTL, 1);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS_LVT);
	register_at(0, BPMU_MSR_IBS_CTL)->number = 0xdead;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS_LVT);
	/* a register that cannot be read tells nothing */
	put(0, BPMU_MSR_IBS_CTL, 0x101);
	put(0, OP_CTL, OP_ON);
	register_at(0, OP_CTL)->number = 0xdead;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	pmu.ibs = 0;
	entry = 0;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	wrote("");
}

IBS(a_sample_that_nobody_takes_is_no_agents)
{
	pmu.ibs = BPMU_IBS_OPS;
	put(0, OP_CTL, OP_ON | OP_VALID);
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	assert_int_equal(waited, 1000);
	waited = 0;
	taken_after = 1000;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), BPMU_OBSTACLE_IBS);
	assert_int_equal(waited, 1000);
	put(0, OP_CTL, OP_VALID);
	waited = 0;
	assert_int_equal(bpmu_tagged_obstacles(&pmu), 0);
	assert_int_equal(waited, 0);
}

IBS(registers_are_saved_proved_and_restored)
{
	static const u32 of_samples[] = {
		0xc0011030, 0xc0011031, 0xc0011033, 0xc0011034, 0xc0011036, 0xc0011038, OP_CTL2,
		FETCH_CTL2,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(of_samples); i++) {
		register_at(0, of_samples[i])->number = 0xdead;
		assert_int_equal(bpmu_tagged_save(&bank), -EIO);
		register_at(0, 0xdead)->number = of_samples[i];
	}
	written[0] = '\0';
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	wrote("c0011033=3e8 c001103e=40 c001103e=41 c0011033=12 "
	      "c0011030=3e8 c001103f=80 c001103f=81 c0011030=34 ");
	assert_int_equal(tagged[0].found, 0x12);
	assert_int_equal(tagged[0].ctl, 0x12);
	assert_int_equal(tagged[0].found2, 0x41);
	assert_int_equal(tagged[1].found2, 0x81);
	put(0, OP_CTL, OP_ON);
	put(0, OP_CTL2, 0x40);
	assert_int_equal(bpmu_tagged_save(&bank), -EBUSY);
	put(0, OP_CTL, 0);
	put(0, FETCH_CTL, FETCH_ON);
	put(0, FETCH_CTL2, 0x80);
	assert_int_equal(bpmu_tagged_save(&bank), -EBUSY);
	/* a hypervisor ignores writes */
	put(0, FETCH_CTL, 0);
	register_at(0, FETCH_CTL)->stuck = ~0ULL;
	assert_int_equal(bpmu_tagged_save(&bank), -EIO);
	register_at(0, FETCH_CTL)->stuck = 0;
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	put(0, OP_CTL2, BPMU_IBS_OFF);
	register_at(0, OP_CTL2)->stuck = ~0ULL;
	assert_int_equal(bpmu_tagged_save(&bank), -EIO);
	written[0] = '\0';
	/* a session without IBS leaves it alone */
	bpmu_tagged_attach(tagged, false, false);
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	bpmu_tagged_restore(&bank);
	bank.tagged = NULL;
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	wrote("");
}

IBS(periods_are_counted)
{
	prepare();
	/* 1000 ops are 1008 of which 8 are counted already, and 63 is 1008 / 16 */
	wrote("c0011033=80000003f c001103e=0 c0011030=14 c001103f=0 ");
	bpmu_tagged_start(&bank);
	wrote("c0011033=80002003f c0011030=1000000000014 ");
	assert_true(tagged[0].started);
	put(0, OP_CTL, 0x80002003fULL + (500ULL << 32));
	put(0, FETCH_CTL, 0x1000000050014ULL);
	assert_int_equal(bpmu_tagged_count(&bank, OPS, 1000), 500);
	assert_int_equal(bpmu_tagged_count(&bank, FETCHES, 320), 80);
	assert_int_equal(bpmu_tagged_found(&bank), 0);
	put(0, OP_CTL, 0x3f | OP_ON | OP_VALID);
	assert_int_equal(bpmu_tagged_found(&bank), BPMU_BIT(OPS));
	assert_int_equal(bpmu_tagged_count(&bank, OPS, 1000), 1000);
	put(0, FETCH_CTL, 0x14 | FETCH_ON | FETCH_VALID);
	assert_int_equal(bpmu_tagged_found(&bank), BPMU_BIT(OPS) | BPMU_BIT(FETCHES));
	/* the next period has filters, and begins when the interrupt ends */
	bpmu_tagged_set(&bank, OPS, BPMU_IBS_SEL_OPS | BPMU_IBS_SEL_STREAMS, 1600);
	bpmu_tagged_set(&bank, FETCHES, BPMU_IBS_SEL_RANDOM | 0x300, 32);
	wrote("c0011033=80064 c001103e=8 c0011030=200000000000002 c001103f=6 ");
	bpmu_tagged_go_on(&bank);
	wrote("c0011033=a0064 c0011030=201000000000002 ");
	/* the count of a period that has not ended goes on */
	bpmu_tagged_go_on(&bank);
	wrote("");
	put(0, OP_CTL, 0xb000a0064ULL);
	assert_int_equal(bpmu_tagged_hold(&bank), 2);
	bpmu_tagged_stop(&bank);
	wrote("c0011033=b00080064 c0011030=200000000000002 ");
	bpmu_tagged_go_on(&bank);
	wrote("");
	assert_false(bpmu_tagged_disturbed(&bank));
	bpmu_tagged_restore(&bank);
	wrote("c001103e=41 c0011033=12 c001103f=81 c0011030=34 ");
}

IBS(a_group_may_have_one_kind)
{
	assert_int_equal(bpmu_tagged_save(&bank), 0);
	bpmu_tagged_begin(&bank);
	bpmu_tagged_set(&bank, FETCHES, 0, 320);
	written[0] = '\0';
	bpmu_tagged_start(&bank);
	wrote("c0011030=1000000000014 ");
	put(0, OP_CTL, 0x12 | OP_VALID);
	assert_int_equal(bpmu_tagged_found(&bank), 0);
	assert_int_equal(bpmu_tagged_hold(&bank), 1);
	bpmu_tagged_stop(&bank);
	wrote("c0011030=14 ");
	/* another agent is known also if nobody has looked since it has written */
	put(0, FETCH_CTL, 0x99);
	bpmu_tagged_start(&bank);
	wrote("");
	assert_true(tagged[1].foreign);
	bpmu_tagged_attach(tagged, true, false);
	bpmu_tagged_begin(&bank);
	assert_int_equal(bpmu_tagged_hold(&bank), 0);
	wrote("");
}

IBS(cpus_without_second_registers_do_not_reach_them)
{
	pmu.ibs = BPMU_IBS_OPS | BPMU_IBS_FETCHES;
	register_at(0, OP_CTL2)->number = 0xdead;
	register_at(0, FETCH_CTL2)->number = 0xdead;
	prepare();
	wrote("c0011033=80000003f c0011030=14 ");
	bpmu_tagged_set(&bank, OPS, BPMU_IBS_SEL_STREAMS, 1600);
	bpmu_tagged_restore(&bank);
	wrote("c0011033=64 c0011033=12 c0011030=34 ");
}

IBS(another_agents_registers_are_left_alone)
{
	prepare();
	bpmu_tagged_start(&bank);
	put(0, FETCH_CTL, 0x99 | FETCH_ON | FETCH_VALID);
	written[0] = '\0';
	assert_int_equal(bpmu_tagged_found(&bank), 0);
	assert_true(tagged[1].foreign);
	assert_false(tagged[0].foreign);
	assert_true(bpmu_tagged_disturbed(&bank));
	bpmu_tagged_set(&bank, FETCHES, 0, 32);
	bpmu_tagged_start(&bank);
	bpmu_tagged_go_on(&bank);
	wrote("c0011033=80002003f ");
	bpmu_tagged_stop(&bank);
	bpmu_tagged_restore(&bank);
	wrote("c0011033=80000003f c001103e=41 c0011033=12 ");
	bpmu_tagged_attach(tagged, true, false);
	assert_false(bpmu_tagged_disturbed(&bank));
	/* it is known at once if it samples before the first period */
	bpmu_tagged_attach(tagged, false, true);
	bpmu_tagged_begin(&bank);
	assert_false(tagged[1].foreign);
	put(0, FETCH_CTL, 0x99 | FETCH_ON);
	bpmu_tagged_begin(&bank);
	assert_true(tagged[1].foreign);
	assert_int_equal(tagged[1].ctl2, 0);
	put(0, FETCH_CTL2, BPMU_IBS_OFF);
	bpmu_tagged_begin(&bank);
	assert_false(tagged[1].foreign);
	assert_int_equal(tagged[1].ctl2, BPMU_IBS_OFF);
}

/* An NMI that takes a sample of ops while the register is read, once. */
static void take_sample(u32 msr)
{
	if (msr != OP_CTL)
		return;
	at_read = NULL;
	bpmu_tagged_set(&bank, OPS, 0, 1600);
}

IBS(an_nmi_between_does_not_look_like_another_agent)
{
	prepare();
	bpmu_tagged_start(&bank);
	at_read = take_sample;
	assert_int_equal(bpmu_tagged_count(&bank, OPS, 1000), 0);
	assert_false(tagged[0].foreign);
	assert_null(at_read);
	assert_int_equal(tagged[0].times, 2);
	written[0] = '\0';
	bpmu_tagged_hold(&bank);
	bpmu_tagged_stop(&bank);
	wrote("c0011033=64 c0011030=14 ");
	/* the period that an NMI sets while the count is stopped stays */
	at_read = take_sample;
	put(0, OP_CTL, 0x500000064ULL | OP_ON);
	bpmu_tagged_stop(&bank);
	wrote("c0011033=64 c0011033=64 c0011033=64 c0011030=14 ");
}

IBS(samples_are_read_as_they_are)
{
	struct bpmu_ibs_sample op;
	struct bpmu_ibs_fetch fetch;
	u32 i;

	for (i = 0; i < 9; i++)
		put(0, 0xc0011030 + i, 0x70 + i);
	put(0, 0xc001103c, 0x7c);
	bpmu_tagged_read(&op);
	assert_int_equal(op.rip, 0x74);
	assert_int_equal(op.data, 0x75);
	assert_int_equal(op.data2, 0x76);
	assert_int_equal(op.data3, 0x77);
	assert_int_equal(op.linear, 0x78);
	bpmu_tagged_read_fetch(pmu.ibs, &fetch);
	assert_int_equal(fetch.ctl, 0x70);
	assert_int_equal(fetch.linear, 0x71);
	assert_int_equal(fetch.ext, 0x7c);
	bpmu_tagged_read_fetch(0, &fetch);
	assert_int_equal(fetch.ext, 0);
	wrote("");
}
