// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the plugin's entry point, and of what it adds to the blocks that QEMU translates. The
 * level of instrumentation never falls: the tests are in the order of the levels.
 */
#include "qemu.h"

#include "machine/regs.h"

/* MSR addresses: SDM Vol. 4, table 2-2 */
#define SELECT 0x186
#define GLOBAL_CTRL 0x38f
#define MAGIC 0x42504d55

#define IN_KERNEL 0xffffffff81000000
#define IN_USER 0x401000

extern int qemu_plugin_version;

static struct vpmu_cpu *cpu;
static struct vpmu_score *score;

static void boot(const struct vpmu_part *part, unsigned int cpus, unsigned int threads)
{
	qemu_boot(part, cpus, threads);
	cpu = vpmu_cpus;
	score = cpu->score;
}

static void regs(uint64_t rax, uint64_t rcx, uint64_t rdx)
{
	machine_regs[VPMU_RAX] = rax;
	machine_regs[VPMU_RCX] = rcx;
	machine_regs[VPMU_RDX] = rdx;
}

static uint64_t exact(enum vpmu_exact what, unsigned int priv)
{
	return score->exact[what][priv];
}

TEST(an_unknown_option_is_refused)
{
	char *options[] = { "part=zen4", "nonsense=1" };
	char *values[] = { "part=nonsense" };

	assert_int_equal(qemu_load(2, options), -1);
	assert_int_equal(qemu_load(1, values), -1);
	assert_int_equal(qemu_load(1, options), 0);
	assert_ptr_equal(vpmu_options.part, &vpmu_zen4);
	assert_int_equal(qemu_load(0, NULL), 0);
	assert_ptr_equal(vpmu_options.part, &vpmu_ivb);
	assert_int_equal(qemu_plugin_version, 7);
}

/* Each vCPU begins as at power on. The windows are those of three loads, AMD's LVT that of one. */
TEST(vcpus_begin_as_at_power_on)
{
	static const struct { const char *name; uint64_t base, size; } windows[] = {
		{ "LVT performance entry", 0xfee00340, 16 }, { "extended LVT", 0xfee00500, 64 },
		{ "LVT performance entry", 0xfee00340, 16 },
	};
	unsigned int i;

	boot(&vpmu_adl, 0, 1);
	vpmu_options.ecores = 1;
	vpmu_options.top = 16;
	vpmu_options.ideal.l1d = true;
	qemu_plug(2);
	cpu = vpmu_cpus + 1;
	assert_int_equal(cpu->index, 1);
	assert_int_equal(vpmu_cpus[0].index, 0);
	assert_ptr_equal(vpmu_cpus[0].part, &vpmu_adl);
	assert_ptr_equal(cpu->part, vpmu_adl.other);
	assert_ptr_equal(cpu->core->params, vpmu_adl.other->core);
	assert_ptr_equal(cpu->core->ideal, &vpmu_options.ideal);
	assert_ptr_not_equal(cpu->score, vpmu_cpus[0].score);
	assert_false(cpu->core->shares);
	assert_int_equal(cpu->gp[0].value, VPMU_BIT(48) - 16);
	assert_int_equal(cpu->fixed[0].value, VPMU_BIT(48) - 16);
	assert_int_equal(cpu->pmi.lvt, 0x10000);
	assert_int_equal(cpu->lbr.depth, 32);
	assert_int_equal(qemu.nr_regions, 3);
	for (i = 0; i < 3; i++) {
		assert_string_equal(qemu.region[i].name, windows[i].name);
		assert_int_equal(qemu.region[i].base, windows[i].base);
		assert_int_equal(qemu.region[i].size, windows[i].size);
		/* before QEMU's own local APIC */
		assert_true(qemu.region[i].priority > 0x1000);
	}
	boot(&vpmu_zen4, 1, 1);
	assert_int_equal(cpu->ibs.lvt[0], 0x10000);
	assert_int_equal(cpu->ibs.random, 1);
	assert_ptr_equal(cpu->core->fetches.data, cpu);
}

