// SPDX-License-Identifier: GPL-2.0
/*
 * Entry point of the plugin, its callbacks, and the instrumentation of the code that QEMU
 * translates.
 *
 *   -plugin barepmu-vpmu.so[,OPTION]...      options: see arguments.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "box/boxes.h"
#include "box/config.h"
#include "clock.h"
#include "counter/counter.h"
#include "counter/fetches.h"
#include "counter/ibs.h"
#include "counter/lbr.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "decode/decode.h"
#include "event/erratum.h"
#include "event/uncounted.h"
#include "feed.h"
#include "interrupt.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/regs.h"
#include "machine/topology.h"
#include "mmio.h"
#include "part/parts.h"
#include "power.h"
#include "special.h"
#include "spin.h"
#include "truth/truth.h"
#include "tsc.h"

#define EXPORT __attribute__((visibility("default")))

#define PAGE_MASK (~0xfffULL)

EXPORT int qemu_plugin_version = QEMU_PLUGIN_API;

static uint64_t self;
static struct qemu_plugin_scoreboard *scores;

static void vcpu_init(unsigned int vcpu, void *data)
{
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);

	if (vcpu >= VPMU_MAX_CPUS) {
		fprintf(stderr, "virtual PMU: at most %d vCPUs\n",
			VPMU_MAX_CPUS);
		exit(1);
	}
	vpmu_regs_init();
	cpu->index = vcpu;
	cpu->part = vpmu_part_of(vcpu);
	cpu->score = qemu_plugin_scoreboard_find(scores, vcpu);
	cpu->core = vcore_new(cpu->part->core, &vpmu_options.ideal, vcpu);
	if (!cpu->core)
		abort();
	/* The sibling thread may not exist in QEMU yet, so its number is computed: vcpu ^ 1. */
	if (vpmu_threads() == 2)
		vcore_share(cpu->core, vcpu ^ 1);
	vpmu_counters_init(cpu);
	vpmu_pmi_init(cpu);
	vpmu_lbr_init(cpu);
	vpmu_pebs_init(cpu);
	vpmu_ibs_init(cpu);
	vpmu_fetches_init(cpu);
	vpmu_mmio_init(cpu);
	(void)data;
}

/*
 * Callback of a string instruction with REP. QEMU executes the instruction once per iteration, but
 * a CPU retires it once. If the previous instruction has the same address, this is a further
 * iteration of the same instruction. It has been counted as a retired instruction, so it is
 * subtracted.
 */
static void rep_again(unsigned int vcpu, void *data)
{
	struct vpmu_score *score = vpmu_cpu(vcpu)->score;
	const struct vcore_insn *insn = data;

	if (score->last_pc == insn->pc)
		score->exact[VPMU_INSTRUCTIONS][insn->priv]--;
}

/*
 * Tells the simulated core where the last instruction leads, if branches are being recorded: not to
 * the handler of the interrupt that comes before @pc.
 */
static void lead_to(struct vpmu_cpu *cpu, uint64_t pc)
{
	unsigned int priv = vcore_priv(pc);

	if (vpmu_lbr_records(cpu))
		vcore_next(cpu->core, priv ? pc - cpu->core->moved : pc, priv);
}

/*
 * The last instruction has begun, but has faulted: it does not retire, and will be executed again.
 * It has been counted as retired, so it is subtracted, and a branch leads nowhere.
 */
static void take_back(struct vpmu_cpu *cpu, unsigned int priv)
{
	cpu->score->exact[VPMU_INSTRUCTIONS][priv]--;
	if (vpmu_lbr_records(cpu))
		vcore_fault(cpu->core);
}

/*
 * Called at a fault, before QEMU knows which instruction of a translated block has faulted: @from_pc
 * is the address of the block. If the vCPU was not in this block, the fetch of the block faulted, and
 * the instruction before has retired. QEMU uses one block for all virtual addresses of a physical
 * page, so that only the position in the page is compared.
 */
