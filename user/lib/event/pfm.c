// SPDX-License-Identifier: GPL-2.0
#include "pfm.h"

#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/library.h"
#include "intel.h"

/* of what libpfm4 sets we take what says which event it is */
#define SELECT_EVENT	(BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | \
			 BPMU_SEL_UMASK | BPMU_SEL_CMASK | \
			 BPMU_SEL_INV | BPMU_SEL_EDGE | BPMU_SEL_ANY)

/**
 * struct pfm - functions of libpfm4
 * @initialize: pfm_initialize()
 * @encode: pfm_get_os_event_encoding()
 */
struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *encode;
};

/*
 * The library is loaded for the first name that our own rows lack: its tables have
 * 40,000 relocations, which cost more than all else of a start.
 */
#ifndef BPMU_STATIC
static const struct pfm *libpfm(void)
{
	static const struct bpmu_library_function functions[] = {
		{ "pfm_initialize", offsetof(struct pfm, initialize) },
		{ "pfm_get_os_event_encoding", offsetof(struct pfm, encode) },
	};
	static struct pfm pfm;
	static bool tried, loaded;

	if (!tried)
		loaded = bpmu_library_load("libpfm.so.4", functions,
					   ARRAY_SIZE(functions), &pfm);
	tried = true;
	return loaded ? &pfm : NULL;
}
#else
static const struct pfm *libpfm(void)
{
	static const struct pfm pfm = {
		pfm_initialize, pfm_get_os_event_encoding,
	};

	return &pfm;
}
#endif

/* libpfm4 does not look at other PMUs than this machine's unless told to */
static const struct pfm *start(void)
{
	const struct pfm *pfm = libpfm();

	if (!pfm || setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) ||
	    pfm->initialize() != PFM_SUCCESS)
		return NULL;
	return pfm;
}

/**
 * bpmu_pfm_encode() - look a name up in libpfm4
 * @part: descriptor
 * @name: event and umasks in libpfm4's form, without filters
 * @select: set to the event, without rings
 * @err: set on failure other than an unknown name
 *
 * Context: process; the first call initialises libpfm4.
 * Return: 0, -ENOENT if libpfm4 does not know the name on this part or is not
 * there, -EINVAL
 * if it needs more than one register.
 */
int bpmu_pfm_encode(const struct bpmu_part *part, const char *name, u64 *select,
		    struct bpmu_error *err)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	const struct pfm *pfm = part->pfm ? start() : NULL;
	char full[256];
	int words;
	int ret;

	if (!pfm)
		return -ENOENT;
	snprintf(full, sizeof(full), "%s::%s", part->pfm, name);
	ret = pfm->encode(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	if (ret != PFM_SUCCESS)
		return -ENOENT;
	words = arg.count;
	*select = arg.codes[0] & SELECT_EVENT;
	free(arg.codes);
	if (words != 1)
		return bpmu_error_set(err, -EINVAL,
				      "event '%s': needs a second register, which the module does not program; see 'barepmu list'",
				      name);
	return 0;
}