/* Only threads of AMD's Zen 4 and 5 take slots from each other, if the machine has two per core. */
TEST(siblings_share_a_core)
{
	boot(&vpmu_zen4, 4, 2);
	assert_true(vpmu_cpus[0].core->shares);
	assert_int_equal(vpmu_cpus[0].core->sibling, 1);
	assert_int_equal(vpmu_cpus[3].core->sibling, 2);
	boot(&vpmu_zen4, 2, 1);
	assert_false(vpmu_cpus[0].core->shares);
}

/* While nothing is counted, blocks have callbacks for the plugin's instructions alone. */
TEST(blocks_without_counters_have_no_callbacks)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(IN_USER, "90 8b03 7400 f3a4 f0480fb10f f390 0f31 c3");
	assert_int_equal(tb->insn[0].nr, 0);
	assert_int_equal(tb->insn[1].nr, 0);
	assert_int_equal(tb->insn[3].nr, 0);
	assert_int_equal(tb->insn[4].nr, 0);
	assert_int_equal(tb->insn[5].nr, 1);
	assert_int_equal(tb->insn[6].nr, 0);
	assert_int_equal(tb->insn[7].nr, 0);
	assert_int_equal(qemu_run(0, tb), 8);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 0);
	assert_int_equal(score->last_pc, 0);
	assert_int_equal(score->block_pc, 0);
}

TEST(a_pause_sleeps_as_long_as_the_guest_wants)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(IN_USER, "f390 90");
	qemu_run(0, tb);
	assert_int_equal(qemu.slept, 0);
	regs(MAGIC, 4, 0);
	machine_regs[VPMU_RBX] = 70;
	assert_int_equal(qemu_once(0, IN_USER, "0fa2 90"), 2);
	assert_int_equal(qemu.slept, 0);
	qemu_run(0, tb);
	qemu_run(0, tb);
	assert_int_equal(qemu.slept, 140);
	/* The other function sleeps at once, and only then. */
	regs(MAGIC, 3, 0);
	machine_regs[VPMU_RBX] = 1000;
	qemu_once(0, IN_USER, "0fa2 90");
	assert_int_equal(qemu.slept, 1140);
	regs(MAGIC, 4, 0);
	machine_regs[VPMU_RBX] = 0;
	qemu_once(0, IN_USER, "0fa2 90");
	qemu_run(0, tb);
	assert_int_equal(qemu.slept, 1140);
}

/*
 * In the middle of a block QEMU executes CPUID, too, and its results are replaced before the next
 * instruction. At the end of a block there is none: the vCPU leaves the block.
 */
TEST(results_are_replaced_before_the_next_instruction)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(IN_USER, "90 0fa2 90");
	assert_int_equal(tb->insn[0].nr, 0);
	assert_int_equal(tb->insn[1].nr, 1);
	assert_int_equal(tb->insn[2].nr, 1);
	regs(0xa, 0, 0);
	assert_int_equal(qemu_run(0, tb), 3);
	assert_int_equal(machine_regs[VPMU_RAX], 0x07300803);
	assert_int_equal(machine_regs[VPMU_RDX], 0x603);
	/* QEMU executes the other leaves alone. */
	regs(0, 0, 0);
	assert_int_equal(qemu_run(0, tb), 3);
	assert_int_equal(machine_regs[VPMU_RAX], 0);
	tb = qemu_translate(IN_USER + 0x10, "90 0fa2");
	regs(0xa, 0, 0);
	assert_int_equal(qemu_run(0, tb), 1);
	assert_int_equal(machine_regs[VPMU_RAX], 0x07300803);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 0x13);
	regs(0, 0, 0);
	assert_int_equal(qemu_run(0, tb), 2);
	/* QEMU uses the block for all virtual addresses of the page. */
	regs(0xa, 0, 0);
	assert_int_equal(qemu_run_at(0, tb, 0x7f0000005010), 1);
	assert_int_equal(machine_regs[VPMU_RIP], 0x7f0000005013);
	/* RDPMC is an invalid opcode in QEMU. */
	regs(1, 0, 1);
	assert_int_equal(qemu_once(0, IN_USER, "90 0f33 90"), 1);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 3);
	assert_int_equal(machine_regs[VPMU_RAX], 0);
	assert_int_equal(machine_regs[VPMU_RDX], 0);
	/* There is no such counter. */
	regs(1, 9, 1);
	assert_int_equal(qemu_once(0, IN_USER, "90 0f33 90"), 3);
	assert_int_equal(machine_regs[VPMU_RAX], 1);
}