static void fault(unsigned int vcpu, enum qemu_plugin_discon_type type,
		  uint64_t from_pc, uint64_t to_pc, void *data)
{
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	struct vpmu_score *score = cpu->score;

	if (score->last_pc && !((score->block_pc ^ from_pc) & ~PAGE_MASK))
		take_back(cpu, vcore_priv(from_pc));
	else
		lead_to(cpu, from_pc);
	score->last_pc = 0;
	vpmu_erratum_interrupted(cpu, from_pc);
	(void)type;
	(void)to_pc;
	(void)data;
}

static void interrupt(unsigned int vcpu, enum qemu_plugin_discon_type type,
		      uint64_t from_pc, uint64_t to_pc, void *data)
{
	vpmu_interrupt_came(vpmu_cpu(vcpu), from_pc);
	vpmu_erratum_interrupted(vpmu_cpu(vcpu), from_pc);
	lead_to(vpmu_cpu(vcpu), from_pc);
	(void)type;
	(void)to_pc;
	(void)data;
}

struct special_site {
	uint64_t pc;
	uint64_t page;
	uint8_t size;
	uint8_t op;
	bool counted;
	bool amended;
};

/*
 * Makes a vCPU leave a translated block before its end, and go on at @pc. QEMU computes EFLAGS from
 * a record of the last operation, but updates this record only at the end of a block. So the record
 * is first restored, by @back, the return address of the callback in the block. Otherwise the next
 * instruction or an interrupt could find part of an operand in EFLAGS. If such a wrong value had TF
 * set, the vCPU would trap in the kernel; if it had VM set, the kernel's next STI would be a double
 * fault.
 */
static void leave(unsigned int vcpu, uintptr_t back, uint64_t pc)
{
	cpu_restore_state(qemu_get_cpu(vcpu), back);
	qemu_plugin_set_pc(pc);
}

/*
 * Makes a vCPU leave a translated block, and execute the instruction at @pc later. If the
 * instruction has already been counted as retired, subtracts it: it will be counted again.
 */
static void wait(unsigned int vcpu, const struct special_site *site, uintptr_t back, uint64_t pc)
{
	if (site->counted)
		vpmu_cpu(vcpu)->score->exact[VPMU_INSTRUCTIONS][!(pc >> 63)]--;
	leave(vcpu, back, pc);
}

/*
 * Checks if QEMU may also execute a special instruction that the virtual PMU has executed. QEMU's
 * results are then replaced, and the vCPU need not leave the translated block.
 */
static bool amends(const struct special_site *site, enum vpmu_executes by)
{
	return by == VPMU_RESULT && site->amended && !vpmu_level_coming();
}

/*
 * Callback before a special instruction. QEMU uses one translated block for all virtual addresses
 * of a physical page. So the virtual page of the instruction is taken from RIP: RIP is not up to
 * date, but is in the page in which the block starts. The function is not inlined, so that its
 * return address is in translated code.
 */
static __attribute__((noinline)) void special(unsigned int vcpu, void *data)
{
	const struct special_site *site = data;

	uintptr_t back = (uintptr_t)__builtin_return_address(0);
	uint64_t page = vpmu_reg_read(VPMU_RIP) & PAGE_MASK;
	uint64_t pc = site->pc + page - site->page;
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	enum vpmu_executes by;

	if (vpmu_level_coming())
		wait(vcpu, site, back, pc);
	by = vpmu_special(cpu, site->op);
	if (by == VPMU_QEMU || amends(site, by))
		return;
	vpmu_special_amend(cpu);
	leave(vcpu, back, pc + site->size);
}

static void amend(unsigned int vcpu, void *data)
{
	vpmu_special_amend(vpmu_cpu(vcpu));
	(void)data;
}

static void register_callbacks(void *data);

/* Makes QEMU discard its translations before the calling vCPU executes another instruction. */
static void retranslate(void)
{
	qemu_plugin_reset(self, register_callbacks, NULL);
}

static void reset(unsigned int vcpu, void *data)
{
	if (vpmu_power())
		retranslate();
	(void)vcpu;
	(void)data;
}

static void amend_tsc(unsigned int vcpu, void *data)
{
	vpmu_tsc_amend(vpmu_cpu(vcpu));
	(void)data;
}

