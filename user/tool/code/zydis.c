// SPDX-License-Identifier: GPL-2.0
#include "zydis.h"

#include <errno.h>
#include <stdio.h>

#include "base/array.h"
#include "base/library.h"

/*
 * Version of the Zydis header with which the tool was compiled. The tool loads the same version of
 * the library, because structures in another version may differ
 */
#define MAJOR ((unsigned int)ZYDIS_VERSION_MAJOR(ZYDIS_VERSION))
#define MINOR ((unsigned int)ZYDIS_VERSION_MINOR(ZYDIS_VERSION))

#define FUNCTION(name) { #name, offsetof(struct bpmu_zydis, name) }

static const struct bpmu_library_function functions[] = {
	FUNCTION(ZydisCalcAbsoluteAddressEx),
	FUNCTION(ZydisDecoderDecodeFull),
	FUNCTION(ZydisDecoderInit),
	FUNCTION(ZydisEncoderDecodedInstructionToEncoderRequest),
	FUNCTION(ZydisEncoderEncodeInstruction),
	FUNCTION(ZydisEncoderNopFill),
	FUNCTION(ZydisFormatterFormatInstruction),
	FUNCTION(ZydisFormatterInit),
	FUNCTION(ZydisFormatterSetProperty),
	FUNCTION(ZydisMnemonicGetString),
	FUNCTION(ZydisRegisterEncode),
	FUNCTION(ZydisRegisterGetClass),
	FUNCTION(ZydisRegisterGetId),
	FUNCTION(ZydisRegisterGetLargestEnclosing),
};

/**
 * bpmu_zydis() - when first called, load Zydis, the library that decodes instructions
 *
 * Not thread-safe.
 *
 * Return: the functions of the library; NULL if the library is not installed.
 */
const struct bpmu_zydis *bpmu_zydis(struct bpmu_error *err)
{
	static struct bpmu_zydis library;
	static bool tried, loaded;
	char name[sizeof("libZydis.so.65535.65535")];

	snprintf(name, sizeof(name), "libZydis.so.%u.%u", MAJOR, MINOR);
	if (!tried)
		loaded = bpmu_library_load(name, functions,
					   ARRAY_SIZE(functions), &library);
	tried = true;
	if (!loaded)
		bpmu_error_set(err, -ENOENT,
			       "%s: not found; install Zydis %u.%u (Debian: libzydis%u.%u)",
			       name, MAJOR, MINOR, MAJOR, MINOR);
	return loaded ? &library : NULL;
}