/* With fault= the handler of #GP has RCX as it was: each block corrects what the one before left. */
TEST(a_fault_is_amended_in_its_handler)
{
	boot(&vpmu_ivb, 1, 1);
	vpmu_options.faults[0] = SELECT;
	vpmu_options.nr_faults = 1;
	regs(1, SELECT, 2);
	assert_int_equal(qemu_once(0, IN_KERNEL, "0f32"), 1);
	assert_int_equal(machine_regs[VPMU_RCX], 0x803);
	assert_int_equal(qemu_once(0, IN_KERNEL + 0x40, "90 90"), 2);
	assert_int_equal(machine_regs[VPMU_RCX], SELECT);
	assert_int_equal(qemu_translate(IN_KERNEL, "90 90")->insn[0].nr, 1);
	assert_int_equal(qemu_translate(IN_KERNEL, "90 90")->insn[1].nr, 0);
	vpmu_options.nr_faults = 0;
	assert_int_equal(qemu_translate(IN_KERNEL, "90 90")->insn[0].nr, 0);
}

/* The second reset is a power loss, after which the TSC begins at 0, as long as it is read. */
TEST(a_second_reset_discards_all_blocks)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(0xfffffff0, "ea5be000f0");
	qemu_run(0, tb);
	assert_false(qemu.flush_due);
	cpu->select[0] = 7;
	qemu_run(0, tb);
	assert_true(qemu.flush_due);
	assert_int_equal(cpu->select[0], 0);
	qemu_flush();
	assert_int_equal(qemu_translate(0xfffffff0 + 5, "90")->insn[0].nr, 1);

	tb = qemu_translate(IN_KERNEL, "90 0f31 90");
	regs(0x100, 0, 1);
	qemu_run(0, tb);
	assert_int_equal(machine_regs[VPMU_RAX], 0);
	assert_int_equal(machine_regs[VPMU_RDX], 0);
	assert_int_equal(score->tsc_read, 0);
	/* At the end of a block the first instruction of the next one corrects the result. */
	regs(0x105, 0, 1);
	qemu_once(0, IN_KERNEL, "90 0f31");
	assert_int_equal(machine_regs[VPMU_RAX], 0x105);
	assert_int_equal(score->tsc_read, 1);
	qemu_once(0, IN_USER, "90");
	assert_int_equal(machine_regs[VPMU_RAX], 5);
	/* A value that is no TSC stays. */
	qemu_once(0, IN_USER, "90 0f32 90");
	qemu_run(0, qemu_translate(IN_USER, "90 90"));
	assert_int_equal(machine_regs[VPMU_RAX], 5);
}

/*
 * A write that enables a counter discards the blocks. Until QEMU has done so, the next special
 * instruction waits: the vCPU goes on at it, not behind it.
 */
TEST(special_instructions_wait_for_the_level)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(IN_KERNEL, "90 0f30 90");
	regs(0x4300c0, SELECT, 0);
	assert_int_equal(qemu_run(0, tb), 3);
	assert_false(qemu.flush_due);
	regs(1, GLOBAL_CTRL, 0);
	qemu_run(0, tb);
	assert_true(qemu.flush_due);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_EXACT);
	assert_true(vpmu_level_coming());
	regs(0, GLOBAL_CTRL, 0);
	assert_int_equal(qemu_run(0, tb), 1);
	assert_int_equal(machine_regs[VPMU_RIP], IN_KERNEL + 1);
	assert_int_equal(cpu->global_ctrl, 1);
	/* The instruction has not been counted. */
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 0);
	qemu_flush();
	assert_false(vpmu_level_coming());
	tb = qemu_translate(IN_KERNEL, "90 0f30 90");
	assert_int_equal(qemu_run(0, tb), 3);
	assert_int_equal(cpu->global_ctrl, 0);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 3);
}