static void pausing(unsigned int vcpu, void *data)
{
	vpmu_spin_pause();
	(void)vcpu;
	(void)data;
}

static struct qemu_plugin_u64 entry(size_t offset)
{
	return (struct qemu_plugin_u64){ scores, offset };
}

static struct qemu_plugin_u64 exact(enum vpmu_exact what, unsigned int priv)
{
	return entry(offsetof(struct vpmu_score, exact) +
		     (what * VPMU_PRIVS + priv) * sizeof(uint64_t));
}

static void add_each(struct qemu_plugin_insn *qinsn, struct qemu_plugin_u64 to)
{
	enum qemu_plugin_op op = QEMU_PLUGIN_INLINE_ADD_U64;

	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(qinsn, op, to, 1);
}

static void add_access(struct qemu_plugin_insn *qinsn,
		       enum qemu_plugin_mem_rw rw, struct qemu_plugin_u64 to)
{
	enum qemu_plugin_op op = QEMU_PLUGIN_INLINE_ADD_U64;

	qemu_plugin_register_vcpu_mem_inline_per_vcpu(qinsn, rw, op, to, 1);
}

static void set_each(struct qemu_plugin_insn *qinsn, size_t offset, uint64_t value)
{
	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(qinsn, QEMU_PLUGIN_INLINE_STORE_U64,
							    entry(offset), value);
}

static void each_time(struct qemu_plugin_insn *qinsn,
		      void (*cb)(unsigned int vcpu, void *data),
		      enum qemu_plugin_cb_flags flags, void *data)
{
	qemu_plugin_register_vcpu_insn_exec_cb(qinsn, cb, flags, data);
}

static void count_exactly(struct qemu_plugin_insn *qinsn,
			  struct vcore_insn *insn)
{
	unsigned int priv = insn->priv;

	add_each(qinsn, exact(VPMU_INSTRUCTIONS, priv));
	if (vpmu_options.least)
		return;
	if (insn->branch)
		add_each(qinsn, exact(insn->branch, priv));
	if (insn->locked)
		add_each(qinsn, exact(VPMU_ATOMICS, priv));
	add_access(qinsn, QEMU_PLUGIN_MEM_R, exact(VPMU_LOADS, priv));
	add_access(qinsn, QEMU_PLUGIN_MEM_W, exact(VPMU_STORES, priv));
	if (insn->rep)
		each_time(qinsn, rep_again, QEMU_PLUGIN_CB_NO_REGS, insn);
	set_each(qinsn, offsetof(struct vpmu_score, last_pc), insn->pc);
}

static void take_over(struct qemu_plugin_insn *qinsn, uint64_t pc,
		      unsigned int size, uint64_t page, uint8_t op, bool amended)
{
	struct special_site *site = malloc(sizeof(*site));

	site->pc = pc;
	site->page = page;
	site->size = size;
	site->op = op;
	site->amended = amended;
	site->counted = vpmu_level();
	each_time(qinsn, special, QEMU_PLUGIN_CB_RW_REGS_PC, site);
}

/*
 * Which results of the previous instruction must be corrected before an instruction executes.
 * special: the results of an instruction that the virtual PMU executes, such as RDMSR. tsc: the TSC
 * that RDTSC or RDTSCP returned.
 */
struct before {
	bool special;
	bool tsc;
};

static void amend_before(struct qemu_plugin_insn *qinsn,
			 const struct before *before)
{
	size_t offset = offsetof(struct vpmu_score, tsc_read);

	if (before->special)
		each_time(qinsn, amend, QEMU_PLUGIN_CB_RW_REGS, NULL);
	if (before->tsc)
		qemu_plugin_register_vcpu_insn_exec_cond_cb(qinsn, amend_tsc,
			QEMU_PLUGIN_CB_RW_REGS, QEMU_PLUGIN_COND_NE,
			entry(offset), 0, NULL);
}

/*
 * Decodes an instruction into uops and returns it in allocated memory; never returns NULL. The
 * memory has room only for the uops that the instruction has: many instructions are kept, and
 * should fit into the host's caches.
 */
