/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Zydis, the library that decodes and encodes x86 instructions. The tool loads it when it first
 * needs it.
 */
#ifndef BPMU_ZYDIS_H
#define BPMU_ZYDIS_H

#include <Zydis/Zydis.h>

#include "base/error.h"

/*
 * Pointers to the functions of the library Zydis that the tool uses. Each member has the name of
 * its function.
 */
#define BPMU_ZYDIS(name) __typeof__(name) *(name)
struct bpmu_zydis {
	BPMU_ZYDIS(ZydisCalcAbsoluteAddressEx);
	BPMU_ZYDIS(ZydisDecoderDecodeFull);
	BPMU_ZYDIS(ZydisDecoderInit);
	BPMU_ZYDIS(ZydisEncoderDecodedInstructionToEncoderRequest);
	BPMU_ZYDIS(ZydisEncoderEncodeInstruction);
	BPMU_ZYDIS(ZydisEncoderNopFill);
	BPMU_ZYDIS(ZydisFormatterFormatInstruction);
	BPMU_ZYDIS(ZydisFormatterInit);
	BPMU_ZYDIS(ZydisFormatterSetProperty);
	BPMU_ZYDIS(ZydisMnemonicGetString);
	BPMU_ZYDIS(ZydisRegisterEncode);
	BPMU_ZYDIS(ZydisRegisterGetClass);
	BPMU_ZYDIS(ZydisRegisterGetId);
	BPMU_ZYDIS(ZydisRegisterGetLargestEnclosing);
};

const struct bpmu_zydis *bpmu_zydis(struct bpmu_error *err);

#endif /* BPMU_ZYDIS_H */