static struct qemu_plugin_tb *accessing(uint64_t pc, const char *code, unsigned int nr)
{
	struct qemu_plugin_tb *tb = qemu_translate(pc, code);
	struct qemu_plugin_insn *insn = &tb->insn[nr];

	insn->access[0] = (struct qemu_plugin_hwaddr){ .va = 0x7fff1238, .pa = 0x5238, .shift = 3 };
	insn->access[1] = insn->access[0];
	insn->access[1].store = true;
	insn->nr_accesses = 2;
	return tb;
}

TEST(instructions_are_counted_by_type_and_privilege)
{
	static const struct { const char *code; enum vpmu_exact what; } types[] = {
		{ "7400", VPMU_BR_CONDITIONAL }, { "e800000000", VPMU_BR_CALL },
		{ "c3", VPMU_BR_RETURN }, { "eb00", VPMU_BR_OTHER }, { "0f05", VPMU_BR_FAR },
		{ "f0480fb10f", VPMU_ATOMICS },
	};
	unsigned int i;

	boot(&vpmu_ivb, 2, 1);
	assert_int_equal(qemu_once(1, IN_USER, "90 90 8b03"), 3);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 0);
	score = vpmu_cpus[1].score;
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 3);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 0);
	assert_int_equal(score->last_pc, IN_USER + 2);
	assert_int_equal(score->block_pc, IN_USER);
	for (i = 0; i < sizeof(types) / sizeof(*types); i++) {
		qemu_once(1, IN_KERNEL, types[i].code);
		qemu_once(1, IN_USER, types[i].code);
		qemu_once(1, IN_USER, types[i].code);
		assert_int_equal(exact(types[i].what, KERNEL), 1);
		assert_int_equal(exact(types[i].what, USER), 2);
		assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), i + 1);
	}
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		assert_int_equal(exact(types[i].what, USER), 2);
	assert_int_equal(exact(VPMU_LOADS, USER), 0);
	assert_int_equal(exact(VPMU_STORES, USER), 0);
	qemu_run(1, accessing(IN_USER, "90 480103", 1));
	assert_int_equal(exact(VPMU_LOADS, USER), 1);
	assert_int_equal(exact(VPMU_STORES, USER), 1);
	assert_int_equal(exact(VPMU_LOADS, KERNEL), 0);
	/* The core is not simulated at this level. */
	assert_int_equal(vpmu_cpus[1].fed, 0);
}

/* QEMU executes a string instruction once per iteration; it retires once. */
TEST(an_iteration_is_no_instruction)
{
	const struct qemu_plugin_tb *rep, *nop;

	boot(&vpmu_ivb, 1, 1);
	rep = qemu_translate(IN_USER, "f3a4");
	nop = qemu_translate(IN_USER + 2, "90");
	qemu_run(0, rep);
	qemu_run(0, rep);
	qemu_run(0, rep);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 1);
	qemu_run(0, nop);
	qemu_run(0, nop);
	qemu_run(0, rep);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 4);
	qemu_once(0, IN_KERNEL, "f3a4");
	qemu_once(0, IN_KERNEL, "f3a4");
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 1);
	/* Without REP each is an instruction. */
	qemu_once(0, IN_KERNEL, "a4");
	qemu_once(0, IN_KERNEL, "a4");
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 3);
}

/* An instruction that faults in its block does not retire; one before a fetch that faults does. */
TEST(a_faulting_instruction_does_not_retire)
{
	boot(&vpmu_ivb, 1, 1);
	qemu_once(0, IN_USER + 8, "90 8b03");
	/* at another virtual address of the same block */
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, 0x7f0000000008);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 1);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 0);
	assert_int_equal(cpu->interrupts[USER], 1);
	assert_int_equal(score->last_pc, 0);
	/* Nothing has been executed since. */
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, IN_USER + 8);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 1);
	qemu_once(0, IN_USER + 8, "90 8b03");
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, IN_USER + 0x1000);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 3);
	qemu_once(0, IN_KERNEL, "90 8b03");
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, IN_KERNEL);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 1);
	assert_int_equal(cpu->interrupts[KERNEL], 1);
	/* The instruction after the fault is no iteration of the one before. */
	qemu_once(0, IN_USER, "f3a4");
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, IN_USER);
	qemu_once(0, IN_USER, "f3a4");
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 4);
	/* An interrupt takes nothing back. */
	qemu_discon(0, QEMU_PLUGIN_DISCON_INTERRUPT, IN_USER);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 4);
	assert_int_equal(cpu->interrupts[USER], 5);
	assert_int_equal(score->last_pc, IN_USER);
}