static struct vcore_insn *new_insn(const uint8_t *bytes, unsigned int size,
				   uint64_t pc, uint64_t pa)
{
	struct vcore_insn decoded, *insn;
	size_t needs;

	vcore_decode(&decoded, bytes, size, pc, pa);
	needs = offsetof(struct vcore_insn, uop[decoded.nr_uops]);
	insn = malloc(needs);
	if (!insn)
		abort();
	memcpy(insn, &decoded, needs);
	return insn;
}

static void count_down(struct qemu_plugin_insn *qinsn, struct vcore_insn *insn)
{
	size_t offset = offsetof(struct vpmu_score, until) + insn->priv * sizeof(uint64_t);

	vpmu_interrupt_watch(qinsn, insn, entry(offset));
}

/*
 * Adds the callbacks of the instrumentation level to an instruction that QEMU translates. The
 * decoded instruction, a struct vcore_insn, is never freed, because translated code points to it,
 * and QEMU may execute this code at any later time.
 */
static void tell(struct qemu_plugin_insn *qinsn, const uint8_t *bytes,
		 unsigned int size, uint64_t pc)
{
	bool model = vpmu_level() == VPMU_LEVEL_MODEL;
	struct vcore_insn *insn;

	if (!vpmu_level())
		return;
	insn = new_insn(bytes, size, pc, model ? vpmu_feed_pa(pc) : 0);
	if (vpmu_watched()) {
		vpmu_interrupt_return(qinsn, bytes, size);
		count_down(qinsn, insn);
	}
	count_exactly(qinsn, insn);
	if (model && (insn->priv || !vpmu_options.user_model))
		vpmu_feed(qinsn, insn, bytes,
			  entry(offsetof(struct vpmu_score, model_on)));
}

static void translate(struct qemu_plugin_insn *qinsn, uint64_t page, bool last,
		      struct before *before)
{
	uint64_t pc = qemu_plugin_insn_vaddr(qinsn);
	uint8_t bytes[16];
	bool is_special;
	size_t size;
	uint8_t op;

