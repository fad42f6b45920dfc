// SPDX-License-Identifier: GPL-2.0
#include "pfm.h"

#include <errno.h>

#ifdef BPMU_NO_PFM
/**
 * bpmu_pfm_encode() - find no event: takes the place of a look-up if built without libpfm4
 * @part: descriptor of the CPU model
 * @name: name of an event with umasks, which is not looked up
 * @select: not modified
 * @extra: not modified
 * @err: not modified
 *
 * Return: -ENOENT.
 */
int bpmu_pfm_encode(const struct bpmu_part *part, const char *name, u64 *select,
		    u64 *extra, struct bpmu_error *err)
{
	(void)part;
	(void)name;
	(void)select;
	(void)extra;
	(void)err;
	return -ENOENT;
}
#else
#include <perfmon/pfmlib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/library.h"
#include "intel.h"

/*
 * Bits of the event select from libpfm4 that define an event. Other bits, such as EN, are ignored.
 */
#define SELECT_EVENT	(BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | \
			 BPMU_SEL_UMASK | BPMU_SEL_UMASK2 | BPMU_SEL_CMASK | \
			 BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY)

/**
 * struct pfm - functions of libpfm4, which is loaded on demand
 * @initialize: address of pfm_initialize()
 * @encode: address of pfm_get_os_event_encoding()
 */
struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *encode;
};

/*
 * If this environment variable is set when pfm_initialize() is called, libpfm4 also encodes events
 * of PMUs that this machine does not have.
 */
#define INACTIVE	"LIBPFM_ENCODE_INACTIVE"

static struct pfm pfm;
static bool pfm_usable;

#ifndef BPMU_STATIC
static bool pfm_load(void)
{
	static const struct bpmu_library_function functions[] = {
		{ "pfm_initialize", offsetof(struct pfm, initialize) },
		{ "pfm_get_os_event_encoding", offsetof(struct pfm, encode) },
	};

	return bpmu_library_load("libpfm.so.4", functions,
				 ARRAY_SIZE(functions), &pfm);
}
#else
static bool pfm_load(void)
{
	pfm = (struct pfm){ pfm_initialize, pfm_get_os_event_encoding };
	return true;
}
#endif

static void initialize(void)
{
	const char *value = getenv(INACTIVE);
	char *before = value ? strdup(value) : NULL;

	if ((value && !before) || !pfm_load() || setenv(INACTIVE, "1", 1)) {
		free(before);
		return;
	}
	pfm_usable = pfm.initialize() == PFM_SUCCESS;
	if (before)
		setenv(INACTIVE, before, 1);
	else
		unsetenv(INACTIVE);
	free(before);
}

/**
 * bpmu_pfm_encode() - look up the name of an event in libpfm4 (pfm)
 * @part: descriptor of the CPU model
 * @name: event and umasks in the syntax of libpfm4, without filters
 * @select: set to the event select without privilege levels
 * @extra: set to the value of the extra register, or 0
 * @err: set on failure other than an unknown name
 *
 * libpfm4 is loaded and initialized by the first call, not when the tool starts, because its
 * tables have 40,000 relocations. Two things cannot be avoided with libpfm4 4.13:
 *
 * - The state of libpfm4 is global. Static variables here therefore tell whether libpfm4 is loaded.
 * - libpfm4 encodes events of other PMUs than this machine's only if the environment has
 *   LIBPFM_ENCODE_INACTIVE while pfm_initialize() runs; no function sets that option. The
 *   first call therefore sets the variable, and restores it before it returns. No other
 *   thread may use the environment during that call.
 *
 * Return: 0, -ENOENT if libpfm4 does not have the event for the CPU model or is not
 * installed, -EINVAL if the event needs a register that is not programmed.
 */
int bpmu_pfm_encode(const struct bpmu_part *part, const char *name, u64 *select,
		    u64 *extra, struct bpmu_error *err)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	static pthread_once_t pfm_once = PTHREAD_ONCE_INIT;
	char full[256];
	int words;
	int ret;

	if (!part->pfm)
		return -ENOENT;
	pthread_once(&pfm_once, initialize);
	if (!pfm_usable)
		return -ENOENT;
	snprintf(full, sizeof(full), "%s::%s", part->pfm, name);
	ret = pfm.encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	if (ret != PFM_SUCCESS)
		return -ENOENT;
	words = arg.count;
	*select = arg.codes[0] & SELECT_EVENT;
	*extra = words == 2 ? arg.codes[1] : 0;
	free(arg.codes);
	if (words != 1 && (words != 2 || !bpmu_extra_of(part, *select)))
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': needs a register besides its select that the module does not program; see 'barepmu list'",
				      name);
	return 0;
}
#endif /* BPMU_NO_PFM */