TEST(the_least_counts_instructions_alone)
{
	boot(&vpmu_ivb, 1, 1);
	vpmu_options.least = true;
	qemu_run(0, accessing(IN_USER, "7400 f0480fb10f", 1));
	qemu_once(0, IN_USER, "f3a4");
	qemu_once(0, IN_USER, "f3a4");
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 4);
	assert_int_equal(exact(VPMU_BR_CONDITIONAL, USER), 0);
	assert_int_equal(exact(VPMU_ATOMICS, USER), 0);
	assert_int_equal(exact(VPMU_LOADS, USER), 0);
	assert_int_equal(exact(VPMU_STORES, USER), 0);
	assert_int_equal(score->last_pc, 0);
	assert_int_equal(score->block_pc, 0);
}

/* An event of the core model: cycles. A special instruction that waits is counted once, later. */
TEST(a_waiting_instruction_is_counted_later)
{
	const struct qemu_plugin_tb *tb, *user;

	boot(&vpmu_ivb, 1, 1);
	qemu_wrmsr(0, SELECT, 0x43003c);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_EXACT);
	tb = qemu_translate(IN_KERNEL, "90 0f30");
	user = qemu_translate(IN_USER, "90 0f33");
	regs(1, GLOBAL_CTRL, 0);
	qemu_run(0, tb);
	assert_true(vpmu_level_coming());
	score->exact[VPMU_INSTRUCTIONS][KERNEL] = 10;
	assert_int_equal(qemu_run(0, tb), 1);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 11);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 0);
	assert_int_equal(qemu_run(0, user), 1);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 1);
	assert_int_equal(exact(VPMU_INSTRUCTIONS, USER), 1);
	/* Results cannot wait for the next instruction of a block that is discarded. */
	vpmu_level_came();
	tb = qemu_translate(IN_KERNEL, "90 0fa2 90");
	regs(0xa, 0, 0);
	assert_int_equal(qemu_run(0, tb), 3);
	qemu_flush();
	assert_int_equal(vpmu_level(), VPMU_LEVEL_MODEL);
}

/* The step of the trace that the core has recorded last. */
static struct vcore_step *last_step(void)
{
	return vcore_step(&cpu->core->trace, cpu->core->trace.end);
}

static void simulate(bool on)
{
	score->model_on = on ? VPMU_FOR_CORE : 0;
}

TEST(the_core_is_fed_while_it_is_simulated)
{
	struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	tb = accessing(IN_USER, "90 480103", 1);
	qemu_run(0, tb);
	assert_int_equal(cpu->core->trace.end, 0);
	assert_false(cpu->core->open);
	assert_int_equal(score->paced, 0);
	simulate(true);
	qemu_run(0, tb);
	assert_int_equal(cpu->fed, 2);
	assert_int_equal(score->paced, 1);
	assert_int_equal(cpu->core->trace.end, 1);
	assert_int_equal(last_step()->pc, IN_USER + 1);
	assert_int_equal(last_step()->insn->pa, IN_USER + 1);
	assert_int_equal(last_step()->insn->size, 3);
	assert_int_equal(last_step()->nr_accesses, 2);
	assert_int_equal(last_step()->access[0].va, 0x7fff1238);
	assert_int_equal(last_step()->access[0].pa, 0x5238);
	assert_int_equal(last_step()->access[0].size, 8);
	assert_false(last_step()->access[0].store);
	assert_false(last_step()->access[0].device);
	assert_true(last_step()->access[1].store);
	tb->insn[1].access[0].memory = QEMU_DEVICE;
	tb->insn[1].access[1].memory = QEMU_UNMAPPED;
	qemu_run(0, tb);
	assert_true(last_step()->access[0].device);
	assert_int_equal(last_step()->access[0].pa, 0x5238);
	assert_true(last_step()->access[1].device);
	assert_int_equal(last_step()->access[1].pa, ~0ull >> 8);
	/* An access of an instruction that is not simulated is none of the one before. */
	simulate(false);
	qemu_run(0, tb);
	assert_int_equal(last_step()->nr_accesses, 2);
	assert_int_equal(cpu->fed, 4);
	/* Code that is not mapped has an address that no other code has. */
	simulate(true);
	qemu_once(0, 1ull << 40, "90");
	assert_int_equal(last_step()->insn->pa, ~0ull >> 8);
}