	size = qemu_plugin_insn_data(qinsn, bytes, sizeof(bytes));
	is_special = vpmu_is_special(bytes, size, &op);
	amend_before(qinsn, before);
	if (vpmu_is_reset(pc))
		each_time(qinsn, reset, QEMU_PLUGIN_CB_NO_REGS, NULL);
	tell(qinsn, bytes, size, pc);
	if (vpmu_spin_is_pause(bytes, size))
		each_time(qinsn, pausing, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (is_special)
		take_over(qinsn, pc, size, page, op, !last);
	before->special = is_special;
	before->tsc = vpmu_tsc_is_read(bytes, size);
	if (before->tsc)
		set_each(qinsn, offsetof(struct vpmu_score, tsc_read), 1);
}

static void enters_kernel(unsigned int vcpu, void *data)
{
	vpmu_cpu(vcpu)->score->paced = 0;
	vpmu_clock_halt(vpmu_cpu(vcpu));
	(void)data;
}

/*
 * Called for each block that QEMU translates. With model=user a core is not simulated while it
 * executes kernel code, so its simulated time does not advance. A callback in kernel code tells the
 * other cores of the package that they need not wait for it.
 */
static void leave_in_kernel(struct qemu_plugin_tb *tb)
{
	size_t offset = offsetof(struct vpmu_score, paced);

	if (vpmu_options.user_model && vpmu_level() == VPMU_LEVEL_MODEL &&
	    !vcore_priv(qemu_plugin_tb_vaddr(tb)))
		qemu_plugin_register_vcpu_insn_exec_cond_cb(
			qemu_plugin_tb_get_insn(tb, 0), enters_kernel,
			QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_COND_NE,
			entry(offset), 0, NULL);
}

/*
 * Callback at the start of a block in user space, whose page was @data when QEMU translated it. A
 * process may have the block at another address: RIP has its page there.
 */
static void moves(unsigned int vcpu, void *data)
{
	vpmu_cpu(vcpu)->core->moved = (vpmu_reg_read(VPMU_RIP) & PAGE_MASK) - (uintptr_t)data;
}

static void watch_moves(struct qemu_plugin_tb *tb)
{
	uint64_t pc = qemu_plugin_tb_vaddr(tb);

	if (vpmu_level() == VPMU_LEVEL_MODEL && vcore_priv(pc))
		qemu_plugin_register_vcpu_insn_exec_cond_cb(
			qemu_plugin_tb_get_insn(tb, 0), moves, QEMU_PLUGIN_CB_R_REGS,
			QEMU_PLUGIN_COND_NE, entry(offsetof(struct vpmu_score, model_on)), 0,
			(void *)(pc & PAGE_MASK));
}

/*
 * Called when QEMU translates a block: adds callbacks to its instructions. Results of an
 * instruction that the virtual PMU executes, such as RDMSR, are corrected before the next
 * instruction. If the instruction faults, the next one is the first instruction of the fault
 * handler. The first instruction of each block therefore has the callback that corrects results.
 */
static void tb_trans(struct qemu_plugin_tb *tb, void *data)
{
	uint64_t page = qemu_plugin_tb_vaddr(tb) & PAGE_MASK;
	struct before before = {
		.special = vpmu_options.nr_faults, .tsc = vpmu_tsc_differs(),
	};
	size_t nr = qemu_plugin_tb_n_insns(tb);
	size_t i;

	leave_in_kernel(tb);
	watch_moves(tb);
	if (vpmu_level() && !vpmu_options.least)
		set_each(qemu_plugin_tb_get_insn(tb, 0), offsetof(struct vpmu_score, block_pc),
		     qemu_plugin_tb_vaddr(tb));
	for (i = 0; i < nr; i++)
		translate(qemu_plugin_tb_get_insn(tb, i), page, i + 1 == nr, &before);
	(void)data;
}

static void idle(unsigned int vcpu, void *data)
{
	vpmu_clock_halt(vpmu_cpu(vcpu));
	(void)data;
}

static void resume(unsigned int vcpu, void *data)
{
	vcore_halt(vpmu_cpu(vcpu)->core, false);
	(void)data;
}

static void at_exit(void *data)
{
	vpmu_truth_write();
	vpmu_uncounted_write();
	(void)data;
}

static void register_callbacks(void *data)
{
	qemu_plugin_register_vcpu_tb_trans_cb(self, tb_trans, NULL);
	qemu_plugin_register_vcpu_idle_cb(self, idle, NULL);
	qemu_plugin_register_vcpu_resume_cb(self, resume, NULL);
	qemu_plugin_register_vcpu_discon_cb(self, QEMU_PLUGIN_DISCON_EXCEPTION,
					    fault, NULL);
	qemu_plugin_register_vcpu_discon_cb(self, QEMU_PLUGIN_DISCON_INTERRUPT,
					    interrupt, NULL);
	qemu_plugin_register_atexit_cb(self, at_exit, NULL);
	vpmu_level_came();
	(void)data;
}

/**
 * qemu_plugin_install() - entry point of the plugin, called by QEMU when it loads the plugin
 * @id: plugin ID
 * @info: description of the QEMU process; not used
 * @argc: number of options
 * @argv: options, [argc]
 *
 * Return: 0, or -1 for an unknown option.
 */
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc,
			       char **argv)
{
	int i;

	vpmu_options.part = &vpmu_ivb;
	for (i = 0; i < argc; i++)
		if (vpmu_argument(argv[i])) {
			fprintf(stderr, "virtual PMU: %s: no such option or value\n",
				argv[i]);
			return -1;
		}
	self = id;
	vpmu_level_init(retranslate);
	vpmu_boxes_init();
	vpmu_config_init();
	vpmu_interrupt_init();
	scores = qemu_plugin_scoreboard_new(sizeof(struct vpmu_score));
	qemu_plugin_register_vcpu_init_cb(id, vcpu_init, NULL);
	register_callbacks(NULL);
	(void)info;
	return 0;
}
