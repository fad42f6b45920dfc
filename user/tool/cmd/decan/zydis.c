// SPDX-License-Identifier: GPL-2.0
#include "zydis.h"

#include <errno.h>

#include "base/array.h"
#include "base/library.h"

#define LIBRARY "libZydis.so.4.0"
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
	FUNCTION(ZydisMnemonicGetString),
	FUNCTION(ZydisRegisterEncode),
	FUNCTION(ZydisRegisterGetClass),
	FUNCTION(ZydisRegisterGetId),
	FUNCTION(ZydisRegisterGetLargestEnclosing),
};

/**
 * bpmu_zydis() - load it at the first call, for the life of the process
 * @err: set if it is not there
 *
 * Not thread-safe.
 * Return: its functions, or NULL if there is none or the tool is static.
 */
const struct bpmu_zydis *bpmu_zydis(struct bpmu_error *err)
{
	static struct bpmu_zydis library;
	static bool tried, loaded;

	if (!tried)
		loaded = bpmu_library_load(LIBRARY, functions,
					   ARRAY_SIZE(functions), &library);
	tried = true;
	if (!loaded)
		bpmu_error_set(err, -ENOENT,
			       #ifdef BPMU_STATIC
			       LIBRARY ": the static tool loads no libraries; use the dynamic barepmu");
#else
			       LIBRARY ": not found; install Zydis 4.0 (Debian: libzydis4.0)");
#endif
	return loaded ? &library : NULL;
}