/* QEMU makes no access for a prefetch: its address is that which the registers have. */
TEST(a_prefetch_accesses_what_its_registers_say)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	simulate(true);
	machine_regs[VPMU_RBX] = 0x100000;
	machine_regs[VPMU_RCX] = 0x30;
	tb = qemu_translate(IN_USER, "0f184c8b40");
	qemu_run(0, tb);
	assert_int_equal(last_step()->nr_accesses, 1);
	assert_int_equal(last_step()->access[0].va, 0x100000 + 4 * 0x30 + 0x40);
	assert_int_equal(last_step()->access[0].pa, 0x100000 + 4 * 0x30 + 0x40);
	assert_int_equal(last_step()->access[0].size, 1);
	assert_false(last_step()->access[0].store);
	qemu_once(0, IN_USER, "0f180c2500300000");
	assert_int_equal(last_step()->access[0].va, 0x3000);
	/* A prefetch of what is not mapped does nothing, and so does one that is not simulated. */
	machine_regs[VPMU_RBX] = 1ull << 40;
	machine_regs[VPMU_RCX] = 0;
	qemu_run(0, tb);
	assert_int_equal(last_step()->nr_accesses, 0);
	machine_regs[VPMU_RBX] = 0x100000;
	simulate(false);
	qemu_run(0, tb);
	assert_int_equal(last_step()->nr_accesses, 0);
	/* A load is none. */
	simulate(true);
	qemu_once(0, IN_USER, "8b03");
	assert_int_equal(last_step()->nr_accesses, 0);
}

/* A product of a denormal number needs an assist, unless MXCSR says that it is 0 (DAZ). */
TEST(products_of_denormals_need_assists)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	vpmu_options.denormals = true;
	simulate(true);
	tb = qemu_translate(IN_USER, "f20f59ca");
	machine_regs[VPMU_MXCSR] = 0x1f80;
	machine_regs[VPMU_XMM0 + 1] = 0x3ff0000000000000;
	machine_regs[VPMU_XMM0 + 2] = 0x4000000000000000;
	qemu_run(0, tb);
	assert_false(last_step()->assist);
	machine_regs[VPMU_XMM0 + 2] = 1;
	qemu_run(0, tb);
	assert_true(last_step()->assist);
	machine_regs[VPMU_XMM0 + 2] = 0x4000000000000000;
	machine_regs[VPMU_XMM0 + 1] = 1;
	qemu_run(0, tb);
	assert_true(last_step()->assist);
	machine_regs[VPMU_MXCSR] = 0x1fc0;
	qemu_run(0, tb);
	assert_false(last_step()->assist);
	machine_regs[VPMU_MXCSR] = 0x1f80;
	qemu_once(0, IN_USER, "90");
	assert_false(last_step()->assist);
	simulate(false);
	qemu_run(0, tb);
	assert_false(last_step()->assist);
	simulate(true);
	vpmu_options.denormals = false;
	qemu_once(0, IN_USER, "f20f59ca");
	assert_false(last_step()->assist);
}

