// SPDX-License-Identifier: GPL-2.0
/*
 * How much of the execution translations report to the plugin. Reports are expensive,
 * so there are none until a counter or a window needs them, which is some time after
 * the guest has booted. The level is never lowered.
 *
 * QEMU discards all translations before the vCPU that raised the level executes
 * another instruction. The other vCPUs may still execute old translations for a
 * moment; one that needs the new level must wait.
 */
#include "want.h"

#include "options.h"

static enum vpmu_want wanted;
static bool coming;
static void (*retranslate)(void);

/**
 * vpmu_want_init() - tell how translations are discarded
 * @discard: discards all of them
 */
void vpmu_want_init(void (*discard)(void))
{
	retranslate = discard;
}

static void want(enum vpmu_want what)
{
	enum vpmu_want before = __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);

	if (before >= what)
		return;
	__atomic_store_n(&coming, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&wanted, what, __ATOMIC_SEQ_CST);
	retranslate();
}

/**
 * vpmu_exact_wanted() - have translations report the exact quantities
 *
 * Context: called from vpmu_special(), as all functions that raise the level.
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
 * vpmu_wanted() - the level that a new translation must report
 */
enum vpmu_want vpmu_wanted(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_want_coming() - may translations of a lower level still exist
 */
bool vpmu_want_coming(void)
{
	return __atomic_load_n(&coming, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_want_came() - note that the old translations are discarded
 */
void vpmu_want_came(void)
{
	__atomic_store_n(&coming, false, __ATOMIC_SEQ_CST);
}
