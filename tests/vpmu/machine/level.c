// SPDX-License-Identifier: GPL-2.0
/*
 * Instrumentation level: which callbacks QEMU's translations (its generated code for the guest)
 * contain. Callbacks are slow. Translations therefore have none until a counter, or the truth file
 * with exact counts for tests, needs them, which is some time after the guest has booted. The level
 * is never lowered.
 *
 * QEMU discards all translations before the vCPU that raised the level executes another
 * instruction. Other vCPUs may execute old translations for a short time; a vCPU that needs the new
 * level must wait.
 */
#include "level.h"

#include "options.h"
#include "topology.h"

static enum vpmu_level wanted;
static bool watched;
static bool coming;
static void (*retranslate)(void);

/**
 * vpmu_level_init() - set the function that is called when the instrumentation level is raised
 * @discard: discards all translations
 */
void vpmu_level_init(void (*discard)(void))
{
	retranslate = discard;
}

static void raise(enum vpmu_level what)
{
	enum vpmu_level before = __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);

	if (before >= what)
		return;
	__atomic_store_n(&coming, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&wanted, what, __ATOMIC_SEQ_CST);
	retranslate();
}

/**
 * vpmu_exact_wanted() - raise the instrumentation level to at least VPMU_LEVEL_EXACT
 *
 * Context: called from vpmu_special(), like all functions that raise the level.
 */
void vpmu_exact_wanted(void)
{
	raise(VPMU_LEVEL_EXACT);
}

/**
 * vpmu_model_wanted() - start to simulate a vCPU's core, at instrumentation level VPMU_LEVEL_MODEL
 * @cpu: the vCPU
 * @who: VPMU_FOR_*: what the simulation is needed for, until vpmu_model_unwanted() is called
 *
 * With the option model=off the function does nothing.
 */
void vpmu_model_wanted(struct vpmu_cpu *cpu, uint64_t who)
{
	if (vpmu_options.no_model)
		return;
	__atomic_or_fetch(&cpu->score->model_on, who, __ATOMIC_SEQ_CST);
	raise(VPMU_LEVEL_MODEL);
}

/**
 * vpmu_model_unwanted() - stop the simulation of a vCPU's core unless something else needs it
 * @cpu: the vCPU
 * @who: VPMU_FOR_*: what the simulation is no longer needed for
 */
void vpmu_model_unwanted(struct vpmu_cpu *cpu, uint64_t who)
{
	uint64_t *on = &cpu->score->model_on;

	if (__atomic_load_n(on, __ATOMIC_SEQ_CST) & who)
		__atomic_or_fetch(on, VPMU_LINGERS, __ATOMIC_SEQ_CST);
	__atomic_and_fetch(on, ~who, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_model_all() - start or stop the simulation of the cores of all vCPUs
 * @who: VPMU_FOR_*: what the simulation is needed for
 * @wanted: true to start the simulation, which also raises the instrumentation level; false to stop
 *	it for each core for which nothing else needs it
 */
void vpmu_model_all(uint64_t who, bool wanted)
{
	unsigned int i;

	if (wanted)
		vpmu_exact_wanted();
	for (i = 0; i < vpmu_nr_cpus(); i++)
		if (wanted)
			vpmu_model_wanted(vpmu_cpu(i), who);
		else
			vpmu_model_unwanted(vpmu_cpu(i), who);
}

/**
 * vpmu_level() - instrumentation level: which callbacks new translations must have
 */
enum vpmu_level vpmu_level(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_watch_wanted() - raise the instrumentation level: translations count down &vpmu_score.until
 *
 * A guest whose counters raise no interrupts needs no countdown, and runs faster without one.
 *
 * Context: called from vpmu_special(), like all functions that raise the level.
 */
void vpmu_watch_wanted(void)
{
	if (vpmu_watched())
		return;
	__atomic_store_n(&coming, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&watched, true, __ATOMIC_SEQ_CST);
	retranslate();
}

/**
 * vpmu_watched() - check if translations, at any level, also count down &vpmu_score.until
 */
bool vpmu_watched(void)
{
	return __atomic_load_n(&watched, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_level_coming() - check if vCPUs may still execute code without the callbacks of the level
 */
bool vpmu_level_coming(void)
{
	return __atomic_load_n(&coming, __ATOMIC_SEQ_CST);
}

/**
 * vpmu_level_came() - record that QEMU has discarded translations below the instrumentation level
 */
void vpmu_level_came(void)
{
	__atomic_store_n(&coming, false, __ATOMIC_SEQ_CST);
}