/* The simulation goes on for 3000 instructions after it was last needed. */
TEST(the_core_lingers)
{
	const struct qemu_plugin_tb *tb;
	unsigned int i;

	boot(&vpmu_ivb, 1, 1);
	tb = qemu_translate(IN_USER, "90");
	score->model_on = VPMU_FOR_CORE | VPMU_LINGERS;
	qemu_run(0, tb);
	assert_int_equal(cpu->lingering, 0);
	score->model_on = VPMU_LINGERS;
	for (i = 0; i < 1500; i++)
		qemu_run(0, tb);
	assert_int_equal(cpu->lingering, 1500);
	score->model_on |= VPMU_FOR_REGION;
	qemu_run(0, tb);
	score->model_on = VPMU_LINGERS;
	for (i = 0; i < VPMU_PAUSE; i++)
		qemu_run(0, tb);
	assert_int_equal(score->model_on, VPMU_LINGERS);
	assert_true(cpu->core->open);
	qemu_run(0, tb);
	assert_int_equal(score->model_on, 0);
	assert_false(cpu->core->open);
	assert_int_equal(cpu->core->trace.end, VPMU_PAUSE + 1503);
	qemu_run(0, tb);
	assert_int_equal(cpu->core->trace.end, VPMU_PAUSE + 1503);
}

/* With model=user the kernel is not simulated, and the core halts when the vCPU enters it. */
TEST(the_kernel_is_not_simulated_with_model_user)
{
	const struct qemu_plugin_tb *user, *kernel;

	boot(&vpmu_ivb, 1, 1);
	simulate(true);
	qemu_once(0, IN_KERNEL, "90");
	assert_int_equal(score->paced, 1);
	assert_int_equal(cpu->fed, 1);
	vpmu_options.user_model = true;
	user = qemu_translate(IN_USER, "90 90");
	kernel = qemu_translate(IN_KERNEL, "90 90");
	qemu_run(0, user);
	assert_int_equal(cpu->fed, 3);
	assert_true(cpu->core->open);
	assert_int_equal(score->paced, 1);
	qemu_run(0, kernel);
	assert_int_equal(cpu->fed, 3);
	assert_false(cpu->core->open);
	assert_int_equal(score->paced, 0);
	/* A core that has halted is not halted again. */
	cpu->core->open = true;
	qemu_run(0, kernel);
	assert_true(cpu->core->open);
	cpu->core->open = false;
	assert_int_equal(exact(VPMU_INSTRUCTIONS, KERNEL), 5);
}

/* A process may have the block elsewhere: the core is told by how much. */
TEST(code_is_simulated_where_the_process_has_it)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	simulate(true);
	tb = qemu_translate(IN_USER + 0x20, "90 90");
	qemu_run_at(0, tb, 0x7f0000005020);
	assert_int_equal(cpu->core->moved, 0x7f0000005000 - IN_USER);
	assert_int_equal(last_step()->pc, 0x7f0000005021);
	qemu_run(0, tb);
	assert_int_equal(cpu->core->moved, 0);
	qemu_run_at(0, tb, 0x7f0000005020);
	simulate(false);
	qemu_run(0, tb);
	assert_int_equal(cpu->core->moved, 0x7f0000005000 - IN_USER);
	/* The kernel has its code at one address. */
	simulate(true);
	qemu_once(0, IN_KERNEL, "90");
	assert_int_equal(cpu->core->moved, 0x7f0000005000 - IN_USER);
}

/* While branches are recorded the core learns where an interrupt or a fault has come. */
TEST(an_interrupt_ends_a_branch_that_is_recorded)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb, 1, 1);
	simulate(true);
	tb = qemu_translate(IN_USER, "eb10");
	qemu_run_at(0, tb, 0x7f0000005000);
	qemu_discon(0, QEMU_PLUGIN_DISCON_INTERRUPT, 0x7f0000005012);
	assert_true(cpu->core->open);
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, 0x7f0000005000);
	assert_true(cpu->core->open);
	cpu->pmi.debugctl = 1;
	qemu_run_at(0, tb, 0x7f0000005000);
	qemu_discon(0, QEMU_PLUGIN_DISCON_INTERRUPT, 0x7f0000005012);
	assert_false(cpu->core->open);
	cpu->core->trace.end--;
	assert_int_equal(last_step()->next_pc, IN_USER + 0x12);
	assert_int_equal(last_step()->to, 0x7f0000005012);
	assert_false(last_step()->interrupted);
	cpu->core->trace.end++;
	/* It faults: it leads nowhere. */
	qemu_run_at(0, tb, 0x7f0000005000);
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, 0x7f0000005000);
	assert_false(cpu->core->open);
	cpu->core->trace.end--;
	assert_true(last_step()->interrupted);
	cpu->core->trace.end++;
	/* The fetch behind it faults. */
	qemu_run_at(0, tb, 0x7f0000005000);
	qemu_discon(0, QEMU_PLUGIN_DISCON_EXCEPTION, 0x7f0000005012);
	cpu->core->trace.end--;
	assert_int_equal(last_step()->to, 0x7f0000005012);
	assert_false(last_step()->interrupted);
	cpu->core->trace.end++;
	qemu_once(0, IN_KERNEL, "eb10");
	qemu_discon(0, QEMU_PLUGIN_DISCON_INTERRUPT, IN_KERNEL + 0x12);
	cpu->core->trace.end--;
	assert_int_equal(last_step()->next_pc, IN_KERNEL + 0x12);
	assert_false(last_step()->interrupted);
	cpu->core->trace.end++;
}

