// SPDX-License-Identifier: GPL-2.0
/*
 * What translations have to tell. It costs: nothing is told before somebody wants
 * it, which is some time after the guest has booted. From then on it stays.
 *
 * QEMU forgets the translations before the vCPU that wants more executes another
 * instruction. The others go on with theirs for a moment: whichever of them
 * wants something, too, has to wait.
 */
#include "vpmu.h"

static enum vpmu_want wanted;
static bool coming;

static void want(enum vpmu_want what)
{
	enum vpmu_want before = __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);

	if (before >= what)
		return;
	__atomic_store_n(&coming, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&wanted, what, __ATOMIC_SEQ_CST);
	vpmu_retranslate();
}

/**
 * vpmu_exact_wanted() - somebody counts
 *
 * Context: from vpmu_special(), as all that wants anything.
 */
void vpmu_exact_wanted(void)
{
	want(VPMU_WANT_EXACT);
}

/**
 * vpmu_model_wanted() - a user needs the model of a vCPU's core
 * @cpu: the vCPU
 * @who: VPMU_FOR_*
 */
void vpmu_model_wanted(struct vpmu_cpu *cpu, uint64_t who)
{
	if (vpmu_options.no_model)
		return;
	__atomic_or_fetch(&cpu->score->model_on, who, __ATOMIC_SEQ_CST);
	want(VPMU_WANT_MODEL);
}

/**
 * vpmu_model_unwanted() - a user needs the model of a vCPU's core no longer
 * @cpu: the vCPU
 * @who: VPMU_FOR_*
 */
void vpmu_model_unwanted(struct vpmu_cpu *cpu, uint64_t who)
{
	uint64_t *on = &cpu->score->model_on;

	if (__atomic_load_n(on, __ATOMIC_SEQ_CST) & who)
		__atomic_or_fetch(on, VPMU_LINGERS, __ATOMIC_SEQ_CST);
	__atomic_and_fetch(on, ~who, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_wanted() - what a new translation has to tell
 */
enum vpmu_want vpmu_wanted(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_want_coming() - are there translations that do not tell all of it
 */
bool vpmu_want_coming(void)
{
	return __atomic_load_n(&coming, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_want_came() - the old translations are forgotten
 */
void vpmu_want_came(void)
{
	__atomic_store_n(&coming, false, __ATOMIC_SEQ_CST);
}