TEST(an_idle_core_halts)
{
	boot(&vpmu_ivb, 1, 1);
	simulate(true);
	qemu_once(0, IN_KERNEL, "90 90");
	qemu_idle(0);
	assert_false(cpu->core->open);
	assert_int_equal(cpu->core->trace.end, 2);
	assert_int_equal(cpu->core->trace.retired, 2);
	qemu_resume(0);
	qemu_once(0, IN_KERNEL, "90");
	assert_true(cpu->core->open);
}

/* Devices: the registers of a local APIC are those of the vCPU that accesses them. */
TEST(windows_are_of_the_calling_vcpu)
{
	const struct qemu_region *lvt, *extended;
	unsigned int i;

	boot(&vpmu_zen4, 2, 1);
	lvt = &qemu.region[0];
	extended = &qemu.region[1];
	assert_int_equal(qemu.nr_regions, 3);
	assert_int_equal(lvt->ops->endianness, QEMU_LITTLE_ENDIAN);
	assert_int_equal(lvt->ops->valid.min_access_size, 1);
	assert_int_equal(lvt->ops->valid.max_access_size, 8);
	assert_int_equal(lvt->ops->impl.min_access_size, 1);
	assert_int_equal(lvt->ops->impl.max_access_size, 8);
	lvt->ops->write(lvt->data, 0, 0x400, 4);
	assert_int_equal(vpmu_cpus[1].pmi.lvt, 0x400);
	assert_int_equal(vpmu_cpus[0].pmi.lvt, 0x10000);
	assert_int_equal(lvt->ops->read(lvt->data, 0, 4), 0x400);
	/* Other registers and sizes do not exist. */
	lvt->ops->write(lvt->data, 4, 0x10400, 4);
	lvt->ops->write(lvt->data, 0, 0x10400, 8);
	lvt->ops->write(lvt->data, 0, 0x10400, 2);
	assert_int_equal(lvt->ops->read(lvt->data, 0, 4), 0x400);
	assert_int_equal(lvt->ops->read(lvt->data, 4, 4), 0);
	for (i = 0; i < VPMU_IBS_LVTS; i++)
		extended->ops->write(extended->data, 16 * i, 0x400 + i, 4);
	extended->ops->write(extended->data, 4, 0x500, 4);
	extended->ops->write(extended->data, 0, 0x500, 8);
	for (i = 0; i < VPMU_IBS_LVTS; i++) {
		assert_int_equal(vpmu_cpus[1].ibs.lvt[i], 0x400 + i);
		assert_int_equal(extended->ops->read(extended->data, 16 * i, 4), 0x400 + i);
		assert_int_equal(extended->ops->read(extended->data, 16 * i + 4, 4), 0);
		assert_int_equal(vpmu_cpus[0].ibs.lvt[i], 0x10000);
	}
	/* A test may let the vCPU ignore a value. */
	vpmu_cpus[1].ignored = 0x4ff;
	lvt->ops->write(lvt->data, 0, 0x4ff, 4);
	assert_int_equal(vpmu_cpus[1].pmi.lvt, 0x400);
}

TEST_GROUP(NULL, machine_free);
